/* vldaa token init: a token in an empty slot, with its PINs. */
#include <stdlib.h>
#include <string.h>

#include "token/token.h"

enum { SLOT = VLDAA_TOKEN_OPTIONS, ERASE, SO_FILE, SO_ENV };
static const vldaa_option options[] = {
    VLDAA_TOKEN_COMMON,
    [SLOT] = {"slot", 0, "NUMBER", "the slot; the first empty one when not given", 0},
    [ERASE] = {"erase", 0, NULL,
	       "initialise a token anew, with its security officer's PIN: its keys\n"
	       "are gone then.  With --slot",
	       0},
    [SO_FILE] = {"so-pin-file", 0, "FILE", "the security officer's PIN", VLDAA_OPTION_INPUT},
    [SO_ENV] = {"so-pin-env", 0, "NAME", "the same, from an environment variable", 0},
    {NULL, 0, NULL, NULL, 0},
};

/* --- the slot ----------------------------------------------------------------------------------
 */

static int is_initialised(const vldaa_token *t, CK_SLOT_ID slot)
{
	CK_TOKEN_INFO info;

	/* What cannot be read is not taken for empty. */
	return t->p11->C_GetTokenInfo(slot, &info) != CKR_OK ||
	       (info.flags & CKF_TOKEN_INITIALIZED) != 0;
}

static int choose_named(vldaa_token *t, const char *number)
{
	char *end;
	const unsigned long slot = strtoul(number, &end, 10);
	CK_SLOT_INFO info;

	if (number[0] < '0' || number[0] > '9' || *end != '\0' ||
	    t->p11->C_GetSlotInfo(slot, &info) != CKR_OK)
		return vldaa_usage(t->call, "there is no slot %s (vldaa token list)", number);
	t->slot = slot;
	if (!is_initialised(t, slot) || t->call->values[ERASE])
		return VLDAA_EXIT_OK;
	return vldaa_usage(t->call, "there is a token in slot %s; --erase gives it up", number);
}

static int choose_empty(vldaa_token *t)
{
	CK_SLOT_ID *slots;
	CK_ULONG count, i = 0;
	int status = vldaa_token_slots(t, &slots, &count);

	if (status != VLDAA_EXIT_OK)
		return status;
	while (i < count && is_initialised(t, slots[i]))
		i++;
	if (i < count)
		t->slot = slots[i];
	else
		status = vldaa_usage(t->call, "no slot is empty: VLDAA_TOKEN_DIR names the tokens' "
					      "directories, separated by colons");
	free(slots);
	return status;
}

/* A label that another token has could not be chosen by it. */
static int check_label(const vldaa_token *t, const char *label)
{
	CK_SLOT_ID *slots;
	CK_ULONG count;
	int status = vldaa_token_slots(t, &slots, &count);

	for (CK_ULONG i = 0; status == VLDAA_EXIT_OK && i < count; i++) {
		char text[VLDAA_TOKEN_NAME];
		CK_TOKEN_INFO info;

		if (slots[i] == t->slot || t->p11->C_GetTokenInfo(slots[i], &info) != CKR_OK ||
		    !(info.flags & CKF_TOKEN_INITIALIZED))
			continue;
		vldaa_token_text(text, info.label, sizeof info.label);
		if (strcmp(text, label) == 0)
			status = vldaa_usage(t->call, "slot %lu has a token \"%s\" already",
					     slots[i], label);
	}
	free(slots);
	return status;
}

/* --- the token ---------------------------------------------------------------------------------
 */

static int make(vldaa_token *t, const char *label, vldaa_pin *so, vldaa_pin *user)
{
	CK_UTF8CHAR padded[32];
	CK_RV rv;
	int status;

	memset(padded, ' ', sizeof padded);
	memcpy(padded, label, strlen(label));
	rv = t->p11->C_InitToken(t->slot, (CK_UTF8CHAR *)so->text, so->len, padded);
	if (rv != CKR_OK)
		return vldaa_token_report_pin(t, CKU_SO, rv);
	rv = t->p11->C_OpenSession(t->slot, CKF_SERIAL_SESSION | CKF_RW_SESSION, NULL, NULL,
				   &t->session);
	if (rv != CKR_OK)
		return vldaa_token_report(t, NULL, rv);
	status = vldaa_token_login(t, CKU_SO, so);
	if (status != VLDAA_EXIT_OK)
		return status;
	rv = t->p11->C_InitPIN(t->session, (CK_UTF8CHAR *)user->text, user->len);
	return rv == CKR_OK ? VLDAA_EXIT_OK : vldaa_token_report(t, NULL, rv);
}

static int run(const vldaa_call *call)
{
	const char *label = call->values[VLDAA_TOKEN_LABEL], *slot = call->values[SLOT];
	vldaa_pin so = {.len = 0}, user = {.len = 0};
	vldaa_token t = {0};
	int status;

	if (!label || label[0] == '\0' || strlen(label) > 32)
		return vldaa_usage(call, "--token names the new token, with 1 to 32 bytes");
	if (call->values[ERASE] && !slot)
		return vldaa_usage(call, "--erase is of a slot that --slot names");
	status = vldaa_token_load(&t, call);
	if (status == VLDAA_EXIT_OK)
		status = slot ? choose_named(&t, slot) : choose_empty(&t);
	if (status == VLDAA_EXIT_OK)
		status = check_label(&t, label);
	if (status == VLDAA_EXIT_OK) {
		(void)memcpy(t.label, label, strlen(label) + 1);
		status = vldaa_pin_get(&so, &t, SO_FILE, "Security officer's PIN",
				       call->values[ERASE] == NULL);
	}
	if (status == VLDAA_EXIT_OK)
		status = vldaa_pin_get(&user, &t, VLDAA_TOKEN_PIN_FILE, "User's new PIN", 1);
	if (status == VLDAA_EXIT_OK)
		status = make(&t, label, &so, &user);
	vldaa_pin_clear(&so);
	vldaa_pin_clear(&user);
	vldaa_token_close(&t);
	return status;
}

const vldaa_command vldaa_command_token_init = {
    .name = "init",
    .summary = "Make a token, with a security officer's and a user's PIN",
    .arguments = "",
    .max_arguments = 0,
    .options = options,
    .run = run,
    .details =
	"VLDAA_TOKEN_DIR says where (vldaa token list --help).  The user's PIN is for everything\n"
	"that a member or an issuer does; the security officer's unlocks it and erases the\n"
	"token.  Each locks after too many wrong ones.\n"
	"\n"
	"Example:\n"
	"  vldaa token init --token car",
};
