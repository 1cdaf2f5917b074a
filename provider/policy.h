/*
 * The basename of programs that give none: what the provider's section of openssl.cnf says, or the key's
 * parameter "basename" (EVP_PKEY_set_utf8_string_param).
 *
 *   basename = platoon-7      every signature under this one
 *   basename = epoch:3600     a new pseudonym every 3600 seconds
 *
 * In the second case the basename is "epoch:3600:T", with T the period's first second since
 * 1970-01-01 UTC in decimal, which is a multiple of 3600: all members change in step, and a verifier
 * can tell when a pseudonym was current.
 */
#ifndef VLDAA_PROVIDER_POLICY_H
#define VLDAA_PROVIDER_POLICY_H

#include <stddef.h>
#include <stdint.h>

#include "vldaa/object.h"

typedef struct {
	uint8_t basename[VLDAA_MAX_BASENAME];
	size_t len;       /* 0: there is no default */
	uint64_t seconds; /* of an epoch; 0: basename is the basename */
	int wrong;        /* what the configuration says is neither */
} vldaa_prov_policy;

/* Reads what the configuration says; NULL: nothing.  What is wrong with it is told who signs: OpenSSL
 * would drop the reason for which a provider was not loaded. */
void vldaa_prov_policy_read(vldaa_prov_policy *policy, const char *text);

/* The basename at this time.  0, VLDAA_PROV_ERR_NO_BASENAME, or VLDAA_PROV_ERR_POLICY. */
int vldaa_prov_policy_basename(const vldaa_prov_policy *policy, int64_t now,
			       uint8_t basename[VLDAA_MAX_BASENAME], size_t *len);

#endif
