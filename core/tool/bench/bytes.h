/* A buffer with room for the largest object of its kind, used again in every round. */
#ifndef VLDAA_TOOL_BENCH_BYTES_H
#define VLDAA_TOOL_BENCH_BYTES_H

#include <openssl/crypto.h>

#include "vldaa/object.h"

typedef struct {
	uint8_t *data;
	size_t cap;
	size_t len;
} vldaa_bytes_out;

static inline int vldaa_bytes_out_new(vldaa_bytes_out *b, size_t cap)
{
	b->data = OPENSSL_zalloc(cap);
	b->cap = b->data ? cap : 0;
	b->len = 0;
	return b->data ? VLDAA_OK : VLDAA_ERR_MEMORY;
}

static inline void vldaa_bytes_out_free(vldaa_bytes_out *b)
{
	OPENSSL_clear_free(b->data, b->cap);
	*b = (vldaa_bytes_out){NULL, 0, 0};
}

#endif
