/*
 * A slow second opinion on what one-shot members, issuers and pseudonyms are made of: the documented
 * formulas by libcrypto's SHAKE and plain sums, without the library's hashing, transforms or
 * samplers.  Polynomials come out centred.
 */
#ifndef VLDAA_TEST_ONESHOT_SLOW_H
#define VLDAA_TEST_ONESHOT_SLOW_H

#include "scheme/oneshot.h"

/* H(tag, parts): SHAKE128 or 256 over len8(tag) tag, the set's id, { length (8 bytes), part }*. */
void slow_hash(unsigned bits, const char *tag, uint32_t set_id, const vldaa_bytes *parts,
	       size_t count, uint8_t *out, size_t len);

/* u, b_x, D_0, D_1 (1 to 4) of a group key's payload. */
void slow_public(const vldaa_oneshot_set *n, uint32_t which, const uint8_t *payload, int64_t *out);
/* D s = D_0 S_0 + D_1 S_1 and b_x X over the integers; both in Z[X]/(X^N + 1). */
void slow_times_d(const vldaa_oneshot_set *n, int64_t *out, const int64_t *d0, const int64_t *d1,
		  const int64_t *s);
void slow_times_bx(const vldaa_oneshot_set *n, int64_t *out, const int64_t *bx, const uint8_t *x);

/* What a pseudonym's key is made of. */
typedef struct {
	const vldaa_oneshot_set *n;
	const uint8_t *prf_key; /* K_T */
	const uint8_t *key_id;
	vldaa_bytes basename;
} slow_nym;
void slow_rho(const slow_nym *y, uint8_t rho[32]);
void slow_key(const slow_nym *y, uint8_t key[32]);
/* Draw number `counter` of s2: k polynomials of 256. */
void slow_draw(const slow_nym *y, uint32_t counter, int64_t *s2);
/* The draw that is kept; returns its number. */
uint32_t slow_s2(const slow_nym *y, int64_t *s2);

/* A_(row, column) of ExpandA(rho), in the coefficient domain. */
void slow_matrix_entry(const uint8_t rho[32], uint32_t row, uint32_t column,
		       int64_t out[VLDAA_MLDSA_N]);

/* Z_q1[X]/(X^256 + 1), for oracle_mul. */
vldaa_ring slow_mldsa_ring(void);

#endif
