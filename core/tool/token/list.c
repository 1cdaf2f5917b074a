/* vldaa token list: slots and their tokens. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "token/token.h"

enum { MODULE, JSON };
static const vldaa_option options[] = {
    [MODULE] = {"module", 0, "FILE", "the PKCS#11 module; ours when not given", 0},
    [JSON] = {"json", 0, NULL, "answer as JSON", 0},
    {NULL, 0, NULL, NULL, 0},
};

typedef struct {
	char place[65], label[VLDAA_TOKEN_NAME], serial[17];
	char state[128];
	const char *user_pin, *so_pin; /* NULL: of no token */
} line;

/* Of either PIN: the name that JSON has, and how one says it. */
static const struct {
	CK_FLAGS user, so;
	const char *name, *text;
} pin_states[] = {
    {CKF_USER_PIN_LOCKED, CKF_SO_PIN_LOCKED, "locked", "PIN locked"},
    {CKF_USER_PIN_FINAL_TRY, CKF_SO_PIN_FINAL_TRY, "last try", "PIN: one more wrong one locks it"},
    {CKF_USER_PIN_COUNT_LOW, CKF_SO_PIN_COUNT_LOW, "low", "PIN: wrong ones were tried"},
};

static const char *pin_state(CK_FLAGS flags, int is_so, const char **text)
{
	for (size_t i = 0; i < sizeof pin_states / sizeof pin_states[0]; i++) {
		if (flags & (is_so ? pin_states[i].so : pin_states[i].user)) {
			*text = pin_states[i].text;
			return pin_states[i].name;
		}
	}
	*text = NULL;
	return "good";
}

static void describe_pins(line *l, CK_FLAGS flags)
{
	const char *user, *so;

	l->user_pin = pin_state(flags, 0, &user);
	l->so_pin = pin_state(flags, 1, &so);
	if (!(flags & CKF_USER_PIN_INITIALIZED)) {
		l->user_pin = "none";
		user = "PIN not set yet";
	}
	(void)snprintf(l->state, sizeof l->state, "%s%s%s%s", user ? "user's " : "ready",
		       user ? user : "", so ? ", security officer's " : "", so ? so : "");
}

static int describe(line *l, const vldaa_token *t, CK_SLOT_ID slot)
{
	CK_SLOT_INFO slot_info;
	CK_TOKEN_INFO info;
	CK_RV rv = t->p11->C_GetSlotInfo(slot, &slot_info);

	if (rv != CKR_OK)
		return vldaa_token_report(t, NULL, rv);
	memset(l, 0, sizeof *l);
	(void)snprintf(l->state, sizeof l->state, "cannot be read");
	vldaa_token_text(l->place, slot_info.slotDescription, sizeof slot_info.slotDescription);
	rv = t->p11->C_GetTokenInfo(slot, &info);
	/* One bad directory does not hide the others. */
	if (rv != CKR_OK)
		return VLDAA_EXIT_OK;
	if (!(info.flags & CKF_TOKEN_INITIALIZED)) {
		(void)snprintf(l->state, sizeof l->state, "empty (vldaa token init)");
		return VLDAA_EXIT_OK;
	}
	vldaa_token_text(l->label, info.label, sizeof info.label);
	vldaa_token_text(l->serial, info.serialNumber, sizeof info.serialNumber);
	describe_pins(l, info.flags);
	return VLDAA_EXIT_OK;
}

static void print_text(CK_SLOT_ID slot, const line *l)
{
	printf("slot %lu  ", slot);
	vldaa_print_text(stdout, (const uint8_t *)(l->label[0] ? l->label : "-"),
			 strlen(l->label[0] ? l->label : "-"));
	printf("  %s  %s  ", l->serial[0] ? l->serial : "-", l->state);
	vldaa_print_text(stdout, (const uint8_t *)l->place, strlen(l->place));
	printf("\n");
}

static void print_json(vldaa_json *json, CK_SLOT_ID slot, const line *l)
{
	vldaa_json_object(json, NULL);
	vldaa_json_int(json, "slot", (int64_t)slot);
	vldaa_json_string(json, "label", l->label[0] ? l->label : NULL);
	vldaa_json_string(json, "serial", l->serial[0] ? l->serial : NULL);
	vldaa_json_string(json, "state", l->state);
	vldaa_json_string(json, "user_pin", l->user_pin);
	vldaa_json_string(json, "so_pin", l->so_pin);
	vldaa_json_string(json, "place", l->place);
	vldaa_json_object_end(json);
}

static int run(const vldaa_call *call)
{
	CK_SLOT_ID *slots = NULL;
	CK_ULONG count = 0;
	vldaa_token t;
	vldaa_json json;
	int status = vldaa_token_load(&t, call);

	if (status == VLDAA_EXIT_OK)
		status = vldaa_token_slots(&t, &slots, &count);
	if (status == VLDAA_EXIT_OK && count == 0)
		vldaa_say("there is no slot: VLDAA_TOKEN_DIR names no directory, and there is no "
			  "home directory for the default");
	vldaa_json_init(&json, stdout);
	if (status == VLDAA_EXIT_OK && call->values[JSON])
		vldaa_json_array(&json, NULL);
	for (CK_ULONG i = 0; status == VLDAA_EXIT_OK && i < count; i++) {
		line l;

		status = describe(&l, &t, slots[i]);
		if (status == VLDAA_EXIT_OK && call->values[JSON])
			print_json(&json, slots[i], &l);
		else if (status == VLDAA_EXIT_OK)
			print_text(slots[i], &l);
	}
	if (status == VLDAA_EXIT_OK && call->values[JSON])
		vldaa_json_array_end(&json);
	free(slots);
	vldaa_token_close(&t);
	return status;
}

const vldaa_command vldaa_command_token_list = {
    .name = "list",
    .summary = "List the slots and the tokens in them",
    .arguments = "",
    .max_arguments = 0,
    .options = options,
    .run = run,
    .details =
	"VLDAA_TOKEN_DIR names the tokens' directories, separated by colons; when it is not\n"
	"set there is one, below XDG_DATA_HOME or ~/.local/share.  An empty directory is a\n"
	"slot whose token is not initialised yet.\n"
	"\n"
	"Example:\n"
	"  vldaa token list",
};
