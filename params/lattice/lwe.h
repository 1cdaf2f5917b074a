/*
 * LWE by the primal attack: embed the secret and error as an unusually short vector of a q-ary
 * lattice and reduce with BKZ.  Success condition: the "2016 estimate" of Alkim, Ducas, Poppelmann
 * and Schwabe (USENIX Security 2016, section 6.3, "ADPS16"), confirmed by Albrecht, Gopfert, Virdia
 * and Wunderer (ASIACRYPT 2017, "AGVW17").
 */
#ifndef VLDAA_PARAMS_LWE_H
#define VLDAA_PARAMS_LWE_H

#include <stdint.h>

/* An instance.  Structure (rings, modules) is not exploited: n counts integers. */
typedef struct {
	uint32_t n;              /* unknowns */
	uint32_t samples;        /* equations that an attacker can get at most */
	double q;                /* modulus */
	double secret_deviation; /* standard deviation of a coefficient of the secret */
	double error_deviation;  /* and of the error */
} vldaa_lwe;

typedef struct {
	uint32_t block;   /* least BKZ block size that succeeds; 0: none up to the largest tried */
	uint32_t samples; /* the number of equations that reaches it */
	uint32_t dimension; /* of the embedding lattice: n + samples + 1 */
} vldaa_lwe_estimate;

void vldaa_lwe_primal(vldaa_lwe_estimate *out, const vldaa_lwe *instance);

/* Standard deviations of the usual secrets. */
double vldaa_lwe_uniform_deviation(uint32_t eta);  /* uniform in {-eta, ..., eta}; 1: ternary */
double vldaa_lwe_binomial_deviation(uint32_t eta); /* centred binomial: difference of eta coins */

#endif
