/*
 * Signatures, as EVP_DigestSign*, EVP_DigestVerify*, EVP_PKEY_sign and EVP_PKEY_verify ask for them.
 *
 * The message is hashed inside the scheme: there is no digest to choose.  A signer hashes it as it
 * comes; a verifier keeps it (message.h).  Signing returns 1 or 0, verification 1, 0 or -1.
 */
#include <openssl/asn1.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/objects.h>
#include <openssl/params.h>
#include <openssl/x509.h>
#include <string.h>
#include <strings.h>

#include "errors.h"
#include "functions.h"
#include "key.h"
#include "message.h"
#include "options.h"
#include "sign.h"
#include "verify.h"

static OSSL_FUNC_signature_newctx_fn new_context;
static OSSL_FUNC_signature_freectx_fn free_context;
static OSSL_FUNC_signature_dupctx_fn duplicate;
static OSSL_FUNC_signature_sign_init_fn sign_init;
static OSSL_FUNC_signature_sign_fn sign;
static OSSL_FUNC_signature_digest_sign_init_fn digest_sign_init;
static OSSL_FUNC_signature_digest_sign_update_fn digest_sign_update;
static OSSL_FUNC_signature_digest_sign_final_fn digest_sign_final;
static OSSL_FUNC_signature_digest_sign_fn digest_sign;
static OSSL_FUNC_signature_verify_init_fn verify_init;
static OSSL_FUNC_signature_verify_fn verify;
static OSSL_FUNC_signature_digest_verify_init_fn digest_verify_init;
static OSSL_FUNC_signature_digest_verify_update_fn digest_verify_update;
static OSSL_FUNC_signature_digest_verify_final_fn digest_verify_final;
static OSSL_FUNC_signature_digest_verify_fn digest_verify;
static OSSL_FUNC_signature_set_ctx_params_fn set_params;
static OSSL_FUNC_signature_settable_ctx_params_fn settable_params;
static OSSL_FUNC_signature_get_ctx_params_fn get_params;
static OSSL_FUNC_signature_gettable_ctx_params_fn gettable_params;

enum operation { NONE, SIGN, VERIFY };

/* Invariant: there is a key unless operation is NONE. */
typedef struct {
	const vldaa_prov *prov;
	vldaa_prov_key *key;
	enum operation operation;
	int ended; /* and not begun again */
	vldaa_prov_options options;
	vldaa_prov_signing signing;
	vldaa_prov_message message; /* of a verification, so far */
	vldaa_prov_result *result;
} context;

/* --- contexts ----------------------------------------------------------------------------------
 */

static void *new_context(void *provctx, const char *properties)
{
	context *c = OPENSSL_zalloc(sizeof *c);

	/* Nothing is fetched for a signature: libvldaa hashes itself, and random bytes come from
	 * the library context. */
	(void)properties;
	if (c != NULL) {
		c->prov = provctx;
		c->result = vldaa_prov_result_new();
	}
	if (c == NULL || c->result == NULL) {
		VLDAA_PROV_RAISE((const vldaa_prov *)provctx, VLDAA_ERR_MEMORY);
		OPENSSL_free(c);
		c = NULL;
	}
	return c;
}

static void free_context(void *ctx)
{
	context *c = ctx;

	if (c == NULL)
		return;
	vldaa_prov_signing_clear(&c->signing);
	vldaa_prov_message_clear(&c->message);
	vldaa_prov_options_clear(&c->options);
	vldaa_prov_result_release(c->result);
	vldaa_prov_key_release(c->key);
	OPENSSL_clear_free(c, sizeof *c);
}

static void *duplicate(void *ctx)
{
	const context *c = ctx;
	context *copy = OPENSSL_zalloc(sizeof *copy);

	if (copy == NULL || vldaa_prov_signing_copy(&copy->signing, &c->signing) != VLDAA_OK) {
		VLDAA_PROV_RAISE(c->prov, VLDAA_ERR_MEMORY);
		OPENSSL_free(copy);
		return NULL;
	}
	copy->prov = c->prov;
	copy->ended = c->ended;
	copy->operation = c->operation;
	copy->key = c->key != NULL ? vldaa_prov_key_share(c->key) : NULL;
	copy->options = vldaa_prov_options_copy(&c->options);
	copy->message = vldaa_prov_message_copy(&c->message);
	copy->result = vldaa_prov_result_share(c->result);
	return copy;
}

/* Whether a key of this kind does that. */
static int may(const vldaa_prov *prov, enum operation operation, const vldaa_prov_key *key)
{
	const char *given = vldaa_prov_kind_name(key->kind);

	if (operation == SIGN && key->kind != VLDAA_PROV_MEMBER &&
	    key->kind != VLDAA_PROV_PSEUDONYM)
		vldaa_prov_raise_kind(prov, "signing", "a member key or a pseudonym key", given);
	else if (operation == SIGN && !vldaa_prov_key_is_private(key))
		VLDAA_PROV_RAISE(prov, VLDAA_PROV_ERR_PUBLIC_ONLY);
	else
		return 1;
	return 0;
}

/* Whether the key's set has the form. */
static int form_is_fine(const context *c)
{
	if (c->key == NULL || vldaa_prov_signature_size(c->key->set, &c->options) > 0)
		return 1;
	VLDAA_PROV_RAISE(c->prov, VLDAA_ERR_FORM);
	return 0;
}

static void forget(context *c)
{
	vldaa_prov_signing_clear(&c->signing);
	vldaa_prov_message_clear(&c->message);
	c->ended = 0;
}

static void use(context *c, vldaa_prov_key *key)
{
	vldaa_prov_key *before = c->key;

	c->key = vldaa_prov_key_share(key);
	vldaa_prov_key_release(before);
}

/* Begins an operation anew; key NULL: with the key that the context has. */
static int begin(context *c, enum operation operation, vldaa_prov_key *key,
		 const OSSL_PARAM params[])
{
	vldaa_prov_result *result;

	if (key == NULL)
		key = c->key;
	if (key == NULL || key->kind == VLDAA_PROV_EMPTY) {
		VLDAA_PROV_RAISE(c->prov, VLDAA_PROV_ERR_NO_KEY);
		return 0;
	}
	if (!may(c->prov, operation, key))
		return 0;
	result = vldaa_prov_result_new();
	if (result == NULL) {
		VLDAA_PROV_RAISE(c->prov, VLDAA_ERR_MEMORY);
		return 0;
	}
	vldaa_prov_result_release(c->result);
	c->result = result;
	forget(c);
	use(c, key);
	c->operation = operation;
	return vldaa_prov_options_set(c->prov, &c->options, params) && form_is_fine(c);
}

static int is_running(const context *c, enum operation operation)
{
	if (c->operation == operation && !c->ended)
		return 1;
	VLDAA_PROV_RAISE(c->prov, VLDAA_PROV_ERR_STATE);
	return 0;
}

static int no_digest(const context *c, const char *name)
{
	if (name == NULL || name[0] == '\0' || strcasecmp(name, "UNDEF") == 0)
		return 1;
	VLDAA_PROV_RAISE_TEXT(c->prov, VLDAA_PROV_ERR_DIGEST, "%s", name);
	return 0;
}

/* --- signing -----------------------------------------------------------------------------------
 */

static int sign_init(void *ctx, void *key, const OSSL_PARAM params[])
{
	return begin(ctx, SIGN, key, params);
}

static int digest_sign_init(void *ctx, const char *digest, void *key, const OSSL_PARAM params[])
{
	return no_digest(ctx, digest) && sign_init(ctx, key, params);
}

/* 1 when a message may be added, or the signature made. */
static int start(context *c)
{
	int err;

	if (!is_running(c, SIGN))
		return 0;
	if (c->signing.is_running)
		return 1;
	err = vldaa_prov_signing_begin(&c->signing, c->key, &c->options);
	if (err != VLDAA_OK)
		VLDAA_PROV_RAISE(c->prov, err);
	return err == VLDAA_OK;
}

static int digest_sign_update(void *ctx, const unsigned char *in, size_t len)
{
	context *c = ctx;
	int err;

	if (!start(c))
		return 0;
	err = vldaa_prov_signing_update(&c->signing, in, len);
	if (err != VLDAA_OK)
		VLDAA_PROV_RAISE(c->prov, err);
	return err == VLDAA_OK;
}

/* How large it can be, without making one. */
static int tell_size(const context *c, size_t *len)
{
	if (!is_running(c, SIGN))
		return 0;
	*len = vldaa_prov_signature_size(c->key->set, &c->options);
	return 1;
}

static int digest_sign_final(void *ctx, unsigned char *signature, size_t *len, size_t size)
{
	context *c = ctx;
	int err;

	if (signature == NULL)
		return tell_size(c, len);
	if (!start(c))
		return 0;
	err = vldaa_prov_signing_end(&c->signing, c->prov, signature, size, len);
	if (err != VLDAA_OK)
		VLDAA_PROV_RAISE(c->prov, err);
	if (err != VLDAA_ERR_BUFFER)
		c->ended = 1;
	return err == VLDAA_OK;
}

static int digest_sign(void *ctx, unsigned char *signature, size_t *len, size_t size,
		       const unsigned char *in, size_t in_len)
{
	context *c = ctx;
	int done;

	/* One call a message, and a context serves one message after the other. */
	c->ended = 0;
	if (signature == NULL)
		return tell_size(c, len);
	done = digest_sign_update(c, in, in_len) && digest_sign_final(c, signature, len, size);
	if (!done && c->signing.is_running)
		forget(c);
	return done;
}

static int sign(void *ctx, unsigned char *signature, size_t *len, size_t size,
		const unsigned char *in, size_t in_len)
{
	if (signature != NULL)
		forget(ctx);
	return digest_sign(ctx, signature, len, size, in, in_len);
}

/* --- verification ------------------------------------------------------------------------------
 */

static int verify_init(void *ctx, void *key, const OSSL_PARAM params[])
{
	return begin(ctx, VERIFY, key, params);
}

static int verify_now(context *c, const uint8_t *signature, size_t len)
{
	int verdict =
	    vldaa_prov_verify(c->key, &c->options, &c->message, signature, len, c->result);

	forget(c);
	c->ended = 1;
	return verdict;
}

static int digest_verify_init(void *ctx, const char *digest, void *key, const OSSL_PARAM params[])
{
	return no_digest(ctx, digest) && verify_init(ctx, key, params);
}

static int digest_verify_update(void *ctx, const unsigned char *in, size_t len)
{
	context *c = ctx;
	int err;

	if (!is_running(c, VERIFY))
		return 0;
	err = vldaa_prov_message_add(&c->message, in, len);
	if (err != VLDAA_OK)
		VLDAA_PROV_RAISE(c->prov, err);
	return err == VLDAA_OK;
}

static int digest_verify_final(void *ctx, const unsigned char *signature, size_t len)
{
	return is_running(ctx, VERIFY) ? verify_now(ctx, signature, len) : -1;
}

static int digest_verify(void *ctx, const unsigned char *signature, size_t signature_len,
			 const unsigned char *in, size_t len)
{
	context *c = ctx;

	/* One call a message, and a context serves one message after the other. */
	c->ended = 0;
	if (!digest_verify_update(c, in, len))
		return -1;
	return verify_now(c, signature, signature_len);
}

static int verify(void *ctx, const unsigned char *signature, size_t signature_len,
		  const unsigned char *in, size_t len)
{
	context *c = ctx;

	forget(c);
	return digest_verify(c, signature, signature_len, in, len);
}

/* --- parameters --------------------------------------------------------------------------------
 */

static const OSSL_PARAM *settable_params(void *ctx, void *provctx)
{
	(void)ctx;
	(void)provctx;
	return vldaa_prov_options_settable();
}

static int set_params(void *ctx, const OSSL_PARAM params[])
{
	context *c = ctx;

	/* The pseudonym is chosen, and the message hashed with it. */
	if (c->signing.is_running && vldaa_prov_options_any(params)) {
		VLDAA_PROV_RAISE(c->prov, VLDAA_PROV_ERR_LATE);
		return 0;
	}
	return vldaa_prov_options_set(c->prov, &c->options, params) && form_is_fine(c);
}

static const OSSL_PARAM *gettable_params(void *ctx, void *provctx)
{
	(void)ctx;
	(void)provctx;
	return vldaa_prov_result_gettable();
}

static int get_told(const context *c, OSSL_PARAM params[])
{
	return c->operation == SIGN ? vldaa_prov_signing_get(&c->signing, params)
				    : vldaa_prov_result_get(c->result, params);
}

/* AlgorithmIdentifier: the set's object identifier, without parameters; 33 bytes, of 128 that OpenSSL
 * has room for. */
static int set_algorithm(OSSL_PARAM *p, const vldaa_set *set)
{
	X509_ALGOR *algorithm = X509_ALGOR_new();
	ASN1_OBJECT *oid = OBJ_txt2obj(vldaa_set_name(set), 0);
	unsigned char *der = NULL;
	int n = -1;

	if (algorithm != NULL && oid != NULL &&
	    X509_ALGOR_set0(algorithm, oid, V_ASN1_UNDEF, NULL)) {
		oid = NULL; /* it is the algorithm's */
		n = i2d_X509_ALGOR(algorithm, &der);
	}
	if (n > 0 && !OSSL_PARAM_set_octet_string(p, der, (size_t)n))
		n = -1;
	OPENSSL_free(der);
	ASN1_OBJECT_free(oid);
	X509_ALGOR_free(algorithm);
	return n > 0;
}

/* Asked for by whoever puts a signature into a certificate, a request or a CMS message: formats that
 * name their signer by its public key, as a pseudonym has one and members have none of their own. */
static int get_algorithm(const context *c, OSSL_PARAM params[])
{
	OSSL_PARAM *p = OSSL_PARAM_locate(params, OSSL_SIGNATURE_PARAM_ALGORITHM_ID);
	const enum vldaa_prov_kind kind = c->key != NULL ? c->key->kind : VLDAA_PROV_EMPTY;

	if (p == NULL || (kind == VLDAA_PROV_PSEUDONYM && set_algorithm(p, c->key->set)))
		return 1;
	VLDAA_PROV_RAISE_TEXT(c->prov, VLDAA_PROV_ERR_X509, "%s", vldaa_prov_kind_name(kind));
	return 0;
}

static int get_params(void *ctx, OSSL_PARAM params[])
{
	const context *c = ctx;

	if (!get_algorithm(c, params))
		return 0;
	if (!get_told(c, params)) {
		VLDAA_PROV_RAISE(c->prov, VLDAA_PROV_ERR_STATE);
		return 0;
	}
	return 1;
}

const OSSL_DISPATCH vldaa_prov_signature[] = {
    {OSSL_FUNC_SIGNATURE_NEWCTX, (void (*)(void))new_context},
    {OSSL_FUNC_SIGNATURE_FREECTX, (void (*)(void))free_context},
    {OSSL_FUNC_SIGNATURE_DUPCTX, (void (*)(void))duplicate},
    {OSSL_FUNC_SIGNATURE_SIGN_INIT, (void (*)(void))sign_init},
    {OSSL_FUNC_SIGNATURE_SIGN, (void (*)(void))sign},
    {OSSL_FUNC_SIGNATURE_DIGEST_SIGN_INIT, (void (*)(void))digest_sign_init},
    {OSSL_FUNC_SIGNATURE_DIGEST_SIGN_UPDATE, (void (*)(void))digest_sign_update},
    {OSSL_FUNC_SIGNATURE_DIGEST_SIGN_FINAL, (void (*)(void))digest_sign_final},
    {OSSL_FUNC_SIGNATURE_DIGEST_SIGN, (void (*)(void))digest_sign},
    {OSSL_FUNC_SIGNATURE_VERIFY_INIT, (void (*)(void))verify_init},
    {OSSL_FUNC_SIGNATURE_VERIFY, (void (*)(void))verify},
    {OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_INIT, (void (*)(void))digest_verify_init},
    {OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_UPDATE, (void (*)(void))digest_verify_update},
    {OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_FINAL, (void (*)(void))digest_verify_final},
    {OSSL_FUNC_SIGNATURE_DIGEST_VERIFY, (void (*)(void))digest_verify},
    {OSSL_FUNC_SIGNATURE_SET_CTX_PARAMS, (void (*)(void))set_params},
    {OSSL_FUNC_SIGNATURE_SETTABLE_CTX_PARAMS, (void (*)(void))settable_params},
    {OSSL_FUNC_SIGNATURE_GET_CTX_PARAMS, (void (*)(void))get_params},
    {OSSL_FUNC_SIGNATURE_GETTABLE_CTX_PARAMS, (void (*)(void))gettable_params},
    {0, NULL},
};
