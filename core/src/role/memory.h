/* Heap memory for contexts: aligned for SIMD, zeroed, wiped before it is freed.  Not for the TPM.
 */
#ifndef VLDAA_MEMORY_H
#define VLDAA_MEMORY_H

#include <stddef.h>

/* NULL when there is none. */
void *vldaa_memory_new(size_t size);
void vldaa_memory_free(void *p, size_t size);

#endif
