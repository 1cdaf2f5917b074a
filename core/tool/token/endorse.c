/* vldaa token endorse: the endorsement key's certificate, asked for and taken in. */
#include <stdlib.h>
#include <string.h>

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include "keys.h"
#include "token/token.h"

enum { REQUEST = VLDAA_TOKEN_OPTIONS, NEW_KEY, CERTIFICATE };
static const vldaa_option options[] = {
    VLDAA_TOKEN_COMMON,
    [REQUEST] = {"request", 0, "FILE", "write the certificate request (PKCS#10, PEM)",
		 VLDAA_OPTION_OUTPUT},
    [NEW_KEY] = {"new-key", 0, "KIND",
		 "with --request: make another key first, if this one has no\n"
		 "certificate: P-256, P-384, P-521, ED25519, ED448, RSA-2048,\n"
		 "RSA-3072 or RSA-4096",
		 0},
    [CERTIFICATE] = {"certificate", 0, "FILE",
		     "take in the certificate and those between it and the\n"
		     "manufacturer's root (PEM)",
		     VLDAA_OPTION_INPUT},
    {NULL, 0, NULL, NULL, 0},
};

/* --- the request -------------------------------------------------------------------------------
 */

static int write_pem(const char *path, const vldaa_buffer *der)
{
	const unsigned char *p = der->data;
	X509_REQ *request = d2i_X509_REQ(NULL, &p, (long)der->len);
	BIO *bio = BIO_new(BIO_s_mem());
	char *text = NULL;
	int status;
	long len = 0;

	if (request && bio && PEM_write_bio_X509_REQ(bio, request) == 1)
		len = BIO_get_mem_data(bio, &text);
	status = len > 0 ? vldaa_write(path, (const uint8_t *)text, (size_t)len, 0)
			 : vldaa_report(path, VLDAA_ERR_CRYPTO);
	BIO_free(bio);
	X509_REQ_free(request);
	ERR_clear_error();
	return status;
}

/* DER; empty when the token has none, or does not say which it is. */
static int read_request(vldaa_token *t, vldaa_buffer *der)
{
	static const char name[] = "endorsement certificate request";
	CK_OBJECT_CLASS class = CKO_DATA;
	char label[sizeof name];
	CK_ATTRIBUTE templ[] = {{CKA_CLASS, &class, sizeof class},
				{CKA_LABEL, label, sizeof name - 1}};
	CK_OBJECT_HANDLE *found;
	CK_ULONG n;
	int status;

	*der = (vldaa_buffer){NULL, 0};
	memcpy(label, name, sizeof name);
	status = vldaa_token_find(t, templ, 2, &found, &n);
	if (status != VLDAA_EXIT_OK)
		return status;
	if (n == 1)
		status = vldaa_token_get(t, found[0], CKA_VALUE, der);
	free(found);
	return status;
}

static int write_request(vldaa_token *t, const char *path)
{
	vldaa_buffer der;
	int status = read_request(t, &der);

	if (status == VLDAA_EXIT_OK && der.len == 0) {
		vldaa_say("%s: this token has no certificate request", t->label);
		status = VLDAA_EXIT_FAILED;
	}
	if (status == VLDAA_EXIT_OK)
		status = write_pem(path, &der);
	vldaa_buffer_free(&der);
	return status;
}

static int make_key(vldaa_token *t, const char *kind)
{
	char name[32] = "";
	CK_MECHANISM m = {CKM_VLDAA_ENDORSEMENT, name, strlen(kind)};
	CK_OBJECT_HANDLE request;
	CK_RV rv = CKR_MECHANISM_PARAM_INVALID;

	/* An empty name would be the module's default. */
	if (kind[0] != '\0' && m.ulParameterLen < sizeof name) {
		memcpy(name, kind, m.ulParameterLen);
		rv = t->p11->C_GenerateKey(t->session, &m, NULL, 0, &request);
	}
	if (rv == CKR_MECHANISM_PARAM_INVALID)
		return vldaa_usage(t->call, "there is no kind of key \"%s\"", kind);
	if (rv != CKR_ACTION_PROHIBITED)
		return rv == CKR_OK ? VLDAA_EXIT_OK : vldaa_token_report(t, NULL, rv);
	vldaa_say("%s: the endorsement key has a certificate, and stays", t->label);
	return VLDAA_EXIT_FAILED;
}

/* --- certificates ------------------------------------------------------------------------------
 */

static int store(vldaa_token *t, X509 *x, int is_own, const char *path)
{
	char label[] = "endorsement certificate", other[] = "certificate";
	CK_OBJECT_CLASS class = CKO_CERTIFICATE;
	CK_CERTIFICATE_TYPE type = CKC_X_509;
	CK_BBOOL yes = CK_TRUE;
	unsigned char *der = NULL;
	const int len = i2d_X509(x, &der);
	CK_OBJECT_HANDLE object, *found = NULL;
	CK_ULONG n = 0;
	CK_RV rv;
	int status;

	if (len <= 0)
		return vldaa_report(path, VLDAA_ERR_CRYPTO);
	CK_ATTRIBUTE templ[] = {
	    {CKA_CLASS, &class, sizeof class},
	    {CKA_VALUE, der, (CK_ULONG)len},
	    {CKA_CERTIFICATE_TYPE, &type, sizeof type},
	    {CKA_LABEL, is_own ? label : other, is_own ? sizeof label - 1 : sizeof other - 1},
	    {CKA_TOKEN, &yes, sizeof yes}};
	/* The same file again changes nothing. */
	status = vldaa_token_find(t, templ, 2, &found, &n);
	if (status == VLDAA_EXIT_OK && n == 0) {
		rv = t->p11->C_CreateObject(t->session, templ, 5, &object);
		if (rv != CKR_OK)
			status = vldaa_token_report(t, path, rv);
	}
	free(found);
	OPENSSL_free(der);
	return status;
}

/* The endorsement key's public half; NULL when the token does not say it. */
static int read_key(vldaa_token *t, EVP_PKEY **key)
{
	vldaa_buffer der;
	const int status = read_request(t, &der);
	const unsigned char *p = der.data;
	X509_REQ *request = der.len > 0 ? d2i_X509_REQ(NULL, &p, (long)der.len) : NULL;

	*key = request ? X509_REQ_get_pubkey(request) : NULL;
	X509_REQ_free(request);
	vldaa_buffer_free(&der);
	return status;
}

/* All certificates of the file, which has at least one. */
static int read_certificates(STACK_OF(X509) * list, const char *path)
{
	vldaa_buffer file = {NULL, 0};
	int status = vldaa_read(&file, path, VLDAA_KEYFILE_MAX_FILE);
	BIO *bio;
	X509 *x;

	if (status != VLDAA_EXIT_OK)
		return status;
	bio = BIO_new_mem_buf(file.data, (int)file.len);
	while (bio && status == VLDAA_EXIT_OK &&
	       (x = PEM_read_bio_X509(bio, NULL, NULL, NULL)) != NULL) {
		if (sk_X509_push(list, x) <= 0) {
			X509_free(x);
			status = vldaa_report(path, VLDAA_ERR_MEMORY);
		}
	}
	if (status == VLDAA_EXIT_OK && sk_X509_num(list) == 0) {
		vldaa_say("%s: no certificate in PEM", path);
		status = VLDAA_EXIT_FAILED;
	}
	ERR_clear_error();
	BIO_free(bio);
	vldaa_buffer_free(&file);
	return status;
}

static int is_of(X509 *x, const EVP_PKEY *key)
{
	const EVP_PKEY *its = X509_get0_pubkey(x);

	return its && key && EVP_PKEY_eq(its, key) == 1;
}

/* Another token's certificate would be of no use, and its file was mistaken. */
static int check_own(STACK_OF(X509) * list, const EVP_PKEY *key, const char *path)
{
	int own = 0;

	for (int i = 0; i < sk_X509_num(list); i++)
		own |= is_of(sk_X509_value(list, i), key);
	if (own || !key)
		return VLDAA_EXIT_OK;
	vldaa_say("%s: none of these certificates is of this token's endorsement key", path);
	return VLDAA_EXIT_INVALID;
}

static int store_all(vldaa_token *t, const char *path)
{
	STACK_OF(X509) *list = sk_X509_new_null();
	EVP_PKEY *key = NULL;
	int status = list ? read_certificates(list, path) : vldaa_report(path, VLDAA_ERR_MEMORY);

	if (status == VLDAA_EXIT_OK)
		status = read_key(t, &key);
	if (status == VLDAA_EXIT_OK)
		status = check_own(list, key, path);
	for (int i = 0; status == VLDAA_EXIT_OK && i < sk_X509_num(list); i++) {
		X509 *x = sk_X509_value(list, i);

		/* Who does not know the key takes the first for its own. */
		status = store(t, x, key ? is_of(x, key) : i == 0, path);
	}
	ERR_clear_error();
	EVP_PKEY_free(key);
	sk_X509_pop_free(list, X509_free);
	return status;
}

static int run(const vldaa_call *call)
{
	const char *request = call->values[REQUEST], *certificate = call->values[CERTIFICATE];
	const char *kind = call->values[NEW_KEY];
	vldaa_token t = {0};
	int status;

	if (!request == !certificate)
		return vldaa_usage(call, "either --request or --certificate");
	if (kind && !request)
		return vldaa_usage(call, "--new-key goes with --request");
	/* Anybody may read the request. */
	status =
	    vldaa_token_open(&t, call, request && !kind ? VLDAA_TOKEN_PUBLIC : VLDAA_TOKEN_USER);
	if (status == VLDAA_EXIT_OK && kind)
		status = make_key(&t, kind);
	if (status == VLDAA_EXIT_OK)
		status = request ? write_request(&t, request) : store_all(&t, certificate);
	vldaa_token_close(&t);
	return status;
}

const vldaa_command vldaa_command_token_endorse = {
    .name = "endorse",
    .summary = "Get the token's endorsement key certified by its manufacturer",
    .arguments = "",
    .max_arguments = 0,
    .options = options,
    .run = run,
    .details =
	"The endorsement key was made with the token; it signs join requests and nothing else.\n"
	"\n"
	"Example:\n"
	"  vldaa token endorse --token car --request ek.csr\n"
	"  openssl x509 -req -in ek.csr -CA roots.pem -CAkey root.key -out ek.pem\n"
	"  vldaa token endorse --token car --certificate ek.pem",
};
