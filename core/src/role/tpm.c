/*
 * The TPM role: keys, Join, Create, Sign.  No heap, no files, no libcrypto: only the scheme table
 * and the caller's services.
 */
#include <string.h>

#include "arena.h"
#include "random/hash.h"
#include "random/secret.h"
#include "role/tpm_state.h"

/* --- the workspace -----------------------------------------------------------------------------
 */

static size_t scheme_workspace(const vldaa_set *set)
{
	return set->scheme->size(set, VLDAA_PART_TPM_WORKSPACE);
}

size_t vldaa_tpm_workspace_size(const vldaa_set *set)
{
	size_t most = 0;

	for (size_t i = 0; vldaa_set_at(i); i++) {
		if (!set || set == vldaa_set_at(i)) {
			size_t need = scheme_workspace(vldaa_set_at(i));
			most = need > most ? need : most;
		}
	}
	return sizeof(vldaa_tpm) + most + 2 * VLDAA_ARENA_ALIGN;
}

int vldaa_tpm_open(vldaa_tpm **tpm, void *workspace, size_t size,
		   const vldaa_tpm_services *services)
{
	vldaa_tpm *t;
	size_t skip;

	if (!tpm || !workspace || !services)
		return VLDAA_ERR_ARGUMENT;
	*tpm = NULL;
	skip = (VLDAA_ARENA_ALIGN - (uintptr_t)workspace % VLDAA_ARENA_ALIGN) % VLDAA_ARENA_ALIGN;
	if (size < skip + sizeof *t + VLDAA_ARENA_ALIGN)
		return VLDAA_ERR_BUFFER;
	t = (vldaa_tpm *)(void *)((unsigned char *)workspace + skip);
	memset(t, 0, size - skip);
	t->services = services;
	t->size = size - skip;
	skip = (sizeof *t + VLDAA_ARENA_ALIGN - 1) / VLDAA_ARENA_ALIGN * VLDAA_ARENA_ALIGN;
	t->workspace = (unsigned char *)t + skip;
	t->workspace_size = t->size - skip;
	*tpm = t;
	return VLDAA_OK;
}

void vldaa_tpm_close(vldaa_tpm *tpm)
{
	if (tpm)
		vldaa_wipe(tpm, tpm->size);
}

void vldaa_tpm_forget(vldaa_tpm *tpm)
{
	vldaa_wipe(tpm->record, sizeof tpm->record);
	vldaa_wipe(tpm->next, sizeof tpm->next);
	vldaa_wipe(tpm->plain, sizeof tpm->plain);
	vldaa_wipe(tpm->workspace, tpm->workspace_size);
}

int vldaa_tpm_end(vldaa_tpm *tpm, int err, uint8_t *out, size_t cap, size_t *len)
{
	vldaa_tpm_forget(tpm);
	if (err && err != VLDAA_ERR_BUFFER)
		*len = 0;
	if (err)
		vldaa_wipe(out, cap);
	return err;
}

static int bad_output(const vldaa_tpm *tpm, const uint8_t *out, const size_t *len)
{
	return !tpm || !out || !len;
}

/* --- the member record -------------------------------------------------------------------------
 *
 * header (TPM_KEY) | block: group key | secret payload | joined (1)
 *   | joined = 1: fleet key (32) | block: revocation authority's key | block: kept credential
 */

void vldaa_put_member(vldaa_writer *w, const vldaa_member *m)
{
	vldaa_put_header(w, VLDAA_KIND_TPM_KEY, m->group.set);
	vldaa_put_block(w, m->group_bytes.bytes, m->group_bytes.len);
	vldaa_put_bytes(w, m->key.secret, m->secret_len);
	vldaa_put_u8(w, (uint8_t)m->joined);
	if (!m->joined)
		return;
	vldaa_put_bytes(w, m->fleet_key, 32);
	vldaa_put_block(w, m->revocation_key.bytes, m->revocation_key.len);
	vldaa_put_block(w, m->key.credential.bytes, m->key.credential.len);
}

static int read_member(vldaa_member *m, const uint8_t *in, size_t len)
{
	vldaa_reader rd;
	const vldaa_set *set;
	int err;

	memset(m, 0, sizeof *m);
	vldaa_get_init(&rd, in, len);
	set = vldaa_get_header(&rd, VLDAA_KIND_TPM_KEY);
	if (!set)
		return rd.error;
	m->group_bytes = vldaa_get_bytes_block(&rd, vldaa_group_key_size(set));
	if (rd.error)
		return rd.error;
	err = vldaa_read_group_key(&m->group, m->group_bytes.bytes, m->group_bytes.len);
	if (err)
		return err;
	if (m->group.set != set)
		return VLDAA_ERR_WRONG_SET;
	m->secret_len = set->scheme->size(set, VLDAA_PART_TPM_SECRET);
	m->key.set = set;
	m->key.key_id = m->group.key_id;
	m->key.group = m->group.payload;
	m->key.secret = vldaa_get_view(&rd, m->secret_len);
	m->joined = vldaa_get_u8(&rd);
	if (m->joined > 1)
		vldaa_get_fail(&rd, VLDAA_ERR_ENCODING);
	if (m->joined) {
		m->fleet_key = vldaa_get_view(&rd, 32);
		m->revocation_key = vldaa_get_bytes_block(&rd, VLDAA_MAX_SPKI);
		m->key.credential =
		    vldaa_get_bytes_block(&rd, set->scheme->size(set, VLDAA_PART_CREDENTIAL));
	}
	return vldaa_get_end(&rd);
}

static int load(vldaa_tpm *tpm, enum vldaa_record record, const uint8_t *name, uint8_t *out,
		size_t cap, size_t *len)
{
	*len = 0;
	return tpm->services->load(tpm->services->ctx, record, name, out, cap, len);
}

/* 1: there is such a record; 0: none; negative: an error. */
static int exists(vldaa_tpm *tpm, enum vldaa_record record, const uint8_t *name)
{
	size_t len;
	int err = load(tpm, record, name, tpm->next, sizeof tpm->next, &len);

	if (err == VLDAA_ERR_NO_KEY)
		return 0;
	return err ? err : 1;
}

int vldaa_tpm_load(vldaa_tpm *tpm, const uint8_t *key_id, vldaa_member *m)
{
	size_t len;
	int err = load(tpm, VLDAA_RECORD_MEMBER, key_id, tpm->record, sizeof tpm->record, &len);

	if (err)
		return err;
	err = read_member(m, tpm->record, len);
	/* What the store gives back is what the TPM wrote: anything else is the store's failure. */
	if (err || memcmp(m->group.key_id, key_id, VLDAA_KEY_ID_BYTES) != 0)
		return VLDAA_ERR_STORE;
	if (scheme_workspace(m->group.set) > tpm->workspace_size)
		return VLDAA_ERR_ARGUMENT;
	return VLDAA_OK;
}

void vldaa_tombstone_name(const vldaa_set *set, const uint8_t *key_id, vldaa_bytes basename,
			  uint8_t name[VLDAA_RECORD_NAME])
{
	vldaa_shake s;

	vldaa_hash_init(&s, VLDAA_SHAKE256_RATE, VLDAA_DOMAIN_TOMBSTONE, vldaa_set_id(set));
	vldaa_hash_part(&s, key_id, VLDAA_KEY_ID_BYTES);
	vldaa_hash_part(&s, basename.bytes, basename.len);
	vldaa_shake_squeeze(&s, name, VLDAA_RECORD_NAME);
}

int vldaa_tpm_load_for(vldaa_tpm *tpm, const uint8_t *key_id, vldaa_bytes basename, vldaa_member *m)
{
	uint8_t name[VLDAA_RECORD_NAME];
	int err;

	if (!basename.bytes || basename.len < 1 || basename.len > VLDAA_MAX_BASENAME)
		return VLDAA_ERR_BASENAME;
	err = vldaa_tpm_load(tpm, key_id, m);
	if (err)
		return err;
	if (!m->joined)
		return VLDAA_ERR_NO_CREDENTIAL;
	vldaa_tombstone_name(m->group.set, key_id, basename, name);
	err = exists(tpm, VLDAA_RECORD_TOMBSTONE, name);
	if (err < 0)
		return err;
	return err ? VLDAA_ERR_TOMBSTONE : VLDAA_OK;
}

static int tpm_random(void *ctx, uint8_t *out, size_t len)
{
	const vldaa_tpm_services *s = ctx;

	return s->random(s->ctx, out, len);
}

int vldaa_tpm_source_start(vldaa_tpm *tpm, vldaa_rng *rng, const vldaa_member *m,
			   enum vldaa_operation operation, vldaa_bytes input)
{
	vldaa_tpm_services services = *tpm->services;
	const vldaa_source source = {tpm_random, &services};
	const vldaa_bytes secret = {m->key.secret, m->secret_len};

	return vldaa_source_start(&source, rng, m->group.set, operation, secret, input);
}

int vldaa_tpm_keygen(vldaa_tpm *tpm, const uint8_t *group_key, size_t group_key_len)
{
	vldaa_member m;
	vldaa_rng rng;
	vldaa_writer w;
	size_t len;
	int err;

	if (!tpm || !group_key)
		return VLDAA_ERR_ARGUMENT;
	memset(&m, 0, sizeof m);
	err = vldaa_read_group_key(&m.group, group_key, group_key_len);
	if (err)
		return err;
	if (scheme_workspace(m.group.set) > tpm->workspace_size)
		return VLDAA_ERR_ARGUMENT;
	err = exists(tpm, VLDAA_RECORD_DEAD, m.group.key_id);
	if (err == 0) {
		err = exists(tpm, VLDAA_RECORD_MEMBER, m.group.key_id);
		if (err == 1)
			err = VLDAA_ERR_HAVE_KEY;
	} else if (err == 1) {
		err = VLDAA_ERR_BANNED;
	}
	if (err)
		goto out;
	m.group_bytes = (vldaa_bytes){group_key, group_key_len};
	m.key.secret = tpm->plain;
	m.secret_len = m.group.set->scheme->size(m.group.set, VLDAA_PART_TPM_SECRET);
	err = vldaa_tpm_source_start(tpm, &rng, &m, VLDAA_OP_TPM_KEYGEN, m.group_bytes);
	if (err)
		goto out;
	err = m.group.set->scheme->tpm_keygen(m.group.set, tpm->workspace, &rng, tpm->plain);
	vldaa_rng_clear(&rng);
	if (err)
		goto out;
	vldaa_put_init(&w, tpm->next, sizeof tpm->next);
	vldaa_put_member(&w, &m);
	err = vldaa_put_end(&w, &len);
	if (!err) {
		const vldaa_change change = {VLDAA_RECORD_MEMBER, m.group.key_id, tpm->next, len};
		err = tpm->services->commit(tpm->services->ctx, &change, 1);
	}
out:
	vldaa_tpm_forget(tpm);
	return err;
}

/* --- Join --------------------------------------------------------------------------------------
 */

/* What the TPM's proof is tied to: the nonce and the endorsement chain, so that a proof cannot be
 * endorsed by another TPM. */
static void join_bind(const vldaa_set *set, const uint8_t *nonce, vldaa_bytes chain,
		      uint8_t bind[VLDAA_TPM_BIND])
{
	memcpy(bind, nonce, VLDAA_NONCE_BYTES);
	vldaa_request_chain_digest(set, chain, bind + VLDAA_NONCE_BYTES);
}

/* Appends the request to w up to (not including) the endorsement signature. */
static int write_request(vldaa_tpm *tpm, const vldaa_member *m, const uint8_t *nonce,
			 vldaa_bytes host_part, vldaa_bytes chain, const uint8_t *answer_public,
			 vldaa_writer *w)
{
	uint8_t bind[VLDAA_TPM_BIND];
	const vldaa_bytes bind_bytes = {bind, sizeof bind};
	vldaa_rng rng;
	size_t begin;
	int err;

	join_bind(m->group.set, nonce, chain, bind);
	err = vldaa_tpm_source_start(tpm, &rng, m, VLDAA_OP_TPM_JOIN, bind_bytes);
	if (err)
		return err;
	vldaa_put_header(w, VLDAA_KIND_JOIN_REQUEST, m->group.set);
	vldaa_put_bytes(w, m->group.key_id, VLDAA_KEY_ID_BYTES);
	vldaa_put_bytes(w, nonce, VLDAA_NONCE_BYTES);
	begin = vldaa_put_block_begin(w);
	err = m->group.set->scheme->tpm_join(&m->key, tpm->workspace, bind_bytes, &rng, w);
	vldaa_rng_clear(&rng);
	if (err)
		return err;
	vldaa_put_block_end(w, begin);
	vldaa_put_block(w, host_part.bytes, host_part.len);
	vldaa_put_bytes(w, answer_public, 32);
	vldaa_put_block(w, chain.bytes, chain.len);
	return VLDAA_OK;
}

int vldaa_tpm_request(vldaa_tpm *tpm, const uint8_t *call, size_t call_len, uint8_t *out,
		      size_t cap, size_t *len)
{
	const vldaa_tpm_services *s;
	vldaa_member m;
	vldaa_reader rd;
	vldaa_writer w;
	vldaa_bytes host_part, chain = {NULL, 0};
	const vldaa_set *set;
	const uint8_t *key_id, *nonce;
	uint8_t pending[VLDAA_DIGEST_BYTES + 32];
	uint8_t answer_public[32];
	size_t signature_len = 0;
	int err;

	if (bad_output(tpm, out, len) || !call)
		return VLDAA_ERR_ARGUMENT;
	s = tpm->services;
	vldaa_get_init(&rd, call, call_len);
	set = vldaa_get_header(&rd, VLDAA_KIND_JOIN_CALL);
	key_id = vldaa_get_view(&rd, VLDAA_KEY_ID_BYTES);
	nonce = vldaa_get_view(&rd, VLDAA_NONCE_BYTES);
	host_part =
	    vldaa_get_bytes_block(&rd, set ? set->scheme->size(set, VLDAA_PART_JOIN_HOST) : 0);
	err = vldaa_get_end(&rd);
	if (!err)
		err = vldaa_need(set, VLDAA_KIND_JOIN_REQUEST, cap, len);
	if (!err)
		err = vldaa_tpm_load(tpm, key_id, &m);
	if (!err && m.group.set != set)
		err = VLDAA_ERR_WRONG_SET;
	if (!err)
		err = s->certificate(s->ctx, tpm->plain, sizeof tpm->plain, &chain.len);
	chain.bytes = tpm->plain;
	if (!err)
		err = s->answer_key(s->ctx, pending + VLDAA_DIGEST_BYTES, answer_public);
	if (err)
		goto out;
	vldaa_put_init(&w, out, cap);
	err = write_request(tpm, &m, nonce, host_part, chain, answer_public, &w);
	if (err)
		goto out;
	err =
	    s->endorse(s->ctx, out, w.len, tpm->next, VLDAA_MAX_ORDINARY_SIGNATURE, &signature_len);
	if (err)
		goto out;
	vldaa_put_block(&w, tpm->next, signature_len);
	err = vldaa_put_end(&w, len);
	if (err)
		goto out;
	vldaa_request_digest(set, (vldaa_bytes){out, *len}, pending);
	{
		const vldaa_change change = {VLDAA_RECORD_PENDING, key_id, pending, sizeof pending};
		err = s->commit(s->ctx, &change, 1);
	}
out:
	vldaa_wipe(pending, sizeof pending);
	return vldaa_tpm_end(tpm, err, out, cap, len);
}

/*
 * The opened answer: block: credential | fleet key (32) | block: revocation authority's key
 *   | block: issuer's authority key | block: its signature over the answer's head and all before
 * it.
 */
static int check_answer(vldaa_tpm *tpm, const vldaa_member *m, vldaa_bytes head, size_t plain_len,
			vldaa_bytes *credential, const uint8_t **fleet_key,
			vldaa_bytes *revocation_key)
{
	const vldaa_tpm_services *s = tpm->services;
	const vldaa_set *set = m->group.set;
	uint8_t digest[VLDAA_DIGEST_BYTES];
	vldaa_bytes authority, signature;
	vldaa_reader rd;
	vldaa_writer w;
	size_t signed_len;
	int err;

	vldaa_get_init(&rd, tpm->plain, plain_len);
	*credential = vldaa_get_bytes_block(&rd, set->scheme->size(set, VLDAA_PART_CREDENTIAL));
	*fleet_key = vldaa_get_view(&rd, 32);
	*revocation_key = vldaa_get_bytes_block(&rd, VLDAA_MAX_SPKI);
	authority = vldaa_get_bytes_block(&rd, VLDAA_MAX_SPKI);
	signed_len = rd.pos;
	signature = vldaa_get_bytes_block(&rd, VLDAA_MAX_ORDINARY_SIGNATURE);
	err = vldaa_get_end(&rd);
	if (err)
		return err;
	vldaa_authority_digest(set, authority, digest);
	if (!vldaa_equal(digest, m->group.authority_digest, sizeof digest))
		return VLDAA_ERR_WRONG_ISSUER;
	/* the head and the signed part side by side, behind the opened bytes */
	if (plain_len + head.len + signed_len > sizeof tpm->plain)
		return VLDAA_ERR_ENCODING;
	vldaa_put_init(&w, tpm->plain + plain_len, sizeof tpm->plain - plain_len);
	vldaa_put_bytes(&w, head.bytes, head.len);
	vldaa_put_bytes(&w, tpm->plain, signed_len);
	err = s->check(s->ctx, authority.bytes, authority.len, w.out, w.len, signature.bytes,
		       signature.len);
	return err == VLDAA_ERR_PROOF ? VLDAA_ERR_WRONG_ISSUER : err;
}

int vldaa_tpm_accept(vldaa_tpm *tpm, const uint8_t *answer, size_t answer_len, uint8_t *out,
		     size_t cap, size_t *len)
{
	const vldaa_tpm_services *s;
	const size_t head_len = VLDAA_OBJECT_HEADER + VLDAA_KEY_ID_BYTES + VLDAA_DIGEST_BYTES;
	const vldaa_set *set;
	const uint8_t *key_id, *request;
	uint8_t pending[VLDAA_DIGEST_BYTES + 32];
	vldaa_bytes sealed, credential;
	vldaa_member m;
	vldaa_reader rd;
	vldaa_writer w, keep;
	size_t got = 0;
	int err;

	if (bad_output(tpm, out, len) || !answer)
		return VLDAA_ERR_ARGUMENT;
	s = tpm->services;
	memset(pending, 0, sizeof pending);
	vldaa_get_init(&rd, answer, answer_len);
	set = vldaa_get_header(&rd, VLDAA_KIND_JOIN_ANSWER);
	key_id = vldaa_get_view(&rd, VLDAA_KEY_ID_BYTES);
	request = vldaa_get_view(&rd, VLDAA_DIGEST_BYTES);
	sealed = vldaa_get_bytes_block(&rd, sizeof tpm->plain);
	err = vldaa_get_end(&rd);
	if (!err)
		err = vldaa_need(set, VLDAA_KIND_CREDENTIAL, cap, len);
	if (!err)
		err = vldaa_tpm_load(tpm, key_id, &m);
	if (!err && m.group.set != set)
		err = VLDAA_ERR_WRONG_SET;
	if (!err)
		err = load(tpm, VLDAA_RECORD_PENDING, key_id, pending, sizeof pending, &got);
	if (err == VLDAA_ERR_NO_KEY && set)
		err = VLDAA_ERR_CREDENTIAL;
	if (!err && got != sizeof pending)
		err = VLDAA_ERR_STORE;
	if (!err && memcmp(request, pending, VLDAA_DIGEST_BYTES) != 0)
		err = VLDAA_ERR_CREDENTIAL;
	if (!err) {
		err = s->open(s->ctx, VLDAA_SEAL_ANSWER, pending + VLDAA_DIGEST_BYTES, answer,
			      head_len, sealed.bytes, sealed.len, tpm->plain, sizeof tpm->plain,
			      &got);
	}
	if (!err) {
		err = check_answer(tpm, &m, (vldaa_bytes){answer, head_len}, got, &credential,
				   &m.fleet_key, &m.revocation_key);
	}
	if (err)
		goto out;
	vldaa_put_init(&w, out, cap);
	vldaa_put_header(&w, VLDAA_KIND_CREDENTIAL, set);
	vldaa_put_bytes(&w, key_id, VLDAA_KEY_ID_BYTES);
	vldaa_put_init(&keep, tpm->next + VLDAA_RECORD_MAX / 2, VLDAA_RECORD_MAX / 2);
	err = set->scheme->tpm_accept(&m.key, tpm->workspace, credential, &keep, &w);
	if (err)
		goto out;
	m.joined = 1;
	m.key.credential = (vldaa_bytes){keep.out, keep.len};
	err = vldaa_put_end(&w, len);
	if (!err) {
		vldaa_writer record;
		size_t record_len;

		vldaa_put_init(&record, tpm->next, VLDAA_RECORD_MAX / 2);
		vldaa_put_member(&record, &m);
		err = vldaa_put_end(&record, &record_len);
		if (!err) {
			const vldaa_change change = {VLDAA_RECORD_MEMBER, m.group.key_id, tpm->next,
						     record_len};
			err = s->commit(s->ctx, &change, 1);
		}
	}
out:
	vldaa_wipe(pending, sizeof pending);
	return vldaa_tpm_end(tpm, err, out, cap, len);
}

int vldaa_tpm_public_key(vldaa_tpm *tpm, const uint8_t key_id[VLDAA_KEY_ID_BYTES], uint8_t *out,
			 size_t cap, size_t *len)
{
	vldaa_member m;
	int err;

	if (bad_output(tpm, out, len) || !key_id)
		return VLDAA_ERR_ARGUMENT;
	err = vldaa_tpm_load(tpm, key_id, &m);
	if (!err) {
		*len = m.group.set->scheme->size(m.group.set, VLDAA_PART_MEMBER_TPM);
		err = cap < *len ? VLDAA_ERR_BUFFER
				 : m.group.set->scheme->tpm_public(&m.key, tpm->workspace, out);
	}
	return vldaa_tpm_end(tpm, err, out, cap, len);
}

/* --- Create ------------------------------------------------------------------------------------
 */

int vldaa_tpm_create(vldaa_tpm *tpm, const uint8_t *call, size_t call_len, uint8_t *out, size_t cap,
		     size_t *len)
{
	const vldaa_set *set;
	const uint8_t *key_id;
	vldaa_bytes basename, payload;
	vldaa_member m;
	vldaa_reader rd;
	vldaa_writer w;
	vldaa_rng rng;
	int err;

	if (bad_output(tpm, out, len) || !call)
		return VLDAA_ERR_ARGUMENT;
	vldaa_get_init(&rd, call, call_len);
	set = vldaa_get_header(&rd, VLDAA_KIND_CREATE_CALL);
	key_id = vldaa_get_view(&rd, VLDAA_KEY_ID_BYTES);
	basename = vldaa_get_basename(&rd);
	payload = vldaa_get_rest(&rd);
	err = vldaa_get_end(&rd);
	if (!err)
		err = vldaa_need(set, VLDAA_KIND_CREATE_REPLY, cap, len);
	if (!err)
		err = vldaa_tpm_load_for(tpm, key_id, basename, &m);
	if (!err && m.group.set != set)
		err = VLDAA_ERR_WRONG_SET;
	if (!err)
		err = vldaa_tpm_source_start(tpm, &rng, &m, VLDAA_OP_TPM_CREATE,
					     (vldaa_bytes){call, call_len});
	if (err)
		return vldaa_tpm_end(tpm, err, out, cap, len);
	vldaa_put_init(&w, out, cap);
	vldaa_put_header(&w, VLDAA_KIND_CREATE_REPLY, set);
	vldaa_put_bytes(&w, key_id, VLDAA_KEY_ID_BYTES);
	err = set->scheme->tpm_create(&m.key, tpm->workspace, basename, payload, &rng, &w);
	vldaa_rng_clear(&rng);
	if (!err)
		err = vldaa_put_end(&w, len);
	return vldaa_tpm_end(tpm, err, out, cap, len);
}

/* --- Sign --------------------------------------------------------------------------------------
 */

static void end_signing(vldaa_tpm *tpm)
{
	tpm->signing = 0;
	vldaa_wipe(tpm->basename, sizeof tpm->basename);
	vldaa_wipe(&tpm->message, sizeof tpm->message);
	vldaa_wipe(tpm->attestation_digest, sizeof tpm->attestation_digest);
}

static vldaa_sign_subject signing_subject(const vldaa_tpm *tpm)
{
	return (vldaa_sign_subject){VLDAA_SIGN_MESSAGE,
				    tpm->key_id,
				    {tpm->basename, tpm->basename_len},
				    tpm->attestation_digest};
}

int vldaa_tpm_sign_begin(vldaa_tpm *tpm, const uint8_t key_id[VLDAA_KEY_ID_BYTES],
			 const uint8_t *basename, size_t basename_len,
			 const uint8_t attestation_digest[VLDAA_DIGEST_BYTES])
{
	vldaa_sign_subject about;
	vldaa_member m;
	int err;

	if (!tpm || !key_id || !attestation_digest)
		return VLDAA_ERR_ARGUMENT;
	end_signing(tpm);
	err = vldaa_tpm_load_for(tpm, key_id, (vldaa_bytes){basename, basename_len}, &m);
	if (!err) {
		memcpy(tpm->key_id, key_id, VLDAA_KEY_ID_BYTES);
		memcpy(tpm->basename, basename, basename_len);
		tpm->basename_len = basename_len;
		memcpy(tpm->attestation_digest, attestation_digest, VLDAA_DIGEST_BYTES);
		about = signing_subject(tpm);
		err =
		    m.group.set->scheme->sign_begin(&m.key, tpm->workspace, &about, &tpm->message);
	}
	tpm->signing = !err;
	if (err)
		end_signing(tpm);
	vldaa_tpm_forget(tpm);
	return err;
}

int vldaa_tpm_sign_update(vldaa_tpm *tpm, const void *message, size_t len)
{
	if (!tpm || (!message && len > 0))
		return VLDAA_ERR_ARGUMENT;
	if (!tpm->signing)
		return VLDAA_ERR_STATE;
	vldaa_message_absorb(&tpm->message, message, len);
	return VLDAA_OK;
}

int vldaa_tpm_sign_end(vldaa_tpm *tpm, uint8_t *out, size_t cap, size_t *len)
{
	vldaa_sign_subject about;
	vldaa_member m;
	vldaa_writer w;
	vldaa_rng rng;
	int err;

	if (bad_output(tpm, out, len))
		return VLDAA_ERR_ARGUMENT;
	if (!tpm->signing)
		return vldaa_tpm_end(tpm, VLDAA_ERR_STATE, out, cap, len);
	about = signing_subject(tpm);
	/* Loaded again: an order may have been obeyed since the beginning, by another process too.
	 */
	err = vldaa_tpm_load_for(tpm, tpm->key_id, about.basename, &m);
	if (!err) {
		const size_t most = m.group.set->scheme->size(m.group.set, VLDAA_PART_SIGN);
		if (cap < most) {
			*len = most;
			vldaa_tpm_forget(tpm);
			vldaa_wipe(out, cap);
			return VLDAA_ERR_BUFFER; /* the signature stays in progress */
		}
		err = vldaa_tpm_source_start(tpm, &rng, &m, VLDAA_OP_TPM_SIGN, about.basename);
	}
	if (!err) {
		vldaa_put_init(&w, out, cap);
		err = m.group.set->scheme->sign_end(&m.key, tpm->workspace, &about, &tpm->message,
						    &rng, &w);
		vldaa_rng_clear(&rng);
		if (!err)
			err = vldaa_put_end(&w, len);
	}
	end_signing(tpm);
	return vldaa_tpm_end(tpm, err, out, cap, len);
}

int vldaa_tpm_get_status(vldaa_tpm *tpm, const uint8_t key_id[VLDAA_KEY_ID_BYTES],
			 vldaa_tpm_status *status)
{
	vldaa_member m;
	int err;

	if (!tpm || !key_id || !status)
		return VLDAA_ERR_ARGUMENT;
	memset(status, 0, sizeof *status);
	err = vldaa_tpm_load(tpm, key_id, &m);
	if (!err) {
		status->has_key = 1;
		status->joined = m.joined;
		err = exists(tpm, VLDAA_RECORD_PENDING, key_id);
		status->pending = err == 1;
	} else if (err == VLDAA_ERR_NO_KEY) {
		err = exists(tpm, VLDAA_RECORD_DEAD, key_id);
		status->dead = err == 1;
	}
	vldaa_tpm_forget(tpm);
	if (err < 0)
		memset(status, 0, sizeof *status);
	return err < 0 ? err : VLDAA_OK;
}
