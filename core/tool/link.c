/* vldaa link: did one member make both? */
#include <string.h>

#include "checked.h"
#include "commands.h"
#include "output.h"

enum { GROUP, ATTESTATION, ATTESTATIONS, JSON };

static const vldaa_option options[] = {
    [GROUP] = {"group", 'g', "GROUP", "the group's public key",
	       VLDAA_OPTION_REQUIRED | VLDAA_OPTION_INPUT},
    [ATTESTATION] = {"attestation", 'a', "ATT", "an attestation of a compact or bare signature",
		     VLDAA_OPTION_MANY | VLDAA_OPTION_INPUT},
    [ATTESTATIONS] = {"attestations", 0, NULL,
		      "the arguments are two attestations, not\nsignatures and their files", 0},
    [JSON] = {"json", 0, NULL, "answer as JSON", 0},
    {0},
};

enum { MAX_ATTESTATIONS = 2 };

/* Without two valid ones there is no answer: VLDAA_EXIT_FAILED. */
static int print_refused(const vldaa_call *call, const vldaa_checked *checked)
{
	vldaa_json json;

	if (call->values[JSON]) {
		vldaa_json_init(&json, stdout);
		vldaa_json_object(&json, NULL);
		vldaa_json_null(&json, "linked");
		vldaa_json_string(&json, "file", checked->subject);
		vldaa_json_string(&json, "error", vldaa_code_name(checked->code));
		vldaa_json_string(&json, "text", checked->text);
		vldaa_json_object_end(&json);
	} else {
		printf("no answer: %s: %s: %s\n", vldaa_code_name(checked->code), checked->subject,
		       checked->text);
	}
	return VLDAA_EXIT_FAILED;
}

static int same_basename(const vldaa_attestation *a, const vldaa_attestation *b)
{
	size_t a_len, b_len;
	const uint8_t *a_text = vldaa_attestation_basename(a, &a_len);
	const uint8_t *b_text = vldaa_attestation_basename(b, &b_len);

	return a_len == b_len && memcmp(a_text, b_text, a_len) == 0;
}

static int print_answer(const vldaa_call *call, const vldaa_set *set, const vldaa_attestation *a,
			const vldaa_attestation *b, int linked)
{
	const int same = same_basename(a, b);
	vldaa_json json;

	if (call->values[JSON]) {
		vldaa_json_init(&json, stdout);
		vldaa_json_object(&json, NULL);
		vldaa_json_bool(&json, "linked", linked);
		vldaa_json_bool(&json, "same_basename", same);
		vldaa_json_int(&json, "signature_bits", vldaa_set_signature_bits(set));
		vldaa_json_object_end(&json);
	} else if (linked) {
		printf("linked: one member made both, under one basename\n");
	} else if (same) {
		printf("not linked: two members made them\n");
	} else {
		printf("not linked: their basenames differ, so that nobody can tell\n");
	}
	return linked ? VLDAA_EXIT_OK : VLDAA_EXIT_INVALID;
}

static int check(const vldaa_call *call, const vldaa_verifier *verifier, int which,
		 vldaa_checked *checked)
{
	static const vldaa_basename any = {.len = 0};
	const char *attestations[MAX_ATTESTATIONS];
	size_t count = 0, position = 0;
	const char *path;

	if (call->values[ATTESTATIONS])
		return vldaa_check_attestation(checked, verifier, call->argv[which], &any);
	while ((path = vldaa_call_each(call, ATTESTATION, &position)) != NULL) {
		if (count == MAX_ATTESTATIONS)
			return vldaa_usage(call,
					   "two signatures have no more than two attestations");
		attestations[count++] = path;
	}
	return vldaa_check_signature(checked, verifier, call->argv[2 * which],
				     call->argv[2 * which + 1], attestations, count, &any);
}

static int run(const vldaa_call *call)
{
	const int needed = call->values[ATTESTATIONS] ? 2 : 4;
	vldaa_verifier *verifier = NULL;
	vldaa_checked checked[2] = {{0}, {0}};
	int status, linked = 0;

	if (call->argc != needed)
		return vldaa_usage(call, needed == 2 ? "name two attestations"
						     : "name two signatures, each before its file");
	status =
	    vldaa_check_standard_input(call, (const char *const *)call->argv, (size_t)call->argc);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_check_group(&verifier, call->values[GROUP]);
	if (status == VLDAA_EXIT_OK && !call->values[JSON])
		vldaa_remind_set(vldaa_verifier_set(verifier));
	for (int i = 0; i < 2 && status == VLDAA_EXIT_OK; i++) {
		status = check(call, verifier, i, &checked[i]);
		if (status == VLDAA_EXIT_INVALID)
			status = print_refused(call, &checked[i]);
	}
	if (status == VLDAA_EXIT_OK) {
		const int err = vldaa_link(checked[0].attestation, checked[1].attestation, &linked);

		status = err ? vldaa_report(NULL, err)
			     : print_answer(call, vldaa_verifier_set(verifier),
					    checked[0].attestation, checked[1].attestation, linked);
	}
	vldaa_checked_free(&checked[0]);
	vldaa_checked_free(&checked[1]);
	vldaa_verifier_free(verifier);
	return status;
}

const vldaa_command vldaa_command_link = {
    .name = "link",
    .summary = "Tell whether one member made two signatures",
    .arguments = "SIG1 FILE1 SIG2 FILE2 | --attestations ATT1 ATT2",
    .argument_kinds = "I",
    .min_arguments = 2,
    .max_arguments = 4,
    .options = options,
    .run = run,
    .exit_status =
	"0 linked, 1 not linked, 2 wrong usage, 3 no answer: a file cannot be read, or one\n"
	"of the two is not valid",
    .details = "Both are verified first.  Pseudonyms for different basenames are never linked.\n"
	       "\n"
	       "  vldaa link --group group.pem monday.sig monday.txt tuesday.sig tuesday.txt",
};
