/*
 * Polynomials of R_q = Z_q[X]/(X^d+1) for any modulus q, and exact products in Z[X]/(X^d+1).
 *
 * Two domains:
 *   coefficient domain: int64_t a[d];
 *   hat domain: uint32_t ahat[primes * d], the negacyclic NTT of a modulo each auxiliary prime, one
 *   prime after the other.  The order inside a prime is the NTT's own (bit-reversed).
 *
 * X^d+1 need not split modulo q: a product is computed exactly over the integers modulo the
 * auxiliary primes' product P, then reduced.  So the true integer result (a sum of products) must
 * have absolute value below P/2.  n products of polynomials with coefficients up to A and B are at
 * most n d A B.  The primes are just below 2^30, so P/2 is just below 2^29, 2^59, 2^89, 2^119 for
 * one to four of them (within a factor 1 - 2^-12).  For coefficients centred modulo q that allows
 *
 *   d     q              primes  both centred       one centred, the other up to B
 *   128   114356107      3       n < 2^30           n B < 2^56
 *   512   7583           2       n < 2^26           n B < 2^38
 *   1024  14867          2       n < 2^23           n B < 2^36
 *   64    2^45 - 139     3       none               n B < 2^38
 *   64    2^45 - 139     4       n < 2^24           n B < 2^68
 *   64    2^46 - 635     3       none               n B < 2^37
 *   64    2^46 - 635     4       n < 2^22           n B < 2^67
 *
 * and vldaa_ring_terms() gives the exact n.  Arrays may alias only where a function says so.
 * Time depends on the ring and on j of the automorphism only, never on coefficients.  Transforms
 * take 4 KiB of stack, which they wipe.
 */
#ifndef VLDAA_RING_H
#define VLDAA_RING_H

#include <stddef.h>
#include <stdint.h>

#include "wide.h"

enum { VLDAA_MAX_DEGREE = 1024, VLDAA_MAX_PRIMES = 4 };

/*
 * A ring: constant tables only, made once, shared by all threads.
 * Invariant: d = 2^log_d, 64 <= d <= VLDAA_MAX_DEGREE (tests use 2 and more), q odd, 5 <= q < 2^47,
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

/* How many products of polynomials with |coefficients| <= max_a and <= max_b may be summed. */
uint64_t vldaa_ring_terms(const vldaa_ring *r, uint64_t max_a, uint64_t max_b);

/* --- coefficient domain.  "Centred" is (-q/2, q/2]. ------------------------------------------- */

/* out = a mod q, centred.  Any int64_t in.  out may be a. */
void vldaa_poly_reduce(const vldaa_ring *r, int64_t *out, const int64_t *a);
/* out = a + b, a - b, -a modulo q, centred in and out.  out may be a or b. */
void vldaa_poly_add(const vldaa_ring *r, int64_t *out, const int64_t *a, const int64_t *b);
void vldaa_poly_sub(const vldaa_ring *r, int64_t *out, const int64_t *a, const int64_t *b);
void vldaa_poly_neg(const vldaa_ring *r, int64_t *out, const int64_t *a);
/* out = k a modulo q; |k| < q, a centred; centred out.  out may be a. */
void vldaa_poly_scale(const vldaa_ring *r, int64_t *out, int64_t k, const int64_t *a);
/* out = sigma_j(a) = a(X^j) for odd j, over the integers (only signs and places change); |a| <
 * 2^62. */
void vldaa_poly_automorphism(const vldaa_ring *r, int64_t *out, const int64_t *a, uint32_t j);
/* Sum of squares, and inner product; |a|, |b| < 2^58. */
vldaa_u128 vldaa_poly_norm2(const vldaa_ring *r, const int64_t *a);
vldaa_i128 vldaa_poly_inner(const vldaa_ring *r, const int64_t *a, const int64_t *b);

/* --- hat domain --------------------------------------------------------------------------------
 */

/* Transform of any int64_t coefficients. */
void vldaa_hat_from_poly(const vldaa_ring *r, uint32_t *hat, const int64_t *a);
void vldaa_hat_zero(const vldaa_ring *r, uint32_t *hat);
/* out = a b, out = out + a b, out = out - a b, out = a + b, out = a - b.  out may be a or b. */
void vldaa_hat_mul(const vldaa_ring *r, uint32_t *out, const uint32_t *a, const uint32_t *b);
void vldaa_hat_mul_add(const vldaa_ring *r, uint32_t *out, const uint32_t *a, const uint32_t *b);
void vldaa_hat_mul_sub(const vldaa_ring *r, uint32_t *out, const uint32_t *a, const uint32_t *b);
void vldaa_hat_add(const vldaa_ring *r, uint32_t *out, const uint32_t *a, const uint32_t *b);
void vldaa_hat_sub(const vldaa_ring *r, uint32_t *out, const uint32_t *a, const uint32_t *b);
/* out = sum_(j < count) a_j b_j, count elements one after the other in a and in b; less work than
 * as many vldaa_hat_mul_add.  out is none of them. */
void vldaa_hat_dot(const vldaa_ring *r, uint32_t *out, const uint32_t *a, const uint32_t *b,
		   size_t count);
/* Back: the exact integers; they must fit int64_t and lie below P/2.  hat is destroyed. */
void vldaa_hat_to_integers(const vldaa_ring *r, int64_t *out, uint32_t *hat);
/* Back: the exact integers (below P/2, any size) modulo q, centred.  hat is destroyed. */
void vldaa_hat_to_poly(const vldaa_ring *r, int64_t *out, uint32_t *hat);

#endif
