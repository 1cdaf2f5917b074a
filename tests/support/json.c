#include "json.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { OBJECT, ARRAY, STRING, INTEGER, BOOLEAN, NOTHING };

enum { MAX_DEPTH = 16, MAX_PATH = 512 };

/* A value, the first of the values inside it, and the next one beside it. */
struct json {
	enum kind kind;
	char *name; /* of a member of an object */
	char *string;
	int64_t integer; /* or boolean */
	size_t count;
	json *first;
	json *next;
};

typedef struct {
	const char *at;
	const char *end;
	unsigned depth;
} reader;

static void *allocate(size_t len)
{
	void *p = calloc(1, len);

	ck_assert_ptr_nonnull(p);
	return p;
}

void json_free(json *j)
{
	while (j) {
		json *next = j->next;

		json_free(j->first);
		free(j->name);
		free(j->string);
		free(j);
		j = next;
	}
}

static void skip_space(reader *r)
{
	while (r->at < r->end && strchr(" \t\n\r", *r->at) && *r->at)
		r->at++;
}

/* 1 when this character is next; it is taken. */
static int take(reader *r, char c)
{
	skip_space(r);
	if (r->at == r->end || *r->at != c)
		return 0;
	r->at++;
	return 1;
}

static int take_word(reader *r, const char *word)
{
	const size_t len = strlen(word);

	if ((size_t)(r->end - r->at) < len || memcmp(r->at, word, len) != 0)
		return 0;
	r->at += len;
	return 1;
}

/* The character that an escape stands for, 0 for none of ours. */
static char take_escape(reader *r)
{
	static const char letters[] = "\"\\/bfnrt";
	static const char meanings[] = "\"\\/\b\f\n\r\t";
	const char *letter;

	if (r->at == r->end || !*r->at)
		return 0;
	letter = strchr(letters, *r->at++);
	return letter ? meanings[letter - letters] : 0;
}

/* NULL when it is not a string. */
static char *take_string(reader *r)
{
	const char *quote;
	char *out;
	size_t len = 0;

	if (!take(r, '"'))
		return NULL;
	quote = r->at;
	while (quote < r->end && *quote != '"')
		quote += *quote == '\\' ? 2 : 1;
	out = allocate((size_t)(quote - r->at) + 1);
	while (r->at < r->end) {
		char c = *r->at++;

		if (c == '"')
			return out;
		if (c == '\\')
			c = take_escape(r);
		else if (c < 0x20 || c > 0x7e)
			c = 0;
		if (!c)
			break;
		out[len++] = c;
	}
	free(out);
	return NULL;
}

static int take_integer(reader *r, int64_t *out)
{
	const int negative = r->at < r->end && *r->at == '-';
	const char *digits = r->at += negative;
	int64_t value = 0;

	for (; r->at < r->end && *r->at >= '0' && *r->at <= '9'; r->at++) {
		if (value > (INT64_MAX - 9) / 10)
			return 0;
		value = 10 * value + (*r->at - '0');
	}
	*out = negative ? -value : value;
	/* digits, and no useless 0 before others */
	return r->at > digits && (*digits != '0' || r->at == digits + 1);
}

static json *take_value(reader *r);

/* What is between brackets; 1 when it is well formed. */
static int take_inside(reader *r, json *j, char close)
{
	json **end = &j->first;

	if (take(r, close))
		return 1;
	do {
		char *name = NULL;

		if (j->kind == OBJECT) {
			name = take_string(r);
			if (!name || json_has(j, name) || !take(r, ':')) {
				free(name);
				return 0;
			}
		}
		*end = take_value(r);
		if (!*end) {
			free(name);
			return 0;
		}
		(*end)->name = name;
		end = &(*end)->next;
		j->count++;
	} while (take(r, ','));
	return take(r, close);
}

static json *take_value(reader *r)
{
	json *j = allocate(sizeof *j);
	int good = 0;

	skip_space(r);
	if (r->at == r->end || ++r->depth > MAX_DEPTH) {
		json_free(j);
		return NULL;
	}
	switch (*r->at) {
	case '{':
		r->at++;
		j->kind = OBJECT;
		good = take_inside(r, j, '}');
		break;
	case '[':
		r->at++;
		j->kind = ARRAY;
		good = take_inside(r, j, ']');
		break;
	case '"':
		j->kind = STRING;
		j->string = take_string(r);
		good = j->string != NULL;
		break;
	case 't':
		j->kind = BOOLEAN;
		j->integer = 1;
		good = take_word(r, "true");
		break;
	case 'f':
		j->kind = BOOLEAN;
		good = take_word(r, "false");
		break;
	case 'n':
		j->kind = NOTHING;
		good = take_word(r, "null");
		break;
	default:
		j->kind = INTEGER;
		good = take_integer(r, &j->integer);
	}
	r->depth--;
	if (!good) {
		json_free(j);
		return NULL;
	}
	return j;
}

json *json_parse(const char *text, size_t len)
{
	reader r = {text, text + len, 0};
	json *j = take_value(&r);

	skip_space(&r);
	if (j && r.at != r.end) {
		json_free(j);
		return NULL;
	}
	return j;
}

json *json_vectors(const char *name)
{
	char path[MAX_PATH];
	FILE *file;
	char *text;
	long len;
	json *j;

	snprintf(path, sizeof path, "%s/%s", VLDAA_TEST_VECTORS, name);
	file = fopen(path, "rb");
	ck_assert_msg(file != NULL, "%s cannot be opened", path);
	ck_assert_int_eq(fseek(file, 0, SEEK_END), 0);
	len = ftell(file);
	ck_assert_int_ge(len, 0);
	rewind(file);
	text = allocate((size_t)len + 1);
	ck_assert_uint_eq(fread(text, 1, (size_t)len, file), (size_t)len);
	fclose(file);
	j = json_parse(text, (size_t)len);
	free(text);
	ck_assert_msg(j != NULL, "%s is not JSON", path);
	return j;
}

size_t json_count(const json *j)
{
	ck_assert(j->kind == ARRAY || j->kind == OBJECT);
	return j->count;
}

const json *json_at(const json *array, size_t i)
{
	const json *j = array->first;

	ck_assert(array->kind == ARRAY);
	ck_assert_uint_lt(i, array->count);
	while (i--)
		j = j->next;
	return j;
}

static const json *find(const json *object, const char *name)
{
	const json *j = object->first;

	ck_assert(object->kind == OBJECT);
	while (j && strcmp(j->name, name) != 0)
		j = j->next;
	return j;
}

int json_has(const json *object, const char *name)
{
	return find(object, name) != NULL;
}

const json *json_get(const json *object, const char *name)
{
	const json *j = find(object, name);

	ck_assert_msg(j != NULL, "no member \"%s\"", name);
	return j;
}

int64_t json_integer(const json *j)
{
	ck_assert(j->kind == INTEGER);
	return j->integer;
}

int json_boolean(const json *j)
{
	ck_assert(j->kind == BOOLEAN);
	return (int)j->integer;
}

const char *json_string(const json *j)
{
	ck_assert(j->kind == STRING);
	return j->string;
}

int json_is_null(const json *j)
{
	return j->kind == NOTHING;
}

static unsigned digit(char c)
{
	static const char digits[] = "0123456789abcdef";

	return (unsigned)(strchr(digits, c) - digits);
}

uint8_t *json_bytes(const json *j, size_t *len)
{
	const size_t digits = strlen(json_string(j));
	uint8_t *out;

	/* one assertion, not one a digit: Check writes a file at each */
	ck_assert_uint_eq(strspn(j->string, "0123456789abcdef"), digits);
	ck_assert_uint_eq(digits % 2, 0);
	*len = digits / 2;
	out = allocate(*len + 1);
	for (size_t i = 0; i < *len; i++)
		out[i] = (uint8_t)(digit(j->string[2 * i]) << 4 | digit(j->string[2 * i + 1]));
	return out;
}

void json_exact_bytes(const json *j, uint8_t *out, size_t len)
{
	size_t have;
	uint8_t *bytes = json_bytes(j, &have);

	ck_assert_uint_eq(have, len);
	memcpy(out, bytes, len);
	free(bytes);
}
