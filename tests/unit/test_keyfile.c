/*
 * Promises: a key comes back from every form as it went in, and libcrypto's own PKCS#8 and X.509
 * functions read what is written and write what is read; what is not ours, damaged, encrypted with
 * another passphrase or absurdly costly is refused under its own name; there is one DER spelling;
 * no copy of a private key is left in freed memory.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/objects.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/provider.h>
#include <openssl/x509.h>

#include "keyfile_common.h"

/* --- what libcrypto frees --- */

/* A private key made of this byte, and how base64 shows it at each of three offsets. */
enum { SECRET = 0xa7 };
static const char *const base64_of_secret[] = {"p6enp6enp6en", "enp6enp6enp6", "6enp6enp6enp"};

/* While watching: freed blocks that still held twelve such bytes or characters. */
static int watching, leftovers;

/* Before each block: its size, padded to what malloc aligns to. */
typedef union {
	size_t size;
	long double align;
} block;

static int holds(const uint8_t *p, size_t len, const void *what, size_t n)
{
	for (size_t i = 0; i + n <= len; i++)
		if (p[i] == *(const uint8_t *)what && memcmp(p + i, what, n) == 0)
			return 1;
	return 0;
}

static void look(const uint8_t *p, size_t len)
{
	uint8_t raw[12];

	memset(raw, SECRET, sizeof(raw));
	leftovers += holds(p, len, raw, sizeof(raw));
	for (int i = 0; i < 3; i++)
		leftovers += holds(p, len, base64_of_secret[i], 12);
}

static void *watched_malloc(size_t size, const char *file, int line)
{
	block *b = malloc(sizeof(*b) + size);

	(void)file;
	(void)line;
	if (b == NULL)
		return NULL;
	b->size = size;
	return b + 1;
}

static void watched_free(void *p, const char *file, int line)
{
	block *b = p;

	(void)file;
	(void)line;
	if (p == NULL)
		return;
	if (watching)
		look(p, b[-1].size);
	free(b - 1);
}

static void *watched_realloc(void *p, size_t size, const char *file, int line)
{
	const block *b = p;
	void *larger = watched_malloc(size, file, line);

	if (p == NULL || larger == NULL)
		return larger;
	memcpy(larger, p, b[-1].size < size ? b[-1].size : size);
	watched_free(p, file, line);
	return larger;
}

static void check_key(const bytes *file, const char *passphrase, enum vldaa_keyfile_type type,
		      const uint8_t *octets, size_t len)
{
	vldaa_key key;

	ck_assert_int_eq(decode(&key, file->p, file->len, passphrase), VLDAA_OK);
	ck_assert_int_eq(key.type, type);
	ck_assert_int_eq(key.encrypted, passphrase != NULL);
	ck_assert_uint_eq(key.set_id, SET);
	ck_assert_uint_eq(key.kind, KIND);
	ck_assert_uint_eq(key.len, len);
	ck_assert_mem_eq(key.octets, octets, len);
	vldaa_key_clear(&key);
	ck_assert_ptr_null(key.octets);
}

/* --- round trips --- */

START_TEST(keys_of_all_lengths_come_back_from_pem_and_der)
{
	static uint8_t octets[VLDAA_KEYFILE_MAX_OCTETS];
	/* Around the lengths of base64 lines and of DER's length forms. */
	const size_t lens[] = {10,
			       11,
			       12,
			       13,
			       47,
			       48,
			       49,
			       90,
			       100,
			       127,
			       128,
			       255,
			       256,
			       4000,
			       65536,
			       70001,
			       sizeof(octets)};

	for (size_t i = 0; i < sizeof(lens) / sizeof(lens[0]); i++) {
		for (int form = VLDAA_KEYFILE_PEM; form <= VLDAA_KEYFILE_DER; form++) {
			for (int type = VLDAA_KEYFILE_PUBLIC; type <= VLDAA_KEYFILE_PRIVATE;
			     type++) {
				/* Zeroes at the end must not be taken for unused bits. */
				make_octets(octets, lens[i], i % 2 ? 0 : 0x5c);
				bytes file =
				    encode((enum vldaa_keyfile_type)type,
					   (enum vldaa_keyfile_form)form, octets, lens[i], NULL);

				check_key(&file, NULL, (enum vldaa_keyfile_type)type, octets,
					  lens[i]);
				vldaa_keyfile_free(file.p, file.len);
			}
		}
	}
}
END_TEST

START_TEST(encrypted_keys_come_back_with_their_passphrase)
{
	const vldaa_keyfile_lock locks[] = {{"correct horse", 13, VLDAA_KEYFILE_SCRYPT},
					    {"x", 1, VLDAA_KEYFILE_PBKDF2}};
	uint8_t octets[300];

	make_octets(octets, sizeof(octets), 0x5c);
	for (int i = 0; i < 2; i++) {
		for (int form = VLDAA_KEYFILE_PEM; form <= VLDAA_KEYFILE_DER; form++) {
			bytes file = encode(VLDAA_KEYFILE_PRIVATE, (enum vldaa_keyfile_form)form,
					    octets, sizeof(octets), &locks[i]);

			ck_assert(!holds(file.p, file.len, octets, 10));
			check_key(&file, locks[i].passphrase, VLDAA_KEYFILE_PRIVATE, octets,
				  sizeof(octets));
			ck_assert_int_eq(verdict(file.p, file.len, "correct horsf"),
					 VLDAA_KEYFILE_ERR_PASSPHRASE);
			vldaa_keyfile_free(file.p, file.len);
		}
	}
}
END_TEST

START_TEST(two_encryptions_of_one_key_differ)
{
	const vldaa_keyfile_lock lock = {"abc", 3, VLDAA_KEYFILE_SCRYPT};
	uint8_t octets[20];

	make_octets(octets, sizeof(octets), 1);
	bytes a = encode(VLDAA_KEYFILE_PRIVATE, VLDAA_KEYFILE_DER, octets, sizeof(octets), &lock);
	bytes b = encode(VLDAA_KEYFILE_PRIVATE, VLDAA_KEYFILE_DER, octets, sizeof(octets), &lock);

	ck_assert(a.len != b.len || memcmp(a.p + a.len - 16, b.p + b.len - 16, 16) != 0);
	vldaa_keyfile_free(a.p, a.len);
	vldaa_keyfile_free(b.p, b.len);
}
END_TEST

/* --- libcrypto agrees --- */

static void check_oid(const ASN1_OBJECT *oid)
{
	char text[100];

	OBJ_obj2txt(text, sizeof(text), oid, 1);
	ck_assert_str_eq(text, OUR_OID);
}

START_TEST(libcrypto_reads_the_public_key)
{
	uint8_t octets[64];
	const unsigned char *p, *content;
	ASN1_OBJECT *oid;
	X509_ALGOR *algorithm;
	int len;

	make_octets(octets, sizeof(octets), 0);
	bytes file = encode(VLDAA_KEYFILE_PUBLIC, VLDAA_KEYFILE_DER, octets, sizeof(octets), NULL);

	p = file.p;
	X509_PUBKEY *key = d2i_X509_PUBKEY(NULL, &p, (long)file.len);
	ck_assert_ptr_nonnull(key);
	ck_assert_ptr_eq(p, file.p + file.len);
	ck_assert_int_eq(X509_PUBKEY_get0_param(&oid, &content, &len, &algorithm, key), 1);
	check_oid(oid);
	ck_assert_ptr_null(algorithm->parameter);
	ck_assert_int_eq(len, sizeof(octets));
	ck_assert_mem_eq(content, octets, sizeof(octets));
	X509_PUBKEY_free(key);
	vldaa_keyfile_free(file.p, file.len);
}
END_TEST

static void check_info(const PKCS8_PRIV_KEY_INFO *info, const uint8_t *octets, size_t octets_len)
{
	const ASN1_OBJECT *oid;
	const unsigned char *content;
	const X509_ALGOR *algorithm;
	int len;

	ck_assert_ptr_nonnull(info);
	ck_assert_int_eq(PKCS8_pkey_get0(&oid, &content, &len, &algorithm, info), 1);
	check_oid(oid);
	ck_assert_ptr_null(algorithm->parameter);
	ck_assert_int_eq(len, (int)octets_len);
	ck_assert_mem_eq(content, octets, octets_len);
}

START_TEST(libcrypto_reads_the_private_key)
{
	uint8_t octets[64];

	make_octets(octets, sizeof(octets), 0);
	bytes file = encode(VLDAA_KEYFILE_PRIVATE, VLDAA_KEYFILE_PEM, octets, sizeof(octets), NULL);
	BIO *text = BIO_new_mem_buf(file.p, (int)file.len);
	PKCS8_PRIV_KEY_INFO *info = PEM_read_bio_PKCS8_PRIV_KEY_INFO(text, NULL, NULL, NULL);

	check_info(info, octets, sizeof(octets));
	PKCS8_PRIV_KEY_INFO_free(info);
	BIO_free(text);
	vldaa_keyfile_free(file.p, file.len);
}
END_TEST

START_TEST(libcrypto_decrypts_the_private_key)
{
	uint8_t octets[64];

	make_octets(octets, sizeof(octets), 0);
	for (int kdf = VLDAA_KEYFILE_SCRYPT; kdf <= VLDAA_KEYFILE_PBKDF2; kdf++) {
		const vldaa_keyfile_lock lock = {"abc", 3, (enum vldaa_keyfile_kdf)kdf};
		bytes file =
		    encode(VLDAA_KEYFILE_PRIVATE, VLDAA_KEYFILE_PEM, octets, sizeof(octets), &lock);
		BIO *text = BIO_new_mem_buf(file.p, (int)file.len);
		X509_SIG *sealed = PEM_read_bio_PKCS8(text, NULL, NULL, NULL);

		ck_assert_ptr_nonnull(sealed);
		PKCS8_PRIV_KEY_INFO *info = PKCS8_decrypt(sealed, "abc", 3);
		check_info(info, octets, sizeof(octets));
		PKCS8_PRIV_KEY_INFO_free(info);
		X509_SIG_free(sealed);
		BIO_free(text);
		vldaa_keyfile_free(file.p, file.len);
	}
}
END_TEST

START_TEST(what_libcrypto_encrypts_is_read)
{
	uint8_t octets[64];

	make_octets(octets, sizeof(octets), 0x31);
	/* As `openssl pkcs8 -topk8 -v2 aes-256-cbc` does it, and -scrypt with another cipher. */
	PKCS8_PRIV_KEY_INFO *info = private_info(OUR_OID, 0, V_ASN1_UNDEF, octets, sizeof(octets));
	bytes file =
	    sig_to_der(PKCS8_encrypt(-1, EVP_aes_256_cbc(), "abc", 3, NULL, 0, 2048, info));

	check_key(&file, "abc", VLDAA_KEYFILE_PRIVATE, octets, sizeof(octets));
	OPENSSL_free(file.p);

	X509_ALGOR *scrypt = PKCS5_pbe2_set_scrypt(EVP_aes_128_cbc(), NULL, 0, NULL, 1024, 8, 1);
	file = sig_to_der(PKCS8_set0_pbe("abc", 3, info, scrypt));
	check_key(&file, "abc", VLDAA_KEYFILE_PRIVATE, octets, sizeof(octets));
	OPENSSL_free(file.p);
	PKCS8_PRIV_KEY_INFO_free(info);
}
END_TEST

/* --- the rest --- */

START_TEST(wrong_arguments_are_named_and_give_nothing)
{
	const vldaa_keyfile_lock good = {"abc", 3, VLDAA_KEYFILE_PBKDF2};
	const vldaa_keyfile_lock bad[] = {
	    {"", 0, VLDAA_KEYFILE_SCRYPT},
	    {NULL, 3, VLDAA_KEYFILE_SCRYPT},
	    {"abc", VLDAA_KEYFILE_MAX_PASSPHRASE + 1, VLDAA_KEYFILE_SCRYPT},
	    {"abc", 3, (enum vldaa_keyfile_kdf)2}};
	static uint8_t octets[VLDAA_KEYFILE_MAX_OCTETS + 1];
	const enum vldaa_keyfile_form der = VLDAA_KEYFILE_DER;
	uint8_t *out = octets;
	size_t len = 9;
	vldaa_key key;

	make_octets(octets, sizeof(octets), 1);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		ck_assert_int_eq(vldaa_keyfile_encode(&out, &len, VLDAA_KEYFILE_PRIVATE, der,
						      octets, 64, &bad[i], NULL),
				 VLDAA_ERR_ARGUMENT);
		ck_assert_ptr_null(out);
		ck_assert_uint_eq(len, 0);
	}
	ck_assert_int_eq(
	    vldaa_keyfile_encode(&out, &len, VLDAA_KEYFILE_PUBLIC, der, octets, 64, &good, NULL),
	    VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_keyfile_encode(&out, &len, VLDAA_KEYFILE_PUBLIC, der, octets,
					      sizeof(octets), NULL, NULL),
			 VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(
	    vldaa_keyfile_encode(&out, &len, VLDAA_KEYFILE_PUBLIC, der, octets, 9, NULL, NULL),
	    VLDAA_ERR_ARGUMENT);
	octets[3] = 'B';
	ck_assert_int_eq(
	    vldaa_keyfile_encode(&out, &len, VLDAA_KEYFILE_PUBLIC, der, octets, 64, NULL, NULL),
	    VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(
	    vldaa_keyfile_encode(&out, NULL, VLDAA_KEYFILE_PUBLIC, der, octets, 64, NULL, NULL),
	    VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_keyfile_decode(&key, NULL, 1, NULL, NULL, NULL), VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(
	    vldaa_keyfile_decode(&key, octets, VLDAA_KEYFILE_MAX_FILE + 1, NULL, NULL, NULL),
	    VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_keyfile_decode(NULL, octets, 1, NULL, NULL, NULL),
			 VLDAA_ERR_ARGUMENT);
}
END_TEST

START_TEST(ciphers_come_from_the_callers_context)
{
	const vldaa_keyfile_lock lock = {"abc", 3, VLDAA_KEYFILE_PBKDF2};
	vldaa_keyfile_crypto crypto = {OSSL_LIB_CTX_new(), NULL};
	asker a = {"abc", 0, VLDAA_OK};
	uint8_t octets[64], *out;
	vldaa_key key;
	size_t len;

	make_octets(octets, sizeof(octets), 1);
	OSSL_PROVIDER *provider = OSSL_PROVIDER_load(crypto.libctx, "default");
	ck_assert_ptr_nonnull(provider);
	ck_assert_int_eq(vldaa_keyfile_encode(&out, &len, VLDAA_KEYFILE_PRIVATE, VLDAA_KEYFILE_DER,
					      octets, sizeof(octets), &lock, &crypto),
			 VLDAA_OK);
	ck_assert_int_eq(vldaa_keyfile_decode(&key, out, len, answer, &a, &crypto), VLDAA_OK);
	vldaa_key_clear(&key);
	crypto.propq = "provider=nobody";
	ck_assert_int_eq(vldaa_keyfile_decode(&key, out, len, answer, &a, &crypto),
			 VLDAA_KEYFILE_ERR_CIPHER);
	vldaa_keyfile_free(out, len);
	ERR_clear_error();
	ck_assert_int_eq(vldaa_keyfile_encode(&out, &len, VLDAA_KEYFILE_PRIVATE, VLDAA_KEYFILE_DER,
					      octets, sizeof(octets), &lock, &crypto),
			 VLDAA_ERR_CRYPTO);
	/* What libcrypto said about it is still there. */
	ck_assert_uint_ne(ERR_peek_error(), 0);
	OSSL_PROVIDER_unload(provider);
	OSSL_LIB_CTX_free(crypto.libctx);
}
END_TEST

START_TEST(errors_with_our_own_name_leave_no_others_in_the_queue)
{
	ERR_clear_error();
	ck_assert_int_eq(verdict((const uint8_t *)"-----BEGIN X", 12, NULL),
			 VLDAA_KEYFILE_ERR_NOT_OURS);
	ck_assert_int_eq(verdict((const uint8_t *)"0\x03\x02\x01\x05", 5, NULL),
			 VLDAA_KEYFILE_ERR_DAMAGED);
	ck_assert_uint_eq(ERR_peek_error(), 0);
}
END_TEST

START_TEST(freed_memory_holds_nothing_of_a_private_key)
{
	const vldaa_keyfile_lock locks[] = {{"abc", 3, VLDAA_KEYFILE_SCRYPT},
					    {"abc", 3, VLDAA_KEYFILE_PBKDF2}};
	static uint8_t octets[5000];

	watching = 1;
	/* The watch works. */
	void *p = OPENSSL_malloc(100);
	memset(p, SECRET, 100);
	OPENSSL_free(p);
	ck_assert_int_gt(leftovers, 0);
	leftovers = 0;

	make_octets(octets, sizeof(octets), SECRET);
	for (int i = 0; i < 3; i++) {
		for (int form = VLDAA_KEYFILE_PEM; form <= VLDAA_KEYFILE_DER; form++) {
			/* Each key derivation in one form: they take a while. */
			if (i < 2 && i != (form == VLDAA_KEYFILE_DER))
				continue;
			bytes file = encode(VLDAA_KEYFILE_PRIVATE, (enum vldaa_keyfile_form)form,
					    octets, sizeof(octets), i < 2 ? &locks[i] : NULL);

			ck_assert_int_eq(leftovers, 0);
			check_key(&file, i < 2 ? "abc" : NULL, VLDAA_KEYFILE_PRIVATE, octets,
				  sizeof(octets));
			ck_assert_int_eq(leftovers, 0);
			/* Damaged: found out after copies were made. */
			file.p[file.len - 1] ^= 1;
			verdict(file.p, file.len - (form == VLDAA_KEYFILE_PEM ? 3 : 0),
				i < 2 ? "abc" : NULL);
			ck_assert_int_eq(leftovers, 0);
			vldaa_keyfile_free(file.p, file.len);
			ck_assert_int_eq(leftovers, 0);
		}
	}
}
END_TEST

START_TEST(every_code_has_a_name_and_a_text)
{
	int known = 0;

	for (int code = 10; code > -200; code--) {
		const char *name = vldaa_keyfile_error_name(code);

		ck_assert_int_eq(name == NULL, vldaa_keyfile_error_text(code) == NULL);
		known += name != NULL;
	}
	ck_assert_int_eq(known, 8);
	ck_assert_ptr_null(vldaa_keyfile_error_name(VLDAA_ERR_ARGUMENT));
}
END_TEST

int main(void)
{
	/* Before libcrypto allocates anything. */
	if (CRYPTO_set_mem_functions(watched_malloc, watched_realloc, watched_free) != 1)
		return EXIT_FAILURE;
	Suite *s = suite_create("key files");
	TCase *tc = tcase_create("key files");
	SRunner *sr = srunner_create(s);

	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, keys_of_all_lengths_come_back_from_pem_and_der);
	tcase_add_test(tc, encrypted_keys_come_back_with_their_passphrase);
	tcase_add_test(tc, two_encryptions_of_one_key_differ);
	tcase_add_test(tc, libcrypto_reads_the_public_key);
	tcase_add_test(tc, libcrypto_reads_the_private_key);
	tcase_add_test(tc, libcrypto_decrypts_the_private_key);
	tcase_add_test(tc, what_libcrypto_encrypts_is_read);
	tcase_add_test(tc, wrong_arguments_are_named_and_give_nothing);
	tcase_add_test(tc, ciphers_come_from_the_callers_context);
	tcase_add_test(tc, errors_with_our_own_name_leave_no_others_in_the_queue);
	tcase_add_test(tc, freed_memory_holds_nothing_of_a_private_key);
	tcase_add_test(tc, every_code_has_a_name_and_a_text);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
