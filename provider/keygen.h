/*
 * Key generation: an issuer's key, which founds a group.
 *
 *   authority        algorithm of the key that signs the answers to members; ED25519 by default
 *   authority-file   a file (PEM or DER, not encrypted) with a private key to use instead
 */
#ifndef VLDAA_PROVIDER_KEYGEN_H
#define VLDAA_PROVIDER_KEYGEN_H

#include <openssl/core_dispatch.h>

OSSL_FUNC_keymgmt_gen_set_template_fn vldaa_prov_generation_template;
OSSL_FUNC_keymgmt_gen_set_params_fn vldaa_prov_generation_set;
OSSL_FUNC_keymgmt_gen_settable_params_fn vldaa_prov_generation_settable;
OSSL_FUNC_keymgmt_gen_fn vldaa_prov_generation_run;
OSSL_FUNC_keymgmt_gen_cleanup_fn vldaa_prov_generation_free;

#endif
