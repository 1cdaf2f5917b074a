#include "attributes.h"

#include <stdlib.h>
#include <string.h>

#include <openssl/crypto.h>

#include "rules.h"

enum { HEAD = 8 + 4, ULONG_AT_REST = 8 };

static void forget(vldaa_p11_attribute *a)
{
	if (a->value != NULL)
		OPENSSL_cleanse(a->value, a->len);
	free(a->value);
}

void vldaa_p11_attributes_clear(vldaa_p11_attributes *a)
{
	for (size_t i = 0; i < a->count; i++)
		forget(&a->list[i]);
	free(a->list);
	a->list = NULL;
	a->count = 0;
}

static vldaa_p11_attribute *find(const vldaa_p11_attributes *a, CK_ATTRIBUTE_TYPE type)
{
	for (size_t i = 0; i < a->count; i++) {
		if (a->list[i].type == type)
			return &a->list[i];
	}
	return NULL;
}

const vldaa_p11_attribute *vldaa_p11_attributes_find(const vldaa_p11_attributes *a,
						     CK_ATTRIBUTE_TYPE type)
{
	return find(a, type);
}

int vldaa_p11_attributes_set(vldaa_p11_attributes *a, CK_ATTRIBUTE_TYPE type, const void *value,
			     size_t len)
{
	vldaa_p11_attribute *at = find(a, type);
	uint8_t *copy = NULL;

	if (len > 0) {
		copy = malloc(len);
		if (copy == NULL)
			return -1;
		memcpy(copy, value, len);
	}
	if (at == NULL) {
		vldaa_p11_attribute *list = realloc(a->list, (a->count + 1) * sizeof *list);

		if (list == NULL) {
			free(copy);
			return -1;
		}
		a->list = list;
		at = &list[a->count++];
		at->type = type;
	} else {
		forget(at);
	}
	at->value = copy;
	at->len = len;
	return 0;
}

int vldaa_p11_attributes_set_bool(vldaa_p11_attributes *a, CK_ATTRIBUTE_TYPE type, int value)
{
	const CK_BBOOL b = value ? CK_TRUE : CK_FALSE;

	return vldaa_p11_attributes_set(a, type, &b, sizeof b);
}

int vldaa_p11_attributes_set_ulong(vldaa_p11_attributes *a, CK_ATTRIBUTE_TYPE type, CK_ULONG value)
{
	return vldaa_p11_attributes_set(a, type, &value, sizeof value);
}

int vldaa_p11_attributes_bool(const vldaa_p11_attributes *a, CK_ATTRIBUTE_TYPE type)
{
	const vldaa_p11_attribute *at = find(a, type);

	return at != NULL && at->len == sizeof(CK_BBOOL) && at->value[0] != CK_FALSE;
}

CK_ULONG vldaa_p11_attributes_ulong(const vldaa_p11_attributes *a, CK_ATTRIBUTE_TYPE type)
{
	const vldaa_p11_attribute *at = find(a, type);
	CK_ULONG value = 0;

	if (at != NULL && at->len == sizeof value)
		memcpy(&value, at->value, sizeof value);
	return value;
}

int vldaa_p11_attributes_copy(vldaa_p11_attributes *to, const vldaa_p11_attributes *from)
{
	int failed = 0;

	for (size_t i = 0; i < from->count && !failed; i++)
		failed = vldaa_p11_attributes_set(to, from->list[i].type, from->list[i].value,
						  from->list[i].len);
	return failed;
}

/* --- at rest -----------------------------------------------------------------------------------
 */

static void put_be(uint8_t *out, uint64_t v, int bytes)
{
	for (int i = 0; i < bytes; i++)
		out[i] = (uint8_t)(v >> (8 * (bytes - 1 - i)));
}

static uint64_t get_be(const uint8_t *in, int bytes)
{
	uint64_t v = 0;

	for (int i = 0; i < bytes; i++)
		v = v << 8 | in[i];
	return v;
}

static int has_ulongs(CK_ATTRIBUTE_TYPE type)
{
	const enum vldaa_p11_form form = vldaa_p11_rule_form(type);

	return form == VLDAA_P11_FORM_ULONG || form == VLDAA_P11_FORM_ULONGS;
}

static size_t rest_len(const vldaa_p11_attribute *a)
{
	return has_ulongs(a->type) ? a->len / sizeof(CK_ULONG) * ULONG_AT_REST : a->len;
}

static void put_value(uint8_t *out, const vldaa_p11_attribute *a)
{
	if (!has_ulongs(a->type)) {
		if (a->len > 0)
			memcpy(out, a->value, a->len);
		return;
	}
	for (size_t i = 0; i < a->len / sizeof(CK_ULONG); i++) {
		CK_ULONG v;

		memcpy(&v, a->value + i * sizeof v, sizeof v);
		put_be(out + i * ULONG_AT_REST, v, ULONG_AT_REST);
	}
}

int vldaa_p11_attributes_encode(const vldaa_p11_attributes *a, uint8_t **out, size_t *len)
{
	uint8_t *p;

	*len = 0;
	for (size_t i = 0; i < a->count; i++)
		*len += HEAD + rest_len(&a->list[i]);
	*out = malloc(*len > 0 ? *len : 1);
	if (*out == NULL)
		return -1;
	p = *out;
	for (size_t i = 0; i < a->count; i++) {
		const size_t n = rest_len(&a->list[i]);

		put_be(p, a->list[i].type, 8);
		put_be(p + 8, n, 4);
		put_value(p + HEAD, &a->list[i]);
		p += HEAD + n;
	}
	return 0;
}

/* Adds a list of CK_ULONG. */
static int get_ulongs(vldaa_p11_attributes *a, CK_ATTRIBUTE_TYPE type, const uint8_t *in,
		      size_t len)
{
	const size_t count = len / ULONG_AT_REST;
	CK_ULONG *values;
	int ret;

	if (len % ULONG_AT_REST != 0)
		return -2;
	values = calloc(count + 1, sizeof *values);
	if (values == NULL)
		return -1;
	for (size_t i = 0; i < count; i++)
		values[i] = (CK_ULONG)get_be(in + i * ULONG_AT_REST, ULONG_AT_REST);
	ret = vldaa_p11_attributes_set(a, type, values, count * sizeof *values);
	free(values);
	return ret;
}

int vldaa_p11_attributes_decode(vldaa_p11_attributes *a, const uint8_t *in, size_t len)
{
	size_t pos = 0;
	int ret = 0;

	while (!ret && pos < len) {
		CK_ATTRIBUTE_TYPE type;
		size_t n;

		if (len - pos < HEAD)
			return -2;
		type = (CK_ATTRIBUTE_TYPE)get_be(in + pos, 8);
		n = (size_t)get_be(in + pos + 8, 4);
		pos += HEAD;
		if (len - pos < n || find(a, type) != NULL)
			return -2;
		ret = has_ulongs(type) ? get_ulongs(a, type, in + pos, n)
				       : vldaa_p11_attributes_set(a, type, in + pos, n);
		pos += n;
	}
	return ret;
}
