#include "looks_like.h"

#include <stdio.h>
#include <string.h>

#include "vldaa/params.h"

static int starts(const uint8_t *data, size_t len, const char *with)
{
	return len >= strlen(with) && memcmp(data, with, strlen(with)) == 0;
}

/* The position of the text in the first bytes; -1: not there. */
static long find(const uint8_t *data, size_t len, const char *text)
{
	const size_t n = strlen(text);

	for (size_t i = 0; i + n <= len; i++) {
		if (memcmp(data + i, text, n) == 0)
			return (long)i;
	}
	return -1;
}

/* "PEM of another kind than ours (CERTIFICATE)".  The label is a stranger's: only capital letters, digits and spaces. */
static int pem_label(char text[VLDAA_LOOKS_LIKE_TEXT], const uint8_t *data, size_t len)
{
	static const char begin[] = "-----BEGIN ";
	long at = find(data, len, begin);
	char label[48];
	size_t n = 0;

	if (at < 0)
		return 0;
	for (size_t i = (size_t)at + strlen(begin); i < len && n + 1 < sizeof label; i++) {
		const char c = (char)data[i];

		if ((c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != ' ')
			break;
		label[n++] = c;
	}
	label[n] = '\0';
	if (strcmp(label, "ENCRYPTED PRIVATE KEY") == 0)
		(void)snprintf(text, VLDAA_LOOKS_LIKE_TEXT, "an encrypted private key in PEM");
	else
		(void)snprintf(text, VLDAA_LOOKS_LIKE_TEXT, "PEM of another kind than ours (%s)",
			       label);
	return 1;
}

/* "a bare signature of VLDAA2-44, by its length". */
static int is_bare(char text[VLDAA_LOOKS_LIKE_TEXT], size_t len)
{
	const vldaa_set *set;

	for (size_t i = 0; (set = vldaa_set_at(i)) != NULL; i++) {
		if (len > 0 && len == vldaa_set_bare_size(set)) {
			(void)snprintf(text, VLDAA_LOOKS_LIKE_TEXT,
				       "a bare signature of %s, by its length",
				       vldaa_set_name(set));
			return 1;
		}
	}
	return 0;
}

static int is_text(const uint8_t *data, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if ((data[i] < 0x20 && (data[i] < '\t' || data[i] > '\r')) || data[i] == 0x7f)
			return 0;
	}
	return 1;
}

/* One outermost DER SEQUENCE that fills the file (X.690 8.1.3). */
static int is_der(const uint8_t *data, size_t len)
{
	size_t bytes, n = 0;

	if (len < 2 || data[0] != 0x30)
		return 0;
	if (data[1] < 0x80)
		return len == (size_t)data[1] + 2;
	bytes = data[1] & 0x7fU;
	if (bytes == 0 || bytes > 4 || len < 2 + bytes)
		return 0;
	for (size_t i = 0; i < bytes; i++)
		n = n << 8 | data[2 + i];
	return len - 2 - bytes == n;
}

void vldaa_looks_like(char text[VLDAA_LOOKS_LIKE_TEXT], const uint8_t *data, size_t len)
{
	const size_t head = len < 4096 ? len : 4096;

	if (len == 0)
		(void)snprintf(text, VLDAA_LOOKS_LIKE_TEXT, "an empty file");
	else if (pem_label(text, data, head))
		return;
	else if (starts(data, len, "SQLite format 3"))
		(void)snprintf(text, VLDAA_LOOKS_LIKE_TEXT, "an SQLite database");
	else if (is_der(data, len))
		(void)snprintf(text, VLDAA_LOOKS_LIKE_TEXT,
			       "DER: a certificate or key of another kind than ours");
	else if (starts(data, len, "VLD"))
		(void)snprintf(text, VLDAA_LOOKS_LIKE_TEXT, "a damaged object of ours");
	else if (is_text(data, head))
		(void)snprintf(text, VLDAA_LOOKS_LIKE_TEXT, "text");
	else if (!is_bare(text, len))
		(void)snprintf(text, VLDAA_LOOKS_LIKE_TEXT, "binary data");
}
