/*
 * The TPM's part of BlindSign.  No heap, no floating point; branches depend on public values and on
 * rejections only.  See blindsign.h for the equations.
 */
#include "proof/blindsign.h"

#include "random/secret.h"
#include "sampler/reject.h"
#include "sampler/uniform.h"
#include "wire/pack.h"

void vldaa_blind_tpm_layout(vldaa_blind_tpm *t, const vldaa_ring *r, vldaa_arena *a)
{
	t->e = vldaa_arena_polys(a, r, VLDAA_TPM_POLYS);
	t->y = vldaa_arena_polys(a, r, VLDAA_TPM_POLYS);
	t->nym = vldaa_arena_polys(a, r, 1);
	t->w3host = vldaa_arena_polys(a, r, 1);
	t->w = vldaa_arena_polys(a, r, 2);
	t->poly = vldaa_arena_polys(a, r, 1);
	t->e_hat = vldaa_arena_hats(a, r, VLDAA_TPM_POLYS);
	t->y_hat = vldaa_arena_hats(a, r, VLDAA_TPM_POLYS);
	t->at1 = vldaa_arena_hats(a, r, 1);
	t->b = vldaa_arena_hats(a, r, 1);
	t->c_hat = vldaa_arena_hats(a, r, 1);
	t->hat = vldaa_arena_hats(a, r, 1);
}

/*
 * e_N <- D_sigma from PRF(K_T, key id || bsn || b || counter), the counter raised until ||e_N||
 * <= 1.1 sigma sqrt(d).  Integers only: a second error under one basename, or one error under two,
 * gives e_T1 away.  That is why b itself is an input: a b that was computed wrongly gets another
 * error.
 */
static int nym_error(const vldaa_published_set *set, int64_t *e, const uint8_t *key_id,
		     const uint8_t *prf_key, vldaa_bytes basename, const int64_t *b)
{
	uint8_t seed[VLDAA_SEED_BYTES];
	vldaa_rng rng;
	int within = 0;

	for (uint32_t counter = 0; counter < VLDAA_MAX_ATTEMPTS && !within; counter++) {
		vldaa_shake s;

		vldaa_hash_init(&s, VLDAA_SHAKE256_RATE, VLDAA_DOMAIN_NYM_ERROR, set->id);
		vldaa_hash_part(&s, prf_key, VLDAA_SEED_BYTES);
		vldaa_hash_part(&s, key_id, VLDAA_KEY_ID_BYTES);
		vldaa_hash_part(&s, basename.bytes, basename.len);
		vldaa_hash_poly(&set->ring, &s, b);
		vldaa_hash_u32(&s, counter);
		vldaa_shake_squeeze(&s, seed, sizeof seed);
		vldaa_rng_init(&rng, seed, set->id);
		vldaa_cdt_sample(e, set->ring.d, &set->error, &rng);
		within = vldaa_poly_norm2(&set->ring, e) <= set->error_bound2;
		vldaa_secret_declassify(
		    &within, sizeof within,
		    "how often the error is redrawn says nothing about the one that is kept");
		vldaa_wipe(&s, sizeof s);
	}
	vldaa_rng_clear(&rng);
	vldaa_wipe(seed, sizeof seed);
	return within ? VLDAA_OK : VLDAA_ERR_ATTEMPTS;
}

/* nym = b e_T1 + e_N, where t->b is b and t->e is e_T, e_N. */
static void make_nym(const vldaa_published_set *set, vldaa_blind_tpm *t)
{
	const vldaa_ring *r = &set->ring;
	size_t d = r->d;
	size_t n = vldaa_hat_len(r);

	for (size_t j = 0; j < VLDAA_TPM_POLYS; j++)
		vldaa_hat_from_poly(r, t->e_hat + j * n, t->e + j * d);
	vldaa_hat_mul(r, t->hat, t->b, t->e_hat + n);
	vldaa_hat_add(r, t->hat, t->hat, t->e_hat + 2 * n);
	vldaa_hat_to_poly(r, t->nym, t->hat);
	vldaa_secret_declassify(t->nym, d * sizeof *t->nym, "the pseudonym is published");
}

void vldaa_blind_tpm_given_nym(const vldaa_published_set *set, vldaa_blind_tpm *t,
			       const uint8_t *key_id, vldaa_bytes basename)
{
	vldaa_basename_hat(set, t->b, key_id, basename, t->poly);
	make_nym(set, t);
}

int vldaa_blind_tpm_nym(const vldaa_published_set *set, vldaa_blind_tpm *t, const uint8_t *key_id,
			const uint8_t *prf_key, vldaa_bytes basename)
{
	int err;

	vldaa_basename_hat(set, t->b, key_id, basename, t->poly);
	err = nym_error(set, t->e + 2 * set->ring.d, key_id, prf_key, basename, t->poly);
	if (!err)
		make_nym(set, t);
	return err;
}

/* w_3 = host's part - a_T y_T, w_N = b y_T1 + y_N. */
static void first_messages(const vldaa_ring *r, vldaa_blind_tpm *t)
{
	size_t n = vldaa_hat_len(r);

	vldaa_fswa_hat(r, VLDAA_TPM_POLYS, t->y_hat, t->y, t->poly);
	vldaa_hat_mul(r, t->hat, t->at1, t->y_hat + n);
	vldaa_hat_add(r, t->hat, t->hat, t->y_hat);
	vldaa_hat_to_poly(r, t->w, t->hat);
	vldaa_poly_sub(r, t->w, t->w3host, t->w);
	vldaa_hat_mul(r, t->hat, t->b, t->y_hat + n);
	vldaa_hat_add(r, t->hat, t->hat, t->y_hat + 2 * n);
	vldaa_hat_to_poly(r, t->w + r->d, t->hat);
}

int vldaa_blind_tpm_reply(const vldaa_published_set *set, vldaa_blind_tpm *t, const uint8_t *key_id,
			  const uint8_t *rho, vldaa_bytes basename, vldaa_bytes call,
			  vldaa_rng *rng, vldaa_writer *reply)
{
	const vldaa_ring *r = &set->ring;
	size_t d = r->d;
	size_t n = vldaa_hat_len(r);
	const vldaa_fswa_scratch scratch = {t->hat, t->poly};
	const vldaa_block *block_e = &set->tpm[VLDAA_TPM_E];
	const vldaa_block *block_n = &set->tpm[VLDAA_TPM_NYM];
	uint8_t commit_digest[VLDAA_COMMIT_DIGEST_BYTES];
	uint8_t nonce[VLDAA_CREATE_NONCE_BYTES];
	uint8_t c_tilde[VLDAA_MAX_CHALLENGE_BYTES];
	vldaa_reader rd;
	int err;

	vldaa_get_init(&rd, call.bytes, call.len);
	vldaa_get_bytes(&rd, commit_digest, sizeof commit_digest);
	vldaa_unpack_uniform(r, &rd, t->w3host);
	err = vldaa_get_end(&rd);
	if (err)
		return err;

	vldaa_public_expand(set, t->poly, rho, VLDAA_EL_AT1);
	vldaa_hat_from_poly(r, t->at1, t->poly);
	for (int attempt = 0; attempt < VLDAA_MAX_ATTEMPTS; attempt++) {
		vldaa_writer start = *reply;
		int64_t term;
		int keep;

		vldaa_fswa_mask(r, block_e, t->y, rng);
		vldaa_fswa_mask(r, block_n, t->y + 2 * d, rng);
		first_messages(r, t);
		vldaa_rng_bytes(rng, nonce, sizeof nonce);
		vldaa_create_challenge(set, key_id, basename, t->nym, commit_digest, t->w, t->w + d,
				       nonce, c_tilde);
		vldaa_secret_declassify(
		    c_tilde, sizeof c_tilde,
		    "a challenge is a hash of masked values and a nonce: uniform for every secret");
		vldaa_challenge_hat(set, t->c_hat, c_tilde, t->poly);
		term = vldaa_fswa_respond(r, block_e, t->c_hat, t->e_hat, t->y, &scratch);
		term += vldaa_fswa_respond(r, block_n, t->c_hat, t->e_hat + 2 * n, t->y + 2 * d,
					   &scratch);
		keep = vldaa_reject_keep(term, rng);
		vldaa_secret_declassify(
		    &keep, sizeof keep,
		    "the decision to retry has one probability for every secret");
		if (!keep)
			continue;
		vldaa_secret_declassify(
		    t->y, VLDAA_TPM_POLYS * d * sizeof *t->y,
		    "an accepted response is distributed independently of the secret");
		vldaa_secret_declassify(nonce, sizeof nonce, "the nonce is sent");
		vldaa_put_bytes(reply, c_tilde, set->challenge_bytes);
		vldaa_put_bytes(reply, nonce, sizeof nonce);
		vldaa_pack_uniform(r, reply, t->nym);
		if (vldaa_fswa_put(r, block_e, reply, t->y) == VLDAA_OK &&
		    vldaa_fswa_put(r, block_n, reply, t->y + 2 * d) == VLDAA_OK)
			return VLDAA_OK;
		*reply = start;
	}
	return VLDAA_ERR_ATTEMPTS;
}
