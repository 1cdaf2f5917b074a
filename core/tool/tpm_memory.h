/* SQLite's memory in the TPM's process: what it frees, it wipes. */
#ifndef VLDAA_TOOL_TPM_MEMORY_H
#define VLDAA_TOOL_TPM_MEMORY_H

/* Once a process, before any other use of SQLite.  VLDAA_OK or VLDAA_ERR_STORE.  A store that is
 * closed has then left nothing of what it read or wrote. */
int vldaa_tpm_memory_wiped(void);

#endif
