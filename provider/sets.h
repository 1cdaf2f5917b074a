/*
 * What the provider offers: for each parameter set one algorithm of every operation, under the
 * set's name and its object identifier.
 */
#ifndef VLDAA_PROVIDER_SETS_H
#define VLDAA_PROVIDER_SETS_H

#include <openssl/core.h>
#include <openssl/core_dispatch.h>

enum {
	VLDAA_PROV_SETS = 5,
	VLDAA_PROV_ENCODERS = 7, /* of each set */
	VLDAA_PROV_DECODERS = 2,
	VLDAA_PROV_FUNCTIONS = 32 /* of one algorithm, at most, with the end */
};

/* Each table ends with an entry of zeroes. */
typedef struct {
	OSSL_ALGORITHM keymgmt[VLDAA_PROV_SETS + 1];
	OSSL_ALGORITHM signature[VLDAA_PROV_SETS + 1];
	OSSL_ALGORITHM encoder[VLDAA_PROV_SETS * VLDAA_PROV_ENCODERS + 1];
	OSSL_ALGORITHM decoder[VLDAA_PROV_SETS * VLDAA_PROV_DECODERS + 1];
	/* Tables of functions that differ from set to set: of the decoders and of keymgmt. */
	OSSL_DISPATCH functions[VLDAA_PROV_SETS][VLDAA_PROV_DECODERS + 1][VLDAA_PROV_FUNCTIONS];
} vldaa_prov_algorithms;

void vldaa_prov_algorithms_init(vldaa_prov_algorithms *algorithms);

/* The set's name and its object identifier in figures, for index < VLDAA_PROV_SETS. */
const char *vldaa_prov_set_name(size_t index);
const char *vldaa_prov_set_oid(size_t index);

#endif
