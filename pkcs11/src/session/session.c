#include "session.h"

#include <stdlib.h>
#include <string.h>

CK_RV vldaa_p11_session_enter_slot(vldaa_p11_session *session)
{
	CK_RV rv = vldaa_p11_slot_enter(session->slot);

	if (rv == CKR_OK && session->generation != session->slot->generation) {
		vldaa_p11_slot_leave(session->slot);
		rv = CKR_DEVICE_REMOVED;
	}
	return rv;
}

CK_RV vldaa_p11_session_outcome(const vldaa_p11_session *session, CK_RV rv)
{
	if (rv != CKR_OK && vldaa_p11_slot_refresh(session->slot) == CKR_OK &&
	    session->generation != session->slot->generation)
		return CKR_DEVICE_REMOVED;
	return rv;
}

CK_RV vldaa_p11_session_may_write(const vldaa_p11_session *session, int is_token, int is_private)
{
	if (is_token && (session->flags & CKF_RW_SESSION) == 0)
		return CKR_SESSION_READ_ONLY;
	if (is_private && session->slot->who != VLDAA_P11_WHO_USER)
		return CKR_USER_NOT_LOGGED_IN;
	return CKR_OK;
}

void vldaa_p11_search_end(vldaa_p11_search *search)
{
	free(search->handles);
	memset(search, 0, sizeof *search);
}
