/* See shake_x4.h; the sponge is shake.c's, for inputs of one block. */
#include "random/shake_x4.h"

#include <string.h>

#include "debug.h"
#include "random/bytes.h"
#include "random/keccak.h"

static void xor_byte(vldaa_shake_x4 *s, size_t stream, size_t at, uint8_t byte)
{
	s->lane[at / 8][stream] ^= (uint64_t)byte << (8 * (at % 8));
}

void vldaa_shake_x4_init(vldaa_shake_x4 *s, uint32_t rate, const uint8_t *const in[4], size_t len)
{
	vldaa_debug_assert(len < rate, "shake_x4: one block");
	memset(s, 0, sizeof *s);
	s->rate = rate;
	for (size_t k = 0; k < 4; k++) {
		for (size_t i = 0; i < len; i++)
			xor_byte(s, k, i, in[k][i]);
		/* 1111, then pad10*1 (FIPS 202, section 6.2) */
		xor_byte(s, k, len, 0x1f);
		xor_byte(s, k, rate - 1, 0x80);
	}
}

void vldaa_shake_x4_block(vldaa_shake_x4 *s, uint8_t *const out[4])
{
	vldaa_keccak_f1600_x4(s->lane);
	for (size_t k = 0; k < 4; k++) {
		for (size_t i = 0; i < s->rate / 8; i++)
			vldaa_store64(out[k] + 8 * i, s->lane[i][k]);
	}
}
