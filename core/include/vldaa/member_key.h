/*
 * Members and pseudonyms in software: each is one object, which a key file holds, for programs that
 * sign without a TPM beside them, such as a provider of OpenSSL.
 *
 * A MEMBER object is a whole member: who holds it, is it.  It keeps the pseudonyms that were revoked
 * when it was made, but it is no store: it cannot obey an order, and it counts Creates only while it
 * is in memory.  A revocation that its TPM confirms afterwards does not reach it, so that an
 * exported member is revoked by the lists that verifiers have.
 *
 * A PSEUDONYM object signs messages under one pseudonym and makes none.  It is as secret as the
 * member: for the one-shot sets it holds the vector s, which all pseudonyms of the member share, and
 * by which they are all linked and signed for.
 *
 * For outputs and errors see object.h.  Everything here is wiped when it is freed.  MEMBER objects
 * and pseudonyms' private keys are in memory that is locked (of a pseudonym 28 kB) and left out of
 * core dumps, where the system allows; where it does not, they work all the same.
 */
#ifndef VLDAA_MEMBER_KEY_H
#define VLDAA_MEMBER_KEY_H

#include "vldaa/host.h"
#include "vldaa/tpm.h"

enum { VLDAA_MEMBER_TOMBSTONES = 4096 }; /* of one MEMBER object, at most */

/* What a member consists of, as its host and its TPM's store have it. */
typedef struct {
	const uint8_t *tpm_key; /* the value of VLDAA_RECORD_MEMBER */
	size_t tpm_key_len;
	const uint8_t *host_key; /* HOST_KEY object */
	size_t host_key_len;
	const uint8_t *credential; /* CREDENTIAL object */
	size_t credential_len;
	uint32_t creates;          /* of VLDAA_RECORD_CREATES; 0 when there is none */
	const uint8_t *tombstones; /* names of VLDAA_RECORD_TOMBSTONE, ascending, none twice */
	size_t tombstone_count;
	const char
	    *default_basename;       /* of programs that sign with the object and give none: text of
				       * vldaa/default_basename.h */
	size_t default_basename_len; /* 0: there is none */
} vldaa_member_parts;

/* Makes a MEMBER object.  VLDAA_ERR_NO_CREDENTIAL when the member has not joined yet;
 * VLDAA_ERR_BASENAME when the default basename is none. */
VLDAA_API int vldaa_member_key_encode(const vldaa_member_parts *parts, uint8_t *out, size_t cap,
				      size_t *len) VLDAA_MUST_CHECK;

/* A member, ready to make pseudonyms.  One thread uses it at a time. */
typedef struct vldaa_member_key vldaa_member_key;

/* Decodes a MEMBER object strictly, and checks that its parts belong together: the credential
 * satisfies its equation and norms for this key (VLDAA_ERR_CREDENTIAL when not). */
VLDAA_API int vldaa_member_key_new(vldaa_member_key **member, const uint8_t *in,
				   size_t len) VLDAA_MUST_CHECK;
/* NULL is allowed. */
VLDAA_API void vldaa_member_key_free(vldaa_member_key *member);
VLDAA_API const vldaa_set *vldaa_member_key_set(const vldaa_member_key *member);
VLDAA_API const uint8_t *vldaa_member_key_id(const vldaa_member_key *member);
/* The GROUP_KEY object of its group. */
VLDAA_API const uint8_t *vldaa_member_key_group(const vldaa_member_key *member, size_t *len);

/* Create: a PSEUDONYM object for this basename, with a new attestation.  VLDAA_ERR_TOMBSTONE for a
 * revoked pseudonym. */
VLDAA_API int vldaa_member_key_create(vldaa_member_key *member, const uint8_t *basename,
				      size_t basename_len, uint8_t *out, size_t cap,
				      size_t *len) VLDAA_MUST_CHECK;
/* The PSEUDONYM object of an attestation that this member made before (VLDAA_ERR_KEY when another
 * one did). */
VLDAA_API int vldaa_member_key_pseudonym(vldaa_member_key *member, const uint8_t *attestation,
					 size_t attestation_len, uint8_t *out, size_t cap,
					 size_t *len) VLDAA_MUST_CHECK;

/* A pseudonym that signs.  Read only: threads may share it. */
typedef struct vldaa_pseudonym_key vldaa_pseudonym_key;

/* Decodes a PSEUDONYM object strictly, and checks that the secret is the attestation's
 * (VLDAA_ERR_KEY when not); the attestation's proof is not verified. */
VLDAA_API int vldaa_pseudonym_key_new(vldaa_pseudonym_key **pseudonym, const uint8_t *in,
				      size_t len) VLDAA_MUST_CHECK;
/* After everything that was made from it.  NULL is allowed. */
VLDAA_API void vldaa_pseudonym_key_free(vldaa_pseudonym_key *pseudonym);
VLDAA_API const vldaa_set *vldaa_pseudonym_key_set(const vldaa_pseudonym_key *pseudonym);
/* Its ATTESTATION object, and what vldaa_object_inspect says of that. */
VLDAA_API const uint8_t *vldaa_pseudonym_key_attestation(const vldaa_pseudonym_key *pseudonym,
							 size_t *len);
VLDAA_API const vldaa_object_info *vldaa_pseudonym_key_info(const vldaa_pseudonym_key *pseudonym);

/* A message on its way into a signature: new, update as often as needed, end.  It belongs to one
 * thread.  end may be called once, but for VLDAA_ERR_BUFFER, after which it may be repeated. */
typedef struct vldaa_signing vldaa_signing;

VLDAA_API int vldaa_signing_new(vldaa_signing **signing, const vldaa_pseudonym_key *pseudonym,
				enum vldaa_form form) VLDAA_MUST_CHECK;
VLDAA_API int vldaa_signing_update(vldaa_signing *signing, const void *message,
				   size_t len) VLDAA_MUST_CHECK;
VLDAA_API int vldaa_signing_end(vldaa_signing *signing, uint8_t *out, size_t cap,
				size_t *len) VLDAA_MUST_CHECK;
/* A second one that has taken the same message so far. */
VLDAA_API int vldaa_signing_copy(vldaa_signing **copy,
				 const vldaa_signing *signing) VLDAA_MUST_CHECK;
VLDAA_API void vldaa_signing_free(vldaa_signing *signing);

#endif
