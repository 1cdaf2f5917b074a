/*
 * Row a of A s / q1 is M alpha, alpha uniform in [-1/2, 1/2]^(256 l) and M the matrix of s.  A
 * uniform variable is sub-Gaussian with its own variance 1/12, so for 0 < lambda < 6 / max mu
 *
 *     E exp(lambda ||M alpha||^2) <= product over mu of (1 - lambda mu / 6)^(-1/2),
 *
 * mu the eigenvalues of M M^t: sum over j of |s_j(zeta)|^2 at the 256 roots zeta of X^256 + 1,
 * which come in conjugate pairs.  Rounding to k and E add at most sqrt(256 r) (1/2 + 2/q1).
 */
#include "oneshot/carry.h"

#include "oneshot/challenges.h"

#include <math.h>

enum { N = 256, PAIRS = N / 2, KEYS = 8, STEPS = 400 };

static const double pi = 3.14159265358979323846;

/* One eigenvalue a pair, for a random key scaled to the largest norm. */
static void eigenvalues(double mu[PAIRS], const vldaa_oneshot_choice *choice, uint64_t *state)
{
	double norm2 = 0.0;
	for (uint32_t i = 0; i < PAIRS; i++)
		mu[i] = 0.0;
	for (uint32_t j = 0; j < choice->l; j++) {
		double s[N];
		for (uint32_t i = 0; i < N; i++) {
			s[i] = (double)(vldaa_oneshot_random(state) >> 33) / 2147483648.0;
			s[i] = floor(5.0 * s[i]) - 2.0;
			norm2 += s[i] * s[i];
		}
		for (uint32_t k = 0; k < PAIRS; k++) {
			double real = 0.0;
			double imaginary = 0.0;
			for (uint32_t i = 0; i < N; i++) {
				double angle = pi * ((2 * k + 1) * i % (2 * N)) / N;
				real += s[i] * cos(angle);
				imaginary += s[i] * sin(angle);
			}
			mu[k] += real * real + imaginary * imaginary;
		}
	}
	for (uint32_t k = 0; k < PAIRS; k++)
		mu[k] *= (double)choice->s2 / norm2;
}

static double tail(const double mu[PAIRS], const vldaa_oneshot_choice *choice)
{
	double largest = 0.0;
	for (uint32_t k = 0; k < PAIRS; k++)
		largest = fmax(largest, mu[k]);
	double rounding = sqrt((double)(N * choice->rows)) * (0.5 + 2.0 / VLDAA_ONESHOT_Q1);
	double reach = (double)choice->k_carry - rounding;
	double best = 0.0;
	for (int step = 1; step < STEPS; step++) {
		double lambda = 6.0 / largest * step / STEPS;
		double exponent = -lambda * reach * reach;
		/* each mu twice (conjugates), and once more for every row */
		for (uint32_t k = 0; k < PAIRS; k++)
			exponent -= choice->rows * log1p(-lambda * mu[k] / 6.0);
		best = fmin(best, exponent);
	}
	return best / log(2.0);
}

double vldaa_oneshot_carry_tail(const vldaa_oneshot_choice *choice)
{
	uint64_t state = choice->id;
	double worst = -INFINITY;
	for (int key = 0; key < KEYS; key++) {
		double mu[PAIRS];
		eigenvalues(mu, choice, &state);
		worst = fmax(worst, tail(mu, choice));
	}
	return worst;
}
