/*
 * Promises of vldaa/register.h about what only its caller can judge: a member is added only when the
 * whole rogue list and all members' keys have been looked at, whoever adds to them meanwhile; what
 * the caller's function did not accept was not seen.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "register_helper.h"

static vldaa_register *reg;

static void setup(void)
{
	test_setup();
	reg = test_create();
}

static void teardown(void)
{
	ck_assert_msg(vldaa_register_check(reg) == VLDAA_OK, "%s", vldaa_register_reason(reg));
	vldaa_register_close(reg);
	test_teardown();
}

static int collect_rogue(void *arg, const uint8_t *entry, size_t len)
{
	char *out = arg;

	strncat(out, (const char *)entry, len);
	strcat(out, ";");
	return VLDAA_OK;
}

/* Adds member n, held against what is there as far as *seen. */
static int add_having_seen(int n, const vldaa_register_seen *seen)
{
	struct test_member t;
	uint8_t nonce[32];
	int64_t id = -1;

	test_member_init(&t, n, n);
	ck_assert_int_eq(vldaa_register_nonce_new(reg, nonce, TEST_NOW, TEST_LIFETIME), VLDAA_OK);
	int ret = vldaa_register_add(reg, &id, &t.m, nonce, 0, seen);
	ck_assert_int_eq(id > 0, ret == VLDAA_OK);
	ck_assert_int_eq(test_find(reg, n), ret == VLDAA_OK ? VLDAA_OK : VLDAA_ERR_NO_CREDENTIAL);
	return ret;
}

static int refuse_second(void *arg, const uint8_t *entry, size_t len)
{
	(void)arg;
	return len == 6 && memcmp(entry, "second", 6) == 0 ? 7 : VLDAA_OK;
}

/* The entries name no digest, so that only the caller can tell whose they are. */
START_TEST(a_member_is_added_only_when_the_whole_rogue_list_was_seen)
{
	vldaa_register *other = test_open();
	char out[64] = "";
	vldaa_register_seen seen = test_seen_members;

	ck_assert_int_eq(add_having_seen(1, &seen), VLDAA_OK);
	ck_assert_int_eq(
	    vldaa_register_rogue_add(other, (const uint8_t *)"first", 5, NULL, TEST_NOW), VLDAA_OK);
	ck_assert_int_eq(add_having_seen(2, &seen), VLDAA_REGISTER_GREW);
	ck_assert_int_eq(vldaa_register_rogue_from(reg, &seen.rogue, collect_rogue, out), VLDAA_OK);
	ck_assert_str_eq(out, "first;");
	ck_assert_int_eq(add_having_seen(2, &seen), VLDAA_OK);
	ck_assert_int_eq(
	    vldaa_register_rogue_add(other, (const uint8_t *)"second", 6, NULL, TEST_NOW),
	    VLDAA_OK);
	ck_assert_int_eq(add_having_seen(3, &seen), VLDAA_REGISTER_GREW);
	/* What was not accepted was not seen. */
	ck_assert_int_eq(vldaa_register_rogue_from(reg, &seen.rogue, refuse_second, NULL), 7);
	ck_assert_int_eq(add_having_seen(3, &seen), VLDAA_REGISTER_GREW);
	out[0] = '\0';
	ck_assert_int_eq(vldaa_register_rogue_from(reg, &seen.rogue, collect_rogue, out), VLDAA_OK);
	ck_assert_str_eq(out, "second;");
	ck_assert_int_eq(add_having_seen(3, &seen), VLDAA_OK);
	/* An entry that was there is none that is new. */
	ck_assert_int_eq(
	    vldaa_register_rogue_add(other, (const uint8_t *)"first", 5, NULL, TEST_NOW), VLDAA_OK);
	ck_assert_int_eq(add_having_seen(4, &seen), VLDAA_OK);
	vldaa_register_close(other);
}
END_TEST

static int collect_key(void *arg, int64_t id, const uint8_t *key, size_t len)
{
	struct test_member t;

	test_member_init(&t, (int)id, 0);
	ck_assert_uint_eq(len, t.m.member_key_len);
	ck_assert_mem_eq(key, t.m.member_key, len);
	(void)snprintf(strchr(arg, '\0'), 8, "%d;", (int)id);
	return VLDAA_OK;
}

static int refuse_third(void *arg, int64_t id, const uint8_t *key, size_t len)
{
	(void)arg;
	(void)key;
	(void)len;
	return id == 3 ? 7 : VLDAA_OK;
}

START_TEST(a_member_is_added_only_when_all_members_keys_were_seen)
{
	vldaa_register *other = test_open();
	vldaa_register_seen seen = {0, 0};
	char out[64] = "";
	int64_t id;

	ck_assert_int_eq(add_having_seen(1, &seen), VLDAA_OK);
	ck_assert_int_eq(add_having_seen(2, &seen), VLDAA_REGISTER_GREW);
	ck_assert_int_eq(vldaa_register_keys_from(reg, &seen.members, collect_key, out), VLDAA_OK);
	ck_assert_str_eq(out, "1;");
	ck_assert_int_eq(seen.members, 1);
	ck_assert_int_eq(add_having_seen(2, &seen), VLDAA_OK);
	/* Banned ones and replaced ones are as good, and another process's. */
	ck_assert_int_eq(test_join(other, 3, 1, 1, &id), VLDAA_OK);
	ck_assert_int_eq(vldaa_register_ban_member(reg, 2, "", TEST_NOW), VLDAA_OK);
	ck_assert_int_eq(add_having_seen(4, &seen), VLDAA_REGISTER_GREW);
	/* What was not accepted was not seen. */
	ck_assert_int_eq(vldaa_register_keys_from(reg, &seen.members, refuse_third, NULL), 7);
	ck_assert_int_eq(seen.members, 2);
	ck_assert_int_eq(add_having_seen(4, &seen), VLDAA_REGISTER_GREW);
	seen.members = 0;
	out[0] = '\0';
	ck_assert_int_eq(vldaa_register_keys_from(reg, &seen.members, collect_key, out), VLDAA_OK);
	ck_assert_str_eq(out, "1;2;3;");
	ck_assert_int_eq(add_having_seen(4, &seen), VLDAA_OK);
	vldaa_register_close(other);
}
END_TEST

START_TEST(missing_arguments_are_the_callers_mistake)
{
	int64_t seen = -1;

	ck_assert_int_eq(vldaa_register_keys_from(reg, &seen, refuse_third, NULL),
			 VLDAA_ERR_ARGUMENT);
	seen = 0;
	ck_assert_int_eq(vldaa_register_keys_from(reg, NULL, refuse_third, NULL),
			 VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_register_keys_from(reg, &seen, NULL, NULL), VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_register_keys_from(NULL, &seen, refuse_third, NULL),
			 VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_register_keys_from(reg, &seen, refuse_third, NULL), VLDAA_OK);
	ck_assert_int_eq(seen, 0);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("register: seen");
	TCase *tc = tcase_create("seen");
	SRunner *sr = srunner_create(s);

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, a_member_is_added_only_when_the_whole_rogue_list_was_seen);
	tcase_add_test(tc, a_member_is_added_only_when_all_members_keys_were_seen);
	tcase_add_test(tc, missing_arguments_are_the_callers_mistake);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
