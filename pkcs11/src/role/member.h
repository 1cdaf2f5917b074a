/*
 * A member on a token: the TPM role, whose key is in the store's records, and the host role, whose
 * part is one secret string: { length (4 bytes, big-endian) | bytes } for the group key, the HOST_KEY
 * and the CREDENTIAL (empty before Join).
 *
 * Outputs are empty after an error, and else for vldaa_p11_bytes_free.
 */
#ifndef VLDAA_P11_MEMBER_H
#define VLDAA_P11_MEMBER_H

#include "../store/store.h"
#include "bytes.h"
#include "endorsement.h"
#include "vldaa/host.h"

/* Invariant: what it points to stays as long as it is used. */
typedef struct {
	vldaa_p11_store *store;
	const uint8_t *master;
	const uint8_t *group, *host_key, *credential;
	size_t group_len, host_key_len, credential_len;
	const vldaa_set *set;
	uint8_t key_id[VLDAA_KEY_ID_BYTES];
} vldaa_p11_member;

/* Reads a member's secret string.  VLDAA_P11_ERR_FOREIGN when it is none. */
int vldaa_p11_member_init(vldaa_p11_member *m, vldaa_p11_store *store, const uint8_t *master,
			  const uint8_t *secret, size_t len);

/* Both roles' keys for this group: the secret string, and the TPM's public key.  The caller's
 * transaction makes it one with what else is to be written. */
int vldaa_p11_member_make(vldaa_p11_bytes *secret, vldaa_p11_bytes *tpm_public,
			  vldaa_p11_store *store, const uint8_t *master, const uint8_t *group,
			  size_t group_len);
/* Join. certificates: all that the token has, the newest last. */
int vldaa_p11_member_request(const vldaa_p11_member *m, const vldaa_p11_der *certificates,
			     size_t count, const uint8_t *nonce, size_t nonce_len, uint8_t *out,
			     size_t cap, size_t *len);
/* Join: the secret string with the credential, checked.  Caller's transaction. */
int vldaa_p11_member_finish(const vldaa_p11_member *m, const uint8_t *answer, size_t answer_len,
			    vldaa_p11_bytes *secret);
/* The attestation and the PSEUDONYM object. */
int vldaa_p11_member_create(const vldaa_p11_member *m, const uint8_t *basename, size_t basename_len,
			    vldaa_p11_bytes *attestation, vldaa_p11_bytes *pseudonym);
/* VLDAA_ERR_NOT_MINE when the order is for somebody else.  Caller's transaction. */
int vldaa_p11_member_obey(const vldaa_p11_member *m, const uint8_t *order, size_t order_len,
			  uint8_t *out, size_t cap, size_t *len);
int vldaa_p11_member_token(const vldaa_p11_member *m, const uint8_t *basename, size_t basename_len,
			   const uint8_t *attestation, size_t attestation_len, uint8_t *out,
			   size_t cap, size_t *len);
/* VLDAA_ERR_TOMBSTONE for a pseudonym that was revoked, VLDAA_ERR_EXPELLED for all. */
int vldaa_p11_member_may_use(vldaa_p11_store *store, const uint8_t *master, const vldaa_set *set,
			     const uint8_t key_id[VLDAA_KEY_ID_BYTES], const uint8_t *basename,
			     size_t basename_len);

#endif
