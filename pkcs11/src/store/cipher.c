#include "cipher.h"

#include <limits.h>

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/rand.h>

#include "error.h"

enum { NONCE = 12, TAG = 16 };

static int fits(size_t place_len, size_t len)
{
	return place_len <= INT_MAX && len <= INT_MAX - VLDAA_P11_SEAL_OVERHEAD;
}

int vldaa_p11_seal(const uint8_t key[VLDAA_P11_KEY_BYTES], const uint8_t *place, size_t place_len,
		   const uint8_t *in, size_t len, uint8_t *out)
{
	EVP_CIPHER_CTX *ctx;
	int n = 0, ok;

	if (!fits(place_len, len))
		return VLDAA_ERR_ARGUMENT;
	if (RAND_bytes(out, NONCE) != 1)
		return VLDAA_ERR_RANDOM;
	ctx = EVP_CIPHER_CTX_new();
	ok = ctx != NULL && EVP_EncryptInit_ex2(ctx, EVP_aes_256_gcm(), key, out, NULL) == 1 &&
	     EVP_EncryptUpdate(ctx, NULL, &n, place, (int)place_len) == 1 &&
	     EVP_EncryptUpdate(ctx, out + NONCE, &n, in, (int)len) == 1 &&
	     EVP_EncryptFinal_ex(ctx, out + NONCE + len, &n) == 1 &&
	     EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, TAG, out + NONCE + len) == 1;
	EVP_CIPHER_CTX_free(ctx);
	ERR_clear_error();
	return ok ? VLDAA_OK : VLDAA_ERR_CRYPTO;
}

int vldaa_p11_open(const uint8_t key[VLDAA_P11_KEY_BYTES], const uint8_t *place, size_t place_len,
		   const uint8_t *in, size_t len, uint8_t *out)
{
	uint8_t tag[TAG];
	EVP_CIPHER_CTX *ctx;
	size_t inner;
	int n = 0, err = VLDAA_OK;

	if (len < VLDAA_P11_SEAL_OVERHEAD || !fits(place_len, len))
		return VLDAA_ERR_UNSEAL;
	inner = len - VLDAA_P11_SEAL_OVERHEAD;
	for (int i = 0; i < TAG; i++)
		tag[i] = in[NONCE + inner + (size_t)i];
	ctx = EVP_CIPHER_CTX_new();
	if (ctx == NULL)
		return VLDAA_ERR_MEMORY;
	if (EVP_DecryptInit_ex2(ctx, EVP_aes_256_gcm(), key, in, NULL) != 1 ||
	    EVP_DecryptUpdate(ctx, NULL, &n, place, (int)place_len) != 1 ||
	    EVP_DecryptUpdate(ctx, out, &n, in + NONCE, (int)inner) != 1 ||
	    EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, TAG, tag) != 1)
		err = VLDAA_ERR_CRYPTO;
	else if (EVP_DecryptFinal_ex(ctx, out + inner, &n) != 1)
		err = VLDAA_ERR_UNSEAL;
	EVP_CIPHER_CTX_free(ctx);
	ERR_clear_error();
	if (err)
		OPENSSL_cleanse(out, inner);
	return err;
}

/* A row that was tampered with must not make a login take hours, or all memory: at most 1 GiB and
 * 16 passes. */
static int is_sane(const vldaa_p11_cost *c)
{
	return c->n >= 2 && (c->n & (c->n - 1)) == 0 && c->n <= UINT64_C(1) << 20 && c->r >= 1 &&
	       c->r <= 32 && c->n * c->r <= UINT64_C(1) << 23 && c->p >= 1 && c->p <= 16;
}

int vldaa_p11_stretch(const uint8_t *pin, size_t pin_len, const uint8_t salt[VLDAA_P11_SALT_BYTES],
		      const vldaa_p11_cost *cost, uint8_t key[VLDAA_P11_KEY_BYTES])
{
	/* OSSL_PARAM takes pointers to non-const, and only reads them. */
	union {
		const uint8_t *in;
		uint8_t *out;
	} secret = {pin}, seasoning = {salt};
	uint64_t n = cost->n, max;
	uint32_t r = cost->r, p = cost->p;
	EVP_KDF *kdf;
	EVP_KDF_CTX *ctx;
	int ok, err = VLDAA_ERR_CRYPTO;

	if (!is_sane(cost))
		return VLDAA_P11_ERR_FOREIGN;
	/* scrypt's own figure plus room for what libcrypto counts besides. */
	max = 128 * n * r + 128 * (uint64_t)r * p + (UINT64_C(1) << 20);
	const OSSL_PARAM params[] = {
	    OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_PASSWORD, secret.out, pin_len),
	    OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, seasoning.out,
					      VLDAA_P11_SALT_BYTES),
	    OSSL_PARAM_construct_uint64(OSSL_KDF_PARAM_SCRYPT_N, &n),
	    OSSL_PARAM_construct_uint32(OSSL_KDF_PARAM_SCRYPT_R, &r),
	    OSSL_PARAM_construct_uint32(OSSL_KDF_PARAM_SCRYPT_P, &p),
	    OSSL_PARAM_construct_uint64(OSSL_KDF_PARAM_SCRYPT_MAXMEM, &max),
	    OSSL_PARAM_construct_end(),
	};
	kdf = EVP_KDF_fetch(NULL, "SCRYPT", NULL);
	ctx = kdf != NULL ? EVP_KDF_CTX_new(kdf) : NULL;
	ok = ctx != NULL && EVP_KDF_derive(ctx, key, VLDAA_P11_KEY_BYTES, params) == 1;
	EVP_KDF_CTX_free(ctx);
	EVP_KDF_free(kdf);
	if (!ok && ERR_GET_REASON(ERR_peek_error()) == ERR_R_MALLOC_FAILURE)
		err = VLDAA_ERR_MEMORY;
	ERR_clear_error();
	return ok ? VLDAA_OK : err;
}
