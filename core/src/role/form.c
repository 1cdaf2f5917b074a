/* See form.h. */
#include "role/form.h"

int vldaa_form_check(enum vldaa_form form, const vldaa_set *set)
{
	switch (form) {
	case VLDAA_FORM_SELF_CONTAINED:
	case VLDAA_FORM_COMPACT:
		return VLDAA_OK;
	case VLDAA_FORM_BARE:
		return vldaa_set_bare_size(set) > 0 ? VLDAA_OK : VLDAA_ERR_FORM;
	}
	return VLDAA_ERR_ARGUMENT;
}

void vldaa_put_form_head(vldaa_writer *w, enum vldaa_form form, const vldaa_set *set,
			 const uint8_t *key_id, vldaa_bytes attestation,
			 const uint8_t digest[VLDAA_DIGEST_BYTES])
{
	if (form == VLDAA_FORM_BARE)
		return;
	vldaa_put_header(w, form == VLDAA_FORM_COMPACT ? VLDAA_KIND_COMPACT : VLDAA_KIND_SIGNATURE,
			 set);
	vldaa_put_bytes(w, key_id, VLDAA_KEY_ID_BYTES);
	if (form == VLDAA_FORM_COMPACT)
		vldaa_put_bytes(w, digest, VLDAA_DIGEST_BYTES);
	else
		vldaa_put_block(w, attestation.bytes, attestation.len);
}
