/* C_GenerateKey: another endorsement key, of a kind that the manufacturer's certificates are for. */
#include <stdlib.h>
#include <string.h>

#include "../result.h"
#include "../role/endorsement.h"
#include "../store/secret.h"
#include "keys.h"
#include "make.h"

/* The certificate request of the endorsement key that there is: what nobody can destroy.  A copy of
 * it comes later. */
static vldaa_p11_object *find_request(const vldaa_p11_slot *slot)
{
	for (size_t i = 0; i < slot->count; i++) {
		vldaa_p11_object *o = slot->objects[i];

		if (o->kind == VLDAA_P11_DATA && o->is_kept &&
		    !vldaa_p11_attributes_bool(&o->attributes, CKA_DESTROYABLE))
			return o;
	}
	return NULL;
}

/* A key that has a certificate is who the token is. */
static CK_RV check_uncertified(vldaa_p11_slot *slot)
{
	const size_t count = vldaa_p11_certificates(slot, NULL);
	vldaa_p11_der *list = calloc(count + 1, sizeof *list);
	vldaa_p11_bytes chain = {NULL, 0, 0};
	uint8_t *key = NULL;
	size_t len = 0;
	int err = list != NULL ? vldaa_p11_store_endorsement(&slot->store, slot->master, &key, &len)
			       : VLDAA_ERR_MEMORY;
	CK_RV rv = vldaa_p11_result(err);

	if (rv == CKR_OK) {
		(void)vldaa_p11_certificates(slot, list);
		err = vldaa_p11_endorsement_chain(&chain, key, len, list, count);
		if (err != VLDAA_ERR_CERTIFICATE)
			rv = err ? vldaa_p11_result(err) : CKR_ACTION_PROHIBITED;
	}
	vldaa_p11_bytes_free(&chain);
	vldaa_p11_secret_free(key, len);
	free(list);
	return rv;
}

/* May this session replace the key, and is it one to replace? */
static CK_RV check(const vldaa_p11_session *session)
{
	const CK_RV rv = vldaa_p11_session_may_write(session, 1, 1);

	if (rv != CKR_OK)
		return rv;
	return find_request(session->slot) != NULL ? check_uncertified(session->slot)
						   : CKR_TOKEN_NOT_RECOGNIZED;
}

/* In a transaction. */
static CK_RV replace(vldaa_p11_slot *slot, const vldaa_p11_bytes *key, const vldaa_p11_bytes *value,
		     CK_OBJECT_HANDLE *handle)
{
	vldaa_p11_object *request = find_request(slot);
	vldaa_p11_attributes changed = {NULL, 0};
	CK_RV rv = CKR_HOST_MEMORY;

	if (vldaa_p11_attributes_copy(&changed, &request->attributes) == 0 &&
	    vldaa_p11_attributes_set(&changed, CKA_VALUE, value->data, value->len) == 0)
		rv = vldaa_p11_result(vldaa_p11_store_set_endorsement(&slot->store, slot->master,
								      key->data, key->len));
	if (rv == CKR_OK)
		rv = vldaa_p11_object_change(slot, request, &changed);
	if (rv == CKR_OK)
		*handle = request->handle;
	vldaa_p11_attributes_clear(&changed);
	return rv;
}

/* While the key was made somebody may have put in a certificate for the old one: asked again where
 * nobody can. */
static CK_RV replace_uncertified(vldaa_p11_session *session, const vldaa_p11_bytes *key,
				 const vldaa_p11_bytes *value, CK_OBJECT_HANDLE *request)
{
	vldaa_p11_slot *slot = session->slot;
	CK_OBJECT_HANDLE mark, handle = 0;
	CK_RV rv = vldaa_p11_objects_begin(slot, &mark);

	if (rv != CKR_OK)
		return rv;
	rv = check(session);
	if (rv == CKR_OK)
		rv = replace(slot, key, value, &handle);
	rv = vldaa_p11_objects_end(slot, mark, rv);
	if (rv == CKR_OK)
		*request = handle;
	return rv;
}

CK_RV vldaa_p11_make_endorsement(vldaa_p11_session *session, const CK_MECHANISM *mechanism,
				 CK_OBJECT_HANDLE *request)
{
	const vldaa_p11_endorsement_kind *kind =
	    vldaa_p11_endorsement_kind_of(mechanism->pParameter, mechanism->ulParameterLen);
	uint8_t serial[VLDAA_P11_SERIAL];
	vldaa_p11_bytes key, value;
	CK_RV rv;

	if (kind == NULL)
		return CKR_MECHANISM_PARAM_INVALID;
	rv = vldaa_p11_session_enter_slot(session);
	if (rv != CKR_OK)
		return rv;
	/* Before seconds are spent on a key. */
	rv = check(session);
	memcpy(serial, session->slot->store.identity.serial, sizeof serial);
	vldaa_p11_slot_leave(session->slot);
	if (rv != CKR_OK)
		return rv;
	/* Others use the slot meanwhile. */
	rv = vldaa_p11_result(vldaa_p11_endorsement_new(&key, &value, kind, serial));
	if (rv == CKR_OK)
		rv = vldaa_p11_session_enter_slot(session);
	if (rv == CKR_OK) {
		rv = replace_uncertified(session, &key, &value, request);
		vldaa_p11_slot_leave(session->slot);
	}
	vldaa_p11_bytes_free(&key);
	vldaa_p11_bytes_free(&value);
	return rv;
}
