#include "revoked.h"

#include <string.h>

#include "../role/member.h"

int vldaa_p11_revocations(const vldaa_p11_slot *slot, int64_t *count)
{
	/* 3, 4: VLDAA_RECORD_DEAD, _TOMBSTONE. */
	return vldaa_p11_db_pragma(&slot->store.db,
				   "SELECT count(*) FROM records WHERE record IN (3, 4)", count);
}

int vldaa_p11_is_revoked(vldaa_p11_slot *slot, const vldaa_p11_object *pseudonym)
{
	const vldaa_p11_attributes *a = &pseudonym->attributes;
	const vldaa_p11_attribute *name = vldaa_p11_attributes_find(a, CKA_VLDAA_SET);
	const vldaa_p11_attribute *key_id = vldaa_p11_attributes_find(a, CKA_VLDAA_KEY_ID);
	const vldaa_p11_attribute *basename = vldaa_p11_attributes_find(a, CKA_VLDAA_BASENAME);
	char text[32] = "";

	if (name == NULL || name->len >= sizeof text || key_id == NULL ||
	    key_id->len != VLDAA_KEY_ID_BYTES || basename == NULL)
		return 1;
	memcpy(text, name->value, name->len);
	return vldaa_p11_member_may_use(&slot->store, slot->master, vldaa_set_by_name(text),
					key_id->value, basename->value, basename->len) != VLDAA_OK;
}
