/*
 * Signs a file with a private key and verifies the signature with the public one, twice: in pieces, as large files are
 * signed, and at once, as 32 bytes are that somebody else has hashed.
 *
 *   sign PRIVATE-KEY PUBLIC-KEY FILE
 *
 * The keys are in files, or where a URI leads that libcrypto or one of its providers understands.  Any key will do that
 * they sign with in both ways.  What is not in this file is in openssl.cnf.
 *
 * Exit status: 0 all is well, 1 not.
 */
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/store.h>
#include <openssl/ui.h>
#include <stdio.h>
#include <stdlib.h>

/* Says what failed and why.  Returns 1. */
static int fail(const char *what)
{
	fprintf(stderr, "%s\n", what);
	ERR_print_errors_fp(stderr);
	return 1;
}

/* What a file holds, or a URI names; type: OSSL_STORE_INFO_PKEY or OSSL_STORE_INFO_PUBKEY.  Passphrases and
 * PINs are asked for. */
static EVP_PKEY *read_key(const char *name, int type)
{
	OSSL_STORE_CTX *store = OSSL_STORE_open(name, UI_get_default_method(), NULL, NULL, NULL);
	OSSL_STORE_INFO *info = NULL;
	EVP_PKEY *key = NULL;

	if (store != NULL && OSSL_STORE_expect(store, type) == 1)
		info = OSSL_STORE_load(store);
	if (info != NULL)
		key = type == OSSL_STORE_INFO_PKEY ? OSSL_STORE_INFO_get1_PKEY(info)
						   : OSSL_STORE_INFO_get1_PUBKEY(info);
	OSSL_STORE_INFO_free(info);
	OSSL_STORE_close(store);
	return key;
}

/* Feeds the file to a context that signs, or to one that verifies. */
static int feed(EVP_MD_CTX *ctx, const char *path, int signing)
{
	unsigned char piece[4096];
	FILE *in = fopen(path, "rb");
	size_t n;
	int fine = in != NULL;

	while (fine && (n = fread(piece, 1, sizeof piece, in)) > 0)
		fine = signing ? EVP_DigestSignUpdate(ctx, piece, n) == 1
			       : EVP_DigestVerifyUpdate(ctx, piece, n) == 1;
	if (in != NULL) {
		fine = fine && !ferror(in);
		fclose(in);
	}
	return fine;
}

/* NULL when it fails; free with OPENSSL_free. */
static unsigned char *sign_file(EVP_PKEY *key, const char *path, size_t *len)
{
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	unsigned char *signature = NULL;

	if (ctx != NULL && EVP_DigestSignInit_ex(ctx, NULL, NULL, NULL, NULL, key, NULL) == 1 &&
	    feed(ctx, path, 1) && EVP_DigestSignFinal(ctx, NULL, len) == 1)
		signature = OPENSSL_malloc(*len);
	if (signature != NULL && EVP_DigestSignFinal(ctx, signature, len) != 1) {
		OPENSSL_free(signature);
		signature = NULL;
	}
	EVP_MD_CTX_free(ctx);
	return signature;
}

static int verify_file(EVP_PKEY *key, const char *path, const unsigned char *signature, size_t len)
{
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	int valid = ctx != NULL &&
		    EVP_DigestVerifyInit_ex(ctx, NULL, NULL, NULL, NULL, key, NULL) == 1 &&
		    feed(ctx, path, 0) && EVP_DigestVerifyFinal(ctx, signature, len) == 1;

	EVP_MD_CTX_free(ctx);
	return valid;
}

static unsigned char *sign_digest(EVP_PKEY *key, const unsigned char digest[32], size_t *len)
{
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
	unsigned char *signature = NULL;

	if (ctx != NULL && EVP_PKEY_sign_init(ctx) == 1 &&
	    EVP_PKEY_sign(ctx, NULL, len, digest, 32) == 1)
		signature = OPENSSL_malloc(*len);
	if (signature != NULL && EVP_PKEY_sign(ctx, signature, len, digest, 32) != 1) {
		OPENSSL_free(signature);
		signature = NULL;
	}
	EVP_PKEY_CTX_free(ctx);
	return signature;
}

static int verify_digest(EVP_PKEY *key, const unsigned char digest[32],
			 const unsigned char *signature, size_t len)
{
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
	int valid = ctx != NULL && EVP_PKEY_verify_init(ctx) == 1 &&
		    EVP_PKEY_verify(ctx, signature, len, digest, 32) == 1;

	EVP_PKEY_CTX_free(ctx);
	return valid;
}

static int in_pieces(EVP_PKEY *private, EVP_PKEY *public, const char *path)
{
	size_t len = 0;
	unsigned char *signature = sign_file(private, path, &len);
	int status = 0;

	if (signature == NULL)
		status = fail("the file was not signed");
	else if (!verify_file(public, path, signature, len))
		status = fail("the signature of the file is not valid");
	else
		printf("the file: a valid signature\n");
	OPENSSL_free(signature);
	return status;
}

static int at_once(EVP_PKEY *private, EVP_PKEY *public)
{
	unsigned char digest[32] = "what somebody else has hashed";
	size_t len = 0;
	unsigned char *signature = sign_digest(private, digest, &len);
	int status = 0;

	if (signature == NULL)
		status = fail("the digest was not signed");
	else if (!verify_digest(public, digest, signature, len))
		status = fail("the signature of the digest is not valid");
	digest[0] ^= 1;
	if (status == 0 && verify_digest(public, digest, signature, len))
		status = fail("the signature is valid for another digest");
	if (status == 0)
		printf("the digest: a valid signature, which is none of another digest\n");
	OPENSSL_free(signature);
	return status;
}

int main(int argc, char **argv)
{
	EVP_PKEY *private, *public;
	int status;

	if (argc != 4) {
		fprintf(stderr, "usage: sign PRIVATE-KEY PUBLIC-KEY FILE\n");
		return EXIT_FAILURE;
	}
	private = read_key(argv[1], OSSL_STORE_INFO_PKEY);
	public = read_key(argv[2], OSSL_STORE_INFO_PUBKEY);
	if (private == NULL || public == NULL)
		status = fail("a key cannot be read");
	else
		status = in_pieces(private, public, argv[3]);
	if (status == 0)
		status = at_once(private, public);
	ERR_clear_error(); /* of the signature that is none */
	EVP_PKEY_free(private);
	EVP_PKEY_free(public);
	return status == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
