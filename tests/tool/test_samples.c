/*
 * Promises: the median of an even number of samples is between the middle two; p99 is the least
 * sample that 99 of 100 do not exceed; no samples are no error; room is never exceeded.
 */
#include <check.h>
#include <stdlib.h>

#include "bench/samples.h"
#include "vldaa/error.h"

static vldaa_samples samples_of(const double *values, size_t count)
{
	vldaa_samples s;

	ck_assert_int_eq(vldaa_samples_init(&s, count), VLDAA_OK);
	for (size_t i = 0; i < count; i++)
		s.ns[s.count++] = values[i];
	return s;
}

START_TEST(the_median_is_the_middle_whatever_the_order)
{
	const double odd[] = {9, 1, 5}, even[] = {8, 1, 2, 4};
	vldaa_samples s = samples_of(odd, 3);

	ck_assert(vldaa_samples_summary(&s).median == 5);
	ck_assert(vldaa_samples_summary(&s).mean == 5);
	vldaa_samples_free(&s);
	s = samples_of(even, 4);
	ck_assert(vldaa_samples_summary(&s).median == 3);
	ck_assert(vldaa_samples_summary(&s).mean == 3.75);
	vldaa_samples_free(&s);
}
END_TEST

START_TEST(p99_is_the_nearest_rank)
{
	static const struct {
		size_t count;
		double p99;
	} cases[] = {{1, 1}, {2, 2}, {99, 99}, {100, 99}, {101, 100}, {200, 198}, {201, 199}};

	for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
		double values[256];
		vldaa_samples s;

		for (size_t i = 0; i < cases[k].count; i++)
			values[i] = (double)(cases[k].count - i);
		s = samples_of(values, cases[k].count);
		ck_assert(vldaa_samples_summary(&s).p99 == cases[k].p99);
		vldaa_samples_free(&s);
	}
}
END_TEST

START_TEST(nothing_measured_is_zero_and_room_is_kept)
{
	vldaa_samples s = samples_of(NULL, 0);
	vldaa_sample_summary none = vldaa_samples_summary(&s);

	ck_assert(none.median == 0 && none.p99 == 0 && none.mean == 0);
	vldaa_samples_add_since(&s, vldaa_bench_now());
	ck_assert_uint_eq(s.count, 0);
	vldaa_samples_free(&s);
	ck_assert_int_eq(vldaa_samples_init(&s, 2), VLDAA_OK);
	for (int i = 0; i < 3; i++)
		vldaa_samples_add_since(&s, vldaa_bench_now());
	ck_assert_uint_eq(s.count, 2);
	ck_assert(s.ns[0] >= 0 && s.ns[1] >= 0);
	vldaa_samples_free(&s);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("samples");
	TCase *tc = tcase_create("summary");
	SRunner *sr = srunner_create(s);

	tcase_add_test(tc, the_median_is_the_middle_whatever_the_order);
	tcase_add_test(tc, p99_is_the_nearest_rank);
	tcase_add_test(tc, nothing_measured_is_zero_and_room_is_kept);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
