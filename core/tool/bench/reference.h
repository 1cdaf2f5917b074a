/*
 * What was measured and published before, to compare with.
 *
 * Source: Lesaignoux and Carmona, "On the Implementation of a Lattice-Based DAA for Vanet System",
 * SECRYPT 2024, doi 10.5220/0012717900003767 ("SC24"), Tables 3 and 4: mean of 50 runs on a Core
 * i5-8265U at 1.60 GHz.  Its column for d = 128, q = 114356107 is VLDAA-42.  Table 3 repeats, for
 * the same parameters, the times of Chen, Tu, Yu, Zhao and Wang, Security and Communication
 * Networks 2021, article 4660875 ("Chen 2021").
 */
#ifndef VLDAA_TOOL_BENCH_REFERENCE_H
#define VLDAA_TOOL_BENCH_REFERENCE_H

#include "bench/operation.h"

/* Seconds (SC24 Table 3); 0: not published. */
double vldaa_sc24_seconds(const vldaa_set *set, enum vldaa_bench_operation operation);
double vldaa_chen2021_seconds(const vldaa_set *set, enum vldaa_bench_operation operation);
/* Bytes (SC24 Table 4 and the text below it); 0: not published. */
double vldaa_sc24_bytes(const vldaa_set *set, enum vldaa_bench_object object);

#endif
