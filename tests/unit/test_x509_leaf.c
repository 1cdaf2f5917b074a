/*
 * Promises of role/evp.h on a TPM's own certificate: it is accepted when it vouches for a device's
 * key, for signing, of a kind that is strong enough; one endorsement key has one id, whatever is
 * done to its certificate or its encoding.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/x509.h>

#include "role/evp.h"
#include "x509_common.h"

START_TEST(a_leaf_that_may_not_sign_is_refused)
{
	struct pki p;

	pki_init(&p);
	p.leaf.usage = "critical,keyEncipherment";
	ck_assert_int_eq(check_at(&p, now), VLDAA_ERR_CERTIFICATE);
	ck_assert_ptr_nonnull(strstr(p.reason, "key usage"));
	p.leaf.usage = NULL;
	ck_assert_int_eq(check_at(&p, now), VLDAA_OK);
	pki_free(&p);
}
END_TEST

START_TEST(a_ca_is_no_device)
{
	struct pki p;
	uint8_t chain[BIG];

	pki_init(&p);
	p.leaf.ca = "critical,CA:TRUE";
	p.leaf.usage = "critical,digitalSignature,keyCertSign";
	ck_assert_int_eq(check_at(&p, now), VLDAA_ERR_CERTIFICATE);
	ck_assert_str_eq(p.reason, "the certificate is a CA's, not a TPM's");
	/* By keyUsage alone, as CAs were marked before there was basicConstraints. */
	p.leaf.ca = NULL;
	ck_assert_int_eq(check_at(&p, now), VLDAA_ERR_CERTIFICATE);
	ck_assert_str_eq(p.reason, "the certificate is a CA's, not a TPM's");
	p.leaf.usage = "critical,digitalSignature";
	ck_assert_int_eq(check_at(&p, now), VLDAA_OK);
	/* The root itself, and the manufacturer's intermediate. */
	ck_assert_int_eq(check_bytes(&p, chain, append(chain, 0, &p.root), now),
			 VLDAA_ERR_CERTIFICATE);
	ck_assert_int_eq(check_bytes(&p, chain, append(chain, 0, &p.middle), now),
			 VLDAA_ERR_CERTIFICATE);
	/* A self-signed certificate for a device, were it among the roots. */
	p.root.ca = "critical,CA:FALSE";
	p.root.usage = "critical,digitalSignature";
	sign_cert(&p.root);
	ck_assert_int_eq(check_bytes(&p, chain, append(chain, 0, &p.root), now),
			 VLDAA_ERR_CERTIFICATE);
	ck_assert_ptr_nonnull(strstr(p.reason, "self-signed"));
	pki_free(&p);
	after_each();
}
END_TEST

START_TEST(a_renewed_certificate_for_one_key_has_the_same_id)
{
	struct pki p;
	uint8_t id[32];

	pki_init(&p);
	ck_assert_int_eq(check_at(&p, now), VLDAA_OK);
	memcpy(id, p.id, 32);
	p.leaf.name = "leaf, renewed";
	p.leaf.issuer = "root";
	p.leaf.issuer_key = p.root.key;
	p.leaf.usage = NULL;
	p.leaf.to = 2 * year;
	ck_assert_int_eq(check_at(&p, now), VLDAA_OK);
	ck_assert_mem_eq(p.id, id, 32);
	/* The same point, compressed. */
	ck_assert_int_eq(EVP_PKEY_set_utf8_string_param(p.leaf.key, "point-format", "compressed"),
			 1);
	ck_assert_int_eq(check_at(&p, now), VLDAA_OK);
	ck_assert_mem_eq(p.id, id, 32);
	uint8_t named[32];
	ck_assert_int_eq(vldaa_x509_certificate_id(named, p.leaf.der, p.leaf.len), VLDAA_OK);
	ck_assert_mem_eq(named, id, 32);
	/* Another key under the same name has another id. */
	EVP_PKEY_free(p.leaf.key);
	p.leaf.key = p256();
	ck_assert_int_eq(check_at(&p, now), VLDAA_OK);
	ck_assert_mem_ne(p.id, id, 32);
	pki_free(&p);
	after_each();
}
END_TEST

START_TEST(a_curve_that_is_spelled_out_is_refused)
{
	struct pki p;

	pki_init(&p);
	ck_assert_int_eq(EVP_PKEY_set_utf8_string_param(p.leaf.key, "encoding", "explicit"), 1);
	ck_assert_int_eq(check_at(&p, now), VLDAA_ERR_CERTIFICATE);
	uint8_t id[32];
	memset(id, 0xAA, sizeof id);
	ck_assert_int_eq(vldaa_x509_certificate_id(id, p.leaf.der, p.leaf.len),
			 VLDAA_ERR_CERTIFICATE);
	ck_assert(all_zero(id, sizeof id));
	pki_free(&p);
	after_each();
}
END_TEST

START_TEST(weak_digests_keys_and_unknown_critical_extensions_are_refused)
{
	struct pki p;

	pki_init(&p);
	p.leaf.digest = "SHA1";
	ck_assert_int_eq(check_at(&p, now), VLDAA_ERR_CERTIFICATE);
	p.leaf.digest = NULL;
	p.leaf.extra = "\x05";
	ck_assert_int_eq(check_at(&p, now), VLDAA_ERR_CERTIFICATE);
	p.leaf.extra = NULL;
	EVP_PKEY_free(p.leaf.key);
	p.leaf.key = EVP_PKEY_Q_keygen(NULL, NULL, "RSA", (size_t)1024);
	ck_assert_int_eq(check_at(&p, now), VLDAA_ERR_CERTIFICATE);
	EVP_PKEY_free(p.leaf.key);
	p.leaf.key = EVP_PKEY_Q_keygen(NULL, NULL, "RSA", (size_t)2048);
	ck_assert_int_eq(check_at(&p, now), VLDAA_OK);
	pki_free(&p);
	after_each();
}
END_TEST

START_TEST(a_negated_ecdsa_signature_does_not_make_a_second_certificate)
{
	struct pki p;
	uint8_t chain[BIG];
	uint8_t id[32];
	uint8_t der[2048];

	pki_init(&p);
	ck_assert_int_eq(check_at(&p, now), VLDAA_OK);
	memcpy(id, p.id, 32);
	memcpy(der, p.leaf.der, sizeof der);

	/* (r, s) -> (r, order - s): valid for the same message. */
	const unsigned char *q = p.leaf.der;
	X509 *x = d2i_X509(NULL, &q, (long)p.leaf.len);
	const ASN1_BIT_STRING *value = NULL;
	X509_get0_signature(&value, NULL, x);
	const unsigned char *s_in = ASN1_STRING_get0_data(value);
	ECDSA_SIG *sig = d2i_ECDSA_SIG(NULL, &s_in, ASN1_STRING_length(value));
	EC_GROUP *group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
	BIGNUM *r = BN_dup(ECDSA_SIG_get0_r(sig));
	BIGNUM *s = BN_new();
	BN_sub(s, EC_GROUP_get0_order(group), ECDSA_SIG_get0_s(sig));
	ck_assert_int_eq(ECDSA_SIG_set0(sig, r, s), 1);
	unsigned char buf[128];
	unsigned char *out = buf;
	int n = i2d_ECDSA_SIG(sig, &out);
	ASN1_BIT_STRING *changed = ASN1_BIT_STRING_new();
	ASN1_BIT_STRING_set(changed, buf, n);
	changed->flags |= ASN1_STRING_FLAG_BITS_LEFT;

	/* The certificate again: outer SEQUENCE { tbs, algorithm, changed }. */
	unsigned char *tbs = NULL;
	int tbs_len = i2d_re_X509_tbs(x, &tbs);
	const X509_ALGOR *algorithm = NULL;
	X509_get0_signature(NULL, &algorithm, x);
	unsigned char tail[256];
	unsigned char *t = tail;
	int tail_len = i2d_X509_ALGOR(algorithm, &t);
	tail_len += i2d_ASN1_BIT_STRING(changed, &t);
	unsigned char *o = p.leaf.der;
	ASN1_put_object(&o, 1, tbs_len + tail_len, V_ASN1_SEQUENCE, V_ASN1_UNIVERSAL);
	memcpy(o, tbs, (size_t)tbs_len);
	memcpy(o + tbs_len, tail, (size_t)tail_len);
	p.leaf.len = (size_t)(o - p.leaf.der) + (size_t)tbs_len + (size_t)tail_len;

	ck_assert_mem_ne(der, p.leaf.der, p.leaf.len);
	ck_assert_int_eq(
	    check_bytes(&p, chain, append(chain, append(chain, 0, &p.leaf), &p.middle), now),
	    VLDAA_OK);
	ck_assert_mem_eq(p.id, id, 32);
	OPENSSL_free(tbs);
	ASN1_BIT_STRING_free(changed);
	EC_GROUP_free(group);
	ECDSA_SIG_free(sig);
	X509_free(x);
	pki_free(&p);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("TPMs' certificates");
	TCase *tc = tcase_create("TPMs' certificates");
	SRunner *sr = srunner_create(s);

	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, a_leaf_that_may_not_sign_is_refused);
	tcase_add_test(tc, a_ca_is_no_device);
	tcase_add_test(tc, a_renewed_certificate_for_one_key_has_the_same_id);
	tcase_add_test(tc, a_curve_that_is_spelled_out_is_refused);
	tcase_add_test(tc, weak_digests_keys_and_unknown_critical_extensions_are_refused);
	tcase_add_test(tc, a_negated_ecdsa_signature_does_not_make_a_second_certificate);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
