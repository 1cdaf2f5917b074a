/*
 * The library between C_Initialize and C_Finalize: slots, sessions, and the calls in progress.
 *
 * Locks, in the order in which they are taken: the library's, which nobody holds for long; a
 * session's, for as long as a call on it lasts; a slot's.  A forked child starts without a library:
 * what it has inherited stays untouched in memory, so that it cannot disturb the parent.
 */
#ifndef VLDAA_P11_LIBRARY_H
#define VLDAA_P11_LIBRARY_H

#include "session.h"

CK_RV vldaa_p11_library_start(const CK_C_INITIALIZE_ARGS *args);
/* Waits for calls in progress; later ones find no library. */
CK_RV vldaa_p11_library_stop(void);

/* Each call is between enter and leave: CKR_CRYPTOKI_NOT_INITIALIZED when there is no library. */
CK_RV vldaa_p11_enter(void);
void vldaa_p11_leave(void);
/* Until C_Finalize. */
CK_RV vldaa_p11_wait_for_stop(void);

/* Having entered: NULL when there is no such slot. */
vldaa_p11_slot *vldaa_p11_find_slot(CK_SLOT_ID id);
CK_ULONG vldaa_p11_slot_count(void);

CK_RV vldaa_p11_session_open(vldaa_p11_slot *slot, CK_FLAGS flags, CK_SESSION_HANDLE *handle);
CK_RV vldaa_p11_session_close(CK_SESSION_HANDLE handle);
/* Of a slot; NULL: all of them. */
void vldaa_p11_sessions_close(const vldaa_p11_slot *slot);

/* Enters, and has the session to itself until it gives it back, which leaves. */
CK_RV vldaa_p11_session_take(CK_SESSION_HANDLE handle, vldaa_p11_session **session);
void vldaa_p11_session_give(vldaa_p11_session *session);

#endif
