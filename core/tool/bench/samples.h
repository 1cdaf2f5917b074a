/* Times of one operation, and what they come to. */
#ifndef VLDAA_TOOL_BENCH_SAMPLES_H
#define VLDAA_TOOL_BENCH_SAMPLES_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
	double *ns; /* nanoseconds, in the order of measuring */
	size_t count;
	size_t room;
} vldaa_samples;

/* Nanoseconds; all of an empty list are 0. */
typedef struct {
	double median;
	double p99; /* nearest rank: with fewer than 100 samples, the longest */
	double mean;
} vldaa_sample_summary;

/* Room for so many samples; VLDAA_ERR_MEMORY. */
int vldaa_samples_init(vldaa_samples *samples, size_t room);
void vldaa_samples_free(vldaa_samples *samples);

/*
 * The thread's processor time, in nanoseconds: what is measured computes and never waits, so that
 * on an idle machine this is the time that passes, and on a busy one it stays so.  Where the system
 * does not count it, the time that passes.
 */
double vldaa_bench_now(void);
/* Adds the time since start; what has no room is dropped. */
void vldaa_samples_add_since(vldaa_samples *samples, double start);
/* Sorts the samples. */
vldaa_sample_summary vldaa_samples_summary(vldaa_samples *samples);

#endif
