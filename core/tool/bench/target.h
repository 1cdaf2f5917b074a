/* What a set is meant to stay within, on two cores of a cloud server and one thread. */
#ifndef VLDAA_TOOL_BENCH_TARGET_H
#define VLDAA_TOOL_BENCH_TARGET_H

#include "bench/measure.h"

/* Nanoseconds and bytes, at most; 0: no limit was set. */
typedef struct {
	double mean[VLDAA_BENCH_OPERATIONS];
	double p99[VLDAA_BENCH_OPERATIONS];
	size_t bytes[VLDAA_BENCH_OBJECTS];
} vldaa_target;

/* NULL for a set that has none. */
const vldaa_target *vldaa_target_of(const vldaa_set *set);
/* 1 when there is a limit and it is kept, 0 when it is passed, -1 when there is none. */
int vldaa_target_time_met(const vldaa_target *target, enum vldaa_bench_operation operation,
			  const vldaa_sample_summary *summary);
int vldaa_target_bytes_met(const vldaa_target *target, enum vldaa_bench_object object,
			   size_t bytes);

#endif
