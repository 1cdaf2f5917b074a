/*
 * Promises about a token in a process that runs out of memory: whichever allocation fails, the call
 * returns that it could not, nothing crashes, and the same call works afterwards.
 *
 * This program has its own malloc and mmap, in front of the C library's, which the module uses too.
 */
#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "operations.h"

/* The C library's own (glibc). */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *p, size_t size);
void *__libc_memalign(size_t align, size_t size);

/* Allocations until one fails; below 0: none does. */
static long until = -1;
static long failed;

/* 1 when this one fails. */
static int is_out(void)
{
	if (until < 0 || until-- > 0)
		return 0;
	failed++;
	return 1;
}

__attribute__((visibility("default"))) void *malloc(size_t size)
{
	return is_out() ? NULL : __libc_malloc(size);
}

__attribute__((visibility("default"))) void *calloc(size_t count, size_t size)
{
	return is_out() ? NULL : __libc_calloc(count, size);
}

__attribute__((visibility("default"))) void *realloc(void *p, size_t size)
{
	return is_out() ? NULL : __libc_realloc(p, size);
}

__attribute__((visibility("default"))) void *aligned_alloc(size_t align, size_t size)
{
	return is_out() ? NULL : __libc_memalign(align, size);
}

/* For the module's secrets, and what SQLite's processes share. */
__attribute__((visibility("default"))) void *mmap(void *at, size_t size, int rights, int flags,
						  int file, off_t offset)
{
	if (is_out()) {
		errno = ENOMEM;
		return MAP_FAILED;
	}
	return (void *)syscall(SYS_mmap, at, size, rights, flags, file, offset);
}

/* --- calls -------------------------------------------------------------------------------------
 */

static CK_SESSION_HANDLE session;
static CK_OBJECT_HANDLE member, pseudonym, group;
static uint8_t signature[65536], out[65536];
static CK_ULONG signature_len;

static CK_RV call_session(void)
{
	CK_SESSION_HANDLE s;
	CK_RV rv = p11->C_OpenSession(CAR, CKF_SERIAL_SESSION, NULL, NULL, &s);

	return rv == CKR_OK ? p11->C_CloseSession(s) : rv;
}

static CK_RV call_find(void)
{
	CK_RV rv = p11->C_FindObjectsInit(session, NULL, 0);

	return rv == CKR_OK ? p11->C_FindObjectsFinal(session) : rv;
}

static CK_RV call_sign(void)
{
	CK_MECHANISM m = {CKM_VLDAA_SIGN, NULL, 0};
	uint8_t x = 'x';
	CK_RV rv = p11->C_SignInit(session, &m, pseudonym);

	signature_len = sizeof signature;
	return rv == CKR_OK ? p11->C_Sign(session, &x, 1, signature, &signature_len) : rv;
}

static CK_RV call_verify(void)
{
	CK_MECHANISM m = {CKM_VLDAA_SIGN, NULL, 0};
	uint8_t x = 'x';
	CK_RV rv = p11->C_VerifyInit(session, &m, group);

	return rv == CKR_OK ? p11->C_Verify(session, &x, 1, signature, signature_len) : rv;
}

static CK_RV call_object(void)
{
	CK_OBJECT_CLASS class = CKO_DATA;
	CK_BBOOL yes = CK_TRUE;
	CK_ATTRIBUTE templ[] = {{CKA_CLASS, &class, sizeof class},
				{CKA_TOKEN, &yes, 1},
				{CKA_PRIVATE, &yes, 1},
				{CKA_VALUE, out, 1000}};
	CK_OBJECT_HANDLE o;
	CK_RV rv = p11->C_CreateObject(session, templ, 4, &o);

	if (rv == CKR_OK)
		rv = p11->C_SetAttributeValue(session, o, &templ[3], 1);
	return rv == CKR_OK ? p11->C_DestroyObject(session, o) : rv;
}

static CK_RV call_create(void)
{
	CK_OBJECT_HANDLE o;
	CK_RV rv = try_create(session, member, "scarce", 0, &o);

	return rv == CKR_OK ? p11->C_DestroyObject(session, o) : rv;
}

/* What failing allocations of SQLite, libcrypto and our own come out as. */
static int is_failure(CK_RV rv)
{
	return rv == CKR_HOST_MEMORY || rv == CKR_FUNCTION_FAILED || rv == CKR_DEVICE_ERROR;
}

/* Every stride-th allocation of a call fails, one in a call. */
static void starve(CK_RV (*call)(void), long stride)
{
	long at = 0;

	for (;;) {
		const long before = failed;
		CK_RV rv;

		until = at;
		rv = call();
		until = -1;
		if (failed == before) {
			assert_ok(rv);
			break;
		}
		ck_assert_msg(rv == CKR_OK || is_failure(rv), "allocation %ld: 0x%lx", at, rv);
		at += stride;
	}
	ck_assert_int_gt(at, 0);
	assert_ok(call());
}

static void enter(void)
{
	world_enter();
	session = user_session(CAR);
	member = find_key(session, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_MEMBER);
	pseudonym = find_key(session, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_PSEUDONYM);
	group = find_key(session, CKO_PUBLIC_KEY, CK_VLDAA_ROLE_GROUP);
}

START_TEST(sessions_and_searches_do_without)
{
	starve(call_session, 1);
	starve(call_find, 1);
}
END_TEST

/* Who has the right PIN and no memory is not locked out. */
START_TEST(a_login_that_fails_for_memory_costs_no_try)
{
	int failures = 0;
	CK_TOKEN_INFO info;
	CK_RV rv;

	for (long at = 0;; at++) {
		const long before = failed;

		assert_ok(p11->C_Logout(session));
		until = at;
		rv = login(session, CKU_USER, USER_PIN);
		until = -1;
		if (failed == before)
			break;
		ck_assert_msg(rv == CKR_OK || is_failure(rv), "allocation %ld: 0x%lx", at, rv);
		failures += rv != CKR_OK;
		assert_ok(p11->C_GetTokenInfo(CAR, &info));
		ck_assert_msg((info.flags & CKF_USER_PIN_COUNT_LOW) == 0, "allocation %ld", at);
		if (rv != CKR_OK)
			assert_ok(login(session, CKU_USER, USER_PIN));
	}
	assert_ok(rv);
	ck_assert_int_gt(failures, 10);
}
END_TEST

START_TEST(signing_and_verifying_do_without)
{
	starve(call_sign, 1);
	starve(call_verify, 1);
}
END_TEST

START_TEST(objects_are_made_and_changed_or_not)
{
	const CK_ULONG before = count_all(session);

	starve(call_object, as_long(3, 1));
	/* What was made before a later step failed is there. */
	ck_assert_uint_ge(count_all(session), before);
}
END_TEST

START_TEST(pseudonyms_are_made_or_not)
{
	starve(call_create, as_long(17, 1));
}
END_TEST

/* --- every operation ---------------------------------------------------------------------------
 */

/* As many samples as there is time for.  FLINT ends the process when it has no memory: no Setup. */
START_TEST(an_operation_is_done_or_leaves_nothing)
{
	const operation *o = &operations[_i];
	const long samples = as_long(6, 400);
	long total, failures = 0;
	CK_RV rv;

	if (strcmp(o->name, "Setup") == 0)
		return;
	/* How many there are. */
	if (o->enter != NULL)
		o->enter();
	until = 1L << 40;
	rv = o->run();
	total = (1L << 40) - until;
	until = -1;
	assert_ok(rv);
	operations_leave();
	operations_enter();
	if (o->enter != NULL)
		o->enter();
	for (long at = 0; at < total; at += 1 + total / samples) {
		const stored_state before = stored();
		const CK_ULONG objects = operations_objects();
		stored_state after;

		operations_clear_output();
		until = at;
		rv = o->run();
		until = -1;
		if (rv == CKR_OK) {
			/* It did without. */
			operations_leave();
			operations_enter();
			if (o->enter != NULL)
				o->enter();
			continue;
		}
		failures++;
		ck_assert_msg(is_failure(rv), "%s, allocation %ld: 0x%lx", o->name, at, rv);
		ck_assert_msg(!operations_has_output(), "%s, allocation %ld: output", o->name, at);
		after = stored();
		ck_assert_msg(memcmp(&before, &after, sizeof before) == 0,
			      "%s, allocation %ld: something is stored", o->name, at);
		ck_assert_msg(operations_objects() == objects || o->run == operations[1].run,
			      "%s, allocation %ld: an object is left", o->name, at);
	}
	ck_assert_msg(failures > 0 || (o->does & WRITES) == 0, "%s: no failure of %ld", o->name,
		      total);
	assert_ok(o->run());
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("pkcs11_memory");
	TCase *c = tcase_create("memory");
	SRunner *runner;
	int ended_badly;

	tcase_add_unchecked_fixture(c, world_make, world_remove);
	tcase_add_checked_fixture(c, enter, world_leave);
	tcase_add_test(c, sessions_and_searches_do_without);
	tcase_add_test(c, a_login_that_fails_for_memory_costs_no_try);
	tcase_add_test(c, signing_and_verifying_do_without);
	tcase_add_test(c, objects_are_made_and_changed_or_not);
	tcase_add_test(c, pseudonyms_are_made_or_not);
	suite_add_tcase(suite, c);
	c = tcase_create("operations");
	tcase_add_unchecked_fixture(c, world_make, world_remove);
	tcase_add_checked_fixture(c, operations_enter, operations_leave);
	tcase_add_loop_test(c, an_operation_is_done_or_leaves_nothing, 0, OPERATIONS);
	suite_add_tcase(suite, c);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	ended_badly = srunner_ntests_failed(runner);
	srunner_free(runner);
	return ended_badly ? EXIT_FAILURE : EXIT_SUCCESS;
}
