/*
 * Masks (gauss.h): discrete Gaussians of deviation 4 K by widening the base half-Gaussian, as BLISS
 * does (Ducas, Durmus, Lepoint, Lyubashevsky, CRYPTO 2013, algorithm 11), here for any K up to
 * 2^47.
 *
 * The stream.  Candidates follow each other until n are kept; every candidate takes the same number
 * of bytes, whatever becomes of it (little-endian fields):
 *   8 bytes: the low 63 bits give x, from the base table; the top bit is the sign (1: negative);
 *   b bytes: w, for y = floor(w K / 2^(8b)), where b is the least number with 2^(8b) >= 256 K';
 *            K' is K rounded up to a power of two;
 *   7 bytes: kept if below 2^56 times the probability.
 * Candidates are read in batches, and never more of them than samples are still missing: so nothing
 * is read and thrown away, and the batch's size does not show in the stream.
 *
 * Timing.  The work on a candidate depends on nothing but K.  Which candidates are kept does show,
 * in how many are read.  That says nothing about the kept values: candidates are independent, and
 * the value of a kept one has the distribution of gauss.h whatever was rejected before it.
 *
 * Error.  y is exactly uniform: w is rejected when the low part of w K is below 2^(8b) mod K, which
 * leaves every y equally many w (Lemire, ACM TOMACS 29(1), 2019).  The exponent is computed within
 * 2^-51, its exponential within 2^-58 and rounded down to a multiple of 2^-56, so a value's weight
 * is off by a factor within 1 +- 2^-50.
 */
#include "sampler/gauss.h"

#include "random/bytes.h"
#include "random/secret.h"
#include "sampler/base.h"

enum {
	BATCH = 16,
	X_BYTES = 8,
	MAX_Y_BYTES = 7,
	ACCEPT_BYTES = 7,
	/* Fields are loaded eight bytes at a time, also the last. */
	SLACK = 8 - ACCEPT_BYTES
};

/* What depends on K only. */
typedef struct {
	uint64_t width;     /* K */
	uint32_t y_bytes;   /* b */
	uint64_t y_mask;    /* 2^(8b) - 1 */
	uint64_t threshold; /* 2^(8b) mod K */
	uint32_t shift;     /* 2^63 <= K << shift < 2^64 */
	uint64_t inverse;   /* min(2^64 - 1, floor(2^127 / (K << shift))) */
} plan;

static uint64_t mul_high(uint64_t a, uint64_t b)
{
	return (uint64_t)((vldaa_u128)a * b >> 64);
}

static plan make_plan(uint64_t width)
{
	plan p = {.width = width};
	uint32_t bits = 0; /* K' = 2^bits */

	while ((UINT64_C(1) << bits) < width)
		bits++;
	p.y_bytes = (bits + 15) / 8;
	p.y_mask = (UINT64_C(1) << (8 * p.y_bytes)) - 1;
	p.threshold = (p.y_mask + 1) % width;
	while ((width << p.shift) >> 63 == 0)
		p.shift++;
	const vldaa_u128 inverse = ((vldaa_u128)1 << 127) / (width << p.shift);
	p.inverse = inverse >> 64 != 0 ? UINT64_MAX : (uint64_t)inverse;
	return p;
}

/*
 * (2 K x y + y^2) / (32 K^2) = f (2 x + f) / 32 with f = y / K < 1, in units of 2^-52, for x <= 36.
 * f is taken in units of 2^-63 and is too small by less than 2 of them; 2 x + f in units of 2^-57
 * is below 2^64. The derivative by f is below 2.4, so the result, rounded down, is too small by
 * less than 2^-51.
 */
static uint64_t exponent(const plan *p, uint64_t x, uint64_t y)
{
	const uint64_t f = mul_high(y << p->shift, p->inverse);
	const uint64_t sum = (x << 58) + (f >> 6);

	return (uint64_t)((vldaa_u128)f * sum >> (63 + 57 + 5 - 52));
}

/* One candidate from its bytes; *keep is 1 or 0. */
static int64_t candidate(const plan *p, const uint8_t *bytes, uint8_t *keep)
{
	const uint64_t first = vldaa_load64(bytes);
	const uint64_t w = vldaa_load64(bytes + X_BYTES) & p->y_mask;
	const uint64_t decision = vldaa_load64(bytes + X_BYTES + p->y_bytes) << 8 >> 8;
	const uint64_t x = vldaa_base_from_word(first);
	const uint64_t sign = first >> 63;
	const vldaa_u128 product = (vldaa_u128)w * p->width;
	const uint64_t y = (uint64_t)(product >> (8 * p->y_bytes));
	const uint64_t low = (uint64_t)product & p->y_mask;
	const uint64_t z = p->width * x + y;
	const uint64_t probability = vldaa_exp_neg(exponent(p, x, y)) >> (63 - 8 * ACCEPT_BYTES);
	/* All below 2^63, so that a difference's bit 63 says "less". */
	const uint64_t exact = ~(low - p->threshold) >> 63;
	const uint64_t accepted = (decision - probability) >> 63;
	const uint64_t minus_zero = sign & (z - 1) >> 63;

	*keep = (uint8_t)(exact & accepted & ~minus_zero);
	return (int64_t)((z ^ (0 - sign)) + sign);
}

void vldaa_mask_sample(int64_t *out, size_t n, uint64_t width, vldaa_rng *rng)
{
	const plan p = make_plan(width);
	const size_t size = (size_t)X_BYTES + p.y_bytes + ACCEPT_BYTES;
	uint8_t bytes[BATCH * (X_BYTES + MAX_Y_BYTES + ACCEPT_BYTES) + SLACK] = {0};
	int64_t value[BATCH];
	uint8_t keep[BATCH];

	while (n > 0) {
		const size_t m = n < BATCH ? n : BATCH;

		vldaa_rng_bytes(rng, bytes, m * size);
		for (size_t i = 0; i < m; i++)
			value[i] = candidate(&p, bytes + i * size, &keep[i]);
		vldaa_secret_declassify(keep, m,
					"a kept value is independent of what was rejected");
		size_t kept = 0;
		for (size_t i = 0; i < m; i++) {
			out[kept] = value[i];
			kept += keep[i];
		}
		out += kept;
		n -= kept;
	}
	vldaa_wipe(bytes, sizeof bytes);
	vldaa_wipe(value, sizeof value);
}
