/*
 * Promises, for every parameter set: a member that joined makes a pseudonym whose attestation and
 * signatures verify with the group key alone; signatures under one basename link, others do not; a
 * revocation order is obeyed for ever and confirmed; other members are untouched.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../support/world.h"

static const char message[] = "brake ahead";

static vldaa_attestation *verified(world *w, buffer attestation)
{
	vldaa_attestation *a = NULL;

	ck_assert_int_eq(vldaa_attestation_new(&a, w->verifier, attestation.data, attestation.len),
			 VLDAA_OK);
	return a;
}

START_TEST(a_member_signs_and_everyone_verifies)
{
	world w;
	car c;
	buffer att, sig, compact;
	vldaa_attestation *a;

	world_init(&w, vldaa_set_at((size_t)_i), 1);
	car_init(&c, &w, 2);
	car_join(&c);
	att = car_create(&c, "platoon-7");
	a = verified(&w, att);
	sig = car_sign(&c, att, VLDAA_FORM_SELF_CONTAINED, message, sizeof message);
	compact = car_sign(&c, att, VLDAA_FORM_COMPACT, message, sizeof message);
	ck_assert_int_eq(world_verify(&w, sig, NULL, message, sizeof message), VLDAA_OK);
	ck_assert_int_eq(world_verify(&w, compact, a, message, sizeof message), VLDAA_OK);
	ck_assert_int_eq(world_verify(&w, compact, NULL, message, sizeof message),
			 VLDAA_ERR_ATTESTATION);
	ck_assert_int_eq(world_verify(&w, sig, NULL, message, sizeof message - 1), VLDAA_ERR_PROOF);
	vldaa_attestation_free(a);
	buffer_free(&att);
	buffer_free(&sig);
	buffer_free(&compact);
	car_free(&c);
	world_free(&w);
}
END_TEST

START_TEST(one_basename_links_and_nothing_else_does)
{
	world w;
	car c, d;
	buffer att[4];
	vldaa_attestation *a[4];
	const int expected[4] = {1, 1, 0, 0};
	int linked;

	world_init(&w, vldaa_set_at((size_t)_i), 1);
	car_init(&c, &w, 2);
	car_init(&d, &w, 3);
	car_join(&c);
	car_join(&d);
	att[0] = car_create(&c, "one");
	att[1] = car_create(&c, "one");
	att[2] = car_create(&c, "two");
	att[3] = car_create(&d, "one");
	ck_assert(att[0].len != att[1].len || memcmp(att[0].data, att[1].data, att[0].len) != 0);
	for (int i = 0; i < 4; i++)
		a[i] = verified(&w, att[i]);
	for (int i = 0; i < 4; i++) {
		ck_assert_int_eq(vldaa_link(a[0], a[i], &linked), VLDAA_OK);
		ck_assert_int_eq(linked, expected[i]);
	}
	for (int i = 0; i < 4; i++) {
		vldaa_attestation_free(a[i]);
		buffer_free(&att[i]);
	}
	car_free(&c);
	car_free(&d);
	world_free(&w);
}
END_TEST

/* An order against this attestation. */
static buffer make_order(world *w, const vldaa_attestation *a, enum vldaa_revoke_mode mode,
			 uint64_t sequence, buffer *clear)
{
	const vldaa_order_terms terms = {mode, 7, sequence, w->now + 1000};
	buffer sealed = buffer_new(vldaa_object_max_size(w->set, VLDAA_KIND_SEALED_ORDER));

	*clear = buffer_new(vldaa_object_max_size(w->set, VLDAA_KIND_ORDER));
	ck_assert_int_eq(vldaa_order_new(a, &terms, w->revocation.pkcs8.data,
					 w->revocation.pkcs8.len, w->fleet_key, clear->data,
					 clear->len, &clear->len, sealed.data, sealed.len,
					 &sealed.len),
			 VLDAA_OK);
	return sealed;
}

/* Whatever is asked of the TPM for this group. */
static void assert_expelled(car *c, world *w, const vldaa_attestation *a)
{
	const uint8_t *key_id = vldaa_verifier_key_id(w->verifier);
	const uint8_t *digest = vldaa_attestation_digest(a);
	buffer clear, sealed = make_order(w, a, VLDAA_REVOKE_SOFT, 6, &clear);
	buffer out = buffer_new(vldaa_object_max_size(w->set, VLDAA_KIND_ATTESTATION));
	size_t len;
	vldaa_tpm_status status;

	ck_assert_int_eq(vldaa_tpm_keygen(c->tpm, w->group_key.data, w->group_key.len),
			 VLDAA_ERR_EXPELLED);
	ck_assert_int_eq(vldaa_tpm_token(c->tpm, key_id, (const uint8_t *)"good", 4, digest,
					 out.data, out.len, &len),
			 VLDAA_ERR_EXPELLED);
	ck_assert_int_eq(vldaa_tpm_sign_begin(c->tpm, key_id, (const uint8_t *)"good", 4, digest),
			 VLDAA_ERR_EXPELLED);
	ck_assert_int_eq(vldaa_tpm_public_key(c->tpm, key_id, out.data, out.len, &len),
			 VLDAA_ERR_EXPELLED);
	ck_assert_int_eq(vldaa_tpm_obey(c->tpm, sealed.data, sealed.len, out.data, out.len, &len),
			 VLDAA_ERR_EXPELLED);
	ck_assert_int_eq(vldaa_tpm_get_status(c->tpm, key_id, &status), VLDAA_OK);
	ck_assert_int_eq(status.dead, 1);
	ck_assert_int_eq(status.has_key || status.joined || status.pending, 0);
	buffer_free(&clear);
	buffer_free(&sealed);
	buffer_free(&out);
}

START_TEST(an_order_is_obeyed_for_ever_and_confirmed)
{
	const enum vldaa_revoke_mode mode = _i % 2 ? VLDAA_REVOKE_HARD : VLDAA_REVOKE_SOFT;
	world w;
	car c, d;
	buffer att, other, clear, sealed, confirmation, again, token, unused;
	vldaa_attestation *a;
	size_t cap;

	world_init(&w, vldaa_set_at((size_t)_i / 2), 1);
	car_init(&c, &w, 2);
	car_init(&d, &w, 3);
	car_join(&c);
	car_join(&d);
	att = car_create(&c, "bad");
	other = car_create(&c, "good");
	a = verified(&w, att);
	token = buffer_new(vldaa_object_max_size(w.set, VLDAA_KIND_TOKEN));
	ck_assert_int_eq(vldaa_tpm_token(c.tpm, vldaa_verifier_key_id(w.verifier),
					 (const uint8_t *)"bad", 3, vldaa_attestation_digest(a),
					 token.data, token.len, &token.len),
			 VLDAA_OK);
	sealed = make_order(&w, a, mode, 5, &clear);
	cap = vldaa_object_max_size(w.set, VLDAA_KIND_CONFIRMATION);
	confirmation = buffer_new(cap);
	again = buffer_new(cap);
	ck_assert_int_eq(
	    vldaa_tpm_obey(d.tpm, sealed.data, sealed.len, again.data, cap, &again.len),
	    VLDAA_ERR_NOT_MINE);
	ck_assert_int_eq(vldaa_tpm_obey(c.tpm, sealed.data, sealed.len, confirmation.data, cap,
					&confirmation.len),
			 VLDAA_OK);
	ck_assert_int_eq(vldaa_confirmation_check(w.verifier, clear.data, clear.len,
						  confirmation.data, confirmation.len, token.data,
						  token.len),
			 VLDAA_OK);
	/* the same order again: the same bytes */
	ck_assert_int_eq(
	    vldaa_tpm_obey(c.tpm, sealed.data, sealed.len, again.data, cap, &again.len), VLDAA_OK);
	ck_assert_uint_eq(again.len, confirmation.len);
	ck_assert_mem_eq(again.data, confirmation.data, again.len);

	ck_assert_int_eq(car_try_create(&c, (const uint8_t *)"bad", 3, &unused),
			 mode == VLDAA_REVOKE_SOFT ? VLDAA_ERR_TOMBSTONE : VLDAA_ERR_EXPELLED);
	ck_assert_int_eq(
	    car_try_sign(&c, att, VLDAA_FORM_COMPACT, message, sizeof message, &unused),
	    mode == VLDAA_REVOKE_SOFT ? VLDAA_ERR_TOMBSTONE : VLDAA_ERR_EXPELLED);
	if (mode == VLDAA_REVOKE_SOFT) {
		buffer sig =
		    car_sign(&c, other, VLDAA_FORM_SELF_CONTAINED, message, sizeof message);
		ck_assert_int_eq(world_verify(&w, sig, NULL, message, sizeof message), VLDAA_OK);
		buffer_free(&sig);
	} else {
		ck_assert_int_eq(
		    car_try_sign(&c, other, VLDAA_FORM_COMPACT, message, sizeof message, &unused),
		    VLDAA_ERR_EXPELLED);
		assert_expelled(&c, &w, a);
	}
	vldaa_attestation_free(a);
	buffer_free(&att);
	buffer_free(&other);
	buffer_free(&clear);
	buffer_free(&sealed);
	buffer_free(&confirmation);
	buffer_free(&again);
	buffer_free(&token);
	car_free(&c);
	car_free(&d);
	world_free(&w);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("the whole scheme");
	TCase *tc = tcase_create("flows");
	SRunner *sr = srunner_create(s);
	int sets = 0;

	while (vldaa_set_at((size_t)sets))
		sets++;
	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, a_member_signs_and_everyone_verifies, 0, sets);
	tcase_add_loop_test(tc, one_basename_links_and_nothing_else_does, 0, sets);
	tcase_add_loop_test(tc, an_order_is_obeyed_for_ever_and_confirmed, 0, 2 * sets);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
