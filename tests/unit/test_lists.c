/*
 * Promises of vldaa/verify.h on lists, for every set: an attestation is held against the lists of
 * the verifier that it is used with, whichever verifier verified it, and however many lists that
 * one had.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../support/world.h"

static world w;
static car good, bad; /* bad: its key leaked, and its pseudonym is revoked */
static buffer good_att, bad_att, good_sig, bad_sig, compact;

enum list { ROGUE, REVOKED, EMPTY_ROGUE, EMPTY_REVOKED, LISTS };
static buffer lists[LISTS];

static buffer list_of_orders(const vldaa_attestation *a)
{
	const vldaa_order_terms terms = {VLDAA_REVOKE_SOFT, 7, 1, w.now + 1000};
	buffer clear = buffer_new(vldaa_object_max_size(w.set, VLDAA_KIND_ORDER));
	buffer sealed = buffer_new(vldaa_object_max_size(w.set, VLDAA_KIND_SEALED_ORDER));
	buffer list = buffer_new(clear.len + 1024);

	ck_assert_int_eq(vldaa_order_new(a, &terms, w.revocation.pkcs8.data, w.revocation.pkcs8.len,
					 w.fleet_key, clear.data, clear.len, &clear.len,
					 sealed.data, sealed.len, &sealed.len),
			 VLDAA_OK);
	ck_assert_int_eq(vldaa_revoked_list((const uint8_t *const[]){clear.data}, &clear.len, 1,
					    list.data, list.len, &list.len),
			 VLDAA_OK);
	buffer_free(&clear);
	buffer_free(&sealed);
	return list;
}

static buffer list_of_leaked(const car *c)
{
	buffer list = buffer_new(1 << 16);

	for (size_t i = 0; i < c->store.count; i++) {
		if (c->store.rows[i].record != VLDAA_RECORD_MEMBER)
			continue;
		ck_assert_int_eq(vldaa_rogue_list((const uint8_t *const[]){c->store.rows[i].value},
						  &c->store.rows[i].len, 1, list.data, list.len,
						  &list.len),
				 VLDAA_OK);
		return list;
	}
	ck_abort_msg("no member record");
	return list;
}

static buffer empty_list(enum vldaa_kind kind)
{
	buffer list = buffer_new(1024);

	ck_assert_int_eq(vldaa_empty_list(w.verifier, kind, list.data, list.len, &list.len),
			 VLDAA_OK);
	return list;
}

static vldaa_verifier *verifier_with(enum list list)
{
	vldaa_verifier *v;

	ck_assert_int_eq(vldaa_verifier_new(&v, w.group_key.data, w.group_key.len), VLDAA_OK);
	if (list < LISTS)
		ck_assert_int_eq(vldaa_verifier_add_list(v, lists[list].data, lists[list].len),
				 VLDAA_OK);
	return v;
}

static vldaa_attestation *attest(const vldaa_verifier *v, buffer att)
{
	vldaa_attestation *a;

	ck_assert_int_eq(vldaa_attestation_new(&a, v, att.data, att.len), VLDAA_OK);
	return a;
}

static int check(const vldaa_verifier *v, const vldaa_attestation *known, buffer signature)
{
	vldaa_verification *x;
	int err = vldaa_verification_new(&x, v, signature.data, signature.len, known, NULL, 0);

	if (!err)
		err = vldaa_verification_update(x, "m", 1);
	if (!err)
		err = vldaa_verification_end(x);
	vldaa_verification_free(x);
	return err;
}

static void set_up(const vldaa_set *set)
{
	vldaa_attestation *a;

	world_init(&w, set, 1);
	car_init(&good, &w, 2);
	car_init(&bad, &w, 3);
	car_join(&good);
	car_join(&bad);
	good_att = car_create(&good, "here");
	bad_att = car_create(&bad, "here");
	good_sig = car_sign(&good, good_att, VLDAA_FORM_COMPACT, "m", 1);
	bad_sig = car_sign(&bad, bad_att, VLDAA_FORM_SELF_CONTAINED, "m", 1);
	compact = car_sign(&bad, bad_att, VLDAA_FORM_COMPACT, "m", 1);
	a = attest(w.verifier, bad_att);
	lists[ROGUE] = list_of_leaked(&bad);
	lists[REVOKED] = list_of_orders(a);
	lists[EMPTY_ROGUE] = empty_list(VLDAA_KIND_ROGUE_LIST);
	lists[EMPTY_REVOKED] = empty_list(VLDAA_KIND_REVOKED_LIST);
	vldaa_attestation_free(a);
}

static void tear_down(void)
{
	for (int i = 0; i < LISTS; i++)
		buffer_free(&lists[i]);
	buffer_free(&good_att);
	buffer_free(&bad_att);
	buffer_free(&good_sig);
	buffer_free(&bad_sig);
	buffer_free(&compact);
	car_free(&good);
	car_free(&bad);
	world_free(&w);
}

/* Verified where there are as many lists, none of which names it; used where one does. */
static void check_pair(enum list without, enum list with, int refusal)
{
	vldaa_verifier *a = verifier_with(without), *b = verifier_with(with);
	vldaa_attestation *bad_known = attest(a, bad_att), *good_known = attest(a, good_att);

	ck_assert_int_eq(check(a, bad_known, bad_sig), VLDAA_OK);
	ck_assert_int_eq(check(a, bad_known, compact), VLDAA_OK);
	ck_assert_int_eq(check(b, bad_known, bad_sig), refusal);
	ck_assert_int_eq(check(b, bad_known, compact), refusal);
	ck_assert_int_eq(check(b, good_known, good_sig), VLDAA_OK);
	/* What another verifier refuses is this one's all the same. */
	ck_assert_int_eq(check(a, bad_known, compact), VLDAA_OK);
	vldaa_attestation_free(bad_known);
	vldaa_attestation_free(good_known);
	vldaa_verifier_free(a);
	vldaa_verifier_free(b);
}

START_TEST(an_attestation_is_held_against_the_lists_of_the_verifier_it_is_used_with)
{
	set_up(vldaa_set_at((size_t)_i));
	check_pair(EMPTY_ROGUE, ROGUE, VLDAA_ERR_ROGUE);
	check_pair(EMPTY_ROGUE, REVOKED, VLDAA_ERR_REVOKED);
	check_pair(EMPTY_REVOKED, ROGUE, VLDAA_ERR_ROGUE);
	check_pair(EMPTY_REVOKED, REVOKED, VLDAA_ERR_REVOKED);
	check_pair(LISTS, ROGUE, VLDAA_ERR_ROGUE);
	check_pair(LISTS, REVOKED, VLDAA_ERR_REVOKED);
	tear_down();
}
END_TEST

START_TEST(an_attestation_is_held_against_lists_that_are_added_later)
{
	set_up(vldaa_set_at((size_t)_i));
	for (int list = ROGUE; list <= REVOKED; list++) {
		vldaa_verifier *v = verifier_with(LISTS);
		vldaa_attestation *known = attest(v, bad_att), *again = NULL;

		ck_assert_int_eq(check(v, known, compact), VLDAA_OK);
		ck_assert_int_eq(
		    vldaa_verifier_add_list(v, lists[EMPTY_ROGUE].data, lists[EMPTY_ROGUE].len),
		    VLDAA_OK);
		ck_assert_int_eq(check(v, known, compact), VLDAA_OK);
		ck_assert_int_eq(vldaa_verifier_add_list(v, lists[list].data, lists[list].len),
				 VLDAA_OK);
		const int refusal = list == ROGUE ? VLDAA_ERR_ROGUE : VLDAA_ERR_REVOKED;
		ck_assert_int_eq(check(v, known, compact), refusal);
		/* An empty list afterwards takes nothing back. */
		ck_assert_int_eq(
		    vldaa_verifier_add_list(v, lists[EMPTY_ROGUE].data, lists[EMPTY_ROGUE].len),
		    VLDAA_OK);
		ck_assert_int_eq(check(v, known, compact), refusal);
		ck_assert_int_eq(vldaa_attestation_new(&again, v, bad_att.data, bad_att.len),
				 refusal);
		ck_assert_ptr_null(again);
		vldaa_attestation_free(known);
		vldaa_verifier_free(v);
	}
	tear_down();
}
END_TEST

int main(void)
{
	Suite *s = suite_create("lists");
	TCase *tc = tcase_create("lists");
	SRunner *sr = srunner_create(s);
	int sets = 0;

	while (vldaa_set_at((size_t)sets))
		sets++;
	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(
	    tc, an_attestation_is_held_against_the_lists_of_the_verifier_it_is_used_with, 0, sets);
	tcase_add_loop_test(tc, an_attestation_is_held_against_lists_that_are_added_later, 0, sets);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
