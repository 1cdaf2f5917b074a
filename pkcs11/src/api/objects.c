/* Objects and their attributes. */
#include <stdlib.h>
#include <string.h>

#include "../mechanism/import.h"
#include "../mechanism/values.h"
#include "../result.h"
#include "../role/member.h"
#include "../session/library.h"
#include "../store/records.h"
#include "api.h"

/* A session, its slot and an object, all at once; on success give_all. */
static CK_RV take_object(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE handle, vldaa_p11_session **s,
			 vldaa_p11_object **object)
{
	CK_RV rv = vldaa_p11_session_take(session, s);

	if (rv != CKR_OK)
		return rv;
	rv = vldaa_p11_session_enter_slot(*s);
	if (rv == CKR_OK) {
		*object = vldaa_p11_object_find((*s)->slot, handle);
		if (*object != NULL)
			return CKR_OK;
		vldaa_p11_slot_leave((*s)->slot);
		rv = CKR_OBJECT_HANDLE_INVALID;
	}
	vldaa_p11_session_give(*s);
	return rv;
}

static void give_all(vldaa_p11_session *s)
{
	vldaa_p11_slot_leave(s->slot);
	vldaa_p11_session_give(s);
}

/* --- changing ----------------------------------------------------------------------------------
 */

typedef CK_RV change(vldaa_p11_session *s, vldaa_p11_object *o, const void *arg);

/* The session may write it: then an object of the file as it is now, which nobody else changes
 * meanwhile. */
static CK_RV change_object(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE handle, change *what,
			   const void *arg)
{
	vldaa_p11_session *s;
	vldaa_p11_object *o;
	CK_OBJECT_HANDLE mark;
	CK_RV rv = take_object(session, handle, &s, &o);

	if (rv != CKR_OK)
		return rv;
	rv = vldaa_p11_session_may_write(s, o->owner == 0, o->is_private);
	if (rv == CKR_OK && o->owner != 0) {
		rv = what(s, o, arg);
	} else if (rv == CKR_OK) {
		rv = vldaa_p11_objects_begin(s->slot, &mark);
		if (rv == CKR_OK) {
			o = vldaa_p11_object_find(s->slot, handle);
			rv = o != NULL ? what(s, o, arg) : CKR_OBJECT_HANDLE_INVALID;
			rv = vldaa_p11_objects_end(s->slot, mark, rv);
		}
	}
	give_all(s);
	return rv;
}

/* --- making ------------------------------------------------------------------------------------
 */

/* The slot was entered. */
static CK_RV add_draft(vldaa_p11_session *s, const vldaa_p11_draft *draft, CK_OBJECT_HANDLE *handle)
{
	const vldaa_p11_attributes *a = &draft->attributes;
	CK_RV rv = vldaa_p11_session_may_write(s, vldaa_p11_attributes_bool(a, CKA_TOKEN),
					       vldaa_p11_attributes_bool(a, CKA_PRIVATE));

	return rv == CKR_OK ? vldaa_p11_object_add(s->slot, draft, s->handle, handle) : rv;
}

CK_RV C_CreateObject(CK_SESSION_HANDLE session, CK_ATTRIBUTE *templ, CK_ULONG count,
		     CK_OBJECT_HANDLE *object)
{
	vldaa_p11_session *s;
	vldaa_p11_draft draft;
	CK_RV rv = vldaa_p11_session_take(session, &s);

	if (rv != CKR_OK)
		return rv;
	rv = object != NULL ? vldaa_p11_session_enter_slot(s) : CKR_ARGUMENTS_BAD;
	if (rv == CKR_OK) {
		rv = vldaa_p11_create_draft(&draft, s->slot, templ, count);
		if (rv == CKR_OK) {
			rv = add_draft(s, &draft, object);
			vldaa_p11_draft_clear(&draft);
		}
		vldaa_p11_slot_leave(s->slot);
	}
	vldaa_p11_session_give(s);
	return rv;
}

/* Only what has no secret is copied, and so no draft of a copy needs one. */
static CK_RV copy(vldaa_p11_session *s, const vldaa_p11_object *from, const CK_ATTRIBUTE *templ,
		  CK_ULONG count, CK_OBJECT_HANDLE *object)
{
	/* Certificates outlive C_InitToken; of what else does, a copy is not it. */
	vldaa_p11_draft draft = {.kind = from->kind,
				 .is_kept = from->is_kept && from->kind == VLDAA_P11_CERTIFICATE};
	CK_RV rv;

	if (!vldaa_p11_attributes_bool(&from->attributes, CKA_COPYABLE))
		return CKR_ACTION_PROHIBITED;
	rv = vldaa_p11_attributes_copy(&draft.attributes, &from->attributes) == 0 ? CKR_OK
										  : CKR_HOST_MEMORY;
	if (rv == CKR_OK)
		rv = vldaa_p11_rules_apply(&draft.attributes, from->kind, VLDAA_P11_COPY, templ,
					   count);
	if (rv == CKR_OK)
		rv = vldaa_p11_values_check(from->kind, &draft.attributes);
	/* What was for its owner alone does not become everybody's. */
	if (rv == CKR_OK && from->is_private &&
	    !vldaa_p11_attributes_bool(&draft.attributes, CKA_PRIVATE))
		rv = CKR_TEMPLATE_INCONSISTENT;
	if (rv == CKR_OK)
		rv = add_draft(s, &draft, object);
	vldaa_p11_draft_clear(&draft);
	return rv;
}

CK_RV C_CopyObject(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE object, CK_ATTRIBUTE *templ,
		   CK_ULONG count, CK_OBJECT_HANDLE *new_object)
{
	vldaa_p11_session *s;
	vldaa_p11_object *o;
	CK_RV rv = take_object(session, object, &s, &o);

	if (rv != CKR_OK)
		return rv;
	rv = new_object != NULL ? copy(s, o, templ, count, new_object) : CKR_ARGUMENTS_BAD;
	give_all(s);
	return rv;
}

/* A member key takes its TPM's records with it, an issuer's its register's file is left behind. */
static CK_RV destroy(vldaa_p11_session *s, vldaa_p11_object *o, const void *unused)
{
	const vldaa_p11_attribute *id = vldaa_p11_attributes_find(&o->attributes, CKA_VLDAA_KEY_ID);
	CK_RV rv = CKR_OK;

	(void)unused;
	if (!vldaa_p11_attributes_bool(&o->attributes, CKA_DESTROYABLE))
		return CKR_ACTION_PROHIBITED;
	if (o->kind == VLDAA_P11_MEMBER)
		rv = vldaa_p11_result(vldaa_p11_records_forget_member(&s->slot->store, id->value));
	return rv == CKR_OK ? vldaa_p11_object_destroy(s->slot, o) : rv;
}

CK_RV C_DestroyObject(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE object)
{
	return change_object(session, object, destroy, NULL);
}

/* --- attributes --------------------------------------------------------------------------------
 */

/* An attestation is kept once, with the public half. */
static const vldaa_p11_attribute *attribute_of(const vldaa_p11_slot *slot,
					       const vldaa_p11_object *o, CK_ATTRIBUTE_TYPE type)
{
	const vldaa_p11_object *at = o;

	if (type == CKA_VLDAA_ATTESTATION && o->kind == VLDAA_P11_PSEUDONYM)
		at = vldaa_p11_object_child(slot, o->handle, VLDAA_P11_PSEUDONYM_PUBLIC);
	return at != NULL ? vldaa_p11_attributes_find(&at->attributes, type) : NULL;
}

static CK_RV get_one(const vldaa_p11_slot *slot, const vldaa_p11_object *o, CK_ATTRIBUTE *wanted)
{
	const vldaa_p11_attribute *a = attribute_of(slot, o, wanted->type);
	const CK_ULONG room = wanted->ulValueLen;

	wanted->ulValueLen = CK_UNAVAILABLE_INFORMATION;
	if (vldaa_p11_rules_is_sensitive(o->kind, wanted->type))
		return CKR_ATTRIBUTE_SENSITIVE;
	if (a == NULL)
		return CKR_ATTRIBUTE_TYPE_INVALID;
	if (wanted->pValue != NULL && room < a->len)
		return CKR_BUFFER_TOO_SMALL;
	wanted->ulValueLen = a->len;
	if (wanted->pValue != NULL && a->len > 0)
		memcpy(wanted->pValue, a->value, a->len);
	return CKR_OK;
}

CK_RV C_GetAttributeValue(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE object, CK_ATTRIBUTE *templ,
			  CK_ULONG count)
{
	vldaa_p11_session *s;
	vldaa_p11_object *o;
	CK_RV rv = take_object(session, object, &s, &o);

	if (rv != CKR_OK)
		return rv;
	if (templ == NULL && count > 0)
		rv = CKR_ARGUMENTS_BAD;
	/* All are looked at, whatever is wrong with one. */
	for (CK_ULONG i = 0; templ != NULL && i < count; i++) {
		const CK_RV one = get_one(s->slot, o, &templ[i]);

		if (one != CKR_OK)
			rv = one;
	}
	give_all(s);
	return rv;
}

typedef struct {
	const CK_ATTRIBUTE *list;
	CK_ULONG count;
} new_values;

static CK_RV set_attributes(vldaa_p11_session *s, vldaa_p11_object *o, const void *arg)
{
	const new_values *given = arg;
	vldaa_p11_attributes changed = {NULL, 0};
	CK_RV rv = CKR_OK;

	if (!vldaa_p11_attributes_bool(&o->attributes, CKA_MODIFIABLE))
		return CKR_ACTION_PROHIBITED;
	if (vldaa_p11_attributes_copy(&changed, &o->attributes) != 0)
		rv = CKR_HOST_MEMORY;
	if (rv == CKR_OK)
		rv = vldaa_p11_rules_apply(&changed, o->kind, VLDAA_P11_CHANGE, given->list,
					   given->count);
	if (rv == CKR_OK)
		rv = vldaa_p11_values_check(o->kind, &changed);
	if (rv == CKR_OK)
		rv = vldaa_p11_object_change(s->slot, o, &changed);
	vldaa_p11_attributes_clear(&changed);
	return rv;
}

CK_RV C_SetAttributeValue(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE object, CK_ATTRIBUTE *templ,
			  CK_ULONG count)
{
	const new_values given = {templ, count};

	return change_object(session, object, set_attributes, &given);
}

CK_RV C_GetObjectSize(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE object, CK_ULONG *size)
{
	vldaa_p11_session *s;
	vldaa_p11_object *o;
	CK_RV rv = take_object(session, object, &s, &o);

	if (rv != CKR_OK)
		return rv;
	if (size == NULL) {
		rv = CKR_ARGUMENTS_BAD;
	} else {
		*size = 0;
		for (size_t i = 0; i < o->attributes.count; i++)
			*size += sizeof(CK_ATTRIBUTE) + o->attributes.list[i].len;
	}
	give_all(s);
	return rv;
}

/* --- finding -----------------------------------------------------------------------------------
 */

static int matches(const vldaa_p11_slot *slot, const vldaa_p11_object *o, const CK_ATTRIBUTE *templ,
		   CK_ULONG count)
{
	for (CK_ULONG i = 0; i < count; i++) {
		const vldaa_p11_attribute *a = attribute_of(slot, o, templ[i].type);

		if (a == NULL || vldaa_p11_rules_is_sensitive(o->kind, templ[i].type) ||
		    a->len != templ[i].ulValueLen ||
		    (a->len > 0 && memcmp(a->value, templ[i].pValue, a->len) != 0))
			return 0;
	}
	return 1;
}

static CK_RV check_search(const CK_ATTRIBUTE *templ, CK_ULONG count)
{
	if (templ == NULL && count > 0)
		return CKR_ARGUMENTS_BAD;
	for (CK_ULONG i = 0; i < count; i++) {
		if (templ[i].pValue == NULL && templ[i].ulValueLen > 0)
			return CKR_ATTRIBUTE_VALUE_INVALID;
	}
	return CKR_OK;
}

/* The slot was entered. */
static CK_RV search(vldaa_p11_search *found, const vldaa_p11_slot *slot, const CK_ATTRIBUTE *templ,
		    CK_ULONG count)
{
	CK_OBJECT_HANDLE *handles = calloc(slot->count + 1, sizeof *handles);
	size_t n = 0;

	if (handles == NULL)
		return CKR_HOST_MEMORY;
	for (size_t i = 0; i < slot->count; i++) {
		if (matches(slot, slot->objects[i], templ, count))
			handles[n++] = slot->objects[i]->handle;
	}
	*found = (vldaa_p11_search){1, handles, n, 0};
	return CKR_OK;
}

CK_RV C_FindObjectsInit(CK_SESSION_HANDLE session, CK_ATTRIBUTE *templ, CK_ULONG count)
{
	vldaa_p11_session *s;
	CK_RV rv = vldaa_p11_session_take(session, &s);

	if (rv != CKR_OK)
		return rv;
	rv = s->search.active ? CKR_OPERATION_ACTIVE : check_search(templ, count);
	if (rv == CKR_OK)
		rv = vldaa_p11_session_enter_slot(s);
	if (rv == CKR_OK) {
		rv = search(&s->search, s->slot, templ, count);
		vldaa_p11_slot_leave(s->slot);
	}
	vldaa_p11_session_give(s);
	return rv;
}

/* What has gone since, with a logout say, is not found any more. */
static CK_ULONG next_found(vldaa_p11_search *found, const vldaa_p11_slot *slot,
			   CK_OBJECT_HANDLE *object, CK_ULONG max)
{
	CK_ULONG n = 0;

	while (n < max && found->next < found->count) {
		const CK_OBJECT_HANDLE handle = found->handles[found->next++];

		if (vldaa_p11_object_find(slot, handle) != NULL)
			object[n++] = handle;
	}
	return n;
}

CK_RV C_FindObjects(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE *object, CK_ULONG max_object_count,
		    CK_ULONG *object_count)
{
	vldaa_p11_session *s;
	CK_RV rv = vldaa_p11_session_take(session, &s);

	if (rv != CKR_OK)
		return rv;
	if (!s->search.active)
		rv = CKR_OPERATION_NOT_INITIALIZED;
	else if (object_count == NULL || (object == NULL && max_object_count > 0))
		rv = CKR_ARGUMENTS_BAD;
	else
		rv = vldaa_p11_session_enter_slot(s);
	if (rv == CKR_OK) {
		*object_count = next_found(&s->search, s->slot, object, max_object_count);
		vldaa_p11_slot_leave(s->slot);
	}
	vldaa_p11_session_give(s);
	return rv;
}

CK_RV C_FindObjectsFinal(CK_SESSION_HANDLE session)
{
	vldaa_p11_session *s;
	CK_RV rv = vldaa_p11_session_take(session, &s);

	if (rv != CKR_OK)
		return rv;
	rv = s->search.active ? CKR_OK : CKR_OPERATION_NOT_INITIALIZED;
	vldaa_p11_search_end(&s->search);
	vldaa_p11_session_give(s);
	return rv;
}
