/*
 * A member's directory: what its host keeps.
 *
 *   group.pem            the group's public key
 *   host.pem             the host's key (PKCS#8, mode 0600); written last: a directory that has it
 *                        is complete
 *   tpm                  where the TPM's directory is: see member_tpm.h
 *   id                   what the TPM knows this host by (mode 0600); lock: see member_claim.h
 *   nonce, request       the join request that is out, and the nonce that it is for
 *   credential           what the issuer's answer gave (mode 0600): the member has joined
 *   pseudonyms/HASH      attestations, by SHA-256 of their basename
 */
#ifndef VLDAA_TOOL_MEMBER_DIRECTORY_H
#define VLDAA_TOOL_MEMBER_DIRECTORY_H

#include "checked.h"
#include "keys.h"
#include "member_tpm.h"
#include "tpm_client.h"
#include "vldaa/host.h"

#define VLDAA_MEMBER_GROUP_FILE "group.pem"
#define VLDAA_MEMBER_HOST_FILE "host.pem"
#define VLDAA_MEMBER_TPM_FILE "tpm"
#define VLDAA_MEMBER_ID_FILE "id"
#define VLDAA_MEMBER_LOCK_FILE "lock"
#define VLDAA_MEMBER_NONCE_FILE "nonce"
#define VLDAA_MEMBER_REQUEST_FILE "request"
#define VLDAA_MEMBER_CREDENTIAL_FILE "credential"
#define VLDAA_MEMBER_PSEUDONYMS "pseudonyms"

typedef struct {
	const char *directory;
	const vldaa_set *set;
	vldaa_host *host;
	char *tpm_directory;
	vldaa_tpm_client *tpm;
	int joined;                        /* there is a credential */
	vldaa_buffer host_key, credential; /* the objects; no credential: empty */
} vldaa_member_directory;

/*
 * Opens a complete member directory and starts its TPM.  The host's key may be encrypted.  Exit
 * status, as for all functions here, having said why.  Close it in any case.
 */
int vldaa_member_open(vldaa_member_directory *m, const char *directory,
		      const vldaa_passphrase *passphrase);
/* The same without the TPM. */
int vldaa_member_open_host(vldaa_member_directory *m, const char *directory,
			   const vldaa_passphrase *passphrase);
void vldaa_member_close(vldaa_member_directory *m);

/* Only starts the TPM of a member directory: for what the TPM does without its host. */
int vldaa_member_start_tpm(vldaa_tpm_client **tpm, const char *directory);

/* Of a member that has joined: is the credential for the key in this TPM?  VLDAA_ERR_CREDENTIAL when
 * it is another member's; codes of vldaa/error.h, or VLDAA_SAID. */
int vldaa_member_check_tpm(vldaa_member_directory *m);

/* Says what is wrong with an answer of the TPM. */
int vldaa_member_report(const vldaa_member_directory *m, const char *subject, int code);

/* The path of the attestation for a basename, to free; NULL, having said why. */
char *vldaa_member_pseudonym_path(const vldaa_member_directory *m, const vldaa_basename *basename);
/* The attestation for a basename: the kept one, or a new one, which is kept.  The TPM has been
 * asked: a revoked pseudonym is VLDAA_EXIT_INVALID. */
int vldaa_member_pseudonym(vldaa_member_directory *m, const vldaa_basename *basename,
			   vldaa_buffer *attestation, vldaa_object_info *info);

#endif
