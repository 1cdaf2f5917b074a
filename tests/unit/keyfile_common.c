#include "keyfile_common.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/objects.h>
#include <openssl/pkcs12.h>

void make_octets(uint8_t *octets, size_t len, uint8_t fill)
{
	const uint8_t header[10] = {'V', 'L', 'D', 'A', KIND, 1, 0x80, 0x03, 0xe5, 0xf1};

	memset(octets, fill, len);
	memcpy(octets, header, len < sizeof(header) ? len : sizeof(header));
}

int answer(void *arg, char passphrase[VLDAA_KEYFILE_MAX_PASSPHRASE], size_t *len)
{
	asker *a = arg;

	a->asked++;
	*len = strlen(a->text);
	memcpy(passphrase, a->text, *len);
	return a->result;
}

int decode(vldaa_key *key, const uint8_t *in, size_t len, const char *passphrase)
{
	asker a = {passphrase, 0, VLDAA_OK};
	uint8_t *copy = malloc(len + 1);
	int result;

	ck_assert_ptr_nonnull(copy);
	memcpy(copy + 1, in, len);
	memset(key, 0xee, sizeof(*key));
	result =
	    vldaa_keyfile_decode(key, copy + 1, len, passphrase != NULL ? answer : NULL, &a, NULL);
	free(copy);
	if (result != VLDAA_OK && (key->octets != NULL || key->len != 0 || key->set_id != 0))
		ck_abort_msg("a failed decode left something behind");
	return result;
}

int verdict(const uint8_t *in, size_t len, const char *passphrase)
{
	vldaa_key key;
	int result = decode(&key, in, len, passphrase);

	vldaa_key_clear(&key);
	return result;
}

bytes encode(enum vldaa_keyfile_type type, enum vldaa_keyfile_form form, const uint8_t *octets,
	     size_t len, const vldaa_keyfile_lock *lock)
{
	bytes out;

	ck_assert_int_eq(
	    vldaa_keyfile_encode(&out.p, &out.len, type, form, octets, len, lock, NULL), VLDAA_OK);
	return out;
}

PKCS8_PRIV_KEY_INFO *private_info(const char *oid, int version, int parameters,
				  const uint8_t *octets, size_t len)
{
	PKCS8_PRIV_KEY_INFO *info = PKCS8_PRIV_KEY_INFO_new();

	ck_assert_int_eq(PKCS8_pkey_set0(info, OBJ_txt2obj(oid, 1), version, parameters, NULL,
					 OPENSSL_memdup(octets, len), (int)len),
			 1);
	return info;
}

bytes sig_to_der(X509_SIG *sealed)
{
	bytes out = {NULL, 0};

	ck_assert_ptr_nonnull(sealed);
	out.len = (size_t)i2d_X509_SIG(sealed, &out.p);
	X509_SIG_free(sealed);
	return out;
}

bytes info_to_der(PKCS8_PRIV_KEY_INFO *info)
{
	bytes out = {NULL, 0};

	out.len = (size_t)i2d_PKCS8_PRIV_KEY_INFO(info, &out.p);
	PKCS8_PRIV_KEY_INFO_free(info);
	return out;
}

bytes cheaply_encrypted(const uint8_t *octets, size_t len, const char *passphrase)
{
	PKCS8_PRIV_KEY_INFO *info = private_info(OUR_OID, 0, V_ASN1_UNDEF, octets, len);
	uint8_t salt[8] = "saltsalt";
	X509_SIG *sealed = PKCS8_encrypt(-1, EVP_aes_256_cbc(), passphrase, (int)strlen(passphrase),
					 salt, sizeof(salt), 1, info);

	PKCS8_PRIV_KEY_INFO_free(info);
	return sig_to_der(sealed);
}
