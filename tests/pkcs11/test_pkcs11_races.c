/*
 * Promises about two processes that change one token at the same moment: the outcome is that of one
 * after the other.  Of several who make a token one has made it; a token that is initialised anew
 * meanwhile keeps nothing of the old one, and works; a pseudonym that is revoked while it is made is
 * not made; of two changes of one object both are there; a PIN that the security officer sets is the
 * PIN.
 */
#include <check.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "module.h"

static CK_OBJECT_CLASS data_class = CKO_DATA;
static CK_BBOOL yes = CK_TRUE;

static CK_RV init_token(CK_SLOT_ID slot)
{
	uint8_t pin[] = SO_PIN, label[32];

	memset(label, ' ', sizeof label);
	return p11->C_InitToken(slot, pin, sizeof pin - 1, label);
}

static CK_OBJECT_HANDLE member;

/* A child that does this until it is told that it cannot: 0 when its token is another one now. */
typedef CK_RV act(CK_SESSION_HANDLE s, unsigned round);
static pid_t keep_doing(act *what)
{
	const pid_t child = fork();

	ck_assert_int_ge(child, 0);
	if (child == 0) {
		const CK_SESSION_HANDLE s = start_in_child();

		member = find_key(s, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_MEMBER);
		for (unsigned i = 0;; i++) {
			const CK_RV rv = what(s, i);

			if (rv == CKR_DEVICE_REMOVED)
				_exit(0);
			if (rv != CKR_OK)
				_exit(1);
		}
	}
	return child;
}

static int exit_status(pid_t child)
{
	int status;

	ck_assert_int_eq(waitpid(child, &status, 0), child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/* --- C_InitToken against writers ---------------------------------------------------------------
 */

static CK_RV make_private_data(CK_SESSION_HANDLE s, unsigned round)
{
	uint8_t value[64] = {(uint8_t)round};
	CK_ATTRIBUTE templ[] = {{CKA_CLASS, &data_class, sizeof data_class},
				{CKA_TOKEN, &yes, 1},
				{CKA_PRIVATE, &yes, 1},
				{CKA_VALUE, value, sizeof value}};
	CK_OBJECT_HANDLE o;

	return p11->C_CreateObject(s, templ, 4, &o);
}

static CK_RV change_pin(CK_SESSION_HANDLE s, unsigned round)
{
	uint8_t a[] = USER_PIN;

	(void)round;
	return p11->C_SetPIN(s, a, sizeof a - 1, a, sizeof a - 1);
}

static CK_RV make_pseudonym(CK_SESSION_HANDLE s, unsigned round)
{
	char name[32];
	CK_OBJECT_HANDLE o;
	CK_RV rv;

	(void)snprintf(name, sizeof name, "round %u", round);
	rv = try_create(s, member, name, 1, &o);
	return rv == CKR_OK ? p11->C_DestroyObject(s, o) : rv;
}

/* What a token of this security officer's must be fit for. */
static void check_new_token(void)
{
	uint8_t pin[] = USER_PIN;
	CK_SESSION_HANDLE s = open_session(CAR, CKF_RW_SESSION), issuer = user_session(ISSUER);

	assert_ok(login(s, CKU_SO, SO_PIN));
	assert_ok(p11->C_InitPIN(s, pin, sizeof pin - 1));
	assert_ok(p11->C_Logout(s));
	assert_ok(login(s, CKU_USER, USER_PIN));
	/* The certificate request and the certificate. */
	ck_assert_uint_eq(count_all(s), 2);
	assert_ok(make_private_data(s, 0));
	assert_ok(p11->C_CloseSession(s));
	assert_ok(p11->C_CloseSession(issuer));
}

static act *const writers[] = {make_private_data, change_pin, make_pseudonym};

START_TEST(a_token_initialised_under_a_writer_is_whole_and_has_nothing_of_the_old_one)
{
	for (int i = 0; i < as_long(6, 60); i++) {
		const pid_t child = keep_doing(writers[_i]);

		pause_ms(150);
		assert_ok(init_token(CAR));
		/* It is told, and nothing else happens to it. */
		ck_assert_int_eq(exit_status(child), 0);
		check_new_token();
		if (writers[_i] == make_pseudonym) {
			/* The next one needs a member. */
			world_leave();
			world_enter();
		}
	}
}
END_TEST

/* --- C_InitToken against C_InitToken -----------------------------------------------------------
 */

enum { FOUNDERS = 4 };

static char *pin_of(int i)
{
	static char pin[32];

	(void)snprintf(pin, sizeof pin, "officer %d", i);
	return pin;
}

/* The exit status: 0 has made it, 1 was told that somebody else has, meanwhile or before. */
static int found_token(int i, const int start[2])
{
	char *pin = pin_of(i);
	uint8_t label[32], byte;
	CK_RV rv;

	memset(label, ' ', sizeof label);
	if (p11->C_Initialize(NULL) != CKR_OK || close(start[1]) != 0 ||
	    read(start[0], &byte, 1) != 0)
		return 2;
	rv = p11->C_InitToken(EMPTY, (uint8_t *)pin, strlen(pin), label);
	if (rv == CKR_OK)
		return 0;
	return rv == CKR_DEVICE_REMOVED || rv == CKR_PIN_INCORRECT ? 1 : 2;
}

START_TEST(of_several_who_make_a_token_one_has_made_it)
{
	for (int round = 0; round < as_long(5, 50); round++) {
		pid_t children[FOUNDERS];
		int start[2], winner = -1;
		CK_SESSION_HANDLE s;

		ck_assert_int_eq(pipe(start), 0);
		for (int i = 0; i < FOUNDERS; i++) {
			children[i] = fork();
			ck_assert_int_ge(children[i], 0);
			if (children[i] == 0)
				_exit(found_token(i, start));
		}
		pause_ms(20);
		ck_assert_int_eq(close(start[0]) | close(start[1]), 0);
		for (int i = 0; i < FOUNDERS; i++) {
			const int status = exit_status(children[i]);

			ck_assert_int_le(status, 1);
			ck_assert(status == 1 || winner < 0);
			if (status == 0)
				winner = i;
		}
		ck_assert_int_ge(winner, 0);
		s = open_session(EMPTY, CKF_RW_SESSION);
		assert_ok(login(s, CKU_SO, pin_of(winner)));
		/* The certificate request. */
		ck_assert_uint_eq(count_all(s), 1);
		world_leave();
		world_enter();
	}
}
END_TEST

/* --- Revoke against Create ---------------------------------------------------------------------
 */

static CK_RV make_the_revoked_one(CK_SESSION_HANDLE s, unsigned round)
{
	CK_OBJECT_HANDLE o;

	(void)round;
	return try_create(s, member, "platoon-7", 1, &o);
}

static bytes order_for_car(CK_SESSION_HANDLE car, int hard)
{
	CK_SESSION_HANDLE issuer = user_session(ISSUER);
	bytes key =
	    get_attribute(issuer, find_key(issuer, CKO_PUBLIC_KEY, CK_VLDAA_ROLE_GROUP), CKA_VALUE);
	bytes fleet = get_attribute(issuer, find_key(issuer, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_ISSUER),
				    CKA_VLDAA_FLEET_KEY);
	bytes attestation = get_attribute(
	    car, find_key(car, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_PSEUDONYM), CKA_VLDAA_ATTESTATION);
	bytes order = order_against(&key, &fleet, &attestation, hard, 1, NULL);

	bytes_free(&key);
	bytes_free(&fleet);
	bytes_free(&attestation);
	assert_ok(p11->C_CloseSession(issuer));
	return order;
}

START_TEST(a_pseudonym_that_is_revoked_while_it_is_made_is_not_made)
{
	for (int i = 0; i < as_long(8, 80); i++) {
		CK_SESSION_HANDLE s = user_session(CAR);
		bytes order = order_for_car(s, _i), confirmation;
		const pid_t child = keep_doing(make_the_revoked_one);

		member = find_key(s, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_MEMBER);
		pause_ms(40 + 7 * i);
		confirmation = sign(s, CKM_VLDAA_REVOKE, NULL, member, order.data, order.len);
		/* It was refused. */
		ck_assert_int_eq(exit_status(child), 1);
		ck_assert_uint_eq(find_key(s, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_PSEUDONYM), 0);
		CK_ULONG role = CK_VLDAA_ROLE_PSEUDONYM, n;
		CK_ATTRIBUTE templ = {CKA_VLDAA_ROLE, &role, sizeof role};
		CK_OBJECT_HANDLE o;
		assert_ok(p11->C_FindObjectsInit(s, &templ, 1));
		assert_ok(p11->C_FindObjects(s, &o, 1, &n));
		assert_ok(p11->C_FindObjectsFinal(s));
		ck_assert_uint_eq(n, 0);
		bytes_free(&order);
		bytes_free(&confirmation);
		world_leave();
		world_enter();
	}
}
END_TEST

/* --- two changes of one object -----------------------------------------------------------------
 */

static CK_OBJECT_HANDLE shared;

/* Each sets an attribute of its own, and must find it as it was when it comes back. */
static int set_and_look(CK_SESSION_HANDLE s, CK_ATTRIBUTE_TYPE type)
{
	const time_t end = time(NULL) + as_long(2, 20);
	unsigned last = 0;
	CK_ATTRIBUTE a = {type, &last, sizeof last};

	if (p11->C_SetAttributeValue(s, shared, &a, 1) != CKR_OK)
		return 1;
	for (unsigned i = 1; time(NULL) < end; i++) {
		unsigned now = 0;

		a.pValue = &now;
		if (p11->C_GetAttributeValue(s, shared, &a, 1) != CKR_OK || now != last)
			return 3;
		last = i;
		a.pValue = &last;
		if (p11->C_SetAttributeValue(s, shared, &a, 1) != CKR_OK)
			return 1;
	}
	return 0;
}

START_TEST(of_two_changes_at_once_both_are_there)
{
	static const CK_ATTRIBUTE_TYPE types[] = {CKA_LABEL, CKA_ID};
	pid_t children[2];
	CK_SESSION_HANDLE s = user_session(CAR);

	shared = find_key(s, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_MEMBER);
	for (int i = 0; i < 2; i++) {
		children[i] = fork();
		ck_assert_int_ge(children[i], 0);
		if (children[i] == 0)
			_exit(set_and_look(start_in_child(), types[i]));
	}
	for (int i = 0; i < 2; i++)
		ck_assert_int_eq(exit_status(children[i]), 0);
}
END_TEST

/* --- PINs --------------------------------------------------------------------------------------
 */

static void *set_users_pin(void *arg)
{
	static CK_RV rv;
	uint8_t pin[] = "a new one";

	rv = p11->C_InitPIN(*(CK_SESSION_HANDLE *)arg, pin, sizeof pin - 1);
	return &rv;
}

/* Who changes a PIN has looked at the old one before: nobody sets another in between. */
START_TEST(the_security_officer_waits_for_who_is_changing_the_pin)
{
	CK_SESSION_HANDLE s = open_session(CAR, CKF_RW_SESSION);
	struct flock l = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	struct timespec soon;
	char path[160];
	pthread_t thread;
	void *result;
	int fd;

	assert_ok(login(s, CKU_SO, SO_PIN));
	(void)snprintf(path, sizeof path, "%s/token.lock", world_directory(CAR));
	fd = open(path, O_RDWR);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(fcntl(fd, F_OFD_SETLK, &l), 0);
	ck_assert_int_eq(pthread_create(&thread, NULL, set_users_pin, &s), 0);
	(void)clock_gettime(CLOCK_REALTIME, &soon);
	soon.tv_sec++;
	ck_assert_int_ne(pthread_timedjoin_np(thread, &result, &soon), 0);
	ck_assert_int_eq(close(fd), 0);
	ck_assert_int_eq(pthread_join(thread, &result), 0);
	assert_ok(*(CK_RV *)result);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("pkcs11_races");
	TCase *c = tcase_create("races");
	SRunner *runner;
	int failed;

	tcase_add_unchecked_fixture(c, world_make, world_remove);
	tcase_add_checked_fixture(c, world_enter, world_leave);
	tcase_add_loop_test(
	    c, a_token_initialised_under_a_writer_is_whole_and_has_nothing_of_the_old_one, 0,
	    sizeof writers / sizeof writers[0]);
	tcase_add_test(c, of_several_who_make_a_token_one_has_made_it);
	tcase_add_loop_test(c, a_pseudonym_that_is_revoked_while_it_is_made_is_not_made, 0, 2);
	tcase_add_test(c, of_two_changes_at_once_both_are_there);
	tcase_add_test(c, the_security_officer_waits_for_who_is_changing_the_pin);
	suite_add_tcase(suite, c);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
