/*
 * BlindSign and BlindVerify: the attestation of the published sets (del Pino, Lyubashevsky, Seiler,
 * CCS 2018, adapted to DAA by Chen et al. 2019 and 2021; SC24 section 2.3 Create).
 *
 * The member holds a credential (i, s) with
 *
 *     [A' | B + i g] s = u + u_T + u_H   (mod q),  g = (1, delta)                       (1)
 *
 * commits to i and delta i with r, r' and shows under one challenge c
 *
 *   P1  t_1 = A_1 r, t'_1 = A_1 r', t'_2 - delta t_2 = A_2 (r' - delta r)   (one tag in both)
 *   P2  sigma_5(t_1) = sigma_5(A_1) r~, t_2 - sigma_5(t_2) = A_2 r - sigma_5(A_2) r~,
 *       r~ = sigma_5(r)   (the tag is fixed by sigma_5, so it lies in Z_q + Z_q X^(d/2))
 *   P3  A' s_1 + (B + [t_2 t'_2]) s_2 - a_T e_T - a_H e_H - A_2 s_3 = u,
 *       s_3 = r s_20 + r' s_21                                                            (2)
 *   P4  nym = b e_T1 + e_N, with P3's e_T.
 *
 * (2) is (1): (B + [t_2 t'_2]) s_2 = B s_2 + i g s_2 + A_2 s_3.  A_2's first entry is 0, so the
 * first component of s_3 is neither masked nor sent.
 *
 * First messages from masks y, and what the verifier computes from z = y + c secret:
 *   w_1  = A_1 y_r                                 = A_1 z_r - c t_1
 *   w'_1 = A_1 y_r'                                = A_1 z_r' - c t'_1
 *   w~_1 = sigma_5(A_1) y_r~                       = sigma_5(A_1) z_r~ - c sigma_5(t_1)
 *   w_2  = A_2 y_r - sigma_5(A_2) y_r~
 *        = A_2 z_r - sigma_5(A_2) z_r~ - c (t_2 - sigma_5(t_2))
 *   w_d  = A_2 y_r' - delta A_2 y_r                = A_2 (z_r' - delta z_r) - c (t'_2 - delta t_2)
 *   w_3  = A' y_s1 + (B + [t_2 t'_2]) y_s2 - a_H y_H - A_2 y_s3 - a_T y_T
 *        = (the same in z) - c u
 *   w_N  = b y_T1 + y_N                            = b z_T1 + z_N - c nym
 *
 * The TPM knows only e_T and e_N: it adds -a_T y_T to the host's part of w_3, computes w_N, chooses
 * a nonce, derives c~ and answers for its blocks.
 */
#ifndef VLDAA_BLINDSIGN_H
#define VLDAA_BLINDSIGN_H

#include "proof/commitment.h"
#include "proof/fswa.h"

/* The first messages, one polynomial each, in the order of the hash D_H, then w_3 and w_N. */
enum vldaa_first_message {
	VLDAA_W_1,
	VLDAA_W_1P,
	VLDAA_W_1S,
	VLDAA_W_2,
	VLDAA_W_D,
	VLDAA_W_3,
	VLDAA_W_N,
	VLDAA_FIRST_MESSAGES
};
enum vldaa_commitment_row { VLDAA_T_1, VLDAA_T_2, VLDAA_T_1P, VLDAA_T_2P, VLDAA_COMMITMENTS };

enum {
	VLDAA_HOST_POLYS = 17, /* polynomials of the host's responses: 3 3 3 2 2 2 2 */
	VLDAA_TPM_POLYS = 3    /* of the TPM's: z_T (2), z_N (1) */
};
/* First polynomial of each host block. */
extern const uint8_t vldaa_host_block_start[VLDAA_HOST_BLOCKS];

/* D_H = H("create-host", key id, t's, w_1, w'_1, w~_1, w_2, w_d).  t: 4 polynomials; w: 5 (or
 * more). */
void vldaa_commit_digest(const vldaa_published_set *set, const uint8_t *key_id, const int64_t *t,
			 const int64_t *w, uint8_t digest[VLDAA_COMMIT_DIGEST_BYTES]);
/* c~ = H("create", key id, bsn, nym, D_H, w_3, w_N, nonce). */
void vldaa_create_challenge(const vldaa_published_set *set, const uint8_t *key_id,
			    vldaa_bytes basename, const int64_t *nym, const uint8_t *commit_digest,
			    const int64_t *w3, const int64_t *wn, const uint8_t *nonce,
			    uint8_t *c_tilde);

/* --- BlindVerify -------------------------------------------------------------------------------
 */

typedef struct {
	int64_t *t;      /* 4: t_1 t_2 t'_1 t'_2 */
	int64_t *nym;    /* 1 */
	int64_t *z_host; /* 17 */
	int64_t *z_tpm;  /* 3 */
	int64_t *w;      /* 7 */
	int64_t *poly;   /* 2, scratch */
	uint32_t *z_hat; /* 20: host's, then the TPM's */
	uint32_t *c_hat; /* 1 */
	uint32_t *hat;   /* 3, scratch */
} vldaa_blind_verify;

void vldaa_blind_verify_layout(vldaa_blind_verify *v, const vldaa_ring *r, vldaa_arena *a);
/* The attestation's payload:
 * nym | t_1 | t_2 | t'_1 | t'_2 | c~ | nonce | host's 7 responses | TPM's 2 responses.
 * On success v->nym holds nym. b_hat: H(bsn). */
int vldaa_blind_verify_run(const vldaa_public_keys *keys, vldaa_blind_verify *v,
			   vldaa_bytes basename, const uint32_t *b_hat, vldaa_bytes payload);

/* --- the host's part of BlindSign --------------------------------------------------------------
 */

/* Everything of one Create; secrets in it are wiped by vldaa_blind_host_wipe. */
typedef struct {
	int64_t *r;           /* 9: r, r', r~ */
	int64_t *s3;          /* 2 */
	int64_t *t;           /* 4 */
	int64_t *w;           /* 7 (the host fills the first six) */
	int64_t *y;           /* 17: masks, then responses */
	int64_t *z_tpm;       /* 3: of the reply */
	int64_t *nym;         /* 1 */
	int64_t *poly;        /* 2, scratch */
	uint32_t *secret_hat; /* 17: the secrets of the blocks, in the blocks' order */
	uint32_t *y_hat;      /* 17 */
	uint32_t *bt_hat;     /* 2: b_0 + t_2, b_1 + t'_2 */
	uint32_t *c_hat;      /* 1 */
	uint32_t *hat;        /* 3, scratch */
	uint8_t commit_digest[VLDAA_COMMIT_DIGEST_BYTES];
} vldaa_blind_host;

void vldaa_blind_host_layout(vldaa_blind_host *h, const vldaa_ring *r, vldaa_arena *a);
/* Draws r, r' and commits.  s: 4 polynomials; s_hat, e_hat: 4 and 2 elements. */
int vldaa_blind_host_commit(const vldaa_public_keys *keys, vldaa_blind_host *h,
			    const int64_t tag[2], const uint32_t *s_hat, const uint32_t *e_hat,
			    vldaa_rng *rng);
/* Fresh masks and first messages; writes D_H and the host's part of w_3: the call's payload. */
void vldaa_blind_host_first(const vldaa_public_keys *keys, vldaa_blind_host *h, vldaa_rng *rng,
			    vldaa_writer *call);
/* The TPM's reply: 1 when the host keeps this attempt and has written the attestation's payload, 0
 * when fresh masks are needed (nothing written), negative: an error of the reply. */
int vldaa_blind_host_respond(const vldaa_public_keys *keys, vldaa_blind_host *h, vldaa_bytes reply,
			     vldaa_rng *rng, vldaa_writer *payload);

/* --- the TPM's part ----------------------------------------------------------------------------
 */

typedef struct {
	int64_t *e;      /* 3: e_T0, e_T1, e_N */
	int64_t *y;      /* 3: masks, then responses */
	int64_t *nym;    /* 1 */
	int64_t *w3host; /* 1 */
	int64_t *w;      /* 2: w_3, w_N */
	int64_t *poly;   /* 1, scratch */
	uint32_t *e_hat; /* 3 */
	uint32_t *y_hat; /* 3 */
	uint32_t *at1;   /* 1 */
	uint32_t *b;     /* 1 */
	uint32_t *c_hat; /* 1 */
	uint32_t *hat;   /* 1, scratch */
} vldaa_blind_tpm;

void vldaa_blind_tpm_layout(vldaa_blind_tpm *t, const vldaa_ring *r, vldaa_arena *a);

/* b, e_N and nym = b e_T1 + e_N for this basename; t->e's first two polynomials are e_T.
 * prf_key: K_T.  Same basename, same result, always. */
int vldaa_blind_tpm_nym(const vldaa_published_set *set, vldaa_blind_tpm *t, const uint8_t *key_id,
			const uint8_t *prf_key, vldaa_bytes basename);
/* The same with an e_N that is given: t->e is e_T, e_N. */
void vldaa_blind_tpm_given_nym(const vldaa_published_set *set, vldaa_blind_tpm *t,
			       const uint8_t *key_id, vldaa_bytes basename);
/* The reply to a call, after vldaa_blind_tpm_nym: c~ | nonce | nym | z_T | z_N. */
int vldaa_blind_tpm_reply(const vldaa_published_set *set, vldaa_blind_tpm *t, const uint8_t *key_id,
			  const uint8_t *rho, vldaa_bytes basename, vldaa_bytes call,
			  vldaa_rng *rng, vldaa_writer *reply);

#endif
