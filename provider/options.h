/*
 * What a caller may say about a signature: -pkeyopt and -sigopt of `openssl`, OSSL_PARAM elsewhere.
 *
 *   basename           octets  sign: which pseudonym; verify: the signature must be under this one
 *   form               text    sign: self-contained (the default), compact or bare; verify: the
 *                              signature must have this one
 *   attestation        octets  verify: the attestation of a compact or bare signature, or a
 *                              self-contained signature that has it
 *   attestation-file   text    the same, in a file
 *   rogue-list         text    verify: a file with the list
 *   revoked-list       text    the same
 *   digest             text    refused
 */
#ifndef VLDAA_PROVIDER_OPTIONS_H
#define VLDAA_PROVIDER_OPTIONS_H

#include <openssl/core.h>

#include "provider.h"
#include "vldaa/host.h"

/* Bytes that nobody changes; copies share them. */
typedef struct vldaa_prov_octets vldaa_prov_octets;
struct vldaa_prov_octets;
const uint8_t *vldaa_prov_octets_data(const vldaa_prov_octets *octets, size_t *len);

/* All zero: nothing was said. */
typedef struct {
	uint8_t basename[VLDAA_MAX_BASENAME];
	size_t basename_len; /* 0: none */
	int has_form;
	enum vldaa_form form;
	vldaa_prov_octets *attestation; /* or NULL, as the lists */
	vldaa_prov_octets *rogue_list;
	vldaa_prov_octets *revoked_list;
} vldaa_prov_options;

const OSSL_PARAM *vldaa_prov_options_settable(void);
/* 1, or 0 having raised why; then options are as before, but for those that came first. */
int vldaa_prov_options_set(const vldaa_prov *prov, vldaa_prov_options *options,
			   const OSSL_PARAM params[]);
/* 1 when there is one of ours among them. */
int vldaa_prov_options_any(const OSSL_PARAM params[]);
vldaa_prov_options vldaa_prov_options_copy(const vldaa_prov_options *options);
void vldaa_prov_options_clear(vldaa_prov_options *options);

#endif
