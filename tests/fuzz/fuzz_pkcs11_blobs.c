/*
 * Objects that come from other parties, damaged or of another kind or by another party, given to
 * what takes them on a token in use: as objects, as lists that a group obeys, as an issuer's roots,
 * and to each step of Join, Verify and Revoke.
 *
 * Of VLDAA-42, whose objects are small and soon verified.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "fuzz_pkcs11.h"

static CK_OBJECT_HANDLE group_key(int place)
{
	return find_key(user[place], CKO_PUBLIC_KEY, CK_VLDAA_ROLE_GROUP);
}

static CK_RV create(int place, CK_OBJECT_CLASS class, CK_KEY_TYPE type, CK_ATTRIBUTE_TYPE as,
		    const bytes *b)
{
	CK_ATTRIBUTE templ[] = {{CKA_CLASS, &class, sizeof class},
				{as, b->data, b->len},
				{CKA_KEY_TYPE, &type, sizeof type}};
	CK_OBJECT_HANDLE o;
	const CK_RV rv = p11->C_CreateObject(user[place], templ, type != 0 ? 3 : 2, &o);

	if (rv == CKR_OK)
		require(p11->C_DestroyObject(user[place], o) == CKR_OK);
	return rv;
}

static CK_RV set(int place, CK_OBJECT_HANDLE object, CK_ATTRIBUTE_TYPE type, const bytes *b)
{
	CK_ATTRIBUTE a = {type, b->data, b->len};

	return p11->C_SetAttributeValue(user[place], object, &a, 1);
}

static CK_RV run(int place, CK_MECHANISM_TYPE type, CK_OBJECT_HANDLE key, const bytes *b)
{
	CK_MECHANISM m = {type, NULL, 0};
	CK_RV rv = p11->C_SignInit(user[place], &m, key);
	CK_ULONG len = 0;
	uint8_t *out;

	require(rv == CKR_OK);
	require(p11->C_Sign(user[place], b->data, b->len, NULL, &len) == CKR_OK);
	out = malloc(len);
	require(out != NULL);
	rv = p11->C_Sign(user[place], b->data, b->len, out, &len);
	free(out);
	return rv;
}

static CK_RV check(int place, CK_MECHANISM_TYPE type, CK_OBJECT_HANDLE key, const bytes *b)
{
	CK_MECHANISM m = {type, NULL, 0};
	CK_RV rv = p11->C_VerifyInit(user[place], &m, key);
	uint8_t x = 'x';

	return rv == CKR_OK ? p11->C_Verify(user[place], &x, 1, b->data, b->len) : rv;
}

static CK_RV finish(const bytes *b)
{
	const CK_OBJECT_HANDLE member =
	    find_key(user[BLANK], CKO_PRIVATE_KEY, CK_VLDAA_ROLE_MEMBER);
	CK_MECHANISM m = {CKM_VLDAA_JOIN_FINISH, NULL, 0};
	CK_OBJECT_HANDLE o;

	return p11->C_UnwrapKey(user[BLANK], &m, member, b->data, b->len, NULL, 0, &o);
}

/* The issuer's own attributes are used at its next answer. */
static CK_RV issue_with(CK_ATTRIBUTE_TYPE type, const bytes *b)
{
	const CK_OBJECT_HANDLE key = find_key(user[ISSUER], CKO_PRIVATE_KEY, CK_VLDAA_ROLE_ISSUER);
	const CK_RV rv = set(ISSUER, key, type, b);

	return rv == CKR_OK ? run(ISSUER, CKM_VLDAA_JOIN_ISSUE, key, &honest[HONEST_REQUEST]) : rv;
}

static CK_RV verify_with(CK_ATTRIBUTE_TYPE type, const bytes *b)
{
	const CK_OBJECT_HANDLE key = group_key(CAR);
	const CK_RV rv = set(CAR, key, type, b);

	return rv == CKR_OK ? check(CAR, CKM_VLDAA_SIGN, key, &honest[HONEST_SIGNATURE]) : rv;
}

static CK_RV member_of(const bytes *b)
{
	CK_MECHANISM m = {CKM_VLDAA_MEMBER, b->data, b->len};
	CK_OBJECT_HANDLE public_key, key;

	return p11->C_GenerateKeyPair(user[CAR], &m, NULL, 0, NULL, 0, &public_key, &key);
}

static CK_RV give(unsigned where, const bytes *b)
{
	const CK_OBJECT_HANDLE issuer =
	    find_key(user[ISSUER], CKO_PRIVATE_KEY, CK_VLDAA_ROLE_ISSUER);
	const CK_OBJECT_HANDLE member = find_key(user[CAR], CKO_PRIVATE_KEY, CK_VLDAA_ROLE_MEMBER);
	const CK_OBJECT_HANDLE nym = find_key(user[CAR], CKO_PUBLIC_KEY, CK_VLDAA_ROLE_PSEUDONYM);

	switch (where % 16) {
	case 0:
		return create(BLANK, CKO_PUBLIC_KEY, CKK_VLDAA, CKA_VALUE, b);
	case 1:
		return create(BLANK, CKO_PUBLIC_KEY, 0x4a, CKA_VLDAA_ATTESTATION, b);
	case 2:
		return create(BLANK, CKO_CERTIFICATE, 0, CKA_VALUE, b);
	case 3:
		return member_of(b);
	case 4:
		return run(ISSUER, CKM_VLDAA_JOIN_NONCE, issuer, b);
	case 5:
		return run(CAR, CKM_VLDAA_JOIN_REQUEST, member, b);
	case 6:
		return run(ISSUER, CKM_VLDAA_JOIN_ISSUE, issuer, b);
	case 7:
		return finish(b);
	case 8:
		return run(CAR, CKM_VLDAA_REVOKE, member, b);
	case 9:
		return verify_with(CKA_VLDAA_ROGUE_LIST, b);
	case 10:
		return verify_with(CKA_VLDAA_REVOKED_LIST, b);
	case 11:
		return issue_with(CKA_VLDAA_ROOTS, b);
	case 12:
		return issue_with(CKA_VLDAA_REVOCATION_KEY, b);
	case 13:
		return check(CAR, CKM_VLDAA_SIGN, group_key(CAR), b);
	case 14:
		return check(CAR, CKM_VLDAA_SIGN_COMPACT, group_key(CAR), b);
	default:
		return check(CAR, CKM_VLDAA_SIGN, nym, b);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	tape t = {data, size};
	unsigned where;
	bytes b;
	CK_RV rv;

	fuzz_token_enter("VLDAA-42");
	where = tape_byte(&t);
	b = tape_blob(&t);
	rv = give(where, &b);
	require_code(rv);
	fuzz_accepted += rv == CKR_OK;
	bytes_free(&b);
	fuzz_token_reset();
	return 0;
}
