/* Objects on a token, and what is signed with them. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "token/token.h"
#include "vldaa/default_basename.h"

/* What the module keeps when a hard order has ended a member: the confirmation of it. */
static const char expulsion[] = "revocation confirmation";

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

static const char *chosen_object(const vldaa_token *t)
{
	return t->call->values[VLDAA_TOKEN_OBJECT];
}

CK_ULONG vldaa_token_new_label(const vldaa_token *t, CK_ATTRIBUTE *label)
{
	static char text[256];
	const char *name = chosen_object(t);
	const size_t len = name ? strlen(name) : 0;

	if (len == 0 || len >= sizeof text)
		return 0;
	memcpy(text, name, len);
	*label = (CK_ATTRIBUTE){CKA_LABEL, text, len};
	return 1;
}

/* 1 when this attribute of the object is the text, or (as_hex) the bytes that it spells. */
static int is_called(vldaa_token *t, CK_OBJECT_HANDLE object, CK_ATTRIBUTE_TYPE type,
		     const char *text, int as_hex)
{
	static const char digits[] = "0123456789abcdef";
	vldaa_buffer value = {NULL, 0};
	int same;

	if (vldaa_token_get(t, object, type, &value) != VLDAA_EXIT_OK)
		return 0;
	same = strlen(text) == (as_hex ? 2 * value.len : value.len) && value.len > 0;
	for (size_t i = 0; same && i < value.len; i++) {
		const uint8_t byte = value.data[i];

		same = as_hex ? text[2 * i] == digits[byte >> 4] &&
				    text[2 * i + 1] == digits[byte & 15]
			      : (uint8_t)text[i] == byte;
	}
	vldaa_buffer_free(&value);
	return same;
}

/* Keeps of what was found what the call names: by the label, or else by the id. */
static CK_ULONG choose_named(vldaa_token *t, CK_OBJECT_HANDLE *found, CK_ULONG n)
{
	const char *name = chosen_object(t);
	CK_ULONG kept = 0;

	if (!name)
		return n;
	for (int as_hex = 0; as_hex < 2 && kept == 0; as_hex++) {
		for (CK_ULONG i = 0; i < n; i++) {
			if (is_called(t, found[i], as_hex ? CKA_ID : CKA_LABEL, name, as_hex))
				found[kept++] = found[i];
		}
	}
	return kept;
}

int vldaa_token_find_keys(vldaa_token *t, CK_ULONG role, CK_OBJECT_HANDLE **found, CK_ULONG *n)
{
	CK_OBJECT_CLASS class = CKO_PRIVATE_KEY;
	CK_ATTRIBUTE templ[] = {{CKA_CLASS, &class, sizeof class},
				{CKA_VLDAA_ROLE, &role, sizeof role}};
	const int status = vldaa_token_find(t, templ, 2, found, n);

	if (status == VLDAA_EXIT_OK)
		*n = choose_named(t, *found, *n);
	return status;
}

int vldaa_token_find_key(vldaa_token *t, CK_ULONG role, CK_OBJECT_HANDLE *key)
{
	CK_OBJECT_HANDLE *found;
	CK_ULONG n;
	int status = vldaa_token_find_keys(t, role, &found, &n);

	*key = 0;
	if (status != VLDAA_EXIT_OK)
		return status;
	if (n == 1)
		*key = found[0];
	free(found);
	if (n <= 1)
		return VLDAA_EXIT_OK;
	vldaa_say("%s: %lu %ss on this token%s%s: choose one with --object (vldaa token show)",
		  t->label, n, role_name(role), chosen_object(t) ? " are called " : "",
		  chosen_object(t) ? chosen_object(t) : "");
	return VLDAA_EXIT_USAGE;
}

int vldaa_token_is_expulsion(vldaa_token *t, CK_OBJECT_HANDLE object)
{
	vldaa_buffer label = {NULL, 0};
	int same;

	if (vldaa_token_get_ulong(t, object, CKA_CLASS) != CKO_DATA ||
	    vldaa_token_get(t, object, CKA_LABEL, &label) != VLDAA_EXIT_OK)
		return 0;
	same = label.len == sizeof expulsion - 1 && memcmp(label.data, expulsion, label.len) == 0;
	vldaa_buffer_free(&label);
	return same;
}

/* *expelled 1 when a hard order has ended a member of this token, and there is no other. */
static int ask_expelled(vldaa_token *t, int *expelled)
{
	CK_OBJECT_CLASS class = CKO_DATA, private_key = CKO_PRIVATE_KEY;
	CK_ULONG role = CK_VLDAA_ROLE_MEMBER, members = 0, n = 0;
	char label[sizeof expulsion];
	CK_ATTRIBUTE templ[] = {{CKA_CLASS, &class, sizeof class},
				{CKA_LABEL, label, sizeof expulsion - 1}};
	CK_ATTRIBUTE member[] = {{CKA_CLASS, &private_key, sizeof private_key},
				 {CKA_VLDAA_ROLE, &role, sizeof role}};
	CK_OBJECT_HANDLE *found = NULL;
	int status;

	/* Cryptoki's values are not const. */
	memcpy(label, expulsion, sizeof label);
	status = vldaa_token_find(t, templ, 2, &found, &n);
	free(found);
	if (status == VLDAA_EXIT_OK && n > 0) {
		status = vldaa_token_find(t, member, 2, &found, &members);
		free(found);
	}
	*expelled = n > 0 && members == 0;
	return status;
}

int vldaa_token_check_expelled(vldaa_token *t)
{
	int expelled = 0;
	const int status = ask_expelled(t, &expelled);

	if (status != VLDAA_EXIT_OK || !expelled)
		return status;
	vldaa_say("%s: a hard order has expelled this token: its member's key is gone, and it "
		  "never joins that group again",
		  t->label);
	return VLDAA_EXIT_INVALID;
}

int vldaa_token_no_key(vldaa_token *t, CK_ULONG role)
{
	const int status =
	    role == CK_VLDAA_ROLE_MEMBER ? vldaa_token_check_expelled(t) : VLDAA_EXIT_OK;

	if (status != VLDAA_EXIT_OK)
		return status;
	vldaa_say("%s: there is no %s%s%s on this token (vldaa token %s makes one)", t->label,
		  role_name(role), chosen_object(t) ? " called " : "",
		  chosen_object(t) ? chosen_object(t) : "",
		  role == CK_VLDAA_ROLE_ISSUER ? "setup" : "join request");
	return VLDAA_EXIT_USAGE;
}

int vldaa_token_need_key(vldaa_token *t, CK_ULONG role, CK_OBJECT_HANDLE *key)
{
	const int status = vldaa_token_find_key(t, role, key);

	return status != VLDAA_EXIT_OK || *key != 0 ? status : vldaa_token_no_key(t, role);
}

int vldaa_token_find_group(vldaa_token *t, CK_OBJECT_HANDLE key, CK_OBJECT_HANDLE *group)
{
	CK_OBJECT_CLASS class = CKO_PUBLIC_KEY;
	CK_ULONG role = CK_VLDAA_ROLE_GROUP, n = 0;
	vldaa_buffer id = {NULL, 0};
	CK_OBJECT_HANDLE *found = NULL;
	int status = vldaa_token_get(t, key, CKA_VLDAA_KEY_ID, &id);

	*group = 0;
	CK_ATTRIBUTE templ[] = {{CKA_CLASS, &class, sizeof class},
				{CKA_VLDAA_ROLE, &role, sizeof role},
				{CKA_VLDAA_KEY_ID, id.data, id.len}};
	if (status == VLDAA_EXIT_OK)
		status = vldaa_token_find(t, templ, 3, &found, &n);
	if (status == VLDAA_EXIT_OK && n > 0) {
		*group = found[0];
	} else if (status == VLDAA_EXIT_OK) {
		vldaa_say("%s: the group's public key is not on this token", t->label);
		status = VLDAA_EXIT_FAILED;
	}
	free(found);
	vldaa_buffer_free(&id);
	return status;
}

/* Pseudonyms of one group, which is the only one, or the called member's. */
static int check_one_group(vldaa_token *t, const CK_OBJECT_HANDLE *found, CK_ULONG n)
{
	vldaa_buffer first = {NULL, 0};
	int status = vldaa_token_get(t, found[0], CKA_VLDAA_KEY_ID, &first);

	for (CK_ULONG i = 1; i < n && status == VLDAA_EXIT_OK; i++) {
		vldaa_buffer other = {NULL, 0};

		status = vldaa_token_get(t, found[i], CKA_VLDAA_KEY_ID, &other);
		if (status == VLDAA_EXIT_OK &&
		    (other.len != first.len || memcmp(other.data, first.data, other.len) != 0)) {
			vldaa_say("%s: members of several groups have this pseudonym: choose one "
				  "with --object (vldaa token show)",
				  t->label);
			status = VLDAA_EXIT_USAGE;
		}
		vldaa_buffer_free(&other);
	}
	vldaa_buffer_free(&first);
	return status;
}

int vldaa_token_find_pseudonym(vldaa_token *t, const uint8_t *basename, size_t len,
			       CK_OBJECT_HANDLE *key)
{
	CK_OBJECT_CLASS class = CKO_PRIVATE_KEY;
	CK_ULONG role = CK_VLDAA_ROLE_PSEUDONYM, n = 0;
	vldaa_buffer id = {NULL, 0}, name = {NULL, 0};
	CK_OBJECT_HANDLE *found = NULL, member = 0;
	int status = vldaa_buffer_new(&name, len);

	*key = 0;
	/* Cryptoki's values are not const. */
	if (status == VLDAA_EXIT_OK)
		memcpy(name.data, basename, len);
	if (status == VLDAA_EXIT_OK && chosen_object(t))
		status = vldaa_token_need_key(t, CK_VLDAA_ROLE_MEMBER, &member);
	if (status == VLDAA_EXIT_OK && member != 0)
		status = vldaa_token_get(t, member, CKA_VLDAA_KEY_ID, &id);
	CK_ATTRIBUTE templ[] = {{CKA_CLASS, &class, sizeof class},
				{CKA_VLDAA_ROLE, &role, sizeof role},
				{CKA_VLDAA_BASENAME, name.data, len},
				{CKA_VLDAA_KEY_ID, id.data, id.len}};
	if (status == VLDAA_EXIT_OK)
		status = vldaa_token_find(t, templ, member != 0 ? 4 : 3, &found, &n);
	if (status == VLDAA_EXIT_OK && n > 0)
		status = check_one_group(t, found, n);
	/* Several were made by other programs: the first one is as good as any. */
	if (status == VLDAA_EXIT_OK && n > 0)
		*key = found[0];
	free(found);
	vldaa_buffer_free(&id);
	vldaa_buffer_free(&name);
	return status;
}

int vldaa_token_need_basename(vldaa_token *t, vldaa_basename *basename)
{
	vldaa_default_basename policy;
	vldaa_buffer text = {NULL, 0};
	CK_OBJECT_HANDLE member;
	int err, status;

	if (basename->len > 0)
		return VLDAA_EXIT_OK;
	status = vldaa_token_need_key(t, CK_VLDAA_ROLE_MEMBER, &member);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_token_get(t, member, CKA_VLDAA_BASENAME, &text);
	if (status == VLDAA_EXIT_OK && text.len == 0)
		status = vldaa_usage(t->call,
				     "--basename is needed, or a default for the member's key "
				     "(vldaa token basename): %s has none",
				     t->label);
	if (status == VLDAA_EXIT_OK) {
		err = vldaa_default_basename_read(&policy, text.data, text.len);
		if (!err)
			err = vldaa_default_basename_at(&policy, (int64_t)time(NULL),
							basename->text, &basename->len);
		if (err)
			status = vldaa_report(t->label, err);
	}
	vldaa_buffer_free(&text);
	return status;
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

CK_RV vldaa_token_try_sign(vldaa_token *t, CK_MECHANISM *m, CK_OBJECT_HANDLE key,
			   const vldaa_buffer *data, vldaa_buffer *out)
{
	CK_RV rv = t->p11->C_SignInit(t->session, m, key);
	CK_ULONG len = 0;

	if (rv == CKR_OK)
		rv = t->p11->C_Sign(t->session, data->data, data->len, NULL, &len);
	if (rv == CKR_OK && vldaa_buffer_new(out, len) != VLDAA_EXIT_OK)
		rv = CKR_HOST_MEMORY;
	if (rv == CKR_OK)
		rv = t->p11->C_Sign(t->session, data->data, data->len, out->data, &len);
	if (rv == CKR_OK)
		out->len = len;
	else
		vldaa_buffer_free(out);
	return rv;
}

int vldaa_token_sign(vldaa_token *t, CK_MECHANISM *m, CK_OBJECT_HANDLE key,
		     const vldaa_buffer *data, const char *subject, vldaa_buffer *out)
{
	const CK_RV rv = vldaa_token_try_sign(t, m, key, data, out);

	return rv == CKR_OK ? VLDAA_EXIT_OK : vldaa_token_report(t, subject, rv);
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
