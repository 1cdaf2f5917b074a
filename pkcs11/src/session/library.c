#include "library.h"

#include <stdlib.h>
#include <string.h>

#include "../role/issuer.h"
#include "../slot/objects.h"
#include "../slot/places.h"

enum state { DOWN, UP, STOPPING };

static struct {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	enum state state;
	unsigned calls; /* in progress */
	vldaa_p11_slot **slots;
	CK_ULONG slot_count;
	vldaa_p11_session **sessions; /* sorted by handle */
	size_t session_count, session_room;
	CK_SESSION_HANDLE last_handle;
} library = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int fork_handlers; /* 0 when they are in place */

/* --- fork --------------------------------------------------------------------------------------
 */

/* Nobody is inside of SQLite or FLINT, or changes a table, at the moment of a fork. */
static void before_fork(void)
{
	vldaa_p11_issuer_pause();
	(void)pthread_mutex_lock(&library.lock);
	for (CK_ULONG i = 0; i < library.slot_count; i++)
		(void)pthread_mutex_lock(&library.slots[i]->lock);
}

static void in_parent(void)
{
	for (CK_ULONG i = library.slot_count; i > 0; i--)
		(void)pthread_mutex_unlock(&library.slots[i - 1]->lock);
	(void)pthread_mutex_unlock(&library.lock);
	vldaa_p11_issuer_go_on();
}

/* What a session has, unless one of the parent's threads was at it: then it may be half done. */
static void forget_session(vldaa_p11_session *s)
{
	if (pthread_mutex_trylock(&s->lock) != 0)
		return;
	vldaa_p11_search_end(&s->search);
	vldaa_p11_operation_end(&s->sign);
	vldaa_p11_operation_end(&s->verify);
	(void)pthread_mutex_unlock(&s->lock);
	(void)pthread_mutex_destroy(&s->lock);
	free(s);
}

/* Keys that the parent has ready are not the child's, who logs in again: they are wiped here, and
 * what else was inherited is given back.  Connections of SQLite are left alone.  The parent's
 * threads are not here, and who of them waited is forgotten. */
static void in_child(void)
{
	for (size_t i = 0; i < library.session_count; i++)
		forget_session(library.sessions[i]);
	free(library.sessions);
	for (CK_ULONG i = library.slot_count; i > 0; i--) {
		(void)pthread_mutex_unlock(&library.slots[i - 1]->lock);
		vldaa_p11_slot_forget(library.slots[i - 1]);
		free(library.slots[i - 1]);
	}
	free(library.slots);
	(void)pthread_cond_init(&library.changed, NULL);
	library.state = DOWN;
	library.calls = 0;
	library.slots = NULL;
	library.slot_count = 0;
	library.sessions = NULL;
	library.session_count = library.session_room = 0;
	(void)pthread_mutex_unlock(&library.lock);
	vldaa_p11_issuer_go_on();
}

static void install(void)
{
	fork_handlers = pthread_atfork(before_fork, in_parent, in_child);
}

/* --- start and stop ----------------------------------------------------------------------------
 */

static int add_slot(void *arg, const char *directory)
{
	vldaa_p11_slot **slots =
	    realloc(library.slots, (library.slot_count + 1) * sizeof *library.slots);
	CK_RV *rv = arg;

	if (slots == NULL) {
		*rv = CKR_HOST_MEMORY;
		return -1;
	}
	library.slots = slots;
	slots[library.slot_count] = malloc(sizeof **slots);
	*rv = slots[library.slot_count] == NULL
		  ? CKR_HOST_MEMORY
		  : vldaa_p11_slot_init(slots[library.slot_count], library.slot_count, directory);
	if (*rv != CKR_OK) {
		free(slots[library.slot_count]);
		return -1;
	}
	library.slot_count++;
	return 0;
}

static void free_slots(void)
{
	for (CK_ULONG i = 0; i < library.slot_count; i++) {
		vldaa_p11_slot_free(library.slots[i]);
		free(library.slots[i]);
	}
	free(library.slots);
	library.slots = NULL;
	library.slot_count = 0;
}

/* We lock with the system's mutexes: who gives functions must allow these. */
static CK_RV check_args(const CK_C_INITIALIZE_ARGS *args)
{
	int given;

	if (args == NULL)
		return CKR_OK;
	if (args->pReserved != NULL)
		return CKR_ARGUMENTS_BAD;
	given = (args->CreateMutex != NULL) + (args->DestroyMutex != NULL) +
		(args->LockMutex != NULL) + (args->UnlockMutex != NULL);
	if (given != 0 && given != 4)
		return CKR_ARGUMENTS_BAD;
	return given == 4 && (args->flags & CKF_OS_LOCKING_OK) == 0 ? CKR_CANT_LOCK : CKR_OK;
}

CK_RV vldaa_p11_library_start(const CK_C_INITIALIZE_ARGS *args)
{
	CK_RV rv = check_args(args);

	if (rv != CKR_OK)
		return rv;
	if (pthread_once(&once, install) != 0 || fork_handlers != 0)
		return CKR_HOST_MEMORY;
	(void)pthread_mutex_lock(&library.lock);
	if (library.state != DOWN) {
		rv = CKR_CRYPTOKI_ALREADY_INITIALIZED;
	} else {
		if (vldaa_p11_places(add_slot, &rv) != 0 && rv == CKR_OK)
			rv = CKR_HOST_MEMORY;
		if (rv == CKR_OK)
			library.state = UP;
		else
			free_slots();
	}
	(void)pthread_mutex_unlock(&library.lock);
	return rv;
}

CK_RV vldaa_p11_enter(void)
{
	CK_RV rv = CKR_OK;

	(void)pthread_mutex_lock(&library.lock);
	if (library.state == UP)
		library.calls++;
	else
		rv = CKR_CRYPTOKI_NOT_INITIALIZED;
	(void)pthread_mutex_unlock(&library.lock);
	return rv;
}

void vldaa_p11_leave(void)
{
	(void)pthread_mutex_lock(&library.lock);
	if (--library.calls == 0)
		(void)pthread_cond_broadcast(&library.changed);
	(void)pthread_mutex_unlock(&library.lock);
}

CK_RV vldaa_p11_wait_for_stop(void)
{
	(void)pthread_mutex_lock(&library.lock);
	while (library.state == UP)
		(void)pthread_cond_wait(&library.changed, &library.lock);
	(void)pthread_mutex_unlock(&library.lock);
	return CKR_CRYPTOKI_NOT_INITIALIZED;
}

CK_RV vldaa_p11_library_stop(void)
{
	(void)pthread_mutex_lock(&library.lock);
	if (library.state != UP) {
		(void)pthread_mutex_unlock(&library.lock);
		return CKR_CRYPTOKI_NOT_INITIALIZED;
	}
	library.state = STOPPING;
	(void)pthread_cond_broadcast(&library.changed);
	while (library.calls > 0)
		(void)pthread_cond_wait(&library.changed, &library.lock);
	(void)pthread_mutex_unlock(&library.lock);
	/* Nobody else is here any more, nor comes in. */
	vldaa_p11_sessions_close(NULL);
	(void)pthread_mutex_lock(&library.lock);
	free_slots();
	free(library.sessions);
	library.sessions = NULL;
	library.session_room = 0;
	library.state = DOWN;
	(void)pthread_mutex_unlock(&library.lock);
	return CKR_OK;
}

vldaa_p11_slot *vldaa_p11_find_slot(CK_SLOT_ID id)
{
	return id < library.slot_count ? library.slots[id] : NULL;
}

CK_ULONG vldaa_p11_slot_count(void)
{
	return library.slot_count;
}

/* --- sessions ----------------------------------------------------------------------------------
 */

static size_t position(CK_SESSION_HANDLE handle)
{
	size_t low = 0, high = library.session_count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (library.sessions[middle]->handle < handle)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* With the library's lock. */
static void unuse(vldaa_p11_session *s)
{
	if (--s->users > 0)
		return;
	(void)pthread_mutex_destroy(&s->lock);
	free(s);
}

/* With the library's lock.  The handle is larger than all before. */
static CK_RV put_in(vldaa_p11_session *s)
{
	if (library.session_count == library.session_room) {
		const size_t room = 2 * library.session_room + 16;
		vldaa_p11_session **list = realloc(library.sessions, room * sizeof *list);

		if (list == NULL)
			return CKR_HOST_MEMORY;
		library.sessions = list;
		library.session_room = room;
	}
	s->handle = ++library.last_handle;
	library.sessions[library.session_count++] = s;
	return CKR_OK;
}

static void count_session(vldaa_p11_slot *slot, CK_FLAGS flags, int opened)
{
	CK_ULONG *count =
	    (flags & CKF_RW_SESSION) != 0 ? &slot->read_write_sessions : &slot->read_only_sessions;

	if (opened)
		++*count;
	else
		--*count;
}

CK_RV vldaa_p11_session_open(vldaa_p11_slot *slot, CK_FLAGS flags, CK_SESSION_HANDLE *handle)
{
	vldaa_p11_session *s = calloc(1, sizeof *s);
	CK_RV rv;

	if (s == NULL)
		return CKR_HOST_MEMORY;
	s->slot = slot;
	s->flags = flags;
	s->users = 1;
	if (pthread_mutex_init(&s->lock, NULL) != 0) {
		free(s);
		return CKR_HOST_MEMORY;
	}
	rv = vldaa_p11_slot_enter(slot);
	if (rv == CKR_OK) {
		if (slot->who == VLDAA_P11_WHO_SO && (flags & CKF_RW_SESSION) == 0)
			rv = CKR_SESSION_READ_WRITE_SO_EXISTS;
		else if ((flags & CKF_RW_SESSION) != 0 &&
			 vldaa_p11_store_is_read_only(&slot->store))
			rv = CKR_TOKEN_WRITE_PROTECTED;
		else
			count_session(slot, flags, 1);
		s->generation = slot->generation;
		vldaa_p11_slot_leave(slot);
	}
	if (rv == CKR_OK) {
		(void)pthread_mutex_lock(&library.lock);
		rv = put_in(s);
		if (rv == CKR_OK)
			*handle = s->handle;
		(void)pthread_mutex_unlock(&library.lock);
		if (rv != CKR_OK) {
			(void)pthread_mutex_lock(&slot->lock);
			count_session(slot, flags, 0);
			(void)pthread_mutex_unlock(&slot->lock);
		}
	}
	if (rv != CKR_OK) {
		(void)pthread_mutex_destroy(&s->lock);
		free(s);
	}
	return rv;
}

/* Takes it out of the table, having the library's lock; the table's use of it is the caller's. */
static vldaa_p11_session *take_out(size_t at)
{
	vldaa_p11_session *s = library.sessions[at];

	memmove(&library.sessions[at], &library.sessions[at + 1],
		(library.session_count - at - 1) * sizeof *library.sessions);
	library.session_count--;
	return s;
}

/* A session that is in no table: waits for the call that has it, and ends what it has. */
static void end_session(vldaa_p11_session *s)
{
	vldaa_p11_slot *slot = s->slot;

	(void)pthread_mutex_lock(&s->lock);
	s->closed = 1;
	vldaa_p11_search_end(&s->search);
	vldaa_p11_operation_end(&s->sign);
	vldaa_p11_operation_end(&s->verify);
	(void)pthread_mutex_unlock(&s->lock);
	(void)pthread_mutex_lock(&slot->lock);
	vldaa_p11_objects_close(slot, s->handle);
	count_session(slot, s->flags, 0);
	if (slot->read_only_sessions + slot->read_write_sessions == 0 &&
	    slot->who != VLDAA_P11_NOBODY)
		vldaa_p11_slot_logout(slot);
	(void)pthread_mutex_unlock(&slot->lock);
	(void)pthread_mutex_lock(&library.lock);
	unuse(s);
	(void)pthread_mutex_unlock(&library.lock);
}

CK_RV vldaa_p11_session_close(CK_SESSION_HANDLE handle)
{
	vldaa_p11_session *s = NULL;
	size_t at;

	(void)pthread_mutex_lock(&library.lock);
	at = position(handle);
	if (at < library.session_count && library.sessions[at]->handle == handle)
		s = take_out(at);
	(void)pthread_mutex_unlock(&library.lock);
	if (s == NULL)
		return CKR_SESSION_HANDLE_INVALID;
	end_session(s);
	return CKR_OK;
}

void vldaa_p11_sessions_close(const vldaa_p11_slot *slot)
{
	vldaa_p11_session *s;

	do {
		s = NULL;
		(void)pthread_mutex_lock(&library.lock);
		for (size_t i = library.session_count; i > 0 && s == NULL; i--) {
			if (slot == NULL || library.sessions[i - 1]->slot == slot)
				s = take_out(i - 1);
		}
		(void)pthread_mutex_unlock(&library.lock);
		if (s != NULL)
			end_session(s);
	} while (s != NULL);
}

CK_RV vldaa_p11_session_take(CK_SESSION_HANDLE handle, vldaa_p11_session **session)
{
	vldaa_p11_session *s = NULL;
	CK_RV rv = CKR_OK;
	size_t at;

	*session = NULL;
	(void)pthread_mutex_lock(&library.lock);
	if (library.state != UP) {
		rv = CKR_CRYPTOKI_NOT_INITIALIZED;
	} else {
		at = position(handle);
		if (at < library.session_count && library.sessions[at]->handle == handle) {
			s = library.sessions[at];
			s->users++;
			library.calls++;
		} else {
			rv = CKR_SESSION_HANDLE_INVALID;
		}
	}
	(void)pthread_mutex_unlock(&library.lock);
	if (rv != CKR_OK)
		return rv;
	(void)pthread_mutex_lock(&s->lock);
	if (s->closed) {
		vldaa_p11_session_give(s);
		return CKR_SESSION_HANDLE_INVALID;
	}
	*session = s;
	return CKR_OK;
}

void vldaa_p11_session_give(vldaa_p11_session *s)
{
	(void)pthread_mutex_unlock(&s->lock);
	(void)pthread_mutex_lock(&library.lock);
	unuse(s);
	if (--library.calls == 0)
		(void)pthread_cond_broadcast(&library.changed);
	(void)pthread_mutex_unlock(&library.lock);
}
