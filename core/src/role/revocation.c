/* The revocation authority's role: orders, confirmations, and the lists that verifiers load. */
#include "vldaa/revoke.h"

#include <string.h>

#include "random/secret.h"
#include "role/evp.h"
#include "role/verifier_state.h"

/*
 * ORDER: header | key id | basename | nym | attestation digest | mode (1) | reason (1) | sequence
 * (8) | expiry (8) | block: the authority's signature over all before it.
 */
static int write_order(const vldaa_attestation *a, const vldaa_order_terms *terms,
		       vldaa_bytes authority, vldaa_writer *w)
{
	uint8_t signature[VLDAA_MAX_ORDINARY_SIGNATURE];
	size_t signature_len = 0;
	int err;

	vldaa_put_header(w, VLDAA_KIND_ORDER, a->set);
	vldaa_put_bytes(w, a->key_id, VLDAA_KEY_ID_BYTES);
	vldaa_put_basename(w, (vldaa_bytes){a->basename, a->basename_len});
	vldaa_put_bytes(w, a->set->scheme->pseudonym_nym(a->pseudonym),
			a->set->scheme->size(a->set, VLDAA_PART_NYM));
	vldaa_put_bytes(w, a->digest, VLDAA_DIGEST_BYTES);
	vldaa_put_u8(w, (uint8_t)terms->mode);
	vldaa_put_u8(w, terms->reason);
	vldaa_put_u64(w, terms->sequence);
	vldaa_put_u64(w, (uint64_t)terms->expiry);
	err = vldaa_evp_sign(signature, sizeof signature, &signature_len, authority.bytes,
			     authority.len, w->out, w->len);
	if (!err)
		vldaa_put_block(w, signature, signature_len);
	return err;
}

/* SEALED_ORDER: header | key id | block: the padded order under the fleet key, head as associated
 * data. */
static int seal_order(const vldaa_attestation *a, vldaa_bytes order, const uint8_t *fleet_key,
		      vldaa_writer *w)
{
	const size_t padded_len = vldaa_padded_order_size(a->set);
	uint8_t *padded = vldaa_memory_new(padded_len);
	vldaa_writer p;
	size_t begin, head_len, sealed_len = 0;
	int err;

	if (!padded)
		return VLDAA_ERR_MEMORY;
	vldaa_put_init(&p, padded, padded_len);
	vldaa_put_block(&p, order.bytes, order.len);
	vldaa_put_header(w, VLDAA_KIND_SEALED_ORDER, a->set);
	vldaa_put_bytes(w, a->key_id, VLDAA_KEY_ID_BYTES);
	head_len = w->len;
	begin = vldaa_put_block_begin(w);
	err = vldaa_fleet_seal(w->out + w->len, w->cap - w->len, &sealed_len, fleet_key, w->out,
			       head_len, padded, padded_len);
	w->len += sealed_len;
	vldaa_put_block_end(w, begin);
	vldaa_memory_free(padded, padded_len);
	return err;
}

int vldaa_order_new(const vldaa_attestation *a, const vldaa_order_terms *terms,
		    const uint8_t *authority, size_t authority_len, const uint8_t fleet_key[32],
		    uint8_t *order, size_t order_cap, size_t *order_len, uint8_t *sealed,
		    size_t sealed_cap, size_t *sealed_len)
{
	vldaa_writer clear, cipher;
	int err;

	if (!a || a->unverified || !terms || !authority || !fleet_key || !order || !order_len ||
	    !sealed || !sealed_len ||
	    (terms->mode != VLDAA_REVOKE_SOFT && terms->mode != VLDAA_REVOKE_HARD) ||
	    terms->sequence > INT64_MAX || terms->expiry < 0) {
		err = vldaa_refuse_output(order, order_cap, order_len, VLDAA_ERR_ARGUMENT);
		return vldaa_refuse_output(sealed, sealed_cap, sealed_len, err);
	}
	/* Both sizes are told, whichever buffer is too small. */
	*order_len = vldaa_object_max_size(a->set, VLDAA_KIND_ORDER);
	*sealed_len = vldaa_object_max_size(a->set, VLDAA_KIND_SEALED_ORDER);
	if (order_cap < *order_len || sealed_cap < *sealed_len) {
		err = vldaa_refuse_output(order, order_cap, order_len, VLDAA_ERR_BUFFER);
		return vldaa_refuse_output(sealed, sealed_cap, sealed_len, err);
	}
	vldaa_put_init(&clear, order, order_cap);
	vldaa_put_init(&cipher, sealed, sealed_cap);
	err = write_order(a, terms, (vldaa_bytes){authority, authority_len}, &clear);
	if (!err)
		err = seal_order(a, (vldaa_bytes){order, clear.len}, fleet_key, &cipher);
	err = vldaa_finish_output(&clear, err, order_len);
	return vldaa_finish_output(&cipher, err, sealed_len);
}

/* An ORDER whose pseudonym is canonical: linked to itself.  (TPMs compare its bytes instead.) */
static int read_canonical_order(vldaa_order_parts *parts, const uint8_t *in, size_t len)
{
	int err = vldaa_read_order(parts, in, len);

	if (!err && parts->set->scheme->linked(parts->set, parts->nym, parts->nym) != 1)
		err = VLDAA_ERR_RANGE;
	return err;
}

int vldaa_order_read(const uint8_t *order, size_t len, vldaa_order_terms *terms,
		     uint8_t digest[VLDAA_DIGEST_BYTES])
{
	vldaa_order_parts parts;
	int err;

	if (terms)
		memset(terms, 0, sizeof *terms);
	if (digest)
		memset(digest, 0, VLDAA_DIGEST_BYTES);
	if (!order || !terms || !digest)
		return VLDAA_ERR_ARGUMENT;
	err = read_canonical_order(&parts, order, len);
	if (err)
		return err;
	terms->mode = (enum vldaa_revoke_mode)parts.mode;
	terms->reason = parts.reason;
	terms->sequence = parts.sequence;
	terms->expiry = (int64_t)parts.expiry;
	memcpy(digest, parts.digest, VLDAA_DIGEST_BYTES);
	return VLDAA_OK;
}

/* Verifies a signature of type 1 or 2 under the order's pseudonym. */
static int verify_internal(const vldaa_verifier *v, void *workspace, const void *pseudonym,
			   enum vldaa_sign_type type, const vldaa_order_parts *order,
			   vldaa_bytes message, vldaa_bytes signature)
{
	const vldaa_sign_subject about = {type, v->group.key_id, order->basename,
					  order->attestation_digest};
	const vldaa_scheme *scheme = v->group.set->scheme;
	vldaa_message msg;
	int err = scheme->verify_begin(v->group.context, pseudonym, &about, &msg);

	if (err)
		return err;
	vldaa_message_absorb(&msg, message.bytes, message.len);
	return scheme->verify_end(v->group.context, workspace, pseudonym, &about, &msg, signature);
}

/* The token must be for the order's pseudonym and for this secret, and signed by the pseudonym. */
static int check_token(const vldaa_verifier *v, void *workspace, const void *pseudonym,
		       const vldaa_order_parts *order, const uint8_t *secret, const uint8_t *token,
		       size_t len)
{
	const size_t nym_len = vldaa_group_size(&v->group, VLDAA_PART_NYM);
	uint8_t digest[VLDAA_DIGEST_BYTES];
	vldaa_bytes basename, signature;
	const uint8_t *nym, *attestation, *secret_digest;
	vldaa_reader rd;
	int err;

	vldaa_get_init(&rd, token, len);
	vldaa_get_group_header(&rd, VLDAA_KIND_TOKEN, v->group.set, v->group.key_id);
	basename = vldaa_get_basename(&rd);
	nym = vldaa_get_view(&rd, nym_len);
	attestation = vldaa_get_view(&rd, VLDAA_DIGEST_BYTES);
	secret_digest = vldaa_get_view(&rd, VLDAA_DIGEST_BYTES);
	signature = vldaa_get_rest(&rd);
	err = vldaa_get_end(&rd);
	if (err)
		return err;
	if (basename.len != order->basename.len ||
	    memcmp(basename.bytes, order->basename.bytes, basename.len) != 0 ||
	    memcmp(nym, order->nym, nym_len) != 0 ||
	    memcmp(attestation, order->attestation_digest, VLDAA_DIGEST_BYTES) != 0)
		return VLDAA_ERR_TOKEN;
	vldaa_revocation_secret_digest(v->group.set, secret, digest);
	if (memcmp(digest, secret_digest, VLDAA_DIGEST_BYTES) != 0)
		return VLDAA_ERR_CONFIRMATION;
	return verify_internal(v, workspace, pseudonym, VLDAA_SIGN_TOKEN, order,
			       (vldaa_bytes){secret_digest, VLDAA_DIGEST_BYTES}, signature);
}

static int check_confirmation(const vldaa_verifier *v, void *workspace, void *pseudonym,
			      const vldaa_order_parts *order, const uint8_t *confirmation,
			      size_t len, vldaa_bytes token)
{
	vldaa_bytes signature;
	const uint8_t *message;
	vldaa_reader rd;
	int err;

	vldaa_get_init(&rd, confirmation, len);
	vldaa_get_group_header(&rd, VLDAA_KIND_CONFIRMATION, v->group.set, v->group.key_id);
	message = vldaa_get_view(&rd, VLDAA_DIGEST_BYTES + VLDAA_REVOCATION_SECRET_BYTES);
	signature = vldaa_get_rest(&rd);
	err = vldaa_get_end(&rd);
	if (err)
		return err;
	if (memcmp(message, order->digest, VLDAA_DIGEST_BYTES) != 0)
		return VLDAA_ERR_CONFIRMATION;
	err = v->group.set->scheme->nym_init(v->group.context, workspace, order->basename,
					     order->nym, pseudonym);
	if (err)
		return err;
	err = verify_internal(
	    v, workspace, pseudonym, VLDAA_SIGN_CONFIRMATION, order,
	    (vldaa_bytes){message, VLDAA_DIGEST_BYTES + VLDAA_REVOCATION_SECRET_BYTES}, signature);
	if (err || !token.bytes)
		return err;
	return check_token(v, workspace, pseudonym, order, message + VLDAA_DIGEST_BYTES,
			   token.bytes, token.len);
}

int vldaa_confirmation_check(const vldaa_verifier *v, const uint8_t *order_bytes, size_t order_len,
			     const uint8_t *confirmation, size_t confirmation_len,
			     const uint8_t *token, size_t token_len)
{
	vldaa_order_parts order;
	size_t workspace_len, pseudonym_len;
	void *workspace, *pseudonym;
	int err;

	if (!v || !order_bytes || !confirmation || (!token && token_len))
		return VLDAA_ERR_ARGUMENT;
	err = vldaa_read_order(&order, order_bytes, order_len);
	if (err)
		return err;
	if (order.set != v->group.set)
		return VLDAA_ERR_WRONG_SET;
	if (memcmp(order.key_id, v->group.key_id, VLDAA_KEY_ID_BYTES) != 0)
		return VLDAA_ERR_WRONG_ISSUER;
	workspace_len = vldaa_group_size(&v->group, VLDAA_PART_VERIFY_WORKSPACE);
	pseudonym_len = vldaa_group_size(&v->group, VLDAA_PART_PSEUDONYM_CONTEXT);
	workspace = vldaa_memory_new(workspace_len);
	pseudonym = vldaa_memory_new(pseudonym_len);
	err = workspace && pseudonym
		  ? check_confirmation(v, workspace, pseudonym, &order, confirmation,
				       confirmation_len, (vldaa_bytes){token, token_len})
		  : VLDAA_ERR_MEMORY;
	vldaa_memory_free(workspace, workspace_len);
	vldaa_memory_free(pseudonym, pseudonym_len);
	return err;
}

/* --- lists: header | key id | count (4) | entries ----------------------------------------------
 */

static void put_list_head(vldaa_writer *w, enum vldaa_kind kind, const vldaa_set *set,
			  const uint8_t *key_id, size_t count)
{
	vldaa_put_header(w, kind, set);
	vldaa_put_bytes(w, key_id, VLDAA_KEY_ID_BYTES);
	vldaa_put_u32(w, (uint32_t)count);
}

int vldaa_empty_list(const vldaa_verifier *v, enum vldaa_kind kind, uint8_t *out, size_t cap,
		     size_t *len)
{
	vldaa_writer w;

	if (!v || !out || !len ||
	    (kind != VLDAA_KIND_ROGUE_LIST && kind != VLDAA_KIND_REVOKED_LIST))
		return vldaa_refuse_output(out, cap, len, VLDAA_ERR_ARGUMENT);
	vldaa_put_init(&w, out, cap);
	put_list_head(&w, kind, v->group.set, v->group.key_id, 0);
	return vldaa_finish_output(&w, VLDAA_OK, len);
}

int vldaa_revoked_list(const uint8_t *const *orders, const size_t *lens, size_t count, uint8_t *out,
		       size_t cap, size_t *len)
{
	vldaa_order_parts order, first;
	vldaa_writer w;
	int err = VLDAA_OK;

	if (!orders || !lens || !count || !out || !len || count > UINT32_MAX)
		return vldaa_refuse_output(out, cap, len, VLDAA_ERR_ARGUMENT);
	vldaa_put_init(&w, out, cap);
	for (size_t i = 0; i < count && !err; i++) {
		err = read_canonical_order(&order, orders[i], lens[i]);
		if (err)
			break;
		if (i == 0) {
			first = order;
			put_list_head(&w, VLDAA_KIND_REVOKED_LIST, order.set, order.key_id, count);
		}
		if (order.set != first.set)
			err = VLDAA_ERR_WRONG_SET;
		else if (memcmp(order.key_id, first.key_id, VLDAA_KEY_ID_BYTES) != 0)
			err = VLDAA_ERR_WRONG_ISSUER;
		vldaa_put_basename(&w, order.basename);
		vldaa_put_bytes(&w, order.nym, order.set->scheme->size(order.set, VLDAA_PART_NYM));
	}
	return vldaa_finish_output(&w, err, len);
}

/* What one input of vldaa_rogue_list contributes. */
typedef struct {
	uint8_t key_id[VLDAA_KEY_ID_BYTES];
	const vldaa_set *set;
	const uint8_t *secret; /* of an extracted TPM key; NULL: a list */
	vldaa_bytes entries;   /* of a list */
} rogue_input;

/* The whole record, as tpm_state.c writes it. */
static int read_rogue_key(rogue_input *r, const uint8_t *in, size_t len)
{
	vldaa_group_key group;
	vldaa_bytes group_bytes;
	vldaa_reader rd;
	uint8_t joined;
	int err;

	vldaa_get_init(&rd, in, len);
	r->set = vldaa_get_header(&rd, VLDAA_KIND_TPM_KEY);
	if (!r->set)
		return rd.error;
	group_bytes = vldaa_get_bytes_block(&rd, vldaa_group_key_size(r->set));
	r->secret = vldaa_get_view(&rd, r->set->scheme->size(r->set, VLDAA_PART_TPM_SECRET));
	joined = vldaa_get_u8(&rd);
	if (joined > 1)
		vldaa_get_fail(&rd, VLDAA_ERR_ENCODING);
	if (joined) {
		(void)vldaa_get_view(&rd, VLDAA_FLEET_KEY_BYTES);
		(void)vldaa_get_bytes_block(&rd, VLDAA_MAX_SPKI);
		(void)vldaa_get_bytes_block(&rd,
					    r->set->scheme->size(r->set, VLDAA_PART_CREDENTIAL));
	}
	err = vldaa_get_end(&rd);
	if (!err)
		err = vldaa_read_group_key(&group, group_bytes.bytes, group_bytes.len);
	if (err)
		return err;
	memcpy(r->key_id, group.key_id, sizeof r->key_id);
	return group.set == r->set ? VLDAA_OK : VLDAA_ERR_WRONG_SET;
}

static int read_rogue_input(rogue_input *r, const uint8_t *in, size_t len)
{
	vldaa_reader rd;
	const uint8_t *key_id;

	memset(r, 0, sizeof *r);
	vldaa_get_init(&rd, in, len);
	r->set = vldaa_get_header(&rd, VLDAA_KIND_ROGUE_LIST);
	if (!r->set)
		return rd.error == VLDAA_ERR_KIND ? read_rogue_key(r, in, len) : rd.error;
	key_id = vldaa_get_view(&rd, VLDAA_KEY_ID_BYTES);
	if (rd.error)
		return rd.error;
	memcpy(r->key_id, key_id, sizeof r->key_id);
	return vldaa_read_rogue_list(r->set, r->key_id, in, len, &r->entries);
}

static int put_rogue_entries(vldaa_writer *w, const rogue_input *r)
{
	size_t entry_len = r->set->scheme->size(r->set, VLDAA_PART_ROGUE);
	int err = VLDAA_OK;

	if (!r->secret) {
		vldaa_put_bytes(w, r->entries.bytes, r->entries.len);
		return VLDAA_OK;
	}
	if (w->len <= w->cap && entry_len <= w->cap - w->len) {
		err = r->set->scheme->rogue_entry(r->set, r->secret, w->out + w->len);
		/* What verifiers would refuse must not get into a list. */
		if (!err)
			err = r->set->scheme->rogue_check(r->set, w->out + w->len);
	}
	w->len += entry_len;
	return err;
}

int vldaa_rogue_list(const uint8_t *const *inputs, const size_t *lens, size_t count, uint8_t *out,
		     size_t cap, size_t *len)
{
	rogue_input first, r;
	size_t entries = 0;
	vldaa_writer w;
	int err = VLDAA_OK;

	if (!inputs || !lens || !count || (!out && cap) || !len)
		return vldaa_refuse_output(out, cap, len, VLDAA_ERR_ARGUMENT);
	vldaa_put_init(&w, out, cap);
	/* The entries are counted before the head is written. */
	for (size_t i = 0; i < count && !err; i++) {
		err = read_rogue_input(&r, inputs[i], lens[i]);
		if (err)
			break;
		if (i == 0)
			first = r;
		if (r.set != first.set)
			err = VLDAA_ERR_WRONG_SET;
		else if (memcmp(r.key_id, first.key_id, sizeof r.key_id) != 0)
			err = VLDAA_ERR_WRONG_ISSUER;
		entries +=
		    r.secret ? 1 : r.entries.len / r.set->scheme->size(r.set, VLDAA_PART_ROGUE);
	}
	if (!err && entries > UINT32_MAX)
		err = VLDAA_ERR_ARGUMENT;
	if (!err)
		put_list_head(&w, VLDAA_KIND_ROGUE_LIST, first.set, first.key_id, entries);
	for (size_t i = 0; i < count && !err; i++) {
		err = read_rogue_input(&r, inputs[i], lens[i]);
		if (!err)
			err = put_rogue_entries(&w, &r);
	}
	return vldaa_finish_output(&w, err, len);
}
