/*
 * Promises of role/evp.h on files of certificates: PEM becomes a chain, PEM and DER become roots;
 * what is broken, or unreadable, is told, and leaves nothing in the output.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/bio.h>
#include <openssl/pem.h>

#include "role/evp.h"
#include "x509_common.h"

static size_t write_pem(char *out, size_t cap, struct cert *const *certs, int count, EVP_PKEY *key)
{
	BIO *bio = BIO_new(BIO_s_mem());
	char *data = NULL;

	BIO_puts(bio, "a comment in front\n");
	if (key)
		ck_assert_int_eq(PEM_write_bio_PrivateKey(bio, key, NULL, NULL, 0, NULL, NULL), 1);
	for (int i = 0; i < count; i++) {
		ck_assert(
		    PEM_write_bio(bio, "CERTIFICATE", "", certs[i]->der, (long)certs[i]->len) > 0);
	}
	long n = BIO_get_mem_data(bio, &data);
	ck_assert(n > 0 && (size_t)n < cap);
	memcpy(out, data, (size_t)n);
	BIO_free(bio);
	return (size_t)n;
}

START_TEST(a_pem_file_becomes_a_chain_and_a_list_of_roots)
{
	struct pki p;
	struct pki q;
	static char pem[32768];
	uint8_t chain[BIG];
	uint8_t expected[BIG];
	uint8_t id[32];
	size_t len;

	pki_init(&p);
	pki_init(&q);
	ck_assert_int_eq(check_at(&p, now), VLDAA_OK);
	ck_assert_int_eq(check_at(&q, now), VLDAA_OK);
	size_t n = write_pem(pem, sizeof pem, (struct cert *[]){&p.leaf, &p.middle}, 2, p.leaf.key);
	size_t want = append(expected, append(expected, 0, &p.leaf), &p.middle);
	ck_assert_int_eq(vldaa_x509_chain_from_pem(NULL, 0, &len, pem, n), VLDAA_ERR_BUFFER);
	ck_assert_uint_eq(len, want);
	ck_assert_int_eq(vldaa_x509_chain_from_pem(chain, want, &len, pem, n), VLDAA_OK);
	ck_assert_uint_eq(len, want);
	ck_assert_mem_eq(chain, expected, want);
	ck_assert_int_eq(vldaa_x509_certificate_id(id, pem, n), VLDAA_OK);
	ck_assert_mem_eq(id, p.id, 32);
	/* Two roots, in PEM and in DER; the right one comes last.  (Of two roots with one name and
	 * no key identifiers, libcrypto would try one only.) */
	q.root.name = "another root";
	sign_cert(&q.root);
	n = write_pem(pem, sizeof pem, (struct cert *[]){&q.root, &p.root}, 2, NULL);
	ck_assert_int_eq(vldaa_x509_check_chain(p.spki, sizeof p.spki, &p.spki_len, p.id, NULL, pem,
						n, chain, want, now),
			 VLDAA_OK);
	uint8_t der[4096];
	memcpy(der, q.root.der, q.root.len);
	memcpy(der + q.root.len, p.root.der, p.root.len);
	ck_assert_int_eq(vldaa_x509_check_chain(p.spki, sizeof p.spki, &p.spki_len, p.id, NULL, der,
						q.root.len + p.root.len, chain, want, now),
			 VLDAA_OK);
	ck_assert_int_eq(vldaa_x509_check_chain(p.spki, sizeof p.spki, &p.spki_len, p.id, NULL, der,
						q.root.len, chain, want, now),
			 VLDAA_ERR_CERTIFICATE);
	pki_free(&p);
	pki_free(&q);
	after_each();
}
END_TEST

START_TEST(broken_pem_is_no_chain_and_unreadable_roots_are_the_callers_mistake)
{
	struct pki p;
	static char pem[65536];
	uint8_t chain[BIG];
	size_t len;

	pki_init(&p);
	ck_assert_int_eq(check_at(&p, now), VLDAA_OK);
	ck_assert_int_eq(vldaa_x509_chain_from_pem(chain, sizeof chain, &len, "nothing", 7),
			 VLDAA_ERR_ENCODING);
	ck_assert_int_eq(vldaa_x509_chain_from_pem(chain, sizeof chain, &len, "", 0),
			 VLDAA_ERR_ENCODING);
	size_t n = write_pem(pem, sizeof pem, (struct cert *[]){&p.leaf, &p.middle}, 2, NULL);
	memset(chain, 0xAA, sizeof chain);
	ck_assert_int_eq(vldaa_x509_chain_from_pem(chain, sizeof chain, &len, pem, n - 40),
			 VLDAA_ERR_ENCODING);
	ck_assert(all_zero(chain, sizeof chain));
	ck_assert_uint_eq(len, 0);
	struct cert *nine[9] = {&p.leaf, &p.leaf, &p.leaf, &p.leaf, &p.leaf,
				&p.leaf, &p.leaf, &p.leaf, &p.leaf};
	n = write_pem(pem, sizeof pem, nine, 9, NULL);
	ck_assert_int_eq(vldaa_x509_chain_from_pem(chain, sizeof chain, &len, pem, n),
			 VLDAA_ERR_ENCODING);
	/* Roots. */
	size_t have = append(chain, append(chain, 0, &p.leaf), &p.middle);
	ck_assert_int_eq(check_bytes(&p, chain, have, now), VLDAA_OK);
	p.root.len--;
	ck_assert_int_eq(check_bytes(&p, chain, have, now), VLDAA_ERR_ARGUMENT);
	p.root.len = 0;
	ck_assert_int_eq(check_bytes(&p, chain, have, now), VLDAA_ERR_ARGUMENT);
	memcpy(p.root.der, "text", 4);
	p.root.len = 4;
	ck_assert_int_eq(check_bytes(&p, chain, have, now), VLDAA_ERR_ARGUMENT);
	pki_free(&p);
	after_each();
}
END_TEST

int main(void)
{
	Suite *s = suite_create("certificate files");
	TCase *tc = tcase_create("certificate files");
	SRunner *sr = srunner_create(s);

	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, a_pem_file_becomes_a_chain_and_a_list_of_roots);
	tcase_add_test(tc, broken_pem_is_no_chain_and_unreadable_roots_are_the_callers_mistake);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
