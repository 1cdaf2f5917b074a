/*
 * The TPM role: keys, Join, Create, Sign.  No heap, no files, no libcrypto: only the scheme table
 * and the caller's services.
 */
#include <string.h>

#include "random/secret.h"
#include "role/tpm_state.h"

/* --- keys --------------------------------------------------------------------------------------
 */

static int commit_member(vldaa_tpm *tpm, const vldaa_member *m)
{
	vldaa_change change = {VLDAA_RECORD_MEMBER, m->group.key_id, tpm->next, 0};
	vldaa_writer w;

	vldaa_put_init(&w, tpm->next, sizeof tpm->next);
	vldaa_put_member(&w, m);
	if (vldaa_put_end(&w, &change.len))
		return VLDAA_ERR_INTERNAL; /* VLDAA_RECORD_MAX holds the largest one */
	return vldaa_tpm_commit(tpm, &change, 1);
}

int vldaa_tpm_keygen(vldaa_tpm *tpm, const uint8_t *group_key, size_t group_key_len)
{
	vldaa_member m;
	vldaa_rng rng;
	int err;

	if (!tpm || !group_key)
		return VLDAA_ERR_ARGUMENT;
	memset(&m, 0, sizeof m);
	err = vldaa_read_group_key(&m.group, group_key, group_key_len);
	if (err)
		return err;
	err = vldaa_tpm_use(tpm, m.group.set);
	if (err)
		return err;
	err = vldaa_tpm_exists(tpm, VLDAA_RECORD_DEAD, m.group.key_id);
	if (err == 0) {
		err = vldaa_tpm_exists(tpm, VLDAA_RECORD_MEMBER, m.group.key_id);
		if (err == 1)
			err = VLDAA_ERR_HAVE_KEY;
	} else if (err == 1) {
		err = VLDAA_ERR_EXPELLED;
	}
	if (err)
		goto out;
	m.group_bytes = (vldaa_bytes){group_key, group_key_len};
	m.key.set = m.group.set;
	m.key.key_id = m.group.key_id;
	m.key.group = m.group.payload;
	m.key.secret = tpm->plain;
	m.secret_len = m.group.set->scheme->size(m.group.set, VLDAA_PART_TPM_SECRET);
	err = vldaa_tpm_source_start(tpm, &rng, &m, VLDAA_OP_TPM_KEYGEN, m.group_bytes);
	if (err)
		goto out;
	err =
	    m.group.set->scheme->tpm_keygen(m.group.set, tpm->workspace, &m.key, &rng, tpm->plain);
	vldaa_rng_clear(&rng);
	if (err)
		goto out;
	err = commit_member(tpm, &m);
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

static int certificate_chain(vldaa_tpm *tpm, vldaa_bytes *chain)
{
	const vldaa_tpm_services *s = tpm->services;
	size_t len = 0;
	int err = s->certificate(s->ctx, tpm->plain, sizeof tpm->plain, &len);

	*chain = (vldaa_bytes){tpm->plain, len};
	err = vldaa_tpm_answered(err, VLDAA_ERR_SERVICE);
	return !err && len > sizeof tpm->plain ? VLDAA_ERR_SERVICE : err;
}

static int answer_key(vldaa_tpm *tpm, uint8_t *private_key, uint8_t *public_key)
{
	const vldaa_tpm_services *s = tpm->services;

	return vldaa_tpm_answered(s->answer_key(s->ctx, private_key, public_key),
				  VLDAA_ERR_SERVICE);
}

static int endorse(vldaa_tpm *tpm, vldaa_bytes message, vldaa_bytes *signature)
{
	const vldaa_tpm_services *s = tpm->services;
	size_t len = 0;
	int err = s->endorse(s->ctx, message.bytes, message.len, tpm->next,
			     VLDAA_MAX_ORDINARY_SIGNATURE, &len);

	*signature = (vldaa_bytes){tpm->next, len};
	err = vldaa_tpm_answered(err, VLDAA_ERR_SERVICE);
	return !err && len > VLDAA_MAX_ORDINARY_SIGNATURE ? VLDAA_ERR_SERVICE : err;
}

int vldaa_tpm_request(vldaa_tpm *tpm, const uint8_t *call, size_t call_len, uint8_t *out,
		      size_t cap, size_t *len)
{
	vldaa_member m;
	vldaa_reader rd;
	vldaa_writer w;
	vldaa_bytes host_part, chain, signature;
	const vldaa_set *set;
	const uint8_t *key_id, *nonce;
	uint8_t pending[VLDAA_DIGEST_BYTES + 32];
	uint8_t answer_public[32];
	int err;

	memset(pending, 0, sizeof pending);
	if (!tpm || !call || !out || !len)
		return vldaa_refuse_output(out, cap, len, VLDAA_ERR_ARGUMENT);
	vldaa_get_init(&rd, call, call_len);
	set = vldaa_get_header(&rd, VLDAA_KIND_JOIN_CALL);
	key_id = vldaa_get_view(&rd, VLDAA_KEY_ID_BYTES);
	nonce = vldaa_get_view(&rd, VLDAA_NONCE_BYTES);
	host_part =
	    vldaa_get_bytes_block(&rd, set ? set->scheme->size(set, VLDAA_PART_JOIN_HOST) : 0);
	err = vldaa_get_end(&rd);
	if (!err)
		err = vldaa_tpm_load(tpm, key_id, &m);
	if (!err && m.group.set != set)
		err = VLDAA_ERR_WRONG_SET;
	if (!err)
		err = vldaa_need(set, VLDAA_KIND_JOIN_REQUEST, cap, len);
	if (!err)
		err = certificate_chain(tpm, &chain);
	if (!err)
		err = answer_key(tpm, pending + VLDAA_DIGEST_BYTES, answer_public);
	if (err)
		goto out;
	vldaa_put_init(&w, out, cap);
	err = write_request(tpm, &m, nonce, host_part, chain, answer_public, &w);
	if (err)
		goto out;
	err = endorse(tpm, (vldaa_bytes){out, w.len}, &signature);
	if (err)
		goto out;
	vldaa_put_block(&w, signature.bytes, signature.len);
	err = vldaa_put_end(&w, len);
	if (err)
		goto out;
	vldaa_request_digest(set, (vldaa_bytes){out, *len}, pending);
	{
		const vldaa_change change = {VLDAA_RECORD_PENDING, key_id, pending, sizeof pending};
		err = vldaa_tpm_commit(tpm, &change, 1);
	}
out:
	vldaa_wipe(pending, sizeof pending);
	return vldaa_tpm_end(tpm, err, out, cap, len);
}

/* An answer's length up to its sealed block: the associated data, and what is signed first. */
enum { ANSWER_HEAD = VLDAA_OBJECT_HEADER + VLDAA_KEY_ID_BYTES + VLDAA_DIGEST_BYTES };

/* Opens the sealed block into tpm->plain, behind a copy of the head: what the issuer's authority
 * signed is one piece of memory then. */
static int open_answer(vldaa_tpm *tpm, const uint8_t *key, const uint8_t *head, vldaa_bytes sealed,
		       vldaa_bytes *opened)
{
	const vldaa_tpm_services *s = tpm->services;
	const size_t cap = sizeof tpm->plain - ANSWER_HEAD;
	size_t len = 0;
	int err;

	memcpy(tpm->plain, head, ANSWER_HEAD);
	err = s->open(s->ctx, VLDAA_SEAL_ANSWER, key, head, ANSWER_HEAD, sealed.bytes, sealed.len,
		      tpm->plain + ANSWER_HEAD, cap, &len);
	*opened = (vldaa_bytes){tpm->plain + ANSWER_HEAD, len};
	err = vldaa_tpm_answered(err, VLDAA_ERR_SERVICE);
	return !err && len > cap ? VLDAA_ERR_SERVICE : err;
}

/*
 * The opened answer: block: credential | fleet key (32) | block: revocation authority's key
 *   | block: issuer's authority key | block: its signature over the answer's head and all before
 * it.
 */
static int check_answer(vldaa_tpm *tpm, const vldaa_member *m, vldaa_bytes opened,
			vldaa_bytes *credential, const uint8_t **fleet_key,
			vldaa_bytes *revocation_key)
{
	const vldaa_set *set = m->group.set;
	uint8_t digest[VLDAA_DIGEST_BYTES];
	vldaa_bytes authority, signature;
	vldaa_reader rd;
	size_t signed_len;
	int err;

	vldaa_get_init(&rd, opened.bytes, opened.len);
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
	err = vldaa_tpm_check(tpm, authority, (vldaa_bytes){tpm->plain, ANSWER_HEAD + signed_len},
			      signature);
	return err == VLDAA_ERR_PROOF ? VLDAA_ERR_WRONG_ISSUER : err;
}

int vldaa_tpm_accept(vldaa_tpm *tpm, const uint8_t *answer, size_t answer_len, uint8_t *out,
		     size_t cap, size_t *len)
{
	const vldaa_set *set;
	const uint8_t *key_id, *request;
	uint8_t pending[VLDAA_DIGEST_BYTES + 32];
	vldaa_bytes sealed, opened, credential;
	vldaa_member m;
	vldaa_reader rd;
	vldaa_writer w, keep;
	size_t got = 0;
	int err;

	if (!tpm || !answer || !out || !len)
		return vldaa_refuse_output(out, cap, len, VLDAA_ERR_ARGUMENT);
	memset(pending, 0, sizeof pending);
	vldaa_get_init(&rd, answer, answer_len);
	set = vldaa_get_header(&rd, VLDAA_KIND_JOIN_ANSWER);
	key_id = vldaa_get_view(&rd, VLDAA_KEY_ID_BYTES);
	request = vldaa_get_view(&rd, VLDAA_DIGEST_BYTES);
	sealed = vldaa_get_bytes_block(&rd, sizeof tpm->plain);
	err = vldaa_get_end(&rd);
	if (!err)
		err = vldaa_tpm_load(tpm, key_id, &m);
	if (!err && m.group.set != set)
		err = VLDAA_ERR_WRONG_SET;
	if (!err)
		err = vldaa_need(set, VLDAA_KIND_CREDENTIAL, cap, len);
	if (!err)
		err = vldaa_tpm_load_record(tpm, VLDAA_RECORD_PENDING, key_id, pending,
					    sizeof pending, &got);
	if (err == VLDAA_ERR_NO_KEY && set)
		err = VLDAA_ERR_CREDENTIAL;
	if (!err && got != sizeof pending)
		err = VLDAA_ERR_STORE;
	if (!err && memcmp(request, pending, VLDAA_DIGEST_BYTES) != 0)
		err = VLDAA_ERR_CREDENTIAL;
	if (!err)
		err = open_answer(tpm, pending + VLDAA_DIGEST_BYTES, answer, sealed, &opened);
	if (!err)
		err = check_answer(tpm, &m, opened, &credential, &m.fleet_key, &m.revocation_key);
	if (err)
		goto out;
	vldaa_put_init(&w, out, cap);
	vldaa_put_header(&w, VLDAA_KIND_CREDENTIAL, set);
	vldaa_put_bytes(&w, key_id, VLDAA_KEY_ID_BYTES);
	/* what is kept: behind the opened bytes */
	vldaa_put_init(&keep, tpm->plain + ANSWER_HEAD + opened.len,
		       sizeof tpm->plain - ANSWER_HEAD - opened.len);
	err = set->scheme->tpm_accept(&m.key, tpm->workspace, credential, &keep, &w);
	if (err)
		goto out;
	m.joined = 1;
	m.key.credential = (vldaa_bytes){keep.out, keep.len};
	err = vldaa_put_end(&w, len);
	if (!err && keep.len > keep.cap)
		err = VLDAA_ERR_INTERNAL;
	if (!err)
		err = commit_member(tpm, &m);
out:
	vldaa_wipe(pending, sizeof pending);
	return vldaa_tpm_end(tpm, err, out, cap, len);
}

int vldaa_tpm_public_key(vldaa_tpm *tpm, const uint8_t key_id[VLDAA_KEY_ID_BYTES], uint8_t *out,
			 size_t cap, size_t *len)
{
	vldaa_member m;
	int err;

	if (!tpm || !key_id || !out || !len)
		return vldaa_refuse_output(out, cap, len, VLDAA_ERR_ARGUMENT);
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

	if (!tpm || !call || !out || !len)
		return vldaa_refuse_output(out, cap, len, VLDAA_ERR_ARGUMENT);
	vldaa_get_init(&rd, call, call_len);
	set = vldaa_get_header(&rd, VLDAA_KIND_CREATE_CALL);
	key_id = vldaa_get_view(&rd, VLDAA_KEY_ID_BYTES);
	basename = vldaa_get_basename(&rd);
	payload = vldaa_get_rest(&rd);
	err = vldaa_get_end(&rd);
	if (!err)
		err = vldaa_tpm_load_for(tpm, key_id, basename, &m);
	if (!err && m.group.set != set)
		err = VLDAA_ERR_WRONG_SET;
	if (!err)
		err = vldaa_need(set, VLDAA_KIND_CREATE_REPLY, cap, len);
	if (!err)
		err = vldaa_tpm_may_show(tpm, &m);
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
	if (!err)
		err = vldaa_tpm_count_shown(tpm, &m);
	return vldaa_tpm_end(tpm, err, out, cap, len);
}

/* --- Sign --------------------------------------------------------------------------------------
 */

static void end_signing(vldaa_tpm *tpm)
{
	tpm->signing = 0;
	tpm->basename_len = 0;
	vldaa_wipe(tpm->key_id, sizeof tpm->key_id);
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

	if (!tpm || !out || !len)
		return vldaa_refuse_output(out, cap, len, VLDAA_ERR_ARGUMENT);
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
			/* the signature stays in progress */
			return vldaa_tpm_end(tpm, VLDAA_ERR_BUFFER, out, cap, len);
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

	if (status)
		memset(status, 0, sizeof *status);
	if (!tpm || !key_id || !status)
		return VLDAA_ERR_ARGUMENT;
	err = vldaa_tpm_load(tpm, key_id, &m);
	if (!err) {
		status->has_key = 1;
		status->joined = m.joined;
		err = vldaa_tpm_exists(tpm, VLDAA_RECORD_PENDING, key_id);
		status->pending = err == 1;
	} else if (err == VLDAA_ERR_EXPELLED) {
		status->dead = 1;
		err = VLDAA_OK;
	} else if (err == VLDAA_ERR_NO_KEY) {
		err = VLDAA_OK;
	}
	vldaa_tpm_forget(tpm);
	if (err < 0)
		memset(status, 0, sizeof *status);
	return err < 0 ? err : VLDAA_OK;
}
