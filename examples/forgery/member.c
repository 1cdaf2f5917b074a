/*
 * A member that never joined: the library's TPM and host, unchanged, with a forged credential.
 *
 * The TPM refuses to work for a group that it has not joined, which it knows from its own durable
 * store.  This TPM is the forger's own software, and so is its store.
 */
#include <stdlib.h>
#include <string.h>

#include "forgery.h"
#include "vldaa/tpm_services.h"

struct member {
	const group *g;
	void *workspace;
	vldaa_tpm_surroundings surroundings; /* no endorsement key: nobody is asked for anything */
	vldaa_tpm_services services;
	vldaa_tpm *tpm;
	vldaa_host *host;
	bytes record; /* the TPM's member record: the one thing in its store */
};

/* --- the TPM's durable store --------------------------------------------------------------------
 */

static int load_service(void *ctx, enum vldaa_record record, const uint8_t *name, uint8_t *out,
			size_t cap, size_t *len)
{
	const member *m = ctx;

	(void)name;
	if (record != VLDAA_RECORD_MEMBER || m->record.len == 0)
		return VLDAA_ERR_NO_KEY;
	if (cap < m->record.len)
		return VLDAA_ERR_BUFFER;
	memcpy(out, m->record.at, m->record.len);
	*len = m->record.len;
	return VLDAA_OK;
}

static int commit_service(void *ctx, const vldaa_change *changes, size_t count)
{
	member *m = ctx;

	for (size_t i = 0; i < count; i++) {
		if (changes[i].record != VLDAA_RECORD_MEMBER)
			continue;
		m->record.len = 0;
		if (changes[i].value)
			forgery_put(&m->record, changes[i].value, changes[i].len);
	}
	return VLDAA_OK;
}

/*
 * TPM_KEY: ... | joined (1) | if joined: broadcast key (32) | block: revocation authority's key |
 * block: kept credential.  The TPM that has not joined ends with a 0; the forger's store says 1,
 * and that no revocation authority is known.
 */
static void pretend_to_have_joined(bytes *record)
{
	static const uint8_t nothing[32 + 4 + 4];

	record->at[record->len - 1] = 1;
	forgery_put(record, nothing, sizeof nothing);
}

int forgery_member_new(member **out, credential *cred, const group *g)
{
	const vldaa_set *set = vldaa_set_by_id(g->n->id);
	const size_t workspace_len = vldaa_tpm_workspace_size(set);
	member *m = calloc(1, sizeof *m);
	uint8_t tpm_public[2 * MAX_DEGREE];
	size_t tpm_public_len = 0;
	int err = VLDAA_ERR_MEMORY;

	memset(cred, 0, sizeof *cred);
	*out = m;
	if (!m)
		return err;
	m->g = g;
	m->record = forgery_bytes_new(VLDAA_RECORD_MAX);
	m->surroundings.store = m;
	m->surroundings.load = load_service;
	m->surroundings.commit = commit_service;
	vldaa_tpm_services_libcrypto(&m->services, &m->surroundings);
	m->workspace = malloc(workspace_len);
	if (m->workspace)
		err = vldaa_tpm_open(&m->tpm, m->workspace, workspace_len, &m->services);
	if (!err)
		err = vldaa_tpm_keygen(m->tpm, g->object.at, g->object.len);
	if (!err)
		err = vldaa_tpm_public_key(m->tpm, g->key_id, tpm_public, sizeof tpm_public,
					   &tpm_public_len);
	if (!err) {
		reader r = forgery_reader_of(tpm_public, tpm_public_len);

		err = forgery_host(&m->host, cred, g, forgery_get_uniform(&r, g->n));
	}
	if (!err)
		pretend_to_have_joined(&m->record);
	return err;
}

void forgery_member_free(member *m)
{
	if (!m)
		return;
	vldaa_host_free(m->host);
	vldaa_tpm_close(m->tpm);
	free(m->workspace);
	forgery_bytes_free(&m->record);
	free(m);
}

int forgery_member_attest(member *m, basename_bytes basename, bytes *out)
{
	const vldaa_set *set = vldaa_set_by_id(m->g->n->id);
	bytes reply = forgery_bytes_new(vldaa_object_max_size(set, VLDAA_KIND_CREATE_REPLY));
	int done = 0, err;

	*out = forgery_bytes_new(vldaa_object_max_size(set, VLDAA_KIND_ATTESTATION));
	err = vldaa_host_create_begin(m->host, basename.at, basename.len, out->at, out->cap,
				      &out->len);
	while (!err && !done) {
		err = vldaa_tpm_create(m->tpm, out->at, out->len, reply.at, reply.cap, &reply.len);
		if (!err)
			err = vldaa_host_create_step(m->host, reply.at, reply.len, out->at,
						     out->cap, &out->len, &done);
	}
	forgery_bytes_free(&reply);
	return err;
}

int forgery_member_sign(member *m, const bytes *att, const void *message, size_t len, bytes *out)
{
	const vldaa_set *set = vldaa_set_by_id(m->g->n->id);
	bytes bare = forgery_bytes_new(vldaa_object_max_size(set, VLDAA_KIND_COMPACT));
	vldaa_object_info info;
	int err = vldaa_object_inspect(&info, att->at, att->len);

	*out = forgery_bytes_new(vldaa_object_max_size(set, VLDAA_KIND_COMPACT));
	if (!err)
		err = vldaa_tpm_sign_begin(m->tpm, info.key_id, info.basename, info.basename_len,
					   info.digest);
	if (!err)
		err = vldaa_tpm_sign_update(m->tpm, message, len);
	if (!err)
		err = vldaa_tpm_sign_end(m->tpm, bare.at, bare.cap, &bare.len);
	if (!err)
		err = vldaa_host_signature(m->host, VLDAA_FORM_COMPACT, att->at, att->len, bare.at,
					   bare.len, out->at, out->cap, &out->len);
	forgery_bytes_free(&bare);
	return err;
}
