#include "slot.h"

#include <stdlib.h>
#include <string.h>

#include "../result.h"
#include "../store/secret.h"
#include "objects.h"

CK_RV vldaa_p11_slot_init(vldaa_p11_slot *slot, CK_SLOT_ID id, const char *directory)
{
	memset(slot, 0, sizeof *slot);
	slot->id = id;
	if (vldaa_p11_store_new(&slot->store, directory) != VLDAA_OK)
		return CKR_HOST_MEMORY;
	if (pthread_mutex_init(&slot->lock, NULL) != 0) {
		vldaa_p11_store_free(&slot->store);
		return CKR_CANT_LOCK;
	}
	slot->stale = 1;
	return CKR_OK;
}

void vldaa_p11_slot_free(vldaa_p11_slot *slot)
{
	vldaa_p11_slot_logout(slot);
	vldaa_p11_objects_clear(slot);
	vldaa_p11_store_free(&slot->store);
	(void)pthread_mutex_destroy(&slot->lock);
}

void vldaa_p11_slot_forget(vldaa_p11_slot *slot)
{
	for (size_t i = 0; i < slot->count; i++)
		vldaa_p11_signer_claim(slot->objects[i]->signer);
	for (size_t i = 0; i < VLDAA_P11_PASSING; i++)
		vldaa_p11_signer_claim(slot->passing[i].signer);
	vldaa_p11_slot_logout(slot);
	vldaa_p11_objects_clear(slot);
	vldaa_p11_store_forget(&slot->store);
	(void)pthread_mutex_destroy(&slot->lock);
}

void vldaa_p11_slot_logout(vldaa_p11_slot *slot)
{
	vldaa_p11_secret_free(slot->master, VLDAA_P11_KEY_BYTES);
	slot->master = NULL;
	slot->who = VLDAA_P11_NOBODY;
	slot->logins++;
	vldaa_p11_objects_hide(slot);
}

CK_RV vldaa_p11_slot_refresh(vldaa_p11_slot *slot)
{
	int64_t version = 0;
	int err = vldaa_p11_store_wake(&slot->store);

	if (!err)
		err = vldaa_p11_db_version(&slot->store.db, &version);
	if (err || (!slot->stale && !slot->store.moved && version == slot->version))
		return vldaa_p11_result(err);
	err = vldaa_p11_store_confirm(&slot->store);
	if (err == VLDAA_P11_ERR_REPLACED) {
		vldaa_p11_slot_logout(slot);
		vldaa_p11_objects_clear(slot);
		slot->generation++;
		err = VLDAA_OK;
	}
	if (!err)
		err = vldaa_p11_objects_read(slot);
	if (!err) {
		slot->version = version;
		slot->stale = 0;
	}
	return vldaa_p11_result(err);
}

CK_RV vldaa_p11_slot_enter(vldaa_p11_slot *slot)
{
	CK_RV rv;

	(void)pthread_mutex_lock(&slot->lock);
	rv = vldaa_p11_slot_refresh(slot);
	if (rv != CKR_OK)
		(void)pthread_mutex_unlock(&slot->lock);
	return rv;
}

void vldaa_p11_slot_leave(vldaa_p11_slot *slot)
{
	(void)pthread_mutex_unlock(&slot->lock);
}
