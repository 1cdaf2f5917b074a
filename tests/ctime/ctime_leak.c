/*
 * Promise: the constant-time check can fail.  Each kind of leak, planted here on purpose, makes
 * valgrind report an error; the same program without a leak does not.
 *
 * ctime_leak KIND
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <valgrind/memcheck.h>

#include "proof/oneshot_sets.h"
#include "random/rng.h"
#include "random/secret.h"
#include "sampler/gauss.h"
#include "wire/pack.h"

enum { SAMPLES = 64, WIDTH = 4822 };

/* Not constant: the compiler must not know what is in it. */
static volatile int counter;

static void branch(const uint8_t *secret)
{
	if (secret[3] & 4)
		counter++;
}

static void address(const uint8_t *secret)
{
	static const int table[256] = {1, 2, 3};

	counter += table[secret[7]];
}

/* A mask, which no declassification has touched, put into bytes as if it were a response. */
static void encoder(const uint8_t *secret)
{
	int64_t mask[SAMPLES];
	uint8_t out[8 * SAMPLES];
	vldaa_writer w;
	vldaa_rng rng;

	vldaa_rng_init(&rng, secret, 1);
	vldaa_mask_sample(mask, SAMPLES, WIDTH, &rng);
	vldaa_put_init(&w, out, sizeof out);
	vldaa_rice_encode_vartime(&w, mask, SAMPLES, 13);
	counter += (int)w.len;
}

/* A comparison in constant time whose result is a secret still. */
static void comparison(const uint8_t *secret)
{
	const uint8_t zero[VLDAA_SEED_BYTES] = {0};

	if (vldaa_equal(secret, zero, sizeof zero))
		counter++;
}

/* The one-shot proof's challenge from a hash that was not declassified. */
static void challenge(const uint8_t *secret)
{
	int64_t c[VLDAA_OS_D];

	vldaa_os_challenge(c, secret);
	counter += c[0] != 0;
}

/* A response of the one-shot proof that was not declassified, as if no rejection had kept it. */
static void response(const uint8_t *secret)
{
	static unsigned char memory[1 << 20];
	static uint8_t out[1 << 15];
	const vldaa_os_set *set = &vldaa_os_44;
	vldaa_os_proof proof;
	vldaa_writer w;
	vldaa_arena a;

	vldaa_arena_init(&a, memory, sizeof memory);
	vldaa_os_proof_layout(&proof, set, &vldaa_os_join_44, &a);
	memset(proof.seed, 0, sizeof proof.seed);
	proof.z1[17] = secret[9];
	vldaa_put_init(&w, out, sizeof out);
	counter += vldaa_os_proof_put(set, &vldaa_os_join_44, &w, &proof);
}

static void nothing(const uint8_t *secret)
{
	uint8_t copy[VLDAA_SEED_BYTES];

	memcpy(copy, secret, sizeof copy);
	vldaa_secret_declassify(copy, sizeof copy, "it is declassified, so it may be looked at");
	if (copy[0])
		counter++;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*leak)(const uint8_t *secret);
	} kinds[] = {{"branch", branch},         {"address", address},     {"encoder", encoder},
		     {"comparison", comparison}, {"challenge", challenge}, {"response", response},
		     {"nothing", nothing}};
	uint8_t secret[VLDAA_SEED_BYTES] = {1, 2, 3, 4, 5, 6, 7, 8};

	if (argc != 2 || !RUNNING_ON_VALGRIND)
		return EXIT_FAILURE;
	vldaa_secret_mark(secret, sizeof secret);
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		if (strcmp(kinds[i].name, argv[1]) == 0) {
			kinds[i].leak(secret);
			return EXIT_SUCCESS;
		}
	}
	fprintf(stderr, "no such leak\n");
	return EXIT_FAILURE;
}
