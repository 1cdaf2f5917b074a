/*
 * Reads the JSON of tests/vectors: a strict reader of RFC 8259 whose strings are ASCII and whose
 * numbers are integers, since that is all that vectors need.
 *
 * Every function but json_parse and json_has asserts that it finds what it is asked for.
 */
#ifndef VLDAA_TEST_JSON_READER_H
#define VLDAA_TEST_JSON_READER_H

#include <stddef.h>
#include <stdint.h>

typedef struct json json;

/* NULL when the text is not JSON of this kind. */
json *json_parse(const char *text, size_t len);
/* The file of this name in tests/vectors. */
json *json_vectors(const char *name);
void json_free(json *root);

/* Elements of an array, or members of an object. */
size_t json_count(const json *j);
const json *json_at(const json *array, size_t i);
int json_has(const json *object, const char *name);
const json *json_get(const json *object, const char *name);

int64_t json_integer(const json *j);
int json_boolean(const json *j);
const char *json_string(const json *j);
int json_is_null(const json *j);

/* The bytes of a string of hexadecimal digits, small letters; the caller frees them. */
uint8_t *json_bytes(const json *j, size_t *len);
/* The same when there are just so many. */
void json_exact_bytes(const json *j, uint8_t *out, size_t len);

#endif
