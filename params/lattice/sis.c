#include "lattice/sis.h"

#include "lattice/cost.h"

#include <math.h>

void vldaa_sis_solve(vldaa_sis_estimate *out, const vldaa_sis *instance)
{
	*out = (vldaa_sis_estimate){0};
	if (instance->bound >= instance->q) {
		out->trivial = 1;
		return;
	}
	double log_bound = log(instance->bound);
	double log_determinant = instance->n * log(instance->q);
	for (uint32_t block = VLDAA_COST_BLOCK_MIN; block <= VLDAA_COST_BLOCK_MAX; block++) {
		double log_delta = vldaa_cost_log_delta(block);
		/* D log_delta + log_determinant / D is least at D = sqrt(log_determinant /
		 * log_delta). */
		double dimension = round(sqrt(log_determinant / log_delta));
		if (dimension > instance->columns)
			dimension = instance->columns;
		if (dimension < block)
			dimension = block;
		if (dimension * log_delta + log_determinant / dimension > log_bound)
			continue;
		out->block = block;
		out->dimension = (uint32_t)dimension;
		return;
	}
}

static double log_falcon_base(double block)
{
	return log(block) - log(2.0 * 3.14159265358979323846) - 1.0;
}

uint32_t vldaa_falcon_forgery_block(uint32_t n, double q, double bound)
{
	for (uint32_t block = VLDAA_COST_BLOCK_MIN; block <= VLDAA_COST_BLOCK_MAX; block++) {
		double log_norm = log_falcon_base(block) * n / block + 0.5 * log(q);
		if (log_norm <= log(bound))
			return block;
	}
	return 0;
}

uint32_t vldaa_falcon_key_block(uint32_t n, double q, double deviation)
{
	for (uint32_t block = VLDAA_COST_BLOCK_MIN; block <= VLDAA_COST_BLOCK_MAX; block++) {
		double log_last = log_falcon_base(block) * (1.0 - (double)n / block) + 0.5 * log(q);
		if (0.5 * log(0.75 * block) + log(deviation) <= log_last)
			return block;
	}
	return 0;
}
