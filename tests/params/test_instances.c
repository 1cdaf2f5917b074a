/*
 * Promises about the instances that the core is built with: every bound, mask and table is what the
 * scheme's documentation says, computed here in another way (doubles, sums); sizes meet the
 * documented aims and are practically never exceeded; numbers fit the core's types.
 */
#include "scheme/published_set.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SETS = 3 };
static const vldaa_published_set *const sets[SETS] = {&vldaa_published_42, &vldaa_published_128,
						      &vldaa_published_256};

static double wide(uint64_t low, uint64_t high)
{
	return ldexp((double)high, 64) + (double)low;
}

static void assert_close(double value, double expected)
{
	ck_assert_msg(fabs(value / expected - 1.0) < 1e-12, "%.17g, expected %.17g", value,
		      expected);
}

/* xi = 12 sqrt(B) kappa T, rounded up to a multiple of 4; beta'^2 = xi^2 2 d m'. */
static void assert_block(const vldaa_published_set *set, const vldaa_block *block, double blocks,
			 uint32_t polys, double secret)
{
	double least = 3.0 * sqrt(blocks) * set->kappa * secret;
	double width = (double)block->width;
	ck_assert_double_ge(width, least * (1.0 - 1e-13));
	ck_assert_double_lt(width, least * (1.0 + 1e-13) + 1.0);
	ck_assert_uint_eq(block->polys, polys);
	vldaa_u128 bound2 = (vldaa_u128)block->bound2_high << 64 | block->bound2_low;
	vldaa_u128 expected = (vldaa_u128)block->width * block->width * 32 * set->ring.d * polys;
	ck_assert(bound2 == expected);
	ck_assert((vldaa_u128)block->max * block->max <= bound2);
	ck_assert((vldaa_u128)(block->max + 1) * (block->max + 1) > bound2);
	/* What the samplers and norms accept (gauss.h, ring.h). */
	ck_assert_uint_le(block->width, UINT64_C(1) << 47);
	ck_assert_uint_lt(block->max, UINT64_C(1) << 58);
}

START_TEST(every_block_has_the_documented_mask_and_bound)
{
	const vldaa_published_set *set = sets[_i];
	double d = set->ring.d;
	double randomness = sqrt(3.0 * d);
	double credential = 1.1 * set->gamma * sqrt(2.0 * d);
	double error = 1.1 * set->sigma * sqrt(d);
	double key = sqrt(error * error + d);
	assert_block(set, &set->host[VLDAA_HOST_R], 7, 3, randomness);
	assert_block(set, &set->host[VLDAA_HOST_R2], 7, 3, randomness);
	assert_block(set, &set->host[VLDAA_HOST_RSIGMA], 7, 3, randomness);
	assert_block(set, &set->host[VLDAA_HOST_S1], 7, 2, credential);
	assert_block(set, &set->host[VLDAA_HOST_S2], 7, 2, credential);
	assert_block(set, &set->host[VLDAA_HOST_S3], 7, 2, 2.0 * d * set->gamma);
	assert_block(set, &set->host[VLDAA_HOST_E], 7, 2, key);
	assert_block(set, &set->tpm[VLDAA_TPM_E], 2, 2, key);
	assert_block(set, &set->tpm[VLDAA_TPM_NYM], 2, 1, error);
	assert_block(set, &set->sign[VLDAA_SIGN_E1], 2, 1, sqrt(d));
	assert_block(set, &set->sign[VLDAA_SIGN_NYM], 2, 1, error);
	assert_block(set, &set->join, 1, 2, key);
}
END_TEST

START_TEST(bounds_outside_the_proofs_are_the_documented_ones)
{
	const vldaa_published_set *set = sets[_i];
	double d = set->ring.d;
	double q = (double)set->ring.q;
	/* 1.21 * 4 log2 d * d is a multiple of 1/25: floor in integers. */
	ck_assert_uint_eq(set->error_bound2,
			  UINT64_C(121) * 4 * set->ring.log_d * set->ring.d / 100);
	assert_close(wide(set->credential_bound2_low, set->credential_bound2_high),
		     1.21 * set->gamma * set->gamma * 2.0 * d);
	assert_close(wide(set->s3_bound2_low, set->s3_bound2_high),
		     4.0 * d * d * set->gamma * set->gamma);
	ck_assert_double_eq_tol((double)set->link_bound2, floor(q * q * d / 64.0), q);
	vldaa_u128 bound2 =
	    (vldaa_u128)set->credential_bound2_high << 64 | set->credential_bound2_low;
	ck_assert((vldaa_u128)set->credential_max * set->credential_max <= bound2);
	ck_assert((vldaa_u128)(set->credential_max + 1) * (set->credential_max + 1) > bound2);
}
END_TEST

START_TEST(error_table_is_the_discrete_gaussian_of_sigma)
{
	const vldaa_published_set *set = sets[_i];
	double total = 0.0;
	for (int x = -200; x <= 200; x++)
		total += exp(-0.5 * x * x / (set->sigma * set->sigma));
	double variance = 0.0;
	uint64_t above = UINT64_C(1) << 63;
	for (uint32_t x = 0; x < set->error.len + 1; x++) {
		uint64_t entry = x < set->error.len ? set->error.cdt[x] : 0;
		ck_assert_uint_lt(entry, above);
		double probability = ldexp((double)(above - entry), -63);
		double weight =
		    exp(-0.5 * x * x / (set->sigma * set->sigma)) * (x == 0 ? 1.0 : 2.0);
		ck_assert_double_eq_tol(probability, weight / total, 1e-15);
		variance += (double)x * x * probability;
		above = entry;
	}
	assert_close(variance, set->sigma * set->sigma);
}
END_TEST

START_TEST(exact_products_fit_the_auxiliary_primes)
{
	const vldaa_published_set *set = sets[_i];
	double d = set->ring.d;
	double q = (double)set->ring.q;
	double primes = 30.0 * set->ring.primes;
	/* Sums of ten products of centred residues; 0.01 bit covers the primes' distance from 2^30.
	 */
	ck_assert_double_lt(log2(2.0 * 10.0 * d * q * q / 4.0), primes - 0.01);
	ck_assert_double_lt(log2(4.0 * d * (double)set->credential_max), primes - 0.01);
	ck_assert_double_lt(log2(2.0 * set->kappa * 2.0 * d * set->gamma), primes - 0.01);
	ck_assert_double_ge(log2(2.0 * 10.0 * d * q * q / 4.0), 30.0 * (set->ring.primes - 1.0));
}
END_TEST

static size_t uniform_bytes(const vldaa_published_set *set)
{
	return ((size_t)set->ring.d * set->ring.q_bits + 7) / 8;
}

START_TEST(sizes_of_vldaa_128_meet_the_documented_aims)
{
	const vldaa_published_set *set = &vldaa_published_128;
	/* Framing: set id, key id, length and bytes of a long basename. */
	size_t attestation = 4 + 32 + 1 + 255 + 5 * uniform_bytes(set) + set->challenge_bytes + 32;
	for (int i = 0; i < VLDAA_HOST_BLOCKS; i++)
		attestation += set->host[i].max_bytes;
	for (int i = 0; i < VLDAA_TPM_BLOCKS; i++)
		attestation += set->tpm[i].max_bytes;
	ck_assert_uint_le(attestation, 40000);
	size_t message = set->challenge_bytes;
	for (int i = 0; i < VLDAA_SIGN_BLOCKS; i++)
		message += set->sign[i].max_bytes;
	ck_assert_uint_le(message, 2700);
	ck_assert_uint_le(2 * set->credential_max_bytes + 16, 6600);
}
END_TEST

/* A small generator of its own: splitmix64 and Box-Muller, seeded. */
static double normal(uint64_t *state)
{
	double uniform[2];
	for (int i = 0; i < 2; i++) {
		uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
		z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
		z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
		uniform[i] = ldexp((double)((z ^ (z >> 31)) >> 11) + 0.5, -53);
	}
	return sqrt(-2.0 * log(uniform[0])) * cos(2.0 * acos(-1.0) * uniform[1]);
}

/* Bits of the Golomb-Rice code (pack.h) of n coefficients, for each of three parameters at once. */
static void rice_bits(double bits[3], uint32_t rice, double deviation, uint32_t n, uint64_t *state)
{
	bits[0] = bits[1] = bits[2] = 0.0;
	for (uint32_t i = 0; i < n; i++) {
		double a = fabs(round(deviation * normal(state)));
		for (uint32_t k = 0; k < 3; k++) {
			double low = (double)(rice + k) - 1.0;
			bits[k] += low + floor(ldexp(a, -(int)low)) + 1.0 + (a > 0.0);
		}
	}
}

static void assert_size(uint32_t rice, uint32_t max_bytes, double deviation, uint32_t n,
			uint64_t *state)
{
	enum { TRIALS = 20 };
	double total[3] = {0.0, 0.0, 0.0};
	for (int trial = 0; trial < TRIALS; trial++) {
		double bits[3];
		rice_bits(bits, rice, deviation, n, state);
		ck_assert_double_le(ceil(bits[1] / 8.0), max_bytes);
		for (int k = 0; k < 3; k++)
			total[k] += bits[k];
	}
	/* The parameter is the best one (within what sampling can tell), the limit is not slack. */
	ck_assert_double_le(total[1], total[0] * 1.002);
	ck_assert_double_le(total[1], total[2] * 1.002);
	ck_assert_double_ge(total[1] / TRIALS / 8.0, 0.92 * max_bytes);
}

START_TEST(encoded_sizes_are_near_their_limits_and_below_them)
{
	const vldaa_published_set *set = sets[_i];
	uint64_t state = 20240716;
	for (int i = 0; i < VLDAA_HOST_BLOCKS; i++)
		assert_size(set->host[i].rice, set->host[i].max_bytes,
			    4.0 * (double)set->host[i].width, set->host[i].polys * set->ring.d,
			    &state);
	for (int i = 0; i < VLDAA_SIGN_BLOCKS; i++)
		assert_size(set->sign[i].rice, set->sign[i].max_bytes,
			    4.0 * (double)set->sign[i].width, set->sign[i].polys * set->ring.d,
			    &state);
	assert_size(set->credential_rice, set->credential_max_bytes, set->gamma, 2 * set->ring.d,
		    &state);
}
END_TEST

START_TEST(nothing_is_claimed_about_unforgeability)
{
	ck_assert_int_eq(sets[_i]->signature_bits, 0);
	ck_assert_ptr_nonnull(sets[_i]->warning);
	ck_assert_ptr_nonnull(strstr(sets[_i]->warning, "not unforgeable"));
}
END_TEST

START_TEST(keys_of_vldaa_128_and_256_take_124_and_258_bits)
{
	/* 0.292 times the block sizes 428 and 886 that the primal attack needs. */
	ck_assert_int_eq(vldaa_published_128.key_recovery_bits, 124);
	ck_assert_int_eq(vldaa_published_256.key_recovery_bits, 258);
	ck_assert_int_lt(vldaa_published_42.key_recovery_bits, 42);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("generated instances");
	TCase *tcase = tcase_create("instances");
	tcase_add_loop_test(tcase, every_block_has_the_documented_mask_and_bound, 0, SETS);
	tcase_add_loop_test(tcase, bounds_outside_the_proofs_are_the_documented_ones, 0, SETS);
	tcase_add_loop_test(tcase, error_table_is_the_discrete_gaussian_of_sigma, 0, SETS);
	tcase_add_loop_test(tcase, exact_products_fit_the_auxiliary_primes, 0, SETS);
	tcase_add_test(tcase, sizes_of_vldaa_128_meet_the_documented_aims);
	tcase_add_loop_test(tcase, encoded_sizes_are_near_their_limits_and_below_them, 0, SETS);
	tcase_add_loop_test(tcase, nothing_is_claimed_about_unforgeability, 0, SETS);
	tcase_add_test(tcase, keys_of_vldaa_128_and_256_take_124_and_258_bits);
	suite_add_tcase(suite, tcase);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
