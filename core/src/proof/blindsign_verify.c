/* BlindVerify, and the two hashes that prover and verifier share.  See blindsign.h for the
 * equations. */
#include "proof/blindsign.h"

#include "random/secret.h"
#include "wire/pack.h"

const uint8_t vldaa_host_block_start[VLDAA_HOST_BLOCKS] = {
    [VLDAA_HOST_R] = 0,   [VLDAA_HOST_R2] = 3,  [VLDAA_HOST_RSIGMA] = 6, [VLDAA_HOST_S1] = 9,
    [VLDAA_HOST_S2] = 11, [VLDAA_HOST_S3] = 13, [VLDAA_HOST_E] = 15,
};

void vldaa_commit_digest(const vldaa_published_set *set, const uint8_t *key_id, const int64_t *t,
			 const int64_t *w, uint8_t digest[VLDAA_COMMIT_DIGEST_BYTES])
{
	const vldaa_ring *r = &set->ring;
	vldaa_shake s;

	vldaa_hash_init(&s, set->rate, VLDAA_DOMAIN_CREATE_HOST, set->id);
	vldaa_hash_part(&s, key_id, VLDAA_KEY_ID_BYTES);
	for (size_t i = 0; i < VLDAA_COMMITMENTS; i++)
		vldaa_hash_poly(r, &s, t + i * r->d);
	for (size_t i = 0; i <= VLDAA_W_D; i++)
		vldaa_hash_poly(r, &s, w + i * r->d);
	vldaa_shake_squeeze(&s, digest, VLDAA_COMMIT_DIGEST_BYTES);
}

void vldaa_create_challenge(const vldaa_published_set *set, const uint8_t *key_id,
			    vldaa_bytes basename, const int64_t *nym, const uint8_t *commit_digest,
			    const int64_t *w3, const int64_t *wn, const uint8_t *nonce,
			    uint8_t *c_tilde)
{
	const vldaa_ring *r = &set->ring;
	vldaa_shake s;

	vldaa_hash_init(&s, set->rate, VLDAA_DOMAIN_CREATE, set->id);
	vldaa_hash_part(&s, key_id, VLDAA_KEY_ID_BYTES);
	vldaa_hash_part(&s, basename.bytes, basename.len);
	vldaa_hash_poly(r, &s, nym);
	vldaa_hash_part(&s, commit_digest, VLDAA_COMMIT_DIGEST_BYTES);
	vldaa_hash_poly(r, &s, w3);
	vldaa_hash_poly(r, &s, wn);
	vldaa_hash_part(&s, nonce, VLDAA_CREATE_NONCE_BYTES);
	vldaa_shake_squeeze(&s, c_tilde, set->challenge_bytes);
}

void vldaa_blind_verify_layout(vldaa_blind_verify *v, const vldaa_ring *r, vldaa_arena *a)
{
	v->t = vldaa_arena_polys(a, r, VLDAA_COMMITMENTS);
	v->nym = vldaa_arena_polys(a, r, 1);
	v->z_host = vldaa_arena_polys(a, r, VLDAA_HOST_POLYS);
	v->z_tpm = vldaa_arena_polys(a, r, VLDAA_TPM_POLYS);
	v->w = vldaa_arena_polys(a, r, VLDAA_FIRST_MESSAGES);
	v->poly = vldaa_arena_polys(a, r, 2);
	v->z_hat = vldaa_arena_hats(a, r, VLDAA_HOST_POLYS + VLDAA_TPM_POLYS);
	v->c_hat = vldaa_arena_hats(a, r, 1);
	v->hat = vldaa_arena_hats(a, r, 3);
}

/* hat -= c * poly; scratch: one element. */
static void sub_challenge_times(const vldaa_ring *r, uint32_t *hat, const uint32_t *c_hat,
				const int64_t *poly, uint32_t *scratch)
{
	vldaa_hat_from_poly(r, scratch, poly);
	vldaa_hat_mul_sub(r, hat, c_hat, scratch);
}

/* The commitment rows: w_1, w'_1, w~_1, w_2, w_d (P1 and P2). */
static void recompute_commitment_rows(const vldaa_public_keys *k, vldaa_blind_verify *v)
{
	const vldaa_ring *r = &k->set->ring;
	size_t d = r->d;
	size_t n = vldaa_hat_len(r);
	const uint32_t *z_r = v->z_hat + vldaa_host_block_start[VLDAA_HOST_R] * n;
	const uint32_t *z_r2 = v->z_hat + vldaa_host_block_start[VLDAA_HOST_R2] * n;
	const uint32_t *z_rs = v->z_hat + vldaa_host_block_start[VLDAA_HOST_RSIGMA] * n;
	const int64_t *t1 = v->t + VLDAA_T_1 * d;
	const int64_t *t2 = v->t + VLDAA_T_2 * d;
	const int64_t *t1p = v->t + VLDAA_T_1P * d;
	const int64_t *t2p = v->t + VLDAA_T_2P * d;
	uint32_t *acc = v->hat;
	uint32_t *tmp = v->hat + n;
	int64_t *poly = v->poly;

	vldaa_commit_row1(r, acc, k->a11, k->a12, z_r);
	sub_challenge_times(r, acc, v->c_hat, t1, tmp);
	vldaa_hat_to_poly(r, v->w + VLDAA_W_1 * d, acc);

	vldaa_commit_row1(r, acc, k->a11, k->a12, z_r2);
	sub_challenge_times(r, acc, v->c_hat, t1p, tmp);
	vldaa_hat_to_poly(r, v->w + VLDAA_W_1P * d, acc);

	vldaa_commit_row1(r, acc, k->sigma_a11, k->sigma_a12, z_rs);
	vldaa_poly_automorphism(r, poly, t1, VLDAA_SIGMA);
	sub_challenge_times(r, acc, v->c_hat, poly, tmp);
	vldaa_hat_to_poly(r, v->w + VLDAA_W_1S * d, acc);

	vldaa_commit_row2(r, acc, k->a2, z_r);
	vldaa_commit_row2(r, tmp, k->sigma_a2, z_rs);
	vldaa_hat_sub(r, acc, acc, tmp);
	vldaa_poly_automorphism(r, poly, t2, VLDAA_SIGMA);
	vldaa_poly_sub(r, poly, t2, poly);
	sub_challenge_times(r, acc, v->c_hat, poly, tmp);
	vldaa_hat_to_poly(r, v->w + VLDAA_W_2 * d, acc);

	/* A_2 z_r' - c t'_2 and A_2 z_r - c t_2 modulo q first: delta times an unreduced value
	 * could leave the range of the auxiliary primes. */
	vldaa_commit_row2(r, acc, k->a2, z_r);
	sub_challenge_times(r, acc, v->c_hat, t2, tmp);
	vldaa_hat_to_poly(r, poly, acc);
	vldaa_poly_scale(r, poly, k->set->delta, poly);
	vldaa_commit_row2(r, acc, k->a2, z_r2);
	sub_challenge_times(r, acc, v->c_hat, t2p, tmp);
	vldaa_hat_to_poly(r, v->w + VLDAA_W_D * d, acc);
	vldaa_poly_sub(r, v->w + VLDAA_W_D * d, v->w + VLDAA_W_D * d, poly);
}

/* w_3 (P3) and w_N (P4). */
static void recompute_credential_rows(const vldaa_public_keys *k, vldaa_blind_verify *v,
				      const uint32_t *b_hat)
{
	const vldaa_ring *r = &k->set->ring;
	size_t d = r->d;
	size_t n = vldaa_hat_len(r);
	const uint32_t *z_s1 = v->z_hat + vldaa_host_block_start[VLDAA_HOST_S1] * n;
	const uint32_t *z_s2 = v->z_hat + vldaa_host_block_start[VLDAA_HOST_S2] * n;
	const uint32_t *z_s3 = v->z_hat + vldaa_host_block_start[VLDAA_HOST_S3] * n;
	const uint32_t *z_h = v->z_hat + vldaa_host_block_start[VLDAA_HOST_E] * n;
	const uint32_t *z_t = v->z_hat + VLDAA_HOST_POLYS * n;
	const uint32_t *z_n = z_t + 2 * n;
	uint32_t *acc = v->hat;
	uint32_t *tmp = v->hat + n;

	vldaa_hat_mul(r, acc, k->a0, z_s1);
	vldaa_hat_mul_add(r, acc, k->a1, z_s1 + n);
	/* (B + [t_2 t'_2]) z_s2; b + t is below q in absolute value, one bit more than centred */
	vldaa_hat_from_poly(r, tmp, v->t + VLDAA_T_2 * d);
	vldaa_hat_add(r, tmp, tmp, k->b0);
	vldaa_hat_mul_add(r, acc, tmp, z_s2);
	vldaa_hat_from_poly(r, tmp, v->t + VLDAA_T_2P * d);
	vldaa_hat_add(r, tmp, tmp, k->b1);
	vldaa_hat_mul_add(r, acc, tmp, z_s2 + n);
	/* - a_T z_T - a_H z_H - A_2 z_s3 (s_3 has no first component) - c u */
	vldaa_hat_sub(r, acc, acc, z_t);
	vldaa_hat_mul_sub(r, acc, k->at1, z_t + n);
	vldaa_hat_sub(r, acc, acc, z_h);
	vldaa_hat_mul_sub(r, acc, k->ah1, z_h + n);
	vldaa_hat_sub(r, acc, acc, z_s3);
	vldaa_hat_mul_sub(r, acc, k->a2, z_s3 + n);
	vldaa_hat_mul_sub(r, acc, v->c_hat, k->u);
	vldaa_hat_to_poly(r, v->w + VLDAA_W_3 * d, acc);

	vldaa_hat_mul(r, acc, b_hat, z_t + n);
	vldaa_hat_add(r, acc, acc, z_n);
	sub_challenge_times(r, acc, v->c_hat, v->nym, tmp);
	vldaa_hat_to_poly(r, v->w + VLDAA_W_N * d, acc);
}

int vldaa_blind_verify_run(const vldaa_public_keys *keys, vldaa_blind_verify *v,
			   vldaa_bytes basename, const uint32_t *b_hat, vldaa_bytes payload)
{
	const vldaa_published_set *set = keys->set;
	const vldaa_ring *r = &set->ring;
	uint8_t c_tilde[VLDAA_MAX_CHALLENGE_BYTES];
	uint8_t expected[VLDAA_MAX_CHALLENGE_BYTES];
	uint8_t nonce[VLDAA_CREATE_NONCE_BYTES];
	uint8_t digest[VLDAA_COMMIT_DIGEST_BYTES];
	vldaa_reader rd;
	int err;

	vldaa_get_init(&rd, payload.bytes, payload.len);
	vldaa_unpack_uniform(r, &rd, v->nym);
	for (size_t i = 0; i < VLDAA_COMMITMENTS; i++)
		vldaa_unpack_uniform(r, &rd, v->t + i * r->d);
	vldaa_get_bytes(&rd, c_tilde, set->challenge_bytes);
	vldaa_get_bytes(&rd, nonce, sizeof nonce);
	for (size_t i = 0; i < VLDAA_HOST_BLOCKS; i++)
		vldaa_fswa_get(r, &set->host[i], &rd, v->z_host + vldaa_host_block_start[i] * r->d);
	vldaa_fswa_get(r, &set->tpm[VLDAA_TPM_E], &rd, v->z_tpm);
	vldaa_fswa_get(r, &set->tpm[VLDAA_TPM_NYM], &rd, v->z_tpm + 2 * r->d);
	err = vldaa_get_end(&rd);
	if (err)
		return err;

	vldaa_challenge_hat(set, v->c_hat, c_tilde, v->poly);
	vldaa_fswa_hat(r, VLDAA_HOST_POLYS, v->z_hat, v->z_host, v->poly);
	vldaa_fswa_hat(r, VLDAA_TPM_POLYS, v->z_hat + VLDAA_HOST_POLYS * vldaa_hat_len(r), v->z_tpm,
		       v->poly);
	recompute_commitment_rows(keys, v);
	recompute_credential_rows(keys, v, b_hat);
	vldaa_commit_digest(set, keys->key_id, v->t, v->w, digest);
	vldaa_create_challenge(set, keys->key_id, basename, v->nym, digest, v->w + VLDAA_W_3 * r->d,
			       v->w + VLDAA_W_N * r->d, nonce, expected);
	return vldaa_equal(expected, c_tilde, set->challenge_bytes) ? VLDAA_OK : VLDAA_ERR_PROOF;
}
