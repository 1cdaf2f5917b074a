/* vldaa revoke obey: a member opens an order, and obeys when it is meant. */
#include <string.h>

#include "member_directory.h"
#include "output.h"
#include "revoke/revoke.h"

enum { OUTPUT, JSON };

static const vldaa_option options[] = {
    [OUTPUT] = {"output", 'o', "CONFIRMATION", "what the authority gets when it was obeyed",
		VLDAA_OPTION_REQUIRED | VLDAA_OPTION_OUTPUT},
    [JSON] = {"json", 0, NULL, "answer as JSON", 0},
    {0},
};

/* A TPM without a key in the order's group (never joined, or expelled) is none that it is for. */
static int is_for_nobody_here(int code)
{
	return code == VLDAA_ERR_NO_KEY || code == VLDAA_ERR_NO_CREDENTIAL;
}

static int print_answer(const vldaa_call *call, int code)
{
	const char *text = is_for_nobody_here(code)
			       ? "this member has no key in the group that the order is for"
			       : vldaa_code_text(code);
	vldaa_json json;

	if (code && !is_for_nobody_here(code) && vldaa_error_class(code) != VLDAA_CLASS_INVALID)
		return vldaa_report(call->argv[1], code);
	if (call->values[JSON]) {
		vldaa_json_init(&json, stdout);
		vldaa_json_object(&json, NULL);
		vldaa_json_bool(&json, "obeyed", code == VLDAA_OK);
		if (code) {
			vldaa_json_string(&json, "error", vldaa_code_name(code));
			vldaa_json_string(&json, "text", text);
		}
		vldaa_json_object_end(&json);
	} else if (code) {
		vldaa_say("%s: %s", call->argv[1], text);
	}
	return code ? VLDAA_EXIT_INVALID : VLDAA_EXIT_OK;
}

/* The TPM needs nothing of its host to obey. */
static int obey(const vldaa_call *call, vldaa_tpm_client *tpm, const vldaa_buffer *order,
		const vldaa_set *set)
{
	vldaa_buffer confirmation = {NULL, 0};
	int status = vldaa_buffer_for(&confirmation, set, VLDAA_KIND_CONFIRMATION), code;
	size_t len = 0;

	if (status != VLDAA_EXIT_OK)
		return status;
	code = vldaa_tpm_client_call(tpm, VLDAA_TPM_OBEY, order->data, order->len,
				     confirmation.data, confirmation.len, &len);
	if (!code)
		status = vldaa_write(call->values[OUTPUT], confirmation.data, len, 0);
	if (status == VLDAA_EXIT_OK)
		status = print_answer(call, code);
	vldaa_buffer_free(&confirmation);
	return status;
}

static int run(const vldaa_call *call)
{
	vldaa_buffer order = {NULL, 0};
	vldaa_tpm_client *tpm = NULL;
	vldaa_object_info info;
	int status;

	if (call->values[JSON] && strcmp(call->values[OUTPUT], "-") == 0)
		return vldaa_usage(call, "confirmation and JSON cannot both go to standard output");
	status = vldaa_read_object(&order, &info, call->argv[1], VLDAA_KIND_SEALED_ORDER);
	if (status == VLDAA_EXIT_OK && !call->values[JSON])
		vldaa_remind_set(info.set);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_member_start_tpm(&tpm, call->argv[0]);
	if (status == VLDAA_EXIT_OK)
		status = obey(call, tpm, &order, info.set);
	vldaa_tpm_client_stop(tpm);
	vldaa_buffer_free(&order);
	return status;
}

const vldaa_command vldaa_command_revoke_obey = {
    .name = "obey",
    .summary = "Open an order and obey it, if it is meant for this member",
    .arguments = "DIR ORDER",
    .argument_kinds = "MI",
    .min_arguments = 2,
    .max_arguments = 2,
    .options = options,
    .run = run,
    .details =
	"Exit status 0: it was meant, and is done; send CONFIRMATION to the authority.  The same\n"
	"ORDER gives the same CONFIRMATION again.  Exit status 1: nothing was changed; NOT_MINE\n"
	"is what all other members answer.\n"
	"\n"
	"Example:\n"
	"  vldaa revoke obey car1 order -o confirmation",
};
