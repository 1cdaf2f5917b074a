/* Slots, tokens and mechanisms, without a session. */
#include <stdio.h>
#include <string.h>

#include "../mechanism/table.h"
#include "../result.h"
#include "../session/library.h"
#include "../slot/login.h"
#include "../store/pin.h"
#include "api.h"

/* --- slots -------------------------------------------------------------------------------------
 */

/* Two-call convention; entry i of what there is, is give(i). */
CK_RV C_GetSlotList(unsigned char token_present, CK_SLOT_ID *slot_list, CK_ULONG *count)
{
	CK_RV rv = vldaa_p11_enter();
	CK_ULONG there;

	/* Every slot has a token, be it one that is not initialised yet. */
	(void)token_present;
	if (rv != CKR_OK)
		return rv;
	there = vldaa_p11_slot_count();
	if (count == NULL) {
		rv = CKR_ARGUMENTS_BAD;
	} else {
		if (slot_list != NULL && *count < there)
			rv = CKR_BUFFER_TOO_SMALL;
		for (CK_ULONG i = 0; slot_list != NULL && rv == CKR_OK && i < there; i++)
			slot_list[i] = i;
		*count = there;
	}
	vldaa_p11_leave();
	return rv;
}

/* A slot by its id; on success the caller leaves. */
static CK_RV enter_slot_id(CK_SLOT_ID id, vldaa_p11_slot **slot)
{
	CK_RV rv = vldaa_p11_enter();

	if (rv != CKR_OK)
		return rv;
	*slot = vldaa_p11_find_slot(id);
	if (*slot != NULL)
		return CKR_OK;
	vldaa_p11_leave();
	return CKR_SLOT_ID_INVALID;
}

/* Of a path that is too long the end, which tells slots apart. */
static void describe_place(CK_UTF8CHAR *field, size_t len, const char *path)
{
	static const char cut[] = "...";
	const size_t path_len = strlen(path), kept = len - (sizeof cut - 1);
	char text[64 + 1];

	if (path_len <= len || len >= sizeof text) {
		vldaa_p11_blank_pad(field, len, path);
		return;
	}
	path += path_len - kept;
	/* Not from within a character of UTF-8. */
	while (((unsigned char)path[0] & 0xc0) == 0x80)
		path++;
	(void)snprintf(text, sizeof text, "%s%s", cut, path);
	vldaa_p11_blank_pad(field, len, text);
}

CK_RV C_GetSlotInfo(CK_SLOT_ID slot_id, CK_SLOT_INFO *info)
{
	vldaa_p11_slot *slot;
	CK_RV rv = enter_slot_id(slot_id, &slot);

	if (rv != CKR_OK)
		return rv;
	if (info == NULL) {
		rv = CKR_ARGUMENTS_BAD;
	} else {
		memset(info, 0, sizeof *info);
		describe_place(info->slotDescription, sizeof info->slotDescription,
			       slot->store.directory);
		vldaa_p11_blank_pad(info->manufacturerID, sizeof info->manufacturerID, "V-LDAA");
		info->flags = CKF_TOKEN_PRESENT;
	}
	vldaa_p11_leave();
	return rv;
}

CK_RV C_WaitForSlotEvent(CK_FLAGS flags, CK_SLOT_ID *slot, void *reserved)
{
	CK_RV rv = vldaa_p11_enter();

	if (rv != CKR_OK)
		return rv;
	/* Slots are as they were at C_Initialize: nothing happens but the end. */
	if (slot == NULL || reserved != NULL)
		rv = CKR_ARGUMENTS_BAD;
	else
		rv = (flags & CKF_DONT_BLOCK) != 0 ? CKR_NO_EVENT : vldaa_p11_wait_for_stop();
	vldaa_p11_leave();
	return rv;
}

/* --- tokens ------------------------------------------------------------------------------------
 */

static CK_FLAGS pin_flags(const vldaa_p11_pin_state *p, CK_FLAGS low, CK_FLAGS final,
			  CK_FLAGS locked)
{
	if (!p->exists || p->tries == p->allowed)
		return 0;
	if (p->tries == 0)
		return locked;
	return p->tries == 1 ? final | low : low;
}

/* The slot was entered. */
static CK_RV describe_token(CK_TOKEN_INFO *info, const vldaa_p11_slot *slot)
{
	const vldaa_p11_identity *identity = &slot->store.identity;
	vldaa_p11_pin_state so, user;
	char serial[2 * VLDAA_P11_SERIAL + 1];
	int err = vldaa_p11_pin_get(&slot->store, VLDAA_P11_SO, &so);

	if (!err)
		err = vldaa_p11_pin_get(&slot->store, VLDAA_P11_USER, &user);
	if (err)
		return vldaa_p11_result(err);
	for (size_t i = 0; i < VLDAA_P11_SERIAL; i++)
		(void)snprintf(serial + 2 * i, 3, "%02x", identity->serial[i]);
	memcpy(info->label, identity->label, VLDAA_P11_LABEL);
	vldaa_p11_blank_pad(info->serialNumber, sizeof info->serialNumber, serial);
	info->flags |= CKF_TOKEN_INITIALIZED;
	if (user.exists)
		info->flags |= CKF_USER_PIN_INITIALIZED;
	if (vldaa_p11_store_is_read_only(&slot->store))
		info->flags |= CKF_WRITE_PROTECTED;
	info->flags |=
	    pin_flags(&user, CKF_USER_PIN_COUNT_LOW, CKF_USER_PIN_FINAL_TRY, CKF_USER_PIN_LOCKED);
	info->flags |=
	    pin_flags(&so, CKF_SO_PIN_COUNT_LOW, CKF_SO_PIN_FINAL_TRY, CKF_SO_PIN_LOCKED);
	info->ulSessionCount = slot->read_only_sessions + slot->read_write_sessions;
	info->ulRwSessionCount = slot->read_write_sessions;
	return CKR_OK;
}

static void describe_any(CK_TOKEN_INFO *info)
{
	memset(info, 0, sizeof *info);
	memset(info->label, ' ', sizeof info->label);
	memset(info->serialNumber, ' ', sizeof info->serialNumber);
	memset(info->utcTime, '0', sizeof info->utcTime);
	vldaa_p11_blank_pad(info->manufacturerID, sizeof info->manufacturerID, "V-LDAA");
	vldaa_p11_blank_pad(info->model, sizeof info->model, "V-LDAA token");
	info->flags = CKF_RNG | CKF_LOGIN_REQUIRED;
	info->ulMaxSessionCount = CK_EFFECTIVELY_INFINITE;
	info->ulMaxRwSessionCount = CK_EFFECTIVELY_INFINITE;
	info->ulMaxPinLen = VLDAA_P11_PIN_MAX;
	info->ulMinPinLen = VLDAA_P11_PIN_MIN;
	info->ulTotalPublicMemory = info->ulFreePublicMemory = CK_UNAVAILABLE_INFORMATION;
	info->ulTotalPrivateMemory = info->ulFreePrivateMemory = CK_UNAVAILABLE_INFORMATION;
	info->hardwareVersion = (CK_VERSION){0, 0};
	info->firmwareVersion = (CK_VERSION){VLDAA_VERSION_MAJOR, VLDAA_VERSION_MINOR};
}

CK_RV C_GetTokenInfo(CK_SLOT_ID slot_id, CK_TOKEN_INFO *info)
{
	vldaa_p11_slot *slot;
	CK_RV rv = enter_slot_id(slot_id, &slot);

	if (rv != CKR_OK)
		return rv;
	if (info == NULL) {
		rv = CKR_ARGUMENTS_BAD;
	} else {
		describe_any(info);
		(void)pthread_mutex_lock(&slot->lock);
		/* A place without a token is a token that is not initialised. */
		if (vldaa_p11_store_wake(&slot->store) != VLDAA_P11_ERR_ABSENT) {
			rv = vldaa_p11_slot_refresh(slot);
			if (rv == CKR_OK)
				rv = describe_token(info, slot);
		}
		(void)pthread_mutex_unlock(&slot->lock);
	}
	vldaa_p11_leave();
	return rv;
}

/* Some clients end a label like a string, before its 32 bytes. */
static void pad_label(uint8_t padded[VLDAA_P11_LABEL], const unsigned char *label)
{
	memset(padded, ' ', VLDAA_P11_LABEL);
	for (size_t i = 0; i < VLDAA_P11_LABEL && label[i] != '\0'; i++)
		padded[i] = label[i];
}

CK_RV C_InitToken(CK_SLOT_ID slot_id, unsigned char *pin, CK_ULONG pin_len, unsigned char *label)
{
	uint8_t padded[VLDAA_P11_LABEL];
	vldaa_p11_slot *slot;
	CK_RV rv = enter_slot_id(slot_id, &slot);

	if (rv != CKR_OK)
		return rv;
	if (pin == NULL || label == NULL) {
		rv = CKR_ARGUMENTS_BAD;
	} else {
		pad_label(padded, label);
		(void)pthread_mutex_lock(&slot->lock);
		rv = vldaa_p11_init_token(slot, pin, pin_len, padded);
		(void)pthread_mutex_unlock(&slot->lock);
	}
	vldaa_p11_leave();
	return rv;
}

/* --- mechanisms --------------------------------------------------------------------------------
 */

CK_RV C_GetMechanismList(CK_SLOT_ID slot_id, CK_MECHANISM_TYPE *list, CK_ULONG *count)
{
	vldaa_p11_slot *slot;
	CK_ULONG there = 0;
	CK_RV rv = enter_slot_id(slot_id, &slot);

	if (rv != CKR_OK)
		return rv;
	while (vldaa_p11_mechanism_at(there) != NULL)
		there++;
	if (count == NULL) {
		rv = CKR_ARGUMENTS_BAD;
	} else {
		if (list != NULL && *count < there)
			rv = CKR_BUFFER_TOO_SMALL;
		for (CK_ULONG i = 0; list != NULL && rv == CKR_OK && i < there; i++)
			list[i] = vldaa_p11_mechanism_at(i)->type;
		*count = there;
	}
	vldaa_p11_leave();
	return rv;
}

CK_RV C_GetMechanismInfo(CK_SLOT_ID slot_id, CK_MECHANISM_TYPE type, CK_MECHANISM_INFO *info)
{
	const vldaa_p11_mechanism *m = vldaa_p11_mechanism_find(type);
	vldaa_p11_slot *slot;
	CK_RV rv = enter_slot_id(slot_id, &slot);

	if (rv != CKR_OK)
		return rv;
	if (info == NULL) {
		rv = CKR_ARGUMENTS_BAD;
	} else if (m == NULL) {
		rv = CKR_MECHANISM_INVALID;
	} else {
		memset(info, 0, sizeof *info);
		info->flags = m->flags;
	}
	vldaa_p11_leave();
	return rv;
}
