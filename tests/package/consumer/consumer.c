/* The least program that uses libvldaa from outside: it also compiles as C++.
 * consumer [GROUP.pem]: with a group's public key file, reads that. */
#include <stdio.h>

#include <vldaa/file.h>
#include <vldaa/keyfile.h>
#include <vldaa/params.h>
#include <vldaa/verify.h>

static int read_group(const char *path)
{
	vldaa_verifier *verifier = NULL;
	uint8_t *text = NULL;
	vldaa_key key;
	size_t len = 0;
	int err = vldaa_file_read(&text, &len, path, VLDAA_KEYFILE_MAX_FILE);

	if (err)
		return 1;
	err = vldaa_keyfile_decode(&key, text, len, NULL, NULL, NULL);
	vldaa_file_free(text, len);
	if (err || key.kind != VLDAA_KIND_GROUP_KEY)
		return 1;
	err = vldaa_verifier_new(&verifier, key.octets, key.len);
	vldaa_key_clear(&key);
	if (err)
		return 1;
	printf("%s: a %s group\n", path, vldaa_set_name(vldaa_verifier_set(verifier)));
	vldaa_verifier_free(verifier);
	return 0;
}

int main(int argc, char **argv)
{
	const uint8_t nonsense[] = "not a group key";
	vldaa_verifier *verifier = NULL;
	const vldaa_set *set = vldaa_set_by_name("vldaa-128");
	int err = vldaa_verifier_new(&verifier, nonsense, sizeof nonsense);

	if (!set || err != VLDAA_ERR_KIND || verifier)
		return 1;
	printf("%s: %s\n", vldaa_set_name(set), vldaa_error_text(err));
	return argc > 1 ? read_group(argv[1]) : 0;
}
