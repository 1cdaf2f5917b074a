/*
 * The TPM role in Revoke: the revocation token that is deposited when a pseudonym is made, and
 * obeying an order (REWIRE style: no certificate list, nobody resolves the pseudonym but its
 * owner).
 */
#include <string.h>

#include "random/hash.h"
#include "random/secret.h"
#include "role/tpm_state.h"

void vldaa_revocation_secret(const vldaa_member *m, vldaa_bytes basename,
			     uint8_t secret[VLDAA_REVOCATION_SECRET_BYTES])
{
	vldaa_shake s;

	vldaa_hash_init(&s, VLDAA_SHAKE256_RATE, VLDAA_DOMAIN_REVOCATION,
			vldaa_set_id(m->group.set));
	vldaa_hash_part(&s, m->key.secret, m->secret_len);
	vldaa_hash_part(&s, m->group.key_id, VLDAA_KEY_ID_BYTES);
	vldaa_hash_part(&s, basename.bytes, basename.len);
	vldaa_shake_squeeze(&s, secret, VLDAA_REVOCATION_SECRET_BYTES);
	vldaa_wipe(&s, sizeof s);
}

/* A signature of type 1 or 2 over `message`, appended to w. */
static int sign_internal(vldaa_tpm *tpm, const vldaa_member *m, const vldaa_sign_subject *about,
			 vldaa_bytes message, vldaa_writer *w)
{
	const vldaa_scheme *scheme = m->group.set->scheme;
	vldaa_message msg;
	vldaa_rng rng;
	int err = vldaa_tpm_source_start(tpm, &rng, m, VLDAA_OP_TPM_SIGN, about->basename);

	if (err)
		return err;
	err = scheme->sign_begin(&m->key, tpm->workspace, about, &msg);
	if (!err) {
		vldaa_message_absorb(&msg, message.bytes, message.len);
		err = scheme->sign_end(&m->key, tpm->workspace, about, &msg, &rng, w);
	}
	vldaa_rng_clear(&rng);
	vldaa_wipe(&msg, sizeof msg);
	return err;
}

/* TOKEN: header | key id | basename | nym | attestation digest | secret's digest | signature of
 * type 1. */
int vldaa_tpm_token(vldaa_tpm *tpm, const uint8_t key_id[VLDAA_KEY_ID_BYTES],
		    const uint8_t *basename, size_t basename_len,
		    const uint8_t attestation_digest[VLDAA_DIGEST_BYTES], uint8_t *out, size_t cap,
		    size_t *len)
{
	const vldaa_bytes bsn = {basename, basename_len};
	uint8_t secret[VLDAA_REVOCATION_SECRET_BYTES];
	uint8_t digest[VLDAA_DIGEST_BYTES];
	vldaa_sign_subject about = {
	    VLDAA_SIGN_TOKEN, key_id, {basename, basename_len}, attestation_digest};
	vldaa_member m;
	vldaa_writer w;
	int err;

	if (!tpm || !key_id || !attestation_digest || !out || !len)
		return vldaa_refuse_output(out, cap, len, VLDAA_ERR_ARGUMENT);
	err = vldaa_tpm_load_for(tpm, key_id, bsn, &m);
	if (!err)
		err = vldaa_need(m.group.set, VLDAA_KIND_TOKEN, cap, len);
	/* A token shows the pseudonym, of whatever basename, as an attestation does. */
	if (!err)
		err = vldaa_tpm_may_show(tpm, &m);
	if (err)
		return vldaa_tpm_end(tpm, err, out, cap, len);
	vldaa_put_init(&w, out, cap);
	vldaa_put_header(&w, VLDAA_KIND_TOKEN, m.group.set);
	vldaa_put_bytes(&w, key_id, VLDAA_KEY_ID_BYTES);
	vldaa_put_basename(&w, bsn);
	err = m.group.set->scheme->tpm_nym(&m.key, tpm->workspace, bsn, out + w.len);
	w.len += m.group.set->scheme->size(m.group.set, VLDAA_PART_NYM);
	vldaa_put_bytes(&w, attestation_digest, VLDAA_DIGEST_BYTES);
	vldaa_revocation_secret(&m, bsn, secret);
	vldaa_revocation_secret_digest(m.group.set, secret, digest);
	vldaa_secret_declassify(digest, sizeof digest, "the token says it: a commitment");
	vldaa_put_bytes(&w, digest, sizeof digest);
	if (!err)
		err = sign_internal(tpm, &m, &about, (vldaa_bytes){digest, sizeof digest}, &w);
	if (!err)
		err = vldaa_put_end(&w, len);
	if (!err)
		err = vldaa_tpm_count_shown(tpm, &m);
	vldaa_wipe(secret, sizeof secret);
	return vldaa_tpm_end(tpm, err, out, cap, len);
}

/* Opens and checks an order: its frame, the authority's signature, that it is for this group. */
static int open_order(vldaa_tpm *tpm, const vldaa_member *m, vldaa_bytes head, vldaa_bytes sealed,
		      vldaa_order_parts *order)
{
	const vldaa_tpm_services *s = tpm->services;
	vldaa_bytes plain;
	vldaa_reader rd;
	size_t got = 0;
	int err;

	err = s->open(s->ctx, VLDAA_SEAL_ORDER, m->fleet_key, head.bytes, head.len, sealed.bytes,
		      sealed.len, tpm->plain, sizeof tpm->plain, &got);
	err = vldaa_tpm_answered(err, VLDAA_ERR_SERVICE);
	if (err)
		return err;
	if (got != vldaa_padded_order_size(m->group.set))
		return VLDAA_ERR_ENCODING;
	vldaa_get_init(&rd, tpm->plain, got);
	plain = vldaa_get_bytes_block(&rd, got - 4);
	while (!rd.error && rd.pos < rd.len) {
		if (vldaa_get_u8(&rd) != 0)
			vldaa_get_fail(&rd, VLDAA_ERR_ENCODING);
	}
	if (rd.error)
		return rd.error;
	err = vldaa_read_order(order, plain.bytes, plain.len);
	if (err)
		return err;
	if (order->set != m->group.set)
		return VLDAA_ERR_WRONG_SET;
	if (memcmp(order->key_id, m->group.key_id, VLDAA_KEY_ID_BYTES) != 0)
		return VLDAA_ERR_WRONG_ISSUER;
	err = vldaa_tpm_check(tpm, m->revocation_key, order->signed_part, order->signature);
	return err == VLDAA_ERR_PROOF ? VLDAA_ERR_ORDER_SIGNATURE : err;
}

/* A stored confirmation under this name: VLDAA_OK with out filled, or VLDAA_ERR_NO_KEY. */
static int stored_confirmation(vldaa_tpm *tpm, const uint8_t *name, uint8_t *out, size_t cap,
			       size_t *len)
{
	return vldaa_tpm_load_record(tpm, VLDAA_RECORD_CONFIRMATION, name, out, cap, len);
}

/* The sequence record: name = hash of key id and authority, value = last sequence obeyed. */
static int check_sequence(vldaa_tpm *tpm, const vldaa_member *m, uint64_t sequence,
			  uint8_t name[VLDAA_RECORD_NAME])
{
	uint8_t value[8];
	vldaa_reader rd;
	size_t len = 0;
	int err;

	vldaa_tombstone_name(m->group.set, m->group.key_id, m->revocation_key, name);
	err = vldaa_tpm_load_record(tpm, VLDAA_RECORD_SEQUENCE, name, value, sizeof value, &len);
	if (err == VLDAA_ERR_NO_KEY)
		return VLDAA_OK;
	if (err)
		return err;
	if (len != sizeof value)
		return VLDAA_ERR_STORE;
	vldaa_get_init(&rd, value, sizeof value);
	return sequence > vldaa_get_u64(&rd) ? VLDAA_OK : VLDAA_ERR_ORDER_SEQUENCE;
}

/* Is the order for this TPM's own pseudonym, in time, and newer than the last one? */
static int check_order(vldaa_tpm *tpm, const vldaa_member *m, const vldaa_order_parts *order,
		       uint8_t sequence_name[VLDAA_RECORD_NAME])
{
	const vldaa_set *set = m->group.set;
	const size_t nym_len = set->scheme->size(set, VLDAA_PART_NYM);
	int64_t now = 0;
	int err = set->scheme->tpm_nym(&m->key, tpm->workspace, order->basename, tpm->next);

	if (err)
		return err;
	if (!vldaa_equal(tpm->next, order->nym, nym_len))
		return VLDAA_ERR_NOT_MINE;
	err = vldaa_tpm_answered(tpm->services->now(tpm->services->ctx, &now), VLDAA_ERR_SERVICE);
	if (err)
		return err;
	if (now < 0 || (uint64_t)now > order->expiry)
		return VLDAA_ERR_ORDER_EXPIRED;
	return check_sequence(tpm, m, order->sequence, sequence_name);
}

/* CONFIRMATION: header | key id | order digest | revocation secret | signature of type 2 over both.
 */
static int write_confirmation(vldaa_tpm *tpm, const vldaa_member *m, const vldaa_order_parts *order,
			      vldaa_writer *w)
{
	const vldaa_sign_subject about = {VLDAA_SIGN_CONFIRMATION, m->group.key_id, order->basename,
					  order->attestation_digest};
	uint8_t message[VLDAA_DIGEST_BYTES + VLDAA_REVOCATION_SECRET_BYTES];
	int err;

	memcpy(message, order->digest, VLDAA_DIGEST_BYTES);
	vldaa_revocation_secret(m, order->basename, message + VLDAA_DIGEST_BYTES);
	vldaa_secret_declassify(message, sizeof message,
				"a confirmation reveals it, and the pseudonym ends with that");
	vldaa_put_header(w, VLDAA_KIND_CONFIRMATION, m->group.set);
	vldaa_put_bytes(w, m->group.key_id, VLDAA_KEY_ID_BYTES);
	vldaa_put_bytes(w, message, sizeof message);
	err = sign_internal(tpm, m, &about, (vldaa_bytes){message, sizeof message}, w);
	/* Nothing leaves when the store fails afterwards: then it is a secret still. */
	vldaa_wipe(message, sizeof message);
	return err;
}

/* Deletion and confirmation, one durable transaction. */
static int commit_revocation(vldaa_tpm *tpm, const vldaa_member *m, const vldaa_order_parts *order,
			     const uint8_t *sealed_name, const uint8_t *sequence_name,
			     vldaa_bytes confirmation)
{
	uint8_t tombstone[VLDAA_RECORD_NAME];
	uint8_t sequence[8];
	vldaa_writer w;

	vldaa_tombstone_name(m->group.set, m->group.key_id, order->basename, tombstone);
	vldaa_put_init(&w, sequence, sizeof sequence);
	vldaa_put_u64(&w, order->sequence);
	const vldaa_change changes[] = {
	    {VLDAA_RECORD_CONFIRMATION, sealed_name, confirmation.bytes, confirmation.len},
	    {VLDAA_RECORD_CONFIRMATION, order->digest, confirmation.bytes, confirmation.len},
	    {VLDAA_RECORD_SEQUENCE, sequence_name, sequence, sizeof sequence},
	    {VLDAA_RECORD_TOMBSTONE, tombstone, order->digest, VLDAA_DIGEST_BYTES},
	    /* hard only */
	    {VLDAA_RECORD_DEAD, m->group.key_id, order->digest, VLDAA_DIGEST_BYTES},
	    {VLDAA_RECORD_MEMBER, m->group.key_id, NULL, 0},
	    {VLDAA_RECORD_PENDING, m->group.key_id, NULL, 0},
	};
	const size_t all = sizeof changes / sizeof changes[0];

	return vldaa_tpm_commit(tpm, changes, order->mode == 2 ? all : all - 3);
}

int vldaa_tpm_obey(vldaa_tpm *tpm, const uint8_t *order_bytes, size_t order_len, uint8_t *out,
		   size_t cap, size_t *len)
{
	const size_t head_len = VLDAA_OBJECT_HEADER + VLDAA_KEY_ID_BYTES;
	uint8_t sealed_name[VLDAA_RECORD_NAME];
	uint8_t sequence_name[VLDAA_RECORD_NAME];
	const vldaa_set *set;
	const uint8_t *key_id;
	vldaa_order_parts order;
	vldaa_bytes sealed;
	vldaa_member m;
	vldaa_reader rd;
	vldaa_writer w;
	vldaa_shake s;
	int err;

	if (!tpm || !order_bytes || !out || !len)
		return vldaa_refuse_output(out, cap, len, VLDAA_ERR_ARGUMENT);
	vldaa_get_init(&rd, order_bytes, order_len);
	set = vldaa_get_header(&rd, VLDAA_KIND_SEALED_ORDER);
	key_id = vldaa_get_view(&rd, VLDAA_KEY_ID_BYTES);
	sealed = vldaa_get_bytes_block(&rd, sizeof tpm->plain);
	err = vldaa_get_end(&rd);
	if (!err)
		err = vldaa_need(set, VLDAA_KIND_CONFIRMATION, cap, len);
	if (err)
		return vldaa_tpm_end(tpm, err, out, cap, len);
	/* The same broadcast again: the same confirmation, also when the keys are gone. */
	vldaa_hash_init(&s, VLDAA_SHAKE256_RATE, VLDAA_DOMAIN_ORDER, vldaa_set_id(set));
	vldaa_hash_part(&s, order_bytes, order_len);
	vldaa_shake_squeeze(&s, sealed_name, sizeof sealed_name);
	err = stored_confirmation(tpm, sealed_name, out, cap, len);
	if (err != VLDAA_ERR_NO_KEY)
		return vldaa_tpm_end(tpm, err, out, cap, len);

	err = vldaa_tpm_load(tpm, key_id, &m);
	if (!err && m.group.set != set)
		err = VLDAA_ERR_WRONG_SET;
	if (!err && !m.joined)
		err = VLDAA_ERR_NO_CREDENTIAL;
	if (!err)
		err = open_order(tpm, &m, (vldaa_bytes){order_bytes, head_len}, sealed, &order);
	if (err)
		return vldaa_tpm_end(tpm, err, out, cap, len);
	/* The same order in another wrapping. */
	err = stored_confirmation(tpm, order.digest, out, cap, len);
	if (err != VLDAA_ERR_NO_KEY)
		return vldaa_tpm_end(tpm, err, out, cap, len);

	err = check_order(tpm, &m, &order, sequence_name);
	if (!err) {
		vldaa_put_init(&w, out, cap);
		err = write_confirmation(tpm, &m, &order, &w);
	}
	if (!err)
		err = vldaa_put_end(&w, len);
	if (!err) {
		err = commit_revocation(tpm, &m, &order, sealed_name, sequence_name,
					(vldaa_bytes){out, *len});
	}
	return vldaa_tpm_end(tpm, err, out, cap, len);
}
