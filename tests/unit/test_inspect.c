/*
 * Promises: an object says, without any key, which pseudonym it is about and which other object it
 * names; a list says how many entries it has; a list without entries is as good as another; an
 * object gives out the public object that it carries.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../support/world.h"

static const char basename[] = "bad";

/* Room for a list of three pseudonyms of any set. */
enum { LIST_BUFFER = 16384 };

static buffer order_against(world *w, const vldaa_attestation *a, buffer *clear)
{
	const vldaa_order_terms terms = {VLDAA_REVOKE_SOFT, 1, 5, w->now + 60};
	buffer sealed = buffer_new(vldaa_object_max_size(w->set, VLDAA_KIND_SEALED_ORDER));

	*clear = buffer_new(vldaa_object_max_size(w->set, VLDAA_KIND_ORDER));
	ck_assert_int_eq(vldaa_order_new(a, &terms, w->revocation.pkcs8.data,
					 w->revocation.pkcs8.len, w->fleet_key, clear->data,
					 clear->len, &clear->len, sealed.data, sealed.len,
					 &sealed.len),
			 VLDAA_OK);
	return sealed;
}

static void assert_about(const vldaa_object_info *info, enum vldaa_kind kind, const uint8_t *digest,
			 int has_basename)
{
	ck_assert_int_eq((int)info->kind, (int)kind);
	ck_assert_int_eq(info->has_digest, 1);
	ck_assert_mem_eq(info->digest, digest, VLDAA_DIGEST_BYTES);
	ck_assert_uint_eq(info->basename_len, has_basename ? strlen(basename) : 0);
	ck_assert_mem_eq(info->basename, basename, info->basename_len);
}

START_TEST(tokens_orders_and_confirmations_name_what_they_are_about)
{
	world w;
	car c;
	buffer att, token, clear, sealed, confirmation;
	vldaa_attestation *a;
	vldaa_object_info info;
	vldaa_order_terms terms;
	uint8_t order_digest[VLDAA_DIGEST_BYTES];

	world_init(&w, vldaa_set_at((size_t)_i), 1);
	car_init(&c, &w, 2);
	car_join(&c);
	att = car_create(&c, basename);
	ck_assert_int_eq(vldaa_attestation_new(&a, w.verifier, att.data, att.len), VLDAA_OK);
	token = buffer_new(vldaa_object_max_size(w.set, VLDAA_KIND_TOKEN));
	ck_assert_int_eq(vldaa_tpm_token(c.tpm, vldaa_verifier_key_id(w.verifier),
					 (const uint8_t *)basename, strlen(basename),
					 vldaa_attestation_digest(a), token.data, token.len,
					 &token.len),
			 VLDAA_OK);
	sealed = order_against(&w, a, &clear);
	confirmation = buffer_new(vldaa_object_max_size(w.set, VLDAA_KIND_CONFIRMATION));
	ck_assert_int_eq(vldaa_tpm_obey(c.tpm, sealed.data, sealed.len, confirmation.data,
					confirmation.len, &confirmation.len),
			 VLDAA_OK);

	ck_assert_int_eq(vldaa_object_inspect(&info, token.data, token.len), VLDAA_OK);
	assert_about(&info, VLDAA_KIND_TOKEN, vldaa_attestation_digest(a), 1);
	ck_assert_int_eq(vldaa_object_inspect(&info, clear.data, clear.len), VLDAA_OK);
	assert_about(&info, VLDAA_KIND_ORDER, vldaa_attestation_digest(a), 1);
	ck_assert_int_eq(vldaa_order_read(clear.data, clear.len, &terms, order_digest), VLDAA_OK);
	ck_assert_int_eq(vldaa_object_inspect(&info, confirmation.data, confirmation.len),
			 VLDAA_OK);
	assert_about(&info, VLDAA_KIND_CONFIRMATION, order_digest, 0);
	ck_assert_int_eq(vldaa_object_inspect(&info, clear.data, 60), VLDAA_ERR_TRUNCATED);
	ck_assert_int_eq(info.has_digest, 0);
	ck_assert_int_eq(vldaa_object_inspect(&info, confirmation.data, 60), VLDAA_ERR_TRUNCATED);
	ck_assert_int_eq(info.has_digest, 0);

	vldaa_attestation_free(a);
	buffer_free(&att);
	buffer_free(&token);
	buffer_free(&clear);
	buffer_free(&sealed);
	buffer_free(&confirmation);
	car_free(&c);
	world_free(&w);
}
END_TEST

START_TEST(a_list_says_how_many_entries_it_has_and_may_have_none)
{
	static const enum vldaa_kind kinds[] = {VLDAA_KIND_ROGUE_LIST, VLDAA_KIND_REVOKED_LIST};
	world w;
	car c;
	buffer att, clear, sealed, list;
	vldaa_attestation *a;
	vldaa_object_info info;
	const uint8_t *orders[3];
	size_t lens[3];

	world_init(&w, vldaa_set_at((size_t)_i), 1);
	car_init(&c, &w, 2);
	car_join(&c);
	list = buffer_new(LIST_BUFFER);
	for (size_t i = 0; i < 2; i++) {
		list.len = LIST_BUFFER;
		ck_assert_int_eq(vldaa_empty_list(w.verifier, kinds[i], list.data, 45, &list.len),
				 VLDAA_ERR_BUFFER);
		ck_assert_int_eq(
		    vldaa_empty_list(w.verifier, kinds[i], list.data, list.len, &list.len),
		    VLDAA_OK);
		ck_assert_int_eq(vldaa_object_inspect(&info, list.data, list.len), VLDAA_OK);
		ck_assert_int_eq((int)info.kind, (int)kinds[i]);
		ck_assert_uint_eq(info.entries, 0);
		ck_assert_int_eq(vldaa_verifier_add_list(w.verifier, list.data, list.len),
				 VLDAA_OK);
	}
	ck_assert_int_eq(
	    vldaa_empty_list(w.verifier, VLDAA_KIND_ORDER, list.data, list.len, &list.len),
	    VLDAA_ERR_ARGUMENT);
	att = car_create(&c, basename);
	ck_assert_int_eq(vldaa_attestation_new(&a, w.verifier, att.data, att.len), VLDAA_OK);

	sealed = order_against(&w, a, &clear);
	for (size_t i = 0; i < 3; i++) {
		orders[i] = clear.data;
		lens[i] = clear.len;
	}
	list.len = LIST_BUFFER;
	ck_assert_int_eq(vldaa_revoked_list(orders, lens, 3, list.data, list.len, &list.len),
			 VLDAA_OK);
	ck_assert_int_eq(vldaa_object_inspect(&info, list.data, list.len), VLDAA_OK);
	ck_assert_uint_eq(info.entries, 3);

	vldaa_attestation_free(a);
	buffer_free(&att);
	buffer_free(&clear);
	buffer_free(&sealed);
	buffer_free(&list);
	car_free(&c);
	world_free(&w);
}
END_TEST

static void assert_public(buffer in, buffer expected)
{
	const uint8_t *found;
	size_t len;

	ck_assert_int_eq(vldaa_object_public(&found, &len, in.data, in.len), VLDAA_OK);
	ck_assert_uint_eq(len, expected.len);
	ck_assert_mem_eq(found, expected.data, len);
	ck_assert(found >= in.data && found + len <= in.data + in.len);
}

START_TEST(an_object_gives_out_the_public_object_that_it_carries)
{
	world w;
	car c;
	buffer att, sig;
	const uint8_t *found;
	size_t len;

	world_init(&w, vldaa_set_at((size_t)_i), 1);
	car_init(&c, &w, 2);
	car_join(&c);
	att = car_create(&c, basename);
	sig = car_sign(&c, att, VLDAA_FORM_SELF_CONTAINED, "message", 7);
	assert_public(w.group_key, w.group_key);
	assert_public(w.issuer_key, w.group_key);
	assert_public(att, att);
	assert_public(sig, att);
	ck_assert_int_eq(vldaa_object_public(&found, &len, c.host_key.data, c.host_key.len),
			 VLDAA_ERR_KIND);
	ck_assert_ptr_null(found);
	ck_assert_uint_eq(len, 0);
	ck_assert_int_eq(vldaa_object_public(&found, &len, sig.data, 60), VLDAA_ERR_TRUNCATED);
	sig.data[0] ^= 1;
	ck_assert_int_eq(vldaa_object_public(&found, &len, sig.data, sig.len), VLDAA_ERR_KIND);

	buffer_free(&att);
	buffer_free(&sig);
	car_free(&c);
	world_free(&w);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("inspect");
	TCase *tc = tcase_create("objects");
	SRunner *sr = srunner_create(s);
	int sets = 0;

	while (vldaa_set_at((size_t)sets))
		sets++;
	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, tokens_orders_and_confirmations_name_what_they_are_about, 0, sets);
	tcase_add_loop_test(tc, a_list_says_how_many_entries_it_has_and_may_have_none, 0, sets);
	tcase_add_loop_test(tc, an_object_gives_out_the_public_object_that_it_carries, 0, sets);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
