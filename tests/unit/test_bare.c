/*
 * Promises of the bare form (vldaa/host.h, vldaa/verify.h): it is a FIPS 204 signature of the plain
 * message with an empty context, under the public key that the attestation gives; it needs that
 * attestation to verify, and no other does; nothing else that a member signs passes for it; sets
 * without ML-DSA refuse it by name.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../support/damage.h"
#include "mldsa_common.h"
#include "random/hash.h"

static const char message[] = "brake";
enum { LEN = sizeof message - 1 };

static world w;
static car member, other;
static buffer att, other_att, elsewhere_att; /* elsewhere: the same member's, another basename */
static buffer bare;
static vldaa_attestation *known, *other_known, *elsewhere_known;

static void set_up(const vldaa_set *set)
{
	world_init(&w, set, 1);
	car_init(&member, &w, 2);
	car_init(&other, &w, 3);
	car_join(&member);
	car_join(&other);
	att = car_create(&member, "here");
	elsewhere_att = car_create(&member, "elsewhere");
	other_att = car_create(&other, "here");
	known = world_attestation(&w, att);
	elsewhere_known = world_attestation(&w, elsewhere_att);
	other_known = world_attestation(&w, other_att);
	bare = car_sign(&member, att, VLDAA_FORM_BARE, message, LEN);
}

static void set_up_44(void)
{
	set_up(vldaa_set_by_name("VLDAA2-44"));
}

static void set_up_87(void)
{
	set_up(vldaa_set_by_name("VLDAA2-87"));
}

static void tear_down(void)
{
	vldaa_attestation_free(known);
	vldaa_attestation_free(elsewhere_known);
	vldaa_attestation_free(other_known);
	buffer_free(&att);
	buffer_free(&elsewhere_att);
	buffer_free(&other_att);
	buffer_free(&bare);
	car_free(&member);
	car_free(&other);
	world_free(&w);
}

static const vldaa_mldsa_set *mldsa_of(const vldaa_set *set)
{
	return strcmp(vldaa_set_name(set), "VLDAA2-87") == 0 ? &vldaa_mldsa_87 : &vldaa_mldsa_44;
}

/* What any verifier of FIPS 204 does, by the code that the vectors of test_mldsa hold to it. */
static int verify_anywhere(const vldaa_attestation *a, const char *context, const void *text,
			   size_t len, const uint8_t *signature)
{
	const vldaa_mldsa_set *set = mldsa_of(w.set);
	uint8_t public_key[VLDAA_MLDSA_MAX_PUBLIC];
	uint8_t tr[VLDAA_MLDSA_TR_BYTES];
	uint8_t mu[VLDAA_MLDSA_MU_BYTES];
	size_t key_len;

	ck_assert_int_eq(vldaa_attestation_public_key(a, public_key, sizeof public_key, &key_len),
			 VLDAA_OK);
	ck_assert_uint_eq(key_len, set->public_bytes);
	vldaa_mldsa_tr(set, public_key, tr);
	mldsa_mu(mu, tr, context, strlen(context), text, len);
	return vldaa_mldsa_verify(set, public_key, mu, signature, &mldsa_workspace);
}

START_TEST(a_bare_signature_is_the_mldsa_signature_alone)
{
	const size_t size = mldsa_of(w.set)->signature_bytes;
	buffer compact = car_sign(&member, att, VLDAA_FORM_COMPACT, message, LEN);

	ck_assert_uint_eq(vldaa_set_bare_size(w.set), size);
	ck_assert_uint_eq(bare.len, size);
	/* No object has its length: a compact signature is the nearest. */
	ck_assert_uint_gt(compact.len, size);
	buffer_free(&compact);
}
END_TEST

START_TEST(any_verifier_of_fips_204_accepts_it_over_the_plain_message)
{
	ck_assert_int_eq(verify_anywhere(known, "", message, LEN, bare.data), VLDAA_OK);
	ck_assert_int_eq(verify_anywhere(known, "", "broke", LEN, bare.data), VLDAA_ERR_PROOF);
	ck_assert_int_eq(verify_anywhere(known, "context", message, LEN, bare.data),
			 VLDAA_ERR_PROOF);
	ck_assert_int_eq(verify_anywhere(other_known, "", message, LEN, bare.data),
			 VLDAA_ERR_PROOF);
	ck_assert_int_eq(verify_anywhere(elsewhere_known, "", message, LEN, bare.data),
			 VLDAA_ERR_PROOF);
}
END_TEST

START_TEST(it_verifies_under_its_attestation_and_no_other)
{
	ck_assert_int_eq(world_verify(&w, bare, known, message, LEN), VLDAA_OK);
	ck_assert_int_eq(world_verify(&w, bare, known, "broke", LEN), VLDAA_ERR_PROOF);
	ck_assert_int_eq(world_verify(&w, bare, known, message, LEN - 1), VLDAA_ERR_PROOF);
	ck_assert_int_eq(world_verify(&w, bare, other_known, message, LEN), VLDAA_ERR_PROOF);
	ck_assert_int_eq(world_verify(&w, bare, elsewhere_known, message, LEN), VLDAA_ERR_PROOF);
	ck_assert_int_eq(world_verify(&w, bare, NULL, message, LEN), VLDAA_ERR_ATTESTATION);
}
END_TEST

START_TEST(the_basename_that_is_asked_for_must_be_the_attestations)
{
	vldaa_verification *x;

	ck_assert_int_eq(vldaa_verification_new(&x, w.verifier, bare.data, bare.len, known,
						(const uint8_t *)"there", 5),
			 VLDAA_ERR_WRONG_BASENAME);
	ck_assert_int_eq(vldaa_verification_new(&x, w.verifier, bare.data, bare.len, known,
						(const uint8_t *)"here", 4),
			 VLDAA_OK);
	ck_assert_ptr_eq(vldaa_verification_attestation(x), known);
	vldaa_verification_free(x);
}
END_TEST

static void refused(void *ctx, const uint8_t *in, size_t len, damage d)
{
	(void)ctx;
	(void)d;
	ck_assert(is_refusal(
	    world_verify(&w, (buffer){(uint8_t *)(uintptr_t)in, len}, known, message, LEN)));
}

START_TEST(a_damaged_one_is_refused)
{
	try_all_damage(bare, MUCH, refused, NULL);
}
END_TEST

START_TEST(a_revoked_pseudonym_is_refused)
{
	buffer clear, list = buffer_new(1 << 16);
	buffer sealed = world_order(&w, known, VLDAA_REVOKE_SOFT, 1, &clear);
	vldaa_verification *x;
	vldaa_verifier *v;

	ck_assert_int_eq(vldaa_revoked_list((const uint8_t *const[]){clear.data}, &clear.len, 1,
					    list.data, list.len, &list.len),
			 VLDAA_OK);
	ck_assert_int_eq(vldaa_verifier_new(&v, w.group_key.data, w.group_key.len), VLDAA_OK);
	ck_assert_int_eq(vldaa_verification_new(&x, v, bare.data, bare.len, known, NULL, 0),
			 VLDAA_OK);
	vldaa_verification_free(x);
	ck_assert_int_eq(vldaa_verifier_add_list(v, list.data, list.len), VLDAA_OK);
	ck_assert_int_eq(vldaa_verification_new(&x, v, bare.data, bare.len, known, NULL, 0),
			 VLDAA_ERR_REVOKED);
	ck_assert_ptr_null(x);
	vldaa_verifier_free(v);
	buffer_free(&list);
	buffer_free(&clear);
	buffer_free(&sealed);
}
END_TEST

START_TEST(a_revocation_tokens_signature_is_no_message_signature)
{
	const uint8_t *digest = vldaa_attestation_digest(known);
	const uint8_t *key_id = vldaa_verifier_key_id(w.verifier);
	const size_t size = vldaa_set_bare_size(w.set);
	uint8_t public_key[VLDAA_MLDSA_MAX_PUBLIC];
	uint8_t text[64 + VLDAA_DIGEST_BYTES];
	buffer token = buffer_new(vldaa_object_max_size(w.set, VLDAA_KIND_TOKEN));
	const uint8_t *signature;
	size_t key_len;
	vldaa_shake s;

	ck_assert_int_eq(vldaa_tpm_token(member.tpm, key_id, (const uint8_t *)"here", 4, digest,
					 token.data, token.len, &token.len),
			 VLDAA_OK);
	signature = token.data + token.len - size;
	/* What it signs (core/README.md): the subject's digest, then its content. */
	ck_assert_int_eq(
	    vldaa_attestation_public_key(known, public_key, sizeof public_key, &key_len), VLDAA_OK);
	vldaa_hash_init(&s, VLDAA_SHAKE256_RATE, VLDAA_DOMAIN_OS_SUBJECT, vldaa_set_id(w.set));
	vldaa_hash_u32(&s, 1);
	vldaa_hash_part(&s, key_id, VLDAA_KEY_ID_BYTES);
	vldaa_hash_part(&s, "here", 4);
	vldaa_hash_part(&s, public_key, key_len);
	vldaa_hash_part(&s, digest, VLDAA_DIGEST_BYTES);
	vldaa_shake_squeeze(&s, text, 64);
	memcpy(text + 64, signature - VLDAA_DIGEST_BYTES, VLDAA_DIGEST_BYTES);
	ck_assert_int_eq(verify_anywhere(known, "VLDAA2 token", text, sizeof text, signature),
			 VLDAA_OK);
	ck_assert_int_eq(verify_anywhere(known, "", text, sizeof text, signature), VLDAA_ERR_PROOF);
	ck_assert_int_eq(world_verify(&w, (buffer){token.data + token.len - size, size}, known,
				      text, sizeof text),
			 VLDAA_ERR_PROOF);
	buffer_free(&token);
}
END_TEST

START_TEST(the_public_key_is_the_same_from_the_attestations_bytes)
{
	const size_t size = mldsa_of(w.set)->public_bytes;
	uint8_t a[VLDAA_MLDSA_MAX_PUBLIC], b[VLDAA_MLDSA_MAX_PUBLIC];
	size_t len = 0;

	ck_assert_int_eq(vldaa_attestation_public_key(known, a, sizeof a, &len), VLDAA_OK);
	ck_assert_uint_eq(len, size);
	ck_assert_int_eq(vldaa_attestation_public_key_of(att.data, att.len, b, sizeof b, &len),
			 VLDAA_OK);
	ck_assert_uint_eq(len, size);
	ck_assert_mem_eq(a, b, size);
	ck_assert_int_eq(vldaa_attestation_public_key(other_known, b, sizeof b, &len), VLDAA_OK);
	ck_assert_mem_ne(a, b, size);
	/* Not the bytes of another kind of object, and not half an attestation. */
	ck_assert_int_eq(
	    vldaa_attestation_public_key_of(w.group_key.data, w.group_key.len, b, sizeof b, &len),
	    VLDAA_ERR_KIND);
	ck_assert(all_zero(b, sizeof b));
	ck_assert_int_eq(vldaa_attestation_public_key_of(att.data, 400, b, sizeof b, &len),
			 VLDAA_ERR_TRUNCATED);
	ck_assert_uint_eq(len, 0);
}
END_TEST

START_TEST(small_buffers_are_told_the_size)
{
	const size_t size = mldsa_of(w.set)->public_bytes;
	uint8_t out[VLDAA_MLDSA_MAX_SIGNATURE];
	size_t len = 0;

	memset(out, 1, sizeof out);
	ck_assert_int_eq(vldaa_attestation_public_key(known, out, size - 1, &len),
			 VLDAA_ERR_BUFFER);
	ck_assert_uint_eq(len, size);
	ck_assert(all_zero(out, size - 1));
	ck_assert_int_eq(vldaa_host_signature(member.host, VLDAA_FORM_BARE, att.data, att.len,
					      bare.data, bare.len, out, bare.len - 1, &len),
			 VLDAA_ERR_BUFFER);
	ck_assert_uint_eq(len, bare.len);
}
END_TEST

START_TEST(only_a_whole_signature_is_put_into_the_form)
{
	uint8_t out[VLDAA_MLDSA_MAX_SIGNATURE];
	size_t len;

	ck_assert_int_eq(vldaa_host_signature(member.host, VLDAA_FORM_BARE, att.data, att.len,
					      bare.data, bare.len - 1, out, sizeof out, &len),
			 VLDAA_ERR_ENCODING);
	ck_assert_uint_eq(len, 0);
}
END_TEST

/* The published sets. */
START_TEST(a_set_without_mldsa_has_no_bare_form)
{
	const vldaa_set *set = vldaa_set_by_name("VLDAA-42");
	uint8_t out[8192];
	buffer attestation, compact, no;
	vldaa_attestation *a;
	size_t len = 1;
	world old;
	car c;

	ck_assert_uint_eq(vldaa_set_bare_size(set), 0);
	ck_assert_uint_eq(vldaa_set_bare_size(NULL), 0);
	world_init(&old, set, 1);
	car_init(&c, &old, 2);
	car_join(&c);
	attestation = car_create(&c, "here");
	a = world_attestation(&old, attestation);
	ck_assert_int_eq(car_try_sign(&c, attestation, VLDAA_FORM_BARE, message, LEN, &no),
			 VLDAA_ERR_FORM);
	ck_assert_int_eq(vldaa_attestation_public_key(a, out, sizeof out, &len), VLDAA_ERR_FORM);
	ck_assert_uint_eq(len, 0);
	ck_assert_int_eq(vldaa_attestation_public_key_of(attestation.data, attestation.len, out,
							 sizeof out, &len),
			 VLDAA_ERR_FORM);
	/* Its signatures without their head are not taken for one. */
	compact = car_sign(&c, attestation, VLDAA_FORM_COMPACT, message, LEN);
	ck_assert_int_eq(world_verify(&old,
				      (buffer){compact.data + VLDAA_OBJECT_HEADER +
						   VLDAA_KEY_ID_BYTES + VLDAA_DIGEST_BYTES,
					       compact.len - VLDAA_OBJECT_HEADER -
						   VLDAA_KEY_ID_BYTES - VLDAA_DIGEST_BYTES},
				      a, message, LEN),
			 VLDAA_ERR_KIND);
	ck_assert(is_refusal(world_verify(&old, (buffer){out, 0}, a, message, LEN)));
	buffer_free(&compact);
	vldaa_attestation_free(a);
	buffer_free(&attestation);
	car_free(&c);
	world_free(&old);
}
END_TEST

static TCase *case_of(const char *name, SFun up)
{
	TCase *tc = tcase_create(name);

	tcase_add_unchecked_fixture(tc, up, tear_down);
	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, a_bare_signature_is_the_mldsa_signature_alone);
	tcase_add_test(tc, any_verifier_of_fips_204_accepts_it_over_the_plain_message);
	tcase_add_test(tc, it_verifies_under_its_attestation_and_no_other);
	tcase_add_test(tc, the_basename_that_is_asked_for_must_be_the_attestations);
	tcase_add_test(tc, a_damaged_one_is_refused);
	tcase_add_test(tc, a_revoked_pseudonym_is_refused);
	tcase_add_test(tc, a_revocation_tokens_signature_is_no_message_signature);
	tcase_add_test(tc, the_public_key_is_the_same_from_the_attestations_bytes);
	tcase_add_test(tc, small_buffers_are_told_the_size);
	tcase_add_test(tc, only_a_whole_signature_is_put_into_the_form);
	return tc;
}

int main(void)
{
	Suite *s = suite_create("bare signatures");
	TCase *published = tcase_create("published sets");
	SRunner *sr;
	int failed;

	suite_add_tcase(s, case_of("VLDAA2-44", set_up_44));
	suite_add_tcase(s, case_of("VLDAA2-87", set_up_87));
	tcase_add_test(published, a_set_without_mldsa_has_no_bare_form);
	suite_add_tcase(s, published);
	sr = srunner_create(s);
	srunner_run_all(sr, CK_ENV);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
