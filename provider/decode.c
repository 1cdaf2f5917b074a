/*
 * Keys out of files: one DER element, PrivateKeyInfo or SubjectPublicKeyInfo.  PEM and encrypted
 * keys come here as such from OpenSSL's own decoders.
 *
 * A decoder that finds something else than a key of its set says so by returning 1 without having
 * called back, and OpenSSL asks the next one.  What is a key of its set, and wrong, is an error.
 */
#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/objects.h>
#include <openssl/params.h>
#include <string.h>

#include "errors.h"
#include "functions.h"
#include "key.h"
#include "reference.h"
#include "vldaa/keyfile.h"

typedef struct {
	const vldaa_prov *prov;
	size_t index; /* of the set, in sets.h */
} decoder;

void *vldaa_prov_decoder_new(void *provctx, size_t set)
{
	decoder *d = OPENSSL_zalloc(sizeof *d);

	if (d != NULL) {
		d->prov = provctx;
		d->index = set;
	}
	return d;
}

static void free_decoder(void *ctx)
{
	OPENSSL_free(ctx);
}

static int private_selection(void *provctx, int selection)
{
	(void)provctx;
	/* A private key brings its public key along. */
	return selection == 0 || (selection & OSSL_KEYMGMT_SELECT_KEYPAIR) != 0;
}

static int public_selection(void *provctx, int selection)
{
	(void)provctx;
	return selection == 0 || ((selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) == 0 &&
				  (selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) != 0);
}

/* --- reading -----------------------------------------------------------------------------------
 */

/* The algorithm identifier's object, and what is before it. */
enum { HEAD = 64, MAX_DER = VLDAA_KEYFILE_MAX_OCTETS + HEAD };

static int read_exactly(BIO *in, uint8_t *out, size_t len)
{
	size_t n = 0;

	while (len > 0 && BIO_read_ex(in, out, len, &n) == 1 && n > 0) {
		out += n;
		len -= n;
	}
	return len == 0;
}

/* The whole length of the element whose first six bytes these are; 0 when it is no SEQUENCE, or
 * too long to be a key. */
static size_t element_length(const uint8_t head[6])
{
	size_t len = 0, octets;

	if (head[0] != 0x30)
		return 0;
	if (head[1] < 0x80)
		return 2 + (size_t)head[1];
	octets = head[1] & 0x7f;
	if (octets < 1 || octets > 4)
		return 0;
	for (size_t i = 0; i < octets; i++)
		len = len << 8 | head[2 + i];
	return len <= MAX_DER ? 2 + octets + len : 0;
}

/* One element; NULL when there is none that could be a key of ours.  No key has six bytes. */
static uint8_t *read_element(const decoder *d, OSSL_CORE_BIO *core_bio, size_t *len)
{
	BIO *in = BIO_new_from_core_bio(d->prov->libctx, core_bio);
	uint8_t head[6], *der = NULL;

	*len = 0;
	if (in == NULL)
		VLDAA_PROV_RAISE(d->prov, VLDAA_ERR_MEMORY);
	if (in != NULL && read_exactly(in, head, sizeof head))
		*len = element_length(head);
	if (*len >= sizeof head)
		der = OPENSSL_malloc(*len);
	if (der != NULL) {
		for (size_t i = 0; i < sizeof head; i++)
			der[i] = head[i];
		if (!read_exactly(in, der + sizeof head, *len - sizeof head)) {
			OPENSSL_clear_free(der, *len);
			der = NULL;
		}
	}
	BIO_free(in);
	return der;
}

/* --- decoding ----------------------------------------------------------------------------------
 */

typedef struct {
	const unsigned char *p;
	size_t len;
} view;

/* The content of the next element, when its tag is this one; in then begins after it. */
static int take(view *in, int tag, view *content)
{
	const unsigned char *p = in->p;
	long n = 0;
	int found = 0, class = 0, form = 0x80;

	if (in->len > 0)
		form = ASN1_get_object(&p, &n, &found, &class, (long)in->len);
	if ((form & 0x80) != 0 || (form & 1) != 0 || found != tag || class != V_ASN1_UNIVERSAL)
		return 0;
	content->p = p;
	content->len = (size_t)n;
	in->len -= (size_t)(p - in->p) + (size_t)n;
	in->p = p + n;
	return 1;
}

/* Whether this has the shape of such a key and the object identifier of the decoder's set. */
static int is_ours(const decoder *d, enum vldaa_keyfile_type type, const uint8_t *der, size_t len)
{
	view file = {der, len}, body, skipped, algorithm, oid;
	ASN1_OBJECT *object;
	int ours;

	if (!take(&file, V_ASN1_SEQUENCE, &body) ||
	    (type == VLDAA_KEYFILE_PRIVATE && !take(&body, V_ASN1_INTEGER, &skipped)) ||
	    !take(&body, V_ASN1_SEQUENCE, &algorithm) || !take(&algorithm, V_ASN1_OBJECT, &oid) ||
	    !take(&body, type == VLDAA_KEYFILE_PRIVATE ? V_ASN1_OCTET_STRING : V_ASN1_BIT_STRING,
		  &skipped))
		return 0;
	object = OBJ_txt2obj(vldaa_prov_set_oid(d->index), 1);
	ours = object != NULL && OBJ_length(object) == oid.len &&
	       memcmp(OBJ_get0_data(object), oid.p, oid.len) == 0;
	ASN1_OBJECT_free(object);
	return ours;
}

static int parse(const decoder *d, enum vldaa_keyfile_type type, const uint8_t *der, size_t len,
		 vldaa_prov_key **key)
{
	const vldaa_keyfile_crypto crypto = {d->prov->libctx, NULL};
	vldaa_key file;
	int err = vldaa_keyfile_decode(&file, der, len, NULL, NULL, &crypto);

	if (err == VLDAA_OK) {
		*key =
		    vldaa_prov_key_new(d->prov, vldaa_set_by_name(vldaa_prov_set_name(d->index)));
		err = *key != NULL ? vldaa_prov_key_fill(*key, type, file.octets, file.len)
				   : VLDAA_ERR_MEMORY;
	}
	vldaa_key_clear(&file);
	return err;
}

static int decode(const decoder *d, OSSL_CORE_BIO *in, enum vldaa_keyfile_type type,
		  OSSL_CALLBACK *callback, void *arg)
{
	vldaa_prov_key *key = NULL;
	size_t len;
	uint8_t *der = read_element(d, in, &len);
	int done = 1, err;

	if (der != NULL && is_ours(d, type, der, len)) {
		err = parse(d, type, der, len, &key);
		if (err != VLDAA_OK)
			VLDAA_PROV_RAISE(d->prov, err);
		done = err == VLDAA_OK && vldaa_prov_reference_give(&key, callback, arg);
	}
	OPENSSL_clear_free(der, len);
	vldaa_prov_key_release(key);
	return done;
}

static int decode_private(void *ctx, OSSL_CORE_BIO *in, int selection, OSSL_CALLBACK *callback,
			  void *arg, OSSL_PASSPHRASE_CALLBACK *ask, void *ask_arg)
{
	(void)selection;
	(void)ask;
	(void)ask_arg;
	return decode(ctx, in, VLDAA_KEYFILE_PRIVATE, callback, arg);
}

static int decode_public(void *ctx, OSSL_CORE_BIO *in, int selection, OSSL_CALLBACK *callback,
			 void *arg, OSSL_PASSPHRASE_CALLBACK *ask, void *ask_arg)
{
	(void)selection;
	(void)ask;
	(void)ask_arg;
	return decode(ctx, in, VLDAA_KEYFILE_PUBLIC, callback, arg);
}

const OSSL_DISPATCH vldaa_prov_decode_private[] = {
    {OSSL_FUNC_DECODER_FREECTX, (void (*)(void))free_decoder},
    {OSSL_FUNC_DECODER_DOES_SELECTION, (void (*)(void))private_selection},
    {OSSL_FUNC_DECODER_DECODE, (void (*)(void))decode_private},
    {OSSL_FUNC_DECODER_EXPORT_OBJECT, (void (*)(void))vldaa_prov_reference_export},
    {0, NULL},
};

const OSSL_DISPATCH vldaa_prov_decode_public[] = {
    {OSSL_FUNC_DECODER_FREECTX, (void (*)(void))free_decoder},
    {OSSL_FUNC_DECODER_DOES_SELECTION, (void (*)(void))public_selection},
    {OSSL_FUNC_DECODER_DECODE, (void (*)(void))decode_public},
    {OSSL_FUNC_DECODER_EXPORT_OBJECT, (void (*)(void))vldaa_prov_reference_export},
    {0, NULL},
};
