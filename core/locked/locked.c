#include "locked.h"

#include <errno.h>
#include <sys/mman.h>

#include "random/secret.h"

static int protect(void *p, size_t secret)
{
	int refused = 0;

	/* The kernel takes the whole pages that these bytes are in. */
	if (mlock(p, secret) != 0)
		refused = errno;
#ifdef MADV_DONTDUMP
	if (madvise(p, secret, MADV_DONTDUMP) != 0)
		refused = errno;
#endif
	return refused;
}

void *vldaa_locked_new(size_t size, size_t secret, int *refused)
{
	const int saved = errno;
	void *p = mmap(NULL, size > 0 ? size : 1, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int err = 0;

	if (p == MAP_FAILED)
		return NULL;
	if (secret > 0)
		err = protect(p, secret);
	if (refused != NULL)
		*refused = err;
	errno = saved;
	return p;
}

void vldaa_locked_free(void *p, size_t size, size_t secret)
{
	if (p == NULL)
		return;
	vldaa_wipe(p, secret);
	(void)munmap(p, size > 0 ? size : 1);
}
