/*
 * SampleInBall (FIPS 204, algorithm 29, with more sign bits and wider indices): the hash is
 * "challenge" over the one part seed; its first ceil(kappa / 8) bytes are signs, bit i (from the
 * least significant of the first byte) for the i-th placed coefficient, 1 meaning -1; then pairs of
 * bytes, little-endian, masked to log2 d bits, are indices, skipped when above the current
 * position.
 */
#include "random/hash.h"
#include "sampler/uniform.h"

static uint32_t draw_index(vldaa_shake *s, uint32_t d, uint32_t position)
{
	uint8_t pair[2];
	uint32_t index;

	do {
		vldaa_shake_squeeze(s, pair, sizeof pair);
		index = (pair[0] | (uint32_t)pair[1] << 8) & (d - 1);
	} while (index > position);
	return index;
}

void vldaa_challenge_vartime(const vldaa_ring *r, int64_t *c, uint32_t kappa, uint32_t rate,
			     uint32_t set_id, const uint8_t *seed, size_t seed_len)
{
	vldaa_shake s;
	uint8_t signs[VLDAA_MAX_DEGREE / 8];

	vldaa_hash_init(&s, rate, VLDAA_DOMAIN_CHALLENGE, set_id);
	vldaa_hash_part(&s, seed, seed_len);
	vldaa_shake_squeeze(&s, signs, (kappa + 7) / 8);
	for (uint32_t i = 0; i < r->d; i++)
		c[i] = 0;
	for (uint32_t i = 0; i < kappa; i++) {
		const uint32_t position = r->d - kappa + i;
		const uint32_t index = draw_index(&s, r->d, position);

		c[position] = c[index];
		c[index] = 1 - 2 * (int64_t)(signs[i / 8] >> (i % 8) & 1);
	}
}
