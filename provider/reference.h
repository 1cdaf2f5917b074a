/* How a key that was read (decode.c, store.c) gets to its manager: by a reference. */
#ifndef VLDAA_PROVIDER_REFERENCE_H
#define VLDAA_PROVIDER_REFERENCE_H

#include "key.h"

/* Offers it to the caller's callback, who takes it over (then *key is NULL) or not. */
int vldaa_prov_reference_give(vldaa_prov_key **key, OSSL_CALLBACK *callback, void *arg);
/* Takes over the key that a reference refers to; NULL when there is none. */
vldaa_prov_key *vldaa_prov_reference_take(const void *reference, size_t size);
/* For a caller that has another provider manage the key: its octets. */
int vldaa_prov_reference_export(void *ctx, const void *reference, size_t size,
				OSSL_CALLBACK *callback, void *arg);

#endif
