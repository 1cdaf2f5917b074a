/*
 * Promises about a client that does everything wrong: whatever is called in whatever order, with
 * damaged blobs, wrong lengths, handles of something else, each call returns a code that says what
 * is wrong and never that something is wrong with the module; and the token works afterwards.
 *
 * The calls are random, and the same in every run.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "module.h"

enum { CALLS = 6000, MAX_INPUT = 40000, SESSIONS = 3 };

static uint64_t state;

/* xorshift64 (Marsaglia): any sequence does, as long as it is always the same. */
static uint64_t next(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static size_t below(size_t n)
{
	return (size_t)(next() % n);
}

/* --- what calls are made of --------------------------------------------------------------------
 */

enum { GROUP_KEY, ATTESTATION, SIGNATURE, COMPACT, BARE, ORDER, NONCE, REQUEST, CERTIFICATE, POOL };
static bytes pool[POOL];
static CK_SESSION_HANDLE sessions[SESSIONS];
static CK_OBJECT_HANDLE keys[16], made[16];
static size_t key_count;

static void fill_pool(void)
{
	CK_SESSION_HANDLE issuer = user_session(ISSUER), car = user_session(CAR);
	const CK_OBJECT_HANDLE issuer_key = find_key(issuer, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_ISSUER);
	const CK_OBJECT_HANDLE key = find_key(car, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_PSEUDONYM);
	CK_OBJECT_CLASS class = CKO_CERTIFICATE;
	CK_ATTRIBUTE certificate = {CKA_CLASS, &class, sizeof class};
	bytes fleet = get_attribute(issuer, issuer_key, CKA_VLDAA_FLEET_KEY);

	pool[GROUP_KEY] =
	    get_attribute(issuer, find_key(issuer, CKO_PUBLIC_KEY, CK_VLDAA_ROLE_GROUP), CKA_VALUE);
	pool[ATTESTATION] = get_attribute(car, key, CKA_VLDAA_ATTESTATION);
	pool[SIGNATURE] = sign(car, CKM_VLDAA_SIGN, NULL, key, "x", 1);
	pool[COMPACT] = sign(car, CKM_VLDAA_SIGN_COMPACT, NULL, key, "x", 1);
	pool[BARE] = sign(car, 0x1d, NULL, key, "x", 1);
	pool[ORDER] = order_against(&pool[GROUP_KEY], &fleet, &pool[ATTESTATION], 0, 1, NULL);
	/* Damaged for good: this order must not be obeyed by chance. */
	pool[ORDER].data[pool[ORDER].len - 1] ^= 1;
	pool[NONCE] = sign(issuer, CKM_VLDAA_JOIN_NONCE, NULL, issuer_key, "", 0);
	pool[CERTIFICATE] = get_attribute(car, find_one(car, &certificate, 1), CKA_VALUE);
	pool[REQUEST] = sign(car, CKM_VLDAA_JOIN_REQUEST, NULL,
			     find_key(car, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_MEMBER), pool[NONCE].data,
			     pool[NONCE].len);
	bytes_free(&fleet);
	assert_ok(p11->C_CloseAllSessions(CAR));
	sessions[0] = user_session(CAR);
	sessions[1] = open_session(CAR, 0);
	sessions[2] = open_session(BLANK, CKF_RW_SESSION);
	assert_ok(p11->C_FindObjectsInit(sessions[0], NULL, 0));
	assert_ok(p11->C_FindObjects(sessions[0], keys, 16, &key_count));
	assert_ok(p11->C_FindObjectsFinal(sessions[0]));
}

/* A blob of the pool, whole or with a few bytes wrong, or cut off; or nothing. */
static CK_ULONG any_input(uint8_t out[MAX_INPUT])
{
	const bytes *b = &pool[below(POOL)];
	CK_ULONG len = b->len < MAX_INPUT ? b->len : MAX_INPUT;

	memcpy(out, b->data, len);
	switch (below(5)) {
	case 0:
		len = below(len);
		break;
	case 1:
		len = below(20);
		break;
	case 2:
		out[below(len)] ^= (uint8_t)(1 + below(255));
		break;
	case 3:
		out[below(30)] ^= (uint8_t)(1 + below(255));
		break;
	default:
		break;
	}
	return len;
}

static CK_SESSION_HANDLE any_session(void)
{
	return below(20) == 0 ? below(1000) : sessions[below(SESSIONS)];
}

static CK_OBJECT_HANDLE any_object(void)
{
	switch (below(8)) {
	case 0:
		return below(1000);
	case 1:
	case 2:
		return made[below(16)];
	default:
		return keys[below(key_count)];
	}
}

static CK_ATTRIBUTE_TYPE any_type(void)
{
	static const CK_ATTRIBUTE_TYPE types[] = {CKA_CLASS,
						  CKA_TOKEN,
						  CKA_PRIVATE,
						  CKA_LABEL,
						  CKA_VALUE,
						  CKA_ID,
						  CKA_KEY_TYPE,
						  CKA_SIGN,
						  CKA_VERIFY,
						  CKA_SENSITIVE,
						  CKA_EXTRACTABLE,
						  CKA_MODIFIABLE,
						  CKA_START_DATE,
						  CKA_SUBJECT,
						  CKA_APPLICATION,
						  CKA_ALLOWED_MECHANISMS,
						  CKA_VLDAA_ROLE,
						  CKA_VLDAA_SET,
						  CKA_VLDAA_BASENAME,
						  CKA_VLDAA_ATTESTATION,
						  CKA_VLDAA_JOINED,
						  CKA_VLDAA_ROOTS,
						  0x171UL,
						  0x172UL,
						  0x4UL,
						  CKA_VLDAA_KEY_ID,
						  CKA_VLDAA_NYM,
						  CKA_VLDAA_REVOKED_LIST,
						  CKA_MODULUS,
						  CKA_CERTIFICATE_TYPE};

	return types[below(sizeof types / sizeof types[0])];
}

/* Small values that may even be right: of their own length, or another. */
static CK_ULONG any_value(uint8_t out[MAX_INPUT])
{
	static const CK_ULONG numbers[] = {CKO_DATA,  CKO_PUBLIC_KEY, CKO_CERTIFICATE,
					   CKK_VLDAA, 0x4a,           7};

	switch (below(4)) {
	case 0:
		out[0] = (uint8_t)below(3);
		return 1;
	case 1:
		memcpy(out, &numbers[below(6)], sizeof(CK_ULONG));
		return sizeof(CK_ULONG);
	case 2:
		return below(10);
	default:
		return any_input(out);
	}
}

typedef struct {
	CK_ATTRIBUTE list[4];
	uint8_t values[4][MAX_INPUT];
	CK_ULONG count;
} template;

static void any_template(template *t)
{
	t->count = below(5);
	for (CK_ULONG i = 0; i < t->count; i++) {
		t->list[i].type = any_type();
		t->list[i].ulValueLen = any_value(t->values[i]);
		t->list[i].pValue = below(15) == 0 ? NULL : t->values[i];
	}
}

static void any_mechanism(CK_MECHANISM *m, uint8_t parameter[MAX_INPUT])
{
	/* All but Setup, which takes its time. */
	m->mechanism = below(10) == 0 ? CKM_RSA_PKCS : 0xD6440002UL + below(10);
	if (below(8) == 0)
		m->mechanism = 0x1d;
	m->ulParameterLen = below(3) == 0 ? any_value(parameter) : 0;
	m->pParameter = below(10) == 0 ? NULL : parameter;
}

/* --- the calls ---------------------------------------------------------------------------------
 */

static uint8_t in[MAX_INPUT], parameter[MAX_INPUT], out[1 << 17];
static template t;

static CK_RV call_objects(void)
{
	CK_ATTRIBUTE a = {any_type(), below(3) ? out : NULL, below(4) ? sizeof out : below(30)};
	CK_ULONG n = 0;
	CK_OBJECT_HANDLE o[4];
	CK_RV rv;

	any_template(&t);
	switch (below(9)) {
	case 0:
		return p11->C_FindObjectsInit(any_session(), t.list, t.count);
	case 1:
		return p11->C_FindObjects(any_session(), o, below(4), &n);
	case 2:
		return p11->C_FindObjectsFinal(any_session());
	case 3:
		return p11->C_GetAttributeValue(any_session(), any_object(), &a, 1);
	case 4:
		/* Labels and such, so that keys stay keys. */
		return p11->C_SetAttributeValue(any_session(), made[below(16)], t.list, t.count);
	case 5:
		rv = p11->C_CopyObject(any_session(), any_object(), t.list, t.count, o);
		break;
	case 6:
		return p11->C_DestroyObject(any_session(), made[below(16)]);
	case 7:
		return p11->C_GetObjectSize(any_session(), any_object(), &n);
	default: {
		CK_OBJECT_CLASS class = below(2) ? CKO_DATA : CKO_PUBLIC_KEY;

		t.count = t.count > 0 ? t.count : 1;
		t.list[0] = (CK_ATTRIBUTE){CKA_CLASS, &class, sizeof class};
		rv = p11->C_CreateObject(any_session(), t.list, t.count, o);
		break;
	}
	}
	if (rv == CKR_OK)
		made[below(16)] = o[0];
	return rv;
}

static CK_RV call_signatures(void)
{
	CK_MECHANISM m;
	CK_ULONG len = below(3) ? sizeof out : below(3000);
	const CK_ULONG in_len = any_input(in);
	uint8_t *data = below(20) ? in : NULL;

	any_mechanism(&m, parameter);
	switch (below(9)) {
	case 0:
	case 1:
		return p11->C_SignInit(any_session(), below(20) ? &m : NULL, any_object());
	case 2:
		return p11->C_Sign(any_session(), data, in_len, below(4) ? out : NULL, &len);
	case 3:
		return p11->C_SignUpdate(any_session(), data, in_len);
	case 4:
		return p11->C_SignFinal(any_session(), below(4) ? out : NULL, &len);
	case 5:
	case 6:
		return p11->C_VerifyInit(any_session(), below(20) ? &m : NULL, any_object());
	case 7:
		return below(3) ? p11->C_VerifyUpdate(any_session(), in, 1)
				: p11->C_VerifyFinal(any_session(), data, in_len);
	default: {
		uint8_t x = 'x';

		return p11->C_Verify(any_session(), &x, 1, data, in_len);
	}
	}
}

static CK_RV call_keys(void)
{
	const CK_ULONG len = any_input(in);
	CK_OBJECT_HANDLE o, p;
	CK_MECHANISM m;
	CK_RV rv;

	any_mechanism(&m, parameter);
	any_template(&t);
	switch (below(3)) {
	case 0:
		return p11->C_UnwrapKey(any_session(), &m, any_object(), in, len, t.list, t.count,
					&o);
	case 1:
		rv = p11->C_DeriveKey(any_session(), &m, any_object(), t.list, t.count, &o);
		if (rv == CKR_OK)
			made[below(16)] = o;
		return rv;
	default:
		return p11->C_GenerateKeyPair(any_session(), &m, t.list, t.count, t.list, t.count,
					      &o, &p);
	}
}

static void check_code(CK_RV rv, int i)
{
	/* 0x300 is past all codes of 3.2; ours have an error of the library in them. */
	ck_assert_msg(rv < 0x300 || (rv >= CKR_VLDAA && rv < CKR_VLDAA + 100), "call %d: 0x%lx", i,
		      rv);
	ck_assert_msg(rv != CKR_GENERAL_ERROR && rv != CKR_FUNCTION_FAILED &&
			  rv != CKR_DEVICE_ERROR && rv != CKR_HOST_MEMORY &&
			  rv != CKR_TOKEN_NOT_RECOGNIZED,
		      "call %d: 0x%lx", i, rv);
}

START_TEST(nonsense_is_refused_and_does_no_harm)
{
	int good = 0;

	fill_pool();
	state = 0x9e3779b97f4a7c15 + (uint64_t)_i;
	for (int i = 0; i < CALLS; i++) {
		CK_RV rv;

		switch (below(3)) {
		case 0:
			rv = call_objects();
			break;
		case 1:
			rv = call_signatures();
			break;
		default:
			rv = below(3) ? call_objects() : call_keys();
			break;
		}
		check_code(rv, i);
		good += rv == CKR_OK;
	}
	/* The calls are not all nonsense: they get somewhere. */
	ck_assert_int_gt(good, CALLS / 20);
	assert_ok(p11->C_CloseAllSessions(CAR));
	assert_ok(p11->C_CloseAllSessions(BLANK));
	const CK_SESSION_HANDLE car = user_session(CAR);
	const CK_OBJECT_HANDLE member = find_key(car, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_MEMBER);
	bytes s = sign(car, CKM_VLDAA_SIGN, "afterwards", member, "x", 1);
	bytes_free(&s);
	for (int i = 0; i < POOL; i++)
		bytes_free(&pool[i]);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("pkcs11_garbage");
	TCase *c = tcase_create("garbage");
	SRunner *runner;
	int failed;

	tcase_add_unchecked_fixture(c, world_make, world_remove);
	tcase_add_checked_fixture(c, world_enter, world_leave);
	tcase_add_loop_test(c, nonsense_is_refused_and_does_no_harm, 0, as_long(2, 100));
	suite_add_tcase(suite, c);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
