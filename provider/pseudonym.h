/* One pseudonym that signs: with its key here, or in a token.  Read only: threads share it. */
#ifndef VLDAA_PROVIDER_PSEUDONYM_H
#define VLDAA_PROVIDER_PSEUDONYM_H

#include "message.h"
#include "token/key.h"
#include "vldaa/member_key.h"

typedef struct vldaa_prov_pseudonym vldaa_prov_pseudonym;

/* Of a PSEUDONYM object.  The thread's library context is the provider's. */
int vldaa_prov_pseudonym_open(vldaa_prov_pseudonym **pseudonym, const uint8_t *object, size_t len);
/* Of a key in a token, a pseudonym's (basename_len 0) or a member's. */
int vldaa_prov_pseudonym_find(vldaa_prov_pseudonym **pseudonym, vldaa_prov_token_key *key,
			      const uint8_t *basename, size_t basename_len);
vldaa_prov_pseudonym *vldaa_prov_pseudonym_share(vldaa_prov_pseudonym *pseudonym);
void vldaa_prov_pseudonym_release(vldaa_prov_pseudonym *pseudonym);

/* NULL: the key is in a token. */
const vldaa_pseudonym_key *vldaa_prov_pseudonym_key(const vldaa_prov_pseudonym *pseudonym);
const uint8_t *vldaa_prov_pseudonym_attestation(const vldaa_prov_pseudonym *pseudonym, size_t *len);
const vldaa_object_info *vldaa_prov_pseudonym_info(const vldaa_prov_pseudonym *pseudonym);
/* 0: its token does not know it any more by the handle that it had. */
int vldaa_prov_pseudonym_is_current(const vldaa_prov_pseudonym *pseudonym);

/*
 * by is signed with in the place of one that has gone from its token.  All duplicates of an operation have
 * that from latest: OpenSSL ends a signature in one of them, and asks another one what it was made with.
 */
void vldaa_prov_pseudonym_replace(vldaa_prov_pseudonym *pseudonym, vldaa_prov_pseudonym *by);
/* NULL of NULL; it lives as long as the given one. */
const vldaa_prov_pseudonym *vldaa_prov_pseudonym_latest(const vldaa_prov_pseudonym *pseudonym);

/* In its token; VLDAA_PROV_ERR_LOST when it is not current. */
int vldaa_prov_pseudonym_sign(vldaa_prov_pseudonym *pseudonym, enum vldaa_form form,
			      const vldaa_prov_message *message, uint8_t *out, size_t cap,
			      size_t *len);

#endif
