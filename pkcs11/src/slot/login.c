#include "login.h"

#include <stdio.h>
#include <string.h>

#include "../result.h"
#include "../role/endorsement.h"
#include "../store/pin.h"
#include "../store/secret.h"
#include "objects.h"

static CK_RV check_new_pin(const uint8_t *pin, CK_ULONG len)
{
	if (pin == NULL)
		return CKR_ARGUMENTS_BAD;
	return len < VLDAA_P11_PIN_MIN || len > VLDAA_P11_PIN_MAX ? CKR_PIN_LEN_RANGE : CKR_OK;
}

/* What cannot be the PIN costs no try. */
static CK_RV check_old_pin(const uint8_t *pin, CK_ULONG len)
{
	if (pin == NULL)
		return CKR_ARGUMENTS_BAD;
	return len < VLDAA_P11_PIN_MIN || len > VLDAA_P11_PIN_MAX ? CKR_PIN_INCORRECT : CKR_OK;
}

/* --- C_InitToken -------------------------------------------------------------------------------
 */

/* The certificate request: readable by everybody, and as old as the token. */
static CK_RV add_request(vldaa_p11_slot *slot, const vldaa_p11_bytes *request)
{
	vldaa_p11_draft draft;
	CK_OBJECT_HANDLE handle;
	CK_RV rv = vldaa_p11_draft_data(&draft, "endorsement certificate request", request->data,
					request->len);

	if (rv != CKR_OK)
		return rv;
	draft.is_kept = 1;
	if (vldaa_p11_attributes_set_bool(&draft.attributes, CKA_MODIFIABLE, 0) != 0 ||
	    vldaa_p11_attributes_set_bool(&draft.attributes, CKA_DESTROYABLE, 0) != 0)
		rv = CKR_HOST_MEMORY;
	if (rv == CKR_OK)
		rv = vldaa_p11_object_add(slot, &draft, 0, &handle);
	vldaa_p11_draft_clear(&draft);
	return rv;
}

/* What the store's own errors come out as, again. */
static int error_of(CK_RV rv)
{
	switch (rv) {
	case CKR_OK:
		return VLDAA_OK;
	case CKR_DEVICE_MEMORY:
		return VLDAA_P11_ERR_FULL;
	case CKR_HOST_MEMORY:
		return VLDAA_ERR_MEMORY;
	default:
		return VLDAA_ERR_STORE;
	}
}

static int found(void *arg, const uint8_t master[VLDAA_P11_KEY_BYTES])
{
	vldaa_p11_slot *slot = arg;
	vldaa_p11_bytes key, request;
	int err = vldaa_p11_endorsement_new(&key, &request, vldaa_p11_endorsement_kind_of(NULL, 0),
					    slot->store.identity.serial);

	if (!err)
		err = vldaa_p11_store_set_endorsement(&slot->store, master, key.data, key.len);
	if (!err)
		err = error_of(add_request(slot, &request));
	vldaa_p11_bytes_free(&key);
	vldaa_p11_bytes_free(&request);
	return err;
}

CK_RV vldaa_p11_init_token(vldaa_p11_slot *slot, const uint8_t *so_pin, CK_ULONG len,
			   const uint8_t label[VLDAA_P11_LABEL])
{
	CK_RV rv = CKR_OK;

	if (slot->read_only_sessions + slot->read_write_sessions > 0)
		return CKR_SESSION_EXISTS;
	switch (vldaa_p11_store_wake(&slot->store)) {
	case VLDAA_OK:
		rv = check_old_pin(so_pin, len);
		break;
	case VLDAA_P11_ERR_ABSENT:
		rv = check_new_pin(so_pin, len);
		break;
	default:
		break; /* initialise says what is wrong */
	}
	if (rv != CKR_OK)
		return rv;
	rv = vldaa_p11_result(
	    vldaa_p11_store_initialise(&slot->store, label, so_pin, len, found, slot));
	if (rv == CKR_OK) {
		vldaa_p11_slot_logout(slot);
		vldaa_p11_objects_clear(slot);
		slot->generation++;
	}
	return rv;
}

/* --- login -------------------------------------------------------------------------------------
 */

CK_RV vldaa_p11_login(vldaa_p11_slot *slot, CK_USER_TYPE user, const uint8_t *pin, CK_ULONG len)
{
	const enum vldaa_p11_who who = user == CKU_SO ? VLDAA_P11_WHO_SO : VLDAA_P11_WHO_USER;
	uint8_t *master;
	CK_RV rv;

	if (user != CKU_SO && user != CKU_USER)
		return user == CKU_CONTEXT_SPECIFIC ? CKR_OPERATION_NOT_INITIALIZED
						    : CKR_USER_TYPE_INVALID;
	if (slot->who != VLDAA_P11_NOBODY)
		return slot->who == who ? CKR_USER_ALREADY_LOGGED_IN
					: CKR_USER_ANOTHER_ALREADY_LOGGED_IN;
	if (user == CKU_SO && slot->read_only_sessions > 0)
		return CKR_SESSION_READ_ONLY_EXISTS;
	rv = check_old_pin(pin, len);
	if (rv != CKR_OK)
		return rv;
	master = vldaa_p11_secret_new(VLDAA_P11_KEY_BYTES);
	if (master == NULL)
		return CKR_HOST_MEMORY;
	rv = vldaa_p11_result(vldaa_p11_pin_check(
	    &slot->store, user == CKU_SO ? VLDAA_P11_SO : VLDAA_P11_USER, pin, len, master));
	if (rv != CKR_OK) {
		vldaa_p11_secret_free(master, VLDAA_P11_KEY_BYTES);
		return rv;
	}
	slot->master = master;
	slot->who = who;
	slot->logins++;
	slot->stale = 1;
	/* Without its private objects nobody is logged in. */
	rv = vldaa_p11_slot_refresh(slot);
	if (rv != CKR_OK)
		vldaa_p11_slot_logout(slot);
	return rv;
}

CK_RV vldaa_p11_logout(vldaa_p11_slot *slot)
{
	if (slot->who == VLDAA_P11_NOBODY)
		return CKR_USER_NOT_LOGGED_IN;
	vldaa_p11_slot_logout(slot);
	return CKR_OK;
}

/* --- PINs --------------------------------------------------------------------------------------
 */

CK_RV vldaa_p11_init_pin(vldaa_p11_slot *slot, const uint8_t *pin, CK_ULONG len)
{
	CK_RV rv;

	if (slot->who != VLDAA_P11_WHO_SO)
		return CKR_USER_NOT_LOGGED_IN;
	rv = check_new_pin(pin, len);
	if (rv != CKR_OK)
		return rv;
	return vldaa_p11_result(
	    vldaa_p11_pin_set(&slot->store, VLDAA_P11_USER, pin, len, slot->master));
}

CK_RV vldaa_p11_set_pin(vldaa_p11_slot *slot, const uint8_t *old_pin, CK_ULONG old_len,
			const uint8_t *new_pin, CK_ULONG new_len)
{
	CK_RV rv = check_new_pin(new_pin, new_len);

	if (rv == CKR_OK)
		rv = check_old_pin(old_pin, old_len);
	if (rv != CKR_OK)
		return rv;
	return vldaa_p11_result(vldaa_p11_pin_change(
	    &slot->store, slot->who == VLDAA_P11_WHO_SO ? VLDAA_P11_SO : VLDAA_P11_USER, old_pin,
	    old_len, new_pin, new_len));
}
