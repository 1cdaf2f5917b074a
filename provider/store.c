/*
 * Keys out of PKCS#11 tokens, by URI (token/uri.h): `openssl -inkey vldaa:token=car;object=member`,
 * `openssl storeutl`, OSSL_STORE_open().
 *
 * Private keys first, then public ones, then certificates.  Private objects need the PIN: of the URI, or
 * by the caller's prompt, when private keys are asked for or nothing public matches; else there are the
 * public ones.
 */
#include <openssl/core_names.h>
#include <openssl/core_object.h>
#include <openssl/crypto.h>
#include <openssl/params.h>
#include <openssl/store.h>
#include <string.h>

#include "errors.h"
#include "functions.h"
#include "reference.h"
#include "token/object.h"
#include "vldaa/pkcs11-vldaa.h"

static OSSL_FUNC_store_open_fn open_store;
static OSSL_FUNC_store_settable_ctx_params_fn settable_params;
static OSSL_FUNC_store_set_ctx_params_fn set_params;
static OSSL_FUNC_store_load_fn load;
static OSSL_FUNC_store_eof_fn is_at_end;
static OSSL_FUNC_store_close_fn close_store;

static const CK_OBJECT_CLASS classes[] = {CKO_PRIVATE_KEY, CKO_PUBLIC_KEY, CKO_CERTIFICATE};
enum { CLASSES = sizeof classes / sizeof classes[0] };

/* Invariant: what is found is handles of objects, those of one class after the other's; i of them are done.
 * Before the first load nothing has been looked for. */
typedef struct {
	const vldaa_prov *prov;
	vldaa_prov_uri uri;
	vldaa_prov_token *token;
	int expected; /* of OSSL_STORE_INFO_*; 0: anything */
	int has_looked;
	int has_failed; /* just now: OpenSSL takes what fails at the end for the end alone */
	CK_OBJECT_HANDLE *found[CLASSES];
	size_t count[CLASSES];
	size_t class, i;
} store;

static void *open_store(void *provctx, const char *uri)
{
	store *s = OPENSSL_zalloc(sizeof *s);

	if (s == NULL) {
		VLDAA_PROV_RAISE((const vldaa_prov *)provctx, VLDAA_ERR_MEMORY);
		return NULL;
	}
	s->prov = provctx;
	if (!vldaa_prov_uri_parse(&s->uri, s->prov, uri) ||
	    !vldaa_prov_token_open(&s->token, s->prov, &s->uri)) {
		(void)close_store(s);
		s = NULL;
	}
	return s;
}

static int close_store(void *ctx)
{
	store *s = ctx;

	for (size_t i = 0; i < CLASSES; i++)
		OPENSSL_free(s->found[i]);
	vldaa_prov_token_release(s->token);
	vldaa_prov_uri_clear(&s->uri);
	OPENSSL_free(s);
	return 1;
}

static const OSSL_PARAM *settable_params(void *provctx)
{
	static const OSSL_PARAM params[] = {
	    OSSL_PARAM_int(OSSL_STORE_PARAM_EXPECT, NULL),
	    OSSL_PARAM_END,
	};

	(void)provctx;
	return params;
}

static int set_params(void *ctx, const OSSL_PARAM params[])
{
	store *s = ctx;
	const OSSL_PARAM *p = OSSL_PARAM_locate_const(params, OSSL_STORE_PARAM_EXPECT);

	return p == NULL || OSSL_PARAM_get_int(p, &s->expected);
}

/* --- the PIN -----------------------------------------------------------------------------------
 */

static int asks_for_private(const store *s)
{
	const CK_ATTRIBUTE *class = p11_kit_uri_get_attribute(s->uri.is, CKA_CLASS);
	CK_OBJECT_CLASS is = CKO_DATA;

	if (class != NULL && class->ulValueLen == sizeof is)
		memcpy(&is, class->pValue, sizeof is);
	return s->expected == OSSL_STORE_INFO_PKEY || is == CKO_PRIVATE_KEY;
}

/* 1 when there is one now. */
static int prompt(store *s, OSSL_PASSPHRASE_CALLBACK *ask, void *arg)
{
	OSSL_PARAM info[2];
	size_t len = 0;

	info[0] = OSSL_PARAM_construct_utf8_string(
	    OSSL_PASSPHRASE_PARAM_INFO, (char *)(uintptr_t)vldaa_prov_token_label(s->token), 0);
	info[1] = OSSL_PARAM_construct_end();
	if (ask == NULL || !ask(s->uri.pin.text, VLDAA_PROV_MAX_PIN, &len, info, arg) || len == 0) {
		VLDAA_PROV_RAISE_TEXT(s->prov, VLDAA_PROV_ERR_PIN, "%s", s->uri.text);
		return 0;
	}
	s->uri.pin.len = len;
	return 1;
}

/* Logs in with it, and wipes it. */
static int use_pin(store *s)
{
	const int done = vldaa_prov_token_login(s->token, &s->uri.pin);

	OPENSSL_cleanse(&s->uri.pin, sizeof s->uri.pin);
	return done;
}

/* 1 when everything that is asked for can be seen. */
static int login(store *s, OSSL_PASSPHRASE_CALLBACK *ask, void *arg)
{
	const char *source = p11_kit_uri_get_pin_source(s->uri.is);
	int done = 1;

	if (source != NULL)
		done = vldaa_prov_pin_read(&s->uri.pin, s->prov, source);
	else if (s->uri.pin.len == 0 && asks_for_private(s) && !vldaa_prov_token_is_user(s->token))
		done = prompt(s, ask, arg);
	return done && (s->uri.pin.len == 0 || use_pin(s));
}

/* --- searching ---------------------------------------------------------------------------------
 */

static int is_expected(int expected, CK_OBJECT_CLASS class)
{
	switch (expected) {
	case 0:
		return 1;
	case OSSL_STORE_INFO_PKEY:
		return class == CKO_PRIVATE_KEY;
	case OSSL_STORE_INFO_PUBKEY:
		return class == CKO_PUBLIC_KEY;
	case OSSL_STORE_INFO_CERT:
		return class == CKO_CERTIFICATE;
	default:
		return 0;
	}
}

/* What has no role is somebody else's key, or has gone meanwhile. */
static int is_without_role(CK_RV rv)
{
	return rv == CKR_ATTRIBUTE_TYPE_INVALID || rv == CKR_ATTRIBUTE_SENSITIVE ||
	       rv == CKR_ATTRIBUTE_VALUE_INVALID || rv == CKR_OBJECT_HANDLE_INVALID;
}

/* Public keys: a group's or a pseudonym's; the member's own is its TPM's and verifies nothing. */
static CK_RV keep_ours(const vldaa_prov_session *session, CK_OBJECT_CLASS class,
		       CK_OBJECT_HANDLE *found, size_t *count)
{
	size_t kept = 0;

	for (size_t i = 0; class != CKO_CERTIFICATE && i < *count; i++) {
		CK_ULONG role;
		CK_RV rv = vldaa_prov_attribute_ulong(session, found[i], CKA_VLDAA_ROLE, &role);

		if (rv != CKR_OK && !is_without_role(rv))
			return rv;
		if (rv == CKR_OK && (class == CKO_PRIVATE_KEY || role == CK_VLDAA_ROLE_GROUP ||
				     role == CK_VLDAA_ROLE_PSEUDONYM))
			found[kept++] = found[i];
	}
	if (class != CKO_CERTIFICATE)
		*count = kept;
	return CKR_OK;
}

static CK_RV find_class(store *s, const vldaa_prov_session *session, size_t class)
{
	CK_ULONG given = 0;
	const CK_ATTRIBUTE *attributes = p11_kit_uri_get_attributes(s->uri.is, &given);
	CK_OBJECT_CLASS value = classes[class];
	CK_ATTRIBUTE *templ = OPENSSL_malloc((given + 1) * sizeof *templ);
	CK_RV rv = CKR_HOST_MEMORY;

	/* A class that the URI names, too, matches itself only. */
	if (templ != NULL) {
		if (given > 0)
			memcpy(templ, attributes, given * sizeof *templ);
		templ[given] = (CK_ATTRIBUTE){CKA_CLASS, &value, sizeof value};
		rv = vldaa_prov_objects_find(session, templ, given + 1, &s->found[class],
					     &s->count[class]);
	}
	if (rv == CKR_OK)
		rv = keep_ours(session, value, s->found[class], &s->count[class]);
	OPENSSL_free(templ);
	return rv;
}

static CK_RV find_all(store *s, const vldaa_prov_session *session, size_t *all)
{
	CK_RV rv = CKR_OK;

	*all = 0;
	for (size_t c = 0; rv == CKR_OK && c < CLASSES; c++) {
		OPENSSL_free(s->found[c]);
		s->found[c] = NULL;
		s->count[c] = 0;
		if (is_expected(s->expected, classes[c]))
			rv = find_class(s, session, c);
		*all += s->count[c];
	}
	return rv;
}

/* 1, or 0, having raised why not. */
static int search(store *s, size_t *all)
{
	vldaa_prov_session session;
	int err = vldaa_prov_token_enter(s->token, &session);

	*all = 0;
	if (err == VLDAA_OK) {
		const CK_RV rv = find_all(s, &session, all);

		err = vldaa_prov_token_leave(&session, rv, "C_FindObjects");
	}
	if (err != VLDAA_OK)
		VLDAA_PROV_RAISE(s->prov, err);
	return err == VLDAA_OK;
}

/* 1, or 0, having raised why there is nothing. */
static int look(store *s, OSSL_PASSPHRASE_CALLBACK *ask, void *arg)
{
	size_t all;

	if (!login(s, ask, arg) || !search(s, &all))
		return 0;
	/* Nothing that is public: it may be a private key, which who did not say so wants. */
	if (all == 0 && s->expected == 0 && !vldaa_prov_token_is_user(s->token) &&
	    (!prompt(s, ask, arg) || !use_pin(s) || !search(s, &all)))
		return 0;
	if (all == 0)
		VLDAA_PROV_RAISE_TEXT(s->prov, VLDAA_PROV_ERR_NO_OBJECT, "%s", s->uri.text);
	return all > 0;
}

/* --- loading -----------------------------------------------------------------------------------
 */

/* The only set that this text names, or NULL. */
static const vldaa_set *set_of(const vldaa_prov_session *session, CK_OBJECT_HANDLE object,
			       CK_RV *rv)
{
	const vldaa_set *set = NULL;
	uint8_t *name;
	size_t len;

	*rv = vldaa_prov_attribute_get(session, object, CKA_VLDAA_SET, &name, &len);
	if (*rv == CKR_OK)
		set = vldaa_set_by_name((const char *)name);
	OPENSSL_free(name);
	return set;
}

/* The object that a key's public half is: its group's key, or its attestation. */
static CK_RV public_octets(const vldaa_prov_session *session, CK_OBJECT_HANDLE object,
			   CK_OBJECT_CLASS class, CK_ULONG role, uint8_t **octets, size_t *len)
{
	CK_OBJECT_CLASS public_key = CKO_PUBLIC_KEY;
	CK_ULONG group = CK_VLDAA_ROLE_GROUP;
	CK_ATTRIBUTE templ[] = {
	    {CKA_CLASS, &public_key, sizeof public_key},
	    {CKA_VLDAA_ROLE, &group, sizeof group},
	    {CKA_VLDAA_KEY_ID, NULL, 0},
	};
	CK_OBJECT_HANDLE found = object;
	uint8_t *id = NULL;
	size_t id_len = 0;
	CK_RV rv = CKR_OK;

	*octets = NULL;
	*len = 0;
	if (role == CK_VLDAA_ROLE_PSEUDONYM)
		return class == CKO_PUBLIC_KEY
			   ? vldaa_prov_attribute_get(session, object, CKA_VLDAA_ATTESTATION,
						      octets, len)
			   : vldaa_prov_token_attestation(session, object, octets, len);
	if (class == CKO_PRIVATE_KEY) {
		rv = vldaa_prov_attribute_get(session, object, CKA_VLDAA_KEY_ID, &id, &id_len);
		templ[2].pValue = id;
		templ[2].ulValueLen = id_len;
		if (rv == CKR_OK)
			rv = vldaa_prov_object_find(session, templ, 3, &found);
		OPENSSL_free(id);
	}
	return rv == CKR_OK ? vldaa_prov_attribute_get(session, found, CKA_VALUE, octets, len) : rv;
}

/* Of a member: the token's default basename is the key's. */
static CK_RV read_policy(const vldaa_prov_session *session, CK_OBJECT_HANDLE object,
			 vldaa_prov_key *key)
{
	uint8_t *text;
	size_t len;
	CK_RV rv;

	if (key->kind != VLDAA_PROV_MEMBER)
		return CKR_OK;
	rv = vldaa_prov_attribute_get(session, object, CKA_VLDAA_BASENAME, &text, &len);
	if (rv == CKR_OK)
		key->policy.wrong =
		    vldaa_default_basename_read(&key->policy.is, text, len) != VLDAA_OK;
	OPENSSL_free(text);
	return rv;
}

static CK_RV fill(const vldaa_prov_session *session, CK_OBJECT_HANDLE object, CK_OBJECT_CLASS class,
		  vldaa_prov_key *key, int *err)
{
	vldaa_prov_token_key *in_token = NULL;
	uint8_t *octets = NULL;
	size_t len = 0;
	CK_ULONG role;
	CK_RV rv = vldaa_prov_attribute_ulong(session, object, CKA_VLDAA_ROLE, &role);

	if (rv == CKR_OK)
		rv = public_octets(session, object, class, role, &octets, &len);
	if (rv == CKR_OK && class == CKO_PRIVATE_KEY)
		rv = vldaa_prov_token_key_new(&in_token, session, object);
	if (rv == CKR_OK)
		*err = in_token != NULL
			   ? vldaa_prov_key_fill_in_token(key, in_token, octets, len)
			   : vldaa_prov_key_fill(key, VLDAA_KEYFILE_PUBLIC, octets, len);
	if (rv == CKR_OK && *err == VLDAA_OK)
		rv = read_policy(session, object, key);
	vldaa_prov_token_key_release(in_token);
	OPENSSL_free(octets);
	return rv;
}

/* NULL, or for vldaa_prov_key_release. */
static CK_RV read_key(const vldaa_prov *prov, const vldaa_prov_session *session,
		      CK_OBJECT_HANDLE object, CK_OBJECT_CLASS class, vldaa_prov_key **key,
		      int *err)
{
	CK_RV rv;
	const vldaa_set *set = set_of(session, object, &rv);

	*key = NULL;
	if (rv != CKR_OK)
		return rv;
	if (set == NULL) {
		*err = VLDAA_PROV_ERR_OBJECT;
		return CKR_OK;
	}
	*key = vldaa_prov_key_new(prov, set);
	return *key != NULL ? fill(session, object, class, *key, err) : CKR_HOST_MEMORY;
}

static int load_key(const store *s, const vldaa_prov_session *session, CK_OBJECT_HANDLE object,
		    OSSL_CALLBACK *callback, void *arg, CK_RV *rv)
{
	vldaa_prov_key *key;
	int err = VLDAA_OK, done = 0;

	*rv = read_key(s->prov, session, object, classes[s->class], &key, &err);
	if (*rv == CKR_OK && err != VLDAA_OK)
		VLDAA_PROV_RAISE(s->prov, err);
	else if (*rv == CKR_OK)
		done = vldaa_prov_reference_give(&key, callback, arg);
	vldaa_prov_key_release(key);
	return done;
}

static int load_certificate(const vldaa_prov_session *session, CK_OBJECT_HANDLE object,
			    OSSL_CALLBACK *callback, void *arg, CK_RV *rv)
{
	int type = OSSL_OBJECT_CERT, done = 0;
	OSSL_PARAM params[3];
	uint8_t *der;
	size_t len;

	*rv = vldaa_prov_attribute_get(session, object, CKA_VALUE, &der, &len);
	if (*rv == CKR_OK) {
		params[0] = OSSL_PARAM_construct_int(OSSL_OBJECT_PARAM_TYPE, &type);
		params[1] = OSSL_PARAM_construct_octet_string(OSSL_OBJECT_PARAM_DATA, der, len);
		params[2] = OSSL_PARAM_construct_end();
		done = callback(params, arg);
	}
	OPENSSL_free(der);
	return done;
}

static int load_next(store *s, OSSL_CALLBACK *callback, void *arg)
{
	const CK_OBJECT_HANDLE object = s->found[s->class][s->i++];
	vldaa_prov_session session;
	CK_RV rv = CKR_OK;
	int done = 0, err = vldaa_prov_token_enter(s->token, &session);

	if (err == VLDAA_OK) {
		done = classes[s->class] == CKO_CERTIFICATE
			   ? load_certificate(&session, object, callback, arg, &rv)
			   : load_key(s, &session, object, callback, arg, &rv);
		err = vldaa_prov_token_leave(&session, rv, "C_GetAttributeValue");
	}
	if (err != VLDAA_OK)
		VLDAA_PROV_RAISE(s->prov, err);
	return done;
}

static void skip_empty(store *s)
{
	while (s->class < CLASSES && s->i >= s->count[s->class]) {
		s->class ++;
		s->i = 0;
	}
}

static int load(void *ctx, OSSL_CALLBACK *callback, void *arg, OSSL_PASSPHRASE_CALLBACK *ask,
		void *ask_arg)
{
	store *s = ctx;
	int done = 1;

	s->has_failed = 0;
	if (!s->has_looked)
		done = look(s, ask, ask_arg);
	s->has_looked = 1;
	skip_empty(s);
	if (done && s->class == CLASSES)
		return 0;
	done = done && load_next(s, callback, arg);
	skip_empty(s);
	s->has_failed = !done;
	return done;
}

static int is_at_end(void *ctx)
{
	const store *s = ctx;

	return s->has_looked && !s->has_failed && s->class == CLASSES;
}

static const OSSL_DISPATCH functions[] = {
    {OSSL_FUNC_STORE_OPEN, (void (*)(void))open_store},
    {OSSL_FUNC_STORE_SETTABLE_CTX_PARAMS, (void (*)(void))settable_params},
    {OSSL_FUNC_STORE_SET_CTX_PARAMS, (void (*)(void))set_params},
    {OSSL_FUNC_STORE_LOAD, (void (*)(void))load},
    {OSSL_FUNC_STORE_EOF, (void (*)(void))is_at_end},
    {OSSL_FUNC_STORE_CLOSE, (void (*)(void))close_store},
    {OSSL_FUNC_STORE_EXPORT_OBJECT, (void (*)(void))vldaa_prov_reference_export},
    {0, NULL},
};

const OSSL_ALGORITHM vldaa_prov_stores[] = {
    {"vldaa", "provider=vldaa", functions, "V-LDAA keys in PKCS#11 tokens"},
    {NULL, NULL, NULL, NULL},
};
