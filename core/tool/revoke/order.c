/* vldaa revoke order: against the pseudonym of a signature. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "checked.h"
#include "duration.h"
#include "output.h"
#include "revoke/authority.h"
#include "revoke/orders.h"
#include "revoke/revoke.h"

enum {
	SIGNATURE,
	ATTESTATION,
	MESSAGE,
	SOFT,
	HARD,
	REASON,
	EXPIRES_IN,
	REPEAT,
	OUTPUT,
	JSON,
	PASSPHRASE_FILE,
	PASSPHRASE_ENV
};

static const vldaa_option options[] = {
    [SIGNATURE] = {"signature", 's', "SIG", "against the pseudonym of this signature",
		   VLDAA_OPTION_INPUT},
    [ATTESTATION] = {"attestation", 'a', "ATT",
		     "against this pseudonym; or the attestation of a\ncompact or bare SIG",
		     VLDAA_OPTION_INPUT},
    [MESSAGE] = {"message", 'm', "FILE",
		 "what SIG is of: the signature is verified too, not\nits attestation alone",
		 VLDAA_OPTION_INPUT},
    [SOFT] = {"soft", 0, NULL, "the member loses this pseudonym", 0},
    [HARD] = {"hard", 0, NULL, "the member loses its key, with all pseudonyms", 0},
    [REASON] = {"reason", 0, "N", "0 to 255, with a meaning of your own; 0 when not given", 0},
    [EXPIRES_IN] = {"expires-in", 0, "TIME",
		    "members refuse the order afterwards; " VLDAA_DURATION_HELP
		    ",\n90d when not given",
		    0},
    [REPEAT] = {"repeat", 0, "N", "give out order number N once more, as it was", 0},
    [OUTPUT] = {"output", 'o', "ORDER", "the encrypted order, to be broadcast",
		VLDAA_OPTION_REQUIRED | VLDAA_OPTION_OUTPUT},
    [JSON] = {"json", 0, NULL, "tell the number and digest as JSON", 0},
    [PASSPHRASE_FILE] = {"passphrase-file", 0, "FILE",
			 "the passphrase of the authority's key is this file's\nfirst line",
			 VLDAA_OPTION_INPUT},
    [PASSPHRASE_ENV] = {"passphrase-env", 0, "NAME", "it is in this environment variable", 0},
    {0},
};

#define DEFAULT_EXPIRY "90d"

/* --- arguments ---------------------------------------------------------------------------------
 */

static int parse_reason(const vldaa_call *call, uint8_t *reason)
{
	const char *text = call->values[REASON];
	char *end;
	long n;

	*reason = 0;
	if (!text)
		return VLDAA_EXIT_OK;
	errno = 0;
	n = strtol(text, &end, 10);
	if (errno || end == text || *end || n < 0 || n > UINT8_MAX)
		return vldaa_usage(call, "--reason is a number from 0 to 255");
	*reason = (uint8_t)n;
	return VLDAA_EXIT_OK;
}

static int parse_terms(const vldaa_call *call, vldaa_order_terms *terms)
{
	const char *expires = call->values[EXPIRES_IN];
	int64_t seconds = 0;

	memset(terms, 0, sizeof *terms);
	if (!call->values[SIGNATURE] && !call->values[ATTESTATION])
		return vldaa_usage(call, "--signature or --attestation is missing");
	if (call->values[MESSAGE] && !call->values[SIGNATURE])
		return vldaa_usage(call, "--message belongs to a --signature");
	if (!call->values[SOFT] == !call->values[HARD])
		return vldaa_usage(call, "say --soft or --hard");
	if (vldaa_duration_parse(&seconds, expires ? expires : DEFAULT_EXPIRY) != 0)
		return vldaa_usage(call, "--expires-in is " VLDAA_DURATION_HELP);
	if (seconds == 0)
		return vldaa_usage(call, "--expires-in 0 would be an order that nobody obeys");
	terms->mode = call->values[HARD] ? VLDAA_REVOKE_HARD : VLDAA_REVOKE_SOFT;
	terms->expiry = (int64_t)time(NULL) + seconds;
	return parse_reason(call, &terms->reason);
}

/* --- a new order -------------------------------------------------------------------------------
 */

typedef struct {
	const vldaa_set *set;
	const vldaa_attestation *attestation;
	const vldaa_authority_keys *keys;
	vldaa_order_terms terms;
} order_maker;

static int make(void *arg, uint64_t sequence, vldaa_buffer *clear, vldaa_buffer *sealed)
{
	order_maker *m = arg;
	size_t clear_len = 0, sealed_len = 0;
	int status = vldaa_buffer_for(clear, m->set, VLDAA_KIND_ORDER), err;

	if (status == VLDAA_EXIT_OK)
		status = vldaa_buffer_for(sealed, m->set, VLDAA_KIND_SEALED_ORDER);
	if (status != VLDAA_EXIT_OK)
		return status;
	m->terms.sequence = sequence;
	err = vldaa_order_new(m->attestation, &m->terms, m->keys->pkcs8.data, m->keys->pkcs8.len,
			      m->keys->fleet_key, clear->data, clear->len, &clear_len, sealed->data,
			      sealed->len, &sealed_len);
	if (err)
		return vldaa_report("the order", err);
	clear->len = clear_len;
	sealed->len = sealed_len;
	return VLDAA_EXIT_OK;
}

/* Verifies what the order is against. */
static int check_target(const vldaa_call *call, const vldaa_verifier *verifier,
			vldaa_checked *checked)
{
	static const vldaa_basename any = {.len = 0};
	const char *attestation = call->values[ATTESTATION];
	int status;

	if (call->values[SIGNATURE])
		status = vldaa_check_signature(checked, verifier, call->values[SIGNATURE],
					       call->values[MESSAGE], &attestation,
					       attestation != NULL, &any);
	else
		status = vldaa_check_attestation(checked, verifier, attestation, &any);
	if (status == VLDAA_EXIT_INVALID)
		vldaa_say("%s: %s", checked->subject, checked->text);
	return status;
}

static int print_order(const vldaa_call *call, const vldaa_buffer *clear)
{
	uint8_t digest[VLDAA_DIGEST_BYTES];
	vldaa_order_terms terms;
	vldaa_json json;
	int err = vldaa_order_read(clear->data, clear->len, &terms, digest);

	if (err)
		return vldaa_report("the order", err);
	if (call->values[JSON]) {
		vldaa_json_init(&json, stdout);
		vldaa_json_object(&json, NULL);
		vldaa_json_int(&json, "sequence", (int64_t)terms.sequence);
		vldaa_json_hex(&json, "digest", digest, sizeof digest);
		vldaa_json_int(&json, "expiry", terms.expiry);
		vldaa_json_object_end(&json);
	} else if (strcmp(call->values[OUTPUT], "-") != 0) {
		printf("order %" PRIu64 "\n", terms.sequence);
	}
	return VLDAA_EXIT_OK;
}

static int new_order(const vldaa_call *call, vldaa_buffer *clear, vldaa_buffer *sealed)
{
	const vldaa_passphrase passphrase = {call->values[PASSPHRASE_FILE],
					     call->values[PASSPHRASE_ENV], NULL, 0};
	const char *const inputs[] = {call->values[SIGNATURE], call->values[ATTESTATION],
				      call->values[MESSAGE]};
	vldaa_authority_keys keys = {.pkcs8 = {NULL, 0}};
	vldaa_verifier *verifier = NULL;
	vldaa_checked checked = {0};
	order_maker maker = {0};
	uint64_t sequence;
	int status = parse_terms(call, &maker.terms);

	if (status == VLDAA_EXIT_OK)
		status = vldaa_check_standard_input(call, inputs, sizeof inputs / sizeof inputs[0]);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_authority_verifier(&verifier, call->argv[0]);
	if (status == VLDAA_EXIT_OK && !call->values[JSON])
		vldaa_remind_set(vldaa_verifier_set(verifier));
	if (status == VLDAA_EXIT_OK)
		status = check_target(call, verifier, &checked);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_authority_keys_load(&keys, call->argv[0], &passphrase);
	if (status == VLDAA_EXIT_OK) {
		maker.set = vldaa_verifier_set(verifier);
		maker.attestation = checked.attestation;
		maker.keys = &keys;
		status = vldaa_orders_add(call->argv[0], make, &maker, &sequence, clear, sealed);
	}
	vldaa_authority_keys_clear(&keys);
	vldaa_checked_free(&checked);
	vldaa_verifier_free(verifier);
	return status;
}

/* --- an old one --------------------------------------------------------------------------------
 */

static int old_order(const vldaa_call *call, vldaa_buffer *clear, vldaa_buffer *sealed)
{
	const char *text = call->values[REPEAT];
	char *end;
	unsigned long long n;
	int status;

	if (call->values[SIGNATURE] || call->values[ATTESTATION] || call->values[SOFT] ||
	    call->values[HARD])
		return vldaa_usage(call, "--repeat is about an order that there is already");
	errno = 0;
	n = strtoull(text, &end, 10);
	if (errno || end == text || *end || text[0] == '-' || n == 0 || n > INT64_MAX)
		return vldaa_usage(call, "--repeat needs the number of an order");
	status = vldaa_orders_read_clear(clear, call->argv[0], n);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_orders_read_sealed(sealed, call->argv[0], n);
	return status;
}

static int run(const vldaa_call *call)
{
	vldaa_buffer clear = {NULL, 0}, sealed = {NULL, 0};
	int status;

	if (call->values[JSON] && strcmp(call->values[OUTPUT], "-") == 0)
		return vldaa_usage(call, "the order and JSON cannot both go to standard output");
	status = vldaa_authority_check(call->argv[0]);
	if (status != VLDAA_EXIT_OK)
		return status;
	status = call->values[REPEAT] ? old_order(call, &clear, &sealed)
				      : new_order(call, &clear, &sealed);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_write(call->values[OUTPUT], sealed.data, sealed.len, 0);
	if (status == VLDAA_EXIT_OK)
		status = print_order(call, &clear);
	vldaa_buffer_free(&clear);
	vldaa_buffer_free(&sealed);
	return status;
}

const vldaa_command vldaa_command_revoke_order = {
    .name = "order",
    .summary = "Make an order against the pseudonym of a signature or attestation",
    .arguments = "RADIR",
    .argument_kinds = "D",
    .min_arguments = 1,
    .max_arguments = 1,
    .options = options,
    .run = run,
    .details =
	"Broadcast ORDER to the whole fleet: it is encrypted, all orders have the same length,\n"
	"and only the pseudonym's owner can tell that it is meant.  Members obey orders only in\n"
	"the order of their numbers.  The directory keeps every order.\n"
	"\n"
	"  vldaa revoke order RA --signature bad.sig --message bad.txt --soft -o order",
};
