/*
 * Promises of signatures on EVP: every way to ask for one gives one that the library itself verifies and that EVP verifies
 * in every way; contexts are copied in the middle and begun again; the forms are what they say; what is wrong is an error
 * that says so, and invalid is told from failed.
 */
#include <check.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/params.h>
#include <stdlib.h>
#include <string.h>

#include "evp.h"
#include "vldaa/member_key.h"

static const char message[] = "the brakes of the lorry in front are hot";
enum { LEN = sizeof message - 1 };

static evp_world e;
static EVP_PKEY *member, *group;

static void set_up(int set)
{
	evp_init(&e, evp_set(set));
	member = evp_member(&e);
	group = evp_group(&e);
}

static void tear_down(void)
{
	EVP_PKEY_free(member);
	EVP_PKEY_free(group);
	ck_assert_uint_eq(ERR_peek_error(), 0);
	evp_free(&e);
}

static EVP_MD_CTX *begin_sign(const char *basename)
{
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	OSSL_PARAM params[2];

	params[0] = OSSL_PARAM_construct_octet_string("basename", (void *)(uintptr_t)basename,
						      strlen(basename));
	params[1] = OSSL_PARAM_construct_end();
	ck_assert_int_eq(EVP_DigestSignInit_ex(ctx, NULL, NULL, e.libctx, NULL, member, params), 1);
	return ctx;
}

/* By the library: what the provider makes is what the roles make. */
static void assert_valid(buffer signature, const char *basename)
{
	vldaa_verification *x = NULL;

	ck_assert_int_eq(vldaa_verification_new(&x, e.w.verifier, signature.data, signature.len,
						NULL, (const uint8_t *)basename, strlen(basename)),
			 VLDAA_OK);
	ck_assert_int_eq(vldaa_verification_update(x, message, LEN), VLDAA_OK);
	ck_assert_int_eq(vldaa_verification_end(x), VLDAA_OK);
	vldaa_verification_free(x);
}

static buffer room(void)
{
	return buffer_new(vldaa_object_max_size(e.w.set, VLDAA_KIND_SIGNATURE));
}

static buffer finish(EVP_MD_CTX *ctx)
{
	buffer out = room();

	ck_assert_int_eq(EVP_DigestSignFinal(ctx, out.data, &out.len), 1);
	return out;
}

START_TEST(every_way_of_signing_gives_a_valid_signature)
{
	EVP_PKEY_CTX *plain;
	EVP_MD_CTX *ctx;
	buffer sig;
	size_t len = 0;

	set_up(_i);
	/* in pieces */
	ctx = begin_sign("here");
	ck_assert_int_eq(EVP_DigestSignUpdate(ctx, message, 5), 1);
	ck_assert_int_eq(EVP_DigestSignUpdate(ctx, message, 0), 1);
	ck_assert_int_eq(EVP_DigestSignUpdate(ctx, message + 5, LEN - 5), 1);
	ck_assert_int_eq(EVP_DigestSignFinal(ctx, NULL, &len), 1);
	ck_assert_uint_eq(len, (size_t)EVP_PKEY_get_size(member));
	sig = finish(ctx);
	ck_assert_uint_le(sig.len, len);
	assert_valid(sig, "here");
	EVP_MD_CTX_free(ctx);
	buffer_free(&sig);
	/* at once, twice with one context */
	ctx = begin_sign("here");
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(EVP_DigestSignInit_ex(ctx, NULL, NULL, e.libctx, NULL, NULL, NULL),
				 1);
		ck_assert_int_eq(EVP_DigestSign(ctx, NULL, &len, (const uint8_t *)message, LEN), 1);
		sig = room();
		ck_assert_int_eq(
		    EVP_DigestSign(ctx, sig.data, &sig.len, (const uint8_t *)message, LEN), 1);
		assert_valid(sig, "here");
		buffer_free(&sig);
	}
	EVP_MD_CTX_free(ctx);
	/* without a digest, also twice */
	plain = EVP_PKEY_CTX_new_from_pkey(e.libctx, member, NULL);
	ck_assert_int_eq(EVP_PKEY_sign_init(plain), 1);
	ck_assert_int_eq(EVP_PKEY_CTX_ctrl_str(plain, "basename", "here"), 1);
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(EVP_PKEY_sign(plain, NULL, &len, (const uint8_t *)message, LEN),
				 1);
		sig = room();
		ck_assert_int_eq(
		    EVP_PKEY_sign(plain, sig.data, &sig.len, (const uint8_t *)message, LEN), 1);
		assert_valid(sig, "here");
		buffer_free(&sig);
	}
	EVP_PKEY_CTX_free(plain);
	tear_down();
}
END_TEST

static int verify_in_pieces(buffer sig, const void *text, size_t len)
{
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	const uint8_t *p = text;
	int result;

	ck_assert_int_eq(EVP_DigestVerifyInit_ex(ctx, NULL, NULL, e.libctx, NULL, group, NULL), 1);
	for (size_t i = 0; i < len; i++)
		ck_assert_int_eq(EVP_DigestVerifyUpdate(ctx, p + i, 1), 1);
	result = EVP_DigestVerifyFinal(ctx, sig.data, sig.len);
	EVP_MD_CTX_free(ctx);
	return result;
}

static int verify_plain(buffer sig, const void *text, size_t len)
{
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(e.libctx, group, NULL);
	int result;

	ck_assert_int_eq(EVP_PKEY_verify_init(ctx), 1);
	result = EVP_PKEY_verify(ctx, sig.data, sig.len, text, len);
	/* again with the same context */
	ck_assert_int_eq(EVP_PKEY_verify(ctx, sig.data, sig.len, text, len), result);
	EVP_PKEY_CTX_free(ctx);
	return result;
}

START_TEST(every_way_of_verifying_accepts_it_and_refuses_another_message)
{
	buffer sig;

	set_up(_i);
	sig = evp_sign(&e, member, "here", NULL, message, LEN);
	ck_assert_int_eq(verify_in_pieces(sig, message, LEN), 1);
	ck_assert_int_eq(verify_plain(sig, message, LEN), 1);
	ck_assert_int_eq(evp_verify(&e, group, sig, NULL, message, LEN), 1);
	ck_assert_int_eq(evp_verify(&e, member, sig, "here", message, LEN), 1);
	ck_assert_uint_eq(ERR_peek_error(), 0);
	ck_assert_int_eq(verify_in_pieces(sig, message, LEN - 1), 0);
	ck_assert_int_eq(verify_plain(sig, message, LEN - 1), 0);
	ck_assert_int_eq(evp_verify(&e, group, sig, NULL, message, LEN - 1), 0);
	(void)evp_reason();
	ck_assert_int_eq(evp_verify(&e, group, sig, "there", message, LEN), 0);
	ck_assert_str_eq(evp_reason(), vldaa_error_text(VLDAA_ERR_WRONG_BASENAME));
	buffer_free(&sig);
	/* the empty message is one */
	sig = evp_sign(&e, member, "here", NULL, "", 0);
	ck_assert_int_eq(verify_in_pieces(sig, "", 0), 1);
	ck_assert_int_eq(verify_in_pieces(sig, "x", 1), 0);
	(void)evp_reason();
	buffer_free(&sig);
	tear_down();
}
END_TEST

START_TEST(a_copy_in_the_middle_goes_its_own_way)
{
	EVP_MD_CTX *ctx, *copy = EVP_MD_CTX_new();
	buffer sig, other;

	set_up(_i);
	ctx = begin_sign("here");
	ck_assert_int_eq(EVP_DigestSignUpdate(ctx, message, 7), 1);
	ck_assert_int_eq(EVP_MD_CTX_copy_ex(copy, ctx), 1);
	ck_assert_int_eq(EVP_DigestSignUpdate(copy, "something else", 14), 1);
	ck_assert_int_eq(EVP_DigestSignUpdate(ctx, message + 7, LEN - 7), 1);
	sig = finish(ctx);
	EVP_MD_CTX_free(ctx);
	other = finish(copy);
	ck_assert_int_eq(verify_in_pieces(sig, message, LEN), 1);
	ck_assert_int_eq(verify_in_pieces(other, "the brasomething else", 21), 1);
	EVP_MD_CTX_free(copy);
	/* and of a verification */
	ctx = EVP_MD_CTX_new();
	copy = EVP_MD_CTX_new();
	ck_assert_int_eq(EVP_DigestVerifyInit_ex(ctx, NULL, NULL, e.libctx, NULL, group, NULL), 1);
	ck_assert_int_eq(EVP_DigestVerifyUpdate(ctx, message, 7), 1);
	ck_assert_int_eq(EVP_MD_CTX_copy_ex(copy, ctx), 1);
	ck_assert_int_eq(EVP_DigestVerifyUpdate(copy, "something else", 14), 1);
	ck_assert_int_eq(EVP_DigestVerifyUpdate(ctx, message + 7, LEN - 7), 1);
	ck_assert_int_eq(EVP_DigestVerifyFinal(copy, other.data, other.len), 1);
	EVP_MD_CTX_free(copy);
	ck_assert_int_eq(EVP_DigestVerifyFinal(ctx, sig.data, sig.len), 1);
	EVP_MD_CTX_free(ctx);
	buffer_free(&sig);
	buffer_free(&other);
	tear_down();
}
END_TEST

START_TEST(a_context_is_begun_again_with_the_key_that_it_has)
{
	EVP_MD_CTX *ctx;
	buffer sig;

	set_up(_i);
	ctx = begin_sign("here");
	ck_assert_int_eq(EVP_DigestSignUpdate(ctx, "forgotten", 9), 1);
	ck_assert_int_eq(EVP_DigestSignInit_ex(ctx, NULL, NULL, e.libctx, NULL, NULL, NULL), 1);
	ck_assert_int_eq(EVP_DigestSignUpdate(ctx, message, LEN), 1);
	sig = finish(ctx);
	EVP_MD_CTX_free(ctx);
	assert_valid(sig, "here");
	ctx = EVP_MD_CTX_new();
	ck_assert_int_eq(EVP_DigestVerifyInit_ex(ctx, NULL, NULL, e.libctx, NULL, group, NULL), 1);
	ck_assert_int_eq(EVP_DigestVerifyUpdate(ctx, "forgotten", 9), 1);
	ck_assert_int_eq(EVP_DigestVerifyInit_ex(ctx, NULL, NULL, e.libctx, NULL, NULL, NULL), 1);
	ck_assert_int_eq(EVP_DigestVerifyUpdate(ctx, message, LEN), 1);
	ck_assert_int_eq(EVP_DigestVerifyFinal(ctx, sig.data, sig.len), 1);
	EVP_MD_CTX_free(ctx);
	buffer_free(&sig);
	tear_down();
}
END_TEST

START_TEST(forms_are_what_they_say)
{
	EVP_MD_CTX *ctx;
	EVP_PKEY_CTX *pkey_ctx = NULL;
	const size_t bare_size = vldaa_set_bare_size(evp_set(_i));
	uint8_t attestation[65536];
	size_t attestation_len = 0;
	OSSL_PARAM params[2];
	buffer sig, bare = {NULL, 0};

	set_up(_i);
	sig = evp_sign(&e, member, "here", "compact", message, LEN);
	ck_assert_int_eq(sig.data[4], VLDAA_KIND_COMPACT);
	ck_assert_int_eq(evp_verify(&e, group, sig, NULL, message, LEN), 0);
	ck_assert_str_eq(evp_reason(), vldaa_error_text(VLDAA_ERR_ATTESTATION));
	/* the signer tells the attestation */
	ctx = begin_sign("here");
	ck_assert_int_eq(EVP_DigestSignUpdate(ctx, message, LEN), 1);
	params[0] =
	    OSSL_PARAM_construct_octet_string("attestation", attestation, sizeof attestation);
	params[1] = OSSL_PARAM_construct_end();
	ck_assert_int_eq(EVP_PKEY_CTX_get_params(EVP_MD_CTX_get_pkey_ctx(ctx), params), 1);
	attestation_len = params[0].return_size;
	EVP_MD_CTX_free(ctx);
	params[0].data_size = attestation_len;
	ctx = EVP_MD_CTX_new();
	ck_assert_int_eq(
	    EVP_DigestVerifyInit_ex(ctx, &pkey_ctx, NULL, e.libctx, NULL, group, params), 1);
	ck_assert_int_eq(EVP_DigestVerify(ctx, sig.data, sig.len, (const uint8_t *)message, LEN),
			 1);
	ck_assert_int_eq(EVP_DigestVerifyInit_ex(ctx, NULL, NULL, e.libctx, NULL, NULL, NULL), 1);
	ck_assert_int_eq(
	    EVP_DigestVerify(ctx, sig.data, sig.len, (const uint8_t *)message, LEN - 1), 0);
	(void)evp_reason();
	ck_assert_int_eq(EVP_DigestVerifyInit_ex(ctx, NULL, NULL, e.libctx, NULL, NULL, NULL), 1);
	if (bare_size > 0) {
		bare = evp_sign(&e, member, "here", "bare", message, LEN);
		ck_assert_uint_eq(bare.len, bare_size);
		ck_assert_int_eq(
		    EVP_DigestVerify(ctx, bare.data, bare.len, (const uint8_t *)message, LEN), 1);
		ck_assert_int_eq(evp_verify(&e, group, bare, NULL, message, LEN), 0);
	} else {
		ck_assert_int_le(evp_try_sign(&e, member, "here", "bare", message, LEN, &bare), 0);
		ck_assert_str_eq(evp_reason(), vldaa_error_text(VLDAA_ERR_FORM));
	}
	ERR_clear_error();
	EVP_MD_CTX_free(ctx);
	buffer_free(&bare);
	buffer_free(&sig);
	tear_down();
}
END_TEST

/* What a verification told, or 0. */
static size_t told(EVP_MD_CTX *ctx, const char *name, uint8_t *out, size_t size)
{
	OSSL_PARAM params[2];

	params[0] = OSSL_PARAM_construct_octet_string(name, out, size);
	params[1] = OSSL_PARAM_construct_end();
	return EVP_PKEY_CTX_get_params(EVP_MD_CTX_get_pkey_ctx(ctx), params) == 1
		   ? params[0].return_size
		   : 0;
}

START_TEST(a_verification_tells_the_pseudonym_and_an_invalid_one_nothing)
{
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	uint8_t nym[65536], digest[VLDAA_DIGEST_BYTES], expected[VLDAA_DIGEST_BYTES];
	vldaa_attestation *a = NULL;
	const uint8_t *att, *its_nym;
	size_t len;
	buffer sig;

	set_up(_i);
	sig = evp_sign(&e, member, "here", NULL, message, LEN);
	evp_digest(sig, expected);
	ck_assert_int_eq(vldaa_object_public(&att, &len, sig.data, sig.len), VLDAA_OK);
	ck_assert_int_eq(vldaa_attestation_new(&a, e.w.verifier, att, len), VLDAA_OK);
	its_nym = vldaa_attestation_nym(a, &len);
	ck_assert_int_eq(EVP_DigestVerifyInit_ex(ctx, NULL, NULL, e.libctx, NULL, group, NULL), 1);
	ck_assert_uint_eq(told(ctx, "nym", nym, sizeof nym), 0);
	ck_assert_int_eq(EVP_DigestVerifyUpdate(ctx, message, LEN), 1);
	ck_assert_int_eq(EVP_DigestVerifyFinal(ctx, sig.data, sig.len), 1);
	ck_assert_uint_eq(told(ctx, "nym", nym, sizeof nym), len);
	ck_assert_mem_eq(nym, its_nym, len);
	ck_assert_uint_eq(told(ctx, "attestation-digest", digest, sizeof digest), sizeof digest);
	ck_assert_mem_eq(digest, expected, sizeof digest);
	ck_assert_uint_eq(told(ctx, "basename", nym, sizeof nym), 4);
	ck_assert_mem_eq(nym, "here", 4);
	ERR_clear_error();
	/* the next one is not valid: what was told is forgotten */
	ck_assert_int_eq(EVP_DigestVerifyInit_ex(ctx, NULL, NULL, e.libctx, NULL, NULL, NULL), 1);
	ck_assert_int_eq(
	    EVP_DigestVerify(ctx, sig.data, sig.len, (const uint8_t *)message, LEN - 1), 0);
	ck_assert_uint_eq(told(ctx, "nym", nym, sizeof nym), 0);
	ck_assert_uint_eq(told(ctx, "attestation-digest", digest, sizeof digest), 0);
	ERR_clear_error();
	EVP_MD_CTX_free(ctx);
	vldaa_attestation_free(a);
	buffer_free(&sig);
	tear_down();
}
END_TEST

START_TEST(what_is_missing_or_wrong_is_said)
{
	EVP_MD_CTX *ctx;
	EVP_PKEY *issuer;
	OSSL_PARAM params[2];
	uint8_t small[10];
	size_t len = sizeof small;
	buffer sig;
	char colour[] = "sha256";

	set_up(_i);
	ck_assert_int_le(evp_try_sign(&e, member, NULL, NULL, message, LEN, &sig), 0);
	ck_assert_ptr_nonnull(strstr(evp_reason(), "no basename: give one"));
	ck_assert_int_le(evp_try_sign(&e, member, "here", "round", message, LEN, &sig), 0);
	ck_assert_ptr_nonnull(strstr(evp_reason(), "no such form"));
	ck_assert_int_le(evp_try_sign(&e, group, "here", NULL, message, LEN, &sig), 0);
	ck_assert_ptr_nonnull(strstr(evp_reason(), "another kind of key"));
	issuer = evp_private(&e, e.w.issuer_key);
	ck_assert_int_le(evp_try_sign(&e, issuer, "here", NULL, message, LEN, &sig), 0);
	ck_assert_ptr_nonnull(strstr(evp_reason(), "another kind of key"));
	EVP_PKEY_free(issuer);
	/* a digest */
	ctx = EVP_MD_CTX_new();
	ck_assert_int_le(EVP_DigestSignInit_ex(ctx, NULL, "SHA256", e.libctx, NULL, member, NULL),
			 0);
	ck_assert_ptr_nonnull(strstr(evp_reason(), "hashes the message itself"));
	EVP_MD_CTX_free(ctx);
	ctx = begin_sign("here");
	params[0] = OSSL_PARAM_construct_utf8_string(OSSL_SIGNATURE_PARAM_DIGEST, colour, 0);
	params[1] = OSSL_PARAM_construct_end();
	ck_assert_int_le(EVP_PKEY_CTX_set_params(EVP_MD_CTX_get_pkey_ctx(ctx), params), 0);
	ck_assert_ptr_nonnull(strstr(evp_reason(), "hashes the message itself"));
	/* options that come too late */
	ck_assert_int_eq(EVP_DigestSignUpdate(ctx, message, LEN), 1);
	params[0] = OSSL_PARAM_construct_octet_string("basename", colour, 2);
	ck_assert_int_le(EVP_PKEY_CTX_set_params(EVP_MD_CTX_get_pkey_ctx(ctx), params), 0);
	ck_assert_ptr_nonnull(strstr(evp_reason(), "before the first byte"));
	/* too little room, and then enough */
	ck_assert_int_le(EVP_DigestSignFinal(ctx, small, &len), 0);
	ERR_clear_error();
	sig = finish(ctx);
	assert_valid(sig, "here");
	buffer_free(&sig);
	EVP_MD_CTX_free(ctx);
	tear_down();
}
END_TEST

START_TEST(invalid_is_told_from_failed)
{
	buffer sig, list;
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	OSSL_PARAM params[2];
	char path[] = "/nonexistent";

	set_up(_i);
	sig = evp_sign(&e, member, "here", NULL, message, LEN);
	for (size_t i = 0; i < sig.len; i += sig.len / 20) {
		sig.data[i] ^= 1;
		ck_assert_int_eq(evp_verify(&e, group, sig, NULL, message, LEN), 0);
		sig.data[i] ^= 1;
	}
	list = sig;
	list.len = 0;
	ck_assert_int_eq(evp_verify(&e, group, list, NULL, message, LEN), 0);
	list.len = sig.len - 1;
	ck_assert_int_eq(evp_verify(&e, group, list, NULL, message, LEN), 0);
	ERR_clear_error();
	params[0] = OSSL_PARAM_construct_utf8_string("rogue-list", path, 0);
	params[1] = OSSL_PARAM_construct_end();
	ck_assert_int_le(EVP_DigestVerifyInit_ex(ctx, NULL, NULL, e.libctx, NULL, group, params),
			 0);
	ck_assert_ptr_nonnull(strstr(evp_reason(), "cannot be read"));
	EVP_MD_CTX_free(ctx);
	/* an attestation of no bytes is a wrong one, and no lack of memory */
	ctx = EVP_MD_CTX_new();
	params[0] = OSSL_PARAM_construct_octet_string("attestation", path, 0);
	ck_assert_int_eq(EVP_DigestVerifyInit_ex(ctx, NULL, NULL, e.libctx, NULL, group, params),
			 1);
	ck_assert_int_eq(EVP_DigestVerify(ctx, sig.data, sig.len, (const uint8_t *)message, LEN),
			 0);
	ck_assert_ptr_nonnull(strstr(evp_reason(), "end too early"));
	EVP_MD_CTX_free(ctx);
	buffer_free(&sig);
	tear_down();
}
END_TEST

/* The digest of the attestation that a signature under this basename has. */
static void digest_for(const char *basename, uint8_t digest[VLDAA_DIGEST_BYTES])
{
	buffer sig = evp_sign(&e, member, basename, NULL, message, LEN);

	evp_digest(sig, digest);
	buffer_free(&sig);
}

START_TEST(create_is_done_once_a_basename_and_64_are_kept)
{
	uint8_t first[VLDAA_DIGEST_BYTES], second[VLDAA_DIGEST_BYTES], again[VLDAA_DIGEST_BYTES];
	char name[16];

	set_up(_i);
	digest_for("first", first);
	digest_for("second", second);
	for (int i = 0; i < 62; i++) {
		(void)snprintf(name, sizeof name, "%d", i);
		digest_for(name, again);
	}
	/* all 64 are there; the first one is used, so the second is the oldest */
	digest_for("first", again);
	ck_assert_mem_eq(first, again, sizeof again);
	digest_for("one more", again);
	digest_for("first", again);
	ck_assert_mem_eq(first, again, sizeof again);
	digest_for("second", again);
	ck_assert_mem_ne(second, again, sizeof again);
	tear_down();
}
END_TEST

START_TEST(a_key_can_have_a_default_basename_of_its_own)
{
	EVP_PKEY *copy;
	vldaa_object_info info;
	buffer sig;

	set_up(_i);
	ck_assert_int_eq(EVP_PKEY_set_utf8_string_param(member, "basename", "mine"), 1);
	sig = evp_sign(&e, member, NULL, NULL, message, LEN);
	assert_valid(sig, "mine");
	buffer_free(&sig);
	/* what is given comes first */
	sig = evp_sign(&e, member, "here", NULL, message, LEN);
	assert_valid(sig, "here");
	buffer_free(&sig);
	copy = EVP_PKEY_dup(member);
	ck_assert_int_eq(EVP_PKEY_set_utf8_string_param(member, "basename", "epoch:1000000000"), 1);
	sig = evp_sign(&e, member, NULL, NULL, message, LEN);
	ck_assert_int_eq(vldaa_object_inspect(&info, sig.data, sig.len), VLDAA_OK);
	ck_assert_uint_gt(info.basename_len, strlen("epoch:1000000000:"));
	ck_assert_mem_eq(info.basename, "epoch:1000000000:", strlen("epoch:1000000000:"));
	buffer_free(&sig);
	/* the copy has what the key had */
	sig = evp_sign(&e, copy, NULL, NULL, message, LEN);
	assert_valid(sig, "mine");
	buffer_free(&sig);
	EVP_PKEY_free(copy);
	ck_assert_int_eq(EVP_PKEY_set_utf8_string_param(member, "basename", "epoch:0"), 0);
	ck_assert_ptr_nonnull(strstr(evp_reason(), "neither 1 to 255 bytes nor epoch:SECONDS"));
	tear_down();
}
END_TEST

/* The octets of the MEMBER object with this default, as a key. */
static EVP_PKEY *member_with_default(const char *text)
{
	vldaa_member_parts p = car_parts(&e.c);
	buffer object = buffer_new(vldaa_object_max_size(e.w.set, VLDAA_KIND_MEMBER));
	EVP_PKEY *key;

	p.default_basename = text;
	p.default_basename_len = strlen(text);
	ck_assert_int_eq(vldaa_member_key_encode(&p, object.data, object.len, &object.len),
			 VLDAA_OK);
	key = evp_private(&e, object);
	ck_assert_ptr_nonnull(key);
	buffer_free(&object);
	return key;
}

START_TEST(a_key_file_brings_a_default_basename_along)
{
	EVP_PKEY *key, *copy;
	buffer sig;

	set_up(_i);
	key = member_with_default("filed");
	sig = evp_sign(&e, key, NULL, NULL, message, LEN);
	assert_valid(sig, "filed");
	buffer_free(&sig);
	copy = EVP_PKEY_dup(key);
	sig = evp_sign(&e, copy, NULL, NULL, message, LEN);
	assert_valid(sig, "filed");
	buffer_free(&sig);
	/* what this one object is told comes before, and what this one call is told before that */
	ck_assert_int_eq(EVP_PKEY_set_utf8_string_param(key, "basename", "mine"), 1);
	sig = evp_sign(&e, key, NULL, NULL, message, LEN);
	assert_valid(sig, "mine");
	buffer_free(&sig);
	sig = evp_sign(&e, key, "here", NULL, message, LEN);
	assert_valid(sig, "here");
	buffer_free(&sig);
	sig = evp_sign(&e, copy, NULL, NULL, message, LEN);
	assert_valid(sig, "filed");
	buffer_free(&sig);
	EVP_PKEY_free(copy);
	EVP_PKEY_free(key);
	tear_down();
}
END_TEST

int main(void)
{
	Suite *s = suite_create("signatures on EVP");
	TCase *tc = tcase_create("sets");
	SRunner *sr = srunner_create(s);

	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, every_way_of_signing_gives_a_valid_signature, 0, EVP_SETS);
	tcase_add_loop_test(tc, every_way_of_verifying_accepts_it_and_refuses_another_message, 0,
			    EVP_SETS);
	tcase_add_loop_test(tc, a_copy_in_the_middle_goes_its_own_way, 0, EVP_SETS);
	tcase_add_loop_test(tc, a_context_is_begun_again_with_the_key_that_it_has, 0, EVP_SETS);
	tcase_add_loop_test(tc, forms_are_what_they_say, 0, EVP_SETS);
	tcase_add_loop_test(tc, a_verification_tells_the_pseudonym_and_an_invalid_one_nothing, 0,
			    EVP_SETS);
	tcase_add_loop_test(tc, what_is_missing_or_wrong_is_said, 0, EVP_SETS);
	tcase_add_loop_test(tc, invalid_is_told_from_failed, 0, EVP_SETS);
	tcase_add_loop_test(tc, create_is_done_once_a_basename_and_64_are_kept, 0, EVP_SETS);
	tcase_add_loop_test(tc, a_key_can_have_a_default_basename_of_its_own, 0, EVP_SETS);
	tcase_add_loop_test(tc, a_key_file_brings_a_default_basename_along, 0, EVP_SETS);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
