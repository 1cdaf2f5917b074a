/*
 * Discrete Gaussians over K by conditioning: Genise and Micciancio, EUROCRYPT 2018, section 4
 * (Sample2Z, SampleFz), with everything that depends on the covariance alone computed once (the
 * tree of Ducas and Prest, ISSAC 2016, section 5).
 *
 * 1. A pair of covariance [a b; b^* e] and centre (c_0, c_1): p_1 of covariance e about c_1, then
 *    p_0 of covariance a - b e^-1 b^* about c_0 + b e^-1 (p_1 - c_1).
 * 2. One polynomial of covariance f = f^*: with Y = X^2, f = f_0(Y) + X f_1(Y), the pair of its
 *    even and odd parts has covariance [f_0  Y f_1; f_1  f_0] over R[Y]/(Y^(n/2)+1), and
 *    Y f_1 = f_1^*: step 1 again, down to integers, which SampleZ draws.
 *
 * At the pair of roots +w, -w, where f has the real values u and v,
 *
 *      f_0 = (u + v) / 2,  f_1^* / f_0 = w (u - v) / (u + v),
 *      f_0 - f_1 f_1^* / f_0 = 2 u v / (u + v):
 *
 * the covariances of a node's children are arithmetic and harmonic means.  They stay between the
 * least and the greatest value of f, and nothing cancels: relative errors grow by 2^-51 a level.
 *
 * Centres: |f_1^* / f_0| < 1, and a transform adds 2^-47 of the vector's norm (fft.h).
 *
 * Timing.  A draw has no branch and no address that depends on the covariance, the centre or the
 * result but SampleZ's attempts (sample_z.c).  init divides, takes square roots and compares: its
 * time is not protected.
 */
#include "sampler/gauss_pair.h"

#include <math.h>
#include <string.h>

#include "random/secret.h"
#include "vldaa/error.h"

typedef struct {
	double min, max; /* the deviations that SampleZ may meet */
} range;

/* How far means may leave the range of their terms by rounding: ten levels of 2^-51, and a root. */
static const double rounding = 0x1p-47;

static size_t tree_size(unsigned log_n)
{
	return ((size_t)1 << log_n) / 2 * log_n;
}

/*
 * The tree of one polynomial of n = 2^log_n coefficients.  f: the values of its covariance at the
 * n/2 roots (real; one value for n = 1); overwritten.  work: n/2 doubles.  Returns whether all
 * deviations are in the range.
 */
static int grow(double *tree, vldaa_sample_z *leaf, double *f, double *work, unsigned log_n,
		const range *s)
{
	size_t half = ((size_t)1 << log_n) / 2, quarter = half / 2;

	if (log_n == 0) {
		double deviation = sqrt(f[0]);

		if (!(deviation >= s->min * (1.0 - rounding) &&
		      deviation <= s->max * (1.0 + rounding)))
			return 0;
		deviation = deviation < s->min ? s->min : deviation;
		deviation = deviation > s->max ? s->max : deviation;
		vldaa_sample_z_init_within(leaf, deviation, s->min, s->max);
		return 1;
	}
	if (log_n == 1) {
		/* f is a number: two independent integers of that variance. */
		tree[0] = 0.0;
		return grow(tree + 1, leaf, f, work, 0, s) &
		       grow(tree + 1, leaf + 1, f, work, 0, s);
	}
	double *odd = f, *even = work;
	for (size_t k = 0; k < quarter; k++) {
		const double *w = vldaa_fft_roots[quarter + k];
		double u = f[2 * k], v = f[2 * k + 1];
		double ratio = (u - v) / (u + v);

		tree[k] = w[0] * ratio;
		tree[quarter + k] = w[1] * ratio;
		odd[k] = 0.5 * (u + v);
		even[k] = 2.0 * u * v / (u + v);
	}
	return grow(tree + half, leaf, even, work + quarter, log_n - 1, s) &
	       grow(tree + half + tree_size(log_n - 1), leaf + half, odd, work, log_n - 1, s);
}

int vldaa_gauss_pair_init(vldaa_gauss_pair *p, unsigned log_n, double *first, double *second,
			  const double *cross, double min, double max)
{
	const range s = {min, max};
	double work[VLDAA_PAIR_DEGREE / 2];
	int ok;

	memset(p, 0, sizeof *p);
	p->log_n = log_n;
	memcpy(p->cross, cross, sizeof *cross << log_n);
	ok = grow(p->tree[0], p->leaf[0], first, work, log_n, &s) &
	     grow(p->tree[1], p->leaf[1], second, work, log_n, &s);
	vldaa_wipe(work, sizeof work);
	if (!ok)
		vldaa_wipe(p, sizeof *p);
	return ok ? VLDAA_OK : VLDAA_ERR_KEY;
}

/*
 * One polynomial of n = 2^log_n coefficients, out[0], out[stride], ... c: its centre, transformed;
 * becomes the sample, transformed.  work: 2 n doubles.
 */
static void sample_polynomial(int64_t *out, size_t stride, double *c, const double *tree,
			      const vldaa_sample_z *leaf, unsigned log_n, double *work,
			      vldaa_rng *rng)
{
	size_t n = (size_t)1 << log_n, half = n / 2;

	if (log_n == 0) {
		out[0] = vldaa_sample_z_draw(leaf, c[0], rng);
		c[0] = (double)out[0];
		return;
	}
	double *even = work, *odd = work + half, *rest = work + n;
	const double *even_tree = tree + half, *odd_tree = even_tree + tree_size(log_n - 1);

	vldaa_fft_split(even, odd, c, log_n);
	memcpy(c, odd, half * sizeof *c);
	sample_polynomial(out + stride, 2 * stride, odd, odd_tree, leaf + half, log_n - 1, rest,
			  rng);
	for (size_t k = 0; k < half; k++)
		c[k] = odd[k] - c[k];
	vldaa_fft_mul_add(even, tree, c, log_n - 1);
	sample_polynomial(out, 2 * stride, even, even_tree, leaf, log_n - 1, rest, rng);
	vldaa_fft_merge(c, even, odd, log_n);
}

void vldaa_gauss_pair_draw(const vldaa_gauss_pair *p, int64_t *const out[2], double *const c[2],
			   double *work, vldaa_rng *rng)
{
	const unsigned log_n = p->log_n;
	const size_t n = (size_t)1 << log_n;
	double *deviation = work; /* p_1 - c_1 */

	memcpy(deviation, c[1], n * sizeof *deviation);
	sample_polynomial(out[1], 1, c[1], p->tree[1], p->leaf[1], log_n, work + n, rng);
	for (size_t k = 0; k < n; k++)
		deviation[k] = c[1][k] - deviation[k];
	vldaa_fft_mul_add(c[0], p->cross, deviation, log_n);
	sample_polynomial(out[0], 1, c[0], p->tree[0], p->leaf[0], log_n, work + n, rng);
}
