/* Which mechanisms there are, and which keys each works with. */
#ifndef VLDAA_P11_TABLE_H
#define VLDAA_P11_TABLE_H

#include "../session/session.h"

/* A step that takes its whole input at once and runs in the slot; the caller has entered it. */
typedef struct {
	vldaa_p11_slot *slot;
	vldaa_p11_object *key;
	const vldaa_p11_bytes *parameter;
	const uint8_t *data;
	size_t data_len;
	uint8_t *out;
	size_t cap;
	size_t *len;
} vldaa_p11_step;
typedef CK_RV vldaa_p11_step_run(const vldaa_p11_step *step);

/* Invariant: run is NULL for what signs messages; else output is the kind of object it gives. */
typedef struct vldaa_p11_mechanism {
	CK_MECHANISM_TYPE type;
	CK_FLAGS flags;
	unsigned sign_kinds;   /* 1 << enum vldaa_p11_kind of keys for C_Sign */
	unsigned verify_kinds; /* likewise for C_Verify */
	vldaa_p11_step_run *run;
	const char *parameter; /* of run: the only one there is besides none; NULL: none is */
	enum vldaa_kind output;
	enum vldaa_form form; /* of signatures */
} vldaa_p11_mechanism;

/* NULL: no such mechanism. */
const vldaa_p11_mechanism *vldaa_p11_mechanism_find(CK_MECHANISM_TYPE type);
/* The index-th, NULL after the last. */
const vldaa_p11_mechanism *vldaa_p11_mechanism_at(size_t index);
/* May this key, by its kind, key type and CKA_ALLOWED_MECHANISMS, be used with it so? */
int vldaa_p11_mechanism_suits(const vldaa_p11_mechanism *m, const vldaa_p11_object *key,
			      unsigned kinds);

/* join.c, revoke.c */
vldaa_p11_step_run vldaa_p11_join_nonce, vldaa_p11_join_request, vldaa_p11_join_issue,
    vldaa_p11_revoke, vldaa_p11_revocation_token;

#endif
