#include "uri.h"

#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "../errors.h"

static const char ours[] = "vldaa:", p11[] = "pkcs11:";

/* --- parsing -----------------------------------------------------------------------------------
 */

/* p11-kit reads its own scheme only. */
static int parse(P11KitUri *uri, const char *attributes)
{
	const size_t size = sizeof p11 + strlen(attributes);
	char *text = OPENSSL_malloc(size);
	int result = P11_KIT_URI_NO_MEMORY;

	if (text == NULL)
		return result;
	(void)BIO_snprintf(text, size, "%s%s", p11, attributes);
	result = p11_kit_uri_parse(text, P11_KIT_URI_FOR_ANY, uri);
	OPENSSL_clear_free(text, size);
	return result;
}

/* p11-kit ignores such an attribute; a PIN's source that is misspelt is told here. */
static int is_query_known(const char *text)
{
	static const char *const known[] = {
	    "module-path=", "module-name=", "pin-source=", "pin-value="};
	const char *at = strchr(text, '?');

	while (at != NULL) {
		size_t i = 0;

		at++;
		while (i < sizeof known / sizeof known[0] &&
		       strncmp(at, known[i], strlen(known[i])) != 0)
			i++;
		if (i == sizeof known / sizeof known[0])
			return 0;
		at = strchr(at, '&');
	}
	return 1;
}

/* NULL, or what of it this provider does not know what to do with. */
static const char *unknown(P11KitUri *uri, const char *text)
{
	if (p11_kit_uri_any_unrecognized(uri) || !is_query_known(text))
		return "an attribute is unknown";
	if (p11_kit_uri_get_module_name(uri) != NULL)
		return "module-name is not supported: give the module's file as module-path";
	if (p11_kit_uri_get_pin_value(uri) != NULL && p11_kit_uri_get_pin_source(uri) != NULL)
		return "pin-value and pin-source exclude each other";
	if (p11_kit_uri_get_pin_value(uri) != NULL && p11_kit_uri_get_pin_value(uri)[0] == '\0')
		return "pin-value is empty";
	return NULL;
}

/* Takes the PIN out of it: 0 when it is none. */
static int take_pin(vldaa_prov_uri *uri)
{
	const char *value = p11_kit_uri_get_pin_value(uri->is);
	const size_t len = value != NULL ? strlen(value) : 0;

	if (value == NULL)
		return 1;
	if (len <= VLDAA_PROV_MAX_PIN) {
		memcpy(uri->pin.text, value, len + 1);
		uri->pin.len = len;
	}
	/* p11-kit frees it without wiping. */
	OPENSSL_cleanse((void *)(uintptr_t)value, len);
	p11_kit_uri_set_pin_value(uri->is, NULL);
	return len <= VLDAA_PROV_MAX_PIN;
}

/* For people: with our scheme. */
static char *show(P11KitUri *uri)
{
	char *theirs = NULL, *text = NULL;
	size_t size;

	if (p11_kit_uri_format(uri, P11_KIT_URI_FOR_ANY, &theirs) == P11_KIT_URI_OK) {
		size = sizeof ours + strlen(theirs);
		text = OPENSSL_malloc(size);
		if (text != NULL)
			(void)BIO_snprintf(text, size, "%s%s", ours, theirs + sizeof p11 - 1);
	}
	free(theirs);
	return text;
}

int vldaa_prov_uri_parse(vldaa_prov_uri *uri, const vldaa_prov *prov, const char *text)
{
	const char *wrong = "it does not begin with vldaa:";
	int result = P11_KIT_URI_OK;

	memset(uri, 0, sizeof *uri);
	if (strncasecmp(text, ours, sizeof ours - 1) == 0) {
		uri->is = p11_kit_uri_new();
		result = uri->is != NULL ? parse(uri->is, text + sizeof ours - 1)
					 : P11_KIT_URI_NO_MEMORY;
		wrong =
		    result == P11_KIT_URI_OK ? unknown(uri->is, text) : p11_kit_uri_message(result);
	}
	if (wrong == NULL && !take_pin(uri))
		wrong = "a PIN has at most 255 bytes";
	if (wrong == NULL) {
		uri->text = show(uri->is);
		if (uri->text != NULL)
			return 1;
		result = P11_KIT_URI_NO_MEMORY;
	}
	if (result == P11_KIT_URI_NO_MEMORY)
		VLDAA_PROV_RAISE(prov, VLDAA_ERR_MEMORY);
	else
		VLDAA_PROV_RAISE_TEXT(prov, VLDAA_PROV_ERR_URI, "%s", wrong);
	vldaa_prov_uri_clear(uri);
	return 0;
}

void vldaa_prov_uri_clear(vldaa_prov_uri *uri)
{
	if (uri->is != NULL)
		(void)take_pin(uri);
	p11_kit_uri_free(uri->is);
	OPENSSL_free(uri->text);
	OPENSSL_cleanse(uri, sizeof *uri);
}

/* --- PINs --------------------------------------------------------------------------------------
 */

/* NULL: of a kind that is not read. */
static const char *file_of(const char *source)
{
	if (source[0] == '|')
		return NULL;
	if (strncasecmp(source, "file:", 5) != 0)
		return source;
	source += 5;
	/* file://host/name, of which the host is this one. */
	if (source[0] == '/' && source[1] == '/')
		source = strchr(source + 2, '/');
	return source;
}

/* The first line, without its end: 1, or 0 when it is not 1 to 255 bytes. */
static int first_line(vldaa_prov_pin *pin, BIO *in)
{
	/* With a byte more than a PIN has, its end, and the zero. */
	char line[VLDAA_PROV_MAX_PIN + 4];
	FILE *file = NULL;
	int len;

	/* The buffer of stdio would not be wiped. */
	(void)BIO_get_fp(in, &file);
	(void)setvbuf(file, NULL, _IONBF, 0);
	len = BIO_gets(in, line, sizeof line);
	while (len > 0 && (line[len - 1] == '\n' || line[len - 1] == '\r'))
		len--;
	pin->len = 0;
	if (len > 0 && len <= VLDAA_PROV_MAX_PIN) {
		memcpy(pin->text, line, (size_t)len);
		pin->text[len] = '\0';
		pin->len = (size_t)len;
	}
	OPENSSL_cleanse(line, sizeof line);
	return pin->len > 0;
}

int vldaa_prov_pin_read(vldaa_prov_pin *pin, const vldaa_prov *prov, const char *source)
{
	const char *file = file_of(source), *wrong = NULL;
	BIO *in = NULL;

	memset(pin, 0, sizeof *pin);
	if (file == NULL) {
		wrong = "pin-source names a file";
	} else {
		in = BIO_new_file(file, "r");
		if (in == NULL)
			wrong = "pin-source: the file cannot be read";
		else if (!first_line(pin, in))
			wrong = "pin-source: the file's first line is no PIN of 1 to 255 bytes";
	}
	BIO_free(in);
	if (wrong != NULL)
		VLDAA_PROV_RAISE_TEXT(prov, VLDAA_PROV_ERR_PIN, "%s: %s", wrong, source);
	return wrong == NULL;
}
