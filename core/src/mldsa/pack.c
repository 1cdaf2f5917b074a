/* Encodings of FIPS 204 section 7.1 and 7.2 (Algorithms 16 to 28). */
#include "mldsa/poly.h"

#include <string.h>

#include "vldaa/error.h"

void vldaa_mldsa_pack(uint8_t *out, const vldaa_mldsa_poly *a, uint32_t bits, int32_t base,
		      int negate)
{
	uint64_t acc = 0;
	uint32_t have = 0;

	for (size_t i = 0; i < VLDAA_MLDSA_N; i++) {
		const int32_t x = negate ? base - a->c[i] : a->c[i] - base;

		acc |= (uint64_t)(uint32_t)x << have;
		have += bits;
		while (have >= 8) {
			*out++ = (uint8_t)acc;
			acc >>= 8;
			have -= 8;
		}
	}
}

void vldaa_mldsa_unpack(vldaa_mldsa_poly *a, const uint8_t *in, uint32_t bits, int32_t base,
			int negate)
{
	const uint64_t mask = (UINT64_C(1) << bits) - 1;
	uint64_t acc = 0;
	uint32_t have = 0;

	for (size_t i = 0; i < VLDAA_MLDSA_N; i++) {
		while (have < bits) {
			acc |= (uint64_t)*in++ << have;
			have += 8;
		}
		const int32_t x = (int32_t)(acc & mask);

		a->c[i] = negate ? base - x : base + x;
		acc >>= bits;
		have -= bits;
	}
}

void vldaa_mldsa_pack_hint(const vldaa_mldsa_set *set, uint8_t *out, const vldaa_mldsa_poly *h)
{
	uint32_t n = 0;

	memset(out, 0, set->omega + set->k);
	for (uint32_t i = 0; i < set->k; i++) {
		for (uint32_t j = 0; j < VLDAA_MLDSA_N; j++) {
			if (h[i].c[j])
				out[n++] = (uint8_t)j;
		}
		out[set->omega + i] = (uint8_t)n;
	}
}

int vldaa_mldsa_unpack_hint(const vldaa_mldsa_set *set, vldaa_mldsa_poly *h, const uint8_t *in)
{
	uint32_t n = 0;

	memset(h, 0, set->k * sizeof *h);
	for (uint32_t i = 0; i < set->k; i++) {
		const uint32_t end = in[set->omega + i];

		if (end < n || end > set->omega)
			return VLDAA_ERR_ENCODING;
		for (uint32_t first = n; n < end; n++) {
			if (n > first && in[n - 1] >= in[n])
				return VLDAA_ERR_ENCODING;
			h[i].c[in[n]] = 1;
		}
	}
	for (; n < set->omega; n++) {
		if (in[n] != 0)
			return VLDAA_ERR_ENCODING;
	}
	return VLDAA_OK;
}
