#include "passing.h"

#include <string.h>

#include "objects.h"

static void forget(vldaa_p11_passing *p)
{
	vldaa_p11_signer_release(p->signer);
	memset(p, 0, sizeof *p);
}

static int is_of(const vldaa_p11_passing *p, const vldaa_p11_object *member)
{
	return p->signer != NULL && member != NULL && p->member == member->handle &&
	       p->stamp == member->stamp;
}

vldaa_p11_signer *vldaa_p11_passing_find(vldaa_p11_slot *slot, const vldaa_p11_object *member,
					 const uint8_t *basename, size_t basename_len)
{
	for (size_t i = 0; i < VLDAA_P11_PASSING; i++) {
		vldaa_p11_passing *p = &slot->passing[i];
		const vldaa_object_info *info;

		if (!is_of(p, member))
			continue;
		info = vldaa_pseudonym_key_info(vldaa_p11_signer_key(p->signer));
		if (info->basename_len == basename_len &&
		    memcmp(info->basename, basename, basename_len) == 0) {
			p->used = ++slot->passing_used;
			return vldaa_p11_signer_share(p->signer);
		}
	}
	return NULL;
}

void vldaa_p11_passing_keep(vldaa_p11_slot *slot, const vldaa_p11_object *member,
			    vldaa_p11_signer *signer)
{
	vldaa_p11_passing *oldest = &slot->passing[0];

	/* An empty place was used never, so longest ago. */
	for (size_t i = 1; i < VLDAA_P11_PASSING; i++) {
		if (slot->passing[i].used < oldest->used)
			oldest = &slot->passing[i];
	}
	forget(oldest);
	oldest->member = member->handle;
	oldest->stamp = member->stamp;
	oldest->used = ++slot->passing_used;
	oldest->signer = vldaa_p11_signer_share(signer);
}

void vldaa_p11_passing_clear(vldaa_p11_slot *slot)
{
	for (size_t i = 0; i < VLDAA_P11_PASSING; i++)
		forget(&slot->passing[i]);
}

void vldaa_p11_passing_update(vldaa_p11_slot *slot)
{
	for (size_t i = 0; i < VLDAA_P11_PASSING; i++) {
		vldaa_p11_passing *p = &slot->passing[i];

		if (!is_of(p, vldaa_p11_object_find(slot, p->member)))
			forget(p);
	}
}
