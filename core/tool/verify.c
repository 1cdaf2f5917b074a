/* vldaa verify: is this signature, or attestation, one of a member of the group? */
#include <openssl/evp.h>

#include "checked.h"
#include "commands.h"
#include "keys.h"
#include "output.h"

enum {
	GROUP,
	SIGNATURE,
	ATTESTATION,
	BASENAME,
	BASENAME_HEX,
	ROGUE_LIST,
	REVOKED_LIST,
	MLDSA_KEY,
	JSON
};

static const vldaa_option options[] = {
    [GROUP] = {"group", 'g', "GROUP", "the group's public key",
	       VLDAA_OPTION_REQUIRED | VLDAA_OPTION_INPUT},
    [SIGNATURE] = {"signature", 's', "SIG", "the signature of FILE", VLDAA_OPTION_INPUT},
    [ATTESTATION] = {"attestation", 'a', "ATT",
		     "the attestation of a compact or bare signature; or, without\n"
		     "--signature, what is to be verified",
		     VLDAA_OPTION_INPUT},
    [BASENAME] = {"basename", 0, "TEXT", "refuse what was made for another basename", 0},
    [BASENAME_HEX] = {"basename-hex", 0, "HEX", "the same, in hexadecimal", 0},
    [ROGUE_LIST] = {"rogue-list", 0, "LIST", "refuse keys on this list of the issuer",
		    VLDAA_OPTION_MANY | VLDAA_OPTION_INPUT},
    [REVOKED_LIST] = {"revoked-list", 0, "LIST",
		      "refuse pseudonyms on this list of the revocation authority",
		      VLDAA_OPTION_MANY | VLDAA_OPTION_INPUT},
    [MLDSA_KEY] = {"mldsa-key", 0, "FILE",
		   "when it is valid, where the pseudonym goes as an ML-DSA public\n"
		   "key (PEM), by which any program verifies bare signatures",
		   VLDAA_OPTION_OUTPUT},
    [JSON] = {"json", 0, NULL, "answer as JSON", 0},
    {0},
};

/* A name for a pseudonym that a person can compare: SHA-256 of its canonical bytes. */
static int nym_digest(uint8_t digest[32], const vldaa_attestation *attestation)
{
	size_t len;
	const uint8_t *nym = vldaa_attestation_nym(attestation, &len);

	if (EVP_Digest(nym, len, digest, NULL, EVP_sha256(), NULL) != 1)
		return vldaa_report(NULL, VLDAA_ERR_CRYPTO);
	return VLDAA_EXIT_OK;
}

static void print_hex_line(const char *name, const uint8_t *bytes, size_t len)
{
	printf("%-13s", name);
	vldaa_print_hex(stdout, bytes, len);
	printf("\n");
}

static int print_valid(const vldaa_call *call, const vldaa_verifier *verifier,
		       const vldaa_attestation *attestation)
{
	const vldaa_set *set = vldaa_verifier_set(verifier);
	uint8_t nym[32];
	vldaa_json json;
	size_t len;
	const uint8_t *basename = vldaa_attestation_basename(attestation, &len);

	if (nym_digest(nym, attestation) != VLDAA_EXIT_OK)
		return VLDAA_EXIT_FAILED;
	if (call->values[JSON]) {
		vldaa_json_init(&json, stdout);
		vldaa_json_object(&json, NULL);
		vldaa_json_bool(&json, "valid", 1);
		vldaa_json_string(&json, "set", vldaa_set_name(set));
		vldaa_json_int(&json, "signature_bits", vldaa_set_signature_bits(set));
		vldaa_json_hex(&json, "key_id", vldaa_verifier_key_id(verifier),
			       VLDAA_KEY_ID_BYTES);
		vldaa_json_text(&json, "basename", basename, len);
		vldaa_json_hex(&json, "basename_hex", basename, len);
		vldaa_json_hex(&json, "nym_sha256", nym, sizeof nym);
		vldaa_json_hex(&json, "attestation", vldaa_attestation_digest(attestation),
			       VLDAA_DIGEST_BYTES);
		vldaa_json_object_end(&json);
		return VLDAA_EXIT_OK;
	}
	printf("valid: made by a member of this %s group\n", vldaa_set_name(set));
	print_hex_line("group", vldaa_verifier_key_id(verifier), VLDAA_KEY_ID_BYTES);
	printf("%-13s", "basename");
	vldaa_print_text(stdout, basename, len);
	printf("\n");
	print_hex_line("pseudonym", nym, sizeof nym);
	print_hex_line("attestation", vldaa_attestation_digest(attestation), VLDAA_DIGEST_BYTES);
	return VLDAA_EXIT_OK;
}

static int print_invalid(const vldaa_call *call, const vldaa_checked *checked)
{
	vldaa_json json;

	if (call->values[JSON]) {
		vldaa_json_init(&json, stdout);
		vldaa_json_object(&json, NULL);
		vldaa_json_bool(&json, "valid", 0);
		vldaa_json_string(&json, "file", checked->subject);
		vldaa_json_string(&json, "error", vldaa_code_name(checked->code));
		vldaa_json_string(&json, "text", checked->text);
		vldaa_json_object_end(&json);
	} else {
		printf("invalid: %s: %s: %s\n", vldaa_code_name(checked->code), checked->subject,
		       checked->text);
	}
	return VLDAA_EXIT_INVALID;
}

static int check_arguments(const vldaa_call *call, vldaa_basename *basename)
{
	const char *const inputs[] = {call->values[GROUP], call->values[SIGNATURE],
				      call->values[ATTESTATION],
				      call->argc > 0 ? call->argv[0] : NULL};
	const int has_signature = call->values[SIGNATURE] != NULL;
	int status;

	if (!has_signature && !call->values[ATTESTATION])
		return vldaa_usage(call, "--signature or --attestation is missing");
	if (has_signature && call->argc != 1)
		return vldaa_usage(call, "name the FILE that was signed (- is standard input)");
	if (!has_signature && call->argc != 0)
		return vldaa_usage(call, "an attestation is of no FILE: is --signature missing?");
	status = vldaa_check_standard_input(call, inputs, sizeof inputs / sizeof inputs[0]);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_basename_parse(basename, call, call->values[BASENAME],
					      call->values[BASENAME_HEX]);
	return status;
}

static int write_mldsa_key(const vldaa_attestation *attestation, const char *path)
{
	uint8_t key[VLDAA_MLDSA_KEY_MAX];
	size_t len = 0;
	int err = vldaa_attestation_public_key(attestation, key, sizeof key, &len);

	return err ? vldaa_report(path, err) : vldaa_save_mldsa(path, key, len);
}

static int verify(const vldaa_call *call, const vldaa_verifier *verifier,
		  const vldaa_basename *basename)
{
	const char *signature = call->values[SIGNATURE], *attestation = call->values[ATTESTATION];
	vldaa_checked checked = {0};
	int status;

	if (signature)
		status = vldaa_check_signature(&checked, verifier, signature, call->argv[0],
					       &attestation, attestation != NULL, basename);
	else
		status = vldaa_check_attestation(&checked, verifier, attestation, basename);
	if (status == VLDAA_EXIT_OK && call->values[MLDSA_KEY])
		status = write_mldsa_key(checked.attestation, call->values[MLDSA_KEY]);
	if (status == VLDAA_EXIT_OK)
		status = print_valid(call, verifier, checked.attestation);
	else if (status == VLDAA_EXIT_INVALID)
		status = print_invalid(call, &checked);
	vldaa_checked_free(&checked);
	return status;
}

static int run(const vldaa_call *call)
{
	vldaa_verifier *verifier = NULL;
	vldaa_basename basename;
	int status = check_arguments(call, &basename);

	if (status == VLDAA_EXIT_OK)
		status = vldaa_check_group(&verifier, call->values[GROUP]);
	if (status == VLDAA_EXIT_OK && !call->values[JSON])
		vldaa_remind_set(vldaa_verifier_set(verifier));
	if (status == VLDAA_EXIT_OK)
		status = vldaa_check_lists(verifier, call, ROGUE_LIST, VLDAA_KIND_ROGUE_LIST);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_check_lists(verifier, call, REVOKED_LIST, VLDAA_KIND_REVOKED_LIST);
	if (status == VLDAA_EXIT_OK)
		status = verify(call, verifier, &basename);
	vldaa_verifier_free(verifier);
	return status;
}

const vldaa_command vldaa_command_verify = {
    .name = "verify",
    .summary = "Verify a signature or an attestation with the group's public key",
    .arguments = "[FILE]",
    .argument_kinds = "I",
    .max_arguments = 1,
    .options = options,
    .run = run,
    .details =
	"FILE is what was signed; - is standard input.  The answer tells the basename and the\n"
	"pseudonym (as SHA-256 of its bytes), never who the member is.  The same member has the\n"
	"same pseudonym for the same basename: compare with `vldaa link`.\n"
	"\n"
	"  vldaa verify --group group.pem --signature report.sig report.pdf\n"
	"  vldaa verify --group group.pem --attestation car.att --basename parking",
};
