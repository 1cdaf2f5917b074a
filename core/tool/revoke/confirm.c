/* vldaa revoke confirm: a member says that it has obeyed. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "revoke/authority.h"
#include "revoke/orders.h"
#include "revoke/revoke.h"

enum { TOKEN, JSON };

static const vldaa_option options[] = {
    [TOKEN] = {"token", 0, "TOKEN",
	       "the token that the member deposited for this pseudonym:\n"
	       "the confirmation must reveal the secret that it promised",
	       VLDAA_OPTION_INPUT},
    [JSON] = {"json", 0, NULL, "answer as JSON", 0},
    {0},
};

/* Finds the order that has this digest; *clear is the caller's to free; *sequence 0: none has. */
static int find_order(const char *directory, const uint8_t digest[VLDAA_DIGEST_BYTES],
		      uint64_t *sequence, vldaa_buffer *clear)
{
	uint64_t *sequences = NULL;
	size_t count = 0;
	int status = vldaa_orders_list(&sequences, &count, directory);

	*sequence = 0;
	/* The newest first: it is the likeliest. */
	for (size_t i = count; i-- > 0 && *sequence == 0 && status == VLDAA_EXIT_OK;) {
		uint8_t is[VLDAA_DIGEST_BYTES];
		vldaa_order_terms terms;

		status = vldaa_orders_read_clear(clear, directory, sequences[i]);
		if (status != VLDAA_EXIT_OK)
			break;
		if (vldaa_order_read(clear->data, clear->len, &terms, is) == VLDAA_OK &&
		    memcmp(is, digest, sizeof is) == 0)
			*sequence = sequences[i];
		else
			vldaa_buffer_free(clear);
	}
	free(sequences);
	return status;
}

/* subject: the file that a code is about. */
static int print_answer(const vldaa_call *call, uint64_t sequence, int code, const char *subject)
{
	vldaa_json json;

	if (call->values[JSON]) {
		vldaa_json_init(&json, stdout);
		vldaa_json_object(&json, NULL);
		vldaa_json_bool(&json, "confirmed", code == VLDAA_OK);
		if (sequence > 0)
			vldaa_json_int(&json, "sequence", (int64_t)sequence);
		if (code) {
			vldaa_json_string(&json, "file", subject);
			vldaa_json_string(&json, "error", vldaa_code_name(code));
			vldaa_json_string(&json, "text", vldaa_code_text(code));
		}
		vldaa_json_object_end(&json);
	} else if (code) {
		printf("invalid: %s: %s: %s\n", vldaa_code_name(code), subject,
		       vldaa_code_text(code));
	} else {
		printf("order %" PRIu64 " is confirmed\n", sequence);
	}
	return vldaa_exit_status(code);
}

/* Checks the confirmation of an order, and keeps it. */
static int check(const vldaa_call *call, uint64_t sequence, const vldaa_buffer *order,
		 const vldaa_buffer *confirmation, const vldaa_buffer *token)
{
	const char *subject = call->argv[1];
	vldaa_verifier *verifier = NULL;
	int status = vldaa_authority_verifier(&verifier, call->argv[0]), err;

	if (status != VLDAA_EXIT_OK)
		return status;
	err = vldaa_confirmation_check(verifier, order->data, order->len, confirmation->data,
				       confirmation->len, NULL, 0);
	/* What is right without the token and wrong with it is wrong about the token. */
	if (!err && token->data) {
		subject = call->values[TOKEN];
		err =
		    vldaa_confirmation_check(verifier, order->data, order->len, confirmation->data,
					     confirmation->len, token->data, token->len);
	}
	vldaa_verifier_free(verifier);
	if (err && vldaa_error_class(err) != VLDAA_CLASS_INVALID)
		return vldaa_report(subject, err);
	if (!err)
		status = vldaa_orders_confirm(call->argv[0], sequence, confirmation->data,
					      confirmation->len);
	return status == VLDAA_EXIT_OK ? print_answer(call, sequence, err, subject) : status;
}

static int run(const vldaa_call *call)
{
	vldaa_buffer confirmation = {NULL, 0}, token = {NULL, 0}, order = {NULL, 0};
	vldaa_object_info info;
	uint64_t sequence = 0;
	int status = vldaa_authority_check(call->argv[0]);

	if (status == VLDAA_EXIT_OK)
		status =
		    vldaa_read_object(&confirmation, &info, call->argv[1], VLDAA_KIND_CONFIRMATION);
	if (status == VLDAA_EXIT_OK && !call->values[JSON])
		vldaa_remind_set(info.set);
	if (status == VLDAA_EXIT_OK && call->values[TOKEN])
		status = vldaa_read_object(&token, NULL, call->values[TOKEN], VLDAA_KIND_TOKEN);
	if (status == VLDAA_EXIT_OK)
		status = find_order(call->argv[0], info.digest, &sequence, &order);
	if (status == VLDAA_EXIT_OK && sequence == 0)
		status = print_answer(call, 0, VLDAA_ERR_CONFIRMATION, call->argv[1]);
	else if (status == VLDAA_EXIT_OK)
		status = check(call, sequence, &order, &confirmation, &token);
	vldaa_buffer_free(&confirmation);
	vldaa_buffer_free(&token);
	vldaa_buffer_free(&order);
	return status;
}

const vldaa_command vldaa_command_revoke_confirm = {
    .name = "confirm",
    .summary = "Check a member's confirmation, and keep it with its order",
    .arguments = "RADIR CONFIRMATION",
    .argument_kinds = "DI",
    .min_arguments = 2,
    .max_arguments = 2,
    .options = options,
    .run = run,
    .details =
	"Only the owner of the pseudonym can make a confirmation, and it makes one only when it\n"
	"has obeyed.  The order is then no longer on the list of unconfirmed ones.\n"
	"\n"
	"  vldaa revoke confirm RA confirmation --token token",
};
