/*
 * Promises of a verifier for one pseudonym, for every set: without the group's key it accepts what the pseudonym's owner
 * signed, in every form, and nothing else; it obeys lists; the attestation that nobody verified passes for a verified
 * one nowhere.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../support/damage.h"

static const char message[] = "brake";
enum { LEN = sizeof message - 1 };

static world w;
static car member, other;
static buffer att, other_att;
static vldaa_verifier *alone;
static vldaa_attestation *pseudonym;

static void set_up(int set)
{
	world_init(&w, vldaa_set_at((size_t)set), 1);
	car_init(&member, &w, 2);
	car_init(&other, &w, 3);
	car_join(&member);
	car_join(&other);
	att = car_create(&member, "here");
	other_att = car_create(&other, "here");
	ck_assert_int_eq(vldaa_verifier_new_pseudonym(&alone, &pseudonym, att.data, att.len),
			 VLDAA_OK);
}

static void tear_down(void)
{
	vldaa_attestation_free(pseudonym);
	vldaa_verifier_free(alone);
	buffer_free(&att);
	buffer_free(&other_att);
	car_free(&member);
	car_free(&other);
	world_free(&w);
}

static int verify(const vldaa_verifier *v, const vldaa_attestation *known, buffer signature,
		  size_t len)
{
	vldaa_verification *x = NULL;
	int err = vldaa_verification_new(&x, v, signature.data, signature.len, known, NULL, 0);

	if (!err)
		err = vldaa_verification_update(x, message, len);
	if (!err)
		err = vldaa_verification_end(x);
	vldaa_verification_free(x);
	return err;
}

static int forms(void)
{
	return vldaa_set_bare_size(w.set) > 0 ? 3 : 2;
}

START_TEST(it_says_whose_pseudonym_it_is_for)
{
	size_t len;
	vldaa_object_info info;

	set_up(_i);
	ck_assert_ptr_eq(vldaa_verifier_set(alone), w.set);
	ck_assert_mem_eq(vldaa_verifier_key_id(alone), vldaa_verifier_key_id(w.verifier),
			 VLDAA_KEY_ID_BYTES);
	ck_assert_mem_eq(vldaa_attestation_basename(pseudonym, &len), "here", 4);
	ck_assert_uint_eq(len, 4);
	ck_assert_int_eq(vldaa_object_inspect(&info, att.data, att.len), VLDAA_OK);
	ck_assert_mem_eq(vldaa_attestation_digest(pseudonym), info.digest, sizeof info.digest);
	ck_assert_ptr_nonnull(vldaa_attestation_nym(pseudonym, &len));
	tear_down();
}
END_TEST

START_TEST(the_owners_signatures_are_valid_and_no_others)
{
	set_up(_i);
	for (int f = 0; f < forms(); f++) {
		buffer sig = car_sign(&member, att, (enum vldaa_form)f, message, LEN);
		buffer foreign = car_sign(&other, other_att, (enum vldaa_form)f, message, LEN);

		ck_assert_int_eq(verify(alone, pseudonym, sig, LEN), VLDAA_OK);
		ck_assert_int_eq(verify(alone, pseudonym, sig, LEN - 1), VLDAA_ERR_PROOF);
		ck_assert_int_eq(verify(alone, pseudonym, foreign, LEN),
				 f == VLDAA_FORM_BARE ? VLDAA_ERR_PROOF : VLDAA_ERR_ATTESTATION);
		sig.data[sig.len / 2] ^= 1;
		ck_assert_int_ne(verify(alone, pseudonym, sig, LEN), VLDAA_OK);
		buffer_free(&sig);
		buffer_free(&foreign);
	}
	tear_down();
}
END_TEST

/* With another pseudonym's attestation in it, also one that would verify, it has nothing to say. */
START_TEST(an_attestation_is_never_verified_by_it)
{
	vldaa_attestation *a = (vldaa_attestation *)1;
	buffer sig;

	set_up(_i);
	ck_assert_int_eq(vldaa_attestation_new(&a, alone, att.data, att.len),
			 VLDAA_ERR_ATTESTATION);
	ck_assert_ptr_null(a);
	sig = car_sign(&member, att, VLDAA_FORM_SELF_CONTAINED, message, LEN);
	ck_assert_int_eq(verify(alone, NULL, sig, LEN), VLDAA_ERR_ATTESTATION);
	buffer_free(&sig);
	tear_down();
}
END_TEST

START_TEST(an_unverified_attestation_passes_for_a_verified_one_nowhere)
{
	const vldaa_order_terms terms = {VLDAA_REVOKE_SOFT, 1, 5, w.now + 60};
	vldaa_attestation *verified;
	uint8_t order[65536], sealed[65536];
	size_t order_len, sealed_len;
	int linked;

	set_up(_i);
	verified = world_attestation(&w, att);
	for (int f = 0; f < forms(); f++) {
		buffer sig = car_sign(&member, att, (enum vldaa_form)f, message, LEN);

		ck_assert_int_eq(verify(w.verifier, pseudonym, sig, LEN), VLDAA_ERR_ARGUMENT);
		ck_assert_int_eq(verify(w.verifier, verified, sig, LEN), VLDAA_OK);
		buffer_free(&sig);
	}
	ck_assert_int_eq(vldaa_link(verified, pseudonym, &linked), VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_link(pseudonym, verified, &linked), VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_order_new(pseudonym, &terms, w.revocation.pkcs8.data,
					 w.revocation.pkcs8.len, w.fleet_key, order, sizeof order,
					 &order_len, sealed, sizeof sealed, &sealed_len),
			 VLDAA_ERR_ARGUMENT);
	vldaa_attestation_free(verified);
	tear_down();
}
END_TEST

START_TEST(it_obeys_lists)
{
	vldaa_attestation *verified;
	buffer clear, sealed, list, sig;
	const uint8_t *orders[1];

	set_up(_i);
	verified = world_attestation(&w, att);
	sealed = world_order(&w, verified, VLDAA_REVOKE_SOFT, 1, &clear);
	list = buffer_new(65536);
	orders[0] = clear.data;
	ck_assert_int_eq(vldaa_revoked_list(orders, &clear.len, 1, list.data, list.len, &list.len),
			 VLDAA_OK);
	ck_assert_int_eq(vldaa_verifier_add_list(alone, list.data, list.len), VLDAA_OK);
	sig = car_sign(&member, att, VLDAA_FORM_COMPACT, message, LEN);
	ck_assert_int_eq(verify(alone, pseudonym, sig, LEN), VLDAA_ERR_REVOKED);
	vldaa_attestation_free(verified);
	buffer_free(&sig);
	buffer_free(&list);
	buffer_free(&clear);
	buffer_free(&sealed);
	tear_down();
}
END_TEST

START_TEST(what_is_no_attestation_is_refused)
{
	vldaa_verifier *v = (vldaa_verifier *)1;
	vldaa_attestation *a = (vldaa_attestation *)1;

	set_up(_i);
	ck_assert_int_eq(vldaa_verifier_new_pseudonym(&v, &a, w.group_key.data, w.group_key.len),
			 VLDAA_ERR_KIND);
	ck_assert(v == NULL && a == NULL);
	for (size_t len = 0; len < 400; len += 7)
		ck_assert(is_refusal(vldaa_verifier_new_pseudonym(&v, &a, att.data, len)));
	ck_assert_int_eq(vldaa_verifier_new_pseudonym(NULL, &a, att.data, att.len),
			 VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_verifier_new_pseudonym(&v, NULL, att.data, att.len),
			 VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_verifier_new_pseudonym(&v, &a, NULL, att.len), VLDAA_ERR_ARGUMENT);
	tear_down();
}
END_TEST

int main(void)
{
	Suite *s = suite_create("verifiers for one pseudonym");
	TCase *tc = tcase_create("sets");
	SRunner *sr = srunner_create(s);
	int sets = 0;

	while (vldaa_set_at((size_t)sets))
		sets++;
	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, it_says_whose_pseudonym_it_is_for, 0, sets);
	tcase_add_loop_test(tc, the_owners_signatures_are_valid_and_no_others, 0, sets);
	tcase_add_loop_test(tc, an_attestation_is_never_verified_by_it, 0, sets);
	tcase_add_loop_test(tc, an_unverified_attestation_passes_for_a_verified_one_nowhere, 0,
			    sets);
	tcase_add_loop_test(tc, it_obeys_lists, 0, sets);
	tcase_add_loop_test(tc, what_is_no_attestation_is_refused, 0, sets);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
