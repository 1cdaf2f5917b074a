/*
 * Our ML-DSA on files, to be held against OpenSSL's.
 *   mldsa_tool key SET SEED OUT                       the public key of a seed (64 hexadecimal digits)
 *   mldsa_tool sign SET SEED MESSAGE CONTEXT OUT      deterministically
 *   mldsa_tool verify KEY MESSAGE CONTEXT SIGNATURE
 * SET is 44 or 87, CONTEXT a text, KEY a SubjectPublicKeyInfo.  Exit status: 0 done or valid, 1 invalid, 2 failed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mldsa/mldsa.h"
#include "vldaa/file.h"
#include "vldaa/keyfile.h"

enum { MOST = 1 << 24, INVALID = 1, FAILED = 2 };

static vldaa_mldsa_workspace workspace;
static vldaa_mldsa_private private_key;
static uint8_t public_key[VLDAA_MLDSA_MAX_PUBLIC];

static int failed(const char *what)
{
	fprintf(stderr, "mldsa_tool: %s\n", what);
	return FAILED;
}

/* The key of a seed, in private_key and public_key. */
static int make_key(const char *set, const char *seed)
{
	uint8_t xi[VLDAA_MLDSA_SEED_BYTES];

	if (strlen(seed) != 2 * sizeof xi)
		return failed("a seed has 64 digits");
	for (size_t i = 0; i < sizeof xi; i++) {
		const char digits[3] = {seed[2 * i], seed[2 * i + 1], '\0'};

		xi[i] = (uint8_t)strtoul(digits, NULL, 16);
	}
	vldaa_mldsa_keygen(strcmp(set, "87") == 0 ? &vldaa_mldsa_87 : &vldaa_mldsa_44, public_key,
			   &private_key, xi, &workspace);
	return 0;
}

static int write_key(const char *path)
{
	uint8_t *text = NULL;
	size_t len = 0;
	int err = vldaa_keyfile_encode_mldsa(&text, &len, VLDAA_KEYFILE_PEM, public_key,
					     private_key.set->public_bytes);

	if (!err)
		err = vldaa_file_write(path, text, len, 0);
	vldaa_keyfile_free(text, len);
	return err ? failed(path) : 0;
}

/* mu of a file's bytes. */
static int read_mu(uint8_t mu[VLDAA_MLDSA_MU_BYTES], const uint8_t *tr, const char *context,
		   const char *path)
{
	uint8_t *message = NULL;
	size_t len = 0;
	vldaa_shake s;

	if (vldaa_file_read(&message, &len, path, MOST))
		return failed(path);
	vldaa_mldsa_mu_begin(&s, tr, context, strlen(context));
	vldaa_shake_absorb(&s, message, len);
	vldaa_mldsa_mu_end(&s, mu);
	vldaa_file_free(message, len);
	return 0;
}

static int sign(const char *message, const char *context, const char *out)
{
	const uint8_t rnd[32] = {0};
	uint8_t signature[VLDAA_MLDSA_MAX_SIGNATURE], mu[VLDAA_MLDSA_MU_BYTES];

	if (read_mu(mu, private_key.tr, context, message))
		return FAILED;
	if (vldaa_mldsa_sign(&private_key, mu, rnd, signature, &workspace) ||
	    vldaa_file_write(out, signature, private_key.set->signature_bytes, 0))
		return failed(out);
	return 0;
}

/* Reads the key into public_key. */
static int read_key(const char *path, const vldaa_mldsa_set **set)
{
	uint8_t *file = NULL, *key = NULL;
	size_t file_len = 0, len = 0;
	int err = vldaa_file_read(&file, &file_len, path, VLDAA_KEYFILE_MAX_FILE);

	if (!err)
		err = vldaa_keyfile_decode_mldsa(&key, &len, file, file_len);
	*set = len == vldaa_mldsa_87.public_bytes ? &vldaa_mldsa_87 : &vldaa_mldsa_44;
	if (!err && len != (*set)->public_bytes)
		err = VLDAA_ERR_KIND;
	if (!err)
		memcpy(public_key, key, len);
	vldaa_keyfile_free(key, len);
	vldaa_file_free(file, file_len);
	return err ? failed(path) : 0;
}

static int verify(const char *key, const char *message, const char *context, const char *path)
{
	uint8_t tr[VLDAA_MLDSA_TR_BYTES], mu[VLDAA_MLDSA_MU_BYTES];
	const vldaa_mldsa_set *set;
	uint8_t *signature = NULL;
	size_t len = 0;
	int valid;

	if (read_key(key, &set))
		return FAILED;
	vldaa_mldsa_tr(set, public_key, tr);
	if (read_mu(mu, tr, context, message))
		return FAILED;
	if (vldaa_file_read(&signature, &len, path, MOST))
		return failed(path);
	valid = len == set->signature_bytes &&
		vldaa_mldsa_verify(set, public_key, mu, signature, &workspace) == VLDAA_OK;
	vldaa_file_free(signature, len);
	printf("%s\n", valid ? "valid" : "invalid");
	return valid ? 0 : INVALID;
}

int main(int argc, char **argv)
{
	if (argc == 5 && strcmp(argv[1], "key") == 0)
		return make_key(argv[2], argv[3]) ? FAILED : write_key(argv[4]);
	if (argc == 7 && strcmp(argv[1], "sign") == 0)
		return make_key(argv[2], argv[3]) ? FAILED : sign(argv[4], argv[5], argv[6]);
	if (argc == 6 && strcmp(argv[1], "verify") == 0)
		return verify(argv[2], argv[3], argv[4], argv[5]);
	return failed("see its source for what it takes");
}
