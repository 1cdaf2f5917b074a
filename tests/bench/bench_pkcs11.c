/*
 * What a signature costs more through the token than by the library: microseconds of processor time, each way in turn, of a
 * whole signature (operation, message of 1 KB, compact form, ML-DSA alone) with a pseudonym that is there.  Medians are
 * compared: signing is rejection sampling, whose luck the means share only roughly.
 *
 * The token may cost 15% at most: exit status 1 when its median is more.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../pkcs11/module.h"
#include "../support/world.h"
#include "times.h"
#include "vldaa/member_key.h"

enum { RUNS = 4000, MESSAGE = 1024, MLDSA = 0x1d };

static uint8_t message[MESSAGE];
static uint8_t signature[8192];

static vldaa_pseudonym_key *pseudonym_of(const car *c, const vldaa_set *set)
{
	buffer out = buffer_new(vldaa_object_max_size(set, VLDAA_KIND_PSEUDONYM));
	vldaa_member_key *member = car_member_key(c);
	vldaa_pseudonym_key *key = NULL;

	ck_assert_int_eq(vldaa_member_key_create(member, (const uint8_t *)"platoon-7", 9, out.data,
						 out.len, &out.len),
			 VLDAA_OK);
	ck_assert_int_eq(vldaa_pseudonym_key_new(&key, out.data, out.len), VLDAA_OK);
	vldaa_member_key_free(member);
	buffer_free(&out);
	return key;
}

static void by_library(const vldaa_pseudonym_key *key, enum vldaa_form form)
{
	vldaa_signing *s = NULL;
	size_t len = 0;

	if (vldaa_signing_new(&s, key, form) != VLDAA_OK ||
	    vldaa_signing_update(s, message, sizeof message) != VLDAA_OK ||
	    vldaa_signing_end(s, signature, sizeof signature, &len) != VLDAA_OK)
		abort();
	vldaa_signing_free(s);
}

static void by_token(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE key, CK_MECHANISM_TYPE type)
{
	CK_MECHANISM m = {type, NULL, 0};
	CK_ULONG len = sizeof signature;

	if (p11->C_SignInit(session, &m, key) != CKR_OK ||
	    p11->C_Sign(session, message, sizeof message, signature, &len) != CKR_OK)
		abort();
}

static int measure(const vldaa_pseudonym_key *pseudonym, CK_SESSION_HANDLE session,
		   CK_OBJECT_HANDLE key, CK_MECHANISM_TYPE type, enum vldaa_form form)
{
	static double library[RUNS], token[RUNS];
	double ratio;

	for (int i = 0; i < RUNS; i++) {
		const double start = microseconds();

		by_library(pseudonym, form);
		const double between = microseconds();
		by_token(session, key, type);
		token[i] = microseconds() - between;
		library[i] = between - start;
	}
	printf("%s, %s\n", vldaa_set_name(vldaa_set_at(0)),
	       type == MLDSA ? "an ML-DSA signature" : "a compact signature");
	ratio = times_print("library", library, RUNS).median;
	ratio = times_print("token", token, RUNS).median / ratio;
	printf("  %+.1f%%\n", 100 * (ratio - 1));
	return ratio > 1.15;
}

/* The worlds assert with Check, which wants a test around it. */
START_TEST(a_signature_costs_at_most_15_percent_more)
{
	char basename[] = "platoon-7";
	CK_OBJECT_CLASS class = CKO_PRIVATE_KEY;
	CK_ATTRIBUTE templ[] = {{CKA_CLASS, &class, sizeof class},
				{CKA_VLDAA_BASENAME, basename, sizeof basename - 1}};
	CK_SESSION_HANDLE session;
	CK_OBJECT_HANDLE key;
	vldaa_pseudonym_key *pseudonym;
	world w;
	car c;
	int slow;

	world_init(&w, vldaa_set_at(0), 1);
	car_init(&c, &w, 2);
	car_join(&c);
	pseudonym = pseudonym_of(&c, w.set);
	world_make();
	world_enter();
	session = user_session(CAR);
	key = find_one(session, templ, 2);
	ck_assert_uint_ne(key, 0);
	slow = measure(pseudonym, session, key, CKM_VLDAA_SIGN_COMPACT, VLDAA_FORM_COMPACT);
	slow += measure(pseudonym, session, key, MLDSA, VLDAA_FORM_BARE);
	world_leave();
	world_remove();
	vldaa_pseudonym_key_free(pseudonym);
	car_free(&c);
	world_free(&w);
	ck_assert_int_eq(slow, 0);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("signing through the token");
	TCase *tc = tcase_create("sets");
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
