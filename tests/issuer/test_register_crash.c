/*
 * Promises of vldaa/register.h on crashes: whatever the moment of kill -9 or of power loss, an
 * answer that the caller could release is in the register, an addition is there as a whole or not
 * at all, and going on leads to one answer for the request.  A full disk and failing syncs are
 * VLDAA_ERR_STORE, change nothing, and pass.
 */
#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fault_vfs.h"
#include "register_helper.h"

enum {
	MAX_STEPS = 300,
};

static uint8_t nonce[32];

/* A register with member 1 of certificate 1 and an open nonce, as file "template". */
static void setup(void)
{
	int64_t id;

	test_setup();
	vldaa_register *reg = test_create();
	ck_assert_int_eq(test_join(reg, 1, 1, 0, &id), VLDAA_OK);
	ck_assert_int_eq(vldaa_register_nonce_new(reg, nonce, TEST_NOW, TEST_LIFETIME), VLDAA_OK);
	vldaa_register_close(reg);
	test_copy(test_path, test_file("template"));
}

/* Runs work in a child that is killed before its operation number at; 1 when it reported success
 * before it ended or was killed. *ended: it was not killed. */
static int run_killed(int (*work)(void), int at, int *ended)
{
	int status;
	int fds[2];
	char byte;

	ck_assert_int_eq(pipe(fds), 0);
	pid_t child = fork();
	ck_assert_int_ge(child, 0);
	if (child == 0) {
		fault_install(FAULT_KILL, at);
		if (work() == VLDAA_OK && write(fds[1], "r", 1) != 1)
			_exit(2);
		_exit(0);
	}
	(void)close(fds[1]);
	int released = read(fds[0], &byte, 1) == 1;
	(void)close(fds[0]);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	*ended = WIFEXITED(status);
	ck_assert(*ended ? WEXITSTATUS(status) == 0 : WTERMSIG(status) == SIGKILL);
	return released;
}

/* Member 2 replaces member 1. */
static int add_second(void)
{
	struct test_member t;
	vldaa_register *reg;
	int64_t id;

	test_member_init(&t, 2, 1);
	int ret = vldaa_register_open(&reg, test_path, TEST_SET, test_key_id);
	if (ret == VLDAA_OK)
		ret = vldaa_register_add(reg, &id, &t.m, nonce, 1, &test_seen_members);
	/* Not closed: the answer leaves when add returns. */
	return ret;
}

/* After the crash: all or nothing, what was released is there, and the same request ends well. */
static void check_second(int released)
{
	vldaa_register *reg = test_open();
	struct test_member t;
	int64_t id;
	int used;

	ck_assert_msg(vldaa_register_check(reg) == VLDAA_OK, "%s", vldaa_register_reason(reg));
	test_member_init(&t, 2, 1);
	int found = test_find(reg, 2) == VLDAA_OK;
	ck_assert(found || !released);
	ck_assert_int_eq(vldaa_register_tag_used(reg, &used, t.tag, sizeof t.tag), VLDAA_OK);
	ck_assert_int_eq(used, found);
	ck_assert_int_eq(test_state(reg, 1), found ? VLDAA_MEMBER_REPLACED : VLDAA_MEMBER_LIVE);
	ck_assert_int_eq(test_state(reg, 2), found ? VLDAA_MEMBER_LIVE : 0);
	int ret = vldaa_register_add(reg, &id, &t.m, nonce, 1, &test_seen_members);
	ck_assert_int_eq(ret, found ? VLDAA_ERR_NONCE : VLDAA_OK);
	ck_assert_int_eq(test_find(reg, 2), VLDAA_OK);
	ck_assert_int_eq(test_state(reg, 3), 0);
	vldaa_register_close(reg);
}

START_TEST(killed_before_any_operation_of_an_addition)
{
	int ended = 0;
	int at = 0;

	while (!ended) {
		test_copy(test_file("template"), test_path);
		int released = run_killed(add_second, ++at, &ended);
		ck_assert_int_eq(released, ended);
		check_second(released);
		ck_assert_int_lt(at, MAX_STEPS);
	}
	/* Journal, pages, syncs, delete: fewer would mean that nothing was tested. */
	ck_assert_int_gt(at, 10);
}
END_TEST

static int add_second_with_images(void)
{
	fault_image_begin(test_path);
	return add_second();
}

/* _i: whether unsynced writes to the register itself got to the disk. */
START_TEST(power_loss_before_any_operation_of_an_addition_and_right_after_it)
{
	int ended = 0;
	int at = 0;

	while (!ended) {
		test_copy(test_file("template"), test_path);
		int released = run_killed(add_second_with_images, ++at, &ended);
		fault_image_restore(test_path, _i);
		check_second(released);
		ck_assert_int_lt(at, MAX_STEPS);
	}
	ck_assert_int_gt(at, 10);
}
END_TEST

static int create_new(void)
{
	vldaa_register *reg;
	int ret = vldaa_register_create(&reg, test_file("new.db"), TEST_SET, test_key_id);

	vldaa_register_close(reg);
	return ret;
}

static int create_new_with_images(void)
{
	fault_image_begin(test_file("new.db"));
	return create_new();
}

/* _i: 0 kill -9, 1 power loss. */
START_TEST(killed_before_any_operation_of_creating_a_register)
{
	int ended = 0;
	int at = 0;

	while (!ended) {
		(void)unlink(test_file("new.db"));
		(void)unlink(test_file("new.db-journal"));
		int done = run_killed(_i ? create_new_with_images : create_new, ++at, &ended);
		if (_i)
			fault_image_restore(test_file("new.db"), 0);
		vldaa_register *reg;
		/* It is there, whole, or it can be made; it must be there when create said so. */
		int ret = vldaa_register_open(&reg, test_file("new.db"), TEST_SET, test_key_id);
		ck_assert(ret == VLDAA_OK || (ret == VLDAA_ERR_STORE && !done));
		vldaa_register_close(reg);
		int again = vldaa_register_create(&reg, test_file("new.db"), TEST_SET, test_key_id);
		ck_assert_int_eq(again, ret == VLDAA_OK ? VLDAA_ERR_STORE : VLDAA_OK);
		vldaa_register_close(reg);
		ck_assert_int_lt(at, MAX_STEPS);
	}
	ck_assert_int_gt(at, 10);
}
END_TEST

static int make_backup(void)
{
	vldaa_register *reg;
	int ret = vldaa_register_open(&reg, test_path, TEST_SET, test_key_id);

	return ret == VLDAA_OK ? vldaa_register_backup(reg, test_file("copy.db")) : ret;
}

START_TEST(killed_before_any_operation_of_a_backup_there_is_a_whole_one_or_none)
{
	int ended = 0;
	int at = 0;

	while (!ended) {
		vldaa_register *reg;

		(void)unlink(test_file("copy.db"));
		int done = run_killed(make_backup, ++at, &ended);
		ck_assert_int_eq(access(test_file("copy.db"), F_OK) == 0, done);
		if (done) {
			ck_assert_int_eq(
			    vldaa_register_open(&reg, test_file("copy.db"), TEST_SET, test_key_id),
			    VLDAA_OK);
			ck_assert_int_eq(test_find(reg, 1), VLDAA_OK);
			vldaa_register_close(reg);
		}
		ck_assert_int_lt(at, MAX_STEPS);
	}
	ck_assert_int_gt(at, 5);
}
END_TEST

/* _i: 0 the disk is full, 1 syncs fail. */
START_TEST(an_addition_that_the_disk_refuses_changes_nothing)
{
	int failures = 0;
	int ret = VLDAA_ERR_STORE;

	for (int at = 1; ret != VLDAA_OK; at++) {
		struct test_member t;
		int64_t id = -1;

		test_copy(test_file("template"), test_path);
		vldaa_register *reg = test_open();
		test_member_init(&t, 2, 1);
		fault_install(_i ? FAULT_SYNC : FAULT_FULL, at);
		vldaa_register_close(reg);
		reg = test_open(); /* with the new VFS */
		ret = vldaa_register_add(reg, &id, &t.m, nonce, 1, &test_seen_members);
		fault_clear();
		if (ret != VLDAA_OK) {
			failures++;
			ck_assert_int_eq(ret, VLDAA_ERR_STORE);
			ck_assert_int_eq(id, 0);
			ck_assert_ptr_nonnull(
			    strstr(vldaa_register_reason(reg), _i ? "disk I/O" : "full"));
			/* The same handle goes on as soon as the disk does. */
			ck_assert_int_eq(test_find(reg, 2), VLDAA_ERR_NO_CREDENTIAL);
			ck_assert_int_eq(test_find(reg, 1), VLDAA_OK);
			ck_assert_int_eq(
			    vldaa_register_add(reg, &id, &t.m, nonce, 1, &test_seen_members),
			    VLDAA_OK);
		}
		vldaa_register_close(reg);
		check_second(1);
		ck_assert_int_lt(at, MAX_STEPS);
	}
	ck_assert_int_gt(failures, 2);
}
END_TEST

START_TEST(a_commit_that_fails_in_its_very_last_step_releases_nothing_and_asking_again_tells)
{
	struct test_member t;
	int64_t id;

	test_member_init(&t, 2, 1);
	fault_install(FAULT_DELETE, 1);
	vldaa_register *reg = test_open();
	ck_assert_int_eq(vldaa_register_add(reg, &id, &t.m, nonce, 1, &test_seen_members),
			 VLDAA_ERR_STORE);
	fault_clear();
	int found = test_find(reg, 2);
	ck_assert(found == VLDAA_OK || found == VLDAA_ERR_NO_CREDENTIAL);
	vldaa_register_close(reg);
	check_second(0);
}
END_TEST

START_TEST(a_full_disk_refuses_a_new_register_and_a_backup_and_leaves_no_half_one)
{
	vldaa_register *reg;

	fault_install(FAULT_FULL, 1);
	ck_assert_int_eq(create_new(), VLDAA_ERR_STORE);
	reg = test_open();
	ck_assert_int_eq(vldaa_register_backup(reg, test_file("copy.db")), VLDAA_ERR_STORE);
	ck_assert_ptr_nonnull(strstr(vldaa_register_reason(reg), "full"));
	ck_assert_int_ne(access(test_file("copy.db"), F_OK), 0);
	fault_clear();
	ck_assert_int_eq(create_new(), VLDAA_OK);
	ck_assert_int_eq(vldaa_register_backup(reg, test_file("copy.db")), VLDAA_OK);
	vldaa_register_close(reg);
}
END_TEST

/* One run of an issuer until it is killed.  Tags come from a small space, so that they are drawn
 * again; each attempt has an answer of its own.  What is released goes into the pipe. */
struct released {
	int request;
	int tag;
	uint8_t answer[600];
};

/* Without Check's functions: what they note, to be told to the parent, must not end half way. */
static void issue_until_killed(int fd, int first)
{
	vldaa_register *reg;
	unsigned random = 12345u + (unsigned)first;

	if (vldaa_register_open(&reg, test_path, TEST_SET, test_key_id) != VLDAA_OK)
		_exit(1);
	for (int n = first;; n++) {
		struct test_member t;
		struct test_member of_tag;
		struct released r;
		uint8_t one[32];
		int64_t id;

		test_member_init(&t, n, n);
		if (vldaa_register_nonce_new(reg, one, TEST_NOW, TEST_LIFETIME) != VLDAA_OK)
			_exit(1);
		int ret;
		do {
			random = random * 1103515245u + 12345u;
			r.tag = (int)(random >> 16) % 4000;
			test_member_init(&of_tag, r.tag, 0);
			t.m.tag = of_tag.tag;
			ret = vldaa_register_add(reg, &id, &t.m, one, 0, &test_seen_members);
		} while (ret == VLDAA_ERR_TAG);
		if (ret != VLDAA_OK)
			_exit(1);
		r.request = n;
		memcpy(r.answer, t.answer, sizeof r.answer);
		if (write(fd, &r, sizeof r) != (ssize_t)sizeof r)
			_exit(1);
	}
}

START_TEST(killed_at_random_moments_no_released_answer_is_lost_and_no_tag_serves_twice)
{
	enum {
		ROUNDS = 20,
		PER_ROUND = 1000,
	};
	static char taken[4000];
	int total = 0;

	srand(1);
	for (int round = 0; round < ROUNDS; round++) {
		int fds[2];
		struct released r;

		ck_assert_int_eq(pipe(fds), 0);
		pid_t child = fork();
		ck_assert_int_ge(child, 0);
		if (child == 0) {
			issue_until_killed(fds[1], 10 + round * PER_ROUND);
			_exit(1);
		}
		(void)close(fds[1]);
		/* Up to 40 ms, a few additions, after the first one, however long that takes. */
		ck_assert_int_eq(read(fds[0], &r, sizeof r), (ssize_t)sizeof r);
		struct timespec wait = {.tv_nsec = 1000L * (rand() % 40000)};
		(void)nanosleep(&wait, NULL);
		ck_assert_int_eq(kill(child, SIGKILL), 0);
		ck_assert_int_eq(waitpid(child, NULL, 0), child);
		vldaa_register *reg = test_open();
		do {
			ck_assert_int_eq(test_find(reg, r.request), VLDAA_OK);
			ck_assert_int_eq(taken[r.tag], 0);
			taken[r.tag] = 1;
			total++;
		} while (read(fds[0], &r, sizeof r) == (ssize_t)sizeof r);
		ck_assert_int_eq(vldaa_register_check(reg), VLDAA_OK);
		vldaa_register_close(reg);
		(void)close(fds[0]);
	}
	ck_assert_int_ge(total, ROUNDS);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("register: crashes");
	TCase *tc = tcase_create("crashes");
	SRunner *sr = srunner_create(s);

	tcase_add_checked_fixture(tc, setup, test_teardown);
	tcase_set_timeout(tc, 300);
	tcase_add_test(tc, killed_before_any_operation_of_an_addition);
	tcase_add_loop_test(tc, power_loss_before_any_operation_of_an_addition_and_right_after_it,
			    0, 2);
	tcase_add_loop_test(tc, killed_before_any_operation_of_creating_a_register, 0, 2);
	tcase_add_test(tc, killed_before_any_operation_of_a_backup_there_is_a_whole_one_or_none);
	tcase_add_loop_test(tc, an_addition_that_the_disk_refuses_changes_nothing, 0, 2);
	tcase_add_test(
	    tc, a_commit_that_fails_in_its_very_last_step_releases_nothing_and_asking_again_tells);
	tcase_add_test(tc, a_full_disk_refuses_a_new_register_and_a_backup_and_leaves_no_half_one);
	tcase_add_test(tc,
		       killed_at_random_moments_no_released_answer_is_lost_and_no_tag_serves_twice);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
