/*
 * Key files as OpenSSL reads them through the provider, in any form: what is read is printed, checked, exported and written, and
 * what was written is read again as the same key.
 */
#include <openssl/bio.h>
#include <openssl/core.h>
#include <openssl/decoder.h>
#include <openssl/encoder.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/provider.h>
#include <string.h>

#include "fuzz.h"

OSSL_provider_init_fn OSSL_provider_init;

static OSSL_LIB_CTX *context(void)
{
	static OSSL_LIB_CTX *libctx;

	if (libctx != NULL)
		return libctx;
	libctx = OSSL_LIB_CTX_new();
	require(libctx != NULL);
	require(OSSL_PROVIDER_add_builtin(libctx, "vldaa", OSSL_provider_init) == 1);
	require(OSSL_PROVIDER_load(libctx, "vldaa") != NULL);
	require(OSSL_PROVIDER_load(libctx, "default") != NULL);
	return libctx;
}

/* What comes after the passphrase would cost seconds for each input. */
static int refuse_to_tell(char *out, int size, int writing, void *arg)
{
	(void)out;
	(void)size;
	(void)writing;
	(void)arg;
	return -1;
}

static EVP_PKEY *read_key(const uint8_t *data, size_t size, int selection)
{
	const unsigned char *p = data;
	size_t left = size;
	EVP_PKEY *key = NULL;
	OSSL_DECODER_CTX *ctx =
	    OSSL_DECODER_CTX_new_for_pkey(&key, NULL, NULL, NULL, selection, context(), NULL);

	require(ctx != NULL);
	require(OSSL_DECODER_CTX_set_pem_password_cb(ctx, refuse_to_tell, NULL) == 1);
	if (OSSL_DECODER_from_data(ctx, &p, &left) != 1)
		require(key == NULL);
	OSSL_DECODER_CTX_free(ctx);
	return key;
}

/* The file that the key is in, in DER. */
static unsigned char *write_key(const EVP_PKEY *key, int selection, const char *structure,
				size_t *len)
{
	OSSL_ENCODER_CTX *ctx =
	    OSSL_ENCODER_CTX_new_for_pkey(key, selection, "DER", structure, NULL);
	unsigned char *out = NULL;

	*len = 0;
	require(ctx != NULL);
	require(OSSL_ENCODER_to_data(ctx, &out, len) == 1);
	OSSL_ENCODER_CTX_free(ctx);
	return out;
}

static void look_at(EVP_PKEY *key, int private)
{
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(context(), key, NULL);
	BIO *out = BIO_new(BIO_s_mem());
	OSSL_PARAM *params = NULL;

	require(ctx != NULL && out != NULL);
	require((private ? EVP_PKEY_print_private(out, key, 0, NULL)
			 : EVP_PKEY_print_public(out, key, 0, NULL)) == 1);
	(void)(private ? EVP_PKEY_check(ctx) : EVP_PKEY_public_check(ctx));
	require(EVP_PKEY_todata(key, private ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY, &params) ==
		1);
	OSSL_PARAM_free(params);
	require(EVP_PKEY_get_size(key) > 0);
	BIO_free(out);
	EVP_PKEY_CTX_free(ctx);
}

static void read_as(const uint8_t *data, size_t size, int private)
{
	const int selection = private ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY;
	const char *structure = private ? "PrivateKeyInfo" : "SubjectPublicKeyInfo";
	EVP_PKEY *key = read_key(data, size, selection), *again;
	unsigned char *file;
	size_t len;

	if (key == NULL)
		return;
	/* any other key that a mutation may come upon is not ours to look at */
	if (strncmp(EVP_PKEY_get0_type_name(key), "VLDAA", 5) == 0) {
		fuzz_accepted++;
		look_at(key, private);
		file = write_key(key, selection, structure, &len);
		again = read_key(file, len, selection);
		require(again != NULL && EVP_PKEY_eq(key, again) == 1);
		EVP_PKEY_free(again);
		OPENSSL_free(file);
	}
	EVP_PKEY_free(key);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	read_as(data, size, 1);
	read_as(data, size, 0);
	ERR_clear_error();
	return 0;
}
