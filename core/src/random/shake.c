/* SHAKE-128 and SHAKE-256: the sponge (FIPS 202, section 4) around Keccak-f[1600]. */
#include "random/shake.h"

#include <string.h>

#include "random/bytes.h"
#include "random/keccak.h"

/* The bits 1111 that SHAKE appends to the message, then the first bit of pad10*1 (FIPS 202,
 * section 6.2). */
static const uint64_t domain_and_padding = 0x1f;

static void xor_byte(vldaa_shake *s, uint32_t at, uint8_t byte)
{
	s->lane[at / 8] ^= (uint64_t)byte << (8 * (at % 8));
}

void vldaa_shake_init(vldaa_shake *s, uint32_t rate)
{
	memset(s, 0, sizeof *s);
	s->rate = rate;
}

void vldaa_shake_absorb(vldaa_shake *s, const void *in, size_t len)
{
	const uint8_t *p = in;

	while (len > 0) {
		if (s->pos % 8 == 0 && len >= 8) {
			s->lane[s->pos / 8] ^= vldaa_load64(p);
			s->pos += 8;
			p += 8;
			len -= 8;
		} else {
			xor_byte(s, s->pos, *p);
			s->pos++;
			p++;
			len--;
		}
		if (s->pos == s->rate) {
			vldaa_keccak_f1600(s->lane);
			s->pos = 0;
		}
	}
}

static void finish_absorbing(vldaa_shake *s)
{
	s->lane[s->pos / 8] ^= domain_and_padding << (8 * (s->pos % 8));
	xor_byte(s, s->rate - 1, 0x80);
	s->pos = s->rate;
	s->squeezing = 1;
}

void vldaa_shake_squeeze(vldaa_shake *s, void *out, size_t len)
{
	uint8_t *p = out;

	if (!s->squeezing)
		finish_absorbing(s);
	while (len > 0) {
		if (s->pos == s->rate) {
			vldaa_keccak_f1600(s->lane);
			s->pos = 0;
		}
		if (s->pos % 8 == 0 && len >= 8) {
			vldaa_store64(p, s->lane[s->pos / 8]);
			s->pos += 8;
			p += 8;
			len -= 8;
		} else {
			*p = (uint8_t)(s->lane[s->pos / 8] >> (8 * (s->pos % 8)));
			s->pos++;
			p++;
			len--;
		}
	}
}
