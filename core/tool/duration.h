/* Lengths of time on the command line. */
#ifndef VLDAA_TOOL_DURATION_H
#define VLDAA_TOOL_DURATION_H

#include <stdint.h>

/* What help says of them. */
#define VLDAA_DURATION_HELP "a number and s, m, h, d or w"

/* Seconds from "45s", "30m", "12h", "90d" or "2w"; of a number alone only 0.  0, or -1 when it is
 * none, or longer than a thousand years. */
int vldaa_duration_parse(int64_t *seconds, const char *text);

#endif
