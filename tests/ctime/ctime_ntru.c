/*
 * Promises, about the library's own object files under valgrind's memcheck: no branch and no
 * address of decoding an issuer's NTRU key, of checking it, and of drawing preimages depends on the
 * key, the tree made from it, the stream or the target, but for the outcome and the number of
 * attempts; those are secrets all the time, and so is the preimage.
 *
 * How: see ctime_member.c.  The tree is made from an unmarked key, since that may take variable
 * time; it is marked when it is done.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <valgrind/memcheck.h>

#include "vldaa/ntru.h"
#include "random/secret.h"
#include "sampler/ntru_preimage.h"
#include "scheme/ntru_secret.h"
#include "vldaa/error.h"

static void require(int holds, const char *what)
{
	if (!holds) {
		fprintf(stderr, "%s\n", what);
		exit(EXIT_FAILURE);
	}
}

/* Whether all of these bytes, or none of them, are (partly) marked. */
static int secret(const void *p, size_t len, int all)
{
	const char *bytes = p;

	for (size_t i = 0; i < len; i++) {
		char bits = 0;

		require(VALGRIND_GET_VBITS(bytes + i, &bits, 1) == 1, "no mark of a byte");
		if ((bits != 0) != all)
			return 0;
	}
	return 1;
}

static void decode(const vldaa_ntru_set *set, const vldaa_ntru_key *key, const int64_t *h)
{
	static vldaa_ntru_key read;
	static uint8_t bytes[4096];
	static int64_t read_h[VLDAA_MAX_DEGREE];
	const size_t len = vldaa_ntru_secret_size(set), n = set->ring.d * sizeof *h;
	vldaa_writer w;
	vldaa_reader r;

	vldaa_put_init(&w, bytes, sizeof bytes);
	vldaa_ntru_secret_pack(set, &w, key);
	require(w.len == len, "size of a packed key");
	vldaa_secret_mark(bytes, len);
	vldaa_get_init(&r, bytes, len);
	vldaa_ntru_secret_unpack(set, &r, &read, read_h);
	require(vldaa_get_end(&r) == VLDAA_OK, "the key is read back");
	require(secret(read.f, n, 1) && secret(read.F, n, 1) && secret(read.G, n, 1),
		"the key is secret");
	require(secret(read_h, n, 0), "h is public");
	require(memcmp(read_h, h, n) == 0, "h is the same");
}

static void draw(const vldaa_ntru_set *set, const vldaa_ntru_preimage *tree, void *scratch,
		 vldaa_rng *rng)
{
	static int64_t c[VLDAA_MAX_DEGREE], v1[VLDAA_MAX_DEGREE], v2[VLDAA_MAX_DEGREE];
	const size_t n = set->ring.d;

	for (size_t j = 0; j < n; j++)
		c[j] = (int64_t)(vldaa_rng_u64(rng) >> 51) - 4096;
	vldaa_secret_mark(c, sizeof c);
	vldaa_ntru_preimage_draw(tree, v1, v2, c, scratch, rng);
	require(secret(v1, n * sizeof *v1, 1) && secret(v2, n * sizeof *v2, 1),
		"the preimage is secret");
	vldaa_secret_declassify(v1, sizeof v1, "the test looks at it");
	vldaa_secret_declassify(v2, sizeof v2, "the test looks at it");
	require(vldaa_poly_norm2(&set->ring, v1) + vldaa_poly_norm2(&set->ring, v2) <=
		    set->accepted2,
		"the preimage is short");
}

int main(void)
{
	static const vldaa_ntru_set *const sets[2] = {&vldaa_ntru_512, &vldaa_ntru_1024};
	static vldaa_ntru_key key;
	static int64_t h[VLDAA_MAX_DEGREE];
	vldaa_ntru_preimage *tree = malloc(vldaa_ntru_preimage_size());
	void *scratch = malloc(vldaa_ntru_preimage_scratch());

	require(tree != NULL && scratch != NULL, "memory");
	for (int i = 0; i < 2; i++) {
		uint8_t seed[VLDAA_SEED_BYTES] = {(uint8_t)i};
		vldaa_rng rng;

		vldaa_rng_init(&rng, seed, 0);
		require(vldaa_ntru_generate(sets[i], &key, h, vldaa_ntru_solve, &rng) == VLDAA_OK,
			"key generation");
		require(vldaa_ntru_preimage_init(tree, sets[i], &key, h) == VLDAA_OK, "the tree");
		decode(sets[i], &key, h);

		vldaa_secret_mark(seed, sizeof seed);
		vldaa_rng_init(&rng, seed, 0);
		draw(sets[i], tree, scratch, &rng);
		draw(sets[i], tree, scratch, &rng);
	}
	free(tree);
	free(scratch);
	return EXIT_SUCCESS;
}
