#include "output.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report.h"

/* --- text --------------------------------------------------------------------------------------
 */

/*
 * The length of the UTF-8 character (RFC 3629: shortest form, no surrogates, up to U+10FFFF) that
 * begins here; 0 when none does.
 */
static size_t utf8_length(const uint8_t *p, size_t len)
{
	uint32_t value;
	size_t n;

	if (p[0] < 0x80)
		return 1;
	if (p[0] >= 0xc2 && p[0] <= 0xdf)
		n = 2;
	else if ((p[0] & 0xf0) == 0xe0)
		n = 3;
	else if (p[0] >= 0xf0 && p[0] <= 0xf4)
		n = 4;
	else
		return 0;
	if (n > len)
		return 0;
	value = p[0] & (0x7fU >> n);
	for (size_t i = 1; i < n; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		value = value << 6 | (p[i] & 0x3fU);
	}
	if (n == 3 && (value < 0x800 || (value >= 0xd800 && value <= 0xdfff)))
		return 0;
	if (n == 4 && (value < 0x10000 || value > 0x10ffff))
		return 0;
	return n;
}

void vldaa_print_hex(FILE *file, const uint8_t *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		fprintf(file, "%02x", bytes[i]);
}

void vldaa_print_text(FILE *file, const uint8_t *text, size_t len)
{
	for (size_t i = 0; i < len;) {
		size_t n = utf8_length(text + i, len - i);
		/* C1 controls (U+0080 to U+009F) move a terminal's cursor too; so may U+202A to
		 * U+202E and U+2066 to U+2069, which turn the direction of what follows. */
		int control = n == 1 && (text[i] < 0x20 || text[i] == 0x7f || text[i] == '\\');

		if (n == 2 && text[i] == 0xc2 && text[i + 1] < 0xa0)
			control = 1;
		if (n == 3 && text[i] == 0xe2 && text[i + 1] == 0x80 && text[i + 2] >= 0xaa &&
		    text[i + 2] <= 0xae)
			control = 1;
		if (n == 3 && text[i] == 0xe2 && text[i + 1] == 0x81 && text[i + 2] >= 0xa6 &&
		    text[i + 2] <= 0xa9)
			control = 1;
		if (n == 0 || control) {
			fprintf(file, "\\x%02x", text[i]);
			n = 1;
		} else {
			(void)fwrite(text + i, 1, n, file);
		}
		i += n;
	}
}

void vldaa_time_text(char text[VLDAA_TIME_TEXT], int64_t seconds)
{
	time_t t = (time_t)seconds;
	struct tm tm;

	if (!gmtime_r(&t, &tm) || strftime(text, VLDAA_TIME_TEXT, "%Y-%m-%dT%H:%M:%SZ", &tm) == 0)
		(void)snprintf(text, VLDAA_TIME_TEXT, "%" PRId64, seconds);
}

/* --- JSON --------------------------------------------------------------------------------------
 */

static void json_quote(FILE *file, const uint8_t *text, size_t len)
{
	fputc('"', file);
	for (size_t i = 0; i < len;) {
		size_t n = utf8_length(text + i, len - i);

		if (n == 0) {
			fputs("\\ufffd", file);
			n = 1;
		} else if (n == 1 && (text[i] == '"' || text[i] == '\\')) {
			fprintf(file, "\\%c", text[i]);
		} else if (n == 1 && (text[i] < 0x20 || text[i] == 0x7f)) {
			fprintf(file, "\\u%04x", text[i]);
		} else {
			(void)fwrite(text + i, 1, n, file);
		}
		i += n;
	}
	fputc('"', file);
}

static void json_indent(vldaa_json *json)
{
	fprintf(json->file, "\n%*s", 2 * json->depth, "");
}

/* What stands before every value. */
static void json_begin(vldaa_json *json, const char *name)
{
	if (json->depth > 0) {
		if (!json->empty)
			fputc(',', json->file);
		json_indent(json);
	}
	json->empty = 0;
	if (name) {
		json_quote(json->file, (const uint8_t *)name, strlen(name));
		fputs(": ", json->file);
	}
}

/* What stands after every value. */
static void json_end(vldaa_json *json)
{
	if (json->depth == 0)
		fputc('\n', json->file);
}

static void json_open(vldaa_json *json, const char *name, char bracket)
{
	json_begin(json, name);
	fputc(bracket, json->file);
	json->depth++;
	json->empty = 1;
}

static void json_close(vldaa_json *json, char bracket)
{
	json->depth--;
	if (!json->empty)
		json_indent(json);
	json->empty = 0;
	fputc(bracket, json->file);
	json_end(json);
}

void vldaa_json_init(vldaa_json *json, FILE *file)
{
	*json = (vldaa_json){file, 0, 1};
}

void vldaa_json_object(vldaa_json *json, const char *name)
{
	json_open(json, name, '{');
}

void vldaa_json_object_end(vldaa_json *json)
{
	json_close(json, '}');
}

void vldaa_json_array(vldaa_json *json, const char *name)
{
	json_open(json, name, '[');
}

void vldaa_json_array_end(vldaa_json *json)
{
	json_close(json, ']');
}

void vldaa_json_text(vldaa_json *json, const char *name, const uint8_t *text, size_t len)
{
	json_begin(json, name);
	json_quote(json->file, text, len);
	json_end(json);
}

void vldaa_json_string(vldaa_json *json, const char *name, const char *text)
{
	if (text)
		vldaa_json_text(json, name, (const uint8_t *)text, strlen(text));
	else
		vldaa_json_null(json, name);
}

void vldaa_json_hex(vldaa_json *json, const char *name, const uint8_t *bytes, size_t len)
{
	json_begin(json, name);
	fputc('"', json->file);
	vldaa_print_hex(json->file, bytes, len);
	fputc('"', json->file);
	json_end(json);
}

void vldaa_json_int(vldaa_json *json, const char *name, int64_t value)
{
	json_begin(json, name);
	fprintf(json->file, "%" PRId64, value);
	json_end(json);
}

void vldaa_json_double(vldaa_json *json, const char *name, double value)
{
	char text[32];

	/* A difference with itself is 0 for finite numbers only. */
	if (!(value - value == 0)) {
		vldaa_json_null(json, name);
		return;
	}
	/* 17 digits always suffice (IEEE 754 binary64), fewer usually do and read better. */
	for (int digits = 15; digits <= 17; digits++) {
		(void)snprintf(text, sizeof text, "%.*g", digits, value);
		if (strtod(text, NULL) == value)
			break;
	}
	json_begin(json, name);
	fputs(text, json->file);
	json_end(json);
}

void vldaa_json_bool(vldaa_json *json, const char *name, int value)
{
	json_begin(json, name);
	fputs(value ? "true" : "false", json->file);
	json_end(json);
}

void vldaa_json_null(vldaa_json *json, const char *name)
{
	json_begin(json, name);
	fputs("null", json->file);
	json_end(json);
}

/* --- the end -----------------------------------------------------------------------------------
 */

int vldaa_output_finish(void)
{
	int failed = ferror(stdout);

	if (fflush(stdout) != 0)
		return vldaa_report_errno("standard output");
	if (failed) {
		vldaa_say("standard output: not everything was written");
		return VLDAA_EXIT_FAILED;
	}
	return VLDAA_EXIT_OK;
}

/* --- progress ----------------------------------------------------------------------------------
 */

enum { BAR = 40, REDRAW_NANOSECONDS = 100000000 };

void vldaa_progress_begin(vldaa_progress *progress, const char *what, size_t total)
{
	memset(progress, 0, sizeof *progress);
	progress->what = what;
	progress->unit = "";
	progress->total = isatty(STDERR_FILENO) && total > 1 ? total : 0;
}

void vldaa_progress_step(vldaa_progress *progress, size_t done)
{
	struct timespec now = {0, 0};
	int64_t since;
	size_t filled;

	if (progress->total == 0)
		return;
	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	since = (int64_t)(now.tv_sec - progress->drawn.tv_sec) * 1000000000 + now.tv_nsec -
		progress->drawn.tv_nsec;
	if (progress->shown && since < REDRAW_NANOSECONDS)
		return;
	progress->drawn = now;
	progress->shown = 1;
	if (done > progress->total)
		done = progress->total;
	filled = (size_t)((double)done / (double)progress->total * BAR);
	fprintf(stderr, "\r%s [", progress->what);
	for (size_t i = 0; i < BAR; i++)
		fputc(i < filled ? '#' : '.', stderr);
	fprintf(stderr, "] %zu/%zu%s", done, progress->total, progress->unit);
	(void)fflush(stderr);
}

void vldaa_progress_end(vldaa_progress *progress)
{
	if (!progress->shown)
		return;
	fprintf(stderr, "\r%*s\r", (int)strlen(progress->what) + BAR + 48, "");
	(void)fflush(stderr);
	progress->shown = 0;
}
