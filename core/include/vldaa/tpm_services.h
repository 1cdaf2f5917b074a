/*
 * A TPM's surroundings on libcrypto and the system clock: what a TPM in software needs besides a
 * durable store.  A chip brings its own (vldaa/tpm.h).
 */
#ifndef VLDAA_TPM_SERVICES_H
#define VLDAA_TPM_SERVICES_H

#include "vldaa/tpm.h"

/* What the services work with; everything must stay where it is as long as the TPM is open. */
typedef struct {
	const uint8_t *endorsement_key; /* PKCS#8 DER, of any kind that libcrypto signs with */
	size_t endorsement_key_len;
	const uint8_t
	    *chain; /* { length (4 bytes, big-endian) | certificate in DER }*, leaf first */
	size_t chain_len;
	/* The durable store, as vldaa_tpm_services has it. */
	void *store;
	int (*load)(void *store, enum vldaa_record record, const uint8_t *name, uint8_t *out,
		    size_t cap, size_t *len);
	int (*commit)(void *store, const vldaa_change *changes, size_t count);
} vldaa_tpm_surroundings;

/* Fills the table; its functions use *surroundings. */
VLDAA_API void vldaa_tpm_services_libcrypto(vldaa_tpm_services *services,
					    vldaa_tpm_surroundings *surroundings);

/* A PEM file's certificates, in the file's order, as a chain.  VLDAA_ERR_ENCODING when there is
 * none, or more or larger ones than a chain may have; VLDAA_ERR_BUFFER with *len what suffices. */
VLDAA_API int vldaa_tpm_chain_from_pem(uint8_t *chain, size_t cap, size_t *len, const uint8_t *pem,
				       size_t pem_len) VLDAA_MUST_CHECK;

#endif
