/* Objects on a token, and what is signed with them. */
#include <stdlib.h>
#include <string.h>

#include "token/token.h"

/* --- finding -----------------------------------------------------------------------------------
 */

int vldaa_token_find(vldaa_token *t, CK_ATTRIBUTE *templ, CK_ULONG count, CK_OBJECT_HANDLE **found,
		     CK_ULONG *n)
{
	CK_RV rv = t->p11->C_FindObjectsInit(t->session, templ, count);
	CK_ULONG cap = 64, got = 1;

	*n = 0;
	*found = calloc(cap, sizeof **found);
	while (rv == CKR_OK && got > 0) {
		CK_OBJECT_HANDLE *more = *found;

		if (*n == cap) {
			cap *= 2;
			more = realloc(*found, cap * sizeof *more);
			if (more)
				*found = more;
		}
		rv = more ? t->p11->C_FindObjects(t->session, *found + *n, cap - *n, &got)
			  : CKR_HOST_MEMORY;
		if (rv == CKR_OK)
			*n += got;
	}
	(void)t->p11->C_FindObjectsFinal(t->session);
	if (rv == CKR_OK)
		return VLDAA_EXIT_OK;
	free(*found);
	*found = NULL;
	return vldaa_token_report(t, NULL, rv);
}

static const char *role_name(CK_ULONG role)
{
	switch (role) {
	case CK_VLDAA_ROLE_ISSUER:
		return "issuer's key";
	case CK_VLDAA_ROLE_GROUP:
		return "group's public key";
	case CK_VLDAA_ROLE_MEMBER:
		return "member's key";
	default:
		return "pseudonym";
	}
}

int vldaa_token_find_key(vldaa_token *t, CK_OBJECT_CLASS class, CK_ULONG role,
			 CK_OBJECT_HANDLE *key)
{
	CK_ATTRIBUTE templ[] = {{CKA_CLASS, &class, sizeof class},
				{CKA_VLDAA_ROLE, &role, sizeof role}};
	CK_OBJECT_HANDLE *found;
	CK_ULONG n;
	int status = vldaa_token_find(t, templ, 2, &found, &n);

	*key = 0;
	if (status != VLDAA_EXIT_OK)
		return status;
	if (n == 1)
		*key = found[0];
	free(found);
	if (n <= 1)
		return VLDAA_EXIT_OK;
	vldaa_say("%s: there are %lu of a %s on this token; this command is for tokens with one",
		  t->label, n, role_name(role));
	return VLDAA_EXIT_USAGE;
}

int vldaa_token_need_key(vldaa_token *t, CK_ULONG role, CK_OBJECT_HANDLE *key)
{
	int status = vldaa_token_find_key(t, CKO_PRIVATE_KEY, role, key);

	if (status != VLDAA_EXIT_OK || *key != 0)
		return status;
	vldaa_say("%s: there is no %s on this token (vldaa token %s makes one)", t->label,
		  role_name(role), role == CK_VLDAA_ROLE_ISSUER ? "setup" : "join request");
	return VLDAA_EXIT_USAGE;
}

/* --- attributes --------------------------------------------------------------------------------
 */

int vldaa_token_get(vldaa_token *t, CK_OBJECT_HANDLE object, CK_ATTRIBUTE_TYPE type,
		    vldaa_buffer *value)
{
	CK_ATTRIBUTE a = {type, NULL, 0};
	CK_RV rv = t->p11->C_GetAttributeValue(t->session, object, &a, 1);
	int status;

	*value = (vldaa_buffer){NULL, 0};
	if (rv == CKR_ATTRIBUTE_TYPE_INVALID || rv == CKR_ATTRIBUTE_SENSITIVE)
		return VLDAA_EXIT_OK;
	if (rv != CKR_OK)
		return vldaa_token_report(t, NULL, rv);
	if (a.ulValueLen == 0)
		return VLDAA_EXIT_OK;
	status = vldaa_buffer_new(value, a.ulValueLen);
	if (status != VLDAA_EXIT_OK)
		return status;
	a.pValue = value->data;
	rv = t->p11->C_GetAttributeValue(t->session, object, &a, 1);
	if (rv == CKR_OK)
		return VLDAA_EXIT_OK;
	vldaa_buffer_free(value);
	return vldaa_token_report(t, NULL, rv);
}

CK_ULONG vldaa_token_get_ulong(vldaa_token *t, CK_OBJECT_HANDLE object, CK_ATTRIBUTE_TYPE type)
{
	CK_ULONG value = 0;
	CK_ATTRIBUTE a = {type, &value, sizeof value};

	return t->p11->C_GetAttributeValue(t->session, object, &a, 1) == CKR_OK ? value : 0;
}

int vldaa_token_get_bool(vldaa_token *t, CK_OBJECT_HANDLE object, CK_ATTRIBUTE_TYPE type)
{
	CK_BBOOL value = CK_FALSE;
	CK_ATTRIBUTE a = {type, &value, sizeof value};

	return t->p11->C_GetAttributeValue(t->session, object, &a, 1) == CKR_OK && value == CK_TRUE;
}

/* --- signing -----------------------------------------------------------------------------------
 */

int vldaa_token_sign(vldaa_token *t, CK_MECHANISM *m, CK_OBJECT_HANDLE key,
		     const vldaa_buffer *data, const char *subject, vldaa_buffer *out)
{
	CK_RV rv = t->p11->C_SignInit(t->session, m, key);
	int status = VLDAA_EXIT_OK;
	CK_ULONG len = 0;

	if (rv == CKR_OK)
		rv = t->p11->C_Sign(t->session, data->data, data->len, NULL, &len);
	if (rv == CKR_OK)
		status = vldaa_buffer_new(out, len);
	if (rv == CKR_OK && status == VLDAA_EXIT_OK)
		rv = t->p11->C_Sign(t->session, data->data, data->len, out->data, &len);
	if (rv == CKR_OK)
		out->len = status == VLDAA_EXIT_OK ? len : 0;
	else
		status = vldaa_token_report(t, subject, rv);
	return status;
}

int vldaa_token_sign_to(vldaa_token *t, CK_MECHANISM_TYPE type, CK_OBJECT_HANDLE key,
			const vldaa_buffer *data, const char *subject, const char *path,
			unsigned flags)
{
	CK_MECHANISM m = {type, NULL, 0};
	vldaa_buffer out = {NULL, 0};
	int status = vldaa_token_sign(t, &m, key, data, subject, &out);

	if (status == VLDAA_EXIT_OK)
		status = vldaa_write(path, out.data, out.len, flags);
	vldaa_buffer_free(&out);
	return status;
}
