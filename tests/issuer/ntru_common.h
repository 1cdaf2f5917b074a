/* What the tests of NTRU keys share. */
#ifndef VLDAA_TEST_NTRU_COMMON_H
#define VLDAA_TEST_NTRU_COMMON_H

#include <flint/fmpz_poly.h>
#include <stdint.h>

#include "sampler/ntru_key.h"

/* By _i of a loop test. */
extern const vldaa_ntru_set *const ntru_sets[2];

/* The stream of the seed (number, 0, 0, ...). */
vldaa_rng ntru_rng(uint8_t number);
/* The key of that seed; the test fails when there is none. */
void ntru_key_of(const vldaa_ntru_set *set, uint8_t number, vldaa_ntru_key *key, int64_t *h);

/* FLINT's polynomial of n coefficients. */
void ntru_poly_set(fmpz_poly_t out, const int64_t *a, size_t n);
/* out = a b over Z[X]/(X^n+1), by FLINT's division; out may be a or b. */
void ntru_poly_mul(fmpz_poly_t out, const fmpz_poly_t a, const fmpz_poly_t b, size_t n);
/* Whether f G - g F = p, by FLINT. */
int ntru_equation_holds(const int64_t *f, const int64_t *g, const int64_t *F, const int64_t *G,
			size_t n, uint32_t p);

#endif
