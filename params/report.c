#include "report.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { LABEL_WIDTH = 22, TEXT_WIDTH = 100 };

void vldaa_verdict_set(vldaa_verdict *out, const char *name, int ok, const char *format, ...)
{
	va_list arguments;
	out->name = name;
	out->ok = ok;
	va_start(arguments, format);
	vsnprintf(out->says, sizeof(out->says), format, arguments);
	va_end(arguments);
}

void vldaa_report_init(vldaa_report *report, FILE *file, int json)
{
	*report = (vldaa_report){.file = file, .json = json};
	if (json)
		fprintf(file, "{\"sets\": [");
}

int vldaa_report_finish(vldaa_report *report)
{
	if (report->json)
		fprintf(report->file, "\n]}\n");
	return fflush(report->file) == 0 && !ferror(report->file) ? 0 : -1;
}

static void json_string(FILE *file, const char *text)
{
	fputc('"', file);
	for (; *text != '\0'; text++) {
		if (*text == '"' || *text == '\\')
			fprintf(file, "\\%c", *text);
		else if ((unsigned char)*text < 0x20)
			fprintf(file, "\\u%04x", (unsigned)(unsigned char)*text);
		else
			fputc(*text, file);
	}
	fputc('"', file);
}

/* Words from column `indent` on, broken before TEXT_WIDTH; the cursor stands at `indent` already.
 */
static void wrapped(FILE *file, const char *text, size_t indent)
{
	size_t column = indent;
	while (*text != '\0') {
		size_t word = strcspn(text, " ");
		if (column > indent && column + 1 + word > TEXT_WIDTH) {
			fprintf(file, "\n%*s", (int)indent, "");
			column = indent;
		} else if (column > indent) {
			fputc(' ', file);
			column++;
		}
		fprintf(file, "%.*s", (int)word, text);
		column += word;
		text += word;
		text += *text == ' ';
	}
	fputc('\n', file);
}

void vldaa_report_open_set(vldaa_report *report, const char *family, const char *name,
			   const char *origin)
{
	FILE *file = report->file;
	if (report->json) {
		fprintf(file, "%s\n{\"name\": ", report->sets > 0 ? "," : "");
		json_string(file, name);
		fprintf(file, ", \"family\": ");
		json_string(file, family);
		fprintf(file, ", \"origin\": ");
		json_string(file, origin);
	} else {
		fprintf(file, "%s%s (%s): %s\n", report->sets > 0 ? "\n" : "", name, family,
			origin);
	}
	report->sets++;
	report->sections = 0;
}

void vldaa_report_close_set(vldaa_report *report)
{
	if (report->json)
		fprintf(report->file, "}");
}

static void open_section(vldaa_report *report, const char *key, const char *title, char bracket)
{
	if (report->json) {
		fprintf(report->file, ",\n ");
		json_string(report->file, key);
		fprintf(report->file, ": %c", bracket);
	} else {
		fprintf(report->file, "\n  %s\n", title);
	}
	report->sections++;
	report->items = 0;
}

static void close_section(vldaa_report *report, char bracket)
{
	if (report->json)
		fputc(bracket, report->file);
}

void vldaa_report_open_values(vldaa_report *report, const char *key, const char *title)
{
	open_section(report, key, title, '{');
}

void vldaa_report_close_values(vldaa_report *report)
{
	close_section(report, '}');
}

static void value(vldaa_report *report, const char *key, const char *text, const char *how,
		  int quoted)
{
	FILE *file = report->file;
	if (report->json) {
		fprintf(file, "%s", report->items > 0 ? ", " : "");
		json_string(file, key);
		fprintf(file, ": ");
		if (quoted)
			json_string(file, text);
		else
			fprintf(file, "%s", text);
	} else {
		fprintf(file, "    %-*s%s", LABEL_WIDTH, key, text);
		int gap = 24 - (int)strlen(text);
		if (how != NULL)
			fprintf(file, "%*s  %s", gap > 0 ? gap : 0, "", how);
		fprintf(file, "\n");
	}
	report->items++;
}

void vldaa_report_integer(vldaa_report *report, const char *key, const fmpz_t number,
			  const char *how)
{
	char *text = fmpz_get_str(NULL, 10, number);
	value(report, key, text, how, 0);
	flint_free(text);
}

void vldaa_report_unsigned(vldaa_report *report, const char *key, uint64_t number, const char *how)
{
	char text[32];
	snprintf(text, sizeof(text), "%" PRIu64, number);
	value(report, key, text, how, 0);
}

void vldaa_report_real(vldaa_report *report, const char *key, double number, const char *how)
{
	char text[40];
	snprintf(text, sizeof(text), "%.16g", number);
	value(report, key, text, how, 0);
}

void vldaa_report_text(vldaa_report *report, const char *key, const char *text, const char *how)
{
	value(report, key, text, how, 1);
}

/* The first column holds words, the others numbers of at most 20 characters. */
static int column_width(const char *const *columns, uint32_t column)
{
	static const int first = LABEL_WIDTH;
	size_t name = strlen(columns[column]);
	if (column == 0)
		return first;
	return name < 11 ? 11 : (int)name;
}

void vldaa_report_open_table(vldaa_report *report, const char *key, const char *title,
			     const char *const *columns, uint32_t count)
{
	open_section(report, key, title, '[');
	if (report->json)
		return;
	fprintf(report->file, "    %-*s", column_width(columns, 0), columns[0]);
	for (uint32_t i = 1; i < count; i++)
		fprintf(report->file, " %*s", column_width(columns, i), columns[i]);
	fprintf(report->file, "\n");
}

void vldaa_report_row(vldaa_report *report, const char *const *columns, const char *const *cells,
		      uint32_t count)
{
	FILE *file = report->file;
	if (report->json) {
		fprintf(file, "%s\n  {", report->items > 0 ? "," : "");
		json_string(file, columns[0]);
		fprintf(file, ": ");
		json_string(file, cells[0]);
		for (uint32_t i = 1; i < count; i++) {
			fprintf(file, ", ");
			json_string(file, columns[i]);
			fprintf(file, ": %s", cells[i]);
		}
		fprintf(file, "}");
	} else {
		fprintf(file, "    %-*s", column_width(columns, 0), cells[0]);
		for (uint32_t i = 1; i < count; i++)
			fprintf(file, " %*s", column_width(columns, i), cells[i]);
		fprintf(file, "\n");
	}
	report->items++;
}

void vldaa_report_close_table(vldaa_report *report)
{
	close_section(report, ']');
}

void vldaa_report_open_verdicts(vldaa_report *report, const char *key, const char *title)
{
	open_section(report, key, title, '[');
}

void vldaa_report_verdict(vldaa_report *report, const vldaa_verdict *verdict)
{
	FILE *file = report->file;
	if (report->json) {
		fprintf(file, "%s\n  {\"name\": ", report->items > 0 ? "," : "");
		json_string(file, verdict->name);
		fprintf(file, ", \"ok\": %s, \"says\": ", verdict->ok ? "true" : "false");
		json_string(file, verdict->says);
		fprintf(file, "}");
	} else {
		fprintf(file, "    %-*s%-8s", LABEL_WIDTH, verdict->name,
			verdict->ok ? "ok" : "FAILED");
		wrapped(file, verdict->says, 4 + LABEL_WIDTH + 8);
	}
	report->items++;
	report->failed += !verdict->ok;
}

void vldaa_report_close_verdicts(vldaa_report *report)
{
	close_section(report, ']');
}
