/* See operations.h. */
#include "operations.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>
#include <sqlite3.h>

enum { OUT = 1 << 17 };

/* --- what is stored ----------------------------------------------------------------------------
 */

/* The tables, but for counters that may only grow: of changes, of Creates, of tries. */
static const char *const contents[] = {
    "SELECT label, serial, instance, endorsement FROM token",
    "SELECT role, salt, wrapped FROM pins ORDER BY role",
    "SELECT id, parent, uid, private, kept, attributes, secret FROM objects ORDER BY id",
    "SELECT record, name, value FROM records WHERE record <> 7 ORDER BY record, name"};

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

stored_state stored(void)
{
	EVP_MD_CTX *md = EVP_MD_CTX_new();
	stored_state s;

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

static void enter_login(void)
{
	assert_ok(p11->C_Logout(car));
}

static CK_RV log_in(void)
{
	return login(car, CKU_USER, USER_PIN);
}

static CK_RV delete_pseudonym(void)
{
	return p11->C_DestroyObject(car, pseudonym);
}

static CK_RV delete_member(void)
{
	return p11->C_DestroyObject(car, member);
}

const operation operations[OPERATIONS] = {
    {"C_InitToken", DRAWS | WRITES | STORES, NULL, init_token},
    {"C_InitToken again", DRAWS | WRITES | STORES, NULL, init_token_again},
    {"C_InitPIN", DRAWS | WRITES | STORES, enter_officer, init_pin},
    {"C_SetPIN", DRAWS | WRITES | STORES, NULL, set_pin},
    {"C_Login", WRITES, enter_login, log_in},
    {"Setup", DRAWS | WRITES | STORES | REGISTERS, NULL, make_issuer},
    {"an endorsement key", DRAWS | WRITES | STORES, enter_uncertified, make_endorsement},
    {"a member's key", DRAWS | WRITES | STORES, NULL, make_member},
    {"Join's nonce", DRAWS | WRITES | REGISTERS, NULL, join_nonce},
    {"Join's request", DRAWS | WRITES | STORES, enter_member, join_request},
    {"Join's answer", DRAWS | WRITES | REGISTERS, enter_request, join_issue},
    {"Join's end", DRAWS | WRITES | STORES, enter_answer, join_finish},
    {"Create", DRAWS | WRITES | STORES, NULL, create_stored},
    {"Create of a session", DRAWS | WRITES, NULL, create_passing},
    {"a signature", DRAWS, NULL, sign_whole},
    {"a compact signature", DRAWS, NULL, sign_compact},
    {"an ML-DSA signature", DRAWS, NULL, sign_mldsa},
    {"a member's signature", DRAWS | WRITES, NULL, sign_member},
    {"a revocation token", DRAWS | WRITES, NULL, tell_token},
    {"Revoke", DRAWS | WRITES | STORES, enter_order, revoke},
    {"a private object", DRAWS | WRITES | STORES, NULL, make_private},
    {"a public object", DRAWS | WRITES | STORES, NULL, make_public},
    {"a change", DRAWS | WRITES | STORES, enter_private, change_private},
    {"C_GenerateRandom", DRAWS, NULL, generate},
    {"deleting a pseudonym", WRITES | STORES, NULL, delete_pseudonym},
    {"deleting a member", WRITES | STORES, NULL, delete_member},
};

/* --- around a test ------------------------------------------------------------------------------
 */

void operations_enter(void)
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

void operations_leave(void)
{
	bytes *all[] = {&group, &fleet, &attestation, &nonce, &request, &answer, &order};

	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
		bytes_free(all[i]);
	world_leave();
}

CK_ULONG operations_objects(void)
{
	CK_SESSION_INFO info;

	/* One test ends BLANK's sessions, none ends CAR's. */
	return count_all(car) +
	       (p11->C_GetSessionInfo(blank, &info) == CKR_OK ? count_all(blank) : 0);
}

void operations_clear_output(void)
{
	memset(out, 0xaa, sizeof out);
}

int operations_has_output(void)
{
	for (size_t i = 0; i < sizeof out; i++) {
		if (out[i] != 0xaa && out[i] != 0)
			return 1;
	}
	return 0;
}
