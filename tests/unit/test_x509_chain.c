/*
 * Promises of role/evp.h on certificate chains: one is accepted when it is whole, in time, made of
 * CAs, and ends in a configured root, and for nothing less; outputs are zero after an error; and no
 * call leaves anything in libcrypto's error queue.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "role/evp.h"
#include "x509_common.h"

START_TEST(a_whole_chain_gives_the_leafs_key_and_id)
{
	struct pki p;
	uint8_t expected[512];
	unsigned char *q = expected;

	pki_init(&p);
	ck_assert_int_eq(check_at(&p, now), VLDAA_OK);
	ck_assert_uint_eq(p.spki_len, (size_t)i2d_PUBKEY(p.leaf.key, &q));
	ck_assert_mem_eq(p.spki, expected, p.spki_len);
	uint8_t id[32];
	ck_assert_int_eq(vldaa_x509_certificate_id(id, p.leaf.der, p.leaf.len), VLDAA_OK);
	ck_assert_mem_eq(p.id, id, 32);
	ck_assert_int_eq(vldaa_x509_certificate_id(id, p.middle.der, p.middle.len), VLDAA_OK);
	ck_assert_mem_ne(p.id, id, 32);
	/* Its definition: SHA-256 of the leaf's SubjectPublicKeyInfo. */
	ck_assert_int_eq(vldaa_evp_sha256(id, expected, p.spki_len), VLDAA_OK);
	ck_assert_mem_eq(p.id, id, 32);
	pki_free(&p);
	after_each();
}
END_TEST

START_TEST(the_buffers_size_is_told)
{
	struct pki p;
	uint8_t chain[BIG];
	size_t len;

	pki_init(&p);
	ck_assert_int_eq(check_at(&p, now), VLDAA_OK);
	size_t n = append(chain, append(chain, 0, &p.leaf), &p.middle);
	ck_assert_int_eq(vldaa_x509_check_chain(NULL, 0, &len, p.id, NULL, p.root.der, p.root.len,
						chain, n, now),
			 VLDAA_ERR_BUFFER);
	ck_assert_uint_eq(len, p.spki_len);
	pki_free(&p);
}
END_TEST

START_TEST(time_outside_any_certificates_validity_is_refused)
{
	struct pki p;

	pki_init(&p);
	p.leaf.from = -10;
	p.leaf.to = 10;
	ck_assert_int_eq(check_at(&p, now), VLDAA_OK);
	ck_assert_int_eq(check_at(&p, now - 11), VLDAA_ERR_CERTIFICATE);
	ck_assert_int_eq(check_at(&p, now + 11), VLDAA_ERR_CERTIFICATE);
	ck_assert_str_eq(p.reason, "certificate has expired");
	p.leaf.to = year;
	p.middle.to = 10;
	ck_assert_int_eq(check_at(&p, now + 11), VLDAA_ERR_CERTIFICATE);
	p.middle.to = year;
	p.root.to = 10;
	ck_assert_int_eq(check_at(&p, now + 11), VLDAA_ERR_CERTIFICATE);
	p.root.to = year;
	ck_assert_int_eq(check_at(&p, now + 11), VLDAA_OK);
	pki_free(&p);
	after_each();
}
END_TEST

START_TEST(another_root_of_the_same_name_is_refused)
{
	struct pki p;
	struct pki q;
	uint8_t chain[BIG];

	pki_init(&p);
	pki_init(&q);
	ck_assert_int_eq(check_at(&p, now), VLDAA_OK);
	ck_assert_int_eq(check_at(&q, now), VLDAA_OK);
	size_t n = append(chain, append(chain, 0, &p.leaf), &p.middle);
	ck_assert_int_eq(check_bytes(&q, chain, n, now), VLDAA_ERR_CERTIFICATE);
	/* Also when the chain brings its own root along. */
	ck_assert_int_eq(check_bytes(&q, chain, append(chain, n, &p.root), now),
			 VLDAA_ERR_CERTIFICATE);
	ck_assert_int_eq(check_bytes(&p, chain, append(chain, n, &p.root), now), VLDAA_OK);
	pki_free(&p);
	pki_free(&q);
}
END_TEST

START_TEST(an_intermediate_that_is_no_ca_is_refused)
{
	struct pki p;

	pki_init(&p);
	p.middle.ca = "critical,CA:FALSE";
	ck_assert_int_eq(check_at(&p, now), VLDAA_ERR_CERTIFICATE);
	ck_assert_ptr_nonnull(strstr(p.reason, "CA"));
	p.middle.ca = NULL;
	p.middle.usage = NULL;
	ck_assert_int_eq(check_at(&p, now), VLDAA_ERR_CERTIFICATE);
	p.middle.ca = "critical,CA:TRUE";
	p.middle.usage = "critical,digitalSignature";
	ck_assert_int_eq(check_at(&p, now), VLDAA_ERR_CERTIFICATE);
	p.middle.usage = "critical,keyCertSign";
	p.root.ca = "critical,CA:TRUE,pathlen:0";
	ck_assert_int_eq(check_at(&p, now), VLDAA_ERR_CERTIFICATE);
	p.root.ca = "critical,CA:TRUE,pathlen:1";
	ck_assert_int_eq(check_at(&p, now), VLDAA_OK);
	pki_free(&p);
}
END_TEST

START_TEST(a_missing_intermediate_breaks_the_chain_and_a_trusted_leaf_is_no_chain)
{
	struct pki p;
	uint8_t chain[BIG];

	pki_init(&p);
	ck_assert_int_eq(check_at(&p, now), VLDAA_OK);
	size_t n = append(chain, 0, &p.leaf);
	ck_assert_int_eq(check_bytes(&p, chain, n, now), VLDAA_ERR_CERTIFICATE);
	/* Partial chains are off: the leaf itself among the roots does not help. */
	memcpy(p.root.der, p.leaf.der, p.leaf.len);
	p.root.len = p.leaf.len;
	ck_assert_int_eq(check_bytes(&p, chain, n, now), VLDAA_ERR_CERTIFICATE);
	pki_free(&p);
}
END_TEST

START_TEST(a_forged_signature_or_a_changed_leaf_is_refused)
{
	struct pki p;
	uint8_t chain[BIG];

	pki_init(&p);
	p.leaf.issuer_key = p.leaf.key;
	ck_assert_int_eq(check_at(&p, now), VLDAA_ERR_CERTIFICATE);
	p.leaf.issuer_key = p.middle.key;
	ck_assert_int_eq(check_at(&p, now), VLDAA_OK);
	size_t n = append(chain, append(chain, 0, &p.leaf), &p.middle);
	for (size_t i = 4; i < n; i++) {
		if (i == 4 + p.leaf.len) {
			i += 3; /* lengths have their own test */
			continue;
		}
		/* Bit 0 always changes what is encoded, or breaks the encoding. */
		chain[i] ^= 1;
		ck_assert_int_eq(check_bytes(&p, chain, n, now), VLDAA_ERR_CERTIFICATE);
		chain[i] ^= 1;
	}
	pki_free(&p);
	after_each();
}
END_TEST

START_TEST(truncated_chains_and_wrong_lengths_are_refused)
{
	struct pki p;
	uint8_t chain[BIG];

	pki_init(&p);
	p.leaf.issuer = "root"; /* the leaf alone would do: what follows must still be whole */
	p.leaf.issuer_key = p.root.key;
	ck_assert_int_eq(check_at(&p, now), VLDAA_OK);
	size_t one = append(chain, 0, &p.leaf);
	size_t n = append(chain, one, &p.middle);
	ck_assert_int_eq(check_bytes(&p, chain, one, now), VLDAA_OK);
	for (size_t cut = 0; cut < n; cut++) {
		if (cut != one)
			ck_assert_int_eq(check_bytes(&p, chain, cut, now), VLDAA_ERR_CERTIFICATE);
	}
	for (size_t bit = 0; bit < 32; bit++) {
		chain[bit / 8] ^= (uint8_t)(1u << bit % 8);
		ck_assert_int_eq(check_bytes(&p, chain, n, now), VLDAA_ERR_CERTIFICATE);
		chain[bit / 8] ^= (uint8_t)(1u << bit % 8);
	}
	/* A length that covers one byte more than the certificate. */
	chain[3]++;
	chain[one] = 0;
	ck_assert_int_eq(check_bytes(&p, chain, one + 1, now), VLDAA_ERR_CERTIFICATE);
	pki_free(&p);
}
END_TEST

START_TEST(too_many_certificates_are_refused)
{
	struct pki p;
	static uint8_t chain[32768];
	size_t n = 0;

	pki_init(&p);
	p.leaf.issuer = "root";
	p.leaf.issuer_key = p.root.key;
	ck_assert_int_eq(check_at(&p, now), VLDAA_OK);
	n = append(chain, 0, &p.leaf);
	for (int i = 1; i < VLDAA_X509_MAX_CERTIFICATES; i++)
		n = append(chain, n, &p.middle);
	ck_assert_int_eq(check_bytes(&p, chain, n, now), VLDAA_OK);
	ck_assert_int_eq(check_bytes(&p, chain, append(chain, n, &p.middle), now),
			 VLDAA_ERR_CERTIFICATE);
	ck_assert_str_eq(p.reason, "the chain has too many certificates");
	pki_free(&p);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("certificate chains");
	TCase *tc = tcase_create("certificate chains");
	SRunner *sr = srunner_create(s);

	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, a_whole_chain_gives_the_leafs_key_and_id);
	tcase_add_test(tc, the_buffers_size_is_told);
	tcase_add_test(tc, time_outside_any_certificates_validity_is_refused);
	tcase_add_test(tc, another_root_of_the_same_name_is_refused);
	tcase_add_test(tc, an_intermediate_that_is_no_ca_is_refused);
	tcase_add_test(tc, a_missing_intermediate_breaks_the_chain_and_a_trusted_leaf_is_no_chain);
	tcase_add_test(tc, a_forged_signature_or_a_changed_leaf_is_refused);
	tcase_add_test(tc, truncated_chains_and_wrong_lengths_are_refused);
	tcase_add_test(tc, too_many_certificates_are_refused);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
