/*
 * The basename of programs that give none, as a line of text in a configuration or in a MEMBER
 * object (member_key.h):
 *
 *   platoon-7      always this one
 *   epoch:3600     a new pseudonym every 3600 seconds
 *
 * In the second case the basename is "epoch:3600:T", with T the period's first second since
 * 1970-01-01 UTC in decimal, which is a multiple of 3600: all members change in step, and a
 * verifier can tell when a pseudonym was current.
 */
#ifndef VLDAA_DEFAULT_BASENAME_H
#define VLDAA_DEFAULT_BASENAME_H

#include "vldaa/object.h"

typedef struct {
	uint8_t text[VLDAA_MAX_BASENAME];
	size_t len;       /* 0: there is no default */
	uint64_t seconds; /* of a period; 0: the text is the basename */
} vldaa_default_basename;

/* Reads the text; len 0: no default.  "epoch:" may have capitals, which are gone from what is read.
 * VLDAA_ERR_BASENAME when it is longer than 255 bytes, has a
 * zero byte, or begins with "epoch:" and does not go on with 1 to 10 decimal digits, the first of
 * them not 0. */
VLDAA_API int vldaa_default_basename_read(vldaa_default_basename *policy, const uint8_t *text,
					  size_t len) VLDAA_MUST_CHECK;

/* The basename at this time, in seconds since 1970 (before that: 0); VLDAA_ERR_BASENAME when there
 * is no default. */
VLDAA_API int vldaa_default_basename_at(const vldaa_default_basename *policy, int64_t now,
					uint8_t basename[VLDAA_MAX_BASENAME],
					size_t *len) VLDAA_MUST_CHECK;

#endif
