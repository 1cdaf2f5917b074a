#include "revoke/authority.h"

#include <stdlib.h>
#include <string.h>

#include <openssl/crypto.h>

#include "checked.h"
#include "report.h"

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
		status = vldaa_fleet_key_load(keys->fleet_key, fleet);
	free(key);
	free(fleet);
	return status;
}

void vldaa_authority_keys_clear(vldaa_authority_keys *keys)
{
	vldaa_buffer_free(&keys->pkcs8);
	OPENSSL_cleanse(keys->fleet_key, sizeof keys->fleet_key);
}
