/* Certificates and chains for the tests of X.509. */
#ifndef VLDAA_TEST_X509_COMMON_H
#define VLDAA_TEST_X509_COMMON_H

#include <stddef.h>
#include <stdint.h>

#include <openssl/evp.h>
#include <openssl/x509.h>

enum { BIG = 8192 };

extern const int64_t now;
extern const int64_t year;

int all_zero(const uint8_t *p, size_t len);
/* Nothing is left in libcrypto's error queue. */
void after_each(void);
EVP_PKEY *p256(void);

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

/* Makes c->der. */
void sign_cert(struct cert *c);

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

/* Not signed yet, so that a test can change them. */
void pki_init(struct pki *p);
void pki_free(struct pki *p);

/* Appends a certificate to the chain of `at` bytes in out; the new length. */
size_t append(uint8_t *out, size_t at, const struct cert *c);
/* vldaa_x509_check_chain with p's root; on an error the outputs are zero and there is a reason. */
int check_bytes(struct pki *p, const uint8_t *chain, size_t len, int64_t when);
/* Signs all three certificates, checks the chain of leaf and middle. */
int check_at(struct pki *p, int64_t when);

#endif
