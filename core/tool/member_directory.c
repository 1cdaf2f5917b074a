#include "member_directory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>

#include "report.h"

/* --- opening -----------------------------------------------------------------------------------
 */

static int load_host(vldaa_member_directory *m, const char *group_path, const char *host_path,
		     const char *credential_path, const vldaa_passphrase *passphrase)
{
	vldaa_buffer group = {NULL, 0}, *key = &m->host_key, *credential = &m->credential;
	const vldaa_set *set = NULL;
	int status = vldaa_load_group_key(&group, &m->set, group_path);
	int err;

	if (status == VLDAA_EXIT_OK)
		status = vldaa_load_secret(key, &set, host_path, VLDAA_KIND_HOST_KEY, passphrase);
	m->joined = vldaa_exists(credential_path);
	if (status == VLDAA_EXIT_OK && m->joined)
		status = vldaa_read(credential, credential_path,
				    vldaa_object_max_size(m->set, VLDAA_KIND_CREDENTIAL));
	if (status == VLDAA_EXIT_OK) {
		err = vldaa_host_new(&m->host, group.data, group.len);
		if (err)
			status = vldaa_report(group_path, err);
	}
	if (status == VLDAA_EXIT_OK) {
		err = vldaa_host_load(m->host, key->data, key->len, credential->data,
				      credential->len);
		if (err)
			status = vldaa_report(m->directory, err);
	}
	vldaa_buffer_free(&group);
	/* A member's own files that are no good decide nothing about anything else. */
	return status == VLDAA_EXIT_INVALID ? VLDAA_EXIT_FAILED : status;
}

/* A directory that is none of a member is told before anything in it is missed. */
static int check_directory(const char *directory)
{
	return vldaa_check_directory(directory, VLDAA_MEMBER_HOST_FILE, "a member's",
				     "vldaa member keygen");
}

int vldaa_member_open_host(vldaa_member_directory *m, const char *directory,
			   const vldaa_passphrase *passphrase)
{
	char *group = vldaa_path(directory, VLDAA_MEMBER_GROUP_FILE);
	char *host = vldaa_path(directory, VLDAA_MEMBER_HOST_FILE);
	char *credential = vldaa_path(directory, VLDAA_MEMBER_CREDENTIAL_FILE);
	int status = VLDAA_EXIT_FAILED;

	memset(m, 0, sizeof *m);
	m->directory = directory;
	if (group && host && credential)
		status = check_directory(directory);
	if (status == VLDAA_EXIT_OK)
		status = load_host(m, group, host, credential, passphrase);
	free(group);
	free(host);
	free(credential);
	return status;
}

int vldaa_member_open(vldaa_member_directory *m, const char *directory,
		      const vldaa_passphrase *passphrase)
{
	int status = vldaa_member_open_host(m, directory, passphrase);

	if (status == VLDAA_EXIT_OK)
		status = vldaa_member_find_tpm(&m->tpm_directory, directory);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_tpm_client_start(&m->tpm, m->tpm_directory);
	return status;
}

int vldaa_member_start_tpm(vldaa_tpm_client **tpm, const char *directory)
{
	char *tpm_directory = NULL;
	int status = check_directory(directory);

	*tpm = NULL;
	if (status == VLDAA_EXIT_OK)
		status = vldaa_member_find_tpm(&tpm_directory, directory);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_tpm_client_start(tpm, tpm_directory);
	free(tpm_directory);
	return status;
}

int vldaa_member_check_tpm(vldaa_member_directory *m)
{
	char *path = vldaa_path(m->directory, VLDAA_MEMBER_CREDENTIAL_FILE);
	vldaa_buffer credential = {NULL, 0}, tpm_public = {NULL, 0};
	size_t len = 0;
	int status = path ? vldaa_read_object(&credential, NULL, path, VLDAA_KIND_CREDENTIAL)
			  : VLDAA_EXIT_FAILED;
	int err = VLDAA_SAID;

	if (status == VLDAA_EXIT_OK)
		status = vldaa_buffer_new(&tpm_public, VLDAA_FRAME_MAX);
	if (status == VLDAA_EXIT_OK)
		err = vldaa_tpm_client_call(m->tpm, VLDAA_TPM_PUBLIC_KEY,
					    vldaa_host_key_id(m->host), VLDAA_KEY_ID_BYTES,
					    tpm_public.data, tpm_public.len, &len);
	if (!err)
		err = vldaa_host_accept(m->host, credential.data, credential.len, tpm_public.data,
					len);
	vldaa_buffer_free(&credential);
	vldaa_buffer_free(&tpm_public);
	free(path);
	return err;
}

void vldaa_member_close(vldaa_member_directory *m)
{
	vldaa_tpm_client_stop(m->tpm);
	vldaa_host_free(m->host);
	free(m->tpm_directory);
	vldaa_buffer_free(&m->host_key);
	vldaa_buffer_free(&m->credential);
	memset(m, 0, sizeof *m);
}

int vldaa_member_report(const vldaa_member_directory *m, const char *subject, int code)
{
	return vldaa_report(subject ? subject : m->directory, code);
}

/* --- pseudonyms --------------------------------------------------------------------------------
 */

char *vldaa_member_pseudonym_path(const vldaa_member_directory *m, const vldaa_basename *basename)
{
	char name[sizeof VLDAA_MEMBER_PSEUDONYMS + 1 + 64];
	uint8_t digest[32];
	size_t at = sizeof VLDAA_MEMBER_PSEUDONYMS;

	if (EVP_Digest(basename->text, basename->len, digest, NULL, EVP_sha256(), NULL) != 1) {
		(void)vldaa_report(m->directory, VLDAA_ERR_CRYPTO);
		return NULL;
	}
	(void)snprintf(name, sizeof name, "%s/", VLDAA_MEMBER_PSEUDONYMS);
	for (size_t i = 0; i < sizeof digest; i++)
		(void)snprintf(name + at + 2 * i, 3, "%02x", digest[i]);
	return vldaa_path(m->directory, name);
}

/* Two halves that do not belong together.  Nothing that a stranger gave was examined and refused. */
static int another_tpm(const vldaa_member_directory *m, int err)
{
	if (vldaa_error_class(err) != VLDAA_CLASS_INVALID)
		return err;
	vldaa_say("%s: the credential is not for the key in its TPM: is %s this member's TPM?",
		  m->directory, m->tpm_directory);
	return VLDAA_SAID;
}

/* The host verifies what it makes with the TPM. */
static int take_reply(vldaa_member_directory *m, const vldaa_buffer *reply, size_t reply_len,
		      uint8_t *out, size_t cap, size_t *len, int *done)
{
	return another_tpm(
	    m, vldaa_host_create_step(m->host, reply->data, reply_len, out, cap, len, done));
}

/* Create: the host and the TPM talk until there is an attestation. */
static int create(vldaa_member_directory *m, const vldaa_basename *basename, uint8_t *out,
		  size_t cap, size_t *len)
{
	vldaa_buffer call = {NULL, 0}, reply = {NULL, 0};
	size_t call_len = 0, reply_len = 0;
	int done = 0, err;

	if (vldaa_buffer_new(&call, cap) != VLDAA_EXIT_OK ||
	    vldaa_buffer_for(&reply, m->set, VLDAA_KIND_CREATE_REPLY) != VLDAA_EXIT_OK) {
		vldaa_buffer_free(&call);
		return VLDAA_ERR_MEMORY;
	}
	/* A TPM that makes attestations alone would make its own member's. */
	err = vldaa_member_check_tpm(m);
	if (err == VLDAA_ERR_CREDENTIAL)
		err = another_tpm(m, err);
	if (!err)
		err = vldaa_host_create_begin(m->host, basename->text, basename->len, call.data,
					      call.len, &call_len);
	while (!err && !done) {
		err = vldaa_tpm_client_call(m->tpm, VLDAA_TPM_CREATE, call.data, call_len,
					    reply.data, reply.len, &reply_len);
		if (!err)
			err = take_reply(m, &reply, reply_len, out, cap, len, &done);
		if (!err && !done) {
			memcpy(call.data, out, *len);
			call_len = *len;
		}
	}
	vldaa_buffer_free(&call);
	vldaa_buffer_free(&reply);
	return err;
}

/* Keeps a new attestation.  Of two processes that make one at the same time, both use the one that
 * was kept first: signatures name the attestation that they are under. */
static int keep(vldaa_member_directory *m, const char *path, const uint8_t *attestation, size_t len)
{
	char *directory = vldaa_path(m->directory, VLDAA_MEMBER_PSEUDONYMS);
	int status = directory ? vldaa_make_directory(directory) : VLDAA_EXIT_FAILED;
	int err;

	free(directory);
	if (status != VLDAA_EXIT_OK)
		return status;
	err = vldaa_file_write(path, attestation, len, VLDAA_FILE_PRIVATE | VLDAA_FILE_NEW);
	if (err == VLDAA_FILE_ERR_IO && errno == EEXIST)
		return VLDAA_EXIT_OK;
	return err ? vldaa_report(path, err) : VLDAA_EXIT_OK;
}

static int make_pseudonym(vldaa_member_directory *m, const vldaa_basename *basename,
			  const char *path)
{
	vldaa_buffer out = {NULL, 0};
	size_t len = 0, call_len = vldaa_object_max_size(m->set, VLDAA_KIND_CREATE_CALL);
	size_t cap = vldaa_object_max_size(m->set, VLDAA_KIND_ATTESTATION);
	int status = vldaa_buffer_new(&out, cap > call_len ? cap : call_len), err;

	if (status != VLDAA_EXIT_OK)
		return status;
	err = create(m, basename, out.data, out.len, &len);
	status = err ? vldaa_member_report(m, NULL, err) : keep(m, path, out.data, len);
	vldaa_buffer_free(&out);
	return status;
}

/* The kept attestation is this group's and this basename's, and the TPM still signs under it. */
static int check_kept(vldaa_member_directory *m, const vldaa_basename *basename,
		      const vldaa_object_info *info, const char *path)
{
	int err;

	if (info->basename_len != basename->len ||
	    memcmp(info->basename, basename->text, basename->len) != 0 ||
	    memcmp(info->key_id, vldaa_host_key_id(m->host), VLDAA_KEY_ID_BYTES) != 0) {
		vldaa_say("%s: this is not the attestation that was kept here", path);
		return VLDAA_EXIT_FAILED;
	}
	err = vldaa_tpm_client_call_for(m->tpm, VLDAA_TPM_SIGN_BEGIN, info->key_id, info->digest,
					info->basename, info->basename_len, NULL, 0, NULL);
	return err ? vldaa_member_report(m, NULL, err) : VLDAA_EXIT_OK;
}

int vldaa_member_pseudonym(vldaa_member_directory *m, const vldaa_basename *basename,
			   vldaa_buffer *attestation, vldaa_object_info *info)
{
	char *path;
	int status = VLDAA_EXIT_OK;

	if (!m->joined)
		return vldaa_report(m->directory, VLDAA_ERR_NO_CREDENTIAL);
	path = vldaa_member_pseudonym_path(m, basename);
	if (!path)
		return VLDAA_EXIT_FAILED;
	if (!vldaa_exists(path))
		status = make_pseudonym(m, basename, path);
	if (status == VLDAA_EXIT_OK) {
		status = vldaa_read_object(attestation, info, path, VLDAA_KIND_ATTESTATION);
		if (status == VLDAA_EXIT_INVALID)
			status = VLDAA_EXIT_FAILED;
	}
	if (status == VLDAA_EXIT_OK)
		status = check_kept(m, basename, info, path);
	free(path);
	return status;
}
