/* A group as hosts, issuers and verifiers hold it: the group key's bytes and the scheme's expanded
 * view. */
#ifndef VLDAA_GROUP_H
#define VLDAA_GROUP_H

#include "wire/object.h"

typedef struct {
	const vldaa_set *set;
	uint8_t key_id[VLDAA_KEY_ID_BYTES];
	uint8_t authority_digest[VLDAA_DIGEST_BYTES];
	void *context;  /* of the scheme: GROUP_CONTEXT bytes, read-only */
	uint8_t *bytes; /* the GROUP_KEY object */
	size_t len;
} vldaa_group;

/* Decodes and expands.  On an error nothing needs closing. */
int vldaa_group_open(vldaa_group *group, const uint8_t *key, size_t len);
void vldaa_group_close(vldaa_group *group);

static inline size_t vldaa_group_size(const vldaa_group *group, enum vldaa_part part)
{
	return group->set->scheme->size(group->set, part);
}

#endif
