/* The conditions of a one-shot set, and what it gives. */
#ifndef VLDAA_PARAMS_ONESHOT_CHECK_H
#define VLDAA_PARAMS_ONESHOT_CHECK_H

#include "oneshot/estimate.h"
#include "report.h"

/* All that a condition may look at. */
typedef struct {
	const vldaa_oneshot_choice *choice;
	vldaa_oneshot_derived derived;
} vldaa_oneshot_all;

void vldaa_oneshot_all_init(vldaa_oneshot_all *out, const vldaa_oneshot_choice *choice);
void vldaa_oneshot_all_clear(vldaa_oneshot_all *all);

typedef void (*vldaa_oneshot_condition)(vldaa_verdict *out, const vldaa_oneshot_all *all);

/* Of the scheme and the proof system. */
extern const vldaa_oneshot_condition vldaa_oneshot_conditions[];
extern const uint32_t vldaa_oneshot_condition_count;

typedef void (*vldaa_oneshot_statement_condition)(vldaa_verdict *out, const vldaa_oneshot_all *all,
						  const vldaa_oneshot_statement *statement);

/* Of each statement: that what is proven modulo q holds over the integers.  A condition that a
 * statement does not have leaves the name NULL. */
extern const vldaa_oneshot_statement_condition vldaa_oneshot_statement_conditions[];
extern const uint32_t vldaa_oneshot_statement_condition_count;

/* One verdict for each problem, against the set's level. */
void vldaa_oneshot_judge(vldaa_verdict *out, const vldaa_oneshot_problem *problem,
			 const vldaa_oneshot_choice *choice);

#endif
