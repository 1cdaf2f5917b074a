/* SubjectPublicKeyInfo (RFC 5280): of any key without parameters, and of ML-DSA's (RFC 9881). */
#include "internal.h"

#include <string.h>

#include <openssl/asn1.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/objects.h>

/*
 * Not through libcrypto's X509_PUBKEY: that asks the decoders of every loaded provider about the
 * key, and one of them calls this library.
 */
int vldaa_spki_encode(uint8_t **out, size_t *len, const ASN1_OBJECT *oid, const uint8_t *octets,
		      size_t octets_len)
{
	int oid_size = i2d_ASN1_OBJECT(oid, NULL);
	int algorithm_size = ASN1_object_size(1, oid_size, V_ASN1_SEQUENCE);
	/* The content of a BIT STRING begins with the number of unused bits: 0. */
	int key_size = ASN1_object_size(0, (int)octets_len + 1, V_ASN1_BIT_STRING);
	int size = ASN1_object_size(1, algorithm_size + key_size, V_ASN1_SEQUENCE);
	unsigned char *der = NULL, *p;

	if (oid_size > 0)
		der = OPENSSL_malloc((size_t)size);
	if (der == NULL)
		return VLDAA_ERR_MEMORY;
	p = der;
	ASN1_put_object(&p, 1, algorithm_size + key_size, V_ASN1_SEQUENCE, V_ASN1_UNIVERSAL);
	ASN1_put_object(&p, 1, oid_size, V_ASN1_SEQUENCE, V_ASN1_UNIVERSAL);
	i2d_ASN1_OBJECT(oid, &p);
	ASN1_put_object(&p, 0, (int)octets_len + 1, V_ASN1_BIT_STRING, V_ASN1_UNIVERSAL);
	*p++ = 0;
	memcpy(p, octets, octets_len);
	*out = der;
	*len = (size_t)size;
	return VLDAA_OK;
}

/* --- ML-DSA ------------------------------------------------------------------------------------
 *
 * A public key's length (FIPS 204, Table 2) says which ML-DSA it is of.
 */

static const struct {
	const char *oid;
	const char *name;
	size_t len;
} mldsa[] = {
    {"2.16.840.1.101.3.4.3.17", "ML-DSA-44", 1312},
    {"2.16.840.1.101.3.4.3.18", "ML-DSA-65", 1952},
    {"2.16.840.1.101.3.4.3.19", "ML-DSA-87", 2592},
};
enum { MLDSA_SETS = sizeof(mldsa) / sizeof(mldsa[0]) };

static int mldsa_der(uint8_t **out, size_t *len, size_t set, const uint8_t *public_key)
{
	ASN1_OBJECT *oid = OBJ_txt2obj(mldsa[set].oid, 1);
	int result = VLDAA_ERR_CRYPTO;

	if (oid != NULL)
		result = vldaa_spki_encode(out, len, oid, public_key, mldsa[set].len);
	ASN1_OBJECT_free(oid);
	return result;
}

const char *vldaa_keyfile_mldsa_name(size_t public_key_len)
{
	for (size_t i = 0; i < MLDSA_SETS; i++)
		if (mldsa[i].len == public_key_len)
			return mldsa[i].name;
	return NULL;
}

int vldaa_keyfile_encode_mldsa(uint8_t **out, size_t *len, enum vldaa_keyfile_form form,
			       const uint8_t *public_key, size_t public_key_len)
{
	uint8_t *der = NULL;
	size_t der_len = 0, set = 0;
	int result;

	if (out == NULL || len == NULL)
		return VLDAA_ERR_ARGUMENT;
	*out = NULL;
	*len = 0;
	while (set < MLDSA_SETS && mldsa[set].len != public_key_len)
		set++;
	if (public_key == NULL || set == MLDSA_SETS ||
	    (form != VLDAA_KEYFILE_PEM && form != VLDAA_KEYFILE_DER))
		return VLDAA_ERR_ARGUMENT;
	ERR_set_mark();
	result = mldsa_der(&der, &der_len, set, public_key);
	if (result == VLDAA_OK && form == VLDAA_KEYFILE_PEM) {
		result = vldaa_pem_encode(out, len, VLDAA_SHAPE_PUBLIC, der, der_len);
		OPENSSL_free(der);
	} else if (result == VLDAA_OK) {
		*out = der;
		*len = der_len;
	}
	return vldaa_keyfile_leave(result);
}

/* There is one spelling: all of it is compared with the encoding of the key at its end. */
static int decode_der(uint8_t **public_key, size_t *public_key_len, const uint8_t *in, size_t len)
{
	for (size_t i = 0; i < MLDSA_SETS; i++) {
		uint8_t *again = NULL;
		size_t again_len = 0;
		int result;

		if (len <= mldsa[i].len)
			continue;
		result = mldsa_der(&again, &again_len, i, in + len - mldsa[i].len);
		if (result != VLDAA_OK)
			return result;
		if (again_len != len || memcmp(again, in, len) != 0) {
			OPENSSL_free(again);
			continue;
		}
		memmove(again, again + len - mldsa[i].len, mldsa[i].len);
		*public_key = again;
		*public_key_len = mldsa[i].len;
		return VLDAA_OK;
	}
	return VLDAA_KEYFILE_ERR_NOT_OURS;
}

static int decode_pem(uint8_t **public_key, size_t *public_key_len, const uint8_t *in, size_t len)
{
	vldaa_pem_text text = {in, in + len};
	int result;

	do {
		enum vldaa_keyfile_shape shape;
		uint8_t *der = NULL;
		size_t der_len = 0;

		result = vldaa_pem_next(&text, &shape, &der, &der_len);
		if (result != VLDAA_OK)
			break;
		result = shape == VLDAA_SHAPE_PUBLIC
			     ? decode_der(public_key, public_key_len, der, der_len)
			     : VLDAA_KEYFILE_ERR_NOT_OURS;
		OPENSSL_clear_free(der, der_len);
	} while (result == VLDAA_KEYFILE_ERR_NOT_OURS);
	return result;
}

int vldaa_keyfile_decode_mldsa(uint8_t **public_key, size_t *public_key_len, const uint8_t *in,
			       size_t len)
{
	if (public_key == NULL || public_key_len == NULL)
		return VLDAA_ERR_ARGUMENT;
	*public_key = NULL;
	*public_key_len = 0;
	if ((in == NULL && len > 0) || len > VLDAA_KEYFILE_MAX_FILE)
		return VLDAA_ERR_ARGUMENT;
	ERR_set_mark();
	return vldaa_keyfile_leave(vldaa_pem_detect(in, len)
				       ? decode_pem(public_key, public_key_len, in, len)
				       : decode_der(public_key, public_key_len, in, len));
}
