/* See nym_sign.h. */
#include "proof/nym_sign.h"

#include "random/secret.h"
#include "sampler/reject.h"
#include "wire/pack.h"

void vldaa_message_digest_begin(const vldaa_published_set *set, vldaa_message *m)
{
	vldaa_hash_init(&m->shake, VLDAA_SHAKE256_RATE, VLDAA_DOMAIN_MESSAGE, set->id);
}

void vldaa_message_digest_end(vldaa_message *m, uint8_t digest[VLDAA_MESSAGE_DIGEST_BYTES])
{
	vldaa_shake_squeeze(&m->shake, digest, VLDAA_MESSAGE_DIGEST_BYTES);
}

static void sign_challenge(const vldaa_published_set *set, const vldaa_sign_subject *about,
			   const int64_t *nym, const int64_t *w, const uint8_t *message_digest,
			   uint8_t *c_tilde)
{
	vldaa_shake s;

	vldaa_hash_init(&s, set->rate, VLDAA_DOMAIN_SIGN, set->id);
	vldaa_hash_u32(&s, about->type);
	vldaa_hash_part(&s, about->key_id, VLDAA_KEY_ID_BYTES);
	vldaa_hash_part(&s, about->basename.bytes, about->basename.len);
	vldaa_hash_poly(&set->ring, &s, nym);
	vldaa_hash_part(&s, about->attestation_digest, VLDAA_DIGEST_BYTES);
	vldaa_hash_poly(&set->ring, &s, w);
	vldaa_hash_part(&s, message_digest, VLDAA_MESSAGE_DIGEST_BYTES);
	vldaa_shake_squeeze(&s, c_tilde, set->challenge_bytes);
}

int vldaa_nym_sign(const vldaa_published_set *set, vldaa_blind_tpm *t,
		   const vldaa_sign_subject *about, const uint8_t *message_digest, vldaa_rng *rng,
		   vldaa_writer *out)
{
	const vldaa_ring *r = &set->ring;
	size_t d = r->d;
	size_t n = vldaa_hat_len(r);
	const vldaa_fswa_scratch scratch = {t->hat, t->poly};
	const vldaa_block *block_1 = &set->sign[VLDAA_SIGN_E1];
	const vldaa_block *block_n = &set->sign[VLDAA_SIGN_NYM];
	const uint8_t type = (uint8_t)about->type;
	uint8_t c_tilde[VLDAA_MAX_CHALLENGE_BYTES];

	/* Even a repeated seed must not mask two signatures alike whose challenges differ: the
	 * stream is bound to all that the challenge is over and the caller has not bound. */
	vldaa_rng_bind(rng, &type, 1);
	vldaa_rng_bind(rng, about->attestation_digest, VLDAA_DIGEST_BYTES);
	vldaa_rng_bind(rng, message_digest, VLDAA_MESSAGE_DIGEST_BYTES);
	for (int attempt = 0; attempt < VLDAA_MAX_ATTEMPTS; attempt++) {
		vldaa_writer start = *out;
		int64_t term;
		int keep;

		vldaa_fswa_mask(r, block_1, t->y, rng);
		vldaa_fswa_mask(r, block_n, t->y + d, rng);
		vldaa_fswa_hat(r, 2, t->y_hat, t->y, t->poly);
		vldaa_hat_mul_add(r, t->y_hat + n, t->b, t->y_hat);
		vldaa_hat_to_poly(r, t->w, t->y_hat + n);
		sign_challenge(set, about, t->nym, t->w, message_digest, c_tilde);
		vldaa_secret_declassify(
		    c_tilde, sizeof c_tilde,
		    "a challenge is a hash of masked values: uniform for every secret");
		vldaa_challenge_hat(set, t->c_hat, c_tilde, t->poly);
		term = vldaa_fswa_respond(r, block_1, t->c_hat, t->e_hat + n, t->y, &scratch);
		term +=
		    vldaa_fswa_respond(r, block_n, t->c_hat, t->e_hat + 2 * n, t->y + d, &scratch);
		keep = vldaa_reject_keep(term, rng);
		vldaa_secret_declassify(
		    &keep, sizeof keep,
		    "the decision to retry has one probability for every secret");
		if (!keep)
			continue;
		vldaa_secret_declassify(
		    t->y, 2 * d * sizeof *t->y,
		    "an accepted response is distributed independently of the secret");
		vldaa_put_bytes(out, c_tilde, set->challenge_bytes);
		if (vldaa_fswa_put(r, block_1, out, t->y) == VLDAA_OK &&
		    vldaa_fswa_put(r, block_n, out, t->y + d) == VLDAA_OK)
			return VLDAA_OK;
		*out = start;
	}
	return VLDAA_ERR_ATTEMPTS;
}

void vldaa_nym_verify_layout(vldaa_nym_verify *v, const vldaa_ring *r, vldaa_arena *a)
{
	v->z = vldaa_arena_polys(a, r, 2);
	v->w = vldaa_arena_polys(a, r, 1);
	v->poly = vldaa_arena_polys(a, r, 1);
	v->z_hat = vldaa_arena_hats(a, r, 2);
	v->c_hat = vldaa_arena_hats(a, r, 1);
}

int vldaa_nym_verify_run(const vldaa_published_set *set, vldaa_nym_verify *v, const uint32_t *b_hat,
			 const int64_t *nym, const uint32_t *nym_hat,
			 const vldaa_sign_subject *about, const uint8_t *message_digest,
			 vldaa_bytes signature)
{
	const vldaa_ring *r = &set->ring;
	size_t n = vldaa_hat_len(r);
	uint8_t c_tilde[VLDAA_MAX_CHALLENGE_BYTES];
	uint8_t expected[VLDAA_MAX_CHALLENGE_BYTES];
	vldaa_reader rd;
	int err;

	vldaa_get_init(&rd, signature.bytes, signature.len);
	vldaa_get_bytes(&rd, c_tilde, set->challenge_bytes);
	vldaa_fswa_get(r, &set->sign[VLDAA_SIGN_E1], &rd, v->z);
	vldaa_fswa_get(r, &set->sign[VLDAA_SIGN_NYM], &rd, v->z + r->d);
	err = vldaa_get_end(&rd);
	if (err)
		return err;
	vldaa_challenge_hat(set, v->c_hat, c_tilde, v->poly);
	vldaa_fswa_hat(r, 2, v->z_hat, v->z, v->poly);
	vldaa_hat_mul_add(r, v->z_hat + n, b_hat, v->z_hat);
	vldaa_hat_mul_sub(r, v->z_hat + n, v->c_hat, nym_hat);
	vldaa_hat_to_poly(r, v->w, v->z_hat + n);
	sign_challenge(set, about, nym, v->w, message_digest, expected);
	return vldaa_equal(expected, c_tilde, set->challenge_bytes) ? VLDAA_OK : VLDAA_ERR_PROOF;
}
