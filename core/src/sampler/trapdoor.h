/*
 * The issuer's trapdoor (Micciancio and Peikert, EUROCRYPT 2012; Genise and Micciancio, EUROCRYPT
 * 2018): TrapGen, SampleGaussian and its parts SampleG, SamplePerturb, SampleZ, each in its own
 * file.
 */
#ifndef VLDAA_TRAPDOOR_H
#define VLDAA_TRAPDOOR_H

#include "random/rng.h"
#include "ring/ring.h"
#include "sampler/sample_z.h"
#include "scheme/published_set.h"

/* SampleG: z = (z0, z1), d coefficients each, from D over {z : z0 + delta z1 = v mod q} of
 * deviation alpha. */
void vldaa_sample_g(const vldaa_published_set *set, int64_t *z0, int64_t *z1, const int64_t *v,
		    vldaa_rng *rng);

/*
 * The precomputation for one trapdoor, secret like R itself: transforms of R and the deviations of
 * the whole recursion.  Allocated by the caller: vldaa_perturb_size(set) bytes, aligned as
 * malloc's; wiped by the caller.  It holds no pointers, so it may be copied; draws only read it.
 */
typedef struct vldaa_perturb vldaa_perturb;
size_t vldaa_perturb_size(const vldaa_published_set *set);
/*
 * R: 2 x 2 ternary polynomials, row-major: R[(2 row + col) d + j].  VLDAA_ERR_KEY unless
 * gamma^2 >= 2 alpha^2 (s1(R)^2 + 1), that is unless gamma^2 I - alpha^2 [R; I][R; I]^T is positive
 * definite with a margin (perturb.c says why this one): draw R again.  p is zeroed then.
 */
int vldaa_perturb_init(vldaa_perturb *p, const vldaa_published_set *set, const int64_t *R);
/* The same test alone. */
int vldaa_trapdoor_check(const vldaa_published_set *set, const int64_t *R);
/* SamplePerturb: p[4*d] (integers), covariance gamma^2 I - alpha^2 [R; I][R; I]^T. */
void vldaa_perturb_draw(const vldaa_perturb *p, int64_t *out, vldaa_rng *rng);

/* TrapGen: R uniform ternary 2 x 2, drawn again until vldaa_trapdoor_check accepts it.
 * VLDAA_ERR_ATTEMPTS, with R zeroed, after VLDAA_MAX_ATTEMPTS: gamma is too small for this alpha
 * and d. */
int vldaa_trapdoor_generate(const vldaa_published_set *set, int64_t *R, vldaa_rng *rng);

/*
 * SampleGaussian: s[4*d] integers with A_i s = target modulo q, A_i = [A' | B + i g], B = -A' R,
 * from the discrete Gaussian of deviation gamma on that coset.  tag i = tag[0] + tag[1] X^(d/2)
 * invertible, centred.  R_hat: 4 hat elements in R's order; aprime_hat: 2.  target: centred.  |s| <
 * 2^40. scratch: vldaa_sample_gaussian_scratch(set) bytes, aligned as malloc's; wiped before
 * return.
 */
size_t vldaa_sample_gaussian_scratch(const vldaa_published_set *set);
void vldaa_sample_gaussian(const vldaa_published_set *set, const vldaa_perturb *perturb,
			   const uint32_t *R_hat, const uint32_t *aprime_hat, const int64_t tag[2],
			   const int64_t *target, int64_t *s, void *scratch, vldaa_rng *rng);

#endif
