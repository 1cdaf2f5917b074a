/*
 * libcrypto refuses good keys, signatures and certificates when it runs out of memory on the way,
 * and does not always say that this was why (its decoders drop their errors, Ed25519 verification
 * has none).  So that nobody's object is called invalid for want of memory, a refusal is believed
 * when it was made twice, the second time after an allocation that went well.
 */
#ifndef VLDAA_EVP_DOUBT_H
#define VLDAA_EVP_DOUBT_H

#include <openssl/crypto.h>

#include "vldaa/error.h"

/* 1: *ret is a refusal, try once more.  *ret becomes VLDAA_ERR_MEMORY when there is no memory. */
static inline int vldaa_evp_doubt(int *ret)
{
	enum { PROBE = 4096 };
	void *p;

	if (vldaa_error_class(*ret) != VLDAA_CLASS_INVALID && *ret != VLDAA_ERR_ARGUMENT)
		return 0;
	p = OPENSSL_malloc(PROBE);
	if (!p)
		*ret = VLDAA_ERR_MEMORY;
	OPENSSL_free(p);
	return p != NULL;
}

#endif
