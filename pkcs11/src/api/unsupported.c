/*
 * What a token that only signs has not: encryption, digests, recovery, secret keys, wrapping, saved
 * operations; and the functions for parallel execution, which nothing has any more.
 */
#include "../session/library.h"
#include "unsupported.h"

CK_RV vldaa_p11_unsupported(void)
{
	CK_RV rv = vldaa_p11_enter();

	if (rv != CKR_OK)
		return rv;
	vldaa_p11_leave();
	return CKR_FUNCTION_NOT_SUPPORTED;
}

CK_RV C_GetOperationState(CK_SESSION_HANDLE session, unsigned char *operation_state,
			  CK_ULONG *operation_state_len)
{
	(void)session;
	(void)operation_state;
	(void)operation_state_len;
	return vldaa_p11_unsupported();
}

CK_RV C_SetOperationState(CK_SESSION_HANDLE session, unsigned char *operation_state,
			  CK_ULONG operation_state_len, CK_OBJECT_HANDLE encryption_key,
			  CK_OBJECT_HANDLE authentiation_key)
{
	(void)session;
	(void)operation_state;
	(void)operation_state_len;
	(void)encryption_key;
	(void)authentiation_key;
	return vldaa_p11_unsupported();
}

CK_RV C_EncryptInit(CK_SESSION_HANDLE session, CK_MECHANISM *mechanism, CK_OBJECT_HANDLE key)
{
	(void)session;
	(void)mechanism;
	(void)key;
	return vldaa_p11_unsupported();
}

CK_RV C_Encrypt(CK_SESSION_HANDLE session, unsigned char *data, CK_ULONG data_len,
		unsigned char *encrypted_data, CK_ULONG *encrypted_data_len)
{
	(void)session;
	(void)data;
	(void)data_len;
	(void)encrypted_data;
	(void)encrypted_data_len;
	return vldaa_p11_unsupported();
}

CK_RV C_EncryptUpdate(CK_SESSION_HANDLE session, unsigned char *part, CK_ULONG part_len,
		      unsigned char *encrypted_part, CK_ULONG *encrypted_part_len)
{
	(void)session;
	(void)part;
	(void)part_len;
	(void)encrypted_part;
	(void)encrypted_part_len;
	return vldaa_p11_unsupported();
}

CK_RV C_EncryptFinal(CK_SESSION_HANDLE session, unsigned char *last_encrypted_part,
		     CK_ULONG *last_encrypted_part_len)
{
	(void)session;
	(void)last_encrypted_part;
	(void)last_encrypted_part_len;
	return vldaa_p11_unsupported();
}

CK_RV C_DecryptInit(CK_SESSION_HANDLE session, CK_MECHANISM *mechanism, CK_OBJECT_HANDLE key)
{
	(void)session;
	(void)mechanism;
	(void)key;
	return vldaa_p11_unsupported();
}

CK_RV C_Decrypt(CK_SESSION_HANDLE session, unsigned char *encrypted_data,
		CK_ULONG encrypted_data_len, unsigned char *data, CK_ULONG *data_len)
{
	(void)session;
	(void)encrypted_data;
	(void)encrypted_data_len;
	(void)data;
	(void)data_len;
	return vldaa_p11_unsupported();
}

CK_RV C_DecryptUpdate(CK_SESSION_HANDLE session, unsigned char *encrypted_part,
		      CK_ULONG encrypted_part_len, unsigned char *part, CK_ULONG *part_len)
{
	(void)session;
	(void)encrypted_part;
	(void)encrypted_part_len;
	(void)part;
	(void)part_len;
	return vldaa_p11_unsupported();
}

CK_RV C_DecryptFinal(CK_SESSION_HANDLE session, unsigned char *last_part, CK_ULONG *last_part_len)
{
	(void)session;
	(void)last_part;
	(void)last_part_len;
	return vldaa_p11_unsupported();
}

CK_RV C_DigestInit(CK_SESSION_HANDLE session, CK_MECHANISM *mechanism)
{
	(void)session;
	(void)mechanism;
	return vldaa_p11_unsupported();
}

CK_RV C_Digest(CK_SESSION_HANDLE session, unsigned char *data, CK_ULONG data_len,
	       unsigned char *digest, CK_ULONG *digest_len)
{
	(void)session;
	(void)data;
	(void)data_len;
	(void)digest;
	(void)digest_len;
	return vldaa_p11_unsupported();
}

CK_RV C_DigestUpdate(CK_SESSION_HANDLE session, unsigned char *part, CK_ULONG part_len)
{
	(void)session;
	(void)part;
	(void)part_len;
	return vldaa_p11_unsupported();
}

CK_RV C_DigestKey(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE key)
{
	(void)session;
	(void)key;
	return vldaa_p11_unsupported();
}

CK_RV C_DigestFinal(CK_SESSION_HANDLE session, unsigned char *digest, CK_ULONG *digest_len)
{
	(void)session;
	(void)digest;
	(void)digest_len;
	return vldaa_p11_unsupported();
}

CK_RV C_SignRecoverInit(CK_SESSION_HANDLE session, CK_MECHANISM *mechanism, CK_OBJECT_HANDLE key)
{
	(void)session;
	(void)mechanism;
	(void)key;
	return vldaa_p11_unsupported();
}

CK_RV C_SignRecover(CK_SESSION_HANDLE session, unsigned char *data, CK_ULONG data_len,
		    unsigned char *signature, CK_ULONG *signature_len)
{
	(void)session;
	(void)data;
	(void)data_len;
	(void)signature;
	(void)signature_len;
	return vldaa_p11_unsupported();
}

CK_RV C_VerifyRecoverInit(CK_SESSION_HANDLE session, CK_MECHANISM *mechanism, CK_OBJECT_HANDLE key)
{
	(void)session;
	(void)mechanism;
	(void)key;
	return vldaa_p11_unsupported();
}

CK_RV C_VerifyRecover(CK_SESSION_HANDLE session, unsigned char *signature, CK_ULONG signature_len,
		      unsigned char *data, CK_ULONG *data_len)
{
	(void)session;
	(void)signature;
	(void)signature_len;
	(void)data;
	(void)data_len;
	return vldaa_p11_unsupported();
}

CK_RV C_DigestEncryptUpdate(CK_SESSION_HANDLE session, unsigned char *part, CK_ULONG part_len,
			    unsigned char *encrypted_part, CK_ULONG *encrypted_part_len)
{
	(void)session;
	(void)part;
	(void)part_len;
	(void)encrypted_part;
	(void)encrypted_part_len;
	return vldaa_p11_unsupported();
}

CK_RV C_DecryptDigestUpdate(CK_SESSION_HANDLE session, unsigned char *encrypted_part,
			    CK_ULONG encrypted_part_len, unsigned char *part, CK_ULONG *part_len)
{
	(void)session;
	(void)encrypted_part;
	(void)encrypted_part_len;
	(void)part;
	(void)part_len;
	return vldaa_p11_unsupported();
}

CK_RV C_SignEncryptUpdate(CK_SESSION_HANDLE session, unsigned char *part, CK_ULONG part_len,
			  unsigned char *encrypted_part, CK_ULONG *encrypted_part_len)
{
	(void)session;
	(void)part;
	(void)part_len;
	(void)encrypted_part;
	(void)encrypted_part_len;
	return vldaa_p11_unsupported();
}

CK_RV C_DecryptVerifyUpdate(CK_SESSION_HANDLE session, unsigned char *encrypted_part,
			    CK_ULONG encrypted_part_len, unsigned char *part, CK_ULONG *part_len)
{
	(void)session;
	(void)encrypted_part;
	(void)encrypted_part_len;
	(void)part;
	(void)part_len;
	return vldaa_p11_unsupported();
}

CK_RV C_WrapKey(CK_SESSION_HANDLE session, CK_MECHANISM *mechanism, CK_OBJECT_HANDLE wrapping_key,
		CK_OBJECT_HANDLE key, unsigned char *wrapped_key, CK_ULONG *wrapped_key_len)
{
	(void)session;
	(void)mechanism;
	(void)wrapping_key;
	(void)key;
	(void)wrapped_key;
	(void)wrapped_key_len;
	return vldaa_p11_unsupported();
}

static CK_RV not_parallel(void)
{
	const CK_RV rv = vldaa_p11_unsupported();

	return rv == CKR_FUNCTION_NOT_SUPPORTED ? CKR_FUNCTION_NOT_PARALLEL : rv;
}

CK_RV C_GetFunctionStatus(CK_SESSION_HANDLE session)
{
	(void)session;
	return not_parallel();
}

CK_RV C_CancelFunction(CK_SESSION_HANDLE session)
{
	(void)session;
	return not_parallel();
}
