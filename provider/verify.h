/*
 * Verification of a message's signature under a group's key, or a pseudonym's, and what it told.
 */
#ifndef VLDAA_PROVIDER_VERIFY_H
#define VLDAA_PROVIDER_VERIFY_H

#include "key.h"
#include "message.h"
#include "options.h"

/*
 * What the last valid signature was made with.  A context and its duplicates share one:
 * EVP_DigestVerifyFinal verifies on a duplicate, which it frees.
 */
typedef struct vldaa_prov_result vldaa_prov_result;

/* NULL when there is no memory. */
vldaa_prov_result *vldaa_prov_result_new(void);
vldaa_prov_result *vldaa_prov_result_share(vldaa_prov_result *result);
void vldaa_prov_result_release(vldaa_prov_result *result);
/* Fills those of nym, attestation-digest and basename that are asked for; 0 when one is and there
 * has been no valid signature. */
int vldaa_prov_result_get(vldaa_prov_result *result, OSSL_PARAM params[]);
const OSSL_PARAM *vldaa_prov_result_gettable(void);

/* 1 valid, 0 invalid, -1 nothing was decided; has raised why. */
int vldaa_prov_verify(vldaa_prov_key *key, const vldaa_prov_options *options,
		      const vldaa_prov_message *message, const uint8_t *signature, size_t len,
		      vldaa_prov_result *result);

#endif
