/* vldaa revoke init: a revocation authority's directory. */
#include <stdlib.h>

#include "checked.h"
#include "revoke/authority.h"
#include "revoke/orders.h"
#include "revoke/revoke.h"

enum { AUTHORITY, FLEET_KEY, GROUP, PASSPHRASE_FILE, PASSPHRASE_ENV };

static const vldaa_option options[] = {
    [AUTHORITY] = {"authority", 0, "KEY", "the authority's private key, made with openssl",
		   VLDAA_OPTION_REQUIRED | VLDAA_OPTION_INPUT},
    [FLEET_KEY] =
	{"fleet-key", 0, "FILE",
	 "the fleet's broadcast key, as the issuer exports it;\nor 32 bytes, or 64 hex digits",
	 VLDAA_OPTION_REQUIRED | VLDAA_OPTION_INPUT},
    [GROUP] = {"group", 'g', "GROUP", "the group's public key",
	       VLDAA_OPTION_REQUIRED | VLDAA_OPTION_INPUT},
    [PASSPHRASE_FILE] = {"passphrase-file", 0, "FILE",
			 "the passphrase of an encrypted KEY is this file's first line",
			 VLDAA_OPTION_INPUT},
    [PASSPHRASE_ENV] = {"passphrase-env", 0, "NAME", "it is in this environment variable", 0},
    {0},
};

/* Nothing is copied that cannot be used. */
static int check_inputs(const vldaa_call *call, uint8_t fleet_key[VLDAA_FLEET_KEY])
{
	const vldaa_passphrase passphrase = {call->values[PASSPHRASE_FILE],
					     call->values[PASSPHRASE_ENV], call->values[AUTHORITY],
					     0};
	vldaa_buffer pkcs8 = {NULL, 0};
	vldaa_verifier *verifier = NULL;
	int status = vldaa_check_group(&verifier, call->values[GROUP]);

	if (status == VLDAA_EXIT_OK)
		vldaa_remind_set(vldaa_verifier_set(verifier));
	vldaa_verifier_free(verifier);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_load_private_key(&pkcs8, call->values[AUTHORITY], &passphrase);
	vldaa_buffer_free(&pkcs8);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_fleet_key_load(fleet_key, call->values[FLEET_KEY]);
	return status;
}

static int put(const char *directory, const char *name, const uint8_t *data, size_t len,
	       unsigned flags)
{
	char *path = vldaa_path(directory, name);
	int status = path ? vldaa_write(path, data, len, flags) : VLDAA_EXIT_FAILED;

	free(path);
	return status;
}

static int copy(const char *directory, const char *name, const char *from, unsigned flags)
{
	vldaa_buffer file = {NULL, 0};
	int status = vldaa_read(&file, from, VLDAA_KEYFILE_MAX_FILE);

	if (status == VLDAA_EXIT_OK)
		status = put(directory, name, file.data, file.len, flags);
	vldaa_buffer_free(&file);
	return status;
}

static int put_fleet_key(const char *directory, const uint8_t key[VLDAA_FLEET_KEY])
{
	char *path = vldaa_path(directory, VLDAA_AUTHORITY_FLEET_FILE);
	int status = path ? vldaa_fleet_key_save(path, key, VLDAA_FILE_NEW) : VLDAA_EXIT_FAILED;

	free(path);
	return status;
}

static int is_complete(const char *directory, int *complete)
{
	char *path = vldaa_path(directory, VLDAA_AUTHORITY_FLEET_FILE);

	if (!path)
		return VLDAA_EXIT_FAILED;
	*complete = vldaa_exists(path);
	free(path);
	return VLDAA_EXIT_OK;
}

static int run(const vldaa_call *call)
{
	const char *directory = call->argv[0];
	vldaa_authority_keys keys = {.pkcs8 = {NULL, 0}};
	int complete = 0, status = is_complete(directory, &complete);

	if (status == VLDAA_EXIT_OK && complete) {
		vldaa_say("%s: is a revocation authority's directory already", directory);
		status = VLDAA_EXIT_USAGE;
	}
	if (status == VLDAA_EXIT_OK)
		status = check_inputs(call, keys.fleet_key);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_make_private_directory(directory);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_orders_init(directory);
	if (status == VLDAA_EXIT_OK)
		status = copy(directory, VLDAA_AUTHORITY_GROUP_FILE, call->values[GROUP], 0);
	if (status == VLDAA_EXIT_OK)
		status = copy(directory, VLDAA_AUTHORITY_KEY_FILE, call->values[AUTHORITY],
			      VLDAA_FILE_PRIVATE);
	if (status == VLDAA_EXIT_OK)
		status = put_fleet_key(directory, keys.fleet_key);
	vldaa_authority_keys_clear(&keys);
	return status;
}

const vldaa_command vldaa_command_revoke_init = {
    .name = "init",
    .summary = "Make a revocation authority's directory",
    .arguments = "RADIR",
    .argument_kinds = "D",
    .min_arguments = 1,
    .max_arguments = 1,
    .options = options,
    .run = run,
    .details =
	"RADIR is made, of mode 0700.\n"
	"The issuer gives members the public half of KEY and the fleet's key when they join, so\n"
	"these must be the ones that the issuer has.  An encrypted KEY stays encrypted.\n"
	"\n"
	"  openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out ra.pem\n"
	"  vldaa revoke init RA --authority ra.pem --fleet-key fleet.key --group group.pem",
};
