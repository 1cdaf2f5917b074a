/*
 * Files, whole and in pieces.  Functions that return an exit status have said on stderr why it is
 * not 0.  "-" is standard input or output.
 */
#ifndef VLDAA_TOOL_FILES_H
#define VLDAA_TOOL_FILES_H

#include <stddef.h>
#include <stdint.h>

#include "vldaa/file.h"
#include "vldaa/object.h"

/* Bytes on the heap; {NULL, 0} is empty. */
typedef struct {
	uint8_t *data;
	size_t len;
} vldaa_buffer;

/* len zero bytes; VLDAA_EXIT_FAILED when there is no memory. */
int vldaa_buffer_new(vldaa_buffer *b, size_t len);
/* Room for the largest object of this kind. */
int vldaa_buffer_for(vldaa_buffer *b, const vldaa_set *set, enum vldaa_kind kind);
/* Wipes, frees and empties. */
void vldaa_buffer_free(vldaa_buffer *b);

/* Reads all of a file, at most max bytes. */
int vldaa_read(vldaa_buffer *out, const char *path, size_t max);
/* The same without a word: a code of vldaa/keyfile.h. */
int vldaa_read_code(vldaa_buffer *out, const char *path, size_t max);
/*
 * Reads an object of this kind; *info may be NULL.  Something else is refused with the status of
 * its error (1: damaged, of another kind, or too large for this one).  The object's proofs are not
 * checked.
 */
int vldaa_read_object(vldaa_buffer *out, vldaa_object_info *info, const char *path,
		      enum vldaa_kind kind);
/* Says that a file with these bytes is another kind of object than what is needed. */
void vldaa_say_mismatch(const char *path, const vldaa_buffer *is, const char *wanted);
/* Writes atomically and durably; flags of vldaa/file.h. */
int vldaa_write(const char *path, const uint8_t *data, size_t len, unsigned flags);

/* Hands a file of any size on in pieces, with a progress bar ("signing") when it is large.  consume
 * returns VLDAA_OK or an error code, which ends the walk and is reported. */
typedef int vldaa_consume(void *arg, const uint8_t *data, size_t len);
int vldaa_stream(const char *path, const char *what, vldaa_consume *consume, void *arg);

/* directory/name, to free; NULL, having said so, when there is no memory. */
char *vldaa_path(const char *directory, const char *name);
int vldaa_exists(const char *path);
/* Makes a directory of mode 0700, unless it is there. */
int vldaa_make_directory(const char *path);
/* The same for one that holds secrets.  One that is there must be this user's, and nobody else may
 * enter it: when it is empty its mode is changed, else VLDAA_EXIT_USAGE. */
int vldaa_make_private_directory(const char *path);
/* VLDAA_EXIT_FAILED, having said so, for a directory without this file, which all of its kind have:
 * "DIR is not an issuer's directory (vldaa issuer init makes one)", with these words. */
int vldaa_check_directory(const char *directory, const char *file, const char *kind,
			  const char *command);
/* Whether there is no such file: 0 also when that cannot be told. */
int vldaa_is_missing(const char *path);

/* Bytes from hexadecimal text; VLDAA_EXIT_USAGE when it is none, is empty or has more than max. */
int vldaa_parse_hex(uint8_t *out, size_t max, size_t *len, const char *text);

#endif
