/*
 * Promises, about the library's own object files under valgrind's memcheck, for both statements of
 * the one-shot sets: no branch and no address of the prover depends on the witness or on its
 * randomness; both stay secret in its memory, and a proof is declassified on purpose.
 *
 * How: see ctime_member.c.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <valgrind/memcheck.h>

#include "../support/planted.h"
#include "random/secret.h"

enum { PROOFS = 2, CAP = 1 << 16 };

static void require(int holds, const char *what)
{
	if (!holds) {
		fprintf(stderr, "%s\n", what);
		exit(EXIT_FAILURE);
	}
}

/* How many of these bytes are (partly) marked secret. */
static size_t secret_bytes(const void *p, size_t len)
{
	const char *bytes = p;
	size_t count = 0;

	for (size_t i = 0; i < len; i++) {
		char bits = 0;

		require(VALGRIND_GET_VBITS(bytes + i, &bits, 1) == 1, "no mark of a byte");
		count += bits != 0;
	}
	return count;
}

static void check(const vldaa_oneshot_set *n, enum statement_kind kind)
{
	planted *p = planted_honest(n, kind, 1);
	const vldaa_os_statement *st = &p->statement;
	const vldaa_os_set *set = st->set;
	const size_t size = vldaa_os_prover_size(set, st->numbers);
	const size_t witness = (size_t)st->numbers->m1 * VLDAA_OS_D * sizeof *p->w1;
	const size_t randomness = (size_t)set->m2 * VLDAA_OS_D * sizeof(int64_t);
	void *workspace = planted_memory(size);
	uint8_t *out = planted_memory(CAP);

	for (uint8_t i = 0; i < PROOFS; i++) {
		uint8_t seed[VLDAA_SEED_BYTES] = {i, 's'};
		vldaa_writer w;
		vldaa_rng rng;
		int err;

		vldaa_secret_mark(seed, sizeof seed);
		vldaa_secret_mark(p->w1, witness);
		vldaa_rng_init(&rng, seed, set->id);
		vldaa_put_init(&w, out, CAP);
		err = vldaa_os_prove(workspace, planted_crs(set), st, p->w1, &rng, &w);
		require(secret_bytes(&err, sizeof err) == 0 && err == 0, "proving failed");
		require(secret_bytes(&w.len, sizeof w.len) == 0, "a proof's length is public");
		require(secret_bytes(out, w.len) == 0, "a proof is public");
		require(secret_bytes(p->w1, witness) == witness, "the witness is secret");
		/* its transforms, W S, w2, masks, ... */
		require(secret_bytes(workspace, size) > 2 * (witness + randomness),
			"the prover's memory is secret");
		require(planted_verify(st, (vldaa_bytes){out, w.len}) == 0,
			"a proof does not verify");
	}
	free(workspace);
	free(out);
	vldaa_secret_declassify(p, sizeof *p, "its part of the test is over");
	planted_free(p);
}

int main(void)
{
	if (!RUNNING_ON_VALGRIND) {
		fprintf(stderr, "this program says something under valgrind only\n");
		return EXIT_FAILURE;
	}
	check(&vldaa_oneshot_44, PLANTED_JOIN);
	check(&vldaa_oneshot_44, PLANTED_CREATE);
	check(&vldaa_oneshot_87, PLANTED_JOIN);
	check(&vldaa_oneshot_87, PLANTED_CREATE);
	return EXIT_SUCCESS;
}
