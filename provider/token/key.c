#include "key.h"

#include <openssl/crypto.h>
#include <stdatomic.h>
#include <string.h>

#include "../errors.h"
#include "object.h"
#include "vldaa/pkcs11-vldaa.h"

/* Of PKCS#11 3.0. */
#ifndef CKA_UNIQUE_ID
#define CKA_UNIQUE_ID 0x4UL
#endif

struct vldaa_prov_token_key {
	atomic_int references;
	vldaa_prov_token *token;
	CK_ULONG role;
	uint8_t *unique_id; /* the object, in every process */
	size_t unique_id_len;
	uint8_t *key_id; /* its group */
	size_t key_id_len;
	uint8_t *label; /* with a zero */
};

/* --- keys --------------------------------------------------------------------------------------
 */

static CK_RV read_key(vldaa_prov_token_key *k, const vldaa_prov_session *s, CK_OBJECT_HANDLE object)
{
	size_t len;
	CK_RV rv = vldaa_prov_attribute_ulong(s, object, CKA_VLDAA_ROLE, &k->role);

	if (rv == CKR_OK)
		rv = vldaa_prov_attribute_get(s, object, CKA_UNIQUE_ID, &k->unique_id,
					      &k->unique_id_len);
	if (rv == CKR_OK)
		rv = vldaa_prov_attribute_get(s, object, CKA_VLDAA_KEY_ID, &k->key_id,
					      &k->key_id_len);
	if (rv == CKR_OK)
		rv = vldaa_prov_attribute_get(s, object, CKA_LABEL, &k->label, &len);
	return rv;
}

CK_RV vldaa_prov_token_key_new(vldaa_prov_token_key **key, const vldaa_prov_session *s,
			       CK_OBJECT_HANDLE object)
{
	vldaa_prov_token_key *k = OPENSSL_zalloc(sizeof *k);
	CK_RV rv;

	*key = NULL;
	if (k == NULL)
		return CKR_HOST_MEMORY;
	atomic_init(&k->references, 1);
	k->token = vldaa_prov_token_share(s->token);
	rv = read_key(k, s, object);
	if (rv == CKR_OK)
		*key = k;
	else
		vldaa_prov_token_key_release(k);
	return rv;
}

vldaa_prov_token_key *vldaa_prov_token_key_share(vldaa_prov_token_key *key)
{
	(void)atomic_fetch_add(&key->references, 1);
	return key;
}

void vldaa_prov_token_key_release(vldaa_prov_token_key *k)
{
	if (k == NULL || atomic_fetch_sub(&k->references, 1) != 1)
		return;
	OPENSSL_free(k->unique_id);
	OPENSSL_free(k->key_id);
	OPENSSL_free(k->label);
	vldaa_prov_token_release(k->token);
	OPENSSL_free(k);
}

CK_ULONG vldaa_prov_token_key_role(const vldaa_prov_token_key *key)
{
	return key->role;
}

int vldaa_prov_token_key_same(const vldaa_prov_token_key *a, const vldaa_prov_token_key *b)
{
	return a->unique_id_len == b->unique_id_len &&
	       memcmp(a->unique_id, b->unique_id, a->unique_id_len) == 0;
}

const char *vldaa_prov_token_key_token(const vldaa_prov_token_key *key)
{
	return vldaa_prov_token_label(key->token);
}

const char *vldaa_prov_token_key_label(const vldaa_prov_token_key *key)
{
	return (const char *)key->label;
}

static CK_RV find_self(const vldaa_prov_token_key *k, const vldaa_prov_session *s,
		       CK_OBJECT_HANDLE *object)
{
	CK_OBJECT_CLASS class = CKO_PRIVATE_KEY;
	CK_ATTRIBUTE templ[] = {
	    {CKA_CLASS, &class, sizeof class},
	    {CKA_UNIQUE_ID, k->unique_id, k->unique_id_len},
	};

	return vldaa_prov_object_find(s, templ, sizeof templ / sizeof templ[0], object);
}

/* Says which key it is that is not there. */
static int found(const vldaa_prov_token_key *k, int err)
{
	if (err != VLDAA_PROV_ERR_NO_OBJECT)
		return err;
	VLDAA_PROV_RAISE_TEXT(vldaa_prov_token_provider(k->token), VLDAA_PROV_ERR_NO_OBJECT,
			      "%s: %s", vldaa_prov_token_label(k->token), (const char *)k->label);
	return VLDAA_PROV_ERR_RAISED;
}

/* --- searching ---------------------------------------------------------------------------------
 */

/* A search by a session that may have been closed by somebody else; then once more by another one. */
typedef CK_RV search(const vldaa_prov_token_key *key, const vldaa_prov_session *s, void *arg);

static int with_session(const vldaa_prov_token_key *k, int home, search *run, void *arg,
			const char *what)
{
	int err = VLDAA_PROV_ERR_LOST;

	for (int i = 0; i < 2 && err == VLDAA_PROV_ERR_LOST; i++) {
		vldaa_prov_session s;

		err = home ? vldaa_prov_token_enter_home(k->token, &s)
			   : vldaa_prov_token_enter(k->token, &s);
		if (err == VLDAA_OK)
			err = vldaa_prov_token_leave(&s, run(k, &s, arg), what);
	}
	return found(k, err);
}

static CK_RV look_for_self(const vldaa_prov_token_key *k, const vldaa_prov_session *s, void *arg)
{
	return find_self(k, s, arg);
}

int vldaa_prov_token_key_check(const vldaa_prov_token_key *k)
{
	CK_OBJECT_HANDLE object;

	return with_session(k, 0, look_for_self, &object, "C_FindObjects");
}

/* --- pseudonyms --------------------------------------------------------------------------------
 */

/* The public half has the private one's CKA_ID unless somebody has changed either; then it must be the only one
 * of the pseudonym. */
static CK_RV find_half(const vldaa_prov_session *s, CK_ATTRIBUTE *templ, CK_ULONG with_id,
		       CK_OBJECT_HANDLE *half)
{
	CK_RV rv = vldaa_prov_object_find(s, templ, with_id, half);
	CK_OBJECT_HANDLE *found;
	size_t count;

	if (rv != VLDAA_PROV_NOTHING_FOUND)
		return rv;
	rv = vldaa_prov_objects_find(s, templ, with_id - 1, &found, &count);
	if (rv == CKR_OK && count != 1)
		rv = VLDAA_PROV_NOTHING_FOUND;
	if (rv == CKR_OK)
		*half = found[0];
	OPENSSL_free(found);
	return rv;
}

CK_RV vldaa_prov_token_attestation(const vldaa_prov_session *s, CK_OBJECT_HANDLE pseudonym,
				   uint8_t **attestation, size_t *len)
{
	static const CK_ATTRIBUTE_TYPE shared[] = {CKA_TOKEN, CKA_VLDAA_NYM, CKA_VLDAA_KEY_ID,
						   CKA_ID};
	enum { SHARED = sizeof shared / sizeof shared[0] };
	CK_OBJECT_CLASS class = CKO_PUBLIC_KEY;
	CK_ATTRIBUTE templ[SHARED + 1] = {{CKA_CLASS, &class, sizeof class}};
	CK_OBJECT_HANDLE half;
	uint8_t *values[SHARED] = {NULL};
	CK_RV rv = CKR_OK;

	*attestation = NULL;
	*len = 0;
	for (size_t i = 0; rv == CKR_OK && i < SHARED; i++) {
		size_t value_len;

		rv = vldaa_prov_attribute_get(s, pseudonym, shared[i], &values[i], &value_len);
		templ[i + 1] = (CK_ATTRIBUTE){shared[i], values[i], value_len};
	}
	if (rv == CKR_OK)
		rv = find_half(s, templ, SHARED + 1, &half);
	if (rv == CKR_OK)
		rv = vldaa_prov_attribute_get(s, half, CKA_VLDAA_ATTESTATION, attestation, len);
	for (size_t i = 0; i < SHARED; i++)
		OPENSSL_free(values[i]);
	return rv;
}

typedef struct {
	const uint8_t *basename;
	size_t len;
	vldaa_prov_token_pseudonym *pseudonym;
} wanted;

static CK_RV find_by_basename(const vldaa_prov_token_key *k, const vldaa_prov_session *s,
			      const wanted *w, CK_OBJECT_HANDLE *object)
{
	CK_OBJECT_CLASS class = CKO_PRIVATE_KEY;
	CK_ULONG role = CK_VLDAA_ROLE_PSEUDONYM;
	CK_BBOOL yes = CK_TRUE;
	/* Not a session's, which goes with somebody else's key. */
	CK_ATTRIBUTE templ[] = {
	    {CKA_CLASS, &class, sizeof class},
	    {CKA_TOKEN, &yes, sizeof yes},
	    {CKA_VLDAA_ROLE, &role, sizeof role},
	    {CKA_VLDAA_KEY_ID, k->key_id, k->key_id_len},
	    {CKA_VLDAA_BASENAME, (void *)(uintptr_t)w->basename, w->len},
	};

	return vldaa_prov_object_find(s, templ, sizeof templ / sizeof templ[0], object);
}

/* Create, for this process. */
static CK_RV derive(const vldaa_prov_token_key *k, const vldaa_prov_session *s, const wanted *w,
		    CK_OBJECT_HANDLE *object)
{
	CK_MECHANISM mechanism = {CKM_VLDAA_CREATE, (void *)(uintptr_t)w->basename, w->len};
	CK_BBOOL no = CK_FALSE;
	CK_ATTRIBUTE templ[] = {{CKA_TOKEN, &no, sizeof no}};
	CK_OBJECT_HANDLE member;
	CK_RV rv = find_self(k, s, &member);

	return rv == CKR_OK ? s->p11->C_DeriveKey(s->handle, &mechanism, member, templ, 1, object)
			    : rv;
}

static CK_RV get_pseudonym(const vldaa_prov_token_key *k, const vldaa_prov_session *s, void *arg)
{
	const wanted *w = arg;
	vldaa_prov_token_pseudonym *p = w->pseudonym;
	CK_RV rv;

	if (k->role == CK_VLDAA_ROLE_PSEUDONYM) {
		rv = find_self(k, s, &p->handle);
	} else {
		rv = find_by_basename(k, s, w, &p->handle);
		if (rv == VLDAA_PROV_NOTHING_FOUND) {
			rv = derive(k, s, w, &p->handle);
			p->is_derived = rv == CKR_OK;
		}
	}
	p->generation = s->generation;
	return rv == CKR_OK ? vldaa_prov_token_attestation(s, p->handle, &p->attestation,
							   &p->attestation_len)
			    : rv;
}

int vldaa_prov_token_key_pseudonym(const vldaa_prov_token_key *key, const uint8_t *basename,
				   size_t basename_len, vldaa_prov_token_pseudonym *pseudonym)
{
	wanted w = {basename, basename_len, pseudonym};

	memset(pseudonym, 0, sizeof *pseudonym);
	return with_session(key, 1, get_pseudonym, &w, "C_DeriveKey");
}

void vldaa_prov_token_pseudonym_drop(const vldaa_prov_token_key *key, vldaa_prov_token_pseudonym *p)
{
	vldaa_prov_session s;

	OPENSSL_free(p->attestation);
	/* Of another generation the token has dropped it itself. */
	if (p->is_derived && vldaa_prov_token_pseudonym_is_current(key, p) &&
	    vldaa_prov_token_enter_home(key->token, &s) == VLDAA_OK)
		(void)vldaa_prov_token_leave(&s,
					     s.generation == p->generation
						 ? s.p11->C_DestroyObject(s.handle, p->handle)
						 : CKR_OK,
					     "C_DestroyObject");
	memset(p, 0, sizeof *p);
}

int vldaa_prov_token_pseudonym_is_current(const vldaa_prov_token_key *key,
					  const vldaa_prov_token_pseudonym *pseudonym)
{
	return !atomic_load(&pseudonym->is_gone) &&
	       vldaa_prov_token_generation(key->token) == pseudonym->generation;
}

/* --- signing -----------------------------------------------------------------------------------
 */

static CK_MECHANISM_TYPE mechanism_for(enum vldaa_form form)
{
	switch (form) {
	case VLDAA_FORM_COMPACT:
		return CKM_VLDAA_SIGN_COMPACT;
	case VLDAA_FORM_BARE:
		return CKM_ML_DSA;
	default:
		return CKM_VLDAA_SIGN;
	}
}

typedef struct {
	const vldaa_prov_session *session;
	CK_RV rv;
} hashing;

static int hash(void *arg, const uint8_t *in, size_t len)
{
	hashing *h = arg;

	h->rv = h->session->p11->C_SignUpdate(h->session->handle, (CK_BYTE *)(uintptr_t)in, len);
	return h->rv == CKR_OK ? VLDAA_OK : VLDAA_PROV_ERR_RAISED;
}

static CK_RV sign_pieces(const vldaa_prov_session *s, const vldaa_prov_message *message,
			 uint8_t *out, CK_ULONG *n)
{
	hashing h = {s, CKR_OK};

	if (vldaa_prov_message_feed(message, hash, &h) != VLDAA_OK)
		return h.rv != CKR_OK ? h.rv : CKR_HOST_MEMORY;
	return s->p11->C_SignFinal(s->handle, out, n);
}

/* Whole where it can be: every call has the token look whether another process has changed it. */
static CK_RV sign(const vldaa_prov_session *s, CK_OBJECT_HANDLE key, enum vldaa_form form,
		  const vldaa_prov_message *message, uint8_t *out, size_t cap, size_t *len)
{
	CK_MECHANISM mechanism = {mechanism_for(form), NULL, 0};
	const uint8_t *whole = vldaa_prov_message_whole(message);
	CK_RV rv = s->p11->C_SignInit(s->handle, &mechanism, key);
	CK_ULONG n = cap;

	if (rv == CKR_OK && whole != NULL)
		rv = s->p11->C_Sign(s->handle, (CK_BYTE *)(uintptr_t)whole, message->len, out, &n);
	else if (rv == CKR_OK)
		rv = sign_pieces(s, message, out, &n);
	if (rv == CKR_OK)
		*len = n;
	return rv;
}

int vldaa_prov_token_sign(const vldaa_prov_token_key *key, vldaa_prov_token_pseudonym *pseudonym,
			  enum vldaa_form form, const vldaa_prov_message *message, uint8_t *out,
			  size_t cap, size_t *len)
{
	vldaa_prov_session s;
	int err = vldaa_prov_token_enter(key->token, &s);

	if (err != VLDAA_OK)
		return err;
	if (s.generation != pseudonym->generation) {
		(void)vldaa_prov_token_leave(&s, CKR_OK, "");
		return VLDAA_PROV_ERR_LOST;
	}
	err = vldaa_prov_token_leave(&s, sign(&s, pseudonym->handle, form, message, out, cap, len),
				     "C_Sign");
	if (err == VLDAA_PROV_ERR_LOST)
		atomic_store(&pseudonym->is_gone, 1);
	return err;
}
