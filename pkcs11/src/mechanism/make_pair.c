/* C_GenerateKeyPair: an issuer's key, a member's key. */
#include <string.h>

#include <openssl/rand.h>

#include "../result.h"
#include "../role/issuer.h"
#include "keys.h"
#include "make.h"
#include "values.h"

/* --- both --------------------------------------------------------------------------------------
 */

/* May this session make what a draft says? */
static CK_RV check_write(const vldaa_p11_session *session, const vldaa_p11_draft *draft)
{
	const vldaa_p11_attributes *a = &draft->attributes;

	return vldaa_p11_session_may_write(session, vldaa_p11_attributes_bool(a, CKA_TOKEN),
					   vldaa_p11_attributes_bool(a, CKA_PRIVATE));
}

static CK_RV apply(vldaa_p11_draft *draft, const vldaa_p11_template *given)
{
	const CK_RV rv = vldaa_p11_rules_apply(&draft->attributes, draft->kind, VLDAA_P11_MAKE,
					       given->list, given->count);

	return rv == CKR_OK ? vldaa_p11_values_check(draft->kind, &draft->attributes) : rv;
}

/* What a key that the token makes itself says of its making, and what it is called unless a template
 * has another name. */
static int set_origin(vldaa_p11_draft *draft, CK_MECHANISM_TYPE mechanism, const char *label)
{
	return vldaa_p11_attributes_set_ulong(&draft->attributes, CKA_KEY_GEN_MECHANISM,
					      mechanism) != 0 ||
	       vldaa_p11_attributes_set(&draft->attributes, CKA_LABEL, label, strlen(label)) != 0;
}

/* Of which set and group it is. */
static int copy_group(vldaa_p11_draft *draft, const vldaa_p11_draft *group)
{
	static const CK_ATTRIBUTE_TYPE shared[] = {CKA_VLDAA_SET, CKA_VLDAA_KEY_ID};
	int failed = 0;

	for (size_t i = 0; i < 2 && !failed; i++) {
		const vldaa_p11_attribute *a =
		    vldaa_p11_attributes_find(&group->attributes, shared[i]);

		failed = vldaa_p11_attributes_set(&draft->attributes, a->type, a->value, a->len);
	}
	return failed;
}

/* Both halves, or none; the private one is the other's parent when owned is 1. */
static CK_RV add_pair(vldaa_p11_session *session, vldaa_p11_draft *public_half,
		      const vldaa_p11_draft *private_half, int owned, CK_OBJECT_HANDLE *public_key,
		      CK_OBJECT_HANDLE *private_key)
{
	vldaa_p11_slot *slot = session->slot;
	CK_RV rv = vldaa_p11_object_add(slot, private_half, session->handle, private_key);

	if (rv == CKR_OK && owned)
		public_half->parent = *private_key;
	if (rv == CKR_OK)
		rv = vldaa_p11_object_add(slot, public_half, session->handle, public_key);
	return rv;
}

/* --- Setup -------------------------------------------------------------------------------------
 */

static const vldaa_set *set_of_parameter(const CK_MECHANISM *mechanism)
{
	char name[32] = "";

	if (mechanism->ulParameterLen == 0)
		return vldaa_set_at(0);
	if (mechanism->pParameter == NULL || mechanism->ulParameterLen >= sizeof name)
		return NULL;
	memcpy(name, mechanism->pParameter, mechanism->ulParameterLen);
	return strlen(name) == mechanism->ulParameterLen ? vldaa_set_by_name(name) : NULL;
}

static CK_RV issuer_draft(vldaa_p11_draft *draft, const vldaa_p11_draft *group,
			  const vldaa_p11_template *given, const vldaa_p11_bytes *key)
{
	static const CK_MECHANISM_TYPE allowed[] = {CKM_VLDAA_JOIN_NONCE, CKM_VLDAA_JOIN_ISSUE};
	const vldaa_p11_attribute *id = vldaa_p11_attributes_find(&group->attributes, CKA_ID);
	const vldaa_p11_attribute *fleet;
	uint8_t fresh[32];
	CK_RV rv = vldaa_p11_draft_begin(draft, VLDAA_P11_ISSUER);

	if (rv == CKR_OK &&
	    (copy_group(draft, group) != 0 || set_origin(draft, CKM_VLDAA_SETUP, "issuer") != 0 ||
	     vldaa_p11_attributes_set(&draft->attributes, CKA_ID, id->value, id->len) != 0 ||
	     vldaa_p11_attributes_set(&draft->attributes, CKA_ALLOWED_MECHANISMS, allowed,
				      sizeof allowed) != 0))
		rv = CKR_HOST_MEMORY;
	if (rv == CKR_OK)
		rv = apply(draft, given);
	if (rv != CKR_OK)
		return rv;
	fleet = vldaa_p11_attributes_find(&draft->attributes, CKA_VLDAA_FLEET_KEY);
	if (fleet->len == 0) {
		if (RAND_priv_bytes(fresh, sizeof fresh) != 1)
			return CKR_FUNCTION_FAILED;
		if (vldaa_p11_attributes_set(&draft->attributes, CKA_VLDAA_FLEET_KEY, fresh,
					     sizeof fresh) != 0)
			return CKR_HOST_MEMORY;
	}
	draft->secret = key->data;
	draft->secret_len = key->len;
	return CKR_OK;
}

/* Setup's public half is the group's: it stays like the private one unless the template says
 * otherwise. */
static CK_RV new_group_draft(vldaa_p11_draft *draft, const vldaa_p11_bytes *key,
			     const vldaa_p11_template *given)
{
	const uint8_t *group;
	size_t len;
	CK_RV rv = vldaa_p11_result(vldaa_p11_issuer_group(&group, &len, key->data, key->len));

	memset(draft, 0, sizeof *draft);
	if (rv == CKR_OK)
		rv = vldaa_p11_group_draft(draft, group, len);
	if (rv == CKR_OK && (set_origin(draft, CKM_VLDAA_SETUP, "group") != 0 ||
			     vldaa_p11_attributes_set_bool(&draft->attributes, CKA_TOKEN, 1) != 0))
		rv = CKR_HOST_MEMORY;
	return rv == CKR_OK ? apply(draft, given) : rv;
}

/* Templates are looked at before seconds are spent on a key. */
static CK_RV check_issuer_templates(const vldaa_p11_session *session,
				    const vldaa_p11_template *given)
{
	static const enum vldaa_p11_kind kinds[2] = {VLDAA_P11_GROUP, VLDAA_P11_ISSUER};
	CK_RV rv = CKR_OK;

	for (size_t i = 0; i < 2 && rv == CKR_OK; i++) {
		vldaa_p11_draft draft;

		rv = vldaa_p11_draft_begin(&draft, kinds[i]);
		if (rv == CKR_OK)
			rv = apply(&draft, &given[i]);
		if (rv == CKR_OK)
			rv = check_write(session, &draft);
		vldaa_p11_draft_clear(&draft);
	}
	return rv;
}

static CK_RV add_issuer(vldaa_p11_session *session, const vldaa_p11_bytes *key,
			const vldaa_p11_template *public_template,
			const vldaa_p11_template *private_template, CK_OBJECT_HANDLE *public_key,
			CK_OBJECT_HANDLE *private_key)
{
	vldaa_p11_slot *slot = session->slot;
	vldaa_p11_draft group = {0}, draft = {0};
	vldaa_p11_issuer issuer;
	CK_OBJECT_HANDLE mark;
	CK_RV rv = new_group_draft(&group, key, public_template);

	if (rv == CKR_OK)
		rv = issuer_draft(&draft, &group, private_template, key);
	if (rv == CKR_OK)
		rv = check_write(session, &group);
	if (rv == CKR_OK)
		rv = check_write(session, &draft);
	/* The register is there before the key is: a key without one could answer nobody. */
	if (rv == CKR_OK) {
		rv = vldaa_p11_result(
		    vldaa_p11_issuer_open(&issuer, &slot->store, key->data, key->len, 1));
		if (rv == CKR_OK)
			vldaa_p11_issuer_close(&issuer);
	}
	if (rv == CKR_OK)
		rv = vldaa_p11_objects_begin(slot, &mark);
	if (rv == CKR_OK) {
		rv = add_pair(session, &group, &draft, 0, public_key, private_key);
		rv = vldaa_p11_objects_end(slot, mark, rv);
	}
	vldaa_p11_draft_clear(&group);
	vldaa_p11_draft_clear(&draft);
	return rv;
}

CK_RV vldaa_p11_make_issuer(vldaa_p11_session *session, const CK_MECHANISM *mechanism,
			    vldaa_p11_template public_template, vldaa_p11_template private_template,
			    CK_OBJECT_HANDLE *public_key, CK_OBJECT_HANDLE *private_key)
{
	const vldaa_p11_template given[2] = {public_template, private_template};
	const vldaa_set *set = set_of_parameter(mechanism);
	vldaa_p11_bytes key;
	CK_RV rv;

	if (set == NULL)
		return CKR_MECHANISM_PARAM_INVALID;
	rv = vldaa_p11_session_enter_slot(session);
	if (rv != CKR_OK)
		return rv;
	rv = check_issuer_templates(session, given);
	vldaa_p11_slot_leave(session->slot);
	if (rv != CKR_OK)
		return rv;
	/* Others use the slot meanwhile. */
	rv = vldaa_p11_result(vldaa_p11_issuer_make(&key, set));
	if (rv != CKR_OK)
		return rv;
	rv = vldaa_p11_session_enter_slot(session);
	if (rv == CKR_OK) {
		rv = add_issuer(session, &key, &public_template, &private_template, public_key,
				private_key);
		vldaa_p11_slot_leave(session->slot);
	}
	vldaa_p11_bytes_free(&key);
	return rv;
}

/* --- a member ----------------------------------------------------------------------------------
 */

/* The group that the parameter gives, or the only one that there is. */
static CK_RV choose_group(const vldaa_p11_slot *slot, const CK_MECHANISM *mechanism,
			  const uint8_t **group, size_t *len)
{
	const vldaa_p11_attribute *value = NULL;

	if (mechanism->ulParameterLen != 0) {
		*group = mechanism->pParameter;
		*len = mechanism->ulParameterLen;
		return *group != NULL ? CKR_OK : CKR_MECHANISM_PARAM_INVALID;
	}
	for (size_t i = 0; i < slot->count; i++) {
		const vldaa_p11_object *o = slot->objects[i];

		if (o->kind != VLDAA_P11_GROUP)
			continue;
		if (value != NULL)
			return CKR_MECHANISM_PARAM_INVALID;
		value = vldaa_p11_attributes_find(&o->attributes, CKA_VALUE);
	}
	if (value == NULL)
		return CKR_MECHANISM_PARAM_INVALID;
	*group = value->value;
	*len = value->len;
	return CKR_OK;
}

/* Bytes of a key's CKA_ID. */
enum { KEY_ID = 20 };

static CK_RV member_draft(vldaa_p11_draft *draft, enum vldaa_p11_kind kind,
			  const vldaa_p11_draft *group, const uint8_t id[KEY_ID],
			  const vldaa_p11_template *given)
{
	static const CK_MECHANISM_TYPE allowed[] = {CKM_VLDAA_JOIN_REQUEST, CKM_VLDAA_JOIN_FINISH,
						    CKM_VLDAA_CREATE,       CKM_VLDAA_SIGN,
						    CKM_VLDAA_SIGN_COMPACT, CKM_VLDAA_REVOKE};
	CK_RV rv = vldaa_p11_draft_begin(draft, kind);

	if (rv == CKR_OK &&
	    (copy_group(draft, group) != 0 || set_origin(draft, CKM_VLDAA_MEMBER, "member") != 0 ||
	     vldaa_p11_attributes_set(&draft->attributes, CKA_ID, id, KEY_ID) != 0 ||
	     (kind == VLDAA_P11_MEMBER &&
	      vldaa_p11_attributes_set(&draft->attributes, CKA_ALLOWED_MECHANISMS, allowed,
				       sizeof allowed) != 0)))
		rv = CKR_HOST_MEMORY;
	return rv == CKR_OK ? apply(draft, given) : rv;
}

/* The group's public key becomes an object too, if it is none: what the member makes is checked
 * with it. */
static CK_RV add_group(vldaa_p11_session *session, vldaa_p11_draft *group)
{
	const vldaa_p11_object *there = vldaa_p11_group_of(session->slot, &group->attributes);
	CK_OBJECT_HANDLE handle;

	/* One that stays.  A token's have other handles than a session's: there may be both. */
	if (there != NULL && there->owner == 0)
		return CKR_OK;
	if (vldaa_p11_attributes_set_bool(&group->attributes, CKA_TOKEN, 1) != 0)
		return CKR_HOST_MEMORY;
	return vldaa_p11_object_add(session->slot, group, session->handle, &handle);
}

/* In a transaction: the TPM's key, and the objects. */
static CK_RV add_member(vldaa_p11_session *session, vldaa_p11_draft *group,
			vldaa_p11_draft *public_half, vldaa_p11_draft *private_half,
			CK_OBJECT_HANDLE *public_key, CK_OBJECT_HANDLE *private_key)
{
	const vldaa_p11_attribute *value = vldaa_p11_attributes_find(&group->attributes, CKA_VALUE);
	vldaa_p11_slot *slot = session->slot;
	vldaa_p11_bytes secret, tpm_public;
	CK_RV rv = vldaa_p11_result(vldaa_p11_member_make(&secret, &tpm_public, &slot->store,
							  slot->master, value->value, value->len));

	if (rv != CKR_OK)
		return rv;
	private_half->secret = secret.data;
	private_half->secret_len = secret.len;
	if (vldaa_p11_attributes_set(&public_half->attributes, CKA_VALUE, tpm_public.data,
				     tpm_public.len) != 0)
		rv = CKR_HOST_MEMORY;
	if (rv == CKR_OK)
		rv = add_pair(session, public_half, private_half, 1, public_key, private_key);
	if (rv == CKR_OK)
		rv = add_group(session, group);
	vldaa_p11_bytes_free(&secret);
	vldaa_p11_bytes_free(&tpm_public);
	return rv;
}

static CK_RV make_member(vldaa_p11_session *session, const CK_MECHANISM *mechanism,
			 const vldaa_p11_template *public_template,
			 const vldaa_p11_template *private_template, CK_OBJECT_HANDLE *public_key,
			 CK_OBJECT_HANDLE *private_key)
{
	vldaa_p11_draft group = {0}, public_half = {0}, private_half = {0};
	uint8_t id[KEY_ID];
	CK_OBJECT_HANDLE mark;
	const uint8_t *bytes;
	size_t len;
	CK_RV rv = choose_group(session->slot, mechanism, &bytes, &len);

	if (rv == CKR_OK && RAND_bytes(id, sizeof id) != 1)
		rv = CKR_FUNCTION_FAILED;
	if (rv == CKR_OK)
		rv = len > 0 && bytes[0] == 0x30 /* our objects begin with 'V' */
			 ? vldaa_p11_group_draft_info(&group, bytes, len)
			 : vldaa_p11_group_draft(&group, bytes, len);
	if (rv == CKR_OK)
		rv = member_draft(&public_half, VLDAA_P11_MEMBER_PUBLIC, &group, id,
				  public_template);
	if (rv == CKR_OK)
		rv = member_draft(&private_half, VLDAA_P11_MEMBER, &group, id, private_template);
	if (rv == CKR_OK)
		rv = check_write(session, &public_half);
	if (rv == CKR_OK)
		rv = check_write(session, &private_half);
	if (rv == CKR_OK)
		rv = vldaa_p11_objects_begin(session->slot, &mark);
	if (rv == CKR_OK) {
		rv = add_member(session, &group, &public_half, &private_half, public_key,
				private_key);
		rv = vldaa_p11_objects_end(session->slot, mark, rv);
	}
	vldaa_p11_draft_clear(&group);
	vldaa_p11_draft_clear(&public_half);
	vldaa_p11_draft_clear(&private_half);
	return rv;
}

CK_RV vldaa_p11_make_member(vldaa_p11_session *session, const CK_MECHANISM *mechanism,
			    vldaa_p11_template public_template, vldaa_p11_template private_template,
			    CK_OBJECT_HANDLE *public_key, CK_OBJECT_HANDLE *private_key)
{
	CK_RV rv = vldaa_p11_session_enter_slot(session);

	if (rv != CKR_OK)
		return rv;
	rv = make_member(session, mechanism, &public_template, &private_template, public_key,
			 private_key);
	vldaa_p11_slot_leave(session->slot);
	return rv;
}
