/*
 * SamplePerturb: p in Z^(4d) from the discrete Gaussian of covariance
 *
 *   Sigma = gamma^2 I - alpha^2 [R; I][R; I]^T
 *
 *         = [ gamma^2 I - alpha^2 R R^*    -alpha^2 R             ]
 *           [ -alpha^2 R^*                 (gamma^2 - alpha^2) I  ]
 *
 * over K = R[X]/(X^d+1), where * is the conjugate transpose (X^* = X^-1) and an element stands for
 * its multiplication matrix: Genise and Micciancio, EUROCRYPT 2018, section 4 (SampleP, Sample2Z,
 * SampleFz).
 *
 * 1. The bottom two polynomials q: independent integers of deviation sqrt(gamma^2 - alpha^2).
 * 2. The top two given q are Gaussian with centre
 *      Sigma_12 Sigma_22^-1 q = -alpha^2 / (gamma^2 - alpha^2) R q
 *    and covariance, the Schur complement of the lower right block,
 *      Sigma_11 - Sigma_12 Sigma_22^-1 Sigma_21 = gamma^2 I - zeta R R^*,
 *      zeta = alpha^2 + alpha^4 / (gamma^2 - alpha^2) = alpha^2 gamma^2 / (gamma^2 - alpha^2).
 * 3. A pair (p_0, p_1) of covariance [a b; b^* e] over K and centre (c_0, c_1): p_1 of covariance
 *    e about c_1, then p_0 of covariance a - b e^-1 b^* about c_0 + b e^-1 (p_1 - c_1).
 * 4. One polynomial of covariance f = f^*: with Y = X^2, f = f_0(Y) + X f_1(Y), the pair of its
 *    even and odd parts has covariance [f_0  Y f_1; f_1  f_0] over R[Y]/(Y^(d/2)+1), and
 *    Y f_1 = f_1^*: step 3 again, down to integers, which SampleZ draws.
 *
 * Everything but the centres depends on R only and is computed once (the tree of Ducas and Prest,
 * ISSAC 2016, section 5).  At the pair of roots +w, -w, where f has the real values u and v,
 *
 *      f_0 = (u + v) / 2,  f_1^* / f_0 = w (u - v) / (u + v),
 *      f_0 - f_1 f_1^* / f_0 = 2 u v / (u + v):
 *
 * the covariances of a node's children are arithmetic and harmonic means.  They stay between the
 * least and the greatest value of f, and nothing cancels.
 *
 * Which R are accepted.  gamma as SC24 derives it, sqrt((alpha^2 + 1) s1(R)^2 + eta^2), leaves the
 * identity out: with s1(R) at the very bound, Sigma's least eigenvalue gamma^2 - alpha^2 (s1(R)^2 +
 * 1) would be s1(R)^2 + eta^2 - alpha^2, far below zero.  A uniform ternary R has a seventh of that
 * bound (64 and 453 for VLDAA-128), so the published sets have ample room, but nothing takes that
 * for granted: init refuses R unless
 *
 *      gamma^2 >= 2 alpha^2 (s1(R)^2 + 1)  and  gamma^2 >= 128,
 *
 * computed from R's transform.  Then every eigenvalue of Sigma lies in [gamma^2 / 2, gamma^2], and
 * so does the variance of every SampleZ below: all are drawn with the range (gamma / sqrt 2,
 * gamma), so that the number of attempts tells nothing about R; and deviations are at least 8,
 * above eta_epsilon(Z^4096) for epsilon = 2^-256 even in the papers' scale, where the parameter is
 * sqrt(2 pi) times the deviation.
 *
 * Errors.  For ternary R and d <= 1024 the transform is right within 2^-37 (values are at most
 * 1024; ten levels of 2^-50.3), so s1(R)^2 within 2^-35 s1(R) and the test within a factor 1 +
 * 2^-24, which the factor 2 absorbs.  Variances of the top pair: zeta 2^-35 s1(R) is below 2^-46
 * gamma^2 with the published ratios gamma / alpha, 213 and more; one subtraction leaves at least
 * half of its minuend, so they are right within 2^-45 relatively; means then add 2^-51 a level.
 * Centres: |L| <= 1/3 in the tree, and a transform adds 2^-47 of the vector's norm, at most gamma
 * sqrt(2 d): less than 2^-41 gamma.  A relative error r of a deviation, or a centre's error of r
 * deviations, counts r^2 in the sum of sample_z.c: 2^-82, below what SampleZ's table contributes.
 *
 * Timing.  A draw has no branch and no address that depends on R or p but SampleZ's attempts
 * (sample_z.c; memcheck confirms it with everything but log_d marked).  init divides, takes square
 * roots and compares values that depend on R, once for a key: its time is not protected.
 */
#include "sampler/trapdoor.h"

#include <math.h>
#include <string.h>

#include "random/secret.h"
#include "sampler/fft.h"
#include "vldaa/error.h"

enum {
	DEGREE = VLDAA_MAX_DEGREE,
	/* Numbers in the tree of one polynomial: n/2 in each of n's log2 n levels. */
	TREE = DEGREE / 2 * VLDAA_FFT_MAX_LOG
};

/*
 * Invariant: the arrays hold the first 2^log_d (or its tree) of their numbers; every leaf has a
 * deviation in [gamma / sqrt 2, gamma].
 */
struct vldaa_perturb {
	unsigned log_d;
	double regression;      /* -alpha^2 / (gamma^2 - alpha^2) */
	vldaa_sample_z bottom;  /* sqrt(gamma^2 - alpha^2) */
	double r[2][2][DEGREE]; /* R transformed */
	double cross[DEGREE];   /* b e^-1 of the top pair */
	/* Of p_0 and p_1: f_1^* / f_0 of the node (n/2 numbers), then the even child's tree, then
	 * the odd's. */
	double tree[2][TREE];
	vldaa_sample_z leaf[2][DEGREE]; /* in the tree's order */
};

typedef struct {
	double min, max; /* the deviations that SampleZ may meet */
} range;

size_t vldaa_perturb_size(const vldaa_published_set *set)
{
	(void)set;
	return sizeof(vldaa_perturb);
}

static size_t tree_size(unsigned log_n)
{
	return ((size_t)1 << log_n) / 2 * log_n;
}

/*
 * The tree of one polynomial of n = 2^log_n coefficients.  f: the values of its covariance at the
 * n/2 roots (real; one value for n = 1); overwritten.  work: n/2 doubles.
 */
static void grow(double *tree, vldaa_sample_z *leaf, double *f, double *work, unsigned log_n,
		 const range *s)
{
	size_t half = ((size_t)1 << log_n) / 2, quarter = half / 2;

	if (log_n == 0) {
		vldaa_sample_z_init_within(leaf, sqrt(f[0]), s->min, s->max);
		return;
	}
	if (log_n == 1) {
		/* f is a number: two independent integers of that variance. */
		tree[0] = 0.0;
		grow(tree + 1, leaf, f, work, 0, s);
		grow(tree + 1, leaf + 1, f, work, 0, s);
		return;
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
	grow(tree + half, leaf, even, work + quarter, log_n - 1, s);
	grow(tree + half + tree_size(log_n - 1), leaf + half, odd, work, log_n - 1, s);
}

static void transform(double *out, const int64_t *a, unsigned log_d)
{
	for (size_t j = 0; j < (size_t)1 << log_d; j++)
		out[j] = (double)a[j];
	vldaa_fft_forward(out, log_d);
}

/* R R^* = [a b; b^* e] at one root. */
typedef struct {
	double a, e, b_re, b_im;
} gram;

static gram gram_at(const double r[2][2][DEGREE], size_t k, size_t half)
{
	gram g = {0.0, 0.0, 0.0, 0.0};

	for (int col = 0; col < 2; col++) {
		double t_re = r[0][col][k], t_im = r[0][col][k + half];
		double u_re = r[1][col][k], u_im = r[1][col][k + half];

		g.a += t_re * t_re + t_im * t_im;
		g.e += u_re * u_re + u_im * u_im;
		g.b_re += t_re * u_re + t_im * u_im;
		g.b_im += t_im * u_re - t_re * u_im;
	}
	return g;
}

/* s1(R)^2: the largest eigenvalue of R R^* at any root. */
static double largest_eigenvalue(const double r[2][2][DEGREE], size_t half)
{
	double largest = 0.0;

	for (size_t k = 0; k < half; k++) {
		gram g = gram_at(r, k, half);
		double difference = 0.5 * (g.a - g.e);
		double root = sqrt(difference * difference + g.b_re * g.b_re + g.b_im * g.b_im);
		double eigenvalue = 0.5 * (g.a + g.e) + root;

		largest = eigenvalue > largest ? eigenvalue : largest;
	}
	return largest;
}

static int acceptable(const vldaa_published_set *set, const double r[2][2][DEGREE])
{
	const double alpha2 = set->alpha * set->alpha;
	const double gamma2 = set->gamma * set->gamma;
	const double largest = largest_eigenvalue(r, set->ring.d / 2);

	return gamma2 >= 128.0 && gamma2 >= 2.0 * alpha2 * (largest + 1.0);
}

static void transform_all(double r[2][2][DEGREE], const vldaa_published_set *set, const int64_t *R)
{
	for (size_t i = 0; i < 4; i++)
		transform(r[i / 2][i % 2], R + i * set->ring.d, set->ring.log_d);
}

int vldaa_trapdoor_check(const vldaa_published_set *set, const int64_t *R)
{
	double r[2][2][DEGREE];

	transform_all(r, set, R);
	const int ok = acceptable(set, r);
	vldaa_wipe(r, sizeof r);
	return ok ? VLDAA_OK : VLDAA_ERR_KEY;
}

int vldaa_perturb_init(vldaa_perturb *p, const vldaa_published_set *set, const int64_t *R)
{
	const unsigned log_d = set->ring.log_d;
	const size_t half = set->ring.d / 2;
	const double alpha2 = set->alpha * set->alpha;
	const double gamma2 = set->gamma * set->gamma;
	const double zeta = alpha2 * gamma2 / (gamma2 - alpha2);
	const range s = {sqrt(gamma2 / 2.0), set->gamma};
	double f[2][DEGREE / 2], work[DEGREE / 2];

	memset(p, 0, sizeof *p);
	transform_all(p->r, set, R);
	if (!acceptable(set, p->r)) {
		vldaa_wipe(p, sizeof *p);
		return VLDAA_ERR_KEY;
	}

	p->log_d = log_d;
	p->regression = -alpha2 / (gamma2 - alpha2);
	vldaa_sample_z_init(&p->bottom, sqrt(gamma2 - alpha2));
	for (size_t k = 0; k < half; k++) {
		gram g = gram_at(p->r, k, half);
		double b_re = -zeta * g.b_re, b_im = -zeta * g.b_im;
		double e = gamma2 - zeta * g.e;

		p->cross[k] = b_re / e;
		p->cross[k + half] = b_im / e;
		f[0][k] = gamma2 - zeta * g.a - (b_re * b_re + b_im * b_im) / e;
		f[1][k] = e;
	}
	for (int i = 0; i < 2; i++)
		grow(p->tree[i], p->leaf[i], f[i], work, log_d, &s);
	vldaa_wipe(f, sizeof f);
	vldaa_wipe(work, sizeof work);
	return VLDAA_OK;
}

/*
 * Steps 3 and 4 for one polynomial of n = 2^log_n coefficients, out[0], out[stride], ... c: its
 * centre, transformed; becomes the sample, transformed.  work: 2 n doubles.
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

void vldaa_perturb_draw(const vldaa_perturb *p, int64_t *out, vldaa_rng *rng)
{
	const unsigned log_d = p->log_d;
	const size_t d = (size_t)1 << log_d;
	double q[2][DEGREE], c[2][DEGREE], work[2 * DEGREE];

	for (size_t j = 0; j < 2 * d; j++)
		out[2 * d + j] = vldaa_sample_z_draw(&p->bottom, 0.0, rng);
	for (int i = 0; i < 2; i++)
		transform(q[i], out + (2 + (size_t)i) * d, log_d);
	for (int i = 0; i < 2; i++) {
		memset(c[i], 0, d * sizeof c[i][0]);
		for (int j = 0; j < 2; j++)
			vldaa_fft_mul_add(c[i], p->r[i][j], q[j], log_d);
		for (size_t k = 0; k < d; k++)
			c[i][k] *= p->regression;
	}

	double *deviation = q[1]; /* p_1 - c_1 */
	memcpy(deviation, c[1], d * sizeof c[1][0]);
	sample_polynomial(out + d, 1, c[1], p->tree[1], p->leaf[1], log_d, work, rng);
	for (size_t k = 0; k < d; k++)
		deviation[k] = c[1][k] - deviation[k];
	vldaa_fft_mul_add(c[0], p->cross, deviation, log_d);
	sample_polynomial(out, 1, c[0], p->tree[0], p->leaf[0], log_d, work, rng);

	vldaa_wipe(q, sizeof q);
	vldaa_wipe(c, sizeof c);
	vldaa_wipe(work, sizeof work);
}
