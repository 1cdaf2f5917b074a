/*
 * Promises: every condition of the one-shot sets holds for both and says no when what it guards is
 * damaged; every estimate is held against the set's level; counts of integer points and of rows are
 * right.
 */
#include "family.h"
#include "oneshot/check.h"
#include "oneshot/points.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* 1: the condition of that name holds, 0: it does not. */
static int verdict_of(const vldaa_oneshot_all *all, const char *name)
{
	const vldaa_oneshot_statement *statements[] = {&all->derived.attestation,
						       &all->derived.join};
	vldaa_verdict verdict;
	for (uint32_t s = 0; s < 2; s++)
		for (uint32_t i = 0; i < vldaa_oneshot_statement_condition_count; i++) {
			vldaa_oneshot_statement_conditions[i](&verdict, all, statements[s]);
			if (verdict.name != NULL && strcmp(verdict.name, name) == 0)
				return verdict.ok;
		}
	for (uint32_t i = 0; i < vldaa_oneshot_condition_count; i++) {
		vldaa_oneshot_conditions[i](&verdict, all);
		if (strcmp(verdict.name, name) == 0)
			return verdict.ok;
	}
	ck_abort_msg("no condition %s", name);
}

/* A damaged choice must fail that condition. */
static void assert_refused(const vldaa_oneshot_choice *choice, const char *name)
{
	vldaa_oneshot_all all;
	vldaa_oneshot_all_init(&all, choice);
	ck_assert_msg(!verdict_of(&all, name), "%s holds for a damaged set", name);
	vldaa_oneshot_all_clear(&all);
}

static vldaa_oneshot_choice set_44(void)
{
	return vldaa_oneshot_choices[0];
}

START_TEST(both_sets_meet_every_condition)
{
	for (uint32_t i = 0; i < vldaa_oneshot_count; i++) {
		char *text = NULL;
		size_t size = 0;
		FILE *file = open_memstream(&text, &size);
		vldaa_report report;
		vldaa_report_init(&report, file, 0);
		vldaa_family_oneshot.check(&report, &vldaa_oneshot_choices[i], 1);
		ck_assert_int_eq(vldaa_report_finish(&report), 0);
		fclose(file);
		ck_assert_msg(report.failed == 0, "%s", text);
		ck_assert_ptr_nonnull(strstr(text, "Module-SIS"));
		free(text);
	}
}
END_TEST

START_TEST(a_modulus_must_be_prime_and_5_modulo_8)
{
	vldaa_oneshot_choice choice = set_44();
	choice.q_below = 147; /* 5 modulo 8, not prime */
	assert_refused(&choice, "modulus");
	choice.q_below = 55; /* prime, 1 modulo 8 */
	assert_refused(&choice, "modulus");
}
END_TEST

START_TEST(a_modulus_must_be_large_enough)
{
	vldaa_oneshot_choice choice = set_44();
	choice.q_bits = 44;
	assert_refused(&choice, "attestation-range");
	assert_refused(&choice, "attestation-binary");
	assert_refused(&choice, "attestation-norms");
	choice.q_bits = 43;
	assert_refused(&choice, "attestation-weights");
	choice.q_bits = 40;
	assert_refused(&choice, "attestation-carry");
	choice.q_bits = 36;
	assert_refused(&choice, "join-range");
	choice.q_bits = 35;
	assert_refused(&choice, "attestation-whole");
	choice.q_bits = 34;
	assert_refused(&choice, "join-carry");
	choice.q_bits = 31;
	assert_refused(&choice, "join-binary");
	assert_refused(&choice, "join-norms");
	choice.q_bits = 28;
	assert_refused(&choice, "join-whole");
	choice.q_bits = 14;
	choice.cut = 10;
	assert_refused(&choice, "challenges-invert");
}
END_TEST

START_TEST(larger_proven_norms_need_a_larger_modulus)
{
	vldaa_oneshot_choice choice = set_44();
	choice.kc = 300000;
	assert_refused(&choice, "attestation-range");
	choice = set_44();
	choice.kj = 60000000;
	assert_refused(&choice, "join-range");
}
END_TEST

START_TEST(hints_must_stay_small)
{
	vldaa_oneshot_choice choice = set_44();
	choice.cut = 23;
	assert_refused(&choice, "hints");
}
END_TEST

START_TEST(the_credential_must_be_falcons)
{
	vldaa_oneshot_choice choice = set_44();
	choice.beta2 += 1;
	assert_refused(&choice, "falcon");
	choice = set_44();
	choice.sigma = "165.73662";
	assert_refused(&choice, "falcon");
}
END_TEST

START_TEST(accepted_credentials_must_leave_room_for_e_t)
{
	vldaa_oneshot_choice choice = set_44();
	choice.margin = 36;
	assert_refused(&choice, "credential");
	choice = set_44();
	choice.kc_accept = 29520;
	assert_refused(&choice, "credential");
}
END_TEST

START_TEST(the_number_of_rows_is_the_least_that_is_enough)
{
	vldaa_oneshot_choice choice = set_44();
	choice.rows = 2;
	choice.e2 = 1200;
	assert_refused(&choice, "rows");
	choice = vldaa_oneshot_choices[1];
	choice.rows = 1;
	choice.e2 = 600;
	assert_refused(&choice, "rows");
}
END_TEST

START_TEST(honest_carries_must_fit)
{
	vldaa_oneshot_choice choice = set_44();
	choice.k_carry = 400;
	assert_refused(&choice, "carry");
}
END_TEST

START_TEST(norms_must_have_their_digits)
{
	vldaa_oneshot_choice choice = set_44();
	choice.beta_digits = 25;
	assert_refused(&choice, "attestation-norms");
	choice = set_44();
	choice.et_digits = 10;
	assert_refused(&choice, "join-norms");
	choice = set_44();
	choice.e_digits = 27;
	assert_refused(&choice, "attestation-norms");
}
END_TEST

START_TEST(digits_must_not_overlap)
{
	vldaa_oneshot_choice choice = set_44();
	vldaa_oneshot_all all;
	vldaa_oneshot_all_init(&all, &choice);
	all.derived.attestation.relation[1].digit--;
	ck_assert(!verdict_of(&all, "attestation-norms"));
	vldaa_oneshot_all_clear(&all);
}
END_TEST

/* A mask that is a thousandth too narrow: M would not be enough. */
static void assert_mask_matters(vldaa_oneshot_all *all, vldaa_oneshot_block *block,
				const char *name)
{
	fmpz_t width;
	fmpz_init_set(width, block->width);
	ck_assert(verdict_of(all, name));
	fmpz_mul_ui(block->width, block->width, 999);
	fmpz_fdiv_q_ui(block->width, block->width, 1000);
	ck_assert_msg(!verdict_of(all, name), "%s", block->meaning);
	fmpz_set(block->width, width);
	fmpz_clear(width);
}

START_TEST(every_mask_must_be_wide_enough)
{
	vldaa_oneshot_choice choice = set_44();
	vldaa_oneshot_all all;
	vldaa_oneshot_all_init(&all, &choice);
	for (uint32_t b = 0; b < all.derived.attestation.blocks; b++)
		assert_mask_matters(&all, &all.derived.attestation.block[b], "attestation-masks");
	assert_mask_matters(&all, &all.derived.attestation.z2, "attestation-masks");
	assert_mask_matters(&all, &all.derived.attestation.z3, "attestation-masks");
	assert_mask_matters(&all, &all.derived.join.block[2], "join-masks");
	vldaa_oneshot_all_clear(&all);
}
END_TEST

START_TEST(masks_and_responses_must_fit_their_types)
{
	vldaa_oneshot_choice choice = set_44();
	vldaa_oneshot_all all;
	vldaa_oneshot_all_init(&all, &choice);
	fmpz_set_ui(all.derived.attestation.z3.max, UINT64_C(1) << 31);
	ck_assert(!verdict_of(&all, "attestation-sizes"));
	fmpz_set_ui(all.derived.join.block[0].width, UINT64_C(1) << 47);
	ck_assert(!verdict_of(&all, "join-sizes"));
	vldaa_oneshot_all_clear(&all);
}
END_TEST

/* --- security
 * -------------------------------------------------------------------------------------- */

static int judged(const vldaa_oneshot_choice *choice, const char *name)
{
	vldaa_oneshot_derived derived;
	vldaa_oneshot_estimates estimates;
	int ok = -1;
	vldaa_oneshot_derive(&derived, choice);
	vldaa_oneshot_estimate(&estimates, &derived);
	for (uint32_t i = 0; i < VLDAA_ONESHOT_PROBLEMS; i++) {
		vldaa_verdict verdict;
		vldaa_oneshot_judge(&verdict, &estimates.problem[i], choice);
		if (strcmp(verdict.name, name) == 0)
			ok = verdict.ok;
	}
	vldaa_oneshot_derived_clear(&derived);
	return ok;
}

START_TEST(fewer_rows_of_the_commitment_break_binding)
{
	vldaa_oneshot_choice choice = set_44();
	choice.n = 22;
	ck_assert_int_eq(judged(&choice, "msis-attestation"), 0);
	ck_assert_int_eq(judged(&choice, "msis-join"), 0);
}
END_TEST

START_TEST(less_randomness_breaks_hiding)
{
	vldaa_oneshot_choice choice = set_44();
	choice.mlwe_rank = 31;
	ck_assert_int_eq(judged(&choice, "mlwe-commitments"), 0);
}
END_TEST

START_TEST(smaller_keys_are_found)
{
	vldaa_oneshot_choice choice = vldaa_oneshot_choices[1];
	choice.l = 6;
	ck_assert_int_eq(judged(&choice, "mlwe-pseudonyms"), 0);
	choice = set_44();
	choice.l = 2;
	ck_assert_int_eq(judged(&choice, "lwe-u_T"), 0);
}
END_TEST

START_TEST(longer_credentials_are_forged)
{
	vldaa_oneshot_choice choice = set_44();
	choice.beta2 *= 2;
	ck_assert_int_eq(judged(&choice, "isis"), 0);
}
END_TEST

START_TEST(keys_must_not_serve_for_ever)
{
	vldaa_oneshot_choice choice = set_44();
	choice.creates_log2 = 34;
	ck_assert_int_eq(judged(&choice, "arora-ge"), 0);
}
END_TEST

START_TEST(every_problem_is_held_against_the_level)
{
	static const char *const names[] = {
	    "msis-attestation", "msis-join",    "mlwe-commitments", "ntru", "isis",
	    "mlwe-pseudonyms",  "mldsa-forgery"};
	vldaa_oneshot_choice choice = set_44();
	choice.level = 140;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		ck_assert_msg(judged(&choice, names[i]) == 0, "%s", names[i]);
		ck_assert_msg(judged(&vldaa_oneshot_choices[0], names[i]) == 1, "%s", names[i]);
	}
}
END_TEST

/* --- counts
 * ----------------------------------------------------------------------------------------- */

static uint32_t brute_force(uint32_t n, int last)
{
	if (n == 0)
		return 1;
	uint32_t sum = 0;
	for (int x = -last; x <= last; x++)
		if (x * x <= last)
			sum += brute_force(n - 1, last - x * x);
	return sum;
}

START_TEST(integer_points_are_counted)
{
	double counts[17];
	vldaa_points_counts(counts, 5, 16);
	for (int k = 0; k <= 16; k++) {
		ck_assert_double_eq_tol(counts[k], log2(brute_force(5, k)), 1e-12);
		/* the bound is one, and within a factor that grows with the dimension only */
		double bound = vldaa_points_at_most(5, sqrt(k));
		ck_assert_double_ge(bound, counts[k] - 1e-9);
		ck_assert_double_le(bound, counts[k] + 4.0);
	}
	double many[601];
	vldaa_points_counts(many, 1024, 600);
	for (uint32_t k = 100; k <= 600; k += 100) {
		double bound = vldaa_points_at_most(1024, sqrt(k));
		ck_assert_double_ge(bound, many[k]);
		ck_assert_double_le(bound, many[k] + 8.0);
	}
}
END_TEST

START_TEST(rows_that_say_too_little_are_recognised)
{
	vldaa_row_question question = {.l = 4, .rows = 1, .key = 98.0, .error = 49.0};
	double usual = vldaa_row_collision(&question);
	ck_assert_double_lt(usual, -449.0);
	/* more keys or more errors under one row can only be worse */
	question.error = 98.0;
	double tolerant = vldaa_row_collision(&question);
	ck_assert_double_gt(tolerant, usual);
	ck_assert_double_lt(tolerant, -206.0);
	question.l = 7;
	ck_assert_double_eq(vldaa_row_collision(&question), 0.0);
	/* z = 0 alone: every pair of keys and errors, one chance in q1^256 */
	question = (vldaa_row_question){.l = 4, .rows = 1, .key = 98.0, .error = 49.0};
	double no_slots = vldaa_points_at_most(1024, 98.0) + vldaa_points_at_most(256, 49.0) -
			  256.0 * log2(8380417.0);
	ck_assert_double_ge(usual, no_slots);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("one-shot sets: conditions");
	TCase *conditions = tcase_create("conditions");
	tcase_set_timeout(conditions, 120.0);
	tcase_add_test(conditions, both_sets_meet_every_condition);
	tcase_add_test(conditions, a_modulus_must_be_prime_and_5_modulo_8);
	tcase_add_test(conditions, a_modulus_must_be_large_enough);
	tcase_add_test(conditions, larger_proven_norms_need_a_larger_modulus);
	tcase_add_test(conditions, hints_must_stay_small);
	tcase_add_test(conditions, the_credential_must_be_falcons);
	tcase_add_test(conditions, accepted_credentials_must_leave_room_for_e_t);
	tcase_add_test(conditions, the_number_of_rows_is_the_least_that_is_enough);
	tcase_add_test(conditions, honest_carries_must_fit);
	tcase_add_test(conditions, norms_must_have_their_digits);
	tcase_add_test(conditions, digits_must_not_overlap);
	tcase_add_test(conditions, every_mask_must_be_wide_enough);
	tcase_add_test(conditions, masks_and_responses_must_fit_their_types);
	suite_add_tcase(suite, conditions);
	TCase *security = tcase_create("security");
	tcase_set_timeout(security, 120.0);
	tcase_add_test(security, fewer_rows_of_the_commitment_break_binding);
	tcase_add_test(security, less_randomness_breaks_hiding);
	tcase_add_test(security, smaller_keys_are_found);
	tcase_add_test(security, longer_credentials_are_forged);
	tcase_add_test(security, keys_must_not_serve_for_ever);
	tcase_add_test(security, every_problem_is_held_against_the_level);
	tcase_add_test(security, integer_points_are_counted);
	tcase_add_test(security, rows_that_say_too_little_are_recognised);
	suite_add_tcase(suite, security);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
