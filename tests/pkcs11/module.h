/*
 * The token module as a client sees it, loaded and used through its function list; and directories
 * with tokens for it.
 */
#ifndef VLDAA_TEST_MODULE_H
#define VLDAA_TEST_MODULE_H

#include <stddef.h>
#include <stdint.h>

#include <p11-kit/pkcs11.h>

#include "vldaa/pkcs11-vldaa.h"

extern CK_FUNCTION_LIST *p11;
/* The one that the tests have: VLDAA_TEST_MODULE of the environment, or where it was built. */
const char *module_file(void);
/* Loads it; NULL: that.  world_make does so. */
void load_module(const char *file);
/* A symbol of the module. */
void *module_symbol(const char *name);

/* ck_assert of a return code, in hexadecimal. */
#define assert_rv(call, expected)                                                            \
	do {                                                                                 \
		const CK_RV got_ = (call);                                                   \
		ck_assert_msg(got_ == (CK_RV)(expected), "%s is 0x%lx, not %s", #call, got_, \
			      #expected);                                                    \
	} while (0)
#define assert_ok(call) assert_rv(call, CKR_OK)

#define SO_PIN "security officer"
#define USER_PIN "1234 is the PIN"

enum { ISSUER, CAR, BLANK, EMPTY, PLACES };

/*
 * Once in a program, before tests: a directory with three tokens.  ISSUER has a group's keys.  CAR
 * has a member of it that has joined, with the pseudonym "platoon-7", whose CKA_ID is 7.  BLANK has
 * its PINs and the group's public key.  EMPTY is no token yet.
 */
void world_make(void);
/* The parameter set of ISSUER's group; empty for the default one. */
extern const char *world_set;
void world_remove(void);
/* For each test its own copy, with the module initialised over it; and its end. */
void world_enter(void);
void world_leave(void);
/* The copy's directory of this place, valid until the next call. */
const char *world_directory(int place);

void pause_ms(long milliseconds);
/* `many` in a long run (tests/slow token), else `few`. */
int as_long(int few, int many);

/* A session; with a PIN it is logged in. */
CK_SESSION_HANDLE open_session(CK_SLOT_ID slot, CK_FLAGS flags);
CK_SESSION_HANDLE user_session(CK_SLOT_ID slot);
/* A new token in an empty directory; the session is its user's. */
CK_SESSION_HANDLE make_token(CK_SLOT_ID slot);
CK_RV login(CK_SESSION_HANDLE session, CK_USER_TYPE user, const char *pin);

/* In a forked child: the module anew, and the user's session on CAR; else the child ends with status 2. */
CK_SESSION_HANDLE start_in_child(void);

/* The only object that matches, or 0. */
CK_OBJECT_HANDLE find_one(CK_SESSION_HANDLE session, CK_ATTRIBUTE *templ, CK_ULONG count);
CK_ULONG count_all(CK_SESSION_HANDLE session);
CK_OBJECT_HANDLE find_key(CK_SESSION_HANDLE session, CK_OBJECT_CLASS class, CK_ULONG role);

typedef struct {
	uint8_t *data;
	CK_ULONG len;
} bytes;
void bytes_free(bytes *b);
bytes get_attribute(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE object, CK_ATTRIBUTE_TYPE type);

/* One whole operation each. */
CK_RV try_sign(CK_SESSION_HANDLE session, CK_MECHANISM_TYPE type, const char *parameter,
	       CK_OBJECT_HANDLE key, const void *data, CK_ULONG len, bytes *out);
bytes sign(CK_SESSION_HANDLE session, CK_MECHANISM_TYPE type, const char *parameter,
	   CK_OBJECT_HANDLE key, const void *data, CK_ULONG len);
CK_RV verify(CK_SESSION_HANDLE session, CK_MECHANISM_TYPE type, const char *parameter,
	     CK_OBJECT_HANDLE key, const void *data, CK_ULONG len, const bytes *signature);
CK_RV try_create(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE member, const char *basename,
		 int is_token, CK_OBJECT_HANDLE *key);

/* The manufacturer's certificate for this token's endorsement key becomes its object. */
void certify(CK_SESSION_HANDLE session);
/* Setup, as issuers here have it. */
void found_group(CK_SESSION_HANDLE session);
/* A member of an issuer's group on a token; sessions are logged in. */
CK_OBJECT_HANDLE join(CK_SESSION_HANDLE issuer, CK_SESSION_HANDLE car);

/* The revocation authority's sealed order against a pseudonym that CAR has shown; clear (may be NULL):
 * the order as the authority keeps it. */
bytes order_against(const bytes *group, const bytes *fleet_key, const bytes *attestation, int hard,
		    uint64_t sequence, bytes *clear);

#endif
