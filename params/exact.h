/*
 * Exact helpers: integers and rationals by FLINT, reals by MPFR at a precision that leaves hundreds
 * of bits below anything that is rounded to an integer.
 */
#ifndef VLDAA_PARAMS_EXACT_H
#define VLDAA_PARAMS_EXACT_H

#include <gmp.h>
#include <mpfr.h>
#include <flint/flint.h>
#include <flint/fmpz.h>
#include <flint/fmpq.h>
#include <stdint.h>

/* Bits of every MPFR variable here. */
enum { VLDAA_REAL_PRECISION = 512 };
/* A value computed by a few dozen roundings at that precision is right to 2^-VLDAA_REAL_TRUST,
 * relatively, with a wide margin. */
enum { VLDAA_REAL_TRUST = 448 };

/* [low, high] encloses what x approximates; x > 0. */
void vldaa_exact_enclose(fmpq_t low, fmpq_t high, const mpfr_t x);

void vldaa_exact_floor(fmpz_t out, const fmpq_t x);
/* The least w >= 0 with w^2 >= x. */
void vldaa_exact_ceil_sqrt(fmpz_t out, const fmpq_t x);

/* Low and high 64 bits of 0 <= x < 2^128. */
uint64_t vldaa_exact_low64(const fmpz_t x);
uint64_t vldaa_exact_high64(const fmpz_t x);

/* x as a double, rounded to nearest. */
double vldaa_exact_double(const fmpz_t x);

#endif
