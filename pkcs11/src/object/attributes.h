/*
 * A list of attributes with their values, as an object has one; in memory as Cryptoki hands them
 * out, at rest in an encoding that no machine's word size gets into:
 *   { type (8 bytes, big-endian) | length (4 bytes) | value }*, where a CK_ULONG has 8 bytes.
 */
#ifndef VLDAA_P11_ATTRIBUTES_H
#define VLDAA_P11_ATTRIBUTES_H

#include <stddef.h>
#include <stdint.h>

#include "../ck.h"

enum { VLDAA_P11_MAX_VALUE = 1 << 24 };

typedef struct {
	CK_ATTRIBUTE_TYPE type;
	uint8_t *value; /* NULL when len is 0 */
	size_t len;
} vldaa_p11_attribute;

/* Invariant: no type is in it twice. */
typedef struct {
	vldaa_p11_attribute *list;
	size_t count;
} vldaa_p11_attributes;

void vldaa_p11_attributes_clear(vldaa_p11_attributes *a);
/* NULL when there is none. */
const vldaa_p11_attribute *vldaa_p11_attributes_find(const vldaa_p11_attributes *a,
						     CK_ATTRIBUTE_TYPE type);
/* Adds, or replaces.  0, or -1 when there is no memory. */
int vldaa_p11_attributes_set(vldaa_p11_attributes *a, CK_ATTRIBUTE_TYPE type, const void *value,
			     size_t len);
int vldaa_p11_attributes_set_bool(vldaa_p11_attributes *a, CK_ATTRIBUTE_TYPE type, int value);
int vldaa_p11_attributes_set_ulong(vldaa_p11_attributes *a, CK_ATTRIBUTE_TYPE type, CK_ULONG value);
/* What is not there, or no such value, is 0. */
int vldaa_p11_attributes_bool(const vldaa_p11_attributes *a, CK_ATTRIBUTE_TYPE type);
CK_ULONG vldaa_p11_attributes_ulong(const vldaa_p11_attributes *a, CK_ATTRIBUTE_TYPE type);
int vldaa_p11_attributes_copy(vldaa_p11_attributes *to, const vldaa_p11_attributes *from);

/* *out to free.  0, or -1 when there is no memory. */
int vldaa_p11_attributes_encode(const vldaa_p11_attributes *a, uint8_t **out, size_t *len);
/* 0; -1 when there is no memory; -2 when it is no encoding. */
int vldaa_p11_attributes_decode(vldaa_p11_attributes *a, const uint8_t *in, size_t len);

#endif
