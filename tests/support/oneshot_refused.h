/*
 * By which check a cheating prover's proof is refused.  All assert that nothing else refuses it; a
 * second opinion (FLINT) says which relations fail.
 */
#ifndef VLDAA_TEST_ONESHOT_REFUSED_H
#define VLDAA_TEST_ONESHOT_REFUSED_H

#include "oneshot_inside.h"

/* Relations by their place in the statement, 1 << place; and any of the range proof's 256 rows. */
enum { REFUSED_RANGE = 1 << VLDAA_OS_MAX_RELATIONS };

/* The relations that fail for this witness in this run. */
unsigned refused_relations(const planted *p, const cheat_run *run);

/*
 * For exactly these relations.  The proof would be accepted with the constant coefficients that h has
 * then; but an encoding has no place for them, and without them it is v, and not w, that the
 * verifier finds different.  Returns the run, to free: its bytes are what a cheating prover sends.
 */
cheat_run *refused_for(const planted *p, const cheat_plan *plan, unsigned broken);

/*
 * For z3's norm, where z3 answers for the true W S: every relation holds modulo q, and every equation
 * of the verifier.  ahead: what else the plan has.  z1's norms are the caller's to look at.
 */
cheat_run *refused_by_length(const planted *p, const cheat_plan *ahead);

/* Nor does the library's own prover make a proof of this witness. */
void refused_by_prover(const planted *p);

#endif
