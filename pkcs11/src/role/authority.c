#include "authority.h"

#include <limits.h>

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include "vldaa/error.h"

int vldaa_p11_public_key_check(const uint8_t *der, size_t len)
{
	const unsigned char *p = der;
	EVP_PKEY *key = len <= LONG_MAX ? d2i_PUBKEY(NULL, &p, (long)len) : NULL;
	const int ok = key != NULL && p == der + len;

	EVP_PKEY_free(key);
	ERR_clear_error();
	return ok ? VLDAA_OK : VLDAA_ERR_KEY;
}

/* How many there are; 0 when something else is among them. */
static int count_der(const uint8_t *roots, size_t len)
{
	const unsigned char *p = roots, *end = roots + len;
	int count = 0;

	while (p < end) {
		X509 *x = d2i_X509(NULL, &p, (long)(end - p));

		if (x == NULL)
			return 0;
		X509_free(x);
		count++;
	}
	return count;
}

static int count_pem(const uint8_t *roots, size_t len)
{
	BIO *bio = BIO_new_mem_buf(roots, (int)len);
	int count = 0;
	X509 *x;

	while (bio != NULL && (x = PEM_read_bio_X509(bio, NULL, NULL, NULL)) != NULL) {
		X509_free(x);
		count++;
	}
	/* The end of the text is where no block begins; anything else is damage. */
	if (ERR_GET_REASON(ERR_peek_last_error()) != PEM_R_NO_START_LINE)
		count = 0;
	BIO_free(bio);
	return count;
}

int vldaa_p11_roots_check(const uint8_t *roots, size_t len)
{
	int count = 0;

	/* DER begins with the tag of a SEQUENCE. */
	ERR_clear_error();
	if (len > 0 && len <= INT_MAX)
		count = roots[0] == 0x30 ? count_der(roots, len) : count_pem(roots, len);
	ERR_clear_error();
	return count > 0 ? VLDAA_OK : VLDAA_ERR_CERTIFICATE;
}
