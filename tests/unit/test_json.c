/*
 * Promises of the tests' own JSON reader: it finds what is there, and takes nothing that is not
 * JSON, so that a damaged vector file cannot pass as a short one.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../support/json.h"

static json *parse(const char *text)
{
	return json_parse(text, strlen(text));
}

START_TEST(values_are_found_where_they_are)
{
	json *j =
	    parse(" {\"a\": [1, -20, 9007199254740993], \"b\":{\"c\":\"x\\n\\\"\\\\\\/\"},\n"
		  "\t\"d\": true,\"e\":false, \"f\":null, \"g\":[], \"h\":{}, \"i\": \"\"}\r\n");

	ck_assert_ptr_nonnull(j);
	ck_assert_uint_eq(json_count(j), 8);
	ck_assert_uint_eq(json_count(json_get(j, "a")), 3);
	ck_assert_int_eq(json_integer(json_at(json_get(j, "a"), 0)), 1);
	ck_assert_int_eq(json_integer(json_at(json_get(j, "a"), 1)), -20);
	ck_assert_int_eq(json_integer(json_at(json_get(j, "a"), 2)), 9007199254740993);
	ck_assert_str_eq(json_string(json_get(json_get(j, "b"), "c")), "x\n\"\\/");
	ck_assert_int_eq(json_boolean(json_get(j, "d")), 1);
	ck_assert_int_eq(json_boolean(json_get(j, "e")), 0);
	ck_assert_int_eq(json_is_null(json_get(j, "f")), 1);
	ck_assert_int_eq(json_is_null(json_get(j, "e")), 0);
	ck_assert_uint_eq(json_count(json_get(j, "g")), 0);
	ck_assert_uint_eq(json_count(json_get(j, "h")), 0);
	ck_assert_str_eq(json_string(json_get(j, "i")), "");
	ck_assert_int_eq(json_has(j, "i"), 1);
	ck_assert_int_eq(json_has(j, "c"), 0);
	json_free(j);
}
END_TEST

START_TEST(hexadecimal_strings_are_bytes)
{
	json *j = parse("[\"00ff1a\", \"\"]");
	const uint8_t expected[] = {0x00, 0xff, 0x1a};
	uint8_t exact[3];
	size_t len;
	uint8_t *bytes = json_bytes(json_at(j, 0), &len);

	ck_assert_uint_eq(len, sizeof expected);
	ck_assert_mem_eq(bytes, expected, sizeof expected);
	free(bytes);
	json_exact_bytes(json_at(j, 0), exact, sizeof exact);
	ck_assert_mem_eq(exact, expected, sizeof expected);
	bytes = json_bytes(json_at(j, 1), &len);
	ck_assert_uint_eq(len, 0);
	free(bytes);
	json_free(j);
}
END_TEST

static const char *const refused[] = {
    "",
    " ",
    "{",
    "[1",
    "[1,]",
    "[1 2]",
    "[,1]",
    "{\"a\"}",
    "{\"a\":}",
    "{\"a\":1,}",
    "{a:1}",
    "{\"a\":1,\"a\":2}",
    "[1]]",
    "[1] x",
    "\"abc",
    "\"a\nb\"",
    "\"\\x\"",
    "\"\\",
    "\"\\u0041\"",
    "\"\xc3\xa9\"",
    "01",
    "-",
    "+1",
    "1.5",
    "1e3",
    "99999999999999999999",
    "tru",
    "truee",
    "nul",
    "'a'",
    "[1}",
    "[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]",
};

START_TEST(what_is_not_json_is_refused)
{
	ck_assert_msg(parse(refused[_i]) == NULL, "taken: %s", refused[_i]);
}
END_TEST

START_TEST(every_shortened_text_is_refused)
{
	static const char text[] = "{\"a\": [1, true, \"x\\n\"], \"b\": null}";

	for (size_t len = 0; len < sizeof text - 1; len++)
		ck_assert_ptr_null(json_parse(text, len));
}
END_TEST

int main(void)
{
	Suite *s = suite_create("json");
	TCase *tc = tcase_create("reader");
	SRunner *sr = srunner_create(s);

	tcase_add_test(tc, values_are_found_where_they_are);
	tcase_add_test(tc, hexadecimal_strings_are_bytes);
	tcase_add_loop_test(tc, what_is_not_json_is_refused, 0,
			    (int)(sizeof refused / sizeof refused[0]));
	tcase_add_test(tc, every_shortened_text_is_refused);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
