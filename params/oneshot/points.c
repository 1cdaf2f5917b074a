#include "oneshot/points.h"

#include "oneshot/sets.h"

#include <math.h>
#include <stdlib.h>

enum { SLOTS = 256 }; /* X^256 + 1 splits completely modulo q1 */

/* log2 of e^(t r^2) theta(t)^n, theta(t) = sum over integers of e^(-t x^2). */
static double chernoff(uint32_t n, double square, double t)
{
	double theta = 1.0;
	for (double x = 1.0;; x += 1.0) {
		double term = 2.0 * exp(-t * x * x);
		if (term < 1e-18)
			break;
		theta += term;
	}
	return (t * square + n * log(theta)) / log(2.0);
}

double vldaa_points_at_most(uint32_t n, double radius)
{
	double square = radius * radius;
	/* Convex in t, least near n / (2 r^2): search on a logarithmic scale. */
	double low = log(1e-6);
	double high = log(50.0);
	for (int i = 0; i < 80; i++) {
		double a = low + (high - low) / 3.0;
		double b = high - (high - low) / 3.0;
		if (chernoff(n, square, exp(a)) < chernoff(n, square, exp(b)))
			high = b;
		else
			low = a;
	}
	return fmax(chernoff(n, square, exp(low)), 0.0);
}

/* --- exact counts: theta^n as a power series, all terms positive --------------------------------
 */

static void multiply(long double *out, const long double *a, const long double *b, uint32_t last)
{
	for (uint32_t k = 0; k <= last; k++) {
		long double sum = 0.0L;
		for (uint32_t i = 0; i <= k; i++)
			sum += a[i] * b[k - i];
		out[k] = sum;
	}
}

/* a^2: each product of two different terms once, doubled. */
static void square(long double *out, const long double *a, uint32_t last)
{
	for (uint32_t k = 0; k <= last; k++) {
		long double sum = 0.0L;
		for (uint32_t i = 0; 2 * i < k; i++)
			sum += a[i] * a[k - i];
		out[k] = 2.0L * sum;
		if (k % 2 == 0)
			out[k] += a[k / 2] * a[k / 2];
	}
}

static long double *series(uint32_t last)
{
	long double *out = calloc(last + 1, sizeof(*out));
	if (out == NULL)
		abort();
	return out;
}

void vldaa_points_counts(double *out, uint32_t n, uint32_t last)
{
	long double *power = series(last);
	long double *base = series(last);
	long double *product = series(last);
	power[0] = 1.0L;
	base[0] = 1.0L;
	for (uint32_t x = 1; x * x <= last; x++)
		base[x * x] = 2.0L;
	for (uint32_t rest = n; rest > 0; rest >>= 1) {
		if (rest & 1) {
			multiply(product, power, base, last);
			long double *swap = power;
			power = product;
			product = swap;
		}
		if (rest > 1) {
			square(product, base, last);
			long double *swap = base;
			base = product;
			product = swap;
		}
	}
	long double sum = 0.0L;
	for (uint32_t k = 0; k <= last; k++) {
		sum += power[k];
		out[k] = (double)log2l(sum);
	}
	free(power);
	free(base);
	free(product);
}

/* --- the question --------------------------------------------------------------------------------
 */

static double log2_choose(uint32_t n, uint32_t k)
{
	return (lgamma(n + 1.0) - lgamma(k + 1.0) - lgamma(n - k + 1.0)) / log(2.0);
}

/* log2 of how many vectors of Z^n in a ball lie in a lattice of minimum at least `minimum`. */
static double in_sublattice(uint32_t n, double radius, double minimum, const double *counts)
{
	if (minimum > 2.0 * radius)
		return 0.0;
	/* Blichfeldt: points that keep a distance. */
	double packing = log2(0.5 * (n + 2.0)) + n * log2(1.0 + sqrt(2.0) * radius / minimum);
	/* Disjoint translates of Z^n in a ball of radius rho < minimum / 2. */
	double square = 0.25 * minimum * minimum;
	uint32_t inside = (uint32_t)ceil(square) - 1; /* largest integer below */
	double translates = vldaa_points_at_most(n, radius + 0.5 * minimum) - counts[inside];
	return fmax(fmin(packing, translates), 0.0);
}

static double log2_sum(double a, double b)
{
	return fmax(a, b) + log2(1.0 + exp2(-fabs(a - b)));
}

double vldaa_row_collision(const vldaa_row_question *question)
{
	uint32_t key_n = SLOTS * question->l;
	uint32_t error_n = SLOTS * question->rows;
	double log2_q = log2((double)VLDAA_ONESHOT_Q1);
	/* A non-zero element of norm r that vanishes in z slots: q1^z <= |its norm| <= r^256. */
	uint32_t most = (uint32_t)floor(SLOTS * log2(question->key) / log2_q);
	most = most < SLOTS ? most : SLOTS;
	double widest = exp2(most * log2_q / SLOTS);
	uint32_t last = (uint32_t)ceil(0.25 * widest * widest) + 1;
	double *key_counts = malloc((last + 1) * sizeof(*key_counts));
	double *error_counts = malloc((last + 1) * sizeof(*error_counts));
	if (key_counts == NULL || error_counts == NULL)
		abort();
	vldaa_points_counts(key_counts, key_n, last);
	vldaa_points_counts(error_counts, error_n, last);

	double all_keys = vldaa_points_at_most(key_n, question->key);
	double all_errors = vldaa_points_at_most(error_n, question->error);
	double total = -INFINITY;
	for (uint32_t z = 0; z <= most; z++) {
		double minimum = exp2(z * log2_q / SLOTS);
		/* Keys that vanish in exactly z slots: each is counted once over all sets of slots.
		 */
		double keys =
		    fmin(all_keys, log2_choose(SLOTS, z) +
				       in_sublattice(key_n, question->key, minimum, key_counts));
		double errors = fmin(
		    all_errors, in_sublattice(error_n, question->error, minimum, error_counts));
		/* In every other slot each row matches with probability 1 / q1. */
		double matches = -log2_q * question->rows * (SLOTS - z);
		total = log2_sum(total, keys + errors + matches);
	}
	free(key_counts);
	free(error_counts);
	return fmin(total, 0.0);
}
