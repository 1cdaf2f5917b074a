#include "keygen.h"

#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/decoder.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/x509.h>
#include <string.h>

#include "errors.h"
#include "functions.h"
#include "issuer_library.h"
#include "key.h"
#include "vldaa/issuer.h"

#define DEFAULT_AUTHORITY "ED25519"

typedef struct {
	const vldaa_prov *prov;
	const vldaa_set *set;
	int selection;
	char *algorithm; /* or NULL: the default */
	char *file;      /* or NULL */
	char *query;     /* the property query for what is fetched, or NULL */
} generation;

void *vldaa_prov_generation_new(void *provctx, int selection, const OSSL_PARAM params[], size_t set)
{
	generation *g = OPENSSL_zalloc(sizeof *g);

	if (g == NULL)
		return NULL;
	g->prov = provctx;
	g->set = vldaa_set_by_name(vldaa_prov_set_name(set));
	g->selection = selection;
	if (!vldaa_prov_generation_set(g, params)) {
		vldaa_prov_generation_free(g);
		return NULL;
	}
	return g;
}

void vldaa_prov_generation_free(void *genctx)
{
	generation *g = genctx;

	if (g == NULL)
		return;
	OPENSSL_free(g->algorithm);
	OPENSSL_free(g->file);
	OPENSSL_free(g->query);
	OPENSSL_free(g);
}

const OSSL_PARAM *vldaa_prov_generation_settable(void *genctx, void *provctx)
{
	static const OSSL_PARAM params[] = {
	    OSSL_PARAM_utf8_string("authority", NULL, 0),
	    OSSL_PARAM_utf8_string("authority-file", NULL, 0),
	    OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_PROPERTIES, NULL, 0),
	    OSSL_PARAM_END,
	};

	(void)genctx;
	(void)provctx;
	return params;
}

int vldaa_prov_generation_set(void *genctx, const OSSL_PARAM params[])
{
	generation *g = genctx;

	return params == NULL ||
	       (vldaa_prov_set_text(g->prov, &g->algorithm, params, "authority") &&
		vldaa_prov_set_text(g->prov, &g->file, params, "authority-file") &&
		vldaa_prov_set_text(g->prov, &g->query, params, OSSL_PKEY_PARAM_PROPERTIES));
}

/* "A key like this one": parameters are the set, which it has already; a key has nothing to pass on
 * to another group's. */
int vldaa_prov_generation_template(void *genctx, void *template)
{
	const generation *g = genctx;
	const vldaa_prov_key *key = template;

	if (key->kind == VLDAA_PROV_EMPTY)
		return 1;
	VLDAA_PROV_RAISE_TEXT(g->prov, VLDAA_PROV_ERR_TEMPLATE, "%s",
			      vldaa_prov_kind_name(key->kind));
	return 0;
}

/* --- the authority's key -----------------------------------------------------------------------
 */

static EVP_PKEY *new_authority(const generation *g)
{
	const char *name = g->algorithm != NULL ? g->algorithm : DEFAULT_AUTHORITY;
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(g->prov->libctx, name, g->query);
	EVP_PKEY *key = NULL;

	if (ctx == NULL || EVP_PKEY_keygen_init(ctx) != 1 || EVP_PKEY_generate(ctx, &key) != 1)
		key = NULL;
	EVP_PKEY_CTX_free(ctx);
	return key;
}

/* A passphrase cannot be asked for here: who generates keys has no way to pass one on. */
static int no_passphrase(char *out, int size, int writing, void *arg)
{
	(void)out;
	(void)size;
	(void)writing;
	(void)arg;
	return -1;
}

static EVP_PKEY *read_authority(const generation *g)
{
	BIO *in = BIO_new_file(g->file, "rb");
	EVP_PKEY *key = NULL;
	OSSL_DECODER_CTX *ctx = OSSL_DECODER_CTX_new_for_pkey(
	    &key, NULL, NULL, NULL, OSSL_KEYMGMT_SELECT_PRIVATE_KEY, g->prov->libctx, g->query);

	if (in != NULL && ctx != NULL &&
	    OSSL_DECODER_CTX_set_pem_password_cb(ctx, no_passphrase, NULL))
		(void)OSSL_DECODER_from_bio(ctx, in);
	OSSL_DECODER_CTX_free(ctx);
	BIO_free(in);
	return key;
}

/* Keys for key exchange do not, nor do ours. */
static int can_sign(const generation *g, EVP_PKEY *key)
{
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	int can = ctx != NULL &&
		  EVP_DigestSignInit_ex(ctx, NULL, NULL, g->prov->libctx, g->query, key, NULL) == 1;

	EVP_MD_CTX_free(ctx);
	return can;
}

static int authority(const generation *g, unsigned char **der, size_t *len)
{
	EVP_PKEY *key = g->file != NULL ? read_authority(g) : new_authority(g);
	PKCS8_PRIV_KEY_INFO *info = key != NULL && can_sign(g, key) ? EVP_PKEY2PKCS8(key) : NULL;
	int n = -1;

	*der = NULL;
	if (info != NULL)
		n = i2d_PKCS8_PRIV_KEY_INFO(info, der);
	*len = n > 0 ? (size_t)n : 0;
	PKCS8_PRIV_KEY_INFO_free(info);
	EVP_PKEY_free(key);
	/* Also when it was no key for signatures that was generated. */
	vldaa_prov_forget_thread(g->prov->libctx);
	return n > 0 ? VLDAA_OK : VLDAA_PROV_ERR_AUTHORITY;
}

/* --- the issuer's key --------------------------------------------------------------------------
 */

static int make(const generation *g, vldaa_ntru_solver *solve, const unsigned char *der,
		size_t der_len, vldaa_prov_key *key)
{
	const size_t size = vldaa_object_max_size(g->set, VLDAA_KIND_ISSUER_KEY);
	uint8_t *octets = OPENSSL_malloc(size);
	OSSL_LIB_CTX *before;
	size_t len;
	int err;

	if (octets == NULL)
		return VLDAA_ERR_MEMORY;
	before = vldaa_prov_enter(g->prov);
	err = vldaa_issuer_keygen(g->set, solve, der, der_len, octets, size, &len);
	vldaa_prov_leave(before);
	if (err == VLDAA_OK)
		err = vldaa_prov_key_fill(key, VLDAA_KEYFILE_PRIVATE, octets, len);
	OPENSSL_clear_free(octets, size);
	return err;
}

static void raise_authority(const generation *g, int err)
{
	const char *what = g->file != NULL        ? g->file
			   : g->algorithm != NULL ? g->algorithm
						  : DEFAULT_AUTHORITY;

	if (g->query != NULL)
		VLDAA_PROV_RAISE_TEXT(g->prov, err, "%s, with the properties %s", what, g->query);
	else
		VLDAA_PROV_RAISE_TEXT(g->prov, err, "%s", what);
}

static int generate(const generation *g, vldaa_prov_key *key)
{
	vldaa_ntru_solver *solve = NULL;
	unsigned char *der = NULL;
	size_t der_len = 0;
	int err = VLDAA_OK;

	/* Pseudonyms that are ML-DSA keys go with credentials that are NTRU preimages. */
	if (vldaa_set_bare_size(g->set) != 0)
		err = vldaa_prov_ntru_solver(g->prov, &solve);
	if (err == VLDAA_OK) {
		err = authority(g, &der, &der_len);
		if (err != VLDAA_OK)
			raise_authority(g, err);
	}
	if (err == VLDAA_OK) {
		err = make(g, solve, der, der_len, key);
		if (err != VLDAA_OK)
			VLDAA_PROV_RAISE(g->prov, err);
	}
	OPENSSL_clear_free(der, der_len);
	return err;
}

void *vldaa_prov_generation_run(void *genctx, OSSL_CALLBACK *callback, void *arg)
{
	const generation *g = genctx;
	vldaa_prov_key *key;

	(void)callback;
	(void)arg;
	/* Parameter generation has nothing to do: the name says it all. */
	key = vldaa_prov_key_new(g->prov, g->set);
	if (key == NULL)
		VLDAA_PROV_RAISE(g->prov, VLDAA_ERR_MEMORY);
	if (key == NULL || (g->selection & OSSL_KEYMGMT_SELECT_KEYPAIR) == 0)
		return key;
	if (generate(g, key) != VLDAA_OK) {
		vldaa_prov_key_release(key);
		return NULL;
	}
	return key;
}
