/* The verifier's and the host's side of the one-shot sets. */
#include "scheme/oneshot_verifier.h"

#include <string.h>

#include "mldsa/poly.h"
#include "random/secret.h"
#include "wire/pack.h"

enum { SMALL = 2, NEAR_STEP = 64 };

size_t vldaa_os_place_workspace(const vldaa_oneshot_set *n, void *at)
{
	vldaa_arena a;
	vldaa_os_workspace local;
	vldaa_os_workspace *w;

	vldaa_arena_init(&a, at, SIZE_MAX);
	w = vldaa_arena_take(&a, sizeof *w);
	if (!w)
		w = &local;
	vldaa_os_tables_layout(&w->tables, n, &a);
	vldaa_os_nym_layout(&w->nym, n, &a);
	w->mldsa = vldaa_arena_take(&a, sizeof *w->mldsa);
	w->ut = vldaa_arena_polys(&a, &n->big, 1);
	w->poly = vldaa_arena_polys(&a, &n->big, 3);
	w->hat = vldaa_arena_hats(&a, &n->big, 2);
	w->verifier =
	    vldaa_arena_take(&a, vldaa_os_larger(vldaa_os_verifier_size(n->proof, n->attestation),
						 vldaa_os_verifier_size(n->proof, n->join)));
	return a.used;
}

size_t vldaa_os_place_pseudonym(const vldaa_oneshot_set *n, void *at)
{
	vldaa_arena a;
	vldaa_os_pseudonym local;
	vldaa_os_pseudonym *p;

	vldaa_arena_init(&a, at, SIZE_MAX);
	p = vldaa_arena_take(&a, sizeof *p);
	if (!p)
		p = &local;
	vldaa_os_nym_layout(&p->nym, n, &a);
	p->key.a = vldaa_arena_take(&a, (size_t)n->mldsa->k * n->mldsa->l * sizeof *p->key.a);
	p->key.t1 = vldaa_arena_take(&a, n->mldsa->k * sizeof *p->key.t1);
	p->nym_bytes = vldaa_arena_take(&a, vldaa_os_nym_size(n));
	return a.used;
}

int vldaa_oneshot_nym_init(const void *group, void *workspace, vldaa_bytes basename,
			   const uint8_t *nym, void *pseudonym)
{
	const vldaa_os_group *g = group;
	vldaa_os_pseudonym *p = pseudonym;
	int err;

	(void)workspace;
	(void)vldaa_os_place_pseudonym(g->n, pseudonym);
	p->n = g->n;
	/* rho is computed, never read: the pseudonym's key belongs to this basename or to none */
	vldaa_os_rho(g->set, g->key_id, basename, p->nym.rho);
	err = vldaa_os_nym_decode(g->n, &p->nym, nym);
	if (err)
		return err;
	memcpy(p->nym_bytes, nym, vldaa_os_nym_size(g->n));
	vldaa_mldsa_tr(g->n->mldsa, p->nym.public_key, p->tr);
	p->key.set = g->n->mldsa;
	vldaa_mldsa_expand_public(&p->key, p->nym.public_key);
	return VLDAA_OK;
}

/* Payload: nym | proof. */
int vldaa_oneshot_attestation_verify(const void *group, void *workspace, vldaa_bytes basename,
				     vldaa_bytes payload, void *pseudonym)
{
	const vldaa_os_group *g = group;
	const size_t nym = vldaa_os_nym_size(g->n);
	vldaa_os_workspace *w = workspace;
	vldaa_os_pseudonym *p = pseudonym;
	vldaa_os_statement st;
	int err;

	if (payload.len < nym)
		return VLDAA_ERR_TRUNCATED;
	(void)vldaa_os_place_workspace(g->n, workspace);
	err = vldaa_oneshot_nym_init(group, workspace, basename, payload.bytes, pseudonym);
	if (err)
		return err;
	vldaa_os_rows_of_a(g->n, p->nym.a_rows, p->key.a);
	vldaa_os_attestation_statement(&st, &w->tables, g, p->nym.a_rows, p->nym.t_rows);
	vldaa_os_create_bind(g, basename, payload.bytes, st.bind);
	return vldaa_os_verify(w->verifier, vldaa_os_crs_of(g->n->proof), &st,
			       (vldaa_bytes){payload.bytes + nym, payload.len - nym});
}

int vldaa_oneshot_verify_begin(const void *group, const void *pseudonym,
			       const vldaa_sign_subject *about, vldaa_message *message)
{
	const vldaa_os_pseudonym *p = pseudonym;

	vldaa_os_message_begin(((const vldaa_os_group *)group)->n, &message->shake,
			       p->nym.public_key, p->tr, about);
	return VLDAA_OK;
}

int vldaa_oneshot_verify_end(const void *group, void *workspace, const void *pseudonym,
			     const vldaa_sign_subject *about, vldaa_message *message,
			     vldaa_bytes signature)
{
	const vldaa_oneshot_set *n = ((const vldaa_os_group *)group)->n;
	const vldaa_os_pseudonym *p = pseudonym;
	vldaa_os_workspace *w = workspace;
	uint8_t mu[VLDAA_MLDSA_MU_BYTES];

	(void)about;
	if (signature.len != n->mldsa->signature_bytes)
		return signature.len < n->mldsa->signature_bytes ? VLDAA_ERR_TRUNCATED
								 : VLDAA_ERR_TRAILING;
	(void)vldaa_os_place_workspace(n, workspace);
	vldaa_mldsa_mu_end(&message->shake, mu);
	return vldaa_mldsa_verify_expanded(&p->key, mu, signature.bytes, w->mldsa);
}

const uint8_t *vldaa_oneshot_pseudonym_nym(const void *pseudonym)
{
	return ((const vldaa_os_pseudonym *)pseudonym)->nym_bytes;
}

static int64_t centre(int64_t x)
{
	if (x > VLDAA_MLDSA_Q / 2)
		return x - VLDAA_MLDSA_Q;
	return x < -(VLDAA_MLDSA_Q / 2) ? x + VLDAA_MLDSA_Q : x;
}

/* By distance of the proven rows, never by the key's bytes. */
int vldaa_oneshot_linked(const vldaa_set *set, const uint8_t *nym, const uint8_t *other)
{
	const vldaa_oneshot_set *n = vldaa_oneshot_numbers(set);
	const size_t row = VLDAA_MLDSA_N * 23 / 8;
	vldaa_mldsa_poly a, b;
	uint64_t distance2 = 0;

	for (uint32_t i = 0; i < n->rows; i++) {
		vldaa_mldsa_unpack(&a, nym + i * row, 23, 0, 0);
		vldaa_mldsa_unpack(&b, other + i * row, 23, 0, 0);
		for (size_t j = 0; j < VLDAA_MLDSA_N; j++) {
			if (a.c[j] >= VLDAA_MLDSA_Q || b.c[j] >= VLDAA_MLDSA_Q)
				return VLDAA_ERR_RANGE;
			const int64_t d = centre((int64_t)a.c[j] - b.c[j]);
			distance2 += (uint64_t)(d * d);
		}
	}
	return distance2 <= n->link_bound2;
}

/*
 * An entry of the rogue list: s at 7 bits a coefficient.  Honest keys have coefficients in [-2, 2], but proofs are
 * about ||s|| alone: whoever has a broken TPM can join with any s that is short enough, and when that s becomes
 * known, the list must be able to say it.
 */
static int read_entry(const vldaa_oneshot_set *n, int64_t *s, const uint8_t *entry)
{
	const size_t len = n->mldsa->l * VLDAA_MLDSA_N;
	uint64_t norm2 = 0;
	vldaa_reader rd;

	vldaa_get_init(&rd, entry, vldaa_pack_small_size(len, VLDAA_OS_ROGUE_MAX));
	vldaa_unpack_small(&rd, s, len, VLDAA_OS_ROGUE_MAX);
	for (size_t i = 0; i < len; i++)
		norm2 += (uint64_t)(s[i] * s[i]);
	if (!rd.error && norm2 > n->s_bound2)
		vldaa_get_fail(&rd, VLDAA_ERR_NORM);
	return vldaa_get_end(&rd);
}

int vldaa_oneshot_rogue_check(const vldaa_set *set, const uint8_t *entry)
{
	int64_t s[VLDAA_MLDSA_MAX_L * VLDAA_MLDSA_N];

	return read_entry(vldaa_oneshot_numbers(set), s, entry);
}

/* ||t - A s||^2 over the proven rows is at most ||E||^2's bound. */
int vldaa_oneshot_rogue_nym(const void *group, void *workspace, const void *pseudonym,
			    const uint8_t *entry)
{
	const vldaa_oneshot_set *n = ((const vldaa_os_group *)group)->n;
	const vldaa_os_pseudonym *p = pseudonym;
	vldaa_os_workspace *w = workspace;
	int64_t s[VLDAA_MLDSA_MAX_L * VLDAA_MLDSA_N];
	vldaa_mldsa_poly sum;
	uint64_t distance2 = 0;
	int err = read_entry(n, s, entry);

	if (err)
		return err;
	(void)vldaa_os_place_workspace(n, workspace);
	for (uint32_t j = 0; j < n->mldsa->l; j++) {
		for (size_t i = 0; i < VLDAA_MLDSA_N; i++)
			w->mldsa->key.s1[j].c[i] = (int32_t)s[j * VLDAA_MLDSA_N + i];
		vldaa_mldsa_ntt(&w->mldsa->key.s1[j]);
	}
	for (uint32_t a = 0; a < n->rows; a++) {
		vldaa_mldsa_dot(&sum, p->key.a + a * n->mldsa->l, w->mldsa->key.s1, n->mldsa->l);
		vldaa_mldsa_intt(&sum);
		for (size_t i = 0; i < VLDAA_MLDSA_N; i++) {
			const int64_t d =
			    centre(centre(p->nym.t_rows[a * VLDAA_MLDSA_N + i] - sum.c[i]));
			distance2 += (uint64_t)(d * d);
		}
	}
	return distance2 <= n->rogue_bound2;
}

static int read_ut(const vldaa_oneshot_set *n, int64_t *out, const uint8_t *in)
{
	vldaa_reader rd;

	vldaa_get_init(&rd, in, vldaa_os_ut_size(n));
	vldaa_unpack_uniform(&n->big, &rd, out);
	return vldaa_get_end(&rd);
}

/* ||u_T - D s||^2 <= ||e_T||^2's bound. */
int vldaa_oneshot_rogue_member(const void *group, void *workspace, const uint8_t *member_tpm,
			       const uint8_t *entry)
{
	const vldaa_os_group *g = group;
	vldaa_os_workspace *w = workspace;
	int64_t s[VLDAA_MLDSA_MAX_L * VLDAA_MLDSA_N];
	int64_t ds[VLDAA_OS_MAX_N];
	int err = read_entry(g->n, s, entry);

	if (err)
		return err;
	(void)vldaa_os_place_workspace(g->n, workspace);
	err = read_ut(g->n, w->ut, member_tpm);
	if (err)
		return err;
	vldaa_os_times_d(g, ds, s, w->hat, w->poly);
	for (uint32_t i = 0; i < g->n->N; i++)
		ds[i] = w->ut[i] - ds[i];
	vldaa_poly_reduce(&g->n->big, ds, ds);
	return vldaa_poly_norm2(&g->n->big, ds) <= g->n->et_bound2;
}

int vldaa_oneshot_rogue_entry(const vldaa_set *set, const uint8_t *tpm_secret, uint8_t *entry)
{
	const size_t len = vldaa_oneshot_numbers(set)->mldsa->l * VLDAA_MLDSA_N;
	int64_t s[VLDAA_MLDSA_MAX_L * VLDAA_MLDSA_N];
	vldaa_reader rd;
	vldaa_writer w;
	int err;

	vldaa_get_init(&rd, tpm_secret, vldaa_pack_small_size(len, SMALL));
	vldaa_unpack_small(&rd, s, len, SMALL);
	err = vldaa_get_end(&rd);
	if (err)
		return err;
	vldaa_put_init(&w, entry, vldaa_pack_small_size(len, VLDAA_OS_ROGUE_MAX));
	vldaa_pack_small(&w, s, len, VLDAA_OS_ROGUE_MAX);
	return VLDAA_OK;
}

/*
 * Two registered keys so near that one s could stand behind both: D s + e_T and D s + e_T' are at most
 * 2 ||e_T|| apart.  An issuer holds each new key against all that are registered, and two honest keys are far
 * apart within the first few coefficients: 64 at a time (112 bytes), and no more once the bound is passed.
 */
int vldaa_oneshot_member_near(const vldaa_set *set, const uint8_t *member_tpm, const uint8_t *other)
{
	const vldaa_oneshot_set *n = vldaa_oneshot_numbers(set);
	int64_t a[NEAR_STEP], b[NEAR_STEP];
	vldaa_ring part = n->big;
	vldaa_reader one, two;
	vldaa_u128 distance2 = 0;

	part.d = NEAR_STEP;
	vldaa_get_init(&one, member_tpm, vldaa_os_ut_size(n));
	vldaa_get_init(&two, other, vldaa_os_ut_size(n));
	for (uint32_t i = 0; i < n->N && distance2 <= n->duplicate2; i += NEAR_STEP) {
		vldaa_unpack_uniform(&part, &one, a);
		vldaa_unpack_uniform(&part, &two, b);
		if (one.error || two.error)
			return one.error ? one.error : two.error;
		vldaa_poly_sub(&part, a, a, b);
		distance2 += vldaa_poly_norm2(&part, a);
	}
	return distance2 <= n->duplicate2;
}

/* Join's payload: u_T | proof; the host has no part. */
int vldaa_oneshot_join_verify(const void *group, void *workspace, vldaa_bytes bind_tpm,
			      vldaa_bytes bind_host, vldaa_bytes join_tpm, vldaa_bytes join_host,
			      uint8_t *member_tpm, uint8_t *member_host)
{
	const vldaa_os_group *g = group;
	const size_t ut = vldaa_os_ut_size(g->n);
	vldaa_os_workspace *w = workspace;
	vldaa_os_statement st;
	int err;

	(void)bind_host;
	(void)member_host;
	if (join_host.len != 0)
		return VLDAA_ERR_TRAILING;
	if (join_tpm.len < ut)
		return VLDAA_ERR_TRUNCATED;
	(void)vldaa_os_place_workspace(g->n, workspace);
	err = read_ut(g->n, w->ut, join_tpm.bytes);
	if (err)
		return err;
	vldaa_os_join_statement(&st, &w->tables, g, w->ut);
	vldaa_os_join_bind(g, bind_tpm, join_tpm.bytes, st.bind);
	err = vldaa_os_verify(w->verifier, vldaa_os_crs_of(g->n->proof), &st,
			      (vldaa_bytes){join_tpm.bytes + ut, join_tpm.len - ut});
	if (!err)
		memcpy(member_tpm, join_tpm.bytes, ut);
	return err;
}

/* --- the host: relays, and verifies before it releases ----------------------------------------- */

size_t vldaa_os_place_host(const vldaa_oneshot_set *n, void *at)
{
	vldaa_arena a;
	vldaa_os_host local;
	vldaa_os_host *h;

	vldaa_arena_init(&a, at, SIZE_MAX);
	h = vldaa_arena_take(&a, sizeof *h);
	if (!h)
		h = &local;
	h->workspace = vldaa_arena_take(&a, vldaa_os_place_workspace(n, NULL));
	h->pseudonym = vldaa_arena_take(&a, vldaa_os_place_pseudonym(n, NULL));
	return a.used;
}

int vldaa_oneshot_host_keygen(const void *group, void *host, vldaa_rng *rng, uint8_t *secret)
{
	(void)group;
	(void)host;
	(void)rng;
	(void)secret;
	return VLDAA_OK;
}

/* The TPM has checked the credential; the host keeps its receipt. */
static int read_receipt(vldaa_os_host *h, vldaa_bytes receipt)
{
	h->has_credential = receipt.len == VLDAA_DIGEST_BYTES;
	if (receipt.len < VLDAA_DIGEST_BYTES)
		return VLDAA_ERR_TRUNCATED;
	return h->has_credential ? VLDAA_OK : VLDAA_ERR_TRAILING;
}

int vldaa_oneshot_host_init(void *host, const void *group, const uint8_t *secret,
			    vldaa_bytes credential)
{
	vldaa_os_host *h = host;

	(void)secret;
	(void)vldaa_os_place_host(((const vldaa_os_group *)group)->n, host);
	h->group = group;
	h->creating = 0;
	h->has_credential = 0;
	return credential.len == 0 ? VLDAA_OK : read_receipt(h, credential);
}

int vldaa_oneshot_host_join(void *host, vldaa_bytes bind, vldaa_rng *rng, vldaa_writer *out)
{
	(void)host;
	(void)bind;
	(void)rng;
	(void)out;
	return VLDAA_OK;
}

int vldaa_oneshot_host_accept(void *host, const uint8_t *member_tpm, vldaa_bytes credential)
{
	vldaa_os_host *h = host;
	uint8_t receipt[VLDAA_DIGEST_BYTES];
	int err = read_receipt(h, credential);

	if (err)
		return err;
	vldaa_os_receipt(h->group->n, member_tpm, receipt);
	h->has_credential = vldaa_equal(receipt, credential.bytes, sizeof receipt);
	return h->has_credential ? VLDAA_OK : VLDAA_ERR_CREDENTIAL;
}

int vldaa_oneshot_host_create_begin(void *host, vldaa_bytes basename, vldaa_rng *rng,
				    vldaa_writer *call)
{
	vldaa_os_host *h = host;

	(void)rng;
	(void)call;
	if (!h->has_credential)
		return VLDAA_ERR_NO_CREDENTIAL;
	memcpy(h->basename, basename.bytes, basename.len);
	h->basename_len = basename.len;
	h->creating = 1;
	return VLDAA_OK;
}

int vldaa_oneshot_host_create_step(void *host, vldaa_bytes reply, vldaa_rng *rng, vldaa_writer *out,
				   int *done)
{
	vldaa_os_host *h = host;
	int err;

	(void)rng;
	*done = 0;
	if (!h->creating)
		return VLDAA_ERR_STATE;
	h->creating = 0;
	err = vldaa_oneshot_attestation_verify(h->group, h->workspace,
					       (vldaa_bytes){h->basename, h->basename_len}, reply,
					       h->pseudonym);
	if (err)
		return err;
	vldaa_put_bytes(out, reply.bytes, reply.len);
	*done = 1;
	return VLDAA_OK;
}
