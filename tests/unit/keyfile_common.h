/* What the tests of key files share. */
#ifndef KEYFILE_COMMON_H
#define KEYFILE_COMMON_H

#include <stddef.h>
#include <stdint.h>

#include <openssl/asn1.h>
#include <openssl/x509.h>

#include "vldaa/keyfile.h"

/* The set and the kind in every header that make_octets writes, and the identifier of the set. */
#define SET UINT32_C(0x8003e5f1)
#define OUR_OID VLDAA_KEYFILE_OID_BASE ".2147739121"
enum { KIND = VLDAA_KIND_ATTESTATION };

typedef struct {
	uint8_t *p;
	size_t len;
} bytes;

/* An object's header (cut off at len) and after it bytes of one value. */
void make_octets(uint8_t *octets, size_t len, uint8_t fill);

/* For vldaa_keyfile_ask: what to answer, and how often it was asked. */
typedef struct {
	const char *text;
	int asked;
	int result;
} asker;
int answer(void *arg, char passphrase[VLDAA_KEYFILE_MAX_PASSPHRASE], size_t *len);

/* Decodes a copy of exactly len bytes, so that a sanitizer sees a read past the end. */
int decode(vldaa_key *key, const uint8_t *in, size_t len, const char *passphrase);
/* Decodes and throws away. */
int verdict(const uint8_t *in, size_t len, const char *passphrase);
bytes encode(enum vldaa_keyfile_type type, enum vldaa_keyfile_form form, const uint8_t *octets,
	     size_t len, const vldaa_keyfile_lock *lock);

/* A PrivateKeyInfo as libcrypto makes it. */
PKCS8_PRIV_KEY_INFO *private_info(const char *oid, int version, int parameters,
				  const uint8_t *octets, size_t len);
/* To DER, and freed. */
bytes sig_to_der(X509_SIG *sealed);
bytes info_to_der(PKCS8_PRIV_KEY_INFO *info);
/* One round of PBKDF2, for tests that open many files. */
bytes cheaply_encrypted(const uint8_t *octets, size_t len, const char *passphrase);

#endif
