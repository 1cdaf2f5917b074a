/* Ring-LWE estimates of a published set, as we compute them and as SC24 did. */
#ifndef VLDAA_PARAMS_ESTIMATE_H
#define VLDAA_PARAMS_ESTIMATE_H

#include "published/published.h"

typedef enum {
	/* 0.292 b, the error's deviation as the scheme draws it, as many samples as help. */
	VLDAA_COST_CORE_SVP,
	/*
	 * As SC24 ran lwe-estimator (Albrecht, Player, Scott 2015), at most 2 d samples: BKZ.sieve
	 * there is 2^(0.292 b + 16.4 + log2(8 D)), and its alpha is a Gaussian parameter over q.
	 * SC24 put sigma / q there, so the error that was estimated has deviation sigma / sqrt(2
	 * pi).
	 */
	VLDAA_COST_SC24
} vldaa_cost_model;

typedef struct {
	vldaa_lwe_estimate attack;
	double bits;         /* log2 of the cost by the model */
	double quantum_bits; /* core-SVP, 0.265 b */
} vldaa_published_estimate;

/* Recovering the secret behind u_T and the pseudonyms. */
void vldaa_published_estimate_keys(vldaa_published_estimate *out,
				   const vldaa_published_choice *choice, double q,
				   vldaa_cost_model model);

/* Finding the tag inside the commitments t_1, t_2 of one attestation (core-SVP). */
void vldaa_published_estimate_tag(vldaa_published_estimate *out,
				  const vldaa_published_choice *choice);

#endif
