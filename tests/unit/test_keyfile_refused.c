/*
 * Promises: what is not ours, damaged, spelled in another way, encrypted with another passphrase,
 * in an old way or at an absurd cost is refused under its own name, and a passphrase is asked for
 * only when it helps.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/objects.h>
#include <openssl/pem.h>

#include "keyfile_common.h"

/* --- passphrases --- */

START_TEST(a_passphrase_is_asked_for_once_and_only_when_needed)
{
	asker a = {"abc", 0, VLDAA_OK};
	uint8_t octets[64];
	vldaa_key key;

	make_octets(octets, sizeof(octets), 1);
	bytes plain =
	    encode(VLDAA_KEYFILE_PRIVATE, VLDAA_KEYFILE_PEM, octets, sizeof(octets), NULL);
	bytes sealed = cheaply_encrypted(octets, sizeof(octets), "abc");

	ck_assert_int_eq(vldaa_keyfile_decode(&key, plain.p, plain.len, answer, &a, NULL),
			 VLDAA_OK);
	ck_assert_int_eq(a.asked, 0);
	vldaa_key_clear(&key);
	ck_assert_int_eq(vldaa_keyfile_decode(&key, sealed.p, sealed.len, answer, &a, NULL),
			 VLDAA_OK);
	ck_assert_int_eq(a.asked, 1);
	vldaa_key_clear(&key);

	ck_assert_int_eq(verdict(sealed.p, sealed.len, NULL), VLDAA_KEYFILE_ERR_NO_PASSPHRASE);
	a.result = -1234;
	ck_assert_int_eq(vldaa_keyfile_decode(&key, sealed.p, sealed.len, answer, &a, NULL), -1234);
	vldaa_keyfile_free(plain.p, plain.len);
	OPENSSL_free(sealed.p);
}
END_TEST

START_TEST(a_wrong_passphrase_is_named_also_when_the_padding_fits_by_chance)
{
	uint8_t octets[64];
	int other = 0;

	make_octets(octets, sizeof(octets), 1);
	bytes sealed = cheaply_encrypted(octets, sizeof(octets), "abc");

	/* One in 256 fits. */
	for (int i = 0; i < 2000; i++) {
		char wrong[16];

		snprintf(wrong, sizeof(wrong), "abc%d", i);
		other += verdict(sealed.p, sealed.len, wrong) != VLDAA_KEYFILE_ERR_PASSPHRASE;
	}
	ck_assert_int_eq(other, 0);
	ck_assert_int_eq(verdict(sealed.p, sealed.len, "abc"), VLDAA_OK);
	OPENSSL_free(sealed.p);
}
END_TEST

/* An EncryptedPrivateKeyInfo that says how it was encrypted, around nothing. */
static bytes hollow(X509_ALGOR *algorithm)
{
	X509_SIG *sealed = X509_SIG_new();
	ASN1_OCTET_STRING *text;
	X509_ALGOR *inside;

	ck_assert_ptr_nonnull(algorithm);
	X509_SIG_getm(sealed, &inside, &text);
	ck_assert_int_eq(X509_ALGOR_copy(inside, algorithm), 1);
	ASN1_OCTET_STRING_set(text, (const unsigned char *)"0123456789abcdef", 16);
	X509_ALGOR_free(algorithm);
	return sig_to_der(sealed);
}

START_TEST(absurd_costs_and_old_ciphers_are_refused_before_the_passphrase)
{
	const EVP_CIPHER *aes = EVP_aes_256_cbc();
	uint8_t salt[8] = "saltsalt";
	const struct {
		X509_ALGOR *algorithm;
		int result;
	} cases[] = {
	    {PKCS5_pbe2_set_iv(aes, 10000000, salt, 8, NULL, -1), VLDAA_KEYFILE_ERR_NO_PASSPHRASE},
	    {PKCS5_pbe2_set_iv(aes, 10000001, salt, 8, NULL, -1), VLDAA_KEYFILE_ERR_CIPHER},
	    {PKCS5_pbe2_set_scrypt(aes, salt, 8, NULL, 16384, 8, 128),
	     VLDAA_KEYFILE_ERR_NO_PASSPHRASE},
	    {PKCS5_pbe2_set_scrypt(aes, salt, 8, NULL, 16384, 8, 129), VLDAA_KEYFILE_ERR_CIPHER},
	    {PKCS5_pbe_set(NID_pbe_WithSHA1And3_Key_TripleDES_CBC, 1, salt, 8),
	     VLDAA_KEYFILE_ERR_CIPHER},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		bytes file = hollow(cases[i].algorithm);

		ck_assert_int_eq(verdict(file.p, file.len, NULL), cases[i].result);
		OPENSSL_free(file.p);
	}
}
END_TEST

START_TEST(only_cbc_ciphers_are_opened)
{
	const struct {
		const EVP_CIPHER *cipher;
		int result;
	} cases[] = {
	    {EVP_aes_256_cbc(), VLDAA_KEYFILE_ERR_PASSPHRASE},
	    {EVP_aes_256_cfb128(), VLDAA_KEYFILE_ERR_CIPHER},
	    {EVP_aes_256_ofb(), VLDAA_KEYFILE_ERR_CIPHER},
	};
	uint8_t salt[8] = "saltsalt";

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		bytes file = hollow(PKCS5_pbe2_set_iv(cases[i].cipher, 1, salt, 8, NULL, -1));

		ck_assert_int_eq(verdict(file.p, file.len, "abc"), cases[i].result);
		OPENSSL_free(file.p);
	}
}
END_TEST

/* --- damage --- */

START_TEST(cut_off_files_are_damaged_or_unrecognisable)
{
	uint8_t octets[64];

	make_octets(octets, sizeof(octets), 1);
	for (int type = VLDAA_KEYFILE_PUBLIC; type <= VLDAA_KEYFILE_PRIVATE; type++) {
		for (int form = VLDAA_KEYFILE_PEM; form <= VLDAA_KEYFILE_DER; form++) {
			bytes file =
			    encode((enum vldaa_keyfile_type)type, (enum vldaa_keyfile_form)form,
				   octets, sizeof(octets), NULL);
			size_t shows =
			    form == VLDAA_KEYFILE_DER ? 40 : strlen("-----BEGIN PRIVATE KEY-----");

			/* The last byte of PEM is a newline that nobody misses. */
			for (size_t cut = 0; cut < file.len - (form == VLDAA_KEYFILE_PEM ? 1 : 0);
			     cut++) {
				int result = verdict(file.p, cut, NULL);

				if (result != VLDAA_KEYFILE_ERR_DAMAGED &&
				    (cut > shows || result != VLDAA_KEYFILE_ERR_NOT_OURS))
					ck_abort_msg("%zu bytes of %zu: %d", cut, file.len, result);
			}
			vldaa_keyfile_free(file.p, file.len);
		}
	}
	bytes sealed = cheaply_encrypted(octets, sizeof(octets), "abc");

	for (size_t cut = 0; cut < sealed.len; cut++)
		ck_assert_int_lt(verdict(sealed.p, cut, "abc"), 0);
	OPENSSL_free(sealed.p);
}
END_TEST

/* From byte `from` on, flipping any one bit is refused, or the octets differ; never is it the same
 * key. */
static int accepted_flips(bytes file, size_t from, const char *passphrase, const uint8_t *octets,
			  size_t len)
{
	int accepted = 0;

	for (size_t bit = 0; bit < 8 * file.len; bit++) {
		vldaa_key key;

		file.p[bit / 8] ^= (uint8_t)(1 << bit % 8);
		if (decode(&key, file.p, file.len, passphrase) == VLDAA_OK) {
			accepted++;
			if (bit >= 8 * from && key.len == len &&
			    memcmp(key.octets, octets, len) == 0)
				ck_abort_msg("bit %zu changes nothing", bit);
		}
		vldaa_key_clear(&key);
		file.p[bit / 8] ^= (uint8_t)(1 << bit % 8);
	}
	return accepted;
}

START_TEST(no_flipped_bit_goes_unseen)
{
	uint8_t octets[64];

	make_octets(octets, sizeof(octets), 1);
	bytes private =
	    encode(VLDAA_KEYFILE_PRIVATE, VLDAA_KEYFILE_DER, octets, sizeof(octets), NULL);
	bytes public =
	    encode(VLDAA_KEYFILE_PUBLIC, VLDAA_KEYFILE_DER, octets, sizeof(octets), NULL);
	bytes sealed = cheaply_encrypted(octets, sizeof(octets), "abc");

	/* Accepted are those in the octets but for the magic, the set and a public key's kind: what
	 * they mean, the core says. */
	ck_assert_int_eq(accepted_flips(private, 0, NULL, octets, sizeof(octets)), 8 * 56);
	ck_assert_int_eq(accepted_flips(public, 0, NULL, octets, sizeof(octets)), 8 * 55);
	/* CBC authenticates nothing, and before the ciphertext there are parameters that nobody
	 * reads (of the PRF); but no change of the ciphertext gives the same key. */
	size_t text = (private.len / 16 + 1) * 16;

	ck_assert_int_lt(accepted_flips(sealed, sealed.len - text, "abc", octets, sizeof(octets)),
			 (int)(8 * text));
	vldaa_keyfile_free(private.p, private.len);
	vldaa_keyfile_free(public.p, public.len);
	OPENSSL_free(sealed.p);
}
END_TEST

START_TEST(identifier_and_header_must_name_the_same_set)
{
	uint8_t octets[64];

	make_octets(octets, sizeof(octets), 1);
	bytes file = info_to_der(private_info(OUR_OID, 0, V_ASN1_UNDEF, octets, sizeof(octets)));

	ck_assert_int_eq(verdict(file.p, file.len, NULL), VLDAA_OK);
	OPENSSL_free(file.p);
	file = info_to_der(private_info(VLDAA_KEYFILE_OID_BASE ".42", 0, V_ASN1_UNDEF, octets, 64));
	ck_assert_int_eq(verdict(file.p, file.len, NULL), VLDAA_KEYFILE_ERR_SET);
	OPENSSL_free(file.p);
	octets[0] ^= 1;
	file = info_to_der(private_info(OUR_OID, 0, V_ASN1_UNDEF, octets, sizeof(octets)));
	ck_assert_int_eq(verdict(file.p, file.len, NULL), VLDAA_KEYFILE_ERR_DAMAGED);
	OPENSSL_free(file.p);
	/* A header that is cut off. */
	make_octets(octets, 9, 1);
	file = info_to_der(private_info(OUR_OID, 0, V_ASN1_UNDEF, octets, 9));
	ck_assert_int_eq(verdict(file.p, file.len, NULL), VLDAA_KEYFILE_ERR_DAMAGED);
	OPENSSL_free(file.p);
}
END_TEST

START_TEST(secrets_are_never_in_a_public_file)
{
	uint8_t octets[64], *out;
	size_t len;

	for (int kind = 0; kind < 256; kind++) {
		int public = kind == VLDAA_KIND_GROUP_KEY || kind == VLDAA_KIND_ATTESTATION;

		make_octets(octets, sizeof(octets), 1);
		bytes file =
		    encode(VLDAA_KEYFILE_PUBLIC, VLDAA_KEYFILE_DER, octets, sizeof(octets), NULL);

		octets[4] = (uint8_t)kind;
		ck_assert_int_eq(vldaa_keyfile_encode(&out, &len, VLDAA_KEYFILE_PUBLIC,
						      VLDAA_KEYFILE_DER, octets, sizeof(octets),
						      NULL, NULL),
				 public ? VLDAA_OK : VLDAA_ERR_KIND);
		vldaa_keyfile_free(out, len);
		file.p[file.len - sizeof(octets) + 4] = (uint8_t)kind;
		ck_assert_int_eq(verdict(file.p, file.len, NULL),
				 public ? VLDAA_OK : VLDAA_ERR_KIND);
		vldaa_keyfile_free(file.p, file.len);
	}
}
END_TEST

START_TEST(other_spellings_of_a_key_are_refused)
{
	uint8_t octets[64], longer[200];

	make_octets(octets, sizeof(octets), 1);
	/* Parameters, version and attributes. */
	bytes file = info_to_der(private_info(OUR_OID, 0, V_ASN1_NULL, octets, sizeof(octets)));

	ck_assert_int_eq(verdict(file.p, file.len, NULL), VLDAA_KEYFILE_ERR_DAMAGED);
	OPENSSL_free(file.p);
	file = info_to_der(private_info(OUR_OID, 1, V_ASN1_UNDEF, octets, sizeof(octets)));
	ck_assert_int_eq(verdict(file.p, file.len, NULL), VLDAA_KEYFILE_ERR_DAMAGED);
	OPENSSL_free(file.p);
	PKCS8_PRIV_KEY_INFO *info = private_info(OUR_OID, 0, V_ASN1_UNDEF, octets, sizeof(octets));
	ck_assert_int_eq(PKCS8_pkey_add1_attr_by_NID(info, NID_friendlyName, V_ASN1_UTF8STRING,
						     (const unsigned char *)"me", 2),
			 1);
	file = info_to_der(info);
	ck_assert_int_eq(verdict(file.p, file.len, NULL), VLDAA_KEYFILE_ERR_DAMAGED);
	OPENSSL_free(file.p);

	/* 30 len ... as 30 81 len ..., as 30 80 ... 00 00, and with a byte after the end. */
	file = encode(VLDAA_KEYFILE_PRIVATE, VLDAA_KEYFILE_DER, octets, sizeof(octets), NULL);
	ck_assert_uint_lt(file.p[1], 0x80);
	memcpy(longer + 1, file.p, file.len);
	longer[0] = 0x30;
	longer[1] = 0x81;
	ck_assert_int_eq(verdict(longer, file.len + 1, NULL), VLDAA_KEYFILE_ERR_DAMAGED);
	memcpy(longer, file.p, file.len);
	longer[1] = 0x80;
	longer[file.len] = longer[file.len + 1] = 0;
	ck_assert_int_eq(verdict(longer, file.len + 2, NULL), VLDAA_KEYFILE_ERR_DAMAGED);
	longer[1] = file.p[1];
	ck_assert_int_eq(verdict(longer, file.len, NULL), VLDAA_OK);
	ck_assert_int_eq(verdict(longer, file.len + 1, NULL), VLDAA_KEYFILE_ERR_DAMAGED);
	vldaa_keyfile_free(file.p, file.len);
}
END_TEST

START_TEST(a_pem_block_must_hold_what_its_name_says)
{
	uint8_t octets[64];
	char *text;

	make_octets(octets, sizeof(octets), 1);
	bytes file = encode(VLDAA_KEYFILE_PUBLIC, VLDAA_KEYFILE_DER, octets, sizeof(octets), NULL);
	BIO *out = BIO_new(BIO_s_mem());

	PEM_write_bio(out, "PRIVATE KEY", "", file.p, (long)file.len);
	long len = BIO_get_mem_data(out, &text);
	ck_assert_int_eq(verdict((const uint8_t *)text, (size_t)len, NULL),
			 VLDAA_KEYFILE_ERR_DAMAGED);
	BIO_free(out);
	vldaa_keyfile_free(file.p, file.len);
}
END_TEST

START_TEST(pem_text_is_base64_between_two_lines_and_white_space_is_free)
{
	const struct {
		const char *begin, *end;
		int result;
	} cases[] = {
	    {"-----BEGIN PUBLIC KEY-----\n", "-----END PUBLIC KEY-----\n", VLDAA_OK},
	    {"\xef\xbb\xbf-----BEGIN PUBLIC KEY----- \r\n\t", "\r\n-----END PUBLIC KEY-----",
	     VLDAA_OK},
	    {"-----BEGIN PUBLIC KEY-----\nProc-Type: 4,ENCRYPTED\n\n", "-----END PUBLIC KEY-----\n",
	     VLDAA_KEYFILE_ERR_DAMAGED},
	    {"-----BEGIN PUBLIC KEY-----\n", "-----END PRIVATE KEY-----\n",
	     VLDAA_KEYFILE_ERR_DAMAGED},
	    {"-----BEGIN PUBLIC KEY-----\n", "A-----END PUBLIC KEY-----\n",
	     VLDAA_KEYFILE_ERR_DAMAGED},
	    {"-----BEGIN PUBLIC KEY-----\n", "====-----END PUBLIC KEY-----\n",
	     VLDAA_KEYFILE_ERR_DAMAGED},
	    {"-----BEGIN PUBLIC KEY-----\nAA==", "-----END PUBLIC KEY-----\n",
	     VLDAA_KEYFILE_ERR_DAMAGED},
	    {"-----BEGIN PUBLIC KEY-----\n", "", VLDAA_KEYFILE_ERR_DAMAGED},
	    {"-----BEGIN EC PUBLIC KEY-----\n", "-----END EC PUBLIC KEY-----\n",
	     VLDAA_KEYFILE_ERR_NOT_OURS},
	};
	/* 60 octets: a multiple of three bytes in all, so that there is no padding yet. */
	uint8_t octets[60], body[400];

	make_octets(octets, sizeof(octets), 1);
	bytes file = encode(VLDAA_KEYFILE_PUBLIC, VLDAA_KEYFILE_DER, octets, sizeof(octets), NULL);

	ck_assert_uint_eq(file.len % 3, 0);
	EVP_EncodeBlock(body, file.p, (int)file.len);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[600];
		int len = snprintf(text, sizeof(text), "%s%s%s", cases[i].begin, (const char *)body,
				   cases[i].end);

		ck_assert_int_eq(verdict((const uint8_t *)text, (size_t)len, NULL),
				 cases[i].result);
	}
	vldaa_keyfile_free(file.p, file.len);
}
END_TEST

/* --- what is not ours --- */

START_TEST(files_of_others_are_not_ours)
{
	const char *texts[] = {"",
			       "0",
			       "hello\n",
			       "-----BEGIN ",
			       "-----BEGIN CERTIFICATE-----\n",
			       "-----BEGIN OTHER-----\nAAAA\n-----END OTHER-----\n"};
	EVP_PKEY *ec = EVP_EC_gen("P-256");
	uint8_t octets[64];
	char *text;
	long len;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		ck_assert_int_eq(verdict((const uint8_t *)texts[i], strlen(texts[i]), NULL),
				 VLDAA_KEYFILE_ERR_NOT_OURS);
	}

	unsigned char *der = NULL;
	len = i2d_PUBKEY(ec, &der);
	ck_assert_int_eq(verdict(der, (size_t)len, NULL), VLDAA_KEYFILE_ERR_NOT_OURS);
	OPENSSL_free(der);
	bytes private = info_to_der(EVP_PKEY2PKCS8(ec));
	ck_assert_int_eq(verdict(private.p, private.len, NULL), VLDAA_KEYFILE_ERR_NOT_OURS);
	OPENSSL_free(private.p);

	/* Theirs, encrypted with our passphrase; then text and our key after it. */
	BIO *out = BIO_new(BIO_s_mem());
	PEM_write_bio_PKCS8PrivateKey(out, ec, EVP_aes_256_cbc(), "abc", 3, NULL, NULL);
	PEM_write_bio_PUBKEY(out, ec);
	len = BIO_get_mem_data(out, &text);
	ck_assert_int_eq(verdict((const uint8_t *)text, (size_t)len, "abc"),
			 VLDAA_KEYFILE_ERR_NOT_OURS);
	make_octets(octets, sizeof(octets), 1);
	bytes ours = encode(VLDAA_KEYFILE_PUBLIC, VLDAA_KEYFILE_PEM, octets, sizeof(octets), NULL);
	BIO_puts(out, "\nThe group's key:\n");
	BIO_write(out, ours.p, (int)ours.len);
	BIO_puts(out, "-----BEGIN NOISE");
	len = BIO_get_mem_data(out, &text);
	vldaa_key key;
	ck_assert_int_eq(decode(&key, (const uint8_t *)text, (size_t)len, "abc"), VLDAA_OK);
	ck_assert_mem_eq(key.octets, octets, sizeof(octets));
	vldaa_key_clear(&key);
	BIO_free(out);
	vldaa_keyfile_free(ours.p, ours.len);
	EVP_PKEY_free(ec);
}
END_TEST

START_TEST(identifiers_next_to_ours_are_not_ours)
{
	const char *oids[] = {"2.25.6896855267651164585171150451946460283.42",
			      VLDAA_KEYFILE_OID_BASE, VLDAA_KEYFILE_OID_BASE ".42.1",
			      VLDAA_KEYFILE_OID_BASE ".4294967296",
			      /* 2^64 + 42: must not wrap to 42. */
			      VLDAA_KEYFILE_OID_BASE ".18446744073709551658", "1.2.840.10045.2.1"};
	uint8_t octets[64];

	make_octets(octets, sizeof(octets), 1);
	memcpy(octets + 6, "\0\0\0\x2a", 4);
	bytes file =
	    info_to_der(private_info(VLDAA_KEYFILE_OID_BASE ".42", 0, V_ASN1_UNDEF, octets, 64));

	ck_assert_int_eq(verdict(file.p, file.len, NULL), VLDAA_OK);
	OPENSSL_free(file.p);
	for (size_t i = 0; i < sizeof(oids) / sizeof(oids[0]); i++) {
		file = info_to_der(private_info(oids[i], 0, V_ASN1_UNDEF, octets, sizeof(octets)));
		ck_assert_int_eq(verdict(file.p, file.len, NULL), VLDAA_KEYFILE_ERR_NOT_OURS);
		OPENSSL_free(file.p);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("refused key files");
	TCase *tc = tcase_create("refused key files");
	SRunner *sr = srunner_create(s);

	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, a_passphrase_is_asked_for_once_and_only_when_needed);
	tcase_add_test(tc, a_wrong_passphrase_is_named_also_when_the_padding_fits_by_chance);
	tcase_add_test(tc, absurd_costs_and_old_ciphers_are_refused_before_the_passphrase);
	tcase_add_test(tc, only_cbc_ciphers_are_opened);
	tcase_add_test(tc, cut_off_files_are_damaged_or_unrecognisable);
	tcase_add_test(tc, no_flipped_bit_goes_unseen);
	tcase_add_test(tc, identifier_and_header_must_name_the_same_set);
	tcase_add_test(tc, secrets_are_never_in_a_public_file);
	tcase_add_test(tc, other_spellings_of_a_key_are_refused);
	tcase_add_test(tc, a_pem_block_must_hold_what_its_name_says);
	tcase_add_test(tc, pem_text_is_base64_between_two_lines_and_white_space_is_free);
	tcase_add_test(tc, files_of_others_are_not_ours);
	tcase_add_test(tc, identifiers_next_to_ours_are_not_ours);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
