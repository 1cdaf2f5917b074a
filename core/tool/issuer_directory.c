#include "issuer_directory.h"

#include <stdlib.h>
#include <string.h>

#include <openssl/crypto.h>

#include "report.h"
#include "vldaa/verify.h"

/* --- opening -----------------------------------------------------------------------------------
 */

/* The register of the group key. */
static int open_register(vldaa_issuer_directory *d, const char *path)
{
	vldaa_verifier *verifier = NULL;
	int err = vldaa_verifier_new(&verifier, d->group.data, d->group.len);
	int status;

	if (err)
		return vldaa_report(d->directory, err);
	err = vldaa_register_open(&d->reg, path, vldaa_set_id(d->set),
				  vldaa_verifier_key_id(verifier));
	status =
	    err ? vldaa_report_reason(path, err, vldaa_register_reason(d->reg)) : VLDAA_EXIT_OK;
	vldaa_verifier_free(verifier);
	return status;
}

/* An issuer's own files that are no good decide nothing about anything else. */
static int own(int status)
{
	return status == VLDAA_EXIT_INVALID ? VLDAA_EXIT_FAILED : status;
}

int vldaa_issuer_open(vldaa_issuer_directory *d, const char *directory)
{
	char *group = vldaa_path(directory, VLDAA_ISSUER_GROUP_FILE);
	char *database = vldaa_path(directory, VLDAA_ISSUER_REGISTER_FILE);
	int status = VLDAA_EXIT_FAILED;

	memset(d, 0, sizeof *d);
	d->directory = directory;
	if (group && database)
		status = vldaa_check_directory(directory, VLDAA_ISSUER_REGISTER_FILE, "an issuer's",
					       "vldaa issuer init");
	if (status == VLDAA_EXIT_OK)
		status = vldaa_load_group_key(&d->group, &d->set, group);
	if (status == VLDAA_EXIT_OK)
		status = open_register(d, database);
	free(group);
	free(database);
	return own(status);
}

static int load_issuer(vldaa_issuer_directory *d, const char *path,
		       const vldaa_passphrase *passphrase)
{
	vldaa_buffer key = {NULL, 0};
	const vldaa_set *set = NULL;
	const uint8_t *group;
	size_t len = 0;
	int status = vldaa_load_secret(&key, &set, path, VLDAA_KIND_ISSUER_KEY, passphrase);
	int err;

	if (status != VLDAA_EXIT_OK)
		return status;
	err = vldaa_issuer_new(&d->issuer, key.data, key.len);
	vldaa_buffer_free(&key);
	if (err)
		return vldaa_report(path, err);
	group = vldaa_issuer_group_key(d->issuer, &len);
	if (len != d->group.len || memcmp(group, d->group.data, len) != 0)
		return vldaa_report(path, VLDAA_ERR_WRONG_ISSUER);
	return VLDAA_EXIT_OK;
}

static int load_services(vldaa_issuer_directory *d, const char *ra, const char *fleet,
			 const char *roots)
{
	int status = vldaa_load_revocation_key(&d->revocation_key, ra);

	if (status == VLDAA_EXIT_OK)
		status = vldaa_fleet_key_load(d->fleet_key, fleet);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_read(&d->roots, roots, VLDAA_ROOTS_MAX);
	d->services =
	    (vldaa_group_services){d->revocation_key.data, d->revocation_key.len, d->fleet_key};
	d->desk = (vldaa_issue_desk){d->reg, d->issuer, &d->services, d->roots.data, d->roots.len};
	return status;
}

int vldaa_issuer_open_with_key(vldaa_issuer_directory *d, const char *directory,
			       const vldaa_passphrase *passphrase)
{
	char *key = vldaa_path(directory, VLDAA_ISSUER_KEY_FILE);
	char *ra = vldaa_path(directory, VLDAA_ISSUER_RA_FILE);
	char *fleet = vldaa_path(directory, VLDAA_ISSUER_FLEET_FILE);
	char *roots = vldaa_path(directory, VLDAA_ISSUER_ROOTS_FILE);
	int status = vldaa_issuer_open(d, directory);

	if (!key || !ra || !fleet || !roots)
		status = VLDAA_EXIT_FAILED;
	if (status == VLDAA_EXIT_OK)
		status = load_issuer(d, key, passphrase);
	if (status == VLDAA_EXIT_OK)
		status = load_services(d, ra, fleet, roots);
	free(key);
	free(ra);
	free(fleet);
	free(roots);
	return own(status);
}

void vldaa_issuer_close(vldaa_issuer_directory *d)
{
	vldaa_register_close(d->reg);
	vldaa_issuer_free(d->issuer);
	vldaa_buffer_free(&d->group);
	vldaa_buffer_free(&d->revocation_key);
	vldaa_buffer_free(&d->roots);
	OPENSSL_cleanse(d, sizeof *d);
}

int vldaa_issuer_report(const vldaa_issuer_directory *d, int code)
{
	return vldaa_report_reason(d->directory, code, vldaa_register_reason(d->reg));
}
