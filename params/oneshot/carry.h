/* How large the carry k = q1^-1 (E - t + A s) of an honest attestation is. */
#ifndef VLDAA_PARAMS_ONESHOT_CARRY_H
#define VLDAA_PARAMS_ONESHOT_CARRY_H

#include "oneshot/sets.h"

/*
 * log2 of a bound on the probability, over A, that ||k|| exceeds the set's bound; the worst of a
 * few keys drawn with a fixed seed and stretched to the largest norm allowed.
 */
double vldaa_oneshot_carry_tail(const vldaa_oneshot_choice *choice);

#endif
