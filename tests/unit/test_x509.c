/*
 * Promises of role/evp.h on X.509: a certificate chain is accepted when it is whole, in time, made
 * of CAs, ends in a configured root and vouches for a device's key, and for nothing less; one
 * endorsement key has one id, whatever is done to its certificate or its encoding; outputs are zero
 * after an error; and no call leaves anything in libcrypto's error queue.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include "role/evp.h"

enum {
	BIG = 8192,
};

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

static EVP_PKEY *p256(void)
{
	EVP_PKEY *key = EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-256");

	ck_assert_ptr_nonnull(key);
	return key;
}

static const int64_t now = 1750000000; /* June 2025 */
static const int64_t year = 31557600;

struct cert {
	const char *name;
	const char *issuer; /* name of the issuer, NULL for a self-signed one */
	const char *ca;     /* value of basicConstraints, NULL for none */
	const char *usage;  /* value of keyUsage, NULL for none */
	int64_t from;       /* relative to now */
	int64_t to;
	const char *extra; /* an unknown critical extension */
	EVP_PKEY *key;
	EVP_PKEY *issuer_key; /* NULL for a self-signed one */
	const char *digest;
	uint8_t der[2048]; /* made by sign_cert */
	size_t len;
};

static void add_extension(X509 *x, int nid, const char *value)
{
	if (!value)
		return;
	X509V3_CTX ctx;
	X509V3_set_ctx_nodb(&ctx);
	X509V3_set_ctx(&ctx, x, x, NULL, NULL, 0);
	X509_EXTENSION *e = X509V3_EXT_conf_nid(NULL, &ctx, nid, value);
	ck_assert_ptr_nonnull(e);
	ck_assert_int_eq(X509_add_ext(x, e, -1), 1);
	X509_EXTENSION_free(e);
}

static void set_name(X509_NAME *name, const char *cn)
{
	ck_assert_int_eq(X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
						    (const unsigned char *)cn, -1, -1, 0),
			 1);
}

static void sign_cert(struct cert *c)
{
	X509 *x = X509_new();

	ck_assert_int_eq(X509_set_version(x, X509_VERSION_3), 1);
	ck_assert_int_eq(ASN1_INTEGER_set(X509_get_serialNumber(x), 7), 1);
	set_name(X509_get_subject_name(x), c->name);
	set_name(X509_get_issuer_name(x), c->issuer ? c->issuer : c->name);
	ASN1_TIME_set(X509_getm_notBefore(x), (time_t)(now + c->from));
	ASN1_TIME_set(X509_getm_notAfter(x), (time_t)(now + c->to));
	ck_assert_int_eq(X509_set_pubkey(x, c->key), 1);
	add_extension(x, NID_basic_constraints, c->ca);
	add_extension(x, NID_key_usage, c->usage);
	if (c->extra) {
		ASN1_OBJECT *oid = OBJ_txt2obj("1.3.6.1.4.1.55555.1", 1);
		ASN1_OCTET_STRING *value = ASN1_OCTET_STRING_new();
		ASN1_OCTET_STRING_set(value, (const unsigned char *)c->extra, 2);
		X509_EXTENSION *e = X509_EXTENSION_create_by_OBJ(NULL, oid, 1, value);
		ck_assert_int_eq(X509_add_ext(x, e, -1), 1);
		X509_EXTENSION_free(e);
		ASN1_OCTET_STRING_free(value);
		ASN1_OBJECT_free(oid);
	}
	ck_assert_int_gt(X509_sign(x, c->issuer_key ? c->issuer_key : c->key,
				   EVP_get_digestbyname(c->digest ? c->digest : "SHA256")),
			 0);
	unsigned char *p = c->der;
	ck_assert_int_le(i2d_X509(x, NULL), (int)sizeof c->der);
	c->len = (size_t)i2d_X509(x, &p);
	X509_free(x);
}

/* A manufacturer's root, its intermediate CA, and a device's endorsement certificate. */
struct pki {
	struct cert root;
	struct cert middle;
	struct cert leaf;
	uint8_t spki[512];
	size_t spki_len;
	uint8_t id[32];
	const char *reason;
};

static void pki_init(struct pki *p)
{
	memset(p, 0, sizeof *p);
	p->root = (struct cert){.name = "root",
				.ca = "critical,CA:TRUE",
				.usage = "critical,keyCertSign",
				.from = -year,
				.to = year,
				.key = p256()};
	p->middle = (struct cert){.name = "middle",
				  .issuer = "root",
				  .ca = "critical,CA:TRUE",
				  .usage = "critical,keyCertSign",
				  .from = -year,
				  .to = year,
				  .key = p256(),
				  .issuer_key = p->root.key};
	p->leaf = (struct cert){.name = "leaf",
				.issuer = "middle",
				.ca = "critical,CA:FALSE",
				.usage = "critical,digitalSignature",
				.from = -year,
				.to = year,
				.key = p256(),
				.issuer_key = p->middle.key};
}

static void pki_free(struct pki *p)
{
	EVP_PKEY_free(p->root.key);
	EVP_PKEY_free(p->middle.key);
	EVP_PKEY_free(p->leaf.key);
}

static size_t append(uint8_t *out, size_t at, const struct cert *c)
{
	out[at] = 0;
	out[at + 1] = 0;
	out[at + 2] = (uint8_t)(c->len >> 8);
	out[at + 3] = (uint8_t)c->len;
	memcpy(out + at + 4, c->der, c->len);
	return at + 4 + c->len;
}

static int check_bytes(struct pki *p, const uint8_t *chain, size_t len, int64_t when)
{
	memset(p->spki, 0xAA, sizeof p->spki);
	memset(p->id, 0xAA, sizeof p->id);
	int ret = vldaa_x509_check_chain(p->spki, sizeof p->spki, &p->spki_len, p->id, &p->reason,
					 p->root.der, p->root.len, chain, len, when);
	if (ret == VLDAA_OK) {
		ck_assert_ptr_null(p->reason);
	} else {
		ck_assert_ptr_nonnull(p->reason);
		ck_assert_uint_eq(p->spki_len, 0);
		ck_assert(all_zero(p->spki, sizeof p->spki));
		ck_assert(all_zero(p->id, sizeof p->id));
	}
	return ret;
}

/* Signs all three certificates, checks the chain of leaf and middle. */
static int check_at(struct pki *p, int64_t when)
{
	uint8_t chain[BIG];

	sign_cert(&p->root);
	sign_cert(&p->middle);
	sign_cert(&p->leaf);
	return check_bytes(p, chain, append(chain, append(chain, 0, &p->leaf), &p->middle), when);
}

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

static TCase *certificates(void)
{
	TCase *tc = tcase_create("certificates");

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
	tcase_add_test(tc, a_leaf_that_may_not_sign_is_refused);
	tcase_add_test(tc, a_ca_is_no_device);
	tcase_add_test(tc, a_renewed_certificate_for_one_key_has_the_same_id);
	tcase_add_test(tc, a_curve_that_is_spelled_out_is_refused);
	tcase_add_test(tc, weak_digests_keys_and_unknown_critical_extensions_are_refused);
	tcase_add_test(tc, a_negated_ecdsa_signature_does_not_make_a_second_certificate);
	tcase_add_test(tc, a_pem_file_becomes_a_chain_and_a_list_of_roots);
	tcase_add_test(tc, broken_pem_is_no_chain_and_unreadable_roots_are_the_callers_mistake);
	return tc;
}

int main(void)
{
	Suite *s = suite_create("certificate chains");
	SRunner *sr = srunner_create(s);

	suite_add_tcase(s, certificates());
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
