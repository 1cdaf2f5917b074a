/* The dispatch tables of the provider's files, from which sets.c makes every set's algorithms. */
#ifndef VLDAA_PROVIDER_FUNCTIONS_H
#define VLDAA_PROVIDER_FUNCTIONS_H

#include <openssl/core_dispatch.h>

/* Without NEW and GEN_INIT, which depend on the set. */
extern const OSSL_DISPATCH vldaa_prov_keymgmt[];
extern const OSSL_DISPATCH vldaa_prov_signature[];
extern const OSSL_DISPATCH vldaa_prov_encode_private_der[];
extern const OSSL_DISPATCH vldaa_prov_encode_private_pem[];
extern const OSSL_DISPATCH vldaa_prov_encode_encrypted_der[];
extern const OSSL_DISPATCH vldaa_prov_encode_encrypted_pem[];
extern const OSSL_DISPATCH vldaa_prov_encode_public_der[];
extern const OSSL_DISPATCH vldaa_prov_encode_public_pem[];
extern const OSSL_DISPATCH vldaa_prov_encode_text[];
/* Without NEWCTX. */
extern const OSSL_DISPATCH vldaa_prov_decode_private[];
extern const OSSL_DISPATCH vldaa_prov_decode_public[];

/* Of tokens, by URI; for every set. */
extern const OSSL_ALGORITHM vldaa_prov_stores[];

/* For the set of this index (sets.h). */
void *vldaa_prov_key_new_for(void *provctx, size_t set);
void *vldaa_prov_generation_new(void *provctx, int selection, const OSSL_PARAM params[],
				size_t set);
void *vldaa_prov_decoder_new(void *provctx, size_t set);

#endif
