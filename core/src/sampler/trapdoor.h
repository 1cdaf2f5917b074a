/*
 * The issuer's trapdoor (Micciancio and Peikert, EUROCRYPT 2012; Genise and Micciancio, EUROCRYPT 2018):
 * TrapGen, SampleGaussian and its parts SampleG, SamplePerturb, SampleZ, each in its own file.
 */
#ifndef VLDAA_TRAPDOOR_H
#define VLDAA_TRAPDOOR_H

#include "random/rng.h"
#include "ring/ring.h"
#include "scheme/published_set.h"

/*
 * SampleZ: an integer from D_{Z, s, c}: weight exp(-(x - c)^2 / (2 s^2)), any centre |c| < 2^52,
 * 1 <= s <= 2^32.  Prepared once per deviation where it is used often.
 */
typedef struct {
	double s;
	double inv_2s2;
	uint64_t width; /* K: proposals are K x + y, x from the base half-Gaussian of deviation 4 */
} vldaa_sample_z;
void vldaa_sample_z_init(vldaa_sample_z *z, double s);
int64_t vldaa_sample_z_draw(const vldaa_sample_z *z, double c, vldaa_rng *rng);

/* SampleG: z = (z0, z1), d coefficients each, from D over {z : z0 + delta z1 = v mod q} of deviation alpha. */
void vldaa_sample_g(const vldaa_published_set *set, int64_t *z0, int64_t *z1, const int64_t *v,
    vldaa_rng *rng);

/* The opaque precomputation for one trapdoor: FFTs of R and of the Schur complements, sums of squares.
 * Allocated by the caller: vldaa_perturb_size(set) bytes, aligned as malloc's. */
typedef struct vldaa_perturb vldaa_perturb;
size_t vldaa_perturb_size(const vldaa_published_set *set);
/* R: 2 x 2 ternary polynomials, row-major R[2*row + col] each d coefficients.  VLDAA_ERR_KEY when
 * gamma^2 I - alpha^2 [R; I][R; I]^T is not positive definite (s1(R) too large): draw R again. */
int vldaa_perturb_init(vldaa_perturb *p, const vldaa_published_set *set, const int64_t *R);
/* SamplePerturb: p[4*d] (integers), covariance gamma^2 I - alpha^2 [R; I][R; I]^T. */
void vldaa_perturb_draw(const vldaa_perturb *p, int64_t *out, vldaa_rng *rng);

/* TrapGen: R uniform ternary 2 x 2, drawn again until vldaa_perturb_init accepts it. */
int vldaa_trapdoor_generate(const vldaa_published_set *set, int64_t *R, vldaa_rng *rng);

/*
 * SampleGaussian: s[4*d] integers with A_i s = target modulo q, A_i = [A' | B + i g], B = -A' R, from
 * the discrete Gaussian of deviation gamma on that coset.  tag i = tag[0] + tag[1] X^(d/2) invertible.
 * aprime_hat: 2 hat elements.  target: centred.  scratch: vldaa_sample_gaussian_scratch(set) bytes.
 */
size_t vldaa_sample_gaussian_scratch(const vldaa_published_set *set);
void vldaa_sample_gaussian(const vldaa_published_set *set, const vldaa_perturb *perturb,
    const uint32_t *R_hat, const uint32_t *aprime_hat, const int64_t tag[2], const int64_t *target,
    int64_t *s, void *scratch, vldaa_rng *rng);

#endif
