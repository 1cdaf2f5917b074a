/* What the encoders (encode_key.c, encode_text.c) share. */
#ifndef VLDAA_PROVIDER_ENCODE_H
#define VLDAA_PROVIDER_ENCODE_H

#include <openssl/core_dispatch.h>

#include "key.h"

typedef struct {
	const vldaa_prov *prov;
	char *cipher;     /* of an encrypted key, or NULL */
	char *properties; /* for fetching it, or NULL */
} vldaa_prov_encoder;

OSSL_FUNC_encoder_newctx_fn vldaa_prov_encoder_new;
OSSL_FUNC_encoder_freectx_fn vldaa_prov_encoder_free;

/* The key that an encoder's function was given; NULL, having raised why. */
const vldaa_prov_key *vldaa_prov_encoder_key(const vldaa_prov_encoder *encoder, const void *key,
					     const OSSL_PARAM *abstract);

/* Writes all of it: 1, or 0. */
int vldaa_prov_write(const vldaa_prov_encoder *encoder, OSSL_CORE_BIO *out, const uint8_t *octets,
		     size_t len);

#endif
