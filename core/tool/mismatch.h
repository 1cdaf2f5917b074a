/* Files of another kind than what is needed: says what they are, so that whoever mixed two up sees
 * it. */
#ifndef VLDAA_TOOL_MISMATCH_H
#define VLDAA_TOOL_MISMATCH_H

#include <stddef.h>
#include <stdint.h>

#include "vldaa/object.h"

enum { VLDAA_MISMATCH_TEXT = 256 };

/* "this is an attestation, not a join request", from a file's bytes and what was wanted: a noun,
 * without its article. */
void vldaa_mismatch(char text[VLDAA_MISMATCH_TEXT], const uint8_t *data, size_t len,
		    const char *wanted);

#endif
