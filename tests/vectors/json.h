/* Writes JSON of objects, arrays, strings, numbers, one member a line. */
#ifndef VLDAA_TEST_JSON_H
#define VLDAA_TEST_JSON_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct {
	FILE *out;
	int depth;
	int members; /* written in the object or array that is open */
} json;

/* name is NULL in arrays and for the whole; bracket: '{' or '['. */
void json_open(json *j, const char *name, char bracket);
void json_close(json *j, char bracket);
void json_text(json *j, const char *name, const char *text);
void json_number(json *j, const char *name, uint64_t number);
void json_hex(json *j, const char *name, const void *bytes, size_t len);

#endif
