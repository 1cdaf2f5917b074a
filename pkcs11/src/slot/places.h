/* Where tokens are: VLDAA_TOKEN_DIR, a colon-separated list of directories, one slot each. */
#ifndef VLDAA_P11_PLACES_H
#define VLDAA_P11_PLACES_H

#include <stddef.h>

/* Called for each directory, in order; another value than 0 ends the walk and is its result. */
typedef int vldaa_p11_visit_place(void *arg, const char *directory);
/* Without the variable the one place is vldaa/token under XDG_DATA_HOME, or ~/.local/share.  -1 when
 * there is no memory; 0 also when there is no place at all. */
int vldaa_p11_places(vldaa_p11_visit_place *visit, void *arg);

#endif
