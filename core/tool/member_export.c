/* vldaa member export: a member, or one of its pseudonyms, as a private key in a file. */
#include <stdlib.h>
#include <string.h>

#include <openssl/crypto.h>

#include "member_commands.h"
#include "tpm_directory.h"
#include "tpm_memory.h"
#include "tpm_store.h"
#include "vldaa/default_basename.h"
#include "vldaa/member_key.h"

enum {
	OUTPUT,
	BASENAME,
	BASENAME_HEX,
	DEFAULT_BASENAME,
	ENCRYPT_FILE,
	ENCRYPT_ENV,
	PASSPHRASE_FILE,
	PASSPHRASE_ENV
};
static const vldaa_option options[] = {
    [OUTPUT] = {"output", 'o', "FILE", "where the private key goes (PKCS#8 in PEM, mode 0600)",
		VLDAA_OPTION_REQUIRED | VLDAA_OPTION_OUTPUT},
    [BASENAME] = {"basename", 0, "TEXT",
		  "only the pseudonym for this basename: it signs, and makes no\nother one", 0},
    [BASENAME_HEX] = {"basename-hex", 0, "HEX", "the same in hexadecimal", 0},
    [DEFAULT_BASENAME] = {"default-basename", 0, "TEXT",
			  "for programs that sign with the file and give none: this\n"
			  "basename, or epoch:SECONDS for a new one each period",
			  0},
    [ENCRYPT_FILE] = {"encrypt-file", 0, "FILE",
		      "encrypt the private key under the passphrase in the first line",
		      VLDAA_OPTION_INPUT},
    [ENCRYPT_ENV] = {"encrypt-env", 0, "NAME", "the same, from an environment variable", 0},
    [PASSPHRASE_FILE] = {"passphrase-file", 0, "FILE", "opens the host's key", VLDAA_OPTION_INPUT},
    [PASSPHRASE_ENV] = {"passphrase-env", 0, "NAME", "the same", 0},
    {NULL, 0, NULL, NULL, 0},
};

/* What the TPM's store has of the member. */
typedef struct {
	uint8_t key[VLDAA_RECORD_MAX];
	size_t key_len;
	uint32_t creates;
	uint8_t tombstones[VLDAA_MEMBER_TOMBSTONES * VLDAA_RECORD_NAME];
	size_t tombstone_count;
} tpm_part;

static int load_creates(tpm_part *t, vldaa_tpm_store *store, const uint8_t *key_id)
{
	uint8_t value[4];
	size_t len = 0;
	int err =
	    vldaa_tpm_store_load(store, VLDAA_RECORD_CREATES, key_id, value, sizeof value, &len);

	t->creates = 0;
	if (err == VLDAA_ERR_NO_KEY)
		return VLDAA_OK;
	if (!err && len != sizeof value)
		err = VLDAA_ERR_STORE;
	for (size_t i = 0; i < sizeof value && !err; i++)
		t->creates = t->creates << 8 | value[i];
	return err;
}

/* A TPM in software has its secrets in a file: this is the one command that reads them there. */
static int load_tpm(tpm_part *t, const vldaa_member_directory *m)
{
	const uint8_t *key_id = vldaa_host_key_id(m->host);
	char *path = vldaa_path(m->tpm_directory, VLDAA_TPM_STORE_FILE);
	vldaa_tpm_store *store = NULL;
	int status = path ? VLDAA_EXIT_OK : VLDAA_EXIT_FAILED, err;

	if (status == VLDAA_EXIT_OK && vldaa_tpm_memory_wiped() != VLDAA_OK)
		status = vldaa_report(path, VLDAA_ERR_STORE);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_tpm_store_open(&store, path);
	if (status == VLDAA_EXIT_OK) {
		err = vldaa_tpm_store_load(store, VLDAA_RECORD_MEMBER, key_id, t->key,
					   sizeof t->key, &t->key_len);
		if (!err)
			err = load_creates(t, store, key_id);
		if (!err)
			err = vldaa_tpm_store_names(store, VLDAA_RECORD_TOMBSTONE, t->tombstones,
						    VLDAA_MEMBER_TOMBSTONES, &t->tombstone_count);
		status = err ? vldaa_report(m->tpm_directory, err) : VLDAA_EXIT_OK;
	}
	vldaa_tpm_store_close(store);
	free(path);
	return status;
}

/* The MEMBER object. */
static int encode(const vldaa_member_directory *m, const tpm_part *t, const char *default_basename,
		  vldaa_buffer *object)
{
	const vldaa_member_parts parts = {t->key,
					  t->key_len,
					  m->host_key.data,
					  m->host_key.len,
					  m->credential.data,
					  m->credential.len,
					  t->creates,
					  t->tombstones,
					  t->tombstone_count,
					  default_basename,
					  default_basename ? strlen(default_basename) : 0};
	int status = vldaa_buffer_for(object, m->set, VLDAA_KIND_MEMBER), err;

	if (status != VLDAA_EXIT_OK)
		return status;
	err = vldaa_member_key_encode(&parts, object->data, object->len, &object->len);
	return err ? vldaa_report(m->directory, err) : VLDAA_EXIT_OK;
}

static int make_member(const vldaa_member_directory *m, const char *default_basename,
		       vldaa_buffer *object)
{
	tpm_part *t = calloc(1, sizeof *t);
	int status = t ? load_tpm(t, m) : vldaa_report(NULL, VLDAA_ERR_MEMORY);

	if (status == VLDAA_EXIT_OK)
		status = encode(m, t, default_basename, object);
	if (t)
		OPENSSL_cleanse(t, sizeof *t);
	free(t);
	return status;
}

/* The PSEUDONYM object of the attestation. */
static int make_pseudonym(const vldaa_member_directory *m, vldaa_member_key *member,
			  const vldaa_buffer *attestation, vldaa_buffer *object)
{
	int status = vldaa_buffer_for(object, m->set, VLDAA_KIND_PSEUDONYM), err;

	if (status != VLDAA_EXIT_OK)
		return status;
	err = vldaa_member_key_pseudonym(member, attestation->data, attestation->len, object->data,
					 object->len, &object->len);
	return err ? vldaa_report(m->directory, err) : VLDAA_EXIT_OK;
}

/* *object: the MEMBER, or with a basename the PSEUDONYM. */
static int make(vldaa_member_directory *m, const vldaa_basename *basename,
		const char *default_basename, vldaa_buffer *object)
{
	vldaa_buffer whole = {NULL, 0}, attestation = {NULL, 0};
	vldaa_member_key *member = NULL;
	vldaa_object_info info;
	int status = VLDAA_EXIT_OK, err;

	if (basename->len > 0)
		status = vldaa_member_pseudonym(m, basename, &attestation, &info);
	if (status == VLDAA_EXIT_OK)
		status = make_member(m, default_basename, &whole);
	if (status == VLDAA_EXIT_OK) {
		/* The parts are one member's: what is written works. */
		err = vldaa_member_key_new(&member, whole.data, whole.len);
		if (err) {
			(void)vldaa_report(m->directory, err);
			status = VLDAA_EXIT_FAILED;
		}
	}
	if (status == VLDAA_EXIT_OK && basename->len > 0) {
		status = make_pseudonym(m, member, &attestation, object);
	} else if (status == VLDAA_EXIT_OK) {
		*object = whole;
		whole = (vldaa_buffer){NULL, 0};
	}
	vldaa_member_key_free(member);
	vldaa_buffer_free(&whole);
	vldaa_buffer_free(&attestation);
	return status;
}

/* There is a member to write. */
static int check_member(const vldaa_member_directory *m)
{
	vldaa_tpm_status st = {0};
	int err = vldaa_tpm_client_status(m->tpm, vldaa_host_key_id(m->host), &st);

	if (!err && st.dead)
		err = VLDAA_ERR_EXPELLED;
	if (!err && !m->joined)
		err = VLDAA_ERR_NO_CREDENTIAL;
	return err ? vldaa_member_report(m, NULL, err) : VLDAA_EXIT_OK;
}

static int check_default(const vldaa_call *call, const vldaa_basename *basename)
{
	const char *text = call->values[DEFAULT_BASENAME];
	vldaa_default_basename policy;

	if (!text)
		return VLDAA_EXIT_OK;
	if (basename->len > 0)
		return vldaa_usage(call,
				   "--default-basename is a member's: a pseudonym has the one "
				   "basename");
	if (text[0] == '\0' ||
	    vldaa_default_basename_read(&policy, (const uint8_t *)text, strlen(text)) != VLDAA_OK)
		return vldaa_usage(call,
				   "--default-basename '%s': neither a basename of 1 to 255 bytes "
				   "nor epoch:SECONDS",
				   text);
	return VLDAA_EXIT_OK;
}

static int run(const vldaa_call *call)
{
	const vldaa_passphrase passphrase = vldaa_member_passphrase(call, PASSPHRASE_FILE);
	const vldaa_passphrase p = {call->values[ENCRYPT_FILE], call->values[ENCRYPT_ENV],
				    call->values[OUTPUT], 1};
	char text[VLDAA_KEYFILE_MAX_PASSPHRASE];
	size_t text_len = 0;
	vldaa_member_directory m = {0};
	vldaa_buffer object = {NULL, 0};
	vldaa_basename basename;
	int status = vldaa_basename_parse(&basename, call, call->values[BASENAME],
					  call->values[BASENAME_HEX]);

	if (status == VLDAA_EXIT_OK)
		status = check_default(call, &basename);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_passphrase_new(&p, text, &text_len);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_member_open(&m, call->argv[0], &passphrase);
	if (status == VLDAA_EXIT_OK)
		status = check_member(&m);
	if (status == VLDAA_EXIT_OK)
		status = make(&m, &basename, call->values[DEFAULT_BASENAME], &object);
	if (status == VLDAA_EXIT_OK) {
		vldaa_remind_set(m.set);
		status = vldaa_save_secret(call->values[OUTPUT], object.data, object.len, text,
					   text_len);
	}
	OPENSSL_cleanse(text, sizeof text);
	vldaa_buffer_free(&object);
	vldaa_member_close(&m);
	return status;
}

const vldaa_command vldaa_command_member_export = {
    .name = "export",
    .summary = "Write a member, with what its TPM keeps, as one private key",
    .arguments = "DIR",
    .argument_kinds = "M",
    .min_arguments = 1,
    .max_arguments = 1,
    .options = options,
    .run = run,
    .details =
	"For programs that sign without a TPM, such as openssl with this project's provider.\n"
	"Who has the file is the member, so that nothing protects it any more but the\n"
	"passphrase and the file's mode.  A revocation order that the TPM obeys afterwards does\n"
	"not reach the file: only the lists that verifiers have revoke it.\n"
	"\n"
	"With --basename the file signs under that pseudonym alone.  It is as secret: by it all\n"
	"pseudonyms of the member are linked.\n"
	"\n"
	"With --default-basename epoch:3600 a program that gives no basename signs under a new\n"
	"pseudonym each hour; with a fixed one everything it ever signs can be linked.\n"
	"\n"
	"Example:\n"
	"  vldaa member export car1 -o member.pem",
};
