/*
 * What a signature with a key in a token costs more through the provider than by the token's function list: microseconds of
 * processor time, each way in turn and in one process, of a whole signature (operation or context, message of 1 KB) on the
 * same pseudonym, in each form.  Medians are compared: signing is rejection sampling, whose luck the means share only
 * roughly.
 *
 * The provider may cost 15% at most: exit status 1 when its median is more.
 */
#include <check.h>
#include <openssl/params.h>
#include <stdio.h>
#include <stdlib.h>

#include "../provider/tokens.h"
#include "times.h"

enum { RUNS = 4000, MESSAGE = 1024 };

static uint8_t message[MESSAGE];
static uint8_t signature[65536];

static void by_token(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE key, CK_MECHANISM_TYPE type)
{
	CK_MECHANISM m = {type, NULL, 0};
	CK_ULONG len = sizeof signature;

	if (p11->C_SignInit(session, &m, key) != CKR_OK ||
	    p11->C_Sign(session, message, sizeof message, signature, &len) != CKR_OK)
		abort();
}

static void by_provider(EVP_PKEY *key, const char *form)
{
	char basename[] = "platoon-7";
	const OSSL_PARAM params[] = {
	    OSSL_PARAM_construct_octet_string("basename", basename, sizeof basename - 1),
	    OSSL_PARAM_construct_utf8_string("form", (char *)(uintptr_t)form, 0),
	    OSSL_PARAM_construct_end(),
	};
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	size_t len = sizeof signature;

	if (EVP_DigestSignInit_ex(ctx, NULL, NULL, e.libctx, NULL, key, params) != 1 ||
	    EVP_DigestSign(ctx, signature, &len, message, sizeof message) != 1)
		abort();
	EVP_MD_CTX_free(ctx);
}

static const struct {
	const char *form;
	CK_MECHANISM_TYPE type;
} forms[] = {
    {"compact", CKM_VLDAA_SIGN_COMPACT}, {"self-contained", CKM_VLDAA_SIGN}, {"bare", 0x1d}};

static int measure(EVP_PKEY *key, const char *object, CK_SESSION_HANDLE session,
		   CK_OBJECT_HANDLE pseudonym, int form)
{
	static double token[RUNS], provider[RUNS];
	double ratio;

	by_provider(key, forms[form].form);
	for (int i = 0; i < RUNS; i++) {
		const double start = microseconds();

		by_token(session, pseudonym, forms[form].type);
		const double between = microseconds();
		by_provider(key, forms[form].form);
		provider[i] = microseconds() - between;
		token[i] = between - start;
	}
	printf("%s, a %s signature, %s\n", vldaa_set_name(e.w.set), forms[form].form, object);
	ratio = times_print("token", token, RUNS).median;
	ratio = times_print("provider", provider, RUNS).median / ratio;
	printf("  %+.1f%%\n", 100 * (ratio - 1));
	return ratio > 1.15;
}

/* The world asserts with Check, which wants a test around it. */
START_TEST(a_signature_costs_at_most_15_percent_more)
{
	static const char *const objects[] = {"platoon-7", "member"};
	CK_SESSION_HANDLE session;
	CK_OBJECT_HANDLE pseudonym;
	int slow = 0;

	world_make();
	tokens_enter();
	session = user_session(CAR);
	pseudonym = find_key(session, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_PSEUDONYM);
	ck_assert_uint_ne(pseudonym, 0);
	for (int i = 0; i < 2; i++) {
		EVP_PKEY *key = token_key_by_file(objects[i]);

		for (int form = 0; form < 3; form++)
			slow += measure(key, objects[i], session, pseudonym, form);
		EVP_PKEY_free(key);
	}
	tokens_leave();
	world_remove();
	ck_assert_int_eq(slow, 0);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("signing with keys in tokens");
	TCase *tc = tcase_create("forms");
	SRunner *sr = srunner_create(s);

	tcase_set_timeout(tc, 0);
	tcase_add_test(tc, a_signature_costs_at_most_15_percent_more);
	suite_add_tcase(s, tc);
	srunner_set_fork_status(sr, CK_NOFORK);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
