/*
 * Small-error LWE as polynomial equations (Arora and Ge, ICALP 2011): an error in {-eta, ..., eta}
 * is a root of a polynomial of degree 2 eta + 1, so each sample gives one equation of that degree
 * in the secret's n unknowns.  With m semi-regular equations, Groebner bases are found in the least
 * degree D where the coefficient of z^D in (1 - z^(2 eta + 1))^m / (1 - z)^(n + 1) is not positive
 * (Albrecht, Cid, Faugere, Fitzpatrick, Perret, J. Symb. Comput. 2015), by linear algebra over all
 * C(n + D, D) monomials.  Its exponent is taken as 2, less than any algorithm's.
 */
#ifndef VLDAA_PARAMS_ARORA_GE_H
#define VLDAA_PARAMS_ARORA_GE_H

#include <stdint.h>

typedef struct {
	uint32_t n;   /* unknowns */
	uint32_t eta; /* errors, and the unknowns themselves, lie in [-eta, eta] */
	uint64_t samples;
} vldaa_arora_ge;

typedef struct {
	uint32_t degree;      /* D; 0: none up to the largest tried */
	double monomial_bits; /* log2 C(n + D, D) */
	double bits;          /* log2 of the cost */
	double
	    linearise_bits; /* log2 C(n + 2 eta + 1, 2 eta + 1): samples that make D = 2 eta + 1 */
} vldaa_arora_ge_estimate;

void vldaa_arora_ge_solve(vldaa_arora_ge_estimate *out, const vldaa_arora_ge *instance);

#endif
