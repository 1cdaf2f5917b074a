/* Revoke: a member obeys an order; and the token by which a pseudonym's confirmation is known. */
#include <stdlib.h>
#include <string.h>

#include "../result.h"
#include "../role/tpm.h"
#include "keys.h"
#include "table.h"

/* Has a hard order ended this member? */
static CK_RV ask_dead(const vldaa_p11_member *m, const vldaa_p11_object *member, int *dead)
{
	const vldaa_p11_attribute *key_id =
	    vldaa_p11_attributes_find(&member->attributes, CKA_VLDAA_KEY_ID);
	vldaa_tpm_status status;
	vldaa_p11_tpm t;
	int err = vldaa_p11_tpm_open(&t, m->store, m->master, vldaa_p11_key_set(member));

	*dead = 0;
	if (!err) {
		err = vldaa_tpm_get_status(t.tpm, key_id->value, &status);
		vldaa_p11_tpm_close(&t);
	}
	if (!err)
		*dead = status.dead;
	return vldaa_p11_result(err);
}

/* What has ended: pseudonyms in the file that the TPM does not use any more.  The TPM has one list of
 * keys: an order may be for another member than the one that it was given to. */
static CK_RV destroy_revoked(const vldaa_p11_step *step, const vldaa_p11_member *m,
			     CK_OBJECT_HANDLE member)
{
	vldaa_p11_slot *slot = step->slot;
	CK_RV rv = CKR_OK;

	for (size_t i = 0; i < slot->count && rv == CKR_OK; i++) {
		vldaa_p11_object *o = slot->objects[i];
		const vldaa_p11_attribute *basename =
		    vldaa_p11_attributes_find(&o->attributes, CKA_VLDAA_BASENAME);
		const vldaa_p11_attribute *key_id =
		    vldaa_p11_attributes_find(&o->attributes, CKA_VLDAA_KEY_ID);
		int err;

		if (o->owner != 0 || o->kind != VLDAA_P11_PSEUDONYM || o->parent != member)
			continue;
		err = vldaa_p11_member_may_use(m->store, m->master, vldaa_p11_key_set(o),
					       key_id->value, basename->value, basename->len);
		if (err == VLDAA_ERR_TOMBSTONE)
			rv = vldaa_p11_object_destroy(slot, o);
		else
			rv = vldaa_p11_result(err);
	}
	return rv;
}

/* The member key is gone, and with it whom one could ask again: its confirmation stays, as the
 * expulsion does, also when the token is initialised anew. */
static CK_RV keep_confirmation(vldaa_p11_slot *slot, const uint8_t *confirmation, size_t len)
{
	vldaa_p11_draft draft;
	CK_OBJECT_HANDLE handle;
	CK_RV rv = vldaa_p11_draft_data(&draft, "revocation confirmation", confirmation, len);

	if (rv != CKR_OK)
		return rv;
	draft.is_kept = 1;
	rv = vldaa_p11_object_add(slot, &draft, 0, &handle);
	vldaa_p11_draft_clear(&draft);
	return rv;
}

/* Of every member on the token. */
static CK_RV destroy_what_ended(const vldaa_p11_step *step, const vldaa_p11_member *m)
{
	vldaa_p11_slot *slot = step->slot;
	CK_RV rv = CKR_OK;

	for (size_t i = 0; i < slot->count && rv == CKR_OK; i++) {
		vldaa_p11_object *o = slot->objects[i];
		int dead;

		if (o->kind != VLDAA_P11_MEMBER)
			continue;
		rv = ask_dead(m, o, &dead);
		if (rv == CKR_OK && !dead)
			rv = destroy_revoked(step, m, o->handle);
		if (rv != CKR_OK || !dead)
			continue;
		rv = keep_confirmation(slot, step->out, *step->len);
		if (rv == CKR_OK)
			rv = vldaa_p11_object_destroy(slot, o);
	}
	return rv;
}

static CK_RV obey(const vldaa_p11_step *step)
{
	vldaa_p11_open_member m;
	CK_RV rv = vldaa_p11_member_open(&m, step->slot, step->key);

	if (rv != CKR_OK)
		return rv;
	rv = vldaa_p11_result(vldaa_p11_member_obey(&m.member, step->data, step->data_len,
						    step->out, step->cap, step->len));
	if (rv == CKR_OK)
		rv = destroy_what_ended(step, &m.member);
	vldaa_p11_member_close(&m);
	return rv;
}

/* The TPM's records and the objects change together, or not at all. */
CK_RV vldaa_p11_revoke(const vldaa_p11_step *step)
{
	const CK_OBJECT_HANDLE handle = step->key->handle;
	vldaa_p11_step now = *step;
	CK_OBJECT_HANDLE mark;
	CK_RV rv = vldaa_p11_objects_begin(step->slot, &mark);

	if (rv != CKR_OK)
		return rv;
	/* With every pseudonym that other processes have made until now. */
	now.key = vldaa_p11_object_find(step->slot, handle);
	rv = now.key != NULL ? obey(&now) : CKR_KEY_HANDLE_INVALID;
	rv = vldaa_p11_objects_end(step->slot, mark, rv);
	if (rv != CKR_OK)
		memset(step->out, 0, step->cap);
	return rv;
}

CK_RV vldaa_p11_revocation_token(const vldaa_p11_step *step)
{
	const vldaa_p11_attribute *basename =
	    vldaa_p11_attributes_find(&step->key->attributes, CKA_VLDAA_BASENAME);
	const vldaa_p11_object *member = vldaa_p11_object_find(step->slot, step->key->parent);
	const vldaa_p11_object *public_half =
	    vldaa_p11_object_child(step->slot, step->key->handle, VLDAA_P11_PSEUDONYM_PUBLIC);
	const vldaa_p11_attribute *attestation;
	vldaa_p11_open_member m;
	CK_RV rv;

	if (step->data_len != 0 && (step->data_len != basename->len ||
				    memcmp(step->data, basename->value, basename->len) != 0))
		return CKR_DATA_INVALID;
	if (member == NULL || public_half == NULL)
		return CKR_KEY_HANDLE_INVALID;
	attestation = vldaa_p11_attributes_find(&public_half->attributes, CKA_VLDAA_ATTESTATION);
	rv = vldaa_p11_member_open(&m, step->slot, member);
	if (rv != CKR_OK)
		return rv;
	rv = vldaa_p11_result(vldaa_p11_member_token(&m.member, basename->value, basename->len,
						     attestation->value, attestation->len,
						     step->out, step->cap, step->len));
	vldaa_p11_member_close(&m);
	return rv;
}
