/* See memory.h. */
#include "role/memory.h"

#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "random/secret.h"

void *vldaa_memory_new(size_t size)
{
	/* A block of no bytes (the key of a host without one) is a block all the same, and as clean. */
	const size_t least = size ? size : 1;
	const size_t rounded =
	    (least + VLDAA_ARENA_ALIGN - 1) / VLDAA_ARENA_ALIGN * VLDAA_ARENA_ALIGN;
	void *p = aligned_alloc(VLDAA_ARENA_ALIGN, rounded);

	if (p)
		memset(p, 0, rounded);
	return p;
}

void vldaa_memory_free(void *p, size_t size)
{
	if (!p)
		return;
	vldaa_wipe(p, size);
	free(p);
}
