/* The objects of a slot, as this process sees them; callers hold the slot's lock. */
#ifndef VLDAA_P11_OBJECTS_H
#define VLDAA_P11_OBJECTS_H

#include "slot.h"

/* Forgets all. */
void vldaa_p11_objects_clear(vldaa_p11_slot *slot);
/* Forgets private ones, and what was made of secrets: nobody is logged in any more. */
void vldaa_p11_objects_hide(vldaa_p11_slot *slot);
/* Forgets a session's own. */
void vldaa_p11_objects_close(vldaa_p11_slot *slot, CK_SESSION_HANDLE owner);
/* Brings them up to date with the file. */
int vldaa_p11_objects_read(vldaa_p11_slot *slot);

/* NULL when there is none, or it is not to be seen. */
vldaa_p11_object *vldaa_p11_object_find(const vldaa_p11_slot *slot, CK_OBJECT_HANDLE handle);
/* The object whose parent it is, of this kind; NULL when there is none. */
vldaa_p11_object *vldaa_p11_object_child(const vldaa_p11_slot *slot, CK_OBJECT_HANDLE parent,
					 enum vldaa_p11_kind kind);

/* An object that is to be. */
typedef struct {
	enum vldaa_p11_kind kind;
	vldaa_p11_attributes attributes;
	CK_OBJECT_HANDLE parent; /* 0: none; of a token's object a token's */
	int is_kept;
	const uint8_t *secret;
	size_t secret_len;
} vldaa_p11_draft;

/* Starts with the kind's defaults. */
CK_RV vldaa_p11_draft_begin(vldaa_p11_draft *draft, enum vldaa_p11_kind kind);
/* Starts a data object of the token's own, in its file. */
CK_RV vldaa_p11_draft_data(vldaa_p11_draft *draft, const char *label, const uint8_t *value,
			   size_t len);
void vldaa_p11_draft_clear(vldaa_p11_draft *draft);
/*
 * Makes an object of it, in the file (in a transaction, if there is one) or for the session owner,
 * as its CKA_TOKEN says.  An object in the file is seen by find after the next refresh.
 */
CK_RV vldaa_p11_object_add(vldaa_p11_slot *slot, const vldaa_p11_draft *draft,
			   CK_SESSION_HANDLE owner, CK_OBJECT_HANDLE *handle);
/*
 * Around several changes that are one: all are done or, when rv or the file says that something
 * failed, none, of the file's and of what was added for sessions.  mark: from begin to end.
 * begin brings the objects up to date: what was found before is to be found again, if it is still
 * there, and stays as it is until end.
 */
CK_RV vldaa_p11_objects_begin(vldaa_p11_slot *slot, CK_OBJECT_HANDLE *mark);
CK_RV vldaa_p11_objects_end(vldaa_p11_slot *slot, CK_OBJECT_HANDLE mark, CK_RV rv);
/* In place of its attributes; they are taken over, whatever happens. */
CK_RV vldaa_p11_object_change(vldaa_p11_slot *slot, vldaa_p11_object *object,
			      vldaa_p11_attributes *attributes);
/* With what has it as parent.  The object is gone from memory after the next refresh (a session's:
 * at once). */
CK_RV vldaa_p11_object_destroy(vldaa_p11_slot *slot, vldaa_p11_object *object);
/* A copy of its secret, for vldaa_p11_secret_free. */
CK_RV vldaa_p11_object_secret(vldaa_p11_slot *slot, const vldaa_p11_object *object,
			      uint8_t **secret, size_t *len);

#endif
