/* See sets.h. */
#include "sets.h"

#include <check.h>
#include <stdlib.h>

#include "scheme/scheme.h"

/* Counts in *count; set number i, or NULL. */
static const vldaa_set *find(const vldaa_scheme *scheme, int i, int *count)
{
	const vldaa_set *set, *found = NULL;

	*count = 0;
	for (size_t at = 0; (set = vldaa_set_at(at)) != NULL; at++) {
		if (set->scheme != scheme)
			continue;
		if (*count == i)
			found = set;
		(*count)++;
	}
	return found;
}

static int count_of(const vldaa_scheme *scheme)
{
	int count;

	/* Asked for by main, where no assertion may be; a loop over no sets would test nothing. */
	if (!find(scheme, 0, &count))
		abort();
	return count;
}

static const vldaa_set *number_of(const vldaa_scheme *scheme, int i)
{
	int count;
	const vldaa_set *set = find(scheme, i, &count);

	ck_assert_ptr_nonnull(set);
	return set;
}

int published_sets(void)
{
	return count_of(&vldaa_scheme_published);
}

const vldaa_set *published_set(int i)
{
	return number_of(&vldaa_scheme_published, i);
}

int oneshot_sets(void)
{
	return count_of(&vldaa_scheme_oneshot);
}

const vldaa_set *oneshot_set(int i)
{
	return number_of(&vldaa_scheme_oneshot, i);
}
