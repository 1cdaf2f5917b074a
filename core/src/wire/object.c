/* See wire/object.h. */
#include "wire/object.h"

#include <string.h>

#include "random/hash.h"
#include "random/secret.h"

static const uint8_t magic[4] = {'V', 'L', 'D', 'A'};

void vldaa_put_header(vldaa_writer *w, enum vldaa_kind kind, const vldaa_set *set)
{
	vldaa_put_bytes(w, magic, sizeof magic);
	vldaa_put_u8(w, (uint8_t)kind);
	vldaa_put_u8(w, VLDAA_ENCODING_VERSION);
	vldaa_put_u32(w, vldaa_set_id(set));
}

const vldaa_set *vldaa_get_header(vldaa_reader *rd, enum vldaa_kind kind)
{
	uint8_t m[sizeof magic];
	const vldaa_set *set;
	uint8_t k, version;

	vldaa_get_bytes(rd, m, sizeof m);
	if (rd->error || memcmp(m, magic, sizeof m) != 0) {
		vldaa_get_fail(rd, VLDAA_ERR_KIND);
		return NULL;
	}
	k = vldaa_get_u8(rd);
	version = vldaa_get_u8(rd);
	set = vldaa_set_by_id(vldaa_get_u32(rd));
	if (rd->error)
		return NULL;
	if (version != VLDAA_ENCODING_VERSION)
		vldaa_get_fail(rd, VLDAA_ERR_VERSION);
	else if (k != kind)
		vldaa_get_fail(rd, VLDAA_ERR_KIND);
	else if (!set)
		vldaa_get_fail(rd, VLDAA_ERR_WRONG_SET);
	return rd->error ? NULL : set;
}

void vldaa_get_group_header(vldaa_reader *rd, enum vldaa_kind kind, const vldaa_set *set,
			    const uint8_t *key_id)
{
	const vldaa_set *found = vldaa_get_header(rd, kind);
	const uint8_t *id;

	if (!found)
		return;
	if (found != set) {
		vldaa_get_fail(rd, VLDAA_ERR_WRONG_SET);
		return;
	}
	id = vldaa_get_view(rd, VLDAA_KEY_ID_BYTES);
	if (id && memcmp(id, key_id, VLDAA_KEY_ID_BYTES) != 0)
		vldaa_get_fail(rd, VLDAA_ERR_WRONG_ISSUER);
}

void vldaa_put_basename(vldaa_writer *w, vldaa_bytes basename)
{
	vldaa_put_u8(w, (uint8_t)basename.len);
	vldaa_put_bytes(w, basename.bytes, basename.len);
}

vldaa_bytes vldaa_get_basename(vldaa_reader *rd)
{
	vldaa_bytes b = {NULL, vldaa_get_u8(rd)};

	if (!rd->error && b.len == 0)
		vldaa_get_fail(rd, VLDAA_ERR_ENCODING);
	b.bytes = vldaa_get_view(rd, b.len);
	if (!b.bytes)
		b.len = 0;
	return b;
}

vldaa_bytes vldaa_get_bytes_block(vldaa_reader *rd, size_t max)
{
	vldaa_bytes b = {NULL, 0};

	b.bytes = vldaa_get_block(rd, max, &b.len);
	if (rd->error)
		b.len = 0;
	return b;
}

vldaa_bytes vldaa_get_rest(vldaa_reader *rd)
{
	vldaa_bytes b = {NULL, rd->error ? 0 : rd->len - rd->pos};

	b.bytes = vldaa_get_view(rd, b.len);
	return b;
}

size_t vldaa_put_block_begin(vldaa_writer *w)
{
	vldaa_put_u32(w, 0);
	return w->len;
}

void vldaa_put_block_end(vldaa_writer *w, size_t begin)
{
	vldaa_writer length;

	if (!w->out || begin > w->cap)
		return;
	vldaa_put_init(&length, w->out + begin - 4, 4);
	vldaa_put_u32(&length, (uint32_t)(w->len - begin));
}

int vldaa_finish_output(const vldaa_writer *w, int err, size_t *len)
{
	size_t need = 0;
	int end = vldaa_put_end(w, &need);

	if (!err)
		err = end;
	*len = err && err != VLDAA_ERR_BUFFER ? 0 : need;
	if (err && w->out)
		vldaa_wipe(w->out, w->cap);
	return err;
}

int vldaa_refuse_output(uint8_t *out, size_t cap, size_t *len, int err)
{
	if (out)
		vldaa_wipe(out, cap);
	if (len && err != VLDAA_ERR_BUFFER)
		*len = 0;
	return err;
}

size_t vldaa_group_key_size(const vldaa_set *set)
{
	return VLDAA_OBJECT_HEADER + VLDAA_DIGEST_BYTES + set->scheme->size(set, VLDAA_PART_GROUP);
}

void vldaa_put_group_key(vldaa_writer *w, const vldaa_set *set, const uint8_t *authority_digest,
			 const uint8_t *payload)
{
	vldaa_put_header(w, VLDAA_KIND_GROUP_KEY, set);
	vldaa_put_bytes(w, authority_digest, VLDAA_DIGEST_BYTES);
	vldaa_put_bytes(w, payload, set->scheme->size(set, VLDAA_PART_GROUP));
}

int vldaa_read_group_key(vldaa_group_key *key, const uint8_t *in, size_t len)
{
	vldaa_reader rd;
	vldaa_shake s;
	int err;

	vldaa_get_init(&rd, in, len);
	key->set = vldaa_get_header(&rd, VLDAA_KIND_GROUP_KEY);
	if (!key->set)
		return rd.error;
	key->authority_digest = vldaa_get_view(&rd, VLDAA_DIGEST_BYTES);
	key->payload = vldaa_get_view(&rd, key->set->scheme->size(key->set, VLDAA_PART_GROUP));
	err = vldaa_get_end(&rd);
	if (err)
		return err;
	/* key id = SHAKE-256 of the whole public key */
	vldaa_hash_init(&s, VLDAA_SHAKE256_RATE, VLDAA_DOMAIN_KEY_ID, vldaa_set_id(key->set));
	vldaa_hash_part(&s, in, len);
	vldaa_shake_squeeze(&s, key->key_id, VLDAA_KEY_ID_BYTES);
	return VLDAA_OK;
}

static void one_part_digest(enum vldaa_domain domain, const vldaa_set *set, vldaa_bytes part,
			    uint8_t digest[VLDAA_DIGEST_BYTES])
{
	vldaa_shake s;

	vldaa_hash_init(&s, VLDAA_SHAKE256_RATE, domain, vldaa_set_id(set));
	vldaa_hash_part(&s, part.bytes, part.len);
	vldaa_shake_squeeze(&s, digest, VLDAA_DIGEST_BYTES);
}

void vldaa_authority_digest(const vldaa_set *set, vldaa_bytes spki,
			    uint8_t digest[VLDAA_DIGEST_BYTES])
{
	one_part_digest(VLDAA_DOMAIN_AUTHORITY, set, spki, digest);
}

void vldaa_attestation_bytes_digest(const vldaa_set *set, vldaa_bytes attestation,
				    uint8_t digest[VLDAA_DIGEST_BYTES])
{
	one_part_digest(VLDAA_DOMAIN_ATTESTATION, set, attestation, digest);
}

/* Two uses of one separator, told apart by their first part. */
static void request_part_digest(const vldaa_set *set, uint32_t use, vldaa_bytes part,
				uint8_t digest[VLDAA_DIGEST_BYTES])
{
	vldaa_shake s;

	vldaa_hash_init(&s, VLDAA_SHAKE256_RATE, VLDAA_DOMAIN_REQUEST, vldaa_set_id(set));
	vldaa_hash_u32(&s, use);
	vldaa_hash_part(&s, part.bytes, part.len);
	vldaa_shake_squeeze(&s, digest, VLDAA_DIGEST_BYTES);
}

void vldaa_request_chain_digest(const vldaa_set *set, vldaa_bytes chain,
				uint8_t digest[VLDAA_DIGEST_BYTES])
{
	request_part_digest(set, 1, chain, digest);
}

void vldaa_request_digest(const vldaa_set *set, vldaa_bytes request,
			  uint8_t digest[VLDAA_DIGEST_BYTES])
{
	request_part_digest(set, 2, request, digest);
}

void vldaa_member_digest(const vldaa_set *set, vldaa_bytes member_tpm,
			 uint8_t digest[VLDAA_DIGEST_BYTES])
{
	request_part_digest(set, 3, member_tpm, digest);
}

void vldaa_revocation_secret_digest(const vldaa_set *set, const uint8_t *secret,
				    uint8_t digest[VLDAA_DIGEST_BYTES])
{
	const vldaa_bytes part = {secret, VLDAA_REVOCATION_SECRET_BYTES};

	one_part_digest(VLDAA_DOMAIN_REVOCATION_DIGEST, set, part, digest);
}

int vldaa_read_attestation(vldaa_attestation_parts *parts, const uint8_t *in, size_t len)
{
	vldaa_reader rd;

	vldaa_get_init(&rd, in, len);
	parts->set = vldaa_get_header(&rd, VLDAA_KIND_ATTESTATION);
	if (!parts->set)
		return rd.error;
	if (len > vldaa_object_max_size(parts->set, VLDAA_KIND_ATTESTATION))
		return VLDAA_ERR_TRAILING;
	parts->key_id = vldaa_get_view(&rd, VLDAA_KEY_ID_BYTES);
	parts->basename = vldaa_get_basename(&rd);
	parts->payload = vldaa_get_rest(&rd);
	return vldaa_get_end(&rd);
}

int vldaa_read_order(vldaa_order_parts *parts, const uint8_t *in, size_t len)
{
	vldaa_reader rd;
	int err;

	vldaa_get_init(&rd, in, len);
	parts->set = vldaa_get_header(&rd, VLDAA_KIND_ORDER);
	if (!parts->set)
		return rd.error;
	parts->key_id = vldaa_get_view(&rd, VLDAA_KEY_ID_BYTES);
	parts->basename = vldaa_get_basename(&rd);
	parts->nym = vldaa_get_view(&rd, parts->set->scheme->size(parts->set, VLDAA_PART_NYM));
	parts->attestation_digest = vldaa_get_view(&rd, VLDAA_DIGEST_BYTES);
	parts->mode = vldaa_get_u8(&rd);
	parts->reason = vldaa_get_u8(&rd);
	parts->sequence = vldaa_get_u64(&rd);
	parts->expiry = vldaa_get_u64(&rd);
	parts->signed_part.bytes = in;
	parts->signed_part.len = rd.pos;
	if (!rd.error && ((parts->mode != 1 && parts->mode != 2) || parts->sequence > INT64_MAX ||
			  parts->expiry > INT64_MAX))
		vldaa_get_fail(&rd, VLDAA_ERR_ENCODING);
	parts->signature = vldaa_get_bytes_block(&rd, VLDAA_MAX_ORDINARY_SIGNATURE);
	err = vldaa_get_end(&rd);
	if (!err)
		one_part_digest(VLDAA_DOMAIN_ORDER, parts->set, parts->signed_part, parts->digest);
	return err;
}

size_t vldaa_padded_order_size(const vldaa_set *set)
{
	return 4 + VLDAA_OBJECT_HEADER + VLDAA_KEY_ID_BYTES + 1 + VLDAA_MAX_BASENAME +
	       set->scheme->size(set, VLDAA_PART_NYM) + VLDAA_DIGEST_BYTES + 2 + 8 + 8 + 4 +
	       VLDAA_MAX_ORDINARY_SIGNATURE;
}

int vldaa_read_rogue_list(const vldaa_set *set, const uint8_t *key_id, const uint8_t *in,
			  size_t len, vldaa_bytes *entries)
{
	const size_t size = set->scheme->size(set, VLDAA_PART_ROGUE);
	vldaa_reader rd;
	uint32_t count;

	vldaa_get_init(&rd, in, len);
	vldaa_get_group_header(&rd, VLDAA_KIND_ROGUE_LIST, set, key_id);
	count = vldaa_get_u32(&rd);
	*entries = vldaa_get_rest(&rd);
	for (uint32_t i = 0; i < count && !rd.error; i++) {
		if (entries->len / size <= i)
			vldaa_get_fail(&rd, VLDAA_ERR_TRUNCATED);
		else
			vldaa_get_fail(&rd,
				       set->scheme->rogue_check(set, entries->bytes + i * size));
	}
	if (!rd.error && entries->len != count * size)
		vldaa_get_fail(&rd, VLDAA_ERR_TRAILING);
	return vldaa_get_end(&rd);
}

int vldaa_read_revoked_list(const vldaa_set *set, const uint8_t *key_id, const uint8_t *in,
			    size_t len, vldaa_bytes *entries)
{
	const size_t nym_len = set->scheme->size(set, VLDAA_PART_NYM);
	vldaa_reader rd;
	uint32_t count;

	vldaa_get_init(&rd, in, len);
	vldaa_get_group_header(&rd, VLDAA_KIND_REVOKED_LIST, set, key_id);
	count = vldaa_get_u32(&rd);
	entries->bytes = in + rd.pos;
	entries->len = rd.error ? 0 : len - rd.pos;
	for (uint32_t i = 0; i < count && !rd.error; i++) {
		const uint8_t *nym;

		(void)vldaa_get_basename(&rd);
		nym = vldaa_get_view(&rd, nym_len);
		/* a pseudonym is linked to itself, and must be canonical to be read at all */
		if (nym && set->scheme->linked(set, nym, nym) != 1)
			vldaa_get_fail(&rd, VLDAA_ERR_RANGE);
	}
	return vldaa_get_end(&rd);
}
