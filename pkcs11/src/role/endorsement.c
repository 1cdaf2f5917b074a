#include "endorsement.h"

#include <limits.h>
#include <string.h>

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include "vldaa/tpm.h"

/* Certificates in a chain, at most: a longer one is a loop, or nobody's. */
enum { MAX_CHAIN = 16 };

/* Takes libcrypto's bytes over. */
static int take(vldaa_p11_bytes *out, unsigned char *der, int len)
{
	int err = VLDAA_ERR_CRYPTO;

	memset(out, 0, sizeof *out);
	if (len > 0) {
		err = vldaa_p11_bytes_append(out, der, (size_t)len);
		OPENSSL_clear_free(der, (size_t)len);
	}
	return err;
}

/* --- the key -----------------------------------------------------------------------------------
 */

static int encode_key(vldaa_p11_bytes *out, const EVP_PKEY *key)
{
	PKCS8_PRIV_KEY_INFO *info = EVP_PKEY2PKCS8(key);
	unsigned char *der = NULL;
	const int len = info != NULL ? i2d_PKCS8_PRIV_KEY_INFO(info, &der) : 0;

	PKCS8_PRIV_KEY_INFO_free(info);
	return take(out, der, len);
}

static int encode_request(vldaa_p11_bytes *out, EVP_PKEY *key, const char *name)
{
	X509_REQ *req = X509_REQ_new();
	X509_NAME *subject = req != NULL ? X509_REQ_get_subject_name(req) : NULL;
	unsigned char *der = NULL;
	int len = 0;

	if (subject != NULL && X509_REQ_set_version(req, 0) == 1 &&
	    X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, (const unsigned char *)name,
				       -1, -1, 0) == 1 &&
	    X509_REQ_set_pubkey(req, key) == 1 && X509_REQ_sign(req, key, EVP_sha256()) > 0)
		len = i2d_X509_REQ(req, &der);
	X509_REQ_free(req);
	return take(out, der, len);
}

int vldaa_p11_endorsement_new(vldaa_p11_bytes *key, vldaa_p11_bytes *request, const char *name)
{
	EVP_PKEY *pkey = EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-256");
	int err = pkey != NULL ? encode_key(key, pkey) : VLDAA_ERR_CRYPTO;

	memset(request, 0, sizeof *request);
	if (pkey == NULL)
		memset(key, 0, sizeof *key);
	if (!err)
		err = encode_request(request, pkey, name);
	EVP_PKEY_free(pkey);
	ERR_clear_error();
	return err;
}

/* --- certificates ------------------------------------------------------------------------------
 */

static X509 *parse(const uint8_t *der, size_t len)
{
	const unsigned char *p = der;
	X509 *x = len <= LONG_MAX ? d2i_X509(NULL, &p, (long)len) : NULL;

	if (x != NULL && p != der + len) {
		X509_free(x);
		x = NULL;
	}
	ERR_clear_error();
	return x;
}

static int encode_name(vldaa_p11_bytes *out, const X509_NAME *name)
{
	unsigned char *der = NULL;
	const int len = i2d_X509_NAME(name, &der);

	return take(out, der, len);
}

static int encode_serial(vldaa_p11_bytes *out, const ASN1_INTEGER *serial)
{
	unsigned char *der = NULL;
	const int len = i2d_ASN1_INTEGER(serial, &der);

	return take(out, der, len);
}

int vldaa_p11_certificate_read(vldaa_p11_certificate *c, const uint8_t *der, size_t len)
{
	X509 *x = parse(der, len);
	int err;

	memset(c, 0, sizeof *c);
	if (x == NULL)
		return VLDAA_ERR_ENCODING;
	err = encode_name(&c->subject, X509_get_subject_name(x));
	if (!err)
		err = encode_name(&c->issuer, X509_get_issuer_name(x));
	if (!err)
		err = encode_serial(&c->serial, X509_get0_serialNumber(x));
	X509_free(x);
	if (err)
		vldaa_p11_certificate_clear(c);
	return err;
}

void vldaa_p11_certificate_clear(vldaa_p11_certificate *c)
{
	vldaa_p11_bytes_free(&c->subject);
	vldaa_p11_bytes_free(&c->issuer);
	vldaa_p11_bytes_free(&c->serial);
}

/* --- the chain ---------------------------------------------------------------------------------
 */

static EVP_PKEY *decode_key(const uint8_t *key, size_t len)
{
	const unsigned char *p = key;
	PKCS8_PRIV_KEY_INFO *info =
	    len <= LONG_MAX ? d2i_PKCS8_PRIV_KEY_INFO(NULL, &p, (long)len) : NULL;
	EVP_PKEY *pkey = info != NULL ? EVP_PKCS82PKEY(info) : NULL;

	PKCS8_PRIV_KEY_INFO_free(info);
	return pkey;
}

static int append(vldaa_p11_bytes *chain, const vldaa_p11_der *d)
{
	const uint8_t head[4] = {(uint8_t)(d->len >> 24), (uint8_t)(d->len >> 16),
				 (uint8_t)(d->len >> 8), (uint8_t)d->len};
	int err = vldaa_p11_bytes_append(chain, head, sizeof head);

	return err ? err : vldaa_p11_bytes_append(chain, d->der, d->len);
}

typedef int chooser(X509 *candidate, void *arg);

/* The first certificate of the heap that is chosen; its place in *at. */
static X509 *choose(const vldaa_p11_der *heap, size_t count, chooser *is_it, void *arg, size_t *at)
{
	for (size_t i = 0; i < count; i++) {
		X509 *x = parse(heap[i].der, heap[i].len);

		if (x != NULL && is_it(x, arg)) {
			*at = i;
			return x;
		}
		X509_free(x);
	}
	return NULL;
}

static int is_for_key(X509 *candidate, void *key)
{
	return X509_check_private_key(candidate, key) == 1;
}

static int is_issuer(X509 *candidate, void *subject)
{
	return X509_check_issued(candidate, subject) == X509_V_OK;
}

int vldaa_p11_endorsement_chain(vldaa_p11_bytes *chain, const uint8_t *key, size_t key_len,
				const vldaa_p11_der *heap, size_t count)
{
	EVP_PKEY *pkey = decode_key(key, key_len);
	size_t at = 0;
	X509 *x = pkey != NULL ? choose(heap, count, is_for_key, pkey, &at) : NULL;
	int err = x != NULL ? VLDAA_OK : VLDAA_ERR_CERTIFICATE;

	memset(chain, 0, sizeof *chain);
	/* A self-signed one ends the chain. */
	for (int n = 0; !err && x != NULL && n < MAX_CHAIN; n++) {
		X509 *next = NULL;

		err = append(chain, &heap[at]);
		if (!err && !is_issuer(x, x))
			next = choose(heap, count, is_issuer, x, &at);
		X509_free(x);
		x = next;
	}
	X509_free(x);
	EVP_PKEY_free(pkey);
	ERR_clear_error();
	if (!err && chain->len > VLDAA_TPM_CHAIN_MAX)
		err = VLDAA_ERR_CERTIFICATE;
	if (err)
		vldaa_p11_bytes_free(chain);
	return err;
}
