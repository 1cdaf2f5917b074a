/* Measures every operation of one set. */
#ifndef VLDAA_TOOL_BENCH_MEASURE_H
#define VLDAA_TOOL_BENCH_MEASURE_H

#include "bench/operation.h"
#include "bench/samples.h"

enum { VLDAA_BENCH_MESSAGE_BYTES = 256 };

typedef struct {
	const vldaa_set *set;
	vldaa_samples samples[VLDAA_BENCH_OPERATIONS];
	size_t bytes[VLDAA_BENCH_OBJECTS]; /* the longest seen */
} vldaa_measurement;

/* An ordinary signature beside them: ECDSA on P-256 with SHA-256, through libcrypto's EVP. */
typedef struct {
	vldaa_samples sign;
	vldaa_samples verify;
	size_t bytes; /* the longest signature seen */
} vldaa_baseline;

/* Called after every round. */
typedef void vldaa_bench_progress(void *arg);

/* Codes of vldaa/error.h.  Free the result also after an error. */
int vldaa_measure(vldaa_measurement *m, const vldaa_set *set, size_t iterations,
		  vldaa_bench_progress *progress, void *arg);
void vldaa_measurement_free(vldaa_measurement *m);

int vldaa_measure_baseline(vldaa_baseline *b, size_t iterations);
void vldaa_baseline_free(vldaa_baseline *b);

#endif
