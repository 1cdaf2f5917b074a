/* vldaa token create: a pseudonym. */
#include <stdlib.h>
#include <string.h>

#include "token/token.h"

enum { BASENAME = VLDAA_TOKEN_KEY_OPTIONS, BASENAME_HEX, ATTESTATION, REVOCATION_TOKEN };
static const vldaa_option options[] = {
    VLDAA_TOKEN_KEY,
    [BASENAME] = {"basename", 'b', "TEXT",
		  "what the pseudonym is for; the member's\n"
		  "default (vldaa token basename) when not given",
		  0},
    [BASENAME_HEX] = {"basename-hex", 0, "HEX", "the same, for any bytes", 0},
    [ATTESTATION] = {"output", 'o', "FILE", "write the attestation", VLDAA_OPTION_OUTPUT},
    [REVOCATION_TOKEN] = {"revocation-token", 0, "FILE",
			  "write the pseudonym's revocation token, for the authority",
			  VLDAA_OPTION_OUTPUT},
    {NULL, 0, NULL, NULL, 0},
};

/* The public half came with the private one, under the same CKA_ID. */
static int write_attestation(vldaa_token *t, CK_OBJECT_HANDLE pseudonym, const char *path)
{
	CK_OBJECT_CLASS class = CKO_PUBLIC_KEY;
	vldaa_buffer id = {NULL, 0}, attestation = {NULL, 0};
	CK_OBJECT_HANDLE *found = NULL;
	CK_ULONG n = 0;
	int status = vldaa_token_get(t, pseudonym, CKA_ID, &id);

	CK_ATTRIBUTE templ[] = {{CKA_CLASS, &class, sizeof class}, {CKA_ID, id.data, id.len}};
	if (status == VLDAA_EXIT_OK)
		status = vldaa_token_find(t, templ, 2, &found, &n);
	if (status == VLDAA_EXIT_OK && n == 0)
		status = vldaa_token_report(t, NULL, CKR_KEY_HANDLE_INVALID);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_token_get(t, found[0], CKA_VLDAA_ATTESTATION, &attestation);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_write(path, attestation.data, attestation.len, 0);
	free(found);
	vldaa_buffer_free(&id);
	vldaa_buffer_free(&attestation);
	return status;
}

static int create(vldaa_token *t, vldaa_basename *basename, CK_OBJECT_HANDLE *pseudonym)
{
	CK_MECHANISM m = {CKM_VLDAA_CREATE, basename->len ? basename->text : NULL, basename->len};
	CK_BBOOL yes = CK_TRUE;
	CK_ATTRIBUTE templ = {CKA_TOKEN, &yes, sizeof yes};
	CK_OBJECT_HANDLE member;
	int status = vldaa_token_find_pseudonym(t, basename->text, basename->len, pseudonym);
	CK_RV rv;

	/* A second one would have another attestation, and signatures name only one. */
	if (status != VLDAA_EXIT_OK || *pseudonym != 0)
		return status;
	status = vldaa_token_need_key(t, CK_VLDAA_ROLE_MEMBER, &member);
	if (status != VLDAA_EXIT_OK)
		return status;
	rv = t->p11->C_DeriveKey(t->session, &m, member, &templ, 1, pseudonym);
	return rv == CKR_OK ? VLDAA_EXIT_OK : vldaa_token_report(t, NULL, rv);
}

static int run(const vldaa_call *call)
{
	const vldaa_buffer none = {NULL, 0};
	vldaa_basename basename;
	CK_OBJECT_HANDLE pseudonym;
	vldaa_token t = {0};
	int status = vldaa_basename_parse(&basename, call, call->values[BASENAME],
					  call->values[BASENAME_HEX]);

	if (status == VLDAA_EXIT_OK)
		status = vldaa_token_open(&t, call, VLDAA_TOKEN_USER);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_token_need_basename(&t, &basename);
	if (status == VLDAA_EXIT_OK)
		status = create(&t, &basename, &pseudonym);
	if (status == VLDAA_EXIT_OK && call->values[ATTESTATION])
		status = write_attestation(&t, pseudonym, call->values[ATTESTATION]);
	if (status == VLDAA_EXIT_OK && call->values[REVOCATION_TOKEN])
		status = vldaa_token_sign_to(&t, CKM_VLDAA_REVOCATION_TOKEN, pseudonym, &none, NULL,
					     call->values[REVOCATION_TOKEN], VLDAA_FILE_PRIVATE);
	vldaa_token_close(&t);
	return status;
}

const vldaa_command vldaa_command_token_create = {
    .name = "create",
    .summary = "Make a pseudonym for a basename, which the token keeps",
    .arguments = "",
    .max_arguments = 0,
    .options = options,
    .run = run,
    .details =
	"It is a key on the token, labelled with the basename, until it is revoked or deleted.\n"
	"When there is one already it is that one, and its attestation is written again.\n"
	"\n"
	"Example:\n"
	"  vldaa token create --token car --basename platoon-7 -o platoon-7.attestation",
};
