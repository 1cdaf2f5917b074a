/*
 * A slow second opinion on the one-shot proof: what is computed from a decoded proof, by FLINT's
 * polynomials modulo q (support/oracle.h) and libcrypto's SHAKE, from the formulas.  Derived forms
 * are computed in R_N and R_256 from the public values, not from a statement's terms.
 */
#ifndef VLDAA_TEST_ONESHOT_ORACLE_H
#define VLDAA_TEST_ONESHOT_ORACLE_H

#include "planted.h"

enum { ORACLE_MAX_ROWS = 38 };

/* What a verifier computes on its way. */
typedef struct {
	uint8_t d1[VLDAA_OS_DIGEST], d2[VLDAA_OS_DIGEST], d3[VLDAA_OS_DIGEST];
	int64_t c[VLDAA_OS_D];
	int64_t t[VLDAA_OS_SCALARS * VLDAA_OS_D];          /* T_nu */
	int64_t v[VLDAA_OS_D];                             /* centred */
	int64_t approximate[ORACLE_MAX_ROWS * VLDAA_OS_D]; /* w', centred */
	int64_t w[ORACLE_MAX_ROWS * VLDAA_OS_D];           /* Compress(w') + hint */
	uint8_t seed[VLDAA_OS_SEED];                       /* what c must come from */
} verifier_view;

/* The challenges of one run. */
typedef struct {
	int8_t *rm;     /* 256 x dim */
	int64_t *gamma; /* 4 x (256 + relations), centred */
	int64_t mu[VLDAA_OS_PAIRS * VLDAA_OS_D];
} oracle_challenges;

/* A1 (n x max_m1), A2 (n x (m2 - n)), B (7 x (m2 - n)): coefficients, centred. */
typedef struct {
	const vldaa_os_set *set;
	int64_t *a1, *a2, *b;
} oracle_matrices;
const oracle_matrices *oracle_crs(const vldaa_os_set *set);

void oracle_shake(unsigned bits, const uint8_t *in, size_t len, uint8_t *out, size_t out_len);
/* n residues modulo q, centred, of SHAKE128(in). */
void oracle_uniform(const vldaa_os_set *set, const uint8_t *in, size_t len, int64_t *out, size_t n);

/* Rm, gamma, mu from digests. */
oracle_challenges *oracle_challenge_new(const vldaa_os_statement *st);
void oracle_challenge_free(oracle_challenges *x);
void oracle_range_matrix(oracle_challenges *x, const vldaa_os_statement *st, const uint8_t *d1);
void oracle_gamma(oracle_challenges *x, const vldaa_os_statement *st, const uint8_t *d2);
void oracle_mu(oracle_challenges *x, const vldaa_os_statement *st, const uint8_t *d3);

/* Derived forms at w (m1 elements, centred), their constants multiplied by c: centred. */
void oracle_derived(const planted *p, const int64_t *w, const int64_t *c, int64_t *out);
/* W S for the witness w: dim integers, centred modulo q. */
void oracle_weighted(const planted *p, const int64_t *w, int64_t *out);
/* The scalar relations at w modulo q, centred: 256 of y3 + Rm W S - z3 and then the others'. */
void oracle_relations(const planted *p, const oracle_challenges *x, const int64_t *w,
		      const int64_t *y3, const int64_t *z3, int64_t *f);
/* T_nu = sum_r gamma_r sum sigma(z) z + c (linear part at z and zm) + c^2 (constants). */
void oracle_functional(const planted *p, const oracle_challenges *x, uint32_t nu, const int64_t *c,
		       const int64_t *z, const int64_t *zm, const int64_t *z3, int64_t *out);
/* sym(a) + Y^32 sym(b). */
void oracle_pairing(const vldaa_os_set *set, int64_t *out, const int64_t *a, const int64_t *b);

/* Section 8's formulas by division; x in [0, q). */
int64_t oracle_compress(const vldaa_os_set *set, int64_t x);
int64_t oracle_decompress(const vldaa_os_set *set, int64_t x);
int64_t oracle_high(const vldaa_os_set *set, int64_t x);
/* c from its seed, accepted by floating point. */
void oracle_challenge(int64_t c[VLDAA_OS_D], const uint8_t seed[VLDAA_OS_SEED]);
double oracle_operator_norm(const int64_t c[VLDAA_OS_D]);

/* All of it: 1 when the seed is the proof's. */
int oracle_verify(const planted *p, const vldaa_os_proof *proof, verifier_view *view);

#endif
