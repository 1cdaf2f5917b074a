/*
 * Memory laid out in a block that somebody else owns: contexts and workspaces have sizes that
 * depend on the parameter set, and neither the TPM nor a hot path allocates.
 *
 * A layout function takes its arrays one after the other.  Run with base NULL it only counts, which
 * is how the size of a context is found: one layout serves both.
 */
#ifndef VLDAA_ARENA_H
#define VLDAA_ARENA_H

#include <stddef.h>
#include <stdint.h>

#include "ring/ring.h"

enum { VLDAA_ARENA_ALIGN = 64 };

/* Invariant: used <= size unless base is NULL. */
typedef struct {
	unsigned char *base; /* NULL: counting */
	size_t size;
	size_t used;
} vldaa_arena;

/* base is aligned to VLDAA_ARENA_ALIGN (SIMD loads), or NULL. */
void vldaa_arena_init(vldaa_arena *a, void *base, size_t size);
/* len bytes, aligned; NULL while counting, or beyond the size. */
void *vldaa_arena_take(vldaa_arena *a, size_t len);
/* n polynomials, n hat-domain elements. */
int64_t *vldaa_arena_polys(vldaa_arena *a, const vldaa_ring *r, size_t n);
uint32_t *vldaa_arena_hats(vldaa_arena *a, const vldaa_ring *r, size_t n);
#endif
