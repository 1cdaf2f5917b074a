/*
 * Polynomials of R_q = Z_q[X]/(X^d+1) for any modulus q, and exact products in Z[X]/(X^d+1).
 *
 * Two domains:
 *   coefficient domain: int64_t a[d];
 *   hat domain: uint32_t ahat[primes * d], the negacyclic NTT of a modulo each auxiliary prime, one
 *   prime after the other.  The order inside a prime is the NTT's own (bit-reversed).
 *
 * X^d+1 need not split modulo q: a product is computed exactly over the integers modulo the
 * auxiliary primes' product P, then reduced.  So the true integer result (a sum of products) must have
 * absolute value below P/2; vldaa_ring_terms() says how many products of which size that allows.
 * Arrays may alias only where a function says so.
 */
#ifndef VLDAA_RING_H
#define VLDAA_RING_H

#include <stddef.h>
#include <stdint.h>

#include "wide.h"

enum { VLDAA_MAX_DEGREE = 1024, VLDAA_MAX_PRIMES = 4 };

/*
 * A ring: constant tables only, made once, shared by all threads.
 * Invariant: d = 2^log_d, 64 <= d <= VLDAA_MAX_DEGREE (tests use smaller ones), q odd, q < 2^47,
 * 1 <= primes <= VLDAA_MAX_PRIMES.
 */
typedef struct {
	uint32_t d;
	uint32_t log_d;
	int64_t q;
	uint32_t q_bits; /* ceil(log2 q): bits of a packed coefficient */
	uint32_t primes; /* auxiliary primes used: the first ones of vldaa_ntt_primes */
} vldaa_ring;

/* Coefficients of a hat-domain element. */
static inline size_t vldaa_hat_len(const vldaa_ring *r)
{
	return (size_t)r->primes * r->d;
}

/* --- coefficient domain.  "Centred" is (-q/2, q/2]. ------------------------------------------- */

/* out = a mod q, centred.  Any int64_t in.  out may be a. */
void vldaa_poly_reduce(const vldaa_ring *r, int64_t *out, const int64_t *a);
/* out = a + b, a - b, -a modulo q, centred in and out.  out may be a or b. */
void vldaa_poly_add(const vldaa_ring *r, int64_t *out, const int64_t *a, const int64_t *b);
void vldaa_poly_sub(const vldaa_ring *r, int64_t *out, const int64_t *a, const int64_t *b);
void vldaa_poly_neg(const vldaa_ring *r, int64_t *out, const int64_t *a);
/* out = k a modulo q; |k| < q, a centred; centred out.  out may be a. */
void vldaa_poly_scale(const vldaa_ring *r, int64_t *out, int64_t k, const int64_t *a);
/* out = sigma_j(a) = a(X^j) for odd j, over the integers (only signs and places change); |a| < 2^62. */
void vldaa_poly_automorphism(const vldaa_ring *r, int64_t *out, const int64_t *a, uint32_t j);
/* Sum of squares, and inner product; |a|, |b| < 2^58. */
vldaa_u128 vldaa_poly_norm2(const vldaa_ring *r, const int64_t *a);
vldaa_i128 vldaa_poly_inner(const vldaa_ring *r, const int64_t *a, const int64_t *b);

/* --- hat domain -------------------------------------------------------------------------------- */

/* Transform of any int64_t coefficients. */
void vldaa_hat_from_poly(const vldaa_ring *r, uint32_t *hat, const int64_t *a);
void vldaa_hat_zero(const vldaa_ring *r, uint32_t *hat);
/* out = a b, out = out + a b, out = out - a b, out = a + b, out = a - b.  out may be a or b. */
void vldaa_hat_mul(const vldaa_ring *r, uint32_t *out, const uint32_t *a, const uint32_t *b);
void vldaa_hat_mul_add(const vldaa_ring *r, uint32_t *out, const uint32_t *a, const uint32_t *b);
void vldaa_hat_mul_sub(const vldaa_ring *r, uint32_t *out, const uint32_t *a, const uint32_t *b);
void vldaa_hat_add(const vldaa_ring *r, uint32_t *out, const uint32_t *a, const uint32_t *b);
void vldaa_hat_sub(const vldaa_ring *r, uint32_t *out, const uint32_t *a, const uint32_t *b);
/* Back: the exact integers; they must fit int64_t and lie below P/2.  hat is destroyed. */
void vldaa_hat_to_integers(const vldaa_ring *r, int64_t *out, uint32_t *hat);
/* Back: the exact integers (below P/2, any size) modulo q, centred.  hat is destroyed. */
void vldaa_hat_to_poly(const vldaa_ring *r, int64_t *out, uint32_t *hat);

#endif
