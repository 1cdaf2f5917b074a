/* What the TPM role keeps (vldaa/tpm.h): records in the token's file, the secret ones sealed. */
#ifndef VLDAA_P11_RECORDS_H
#define VLDAA_P11_RECORDS_H

#include "store.h"
#include "vldaa/tpm.h"

/* The store of a vldaa_tpm_surroundings.  master may be NULL when nothing secret is touched. */
typedef struct {
	vldaa_p11_store *store;
	const uint8_t *master;
	int reason; /* why the TPM was told VLDAA_ERR_STORE; else 0 */
} vldaa_p11_records;

/* The services load and commit; the argument is a vldaa_p11_records.  A commit is a transaction, or
 * part of the caller's. */
int vldaa_p11_records_load(void *records, enum vldaa_record record, const uint8_t *name,
			   uint8_t *out, size_t cap, size_t *len);
int vldaa_p11_records_commit(void *records, const vldaa_change *changes, size_t count);

/* The names of all records of this kind, ascending.  VLDAA_ERR_BUFFER when there are more than max.
 */
int vldaa_p11_records_names(const vldaa_p11_store *s, enum vldaa_record record, uint8_t *names,
			    size_t max, size_t *count);

/* What C_InitToken and the end of a member key forget: the key, its request, its count. */
int vldaa_p11_records_forget(const vldaa_p11_store *s);
int vldaa_p11_records_forget_member(const vldaa_p11_store *s,
				    const uint8_t key_id[VLDAA_RECORD_NAME]);

#endif
