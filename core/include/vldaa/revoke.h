/*
 * The revocation authority: orders, confirmations, lists.  It knows pseudonyms, never members.
 */
#ifndef VLDAA_REVOKE_H
#define VLDAA_REVOKE_H

#include "vldaa/verify.h"

enum vldaa_revoke_mode {
	VLDAA_REVOKE_SOFT = 1, /* this pseudonym, for ever */
	VLDAA_REVOKE_HARD = 2  /* the member's whole key */
};

typedef struct {
	enum vldaa_revoke_mode mode;
	uint8_t reason;    /* the authority's own code */
	uint64_t sequence; /* larger than any before, below 2^63 */
	int64_t expiry;    /* seconds since 1970: refused afterwards */
} vldaa_order_terms;

/*
 * Makes an order against the pseudonym of a verified attestation.
 * authority: the revocation authority's PKCS#8 DER private key; fleet_key: 32 bytes.
 * order: the clear ORDER object, for the authority's records; sealed: what is broadcast.
 * VLDAA_ERR_BUFFER tells both sizes.
 */
VLDAA_API int vldaa_order_new(const vldaa_attestation *attestation, const vldaa_order_terms *terms,
			      const uint8_t *authority, size_t authority_len,
			      const uint8_t fleet_key[32], uint8_t *order, size_t order_cap,
			      size_t *order_len, uint8_t *sealed, size_t sealed_cap,
			      size_t *sealed_len) VLDAA_MUST_CHECK;

/* What an ORDER object says (its signature is checked by TPMs, not here). */
VLDAA_API int vldaa_order_read(const uint8_t *order, size_t len, vldaa_order_terms *terms,
			       uint8_t digest[VLDAA_DIGEST_BYTES]) VLDAA_MUST_CHECK;

/*
 * Checks that a confirmation answers this order and comes from the pseudonym's owner.  token: the
 * revocation token that the member deposited when it made the pseudonym, or NULL; with it, the
 * secret that the confirmation reveals must be the token's too, and VLDAA_ERR_TOKEN says that it is
 * another pseudonym's.
 */
VLDAA_API int vldaa_confirmation_check(const vldaa_verifier *verifier, const uint8_t *order,
				       size_t order_len, const uint8_t *confirmation,
				       size_t confirmation_len, const uint8_t *token,
				       size_t token_len) VLDAA_MUST_CHECK;

/* A REVOKED_LIST of the pseudonyms of these ORDER objects (unconfirmed ones, say); all of one
 * group. */
VLDAA_API int vldaa_revoked_list(const uint8_t *const *orders, const size_t *lens, size_t count,
				 uint8_t *out, size_t cap, size_t *len) VLDAA_MUST_CHECK;

/* A list of this kind (ROGUE_LIST, REVOKED_LIST) without entries, for the verifier's group: what
 * there is to give to verifiers when nothing is left of an earlier list. */
VLDAA_API int vldaa_empty_list(const vldaa_verifier *verifier, enum vldaa_kind kind, uint8_t *out,
			       size_t cap, size_t *len) VLDAA_MUST_CHECK;

/*
 * A ROGUE_LIST of extracted TPM keys (VLDAA_RECORD_MEMBER values) and of other ROGUE_LISTs, whose
 * entries are taken over; all of one group.  out may be NULL when cap is 0, to ask for the size
 * (VLDAA_OK, and *len is what suffices).
 */
VLDAA_API int vldaa_rogue_list(const uint8_t *const *inputs, const size_t *lens, size_t count,
			       uint8_t *out, size_t cap, size_t *len) VLDAA_MUST_CHECK;

#endif
