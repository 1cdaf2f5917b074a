/* The message functions of 3.0: none of them. */
#include "unsupported.h"

CK_RV vldaa_p11_no_message_init(CK_SESSION_HANDLE session, CK_MECHANISM *mechanism,
				CK_OBJECT_HANDLE key)
{
	(void)session;
	(void)mechanism;
	(void)key;
	return vldaa_p11_unsupported();
}

CK_RV vldaa_p11_no_message_final(CK_SESSION_HANDLE session)
{
	(void)session;
	return vldaa_p11_unsupported();
}

CK_RV vldaa_p11_no_message_crypt(CK_SESSION_HANDLE session, void *parameter, CK_ULONG parameter_len,
				 CK_BYTE *aad, CK_ULONG aad_len, CK_BYTE *in, CK_ULONG in_len,
				 CK_BYTE *out, CK_ULONG *out_len)
{
	(void)session;
	(void)parameter;
	(void)parameter_len;
	(void)aad;
	(void)aad_len;
	(void)in;
	(void)in_len;
	(void)out;
	(void)out_len;
	return vldaa_p11_unsupported();
}

CK_RV vldaa_p11_no_message_crypt_begin(CK_SESSION_HANDLE session, void *parameter,
				       CK_ULONG parameter_len, CK_BYTE *aad, CK_ULONG aad_len)
{
	(void)session;
	(void)parameter;
	(void)parameter_len;
	(void)aad;
	(void)aad_len;
	return vldaa_p11_unsupported();
}

CK_RV vldaa_p11_no_message_crypt_next(CK_SESSION_HANDLE session, void *parameter,
				      CK_ULONG parameter_len, CK_BYTE *in, CK_ULONG in_len,
				      CK_BYTE *out, CK_ULONG *out_len, CK_FLAGS flags)
{
	(void)session;
	(void)parameter;
	(void)parameter_len;
	(void)in;
	(void)in_len;
	(void)out;
	(void)out_len;
	(void)flags;
	return vldaa_p11_unsupported();
}

CK_RV vldaa_p11_no_message_sign(CK_SESSION_HANDLE session, void *parameter, CK_ULONG parameter_len,
				CK_BYTE *data, CK_ULONG data_len, CK_BYTE *signature,
				CK_ULONG *signature_len)
{
	(void)session;
	(void)parameter;
	(void)parameter_len;
	(void)data;
	(void)data_len;
	(void)signature;
	(void)signature_len;
	return vldaa_p11_unsupported();
}

CK_RV vldaa_p11_no_message_verify(CK_SESSION_HANDLE session, void *parameter,
				  CK_ULONG parameter_len, CK_BYTE *data, CK_ULONG data_len,
				  CK_BYTE *signature, CK_ULONG signature_len)
{
	(void)session;
	(void)parameter;
	(void)parameter_len;
	(void)data;
	(void)data_len;
	(void)signature;
	(void)signature_len;
	return vldaa_p11_unsupported();
}

CK_RV vldaa_p11_no_message_begin(CK_SESSION_HANDLE session, void *parameter, CK_ULONG parameter_len)
{
	(void)session;
	(void)parameter;
	(void)parameter_len;
	return vldaa_p11_unsupported();
}
