/* The verifier's side of the published sets: attestations, message signatures, Link, the rogue
 * list. */
#include "scheme/published.h"

#include <string.h>

#include "random/secret.h"
#include "wire/pack.h"

/* Fills a pseudonym context; nym: centred coefficients. */
static void set_pseudonym(vldaa_published_pseudonym *p, const int64_t *nym)
{
	const vldaa_ring *r = &p->set->ring;
	vldaa_writer w;

	memcpy(p->nym, nym, r->d * sizeof *nym);
	vldaa_hat_from_poly(r, p->nym_hat, nym);
	vldaa_put_init(&w, p->nym_bytes, vldaa_pack_uniform_size(r));
	vldaa_pack_uniform(r, &w, nym);
}

int vldaa_published_attestation_verify(const void *group, void *workspace, vldaa_bytes basename,
				       vldaa_bytes payload, void *pseudonym)
{
	const vldaa_public_keys *k = &((const vldaa_published_group *)group)->keys;
	vldaa_published_workspace *w = workspace;
	vldaa_published_pseudonym *p = pseudonym;
	int err;

	(void)vldaa_published_place_workspace(k->set, workspace);
	(void)vldaa_published_place_pseudonym(k->set, pseudonym);
	p->set = k->set;
	vldaa_basename_hat(k->set, p->b_hat, k->key_id, basename, w->poly);
	err = vldaa_blind_verify_run(k, &w->blind, basename, p->b_hat, payload);
	if (err)
		return err;
	set_pseudonym(p, w->blind.nym);
	return VLDAA_OK;
}

int vldaa_published_nym_init(const void *group, void *workspace, vldaa_bytes basename,
			     const uint8_t *nym, void *pseudonym)
{
	const vldaa_public_keys *k = &((const vldaa_published_group *)group)->keys;
	vldaa_published_workspace *w = workspace;
	vldaa_published_pseudonym *p = pseudonym;
	vldaa_reader rd;
	int err;

	(void)vldaa_published_place_workspace(k->set, workspace);
	(void)vldaa_published_place_pseudonym(k->set, pseudonym);
	p->set = k->set;
	vldaa_get_init(&rd, nym, vldaa_pack_uniform_size(&k->set->ring));
	vldaa_unpack_uniform(&k->set->ring, &rd, w->poly + k->set->ring.d);
	err = vldaa_get_end(&rd);
	if (err)
		return err;
	vldaa_basename_hat(k->set, p->b_hat, k->key_id, basename, w->poly);
	set_pseudonym(p, w->poly + k->set->ring.d);
	return VLDAA_OK;
}

int vldaa_published_verify_begin(const void *group, const void *pseudonym,
				 const vldaa_sign_subject *about, vldaa_message *message)
{
	(void)pseudonym;
	(void)about;
	vldaa_message_digest_begin(((const vldaa_published_group *)group)->keys.set, message);
	return VLDAA_OK;
}

int vldaa_published_verify_end(const void *group, void *workspace, const void *pseudonym,
			       const vldaa_sign_subject *about, vldaa_message *message,
			       vldaa_bytes signature)
{
	const vldaa_public_keys *k = &((const vldaa_published_group *)group)->keys;
	const vldaa_published_pseudonym *p = pseudonym;
	vldaa_published_workspace *w = workspace;
	uint8_t digest[VLDAA_MESSAGE_DIGEST_BYTES];

	(void)vldaa_published_place_workspace(k->set, workspace);
	vldaa_message_digest_end(message, digest);
	return vldaa_nym_verify_run(k->set, &w->nym, p->b_hat, p->nym, p->nym_hat, about, digest,
				    signature);
}

const uint8_t *vldaa_published_pseudonym_nym(const void *pseudonym)
{
	return ((const vldaa_published_pseudonym *)pseudonym)->nym_bytes;
}

/* ||a - b||^2 <= q^2 d / 64, the difference centred. */
static int near(const vldaa_published_set *n, int64_t *a, const int64_t *b)
{
	vldaa_poly_sub(&n->ring, a, a, b);
	return vldaa_poly_norm2(&n->ring, a) <= n->link_bound2;
}

int vldaa_published_linked(const vldaa_set *set, const uint8_t *nym, const uint8_t *other)
{
	const vldaa_published_set *n = vldaa_published_numbers(set);
	int64_t a[VLDAA_MAX_DEGREE];
	int64_t b[VLDAA_MAX_DEGREE];
	vldaa_reader rd;
	int err;

	vldaa_get_init(&rd, nym, vldaa_pack_uniform_size(&n->ring));
	vldaa_unpack_uniform(&n->ring, &rd, a);
	err = vldaa_get_end(&rd);
	if (err)
		return err;
	vldaa_get_init(&rd, other, vldaa_pack_uniform_size(&n->ring));
	vldaa_unpack_uniform(&n->ring, &rd, b);
	err = vldaa_get_end(&rd);
	return err ? err : near(n, a, b);
}

/* Entry into the workspace: e_T, 2 polynomials. */
static int read_entry(const vldaa_published_set *n, vldaa_published_workspace *w,
		      const uint8_t *entry)
{
	vldaa_reader rd;

	vldaa_get_init(&rd, entry, vldaa_member_pack_size(n));
	vldaa_member_unpack(n, &rd, w->poly);
	return vldaa_get_end(&rd);
}

/* ||nym - b e_1|| <= q sqrt(d) / 8 */
int vldaa_published_rogue_nym(const void *group, void *workspace, const void *pseudonym,
			      const uint8_t *entry)
{
	const vldaa_published_set *n = ((const vldaa_published_group *)group)->keys.set;
	const vldaa_published_pseudonym *p = pseudonym;
	vldaa_published_workspace *w = workspace;
	int err;

	(void)vldaa_published_place_workspace(n, workspace);
	err = read_entry(n, w, entry);
	if (err)
		return err;
	vldaa_hat_from_poly(&n->ring, w->hat, w->poly + n->ring.d);
	vldaa_hat_mul(&n->ring, w->hat, w->hat, p->b_hat);
	vldaa_hat_to_poly(&n->ring, w->poly, w->hat);
	return near(n, w->poly, p->nym);
}

/*
 * ||u_T - a_T1 e_1|| is short.  For an honest key it is e_T0 exactly; shortness also finds a key
 * that was registered again with an extracted e_T1 and another e_T0.
 */
int vldaa_published_rogue_member(const void *group, void *workspace, const uint8_t *member_tpm,
				 const uint8_t *entry)
{
	const vldaa_public_keys *k = &((const vldaa_published_group *)group)->keys;
	const vldaa_published_set *n = k->set;
	vldaa_published_workspace *w = workspace;
	vldaa_reader rd;
	int err;

	(void)vldaa_published_place_workspace(n, workspace);
	err = read_entry(n, w, entry);
	if (err)
		return err;
	vldaa_hat_from_poly(&n->ring, w->hat, w->poly + n->ring.d);
	vldaa_hat_mul(&n->ring, w->hat, w->hat, k->at1);
	vldaa_hat_to_poly(&n->ring, w->knowledge.v, w->hat);
	vldaa_get_init(&rd, member_tpm, vldaa_pack_uniform_size(&n->ring));
	vldaa_unpack_uniform(&n->ring, &rd, w->knowledge.w);
	err = vldaa_get_end(&rd);
	if (err)
		return err;
	return near(n, w->knowledge.v, w->knowledge.w);
}

/* A key that is registered again is equal: u_T determines e_T. */
int vldaa_published_member_near(const vldaa_set *set, const uint8_t *member_tpm,
				const uint8_t *other)
{
	const size_t len = vldaa_pack_uniform_size(&vldaa_published_numbers(set)->ring);

	return vldaa_equal(member_tpm, other, len);
}

int vldaa_published_rogue_check(const vldaa_set *set, const uint8_t *entry)
{
	const vldaa_published_set *n = vldaa_published_numbers(set);
	int64_t e[2 * VLDAA_MAX_DEGREE];
	vldaa_reader rd;

	vldaa_get_init(&rd, entry, vldaa_member_pack_size(n));
	vldaa_member_unpack(n, &rd, e);
	return vldaa_get_end(&rd);
}

int vldaa_published_rogue_entry(const vldaa_set *set, const uint8_t *tpm_secret, uint8_t *entry)
{
	memcpy(entry, tpm_secret, vldaa_member_pack_size(vldaa_published_numbers(set)));
	return VLDAA_OK;
}
