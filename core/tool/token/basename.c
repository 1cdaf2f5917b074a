/* vldaa token basename: what the member's key signs under for programs that give no basename. */
#include "vldaa/default_basename.h"

#include <string.h>

#include "token/token.h"

static const vldaa_option options[] = {
    VLDAA_TOKEN_KEY,
    {NULL, 0, NULL, NULL, 0},
};

static int run(const vldaa_call *call)
{
	const char *text = call->argv[0];
	vldaa_default_basename policy;
	vldaa_token t = {0};
	CK_OBJECT_HANDLE member;
	int status;

	if (vldaa_default_basename_read(&policy, (const uint8_t *)text, strlen(text)) != VLDAA_OK)
		return vldaa_usage(
		    call, "'%s': neither a basename of 1 to 255 bytes nor epoch:SECONDS", text);
	status = vldaa_token_open(&t, call, VLDAA_TOKEN_USER);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_token_need_key(&t, CK_VLDAA_ROLE_MEMBER, &member);
	if (status == VLDAA_EXIT_OK) {
		CK_ATTRIBUTE a = {CKA_VLDAA_BASENAME, policy.text, policy.len};
		const CK_RV rv = t.p11->C_SetAttributeValue(t.session, member, &a, 1);

		if (rv != CKR_OK)
			status = vldaa_token_report(&t, NULL, rv);
	}
	vldaa_token_close(&t);
	return status;
}

const vldaa_command vldaa_command_token_basename = {
    .name = "basename",
    .summary = "Set the default basename, for programs that give none",
    .arguments = "TEXT",
    .min_arguments = 1,
    .max_arguments = 1,
    .options = options,
    .run = run,
    .details =
	"TEXT is a basename, or epoch:SECONDS for a new pseudonym every so many seconds; an empty\n"
	"one takes it away.  Programs such as openssl, vldaa token sign and vldaa token create use\n"
	"it when they are given no other.  Signatures under one basename are linkable, by everybody and for ever.\n"
	"\n"
	"Example:\n"
	"  vldaa token basename epoch:3600 --token car",
};
