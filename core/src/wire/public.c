/* The public object that others carry in front: a group's key, or an attestation. */
#include "wire/object.h"

/* The TPM_KEY of a MEMBER, which inspection leaves alone, of the member's set. */
static vldaa_bytes in_tpm_key(const vldaa_set *set, vldaa_bytes key)
{
	const vldaa_bytes none = {NULL, 0};
	vldaa_object_info info;
	vldaa_reader rd;

	if (vldaa_object_inspect(&info, key.bytes, key.len) || info.kind != VLDAA_KIND_TPM_KEY ||
	    info.set != set)
		return none;
	vldaa_get_init(&rd, key.bytes, key.len);
	(void)vldaa_get_view(&rd, VLDAA_OBJECT_HEADER);
	return vldaa_get_bytes_block(&rd, vldaa_group_key_size(set));
}

static vldaa_bytes in_front(const vldaa_object_info *info, const uint8_t *in, size_t len)
{
	vldaa_bytes found = {NULL, 0};
	vldaa_reader rd;

	vldaa_get_init(&rd, in, len);
	(void)vldaa_get_view(&rd, VLDAA_OBJECT_HEADER);
	switch (info->kind) {
	case VLDAA_KIND_GROUP_KEY:
	case VLDAA_KIND_ATTESTATION:
		return (vldaa_bytes){in, len};
	case VLDAA_KIND_ISSUER_KEY:
	case VLDAA_KIND_TPM_KEY:
		return vldaa_get_bytes_block(&rd, vldaa_group_key_size(info->set));
	case VLDAA_KIND_MEMBER:
		(void)vldaa_get_view(&rd, VLDAA_KEY_ID_BYTES);
		(void)vldaa_get_default_basename(&rd);
		found = vldaa_get_bytes_block(&rd,
					      vldaa_object_max_size(info->set, VLDAA_KIND_TPM_KEY));
		return found.bytes ? in_tpm_key(info->set, found) : found;
	case VLDAA_KIND_SIGNATURE:
	case VLDAA_KIND_PSEUDONYM:
		(void)vldaa_get_view(&rd, VLDAA_KEY_ID_BYTES);
		return vldaa_get_bytes_block(
		    &rd, vldaa_object_max_size(info->set, VLDAA_KIND_ATTESTATION));
	default:
		return found;
	}
}

int vldaa_object_public(const uint8_t **found, size_t *found_len, const uint8_t *in, size_t len)
{
	vldaa_object_info info;
	vldaa_bytes public = {NULL, 0};
	int err;

	if (found)
		*found = NULL;
	if (found_len)
		*found_len = 0;
	if (!found || !found_len || !in)
		return VLDAA_ERR_ARGUMENT;
	err = vldaa_object_inspect(&info, in, len);
	if (err)
		return err;
	public = in_front(&info, in, len);
	if (!public.bytes)
		return info.kind == VLDAA_KIND_MEMBER ? VLDAA_ERR_ENCODING : VLDAA_ERR_KIND;
	*found = public.bytes;
	*found_len = public.len;
	return VLDAA_OK;
}
