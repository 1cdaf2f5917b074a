/*
 * A revocation authority's directory (mode 0700).
 *
 *   group.pem      the group's public key
 *   authority.pem  the authority's private key, as it was given, mode 0600
 *   fleet.key      the fleet's broadcast key (fleet_key.h), mode 0600; written last: a directory that
 *                  has it is complete
 *   orders/        what was ordered and confirmed: see revoke/orders.h
 *
 * Functions return an exit status, having said why it is not 0.
 */
#ifndef VLDAA_TOOL_REVOKE_AUTHORITY_H
#define VLDAA_TOOL_REVOKE_AUTHORITY_H

#include "fleet_key.h"
#include "keys.h"
#include "vldaa/verify.h"

#define VLDAA_AUTHORITY_GROUP_FILE "group.pem"
#define VLDAA_AUTHORITY_KEY_FILE "authority.pem"
#define VLDAA_AUTHORITY_FLEET_FILE "fleet.key"

/* VLDAA_EXIT_FAILED, having said so, when this is no authority's directory. */
int vldaa_authority_check(const char *directory);
/* The verifier of the directory's group. */
int vldaa_authority_verifier(vldaa_verifier **verifier, const char *directory);

/* What signs and encrypts orders. */
typedef struct {
	vldaa_buffer pkcs8;
	uint8_t fleet_key[VLDAA_FLEET_KEY];
} vldaa_authority_keys;

int vldaa_authority_keys_load(vldaa_authority_keys *keys, const char *directory,
			      const vldaa_passphrase *passphrase);
void vldaa_authority_keys_clear(vldaa_authority_keys *keys);

#endif
