/*
 * Promises: the files in this folder are what a reader needs: a verifier made from the group key in
 * them accepts the attestation, the signatures and the confirmation in them; the pseudonym listed
 * for a basename is the attestation's.  So today's library still accepts what an earlier one made.
 *
 * Only the installed API is used, and a JSON reader that knows no more than these files need: a
 * member is found by its name, after the place where the one before was found.
 */
#include <check.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vldaa/revoke.h"
#include "vldaa/verify.h"

static const char *const files[] = {"vldaa2-44", "vldaa2-87", "vldaa-42", "vldaa-128", "vldaa-256"};

typedef struct {
	uint8_t *bytes;
	size_t len;
} blob;

static blob read_file(const char *name)
{
	char path[PATH_MAX];
	blob b = {NULL, 0};
	FILE *in;

	ck_assert_int_lt(snprintf(path, sizeof path, "%s/%s", VLDAA_VECTORS, name), PATH_MAX);
	in = fopen(path, "rb");
	ck_assert_msg(in != NULL, "%s", path);
	b.bytes = malloc(1 << 20);
	ck_assert_ptr_nonnull(b.bytes);
	b.len = fread(b.bytes, 1, (1 << 20) - 1, in);
	b.bytes[b.len] = 0;
	ck_assert_int_eq(fclose(in), 0);
	return b;
}

/* Moves *at behind `"name": `. */
static void find(const char **at, const char *name)
{
	char quoted[64];

	(void)snprintf(quoted, sizeof quoted, "\"%s\": ", name);
	*at = strstr(*at, quoted);
	ck_assert_msg(*at != NULL, "no %s", name);
	*at += strlen(quoted);
}

static blob find_hex(const char **at, const char *name)
{
	blob b;
	size_t digits;

	find(at, name);
	ck_assert_int_eq(**at, '"');
	++*at;
	digits = strspn(*at, "0123456789abcdef");
	ck_assert_int_eq((*at)[digits], '"');
	b.len = digits / 2;
	b.bytes = malloc(b.len + 1);
	for (size_t i = 0; i < b.len; i++) {
		const char byte[3] = {(*at)[2 * i], (*at)[2 * i + 1], 0};

		b.bytes[i] = (uint8_t)strtoul(byte, NULL, 16);
	}
	*at += digits;
	return b;
}

/* An object: its bytes are here, or in the file that is named. */
static blob find_object(const char **at, const char *name)
{
	const char *end;
	char file[128];
	blob b;

	find(at, name);
	end = strchr(*at, '}');
	ck_assert_ptr_nonnull(end);
	const char *beside = strstr(*at, "\"file\": \"");
	if (!beside || beside > end)
		return find_hex(at, "hex");
	ck_assert_int_eq(sscanf(beside, "\"file\": \"%127[-a-z0-9_.]\"", file), 1);
	b = read_file(file);
	*at = end;
	return b;
}

static int verify(const vldaa_verifier *verifier, blob signature, const vldaa_attestation *known,
		  blob message)
{
	vldaa_verification *v;
	int err =
	    vldaa_verification_new(&v, verifier, signature.bytes, signature.len, known, NULL, 0);

	if (!err)
		err = vldaa_verification_update(v, message.bytes, message.len);
	if (!err)
		err = vldaa_verification_end(v);
	vldaa_verification_free(v);
	return err;
}

START_TEST(a_verifier_accepts_what_the_files_hold)
{
	char name[64];
	const char *at;
	blob json, key, key_id, basename, nym, attestation, digest, token, order, confirmation;
	vldaa_verifier *verifier;
	vldaa_attestation *known;
	size_t len;

	(void)snprintf(name, sizeof name, "%s.json", files[_i]);
	json = read_file(name);
	at = (const char *)json.bytes;
	key = find_object(&at, "group_key");
	key_id = find_hex(&at, "key_id");
	ck_assert_int_eq(vldaa_verifier_new(&verifier, key.bytes, key.len), VLDAA_OK);
	ck_assert_mem_eq(vldaa_verifier_key_id(verifier), key_id.bytes, VLDAA_KEY_ID_BYTES);

	find(&at, "pseudonyms");
	basename = find_hex(&at, "basename");
	nym = find_hex(&at, "nym");
	find(&at, "create");
	attestation = find_object(&at, "attestation");
	digest = find_hex(&at, "attestation_digest");
	ck_assert_int_eq(
	    vldaa_attestation_new(&known, verifier, attestation.bytes, attestation.len), VLDAA_OK);
	ck_assert_mem_eq(vldaa_attestation_digest(known), digest.bytes, VLDAA_DIGEST_BYTES);
	ck_assert_mem_eq(vldaa_attestation_basename(known, &len), basename.bytes, basename.len);
	ck_assert_uint_eq(len, basename.len);
	ck_assert_mem_eq(vldaa_attestation_nym(known, &len), nym.bytes, nym.len);
	ck_assert_uint_eq(len, nym.len);

	find(&at, "signatures");
	for (int i = 0; i < 3; i++) {
		blob message = find_hex(&at, "message");
		blob compact = find_object(&at, "compact");

		ck_assert_int_eq(verify(verifier, compact, known, message), VLDAA_OK);
		if (vldaa_set_bare_size(vldaa_verifier_set(verifier)) > 0) {
			const blob bare = {compact.bytes + 74, compact.len - 74};

			ck_assert_uint_eq(bare.len,
					  vldaa_set_bare_size(vldaa_verifier_set(verifier)));
			ck_assert_int_eq(verify(verifier, bare, known, message), VLDAA_OK);
		}
		message.bytes[0] ^= 1;
		message.len += message.len == 0;
		ck_assert_int_eq(verify(verifier, compact, known, message), VLDAA_ERR_PROOF);
		free(message.bytes);
		free(compact.bytes);
	}
	token = find_object(&at, "token");
	order = find_object(&at, "order");
	confirmation = find_object(&at, "confirmation");
	ck_assert_int_eq(vldaa_confirmation_check(verifier, order.bytes, order.len,
						  confirmation.bytes, confirmation.len, token.bytes,
						  token.len),
			 VLDAA_OK);
	vldaa_attestation_free(known);
	vldaa_verifier_free(verifier);
	const blob all[] = {json,        key,    key_id, basename, nym,
			    attestation, digest, token,  order,    confirmation};
	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
		free(all[i].bytes);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("known answers");
	TCase *tc = tcase_create("as a reader");
	SRunner *sr = srunner_create(s);

	tcase_add_loop_test(tc, a_verifier_accepts_what_the_files_hold, 0,
			    (int)(sizeof files / sizeof files[0]));
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
