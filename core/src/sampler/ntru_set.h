/*
 * The two rings of the Falcon specification (v1.2, table 3.3), whose lattices
 * credentials are sampled from: L = {(v_1, v_2) : v_1 + h v_2 = 0 mod p} over Z[X]/(X^N+1),
 * h = g/f.  Generated: gen_ntru.c; the formulas are Falcon's (section 2.6).
 */
#ifndef VLDAA_NTRU_SET_H
#define VLDAA_NTRU_SET_H

#include "ring/ring.h"
#include "sampler/gauss.h"

typedef struct {
	vldaa_ring ring; /* Z[X]/(X^N+1), N = d, modulo p = q = 12289 */
	vldaa_cdt fg;    /* f and g: deviation 1.17 sqrt(p / (2 N)) */
	uint32_t fg_max; /* the largest |coefficient| of f and g that a stored key has room for */
	uint32_t FG_max; /* the same of F and G */
	/* floor(1.17^2 p): the largest squared Gram-Schmidt norm of an accepted basis */
	uint32_t quality2;
	/* The deviation of preimages: 1.17 sqrt(p) times leaf_min. */
	double sigma;
	/*
	 * What the deviations of SampleZ lie in, sigma over a Gram-Schmidt norm.
	 * leaf_min = sqrt(ln(4 N (1 + 1/epsilon)) / 2) / pi, epsilon = 1 / sqrt(2^64 lambda),
	 * lambda = 128 or 256: the smoothing parameter of Z^(2N) for epsilon, as a deviation;
	 * leaf_max = 1.17^2 leaf_min: the norms multiply to p in pairs, so none is below
	 * sqrt(p) / 1.17.
	 */
	double leaf_min;
	double leaf_max;
	/* beta^2 = floor(1.1^2 sigma^2 2 N): the largest squared norm of a credential. */
	uint64_t norm2;
	/*
	 * floor((beta - slack)^2): the largest squared norm that the issuer gives out.  What the
	 * member computes differs by its e_T, which is shorter than the slack: 37 > sqrt(1300) and
	 * 51 > sqrt(2500).
	 */
	uint64_t accepted2;
} vldaa_ntru_set;

extern const vldaa_ntru_set vldaa_ntru_512, vldaa_ntru_1024;

#endif
