/* The forms of a signature (vldaa/host.h), which hosts and pseudonym keys put it into. */
#ifndef VLDAA_FORM_H
#define VLDAA_FORM_H

#include "vldaa/host.h"
#include "wire/object.h"

/* VLDAA_OK, VLDAA_ERR_ARGUMENT for a form that is none, or VLDAA_ERR_FORM for one that the set has
 * not. */
int vldaa_form_check(enum vldaa_form form, const vldaa_set *set);
/* All that stands before the bare signature.  digest: of the attestation. */
void vldaa_put_form_head(vldaa_writer *w, enum vldaa_form form, const vldaa_set *set,
			 const uint8_t *key_id, vldaa_bytes attestation,
			 const uint8_t digest[VLDAA_DIGEST_BYTES]);

#endif
