/*
 * Promises: the tables are what their formulas say; exp(-x) is within 2^-58; small Gaussians and
 * masks have the exact distribution, read the stream as documented, and are frozen by known
 * answers.
 */
#include <check.h>
#include <flint/flint.h>
#include <flint/fmpz.h>
#include <stdlib.h>
#include <string.h>

#include "sampler/gauss.h"
#include "sampler/gen_base.h"
#include "sampling.h"
#include "scheme/published_set.h"

static const uint64_t widths[] = {1, 2, 3, 7, 100, 11500, (1u << 20) + 1, UINT64_C(1) << 47};
enum { WIDTHS = sizeof widths / sizeof widths[0], SAMPLES = 400000 };

static int64_t sample[SAMPLES];

/* --- tables, recomputed in fixed point with 200 bits after the binary point ------------------- */

enum { PRECISION = 200 };

/* out = a b, in units of 2^-PRECISION. */
static void fixed_mul(fmpz_t out, const fmpz_t a, const fmpz_t b)
{
	fmpz_mul(out, a, b);
	fmpz_fdiv_q_2exp(out, out, PRECISION);
}

/* exp(-1/n), by its series. */
static void fixed_exp_minus_inverse(fmpz_t out, ulong n)
{
	fmpz_t term;

	fmpz_init(term);
	fmpz_one(term);
	fmpz_mul_2exp(term, term, PRECISION);
	fmpz_zero(out);
	for (ulong i = 1; !fmpz_is_zero(term); i++) {
		if (i % 2 == 1)
			fmpz_add(out, out, term);
		else
			fmpz_sub(out, out, term);
		fmpz_fdiv_q_ui(term, term, i * n);
	}
	fmpz_clear(term);
}

/* round(2^63 a / b). */
static uint64_t rounded_63(const fmpz_t a, const fmpz_t b)
{
	fmpz_t twice;
	fmpz_t quotient;

	fmpz_init(twice);
	fmpz_init(quotient);
	fmpz_mul_2exp(quotient, a, 64);
	fmpz_add(quotient, quotient, b);
	fmpz_mul_ui(twice, b, 2);
	fmpz_fdiv_q(quotient, quotient, twice);
	const uint64_t result = fmpz_get_ui(quotient);
	fmpz_clear(twice);
	fmpz_clear(quotient);
	return result;
}

START_TEST(the_base_table_is_its_formula)
{
	enum { TERMS = 60 };
	fmpz_t base;
	fmpz_t weight;
	fmpz_t total;
	fmpz_t above;

	fmpz_init(base);
	fmpz_init(weight);
	fmpz_init(total);
	fmpz_init(above);
	fixed_exp_minus_inverse(base, 32);
	for (int pass = 0; pass < 2; pass++) {
		fmpz_set(above, total);
		for (int x = 0; x < TERMS; x++) {
			fmpz_one(weight);
			fmpz_mul_2exp(weight, weight, PRECISION);
			for (int i = 0; i < x * x; i++)
				fixed_mul(weight, weight, base);
			if (pass == 0) {
				fmpz_add(total, total, weight);
				continue;
			}
			fmpz_sub(above, above, weight);
			const uint64_t expected = rounded_63(above, total);
			if (x < VLDAA_BASE_LEN)
				ck_assert_uint_eq(vldaa_base_cdt[x], expected);
			else
				ck_assert_uint_eq(expected, 0);
		}
	}
	ck_assert_uint_gt(vldaa_base_cdt[VLDAA_BASE_LEN - 1], 0);
	fmpz_clear(base);
	fmpz_clear(weight);
	fmpz_clear(total);
	fmpz_clear(above);
}
END_TEST

START_TEST(the_exponentials_constants_are_their_formulas)
{
	fmpz_t one;
	fmpz_t factorial;
	fmpz_t term;
	fmpz_t ln2;

	fmpz_init_set_ui(one, 1);
	fmpz_init_set_ui(factorial, 1);
	fmpz_init(term);
	fmpz_init(ln2);
	for (ulong i = 0; i <= VLDAA_EXP_DEGREE; i++) {
		if (i > 0)
			fmpz_mul_ui(factorial, factorial, i);
		ck_assert_uint_eq(vldaa_exp_coefficient[i], rounded_63(one, factorial));
	}
	/* ln 2 is the sum of 1 / (k 2^k). */
	for (ulong k = 1; k <= PRECISION; k++) {
		fmpz_one(term);
		fmpz_mul_2exp(term, term, PRECISION - k);
		fmpz_fdiv_q_ui(term, term, k);
		fmpz_add(ln2, ln2, term);
	}
	fmpz_fdiv_q_2exp(term, ln2, PRECISION - 63);
	ck_assert_uint_eq(vldaa_exp_ln2, fmpz_get_ui(term));
	fmpz_mul_2exp(term, one, PRECISION + 63);
	fmpz_fdiv_q(term, term, ln2);
	ck_assert_uint_eq(vldaa_exp_log2e, fmpz_get_ui(term));
	fmpz_clear(one);
	fmpz_clear(factorial);
	fmpz_clear(term);
	fmpz_clear(ln2);
}
END_TEST

/* --- exp(-x) ---------------------------------------------------------------------------------- */

/* The largest error at x = from, from + step, ... below to. */
static long double worst_exp_error(uint64_t from, uint64_t to, uint64_t step)
{
	long double worst = 0;

	for (uint64_t x = from; x < to; x += step) {
		const long double exact = expl(-ldexpl((long double)x, -52));
		const long double ours = ldexpl((long double)vldaa_exp_neg(x), -63);
		worst = fmaxl(worst, fabsl(ours - exact));
	}
	return worst;
}

START_TEST(the_exponential_is_within_its_error)
{
	const long double bound = ldexpl(1, -58);
	const long double ln2 = logl(2);

	/* Steps that are no round number, past the point where it becomes 0. */
	ck_assert_ldouble_lt(worst_exp_error(0, UINT64_C(47) << 52, UINT64_C(201234567891)), bound);
	ck_assert_ldouble_lt(worst_exp_error(0, 1000, 1), bound);
	/* Both sides of the multiples of ln 2, where k changes. */
	for (int k = 1; k <= 66; k++) {
		const uint64_t near = (uint64_t)ldexpl(k * ln2, 52);
		ck_assert_ldouble_lt(worst_exp_error(near - 20, near + 20, 1), bound);
	}
	ck_assert_ldouble_lt(worst_exp_error(0, UINT64_MAX / 8 * 7, UINT64_MAX / 777), bound);
}
END_TEST

START_TEST(the_exponential_of_zero_is_one_and_of_large_numbers_zero)
{
	ck_assert_uint_eq(vldaa_exp_neg(0), UINT64_C(1) << 63);
	ck_assert_uint_eq(vldaa_exp_neg(UINT64_C(45) << 52), 0);
	ck_assert_uint_eq(vldaa_exp_neg(UINT64_MAX), 0);
	for (uint64_t x = 0; x < 1000; x++)
		ck_assert_uint_le(vldaa_exp_neg(x << 20), UINT64_C(1) << 63);
}
END_TEST

/* --- small Gaussians -------------------------------------------------------------------------- */

static const vldaa_published_set *const sets[3] = {&vldaa_published_42, &vldaa_published_128,
						   &vldaa_published_256};

START_TEST(a_small_gaussian_counts_the_entries_above_its_word)
{
	static const uint64_t entries[3] = {UINT64_C(1) << 62, UINT64_C(1) << 61,
					    UINT64_C(1) << 58};
	const vldaa_cdt table = {entries, 3};
	vldaa_rng rng = numbered_rng(1);
	vldaa_rng words = numbered_rng(1);

	vldaa_cdt_sample(sample, 1000, &table, &rng);
	for (int i = 0; i < 1000; i++) {
		const uint64_t word = vldaa_rng_u64(&words);
		const uint64_t r = word % (UINT64_C(1) << 63);
		const int64_t size = (r < entries[0]) + (r < entries[1]) + (r < entries[2]);
		ck_assert_int_eq(sample[i], word >> 63 ? -size : size);
	}
	ck_assert_uint_eq(vldaa_rng_u64(&rng), vldaa_rng_u64(&words));
}
END_TEST

/* Counts of -reach ... reach against the exact weights exp(-z^2 / (2 deviation^2)). */
static void check_distribution(const int64_t *values, size_t n, double deviation)
{
	enum { MAX_REACH = 6000 };
	static double observed[2 * MAX_REACH + 1];
	static double expected[2 * MAX_REACH + 1];
	const int64_t reach = (int64_t)(10 * deviation) + 1;
	double total = 0;

	ck_assert_int_le(reach, MAX_REACH);
	memset(observed, 0, sizeof observed);
	for (size_t i = 0; i < n; i++) {
		/* Beyond ten deviations: none in 2^70. */
		if (llabs(values[i]) > reach)
			ck_abort_msg("%lld is too far out", (long long)values[i]);
		observed[values[i] + reach]++;
	}
	for (int64_t z = -reach; z <= reach; z++) {
		const double x = (double)z / deviation;
		expected[z + reach] = exp(-x * x / 2);
		total += expected[z + reach];
	}
	for (int64_t z = 0; z <= 2 * reach; z++)
		expected[z] *= (double)n / total;
	const double deviate = chi_square_deviate(observed, expected, 2 * (size_t)reach + 1);
	ck_assert_double_lt(deviate, suspicious);
	/* Too good a fit would be a mistake of the test. */
	ck_assert_double_gt(deviate, -suspicious);
}

START_TEST(small_gaussians_have_the_exact_probabilities)
{
	for (int i = 0; i < 3; i++) {
		vldaa_rng rng = numbered_rng((uint8_t)(10 + i));

		vldaa_cdt_sample(sample, SAMPLES, &sets[i]->error, &rng);
		check_distribution(sample, SAMPLES, sets[i]->sigma);
	}
}
END_TEST

/* --- masks ------------------------------------------------------------------------------------ */

/*
 * A mask from the stream as gauss_mask.c documents it, one candidate after the other, with the
 * probability in long double.  Fails when a decision is too close for that.
 */
static int64_t plain_mask(uint64_t width, vldaa_rng *rng)
{
	unsigned bits = 0;

	while (width > UINT64_C(1) << bits)
		bits++;
	const unsigned y_bytes = (bits + 8 + 7) / 8;
	for (;;) {
		uint8_t w_bytes[8] = {0};
		uint8_t u_bytes[8] = {0};
		uint64_t x = 0;
		const uint64_t first = vldaa_rng_u64(rng);
		vldaa_rng_bytes(rng, w_bytes, y_bytes);
		vldaa_rng_bytes(rng, u_bytes, 7);
		const vldaa_u128 product = (vldaa_u128)vldaa_load64(w_bytes) * width;
		const vldaa_u128 range = (vldaa_u128)1 << (8 * y_bytes);
		const uint64_t y = (uint64_t)(product / range);
		while (x < VLDAA_BASE_LEN && first % (UINT64_C(1) << 63) < vldaa_base_cdt[x])
			x++;
		const long double f = (long double)y / (long double)width;
		const long double probability = expl(-f * (2 * (long double)x + f) / 32);
		const long double u = ldexpl((long double)vldaa_load64(u_bytes), -56);
		if (y != 0 && fabsl(u - probability) < ldexpl(1, -48))
			ck_abort_msg("the seed is unlucky: a decision is too close for this test");
		const int64_t z = (int64_t)(width * x + y);
		if (product % range >= range % width && u < probability &&
		    (z != 0 || first >> 63 == 0))
			return first >> 63 ? -z : z;
	}
}

START_TEST(masks_follow_the_documented_stream)
{
	for (int i = 0; i < WIDTHS; i++) {
		vldaa_rng rng = numbered_rng(20);
		vldaa_rng plain = numbered_rng(20);

		/* Calls of several lengths: where a call ends, the next one goes on. */
		for (size_t n = 0; n < 60; n += 7) {
			vldaa_mask_sample(sample, n, widths[i], &rng);
			for (size_t j = 0; j < n; j++)
				ck_assert_int_eq(sample[j], plain_mask(widths[i], &plain));
		}
		vldaa_mask_sample(sample, 5000, widths[i], &rng);
		for (size_t j = 0; j < 5000; j++) {
			if (sample[j] != plain_mask(widths[i], &plain))
				ck_abort_msg("sample %zu of width %d differs", j, i);
		}
		ck_assert_uint_eq(vldaa_rng_u64(&rng), vldaa_rng_u64(&plain));
	}
}
END_TEST

START_TEST(masks_of_small_width_have_the_exact_probabilities)
{
	for (int i = 0; widths[i] <= 100; i++) {
		vldaa_rng rng = numbered_rng((uint8_t)(30 + i));

		vldaa_mask_sample(sample, SAMPLES, widths[i], &rng);
		check_distribution(sample, SAMPLES, 4 * (double)widths[i]);
	}
}
END_TEST

/* P(value <= edge) for a discrete Gaussian so wide that its steps do not show. */
static double normal_below(double edge)
{
	return erfc(-edge / sqrt(2)) / 2;
}

START_TEST(masks_of_large_width_are_normal_in_600_bins)
{
	enum { BINS = 600 };
	double observed[BINS];
	double expected[BINS];

	for (int i = 0; i < WIDTHS; i++) {
		if (widths[i] <= 100)
			continue;
		const double deviation = 4 * (double)widths[i];
		vldaa_rng rng = numbered_rng((uint8_t)(40 + i));

		memset(observed, 0, sizeof observed);
		vldaa_mask_sample(sample, SAMPLES, widths[i], &rng);
		for (size_t j = 0; j < SAMPLES; j++) {
			/* Bins of a fiftieth of a deviation; the outermost hold the tails too. */
			const double bin = floor((double)sample[j] / deviation * 50) + BINS / 2;
			observed[(size_t)fmin(fmax(bin, 0), BINS - 1)]++;
		}
		for (int j = 0; j < BINS; j++) {
			/* The integers from the low edge on, up to below the high one. */
			const double low = ceil((j - BINS / 2) / 50.0 * deviation) - 0.5;
			const double high = ceil((j + 1 - BINS / 2) / 50.0 * deviation) - 0.5;
			const double below_low = j == 0 ? 0 : normal_below(low / deviation);
			const double below_high =
			    j == BINS - 1 ? 1 : normal_below(high / deviation);
			expected[j] = SAMPLES * (below_high - below_low);
		}
		const double deviate = chi_square_deviate(observed, expected, BINS);
		ck_assert_double_lt(deviate, suspicious);
		ck_assert_double_gt(deviate, -suspicious);
	}
}
END_TEST

START_TEST(masks_have_the_right_moments_and_tails)
{
	for (int i = 0; i < WIDTHS; i++) {
		const double deviation = 4 * (double)widths[i];
		vldaa_rng rng = numbered_rng((uint8_t)(50 + i));
		double sum = 0;
		double squares = 0;
		double largest = 0;
		double beyond = 0;

		vldaa_mask_sample(sample, SAMPLES, widths[i], &rng);
		for (size_t j = 0; j < SAMPLES; j++) {
			const double x = (double)sample[j] / deviation;
			sum += x;
			squares += x * x;
			largest = fmax(largest, fabs(x));
			beyond += fabs(x) > 3.5;
		}
		/* Deviations of the mean and of the mean square: 1 / sqrt(n), sqrt(2 / n). */
		ck_assert_double_lt(fabs(sum / SAMPLES), 4 / sqrt(SAMPLES));
		ck_assert_double_lt(fabs(squares / SAMPLES - 1), 4 * sqrt(2.0 / SAMPLES));
		/* The largest of 400,000 lies beyond 4.3 but with probability e^-6.8. */
		ck_assert_double_gt(largest, 4.3);
		ck_assert_double_lt(largest, 6.5);
		double due = 0;
		for (int64_t z = 1; widths[i] <= 100 && z < (int64_t)(10 * deviation); z++) {
			const double x = (double)z / deviation;
			due += x > 3.5 ? 2 * exp(-x * x / 2) / (deviation * sqrt(2 * acos(-1))) : 0;
		}
		if (widths[i] > 100)
			due = 2 * normal_below(-3.5);
		ck_assert_double_lt(fabs(beyond - SAMPLES * due), 4 * sqrt(SAMPLES * due));
	}
}
END_TEST

/* --- known answers: computed by a separate Python program from the documentation ---------------
 */

START_TEST(masks_never_change)
{
	static const char *const digests[WIDTHS] = {
	    "e15db0334f2fdf35e1215c2ade881f93", "5bf87e1c27493e9e6c573648cc9466c5",
	    "4051c30ac2afc6aa0ddb8e0e14419752", "13371e0924347bfd77a1cceacf3031b7",
	    "522d3e7648805753b331e0d74a042a07", "422d67259268ea1c120da9c3cc91294d",
	    "04cb81f0268cd745a15f12d16e57bc60", "b73774782e4f75eef755dd5d769e3bbc"};
	static const uint64_t next[WIDTHS] = {
	    0xfd77c8851328fb59, 0x5e67d3bf55b660a1, 0x4c4d0521a389374a, 0x85de3d5eb00b5271,
	    0xcc79040ba3236336, 0xc18aca8ef1e148f4, 0x9db51abb82a95a77, 0x2606bf3c510892dc};
	static const int64_t widest[4] = {-432593851920843, -329624523358823, -1150562971300465,
					  -92205360292738};
	char digest[33];

	for (int i = 0; i < WIDTHS; i++) {
		vldaa_rng rng = numbered_rng(7);

		vldaa_mask_sample(sample, 1000, widths[i], &rng);
		digest_values(digest, sample, 1000);
		ck_assert_str_eq(digest, digests[i]);
		ck_assert_uint_eq(vldaa_rng_u64(&rng), next[i]);
	}
	ck_assert_mem_eq(sample, widest, sizeof widest);
}
END_TEST

/* These above all: another value here is another error for a pseudonym, which gives its key away.
 */
START_TEST(small_gaussians_never_change)
{
	static const char *const digests[3] = {"5da4c89291b93a122cf0eaac63e5111b",
					       "e384a2a5a3d2e9a69e065f26d670ff53",
					       "958f0716b1337ad2bbe05b4e5cd93f82"};
	char digest[33];

	for (int i = 0; i < 3; i++) {
		vldaa_rng rng = numbered_rng(8);

		vldaa_cdt_sample(sample, 1000, &sets[i]->error, &rng);
		digest_values(digest, sample, 1000);
		ck_assert_str_eq(digest, digests[i]);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("integer Gaussians");
	TCase *tc = tcase_create("integer Gaussians");
	SRunner *sr = srunner_create(s);

	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, the_base_table_is_its_formula);
	tcase_add_test(tc, the_exponentials_constants_are_their_formulas);
	tcase_add_test(tc, the_exponential_is_within_its_error);
	tcase_add_test(tc, the_exponential_of_zero_is_one_and_of_large_numbers_zero);
	tcase_add_test(tc, a_small_gaussian_counts_the_entries_above_its_word);
	tcase_add_test(tc, small_gaussians_have_the_exact_probabilities);
	tcase_add_test(tc, masks_follow_the_documented_stream);
	tcase_add_test(tc, masks_of_small_width_have_the_exact_probabilities);
	tcase_add_test(tc, masks_of_large_width_are_normal_in_600_bins);
	tcase_add_test(tc, masks_have_the_right_moments_and_tails);
	tcase_add_test(tc, masks_never_change);
	tcase_add_test(tc, small_gaussians_never_change);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
