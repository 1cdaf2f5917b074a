/*
 * The host: does what the TPM need not do.  With a published set it keeps e_H and the credential, and
 * makes its part of each proof; with a one-shot set the TPM is the member, and the host passes bytes
 * on and verifies what goes out.  It cannot sign without the TPM.  Every call for the TPM is bytes;
 * how they get there is the caller's business.  For outputs and errors see object.h.
 */
#ifndef VLDAA_HOST_H
#define VLDAA_HOST_H

#include "vldaa/object.h"

typedef struct vldaa_host vldaa_host;

/* A host for the group of this public key. */
VLDAA_API int vldaa_host_new(vldaa_host **host, const uint8_t *group_key,
			     size_t len) VLDAA_MUST_CHECK;
/* Wipes and frees; NULL is allowed. */
VLDAA_API void vldaa_host_free(vldaa_host *host);
VLDAA_API const vldaa_set *vldaa_host_set(const vldaa_host *host);
VLDAA_API const uint8_t *vldaa_host_key_id(const vldaa_host *host);

/* Makes the host's key and loads it; out is the secret HOST_KEY object to keep. */
VLDAA_API int vldaa_host_keygen(vldaa_host *host, uint8_t *out, size_t cap,
				size_t *len) VLDAA_MUST_CHECK;
/* Loads a kept key, and the credential object when the member has joined (else NULL, 0), in place
 * of what the host had. */
VLDAA_API int vldaa_host_load(vldaa_host *host, const uint8_t *key, size_t key_len,
			      const uint8_t *credential, size_t credential_len) VLDAA_MUST_CHECK;

/* Join: the issuer's nonce object in, the call for vldaa_tpm_request out. */
VLDAA_API int vldaa_host_join(vldaa_host *host, const uint8_t *nonce, size_t nonce_len,
			      uint8_t *out, size_t cap, size_t *len) VLDAA_MUST_CHECK;
/* Join: checks the credential object that vldaa_tpm_accept gave, and loads it; the caller keeps the
 * object when this is VLDAA_OK, and drops it otherwise.  tpm_public: of vldaa_tpm_public_key, the key
 * that a published set's credential satisfies equation (1) with, and that a one-shot set's receipt
 * names (the credential is in the TPM, which has checked it): VLDAA_ERR_CREDENTIAL when not. */
VLDAA_API int vldaa_host_accept(vldaa_host *host, const uint8_t *credential, size_t len,
				const uint8_t *tpm_public, size_t tpm_public_len) VLDAA_MUST_CHECK;

/*
 * Create.  begin gives the first call for vldaa_tpm_create; step takes its reply and gives either
 * the next call (*done 0) or the attestation (*done 1), which has been verified.  Usually a few
 * steps.
 *
 * A host's masks serve one reply: whatever is wrong with a reply ends this Create, and further
 * steps are VLDAA_ERR_STATE until the next begin.  VLDAA_ERR_BUFFER does not end it.  A begin that
 * is not refused for its arguments ends the Create before it, as do load and accept.
 */
VLDAA_API int vldaa_host_create_begin(vldaa_host *host, const uint8_t *basename,
				      size_t basename_len, uint8_t *call, size_t cap,
				      size_t *len) VLDAA_MUST_CHECK;
VLDAA_API int vldaa_host_create_step(vldaa_host *host, const uint8_t *reply, size_t reply_len,
				     uint8_t *out, size_t cap, size_t *len,
				     int *done) VLDAA_MUST_CHECK;

enum vldaa_form {
	VLDAA_FORM_SELF_CONTAINED = 0, /* carries the attestation */
	VLDAA_FORM_COMPACT = 1,        /* carries its digest */
	VLDAA_FORM_BARE = 2            /* the ML-DSA signature (FIPS 204) alone, without a header */
};
/* Puts the bare signature of vldaa_tpm_sign_end and its attestation into a form.  Whether they are
 * valid is not checked here: it takes the message.  VLDAA_FORM_BARE: VLDAA_ERR_FORM for a set
 * whose vldaa_set_bare_size is 0. */
VLDAA_API int vldaa_host_signature(const vldaa_host *host, enum vldaa_form form,
				   const uint8_t *attestation, size_t attestation_len,
				   const uint8_t *bare, size_t bare_len, uint8_t *out, size_t cap,
				   size_t *len) VLDAA_MUST_CHECK;

#endif
