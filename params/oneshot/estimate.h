/* What attacks on a one-shot set cost. */
#ifndef VLDAA_PARAMS_ONESHOT_ESTIMATE_H
#define VLDAA_PARAMS_ONESHOT_ESTIMATE_H

#include "oneshot/derive.h"

/* What an attacker gains from a problem. */
enum { VLDAA_BREAKS_FORGERY = 1, VLDAA_BREAKS_KEY = 2, VLDAA_BREAKS_ANONYMITY = 4 };

typedef struct {
	const char *name;
	const char *attack; /* which one is the cheapest */
	unsigned breaks;
	uint32_t block;   /* BKZ block size; 0: not lattice reduction */
	double classical; /* log2 of the cost: core-SVP where there is a block size */
	double quantum;
	double primal; /* of LWE problems, classical; 0: none */
	double dual;
} vldaa_oneshot_problem;

enum { VLDAA_ONESHOT_PROBLEMS = 9 };

typedef struct {
	vldaa_oneshot_problem problem[VLDAA_ONESHOT_PROBLEMS];
	double soundness; /* log2 of the proof's soundness error, negative */
} vldaa_oneshot_estimates;

void vldaa_oneshot_estimate(vldaa_oneshot_estimates *out, const vldaa_oneshot_derived *derived);

/* log2 of the probability that a proof of something false passes. */
double vldaa_oneshot_soundness(const vldaa_oneshot_choice *choice);

/* floor of the least classical cost that breaks it; forgery includes guessing the proof's
 * challenges. */
int vldaa_oneshot_bits(const vldaa_oneshot_estimates *estimates, unsigned breaks);

/* For users: what a set relies on, and what they should know (NULL: nothing). */
const char *vldaa_oneshot_assumptions(void);
const char *vldaa_oneshot_warning(const vldaa_oneshot_choice *choice);

#endif
