/*
 * The search of SC24 section 2.4: moduli that are prime and 3 modulo 4 and for which Ring-LWE with
 * sigma = 2 sqrt(log2 d) costs at least 2^lambda.
 */
#ifndef VLDAA_PARAMS_SEARCH_H
#define VLDAA_PARAMS_SEARCH_H

#include "published/estimate.h"

typedef enum {
	/* The estimate falls as q grows, and gamma / q falls too: the largest q is the best one. */
	VLDAA_AIM_GREATEST,
	/* The smallest q that Link's threshold leaves room for: the shortest encodings. */
	VLDAA_AIM_LEAST
} vldaa_search_aim;

typedef struct {
	uint32_t degree;
	uint32_t lambda;
	vldaa_cost_model model;
	vldaa_search_aim aim;
	/* Called with every modulus tried; may be NULL. */
	void (*progress)(void *context, uint64_t q, double bits);
	void *context;
} vldaa_search;

/* The set found, in *out with its name in `name`; 1: found, 0: no modulus qualifies. */
int vldaa_published_search(vldaa_published_choice *out, char name[32], const vldaa_search *search);

#endif
