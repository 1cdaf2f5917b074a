/*
 * Promise: no block of memory that the provider gives back has anything of a private key in it, or of a message that is
 * signed or verified: not when keys are read, written, copied and freed, not when pseudonyms are dropped from the cache,
 * not when contexts end in the middle.
 *
 * All blocks that go through libcrypto's memory functions are followed (those that libvldaa takes
 * itself are another test's), and searched for pieces of the secrets when they are freed.
 */
#include <check.h>
#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <stdlib.h>
#include <string.h>

#include "evp.h"
#include "sets.h"
#include "vldaa/member_key.h"

OSSL_provider_init_fn OSSL_provider_init;

/* --- blocks ------------------------------------------------------------------------------------
 */

enum { BLOCKS = 16384, PIECE = 16, PIECES = 512 };

static struct {
	const uint8_t *p;
	size_t size;
} blocks[BLOCKS];
static uint8_t pieces[PIECES][PIECE];
static size_t piece_count, followed, found;

static void follow(const void *p, size_t size)
{
	for (size_t i = 0; p != NULL && i < BLOCKS; i++) {
		if (blocks[i].p == NULL) {
			blocks[i].p = p;
			blocks[i].size = size;
			followed++;
			return;
		}
	}
	/* A block that nobody follows could hold anything. */
	if (p != NULL)
		abort();
}

static int has_piece(const uint8_t *p, size_t size)
{
	for (size_t i = 0; i + PIECE <= size; i++) {
		for (size_t j = 0; j < piece_count; j++) {
			if (p[i] == pieces[j][0] && memcmp(p + i, pieces[j], PIECE) == 0)
				return 1;
		}
	}
	return 0;
}

static void look_at(const void *p)
{
	for (size_t i = 0; p != NULL && i < BLOCKS; i++) {
		if (blocks[i].p == p) {
			found += (size_t)has_piece(blocks[i].p, blocks[i].size);
			blocks[i].p = NULL;
		}
	}
}

static void *crypto_malloc(size_t size, const char *file, int line)
{
	void *p = size > 0 ? malloc(size) : NULL;

	(void)file;
	(void)line;
	/* What somebody else has left in the heap is not this block's. */
	if (p != NULL)
		memset(p, 0, size);
	if (piece_count > 0 && size >= PIECE)
		follow(p, size);
	return p;
}

static void *crypto_realloc(void *p, size_t size, const char *file, int line)
{
	if (p == NULL)
		return crypto_malloc(size, file, line);
	look_at(p);
	return realloc(p, size);
}

static void forget(const void *p)
{
	for (size_t i = 0; p != NULL && i < BLOCKS; i++) {
		if (blocks[i].p == p)
			blocks[i].p = NULL;
	}
}

/* libcrypto has its sources' names begin so.  What its own functions free is not the provider's: of 3.0
 * the one that decodes PEM does not wipe. */
static int is_libcrypto(const char *file)
{
	return file != NULL && strncmp(file, "../", 3) == 0;
}

static void crypto_free(void *p, const char *file, int line)
{
	(void)line;
	if (is_libcrypto(file))
		forget(p);
	else
		look_at(p);
	free(p);
}

/* Every PIECE bytes of a secret: a copy of PIECE bytes and more of it that begins anywhere has one. */
static void learn(const uint8_t *secret, size_t len)
{
	for (size_t i = 0; i + PIECE <= len && piece_count < PIECES; i += PIECE)
		memcpy(pieces[piece_count++], secret + i, PIECE);
}

/* --- what is done ------------------------------------------------------------------------------
 */

static evp_world e;
static const char message[] = "a message that nobody else should come upon in freed memory";

static buffer write_key(EVP_PKEY *key, const char *cipher_name)
{
	BIO *out = BIO_new(BIO_s_mem());
	EVP_CIPHER *cipher =
	    cipher_name != NULL ? EVP_CIPHER_fetch(e.libctx, cipher_name, NULL) : NULL;
	char *text = NULL;
	long len;
	buffer b;

	ck_assert_int_eq(PEM_write_bio_PrivateKey_ex(out, key, cipher, (const uint8_t *)"secret", 6,
						     NULL, NULL, e.libctx, NULL),
			 1);
	len = BIO_get_mem_data(out, &text);
	b = buffer_new((size_t)len);
	memcpy(b.data, text, b.len);
	BIO_free(out);
	EVP_CIPHER_free(cipher);
	return b;
}

static EVP_PKEY *read_key(buffer pem, const char *passphrase)
{
	BIO *in = BIO_new_mem_buf(pem.data, (int)pem.len);
	EVP_PKEY *key = PEM_read_bio_PrivateKey_ex(in, NULL, NULL, (void *)(uintptr_t)passphrase,
						   e.libctx, NULL);

	BIO_free(in);
	return key;
}

static void through_files(EVP_PKEY *key)
{
	buffer plain = write_key(key, NULL), sealed = write_key(key, "AES-128-CBC");
	EVP_PKEY *again = read_key(plain, NULL);

	ck_assert_ptr_nonnull(again);
	EVP_PKEY_free(again);
	again = read_key(sealed, "secret");
	ck_assert_ptr_nonnull(again);
	EVP_PKEY_free(again);
	ck_assert_ptr_null(read_key(sealed, "wrong"));
	ERR_clear_error();
	buffer_free(&plain);
	buffer_free(&sealed);
}

/* EVP_PKEY_todata would copy the parameters, and OSSL_PARAM_free leaves them as they are. */
static int take(const OSSL_PARAM params[], void *arg)
{
	const OSSL_PARAM *p = OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_PRIV_KEY);

	*(size_t *)arg = p != NULL ? p->data_size : 0;
	return 1;
}

static void copies(EVP_PKEY *key)
{
	EVP_PKEY *copy = EVP_PKEY_dup(key);
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(e.libctx, key, NULL);
	size_t private_len = 0;

	ck_assert_ptr_nonnull(copy);
	ck_assert_int_eq(EVP_PKEY_check(ctx), 1);
	ck_assert_int_eq(EVP_PKEY_export(key, EVP_PKEY_KEYPAIR, take, &private_len), 1);
	ck_assert_uint_gt(private_len, 0);
	EVP_PKEY_CTX_free(ctx);
	EVP_PKEY_free(copy);
}

/* One context ends in the middle, one is begun again. */
static void half_way(EVP_PKEY *key, int signing)
{
	EVP_MD_CTX *ctx = EVP_MD_CTX_new(), *copy = EVP_MD_CTX_new();
	char basename[] = "here";
	const OSSL_PARAM params[] = {
	    OSSL_PARAM_construct_octet_string("basename", basename, 4),
	    OSSL_PARAM_construct_end(),
	};

	for (int i = 0; i < 2; i++) {
		if (signing) {
			ck_assert_int_eq(EVP_DigestSignInit_ex(ctx, NULL, NULL, e.libctx, NULL,
							       i == 0 ? key : NULL, params),
					 1);
			ck_assert_int_eq(EVP_DigestSignUpdate(ctx, message, sizeof message), 1);
		} else {
			ck_assert_int_eq(EVP_DigestVerifyInit_ex(ctx, NULL, NULL, e.libctx, NULL,
								 i == 0 ? key : NULL, params),
					 1);
			ck_assert_int_eq(EVP_DigestVerifyUpdate(ctx, message, sizeof message), 1);
		}
	}
	ck_assert_int_eq(EVP_MD_CTX_copy_ex(copy, ctx), 1);
	EVP_MD_CTX_free(ctx);
	EVP_MD_CTX_free(copy);
}

static void sign_and_verify(EVP_PKEY *key, const char *basename)
{
	buffer signature = evp_sign(&e, key, basename, NULL, message, sizeof message);

	ck_assert_int_eq(evp_verify(&e, key, signature, NULL, message, sizeof message), 1);
	signature.data[signature.len / 2] ^= 1;
	ck_assert_int_eq(evp_verify(&e, key, signature, NULL, message, sizeof message), 0);
	ERR_clear_error();
	buffer_free(&signature);
}

/* What signs under a basename is a function of the member and the basename, and ends its object. */
static void learn_pseudonym(const char *basename)
{
	const size_t size = vldaa_object_max_size(e.w.set, VLDAA_KIND_PSEUDONYM);
	uint8_t *object = malloc(size);
	vldaa_member_key *member = NULL;
	size_t len = 0;

	ck_assert_int_eq(vldaa_member_key_new(&member, e.member.data, e.member.len), VLDAA_OK);
	ck_assert_int_eq(vldaa_member_key_create(member, (const uint8_t *)basename,
						 strlen(basename), object, size, &len),
			 VLDAA_OK);
	learn(object + len - 400, 400);
	vldaa_member_key_free(member);
	free(object);
}

START_TEST(a_block_that_is_not_wiped_is_noticed)
{
	uint8_t secret[100], *p;

	memset(blocks, 0, sizeof blocks);

	for (size_t i = 0; i < sizeof secret; i++)
		secret[i] = (uint8_t)(i * i + 1);
	piece_count = found = 0;
	learn(secret, sizeof secret);
	p = OPENSSL_malloc(200);
	memset(p, 0, 200);
	memcpy(p + 77, secret + 3, 40);
	OPENSSL_free(p);
	ck_assert_uint_eq(found, 1);
	p = OPENSSL_memdup(secret, sizeof secret);
	OPENSSL_clear_free(p, sizeof secret);
	ck_assert_uint_eq(found, 1);
}
END_TEST

START_TEST(nothing_secret_is_left_in_freed_memory)
{
	const uint8_t *public_part;
	size_t public_len;
	EVP_PKEY *member, *issuer;
	char name[16];

	piece_count = found = followed = 0;
	memset(blocks, 0, sizeof blocks);
	evp_builtin = OSSL_provider_init;
	evp_init(&e, evp_set(_i));
	/* the members' secrets are behind the group's key, the issuer's likewise */
	ck_assert_int_eq(
	    vldaa_object_public(&public_part, &public_len, e.member.data, e.member.len), VLDAA_OK);
	public_part += public_len;
	learn(public_part, 400);
	ck_assert_int_eq(
	    vldaa_object_public(&public_part, &public_len, e.w.issuer_key.data, e.w.issuer_key.len),
	    VLDAA_OK);
	learn(public_part + public_len, 200);
	learn_pseudonym("0");
	learn((const uint8_t *)message, sizeof message);

	member = evp_member(&e);
	issuer = evp_private(&e, e.w.issuer_key);
	ck_assert_ptr_nonnull(issuer);
	through_files(member);
	through_files(issuer);
	copies(member);
	copies(issuer);
	half_way(member, 1);
	half_way(member, 0);
	/* more pseudonyms than are kept */
	for (int i = 0; i < 66; i++) {
		(void)snprintf(name, sizeof name, "%d", i);
		sign_and_verify(member, name);
	}
	EVP_PKEY_free(member);
	EVP_PKEY_free(issuer);
	ck_assert_uint_gt(followed, 100);
	ck_assert_uint_eq(found, 0);
	piece_count = 0;
	evp_free(&e);
}
END_TEST

int main(void)
{
	Suite *s;
	TCase *tc;
	SRunner *sr;

	if (CRYPTO_set_mem_functions(crypto_malloc, crypto_realloc, crypto_free) != 1)
		return EXIT_FAILURE;
	s = suite_create("what the provider leaves in memory");
	tc = tcase_create("sets");
	sr = srunner_create(s);
	tcase_set_timeout(tc, 600);
	tcase_add_test(tc, a_block_that_is_not_wiped_is_noticed);
	tcase_add_loop_test(tc, nothing_secret_is_left_in_freed_memory, 0, EVP_SETS);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
