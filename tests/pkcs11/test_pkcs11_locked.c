/*
 * Promises: what a token's user has in a process, the master key and every pseudonym key that is
 * ready to sign, with or without an object, is locked in memory, and is given back when it ends:
 * with its object, at the end of the session that owns it, at logout, at C_Finalize.
 *
 * The kernel says in /proc/self/status how much a process has locked.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "module.h"

static CK_SESSION_HANDLE car;

/* kB. */
static long locked_now(void)
{
	FILE *f = fopen("/proc/self/status", "r");
	char line[256];
	long kb = -1;

	ck_assert_ptr_nonnull(f);
	while (fgets(line, sizeof line, f) != NULL)
		(void)sscanf(line, "VmLck: %ld kB", &kb);
	(void)fclose(f);
	ck_assert_int_ge(kb, 0);
	return kb;
}

static void sign_once(CK_OBJECT_HANDLE key, const char *basename)
{
	bytes signature = sign(car, CKM_VLDAA_SIGN, basename, key, "x", 1);

	bytes_free(&signature);
}

START_TEST(keys_are_locked_until_they_end)
{
	const long before = locked_now();
	long in, one, all;
	CK_OBJECT_HANDLE key, member;

	car = user_session(CAR);
	in = locked_now();
	ck_assert_int_gt(in, before);
	key = find_key(car, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_PSEUDONYM);
	member = find_key(car, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_MEMBER);
	ck_assert_int_eq(locked_now(), in);
	sign_once(key, NULL);
	one = locked_now() - in;
	ck_assert_int_gt(one, 0);
	/* Once a key. */
	sign_once(key, NULL);
	ck_assert_int_eq(locked_now(), in + one);
	sign_once(member, "a");
	sign_once(member, "b");
	all = locked_now();
	ck_assert_int_eq(all, in + 3 * one);
	sign_once(member, "a");
	ck_assert_int_eq(locked_now(), all);
	/* Nobody enters the slot any more. */
	assert_ok(p11->C_Logout(car));
	ck_assert_int_eq(locked_now(), before);
	assert_ok(login(car, CKU_USER, USER_PIN));
	sign_once(key, NULL);
	ck_assert_int_eq(locked_now(), in + one);
	assert_ok(p11->C_Finalize(NULL));
	ck_assert_int_eq(locked_now(), before);
}
END_TEST

START_TEST(a_sessions_keys_end_with_it)
{
	CK_SESSION_HANDLE other;
	CK_OBJECT_HANDLE member, key;
	long before;

	car = user_session(CAR);
	member = find_key(car, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_MEMBER);
	before = locked_now();
	other = open_session(CAR, CKF_RW_SESSION);
	assert_ok(try_create(other, member, "a", 0, &key));
	sign_once(key, NULL);
	ck_assert_int_gt(locked_now(), before);
	assert_ok(p11->C_CloseSession(other));
	ck_assert_int_eq(locked_now(), before);
	assert_ok(try_create(car, member, "a", 0, &key));
	sign_once(key, NULL);
	ck_assert_int_gt(locked_now(), before);
	assert_ok(p11->C_DestroyObject(car, key));
	ck_assert_int_eq(locked_now(), before);
}
END_TEST

START_TEST(what_a_member_key_made_ends_with_it)
{
	CK_OBJECT_HANDLE member;
	long before;

	car = user_session(CAR);
	member = find_key(car, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_MEMBER);
	before = locked_now();
	sign_once(member, "a");
	sign_once(member, "platoon-7");
	ck_assert_int_gt(locked_now(), before);
	assert_ok(p11->C_DestroyObject(car, member));
	ck_assert_uint_eq(find_key(car, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_PSEUDONYM), 0);
	ck_assert_int_eq(locked_now(), before);
}
END_TEST

/* Whether this process may lock so much at all: an unprivileged one may not, everywhere. */
static int may_lock(void)
{
	enum { MUCH = 1 << 20 };
	void *p = mmap(NULL, MUCH, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const int may = p != MAP_FAILED && mlock(p, MUCH) == 0;

	if (p != MAP_FAILED)
		(void)munmap(p, MUCH);
	return may;
}

int main(void)
{
	Suite *suite = suite_create("pkcs11_locked");
	TCase *c = tcase_create("locked");
	SRunner *runner;
	int ended_badly;

	if (!may_lock()) {
		(void)printf("this process may not lock 1 MiB: nothing to look at\n");
		return 77;
	}
	tcase_add_unchecked_fixture(c, world_make, world_remove);
	tcase_add_checked_fixture(c, world_enter, world_leave);
	tcase_add_test(c, keys_are_locked_until_they_end);
	tcase_add_test(c, a_sessions_keys_end_with_it);
	tcase_add_test(c, what_a_member_key_made_ends_with_it);
	suite_add_tcase(suite, c);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	ended_badly = srunner_ntests_failed(runner);
	srunner_free(runner);
	return ended_badly ? EXIT_FAILURE : EXIT_SUCCESS;
}
