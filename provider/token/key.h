/*
 * A private key that stays in its token: a member's, a pseudonym's, an issuer's.  Here is where it is,
 * and what it does.
 *
 * Codes of errors.h; VLDAA_PROV_ERR_LOST: what was found has gone, and may be asked for again.
 */
#ifndef VLDAA_PROVIDER_TOKEN_KEY_H
#define VLDAA_PROVIDER_TOKEN_KEY_H

#include <stdatomic.h>

#include "../message.h"
#include "token.h"
#include "vldaa/host.h"

/* CKM_ML_DSA of PKCS#11 3.2, which p11-kit's header does not have. */
#ifndef CKM_ML_DSA
#define CKM_ML_DSA 0x1dUL
#endif

/* Read only. */
typedef struct vldaa_prov_token_key vldaa_prov_token_key;

/* Of an object in the session's token, with CKA_VLDAA_ROLE and group.  PKCS#11's return codes. */
CK_RV vldaa_prov_token_key_new(vldaa_prov_token_key **key, const vldaa_prov_session *s,
			       CK_OBJECT_HANDLE object);
vldaa_prov_token_key *vldaa_prov_token_key_share(vldaa_prov_token_key *key);
/* NULL is allowed. */
void vldaa_prov_token_key_release(vldaa_prov_token_key *key);

CK_ULONG vldaa_prov_token_key_role(const vldaa_prov_token_key *key);
/* 1 when both are one object. */
int vldaa_prov_token_key_same(const vldaa_prov_token_key *a, const vldaa_prov_token_key *b);
/* For people: the token's label, and the object's. */
const char *vldaa_prov_token_key_token(const vldaa_prov_token_key *key);
const char *vldaa_prov_token_key_label(const vldaa_prov_token_key *key);
/* VLDAA_OK when it is still in its token. */
int vldaa_prov_token_key_check(const vldaa_prov_token_key *key);

/* The public half of a pseudonym: its attestation, for OPENSSL_free.  PKCS#11's return codes. */
CK_RV vldaa_prov_token_attestation(const vldaa_prov_session *s, CK_OBJECT_HANDLE pseudonym,
				   uint8_t **attestation, size_t *len);

/* A pseudonym as an object that signs: good for one generation of sessions, and until the object is gone.  Threads
 * sign with it at once. */
typedef struct {
	CK_OBJECT_HANDLE handle;
	uint64_t generation;
	atomic_int is_gone; /* by this handle, as a signature has found out */
	uint8_t *attestation;
	size_t attestation_len;
	int is_derived; /* an object for this process, made here */
} vldaa_prov_token_pseudonym;

/*
 * Of a pseudonym's key that one (basename_len 0).  Of a member's the one for this basename that the
 * token has as an object, or else a new one, for as long as this process uses the token.
 */
int vldaa_prov_token_key_pseudonym(const vldaa_prov_token_key *key, const uint8_t *basename,
				   size_t basename_len, vldaa_prov_token_pseudonym *pseudonym);
/* Frees it, in the token, too, if it was made for this process. */
void vldaa_prov_token_pseudonym_drop(const vldaa_prov_token_key *key,
				     vldaa_prov_token_pseudonym *pseudonym);
/* 0: another one has to be found. */
int vldaa_prov_token_pseudonym_is_current(const vldaa_prov_token_key *key,
					  const vldaa_prov_token_pseudonym *pseudonym);
int vldaa_prov_token_sign(const vldaa_prov_token_key *key, vldaa_prov_token_pseudonym *pseudonym,
			  enum vldaa_form form, const vldaa_prov_message *message, uint8_t *out,
			  size_t cap, size_t *len);

#endif
