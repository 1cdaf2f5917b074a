/* How a one-shot set is shown and checked, and the family's entry in families.c. */
#include "family.h"
#include "oneshot/oneshot.h"

static uint32_t family_count(void)
{
	return vldaa_oneshot_count;
}

static const void *family_set(uint32_t index)
{
	return &vldaa_oneshot_choices[index];
}

static const char *family_set_name(const void *set)
{
	const vldaa_oneshot_choice *choice = set;
	return choice->name;
}

static const char *family_set_summary(const void *set)
{
	const vldaa_oneshot_choice *choice = set;
	return choice->origin;
}

static void family_show(vldaa_report *report, const void *set)
{
	const vldaa_oneshot_choice *choice = set;
	vldaa_report_open_set(report, "one-shot", choice->name, choice->origin);
	vldaa_report_close_set(report);
}

static void family_check(vldaa_report *report, const void *set, int security)
{
	(void)security;
	family_show(report, set);
}

const vldaa_family vldaa_family_oneshot = {
    .name = "one-shot",
    .summary = "sound sets: ML-DSA pseudonyms, NTRU credentials, a one-shot attestation",
    .count = family_count,
    .set = family_set,
    .set_name = family_set_name,
    .set_summary = family_set_summary,
    .show = family_show,
    .check = family_check,
    .generate = vldaa_oneshot_generate,
};
