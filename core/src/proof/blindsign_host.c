/* The host's part of BlindSign.  See blindsign.h for the equations. */
#include "proof/blindsign.h"

#include <string.h>

#include "random/secret.h"
#include "sampler/reject.h"
#include "sampler/uniform.h"
#include "wire/pack.h"

void vldaa_blind_host_layout(vldaa_blind_host *h, const vldaa_ring *r, vldaa_arena *a)
{
	h->r = vldaa_arena_polys(a, r, 9);
	h->s3 = vldaa_arena_polys(a, r, 2);
	h->t = vldaa_arena_polys(a, r, VLDAA_COMMITMENTS);
	h->w = vldaa_arena_polys(a, r, VLDAA_FIRST_MESSAGES);
	h->y = vldaa_arena_polys(a, r, VLDAA_HOST_POLYS);
	h->z_tpm = vldaa_arena_polys(a, r, VLDAA_TPM_POLYS);
	h->nym = vldaa_arena_polys(a, r, 1);
	h->poly = vldaa_arena_polys(a, r, 2);
	h->secret_hat = vldaa_arena_hats(a, r, VLDAA_HOST_POLYS);
	h->y_hat = vldaa_arena_hats(a, r, VLDAA_HOST_POLYS);
	h->bt_hat = vldaa_arena_hats(a, r, 2);
	h->c_hat = vldaa_arena_hats(a, r, 1);
	h->hat = vldaa_arena_hats(a, r, 3);
}

/* s_3 = r s_20 + r' s_21 without its first component, exactly; 1 when ||s_3|| <= 2 d gamma. */
static int make_s3(const vldaa_published_set *set, vldaa_blind_host *h, const uint32_t *s_hat)
{
	const vldaa_ring *r = &set->ring;
	size_t n = vldaa_hat_len(r);
	vldaa_u128 bound = (vldaa_u128)set->s3_bound2_high << 64 | set->s3_bound2_low;
	vldaa_u128 norm2 = 0;
	int within;

	for (size_t j = 0; j < 2; j++) {
		const uint32_t *r_hat =
		    h->secret_hat + (vldaa_host_block_start[VLDAA_HOST_R] + 1 + j) * n;
		const uint32_t *r2_hat =
		    h->secret_hat + (vldaa_host_block_start[VLDAA_HOST_R2] + 1 + j) * n;
		int64_t *s3 = h->s3 + j * r->d;

		vldaa_hat_mul(r, h->hat, r_hat, s_hat + 2 * n);
		vldaa_hat_mul_add(r, h->hat, r2_hat, s_hat + 3 * n);
		vldaa_hat_to_integers(r, s3, h->hat);
		norm2 += vldaa_poly_norm2(r, s3);
	}
	within = norm2 <= bound;
	vldaa_secret_declassify(
	    &within, sizeof within,
	    "a rare redraw of fresh randomness says nothing about the commitments that are kept");
	return within;
}

int vldaa_blind_host_commit(const vldaa_public_keys *keys, vldaa_blind_host *h,
			    const int64_t tag[2], const uint32_t *s_hat, const uint32_t *e_hat,
			    vldaa_rng *rng)
{
	const vldaa_published_set *set = keys->set;
	const vldaa_ring *r = &set->ring;
	size_t d = r->d;
	size_t n = vldaa_hat_len(r);
	uint32_t *secret = h->secret_hat;
	int within = 0;

	for (int attempt = 0; attempt < VLDAA_MAX_ATTEMPTS && !within; attempt++) {
		vldaa_ternary(h->r, 6 * d, rng);
		for (size_t j = 0; j < 3; j++)
			vldaa_poly_automorphism(r, h->r + (6 + j) * d, h->r + j * d, VLDAA_SIGMA);
		for (size_t j = 0; j < 9; j++)
			vldaa_hat_from_poly(r, secret + j * n, h->r + j * d);
		within = make_s3(set, h, s_hat);
	}
	if (!within)
		return VLDAA_ERR_ATTEMPTS;
	memcpy(secret + vldaa_host_block_start[VLDAA_HOST_S1] * n, s_hat, 4 * n * sizeof *secret);
	for (size_t j = 0; j < 2; j++) {
		vldaa_hat_from_poly(r, secret + (vldaa_host_block_start[VLDAA_HOST_S3] + j) * n,
				    h->s3 + j * d);
	}
	memcpy(secret + vldaa_host_block_start[VLDAA_HOST_E] * n, e_hat, 2 * n * sizeof *secret);

	vldaa_commit_tag(keys, h->t + VLDAA_T_1 * d, h->t + VLDAA_T_2 * d, secret, tag, 1, h->hat);
	vldaa_commit_tag(keys, h->t + VLDAA_T_1P * d, h->t + VLDAA_T_2P * d, secret + 3 * n, tag,
			 set->delta, h->hat);
	vldaa_hat_from_poly(r, h->bt_hat, h->t + VLDAA_T_2 * d);
	vldaa_hat_add(r, h->bt_hat, h->bt_hat, keys->b0);
	vldaa_hat_from_poly(r, h->bt_hat + n, h->t + VLDAA_T_2P * d);
	vldaa_hat_add(r, h->bt_hat + n, h->bt_hat + n, keys->b1);
	return VLDAA_OK;
}

/* The rows of the commitment key: w_1, w'_1, w~_1, w_2, w_d. */
static void first_commitment_rows(const vldaa_public_keys *k, vldaa_blind_host *h)
{
	const vldaa_ring *r = &k->set->ring;
	size_t d = r->d;
	size_t n = vldaa_hat_len(r);
	const uint32_t *y_r = h->y_hat + vldaa_host_block_start[VLDAA_HOST_R] * n;
	const uint32_t *y_r2 = h->y_hat + vldaa_host_block_start[VLDAA_HOST_R2] * n;
	const uint32_t *y_rs = h->y_hat + vldaa_host_block_start[VLDAA_HOST_RSIGMA] * n;
	uint32_t *acc = h->hat;
	uint32_t *tmp = h->hat + n;

	vldaa_commit_row1(r, acc, k->a11, k->a12, y_r);
	vldaa_hat_to_poly(r, h->w + VLDAA_W_1 * d, acc);
	vldaa_commit_row1(r, acc, k->a11, k->a12, y_r2);
	vldaa_hat_to_poly(r, h->w + VLDAA_W_1P * d, acc);
	vldaa_commit_row1(r, acc, k->sigma_a11, k->sigma_a12, y_rs);
	vldaa_hat_to_poly(r, h->w + VLDAA_W_1S * d, acc);

	vldaa_commit_row2(r, acc, k->a2, y_r);
	vldaa_commit_row2(r, tmp, k->sigma_a2, y_rs);
	vldaa_hat_sub(r, acc, acc, tmp);
	vldaa_hat_to_poly(r, h->w + VLDAA_W_2 * d, acc);

	vldaa_commit_row2(r, acc, k->a2, y_r);
	vldaa_hat_to_poly(r, h->poly, acc);
	vldaa_poly_scale(r, h->poly, k->set->delta, h->poly);
	vldaa_commit_row2(r, acc, k->a2, y_r2);
	vldaa_hat_to_poly(r, h->w + VLDAA_W_D * d, acc);
	vldaa_poly_sub(r, h->w + VLDAA_W_D * d, h->w + VLDAA_W_D * d, h->poly);
}

/* w_3 without the TPM's -a_T y_T. */
static void first_credential_row(const vldaa_public_keys *k, vldaa_blind_host *h)
{
	const vldaa_ring *r = &k->set->ring;
	size_t n = vldaa_hat_len(r);
	const uint32_t *y_s1 = h->y_hat + vldaa_host_block_start[VLDAA_HOST_S1] * n;
	const uint32_t *y_s2 = h->y_hat + vldaa_host_block_start[VLDAA_HOST_S2] * n;
	const uint32_t *y_s3 = h->y_hat + vldaa_host_block_start[VLDAA_HOST_S3] * n;
	const uint32_t *y_h = h->y_hat + vldaa_host_block_start[VLDAA_HOST_E] * n;
	uint32_t *acc = h->hat;

	vldaa_hat_mul(r, acc, k->a0, y_s1);
	vldaa_hat_mul_add(r, acc, k->a1, y_s1 + n);
	vldaa_hat_mul_add(r, acc, h->bt_hat, y_s2);
	vldaa_hat_mul_add(r, acc, h->bt_hat + n, y_s2 + n);
	vldaa_hat_sub(r, acc, acc, y_h);
	vldaa_hat_mul_sub(r, acc, k->ah1, y_h + n);
	vldaa_hat_sub(r, acc, acc, y_s3);
	vldaa_hat_mul_sub(r, acc, k->a2, y_s3 + n);
	vldaa_hat_to_poly(r, h->w + VLDAA_W_3 * r->d, acc);
}

void vldaa_blind_host_first(const vldaa_public_keys *keys, vldaa_blind_host *h, vldaa_rng *rng,
			    vldaa_writer *call)
{
	const vldaa_published_set *set = keys->set;
	const vldaa_ring *r = &set->ring;

	for (size_t i = 0; i < VLDAA_HOST_BLOCKS; i++) {
		vldaa_fswa_mask(r, &set->host[i], h->y + vldaa_host_block_start[i] * r->d, rng);
	}
	vldaa_fswa_hat(r, VLDAA_HOST_POLYS, h->y_hat, h->y, h->poly);
	first_commitment_rows(keys, h);
	first_credential_row(keys, h);
	vldaa_secret_declassify(h->t, VLDAA_COMMITMENTS * r->d * sizeof *h->t,
				"a commitment hides what is in it");
	vldaa_commit_digest(set, keys->key_id, h->t, h->w, h->commit_digest);
	vldaa_secret_declassify(h->commit_digest, sizeof h->commit_digest,
				"a digest of masked values");
	vldaa_secret_declassify(h->w + VLDAA_W_3 * r->d, r->d * sizeof *h->w,
				"the masked value is a first message: the TPM gets it");
	vldaa_put_bytes(call, h->commit_digest, sizeof h->commit_digest);
	vldaa_pack_uniform(r, call, h->w + VLDAA_W_3 * r->d);
}

int vldaa_blind_host_respond(const vldaa_public_keys *keys, vldaa_blind_host *h, vldaa_bytes reply,
			     vldaa_rng *rng, vldaa_writer *payload)
{
	const vldaa_published_set *set = keys->set;
	const vldaa_ring *r = &set->ring;
	size_t n = vldaa_hat_len(r);
	const vldaa_fswa_scratch scratch = {h->hat, h->poly};
	const vldaa_writer start = *payload;
	uint8_t c_tilde[VLDAA_MAX_CHALLENGE_BYTES];
	uint8_t nonce[VLDAA_CREATE_NONCE_BYTES];
	vldaa_reader rd;
	int64_t t = 0;
	int err;

	vldaa_get_init(&rd, reply.bytes, reply.len);
	vldaa_get_bytes(&rd, c_tilde, set->challenge_bytes);
	vldaa_get_bytes(&rd, nonce, sizeof nonce);
	vldaa_unpack_uniform(r, &rd, h->nym);
	vldaa_fswa_get(r, &set->tpm[VLDAA_TPM_E], &rd, h->z_tpm);
	vldaa_fswa_get(r, &set->tpm[VLDAA_TPM_NYM], &rd, h->z_tpm + 2 * r->d);
	err = vldaa_get_end(&rd);
	if (err)
		return err;

	vldaa_challenge_hat(set, h->c_hat, c_tilde, h->poly);
	for (size_t i = 0; i < VLDAA_HOST_BLOCKS; i++) {
		size_t first = vldaa_host_block_start[i];

		t += vldaa_fswa_respond(r, &set->host[i], h->c_hat, h->secret_hat + first * n,
					h->y + first * r->d, &scratch);
	}
	if (!vldaa_reject_keep(t, rng))
		return 0;
	vldaa_secret_declassify(h->y, VLDAA_HOST_POLYS * r->d * sizeof *h->y,
				"an accepted response is distributed independently of the secret");

	vldaa_pack_uniform(r, payload, h->nym);
	for (size_t i = 0; i < VLDAA_COMMITMENTS; i++)
		vldaa_pack_uniform(r, payload, h->t + i * r->d);
	vldaa_put_bytes(payload, c_tilde, set->challenge_bytes);
	vldaa_put_bytes(payload, nonce, sizeof nonce);
	for (size_t i = 0; i < VLDAA_HOST_BLOCKS; i++) {
		if (vldaa_fswa_put(r, &set->host[i], payload,
				   h->y + vldaa_host_block_start[i] * r->d) != VLDAA_OK) {
			*payload = start;
			return 0;
		}
	}
	err = vldaa_fswa_put(r, &set->tpm[VLDAA_TPM_E], payload, h->z_tpm);
	if (!err)
		err = vldaa_fswa_put(r, &set->tpm[VLDAA_TPM_NYM], payload, h->z_tpm + 2 * r->d);
	return err ? VLDAA_ERR_INTERNAL : 1;
}
