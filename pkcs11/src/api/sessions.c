/* Sessions, logins, PINs. */
#include <string.h>

#include "../session/library.h"
#include "../slot/login.h"
#include "api.h"

/* --- sessions ----------------------------------------------------------------------------------
 */

CK_RV C_OpenSession(CK_SLOT_ID slot_id, CK_FLAGS flags, void *application, CK_NOTIFY notify,
		    CK_SESSION_HANDLE *session)
{
	vldaa_p11_slot *slot;
	CK_RV rv = vldaa_p11_enter();

	(void)application;
	(void)notify;
	if (rv != CKR_OK)
		return rv;
	slot = vldaa_p11_find_slot(slot_id);
	if (slot == NULL)
		rv = CKR_SLOT_ID_INVALID;
	else if (session == NULL)
		rv = CKR_ARGUMENTS_BAD;
	else if ((flags & CKF_SERIAL_SESSION) == 0)
		rv = CKR_SESSION_PARALLEL_NOT_SUPPORTED;
	else if ((flags & ~(CK_FLAGS)(CKF_SERIAL_SESSION | CKF_RW_SESSION)) != 0)
		rv = CKR_ARGUMENTS_BAD;
	else
		rv = vldaa_p11_session_open(slot, flags, session);
	vldaa_p11_leave();
	return rv;
}

CK_RV C_CloseSession(CK_SESSION_HANDLE session)
{
	CK_RV rv = vldaa_p11_enter();

	if (rv != CKR_OK)
		return rv;
	rv = vldaa_p11_session_close(session);
	vldaa_p11_leave();
	return rv;
}

CK_RV C_CloseAllSessions(CK_SLOT_ID slot_id)
{
	vldaa_p11_slot *slot;
	CK_RV rv = vldaa_p11_enter();

	if (rv != CKR_OK)
		return rv;
	slot = vldaa_p11_find_slot(slot_id);
	if (slot == NULL)
		rv = CKR_SLOT_ID_INVALID;
	else
		vldaa_p11_sessions_close(slot);
	vldaa_p11_leave();
	return rv;
}

static CK_STATE state_of(const vldaa_p11_session *s)
{
	const int rw = (s->flags & CKF_RW_SESSION) != 0;

	switch (s->slot->who) {
	case VLDAA_P11_WHO_SO:
		return CKS_RW_SO_FUNCTIONS;
	case VLDAA_P11_WHO_USER:
		return rw ? CKS_RW_USER_FUNCTIONS : CKS_RO_USER_FUNCTIONS;
	default:
		return rw ? CKS_RW_PUBLIC_SESSION : CKS_RO_PUBLIC_SESSION;
	}
}

CK_RV C_GetSessionInfo(CK_SESSION_HANDLE session, CK_SESSION_INFO *info)
{
	vldaa_p11_session *s;
	CK_RV rv = vldaa_p11_session_take(session, &s);

	if (rv != CKR_OK)
		return rv;
	rv = info != NULL ? vldaa_p11_session_enter_slot(s) : CKR_ARGUMENTS_BAD;
	if (rv == CKR_OK) {
		memset(info, 0, sizeof *info);
		info->slotID = s->slot->id;
		info->state = state_of(s);
		info->flags = s->flags;
		vldaa_p11_slot_leave(s->slot);
	}
	vldaa_p11_session_give(s);
	return rv;
}

CK_RV vldaa_p11_session_cancel(CK_SESSION_HANDLE session, CK_FLAGS flags)
{
	vldaa_p11_session *s;
	CK_RV rv = vldaa_p11_session_take(session, &s);

	if (rv != CKR_OK)
		return rv;
	/* CKF_FIND_OBJECTS of 3.0. */
	if ((flags & 0x40) != 0)
		vldaa_p11_search_end(&s->search);
	if ((flags & CKF_SIGN) != 0)
		vldaa_p11_operation_end(&s->sign);
	if ((flags & CKF_VERIFY) != 0)
		vldaa_p11_operation_end(&s->verify);
	vldaa_p11_session_give(s);
	return CKR_OK;
}

/* --- logins ------------------------------------------------------------------------------------
 */

CK_RV C_Login(CK_SESSION_HANDLE session, CK_USER_TYPE user, unsigned char *pin, CK_ULONG pin_len)
{
	vldaa_p11_session *s;
	CK_RV rv = vldaa_p11_session_take(session, &s);

	if (rv != CKR_OK)
		return rv;
	rv = vldaa_p11_session_enter_slot(s);
	if (rv == CKR_OK) {
		rv = vldaa_p11_login(s->slot, user, pin, pin_len);
		vldaa_p11_slot_leave(s->slot);
	}
	vldaa_p11_session_give(s);
	return rv;
}

CK_RV vldaa_p11_login_user(CK_SESSION_HANDLE session, CK_USER_TYPE user, CK_UTF8CHAR *pin,
			   CK_ULONG pin_len, CK_UTF8CHAR *name, CK_ULONG name_len)
{
	vldaa_p11_session *s;
	CK_RV rv;

	(void)name;
	if (name_len == 0)
		return C_Login(session, user, pin, pin_len);
	/* A token has one user, without a name. */
	rv = vldaa_p11_session_take(session, &s);
	if (rv != CKR_OK)
		return rv;
	vldaa_p11_session_give(s);
	return CKR_ARGUMENTS_BAD;
}

CK_RV C_Logout(CK_SESSION_HANDLE session)
{
	vldaa_p11_session *s;
	CK_RV rv = vldaa_p11_session_take(session, &s);

	if (rv != CKR_OK)
		return rv;
	rv = vldaa_p11_session_enter_slot(s);
	if (rv == CKR_OK) {
		rv = vldaa_p11_logout(s->slot);
		vldaa_p11_slot_leave(s->slot);
	}
	vldaa_p11_session_give(s);
	return rv;
}

/* --- PINs --------------------------------------------------------------------------------------
 */

CK_RV C_InitPIN(CK_SESSION_HANDLE session, unsigned char *pin, CK_ULONG pin_len)
{
	vldaa_p11_session *s;
	CK_RV rv = vldaa_p11_session_take(session, &s);

	if (rv != CKR_OK)
		return rv;
	rv = vldaa_p11_session_enter_slot(s);
	if (rv == CKR_OK) {
		rv = vldaa_p11_init_pin(s->slot, pin, pin_len);
		vldaa_p11_slot_leave(s->slot);
	}
	vldaa_p11_session_give(s);
	return rv;
}

CK_RV C_SetPIN(CK_SESSION_HANDLE session, unsigned char *old_pin, CK_ULONG old_len,
	       unsigned char *new_pin, CK_ULONG new_len)
{
	vldaa_p11_session *s;
	CK_RV rv = vldaa_p11_session_take(session, &s);

	if (rv != CKR_OK)
		return rv;
	rv = (s->flags & CKF_RW_SESSION) != 0 ? vldaa_p11_session_enter_slot(s)
					      : CKR_SESSION_READ_ONLY;
	if (rv == CKR_OK) {
		rv = vldaa_p11_set_pin(s->slot, old_pin, old_len, new_pin, new_len);
		vldaa_p11_slot_leave(s->slot);
	}
	vldaa_p11_session_give(s);
	return rv;
}
