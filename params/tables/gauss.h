/* Cumulative tables of discrete Gaussians. */
#ifndef VLDAA_PARAMS_GAUSS_TABLE_H
#define VLDAA_PARAMS_GAUSS_TABLE_H

#include "exact.h"

/* Whether x < 0 happens too: x from Z, or from {0, 1, 2, ...} with the same weights. */
typedef enum { VLDAA_TABLE_BOTH_SIGNS, VLDAA_TABLE_HALF } vldaa_table_support;

/*
 * cdt[i] = round(2^63 P(|x| > i)) for x of weight exp(-x^2 / (2 sigma^2)), up to the last entry
 * that is not 0.  Returns the number of entries; at most capacity are written.
 */
uint32_t vldaa_table_cdt(uint64_t *cdt, uint32_t capacity, const mpfr_t sigma,
			 vldaa_table_support support);

#endif
