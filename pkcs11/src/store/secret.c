#include "secret.h"

#include <string.h>
#include <sys/mman.h>

#include "locked.h"
#include "trace.h"

void *vldaa_p11_secret_new(size_t len)
{
	int refused;
	void *p = vldaa_locked_new(len, len, &refused);

	if (p == NULL)
		return NULL;
	if (refused != 0)
		vldaa_p11_trace("a secret may come into swap or a core dump: %s",
				strerror(refused));
#ifdef MADV_WIPEONFORK
	/* A child logs in anew. */
	(void)madvise(p, len, MADV_WIPEONFORK);
#endif
	return p;
}

void vldaa_p11_secret_free(void *secret, size_t len)
{
	vldaa_locked_free(secret, len, len);
}
