/*
 * Promises: the one-shot sets' numbers follow from the choice by the documented formulas, rounded
 * masks first; encodings keep within the sizes that users are told; the tables say what the
 * estimates say.
 */
#include "oneshot/challenges.h"
#include "oneshot/estimate.h"
#include "tables/tables.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static vldaa_oneshot_derived derived[2];

static void derive_both(void)
{
	ck_assert_uint_eq(vldaa_oneshot_count, 2);
	for (uint32_t i = 0; i < 2; i++)
		vldaa_oneshot_derive(&derived[i], &vldaa_oneshot_choices[i]);
}

static void clear_both(void)
{
	for (uint32_t i = 0; i < 2; i++)
		vldaa_oneshot_derived_clear(&derived[i]);
}

static double number(const fmpz_t x)
{
	return vldaa_exact_double(x);
}

/* The sum of squares that each range proof covers, added up by hand from the scheme's description.
 */
START_TEST(honest_range_proofs_have_the_documented_norms)
{
	ck_assert(fmpz_equal_ui(derived[0].attestation.ws2, UINT64_C(32843947412)));
	ck_assert(fmpz_equal_ui(derived[1].attestation.ws2, UINT64_C(69409037118)));
	ck_assert(fmpz_equal_ui(derived[0].join.ws2, 3361443));
	ck_assert(fmpz_equal_ui(derived[1].join.ws2, 6338734));
}
END_TEST

START_TEST(statements_have_the_documented_shape)
{
	static const uint32_t m1[2][2] = {{41, 25}, {73, 45}};
	static const uint32_t dim[2][2] = {{3648, 2112}, {6720, 3904}};
	static const uint32_t theta[2][2] = {{20, 24}, {36, 44}};
	static const uint32_t last_digit[2][2] = {{50, 23}, {50, 24}};
	for (uint32_t i = 0; i < 2; i++) {
		const vldaa_oneshot_statement *both[2] = {&derived[i].attestation,
							  &derived[i].join};
		for (uint32_t j = 0; j < 2; j++) {
			const vldaa_oneshot_statement *s = both[j];
			const vldaa_oneshot_relation *last = &s->relation[s->relations - 2];
			ck_assert_uint_eq(s->m1, m1[i][j]);
			ck_assert_uint_eq(s->dim, dim[i][j]);
			ck_assert_uint_eq(s->theta, theta[i][j]);
			ck_assert_uint_eq(last->digit + last->bits, last_digit[i][j]);
			ck_assert_int_eq(s->relation[s->relations - 1].binary, 1);
		}
	}
}
END_TEST

/* k has two places in the range proof, k_c one. */
START_TEST(carries_of_the_pseudonym_are_weighed_twice)
{
	for (uint32_t i = 0; i < 2; i++) {
		const vldaa_oneshot_statement *s = &derived[i].attestation;
		uint32_t heavy[24] = {0};
		uint32_t light[24] = {0};
		ck_assert_uint_le(s->derived, 24);
		for (uint32_t j = 0; j < s->weighted; j++) {
			ck_assert_uint_lt(s->form[j], s->derived);
			heavy[s->form[j]] += s->weight[j] == 128;
			light[s->form[j]] += s->weight[j] == 1;
		}
		for (uint32_t f = 0; f < s->derived; f++) {
			ck_assert_uint_eq(light[f], 1);
			ck_assert_uint_eq(heavy[f],
					  f >= vldaa_oneshot_choices[i].degree / 64 ? 1 : 0);
		}
	}
}
END_TEST

/* xi = 4 K is the least multiple of 4 that is not below the formula. */
static void assert_rounded_up(const vldaa_oneshot_block *block, long double xi)
{
	long double width = (long double)number(block->width);
	ck_assert_msg(4.0L * width >= xi * (1.0L - 1e-17L), "%s", block->meaning);
	ck_assert_msg(4.0L * (width - 1.0L) < xi, "%s", block->meaning);
}

START_TEST(masks_are_rounded_up_to_multiples_of_four)
{
	for (uint32_t i = 0; i < 2; i++) {
		const vldaa_oneshot_statement *both[2] = {&derived[i].attestation,
							  &derived[i].join};
		for (uint32_t j = 0; j < 2; j++) {
			const vldaa_oneshot_statement *s = both[j];
			for (uint32_t b = 0; b < s->blocks; b++)
				assert_rounded_up(&s->block[b],
						  13.4L * 72.0L *
						      sqrtl((long double)s->block[b].secret2 *
							    s->m1 / s->block[b].elements));
			assert_rounded_up(&s->z2, 1.3L * 72.0L *
						      sqrtl((long double)derived[i].randomness2));
			assert_rounded_up(&s->z3, 6.7L * sqrtl(337.0L * number(s->ws2)));
		}
	}
}
END_TEST

/* The largest integer within the formula, for the rounded xi. */
static void assert_rounded_down(const fmpz_t value, long double exact)
{
	long double error = exact - (long double)number(value);
	ck_assert(error > -1e-15L * exact);
	ck_assert(error < 1.0L + 1e-15L * exact);
}

START_TEST(accepted_norms_follow_from_the_rounded_masks)
{
	for (uint32_t i = 0; i < 2; i++) {
		const vldaa_oneshot_statement *s = &derived[i].attestation;
		long double q =
		    ldexpl(1.0L, (int)derived[i].choice->q_bits) - derived[i].choice->q_below;
		long double xi;
		for (uint32_t b = 0; b < s->blocks; b++) {
			long double n = 64.0L * s->block[b].elements;
			xi = 4.0L * number(s->block[b].width);
			assert_rounded_down(s->block[b].bound2,
					    (sqrtl(n) + 4.0L) * (sqrtl(n) + 4.0L) * xi * xi);
		}
		xi = 4.0L * number(s->z2.width);
		assert_rounded_down(s->z2.bound2, 1.21L * 64.0L * s->z2.elements * xi * xi);
		assert_rounded_down(s->identity2,
				    1.21L * 64.0L * derived[i].choice->n *
					(xi * xi + (1406.25L + q * q / ldexpl(1.0L, 80)) *
						       ldexpl(1.0L, 40) / 12.0L));
		xi = 4.0L * number(s->z3.width);
		assert_rounded_down(s->z3.bound2, 1.3225L * 256.0L * xi * xi);
	}
}
END_TEST

/* E of VLDAA2-44: 256 coefficients, so (16 + 4)^2 xi^2 is whole. */
START_TEST(bounds_with_a_whole_root_are_exact)
{
	const vldaa_oneshot_block *e = &derived[0].attestation.block[3];
	uint64_t xi = 4 * vldaa_exact_low64(e->width);
	ck_assert_uint_eq(e->elements, 4);
	ck_assert(fmpz_equal_ui(e->bound2, 400 * xi * xi));
	ck_assert(fmpz_equal_ui(e->max, 20 * xi));
}
END_TEST

/* Rejection must never keep more than M allows: ln M is rounded up. */
START_TEST(logarithms_of_m_are_rounded_up)
{
	static const long double exact[3] = {13.37L / 13.4L + 0.5L / (13.4L * 13.4L),
					     0.5L / (1.3L * 1.3L),
					     13.37L / 6.7L + 0.5L / (6.7L * 6.7L)};
	for (uint32_t i = 0; i < 2; i++) {
		for (uint32_t j = 0; j < 3; j++) {
			long double units = ldexpl(exact[j], 52);
			ck_assert((long double)derived[i].log_m[j] > units - 1e-2L);
			ck_assert((long double)derived[i].log_m[j] < units + 1.01L);
		}
	}
}
END_TEST

START_TEST(the_issuer_leaves_room_for_e_t)
{
	ck_assert_uint_eq(derived[0].accept2, 33604384);
	ck_assert_uint_eq(derived[1].accept2, 69412834);
	for (uint32_t i = 0; i < 2; i++) {
		long double beta = sqrtl((long double)derived[i].choice->beta2);
		long double least = sqrtl((long double)derived[i].accept2);
		long double next = sqrtl((long double)derived[i].accept2 + 1.0L);
		ck_assert(least <= beta - derived[i].choice->margin);
		ck_assert(next > beta - derived[i].choice->margin);
	}
}
END_TEST

/* Parameters of the encoding: changing one is a change of format. */
START_TEST(the_codes_parameters_stay)
{
	static const uint32_t attestation[2][6] = {{22, 15, 15, 15, 11, 24},
						   {23, 15, 16, 16, 12, 24}};
	static const uint32_t join[2][5] = {{15, 15, 14, 11, 17}, {15, 15, 14, 12, 17}};
	for (uint32_t i = 0; i < 2; i++) {
		const vldaa_oneshot_statement *s = &derived[i].attestation;
		for (uint32_t b = 0; b < s->blocks; b++)
			ck_assert_uint_eq(s->block[b].rice, attestation[i][b]);
		ck_assert_uint_eq(s->z2.rice, attestation[i][4]);
		ck_assert_uint_eq(s->z3.rice, attestation[i][5]);
		s = &derived[i].join;
		for (uint32_t b = 0; b < s->blocks; b++)
			ck_assert_uint_eq(s->block[b].rice, join[i][b]);
		ck_assert_uint_eq(s->z2.rice, join[i][3]);
		ck_assert_uint_eq(s->z3.rice, join[i][4]);
	}
}
END_TEST

START_TEST(sizes_keep_within_what_users_are_told)
{
	static const uint32_t attestation[2] = {22500, 36500};
	static const uint32_t pseudonym[2] = {1696, 3392};
	/* header, key id, and the longest basename with its length */
	static const uint32_t framing = 10 + 32 + 1 + 255;
	for (uint32_t i = 0; i < 2; i++) {
		const vldaa_oneshot_statement *s = &derived[i].attestation;
		ck_assert_uint_le(framing + pseudonym[i] + s->max_bytes, attestation[i]);
		/* the limit is never in an honest prover's way, and not loose either */
		ck_assert_double_gt(s->max_bytes, s->bytes + 50.0);
		ck_assert_double_lt(s->max_bytes, s->bytes * 1.02);
	}
	ck_assert_uint_le(derived[0].join.max_bytes + 896, 18500);
	ck_assert_uint_le(derived[0].v2_bytes + 32, 1600);
}
END_TEST

/* --- tables
 * ---------------------------------------------------------------------------------------- */

START_TEST(cosines_are_rounded_correctly)
{
	int32_t table[VLDAA_TABLE_COSINES];
	vldaa_table_cosines(table);
	for (uint32_t k = 0; k < VLDAA_TABLE_COSINES; k++) {
		long double exact = ldexpl(cosl(acosl(-1.0L) * k / 64.0L), 30);
		ck_assert_double_le(fabs((double)(exact - table[k])), 0.5);
	}
	ck_assert_int_eq(table[0], 1 << 30);
	ck_assert_int_eq(table[32], 0);
}
END_TEST

START_TEST(about_one_challenge_in_83_is_kept)
{
	vldaa_challenge_count count;
	vldaa_oneshot_count_challenges(&count);
	ck_assert_double_eq_tol((double)count.drawn / count.kept, 83.0, 4.0);
	ck_assert_double_eq_tol(count.bits, 129.6, 0.1);
	/* the squares of the operator norm's values average to ||c||^2: far below 72^2 */
	ck_assert_double_gt(count.norm2, 1300.0);
	ck_assert_double_lt(count.norm2, 1406.25);
}
END_TEST

/* --- estimates
 * -------------------------------------------------------------------------------------- */

static const vldaa_oneshot_problem *problem(const vldaa_oneshot_estimates *estimates,
					    const char *name)
{
	for (uint32_t i = 0; i < VLDAA_ONESHOT_PROBLEMS; i++)
		if (strcmp(estimates->problem[i].name, name) == 0)
			return &estimates->problem[i];
	ck_abort_msg("no problem %s", name);
}

/*
 * Sources: ML-DSA 123 and 252 (Dilithium specification v3.1, table 1), Falcon 120 and 278, key
 * recovery 133 and 273 (Falcon specification v1.2, table 3.3); the rest from the scheme's design.
 */
START_TEST(estimates_are_the_known_ones)
{
	static const struct {
		const char *name;
		double bits[2];
		double tolerance;
	} known[] = {
	    {"msis-attestation", {120.5, 233.0}, 0.7},
	    {"msis-join", {122.0, 235.5}, 0.7},
	    {"ntru", {133.7, 273.3}, 0.1},
	    {"isis", {120.0, 278.0}, 0.1},
	    {"mldsa-forgery", {121.8, 253.5}, 0.1},
	};
	for (uint32_t i = 0; i < 2; i++) {
		vldaa_oneshot_estimates estimates;
		vldaa_oneshot_estimate(&estimates, &derived[i]);
		for (size_t j = 0; j < sizeof(known) / sizeof(known[0]); j++)
			ck_assert_double_eq_tol(problem(&estimates, known[j].name)->classical,
						known[j].bits[i], known[j].tolerance);
		const vldaa_oneshot_problem *commitments = problem(&estimates, "mlwe-commitments");
		const vldaa_oneshot_problem *keys = problem(&estimates, "mlwe-pseudonyms");
		ck_assert_double_eq_tol(commitments->primal, i == 0 ? 120.0 : 241.5, 0.5);
		ck_assert_double_eq_tol(keys->primal, i == 0 ? 123.8 : 252.0, 0.5);
		/* the cheaper attack counts */
		ck_assert(commitments->classical == fmin(commitments->primal, commitments->dual));
		ck_assert_double_lt(commitments->dual, commitments->primal);
	}
	ck_assert_double_eq_tol(0.5 * log2(number(derived[0].attestation.sis2)), 38.6, 0.05);
	ck_assert_double_eq_tol(0.5 * log2(number(derived[1].attestation.sis2)), 39.51, 0.05);
}
END_TEST

START_TEST(the_documented_dual_estimate_comes_out)
{
	vldaa_oneshot_estimates estimates;
	vldaa_oneshot_estimate(&estimates, &derived[0]);
	ck_assert_double_eq_tol(problem(&estimates, "mlwe-commitments")->dual, 118.6, 0.1);
}
END_TEST

START_TEST(a_sets_level_is_its_weakest_problem)
{
	vldaa_oneshot_estimates estimates;
	vldaa_oneshot_estimate(&estimates, &derived[0]);
	ck_assert_int_eq(vldaa_oneshot_bits(&estimates, VLDAA_BREAKS_FORGERY), 120);
	ck_assert_int_eq(vldaa_oneshot_bits(&estimates, VLDAA_BREAKS_KEY), 121);
	ck_assert_int_eq(vldaa_oneshot_bits(&estimates, VLDAA_BREAKS_ANONYMITY), 118);
	/* lattice problems of the second set cost more than guessing a challenge */
	vldaa_oneshot_estimate(&estimates, &derived[1]);
	ck_assert_int_eq(vldaa_oneshot_bits(&estimates, VLDAA_BREAKS_FORGERY), 127);
	ck_assert_ptr_nonnull(vldaa_oneshot_warning(derived[1].choice));
	ck_assert_ptr_null(vldaa_oneshot_warning(derived[0].choice));
	ck_assert_ptr_nonnull(strstr(vldaa_oneshot_assumptions(), "NTRU-ISIS_f"));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("one-shot sets");
	TCase *tcase = tcase_create("numbers");
	tcase_add_checked_fixture(tcase, derive_both, clear_both);
	tcase_add_test(tcase, honest_range_proofs_have_the_documented_norms);
	tcase_add_test(tcase, statements_have_the_documented_shape);
	tcase_add_test(tcase, carries_of_the_pseudonym_are_weighed_twice);
	tcase_add_test(tcase, masks_are_rounded_up_to_multiples_of_four);
	tcase_add_test(tcase, accepted_norms_follow_from_the_rounded_masks);
	tcase_add_test(tcase, bounds_with_a_whole_root_are_exact);
	tcase_add_test(tcase, logarithms_of_m_are_rounded_up);
	tcase_add_test(tcase, the_issuer_leaves_room_for_e_t);
	tcase_add_test(tcase, the_codes_parameters_stay);
	tcase_add_test(tcase, sizes_keep_within_what_users_are_told);
	tcase_add_test(tcase, cosines_are_rounded_correctly);
	tcase_add_test(tcase, about_one_challenge_in_83_is_kept);
	tcase_add_test(tcase, estimates_are_the_known_ones);
	tcase_add_test(tcase, the_documented_dual_estimate_comes_out);
	tcase_add_test(tcase, a_sets_level_is_its_weakest_problem);
	suite_add_tcase(suite, tcase);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
