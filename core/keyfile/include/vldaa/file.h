/*
 * Whole files in and out: bounded reading, atomic and durable writing.
 *
 * Results are those of vldaa/keyfile.h; VLDAA_FILE_ERR_IO and VLDAA_FILE_ERR_TOO_LARGE leave the
 * reason in errno.
 */
#ifndef VLDAA_FILE_H
#define VLDAA_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "vldaa/error.h"

enum {
	/* Only the owner may read it (mode 0600); otherwise 0666 less the umask. */
	VLDAA_FILE_PRIVATE = 1,
	/* Fail with EEXIST instead of replacing a file: no key is overwritten by mistake. */
	VLDAA_FILE_NEW = 2
};

/* Reads all of path (a file, a pipe, /dev/stdin), at most max bytes; more is
 * VLDAA_FILE_ERR_TOO_LARGE with EFBIG.  Free *out with vldaa_file_free.  On error *out is NULL and
 * *len 0. */
VLDAA_API int vldaa_file_read(uint8_t **out, size_t *len, const char *path,
			      size_t max) VLDAA_MUST_CHECK;

/* Wipes and frees; p may be NULL. */
VLDAA_API void vldaa_file_free(uint8_t *p, size_t len);

/*
 * Writes a file so that, whatever happens, path is either what it was before or the whole new
 * content: a temporary file in the same directory, fsync, rename, fsync of the directory.  A
 * symbolic link is replaced, not followed.  Success means that the content is on the disk. After an
 * error path is as before, with one exception: when only the last fsync, of the directory, failed,
 * the new content is there but may not survive a power cut. Something that is no regular file (a
 * device, a pipe) is written to directly; VLDAA_FILE_NEW refuses it.
 */
VLDAA_API int vldaa_file_write(const char *path, const uint8_t *data, size_t len,
			       unsigned flags) VLDAA_MUST_CHECK;

#endif
