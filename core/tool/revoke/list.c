/* vldaa revoke list: the orders of an authority, and the list that verifiers load. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "output.h"
#include "revoke/authority.h"
#include "revoke/orders.h"
#include "revoke/revoke.h"

enum { UNCONFIRMED, OUTPUT, JSON };

static const vldaa_option options[] = {
    [UNCONFIRMED] = {"unconfirmed", 0, NULL, "only orders that nobody has confirmed", 0},
    [OUTPUT] = {"output", 'o', "LIST", "write their pseudonyms as a list for `vldaa verify`",
		VLDAA_OPTION_OUTPUT},
    [JSON] = {"json", 0, NULL, "answer as JSON", 0},
    {0},
};

typedef struct {
	uint64_t sequence;
	vldaa_buffer clear;
	vldaa_object_info info;
	vldaa_order_terms terms;
	uint8_t digest[VLDAA_DIGEST_BYTES];
	int confirmed;
} order;

/* --- reading -----------------------------------------------------------------------------------
 */

static int read_order(order *o, const char *directory)
{
	int status = vldaa_orders_confirmed(directory, o->sequence, &o->confirmed), err;

	if (status == VLDAA_EXIT_OK)
		status = vldaa_orders_read_clear(&o->clear, directory, o->sequence);
	if (status != VLDAA_EXIT_OK)
		return status;
	err = vldaa_object_inspect(&o->info, o->clear.data, o->clear.len);
	if (!err)
		err = vldaa_order_read(o->clear.data, o->clear.len, &o->terms, o->digest);
	if (err) {
		vldaa_say("order %" PRIu64 ": %s", o->sequence, vldaa_code_text(err));
		return VLDAA_EXIT_FAILED;
	}
	return VLDAA_EXIT_OK;
}

static void free_orders(order *orders, size_t count)
{
	for (size_t i = 0; i < count; i++)
		vldaa_buffer_free(&orders[i].clear);
	free(orders);
}

/* The orders that are asked for. */
static int read_orders(order **out, size_t *out_count, const char *directory, int unconfirmed)
{
	uint64_t *sequences = NULL;
	size_t count = 0, kept = 0;
	order *orders = NULL;
	int status = vldaa_orders_list(&sequences, &count, directory);

	if (status == VLDAA_EXIT_OK) {
		orders = calloc(count ? count : 1, sizeof *orders);
		if (!orders)
			status = vldaa_report(NULL, VLDAA_ERR_MEMORY);
	}
	for (size_t i = 0; i < count && status == VLDAA_EXIT_OK; i++) {
		orders[kept] = (order){.sequence = sequences[i]};
		status = read_order(&orders[kept], directory);
		if (status == VLDAA_EXIT_OK && unconfirmed && orders[kept].confirmed)
			vldaa_buffer_free(&orders[kept].clear);
		else
			kept++;
	}
	free(sequences);
	if (status != VLDAA_EXIT_OK && orders) {
		free_orders(orders, kept);
		orders = NULL;
		kept = 0;
	}
	*out = orders;
	*out_count = kept;
	return status;
}

/* --- the list for verifiers --------------------------------------------------------------------
 */

static int encode_list(vldaa_buffer *out, const vldaa_verifier *verifier, const order *orders,
		       size_t count)
{
	const vldaa_set *set = vldaa_verifier_set(verifier);
	const uint8_t **inputs = calloc(count ? count : 1, sizeof *inputs);
	size_t *lens = calloc(count ? count : 1, sizeof *lens), len = 0;
	/* An entry is a part of its order. */
	int status =
	    vldaa_buffer_new(out, (count + 1) * vldaa_object_max_size(set, VLDAA_KIND_ORDER));
	int err = inputs && lens ? VLDAA_OK : VLDAA_ERR_MEMORY;

	for (size_t i = 0; i < count && !err; i++) {
		inputs[i] = orders[i].clear.data;
		lens[i] = orders[i].clear.len;
	}
	if (status == VLDAA_EXIT_OK && !err) {
		err = count ? vldaa_revoked_list(inputs, lens, count, out->data, out->len, &len)
			    : vldaa_empty_list(verifier, VLDAA_KIND_REVOKED_LIST, out->data,
					       out->len, &len);
	}
	if (status == VLDAA_EXIT_OK && err)
		status = vldaa_report("the list", err);
	out->len = status == VLDAA_EXIT_OK ? len : out->len;
	free(inputs);
	free(lens);
	return status;
}

static int write_list(const vldaa_call *call, const order *orders, size_t count)
{
	vldaa_verifier *verifier = NULL;
	vldaa_buffer list = {NULL, 0};
	int status = vldaa_authority_verifier(&verifier, call->argv[0]);

	if (status == VLDAA_EXIT_OK)
		status = encode_list(&list, verifier, orders, count);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_write(call->values[OUTPUT], list.data, list.len, 0);
	vldaa_buffer_free(&list);
	vldaa_verifier_free(verifier);
	return status;
}

/* --- printing ----------------------------------------------------------------------------------
 */

static const char *mode_name(const order *o)
{
	return o->terms.mode == VLDAA_REVOKE_HARD ? "hard" : "soft";
}

static void print_json(const order *orders, size_t count)
{
	vldaa_json json;

	vldaa_json_init(&json, stdout);
	vldaa_json_array(&json, NULL);
	for (size_t i = 0; i < count; i++) {
		const order *o = &orders[i];

		vldaa_json_object(&json, NULL);
		vldaa_json_int(&json, "sequence", (int64_t)o->sequence);
		vldaa_json_string(&json, "mode", mode_name(o));
		vldaa_json_int(&json, "reason", o->terms.reason);
		vldaa_json_int(&json, "expiry", o->terms.expiry);
		vldaa_json_bool(&json, "confirmed", o->confirmed);
		vldaa_json_text(&json, "basename", o->info.basename, o->info.basename_len);
		vldaa_json_hex(&json, "basename_hex", o->info.basename, o->info.basename_len);
		vldaa_json_hex(&json, "attestation", o->info.digest, sizeof o->info.digest);
		vldaa_json_hex(&json, "digest", o->digest, sizeof o->digest);
		vldaa_json_object_end(&json);
	}
	vldaa_json_array_end(&json);
}

static void print_text(const order *orders, size_t count, int unconfirmed)
{
	const int64_t now = (int64_t)time(NULL);

	if (count == 0)
		printf(unconfirmed ? "no unconfirmed orders\n" : "no orders\n");
	for (size_t i = 0; i < count; i++) {
		const order *o = &orders[i];
		char expiry[VLDAA_TIME_TEXT];

		vldaa_time_text(expiry, o->terms.expiry);
		printf("%" PRIu64 "  %s  reason %-3d  %-11s  %s %s  ", o->sequence, mode_name(o),
		       o->terms.reason, o->confirmed ? "confirmed" : "unconfirmed",
		       o->terms.expiry < now ? "expired" : "until", expiry);
		vldaa_print_text(stdout, o->info.basename, o->info.basename_len);
		printf("\n");
	}
}

static int run(const vldaa_call *call)
{
	order *orders = NULL;
	size_t count = 0;
	int status;

	if (call->values[OUTPUT] && strcmp(call->values[OUTPUT], "-") == 0)
		return vldaa_usage(call, "the list and the text cannot both go to standard output");
	status = vldaa_authority_check(call->argv[0]);
	if (status == VLDAA_EXIT_OK)
		status =
		    read_orders(&orders, &count, call->argv[0], call->values[UNCONFIRMED] != NULL);
	if (status == VLDAA_EXIT_OK && call->values[OUTPUT])
		status = write_list(call, orders, count);
	if (status == VLDAA_EXIT_OK) {
		if (call->values[JSON])
			print_json(orders, count);
		else
			print_text(orders, count, call->values[UNCONFIRMED] != NULL);
	}
	free_orders(orders, count);
	return status;
}

const vldaa_command vldaa_command_revoke_list = {
    .name = "list",
    .summary = "List an authority's orders, and make the list for verifiers",
    .arguments = "RADIR",
    .argument_kinds = "D",
    .min_arguments = 1,
    .max_arguments = 1,
    .options = options,
    .run = run,
    .details = "An expired order that nobody confirmed was not obeyed: it stays on the list.\n"
	       "\n"
	       "  vldaa revoke list RA --unconfirmed -o revoked.list\n"
	       "  vldaa verify --group group.pem --revoked-list revoked.list ...",
};
