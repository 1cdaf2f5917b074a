/*
 * Promises: a duration is a whole number with one unit, or 0, nothing else, and never overflows.
 */
#include <check.h>
#include <stdlib.h>

#include "duration.h"

START_TEST(every_unit_has_its_seconds)
{
	static const struct {
		const char *text;
		int64_t seconds;
	} cases[] = {
	    {"0", 0},       {"7s", 7},        {"45s", 45},     {"30m", 1800},
	    {"12h", 43200}, {"90d", 7776000}, {"2w", 1209600}, {"366000d", INT64_C(31622400000)}};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		int64_t seconds = -1;

		ck_assert_msg(vldaa_duration_parse(&seconds, cases[i].text) == 0, "%s",
			      cases[i].text);
		ck_assert_int_eq(seconds, cases[i].seconds);
	}
}
END_TEST

START_TEST(everything_else_is_refused)
{
	static const char *const cases[] = {
	    "",    "7",    "30", "d",       "-1d",    "1y",  "1dd",
	    "1 d", "1.5h", "+1", "366001d", "52286w", "0x5", "99999999999999999999999d"};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		int64_t seconds = 5;

		ck_assert_msg(vldaa_duration_parse(&seconds, cases[i]) == -1, "%s", cases[i]);
		ck_assert_int_eq(seconds, 5);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("durations");
	TCase *tc = tcase_create("parsing");
	SRunner *sr = srunner_create(s);

	tcase_add_test(tc, every_unit_has_its_seconds);
	tcase_add_test(tc, everything_else_is_refused);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
