/*
 * For keyfile_openssl.sh, which compares our files with what the openssl command makes of them.
 *   keyfile_tool write DIRECTORY          the same key as plain.pem, plain.der, scrypt.pem,
 * pbkdf2.pem; and public.pem, public.der keyfile_tool read FILE PASSPHRASE     prints the private
 * key's octets in hexadecimal, or fails
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vldaa/file.h"
#include "vldaa/keyfile.h"

static int write_key(const char *directory, const char *name, enum vldaa_keyfile_type type,
		     enum vldaa_keyfile_form form, const vldaa_keyfile_lock *lock)
{
	uint8_t octets[200] = {'V', 'L', 'D', 'A', 1, 1, 0, 0, 0, 128};
	char path[1000];
	uint8_t *file;
	size_t len;
	int result;

	for (size_t i = VLDAA_OBJECT_HEADER; i < sizeof(octets); i++)
		octets[i] = (uint8_t)i;
	result = vldaa_keyfile_encode(&file, &len, type, form, octets, sizeof(octets), lock, NULL);
	if (result != VLDAA_OK)
		return result;
	snprintf(path, sizeof(path), "%s/%s", directory, name);
	result = vldaa_file_write(path, file, len, VLDAA_FILE_PRIVATE | VLDAA_FILE_NEW);
	vldaa_keyfile_free(file, len);
	return result;
}

static int write_all(const char *directory)
{
	const vldaa_keyfile_lock scrypt = {"secret", 6, VLDAA_KEYFILE_SCRYPT};
	const vldaa_keyfile_lock pbkdf2 = {"secret", 6, VLDAA_KEYFILE_PBKDF2};
	const struct {
		const char *name;
		enum vldaa_keyfile_type type;
		enum vldaa_keyfile_form form;
		const vldaa_keyfile_lock *lock;
	} files[] = {
	    {"plain.pem", VLDAA_KEYFILE_PRIVATE, VLDAA_KEYFILE_PEM, NULL},
	    {"plain.der", VLDAA_KEYFILE_PRIVATE, VLDAA_KEYFILE_DER, NULL},
	    {"scrypt.pem", VLDAA_KEYFILE_PRIVATE, VLDAA_KEYFILE_PEM, &scrypt},
	    {"pbkdf2.pem", VLDAA_KEYFILE_PRIVATE, VLDAA_KEYFILE_PEM, &pbkdf2},
	    {"public.pem", VLDAA_KEYFILE_PUBLIC, VLDAA_KEYFILE_PEM, NULL},
	    {"public.der", VLDAA_KEYFILE_PUBLIC, VLDAA_KEYFILE_DER, NULL},
	};
	int result = VLDAA_OK;

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]) && result == VLDAA_OK; i++)
		result = write_key(directory, files[i].name, files[i].type, files[i].form,
				   files[i].lock);
	return result;
}

static int give(void *arg, char passphrase[VLDAA_KEYFILE_MAX_PASSPHRASE], size_t *len)
{
	const char *text = arg;

	*len = strlen(text);
	memcpy(passphrase, text, *len);
	return VLDAA_OK;
}

static int read_key(const char *path, char *passphrase)
{
	vldaa_key key;
	uint8_t *file;
	size_t len;
	int result = vldaa_file_read(&file, &len, path, VLDAA_KEYFILE_MAX_FILE);

	if (result != VLDAA_OK)
		return result;
	result = vldaa_keyfile_decode(&key, file, len, give, passphrase, NULL);
	vldaa_file_free(file, len);
	for (size_t i = 0; i < key.len; i++)
		printf("%02X", key.octets[i]);
	printf("\n");
	vldaa_key_clear(&key);
	return result;
}

int main(int argc, char **argv)
{
	int result = VLDAA_ERR_ARGUMENT;

	if (argc == 3 && strcmp(argv[1], "write") == 0)
		result = write_all(argv[2]);
	else if (argc == 4 && strcmp(argv[1], "read") == 0)
		result = read_key(argv[2], argv[3]);
	if (result != VLDAA_OK) {
		const char *name = vldaa_keyfile_error_name(result);

		fprintf(stderr, "%s (%d)\n", name != NULL ? name : "error", result);
	}
	return result == VLDAA_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
