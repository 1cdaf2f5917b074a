/*
 * Promises of vldaa/default_basename.h: a text is the basename, or a period of which each has a
 * basename of its own; what is neither is refused.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "vldaa/default_basename.h"

static int try_read(const char *text, size_t len)
{
	static const vldaa_default_basename none;
	vldaa_default_basename p;
	int err;

	memset(&p, 1, sizeof p);
	err = vldaa_default_basename_read(&p, (const uint8_t *)text, len);
	if (err != VLDAA_OK)
		ck_assert_mem_eq(&p, &none, sizeof p);
	return err;
}

static void assert_at(const char *text, int64_t now, const char *expected)
{
	vldaa_default_basename p;
	uint8_t basename[VLDAA_MAX_BASENAME];
	size_t len = 0;

	ck_assert_int_eq(vldaa_default_basename_read(&p, (const uint8_t *)text, strlen(text)),
			 VLDAA_OK);
	ck_assert_int_eq(vldaa_default_basename_at(&p, now, basename, &len), VLDAA_OK);
	ck_assert_uint_eq(len, strlen(expected));
	ck_assert_mem_eq(basename, expected, len);
}

START_TEST(a_text_is_the_basename_at_any_time)
{
	char longest[VLDAA_MAX_BASENAME + 1];

	assert_at("platoon-7", 0, "platoon-7");
	assert_at("platoon-7", 1700000000, "platoon-7");
	assert_at("e", 5, "e");
	assert_at("epoch", 5, "epoch");
	memset(longest, 'x', VLDAA_MAX_BASENAME);
	longest[VLDAA_MAX_BASENAME] = '\0';
	assert_at(longest, 5, longest);
}
END_TEST

START_TEST(a_period_has_one_basename_from_its_first_to_its_last_second)
{
	assert_at("epoch:3600", 7200, "epoch:3600:7200");
	assert_at("epoch:3600", 10799, "epoch:3600:7200");
	assert_at("epoch:3600", 10800, "epoch:3600:10800");
	assert_at("ePOch:3600", 10800, "epoch:3600:10800");
	assert_at("epoch:1", 1700000001, "epoch:1:1700000001");
	assert_at("epoch:86400", 5, "epoch:86400:0");
	assert_at("epoch:86400", -5, "epoch:86400:0");
	assert_at("epoch:9999999999", 1700000000, "epoch:9999999999:0");
	assert_at("epoch:1", INT64_MAX, "epoch:1:9223372036854775807");
}
END_TEST

START_TEST(what_is_neither_is_refused)
{
	static const char *const wrong[] = {
	    "epoch:",    "epoch:0",  "Epoch:0",   "epoch:01", "epoch:-1",
	    "epoch:1s",  "epoch: 1", "epoch:1:0", "epoch:+1", "epoch:10000000000",
	    "epoch:1e3", "epoch::",  "epoch:0x10"};
	char longer[VLDAA_MAX_BASENAME + 1];

	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
		ck_assert_msg(try_read(wrong[i], strlen(wrong[i])) == VLDAA_ERR_BASENAME, "%s",
			      wrong[i]);
	memset(longer, 'x', sizeof longer);
	ck_assert_int_eq(try_read(longer, sizeof longer), VLDAA_ERR_BASENAME);
	ck_assert_int_eq(try_read(longer, sizeof longer - 1), VLDAA_OK);
	ck_assert_int_eq(try_read("a\0b", 3), VLDAA_ERR_BASENAME);
	ck_assert_int_eq(try_read("epoch:1\0", 8), VLDAA_ERR_BASENAME);
	ck_assert_int_eq(try_read(NULL, 1), VLDAA_ERR_ARGUMENT);
}
END_TEST

START_TEST(no_text_is_no_default)
{
	vldaa_default_basename p;
	uint8_t basename[VLDAA_MAX_BASENAME];
	size_t len = 1;

	ck_assert_int_eq(vldaa_default_basename_read(&p, NULL, 0), VLDAA_OK);
	ck_assert_uint_eq(p.len, 0);
	ck_assert_int_eq(vldaa_default_basename_at(&p, 5, basename, &len), VLDAA_ERR_BASENAME);
	ck_assert_uint_eq(len, 0);
	ck_assert_int_eq(vldaa_default_basename_read(NULL, NULL, 0), VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_default_basename_at(NULL, 5, basename, &len), VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_default_basename_at(&p, 5, NULL, &len), VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_default_basename_at(&p, 5, basename, NULL), VLDAA_ERR_ARGUMENT);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("default basename");
	TCase *tc = tcase_create("texts");
	SRunner *sr = srunner_create(s);

	tcase_add_test(tc, a_text_is_the_basename_at_any_time);
	tcase_add_test(tc, a_period_has_one_basename_from_its_first_to_its_last_second);
	tcase_add_test(tc, what_is_neither_is_refused);
	tcase_add_test(tc, no_text_is_no_default);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
