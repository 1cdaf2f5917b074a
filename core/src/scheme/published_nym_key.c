/* A pseudonym's private key of the published sets on its own: nym = b e_T1 + e_N. */
#include "scheme/published.h"

#include <string.h>

#include "arena.h"
#include "random/secret.h"
#include "wire/pack.h"

/* Followed in memory by e_N and e_T1, packed. */
typedef struct {
	const vldaa_published_set *n;
	uint8_t key_id[VLDAA_KEY_ID_BYTES];
	uint8_t basename[VLDAA_MAX_BASENAME];
	size_t basename_len;
	uint8_t *secret;
} nym_key;

static size_t place(const vldaa_published_set *n, void *at)
{
	vldaa_arena a;
	nym_key local;
	nym_key *k;

	vldaa_arena_init(&a, at, SIZE_MAX);
	k = vldaa_arena_take(&a, sizeof *k);
	if (!k)
		k = &local;
	k->secret = vldaa_arena_take(&a, vldaa_member_pack_size(n));
	return a.used;
}

size_t vldaa_published_nym_key_size(const vldaa_published_set *n)
{
	return place(n, NULL);
}

/* The TPM's workspace holds the pair the other way round: e_T0, e_T1, e_N. */
static void swap_out(const vldaa_published_set *n, vldaa_blind_tpm *t)
{
	const size_t d = n->ring.d;

	memcpy(t->y, t->e + 2 * d, d * sizeof *t->y);
	memcpy(t->y + d, t->e + d, d * sizeof *t->y);
}

static void swap_in(const vldaa_published_set *n, vldaa_blind_tpm *t)
{
	const size_t d = n->ring.d;

	memset(t->e, 0, d * sizeof *t->e);
	memcpy(t->e + d, t->y + d, d * sizeof *t->e);
	memcpy(t->e + 2 * d, t->y, d * sizeof *t->e);
}

static void put_nym(const vldaa_published_set *n, const vldaa_blind_tpm *t, uint8_t *nym)
{
	vldaa_writer w;

	vldaa_put_init(&w, nym, vldaa_pack_uniform_size(&n->ring));
	vldaa_pack_uniform(&n->ring, &w, t->nym);
}

int vldaa_published_nym_secret(const vldaa_tpm_key *key, void *workspace, vldaa_bytes basename,
			       uint8_t *secret, uint8_t *nym)
{
	const vldaa_published_set *n = vldaa_published_numbers(key->set);
	vldaa_published_tpm *t = workspace;
	const uint8_t *prf_key;
	vldaa_writer w;
	int err = vldaa_published_load_tpm(key, t, &prf_key);

	if (!err)
		err = vldaa_blind_tpm_nym(n, &t->blind, key->key_id, prf_key, basename);
	if (err)
		return err;
	put_nym(n, &t->blind, nym);
	swap_out(n, &t->blind);
	vldaa_put_init(&w, secret, vldaa_member_pack_size(n));
	vldaa_member_pack(n, &w, t->blind.y);
	return VLDAA_OK;
}

/* The key and its nym, in the workspace. */
static int load(const nym_key *k, vldaa_published_tpm *t)
{
	vldaa_reader rd;
	int err;

	(void)vldaa_published_place_tpm(k->n, t);
	vldaa_get_init(&rd, k->secret, vldaa_member_pack_size(k->n));
	vldaa_member_unpack(k->n, &rd, t->blind.y);
	err = vldaa_get_end(&rd);
	if (err)
		return err;
	swap_in(k->n, &t->blind);
	vldaa_blind_tpm_given_nym(k->n, &t->blind, k->key_id,
				  (vldaa_bytes){k->basename, k->basename_len});
	return VLDAA_OK;
}

int vldaa_published_nym_load(const vldaa_set *set, void *context, void *workspace,
			     const uint8_t *key_id, vldaa_bytes basename, const uint8_t *secret,
			     const uint8_t *nym)
{
	const vldaa_published_set *n = vldaa_published_numbers(set);
	vldaa_published_tpm *t = workspace;
	nym_key *k = context;
	uint8_t *own;
	int err;

	(void)place(n, context);
	k->n = n;
	memcpy(k->key_id, key_id, VLDAA_KEY_ID_BYTES);
	memcpy(k->basename, basename.bytes, basename.len);
	k->basename_len = basename.len;
	memcpy(k->secret, secret, vldaa_member_pack_size(n));
	err = load(k, t);
	if (err)
		return err;
	own = (uint8_t *)t->blind.w3host; /* which has more bytes, and is not used yet */
	put_nym(n, &t->blind, own);
	return vldaa_equal(own, nym, vldaa_pack_uniform_size(&n->ring)) ? VLDAA_OK : VLDAA_ERR_KEY;
}

int vldaa_published_nym_sign_begin(const void *context, const vldaa_sign_subject *about,
				   vldaa_message *message)
{
	(void)about;
	vldaa_message_digest_begin(((const nym_key *)context)->n, message);
	return VLDAA_OK;
}

int vldaa_published_nym_sign_end(const void *context, void *workspace,
				 const vldaa_sign_subject *about, vldaa_message *message,
				 vldaa_rng *rng, vldaa_writer *out)
{
	const nym_key *k = context;
	vldaa_published_tpm *t = workspace;
	uint8_t digest[VLDAA_MESSAGE_DIGEST_BYTES];
	int err = load(k, t);

	if (err)
		return err;
	vldaa_message_digest_end(message, digest);
	return vldaa_nym_sign(k->n, &t->blind, about, digest, rng, out);
}
