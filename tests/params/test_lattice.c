/*
 * Promises: the lattice estimates reproduce published ones.  Block sizes within 3% of
 *   Kyber round 3 specification (2021), section 5.1.2, table 4 (core-SVP, primal): 406, 625;
 *   Dilithium round 3 specification (2021), table 1 (level 2, BKZ block size for LWE): 423;
 *   Falcon specification v1.2 (2020), table 3.3: forgery 411 and 952, key recovery 458 and 936;
 *   Alkim, Ducas, Poppelmann, Schwabe (USENIX Security 2016), table 1: JarJar 449 primal and 448
 *   dual, NewHope 967 and 962.
 */
#include "lattice/arora_ge.h"
#include "lattice/cost.h"
#include "lattice/lwe.h"
#include "lattice/sis.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

static void assert_block(uint32_t block, double published)
{
	ck_assert_msg(fabs(block / published - 1.0) <= 0.03, "block size %u, published %.0f", block,
		      published);
}

static uint32_t lwe_block(vldaa_lwe instance)
{
	vldaa_lwe_estimate estimate;
	vldaa_lwe_primal(&estimate, &instance);
	ck_assert_uint_eq(estimate.dimension, instance.n + estimate.samples + 1);
	ck_assert_uint_le(estimate.samples, instance.samples);
	return estimate.block;
}

START_TEST(kyber_512_takes_the_published_block_size)
{
	double deviation = vldaa_lwe_binomial_deviation(3);
	assert_block(lwe_block((vldaa_lwe){512, 512, 3329, deviation, deviation}), 406);
}
END_TEST

START_TEST(kyber_768_takes_the_published_block_size)
{
	double deviation = vldaa_lwe_binomial_deviation(2);
	assert_block(lwe_block((vldaa_lwe){768, 768, 3329, deviation, deviation}), 625);
}
END_TEST

START_TEST(ml_dsa_44_takes_the_published_block_size)
{
	double deviation = vldaa_lwe_uniform_deviation(2);
	assert_block(lwe_block((vldaa_lwe){1024, 1024, 8380417, deviation, deviation}), 423);
}
END_TEST

START_TEST(falcon_takes_the_published_block_sizes)
{
	/* Bounds on the norm: floor(beta^2) of the specification's table 3.3. */
	ck_assert_uint_eq(vldaa_falcon_forgery_block(512, 12289, sqrt(34034726)), 411);
	ck_assert_uint_eq(vldaa_falcon_forgery_block(1024, 12289, sqrt(70265242)), 952);
	/* f and g have deviation 1.17 sqrt(q / 2n). */
	ck_assert_uint_eq(vldaa_falcon_key_block(512, 12289, 1.17 * sqrt(12289.0 / 1024)), 458);
	ck_assert_uint_eq(vldaa_falcon_key_block(1024, 12289, 1.17 * sqrt(12289.0 / 2048)), 936);
}
END_TEST

START_TEST(newhope_and_jarjar_take_the_published_block_sizes)
{
	static const struct {
		uint32_t n;
		double variance, primal, dual;
	} published[] = {{512, 12.0, 449, 448}, {1024, 8.0, 967, 962}};
	for (size_t i = 0; i < sizeof(published) / sizeof(published[0]); i++) {
		double deviation = sqrt(published[i].variance);
		vldaa_lwe instance = {published[i].n, 2 * published[i].n, 12289, deviation,
				      deviation};
		vldaa_lwe_dual_estimate dual;
		assert_block(lwe_block(instance), published[i].primal);
		vldaa_lwe_dual(&dual, &instance, 1.0);
		assert_block(dual.block, published[i].dual);
		ck_assert_uint_eq(dual.guessed, 0);
		ck_assert_double_ge(dual.classical, vldaa_cost_classical(dual.block));
	}
}
END_TEST

START_TEST(guessing_helps_the_dual_attack_a_little)
{
	double ternary = vldaa_lwe_uniform_deviation(1);
	vldaa_lwe instance = {2048, 1920, 35184372088693.0, ternary, ternary};
	vldaa_lwe_dual_estimate plain;
	vldaa_lwe_dual_estimate guessing;
	vldaa_lwe_dual(&plain, &instance, 1.0);
	vldaa_lwe_dual(&guessing, &instance, 3.0);
	ck_assert_uint_gt(guessing.guessed, 0);
	ck_assert_double_lt(guessing.classical, plain.classical);
	ck_assert_double_gt(guessing.classical, plain.classical - 5.0);
	/* all guesses are tried on all vectors: they cannot cost more than everything */
	ck_assert_double_le(guessing.guessed * log2(3.0), guessing.classical);
	/* a secret of more values is harder to guess */
	vldaa_lwe_dual_estimate wide;
	vldaa_lwe_dual(&wide, &instance, 5.0);
	ck_assert_double_gt(wide.classical, guessing.classical);
}
END_TEST

/* Degree 3 in 2 unknowns: (1 - z^3)^m / (1 - z)^3 = 1 + 3 z + 6 z^2 + (10 - m) z^3 + (15 - 3 m) z^4
 * + (21 - 6 m) z^5. */
START_TEST(polynomial_equations_are_solved_in_the_least_degree)
{
	vldaa_arora_ge_estimate estimate;
	vldaa_arora_ge instance = {.n = 2, .eta = 1, .samples = 8};
	/* the unknowns are equations too: m = 10 */
	vldaa_arora_ge_solve(&estimate, &instance);
	ck_assert_uint_eq(estimate.degree, 3);
	ck_assert_double_eq_tol(estimate.monomial_bits, log2(10.0), 1e-9);
	ck_assert_double_eq_tol(estimate.bits, 2.0 * log2(10.0), 1e-9);
	instance.samples = 7;
	vldaa_arora_ge_solve(&estimate, &instance);
	ck_assert_uint_eq(estimate.degree, 4);
	instance.samples = 2; /* m = 4: 15 - 12 > 0, 21 - 24 < 0 */
	vldaa_arora_ge_solve(&estimate, &instance);
	ck_assert_uint_eq(estimate.degree, 5);
}
END_TEST

START_TEST(errors_of_five_values_have_2_43_monomials_in_a_key)
{
	vldaa_arora_ge_estimate estimate;
	vldaa_arora_ge_solve(&estimate,
			     &(vldaa_arora_ge){.n = 1024, .eta = 2, .samples = UINT64_C(1) << 44});
	ck_assert_uint_eq(estimate.degree, 5);
	ck_assert_double_eq_tol(estimate.monomial_bits, 43.1, 0.05);
	ck_assert_double_eq_tol(estimate.linearise_bits, 43.1, 0.05);
}
END_TEST

/* Columns with a budget of their own: as good as the others when their budget is as large for each
 * of them. */
START_TEST(short_columns_are_worth_what_their_budget_is)
{
	vldaa_sis_mixed mixed = {512, 12289, 1024, 5834.0, 256, 5834.0 / 2.0};
	vldaa_sis_mixed_estimate with;
	vldaa_sis_mixed_estimate without;
	vldaa_sis plain = {.n = 512, .columns = 1024, .q = 12289, .bound = 5834.0};
	vldaa_sis_estimate reference;
	vldaa_sis_solve(&reference, &plain);
	mixed.short_columns = 0;
	vldaa_sis_mixed_solve(&without, &mixed);
	ck_assert_uint_eq(without.block, reference.block);
	mixed.short_columns = 256;
	vldaa_sis_mixed_solve(&with, &mixed);
	/* 1280 columns with the same budget each: norm 5834 sqrt(1280 / 1024) */
	plain.columns = 1280;
	plain.bound = 5834.0 * sqrt(1.25);
	vldaa_sis_solve(&reference, &plain);
	ck_assert_uint_le(with.block, reference.block);
	ck_assert_uint_le(with.block, without.block);
	mixed.short_bound = 1.0;
	vldaa_sis_mixed_solve(&with, &mixed);
	ck_assert_uint_eq(with.block, without.block);
}
END_TEST

/* Exhaustive optimisation with the textbook formula, against the closed form. */
START_TEST(the_chosen_number_of_samples_is_the_best_one)
{
	vldaa_lwe instance = {512, 3072, 7583, vldaa_lwe_uniform_deviation(1), 6.0};
	vldaa_lwe_estimate estimate;
	vldaa_lwe_primal(&estimate, &instance);
	double stretch = 6.0 / vldaa_lwe_uniform_deviation(1);
	for (uint32_t b = estimate.block - 1; b <= estimate.block; b++) {
		double delta = pow(pow(acos(-1.0) * b, 1.0 / b) * b / (2.0 * acos(-1.0) * exp(1.0)),
				   1.0 / (2.0 * (b - 1.0)));
		int succeeds = 0;
		for (uint32_t m = 1; m <= instance.samples; m++) {
			double dimension = 512.0 + m + 1.0;
			double volume = m * log(7583.0) + 512.0 * log(stretch);
			succeeds |= log(6.0) + 0.5 * log(b) <=
				    (2.0 * b - dimension - 1.0) * log(delta) + volume / dimension;
		}
		ck_assert_int_eq(succeeds, b == estimate.block);
	}
}
END_TEST

START_TEST(smaller_secrets_and_more_samples_never_make_lwe_harder)
{
	vldaa_lwe instance = {512, 1024, 7583, 6.0, 6.0};
	uint32_t normal = lwe_block(instance);
	instance.secret_deviation = vldaa_lwe_uniform_deviation(1);
	uint32_t ternary = lwe_block(instance);
	ck_assert_uint_lt(ternary, normal);
	instance.samples = 200;
	ck_assert_uint_gt(lwe_block(instance), ternary);
}
END_TEST

START_TEST(sis_needs_no_reduction_when_q_itself_is_short_enough)
{
	vldaa_sis_estimate estimate;
	vldaa_sis instance = {.n = 512, .columns = 4096, .q = 7583, .bound = 7583};
	vldaa_sis_solve(&estimate, &instance);
	ck_assert_int_eq(estimate.trivial, 1);
	instance.bound = 7582;
	vldaa_sis_solve(&estimate, &instance);
	ck_assert_int_eq(estimate.trivial, 0);
	ck_assert_uint_gt(estimate.block, 0);
}
END_TEST

START_TEST(sis_uses_the_best_dimension)
{
	/* The module-SIS problem of a proof with rank 23 of degree 64, q near 2^45, norm 2^38.6. */
	vldaa_sis instance = {
	    .n = 1472, .columns = 100000, .q = 35184372088693.0, .bound = exp2(38.6)};
	vldaa_sis_estimate free_choice;
	vldaa_sis_estimate few;
	vldaa_sis_solve(&free_choice, &instance);
	ck_assert_uint_gt(free_choice.dimension, 1472);
	for (uint32_t columns = free_choice.dimension - 300; columns <= free_choice.dimension + 300;
	     columns += 100) {
		double log_delta = vldaa_cost_log_delta(free_choice.block - 1);
		double norm = columns * log_delta + 1472.0 / columns * log(instance.q);
		ck_assert_double_gt(norm, log(instance.bound));
	}
	instance.columns = 2000;
	vldaa_sis_solve(&few, &instance);
	ck_assert_uint_eq(few.dimension, 2000);
	ck_assert_uint_gt(few.block, free_choice.block);
}
END_TEST

START_TEST(deviations_of_small_distributions_are_the_textbook_ones)
{
	for (uint32_t eta = 1; eta <= 5; eta++) {
		double square = 0.0;
		for (uint32_t x = 1; x <= eta; x++)
			square += 2.0 * x * x;
		ck_assert_double_eq_tol(vldaa_lwe_uniform_deviation(eta),
					sqrt(square / (2.0 * eta + 1.0)), 1e-12);
	}
	/* Binomial with 2 eta fair coins: variance eta / 2. */
	ck_assert_double_eq_tol(vldaa_lwe_binomial_deviation(2), 1.0, 1e-12);
}
END_TEST

START_TEST(costs_are_the_cited_ones)
{
	ck_assert_double_eq_tol(vldaa_cost_classical(1000), 292.0, 1e-9);
	ck_assert_double_eq_tol(vldaa_cost_quantum(1000), 265.0, 1e-9);
	ck_assert_double_eq_tol(vldaa_cost_bkz_sieve(100, 1024), 29.2 + 16.4 + 13.0, 1e-9);
	/* Chen and Nguyen, ASIACRYPT 2011, table 2: block sizes that reach a root Hermite factor.
	 */
	static const struct {
		double block, delta;
	} measured[] = {{85, 1.01},   {106, 1.009}, {133, 1.008},
			{168, 1.007}, {216, 1.006}, {286, 1.005}};
	for (size_t i = 0; i < sizeof(measured) / sizeof(measured[0]); i++)
		ck_assert_double_eq_tol(exp(vldaa_cost_log_delta(measured[i].block)),
					measured[i].delta, 1e-4);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("lattice estimates");
	TCase *tcase = tcase_create("lattice");
	tcase_add_test(tcase, kyber_512_takes_the_published_block_size);
	tcase_add_test(tcase, kyber_768_takes_the_published_block_size);
	tcase_add_test(tcase, ml_dsa_44_takes_the_published_block_size);
	tcase_add_test(tcase, falcon_takes_the_published_block_sizes);
	tcase_add_test(tcase, newhope_and_jarjar_take_the_published_block_sizes);
	tcase_add_test(tcase, guessing_helps_the_dual_attack_a_little);
	tcase_add_test(tcase, polynomial_equations_are_solved_in_the_least_degree);
	tcase_add_test(tcase, errors_of_five_values_have_2_43_monomials_in_a_key);
	tcase_add_test(tcase, short_columns_are_worth_what_their_budget_is);
	tcase_add_test(tcase, the_chosen_number_of_samples_is_the_best_one);
	tcase_add_test(tcase, smaller_secrets_and_more_samples_never_make_lwe_harder);
	tcase_add_test(tcase, sis_needs_no_reduction_when_q_itself_is_short_enough);
	tcase_add_test(tcase, sis_uses_the_best_dimension);
	tcase_add_test(tcase, deviations_of_small_distributions_are_the_textbook_ones);
	tcase_add_test(tcase, costs_are_the_cited_ones);
	suite_add_tcase(suite, tcase);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
