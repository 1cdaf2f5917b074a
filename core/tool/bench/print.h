/* The measurements, for people and for programs. */
#ifndef VLDAA_TOOL_BENCH_PRINT_H
#define VLDAA_TOOL_BENCH_PRINT_H

#include "bench/measure.h"

/* Everything that was measured. */
typedef struct {
	size_t iterations;
	const char *processor; /* the processor's name, or NULL when it is not known */
	vldaa_measurement *sets;
	size_t set_count;
	vldaa_baseline *baseline;
} vldaa_bench_result;

/* Both sort the samples. */
void vldaa_bench_print_table(const vldaa_bench_result *result);
void vldaa_bench_print_json(const vldaa_bench_result *result);

/* "verify_attestation", "compact_signature": names in JSON. */
const char *vldaa_bench_operation_name(enum vldaa_bench_operation operation);
const char *vldaa_bench_object_name(enum vldaa_bench_object object);

#endif
