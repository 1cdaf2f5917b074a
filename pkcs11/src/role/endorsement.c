#include "endorsement.h"

#include <limits.h>
#include <stdio.h>
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

static int encode_request(vldaa_p11_bytes *out, EVP_PKEY *key, const EVP_MD *md, const char *name)
{
	X509_REQ *req = X509_REQ_new();
	X509_NAME *subject = req != NULL ? X509_REQ_get_subject_name(req) : NULL;
	unsigned char *der = NULL;
	int len = 0;

	if (subject != NULL && X509_REQ_set_version(req, 0) == 1 &&
	    X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, (const unsigned char *)name,
				       -1, -1, 0) == 1 &&
	    X509_REQ_set_pubkey(req, key) == 1 && X509_REQ_sign(req, key, md) > 0)
		len = i2d_X509_REQ(req, &der);
	X509_REQ_free(req);
	return take(out, der, len);
}

/* The digest is the request's own; md is NULL where the message itself is signed. */
struct vldaa_p11_endorsement_kind {
	const char *name;
	const char *algorithm, *curve;
	size_t bits; /* of RSA */
	const EVP_MD *(*md)(void);
};

static const vldaa_p11_endorsement_kind kinds[] = {
    {"P-256", "EC", "P-256", 0, EVP_sha256},     {"P-384", "EC", "P-384", 0, EVP_sha384},
    {"P-521", "EC", "P-521", 0, EVP_sha512},     {"ED25519", "ED25519", NULL, 0, NULL},
    {"ED448", "ED448", NULL, 0, NULL},           {"RSA-2048", "RSA", NULL, 2048, EVP_sha256},
    {"RSA-3072", "RSA", NULL, 3072, EVP_sha256}, {"RSA-4096", "RSA", NULL, 4096, EVP_sha256},
};

const vldaa_p11_endorsement_kind *vldaa_p11_endorsement_kind_of(const uint8_t *name, size_t len)
{
	if (len == 0)
		return &kinds[0];
	for (size_t i = 0; name != NULL && i < sizeof kinds / sizeof kinds[0]; i++) {
		if (strlen(kinds[i].name) == len && memcmp(kinds[i].name, name, len) == 0)
			return &kinds[i];
	}
	return NULL;
}

static EVP_PKEY *generate(const vldaa_p11_endorsement_kind *kind)
{
	if (kind->curve != NULL)
		return EVP_PKEY_Q_keygen(NULL, NULL, kind->algorithm, kind->curve);
	return EVP_PKEY_Q_keygen(NULL, NULL, kind->algorithm, kind->bits);
}

int vldaa_p11_endorsement_new(vldaa_p11_bytes *key, vldaa_p11_bytes *request,
			      const vldaa_p11_endorsement_kind *kind,
			      const uint8_t serial[VLDAA_P11_SERIAL])
{
	char name[sizeof "V-LDAA token " + 2 * VLDAA_P11_SERIAL] = "V-LDAA token ";
	size_t at = strlen(name);
	EVP_PKEY *pkey = generate(kind);
	int err = pkey != NULL ? encode_key(key, pkey) : VLDAA_ERR_CRYPTO;

	for (size_t i = 0; i < VLDAA_P11_SERIAL; i++, at += 2)
		(void)snprintf(name + at, 3, "%02x", serial[i]);
	memset(request, 0, sizeof *request);
	if (pkey == NULL)
		memset(key, 0, sizeof *key);
	if (!err)
		err = encode_request(request, pkey, kind->md != NULL ? kind->md() : NULL, name);
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

/* The last certificate of the heap that is chosen, which is the newest; its place in *at. */
static X509 *choose(const vldaa_p11_der *heap, size_t count, chooser *is_it, void *arg, size_t *at)
{
	for (size_t i = count; i > 0; i--) {
		X509 *x = parse(heap[i - 1].der, heap[i - 1].len);

		if (x != NULL && is_it(x, arg)) {
			*at = i - 1;
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

/* Not only by name: an authority that was made anew may have the same. */
static int is_issuer(X509 *candidate, void *subject)
{
	EVP_PKEY *key = X509_get0_pubkey(candidate);

	return X509_check_issued(candidate, subject) == X509_V_OK && key != NULL &&
	       X509_verify(subject, key) == 1;
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
