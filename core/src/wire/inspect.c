/* What can be told of an object without a key: kinds, sizes, the public head. */
#include <string.h>

#include "vldaa/member_key.h"
#include "wire/object.h"

static const char *const names[] = {
    [VLDAA_KIND_GROUP_KEY] = "group public key",
    [VLDAA_KIND_ISSUER_KEY] = "issuer private key",
    [VLDAA_KIND_TPM_KEY] = "TPM member key",
    [VLDAA_KIND_HOST_KEY] = "host member key",
    [VLDAA_KIND_NONCE] = "issuer's nonce",
    [VLDAA_KIND_JOIN_CALL] = "join call",
    [VLDAA_KIND_JOIN_REQUEST] = "join request",
    [VLDAA_KIND_JOIN_ANSWER] = "join answer",
    [VLDAA_KIND_CREDENTIAL] = "credential",
    [VLDAA_KIND_CREATE_CALL] = "create call",
    [VLDAA_KIND_CREATE_REPLY] = "create reply",
    [VLDAA_KIND_ATTESTATION] = "attestation",
    [VLDAA_KIND_SIGNATURE] = "self-contained signature",
    [VLDAA_KIND_COMPACT] = "compact signature",
    [VLDAA_KIND_TOKEN] = "revocation token",
    [VLDAA_KIND_ORDER] = "revocation order",
    [VLDAA_KIND_SEALED_ORDER] = "sealed revocation order",
    [VLDAA_KIND_CONFIRMATION] = "revocation confirmation",
    [VLDAA_KIND_ROGUE_LIST] = "rogue list",
    [VLDAA_KIND_REVOKED_LIST] = "list of revoked pseudonyms",
    [VLDAA_KIND_MEMBER] = "member private key",
    [VLDAA_KIND_PSEUDONYM] = "pseudonym private key",
};

const char *vldaa_kind_name(enum vldaa_kind kind)
{
	size_t i = (size_t)kind;

	return i < sizeof names / sizeof names[0] && names[i] ? names[i] : "unknown object";
}

static size_t part(const vldaa_set *set, enum vldaa_part which)
{
	return set->scheme->size(set, which);
}

size_t vldaa_object_max_size(const vldaa_set *set, enum vldaa_kind kind)
{
	const size_t head = VLDAA_OBJECT_HEADER + VLDAA_KEY_ID_BYTES;
	const size_t basename = 1 + VLDAA_MAX_BASENAME;
	const size_t chain = 65536;
	size_t attestation, order;

	if (!set)
		return 0;
	attestation = head + basename + part(set, VLDAA_PART_ATTESTATION);
	order = vldaa_padded_order_size(set) - 4;
	switch (kind) {
	case VLDAA_KIND_GROUP_KEY:
		return vldaa_group_key_size(set);
	case VLDAA_KIND_ISSUER_KEY:
		return VLDAA_OBJECT_HEADER + 4 + vldaa_group_key_size(set) +
		       part(set, VLDAA_PART_ISSUER) + 4 + 8192;
	case VLDAA_KIND_TPM_KEY:
		return VLDAA_OBJECT_HEADER + 4 + vldaa_group_key_size(set) +
		       part(set, VLDAA_PART_TPM_SECRET) + 1 + 32 + 4 + VLDAA_MAX_SPKI + 4 +
		       part(set, VLDAA_PART_CREDENTIAL);
	case VLDAA_KIND_HOST_KEY:
		return head + part(set, VLDAA_PART_HOST_SECRET);
	case VLDAA_KIND_NONCE:
		return head + VLDAA_NONCE_BYTES;
	case VLDAA_KIND_JOIN_CALL:
		return head + VLDAA_NONCE_BYTES + 4 + part(set, VLDAA_PART_JOIN_HOST);
	case VLDAA_KIND_JOIN_REQUEST:
		return head + VLDAA_NONCE_BYTES + 4 + part(set, VLDAA_PART_JOIN_TPM) + 4 +
		       part(set, VLDAA_PART_JOIN_HOST) + 32 + 4 + chain + 4 +
		       VLDAA_MAX_ORDINARY_SIGNATURE;
	case VLDAA_KIND_JOIN_ANSWER:
		return head + VLDAA_DIGEST_BYTES + 4 + 48 + 4 + part(set, VLDAA_PART_CREDENTIAL) +
		       32 + 4 + VLDAA_MAX_SPKI + 4 + VLDAA_MAX_SPKI + 4 +
		       VLDAA_MAX_ORDINARY_SIGNATURE;
	case VLDAA_KIND_CREDENTIAL:
		return head + part(set, VLDAA_PART_CREDENTIAL);
	case VLDAA_KIND_CREATE_CALL:
		return head + basename + part(set, VLDAA_PART_CREATE_CALL);
	case VLDAA_KIND_CREATE_REPLY:
		return head + part(set, VLDAA_PART_CREATE_REPLY);
	case VLDAA_KIND_ATTESTATION:
		return attestation;
	case VLDAA_KIND_SIGNATURE:
		return head + 4 + attestation + part(set, VLDAA_PART_SIGN);
	case VLDAA_KIND_COMPACT:
		return head + VLDAA_DIGEST_BYTES + part(set, VLDAA_PART_SIGN);
	case VLDAA_KIND_TOKEN:
		return head + basename + part(set, VLDAA_PART_NYM) + 2 * VLDAA_DIGEST_BYTES +
		       part(set, VLDAA_PART_SIGN);
	case VLDAA_KIND_ORDER:
		return order;
	case VLDAA_KIND_SEALED_ORDER:
		return head + 4 + vldaa_padded_order_size(set) + 28;
	case VLDAA_KIND_CONFIRMATION:
		return head + VLDAA_DIGEST_BYTES + VLDAA_REVOCATION_SECRET_BYTES +
		       part(set, VLDAA_PART_SIGN);
	case VLDAA_KIND_ROGUE_LIST:
	case VLDAA_KIND_REVOKED_LIST:
		return (size_t)1 << 28;
	case VLDAA_KIND_MEMBER:
		return head + basename + 4 + vldaa_object_max_size(set, VLDAA_KIND_TPM_KEY) + 4 +
		       vldaa_object_max_size(set, VLDAA_KIND_HOST_KEY) + 4 +
		       vldaa_object_max_size(set, VLDAA_KIND_CREDENTIAL) + 4 + 4 +
		       VLDAA_MEMBER_TOMBSTONES * VLDAA_RECORD_NAME;
	case VLDAA_KIND_PSEUDONYM:
		return head + 4 + attestation + part(set, VLDAA_PART_NYM_SECRET);
	}
	return 0;
}

int vldaa_need(const vldaa_set *set, enum vldaa_kind kind, size_t cap, size_t *len)
{
	size_t most = vldaa_object_max_size(set, kind);

	if (cap >= most)
		return VLDAA_OK;
	*len = most;
	return VLDAA_ERR_BUFFER;
}

/* The kind of the header, or 0. */
static enum vldaa_kind peek_kind(const uint8_t *in, size_t len)
{
	if (len < VLDAA_OBJECT_HEADER || in[4] < 1 || in[4] >= sizeof names / sizeof names[0])
		return (enum vldaa_kind)0;
	return (enum vldaa_kind)in[4];
}

/* Fills basename and digest from the bytes of an attestation. */
static int inspect_attestation(vldaa_object_info *info, const uint8_t *in, size_t len)
{
	vldaa_attestation_parts parts;
	const vldaa_bytes all = {in, len};
	int err = vldaa_read_attestation(&parts, in, len);

	if (err)
		return err;
	/* An attestation inside a signature belongs to the signature's group. */
	if (parts.set != info->set)
		return VLDAA_ERR_WRONG_SET;
	if (memcmp(parts.key_id, info->key_id, VLDAA_KEY_ID_BYTES) != 0)
		return VLDAA_ERR_WRONG_ISSUER;
	memcpy(info->basename, parts.basename.bytes, parts.basename.len);
	info->basename_len = parts.basename.len;
	vldaa_attestation_bytes_digest(parts.set, all, info->digest);
	info->has_digest = 1;
	return VLDAA_OK;
}

static void inspect_basename(vldaa_object_info *info, vldaa_bytes basename)
{
	if (basename.len)
		memcpy(info->basename, basename.bytes, basename.len);
	info->basename_len = basename.len;
}

static void inspect_digest(vldaa_object_info *info, vldaa_reader *rd)
{
	vldaa_get_bytes(rd, info->digest, VLDAA_DIGEST_BYTES);
	info->has_digest = !rd->error;
}

static int inspect(vldaa_object_info *info, const uint8_t *in, size_t len)
{
	vldaa_group_key group;
	vldaa_reader rd;
	int err = VLDAA_OK;

	vldaa_get_init(&rd, in, len);
	info->len = len;
	info->kind = peek_kind(in, len);
	info->set = vldaa_get_header(&rd, info->kind);
	if (!info->set)
		return rd.error;
	if (len > vldaa_object_max_size(info->set, info->kind))
		return VLDAA_ERR_TRAILING;
	switch (info->kind) {
	case VLDAA_KIND_GROUP_KEY:
		err = vldaa_read_group_key(&group, in, len);
		break;
	case VLDAA_KIND_ISSUER_KEY:
	case VLDAA_KIND_TPM_KEY: {
		const vldaa_bytes key = vldaa_get_bytes_block(&rd, vldaa_group_key_size(info->set));
		err = rd.error ? rd.error : vldaa_read_group_key(&group, key.bytes, key.len);
		if (!err && group.set != info->set)
			err = VLDAA_ERR_WRONG_SET;
		break;
	}
	default:
		vldaa_get_bytes(&rd, info->key_id, VLDAA_KEY_ID_BYTES);
		info->has_key_id = !rd.error;
		err = rd.error;
	}
	if (!err && !info->has_key_id) {
		memcpy(info->key_id, group.key_id, VLDAA_KEY_ID_BYTES);
		info->has_key_id = 1;
	}
	if (err)
		return err;
	switch (info->kind) {
	case VLDAA_KIND_ATTESTATION:
		return inspect_attestation(info, in, len);
	case VLDAA_KIND_PSEUDONYM:
	case VLDAA_KIND_SIGNATURE: {
		const vldaa_bytes att = vldaa_get_bytes_block(
		    &rd, vldaa_object_max_size(info->set, VLDAA_KIND_ATTESTATION));
		return rd.error ? rd.error : inspect_attestation(info, att.bytes, att.len);
	}
	case VLDAA_KIND_COMPACT:
	case VLDAA_KIND_CONFIRMATION:
		inspect_digest(info, &rd);
		return rd.error;
	case VLDAA_KIND_CREATE_CALL:
		inspect_basename(info, vldaa_get_basename(&rd));
		return rd.error;
	case VLDAA_KIND_MEMBER:
		inspect_basename(info, vldaa_get_default_basename(&rd));
		return rd.error;
	case VLDAA_KIND_TOKEN:
	case VLDAA_KIND_ORDER:
		inspect_basename(info, vldaa_get_basename(&rd));
		(void)vldaa_get_view(&rd, part(info->set, VLDAA_PART_NYM));
		inspect_digest(info, &rd);
		return rd.error;
	case VLDAA_KIND_ROGUE_LIST:
	case VLDAA_KIND_REVOKED_LIST:
		info->entries = vldaa_get_u32(&rd);
		return rd.error;
	default:
		return VLDAA_OK;
	}
}

int vldaa_object_inspect(vldaa_object_info *info, const uint8_t *in, size_t len)
{
	int err;

	if (info)
		memset(info, 0, sizeof *info);
	if (!info || !in)
		return VLDAA_ERR_ARGUMENT;
	err = inspect(info, in, len);
	if (err)
		memset(info, 0, sizeof *info);
	return err;
}
