/*
 * Promises: the formulas of SC24 section 2.4 give the digits that the paper prints (to 1e-9);
 * challenge weights are the least ones that the text claims; the sets are the ones of the scheme's
 * documentation. Expected values: Lesaignoux and Carmona, SECRYPT 2024, section 2.4, and arithmetic
 * done by hand.
 */
#include "published/published.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const vldaa_published_choice *set_named(const char *name)
{
	for (uint32_t i = 0; i < vldaa_published_count; i++)
		if (strcmp(vldaa_published_choices[i].name, name) == 0)
			return &vldaa_published_choices[i];
	ck_abort_msg("no set %s", name);
}

static void assert_near(const mpfr_t value, double expected, double tolerance)
{
	ck_assert_double_le(fabs(mpfr_get_d(value, MPFR_RNDN) / expected - 1.0), tolerance);
}

START_TEST(printed_digits_of_vldaa_128_follow)
{
	vldaa_published_derived derived;
	vldaa_published_derive(&derived, set_named("VLDAA-128"));
	ck_assert_uint_eq(derived.delta, 88);
	ck_assert_uint_eq(derived.q_bits, 13);
	assert_near(derived.sigma, 6.0, 1e-15);
	assert_near(derived.alpha, 12575.899863196026, 1e-9);
	assert_near(derived.gamma, 5702164.533998151, 1e-9);
	vldaa_published_derived_clear(&derived);
}
END_TEST

START_TEST(printed_digits_of_vldaa_256_follow)
{
	vldaa_published_derived derived;
	vldaa_published_derive(&derived, set_named("VLDAA-256"));
	ck_assert_uint_eq(derived.delta, 122);
	ck_assert_uint_eq(derived.q_bits, 14);
	assert_near(derived.sigma, 6.324555320336759, 1e-15);
	assert_near(derived.alpha, 28874.112529324666, 1e-9);
	assert_near(derived.gamma, 19125481.447302323, 1e-9);
	vldaa_published_derived_clear(&derived);
}
END_TEST

START_TEST(vldaa_42_follows_the_same_formulas)
{
	vldaa_published_derived derived;
	vldaa_published_derive(&derived, set_named("VLDAA-42"));
	ck_assert_uint_eq(derived.delta, 10694);
	ck_assert_uint_eq(derived.q_bits, 27);
	assert_near(derived.sigma, sqrt(28.0), 1e-15);
	/* eta for k = 2 is sqrt((lambda + 2) ln 2 / pi) up to ln(1 + 2^-42). */
	double eta = sqrt(44.0 * log(2.0) / acos(-1.0));
	double alpha = sqrt(2.0 * 10694) * (2.0 * 10694 + 1.0) * eta;
	double s1 = 1.1 * sqrt(28.0) * (16.0 + 16.0 + 4.7);
	assert_near(derived.eta, eta, 1e-12);
	assert_near(derived.alpha, alpha, 1e-12);
	assert_near(derived.gamma, alpha * s1, 1e-12);
	vldaa_published_derived_clear(&derived);
}
END_TEST

START_TEST(choices_are_the_documented_ones)
{
	static const struct {
		const char *name;
		uint32_t id, degree, q, kappa, lambda, challenge_bytes, rate;
	} expected[] = {
	    {"VLDAA-42", 0x00010001, 128, 114356107, 31, 42, 32, 168},
	    {"VLDAA-128", 0x00010002, 512, 7583, 120, 128, 32, 168},
	    {"VLDAA-256", 0x00010003, 1024, 14867, 300, 256, 64, 136},
	};
	ck_assert_uint_eq(vldaa_published_count, 3);
	for (size_t i = 0; i < 3; i++) {
		const vldaa_published_choice *set = set_named(expected[i].name);
		ck_assert_uint_eq(set->id, expected[i].id);
		ck_assert_uint_eq(set->degree, expected[i].degree);
		ck_assert_uint_eq(set->q, expected[i].q);
		ck_assert_uint_eq(set->kappa, expected[i].kappa);
		ck_assert_uint_eq(set->lambda, expected[i].lambda);
		ck_assert_uint_eq(set->challenge_bytes, expected[i].challenge_bytes);
		ck_assert_uint_eq(set->rate, expected[i].rate);
	}
	ck_assert_str_eq(set_named("VLDAA-128")->printed_gamma, "5702164.533998151");
	ck_assert_str_eq(set_named("VLDAA-256")->printed_gamma, "19125481.447302323");
}
END_TEST

START_TEST(least_weights_are_31_118_and_235)
{
	ck_assert_uint_eq(vldaa_published_least_kappa(128, 128), 31);
	ck_assert_uint_eq(vldaa_published_least_kappa(512, 512), 118);
	ck_assert_uint_eq(vldaa_published_least_kappa(1024, 1024), 235);
	/* 2^4 C(4,4) = 16 and 2^3 C(4,3) = 32 are the largest counts for d = 4. */
	ck_assert_uint_eq(vldaa_published_least_kappa(4, 5), 3);
	ck_assert_uint_eq(vldaa_published_least_kappa(4, 6), 0);
}
END_TEST

START_TEST(challenge_sets_have_the_documented_sizes)
{
	ck_assert_double_eq_tol(vldaa_published_challenge_bits(512, 120), 517.6, 0.05);
	ck_assert_double_eq_tol(vldaa_published_challenge_bits(1024, 300), 1188.0, 0.5);
	ck_assert_double_eq_tol(vldaa_published_challenge_bits(4, 3), 5.0, 1e-12);
}
END_TEST

START_TEST(square_root_ceilings_are_exact_on_both_sides_of_a_square)
{
	static const struct {
		slong numerator;
		ulong denominator;
		ulong root;
	} cases[] = {{0, 1, 0},          {1, 1000, 1},        {1, 1, 1},     {1001, 1000, 2},
		     {4, 1, 2},          {399, 100, 2},       {401, 100, 3}, {2214144, 1, 1488},
		     {2214145, 1, 1489}, {22141439, 10, 1488}};
	fmpq_t x;
	fmpz_t root;
	fmpq_init(x);
	fmpz_init(root);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		fmpq_set_si(x, cases[i].numerator, cases[i].denominator);
		vldaa_exact_ceil_sqrt(root, x);
		ck_assert_uint_eq(fmpz_get_ui(root), cases[i].root);
	}
	fmpq_clear(x);
	fmpz_clear(root);
}
END_TEST

START_TEST(halves_of_128_bits_are_split_exactly)
{
	fmpz_t x;
	fmpz_init(x);
	fmpz_set_str(x, "340282366920938463463374607431768211455", 10); /* 2^128 - 1 */
	ck_assert_uint_eq(vldaa_exact_low64(x), UINT64_MAX);
	ck_assert_uint_eq(vldaa_exact_high64(x), UINT64_MAX);
	fmpz_set_str(x, "18446744073709551616", 10); /* 2^64 */
	ck_assert_uint_eq(vldaa_exact_low64(x), 0);
	ck_assert_uint_eq(vldaa_exact_high64(x), 1);
	fmpz_clear(x);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("derivation of the published sets");
	TCase *tcase = tcase_create("derive");
	tcase_add_test(tcase, printed_digits_of_vldaa_128_follow);
	tcase_add_test(tcase, printed_digits_of_vldaa_256_follow);
	tcase_add_test(tcase, vldaa_42_follows_the_same_formulas);
	tcase_add_test(tcase, choices_are_the_documented_ones);
	tcase_add_test(tcase, least_weights_are_31_118_and_235);
	tcase_add_test(tcase, challenge_sets_have_the_documented_sizes);
	tcase_add_test(tcase, square_root_ceilings_are_exact_on_both_sides_of_a_square);
	tcase_add_test(tcase, halves_of_128_bits_are_split_exactly);
	suite_add_tcase(suite, tcase);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
