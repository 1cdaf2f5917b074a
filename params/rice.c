#include "rice.h"

#include <math.h>

/*
 * For X = |a| >> k, a <- D_s with s large: P(X >= j) = P(|a| > j 2^k - 1/2) = erfc((j 2^k - 1/2) /
 * (s sqrt 2)), E[X] = sum_j P(X >= j) and E[X^2] = sum_j (2 j - 1) P(X >= j).
 */
static void unary_moments(double *mean, double *variance, uint32_t k, double deviation)
{
	double square = 0.0;
	double step = ldexp(1.0, (int)k);
	*mean = 0.0;
	for (double j = 1.0;; j += 1.0) {
		double above = erfc((j * step - 0.5) / (deviation * sqrt(2.0)));
		if (above < 1e-30)
			break;
		*mean += above;
		square += (2.0 * j - 1.0) * above;
	}
	*variance = square - *mean * *mean;
}

void vldaa_rice_choose(uint32_t *rice, uint32_t *bytes, uint32_t n, double deviation)
{
	/* The best k lies within a few bits of log2 of the deviation. */
	int exponent;
	(void)frexp(deviation, &exponent);
	uint32_t last = (uint32_t)exponent + 2;
	double best = INFINITY;
	double best_variance = 0.0;
	for (uint32_t k = last > 8 ? last - 8 : 0; k <= last; k++) {
		double mean;
		double variance;
		unary_moments(&mean, &variance, k, deviation);
		double bits = (double)k + mean + 2.0;
		if (bits < best) {
			best = bits;
			best_variance = variance;
			*rice = k;
		}
	}
	/*
	 * Twelve deviations of the total above its expectation: a signer that retries above the
	 * limit never does so in practice (a normal tail of 2^-108).
	 */
	double total = n * best + 12.0 * sqrt(n * best_variance);
	*bytes = (uint32_t)ceil(total / 8.0);
}

void vldaa_rice_bits(double *mean, double *variance, uint32_t rice, double deviation)
{
	unary_moments(mean, variance, rice, deviation);
	/* no sign when a is zero; that it is rarely so adds nothing to speak of to the variance */
	*mean += (double)rice + 1.0 + erfc(0.5 / (deviation * sqrt(2.0)));
}
