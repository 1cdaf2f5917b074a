/*
 * The durable store of a TPM in software: one SQLite file of mode 0600, records by kind and name.
 *
 * A commit is one transaction, durable (also through power loss) when it returns; the journal is
 * SQLite's rollback journal, for the reasons that core/issuer/register_db.h gives.  Values are not
 * encrypted: whoever reads the file has the TPM's secrets.  Deleted ones are overwritten in the
 * file; what the disk below keeps of them is out of reach.
 */
#ifndef VLDAA_TOOL_TPM_STORE_H
#define VLDAA_TOOL_TPM_STORE_H

#include "vldaa/tpm.h"

typedef struct vldaa_tpm_store vldaa_tpm_store;

/* Beside the kinds of records that vldaa/tpm.h has: the host that the TPM serves; name: key id. */
enum { VLDAA_TPM_STORE_HOST = 256 };

/* Makes an empty store, or leaves the one that is there as it is.  Exit status, as for open, having
 * said why. */
int vldaa_tpm_store_create(const char *path);
int vldaa_tpm_store_open(vldaa_tpm_store **store, const char *path);
void vldaa_tpm_store_close(vldaa_tpm_store *store);
/* Closes the file, and with it SQLite's copies of what was read; load and commit open it again. */
void vldaa_tpm_store_rest(vldaa_tpm_store *store);

/* The names of all records of this kind, ascending, VLDAA_RECORD_NAME bytes each.
 * VLDAA_ERR_STORE, having said so, when there are more than max. */
int vldaa_tpm_store_names(vldaa_tpm_store *store, enum vldaa_record record, uint8_t *names,
			  size_t max, size_t *count);

/* The services of vldaa/tpm.h; store is a vldaa_tpm_store.  The reason for VLDAA_ERR_STORE is said
 * on stderr. */
int vldaa_tpm_store_load(void *store, enum vldaa_record record, const uint8_t *name, uint8_t *out,
			 size_t cap, size_t *len);
int vldaa_tpm_store_commit(void *store, const vldaa_change *changes, size_t count);

#endif
