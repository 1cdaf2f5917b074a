/*
 * A host's connection to its TPM, which runs in its own process on its own directory: bytes go
 * there, bytes come back, and none of the TPM's secrets are among them.
 */
#ifndef VLDAA_TOOL_TPM_CLIENT_H
#define VLDAA_TOOL_TPM_CLIENT_H

#include "files.h"
#include "tpm_protocol.h"
#include "vldaa/tpm.h"

typedef struct vldaa_tpm_client vldaa_tpm_client;

/* Starts `vldaa tpm serve DIRECTORY`.  Exit status, having said why.  Whether the directory is any
 * good shows in the first call. */
int vldaa_tpm_client_start(vldaa_tpm_client **client, const char *directory);
/* Ends the process and waits for it; NULL is allowed. */
void vldaa_tpm_client_stop(vldaa_tpm_client *client);

/*
 * One call: the TPM's result code, which the caller reports; VLDAA_SAID when its process does not
 * answer.  out needs VLDAA_ERR_BUFFER's room as in vldaa/tpm.h; it may be NULL with cap 0 for calls
 * that have no output.
 */
int vldaa_tpm_client_call(vldaa_tpm_client *client, enum vldaa_tpm_call call, const uint8_t *in,
			  size_t in_len, uint8_t *out, size_t cap, size_t *len);

/* The same for the calls that name a pseudonym. */
int vldaa_tpm_client_call_for(vldaa_tpm_client *client, enum vldaa_tpm_call call,
			      const uint8_t key_id[VLDAA_KEY_ID_BYTES],
			      const uint8_t digest[VLDAA_DIGEST_BYTES], const uint8_t *basename,
			      size_t basename_len, uint8_t *out, size_t cap, size_t *len);
int vldaa_tpm_client_status(vldaa_tpm_client *client, const uint8_t key_id[VLDAA_KEY_ID_BYTES],
			    vldaa_tpm_status *status);

#endif
