/* The base half-Gaussian: X >= 0 with weight exp(-X^2 / 32), at most VLDAA_BASE_LEN. */
#ifndef VLDAA_BASE_H
#define VLDAA_BASE_H

#include "sampler/gen_base.h"

/*
 * X from the low 63 bits of a uniform word: the number of table entries above them, so X > i with
 * probability round(2^63 P(X > i)) / 2^63.  The top bit is left to the caller (a sign).  Constant
 * time: the whole table is read; both sides are below 2^63, so that bit 63 of their difference is
 * the comparison.
 */
static inline uint64_t vldaa_base_from_word(uint64_t word)
{
	const uint64_t bits = word << 1 >> 1;
	uint64_t x = 0;

	for (int i = 0; i < VLDAA_BASE_LEN; i++)
		x += (bits - vldaa_base_cdt[i]) >> 63;
	return x;
}

#endif
