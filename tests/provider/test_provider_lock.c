/*
 * Promise: the provider's own locks are free in a forked child, also when a thread of the parent holds one; in the parent
 * they keep threads apart; a child's first threads agree on one.
 */
#include <check.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lock.h"

enum { THREADS = 8, ROUNDS = 20000, PATIENCE = 60 };

static vldaa_prov_lock *lock;
static atomic_int held, may_go;
static int counted;

static void *hold(void *arg)
{
	(void)arg;
	if (!vldaa_prov_lock_write(lock))
		return NULL;
	atomic_store(&held, 1);
	while (!atomic_load(&may_go))
		(void)sched_yield();
	vldaa_prov_unlock(lock);
	return lock;
}

static void *count(void *arg)
{
	for (int i = 0; i < ROUNDS; i++) {
		if (!vldaa_prov_lock_write(lock))
			return NULL;
		counted++;
		vldaa_prov_unlock(lock);
	}
	return arg;
}

/* 1 when nobody's count was lost. */
static int count_together(void)
{
	pthread_t threads[THREADS];
	int fine = 1;

	counted = 0;
	for (int i = 0; i < THREADS; i++)
		fine &= pthread_create(&threads[i], NULL, count, lock) == 0;
	for (int i = 0; i < THREADS; i++) {
		void *result = NULL;

		fine &= pthread_join(threads[i], &result) == 0 && result == lock;
	}
	return fine && counted == THREADS * ROUNDS;
}

static int lock_once(void)
{
	const int locked = vldaa_prov_lock_write(lock);

	if (locked)
		vldaa_prov_unlock(lock);
	return locked;
}

/* 0 when it returns 1 in a child.  One that waits for ever is ended by its alarm. */
static int in_child(int (*work)(void))
{
	const pid_t child = fork();
	int status = 1;

	if (child == 0) {
		(void)alarm(PATIENCE);
		_exit(work() ? 0 : 1);
	}
	ck_assert_int_gt(child, 0);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	return status;
}

START_TEST(a_lock_keeps_threads_apart_here_and_in_a_child)
{
	ck_assert_int_eq(count_together(), 1);
	ck_assert_int_eq(in_child(count_together), 0);
	ck_assert_int_eq(count_together(), 1);
}
END_TEST

START_TEST(a_lock_that_a_thread_of_the_parent_holds_is_free_in_a_child)
{
	pthread_t holder;
	void *result;

	ck_assert_int_eq(pthread_create(&holder, NULL, hold, NULL), 0);
	while (!atomic_load(&held))
		(void)sched_yield();
	for (int i = 0; i < 20; i++)
		ck_assert_int_eq(in_child(lock_once), 0);
	atomic_store(&may_go, 1);
	ck_assert_int_eq(pthread_join(holder, &result), 0);
	ck_assert_ptr_eq(result, lock);
	ck_assert_int_eq(vldaa_prov_lock_read(lock), 1);
	vldaa_prov_unlock(lock);
}
END_TEST

static void enter(void)
{
	lock = vldaa_prov_lock_new();
	ck_assert_ptr_nonnull(lock);
	atomic_store(&held, 0);
	atomic_store(&may_go, 0);
}

static void leave(void)
{
	vldaa_prov_lock_free(lock);
}

int main(void)
{
	Suite *s = suite_create("the provider's locks");
	TCase *c = tcase_create("fork");
	SRunner *runner = srunner_create(s);

	tcase_set_timeout(c, 600);
	tcase_add_checked_fixture(c, enter, leave);
	tcase_add_test(c, a_lock_keeps_threads_apart_here_and_in_a_child);
	tcase_add_test(c, a_lock_that_a_thread_of_the_parent_holds_is_free_in_a_child);
	suite_add_tcase(s, c);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
