/* C_Sign* and C_Verify*; the session's operations, of which the caller has the session. */
#ifndef VLDAA_P11_SIGN_H
#define VLDAA_P11_SIGN_H

#include "table.h"

CK_RV vldaa_p11_sign_init(vldaa_p11_session *session, const CK_MECHANISM *mechanism,
			  CK_OBJECT_HANDLE key);
/* data: all of the message (C_Sign), or NULL: what came in pieces (C_SignFinal).  out NULL: *len
 * becomes what suffices; that, and CKR_BUFFER_TOO_SMALL, leave the operation as it was.  Everything
 * else ends it. */
CK_RV vldaa_p11_sign_end(vldaa_p11_session *session, const vldaa_p11_bytes *data, uint8_t *out,
			 CK_ULONG *len);
/* An error ends the operation. */
CK_RV vldaa_p11_sign_update(vldaa_p11_session *session, const uint8_t *data, CK_ULONG len);

CK_RV vldaa_p11_verify_init(vldaa_p11_session *session, const CK_MECHANISM *mechanism,
			    CK_OBJECT_HANDLE key);
CK_RV vldaa_p11_verify_update(vldaa_p11_session *session, const uint8_t *data, CK_ULONG len);
/* Ends the operation.  data as above. */
CK_RV vldaa_p11_verify_end(vldaa_p11_session *session, const vldaa_p11_bytes *data,
			   const uint8_t *signature, CK_ULONG len);

/* A key for an operation, and whether its mechanism and parameter are good; the slot was entered. */
CK_RV vldaa_p11_operation_key(const vldaa_p11_session *session, const CK_MECHANISM *mechanism,
			      CK_OBJECT_HANDLE handle, int verify, const vldaa_p11_mechanism **m,
			      vldaa_p11_object **key);

#endif
