#include "object.h"

#include <openssl/crypto.h>
#include <string.h>

/* --- search ------------------------------------------------------------------------------------
 */

/* Grows the list as it goes: how many there are is not told. */
static CK_RV gather(const vldaa_prov_session *s, CK_OBJECT_HANDLE **objects, size_t *count)
{
	enum { STEP = 32 };
	CK_ULONG found = 0;
	CK_RV rv;

	do {
		CK_OBJECT_HANDLE *more =
		    OPENSSL_realloc(*objects, (*count + STEP) * sizeof **objects);

		if (more == NULL)
			return CKR_HOST_MEMORY;
		*objects = more;
		rv = s->p11->C_FindObjects(s->handle, *objects + *count, STEP, &found);
		if (rv == CKR_OK)
			*count += found;
	} while (rv == CKR_OK && found == STEP);
	return rv;
}

CK_RV vldaa_prov_objects_find(const vldaa_prov_session *s, CK_ATTRIBUTE *templ, CK_ULONG templ_len,
			      CK_OBJECT_HANDLE **objects, size_t *count)
{
	CK_RV rv = s->p11->C_FindObjectsInit(s->handle, templ, templ_len), end;

	*objects = NULL;
	*count = 0;
	if (rv != CKR_OK)
		return rv;
	rv = gather(s, objects, count);
	end = s->p11->C_FindObjectsFinal(s->handle);
	if (rv == CKR_OK)
		rv = end;
	if (rv != CKR_OK) {
		OPENSSL_free(*objects);
		*objects = NULL;
		*count = 0;
	}
	return rv;
}

CK_RV vldaa_prov_object_find(const vldaa_prov_session *s, CK_ATTRIBUTE *templ, CK_ULONG templ_len,
			     CK_OBJECT_HANDLE *object)
{
	CK_OBJECT_HANDLE *objects;
	size_t count;
	CK_RV rv = vldaa_prov_objects_find(s, templ, templ_len, &objects, &count);

	if (rv == CKR_OK && count == 0)
		rv = VLDAA_PROV_NOTHING_FOUND;
	*object = rv == CKR_OK ? objects[0] : CK_INVALID_HANDLE;
	OPENSSL_free(objects);
	return rv;
}

/* --- attributes --------------------------------------------------------------------------------
 */

CK_RV vldaa_prov_attribute_get(const vldaa_prov_session *s, CK_OBJECT_HANDLE object,
			       CK_ATTRIBUTE_TYPE type, uint8_t **value, size_t *len)
{
	CK_ATTRIBUTE a = {type, NULL, 0};
	CK_RV rv = s->p11->C_GetAttributeValue(s->handle, object, &a, 1);

	*value = NULL;
	*len = 0;
	if (rv == CKR_OK && a.ulValueLen == CK_UNAVAILABLE_INFORMATION)
		rv = CKR_ATTRIBUTE_TYPE_INVALID;
	if (rv != CKR_OK)
		return rv;
	*value = OPENSSL_zalloc(a.ulValueLen + 1);
	if (*value == NULL)
		return CKR_HOST_MEMORY;
	a.pValue = *value;
	rv = s->p11->C_GetAttributeValue(s->handle, object, &a, 1);
	*len = a.ulValueLen;
	if (rv != CKR_OK) {
		OPENSSL_free(*value);
		*value = NULL;
		*len = 0;
	}
	return rv;
}

CK_RV vldaa_prov_attribute_ulong(const vldaa_prov_session *s, CK_OBJECT_HANDLE object,
				 CK_ATTRIBUTE_TYPE type, CK_ULONG *value)
{
	uint8_t *bytes;
	size_t len;
	CK_RV rv = vldaa_prov_attribute_get(s, object, type, &bytes, &len);

	*value = 0;
	if (rv == CKR_OK && len != sizeof *value)
		rv = CKR_ATTRIBUTE_VALUE_INVALID;
	if (rv == CKR_OK)
		memcpy(value, bytes, len);
	OPENSSL_free(bytes);
	return rv;
}
