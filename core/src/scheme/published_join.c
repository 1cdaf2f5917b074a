/*
 * Join of the published sets: member keys, their proofs, the credential.
 *
 *     [A' | B + i g] s = u + u_T + u_H   (mod q)                                        (1)
 */
#include "scheme/published.h"

#include <string.h>

#include "random/secret.h"
#include "wire/pack.h"

int vldaa_published_put_credential(const vldaa_published_set *n, vldaa_writer *w,
				   const int64_t tag[2], const int64_t *s)
{
	const vldaa_ring *r = &n->ring;
	vldaa_u128 bound = (vldaa_u128)n->credential_bound2_high << 64 | n->credential_bound2_low;

	for (size_t i = 0; i < 2; i++)
		vldaa_put_u32(w, (uint32_t)(tag[i] < 0 ? tag[i] + r->q : tag[i]));
	for (size_t i = 0; i < 2; i++) {
		const int64_t *si = s + 2 * i * r->d;
		size_t before = w->len;

		if (vldaa_poly_norm2(r, si) + vldaa_poly_norm2(r, si + r->d) > bound)
			return VLDAA_ERR_NORM;
		vldaa_rice_encode_vartime(w, si, 2 * (size_t)r->d, n->credential_rice);
		if (w->len - before > n->credential_max_bytes)
			return VLDAA_ERR_NORM;
	}
	return VLDAA_OK;
}

void vldaa_published_get_credential(const vldaa_published_set *n, vldaa_reader *rd, int64_t tag[2],
				    int64_t *s)
{
	const vldaa_ring *r = &n->ring;
	vldaa_u128 bound = (vldaa_u128)n->credential_bound2_high << 64 | n->credential_bound2_low;

	for (size_t i = 0; i < 2; i++) {
		tag[i] = vldaa_get_u32(rd);
		if (tag[i] >= r->q)
			vldaa_get_fail(rd, VLDAA_ERR_RANGE);
		if (tag[i] > r->q / 2)
			tag[i] -= r->q;
	}
	if (!rd->error && tag[0] == 0 && tag[1] == 0)
		vldaa_get_fail(rd, VLDAA_ERR_RANGE);
	for (size_t i = 0; i < 2; i++) {
		int64_t *si = s + 2 * i * r->d;
		size_t before = rd->pos;

		vldaa_rice_decode_vartime(rd, si, 2 * (size_t)r->d, n->credential_rice,
					  n->credential_max);
		if (!rd->error &&
		    (rd->pos - before > n->credential_max_bytes ||
		     vldaa_poly_norm2(r, si) + vldaa_poly_norm2(r, si + r->d) > bound))
			vldaa_get_fail(rd, VLDAA_ERR_NORM);
	}
}

/* --- TPM -------------------------------------------------------------------------------------- */

int vldaa_published_tpm_keygen(const vldaa_set *set, void *workspace, const vldaa_tpm_key *group,
			       vldaa_rng *rng, uint8_t *secret)
{
	const vldaa_published_set *n = vldaa_published_numbers(set);
	vldaa_published_tpm *t = workspace;
	vldaa_writer w;
	int err;

	(void)group;
	(void)vldaa_published_place_tpm(n, workspace);
	err = vldaa_member_sample(n, t->blind.e, rng);
	if (err)
		return err;
	vldaa_put_init(&w, secret, vldaa_member_pack_size(n));
	vldaa_member_pack(n, &w, t->blind.e);
	vldaa_rng_bytes(rng, secret + w.len, VLDAA_PRF_KEY_BYTES);
	return VLDAA_OK;
}

int vldaa_published_load_tpm(const vldaa_tpm_key *key, vldaa_published_tpm *t,
			     const uint8_t **prf_key)
{
	const vldaa_published_set *n = vldaa_published_numbers(key->set);
	size_t member = vldaa_member_pack_size(n);
	vldaa_reader rd;

	(void)vldaa_published_place_tpm(n, t);
	vldaa_get_init(&rd, key->secret, member);
	vldaa_member_unpack(n, &rd, t->blind.e);
	*prf_key = key->secret + member;
	/* What the store gives back is what the TPM wrote: anything else is the store's failure. */
	return vldaa_get_end(&rd) ? VLDAA_ERR_STORE : VLDAA_OK;
}

int vldaa_published_tpm_join(const vldaa_tpm_key *key, void *workspace, vldaa_bytes bind,
			     vldaa_rng *rng, vldaa_writer *out)
{
	const vldaa_published_set *n = vldaa_published_numbers(key->set);
	vldaa_published_tpm *t = workspace;
	const uint8_t *prf_key;
	int err = vldaa_published_load_tpm(key, t, &prf_key);

	if (err)
		return err;
	vldaa_public_expand(n, t->blind.poly, key->group, VLDAA_EL_AT1);
	vldaa_hat_from_poly(&n->ring, t->blind.at1, t->blind.poly);
	return vldaa_knowledge_prove(n, &t->knowledge, VLDAA_JOIN_TPM, key->key_id, bind,
				     t->blind.at1, t->blind.e, rng, out);
}

int vldaa_published_tpm_public(const vldaa_tpm_key *key, void *workspace, uint8_t *member_tpm)
{
	const vldaa_published_set *n = vldaa_published_numbers(key->set);
	vldaa_published_tpm *t = workspace;
	const uint8_t *prf_key;
	vldaa_writer w;
	int err = vldaa_published_load_tpm(key, t, &prf_key);

	if (err)
		return err;
	vldaa_public_expand(n, t->blind.poly, key->group, VLDAA_EL_AT1);
	vldaa_hat_from_poly(&n->ring, t->blind.at1, t->blind.poly);
	vldaa_member_public(&n->ring, t->blind.w, t->blind.at1, t->blind.e, t->blind.y_hat);
	vldaa_secret_declassify(t->blind.w, n->ring.d * sizeof *t->blind.w,
				"the member's public key is published");
	vldaa_put_init(&w, member_tpm, vldaa_pack_uniform_size(&n->ring));
	vldaa_pack_uniform(&n->ring, &w, t->blind.w);
	return VLDAA_OK;
}

/* The published sets leave the credential to the host. */
int vldaa_published_tpm_accept(const vldaa_tpm_key *key, void *workspace, vldaa_bytes credential,
			       vldaa_writer *keep, vldaa_writer *hand_over)
{
	(void)key;
	(void)workspace;
	(void)keep;
	vldaa_put_bytes(hand_over, credential.bytes, credential.len);
	return VLDAA_OK;
}

/* --- host ------------------------------------------------------------------------------------- */

int vldaa_published_host_keygen(const void *group, void *host, vldaa_rng *rng, uint8_t *secret)
{
	const vldaa_published_group *g = group;
	const vldaa_published_set *n = g->keys.set;
	vldaa_published_host *h = host;
	vldaa_writer w;
	int err;

	(void)vldaa_published_place_host(n, host);
	err = vldaa_member_sample(n, h->e, rng);
	if (err)
		return err;
	vldaa_put_init(&w, secret, vldaa_member_pack_size(n));
	vldaa_member_pack(n, &w, h->e);
	return VLDAA_OK;
}

static int load_credential(vldaa_published_host *h, vldaa_bytes credential)
{
	const vldaa_published_set *n = h->group->keys.set;
	vldaa_reader rd;
	int err;

	vldaa_get_init(&rd, credential.bytes, credential.len);
	vldaa_published_get_credential(n, &rd, h->tag, h->s);
	err = vldaa_get_end(&rd);
	if (err)
		return err;
	for (size_t i = 0; i < 4; i++) {
		vldaa_hat_from_poly(&n->ring, h->s_hat + i * vldaa_hat_len(&n->ring),
				    h->s + i * n->ring.d);
	}
	return VLDAA_OK;
}

int vldaa_published_host_init(void *host, const void *group, const uint8_t *secret,
			      vldaa_bytes credential)
{
	const vldaa_published_group *g = group;
	const vldaa_published_set *n = g->keys.set;
	vldaa_published_host *h = host;
	vldaa_reader rd;
	int err;

	(void)vldaa_published_place_host(n, host);
	h->group = g;
	h->creating = 0;
	h->has_credential = 0;
	vldaa_get_init(&rd, secret, vldaa_member_pack_size(n));
	vldaa_member_unpack(n, &rd, h->e);
	err = vldaa_get_end(&rd);
	if (err)
		return err;
	for (size_t i = 0; i < 2; i++) {
		vldaa_hat_from_poly(&n->ring, h->e_hat + i * vldaa_hat_len(&n->ring),
				    h->e + i * n->ring.d);
	}
	if (credential.len == 0)
		return VLDAA_OK;
	err = load_credential(h, credential);
	h->has_credential = !err;
	return err;
}

int vldaa_published_host_join(void *host, vldaa_bytes bind, vldaa_rng *rng, vldaa_writer *out)
{
	vldaa_published_host *h = host;
	const vldaa_public_keys *k = &h->group->keys;

	return vldaa_knowledge_prove(k->set, &h->knowledge, VLDAA_JOIN_HOST, k->key_id, bind,
				     k->ah1, h->e, rng, out);
}

/* Checks (1): A' s_1 + (B + i g) s_2 - u - u_T - u_H = 0 modulo q; the norms by the decoder. */
int vldaa_published_host_accept(void *host, const uint8_t *member_tpm, vldaa_bytes credential)
{
	vldaa_published_host *h = host;
	const vldaa_public_keys *k = &h->group->keys;
	const vldaa_ring *r = &k->set->ring;
	size_t n = vldaa_hat_len(r);
	uint32_t *acc = h->blind.hat;
	uint32_t *tag_g = h->blind.hat + n;
	int64_t *poly = h->blind.poly;
	vldaa_reader rd;
	int err = load_credential(h, credential);

	h->has_credential = 0;
	if (err)
		return err;
	vldaa_get_init(&rd, member_tpm, vldaa_pack_uniform_size(r));
	vldaa_unpack_uniform(r, &rd, h->u);
	err = vldaa_get_end(&rd);
	if (err)
		return err;
	vldaa_member_public(r, poly, k->ah1, h->e, h->blind.y_hat);
	vldaa_poly_add(r, h->u, h->u, poly);
	vldaa_poly_add(r, h->u, h->u, k->u_poly);

	/* products of s modulo q: reduced first, as s exceeds q in these sets */
	vldaa_fswa_hat(r, 4, h->blind.y_hat, h->s, poly);
	vldaa_hat_mul(r, acc, k->a0, h->blind.y_hat);
	vldaa_hat_mul_add(r, acc, k->a1, h->blind.y_hat + n);
	vldaa_hat_mul_add(r, acc, k->b0, h->blind.y_hat + 2 * n);
	vldaa_hat_mul_add(r, acc, k->b1, h->blind.y_hat + 3 * n);
	for (size_t j = 0; j < 2; j++) {
		memset(poly, 0, r->d * sizeof *poly);
		poly[0] = h->tag[0];
		poly[r->d / 2] = h->tag[1];
		if (j == 1)
			vldaa_poly_scale(r, poly, k->set->delta, poly);
		vldaa_hat_from_poly(r, tag_g, poly);
		vldaa_hat_mul_add(r, acc, tag_g, h->blind.y_hat + (2 + j) * n);
	}
	vldaa_hat_to_poly(r, poly, acc);
	vldaa_poly_sub(r, poly, poly, h->u);
	int holds = vldaa_poly_norm2(r, poly) == 0;
	vldaa_secret_declassify(&holds, sizeof holds,
				"whether the issuer's answer is valid may be known");
	if (!holds)
		return VLDAA_ERR_CREDENTIAL;
	h->has_credential = 1;
	return VLDAA_OK;
}

/* --- issuer ----------------------------------------------------------------------------------- */

int vldaa_published_join_verify(const void *group, void *workspace, vldaa_bytes bind_tpm,
				vldaa_bytes bind_host, vldaa_bytes join_tpm, vldaa_bytes join_host,
				uint8_t *member_tpm, uint8_t *member_host)
{
	const vldaa_public_keys *k = &((const vldaa_published_group *)group)->keys;
	const vldaa_published_set *n = k->set;
	vldaa_published_workspace *w = workspace;
	size_t poly = vldaa_pack_uniform_size(&n->ring);
	vldaa_writer out;
	int err;

	(void)vldaa_published_place_workspace(n, workspace);
	err = vldaa_knowledge_verify(n, &w->knowledge, VLDAA_JOIN_TPM, k->key_id, bind_tpm, k->at1,
				     join_tpm);
	if (err)
		return err;
	vldaa_put_init(&out, member_tpm, poly);
	vldaa_pack_uniform(&n->ring, &out, w->knowledge.v);
	err = vldaa_knowledge_verify(n, &w->knowledge, VLDAA_JOIN_HOST, k->key_id, bind_host,
				     k->ah1, join_host);
	if (err)
		return err;
	vldaa_put_init(&out, member_host, poly);
	vldaa_pack_uniform(&n->ring, &out, w->knowledge.v);
	return VLDAA_OK;
}

/* A uniform residue modulo q, centred, from the stream. */
static int64_t uniform_residue(const vldaa_ring *r, vldaa_rng *rng)
{
	uint64_t mask = (UINT64_C(1) << r->q_bits) - 1;
	int64_t x;

	do
		x = (int64_t)(vldaa_rng_u64(rng) & mask);
	while (x >= r->q);
	return x > r->q / 2 ? x - r->q : x;
}

int vldaa_published_issue(void *issuer, const uint8_t *member_tpm, const uint8_t *member_host,
			  vldaa_rng *rng, uint8_t *tag_bytes, vldaa_writer *credential)
{
	vldaa_published_issuer *is = issuer;
	const vldaa_public_keys *k = &is->group->keys;
	const vldaa_published_set *n = k->set;
	const vldaa_ring *r = &n->ring;
	const vldaa_writer start = *credential;
	int64_t tag[2];
	int err = VLDAA_ERR_ATTEMPTS;

	memcpy(is->target, k->u_poly, r->d * sizeof *is->target);
	for (size_t i = 0; i < 2; i++) {
		vldaa_reader rd;

		vldaa_get_init(&rd, i ? member_host : member_tpm, vldaa_pack_uniform_size(r));
		vldaa_unpack_uniform(r, &rd, is->poly);
		if (vldaa_get_end(&rd))
			return vldaa_get_end(&rd);
		vldaa_poly_add(r, is->target, is->target, is->poly);
	}
	do {
		tag[0] = uniform_residue(r, rng);
		tag[1] = uniform_residue(r, rng);
	} while (tag[0] == 0 && tag[1] == 0);
	for (int attempt = 0; attempt < VLDAA_MAX_ATTEMPTS && err; attempt++) {
		*credential = start;
		vldaa_sample_gaussian(n, is->perturb, is->R_hat, is->aprime_hat, tag, is->target,
				      is->s, is->scratch, rng);
		err = vldaa_published_put_credential(n, credential, tag, is->s);
	}
	if (!err && tag_bytes) {
		vldaa_writer w;

		vldaa_put_init(&w, tag_bytes, 2 * sizeof(uint32_t));
		for (size_t i = 0; i < 2; i++)
			vldaa_put_u32(&w, (uint32_t)(tag[i] < 0 ? tag[i] + r->q : tag[i]));
	}
	vldaa_wipe(is->s, 4 * r->d * sizeof *is->s);
	return err ? VLDAA_ERR_ATTEMPTS : VLDAA_OK;
}
