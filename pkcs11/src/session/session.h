/* A session and its operations; who has its lock may use it. */
#ifndef VLDAA_P11_SESSION_H
#define VLDAA_P11_SESSION_H

#include "../slot/slot.h"
#include "operation.h"

/* C_FindObjects: what matched at C_FindObjectsInit. */
typedef struct {
	int active;
	CK_OBJECT_HANDLE *handles;
	size_t count, next;
} vldaa_p11_search;

typedef struct {
	CK_SESSION_HANDLE handle;
	vldaa_p11_slot *slot;
	CK_FLAGS flags;
	uint64_t generation; /* the token's, when it was opened */
	unsigned users; /* calls that have it or wait for it, and the table; the library's lock */
	int closed;
	pthread_mutex_t lock;
	vldaa_p11_search search;
	vldaa_p11_operation sign;
	vldaa_p11_operation verify;
} vldaa_p11_session;

/* Enters its slot; CKR_DEVICE_REMOVED when the session's token is not there any more. */
CK_RV vldaa_p11_session_enter_slot(vldaa_p11_session *session);
/* What rv is for who has been in the slot for long: when it is not CKR_OK, and another process has
 * initialised the token anew meanwhile, CKR_DEVICE_REMOVED. */
CK_RV vldaa_p11_session_outcome(const vldaa_p11_session *session, CK_RV rv);
/* May the session write an object with this CKA_TOKEN and CKA_PRIVATE?  Its slot was entered. */
CK_RV vldaa_p11_session_may_write(const vldaa_p11_session *session, int is_token, int is_private);
void vldaa_p11_search_end(vldaa_p11_search *search);

#endif
