/*
 * Key management: what OpenSSL does with keys besides using them.  Generation is in keygen.c.
 */
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/params.h>
#include <string.h>

#include "errors.h"
#include "functions.h"
#include "key.h"
#include "keygen.h"
#include "reference.h"

static OSSL_FUNC_keymgmt_free_fn free_key;
static OSSL_FUNC_keymgmt_load_fn load;
static OSSL_FUNC_keymgmt_has_fn has;
static OSSL_FUNC_keymgmt_match_fn match;
static OSSL_FUNC_keymgmt_validate_fn validate;
static OSSL_FUNC_keymgmt_dup_fn duplicate;
static OSSL_FUNC_keymgmt_import_fn import;
static OSSL_FUNC_keymgmt_import_types_fn import_types;
static OSSL_FUNC_keymgmt_export_fn export;
static OSSL_FUNC_keymgmt_export_types_fn export_types;
static OSSL_FUNC_keymgmt_get_params_fn get_params;
static OSSL_FUNC_keymgmt_gettable_params_fn gettable_params;
static OSSL_FUNC_keymgmt_set_params_fn set_params;
static OSSL_FUNC_keymgmt_settable_params_fn settable_params;

static void free_key(void *keydata)
{
	vldaa_prov_key_release(keydata);
}

static void *load(const void *reference, size_t size)
{
	return vldaa_prov_reference_take(reference, size);
}

/* --- questions ---------------------------------------------------------------------------------
 */

static int has(const void *keydata, int selection)
{
	const vldaa_prov_key *key = keydata;

	if (key == NULL || key->kind == VLDAA_PROV_EMPTY)
		return 0;
	/* A set's parameters are in its name. */
	return (selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) == 0 || vldaa_prov_key_is_private(key);
}

static int equal(const uint8_t *a, size_t a_len, const uint8_t *b, size_t b_len)
{
	return a_len == b_len && a_len > 0 && CRYPTO_memcmp(a, b, a_len) == 0;
}

static int match(const void *keydata1, const void *keydata2, int selection)
{
	const vldaa_prov_key *a = keydata1, *b = keydata2;

	if (a->set != b->set)
		return 0;
	if ((selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) != 0)
		return equal(a->public_octets, a->public_len, b->public_octets, b->public_len);
	/* Whoever asks for the private key alone. */
	if ((selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) == 0)
		return 1;
	if (a->in_token != NULL && b->in_token != NULL)
		return vldaa_prov_token_key_same(a->in_token, b->in_token);
	return equal(a->secret, a->secret_len, b->secret, b->secret_len);
}

static int validate(const void *keydata, int selection, int checktype)
{
	const vldaa_prov_key *key = keydata;
	int err;

	(void)checktype;
	if ((selection & OSSL_KEYMGMT_SELECT_KEYPAIR) == 0)
		return 1;
	err = vldaa_prov_key_check(key, (selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0);
	if (err != VLDAA_OK)
		VLDAA_PROV_RAISE(key->prov, err);
	return err == VLDAA_OK;
}

static const OSSL_PARAM *gettable_params(void *provctx)
{
	static const OSSL_PARAM params[] = {
	    OSSL_PARAM_int(OSSL_PKEY_PARAM_BITS, NULL),
	    OSSL_PARAM_int(OSSL_PKEY_PARAM_SECURITY_BITS, NULL),
	    OSSL_PARAM_int(OSSL_PKEY_PARAM_MAX_SIZE, NULL),
	    OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_DEFAULT_DIGEST, NULL, 0),
	    OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_MANDATORY_DIGEST, NULL, 0),
	    OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PUB_KEY, NULL, 0),
	    OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PRIV_KEY, NULL, 0),
	    OSSL_PARAM_utf8_string("kind", NULL, 0),
	    OSSL_PARAM_octet_string("key-id", NULL, 0),
	    OSSL_PARAM_END,
	};

	(void)provctx;
	return params;
}

static int set_int(OSSL_PARAM params[], const char *name, size_t value)
{
	OSSL_PARAM *p = OSSL_PARAM_locate(params, name);

	return p == NULL || OSSL_PARAM_set_int(p, (int)value);
}

static int set_text(OSSL_PARAM params[], const char *name, const char *text)
{
	OSSL_PARAM *p = OSSL_PARAM_locate(params, name);

	return p == NULL || OSSL_PARAM_set_utf8_string(p, text);
}

static int set_octets(OSSL_PARAM params[], const char *name, const uint8_t *octets, size_t len)
{
	OSSL_PARAM *p = OSSL_PARAM_locate(params, name);

	return p == NULL || (octets != NULL && OSSL_PARAM_set_octet_string(p, octets, len));
}

static int get_params(void *keydata, OSSL_PARAM params[])
{
	const vldaa_prov_key *key = keydata;

	/* The largest signature's size is the set's, not the key's: OpenSSL reads it once. */
	return set_int(params, OSSL_PKEY_PARAM_MAX_SIZE,
		       vldaa_object_max_size(key->set, VLDAA_KIND_SIGNATURE)) &&
	       set_int(params, OSSL_PKEY_PARAM_BITS, 8 * key->public_len) &&
	       set_int(params, OSSL_PKEY_PARAM_SECURITY_BITS,
		       (size_t)vldaa_set_signature_bits(key->set)) &&
	       set_text(params, OSSL_PKEY_PARAM_DEFAULT_DIGEST, "UNDEF") &&
	       set_text(params, OSSL_PKEY_PARAM_MANDATORY_DIGEST, "UNDEF") &&
	       set_text(params, "kind", vldaa_prov_kind_name(key->kind)) &&
	       set_octets(params, "key-id", key->info.key_id, VLDAA_KEY_ID_BYTES) &&
	       set_octets(params, OSSL_PKEY_PARAM_PUB_KEY, key->public_octets, key->public_len) &&
	       set_octets(params, OSSL_PKEY_PARAM_PRIV_KEY, key->secret, key->secret_len);
}

static const OSSL_PARAM *settable_params(void *provctx)
{
	static const OSSL_PARAM params[] = {
	    OSSL_PARAM_utf8_string("basename", NULL, 0),
	    OSSL_PARAM_END,
	};

	(void)provctx;
	return params;
}

static int set_params(void *keydata, const OSSL_PARAM params[])
{
	vldaa_prov_key *key = keydata;
	const OSSL_PARAM *p = OSSL_PARAM_locate_const(params, "basename");
	const char *text = NULL;
	int err;

	if (p == NULL)
		return 1;
	err = OSSL_PARAM_get_utf8_string_ptr(p, &text) && text != NULL
		  ? vldaa_prov_key_set_policy(key, text)
		  : VLDAA_ERR_ARGUMENT;
	if (err != VLDAA_OK)
		VLDAA_PROV_RAISE(key->prov, err);
	return err == VLDAA_OK;
}

static const char *query_operation_name(int operation)
{
	(void)operation;
	return NULL; /* the algorithm's own name */
}

/* --- copies ------------------------------------------------------------------------------------
 */

static const OSSL_PARAM *octets_of(int selection)
{
	static const OSSL_PARAM public[] = {
	    OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PUB_KEY, NULL, 0),
	    OSSL_PARAM_END,
	};
	static const OSSL_PARAM both[] = {
	    OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PRIV_KEY, NULL, 0),
	    OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PUB_KEY, NULL, 0),
	    OSSL_PARAM_END,
	};

	if ((selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0)
		return both;
	return (selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) != 0 ? public : NULL;
}

static const OSSL_PARAM *import_types(int selection)
{
	return octets_of(selection);
}

static const OSSL_PARAM *export_types(int selection)
{
	return octets_of(selection);
}

static int import_octets(vldaa_prov_key *key, enum vldaa_keyfile_type type, const OSSL_PARAM *p)
{
	const void *octets = NULL;
	size_t len = 0;

	if (!OSSL_PARAM_get_octet_string_ptr(p, &octets, &len) || octets == NULL)
		return VLDAA_ERR_ARGUMENT;
	return vldaa_prov_key_fill(key, type, octets, len);
}

/* A private key brings its public key along; one that comes with it must be the same. */
static int import_both(vldaa_prov_key *key, const OSSL_PARAM *private, const OSSL_PARAM *public)
{
	int err = import_octets(key, VLDAA_KEYFILE_PRIVATE, private);

	if (err == VLDAA_OK && public != NULL &&
	    !equal(public->data, public->data_size, key->public_octets, key->public_len))
		err = VLDAA_ERR_KEY;
	return err;
}

static int import(void *keydata, int selection, const OSSL_PARAM params[])
{
	vldaa_prov_key *key = keydata;
	const OSSL_PARAM *private = OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_PRIV_KEY);
	const OSSL_PARAM *public = OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_PUB_KEY);
	int err = VLDAA_PROV_ERR_NO_KEY;

	if (key->kind != VLDAA_PROV_EMPTY)
		err = VLDAA_ERR_HAVE_KEY;
	else if ((selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0 && private != NULL)
		err = import_both(key, private, public);
	else if ((selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) != 0 && public != NULL)
		err = import_octets(key, VLDAA_KEYFILE_PUBLIC, public);
	if (err != VLDAA_OK)
		VLDAA_PROV_RAISE(key->prov, err);
	return err == VLDAA_OK;
}

/* Of a key pair what is there: a public key goes out as one, too. */
static int export(void *keydata, int selection, OSSL_CALLBACK *callback, void *arg)
{
	const vldaa_prov_key *key = keydata;
	OSSL_PARAM params[3];
	size_t n = 0;
	int err = VLDAA_OK;

	if (key->kind == VLDAA_PROV_EMPTY)
		err = VLDAA_PROV_ERR_NO_KEY;
	else if ((selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0 && key->in_token != NULL)
		err = VLDAA_PROV_ERR_IN_TOKEN;
	else if ((selection & OSSL_KEYMGMT_SELECT_KEYPAIR) == OSSL_KEYMGMT_SELECT_PRIVATE_KEY &&
		 key->secret == NULL)
		err = VLDAA_PROV_ERR_PUBLIC_ONLY;
	if (err != VLDAA_OK) {
		VLDAA_PROV_RAISE(key->prov, err);
		return 0;
	}
	if ((selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0 && key->secret != NULL)
		params[n++] = OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PRIV_KEY,
								key->secret, key->secret_len);
	if ((selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) != 0)
		params[n++] = OSSL_PARAM_construct_octet_string(
		    OSSL_PKEY_PARAM_PUB_KEY, key->public_octets, key->public_len);
	params[n] = OSSL_PARAM_construct_end();
	return callback(params, arg);
}

/* A duplicate may hold less: the public key of a private one. */
static void *duplicate(const void *keydata, int selection)
{
	const vldaa_prov_key *key = keydata;
	vldaa_prov_key *copy = vldaa_prov_key_new(key->prov, key->set);
	int err = VLDAA_OK;

	if (copy == NULL)
		err = VLDAA_ERR_MEMORY;
	else if ((selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0 && key->in_token != NULL)
		err = vldaa_prov_key_fill_in_token(copy, key->in_token, key->public_octets,
						   key->public_len);
	else if ((selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0 && key->secret != NULL)
		err =
		    vldaa_prov_key_fill(copy, VLDAA_KEYFILE_PRIVATE, key->secret, key->secret_len);
	else if ((selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) != 0 && key->public_octets != NULL)
		err = vldaa_prov_key_fill(copy, VLDAA_KEYFILE_PUBLIC, key->public_octets,
					  key->public_len);
	if (err != VLDAA_OK) {
		VLDAA_PROV_RAISE(key->prov, err);
		vldaa_prov_key_release(copy);
		return NULL;
	}
	copy->policy = vldaa_prov_key_own_policy(key);
	return copy;
}

const OSSL_DISPATCH vldaa_prov_keymgmt[] = {
    {OSSL_FUNC_KEYMGMT_FREE, (void (*)(void))free_key},
    {OSSL_FUNC_KEYMGMT_LOAD, (void (*)(void))load},
    {OSSL_FUNC_KEYMGMT_HAS, (void (*)(void))has},
    {OSSL_FUNC_KEYMGMT_MATCH, (void (*)(void))match},
    {OSSL_FUNC_KEYMGMT_VALIDATE, (void (*)(void))validate},
    {OSSL_FUNC_KEYMGMT_DUP, (void (*)(void))duplicate},
    {OSSL_FUNC_KEYMGMT_IMPORT, (void (*)(void))import},
    {OSSL_FUNC_KEYMGMT_IMPORT_TYPES, (void (*)(void))import_types},
    {OSSL_FUNC_KEYMGMT_EXPORT, (void (*)(void)) export},
    {OSSL_FUNC_KEYMGMT_EXPORT_TYPES, (void (*)(void))export_types},
    {OSSL_FUNC_KEYMGMT_GET_PARAMS, (void (*)(void))get_params},
    {OSSL_FUNC_KEYMGMT_GETTABLE_PARAMS, (void (*)(void))gettable_params},
    {OSSL_FUNC_KEYMGMT_SET_PARAMS, (void (*)(void))set_params},
    {OSSL_FUNC_KEYMGMT_SETTABLE_PARAMS, (void (*)(void))settable_params},
    {OSSL_FUNC_KEYMGMT_QUERY_OPERATION_NAME, (void (*)(void))query_operation_name},
    {OSSL_FUNC_KEYMGMT_GEN_SET_TEMPLATE, (void (*)(void))vldaa_prov_generation_template},
    {OSSL_FUNC_KEYMGMT_GEN_SET_PARAMS, (void (*)(void))vldaa_prov_generation_set},
    {OSSL_FUNC_KEYMGMT_GEN_SETTABLE_PARAMS, (void (*)(void))vldaa_prov_generation_settable},
    {OSSL_FUNC_KEYMGMT_GEN, (void (*)(void))vldaa_prov_generation_run},
    {OSSL_FUNC_KEYMGMT_GEN_CLEANUP, (void (*)(void))vldaa_prov_generation_free},
    {0, NULL},
};
