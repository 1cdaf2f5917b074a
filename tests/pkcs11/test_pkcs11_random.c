/*
 * Promises about a token whose random source fails: wherever in an operation it does, the operation
 * fails, nothing of its output is there, and nothing is half stored; no key and no signature is made
 * of what the source did not give; and the same operation works when it gives again.
 *
 * libcrypto's source, which the module draws from, is replaced by one that gives so many times and
 * then leaves the buffer as it is.
 */
#define OPENSSL_SUPPRESS_DEPRECATED
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>
#include <openssl/rand.h>
#include <sqlite3.h>

#include "module.h"

/* More draws than any operation makes. */
enum { MAX_DRAWS = 5000, OUT = 1 << 17 };

/* --- a source that fails -----------------------------------------------------------------------
 */

/* Draws until it fails; below 0: it does not. */
static long until = -1;
static long drawn;
static int failed;

static int draw(unsigned char *out, int len)
{
	drawn++;
	if (until >= 0 && drawn > until) {
		failed = 1;
		return 0;
	}
	return RAND_OpenSSL()->bytes(out, len);
}

static int is_ready(void)
{
	return 1;
}

static const RAND_METHOD source = {.bytes = draw, .pseudorand = draw, .status = is_ready};

/* --- what is stored ----------------------------------------------------------------------------
 */

/* The tables, but for counters that may only grow: of changes, of Creates, of tries. */
static const char *const contents[] = {
    "SELECT label, serial, instance, endorsement FROM token",
    "SELECT role, salt, wrapped FROM pins ORDER BY role",
    "SELECT id, parent, uid, private, kept, attributes, secret FROM objects ORDER BY id",
    "SELECT record, name, value FROM records WHERE record <> 7 ORDER BY record, name"};

typedef struct {
	uint8_t digest[32];
} state;

static void digest_rows(EVP_MD_CTX *md, sqlite3 *db, const char *sql)
{
	sqlite3_stmt *stmt;

	/* A place without a token has none of them. */
	if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK)
		return;
	while (sqlite3_step(stmt) == SQLITE_ROW) {
		for (int i = 0; i < sqlite3_column_count(stmt); i++) {
			const void *value = sqlite3_column_blob(stmt, i);
			const int len = sqlite3_column_bytes(stmt, i);

			ck_assert_int_eq(EVP_DigestUpdate(md, &len, sizeof len), 1);
			ck_assert_int_eq(EVP_DigestUpdate(md, value, (size_t)len), 1);
		}
	}
	ck_assert_int_eq(sqlite3_finalize(stmt), SQLITE_OK);
}

static state stored(void)
{
	EVP_MD_CTX *md = EVP_MD_CTX_new();
	state s;

	ck_assert_int_eq(EVP_DigestInit_ex(md, EVP_sha256(), NULL), 1);
	for (int place = 0; place < PLACES; place++) {
		char path[160];
		sqlite3 *db;

		(void)snprintf(path, sizeof path, "%s/token.db", world_directory(place));
		if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK) {
			for (size_t i = 0; i < sizeof contents / sizeof contents[0]; i++)
				digest_rows(md, db, contents[i]);
		}
		ck_assert_int_eq(sqlite3_close(db), SQLITE_OK);
	}
	ck_assert_int_eq(EVP_DigestFinal_ex(md, s.digest, NULL), 1);
	EVP_MD_CTX_free(md);
	return s;
}

/* --- operations --------------------------------------------------------------------------------
 */

static CK_SESSION_HANDLE issuer, car, blank;
static CK_OBJECT_HANDLE issuer_key, member, pseudonym, thing;
static bytes group, fleet, attestation, nonce, request, answer, order;
static uint8_t out[OUT], text[] = "brake";

static CK_RV run_sign(CK_SESSION_HANDLE s, CK_MECHANISM_TYPE type, const char *parameter,
		      CK_OBJECT_HANDLE key, bytes data)
{
	char copy[64];
	CK_MECHANISM m = {type, copy, parameter != NULL ? strlen(parameter) : 0};
	CK_ULONG len = sizeof out;
	CK_RV rv;

	memcpy(copy, parameter != NULL ? parameter : "", m.ulParameterLen);
	rv = p11->C_SignInit(s, &m, key);
	return rv == CKR_OK ? p11->C_Sign(s, data.data, data.len, out, &len) : rv;
}

static const bytes nothing, message = {text, 5};

static CK_RV init_token(void)
{
	uint8_t pin[] = SO_PIN, label[32] = "new";

	return p11->C_InitToken(EMPTY, pin, sizeof pin - 1, label);
}

static CK_RV init_token_again(void)
{
	uint8_t pin[] = SO_PIN, label[32] = "again";

	(void)p11->C_CloseAllSessions(BLANK);
	return p11->C_InitToken(BLANK, pin, sizeof pin - 1, label);
}

static void enter_officer(void)
{
	assert_ok(p11->C_Logout(blank));
	assert_ok(login(blank, CKU_SO, SO_PIN));
}

static CK_RV init_pin(void)
{
	uint8_t pin[] = "another";

	return p11->C_InitPIN(blank, pin, sizeof pin - 1);
}

static CK_RV set_pin(void)
{
	uint8_t old[] = USER_PIN, pin[] = "another";

	return p11->C_SetPIN(blank, old, sizeof old - 1, pin, sizeof pin - 1);
}

static CK_RV make_issuer(void)
{
	CK_MECHANISM m = {CKM_VLDAA_SETUP, NULL, 0};
	CK_OBJECT_HANDLE a, b;

	return p11->C_GenerateKeyPair(blank, &m, NULL, 0, NULL, 0, &a, &b);
}

static void enter_uncertified(void)
{
	CK_OBJECT_CLASS class = CKO_CERTIFICATE;
	CK_ATTRIBUTE templ = {CKA_CLASS, &class, sizeof class};

	assert_ok(p11->C_DestroyObject(blank, find_one(blank, &templ, 1)));
}

static CK_RV make_endorsement(void)
{
	CK_MECHANISM m = {CKM_VLDAA_ENDORSEMENT, NULL, 0};
	CK_OBJECT_HANDLE o;

	return p11->C_GenerateKey(blank, &m, NULL, 0, &o);
}

static CK_RV make_member(void)
{
	CK_MECHANISM m = {CKM_VLDAA_MEMBER, group.data, group.len};
	CK_OBJECT_HANDLE a;

	return p11->C_GenerateKeyPair(blank, &m, NULL, 0, NULL, 0, &a, &thing);
}

static void enter_member(void)
{
	assert_ok(make_member());
	nonce = sign(issuer, CKM_VLDAA_JOIN_NONCE, NULL, issuer_key, "", 0);
}

static CK_RV join_nonce(void)
{
	return run_sign(issuer, CKM_VLDAA_JOIN_NONCE, NULL, issuer_key, nothing);
}

static CK_RV join_request(void)
{
	return run_sign(blank, CKM_VLDAA_JOIN_REQUEST, NULL, thing, nonce);
}

static void enter_request(void)
{
	enter_member();
	request = sign(blank, CKM_VLDAA_JOIN_REQUEST, NULL, thing, nonce.data, nonce.len);
}

static CK_RV join_issue(void)
{
	return run_sign(issuer, CKM_VLDAA_JOIN_ISSUE, NULL, issuer_key, request);
}

static void enter_answer(void)
{
	enter_request();
	answer = sign(issuer, CKM_VLDAA_JOIN_ISSUE, NULL, issuer_key, request.data, request.len);
}

static CK_RV join_finish(void)
{
	CK_MECHANISM m = {CKM_VLDAA_JOIN_FINISH, NULL, 0};
	CK_OBJECT_HANDLE o;

	return p11->C_UnwrapKey(blank, &m, thing, answer.data, answer.len, NULL, 0, &o);
}

static CK_RV create_stored(void)
{
	CK_OBJECT_HANDLE o;

	return try_create(car, member, "new", 1, &o);
}

static CK_RV create_passing(void)
{
	CK_OBJECT_HANDLE o;

	return try_create(car, member, "new", 0, &o);
}

static CK_RV sign_whole(void)
{
	return run_sign(car, CKM_VLDAA_SIGN, NULL, pseudonym, message);
}

static CK_RV sign_compact(void)
{
	return run_sign(car, CKM_VLDAA_SIGN_COMPACT, NULL, pseudonym, message);
}

static CK_RV sign_mldsa(void)
{
	return run_sign(car, 0x1d, NULL, pseudonym, message);
}

static CK_RV sign_member(void)
{
	return run_sign(car, CKM_VLDAA_SIGN, "new", member, message);
}

static CK_RV tell_token(void)
{
	return run_sign(car, CKM_VLDAA_REVOCATION_TOKEN, NULL, pseudonym, nothing);
}

static void enter_order(void)
{
	order = order_against(&group, &fleet, &attestation, 0, 1, NULL);
}

static CK_RV revoke(void)
{
	return run_sign(car, CKM_VLDAA_REVOKE, NULL, member, order);
}

static CK_RV make_object(CK_BBOOL private)
{
	CK_OBJECT_CLASS class = CKO_DATA;
	CK_BBOOL yes = CK_TRUE;
	CK_ATTRIBUTE templ[] = {{CKA_CLASS, &class, sizeof class},
				{CKA_TOKEN, &yes, 1},
				{CKA_PRIVATE, &private, 1},
				{CKA_VALUE, text, 5}};

	return p11->C_CreateObject(car, templ, 4, &thing);
}

static CK_RV make_private(void)
{
	return make_object(CK_TRUE);
}

static CK_RV make_public(void)
{
	return make_object(CK_FALSE);
}

static void enter_private(void)
{
	assert_ok(make_private());
}

static CK_RV change_private(void)
{
	CK_ATTRIBUTE a = {CKA_VALUE, text, 3};

	return p11->C_SetAttributeValue(car, thing, &a, 1);
}

static CK_RV generate(void)
{
	return p11->C_GenerateRandom(car, out, 1000);
}

static const struct {
	const char *name;
	void (*enter)(void);
	CK_RV (*run)(void);
} operations[] = {
    {"C_InitToken", NULL, init_token},
    {"C_InitToken again", NULL, init_token_again},
    {"C_InitPIN", enter_officer, init_pin},
    {"C_SetPIN", NULL, set_pin},
    {"Setup", NULL, make_issuer},
    {"an endorsement key", enter_uncertified, make_endorsement},
    {"a member's key", NULL, make_member},
    {"Join's nonce", NULL, join_nonce},
    {"Join's request", enter_member, join_request},
    {"Join's answer", enter_request, join_issue},
    {"Join's end", enter_answer, join_finish},
    {"Create", NULL, create_stored},
    {"Create of a session", NULL, create_passing},
    {"a signature", NULL, sign_whole},
    {"a compact signature", NULL, sign_compact},
    {"an ML-DSA signature", NULL, sign_mldsa},
    {"a member's signature", NULL, sign_member},
    {"a revocation token", NULL, tell_token},
    {"Revoke", enter_order, revoke},
    {"a private object", NULL, make_private},
    {"a public object", NULL, make_public},
    {"a change", enter_private, change_private},
    {"C_GenerateRandom", NULL, generate},
};
enum { OPERATIONS = sizeof operations / sizeof operations[0] };

/* --- the test ----------------------------------------------------------------------------------
 */

static void enter(void)
{
	world_enter();
	issuer = user_session(ISSUER);
	car = user_session(CAR);
	blank = user_session(BLANK);
	issuer_key = find_key(issuer, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_ISSUER);
	member = find_key(car, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_MEMBER);
	pseudonym = find_key(car, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_PSEUDONYM);
	group =
	    get_attribute(issuer, find_key(issuer, CKO_PUBLIC_KEY, CK_VLDAA_ROLE_GROUP), CKA_VALUE);
	fleet = get_attribute(issuer, issuer_key, CKA_VLDAA_FLEET_KEY);
	attestation = get_attribute(car, pseudonym, CKA_VLDAA_ATTESTATION);
}

static void leave(void)
{
	bytes *all[] = {&group, &fleet, &attestation, &nonce, &request, &answer, &order};

	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
		bytes_free(all[i]);
	world_leave();
}

/* Nothing, or zeros, where output would be. */
static int is_empty(void)
{
	for (size_t i = 0; i < sizeof out; i++) {
		if (out[i] != 0xaa && out[i] != 0)
			return 0;
	}
	return 1;
}

START_TEST(where_the_source_fails_an_operation_fails_and_leaves_nothing)
{
	const char *name = operations[_i].name;
	long failures = 0;

	if (operations[_i].enter != NULL)
		operations[_i].enter();
	ck_assert_int_eq(RAND_set_rand_method(&source), 1);
	for (long n = 0; n < MAX_DRAWS; n++) {
		const state before = stored();
		const CK_ULONG objects =
		    operations[_i].run != init_token_again ? count_all(car) : 0;
		CK_RV rv;

		memset(out, 0xaa, sizeof out);
		drawn = failed = 0;
		until = n;
		rv = operations[_i].run();
		until = -1;
		if (!failed) {
			ck_assert_msg(rv == CKR_OK, "%s: 0x%lx", name, rv);
			break;
		}
		failures++;
		ck_assert_msg(rv != CKR_OK, "%s, draw %ld: it works without", name, n);
		ck_assert_msg(rv == CKR_FUNCTION_FAILED || rv == CKR_DEVICE_ERROR,
			      "%s, draw %ld: 0x%lx", name, n, rv);
		ck_assert_msg(is_empty(), "%s, draw %ld: output", name, n);
		const state after = stored();
		ck_assert_msg(memcmp(&before, &after, sizeof before) == 0,
			      "%s, draw %ld: something is stored", name, n);
		ck_assert_msg(objects == 0 || count_all(car) == objects,
			      "%s, draw %ld: an object is left", name, n);
	}
	ck_assert_msg(failures > 0, "%s: draws nothing", name);
	ck_assert_int_eq(RAND_set_rand_method(NULL), 1);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("pkcs11_random");
	TCase *c = tcase_create("random");
	SRunner *runner;
	int ended_badly;

	tcase_add_unchecked_fixture(c, world_make, world_remove);
	tcase_add_checked_fixture(c, enter, leave);
	tcase_add_loop_test(c, where_the_source_fails_an_operation_fails_and_leaves_nothing, 0,
			    OPERATIONS);
	suite_add_tcase(suite, c);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	ended_badly = srunner_ntests_failed(runner);
	srunner_free(runner);
	return ended_badly ? EXIT_FAILURE : EXIT_SUCCESS;
}
