/*
 * Verifies a signed file with nothing but the group's public key: what `vldaa verify` does, in a
 * program of one's own.
 *
 *   verify GROUP.pem SIGNATURE FILE
 *
 * Build it with the installed library:  cc verify.c $(pkg-config --cflags --libs vldaa)
 * Exit status: 0 valid, 1 not valid, 2 something could not be read.
 */
#include <stdio.h>

#include <vldaa/file.h>
#include <vldaa/keyfile.h>
#include <vldaa/verify.h>

enum { MAX_SIGNATURE = 1 << 20, MAX_MESSAGE = 1 << 28 };

/* The verifier of the group whose public key this PEM file holds. */
static int load_group(vldaa_verifier **verifier, const char *path)
{
	uint8_t *text = NULL;
	size_t len = 0;
	vldaa_key key = {.octets = NULL};
	int err = vldaa_file_read(&text, &len, path, VLDAA_KEYFILE_MAX_FILE);

	if (!err)
		err = vldaa_keyfile_decode(&key, text, len, NULL, NULL, NULL);
	if (!err)
		err = vldaa_verifier_new(verifier, key.octets, key.len);
	vldaa_key_clear(&key);
	vldaa_file_free(text, len);
	return err;
}

/* VLDAA_OK when the message's signature is one of a member of the group. */
static int check(const vldaa_verifier *verifier, const uint8_t *signature, size_t signature_len,
		 const uint8_t *message, size_t message_len)
{
	vldaa_verification *v = NULL;
	int err = vldaa_verification_new(&v, verifier, signature, signature_len, NULL, NULL, 0);

	/* A message that does not fit into memory is given in pieces. */
	if (!err)
		err = vldaa_verification_update(v, message, message_len);
	if (!err)
		err = vldaa_verification_end(v);
	if (!err) {
		size_t len;
		const uint8_t *basename =
		    vldaa_attestation_basename(vldaa_verification_attestation(v), &len);

		printf("valid, for a basename of %zu bytes: ", len);
		for (size_t i = 0; i < len; i++)
			printf("%02x", basename[i]);
		printf("\n");
	}
	vldaa_verification_free(v);
	return err;
}

static const char *text_of(int err)
{
	const char *text = vldaa_keyfile_error_text(err);

	return text ? text : vldaa_error_text(err);
}

int main(int argc, char **argv)
{
	uint8_t *signature = NULL, *message = NULL;
	size_t signature_len = 0, message_len = 0;
	vldaa_verifier *verifier = NULL;
	const char *file = NULL; /* what an error is about */
	int err, status = 2;

	if (argc != 4) {
		fprintf(stderr, "usage: verify GROUP.pem SIGNATURE FILE\n");
		return 2;
	}
	err = load_group(&verifier, file = argv[1]);
	if (!err)
		err = vldaa_file_read(&signature, &signature_len, file = argv[2], MAX_SIGNATURE);
	if (!err)
		err = vldaa_file_read(&message, &message_len, file = argv[3], MAX_MESSAGE);
	if (!err) {
		file = argv[2];
		err = check(verifier, signature, signature_len, message, message_len);
		status = err == VLDAA_OK                                 ? 0
			 : vldaa_error_class(err) == VLDAA_CLASS_INVALID ? 1
									 : 2;
	}
	if (err)
		fprintf(stderr, "%s: %s\n", file, text_of(err));
	vldaa_file_free(message, message_len);
	vldaa_file_free(signature, signature_len);
	vldaa_verifier_free(verifier);
	return status;
}
