/*
 * Microseconds of processor time of ML-DSA's operations.  Signing is rejection sampling, so its
 * mean over many messages and its 99th percentile are printed too.
 */
#include <stdio.h>
#include <stdlib.h>

#include "mldsa/mldsa.h"
#include "times.h"

enum { RUNS = 1000 };

static void print(const char *name, double times[RUNS])
{
	const times_summary t = times_of(times, RUNS);

	printf("%-16s mean %7.1f  least %7.1f  p99 %7.1f us\n", name, t.mean, t.least, t.p99);
}

static int measure(const char *name, const vldaa_mldsa_set *set)
{
	static vldaa_mldsa_workspace ws;
	static vldaa_mldsa_private key;
	static uint8_t public_key[VLDAA_MLDSA_MAX_PUBLIC];
	static uint8_t signature[VLDAA_MLDSA_MAX_SIGNATURE];
	static double keygen[RUNS], sign[RUNS], verify[RUNS];
	uint8_t seed[32] = {0};
	uint8_t mu[VLDAA_MLDSA_MU_BYTES] = {0};
	int failed = 0;

	for (int i = 0; i < RUNS; i++) {
		seed[0] = mu[0] = (uint8_t)i;
		seed[1] = mu[1] = (uint8_t)(i >> 8);
		const double start = microseconds();
		vldaa_mldsa_keygen(set, public_key, &key, seed, &ws);
		const double made = microseconds();
		failed |= vldaa_mldsa_sign(&key, mu, seed, signature, &ws);
		const double signed_at = microseconds();
		failed |= vldaa_mldsa_verify(set, public_key, mu, signature, &ws);
		verify[i] = microseconds() - signed_at;
		sign[i] = signed_at - made;
		keygen[i] = made - start;
	}
	printf("%s\n", name);
	print("  key generation", keygen);
	print("  sign", sign);
	print("  verify", verify);
	return failed;
}

int main(void)
{
	const int failed =
	    measure("ML-DSA-44", &vldaa_mldsa_44) | measure("ML-DSA-87", &vldaa_mldsa_87);

	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
