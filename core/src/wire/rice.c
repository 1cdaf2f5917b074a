/*
 * Golomb-Rice codes of Gaussian responses.  A code word is the low k bits of |a|, |a| >> k in unary
 * and, unless a = 0, the sign: each value has one code word and each code word one value, so only
 * the padding at the end could be spelled in two ways.
 */
#include "wire/pack.h"

#include <string.h>

#include "vldaa/error.h"
#include "wire/bitbuf.h"

/* Trailing 1 bits of v, of which the top one must be 0. */
static inline uint32_t trailing_ones(uint64_t v)
{
#if defined(__GNUC__)
	return (uint32_t)__builtin_ctzll(~v);
#else
	uint32_t n = 0;

	for (; v & 1; v >>= 1)
		n++;
	return n;
#endif
}

void vldaa_rice_encode_vartime(vldaa_writer *w, const int64_t *a, size_t n, uint32_t k)
{
	const uint64_t low_mask = ((uint64_t)1 << k) - 1;
	vldaa_bit_sink s;

	vldaa_bit_begin(&s, w);
	for (size_t i = 0; i < n; i++) {
		uint64_t negative = (uint64_t)a[i] >> 63;
		uint64_t magnitude = ((uint64_t)a[i] ^ (0 - negative)) + negative;
		uint64_t high = magnitude >> k;
		uint64_t low = magnitude & low_mask;
		uint32_t sign_bits = magnitude != 0;

		if (high <= 62 - k) {
			/* The whole word in one piece: k + high + 2 <= 64 bits. */
			uint32_t stop = k + (uint32_t)high;
			uint64_t ones = ((uint64_t)1 << high) - 1;

			vldaa_bit_put(&s, low | ones << k | negative << 1 << stop,
				      stop + 1 + sign_bits);
			continue;
		}
		vldaa_bit_put(&s, low, k);
		for (; high >= 32; high -= 32)
			vldaa_bit_put(&s, UINT32_MAX, 32);
		vldaa_bit_put(&s, ((uint64_t)1 << high) - 1, (uint32_t)high + 1);
		vldaa_bit_put(&s, negative, sign_bits);
	}
	vldaa_bit_end(&s);
}

/*
 * A code word that does not fit one look at the input.  Returns |a| >> k and the place after its
 * unary part, or limit + 1 as soon as it is larger than limit.
 */
static uint64_t long_unary(const vldaa_reader *rd, uint64_t *bit, uint64_t limit)
{
	uint64_t high = 0;
	uint32_t ones;

	do {
		/* 56 bits at a time are certainly there; the 57th stops the count. */
		uint64_t v = vldaa_bit_peek(rd->in, rd->len, *bit) & (((uint64_t)1 << 56) - 1);

		ones = trailing_ones(v);
		high += ones;
		*bit += ones;
	} while (ones == 56 && high <= limit);
	*bit += 1;
	return high <= limit ? high : limit + 1;
}

void vldaa_rice_decode_vartime(vldaa_reader *rd, int64_t *a, size_t n, uint32_t k, uint64_t max)
{
	const uint64_t low_mask = ((uint64_t)1 << k) - 1;
	const uint64_t limit = max >> k;
	const uint64_t end = 8 * (uint64_t)rd->len;
	uint64_t bit = 8 * (uint64_t)rd->pos;
	size_t done = 0;

	if (rd->error != VLDAA_OK) {
		memset(a, 0, n * sizeof(*a));
		return;
	}
	/*
	 * Past the end the input reads as zeroes.  They end a word of at most the value that the
	 * full input has, so a cut-off encoding shows as truncated, never as out of range.
	 */
	for (; done < n; done++) {
		uint64_t word = vldaa_bit_peek(rd->in, rd->len, bit);
		uint64_t low = word & low_mask;
		uint64_t rest = word >> k & (UINT64_MAX >> 1);
		uint64_t high = trailing_ones(rest);
		uint64_t magnitude, negative;

		/* The unary part, its stop bit and the sign must lie in the 57 bits that are there.
		 */
		if (k + high + 2 <= 57) {
			rest >>= high;
			rest >>= 1;
			bit += k + high + 1;
		} else {
			bit += k;
			high = long_unary(rd, &bit, limit);
			rest = vldaa_bit_peek(rd->in, rd->len, bit);
		}
		if (high > limit) {
			vldaa_get_fail(rd, VLDAA_ERR_RANGE);
			break;
		}
		magnitude = high << k | low;
		if (magnitude > max) {
			vldaa_get_fail(rd, VLDAA_ERR_RANGE);
			break;
		}
		negative = rest & (magnitude != 0);
		bit += magnitude != 0;
		if (bit > end) {
			vldaa_get_fail(rd, VLDAA_ERR_TRUNCATED);
			break;
		}
		a[done] = (int64_t)((magnitude ^ (0 - negative)) + negative);
	}
	if (rd->error == VLDAA_OK && bit % 8 != 0 && rd->in[bit / 8] >> (bit % 8) != 0)
		vldaa_get_fail(rd, VLDAA_ERR_ENCODING);
	if (rd->error != VLDAA_OK) {
		memset(a, 0, n * sizeof(*a));
		return;
	}
	rd->pos = (size_t)((bit + 7) / 8);
}
