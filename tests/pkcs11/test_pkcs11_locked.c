/*
 * Promises: what a token's user has in a process, the master key and every pseudonym key that is
 * ready to sign, with or without an object, is locked in memory, and is given back when it ends:
 * with its object, at the end of the session that owns it, at logout, at C_Finalize.  A forked child
 * has none of it, nor the memory that went with it.
 *
 * The kernel says in /proc/self/status how much a process has locked, and in /proc/self/smaps which
 * memory is left out of core dumps, which a child inherits as locks are not.
 */
#include <check.h>
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

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

/* Mappings that no core dump has; the kernel's own are among them. */
static int undumped(void)
{
	FILE *f = fopen("/proc/self/smaps", "r");
	char line[512];
	int count = 0;

	if (f == NULL)
		return -1;
	while (fgets(line, sizeof line, f) != NULL)
		count += strncmp(line, "VmFlags:", 8) == 0 && strstr(line, " dd") != NULL;
	(void)fclose(f);
	return count;
}

static int kernels_own;

static int secrets_now(void)
{
	return undumped() - kernels_own;
}

enum child_status { GOOD, SECRETS, MEMORY, NO_START };

/* How a child is.  freed: bytes that it has less of than its parent, which is alone; 0: not asked. */
static int status_of_child(size_t freed)
{
	const size_t before = mallinfo2().uordblks;
	const pid_t child = fork();
	int status;

	/* Nothing of Check's in the child: another thread may have been at its lock. */
	if (child == 0) {
		const size_t now = mallinfo2().uordblks;

		if (secrets_now() != 0)
			_exit(SECRETS);
		if (freed > 0 && now + freed > before)
			_exit(MEMORY);
		/* And it starts as any process does. */
		_exit(p11->C_Initialize(NULL) == CKR_OK && secrets_now() == 0 &&
			      p11->C_Finalize(NULL) == CKR_OK
			  ? GOOD
			  : NO_START);
	}
	ck_assert_int_gt(child, 0);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

START_TEST(a_forked_child_has_no_secrets_of_its_parent)
{
	enum { PUBLIC = 3, LEN = 100000 };
	static uint8_t data[LEN];
	CK_MECHANISM m = {CKM_VLDAA_SIGN, NULL, 0};
	CK_OBJECT_CLASS class = CKO_DATA;
	CK_ATTRIBUTE templ[] = {{CKA_CLASS, &class, sizeof class}, {CKA_VALUE, data, sizeof data}};
	CK_OBJECT_HANDLE key, member, own;

	kernels_own = undumped();
	car = user_session(CAR);
	key = find_key(car, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_PSEUDONYM);
	member = find_key(car, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_MEMBER);
	sign_once(key, NULL);
	sign_once(member, "a");
	assert_ok(try_create(car, member, "b", 0, &own));
	assert_ok(p11->C_SignInit(car, &m, own));
	assert_ok(p11->C_SignUpdate(car, data, 1));
	ck_assert_int_ge(secrets_now(), 4);
	/* Public objects go as well. */
	for (int i = 0; i < PUBLIC; i++)
		assert_ok(p11->C_CreateObject(car, templ, 2, &own));
	ck_assert_int_eq(status_of_child((size_t)PUBLIC * LEN), GOOD);
	ck_assert_int_ge(secrets_now(), 4);
	/* The parent goes on where it was. */
	CK_ULONG len = 0;
	assert_ok(p11->C_SignFinal(car, NULL, &len));
	bytes s = {malloc(len), len};
	assert_ok(p11->C_SignFinal(car, s.data, &s.len));
	bytes_free(&s);
}
END_TEST

/* Signs large messages, outside of the slot's lock, until told to stop. */
static void *sign_on(void *stop)
{
	static uint8_t data[1 << 20];
	CK_SESSION_HANDLE s = open_session(CAR, 0);
	const CK_OBJECT_HANDLE key = find_key(s, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_PSEUDONYM);

	while (!__atomic_load_n((int *)stop, __ATOMIC_ACQUIRE)) {
		bytes signature = sign(s, CKM_VLDAA_SIGN, NULL, key, data, sizeof data);

		bytes_free(&signature);
	}
	return NULL;
}

/* Also when other threads sign at the moment of the fork. */
START_TEST(a_child_of_a_busy_parent_has_no_secrets_either)
{
	pthread_t thread;
	int stop = 0;

	kernels_own = undumped();
	car = user_session(CAR);
	sign_once(find_key(car, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_PSEUDONYM), NULL);
	ck_assert_int_eq(pthread_create(&thread, NULL, sign_on, &stop), 0);
	for (int i = 0; i < as_long(30, 1000); i++) {
		pause_ms(i % 7);
		ck_assert_int_eq(status_of_child(0), GOOD);
	}
	__atomic_store_n(&stop, 1, __ATOMIC_RELEASE);
	ck_assert_int_eq(pthread_join(thread, NULL), 0);
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
	tcase_add_test(c, a_forked_child_has_no_secrets_of_its_parent);
	tcase_add_test(c, a_child_of_a_busy_parent_has_no_secrets_either);
	suite_add_tcase(suite, c);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	ended_badly = srunner_ntests_failed(runner);
	srunner_free(runner);
	return ended_badly ? EXIT_FAILURE : EXIT_SUCCESS;
}
