/*
 * Promises: a term is the exact floor and saturates; a response is kept with probability
 * min(1, exp(t) / M); so one in M = e^(1 + 1/288) is kept, and what is kept says nothing about the
 * secret.
 */
#include <check.h>
#include <flint/flint.h>
#include <flint/fmpq.h>
#include <flint/fmpz.h>
#include <stdlib.h>

#include "sampler/gauss.h"
#include "sampler/reject.h"
#include "sampling.h"

static const int64_t saturation = INT64_C(1) << 59;

static void set_i128(fmpz_t out, vldaa_i128 value)
{
	const vldaa_u128 magnitude =
	    value < 0 ? (vldaa_u128)0 - (vldaa_u128)value : (vldaa_u128)value;

	fmpz_set_ui(out, (uint64_t)(magnitude >> 64));
	fmpz_mul_2exp(out, out, 64);
	fmpz_add_ui(out, out, (uint64_t)magnitude);
	if (value < 0)
		fmpz_neg(out, out);
}

/* floor(2^52 n / (2 (4 K)^2)) in rational arithmetic, saturated. */
static int64_t exact_term(vldaa_i128 n, uint64_t width)
{
	fmpz_t numerator;
	fmpz_t denominator;
	fmpz_t floor_of;
	fmpq_t term;

	fmpz_init(numerator);
	fmpz_init(floor_of);
	fmpz_init_set_ui(denominator, width);
	fmpq_init(term);
	set_i128(numerator, n);
	fmpz_mul_2exp(numerator, numerator, 52);
	fmpz_mul_ui(denominator, denominator, 4);
	fmpz_pow_ui(denominator, denominator, 2);
	fmpz_mul_ui(denominator, denominator, 2);
	fmpq_set_fmpz_frac(term, numerator, denominator);
	fmpz_fdiv_q(floor_of, fmpq_numref(term), fmpq_denref(term));
	int64_t result = fmpz_sgn(floor_of) < 0 ? -saturation : saturation;
	if (fmpz_bits(floor_of) <= 59)
		result = fmpz_get_si(floor_of);
	fmpz_clear(numerator);
	fmpz_clear(denominator);
	fmpz_clear(floor_of);
	fmpq_clear(term);
	return result;
}

static vldaa_i128 random_numerator(vldaa_rng *rng, unsigned bits)
{
	const vldaa_u128 high = vldaa_rng_u64(rng);
	const vldaa_u128 magnitude = (high << 64 | vldaa_rng_u64(rng)) >> (128 - bits);

	return vldaa_rng_u64(rng) % 2 == 0 ? (vldaa_i128)magnitude : -(vldaa_i128)magnitude;
}

START_TEST(a_term_is_the_exact_floor)
{
	vldaa_rng rng = numbered_rng(60);

	for (int i = 0; i < 20000; i++) {
		const uint64_t width =
		    (vldaa_rng_u64(&rng) >> 17 >> (vldaa_rng_u64(&rng) % 47)) + 1;
		const unsigned bits = 1 + (unsigned)(vldaa_rng_u64(&rng) % 120);
		const vldaa_i128 n = random_numerator(&rng, bits);

		if (vldaa_reject_term(n, width) != exact_term(n, width))
			ck_abort_msg("wrong for width %llu, %u bits", (unsigned long long)width,
				     bits);
	}
}
END_TEST

START_TEST(a_term_is_exact_next_to_its_steps)
{
	static const uint64_t widths[] = {
	    1, 2, 3, 4822, 11500, (1u << 20) + 1, (UINT64_C(1) << 47) - 1, UINT64_C(1) << 47};

	for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
		const vldaa_i128 unit = (vldaa_i128)widths[i] * (vldaa_i128)widths[i];

		for (int n = -20; n <= 20; n++) {
			/* Near zero, near one unit of 2^-52, near -1, 0, 1, near where it
			 * saturates. */
			const vldaa_i128 numerators[] = {n,
							 (unit >> 47) + n,
							 n * 32 * unit,
							 n * 32 * unit + n,
							 4096 * unit + n,
							 -4096 * unit + n};
			for (size_t j = 0; j < sizeof numerators / sizeof numerators[0]; j++)
				ck_assert_int_eq(vldaa_reject_term(numerators[j], widths[i]),
						 exact_term(numerators[j], widths[i]));
		}
	}
}
END_TEST

START_TEST(large_terms_saturate_and_fifteen_of_them_add_up)
{
	const vldaa_i128 largest = ((vldaa_i128)1 << 120) - 1;

	ck_assert_int_eq(vldaa_reject_term(largest, 1), saturation);
	ck_assert_int_eq(vldaa_reject_term(-largest, 1), -saturation);
	ck_assert_int_eq(vldaa_reject_term(4096, 1), saturation);
	ck_assert_int_lt(vldaa_reject_term(4095, 1), saturation);
	ck_assert_int_eq(INT64_MAX / saturation, 15);
}
END_TEST

START_TEST(each_decision_compares_63_bits_with_the_probability)
{
	vldaa_rng rng = numbered_rng(61);
	vldaa_rng words = numbered_rng(61);
	const long double log_m = 289.0L / 288;

	/* t from -3 to 3: below and above ln M. */
	for (int i = -30000; i <= 30000; i++) {
		const int64_t t = INT64_C(450359962737) * i;
		const long double u = ldexpl((long double)(vldaa_rng_u64(&words) >> 1), -63);
		const long double probability = expl(ldexpl((long double)t, -52) - log_m);

		if (fabsl(u - probability) < ldexpl(1, -48))
			ck_abort_msg("the seed is unlucky: a decision is too close for this test");
		if (vldaa_reject_keep(t, &rng) != (u < probability))
			ck_abort_msg("wrong at t = %lld", (long long)t);
	}
	ck_assert_uint_eq(vldaa_rng_u64(&rng), vldaa_rng_u64(&words));
}
END_TEST

START_TEST(terms_far_out_keep_always_or_never)
{
	vldaa_rng rng = numbered_rng(62);

	for (int i = 1; i <= 15; i++) {
		ck_assert_int_eq(vldaa_reject_keep(i * saturation, &rng), 1);
		ck_assert_int_eq(vldaa_reject_keep(-i * saturation, &rng), 0);
	}
}
END_TEST

/* --- the whole step: two blocks, as in Sign ----------------------------------------------------
 */

enum { DIMENSION = 16, ATTEMPTS = 100000 };
static const uint64_t block_widths[2] = {3000, UINT64_C(40000000000)};

/* c s of a block: of the largest norm that the parameters allow, xi / (12 sqrt(2)). */
static void make_shift(int64_t v[DIMENSION], uint64_t width, int sign)
{
	const double norm = 4 * (double)width / (12 * sqrt(2));

	for (int i = 0; i < DIMENSION; i++)
		v[i] = sign * (int64_t)(norm / sqrt(DIMENSION));
}

typedef struct {
	double kept;
	double mean;        /* of <z, v> / (||v|| xi) over both blocks */
	double bins[2][40]; /* of that, and of z[0] / xi, in fifths from -4 to 4 */
} outcome;

static size_t bin_of(double x)
{
	return (size_t)fmin(fmax(floor(5 * x) + 20, 0), 39);
}

/* Responses z = y + sign v; all are counted when always is set. */
static outcome respond(uint8_t seed, int sign, int always)
{
	vldaa_rng rng = numbered_rng(seed);
	outcome out = {0};

	for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
		int64_t t = 0;
		double along = 0;
		double first = 0;

		for (int block = 0; block < 2; block++) {
			int64_t v[DIMENSION];
			int64_t direction[DIMENSION];
			int64_t z[DIMENSION];
			const double xi = 4 * (double)block_widths[block];
			vldaa_i128 n = 0;
			double length = 0;

			make_shift(v, block_widths[block], sign);
			make_shift(direction, block_widths[block], 1);
			vldaa_mask_sample(z, DIMENSION, block_widths[block], &rng);
			for (int i = 0; i < DIMENSION; i++) {
				z[i] += v[i];
				n += (vldaa_i128)v[i] * v[i] - 2 * (vldaa_i128)z[i] * v[i];
				along += (double)z[i] * (double)direction[i] / (xi * xi);
				length += (double)direction[i] * (double)direction[i] / (xi * xi);
			}
			t += vldaa_reject_term(n, block_widths[block]);
			if (block == 1) {
				along /= sqrt(2 * length);
				first = (double)z[0] / xi;
			}
		}
		if (vldaa_reject_keep(t, &rng) || always) {
			out.kept++;
			out.mean += along;
			out.bins[0][bin_of(along)]++;
			out.bins[1][bin_of(first)]++;
		}
	}
	out.mean /= out.kept;
	return out;
}

/* Two samples of the same distribution? As a normal deviate, like chi_square_deviate. */
static double two_sample_deviate(const outcome *a, const outcome *b, int which)
{
	double observed[80];
	double expected[80];
	const double share = a->kept / (a->kept + b->kept);

	for (int i = 0; i < 40; i++) {
		const double both = a->bins[which][i] + b->bins[which][i];
		observed[2 * i] = a->bins[which][i];
		observed[2 * i + 1] = b->bins[which][i];
		expected[2 * i] = both * share;
		expected[2 * i + 1] = both * (1 - share);
	}
	/* Pairs count one degree of freedom each; empty and rare bins are left out. */
	double sum = 0;
	double freedom = -1;
	for (int i = 0; i < 80; i += 2) {
		if (expected[i] < 10)
			continue;
		freedom++;
		for (int j = i; j < i + 2; j++)
			sum +=
			    (observed[j] - expected[j]) * (observed[j] - expected[j]) / expected[j];
	}
	const double spread = 2 / (9 * freedom);
	return (cbrt(sum / freedom) - (1 - spread)) / sqrt(spread);
}

START_TEST(one_response_in_m_is_kept_whatever_the_secret)
{
	const double due = exp(-1 - 1.0 / 288);
	const double deviation = sqrt(due * (1 - due) / ATTEMPTS);

	for (int sign = -1; sign <= 1; sign++) {
		const outcome out = respond((uint8_t)(64 + sign), sign, 0);
		ck_assert_double_lt(fabs(out.kept / ATTEMPTS - due), 4 * deviation);
	}
}
END_TEST

START_TEST(kept_responses_do_not_depend_on_the_secret)
{
	const outcome with = respond(70, 1, 0);
	const outcome against = respond(71, -1, 0);

	ck_assert_double_lt(fabs(with.mean), 4 / sqrt(with.kept));
	ck_assert_double_lt(fabs(against.mean), 4 / sqrt(against.kept));
	for (int which = 0; which < 2; which++)
		ck_assert_double_lt(two_sample_deviate(&with, &against, which), suspicious);
}
END_TEST

/* The test before would notice: without rejection, the same numbers show the secret at once. */
START_TEST(without_rejection_responses_depend_on_the_secret)
{
	const outcome with = respond(70, 1, 1);
	const outcome against = respond(71, -1, 1);

	ck_assert_double_gt(with.mean, 10 / sqrt(with.kept));
	ck_assert_double_lt(against.mean, -10 / sqrt(against.kept));
	ck_assert_double_gt(two_sample_deviate(&with, &against, 0), 2 * suspicious);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("rejection");
	TCase *tc = tcase_create("rejection");
	SRunner *sr = srunner_create(s);

	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, a_term_is_the_exact_floor);
	tcase_add_test(tc, a_term_is_exact_next_to_its_steps);
	tcase_add_test(tc, large_terms_saturate_and_fifteen_of_them_add_up);
	tcase_add_test(tc, each_decision_compares_63_bits_with_the_probability);
	tcase_add_test(tc, terms_far_out_keep_always_or_never);
	tcase_add_test(tc, one_response_in_m_is_kept_whatever_the_secret);
	tcase_add_test(tc, kept_responses_do_not_depend_on_the_secret);
	tcase_add_test(tc, without_rejection_responses_depend_on_the_secret);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
