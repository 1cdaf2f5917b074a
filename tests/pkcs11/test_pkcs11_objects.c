/*
 * Promises about objects: who sees, makes, changes, copies and deletes which; attributes follow
 * their rules; lengths and buffers are handled as PKCS#11 has it; nothing is lost with the process.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "module.h"

static CK_OBJECT_CLASS data_class = CKO_DATA;
static CK_BBOOL yes = CK_TRUE, no = CK_FALSE;

/* A data object with this label; flags of CKA_TOKEN and CKA_PRIVATE. */
static CK_RV make_data(CK_SESSION_HANDLE s, const char *label, int is_token, int is_private,
		       CK_OBJECT_HANDLE *object)
{
	char text[64], value[] = "value";
	CK_ATTRIBUTE templ[] = {{CKA_CLASS, &data_class, sizeof data_class},
				{CKA_TOKEN, is_token ? &yes : &no, 1},
				{CKA_PRIVATE, is_private ? &yes : &no, 1},
				{CKA_LABEL, text, strlen(label)},
				{CKA_VALUE, value, sizeof value - 1}};

	memcpy(text, label, strlen(label) + 1);
	return p11->C_CreateObject(s, templ, 5, object);
}

static CK_OBJECT_HANDLE find_label(CK_SESSION_HANDLE s, const char *label)
{
	char text[64];
	CK_ATTRIBUTE templ = {CKA_LABEL, text, strlen(label)};

	memcpy(text, label, strlen(label) + 1);
	return find_one(s, &templ, 1);
}

/* --- who ---------------------------------------------------------------------------------------
 */

START_TEST(private_objects_are_the_logged_in_users)
{
	CK_SESSION_HANDLE s = user_session(CAR);
	const CK_ULONG all = count_all(s);
	const CK_OBJECT_HANDLE member = find_key(s, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_MEMBER);
	CK_OBJECT_HANDLE o;
	CK_ULONG size;

	assert_ok(make_data(s, "diary", 1, 1, &o));
	ck_assert_uint_eq(count_all(s), all + 1);
	assert_ok(p11->C_Logout(s));
	/* Gone: the diary, the member's and the pseudonym's private key. */
	ck_assert_uint_eq(count_all(s), all - 2);
	ck_assert_uint_eq(find_label(s, "diary"), 0);
	assert_rv(p11->C_GetObjectSize(s, o, &size), CKR_OBJECT_HANDLE_INVALID);
	assert_rv(p11->C_GetObjectSize(s, member, &size), CKR_OBJECT_HANDLE_INVALID);
	assert_rv(make_data(s, "second", 0, 1, &o), CKR_USER_NOT_LOGGED_IN);
	assert_ok(make_data(s, "public", 0, 0, &o));
	assert_ok(login(s, CKU_USER, USER_PIN));
	ck_assert_uint_ne(find_label(s, "diary"), 0);
	ck_assert_uint_eq(find_key(s, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_MEMBER), member);
}
END_TEST

START_TEST(a_read_only_session_changes_nothing_on_the_token)
{
	CK_SESSION_HANDLE rw = user_session(CAR), ro = open_session(CAR, 0);
	char text[] = "other";
	CK_ATTRIBUTE label = {CKA_LABEL, text, sizeof text - 1};
	CK_OBJECT_HANDLE on_token, of_session, copy;
	CK_ATTRIBUTE token = {CKA_TOKEN, &yes, 1};

	assert_ok(make_data(rw, "mine", 1, 0, &on_token));
	assert_rv(make_data(ro, "yours", 1, 0, &of_session), CKR_SESSION_READ_ONLY);
	assert_ok(make_data(ro, "yours", 0, 0, &of_session));
	assert_rv(p11->C_SetAttributeValue(ro, on_token, &label, 1), CKR_SESSION_READ_ONLY);
	assert_rv(p11->C_DestroyObject(ro, on_token), CKR_SESSION_READ_ONLY);
	assert_rv(p11->C_CopyObject(ro, of_session, &token, 1, &copy), CKR_SESSION_READ_ONLY);
	assert_ok(p11->C_SetAttributeValue(ro, of_session, &label, 1));
	assert_ok(p11->C_DestroyObject(ro, of_session));
}
END_TEST

START_TEST(session_objects_end_with_their_session_and_token_objects_with_nothing)
{
	CK_SESSION_HANDLE first = user_session(CAR), second = open_session(CAR, CKF_RW_SESSION);
	CK_OBJECT_HANDLE passing, lasting, secret;
	bytes value;

	assert_ok(make_data(second, "passing", 0, 0, &passing));
	assert_ok(make_data(second, "lasting", 1, 0, &lasting));
	assert_ok(make_data(second, "secret", 1, 1, &secret));
	ck_assert_uint_eq(find_label(first, "passing"), passing);
	assert_ok(p11->C_CloseSession(second));
	ck_assert_uint_eq(find_label(first, "passing"), 0);
	assert_ok(p11->C_Finalize(NULL));
	assert_ok(p11->C_Initialize(NULL));
	first = user_session(CAR);
	ck_assert_uint_eq(find_label(first, "lasting"), lasting);
	value = get_attribute(first, find_label(first, "secret"), CKA_VALUE);
	ck_assert_uint_eq(value.len, 5);
	ck_assert_int_eq(memcmp(value.data, "value", 5), 0);
	bytes_free(&value);
}
END_TEST

/* --- attributes --------------------------------------------------------------------------------
 */

START_TEST(every_attribute_is_answered_whatever_is_wrong_with_another)
{
	CK_SESSION_HANDLE s = user_session(CAR);
	const CK_OBJECT_HANDLE key = find_key(s, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_PSEUDONYM);
	CK_ULONG class = 0;
	uint8_t id[20], small[1];
	CK_ATTRIBUTE a[] = {{CKA_CLASS, &class, sizeof class},
			    {CKA_MODULUS, id, sizeof id},
			    {CKA_VLDAA_NYM, small, sizeof small},
			    {CKA_ID, id, sizeof id},
			    {CKA_LABEL, NULL, 0}};
	CK_RV rv = p11->C_GetAttributeValue(s, key, a, 5);

	ck_assert(rv == CKR_ATTRIBUTE_TYPE_INVALID || rv == CKR_BUFFER_TOO_SMALL);
	ck_assert_uint_eq(class, CKO_PRIVATE_KEY);
	ck_assert_uint_eq(a[1].ulValueLen, CK_UNAVAILABLE_INFORMATION);
	ck_assert_uint_eq(a[2].ulValueLen, CK_UNAVAILABLE_INFORMATION);
	ck_assert_uint_eq(a[3].ulValueLen, 1);
	ck_assert_uint_eq(id[0], 7);
	ck_assert_uint_eq(a[4].ulValueLen, strlen("platoon-7"));
}
END_TEST

/* What clients ask of any key; see the numbers in pkcs11.h. */
START_TEST(usual_questions_have_answers_on_every_key)
{
	static const CK_ATTRIBUTE_TYPE common[] = {CKA_CLASS,
						   CKA_TOKEN,
						   CKA_PRIVATE,
						   CKA_LABEL,
						   CKA_ID,
						   CKA_KEY_TYPE,
						   CKA_DERIVE,
						   CKA_LOCAL,
						   CKA_MODIFIABLE,
						   CKA_START_DATE,
						   CKA_END_DATE,
						   CKA_KEY_GEN_MECHANISM,
						   CKA_SUBJECT,
						   0x4UL /* CKA_UNIQUE_ID */,
						   CKA_ALLOWED_MECHANISMS};
	static const CK_ATTRIBUTE_TYPE private_ones[] = {
	    CKA_SIGN,        CKA_DECRYPT,          CKA_UNWRAP,
	    CKA_SENSITIVE,   CKA_ALWAYS_SENSITIVE, CKA_ALWAYS_AUTHENTICATE,
	    CKA_EXTRACTABLE, CKA_NEVER_EXTRACTABLE};
	static const CK_ATTRIBUTE_TYPE public_ones[] = {CKA_VERIFY, CKA_ENCRYPT, CKA_WRAP,
							CKA_VALUE, CKA_TRUSTED};
	CK_SESSION_HANDLE s = user_session(CAR);
	const CK_ULONG roles[] = {CK_VLDAA_ROLE_MEMBER, CK_VLDAA_ROLE_PSEUDONYM};

	for (int i = 0; i < 2; i++) {
		const CK_OBJECT_HANDLE q = find_key(s, CKO_PRIVATE_KEY, roles[i]);
		const CK_OBJECT_HANDLE p = find_key(s, CKO_PUBLIC_KEY, roles[i]);
		bytes b;

		for (size_t j = 0; j < sizeof common / sizeof common[0]; j++) {
			b = get_attribute(s, q, common[j]);
			bytes_free(&b);
			b = get_attribute(s, p, common[j]);
			bytes_free(&b);
		}
		for (size_t j = 0; j < sizeof private_ones / sizeof private_ones[0]; j++) {
			b = get_attribute(s, q, private_ones[j]);
			ck_assert_uint_eq(b.len, 1);
			bytes_free(&b);
		}
		for (size_t j = 0; j < sizeof public_ones / sizeof public_ones[0]; j++) {
			b = get_attribute(s, p, public_ones[j]);
			bytes_free(&b);
		}
	}
}
END_TEST

START_TEST(templates_are_held_to_the_rules)
{
	CK_SESSION_HANDLE s = user_session(CAR);
	const CK_OBJECT_HANDLE key = find_key(s, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_PSEUDONYM);
	CK_OBJECT_CLASS odd_class = CKO_DOMAIN_PARAMETERS, secret = CKO_PRIVATE_KEY;
	CK_BBOOL neither = 2;
	uint8_t wide[8] = {0};
	CK_ATTRIBUTE base = {CKA_CLASS, &data_class, sizeof data_class};
	CK_OBJECT_HANDLE o;
	const struct {
		CK_ATTRIBUTE a;
		CK_RV rv;
	} wrong[] = {
	    {{CKA_TOKEN, &neither, 1}, CKR_ATTRIBUTE_VALUE_INVALID},
	    {{CKA_TOKEN, wide, 8}, CKR_ATTRIBUTE_VALUE_INVALID},
	    {{CKA_TOKEN, NULL, 1}, CKR_ATTRIBUTE_VALUE_INVALID},
	    {{CKA_MODULUS, wide, 8}, CKR_ATTRIBUTE_TYPE_INVALID},
	    {{CKA_CLASS, &odd_class, sizeof odd_class}, CKR_TEMPLATE_INCONSISTENT},
	    {{0x4UL /* CKA_UNIQUE_ID */, wide, 8}, CKR_ATTRIBUTE_READ_ONLY},
	};

	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		CK_ATTRIBUTE templ[] = {base, wrong[i].a};

		assert_rv(p11->C_CreateObject(s, templ, 2, &o), wrong[i].rv);
	}
	base.pValue = &odd_class;
	assert_rv(p11->C_CreateObject(s, &base, 1, &o), CKR_ATTRIBUTE_VALUE_INVALID);
	base.pValue = &secret;
	assert_rv(p11->C_CreateObject(s, &base, 1, &o), CKR_ATTRIBUTE_VALUE_INVALID);
	/* One template, two opinions. */
	CK_ATTRIBUTE twice[] = {
	    {CKA_CLASS, &data_class, sizeof data_class}, {CKA_TOKEN, &yes, 1}, {CKA_TOKEN, &no, 1}};
	assert_rv(p11->C_CreateObject(s, twice, 3, &o), CKR_TEMPLATE_INCONSISTENT);
	CK_ATTRIBUTE fixed = {CKA_VLDAA_NYM, wide, 8};
	assert_rv(p11->C_SetAttributeValue(s, key, &fixed, 1), CKR_ATTRIBUTE_READ_ONLY);
	/* What is so already may be said. */
	CK_ATTRIBUTE same = {CKA_SENSITIVE, &yes, 1};
	assert_ok(p11->C_SetAttributeValue(s, key, &same, 1));
}
END_TEST

START_TEST(flags_that_forbid_are_obeyed_and_latches_do_not_go_back)
{
	CK_SESSION_HANDLE s = user_session(CAR);
	CK_ATTRIBUTE templ[] = {{CKA_CLASS, &data_class, sizeof data_class},
				{CKA_MODIFIABLE, &no, 1},
				{0x172UL /* CKA_DESTROYABLE */, &no, 1}};
	CK_ATTRIBUTE uncopyable = {0x171UL /* CKA_COPYABLE */, &no, 1};
	CK_ATTRIBUTE copyable = {0x171UL, &yes, 1};
	char text[] = "new";
	CK_ATTRIBUTE label = {CKA_LABEL, text, 3};
	CK_OBJECT_HANDLE o, copy;
	bytes b;

	assert_ok(p11->C_CreateObject(s, templ, 3, &o));
	assert_rv(p11->C_SetAttributeValue(s, o, &label, 1), CKR_ACTION_PROHIBITED);
	assert_rv(p11->C_DestroyObject(s, o), CKR_ACTION_PROHIBITED);
	assert_ok(make_data(s, "old", 1, 0, &o));
	assert_ok(p11->C_CopyObject(s, o, &label, 1, &copy));
	b = get_attribute(s, copy, CKA_VALUE);
	ck_assert_uint_eq(b.len, 5);
	bytes_free(&b);
	assert_ok(p11->C_SetAttributeValue(s, o, &uncopyable, 1));
	assert_rv(p11->C_CopyObject(s, o, &label, 1, &copy), CKR_ACTION_PROHIBITED);
	assert_rv(p11->C_SetAttributeValue(s, o, &copyable, 1), CKR_ATTRIBUTE_READ_ONLY);
	/* A key that may not sign does not. */
	const CK_OBJECT_HANDLE key = find_key(s, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_PSEUDONYM);
	CK_ATTRIBUTE sign_not = {CKA_SIGN, &no, 1};
	CK_MECHANISM m = {CKM_VLDAA_SIGN, NULL, 0};
	assert_ok(p11->C_SetAttributeValue(s, key, &sign_not, 1));
	assert_rv(p11->C_SignInit(s, &m, key), CKR_KEY_FUNCTION_NOT_PERMITTED);
}
END_TEST

START_TEST(what_would_be_refused_when_it_is_used_is_refused_when_it_is_set)
{
	CK_SESSION_HANDLE issuer = user_session(ISSUER), s = user_session(CAR);
	const CK_OBJECT_HANDLE member = find_key(s, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_MEMBER);
	const CK_OBJECT_HANDLE group = find_key(s, CKO_PUBLIC_KEY, CK_VLDAA_ROLE_GROUP);
	const CK_OBJECT_HANDLE key = find_key(issuer, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_ISSUER);
	bytes value = get_attribute(s, group, CKA_VALUE), roots, authority;
	CK_OBJECT_CLASS class = CKO_PUBLIC_KEY;
	CK_KEY_TYPE type = CKK_VLDAA;
	char text[256] = "epoch:never";
	CK_ATTRIBUTE basename = {CKA_VLDAA_BASENAME, text, strlen(text)};
	CK_ATTRIBUTE bad = {CKA_VLDAA_ROOTS, text, 100};
	CK_ATTRIBUTE list[] = {{CKA_CLASS, &class, sizeof class},
			       {CKA_KEY_TYPE, &type, sizeof type},
			       {CKA_VALUE, value.data, value.len},
			       {CKA_VLDAA_ROGUE_LIST, text, 20}};
	CK_MECHANISM setup = {CKM_VLDAA_SETUP, NULL, 0};
	CK_OBJECT_HANDLE o, p;

	assert_rv(p11->C_SetAttributeValue(s, member, &basename, 1), CKR_ATTRIBUTE_VALUE_INVALID);
	basename.ulValueLen = sizeof text;
	assert_rv(p11->C_SetAttributeValue(s, member, &basename, 1), CKR_ATTRIBUTE_VALUE_INVALID);
	memcpy(text, "epoch:60", 8);
	basename.ulValueLen = 8;
	assert_ok(p11->C_SetAttributeValue(s, member, &basename, 1));
	basename.ulValueLen = 0;
	assert_ok(p11->C_SetAttributeValue(s, member, &basename, 1));

	assert_rv(p11->C_CreateObject(s, list, 4, &o), CKR_ATTRIBUTE_VALUE_INVALID);
	assert_rv(p11->C_CopyObject(s, group, list + 3, 1, &o), CKR_ATTRIBUTE_VALUE_INVALID);
	assert_ok(p11->C_CreateObject(s, list, 3, &o));

	roots = get_attribute(issuer, key, CKA_VLDAA_ROOTS);
	authority = get_attribute(issuer, key, CKA_VLDAA_REVOCATION_KEY);
	assert_rv(p11->C_SetAttributeValue(issuer, key, &bad, 1), CKR_ATTRIBUTE_VALUE_INVALID);
	assert_rv(p11->C_GenerateKeyPair(issuer, &setup, NULL, 0, &bad, 1, &o, &p),
		  CKR_ATTRIBUTE_VALUE_INVALID);
	/* A certificate is no key, and a key with a byte behind it is none. */
	bad = (CK_ATTRIBUTE){CKA_VLDAA_REVOCATION_KEY, roots.data, roots.len};
	assert_rv(p11->C_SetAttributeValue(issuer, key, &bad, 1), CKR_ATTRIBUTE_VALUE_INVALID);
	bad = (CK_ATTRIBUTE){CKA_VLDAA_REVOCATION_KEY, authority.data, authority.len + 1};
	assert_rv(p11->C_SetAttributeValue(issuer, key, &bad, 1), CKR_ATTRIBUTE_VALUE_INVALID);
	bad.ulValueLen--;
	assert_ok(p11->C_SetAttributeValue(issuer, key, &bad, 1));
	bad = (CK_ATTRIBUTE){CKA_VLDAA_ROOTS, roots.data, roots.len - 1};
	assert_rv(p11->C_SetAttributeValue(issuer, key, &bad, 1), CKR_ATTRIBUTE_VALUE_INVALID);
	bytes_free(&value);
	bytes_free(&roots);
	bytes_free(&authority);
}
END_TEST

/* The certificate request may not be deleted, and outlives C_InitToken; not so what is made of it. */
START_TEST(a_copy_of_what_outlives_the_token_does_not)
{
	CK_SESSION_HANDLE s = open_session(CAR, CKF_RW_SESSION);
	CK_ATTRIBUTE templ = {CKA_CLASS, &data_class, sizeof data_class};
	CK_ATTRIBUTE token = {CKA_TOKEN, &yes, 1};
	uint8_t pin[] = SO_PIN, label[32];
	CK_OBJECT_HANDLE copy;

	memset(label, ' ', sizeof label);
	assert_ok(p11->C_CopyObject(s, find_one(s, &templ, 1), &token, 1, &copy));
	ck_assert_uint_eq(find_one(s, &templ, 1), 0);
	assert_ok(p11->C_CloseSession(s));
	assert_ok(p11->C_InitToken(CAR, pin, sizeof pin - 1, label));
	s = open_session(CAR, 0);
	ck_assert_uint_ne(find_one(s, &templ, 1), 0);
}
END_TEST

/* --- finding -----------------------------------------------------------------------------------
 */

START_TEST(a_search_gives_nothing_that_a_logout_has_ended)
{
	CK_SESSION_HANDLE s = user_session(CAR);
	CK_OBJECT_HANDLE found[32];
	CK_OBJECT_CLASS class = CKO_PRIVATE_KEY;
	CK_ATTRIBUTE templ = {CKA_CLASS, &class, sizeof class};
	CK_ULONG n;

	assert_ok(p11->C_FindObjectsInit(s, &templ, 1));
	assert_ok(p11->C_FindObjects(s, found, 1, &n));
	ck_assert_uint_eq(n, 1);
	assert_ok(p11->C_Logout(s));
	assert_ok(p11->C_FindObjects(s, found, 32, &n));
	ck_assert_uint_eq(n, 0);
	assert_ok(p11->C_FindObjectsFinal(s));
}
END_TEST

START_TEST(a_search_is_of_one_moment_and_gives_its_objects_in_portions)
{
	CK_SESSION_HANDLE s = user_session(CAR);
	CK_OBJECT_HANDLE o[3], found[2];
	CK_ATTRIBUTE templ = {CKA_CLASS, &data_class, sizeof data_class};
	CK_ULONG n;

	for (int i = 0; i < 3; i++)
		assert_ok(make_data(s, "many", 0, 0, &o[i]));
	assert_rv(p11->C_FindObjects(s, found, 2, &n), CKR_OPERATION_NOT_INITIALIZED);
	assert_rv(p11->C_FindObjectsFinal(s), CKR_OPERATION_NOT_INITIALIZED);
	assert_ok(p11->C_FindObjectsInit(s, &templ, 1));
	assert_rv(p11->C_FindObjectsInit(s, &templ, 1), CKR_OPERATION_ACTIVE);
	/* The certificate request is the fourth. */
	assert_ok(p11->C_FindObjects(s, found, 2, &n));
	ck_assert_uint_eq(n, 2);
	assert_ok(make_data(s, "late", 0, 0, &found[0]));
	assert_ok(p11->C_FindObjects(s, found, 2, &n));
	ck_assert_uint_eq(n, 2);
	assert_ok(p11->C_FindObjects(s, found, 2, &n));
	ck_assert_uint_eq(n, 0);
	assert_ok(p11->C_FindObjectsFinal(s));
}
END_TEST

/* --- keys from outside -------------------------------------------------------------------------
 */

START_TEST(a_verifier_needs_public_keys_only_and_no_login)
{
	CK_SESSION_HANDLE car = user_session(CAR), s = open_session(BLANK, CKF_RW_SESSION);
	const CK_OBJECT_HANDLE key = find_key(car, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_PSEUDONYM);
	bytes attestation = get_attribute(car, key, CKA_VLDAA_ATTESTATION);
	bytes compact = sign(car, CKM_VLDAA_SIGN_COMPACT, NULL, key, "x", 1);
	CK_OBJECT_CLASS class = CKO_PUBLIC_KEY;
	CK_KEY_TYPE type = 0x4a; /* CKK_ML_DSA */
	CK_ATTRIBUTE templ[] = {{CKA_CLASS, &class, sizeof class},
				{CKA_KEY_TYPE, &type, sizeof type},
				{CKA_VLDAA_ATTESTATION, attestation.data, attestation.len}};
	CK_OBJECT_HANDLE group = find_key(s, CKO_PUBLIC_KEY, CK_VLDAA_ROLE_GROUP), known;

	assert_rv(verify(s, CKM_VLDAA_SIGN_COMPACT, NULL, group, "x", 1, &compact),
		  CKR_SIGNATURE_INVALID);
	assert_ok(p11->C_CreateObject(s, templ, 3, &known));
	assert_ok(verify(s, CKM_VLDAA_SIGN_COMPACT, NULL, group, "x", 1, &compact));
	assert_ok(verify(s, CKM_VLDAA_SIGN_COMPACT, NULL, known, "x", 1, &compact));
	attestation.data[attestation.len / 2] ^= 1;
	assert_rv(p11->C_CreateObject(s, templ, 3, &known), CKR_ATTRIBUTE_VALUE_INVALID);
	bytes_free(&attestation);
	bytes_free(&compact);
}
END_TEST

START_TEST(a_key_that_is_none_is_refused)
{
	CK_SESSION_HANDLE s = open_session(BLANK, CKF_RW_SESSION);
	bytes group = get_attribute(s, find_key(s, CKO_PUBLIC_KEY, CK_VLDAA_ROLE_GROUP), CKA_VALUE);
	CK_OBJECT_CLASS class = CKO_PUBLIC_KEY;
	CK_KEY_TYPE type = CKK_VLDAA, rsa = CKK_RSA;
	CK_ATTRIBUTE templ[] = {{CKA_CLASS, &class, sizeof class},
				{CKA_KEY_TYPE, &type, sizeof type},
				{CKA_VALUE, group.data, group.len}};
	CK_OBJECT_HANDLE o;

	assert_ok(p11->C_CreateObject(s, templ, 3, &o));
	templ[2].ulValueLen--;
	assert_rv(p11->C_CreateObject(s, templ, 3, &o), CKR_ATTRIBUTE_VALUE_INVALID);
	templ[2].ulValueLen = 0;
	assert_rv(p11->C_CreateObject(s, templ, 3, &o), CKR_ATTRIBUTE_VALUE_INVALID);
	templ[1].pValue = &rsa;
	assert_rv(p11->C_CreateObject(s, templ, 3, &o), CKR_ATTRIBUTE_VALUE_INVALID);
	assert_rv(p11->C_CreateObject(s, templ, 1, &o), CKR_TEMPLATE_INCOMPLETE);
	/* Lists are read before they are believed. */
	CK_ATTRIBUTE list = {CKA_VLDAA_REVOKED_LIST, group.data, 12};
	templ[1].pValue = &type;
	templ[2].ulValueLen = group.len;
	assert_ok(p11->C_CreateObject(s, templ, 3, &o));
	assert_rv(p11->C_SetAttributeValue(s, o, &list, 1), CKR_ATTRIBUTE_VALUE_INVALID);
	bytes_free(&group);
}
END_TEST

/* A session's group is enough to make a member, and the member needs it afterwards. */
START_TEST(a_member_has_its_group_when_the_session_is_over)
{
	CK_SESSION_HANDLE issuer = user_session(ISSUER), s = user_session(BLANK);
	const CK_OBJECT_HANDLE kept = find_key(s, CKO_PUBLIC_KEY, CK_VLDAA_ROLE_GROUP);
	bytes group = get_attribute(s, kept, CKA_VALUE);
	CK_OBJECT_CLASS class = CKO_PUBLIC_KEY;
	CK_KEY_TYPE type = CKK_VLDAA;
	CK_ATTRIBUTE templ[] = {{CKA_CLASS, &class, sizeof class},
				{CKA_KEY_TYPE, &type, sizeof type},
				{CKA_VALUE, group.data, group.len}};
	CK_OBJECT_HANDLE o;

	assert_ok(p11->C_DestroyObject(s, kept));
	assert_ok(p11->C_CreateObject(s, templ, 3, &o));
	(void)join(issuer, s);
	assert_ok(p11->C_CloseSession(s));
	s = user_session(BLANK);
	assert_ok(try_create(s, find_key(s, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_MEMBER), "new", 1, &o));
	bytes_free(&group);
}
END_TEST

/* SubjectPublicKeyInfo is as good as the bytes in it; PEM, or one that was changed, is not. */
START_TEST(a_group_comes_as_key_files_have_it_too)
{
	const CK_SESSION_HANDLE s = user_session(BLANK);
	const CK_OBJECT_HANDLE there = find_key(s, CKO_PUBLIC_KEY, CK_VLDAA_ROLE_GROUP);
	bytes group = get_attribute(s, there, CKA_VALUE);
	bytes info = get_attribute(s, there, CKA_PUBLIC_KEY_INFO), again;
	CK_OBJECT_CLASS class = CKO_PUBLIC_KEY;
	CK_KEY_TYPE type = CKK_VLDAA;
	CK_ATTRIBUTE templ[] = {{CKA_CLASS, &class, sizeof class},
				{CKA_KEY_TYPE, &type, sizeof type},
				{CKA_PUBLIC_KEY_INFO, info.data, info.len},
				{CKA_VALUE, group.data, group.len}};
	CK_MECHANISM m = {CKM_VLDAA_MEMBER, info.data, info.len};
	char pem[] = "-----BEGIN PUBLIC KEY-----\n";
	CK_MECHANISM text = {CKM_VLDAA_MEMBER, pem, sizeof pem - 1};
	CK_OBJECT_HANDLE o, key, member;

	assert_ok(p11->C_DestroyObject(s, there));
	for (CK_ULONG n = 3; n <= 4; n++) {
		assert_ok(p11->C_CreateObject(s, templ, n, &o));
		again = get_attribute(s, o, CKA_VALUE);
		ck_assert_uint_eq(again.len, group.len);
		ck_assert_mem_eq(again.data, group.data, group.len);
		bytes_free(&again);
		assert_ok(p11->C_DestroyObject(s, o));
	}
	assert_rv(p11->C_GenerateKeyPair(s, &text, NULL, 0, NULL, 0, &key, &member),
		  CKR_VLDAA_KIND);
	/* The last byte of its head, and one too few, and of the key in it. */
	info.data[info.len - group.len - 1] ^= 1;
	assert_rv(p11->C_CreateObject(s, templ, 3, &o), CKR_ATTRIBUTE_VALUE_INVALID);
	assert_rv(p11->C_CreateObject(s, templ, 4, &o), CKR_TEMPLATE_INCONSISTENT);
	assert_rv(p11->C_GenerateKeyPair(s, &m, NULL, 0, NULL, 0, &key, &member), CKR_VLDAA_KIND);
	info.data[info.len - group.len - 1] ^= 1;
	m.ulParameterLen = templ[2].ulValueLen = info.len - 1;
	assert_rv(p11->C_CreateObject(s, templ, 3, &o), CKR_ATTRIBUTE_VALUE_INVALID);
	assert_rv(p11->C_GenerateKeyPair(s, &m, NULL, 0, NULL, 0, &key, &member), CKR_VLDAA_KIND);
	ck_assert_uint_eq(find_key(s, CKO_PUBLIC_KEY, CK_VLDAA_ROLE_GROUP), 0);
	m.ulParameterLen = info.len;
	assert_ok(p11->C_GenerateKeyPair(s, &m, NULL, 0, NULL, 0, &key, &member));
	again = get_attribute(s, find_key(s, CKO_PUBLIC_KEY, CK_VLDAA_ROLE_GROUP), CKA_VALUE);
	ck_assert_uint_eq(again.len, group.len);
	ck_assert_mem_eq(again.data, group.data, group.len);
	bytes_free(&again);
	bytes_free(&info);
	bytes_free(&group);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("pkcs11_objects");
	TCase *c = tcase_create("objects");
	SRunner *runner;
	int failed;

	tcase_add_unchecked_fixture(c, world_make, world_remove);
	tcase_add_checked_fixture(c, world_enter, world_leave);
	tcase_add_test(c, private_objects_are_the_logged_in_users);
	tcase_add_test(c, a_read_only_session_changes_nothing_on_the_token);
	tcase_add_test(c, session_objects_end_with_their_session_and_token_objects_with_nothing);
	tcase_add_test(c, every_attribute_is_answered_whatever_is_wrong_with_another);
	tcase_add_test(c, usual_questions_have_answers_on_every_key);
	tcase_add_test(c, templates_are_held_to_the_rules);
	tcase_add_test(c, flags_that_forbid_are_obeyed_and_latches_do_not_go_back);
	tcase_add_test(c, what_would_be_refused_when_it_is_used_is_refused_when_it_is_set);
	tcase_add_test(c, a_copy_of_what_outlives_the_token_does_not);
	tcase_add_test(c, a_search_gives_nothing_that_a_logout_has_ended);
	tcase_add_test(c, a_search_is_of_one_moment_and_gives_its_objects_in_portions);
	tcase_add_test(c, a_verifier_needs_public_keys_only_and_no_login);
	tcase_add_test(c, a_key_that_is_none_is_refused);
	tcase_add_test(c, a_member_has_its_group_when_the_session_is_over);
	tcase_add_test(c, a_group_comes_as_key_files_have_it_too);
	suite_add_tcase(suite, c);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
