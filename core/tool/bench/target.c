#include "bench/target.h"

#include <string.h>

#define MS 1e6
#define S 1e9

typedef struct {
	const char *set;
	vldaa_target target;
} row;

static const row rows[] = {
    {"VLDAA2-44",
     {.mean = {[VLDAA_BENCH_SETUP] = 5 * S, /* nearly all of it makes the NTRU key */
	       [VLDAA_BENCH_ISSUE] = 25 * MS,
	       [VLDAA_BENCH_ANSWER] = 5 * MS,
	       [VLDAA_BENCH_CREATE] = 60 * MS,
	       [VLDAA_BENCH_SIGN] = 0.5 * MS,
	       [VLDAA_BENCH_VERIFY_ATTESTATION] = 15 * MS,
	       [VLDAA_BENCH_VERIFY_MESSAGE] = 0.15 * MS},
      .p99 = {[VLDAA_BENCH_CREATE] = 250 * MS},
      .bytes = {[VLDAA_BENCH_GROUP_KEY] = 1000,
		[VLDAA_BENCH_REQUEST_ALONE] = 18500,
		[VLDAA_BENCH_CREDENTIAL] = 1600,
		[VLDAA_BENCH_ATTESTATION] = 22500,
		[VLDAA_BENCH_BARE] = 2420}}},
    {"VLDAA2-87", {.bytes = {[VLDAA_BENCH_ATTESTATION] = 36500, [VLDAA_BENCH_BARE] = 4627}}},
};

const vldaa_target *vldaa_target_of(const vldaa_set *set)
{
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		if (strcmp(rows[i].set, vldaa_set_name(set)) == 0)
			return &rows[i].target;
	}
	return NULL;
}

int vldaa_target_time_met(const vldaa_target *target, enum vldaa_bench_operation operation,
			  const vldaa_sample_summary *summary)
{
	const double mean = target ? target->mean[operation] : 0;
	const double p99 = target ? target->p99[operation] : 0;

	if (mean <= 0 && p99 <= 0)
		return -1;
	return !(mean > 0 && summary->mean > mean) && !(p99 > 0 && summary->p99 > p99);
}

int vldaa_target_bytes_met(const vldaa_target *target, enum vldaa_bench_object object, size_t bytes)
{
	if (!target || target->bytes[object] == 0)
		return -1;
	return bytes <= target->bytes[object];
}
