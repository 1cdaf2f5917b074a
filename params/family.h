/*
 * A family of parameter sets: sets of one kind, described, derived and checked by the same
 * functions. Commands know families only through this table; a new kind of set adds one entry to
 * families.c.
 */
#ifndef VLDAA_PARAMS_FAMILY_H
#define VLDAA_PARAMS_FAMILY_H

#include "report.h"

typedef struct {
	const char *name;
	const char *summary;
	uint32_t (*count)(void);
	/* The index-th set; what it points to is the family's own business. */
	const void *(*set)(uint32_t index);
	const char *(*set_name)(const void *set);
	const char *(*set_summary)(const void *set);
	/* Every number, and where it comes from. */
	void (*show)(vldaa_report *report, const void *set);
	/* The conditions of the set's own source; with `security`, also what the set gives and does
	 * not give. */
	void (*check)(vldaa_report *report, const void *set, int security);
	/* Writes the family's files below the root of a source tree.  0, or -1 with errno. */
	int (*generate)(const char *directory);
} vldaa_family;

extern const vldaa_family vldaa_family_published;
extern const vldaa_family vldaa_family_oneshot;

extern const vldaa_family *const vldaa_families[];
extern const uint32_t vldaa_family_count;

/* The set of that name in any family, or NULL. */
const void *vldaa_family_find(const vldaa_family **family, const char *name);

#endif
