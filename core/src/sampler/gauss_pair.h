/*
 * A pair of polynomials (p_0, p_1) of Z[X]/(X^n+1) from a discrete Gaussian of any covariance
 *
 *   [a b; b^* e]
 *
 * over K = R[X]/(X^n+1), where * is the conjugate (X^* = X^-1) and an element stands for its
 * multiplication matrix.  The issuers' samplers both end here.  Method, sources, errors, timing:
 * gauss_pair.c.
 */
#ifndef VLDAA_GAUSS_PAIR_H
#define VLDAA_GAUSS_PAIR_H

#include "random/rng.h"
#include "sampler/fft.h"
#include "sampler/sample_z.h"

enum {
	VLDAA_PAIR_DEGREE = 1 << VLDAA_FFT_MAX_LOG,
	/* Numbers in the tree of one polynomial: n/2 in each of n's log2 n levels. */
	VLDAA_PAIR_TREE = VLDAA_PAIR_DEGREE / 2 * VLDAA_FFT_MAX_LOG
};

/*
 * What is computed once for a covariance, as secret as that is.  No pointers, so it may be copied;
 * draws only read it.
 * Invariant: the arrays hold the first n = 2^log_n (or its tree) of their numbers; every leaf has a
 * deviation in the range given at first.
 */
typedef struct {
	unsigned log_n;
	double cross[VLDAA_PAIR_DEGREE]; /* b e^-1, transformed (fft.h) */
	/* Of p_0 and p_1: f_1^* / f_0 of the node (n/2 numbers), then the even child's tree, then
	 * the odd's. */
	double tree[2][VLDAA_PAIR_TREE];
	vldaa_sample_z leaf[2][VLDAA_PAIR_DEGREE]; /* in the tree's order */
} vldaa_gauss_pair;

/*
 * first: p_0's covariance given p_1, a - b e^-1 b^*; second: p_1's, e: both by their values at the
 * n/2 roots, positive, overwritten.  cross: b e^-1, n doubles transformed, copied.
 *
 * min, max: what all deviations of the integers lie in, 1 <= min, max <= 2 min; the number of
 * SampleZ's attempts depends on these alone.  VLDAA_ERR_KEY, with *p zeroed, when one does not.
 * (The values at the roots lying within the squares is enough, not necessary.)
 */
int vldaa_gauss_pair_init(vldaa_gauss_pair *p, unsigned log_n, double *first, double *second,
			  const double *cross, double min, double max);

/* c[0], c[1]: the centres, n doubles each, transformed; destroyed.  work: 3 n doubles, whose
 * contents are secret too.  out[0], out[1]: n integers each. */
void vldaa_gauss_pair_draw(const vldaa_gauss_pair *p, int64_t *const out[2], double *const c[2],
			   double *work, vldaa_rng *rng);

#endif
