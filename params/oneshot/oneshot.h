/* What the family of one-shot sets offers to the commands. */
#ifndef VLDAA_PARAMS_ONESHOT_H
#define VLDAA_PARAMS_ONESHOT_H

#include "oneshot/derive.h"

/* Writes core/src/proof/gen_oneshot_sets.c and core/src/scheme/gen_oneshot.c below a directory.
 * 0, or -1 with errno. */
int vldaa_oneshot_generate(const char *directory);

#endif
