#include "trust.h"

#include <string.h>

#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include "keys.h"
#include "output.h"
#include "report.h"

/* --- PEM ---------------------------------------------------------------------------------------
 */

/* One block of a PEM file. */
typedef struct {
	char *name;
	char *header;
	unsigned char *der;
	long len;
} block;

static void free_block(block *b)
{
	OPENSSL_free(b->name);
	OPENSSL_free(b->header);
	OPENSSL_clear_free(b->der, b->der ? (size_t)b->len : 0);
	*b = (block){NULL, NULL, NULL, 0};
}

/* 1: a block was read; 0: there is none left. */
static int next_block(BIO *bio, block *b)
{
	*b = (block){NULL, NULL, NULL, 0};
	return PEM_read_bio(bio, &b->name, &b->header, &b->der, &b->len) == 1;
}

/* Returns the status of a file that is not what is wanted. */
static int refuse(const char *path, const char *why)
{
	vldaa_say("%s: %s", path, why);
	return VLDAA_EXIT_FAILED;
}

/* --- the revocation authority's key ------------------------------------------------------------
 */

static int can_verify(EVP_PKEY *key)
{
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	int can = ctx && EVP_DigestVerifyInit(ctx, NULL, NULL, NULL, key) == 1;

	EVP_MD_CTX_free(ctx);
	return can;
}

static int public_key_from(vldaa_buffer *spki, const block *b, const char *path)
{
	const unsigned char *p = b->der;
	EVP_PKEY *key;
	int n, status = VLDAA_EXIT_OK;

	if (strcmp(b->name, PEM_STRING_X509) == 0)
		return refuse(path, "this is a certificate, a public key is needed "
				    "(openssl x509 -noout -pubkey takes it out)");
	if (strstr(b->name, "PRIVATE KEY"))
		return refuse(path, "this is a private key, which its owner keeps; the public key "
				    "is needed (openssl pkey -pubout makes it)");
	if (strcmp(b->name, PEM_STRING_PUBLIC) != 0)
		return refuse(path, "not a public key in PEM");
	key = d2i_PUBKEY(NULL, &p, b->len);
	n = key && can_verify(key) ? i2d_PUBKEY(key, NULL) : 0;
	if (n <= 0)
		status = refuse(path, "not a public key that OpenSSL verifies signatures with");
	if (status == VLDAA_EXIT_OK)
		status = vldaa_buffer_new(spki, (size_t)n);
	if (status == VLDAA_EXIT_OK) {
		unsigned char *out = spki->data;

		(void)i2d_PUBKEY(key, &out);
	}
	EVP_PKEY_free(key);
	return status;
}

int vldaa_load_revocation_key(vldaa_buffer *spki, const char *path)
{
	vldaa_buffer file = {NULL, 0};
	block first, second;
	int status = vldaa_read(&file, path, VLDAA_KEYFILE_MAX_FILE);
	BIO *bio;

	if (status != VLDAA_EXIT_OK)
		return status;
	bio = BIO_new_mem_buf(file.data, (int)file.len);
	if (!bio) {
		status = vldaa_report(path, VLDAA_ERR_MEMORY);
	} else if (!next_block(bio, &first)) {
		status = refuse(path, "not a public key in PEM (openssl pkey -pubout makes one)");
	} else {
		if (next_block(bio, &second))
			status = refuse(path, "more than one public key in PEM");
		else
			status = public_key_from(spki, &first, path);
		free_block(&first);
		free_block(&second);
	}
	BIO_free(bio);
	vldaa_buffer_free(&file);
	ERR_clear_error();
	return status;
}

/* --- roots -------------------------------------------------------------------------------------
 */

int vldaa_fingerprint(uint8_t fingerprint[VLDAA_FINGERPRINT], const uint8_t *data, size_t len)
{
	return EVP_Digest(data, len, fingerprint, NULL, EVP_sha256(), NULL) == 1
		   ? VLDAA_EXIT_OK
		   : vldaa_report(NULL, VLDAA_ERR_CRYPTO);
}

static char *subject_text(X509 *certificate)
{
	BIO *bio = BIO_new(BIO_s_mem());
	char *text = NULL, *copy = NULL;
	long n = 0;

	if (bio && X509_NAME_print_ex(bio, X509_get_subject_name(certificate), 0,
				      XN_FLAG_RFC2253 & ~(unsigned long)ASN1_STRFLGS_ESC_MSB) >= 0)
		n = BIO_get_mem_data(bio, &text);
	if (n > 0)
		copy = OPENSSL_strndup(text, (size_t)n);
	BIO_free(bio);
	return copy;
}

char *vldaa_subject_of(const uint8_t *der, size_t len)
{
	const unsigned char *p = der;
	X509 *certificate = d2i_X509(NULL, &p, (long)len);
	char *text = certificate ? subject_text(certificate) : NULL;

	X509_free(certificate);
	ERR_clear_error();
	return text;
}

/* What is wrong with a root, or NULL. */
static const char *fault_of(X509 *certificate)
{
	/* With the signature: a name alone proves nothing. */
	if (X509_self_signed(certificate, 1) != 1)
		return "not self-signed: an intermediate certificate is no root, it belongs into "
		       "the TPMs' chains";
	if (X509_check_ca(certificate) != 1)
		return "not a certificate authority's (no basicConstraints CA:TRUE)";
	return NULL;
}

static int check_root(const block *b, const char *path)
{
	const unsigned char *p = b->der;
	const char *fault;
	X509 *certificate;
	char *subject;

	if (strcmp(b->name, PEM_STRING_X509) != 0) {
		vldaa_say("%s: there is a %s in it: only root certificates belong there", path,
			  b->name);
		return VLDAA_EXIT_FAILED;
	}
	certificate = d2i_X509(NULL, &p, b->len);
	if (!certificate)
		return refuse(path, "a certificate in it is damaged");
	fault = fault_of(certificate);
	subject = fault ? subject_text(certificate) : NULL;
	if (fault) {
		fprintf(stderr, "vldaa: %s: ", path);
		vldaa_print_text(stderr, (const uint8_t *)(subject ? subject : "?"),
				 subject ? strlen(subject) : 1);
		fprintf(stderr, ": %s\n", fault);
	}
	OPENSSL_free(subject);
	X509_free(certificate);
	return fault ? VLDAA_EXIT_FAILED : VLDAA_EXIT_OK;
}

int vldaa_load_roots(vldaa_buffer *pem, const char *path)
{
	int status = vldaa_read(pem, path, VLDAA_ROOTS_MAX);
	size_t count = 0;
	BIO *bio;
	block b;

	if (status != VLDAA_EXIT_OK)
		return status;
	bio = BIO_new_mem_buf(pem->data, (int)pem->len);
	if (!bio)
		status = vldaa_report(path, VLDAA_ERR_MEMORY);
	while (status == VLDAA_EXIT_OK && next_block(bio, &b)) {
		status = check_root(&b, path);
		free_block(&b);
		count++;
	}
	if (status == VLDAA_EXIT_OK && count == 0)
		status = refuse(path, "there is no certificate in PEM");
	BIO_free(bio);
	ERR_clear_error();
	if (status != VLDAA_EXIT_OK)
		vldaa_buffer_free(pem);
	return status;
}

int vldaa_each_root(const vldaa_buffer *pem, vldaa_visit_root *visit, void *arg)
{
	BIO *bio = BIO_new_mem_buf(pem->data, (int)pem->len);
	int status = bio ? VLDAA_EXIT_OK : vldaa_report(NULL, VLDAA_ERR_MEMORY);
	block b;

	while (status == VLDAA_EXIT_OK && next_block(bio, &b)) {
		uint8_t fingerprint[VLDAA_FINGERPRINT];
		char *subject = vldaa_subject_of(b.der, (size_t)b.len);

		status = vldaa_fingerprint(fingerprint, b.der, (size_t)b.len);
		if (status == VLDAA_EXIT_OK)
			visit(arg, subject ? subject : "", fingerprint);
		OPENSSL_free(subject);
		free_block(&b);
	}
	BIO_free(bio);
	ERR_clear_error();
	return status;
}
