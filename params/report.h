/* Output of show, check and search: aligned text for people or JSON for programs, from the same
 * calls. */
#ifndef VLDAA_PARAMS_REPORT_H
#define VLDAA_PARAMS_REPORT_H

#include "exact.h"

#include <stdio.h>

/* What a check found. */
typedef struct {
	const char *name;
	int ok;
	char says[400]; /* a sentence, with the numbers */
} vldaa_verdict;

void vldaa_verdict_set(vldaa_verdict *out, const char *name, int ok, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

typedef struct {
	FILE *file;
	int json;
	int sets;     /* how many sets were opened */
	int sections; /* in the open set */
	int items;    /* in the open section */
	int failed;   /* how many verdicts were not ok */
} vldaa_report;

void vldaa_report_init(vldaa_report *report, FILE *file, int json);
/* The end of everything.  0, or -1 when something could not be written. */
int vldaa_report_finish(vldaa_report *report);

void vldaa_report_open_set(vldaa_report *report, const char *family, const char *name,
			   const char *origin);
void vldaa_report_close_set(vldaa_report *report);

/* A section of named values.  `key` is for JSON, `how` for people (NULL: nothing). */
void vldaa_report_open_values(vldaa_report *report, const char *key, const char *title);
void vldaa_report_integer(vldaa_report *report, const char *key, const fmpz_t value,
			  const char *how);
void vldaa_report_unsigned(vldaa_report *report, const char *key, uint64_t value, const char *how);
void vldaa_report_real(vldaa_report *report, const char *key, double value, const char *how);
void vldaa_report_text(vldaa_report *report, const char *key, const char *value, const char *how);
void vldaa_report_close_values(vldaa_report *report);

/* A section of rows under the same columns; every cell but the first is a number. */
void vldaa_report_open_table(vldaa_report *report, const char *key, const char *title,
			     const char *const *columns, uint32_t count);
void vldaa_report_row(vldaa_report *report, const char *const *columns, const char *const *cells,
		      uint32_t count);
void vldaa_report_close_table(vldaa_report *report);

/* A section of verdicts. */
void vldaa_report_open_verdicts(vldaa_report *report, const char *key, const char *title);
void vldaa_report_verdict(vldaa_report *report, const vldaa_verdict *verdict);
void vldaa_report_close_verdicts(vldaa_report *report);

#endif
