/*
 * `vldaa token`: a PKCS#11 token through its module, as any client uses it.
 *
 * Functions return an exit status, having said why it is not 0.
 */
#ifndef VLDAA_TOOL_TOKEN_H
#define VLDAA_TOOL_TOKEN_H

#include <p11-kit/pkcs11.h>

#include "checked.h"
#include "files.h"
#include "options.h"
#include "vldaa/pkcs11-vldaa.h"

/* Every command's table of options begins with these. */
enum {
	VLDAA_TOKEN_MODULE,
	VLDAA_TOKEN_LABEL,
	VLDAA_TOKEN_PIN_FILE,
	VLDAA_TOKEN_PIN_ENV,
	VLDAA_TOKEN_OPTIONS /* the first of a command's own */
};
#define VLDAA_TOKEN_COMMON                                                                       \
	[VLDAA_TOKEN_MODULE] = {"module", 0, "FILE", "the PKCS#11 module; ours when not given",  \
				0},                                                              \
	[VLDAA_TOKEN_LABEL] = {"token", 't', "LABEL",                                            \
			       "the token's label; not needed when there is only one", 0},       \
	[VLDAA_TOKEN_PIN_FILE] = {"pin-file", 0, "FILE",                                         \
				  "the user's PIN is the first line of this file; without\n"     \
				  "these two options the terminal is asked",                     \
				  VLDAA_OPTION_INPUT},                                           \
	[VLDAA_TOKEN_PIN_ENV] = {"pin-env", 0, "NAME", "the same, from an environment variable", \
				 0}
/* Of commands that use a key behind those. */
enum { VLDAA_TOKEN_OBJECT = VLDAA_TOKEN_OPTIONS, VLDAA_TOKEN_KEY_OPTIONS };
#define VLDAA_TOKEN_KEY                                                                           \
	VLDAA_TOKEN_COMMON, [VLDAA_TOKEN_OBJECT] = {                                              \
				"object", 0, "LABEL",                                             \
				"the key's label, or its id as vldaa token show prints it; not\n" \
				"needed when there is only one such key",                         \
				0}

enum { VLDAA_TOKEN_NAME = 33, VLDAA_PIN_MIN = 4, VLDAA_PIN_MAX = 255 };

typedef struct {
	const vldaa_call *call;
	CK_FUNCTION_LIST *p11; /* NULL: not initialised */
	CK_SLOT_ID slot;
	CK_SESSION_HANDLE session; /* 0: none */
	char label[VLDAA_TOKEN_NAME];
} vldaa_token;

enum vldaa_token_login { VLDAA_TOKEN_PUBLIC, VLDAA_TOKEN_USER };

/* --- module.c ------------------------------------------------------------------------------- */

/* Loads and initialises the module that the call names.  Close it in any case. */
int vldaa_token_load(vldaa_token *t, const vldaa_call *call);
/* The same, and opens a session on the token that the call names, logged in when that is asked for. */
int vldaa_token_open(vldaa_token *t, const vldaa_call *call, enum vldaa_token_login login);
void vldaa_token_close(vldaa_token *t);

/* All slots, to free. */
int vldaa_token_slots(const vldaa_token *t, CK_SLOT_ID **slots, CK_ULONG *count);
/* Finds the initialised token that the call names, or the only one: t->slot, t->label. */
int vldaa_token_choose(vldaa_token *t);
/* A padded field of PKCS#11 as text; to has len + 1 bytes. */
void vldaa_token_text(char *to, const CK_UTF8CHAR *field, size_t len);

/* Says what went wrong: subject is a file's name or NULL, for the token. */
int vldaa_token_report(const vldaa_token *t, const char *subject, CK_RV rv);

/* --- pin.c ---------------------------------------------------------------------------------- */

typedef struct {
	char text[VLDAA_PIN_MAX + 1];
	CK_ULONG len;
} vldaa_pin;

/* From the option file and, after it in the table, its variable; else the terminal, twice for a new
 * one.  whose: "User's PIN". */
int vldaa_pin_get(vldaa_pin *pin, const vldaa_token *t, int file_option, const char *whose,
		  int is_new);
/* Wipes. */
void vldaa_pin_clear(vldaa_pin *pin);

int vldaa_token_login(vldaa_token *t, CK_USER_TYPE user, vldaa_pin *pin);
/* vldaa_token_report of a call that was given this user's PIN: and how many tries are left, and what
 * else is. */
int vldaa_token_report_pin(const vldaa_token *t, CK_USER_TYPE user, CK_RV rv);

/* --- object.c ------------------------------------------------------------------------------- */

/* The private key of this role that the call names, or the only one; *key 0, without a word, when
 * there is none.  The call's command has VLDAA_TOKEN_KEY. */
int vldaa_token_find_key(vldaa_token *t, CK_ULONG role, CK_OBJECT_HANDLE *key);
/* All of them, to free. */
int vldaa_token_find_keys(vldaa_token *t, CK_ULONG role, CK_OBJECT_HANDLE **found, CK_ULONG *n);
/* Says that there is none, and how to make one, or that there will be none: the token was expelled. */
int vldaa_token_no_key(vldaa_token *t, CK_ULONG role);
/* Says that a hard order has ended the token's member, if that is so and it has no other. */
int vldaa_token_check_expelled(vldaa_token *t);
/* 1 when this object is what is left of an expelled member. */
int vldaa_token_is_expulsion(vldaa_token *t, CK_OBJECT_HANDLE object);
/* The name that a key which is made gets: the call's, or none, which is the token's choice. */
CK_ULONG vldaa_token_new_label(const vldaa_token *t, CK_ATTRIBUTE *label);
/* The public key of the group that a key is of. */
int vldaa_token_find_group(vldaa_token *t, CK_OBJECT_HANDLE key, CK_OBJECT_HANDLE *group);
/* The pseudonym for this basename that the token keeps, of the call's member; *key 0: there is none. */
int vldaa_token_find_pseudonym(vldaa_token *t, const uint8_t *basename, size_t len,
			       CK_OBJECT_HANDLE *key);
/* The same; when there is none it says how to make one. */
int vldaa_token_need_key(vldaa_token *t, CK_ULONG role, CK_OBJECT_HANDLE *key);
/* When the call has given none: the basename that the member's default stands for now. */
int vldaa_token_need_basename(vldaa_token *t, vldaa_basename *basename);
/* All objects that match, to free. */
int vldaa_token_find(vldaa_token *t, CK_ATTRIBUTE *templ, CK_ULONG count, CK_OBJECT_HANDLE **found,
		     CK_ULONG *n);
/* The value of an attribute; empty when the object has none of this kind. */
int vldaa_token_get(vldaa_token *t, CK_OBJECT_HANDLE object, CK_ATTRIBUTE_TYPE type,
		    vldaa_buffer *value);
CK_ULONG vldaa_token_get_ulong(vldaa_token *t, CK_OBJECT_HANDLE object, CK_ATTRIBUTE_TYPE type);
int vldaa_token_get_bool(vldaa_token *t, CK_OBJECT_HANDLE object, CK_ATTRIBUTE_TYPE type);
/* One whole C_Sign, without a word. */
CK_RV vldaa_token_try_sign(vldaa_token *t, CK_MECHANISM *m, CK_OBJECT_HANDLE key,
			   const vldaa_buffer *data, vldaa_buffer *out);
/* The same, saying what went wrong.  subject: of what is said when it fails. */
int vldaa_token_sign(vldaa_token *t, CK_MECHANISM *m, CK_OBJECT_HANDLE key,
		     const vldaa_buffer *data, const char *subject, vldaa_buffer *out);
/* The same, of which the output goes to a file. */
int vldaa_token_sign_to(vldaa_token *t, CK_MECHANISM_TYPE type, CK_OBJECT_HANDLE key,
			const vldaa_buffer *data, const char *subject, const char *path,
			unsigned flags);

/* --- the commands --------------------------------------------------------------------------- */

extern const vldaa_command vldaa_command_token_init;
extern const vldaa_command vldaa_command_token_endorse;
extern const vldaa_command vldaa_command_token_setup;
extern const vldaa_command vldaa_command_token_join;
extern const vldaa_command vldaa_command_token_create;
extern const vldaa_command vldaa_command_token_sign;
extern const vldaa_command vldaa_command_token_obey;
extern const vldaa_command vldaa_command_token_basename;
extern const vldaa_command vldaa_command_token_list;
extern const vldaa_command vldaa_command_token_show;
extern const vldaa_command vldaa_command_token_pin;

#endif
