/* What a file that is no object of ours seems to be. */
#ifndef VLDAA_TOOL_LOOKS_LIKE_H
#define VLDAA_TOOL_LOOKS_LIKE_H

#include <stddef.h>
#include <stdint.h>

enum { VLDAA_LOOKS_LIKE_TEXT = 128 };

/* A guess from how the bytes begin, so that whoever mixed up two files sees it. */
void vldaa_looks_like(char text[VLDAA_LOOKS_LIKE_TEXT], const uint8_t *data, size_t len);

#endif
