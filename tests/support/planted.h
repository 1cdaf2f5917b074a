/*
 * Statements of the one-shot sets with a witness of the test's own choice, without an issuer: the
 * short values are chosen first, then the public u, t or u_T that makes their equations true.
 *
 *   planted_new      public values and an honest member's secrets, from a number
 *                    (here a test changes what it wants in `secret`)
 *   planted_publish  u and t, or u_T, and the carries
 *   planted_witness  the digits theta, and w1 as the prover takes it
 *                    (here a test changes what it wants in `w1`)
 */
#ifndef VLDAA_TEST_PLANTED_H
#define VLDAA_TEST_PLANTED_H

#include "scheme/oneshot.h"

enum {
	PLANTED_N = VLDAA_OS_MAX_N,
	PLANTED_S = VLDAA_MLDSA_MAX_L * VLDAA_MLDSA_N,
	PLANTED_E = VLDAA_OS_MAX_ROWS * VLDAA_MLDSA_N,
	PLANTED_M1 = 73
};

enum statement_kind { PLANTED_JOIN, PLANTED_CREATE };

/* Values are integers but v_1 and x, which are kept doubled so that a test can choose halves. */
typedef struct {
	int64_t v1_doubled[PLANTED_N];
	int64_t v2[PLANTED_N];
	int64_t x_doubled[VLDAA_OS_TAG_BITS];
	int64_t s[PLANTED_S];
	int64_t E[PLANTED_E];
	int64_t e_t[PLANTED_N];
} planted_secret;

typedef struct {
	const vldaa_oneshot_set *set;
	enum statement_kind kind;
	/* Public, centred: modulo p, and modulo q1. */
	int64_t h[PLANTED_N], bx[PLANTED_N], d0[PLANTED_N], d1[PLANTED_N];
	int64_t a[VLDAA_OS_MAX_ROWS * PLANTED_S];
	planted_secret secret;
	int64_t u[PLANTED_N], t[PLANTED_E], u_t[PLANTED_N];
	/* k_c (or k_J) and k. */
	int64_t k_c[PLANTED_N], k[PLANTED_E];
	int64_t w1[PLANTED_M1 * VLDAA_OS_D]; /* centred modulo q */
	/* What the prover is given; bind is made of planted_new's number. */
	vldaa_os_group group;
	vldaa_os_tables tables;
	vldaa_os_statement statement;
	vldaa_arena arena;
} planted;

planted *planted_new(const vldaa_oneshot_set *set, enum statement_kind kind, uint8_t number);
void planted_publish(planted *p);
void planted_witness(planted *p);
/* All three, honest. */
planted *planted_honest(const vldaa_oneshot_set *set, enum statement_kind kind, uint8_t number);
void planted_free(planted *p);

/* The statement once more, after a test changed public values. */
void planted_restate(planted *p);
/* The digits theta once more, of w1 as it is; a bound that is passed gets zeroes. */
void planted_digits(planted *p);

/* Sum of squares, UINT64_MAX when it is larger. */
uint64_t planted_norm2(const int64_t *a, size_t n);
/* Changes the last entries so that the squared norm is exactly this; it is not much larger before,
 * and entries stay within max. */
void planted_fit(int64_t *a, size_t n, int64_t max, uint64_t norm2);

/* out = a b over the integers in Z[X]/(X^n + 1). */
void planted_times(size_t n, int64_t *out, const int64_t *a, const int64_t *b);
/* x modulo the odd m, centred. */
int64_t planted_centred(int64_t x, int64_t m);

/* The CRS of a set, and workspaces; the test's process ends before they are freed. */
const vldaa_os_crs *planted_crs(const vldaa_os_set *set);
void *planted_memory(size_t size);
int planted_verify(const vldaa_os_statement *st, vldaa_bytes proof);

#endif
