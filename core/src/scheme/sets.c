/* The list of parameter sets. */
#include <strings.h>

#include "scheme/oneshot_set.h"
#include "scheme/published_set.h"
#include "scheme/scheme.h"

static const vldaa_set sets[] = {
    {&vldaa_scheme_oneshot, &vldaa_oneshot_44},
    {&vldaa_scheme_oneshot, &vldaa_oneshot_87},
    {&vldaa_scheme_published, &vldaa_published_128},
    {&vldaa_scheme_published, &vldaa_published_256},
    {&vldaa_scheme_published, &vldaa_published_42},
};

static vldaa_set_about about(const vldaa_set *set)
{
	vldaa_set_about a = {.name = "no parameter set"};

	if (set)
		set->scheme->about(set, &a);
	return a;
}

const vldaa_set *vldaa_set_at(size_t index)
{
	return index < sizeof sets / sizeof sets[0] ? &sets[index] : NULL;
}

const vldaa_set *vldaa_set_by_name(const char *name)
{
	for (size_t i = 0; name && i < sizeof sets / sizeof sets[0]; i++) {
		if (strcasecmp(about(&sets[i]).name, name) == 0)
			return &sets[i];
	}
	return NULL;
}

const vldaa_set *vldaa_set_by_id(uint32_t id)
{
	for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
		if (about(&sets[i]).id == id)
			return &sets[i];
	}
	return NULL;
}

const char *vldaa_set_name(const vldaa_set *set)
{
	return about(set).name;
}

uint32_t vldaa_set_id(const vldaa_set *set)
{
	return about(set).id;
}

const char *vldaa_set_warning(const vldaa_set *set)
{
	return about(set).warning;
}

int vldaa_set_signature_bits(const vldaa_set *set)
{
	return about(set).signature_bits;
}

int vldaa_set_key_bits(const vldaa_set *set)
{
	return about(set).key_bits;
}

size_t vldaa_set_bare_size(const vldaa_set *set)
{
	return set ? set->scheme->size(set, VLDAA_PART_BARE) : 0;
}

int vldaa_set_anonymity_bits(const vldaa_set *set)
{
	return about(set).anonymity_bits;
}

const char *vldaa_set_assumptions(const vldaa_set *set)
{
	return about(set).assumptions;
}

void vldaa_message_absorb(vldaa_message *m, const void *in, size_t len)
{
	vldaa_shake_absorb(&m->shake, in, len);
}
