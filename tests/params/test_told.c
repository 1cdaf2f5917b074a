/*
 * Promise: what libvldaa tells users of a set (vldaa/params.h) is what `vldaa-params check` says of it:
 * bits, assumptions, warning; nothing is claimed of the published sets.
 */
#include "oneshot/check.h"
#include "published/estimate.h"
#include "vldaa/params.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void assert_text(const char *told, const char *expected)
{
	ck_assert_int_eq(told == NULL, expected == NULL);
	if (expected != NULL)
		ck_assert_str_eq(told, expected);
}

START_TEST(a_one_shot_set_is_as_it_is_estimated)
{
	const vldaa_oneshot_choice *choice = &vldaa_oneshot_choices[_i];
	const vldaa_set *set = vldaa_set_by_name(choice->name);
	vldaa_oneshot_all all;
	vldaa_oneshot_estimates estimates;
	ck_assert_ptr_nonnull(set);
	vldaa_oneshot_all_init(&all, choice);
	vldaa_oneshot_estimate(&estimates, &all.derived);
	ck_assert_int_eq(vldaa_set_signature_bits(set),
			 vldaa_oneshot_bits(&estimates, VLDAA_BREAKS_FORGERY));
	ck_assert_int_eq(vldaa_set_key_bits(set), vldaa_oneshot_bits(&estimates, VLDAA_BREAKS_KEY));
	ck_assert_int_eq(vldaa_set_anonymity_bits(set),
			 vldaa_oneshot_bits(&estimates, VLDAA_BREAKS_ANONYMITY));
	assert_text(vldaa_set_assumptions(set), vldaa_oneshot_assumptions());
	assert_text(vldaa_set_warning(set), vldaa_oneshot_warning(choice));
	vldaa_oneshot_all_clear(&all);
}
END_TEST

/* Whoever has a member's key knows what that member made. */
START_TEST(anonymity_is_no_better_than_the_keys)
{
	for (size_t i = 0; vldaa_set_at(i) != NULL; i++) {
		const vldaa_set *set = vldaa_set_at(i);
		ck_assert_int_gt(vldaa_set_anonymity_bits(set), 0);
		ck_assert_int_le(vldaa_set_anonymity_bits(set), vldaa_set_key_bits(set));
	}
}
END_TEST

START_TEST(every_assumption_is_named)
{
	static const char *const names[] = {
	    "Module-SIS", "Module-LWE", "one-time randomness", "NTRU",
	    "ISIS_f",     "ML-DSA",     "random oracles",      "Joins answered one after another"};
	const char *told = vldaa_set_assumptions(vldaa_set_at(0));
	ck_assert_ptr_nonnull(told);
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		ck_assert_msg(strstr(told, names[i]) != NULL, "%s", names[i]);
}
END_TEST

START_TEST(a_published_set_claims_nothing)
{
	const vldaa_published_choice *choice = &vldaa_published_choices[_i];
	const vldaa_set *set = vldaa_set_by_name(choice->name);
	vldaa_published_estimate keys, tag;
	ck_assert_ptr_nonnull(set);
	vldaa_published_estimate_keys(&keys, choice, (double)choice->q, VLDAA_COST_CORE_SVP);
	vldaa_published_estimate_tag(&tag, choice);
	ck_assert_int_eq(vldaa_set_signature_bits(set), 0);
	ck_assert_int_eq(vldaa_set_key_bits(set), (int)floor(keys.bits));
	ck_assert_int_eq(vldaa_set_anonymity_bits(set), (int)floor(fmin(keys.bits, tag.bits)));
	ck_assert_ptr_null(vldaa_set_assumptions(set));
	assert_text(vldaa_set_warning(set), vldaa_published_warning(choice));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("what users are told of a set");
	TCase *told = tcase_create("told");
	SRunner *runner;
	int failed;
	tcase_set_timeout(told, 120.0);
	tcase_add_loop_test(told, a_one_shot_set_is_as_it_is_estimated, 0,
			    (int)vldaa_oneshot_count);
	tcase_add_test(told, anonymity_is_no_better_than_the_keys);
	tcase_add_test(told, every_assumption_is_named);
	tcase_add_loop_test(told, a_published_set_claims_nothing, 0, (int)vldaa_published_count);
	suite_add_tcase(suite, told);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
