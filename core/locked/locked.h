/*
 * Memory for secrets that stay: whole pages of their own, locked, so that they come into no swap,
 * and left out of core dumps, where the system allows; wiped when they are freed.
 *
 * Temporary secrets lie on stacks and in ordinary memory, and are wiped there.  A forked child has
 * its copy, which is left out of its dumps, too, and not locked.
 */
#ifndef VLDAA_LOCKED_H
#define VLDAA_LOCKED_H

#include <stddef.h>

/*
 * size bytes, zeroed, at the beginning of a page; the first `secret` of them are what is locked, in
 * whole pages.  NULL when there is no memory.  What the system refuses beyond that (a process may have
 * used up its RLIMIT_MEMLOCK) is no failure: *refused (NULL is allowed) is the errno of it, or 0.
 */
void *vldaa_locked_new(size_t size, size_t secret, int *refused);
/* The same sizes.  NULL is allowed. */
void vldaa_locked_free(void *p, size_t size, size_t secret);

#endif
