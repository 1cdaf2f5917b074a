/*
 * Promises about keys in tokens: whichever allocation of the provider's fails, the operation fails with a word about
 * memory or does without, leaves no session in the token, and works when there is memory again; so it does when one of
 * libcrypto's fails, of which many are tried; and no try of the PIN is ever lost by that.
 */
#include <check.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/params.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tokens.h"

/* --- allocation that fails -------------------------------------------------------------------- */

static struct {
	int armed, of_libcrypto;
	long calls, fail_at;
	int hit;
} memory;

/* Files are named from the top of the tree on; libcrypto's begin with "../". */
static int refused(const char *file)
{
	const int is_ours = file != NULL && strncmp(file, "provider/", 9) == 0;

	if (!memory.armed || is_ours == memory.of_libcrypto || memory.calls++ != memory.fail_at)
		return 0;
	memory.hit = 1;
	return 1;
}

static void *crypto_malloc(size_t size, const char *file, int line)
{
	(void)line;
	return size == 0 || refused(file) ? NULL : malloc(size);
}

static void *crypto_realloc(void *p, size_t size, const char *file, int line)
{
	if (p == NULL)
		return crypto_malloc(size, file, line);
	if (size == 0) {
		free(p);
		return NULL;
	}
	return refused(file) ? NULL : realloc(p, size);
}

static void crypto_free(void *p, const char *file, int line)
{
	(void)file;
	(void)line;
	free(p);
}

/* --- operations -------------------------------------------------------------------------------- */

static EVP_PKEY *member, *pseudonym;
static char with_pin[200];
static const uint8_t message[] = "brake";
enum { LEN = sizeof message - 1 };

/* All return 1 when they worked. */
static int sign_with(EVP_PKEY *key, const char *basename)
{
	const OSSL_PARAM params[] = {
	    OSSL_PARAM_construct_octet_string("basename", (void *)(uintptr_t)basename,
					      strlen(basename)),
	    OSSL_PARAM_construct_end(),
	};
	static uint8_t out[65536];
	EVP_MD_CTX *ctx = EVP_MD_CTX_new(), *copy = EVP_MD_CTX_new();
	size_t len = sizeof out;
	const int done = ctx != NULL && copy != NULL &&
			 EVP_DigestSignInit_ex(ctx, NULL, NULL, e.libctx, NULL, key, params) == 1 &&
			 EVP_DigestSignUpdate(ctx, message, 2) == 1 &&
			 EVP_MD_CTX_copy_ex(copy, ctx) == 1 &&
			 EVP_DigestSignUpdate(copy, message + 2, LEN - 2) == 1 &&
			 EVP_DigestSignFinal(copy, out, &len) == 1;

	EVP_MD_CTX_free(ctx);
	EVP_MD_CTX_free(copy);
	return done;
}

static int load_member(void)
{
	EVP_PKEY *key = token_key("member", with_pin);

	EVP_PKEY_free(key);
	return key != NULL;
}

static int load_pseudonym(void)
{
	EVP_PKEY *key = token_key("platoon-7", with_pin);

	EVP_PKEY_free(key);
	return key != NULL;
}

/* A copy has no pseudonyms yet. */
static int sign_anew(void)
{
	EVP_PKEY *copy = EVP_PKEY_dup(member);
	const int done = copy != NULL && sign_with(copy, "here");

	EVP_PKEY_free(copy);
	return done;
}

static int sign_as_pseudonym(void)
{
	return sign_with(pseudonym, "platoon-7");
}

/* It logs in again. */
static int sign_after_logout(void)
{
	const int armed = memory.armed;
	CK_SESSION_HANDLE s = 0;

	memory.armed = 0;
	if (p11->C_OpenSession(CAR, CKF_SERIAL_SESSION, NULL, NULL, &s) == CKR_OK)
		(void)p11->C_Logout(s);
	(void)p11->C_CloseSession(s);
	memory.armed = armed;
	return sign_with(pseudonym, "platoon-7");
}

static const struct {
	const char *name;
	int (*run)(void);
} operations[] = {
    {"loading a member's key", load_member},
    {"loading a pseudonym's key", load_pseudonym},
    {"signing anew", sign_anew},
    {"signing", sign_as_pseudonym},
    {"signing after a logout", sign_after_logout},
};
/* OpenSSL 3.0's own store frees its loader twice for want of memory, and loses keys that it has got. */
enum { OPERATIONS = sizeof operations / sizeof operations[0], LOADING = 2 };

/* Whether the error queue, which is emptied, has it. */
static int is_want_of_memory(void)
{
	unsigned long code;
	int found = 0;

	while ((code = ERR_get_error()) != 0) {
		const char *reason = ERR_reason_error_string(code);

		found |= ERR_GET_REASON(code) == ERR_R_MALLOC_FAILURE;
		found |= reason != NULL && strcmp(reason, vldaa_error_text(VLDAA_ERR_MEMORY)) == 0;
	}
	return found;
}

static CK_TOKEN_INFO token_info(void)
{
	CK_TOKEN_INFO info;

	assert_ok(p11->C_GetTokenInfo(CAR, &info));
	return info;
}

static int run_without(size_t operation, long n)
{
	int worked;

	ERR_clear_error();
	memory.calls = 0;
	memory.hit = 0;
	memory.fail_at = n;
	memory.armed = 1;
	worked = operations[operation].run();
	memory.armed = 0;
	return worked;
}

/* Ten wrong PINs would lock it. */
static void check_tries(size_t operation, long n)
{
	ck_assert_msg((token_info().flags & (CKF_USER_PIN_FINAL_TRY | CKF_USER_PIN_LOCKED)) == 0,
		      "%s, allocation %ld: tries are lost", operations[operation].name, n);
}

static void works_again(size_t operation, CK_ULONG sessions)
{
	ck_assert_msg(operations[operation].run() == 1, "%s, afterwards",
		      operations[operation].name);
	ck_assert_uint_le(token_info().ulSessionCount, sessions);
}

static void set_up(void)
{
	member = token_key_by_file("member");
	pseudonym = token_key_by_file("platoon-7");
	(void)snprintf(with_pin, sizeof with_pin, "pin-source=%s/../pin", world_directory(CAR));
	for (size_t i = 0; i < OPERATIONS; i++)
		ck_assert_msg(operations[i].run() == 1, "%s", operations[i].name);
}

static void tear_down(void)
{
	EVP_PKEY_free(member);
	EVP_PKEY_free(pseudonym);
}

/* home and two that wait, of each token */
enum { MOST_SESSIONS = 6 };

START_TEST(an_allocation_of_the_providers_that_fails_fails_the_operation_and_nothing_else)
{
	set_up();
	memory.of_libcrypto = 0;
	for (size_t i = 0; i < OPERATIONS; i++) {
		long n = 0, failures = 0;

		do {
			const int worked = run_without(i, n);
			const int is_said = is_want_of_memory();

			ck_assert_msg(worked || (memory.hit && is_said), "%s, allocation %ld",
				      operations[i].name, n);
			failures += !worked;
			check_tries(i, n++);
		} while (memory.hit);
		ck_assert_msg(failures > 2, "%s: %ld failures of %ld", operations[i].name, failures,
			      n);
		works_again(i, MOST_SESSIONS);
	}
	tear_down();
}
END_TEST

START_TEST(an_allocation_of_libcryptos_that_fails_does_not_harm_the_token)
{
	const long samples = getenv("VLDAA_EVERY_ALLOCATION") != NULL ? 2000 : 60;

	set_up();
	memory.of_libcrypto = 1;
	for (size_t i = LOADING; i < OPERATIONS; i++) {
		long total, failures = 0;

		ck_assert_int_eq(run_without(i, -1), 1);
		total = memory.calls;
		for (long n = 0; n<total; n += total> samples ? total / samples : 1) {
			failures += !run_without(i, n);
			check_tries(i, n);
		}
		ck_assert_msg(failures > 0, "%s", operations[i].name);
		works_again(i, MOST_SESSIONS);
	}
	tear_down();
}
END_TEST

int main(void)
{
	Suite *s;
	TCase *c;
	SRunner *runner;

	if (CRYPTO_set_mem_functions(crypto_malloc, crypto_realloc, crypto_free) != 1)
		return EXIT_FAILURE;
	s = suite_create("keys in tokens without memory");
	c = tcase_create("tokens");
	runner = srunner_create(s);
	tcase_set_timeout(c, 600);
	tcase_add_unchecked_fixture(c, world_make, world_remove);
	tcase_add_checked_fixture(c, tokens_enter, tokens_leave);
	tcase_add_test(
	    c, an_allocation_of_the_providers_that_fails_fails_the_operation_and_nothing_else);
	tcase_add_test(c, an_allocation_of_libcryptos_that_fails_does_not_harm_the_token);
	suite_add_tcase(s, c);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
