#include "bench/samples.h"

#include <stdlib.h>
#include <time.h>

#include "vldaa/error.h"

int vldaa_samples_init(vldaa_samples *samples, size_t room)
{
	samples->ns = calloc(room ? room : 1, sizeof *samples->ns);
	samples->count = 0;
	samples->room = room;
	return samples->ns ? VLDAA_OK : VLDAA_ERR_MEMORY;
}

void vldaa_samples_free(vldaa_samples *samples)
{
	free(samples->ns);
	samples->ns = NULL;
	samples->count = samples->room = 0;
}

double vldaa_bench_now(void)
{
	struct timespec t = {0, 0};

	if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) != 0)
		(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

void vldaa_samples_add_since(vldaa_samples *samples, double start)
{
	const double end = vldaa_bench_now();

	if (samples->count < samples->room)
		samples->ns[samples->count++] = end - start;
}

static int by_size(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

vldaa_sample_summary vldaa_samples_summary(vldaa_samples *samples)
{
	const size_t n = samples->count;
	vldaa_sample_summary s = {0, 0, 0};

	if (n == 0)
		return s;
	qsort(samples->ns, n, sizeof *samples->ns, by_size);
	s.median = n % 2 ? samples->ns[n / 2] : (samples->ns[n / 2 - 1] + samples->ns[n / 2]) / 2;
	/* nearest rank: the least value that at least 99 of 100 do not exceed */
	s.p99 = samples->ns[(99 * n + 99) / 100 - 1];
	for (size_t i = 0; i < n; i++)
		s.mean += samples->ns[i];
	s.mean /= (double)n;
	return s;
}
