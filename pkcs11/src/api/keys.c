/* Keys that mechanisms make. */
#include "../mechanism/make.h"
#include "../session/library.h"
#include "api.h"

CK_RV C_GenerateKey(CK_SESSION_HANDLE session, CK_MECHANISM *mechanism, CK_ATTRIBUTE *templ,
		    CK_ULONG count, CK_OBJECT_HANDLE *key)
{
	vldaa_p11_session *s;
	CK_RV rv = vldaa_p11_session_take(session, &s);

	if (rv != CKR_OK)
		return rv;
	if (mechanism == NULL || key == NULL || (templ == NULL && count > 0))
		rv = CKR_ARGUMENTS_BAD;
	else if (mechanism->mechanism != CKM_VLDAA_ENDORSEMENT)
		rv = CKR_MECHANISM_INVALID;
	else if (count > 0)
		rv = CKR_TEMPLATE_INCONSISTENT;
	else
		rv = vldaa_p11_make_endorsement(s, mechanism, key);
	vldaa_p11_session_give(s);
	return rv;
}

CK_RV C_GenerateKeyPair(CK_SESSION_HANDLE session, CK_MECHANISM *mechanism,
			CK_ATTRIBUTE *public_key_template, CK_ULONG public_key_attribute_count,
			CK_ATTRIBUTE *private_key_template, CK_ULONG private_key_attribute_count,
			CK_OBJECT_HANDLE *public_key, CK_OBJECT_HANDLE *private_key)
{
	const vldaa_p11_template p = {public_key_template, public_key_attribute_count};
	const vldaa_p11_template q = {private_key_template, private_key_attribute_count};
	vldaa_p11_session *s;
	CK_RV rv = vldaa_p11_session_take(session, &s);

	if (rv != CKR_OK)
		return rv;
	if (mechanism == NULL || public_key == NULL || private_key == NULL)
		rv = CKR_ARGUMENTS_BAD;
	else if (mechanism->mechanism == CKM_VLDAA_SETUP)
		rv = vldaa_p11_make_issuer(s, mechanism, p, q, public_key, private_key);
	else if (mechanism->mechanism == CKM_VLDAA_MEMBER)
		rv = vldaa_p11_make_member(s, mechanism, p, q, public_key, private_key);
	else
		rv = CKR_MECHANISM_INVALID;
	vldaa_p11_session_give(s);
	return rv;
}

CK_RV C_UnwrapKey(CK_SESSION_HANDLE session, CK_MECHANISM *mechanism,
		  CK_OBJECT_HANDLE unwrapping_key, unsigned char *wrapped_key,
		  CK_ULONG wrapped_key_len, CK_ATTRIBUTE *templ, CK_ULONG attribute_count,
		  CK_OBJECT_HANDLE *key)
{
	vldaa_p11_session *s;
	CK_RV rv = vldaa_p11_session_take(session, &s);

	if (rv != CKR_OK)
		return rv;
	if (mechanism == NULL || wrapped_key == NULL || key == NULL)
		rv = CKR_ARGUMENTS_BAD;
	else if (mechanism->mechanism != CKM_VLDAA_JOIN_FINISH)
		rv = CKR_MECHANISM_INVALID;
	else if (mechanism->ulParameterLen != 0)
		rv = CKR_MECHANISM_PARAM_INVALID;
	else
		rv = vldaa_p11_make_credential(s, unwrapping_key, wrapped_key, wrapped_key_len,
					       (vldaa_p11_template){templ, attribute_count}, key);
	vldaa_p11_session_give(s);
	return rv;
}

CK_RV C_DeriveKey(CK_SESSION_HANDLE session, CK_MECHANISM *mechanism, CK_OBJECT_HANDLE base_key,
		  CK_ATTRIBUTE *templ, CK_ULONG attribute_count, CK_OBJECT_HANDLE *key)
{
	vldaa_p11_session *s;
	CK_RV rv = vldaa_p11_session_take(session, &s);

	if (rv != CKR_OK)
		return rv;
	if (mechanism == NULL || key == NULL)
		rv = CKR_ARGUMENTS_BAD;
	else if (mechanism->mechanism != CKM_VLDAA_CREATE)
		rv = CKR_MECHANISM_INVALID;
	else
		rv = vldaa_p11_make_pseudonym(s, mechanism, base_key,
					      (vldaa_p11_template){templ, attribute_count}, key);
	vldaa_p11_session_give(s);
	return rv;
}
