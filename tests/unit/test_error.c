/*
 * Promises: every code has a name, a text and a class; the classes tell "no" from "no answer".
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "vldaa/error.h"

START_TEST(known_codes_have_a_name_and_a_text)
{
	int known = 0;

	for (int code = 0; code > -100; code--) {
		if (strcmp(vldaa_error_name(code), "UNKNOWN") == 0)
			continue;
		known++;
		ck_assert_uint_gt(strlen(vldaa_error_text(code)), 5);
	}
	ck_assert_int_eq(known, 51);
}
END_TEST

START_TEST(classes_tell_no_from_no_answer)
{
	ck_assert_int_eq(vldaa_error_class(VLDAA_OK), VLDAA_CLASS_OK);
	ck_assert_int_eq(vldaa_error_class(VLDAA_ERR_PROOF), VLDAA_CLASS_INVALID);
	ck_assert_int_eq(vldaa_error_class(VLDAA_ERR_BASENAME), VLDAA_CLASS_USAGE);
	ck_assert_int_eq(vldaa_error_class(VLDAA_ERR_RANDOM), VLDAA_CLASS_FAILED);
	ck_assert_int_eq(vldaa_error_class(12345), VLDAA_CLASS_FAILED);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("error codes");
	TCase *tc = tcase_create("error codes");
	SRunner *sr = srunner_create(s);

	tcase_add_test(tc, known_codes_have_a_name_and_a_text);
	tcase_add_test(tc, classes_tell_no_from_no_answer);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
