/* The scheme of the published sets: its table, sizes, contexts, and Setup.  See published.h. */
#include "scheme/published.h"

#include <string.h>

#include "random/secret.h"
#include "wire/pack.h"

/* Where a context starts: in the caller's memory, or (counting) in a local one. */
static void *first(vldaa_arena *a, void *at, size_t len, void *local)
{
	void *p;

	vldaa_arena_init(a, at, SIZE_MAX);
	p = vldaa_arena_take(a, len);
	return p ? p : local;
}

size_t vldaa_published_place_group(const vldaa_published_set *n, void *at)
{
	vldaa_arena a;
	vldaa_published_group local;
	vldaa_published_group *g = first(&a, at, sizeof *g, &local);

	vldaa_public_keys_layout(&g->keys, &n->ring, &a);
	return a.used;
}

size_t vldaa_published_place_issuer(const vldaa_published_set *n, void *at)
{
	vldaa_arena a;
	vldaa_published_issuer local;
	vldaa_published_issuer *i = first(&a, at, sizeof *i, &local);

	i->R_hat = vldaa_arena_hats(&a, &n->ring, 4);
	i->aprime_hat = vldaa_arena_hats(&a, &n->ring, 2);
	i->perturb = vldaa_arena_take(&a, vldaa_perturb_size(n));
	i->R = vldaa_arena_polys(&a, &n->ring, 4);
	i->target = vldaa_arena_polys(&a, &n->ring, 1);
	i->s = vldaa_arena_polys(&a, &n->ring, 4);
	i->poly = vldaa_arena_polys(&a, &n->ring, 2);
	i->scratch = vldaa_arena_take(&a, vldaa_sample_gaussian_scratch(n));
	return a.used;
}

size_t vldaa_published_place_host(const vldaa_published_set *n, void *at)
{
	vldaa_arena a;
	vldaa_published_host local;
	vldaa_published_host *h = first(&a, at, sizeof *h, &local);

	h->e = vldaa_arena_polys(&a, &n->ring, 2);
	h->s = vldaa_arena_polys(&a, &n->ring, 4);
	h->u = vldaa_arena_polys(&a, &n->ring, 1);
	h->e_hat = vldaa_arena_hats(&a, &n->ring, 2);
	h->s_hat = vldaa_arena_hats(&a, &n->ring, 4);
	h->b_hat = vldaa_arena_hats(&a, &n->ring, 1);
	vldaa_knowledge_layout(&h->knowledge, &n->ring, &a);
	vldaa_blind_host_layout(&h->blind, &n->ring, &a);
	vldaa_blind_verify_layout(&h->verify, &n->ring, &a);
	return a.used;
}

size_t vldaa_published_place_tpm(const vldaa_published_set *n, void *at)
{
	vldaa_arena a;
	vldaa_published_tpm local;
	vldaa_published_tpm *t = first(&a, at, sizeof *t, &local);

	vldaa_blind_tpm_layout(&t->blind, &n->ring, &a);
	vldaa_knowledge_layout(&t->knowledge, &n->ring, &a);
	return a.used;
}

size_t vldaa_published_place_pseudonym(const vldaa_published_set *n, void *at)
{
	vldaa_arena a;
	vldaa_published_pseudonym local;
	vldaa_published_pseudonym *p = first(&a, at, sizeof *p, &local);

	p->b_hat = vldaa_arena_hats(&a, &n->ring, 1);
	p->nym_hat = vldaa_arena_hats(&a, &n->ring, 1);
	p->nym = vldaa_arena_polys(&a, &n->ring, 1);
	p->nym_bytes = vldaa_arena_take(&a, vldaa_pack_uniform_size(&n->ring));
	return a.used;
}

size_t vldaa_published_place_workspace(const vldaa_published_set *n, void *at)
{
	vldaa_arena a;
	vldaa_published_workspace local;
	vldaa_published_workspace *w = first(&a, at, sizeof *w, &local);

	vldaa_knowledge_layout(&w->knowledge, &n->ring, &a);
	vldaa_blind_verify_layout(&w->blind, &n->ring, &a);
	vldaa_nym_verify_layout(&w->nym, &n->ring, &a);
	w->hat = vldaa_arena_hats(&a, &n->ring, 2);
	w->poly = vldaa_arena_polys(&a, &n->ring, 2);
	return a.used;
}

static size_t published_size(const vldaa_set *set, enum vldaa_part part)
{
	const vldaa_published_set *n = vldaa_published_numbers(set);
	size_t poly = vldaa_pack_uniform_size(&n->ring);
	size_t member = vldaa_member_pack_size(n);
	size_t reply = n->challenge_bytes + VLDAA_CREATE_NONCE_BYTES + poly +
		       n->tpm[VLDAA_TPM_E].max_bytes + n->tpm[VLDAA_TPM_NYM].max_bytes;
	size_t host = 0;

	for (size_t i = 0; i < VLDAA_HOST_BLOCKS; i++)
		host += n->host[i].max_bytes;
	switch (part) {
	case VLDAA_PART_GROUP:
		return VLDAA_RHO_BYTES + 2 * poly;
	case VLDAA_PART_ISSUER:
		return vldaa_pack_ternary_size(4 * (size_t)n->ring.d);
	case VLDAA_PART_TPM_SECRET:
		return member + VLDAA_PRF_KEY_BYTES;
	case VLDAA_PART_HOST_SECRET:
	case VLDAA_PART_NYM_SECRET:
	case VLDAA_PART_ROGUE:
		return member;
	case VLDAA_PART_BARE:
	case VLDAA_PART_PUBLIC_KEY:
		return 0;
	case VLDAA_PART_MEMBER_TPM:
	case VLDAA_PART_MEMBER_HOST:
	case VLDAA_PART_NYM:
		return poly;
	case VLDAA_PART_TAG:
		return 2 * sizeof(uint32_t);
	case VLDAA_PART_JOIN_TPM:
	case VLDAA_PART_JOIN_HOST:
		return poly + n->challenge_bytes + n->join.max_bytes;
	case VLDAA_PART_CREDENTIAL:
		return 2 * sizeof(uint32_t) + 2 * (size_t)n->credential_max_bytes;
	case VLDAA_PART_CREATE_CALL:
		return VLDAA_COMMIT_DIGEST_BYTES + poly;
	case VLDAA_PART_CREATE_REPLY:
		return reply;
	case VLDAA_PART_ATTESTATION:
		return reply + VLDAA_COMMITMENTS * poly + host;
	case VLDAA_PART_SIGN:
		return n->challenge_bytes + n->sign[VLDAA_SIGN_E1].max_bytes +
		       n->sign[VLDAA_SIGN_NYM].max_bytes;
	case VLDAA_PART_GROUP_CONTEXT:
		return vldaa_published_place_group(n, NULL);
	case VLDAA_PART_ISSUER_CONTEXT:
		return vldaa_published_place_issuer(n, NULL);
	case VLDAA_PART_HOST_CONTEXT:
		return vldaa_published_place_host(n, NULL);
	case VLDAA_PART_NYM_CONTEXT:
	case VLDAA_PART_NYM_CONTEXT_SECRET:
		return vldaa_published_nym_key_size(n);
	case VLDAA_PART_NYM_LOAD_WORKSPACE:
	case VLDAA_PART_NYM_SIGN_WORKSPACE:
	case VLDAA_PART_TPM_WORKSPACE:
		return vldaa_published_place_tpm(n, NULL);
	case VLDAA_PART_PSEUDONYM_CONTEXT:
		return vldaa_published_place_pseudonym(n, NULL);
	case VLDAA_PART_VERIFY_WORKSPACE:
		return vldaa_published_place_workspace(n, NULL);
	}
	return 0;
}

/*
 * Setup: rho, R <- {-1,0,1}^(2x2), B = -A' R: b_j = -(a_0 R_0j + a_1 R_1j).
 * issuer: R packed ternary, row-major; group: rho || b_0 || b_1.
 */
int vldaa_published_issuer_keygen(const vldaa_set *set, vldaa_ntru_solver *solve, vldaa_rng *rng,
				  uint8_t *issuer, uint8_t *group)
{
	const vldaa_published_set *n = vldaa_published_numbers(set);
	const vldaa_ring *r = &n->ring;
	size_t d = r->d;
	int64_t R[4 * VLDAA_MAX_DEGREE];
	int64_t poly[VLDAA_MAX_DEGREE];
	uint32_t a_hat[2][VLDAA_MAX_PRIMES * VLDAA_MAX_DEGREE];
	uint32_t r_hat[VLDAA_MAX_PRIMES * VLDAA_MAX_DEGREE];
	uint32_t acc[VLDAA_MAX_PRIMES * VLDAA_MAX_DEGREE];
	vldaa_writer w;
	int err;

	(void)solve;
	vldaa_rng_bytes(rng, group, VLDAA_RHO_BYTES);
	err = vldaa_trapdoor_generate(n, R, rng);
	if (!err) {
		vldaa_put_init(&w, issuer, published_size(set, VLDAA_PART_ISSUER));
		vldaa_pack_ternary(&w, R, 4 * d);
		vldaa_put_init(&w, group + VLDAA_RHO_BYTES, 2 * vldaa_pack_uniform_size(r));
		for (size_t i = 0; i < 2; i++) {
			vldaa_public_expand(n, poly, group, i ? VLDAA_EL_A1 : VLDAA_EL_A0);
			vldaa_hat_from_poly(r, a_hat[i], poly);
		}
		for (size_t j = 0; j < 2; j++) {
			vldaa_hat_zero(r, acc);
			for (size_t i = 0; i < 2; i++) {
				vldaa_hat_from_poly(r, r_hat, R + (2 * i + j) * d);
				vldaa_hat_mul_sub(r, acc, a_hat[i], r_hat);
			}
			vldaa_hat_to_poly(r, poly, acc);
			vldaa_pack_uniform(r, &w, poly);
		}
	}
	vldaa_wipe(R, sizeof R);
	vldaa_wipe(r_hat, sizeof r_hat);
	return err;
}

int vldaa_published_group_init(void *group, const vldaa_set *set, const uint8_t *payload,
			       const uint8_t *key_id)
{
	const vldaa_published_set *n = vldaa_published_numbers(set);
	vldaa_published_group *g = group;

	(void)vldaa_published_place_group(n, group);
	if (!payload) {
		g->keys.set = n;
		memcpy(g->keys.key_id, key_id, sizeof g->keys.key_id);
		return VLDAA_OK;
	}
	return vldaa_public_keys_init(&g->keys, n, payload, key_id);
}

/* Checks B + A' R = 0 modulo q, and prepares the sampler for R. */
int vldaa_published_issuer_init(void *issuer, const void *group, const uint8_t *payload)
{
	const vldaa_published_group *g = group;
	const vldaa_published_set *n = g->keys.set;
	const vldaa_ring *r = &n->ring;
	size_t d = r->d;
	size_t hat = vldaa_hat_len(r);
	vldaa_published_issuer *is = issuer;
	uint32_t acc[VLDAA_MAX_PRIMES * VLDAA_MAX_DEGREE];
	vldaa_reader rd;
	int err;

	(void)vldaa_published_place_issuer(n, issuer);
	is->group = g;
	vldaa_get_init(&rd, payload, vldaa_pack_ternary_size(4 * d));
	vldaa_unpack_ternary(&rd, is->R, 4 * d);
	err = vldaa_get_end(&rd);
	if (err)
		return err;
	memcpy(is->aprime_hat, g->keys.a0, hat * sizeof *is->aprime_hat);
	memcpy(is->aprime_hat + hat, g->keys.a1, hat * sizeof *is->aprime_hat);
	for (size_t i = 0; i < 4; i++)
		vldaa_hat_from_poly(r, is->R_hat + i * hat, is->R + i * d);
	for (size_t j = 0; j < 2; j++) {
		memcpy(acc, j ? g->keys.b1 : g->keys.b0, hat * sizeof *acc);
		for (size_t i = 0; i < 2; i++) {
			vldaa_hat_mul_add(r, acc, is->aprime_hat + i * hat,
					  is->R_hat + (2 * i + j) * hat);
		}
		vldaa_hat_to_poly(r, is->poly, acc);
		if (vldaa_poly_norm2(r, is->poly) != 0)
			return VLDAA_ERR_KEY;
	}
	return vldaa_perturb_init(is->perturb, n, is->R);
}

static uint32_t published_creates(const vldaa_set *set)
{
	(void)set;
	return 0;
}

static void published_tpm_wipe(const vldaa_set *set, void *workspace, size_t size)
{
	(void)set;
	vldaa_wipe(workspace, size);
}

static void published_about(const vldaa_set *set, vldaa_set_about *about)
{
	const vldaa_published_set *n = vldaa_published_numbers(set);

	about->name = n->name;
	about->id = n->id;
	about->signature_bits = n->signature_bits;
	about->key_bits = n->key_recovery_bits;
	about->anonymity_bits = n->anonymity_bits;
	about->warning = n->warning;
}

const vldaa_scheme vldaa_scheme_published = {
    .name = "Fiat-Shamir with aborts (SC24)",
    .about = published_about,
    .creates = published_creates,
    .size = published_size,
    .issuer_keygen = vldaa_published_issuer_keygen,
    .group_init = vldaa_published_group_init,
    .issuer_init = vldaa_published_issuer_init,
    .tpm_keygen = vldaa_published_tpm_keygen,
    .tpm_wipe = published_tpm_wipe,
    .tpm_join = vldaa_published_tpm_join,
    .host_keygen = vldaa_published_host_keygen,
    .host_init = vldaa_published_host_init,
    .host_join = vldaa_published_host_join,
    .join_verify = vldaa_published_join_verify,
    .issue = vldaa_published_issue,
    .tpm_accept = vldaa_published_tpm_accept,
    .tpm_public = vldaa_published_tpm_public,
    .host_accept = vldaa_published_host_accept,
    .host_create_begin = vldaa_published_host_create_begin,
    .tpm_create = vldaa_published_tpm_create,
    .host_create_step = vldaa_published_host_create_step,
    .tpm_nym = vldaa_published_tpm_nym,
    .sign_begin = vldaa_published_sign_begin,
    .sign_end = vldaa_published_sign_end,
    .nym_secret = vldaa_published_nym_secret,
    .nym_load = vldaa_published_nym_load,
    .nym_sign_begin = vldaa_published_nym_sign_begin,
    .nym_sign_end = vldaa_published_nym_sign_end,
    .attestation_verify = vldaa_published_attestation_verify,
    .nym_init = vldaa_published_nym_init,
    .verify_begin = vldaa_published_verify_begin,
    .verify_end = vldaa_published_verify_end,
    .pseudonym_nym = vldaa_published_pseudonym_nym,
    .linked = vldaa_published_linked,
    .rogue_nym = vldaa_published_rogue_nym,
    .rogue_member = vldaa_published_rogue_member,
    .rogue_check = vldaa_published_rogue_check,
    .rogue_entry = vldaa_published_rogue_entry,
    .member_near = vldaa_published_member_near,
};
