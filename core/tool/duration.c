#include "duration.h"

enum { MINUTE = 60, HOUR = 3600, DAY = 86400, WEEK = 604800 };

static const int64_t longest = INT64_C(1000) * 366 * DAY;

static int64_t unit_seconds(char unit)
{
	switch (unit) {
	case 's':
		return 1;
	case 'm':
		return MINUTE;
	case 'h':
		return HOUR;
	case 'd':
		return DAY;
	case 'w':
		return WEEK;
	default:
		return 0;
	}
}

int vldaa_duration_parse(int64_t *seconds, const char *text)
{
	const char *p = text;
	int64_t n = 0, unit;

	while (*p >= '0' && *p <= '9' && n <= longest)
		n = n * 10 + (*p++ - '0');
	/* Who writes 30 may mean days: only of 0 the unit does not matter. */
	unit = *p == '\0' && n == 0 ? 1 : unit_seconds(*p);
	if (p == text || unit == 0 || (*p && p[1]) || n > longest / unit)
		return -1;
	*seconds = n * unit;
	return 0;
}
