/* Processor time, and what many measurements of it come to. */
#ifndef VLDAA_BENCH_TIMES_H
#define VLDAA_BENCH_TIMES_H

#include <stddef.h>

/* Of this process, in microseconds, from some time on. */
double microseconds(void);

typedef struct {
	double mean, least, median, p99;
} times_summary;

/* n > 0 measurements, which it sorts. */
times_summary times_of(double *times, size_t n);
/* The same, and prints a line of it. */
times_summary times_print(const char *name, double *times, size_t n);

#endif
