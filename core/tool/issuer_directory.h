/*
 * An issuer's directory:
 *
 *   issuer.pem    the issuer's key (PKCS#8, mode 0600); the authority key that signs answers is in
 *                 it
 *   group.pem     the group's public key
 *   register.db   who has joined (libvldaa-issuer's register)
 *   fleet.key     the fleet's broadcast key (fleet_key.h, mode 0600)
 *   ra.pub.pem    the revocation authority's public key
 *   roots.pem     the manufacturers' root certificates
 */
#ifndef VLDAA_TOOL_ISSUER_DIRECTORY_H
#define VLDAA_TOOL_ISSUER_DIRECTORY_H

#include "files.h"
#include "fleet_key.h"
#include "keys.h"
#include "options.h"
#include "trust.h"
#include "vldaa/issue.h"

#define VLDAA_ISSUER_KEY_FILE "issuer.pem"
#define VLDAA_ISSUER_GROUP_FILE "group.pem"
#define VLDAA_ISSUER_REGISTER_FILE "register.db"
#define VLDAA_ISSUER_FLEET_FILE "fleet.key"
#define VLDAA_ISSUER_RA_FILE "ra.pub.pem"
#define VLDAA_ISSUER_ROOTS_FILE "roots.pem"

typedef struct {
	const char *directory;
	const vldaa_set *set;
	vldaa_buffer group; /* the GROUP_KEY object */
	vldaa_register *reg;
	/* With the key only: */
	vldaa_issuer *issuer;
	vldaa_buffer revocation_key;
	uint8_t fleet_key[VLDAA_FLEET_KEY];
	vldaa_buffer roots;
	vldaa_group_services services;
	vldaa_issue_desk desk;
} vldaa_issuer_directory;

/* Opens group key and register; exit status, having said why.  Close it in any case. */
int vldaa_issuer_open(vldaa_issuer_directory *d, const char *directory);
/* The same, and the issuer's key and what issuing needs. */
int vldaa_issuer_open_with_key(vldaa_issuer_directory *d, const char *directory,
			       const vldaa_passphrase *passphrase);
void vldaa_issuer_close(vldaa_issuer_directory *d);

/* Says what is wrong with a result of the register. */
int vldaa_issuer_report(const vldaa_issuer_directory *d, int code);

/* From the options --passphrase-file and, after it in the table, --passphrase-env. */
vldaa_passphrase vldaa_issuer_passphrase(const vldaa_call *call, int file_option);

/* The commands of `vldaa issuer`. */
extern const vldaa_command vldaa_command_issuer_init;
extern const vldaa_command vldaa_command_issuer_nonce;
extern const vldaa_command vldaa_command_issuer_issue;
extern const vldaa_command vldaa_command_issuer_list;
extern const vldaa_command vldaa_command_issuer_ban;
extern const vldaa_command vldaa_command_issuer_rogue;
extern const vldaa_command vldaa_command_issuer_export;
extern const vldaa_command vldaa_command_issuer_backup;

#endif
