/*
 * A slow second opinion on the published sets' proofs: R_q by FLINT, modulo q and X^d + 1 at once,
 * without transforms, auxiliary primes or anything of core/src/ring.  Polynomials are arrays of d
 * coefficients, of any size in, centred out.
 */
#ifndef VLDAA_TEST_ORACLE_H
#define VLDAA_TEST_ORACLE_H

#include "proof/blindsign.h"

/* out = a b.  out may be a or b. */
void oracle_mul(const vldaa_ring *r, int64_t *out, const int64_t *a, const int64_t *b);
/* acc += k a b; k any small integer. */
void oracle_mul_add(const vldaa_ring *r, int64_t *acc, int64_t k, const int64_t *a,
		    const int64_t *b);
/* acc += k a. */
void oracle_add(const vldaa_ring *r, int64_t *acc, int64_t k, const int64_t *a);
/* a^-1; the test fails when there is none. */
void oracle_invert(const vldaa_ring *r, int64_t *out, const int64_t *a);
/* a(X^5). */
void oracle_sigma(const vldaa_ring *r, int64_t *out, const int64_t *a);
/* out += c a over the integers, c having few coefficients that are not 0. */
void oracle_challenge_times(const vldaa_ring *r, int64_t *out, const int64_t *c, const int64_t *a);
/* 1 when all d coefficients are equal. */
int oracle_equal(const vldaa_ring *r, const int64_t *a, const int64_t *b);

/* The public elements' coefficients. */
typedef struct {
	const vldaa_published_set *set;
	int64_t element[VLDAA_ELEMENTS][VLDAA_MAX_DEGREE]; /* by enum vldaa_public_element */
	int64_t B[2][VLDAA_MAX_DEGREE];
} oracle_public;

/* payload: of the group key, rho || B. */
void oracle_public_init(oracle_public *p, const vldaa_published_set *set, const uint8_t *payload);

/*
 * The seven first messages of BlindSign for masks (c NULL) or, for responses, what the verifier
 * computes: M x - c (public part).  host: 17 polynomials, tpm: 3, t: 4, w: 7.
 */
void oracle_first_messages(const oracle_public *p, const int64_t *b, const int64_t *t,
			   const int64_t *nym, const int64_t *host, const int64_t *tpm,
			   const int64_t *c, int64_t *w);

/* out = x_0 + a x_1 - c v (c NULL: without the last term): member keys, Join, and, with x the other
 * way round, Sign. */
void oracle_pair(const vldaa_ring *r, int64_t *out, const int64_t *x0, const int64_t *a,
		 const int64_t *x1, const int64_t *c, const int64_t *v);

#endif
