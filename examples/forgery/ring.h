/*
 * R_q = Z_q[X]/(X^d + 1), as plainly as it can be written: polynomials are values, a product takes
 * d^2 steps.  That is all the mathematics that the forgeries need.
 *
 * Coefficients are centred, in (-q/2, q/2], in and out, unless a function says otherwise; those at
 * d and above are not used.
 */
#ifndef FORGERY_RING_H
#define FORGERY_RING_H

#include <stdint.h>

enum { MAX_DEGREE = 1024 };

typedef struct {
	uint32_t d;
	int64_t q; /* d q^2 / 4 < 2^63 */
} ring;

typedef struct {
	int64_t c[MAX_DEGREE];
} poly;

/* The representative of x modulo q in (-q/2, q/2]. */
int64_t forgery_centred(const ring *R, int64_t x);

poly forgery_poly_zero(void);
poly forgery_poly_add(const ring *R, poly a, poly b);
poly forgery_poly_sub(const ring *R, poly a, poly b);
poly forgery_poly_scale(const ring *R, int64_t k, poly a); /* |k| <= q */
poly forgery_poly_mul(const ring *R, poly a, poly b);
/* X -> X^5. */
poly forgery_poly_sigma5(const ring *R, poly a);
/* a^-1: 1, or 0 when a is not invertible. */
int forgery_poly_inverse(const ring *R, poly *inverse, poly a);

/* Random polynomials: uniform modulo q; uniform with coefficients in [-bound, bound]. */
poly forgery_poly_uniform(const ring *R);
poly forgery_poly_small(const ring *R, int64_t bound);

/* a b over the integers: |result| < 2^63 is the caller's promise; coefficients need not be centred.
 */
poly forgery_poly_mul_integers(const ring *R, poly a, poly b);

#endif
