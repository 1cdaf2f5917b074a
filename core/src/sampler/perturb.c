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
 * gauss_pair.c draws that pair, and has the recursion below it.
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
 * Centres: a transform adds 2^-47 of the vector's norm, at most gamma sqrt(2 d), and |L| <= 1/3 in
 * the tree: less than 2^-41 gamma.  A relative error r of a deviation, or a centre's error of r
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
#include "sampler/gauss_pair.h"
#include "vldaa/error.h"

enum { DEGREE = VLDAA_MAX_DEGREE };

/* Invariant: r holds 2^log_d numbers a polynomial; top is a pair of 2^log_d coefficients. */
struct vldaa_perturb {
	unsigned log_d;
	double regression;      /* -alpha^2 / (gamma^2 - alpha^2) */
	vldaa_sample_z bottom;  /* sqrt(gamma^2 - alpha^2) */
	double r[2][2][DEGREE]; /* R transformed */
	vldaa_gauss_pair top;   /* p_0, p_1 given the bottom two */
};

size_t vldaa_perturb_size(const vldaa_published_set *set)
{
	(void)set;
	return sizeof(vldaa_perturb);
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
	double f[2][DEGREE / 2], cross[DEGREE];

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

		cross[k] = b_re / e;
		cross[k + half] = b_im / e;
		f[0][k] = gamma2 - zeta * g.a - (b_re * b_re + b_im * b_im) / e;
		f[1][k] = e;
	}
	/* The eigenvalues of Sigma enclose those of its Schur complements. */
	const int err = vldaa_gauss_pair_init(&p->top, log_d, f[0], f[1], cross, sqrt(gamma2 / 2.0),
					      set->gamma);
	vldaa_wipe(f, sizeof f);
	vldaa_wipe(cross, sizeof cross);
	if (err)
		vldaa_wipe(p, sizeof *p);
	return err;
}

void vldaa_perturb_draw(const vldaa_perturb *p, int64_t *out, vldaa_rng *rng)
{
	const unsigned log_d = p->log_d;
	const size_t d = (size_t)1 << log_d;
	double q[2][DEGREE], c[2][DEGREE], work[3 * DEGREE];

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

	int64_t *const top[2] = {out, out + d};
	double *const centre[2] = {c[0], c[1]};
	vldaa_gauss_pair_draw(&p->top, top, centre, work, rng);

	vldaa_wipe(q, sizeof q);
	vldaa_wipe(c, sizeof c);
	vldaa_wipe(work, sizeof work);
}
