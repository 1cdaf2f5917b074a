/*
 * The challenge set of the one-shot proof: c = c_0 + sum c_i (Y^i - Y^(64-i)), |c_i| <= 9, with
 * max_j |c(zeta^(2j+1))| <= 72: c(zeta^(2j+1)) = c_0 + 2 sum_(i=1..31) c_i cos(pi (2j+1) i / 64), compared as
 * integers with the cosines' fixed-point table.  Challenges are public.
 */
#include "proof/oneshot.h"

#include <string.h>

#include "random/shake.h"
#include "proof/gen_cosine.h"

/* 2^30 cos(pi k / 64) for any k, by symmetry from k = 0..32. */
static int64_t cosine(uint32_t k)
{
	k %= 128;
	if (k > 64)
		k = 128 - k;
	return k <= 32 ? vldaa_os_cosine[k] : -vldaa_os_cosine[64 - k];
}

int vldaa_os_operator_norm_ok(const int64_t c[VLDAA_OS_D])
{
	const int64_t bound = (int64_t)VLDAA_OS_ETA << 30;

	for (uint32_t j = 0; j < VLDAA_OS_D / 2; j++) {
		int64_t sum = c[0] * (INT64_C(1) << 30);

		for (uint32_t i = 1; i < VLDAA_OS_D / 2; i++)
			sum += 2 * c[i] * cosine((2 * j + 1) * i);
		if (sum > bound || sum < -bound)
			return 0;
	}
	return 1;
}

/* SHAKE256("c", seed, counter): bytes below 247 = 13 * 19 give (byte mod 19) - 9; the first 32 are c_0..c_31. */
void vldaa_os_challenge(int64_t c[VLDAA_OS_D], const uint8_t seed[VLDAA_OS_SEED])
{
	for (uint32_t counter = 0;; counter++) {
		const uint8_t tail[2] = {(uint8_t)counter, (uint8_t)(counter >> 8)};
		uint8_t bytes[128];
		vldaa_shake s;
		size_t n = 0;

		vldaa_shake_init(&s, VLDAA_SHAKE256_RATE);
		vldaa_shake_absorb(&s, "c", 1);
		vldaa_shake_absorb(&s, seed, VLDAA_OS_SEED);
		vldaa_shake_absorb(&s, tail, sizeof tail);
		vldaa_shake_squeeze(&s, bytes, sizeof bytes);
		memset(c, 0, VLDAA_OS_D * sizeof *c);
		for (size_t i = 0; i < sizeof bytes && n < VLDAA_OS_D / 2; i++) {
			if (bytes[i] < 247)
				c[n++] = bytes[i] % 19 - VLDAA_OS_KAPPA;
		}
		if (n < VLDAA_OS_D / 2)
			continue;
		for (size_t i = 1; i < VLDAA_OS_D / 2; i++)
			c[VLDAA_OS_D - i] = -c[i];
		if (vldaa_os_operator_norm_ok(c))
			return;
	}
}
