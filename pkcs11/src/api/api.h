/* What the files of C_ functions share. */
#ifndef VLDAA_P11_API_H
#define VLDAA_P11_API_H

#include "../ck.h"

/* Copies a text into a field of Cryptoki, which is padded with blanks. */
void vldaa_p11_blank_pad(CK_UTF8CHAR *field, size_t len, const char *text);

/* New in 3.0. */
typedef CK_RV vldaa_ck_get_interface_list(vldaa_ck_interface *list, CK_ULONG *count);
typedef CK_RV vldaa_ck_get_interface(CK_UTF8CHAR *name, CK_VERSION *version,
				     vldaa_ck_interface **interface, CK_FLAGS flags);
typedef CK_RV vldaa_ck_login_user(CK_SESSION_HANDLE session, CK_USER_TYPE user, CK_UTF8CHAR *pin,
				  CK_ULONG pin_len, CK_UTF8CHAR *name, CK_ULONG name_len);
typedef CK_RV vldaa_ck_session_cancel(CK_SESSION_HANDLE session, CK_FLAGS flags);

#if defined(__GNUC__)
#define VLDAA_P11_EXPORT __attribute__((visibility("default")))
#else
#define VLDAA_P11_EXPORT
#endif

VLDAA_P11_EXPORT CK_RV C_GetInterfaceList(vldaa_ck_interface *list, CK_ULONG *count);
VLDAA_P11_EXPORT CK_RV C_GetInterface(CK_UTF8CHAR *name, CK_VERSION *version,
				      vldaa_ck_interface **interface, CK_FLAGS flags);

vldaa_ck_login_user vldaa_p11_login_user;
vldaa_ck_session_cancel vldaa_p11_session_cancel;

#endif
