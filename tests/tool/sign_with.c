/*
 * A program that signs with an exported key: what a provider of OpenSSL does, without OpenSSL.
 * usage: sign_with KEY BASENAME FORM MESSAGE OUT
 *   KEY      an unencrypted key file: a member (which makes the pseudonym) or a pseudonym
 *   FORM     whole, compact or bare
 *   MESSAGE  the message itself
 * Failures are named on standard error, as the library names them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vldaa/file.h"
#include "vldaa/keyfile.h"
#include "vldaa/member_key.h"

enum { MOST = 1 << 18 };

static uint8_t pseudonym[MOST], signature[MOST];

/* The PSEUDONYM object of the key in the file. */
static int get_pseudonym(const char *path, const char *basename, size_t *len)
{
	vldaa_member_key *member = NULL;
	vldaa_key key = {0};
	uint8_t *file = NULL;
	size_t file_len = 0;
	int err = vldaa_file_read(&file, &file_len, path, VLDAA_KEYFILE_MAX_FILE);

	if (!err)
		err = vldaa_keyfile_decode(&key, file, file_len, NULL, NULL, NULL);
	if (!err && key.kind == VLDAA_KIND_PSEUDONYM && key.len <= sizeof pseudonym) {
		memcpy(pseudonym, key.octets, key.len);
		*len = key.len;
	} else if (!err) {
		err = vldaa_member_key_new(&member, key.octets, key.len);
		if (!err)
			err = vldaa_member_key_create(member, (const uint8_t *)basename,
						      strlen(basename), pseudonym, sizeof pseudonym,
						      len);
	}
	vldaa_member_key_free(member);
	vldaa_key_clear(&key);
	vldaa_file_free(file, file_len);
	return err;
}

static enum vldaa_form form_named(const char *name)
{
	if (strcmp(name, "bare") == 0)
		return VLDAA_FORM_BARE;
	return strcmp(name, "compact") == 0 ? VLDAA_FORM_COMPACT : VLDAA_FORM_SELF_CONTAINED;
}

int main(int argc, char **argv)
{
	vldaa_pseudonym_key *key = NULL;
	vldaa_signing *signing = NULL;
	size_t len = 0;
	int err;

	if (argc != 6)
		return EXIT_FAILURE;
	err = get_pseudonym(argv[1], argv[2], &len);
	if (!err)
		err = vldaa_pseudonym_key_new(&key, pseudonym, len);
	if (!err)
		err = vldaa_signing_new(&signing, key, form_named(argv[3]));
	if (!err)
		err = vldaa_signing_update(signing, argv[4], strlen(argv[4]));
	if (!err)
		err = vldaa_signing_end(signing, signature, sizeof signature, &len);
	if (!err)
		err = vldaa_file_write(argv[5], signature, len, 0);
	if (err) {
		const char *name = vldaa_keyfile_error_name(err);

		fprintf(stderr, "%s\n", name ? name : vldaa_error_name(err));
	}
	vldaa_signing_free(signing);
	vldaa_pseudonym_key_free(key);
	return err ? EXIT_FAILURE : EXIT_SUCCESS;
}
