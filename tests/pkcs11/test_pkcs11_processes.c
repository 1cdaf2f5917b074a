/*
 * Promises about a token that several processes and threads use: nobody loses anything, everybody
 * sees one token; kill -9 at any moment loses nothing that was acknowledged, and brings nothing back
 * that was deleted; what one process ends, ends for all.
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include <check.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "creates.h"
#include "module.h"

enum { MAX_WORKERS = 8, SECONDS = 60, KEPT = 2 };

static int workers(void)
{
	return as_long(4, MAX_WORKERS);
}

/* --- work --------------------------------------------------------------------------------------
 */

/* What a worker has done, for all processes to see: rounds that have ended, since each of its calls
 * returned.  Of those one in KEPT left a pseudonym, the others deleted it. */
typedef struct {
	atomic_int rounds;
	atomic_int failed;
} tally;

static tally *tallies;

static void share_tallies(void)
{
	tallies = mmap(NULL, MAX_WORKERS * sizeof *tallies, PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(tallies, MAP_FAILED);
}

static int64_t now(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* A few rounds, or a minute of them. */
static int goes_on(int worker, int64_t start)
{
	return as_long(0, 1) ? now() - start < SECONDS * 1000 : tallies[worker].rounds < 5;
}

static void name_of(char name[64], int worker, int round)
{
	(void)snprintf(name, 64, "worker %d round %d", worker, round);
}

/* Makes a pseudonym, signs under it, and deletes it or not. */
static int work_once(CK_SESSION_HANDLE s, CK_OBJECT_HANDLE member, const char *name, int keeps)
{
	const CK_OBJECT_HANDLE group = find_key(s, CKO_PUBLIC_KEY, CK_VLDAA_ROLE_GROUP);
	CK_OBJECT_HANDLE key;
	bytes sig;
	CK_RV rv = try_create(s, member, name, 1, &key);

	if (rv == CKR_OK)
		rv = try_sign(s, CKM_VLDAA_SIGN_COMPACT, NULL, key, name, 5, &sig);
	if (rv == CKR_OK) {
		rv = verify(s, CKM_VLDAA_SIGN_COMPACT, NULL, group, name, 5, &sig);
		bytes_free(&sig);
	}
	if (rv == CKR_OK && !keeps)
		rv = p11->C_DestroyObject(s, key);
	return rv == CKR_OK;
}

static void work(CK_SESSION_HANDLE s, int worker)
{
	const CK_OBJECT_HANDLE member = find_key(s, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_MEMBER);
	const int64_t start = now();

	while (!tallies[worker].failed && goes_on(worker, start)) {
		const int round = tallies[worker].rounds;
		char name[64];

		name_of(name, worker, round);
		if (work_once(s, member, name, round % KEPT == 0))
			tallies[worker].rounds = round + 1;
		else
			tallies[worker].failed = 1;
	}
}

/* --- what there is -----------------------------------------------------------------------------
 */

static int has_basename(CK_SESSION_HANDLE s, CK_OBJECT_CLASS class, const char *name)
{
	char copy[64];
	CK_ATTRIBUTE templ[] = {{CKA_CLASS, &class, sizeof class},
				{CKA_VLDAA_BASENAME, copy, strlen(name)}};

	memcpy(copy, name, strlen(name));
	return find_one(s, templ, 2) != 0;
}

/* Halves of the workers' pseudonyms in one state of the token: 1 a private one, 2 a public one. */
enum { MAX_ROUNDS = 20000, MAX_FOUND = 2 * MAX_WORKERS * MAX_ROUNDS };
static uint8_t halves[MAX_WORKERS][MAX_ROUNDS];
static CK_OBJECT_HANDLE found[MAX_FOUND];

/* What has gone between the search and here is not counted. */
static void count_half(CK_SESSION_HANDLE s, CK_OBJECT_HANDLE object)
{
	CK_OBJECT_CLASS class = 0;
	char name[64] = "";
	CK_ATTRIBUTE a[] = {{CKA_CLASS, &class, sizeof class},
			    {CKA_VLDAA_BASENAME, name, sizeof name - 1}};
	const CK_RV rv = p11->C_GetAttributeValue(s, object, a, 2);
	int worker, round;

	if (rv == CKR_OBJECT_HANDLE_INVALID)
		return;
	assert_ok(rv);
	if (sscanf(name, "worker %d round %d", &worker, &round) != 2)
		return;
	ck_assert(worker < MAX_WORKERS && round < MAX_ROUNDS);
	ck_assert_uint_eq(halves[worker][round] & (class == CKO_PRIVATE_KEY ? 1 : 2), 0);
	halves[worker][round] |= class == CKO_PRIVATE_KEY ? 1 : 2;
}

/* All that was acknowledged before the search is there, and nothing that was deleted before. */
static void check_state(CK_SESSION_HANDLE s)
{
	CK_ULONG role = CK_VLDAA_ROLE_PSEUDONYM, n = 0;
	CK_ATTRIBUTE templ = {CKA_VLDAA_ROLE, &role, sizeof role};
	int done[MAX_WORKERS];

	for (int w = 0; w < workers(); w++)
		done[w] = tallies[w].rounds;
	memset(halves, 0, sizeof halves);
	assert_ok(p11->C_FindObjectsInit(s, &templ, 1));
	assert_ok(p11->C_FindObjects(s, found, MAX_FOUND, &n));
	assert_ok(p11->C_FindObjectsFinal(s));
	for (CK_ULONG i = 0; i < n; i++)
		count_half(s, found[i]);
	for (int w = 0; w < workers(); w++) {
		for (int i = 0; i < done[w]; i++)
			ck_assert_msg(halves[w][i] == (i % KEPT == 0 ? 3 : 0),
				      "worker %d round %d of %d: %d", w, i, done[w], halves[w][i]);
		for (int i = done[w] + 1; i < MAX_ROUNDS; i++)
			ck_assert_msg(halves[w][i] == 0 || i <= tallies[w].rounds,
				      "worker %d round %d: not yet", w, i);
	}
}

/* What is there signs. */
static int check_end(CK_SESSION_HANDLE s)
{
	int total = 0;

	check_state(s);
	for (int w = 0; w < workers(); w++) {
		const int rounds = tallies[w].rounds;

		ck_assert_int_eq(tallies[w].failed, 0);
		ck_assert_int_gt(rounds, 0);
		for (int i = 0; i < rounds; i += KEPT * (1 + rounds / 20)) {
			CK_OBJECT_CLASS class = CKO_PRIVATE_KEY;
			char name[64];
			CK_ATTRIBUTE templ[] = {{CKA_CLASS, &class, sizeof class},
						{CKA_VLDAA_BASENAME, name, 0}};

			name_of(name, w, i);
			templ[1].ulValueLen = strlen(name);
			bytes sig =
			    sign(s, CKM_VLDAA_SIGN_COMPACT, NULL, find_one(s, templ, 2), name, 1);
			bytes_free(&sig);
		}
		total += rounds;
	}
	return total;
}

START_TEST(processes_share_a_token_and_lose_nothing)
{
	pid_t children[MAX_WORKERS];
	int running = workers(), looks = 0, total, status;
	/* Which was there before sees it all. */
	CK_SESSION_HANDLE s = user_session(CAR);

	share_tallies();
	for (int i = 0; i < workers(); i++) {
		children[i] = fork();
		ck_assert_int_ge(children[i], 0);
		if (children[i] == 0) {
			work(start_in_child(), i);
			_exit(tallies[i].failed);
		}
	}
	while (running > 0) {
		check_state(s);
		looks++;
		pause_ms(as_long(20, 500));
		for (int i = 0; i < workers(); i++) {
			if (children[i] == 0 || waitpid(children[i], &status, WNOHANG) == 0)
				continue;
			ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
			children[i] = 0;
			running--;
		}
	}
	total = check_end(s);
	/* One was there before. */
	ck_assert_uint_eq(creates_counted(CAR), 1 + (unsigned)total);
	if (as_long(0, 1))
		printf("%d processes made and signed with %d pseudonyms; seen %d times\n",
		       workers(), total, looks);
}
END_TEST

static void *run_thread(void *arg)
{
	const int *worker = arg;
	CK_SESSION_HANDLE s;

	if (p11->C_OpenSession(CAR, CKF_SERIAL_SESSION | CKF_RW_SESSION, NULL, NULL, &s) == CKR_OK)
		work(s, *worker);
	else
		tallies[*worker].failed = 1;
	return NULL;
}

START_TEST(threads_share_a_token_and_lose_nothing)
{
	CK_SESSION_HANDLE s = user_session(CAR);
	pthread_t threads[MAX_WORKERS];
	int numbers[MAX_WORKERS], total;

	share_tallies();
	for (int i = 0; i < workers(); i++) {
		numbers[i] = i;
		ck_assert_int_eq(pthread_create(&threads[i], NULL, run_thread, &numbers[i]), 0);
	}
	for (int i = 0; i < workers(); i++)
		ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
	total = check_end(s);
	ck_assert_uint_eq(creates_counted(CAR), 1 + (unsigned)total);
}
END_TEST

/* --- killed ------------------------------------------------------------------------------------
 */

enum { MAX_ITEMS = 1000, LINE = 32 };

/* A process that works until it is killed, and what it has told. */
typedef struct {
	pid_t child;
	int in; /* from it */
	int last;
	char deleted[MAX_ITEMS];
} victim;

static void item_name(char name[LINE], int worker, int item)
{
	memset(name, 0, LINE);
	(void)snprintf(name, LINE - 1, "%d.%d", worker, item);
}

/* A line for each thing that was acknowledged. */
static void work_until_killed(int out, int worker)
{
	CK_SESSION_HANDLE s = start_in_child();
	const CK_OBJECT_HANDLE member = find_key(s, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_MEMBER);

	for (int i = 0; i < MAX_ITEMS; i++) {
		char line[LINE];
		CK_OBJECT_HANDLE key;

		item_name(line, worker, i);
		if (try_create(s, member, line, 1, &key) != CKR_OK)
			_exit(1);
		line[LINE - 1] = '+';
		if (write(out, line, sizeof line) != sizeof line)
			_exit(1);
		if (i % 2 == 0)
			continue;
		if (p11->C_DestroyObject(s, key) != CKR_OK)
			_exit(1);
		line[LINE - 1] = '-';
		if (write(out, line, sizeof line) != sizeof line)
			_exit(1);
	}
	_exit(1);
}

static void start_victim(victim *v, int worker)
{
	int ends[2];

	memset(v, 0, sizeof *v);
	v->last = -1;
	ck_assert_int_eq(pipe(ends), 0);
	v->child = fork();
	ck_assert_int_ge(v->child, 0);
	if (v->child == 0) {
		(void)close(ends[0]);
		work_until_killed(ends[1], worker);
	}
	(void)close(ends[1]);
	v->in = ends[0];
}

/* 0 at the end. */
static int read_line(victim *v)
{
	char line[LINE];
	int worker;

	if (read(v->in, line, LINE) != LINE)
		return 0;
	ck_assert_int_eq(sscanf(line, "%d.%d", &worker, &v->last), 2);
	v->deleted[v->last] = line[LINE - 1] == '-';
	return 1;
}

static void end_victim(victim *v)
{
	int status;

	(void)kill(v->child, SIGKILL);
	ck_assert_int_eq(waitpid(v->child, &status, 0), v->child);
	ck_assert(WIFSIGNALED(status));
	while (read_line(v))
		;
	(void)close(v->in);
}

static void check_victim(CK_SESSION_HANDLE s, const victim *v, int worker)
{
	for (int i = 0; i <= v->last; i++) {
		char name[LINE];
		int has;

		item_name(name, worker, i);
		has = has_basename(s, CKO_PRIVATE_KEY, name);
		ck_assert_int_eq(has, has_basename(s, CKO_PUBLIC_KEY, name));
		/* Of the last one the deletion may be done and not told. */
		if (i < v->last || i % 2 == 0)
			ck_assert_int_eq(has, !v->deleted[i]);
		else if (v->deleted[i])
			ck_assert_int_eq(has, 0);
	}
}

/* And it works on: what is left is deleted, for the next round. */
static void delete_left(CK_SESSION_HANDLE s, const victim *v, int worker)
{
	for (int i = 0; i <= v->last + 1; i++) {
		CK_OBJECT_CLASS class = CKO_PRIVATE_KEY;
		char name[LINE];
		CK_ATTRIBUTE templ[] = {{CKA_CLASS, &class, sizeof class},
					{CKA_VLDAA_BASENAME, name, 0}};
		CK_OBJECT_HANDLE key;

		item_name(name, worker, i);
		templ[1].ulValueLen = strlen(name);
		key = find_one(s, templ, 2);
		if (key != 0)
			assert_ok(p11->C_DestroyObject(s, key));
	}
}

/* Milliseconds: xorshift64 (Marsaglia), the same in every run; what they hit is not. */
static long any_pause(void)
{
	static uint64_t state = 88172645463325252;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (long)(state % 40);
}

START_TEST(killed_processes_leave_what_they_acknowledged_and_nothing_they_deleted)
{
	const int count = as_long(2, MAX_WORKERS), rounds = as_long(4, 200);
	int items = 0;

	for (int round = 0; round < rounds; round++) {
		victim victims[MAX_WORKERS];
		CK_SESSION_HANDLE s;

		for (int i = 0; i < count; i++)
			start_victim(&victims[i], i);
		/* Somewhere in its work: each has logged in. */
		for (int i = 0; i < count; i++)
			ck_assert(read_line(&victims[i]));
		for (int i = 0; i < count; i++) {
			pause_ms(any_pause());
			end_victim(&victims[i]);
		}
		s = user_session(CAR);
		ck_assert_uint_ne(find_key(s, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_MEMBER), 0);
		for (int i = 0; i < count; i++) {
			check_victim(s, &victims[i], i);
			items += victims[i].last + 1;
		}
		for (int i = 0; i < count; i++)
			delete_left(s, &victims[i], i);
		assert_ok(p11->C_CloseAllSessions(CAR));
	}
	if (as_long(0, 1))
		printf("%d processes killed with %d pseudonyms made\n", count * rounds, items);
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
	tcase_add_test(c, killed_processes_leave_what_they_acknowledged_and_nothing_they_deleted);
	tcase_add_test(c, a_key_that_another_process_deletes_signs_no_more);
	tcase_add_test(c, a_token_that_another_process_initialises_is_another_token);
	suite_add_tcase(suite, c);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
