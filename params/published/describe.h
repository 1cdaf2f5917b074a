/* How a published set, typed in or found by a search, is shown and checked. */
#ifndef VLDAA_PARAMS_DESCRIBE_H
#define VLDAA_PARAMS_DESCRIBE_H

#include "published/published.h"
#include "report.h"

/* Parts of a report. */
enum { VLDAA_PART_NUMBERS = 1, VLDAA_PART_CONDITIONS = 2, VLDAA_PART_SECURITY = 4 };

void vldaa_published_report(vldaa_report *report, const vldaa_published_choice *choice,
			    unsigned parts);

#endif
