/* See published_keys.h. */
#include "proof/published_keys.h"

#include "proof/fswa.h"
#include "random/secret.h"
#include "sampler/uniform.h"
#include "wire/pack.h"

void vldaa_public_expand(const vldaa_published_set *set, int64_t *out, const uint8_t *rho,
			 enum vldaa_public_element which)
{
	vldaa_shake s;

	vldaa_hash_init(&s, set->rate, VLDAA_DOMAIN_EXPAND, set->id);
	vldaa_hash_part(&s, rho, VLDAA_RHO_BYTES);
	vldaa_hash_u32(&s, which);
	vldaa_uniform_vartime(&set->ring, out, &s);
}

void vldaa_basename_hat(const vldaa_published_set *set, uint32_t *b_hat, const uint8_t *key_id,
			vldaa_bytes basename, int64_t *poly)
{
	vldaa_shake s;

	vldaa_hash_init(&s, set->rate, VLDAA_DOMAIN_BASENAME, set->id);
	vldaa_hash_part(&s, key_id, VLDAA_KEY_ID_BYTES);
	vldaa_hash_part(&s, basename.bytes, basename.len);
	vldaa_uniform_vartime(&set->ring, poly, &s);
	vldaa_hat_from_poly(&set->ring, b_hat, poly);
}

void vldaa_public_keys_layout(vldaa_public_keys *k, const vldaa_ring *r, vldaa_arena *a)
{
	uint32_t **hats[] = {&k->a0,  &k->a1,  &k->b0,        &k->b1,        &k->a11,
			     &k->a12, &k->a2,  &k->sigma_a11, &k->sigma_a12, &k->sigma_a2,
			     &k->at1, &k->ah1, &k->u};

	for (size_t i = 0; i < sizeof hats / sizeof hats[0]; i++)
		*hats[i] = vldaa_arena_hats(a, r, 1);
	k->u_poly = vldaa_arena_polys(a, r, 1);
}

int vldaa_public_keys_init(vldaa_public_keys *k, const vldaa_published_set *set,
			   const uint8_t *payload, const uint8_t *key_id)
{
	const vldaa_ring *r = &set->ring;
	int64_t poly[VLDAA_MAX_DEGREE];
	int64_t sigma[VLDAA_MAX_DEGREE];
	const struct {
		enum vldaa_public_element which;
		uint32_t *hat;
		uint32_t *sigma_hat;
	} elements[] = {
	    {VLDAA_EL_A0, k->a0, NULL},           {VLDAA_EL_A1, k->a1, NULL},
	    {VLDAA_EL_A11, k->a11, k->sigma_a11}, {VLDAA_EL_A12, k->a12, k->sigma_a12},
	    {VLDAA_EL_A2, k->a2, k->sigma_a2},    {VLDAA_EL_AT1, k->at1, NULL},
	    {VLDAA_EL_AH1, k->ah1, NULL},
	};
	vldaa_reader rd;

	k->set = set;
	for (size_t i = 0; i < VLDAA_KEY_ID_BYTES; i++)
		k->key_id[i] = key_id[i];
	for (size_t i = 0; i < sizeof elements / sizeof elements[0]; i++) {
		vldaa_public_expand(set, poly, payload, elements[i].which);
		vldaa_hat_from_poly(r, elements[i].hat, poly);
		if (elements[i].sigma_hat) {
			vldaa_poly_automorphism(r, sigma, poly, VLDAA_SIGMA);
			vldaa_hat_from_poly(r, elements[i].sigma_hat, sigma);
		}
	}
	vldaa_public_expand(set, k->u_poly, payload, VLDAA_EL_U);
	vldaa_hat_from_poly(r, k->u, k->u_poly);

	vldaa_get_init(&rd, payload + VLDAA_RHO_BYTES, 2 * vldaa_pack_uniform_size(r));
	vldaa_unpack_uniform(r, &rd, poly);
	vldaa_hat_from_poly(r, k->b0, poly);
	vldaa_unpack_uniform(r, &rd, poly);
	vldaa_hat_from_poly(r, k->b1, poly);
	return vldaa_get_end(&rd);
}

void vldaa_challenge_hat(const vldaa_published_set *set, uint32_t *c_hat, const uint8_t *c_tilde,
			 int64_t *poly)
{
	vldaa_challenge_vartime(&set->ring, poly, set->kappa, set->rate, set->id, c_tilde,
				set->challenge_bytes);
	vldaa_hat_from_poly(&set->ring, c_hat, poly);
}

void vldaa_hash_poly(const vldaa_ring *r, vldaa_shake *s, const int64_t *a)
{
	uint8_t bytes[VLDAA_MAX_POLY_BYTES];
	vldaa_writer w;

	vldaa_put_init(&w, bytes, sizeof bytes);
	vldaa_pack_uniform(r, &w, a);
	vldaa_hash_part(s, bytes, w.len);
}

void vldaa_member_public(const vldaa_ring *r, int64_t *out, const uint32_t *a1_hat,
			 const int64_t *e, uint32_t *hat)
{
	uint32_t *h1 = hat + vldaa_hat_len(r);

	vldaa_fswa_hat(r, 2, hat, e, out);
	vldaa_hat_mul_add(r, hat, a1_hat, h1);
	vldaa_hat_to_poly(r, out, hat);
}

int vldaa_member_sample(const vldaa_published_set *set, int64_t *e, vldaa_rng *rng)
{
	const vldaa_ring *r = &set->ring;

	vldaa_ternary(e + r->d, r->d, rng);
	for (int attempt = 0; attempt < VLDAA_MAX_ATTEMPTS; attempt++) {
		vldaa_cdt_sample(e, r->d, &set->error, rng);
		int within = vldaa_poly_norm2(r, e) <= set->error_bound2;
		vldaa_secret_declassify(&within, sizeof within,
					"a redraw says nothing about the value that is kept");
		if (within)
			return VLDAA_OK;
	}
	return VLDAA_ERR_ATTEMPTS;
}

size_t vldaa_member_pack_size(const vldaa_published_set *set)
{
	return vldaa_pack_small_size(set->ring.d, set->error.len) +
	       vldaa_pack_ternary_size(set->ring.d);
}

void vldaa_member_pack(const vldaa_published_set *set, vldaa_writer *w, const int64_t *e)
{
	vldaa_pack_small(w, e, set->ring.d, set->error.len);
	vldaa_pack_ternary(w, e + set->ring.d, set->ring.d);
}

void vldaa_member_unpack(const vldaa_published_set *set, vldaa_reader *rd, int64_t *e)
{
	vldaa_unpack_small(rd, e, set->ring.d, set->error.len);
	vldaa_unpack_ternary(rd, e + set->ring.d, set->ring.d);
	int within = vldaa_poly_norm2(&set->ring, e) <= set->error_bound2;
	vldaa_secret_declassify(&within, sizeof within,
				"every stored key is within the bound: that it is tells nothing");
	if (!rd->error && !within)
		vldaa_get_fail(rd, VLDAA_ERR_NORM);
}
