/* Objects of a token: search and attributes.  Return codes are PKCS#11's. */
#ifndef VLDAA_PROVIDER_TOKEN_OBJECT_H
#define VLDAA_PROVIDER_TOKEN_OBJECT_H

#include "token.h"

/* All that match, for OPENSSL_free. */
CK_RV vldaa_prov_objects_find(const vldaa_prov_session *s, CK_ATTRIBUTE *templ, CK_ULONG templ_len,
			      CK_OBJECT_HANDLE **objects, size_t *count);
/* The first that matches; VLDAA_PROV_NOTHING_FOUND when there is none. */
CK_RV vldaa_prov_object_find(const vldaa_prov_session *s, CK_ATTRIBUTE *templ, CK_ULONG templ_len,
			     CK_OBJECT_HANDLE *object);

/* An attribute's bytes, with a zero after them, for OPENSSL_free. */
CK_RV vldaa_prov_attribute_get(const vldaa_prov_session *s, CK_OBJECT_HANDLE object,
			       CK_ATTRIBUTE_TYPE type, uint8_t **value, size_t *len);
/* CKR_ATTRIBUTE_VALUE_INVALID when it is of another length. */
CK_RV vldaa_prov_attribute_ulong(const vldaa_prov_session *s, CK_OBJECT_HANDLE object,
				 CK_ATTRIBUTE_TYPE type, CK_ULONG *value);

#endif
