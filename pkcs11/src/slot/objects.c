#include "objects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/rand.h>

#include "../result.h"
#include "../store/secret.h"
#include "../store/trace.h"
#include "passing.h"
#include "revoked.h"

/* --- the list ----------------------------------------------------------------------------------
 */

static void free_object(vldaa_p11_object *o)
{
	vldaa_p11_attributes_clear(&o->attributes);
	vldaa_p11_secret_free(o->secret, o->secret_len);
	vldaa_p11_signer_release(o->signer);
	free(o);
}

void vldaa_p11_objects_clear(vldaa_p11_slot *slot)
{
	for (size_t i = 0; i < slot->count; i++)
		free_object(slot->objects[i]);
	free(slot->objects);
	slot->objects = NULL;
	slot->count = 0;
	vldaa_p11_passing_clear(slot);
	slot->stale = 1;
}

/* Which objects go. */
typedef int chooser(vldaa_p11_slot *slot, const vldaa_p11_object *o, CK_ULONG arg);

static void forget_chosen(vldaa_p11_slot *slot, chooser *choose, CK_ULONG arg)
{
	size_t kept = 0;

	for (size_t i = 0; i < slot->count; i++) {
		vldaa_p11_object *o = slot->objects[i];

		if (choose(slot, o, arg))
			free_object(o);
		else
			slot->objects[kept++] = o;
	}
	slot->count = kept;
}

static int is_hidden(vldaa_p11_slot *slot, const vldaa_p11_object *o, CK_ULONG arg)
{
	(void)slot;
	(void)arg;
	return o->is_private;
}

void vldaa_p11_objects_hide(vldaa_p11_slot *slot)
{
	forget_chosen(slot, is_hidden, 0);
	vldaa_p11_passing_clear(slot);
	slot->stale = 1;
}

static int is_owned(vldaa_p11_slot *slot, const vldaa_p11_object *o, CK_ULONG arg)
{
	(void)slot;
	return o->owner != 0 && o->owner == arg;
}

void vldaa_p11_objects_close(vldaa_p11_slot *slot, CK_SESSION_HANDLE owner)
{
	forget_chosen(slot, is_owned, owner);
}

static size_t position(const vldaa_p11_slot *slot, CK_OBJECT_HANDLE handle)
{
	size_t low = 0, high = slot->count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (slot->objects[middle]->handle < handle)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

vldaa_p11_object *vldaa_p11_object_find(const vldaa_p11_slot *slot, CK_OBJECT_HANDLE handle)
{
	const size_t at = position(slot, handle);

	return at < slot->count && slot->objects[at]->handle == handle ? slot->objects[at] : NULL;
}

vldaa_p11_object *vldaa_p11_object_child(const vldaa_p11_slot *slot, CK_OBJECT_HANDLE parent,
					 enum vldaa_p11_kind kind)
{
	for (size_t i = 0; i < slot->count; i++) {
		if (slot->objects[i]->parent == parent && slot->objects[i]->kind == kind)
			return slot->objects[i];
	}
	return NULL;
}

static int put_in(vldaa_p11_slot *slot, vldaa_p11_object *o)
{
	vldaa_p11_object **list = realloc(slot->objects, (slot->count + 1) * sizeof(void *));
	size_t at;

	if (list == NULL)
		return VLDAA_ERR_MEMORY;
	slot->objects = list;
	at = position(slot, o->handle);
	memmove(list + at + 1, list + at, (slot->count - at) * sizeof(void *));
	list[at] = o;
	slot->count++;
	return VLDAA_OK;
}

/* --- from the file -----------------------------------------------------------------------------
 */

static enum vldaa_p11_kind kind_of(const vldaa_p11_attributes *a)
{
	const int is_public = vldaa_p11_attributes_ulong(a, CKA_CLASS) == CKO_PUBLIC_KEY;

	switch (vldaa_p11_attributes_ulong(a, CKA_VLDAA_ROLE)) {
	case CK_VLDAA_ROLE_ISSUER:
		return VLDAA_P11_ISSUER;
	case CK_VLDAA_ROLE_GROUP:
		return VLDAA_P11_GROUP;
	case CK_VLDAA_ROLE_MEMBER:
		return is_public ? VLDAA_P11_MEMBER_PUBLIC : VLDAA_P11_MEMBER;
	case CK_VLDAA_ROLE_PSEUDONYM:
		return is_public ? VLDAA_P11_PSEUDONYM_PUBLIC : VLDAA_P11_PSEUDONYM;
	default:
		break;
	}
	return vldaa_p11_attributes_ulong(a, CKA_CLASS) == CKO_CERTIFICATE ? VLDAA_P11_CERTIFICATE
									   : VLDAA_P11_DATA;
}

typedef struct {
	vldaa_p11_slot *slot;
	vldaa_p11_object *
	    *list; /* the new list: objects of the old one that are taken, and new ones */
	size_t count, room;
} reading;

static int append(reading *r, vldaa_p11_object *o)
{
	if (r->count == r->room) {
		const size_t room = 2 * r->room + 16;
		vldaa_p11_object **list = realloc(r->list, room * sizeof(void *));

		if (list == NULL)
			return VLDAA_ERR_MEMORY;
		r->list = list;
		r->room = room;
	}
	r->list[r->count++] = o;
	return VLDAA_OK;
}

static int take(reading *r, vldaa_p11_object *o)
{
	int err = append(r, o);

	if (!err)
		o->taken = 1;
	return err;
}

static int from_row(vldaa_p11_object **object, const vldaa_p11_row *row)
{
	vldaa_p11_object *o = calloc(1, sizeof *o);
	int ret, err = VLDAA_OK;

	*object = o;
	if (o == NULL)
		return VLDAA_ERR_MEMORY;
	o->id = row->id;
	o->handle = (CK_OBJECT_HANDLE)row->id * 2;
	o->parent = (CK_OBJECT_HANDLE)row->parent * 2;
	o->stamp = row->stamp;
	o->is_private = row->is_private;
	o->is_kept = row->is_kept;
	ret = vldaa_p11_attributes_decode(&o->attributes, row->attributes, row->attributes_len);
	if (ret == 0) {
		o->kind = kind_of(&o->attributes);
		ret = vldaa_p11_rules_complete(&o->attributes, o->kind);
	}
	/* Only what is sealed is its owner's. */
	if (ret == 0 &&
	    vldaa_p11_attributes_bool(&o->attributes, CKA_PRIVATE) != (row->is_private != 0))
		ret = -2;
	if (ret != 0) {
		err = ret == -1 ? VLDAA_ERR_MEMORY : VLDAA_P11_ERR_FOREIGN;
		vldaa_p11_trace("an object's attributes cannot be read");
	}
	if (err) {
		free_object(o);
		*object = NULL;
	}
	return err;
}

static int visit(void *arg, int64_t id, int64_t stamp)
{
	reading *r = arg;
	vldaa_p11_slot *slot = r->slot;
	const size_t at = position(slot, (CK_OBJECT_HANDLE)id * 2);
	vldaa_p11_object *o = at < slot->count ? slot->objects[at] : NULL;
	const uint8_t *master = slot->who == VLDAA_P11_WHO_USER ? slot->master : NULL;
	vldaa_p11_row row;
	int err;

	if (o != NULL && o->id == id && o->stamp == stamp)
		return take(r, o);
	err = vldaa_p11_row_load(&slot->store, master, id, &row);
	if (err == VLDAA_P11_ERR_NO_ROW)
		return VLDAA_OK;
	if (err)
		return err;
	/* Without a login a private object does not exist. */
	if (row.attributes != NULL) {
		err = from_row(&o, &row);
		if (!err) {
			err = append(r, o);
			if (err)
				free_object(o);
		}
	}
	vldaa_p11_row_clear(&row);
	return err;
}

/* A session's object goes with its parent, and with the pseudonym that was revoked. */
static int is_orphan(vldaa_p11_slot *slot, const vldaa_p11_object *o, CK_ULONG check)
{
	if (o->owner == 0)
		return 0;
	if (o->parent != 0 && vldaa_p11_object_find(slot, o->parent) == NULL)
		return 1;
	return check && o->kind == VLDAA_P11_PSEUDONYM && vldaa_p11_is_revoked(slot, o);
}

static int take_session_objects(reading *r)
{
	vldaa_p11_slot *slot = r->slot;
	int err = VLDAA_OK;

	for (size_t i = 0; i < slot->count && !err; i++) {
		if (slot->objects[i]->owner != 0)
			err = take(r, slot->objects[i]);
	}
	return err;
}

static int compare_handles(const void *a, const void *b)
{
	const vldaa_p11_object *x = *(vldaa_p11_object *const *)a;
	const vldaa_p11_object *y = *(vldaa_p11_object *const *)b;

	return (x->handle > y->handle) - (x->handle < y->handle);
}

/* Frees a list, and of its objects those that are not taken. */
static void drop_list(vldaa_p11_object **list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (list[i]->taken)
			list[i]->taken = 0;
		else
			free_object(list[i]);
	}
	free(list);
}

/* The new list in place of the old one; or, after an error, not. */
static void end_reading(reading *r, int err)
{
	vldaa_p11_slot *slot = r->slot;

	if (err) {
		/* What was taken stays where it was. */
		drop_list(r->list, r->count);
		return;
	}
	drop_list(slot->objects, slot->count);
	if (r->count > 0)
		qsort(r->list, r->count, sizeof(void *), compare_handles);
	slot->objects = r->list;
	slot->count = r->count;
}

int vldaa_p11_objects_read(vldaa_p11_slot *slot)
{
	reading r = {slot, NULL, 0, 0};
	int64_t revocations = 0;
	/* One state of the file, though others write meanwhile. */
	int err = vldaa_p11_db_begin_read(&slot->store.db);

	if (err)
		return err;
	err = vldaa_p11_rows_walk(&slot->store, visit, &r);
	if (!err)
		err = vldaa_p11_revocations(slot, &revocations);
	if (!err)
		err = take_session_objects(&r);
	err = vldaa_p11_db_end(&slot->store.db, err);
	end_reading(&r, err);
	if (err)
		return err;
	/* Twice: public halves go after their private ones. */
	forget_chosen(slot, is_orphan, revocations != slot->revocations);
	forget_chosen(slot, is_orphan, 0);
	if (revocations != slot->revocations)
		vldaa_p11_passing_clear(slot);
	else
		vldaa_p11_passing_update(slot);
	slot->revocations = revocations;
	return VLDAA_OK;
}

/* --- making ------------------------------------------------------------------------------------
 */

CK_RV vldaa_p11_draft_begin(vldaa_p11_draft *draft, enum vldaa_p11_kind kind)
{
	memset(draft, 0, sizeof *draft);
	draft->kind = kind;
	if (vldaa_p11_rules_defaults(&draft->attributes, kind) == 0)
		return CKR_OK;
	vldaa_p11_draft_clear(draft);
	return CKR_HOST_MEMORY;
}

void vldaa_p11_draft_clear(vldaa_p11_draft *draft)
{
	vldaa_p11_attributes_clear(&draft->attributes);
	memset(draft, 0, sizeof *draft);
}

CK_RV vldaa_p11_draft_data(vldaa_p11_draft *draft, const char *label, const uint8_t *value,
			   size_t len)
{
	static const char application[] = "vldaa";
	const CK_RV rv = vldaa_p11_draft_begin(draft, VLDAA_P11_DATA);
	vldaa_p11_attributes *a = &draft->attributes;

	if (rv != CKR_OK)
		return rv;
	if (vldaa_p11_attributes_set_bool(a, CKA_TOKEN, 1) == 0 &&
	    vldaa_p11_attributes_set(a, CKA_LABEL, label, strlen(label)) == 0 &&
	    vldaa_p11_attributes_set(a, CKA_APPLICATION, application, sizeof application - 1) ==
		0 &&
	    vldaa_p11_attributes_set(a, CKA_VALUE, value, len) == 0)
		return CKR_OK;
	vldaa_p11_draft_clear(draft);
	return CKR_HOST_MEMORY;
}

/* CKA_UNIQUE_ID: 32 hexadecimal digits of the row's uid. */
static int set_unique_id(vldaa_p11_attributes *a, uint8_t uid[VLDAA_P11_UID])
{
	char text[2 * VLDAA_P11_UID + 1];

	if (RAND_bytes(uid, VLDAA_P11_UID) != 1)
		return VLDAA_ERR_RANDOM;
	for (size_t i = 0; i < VLDAA_P11_UID; i++)
		(void)snprintf(text + 2 * i, 3, "%02x", uid[i]);
	return vldaa_p11_attributes_set(a, CKA_UNIQUE_ID, text, 2 * VLDAA_P11_UID) == 0
		   ? VLDAA_OK
		   : VLDAA_ERR_MEMORY;
}

static int add_row(vldaa_p11_slot *slot, const vldaa_p11_draft *draft,
		   const vldaa_p11_attributes *attributes, const uint8_t uid[VLDAA_P11_UID],
		   CK_OBJECT_HANDLE *handle)
{
	vldaa_p11_row row = {0};
	int err;

	row.parent = (int64_t)(draft->parent / 2);
	row.is_private = vldaa_p11_attributes_bool(attributes, CKA_PRIVATE);
	row.is_kept = draft->is_kept;
	memcpy(row.uid, uid, VLDAA_P11_UID);
	if (vldaa_p11_attributes_encode(attributes, &row.attributes, &row.attributes_len) != 0)
		return VLDAA_ERR_MEMORY;
	err = vldaa_p11_row_insert(&slot->store, slot->master, &row, draft->secret,
				   draft->secret_len);
	*handle = (CK_OBJECT_HANDLE)row.id * 2;
	vldaa_p11_row_clear(&row);
	slot->stale = 1;
	return err;
}

static int add_session_object(vldaa_p11_slot *slot, const vldaa_p11_draft *draft,
			      vldaa_p11_attributes *attributes, CK_SESSION_HANDLE owner,
			      CK_OBJECT_HANDLE *handle)
{
	vldaa_p11_object *o = calloc(1, sizeof *o);
	int err = VLDAA_OK;

	if (o == NULL)
		return VLDAA_ERR_MEMORY;
	o->handle = slot->last_session_object += 2;
	o->handle++;
	o->parent = draft->parent;
	o->owner = owner;
	o->kind = draft->kind;
	o->is_private = vldaa_p11_attributes_bool(attributes, CKA_PRIVATE);
	if (draft->secret != NULL) {
		o->secret = vldaa_p11_secret_new(draft->secret_len);
		o->secret_len = draft->secret_len;
		if (o->secret == NULL)
			err = VLDAA_ERR_MEMORY;
		else
			memcpy(o->secret, draft->secret, draft->secret_len);
	}
	if (!err)
		err = put_in(slot, o);
	if (err) {
		free_object(o);
		return err;
	}
	o->attributes = *attributes;
	memset(attributes, 0, sizeof *attributes);
	*handle = o->handle;
	return VLDAA_OK;
}

CK_RV vldaa_p11_object_add(vldaa_p11_slot *slot, const vldaa_p11_draft *draft,
			   CK_SESSION_HANDLE owner, CK_OBJECT_HANDLE *handle)
{
	vldaa_p11_attributes attributes = {NULL, 0};
	uint8_t uid[VLDAA_P11_UID];
	int err = vldaa_p11_attributes_copy(&attributes, &draft->attributes) == 0
		      ? VLDAA_OK
		      : VLDAA_ERR_MEMORY;

	if (!err)
		err = set_unique_id(&attributes, uid);
	if (!err)
		err = vldaa_p11_attributes_bool(&attributes, CKA_TOKEN)
			  ? add_row(slot, draft, &attributes, uid, handle)
			  : add_session_object(slot, draft, &attributes, owner, handle);
	vldaa_p11_attributes_clear(&attributes);
	return vldaa_p11_result(err);
}

/* --- all or nothing ----------------------------------------------------------------------------
 */

CK_RV vldaa_p11_objects_begin(vldaa_p11_slot *slot, CK_OBJECT_HANDLE *mark)
{
	CK_RV rv = vldaa_p11_result(vldaa_p11_store_begin(&slot->store));

	*mark = slot->last_session_object;
	if (rv != CKR_OK)
		return rv;
	/* Others have changed it until the lock was had, and change nothing from now on. */
	rv = vldaa_p11_slot_refresh(slot);
	if (rv != CKR_OK)
		(void)vldaa_p11_db_end(&slot->store.db, VLDAA_ERR_STATE);
	return rv;
}

static int is_newer(vldaa_p11_slot *slot, const vldaa_p11_object *o, CK_ULONG mark)
{
	(void)slot;
	return o->owner != 0 && o->handle > mark + 1;
}

CK_RV vldaa_p11_objects_end(vldaa_p11_slot *slot, CK_OBJECT_HANDLE mark, CK_RV rv)
{
	const int err =
	    vldaa_p11_db_end(&slot->store.db, rv == CKR_OK ? VLDAA_OK : VLDAA_ERR_STATE);

	slot->stale = 1;
	if (rv == CKR_OK)
		rv = vldaa_p11_result(err);
	if (rv != CKR_OK)
		forget_chosen(slot, is_newer, mark);
	return rv;
}

/* --- changing ----------------------------------------------------------------------------------
 */

CK_RV vldaa_p11_object_change(vldaa_p11_slot *slot, vldaa_p11_object *object,
			      vldaa_p11_attributes *attributes)
{
	vldaa_p11_row row = {0};
	int err = VLDAA_OK;

	if (object->owner != 0) {
		vldaa_p11_attributes_clear(&object->attributes);
		object->attributes = *attributes;
		memset(attributes, 0, sizeof *attributes);
		return CKR_OK;
	}
	if (vldaa_p11_attributes_encode(attributes, &row.attributes, &row.attributes_len) != 0)
		err = VLDAA_ERR_MEMORY;
	vldaa_p11_attributes_clear(attributes);
	row.id = object->id;
	row.is_private = object->is_private;
	if (!err) {
		vldaa_p11_row now;

		/* The uid is part of what a sealed row is bound to. */
		err = vldaa_p11_row_load(&slot->store, NULL, object->id, &now);
		if (!err) {
			memcpy(row.uid, now.uid, VLDAA_P11_UID);
			vldaa_p11_row_clear(&now);
			err = vldaa_p11_row_update(&slot->store, slot->master, &row);
		}
	}
	vldaa_p11_row_clear(&row);
	slot->stale = 1;
	return vldaa_p11_result(err);
}

static int is_child_of(vldaa_p11_slot *slot, const vldaa_p11_object *o, CK_ULONG parent)
{
	(void)slot;
	return o->parent == parent;
}

static int is_it(vldaa_p11_slot *slot, const vldaa_p11_object *o, CK_ULONG handle)
{
	(void)slot;
	return o->handle == handle;
}

CK_RV vldaa_p11_object_destroy(vldaa_p11_slot *slot, vldaa_p11_object *object)
{
	const CK_OBJECT_HANDLE handle = object->handle;

	if (object->owner == 0) {
		const int err = vldaa_p11_row_delete(&slot->store, object->id);

		slot->stale = 1;
		return vldaa_p11_result(err);
	}
	forget_chosen(slot, is_child_of, handle);
	forget_chosen(slot, is_it, handle);
	return CKR_OK;
}

CK_RV vldaa_p11_object_secret(vldaa_p11_slot *slot, const vldaa_p11_object *object,
			      uint8_t **secret, size_t *len)
{
	if (object->owner == 0)
		return vldaa_p11_result(
		    vldaa_p11_row_secret(&slot->store, slot->master, object->id, secret, len));
	*len = object->secret_len;
	*secret = object->secret != NULL ? vldaa_p11_secret_new(*len) : NULL;
	if (*secret == NULL)
		return CKR_HOST_MEMORY;
	memcpy(*secret, object->secret, *len);
	return CKR_OK;
}
