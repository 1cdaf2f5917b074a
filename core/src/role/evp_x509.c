/* Chains of endorsement certificates. */
#include "role/evp.h"

#include <limits.h>
#include <string.h>
#include <time.h>

#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

#include "role/evp_doubt.h"

/* One certificate that is the DER at *p, which moves behind it; NULL when there is none in end - *p
 * bytes. */
static X509 *parse_one(const uint8_t **p, const uint8_t *end)
{
	X509 *cert = X509_new_ex(NULL, NULL);
	const unsigned char *q = *p;

	if (!cert || !d2i_X509(&cert, &q, (long)(end - *p))) {
		/* A failed d2i frees what it was given and sets it to NULL. */
		X509_free(cert);
		return NULL;
	}
	*p = q;
	return cert;
}

/* The next CERTIFICATE block of a PEM text: 1 with its DER in *der (to free), 0 at the end, -1 when
 * a block is broken. */
static int next_pem(BIO *bio, unsigned char **der, long *len)
{
	for (;;) {
		char *name = NULL;
		char *header = NULL;

		*der = NULL;
		if (PEM_read_bio(bio, &name, &header, der, len) != 1) {
			int end = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
			return end ? 0 : -1;
		}
		int found =
		    strcmp(name, PEM_STRING_X509) == 0 || strcmp(name, PEM_STRING_X509_OLD) == 0;
		OPENSSL_free(name);
		OPENSSL_free(header);
		if (found)
			return 1;
		OPENSSL_clear_free(*der, (size_t)*len); /* it may be a private key */
	}
}

static int looks_like_pem(const void *in, size_t len)
{
	/* DER certificates begin with a SEQUENCE tag, 0x30; PEM files may begin with any comment.
	 */
	return len > 0 && *(const uint8_t *)in != 0x30;
}

/* Adds every root to the store; the number of roots, or -1. */
static int add_roots(X509_STORE *store, const void *roots, size_t len)
{
	int count = 0;

	if (looks_like_pem(roots, len)) {
		BIO *bio = BIO_new_mem_buf(roots, (int)len);
		unsigned char *der = NULL;
		long der_len = 0;
		int more = bio ? next_pem(bio, &der, &der_len) : -1;

		while (more == 1) {
			const uint8_t *p = der;
			X509 *cert = parse_one(&p, der + der_len);
			int ok =
			    cert && p == der + der_len && X509_STORE_add_cert(store, cert) == 1;
			X509_free(cert);
			OPENSSL_free(der);
			count++;
			more = ok ? next_pem(bio, &der, &der_len) : -1;
		}
		BIO_free(bio);
		return more == 0 ? count : -1;
	}
	const uint8_t *p = roots;
	const uint8_t *end = p + len;
	while (p < end) {
		X509 *cert = parse_one(&p, end);
		int ok = cert && X509_STORE_add_cert(store, cert) == 1;
		X509_free(cert);
		if (!ok)
			return -1;
		count++;
	}
	return count;
}

static size_t first_length(const uint8_t *p)
{
	return (size_t)p[0] << 24 | (size_t)p[1] << 16 | (size_t)p[2] << 8 | p[3];
}

/* The chain's certificates; *reason is set when NULL is returned. */
static STACK_OF(X509) * parse_chain(const char **reason, const uint8_t *p, size_t len)
{
	const uint8_t *end = p + len;
	STACK_OF(X509) *certs = sk_X509_new_null();

	*reason = NULL;
	while (certs && p < end) {
		size_t n;

		if (sk_X509_num(certs) == VLDAA_X509_MAX_CERTIFICATES) {
			*reason = "the chain has too many certificates";
			break;
		}
		if (end - p < 4) {
			*reason = "the chain ends within a length";
			break;
		}
		n = first_length(p);
		p += 4;
		if (n > (size_t)(end - p)) {
			*reason = "the chain ends within a certificate";
			break;
		}
		if (n > VLDAA_X509_MAX_CERTIFICATE_BYTES) {
			*reason = "a certificate of the chain is too large";
			break;
		}
		const uint8_t *next = p + n;
		X509 *cert = parse_one(&p, next);
		if (!cert || p != next || sk_X509_push(certs, cert) <= 0) {
			X509_free(cert);
			*reason = "a certificate of the chain is not one certificate in DER";
			break;
		}
	}
	if (!*reason && (!certs || sk_X509_num(certs) == 0))
		*reason = "the chain is empty";
	if (*reason) {
		sk_X509_pop_free(certs, X509_free);
		return NULL;
	}
	return certs;
}

static int verify(const char **reason, X509_STORE *store, STACK_OF(X509) * certs, int64_t now)
{
	X509 *leaf = sk_X509_value(certs, 0);
	X509_STORE_CTX *ctx = X509_STORE_CTX_new_ex(NULL, NULL);
	int ret = VLDAA_ERR_CRYPTO;

	/* The leaf may stand among the untrusted certificates: it is no CA for itself unless it is
	 * a root of ours. */
	if (!ctx || X509_STORE_CTX_init(ctx, store, leaf, certs) != 1)
		goto done;
	X509_VERIFY_PARAM *param = X509_STORE_CTX_get0_param(ctx);
	/* libcrypto counts the certificates between leaf and root. */
	X509_VERIFY_PARAM_set_depth(param, VLDAA_X509_MAX_CERTIFICATES - 2);
	X509_VERIFY_PARAM_set_auth_level(param, 2);
	X509_VERIFY_PARAM_set_time(param, (time_t)now);
	if (X509_VERIFY_PARAM_clear_flags(param, X509_V_FLAG_PARTIAL_CHAIN) != 1 ||
	    X509_VERIFY_PARAM_set_purpose(param, X509_PURPOSE_ANY) != 1)
		goto done;
	if (X509_verify_cert(ctx) == 1) {
		ret = VLDAA_OK;
		goto done;
	}
	int why = X509_STORE_CTX_get_error(ctx);
	if (why == X509_V_ERR_OUT_OF_MEM) {
		ret = VLDAA_ERR_MEMORY;
		goto done;
	}
	/* The strings are constants, except for codes that libcrypto does not know. */
	*reason =
	    why == X509_V_OK ? "the chain cannot be checked" : X509_verify_cert_error_string(why);
	ret = VLDAA_ERR_CERTIFICATE;
done:
	X509_STORE_CTX_free(ctx);
	return ret;
}

/*
 * The certificate's public key as SubjectPublicKeyInfo, in one encoding for one key: encoded again,
 * and points of elliptic curves uncompressed, because the certificate may spell them otherwise.
 * *why is set with VLDAA_ERR_CERTIFICATE.  *der is to be freed.
 */
static int canonical_key(unsigned char **der, size_t *len, const char **why, X509 *cert)
{
	EVP_PKEY *key = X509_get_pubkey(cert);
	int explicit_curve = 0;
	int ret = VLDAA_ERR_CERTIFICATE;

	if (!key) {
		*why = "the certificate's key is of no known kind, or damaged";
		return ret;
	}
	if (EVP_PKEY_is_a(key, "EC")) {
		if (EVP_PKEY_get_int_param(key, OSSL_PKEY_PARAM_EC_DECODED_FROM_EXPLICIT_PARAMS,
					   &explicit_curve) != 1 ||
		    explicit_curve) {
			*why = "the certificate's key does not name its curve";
			goto done;
		}
		if (EVP_PKEY_set_utf8_string_param(
			key, OSSL_PKEY_PARAM_EC_POINT_CONVERSION_FORMAT,
			OSSL_PKEY_EC_POINT_CONVERSION_FORMAT_UNCOMPRESSED) != 1) {
			ret = VLDAA_ERR_CRYPTO;
			goto done;
		}
	}
	int n = i2d_PUBKEY(key, der);
	ret = n > 0 ? VLDAA_OK : VLDAA_ERR_CRYPTO;
	*len = n > 0 ? (size_t)n : 0;
done:
	EVP_PKEY_free(key);
	return ret;
}

/* Whether the leaf of a valid chain is a device's certificate, with a key that may sign; NULL, or
 * why not. */
static const char *refuse_leaf(X509 *leaf)
{
	/* Not 0 also for certificates that are CAs by older customs than basicConstraints. */
	if (X509_check_ca(leaf) != 0)
		return "the certificate is a CA's, not a TPM's";
	if (X509_self_signed(leaf, 0) != 0)
		return "the certificate is self-signed: no manufacturer vouches for its TPM";
	/* All bits are set when there is no such extension. */
	if (!(X509_get_key_usage(leaf) & KU_DIGITAL_SIGNATURE))
		return "the certificate's key usage does not allow signatures";
	return NULL;
}

static int check_chain_once(uint8_t *spki, size_t cap, size_t *len, uint8_t *id, const char **why,
			    const void *roots, size_t roots_len, const void *chain,
			    size_t chain_len, int64_t now)
{
	X509_STORE *store = X509_STORE_new();
	STACK_OF(X509) *certs = NULL;
	unsigned char *key = NULL;
	size_t key_len = 0;
	int ret = VLDAA_ERR_ARGUMENT;

	*why = NULL;
	if (!store) {
		ret = VLDAA_ERR_MEMORY;
		goto done;
	}
	if (roots_len == 0 || roots_len > VLDAA_X509_MAX_ROOTS_BYTES ||
	    add_roots(store, roots, roots_len) <= 0) {
		*why = "the list of manufacturer roots cannot be read or is empty";
		goto done;
	}
	ret = VLDAA_ERR_CERTIFICATE;
	certs = parse_chain(why, chain, chain_len);
	if (!certs)
		goto done;
	ret = verify(why, store, certs, now);
	if (ret != VLDAA_OK)
		goto done;
	X509 *leaf = sk_X509_value(certs, 0);
	*why = refuse_leaf(leaf);
	ret = *why ? VLDAA_ERR_CERTIFICATE : canonical_key(&key, &key_len, why, leaf);
	if (ret != VLDAA_OK)
		goto done;
	if (cap < key_len) {
		*len = key_len;
		ret = VLDAA_ERR_BUFFER;
		goto done;
	}
	ret = vldaa_evp_sha256(id, key, key_len);
	if (ret != VLDAA_OK)
		goto done;
	memcpy(spki, key, key_len);
	*len = key_len;
done:
	OPENSSL_free(key);
	sk_X509_pop_free(certs, X509_free);
	X509_STORE_free(store);
	return ret;
}

int vldaa_x509_check_chain(uint8_t *spki, size_t cap, size_t *len, uint8_t id[VLDAA_X509_ID_BYTES],
			   const char **reason, const void *roots, size_t roots_len,
			   const void *chain, size_t chain_len, int64_t now)
{
	const char *why = NULL;

	if (reason)
		*reason = NULL;
	if (len)
		*len = 0;
	if (id)
		memset(id, 0, VLDAA_X509_ID_BYTES);
	if (!len || !id || (!spki && cap > 0) || !roots || (!chain && chain_len > 0))
		return VLDAA_ERR_ARGUMENT;
	ERR_set_mark();
	int ret =
	    check_chain_once(spki, cap, len, id, &why, roots, roots_len, chain, chain_len, now);
	if (vldaa_evp_doubt(&ret))
		ret = check_chain_once(spki, cap, len, id, &why, roots, roots_len, chain, chain_len,
				       now);
	ERR_pop_to_mark();
	/* What is nobody's fault has no reason. */
	if (reason && vldaa_error_class(ret) != VLDAA_CLASS_FAILED)
		*reason = why;
	if (ret != VLDAA_OK) {
		memset(id, 0, VLDAA_X509_ID_BYTES);
		if (cap > 0)
			memset(spki, 0, cap);
	}
	return ret;
}

static int certificate_id_once(uint8_t *id, const void *in, size_t in_len)
{
	int ret = VLDAA_ERR_ENCODING;
	unsigned char *der = NULL;
	const uint8_t *p = in;
	size_t n = in_len;

	if (looks_like_pem(in, in_len)) {
		long der_len = 0;
		BIO *bio = BIO_new_mem_buf(in, (int)in_len);
		int found = bio && next_pem(bio, &der, &der_len) == 1;
		BIO_free(bio);
		p = found ? der : NULL;
		n = found ? (size_t)der_len : 0;
	}
	const uint8_t *end = p ? p + n : NULL;
	X509 *cert = n > 0 ? parse_one(&p, end) : NULL;
	if (cert && p != end) {
		ret = VLDAA_ERR_TRAILING;
	} else if (cert) {
		unsigned char *key = NULL;
		size_t key_len = 0;
		const char *why = NULL;

		ret = canonical_key(&key, &key_len, &why, cert);
		if (ret == VLDAA_OK)
			ret = vldaa_evp_sha256(id, key, key_len);
		OPENSSL_free(key);
	}
	X509_free(cert);
	OPENSSL_free(der);
	return ret;
}

int vldaa_x509_certificate_id(uint8_t id[VLDAA_X509_ID_BYTES], const void *in, size_t in_len)
{
	if (!id || !in || in_len > VLDAA_X509_MAX_ROOTS_BYTES)
		return VLDAA_ERR_ARGUMENT;
	memset(id, 0, VLDAA_X509_ID_BYTES);
	ERR_set_mark();
	int ret = certificate_id_once(id, in, in_len);
	if (vldaa_evp_doubt(&ret))
		ret = certificate_id_once(id, in, in_len);
	ERR_pop_to_mark();
	return ret;
}

static int chain_from_pem_once(uint8_t *chain, size_t cap, size_t *len, const void *pem,
			       size_t pem_len)
{
	size_t used = 0; /* of what the whole chain needs, also beyond cap */
	unsigned char *der = NULL;
	long n = 0;
	int count = 0;
	BIO *bio = BIO_new_mem_buf(pem, (int)pem_len);
	int more = bio ? next_pem(bio, &der, &n) : -1;

	while (more == 1) {
		const uint8_t *p = der;
		X509 *cert = parse_one(&p, der + n);
		int ok = cert && p == der + n && n <= VLDAA_X509_MAX_CERTIFICATE_BYTES &&
			 ++count <= VLDAA_X509_MAX_CERTIFICATES;
		X509_free(cert);
		if (ok && used + 4 + (size_t)n <= cap) {
			for (int i = 0; i < 4; i++)
				chain[used + (size_t)i] =
				    (uint8_t)((unsigned long)n >> (24 - 8 * i));
			memcpy(chain + used + 4, der, (size_t)n);
		}
		used += 4 + (size_t)n;
		OPENSSL_free(der);
		more = ok ? next_pem(bio, &der, &n) : -1;
	}
	BIO_free(bio);
	if (more != 0 || count == 0)
		return VLDAA_ERR_ENCODING;
	*len = used;
	return used > cap ? VLDAA_ERR_BUFFER : VLDAA_OK;
}

int vldaa_x509_chain_from_pem(uint8_t *chain, size_t cap, size_t *len, const void *pem,
			      size_t pem_len)
{
	if (!len)
		return VLDAA_ERR_ARGUMENT;
	*len = 0;
	if ((!chain && cap > 0) || !pem || pem_len > VLDAA_X509_MAX_ROOTS_BYTES)
		return VLDAA_ERR_ARGUMENT;
	ERR_set_mark();
	int ret = chain_from_pem_once(chain, cap, len, pem, pem_len);
	if (vldaa_evp_doubt(&ret))
		ret = chain_from_pem_once(chain, cap, len, pem, pem_len);
	ERR_pop_to_mark();
	if (ret != VLDAA_OK && cap > 0)
		memset(chain, 0, cap);
	return ret;
}
