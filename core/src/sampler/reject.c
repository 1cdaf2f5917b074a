/* The decision of Fiat-Shamir with aborts (reject.h), in integers. */
#include "sampler/reject.h"

#include "random/secret.h"
#include "sampler/gauss.h"

enum {
	/* Terms saturate at +-2^59 units of 2^-52, that is +-128. */
	TERM_BITS = 59
};

/* ln M = 1 + 1/288 (scheme documentation, "Rejection") in units of 2^-52, rounded down. */
static const int64_t published_log_m = (INT64_C(289) << 52) / 288;

/*
 * floor(2^52 n / (32 K^2)) by long division, which is exact, and cheap beside the polynomials that
 * n is computed from: |n| / (2^12 K^2), when it is below 1, has its 59 bits after the binary point
 * brought down one by one.
 */
int64_t vldaa_reject_term(vldaa_i128 n, uint64_t width)
{
	const vldaa_u128 negative = (vldaa_u128)0 - ((vldaa_u128)n >> 127);
	const vldaa_u128 magnitude = ((vldaa_u128)n ^ negative) - negative;
	const vldaa_u128 divisor = (vldaa_u128)width * width << 12;
	const uint64_t minus = (uint64_t)negative;
	/* All sides are below 2^127, so that a difference's top bit says "less". */
	const uint64_t saturated = (uint64_t)((magnitude - divisor) >> 127) - 1;
	vldaa_u128 rest = magnitude;
	uint64_t quotient = 0;

	for (int i = 0; i < TERM_BITS; i++) {
		rest <<= 1;
		const vldaa_u128 less = (rest - divisor) >> 127;
		rest -= divisor & (less - 1);
		quotient = quotient << 1 | (uint64_t)(less ^ 1);
	}
	/* Towards minus infinity: a negative n with something left over goes one further. */
	const uint64_t left_over = (uint64_t)(((vldaa_u128)0 - rest) >> 127);
	quotient += left_over & minus;
	quotient ^= (quotient ^ UINT64_C(1) << TERM_BITS) & saturated;
	return (int64_t)((quotient ^ minus) - minus);
}

/*
 * Kept when 63 random bits are below min(1, exp(t - ln M)).  The exponent is within 2^-52 for each
 * block (terms are rounded down) and 2^-52 for ln M, the exponential within 2^-58: for the seven
 * blocks of the host in Create, the probability is off by a factor within 1 +- 2^-48 down to
 * exponents of -6, and an honest exponent is within 1.004 +- 1 but for twelve deviations.
 */
int vldaa_reject_keep_m(int64_t t, int64_t log_m, vldaa_rng *rng)
{
	const uint64_t r = vldaa_rng_u64(rng) >> 1;
	const uint64_t x = (uint64_t)log_m - (uint64_t)t;
	/* A negative exponent, exp(t) > M, becomes 0: always kept. */
	const uint64_t positive = (x >> 63) - 1;
	const uint64_t probability = vldaa_exp_neg(x & positive);

	const int keep = (int)((r - probability) >> 63);
	vldaa_secret_declassify(
	    &keep, sizeof keep,
	    "a response is kept with probability 1/M whatever the secret, and a rejected one is never seen");
	return keep;
}

int vldaa_reject_keep(int64_t t, vldaa_rng *rng)
{
	return vldaa_reject_keep_m(t, published_log_m, rng);
}
