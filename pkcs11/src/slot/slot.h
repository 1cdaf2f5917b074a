/*
 * A slot and its token: the store, who is logged in, the objects that this process sees.
 *
 * Everything in it belongs to who holds its lock.  What another process has done to the token is
 * seen at each enter.  No other lock is taken while one of these is held.
 */
#ifndef VLDAA_P11_SLOT_H
#define VLDAA_P11_SLOT_H

#include <pthread.h>

#include "../ck.h"
#include "../object/rules.h"
#include "../role/signer.h"
#include "../store/rows.h"

enum vldaa_p11_who { VLDAA_P11_NOBODY, VLDAA_P11_WHO_USER, VLDAA_P11_WHO_SO };

/*
 * Invariant: handle is 2 id for a token's object (whose row is id), odd for a session's; owner is
 * the session of the latter, else 0.  Objects with CKA_PRIVATE are there only while the user is
 * logged in.
 */
typedef struct {
	CK_OBJECT_HANDLE handle;
	CK_OBJECT_HANDLE parent; /* 0: none */
	CK_SESSION_HANDLE owner;
	int64_t id;
	int64_t stamp;
	int is_private;
	int is_kept;
	int taken; /* over into the list that is being made; else 0 */
	enum vldaa_p11_kind kind;
	vldaa_p11_attributes attributes;
	uint8_t *secret; /* of a session's object */
	size_t secret_len;
	vldaa_p11_signer *signer; /* of a pseudonym that has signed */
} vldaa_p11_object;

/* A pseudonym that a member key has made for signing without an object (passing.h). */
typedef struct {
	CK_OBJECT_HANDLE member;
	int64_t stamp;            /* the member key's then */
	uint64_t used;            /* of the slot's passing_used; 0: never */
	vldaa_p11_signer *signer; /* NULL: none */
} vldaa_p11_passing;

enum { VLDAA_P11_PASSING = 16 };

/* Invariant: master is NULL when nobody is logged in. objects are sorted by handle. */
typedef struct {
	CK_SLOT_ID id;
	pthread_mutex_t lock;
	vldaa_p11_store store;
	uint8_t *master;
	enum vldaa_p11_who who;
	uint64_t logins;     /* grows with each login and logout: an operation is of one of them */
	uint64_t generation; /* grows when the token was initialised anew: so is a session */
	int64_t version;     /* of the file, when the objects were read */
	int64_t revocations; /* in the file at that time */
	int stale;           /* this process has changed something since */
	vldaa_p11_object **objects;
	size_t count;
	CK_ULONG read_only_sessions, read_write_sessions;
	CK_OBJECT_HANDLE last_session_object;
	vldaa_p11_passing passing[VLDAA_P11_PASSING];
	uint64_t passing_used; /* counts up with every use */
} vldaa_p11_slot;

CK_RV vldaa_p11_slot_init(vldaa_p11_slot *slot, CK_SLOT_ID id, const char *directory);
void vldaa_p11_slot_free(vldaa_p11_slot *slot);
/* The same in a forked child, of the parent's slot, which nobody was in: its connection is left
 * alone, and signatures of the parent's threads are forgotten. */
void vldaa_p11_slot_forget(vldaa_p11_slot *slot);

/* Takes the lock, and the token as it is now.  On error the lock is not held:
 * CKR_TOKEN_NOT_RECOGNIZED when there is no token. */
CK_RV vldaa_p11_slot_enter(vldaa_p11_slot *slot);
void vldaa_p11_slot_leave(vldaa_p11_slot *slot);
/* The same for who has the lock already. */
CK_RV vldaa_p11_slot_refresh(vldaa_p11_slot *slot);

/* Everybody is logged out; operations and private objects end. */
void vldaa_p11_slot_logout(vldaa_p11_slot *slot);

#endif
