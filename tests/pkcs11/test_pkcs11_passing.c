/*
 * Promises: a member key that signs for basenames without objects makes a pseudonym once for each of
 * the last 16, whatever else changes in the token; logout, revocation by whichever process, and the
 * end of the member key end them.  Creates are counted by the TPM's own count.  A template that is
 * refused costs none.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "creates.h"
#include "module.h"

enum { KEPT = 16 };

static CK_SESSION_HANDLE issuer, car;
static CK_OBJECT_HANDLE member;

static void enter(void)
{
	world_enter();
	issuer = user_session(ISSUER);
	car = user_session(CAR);
	member = find_key(car, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_MEMBER);
}

static CK_RV try_sign_for(CK_SESSION_HANDLE s, CK_OBJECT_HANDLE key, int i, bytes *signature)
{
	char basename[32];

	(void)snprintf(basename, sizeof basename, "place %d", i);
	return try_sign(s, CKM_VLDAA_SIGN, basename, key, "x", 1, signature);
}

static bytes sign_for(CK_OBJECT_HANDLE key, int i)
{
	bytes signature;

	assert_ok(try_sign_for(car, key, i, &signature));
	return signature;
}

/* Creates that signing for place i takes. */
static unsigned cost(CK_OBJECT_HANDLE key, int i)
{
	const unsigned before = creates_counted(CAR);
	bytes signature = sign_for(key, i);

	bytes_free(&signature);
	return creates_counted(CAR) - before;
}

static void make_data(CK_SESSION_HANDLE s)
{
	CK_OBJECT_CLASS class = CKO_DATA;
	CK_BBOOL yes = CK_TRUE;
	CK_ATTRIBUTE templ[] = {{CKA_CLASS, &class, sizeof class}, {CKA_TOKEN, &yes, sizeof yes}};
	CK_OBJECT_HANDLE data;

	assert_ok(p11->C_CreateObject(s, templ, 2, &data));
}

/* In another process, which ends well. */
static void elsewhere(void (*act)(CK_SESSION_HANDLE s, const bytes *order), const bytes *order)
{
	const pid_t child = fork();
	int status;

	ck_assert_int_ge(child, 0);
	if (child == 0) {
		assert_ok(p11->C_Initialize(NULL));
		act(user_session(CAR), order);
		_exit(EXIT_SUCCESS);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS);
}

/* Against the pseudonym that the member key has for this place. */
static bytes order_for(int i)
{
	const CK_OBJECT_HANDLE group = find_key(issuer, CKO_PUBLIC_KEY, CK_VLDAA_ROLE_GROUP);
	const CK_OBJECT_HANDLE key = find_key(issuer, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_ISSUER);
	bytes group_key = get_attribute(issuer, group, CKA_VALUE);
	bytes fleet_key = get_attribute(issuer, key, CKA_VLDAA_FLEET_KEY);
	char basename[32];
	CK_OBJECT_HANDLE shown;
	bytes attestation, order;

	(void)snprintf(basename, sizeof basename, "place %d", i);
	assert_ok(try_create(car, member, basename, 0, &shown));
	attestation = get_attribute(car, shown, CKA_VLDAA_ATTESTATION);
	assert_ok(p11->C_DestroyObject(car, shown));
	order = order_against(&group_key, &fleet_key, &attestation, 0, 1, NULL);
	bytes_free(&attestation);
	bytes_free(&fleet_key);
	bytes_free(&group_key);
	return order;
}

START_TEST(sixteen_basenames_take_turns_and_are_made_once)
{
	for (int i = 0; i < KEPT; i++)
		ck_assert_uint_eq(cost(member, i), 1);
	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < KEPT; i++)
			ck_assert_uint_eq(cost(member, i), 0);
	}
}
END_TEST

START_TEST(the_next_one_takes_the_place_of_what_was_used_longest_ago)
{
	for (int i = 0; i < KEPT; i++)
		(void)cost(member, i);
	ck_assert_uint_eq(cost(member, 0), 0);
	ck_assert_uint_eq(cost(member, KEPT), 1);
	/* All but 1. */
	ck_assert_uint_eq(cost(member, 0), 0);
	for (int i = 2; i <= KEPT; i++)
		ck_assert_uint_eq(cost(member, i), 0);
	ck_assert_uint_eq(cost(member, 1), 1);
	ck_assert_uint_eq(cost(member, 0), 1);
}
END_TEST

static void sign_too(CK_SESSION_HANDLE s, const bytes *order)
{
	bytes signature;

	(void)order;
	assert_ok(try_sign_for(s, member, 100, &signature));
	make_data(s);
}

START_TEST(what_changes_elsewhere_in_the_token_does_not_end_them)
{
	(void)cost(member, 0);
	(void)cost(member, 1);
	make_data(car);
	ck_assert_uint_eq(cost(member, 0), 0);
	elsewhere(sign_too, NULL);
	ck_assert_uint_eq(cost(member, 0), 0);
	ck_assert_uint_eq(cost(member, 1), 0);
}
END_TEST

START_TEST(each_member_key_has_its_own)
{
	const CK_SESSION_HANDLE other_issuer = user_session(BLANK);
	CK_OBJECT_HANDLE other, own_group, other_group;
	bytes a, b;

	own_group = find_key(issuer, CKO_PUBLIC_KEY, CK_VLDAA_ROLE_GROUP);
	assert_ok(p11->C_DestroyObject(
	    other_issuer, find_key(other_issuer, CKO_PUBLIC_KEY, CK_VLDAA_ROLE_GROUP)));
	found_group(other_issuer);
	other_group = find_key(other_issuer, CKO_PUBLIC_KEY, CK_VLDAA_ROLE_GROUP);
	other = join(other_issuer, car);
	ck_assert_uint_eq(cost(member, 0), 1);
	ck_assert_uint_eq(cost(other, 0), 1);
	ck_assert_uint_eq(cost(member, 0), 0);
	ck_assert_uint_eq(cost(other, 0), 0);
	a = sign_for(member, 0);
	b = sign_for(other, 0);
	assert_ok(verify(issuer, CKM_VLDAA_SIGN, NULL, own_group, "x", 1, &a));
	assert_ok(verify(other_issuer, CKM_VLDAA_SIGN, NULL, other_group, "x", 1, &b));
	bytes_free(&a);
	bytes_free(&b);
	/* One's end is not the other's. */
	assert_ok(p11->C_DestroyObject(car, member));
	ck_assert_uint_eq(cost(other, 0), 0);
	assert_rv(try_sign_for(car, member, 0, &a), CKR_KEY_HANDLE_INVALID);
}
END_TEST

START_TEST(logout_ends_them)
{
	(void)cost(member, 0);
	assert_ok(p11->C_Logout(car));
	assert_ok(login(car, CKU_USER, USER_PIN));
	ck_assert_uint_eq(cost(member, 0), 1);
	ck_assert_uint_eq(cost(member, 0), 0);
}
END_TEST

static void obey(CK_SESSION_HANDLE s, const bytes *order)
{
	bytes confirmation = sign(s, CKM_VLDAA_REVOKE, NULL, member, order->data, order->len);

	bytes_free(&confirmation);
}

/* 0: this process; 1: another one. */
START_TEST(a_revoked_one_signs_no_more)
{
	bytes order, none;

	(void)cost(member, 0);
	(void)cost(member, 1);
	order = order_for(0);
	if (_i == 0)
		obey(car, &order);
	else
		elsewhere(obey, &order);
	assert_rv(try_sign_for(car, member, 0, &none), CKR_VLDAA_REVOKED);
	/* Which others end does not matter, as long as they are made again. */
	ck_assert_uint_le(cost(member, 1), 1);
	ck_assert_uint_eq(cost(member, 1), 0);
	bytes_free(&order);
}
END_TEST

/* One attribute too many, of which each is known to be wrong before anything is made. */
START_TEST(a_template_that_is_refused_costs_no_create)
{
	char place[] = "here", other[] = "there", set[] = "VLDAA2-87";
	CK_MECHANISM m = {CKM_VLDAA_CREATE, place, sizeof place - 1};
	CK_ULONG vldaa = CKK_VLDAA, two = 2, none = (CK_ULONG)-1;
	CK_ULONG mldsa = 0x4a, first = 1;
	CK_BBOOL no = CK_FALSE, yes = CK_TRUE;
	CK_ATTRIBUTE wrong[] = {
	    {CKA_KEY_TYPE, &vldaa, sizeof vldaa}, {0x61d, &two, sizeof two}, /* CKA_PARAMETER_SET */
	    {CKA_ALLOWED_MECHANISMS, NULL, 0},    {CKA_KEY_GEN_MECHANISM, &none, sizeof none},
	    {CKA_VLDAA_SET, set, sizeof set - 1}, {CKA_VLDAA_SET, NULL, 0},
	    {CKA_VLDAA_KEY_ID, NULL, 0},          {CKA_VLDAA_BASENAME, other, sizeof other - 1},
	    {CKA_VLDAA_BASENAME, NULL, 0},        {CKA_VLDAA_NYM, NULL, 0},
	    {CKA_SENSITIVE, &no, sizeof no}};
	CK_ATTRIBUTE right[] = {{CKA_KEY_TYPE, &mldsa, sizeof mldsa},
				{0x61d, &first, sizeof first},
				{CKA_VLDAA_BASENAME, place, sizeof place - 1},
				{CKA_SENSITIVE, &yes, sizeof yes}};
	const unsigned before = creates_counted(CAR);
	CK_OBJECT_HANDLE key = 77;

	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		const CK_RV rv = p11->C_DeriveKey(car, &m, member, &wrong[i], 1, &key);

		ck_assert_msg(rv == CKR_TEMPLATE_INCONSISTENT || rv == CKR_ATTRIBUTE_READ_ONLY,
			      "attribute %zu: 0x%lx", i, rv);
		ck_assert_msg(creates_counted(CAR) == before, "attribute %zu cost a Create", i);
	}
	assert_ok(p11->C_DeriveKey(car, &m, member, right, 4, &key));
	ck_assert_uint_gt(creates_counted(CAR), before);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("pkcs11_passing");
	TCase *c = tcase_create("passing");
	SRunner *runner;
	int ended_badly;

	tcase_add_unchecked_fixture(c, world_make, world_remove);
	tcase_add_checked_fixture(c, enter, world_leave);
	tcase_add_test(c, sixteen_basenames_take_turns_and_are_made_once);
	tcase_add_test(c, the_next_one_takes_the_place_of_what_was_used_longest_ago);
	tcase_add_test(c, what_changes_elsewhere_in_the_token_does_not_end_them);
	tcase_add_test(c, each_member_key_has_its_own);
	tcase_add_test(c, logout_ends_them);
	tcase_add_test(c, a_template_that_is_refused_costs_no_create);
	tcase_add_loop_test(c, a_revoked_one_signs_no_more, 0, 2);
	suite_add_tcase(suite, c);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	ended_badly = srunner_ntests_failed(runner);
	srunner_free(runner);
	return ended_badly ? EXIT_FAILURE : EXIT_SUCCESS;
}
