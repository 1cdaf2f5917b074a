/* The TPM of the one-shot sets: its whole workspace, making a key, and Join.  See oneshot_tpm.h. */
#include "scheme/oneshot_tpm.h"

#include <string.h>

#include "random/secret.h"
#include "wire/pack.h"

enum { MAX_ATTEMPTS = 1000, SMALL = 2 };

/* 12289^-1 modulo 2^32 (test_oneshot checks the product). */
static const uint32_t INVERSE_P = 150982657u;

size_t vldaa_os_place_tpm(const vldaa_oneshot_set *n, void *at)
{
	vldaa_arena a;
	vldaa_os_tpm counted;
	vldaa_os_tpm *t;

	vldaa_arena_init(&a, at, SIZE_MAX);
	t = vldaa_os_place_sign(n, &a, &counted);
	vldaa_os_group_layout(&t->group, n, &a);
	vldaa_os_tables_layout(&t->tables, n, &a);
	t->credential = vldaa_arena_take(&a, sizeof *t->credential);
	t->w1 = vldaa_arena_polys(&a, &n->proof->ring, n->proof->max_m1);
	t->prover =
	    vldaa_arena_take(&a, vldaa_os_larger(vldaa_os_prover_size(n->proof, n->attestation),
						 vldaa_os_prover_size(n->proof, n->join)));
	return a.used;
}

int vldaa_os_load_group(const vldaa_tpm_key *key, vldaa_os_tpm *t)
{
	t->dirty = vldaa_os_place_tpm(vldaa_oneshot_numbers(key->set), t);
	return vldaa_os_group_load(&t->group, key->set, key->group, key->key_id);
}

/* Uniform in [-2, 2]: bytes below 250, modulo 5. */
static void sample_small(int64_t *out, size_t n, vldaa_rng *rng)
{
	uint8_t block[128];
	size_t i = 0;

	while (i < n) {
		vldaa_rng_bytes(rng, block, sizeof block);
		for (size_t j = 0; j < sizeof block && i < n; j++) {
			const uint32_t x = block[j];
			int keep = x < 250;

			vldaa_secret_declassify(&keep, sizeof keep,
						"a rejected byte says nothing about the kept ones");
			/* 205 = 1024 / 5 rounded up: exact below 250 */
			if (keep)
				out[i++] = (int64_t)(x - (x * 205 >> 10) * 5) - SMALL;
		}
	}
	vldaa_wipe(block, sizeof block);
}

/* Redrawn until the squared norm is at most bound2. */
static int sample_short(int64_t *out, size_t n, uint64_t bound2, vldaa_rng *rng)
{
	for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
		uint64_t norm2 = 0;

		sample_small(out, n, rng);
		for (size_t i = 0; i < n; i++)
			norm2 += (uint64_t)(out[i] * out[i]);
		int within = norm2 <= bound2;
		vldaa_secret_declassify(&within, sizeof within,
					"a redraw says nothing about what is kept");
		if (within)
			return VLDAA_OK;
	}
	return VLDAA_ERR_ATTEMPTS;
}

void vldaa_os_member_public(vldaa_os_tpm *t)
{
	const vldaa_ring *r = &t->group.n->big;

	vldaa_os_times_d(&t->group, t->kj, t->s, t->hat, t->poly);
	for (uint32_t i = 0; i < r->d; i++)
		t->kj[i] += t->et[i];
	vldaa_poly_reduce(r, t->ut, t->kj);
	/* Exact division by p, in constant time: |x| < 2^25, multiply by p^-1 modulo 2^32. */
	for (uint32_t i = 0; i < r->d; i++) {
		t->kj[i] = (int32_t)((uint32_t)(t->kj[i] - t->ut[i]) * INVERSE_P);
	}
}

int vldaa_oneshot_tpm_keygen(const vldaa_set *set, void *workspace, const vldaa_tpm_key *group,
			     vldaa_rng *rng, uint8_t *secret)
{
	const vldaa_oneshot_set *n = vldaa_oneshot_numbers(set);
	const size_t len = n->mldsa->l * VLDAA_MLDSA_N;
	vldaa_os_tpm *t = workspace;
	vldaa_writer w;
	int err;

	err = vldaa_os_load_group(group, t);
	for (int attempt = 0; attempt < MAX_ATTEMPTS && !err; attempt++) {
		err = sample_short(t->s, len, n->s_bound2, rng);
		if (!err)
			err = sample_short(t->et, n->N, n->et_bound2, rng);
		if (err)
			return err;
		/* Both are redrawn together, and only before u_T has been seen: several u_T of one s average out e_T. */
		vldaa_os_member_public(t);
		int within = vldaa_poly_norm2(&n->big, t->kj) <= n->kj_bound2;
		vldaa_secret_declassify(&within, sizeof within,
					"a redraw says nothing about what is kept");
		if (!within)
			continue;
		vldaa_put_init(&w, secret, vldaa_os_secret_size(n));
		vldaa_pack_small(&w, t->s, len, SMALL);
		vldaa_pack_small(&w, t->et, n->N, SMALL);
		vldaa_rng_bytes(rng, secret + w.len, VLDAA_OS_PRF_BYTES);
		return VLDAA_OK;
	}
	return err ? err : VLDAA_ERR_ATTEMPTS;
}

/* u_T as bytes. */
static void put_ut(const vldaa_oneshot_set *n, vldaa_os_tpm *t, uint8_t *out)
{
	vldaa_writer w;

	vldaa_secret_declassify(t->ut, n->N * sizeof *t->ut,
				"the member's public key is published");
	vldaa_put_init(&w, out, vldaa_os_ut_size(n));
	vldaa_pack_uniform(&n->big, &w, t->ut);
}

int vldaa_oneshot_tpm_public(const vldaa_tpm_key *key, void *workspace, uint8_t *member_tpm)
{
	vldaa_os_tpm *t = workspace;
	const uint8_t *prf_key;
	int err = vldaa_os_load_tpm(key, t, &prf_key);

	if (!err)
		err = vldaa_os_load_group(key, t);
	if (err)
		return err;
	vldaa_os_member_public(t);
	put_ut(t->group.n, t, member_tpm);
	return VLDAA_OK;
}

/* The `bits` binary digits of x into theta, from place `place`. */
static void digits(int64_t *theta, uint32_t place, uint32_t bits, uint64_t x)
{
	for (uint32_t i = 0; i < bits; i++)
		theta[place + i] = (int64_t)(x >> i & 1);
}

int vldaa_os_fill_theta(const vldaa_os_statement_set *s, int64_t *w1)
{
	for (uint32_t k = 0; k < s->relations; k++) {
		const vldaa_os_relation *rel = &s->relation[k];
		const int64_t *part = w1 + (size_t)rel->first * VLDAA_OS_D;
		uint64_t norm2 = 0;

		if (rel->binary)
			continue;
		for (size_t i = 0; i < (size_t)rel->count * VLDAA_OS_D; i++)
			norm2 += (uint64_t)(part[i] * part[i]);
		int over = norm2 > (uint64_t)rel->bound;
		vldaa_secret_declassify(&over, sizeof over,
					"never: checked when the values were made");
		if (over)
			return VLDAA_ERR_INTERNAL;
		digits(w1 + (size_t)rel->digits * VLDAA_OS_D, rel->digit, rel->bits,
		       (uint64_t)rel->bound - norm2);
	}
	return VLDAA_OK;
}

/* Join's payload: u_T | proof. */
int vldaa_oneshot_tpm_join(const vldaa_tpm_key *key, void *workspace, vldaa_bytes bind,
			   vldaa_rng *rng, vldaa_writer *out)
{
	const vldaa_oneshot_set *n = vldaa_oneshot_numbers(key->set);
	const uint32_t big = n->N / VLDAA_OS_D;
	vldaa_os_tpm *t = workspace;
	vldaa_os_statement st;
	const uint8_t *prf_key;
	int64_t *w;
	int err = vldaa_os_load_tpm(key, t, &prf_key);

	if (!err)
		err = vldaa_os_load_group(key, t);
	if (err)
		return err;
	w = t->w1;
	vldaa_os_member_public(t);
	put_ut(n, t, t->nym_bytes);
	vldaa_put_bytes(out, t->nym_bytes, vldaa_os_ut_size(n));
	memset(w, 0, (size_t)n->join->m1 * VLDAA_OS_D * sizeof *w);
	for (uint32_t j = 0; j < n->mldsa->l; j++, w += VLDAA_MLDSA_N)
		vldaa_os_split(w, t->s + (size_t)j * VLDAA_MLDSA_N, VLDAA_OS_QUARTERS);
	vldaa_os_split(w, t->et, big);
	err = vldaa_os_fill_theta(n->join, t->w1);
	if (err)
		return err;
	vldaa_os_join_statement(&st, &t->tables, &t->group, t->ut);
	vldaa_os_join_bind(&t->group, bind, t->nym_bytes, st.bind);
	return vldaa_os_prove(t->prover, vldaa_os_crs_of(n->proof), &st, t->w1, rng, out);
}

/* Decided on public values only: u_T, the credential and the group. */
int vldaa_oneshot_tpm_accept(const vldaa_tpm_key *key, void *workspace, vldaa_bytes credential,
			     vldaa_writer *keep, vldaa_writer *hand_over)
{
	const vldaa_oneshot_set *n = vldaa_oneshot_numbers(key->set);
	vldaa_os_tpm *t = workspace;
	uint8_t receipt[VLDAA_DIGEST_BYTES];
	const uint8_t *prf_key;
	int err = vldaa_os_load_tpm(key, t, &prf_key);

	if (!err)
		err = vldaa_os_load_group(key, t);
	if (!err)
		err = vldaa_os_credential_get(n, t->credential, credential);
	if (err)
		return err;
	vldaa_os_member_public(t);
	put_ut(n, t, t->nym_bytes);
	err = vldaa_os_credential_check(&t->group, t->ut, t->credential, t->hat, t->poly);
	if (err)
		return err;
	vldaa_put_bytes(keep, credential.bytes, credential.len);
	/* The host gets a receipt, nothing secret. */
	vldaa_os_receipt(n, t->nym_bytes, receipt);
	vldaa_put_bytes(hand_over, receipt, sizeof receipt);
	return VLDAA_OK;
}
