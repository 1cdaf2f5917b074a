/* C_Sign*, C_Verify*, randomness. */
#include <openssl/rand.h>

#include "../mechanism/sign.h"
#include "../session/library.h"
#include "api.h"

enum { MAX_RANDOM = 1 << 30 };

/* Without a mechanism an operation in progress is given up (3.0). */
CK_RV C_SignInit(CK_SESSION_HANDLE session, CK_MECHANISM *mechanism, CK_OBJECT_HANDLE key)
{
	vldaa_p11_session *s;
	CK_RV rv = vldaa_p11_session_take(session, &s);

	if (rv != CKR_OK)
		return rv;
	if (mechanism != NULL)
		rv = vldaa_p11_sign_init(s, mechanism, key);
	else if (s->sign.mechanism != NULL)
		vldaa_p11_operation_end(&s->sign);
	else
		rv = CKR_ARGUMENTS_BAD;
	vldaa_p11_session_give(s);
	return rv;
}

CK_RV C_Sign(CK_SESSION_HANDLE session, unsigned char *data, CK_ULONG data_len,
	     unsigned char *signature, CK_ULONG *signature_len)
{
	const vldaa_p11_bytes bytes = {data, data_len, data_len};
	vldaa_p11_session *s;
	CK_RV rv = vldaa_p11_session_take(session, &s);

	if (rv != CKR_OK)
		return rv;
	rv = vldaa_p11_sign_end(s, &bytes, signature, signature_len);
	vldaa_p11_session_give(s);
	return rv;
}

CK_RV C_SignUpdate(CK_SESSION_HANDLE session, unsigned char *part, CK_ULONG part_len)
{
	vldaa_p11_session *s;
	CK_RV rv = vldaa_p11_session_take(session, &s);

	if (rv != CKR_OK)
		return rv;
	rv = vldaa_p11_sign_update(s, part, part_len);
	vldaa_p11_session_give(s);
	return rv;
}

CK_RV C_SignFinal(CK_SESSION_HANDLE session, unsigned char *signature, CK_ULONG *signature_len)
{
	vldaa_p11_session *s;
	CK_RV rv = vldaa_p11_session_take(session, &s);

	if (rv != CKR_OK)
		return rv;
	rv = vldaa_p11_sign_end(s, NULL, signature, signature_len);
	vldaa_p11_session_give(s);
	return rv;
}

CK_RV C_VerifyInit(CK_SESSION_HANDLE session, CK_MECHANISM *mechanism, CK_OBJECT_HANDLE key)
{
	vldaa_p11_session *s;
	CK_RV rv = vldaa_p11_session_take(session, &s);

	if (rv != CKR_OK)
		return rv;
	if (mechanism != NULL)
		rv = vldaa_p11_verify_init(s, mechanism, key);
	else if (s->verify.mechanism != NULL)
		vldaa_p11_operation_end(&s->verify);
	else
		rv = CKR_ARGUMENTS_BAD;
	vldaa_p11_session_give(s);
	return rv;
}

CK_RV C_Verify(CK_SESSION_HANDLE session, unsigned char *data, CK_ULONG data_len,
	       unsigned char *signature, CK_ULONG signature_len)
{
	const vldaa_p11_bytes bytes = {data, data_len, data_len};
	vldaa_p11_session *s;
	CK_RV rv = vldaa_p11_session_take(session, &s);

	if (rv != CKR_OK)
		return rv;
	rv = vldaa_p11_verify_end(s, &bytes, signature, signature_len);
	vldaa_p11_session_give(s);
	return rv;
}

CK_RV C_VerifyUpdate(CK_SESSION_HANDLE session, unsigned char *part, CK_ULONG part_len)
{
	vldaa_p11_session *s;
	CK_RV rv = vldaa_p11_session_take(session, &s);

	if (rv != CKR_OK)
		return rv;
	rv = vldaa_p11_verify_update(s, part, part_len);
	vldaa_p11_session_give(s);
	return rv;
}

CK_RV C_VerifyFinal(CK_SESSION_HANDLE session, unsigned char *signature, CK_ULONG signature_len)
{
	vldaa_p11_session *s;
	CK_RV rv = vldaa_p11_session_take(session, &s);

	if (rv != CKR_OK)
		return rv;
	rv = vldaa_p11_verify_end(s, NULL, signature, signature_len);
	vldaa_p11_session_give(s);
	return rv;
}

/* --- randomness --------------------------------------------------------------------------------
 */

/* Mixed in, and trusted for nothing. */
CK_RV C_SeedRandom(CK_SESSION_HANDLE session, unsigned char *seed, CK_ULONG seed_len)
{
	vldaa_p11_session *s;
	CK_RV rv = vldaa_p11_session_take(session, &s);

	if (rv != CKR_OK)
		return rv;
	if (seed == NULL || seed_len > MAX_RANDOM)
		rv = CKR_ARGUMENTS_BAD;
	else
		RAND_add(seed, (int)seed_len, 0.0);
	vldaa_p11_session_give(s);
	return rv;
}

CK_RV C_GenerateRandom(CK_SESSION_HANDLE session, unsigned char *random_data, CK_ULONG random_len)
{
	vldaa_p11_session *s;
	CK_RV rv = vldaa_p11_session_take(session, &s);

	if (rv != CKR_OK)
		return rv;
	if (random_data == NULL || random_len > MAX_RANDOM)
		rv = CKR_ARGUMENTS_BAD;
	else if (RAND_bytes(random_data, (int)random_len) != 1)
		rv = CKR_FUNCTION_FAILED;
	vldaa_p11_session_give(s);
	return rv;
}
