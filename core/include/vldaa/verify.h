/*
 * The verifier: attestations, signatures, links, lists.
 *
 * A verifier is made once for a group and then read only: threads may share it, and the verified
 * attestations made from it, without locks.  Lists are added before that.  Each running
 * verification (vldaa_verification) belongs to one thread.
 */
#ifndef VLDAA_VERIFY_H
#define VLDAA_VERIFY_H

#include "vldaa/object.h"

typedef struct vldaa_verifier vldaa_verifier;
typedef struct vldaa_attestation vldaa_attestation;   /* a verified attestation */
typedef struct vldaa_verification vldaa_verification; /* a message on its way */

VLDAA_API int vldaa_verifier_new(vldaa_verifier **verifier, const uint8_t *group_key,
				 size_t len) VLDAA_MUST_CHECK;
/* After everything that was made from it. NULL is allowed. */
VLDAA_API void vldaa_verifier_free(vldaa_verifier *verifier);
VLDAA_API const vldaa_set *vldaa_verifier_set(const vldaa_verifier *verifier);
VLDAA_API const uint8_t *vldaa_verifier_key_id(const vldaa_verifier *verifier);

/*
 * A verifier for one pseudonym, for who does not have the group's key: whether the pseudonym's owner
 * signed, not whether a member of anything did.  attestation: its ATTESTATION object, of which only
 * the frame and the pseudonym in it are checked.
 *
 * *pseudonym is what vldaa_verification_new of this verifier takes as `known`, always: signatures that
 * carry or name another attestation, and attestations alone, are VLDAA_ERR_ATTESTATION.  It says
 * its basename, nym, digest and public key; for everything else (other verifiers, Link, orders) it is
 * VLDAA_ERR_ARGUMENT.  Free it before the verifier.
 */
VLDAA_API int vldaa_verifier_new_pseudonym(vldaa_verifier **verifier, vldaa_attestation **pseudonym,
					   const uint8_t *attestation, size_t len) VLDAA_MUST_CHECK;

/* Adds the entries of a ROGUE_LIST or REVOKED_LIST object of this group.  Attestations that were
 * verified before, or by another verifier, are checked against the entries of the verifier that
 * they are used with next. */
VLDAA_API int vldaa_verifier_add_list(vldaa_verifier *verifier, const uint8_t *list,
				      size_t len) VLDAA_MUST_CHECK;

/* Verifies an ATTESTATION object. */
VLDAA_API int vldaa_attestation_new(vldaa_attestation **attestation, const vldaa_verifier *verifier,
				    const uint8_t *in, size_t len) VLDAA_MUST_CHECK;
VLDAA_API void vldaa_attestation_free(vldaa_attestation *attestation);
VLDAA_API const uint8_t *vldaa_attestation_basename(const vldaa_attestation *attestation,
						    size_t *len);
/* The pseudonym's canonical bytes; equal pseudonyms are linked, near ones too (vldaa_link). */
VLDAA_API const uint8_t *vldaa_attestation_nym(const vldaa_attestation *attestation, size_t *len);
/* The digest by which compact signatures name it: 32 bytes. */
VLDAA_API const uint8_t *vldaa_attestation_digest(const vldaa_attestation *attestation);
/* The digest of an ATTESTATION object's bytes, unverified. */
VLDAA_API int vldaa_attestation_digest_of(const uint8_t *in, size_t len,
					  uint8_t digest[VLDAA_DIGEST_BYTES]) VLDAA_MUST_CHECK;
/*
 * The pseudonym as an ML-DSA public key (FIPS 204), by which any verifier of ML-DSA checks bare
 * signatures, with an empty context string.  VLDAA_ERR_FORM for sets whose pseudonyms are none
 * (vldaa_set_bare_size is 0).  Who uses it without this library sees no lists and no group: an
 * attestation is verified first.
 */
VLDAA_API int vldaa_attestation_public_key(const vldaa_attestation *attestation, uint8_t *out,
					   size_t cap, size_t *len) VLDAA_MUST_CHECK;
/* The same of an ATTESTATION object's bytes, unverified: for a member's own. */
VLDAA_API int vldaa_attestation_public_key_of(const uint8_t *in, size_t in_len, uint8_t *out,
					      size_t cap, size_t *len) VLDAA_MUST_CHECK;

/*
 * Verifies a signature over a message of any length: new, update as often as needed, end.
 * signature: a SIGNATURE (its attestation is verified by new), a COMPACT object, or a bare
 * signature, which is told by its length, vldaa_set_bare_size, that neither of these has; known: for a
 * compact one the verified attestation that it names (VLDAA_ERR_ATTESTATION when it is another one
 * or NULL), for a bare one the verified attestation that it is under (VLDAA_ERR_ATTESTATION when
 * it is NULL); for a self-contained one NULL, or an attestation whose verification need not be
 * repeated. basename: what the signature must be for, or NULL (VLDAA_ERR_WRONG_BASENAME). end:
 * VLDAA_OK when valid; may be called once.
 */
VLDAA_API int vldaa_verification_new(vldaa_verification **verification,
				     const vldaa_verifier *verifier, const uint8_t *signature,
				     size_t len, const vldaa_attestation *known,
				     const uint8_t *basename, size_t basename_len) VLDAA_MUST_CHECK;
VLDAA_API int vldaa_verification_update(vldaa_verification *verification, const void *message,
					size_t len) VLDAA_MUST_CHECK;
VLDAA_API int vldaa_verification_end(vldaa_verification *verification) VLDAA_MUST_CHECK;
VLDAA_API void vldaa_verification_free(vldaa_verification *verification);
/* The attestation under which it verifies; lives as long as the verification (or as `known`). */
VLDAA_API const vldaa_attestation *
vldaa_verification_attestation(const vldaa_verification *verification);

/* Link of two attestations whose signatures were verified: *linked 1 when one member made both
 * under one basename, 0 when not (also when the basenames differ, which is never linkable). */
VLDAA_API int vldaa_link(const vldaa_attestation *a, const vldaa_attestation *b,
			 int *linked) VLDAA_MUST_CHECK;

#endif
