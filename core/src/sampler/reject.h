/*
 * Rejection sampling of Fiat-Shamir with aborts (Lyubashevsky, EUROCRYPT 2012, Lemma 4.6 and
 * Theorem 4.6): a response z = y + v, v = c s, y <- D_xi, is kept with probability
 * min(1, exp(t) / M), t = sum over blocks of (||v_j||^2 - 2 <z_j, v_j>) / (2 xi_j^2),
 * ln M = 1 + 1/288.
 */
#ifndef VLDAA_REJECT_H
#define VLDAA_REJECT_H

#include "random/rng.h"
#include "wide.h"

/*
 * floor(n / (2 xi^2)) for xi = 4 width, in units of 2^-52; saturates at +-2^59 (+-128, far beyond
 * what decides anything), so that fifteen terms can be added.  |n| < 2^120, 1 <= width <= 2^47.
 * Constant time in n.
 */
int64_t vldaa_reject_term(vldaa_i128 n, uint64_t width);

/* 1: keep.  t is the sum of the blocks' terms.  Constant time in t but for the answer. */
int vldaa_reject_keep(int64_t t, vldaa_rng *rng);
/* The same with another M: kept with probability min(1, exp(t - log_m)), log_m in units of 2^-52. */
int vldaa_reject_keep_m(int64_t t, int64_t log_m, vldaa_rng *rng);

#endif
