/*
 * Sizes of Golomb-Rice codes (core/src/wire/pack.h): k low bits, |a| >> k in unary with its end
 * mark, a sign when a is not zero.
 */
#ifndef VLDAA_PARAMS_RICE_H
#define VLDAA_PARAMS_RICE_H

#include <stdint.h>

/* The Rice parameter of least expected size for n coefficients of the given deviation, and the
 * bytes that a block may take. */
void vldaa_rice_choose(uint32_t *rice, uint32_t *bytes, uint32_t n, double deviation);

/* Mean and variance of the bits of one coefficient. */
void vldaa_rice_bits(double *mean, double *variance, uint32_t rice, double deviation);

#endif
