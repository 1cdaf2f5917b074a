/* Functions that this token does not have: CKR_FUNCTION_NOT_SUPPORTED. */
#ifndef VLDAA_P11_UNSUPPORTED_H
#define VLDAA_P11_UNSUPPORTED_H

#include "../ck.h"

CK_RV vldaa_p11_unsupported(void);

/* The message functions of 3.0, by the shape of their parameters. */
typedef CK_RV vldaa_ck_message_init(CK_SESSION_HANDLE session, CK_MECHANISM *mechanism,
				    CK_OBJECT_HANDLE key);
typedef CK_RV vldaa_ck_message_final(CK_SESSION_HANDLE session);
typedef CK_RV vldaa_ck_message_crypt(CK_SESSION_HANDLE session, void *parameter,
				     CK_ULONG parameter_len, CK_BYTE *aad, CK_ULONG aad_len,
				     CK_BYTE *in, CK_ULONG in_len, CK_BYTE *out, CK_ULONG *out_len);
typedef CK_RV vldaa_ck_message_crypt_begin(CK_SESSION_HANDLE session, void *parameter,
					   CK_ULONG parameter_len, CK_BYTE *aad, CK_ULONG aad_len);
typedef CK_RV vldaa_ck_message_crypt_next(CK_SESSION_HANDLE session, void *parameter,
					  CK_ULONG parameter_len, CK_BYTE *in, CK_ULONG in_len,
					  CK_BYTE *out, CK_ULONG *out_len, CK_FLAGS flags);
typedef CK_RV vldaa_ck_message_sign(CK_SESSION_HANDLE session, void *parameter,
				    CK_ULONG parameter_len, CK_BYTE *data, CK_ULONG data_len,
				    CK_BYTE *signature, CK_ULONG *signature_len);
typedef CK_RV vldaa_ck_message_verify(CK_SESSION_HANDLE session, void *parameter,
				      CK_ULONG parameter_len, CK_BYTE *data, CK_ULONG data_len,
				      CK_BYTE *signature, CK_ULONG signature_len);
typedef CK_RV vldaa_ck_message_begin(CK_SESSION_HANDLE session, void *parameter,
				     CK_ULONG parameter_len);

vldaa_ck_message_init vldaa_p11_no_message_init;
vldaa_ck_message_final vldaa_p11_no_message_final;
vldaa_ck_message_crypt vldaa_p11_no_message_crypt;
vldaa_ck_message_crypt_begin vldaa_p11_no_message_crypt_begin;
vldaa_ck_message_crypt_next vldaa_p11_no_message_crypt_next;
vldaa_ck_message_sign vldaa_p11_no_message_sign;
vldaa_ck_message_verify vldaa_p11_no_message_verify;
vldaa_ck_message_begin vldaa_p11_no_message_begin;

#endif
