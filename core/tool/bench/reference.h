/* What others measured, to compare with: each figure with its source. */
#ifndef VLDAA_TOOL_BENCH_REFERENCE_H
#define VLDAA_TOOL_BENCH_REFERENCE_H

#include "bench/operation.h"

typedef struct {
	const char *key;   /* its name in JSON: "sc24" */
	const char *title; /* its column: "SC24" */
	const char *text;  /* what, where, on which machine */
	int ratio;         /* the table says how many times faster and smaller ours is */
} vldaa_publication;

/* Figures for one set; 0: none. */
typedef struct {
	const vldaa_publication *publication;
	const char *set;
	double seconds[VLDAA_BENCH_OPERATIONS];
	double bytes[VLDAA_BENCH_OBJECTS];
} vldaa_reference;

/* The set's references: index 0, 1, ... until NULL. */
const vldaa_reference *vldaa_reference_at(const vldaa_set *set, size_t index);
/* All publications: index 0, 1, ... until NULL. */
const vldaa_publication *vldaa_publication_at(size_t index);

#endif
