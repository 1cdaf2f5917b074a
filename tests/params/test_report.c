/*
 * Promises: --json output is JSON, whatever the strings in it; a report counts the verdicts that
 * fail; text keeps within 100 columns where sentences are wrapped.
 */
#include "family.h"
#include "report.h"

#include <check.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* --- a strict reader of JSON: the end of one value, or NULL --------------------------------------
 */

static const char *skip(const char *p)
{
	while (*p != '\0' && strchr(" \n\t\r", *p) != NULL)
		p++;
	return p;
}

static const char *json_text(const char *p)
{
	if (*p++ != '"')
		return NULL;
	for (; *p != '"'; p++) {
		if ((unsigned char)*p < 0x20)
			return NULL;
		if (*p != '\\')
			continue;
		p++;
		if (*p == 'u') {
			for (int i = 0; i < 4; i++)
				if (!isxdigit((unsigned char)*++p))
					return NULL;
		} else if (*p == '\0' || strchr("\"\\/bfnrt", *p) == NULL) {
			return NULL;
		}
	}
	return p + 1;
}

static const char *json_number(const char *p)
{
	char *end;
	if (*p != '-' && !isdigit((unsigned char)*p))
		return NULL;
	(void)strtod(p, &end);
	return end == p ? NULL : end;
}

static const char *json_value(const char *p, int depth);

static const char *json_items(const char *p, char close, int depth)
{
	p = skip(p + 1);
	if (*p == close)
		return p + 1;
	for (;;) {
		if (close == '}') {
			p = json_text(p);
			if (p == NULL || *(p = skip(p)) != ':')
				return NULL;
			p++;
		}
		p = json_value(p, depth + 1);
		if (p == NULL)
			return NULL;
		p = skip(p);
		if (*p == close)
			return p + 1;
		if (*p != ',')
			return NULL;
		p = skip(p + 1);
	}
}

static const char *json_value(const char *p, int depth)
{
	p = skip(p);
	if (depth > 10)
		return NULL;
	if (*p == '{')
		return json_items(p, '}', depth);
	if (*p == '[')
		return json_items(p, ']', depth);
	if (*p == '"')
		return json_text(p);
	if (strncmp(p, "true", 4) == 0)
		return p + 4;
	if (strncmp(p, "false", 5) == 0)
		return p + 5;
	return json_number(p);
}

static int is_json(const char *text)
{
	const char *end = json_value(text, 0);
	return end != NULL && *skip(end) == '\0';
}

START_TEST(the_reader_tells_json_from_what_is_not)
{
	ck_assert(is_json("{\"a\": [1, -2.5e3, \"x\\u000a\\\"\", true], \"b\": {}}\n"));
	ck_assert(!is_json("{\"a\": 1,}"));
	ck_assert(!is_json("{\"a\" 1}"));
	ck_assert(!is_json("[1 2]"));
	ck_assert(!is_json("[1] 2"));
	ck_assert(!is_json("[inf]"));
	ck_assert(!is_json("[\"a\nb\"]"));
}
END_TEST

/* --- reports -------------------------------------------------------------------------------------
 */

/* What `fill` writes; the caller frees it. */
static char *written(void (*fill)(vldaa_report *report), int json, int *failed)
{
	char *text = NULL;
	size_t size = 0;
	FILE *file = open_memstream(&text, &size);
	ck_assert_ptr_nonnull(file);
	vldaa_report report;
	vldaa_report_init(&report, file, json);
	fill(&report);
	ck_assert_int_eq(vldaa_report_finish(&report), 0);
	if (failed != NULL)
		*failed = report.failed;
	fclose(file);
	return text;
}

static void fill_with_all_sets(vldaa_report *report)
{
	for (uint32_t f = 0; f < vldaa_family_count; f++) {
		for (uint32_t i = 0; i < vldaa_families[f]->count(); i++) {
			const void *set = vldaa_families[f]->set(i);
			vldaa_families[f]->show(report, set);
			vldaa_families[f]->check(report, set, 1);
		}
	}
}

static void fill_with_odd_strings(vldaa_report *report)
{
	vldaa_report_open_set(report, "family", "a \"quoted\" \\ name", "line\nbreak");
	vldaa_report_open_values(report, "values", "Values");
	vldaa_report_text(report, "text", "\t\"", NULL);
	vldaa_report_real(report, "real", -0.1, NULL);
	vldaa_report_close_values(report);
	vldaa_report_close_set(report);
}

static void fill_with_verdicts(vldaa_report *report)
{
	vldaa_verdict verdict;
	vldaa_report_open_set(report, "family", "set", "origin");
	vldaa_report_open_verdicts(report, "conditions", "Conditions");
	vldaa_verdict_set(&verdict, "good", 1, "%d is fine.", 1);
	vldaa_report_verdict(report, &verdict);
	vldaa_verdict_set(&verdict, "bad", 0,
			  "%d is not, and here is a long sentence about the reasons why it is "
			  "not, so that it needs more than one line.",
			  2);
	vldaa_report_verdict(report, &verdict);
	vldaa_report_close_verdicts(report);
	vldaa_report_close_set(report);
}

static void fill_with_nothing(vldaa_report *report)
{
	(void)report;
}

START_TEST(json_output_is_json)
{
	void (*const fills[])(vldaa_report *) = {fill_with_all_sets, fill_with_odd_strings,
						 fill_with_verdicts, fill_with_nothing};
	for (size_t i = 0; i < sizeof(fills) / sizeof(fills[0]); i++) {
		char *text = written(fills[i], 1, NULL);
		ck_assert_msg(is_json(text), "%s", text);
		free(text);
	}
}
END_TEST

START_TEST(failed_verdicts_are_counted)
{
	for (int json = 0; json < 2; json++) {
		int failed;
		free(written(fill_with_verdicts, json, &failed));
		ck_assert_int_eq(failed, 1);
	}
}
END_TEST

START_TEST(sentences_are_wrapped_whole)
{
	char *text = written(fill_with_verdicts, 0, NULL);
	ck_assert_ptr_nonnull(strstr(text, "ok      1 is fine.\n"));
	ck_assert_ptr_nonnull(strstr(text, "FAILED  2 is not, and"));
	ck_assert_ptr_nonnull(strstr(text, "than one line.\n"));
	for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n"))
		ck_assert_uint_le(strlen(line), 100);
	free(text);
}
END_TEST

START_TEST(sets_are_found_by_name_only)
{
	const vldaa_family *family = NULL;
	ck_assert_ptr_nonnull(vldaa_family_find(&family, "VLDAA-256"));
	ck_assert_ptr_eq(family, &vldaa_family_published);
	ck_assert_ptr_null(vldaa_family_find(&family, "VLDAA-25"));
	ck_assert_ptr_null(vldaa_family_find(&family, ""));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("reports");
	TCase *tcase = tcase_create("reports");
	tcase_add_test(tcase, the_reader_tells_json_from_what_is_not);
	tcase_add_test(tcase, json_output_is_json);
	tcase_add_test(tcase, failed_verdicts_are_counted);
	tcase_add_test(tcase, sentences_are_wrapped_whole);
	tcase_add_test(tcase, sets_are_found_by_name_only);
	suite_add_tcase(suite, tcase);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
