/*
 * Integer Gaussians without floating point, for secrets and masks: D_s is the distribution on Z
 * with weight exp(-x^2 / (2 s^2)); s is the standard deviation, everywhere in this project.
 */
#ifndef VLDAA_GAUSS_H
#define VLDAA_GAUSS_H

#include <stddef.h>
#include <stdint.h>

#include "random/rng.h"
#include "wide.h"

/*
 * A cumulative table of |x| for x <- D_s: cdt[i] = round(2^63 P(|x| > i)), i = 0, 1, ... len - 1,
 * where the next entry would be 0.  One sample takes one 64-bit word: its low 63 bits r give |x| =
 * #{i : r < cdt[i]}, its top bit the sign (1: negative).  The whole table is always read.
 */
typedef struct {
	const uint64_t *cdt;
	uint32_t len;
} vldaa_cdt;

/* n samples of D_s. */
void vldaa_cdt_sample(int64_t *out, size_t n, const vldaa_cdt *table, vldaa_rng *rng);

/*
 * Masks: deviations that are multiples of the base deviation 4, xi = 4 K with 1 <= K <= 2^47.
 * z0 = K x + y with x from the base half-Gaussian (weight exp(-x^2/32), x >= 0), y uniform in
 * [0, K), accepted with probability exp(-(2 K x y + y^2) / (32 K^2)); then a sign, where (0,
 * negative) is rejected.  So z has weight exp(-z^2 / (2 (4 K)^2)), within a factor 1 +- 2^-50 and
 * the base table's 2^-63; |z| < 2^53.
 */
enum { VLDAA_GAUSS_BASE = 4 };
void vldaa_mask_sample(int64_t *out, size_t n, uint64_t width /* K */, vldaa_rng *rng);

/* exp(-x) for x in units of 2^-52, as a multiple of 2^-63; error below 2^-58.  Constant time. */
uint64_t vldaa_exp_neg(uint64_t x);

#endif
