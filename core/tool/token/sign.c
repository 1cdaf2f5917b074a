/* vldaa token sign, and vldaa token obey. */
#include <stdlib.h>
#include <string.h>

#include "token/token.h"

enum { OUTPUT = VLDAA_TOKEN_KEY_OPTIONS, BASENAME, BASENAME_HEX, COMPACT, BARE };
static const vldaa_option sign_options[] = {
    VLDAA_TOKEN_KEY,
    [OUTPUT] = {"output", 'o', "FILE", "where the signature goes (-: standard output)",
		VLDAA_OPTION_REQUIRED | VLDAA_OPTION_OUTPUT},
    [BASENAME] = {"basename", 'b', "TEXT",
		  "what the signature is for; the member's\n"
		  "default (vldaa token basename) when not given",
		  0},
    [BASENAME_HEX] = {"basename-hex", 0, "HEX", "the same, for any bytes", 0},
    [COMPACT] = {"compact", 0, NULL, "without the attestation, which the verifier has", 0},
    [BARE] = {"bare", 0, NULL, "the ML-DSA signature alone", 0},
    {NULL, 0, NULL, NULL, 0},
};

/* PKCS#11 3.2, which p11-kit's header is older than. */
enum { MLDSA = 0x1d };

/* --- sign --------------------------------------------------------------------------------------
 */

/* With the pseudonym that the token keeps, or else with the member's key, for the basename. */
static int choose(vldaa_token *t, vldaa_basename *basename, CK_MECHANISM *m, CK_OBJECT_HANDLE *key)
{
	int status = vldaa_token_find_pseudonym(t, basename->text, basename->len, key);

	if (status != VLDAA_EXIT_OK || *key != 0)
		return status;
	/* Nobody would have the attestation that these leave out. */
	if (m->mechanism != CKM_VLDAA_SIGN)
		return vldaa_usage(t->call,
				   "a %s signature needs a pseudonym that the token keeps: "
				   "vldaa token create makes one, and writes its attestation",
				   m->mechanism == MLDSA ? "bare" : "compact");
	m->pParameter = basename->text;
	m->ulParameterLen = basename->len;
	return vldaa_token_need_key(t, CK_VLDAA_ROLE_MEMBER, key);
}

typedef struct {
	vldaa_token *t;
	int status; /* why it ended, which was said */
} signing;

static int update(void *arg, const uint8_t *data, size_t len)
{
	signing *s = arg;
	vldaa_token *t = s->t;
	vldaa_buffer copy = {NULL, 0};
	CK_RV rv;

	if (len == 0)
		return VLDAA_OK;
	if (vldaa_buffer_new(&copy, len) != VLDAA_EXIT_OK)
		return VLDAA_SAID;
	/* Cryptoki's data is not const. */
	memcpy(copy.data, data, len);
	rv = t->p11->C_SignUpdate(t->session, copy.data, len);
	vldaa_buffer_free(&copy);
	if (rv == CKR_OK)
		return VLDAA_OK;
	s->status = vldaa_token_report(t, NULL, rv);
	return VLDAA_SAID;
}

static int sign_file(vldaa_token *t, CK_MECHANISM *m, CK_OBJECT_HANDLE key, const char *message,
		     vldaa_buffer *signature)
{
	CK_RV rv = t->p11->C_SignInit(t->session, m, key);
	signing s = {t, VLDAA_EXIT_OK};
	CK_ULONG len = 0;
	int status;

	if (rv != CKR_OK)
		return vldaa_token_report(t, NULL, rv);
	status = vldaa_stream(message, "signing", update, &s);
	if (s.status != VLDAA_EXIT_OK)
		return s.status;
	if (status != VLDAA_EXIT_OK)
		return status;
	rv = t->p11->C_SignFinal(t->session, NULL, &len);
	if (rv == CKR_OK)
		status = vldaa_buffer_new(signature, len);
	if (rv == CKR_OK && status == VLDAA_EXIT_OK)
		rv = t->p11->C_SignFinal(t->session, signature->data, &len);
	if (rv != CKR_OK)
		return vldaa_token_report(t, NULL, rv);
	if (status == VLDAA_EXIT_OK)
		signature->len = len;
	return status;
}

static int run_sign(const vldaa_call *call)
{
	CK_MECHANISM m = {CKM_VLDAA_SIGN, NULL, 0};
	vldaa_buffer signature = {NULL, 0};
	vldaa_basename basename;
	CK_OBJECT_HANDLE key;
	vldaa_token t = {0};
	int status = vldaa_basename_parse(&basename, call, call->values[BASENAME],
					  call->values[BASENAME_HEX]);

	if (call->values[COMPACT] && call->values[BARE])
		return vldaa_usage(call, "--compact and --bare are one too many");
	if (call->values[COMPACT])
		m.mechanism = CKM_VLDAA_SIGN_COMPACT;
	if (call->values[BARE])
		m.mechanism = MLDSA;
	if (status == VLDAA_EXIT_OK)
		status = vldaa_token_open(&t, call, VLDAA_TOKEN_USER);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_token_need_basename(&t, &basename);
	if (status == VLDAA_EXIT_OK)
		status = choose(&t, &basename, &m, &key);
	if (status == VLDAA_EXIT_OK)
		status = sign_file(&t, &m, key, call->argv[0], &signature);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_write(call->values[OUTPUT], signature.data, signature.len, 0);
	vldaa_buffer_free(&signature);
	vldaa_token_close(&t);
	return status;
}

const vldaa_command vldaa_command_token_sign = {
    .name = "sign",
    .summary = "Sign a file under the pseudonym for a basename",
    .arguments = "MESSAGE",
    .argument_kinds = "I",
    .min_arguments = 1,
    .max_arguments = 1,
    .options = sign_options,
    .run = run_sign,
    .details =
	"The pseudonym that vldaa token create made is used; when there is none, one is made for\n"
	"this signature and not kept, which --compact and --bare do not do: their verifiers need\n"
	"the attestation, which vldaa token create writes.  vldaa verify verifies.\n"
	"\n"
	"Example:\n"
	"  vldaa token sign report.txt --token car --basename platoon-7 -o report.sig",
};

/* --- obey --------------------------------------------------------------------------------------
 */

static const vldaa_option obey_options[] = {
    VLDAA_TOKEN_KEY,
    [OUTPUT] = {"output", 'o', "CONFIRMATION", "what the authority gets when it was obeyed",
		VLDAA_OPTION_REQUIRED | VLDAA_OPTION_OUTPUT},
    {NULL, 0, NULL, NULL, 0},
};

/* An order does not say whose it is: each member on the token tries. */
static int obey(vldaa_token *t, const vldaa_buffer *order, const char *subject,
		vldaa_buffer *confirmation)
{
	CK_MECHANISM m = {CKM_VLDAA_REVOKE, NULL, 0};
	CK_OBJECT_HANDLE *members = NULL;
	CK_RV rv = CKR_VLDAA_NOT_MINE;
	CK_ULONG n = 0;
	int status = vldaa_token_find_keys(t, CK_VLDAA_ROLE_MEMBER, &members, &n);

	if (status == VLDAA_EXIT_OK && n == 0)
		status = vldaa_token_no_key(t, CK_VLDAA_ROLE_MEMBER);
	for (CK_ULONG i = 0; status == VLDAA_EXIT_OK && rv == CKR_VLDAA_NOT_MINE && i < n; i++)
		rv = vldaa_token_try_sign(t, &m, members[i], order, confirmation);
	free(members);
	if (status == VLDAA_EXIT_OK && rv != CKR_OK)
		status = vldaa_token_report(t, subject, rv);
	return status;
}

static int run_obey(const vldaa_call *call)
{
	vldaa_buffer order = {NULL, 0}, confirmation = {NULL, 0};
	vldaa_token t = {0};
	int status = vldaa_read_object(&order, NULL, call->argv[0], VLDAA_KIND_SEALED_ORDER);

	if (status == VLDAA_EXIT_OK)
		status = vldaa_token_open(&t, call, VLDAA_TOKEN_USER);
	if (status == VLDAA_EXIT_OK)
		status = obey(&t, &order, call->argv[0], &confirmation);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_write(call->values[OUTPUT], confirmation.data, confirmation.len, 0);
	vldaa_buffer_free(&order);
	vldaa_buffer_free(&confirmation);
	vldaa_token_close(&t);
	return status;
}

const vldaa_command vldaa_command_token_obey = {
    .name = "obey",
    .summary = "Open an order of the revocation authority and obey it, if it is meant",
    .arguments = "ORDER",
    .argument_kinds = "I",
    .min_arguments = 1,
    .max_arguments = 1,
    .options = obey_options,
    .run = run_obey,
    .details =
	"Exit status 0: it was meant, and is done; send CONFIRMATION to the authority.  Exit\n"
	"status 1: nothing was changed.\n"
	"\n"
	"Example:\n"
	"  vldaa token obey order --token car -o confirmation",
};
