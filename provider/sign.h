/*
 * A signature on its way: the pseudonym is found, or made, before the first byte of the message.
 */
#ifndef VLDAA_PROVIDER_SIGN_H
#define VLDAA_PROVIDER_SIGN_H

#include "key.h"
#include "message.h"
#include "options.h"
#include "pseudonyms.h"

/*
 * All zero: not begun.  Invariant: while it is running there is pseudonym, which is member's, and signing
 * works with its key; or, that being in a token, message is what is to be signed there.  After the end
 * pseudonym stays, to be asked about.
 */
typedef struct {
	int is_running;
	enum vldaa_form form;
	vldaa_prov_member *member; /* as long as the key */
	vldaa_prov_pseudonym *pseudonym;
	vldaa_signing *signing;
	vldaa_prov_message message;
} vldaa_prov_signing;

/* Codes of errors.h; on an error it is not begun. */
int vldaa_prov_signing_begin(vldaa_prov_signing *s, vldaa_prov_key *key,
			     const vldaa_prov_options *options);
int vldaa_prov_signing_copy(vldaa_prov_signing *copy, const vldaa_prov_signing *s);
int vldaa_prov_signing_update(vldaa_prov_signing *s, const void *in, size_t len);
/* Ends it, unless the result is VLDAA_ERR_BUFFER. */
int vldaa_prov_signing_end(vldaa_prov_signing *s, const vldaa_prov *prov, uint8_t *out, size_t cap,
			   size_t *len);
void vldaa_prov_signing_clear(vldaa_prov_signing *s);

/* The most bytes that a signature with these options has. */
size_t vldaa_prov_signature_size(const vldaa_set *set, const vldaa_prov_options *options);

/* Fills those of attestation, attestation-digest and basename that are asked for; 0 when one is and
 * there is no pseudonym. */
int vldaa_prov_signing_get(const vldaa_prov_signing *s, OSSL_PARAM params[]);

#endif
