/* vldaa token show: what is on a token. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "token/token.h"

enum { JSON = VLDAA_TOKEN_OPTIONS, PUBLIC };
static const vldaa_option options[] = {
    VLDAA_TOKEN_COMMON,
    [JSON] = {"json", 0, NULL, "answer as JSON", 0},
    [PUBLIC] = {"public", 0, NULL, "only what everybody may see: no PIN is asked for", 0},
    {NULL, 0, NULL, NULL, 0},
};

static const char *kind_of(CK_OBJECT_CLASS class, CK_ULONG role)
{
	const int is_private = class == CKO_PRIVATE_KEY;

	if (class == CKO_DATA)
		return "data";
	if (class == CKO_CERTIFICATE)
		return "certificate";
	switch (role) {
	case CK_VLDAA_ROLE_ISSUER:
		return "issuer's key";
	case CK_VLDAA_ROLE_GROUP:
		return "group's public key";
	case CK_VLDAA_ROLE_MEMBER:
		return is_private ? "member's key" : "member's public key";
	case CK_VLDAA_ROLE_PSEUDONYM:
		return is_private ? "pseudonym" : "pseudonym's public key";
	default:
		return "object";
	}
}

typedef struct {
	const char *kind;
	int is_member, joined, is_expulsion;
	vldaa_buffer set, label, basename, id;
} description;

static int describe(description *d, vldaa_token *t, CK_OBJECT_HANDLE object)
{
	const CK_OBJECT_CLASS class = vldaa_token_get_ulong(t, object, CKA_CLASS);
	const CK_ULONG role = vldaa_token_get_ulong(t, object, CKA_VLDAA_ROLE);
	int status;

	memset(d, 0, sizeof *d);
	d->kind = kind_of(class, role);
	d->is_member = class == CKO_PRIVATE_KEY && role == CK_VLDAA_ROLE_MEMBER;
	d->joined = vldaa_token_get_bool(t, object, CKA_VLDAA_JOINED);
	d->is_expulsion = vldaa_token_is_expulsion(t, object);
	status = vldaa_token_get(t, object, CKA_VLDAA_SET, &d->set);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_token_get(t, object, CKA_LABEL, &d->label);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_token_get(t, object, CKA_VLDAA_BASENAME, &d->basename);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_token_get(t, object, CKA_ID, &d->id);
	return status;
}

static void clear(description *d)
{
	vldaa_buffer_free(&d->set);
	vldaa_buffer_free(&d->label);
	vldaa_buffer_free(&d->basename);
	vldaa_buffer_free(&d->id);
}

static void print_field(const char *name, const vldaa_buffer *text)
{
	if (text->len == 0)
		return;
	printf("  %s ", name);
	vldaa_print_text(stdout, text->data, text->len);
}

static void print_line(const description *d)
{
	printf("%-22s", d->kind);
	if (d->is_member)
		printf("  %s", d->joined ? "joined" : "not joined");
	if (d->is_expulsion)
		printf("  a hard order has expelled the member");
	print_field("set", &d->set);
	print_field("basename", &d->basename);
	/* A pseudonym's label is its basename unless somebody changed it. */
	if (d->label.len != d->basename.len ||
	    (d->label.len > 0 && memcmp(d->label.data, d->basename.data, d->label.len) != 0))
		print_field("label", &d->label);
	if (d->id.len > 0) {
		printf("  id ");
		vldaa_print_hex(stdout, d->id.data, d->id.len);
	}
	printf("\n");
}

static void print_json(vldaa_json *json, const description *d)
{
	vldaa_json_object(json, NULL);
	vldaa_json_string(json, "kind", d->kind);
	if (d->is_member)
		vldaa_json_bool(json, "joined", d->joined);
	if (d->is_expulsion)
		vldaa_json_bool(json, "expelled", 1);
	if (d->set.len > 0)
		vldaa_json_text(json, "set", d->set.data, d->set.len);
	if (d->basename.len > 0)
		vldaa_json_hex(json, "basename_hex", d->basename.data, d->basename.len);
	if (d->label.len > 0)
		vldaa_json_text(json, "label", d->label.data, d->label.len);
	if (d->id.len > 0)
		vldaa_json_hex(json, "id", d->id.data, d->id.len);
	vldaa_json_object_end(json);
}

static int print_all(vldaa_token *t, const CK_OBJECT_HANDLE *found, CK_ULONG n, int as_json)
{
	int status = VLDAA_EXIT_OK;
	vldaa_json json;

	vldaa_json_init(&json, stdout);
	if (as_json)
		vldaa_json_array(&json, NULL);
	for (CK_ULONG i = 0; i < n && status == VLDAA_EXIT_OK; i++) {
		description d;

		status = describe(&d, t, found[i]);
		if (status == VLDAA_EXIT_OK && as_json)
			print_json(&json, &d);
		else if (status == VLDAA_EXIT_OK)
			print_line(&d);
		clear(&d);
	}
	if (as_json)
		vldaa_json_array_end(&json);
	return status;
}

static int run(const vldaa_call *call)
{
	CK_OBJECT_HANDLE *found = NULL;
	CK_ULONG n = 0;
	vldaa_token t = {0};
	int status = vldaa_token_open(&t, call,
				      call->values[PUBLIC] ? VLDAA_TOKEN_PUBLIC : VLDAA_TOKEN_USER);

	if (status == VLDAA_EXIT_OK)
		status = vldaa_token_find(&t, NULL, 0, &found, &n);
	if (status == VLDAA_EXIT_OK)
		status = print_all(&t, found, n, call->values[JSON] != NULL);
	free(found);
	vldaa_token_close(&t);
	return status;
}

const vldaa_command vldaa_command_token_show = {
    .name = "show",
    .summary = "Show the keys, certificates and data on a token",
    .arguments = "",
    .max_arguments = 0,
    .options = options,
    .run = run,
    .details = "Example:\n"
	       "  vldaa token show --token car",
};
