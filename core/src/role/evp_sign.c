/* Ordinary signatures with keys in DER. */
#include "role/evp.h"

#include <string.h>

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/x509.h>

#include "role/evp_doubt.h"

/* The private key of a PKCS#8 PrivateKeyInfo that fills its bytes exactly. */
static int parse_private(EVP_PKEY **key, const void *pkcs8, size_t len)
{
	if (!pkcs8 || len == 0 || len > VLDAA_EVP_MAX_INPUT)
		return VLDAA_ERR_ARGUMENT;
	const unsigned char *p = pkcs8;
	PKCS8_PRIV_KEY_INFO *info = d2i_PKCS8_PRIV_KEY_INFO(NULL, &p, (long)len);
	int trailing = info && p != (const unsigned char *)pkcs8 + len;
	if (info && !trailing)
		*key = EVP_PKCS82PKEY_ex(info, NULL, NULL);
	PKCS8_PRIV_KEY_INFO_free(info); /* cleanses the key's octets */
	if (trailing)
		return VLDAA_ERR_TRAILING;
	return *key ? VLDAA_OK : VLDAA_ERR_ENCODING;
}

static int parse_public(EVP_PKEY **key, const void *spki, size_t len)
{
	if (!spki || len == 0 || len > VLDAA_EVP_MAX_INPUT)
		return VLDAA_ERR_ARGUMENT;
	const unsigned char *p = spki;
	*key = d2i_PUBKEY_ex(NULL, &p, (long)len, NULL, NULL);
	if (!*key)
		return VLDAA_ERR_ENCODING;
	return p == (const unsigned char *)spki + len ? VLDAA_OK : VLDAA_ERR_TRAILING;
}

/* The digest that evp.h states for this kind of key; NULL for keys that take the message itself. */
static const char *digest_for(EVP_PKEY *key, char name[64])
{
	if (EVP_PKEY_is_a(key, "EC")) {
		int bits = EVP_PKEY_get_bits(key);
		return bits <= 256 ? "SHA256" : bits <= 384 ? "SHA384" : "SHA512";
	}
	int advice = EVP_PKEY_get_default_digest_name(key, name, 64);
	if (advice == 2 && (strcmp(name, "UNDEF") == 0 || name[0] == '\0'))
		return NULL;
	return advice == 2 ? name : "SHA256";
}

/* VLDAA_OK, or VLDAA_ERR_PROOF when sig is not a signature of msg under the key. */
static int verify(EVP_PKEY *key, const void *msg, size_t msg_len, const void *sig, size_t sig_len)
{
	char name[64] = "";
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	int ret = VLDAA_ERR_CRYPTO;

	/* Negative is also what libcrypto says of an ECDSA signature that is not DER: the signer's
	 * fault, a plain no. */
	if (ctx &&
	    EVP_DigestVerifyInit_ex(ctx, NULL, digest_for(key, name), NULL, NULL, key, NULL) == 1)
		ret = sig_len > 0 &&
			      EVP_DigestVerify(ctx, sig, sig_len, msg_len ? msg : "", msg_len) == 1
			  ? VLDAA_OK
			  : VLDAA_ERR_PROOF;
	EVP_MD_CTX_free(ctx);
	return ret;
}

static int sign_once(uint8_t *sig, size_t cap, size_t *len, const void *pkcs8, size_t pkcs8_len,
		     const void *msg, size_t msg_len)
{
	char name[64] = "";
	EVP_PKEY *key = NULL;
	EVP_MD_CTX *ctx = NULL;
	size_t n = 0;
	int ret = parse_private(&key, pkcs8, pkcs8_len);

	if (ret != VLDAA_OK)
		goto done;
	ret = VLDAA_ERR_CRYPTO;
	ctx = EVP_MD_CTX_new();
	if (!ctx ||
	    EVP_DigestSignInit_ex(ctx, NULL, digest_for(key, name), NULL, NULL, key, NULL) != 1 ||
	    EVP_DigestSign(ctx, NULL, &n, msg_len ? msg : "", msg_len) != 1)
		goto done;
	/* n is an upper bound; requiring it keeps the answer independent of the signature's
	 * accidental length. */
	if (cap < n) {
		*len = n;
		ret = VLDAA_ERR_BUFFER;
		goto done;
	}
	n = cap;
	if (EVP_DigestSign(ctx, sig, &n, msg_len ? msg : "", msg_len) != 1)
		goto done;
	ret = verify(key, msg, msg_len, sig, n);
	if (ret == VLDAA_ERR_PROOF)
		ret = VLDAA_ERR_KEY;
	if (ret == VLDAA_OK)
		*len = n;
done:
	EVP_MD_CTX_free(ctx);
	EVP_PKEY_free(key);
	return ret;
}

int vldaa_evp_sign(uint8_t *sig, size_t cap, size_t *len, const void *pkcs8, size_t pkcs8_len,
		   const void *msg, size_t msg_len)
{
	if (!len)
		return VLDAA_ERR_ARGUMENT;
	*len = 0;
	if ((!msg && msg_len > 0) || msg_len > VLDAA_EVP_MAX_INPUT || (!sig && cap > 0))
		return VLDAA_ERR_ARGUMENT;
	ERR_set_mark();
	int ret = sign_once(sig, cap, len, pkcs8, pkcs8_len, msg, msg_len);
	if (vldaa_evp_doubt(&ret))
		ret = sign_once(sig, cap, len, pkcs8, pkcs8_len, msg, msg_len);
	ERR_pop_to_mark();
	if (ret != VLDAA_OK && cap > 0)
		memset(sig, 0, cap);
	return ret;
}

static int verify_once(const void *spki, size_t spki_len, const void *msg, size_t msg_len,
		       const void *sig, size_t sig_len)
{
	EVP_PKEY *key = NULL;
	int ret = parse_public(&key, spki, spki_len);

	if (ret == VLDAA_OK)
		ret = verify(key, msg, msg_len, sig, sig_len);
	EVP_PKEY_free(key);
	return ret;
}

int vldaa_evp_verify(const void *spki, size_t spki_len, const void *msg, size_t msg_len,
		     const void *sig, size_t sig_len)
{
	if ((!msg && msg_len > 0) || msg_len > VLDAA_EVP_MAX_INPUT || (!sig && sig_len > 0) ||
	    sig_len > VLDAA_EVP_MAX_INPUT)
		return VLDAA_ERR_ARGUMENT;
	ERR_set_mark();
	int ret = verify_once(spki, spki_len, msg, msg_len, sig, sig_len);
	if (vldaa_evp_doubt(&ret))
		ret = verify_once(spki, spki_len, msg, msg_len, sig, sig_len);
	ERR_pop_to_mark();
	return ret;
}

static int public_once(uint8_t *spki, size_t cap, size_t *len, const void *pkcs8, size_t pkcs8_len)
{
	EVP_PKEY *key = NULL;
	unsigned char *der = NULL;
	int ret = parse_private(&key, pkcs8, pkcs8_len);

	if (ret == VLDAA_OK) {
		int n = i2d_PUBKEY(key, &der);
		if (n <= 0) {
			ret = VLDAA_ERR_CRYPTO;
		} else {
			*len = (size_t)n;
			if (cap < *len)
				ret = VLDAA_ERR_BUFFER;
			else
				memcpy(spki, der, *len);
		}
	}
	OPENSSL_free(der);
	EVP_PKEY_free(key);
	return ret;
}

int vldaa_evp_public_from_private(uint8_t *spki, size_t cap, size_t *len, const void *pkcs8,
				  size_t pkcs8_len)
{
	if (!len)
		return VLDAA_ERR_ARGUMENT;
	*len = 0;
	if (!spki && cap > 0)
		return VLDAA_ERR_ARGUMENT;
	ERR_set_mark();
	int ret = public_once(spki, cap, len, pkcs8, pkcs8_len);
	if (vldaa_evp_doubt(&ret))
		ret = public_once(spki, cap, len, pkcs8, pkcs8_len);
	ERR_pop_to_mark();
	if (ret != VLDAA_OK && cap > 0)
		memset(spki, 0, cap);
	return ret;
}
