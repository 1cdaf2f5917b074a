/* The conditions of SC24 section 2.4, one function each. */
#ifndef VLDAA_PARAMS_CONDITIONS_H
#define VLDAA_PARAMS_CONDITIONS_H

#include "published/published.h"
#include "report.h"

/* All that a condition may look at. */
typedef struct {
	const vldaa_published_choice *choice;
	vldaa_published_derived derived;
	vldaa_published_bounds bounds;
	vldaa_published_block blocks[VLDAA_PUBLISHED_BLOCKS];
} vldaa_published_all;

void vldaa_published_all_init(vldaa_published_all *out, const vldaa_published_choice *choice);
void vldaa_published_all_clear(vldaa_published_all *all);

typedef void (*vldaa_published_condition)(vldaa_verdict *out, const vldaa_published_all *all);

extern const vldaa_published_condition vldaa_published_conditions[];
extern const uint32_t vldaa_published_condition_count;

/* What the set gives and does not give: conditions of security, not of SC24. */
extern const vldaa_published_condition vldaa_published_security[];
extern const uint32_t vldaa_published_security_count;

/* X^d + 1 modulo q: how many irreducible factors, all of one degree (q an odd prime, d a power of
 * two). */
void vldaa_published_split(uint32_t *factors, uint32_t *factor_degree, uint32_t degree, uint64_t q);

#endif
