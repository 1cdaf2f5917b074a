/* Keys in PrivateKeyInfo and SubjectPublicKeyInfo; encryption is in pbes2.c, text in pem.c. */
#include "vldaa/keyfile.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <openssl/asn1.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/objects.h>
#include <openssl/x509.h>

#include "internal.h"

/* Content octets of VLDAA_KEYFILE_OID_BASE: 2 * 40 + 25, then the UUID in base 128. */
static const uint8_t oid_base[] = {0x69, 0x8a, 0xb0, 0xa4, 0xcd, 0xfa, 0xd7, 0xca, 0x90, 0xab,
				   0xbc, 0xbc, 0xad, 0xc8, 0xc2, 0xc3, 0xba, 0xa8, 0x7c};

/* The frame of every object of the core (vldaa/object.h). */
typedef struct {
	enum vldaa_kind kind;
	uint32_t set_id;
} header;

static int read_header(header *h, const uint8_t *octets, size_t len)
{
	if (len < VLDAA_OBJECT_HEADER || memcmp(octets, "VLDA", 4) != 0)
		return 0;
	h->kind = (enum vldaa_kind)octets[4];
	h->set_id = (uint32_t)octets[6] << 24 | (uint32_t)octets[7] << 16 |
		    (uint32_t)octets[8] << 8 | (uint32_t)octets[9];
	return 1;
}

/* The kinds that are known to be public: a new kind is secret until somebody decides. */
static int may_be(enum vldaa_kind kind, enum vldaa_keyfile_type type)
{
	return type == VLDAA_KEYFILE_PRIVATE || kind == VLDAA_KIND_GROUP_KEY ||
	       kind == VLDAA_KIND_ATTESTATION;
}

/* --- encoding --- */

static ASN1_OBJECT *new_oid(uint32_t set_id)
{
	char text[sizeof(VLDAA_KEYFILE_OID_BASE) + 11], back[sizeof(text)];
	ASN1_OBJECT *oid;

	snprintf(text, sizeof(text), "%s.%" PRIu32, VLDAA_KEYFILE_OID_BASE, set_id);
	oid = OBJ_txt2obj(text, 1);
	/* Without memory in the middle of it, OBJ_txt2obj (of OpenSSL 3.0) gives out an object whose
	 * bytes it has not written. */
	if (oid != NULL && (OBJ_obj2txt(back, sizeof(back), oid, 1) != (int)strlen(text) ||
			    strcmp(back, text) != 0)) {
		ASN1_OBJECT_free(oid);
		oid = NULL;
	}
	return oid;
}

static PKCS8_PRIV_KEY_INFO *new_private_info(uint32_t set_id, const uint8_t *octets, size_t len)
{
	PKCS8_PRIV_KEY_INFO *info = PKCS8_PRIV_KEY_INFO_new();
	ASN1_OBJECT *oid = new_oid(set_id);
	unsigned char *copy = OPENSSL_memdup(octets, len);

	if (info != NULL && oid != NULL && copy != NULL &&
	    PKCS8_pkey_set0(info, oid, 0, V_ASN1_UNDEF, NULL, copy, (int)len) == 1)
		return info; /* owns oid and copy, and wipes copy */
	PKCS8_PRIV_KEY_INFO_free(info);
	ASN1_OBJECT_free(oid);
	OPENSSL_clear_free(copy, len);
	return NULL;
}

static int private_der(uint8_t **out, size_t *len, uint32_t set_id, const uint8_t *octets,
		       size_t octets_len, const vldaa_keyfile_lock *lock,
		       const vldaa_keyfile_crypto *crypto)
{
	PKCS8_PRIV_KEY_INFO *info = new_private_info(set_id, octets, octets_len);
	unsigned char *der = NULL;
	int result = VLDAA_ERR_CRYPTO;

	if (info == NULL)
		return VLDAA_ERR_CRYPTO;
	if (lock != NULL) {
		result = vldaa_pbes2_encrypt(out, len, info, lock, crypto);
	} else {
		int n = i2d_PKCS8_PRIV_KEY_INFO(info, &der);

		if (n > 0) {
			*out = der;
			*len = (size_t)n;
			result = VLDAA_OK;
		}
	}
	PKCS8_PRIV_KEY_INFO_free(info);
	return result;
}

static int public_der(uint8_t **out, size_t *len, uint32_t set_id, const uint8_t *octets,
		      size_t octets_len)
{
	ASN1_OBJECT *oid = new_oid(set_id);
	int result = VLDAA_ERR_CRYPTO;

	if (oid != NULL)
		result = vldaa_spki_encode(out, len, oid, octets, octets_len);
	ASN1_OBJECT_free(oid);
	return result;
}

static int encode_der(uint8_t **out, size_t *len, enum vldaa_keyfile_type type, uint32_t set_id,
		      const uint8_t *octets, size_t octets_len, const vldaa_keyfile_lock *lock,
		      const vldaa_keyfile_crypto *crypto)
{
	if (type == VLDAA_KEYFILE_PRIVATE)
		return private_der(out, len, set_id, octets, octets_len, lock, crypto);
	return public_der(out, len, set_id, octets, octets_len);
}

static int lock_is_fine(const vldaa_keyfile_lock *lock)
{
	return lock->passphrase != NULL && lock->passphrase_len >= 1 &&
	       lock->passphrase_len <= VLDAA_KEYFILE_MAX_PASSPHRASE &&
	       (lock->kdf == VLDAA_KEYFILE_SCRYPT || lock->kdf == VLDAA_KEYFILE_PBKDF2);
}

int vldaa_keyfile_leave(int result)
{
	if (result == VLDAA_ERR_CRYPTO)
		ERR_clear_last_mark();
	else
		ERR_pop_to_mark();
	return result;
}

int vldaa_keyfile_encode(uint8_t **out, size_t *len, enum vldaa_keyfile_type type,
			 enum vldaa_keyfile_form form, const uint8_t *octets, size_t octets_len,
			 const vldaa_keyfile_lock *lock, const vldaa_keyfile_crypto *crypto)
{
	static const vldaa_keyfile_crypto default_crypto;
	enum vldaa_keyfile_shape shape = VLDAA_SHAPE_PUBLIC;
	uint8_t *der = NULL;
	size_t der_len = 0;
	header h;
	int result;

	if (out == NULL || len == NULL)
		return VLDAA_ERR_ARGUMENT;
	*out = NULL;
	*len = 0;
	if (octets == NULL || octets_len > VLDAA_KEYFILE_MAX_OCTETS ||
	    !read_header(&h, octets, octets_len) ||
	    (type != VLDAA_KEYFILE_PUBLIC && type != VLDAA_KEYFILE_PRIVATE) ||
	    (form != VLDAA_KEYFILE_PEM && form != VLDAA_KEYFILE_DER) ||
	    (lock != NULL && (type == VLDAA_KEYFILE_PUBLIC || !lock_is_fine(lock))))
		return VLDAA_ERR_ARGUMENT;
	if (!may_be(h.kind, type))
		return VLDAA_ERR_KIND;
	if (type == VLDAA_KEYFILE_PRIVATE)
		shape = lock != NULL ? VLDAA_SHAPE_ENCRYPTED : VLDAA_SHAPE_PRIVATE;

	ERR_set_mark();
	result = encode_der(&der, &der_len, type, h.set_id, octets, octets_len, lock,
			    crypto != NULL ? crypto : &default_crypto);
	if (result == VLDAA_OK && form == VLDAA_KEYFILE_PEM) {
		result = vldaa_pem_encode(out, len, shape, der, der_len);
		OPENSSL_clear_free(der, der_len);
	} else if (result == VLDAA_OK) {
		*out = der;
		*len = der_len;
	}
	return vldaa_keyfile_leave(result);
}

void vldaa_keyfile_free(uint8_t *p, size_t len)
{
	OPENSSL_clear_free(p, len);
}

/* --- decoding --- */

typedef struct {
	const uint8_t *p;
	size_t len;
} view;

/* The next element's content, when its tag is this one; in then begins after it. */
static int take(view *in, int tag, view *content)
{
	const unsigned char *p = in->p;
	long n;
	int found, class, form;

	if (in->len == 0)
		return 0;
	form = ASN1_get_object(&p, &n, &found, &class, (long)in->len);
	/* An error; or an indefinite length, which DER does not have. */
	if ((form & 0x80) != 0 || (form & 1) != 0 || found != tag || class != V_ASN1_UNIVERSAL)
		return 0;
	content->p = p;
	content->len = (size_t)n;
	in->len -= (size_t)(p - in->p) + (size_t)n;
	in->p = p + n;
	return 1;
}

/* What the first bytes look like.  1 when it is one of the three. */
static int guess_shape(const uint8_t *in, size_t len, enum vldaa_keyfile_shape *shape)
{
	view file = {in, len}, body, skipped;

	if (!take(&file, V_ASN1_SEQUENCE, &body))
		return 0;
	if (take(&body, V_ASN1_INTEGER, &skipped))
		*shape = VLDAA_SHAPE_PRIVATE;
	else if (!take(&body, V_ASN1_SEQUENCE, &skipped))
		return 0;
	else if (take(&body, V_ASN1_OCTET_STRING, &skipped))
		*shape = VLDAA_SHAPE_ENCRYPTED;
	else if (take(&body, V_ASN1_BIT_STRING, &skipped))
		*shape = VLDAA_SHAPE_PUBLIC;
	else
		return 0;
	return 1;
}

/* The last arc of an object identifier under our base; 0 when it is another's. */
static int read_oid(view oid, uint32_t *set_id)
{
	uint64_t arc = 0;

	if (oid.len <= sizeof(oid_base) || memcmp(oid.p, oid_base, sizeof(oid_base)) != 0)
		return 0;
	for (size_t i = sizeof(oid_base); i < oid.len; i++) {
		int last = i + 1 == oid.len;

		arc = arc << 7 | (oid.p[i] & 0x7f);
		if (((oid.p[i] & 0x80) == 0) != last || arc > UINT32_MAX)
			return 0;
	}
	*set_id = (uint32_t)arc;
	return 1;
}

/*
 * A plain key.  Reads what it needs and then encodes the result again: only the one spelling that
 * the encoder has comes out equal, so version, attributes, parameters, lengths and trailing bytes
 * need no checks of their own.
 */
static int decode_plain(vldaa_key *key, enum vldaa_keyfile_type type, const uint8_t *in, size_t len)
{
	static const vldaa_keyfile_crypto no_crypto;
	view file = {in, len}, body, skipped, algorithm, oid, octets;
	uint8_t *again = NULL;
	size_t again_len = 0;
	uint32_t oid_set;
	header h;
	int result;

	if (!take(&file, V_ASN1_SEQUENCE, &body) ||
	    (type == VLDAA_KEYFILE_PRIVATE && !take(&body, V_ASN1_INTEGER, &skipped)) ||
	    !take(&body, V_ASN1_SEQUENCE, &algorithm) || !take(&algorithm, V_ASN1_OBJECT, &oid))
		return VLDAA_KEYFILE_ERR_DAMAGED;
	if (!read_oid(oid, &oid_set))
		return VLDAA_KEYFILE_ERR_NOT_OURS;
	if (type == VLDAA_KEYFILE_PRIVATE) {
		if (!take(&body, V_ASN1_OCTET_STRING, &octets))
			return VLDAA_KEYFILE_ERR_DAMAGED;
	} else {
		if (!take(&body, V_ASN1_BIT_STRING, &octets) || octets.len == 0)
			return VLDAA_KEYFILE_ERR_DAMAGED;
		octets.p++; /* the number of unused bits */
		octets.len--;
	}
	if (octets.len > VLDAA_KEYFILE_MAX_OCTETS || !read_header(&h, octets.p, octets.len))
		return VLDAA_KEYFILE_ERR_DAMAGED;
	if (h.set_id != oid_set)
		return VLDAA_KEYFILE_ERR_SET;
	if (!may_be(h.kind, type))
		return VLDAA_ERR_KIND;

	result =
	    encode_der(&again, &again_len, type, oid_set, octets.p, octets.len, NULL, &no_crypto);
	if (result != VLDAA_OK)
		return result;
	if (again_len != len || CRYPTO_memcmp(again, in, len) != 0)
		result = VLDAA_KEYFILE_ERR_DAMAGED;
	OPENSSL_clear_free(again, again_len);
	if (result != VLDAA_OK)
		return result;
	key->octets = OPENSSL_memdup(octets.p, octets.len);
	if (key->octets == NULL)
		return VLDAA_ERR_MEMORY;
	key->len = octets.len;
	key->type = type;
	key->kind = h.kind;
	key->set_id = h.set_id;
	return VLDAA_OK;
}

/* Whom to ask, and with what to decrypt. */
typedef struct {
	vldaa_keyfile_ask *ask;
	void *arg;
	const vldaa_keyfile_crypto *crypto;
} opener;

static int decode_encrypted(vldaa_key *key, const uint8_t *in, size_t len, const opener *o)
{
	char passphrase[VLDAA_KEYFILE_MAX_PASSPHRASE];
	size_t passphrase_len = 0, plain_len = 0;
	uint8_t *plain = NULL;
	int result = vldaa_pbes2_check(in, len);

	if (result != VLDAA_OK)
		return result;
	if (o->ask == NULL)
		return VLDAA_KEYFILE_ERR_NO_PASSPHRASE;
	result = o->ask(o->arg, passphrase, &passphrase_len);
	if (result == VLDAA_OK && passphrase_len > sizeof(passphrase))
		result = VLDAA_ERR_ARGUMENT;
	if (result == VLDAA_OK)
		result = vldaa_pbes2_decrypt(&plain, &plain_len, in, len, passphrase,
					     passphrase_len, o->crypto);
	OPENSSL_cleanse(passphrase, sizeof(passphrase));
	if (result != VLDAA_OK)
		return result;
	result = decode_plain(key, VLDAA_KEYFILE_PRIVATE, plain, plain_len);
	OPENSSL_clear_free(plain, plain_len);
	/* One wrong key in 256 gives padding by chance, and then noise. */
	if (result == VLDAA_KEYFILE_ERR_DAMAGED)
		result = VLDAA_KEYFILE_ERR_PASSPHRASE;
	key->encrypted = 1;
	return result;
}

static int decode_der(vldaa_key *key, enum vldaa_keyfile_shape shape, const uint8_t *in, size_t len,
		      const opener *o)
{
	if (shape == VLDAA_SHAPE_ENCRYPTED)
		return decode_encrypted(key, in, len, o);
	return decode_plain(
	    key, shape == VLDAA_SHAPE_PRIVATE ? VLDAA_KEYFILE_PRIVATE : VLDAA_KEYFILE_PUBLIC, in,
	    len);
}

static int decode_pem(vldaa_key *key, const uint8_t *in, size_t len, const opener *o)
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
		result = decode_der(key, shape, der, der_len, o);
		OPENSSL_clear_free(der, der_len);
		/* Another algorithm's key may stand before ours. */
	} while (result == VLDAA_KEYFILE_ERR_NOT_OURS);
	return result;
}

static int decode_any(vldaa_key *key, const uint8_t *in, size_t len, const opener *o)
{
	enum vldaa_keyfile_shape shape;

	if (vldaa_pem_detect(in, len))
		return decode_pem(key, in, len, o);
	if (guess_shape(in, len, &shape))
		return decode_der(key, shape, in, len, o);
	/* Cut-off DER does not parse, but it shows whose it is. */
	for (size_t i = 0; i + sizeof(oid_base) <= len; i++)
		if (memcmp(in + i, oid_base, sizeof(oid_base)) == 0)
			return VLDAA_KEYFILE_ERR_DAMAGED;
	return VLDAA_KEYFILE_ERR_NOT_OURS;
}

int vldaa_keyfile_decode(vldaa_key *key, const uint8_t *in, size_t len, vldaa_keyfile_ask *ask,
			 void *arg, const vldaa_keyfile_crypto *crypto)
{
	static const vldaa_keyfile_crypto default_crypto;
	const opener o = {ask, arg, crypto != NULL ? crypto : &default_crypto};
	int result;

	if (key == NULL)
		return VLDAA_ERR_ARGUMENT;
	memset(key, 0, sizeof(*key));
	if ((in == NULL && len > 0) || len > VLDAA_KEYFILE_MAX_FILE)
		return VLDAA_ERR_ARGUMENT;
	ERR_set_mark();
	result = decode_any(key, in, len, &o);
	if (result != VLDAA_OK)
		vldaa_key_clear(key);
	return vldaa_keyfile_leave(result);
}

void vldaa_key_clear(vldaa_key *key)
{
	OPENSSL_clear_free(key->octets, key->len);
	memset(key, 0, sizeof(*key));
}
