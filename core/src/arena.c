/* See arena.h. */
#include "arena.h"

void vldaa_arena_init(vldaa_arena *a, void *base, size_t size)
{
	a->base = base;
	a->size = size;
	a->used = 0;
}

void *vldaa_arena_take(vldaa_arena *a, size_t len)
{
	size_t at = a->used;
	size_t rounded = (len + VLDAA_ARENA_ALIGN - 1) / VLDAA_ARENA_ALIGN * VLDAA_ARENA_ALIGN;

	a->used += rounded;
	if (!a->base || a->used > a->size)
		return NULL;
	return a->base + at;
}

int64_t *vldaa_arena_polys(vldaa_arena *a, const vldaa_ring *r, size_t n)
{
	return vldaa_arena_take(a, n * r->d * sizeof(int64_t));
}

uint32_t *vldaa_arena_hats(vldaa_arena *a, const vldaa_ring *r, size_t n)
{
	return vldaa_arena_take(a, n * vldaa_hat_len(r) * sizeof(uint32_t));
}
