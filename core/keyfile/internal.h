/* Between the files of core/keyfile. */
#ifndef VLDAA_KEYFILE_INTERNAL_H
#define VLDAA_KEYFILE_INTERNAL_H

#include <openssl/x509.h>

#include "vldaa/keyfile.h"

/* What a DER file or a PEM block holds. */
enum vldaa_keyfile_shape {
	VLDAA_SHAPE_PRIVATE,
	VLDAA_SHAPE_ENCRYPTED,
	VLDAA_SHAPE_PUBLIC,
	VLDAA_SHAPES
};

/* The end of what began with ERR_set_mark: libcrypto's error queue keeps what it says only when the
 * caller hears no better name from us. */
int vldaa_keyfile_leave(int result);

/* SubjectPublicKeyInfo without parameters: octets are the BIT STRING as they are. */
int vldaa_spki_encode(uint8_t **out, size_t *len, const ASN1_OBJECT *oid, const uint8_t *octets,
		      size_t octets_len);

/* PrivateKeyInfo to the DER of EncryptedPrivateKeyInfo. */
int vldaa_pbes2_encrypt(uint8_t **out, size_t *len, PKCS8_PRIV_KEY_INFO *key,
			const vldaa_keyfile_lock *lock, const vldaa_keyfile_crypto *crypto);
/* VLDAA_OK, or why this EncryptedPrivateKeyInfo is not worth asking for a passphrase. */
int vldaa_pbes2_check(const uint8_t *in, size_t len);
/* The plaintext of an EncryptedPrivateKeyInfo, of which nothing is known yet. */
int vldaa_pbes2_decrypt(uint8_t **out, size_t *len, const uint8_t *in, size_t in_len,
			const char *passphrase, size_t passphrase_len,
			const vldaa_keyfile_crypto *crypto);

/* 1 when the bytes are text with PEM blocks. */
int vldaa_pem_detect(const uint8_t *in, size_t len);
int vldaa_pem_encode(uint8_t **out, size_t *len, enum vldaa_keyfile_shape shape, const uint8_t *der,
		     size_t der_len);
/* What of a text is still to be read. */
typedef struct {
	const uint8_t *p;
	const uint8_t *end;
} vldaa_pem_text;

/* The next block with a name of ours: VLDAA_OK, VLDAA_KEYFILE_ERR_NOT_OURS when there is none left,
 * or VLDAA_KEYFILE_ERR_DAMAGED.  Free *der with OPENSSL_clear_free. */
int vldaa_pem_next(vldaa_pem_text *in, enum vldaa_keyfile_shape *shape, uint8_t **der, size_t *len);

#endif
