/*
 * Promises of vldaa/keyfile.h on ML-DSA public keys: what is written is the SubjectPublicKeyInfo of
 * RFC 9881, byte by byte, which libcrypto reads; it comes back from PEM and DER; every other
 * spelling, length or key is refused.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/crypto.h>
#include <openssl/objects.h>
#include <openssl/x509.h>

#include "keyfile_common.h"

enum { HEAD = 22, MOST = 2592, SETS = 3 };

/*
 * SEQUENCE { SEQUENCE { OBJECT IDENTIFIER 2.16.840.1.101.3.4.3.n }, BIT STRING, 0 unused bits, written by
 * hand from X.690: n is 17, 18, 19 (NIST's CSOR), lengths are 1312, 1952, 2592 (FIPS 204, Table 2).
 */
static const struct {
	const char *oid;
	const char *name;
	size_t len;
	uint8_t head[HEAD];
} sets[SETS] = {
    {"2.16.840.1.101.3.4.3.17", "ML-DSA-44", 1312, {0x30, 0x82, 0x05, 0x32, 0x30, 0x0b, 0x06, 0x09,
						    0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x03,
						    0x11, 0x03, 0x82, 0x05, 0x21, 0x00}},
    {"2.16.840.1.101.3.4.3.18", "ML-DSA-65", 1952, {0x30, 0x82, 0x07, 0xb2, 0x30, 0x0b, 0x06, 0x09,
						    0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x03,
						    0x12, 0x03, 0x82, 0x07, 0xa1, 0x00}},
    {"2.16.840.1.101.3.4.3.19", "ML-DSA-87", 2592, {0x30, 0x82, 0x0a, 0x32, 0x30, 0x0b, 0x06, 0x09,
						    0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x03,
						    0x13, 0x03, 0x82, 0x0a, 0x21, 0x00}},
};

static uint8_t key[MOST];

static void set_up(void)
{
	for (size_t i = 0; i < sizeof key; i++)
		key[i] = (uint8_t)(i * 7 + i / 251);
}

static bytes encode_mldsa(enum vldaa_keyfile_form form, size_t len)
{
	bytes out;

	ck_assert_int_eq(vldaa_keyfile_encode_mldsa(&out.p, &out.len, form, key, len), VLDAA_OK);
	return out;
}

/* Decodes a copy of exactly len bytes; asserts that an error gives nothing. */
static int try_decode(const uint8_t *in, size_t len, bytes *out)
{
	uint8_t *copy = malloc(len + 1);
	int result;

	ck_assert_ptr_nonnull(copy);
	memcpy(copy + 1, in, len);
	*out = (bytes){copy, 9};
	result = vldaa_keyfile_decode_mldsa(&out->p, &out->len, copy + 1, len);
	free(copy);
	if (result != VLDAA_OK) {
		ck_assert_ptr_null(out->p);
		ck_assert_uint_eq(out->len, 0);
	}
	return result;
}

static void refuse(const uint8_t *in, size_t len)
{
	bytes out;

	ck_assert_int_eq(try_decode(in, len, &out), VLDAA_KEYFILE_ERR_NOT_OURS);
}

static void accept(const uint8_t *in, size_t len, size_t key_len)
{
	bytes out;

	ck_assert_int_eq(try_decode(in, len, &out), VLDAA_OK);
	ck_assert_uint_eq(out.len, key_len);
	ck_assert_mem_eq(out.p, key, key_len);
	vldaa_keyfile_free(out.p, out.len);
}

START_TEST(the_der_is_rfc_9881s_byte_by_byte)
{
	for (int i = 0; i < SETS; i++) {
		bytes der = encode_mldsa(VLDAA_KEYFILE_DER, sets[i].len);

		ck_assert_uint_eq(der.len, HEAD + sets[i].len);
		ck_assert_mem_eq(der.p, sets[i].head, HEAD);
		ck_assert_mem_eq(der.p + HEAD, key, sets[i].len);
		ck_assert_str_eq(vldaa_keyfile_mldsa_name(sets[i].len), sets[i].name);
		vldaa_keyfile_free(der.p, der.len);
	}
}
END_TEST

START_TEST(libcrypto_reads_it)
{
	for (int i = 0; i < SETS; i++) {
		bytes der = encode_mldsa(VLDAA_KEYFILE_DER, sets[i].len);
		const unsigned char *p = der.p, *content;
		X509_PUBKEY *read = d2i_X509_PUBKEY(NULL, &p, (long)der.len);
		X509_ALGOR *algorithm;
		ASN1_OBJECT *oid;
		char text[64];
		int len;

		ck_assert_ptr_nonnull(read);
		ck_assert_ptr_eq(p, der.p + der.len);
		ck_assert_int_eq(X509_PUBKEY_get0_param(&oid, &content, &len, &algorithm, read), 1);
		OBJ_obj2txt(text, sizeof text, oid, 1);
		ck_assert_str_eq(text, sets[i].oid);
		ck_assert_ptr_null(algorithm->parameter);
		ck_assert_uint_eq((size_t)len, sets[i].len);
		ck_assert_mem_eq(content, key, sets[i].len);
		X509_PUBKEY_free(read);
		vldaa_keyfile_free(der.p, der.len);
	}
}
END_TEST

START_TEST(keys_come_back_from_pem_and_der)
{
	for (int i = 0; i < SETS; i++) {
		bytes der = encode_mldsa(VLDAA_KEYFILE_DER, sets[i].len);
		bytes pem = encode_mldsa(VLDAA_KEYFILE_PEM, sets[i].len);

		accept(der.p, der.len, sets[i].len);
		accept(pem.p, pem.len, sets[i].len);
		ck_assert_mem_eq(pem.p, "-----BEGIN PUBLIC KEY-----\n", 27);
		vldaa_keyfile_free(der.p, der.len);
		vldaa_keyfile_free(pem.p, pem.len);
	}
}
END_TEST

START_TEST(there_is_no_other_spelling)
{
	bytes der = encode_mldsa(VLDAA_KEYFILE_DER, 1312);
	uint8_t *longer = malloc(der.len + 2);

	ck_assert_ptr_nonnull(longer);
	for (size_t i = 0; i < HEAD * 8; i++) {
		der.p[i / 8] ^= (uint8_t)(1 << i % 8);
		refuse(der.p, der.len);
		der.p[i / 8] ^= (uint8_t)(1 << i % 8);
	}
	for (size_t len = 0; len < der.len; len += len < 40 ? 1 : 97)
		refuse(der.p, len);
	memcpy(longer, der.p, der.len);
	longer[der.len] = 0;
	refuse(longer, der.len + 1);
	/* With parameters NULL, as RSA keys have them. */
	memcpy(longer, der.p, 17);
	longer[3] = 0x34;
	longer[5] = 0x0d;
	longer[17] = 0x05;
	longer[18] = 0x00;
	memcpy(longer + 19, der.p + 17, der.len - 17);
	refuse(longer, der.len + 2);
	/* The identifier of one set over a key of another. */
	der.p[16] = 0x13;
	refuse(der.p, der.len);
	der.p[16] = 0x11;
	accept(der.p, der.len, 1312);
	free(longer);
	vldaa_keyfile_free(der.p, der.len);
}
END_TEST

START_TEST(our_own_keys_are_told_apart)
{
	uint8_t octets[1312];
	bytes mldsa = encode_mldsa(VLDAA_KEYFILE_PEM, 1312), own, both;

	make_octets(octets, sizeof octets, 1);
	own = encode(VLDAA_KEYFILE_PUBLIC, VLDAA_KEYFILE_PEM, octets, sizeof octets, NULL);
	refuse(own.p, own.len);
	ck_assert_int_eq(verdict(mldsa.p, mldsa.len, NULL), VLDAA_KEYFILE_ERR_NOT_OURS);
	/* Each finds its own in one file. */
	both = (bytes){malloc(own.len + mldsa.len), own.len + mldsa.len};
	ck_assert_ptr_nonnull(both.p);
	memcpy(both.p, own.p, own.len);
	memcpy(both.p + own.len, mldsa.p, mldsa.len);
	accept(both.p, both.len, 1312);
	ck_assert_int_eq(verdict(both.p, both.len, NULL), VLDAA_OK);
	free(both.p);
	vldaa_keyfile_free(own.p, own.len);
	vldaa_keyfile_free(mldsa.p, mldsa.len);
}
END_TEST

START_TEST(wrong_arguments_give_nothing)
{
	const size_t lens[] = {0, 1, 1311, 1313, 2591};
	uint8_t *out = key;
	size_t len = 9;

	for (size_t i = 0; i < sizeof lens / sizeof lens[0]; i++) {
		ck_assert_int_eq(
		    vldaa_keyfile_encode_mldsa(&out, &len, VLDAA_KEYFILE_DER, key, lens[i]),
		    VLDAA_ERR_ARGUMENT);
		ck_assert_ptr_null(out);
		ck_assert_uint_eq(len, 0);
		ck_assert_ptr_null(vldaa_keyfile_mldsa_name(lens[i]));
	}
	ck_assert_int_eq(vldaa_keyfile_encode_mldsa(NULL, &len, VLDAA_KEYFILE_DER, key, 1312),
			 VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_keyfile_encode_mldsa(&out, NULL, VLDAA_KEYFILE_DER, key, 1312),
			 VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_keyfile_encode_mldsa(&out, &len, VLDAA_KEYFILE_DER, NULL, 1312),
			 VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(
	    vldaa_keyfile_encode_mldsa(&out, &len, (enum vldaa_keyfile_form)2, key, 1312),
	    VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_keyfile_decode_mldsa(NULL, &len, key, 1), VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_keyfile_decode_mldsa(&out, NULL, key, 1), VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_keyfile_decode_mldsa(&out, &len, NULL, 1), VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_keyfile_decode_mldsa(&out, &len, NULL, 0),
			 VLDAA_KEYFILE_ERR_NOT_OURS);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("ML-DSA public keys");
	TCase *tc = tcase_create("SubjectPublicKeyInfo");
	SRunner *sr = srunner_create(s);

	tcase_add_checked_fixture(tc, set_up, NULL);
	tcase_add_test(tc, the_der_is_rfc_9881s_byte_by_byte);
	tcase_add_test(tc, libcrypto_reads_it);
	tcase_add_test(tc, keys_come_back_from_pem_and_der);
	tcase_add_test(tc, there_is_no_other_spelling);
	tcase_add_test(tc, our_own_keys_are_told_apart);
	tcase_add_test(tc, wrong_arguments_give_nothing);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
