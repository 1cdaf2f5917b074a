/* Create of the one-shot sets: the TPM makes the whole attestation. */
#include "scheme/oneshot_tpm.h"

#include <string.h>

#include "random/secret.h"

/* v_1 = centred(u + b_x X + D s - h v_2 modulo p): the rest of (C); out N coefficients. */
static void recompute_v1(vldaa_os_tpm *t, int64_t *out)
{
	const vldaa_ring *r = &t->group.n->big;
	int64_t *part = t->kj;

	vldaa_os_times_d(&t->group, out, t->s, t->hat, t->poly);
	vldaa_os_times_bx(&t->group, part, t->credential->x, t->hat, t->poly);
	for (uint32_t i = 0; i < r->d; i++)
		out[i] += part[i] + t->group.u[i];
	vldaa_os_times_h(&t->group, part, t->credential->v2, t->hat);
	for (uint32_t i = 0; i < r->d; i++)
		out[i] -= part[i];
	vldaa_poly_reduce(r, out, out);
}

/* The witness of Create: v_1, v_2, x, theta, s, E. */
static int fill_witness(const vldaa_oneshot_set *n, vldaa_os_tpm *t)
{
	const vldaa_os_statement_set *st = n->attestation;
	const uint32_t big = n->N / VLDAA_OS_D;
	int64_t *w = t->w1;
	int64_t *part = t->poly; /* 256 of it: x, rows of s2 */

	memset(w, 0, (size_t)st->m1 * VLDAA_OS_D * sizeof *w);
	recompute_v1(t, t->et);
	vldaa_os_split(w, t->et, big);
	w += n->N;
	vldaa_os_split(w, t->credential->v2, big);
	w += n->N;
	for (uint32_t i = 0; i < VLDAA_OS_TAG_BITS; i++)
		part[i] = t->credential->x[i / 8] >> (i % 8) & 1;
	vldaa_os_split(w, part, VLDAA_OS_QUARTERS);
	w += VLDAA_OS_TAG_BITS + VLDAA_OS_D;
	for (uint32_t j = 0; j < n->mldsa->l; j++, w += VLDAA_MLDSA_N)
		vldaa_os_split(w, t->s + (size_t)j * VLDAA_MLDSA_N, VLDAA_OS_QUARTERS);
	for (uint32_t a = 0; a < n->rows; a++, w += VLDAA_MLDSA_N) {
		for (size_t i = 0; i < VLDAA_MLDSA_N; i++)
			part[i] = t->key->s2[a].c[i];
		vldaa_os_split(w, part, VLDAA_OS_QUARTERS);
	}
	return vldaa_os_fill_theta(st, t->w1);
}

int vldaa_oneshot_tpm_create(const vldaa_tpm_key *key, void *workspace, vldaa_bytes basename,
			     vldaa_bytes call, vldaa_rng *rng, vldaa_writer *reply)
{
	const vldaa_oneshot_set *n = vldaa_oneshot_numbers(key->set);
	vldaa_os_tpm *t = workspace;
	vldaa_os_statement st;
	const uint8_t *prf_key;
	int err;

	if (call.len != 0)
		return VLDAA_ERR_TRAILING;
	err = vldaa_os_load_tpm(key, t, &prf_key);
	if (!err)
		err = vldaa_os_load_group(key, t);
	/*
	 * What the store gives back was checked when it was kept: anything else is the store's failure.  Decoding takes
	 * variable time; it tells the length, which whoever watched Join knows from the sealed answer's.
	 */
	if (!err && vldaa_os_credential_get(n, t->credential, key->credential))
		err = VLDAA_ERR_STORE;
	if (!err)
		err = vldaa_os_load_nym(key, t, prf_key, basename);
	if (err)
		return err;
	vldaa_secret_mark(t->credential, sizeof *t->credential);
	vldaa_os_rows_of_a(n, t->nym.a_rows, t->mldsa->key.a);
	err = vldaa_os_nym_decode(n, &t->nym, t->nym_bytes);
	/* A key and a credential that belong together have a short v_1. */
	if (!err && fill_witness(n, t))
		err = VLDAA_ERR_STORE;
	if (err)
		return err;
	vldaa_os_attestation_statement(&st, &t->tables, &t->group, t->nym.a_rows, t->nym.t_rows);
	vldaa_os_create_bind(&t->group, basename, t->nym_bytes, st.bind);
	vldaa_put_bytes(reply, t->nym_bytes, vldaa_os_nym_size(n));
	/*
	 * The stream is bound to the member's key and the call already.  After another Join the same call is about
	 * another witness: with a seed that repeats, two responses under one mask would give s away.
	 */
	vldaa_rng_bind(rng, key->credential.bytes, key->credential.len);
	return vldaa_os_prove(t->prover, vldaa_os_crs_of(n->proof), &st, t->w1, rng, reply);
}
