/* ECDSA on P-256: what a signature costs that is neither anonymous nor post-quantum. */
#include <string.h>

#include <openssl/ec.h>
#include <openssl/evp.h>

#include "bench/measure.h"

enum { MAX_SIGNATURE = 128 };

static int sign(EVP_PKEY *key, uint8_t *signature, size_t *len, const uint8_t *message,
		size_t message_len)
{
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	const int ok = ctx && EVP_DigestSignInit(ctx, NULL, EVP_sha256(), NULL, key) == 1 &&
		       EVP_DigestSign(ctx, signature, len, message, message_len) == 1;

	EVP_MD_CTX_free(ctx);
	return ok ? VLDAA_OK : VLDAA_ERR_CRYPTO;
}

static int verify(EVP_PKEY *key, const uint8_t *signature, size_t len, const uint8_t *message,
		  size_t message_len)
{
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	const int ok = ctx && EVP_DigestVerifyInit(ctx, NULL, EVP_sha256(), NULL, key) == 1 &&
		       EVP_DigestVerify(ctx, signature, len, message, message_len) == 1;

	EVP_MD_CTX_free(ctx);
	return ok ? VLDAA_OK : VLDAA_ERR_CRYPTO;
}

static int run_round(vldaa_baseline *b, EVP_PKEY *key)
{
	static const uint8_t message[VLDAA_BENCH_MESSAGE_BYTES];
	uint8_t signature[MAX_SIGNATURE];
	size_t len = sizeof signature;
	double start = vldaa_bench_now();
	int err = sign(key, signature, &len, message, sizeof message);

	if (err)
		return err;
	vldaa_samples_add_since(&b->sign, start);
	b->bytes = len > b->bytes ? len : b->bytes;
	start = vldaa_bench_now();
	err = verify(key, signature, len, message, sizeof message);
	if (!err)
		vldaa_samples_add_since(&b->verify, start);
	return err;
}

int vldaa_measure_baseline(vldaa_baseline *b, size_t iterations)
{
	EVP_PKEY *key = EVP_EC_gen("P-256");
	int err = key ? VLDAA_OK : VLDAA_ERR_CRYPTO;

	memset(b, 0, sizeof *b);
	if (!err)
		err = vldaa_samples_init(&b->sign, iterations);
	if (!err)
		err = vldaa_samples_init(&b->verify, iterations);
	for (size_t i = 0; i < iterations && !err; i++)
		err = run_round(b, key);
	EVP_PKEY_free(key);
	return err;
}

void vldaa_baseline_free(vldaa_baseline *b)
{
	vldaa_samples_free(&b->sign);
	vldaa_samples_free(&b->verify);
}
