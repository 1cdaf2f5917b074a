/*
 * ML-DSA (FIPS 204): the signature under which pseudonyms of the one-shot sets sign, so that any
 * FIPS 204 verifier checks a message without this project.
 *
 * Names follow FIPS 204.  Keys can be generated from a seed (Algorithm 6) or made from given short
 * vectors, which is how a pseudonym's key gets the member's certified s.  No heap; the caller gives
 * the workspace.
 */
#ifndef VLDAA_MLDSA_H
#define VLDAA_MLDSA_H

#include <stddef.h>
#include <stdint.h>

#include "random/shake.h"

enum {
	VLDAA_MLDSA_N = 256,
	VLDAA_MLDSA_Q = 8380417, /* 2^23 - 2^13 + 1 */
	VLDAA_MLDSA_D = 13,      /* dropped bits of t */
	VLDAA_MLDSA_MAX_K = 8,
	VLDAA_MLDSA_MAX_L = 7,
	VLDAA_MLDSA_SEED_BYTES = 32,
	VLDAA_MLDSA_MU_BYTES = 64,
	VLDAA_MLDSA_TR_BYTES = 64,
	VLDAA_MLDSA_MAX_CTILDE = 64,
	VLDAA_MLDSA_MAX_SIGNATURE = 4627,
	VLDAA_MLDSA_MAX_PUBLIC = 2592,
	VLDAA_MLDSA_MAX_PRIVATE = 4896
};

/* FIPS 204, Table 1 and Table 2.  eta is 2 in both. */
typedef struct {
	uint32_t k, l;
	uint32_t eta;
	uint32_t tau;          /* weight of a challenge */
	int32_t beta;          /* tau * eta */
	uint32_t gamma1_bits;  /* gamma1 = 2^gamma1_bits */
	int32_t gamma2;        /* (q - 1) / 88 or (q - 1) / 32 */
	uint32_t omega;        /* most hint bits */
	uint32_t w1_bits;      /* bits of a coefficient of w1: 6 or 4 */
	uint32_t ctilde_bytes; /* lambda / 4 */
	uint32_t public_bytes, private_bytes, signature_bytes;
} vldaa_mldsa_set;

extern const vldaa_mldsa_set vldaa_mldsa_44;
extern const vldaa_mldsa_set vldaa_mldsa_87;

/* Coefficients of one element of Z_q[X]/(X^256+1); each function states its range and domain. */
typedef struct {
	int32_t c[VLDAA_MLDSA_N];
} vldaa_mldsa_poly;

/* A private key, decoded: short vectors in the coefficient domain.  s1, s2, t0 hold l, k, k
 * elements. */
typedef struct {
	const vldaa_mldsa_set *set;
	uint8_t rho[VLDAA_MLDSA_SEED_BYTES];
	uint8_t K[VLDAA_MLDSA_SEED_BYTES];
	uint8_t tr[VLDAA_MLDSA_TR_BYTES];
	vldaa_mldsa_poly s1[VLDAA_MLDSA_MAX_L];
	vldaa_mldsa_poly s2[VLDAA_MLDSA_MAX_K];
	vldaa_mldsa_poly t0[VLDAA_MLDSA_MAX_K];
} vldaa_mldsa_private;

/* What every signature of a key needs, expanded from it once: all in the NTT domain.  A, which
 * everybody knows, comes last: what is before it can lie in memory that is scarce. */
typedef struct {
	const vldaa_mldsa_set *set;
	uint8_t K[VLDAA_MLDSA_SEED_BYTES];
	vldaa_mldsa_poly s1[VLDAA_MLDSA_MAX_L];
	vldaa_mldsa_poly s2[VLDAA_MLDSA_MAX_K];
	vldaa_mldsa_poly t0[VLDAA_MLDSA_MAX_K];
	vldaa_mldsa_poly a[VLDAA_MLDSA_MAX_K * VLDAA_MLDSA_MAX_L]; /* A */
} vldaa_mldsa_expanded;

/* What every verification with a public key needs, expanded from it once, in the NTT domain: A, k l elements, and
 * 2^d t1, k elements, in the caller's memory; read-only afterwards. */
typedef struct {
	const vldaa_mldsa_set *set;
	vldaa_mldsa_poly *a;
	vldaa_mldsa_poly *t1;
} vldaa_mldsa_verifying;

/* Scratch of key generation, signing and verification; whatever had secrets in it leaves it zero.
 */
typedef struct {
	vldaa_mldsa_expanded key;
	vldaa_mldsa_poly y[VLDAA_MLDSA_MAX_L];
	vldaa_mldsa_poly z[VLDAA_MLDSA_MAX_L];
	vldaa_mldsa_poly w[VLDAA_MLDSA_MAX_K];
	vldaa_mldsa_poly w1[VLDAA_MLDSA_MAX_K];
	vldaa_mldsa_poly h[VLDAA_MLDSA_MAX_K];
	vldaa_mldsa_poly c;
	vldaa_mldsa_poly tmp;
	uint8_t packed[VLDAA_MLDSA_MAX_PUBLIC];
} vldaa_mldsa_workspace;

/* ML-DSA.KeyGen_internal (Algorithm 6): seed xi -> public key bytes and private key. */
void vldaa_mldsa_keygen(const vldaa_mldsa_set *set, uint8_t *public_key,
			vldaa_mldsa_private *private_key, const uint8_t xi[32],
			vldaa_mldsa_workspace *ws);

/* The key of given rho, K, s1, s2 (already in private_key): t = A s1 + s2; fills tr and t0, the
 * public key, and (t not NULL) t itself, k elements with coefficients in [0, q). */
void vldaa_mldsa_complete(uint8_t *public_key, vldaa_mldsa_private *private_key,
			  vldaa_mldsa_poly *t, vldaa_mldsa_workspace *ws);
/* The same, and the key expanded, with the one A that completing it takes. */
void vldaa_mldsa_complete_expanded(uint8_t *public_key, vldaa_mldsa_private *private_key,
				   vldaa_mldsa_poly *t, vldaa_mldsa_expanded *expanded,
				   vldaa_mldsa_workspace *ws);

/* skEncode and skDecode (Algorithms 24, 25); decode returns VLDAA_OK, or VLDAA_ERR_RANGE and a zero
 * key when a coefficient of s1, s2 is out of [-eta, eta].  It does not check that tr, t0 belong to
 * the rest. */
void vldaa_mldsa_encode_private(uint8_t *out, const vldaa_mldsa_private *key);
int vldaa_mldsa_decode_private(vldaa_mldsa_private *key, const vldaa_mldsa_set *set,
			       const uint8_t *in);

/*
 * mu = H(tr || 0 || length of context (1) || context || M): begin, absorb M, end (Algorithm 2, line
 * 10 and Algorithm 7, line 6).  context_len <= 255.
 */
void vldaa_mldsa_mu_begin(vldaa_shake *s, const uint8_t tr[VLDAA_MLDSA_TR_BYTES],
			  const void *context, size_t context_len);
void vldaa_mldsa_mu_end(vldaa_shake *s, uint8_t mu[VLDAA_MLDSA_MU_BYTES]);
/* tr = H(public key, 64). */
void vldaa_mldsa_tr(const vldaa_mldsa_set *set, const uint8_t *public_key,
		    uint8_t tr[VLDAA_MLDSA_TR_BYTES]);

/* ML-DSA.Sign_internal (Algorithm 7) from mu on; rnd: 32 fresh bytes (hedged) or zeroes
 * (deterministic).  VLDAA_OK, or VLDAA_ERR_ATTEMPTS and an untouched signature after 1,000 attempts
 * (FIPS 204 Appendix C allows a limit of 814 or more). */
int vldaa_mldsa_sign(const vldaa_mldsa_private *key, const uint8_t mu[VLDAA_MLDSA_MU_BYTES],
		     const uint8_t rnd[32], uint8_t *signature, vldaa_mldsa_workspace *ws);
/* The same with a key that was expanded, which may be the workspace's own: then it is wiped. */
int vldaa_mldsa_sign_expanded(const vldaa_mldsa_expanded *key,
			      const uint8_t mu[VLDAA_MLDSA_MU_BYTES], const uint8_t rnd[32],
			      uint8_t *signature, vldaa_mldsa_workspace *ws);

/* ML-DSA.Verify_internal (Algorithm 8) from mu on: VLDAA_OK, VLDAA_ERR_ENCODING (not a signature's
 * encoding), VLDAA_ERR_NORM, VLDAA_ERR_PROOF.  Variable time in public values only. */
int vldaa_mldsa_verify(const vldaa_mldsa_set *set, const uint8_t *public_key,
		       const uint8_t mu[VLDAA_MLDSA_MU_BYTES], const uint8_t *signature,
		       vldaa_mldsa_workspace *ws);
/* The same with a key that was expanded into key's memory. */
void vldaa_mldsa_expand_public(const vldaa_mldsa_verifying *key, const uint8_t *public_key);
int vldaa_mldsa_verify_expanded(const vldaa_mldsa_verifying *key,
				const uint8_t mu[VLDAA_MLDSA_MU_BYTES], const uint8_t *signature,
				vldaa_mldsa_workspace *ws);

#endif
