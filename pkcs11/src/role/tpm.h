/* The TPM role over a token's store, open for one operation. */
#ifndef VLDAA_P11_TPM_H
#define VLDAA_P11_TPM_H

#include "../store/records.h"
#include "vldaa/tpm_services.h"

typedef struct {
	vldaa_p11_records records;
	vldaa_tpm_surroundings surroundings;
	vldaa_tpm_services services;
	void *workspace;
	size_t size;
	vldaa_tpm *tpm;
} vldaa_p11_tpm;

/* It must stay where it is until it is closed.  No endorsement: surroundings.endorsement_key and
 * chain may be set afterwards, before a request. */
int vldaa_p11_tpm_open(vldaa_p11_tpm *t, vldaa_p11_store *store, const uint8_t *master,
		       const vldaa_set *set);
/* What the TPM's answer means: of a store that failed, why. */
int vldaa_p11_tpm_error(const vldaa_p11_tpm *t, int err);
void vldaa_p11_tpm_close(vldaa_p11_tpm *t);

#endif
