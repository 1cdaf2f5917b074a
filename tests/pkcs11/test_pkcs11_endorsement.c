/*
 * Promises about the endorsement key: there is one of each kind that manufacturers certify, and a
 * token joins with it; it is replaced by its user alone, and only while it has no certificate; its
 * request is always that of the key that there is, which outlives C_InitToken.  Others use the token
 * while a key is made, and a certificate that comes then keeps the old one.  Join requests go with the
 * newest certificate.
 */
#include <check.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

#include "module.h"

/* Who comes while the module makes a key; 0: nobody. */
static CK_SESSION_HANDLE visitor;

/* In libcrypto's place, the module's too. */
__attribute__((visibility("default"))) EVP_PKEY *
EVP_PKEY_Q_keygen(OSSL_LIB_CTX *library, const char *properties, const char *type, ...)
{
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(library, type, properties);
	const CK_SESSION_HANDLE now = visitor;
	EVP_PKEY *key = NULL;
	va_list args;

	visitor = 0;
	if (now != 0)
		certify(now);
	ck_assert_int_eq(EVP_PKEY_keygen_init(ctx), 1);
	va_start(args, type);
	if (strcmp(type, "RSA") == 0)
		ck_assert_int_eq(EVP_PKEY_CTX_set_rsa_keygen_bits(ctx, (int)va_arg(args, size_t)),
				 1);
	else if (strcmp(type, "EC") == 0)
		ck_assert_int_eq(EVP_PKEY_CTX_set_group_name(ctx, va_arg(args, char *)), 1);
	va_end(args);
	ck_assert_int_eq(EVP_PKEY_generate(ctx, &key), 1);
	EVP_PKEY_CTX_free(ctx);
	return key;
}

static const char *const kinds[] = {"P-256",    "P-384",    "P-521",    "ED25519", "ED448",
				    "RSA-2048", "RSA-3072", "RSA-4096", ""};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static CK_RV renew(CK_SESSION_HANDLE s, const char *kind, CK_OBJECT_HANDLE *request)
{
	char copy[32];
	CK_MECHANISM m = {CKM_VLDAA_ENDORSEMENT, copy, strlen(kind)};

	memcpy(copy, kind, m.ulParameterLen);
	return p11->C_GenerateKey(s, &m, NULL, 0, request);
}

static CK_OBJECT_HANDLE find_class(CK_SESSION_HANDLE s, CK_OBJECT_CLASS class)
{
	CK_ATTRIBUTE templ = {CKA_CLASS, &class, sizeof class};

	return find_one(s, &templ, 1);
}

/* BLANK, whose certificate is given up. */
static CK_SESSION_HANDLE uncertified(void)
{
	const CK_SESSION_HANDLE s = user_session(BLANK);

	assert_ok(p11->C_DestroyObject(s, find_class(s, CKO_CERTIFICATE)));
	return s;
}

/* Of which kind the requested key is; the request is signed with it. */
static int is_of_kind(const bytes *request, const char *kind)
{
	const unsigned char *p = request->data;
	X509_REQ *req = d2i_X509_REQ(NULL, &p, (long)request->len);
	EVP_PKEY *key = X509_REQ_get_pubkey(req);
	char group[32] = "";
	int same;

	ck_assert_int_eq(X509_REQ_verify(req, key), 1);
	if (strncmp(kind, "RSA-", 4) == 0) {
		same = EVP_PKEY_is_a(key, "RSA") && EVP_PKEY_get_bits(key) == atoi(kind + 4);
	} else if (kind[0] == 'E') {
		same = EVP_PKEY_is_a(key, kind);
	} else {
		ck_assert_int_eq(EVP_PKEY_get_group_name(key, group, sizeof group, NULL), 1);
		same = strcmp(group, strcmp(kind, "P-384") == 0   ? "secp384r1"
				     : strcmp(kind, "P-521") == 0 ? "secp521r1"
								  : "prime256v1") == 0;
	}
	EVP_PKEY_free(key);
	X509_REQ_free(req);
	return same;
}

START_TEST(a_token_joins_with_a_key_of_any_kind)
{
	const CK_SESSION_HANDLE issuer = user_session(ISSUER), car = uncertified();
	CK_OBJECT_HANDLE request, member;
	bytes csr, sig;

	assert_ok(renew(car, kinds[_i], &request));
	ck_assert_uint_eq(request, find_class(car, CKO_DATA));
	csr = get_attribute(car, request, CKA_VALUE);
	ck_assert(is_of_kind(&csr, kinds[_i]));
	bytes_free(&csr);
	certify(car);
	member = join(issuer, car);
	sig = sign(car, CKM_VLDAA_SIGN, "platoon-7", member, "x", 1);
	assert_ok(verify(issuer, CKM_VLDAA_SIGN, NULL,
			 find_key(issuer, CKO_PUBLIC_KEY, CK_VLDAA_ROLE_GROUP), "x", 1, &sig));
	bytes_free(&sig);
}
END_TEST

/* The token's endorsement key certified by somebody whom no issuer knows. */
static void certify_wrongly(CK_SESSION_HANDLE s)
{
	static const unsigned char name[] = "nobody";
	bytes csr = get_attribute(s, find_class(s, CKO_DATA), CKA_VALUE);
	const unsigned char *p = csr.data;
	X509_REQ *req = d2i_X509_REQ(NULL, &p, (long)csr.len);
	EVP_PKEY *nobody = EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");
	X509 *x = X509_new();
	unsigned char *der = NULL;
	CK_OBJECT_CLASS class = CKO_CERTIFICATE;
	CK_CERTIFICATE_TYPE type = CKC_X_509;
	CK_BBOOL yes = CK_TRUE;
	CK_OBJECT_HANDLE object;
	int len;

	ck_assert(req != NULL && nobody != NULL && x != NULL);
	ck_assert_int_eq(X509_NAME_add_entry_by_txt(X509_get_issuer_name(x), "CN", MBSTRING_UTF8,
						    name, -1, -1, 0),
			 1);
	ck_assert_ptr_nonnull(X509_gmtime_adj(X509_getm_notBefore(x), -3600));
	ck_assert_ptr_nonnull(X509_gmtime_adj(X509_getm_notAfter(x), 86400));
	ck_assert_int_eq(X509_set_subject_name(x, X509_REQ_get_subject_name(req)), 1);
	ck_assert_int_eq(X509_set_pubkey(x, X509_REQ_get0_pubkey(req)), 1);
	ck_assert_int_gt(X509_sign(x, nobody, NULL), 0);
	len = i2d_X509(x, &der);
	ck_assert_int_gt(len, 0);
	CK_ATTRIBUTE templ[] = {{CKA_CLASS, &class, sizeof class},
				{CKA_CERTIFICATE_TYPE, &type, sizeof type},
				{CKA_TOKEN, &yes, sizeof yes},
				{CKA_VALUE, der, (CK_ULONG)len}};
	assert_ok(p11->C_CreateObject(s, templ, 4, &object));
	OPENSSL_free(der);
	X509_free(x);
	EVP_PKEY_free(nobody);
	X509_REQ_free(req);
	bytes_free(&csr);
}

START_TEST(requests_go_with_the_newest_certificate)
{
	const CK_SESSION_HANDLE issuer = user_session(ISSUER), car = user_session(BLANK);
	const CK_OBJECT_HANDLE key = find_key(issuer, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_ISSUER);
	CK_MECHANISM make = {CKM_VLDAA_MEMBER, NULL, 0};
	CK_OBJECT_HANDLE public_key, member;
	bytes nonce, request, answer;

	/* BLANK has a good one. */
	certify_wrongly(car);
	assert_ok(p11->C_GenerateKeyPair(car, &make, NULL, 0, NULL, 0, &public_key, &member));
	nonce = sign(issuer, CKM_VLDAA_JOIN_NONCE, NULL, key, "", 0);
	request = sign(car, CKM_VLDAA_JOIN_REQUEST, NULL, member, nonce.data, nonce.len);
	assert_rv(
	    try_sign(issuer, CKM_VLDAA_JOIN_ISSUE, NULL, key, request.data, request.len, &answer),
	    CKR_VLDAA_CERTIFICATE);
	bytes_free(&request);
	certify(car);
	request = sign(car, CKM_VLDAA_JOIN_REQUEST, NULL, member, nonce.data, nonce.len);
	answer = sign(issuer, CKM_VLDAA_JOIN_ISSUE, NULL, key, request.data, request.len);
	bytes_free(&nonce);
	bytes_free(&request);
	bytes_free(&answer);
}
END_TEST

START_TEST(a_key_with_a_certificate_is_kept)
{
	const CK_SESSION_HANDLE car = user_session(CAR);
	bytes before = get_attribute(car, find_class(car, CKO_DATA), CKA_VALUE), after;
	CK_OBJECT_HANDLE request = 77;

	assert_rv(renew(car, "ED25519", &request), CKR_ACTION_PROHIBITED);
	ck_assert_uint_eq(request, 77);
	after = get_attribute(car, find_class(car, CKO_DATA), CKA_VALUE);
	ck_assert_uint_eq(before.len, after.len);
	ck_assert_mem_eq(before.data, after.data, before.len);
	bytes_free(&before);
	bytes_free(&after);
}
END_TEST

/* The visitor would wait for ever if making a key kept others out. */
START_TEST(a_certificate_that_comes_while_a_key_is_made_keeps_the_old_one)
{
	const CK_SESSION_HANDLE car = uncertified();
	bytes before = get_attribute(car, find_class(car, CKO_DATA), CKA_VALUE), after;
	CK_OBJECT_HANDLE request = 77;

	visitor = open_session(BLANK, CKF_RW_SESSION);
	assert_rv(renew(car, "ED25519", &request), CKR_ACTION_PROHIBITED);
	/* It came. */
	ck_assert_uint_eq(visitor, 0);
	ck_assert_uint_eq(request, 77);
	after = get_attribute(car, find_class(car, CKO_DATA), CKA_VALUE);
	ck_assert_uint_eq(before.len, after.len);
	ck_assert_mem_eq(before.data, after.data, before.len);
	bytes_free(&before);
	bytes_free(&after);
	(void)join(user_session(ISSUER), car);
}
END_TEST

/* The user's alone: public sessions, the officer's, and read-only ones do not. */
START_TEST(who_may_not_or_asks_for_nonsense_gets_no_key)
{
	CK_SESSION_HANDLE s = uncertified(), reader = open_session(BLANK, 0);
	CK_MECHANISM m = {CKM_VLDAA_ENDORSEMENT, NULL, 0};
	bytes before = get_attribute(s, find_class(s, CKO_DATA), CKA_VALUE), after;
	CK_BBOOL yes = CK_TRUE;
	CK_ATTRIBUTE templ = {CKA_TOKEN, &yes, sizeof yes};
	CK_OBJECT_HANDLE request;

	assert_rv(renew(reader, "P-384", &request), CKR_SESSION_READ_ONLY);
	assert_rv(renew(s, "P-257", &request), CKR_MECHANISM_PARAM_INVALID);
	assert_rv(renew(s, "P-25", &request), CKR_MECHANISM_PARAM_INVALID);
	m.ulParameterLen = 5;
	assert_rv(p11->C_GenerateKey(s, &m, NULL, 0, &request), CKR_MECHANISM_PARAM_INVALID);
	m.ulParameterLen = 0;
	assert_rv(p11->C_GenerateKey(s, &m, &templ, 1, &request), CKR_TEMPLATE_INCONSISTENT);
	assert_rv(p11->C_GenerateKey(s, &m, NULL, 1, &request), CKR_ARGUMENTS_BAD);
	assert_rv(p11->C_GenerateKey(s, &m, NULL, 0, NULL), CKR_ARGUMENTS_BAD);
	assert_rv(p11->C_GenerateKey(s, NULL, NULL, 0, &request), CKR_ARGUMENTS_BAD);
	assert_ok(p11->C_CloseSession(reader));
	assert_ok(p11->C_Logout(s));
	assert_rv(renew(s, "P-384", &request), CKR_USER_NOT_LOGGED_IN);
	assert_ok(login(s, CKU_SO, SO_PIN));
	assert_rv(renew(s, "P-384", &request), CKR_USER_NOT_LOGGED_IN);
	after = get_attribute(s, find_class(s, CKO_DATA), CKA_VALUE);
	ck_assert_uint_eq(before.len, after.len);
	ck_assert_mem_eq(before.data, after.data, before.len);
	bytes_free(&before);
	bytes_free(&after);
}
END_TEST

START_TEST(the_new_key_outlives_initialisation)
{
	CK_SESSION_HANDLE s = uncertified();
	uint8_t pin[] = SO_PIN, user[] = USER_PIN, label[32] = "again";
	CK_OBJECT_HANDLE request;
	bytes csr;

	assert_ok(renew(s, "ED25519", &request));
	assert_ok(p11->C_CloseAllSessions(BLANK));
	assert_ok(p11->C_InitToken(BLANK, pin, sizeof pin - 1, label));
	s = open_session(BLANK, CKF_RW_SESSION);
	assert_ok(login(s, CKU_SO, SO_PIN));
	assert_ok(p11->C_InitPIN(s, user, sizeof user - 1));
	assert_ok(p11->C_Logout(s));
	csr = get_attribute(s, find_class(s, CKO_DATA), CKA_VALUE);
	ck_assert(is_of_kind(&csr, "ED25519"));
	bytes_free(&csr);
	/* And its certificate is for the key that signs. */
	assert_ok(login(s, CKU_USER, USER_PIN));
	certify(s);
	(void)join(user_session(ISSUER), s);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("pkcs11_endorsement");
	TCase *c = tcase_create("endorsement");
	SRunner *runner;
	int failed;

	tcase_add_unchecked_fixture(c, world_make, world_remove);
	tcase_add_checked_fixture(c, world_enter, world_leave);
	tcase_add_loop_test(c, a_token_joins_with_a_key_of_any_kind, 0, KINDS);
	tcase_add_test(c, requests_go_with_the_newest_certificate);
	tcase_add_test(c, a_key_with_a_certificate_is_kept);
	tcase_add_test(c, a_certificate_that_comes_while_a_key_is_made_keeps_the_old_one);
	tcase_add_test(c, who_may_not_or_asks_for_nonsense_gets_no_key);
	tcase_add_test(c, the_new_key_outlives_initialisation);
	suite_add_tcase(suite, c);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
