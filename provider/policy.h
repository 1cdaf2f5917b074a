/*
 * The basename of programs that give none (vldaa/default_basename.h): what the provider's section of
 * openssl.cnf says, or before it the key's own: its parameter "basename"
 * (EVP_PKEY_set_utf8_string_param), or else what is in a member's key file.
 */
#ifndef VLDAA_PROVIDER_POLICY_H
#define VLDAA_PROVIDER_POLICY_H

#include "vldaa/default_basename.h"

typedef struct {
	vldaa_default_basename is;
	int wrong; /* what the configuration says is none */
} vldaa_prov_policy;

/* Reads what the configuration says; NULL: nothing.  What is wrong with it is told who signs: OpenSSL
 * would drop the reason for which a provider was not loaded. */
void vldaa_prov_policy_read(vldaa_prov_policy *policy, const char *text);

/* The basename at this time.  0, VLDAA_PROV_ERR_NO_BASENAME, or VLDAA_PROV_ERR_POLICY. */
int vldaa_prov_policy_basename(const vldaa_prov_policy *policy, int64_t now,
			       uint8_t basename[VLDAA_MAX_BASENAME], size_t *len);

#endif
