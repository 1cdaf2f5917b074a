/*
 * Promises of vldaa/register.h on several processes at once: of those that want the same nonce,
 * tag, member key or certificate, one gets it, and the others are told why not; nobody fails for
 * the others' sake.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "register_helper.h"

enum {
	PROCESSES = 4,
	ROUNDS = 10,
};

enum contest {
	CONTEST_NONCE,
	CONTEST_TAG,
	CONTEST_KEY,
	CONTEST_CERTIFICATE,
	CONTEST_REPLACE, /* all of them get in, one after the other */
	CONTESTS
};

static uint8_t shared[ROUNDS][32];

/* Process p's entry in a round: everything is its own but what the contest is about.  *ok counts
 * successes, other results must be the contest's own. */
static int enter(vldaa_register *reg, enum contest contest, int p, int round)
{
	static const int refusal[CONTESTS] = {VLDAA_ERR_NONCE, VLDAA_ERR_TAG,
					      VLDAA_ERR_KEY_REGISTERED, VLDAA_ERR_MEMBER_EXISTS,
					      VLDAA_OK};
	int own = 1 + 100 * round + p;
	int common = 1 + 100 * round + 50;
	struct test_member t;
	struct test_member c;
	uint8_t nonce[32];
	int64_t id;

	test_member_init(&t, own, own);
	test_member_init(&c, common, common);
	if (vldaa_register_nonce_new(reg, nonce, TEST_NOW, TEST_LIFETIME) != VLDAA_OK)
		return -1;
	if (contest == CONTEST_NONCE)
		memcpy(nonce, shared[round], 32);
	if (contest == CONTEST_TAG)
		t.m.tag = c.tag;
	if (contest == CONTEST_KEY)
		memcpy(t.m.key_digest, c.m.key_digest, 32);
	if (contest == CONTEST_CERTIFICATE || contest == CONTEST_REPLACE)
		memcpy(t.m.certificate_id, c.m.certificate_id, 32);
	int ret = vldaa_register_add(reg, &id, &t.m, nonce, contest == CONTEST_REPLACE,
				     &test_seen_members);
	if (ret == VLDAA_OK)
		return test_find(reg, own) == VLDAA_OK || contest == CONTEST_REPLACE;
	return ret == refusal[contest] ? 0 : -1;
}

START_TEST(one_of_several_processes_wins)
{
	enum contest contest = (enum contest)_i;
	pid_t child[PROCESSES];
	int start[2];
	int results[2];
	int wins[ROUNDS] = {0};
	vldaa_register *reg = test_create();

	for (int r = 0; r < ROUNDS; r++) {
		ck_assert_int_eq(vldaa_register_nonce_new(reg, shared[r], TEST_NOW, TEST_LIFETIME),
				 VLDAA_OK);
	}
	vldaa_register_close(reg);
	ck_assert_int_eq(pipe(start), 0);
	ck_assert_int_eq(pipe(results), 0);
	for (int p = 0; p < PROCESSES; p++) {
		child[p] = fork();
		ck_assert_int_ge(child[p], 0);
		if (child[p] == 0) {
			char byte;
			(void)close(start[1]);
			if (vldaa_register_open(&reg, test_path, TEST_SET, test_key_id) !=
				VLDAA_OK ||
			    read(start[0], &byte, 1) != 0)
				_exit(1);
			for (int r = 0; r < ROUNDS; r++) {
				signed char line[2] = {(signed char)r,
						       (signed char)enter(reg, contest, p, r)};
				if (write(results[1], line, sizeof line) != (ssize_t)sizeof line)
					_exit(1);
			}
			vldaa_register_close(reg);
			_exit(0);
		}
	}
	/* Closing the pipe is the signal for all. */
	(void)close(start[0]);
	(void)close(start[1]);
	(void)close(results[1]);
	signed char line[2];
	int lines = 0;
	while (read(results[0], line, sizeof line) == (ssize_t)sizeof line) {
		ck_assert_int_ge(line[1], 0);
		wins[line[0]] += line[1];
		lines++;
	}
	(void)close(results[0]);
	for (int p = 0; p < PROCESSES; p++) {
		int status;
		ck_assert_int_eq(waitpid(child[p], &status, 0), child[p]);
		ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	}
	ck_assert_int_eq(lines, PROCESSES * ROUNDS);
	for (int r = 0; r < ROUNDS; r++)
		ck_assert_int_eq(wins[r], contest == CONTEST_REPLACE ? PROCESSES : 1);

	vldaa_register_counts counts;
	reg = test_open();
	ck_assert_int_eq(vldaa_register_count(reg, &counts), VLDAA_OK);
	ck_assert_int_eq(counts.live, ROUNDS);
	ck_assert_int_eq(counts.replaced,
			 contest == CONTEST_REPLACE ? ROUNDS * (PROCESSES - 1) : 0);
	ck_assert_int_eq(vldaa_register_check(reg), VLDAA_OK);
	vldaa_register_close(reg);
}
END_TEST

START_TEST(of_several_processes_one_creates_the_register)
{
	pid_t child[PROCESSES];
	int start[2];
	int created = 0;

	ck_assert_int_eq(pipe(start), 0);
	for (int p = 0; p < PROCESSES; p++) {
		child[p] = fork();
		ck_assert_int_ge(child[p], 0);
		if (child[p] == 0) {
			vldaa_register *reg;
			char byte;
			(void)close(start[1]);
			if (read(start[0], &byte, 1) != 0)
				_exit(9);
			int ret = vldaa_register_create(&reg, test_path, TEST_SET, test_key_id);
			vldaa_register_close(reg);
			_exit(ret == VLDAA_OK ? 1 : ret == VLDAA_ERR_STORE ? 0 : 9);
		}
	}
	(void)close(start[0]);
	(void)close(start[1]);
	for (int p = 0; p < PROCESSES; p++) {
		int status;
		ck_assert_int_eq(waitpid(child[p], &status, 0), child[p]);
		ck_assert(WIFEXITED(status) && WEXITSTATUS(status) < 2);
		created += WEXITSTATUS(status);
	}
	ck_assert_int_eq(created, 1);
	vldaa_register_close(test_open());
}
END_TEST

static int join_through(void *arg, const vldaa_register_member *m)
{
	int64_t id;

	(void)m;
	return test_join(arg, 2, 2, 0, &id) == VLDAA_OK ? 1 : -1;
}

START_TEST(a_reader_in_the_middle_of_a_listing_does_not_hold_up_a_writer)
{
	/* vldaa_register_list's visit joins through another handle of this process; with a lock
	 * held it would wait for 30 seconds. */
	int64_t id;
	vldaa_register *reg = test_create();
	vldaa_register *writer = test_open();

	ck_assert_int_eq(test_join(reg, 1, 1, 0, &id), VLDAA_OK);
	ck_assert_int_eq(vldaa_register_list(reg, NULL, join_through, writer), 1);
	ck_assert_int_eq(test_find(reg, 2), VLDAA_OK);
	vldaa_register_close(writer);
	vldaa_register_close(reg);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("register: processes");
	TCase *tc = tcase_create("processes");
	SRunner *sr = srunner_create(s);

	tcase_add_checked_fixture(tc, test_setup, test_teardown);
	tcase_set_timeout(tc, 300);
	tcase_add_loop_test(tc, one_of_several_processes_wins, 0, CONTESTS);
	tcase_add_test(tc, of_several_processes_one_creates_the_register);
	tcase_add_test(tc, a_reader_in_the_middle_of_a_listing_does_not_hold_up_a_writer);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
