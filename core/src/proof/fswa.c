/* See fswa.h. */
#include "proof/fswa.h"

#include "random/secret.h"
#include "sampler/reject.h"
#include "wire/pack.h"

void vldaa_fswa_mask(const vldaa_ring *r, const vldaa_block *b, int64_t *y, vldaa_rng *rng)
{
	vldaa_mask_sample(y, (size_t)b->polys * r->d, b->width, rng);
}

int64_t vldaa_fswa_respond(const vldaa_ring *r, const vldaa_block *b, const uint32_t *c_hat,
			   const uint32_t *s_hat, int64_t *yz, const vldaa_fswa_scratch *scratch)
{
	vldaa_i128 n = 0;

	for (uint32_t i = 0; i < b->polys; i++) {
		int64_t *z = yz + (size_t)i * r->d;

		vldaa_hat_mul(r, scratch->hat, c_hat, s_hat + i * vldaa_hat_len(r));
		vldaa_hat_to_integers(r, scratch->poly, scratch->hat);
		for (uint32_t j = 0; j < r->d; j++)
			z[j] += scratch->poly[j];
		n += (vldaa_i128)vldaa_poly_norm2(r, scratch->poly);
		n -= 2 * vldaa_poly_inner(r, z, scratch->poly);
	}
	return vldaa_reject_term(n, b->width);
}

int vldaa_fswa_within(const vldaa_ring *r, const vldaa_block *b, const int64_t *z)
{
	vldaa_u128 bound = (vldaa_u128)b->bound2_high << 64 | b->bound2_low;
	vldaa_u128 norm2 = 0;

	for (uint32_t i = 0; i < b->polys; i++)
		norm2 += vldaa_poly_norm2(r, z + (size_t)i * r->d);
	return norm2 <= bound;
}

int vldaa_fswa_put(const vldaa_ring *r, const vldaa_block *b, vldaa_writer *w, const int64_t *z)
{
	size_t before = w->len;

	if (!vldaa_fswa_within(r, b, z))
		return VLDAA_ERR_NORM;
	vldaa_rice_encode_vartime(w, z, (size_t)b->polys * r->d, b->rice);
	return w->len - before <= b->max_bytes ? VLDAA_OK : VLDAA_ERR_NORM;
}

void vldaa_fswa_get(const vldaa_ring *r, const vldaa_block *b, vldaa_reader *rd, int64_t *z)
{
	size_t before = rd->pos;

	vldaa_rice_decode_vartime(rd, z, (size_t)b->polys * r->d, b->rice, b->max);
	if (!rd->error && (rd->pos - before > b->max_bytes || !vldaa_fswa_within(r, b, z)))
		vldaa_get_fail(rd, VLDAA_ERR_NORM);
}

void vldaa_fswa_hat(const vldaa_ring *r, size_t polys, uint32_t *out, const int64_t *z,
		    int64_t *scratch)
{
	for (size_t i = 0; i < polys; i++) {
		vldaa_poly_reduce(r, scratch, z + i * r->d);
		vldaa_hat_from_poly(r, out + i * vldaa_hat_len(r), scratch);
	}
}

void vldaa_knowledge_layout(vldaa_knowledge *k, const vldaa_ring *r, vldaa_arena *a)
{
	k->v = vldaa_arena_polys(a, r, 1);
	k->w = vldaa_arena_polys(a, r, 1);
	k->z = vldaa_arena_polys(a, r, 2);
	k->poly = vldaa_arena_polys(a, r, 1);
	k->x_hat = vldaa_arena_hats(a, r, 2);
	k->y_hat = vldaa_arena_hats(a, r, 2);
	k->c_hat = vldaa_arena_hats(a, r, 1);
	k->hat = vldaa_arena_hats(a, r, 1);
}

/* c~ = H("join", role, key id, bind, v, w). */
static void join_challenge(const vldaa_published_set *set, enum vldaa_join_role role,
			   const uint8_t *key_id, vldaa_bytes bind, const int64_t *v,
			   const int64_t *w, uint8_t *c_tilde)
{
	vldaa_shake s;

	vldaa_hash_init(&s, set->rate, VLDAA_DOMAIN_JOIN, set->id);
	vldaa_hash_u32(&s, role);
	vldaa_hash_part(&s, key_id, VLDAA_KEY_ID_BYTES);
	vldaa_hash_part(&s, bind.bytes, bind.len);
	vldaa_hash_poly(&set->ring, &s, v);
	vldaa_hash_poly(&set->ring, &s, w);
	vldaa_shake_squeeze(&s, c_tilde, set->challenge_bytes);
}

int vldaa_knowledge_prove(const vldaa_published_set *set, vldaa_knowledge *k,
			  enum vldaa_join_role role, const uint8_t *key_id, vldaa_bytes bind,
			  const uint32_t *a1_hat, const int64_t *x, vldaa_rng *rng,
			  vldaa_writer *out)
{
	const vldaa_ring *r = &set->ring;
	const vldaa_block *b = &set->join;
	const vldaa_fswa_scratch scratch = {k->hat, k->poly};
	uint8_t c_tilde[VLDAA_MAX_CHALLENGE_BYTES];
	int keep = 0;

	for (size_t i = 0; i < 2; i++)
		vldaa_hat_from_poly(r, k->x_hat + i * vldaa_hat_len(r), x + i * r->d);
	vldaa_member_public(r, k->v, a1_hat, x, k->y_hat);
	vldaa_secret_declassify(k->v, r->d * sizeof *k->v, "the member's public key is published");
	for (int attempt = 0; attempt < VLDAA_MAX_ATTEMPTS; attempt++) {
		vldaa_writer start = *out;

		vldaa_fswa_mask(r, b, k->z, rng);
		vldaa_member_public(r, k->w, a1_hat, k->z, k->y_hat);
		join_challenge(set, role, key_id, bind, k->v, k->w, c_tilde);
		vldaa_secret_declassify(
		    c_tilde, sizeof c_tilde,
		    "a challenge is a hash of a masked value: uniform, independent of the secret");
		vldaa_challenge_hat(set, k->c_hat, c_tilde, k->poly);
		int64_t t = vldaa_fswa_respond(r, b, k->c_hat, k->x_hat, k->z, &scratch);
		keep = vldaa_reject_keep(t, rng);
		vldaa_secret_declassify(
		    &keep, sizeof keep,
		    "the decision to retry has one probability for every secret");
		if (!keep)
			continue;
		vldaa_secret_declassify(
		    k->z, 2 * r->d * sizeof *k->z,
		    "an accepted response is distributed independently of the secret");
		vldaa_pack_uniform(r, out, k->v);
		vldaa_put_bytes(out, c_tilde, set->challenge_bytes);
		if (vldaa_fswa_put(r, b, out, k->z) == VLDAA_OK)
			return VLDAA_OK;
		*out = start;
	}
	return VLDAA_ERR_ATTEMPTS;
}

int vldaa_knowledge_verify(const vldaa_published_set *set, vldaa_knowledge *k,
			   enum vldaa_join_role role, const uint8_t *key_id, vldaa_bytes bind,
			   const uint32_t *a1_hat, vldaa_bytes in)
{
	const vldaa_ring *r = &set->ring;
	uint8_t c_tilde[VLDAA_MAX_CHALLENGE_BYTES];
	uint8_t expected[VLDAA_MAX_CHALLENGE_BYTES];
	vldaa_reader rd;
	int err;

	vldaa_get_init(&rd, in.bytes, in.len);
	vldaa_unpack_uniform(r, &rd, k->v);
	vldaa_get_bytes(&rd, c_tilde, set->challenge_bytes);
	vldaa_fswa_get(r, &set->join, &rd, k->z);
	err = vldaa_get_end(&rd);
	if (err)
		return err;
	/* w = z_0 + a_1 z_1 - c v */
	vldaa_challenge_hat(set, k->c_hat, c_tilde, k->poly);
	vldaa_fswa_hat(r, 2, k->y_hat, k->z, k->poly);
	vldaa_hat_from_poly(r, k->x_hat, k->v);
	vldaa_hat_mul_add(r, k->y_hat, a1_hat, k->y_hat + vldaa_hat_len(r));
	vldaa_hat_mul_sub(r, k->y_hat, k->c_hat, k->x_hat);
	vldaa_hat_to_poly(r, k->w, k->y_hat);
	join_challenge(set, role, key_id, bind, k->v, k->w, expected);
	return vldaa_equal(expected, c_tilde, set->challenge_bytes) ? VLDAA_OK : VLDAA_ERR_PROOF;
}
