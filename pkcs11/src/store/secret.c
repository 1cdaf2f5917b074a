#include "secret.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <openssl/crypto.h>

#include "trace.h"

/* Whole pages: what is locked or left out is a page. */
static size_t round_up(size_t len)
{
	const long page = sysconf(_SC_PAGESIZE);
	const size_t size = page > 0 ? (size_t)page : 4096;

	return (len + size - 1) / size * size;
}

static void protect(void *p, size_t size)
{
	if (mlock(p, size) != 0)
		vldaa_p11_trace("secrets are not locked in memory: %s", strerror(errno));
#ifdef MADV_DONTDUMP
	if (madvise(p, size, MADV_DONTDUMP) != 0)
		vldaa_p11_trace("secrets may come into core dumps: %s", strerror(errno));
#endif
#ifdef MADV_WIPEONFORK
	(void)madvise(p, size, MADV_WIPEONFORK);
#endif
}

void *vldaa_p11_secret_new(size_t len)
{
	const size_t size = round_up(len);
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return NULL;
	protect(p, size);
	return p;
}

void vldaa_p11_secret_free(void *secret, size_t len)
{
	const size_t size = round_up(len);

	if (secret == NULL)
		return;
	OPENSSL_cleanse(secret, size);
	(void)munmap(secret, size);
}
