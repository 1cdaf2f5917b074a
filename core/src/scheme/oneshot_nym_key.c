/* A pseudonym's private key of the one-shot sets on its own: an ML-DSA key with what identifies it. */
#include "scheme/oneshot_tpm.h"

#include <stddef.h>
#include <string.h>

#include "mldsa/poly.h"
#include "random/secret.h"

enum { ETA = 2, ETA_BITS = 3, ETA_BYTES = VLDAA_MLDSA_N * ETA_BITS / 8, K_BYTES = 32 };

/* What is not secret and large comes last. */
typedef struct {
	const vldaa_oneshot_set *n;
	uint8_t public_key[VLDAA_MLDSA_MAX_PUBLIC];
	uint8_t tr[VLDAA_MLDSA_TR_BYTES];
	vldaa_mldsa_expanded expanded; /* once, for all its signatures */
} nym_key;

typedef struct {
	vldaa_mldsa_workspace mldsa;
	vldaa_mldsa_private key;
	vldaa_mldsa_poly t[VLDAA_MLDSA_MAX_K];
	uint8_t nym[VLDAA_MLDSA_MAX_K * VLDAA_MLDSA_N * 23 / 8]; /* all rows in full would fit */
} load_workspace;

size_t vldaa_os_nym_secret_size(const vldaa_oneshot_set *n)
{
	return K_BYTES + (size_t)(n->mldsa->l + n->mldsa->k) * ETA_BYTES;
}

size_t vldaa_os_nym_key_size(const vldaa_oneshot_set *n)
{
	(void)n;
	return sizeof(nym_key);
}

size_t vldaa_os_nym_key_secret_size(const vldaa_oneshot_set *n)
{
	(void)n;
	return offsetof(nym_key, expanded) + offsetof(vldaa_mldsa_expanded, a);
}

size_t vldaa_os_nym_load_size(const vldaa_oneshot_set *n)
{
	(void)n;
	return sizeof(load_workspace);
}

int vldaa_oneshot_nym_secret(const vldaa_tpm_key *key, void *workspace, vldaa_bytes basename,
			     uint8_t *secret, uint8_t *nym)
{
	const vldaa_oneshot_set *n = vldaa_oneshot_numbers(key->set);
	vldaa_os_tpm *t = workspace;
	const uint8_t *prf_key;
	int err = vldaa_os_load_tpm(key, t, &prf_key);

	if (!err)
		err = vldaa_os_load_nym(key, t, prf_key, basename);
	if (err)
		return err;
	memcpy(nym, t->nym_bytes, vldaa_os_nym_size(n));
	memcpy(secret, t->key->K, K_BYTES);
	secret += K_BYTES;
	for (uint32_t i = 0; i < n->mldsa->l; i++, secret += ETA_BYTES)
		vldaa_mldsa_pack(secret, &t->key->s1[i], ETA_BITS, ETA, 1);
	for (uint32_t i = 0; i < n->mldsa->k; i++, secret += ETA_BYTES)
		vldaa_mldsa_pack(secret, &t->key->s2[i], ETA_BITS, ETA, 1);
	return VLDAA_OK;
}

/* `count` polynomials; *norm2 grows by their squared norm.  Returns 1 when a coefficient is out of [-2, 2]. */
static int unpack(vldaa_mldsa_poly *out, uint32_t count, const uint8_t *in, uint64_t *norm2)
{
	int bad = 0;

	for (uint32_t i = 0; i < count; i++) {
		vldaa_mldsa_unpack(&out[i], in + i * (size_t)ETA_BYTES, ETA_BITS, ETA, 1);
		bad |= vldaa_mldsa_exceeds(&out[i], ETA + 1);
		for (size_t j = 0; j < VLDAA_MLDSA_N; j++)
			*norm2 += (uint64_t)(out[i].c[j] * out[i].c[j]);
	}
	return bad;
}

static int read_secret(const vldaa_oneshot_set *n, vldaa_mldsa_private *key, const uint8_t *secret)
{
	uint64_t s = 0, proven = 0, all;
	int bad, within;

	memcpy(key->K, secret, K_BYTES);
	secret += K_BYTES;
	bad = unpack(key->s1, n->mldsa->l, secret, &s);
	secret += n->mldsa->l * (size_t)ETA_BYTES;
	bad |= unpack(key->s2, n->rows, secret, &proven);
	secret += n->rows * (size_t)ETA_BYTES;
	all = proven;
	bad |= unpack(key->s2 + n->rows, n->mldsa->k - n->rows, secret, &all);
	within = (s <= n->s_bound2) & (proven <= n->e_bound2) & (all <= n->s2_bound2);
	vldaa_secret_declassify(&bad, sizeof bad, "the caller learns whether it is a key");
	vldaa_secret_declassify(&within, sizeof within,
				"every stored key is within the bounds: that it is tells nothing");
	if (bad)
		return VLDAA_ERR_RANGE;
	return within ? VLDAA_OK : VLDAA_ERR_NORM;
}

int vldaa_oneshot_nym_load(const vldaa_set *set, void *context, void *workspace,
			   const uint8_t *key_id, vldaa_bytes basename, const uint8_t *secret,
			   const uint8_t *nym)
{
	const vldaa_oneshot_set *n = vldaa_oneshot_numbers(set);
	load_workspace *w = workspace;
	nym_key *k = context;
	int err, same;

	k->n = n;
	w->key.set = n->mldsa;
	vldaa_secret_mark(secret, vldaa_os_nym_secret_size(n));
	err = read_secret(n, &w->key, secret);
	if (err)
		return err;
	vldaa_os_rho(set, key_id, basename, w->key.rho);
	vldaa_mldsa_complete_expanded(k->public_key, &w->key, w->t, &k->expanded, &w->mldsa);
	memcpy(k->tr, w->key.tr, sizeof k->tr);
	vldaa_os_nym_encode(n, w->nym, w->t);
	same = vldaa_equal(w->nym, nym, vldaa_os_nym_size(n));
	vldaa_secret_declassify(&same, sizeof same, "the caller learns whether it is this nym's");
	return same ? VLDAA_OK : VLDAA_ERR_KEY;
}

int vldaa_oneshot_nym_sign_begin(const void *context, const vldaa_sign_subject *about,
				 vldaa_message *message)
{
	const nym_key *k = context;

	vldaa_os_message_begin(k->n, &message->shake, k->public_key, k->tr, about);
	return VLDAA_OK;
}

int vldaa_oneshot_nym_sign_end(const void *context, void *workspace,
			       const vldaa_sign_subject *about, vldaa_message *message,
			       vldaa_rng *rng, vldaa_writer *out)
{
	const nym_key *k = context;

	(void)about;
	return vldaa_os_sign_message(&k->expanded, workspace, message, rng, out);
}
