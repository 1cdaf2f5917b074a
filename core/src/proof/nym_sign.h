/*
 * Signatures under a pseudonym nym = b e_T1 + e_N (scheme documentation, "Sign and Verify"):
 *
 *   w = b y_1 + y_N,  c~ = H("sign", type, key id, bsn, nym, attestation digest, w, message
 * digest), z_1 = y_1 + c e_T1, z_N = y_N + c e_N;  signature (c~, z_1, z_N). Verify: norms, and c~
 * = H(..., b z_1 + z_N - c nym, ...).
 *
 * The message is hashed first (SHAKE-256, 64 bytes), so that it may have any length.
 */
#ifndef VLDAA_NYM_SIGN_H
#define VLDAA_NYM_SIGN_H

#include "proof/blindsign.h"

enum { VLDAA_MESSAGE_DIGEST_BYTES = 64 };

void vldaa_message_digest_begin(const vldaa_published_set *set, vldaa_message *m);
void vldaa_message_digest_end(vldaa_message *m, uint8_t digest[VLDAA_MESSAGE_DIGEST_BYTES]);

/* After vldaa_blind_tpm_nym for the same basename: t holds b, e_T1, e_N, nym.  rng: fresh, bound by
 * the caller to the key and the basename; bound here to the rest of what the challenge is over. */
int vldaa_nym_sign(const vldaa_published_set *set, vldaa_blind_tpm *t,
		   const vldaa_sign_subject *about, const uint8_t *message_digest, vldaa_rng *rng,
		   vldaa_writer *out);

typedef struct {
	int64_t *z;      /* 2: z_1, z_N */
	int64_t *w;      /* 1 */
	int64_t *poly;   /* 1, scratch */
	uint32_t *z_hat; /* 2 */
	uint32_t *c_hat; /* 1 */
} vldaa_nym_verify;

void vldaa_nym_verify_layout(vldaa_nym_verify *v, const vldaa_ring *r, vldaa_arena *a);
int vldaa_nym_verify_run(const vldaa_published_set *set, vldaa_nym_verify *v, const uint32_t *b_hat,
			 const int64_t *nym, const uint32_t *nym_hat,
			 const vldaa_sign_subject *about, const uint8_t *message_digest,
			 vldaa_bytes signature);

#endif
