/* See json.h. */
#include "json.h"

static void member(json *j, const char *name)
{
	if (j->members++)
		fputs(",", j->out);
	if (j->depth > 0)
		fputs("\n", j->out);
	for (int i = 0; i < j->depth; i++)
		fputs("\t", j->out);
	if (name)
		fprintf(j->out, "\"%s\": ", name);
}

void json_open(json *j, const char *name, char bracket)
{
	member(j, name);
	fputc(bracket, j->out);
	j->depth++;
	j->members = 0;
}

void json_close(json *j, char bracket)
{
	j->depth--;
	fputs("\n", j->out);
	for (int i = 0; i < j->depth; i++)
		fputs("\t", j->out);
	fputc(bracket, j->out);
	j->members = 1;
	if (j->depth == 0)
		fputs("\n", j->out);
}

void json_text(json *j, const char *name, const char *text)
{
	member(j, name);
	fprintf(j->out, "\"%s\"", text);
}

void json_number(json *j, const char *name, uint64_t number)
{
	member(j, name);
	fprintf(j->out, "%llu", (unsigned long long)number);
}

void json_hex(json *j, const char *name, const void *bytes, size_t len)
{
	const uint8_t *b = bytes;

	member(j, name);
	fputc('"', j->out);
	for (size_t i = 0; i < len; i++)
		fprintf(j->out, "%02x", b[i]);
	fputc('"', j->out);
}
