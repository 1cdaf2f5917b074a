/*
 * Promises: every function refuses a call without a pointer that it needs as the caller's mistake
 * (VLDAA_ERR_ARGUMENT; functions that give a pointer or a size give none); the outputs that it was
 * given are zero, and what was under way goes on.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../support/stage.h"

static const uint8_t one[] = "one";

/* The call is refused and t.out is zero, unless it is the pointer that is missing. */
#define REFUSED(call)                                                                         \
	do {                                                                                  \
		stage_spoil();                                                                \
		ck_assert_int_eq(call, VLDAA_ERR_ARGUMENT);                                   \
		ck_assert(t.out[0] == 0xaa || (all_zero(t.out, STAGE_BUFFER) && t.len <= 1)); \
	} while (0)
/* The same, where t.out and t.len are given: they are zero. */
#define ZEROED(call)                                        \
	do {                                                \
		stage_spoil();                              \
		ck_assert_int_eq(call, VLDAA_ERR_ARGUMENT); \
		ck_assert(all_zero(t.out, STAGE_BUFFER));   \
		ck_assert_uint_eq(t.len, 0);                \
	} while (0)

START_TEST(hosts_refuse_calls_without_a_pointer)
{
	vldaa_host *h = (vldaa_host *)1;
	int done = 1;

	stage_set_up(vldaa_set_by_name("VLDAA-42"));
	const buffer g = t.w.group_key, n = t.nonce, cred = t.c.credential, key = t.c.host_key;
	const buffer r = t.reply, att = t.att;
	vldaa_host *c = t.c.host;
	REFUSED(vldaa_host_new(NULL, g.data, g.len));
	REFUSED(vldaa_host_new(&h, NULL, g.len));
	ck_assert_ptr_null(h);
	ck_assert_int_eq(vldaa_host_new(&h, g.data, g.len), VLDAA_OK);
	ZEROED(vldaa_host_keygen(NULL, t.out, STAGE_BUFFER, &t.len));
	REFUSED(vldaa_host_keygen(h, NULL, STAGE_BUFFER, &t.len));
	REFUSED(vldaa_host_keygen(h, t.out, STAGE_BUFFER, NULL));
	REFUSED(vldaa_host_load(NULL, key.data, key.len, NULL, 0));
	REFUSED(vldaa_host_load(h, NULL, key.len, NULL, 0));
	REFUSED(vldaa_host_load(h, key.data, key.len, NULL, 1));
	ZEROED(vldaa_host_join(NULL, n.data, n.len, t.out, STAGE_BUFFER, &t.len));
	ZEROED(vldaa_host_join(c, NULL, n.len, t.out, STAGE_BUFFER, &t.len));
	REFUSED(vldaa_host_join(c, n.data, n.len, NULL, STAGE_BUFFER, &t.len));
	REFUSED(vldaa_host_join(c, n.data, n.len, t.out, STAGE_BUFFER, NULL));
	REFUSED(vldaa_host_accept(NULL, cred.data, cred.len, t.out, 1));
	REFUSED(vldaa_host_accept(c, NULL, cred.len, t.out, 1));
	REFUSED(vldaa_host_accept(c, cred.data, cred.len, NULL, 1));
	ZEROED(vldaa_host_create_begin(NULL, one, 3, t.out, STAGE_BUFFER, &t.len));
	REFUSED(vldaa_host_create_begin(c, one, 3, NULL, STAGE_BUFFER, &t.len));
	REFUSED(vldaa_host_create_begin(c, one, 3, t.out, STAGE_BUFFER, NULL));
	ZEROED(vldaa_host_create_step(NULL, r.data, r.len, t.out, STAGE_BUFFER, &t.len, &done));
	ck_assert_int_eq(done, 0);
	ZEROED(vldaa_host_create_step(c, NULL, r.len, t.out, STAGE_BUFFER, &t.len, &done));
	REFUSED(vldaa_host_create_step(c, r.data, r.len, NULL, STAGE_BUFFER, &t.len, &done));
	REFUSED(vldaa_host_create_step(c, r.data, r.len, t.out, STAGE_BUFFER, NULL, &done));
	ZEROED(vldaa_host_create_step(c, r.data, r.len, t.out, STAGE_BUFFER, &t.len, NULL));
	ZEROED(vldaa_host_signature(NULL, VLDAA_FORM_COMPACT, att.data, att.len, one, 3, t.out,
				    STAGE_BUFFER, &t.len));
	ZEROED(vldaa_host_signature(c, VLDAA_FORM_COMPACT, NULL, att.len, one, 3, t.out,
				    STAGE_BUFFER, &t.len));
	ZEROED(vldaa_host_signature(c, VLDAA_FORM_COMPACT, att.data, att.len, NULL, 3, t.out,
				    STAGE_BUFFER, &t.len));
	REFUSED(vldaa_host_signature(c, VLDAA_FORM_COMPACT, att.data, att.len, one, 3, NULL,
				     STAGE_BUFFER, &t.len));
	REFUSED(vldaa_host_signature(c, VLDAA_FORM_COMPACT, att.data, att.len, one, 3, t.out,
				     STAGE_BUFFER, NULL));
	ZEROED(vldaa_host_signature(c, (enum vldaa_form)3, att.data, att.len, one, 3, t.out,
				    STAGE_BUFFER, &t.len));
	/* None of these ended the Create that is out. */
	ck_assert_int_eq(
	    vldaa_host_create_step(c, r.data, r.len, t.out, STAGE_BUFFER, &t.len, &done), VLDAA_OK);
	vldaa_host_free(h);
	vldaa_host_free(NULL);
	ck_assert_ptr_null(vldaa_host_set(NULL));
	ck_assert_ptr_null(vldaa_host_key_id(NULL));
	stage_tear_down();
}
END_TEST

START_TEST(tpms_refuse_calls_without_a_pointer)
{
	vldaa_tpm *tpm = (vldaa_tpm *)1;
	vldaa_tpm_status status;
	store_state before;
	uint8_t *workspace = malloc(STAGE_BUFFER);

	stage_set_up(vldaa_set_by_name("VLDAA-42"));
	before = store_now(&t.c.store);
	vldaa_tpm *c = t.c.tpm;
	const vldaa_tpm_services all = t.c.services;
	REFUSED(vldaa_tpm_open(NULL, workspace, STAGE_BUFFER, &all));
	REFUSED(vldaa_tpm_open(&tpm, NULL, STAGE_BUFFER, &all));
	ck_assert_ptr_null(tpm);
	REFUSED(vldaa_tpm_open(&tpm, workspace, STAGE_BUFFER, NULL));
	for (int i = 0; i < 9; i++) {
		vldaa_tpm_services s = all;

		s.random = i == 0 ? NULL : s.random;
		s.now = i == 1 ? NULL : s.now;
		s.answer_key = i == 2 ? NULL : s.answer_key;
		s.open = i == 3 ? NULL : s.open;
		s.check = i == 4 ? NULL : s.check;
		s.certificate = i == 5 ? NULL : s.certificate;
		s.endorse = i == 6 ? NULL : s.endorse;
		s.load = i == 7 ? NULL : s.load;
		s.commit = i == 8 ? NULL : s.commit;
		REFUSED(vldaa_tpm_open(&tpm, workspace, STAGE_BUFFER, &s));
	}
	ck_assert_int_eq(vldaa_tpm_open(&tpm, workspace, 64, &all), VLDAA_ERR_BUFFER);
	ck_assert_ptr_null(tpm);
	free(workspace);
	REFUSED(vldaa_tpm_keygen(NULL, t.w.group_key.data, t.w.group_key.len));
	REFUSED(vldaa_tpm_keygen(c, NULL, t.w.group_key.len));
	ZEROED(vldaa_tpm_request(NULL, t.call.data, t.call.len, t.out, STAGE_BUFFER, &t.len));
	ZEROED(vldaa_tpm_request(c, NULL, t.call.len, t.out, STAGE_BUFFER, &t.len));
	REFUSED(vldaa_tpm_request(c, t.call.data, t.call.len, NULL, STAGE_BUFFER, &t.len));
	REFUSED(vldaa_tpm_request(c, t.call.data, t.call.len, t.out, STAGE_BUFFER, NULL));
	ZEROED(vldaa_tpm_accept(NULL, t.answer.data, t.answer.len, t.out, STAGE_BUFFER, &t.len));
	ZEROED(vldaa_tpm_accept(c, NULL, t.answer.len, t.out, STAGE_BUFFER, &t.len));
	REFUSED(vldaa_tpm_accept(c, t.answer.data, t.answer.len, NULL, STAGE_BUFFER, &t.len));
	REFUSED(vldaa_tpm_accept(c, t.answer.data, t.answer.len, t.out, STAGE_BUFFER, NULL));
	ZEROED(vldaa_tpm_public_key(NULL, t.key_id, t.out, STAGE_BUFFER, &t.len));
	ZEROED(vldaa_tpm_public_key(c, NULL, t.out, STAGE_BUFFER, &t.len));
	REFUSED(vldaa_tpm_public_key(c, t.key_id, NULL, STAGE_BUFFER, &t.len));
	REFUSED(vldaa_tpm_public_key(c, t.key_id, t.out, STAGE_BUFFER, NULL));
	ZEROED(vldaa_tpm_create(NULL, t.create_call.data, t.create_call.len, t.out, STAGE_BUFFER,
				&t.len));
	ZEROED(vldaa_tpm_create(c, NULL, t.create_call.len, t.out, STAGE_BUFFER, &t.len));
	REFUSED(
	    vldaa_tpm_create(c, t.create_call.data, t.create_call.len, NULL, STAGE_BUFFER, &t.len));
	REFUSED(
	    vldaa_tpm_create(c, t.create_call.data, t.create_call.len, t.out, STAGE_BUFFER, NULL));
	const uint8_t *digest = vldaa_attestation_digest(t.a);
	REFUSED(vldaa_tpm_sign_begin(NULL, t.key_id, one, 3, digest));
	REFUSED(vldaa_tpm_sign_begin(c, NULL, one, 3, digest));
	REFUSED(vldaa_tpm_sign_begin(c, t.key_id, one, 3, NULL));
	ck_assert_int_eq(vldaa_tpm_sign_begin(c, t.key_id, NULL, 3, digest), VLDAA_ERR_BASENAME);
	ck_assert_int_eq(vldaa_tpm_sign_begin(c, t.key_id, one, 3, digest), VLDAA_OK);
	REFUSED(vldaa_tpm_sign_update(NULL, one, 3));
	REFUSED(vldaa_tpm_sign_update(c, NULL, 3));
	ck_assert_int_eq(vldaa_tpm_sign_update(c, NULL, 0), VLDAA_OK);
	ZEROED(vldaa_tpm_sign_end(NULL, t.out, STAGE_BUFFER, &t.len));
	REFUSED(vldaa_tpm_sign_end(c, NULL, STAGE_BUFFER, &t.len));
	REFUSED(vldaa_tpm_sign_end(c, t.out, STAGE_BUFFER, NULL));
	ck_assert_int_eq(vldaa_tpm_sign_end(c, t.out, STAGE_BUFFER, &t.len), VLDAA_OK);
	ZEROED(vldaa_tpm_token(NULL, t.key_id, one, 3, digest, t.out, STAGE_BUFFER, &t.len));
	ZEROED(vldaa_tpm_token(c, NULL, one, 3, digest, t.out, STAGE_BUFFER, &t.len));
	ZEROED(vldaa_tpm_token(c, t.key_id, one, 3, NULL, t.out, STAGE_BUFFER, &t.len));
	REFUSED(vldaa_tpm_token(c, t.key_id, one, 3, digest, NULL, STAGE_BUFFER, &t.len));
	REFUSED(vldaa_tpm_token(c, t.key_id, one, 3, digest, t.out, STAGE_BUFFER, NULL));
	ZEROED(vldaa_tpm_obey(NULL, t.sealed.data, t.sealed.len, t.out, STAGE_BUFFER, &t.len));
	ZEROED(vldaa_tpm_obey(c, NULL, t.sealed.len, t.out, STAGE_BUFFER, &t.len));
	REFUSED(vldaa_tpm_obey(c, t.sealed.data, t.sealed.len, NULL, STAGE_BUFFER, &t.len));
	REFUSED(vldaa_tpm_obey(c, t.sealed.data, t.sealed.len, t.out, STAGE_BUFFER, NULL));
	REFUSED(vldaa_tpm_get_status(NULL, t.key_id, &status));
	REFUSED(vldaa_tpm_get_status(c, NULL, &status));
	REFUSED(vldaa_tpm_get_status(c, t.key_id, NULL));
	ck_assert(store_same(&t.c.store, before));
	vldaa_tpm_close(NULL);
	stage_tear_down();
}
END_TEST

START_TEST(issuers_refuse_calls_without_a_pointer)
{
	vldaa_issuer *is = (vldaa_issuer *)1;
	vldaa_request_info info;
	uint8_t tag[VLDAA_MAX_TAG_BYTES], digest[VLDAA_DIGEST_BYTES];
	size_t n = 1;

	stage_set_up(vldaa_set_by_name("VLDAA-42"));
	const buffer a = t.w.authority.pkcs8, q = t.request, roots = t.w.roots_pem;
	const vldaa_group_services good = {t.w.revocation.spki.data, t.w.revocation.spki.len,
					   t.w.fleet_key};
	const vldaa_group_services no_key = {NULL, 10, t.w.fleet_key};
	const vldaa_group_services no_fleet = {t.w.revocation.spki.data, t.w.revocation.spki.len,
					       NULL};
	vldaa_issuer *i = t.w.issuer;
	ZEROED(vldaa_issuer_keygen(NULL, NULL, a.data, a.len, t.out, STAGE_BUFFER, &t.len));
	ZEROED(vldaa_issuer_keygen(t.w.set, NULL, NULL, a.len, t.out, STAGE_BUFFER, &t.len));
	ZEROED(vldaa_issuer_keygen(t.w.set, NULL, a.data, 8193, t.out, STAGE_BUFFER, &t.len));
	ZEROED(vldaa_issuer_keygen(t.w.set, NULL, a.data, 0, t.out, STAGE_BUFFER, &t.len));
	REFUSED(vldaa_issuer_keygen(t.w.set, NULL, a.data, a.len, NULL, STAGE_BUFFER, &t.len));
	REFUSED(vldaa_issuer_keygen(t.w.set, NULL, a.data, a.len, t.out, STAGE_BUFFER, NULL));
	REFUSED(vldaa_issuer_new(NULL, t.w.issuer_key.data, t.w.issuer_key.len));
	REFUSED(vldaa_issuer_new(&is, NULL, t.w.issuer_key.len));
	ck_assert_ptr_null(is);
	ZEROED(vldaa_issuer_nonce(NULL, stage_nonce, t.out, STAGE_BUFFER, &t.len));
	ZEROED(vldaa_issuer_nonce(i, NULL, t.out, STAGE_BUFFER, &t.len));
	REFUSED(vldaa_issuer_nonce(i, stage_nonce, NULL, STAGE_BUFFER, &t.len));
	REFUSED(vldaa_issuer_nonce(i, stage_nonce, t.out, STAGE_BUFFER, NULL));
	REFUSED(vldaa_issuer_request_digest(NULL, q.data, q.len, digest));
	ck_assert(all_zero(digest, sizeof digest));
	REFUSED(vldaa_issuer_request_digest(i, NULL, q.len, digest));
	REFUSED(vldaa_issuer_request_digest(i, q.data, q.len, NULL));
	REFUSED(vldaa_issuer_check(NULL, q.data, q.len, roots.data, roots.len, t.w.now, &info));
	REFUSED(vldaa_issuer_check(i, NULL, q.len, roots.data, roots.len, t.w.now, &info));
	REFUSED(vldaa_issuer_check(i, q.data, q.len, NULL, roots.len, t.w.now, &info));
	REFUSED(vldaa_issuer_check(i, q.data, q.len, NULL, 0, t.w.now, &info));
	REFUSED(vldaa_issuer_check(i, q.data, q.len, roots.data, roots.len, t.w.now, NULL));
	ck_assert_int_eq(
	    vldaa_issuer_check(i, q.data, q.len, roots.data, roots.len, t.w.now, &info), VLDAA_OK);
	REFUSED(vldaa_issuer_is_rogue(NULL, one, 3));
	REFUSED(vldaa_issuer_is_rogue(i, NULL, 3));
	ZEROED(vldaa_issuer_answer(NULL, &good, tag, &n, t.out, STAGE_BUFFER, &t.len));
	ZEROED(vldaa_issuer_answer(i, NULL, tag, &n, t.out, STAGE_BUFFER, &t.len));
	ZEROED(vldaa_issuer_answer(i, &no_key, tag, &n, t.out, STAGE_BUFFER, &t.len));
	ZEROED(vldaa_issuer_answer(i, &no_fleet, tag, &n, t.out, STAGE_BUFFER, &t.len));
	ZEROED(vldaa_issuer_answer(i, &good, NULL, &n, t.out, STAGE_BUFFER, &t.len));
	ZEROED(vldaa_issuer_answer(i, &good, tag, NULL, t.out, STAGE_BUFFER, &t.len));
	REFUSED(vldaa_issuer_answer(i, &good, tag, &n, NULL, STAGE_BUFFER, &t.len));
	REFUSED(vldaa_issuer_answer(i, &good, tag, &n, t.out, STAGE_BUFFER, NULL));
	ck_assert(n == 0 && all_zero(tag, sizeof tag));
	/* The request that was checked is still to be answered. */
	ck_assert_int_eq(vldaa_issuer_answer(i, &good, tag, &n, t.out, STAGE_BUFFER, &t.len),
			 VLDAA_OK);
	vldaa_issuer_free(NULL);
	n = 1;
	ck_assert_ptr_null(vldaa_issuer_set(NULL));
	ck_assert_ptr_null(vldaa_issuer_key_id(NULL));
	ck_assert_ptr_null(vldaa_issuer_group_key(NULL, &n));
	ck_assert_uint_eq(n, 0);
	ck_assert_ptr_nonnull(vldaa_issuer_group_key(i, NULL));
	stage_tear_down();
}
END_TEST

START_TEST(verifiers_refuse_calls_without_a_pointer)
{
	vldaa_verifier *v = (vldaa_verifier *)1;
	vldaa_attestation *a = (vldaa_attestation *)1;
	vldaa_verification *x = (vldaa_verification *)1;
	uint8_t digest[VLDAA_DIGEST_BYTES];
	int linked = 1;
	size_t n = 1;

	stage_set_up(vldaa_set_by_name("VLDAA-42"));
	const buffer att = t.att;
	buffer sig = car_sign(&t.c, att, VLDAA_FORM_SELF_CONTAINED, one, 3);
	vldaa_verifier *good = t.w.verifier;
	REFUSED(vldaa_verifier_new(NULL, t.w.group_key.data, t.w.group_key.len));
	REFUSED(vldaa_verifier_new(&v, NULL, t.w.group_key.len));
	ck_assert_ptr_null(v);
	REFUSED(vldaa_verifier_add_list(NULL, one, 3));
	REFUSED(vldaa_verifier_add_list(good, NULL, 3));
	REFUSED(vldaa_attestation_new(NULL, good, att.data, att.len));
	REFUSED(vldaa_attestation_new(&a, NULL, att.data, att.len));
	ck_assert_ptr_null(a);
	REFUSED(vldaa_attestation_new(&a, good, NULL, att.len));
	REFUSED(vldaa_attestation_digest_of(NULL, att.len, digest));
	REFUSED(vldaa_attestation_digest_of(att.data, att.len, NULL));
	ZEROED(vldaa_attestation_public_key(NULL, t.out, STAGE_BUFFER, &t.len));
	REFUSED(vldaa_attestation_public_key(t.a, NULL, STAGE_BUFFER, &t.len));
	REFUSED(vldaa_attestation_public_key(t.a, t.out, STAGE_BUFFER, NULL));
	ZEROED(vldaa_attestation_public_key_of(NULL, att.len, t.out, STAGE_BUFFER, &t.len));
	REFUSED(vldaa_attestation_public_key_of(att.data, att.len, NULL, STAGE_BUFFER, &t.len));
	REFUSED(vldaa_attestation_public_key_of(att.data, att.len, t.out, STAGE_BUFFER, NULL));
	REFUSED(vldaa_verification_new(NULL, good, sig.data, sig.len, NULL, NULL, 0));
	REFUSED(vldaa_verification_new(&x, NULL, sig.data, sig.len, NULL, NULL, 0));
	ck_assert_ptr_null(x);
	REFUSED(vldaa_verification_new(&x, good, NULL, sig.len, NULL, NULL, 0));
	REFUSED(vldaa_verification_new(&x, good, sig.data, sig.len, NULL, NULL, 3));
	ck_assert_int_eq(vldaa_verification_new(&x, good, sig.data, sig.len, NULL, one, 3),
			 VLDAA_OK);
	REFUSED(vldaa_verification_update(NULL, one, 3));
	REFUSED(vldaa_verification_update(x, NULL, 3));
	ck_assert_int_eq(vldaa_verification_update(x, NULL, 0), VLDAA_OK);
	ck_assert_int_eq(vldaa_verification_update(x, one, 3), VLDAA_OK);
	REFUSED(vldaa_verification_end(NULL));
	ck_assert_int_eq(vldaa_verification_end(x), VLDAA_OK);
	vldaa_verification_free(x);
	REFUSED(vldaa_link(NULL, t.a, &linked));
	ck_assert_int_eq(linked, 0);
	REFUSED(vldaa_link(t.a, NULL, &linked));
	REFUSED(vldaa_link(t.a, t.a, NULL));
	vldaa_verifier_free(NULL);
	vldaa_attestation_free(NULL);
	vldaa_verification_free(NULL);
	ck_assert_ptr_null(vldaa_verifier_set(NULL));
	ck_assert_ptr_null(vldaa_verifier_key_id(NULL));
	ck_assert_ptr_null(vldaa_attestation_basename(NULL, &n));
	ck_assert_uint_eq(n, 0);
	ck_assert_ptr_nonnull(vldaa_attestation_basename(t.a, NULL));
	n = 1;
	ck_assert_ptr_null(vldaa_attestation_nym(NULL, &n));
	ck_assert_uint_eq(n, 0);
	ck_assert_ptr_nonnull(vldaa_attestation_nym(t.a, NULL));
	ck_assert_ptr_null(vldaa_attestation_digest(NULL));
	ck_assert_ptr_null(vldaa_verification_attestation(NULL));
	buffer_free(&sig);
	stage_tear_down();
}
END_TEST

START_TEST(revocation_and_inspection_refuse_calls_without_a_pointer)
{
	const vldaa_order_terms terms = {VLDAA_REVOKE_SOFT, 0, 1, 1};
	vldaa_order_terms read;
	vldaa_object_info info;
	const uint8_t *found = NULL;
	uint8_t digest[VLDAA_DIGEST_BYTES];

	stage_set_up(vldaa_set_by_name("VLDAA-42"));
	const buffer k = t.w.revocation.pkcs8, o = t.order;
	const uint8_t *const list[] = {o.data};
	const uint8_t *fleet = t.w.fleet_key;
	for (int missing = 0; missing < 8; missing++) {
		stage_spoil();
		ck_assert_int_eq(
		    vldaa_order_new(missing == 0 ? NULL : t.a, missing == 1 ? NULL : &terms,
				    missing == 2 ? NULL : k.data, k.len,
				    missing == 3 ? NULL : fleet, missing == 4 ? NULL : t.out,
				    STAGE_BUFFER, missing == 5 ? NULL : &t.len,
				    missing == 6 ? NULL : t.second, STAGE_BUFFER,
				    missing == 7 ? NULL : &t.second_len),
		    VLDAA_ERR_ARGUMENT);
		ck_assert(missing == 4 || all_zero(t.out, STAGE_BUFFER));
		ck_assert(missing == 6 || all_zero(t.second, STAGE_BUFFER));
		ck_assert(missing == 5 || t.len == 0);
		ck_assert(missing == 7 || t.second_len == 0);
	}
	REFUSED(vldaa_order_read(NULL, o.len, &read, digest));
	REFUSED(vldaa_order_read(o.data, o.len, NULL, digest));
	ck_assert(all_zero(digest, sizeof digest));
	REFUSED(vldaa_order_read(o.data, o.len, &read, NULL));
	ck_assert(all_zero(&read, sizeof read));
	REFUSED(vldaa_confirmation_check(NULL, o.data, o.len, o.data, o.len, NULL, 0));
	REFUSED(vldaa_confirmation_check(t.w.verifier, NULL, o.len, o.data, o.len, NULL, 0));
	REFUSED(vldaa_confirmation_check(t.w.verifier, o.data, o.len, NULL, o.len, NULL, 0));
	REFUSED(vldaa_confirmation_check(t.w.verifier, o.data, o.len, o.data, o.len, NULL, 1));
	ZEROED(vldaa_revoked_list(NULL, &o.len, 1, t.out, STAGE_BUFFER, &t.len));
	ZEROED(vldaa_revoked_list(list, NULL, 1, t.out, STAGE_BUFFER, &t.len));
	ZEROED(vldaa_revoked_list(list, &o.len, 0, t.out, STAGE_BUFFER, &t.len));
	REFUSED(vldaa_revoked_list(list, &o.len, 1, NULL, STAGE_BUFFER, &t.len));
	REFUSED(vldaa_revoked_list(list, &o.len, 1, t.out, STAGE_BUFFER, NULL));
	ZEROED(vldaa_rogue_list(NULL, &o.len, 1, t.out, STAGE_BUFFER, &t.len));
	ZEROED(vldaa_rogue_list(list, NULL, 1, t.out, STAGE_BUFFER, &t.len));
	ZEROED(vldaa_rogue_list(list, &o.len, 0, t.out, STAGE_BUFFER, &t.len));
	REFUSED(vldaa_rogue_list(list, &o.len, 1, NULL, STAGE_BUFFER, &t.len));
	REFUSED(vldaa_rogue_list(list, &o.len, 1, t.out, STAGE_BUFFER, NULL));
	ZEROED(vldaa_empty_list(NULL, VLDAA_KIND_ROGUE_LIST, t.out, STAGE_BUFFER, &t.len));
	ZEROED(vldaa_empty_list(t.w.verifier, VLDAA_KIND_ORDER, t.out, STAGE_BUFFER, &t.len));
	REFUSED(vldaa_empty_list(t.w.verifier, VLDAA_KIND_ROGUE_LIST, NULL, STAGE_BUFFER, &t.len));
	REFUSED(vldaa_empty_list(t.w.verifier, VLDAA_KIND_ROGUE_LIST, t.out, STAGE_BUFFER, NULL));
	REFUSED(vldaa_object_inspect(NULL, o.data, o.len));
	REFUSED(vldaa_object_public(NULL, &t.len, o.data, o.len));
	REFUSED(vldaa_object_public(&found, NULL, o.data, o.len));
	REFUSED(vldaa_object_public(&found, &t.len, NULL, o.len));
	ck_assert(found == NULL && t.len == 0);
	memset(&info, 0xaa, sizeof info);
	REFUSED(vldaa_object_inspect(&info, NULL, o.len));
	ck_assert(all_zero(&info, sizeof info));
	ck_assert_uint_eq(vldaa_object_max_size(NULL, VLDAA_KIND_ORDER), 0);
	ck_assert_uint_eq(vldaa_object_max_size(t.w.set, (enum vldaa_kind)99), 0);
	ck_assert_uint_gt(vldaa_tpm_workspace_size(NULL), 0);
	ck_assert_ptr_null(vldaa_set_by_name(NULL));
	ck_assert_ptr_null(vldaa_set_by_name(""));
	ck_assert_ptr_null(vldaa_set_at(SIZE_MAX));
	ck_assert_ptr_nonnull(vldaa_set_name(NULL));
	ck_assert_uint_eq(vldaa_set_id(NULL), 0);
	ck_assert_ptr_null(vldaa_set_warning(NULL));
	ck_assert_int_eq(vldaa_set_signature_bits(NULL), 0);
	ck_assert_int_eq(vldaa_set_key_bits(NULL), 0);
	ck_assert_int_eq(vldaa_set_anonymity_bits(NULL), 0);
	ck_assert_ptr_null(vldaa_set_assumptions(NULL));
	stage_tear_down();
}
END_TEST

int main(void)
{
	Suite *s = suite_create("missing pointers");
	TCase *tc = tcase_create("pointers");
	SRunner *sr = srunner_create(s);

	tcase_add_test(tc, hosts_refuse_calls_without_a_pointer);
	tcase_add_test(tc, tpms_refuse_calls_without_a_pointer);
	tcase_add_test(tc, issuers_refuse_calls_without_a_pointer);
	tcase_add_test(tc, verifiers_refuse_calls_without_a_pointer);
	tcase_add_test(tc, revocation_and_inspection_refuse_calls_without_a_pointer);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
