/* The auxiliary primes of the core's NTT: the largest ones below 2^30 that are 1 modulo 2 * 1024.
 */
#ifndef VLDAA_PARAMS_PRIMES_H
#define VLDAA_PARAMS_PRIMES_H

#include <stdint.h>

enum { VLDAA_TABLE_PRIME_BITS = 30, VLDAA_TABLE_NTT_DEGREE = 1024 };

/* The index-th of them, the largest first. */
uint32_t vldaa_table_prime(uint32_t index);

#endif
