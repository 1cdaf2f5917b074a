/*
 * Memory for the token's secrets: libvldaa's for keys (locked.h: locked, left out of core dumps),
 * and empty in a forked child, where the system allows; wiped when it is freed.
 */
#ifndef VLDAA_P11_SECRET_H
#define VLDAA_P11_SECRET_H

#include <stddef.h>

/* NULL when there is no memory.  What the system refuses beyond that is only traced: a process may
 * have used up its RLIMIT_MEMLOCK. */
void *vldaa_p11_secret_new(size_t len);
/* NULL is allowed. */
void vldaa_p11_secret_free(void *secret, size_t len);

#endif
