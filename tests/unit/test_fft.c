/*
 * Promises: the roots of unity are correctly rounded; the transform is evaluation at the roots of
 * X^n+1 in the documented order, within the documented error; the inverse undoes it; products of
 * transforms are products modulo X^n+1; halving gives the transforms of the even and odd
 * coefficients.
 *
 * Everything is compared with long doubles (64 bits of mantissa) and angles counted in integers.
 */
#include <check.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sampler/fft.h"

enum { MAX = 1 << VLDAA_FFT_MAX_LOG };

/* Angles are multiples of pi / MAX; the functions are called below pi / 4 only, where their
 * relative error is that of a long double. */
static long double cosine(uint32_t angle)
{
	const long double unit = acosl(-1.0L) / MAX;

	angle %= 2 * MAX;
	if (angle > MAX)
		angle = 2 * MAX - angle;
	if (angle > MAX / 2)
		return -cosine(MAX - angle);
	return angle > MAX / 4 ? sinl(unit * (MAX / 2 - angle)) : cosl(unit * angle);
}

static long double sine(uint32_t angle)
{
	return cosine(angle % (2 * MAX) + 2 * MAX - MAX / 2);
}

/* The angle of the root at place k of n/2, from the definition: the root of the half-sized ring at
 * place k / 2 is its square, and even places have the principal root. */
static uint32_t root_angle(unsigned log_n, uint32_t k)
{
	if (log_n == 1)
		return MAX / 2;
	return root_angle(log_n - 1, k / 2) / 2 + (k % 2) * MAX;
}

/* Reproducible coefficients in [-bound, bound]. */
static void fill(double *a, size_t n, int bound, uint64_t seed)
{
	uint64_t x = seed * 2 + 1;

	for (size_t i = 0; i < n; i++) {
		x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		a[i] = (double)((int)((x >> 33) % (uint64_t)(2 * bound + 1)) - bound);
	}
}

static void evaluate(long double *re, long double *im, const double *a, unsigned log_n, uint32_t k)
{
	uint32_t angle = root_angle(log_n, k);

	*re = *im = 0.0L;
	for (uint32_t j = 0; j < 1u << log_n; j++) {
		*re += (long double)a[j] * cosine(angle * j);
		*im += (long double)a[j] * sine(angle * j);
	}
}

/* Half a unit in the last place of x, plus the long double's own error. */
static long double half_ulp(double x)
{
	return ldexpl(1.0L, ilogb(x) - 53) * 1.01L;
}

START_TEST(roots_are_correctly_rounded)
{
	for (uint32_t h = 1; h < VLDAA_FFT_ROOTS; h++) {
		uint32_t level = 1;
		unsigned log_n = 2; /* index n/4 + k is the root at place 2k */

		while (2 * level <= h) {
			level *= 2;
			log_n++;
		}
		uint32_t angle = root_angle(log_n, 2 * (h - level));
		const double *w = vldaa_fft_roots[h];

		ck_assert_ldouble_le(fabsl((long double)w[0] - cosine(angle)), half_ulp(w[0]));
		ck_assert_ldouble_le(fabsl((long double)w[1] - sine(angle)), half_ulp(w[1]));
	}
}
END_TEST

START_TEST(transform_is_evaluation_at_the_roots)
{
	for (unsigned log_n = 1; log_n <= VLDAA_FFT_MAX_LOG; log_n++) {
		const size_t n = (size_t)1 << log_n;
		double a[MAX], t[MAX];
		long double error = 0.0L, norm = 0.0L;

		fill(a, n, 1000, log_n);
		memcpy(t, a, sizeof t);
		vldaa_fft_forward(t, log_n);
		for (uint32_t k = 0; k < n / 2; k++) {
			long double re, im;

			evaluate(&re, &im, a, log_n, k);
			norm += re * re + im * im;
			error += (re - t[k]) * (re - t[k]);
			error += (im - t[k + n / 2]) * (im - t[k + n / 2]);
		}
		ck_assert_ldouble_le(sqrtl(error), log_n * powl(2.0L, -50.3L) * sqrtl(norm));
	}
}
END_TEST

START_TEST(a_constant_is_its_own_transform)
{
	double a[1] = {-17.25}, b[1] = {2.0}, out[1] = {1.0};

	vldaa_fft_forward(a, 0);
	ck_assert_double_eq(a[0], -17.25);
	vldaa_fft_mul_add(out, a, b, 0);
	ck_assert_double_eq(out[0], -33.5);
}
END_TEST

START_TEST(inverse_undoes_the_transform)
{
	for (unsigned log_n = 1; log_n <= VLDAA_FFT_MAX_LOG; log_n++) {
		const size_t n = (size_t)1 << log_n;
		double a[MAX], t[MAX];

		fill(a, n, 1000000, 100 + log_n);
		memcpy(t, a, sizeof t);
		vldaa_fft_forward(t, log_n);
		vldaa_fft_inverse(t, log_n);
		for (size_t j = 0; j < n; j++)
			ck_assert_double_le(fabs(t[j] - a[j]), 1e6 * 0x1p-44);
	}
}
END_TEST

START_TEST(products_are_negacyclic)
{
	for (unsigned log_n = 1; log_n <= VLDAA_FFT_MAX_LOG; log_n++) {
		const size_t n = (size_t)1 << log_n;
		double a[MAX], b[MAX], sum[MAX], expected[MAX];

		fill(a, n, 1000, 200 + log_n);
		fill(b, n, 1000, 300 + log_n);
		fill(sum, n, 1000, 400 + log_n);
		memcpy(expected, sum, sizeof expected);
		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; j < n; j++)
				expected[(i + j) % n] += (i + j < n ? 1.0 : -1.0) * a[i] * b[j];
		vldaa_fft_forward(a, log_n);
		vldaa_fft_forward(b, log_n);
		vldaa_fft_forward(sum, log_n);
		vldaa_fft_mul_add(sum, a, b, log_n);
		vldaa_fft_inverse(sum, log_n);
		for (size_t j = 0; j < n; j++)
			ck_assert_double_eq(nearbyint(sum[j]), expected[j]);
	}
}
END_TEST

START_TEST(halving_gives_even_and_odd_coefficients)
{
	for (unsigned log_n = 1; log_n <= VLDAA_FFT_MAX_LOG; log_n++) {
		const size_t n = (size_t)1 << log_n, half = n / 2;
		double a[MAX], even[MAX / 2], odd[MAX / 2];
		double split_even[MAX / 2], split_odd[MAX / 2], merged[MAX];

		fill(a, n, 1000, 500 + log_n);
		for (size_t j = 0; j < half; j++) {
			even[j] = a[2 * j];
			odd[j] = a[2 * j + 1];
		}
		vldaa_fft_forward(a, log_n);
		vldaa_fft_forward(even, log_n - 1);
		vldaa_fft_forward(odd, log_n - 1);
		vldaa_fft_split(split_even, split_odd, a, log_n);
		vldaa_fft_merge(merged, even, odd, log_n);
		for (size_t j = 0; j < half; j++) {
			ck_assert_double_le(fabs(split_even[j] - even[j]), 1e6 * 0x1p-46);
			ck_assert_double_le(fabs(split_odd[j] - odd[j]), 1e6 * 0x1p-46);
		}
		for (size_t j = 0; j < n; j++)
			ck_assert_double_le(fabs(merged[j] - a[j]), 1e6 * 0x1p-46);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("Fourier transform");
	TCase *tc = tcase_create("Fourier transform");
	SRunner *sr = srunner_create(s);

	tcase_add_test(tc, roots_are_correctly_rounded);
	tcase_add_test(tc, transform_is_evaluation_at_the_roots);
	tcase_add_test(tc, a_constant_is_its_own_transform);
	tcase_add_test(tc, inverse_undoes_the_transform);
	tcase_add_test(tc, products_are_negacyclic);
	tcase_add_test(tc, halving_gives_even_and_odd_coefficients);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
