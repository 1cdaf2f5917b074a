/* vldaa token join: its four steps, two on the issuer's token and two on the member's. */
#include <string.h>

#include "keys.h"
#include "token/token.h"

/* --- nonce -------------------------------------------------------------------------------------
 */

enum { OUTPUT = VLDAA_TOKEN_KEY_OPTIONS, OTHER };
static const vldaa_option nonce_options[] = {
    VLDAA_TOKEN_KEY,
    [OUTPUT] = {"output", 'o', "FILE", "where the nonce goes (-: standard output)",
		VLDAA_OPTION_REQUIRED | VLDAA_OPTION_OUTPUT},
    {NULL, 0, NULL, NULL, 0},
};

/* Opens the token, and finds the key of this role. */
static int open_with_key(vldaa_token *t, const vldaa_call *call, CK_ULONG role,
			 CK_OBJECT_HANDLE *key)
{
	int status = vldaa_token_open(t, call, VLDAA_TOKEN_USER);

	return status == VLDAA_EXIT_OK ? vldaa_token_need_key(t, role, key) : status;
}

static int run_nonce(const vldaa_call *call)
{
	const vldaa_buffer none = {NULL, 0};
	CK_OBJECT_HANDLE key;
	vldaa_token t = {0};
	int status = open_with_key(&t, call, CK_VLDAA_ROLE_ISSUER, &key);

	if (status == VLDAA_EXIT_OK)
		status = vldaa_token_sign_to(&t, CKM_VLDAA_JOIN_NONCE, key, &none, NULL,
					     call->values[OUTPUT], 0);
	vldaa_token_close(&t);
	return status;
}

static const vldaa_command nonce = {
    .name = "nonce",
    .summary = "Issuer: a nonce for one request, good for a day",
    .arguments = "",
    .max_arguments = 0,
    .options = nonce_options,
    .run = run_nonce,
    .details = "Example:\n"
	       "  vldaa token join nonce --token issuer -o nonce",
};

/* --- request -----------------------------------------------------------------------------------
 */

static const vldaa_option request_options[] = {
    VLDAA_TOKEN_KEY,
    [OUTPUT] = {"output", 'o', "FILE", "where the request goes (-: standard output)",
		VLDAA_OPTION_REQUIRED | VLDAA_OPTION_OUTPUT},
    [OTHER] = {"group", 'g', "FILE", "the group's public key; for the first request of a token",
	       VLDAA_OPTION_INPUT},
    {NULL, 0, NULL, NULL, 0},
};

static int make_member(vldaa_token *t, const char *path, CK_OBJECT_HANDLE *key)
{
	vldaa_buffer group = {NULL, 0};
	const vldaa_set *set;
	CK_OBJECT_HANDLE public_key;
	CK_ATTRIBUTE label = {CKA_LABEL, NULL, 0};
	CK_ULONG named;
	CK_MECHANISM m;
	CK_RV rv;
	int status = vldaa_load_group_key(&group, &set, path);

	if (status != VLDAA_EXIT_OK)
		return status;
	vldaa_warn_set(set);
	m = (CK_MECHANISM){CKM_VLDAA_MEMBER, group.data, group.len};
	named = vldaa_token_new_label(t, &label);
	rv = t->p11->C_GenerateKeyPair(t->session, &m, &label, named, &label, named, &public_key,
				       key);
	vldaa_buffer_free(&group);
	return rv == CKR_OK ? VLDAA_EXIT_OK : vldaa_token_report(t, NULL, rv);
}

static int find_or_make_member(vldaa_token *t, const char *group, CK_OBJECT_HANDLE *key)
{
	int status = vldaa_token_find_key(t, CK_VLDAA_ROLE_MEMBER, key);

	if (status != VLDAA_EXIT_OK)
		return status;
	if (*key == 0 && group)
		return make_member(t, group, key);
	if (*key == 0)
		status = vldaa_token_check_expelled(t);
	if (status != VLDAA_EXIT_OK)
		return status;
	if (*key == 0)
		return vldaa_usage(t->call,
				   "%s has no member's key: --group says of which group to make "
				   "one",
				   t->label);
	if (!vldaa_token_get_bool(t, *key, CKA_VLDAA_JOINED))
		return VLDAA_EXIT_OK;
	return vldaa_usage(t->call, "%s has joined already", t->label);
}

/* The module's code for a certificate is the issuer's too, who would say it of a request. */
static int write_request(vldaa_token *t, CK_OBJECT_HANDLE key, const vldaa_buffer *data,
			 const char *path)
{
	CK_MECHANISM m = {CKM_VLDAA_JOIN_REQUEST, NULL, 0};
	vldaa_buffer out = {NULL, 0};
	const CK_RV rv = vldaa_token_try_sign(t, &m, key, data, &out);
	int status;

	if (rv == CKR_VLDAA_CERTIFICATE) {
		vldaa_say(
		    "%s: this token has no certificate for its endorsement key, or one with "
		    "too long a chain: vldaa token endorse asks the manufacturer for one, and "
		    "takes it in",
		    t->label);
		return VLDAA_EXIT_INVALID;
	}
	status = rv == CKR_OK ? vldaa_write(path, out.data, out.len, 0)
			      : vldaa_token_report(t, NULL, rv);
	vldaa_buffer_free(&out);
	return status;
}

static int run_request(const vldaa_call *call)
{
	vldaa_buffer data = {NULL, 0};
	CK_OBJECT_HANDLE key = 0;
	vldaa_token t = {0};
	int status = vldaa_read_object(&data, NULL, call->argv[0], VLDAA_KIND_NONCE);

	if (status == VLDAA_EXIT_OK)
		status = vldaa_token_open(&t, call, VLDAA_TOKEN_USER);
	if (status == VLDAA_EXIT_OK)
		status = find_or_make_member(&t, call->values[OTHER], &key);
	if (status == VLDAA_EXIT_OK)
		status = write_request(&t, key, &data, call->values[OUTPUT]);
	vldaa_buffer_free(&data);
	vldaa_token_close(&t);
	return status;
}

static const vldaa_command request = {
    .name = "request",
    .summary = "Member: ask the issuer to let the token join",
    .arguments = "NONCE",
    .argument_kinds = "I",
    .min_arguments = 1,
    .max_arguments = 1,
    .options = request_options,
    .run = run_request,
    .details =
	"The token needs its endorsement certificate (vldaa token endorse).  The first request\n"
	"makes the member's key, of which a token has one for a group.  A member of a second group\n"
	"is named with --object.\n"
	"\n"
	"Example:\n"
	"  vldaa token join request nonce --token car --group group.pem -o request",
};

/* --- issue -------------------------------------------------------------------------------------
 */

static const vldaa_option issue_options[] = {
    VLDAA_TOKEN_KEY,
    [OUTPUT] = {"output", 'o', "FILE", "where the answer goes (-: standard output)",
		VLDAA_OPTION_REQUIRED | VLDAA_OPTION_OUTPUT},
    [OTHER] = {"replace", 0, NULL,
	       "give a new credential to an endorsement certificate that has one\n"
	       "already",
	       0},
    {NULL, 0, NULL, NULL, 0},
};

static int run_issue(const vldaa_call *call)
{
	char replace[] = "replace";
	CK_MECHANISM m = {CKM_VLDAA_JOIN_ISSUE, NULL, 0};
	vldaa_buffer data = {NULL, 0}, answer = {NULL, 0};
	CK_OBJECT_HANDLE key;
	vldaa_token t = {0};
	int status = vldaa_read_object(&data, NULL, call->argv[0], VLDAA_KIND_JOIN_REQUEST);

	if (call->values[OTHER]) {
		m.pParameter = replace;
		m.ulParameterLen = sizeof replace - 1;
	}
	if (status == VLDAA_EXIT_OK)
		status = open_with_key(&t, call, CK_VLDAA_ROLE_ISSUER, &key);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_token_sign(&t, &m, key, &data, call->argv[0], &answer);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_write(call->values[OUTPUT], answer.data, answer.len, 0);
	vldaa_buffer_free(&data);
	vldaa_buffer_free(&answer);
	vldaa_token_close(&t);
	return status;
}

static const vldaa_command issue = {
    .name = "issue",
    .summary = "Issuer: answer a request, and put the new member into the register",
    .arguments = "REQUEST",
    .argument_kinds = "I",
    .min_arguments = 1,
    .max_arguments = 1,
    .options = issue_options,
    .run = run_issue,
    .details = "The same request gets the same answer again.\n"
	       "\n"
	       "Example:\n"
	       "  vldaa token join issue request --token issuer -o answer",
};

/* --- finish ------------------------------------------------------------------------------------
 */

static const vldaa_option finish_options[] = {
    VLDAA_TOKEN_KEY,
    {NULL, 0, NULL, NULL, 0},
};

static int run_finish(const vldaa_call *call)
{
	CK_MECHANISM m = {CKM_VLDAA_JOIN_FINISH, NULL, 0};
	vldaa_buffer data = {NULL, 0};
	CK_OBJECT_HANDLE key, same;
	vldaa_token t = {0};
	int status = vldaa_read_object(&data, NULL, call->argv[0], VLDAA_KIND_JOIN_ANSWER);
	CK_RV rv;

	if (status == VLDAA_EXIT_OK)
		status = open_with_key(&t, call, CK_VLDAA_ROLE_MEMBER, &key);
	if (status == VLDAA_EXIT_OK) {
		rv = t.p11->C_UnwrapKey(t.session, &m, key, data.data, data.len, NULL, 0, &same);
		if (rv != CKR_OK)
			status = vldaa_token_report(&t, call->argv[0], rv);
	}
	vldaa_buffer_free(&data);
	vldaa_token_close(&t);
	return status;
}

static const vldaa_command finish = {
    .name = "finish",
    .summary = "Member: take the issuer's answer, check the credential in it, and keep it",
    .arguments = "ANSWER",
    .argument_kinds = "I",
    .min_arguments = 1,
    .max_arguments = 1,
    .options = finish_options,
    .run = run_finish,
    .details = "Only the token that made the request opens the answer.\n"
	       "\n"
	       "Example:\n"
	       "  vldaa token join finish answer --token car",
};

/* --- the group ---------------------------------------------------------------------------------
 */

static const vldaa_command *const children[] = {&nonce, &request, &issue, &finish, NULL};

const vldaa_command vldaa_command_token_join = {
    .name = "join",
    .summary = "Join a group: nonce, request, issue, finish",
    .children = children,
    .details = "  vldaa token join nonce --token issuer -o nonce                    issuer -> car\n"
	       "  vldaa token join request nonce --token car --group group.pem -o request\n"
	       "  vldaa token join issue request --token issuer -o answer           issuer -> car\n"
	       "  vldaa token join finish answer --token car",
};
