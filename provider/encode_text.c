/*
 * `openssl pkey -text`: what a person wants to know of a key.  Nothing secret is printed.
 */
#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <string.h>

#include "encode.h"
#include "errors.h"
#include "functions.h"

static int print_octets(BIO *out, const char *title, const uint8_t *octets, size_t len)
{
	int fine = BIO_printf(out, "%s", title) > 0;

	for (size_t i = 0; fine && i < len; i++)
		fine = BIO_printf(out, "%02x", octets[i]) > 0;
	return fine && BIO_printf(out, "\n") > 0;
}

static int print_security(BIO *out, const vldaa_set *set)
{
	const char *warning = vldaa_set_warning(set);

	if (BIO_printf(out, "Security:  %d bits against forgery, %d bits of the member's key\n",
		       vldaa_set_signature_bits(set), vldaa_set_key_bits(set)) <= 0)
		return 0;
	return warning == NULL || BIO_printf(out, "Warning:   %s\n", warning) > 0;
}

/* A basename or a label as it is when it is plain text, else in hexadecimal: a stranger's bytes do not reach the
 * terminal. */
static int print_name(BIO *out, const char *title, const uint8_t *basename, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (basename[i] < 0x20 || basename[i] > 0x7e)
			return BIO_printf(out, "%s0x", title) > 0 &&
			       print_octets(out, "", basename, len);
	}
	return BIO_printf(out, "%s%.*s\n", title, (int)len, (const char *)basename) > 0;
}

/* Of a pseudonym: what the attestation says. */
static int print_pseudonym(BIO *out, const vldaa_object_info *info)
{
	return print_name(out, "Basename:  ", info->basename, info->basename_len) &&
	       print_octets(out, "Digest:    ", info->digest, sizeof info->digest);
}

/* Of a member: under which pseudonym the key signs for who gives no basename. */
static int print_default(BIO *out, const vldaa_prov_key *key)
{
	const vldaa_default_basename policy = vldaa_prov_key_own_policy(key).is;

	return policy.len == 0 || print_name(out, "Default basename: ", policy.text, policy.len);
}

static int print_private(BIO *out, const vldaa_prov_key *key)
{
	const vldaa_prov_token_key *there = key->in_token;
	const char *token, *label;

	if (there == NULL)
		return BIO_printf(out, "Private:   %zu bytes, not shown\n", key->secret_len) > 0;
	token = vldaa_prov_token_key_token(there);
	label = vldaa_prov_token_key_label(there);
	return print_name(out, "Token:     ", (const uint8_t *)token, strlen(token)) &&
	       print_name(out, "Object:    ", (const uint8_t *)label, strlen(label));
}

static int print(BIO *out, const vldaa_prov_key *key, int private)
{
	return BIO_printf(out, "%s %s\n", vldaa_set_name(key->set),
			  vldaa_prov_kind_name(private ? key->kind
						       : vldaa_prov_public_kind(key->kind))) > 0 &&
	       print_octets(out, "Group:     ", key->info.key_id, VLDAA_KEY_ID_BYTES) &&
	       (key->kind != VLDAA_PROV_PSEUDONYM || print_pseudonym(out, &key->info)) &&
	       (!private || print_default(out, key)) && print_security(out, key->set) &&
	       BIO_printf(out, "Public:    %zu bytes\n", key->public_len) > 0 &&
	       (!private || print_private(out, key));
}

static int text_selection(void *provctx, int selection)
{
	(void)provctx;
	(void)selection;
	return 1;
}

static int text(void *ctx, OSSL_CORE_BIO *core_bio, const void *raw, const OSSL_PARAM abstract[],
		int selection, OSSL_PASSPHRASE_CALLBACK *ask, void *arg)
{
	const vldaa_prov_encoder *encoder = ctx;
	const vldaa_prov_key *key = vldaa_prov_encoder_key(encoder, raw, abstract);
	const int private = (selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0;
	BIO *out;
	int done;

	(void)ask;
	(void)arg;
	if (key == NULL)
		return 0;
	if (key->kind == VLDAA_PROV_EMPTY || (private && !vldaa_prov_key_is_private(key))) {
		VLDAA_PROV_RAISE(encoder->prov, key->kind == VLDAA_PROV_EMPTY
						    ? VLDAA_PROV_ERR_NO_KEY
						    : VLDAA_PROV_ERR_PUBLIC_ONLY);
		return 0;
	}
	out = BIO_new_from_core_bio(encoder->prov->libctx, core_bio);
	if (out == NULL)
		VLDAA_PROV_RAISE(encoder->prov, VLDAA_ERR_MEMORY);
	done = out != NULL && print(out, key, private);
	BIO_free(out);
	return done;
}

const OSSL_DISPATCH vldaa_prov_encode_text[] = {
    {OSSL_FUNC_ENCODER_NEWCTX, (void (*)(void))vldaa_prov_encoder_new},
    {OSSL_FUNC_ENCODER_FREECTX, (void (*)(void))vldaa_prov_encoder_free},
    {OSSL_FUNC_ENCODER_DOES_SELECTION, (void (*)(void))text_selection},
    {OSSL_FUNC_ENCODER_ENCODE, (void (*)(void))text},
    {0, NULL},
};
