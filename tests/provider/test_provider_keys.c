/*
 * Promises about keys on EVP: every set of the library is offered, under its name and its object identifier; keys say what
 * OpenSSL asks them, compare by their public halves, are checked, copied, exported and imported; what does not belong
 * together, or is no key, is refused with a reason, and so is a key as a pattern for a new one; a property query goes on to the cipher of an encrypted key.
 */
#include <check.h>
#include <inttypes.h>
#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/encoder.h>
#include <openssl/err.h>
#include <openssl/objects.h>
#include <openssl/params.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "evp.h"
#include "vldaa/keyfile.h"
#include "vldaa/member_key.h"

static evp_world e;
static EVP_PKEY *member, *group, *issuer, *pseudonym;
static buffer pseudonym_object;

static void set_up(int set)
{
	vldaa_member_key *m = NULL;

	evp_init(&e, evp_set(set));
	member = evp_member(&e);
	group = evp_group(&e);
	issuer = evp_private(&e, e.w.issuer_key);
	pseudonym_object = buffer_new(vldaa_object_max_size(e.w.set, VLDAA_KIND_PSEUDONYM));
	ck_assert_int_eq(vldaa_member_key_new(&m, e.member.data, e.member.len), VLDAA_OK);
	ck_assert_int_eq(vldaa_member_key_create(m, (const uint8_t *)"here", 4,
						 pseudonym_object.data, pseudonym_object.len,
						 &pseudonym_object.len),
			 VLDAA_OK);
	vldaa_member_key_free(m);
	pseudonym = evp_private(&e, pseudonym_object);
	ck_assert(issuer != NULL && pseudonym != NULL);
}

static void tear_down(void)
{
	EVP_PKEY_free(member);
	EVP_PKEY_free(group);
	EVP_PKEY_free(issuer);
	EVP_PKEY_free(pseudonym);
	buffer_free(&pseudonym_object);
	evp_free(&e);
}

START_TEST(every_set_is_offered_under_its_name_and_its_identifier)
{
	const vldaa_set *set;
	int count = 0;

	evp_init(&e, evp_set(0));
	for (size_t i = 0; (set = vldaa_set_at(i)) != NULL; i++, count++) {
		char oid[128];
		EVP_KEYMGMT *by_name, *by_oid;
		EVP_SIGNATURE *signature;
		int digest = -1, key = -1;

		(void)snprintf(oid, sizeof oid, "%s.%" PRIu32, VLDAA_KEYFILE_OID_BASE,
			       vldaa_set_id(set));
		by_name = EVP_KEYMGMT_fetch(e.libctx, vldaa_set_name(set), NULL);
		by_oid = EVP_KEYMGMT_fetch(e.libctx, oid, "provider=vldaa");
		signature = EVP_SIGNATURE_fetch(e.libctx, oid, NULL);
		ck_assert_msg(by_name != NULL && by_oid == by_name && signature != NULL, "%s", oid);
		ck_assert_int_eq(OBJ_txt2nid(oid), OBJ_sn2nid(vldaa_set_name(set)));
		/* a signature names its key's algorithm and no digest */
		ck_assert_int_eq(OBJ_find_sigid_algs(OBJ_txt2nid(oid), &digest, &key), 1);
		ck_assert_int_eq(digest, NID_undef);
		ck_assert_int_eq(key, OBJ_txt2nid(oid));
		EVP_KEYMGMT_free(by_name);
		EVP_KEYMGMT_free(by_oid);
		EVP_SIGNATURE_free(signature);
	}
	ck_assert_int_ge(count, 5);
	evp_free(&e);
}
END_TEST

static void assert_about(EVP_PKEY *key, const char *kind)
{
	const size_t size = vldaa_object_max_size(e.w.set, VLDAA_KIND_SIGNATURE);
	char text[64];
	uint8_t id[VLDAA_KEY_ID_BYTES];
	size_t len = 0;

	ck_assert_uint_eq((size_t)EVP_PKEY_get_size(key), size);
	ck_assert_int_eq(EVP_PKEY_get_security_bits(key), vldaa_set_signature_bits(e.w.set));
	ck_assert_int_gt(EVP_PKEY_get_bits(key), 1000);
	ck_assert_int_eq(EVP_PKEY_get_default_digest_name(key, text, sizeof text), 2);
	ck_assert_str_eq(text, "UNDEF");
	ck_assert_int_eq(EVP_PKEY_get_utf8_string_param(key, "kind", text, sizeof text, &len), 1);
	ck_assert_str_eq(text, kind);
	ck_assert_int_eq(EVP_PKEY_get_octet_string_param(key, "key-id", id, sizeof id, &len), 1);
	ck_assert_uint_eq(len, sizeof id);
	ck_assert_mem_eq(id, vldaa_verifier_key_id(e.w.verifier), len);
	ck_assert_str_eq(EVP_PKEY_get0_type_name(key), vldaa_set_name(e.w.set));
	ck_assert_int_eq(EVP_PKEY_is_a(key, vldaa_set_name(e.w.set)), 1);
	ERR_clear_error(); /* 3.5 counts 0 bits of security for an error */
}

START_TEST(a_key_says_what_it_is)
{
	set_up(_i);
	assert_about(member, "member key");
	assert_about(group, "group key");
	assert_about(issuer, "issuer key");
	assert_about(pseudonym, "pseudonym key");
	tear_down();
}
END_TEST

START_TEST(keys_compare_by_their_public_halves)
{
	EVP_PKEY *second;

	set_up(_i);
	second = evp_private(&e, e.second);
	ck_assert_ptr_nonnull(second);
	ck_assert_int_eq(EVP_PKEY_eq(member, group), 1);
	ck_assert_int_eq(EVP_PKEY_eq(issuer, group), 1);
	ck_assert_int_eq(EVP_PKEY_eq(member, second), 1);
	ck_assert_int_eq(EVP_PKEY_eq(pseudonym, pseudonym), 1);
	ck_assert_int_eq(EVP_PKEY_eq(pseudonym, group), 0);
	ck_assert_int_eq(EVP_PKEY_parameters_eq(pseudonym, group), 1);
	EVP_PKEY_free(second);
	tear_down();
}
END_TEST

static int check(EVP_PKEY *key, int (*how)(EVP_PKEY_CTX *ctx))
{
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(e.libctx, key, NULL);
	int result = how(ctx);

	EVP_PKEY_CTX_free(ctx);
	return result;
}

START_TEST(keys_are_checked_and_a_public_one_is_no_private_one)
{
	set_up(_i);
	ck_assert_int_eq(check(member, EVP_PKEY_check), 1);
	ck_assert_int_eq(check(issuer, EVP_PKEY_check), 1);
	ck_assert_int_eq(check(pseudonym, EVP_PKEY_check), 1);
	ck_assert_int_eq(check(member, EVP_PKEY_private_check), 1);
	ck_assert_int_eq(check(member, EVP_PKEY_pairwise_check), 1);
	ck_assert_int_eq(check(group, EVP_PKEY_public_check), 1);
	ck_assert_int_eq(check(member, EVP_PKEY_public_check), 1);
	ck_assert_int_eq(check(pseudonym, EVP_PKEY_public_check), 1);
	ck_assert_int_eq(check(group, EVP_PKEY_param_check), 1);
	ck_assert_int_eq(check(group, EVP_PKEY_check), 0);
	ck_assert_ptr_nonnull(strstr(evp_reason(), "takes the private key"));
	tear_down();
}
END_TEST

/* What an exported key holds. */
typedef struct {
	buffer private, public;
} octets;

static buffer take_one(const OSSL_PARAM params[], const char *name)
{
	const OSSL_PARAM *p = OSSL_PARAM_locate_const(params, name);
	buffer b = {NULL, 0};

	if (p != NULL) {
		b = buffer_new(p->data_size);
		memcpy(b.data, p->data, b.len);
	}
	return b;
}

static int take(const OSSL_PARAM params[], void *arg)
{
	octets *o = arg;

	o->private = take_one(params, OSSL_PKEY_PARAM_PRIV_KEY);
	o->public = take_one(params, OSSL_PKEY_PARAM_PUB_KEY);
	return 1;
}

static void assert_exports(EVP_PKEY *key, buffer private)
{
	octets o;
	EVP_PKEY *copy;
	uint8_t raw[65536];
	size_t len = sizeof raw;

	ck_assert_int_eq(EVP_PKEY_export(key, EVP_PKEY_KEYPAIR, take, &o), 1);
	ck_assert_uint_eq(o.private.len, private.len);
	ck_assert_mem_eq(o.private.data, private.data, private.len);
	ck_assert_int_eq(
	    EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_PUB_KEY, raw, sizeof raw, &len),
	    1);
	ck_assert_uint_eq(len, o.public.len);
	ck_assert_mem_eq(raw, o.public.data, len);
	buffer_free(&o.private);
	/* the public half alone */
	copy = evp_public(&e, o.public);
	ck_assert_ptr_nonnull(copy);
	ck_assert_int_eq(EVP_PKEY_eq(copy, key), 1);
	buffer_free(&o.public);
	ck_assert_int_eq(EVP_PKEY_export(copy, EVP_PKEY_PUBLIC_KEY, take, &o), 1);
	ck_assert(o.private.data == NULL && o.public.len == len);
	buffer_free(&o.public);
	/* of a pair what is there, as from OpenSSL's own keys */
	ck_assert_int_eq(EVP_PKEY_export(copy, EVP_PKEY_KEYPAIR, take, &o), 1);
	ck_assert(o.private.data == NULL && o.public.len == len);
	buffer_free(&o.public);
	ck_assert_int_eq(EVP_PKEY_export(copy, OSSL_KEYMGMT_SELECT_PRIVATE_KEY, take, &o), 0);
	ck_assert_ptr_nonnull(strstr(evp_reason(), "takes the private key"));
	EVP_PKEY_free(copy);
}

START_TEST(keys_are_exported_and_imported)
{
	set_up(_i);
	assert_exports(member, e.member);
	assert_exports(issuer, e.w.issuer_key);
	assert_exports(pseudonym, pseudonym_object);
	tear_down();
}
END_TEST

START_TEST(a_duplicate_signs_and_verifies_by_itself)
{
	EVP_PKEY *copy, *public;
	buffer sig;

	set_up(_i);
	copy = EVP_PKEY_dup(member);
	public = EVP_PKEY_dup(group);
	ck_assert(copy != NULL && public != NULL);
	EVP_PKEY_free(member);
	member = copy;
	sig = evp_sign(&e, copy, "here", NULL, "x", 1);
	ck_assert_int_eq(evp_verify(&e, public, sig, "here", "x", 1), 1);
	ck_assert_int_eq(EVP_PKEY_eq(copy, public), 1);
	buffer_free(&sig);
	EVP_PKEY_free(public);
	tear_down();
}
END_TEST

/* Both halves. */
static EVP_PKEY *from_both(buffer private, buffer public)
{
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(e.libctx, vldaa_set_name(e.w.set), NULL);
	EVP_PKEY *key = NULL;
	OSSL_PARAM params[] = {
	    OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PRIV_KEY, private.data, private.len),
	    OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, public.data, public.len),
	    OSSL_PARAM_construct_end(),
	};

	ck_assert_int_eq(EVP_PKEY_fromdata_init(ctx), 1);
	if (EVP_PKEY_fromdata(ctx, &key, EVP_PKEY_KEYPAIR, params) != 1)
		ck_assert_ptr_null(key);
	EVP_PKEY_CTX_free(ctx);
	return key;
}

START_TEST(what_is_no_key_or_does_not_belong_together_is_refused)
{
	EVP_PKEY *key;
	buffer other;

	set_up(_i);
	key = from_both(e.member, e.w.group_key);
	ck_assert_ptr_nonnull(key);
	EVP_PKEY_free(key);
	other = buffer_new(e.w.group_key.len);
	memcpy(other.data, e.w.group_key.data, other.len);
	other.data[other.len - 10] ^= 1;
	ck_assert_ptr_null(from_both(e.member, other));
	ck_assert_str_eq(evp_reason(), vldaa_error_text(VLDAA_ERR_KEY));
	buffer_free(&other);
	/* a private half as a public one, and the other way round */
	ck_assert_ptr_null(evp_public(&e, e.member));
	ck_assert_str_eq(evp_reason(), vldaa_error_text(VLDAA_ERR_KIND));
	ck_assert_ptr_null(evp_private(&e, e.w.group_key));
	ck_assert_str_eq(evp_reason(), vldaa_error_text(VLDAA_ERR_KIND));
	/* objects that are no keys, or halves of them */
	ck_assert_ptr_null(evp_private(&e, e.c.host_key));
	(void)evp_reason();
	for (size_t len = 0; len < 60; len++) {
		ck_assert_ptr_null(evp_public(&e, (buffer){e.w.group_key.data, len}));
		ck_assert_ptr_null(evp_private(&e, (buffer){e.member.data, len}));
	}
	(void)evp_reason();
	/* another set's */
	other = e.w.group_key;
	other.data[9] ^= 3;
	ck_assert_ptr_null(evp_public(&e, other));
	(void)evp_reason();
	other.data[9] ^= 3;
	tear_down();
}
END_TEST

/* One like this: an unrelated group would come of it. */
START_TEST(no_key_is_generated_from_another)
{
	set_up(_i);
	EVP_PKEY *keys[] = {member, group, issuer, pseudonym};

	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
		EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(e.libctx, keys[i], NULL);
		EVP_PKEY *made = NULL;

		ck_assert_int_eq(EVP_PKEY_keygen_init(ctx), 1);
		ck_assert_int_ne(EVP_PKEY_generate(ctx, &made), 1);
		ck_assert_ptr_null(made);
		ck_assert_ptr_nonnull(strstr(evp_reason(), "only issuer keys are generated"));
		EVP_PKEY_CTX_free(ctx);
	}
	tear_down();
}
END_TEST

/* Which hold the set's name and nothing else. */
START_TEST(a_key_is_generated_from_parameters)
{
	EVP_PKEY_CTX *ctx;
	EVP_PKEY *parameters = NULL, *made = NULL;

	set_up(_i);
	ctx = EVP_PKEY_CTX_new_from_name(e.libctx, vldaa_set_name(e.w.set), NULL);
	ck_assert_int_eq(EVP_PKEY_paramgen_init(ctx), 1);
	ck_assert_int_eq(EVP_PKEY_paramgen(ctx, &parameters), 1);
	EVP_PKEY_CTX_free(ctx);
	ctx = EVP_PKEY_CTX_new_from_pkey(e.libctx, parameters, NULL);
	ck_assert_int_eq(EVP_PKEY_keygen_init(ctx), 1);
	ck_assert_int_eq(EVP_PKEY_generate(ctx, &made), 1);
	ck_assert_int_eq(check(made, EVP_PKEY_check), 1);
	EVP_PKEY_CTX_free(ctx);
	EVP_PKEY_free(made);
	EVP_PKEY_free(parameters);
	tear_down();
}
END_TEST

static int try_encrypt(const char *query)
{
	OSSL_ENCODER_CTX *ctx =
	    OSSL_ENCODER_CTX_new_for_pkey(member, EVP_PKEY_KEYPAIR, "PEM", "PrivateKeyInfo", NULL);
	BIO *out = BIO_new(BIO_s_mem());
	char *text = NULL;
	int done;

	ck_assert(ctx != NULL && out != NULL);
	ck_assert_int_eq(OSSL_ENCODER_CTX_set_cipher(ctx, "AES-256-CBC", query), 1);
	ck_assert_int_eq(OSSL_ENCODER_CTX_set_passphrase(ctx, (const unsigned char *)"secret", 6),
			 1);
	done = OSSL_ENCODER_to_bio(ctx, out);
	/* encrypted, or nothing at all */
	if (done == 1) {
		ck_assert_int_gt((int)BIO_get_mem_data(out, &text), 100);
		ck_assert_int_eq(strncmp(text, "-----BEGIN ENCRYPTED PRIVATE KEY", 32), 0);
	} else {
		ck_assert_int_eq((int)BIO_pending(out), 0);
	}
	BIO_free(out);
	OSSL_ENCODER_CTX_free(ctx);
	return done;
}

START_TEST(the_cipher_of_a_key_is_fetched_with_the_callers_query)
{
	set_up(_i);
	ck_assert_int_eq(try_encrypt(NULL), 1);
	ck_assert_int_eq(try_encrypt("?fips=yes"), 1);
	ck_assert_int_eq(try_encrypt("provider=default"), 1);
	ERR_clear_error();
	ck_assert_int_eq(try_encrypt("provider=nonesuch"), 0);
	ck_assert_ptr_nonnull(strstr(evp_reason(), "cannot be encrypted with this cipher"));
	tear_down();
}
END_TEST

int main(void)
{
	Suite *s = suite_create("keys on EVP");
	TCase *tc = tcase_create("sets");
	SRunner *sr = srunner_create(s);

	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, every_set_is_offered_under_its_name_and_its_identifier);
	tcase_add_loop_test(tc, a_key_says_what_it_is, 0, EVP_SETS);
	tcase_add_loop_test(tc, keys_compare_by_their_public_halves, 0, EVP_SETS);
	tcase_add_loop_test(tc, keys_are_checked_and_a_public_one_is_no_private_one, 0, EVP_SETS);
	tcase_add_loop_test(tc, keys_are_exported_and_imported, 0, EVP_SETS);
	tcase_add_loop_test(tc, a_duplicate_signs_and_verifies_by_itself, 0, EVP_SETS);
	tcase_add_loop_test(tc, what_is_no_key_or_does_not_belong_together_is_refused, 0, EVP_SETS);
	tcase_add_loop_test(tc, the_cipher_of_a_key_is_fetched_with_the_callers_query, 0, EVP_SETS);
	tcase_add_loop_test(tc, no_key_is_generated_from_another, 0, EVP_SETS);
	/* the set that needs no libvldaa-issuer, which sanitizers keep from being found */
	tcase_add_loop_test(tc, a_key_is_generated_from_parameters, 1, 2);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
