/* PINs, and vldaa token pin. */
#include <string.h>

#include <openssl/crypto.h>

#include "keys.h"
#include "token/token.h"

/* --- getting one -------------------------------------------------------------------------------
 */

int vldaa_pin_get(vldaa_pin *pin, const vldaa_token *t, int file_option, const char *whose,
		  int is_new)
{
	const vldaa_call *call = t->call;
	const vldaa_passphrase p = {call->values[file_option], call->values[file_option + 1],
				    t->label, 0};
	char text[VLDAA_KEYFILE_MAX_PASSPHRASE];
	size_t len = 0;
	int status = vldaa_passphrase_get(&p, whose, is_new, text, &len);

	memset(pin, 0, sizeof *pin);
	if (status == VLDAA_EXIT_OK && len == 0)
		status = vldaa_usage(call, "%s: no terminal to ask on: use --%s or --%s", whose,
				     call->command->options[file_option].name,
				     call->command->options[file_option + 1].name);
	if (status == VLDAA_EXIT_OK && (len < VLDAA_PIN_MIN || len > VLDAA_PIN_MAX))
		status = vldaa_usage(call, "%s: it must have %d to %d bytes", whose, VLDAA_PIN_MIN,
				     VLDAA_PIN_MAX);
	if (status == VLDAA_EXIT_OK) {
		memcpy(pin->text, text, len);
		pin->len = len;
	}
	OPENSSL_cleanse(text, sizeof text);
	return status;
}

void vldaa_pin_clear(vldaa_pin *pin)
{
	OPENSSL_cleanse(pin, sizeof *pin);
}

/* --- logging in --------------------------------------------------------------------------------
 */

static CK_FLAGS flags_of(const vldaa_token *t)
{
	CK_TOKEN_INFO info;

	return t->p11->C_GetTokenInfo(t->slot, &info) == CKR_OK ? info.flags : 0;
}

/* Nothing unlocks a security officer's PIN, and without it nothing unlocks a user's. */
static void say_locked(const vldaa_token *t, CK_USER_TYPE user)
{
	const CK_FLAGS flags = flags_of(t);
	const int so_locked = user == CKU_SO || (flags & CKF_SO_PIN_LOCKED) != 0;
	const int user_locked = user == CKU_USER || (flags & CKF_USER_PIN_LOCKED) != 0;

	if (!so_locked)
		vldaa_say("%s: the security officer's PIN unlocks it: vldaa token pin --unlock",
			  t->label);
	else if (user_locked)
		vldaa_say("%s: the user's PIN and the security officer's are both locked, and "
			  "nothing unlocks them: only a new token in another directory (vldaa "
			  "token init) is left",
			  t->label);
	else
		vldaa_say("%s: nothing unlocks the security officer's PIN.  The user's PIN works "
			  "as before; once that is locked or forgotten only a new token in "
			  "another directory (vldaa token init) is left",
			  t->label);
}

/* How many wrong ones more it takes is what somebody who mistypes wants to know. */
static void say_tries(const vldaa_token *t, CK_USER_TYPE user)
{
	const CK_FLAGS flags = flags_of(t);

	if (flags & (user == CKU_SO ? CKF_SO_PIN_LOCKED : CKF_USER_PIN_LOCKED)) {
		vldaa_say("%s: that was the last try: the %s PIN is locked now", t->label,
			  user == CKU_SO ? "security officer's" : "user's");
		say_locked(t, user);
	} else if (flags & (user == CKU_SO ? CKF_SO_PIN_FINAL_TRY : CKF_USER_PIN_FINAL_TRY)) {
		vldaa_say("%s: one more wrong PIN locks it", t->label);
		if (user == CKU_SO)
			vldaa_say("%s: nothing unlocks the security officer's PIN", t->label);
	} else if (flags & (user == CKU_SO ? CKF_SO_PIN_COUNT_LOW : CKF_USER_PIN_COUNT_LOW)) {
		vldaa_say("%s: some more wrong PINs lock it; the right one sets the count back",
			  t->label);
	}
}

int vldaa_token_report_pin(const vldaa_token *t, CK_USER_TYPE user, CK_RV rv)
{
	int status;

	if (rv == CKR_PIN_LOCKED) {
		vldaa_say("%s: the %s PIN is locked after too many wrong ones [CKR_PIN_LOCKED]",
			  t->label, user == CKU_SO ? "security officer's" : "user's");
		say_locked(t, user);
		return VLDAA_EXIT_FAILED;
	}
	status = vldaa_token_report(t, NULL, rv);
	if (rv == CKR_PIN_INCORRECT)
		say_tries(t, user);
	return status;
}

int vldaa_token_login(vldaa_token *t, CK_USER_TYPE user, vldaa_pin *pin)
{
	const CK_RV rv = t->p11->C_Login(t->session, user, (CK_UTF8CHAR *)pin->text, pin->len);

	return rv == CKR_OK ? VLDAA_EXIT_OK : vldaa_token_report_pin(t, user, rv);
}

/* --- vldaa token pin ---------------------------------------------------------------------------
 */

enum { NEW_FILE = VLDAA_TOKEN_OPTIONS, NEW_ENV, UNLOCK, OFFICER, SO_FILE, SO_ENV };
static const vldaa_option options[] = {
    VLDAA_TOKEN_COMMON,
    [NEW_FILE] = {"new-pin-file", 0, "FILE", "the new PIN is the first line of this file",
		  VLDAA_OPTION_INPUT},
    [NEW_ENV] = {"new-pin-env", 0, "NAME", "the same, from an environment variable", 0},
    [UNLOCK] = {"unlock", 0, NULL,
		"the security officer sets the user's PIN, which need not be known;\n"
		"it is unlocked by that",
		0},
    [OFFICER] = {"so", 0, NULL, "the security officer changes the security officer's PIN", 0},
    [SO_FILE] = {"so-pin-file", 0, "FILE", "the security officer's PIN, for --unlock and --so",
		 VLDAA_OPTION_INPUT},
    [SO_ENV] = {"so-pin-env", 0, "NAME", "the same, from an environment variable", 0},
    {NULL, 0, NULL, NULL, 0},
};

static int change(vldaa_token *t, vldaa_pin *old, vldaa_pin *new)
{
	CK_RV rv;

	if (t->call->values[UNLOCK])
		rv = t->p11->C_InitPIN(t->session, (CK_UTF8CHAR *)new->text, new->len);
	else
		rv = t->p11->C_SetPIN(t->session, (CK_UTF8CHAR *)old->text, old->len,
				      (CK_UTF8CHAR *)new->text, new->len);
	if (rv == CKR_OK)
		return VLDAA_EXIT_OK;
	return vldaa_token_report_pin(t, t->call->values[OFFICER] ? CKU_SO : CKU_USER, rv);
}

static int run(const vldaa_call *call)
{
	const int officer = call->values[UNLOCK] != NULL || call->values[OFFICER] != NULL;
	const int whose_is_new = call->values[OFFICER] != NULL;
	vldaa_pin old = {.len = 0}, new = {.len = 0};
	vldaa_token t = {0};
	int status;

	if (call->values[UNLOCK] && call->values[OFFICER])
		return vldaa_usage(call, "--unlock and --so are one too many");
	status = vldaa_token_open(&t, call, VLDAA_TOKEN_PUBLIC);
	if (status == VLDAA_EXIT_OK)
		status = officer ? vldaa_pin_get(&old, &t, SO_FILE, "Security officer's PIN", 0)
				 : vldaa_pin_get(&old, &t, VLDAA_TOKEN_PIN_FILE, "User's PIN", 0);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_token_login(&t, officer ? CKU_SO : CKU_USER, &old);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_pin_get(
		    &new, &t, NEW_FILE,
		    whose_is_new ? "Security officer's new PIN" : "User's new PIN", 1);
	if (status == VLDAA_EXIT_OK)
		status = change(&t, &old, &new);
	vldaa_pin_clear(&old);
	vldaa_pin_clear(&new);
	vldaa_token_close(&t);
	return status;
}

const vldaa_command vldaa_command_token_pin = {
    .name = "pin",
    .summary = "Change a PIN, or unlock the user's",
    .arguments = "",
    .max_arguments = 0,
    .options = options,
    .run = run,
    .details = "Without --unlock and --so the user changes the user's PIN.\n"
	       "\n"
	       "Examples:\n"
	       "  vldaa token pin --token car\n"
	       "  vldaa token pin --token car --unlock",
};
