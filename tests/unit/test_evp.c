/*
 * Promises of role/evp.h: the formats are those stated; sealed bytes open with the right key and
 * aad only, and only as they were made; signatures of every usual kind of key verify, and malformed
 * ones are a "no", not a failure; a certificate chain is accepted when it is whole, in time, made
 * of CAs and ends in a configured root, and for nothing less; one certificate has one id, whatever
 * is done to its encoding; outputs are zero after an error; and no call leaves anything in
 * libcrypto's error queue.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

#include "role/evp.h"

enum {
	BIG = 8192,
};

static const char text[] = "the answer: a tag and a preimage";

static int all_zero(const uint8_t *p, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (p[i])
			return 0;
	}
	return 1;
}

static void after_each(void)
{
	ck_assert_uint_eq(ERR_peek_error(), 0);
}

/* Sealing. */

struct sealed {
	uint8_t priv[32];
	uint8_t pub[32];
	uint8_t bytes[256];
	size_t len;
};

static void make_sealed(struct sealed *s)
{
	ck_assert_int_eq(vldaa_seal_keypair(s->priv, s->pub), VLDAA_OK);
	ck_assert_int_eq(
	    vldaa_seal(s->bytes, sizeof s->bytes, &s->len, s->pub, "aad", 3, text, sizeof text),
	    VLDAA_OK);
	ck_assert_uint_eq(s->len, sizeof text + VLDAA_SEAL_OVERHEAD);
}

START_TEST(random_bytes_differ_from_call_to_call)
{
	uint8_t a[32] = {0};
	uint8_t b[32] = {0};

	ck_assert_int_eq(vldaa_evp_random(a, sizeof a), VLDAA_OK);
	ck_assert_int_eq(vldaa_evp_random(b, sizeof b), VLDAA_OK);
	ck_assert_int_ne(memcmp(a, b, sizeof a), 0);
	ck_assert_int_eq(vldaa_evp_random(NULL, 0), VLDAA_OK);
	ck_assert_int_eq(vldaa_evp_random(NULL, 1), VLDAA_ERR_ARGUMENT);
}
END_TEST

START_TEST(sha256_of_abc_is_the_one_of_fips_180)
{
	/* FIPS 180-2, appendix B.1. */
	static const uint8_t expected[32] = {0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea,
					     0x41, 0x41, 0x40, 0xde, 0x5d, 0xae, 0x22, 0x23,
					     0xb0, 0x03, 0x61, 0xa3, 0x96, 0x17, 0x7a, 0x9c,
					     0xb4, 0x10, 0xff, 0x61, 0xf2, 0x00, 0x15, 0xad};
	uint8_t out[32];

	ck_assert_int_eq(vldaa_evp_sha256(out, "abc", 3), VLDAA_OK);
	ck_assert_mem_eq(out, expected, 32);
	ck_assert_int_eq(vldaa_evp_sha256(out, NULL, 0), VLDAA_OK);
	ck_assert_uint_eq(out[0], 0xe3);
}
END_TEST

START_TEST(sealed_bytes_open_with_their_key)
{
	struct sealed s;
	uint8_t out[sizeof text];
	size_t len = 0;

	make_sealed(&s);
	ck_assert_int_eq(vldaa_unseal(out, sizeof out, &len, s.priv, "aad", 3, s.bytes, s.len),
			 VLDAA_OK);
	ck_assert_uint_eq(len, sizeof text);
	ck_assert_mem_eq(out, text, sizeof text);
}
END_TEST

START_TEST(known_sealed_bytes_open)
{
	/* Computed with Python's cryptography 48.0 from the formulas in evp.h.  The recipient is
	 * Bob of RFC 7748, section 6.1; the fleet's key is 00 01 .. 1f, its nonce 40 41 .. 4b. */
	static const char expected[] = "vldaa known answer";
	static const uint8_t priv[32] = {0x5d, 0xab, 0x08, 0x7e, 0x62, 0x4a, 0x8a, 0x4b,
					 0x79, 0xe1, 0x7f, 0x8b, 0x83, 0x80, 0x0e, 0xe6,
					 0x6f, 0x3b, 0xb1, 0x29, 0x26, 0x18, 0xb6, 0xfd,
					 0x1c, 0x2f, 0x8b, 0x27, 0xff, 0x88, 0xe0, 0xeb};
	static const uint8_t sealed[66] = {
	    0xf8, 0xa9, 0x53, 0x5a, 0x2d, 0x2f, 0xf6, 0x05, 0xe8, 0xe1, 0x44, 0xd5, 0x4f, 0x4e,
	    0xf5, 0xc6, 0x23, 0x13, 0xa2, 0x05, 0x5d, 0xbb, 0x21, 0xfd, 0xdd, 0x3f, 0xd9, 0xc2,
	    0x99, 0xeb, 0x01, 0x5d, 0x41, 0xba, 0x64, 0xeb, 0x0c, 0x23, 0x12, 0xa9, 0x78, 0x2e,
	    0x04, 0xd4, 0x47, 0x31, 0xef, 0x7e, 0xeb, 0x6a, 0xa6, 0x59, 0x64, 0x05, 0x0d, 0xbe,
	    0x41, 0xec, 0xcd, 0x51, 0x7b, 0x68, 0x99, 0x4c, 0x6c, 0x56};
	static const uint8_t fleet[46] = {
	    0x40, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4a, 0x4b,
	    0x94, 0xd5, 0xca, 0x42, 0x47, 0x1c, 0xec, 0x6d, 0xa2, 0xb3, 0x79, 0x16,
	    0xfa, 0x0a, 0x60, 0x2c, 0x1c, 0xb4, 0xe2, 0x19, 0xb6, 0x3e, 0xb3, 0x29,
	    0x0e, 0xeb, 0x2d, 0x79, 0x95, 0x81, 0x1a, 0xd2, 0x26, 0x69};
	uint8_t key[32];
	uint8_t out[sizeof expected - 1];
	size_t len;

	for (int i = 0; i < 32; i++)
		key[i] = (uint8_t)i;
	ck_assert_int_eq(vldaa_unseal(out, sizeof out, &len, priv, "aad", 3, sealed, sizeof sealed),
			 VLDAA_OK);
	ck_assert_uint_eq(len, sizeof out);
	ck_assert_mem_eq(out, expected, sizeof out);
	ck_assert_int_eq(
	    vldaa_fleet_open(out, sizeof out, &len, key, "aad", 3, fleet, sizeof fleet), VLDAA_OK);
	ck_assert_uint_eq(len, sizeof out);
	ck_assert_mem_eq(out, expected, sizeof out);
}
END_TEST

START_TEST(sealing_twice_gives_different_bytes)
{
	struct sealed s;
	uint8_t again[256];
	size_t len = 0;

	make_sealed(&s);
	ck_assert_int_eq(vldaa_seal(again, sizeof again, &len, s.pub, "aad", 3, text, sizeof text),
			 VLDAA_OK);
	ck_assert_int_ne(memcmp(again, s.bytes, 32), 0);
	ck_assert_int_ne(memcmp(again + 32, s.bytes + 32, s.len - 32), 0);
}
END_TEST

START_TEST(an_empty_text_can_be_sealed)
{
	struct sealed s;
	size_t len = 99;

	make_sealed(&s);
	ck_assert_int_eq(vldaa_seal(s.bytes, sizeof s.bytes, &s.len, s.pub, NULL, 0, NULL, 0),
			 VLDAA_OK);
	ck_assert_uint_eq(s.len, VLDAA_SEAL_OVERHEAD);
	ck_assert_int_eq(vldaa_unseal(NULL, 0, &len, s.priv, NULL, 0, s.bytes, s.len), VLDAA_OK);
	ck_assert_uint_eq(len, 0);
	s.bytes[40] ^= 1;
	ck_assert_int_eq(vldaa_unseal(NULL, 0, &len, s.priv, NULL, 0, s.bytes, s.len),
			 VLDAA_ERR_UNSEAL);
}
END_TEST

START_TEST(every_flipped_bit_of_a_sealed_answer_is_refused_and_nothing_comes_out)
{
	struct sealed s;
	uint8_t out[sizeof text];
	size_t len;

	make_sealed(&s);
	/* Bit 255 of the ephemeral point, which X25519 ignores, is among them. */
	for (size_t bit = 0; bit < 8 * s.len; bit++) {
		s.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
		memset(out, 0xAA, sizeof out);
		len = 99;
		ck_assert_int_eq(
		    vldaa_unseal(out, sizeof out, &len, s.priv, "aad", 3, s.bytes, s.len),
		    VLDAA_ERR_UNSEAL);
		ck_assert(all_zero(out, sizeof out));
		ck_assert_uint_eq(len, 0);
		s.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
	}
}
END_TEST

START_TEST(a_truncated_or_extended_sealed_answer_is_refused)
{
	struct sealed s;
	uint8_t out[256];
	size_t len;

	make_sealed(&s);
	for (size_t n = 0; n < s.len; n++) {
		ck_assert_int_eq(vldaa_unseal(out, sizeof out, &len, s.priv, "aad", 3, s.bytes, n),
				 VLDAA_ERR_UNSEAL);
	}
	s.bytes[s.len] = 0;
	ck_assert_int_eq(vldaa_unseal(out, sizeof out, &len, s.priv, "aad", 3, s.bytes, s.len + 1),
			 VLDAA_ERR_UNSEAL);
}
END_TEST

START_TEST(another_key_or_another_aad_does_not_open)
{
	struct sealed s;
	struct sealed other;
	uint8_t out[sizeof text];
	size_t len;

	make_sealed(&s);
	make_sealed(&other);
	ck_assert_int_eq(vldaa_unseal(out, sizeof out, &len, other.priv, "aad", 3, s.bytes, s.len),
			 VLDAA_ERR_UNSEAL);
	ck_assert_int_eq(vldaa_unseal(out, sizeof out, &len, s.priv, "aae", 3, s.bytes, s.len),
			 VLDAA_ERR_UNSEAL);
	ck_assert_int_eq(vldaa_unseal(out, sizeof out, &len, s.priv, NULL, 0, s.bytes, s.len),
			 VLDAA_ERR_UNSEAL);
}
END_TEST

START_TEST(points_of_small_order_are_refused_on_both_sides)
{
	/* 0 and 1 are of order 4 and 1 on the curve and its twist; 2^255 - 20 is -1 modulo the
	 * prime. */
	static const uint8_t points[3][32] = {
	    {0}, {1}, {0xec, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
		       0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
		       0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f}};
	struct sealed s;
	uint8_t out[256];
	size_t len;

	make_sealed(&s);
	for (int i = 0; i < 3; i++) {
		memset(out, 0xAA, sizeof out);
		ck_assert_int_eq(
		    vldaa_seal(out, sizeof out, &len, points[i], NULL, 0, text, sizeof text),
		    VLDAA_ERR_ENCODING);
		ck_assert(all_zero(out, sizeof out));
		memcpy(s.bytes, points[i], 32);
		ck_assert_int_eq(
		    vldaa_unseal(out, sizeof out, &len, s.priv, "aad", 3, s.bytes, s.len),
		    VLDAA_ERR_UNSEAL);
	}
}
END_TEST

START_TEST(a_small_buffer_is_refused_with_the_size_that_suffices)
{
	struct sealed s;
	uint8_t key[32] = {7};
	uint8_t out[256];
	size_t len = 0;

	make_sealed(&s);
	ck_assert_int_eq(vldaa_seal(NULL, 0, &len, s.pub, NULL, 0, text, sizeof text),
			 VLDAA_ERR_BUFFER);
	ck_assert_uint_eq(len, sizeof text + VLDAA_SEAL_OVERHEAD);
	ck_assert_int_eq(vldaa_seal(out, len - 1, &len, s.pub, NULL, 0, text, sizeof text),
			 VLDAA_ERR_BUFFER);
	ck_assert_int_eq(vldaa_unseal(out, sizeof text - 1, &len, s.priv, "aad", 3, s.bytes, s.len),
			 VLDAA_ERR_BUFFER);
	ck_assert_uint_eq(len, sizeof text);
	ck_assert_int_eq(vldaa_fleet_seal(out, 10, &len, key, NULL, 0, text, sizeof text),
			 VLDAA_ERR_BUFFER);
	ck_assert_uint_eq(len, sizeof text + VLDAA_FLEET_OVERHEAD);
}
END_TEST

START_TEST(missing_arguments_are_the_callers_mistake)
{
	struct sealed s;
	uint8_t out[256];
	size_t len;

	make_sealed(&s);
	ck_assert_int_eq(vldaa_seal_keypair(NULL, s.pub), VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_seal(out, sizeof out, NULL, s.pub, NULL, 0, text, 1),
			 VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_seal(out, sizeof out, &len, NULL, NULL, 0, text, 1),
			 VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_seal(out, sizeof out, &len, s.pub, NULL, 1, text, 1),
			 VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_seal(out, sizeof out, &len, s.pub, NULL, 0, NULL, 1),
			 VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_unseal(out, sizeof out, &len, NULL, NULL, 0, s.bytes, s.len),
			 VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_fleet_open(out, sizeof out, &len, NULL, NULL, 0, s.bytes, s.len),
			 VLDAA_ERR_ARGUMENT);
}
END_TEST

START_TEST(fleet_messages_open_with_key_and_aad_and_as_made_only)
{
	uint8_t key[32] = {1, 2, 3};
	uint8_t sealed[128];
	uint8_t again[128];
	uint8_t out[sizeof text];
	size_t n;
	size_t len;

	ck_assert_int_eq(
	    vldaa_fleet_seal(sealed, sizeof sealed, &n, key, "aad", 3, text, sizeof text),
	    VLDAA_OK);
	ck_assert_uint_eq(n, sizeof text + VLDAA_FLEET_OVERHEAD);
	ck_assert_int_eq(
	    vldaa_fleet_seal(again, sizeof again, &len, key, "aad", 3, text, sizeof text),
	    VLDAA_OK);
	ck_assert_int_ne(memcmp(sealed, again, 12), 0);
	ck_assert_int_eq(vldaa_fleet_open(out, sizeof out, &len, key, "aad", 3, sealed, n),
			 VLDAA_OK);
	ck_assert_uint_eq(len, sizeof text);
	ck_assert_mem_eq(out, text, sizeof text);
	for (size_t bit = 0; bit < 8 * n; bit++) {
		sealed[bit / 8] ^= (uint8_t)(1u << bit % 8);
		memset(out, 0xAA, sizeof out);
		ck_assert_int_eq(vldaa_fleet_open(out, sizeof out, &len, key, "aad", 3, sealed, n),
				 VLDAA_ERR_UNSEAL);
		ck_assert(all_zero(out, sizeof out));
		sealed[bit / 8] ^= (uint8_t)(1u << bit % 8);
	}
	for (size_t cut = 0; cut < n; cut++) {
		ck_assert_int_eq(
		    vldaa_fleet_open(out, sizeof out, &len, key, "aad", 3, sealed, cut),
		    VLDAA_ERR_UNSEAL);
	}
	ck_assert_int_eq(vldaa_fleet_open(out, sizeof out, &len, key, "aa", 2, sealed, n),
			 VLDAA_ERR_UNSEAL);
	key[31] ^= 0x80;
	ck_assert_int_eq(vldaa_fleet_open(out, sizeof out, &len, key, "aad", 3, sealed, n),
			 VLDAA_ERR_UNSEAL);
}
END_TEST

/* Signatures. */

static const char *const kinds[] = {"P-256",   "P-384",   "P-521", "RSA",
				    "RSA-PSS", "ED25519", "ED448"};

static EVP_PKEY *make_key(const char *kind)
{
	EVP_PKEY *key = NULL;

	if (kind[0] == 'P') {
		key = EVP_PKEY_Q_keygen(NULL, NULL, "EC", kind);
	} else if (kind[0] == 'R') {
		EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, kind, NULL);
		ck_assert_int_eq(EVP_PKEY_keygen_init(ctx), 1);
		ck_assert_int_eq(EVP_PKEY_CTX_set_rsa_keygen_bits(ctx, 2048), 1);
		ck_assert_int_eq(EVP_PKEY_generate(ctx, &key), 1);
		EVP_PKEY_CTX_free(ctx);
	} else {
		key = EVP_PKEY_Q_keygen(NULL, NULL, kind);
	}
	ck_assert_ptr_nonnull(key);
	return key;
}

static size_t private_der(uint8_t out[BIG], EVP_PKEY *key)
{
	PKCS8_PRIV_KEY_INFO *info = EVP_PKEY2PKCS8(key);
	unsigned char *p = out;
	int n = i2d_PKCS8_PRIV_KEY_INFO(info, NULL);

	ck_assert(n > 0 && n <= BIG);
	ck_assert_int_eq(i2d_PKCS8_PRIV_KEY_INFO(info, &p), n);
	PKCS8_PRIV_KEY_INFO_free(info);
	return (size_t)n;
}

START_TEST(each_kind_of_key_signs_and_its_public_key_verifies)
{
	uint8_t priv[BIG];
	uint8_t pub[BIG];
	uint8_t sig[1024];
	size_t pub_len;
	size_t sig_len;
	EVP_PKEY *key = make_key(kinds[_i]);
	size_t priv_len = private_der(priv, key);

	EVP_PKEY_free(key);
	ck_assert_int_eq(vldaa_evp_public_from_private(NULL, 0, &pub_len, priv, priv_len),
			 VLDAA_ERR_BUFFER);
	ck_assert_int_eq(vldaa_evp_public_from_private(pub, pub_len, &pub_len, priv, priv_len),
			 VLDAA_OK);
	ck_assert_int_eq(vldaa_evp_sign(NULL, 0, &sig_len, priv, priv_len, text, sizeof text),
			 VLDAA_ERR_BUFFER);
	ck_assert_uint_le(sig_len, sizeof sig);
	ck_assert_int_eq(vldaa_evp_sign(sig, sig_len, &sig_len, priv, priv_len, text, sizeof text),
			 VLDAA_OK);
	ck_assert_int_eq(vldaa_evp_verify(pub, pub_len, text, sizeof text, sig, sig_len), VLDAA_OK);
	/* Another message. */
	ck_assert_int_eq(vldaa_evp_verify(pub, pub_len, text, sizeof text - 1, sig, sig_len),
			 VLDAA_ERR_PROOF);
	/* Damage in every byte, malformed DER included; truncated; extended; empty. */
	for (size_t i = 0; i < sig_len; i++) {
		sig[i] ^= 0x10;
		ck_assert_int_eq(vldaa_evp_verify(pub, pub_len, text, sizeof text, sig, sig_len),
				 VLDAA_ERR_PROOF);
		sig[i] ^= 0x10;
	}
	for (size_t i = 0; i < sig_len; i += 7) {
		ck_assert_int_eq(vldaa_evp_verify(pub, pub_len, text, sizeof text, sig, i),
				 VLDAA_ERR_PROOF);
	}
	sig[sig_len] = 0;
	ck_assert_int_eq(vldaa_evp_verify(pub, pub_len, text, sizeof text, sig, sig_len + 1),
			 VLDAA_ERR_PROOF);
	/* Another key. */
	key = make_key(kinds[_i]);
	priv_len = private_der(priv, key);
	EVP_PKEY_free(key);
	ck_assert_int_eq(vldaa_evp_public_from_private(pub, sizeof pub, &pub_len, priv, priv_len),
			 VLDAA_OK);
	ck_assert_int_eq(vldaa_evp_verify(pub, pub_len, text, sizeof text, sig, sig_len),
			 VLDAA_ERR_PROOF);
	after_each();
}
END_TEST

START_TEST(larger_curves_use_larger_digests)
{
	static const char *const digest[] = {"SHA256", "SHA384", "SHA512"};
	uint8_t priv[BIG];
	uint8_t sig[1024];
	size_t n;
	EVP_PKEY *key = make_key(kinds[_i]);
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();

	ck_assert_int_eq(
	    vldaa_evp_sign(sig, sizeof sig, &n, priv, private_der(priv, key), text, sizeof text),
	    VLDAA_OK);
	ck_assert_int_eq(EVP_DigestVerifyInit_ex(ctx, NULL, digest[_i], NULL, NULL, key, NULL), 1);
	ck_assert_int_eq(EVP_DigestVerify(ctx, sig, n, (const unsigned char *)text, sizeof text),
			 1);
	EVP_MD_CTX_free(ctx);
	EVP_PKEY_free(key);
}
END_TEST

START_TEST(keys_that_do_not_parse_or_have_trailing_bytes_are_refused)
{
	uint8_t priv[BIG];
	uint8_t pub[BIG];
	uint8_t sig[1024];
	size_t pub_len;
	size_t n;
	EVP_PKEY *key = make_key("P-256");
	size_t len = private_der(priv, key);

	EVP_PKEY_free(key);
	ck_assert_int_eq(vldaa_evp_public_from_private(pub, sizeof pub, &pub_len, priv, len),
			 VLDAA_OK);
	for (size_t cut = 1; cut < len; cut++) {
		ck_assert_int_eq(vldaa_evp_sign(sig, sizeof sig, &n, priv, cut, text, 1),
				 VLDAA_ERR_ENCODING);
	}
	for (size_t cut = 1; cut < pub_len; cut++)
		ck_assert_int_eq(vldaa_evp_verify(pub, cut, text, 1, sig, 64), VLDAA_ERR_ENCODING);
	priv[len] = 0;
	pub[pub_len] = 0;
	memset(sig, 0xAA, sizeof sig);
	ck_assert_int_eq(vldaa_evp_sign(sig, sizeof sig, &n, priv, len + 1, text, 1),
			 VLDAA_ERR_TRAILING);
	ck_assert(all_zero(sig, sizeof sig));
	ck_assert_uint_eq(n, 0);
	ck_assert_int_eq(vldaa_evp_verify(pub, pub_len + 1, text, 1, sig, 64), VLDAA_ERR_TRAILING);
	/* A key that cannot sign is not "the signature is wrong". */
	key = EVP_PKEY_Q_keygen(NULL, NULL, "X25519");
	len = private_der(priv, key);
	EVP_PKEY_free(key);
	ck_assert_int_eq(vldaa_evp_public_from_private(pub, sizeof pub, &pub_len, priv, len),
			 VLDAA_OK);
	ck_assert_int_eq(vldaa_evp_sign(sig, sizeof sig, &n, priv, len, text, 1), VLDAA_ERR_CRYPTO);
	ck_assert_int_eq(vldaa_evp_verify(pub, pub_len, text, 1, sig, 64), VLDAA_ERR_CRYPTO);
	after_each();
}
END_TEST

START_TEST(a_key_that_is_not_its_public_keys_signs_nothing)
{
	uint8_t priv[BIG];
	uint8_t sig[1024];
	size_t n = 1;
	EVP_PKEY *key = make_key("P-256");
	size_t len = private_der(priv, key);
	size_t at = 0;

	EVP_PKEY_free(key);
	/* The private scalar is the first OCTET STRING of 32 bytes. */
	while (priv[at] != 0x04 || priv[at + 1] != 0x20)
		at++;
	priv[at + 2 + 31] ^= 1;
	memset(sig, 0xAA, sizeof sig);
	ck_assert_int_eq(vldaa_evp_sign(sig, sizeof sig, &n, priv, len, text, sizeof text),
			 VLDAA_ERR_KEY);
	ck_assert(all_zero(sig, sizeof sig));
	ck_assert_uint_eq(n, 0);
	priv[at + 2 + 31] ^= 1;
	ck_assert_int_eq(vldaa_evp_sign(sig, sizeof sig, &n, priv, len, text, sizeof text),
			 VLDAA_OK);
	after_each();
}
END_TEST

static TCase *sealing(void)
{
	TCase *tc = tcase_create("sealing");

	tcase_add_checked_fixture(tc, NULL, after_each);
	tcase_add_test(tc, random_bytes_differ_from_call_to_call);
	tcase_add_test(tc, sha256_of_abc_is_the_one_of_fips_180);
	tcase_add_test(tc, sealed_bytes_open_with_their_key);
	tcase_add_test(tc, known_sealed_bytes_open);
	tcase_add_test(tc, sealing_twice_gives_different_bytes);
	tcase_add_test(tc, an_empty_text_can_be_sealed);
	tcase_add_test(tc, every_flipped_bit_of_a_sealed_answer_is_refused_and_nothing_comes_out);
	tcase_add_test(tc, a_truncated_or_extended_sealed_answer_is_refused);
	tcase_add_test(tc, another_key_or_another_aad_does_not_open);
	tcase_add_test(tc, points_of_small_order_are_refused_on_both_sides);
	tcase_add_test(tc, a_small_buffer_is_refused_with_the_size_that_suffices);
	tcase_add_test(tc, missing_arguments_are_the_callers_mistake);
	tcase_add_test(tc, fleet_messages_open_with_key_and_aad_and_as_made_only);
	return tc;
}

static TCase *signatures(void)
{
	TCase *tc = tcase_create("signatures");

	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, each_kind_of_key_signs_and_its_public_key_verifies, 0,
			    (int)(sizeof kinds / sizeof kinds[0]));
	tcase_add_loop_test(tc, larger_curves_use_larger_digests, 0, 3);
	tcase_add_test(tc, a_key_that_is_not_its_public_keys_signs_nothing);
	tcase_add_test(tc, keys_that_do_not_parse_or_have_trailing_bytes_are_refused);
	return tc;
}

int main(void)
{
	Suite *s = suite_create("services on libcrypto");
	SRunner *sr = srunner_create(s);

	suite_add_tcase(s, sealing());
	suite_add_tcase(s, signatures());
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
