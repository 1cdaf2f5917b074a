/* A TPM's directory: its endorsement key and certificate chain, its store. */
#ifndef VLDAA_TOOL_TPM_DIRECTORY_H
#define VLDAA_TOOL_TPM_DIRECTORY_H

#include "files.h"

#define VLDAA_TPM_KEY_FILE "endorsement.pem"
#define VLDAA_TPM_CHAIN_FILE "chain.pem"
#define VLDAA_TPM_STORE_FILE "tpm.db"
#define VLDAA_TPM_LOCK_FILE "lock"

/* The endorsement key as PKCS#8 DER, the chain as vldaa/tpm.h wants it. */
int vldaa_tpm_directory_load(const char *directory, vldaa_buffer *endorsement_key,
			     vldaa_buffer *chain);

#endif
