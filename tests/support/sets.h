/* The parameter sets of one scheme, for tests of what only that scheme has. */
#ifndef VLDAA_TEST_SETS_H
#define VLDAA_TEST_SETS_H

#include "vldaa/params.h"

/* How many, and number i of them in the order of vldaa_set_at. */
int published_sets(void);
const vldaa_set *published_set(int i);
int oneshot_sets(void);
const vldaa_set *oneshot_set(int i);

#endif
