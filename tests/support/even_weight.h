/*
 * For a build of the one-shot proof that would be wrong (test_oneshot_fractions.c): included before
 * everything else, it gives the witness an even weight in the range proof.
 */
#include "proof/oneshot.h"

#define VLDAA_OS_WEIGHT 28
