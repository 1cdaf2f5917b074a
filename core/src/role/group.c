/* See group.h. */
#include "role/group.h"

#include <string.h>

#include "role/memory.h"

int vldaa_group_open(vldaa_group *group, const uint8_t *key, size_t len)
{
	vldaa_group_key parts;
	int err = vldaa_read_group_key(&parts, key, len);

	memset(group, 0, sizeof *group);
	if (err)
		return err;
	group->set = parts.set;
	memcpy(group->key_id, parts.key_id, sizeof group->key_id);
	memcpy(group->authority_digest, parts.authority_digest, sizeof group->authority_digest);
	group->len = len;
	group->bytes = vldaa_memory_new(len);
	group->context = vldaa_memory_new(vldaa_group_size(group, VLDAA_PART_GROUP_CONTEXT));
	if (!group->bytes || !group->context) {
		vldaa_group_close(group);
		return VLDAA_ERR_MEMORY;
	}
	memcpy(group->bytes, key, len);
	err = parts.set->scheme->group_init(group->context, parts.set, parts.payload, parts.key_id);
	if (err)
		vldaa_group_close(group);
	return err;
}

void vldaa_group_close(vldaa_group *group)
{
	if (!group->set)
		return;
	vldaa_memory_free(group->bytes, group->len);
	vldaa_memory_free(group->context, vldaa_group_size(group, VLDAA_PART_GROUP_CONTEXT));
	memset(group, 0, sizeof *group);
}
