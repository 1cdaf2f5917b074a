/* A TPM's store in memory: for measuring, where nothing has to last. */
#ifndef VLDAA_TOOL_BENCH_STORE_H
#define VLDAA_TOOL_BENCH_STORE_H

#include "vldaa/tpm.h"

enum { VLDAA_MEMORY_STORE_ROWS = 16 };

/* Invariant: the first count rows are in use, each with another record and name. */
typedef struct {
	struct {
		enum vldaa_record record;
		uint8_t name[VLDAA_RECORD_NAME];
		uint8_t *value;
		size_t len;
	} rows[VLDAA_MEMORY_STORE_ROWS];
	size_t count;
} vldaa_memory_store;

/* As vldaa_tpm_surroundings wants them; store is a vldaa_memory_store. */
int vldaa_memory_store_load(void *store, enum vldaa_record record, const uint8_t *name,
			    uint8_t *out, size_t cap, size_t *len);
int vldaa_memory_store_commit(void *store, const vldaa_change *changes, size_t count);
/* Bytes of the one record of this kind; 0 when there is none. */
size_t vldaa_memory_store_len(const vldaa_memory_store *store, enum vldaa_record record);
/* Wipes and empties. */
void vldaa_memory_store_clear(vldaa_memory_store *store);

#endif
