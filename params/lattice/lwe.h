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

/*
 * The dual attack (ADPS16, section 6.4), with part of the secret guessed (Albrecht, EUROCRYPT 2017;
 * Espitau, Joux, Kharchenko, INDOCRYPT 2020).  A vector of the dual lattice of length l has bias
 * exp(-2 pi^2 tau^2), tau = l * error / q, on samples whose guessed part is right; 1 / bias^2 of
 * them tell right from wrong (2 ln(2 * guesses) times that many when there are guesses), and one
 * sieve yields 2^(0.2075 b) of the shortest one's length.  Each guess costs one look at every
 * vector.  The secret's columns are rescaled as in the primal attack.  Modulus switching and fast
 * Fourier transforms over the guesses are not considered: what they gain is contested (Ducas,
 * Pulles, CRYPTO 2023).
 */
typedef struct {
	uint32_t
	    block; /* the block size of least classical cost; 0: none up to the largest tried */
	uint32_t samples; /* the number of equations that reaches it */
	uint32_t guessed; /* coordinates of the secret */
	double classical; /* log2 of the cost, core-SVP */
	double quantum;   /* at its own best block size; guesses by exhaustive search still */
} vldaa_lwe_dual_estimate;

/* secret_values: how many values a coordinate of the secret takes, 1: do not guess. */
void vldaa_lwe_dual(vldaa_lwe_dual_estimate *out, const vldaa_lwe *instance, double secret_values);

/* Standard deviations of the usual secrets. */
double vldaa_lwe_uniform_deviation(uint32_t eta);  /* uniform in {-eta, ..., eta}; 1: ternary */
double vldaa_lwe_binomial_deviation(uint32_t eta); /* centred binomial: difference of eta coins */

#endif
