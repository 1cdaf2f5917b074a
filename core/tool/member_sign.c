/* vldaa member create, sign, show: what a member does when it has joined. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "member_commands.h"
#include "output.h"

/* --- create ------------------------------------------------------------------------------------
 */

enum {
	CREATE_BASENAME,
	CREATE_BASENAME_HEX,
	CREATE_OUTPUT,
	CREATE_TOKEN,
	CREATE_MLDSA_KEY,
	CREATE_PASSPHRASE_FILE,
	CREATE_PASSPHRASE_ENV
};
static const vldaa_option create_options[] = {
    [CREATE_BASENAME] = {"basename", 0, "TEXT", "what the pseudonym is for: 1 to 255 bytes", 0},
    [CREATE_BASENAME_HEX] = {"basename-hex", 0, "HEX", "the same in hexadecimal", 0},
    [CREATE_OUTPUT] = {"output", 'o', "FILE", "where the attestation goes (-: standard output)",
		       VLDAA_OPTION_OUTPUT},
    [CREATE_TOKEN] = {"token", 0, "FILE",
		      "where a revocation token goes, for the revocation authority",
		      VLDAA_OPTION_OUTPUT},
    [CREATE_MLDSA_KEY] = {"mldsa-key", 0, "FILE",
			  "where the pseudonym goes as an ML-DSA public key (PEM), by\n"
			  "which any program verifies bare signatures",
			  VLDAA_OPTION_OUTPUT},
    [CREATE_PASSPHRASE_FILE] = {"passphrase-file", 0, "FILE", "opens the host's key",
				VLDAA_OPTION_INPUT},
    [CREATE_PASSPHRASE_ENV] = {"passphrase-env", 0, "NAME", "the same", 0},
    {NULL, 0, NULL, NULL, 0},
};

static int write_token(vldaa_member_directory *m, const vldaa_object_info *info, const char *path)
{
	vldaa_buffer token = {NULL, 0};
	int status = vldaa_buffer_for(&token, m->set, VLDAA_KIND_TOKEN), err;
	size_t len = 0;

	if (status != VLDAA_EXIT_OK)
		return status;
	err = vldaa_tpm_client_call_for(m->tpm, VLDAA_TPM_TOKEN, info->key_id, info->digest,
					info->basename, info->basename_len, token.data, token.len,
					&len);
	status = err ? vldaa_member_report(m, NULL, err) : vldaa_write(path, token.data, len, 0);
	vldaa_buffer_free(&token);
	return status;
}

/* The member's own attestation: what is not verified is what it has made itself. */
static int write_mldsa_key(const vldaa_buffer *attestation, const char *path)
{
	uint8_t key[VLDAA_MLDSA_KEY_MAX];
	size_t len = 0;
	int err = vldaa_attestation_public_key_of(attestation->data, attestation->len, key,
						  sizeof key, &len);

	return err ? vldaa_report(path, err) : vldaa_save_mldsa(path, key, len);
}

/* Told before anything is made. */
static int check_mldsa(const vldaa_member_directory *m, int wanted)
{
	return wanted && vldaa_set_bare_size(m->set) == 0
		   ? vldaa_report(vldaa_set_name(m->set), VLDAA_ERR_FORM)
		   : VLDAA_EXIT_OK;
}

static int run_create(const vldaa_call *call)
{
	const vldaa_passphrase passphrase = vldaa_member_passphrase(call, CREATE_PASSPHRASE_FILE);
	vldaa_buffer attestation = {NULL, 0};
	vldaa_member_directory m = {0};
	vldaa_object_info info;
	vldaa_basename basename;
	int status = vldaa_basename_parse(&basename, call, call->values[CREATE_BASENAME],
					  call->values[CREATE_BASENAME_HEX]);

	if (status == VLDAA_EXIT_OK && basename.len == 0)
		status = vldaa_usage(call, "--basename TEXT is missing");
	if (status == VLDAA_EXIT_OK)
		status = vldaa_member_open(&m, call->argv[0], &passphrase);
	if (status == VLDAA_EXIT_OK)
		status = check_mldsa(&m, call->values[CREATE_MLDSA_KEY] != NULL);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_member_pseudonym(&m, &basename, &attestation, &info);
	if (status == VLDAA_EXIT_OK && call->values[CREATE_OUTPUT])
		status =
		    vldaa_write(call->values[CREATE_OUTPUT], attestation.data, attestation.len, 0);
	if (status == VLDAA_EXIT_OK && call->values[CREATE_TOKEN])
		status = write_token(&m, &info, call->values[CREATE_TOKEN]);
	if (status == VLDAA_EXIT_OK && call->values[CREATE_MLDSA_KEY])
		status = write_mldsa_key(&attestation, call->values[CREATE_MLDSA_KEY]);
	vldaa_member_close(&m);
	vldaa_buffer_free(&attestation);
	return status;
}

const vldaa_command vldaa_command_member_create = {
    .name = "create",
    .summary = "Make the member's pseudonym for a basename, and the attestation that shows it",
    .arguments = "DIR",
    .argument_kinds = "M",
    .min_arguments = 1,
    .max_arguments = 1,
    .options = create_options,
    .run = run_create,
    .details =
	"A basename gives one pseudonym, always the same: whoever sees two signatures under\n"
	"it knows that one member made both.  Different basenames cannot be linked.  The\n"
	"attestation is kept in DIR/pseudonyms and given again.\n"
	"\n"
	"Example:\n"
	"  vldaa member create car1 --basename 2025-w07 -o attestation",
};

/* --- sign --------------------------------------------------------------------------------------
 */

enum {
	SIGN_BASENAME,
	SIGN_BASENAME_HEX,
	SIGN_OUTPUT,
	SIGN_COMPACT,
	SIGN_BARE,
	SIGN_PASSPHRASE_FILE,
	SIGN_PASSPHRASE_ENV
};
static const vldaa_option sign_options[] = {
    [SIGN_BASENAME] = {"basename", 0, "TEXT", "what the pseudonym is for: 1 to 255 bytes", 0},
    [SIGN_BASENAME_HEX] = {"basename-hex", 0, "HEX", "the same in hexadecimal", 0},
    [SIGN_OUTPUT] = {"output", 'o', "FILE", "where the signature goes (-: standard output)",
		     VLDAA_OPTION_REQUIRED | VLDAA_OPTION_OUTPUT},
    [SIGN_COMPACT] = {"compact", 0, NULL,
		      "only name the attestation, do not carry it: the verifier\n"
		      "needs it once (vldaa member create)",
		      0},
    [SIGN_BARE] = {"bare", 0, NULL,
		   "the ML-DSA signature alone, for any program that verifies\n"
		   "ML-DSA (vldaa member create --mldsa-key)",
		   0},
    [SIGN_PASSPHRASE_FILE] = {"passphrase-file", 0, "FILE", "opens the host's key",
			      VLDAA_OPTION_INPUT},
    [SIGN_PASSPHRASE_ENV] = {"passphrase-env", 0, "NAME", "the same", 0},
    {NULL, 0, NULL, NULL, 0},
};

static int sign_piece(void *arg, const uint8_t *data, size_t len)
{
	vldaa_member_directory *m = arg;

	return vldaa_tpm_client_call(m->tpm, VLDAA_TPM_SIGN_UPDATE, data, len, NULL, 0, NULL);
}

/* The bare signature, from the TPM. */
static int sign_message(vldaa_member_directory *m, const vldaa_object_info *info,
			const char *message, const vldaa_buffer *bare, size_t *len)
{
	int status;
	int err =
	    vldaa_tpm_client_call_for(m->tpm, VLDAA_TPM_SIGN_BEGIN, info->key_id, info->digest,
				      info->basename, info->basename_len, NULL, 0, NULL);

	if (err)
		return vldaa_member_report(m, NULL, err);
	status = vldaa_stream(message, "signing", sign_piece, m);
	if (status != VLDAA_EXIT_OK)
		return status;
	err =
	    vldaa_tpm_client_call(m->tpm, VLDAA_TPM_SIGN_END, NULL, 0, bare->data, bare->len, len);
	return err ? vldaa_member_report(m, NULL, err) : VLDAA_EXIT_OK;
}

static enum vldaa_form form_of(const vldaa_call *call)
{
	if (call->values[SIGN_BARE])
		return VLDAA_FORM_BARE;
	return call->values[SIGN_COMPACT] ? VLDAA_FORM_COMPACT : VLDAA_FORM_SELF_CONTAINED;
}

static int sign_file(vldaa_member_directory *m, const vldaa_call *call,
		     const vldaa_basename *basename)
{
	const enum vldaa_form form = form_of(call);
	vldaa_buffer attestation = {NULL, 0}, bare = {NULL, 0}, out = {NULL, 0};
	vldaa_object_info info;
	size_t bare_len = 0, len = 0;
	int status = vldaa_member_pseudonym(m, basename, &attestation, &info), err;

	if (status == VLDAA_EXIT_OK)
		status = vldaa_buffer_for(&bare, m->set, VLDAA_KIND_COMPACT);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_buffer_for(&out, m->set, VLDAA_KIND_SIGNATURE);
	if (status == VLDAA_EXIT_OK)
		status = sign_message(m, &info, call->argv[1], &bare, &bare_len);
	if (status == VLDAA_EXIT_OK) {
		err = vldaa_host_signature(m->host, form, attestation.data, attestation.len,
					   bare.data, bare_len, out.data, out.len, &len);
		status = err ? vldaa_report(m->directory, err)
			     : vldaa_write(call->values[SIGN_OUTPUT], out.data, len, 0);
	}
	vldaa_buffer_free(&attestation);
	vldaa_buffer_free(&bare);
	vldaa_buffer_free(&out);
	return status;
}

static int run_sign(const vldaa_call *call)
{
	const vldaa_passphrase passphrase = vldaa_member_passphrase(call, SIGN_PASSPHRASE_FILE);
	vldaa_member_directory m = {0};
	vldaa_basename basename;
	int status = vldaa_basename_parse(&basename, call, call->values[SIGN_BASENAME],
					  call->values[SIGN_BASENAME_HEX]);

	if (status == VLDAA_EXIT_OK && basename.len == 0)
		status = vldaa_usage(call, "--basename TEXT is missing");
	if (status == VLDAA_EXIT_OK && call->values[SIGN_COMPACT] && call->values[SIGN_BARE])
		status = vldaa_usage(call, "--compact and --bare are one too many");
	if (status == VLDAA_EXIT_OK)
		status = vldaa_member_open(&m, call->argv[0], &passphrase);
	if (status == VLDAA_EXIT_OK)
		status = check_mldsa(&m, call->values[SIGN_BARE] != NULL);
	if (status == VLDAA_EXIT_OK)
		vldaa_remind_set(m.set);
	if (status == VLDAA_EXIT_OK)
		status = sign_file(&m, call, &basename);
	vldaa_member_close(&m);
	return status;
}

const vldaa_command vldaa_command_member_sign = {
    .name = "sign",
    .summary = "Sign a file under the member's pseudonym for a basename",
    .arguments = "DIR FILE",
    .argument_kinds = "MI",
    .min_arguments = 2,
    .max_arguments = 2,
    .options = sign_options,
    .run = run_sign,
    .details = "FILE may have any size and may be - for standard input.  The pseudonym is made\n"
	       "when the member has none for this basename.\n"
	       "\n"
	       "Example:\n"
	       "  vldaa member sign car1 --basename 2025-w07 report.txt -o report.sig",
};

/* --- show --------------------------------------------------------------------------------------
 */

enum { SHOW_JSON, SHOW_PASSPHRASE_FILE, SHOW_PASSPHRASE_ENV };
static const vldaa_option show_options[] = {
    [SHOW_JSON] = {"json", 0, NULL, "answer as JSON", 0},
    [SHOW_PASSPHRASE_FILE] = {"passphrase-file", 0, "FILE", "opens the host's key",
			      VLDAA_OPTION_INPUT},
    [SHOW_PASSPHRASE_ENV] = {"passphrase-env", 0, "NAME", "the same", 0},
    {NULL, 0, NULL, NULL, 0},
};

/* Whether an order ended the pseudonym, which its TPM knows. */
static int ask_revoked(const vldaa_member_directory *m, const vldaa_object_info *info, int *revoked)
{
	int err =
	    vldaa_tpm_client_call_for(m->tpm, VLDAA_TPM_SIGN_BEGIN, info->key_id, info->digest,
				      info->basename, info->basename_len, NULL, 0, NULL);

	*revoked = err == VLDAA_ERR_TOMBSTONE || err == VLDAA_ERR_EXPELLED;
	return err && !*revoked ? vldaa_member_report(m, NULL, err) : VLDAA_EXIT_OK;
}

/* Where the pseudonyms are printed: as JSON, or as text when json is NULL. */
static int show_pseudonym(const vldaa_member_directory *m, const char *directory, const char *name,
			  vldaa_json *json)
{
	int revoked = 0;
	char *path = vldaa_path(directory, name);
	vldaa_buffer attestation = {NULL, 0};
	vldaa_object_info info;
	int status = path ? vldaa_read_object(&attestation, &info, path, VLDAA_KIND_ATTESTATION)
			  : VLDAA_EXIT_FAILED;

	if (status == VLDAA_EXIT_OK)
		status = ask_revoked(m, &info, &revoked);
	if (status == VLDAA_EXIT_OK && json) {
		vldaa_json_object(json, NULL);
		vldaa_json_text(json, "basename", info.basename, info.basename_len);
		vldaa_json_hex(json, "basename_hex", info.basename, info.basename_len);
		vldaa_json_hex(json, "attestation", info.digest, sizeof info.digest);
		vldaa_json_bool(json, "revoked", revoked);
		vldaa_json_string(json, "file", path);
		vldaa_json_object_end(json);
	} else if (status == VLDAA_EXIT_OK) {
		printf("pseudonym    ");
		vldaa_print_text(stdout, info.basename, info.basename_len);
		printf("\n             %s\n", path);
		if (revoked)
			printf("             revoked: it never signs again\n");
	}
	vldaa_buffer_free(&attestation);
	free(path);
	return status == VLDAA_EXIT_INVALID ? VLDAA_EXIT_FAILED : status;
}

static int show_pseudonyms(const vldaa_member_directory *m, vldaa_json *json)
{
	char *path = vldaa_path(m->directory, VLDAA_MEMBER_PSEUDONYMS);
	const struct dirent *entry;
	int status = VLDAA_EXIT_OK;
	DIR *d;

	if (!path)
		return VLDAA_EXIT_FAILED;
	d = opendir(path);
	/* The directory is made with the first pseudonym. */
	if (!d && errno != ENOENT)
		status = vldaa_report_errno(path);
	while (d && status == VLDAA_EXIT_OK && (entry = readdir(d)) != NULL) {
		if (entry->d_name[0] != '.')
			status = show_pseudonym(m, path, entry->d_name, json);
	}
	if (d)
		(void)closedir(d);
	free(path);
	return status;
}

static const char *state_text(const vldaa_member_directory *m, const vldaa_tpm_status *st)
{
	if (st->dead)
		return "expelled";
	if (m->joined)
		return "joined";
	return st->pending ? "request is out" : "not joined";
}

static int show(const vldaa_member_directory *m, const vldaa_tpm_status *st, int as_json)
{
	const uint8_t *key_id = vldaa_host_key_id(m->host);
	vldaa_json json;
	int status;

	if (as_json) {
		vldaa_json_init(&json, stdout);
		vldaa_json_object(&json, NULL);
		vldaa_json_string(&json, "set", vldaa_set_name(m->set));
		vldaa_json_hex(&json, "group", key_id, VLDAA_KEY_ID_BYTES);
		vldaa_json_string(&json, "state", state_text(m, st));
		vldaa_json_string(&json, "tpm", m->tpm_directory);
		vldaa_json_array(&json, "pseudonyms");
		status = show_pseudonyms(m, &json);
		vldaa_json_array_end(&json);
		vldaa_json_object_end(&json);
		return status;
	}
	printf("set          %s\ngroup        ", vldaa_set_name(m->set));
	vldaa_print_hex(stdout, key_id, VLDAA_KEY_ID_BYTES);
	printf("\nstate        %s\ntpm          %s\n", state_text(m, st), m->tpm_directory);
	return show_pseudonyms(m, NULL);
}

static int run_show(const vldaa_call *call)
{
	const vldaa_passphrase passphrase = vldaa_member_passphrase(call, SHOW_PASSPHRASE_FILE);
	vldaa_member_directory m = {0};
	vldaa_tpm_status st = {0};
	int status = vldaa_member_open(&m, call->argv[0], &passphrase), err;

	if (status == VLDAA_EXIT_OK) {
		err = vldaa_tpm_client_status(m.tpm, vldaa_host_key_id(m.host), &st);
		status = err ? vldaa_member_report(&m, NULL, err)
			     : show(&m, &st, call->values[SHOW_JSON] != NULL);
	}
	vldaa_member_close(&m);
	return status;
}

const vldaa_command vldaa_command_member_show = {
    .name = "show",
    .summary = "Tell a member's group, state and pseudonyms",
    .arguments = "DIR",
    .argument_kinds = "M",
    .min_arguments = 1,
    .max_arguments = 1,
    .options = show_options,
    .run = run_show,
    .details = "Example:\n  vldaa member show car1",
};
