#include "verify.h"

#include <openssl/core_names.h>
#include <openssl/params.h>
#include <stdatomic.h>
#include <string.h>

#include "errors.h"

/* --- what it told ------------------------------------------------------------------------------
 */

struct vldaa_prov_result {
	atomic_int references;
	CRYPTO_RWLOCK *lock; /* of the rest */
	uint8_t *nym;        /* or NULL: nothing was verified yet */
	size_t nym_len;
	uint8_t digest[VLDAA_DIGEST_BYTES];
	uint8_t basename[VLDAA_MAX_BASENAME];
	size_t basename_len;
};

vldaa_prov_result *vldaa_prov_result_new(void)
{
	vldaa_prov_result *r = OPENSSL_zalloc(sizeof *r);

	if (r == NULL)
		return NULL;
	atomic_init(&r->references, 1);
	r->lock = CRYPTO_THREAD_lock_new();
	if (r->lock == NULL) {
		OPENSSL_free(r);
		r = NULL;
	}
	return r;
}

vldaa_prov_result *vldaa_prov_result_share(vldaa_prov_result *r)
{
	(void)atomic_fetch_add(&r->references, 1);
	return r;
}

void vldaa_prov_result_release(vldaa_prov_result *r)
{
	if (r == NULL || atomic_fetch_sub(&r->references, 1) != 1)
		return;
	OPENSSL_free(r->nym);
	CRYPTO_THREAD_lock_free(r->lock);
	OPENSSL_clear_free(r, sizeof *r);
}

const OSSL_PARAM *vldaa_prov_result_gettable(void)
{
	static const OSSL_PARAM params[] = {
	    OSSL_PARAM_octet_string(OSSL_SIGNATURE_PARAM_ALGORITHM_ID, NULL, 0),
	    OSSL_PARAM_octet_string("attestation", NULL, 0), /* of a signer */
	    OSSL_PARAM_octet_string("nym", NULL, 0),         /* of a verifier */
	    OSSL_PARAM_octet_string("attestation-digest", NULL, 0),
	    OSSL_PARAM_octet_string("basename", NULL, 0),
	    OSSL_PARAM_END,
	};

	return params;
}

static int get(const vldaa_prov_result *r, OSSL_PARAM params[])
{
	const struct {
		const char *name;
		const void *octets;
		size_t len;
	} known[] = {
	    {"nym", r->nym, r->nym_len},
	    {"attestation-digest", r->digest, sizeof r->digest},
	    {"basename", r->basename, r->basename_len},
	};

	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
		OSSL_PARAM *p = OSSL_PARAM_locate(params, known[i].name);

		if (p != NULL && (r->nym == NULL ||
				  !OSSL_PARAM_set_octet_string(p, known[i].octets, known[i].len)))
			return 0;
	}
	return 1;
}

int vldaa_prov_result_get(vldaa_prov_result *r, OSSL_PARAM params[])
{
	int done;

	if (!CRYPTO_THREAD_read_lock(r->lock))
		return 0;
	done = get(r, params);
	CRYPTO_THREAD_unlock(r->lock);
	return done;
}

/* NULL: forgets what was told before. */
static int tell(vldaa_prov_result *r, const vldaa_attestation *a)
{
	size_t nym_len = 0, basename_len = 0;
	const uint8_t *nym = vldaa_attestation_nym(a, &nym_len);
	const uint8_t *basename = vldaa_attestation_basename(a, &basename_len);
	uint8_t *copy = a != NULL ? OPENSSL_memdup(nym, nym_len) : NULL;

	if (!CRYPTO_THREAD_write_lock(r->lock)) {
		OPENSSL_free(copy);
		return VLDAA_ERR_INTERNAL;
	}
	OPENSSL_free(r->nym);
	r->nym = copy;
	r->nym_len = nym_len;
	if (copy != NULL) {
		memcpy(r->digest, vldaa_attestation_digest(a), sizeof r->digest);
		memcpy(r->basename, basename, basename_len);
		r->basename_len = basename_len;
	}
	CRYPTO_THREAD_unlock(r->lock);
	return a != NULL && copy == NULL ? VLDAA_ERR_MEMORY : VLDAA_OK;
}

/* --- verification ------------------------------------------------------------------------------
 */

/* What one verification works with. */
typedef struct {
	const vldaa_prov *prov;
	const vldaa_prov_options *options;
	vldaa_verifier *own;            /* with the caller's lists, or NULL */
	const vldaa_verifier *verifier; /* own, or the key's */
	vldaa_attestation *made;        /* the caller's, verified, or own's pseudonym, or NULL */
	const vldaa_attestation *known; /* made, or the key's pseudonym, or NULL */
} scene;

/* Whatever is wrong with what the caller gave besides the signature, nothing is decided. */
static int failed(const scene *s, int code, const char *what)
{
	VLDAA_PROV_RAISE_TEXT(s->prov, code, "%s", what);
	return -1;
}

static int add_list(scene *s, const vldaa_prov_octets *list, enum vldaa_kind kind, const char *name)
{
	size_t len = 0;
	const uint8_t *octets;
	vldaa_object_info info;
	int err;

	if (list == NULL)
		return 1;
	octets = vldaa_prov_octets_data(list, &len);
	err = vldaa_object_inspect(&info, octets, len);
	if (err == VLDAA_OK && info.kind != kind)
		err = VLDAA_ERR_KIND;
	if (err == VLDAA_OK)
		err = vldaa_verifier_add_list(s->own, octets, len);
	return err == VLDAA_OK ? 1 : failed(s, err, name);
}

/* A verifier: the key's, or with lists one of this verification alone. */
static int set_up(scene *s, vldaa_prov_key *key)
{
	const vldaa_prov_options *o = s->options;
	int err, result;

	if (o->rogue_list == NULL && o->revoked_list == NULL) {
		err = vldaa_prov_key_verifier(key, &s->verifier, &s->known);
		return err == VLDAA_OK ? 1 : failed(s, err, "the public key");
	}
	err = vldaa_prov_new_verifier(key, &s->own, &s->made);
	if (err != VLDAA_OK)
		return failed(s, err, "the public key");
	s->verifier = s->own;
	s->known = s->made;
	result = add_list(s, o->rogue_list, VLDAA_KIND_ROGUE_LIST, "rogue-list");
	if (result == 1)
		result = add_list(s, o->revoked_list, VLDAA_KIND_REVOKED_LIST, "revoked-list");
	return result;
}

/* The caller's attestation decides as the signature does: when it is refused, so is the signature. */
static int open_attestation(scene *s)
{
	const uint8_t *octets, *attestation;
	size_t len = 0, attestation_len = 0;
	int err;

	/* A pseudonym key has its attestation. */
	if (s->options->attestation == NULL || s->known != NULL)
		return 1;
	octets = vldaa_prov_octets_data(s->options->attestation, &len);
	err = vldaa_object_public(&attestation, &attestation_len, octets, len);
	if (err == VLDAA_OK)
		err = vldaa_attestation_new(&s->made, s->verifier, attestation, attestation_len);
	s->known = s->made;
	if (err == VLDAA_OK)
		return 1;
	VLDAA_PROV_RAISE_TEXT(s->prov, err, "the attestation that was given");
	return vldaa_prov_verdict(err);
}

/* 1 when the signature has the form that the caller insists on. */
static int has_form(const scene *s, const uint8_t *signature, size_t len)
{
	vldaa_object_info info;
	enum vldaa_form form = VLDAA_FORM_BARE;

	if (!s->options->has_form)
		return 1;
	if (vldaa_object_inspect(&info, signature, len) == VLDAA_OK)
		form = info.kind == VLDAA_KIND_COMPACT ? VLDAA_FORM_COMPACT
						       : VLDAA_FORM_SELF_CONTAINED;
	if (form == s->options->form)
		return 1;
	VLDAA_PROV_RAISE(s->prov, VLDAA_PROV_ERR_OTHER_FORM);
	return 0;
}

static int hash(void *verification, const uint8_t *in, size_t len)
{
	return vldaa_verification_update(verification, in, len);
}

static int check_signature(const scene *s, const vldaa_prov_message *message,
			   const uint8_t *signature, size_t len, vldaa_prov_result *result)
{
	const vldaa_prov_options *o = s->options;
	vldaa_verification *x = NULL;
	int err = vldaa_verification_new(&x, s->verifier, signature, len, s->known,
					 o->basename_len > 0 ? o->basename : NULL, o->basename_len);

	if (err == VLDAA_OK)
		err = vldaa_prov_message_feed(message, hash, x);
	if (err == VLDAA_OK)
		err = vldaa_verification_end(x);
	if (err == VLDAA_OK)
		err = tell(result, vldaa_verification_attestation(x));
	vldaa_verification_free(x);
	if (err != VLDAA_OK)
		VLDAA_PROV_RAISE(s->prov, err);
	return vldaa_prov_verdict(err);
}

int vldaa_prov_verify(vldaa_prov_key *key, const vldaa_prov_options *options,
		      const vldaa_prov_message *message, const uint8_t *signature, size_t len,
		      vldaa_prov_result *result)
{
	static const uint8_t nothing[1];
	OSSL_LIB_CTX *before;
	scene s = {key->prov, options, NULL, NULL, NULL, NULL};
	int verdict;

	if (signature == NULL)
		signature = nothing, len = 0;
	before = vldaa_prov_enter(key->prov);
	(void)tell(result, NULL);
	verdict = set_up(&s, key);
	if (verdict == 1)
		verdict = open_attestation(&s);
	if (verdict == 1)
		verdict = has_form(&s, signature, len);
	if (verdict == 1)
		verdict = check_signature(&s, message, signature, len, result);
	vldaa_attestation_free(s.made);
	vldaa_verifier_free(s.own);
	vldaa_prov_leave(before);
	return verdict;
}
