#include "family.h"

#include <strings.h>

const vldaa_family *const vldaa_families[] = {
    &vldaa_family_oneshot,
    &vldaa_family_published,
};
const uint32_t vldaa_family_count = sizeof(vldaa_families) / sizeof(vldaa_families[0]);

const void *vldaa_family_find(const vldaa_family **family, const char *name)
{
	for (uint32_t f = 0; f < vldaa_family_count; f++) {
		for (uint32_t i = 0; i < vldaa_families[f]->count(); i++) {
			const void *set = vldaa_families[f]->set(i);
			if (strcasecmp(vldaa_families[f]->set_name(set), name) != 0)
				continue;
			*family = vldaa_families[f];
			return set;
		}
	}
	return NULL;
}
