/* EncryptedPrivateKeyInfo with PBES2 (RFC 8018) and PBKDF2 or scrypt (RFC 7914). */
#include "internal.h"

#include <string.h>

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/objects.h>
#include <openssl/pkcs12.h>
#include <openssl/rand.h>

enum {
	SALT_BYTES = 16,
	IV_BYTES = 16,
	/* scrypt within the 32 MiB that libcrypto allows when it reads such a file. */
	SCRYPT_N = 1 << 14,
	SCRYPT_R = 8,
	SCRYPT_P = 5,
	PBKDF2_ROUNDS = 600000,
	/* The most that a file may ask for, some seconds each: rounds, and N r p of scrypt. */
	PBKDF2_MAX_ROUNDS = 10000000,
	SCRYPT_MAX_COST = 1 << 24
};

static X509_ALGOR *new_algorithm(const vldaa_keyfile_lock *lock, const EVP_CIPHER *cipher,
				 OSSL_LIB_CTX *libctx)
{
	uint8_t salt[SALT_BYTES], iv[IV_BYTES];

	if (RAND_bytes_ex(libctx, salt, sizeof(salt), 0) != 1 ||
	    RAND_bytes_ex(libctx, iv, sizeof(iv), 0) != 1)
		return NULL;
	if (lock->kdf == VLDAA_KEYFILE_PBKDF2)
		return PKCS5_pbe2_set_iv_ex(cipher, PBKDF2_ROUNDS, salt, sizeof(salt), iv,
					    NID_hmacWithSHA256, libctx);
	return PKCS5_pbe2_set_scrypt(cipher, salt, sizeof(salt), iv, SCRYPT_N, SCRYPT_R, SCRYPT_P);
}

int vldaa_pbes2_encrypt(uint8_t **out, size_t *len, PKCS8_PRIV_KEY_INFO *key,
			const vldaa_keyfile_lock *lock, const vldaa_keyfile_crypto *crypto)
{
	EVP_CIPHER *cipher = EVP_CIPHER_fetch(crypto->libctx, "AES-256-CBC", crypto->propq);
	X509_ALGOR *algorithm = NULL;
	X509_SIG *sealed = NULL;
	unsigned char *der = NULL;
	int n, result = VLDAA_ERR_CRYPTO;

	if (cipher == NULL)
		goto done;
	algorithm = new_algorithm(lock, cipher, crypto->libctx);
	if (algorithm == NULL)
		goto done;
	sealed = PKCS8_set0_pbe_ex(lock->passphrase, (int)lock->passphrase_len, key, algorithm,
				   crypto->libctx, crypto->propq);
	if (sealed == NULL)
		goto done;
	algorithm = NULL; /* sealed owns it */
	n = i2d_X509_SIG(sealed, &der);
	if (n <= 0)
		goto done;
	*out = der;
	*len = (size_t)n;
	result = VLDAA_OK;
done:
	X509_SIG_free(sealed);
	X509_ALGOR_free(algorithm);
	EVP_CIPHER_free(cipher);
	return result;
}

/* Strict: the DER spelling and nothing after it. */
static X509_SIG *parse(const uint8_t *in, size_t len)
{
	const unsigned char *p = in;
	X509_SIG *sealed = d2i_X509_SIG(NULL, &p, (long)len);
	unsigned char *again = NULL;
	int n;

	if (sealed == NULL)
		return NULL;
	n = i2d_X509_SIG(sealed, &again);
	if (n < 0 || (size_t)n != len || memcmp(again, in, len) != 0) {
		X509_SIG_free(sealed);
		sealed = NULL;
	}
	OPENSSL_free(again);
	return sealed;
}

static int pbkdf2_cost_is_fine(const ASN1_TYPE *parameter)
{
	PBKDF2PARAM *p = ASN1_TYPE_unpack_sequence(ASN1_ITEM_rptr(PBKDF2PARAM), parameter);
	uint64_t rounds = 0;
	int fine = p != NULL && ASN1_INTEGER_get_uint64(&rounds, p->iter) == 1 &&
		   rounds <= PBKDF2_MAX_ROUNDS;

	PBKDF2PARAM_free(p);
	return fine;
}

static int scrypt_cost_is_fine(const ASN1_TYPE *parameter)
{
	SCRYPT_PARAMS *p = ASN1_TYPE_unpack_sequence(ASN1_ITEM_rptr(SCRYPT_PARAMS), parameter);
	uint64_t n = 0, r = 0, par = 0;
	int fine = p != NULL && ASN1_INTEGER_get_uint64(&n, p->costParameter) == 1 &&
		   ASN1_INTEGER_get_uint64(&r, p->blockSize) == 1 &&
		   ASN1_INTEGER_get_uint64(&par, p->parallelizationParameter) == 1;

	/* No product of two numbers up to 2^24 overflows. */
	fine = fine && n <= SCRYPT_MAX_COST && r <= SCRYPT_MAX_COST && n * r <= SCRYPT_MAX_COST &&
	       par <= SCRYPT_MAX_COST && n * r * par <= SCRYPT_MAX_COST;
	SCRYPT_PARAMS_free(p);
	return fine;
}

static int algorithm_is_fine(const X509_ALGOR *algorithm)
{
	const ASN1_OBJECT *oid, *kdf;
	const void *value;
	int type, fine = 0;
	PBE2PARAM *p;

	X509_ALGOR_get0(&oid, &type, &value, algorithm);
	if (OBJ_obj2nid(oid) != NID_pbes2 || algorithm->parameter == NULL)
		return 0;
	p = ASN1_TYPE_unpack_sequence(ASN1_ITEM_rptr(PBE2PARAM), algorithm->parameter);
	if (p == NULL)
		return 0;
	X509_ALGOR_get0(&kdf, &type, &value, p->keyfunc);
	if (p->keyfunc->parameter != NULL && OBJ_obj2nid(kdf) == NID_id_pbkdf2)
		fine = pbkdf2_cost_is_fine(p->keyfunc->parameter);
	else if (p->keyfunc->parameter != NULL && OBJ_obj2nid(kdf) == NID_id_scrypt)
		fine = scrypt_cost_is_fine(p->keyfunc->parameter);
	PBE2PARAM_free(p);
	return fine;
}

int vldaa_pbes2_check(const uint8_t *in, size_t len)
{
	X509_SIG *sealed = parse(in, len);
	const X509_ALGOR *algorithm;
	const ASN1_OCTET_STRING *text;
	int result;

	if (sealed == NULL)
		return VLDAA_KEYFILE_ERR_DAMAGED;
	X509_SIG_get0(sealed, &algorithm, &text);
	result = algorithm_is_fine(algorithm) ? VLDAA_OK : VLDAA_KEYFILE_ERR_CIPHER;
	X509_SIG_free(sealed);
	return result;
}

/* ctx is set up; a failure from here on comes from the padding, so from the key or the text. */
static int open_text(uint8_t **out, size_t *len, EVP_CIPHER_CTX *ctx, const ASN1_OCTET_STRING *text)
{
	int text_len = ASN1_STRING_length(text), n = 0, last = 0;
	size_t size = (size_t)text_len + EVP_MAX_BLOCK_LENGTH;
	uint8_t *plain = OPENSSL_malloc(size);

	if (plain == NULL)
		return VLDAA_ERR_MEMORY;
	if (EVP_CipherUpdate(ctx, plain, &n, ASN1_STRING_get0_data(text), text_len) != 1 ||
	    EVP_CipherFinal_ex(ctx, plain + n, &last) != 1) {
		OPENSSL_clear_free(plain, size);
		return VLDAA_KEYFILE_ERR_PASSPHRASE;
	}
	*out = plain;
	*len = (size_t)(n + last);
	return VLDAA_OK;
}

int vldaa_pbes2_decrypt(uint8_t **out, size_t *len, const uint8_t *in, size_t in_len,
			const char *passphrase, size_t passphrase_len,
			const vldaa_keyfile_crypto *crypto)
{
	X509_SIG *sealed = parse(in, in_len);
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	const X509_ALGOR *algorithm;
	const ASN1_OCTET_STRING *text;
	int result;

	if (sealed == NULL || ctx == NULL) {
		result = sealed == NULL ? VLDAA_KEYFILE_ERR_DAMAGED : VLDAA_ERR_MEMORY;
		goto done;
	}
	X509_SIG_get0(sealed, &algorithm, &text);
	result = VLDAA_KEYFILE_ERR_CIPHER;
	/* PBES2's ciphers are all CBC.  libcrypto would take others, and for some of them (CCM)
	 * hand out bytes that it never wrote. */
	if (algorithm_is_fine(algorithm) &&
	    EVP_PBE_CipherInit_ex(algorithm->algorithm, passphrase, (int)passphrase_len,
				  algorithm->parameter, ctx, 0, crypto->libctx,
				  crypto->propq) == 1 &&
	    EVP_CIPHER_CTX_get_mode(ctx) == EVP_CIPH_CBC_MODE)
		result = open_text(out, len, ctx, text);
done:
	EVP_CIPHER_CTX_free(ctx); /* wipes the key */
	X509_SIG_free(sealed);
	return result;
}
