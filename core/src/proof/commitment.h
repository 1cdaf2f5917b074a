/*
 * The commitment of Baum, Damgard, Lyubashevsky, Oechsner, Peikert (SCN 2018, "BDLOP") with one row
 * each:
 *
 *   Com(m; r) = (t_1, t_2) = (A_1 r, A_2 r + m),  r ternary in R^3,
 *   A_1 = [1 a_11 a_12], A_2 = [0 1 a_2].
 *
 * Hiding is a Ring-LWE sample's pseudorandomness, binding needs short vectors of A_1's kernel.
 */
#ifndef VLDAA_COMMITMENT_H
#define VLDAA_COMMITMENT_H

#include "proof/published_keys.h"

/* out_hat = A_1 x and A_2 x for x given as 3 hat-domain elements. */
void vldaa_commit_row1(const vldaa_ring *r, uint32_t *out_hat, const uint32_t *a11,
		       const uint32_t *a12, const uint32_t *x_hat);
void vldaa_commit_row2(const vldaa_ring *r, uint32_t *out_hat, const uint32_t *a2,
		       const uint32_t *x_hat);

/* t_1, t_2 of the message k (i_0 + i_1 X^(d/2)), centred; r_hat: 3 elements; hat: scratch. */
void vldaa_commit_tag(const vldaa_public_keys *keys, int64_t *t1, int64_t *t2,
		      const uint32_t *r_hat, const int64_t tag[2], int64_t k, uint32_t *hat);

#endif
