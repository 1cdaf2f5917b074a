#include "revoke/authority.h"

#include <stdlib.h>
#include <string.h>

#include <openssl/crypto.h>

#include "checked.h"
#include "report.h"

enum { MAX_KEY_FILE = 256 };

int vldaa_load_fleet_key(uint8_t key[VLDAA_FLEET_KEY], const char *path)
{
	char digits[2 * VLDAA_FLEET_KEY + 1] = {0};
	vldaa_buffer file = {NULL, 0};
	int status = vldaa_read(&file, path, MAX_KEY_FILE);
	size_t len = 0, n;

	if (status != VLDAA_EXIT_OK)
		return status;
	n = file.len;
	while (n > VLDAA_FLEET_KEY && (file.data[n - 1] == '\n' || file.data[n - 1] == '\r'))
		n--;
	if (n == VLDAA_FLEET_KEY) {
		memcpy(key, file.data, n);
		len = n;
	} else if (n == sizeof digits - 1) {
		memcpy(digits, file.data, n);
		/* What it says about wrong digits would show them. */
		if (strspn(digits, "0123456789abcdefABCDEF") == n)
			status = vldaa_parse_hex(key, VLDAA_FLEET_KEY, &len, digits);
	}
	OPENSSL_cleanse(digits, sizeof digits);
	vldaa_buffer_free(&file);
	if (len != VLDAA_FLEET_KEY) {
		vldaa_say("%s: not a fleet key, which has %d bytes or %d hexadecimal digits", path,
			  VLDAA_FLEET_KEY, 2 * VLDAA_FLEET_KEY);
		status = VLDAA_EXIT_FAILED;
	}
	return status;
}

int vldaa_authority_check(const char *directory)
{
	return vldaa_check_directory(directory, VLDAA_AUTHORITY_KEY_FILE,
				     "a revocation authority's", "vldaa revoke init");
}

int vldaa_authority_verifier(vldaa_verifier **verifier, const char *directory)
{
	char *path = vldaa_path(directory, VLDAA_AUTHORITY_GROUP_FILE);
	int status = path ? vldaa_check_group(verifier, path) : VLDAA_EXIT_FAILED;

	free(path);
	return status;
}

int vldaa_authority_keys_load(vldaa_authority_keys *keys, const char *directory,
			      const vldaa_passphrase *passphrase)
{
	char *key = vldaa_path(directory, VLDAA_AUTHORITY_KEY_FILE);
	char *fleet = vldaa_path(directory, VLDAA_AUTHORITY_FLEET_FILE);
	int status = VLDAA_EXIT_FAILED;

	memset(keys, 0, sizeof *keys);
	if (key && fleet) {
		vldaa_passphrase p = *passphrase;

		p.subject = key;
		status = vldaa_load_private_key(&keys->pkcs8, key, &p);
	}
	if (status == VLDAA_EXIT_OK)
		status = vldaa_load_fleet_key(keys->fleet_key, fleet);
	free(key);
	free(fleet);
	return status;
}

void vldaa_authority_keys_clear(vldaa_authority_keys *keys)
{
	vldaa_buffer_free(&keys->pkcs8);
	OPENSSL_cleanse(keys->fleet_key, sizeof keys->fleet_key);
}
