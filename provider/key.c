#include "key.h"

#include "errors.h"
#include "functions.h"
#include "vldaa/issuer.h"
#include "vldaa/pkcs11-vldaa.h"

vldaa_prov_key *vldaa_prov_key_new(const vldaa_prov *prov, const vldaa_set *set)
{
	vldaa_prov_key *key = OPENSSL_zalloc(sizeof *key);

	if (key == NULL)
		return NULL;
	atomic_init(&key->references, 1);
	key->prov = prov;
	key->set = set;
	key->lock = vldaa_prov_lock_new();
	if (key->lock == NULL) {
		OPENSSL_free(key);
		key = NULL;
	}
	return key;
}

void *vldaa_prov_key_new_for(void *provctx, size_t set)
{
	vldaa_prov_key *key =
	    vldaa_prov_key_new(provctx, vldaa_set_by_name(vldaa_prov_set_name(set)));

	if (key == NULL)
		VLDAA_PROV_RAISE((const vldaa_prov *)provctx, VLDAA_ERR_MEMORY);
	return key;
}

vldaa_prov_key *vldaa_prov_key_share(vldaa_prov_key *key)
{
	(void)atomic_fetch_add(&key->references, 1);
	return key;
}

void vldaa_prov_key_release(vldaa_prov_key *key)
{
	if (key == NULL || atomic_fetch_sub(&key->references, 1) != 1)
		return;
	vldaa_prov_member_free(key->member);
	vldaa_attestation_free(key->pseudonym);
	vldaa_verifier_free(key->verifier);
	OPENSSL_clear_free(key->secret, key->secret_len);
	vldaa_prov_token_key_release(key->in_token);
	OPENSSL_free(key->public_octets);
	vldaa_prov_lock_free(key->lock);
	OPENSSL_free(key);
}

/* --- filling -----------------------------------------------------------------------------------
 */

static enum vldaa_prov_kind kind_of(enum vldaa_keyfile_type type, enum vldaa_kind kind)
{
	static const struct {
		enum vldaa_keyfile_type type;
		enum vldaa_kind kind;
		enum vldaa_prov_kind is;
	} kinds[] = {
	    {VLDAA_KEYFILE_PUBLIC, VLDAA_KIND_GROUP_KEY, VLDAA_PROV_GROUP},
	    {VLDAA_KEYFILE_PUBLIC, VLDAA_KIND_ATTESTATION, VLDAA_PROV_PSEUDONYM},
	    {VLDAA_KEYFILE_PRIVATE, VLDAA_KIND_ISSUER_KEY, VLDAA_PROV_ISSUER},
	    {VLDAA_KEYFILE_PRIVATE, VLDAA_KIND_MEMBER, VLDAA_PROV_MEMBER},
	    {VLDAA_KEYFILE_PRIVATE, VLDAA_KIND_PSEUDONYM, VLDAA_PROV_PSEUDONYM},
	};

	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		if (kinds[i].type == type && kinds[i].kind == kind)
			return kinds[i].is;
	}
	return VLDAA_PROV_EMPTY;
}

int vldaa_prov_key_fill(vldaa_prov_key *key, enum vldaa_keyfile_type type, const uint8_t *octets,
			size_t len)
{
	const uint8_t *public_octets;
	size_t public_len;
	vldaa_object_info info;
	int err = vldaa_object_inspect(&info, octets, len);

	if (err != VLDAA_OK)
		return err;
	if (info.set != key->set)
		return VLDAA_ERR_WRONG_SET;
	if (kind_of(type, info.kind) == VLDAA_PROV_EMPTY)
		return VLDAA_ERR_KIND;
	err = vldaa_object_public(&public_octets, &public_len, octets, len);
	if (err == VLDAA_OK)
		err = vldaa_object_inspect(&key->info, public_octets, public_len);
	if (err == VLDAA_OK && info.kind == VLDAA_KIND_MEMBER)
		err =
		    vldaa_default_basename_read(&key->policy.is, info.basename, info.basename_len);
	if (err != VLDAA_OK)
		return err;
	key->public_octets = OPENSSL_memdup(public_octets, public_len);
	if (type == VLDAA_KEYFILE_PRIVATE)
		key->secret = OPENSSL_memdup(octets, len);
	if (key->public_octets == NULL || (type == VLDAA_KEYFILE_PRIVATE && key->secret == NULL)) {
		OPENSSL_free(key->public_octets);
		OPENSSL_clear_free(key->secret, len);
		key->public_octets = key->secret = NULL;
		return VLDAA_ERR_MEMORY;
	}
	key->public_len = public_len;
	key->secret_len = key->secret != NULL ? len : 0;
	key->kind = kind_of(type, info.kind);
	return VLDAA_OK;
}

static enum vldaa_prov_kind kind_of_role(CK_ULONG role)
{
	switch (role) {
	case CK_VLDAA_ROLE_ISSUER:
		return VLDAA_PROV_ISSUER;
	case CK_VLDAA_ROLE_MEMBER:
		return VLDAA_PROV_MEMBER;
	case CK_VLDAA_ROLE_PSEUDONYM:
		return VLDAA_PROV_PSEUDONYM;
	default:
		return VLDAA_PROV_EMPTY;
	}
}

int vldaa_prov_key_fill_in_token(vldaa_prov_key *key, vldaa_prov_token_key *in_token,
				 const uint8_t *public_octets, size_t len)
{
	const enum vldaa_prov_kind kind = kind_of_role(vldaa_prov_token_key_role(in_token));
	int err = vldaa_prov_key_fill(key, VLDAA_KEYFILE_PUBLIC, public_octets, len);

	if (err != VLDAA_OK)
		return err;
	/* A key that a token says is of one kind, and whose public half is of another. */
	if (kind == VLDAA_PROV_EMPTY || vldaa_prov_public_kind(kind) != key->kind) {
		OPENSSL_free(key->public_octets);
		key->public_octets = NULL;
		key->kind = VLDAA_PROV_EMPTY;
		return VLDAA_PROV_ERR_OBJECT;
	}
	key->kind = kind;
	key->in_token = vldaa_prov_token_key_share(in_token);
	return VLDAA_OK;
}

int vldaa_prov_key_is_private(const vldaa_prov_key *key)
{
	return key->secret != NULL || key->in_token != NULL;
}

/* --- checking and using ------------------------------------------------------------------------
 */

/* Of a pseudonym, without its group's key, the pseudonym itself: not that a member made it. */
static int check_public(const vldaa_prov_key *key)
{
	vldaa_verifier *verifier = NULL;
	vldaa_attestation *pseudonym = NULL;
	int err = vldaa_prov_new_verifier(key, &verifier, &pseudonym);

	vldaa_attestation_free(pseudonym);
	vldaa_verifier_free(verifier);
	return err;
}

static int check_issuer(const vldaa_prov_key *key)
{
	vldaa_issuer *issuer = NULL;
	int err = vldaa_issuer_new(&issuer, key->secret, key->secret_len);

	vldaa_issuer_free(issuer);
	return err;
}

static int check_member(const vldaa_prov_key *key)
{
	vldaa_prov_member *member = NULL;
	int err = vldaa_prov_member_new(&member, key->secret, key->secret_len);

	vldaa_prov_member_free(member);
	return err;
}

int vldaa_prov_key_check(const vldaa_prov_key *key, int private)
{
	OSSL_LIB_CTX *before;
	int err;

	if (key->kind == VLDAA_PROV_EMPTY)
		return VLDAA_PROV_ERR_NO_KEY;
	if (private && !vldaa_prov_key_is_private(key))
		return VLDAA_PROV_ERR_PUBLIC_ONLY;
	if (private && key->in_token != NULL)
		return vldaa_prov_token_key_check(key->in_token);
	before = vldaa_prov_enter(key->prov);
	if (private)
		err = key->kind == VLDAA_PROV_ISSUER ? check_issuer(key) : check_member(key);
	else
		err = check_public(key);
	vldaa_prov_leave(before);
	return err;
}

int vldaa_prov_new_verifier(const vldaa_prov_key *key, vldaa_verifier **verifier,
			    vldaa_attestation **pseudonym)
{
	*pseudonym = NULL;
	if (key->kind == VLDAA_PROV_PSEUDONYM)
		return vldaa_verifier_new_pseudonym(verifier, pseudonym, key->public_octets,
						    key->public_len);
	return vldaa_verifier_new(verifier, key->public_octets, key->public_len);
}

int vldaa_prov_key_verifier(vldaa_prov_key *key, const vldaa_verifier **verifier,
			    const vldaa_attestation **pseudonym)
{
	int err = VLDAA_OK;

	*verifier = NULL;
	*pseudonym = NULL;
	if (!vldaa_prov_lock_write(key->lock))
		return VLDAA_ERR_INTERNAL;
	if (key->verifier == NULL) {
		vldaa_verifier *made;

		/* The verifier comes last: a child that is forked here has both, or none. */
		err = vldaa_prov_new_verifier(key, &made, &key->pseudonym);
		key->verifier = made;
	}
	*verifier = key->verifier;
	*pseudonym = key->pseudonym;
	vldaa_prov_unlock(key->lock);
	return err;
}

int vldaa_prov_key_member(vldaa_prov_key *key, vldaa_prov_member **member)
{
	int err = VLDAA_OK;

	*member = NULL;
	if (key->kind != VLDAA_PROV_MEMBER && key->kind != VLDAA_PROV_PSEUDONYM)
		return VLDAA_PROV_ERR_KEY_KIND;
	if (!vldaa_prov_key_is_private(key))
		return VLDAA_PROV_ERR_PUBLIC_ONLY;
	if (!vldaa_prov_lock_write(key->lock))
		return VLDAA_ERR_INTERNAL;
	if (key->member == NULL && key->in_token != NULL)
		err = vldaa_prov_member_in_token(&key->member, key->in_token);
	else if (key->member == NULL)
		err = vldaa_prov_member_new(&key->member, key->secret, key->secret_len);
	*member = key->member;
	vldaa_prov_unlock(key->lock);
	return err;
}

int vldaa_prov_key_set_policy(vldaa_prov_key *key, const char *text)
{
	vldaa_prov_policy policy;

	vldaa_prov_policy_read(&policy, text);
	if (policy.wrong)
		return VLDAA_PROV_ERR_POLICY;
	if (!vldaa_prov_lock_write(key->lock))
		return VLDAA_ERR_INTERNAL;
	key->policy = policy;
	vldaa_prov_unlock(key->lock);
	return VLDAA_OK;
}

vldaa_prov_policy vldaa_prov_key_policy(const vldaa_prov_key *key)
{
	vldaa_prov_policy policy = key->prov->policy;

	if (!vldaa_prov_lock_read(key->lock))
		return policy;
	if (key->policy.wrong || key->policy.is.len > 0)
		policy = key->policy;
	vldaa_prov_unlock(key->lock);
	return policy;
}

vldaa_prov_policy vldaa_prov_key_own_policy(const vldaa_prov_key *key)
{
	vldaa_prov_policy policy = {.wrong = 0};

	if (!vldaa_prov_lock_read(key->lock))
		return policy;
	policy = key->policy;
	vldaa_prov_unlock(key->lock);
	return policy;
}

enum vldaa_prov_kind vldaa_prov_public_kind(enum vldaa_prov_kind kind)
{
	return kind == VLDAA_PROV_ISSUER || kind == VLDAA_PROV_MEMBER ? VLDAA_PROV_GROUP : kind;
}

const char *vldaa_prov_kind_name(enum vldaa_prov_kind kind)
{
	switch (kind) {
	case VLDAA_PROV_GROUP:
		return "group key";
	case VLDAA_PROV_ISSUER:
		return "issuer key";
	case VLDAA_PROV_MEMBER:
		return "member key";
	case VLDAA_PROV_PSEUDONYM:
		return "pseudonym key";
	default:
		return "empty key";
	}
}
