/*
 * PEM (RFC 7468).  Written here because libcrypto's PEM functions leave parts of the key in freed
 * memory.
 */
#include "internal.h"

#include <string.h>

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#define BEGIN "-----BEGIN "
#define END "-----END "

static const char *const labels[VLDAA_SHAPES] = {
    [VLDAA_SHAPE_PRIVATE] = PEM_STRING_PKCS8INF "-----",
    [VLDAA_SHAPE_ENCRYPTED] = PEM_STRING_PKCS8 "-----",
    [VLDAA_SHAPE_PUBLIC] = PEM_STRING_PUBLIC "-----",
};

/* Appends text; the buffer was made large enough. */
static uint8_t *append(uint8_t *p, const char *text)
{
	size_t len = strlen(text);

	memcpy(p, text, len);
	return p + len;
}

int vldaa_pem_encode(uint8_t **out, size_t *len, enum vldaa_keyfile_shape shape, const uint8_t *der,
		     size_t der_len)
{
	enum { LINE = 48 }; /* bytes in a line of 64 characters */
	const char *label = labels[shape];
	size_t lines = (der_len + LINE - 1) / LINE;
	size_t size =
	    strlen(BEGIN) + strlen(END) + 2 * strlen(label) + 2 + (der_len + 2) / 3 * 4 + lines;
	/* EVP_EncodeBlock ends with a NUL, overwritten but for the last. */
	uint8_t *text = OPENSSL_malloc(size + 1);
	uint8_t *p = text;

	if (text == NULL)
		return VLDAA_ERR_MEMORY;
	p = append(p, BEGIN);
	p = append(p, label);
	*p++ = '\n';
	for (size_t at = 0; at < der_len; at += LINE) {
		size_t n = der_len - at < LINE ? der_len - at : LINE;

		p += EVP_EncodeBlock(p, der + at, (int)n);
		*p++ = '\n';
	}
	p = append(p, END);
	p = append(p, label);
	*p++ = '\n';
	*out = text;
	*len = (size_t)(p - text);
	return VLDAA_OK;
}

/* Where `what` is in the text, or NULL. */
static const uint8_t *find(const uint8_t *p, const uint8_t *end, const char *what)
{
	size_t n = strlen(what);

	for (; (size_t)(end - p) >= n; p++)
		if (*p == (uint8_t)what[0] && memcmp(p, what, n) == 0)
			return p;
	return NULL;
}

static int starts_with(const uint8_t *p, const uint8_t *end, const char *what)
{
	size_t n = strlen(what);

	return (size_t)(end - p) >= n && memcmp(p, what, n) == 0;
}

int vldaa_pem_detect(const uint8_t *in, size_t len)
{
	return find(in, in + len, BEGIN) != NULL;
}

static int is_base64(uint8_t c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
	       c == '+' || c == '/';
}

static int is_space(uint8_t c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* What is between the two lines, without white space: base64 characters, then at most two '='. */
static int collect(uint8_t *text, size_t *len, size_t *padding, const uint8_t *p,
		   const uint8_t *end)
{
	*len = *padding = 0;
	for (; p < end; p++) {
		if (is_space(*p))
			continue;
		*padding += *p == '=';
		if (*p != '=' && (*padding > 0 || !is_base64(*p)))
			return 0;
		text[(*len)++] = *p;
	}
	return *len > 0 && *len % 4 == 0 && *padding <= 2;
}

static int decode_body(uint8_t **der, size_t *len, const uint8_t *p, const uint8_t *end)
{
	size_t size = (size_t)(end - p) + 1, chars, padding;
	uint8_t *text = OPENSSL_malloc(size), *out = OPENSSL_malloc(size);
	int n, result = VLDAA_ERR_MEMORY;

	if (text == NULL || out == NULL)
		goto done;
	result = VLDAA_KEYFILE_ERR_DAMAGED;
	if (!collect(text, &chars, &padding, p, end))
		goto done;
	n = EVP_DecodeBlock(out, text, (int)chars);
	if (n <= 0)
		goto done;
	/* It decodes each '=' to zero bits and counts them. */
	*der = out;
	*len = (size_t)n - padding;
	out = NULL;
	result = VLDAA_OK;
done:
	OPENSSL_clear_free(text, size);
	OPENSSL_clear_free(out, size);
	return result;
}

int vldaa_pem_next(vldaa_pem_text *in, enum vldaa_keyfile_shape *shape, uint8_t **der, size_t *len)
{
	for (;;) {
		const uint8_t *stop;

		in->p = find(in->p, in->end, BEGIN);
		if (in->p == NULL)
			return VLDAA_KEYFILE_ERR_NOT_OURS;
		in->p += strlen(BEGIN);
		*shape = VLDAA_SHAPE_PRIVATE;
		while (*shape < VLDAA_SHAPES && !starts_with(in->p, in->end, labels[*shape]))
			*shape = (enum vldaa_keyfile_shape)(*shape + 1);
		if (*shape == VLDAA_SHAPES)
			continue;
		in->p += strlen(labels[*shape]);
		stop = find(in->p, in->end, END);
		if (stop == NULL || !starts_with(stop + strlen(END), in->end, labels[*shape]))
			return VLDAA_KEYFILE_ERR_DAMAGED;
		const uint8_t *body = in->p;

		in->p = stop + strlen(END);
		return decode_body(der, len, body, stop);
	}
}
