/* vldaa inspect: what is this file? */
#include <string.h>

#include "commands.h"
#include "files.h"
#include "fleet_key.h"
#include "keys.h"
#include "looks_like.h"
#include "output.h"
#include "vldaa/revoke.h"

enum { JSON, PASSPHRASE_FILE, PASSPHRASE_ENV };

static const vldaa_option options[] = {
    [JSON] = {"json", 0, NULL, "answer as JSON", 0},
    [PASSPHRASE_FILE] = {"passphrase-file", 0, "FILE",
			 "the passphrase of an encrypted key is this file's first line",
			 VLDAA_OPTION_INPUT},
    [PASSPHRASE_ENV] = {"passphrase-env", 0, "NAME", "it is in this environment variable", 0},
    {0},
};

/* The longest object is a list. */
enum { MAX_FILE = 1 << 28 };

typedef struct {
	const char *path;
	const char *form; /* how the object is wrapped */
	const uint8_t *bytes;
	size_t len;
	vldaa_object_info info;
	int has_order;
	vldaa_order_terms order;
	uint8_t order_digest[VLDAA_DIGEST_BYTES];
} finding;

static int is_secret(enum vldaa_kind kind)
{
	switch (kind) {
	case VLDAA_KIND_ISSUER_KEY:
	case VLDAA_KIND_TPM_KEY:
	case VLDAA_KIND_HOST_KEY:
	case VLDAA_KIND_CREDENTIAL:
	case VLDAA_KIND_MEMBER:
	case VLDAA_KIND_PSEUDONYM:
		return 1;
	default:
		return 0;
	}
}

static int is_list(enum vldaa_kind kind)
{
	return kind == VLDAA_KIND_ROGUE_LIST || kind == VLDAA_KIND_REVOKED_LIST;
}

/* What info's digest is of. */
static const char *digest_name(enum vldaa_kind kind)
{
	return kind == VLDAA_KIND_CONFIRMATION ? "order" : "attestation";
}

static const char *mode_name(enum vldaa_revoke_mode mode)
{
	return mode == VLDAA_REVOKE_HARD ? "hard" : "soft";
}

/* --- text --------------------------------------------------------------------------------------
 */

static void line(const char *name, const char *text)
{
	printf("%-13s%s\n", name, text);
}

static void hex_line(const char *name, const uint8_t *bytes, size_t len)
{
	printf("%-13s", name);
	vldaa_print_hex(stdout, bytes, len);
	printf("\n");
}

static void print_order(const finding *f)
{
	char expiry[VLDAA_TIME_TEXT];

	vldaa_time_text(expiry, f->order.expiry);
	line("mode", mode_name(f->order.mode));
	printf("%-13s%d\n", "reason", f->order.reason);
	printf("%-13s%llu\n", "sequence", (unsigned long long)f->order.sequence);
	line("expiry", expiry);
	hex_line("order", f->order_digest, sizeof f->order_digest);
}

/* In full for a group key, by which somebody may decide to join. */
static void print_security(const vldaa_object_info *info)
{
	const char *warning = vldaa_set_warning(info->set);

	if (vldaa_set_signature_bits(info->set) == 0) {
		line("security", warning);
		return;
	}
	if (info->kind == VLDAA_KIND_GROUP_KEY)
		vldaa_print_security(info->set);
	else
		printf("%-13s%d bits against forgery\n", "security",
		       vldaa_set_signature_bits(info->set));
	if (warning)
		line("warning", warning);
}

static void print_text(const finding *f)
{
	const vldaa_object_info *info = &f->info;

	line("kind", vldaa_kind_name(info->kind));
	printf("%-13s%s (number %lu)\n", "set", vldaa_set_name(info->set),
	       (unsigned long)vldaa_set_id(info->set));
	line("form", f->form);
	printf("%-13s%zu\n", "bytes", info->len);
	if (info->has_key_id)
		hex_line("group", info->key_id, sizeof info->key_id);
	if (info->basename_len > 0) {
		printf("%-13s", info->kind == VLDAA_KIND_MEMBER ? "by default" : "basename");
		vldaa_print_text(stdout, info->basename, info->basename_len);
		printf("\n");
		hex_line("  as bytes", info->basename, info->basename_len);
	}
	if (info->has_digest)
		hex_line(digest_name(info->kind), info->digest, sizeof info->digest);
	if (is_list(info->kind))
		printf("%-13s%lu\n", "entries", (unsigned long)info->entries);
	if (f->has_order)
		print_order(f);
	if (is_secret(info->kind))
		line("secret", "yes: nobody but its owner may have it");
	print_security(info);
	line("checked", "its form only: no proof, no signature");
}

/* --- JSON --------------------------------------------------------------------------------------
 */

static void json_order(vldaa_json *json, const finding *f)
{
	vldaa_json_object(json, "order");
	vldaa_json_hex(json, "digest", f->order_digest, sizeof f->order_digest);
	vldaa_json_string(json, "mode", mode_name(f->order.mode));
	vldaa_json_int(json, "reason", f->order.reason);
	vldaa_json_int(json, "sequence", (int64_t)f->order.sequence);
	vldaa_json_int(json, "expiry", f->order.expiry);
	vldaa_json_object_end(json);
}

static void print_json(const finding *f)
{
	const vldaa_object_info *info = &f->info;
	vldaa_json json;

	vldaa_json_init(&json, stdout);
	vldaa_json_object(&json, NULL);
	vldaa_json_string(&json, "file", f->path);
	vldaa_json_string(&json, "kind", vldaa_kind_name(info->kind));
	vldaa_json_int(&json, "kind_number", (int64_t)info->kind);
	vldaa_json_string(&json, "set", vldaa_set_name(info->set));
	vldaa_json_int(&json, "set_number", vldaa_set_id(info->set));
	vldaa_json_string(&json, "form", f->form);
	vldaa_json_int(&json, "bytes", (int64_t)info->len);
	if (info->has_key_id)
		vldaa_json_hex(&json, "key_id", info->key_id, sizeof info->key_id);
	if (info->basename_len > 0) {
		const int is_default = info->kind == VLDAA_KIND_MEMBER;

		vldaa_json_text(&json, is_default ? "default_basename" : "basename", info->basename,
				info->basename_len);
		vldaa_json_hex(&json, is_default ? "default_basename_hex" : "basename_hex",
			       info->basename, info->basename_len);
	}
	if (info->has_digest) {
		vldaa_json_hex(&json,
			       info->kind == VLDAA_KIND_CONFIRMATION ? "order_digest"
								     : "attestation_digest",
			       info->digest, sizeof info->digest);
	}
	if (is_list(info->kind))
		vldaa_json_int(&json, "entries", info->entries);
	if (f->has_order)
		json_order(&json, f);
	vldaa_json_bool(&json, "secret", is_secret(info->kind));
	vldaa_json_int(&json, "signature_bits", vldaa_set_signature_bits(info->set));
	vldaa_json_int(&json, "key_bits", vldaa_set_key_bits(info->set));
	vldaa_json_int(&json, "anonymity_bits", vldaa_set_anonymity_bits(info->set));
	vldaa_json_string(&json, "assumptions", vldaa_set_assumptions(info->set));
	vldaa_json_string(&json, "warning", vldaa_set_warning(info->set));
	vldaa_json_object_end(&json);
}

/* Something else, or damaged. */
static int print_unknown(const vldaa_call *call, const vldaa_buffer *file, int code)
{
	char looks_like[VLDAA_LOOKS_LIKE_TEXT];
	vldaa_json json;

	vldaa_looks_like(looks_like, file->data, file->len);
	/* Whose key it was cannot be read any more: that it is another kind's is not known. */
	if (code == VLDAA_KEYFILE_ERR_DAMAGED)
		(void)snprintf(looks_like, sizeof looks_like, "a damaged key file");
	if (call->values[JSON]) {
		vldaa_json_init(&json, stdout);
		vldaa_json_object(&json, NULL);
		vldaa_json_string(&json, "file", call->argv[0]);
		vldaa_json_null(&json, "kind");
		vldaa_json_string(&json, "looks_like", looks_like);
		vldaa_json_string(&json, "error", vldaa_code_name(code));
		vldaa_json_string(&json, "text", vldaa_code_text(code));
		vldaa_json_object_end(&json);
	} else {
		line("kind", "unknown");
		line("looks like", looks_like);
		/* What is no key at all needs no reason for not being one. */
		if (code != VLDAA_KEYFILE_ERR_NOT_OURS)
			line("because", vldaa_code_text(code));
	}
	return VLDAA_EXIT_INVALID;
}

/* A key of no set and no group: who holds it opens every order to the fleet. */
static int print_fleet_key(const vldaa_call *call)
{
	vldaa_json json;

	if (call->values[JSON]) {
		vldaa_json_init(&json, stdout);
		vldaa_json_object(&json, NULL);
		vldaa_json_string(&json, "file", call->argv[0]);
		vldaa_json_string(&json, "kind", "fleet key");
		vldaa_json_string(&json, "form", "PEM");
		vldaa_json_bool(&json, "secret", 1);
		vldaa_json_object_end(&json);
	} else {
		line("kind", "fleet key");
		line("form", "PEM");
		line("secret", "yes: for the issuer, the revocation authority and members' TPMs");
	}
	return VLDAA_EXIT_OK;
}

/* The public key of an ML-DSA signature, a pseudonym's or anybody's: it says nothing of a group. */
static int print_mldsa_key(const vldaa_call *call, size_t len)
{
	char kind[sizeof "ML-DSA-44 public key"];
	vldaa_json json;

	(void)snprintf(kind, sizeof kind, "%s public key", vldaa_keyfile_mldsa_name(len));
	if (call->values[JSON]) {
		vldaa_json_init(&json, stdout);
		vldaa_json_object(&json, NULL);
		vldaa_json_string(&json, "file", call->argv[0]);
		vldaa_json_string(&json, "kind", kind);
		vldaa_json_string(&json, "form", "SubjectPublicKeyInfo");
		vldaa_json_int(&json, "bytes", (int64_t)len);
		vldaa_json_bool(&json, "secret", 0);
		vldaa_json_object_end(&json);
	} else {
		line("kind", kind);
		line("form", "SubjectPublicKeyInfo");
		printf("%-13s%zu\n", "bytes", len);
		line("group", "not in it: any program verifies bare signatures by this key, and\n"
			      "             only an attestation tells whose member made them");
	}
	return VLDAA_EXIT_OK;
}

/* --- finding out -------------------------------------------------------------------------------
 */

static int find_out(finding *f)
{
	int err = vldaa_object_inspect(&f->info, f->bytes, f->len);

	if (!err && f->info.kind == VLDAA_KIND_ORDER) {
		err = vldaa_order_read(f->bytes, f->len, &f->order, f->order_digest);
		f->has_order = 1;
	}
	return err;
}

static const char *form_of_key(const vldaa_key *key)
{
	if (key->type == VLDAA_KEYFILE_PUBLIC)
		return "SubjectPublicKeyInfo";
	return key->encrypted ? "PKCS#8, encrypted" : "PKCS#8";
}

/* A key that is none of ours, but that this project writes too. */
static int print_other_key(const vldaa_call *call, const vldaa_buffer *file, int err)
{
	uint8_t *key = NULL;
	size_t len = 0;
	int status;

	if (vldaa_fleet_key_from_pem(NULL, file->data, file->len))
		return print_fleet_key(call);
	if (file->len > VLDAA_KEYFILE_MAX_FILE ||
	    vldaa_keyfile_decode_mldsa(&key, &len, file->data, file->len) != VLDAA_OK)
		return print_unknown(call, file, err);
	status = print_mldsa_key(call, len);
	vldaa_keyfile_free(key, len);
	return status;
}

static int run(const vldaa_call *call)
{
	const vldaa_passphrase passphrase = {call->values[PASSPHRASE_FILE],
					     call->values[PASSPHRASE_ENV], call->argv[0], 0};
	vldaa_buffer file = {NULL, 0};
	vldaa_key key;
	finding f = {.path = call->argv[0], .form = "object"};
	int status = vldaa_read(&file, call->argv[0], MAX_FILE), err = VLDAA_OK;

	if (status != VLDAA_EXIT_OK)
		return status;
	memset(&key, 0, sizeof key);
	f.bytes = file.data;
	f.len = file.len;
	if (file.len < 4 || memcmp(file.data, "VLDA", 4) != 0) {
		err = file.len > VLDAA_KEYFILE_MAX_FILE
			  ? VLDAA_KEYFILE_ERR_NOT_OURS
			  : vldaa_decode_key(&key, &file, &passphrase);
		f.form = form_of_key(&key);
		f.bytes = key.octets;
		f.len = key.len;
	}
	if (!err)
		err = find_out(&f);
	if (err == VLDAA_KEYFILE_ERR_NOT_OURS)
		status = print_other_key(call, &file, err);
	else if (err == VLDAA_ERR_SERVICE)
		status = VLDAA_EXIT_USAGE;
	else if (err && vldaa_error_class(err) == VLDAA_CLASS_FAILED &&
		 err > VLDAA_KEYFILE_ERR_NOT_OURS)
		status = vldaa_report(call->argv[0], err);
	else if (err)
		status = print_unknown(call, &file, err);
	else if (call->values[JSON])
		print_json(&f);
	else
		print_text(&f);
	vldaa_key_clear(&key);
	vldaa_buffer_free(&file);
	return status;
}

const vldaa_command vldaa_command_inspect = {
    .name = "inspect",
    .summary = "Tell what a file is: any object or key of this project",
    .arguments = "FILE",
    .argument_kinds = "I",
    .min_arguments = 1,
    .max_arguments = 1,
    .options = options,
    .run = run,
    .details =
	"Works without any key and believes nothing: it shows what the file says of itself, to\n"
	"verify it is `vldaa verify`'s work.  Exit status 1 when the file is something else or\n"
	"damaged.\n"
	"\n"
	"  vldaa inspect report.sig",
};
