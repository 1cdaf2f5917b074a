/* The base half-Gaussian: X >= 0 with weight exp(-X^2 / 32), at most VLDAA_BASE_LEN. */
#ifndef VLDAA_BASE_H
#define VLDAA_BASE_H

#include "sampler/gen_base.h"

/*
 * X from 64 uniform bits: the number of table entries above them, so X > i with probability
 * round(2^64 P(X > i)) / 2^64.  Constant time: the whole table is read, comparisons are borrows.
 */
static inline uint64_t vldaa_base_from_word(uint64_t word)
{
	uint64_t x = 0;

	for (int i = 0; i < VLDAA_BASE_LEN; i++)
		x += (uint64_t)(word < vldaa_base_cdt[i]);
	return x;
}

#endif
