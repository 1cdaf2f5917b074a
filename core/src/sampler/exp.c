/*
 * exp(-x) in fixed point, for the acceptance probabilities of masks and of rejection sampling.
 *
 * exp(-x) = 2^-k exp(-r / 8)^8 with x = k ln 2 + r.  exp(-r / 8) is the Taylor series to degree 10,
 * by Horner's rule: p_10 = 1/10!, p_i = 1/i! - r/8 p_{i+1}.  Every p_i lies in (0, 1].  (Without
 * the 8, degree 17 would be needed: this way there are 13 multiplications instead of 17.)
 *
 * Error, in units of 2^-63.  k may be one too small next to a multiple of ln 2, which makes r
 * exceed ln 2 by at most 2^-51 and changes nothing else.  r is too large by less than k units (ln 2
 * is rounded down), which 2^-k makes less than 0.6 in the end.  r / 8 is rounded down by less than
 * 0.5.  A step of Horner's rule adds at most 1.5 (coefficient 0.5, product 1), which each later
 * step multiplies with r / 8 < 0.087: below 1.7 in all; the series leaves out less than 0.6.
 * Together less than 2.8.  Each squaring doubles that and adds 1: less than 30; the last shift adds
 * less than 1.  Together below 32 units: 2^-58.
 */
#include "sampler/gauss.h"

#include "sampler/gen_base.h"

static uint64_t mul_high(uint64_t a, uint64_t b)
{
	return (uint64_t)((vldaa_u128)a * b >> 64);
}

/* From here on exp(-x) < 2^-64 is 0; up to here k <= 64. */
static const uint64_t exp_limit = UINT64_C(45) << 52;

uint64_t vldaa_exp_neg(uint64_t x)
{
	const uint64_t below = (uint64_t)0 - (uint64_t)(x < exp_limit);

	x &= below;
	/* floor(x / ln 2), or one less: x in units of 2^-52 times 2^63 / ln 2. */
	const uint64_t k = mul_high(x, vldaa_exp_log2e) >> 51;
	/* In units of 2^-63: exact modulo 2^64 although x << 11 alone may not fit. */
	const uint64_t r = (x << 11) - k * vldaa_exp_ln2;
	const uint64_t eighth = r >> 2; /* in units of 2^-64 */
	uint64_t p = vldaa_exp_coefficient[VLDAA_EXP_DEGREE];

	for (int i = VLDAA_EXP_DEGREE - 1; i >= 0; i--)
		p = vldaa_exp_coefficient[i] - mul_high(eighth, p);
	for (int i = 0; i < 3; i++)
		p = (uint64_t)((vldaa_u128)p * p >> 63);
	/* Two shifts, since k may be 64. */
	return (p >> (k / 2) >> (k - k / 2)) & below;
}
