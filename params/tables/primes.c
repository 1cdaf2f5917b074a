#include "tables/primes.h"

#include <flint/flint.h>
#include <flint/ulong_extras.h>

uint32_t vldaa_table_prime(uint32_t index)
{
	uint32_t step = 2 * VLDAA_TABLE_NTT_DEGREE;
	uint32_t candidate = (UINT32_C(1) << VLDAA_TABLE_PRIME_BITS) + 1;
	for (uint32_t found = 0; found <= index;) {
		candidate -= step;
		found += n_is_prime(candidate) != 0;
	}
	return candidate;
}
