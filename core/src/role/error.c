/* Names, texts and classes of result codes: one table. */
#include "vldaa/error.h"

#include <stddef.h>

struct entry {
	int code;
	const char *name;
	const char *text;
};

static const struct entry table[] = {
    {VLDAA_OK, "OK", "no error"},
    {VLDAA_ERR_ARGUMENT, "ARGUMENT", "an argument is missing or out of range"},
    {VLDAA_ERR_BUFFER, "BUFFER", "the output buffer is too small"},
    {VLDAA_ERR_STATE, "STATE", "this step comes before another one that it needs"},
    {VLDAA_ERR_SET, "SET", "there is no parameter set of this name"},
    {VLDAA_ERR_BASENAME, "BASENAME", "a basename must have 1 to 255 bytes"},
    {VLDAA_ERR_NO_KEY, "NO_KEY", "there is no member key yet: make one first"},
    {VLDAA_ERR_NO_CREDENTIAL, "NO_CREDENTIAL", "the member has no credential yet: join first"},
    {VLDAA_ERR_HAVE_KEY, "HAVE_KEY", "there is a member key already: it is never overwritten"},
    {VLDAA_ERR_EXHAUSTED, "EXHAUSTED",
     "this TPM's key has shown as many pseudonyms as one key may: join another group, or with "
     "another TPM"},
    {VLDAA_ERR_FORM, "FORM",
     "pseudonyms of this parameter set are not ML-DSA keys: choose a compact or a self-contained "
     "signature, or another set"},
    {VLDAA_ERR_TRUNCATED, "TRUNCATED", "the data end too early"},
    {VLDAA_ERR_TRAILING, "TRAILING", "there are bytes after the end of the object"},
    {VLDAA_ERR_KIND, "KIND", "this is another kind of object than the one asked for"},
    {VLDAA_ERR_VERSION, "VERSION",
     "the encoding's version is unknown: it was made by a newer release"},
    {VLDAA_ERR_ENCODING, "ENCODING", "the encoding is damaged or not canonical"},
    {VLDAA_ERR_RANGE, "RANGE", "a coefficient is out of range"},
    {VLDAA_ERR_WRONG_SET, "WRONG_SET", "the object belongs to another parameter set"},
    {VLDAA_ERR_WRONG_ISSUER, "WRONG_ISSUER", "the object belongs to another issuer's group"},
    {VLDAA_ERR_WRONG_BASENAME, "WRONG_BASENAME", "the object was made for another basename"},
    {VLDAA_ERR_NORM, "NORM", "a response is longer than its bound"},
    {VLDAA_ERR_PROOF, "PROOF", "the signature or proof is not valid"},
    {VLDAA_ERR_ATTESTATION, "ATTESTATION",
     "the signature is under an attestation that was not given: give that one"},
    {VLDAA_ERR_ROGUE, "ROGUE", "the pseudonym belongs to a key on the rogue list"},
    {VLDAA_ERR_REVOKED, "REVOKED", "the pseudonym is on the revocation list"},
    {VLDAA_ERR_NONCE, "NONCE",
     "the nonce is unknown or was used before: ask the issuer for a new one"},
    {VLDAA_ERR_CERTIFICATE, "CERTIFICATE",
     "the endorsement certificate has no valid chain to a configured manufacturer root"},
    {VLDAA_ERR_ENDORSEMENT, "ENDORSEMENT", "the endorsement key did not sign this request"},
    {VLDAA_ERR_KEY_REGISTERED, "KEY_REGISTERED",
     "this member key is registered already: make a new key to join again"},
    {VLDAA_ERR_MEMBER_EXISTS, "MEMBER_EXISTS",
     "this endorsement key has a live credential: the issuer must replace it explicitly"},
    {VLDAA_ERR_BANNED, "BANNED", "this member key or endorsement key is banned"},
    {VLDAA_ERR_CREDENTIAL, "CREDENTIAL", "the credential was not made for this member"},
    {VLDAA_ERR_KEY, "KEY", "the private key does not belong to its public key"},
    {VLDAA_ERR_UNSEAL, "UNSEAL",
     "the sealed data do not open with this key: they are for another one, or were changed"},
    {VLDAA_ERR_TOMBSTONE, "TOMBSTONE", "this pseudonym was revoked and can never be used again"},
    {VLDAA_ERR_NOT_MINE, "NOT_MINE", "the order revokes somebody else's pseudonym"},
    {VLDAA_ERR_ORDER_SIGNATURE, "ORDER_SIGNATURE",
     "the revocation authority that this member trusts did not sign the order"},
    {VLDAA_ERR_ORDER_SEQUENCE, "ORDER_SEQUENCE",
     "the order is not newer than the last one obeyed: the revocation authority must make a new one"},
    {VLDAA_ERR_ORDER_EXPIRED, "ORDER_EXPIRED", "the order's time is over"},
    {VLDAA_ERR_CONFIRMATION, "CONFIRMATION", "the confirmation does not answer this order"},
    {VLDAA_ERR_TAG, "TAG", "the tag was used before: draw another"},
    {VLDAA_ERR_EXPELLED, "EXPELLED",
     "this member was expelled: its TPM can never join this group again"},
    {VLDAA_ERR_TOKEN, "TOKEN", "the token was deposited for another pseudonym"},
    {VLDAA_ERR_KEY_NEAR, "KEY_NEAR",
     "this member key is too near to one that is registered, whose secret could be the same: make a new key to join"},
    {VLDAA_ERR_RANDOM, "RANDOM", "the random source failed"},
    {VLDAA_ERR_MEMORY, "MEMORY", "out of memory"},
    {VLDAA_ERR_ATTEMPTS, "ATTEMPTS", "rejection sampling did not end: try again, and report it"},
    {VLDAA_ERR_STORE, "STORE", "the durable store failed, nothing was changed"},
    {VLDAA_ERR_SERVICE, "SERVICE", "a service of the TPM's environment failed"},
    {VLDAA_ERR_CRYPTO, "CRYPTO", "the cryptographic library failed"},
    {VLDAA_ERR_INTERNAL, "INTERNAL", "internal error: please report it"},
};

static const struct entry *find(int code)
{
	for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
		if (table[i].code == code)
			return &table[i];
	}
	return NULL;
}

enum vldaa_error_class vldaa_error_class(int code)
{
	if (code == VLDAA_OK)
		return VLDAA_CLASS_OK;
	if (!find(code) || code <= -60)
		return VLDAA_CLASS_FAILED;
	return code <= -20 ? VLDAA_CLASS_INVALID : VLDAA_CLASS_USAGE;
}

const char *vldaa_error_name(int code)
{
	const struct entry *e = find(code);

	return e ? e->name : "UNKNOWN";
}

const char *vldaa_error_text(int code)
{
	const struct entry *e = find(code);

	return e ? e->text : "unknown error code";
}
