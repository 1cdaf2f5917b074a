/*
 * C_Verify*.  Cryptoki gives the signature last, and what is hashed in front of the message is in
 * it: the message is kept until then.
 */
#include <stdlib.h>
#include <string.h>

#include "../result.h"
#include "../store/trace.h"
#include "keys.h"
#include "sign.h"

/* --- the group and its attestations ------------------------------------------------------------
 */

typedef struct {
	vldaa_verifier *verifier;
	vldaa_attestation *known; /* under which the signature is to be; NULL: any */
} authority;

static void free_authority(authority *a)
{
	vldaa_attestation_free(a->known);
	vldaa_verifier_free(a->verifier);
	memset(a, 0, sizeof *a);
}

/* The pseudonym whose attestation a compact signature names; NULL: none of the token's. */
static const vldaa_p11_object *named_pseudonym(const vldaa_p11_slot *slot, const uint8_t *signature,
					       size_t len)
{
	vldaa_object_info info;

	if (vldaa_object_inspect(&info, signature, len) != VLDAA_OK ||
	    info.kind != VLDAA_KIND_COMPACT || !info.has_digest)
		return NULL;
	for (size_t i = 0; i < slot->count; i++) {
		const vldaa_p11_object *o = slot->objects[i];
		const vldaa_p11_attribute *a =
		    vldaa_p11_attributes_find(&o->attributes, CKA_VLDAA_ATTESTATION);
		uint8_t digest[VLDAA_DIGEST_BYTES];

		if (o->kind == VLDAA_P11_PSEUDONYM_PUBLIC && a != NULL &&
		    vldaa_attestation_digest_of(a->value, a->len, digest) == VLDAA_OK &&
		    memcmp(digest, info.digest, sizeof digest) == 0)
			return o;
	}
	vldaa_p11_trace("the token has not the attestation that the signature names");
	return NULL;
}

/* For a pseudonym's own signatures the group plays no part, unless it is there with lists. */
static CK_RV alone(authority *a, const vldaa_p11_object *pseudonym, enum vldaa_form form)
{
	const vldaa_p11_attribute *attestation =
	    vldaa_p11_attributes_find(&pseudonym->attributes, CKA_VLDAA_ATTESTATION);

	if (form == VLDAA_FORM_BARE)
		return vldaa_p11_result(vldaa_verifier_new_pseudonym(
		    &a->verifier, &a->known, attestation->value, attestation->len));
	vldaa_p11_trace("the token has no public key of the pseudonym's group");
	return CKR_KEY_NEEDED;
}

/* The slot was entered. */
static CK_RV make_authority(authority *a, const vldaa_p11_slot *slot, const vldaa_p11_object *key,
			    enum vldaa_form form, const uint8_t *signature, size_t len)
{
	const vldaa_p11_object *group = key, *pseudonym = NULL;
	CK_RV rv;

	memset(a, 0, sizeof *a);
	if (key->kind == VLDAA_P11_PSEUDONYM_PUBLIC) {
		pseudonym = key;
		group = vldaa_p11_group_of(slot, &key->attributes);
		if (group == NULL)
			return alone(a, pseudonym, form);
	} else {
		pseudonym = named_pseudonym(slot, signature, len);
	}
	rv = vldaa_p11_group_verifier(&a->verifier, group);
	if (rv == CKR_OK && pseudonym != NULL) {
		const vldaa_p11_attribute *attestation =
		    vldaa_p11_attributes_find(&pseudonym->attributes, CKA_VLDAA_ATTESTATION);
		const int err = vldaa_attestation_new(&a->known, a->verifier, attestation->value,
						      attestation->len);

		/* It was good when it came: since then a list has named it. */
		rv = vldaa_error_class(err) == VLDAA_CLASS_INVALID ? CKR_SIGNATURE_INVALID
								   : vldaa_p11_result(err);
	}
	if (rv != CKR_OK)
		free_authority(a);
	return rv;
}

/* --- the operation -----------------------------------------------------------------------------
 */

CK_RV vldaa_p11_verify_init(vldaa_p11_session *session, const CK_MECHANISM *mechanism,
			    CK_OBJECT_HANDLE handle)
{
	vldaa_p11_operation *op = &session->verify;
	vldaa_p11_object *key;
	CK_RV rv;

	if (op->mechanism != NULL)
		return CKR_OPERATION_ACTIVE;
	rv = vldaa_p11_session_enter_slot(session);
	if (rv != CKR_OK)
		return rv;
	rv = vldaa_p11_operation_key(session, mechanism, handle, 1, &op->mechanism, &key);
	if (rv == CKR_OK && mechanism->mechanism != CKM_ML_DSA) {
		if (mechanism->ulParameterLen > VLDAA_MAX_BASENAME)
			rv = CKR_MECHANISM_PARAM_INVALID;
		else
			rv = vldaa_p11_result(vldaa_p11_bytes_append(
			    &op->parameter, mechanism->pParameter, mechanism->ulParameterLen));
	}
	op->key = handle;
	vldaa_p11_slot_leave(session->slot);
	if (rv != CKR_OK)
		vldaa_p11_operation_end(op);
	return rv;
}

CK_RV vldaa_p11_verify_update(vldaa_p11_session *session, const uint8_t *data, CK_ULONG len)
{
	vldaa_p11_operation *op = &session->verify;
	CK_RV rv;

	if (op->mechanism == NULL)
		return CKR_OPERATION_NOT_INITIALIZED;
	rv = data != NULL || len == 0
		 ? vldaa_p11_result(vldaa_p11_bytes_append(&op->data, data, len))
		 : CKR_ARGUMENTS_BAD;
	op->updated = 1;
	if (rv != CKR_OK)
		vldaa_p11_operation_end(op);
	return rv;
}

/* A signature that is another mechanism's is not valid here. */
static int is_of_form(enum vldaa_form form, const vldaa_set *set, const uint8_t *signature,
		      size_t len)
{
	vldaa_object_info info;

	if (form == VLDAA_FORM_BARE)
		return len == vldaa_set_bare_size(set);
	return vldaa_object_inspect(&info, signature, len) == VLDAA_OK &&
	       info.kind ==
		   (form == VLDAA_FORM_COMPACT ? VLDAA_KIND_COMPACT : VLDAA_KIND_SIGNATURE);
}

/* A pseudonym's key verifies what that pseudonym has signed, by whichever of its attestations. */
static int is_same_nym(const vldaa_attestation *a, const vldaa_attestation *b)
{
	size_t a_len, b_len;
	const uint8_t *x = vldaa_attestation_nym(a, &a_len), *y = vldaa_attestation_nym(b, &b_len);

	return a_len == b_len && memcmp(x, y, a_len) == 0;
}

static CK_RV judge(const authority *a, const vldaa_p11_operation *op, const vldaa_p11_bytes *data,
		   const uint8_t *signature, size_t len)
{
	vldaa_verification *v = NULL;
	int err = vldaa_verification_new(&v, a->verifier, signature, len, a->known,
					 op->parameter.len != 0 ? op->parameter.data : NULL,
					 op->parameter.len);

	if (!err)
		err = vldaa_verification_update(v, data->data, data->len);
	if (!err)
		err = vldaa_verification_end(v);
	if (!err && a->known != NULL && !is_same_nym(vldaa_verification_attestation(v), a->known))
		err = VLDAA_ERR_ATTESTATION;
	vldaa_verification_free(v);
	if (vldaa_error_class(err) == VLDAA_CLASS_INVALID) {
		(void)vldaa_p11_result(err);
		return CKR_SIGNATURE_INVALID;
	}
	return vldaa_p11_result(err);
}

static CK_RV verify(vldaa_p11_session *session, const vldaa_p11_bytes *data,
		    const uint8_t *signature, size_t len)
{
	const vldaa_p11_operation *op = &session->verify;
	vldaa_p11_slot *slot = session->slot;
	const vldaa_p11_object *key;
	authority a;
	CK_RV rv = vldaa_p11_session_enter_slot(session);

	if (rv != CKR_OK)
		return rv;
	key = vldaa_p11_object_find(slot, op->key);
	if (key == NULL)
		rv = CKR_KEY_HANDLE_INVALID;
	else if (!is_of_form(op->mechanism->form, vldaa_p11_key_set(key), signature, len))
		rv = CKR_SIGNATURE_INVALID;
	else
		rv = make_authority(&a, slot, key, op->mechanism->form, signature, len);
	vldaa_p11_slot_leave(slot);
	if (rv != CKR_OK)
		return rv;
	rv = judge(&a, op, data, signature, len);
	free_authority(&a);
	return rv;
}

CK_RV vldaa_p11_verify_end(vldaa_p11_session *session, const vldaa_p11_bytes *data,
			   const uint8_t *signature, CK_ULONG len)
{
	vldaa_p11_operation *op = &session->verify;
	CK_RV rv = CKR_OK;

	if (op->mechanism == NULL)
		return CKR_OPERATION_NOT_INITIALIZED;
	if (signature == NULL || (data != NULL && data->data == NULL && data->len != 0))
		rv = CKR_ARGUMENTS_BAD;
	else if (data != NULL && op->updated)
		rv = CKR_OPERATION_ACTIVE;
	if (rv == CKR_OK)
		rv = verify(session, data != NULL ? data : &op->data, signature, len);
	vldaa_p11_operation_end(op);
	return rv;
}
