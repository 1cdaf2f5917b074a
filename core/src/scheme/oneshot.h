/*
 * The scheme of the one-shot sets: ML-DSA pseudonyms, NTRU credentials, the one-shot proof.
 *
 *   v_1 + h v_2 = u + b_x X + D s   (mod p)                                                  (C)
 *
 * s in [-2,2]^(256 l) is the member's key: l polynomials of R_256, also the first secret vector of every ML-DSA
 * pseudonym key.  R_256 polynomials are packed into R_N (N = 512 or 1024, per = N/256):
 * pack(a_0, ..) = sum X^i a_i(X^per); D s = D_0 S_0 + D_1 S_1 with S_0, S_1 of `per` polynomials of s each (the last may
 * be missing); X = x(X^per).
 *
 * oneshot.c has the table, sizes and Setup's public part; oneshot_statement.c the two statements; oneshot_join.c
 * keys and Join; oneshot_create.c Create; oneshot_sign.c pseudonyms and Sign; oneshot_verifier.c the verifier's side; oneshot_issuer.c
 * the issuer's.
 */
#ifndef VLDAA_ONESHOT_SCHEME_H
#define VLDAA_ONESHOT_SCHEME_H

#include "proof/oneshot.h"
#include "scheme/oneshot_set.h"
#include "scheme/scheme.h"

enum {
	VLDAA_OS_MAX_N = 1024,
	VLDAA_OS_MAX_T = VLDAA_OS_MAX_N / VLDAA_OS_D, /* elements of R per R_N */
	VLDAA_OS_QUARTERS = 4,                        /* elements of R per R_256 */
	VLDAA_OS_MAX_ROWS = 2,
	VLDAA_OS_ROGUE_MAX = 63, /* no coefficient of an s with ||s||^2 < 4096 is larger */
	VLDAA_OS_PRF_BYTES = 32,
	VLDAA_OS_X_BYTES = 32
};

/* Multiplication by a public element of R_N (or R_256) as a matrix over R: entry (i, j) is element (i - j) mod t of
 * h, times Y when i < j.  2 t hat elements: the elements, then Y times them; all scaled by one constant modulo q. */
typedef struct {
	uint32_t t;
	uint32_t *hats;
} vldaa_os_matrix;

/* Everybody's view of a group. */
typedef struct {
	const vldaa_set *set;
	const vldaa_oneshot_set *n;
	uint8_t key_id[VLDAA_KEY_ID_BYTES];
	uint8_t crs_digest[VLDAA_OS_DIGEST];        /* of the group key's payload */
	int64_t *h, *u, *bx, *d0, *d1;              /* R_N, centred modulo p */
	uint32_t *h_hat, *bx_hat, *d0_hat, *d1_hat; /* the same for the ring `big` */
} vldaa_os_group;

/* The two statements about public values: matrices and terms. */
typedef struct {
	vldaa_os_matrix h, bx, d0, d1; /* scaled by 1/p, signs as in k_c */
	vldaa_os_matrix a[VLDAA_OS_MAX_ROWS * VLDAA_MLDSA_MAX_L]; /* rows of A, scaled by 1/q1 */
	uint32_t *inverse_p, *inverse_q1;                         /* constants as elements */
	vldaa_os_term *terms;
	int64_t *constants;
} vldaa_os_tables;

size_t vldaa_os_terms_max(const vldaa_oneshot_set *n);
void vldaa_os_tables_layout(vldaa_os_tables *t, const vldaa_oneshot_set *n, vldaa_arena *a);

/* Create's statement for these rows of A (coefficient domain, centred modulo q1: rows * l polynomials) and of t. */
void vldaa_os_attestation_statement(vldaa_os_statement *st, vldaa_os_tables *t,
				    const vldaa_os_group *g, const int64_t *a_rows,
				    const int64_t *t_rows);
/* Join's statement for this u_T (centred). */
void vldaa_os_join_statement(vldaa_os_statement *st, vldaa_os_tables *t, const vldaa_os_group *g,
			     const int64_t *u_t);

/* Elements of R of a polynomial of degree 64 t: out[i] = coefficients i, i + t, i + 2t, ... */
void vldaa_os_split(int64_t *out, const int64_t *a, uint32_t t);

/* S_0, S_1 of s (l polynomials of 256). */
void vldaa_os_pack_s(const vldaa_oneshot_set *n, int64_t *s0, int64_t *s1, const int64_t *s);

/* A pseudonym's public part: A's first rows and t, from its bytes. */
typedef struct {
	uint8_t rho[32];
	int64_t *a_rows;     /* rows * l polynomials, coefficient domain, centred modulo q1 */
	int64_t *t_rows;     /* rows polynomials, centred */
	uint8_t *public_key; /* ML-DSA: rho || t1 */
} vldaa_os_nym;

void vldaa_os_nym_layout(vldaa_os_nym *y, const vldaa_oneshot_set *n, vldaa_arena *a);
/* rho = H("VLDAA2 nym", key id, bsn). */
void vldaa_os_rho(const vldaa_set *set, const uint8_t *key_id, vldaa_bytes basename,
		  uint8_t rho[32]);
/* The proven rows in the coefficient domain of A, which ExpandA gives in the NTT domain. */
void vldaa_os_rows_of_a(const vldaa_oneshot_set *n, int64_t *a_rows, const vldaa_mldsa_poly *a);
/* nym bytes: proven rows of t, 23 bits a coefficient, then t1 of the others, 10 bits. */
size_t vldaa_os_nym_size(const vldaa_oneshot_set *n);
int vldaa_os_nym_decode(const vldaa_oneshot_set *n, vldaa_os_nym *y, const uint8_t *bytes);
/* The pseudonym as an ML-DSA public key. */
int vldaa_oneshot_public_key(const vldaa_set *set, const uint8_t *key_id, vldaa_bytes basename,
			     const uint8_t *nym, uint8_t *out);
void vldaa_os_nym_encode(const vldaa_oneshot_set *n, uint8_t *bytes, const vldaa_mldsa_poly *t);
/* seed_0 of Create: everything public. */
void vldaa_os_create_bind(const vldaa_os_group *g, vldaa_bytes basename, const uint8_t *nym,
			  uint8_t bind[VLDAA_OS_DIGEST]);
void vldaa_os_join_bind(const vldaa_os_group *g, vldaa_bytes bind, const uint8_t *u_t,
			uint8_t digest[VLDAA_OS_DIGEST]);

/* u_T packed: 14 bits a coefficient, in [0, p). */
size_t vldaa_os_ut_size(const vldaa_oneshot_set *n);
/* The host's receipt for a credential in its TPM: H("VLDAA2 receipt", u_T as packed). */
void vldaa_os_receipt(const vldaa_oneshot_set *n, const uint8_t *u_t,
		      uint8_t receipt[VLDAA_DIGEST_BYTES]);

/* The credential: x (32 bytes) | v_2 Rice-coded. */
typedef struct {
	uint8_t x[VLDAA_OS_X_BYTES];
	int64_t v2[VLDAA_OS_MAX_N];
} vldaa_os_credential;
int vldaa_os_credential_put(const vldaa_oneshot_set *n, vldaa_writer *w,
			    const vldaa_os_credential *c);
int vldaa_os_credential_get(const vldaa_oneshot_set *n, vldaa_os_credential *c, vldaa_bytes in);
/*
 * What issuer and member check, on public values only (a member's refusal must say nothing about e_T):
 * v' = centred(u + b_x X + u_T - h v_2), k' = (v' + h v_2 - u - b_x X - u_T) / p over the integers;
 * ||(v', v_2)||^2 <= accept2 and ||k'||^2 <= kc_accept2.  scratch: 1 hat element of `big` and 3 polynomials of N.
 */
int vldaa_os_credential_check(const vldaa_os_group *g, const int64_t *u_t,
			      const vldaa_os_credential *c, uint32_t *hat_scratch,
			      int64_t *scratch);

/* For memory that serves both statements, one after the other. */
static inline size_t vldaa_os_larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

static inline const vldaa_oneshot_set *vldaa_oneshot_numbers(const vldaa_set *set)
{
	return set->numbers;
}

#endif
