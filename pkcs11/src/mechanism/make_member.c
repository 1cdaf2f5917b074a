/* What a member key makes: its credential (C_UnwrapKey), pseudonyms (C_DeriveKey). */
#include <string.h>

#include "../result.h"
#include "keys.h"
#include "make.h"
#include "values.h"

/* A member key that may be used so. */
static CK_RV find_member(const vldaa_p11_session *session, CK_OBJECT_HANDLE handle,
			 CK_ATTRIBUTE_TYPE usage, CK_RV absent, vldaa_p11_object **key)
{
	*key = vldaa_p11_object_find(session->slot, handle);
	if (*key == NULL)
		return session->slot->who == VLDAA_P11_WHO_USER ? absent : CKR_USER_NOT_LOGGED_IN;
	if ((*key)->kind != VLDAA_P11_MEMBER)
		return CKR_KEY_TYPE_INCONSISTENT;
	return vldaa_p11_attributes_bool(&(*key)->attributes, usage)
		   ? CKR_OK
		   : CKR_KEY_FUNCTION_NOT_PERMITTED;
}

/* --- the end of Join ---------------------------------------------------------------------------
 */

/* The credential in the member's secret, and that it is there. */
static CK_RV store_credential(vldaa_p11_slot *slot, vldaa_p11_object *key,
			      vldaa_p11_attributes *attributes, const vldaa_p11_bytes *secret)
{
	CK_RV rv = vldaa_p11_result(vldaa_p11_row_set_secret(&slot->store, slot->master, key->id,
							     secret->data, secret->len));

	if (rv == CKR_OK && vldaa_p11_attributes_set_bool(attributes, CKA_VLDAA_JOINED, 1) != 0)
		rv = CKR_HOST_MEMORY;
	return rv == CKR_OK ? vldaa_p11_object_change(slot, key, attributes) : rv;
}

static CK_RV finish(vldaa_p11_slot *slot, vldaa_p11_object *key, vldaa_p11_attributes *attributes,
		    const uint8_t *answer, CK_ULONG len)
{
	vldaa_p11_open_member m;
	vldaa_p11_bytes secret;
	CK_RV rv = vldaa_p11_member_open(&m, slot, key);

	if (rv != CKR_OK)
		return rv;
	rv = vldaa_p11_result(vldaa_p11_member_finish(&m.member, answer, len, &secret));
	if (rv == CKR_OK)
		rv = store_credential(slot, key, attributes, &secret);
	vldaa_p11_bytes_free(&secret);
	vldaa_p11_member_close(&m);
	return rv;
}

/* What comes out is the member key, which has its attributes: a template may name them, and change
 * what may be changed. */
static CK_RV make_credential(vldaa_p11_session *session, CK_OBJECT_HANDLE member,
			     const uint8_t *answer, CK_ULONG len, const vldaa_p11_template *given)
{
	vldaa_p11_attributes attributes = {NULL, 0};
	vldaa_p11_object *key;
	CK_RV rv =
	    find_member(session, member, CKA_UNWRAP, CKR_UNWRAPPING_KEY_HANDLE_INVALID, &key);

	if (rv == CKR_OK && vldaa_p11_attributes_copy(&attributes, &key->attributes) != 0)
		rv = CKR_HOST_MEMORY;
	if (rv == CKR_OK)
		rv = vldaa_p11_rules_apply(&attributes, VLDAA_P11_MEMBER,
					   vldaa_p11_attributes_bool(&attributes, CKA_MODIFIABLE)
					       ? VLDAA_P11_CHANGE
					       : VLDAA_P11_KEEP,
					   given->list, given->count);
	if (rv == CKR_OK)
		rv = vldaa_p11_values_check(VLDAA_P11_MEMBER, &attributes);
	if (rv == CKR_OK)
		rv = finish(session->slot, key, &attributes, answer, len);
	vldaa_p11_attributes_clear(&attributes);
	return rv;
}

CK_RV vldaa_p11_make_credential(vldaa_p11_session *session, CK_OBJECT_HANDLE member,
				const uint8_t *answer, CK_ULONG len, vldaa_p11_template given,
				CK_OBJECT_HANDLE *key)
{
	CK_OBJECT_HANDLE mark;
	vldaa_p11_object *o;
	CK_RV rv = vldaa_p11_session_enter_slot(session);

	if (rv != CKR_OK)
		return rv;
	rv = find_member(session, member, CKA_UNWRAP, CKR_UNWRAPPING_KEY_HANDLE_INVALID, &o);
	if (rv == CKR_OK)
		rv = vldaa_p11_session_may_write(session, 1, 1);
	if (rv == CKR_OK)
		rv = vldaa_p11_objects_begin(session->slot, &mark);
	if (rv == CKR_OK) {
		rv = make_credential(session, member, answer, len, &given);
		rv = vldaa_p11_objects_end(session->slot, mark, rv);
	}
	if (rv == CKR_OK)
		*key = member;
	vldaa_p11_slot_leave(session->slot);
	return rv;
}

/* --- Create ------------------------------------------------------------------------------------
 */

/* What both halves of a pseudonym say. */
static const CK_ATTRIBUTE_TYPE shared[] = {
    CKA_VLDAA_SET,     CKA_VLDAA_KEY_ID,       CKA_VLDAA_BASENAME, CKA_VLDAA_NYM, CKA_KEY_TYPE,
    CKA_PARAMETER_SET, CKA_ALLOWED_MECHANISMS, CKA_LABEL,          CKA_ID};
/* What a template says of the private half, and the public one takes over. */
static const CK_ATTRIBUTE_TYPE followed[] = {CKA_TOKEN,      CKA_LABEL,    CKA_ID,
					     CKA_START_DATE, CKA_END_DATE, CKA_SUBJECT};

static CK_RV copy_some(vldaa_p11_draft *to, const vldaa_p11_draft *from,
		       const CK_ATTRIBUTE_TYPE *types, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const vldaa_p11_attribute *a =
		    vldaa_p11_attributes_find(&from->attributes, types[i]);

		if (a != NULL &&
		    vldaa_p11_attributes_set(&to->attributes, a->type, a->value, a->len) != 0)
			return CKR_HOST_MEMORY;
	}
	return CKR_OK;
}

/* The private half tells the revocation token, too. */
static CK_RV allow_revocation_token(vldaa_p11_draft *draft)
{
	const vldaa_p11_attribute *a =
	    vldaa_p11_attributes_find(&draft->attributes, CKA_ALLOWED_MECHANISMS);
	CK_MECHANISM_TYPE list[8];
	const size_t count = a->len / sizeof list[0];

	if (count >= sizeof list / sizeof list[0])
		return CKR_GENERAL_ERROR;
	memcpy(list, a->value, a->len);
	list[count] = CKM_VLDAA_REVOCATION_TOKEN;
	return vldaa_p11_attributes_set(&draft->attributes, CKA_ALLOWED_MECHANISMS, list,
					(count + 1) * sizeof list[0]) == 0
		   ? CKR_OK
		   : CKR_HOST_MEMORY;
}

static CK_RV apply_template(vldaa_p11_draft *draft, const vldaa_p11_template *given)
{
	return vldaa_p11_rules_apply(&draft->attributes, draft->kind, VLDAA_P11_MAKE, given->list,
				     given->count);
}

/* What is known of the private half before it is made: all but the pseudonym itself. */
static CK_RV expected_draft(vldaa_p11_draft *draft, const vldaa_p11_object *member,
			    const uint8_t *basename, size_t len)
{
	const vldaa_set *set = vldaa_p11_key_set(member);
	const vldaa_p11_attribute *key_id =
	    vldaa_p11_attributes_find(&member->attributes, CKA_VLDAA_KEY_ID);
	vldaa_p11_attributes *a = &draft->attributes;
	CK_RV rv = vldaa_p11_draft_begin(draft, VLDAA_P11_PSEUDONYM);

	if (rv == CKR_OK && set == NULL)
		rv = CKR_GENERAL_ERROR;
	if (rv == CKR_OK &&
	    (vldaa_p11_set_group(a, set, key_id->value) != 0 ||
	     vldaa_p11_set_pseudonym_type(a, set) != 0 ||
	     vldaa_p11_attributes_set(a, CKA_VLDAA_BASENAME, basename, len) != 0 ||
	     vldaa_p11_attributes_set_ulong(a, CKA_KEY_GEN_MECHANISM, CKM_VLDAA_CREATE) != 0))
		rv = CKR_HOST_MEMORY;
	return rv == CKR_OK ? allow_revocation_token(draft) : rv;
}

/* Everything that a template may be wrong about is known before a pseudonym is spent. */
static CK_RV check_template(const vldaa_p11_session *session, const vldaa_p11_object *member,
			    const uint8_t *basename, size_t len, const vldaa_p11_template *given)
{
	vldaa_p11_draft draft;
	CK_RV rv = expected_draft(&draft, member, basename, len);

	if (rv == CKR_OK)
		rv = apply_template(&draft, given);
	/* Nobody knows it yet. */
	for (CK_ULONG i = 0; rv == CKR_OK && i < given->count; i++) {
		if (given->list[i].type == CKA_VLDAA_NYM)
			rv = CKR_ATTRIBUTE_READ_ONLY;
	}
	if (rv == CKR_OK)
		rv = vldaa_p11_session_may_write(
		    session, vldaa_p11_attributes_bool(&draft.attributes, CKA_TOKEN), 1);
	vldaa_p11_draft_clear(&draft);
	return rv;
}

/* Making a pseudonym takes its time, in which another process may have revoked it, or deleted the
 * member: asked in the transaction that adds it. */
static CK_RV check_member(vldaa_p11_slot *slot, const vldaa_p11_draft *pseudonym)
{
	const vldaa_p11_attribute *key_id =
	    vldaa_p11_attributes_find(&pseudonym->attributes, CKA_VLDAA_KEY_ID);
	const vldaa_p11_attribute *basename =
	    vldaa_p11_attributes_find(&pseudonym->attributes, CKA_VLDAA_BASENAME);
	const vldaa_p11_object *member = vldaa_p11_object_find(slot, pseudonym->parent);
	const vldaa_set *set;

	if (member == NULL)
		return CKR_KEY_HANDLE_INVALID;
	set = vldaa_p11_key_set(member);
	return vldaa_p11_result(vldaa_p11_member_may_use(
	    &slot->store, slot->master, set, key_id->value, basename->value, basename->len));
}

static CK_RV add_halves(vldaa_p11_session *session, const vldaa_p11_draft *private_half,
			vldaa_p11_draft *public_half, CK_OBJECT_HANDLE *key)
{
	vldaa_p11_slot *slot = session->slot;
	CK_OBJECT_HANDLE other, mark;
	CK_RV rv = vldaa_p11_objects_begin(slot, &mark);

	if (rv != CKR_OK)
		return rv;
	rv = check_member(slot, private_half);
	if (rv == CKR_OK)
		rv = vldaa_p11_object_add(slot, private_half, session->handle, key);
	public_half->parent = *key;
	if (rv == CKR_OK)
		rv = vldaa_p11_object_add(slot, public_half, session->handle, &other);
	return vldaa_p11_objects_end(slot, mark, rv);
}

/* Both halves of a pseudonym that the roles have made. */
static CK_RV add_pseudonym(vldaa_p11_session *session, CK_OBJECT_HANDLE member,
			   const vldaa_p11_template *given, const vldaa_p11_bytes *attestation,
			   const vldaa_p11_bytes *pseudonym, CK_OBJECT_HANDLE *key)
{
	vldaa_p11_slot *slot = session->slot;
	vldaa_p11_draft private_half = {0}, public_half = {0};
	CK_RV rv =
	    vldaa_p11_pseudonym_draft(&public_half, slot, attestation->data, attestation->len);

	if (rv == CKR_OK)
		rv = vldaa_p11_draft_begin(&private_half, VLDAA_P11_PSEUDONYM);
	if (rv == CKR_OK)
		rv = copy_some(&private_half, &public_half, shared,
			       sizeof shared / sizeof shared[0]);
	if (rv == CKR_OK)
		rv = allow_revocation_token(&private_half);
	if (rv == CKR_OK &&
	    (vldaa_p11_attributes_set_ulong(&private_half.attributes, CKA_KEY_GEN_MECHANISM,
					    CKM_VLDAA_CREATE) != 0 ||
	     vldaa_p11_attributes_set_ulong(&public_half.attributes, CKA_KEY_GEN_MECHANISM,
					    CKM_VLDAA_CREATE) != 0))
		rv = CKR_HOST_MEMORY;
	if (rv == CKR_OK)
		rv = apply_template(&private_half, given);
	if (rv == CKR_OK)
		rv = copy_some(&public_half, &private_half, followed,
			       sizeof followed / sizeof followed[0]);
	if (rv == CKR_OK) {
		private_half.parent = member;
		private_half.secret = pseudonym->data;
		private_half.secret_len = pseudonym->len;
		rv = add_halves(session, &private_half, &public_half, key);
	}
	vldaa_p11_draft_clear(&private_half);
	vldaa_p11_draft_clear(&public_half);
	return rv;
}

static CK_RV make_pseudonym(vldaa_p11_session *session, const CK_MECHANISM *mechanism,
			    CK_OBJECT_HANDLE member, const vldaa_p11_template *given,
			    CK_OBJECT_HANDLE *key)
{
	vldaa_p11_bytes attestation, pseudonym;
	uint8_t basename[VLDAA_MAX_BASENAME];
	vldaa_p11_open_member m;
	vldaa_p11_object *o;
	size_t len = 0;
	CK_RV rv = find_member(session, member, CKA_DERIVE, CKR_KEY_HANDLE_INVALID, &o);

	if (rv == CKR_OK && mechanism->ulParameterLen != 0 && mechanism->pParameter == NULL)
		rv = CKR_MECHANISM_PARAM_INVALID;
	if (rv == CKR_OK)
		rv = vldaa_p11_member_basename(o, mechanism->pParameter, mechanism->ulParameterLen,
					       basename, &len);
	if (rv == CKR_OK)
		rv = check_template(session, o, basename, len, given);
	if (rv == CKR_OK)
		rv = vldaa_p11_member_open(&m, session->slot, o);
	if (rv != CKR_OK)
		return rv;
	rv = vldaa_p11_result(
	    vldaa_p11_member_create(&m.member, basename, len, &attestation, &pseudonym));
	vldaa_p11_member_close(&m);
	if (rv == CKR_OK)
		rv = add_pseudonym(session, member, given, &attestation, &pseudonym, key);
	vldaa_p11_bytes_free(&attestation);
	vldaa_p11_bytes_free(&pseudonym);
	return rv;
}

CK_RV vldaa_p11_make_pseudonym(vldaa_p11_session *session, const CK_MECHANISM *mechanism,
			       CK_OBJECT_HANDLE member, vldaa_p11_template given,
			       CK_OBJECT_HANDLE *key)
{
	CK_RV rv = vldaa_p11_session_enter_slot(session);

	if (rv != CKR_OK)
		return rv;
	rv = vldaa_p11_session_outcome(session,
				       make_pseudonym(session, mechanism, member, &given, key));
	vldaa_p11_slot_leave(session->slot);
	return rv;
}
