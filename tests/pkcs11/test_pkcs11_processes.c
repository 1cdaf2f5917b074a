/*
 * Promises about a token that several processes and threads use: nobody loses anything, everybody
 * sees one token; kill -9 at any moment loses nothing that was acknowledged, and brings nothing back
 * that was deleted; what one process ends, ends for all.
 */
#include <check.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "creates.h"
#include "module.h"

enum { MAX_WORKERS = 8 };

/* At least a minute of each, for 8 at once, in a long run. */
static int workers(void)
{
	return as_long(4, MAX_WORKERS);
}

static int rounds(void)
{
	return as_long(5, 200);
}

static CK_SESSION_HANDLE start_in_child(void)
{
	CK_SESSION_HANDLE s;

	if (p11->C_Initialize(NULL) != CKR_OK ||
	    p11->C_OpenSession(CAR, CKF_SERIAL_SESSION | CKF_RW_SESSION, NULL, NULL, &s) !=
		CKR_OK ||
	    login(s, CKU_USER, USER_PIN) != CKR_OK)
		_exit(2);
	return s;
}

/* Makes pseudonyms, signs under each, keeps the even ones and deletes the others. */
static int work(CK_SESSION_HANDLE s, int worker)
{
	const CK_OBJECT_HANDLE member = find_key(s, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_MEMBER);

	for (int i = 0; i < rounds(); i++) {
		char name[64];
		CK_OBJECT_HANDLE key;
		bytes sig;

		(void)snprintf(name, sizeof name, "worker %d round %d", worker, i);
		if (try_create(s, member, name, 1, &key) != CKR_OK ||
		    try_sign(s, CKM_VLDAA_SIGN_COMPACT, NULL, key, name, 5, &sig) != CKR_OK ||
		    verify(s, CKM_VLDAA_SIGN_COMPACT, NULL,
			   find_key(s, CKO_PUBLIC_KEY, CK_VLDAA_ROLE_GROUP), name, 5,
			   &sig) != CKR_OK)
			return 1;
		bytes_free(&sig);
		if (i % 2 == 1 && p11->C_DestroyObject(s, key) != CKR_OK)
			return 1;
	}
	return 0;
}

static int has_basename(CK_SESSION_HANDLE s, CK_OBJECT_CLASS class, const char *name)
{
	char copy[64];
	CK_ATTRIBUTE templ[] = {{CKA_CLASS, &class, sizeof class},
				{CKA_VLDAA_BASENAME, copy, strlen(name)}};

	memcpy(copy, name, strlen(name));
	return find_one(s, templ, 2) != 0;
}

static void check_work(CK_SESSION_HANDLE s)
{
	for (int w = 0; w < workers(); w++) {
		for (int i = 0; i < rounds(); i++) {
			char name[64];

			(void)snprintf(name, sizeof name, "worker %d round %d", w, i);
			ck_assert_int_eq(has_basename(s, CKO_PRIVATE_KEY, name), i % 2 == 0);
			ck_assert_int_eq(has_basename(s, CKO_PUBLIC_KEY, name), i % 2 == 0);
		}
	}
}

START_TEST(processes_share_a_token_and_lose_nothing)
{
	pid_t children[MAX_WORKERS];
	/* Which was there before sees it all. */
	CK_SESSION_HANDLE s = user_session(CAR);
	int status;

	for (int i = 0; i < workers(); i++) {
		children[i] = fork();
		ck_assert_int_ge(children[i], 0);
		if (children[i] == 0)
			_exit(work(start_in_child(), i));
	}
	for (int i = 0; i < workers(); i++) {
		ck_assert_int_eq(waitpid(children[i], &status, 0), children[i]);
		ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	}
	check_work(s);
	/* One was there before. */
	ck_assert_uint_eq(creates_counted(CAR), 1 + (unsigned)(workers() * rounds()));
}
END_TEST

typedef struct {
	int worker;
	int failed;
} job;

static void *run_thread(void *arg)
{
	job *j = arg;
	CK_SESSION_HANDLE s;

	j->failed = p11->C_OpenSession(CAR, CKF_SERIAL_SESSION | CKF_RW_SESSION, NULL, NULL, &s) !=
			CKR_OK ||
		    work(s, j->worker) != 0;
	return NULL;
}

START_TEST(threads_share_a_token_and_lose_nothing)
{
	CK_SESSION_HANDLE s = user_session(CAR);
	pthread_t threads[MAX_WORKERS];
	job jobs[MAX_WORKERS];

	for (int i = 0; i < workers(); i++) {
		jobs[i] = (job){i, 1};
		ck_assert_int_eq(pthread_create(&threads[i], NULL, run_thread, &jobs[i]), 0);
	}
	for (int i = 0; i < workers(); i++) {
		ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
		ck_assert_int_eq(jobs[i].failed, 0);
	}
	check_work(s);
}
END_TEST

/* A line for each thing that was acknowledged. */
static void work_until_killed(int out)
{
	CK_SESSION_HANDLE s = start_in_child();
	const CK_OBJECT_HANDLE member = find_key(s, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_MEMBER);

	for (int i = 0; i < 1000; i++) {
		char line[32] = "";
		CK_OBJECT_HANDLE key;

		(void)snprintf(line, sizeof line, "%d", i);
		if (try_create(s, member, line, 1, &key) != CKR_OK)
			_exit(1);
		line[31] = '+';
		if (write(out, line, sizeof line) != sizeof line)
			_exit(1);
		if (i % 2 == 0)
			continue;
		if (p11->C_DestroyObject(s, key) != CKR_OK)
			_exit(1);
		line[31] = '-';
		if (write(out, line, sizeof line) != sizeof line)
			_exit(1);
	}
	_exit(1);
}

START_TEST(a_killed_process_leaves_what_it_acknowledged_and_nothing_it_deleted)
{
	for (int round = 0; round < 4; round++) {
		int ends[2], status, last = -1, deleted[1000] = {0};
		char line[33] = "";
		CK_SESSION_HANDLE s;
		pid_t child;

		ck_assert_int_eq(pipe(ends), 0);
		child = fork();
		ck_assert_int_ge(child, 0);
		if (child == 0) {
			(void)close(ends[0]);
			work_until_killed(ends[1]);
		}
		(void)close(ends[1]);
		/* Somewhere in its work. */
		for (int i = 0; i < 4 + 3 * round; i++) {
			ck_assert_int_eq(read(ends[0], line, 32), 32);
			last = atoi(line);
			deleted[last] = line[31] == '-';
		}
		pause_ms(3 + 7 * round);
		(void)kill(child, SIGKILL);
		ck_assert_int_eq(waitpid(child, &status, 0), child);
		ck_assert(WIFSIGNALED(status));
		while (read(ends[0], line, 32) == 32) {
			last = atoi(line);
			deleted[last] = line[31] == '-';
		}
		(void)close(ends[0]);
		s = user_session(CAR);
		for (int i = 0; i <= last; i++) {
			(void)snprintf(line, sizeof line, "%d", i);
			/* Of the last one the deletion may be done and not told. */
			if (i < last || i % 2 == 0)
				ck_assert_int_eq(has_basename(s, CKO_PRIVATE_KEY, line),
						 !deleted[i]);
			else if (deleted[i])
				ck_assert_int_eq(has_basename(s, CKO_PRIVATE_KEY, line), 0);
			ck_assert_int_eq(has_basename(s, CKO_PRIVATE_KEY, line),
					 has_basename(s, CKO_PUBLIC_KEY, line));
		}
		/* And it works on. */
		const CK_OBJECT_HANDLE member = find_key(s, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_MEMBER);
		for (int i = 0; i <= last + 1; i++) {
			CK_OBJECT_CLASS class = CKO_PRIVATE_KEY;
			CK_ATTRIBUTE templ[] = {{CKA_CLASS, &class, sizeof class},
						{CKA_VLDAA_BASENAME, line, 0}};
			CK_OBJECT_HANDLE key;

			(void)snprintf(line, sizeof line, "%d", i);
			templ[1].ulValueLen = strlen(line);
			key = find_one(s, templ, 2);
			if (key != 0)
				assert_ok(p11->C_DestroyObject(s, key));
		}
		ck_assert_uint_ne(member, 0);
		assert_ok(p11->C_CloseAllSessions(CAR));
	}
}
END_TEST

/* --- one token for all -------------------------------------------------------------------------
 */

/* Runs in another process. */
static void in_child(void (*act)(CK_SESSION_HANDLE))
{
	const pid_t child = fork();
	int status;

	ck_assert_int_ge(child, 0);
	if (child == 0) {
		act(start_in_child());
		_exit(0);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void delete_pseudonym(CK_SESSION_HANDLE s)
{
	if (p11->C_DestroyObject(s, find_key(s, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_PSEUDONYM)) !=
	    CKR_OK)
		_exit(1);
}

START_TEST(a_key_that_another_process_deletes_signs_no_more)
{
	CK_SESSION_HANDLE s = user_session(CAR);
	const CK_OBJECT_HANDLE key = find_key(s, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_PSEUDONYM);
	CK_MECHANISM m = {CKM_VLDAA_SIGN_COMPACT, NULL, 0};
	uint8_t out[8192], x = 'x';
	CK_ULONG len = sizeof out;
	bytes sig = sign(s, m.mechanism, NULL, key, "x", 1);

	bytes_free(&sig);
	assert_ok(p11->C_SignInit(s, &m, key));
	in_child(delete_pseudonym);
	assert_rv(p11->C_Sign(s, &x, 1, out, &len), CKR_KEY_HANDLE_INVALID);
	assert_rv(p11->C_SignInit(s, &m, key), CKR_KEY_HANDLE_INVALID);
}
END_TEST

static void initialise_anew(CK_SESSION_HANDLE s)
{
	uint8_t pin[] = SO_PIN, label[32];

	(void)s;
	memset(label, ' ', sizeof label);
	if (p11->C_CloseAllSessions(CAR) != CKR_OK ||
	    p11->C_InitToken(CAR, pin, sizeof pin - 1, label) != CKR_OK)
		_exit(1);
}

START_TEST(a_token_that_another_process_initialises_is_another_token)
{
	CK_SESSION_HANDLE s = user_session(CAR);
	const CK_OBJECT_HANDLE key = find_key(s, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_PSEUDONYM);
	CK_MECHANISM m = {CKM_VLDAA_SIGN_COMPACT, NULL, 0};

	in_child(initialise_anew);
	assert_rv(p11->C_SignInit(s, &m, key), CKR_DEVICE_REMOVED);
	assert_rv(p11->C_FindObjectsInit(s, NULL, 0), CKR_DEVICE_REMOVED);
	assert_ok(p11->C_CloseSession(s));
	s = open_session(CAR, CKF_RW_SESSION);
	assert_rv(login(s, CKU_USER, USER_PIN), CKR_USER_PIN_NOT_INITIALIZED);
	ck_assert_uint_eq(count_all(s), 2);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("pkcs11_processes");
	TCase *c = tcase_create("processes");
	SRunner *runner;
	int failed;

	tcase_add_unchecked_fixture(c, world_make, world_remove);
	tcase_add_checked_fixture(c, world_enter, world_leave);
	tcase_add_test(c, processes_share_a_token_and_lose_nothing);
	tcase_add_test(c, threads_share_a_token_and_lose_nothing);
	tcase_add_test(c, a_killed_process_leaves_what_it_acknowledged_and_nothing_it_deleted);
	tcase_add_test(c, a_key_that_another_process_deletes_signs_no_more);
	tcase_add_test(c, a_token_that_another_process_initialises_is_another_token);
	suite_add_tcase(suite, c);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
