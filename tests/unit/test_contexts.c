/*
 * Promises: what a member signs serves as what it was made for and as nothing else.  A host gets
 * signatures of messages of its choice, but none of them is a revocation token or a confirmation,
 * not even when the message is all that these sign; no token or confirmation is a message's
 * signature, and neither is the other.  A token is tied to its attestation.  A message's signature
 * is tied to its attestation under the published sets; under the one-shot sets it is a plain ML-DSA
 * signature, which every attestation of the same pseudonym carries.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../support/sets.h"
#include "../support/stage.h"
#include "random/hash.h"
#include "wire/object.h"

enum { HEAD = VLDAA_OBJECT_HEADER + VLDAA_KEY_ID_BYTES, SUBJECT = 64, SECRET = 32 };
static const uint8_t one[] = "one";

/* The token, the confirmation, and where their signatures begin. */
static struct {
	buffer token, confirmation;
	size_t token_signature, confirmation_signature;
} s;

static int is_oneshot(void)
{
	return strncmp(vldaa_set_name(t.w.set), "VLDAA2-", 7) == 0;
}

static int check(buffer confirmation, buffer token)
{
	return vldaa_confirmation_check(t.w.verifier, t.order.data, t.order.len, confirmation.data,
					confirmation.len, token.data, token.len);
}

/* The order is obeyed and the store then set back, so that the member can go on to sign. */
static void set_up(int i)
{
	memory_store kept;

	stage_set_up(vldaa_set_at((size_t)i));
	s.token = buffer_new(vldaa_object_max_size(t.w.set, VLDAA_KIND_TOKEN));
	ck_assert_int_eq(vldaa_tpm_token(t.c.tpm, t.key_id, one, 3, vldaa_attestation_digest(t.a),
					 s.token.data, s.token.len, &s.token.len),
			 VLDAA_OK);
	kept = store_copy(&t.c.store);
	s.confirmation = buffer_new(vldaa_object_max_size(t.w.set, VLDAA_KIND_CONFIRMATION));
	ck_assert_int_eq(vldaa_tpm_obey(t.c.tpm, t.sealed.data, t.sealed.len, s.confirmation.data,
					s.confirmation.len, &s.confirmation.len),
			 VLDAA_OK);
	store_clear(&t.c.store);
	t.c.store = kept;
	s.token_signature =
	    HEAD + 1 + 3 + t.w.set->scheme->size(t.w.set, VLDAA_PART_NYM) + 2 * VLDAA_DIGEST_BYTES;
	s.confirmation_signature = HEAD + VLDAA_DIGEST_BYTES + SECRET;
	ck_assert_int_eq(check(s.confirmation, s.token), VLDAA_OK);
}

static void tear_down(void)
{
	buffer_free(&s.token);
	buffer_free(&s.confirmation);
	stage_tear_down();
}

/* The member's signature of this message, alone. */
static buffer sign(const void *message, size_t len)
{
	buffer sig = buffer_new(8192);

	ck_assert_int_eq(
	    vldaa_tpm_sign_begin(t.c.tpm, t.key_id, one, 3, vldaa_attestation_digest(t.a)),
	    VLDAA_OK);
	ck_assert_int_eq(vldaa_tpm_sign_update(t.c.tpm, message, len), VLDAA_OK);
	ck_assert_int_eq(vldaa_tpm_sign_end(t.c.tpm, sig.data, sig.len, &sig.len), VLDAA_OK);
	return sig;
}

/* The object with another signature at its end. */
static buffer with_signature(buffer object, size_t at, const uint8_t *sig, size_t len)
{
	buffer b = buffer_new(at + len);

	memcpy(b.data, object.data, at);
	memcpy(b.data + at, sig, len);
	return b;
}

/* Is this a signature of the message, in any form and under this attestation? */
static int verify_under(buffer att, const uint8_t *sig, size_t sig_len, const void *message,
			size_t len)
{
	static const enum vldaa_form forms[] = {VLDAA_FORM_SELF_CONTAINED, VLDAA_FORM_COMPACT,
						VLDAA_FORM_BARE};
	vldaa_attestation *a = world_attestation(&t.w, att);
	buffer form = buffer_new(vldaa_object_max_size(t.w.set, VLDAA_KIND_SIGNATURE));
	const size_t cap = form.len;
	int result = 0;

	for (size_t i = 0; i < (is_oneshot() ? 3 : 2); i++) {
		int err;

		ck_assert_int_eq(vldaa_host_signature(t.c.host, forms[i], att.data, att.len, sig,
						      sig_len, form.data, cap, &form.len),
				 VLDAA_OK);
		err = world_verify(&t.w, form, i == 0 ? NULL : a, message, len);
		ck_assert(i == 0 || err == result); /* all forms say the same */
		result = err;
	}
	form.len = cap;
	buffer_free(&form);
	vldaa_attestation_free(a);
	return result;
}

/* --- what a host could have signed as a message -------------------------------------------------
 */

/* All that a token (type 1) or a confirmation (type 2) of a one-shot set signs: the subject's
 * digest, then the content.  Prepended in turn: nothing, and the context string. */
static size_t subject_and_content(uint8_t *out, unsigned type, const uint8_t *content, size_t len)
{
	uint8_t public_key[4096];
	size_t key_len;
	vldaa_shake hash;

	ck_assert_int_eq(vldaa_attestation_public_key(t.a, public_key, sizeof public_key, &key_len),
			 VLDAA_OK);
	vldaa_hash_init(&hash, VLDAA_SHAKE256_RATE, VLDAA_DOMAIN_OS_SUBJECT, vldaa_set_id(t.w.set));
	vldaa_hash_u32(&hash, type);
	vldaa_hash_part(&hash, t.key_id, VLDAA_KEY_ID_BYTES);
	vldaa_hash_part(&hash, one, 3);
	vldaa_hash_part(&hash, public_key, key_len);
	vldaa_hash_part(&hash, vldaa_attestation_digest(t.a), VLDAA_DIGEST_BYTES);
	vldaa_shake_squeeze(&hash, out, SUBJECT);
	memcpy(out + SUBJECT, content, len);
	return SUBJECT + len;
}

/* A message's signature is put into the token and into the confirmation. */
static void serves_as_nothing_else(const uint8_t *message, size_t len)
{
	buffer sig = sign(message, len), forged;

	ck_assert_int_eq(verify_under(t.att, sig.data, sig.len, message, len), VLDAA_OK);
	forged = with_signature(s.token, s.token_signature, sig.data, sig.len);
	ck_assert_int_eq(check(s.confirmation, forged), VLDAA_ERR_PROOF);
	buffer_free(&forged);
	forged = with_signature(s.confirmation, s.confirmation_signature, sig.data, sig.len);
	ck_assert_int_eq(check(forged, s.token), VLDAA_ERR_PROOF);
	buffer_free(&forged);
	buffer_free(&sig);
}

START_TEST(a_signed_message_is_no_token_and_no_confirmation_whatever_it_says)
{
	static const char *const contexts[] = {"", "VLDAA2 token", "VLDAA2 confirm"};
	uint8_t message[256];

	set_up(_i);
	const struct {
		const uint8_t *bytes;
		size_t len;
	} contents[] = {{s.token.data + s.token_signature - VLDAA_DIGEST_BYTES, VLDAA_DIGEST_BYTES},
			{s.confirmation.data + HEAD, VLDAA_DIGEST_BYTES + SECRET}};
	for (unsigned i = 0; i < 2; i++) {
		serves_as_nothing_else(contents[i].bytes, contents[i].len);
		if (!is_oneshot())
			continue;
		for (size_t k = 0; k < 3; k++) {
			size_t at = strlen(contexts[k]);

			memcpy(message, contexts[k], at);
			at += subject_and_content(message + at, i + 1, contents[i].bytes,
						  contents[i].len);
			serves_as_nothing_else(message, at);
		}
	}
	tear_down();
}
END_TEST

START_TEST(no_token_and_no_confirmation_is_a_messages_signature)
{
	uint8_t message[256];

	set_up(_i);
	const struct {
		buffer object;
		size_t content, signature;
	} cases[] = {
	    {s.token, s.token_signature - VLDAA_DIGEST_BYTES, s.token_signature},
	    {s.confirmation, HEAD, s.confirmation_signature},
	};
	for (unsigned i = 0; i < 2; i++) {
		const uint8_t *sig = cases[i].object.data + cases[i].signature;
		const size_t sig_len = cases[i].object.len - cases[i].signature;
		const uint8_t *content = cases[i].object.data + cases[i].content;
		const size_t len = cases[i].signature - cases[i].content;

		ck_assert_int_eq(verify_under(t.att, sig, sig_len, content, len), VLDAA_ERR_PROOF);
		if (is_oneshot()) {
			size_t all = subject_and_content(message, i + 1, content, len);

			ck_assert_int_eq(verify_under(t.att, sig, sig_len, message, all),
					 VLDAA_ERR_PROOF);
		}
	}
	tear_down();
}
END_TEST

START_TEST(a_tokens_signature_is_no_confirmations_and_the_other_way_round)
{
	buffer forged;

	set_up(_i);
	forged = with_signature(s.token, s.token_signature,
				s.confirmation.data + s.confirmation_signature,
				s.confirmation.len - s.confirmation_signature);
	ck_assert_int_eq(check(s.confirmation, forged), VLDAA_ERR_PROOF);
	buffer_free(&forged);
	forged = with_signature(s.confirmation, s.confirmation_signature,
				s.token.data + s.token_signature, s.token.len - s.token_signature);
	ck_assert_int_eq(check(forged, s.token), VLDAA_ERR_PROOF);
	buffer_free(&forged);
	tear_down();
}
END_TEST

/* --- attestations -------------------------------------------------------------------------------
 */

START_TEST(a_token_is_tied_to_its_attestation)
{
	buffer again, token, forged;
	vldaa_attestation *b;

	set_up(_i);
	again = car_create(&t.c, "one");
	b = world_attestation(&t.w, again);
	token = buffer_new(s.token.len + 1024);
	ck_assert_int_eq(vldaa_tpm_token(t.c.tpm, t.key_id, one, 3, vldaa_attestation_digest(b),
					 token.data, token.len, &token.len),
			 VLDAA_OK);
	ck_assert_int_eq(check(s.confirmation, token), VLDAA_ERR_TOKEN);
	/* With the name of the attestation that the order names, it is signed for another still. */
	forged = with_signature(s.token, s.token_signature, token.data + s.token_signature,
				token.len - s.token_signature);
	ck_assert_int_eq(check(s.confirmation, forged), VLDAA_ERR_PROOF);
	buffer_free(&forged);
	buffer_free(&token);
	buffer_free(&again);
	vldaa_attestation_free(b);
	tear_down();
}
END_TEST

START_TEST(a_messages_signature_under_another_attestation_of_the_same_pseudonym)
{
	buffer again, two, sig;
	int linked;
	vldaa_attestation *b;

	set_up(_i);
	again = car_create(&t.c, "one");
	two = car_create(&t.c, "two");
	b = world_attestation(&t.w, again);
	ck_assert_int_eq(vldaa_link(t.a, b, &linked), VLDAA_OK);
	ck_assert_int_eq(linked, 1);
	ck_assert_mem_ne(vldaa_attestation_digest(t.a), vldaa_attestation_digest(b),
			 VLDAA_DIGEST_BYTES);
	sig = sign(one, 3);
	ck_assert_int_eq(verify_under(t.att, sig.data, sig.len, one, 3), VLDAA_OK);
	ck_assert_int_eq(verify_under(again, sig.data, sig.len, one, 3),
			 is_oneshot() ? VLDAA_OK : VLDAA_ERR_PROOF);
	ck_assert_int_eq(verify_under(two, sig.data, sig.len, one, 3), VLDAA_ERR_PROOF);
	buffer_free(&again);
	buffer_free(&two);
	buffer_free(&sig);
	vldaa_attestation_free(b);
	tear_down();
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("signed as");
	TCase *tc = tcase_create("contexts");
	SRunner *sr = srunner_create(suite);
	int sets = 0;

	while (vldaa_set_at((size_t)sets))
		sets++;
	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, a_signed_message_is_no_token_and_no_confirmation_whatever_it_says,
			    0, sets);
	tcase_add_loop_test(tc, no_token_and_no_confirmation_is_a_messages_signature, 0, sets);
	tcase_add_loop_test(tc, a_tokens_signature_is_no_confirmations_and_the_other_way_round, 0,
			    sets);
	tcase_add_loop_test(tc, a_token_is_tied_to_its_attestation, 0, sets);
	tcase_add_loop_test(
	    tc, a_messages_signature_under_another_attestation_of_the_same_pseudonym, 0, sets);
	suite_add_tcase(suite, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
