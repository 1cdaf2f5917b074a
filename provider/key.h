/*
 * A key: what an EVP_PKEY of ours holds.
 *
 * Several kinds go by one algorithm name; the kind is in the encoding (vldaa/object.h):
 *
 *   kind        private                              public
 *   group       -                                    the group's key
 *   issuer      trapdoor, authority's key            the group's key
 *   member      a whole member in software           the group's key
 *   pseudonym   what signs under one pseudonym       the pseudonym's attestation
 *
 * The private half is here, or stays in a token (token/key.h).
 *
 * Reading a key checks its frame: kind, set, length, and the public object in it.  What takes
 * algebra (does the private key belong to the public one?) is checked when the key is first used,
 * and by vldaa_prov_key_check: OpenSSL 3.0 drops the reasons for which a key was not read, and would
 * say that the file holds no key.
 *
 * A key is made empty and filled once; then threads share it by references.
 */
#ifndef VLDAA_PROVIDER_KEY_H
#define VLDAA_PROVIDER_KEY_H

#include <openssl/crypto.h>
#include <stdatomic.h>

#include "lock.h"
#include "provider.h"
#include "pseudonyms.h"
#include "vldaa/keyfile.h"
#include "vldaa/verify.h"

enum vldaa_prov_kind {
	VLDAA_PROV_EMPTY = 0,
	VLDAA_PROV_GROUP,
	VLDAA_PROV_ISSUER,
	VLDAA_PROV_MEMBER,
	VLDAA_PROV_PSEUDONYM
};

/*
 * Invariant: when kind is not EMPTY, public_octets is an object of the set; so is secret, unless it is
 * NULL: then the private half is in_token, or, that too being NULL, the key is a public one.
 */
typedef struct {
	atomic_int references;
	const vldaa_prov *prov;
	const vldaa_set *set;
	enum vldaa_prov_kind kind;
	uint8_t *secret;
	size_t secret_len;
	vldaa_prov_token_key *in_token;
	uint8_t *public_octets;
	size_t public_len;
	vldaa_object_info info;       /* of the public object */
	vldaa_prov_lock *lock;        /* of what follows */
	vldaa_verifier *verifier;     /* without lists; or NULL: not yet */
	vldaa_attestation *pseudonym; /* of a pseudonym key, with the verifier */
	vldaa_prov_policy policy;     /* the key's own, before the provider's */
	vldaa_prov_member *member;    /* what signs; or NULL: not yet */
} vldaa_prov_key;

/* An empty key; NULL when there is no memory. */
vldaa_prov_key *vldaa_prov_key_new(const vldaa_prov *prov, const vldaa_set *set);
vldaa_prov_key *vldaa_prov_key_share(vldaa_prov_key *key);
/* The last one wipes. */
void vldaa_prov_key_release(vldaa_prov_key *key);

/* Fills an empty key from an object.  Codes of vldaa/error.h; on an error the key stays empty. */
int vldaa_prov_key_fill(vldaa_prov_key *key, enum vldaa_keyfile_type type, const uint8_t *octets,
			size_t len);

/* The same from a token: the private key there, which the key shares, and its public object. */
int vldaa_prov_key_fill_in_token(vldaa_prov_key *key, vldaa_prov_token_key *in_token,
				 const uint8_t *public_octets, size_t len);
/* 1 when it has a private half, wherever. */
int vldaa_prov_key_is_private(const vldaa_prov_key *key);

/* Checks everything, from the octets: VLDAA_OK or what is wrong.  private 0: the public half only.  Of what
 * is in a token, that it still is. */
int vldaa_prov_key_check(const vldaa_prov_key *key, int private);

/*
 * What verifies with the key; it lives as long as the key.  Of a pseudonym key, which knows nothing
 * of its group, a verifier for this pseudonym, which *pseudonym is; of others the group's, and NULL.
 */
int vldaa_prov_key_verifier(vldaa_prov_key *key, const vldaa_verifier **verifier,
			    const vldaa_attestation **pseudonym);
/* A new one of either. */
int vldaa_prov_new_verifier(const vldaa_prov_key *key, vldaa_verifier **verifier,
			    vldaa_attestation **pseudonym);

/* What signs with a member's or a pseudonym's private key, opened and checked by the first call; it
 * lives as long as the key.  VLDAA_PROV_ERR_KEY_KIND for other keys. */
int vldaa_prov_key_member(vldaa_prov_key *key, vldaa_prov_member **member);

/* Sets the key's own default basename (policy.h): VLDAA_OK, or VLDAA_PROV_ERR_POLICY. */
int vldaa_prov_key_set_policy(vldaa_prov_key *key, const char *text);
/* The key's own, or the provider's. */
vldaa_prov_policy vldaa_prov_key_policy(const vldaa_prov_key *key);
vldaa_prov_policy vldaa_prov_key_own_policy(const vldaa_prov_key *key);

/* The kind of a private key's public half. */
enum vldaa_prov_kind vldaa_prov_public_kind(enum vldaa_prov_kind kind);
/* "group key", ...: for messages. */
const char *vldaa_prov_kind_name(enum vldaa_prov_kind kind);

#endif
