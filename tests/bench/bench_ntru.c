/* The issuer's NTRU side: key generation, the tree, a preimage, and reading a stored key back. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "vldaa/ntru.h"
#include "sampler/ntru_preimage.h"
#include "vldaa/error.h"

enum { KEYS = 50, DRAWS = 500 };

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void print(const char *what, uint32_t n, double start, unsigned times)
{
	printf("%-12s N = %-5u %9.1f us\n", what, n, (seconds() - start) / times * 1e6);
}

int main(void)
{
	static const vldaa_ntru_set *const sets[2] = {&vldaa_ntru_512, &vldaa_ntru_1024};
	static vldaa_ntru_key key;
	static int64_t h[VLDAA_MAX_DEGREE], v1[VLDAA_MAX_DEGREE], v2[VLDAA_MAX_DEGREE];
	vldaa_ntru_preimage *tree = malloc(vldaa_ntru_preimage_size());
	void *scratch = malloc(vldaa_ntru_preimage_scratch());
	const uint8_t seed[VLDAA_SEED_BYTES] = {1};
	int err = tree == NULL || scratch == NULL;

	for (int i = 0; i < 2 && !err; i++) {
		const uint32_t n = sets[i]->ring.d;
		vldaa_rng rng;
		double start = seconds();

		vldaa_rng_init(&rng, seed, 0);
		for (int j = 0; j < KEYS; j++)
			err |= vldaa_ntru_generate(sets[i], &key, h, vldaa_ntru_solve, &rng);
		print("key", n, start, KEYS);
		start = seconds();
		for (int j = 0; j < KEYS; j++)
			err |= vldaa_ntru_complete(sets[i], &key, h);
		print("stored key", n, start, KEYS);
		start = seconds();
		for (int j = 0; j < KEYS; j++)
			err |= vldaa_ntru_preimage_init(tree, sets[i], &key, h);
		print("tree", n, start, KEYS);
		start = seconds();
		for (int j = 0; j < DRAWS; j++)
			vldaa_ntru_preimage_draw(tree, v1, v2, h, scratch, &rng);
		print("preimage", n, start, DRAWS);
	}
	free(tree);
	free(scratch);
	return err ? EXIT_FAILURE : EXIT_SUCCESS;
}
