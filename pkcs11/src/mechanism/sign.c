#include "sign.h"

#include <string.h>

#include "../result.h"
#include "keys.h"
#include "signing_key.h"

/* --- beginning ---------------------------------------------------------------------------------
 */

/* CKM_ML_DSA's optional parameter: our pseudonyms sign with an empty context. */
static CK_RV check_mldsa_parameter(const CK_MECHANISM *mechanism, int verify)
{
	vldaa_ck_sign_context context;

	if (mechanism->ulParameterLen == 0)
		return CKR_OK;
	if (mechanism->pParameter == NULL || mechanism->ulParameterLen != sizeof context)
		return CKR_MECHANISM_PARAM_INVALID;
	memcpy(&context, mechanism->pParameter, sizeof context);
	/* How it was signed is nothing to a verifier. */
	return context.context_len == 0 &&
		       (context.hedge < VLDAA_CKH_DETERMINISTIC_REQUIRED ||
			(verify && context.hedge == VLDAA_CKH_DETERMINISTIC_REQUIRED))
		   ? CKR_OK
		   : CKR_MECHANISM_PARAM_INVALID;
}

CK_RV vldaa_p11_operation_key(const vldaa_p11_session *session, const CK_MECHANISM *mechanism,
			      CK_OBJECT_HANDLE handle, int verify, const vldaa_p11_mechanism **m,
			      vldaa_p11_object **key)
{
	*m = vldaa_p11_mechanism_find(mechanism->mechanism);
	if (*m == NULL || ((*m)->flags & (verify ? CKF_VERIFY : CKF_SIGN)) == 0)
		return CKR_MECHANISM_INVALID;
	if (mechanism->ulParameterLen != 0 && mechanism->pParameter == NULL)
		return CKR_MECHANISM_PARAM_INVALID;
	*key = vldaa_p11_object_find(session->slot, handle);
	if (*key == NULL)
		return verify || session->slot->who == VLDAA_P11_WHO_USER ? CKR_KEY_HANDLE_INVALID
									  : CKR_USER_NOT_LOGGED_IN;
	if (!vldaa_p11_mechanism_suits(*m, *key, verify ? (*m)->verify_kinds : (*m)->sign_kinds))
		return CKR_KEY_TYPE_INCONSISTENT;
	if (!vldaa_p11_attributes_bool(&(*key)->attributes, verify ? CKA_VERIFY : CKA_SIGN))
		return CKR_KEY_FUNCTION_NOT_PERMITTED;
	return (*m)->type == CKM_ML_DSA ? check_mldsa_parameter(mechanism, verify) : CKR_OK;
}

/* How much a signature needs at most: exactly, when its attestation is known. */
static size_t signature_bound(const vldaa_set *set, enum vldaa_form form,
			      const vldaa_p11_signer *signer)
{
	size_t bound, len = 0;

	if (form == VLDAA_FORM_BARE)
		return vldaa_set_bare_size(set);
	if (form == VLDAA_FORM_COMPACT)
		return vldaa_object_max_size(set, VLDAA_KIND_COMPACT);
	bound = vldaa_object_max_size(set, VLDAA_KIND_SIGNATURE);
	if (signer == NULL)
		return bound;
	(void)vldaa_pseudonym_key_attestation(vldaa_p11_signer_key(signer), &len);
	return bound - vldaa_object_max_size(set, VLDAA_KIND_ATTESTATION) + len;
}

static CK_RV begin_pseudonym(vldaa_p11_session *session, vldaa_p11_operation *op,
			     const CK_MECHANISM *mechanism, vldaa_p11_object *key)
{
	if (mechanism->ulParameterLen != 0 && mechanism->mechanism != CKM_ML_DSA)
		return CKR_MECHANISM_PARAM_INVALID;
	return vldaa_p11_pseudonym_signer(session->slot, key, &op->signer);
}

/* The basename is settled now; its pseudonym is made when there is something to sign. */
static CK_RV begin_member(vldaa_p11_operation *op, const CK_MECHANISM *mechanism,
			  const vldaa_p11_object *key)
{
	uint8_t basename[VLDAA_MAX_BASENAME];
	size_t len;
	CK_RV rv = vldaa_p11_member_basename(key, mechanism->pParameter, mechanism->ulParameterLen,
					     basename, &len);

	if (rv == CKR_OK && !vldaa_p11_attributes_bool(&key->attributes, CKA_VLDAA_JOINED))
		rv = vldaa_p11_result(VLDAA_ERR_NO_CREDENTIAL);
	if (rv == CKR_OK)
		rv = vldaa_p11_result(vldaa_p11_bytes_append(&op->parameter, basename, len));
	return rv;
}

/* A step's parameter: none, or the one that it knows. */
static int takes(const vldaa_p11_mechanism *m, const CK_MECHANISM *mechanism)
{
	const CK_ULONG len = mechanism->ulParameterLen;

	return len == 0 || (m->parameter != NULL && len == strlen(m->parameter) &&
			    memcmp(mechanism->pParameter, m->parameter, len) == 0);
}

static CK_RV begin(vldaa_p11_session *session, vldaa_p11_operation *op,
		   const CK_MECHANISM *mechanism, CK_OBJECT_HANDLE handle)
{
	const vldaa_p11_mechanism *m;
	vldaa_p11_object *key;
	const vldaa_set *set;
	CK_RV rv = vldaa_p11_operation_key(session, mechanism, handle, 0, &m, &key);

	if (rv != CKR_OK)
		return rv;
	set = vldaa_p11_key_set(key);
	if (m->run != NULL) {
		rv = takes(m, mechanism) ? CKR_OK : CKR_MECHANISM_PARAM_INVALID;
		if (rv == CKR_OK)
			rv = vldaa_p11_result(vldaa_p11_bytes_append(
			    &op->parameter, mechanism->pParameter, mechanism->ulParameterLen));
		op->bound = vldaa_object_max_size(set, m->output);
	} else if (key->kind == VLDAA_P11_PSEUDONYM) {
		rv = begin_pseudonym(session, op, mechanism, key);
	} else {
		rv = begin_member(op, mechanism, key);
	}
	if (rv == CKR_OK && m->run == NULL)
		op->bound = signature_bound(set, m->form, op->signer);
	op->mechanism = m;
	op->key = handle;
	op->logins = session->slot->logins;
	op->revocations = session->slot->revocations;
	return rv;
}

CK_RV vldaa_p11_sign_init(vldaa_p11_session *session, const CK_MECHANISM *mechanism,
			  CK_OBJECT_HANDLE key)
{
	CK_RV rv;

	if (session->sign.mechanism != NULL)
		return CKR_OPERATION_ACTIVE;
	rv = vldaa_p11_session_enter_slot(session);
	if (rv != CKR_OK)
		return rv;
	rv = vldaa_p11_session_outcome(session, begin(session, &session->sign, mechanism, key));
	vldaa_p11_slot_leave(session->slot);
	if (rv != CKR_OK)
		vldaa_p11_operation_end(&session->sign);
	return rv;
}

/* --- going on ----------------------------------------------------------------------------------
 */

/* The slot is entered: is the key still there, for who began? */
static CK_RV still(const vldaa_p11_session *session, const vldaa_p11_operation *op,
		   vldaa_p11_object **key)
{
	const vldaa_p11_slot *slot = session->slot;

	if (slot->logins != op->logins)
		return CKR_USER_NOT_LOGGED_IN;
	*key = vldaa_p11_object_find(slot, op->key);
	return *key != NULL ? CKR_OK : CKR_KEY_HANDLE_INVALID;
}

/* A revocation meanwhile may have been of the basename that a member key signs for: it is asked for
 * anew. */
static CK_RV renew_signer(vldaa_p11_session *session, vldaa_p11_operation *op,
			  vldaa_p11_object *key)
{
	vldaa_p11_signer *signer = NULL;
	CK_RV rv;

	if (op->signer != NULL &&
	    (key->kind == VLDAA_P11_PSEUDONYM || op->revocations == session->slot->revocations))
		return CKR_OK;
	rv = vldaa_p11_member_signer(session->slot, key, op->parameter.data, op->parameter.len,
				     &signer);
	if (rv != CKR_OK)
		return rv;
	op->revocations = session->slot->revocations;
	/* What has begun goes on with the signer that it began with. */
	if (op->signer == NULL)
		op->signer = signer;
	else
		vldaa_p11_signer_release(signer);
	return CKR_OK;
}

/* Enters the slot for a moment; then everything that signing needs is there. */
static CK_RV prepare(vldaa_p11_session *session, vldaa_p11_operation *op)
{
	vldaa_p11_object *key;
	CK_RV rv = vldaa_p11_session_enter_slot(session);

	if (rv != CKR_OK)
		return rv;
	rv = still(session, op, &key);
	if (rv == CKR_OK)
		rv = vldaa_p11_session_outcome(session, renew_signer(session, op, key));
	vldaa_p11_slot_leave(session->slot);
	if (rv == CKR_OK && op->signing == NULL)
		rv = vldaa_p11_result(vldaa_signing_new(
		    &op->signing, vldaa_p11_signer_key(op->signer), op->mechanism->form));
	return rv;
}

static CK_RV update(vldaa_p11_session *session, const uint8_t *data, CK_ULONG len)
{
	vldaa_p11_operation *op = &session->sign;
	CK_RV rv;

	if (op->mechanism->run != NULL)
		return vldaa_p11_result(vldaa_p11_bytes_append(&op->data, data, len));
	rv = prepare(session, op);
	return rv == CKR_OK ? vldaa_p11_result(vldaa_signing_update(op->signing, data, len)) : rv;
}

CK_RV vldaa_p11_sign_update(vldaa_p11_session *session, const uint8_t *data, CK_ULONG len)
{
	CK_RV rv;

	if (session->sign.mechanism == NULL)
		return CKR_OPERATION_NOT_INITIALIZED;
	rv = data != NULL || len == 0 ? update(session, data, len) : CKR_ARGUMENTS_BAD;
	session->sign.updated = 1;
	if (rv != CKR_OK)
		vldaa_p11_operation_end(&session->sign);
	return rv;
}

/* --- the end -----------------------------------------------------------------------------------
 */

static CK_RV run_step(vldaa_p11_session *session, const vldaa_p11_bytes *data, uint8_t *out,
		      size_t cap, size_t *len)
{
	vldaa_p11_operation *op = &session->sign;
	vldaa_p11_step step = {session->slot, NULL, &op->parameter, data->data, data->len, out,
			       cap,           len};
	CK_RV rv = vldaa_p11_session_enter_slot(session);

	if (rv != CKR_OK)
		return rv;
	rv = still(session, op, &step.key);
	if (rv == CKR_OK)
		rv = vldaa_p11_session_outcome(session, op->mechanism->run(&step));
	vldaa_p11_slot_leave(session->slot);
	return rv;
}

static CK_RV finish(vldaa_p11_session *session, const vldaa_p11_bytes *data, uint8_t *out,
		    CK_ULONG *len)
{
	vldaa_p11_operation *op = &session->sign;
	const size_t cap = *len;
	size_t got = 0;
	CK_RV rv;

	if (op->mechanism->run != NULL) {
		rv = run_step(session, data != NULL ? data : &op->data, out, cap, &got);
	} else {
		rv = prepare(session, op);
		if (rv == CKR_OK && data != NULL)
			rv = vldaa_p11_result(
			    vldaa_signing_update(op->signing, data->data, data->len));
		if (rv == CKR_OK)
			rv = vldaa_p11_result(vldaa_signing_end(op->signing, out, cap, &got));
	}
	*len = rv == CKR_OK ? got : 0;
	return rv;
}

CK_RV vldaa_p11_sign_end(vldaa_p11_session *session, const vldaa_p11_bytes *data, uint8_t *out,
			 CK_ULONG *len)
{
	vldaa_p11_operation *op = &session->sign;
	CK_RV rv = CKR_OK;

	if (op->mechanism == NULL)
		return CKR_OPERATION_NOT_INITIALIZED;
	if (len == NULL || (data != NULL && data->data == NULL && data->len != 0))
		rv = CKR_ARGUMENTS_BAD;
	else if (data != NULL && op->updated)
		rv = CKR_OPERATION_ACTIVE;
	if (rv == CKR_OK && (out == NULL || *len < op->bound)) {
		rv = out == NULL ? CKR_OK : CKR_BUFFER_TOO_SMALL;
		*len = op->bound;
		return rv;
	}
	if (rv == CKR_OK)
		rv = finish(session, data, out, len);
	vldaa_p11_operation_end(op);
	return rv;
}
