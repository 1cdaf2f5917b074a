/*
 * forgery-group SET FILE: sets up a group and writes its public key (PEM).  The issuer's private
 * key is wiped and never leaves this process: from here on nobody can issue a credential.
 */
#include <stdio.h>
#include <stdlib.h>

#include <openssl/pem.h>
#include <openssl/x509.h>

#include "vldaa/issuer.h"
#include "vldaa/ntru.h"

/* The algorithm is this arc, a dot and the set's number (core/README.md). */
#define KEY_ARC "2.25.6896855267651164585171150451946460284"

/* A SubjectPublicKeyInfo in PEM, as `vldaa issuer` writes it: the object is its BIT STRING. */
static int write_pem(const char *path, const vldaa_set *set, const uint8_t *object, size_t len)
{
	char oid[64];
	unsigned char *copy = OPENSSL_memdup(object, len), *der = NULL;
	X509_PUBKEY *spki = X509_PUBKEY_new();
	BIO *out = BIO_new_file(path, "w");
	int der_len = -1, ok;

	snprintf(oid, sizeof oid, KEY_ARC ".%u", (unsigned)vldaa_set_id(set));
	ok = copy && spki && out &&
	     X509_PUBKEY_set0_param(spki, OBJ_txt2obj(oid, 1), V_ASN1_UNDEF, NULL, copy, (int)len);
	if (ok)
		der_len = i2d_X509_PUBKEY(spki, &der);
	else
		OPENSSL_free(copy);
	ok = der_len > 0 && PEM_write_bio(out, "PUBLIC KEY", "", der, der_len) > 0 &&
	     BIO_flush(out) == 1;
	if (!ok)
		fprintf(stderr, "%s: cannot be written\n", path);
	OPENSSL_free(der);
	X509_PUBKEY_free(spki);
	BIO_free(out);
	return ok;
}

/* The ordinary key that signs an issuer's answers in Join; there will be none. */
static int authority_key(unsigned char **der)
{
	EVP_PKEY *key = EVP_EC_gen("P-256");
	PKCS8_PRIV_KEY_INFO *info = key ? EVP_PKEY2PKCS8(key) : NULL;
	int len = info ? i2d_PKCS8_PRIV_KEY_INFO(info, der) : -1;

	PKCS8_PRIV_KEY_INFO_free(info);
	EVP_PKEY_free(key);
	return len;
}

int main(int argc, char **argv)
{
	const vldaa_set *set = argc == 3 ? vldaa_set_by_name(argv[1]) : NULL;
	unsigned char *authority = NULL;
	vldaa_issuer *issuer = NULL;
	const uint8_t *group_key = NULL;
	size_t cap, len = 0, group_len = 0;
	uint8_t *secret;
	int authority_len, err = VLDAA_ERR_MEMORY, ok = 0;

	if (!set) {
		fprintf(stderr, "usage: %s VLDAA-42|VLDAA-128|VLDAA-256|VLDAA2-44|VLDAA2-87 FILE\n",
			argv[0]);
		return 2;
	}
	cap = vldaa_object_max_size(set, VLDAA_KIND_ISSUER_KEY);
	secret = OPENSSL_zalloc(cap);
	authority_len = authority_key(&authority);
	if (secret && authority_len > 0) {
		err = vldaa_issuer_keygen(set, vldaa_ntru_solve, authority, (size_t)authority_len,
					  secret, cap, &len);
		if (!err)
			err = vldaa_issuer_new(&issuer, secret, len);
	}
	if (err)
		fprintf(stderr, "%s\n", vldaa_error_text(err));
	else
		group_key = vldaa_issuer_group_key(issuer, &group_len);
	if (group_key)
		ok = write_pem(argv[2], set, group_key, group_len);
	vldaa_issuer_free(issuer);
	OPENSSL_clear_free(secret, cap);
	if (authority_len > 0)
		OPENSSL_clear_free(authority, (size_t)authority_len);
	return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
