/*
 * Promises about sessions, logins and PINs: states are those of PKCS#11; a PIN has ten tries, which
 * are told, survive the process, and are never more, whoever guesses at once; the security officer
 * gives new ones; C_InitToken keeps the endorsement and nothing else.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "module.h"

enum { TRIES = 10 };

static CK_FLAGS token_flags(CK_SLOT_ID slot)
{
	CK_TOKEN_INFO info;

	assert_ok(p11->C_GetTokenInfo(slot, &info));
	return info.flags;
}

static CK_STATE state_of(CK_SESSION_HANDLE session)
{
	CK_SESSION_INFO info;

	assert_ok(p11->C_GetSessionInfo(session, &info));
	return info.state;
}

static CK_RV set_pin(CK_SESSION_HANDLE session, const char *old_pin, const char *new_pin)
{
	uint8_t a[300], b[300];

	memcpy(a, old_pin, strlen(old_pin));
	memcpy(b, new_pin, strlen(new_pin));
	return p11->C_SetPIN(session, a, strlen(old_pin), b, strlen(new_pin));
}

static CK_RV init_pin(CK_SESSION_HANDLE session, const char *pin)
{
	uint8_t copy[300];

	memcpy(copy, pin, strlen(pin));
	return p11->C_InitPIN(session, copy, strlen(pin));
}

static CK_RV init_token(CK_SLOT_ID slot, const char *pin, const char *text)
{
	uint8_t copy[300], label[32];

	memcpy(copy, pin, strlen(pin));
	memset(label, ' ', sizeof label);
	memcpy(label, text, strlen(text));
	return p11->C_InitToken(slot, copy, strlen(pin), label);
}

/* --- sessions ----------------------------------------------------------------------------------
 */

START_TEST(a_login_is_of_all_sessions_and_ends_with_the_last)
{
	CK_SESSION_HANDLE rw = open_session(CAR, CKF_RW_SESSION), ro = open_session(CAR, 0), third;
	CK_TOKEN_INFO info;

	ck_assert_uint_eq(state_of(rw), CKS_RW_PUBLIC_SESSION);
	ck_assert_uint_eq(state_of(ro), CKS_RO_PUBLIC_SESSION);
	assert_ok(login(ro, CKU_USER, USER_PIN));
	ck_assert_uint_eq(state_of(rw), CKS_RW_USER_FUNCTIONS);
	ck_assert_uint_eq(state_of(ro), CKS_RO_USER_FUNCTIONS);
	assert_rv(login(rw, CKU_USER, USER_PIN), CKR_USER_ALREADY_LOGGED_IN);
	assert_rv(login(rw, CKU_SO, SO_PIN), CKR_USER_ANOTHER_ALREADY_LOGGED_IN);
	assert_rv(login(rw, CKU_CONTEXT_SPECIFIC, USER_PIN), CKR_OPERATION_NOT_INITIALIZED);
	assert_rv(login(rw, 77, USER_PIN), CKR_USER_TYPE_INVALID);
	assert_ok(p11->C_GetTokenInfo(CAR, &info));
	ck_assert_uint_eq(info.ulSessionCount, 2);
	ck_assert_uint_eq(info.ulRwSessionCount, 1);
	third = open_session(CAR, 0);
	ck_assert_uint_eq(state_of(third), CKS_RO_USER_FUNCTIONS);
	assert_ok(p11->C_CloseAllSessions(CAR));
	assert_rv(p11->C_CloseSession(third), CKR_SESSION_HANDLE_INVALID);
	rw = open_session(CAR, CKF_RW_SESSION);
	ck_assert_uint_eq(state_of(rw), CKS_RW_PUBLIC_SESSION);
	assert_rv(p11->C_Logout(rw), CKR_USER_NOT_LOGGED_IN);
}
END_TEST

START_TEST(the_security_officer_has_no_read_only_sessions)
{
	CK_SESSION_HANDLE ro = open_session(CAR, 0), rw = open_session(CAR, CKF_RW_SESSION);

	assert_rv(login(rw, CKU_SO, SO_PIN), CKR_SESSION_READ_ONLY_EXISTS);
	assert_ok(p11->C_CloseSession(ro));
	assert_ok(login(rw, CKU_SO, SO_PIN));
	ck_assert_uint_eq(state_of(rw), CKS_RW_SO_FUNCTIONS);
	assert_rv(p11->C_OpenSession(CAR, CKF_SERIAL_SESSION, NULL, NULL, &ro),
		  CKR_SESSION_READ_WRITE_SO_EXISTS);
	/* Keys are the user's. */
	ck_assert_uint_eq(find_key(rw, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_MEMBER), 0);
}
END_TEST

/* --- PINs --------------------------------------------------------------------------------------
 */

START_TEST(tries_run_out_and_the_security_officer_unlocks)
{
	CK_SESSION_HANDLE s = open_session(CAR, CKF_RW_SESSION);

	ck_assert_uint_eq(token_flags(CAR) & CKF_USER_PIN_COUNT_LOW, 0);
	/* What cannot be a PIN costs nothing. */
	assert_rv(login(s, CKU_USER, "abc"), CKR_PIN_INCORRECT);
	ck_assert_uint_eq(token_flags(CAR) & CKF_USER_PIN_COUNT_LOW, 0);
	for (int i = 0; i < TRIES - 1; i++) {
		assert_rv(login(s, CKU_USER, "wrong"), CKR_PIN_INCORRECT);
		ck_assert(token_flags(CAR) & CKF_USER_PIN_COUNT_LOW);
		ck_assert_int_eq((token_flags(CAR) & CKF_USER_PIN_FINAL_TRY) != 0, i == TRIES - 2);
		/* Another process would see the same. */
		if (i == 4) {
			assert_ok(p11->C_Finalize(NULL));
			assert_ok(p11->C_Initialize(NULL));
			s = open_session(CAR, CKF_RW_SESSION);
		}
	}
	assert_rv(login(s, CKU_USER, "wrong"), CKR_PIN_INCORRECT);
	ck_assert(token_flags(CAR) & CKF_USER_PIN_LOCKED);
	assert_rv(login(s, CKU_USER, USER_PIN), CKR_PIN_LOCKED);
	assert_rv(set_pin(s, USER_PIN, "another"), CKR_PIN_LOCKED);
	assert_ok(login(s, CKU_SO, SO_PIN));
	assert_ok(init_pin(s, "another"));
	assert_ok(p11->C_Logout(s));
	ck_assert_uint_eq(token_flags(CAR) & (CKF_USER_PIN_LOCKED | CKF_USER_PIN_COUNT_LOW |
					      CKF_USER_PIN_FINAL_TRY),
			  0);
	assert_rv(login(s, CKU_USER, USER_PIN), CKR_PIN_INCORRECT);
	assert_ok(login(s, CKU_USER, "another"));
	/* Keys are as they were, and success has given the tries back. */
	ck_assert_uint_ne(find_key(s, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_MEMBER), 0);
	ck_assert_uint_eq(token_flags(CAR) & CKF_USER_PIN_COUNT_LOW, 0);
}
END_TEST

START_TEST(a_new_pin_replaces_the_old_one)
{
	CK_SESSION_HANDLE s = open_session(CAR, CKF_RW_SESSION), ro;
	char longest[257];

	memset(longest, 'x', 256);
	longest[256] = '\0';
	assert_rv(set_pin(s, USER_PIN, "abc"), CKR_PIN_LEN_RANGE);
	assert_rv(set_pin(s, USER_PIN, longest), CKR_PIN_LEN_RANGE);
	assert_rv(set_pin(s, "wrong", "another"), CKR_PIN_INCORRECT);
	longest[255] = '\0';
	assert_ok(set_pin(s, USER_PIN, longest));
	assert_rv(login(s, CKU_USER, USER_PIN), CKR_PIN_INCORRECT);
	assert_ok(login(s, CKU_USER, longest));
	assert_rv(init_pin(s, "another"), CKR_USER_NOT_LOGGED_IN);
	assert_ok(set_pin(s, longest, "four"));
	ro = open_session(CAR, 0);
	assert_rv(set_pin(ro, "four", "another"), CKR_SESSION_READ_ONLY);
	assert_ok(p11->C_CloseSession(ro));
	assert_ok(p11->C_Logout(s));
	assert_ok(login(s, CKU_SO, SO_PIN));
	assert_ok(set_pin(s, SO_PIN, "new officer"));
	assert_ok(p11->C_Logout(s));
	assert_rv(login(s, CKU_SO, SO_PIN), CKR_PIN_INCORRECT);
	assert_ok(login(s, CKU_SO, "new officer"));
}
END_TEST

/* Guesses until it is told that there are no tries; the exit status is how many were looked at. */
static int guess(void)
{
	CK_SESSION_HANDLE s;
	int looked_at = 0;
	CK_RV rv;

	if (p11->C_Initialize(NULL) != CKR_OK ||
	    p11->C_OpenSession(CAR, CKF_SERIAL_SESSION, NULL, NULL, &s) != CKR_OK)
		return 100;
	while ((rv = login(s, CKU_USER, "wrong")) == CKR_PIN_INCORRECT)
		looked_at++;
	return rv == CKR_PIN_LOCKED ? looked_at : 100;
}

START_TEST(guessing_in_parallel_gives_no_more_tries)
{
	enum { GUESSERS = 4 };
	pid_t children[GUESSERS];
	int total = 0, status;

	for (int i = 0; i < GUESSERS; i++) {
		children[i] = fork();
		ck_assert_int_ge(children[i], 0);
		if (children[i] == 0)
			_exit(guess());
	}
	for (int i = 0; i < GUESSERS; i++) {
		ck_assert_int_eq(waitpid(children[i], &status, 0), children[i]);
		ck_assert(WIFEXITED(status));
		total += WEXITSTATUS(status);
	}
	ck_assert_int_eq(total, TRIES);
	ck_assert(token_flags(CAR) & CKF_USER_PIN_LOCKED);
}
END_TEST

/* --- C_InitToken -------------------------------------------------------------------------------
 */

START_TEST(a_token_is_made_where_there_was_none)
{
	CK_SESSION_HANDLE s;

	assert_rv(init_token(EMPTY, "abc", "new"), CKR_PIN_LEN_RANGE);
	assert_ok(init_token(EMPTY, SO_PIN, "new"));
	s = open_session(EMPTY, CKF_RW_SESSION);
	assert_rv(login(s, CKU_USER, USER_PIN), CKR_USER_PIN_NOT_INITIALIZED);
	assert_ok(login(s, CKU_SO, SO_PIN));
	assert_ok(init_pin(s, USER_PIN));
	assert_ok(p11->C_Logout(s));
	assert_ok(login(s, CKU_USER, USER_PIN));
	/* The certificate request. */
	ck_assert_uint_eq(count_all(s), 1);
}
END_TEST

START_TEST(a_token_that_is_initialised_anew_keeps_its_endorsement)
{
	CK_OBJECT_CLASS data = CKO_DATA, certificate = CKO_CERTIFICATE;
	CK_ATTRIBUTE request = {CKA_CLASS, &data, sizeof data};
	CK_ATTRIBUTE chain = {CKA_CLASS, &certificate, sizeof certificate};
	CK_SESSION_HANDLE s = open_session(CAR, 0), issuer;
	bytes before = get_attribute(s, find_one(s, &request, 1), CKA_VALUE), after;

	assert_rv(init_token(CAR, SO_PIN, "again"), CKR_SESSION_EXISTS);
	assert_ok(p11->C_CloseAllSessions(CAR));
	assert_rv(init_token(CAR, "not the SO's", "again"), CKR_PIN_INCORRECT);
	ck_assert(token_flags(CAR) & CKF_SO_PIN_COUNT_LOW);
	assert_ok(init_token(CAR, SO_PIN, "again"));
	ck_assert_uint_eq(token_flags(CAR) & CKF_USER_PIN_INITIALIZED, 0);
	s = open_session(CAR, CKF_RW_SESSION);
	assert_ok(login(s, CKU_SO, SO_PIN));
	assert_ok(init_pin(s, USER_PIN));
	assert_ok(p11->C_Logout(s));
	assert_ok(login(s, CKU_USER, USER_PIN));
	ck_assert_uint_eq(count_all(s), 2);
	after = get_attribute(s, find_one(s, &request, 1), CKA_VALUE);
	ck_assert(before.len == after.len && memcmp(before.data, after.data, after.len) == 0);
	ck_assert_uint_ne(find_one(s, &chain, 1), 0);
	/* The key is there too: it endorses a request, whose certificate has a live credential. */
	issuer = user_session(ISSUER);
	bytes group =
	    get_attribute(issuer, find_key(issuer, CKO_PUBLIC_KEY, CK_VLDAA_ROLE_GROUP), CKA_VALUE);
	CK_OBJECT_HANDLE public_key, member,
	    key = find_key(issuer, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_ISSUER);
	CK_MECHANISM m = {CKM_VLDAA_MEMBER, group.data, group.len};
	bytes nonce, req, answer;

	assert_ok(p11->C_GenerateKeyPair(s, &m, NULL, 0, NULL, 0, &public_key, &member));
	nonce = sign(issuer, CKM_VLDAA_JOIN_NONCE, NULL, key, "", 0);
	req = sign(s, CKM_VLDAA_JOIN_REQUEST, NULL, member, nonce.data, nonce.len);
	assert_rv(try_sign(issuer, CKM_VLDAA_JOIN_ISSUE, NULL, key, req.data, req.len, &answer),
		  CKR_VLDAA_MEMBER_EXISTS);
	answer = sign(issuer, CKM_VLDAA_JOIN_ISSUE, "replace", key, req.data, req.len);
	bytes_free(&answer);
	bytes_free(&req);
	bytes_free(&nonce);
	bytes_free(&group);
	bytes_free(&before);
	bytes_free(&after);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("pkcs11_pins");
	TCase *c = tcase_create("pins");
	SRunner *runner;
	int failed;

	tcase_add_unchecked_fixture(c, world_make, world_remove);
	tcase_add_checked_fixture(c, world_enter, world_leave);
	tcase_add_test(c, a_login_is_of_all_sessions_and_ends_with_the_last);
	tcase_add_test(c, the_security_officer_has_no_read_only_sessions);
	tcase_add_test(c, tries_run_out_and_the_security_officer_unlocks);
	tcase_add_test(c, a_new_pin_replaces_the_old_one);
	tcase_add_test(c, guessing_in_parallel_gives_no_more_tries);
	tcase_add_test(c, a_token_is_made_where_there_was_none);
	tcase_add_test(c, a_token_that_is_initialised_anew_keeps_its_endorsement);
	suite_add_tcase(suite, c);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
