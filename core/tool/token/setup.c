/* vldaa token setup: an issuer's key on a token. */
#include <stdlib.h>
#include <string.h>

#include "fleet_key.h"
#include "keys.h"
#include "token/token.h"
#include "trust.h"

enum { SET = VLDAA_TOKEN_KEY_OPTIONS, REVOCATION_KEY, ROOTS, GROUP_KEY, FLEET_KEY };
static const vldaa_option options[] = {
    VLDAA_TOKEN_KEY,
    [SET] = {"set", 0, "SET", "the parameter set; VLDAA2-44 when not given", 0},
    [REVOCATION_KEY] = {"revocation-key", 0, "FILE", "public key (PEM) of the revocation authority",
			VLDAA_OPTION_INPUT},
    [ROOTS] = {"manufacturer-roots", 0, "FILE",
	       "self-signed certificates of the tokens' manufacturers (PEM)", VLDAA_OPTION_INPUT},
    [GROUP_KEY] = {"group-key", 0, "FILE", "write the group's public key", VLDAA_OPTION_OUTPUT},
    [FLEET_KEY] = {"fleet-key", 0, "FILE",
		   "write the fleet's broadcast key, for the revocation authority",
		   VLDAA_OPTION_OUTPUT},
    {NULL, 0, NULL, NULL, 0},
};

static int generate(vldaa_token *t, const vldaa_set *set, const vldaa_buffer *revocation_key,
		    const vldaa_buffer *roots)
{
	CK_ATTRIBUTE templ[3] = {
	    {CKA_VLDAA_REVOCATION_KEY, revocation_key->data, revocation_key->len},
	    {CKA_VLDAA_ROOTS, roots->data, roots->len}};
	const CK_ULONG count = 2 + vldaa_token_new_label(t, &templ[2]);
	CK_OBJECT_HANDLE public_key, private_key;
	char name[32] = "";
	CK_MECHANISM m = {CKM_VLDAA_SETUP, name, strlen(vldaa_set_name(set))};
	CK_RV rv;

	memcpy(name, vldaa_set_name(set), m.ulParameterLen);
	rv = t->p11->C_GenerateKeyPair(t->session, &m, NULL, 0, templ, count, &public_key,
				       &private_key);
	return rv == CKR_OK ? VLDAA_EXIT_OK : vldaa_token_report(t, NULL, rv);
}

static int found_group(vldaa_token *t, const vldaa_call *call)
{
	const vldaa_set *set =
	    call->values[SET] ? vldaa_set_by_name(call->values[SET]) : vldaa_set_at(0);
	vldaa_buffer revocation_key = {NULL, 0}, roots = {NULL, 0};
	int status;

	if (!set)
		return vldaa_usage_set(call, call->values[SET]);
	if (!call->values[REVOCATION_KEY] || !call->values[ROOTS])
		return vldaa_usage(call,
				   "%s has no issuer's key yet: to make one, give "
				   "--revocation-key and --manufacturer-roots",
				   t->label);
	status = vldaa_load_revocation_key(&revocation_key, call->values[REVOCATION_KEY]);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_load_roots(&roots, call->values[ROOTS]);
	if (status == VLDAA_EXIT_OK) {
		vldaa_warn_set(set);
		status = generate(t, set, &revocation_key, &roots);
	}
	vldaa_buffer_free(&revocation_key);
	vldaa_buffer_free(&roots);
	return status;
}

static int write_group(vldaa_token *t, CK_OBJECT_HANDLE key, const char *path)
{
	CK_OBJECT_HANDLE group;
	vldaa_buffer value = {NULL, 0};
	int status = vldaa_token_find_group(t, key, &group);

	if (status == VLDAA_EXIT_OK)
		status = vldaa_token_get(t, group, CKA_VALUE, &value);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_save_public(path, value.data, value.len);
	vldaa_buffer_free(&value);
	return status;
}

static int write_fleet_key(vldaa_token *t, CK_OBJECT_HANDLE key, const char *path)
{
	vldaa_buffer value = {NULL, 0};
	int status = vldaa_token_get(t, key, CKA_VLDAA_FLEET_KEY, &value);

	if (status == VLDAA_EXIT_OK && value.len != VLDAA_FLEET_KEY) {
		vldaa_say("%s: this token has no fleet key", t->label);
		status = VLDAA_EXIT_FAILED;
	}
	if (status == VLDAA_EXIT_OK)
		status = vldaa_fleet_key_save(path, value.data, 0);
	vldaa_buffer_free(&value);
	return status;
}

static int run(const vldaa_call *call)
{
	const int asks = call->values[SET] || call->values[REVOCATION_KEY] || call->values[ROOTS];
	CK_OBJECT_HANDLE key = 0;
	vldaa_token t = {0};
	int status = vldaa_token_open(&t, call, VLDAA_TOKEN_USER);

	if (status == VLDAA_EXIT_OK)
		status = vldaa_token_find_key(&t, CK_VLDAA_ROLE_ISSUER, &key);
	if (status == VLDAA_EXIT_OK && key != 0 && asks)
		status = vldaa_usage(call, "%s has an issuer's key already", t.label);
	if (status == VLDAA_EXIT_OK && key == 0) {
		status = found_group(&t, call);
		if (status == VLDAA_EXIT_OK)
			status = vldaa_token_need_key(&t, CK_VLDAA_ROLE_ISSUER, &key);
	}
	if (status == VLDAA_EXIT_OK && call->values[GROUP_KEY])
		status = write_group(&t, key, call->values[GROUP_KEY]);
	if (status == VLDAA_EXIT_OK && call->values[FLEET_KEY])
		status = write_fleet_key(&t, key, call->values[FLEET_KEY]);
	vldaa_token_close(&t);
	return status;
}

const vldaa_command vldaa_command_token_setup = {
    .name = "setup",
    .summary = "Found a group: its issuer's key and register on the token",
    .arguments = "",
    .max_arguments = 0,
    .options = options,
    .run = run,
    .details =
	"On a token that has an issuer's key, it only writes what --group-key and --fleet-key ask\n"
	"for.  A second issuer on one token is named with --object.\n"
	"\n"
	"Example:\n"
	"  vldaa token setup --token issuer --revocation-key ra.pub.pem \\\n"
	"    --manufacturer-roots roots.pem --group-key group.pem --fleet-key fleet.key",
};
