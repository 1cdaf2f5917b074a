/*
 * The library's one-shot prover and verifier from inside: these two files include the library's own
 * oneshot_verify.c and oneshot_prove.c, so that a test sees what they compute on the way and can
 * cheat between the rounds.  What a program links of them takes the place of the library's.
 */
#ifndef VLDAA_TEST_ONESHOT_INSIDE_H
#define VLDAA_TEST_ONESHOT_INSIDE_H

#include "oneshot_oracle.h"

/* Digests that replace the transcript's own where Rm, gamma and mu are drawn; NULL: none. */
typedef struct {
	const uint8_t *rm, *gamma, *mu;
} stale_digests;

/*
 * The verifier's computation on a decoded proof, norms left out: 1 when the challenge is right.
 * h may have constant coefficients here, which no encoding has.
 */
int inside_verify(const vldaa_os_statement *st, const vldaa_os_proof *proof,
		  const stale_digests *stale, verifier_view *view);

/* A decoded proof, in memory of its own; and decoding into one that there is. */
vldaa_os_proof *inside_decode(const vldaa_os_statement *st, vldaa_bytes proof);
int inside_decode_into(const vldaa_os_statement *st, vldaa_bytes bytes, vldaa_os_proof *proof);
void inside_proof_free(vldaa_os_proof *proof);

/*
 * A prover that follows the rounds, whatever its witness: no relation is checked, and nothing is
 * rejected but what the encoding refuses.  w1 is centred modulo q and may be anything.
 */
/* Challenges with even c_0, which (1 + Y)^2 divides modulo 2; and those whose c_1 + c_5 + ... + c_61 is
 * even as well, which (1 + Y)^4 divides. */
enum { CHEAT_EVEN = 1, CHEAT_EVEN_TWICE = 2 };

typedef struct {
	stale_digests stale;
	/* dim: W S as z3 answers for it; NULL: the true one, centred modulo q. */
	const int64_t *claimed;
	int even;   /* which challenges; 0: all */
	int unsent; /* 1: the first attempt, though the encoding may refuse it (len is 0 then) */
} cheat_plan;

typedef struct {
	uint8_t *bytes;
	size_t len;
	vldaa_os_proof proof; /* with h's constant coefficients as they came out */
	uint8_t d1[VLDAA_OS_DIGEST], d2[VLDAA_OS_DIGEST], d3[VLDAA_OS_DIGEST];
	int64_t y3[VLDAA_OS_ROWS];
	int64_t w[ORACLE_MAX_ROWS * VLDAA_OS_D]; /* Compress(w) */
	int64_t v[VLDAA_OS_D];
	void *workspace;
} cheat_run;

cheat_run *cheat_prove(const vldaa_os_statement *st, const int64_t *w1, const cheat_plan *plan,
		       uint8_t number);
void cheat_free(cheat_run *run);

/* What the last vldaa_os_prove in this workspace left there: each response is a mask and v. */
typedef struct {
	const int64_t *z3, *z1,
	    *z2;           /* 256; m1 elements; m2 elements, also those that are not sent */
	const int64_t *w2; /* m2 elements */
	const int64_t *c;
	uint8_t d1[VLDAA_OS_DIGEST]; /* what Rm is drawn from */
} prover_responses;
prover_responses inside_responses(const vldaa_os_statement *st, void *workspace);

#endif
