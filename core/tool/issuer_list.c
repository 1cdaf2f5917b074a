/* vldaa issuer list, ban, rogue, export, backup: the register of members. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <openssl/crypto.h>

#include "issuer_directory.h"
#include "output.h"
#include "vldaa/revoke.h"

/* --- list --------------------------------------------------------------------------------------
 */

enum { LIST_STATE, LIST_BANS, LIST_JSON };
static const vldaa_option list_options[] = {
    [LIST_STATE] = {"state", 0, "STATE", "only members that are live, replaced or banned", 0},
    [LIST_BANS] = {"bans", 0, NULL, "list bans, with their reasons, instead of members", 0},
    [LIST_JSON] = {"json", 0, NULL, "answer as JSON", 0},
    {NULL, 0, NULL, NULL, 0},
};

static const char *const state_names[] = {
    [VLDAA_MEMBER_LIVE] = "live",
    [VLDAA_MEMBER_REPLACED] = "replaced",
    [VLDAA_MEMBER_BANNED] = "banned",
};

static int print_member(void *arg, const vldaa_register_member *m)
{
	vldaa_json *json = arg;
	char created[VLDAA_TIME_TEXT];
	char *subject = vldaa_subject_of(m->certificate, m->certificate_len);

	vldaa_time_text(created, m->created);
	if (json) {
		vldaa_json_object(json, NULL);
		vldaa_json_int(json, "member", m->id);
		vldaa_json_string(json, "state", state_names[m->state]);
		vldaa_json_string(json, "created", created);
		vldaa_json_string(json, "subject", subject);
		vldaa_json_hex(json, "certificate", m->certificate_id, sizeof m->certificate_id);
		vldaa_json_hex(json, "tpm_key", m->key_digest, sizeof m->key_digest);
		vldaa_json_hex(json, "host_key", m->host_key_digest, sizeof m->host_key_digest);
		vldaa_json_hex(json, "request", m->request_digest, sizeof m->request_digest);
		if (m->replaced_by)
			vldaa_json_int(json, "replaced_by", m->replaced_by);
		vldaa_json_object_end(json);
	} else {
		printf("%6" PRId64 "  %-8s  %s  ", m->id, state_names[m->state], created);
		if (subject)
			vldaa_print_text(stdout, (const uint8_t *)subject, strlen(subject));
		if (m->replaced_by)
			printf("  (replaced by %" PRId64 ")", m->replaced_by);
		printf("\n");
	}
	OPENSSL_free(subject);
	return VLDAA_OK;
}

static int print_ban(void *arg, const uint8_t *certificate_id, int64_t member_id,
		     const char *reason, int64_t created)
{
	vldaa_json *json = arg;
	char time_text[VLDAA_TIME_TEXT];

	vldaa_time_text(time_text, created);
	if (json) {
		vldaa_json_object(json, NULL);
		if (member_id)
			vldaa_json_int(json, "member", member_id);
		if (certificate_id)
			vldaa_json_hex(json, "certificate", certificate_id, VLDAA_DIGEST_BYTES);
		vldaa_json_string(json, "created", time_text);
		vldaa_json_string(json, "reason", reason);
		vldaa_json_object_end(json);
		return VLDAA_OK;
	}
	printf("%s  ", time_text);
	if (member_id) {
		printf("member %" PRId64, member_id);
	} else {
		printf("certificate ");
		vldaa_print_hex(stdout, certificate_id, VLDAA_DIGEST_BYTES);
	}
	if (reason[0]) {
		printf(": ");
		vldaa_print_text(stdout, (const uint8_t *)reason, strlen(reason));
	}
	printf("\n");
	return VLDAA_OK;
}

static int parse_state(const vldaa_call *call, unsigned *states)
{
	*states = 0;
	if (!call->values[LIST_STATE])
		return VLDAA_EXIT_OK;
	for (unsigned s = VLDAA_MEMBER_LIVE; s <= VLDAA_MEMBER_BANNED; s++) {
		if (strcmp(call->values[LIST_STATE], state_names[s]) == 0)
			*states = 1U << s;
	}
	if (*states == 0)
		return vldaa_usage(call, "--state is live, replaced or banned");
	return VLDAA_EXIT_OK;
}

static int run_list(const vldaa_call *call)
{
	vldaa_issuer_directory d = {0};
	vldaa_register_filter filter = {0};
	vldaa_json json, *to = NULL;
	int status = parse_state(call, &filter.states), err;

	if (status == VLDAA_EXIT_OK)
		status = vldaa_issuer_open(&d, call->argv[0]);
	if (status == VLDAA_EXIT_OK) {
		if (call->values[LIST_JSON]) {
			to = &json;
			vldaa_json_init(to, stdout);
			vldaa_json_array(to, NULL);
		}
		err = call->values[LIST_BANS]
			  ? vldaa_register_list_bans(d.reg, print_ban, to)
			  : vldaa_register_list(d.reg, &filter, print_member, to);
		if (to)
			vldaa_json_array_end(to);
		if (err)
			status = vldaa_issuer_report(&d, err);
	}
	vldaa_issuer_close(&d);
	return status;
}

const vldaa_command vldaa_command_issuer_list = {
    .name = "list",
    .summary = "List the members in the register",
    .arguments = "DIR",
    .argument_kinds = "D",
    .min_arguments = 1,
    .max_arguments = 1,
    .options = list_options,
    .run = run_list,
    .details = "Who has joined is all that the issuer knows: not who signed what.\n"
	       "\n"
	       "Example:\n"
	       "  vldaa issuer list issuer --state live",
};

/* --- ban ---------------------------------------------------------------------------------------
 */

enum { BAN_MEMBER, BAN_CERTIFICATE, BAN_REASON, BAN_JSON };
static const vldaa_option ban_options[] = {
    [BAN_MEMBER] = {"member", 0, "ID", "a member's number (vldaa issuer list)", 0},
    [BAN_CERTIFICATE] = {"certificate", 0, "FILE", "an endorsement certificate",
			 VLDAA_OPTION_INPUT},
    [BAN_REASON] = {"reason", 0, "TEXT", "kept in the register", 0},
    [BAN_JSON] = {"json", 0, NULL, "answer as JSON", 0},
    {NULL, 0, NULL, NULL, 0},
};

static int ban_member(const vldaa_issuer_directory *d, const vldaa_call *call, const char *reason)
{
	const char *text = call->values[BAN_MEMBER];
	char *end = NULL;
	vldaa_json json;
	long long id;
	int err;

	errno = 0;
	id = text[0] >= '0' && text[0] <= '9' ? strtoll(text, &end, 10) : 0;
	if (errno != 0 || !end || *end != '\0' || id < 1)
		return vldaa_usage(call, "--member is a member's number, not %s", text);
	err = vldaa_register_ban_member(d->reg, id, reason, (int64_t)time(NULL));
	if (err == VLDAA_ERR_NO_CREDENTIAL) {
		vldaa_say("%s: there is no member %lld", d->directory, id);
		return VLDAA_EXIT_USAGE;
	}
	if (err)
		return vldaa_issuer_report(d, err);
	if (call->values[BAN_JSON]) {
		vldaa_json_init(&json, stdout);
		vldaa_json_object(&json, NULL);
		vldaa_json_int(&json, "banned_member", id);
		vldaa_json_object_end(&json);
	} else {
		printf("member %lld is banned\n", id);
	}
	return VLDAA_EXIT_OK;
}

static int ban_certificate(const vldaa_issuer_directory *d, const vldaa_call *call,
			   const char *reason)
{
	const char *path = call->values[BAN_CERTIFICATE];
	vldaa_json json;
	uint8_t id[VLDAA_DIGEST_BYTES];
	vldaa_buffer file = {NULL, 0};
	int status = vldaa_read(&file, path, VLDAA_ROOTS_MAX), err;

	if (status != VLDAA_EXIT_OK)
		return status;
	err = vldaa_issuer_certificate_id(id, file.data, file.len);
	vldaa_buffer_free(&file);
	if (err) {
		vldaa_say("%s: this is not a certificate", path);
		return VLDAA_EXIT_FAILED;
	}
	err = vldaa_register_ban_certificate(d->reg, id, reason, (int64_t)time(NULL));
	if (err)
		return vldaa_issuer_report(d, err);
	if (call->values[BAN_JSON]) {
		vldaa_json_init(&json, stdout);
		vldaa_json_object(&json, NULL);
		vldaa_json_hex(&json, "banned_certificate", id, sizeof id);
		vldaa_json_object_end(&json);
	} else {
		printf("certificate ");
		vldaa_print_hex(stdout, id, sizeof id);
		printf(" is banned\n");
	}
	return VLDAA_EXIT_OK;
}

static int run_ban(const vldaa_call *call)
{
	const char *reason = call->values[BAN_REASON] ? call->values[BAN_REASON] : "";
	vldaa_issuer_directory d = {0};
	int status = VLDAA_EXIT_OK;

	if (!call->values[BAN_MEMBER] == !call->values[BAN_CERTIFICATE])
		status = vldaa_usage(call, "give either --member or --certificate");
	if (status == VLDAA_EXIT_OK && strlen(reason) > VLDAA_REGISTER_MAX_REASON)
		status =
		    vldaa_usage(call, "--reason has at most %d bytes", VLDAA_REGISTER_MAX_REASON);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_issuer_open(&d, call->argv[0]);
	if (status == VLDAA_EXIT_OK)
		status = call->values[BAN_MEMBER] ? ban_member(&d, call, reason)
						  : ban_certificate(&d, call, reason);
	vldaa_issuer_close(&d);
	return status;
}

const vldaa_command vldaa_command_issuer_ban = {
    .name = "ban",
    .summary = "Refuse a member's key, or an endorsement certificate, from now on",
    .arguments = "DIR",
    .argument_kinds = "D",
    .min_arguments = 1,
    .max_arguments = 1,
    .options = ban_options,
    .run = run_ban,
    .details = "A ban keeps a device from joining again.  It does not stop what it joined before\n"
	       "from signing: for that see vldaa revoke and vldaa issuer rogue.\n"
	       "\n"
	       "Example:\n"
	       "  vldaa issuer ban issuer --member 7 --reason 'sold abroad'",
};

/* --- rogue -------------------------------------------------------------------------------------
 */

enum { ROGUE_JSON, ROGUE_PASSPHRASE_FILE, ROGUE_PASSPHRASE_ENV };
static const vldaa_option rogue_options[] = {
    [ROGUE_JSON] = {"json", 0, NULL, "answer as JSON", 0},
    [ROGUE_PASSPHRASE_FILE] = {"passphrase-file", 0, "FILE", "opens the issuer's key",
			       VLDAA_OPTION_INPUT},
    [ROGUE_PASSPHRASE_ENV] = {"passphrase-env", 0, "NAME", "the same", 0},
    {NULL, 0, NULL, NULL, 0},
};

static int run_rogue(const vldaa_call *call)
{
	const vldaa_passphrase passphrase = vldaa_issuer_passphrase(call, ROGUE_PASSPHRASE_FILE);
	vldaa_buffer leaked = {NULL, 0};
	vldaa_issuer_directory d = {0};
	int64_t banned = 0;
	vldaa_json json;
	int status = vldaa_issuer_open_with_key(&d, call->argv[0], &passphrase), err;

	if (status == VLDAA_EXIT_OK)
		status = vldaa_read(&leaked, call->argv[1], VLDAA_REGISTER_MAX_BLOB);
	if (status == VLDAA_EXIT_OK) {
		err = vldaa_issue_rogue(&d.desk, leaked.data, leaked.len, (int64_t)time(NULL),
					&banned);
		if (err == VLDAA_ERR_KIND) {
			vldaa_say_mismatch(call->argv[1], &leaked, "TPM member key or rogue list");
			status = VLDAA_EXIT_INVALID;
		} else if (err) {
			status =
			    vldaa_report_reason(call->argv[1], err, vldaa_register_reason(d.reg));
		} else if (call->values[ROGUE_JSON]) {
			vldaa_json_init(&json, stdout);
			vldaa_json_object(&json, NULL);
			vldaa_json_int(&json, "banned_members", banned);
			vldaa_json_object_end(&json);
		} else {
			printf("%" PRId64 " member%s had this key\n", banned,
			       banned == 1 ? "" : "s");
		}
	}
	vldaa_buffer_free(&leaked);
	vldaa_issuer_close(&d);
	return status;
}

const vldaa_command vldaa_command_issuer_rogue = {
    .name = "rogue",
    .summary = "Put a TPM's secret key that became known on the rogue list",
    .arguments = "DIR FILE",
    .argument_kinds = "DI",
    .min_arguments = 2,
    .max_arguments = 2,
    .options = rogue_options,
    .run = run_rogue,
    .details =
	"FILE holds the key as it was found (a TPM key object), or another rogue list of\n"
	"this group.  Its member is banned.  Verifiers need the list: see vldaa issuer export.\n"
	"\n"
	"Example:\n"
	"  vldaa issuer rogue issuer found.key",
};

/* --- export ------------------------------------------------------------------------------------
 */

enum { EXPORT_GROUP, EXPORT_FLEET, EXPORT_ROGUE, EXPORT_PASSPHRASE_FILE, EXPORT_PASSPHRASE_ENV };
static const vldaa_option export_options[] = {
    [EXPORT_GROUP] = {"group-key", 0, "FILE", "the group's public key, for everybody",
		      VLDAA_OPTION_OUTPUT},
    [EXPORT_FLEET] = {"fleet-key", 0, "FILE",
		      "the fleet's broadcast key (secret), for the revocation\n"
		      "authority",
		      VLDAA_OPTION_OUTPUT},
    [EXPORT_ROGUE] = {"rogue-list", 0, "FILE",
		      "the list of leaked keys, for verifiers; needs the issuer's key",
		      VLDAA_OPTION_OUTPUT},
    [EXPORT_PASSPHRASE_FILE] = {"passphrase-file", 0, "FILE", "opens the issuer's key",
				VLDAA_OPTION_INPUT},
    [EXPORT_PASSPHRASE_ENV] = {"passphrase-env", 0, "NAME", "the same", 0},
    {NULL, 0, NULL, NULL, 0},
};

static int export_rogue(const vldaa_issuer_directory *d, const char *path)
{
	vldaa_buffer list = {NULL, 0};
	uint8_t none[1];
	size_t len = 0;
	int err = vldaa_issue_rogue_list(&d->desk, none, sizeof none, &len);
	int status =
	    err == VLDAA_ERR_BUFFER ? vldaa_buffer_new(&list, len) : vldaa_issuer_report(d, err);

	if (status != VLDAA_EXIT_OK)
		return status;
	err = vldaa_issue_rogue_list(&d->desk, list.data, list.len, &len);
	status = err ? vldaa_issuer_report(d, err) : vldaa_write(path, list.data, len, 0);
	vldaa_buffer_free(&list);
	return status;
}

static int export_fleet(const vldaa_issuer_directory *d, const char *to)
{
	char *path = vldaa_path(d->directory, VLDAA_ISSUER_FLEET_FILE);
	uint8_t key[VLDAA_FLEET_KEY] = {0};
	int status = path ? vldaa_fleet_key_load(key, path) : VLDAA_EXIT_FAILED;

	if (status == VLDAA_EXIT_OK)
		status = vldaa_fleet_key_save(to, key, 0);
	OPENSSL_cleanse(key, sizeof key);
	free(path);
	return status;
}

static int run_export(const vldaa_call *call)
{
	const vldaa_passphrase passphrase = vldaa_issuer_passphrase(call, EXPORT_PASSPHRASE_FILE);
	vldaa_issuer_directory d = {0};
	int status = VLDAA_EXIT_OK;

	if (!call->values[EXPORT_GROUP] && !call->values[EXPORT_FLEET] &&
	    !call->values[EXPORT_ROGUE])
		status = vldaa_usage(call, "nothing to export: give --group-key, --fleet-key or "
					   "--rogue-list");
	if (status == VLDAA_EXIT_OK)
		status = call->values[EXPORT_ROGUE]
			     ? vldaa_issuer_open_with_key(&d, call->argv[0], &passphrase)
			     : vldaa_issuer_open(&d, call->argv[0]);
	if (status == VLDAA_EXIT_OK && call->values[EXPORT_GROUP])
		status = vldaa_save_public(call->values[EXPORT_GROUP], d.group.data, d.group.len);
	if (status == VLDAA_EXIT_OK && call->values[EXPORT_FLEET])
		status = export_fleet(&d, call->values[EXPORT_FLEET]);
	if (status == VLDAA_EXIT_OK && call->values[EXPORT_ROGUE])
		status = export_rogue(&d, call->values[EXPORT_ROGUE]);
	vldaa_issuer_close(&d);
	return status;
}

const vldaa_command vldaa_command_issuer_export = {
    .name = "export",
    .summary = "Write what others need from the issuer",
    .arguments = "DIR",
    .argument_kinds = "D",
    .min_arguments = 1,
    .max_arguments = 1,
    .options = export_options,
    .run = run_export,
    .details = "Example:\n  vldaa issuer export issuer --group-key group.pem --fleet-key fleet.key",
};

/* --- backup ------------------------------------------------------------------------------------
 */

enum { BACKUP_JSON };
static const vldaa_option backup_options[] = {
    [BACKUP_JSON] = {"json", 0, NULL, "answer as JSON", 0},
    {NULL, 0, NULL, NULL, 0},
};

static int run_backup(const vldaa_call *call)
{
	vldaa_issuer_directory d = {0};
	vldaa_json json;
	int status = vldaa_issuer_open(&d, call->argv[0]), err;

	if (status == VLDAA_EXIT_OK && vldaa_exists(call->argv[1])) {
		vldaa_say("%s: exists already", call->argv[1]);
		status = VLDAA_EXIT_FAILED;
	}
	if (status == VLDAA_EXIT_OK) {
		err = vldaa_register_backup(d.reg, call->argv[1]);
		if (err)
			status =
			    vldaa_report_reason(call->argv[1], err, vldaa_register_reason(d.reg));
	}
	if (status == VLDAA_EXIT_OK && call->values[BACKUP_JSON]) {
		vldaa_json_init(&json, stdout);
		vldaa_json_object(&json, NULL);
		vldaa_json_string(&json, "backup", call->argv[1]);
		vldaa_json_object_end(&json);
	}
	vldaa_issuer_close(&d);
	return status;
}

const vldaa_command vldaa_command_issuer_backup = {
    .name = "backup",
    .summary = "Copy the register, while it may be in use",
    .arguments = "DIR FILE",
    .argument_kinds = "DO",
    .min_arguments = 2,
    .max_arguments = 2,
    .options = backup_options,
    .run = run_backup,
    .details =
	"A backup tells who had joined.  Do not issue from it: an old register forgets\n"
	"members and tags that came after it, and a tag that serves twice breaks the scheme.\n"
	"After the loss of a register found a new group.\n"
	"\n"
	"Example:\n"
	"  vldaa issuer backup issuer register-copy.db",
};
