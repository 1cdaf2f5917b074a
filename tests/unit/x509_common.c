/* Certificates and chains for the tests of X.509. */
#include "x509_common.h"

#include <check.h>
#include <string.h>

#include <openssl/err.h>
#include <openssl/x509v3.h>

#include "role/evp.h"

int all_zero(const uint8_t *p, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (p[i])
			return 0;
	}
	return 1;
}

void after_each(void)
{
	ck_assert_uint_eq(ERR_peek_error(), 0);
}

EVP_PKEY *p256(void)
{
	EVP_PKEY *key = EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-256");

	ck_assert_ptr_nonnull(key);
	return key;
}

const int64_t now = 1750000000; /* June 2025 */
const int64_t year = 31557600;

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

void sign_cert(struct cert *c)
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

void pki_init(struct pki *p)
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

void pki_free(struct pki *p)
{
	EVP_PKEY_free(p->root.key);
	EVP_PKEY_free(p->middle.key);
	EVP_PKEY_free(p->leaf.key);
}

size_t append(uint8_t *out, size_t at, const struct cert *c)
{
	out[at] = 0;
	out[at + 1] = 0;
	out[at + 2] = (uint8_t)(c->len >> 8);
	out[at + 3] = (uint8_t)c->len;
	memcpy(out + at + 4, c->der, c->len);
	return at + 4 + c->len;
}

int check_bytes(struct pki *p, const uint8_t *chain, size_t len, int64_t when)
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

int check_at(struct pki *p, int64_t when)
{
	uint8_t chain[BIG];

	sign_cert(&p->root);
	sign_cert(&p->middle);
	sign_cert(&p->leaf);
	return check_bytes(p, chain, append(chain, append(chain, 0, &p->leaf), &p->middle), when);
}
