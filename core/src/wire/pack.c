/*
 * Fixed-width encodings.  Private keys pass through here too, so no branch and no address depends
 * on a coefficient, only on whether the whole is well formed.
 */
#include "wire/pack.h"

#include <string.h>

#include "random/secret.h"
#include "vldaa/error.h"
#include "wire/bitbuf.h"

/* All ones when a < b, else 0; a, b < 2^63. */
static uint64_t mask_less(uint64_t a, uint64_t b)
{
	return 0 - ((a - b) >> 63);
}

/* n fields of `bits` bits. */
static size_t packed_size(size_t n, uint32_t bits)
{
	return (n * bits + 7) / 8;
}

/* Whether the bits after n fields, up to the end of the last byte, are zeroes. */
static int padding_is_zero(const uint8_t *in, size_t n, uint32_t bits)
{
	size_t used = n * bits % 8;
	uint32_t padding;

	if (used == 0)
		return 1;
	padding = (uint32_t)in[packed_size(n, bits) - 1] >> used;
	vldaa_secret_declassify(&padding, sizeof padding, "no part of a value");
	return padding == 0;
}

/* A mask that is zero when any coefficient was refused, as a condition. */
static int well_formed(uint64_t good)
{
	vldaa_secret_declassify(&good, sizeof good,
				"every stored key is well formed: that it is tells nothing");
	return good != 0;
}

size_t vldaa_pack_uniform_size(const vldaa_ring *r)
{
	return packed_size(r->d, r->q_bits);
}

void vldaa_pack_uniform(const vldaa_ring *r, vldaa_writer *w, const int64_t *a)
{
	uint64_t q = (uint64_t)r->q;
	vldaa_bit_sink s;

	vldaa_bit_begin(&s, w);
	for (uint32_t i = 0; i < r->d; i++) {
		uint64_t x = (uint64_t)a[i];

		x += q & (0 - (x >> 63));
		vldaa_bit_put(&s, x, r->q_bits);
	}
	vldaa_bit_end(&s);
}

void vldaa_unpack_uniform(const vldaa_ring *r, vldaa_reader *rd, int64_t *a)
{
	size_t len = vldaa_pack_uniform_size(r);
	const uint8_t *in = vldaa_get_view(rd, len);
	uint64_t q = (uint64_t)r->q;
	uint64_t mask = ((uint64_t)1 << r->q_bits) - 1;
	uint64_t good = UINT64_MAX;
	uint64_t bit = 0;

	if (in == NULL) {
		memset(a, 0, r->d * sizeof(*a));
		return;
	}
	for (uint32_t i = 0; i < r->d; i++) {
		uint64_t x = vldaa_bit_peek(in, len, bit) & mask;

		good &= mask_less(x, q);
		a[i] = (int64_t)x - (int64_t)(q & mask_less(q / 2, x));
		bit += r->q_bits;
	}
	if (!well_formed(good))
		vldaa_get_fail(rd, VLDAA_ERR_RANGE);
	if (!padding_is_zero(in, r->d, r->q_bits))
		vldaa_get_fail(rd, VLDAA_ERR_ENCODING);
	if (rd->error != VLDAA_OK)
		memset(a, 0, r->d * sizeof(*a));
}

enum { TRITS = 5, TRIT_LIMIT = 243 }; /* 3^5 values a byte */

size_t vldaa_pack_ternary_size(size_t n)
{
	return n / TRITS + (n % TRITS != 0);
}

void vldaa_pack_ternary(vldaa_writer *w, const int64_t *a, size_t n)
{
	for (size_t i = 0; i < n; i += TRITS) {
		size_t digits = n - i < TRITS ? n - i : TRITS;
		uint32_t byte = 0;

		for (size_t j = digits; j > 0; j--)
			byte = 3 * byte + (uint32_t)(a[i + j - 1] + 1);
		vldaa_put_u8(w, (uint8_t)byte);
	}
}

void vldaa_unpack_ternary(vldaa_reader *rd, int64_t *a, size_t n)
{
	const uint8_t *in = vldaa_get_view(rd, vldaa_pack_ternary_size(n));
	uint64_t good = UINT64_MAX;

	if (in == NULL) {
		memset(a, 0, n * sizeof(*a));
		return;
	}
	for (size_t i = 0; i < n; i += TRITS) {
		size_t digits = n - i < TRITS ? n - i : TRITS;
		uint32_t byte = in[i / TRITS];

		good &= mask_less(byte, TRIT_LIMIT);
		for (size_t j = 0; j < digits; j++) {
			/* byte / 3 for byte < 512, without a division instruction, whose time
			 * may depend on the secret. */
			uint32_t third = byte * 171 >> 9;

			a[i + j] = (int64_t)(byte - 3 * third) - 1;
			byte = third;
		}
		/* What is left are digits that the last byte does not have. (A full byte below
		 * TRIT_LIMIT leaves none.) */
		good &= mask_less(byte, 1);
	}
	if (!well_formed(good)) {
		vldaa_get_fail(rd, VLDAA_ERR_ENCODING);
		memset(a, 0, n * sizeof(*a));
	}
}

/* ceil(log2(2 max + 1)): the bits of 2 max. */
static uint32_t small_bits(uint32_t max)
{
	uint32_t bits = 0;

	for (uint32_t v = 2 * max; v > 0; v >>= 1)
		bits++;
	return bits;
}

size_t vldaa_pack_small_size(size_t n, uint32_t max)
{
	return packed_size(n, small_bits(max));
}

void vldaa_pack_small(vldaa_writer *w, const int64_t *a, size_t n, uint32_t max)
{
	uint32_t bits = small_bits(max);
	vldaa_bit_sink s;

	vldaa_bit_begin(&s, w);
	for (size_t i = 0; i < n; i++)
		vldaa_bit_put(&s, (uint64_t)(a[i] + (int64_t)max), bits);
	vldaa_bit_end(&s);
}

void vldaa_unpack_small(vldaa_reader *rd, int64_t *a, size_t n, uint32_t max)
{
	uint32_t bits = small_bits(max);
	size_t len = vldaa_pack_small_size(n, max);
	const uint8_t *in = vldaa_get_view(rd, len);
	uint64_t mask = ((uint64_t)1 << bits) - 1;
	uint64_t good = UINT64_MAX;
	uint64_t bit = 0;

	if (in == NULL) {
		memset(a, 0, n * sizeof(*a));
		return;
	}
	for (size_t i = 0; i < n; i++) {
		uint64_t x = vldaa_bit_peek(in, len, bit) & mask;

		good &= mask_less(x, 2 * (uint64_t)max + 1);
		a[i] = (int64_t)x - (int64_t)max;
		bit += bits;
	}
	if (!well_formed(good))
		vldaa_get_fail(rd, VLDAA_ERR_RANGE);
	if (!padding_is_zero(in, n, bits))
		vldaa_get_fail(rd, VLDAA_ERR_ENCODING);
	if (rd->error != VLDAA_OK)
		memset(a, 0, n * sizeof(*a));
}
