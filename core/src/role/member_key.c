/*
 * A whole member in software: the host role and the TPM role over one object.
 *
 * MEMBER: header | key id | default basename | block: TPM_KEY | block: HOST_KEY
 *   | block: CREDENTIAL | creates (4) | count (4) | { name of a tombstone (32) }*, ascending
 */
#include "vldaa/member_key.h"

#include <string.h>

#include "locked.h"
#include "random/secret.h"
#include "role/memory.h"
#include "role/tpm_state.h"
#include "vldaa/default_basename.h"
#include "vldaa/tpm_services.h"

/* The decoded MEMBER object: pointers into its bytes. */
typedef struct {
	vldaa_member member;
	vldaa_bytes tpm_key, host_key, credential;
	uint32_t creates;
	uint32_t tombstone_count;
	const uint8_t *tombstones;
} member_object;

/* Invariant: object points into bytes; tpm is open in workspace; host has the key and the
 * credential. */
struct vldaa_member_key {
	uint8_t *bytes;
	size_t len;
	member_object object;
	uint32_t creates; /* the object's, and those since */
	vldaa_tpm_surroundings surroundings;
	vldaa_tpm_services services;
	void *workspace;
	size_t workspace_len;
	vldaa_tpm *tpm;
	vldaa_host *host;
};

static int ascending(const uint8_t *names, uint32_t count)
{
	for (uint32_t i = 1; i < count; i++) {
		const uint8_t *name = names + (size_t)i * VLDAA_RECORD_NAME;

		if (memcmp(name - VLDAA_RECORD_NAME, name, VLDAA_RECORD_NAME) >= 0)
			return 0;
	}
	return 1;
}

static int read_object(member_object *o, const uint8_t *in, size_t len)
{
	const vldaa_set *set;
	const uint8_t *key_id;
	vldaa_reader rd;
	int err;

	vldaa_get_init(&rd, in, len);
	set = vldaa_get_header(&rd, VLDAA_KIND_MEMBER);
	if (!set)
		return rd.error;
	key_id = vldaa_get_view(&rd, VLDAA_KEY_ID_BYTES);
	(void)vldaa_get_default_basename(&rd);
	o->tpm_key = vldaa_get_bytes_block(&rd, vldaa_object_max_size(set, VLDAA_KIND_TPM_KEY));
	o->host_key = vldaa_get_bytes_block(&rd, vldaa_object_max_size(set, VLDAA_KIND_HOST_KEY));
	o->credential =
	    vldaa_get_bytes_block(&rd, vldaa_object_max_size(set, VLDAA_KIND_CREDENTIAL));
	o->creates = vldaa_get_u32(&rd);
	o->tombstone_count = vldaa_get_u32(&rd);
	if (!rd.error && (o->creates > set->scheme->creates(set) ||
			  o->tombstone_count > VLDAA_MEMBER_TOMBSTONES))
		vldaa_get_fail(&rd, VLDAA_ERR_RANGE);
	o->tombstones = vldaa_get_view(&rd, (size_t)o->tombstone_count * VLDAA_RECORD_NAME);
	if (!rd.error && !ascending(o->tombstones, o->tombstone_count))
		vldaa_get_fail(&rd, VLDAA_ERR_ENCODING);
	err = vldaa_get_end(&rd);
	if (err)
		return err;
	err = vldaa_read_member(&o->member, o->tpm_key.bytes, o->tpm_key.len);
	if (err)
		return err;
	if (o->member.group.set != set)
		return VLDAA_ERR_WRONG_SET;
	if (memcmp(o->member.group.key_id, key_id, VLDAA_KEY_ID_BYTES) != 0)
		return VLDAA_ERR_WRONG_ISSUER;
	return o->member.joined ? VLDAA_OK : VLDAA_ERR_NO_CREDENTIAL;
}

int vldaa_member_key_encode(const vldaa_member_parts *parts, uint8_t *out, size_t cap, size_t *len)
{
	const vldaa_bytes default_basename = {parts ? (const uint8_t *)parts->default_basename
						    : NULL,
					      parts ? parts->default_basename_len : 0};
	vldaa_default_basename policy;
	vldaa_member m;
	member_object o;
	vldaa_writer w;
	size_t need;
	int err;

	if (!parts || !parts->tpm_key || !parts->host_key || !parts->credential ||
	    (!parts->tombstones && parts->tombstone_count) ||
	    parts->tombstone_count > VLDAA_MEMBER_TOMBSTONES || !out || !len)
		return vldaa_refuse_output(out, cap, len, VLDAA_ERR_ARGUMENT);
	err = vldaa_default_basename_read(&policy, default_basename.bytes, default_basename.len);
	if (!err)
		err = vldaa_read_member(&m, parts->tpm_key, parts->tpm_key_len);
	if (err)
		return vldaa_refuse_output(out, cap, len, err);
	vldaa_put_init(&w, out, cap);
	vldaa_put_header(&w, VLDAA_KIND_MEMBER, m.group.set);
	vldaa_put_bytes(&w, m.group.key_id, VLDAA_KEY_ID_BYTES);
	vldaa_put_default_basename(&w, (vldaa_bytes){policy.text, policy.len});
	vldaa_put_block(&w, parts->tpm_key, parts->tpm_key_len);
	vldaa_put_block(&w, parts->host_key, parts->host_key_len);
	vldaa_put_block(&w, parts->credential, parts->credential_len);
	vldaa_put_u32(&w, parts->creates);
	vldaa_put_u32(&w, (uint32_t)parts->tombstone_count);
	vldaa_put_bytes(&w, parts->tombstones, parts->tombstone_count * VLDAA_RECORD_NAME);
	err = vldaa_put_end(&w, &need);
	if (!err)
		err = read_object(&o, out, need);
	return vldaa_finish_output(&w, err, len);
}

/* --- the TPM's store, in memory ----------------------------------------------------------------
 */

static int has_tombstone(const member_object *o, const uint8_t *name)
{
	size_t low = 0, high = o->tombstone_count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		const int order =
		    memcmp(name, o->tombstones + middle * VLDAA_RECORD_NAME, VLDAA_RECORD_NAME);

		if (order == 0)
			return 1;
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return 0;
}

static int give(const void *value, size_t value_len, uint8_t *out, size_t cap, size_t *len)
{
	*len = value_len;
	if (cap < value_len)
		return VLDAA_ERR_BUFFER;
	memcpy(out, value, value_len);
	return VLDAA_OK;
}

static int load_record(void *store, enum vldaa_record record, const uint8_t *name, uint8_t *out,
		       size_t cap, size_t *len)
{
	const vldaa_member_key *k = store;
	const member_object *o = &k->object;
	uint8_t creates[4];
	vldaa_writer w;

	*len = 0;
	if (record == VLDAA_RECORD_TOMBSTONE && has_tombstone(o, name))
		return VLDAA_OK;
	if (memcmp(name, o->member.group.key_id, VLDAA_RECORD_NAME) != 0)
		return VLDAA_ERR_NO_KEY;
	if (record == VLDAA_RECORD_MEMBER)
		return give(o->tpm_key.bytes, o->tpm_key.len, out, cap, len);
	if (record != VLDAA_RECORD_CREATES)
		return VLDAA_ERR_NO_KEY;
	vldaa_put_init(&w, creates, sizeof creates);
	vldaa_put_u32(&w, k->creates);
	return give(creates, sizeof creates, out, cap, len);
}

/* Nothing is durable here: what must be, is refused. */
static int commit_records(void *store, const vldaa_change *changes, size_t count)
{
	vldaa_member_key *k = store;
	vldaa_reader rd;

	if (count != 1 || changes->record != VLDAA_RECORD_CREATES || !changes->value)
		return VLDAA_ERR_STORE;
	vldaa_get_init(&rd, changes->value, changes->len);
	k->creates = vldaa_get_u32(&rd);
	return vldaa_get_end(&rd);
}

/* --- the member --------------------------------------------------------------------------------
 */

static int open_roles(vldaa_member_key *k)
{
	const member_object *o = &k->object;
	int err = vldaa_host_new(&k->host, o->member.group_bytes.bytes, o->member.group_bytes.len);

	if (!err)
		err = vldaa_host_load(k->host, o->host_key.bytes, o->host_key.len,
				      o->credential.bytes, o->credential.len);
	if (err)
		return err;
	k->workspace_len = vldaa_tpm_workspace_size(o->member.group.set);
	k->workspace = vldaa_memory_new(k->workspace_len);
	if (!k->workspace)
		return VLDAA_ERR_MEMORY;
	k->surroundings =
	    (vldaa_tpm_surroundings){.store = k, .load = load_record, .commit = commit_records};
	vldaa_tpm_services_libcrypto(&k->services, &k->surroundings);
	return vldaa_tpm_open(&k->tpm, k->workspace, k->workspace_len, &k->services);
}

/* The credential that the TPM keeps, if the scheme has it keep one, is this key's. */
static int check_kept(vldaa_member_key *k)
{
	vldaa_tpm *tpm = k->tpm;
	vldaa_writer keep, hand_over;
	vldaa_member m;
	int err = vldaa_tpm_load(tpm, k->object.member.group.key_id, &m);

	if (!err && m.key.credential.len > 0) {
		vldaa_put_init(&keep, tpm->plain, sizeof tpm->plain);
		vldaa_put_init(&hand_over, tpm->next, sizeof tpm->next);
		err = m.group.set->scheme->tpm_accept(&m.key, tpm->workspace, m.key.credential,
						      &keep, &hand_over);
	}
	vldaa_tpm_forget(tpm);
	return err;
}

/* The parts belong together, by the checks of Join. */
static int check(vldaa_member_key *k)
{
	const member_object *o = &k->object;
	const vldaa_set *set = o->member.group.set;
	size_t len = set->scheme->size(set, VLDAA_PART_MEMBER_TPM);
	const size_t size = len;
	uint8_t *public_key = vldaa_memory_new(size);
	int err = VLDAA_ERR_MEMORY;

	if (public_key)
		err = vldaa_tpm_public_key(k->tpm, o->member.group.key_id, public_key, size, &len);
	if (!err)
		err = vldaa_host_accept(k->host, o->credential.bytes, o->credential.len, public_key,
					len);
	if (!err)
		err = check_kept(k);
	vldaa_memory_free(public_key, size);
	return err;
}

int vldaa_member_key_new(vldaa_member_key **member, const uint8_t *in, size_t len)
{
	vldaa_member_key *k;
	int err;

	if (member)
		*member = NULL;
	if (!member || !in)
		return VLDAA_ERR_ARGUMENT;
	k = vldaa_memory_new(sizeof *k);
	if (!k)
		return VLDAA_ERR_MEMORY;
	k->len = len;
	k->bytes = vldaa_locked_new(len, len, NULL);
	err = k->bytes ? VLDAA_OK : VLDAA_ERR_MEMORY;
	if (!err) {
		memcpy(k->bytes, in, len);
		err = read_object(&k->object, k->bytes, len);
	}
	if (!err) {
		k->creates = k->object.creates;
		err = open_roles(k);
	}
	if (!err)
		err = check(k);
	/* For the TPM role a record that no TPM writes is its store's failure; the store is this
	 * object. */
	if (err == VLDAA_ERR_STORE)
		err = VLDAA_ERR_KEY;
	if (err) {
		vldaa_member_key_free(k);
		return err;
	}
	*member = k;
	return VLDAA_OK;
}

void vldaa_member_key_free(vldaa_member_key *k)
{
	if (!k)
		return;
	vldaa_host_free(k->host);
	vldaa_tpm_close(k->tpm);
	vldaa_memory_free(k->workspace, k->workspace_len);
	vldaa_locked_free(k->bytes, k->len, k->len);
	vldaa_memory_free(k, sizeof *k);
}

const vldaa_set *vldaa_member_key_set(const vldaa_member_key *k)
{
	return k ? k->object.member.group.set : NULL;
}

const uint8_t *vldaa_member_key_id(const vldaa_member_key *k)
{
	return k ? k->object.member.group.key_id : NULL;
}

const uint8_t *vldaa_member_key_group(const vldaa_member_key *k, size_t *len)
{
	if (len)
		*len = k ? k->object.member.group_bytes.len : 0;
	return k ? k->object.member.group_bytes.bytes : NULL;
}

/* --- pseudonyms --------------------------------------------------------------------------------
 */

/* PSEUDONYM: header | key id | block: ATTESTATION | the scheme's secret. */
static int put_pseudonym(vldaa_member_key *k, const uint8_t *attestation, size_t len,
			 vldaa_writer *w)
{
	const member_object *o = &k->object;
	const vldaa_set *set = o->member.group.set;
	const size_t nym_len = set->scheme->size(set, VLDAA_PART_NYM);
	const size_t secret_len = set->scheme->size(set, VLDAA_PART_NYM_SECRET);
	uint8_t *secret = k->tpm->next, *nym = k->tpm->plain;
	vldaa_attestation_parts parts;
	vldaa_member m;
	int err = vldaa_read_attestation(&parts, attestation, len);

	if (err)
		return err;
	if (parts.set != set)
		return VLDAA_ERR_WRONG_SET;
	if (memcmp(parts.key_id, o->member.group.key_id, VLDAA_KEY_ID_BYTES) != 0)
		return VLDAA_ERR_WRONG_ISSUER;
	if (parts.payload.len < nym_len)
		return VLDAA_ERR_TRUNCATED;
	err = vldaa_tpm_load_for(k->tpm, parts.key_id, parts.basename, &m);
	if (!err)
		err =
		    set->scheme->nym_secret(&m.key, k->tpm->workspace, parts.basename, secret, nym);
	if (!err && !vldaa_equal(nym, parts.payload.bytes, nym_len))
		err = VLDAA_ERR_KEY;
	if (!err) {
		vldaa_put_header(w, VLDAA_KIND_PSEUDONYM, set);
		vldaa_put_bytes(w, parts.key_id, VLDAA_KEY_ID_BYTES);
		vldaa_put_block(w, attestation, len);
		vldaa_put_bytes(w, secret, secret_len);
	}
	vldaa_tpm_forget(k->tpm);
	return err;
}

int vldaa_member_key_pseudonym(vldaa_member_key *k, const uint8_t *attestation,
			       size_t attestation_len, uint8_t *out, size_t cap, size_t *len)
{
	vldaa_writer w;

	if (!k || !attestation || !out || !len)
		return vldaa_refuse_output(out, cap, len, VLDAA_ERR_ARGUMENT);
	vldaa_put_init(&w, out, cap);
	return vldaa_finish_output(&w, put_pseudonym(k, attestation, attestation_len, &w), len);
}

/* The host and the TPM talk until there is an attestation, in out. */
static int attest(vldaa_member_key *k, vldaa_bytes basename, uint8_t *call, size_t call_cap,
		  uint8_t *reply, size_t reply_cap, uint8_t *out, size_t cap, size_t *len)
{
	size_t call_len = 0, reply_len = 0;
	int done = 0;
	int err = vldaa_host_create_begin(k->host, basename.bytes, basename.len, call, call_cap,
					  &call_len);

	while (!err && !done) {
		err = vldaa_tpm_create(k->tpm, call, call_len, reply, reply_cap, &reply_len);
		if (!err)
			err =
			    vldaa_host_create_step(k->host, reply, reply_len, out, cap, len, &done);
		if (!err && !done) {
			memcpy(call, out, *len);
			call_len = *len;
		}
	}
	return err;
}

int vldaa_member_key_create(vldaa_member_key *k, const uint8_t *basename, size_t basename_len,
			    uint8_t *out, size_t cap, size_t *len)
{
	const vldaa_bytes bsn = {basename, basename_len};
	const vldaa_set *set = vldaa_member_key_set(k);
	const size_t call_cap = vldaa_object_max_size(set, VLDAA_KIND_CREATE_CALL);
	const size_t reply_cap = vldaa_object_max_size(set, VLDAA_KIND_CREATE_REPLY);
	const size_t att_cap = vldaa_object_max_size(set, VLDAA_KIND_ATTESTATION);
	const size_t made_cap = att_cap > call_cap ? att_cap : call_cap;
	uint8_t *call, *reply, *made;
	size_t made_len = 0;
	int err;

	if (!k || !out || !len)
		return vldaa_refuse_output(out, cap, len, VLDAA_ERR_ARGUMENT);
	err = vldaa_need(set, VLDAA_KIND_PSEUDONYM, cap, len);
	if (err)
		return vldaa_refuse_output(out, cap, len, err);
	call = vldaa_memory_new(call_cap);
	reply = vldaa_memory_new(reply_cap);
	made = vldaa_memory_new(made_cap);
	err = call && reply && made ? VLDAA_OK : VLDAA_ERR_MEMORY;
	if (!err)
		err = attest(k, bsn, call, call_cap, reply, reply_cap, made, made_cap, &made_len);
	if (!err)
		err = vldaa_member_key_pseudonym(k, made, made_len, out, cap, len);
	else
		err = vldaa_refuse_output(out, cap, len, err);
	vldaa_memory_free(call, call_cap);
	vldaa_memory_free(reply, reply_cap);
	vldaa_memory_free(made, made_cap);
	return err;
}
