/*
 * A token, reached through a PKCS#11 module that p11-kit has loaded.  Keys whose private half is in
 * it share it; the last one lets it go.
 *
 * A child after fork() starts the module anew, and logs in again when the PIN is in a file
 * (pin-source): a PIN that was given otherwise is not kept.
 *
 * The thread's library context is the caller's: the module is a part of the application.
 */
#ifndef VLDAA_PROVIDER_TOKEN_H
#define VLDAA_PROVIDER_TOKEN_H

#include "uri.h"

typedef struct vldaa_prov_token vldaa_prov_token;

/* The only token that matches, not logged in.  1, or 0, having raised why. */
int vldaa_prov_token_open(vldaa_prov_token **token, const vldaa_prov *prov, vldaa_prov_uri *uri);
vldaa_prov_token *vldaa_prov_token_share(vldaa_prov_token *token);
void vldaa_prov_token_release(vldaa_prov_token *token);
const char *vldaa_prov_token_label(const vldaa_prov_token *token);
const vldaa_prov *vldaa_prov_token_provider(const vldaa_prov_token *token);

/* 1 when the application has logged in already. */
int vldaa_prov_token_is_user(vldaa_prov_token *token);
/* As the user.  1, or 0, having raised why. */
int vldaa_prov_token_login(vldaa_prov_token *token, const vldaa_prov_pin *pin);

/*
 * Sessions, and so the objects that live as long as they, are good for as long as this number stays the same:
 * until a fork, or until somebody else has closed them and that has been noticed.
 */
uint64_t vldaa_prov_token_generation(vldaa_prov_token *token);

/* A session for some calls of one thread, of the generation. */
typedef struct {
	vldaa_prov_token *token;
	CK_FUNCTION_LIST *p11;
	CK_SESSION_HANDLE handle;
	uint64_t generation;
	int is_home;
} vldaa_prov_session;

/* VLDAA_OK, or VLDAA_PROV_ERR_RAISED.  The last call's return code goes into leave. */
int vldaa_prov_token_enter(vldaa_prov_token *token, vldaa_prov_session *session);
/* The same for the session that lives as long as the token is used, for objects that are to live as
 * long; one thread at a time. */
int vldaa_prov_token_enter_home(vldaa_prov_token *token, vldaa_prov_session *session);
/* Beside PKCS#11's return codes, of which it is none: a search has found nothing. */
#define VLDAA_PROV_NOTHING_FOUND (CKR_VENDOR_DEFINED | 0x7fffffffUL)
/*
 * VLDAA_OK; VLDAA_PROV_ERR_LOST when it failed since a handle or the login is not good any more, and may be
 * tried again with new ones; VLDAA_PROV_ERR_NO_OBJECT; a code of vldaa/error.h; or VLDAA_PROV_ERR_RAISED.
 * what: the call, for people.
 */
int vldaa_prov_token_leave(vldaa_prov_session *session, CK_RV result, const char *what);

#endif
