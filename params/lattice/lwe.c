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

/* ln of the dual vector's length, in units of the error's deviation over q. */
static double dual_log_tau(const vldaa_lwe *instance, double log_delta, double samples)
{
	double dimension = instance->n + samples;
	double log_volume =
	    instance->n * log(instance->q * instance->secret_deviation / instance->error_deviation);
	return (dimension - 1.0) * log_delta + log_volume / dimension +
	       log(instance->error_deviation / instance->q);
}

static uint32_t best_dual_samples(const vldaa_lwe *instance, double log_delta)
{
	/* D log_delta + constant / D is least at D = sqrt(constant / log_delta). */
	double constant =
	    instance->n * log(instance->q * instance->secret_deviation / instance->error_deviation);
	double samples = round(sqrt(constant / log_delta)) - instance->n;
	if (!(samples >= 1.0))
		return 1;
	return samples >= (double)instance->samples ? instance->samples : (uint32_t)samples;
}

/* log2(2^a + 2^b). */
static double log2_sum(double a, double b)
{
	return fmax(a, b) + log2(1.0 + exp2(-fabs(a - b)));
}

/* What one block size costs with `guessed` coordinates guessed: log2 of the vectors needed and of
 * all looks at them. */
typedef struct {
	uint32_t samples;
	double vectors;
	double looks;
} dual_need;

static dual_need dual_needs(const vldaa_lwe *instance, double log_delta, uint32_t guessed,
			    double value_bits)
{
	static const double pi = 3.14159265358979323846;
	vldaa_lwe rest = *instance;
	rest.n -= guessed;
	dual_need need;
	need.samples = best_dual_samples(&rest, log_delta);
	double tau = exp(dual_log_tau(&rest, log_delta, need.samples));
	double guess_bits = guessed * value_bits;
	need.vectors = 4.0 * pi * pi * tau * tau / log(2.0);
	if (guessed > 0)
		need.vectors += log2(2.0 * log(2.0) * (guess_bits + 1.0));
	need.looks = guessed > 0 ? need.vectors + guess_bits : 0.0;
	return need;
}

static void dual_try(vldaa_lwe_dual_estimate *out, const vldaa_lwe *instance, uint32_t block,
		     double value_bits)
{
	double log_delta = vldaa_cost_log_delta(block);
	/* More guesses than a sieve's cost never pay. */
	double most = value_bits > 0.0 ? vldaa_cost_classical(block) / value_bits : 0.0;
	for (uint32_t guessed = 0; guessed <= (uint32_t)most && guessed < instance->n; guessed++) {
		dual_need need = dual_needs(instance, log_delta, guessed, value_bits);
		double sieves = fmax(need.vectors - 0.2075 * block, 0.0);
		double classical = log2_sum(vldaa_cost_classical(block) + sieves, need.looks);
		double quantum = log2_sum(vldaa_cost_quantum(block) + sieves, need.looks);
		out->quantum = fmin(out->quantum, quantum);
		if (classical >= out->classical)
			continue;
		out->classical = classical;
		out->block = block;
		out->samples = need.samples;
		out->guessed = guessed;
	}
}

void vldaa_lwe_dual(vldaa_lwe_dual_estimate *out, const vldaa_lwe *instance, double secret_values)
{
	*out = (vldaa_lwe_dual_estimate){.classical = INFINITY, .quantum = INFINITY};
	for (uint32_t block = VLDAA_COST_BLOCK_MIN; block <= VLDAA_COST_BLOCK_MAX; block++) {
		/* A single sieve costs more already. */
		if (vldaa_cost_quantum(block) > out->quantum &&
		    vldaa_cost_classical(block) > out->classical)
			return;
		dual_try(out, instance, block, log2(secret_values));
	}
}
