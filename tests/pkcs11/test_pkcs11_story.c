/*
 * Promises of the vendor mechanisms: Setup, Join, Create, Sign, Verify and Revoke through PKCS#11
 * do what libvldaa's roles do; keys stay in the token; what is revoked is gone.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "module.h"
#include "vldaa/keyfile.h"
#include "vldaa/revoke.h"
#include "vldaa/verify.h"

static const char message[] = "brakes at kilometre 17";
enum { MESSAGE = sizeof message - 1 };

static CK_SESSION_HANDLE issuer, car;
static CK_OBJECT_HANDLE member, pseudonym, pseudonym_public, group;

static CK_OBJECT_HANDLE find_pseudonym(CK_OBJECT_CLASS class)
{
	static const char name[] = "platoon-7";
	char copy[sizeof name];
	CK_ATTRIBUTE templ[] = {{CKA_CLASS, &class, sizeof class},
				{CKA_VLDAA_BASENAME, copy, sizeof name - 1}};

	memcpy(copy, name, sizeof name);
	return find_one(car, templ, 2);
}

static void enter(void)
{
	world_enter();
	issuer = user_session(ISSUER);
	car = user_session(CAR);
	member = find_key(car, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_MEMBER);
	group = find_key(issuer, CKO_PUBLIC_KEY, CK_VLDAA_ROLE_GROUP);
	pseudonym = find_pseudonym(CKO_PRIVATE_KEY);
	pseudonym_public = find_pseudonym(CKO_PUBLIC_KEY);
	ck_assert(member != 0 && group != 0 && pseudonym != 0 && pseudonym_public != 0);
}

/* --- signing -----------------------------------------------------------------------------------
 */

START_TEST(a_pseudonyms_signature_is_valid_for_its_message_only)
{
	bytes s = sign(car, CKM_VLDAA_SIGN, NULL, pseudonym, message, MESSAGE);

	assert_ok(verify(issuer, CKM_VLDAA_SIGN, NULL, group, message, MESSAGE, &s));
	assert_ok(verify(issuer, CKM_VLDAA_SIGN, "platoon-7", group, message, MESSAGE, &s));
	assert_ok(verify(car, CKM_VLDAA_SIGN, NULL, pseudonym_public, message, MESSAGE, &s));
	assert_rv(verify(issuer, CKM_VLDAA_SIGN, NULL, group, message, MESSAGE - 1, &s),
		  CKR_SIGNATURE_INVALID);
	assert_rv(verify(issuer, CKM_VLDAA_SIGN, "platoon-8", group, message, MESSAGE, &s),
		  CKR_SIGNATURE_INVALID);
	s.data[s.len - 1] ^= 1;
	assert_rv(verify(issuer, CKM_VLDAA_SIGN, NULL, group, message, MESSAGE, &s),
		  CKR_SIGNATURE_INVALID);
	bytes_free(&s);
}
END_TEST

/* By the library alone, without the token. */
START_TEST(the_library_accepts_what_the_token_signs)
{
	bytes key = get_attribute(issuer, group, CKA_VALUE);
	bytes s = sign(car, CKM_VLDAA_SIGN, NULL, pseudonym, message, MESSAGE);
	vldaa_verifier *verifier;
	vldaa_verification *v;

	ck_assert_int_eq(vldaa_verifier_new(&verifier, key.data, key.len), VLDAA_OK);
	ck_assert_int_eq(vldaa_verification_new(&v, verifier, s.data, s.len, NULL,
						(const uint8_t *)"platoon-7", 9),
			 VLDAA_OK);
	ck_assert_int_eq(vldaa_verification_update(v, message, MESSAGE), VLDAA_OK);
	ck_assert_int_eq(vldaa_verification_end(v), VLDAA_OK);
	vldaa_verification_free(v);
	vldaa_verifier_free(verifier);
	bytes_free(&s);
	bytes_free(&key);
}
END_TEST

START_TEST(pieces_make_the_same_message)
{
	CK_MECHANISM m = {CKM_VLDAA_SIGN_COMPACT, NULL, 0};
	uint8_t copy[MESSAGE], out[8192];
	CK_ULONG len = 0;

	memcpy(copy, message, MESSAGE);
	assert_ok(p11->C_SignInit(car, &m, pseudonym));
	assert_ok(p11->C_SignUpdate(car, copy, 5));
	assert_ok(p11->C_SignFinal(car, NULL, &len));
	assert_ok(p11->C_SignUpdate(car, copy + 5, MESSAGE - 5));
	ck_assert_uint_le(len, sizeof out);
	len = 10;
	assert_rv(p11->C_SignFinal(car, out, &len), CKR_BUFFER_TOO_SMALL);
	assert_ok(p11->C_SignFinal(car, out, &len));
	assert_rv(p11->C_SignFinal(car, out, &len), CKR_OPERATION_NOT_INITIALIZED);
	assert_ok(p11->C_VerifyInit(car, &m, pseudonym_public));
	assert_ok(p11->C_VerifyUpdate(car, copy, 7));
	assert_ok(p11->C_VerifyUpdate(car, copy + 7, MESSAGE - 7));
	assert_ok(p11->C_VerifyFinal(car, out, len));
	assert_rv(p11->C_VerifyFinal(car, out, len), CKR_OPERATION_NOT_INITIALIZED);
	/* The group's key finds the attestation on the same token, and not on another one. */
	const bytes s = {out, len};
	assert_ok(verify(car, m.mechanism, NULL, find_key(car, CKO_PUBLIC_KEY, CK_VLDAA_ROLE_GROUP),
			 message, MESSAGE, &s));
	assert_rv(verify(issuer, m.mechanism, NULL, group, message, MESSAGE, &s),
		  CKR_SIGNATURE_INVALID);
}
END_TEST

/* CKM_ML_DSA of 3.2 is 0x1d, CKK_ML_DSA 0x4a, CKA_PARAMETER_SET 0x61d, CKP_ML_DSA_44 1. */
START_TEST(a_pseudonym_is_an_mldsa_key_like_any_other)
{
	bytes type = get_attribute(car, pseudonym, CKA_KEY_TYPE);
	bytes set = get_attribute(car, pseudonym, 0x61d);
	bytes key = get_attribute(car, pseudonym_public, CKA_VALUE);
	bytes s = sign(car, 0x1d, NULL, pseudonym, message, MESSAGE);
	CK_ULONG value;

	memcpy(&value, type.data, sizeof value);
	ck_assert_uint_eq(value, 0x4a);
	memcpy(&value, set.data, sizeof value);
	ck_assert_uint_eq(value, 1);
	ck_assert_uint_eq(key.len, 1312);
	ck_assert_uint_eq(s.len, 2420);
	assert_ok(verify(car, 0x1d, NULL, pseudonym_public, message, MESSAGE, &s));
	assert_rv(verify(car, 0x1d, NULL, pseudonym_public, message, MESSAGE - 1, &s),
		  CKR_SIGNATURE_INVALID);
	s.len--;
	assert_rv(verify(car, 0x1d, NULL, pseudonym_public, message, MESSAGE, &s),
		  CKR_SIGNATURE_INVALID);
	/* CK_SIGN_ADDITIONAL_CONTEXT: how it was signed is for signers, a context for nobody. */
	struct {
		CK_ULONG hedge;
		void *context;
		CK_ULONG context_len;
	} context = {2, NULL, 0};
	CK_MECHANISM m = {0x1d, &context, sizeof context};
	assert_ok(p11->C_VerifyInit(car, &m, pseudonym_public));
	assert_ok(p11->C_VerifyInit(car, NULL, 0));
	assert_rv(p11->C_SignInit(car, &m, pseudonym), CKR_MECHANISM_PARAM_INVALID);
	context.hedge = 3;
	assert_rv(p11->C_VerifyInit(car, &m, pseudonym_public), CKR_MECHANISM_PARAM_INVALID);
	context.hedge = 0;
	assert_ok(p11->C_SignInit(car, &m, pseudonym));
	assert_ok(p11->C_SignInit(car, NULL, 0));
	context.context = &context;
	context.context_len = 1;
	assert_rv(p11->C_SignInit(car, &m, pseudonym), CKR_MECHANISM_PARAM_INVALID);
	bytes_free(&s);
	bytes_free(&key);
	bytes_free(&set);
	bytes_free(&type);
}
END_TEST

/* CKA_PUBLIC_KEY_INFO is 0x129; the library reads what is in it. */
START_TEST(public_keys_say_what_key_files_have)
{
	bytes key = get_attribute(issuer, group, CKA_VALUE);
	bytes info = get_attribute(issuer, group, 0x129);
	bytes nym_key = get_attribute(car, pseudonym_public, CKA_VALUE);
	bytes nym_info = get_attribute(car, pseudonym_public, 0x129);
	vldaa_key decoded;
	uint8_t *mldsa;
	size_t mldsa_len;

	ck_assert_int_eq(vldaa_keyfile_decode(&decoded, info.data, info.len, NULL, NULL, NULL),
			 VLDAA_OK);
	ck_assert(decoded.len == key.len && memcmp(decoded.octets, key.data, key.len) == 0);
	ck_assert_int_eq(
	    vldaa_keyfile_decode_mldsa(&mldsa, &mldsa_len, nym_info.data, nym_info.len), VLDAA_OK);
	ck_assert(mldsa_len == nym_key.len && memcmp(mldsa, nym_key.data, mldsa_len) == 0);
	vldaa_keyfile_free(mldsa, mldsa_len);
	vldaa_key_clear(&decoded);
	bytes_free(&nym_info);
	bytes_free(&nym_key);
	bytes_free(&info);
	bytes_free(&key);
}
END_TEST

START_TEST(a_member_signs_for_a_basename_and_leaves_no_object)
{
	const CK_ULONG before = count_all(car);
	bytes s = sign(car, CKM_VLDAA_SIGN, "toll", member, message, MESSAGE);
	char policy[] = "epoch:3600";
	CK_ATTRIBUTE a = {CKA_VLDAA_BASENAME, policy, sizeof policy - 1};
	bytes none;

	assert_ok(verify(issuer, CKM_VLDAA_SIGN, "toll", group, message, MESSAGE, &s));
	bytes_free(&s);
	ck_assert_uint_eq(count_all(car), before);
	assert_rv(try_sign(car, CKM_VLDAA_SIGN, NULL, member, message, MESSAGE, &none),
		  CKR_MECHANISM_PARAM_INVALID);
	assert_ok(p11->C_SetAttributeValue(car, member, &a, 1));
	s = sign(car, CKM_VLDAA_SIGN, NULL, member, message, MESSAGE);
	assert_ok(verify(issuer, CKM_VLDAA_SIGN, NULL, group, message, MESSAGE, &s));
	assert_rv(verify(issuer, CKM_VLDAA_SIGN, "epoch:3600", group, message, MESSAGE, &s),
		  CKR_SIGNATURE_INVALID);
	bytes_free(&s);
}
END_TEST

START_TEST(logout_ends_a_signature_in_progress)
{
	CK_MECHANISM m = {CKM_VLDAA_SIGN_COMPACT, NULL, 0};
	uint8_t copy[MESSAGE], out[8192];
	CK_ULONG len = sizeof out;

	memcpy(copy, message, MESSAGE);
	assert_ok(p11->C_SignInit(car, &m, pseudonym));
	assert_ok(p11->C_SignUpdate(car, copy, MESSAGE));
	assert_ok(p11->C_Logout(car));
	assert_ok(login(car, CKU_USER, USER_PIN));
	assert_rv(p11->C_SignFinal(car, out, &len), CKR_USER_NOT_LOGGED_IN);
	assert_rv(p11->C_SignFinal(car, out, &len), CKR_OPERATION_NOT_INITIALIZED);
}
END_TEST

START_TEST(a_deleted_pseudonym_signs_no_more_and_its_public_half_goes_too)
{
	CK_MECHANISM m = {CKM_VLDAA_SIGN_COMPACT, NULL, 0};
	uint8_t out[8192];
	CK_ULONG len = sizeof out;

	assert_rv(p11->C_DestroyObject(car, pseudonym_public), CKR_ACTION_PROHIBITED);
	assert_ok(p11->C_SignInit(car, &m, pseudonym));
	assert_ok(p11->C_DestroyObject(car, pseudonym));
	assert_rv(p11->C_Sign(car, out, 5, out, &len), CKR_KEY_HANDLE_INVALID);
	assert_rv(p11->C_SignInit(car, &m, pseudonym), CKR_KEY_HANDLE_INVALID);
	ck_assert_uint_eq(find_pseudonym(CKO_PUBLIC_KEY), 0);
}
END_TEST

/* --- Create ------------------------------------------------------------------------------------
 */

START_TEST(a_sessions_pseudonym_lives_as_long_as_the_session)
{
	CK_SESSION_HANDLE second = open_session(CAR, 0);
	const CK_ULONG before = count_all(car);
	CK_OBJECT_HANDLE key, on_token;

	assert_ok(try_create(second, member, "here", 0, &key));
	ck_assert_uint_eq(count_all(car), before + 2);
	bytes s = sign(car, CKM_VLDAA_SIGN, NULL, key, message, MESSAGE);
	assert_ok(verify(issuer, CKM_VLDAA_SIGN, "here", group, message, MESSAGE, &s));
	bytes_free(&s);
	/* A read-only session makes nothing that stays. */
	assert_rv(try_create(second, member, "here", 1, &on_token), CKR_SESSION_READ_ONLY);
	assert_ok(p11->C_CloseSession(second));
	ck_assert_uint_eq(count_all(car), before);
}
END_TEST

START_TEST(the_same_basename_gives_the_same_pseudonym)
{
	CK_OBJECT_HANDLE again, other;
	bytes a, b, c;

	assert_ok(try_create(car, member, "platoon-7", 0, &again));
	assert_ok(try_create(car, member, "platoon-8", 0, &other));
	a = get_attribute(car, pseudonym, CKA_VLDAA_NYM);
	b = get_attribute(car, again, CKA_VLDAA_NYM);
	c = get_attribute(car, other, CKA_VLDAA_NYM);
	ck_assert(a.len == b.len && memcmp(a.data, b.data, a.len) == 0);
	ck_assert(a.len != c.len || memcmp(a.data, c.data, a.len) != 0);
	bytes_free(&a);
	bytes_free(&b);
	bytes_free(&c);
}
END_TEST

START_TEST(secrets_are_never_given_out)
{
	CK_OBJECT_HANDLE keys[] = {member, pseudonym};
	CK_BBOOL no = CK_FALSE, yes = CK_TRUE;
	CK_ATTRIBUTE reveal = {CKA_SENSITIVE, &no, sizeof no};
	CK_ATTRIBUTE extract = {CKA_EXTRACTABLE, &yes, sizeof yes};
	CK_MECHANISM m = {CKM_VLDAA_CREATE, NULL, 0};
	CK_OBJECT_HANDLE key;
	uint8_t value[100];

	for (int i = 0; i < 2; i++) {
		CK_ATTRIBUTE a = {CKA_VALUE, value, sizeof value};

		assert_rv(p11->C_GetAttributeValue(car, keys[i], &a, 1), CKR_ATTRIBUTE_SENSITIVE);
		ck_assert_uint_eq(a.ulValueLen, CK_UNAVAILABLE_INFORMATION);
		assert_rv(p11->C_SetAttributeValue(car, keys[i], &reveal, 1),
			  CKR_ATTRIBUTE_READ_ONLY);
		assert_rv(p11->C_SetAttributeValue(car, keys[i], &extract, 1),
			  CKR_ATTRIBUTE_READ_ONLY);
		assert_rv(p11->C_CopyObject(car, keys[i], NULL, 0, &key), CKR_ACTION_PROHIBITED);
	}
	m.pParameter = value;
	m.ulParameterLen = 3;
	memcpy(value, "abc", 3);
	assert_rv(p11->C_DeriveKey(car, &m, member, &extract, 1, &key), CKR_TEMPLATE_INCONSISTENT);
}
END_TEST

/* --- Join --------------------------------------------------------------------------------------
 */

START_TEST(a_second_car_joins_and_both_are_of_the_group)
{
	CK_SESSION_HANDLE blank = user_session(BLANK);
	const CK_OBJECT_HANDLE second = join(issuer, blank);
	bytes s = sign(blank, CKM_VLDAA_SIGN, "platoon-7", second, message, MESSAGE);

	assert_ok(verify(issuer, CKM_VLDAA_SIGN, "platoon-7", group, message, MESSAGE, &s));
	/* Another member's pseudonym verifies nothing of it. */
	assert_rv(verify(car, CKM_VLDAA_SIGN, NULL, pseudonym_public, message, MESSAGE, &s),
		  CKR_SIGNATURE_INVALID);
	bytes_free(&s);
}
END_TEST

START_TEST(before_join_nothing_is_made)
{
	CK_SESSION_HANDLE blank = user_session(BLANK);
	CK_MECHANISM m = {CKM_VLDAA_MEMBER, NULL, 0};
	CK_OBJECT_HANDLE public_key, second, key;
	bytes none;

	/* The group is the only one on the token. */
	assert_ok(p11->C_GenerateKeyPair(blank, &m, NULL, 0, NULL, 0, &public_key, &second));
	assert_rv(try_create(blank, second, "platoon-7", 1, &key), CKR_VLDAA_NOT_JOINED);
	assert_rv(try_sign(blank, CKM_VLDAA_SIGN, "x", second, message, MESSAGE, &none),
		  CKR_VLDAA_NOT_JOINED);
	assert_rv(p11->C_GenerateKeyPair(blank, &m, NULL, 0, NULL, 0, &public_key, &second),
		  CKR_VLDAA_HAVE_KEY);
}
END_TEST

START_TEST(a_nonce_serves_one_request_and_a_request_gets_one_answer)
{
	const CK_OBJECT_HANDLE key = find_key(issuer, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_ISSUER);
	CK_SESSION_HANDLE blank = user_session(BLANK);
	CK_MECHANISM m = {CKM_VLDAA_MEMBER, NULL, 0};
	CK_OBJECT_HANDLE public_key, second;
	bytes nonce, request, answer, again, none;

	assert_ok(p11->C_GenerateKeyPair(blank, &m, NULL, 0, NULL, 0, &public_key, &second));
	nonce = sign(issuer, CKM_VLDAA_JOIN_NONCE, NULL, key, "60", 2);
	request = sign(blank, CKM_VLDAA_JOIN_REQUEST, NULL, second, nonce.data, nonce.len);
	answer = sign(issuer, CKM_VLDAA_JOIN_ISSUE, NULL, key, request.data, request.len);
	again = sign(issuer, CKM_VLDAA_JOIN_ISSUE, NULL, key, request.data, request.len);
	ck_assert(again.len == answer.len && memcmp(again.data, answer.data, again.len) == 0);
	bytes_free(&request);
	request = sign(blank, CKM_VLDAA_JOIN_REQUEST, NULL, second, nonce.data, nonce.len);
	assert_rv(
	    try_sign(issuer, CKM_VLDAA_JOIN_ISSUE, NULL, key, request.data, request.len, &none),
	    CKR_VLDAA_NONCE);
	assert_rv(try_sign(issuer, CKM_VLDAA_JOIN_NONCE, NULL, key, "soon", 4, &none),
		  CKR_DATA_INVALID);
	bytes_free(&nonce);
	bytes_free(&request);
	bytes_free(&answer);
	bytes_free(&again);
}
END_TEST

START_TEST(a_step_takes_no_parameter_that_it_does_not_know)
{
	const CK_OBJECT_HANDLE key = find_key(issuer, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_ISSUER);
	char text[] = "replac";
	CK_MECHANISM m = {0, text, sizeof text - 1};
	const struct {
		CK_MECHANISM_TYPE type;
		CK_SESSION_HANDLE session;
		CK_OBJECT_HANDLE key;
	} steps[] = {{CKM_VLDAA_JOIN_NONCE, issuer, key},
		     {CKM_VLDAA_JOIN_ISSUE, issuer, key},
		     {CKM_VLDAA_JOIN_REQUEST, car, member},
		     {CKM_VLDAA_REVOKE, car, member},
		     {CKM_VLDAA_REVOCATION_TOKEN, car, pseudonym}};

	for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
		m.mechanism = steps[i].type;
		assert_rv(p11->C_SignInit(steps[i].session, &m, steps[i].key),
			  CKR_MECHANISM_PARAM_INVALID);
	}
}
END_TEST

/* --- Revoke ------------------------------------------------------------------------------------
 */

static bytes make_order(int hard, bytes *clear)
{
	bytes key = get_attribute(issuer, group, CKA_VALUE);
	bytes fleet = get_attribute(issuer, find_key(issuer, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_ISSUER),
				    CKA_VLDAA_FLEET_KEY);
	bytes attestation = get_attribute(car, pseudonym, CKA_VLDAA_ATTESTATION);
	bytes order = order_against(&key, &fleet, &attestation, hard, 1, clear);

	bytes_free(&key);
	bytes_free(&fleet);
	bytes_free(&attestation);
	return order;
}

START_TEST(a_soft_order_ends_one_pseudonym_for_ever)
{
	CK_MECHANISM m = {CKM_VLDAA_SIGN_COMPACT, NULL, 0};
	bytes order = make_order(0, NULL), confirmation, again, s;
	CK_OBJECT_HANDLE key, session_key;

	assert_ok(try_create(car, member, "platoon-7", 0, &session_key));
	confirmation = sign(car, CKM_VLDAA_REVOKE, NULL, member, order.data, order.len);
	assert_rv(p11->C_SignInit(car, &m, pseudonym), CKR_KEY_HANDLE_INVALID);
	assert_rv(p11->C_SignInit(car, &m, session_key), CKR_KEY_HANDLE_INVALID);
	ck_assert_uint_eq(find_pseudonym(CKO_PUBLIC_KEY), 0);
	assert_rv(try_create(car, member, "platoon-7", 1, &key), CKR_VLDAA_REVOKED);
	assert_rv(try_sign(car, CKM_VLDAA_SIGN, "platoon-7", member, message, MESSAGE, &s),
		  CKR_VLDAA_REVOKED);
	assert_ok(try_create(car, member, "platoon-8", 1, &key));
	/* The same broadcast, the same confirmation. */
	again = sign(car, CKM_VLDAA_REVOKE, NULL, member, order.data, order.len);
	ck_assert(again.len == confirmation.len &&
		  memcmp(again.data, confirmation.data, again.len) == 0);
	bytes_free(&again);
	bytes_free(&confirmation);
	bytes_free(&order);
}
END_TEST

START_TEST(a_pseudonym_tells_its_revocation_token_to_its_owner)
{
	bytes token = sign(car, CKM_VLDAA_REVOCATION_TOKEN, NULL, pseudonym, "", 0);
	bytes same = sign(car, CKM_VLDAA_REVOCATION_TOKEN, NULL, pseudonym, "platoon-7", 9);
	bytes none;

	ck_assert(token.len > 0 && token.len == same.len);
	assert_rv(try_sign(car, CKM_VLDAA_REVOCATION_TOKEN, NULL, pseudonym, "platoon-8", 9, &none),
		  CKR_DATA_INVALID);
	assert_rv(try_sign(car, CKM_VLDAA_REVOCATION_TOKEN, NULL, member, "", 0, &none),
		  CKR_KEY_TYPE_INCONSISTENT);
	bytes_free(&same);
	bytes_free(&token);
}
END_TEST

/* The authority knows the confirmation by the token that was deposited with it. */
START_TEST(a_confirmation_is_the_pseudonyms_owners)
{
	bytes clear, order = make_order(0, &clear), key = get_attribute(issuer, group, CKA_VALUE);
	bytes token = sign(car, CKM_VLDAA_REVOCATION_TOKEN, NULL, pseudonym, "", 0);
	bytes same = sign(car, CKM_VLDAA_REVOCATION_TOKEN, NULL, pseudonym, "platoon-7", 9), none;
	bytes confirmation = sign(car, CKM_VLDAA_REVOKE, NULL, member, order.data, order.len);
	vldaa_verifier *verifier;

	ck_assert_int_eq(vldaa_verifier_new(&verifier, key.data, key.len), VLDAA_OK);
	ck_assert_int_eq(vldaa_confirmation_check(verifier, clear.data, clear.len,
						  confirmation.data, confirmation.len, token.data,
						  token.len),
			 VLDAA_OK);
	vldaa_verifier_free(verifier);
	assert_rv(try_sign(car, CKM_VLDAA_REVOCATION_TOKEN, NULL, pseudonym, "", 0, &none),
		  CKR_KEY_HANDLE_INVALID);
	bytes_free(&same);
	bytes_free(&token);
	bytes_free(&confirmation);
	bytes_free(&clear);
	bytes_free(&order);
	bytes_free(&key);
}
END_TEST

/* As any ML-DSA key; whether its owner is a member takes the group, and what the group's lists say is
 * obeyed when they are there. */
START_TEST(a_bare_signature_needs_no_group_to_be_verified)
{
	bytes s = sign(car, 0x1d, NULL, pseudonym, message, MESSAGE), clear, list = {NULL, 4096};
	bytes whole = sign(car, CKM_VLDAA_SIGN, NULL, pseudonym, message, MESSAGE);
	bytes order = make_order(0, &clear);
	const CK_OBJECT_HANDLE cars = find_key(car, CKO_PUBLIC_KEY, CK_VLDAA_ROLE_GROUP);
	const uint8_t *const orders[] = {clear.data};
	const size_t lens[] = {clear.len};
	size_t len = 0;

	list.data = malloc(list.len);
	ck_assert_int_eq(vldaa_revoked_list(orders, lens, 1, list.data, list.len, &len), VLDAA_OK);
	CK_ATTRIBUTE revoked = {CKA_VLDAA_REVOKED_LIST, list.data, len};
	assert_ok(verify(car, 0x1d, NULL, pseudonym_public, message, MESSAGE, &s));
	assert_ok(p11->C_SetAttributeValue(car, cars, &revoked, 1));
	assert_rv(verify(car, 0x1d, NULL, pseudonym_public, message, MESSAGE, &s),
		  CKR_SIGNATURE_INVALID);
	assert_ok(p11->C_DestroyObject(car, cars));
	assert_ok(verify(car, 0x1d, NULL, pseudonym_public, message, MESSAGE, &s));
	assert_rv(verify(car, 0x1d, NULL, pseudonym_public, message, MESSAGE - 1, &s),
		  CKR_SIGNATURE_INVALID);
	assert_rv(verify(car, CKM_VLDAA_SIGN, NULL, pseudonym_public, message, MESSAGE, &whole),
		  CKR_KEY_NEEDED);
	bytes_free(&list);
	bytes_free(&clear);
	bytes_free(&order);
	bytes_free(&whole);
	bytes_free(&s);
}
END_TEST

START_TEST(a_hard_order_ends_the_member_and_its_token_never_joins_again)
{
	CK_MECHANISM m = {CKM_VLDAA_MEMBER, NULL, 0};
	uint8_t so_pin[] = SO_PIN, pin[] = USER_PIN, label[32];
	bytes order = make_order(1, NULL), confirmation, kept;
	char text[] = "revocation confirmation";
	CK_ATTRIBUTE templ = {CKA_LABEL, text, sizeof text - 1};
	CK_OBJECT_HANDLE key, other;

	confirmation = sign(car, CKM_VLDAA_REVOKE, NULL, member, order.data, order.len);
	ck_assert_uint_eq(find_key(car, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_MEMBER), 0);
	ck_assert_uint_eq(find_pseudonym(CKO_PRIVATE_KEY), 0);
	ck_assert_uint_eq(find_pseudonym(CKO_PUBLIC_KEY), 0);
	kept = get_attribute(car, find_one(car, &templ, 1), CKA_VALUE);
	ck_assert(kept.len == confirmation.len &&
		  memcmp(kept.data, confirmation.data, kept.len) == 0);
	assert_rv(p11->C_GenerateKeyPair(car, &m, NULL, 0, NULL, 0, &other, &key),
		  CKR_VLDAA_EXPELLED);
	/* Nor after it was initialised anew. */
	bytes value = get_attribute(issuer, group, CKA_VALUE);
	m.pParameter = value.data;
	m.ulParameterLen = value.len;
	memset(label, ' ', sizeof label);
	assert_ok(p11->C_CloseAllSessions(CAR));
	assert_ok(p11->C_InitToken(CAR, so_pin, sizeof so_pin - 1, label));
	car = open_session(CAR, CKF_RW_SESSION);
	assert_ok(login(car, CKU_SO, SO_PIN));
	assert_ok(p11->C_InitPIN(car, pin, sizeof pin - 1));
	assert_ok(p11->C_Logout(car));
	assert_ok(login(car, CKU_USER, USER_PIN));
	assert_rv(p11->C_GenerateKeyPair(car, &m, NULL, 0, NULL, 0, &other, &key),
		  CKR_VLDAA_EXPELLED);
	bytes_free(&value);
	bytes_free(&kept);
	bytes_free(&confirmation);
	bytes_free(&order);
}
END_TEST

START_TEST(an_order_for_somebody_else_changes_nothing)
{
	CK_SESSION_HANDLE blank = user_session(BLANK);
	const CK_OBJECT_HANDLE second = join(issuer, blank);
	const CK_ULONG before = count_all(blank);
	bytes order = make_order(1, NULL), none;

	assert_rv(try_sign(blank, CKM_VLDAA_REVOKE, NULL, second, order.data, order.len, &none),
		  CKR_VLDAA_NOT_MINE);
	ck_assert_uint_eq(count_all(blank), before);
	order.data[order.len - 1] ^= 1;
	assert_rv(try_sign(car, CKM_VLDAA_REVOKE, NULL, member, order.data, order.len, &none),
		  CKR_VLDAA_UNSEAL);
	ck_assert_uint_ne(find_pseudonym(CKO_PRIVATE_KEY), 0);
	bytes_free(&order);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("pkcs11_story");
	TCase *c = tcase_create("story");
	SRunner *runner;
	int failed;

	tcase_add_unchecked_fixture(c, world_make, world_remove);
	tcase_add_checked_fixture(c, enter, world_leave);
	tcase_add_test(c, a_pseudonyms_signature_is_valid_for_its_message_only);
	tcase_add_test(c, the_library_accepts_what_the_token_signs);
	tcase_add_test(c, pieces_make_the_same_message);
	tcase_add_test(c, a_pseudonym_is_an_mldsa_key_like_any_other);
	tcase_add_test(c, public_keys_say_what_key_files_have);
	tcase_add_test(c, a_member_signs_for_a_basename_and_leaves_no_object);
	tcase_add_test(c, logout_ends_a_signature_in_progress);
	tcase_add_test(c, a_deleted_pseudonym_signs_no_more_and_its_public_half_goes_too);
	tcase_add_test(c, a_sessions_pseudonym_lives_as_long_as_the_session);
	tcase_add_test(c, the_same_basename_gives_the_same_pseudonym);
	tcase_add_test(c, secrets_are_never_given_out);
	tcase_add_test(c, a_second_car_joins_and_both_are_of_the_group);
	tcase_add_test(c, before_join_nothing_is_made);
	tcase_add_test(c, a_nonce_serves_one_request_and_a_request_gets_one_answer);
	tcase_add_test(c, a_step_takes_no_parameter_that_it_does_not_know);
	tcase_add_test(c, a_soft_order_ends_one_pseudonym_for_ever);
	tcase_add_test(c, a_pseudonym_tells_its_revocation_token_to_its_owner);
	tcase_add_test(c, a_confirmation_is_the_pseudonyms_owners);
	tcase_add_test(c, a_bare_signature_needs_no_group_to_be_verified);
	tcase_add_test(c, a_hard_order_ends_the_member_and_its_token_never_joins_again);
	tcase_add_test(c, an_order_for_somebody_else_changes_nothing);
	suite_add_tcase(suite, c);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
