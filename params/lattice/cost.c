#include "lattice/cost.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

double vldaa_cost_log_delta(double block)
{
	return (log(pi * block) / block + log(block) - log(2.0 * pi) - 1.0) / (2.0 * (block - 1.0));
}

double vldaa_cost_classical(double block)
{
	return 0.292 * block;
}

double vldaa_cost_quantum(double block)
{
	return 0.265 * block;
}

double vldaa_cost_bkz_sieve(double block, double dimension)
{
	return 0.292 * block + 16.4 + log2(8.0 * dimension);
}
