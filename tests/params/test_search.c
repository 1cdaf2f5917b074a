/*
 * Promises: a search returns a modulus that qualifies and that no better one beats; it says so when
 * there is none; with SC24's cost model it comes out near SC24's moduli.
 */
#include "published/conditions.h"
#include "published/search.h"

#include <check.h>
#include <flint/ulong_extras.h>
#include <stdlib.h>
#include <string.h>

static double bits(uint32_t degree, uint64_t q, vldaa_cost_model model)
{
	vldaa_published_choice choice = {.degree = degree};
	vldaa_published_estimate estimate;
	vldaa_published_estimate_keys(&estimate, &choice, (double)q, model);
	return estimate.bits;
}

static uint64_t found(const vldaa_search *search)
{
	vldaa_published_choice choice;
	char name[32];
	ck_assert_int_eq(vldaa_published_search(&choice, name, search), 1);
	ck_assert_uint_eq(choice.degree, search->degree);
	ck_assert_uint_eq(choice.lambda, search->lambda);
	ck_assert(n_is_prime(choice.q));
	ck_assert_uint_eq(choice.q % 4, 3);
	ck_assert_double_ge(bits(choice.degree, choice.q, search->model), search->lambda);
	/* A set in full: it meets the conditions that every published set meets. */
	vldaa_published_all all;
	vldaa_published_all_init(&all, &choice);
	for (uint32_t i = 0; i < vldaa_published_condition_count; i++) {
		vldaa_verdict verdict;
		vldaa_published_conditions[i](&verdict, &all);
		ck_assert_msg(verdict.ok, "%s: %s", verdict.name, verdict.says);
	}
	vldaa_published_all_clear(&all);
	return choice.q;
}

START_TEST(the_greatest_modulus_is_the_last_that_qualifies)
{
	vldaa_search search = {.degree = 512, .lambda = 128, .model = VLDAA_COST_CORE_SVP};
	uint64_t q = found(&search);
	do
		q++;
	while (q % 4 != 3 || !n_is_prime(q));
	ck_assert_double_lt(bits(512, q, VLDAA_COST_CORE_SVP), 128.0);
}
END_TEST

START_TEST(the_least_modulus_is_the_first_that_link_leaves_room_for)
{
	vldaa_search search = {.degree = 512, .lambda = 128, .aim = VLDAA_AIM_LEAST};
	/* 8 * 2.2 * sigma = 105.6; 107 is prime and 3 modulo 4. */
	ck_assert_uint_eq(found(&search), 107);
}
END_TEST

START_TEST(the_papers_moduli_are_close_below_the_greatest_for_its_claims)
{
	vldaa_search search = {.degree = 512, .lambda = 138, .model = VLDAA_COST_SC24};
	uint64_t q = found(&search);
	ck_assert_uint_ge(q, 7583);
	ck_assert_uint_lt(q, 7583 * 105 / 100);
	search.degree = 1024;
	search.lambda = 261;
	q = found(&search);
	ck_assert_uint_ge(q, 14867);
	ck_assert_uint_lt(q, 14867 * 105 / 100);
}
END_TEST

START_TEST(an_impossible_level_finds_nothing)
{
	vldaa_published_choice choice;
	char name[32];
	vldaa_search search = {.degree = 64, .lambda = 300};
	ck_assert_int_eq(vldaa_published_search(&choice, name, &search), 0);
	search.aim = VLDAA_AIM_LEAST;
	ck_assert_int_eq(vldaa_published_search(&choice, name, &search), 0);
}
END_TEST

static void count_call(void *context, uint64_t q, double cost)
{
	unsigned *calls = context;
	ck_assert_uint_gt(q, 0);
	ck_assert_double_gt(cost, 0.0);
	*calls += 1;
}

START_TEST(progress_is_told_at_every_step)
{
	unsigned calls = 0;
	vldaa_search search = {
	    .degree = 512, .lambda = 128, .progress = count_call, .context = &calls};
	(void)found(&search);
	/* At least one call a bit of the range of moduli. */
	ck_assert_uint_ge(calls, 30);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("search");
	TCase *tcase = tcase_create("search");
	tcase_add_test(tcase, the_greatest_modulus_is_the_last_that_qualifies);
	tcase_add_test(tcase, the_least_modulus_is_the_first_that_link_leaves_room_for);
	tcase_add_test(tcase, the_papers_moduli_are_close_below_the_greatest_for_its_claims);
	tcase_add_test(tcase, an_impossible_level_finds_nothing);
	tcase_add_test(tcase, progress_is_told_at_every_step);
	suite_add_tcase(suite, tcase);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
