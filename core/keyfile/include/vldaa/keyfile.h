/*
 * Key files: our keys as PKCS#8 (plain or encrypted) and SubjectPublicKeyInfo, in PEM or DER.
 *
 * A key is the core's encoding of it, opaque here but for the header of every object
 * (vldaa/object.h), of which this library reads the kind and the parameter set. It is the OCTET
 * STRING of a PrivateKeyInfo (RFC 5208, version 0, no attributes) or the BIT STRING of a
 * SubjectPublicKeyInfo (RFC 5280), as it is, without a further ASN.1 wrapping.
 *
 * AlgorithmIdentifier: parameters absent, and the object identifier
 *   2.25.6896855267651164585171150451946460284.<parameter set>
 * 2.25 is the arc for UUIDs (ITU-T X.667); ours is 05304937-d579-4415-bc78-b644286e947c, drawn at
 * random for this purpose.
 *
 * Encrypted keys are EncryptedPrivateKeyInfo with PBES2 (RFC 8018), as `openssl pkcs8 -topk8`
 * writes them.
 *
 * Every key has one DER spelling, and decoding accepts no other.
 */
#ifndef VLDAA_KEYFILE_H
#define VLDAA_KEYFILE_H

#include <stddef.h>
#include <stdint.h>

#include "vldaa/error.h"
#include "vldaa/object.h"

/* The base of the object identifiers; a dot and the parameter set's number follow. */
#define VLDAA_KEYFILE_OID_BASE "2.25.6896855267651164585171150451946460284"

enum {
	VLDAA_KEYFILE_MAX_OCTETS = 1 << 20, /* of one key; the largest is far below */
	VLDAA_KEYFILE_MAX_FILE = 1 << 22    /* what to read at most: base64 and text around it */
};

/* Results beside those of vldaa/error.h (here: OK, ARGUMENT, KIND, MEMORY, RANDOM, CRYPTO). */
enum vldaa_keyfile_error {
	VLDAA_KEYFILE_ERR_NOT_OURS = -100, /* no key, or a key of another algorithm */
	VLDAA_KEYFILE_ERR_DAMAGED = -101,  /* cut off, changed, or another spelling */
	VLDAA_KEYFILE_ERR_SET = -102,      /* identifier and key name different parameter sets */
	VLDAA_KEYFILE_ERR_NO_PASSPHRASE = -103, /* encrypted, and nobody gave a passphrase */
	VLDAA_KEYFILE_ERR_PASSPHRASE = -104,    /* wrong passphrase (or a damaged ciphertext: the
						   format cannot tell them apart) */
	VLDAA_KEYFILE_ERR_CIPHER = -105, /* encrypted in a way that is not opened here: not PBES2,
					    an unknown cipher, or a cost that would take minutes */
	VLDAA_FILE_ERR_IO = -110,        /* reading or writing failed: see errno */
	VLDAA_FILE_ERR_TOO_LARGE = -111  /* larger than any such file is; errno is EFBIG */
};

/* The name without prefix, and one sentence that says what is wrong and what to do; NULL for codes
 * that are not in the enum above (ask vldaa_error_name and vldaa_error_text then). */
VLDAA_API const char *vldaa_keyfile_error_name(int code);
VLDAA_API const char *vldaa_keyfile_error_text(int code);

enum vldaa_keyfile_type { VLDAA_KEYFILE_PUBLIC, VLDAA_KEYFILE_PRIVATE };

enum vldaa_keyfile_form { VLDAA_KEYFILE_PEM, VLDAA_KEYFILE_DER };

enum vldaa_keyfile_kdf {
	VLDAA_KEYFILE_SCRYPT, /* N = 2^14, r = 8, p = 5: about 0.2 s, 16 MiB */
	VLDAA_KEYFILE_PBKDF2  /* HMAC-SHA-256, 600,000 rounds: where scrypt is not to be had */
};

/* A key that was read.  Whoever reads checks kind: the octets decide what they are, not this file.
 */
typedef struct {
	enum vldaa_keyfile_type type;
	int encrypted; /* it was encrypted in the file */
	uint32_t set_id;
	enum vldaa_kind kind; /* of the object, from its header */
	uint8_t *octets;
	size_t len;
} vldaa_key;

/* Wipes and frees what the key holds and zeroes it; also fine after a failed decode. */
VLDAA_API void vldaa_key_clear(vldaa_key *key);

/* How a private key is encrypted. */
typedef struct {
	const char *passphrase; /* any bytes, at least one, at most 1024 */
	size_t passphrase_len;
	enum vldaa_keyfile_kdf kdf;
} vldaa_keyfile_lock;

/* Which libcrypto to work with; NULL, or NULL members, mean its defaults. */
typedef struct {
	struct ossl_lib_ctx_st *libctx; /* OSSL_LIB_CTX of openssl/types.h */
	const char *propq;
} vldaa_keyfile_crypto;

/*
 * Encodes a key.  lock NULL: not encrypted; a public key has no lock.  Octets that do not begin
 * with a header are VLDAA_ERR_ARGUMENT, a secret (any kind but group keys and attestations) in a
 * public file is VLDAA_ERR_KIND, as it is in decoding.  Free *out with vldaa_keyfile_free.  On
 * error *out is NULL and *len 0.
 */
VLDAA_API int vldaa_keyfile_encode(uint8_t **out, size_t *len, enum vldaa_keyfile_type type,
				   enum vldaa_keyfile_form form, const uint8_t *octets,
				   size_t octets_len, const vldaa_keyfile_lock *lock,
				   const vldaa_keyfile_crypto *crypto) VLDAA_MUST_CHECK;

/* Wipes and frees; p may be NULL. */
VLDAA_API void vldaa_keyfile_free(uint8_t *p, size_t len);

enum { VLDAA_KEYFILE_MAX_PASSPHRASE = 1024 };

/*
 * Asked for the passphrase when the key turns out to be encrypted, not before.  Writes up to
 * VLDAA_KEYFILE_MAX_PASSPHRASE bytes and stores how many; the buffer is wiped afterwards.
 * Anything but VLDAA_OK ends the decoding with that code.
 */
typedef int vldaa_keyfile_ask(void *arg, char passphrase[VLDAA_KEYFILE_MAX_PASSPHRASE],
			      size_t *len);

/*
 * Decodes a file's content, of whatever type and form it is.  PEM may have text and other blocks
 * around the key; the first block that holds one of our keys counts.  ask may be NULL. On error
 * *key is all zero.
 */
VLDAA_API int vldaa_keyfile_decode(vldaa_key *key, const uint8_t *in, size_t len,
				   vldaa_keyfile_ask *ask, void *arg,
				   const vldaa_keyfile_crypto *crypto) VLDAA_MUST_CHECK;

/*
 * ML-DSA public keys as everybody writes them: SubjectPublicKeyInfo with the object identifier of
 * FIPS 204 and without parameters (RFC 9881).  vldaa_attestation_public_key gives a pseudonym's, so
 * that any program verifies bare signatures.
 *
 * The length says which ML-DSA a key is of: 1312 bytes ML-DSA-44, 1952 ML-DSA-65, 2592 ML-DSA-87;
 * encoding another length is VLDAA_ERR_ARGUMENT.  Decoding accepts the one DER spelling, and in PEM
 * takes the first block that is such a key; everything else is VLDAA_KEYFILE_ERR_NOT_OURS.  Free
 * the outputs with vldaa_keyfile_free.  On error they are NULL and 0.
 */
VLDAA_API int vldaa_keyfile_encode_mldsa(uint8_t **out, size_t *len, enum vldaa_keyfile_form form,
					 const uint8_t *public_key,
					 size_t public_key_len) VLDAA_MUST_CHECK;
VLDAA_API int vldaa_keyfile_decode_mldsa(uint8_t **public_key, size_t *public_key_len,
					 const uint8_t *in, size_t len) VLDAA_MUST_CHECK;
/* "ML-DSA-44", ...; NULL when no public key has this length. */
VLDAA_API const char *vldaa_keyfile_mldsa_name(size_t public_key_len);

#endif
