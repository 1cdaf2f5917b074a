/*
 * Promises: SampleZ has the discrete Gaussian's distribution for every deviation and centre (mean,
 * variance, chi-square over the whole range and of the lowest bits, tails); a deviation drawn
 * within a wider range has the same distribution, and the number of attempts depends on the range
 * only; streams are known answers.
 *
 * Seeds are fixed.  Bounds are five standard deviations of the statistic.  With the environment
 * variable VLDAA_LONG_STATISTICS=1 there are 40 times as many samples, for errors six times as
 * small.
 */
#include <check.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sampler/sample_z.h"

enum { SAMPLES = 100000, LONG_FACTOR = 40, CELLS = 24, SIGMAS = 5 };

static const double deviations[] = {1.0, 1.5, 5.3, 142.9, 0x1p20, 0x1p31};
static const double centres[] = {0.0, 0.5, -0.25, 1e6 + 0.3, -0x1p40 - 0.7};

static size_t samples(void)
{
	const char *long_run = getenv("VLDAA_LONG_STATISTICS");

	return long_run != NULL && strcmp(long_run, "1") == 0 ? (size_t)SAMPLES * LONG_FACTOR
							      : SAMPLES;
}

static void seed_rng(vldaa_rng *rng, uint8_t seed)
{
	uint8_t bytes[VLDAA_SEED_BYTES] = {seed};

	vldaa_rng_init(rng, bytes, 0);
}

/* P(z <= floor(c) + k) for D_{Z, s, c}, f = c - floor(c): by summation for small s, else by the
 * normal distribution function with the correction for continuity, whose error is below 1 / (24
 * s^2) here. */
static double cumulative(double s, double f, double k)
{
	double sum = 0.0, total = 0.0;

	if (s > 1000.0)
		return 0.5 * erfc(-(k + 0.5 - f) / (s * sqrt(2.0)));
	for (double z = ceil(-12.0 * s); z <= 12.0 * s + 1.0; z += 1.0) {
		double weight = exp(-(z - f) * (z - f) / (2.0 * s * s));

		total += weight;
		sum += z <= k ? weight : 0.0;
	}
	return sum / total;
}

/* CELLS + 2 cells between multiples of the deviation, from -4 s to 4 s, tails included.  Returns
 * how many deviations of its own chi-square is above its mean. */
static double chi_square_excess(const size_t *count, const double *edge, double s, double f,
				size_t n)
{
	double chi2 = 0.0, before = 0.0;
	int degrees = -1;

	for (int i = 0; i < CELLS + 2; i++) {
		double upto = i < CELLS + 1 ? cumulative(s, f, edge[i]) : 1.0;
		double expected = (upto - before) * (double)n;

		before = upto;
		if (expected < 1e-9) {
			ck_assert_uint_eq(count[i], 0);
			continue;
		}
		chi2 += ((double)count[i] - expected) * ((double)count[i] - expected) / expected;
		degrees++;
	}
	return (chi2 - degrees) / sqrt(2.0 * degrees);
}

static void check_distribution(const vldaa_sample_z *z, double s, double c, uint8_t seed)
{
	const size_t n = samples();
	const double floor_c = floor(c), f = c - floor_c;
	double edge[CELLS + 1], sum = 0.0, squares = 0.0;
	size_t count[CELLS + 2] = {0}, low_bits[8] = {0};
	vldaa_rng rng;

	seed_rng(&rng, seed);
	for (int i = 0; i <= CELLS; i++)
		edge[i] = floor(f + s * (8.0 * i / CELLS - 4.0));
	for (size_t j = 0; j < n; j++) {
		int64_t x = vldaa_sample_z_draw(z, c, &rng);
		double k = (double)(x - (int64_t)floor_c);
		int cell = 0;

		while (cell <= CELLS && k > edge[cell])
			cell++;
		count[cell]++;
		low_bits[(uint64_t)x % 8]++;
		sum += k - f;
		squares += (k - f) * (k - f);
	}
	double mean = sum / (double)n, variance = squares / (double)n;

	/* Poisson summation: for s >= 1 the exact values differ from 0 and s^2 by less than 1e-6.
	 */
	ck_assert_double_le(fabs(mean), SIGMAS * s / sqrt((double)n));
	ck_assert_double_le(fabs(variance / (s * s) - 1.0), SIGMAS * sqrt(2.0 / (double)n));
	ck_assert_double_le(chi_square_excess(count, edge, s, f, n), SIGMAS);
	if (s > 100.0) {
		double chi2 = 0.0, expected = (double)n / 8.0;

		for (int i = 0; i < 8; i++)
			chi2 += ((double)low_bits[i] - expected) *
				((double)low_bits[i] - expected) / expected;
		ck_assert_double_le((chi2 - 7.0) / sqrt(14.0), SIGMAS);
	}
}

START_TEST(samples_have_the_discrete_gaussian_distribution)
{
	const double s = deviations[_i];
	vldaa_sample_z z;

	vldaa_sample_z_init(&z, s);
	for (size_t j = 0; j < sizeof centres / sizeof centres[0]; j++)
		check_distribution(&z, s, centres[j], (uint8_t)(10 * _i + (int)j));
}
END_TEST

START_TEST(small_deviations_have_every_integer_with_its_weight)
{
	const double s = 1.0, c = 0.3;
	const size_t n = samples();
	size_t count[9] = {0};
	vldaa_sample_z z;
	vldaa_rng rng;

	vldaa_sample_z_init(&z, s);
	seed_rng(&rng, 90);
	for (size_t j = 0; j < n; j++) {
		int64_t x = vldaa_sample_z_draw(&z, c, &rng);

		if (x >= -4 && x <= 4)
			count[x + 4]++;
	}
	for (int x = -4; x <= 4; x++) {
		double p = cumulative(s, c, x) - cumulative(s, c, x - 1);
		double error = (double)count[x + 4] - p * (double)n;

		/* The last term is for the tails, where counts are Poisson, not normal. */
		ck_assert_double_le(fabs(error), SIGMAS * sqrt(p * (double)n) + 3.0);
	}
}
END_TEST

START_TEST(a_deviation_within_a_range_has_its_own_distribution)
{
	static const double s[][3] = {
	    {0.75, 1.0, 0.70710678}, {1.0, 1.0, 0.5}, {0.5, 1.0, 0.5}}; /* s, max, min */

	for (int i = 0; i < 3; i++) {
		for (int scale = 3; scale <= 21; scale += 9) {
			vldaa_sample_z z;
			double unit = ldexp(1.1, scale);

			vldaa_sample_z_init_within(&z, s[i][0] * unit, s[i][2] * unit,
						   s[i][1] * unit);
			check_distribution(&z, s[i][0] * unit, -17.7, (uint8_t)(100 + scale + i));
		}
	}
}
END_TEST

/* How many attempts n draws take, from how far the stream went: an attempt reads four words. */
static double attempts_per_draw(const vldaa_sample_z *z, double c, size_t n, uint8_t seed)
{
	vldaa_rng rng, reference;
	size_t words = 0;

	seed_rng(&rng, seed);
	seed_rng(&reference, seed);
	for (size_t j = 0; j < n; j++)
		vldaa_sample_z_draw(z, c, &rng);
	const uint64_t next = vldaa_rng_u64(&rng);
	while (vldaa_rng_u64(&reference) != next)
		words++;
	ck_assert_uint_eq(words % 4, 0);
	return (double)words / 4.0 / (double)n;
}

START_TEST(attempts_depend_on_the_range_alone)
{
	const double max = 1e6, min = 1e6 / sqrt(2.0);
	static const double centre[] = {0.0, 0.5, -123456.75, 0x1p40 + 0.99};
	const size_t n = samples();
	double base = 0.0;

	for (int x = 0; x < 50; x++)
		base += exp(-x * x / 32.0);
	const double success = sqrt(2.0 * acos(-1.0)) * min / (2.0 * (max / 4.0) * base);
	/* The number of attempts is geometric. */
	const double bound = SIGMAS * sqrt((1.0 - success) / (double)n) / success;

	for (int i = 0; i <= 4; i++) {
		vldaa_sample_z z;

		vldaa_sample_z_init_within(&z, min + (max - min) * i / 4, min, max);
		for (int j = 0; j < 4; j++) {
			double mean =
			    attempts_per_draw(&z, centre[j], n, (uint8_t)(150 + 4 * i + j));

			ck_assert_double_le(fabs(mean - 1.0 / success), bound);
		}
	}
}
END_TEST

START_TEST(no_deviation_needs_many_attempts)
{
	static const double worst[] = {1.0, 4.0001, 8.0001, 12.5, 1000.0, 0x1p32};
	static const double bound[] = {4.5, 2.3, 1.8, 1.5, 1.13, 1.12};

	for (int i = 0; i < 6; i++) {
		vldaa_sample_z z;

		vldaa_sample_z_init(&z, worst[i]);
		ck_assert_double_le(attempts_per_draw(&z, 0.25, 20000, 7), bound[i]);
	}
}
END_TEST

/* Frozen: made by this program, the same with gcc 12 and clang 14, -O0 and -O3. */
START_TEST(streams_are_known_answers)
{
	static const int64_t expected[6][4] = {
	    {1, -2, 1000000, -1099511627777},
	    {1, -2, 1000000, -1099511627777},
	    {9, -7, 999996, -1099511627776},
	    {151, 279, 999891, -1099511627537},
	    {1096547, 2038339, 203880, -1099509882819},
	    {2245727933, 4174520173, -1629455802, -1095937954427}};

	for (int i = 0; i < 6; i++) {
		vldaa_sample_z z;
		vldaa_rng rng;

		vldaa_sample_z_init(&z, deviations[i]);
		seed_rng(&rng, 200);
		for (int j = 0; j < 4; j++) {
			int64_t got = vldaa_sample_z_draw(&z, centres[j + 1], &rng);

			ck_assert_int_eq(got, expected[i][j]);
		}
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("SampleZ");
	TCase *tc = tcase_create("SampleZ");
	SRunner *sr = srunner_create(s);

	tcase_set_timeout(tc, 600);
	tcase_add_loop_test(tc, samples_have_the_discrete_gaussian_distribution, 0, 6);
	tcase_add_test(tc, small_deviations_have_every_integer_with_its_weight);
	tcase_add_test(tc, a_deviation_within_a_range_has_its_own_distribution);
	tcase_add_test(tc, attempts_depend_on_the_range_alone);
	tcase_add_test(tc, no_deviation_needs_many_attempts);
	tcase_add_test(tc, streams_are_known_answers);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
