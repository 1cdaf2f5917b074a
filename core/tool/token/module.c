/* The module: found, loaded, and what its return codes mean. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "token/token.h"
#include "vldaa/error.h"

/* --- return codes ------------------------------------------------------------------------------
 */

/* What a person can do about it. */
static const struct {
	CK_RV rv;
	const char *name;
	const char *text;
} codes[] = {
    {CKR_PIN_INCORRECT, "CKR_PIN_INCORRECT", "wrong PIN"},
    {CKR_PIN_LEN_RANGE, "CKR_PIN_LEN_RANGE", "a PIN has 4 to 255 bytes"},
    {CKR_PIN_LOCKED, "CKR_PIN_LOCKED", "the PIN is locked after too many wrong ones"},
    {CKR_USER_PIN_NOT_INITIALIZED, "CKR_USER_PIN_NOT_INITIALIZED",
     "the token has no user's PIN yet; vldaa token pin --unlock sets one"},
    {CKR_USER_NOT_LOGGED_IN, "CKR_USER_NOT_LOGGED_IN", "this needs the user's PIN"},
    {CKR_TOKEN_NOT_RECOGNIZED, "CKR_TOKEN_NOT_RECOGNIZED",
     "there is no token, or something else where one should be (VLDAA_PKCS11_DEBUG=1 tells more)"},
    {CKR_TOKEN_NOT_PRESENT, "CKR_TOKEN_NOT_PRESENT", "there is no token in the slot"},
    {CKR_TOKEN_WRITE_PROTECTED, "CKR_TOKEN_WRITE_PROTECTED",
     "the token's directory cannot be written to"},
    {CKR_DEVICE_MEMORY, "CKR_DEVICE_MEMORY", "the token's disk is full"},
    {CKR_DEVICE_ERROR, "CKR_DEVICE_ERROR",
     "the token's database failed (VLDAA_PKCS11_DEBUG=1 tells more)"},
    {CKR_DEVICE_REMOVED, "CKR_DEVICE_REMOVED",
     "another process has initialised the token meanwhile"},
    {CKR_SESSION_EXISTS, "CKR_SESSION_EXISTS", "the token is in use"},
    {CKR_LIBRARY_LOAD_FAILED, "CKR_LIBRARY_LOAD_FAILED",
     "an issuer's key is made with libvldaa-issuer, which the module cannot load "
     "(VLDAA_PKCS11_DEBUG=1 tells more)"},
    {CKR_HOST_MEMORY, "CKR_HOST_MEMORY", "not enough memory"},
    {CKR_MECHANISM_INVALID, "CKR_MECHANISM_INVALID", "the token cannot do this with such a key"},
    {CKR_MECHANISM_PARAM_INVALID, "CKR_MECHANISM_PARAM_INVALID",
     "a basename (or a set, or a group) is needed, or is not a good one"},
    {CKR_ATTRIBUTE_VALUE_INVALID, "CKR_ATTRIBUTE_VALUE_INVALID",
     "this is not what the token can store"},
    {CKR_KEY_HANDLE_INVALID, "CKR_KEY_HANDLE_INVALID", "the key is gone"},
};

static const char *code_text(CK_RV rv, char *number, size_t size)
{
	for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
		if (codes[i].rv == rv) {
			(void)snprintf(number, size, "%s", codes[i].name);
			return codes[i].text;
		}
	}
	(void)snprintf(number, size, "0x%08lX", rv);
	return "the module refuses (VLDAA_PKCS11_DEBUG=1 tells more)";
}

int vldaa_token_report(const vldaa_token *t, const char *subject, CK_RV rv)
{
	char number[64];
	const char *text;

	/* Codes of the library come as they are, a hundred at most. */
	if (rv > CKR_VLDAA && rv < CKR_VLDAA + 100) {
		const int status =
		    vldaa_report(subject ? subject : t->label, -(int)(rv - CKR_VLDAA));

		/* The token said no: that is an answer. */
		return rv == CKR_VLDAA_REVOKED || rv == CKR_VLDAA_EXPELLED ? VLDAA_EXIT_INVALID
									   : status;
	}
	text = code_text(rv, number, sizeof number);
	if (!subject)
		subject = t->label[0] ? t->label : "the module";
	vldaa_say("%s: %s [%s]", subject, text, number);
	return VLDAA_EXIT_FAILED;
}

/* --- loading -----------------------------------------------------------------------------------
 */

int vldaa_token_load(vldaa_token *t, const vldaa_call *call)
{
	const char *path = call->values[VLDAA_TOKEN_MODULE];
	CK_RV (*get_list)(CK_FUNCTION_LIST **);
	CK_FUNCTION_LIST *list = NULL;
	void *module, *symbol;
	CK_RV rv;

	memset(t, 0, sizeof *t);
	t->call = call;
	/* Ours is found where it was built or installed, as the system finds libraries. */
	module = dlopen(path ? path : VLDAA_PKCS11_MODULE, RTLD_NOW | RTLD_LOCAL);
	symbol = module ? dlsym(module, "C_GetFunctionList") : NULL;
	if (!symbol) {
		const char *reason = dlerror();

		vldaa_say("the PKCS#11 module cannot be loaded: %s; --module names it",
			  reason ? reason : "no reason given");
		return VLDAA_EXIT_FAILED;
	}
	/* POSIX has it that a pointer to a function fits a pointer to void; C does not. */
	memcpy(&get_list, &symbol, sizeof get_list);
	rv = get_list(&list);
	if (rv == CKR_OK)
		rv = list->C_Initialize(NULL);
	if (rv != CKR_OK)
		return vldaa_token_report(t, path, rv);
	t->p11 = list;
	return VLDAA_EXIT_OK;
}

void vldaa_token_close(vldaa_token *t)
{
	if (t->p11)
		(void)t->p11->C_Finalize(NULL);
	memset(t, 0, sizeof *t);
}

/* --- slots -------------------------------------------------------------------------------------
 */

int vldaa_token_slots(const vldaa_token *t, CK_SLOT_ID **slots, CK_ULONG *count)
{
	CK_RV rv = t->p11->C_GetSlotList(CK_FALSE, NULL, count);

	*slots = NULL;
	if (rv == CKR_OK) {
		*slots = calloc(*count + 1, sizeof **slots);
		rv = *slots ? t->p11->C_GetSlotList(CK_FALSE, *slots, count) : CKR_HOST_MEMORY;
	}
	if (rv == CKR_OK)
		return VLDAA_EXIT_OK;
	free(*slots);
	*slots = NULL;
	return vldaa_token_report(t, NULL, rv);
}

void vldaa_token_text(char *to, const CK_UTF8CHAR *field, size_t len)
{
	memcpy(to, field, len);
	while (len > 0 && (to[len - 1] == ' ' || to[len - 1] == '\0'))
		len--;
	to[len] = '\0';
}

static int no_token(const vldaa_token *t, CK_ULONG matches)
{
	const char *wanted = t->call->values[VLDAA_TOKEN_LABEL];

	if (matches > 1 && wanted)
		vldaa_say("%lu tokens have the label \"%s\"", matches, wanted);
	else if (matches > 1)
		vldaa_say("there are %lu tokens: choose one with --token LABEL (vldaa token list)",
			  matches);
	else if (wanted)
		vldaa_say(
		    "there is no token \"%s\" (vldaa token list shows which there are; they lie in "
		    "the directories that VLDAA_TOKEN_DIR names)",
		    wanted);
	else
		vldaa_say("there is no token: vldaa token init makes one");
	return VLDAA_EXIT_USAGE;
}

int vldaa_token_choose(vldaa_token *t)
{
	const char *wanted = t->call->values[VLDAA_TOKEN_LABEL];
	CK_ULONG count, matches = 0;
	CK_SLOT_ID *slots;
	int status = vldaa_token_slots(t, &slots, &count);

	for (CK_ULONG i = 0; status == VLDAA_EXIT_OK && i < count; i++) {
		char label[VLDAA_TOKEN_NAME];
		CK_TOKEN_INFO info;

		if (t->p11->C_GetTokenInfo(slots[i], &info) != CKR_OK ||
		    !(info.flags & CKF_TOKEN_INITIALIZED))
			continue;
		vldaa_token_text(label, info.label, sizeof info.label);
		if (wanted && strcmp(label, wanted) != 0)
			continue;
		matches++;
		t->slot = slots[i];
		memcpy(t->label, label, sizeof label);
	}
	free(slots);
	if (status == VLDAA_EXIT_OK && matches != 1)
		status = no_token(t, matches);
	return status;
}

int vldaa_token_open(vldaa_token *t, const vldaa_call *call, enum vldaa_token_login login)
{
	int status = vldaa_token_load(t, call);
	vldaa_pin pin;
	CK_RV rv;

	if (status == VLDAA_EXIT_OK)
		status = vldaa_token_choose(t);
	if (status != VLDAA_EXIT_OK)
		return status;
	rv = t->p11->C_OpenSession(t->slot, CKF_SERIAL_SESSION | CKF_RW_SESSION, NULL, NULL,
				   &t->session);
	/* What only reads needs no directory that can be written to. */
	if (rv == CKR_TOKEN_WRITE_PROTECTED)
		rv = t->p11->C_OpenSession(t->slot, CKF_SERIAL_SESSION, NULL, NULL, &t->session);
	if (rv != CKR_OK)
		return vldaa_token_report(t, NULL, rv);
	if (login == VLDAA_TOKEN_PUBLIC)
		return VLDAA_EXIT_OK;
	status = vldaa_pin_get(&pin, t, VLDAA_TOKEN_PIN_FILE, "User's PIN", 0);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_token_login(t, CKU_USER, &pin);
	vldaa_pin_clear(&pin);
	return status;
}
