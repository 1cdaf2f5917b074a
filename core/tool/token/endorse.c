/* vldaa token endorse: the endorsement key's certificate, asked for and taken in. */
#include <stdlib.h>
#include <string.h>

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

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
		     "manufacturer's root (PEM); earlier ones for this key go",
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

/* --- the file ----------------------------------------------------------------------------------
 */

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

/* --- the token's certificates ------------------------------------------------------------------
 */

/* *object: the certificate's, which the token has then; *made 1 when it had not before. */
static int store(vldaa_token *t, X509 *x, int is_own, const char *path, CK_OBJECT_HANDLE *object,
		 int *made)
{
	char label[] = "endorsement certificate", other[] = "certificate";
	CK_OBJECT_CLASS class = CKO_CERTIFICATE;
	CK_CERTIFICATE_TYPE type = CKC_X_509;
	CK_BBOOL yes = CK_TRUE;
	unsigned char *der = NULL;
	const int len = i2d_X509(x, &der);
	CK_OBJECT_HANDLE *found = NULL;
	CK_ULONG n = 0;
	CK_RV rv;
	int status;

	*made = 0;
	if (len <= 0)
		return vldaa_report(path, VLDAA_ERR_CRYPTO);
	CK_ATTRIBUTE templ[] = {
	    {CKA_CLASS, &class, sizeof class},
	    {CKA_VALUE, der, (CK_ULONG)len},
	    {CKA_TOKEN, &yes, sizeof yes},
	    {CKA_CERTIFICATE_TYPE, &type, sizeof type},
	    {CKA_LABEL, is_own ? label : other, is_own ? sizeof label - 1 : sizeof other - 1}};
	/* The same file again changes nothing. */
	status = vldaa_token_find(t, templ, 3, &found, &n);
	if (status == VLDAA_EXIT_OK && n > 0) {
		*object = found[0];
	} else if (status == VLDAA_EXIT_OK) {
		rv = t->p11->C_CreateObject(t->session, templ, 5, object);
		*made = rv == CKR_OK;
		if (rv != CKR_OK)
			status = vldaa_token_report(t, path, rv);
	}
	free(found);
	OPENSSL_free(der);
	return status;
}

/* A certificate on the token, as it was before the file's were taken in. */
typedef struct {
	CK_OBJECT_HANDLE object;
	X509 *x;
	int is_kept; /* one of the file's, or in the chain of one that stays */
	int is_old;  /* of the endorsement key before, or in the chain of such a one */
} held;

typedef struct {
	held *list;
	CK_ULONG n;
} held_list;

static void free_held(held_list *h)
{
	for (CK_ULONG i = 0; i < h->n; i++)
		X509_free(h->list[i].x);
	free(h->list);
	*h = (held_list){NULL, 0};
}

static int read_held(vldaa_token *t, held_list *h)
{
	CK_OBJECT_CLASS class = CKO_CERTIFICATE;
	CK_BBOOL yes = CK_TRUE;
	CK_ATTRIBUTE templ[] = {{CKA_CLASS, &class, sizeof class}, {CKA_TOKEN, &yes, sizeof yes}};
	CK_OBJECT_HANDLE *found = NULL;
	CK_ULONG n = 0;
	int status = vldaa_token_find(t, templ, 2, &found, &n);

	*h = (held_list){calloc(n + 1, sizeof *h->list), 0};
	if (status == VLDAA_EXIT_OK && !h->list)
		status = vldaa_report(t->label, VLDAA_ERR_MEMORY);
	for (CK_ULONG i = 0; status == VLDAA_EXIT_OK && i < n; i++) {
		vldaa_buffer der;
		const unsigned char *p;
		X509 *x;

		status = vldaa_token_get(t, found[i], CKA_VALUE, &der);
		p = der.data;
		x = der.len > 0 ? d2i_X509(NULL, &p, (long)der.len) : NULL;
		/* What cannot be read is nobody's, and stays. */
		if (x)
			h->list[h->n++] = (held){found[i], x, 0, 0};
		vldaa_buffer_free(&der);
	}
	ERR_clear_error();
	free(found);
	return status;
}

static int is_issued(X509 *issuer, X509 *subject)
{
	return X509_check_issued(issuer, subject) == X509_V_OK;
}

/* Marks the chain that certificates on the token are, above this one. */
static void mark_chain(held_list *h, X509 *x, int as_old)
{
	for (CK_ULONG i = 0; i < h->n; i++) {
		held *c = &h->list[i];
		int *mark = as_old ? &c->is_old : &c->is_kept;

		/* Each is marked once, so that this ends also where they are a ring. */
		if (*mark || c->x == x || !is_issued(c->x, x))
			continue;
		*mark = 1;
		mark_chain(h, c->x, as_old);
	}
}

/* What the file's certificates replace: others of the endorsement key, and what is there only for
 * the sake of those. */
static void mark(held_list *h, STACK_OF(X509) * file, const EVP_PKEY *key)
{
	for (CK_ULONG i = 0; i < h->n; i++) {
		held *c = &h->list[i];

		for (int k = 0; k < sk_X509_num(file); k++)
			c->is_kept |= X509_cmp(c->x, sk_X509_value(file, k)) == 0;
		if (!c->is_kept && is_of(c->x, key)) {
			c->is_old = 1;
			mark_chain(h, c->x, 1);
		}
	}
	for (int k = 0; k < sk_X509_num(file); k++)
		mark_chain(h, sk_X509_value(file, k), 0);
	/* Others' certificates are not ours to judge, nor are their chains. */
	for (CK_ULONG i = 0; i < h->n; i++) {
		if (!h->list[i].is_old)
			mark_chain(h, h->list[i].x, 0);
	}
}

/* --- taking them in ----------------------------------------------------------------------------
 */

/* What was made, in case that it is to be taken back. */
typedef struct {
	CK_OBJECT_HANDLE *list;
	CK_ULONG n;
} made_list;

/* The endorsement key's own last: until then requests go with the one before, also when the power
 * fails.  Who does not know the key takes the first for its own. */
static int store_file(vldaa_token *t, STACK_OF(X509) * file, const EVP_PKEY *key, const char *path,
		      made_list *made)
{
	int status = VLDAA_EXIT_OK;

	for (int own = 0; own < 2; own++) {
		for (int i = 0; status == VLDAA_EXIT_OK && i < sk_X509_num(file); i++) {
			X509 *x = sk_X509_value(file, i);
			CK_OBJECT_HANDLE object;
			int is_new;

			if ((key ? is_of(x, key) : i == 0) != own)
				continue;
			status = store(t, x, own, path, &object, &is_new);
			if (status == VLDAA_EXIT_OK && is_new)
				made->list[made->n++] = object;
		}
	}
	return status;
}

/* Without a word, and whatever fails: the reason of it was said. */
static void take_back(vldaa_token *t, const made_list *made)
{
	for (CK_ULONG i = made->n; i > 0; i--) {
		if (t->p11->C_DestroyObject(t->session, made->list[i - 1]) != CKR_OK)
			vldaa_say("%s: some of the new certificates stay", t->label);
	}
}

/* The endorsement key's own first: what is left of a chain is used by nobody. */
static int destroy_old(vldaa_token *t, const held_list *h, const EVP_PKEY *key, int *destroyed)
{
	for (int own = 1; own >= 0; own--) {
		for (CK_ULONG i = 0; i < h->n; i++) {
			const held *c = &h->list[i];
			CK_RV rv;

			if (!c->is_old || c->is_kept || is_of(c->x, key) != own)
				continue;
			rv = t->p11->C_DestroyObject(t->session, c->object);
			if (rv != CKR_OK)
				return vldaa_token_report(t, NULL, rv);
			++*destroyed;
		}
	}
	return VLDAA_EXIT_OK;
}

static int replace(vldaa_token *t, STACK_OF(X509) * file, const EVP_PKEY *key, const char *path)
{
	made_list made = {calloc((size_t)sk_X509_num(file) + 1, sizeof *made.list), 0};
	held_list before = {NULL, 0};
	int destroyed = 0;
	int status = made.list ? read_held(t, &before) : vldaa_report(path, VLDAA_ERR_MEMORY);

	if (status == VLDAA_EXIT_OK && key)
		mark(&before, file, key);
	if (status == VLDAA_EXIT_OK) {
		status = store_file(t, file, key, path, &made);
		if (status == VLDAA_EXIT_OK && key)
			status = destroy_old(t, &before, key, &destroyed);
		/* Once one is gone, the new ones are what the token has. */
		if (status != VLDAA_EXIT_OK && destroyed == 0)
			take_back(t, &made);
	}
	if (destroyed > 0)
		vldaa_say("%s: %d certificate%s from before went: the new one replaces them",
			  t->label, destroyed, destroyed == 1 ? "" : "s");
	free_held(&before);
	free(made.list);
	return status;
}

static int take_in(vldaa_token *t, const char *path)
{
	STACK_OF(X509) *file = sk_X509_new_null();
	EVP_PKEY *key = NULL;
	int status = file ? read_certificates(file, path) : vldaa_report(path, VLDAA_ERR_MEMORY);

	if (status == VLDAA_EXIT_OK)
		status = read_key(t, &key);
	if (status == VLDAA_EXIT_OK)
		status = check_own(file, key, path);
	if (status == VLDAA_EXIT_OK)
		status = replace(t, file, key, path);
	ERR_clear_error();
	EVP_PKEY_free(key);
	sk_X509_pop_free(file, X509_free);
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
		status = request ? write_request(&t, request) : take_in(&t, certificate);
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
