#include "lattice/lwe.h"

#include "lattice/cost.h"

#include <math.h>

double vldaa_lwe_uniform_deviation(uint32_t eta)
{
	/* Variance of the uniform distribution on 2 eta + 1 consecutive integers: eta (eta + 1)
	 * / 3. */
	return sqrt((double)eta * ((double)eta + 1.0) / 3.0);
}

double vldaa_lwe_binomial_deviation(uint32_t eta)
{
	return sqrt((double)eta / 2.0);
}

/*
 * ln of what the last b Gram-Schmidt vectors of a BKZ-b reduced basis leave, over what the target's
 * projection needs; success when not negative:
 *     error sqrt(b) <= delta(b)^(2 b - D - 1) vol^(1/D),  D = n + m + 1            (ADPS16,
 * section 6.3) where the secret's columns are stretched by error / secret, so that all coefficients
 * of the target have the error's deviation (Bai and Galbraith, ACISP 2014): vol = q^m (error /
 * secret)^n.
 */
static double primal_margin(const vldaa_lwe *instance, double block, double log_delta,
			    double samples)
{
	double dimension = instance->n + samples + 1.0;
	double log_volume =
	    samples * log(instance->q) +
	    instance->n * log(instance->error_deviation / instance->secret_deviation);
	return (2.0 * block - dimension - 1.0) * log_delta + log_volume / dimension -
	       log(instance->error_deviation) - 0.5 * log(block);
}

/*
 * The best number of samples for one block size.  As a function of D the margin is
 * constant - D log_delta - (a positive constant) / D, which has one maximum: D = sqrt(constant /
 * log_delta).
 */
static uint32_t best_samples(const vldaa_lwe *instance, double log_delta)
{
	double n = instance->n;
	double stretch = log(instance->error_deviation / instance->secret_deviation);
	double dimension = sqrt(((n + 1.0) * log(instance->q) - n * stretch) / log_delta);
	double samples = dimension - n - 1.0;
	if (!(samples >= 1.0))
		return 1;
	if (samples >= (double)instance->samples)
		return instance->samples;
	/* One of the two neighbours of the real optimum. */
	uint32_t below = (uint32_t)samples;
	double block = 100.0; /* both share the block's terms */
	return primal_margin(instance, block, log_delta, below) >=
		       primal_margin(instance, block, log_delta, below + 1.0)
		   ? below
		   : below + 1;
}

void vldaa_lwe_primal(vldaa_lwe_estimate *out, const vldaa_lwe *instance)
{
	*out = (vldaa_lwe_estimate){0};
	for (uint32_t block = VLDAA_COST_BLOCK_MIN; block <= VLDAA_COST_BLOCK_MAX; block++) {
		double log_delta = vldaa_cost_log_delta(block);
		uint32_t samples = best_samples(instance, log_delta);
		if (primal_margin(instance, block, log_delta, samples) < 0.0)
			continue;
		out->block = block;
		out->samples = samples;
		out->dimension = instance->n + samples + 1;
		return;
	}
}
