/*
 * The challenge set: c = c_0 + sum over i = 1..31 of c_i (Y^i - Y^(64-i)), |c_i| <= 9, operator
 * norm at most 72 by the core's table of cosines.  Measured with a fixed seed.
 */
#ifndef VLDAA_PARAMS_ONESHOT_CHALLENGES_H
#define VLDAA_PARAMS_ONESHOT_CHALLENGES_H

#include <stdint.h>

typedef struct {
	uint32_t drawn;
	uint32_t kept;
	double all_bits; /* log2 of 19^32 */
	double bits;     /* log2 of the set's size, as measured */
	double doubt;    /* log2 of the chance of keeping that many if the size were 2^128 (or, when
			    fewer were kept than that, 0) */
	double norm2;    /* ||c||^2 of those kept, average */
} vldaa_challenge_count;

void vldaa_oneshot_count_challenges(vldaa_challenge_count *out);

/* A small generator with a fixed seed, for measurements that have to be repeatable: splitmix64. */
uint64_t vldaa_oneshot_random(uint64_t *state);

#endif
