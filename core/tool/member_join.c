/* vldaa member keygen, request, finish: Join, as the member sees it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/crypto.h>

#include "member_claim.h"
#include "member_commands.h"
#include "output.h"

/* --- keygen ------------------------------------------------------------------------------------
 */

enum { KEYGEN_GROUP, KEYGEN_TPM, KEYGEN_ANEW, KEYGEN_PASSPHRASE_FILE, KEYGEN_PASSPHRASE_ENV };
static const vldaa_option keygen_options[] = {
    [KEYGEN_GROUP] = {"group", 'g', "FILE", "the group's public key",
		      VLDAA_OPTION_REQUIRED | VLDAA_OPTION_INPUT},
    [KEYGEN_TPM] = {"tpm", 0, "TPMDIR", "the TPM's directory (see vldaa tpm init)",
		    VLDAA_OPTION_REQUIRED},
    [KEYGEN_ANEW] = {"anew", 0, NULL,
		     "the TPM gives up the member of this group that it serves, if\n"
		     "that one has not joined: its directory is of no use then",
		     0},
    [KEYGEN_PASSPHRASE_FILE] = {"passphrase-file", 0, "FILE",
				"encrypt the host's key under the passphrase in its first line",
				VLDAA_OPTION_INPUT},
    [KEYGEN_PASSPHRASE_ENV] = {"passphrase-env", 0, "NAME",
			       "the same, from an environment variable", 0},
    {NULL, 0, NULL, NULL, 0},
};

/* The TPM's half.  A key that is there already is taken when no member has joined with it: a keygen
 * that was interrupted is begun again. */
static int tpm_keygen(vldaa_member_directory *m, const vldaa_buffer *group, int anew)
{
	int err =
	    vldaa_tpm_client_call(m->tpm, VLDAA_TPM_KEYGEN, group->data, group->len, NULL, 0, NULL);
	vldaa_tpm_status status;

	if (err == VLDAA_ERR_HAVE_KEY &&
	    vldaa_tpm_client_status(m->tpm, vldaa_host_key_id(m->host), &status) == VLDAA_OK) {
		if (!status.joined)
			return vldaa_member_claim(m, anew);
		vldaa_say("%s: this TPM serves a member of this group already", m->tpm_directory);
		return VLDAA_EXIT_USAGE;
	}
	return err ? vldaa_member_report(m, m->tpm_directory, err) : vldaa_member_claim(m, anew);
}

/* Everything but the host's key. */
static int prepare_directory(vldaa_member_directory *m, const vldaa_buffer *group)
{
	char *path = vldaa_path(m->directory, VLDAA_MEMBER_GROUP_FILE);
	int status = path ? vldaa_save_public(path, group->data, group->len) : VLDAA_EXIT_FAILED;

	free(path);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_member_set_tpm(m->directory, m->tpm_directory);
	return status;
}

static int host_keygen(vldaa_member_directory *m, const char *path, const char *passphrase,
		       size_t passphrase_len)
{
	vldaa_buffer key = {NULL, 0};
	int status = vldaa_buffer_for(&key, m->set, VLDAA_KIND_HOST_KEY), err;
	size_t len = 0;

	if (status != VLDAA_EXIT_OK)
		return status;
	err = vldaa_host_keygen(m->host, key.data, key.len, &len);
	status = err ? vldaa_report(m->directory, err)
		     : vldaa_save_secret(path, key.data, len, passphrase, passphrase_len);
	vldaa_buffer_free(&key);
	return status;
}

static int check_new(const vldaa_member_directory *m, const char *host_path)
{
	if (!vldaa_exists(host_path))
		return VLDAA_EXIT_OK;
	vldaa_say("%s: there is a member already", m->directory);
	return VLDAA_EXIT_USAGE;
}

static int keygen_in(vldaa_member_directory *m, const char *host_path, const vldaa_call *call,
		     const vldaa_buffer *group)
{
	const vldaa_passphrase p = {call->values[KEYGEN_PASSPHRASE_FILE],
				    call->values[KEYGEN_PASSPHRASE_ENV], m->directory, 1};
	char passphrase[VLDAA_KEYFILE_MAX_PASSPHRASE];
	size_t passphrase_len = 0;
	int status = vldaa_passphrase_new(&p, passphrase, &passphrase_len), err, lock = -1;

	if (status == VLDAA_EXIT_OK) {
		err = vldaa_host_new(&m->host, group->data, group->len);
		/* A group key that is no good is not the TPM's no. */
		if (err) {
			(void)vldaa_report(call->values[KEYGEN_GROUP], err);
			status = VLDAA_EXIT_FAILED;
		}
	}
	if (status == VLDAA_EXIT_OK)
		status = vldaa_tpm_client_start(&m->tpm, m->tpm_directory);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_make_private_directory(m->directory);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_member_lock(&lock, m->directory, 1);
	/* Another process may have made it meanwhile. */
	if (status == VLDAA_EXIT_OK)
		status = check_new(m, host_path);
	if (status == VLDAA_EXIT_OK)
		status = tpm_keygen(m, group, call->values[KEYGEN_ANEW] != NULL);
	if (status == VLDAA_EXIT_OK)
		status = prepare_directory(m, group);
	if (status == VLDAA_EXIT_OK)
		status = host_keygen(m, host_path, passphrase, passphrase_len);
	vldaa_member_unlock(lock);
	OPENSSL_cleanse(passphrase, sizeof passphrase);
	return status;
}

static int run_keygen(const vldaa_call *call)
{
	vldaa_member_directory m = {.directory = call->argv[0]};
	char *host_path = vldaa_path(m.directory, VLDAA_MEMBER_HOST_FILE);
	vldaa_buffer group = {NULL, 0};
	int status = host_path ? VLDAA_EXIT_OK : VLDAA_EXIT_FAILED;

	if (status == VLDAA_EXIT_OK)
		status = check_new(&m, host_path);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_check_tpm_is_separate(m.directory, call->values[KEYGEN_TPM]);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_check_tpm_directory(call->values[KEYGEN_TPM]);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_load_group_key(&group, &m.set, call->values[KEYGEN_GROUP]);
	if (status == VLDAA_EXIT_OK) {
		vldaa_warn_set(m.set);
		m.tpm_directory = strdup(call->values[KEYGEN_TPM]);
		status = m.tpm_directory ? VLDAA_EXIT_OK : vldaa_report(NULL, VLDAA_ERR_MEMORY);
	}
	if (status == VLDAA_EXIT_OK)
		status = keygen_in(&m, host_path, call, &group);
	vldaa_member_close(&m);
	vldaa_buffer_free(&group);
	free(host_path);
	return status;
}

const vldaa_command vldaa_command_member_keygen = {
    .name = "keygen",
    .summary = "Make a member's key: its TPM's half in the TPM, its host's half in DIR",
    .arguments = "DIR",
    .argument_kinds = "M",
    .min_arguments = 1,
    .max_arguments = 1,
    .options = keygen_options,
    .run = run_keygen,
    .details =
	"DIR is made, of mode 0700.  A TPM makes one key for a group, once and for ever: a\n"
	"second member of the same group needs another TPM.  Without a passphrase the host's\n"
	"key is not encrypted.\n"
	"\n"
	"Example:\n"
	"  vldaa member keygen car1 --group group.pem --tpm car1.tpm",
};

/* --- request -----------------------------------------------------------------------------------
 */

enum { REQUEST_OUTPUT, REQUEST_ANEW, REQUEST_PASSPHRASE_FILE, REQUEST_PASSPHRASE_ENV };
static const vldaa_option request_options[] = {
    [REQUEST_OUTPUT] = {"output", 'o', "FILE", "where the request goes (-: standard output)",
			VLDAA_OPTION_REQUIRED | VLDAA_OPTION_OUTPUT},
    [REQUEST_ANEW] = {"anew", 0, NULL,
		      "give up a request that is out: an answer to it can then not\n"
		      "be used any more",
		      0},
    [REQUEST_PASSPHRASE_FILE] = {"passphrase-file", 0, "FILE", "opens the host's key",
				 VLDAA_OPTION_INPUT},
    [REQUEST_PASSPHRASE_ENV] = {"passphrase-env", 0, "NAME", "the same", 0},
    {NULL, 0, NULL, NULL, 0},
};

typedef struct {
	char *nonce;
	char *request;
} request_paths;

/* -1: there is no request that is out; else the exit status for it: the same nonce gets the same
 * request, another one is refused. */
static int repeat_request(const vldaa_call *call, const request_paths *paths,
			  const vldaa_buffer *nonce)
{
	vldaa_buffer old = {NULL, 0}, request = {NULL, 0};
	int status;

	if (call->values[REQUEST_ANEW] || !vldaa_exists(paths->request))
		return -1;
	status = vldaa_read(&old, paths->nonce, nonce->len + 1);
	if (status == VLDAA_EXIT_OK &&
	    (old.len != nonce->len || memcmp(old.data, nonce->data, old.len) != 0))
		status = vldaa_usage(call, "a request for another nonce is out already; --anew "
					   "gives it up, and with it any answer to it");
	if (status == VLDAA_EXIT_OK)
		status = vldaa_read_object(&request, NULL, paths->request, VLDAA_KIND_JOIN_REQUEST);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_write(call->values[REQUEST_OUTPUT], request.data, request.len, 0);
	vldaa_buffer_free(&old);
	vldaa_buffer_free(&request);
	return status;
}

/* The request is kept before it leaves: repeating the command gives the same one again, and with it
 * the same answer. */
static int new_request(vldaa_member_directory *m, const vldaa_call *call,
		       const request_paths *paths, const vldaa_buffer *nonce)
{
	vldaa_buffer join = {NULL, 0}, request = {NULL, 0};
	int status = vldaa_buffer_for(&join, m->set, VLDAA_KIND_JOIN_CALL), err;
	size_t len = 0;

	if (status == VLDAA_EXIT_OK)
		status = vldaa_buffer_for(&request, m->set, VLDAA_KIND_JOIN_REQUEST);
	if (status == VLDAA_EXIT_OK) {
		err = vldaa_host_join(m->host, nonce->data, nonce->len, join.data, join.len, &len);
		if (err)
			status = vldaa_report(call->argv[1], err);
	}
	/* The old request goes first: it must not stand beside another nonce. */
	if (status == VLDAA_EXIT_OK && vldaa_exists(paths->request) && remove(paths->request) != 0)
		status = vldaa_report_errno(paths->request);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_write(paths->nonce, nonce->data, nonce->len, 0);
	if (status == VLDAA_EXIT_OK) {
		err = vldaa_tpm_client_call(m->tpm, VLDAA_TPM_REQUEST, join.data, len, request.data,
					    request.len, &len);
		if (err)
			status = vldaa_member_report(m, NULL, err);
	}
	if (status == VLDAA_EXIT_OK)
		status = vldaa_write(paths->request, request.data, len, VLDAA_FILE_PRIVATE);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_write(call->values[REQUEST_OUTPUT], request.data, len, 0);
	vldaa_buffer_free(&join);
	vldaa_buffer_free(&request);
	return status;
}

static int run_request(const vldaa_call *call)
{
	const vldaa_passphrase passphrase = vldaa_member_passphrase(call, REQUEST_PASSPHRASE_FILE);
	request_paths paths = {vldaa_path(call->argv[0], VLDAA_MEMBER_NONCE_FILE),
			       vldaa_path(call->argv[0], VLDAA_MEMBER_REQUEST_FILE)};
	vldaa_buffer nonce = {NULL, 0};
	vldaa_member_directory m = {0};
	int status = VLDAA_EXIT_FAILED, lock = -1;

	if (paths.nonce && paths.request)
		status = vldaa_member_lock(&lock, call->argv[0], 0);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_member_open(&m, call->argv[0], &passphrase);
	if (status == VLDAA_EXIT_OK && m.joined) {
		vldaa_say("%s: this member has joined already", m.directory);
		status = VLDAA_EXIT_USAGE;
	}
	if (status == VLDAA_EXIT_OK)
		status = vldaa_read_object(&nonce, NULL, call->argv[1], VLDAA_KIND_NONCE);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_member_claim(&m, 0);
	if (status == VLDAA_EXIT_OK) {
		status = repeat_request(call, &paths, &nonce);
		if (status < 0)
			status = new_request(&m, call, &paths, &nonce);
	}
	vldaa_member_close(&m);
	vldaa_member_unlock(lock);
	vldaa_buffer_free(&nonce);
	free(paths.nonce);
	free(paths.request);
	return status;
}

const vldaa_command vldaa_command_member_request = {
    .name = "request",
    .summary = "Ask the issuer to let the member join",
    .arguments = "DIR NONCE",
    .argument_kinds = "MI",
    .min_arguments = 2,
    .max_arguments = 2,
    .options = request_options,
    .run = run_request,
    .details = "NONCE is a fresh one of the issuer's (vldaa issuer nonce).  The same nonce again\n"
	       "gives the same request again.\n"
	       "\n"
	       "Example:\n"
	       "  vldaa member request car1 nonce -o request",
};

/* --- finish ------------------------------------------------------------------------------------
 */

enum { FINISH_PASSPHRASE_FILE, FINISH_PASSPHRASE_ENV };
static const vldaa_option finish_options[] = {
    [FINISH_PASSPHRASE_FILE] = {"passphrase-file", 0, "FILE", "opens the host's key",
				VLDAA_OPTION_INPUT},
    [FINISH_PASSPHRASE_ENV] = {"passphrase-env", 0, "NAME", "the same", 0},
    {NULL, 0, NULL, NULL, 0},
};

/* What was answered is of no use any more, and tells which TPM this is. */
static void remove_request(const vldaa_member_directory *m)
{
	char *nonce = vldaa_path(m->directory, VLDAA_MEMBER_NONCE_FILE);
	char *request = vldaa_path(m->directory, VLDAA_MEMBER_REQUEST_FILE);

	if (nonce && request) {
		(void)remove(request);
		(void)remove(nonce);
	}
	free(nonce);
	free(request);
}

/* The TPM opens the answer, the host checks the credential and keeps it.  The TPM gives it again
 * when this is interrupted and repeated. */
static int accept_answer(vldaa_member_directory *m, const char *answer_path,
			 const vldaa_buffer *answer, const vldaa_buffer *credential)
{
	char *path = vldaa_path(m->directory, VLDAA_MEMBER_CREDENTIAL_FILE);
	vldaa_buffer tpm_public = {NULL, 0};
	size_t len = 0, public_len = 0;
	int status = path ? vldaa_buffer_new(&tpm_public, VLDAA_FRAME_MAX) : VLDAA_EXIT_FAILED;
	int err;

	if (status == VLDAA_EXIT_OK) {
		err = vldaa_tpm_client_call(m->tpm, VLDAA_TPM_ACCEPT, answer->data, answer->len,
					    credential->data, credential->len, &len);
		if (!err)
			err = vldaa_tpm_client_call(m->tpm, VLDAA_TPM_PUBLIC_KEY,
						    vldaa_host_key_id(m->host), VLDAA_KEY_ID_BYTES,
						    tpm_public.data, tpm_public.len, &public_len);
		if (!err)
			err = vldaa_host_accept(m->host, credential->data, len, tpm_public.data,
						public_len);
		if (err)
			status = vldaa_member_report(m, answer_path, err);
	}
	if (status == VLDAA_EXIT_OK)
		status = vldaa_write(path, credential->data, len, VLDAA_FILE_PRIVATE);
	if (status == VLDAA_EXIT_OK)
		remove_request(m);
	vldaa_buffer_free(&tpm_public);
	free(path);
	return status;
}

static int run_finish(const vldaa_call *call)
{
	const vldaa_passphrase passphrase = vldaa_member_passphrase(call, FINISH_PASSPHRASE_FILE);
	vldaa_buffer answer = {NULL, 0}, credential = {NULL, 0};
	vldaa_member_directory m = {0};
	int lock, status = vldaa_member_lock(&lock, call->argv[0], 0);

	if (status == VLDAA_EXIT_OK)
		status = vldaa_member_open(&m, call->argv[0], &passphrase);
	if (status == VLDAA_EXIT_OK && m.joined) {
		vldaa_say("%s: this member has joined already", m.directory);
		status = VLDAA_EXIT_USAGE;
	}
	if (status == VLDAA_EXIT_OK)
		status = vldaa_read_object(&answer, NULL, call->argv[1], VLDAA_KIND_JOIN_ANSWER);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_buffer_for(&credential, m.set, VLDAA_KIND_CREDENTIAL);
	if (status == VLDAA_EXIT_OK)
		vldaa_remind_set(m.set);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_member_claim(&m, 0);
	if (status == VLDAA_EXIT_OK)
		status = accept_answer(&m, call->argv[1], &answer, &credential);
	vldaa_member_close(&m);
	vldaa_member_unlock(lock);
	vldaa_buffer_free(&answer);
	vldaa_buffer_free(&credential);
	return status;
}

const vldaa_command vldaa_command_member_finish = {
    .name = "finish",
    .summary = "Join: take the issuer's answer, check the credential in it, and keep it",
    .arguments = "DIR ANSWER",
    .argument_kinds = "MI",
    .min_arguments = 2,
    .max_arguments = 2,
    .options = finish_options,
    .run = run_finish,
    .details = "Only the TPM that made the request opens the answer.\n"
	       "\n"
	       "Example:\n"
	       "  vldaa member finish car1 answer",
};
