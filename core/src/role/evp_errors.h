/*
 * libcrypto's error queue around one function of ours: it is left as it was found, and what the
 * function refuses because libcrypto ran out of memory is "out of memory", not "invalid".
 */
#ifndef VLDAA_EVP_ERRORS_H
#define VLDAA_EVP_ERRORS_H

#include <openssl/err.h>

#include "vldaa/error.h"

/* The queue's oldest and newest error at the beginning; 0: none. */
typedef struct {
	unsigned long oldest, newest;
} vldaa_evp_errors;

static inline vldaa_evp_errors vldaa_evp_begin(void)
{
	const vldaa_evp_errors before = {ERR_peek_error(), ERR_peek_last_error()};

	ERR_set_mark();
	return before;
}

static inline int vldaa_evp_is_memory(unsigned long error)
{
	return error != 0 && ERR_GET_REASON(error) == ERR_R_MALLOC_FAILURE;
}

/*
 * Ends what vldaa_evp_begin began; gives ret, or VLDAA_ERR_MEMORY for another error whose cause was
 * that.  The cause is the first error of the function, which can be told from older ones only when
 * the queue was empty; else the last one has to do.
 */
static inline int vldaa_evp_end(vldaa_evp_errors before, int ret)
{
	const unsigned long newest = ERR_peek_last_error();
	const unsigned long cause = before.oldest == 0 ? ERR_peek_error() : 0;
	const int failed = ret != VLDAA_OK && ret != VLDAA_ERR_BUFFER;

	if (failed && (vldaa_evp_is_memory(cause) ||
		       (newest != before.newest && vldaa_evp_is_memory(newest))))
		ret = VLDAA_ERR_MEMORY;
	ERR_pop_to_mark();
	return ret;
}

#endif
