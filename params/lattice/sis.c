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

/* Does block size b find a solution on these columns?  A reduced vector spreads evenly over its
 * dimension. */
static int mixed_succeeds(const vldaa_sis_mixed *instance, double log_delta, double long_used,
			  double short_used)
{
	double dimension = long_used + short_used;
	double log_norm = log(instance->long_bound) + 0.5 * log(dimension / long_used);
	double log_scale = 0.0;
	if (short_used > 0.0)
		log_scale = log(instance->long_bound / sqrt(long_used)) -
			    log(instance->short_bound / sqrt(short_used));
	double log_determinant = instance->n * log(instance->q) + short_used * log_scale;
	return dimension * log_delta + log_determinant / dimension <= log_norm;
}

void vldaa_sis_mixed_solve(vldaa_sis_mixed_estimate *out, const vldaa_sis_mixed *instance)
{
	enum { STEP = 8 };
	uint32_t low = VLDAA_COST_BLOCK_MIN - 1; /* fails */
	uint32_t high = VLDAA_COST_BLOCK_MAX + 1;
	*out = (vldaa_sis_mixed_estimate){0};
	while (high - low > 1) {
		uint32_t block = (low + high) / 2;
		double log_delta = vldaa_cost_log_delta(block);
		int found = 0;
		for (uint32_t a = STEP; a <= instance->long_columns && !found; a += STEP)
			for (uint32_t b = 0; b <= instance->short_columns && !found; b += STEP) {
				found = mixed_succeeds(instance, log_delta, a, b);
				if (found)
					*out = (vldaa_sis_mixed_estimate){block, a, b};
			}
		if (found)
			high = block;
		else
			low = block;
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
