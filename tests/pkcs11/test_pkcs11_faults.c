/*
 * Promises about a token whose disk fails: a process that is killed before any of its writes, syncs
 * and deletes leaves what it acknowledged, and each step done or not done, never half; a disk that
 * is full or does not sync is told as such, changes nothing, and the token works on.
 */
#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../issuer/fault_vfs.h"
#include "module.h"

enum { MAX_OPERATIONS = 400 };

/* Every so manyth operation is where a process dies: a login for each takes its time. */
static int stride(void)
{
	return as_long(11, 1);
}

static bytes order;

static CK_OBJECT_HANDLE find_basename(CK_SESSION_HANDLE s, CK_OBJECT_CLASS class, const char *name)
{
	char copy[64];
	CK_ATTRIBUTE templ[] = {{CKA_CLASS, &class, sizeof class},
				{CKA_VLDAA_BASENAME, copy, strlen(name)}};

	memcpy(copy, name, strlen(name));
	return find_one(s, templ, 2);
}

/* Both halves are there (1) or neither (0). */
static int has_pseudonym(CK_SESSION_HANDLE s, const char *name)
{
	const int has = find_basename(s, CKO_PRIVATE_KEY, name) != 0;

	ck_assert_int_eq(has, find_basename(s, CKO_PUBLIC_KEY, name) != 0);
	return has;
}

/* An order against CAR's "platoon-7". */
static void make_order(void)
{
	CK_SESSION_HANDLE issuer = user_session(ISSUER), car = user_session(CAR);
	bytes group =
	    get_attribute(issuer, find_key(issuer, CKO_PUBLIC_KEY, CK_VLDAA_ROLE_GROUP), CKA_VALUE);
	bytes fleet = get_attribute(issuer, find_key(issuer, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_ISSUER),
				    CKA_VLDAA_FLEET_KEY);
	bytes attestation = get_attribute(car, find_basename(car, CKO_PUBLIC_KEY, "platoon-7"),
					  CKA_VLDAA_ATTESTATION);

	order = order_against(&group, &fleet, &attestation, 0, 1, NULL);
	bytes_free(&group);
	bytes_free(&fleet);
	bytes_free(&attestation);
	assert_ok(p11->C_CloseAllSessions(ISSUER));
	assert_ok(p11->C_CloseAllSessions(CAR));
}

/* --- killed ------------------------------------------------------------------------------------
 */

/* Create, Revoke, delete; a byte for each that is done.  The exit status is 0 when it was not
 * killed. */
static void act(int out, int at)
{
	CK_SESSION_HANDLE s;
	CK_OBJECT_HANDLE key, member;
	bytes confirmation;

	if (p11->C_Initialize(NULL) != CKR_OK)
		_exit(1);
	fault_install(FAULT_NONE, 0);
	s = user_session(CAR);
	member = find_key(s, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_MEMBER);
	fault_clear();
	fault_install(FAULT_KILL, at);
	if (try_create(s, member, "new", 1, &key) != CKR_OK || write(out, "C", 1) != 1 ||
	    try_sign(s, CKM_VLDAA_REVOKE, NULL, member, order.data, order.len, &confirmation) !=
		CKR_OK ||
	    write(out, "R", 1) != 1 || p11->C_DestroyObject(s, key) != CKR_OK ||
	    write(out, "D", 1) != 1)
		_exit(1);
	_exit(0);
}

/* What there must be after so many steps that were acknowledged. */
static void check_after(int steps)
{
	CK_SESSION_HANDLE s = user_session(CAR);
	const CK_OBJECT_HANDLE member = find_key(s, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_MEMBER);
	const int has_new = has_pseudonym(s, "new"), has_old = has_pseudonym(s, "platoon-7");
	CK_OBJECT_HANDLE key;

	ck_assert_uint_ne(member, 0);
	if (steps == 1)
		ck_assert_int_eq(has_new, 1);
	if (steps == 3)
		ck_assert_int_eq(has_new, 0);
	if (steps == 0)
		ck_assert_int_eq(has_old, 1);
	if (steps >= 2)
		ck_assert_int_eq(has_old, 0);
	/* A pseudonym is gone because it was revoked, and is so for ever. */
	assert_rv(try_create(s, member, "platoon-7", 0, &key),
		  has_old ? CKR_OK : CKR_VLDAA_REVOKED);
	assert_ok(p11->C_CloseAllSessions(CAR));
}

START_TEST(killed_before_any_operation_it_leaves_whole_steps)
{
	int killed = 1, trials = 0;

	make_order();
	for (int at = 1; killed && at < MAX_OPERATIONS; at += stride()) {
		int ends[2], status, steps = 0;
		pid_t child;
		char step;

		ck_assert_int_eq(pipe(ends), 0);
		child = fork();
		ck_assert_int_ge(child, 0);
		if (child == 0) {
			(void)close(ends[0]);
			act(ends[1], at);
		}
		(void)close(ends[1]);
		while (read(ends[0], &step, 1) == 1)
			steps++;
		(void)close(ends[0]);
		ck_assert_int_eq(waitpid(child, &status, 0), child);
		killed = WIFSIGNALED(status);
		ck_assert(killed || WEXITSTATUS(status) == 0);
		check_after(steps);
		trials++;
		world_leave();
		world_enter();
	}
	/* It got through at last. */
	ck_assert_int_eq(killed, 0);
	ck_assert_int_gt(trials, 8);
	bytes_free(&order);
}
END_TEST

/* --- full -------------------------------------------------------------------------------------- */

static void fail_at_every_operation(enum fault fault)
{
	CK_SESSION_HANDLE s = user_session(CAR);
	const CK_OBJECT_HANDLE member = find_key(s, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_MEMBER);
	CK_OBJECT_HANDLE key;
	int failures = 0;
	CK_RV rv;

	/* The connection was opened before the VFS was there. */
	assert_ok(p11->C_Finalize(NULL));
	fault_install(FAULT_NONE, 0);
	assert_ok(p11->C_Initialize(NULL));
	s = user_session(CAR);
	for (int at = 1; at < MAX_OPERATIONS; at++) {
		fault_clear();
		fault_install(fault, at);
		rv = try_create(s, member, "new", 1, &key);
		fault_clear();
		fault_install(FAULT_NONE, 0);
		if (rv == CKR_OK)
			break;
		assert_rv(rv, fault == FAULT_FULL ? CKR_DEVICE_MEMORY : CKR_DEVICE_ERROR);
		failures++;
		ck_assert_int_eq(has_pseudonym(s, "new"), 0);
		bytes sig = sign(s, CKM_VLDAA_SIGN_COMPACT, NULL,
				 find_basename(s, CKO_PRIVATE_KEY, "platoon-7"), "x", 1);
		bytes_free(&sig);
	}
	assert_ok(rv);
	ck_assert_int_gt(failures, 3);
	ck_assert_int_eq(has_pseudonym(s, "new"), 1);
	assert_ok(p11->C_Finalize(NULL));
	fault_clear();
	assert_ok(p11->C_Initialize(NULL));
}

START_TEST(a_full_disk_is_told_and_changes_nothing)
{
	fail_at_every_operation(FAULT_FULL);
}
END_TEST

START_TEST(a_disk_that_does_not_sync_is_told_and_changes_nothing)
{
	fail_at_every_operation(FAULT_SYNC);
}
END_TEST

/* The try is written down before the PIN is looked at, and given back when it was right: who is
 * killed in between has paid, with the right PIN too, and ten such have none left. */
START_TEST(a_login_that_is_killed_has_paid)
{
	CK_TOKEN_INFO info;
	int status, paid = 0, killed = 1;
	pid_t child;

	for (int at = 1; killed && at < MAX_OPERATIONS; at++) {
		child = fork();
		ck_assert_int_ge(child, 0);
		if (child == 0) {
			CK_SESSION_HANDLE s;

			fault_install(FAULT_NONE, 0);
			if (p11->C_Initialize(NULL) != CKR_OK)
				_exit(1);
			s = open_session(CAR, 0);
			fault_install(FAULT_KILL, at);
			_exit(login(s, CKU_USER, USER_PIN) == CKR_OK ? 0 : 1);
		}
		ck_assert_int_eq(waitpid(child, &status, 0), child);
		killed = WIFSIGNALED(status);
		/* Without tries left it is refused, and not killed. */
		if (!killed && WEXITSTATUS(status) != 0)
			break;
		assert_ok(p11->C_GetTokenInfo(CAR, &info));
		paid += (info.flags & CKF_USER_PIN_COUNT_LOW) != 0;
	}
	ck_assert_int_gt(paid, 0);
	/* A login that is not killed gives all tries back, if there was one left. */
	assert_ok(p11->C_GetTokenInfo(CAR, &info));
	if (!killed && WEXITSTATUS(status) == 0)
		ck_assert_uint_eq(info.flags & CKF_USER_PIN_COUNT_LOW, 0);
	else
		ck_assert(info.flags & CKF_USER_PIN_LOCKED);
}
END_TEST

/* PINs too: what cannot be written down is not looked at. */
START_TEST(a_full_disk_gives_no_free_guesses)
{
	CK_SESSION_HANDLE s;

	assert_ok(p11->C_Finalize(NULL));
	fault_install(FAULT_NONE, 0);
	assert_ok(p11->C_Initialize(NULL));
	s = open_session(CAR, 0);
	fault_clear();
	fault_install(FAULT_FULL, 1);
	for (int i = 0; i < 3; i++)
		assert_rv(login(s, CKU_USER, USER_PIN), CKR_DEVICE_MEMORY);
	fault_clear();
	fault_install(FAULT_NONE, 0);
	assert_ok(login(s, CKU_USER, USER_PIN));
	assert_ok(p11->C_Finalize(NULL));
	fault_clear();
	assert_ok(p11->C_Initialize(NULL));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("pkcs11_faults");
	TCase *c = tcase_create("faults");
	SRunner *runner;
	int failed;

	tcase_add_unchecked_fixture(c, world_make, world_remove);
	tcase_add_checked_fixture(c, world_enter, world_leave);
	tcase_add_test(c, killed_before_any_operation_it_leaves_whole_steps);
	tcase_add_test(c, a_full_disk_is_told_and_changes_nothing);
	tcase_add_test(c, a_disk_that_does_not_sync_is_told_and_changes_nothing);
	tcase_add_test(c, a_login_that_is_killed_has_paid);
	tcase_add_test(c, a_full_disk_gives_no_free_guesses);
	suite_add_tcase(suite, c);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
