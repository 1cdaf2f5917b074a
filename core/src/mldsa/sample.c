/* Sampling of FIPS 204 section 7.3 (Algorithms 29 to 34). */
#include "mldsa/poly.h"

#include <string.h>

#include "random/secret.h"

/* RejNTTPoly (Algorithm 30): 3-byte little-endian fields of 23 bits, rejected when >= q.  Public.
 */
static void rej_ntt_poly(vldaa_mldsa_poly *a, const uint8_t rho[32], uint8_t column, uint8_t row)
{
	uint8_t block[VLDAA_SHAKE128_RATE];
	const uint8_t place[2] = {column, row};
	vldaa_shake s;
	size_t n = 0;

	vldaa_shake_init(&s, VLDAA_SHAKE128_RATE);
	vldaa_shake_absorb(&s, rho, 32);
	vldaa_shake_absorb(&s, place, sizeof place);
	while (n < VLDAA_MLDSA_N) {
		vldaa_shake_squeeze(&s, block, sizeof block);
		for (size_t i = 0; i < sizeof block && n < VLDAA_MLDSA_N; i += 3) {
			const int32_t x =
			    block[i] | block[i + 1] << 8 | (block[i + 2] & 0x7f) << 16;

			if (x < VLDAA_MLDSA_Q)
				a->c[n++] = x;
		}
	}
}

void vldaa_mldsa_expand_a(const vldaa_mldsa_set *set, vldaa_mldsa_poly *a, const uint8_t rho[32])
{
	for (uint32_t i = 0; i < set->k; i++) {
		for (uint32_t j = 0; j < set->l; j++)
			rej_ntt_poly(a + i * set->l + j, rho, (uint8_t)j, (uint8_t)i);
	}
}

/*
 * RejBoundedPoly (Algorithm 31) for eta = 2: half-bytes below 15 give 2 - (x mod 5).  Which ones
 * are rejected is independent of the kept values; the order of rejections is all that timing shows.
 */
static void rej_bounded_poly(vldaa_mldsa_poly *a, const uint8_t rho_prime[64], uint16_t r)
{
	uint8_t block[VLDAA_SHAKE256_RATE];
	const uint8_t place[2] = {(uint8_t)r, (uint8_t)(r >> 8)};
	vldaa_shake s;
	size_t n = 0;

	vldaa_shake_init(&s, VLDAA_SHAKE256_RATE);
	vldaa_shake_absorb(&s, rho_prime, 64);
	vldaa_shake_absorb(&s, place, sizeof place);
	while (n < VLDAA_MLDSA_N) {
		vldaa_shake_squeeze(&s, block, sizeof block);
		for (size_t i = 0; i < 2 * sizeof block && n < VLDAA_MLDSA_N; i++) {
			const uint32_t x = i % 2 ? block[i / 2] >> 4 : block[i / 2] & 15u;
			int keep = x < 15;

			vldaa_secret_declassify(
			    &keep, sizeof keep,
			    "whether a half-byte is 15 says nothing about the kept ones");
			/* x mod 5 for x < 15 without division: 205 = 1024 / 5 rounded up */
			if (keep)
				a->c[n++] = 2 - (int32_t)(x - (x * 205 >> 10) * 5);
		}
	}
	vldaa_wipe(block, sizeof block);
	vldaa_wipe(&s, sizeof s);
}

void vldaa_mldsa_expand_s(const vldaa_mldsa_set *set, vldaa_mldsa_poly *s1, vldaa_mldsa_poly *s2,
			  const uint8_t rho_prime[64])
{
	for (uint32_t i = 0; i < set->l; i++)
		rej_bounded_poly(s1 + i, rho_prime, (uint16_t)i);
	for (uint32_t i = 0; i < set->k; i++)
		rej_bounded_poly(s2 + i, rho_prime, (uint16_t)(set->l + i));
}

void vldaa_mldsa_expand_mask(const vldaa_mldsa_set *set, vldaa_mldsa_poly *y,
			     const uint8_t rho_pp[64], uint32_t kappa)
{
	const uint32_t bits = set->gamma1_bits + 1;
	uint8_t bytes[VLDAA_MLDSA_N * 20 / 8];

	for (uint32_t i = 0; i < set->l; i++) {
		const uint8_t place[2] = {(uint8_t)(kappa + i), (uint8_t)((kappa + i) >> 8)};
		vldaa_shake s;

		vldaa_shake_init(&s, VLDAA_SHAKE256_RATE);
		vldaa_shake_absorb(&s, rho_pp, 64);
		vldaa_shake_absorb(&s, place, sizeof place);
		vldaa_shake_squeeze(&s, bytes, 32 * bits);
		vldaa_mldsa_unpack(y + i, bytes, bits, 1 << set->gamma1_bits, 1);
		vldaa_wipe(&s, sizeof s);
	}
	vldaa_wipe(bytes, sizeof bytes);
}

/* SampleInBall (Algorithm 29).  The challenge is public. */
void vldaa_mldsa_sample_in_ball(const vldaa_mldsa_set *set, vldaa_mldsa_poly *c,
				const uint8_t *ctilde)
{
	uint8_t signs[8];
	uint8_t j;
	vldaa_shake s;

	vldaa_shake_init(&s, VLDAA_SHAKE256_RATE);
	vldaa_shake_absorb(&s, ctilde, set->ctilde_bytes);
	vldaa_shake_squeeze(&s, signs, sizeof signs);
	memset(c, 0, sizeof *c);
	for (uint32_t i = VLDAA_MLDSA_N - set->tau; i < VLDAA_MLDSA_N; i++) {
		const uint32_t bit = i + set->tau - VLDAA_MLDSA_N;

		do
			vldaa_shake_squeeze(&s, &j, 1);
		while (j > i);
		c->c[i] = c->c[j];
		c->c[j] = 1 - 2 * ((signs[bit / 8] >> (bit % 8)) & 1);
	}
}
