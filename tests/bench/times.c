#include "times.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

double microseconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static int compare(const void *a, const void *b)
{
	const double x = *(const double *)a;
	const double y = *(const double *)b;

	return (x > y) - (x < y);
}

times_summary times_of(double *times, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += times[i];
	qsort(times, n, sizeof times[0], compare);
	return (times_summary){sum / (double)n, times[0], times[n / 2], times[n * 99 / 100]};
}

times_summary times_print(const char *name, double *times, size_t n)
{
	const times_summary t = times_of(times, n);

	printf("  %-10s mean %7.1f  median %7.1f  least %7.1f us\n", name, t.mean, t.median,
	       t.least);
	return t;
}
