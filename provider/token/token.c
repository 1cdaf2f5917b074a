#include "token.h"

#include <openssl/crypto.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "../errors.h"
#include "../lock.h"
#include "module.h"

/* Sessions that wait for the next call. */
enum { KEPT = 16 };

/*
 * Invariant: while process is this one, home is a session; idle ones are in nobody's use.  is_user: a
 * login has succeeded and is to be renewed; logged_in: it still holds, as far as is known.
 */
struct vldaa_prov_token {
	atomic_int references;
	const vldaa_prov *prov;
	vldaa_prov_module module;
	CK_FUNCTION_LIST *p11; /* its */
	CK_SLOT_ID slot;
	char label[VLDAA_PROV_LABEL];
	char *pin_source;           /* or NULL */
	vldaa_prov_lock *home_lock; /* of who works with home; taken first */
	vldaa_prov_lock *lock;      /* of what follows */
	pid_t process;              /* 0: to be started anew */
	uint64_t generation;
	int is_user, logged_in;
	int refused; /* the PIN in the file is wrong: it is not tried again, which would lock it */
	CK_SESSION_HANDLE home;
	CK_SESSION_HANDLE idle[KEPT];
	size_t idle_count;
};

/* --- sessions; the lock is held ----------------------------------------------------------------
 */

static int failed(const vldaa_prov_token *t, const char *what, CK_RV rv)
{
	return vldaa_prov_module_failed(t->prov, t->label, what, rv);
}

static void close_all(vldaa_prov_token *t)
{
	for (size_t i = 0; i < t->idle_count; i++)
		(void)t->p11->C_CloseSession(t->idle[i]);
	(void)t->p11->C_CloseSession(t->home);
}

static CK_RV open_session(const vldaa_prov_token *t, CK_SESSION_HANDLE *session)
{
	return t->p11->C_OpenSession(t->slot, CKF_SERIAL_SESSION, NULL, NULL, session);
}

/* What a process begins with; also when the module has dropped what it had. */
static int start(vldaa_prov_token *t)
{
	CK_RV rv = vldaa_prov_module_initialise(&t->module);

	t->idle_count = 0;
	t->logged_in = 0;
	t->generation++;
	if (rv != CKR_OK)
		return failed(t, "C_Initialize", rv);
	rv = open_session(t, &t->home);
	if (rv != CKR_OK)
		return failed(t, "C_OpenSession", rv);
	t->process = getpid();
	return VLDAA_OK;
}

/* Everything has to be started anew. */
static void drop(vldaa_prov_token *t)
{
	close_all(t);
	t->process = 0;
	t->generation++;
}

/* --- who is logged in; the lock is held --------------------------------------------------------
 */

/* The login is the application's as a whole, which may have logged in or out itself. */
static CK_RV ask_who(const vldaa_prov_token *t, int *is)
{
	CK_SESSION_INFO info = {0};
	CK_RV rv = t->p11->C_GetSessionInfo(t->home, &info);

	*is = rv == CKR_OK &&
	      (info.state == CKS_RO_USER_FUNCTIONS || info.state == CKS_RW_USER_FUNCTIONS);
	return rv;
}

/* Takes note of it: then no PIN is looked at. */
static int is_user(vldaa_prov_token *t)
{
	(void)ask_who(t, &t->logged_in);
	t->is_user |= t->logged_in;
	return t->logged_in;
}

static CK_FLAGS token_flags(const vldaa_prov_token *t)
{
	CK_TOKEN_INFO info;

	return t->p11->C_GetTokenInfo(t->slot, &info) == CKR_OK ? info.flags : 0;
}

/* What a wrong PIN has cost. */
static const char *tries_left(const vldaa_prov_token *t)
{
	const CK_FLAGS flags = token_flags(t);

	if ((flags & CKF_USER_PIN_LOCKED) != 0)
		return "; it is locked now";
	if ((flags & CKF_USER_PIN_FINAL_TRY) != 0)
		return "; one try is left before it is locked";
	return (flags & CKF_USER_PIN_COUNT_LOW) != 0 ? "; some tries are left" : "";
}

static int is_wrong_pin(CK_RV rv)
{
	return rv == CKR_PIN_INCORRECT || rv == CKR_PIN_LEN_RANGE || rv == CKR_PIN_INVALID;
}

/* Programs that are started again and again with a wrong PIN in a file must not lock it. */
static int login(vldaa_prov_token *t, const vldaa_prov_pin *pin)
{
	CK_RV rv;

	if (t->pin_source != NULL && (token_flags(t) & CKF_USER_PIN_FINAL_TRY) != 0) {
		VLDAA_PROV_RAISE_TEXT(t->prov, VLDAA_PROV_ERR_LAST_TRY, "%s", t->label);
		return VLDAA_PROV_ERR_RAISED;
	}
	rv = t->p11->C_Login(t->home, CKU_USER, (CK_UTF8CHAR *)(uintptr_t)pin->text, pin->len);
	if (rv == CKR_OK || rv == CKR_USER_ALREADY_LOGGED_IN) {
		t->is_user = t->logged_in = 1;
		return VLDAA_OK;
	}
	t->refused |= is_wrong_pin(rv);
	if (is_wrong_pin(rv))
		VLDAA_PROV_RAISE_TEXT(t->prov, VLDAA_PROV_ERR_WRONG_PIN, "%s%s", t->label,
				      tries_left(t));
	else if (rv == CKR_PIN_LOCKED)
		VLDAA_PROV_RAISE_TEXT(t->prov, VLDAA_PROV_ERR_PIN_LOCKED, "%s", t->label);
	else
		return failed(t, "C_Login", rv);
	return VLDAA_PROV_ERR_RAISED;
}

static int login_again(vldaa_prov_token *t)
{
	vldaa_prov_pin pin;
	int err = VLDAA_PROV_ERR_RAISED;

	if (is_user(t))
		return VLDAA_OK;
	if (t->pin_source == NULL || t->refused) {
		VLDAA_PROV_RAISE_TEXT(t->prov, VLDAA_PROV_ERR_LOGGED_OUT, "%s%s", t->label,
				      t->refused ? ": the PIN in the file was wrong" : "");
		return err;
	}
	if (vldaa_prov_pin_read(&pin, t->prov, t->pin_source))
		err = login(t, &pin);
	OPENSSL_cleanse(&pin, sizeof pin);
	return err;
}

/* Ready for a call: this process's, and logged in if it was. */
static int prepare(vldaa_prov_token *t)
{
	int err = VLDAA_OK;

	if (t->process != getpid())
		err = start(t);
	if (err == VLDAA_OK && t->is_user && !t->logged_in)
		err = login_again(t);
	return err;
}

/* --- calls -------------------------------------------------------------------------------------
 */

/* A new session would not tell that the module has been started anew, where handles mean other objects. */
static int prepare_new(vldaa_prov_token *t)
{
	int is;

	if (ask_who(t, &is) == CKR_OK)
		return VLDAA_OK;
	drop(t);
	return prepare(t);
}

int vldaa_prov_token_enter(vldaa_prov_token *t, vldaa_prov_session *s)
{
	CK_RV rv = CKR_OK;
	int err;

	memset(s, 0, sizeof *s);
	if (!vldaa_prov_lock_write(t->lock))
		return VLDAA_ERR_INTERNAL;
	err = prepare(t);
	if (err == VLDAA_OK && t->idle_count == 0)
		err = prepare_new(t);
	s->token = t;
	s->p11 = t->p11;
	s->generation = t->generation;
	if (err == VLDAA_OK && t->idle_count > 0)
		s->handle = t->idle[--t->idle_count];
	else if (err == VLDAA_OK)
		rv = open_session(t, &s->handle);
	if (rv != CKR_OK)
		err = failed(t, "C_OpenSession", rv);
	vldaa_prov_unlock(t->lock);
	return err;
}

int vldaa_prov_token_enter_home(vldaa_prov_token *t, vldaa_prov_session *s)
{
	int err;

	memset(s, 0, sizeof *s);
	if (!vldaa_prov_lock_write(t->home_lock))
		return VLDAA_ERR_INTERNAL;
	if (!vldaa_prov_lock_write(t->lock)) {
		vldaa_prov_unlock(t->home_lock);
		return VLDAA_ERR_INTERNAL;
	}
	err = prepare(t);
	s->token = t;
	s->p11 = t->p11;
	s->generation = t->generation;
	s->handle = t->home;
	s->is_home = 1;
	vldaa_prov_unlock(t->lock);
	if (err != VLDAA_OK)
		vldaa_prov_unlock(t->home_lock);
	return err;
}

/* Whether the login, or home itself, has gone since it was entered; then what was not found may be there. */
static int is_logged_out(vldaa_prov_token *t, int is_news)
{
	const int before = t->logged_in;

	if (!is_news)
		return 1;
	if (ask_who(t, &t->logged_in) != CKR_OK) {
		drop(t);
		return 1;
	}
	return before && !t->logged_in;
}

/* What a return code says of handles: 1 when new ones may do better. */
static int is_lost(vldaa_prov_token *t, const vldaa_prov_session *s, CK_RV result)
{
	const int is_news = t->generation == s->generation && t->process == getpid();

	switch (result) {
	case VLDAA_PROV_NOTHING_FOUND:
		return is_logged_out(t, is_news);
	case CKR_KEY_HANDLE_INVALID:
	case CKR_OBJECT_HANDLE_INVALID:
	case CKR_USER_NOT_LOGGED_IN:
		(void)is_logged_out(t, is_news);
		return 1;
	case CKR_SESSION_HANDLE_INVALID:
	case CKR_SESSION_CLOSED:
	case CKR_CRYPTOKI_NOT_INITIALIZED:
	case CKR_DEVICE_REMOVED:
		if (is_news)
			drop(t);
		return 1;
	default:
		return 0;
	}
}

int vldaa_prov_token_leave(vldaa_prov_session *s, CK_RV result, const char *what)
{
	vldaa_prov_token *t = s->token;
	int lost = 0, kept;

	if (!vldaa_prov_lock_write(t->lock))
		return VLDAA_ERR_INTERNAL;
	if (result != CKR_OK)
		lost = is_lost(t, s, result);
	/* After an error an operation may be left in the session. */
	kept = s->is_home || (result == CKR_OK && t->process == getpid() &&
			      s->generation == t->generation && t->idle_count < KEPT);
	if (kept && !s->is_home)
		t->idle[t->idle_count++] = s->handle;
	vldaa_prov_unlock(t->lock);
	if (!kept)
		(void)t->p11->C_CloseSession(s->handle);
	if (s->is_home)
		vldaa_prov_unlock(t->home_lock);
	if (lost)
		return VLDAA_PROV_ERR_LOST;
	if (result == VLDAA_PROV_NOTHING_FOUND)
		return VLDAA_PROV_ERR_NO_OBJECT;
	return result == CKR_OK ? VLDAA_OK : failed(t, what, result);
}

uint64_t vldaa_prov_token_generation(vldaa_prov_token *t)
{
	uint64_t generation;

	if (!vldaa_prov_lock_read(t->lock))
		return 0;
	/* A child has none of its parent's handles. */
	generation = t->process == getpid() ? t->generation : t->generation + 1;
	vldaa_prov_unlock(t->lock);
	return generation;
}

int vldaa_prov_token_is_user(vldaa_prov_token *t)
{
	int is;

	if (!vldaa_prov_lock_write(t->lock))
		return 0;
	is = t->process == getpid() && is_user(t);
	vldaa_prov_unlock(t->lock);
	return is;
}

int vldaa_prov_token_login(vldaa_prov_token *t, const vldaa_prov_pin *pin)
{
	int err;

	if (!vldaa_prov_lock_write(t->lock))
		return 0;
	err = prepare(t);
	if (err == VLDAA_OK && !is_user(t))
		err = login(t, pin);
	vldaa_prov_unlock(t->lock);
	if (err != VLDAA_OK)
		VLDAA_PROV_RAISE(t->prov, err);
	return err == VLDAA_OK;
}

/* --- opening -----------------------------------------------------------------------------------
 */

static int open_token(vldaa_prov_token *t, vldaa_prov_uri *uri)
{
	const char *source = p11_kit_uri_get_pin_source(uri->is);
	int err;

	t->home_lock = vldaa_prov_lock_new();
	t->lock = vldaa_prov_lock_new();
	t->pin_source = source != NULL ? OPENSSL_strdup(source) : NULL;
	if (t->home_lock == NULL || t->lock == NULL || (source != NULL && t->pin_source == NULL)) {
		VLDAA_PROV_RAISE(t->prov, VLDAA_ERR_MEMORY);
		return 0;
	}
	if (!vldaa_prov_module_load(&t->module, t->prov, uri->is))
		return 0;
	t->p11 = t->module.p11;
	if (!vldaa_prov_module_find(t->prov, t->p11, uri, &t->slot, t->label))
		return 0;
	err = start(t);
	if (err != VLDAA_OK)
		VLDAA_PROV_RAISE(t->prov, err);
	return err == VLDAA_OK;
}

int vldaa_prov_token_open(vldaa_prov_token **token, const vldaa_prov *prov, vldaa_prov_uri *uri)
{
	vldaa_prov_token *t = OPENSSL_zalloc(sizeof *t);

	*token = NULL;
	if (t == NULL) {
		VLDAA_PROV_RAISE(prov, VLDAA_ERR_MEMORY);
		return 0;
	}
	atomic_init(&t->references, 1);
	t->prov = prov;
	if (!open_token(t, uri)) {
		vldaa_prov_token_release(t);
		return 0;
	}
	*token = t;
	return 1;
}

vldaa_prov_token *vldaa_prov_token_share(vldaa_prov_token *t)
{
	(void)atomic_fetch_add(&t->references, 1);
	return t;
}

void vldaa_prov_token_release(vldaa_prov_token *t)
{
	if (t == NULL || atomic_fetch_sub(&t->references, 1) != 1)
		return;
	if (t->process == getpid())
		close_all(t);
	vldaa_prov_module_free(&t->module);
	vldaa_prov_lock_free(t->lock);
	vldaa_prov_lock_free(t->home_lock);
	OPENSSL_free(t->pin_source);
	OPENSSL_free(t);
}

const char *vldaa_prov_token_label(const vldaa_prov_token *t)
{
	return t->label;
}

const vldaa_prov *vldaa_prov_token_provider(const vldaa_prov_token *t)
{
	return t->prov;
}
