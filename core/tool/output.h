/*
 * Output: JSON for programs, text for people, a progress bar on a terminal.
 */
#ifndef VLDAA_TOOL_OUTPUT_H
#define VLDAA_TOOL_OUTPUT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

/*
 * Writes one JSON value, indented, to a file.  name: the member's name inside an object, NULL
 * inside an array and for the outermost value.
 */
typedef struct {
	FILE *file;
	int depth;
	int empty; /* nothing was written yet at this depth */
} vldaa_json;

void vldaa_json_init(vldaa_json *json, FILE *file);
void vldaa_json_object(vldaa_json *json, const char *name);
void vldaa_json_object_end(vldaa_json *json);
void vldaa_json_array(vldaa_json *json, const char *name);
void vldaa_json_array_end(vldaa_json *json);
/* Strings are UTF-8; what is not, becomes U+FFFD.  text NULL: null. */
void vldaa_json_string(vldaa_json *json, const char *name, const char *text);
void vldaa_json_text(vldaa_json *json, const char *name, const uint8_t *text, size_t len);
void vldaa_json_hex(vldaa_json *json, const char *name, const uint8_t *bytes, size_t len);
void vldaa_json_int(vldaa_json *json, const char *name, int64_t value);
/* With as many digits as it takes to tell it from its neighbours; NaN and infinity become null. */
void vldaa_json_double(vldaa_json *json, const char *name, double value);
void vldaa_json_bool(vldaa_json *json, const char *name, int value);
void vldaa_json_null(vldaa_json *json, const char *name);

/* Bytes from a stranger, on a terminal: printable UTF-8 as it is, everything else and the backslash
 * as \xNN. */
void vldaa_print_text(FILE *file, const uint8_t *text, size_t len);
void vldaa_print_hex(FILE *file, const uint8_t *bytes, size_t len);
/* 2025-01-31T12:00:00Z. */
enum { VLDAA_TIME_TEXT = 32 };
void vldaa_time_text(char text[VLDAA_TIME_TEXT], int64_t seconds);

/* Flushes stdout; VLDAA_EXIT_FAILED, having said why, when something was not written. */
int vldaa_output_finish(void);

/* A progress bar on stderr, when that is a terminal and there is more than one thing to do. */
typedef struct {
	const char *what; /* "issuing" */
	size_t total;
	const char *unit; /* behind the numbers; "" after begin */
	int shown;
	struct timespec drawn;
} vldaa_progress;

void vldaa_progress_begin(vldaa_progress *progress, const char *what, size_t total);
void vldaa_progress_step(vldaa_progress *progress, size_t done);
/* Removes the bar; call it before other output to stderr too: the next step draws it again. */
void vldaa_progress_end(vldaa_progress *progress);

#endif
