/* ML-DSA: keys, signing, verification (FIPS 204 section 6).  See mldsa.h. */
#include "mldsa/poly.h"

#include <string.h>

#include "random/secret.h"
#include "vldaa/error.h"

const vldaa_mldsa_set vldaa_mldsa_44 = {
    .k = 4,
    .l = 4,
    .eta = 2,
    .tau = 39,
    .beta = 78,
    .gamma1_bits = 17,
    .gamma2 = (VLDAA_MLDSA_Q - 1) / 88,
    .omega = 80,
    .w1_bits = 6,
    .ctilde_bytes = 32,
    .public_bytes = 1312,
    .private_bytes = 2560,
    .signature_bytes = 2420,
};

const vldaa_mldsa_set vldaa_mldsa_87 = {
    .k = 8,
    .l = 7,
    .eta = 2,
    .tau = 60,
    .beta = 120,
    .gamma1_bits = 19,
    .gamma2 = (VLDAA_MLDSA_Q - 1) / 32,
    .omega = 75,
    .w1_bits = 4,
    .ctilde_bytes = 64,
    .public_bytes = 2592,
    .private_bytes = 4896,
    .signature_bytes = 4627,
};

enum {
	T1_BITS = 10,
	ETA_BITS = 3,
	T1_BYTES = 320,
	ETA_BYTES = 96,
	T0_BYTES = 416,
	MAX_ATTEMPTS = 1000
};

static void hash2(uint8_t *out, size_t len, const void *a, size_t a_len, const void *b,
		  size_t b_len)
{
	vldaa_shake s;

	vldaa_shake_init(&s, VLDAA_SHAKE256_RATE);
	vldaa_shake_absorb(&s, a, a_len);
	vldaa_shake_absorb(&s, b, b_len);
	vldaa_shake_squeeze(&s, out, len);
	vldaa_wipe(&s, sizeof s);
}

void vldaa_mldsa_tr(const vldaa_mldsa_set *set, const uint8_t *public_key,
		    uint8_t tr[VLDAA_MLDSA_TR_BYTES])
{
	hash2(tr, VLDAA_MLDSA_TR_BYTES, public_key, set->public_bytes, NULL, 0);
}

/* A and s1, from which t is computed. */
static void expand_product(vldaa_mldsa_expanded *x, const vldaa_mldsa_private *key)
{
	const vldaa_mldsa_set *set = key->set;

	x->set = set;
	vldaa_mldsa_expand_a(set, x->a, key->rho);
	for (uint32_t j = 0; j < set->l; j++) {
		x->s1[j] = key->s1[j];
		vldaa_mldsa_ntt(&x->s1[j]);
	}
}

/* The rest of what signing takes. */
static void expand_rest(vldaa_mldsa_expanded *x, const vldaa_mldsa_private *key)
{
	memcpy(x->K, key->K, sizeof x->K);
	for (uint32_t i = 0; i < key->set->k; i++) {
		x->s2[i] = key->s2[i];
		x->t0[i] = key->t0[i];
		vldaa_mldsa_ntt(&x->s2[i]);
		vldaa_mldsa_ntt(&x->t0[i]);
	}
}

/* t = A s1 + s2, tr, t0 and the public key. */
static void complete(uint8_t *public_key, vldaa_mldsa_private *key, vldaa_mldsa_poly *t,
		     const vldaa_mldsa_expanded *x, vldaa_mldsa_workspace *ws)
{
	const vldaa_mldsa_set *set = key->set;

	memcpy(public_key, key->rho, VLDAA_MLDSA_SEED_BYTES);
	for (uint32_t i = 0; i < set->k; i++) {
		vldaa_mldsa_dot(&ws->tmp, x->a + i * set->l, x->s1, set->l);
		vldaa_mldsa_intt(&ws->tmp);
		vldaa_mldsa_add(&ws->tmp, &ws->tmp, &key->s2[i]);
		vldaa_mldsa_reduce(&ws->tmp);
		vldaa_mldsa_freeze(&ws->tmp);
		if (t)
			t[i] = ws->tmp;
		vldaa_mldsa_power2round(&ws->w1[0], &key->t0[i], &ws->tmp);
		vldaa_mldsa_pack(public_key + VLDAA_MLDSA_SEED_BYTES + i * T1_BYTES, &ws->w1[0],
				 T1_BITS, 0, 0);
	}
	vldaa_secret_declassify(public_key, set->public_bytes, "the public key is published");
	vldaa_mldsa_tr(set, public_key, key->tr);
}

void vldaa_mldsa_complete(uint8_t *public_key, vldaa_mldsa_private *key, vldaa_mldsa_poly *t,
			  vldaa_mldsa_workspace *ws)
{
	expand_product(&ws->key, key);
	complete(public_key, key, t, &ws->key, ws);
	vldaa_wipe(ws, sizeof *ws);
}

void vldaa_mldsa_complete_expanded(uint8_t *public_key, vldaa_mldsa_private *key,
				   vldaa_mldsa_poly *t, vldaa_mldsa_expanded *x,
				   vldaa_mldsa_workspace *ws)
{
	expand_product(x, key);
	complete(public_key, key, t, x, ws);
	expand_rest(x, key);
	vldaa_wipe(&ws->tmp, sizeof ws->tmp);
	vldaa_wipe(ws->w1, sizeof ws->w1[0]);
}

void vldaa_mldsa_keygen(const vldaa_mldsa_set *set, uint8_t *public_key, vldaa_mldsa_private *key,
			const uint8_t xi[32], vldaa_mldsa_workspace *ws)
{
	const uint8_t sizes[2] = {(uint8_t)set->k, (uint8_t)set->l};
	uint8_t seed[32 + 64 + 32];

	hash2(seed, sizeof seed, xi, 32, sizes, sizeof sizes);
	key->set = set;
	memcpy(key->rho, seed, 32);
	vldaa_secret_declassify(key->rho, 32, "rho is in the public key");
	memcpy(key->K, seed + 96, 32);
	vldaa_mldsa_expand_s(set, key->s1, key->s2, seed + 32);
	vldaa_mldsa_complete(public_key, key, NULL, ws);
	vldaa_wipe(seed, sizeof seed);
}

void vldaa_mldsa_encode_private(uint8_t *out, const vldaa_mldsa_private *key)
{
	const vldaa_mldsa_set *set = key->set;

	memcpy(out, key->rho, 32);
	memcpy(out + 32, key->K, 32);
	memcpy(out + 64, key->tr, 64);
	out += 128;
	for (uint32_t i = 0; i < set->l; i++, out += ETA_BYTES)
		vldaa_mldsa_pack(out, &key->s1[i], ETA_BITS, (int32_t)set->eta, 1);
	for (uint32_t i = 0; i < set->k; i++, out += ETA_BYTES)
		vldaa_mldsa_pack(out, &key->s2[i], ETA_BITS, (int32_t)set->eta, 1);
	for (uint32_t i = 0; i < set->k; i++, out += T0_BYTES)
		vldaa_mldsa_pack(out, &key->t0[i], VLDAA_MLDSA_D, 1 << (VLDAA_MLDSA_D - 1), 1);
}

int vldaa_mldsa_decode_private(vldaa_mldsa_private *key, const vldaa_mldsa_set *set,
			       const uint8_t *in)
{
	int bad = 0;

	key->set = set;
	memcpy(key->rho, in, 32);
	memcpy(key->K, in + 32, 32);
	memcpy(key->tr, in + 64, 64);
	in += 128;
	for (uint32_t i = 0; i < set->l; i++, in += ETA_BYTES) {
		vldaa_mldsa_unpack(&key->s1[i], in, ETA_BITS, (int32_t)set->eta, 1);
		bad |= vldaa_mldsa_exceeds(&key->s1[i], (int32_t)set->eta + 1);
	}
	for (uint32_t i = 0; i < set->k; i++, in += ETA_BYTES) {
		vldaa_mldsa_unpack(&key->s2[i], in, ETA_BITS, (int32_t)set->eta, 1);
		bad |= vldaa_mldsa_exceeds(&key->s2[i], (int32_t)set->eta + 1);
	}
	for (uint32_t i = 0; i < set->k; i++, in += T0_BYTES)
		vldaa_mldsa_unpack(&key->t0[i], in, VLDAA_MLDSA_D, 1 << (VLDAA_MLDSA_D - 1), 1);
	vldaa_secret_declassify(&bad, sizeof bad, "the caller learns whether it is a key");
	if (bad)
		vldaa_wipe(key, sizeof *key);
	return bad ? VLDAA_ERR_RANGE : VLDAA_OK;
}

void vldaa_mldsa_mu_begin(vldaa_shake *s, const uint8_t tr[VLDAA_MLDSA_TR_BYTES],
			  const void *context, size_t context_len)
{
	const uint8_t head[2] = {0, (uint8_t)context_len};

	vldaa_shake_init(s, VLDAA_SHAKE256_RATE);
	vldaa_shake_absorb(s, tr, VLDAA_MLDSA_TR_BYTES);
	vldaa_shake_absorb(s, head, sizeof head);
	vldaa_shake_absorb(s, context, context_len);
}

void vldaa_mldsa_mu_end(vldaa_shake *s, uint8_t mu[VLDAA_MLDSA_MU_BYTES])
{
	vldaa_shake_squeeze(s, mu, VLDAA_MLDSA_MU_BYTES);
}

/* c~ = H(mu || w1Encode(w1)). */
static void challenge_hash(const vldaa_mldsa_set *set, uint8_t *ctilde, const uint8_t *mu,
			   const vldaa_mldsa_poly *w1, uint8_t *packed)
{
	const size_t each = VLDAA_MLDSA_N * set->w1_bits / 8;

	for (uint32_t i = 0; i < set->k; i++)
		vldaa_mldsa_pack(packed + i * each, &w1[i], set->w1_bits, 0, 0);
	hash2(ctilde, set->ctilde_bytes, mu, VLDAA_MLDSA_MU_BYTES, packed, set->k * each);
}

/* out = c s (coefficient domain, |out| < q), both in the NTT domain. */
static void times_challenge(vldaa_mldsa_poly *out, const vldaa_mldsa_poly *c,
			    const vldaa_mldsa_poly *s)
{
	vldaa_mldsa_mul(out, c, s);
	vldaa_mldsa_intt(out);
}

/*
 * One attempt: z, and the hints from w - c s2 and c t0.  1 when all of Algorithm 7's conditions
 * hold. Which condition fails is public, as FIPS 204 allows (and Dilithium's analysis argues): the
 * rejected candidate is thrown away, and the answers do not depend on the secrets of kept ones.
 */
static int respond(const vldaa_mldsa_expanded *key, vldaa_mldsa_workspace *ws)
{
	const vldaa_mldsa_set *set = key->set;
	const int32_t gamma1 = 1 << set->gamma1_bits;
	uint32_t hints = 0;

	for (uint32_t j = 0; j < set->l; j++) {
		times_challenge(&ws->z[j], &ws->c, &key->s1[j]);
		vldaa_mldsa_add(&ws->z[j], &ws->z[j], &ws->y[j]);
		vldaa_mldsa_reduce(&ws->z[j]);
		int reject = vldaa_mldsa_exceeds(&ws->z[j], gamma1 - set->beta);
		vldaa_secret_declassify(&reject, sizeof reject, "rejections are public (FIPS 204)");
		if (reject)
			return 0;
	}
	for (uint32_t i = 0; i < set->k; i++) {
		/* w0 - c s2, where w = w1 2 gamma2 + w0 */
		times_challenge(&ws->tmp, &ws->c, &key->s2[i]);
		vldaa_mldsa_sub(&ws->w[i], &ws->w[i], &ws->tmp);
		vldaa_mldsa_reduce(&ws->w[i]);
		int reject = vldaa_mldsa_exceeds(&ws->w[i], set->gamma2 - set->beta);
		vldaa_secret_declassify(&reject, sizeof reject, "rejections are public (FIPS 204)");
		if (reject)
			return 0;
		times_challenge(&ws->tmp, &ws->c, &key->t0[i]);
		vldaa_mldsa_reduce(&ws->tmp);
		reject = vldaa_mldsa_exceeds(&ws->tmp, set->gamma2);
		vldaa_secret_declassify(&reject, sizeof reject, "rejections are public (FIPS 204)");
		if (reject)
			return 0;
		vldaa_mldsa_add(&ws->w[i], &ws->w[i], &ws->tmp);
		hints += vldaa_mldsa_make_hint(set, &ws->h[i], &ws->w1[i], &ws->w[i]);
	}
	int keep = hints <= set->omega;
	vldaa_secret_declassify(&keep, sizeof keep, "rejections are public (FIPS 204)");
	return keep;
}

int vldaa_mldsa_sign_expanded(const vldaa_mldsa_expanded *key,
			      const uint8_t mu[VLDAA_MLDSA_MU_BYTES], const uint8_t rnd[32],
			      uint8_t *signature, vldaa_mldsa_workspace *ws)
{
	const vldaa_mldsa_set *set = key->set;
	const size_t z_bytes = VLDAA_MLDSA_N * (set->gamma1_bits + 1) / 8;
	uint8_t k_rnd[64];
	uint8_t rho_pp[64];
	uint8_t ctilde[VLDAA_MLDSA_MAX_CTILDE];
	int kept = 0;

	memcpy(k_rnd, key->K, 32);
	memcpy(k_rnd + 32, rnd, 32);
	hash2(rho_pp, sizeof rho_pp, k_rnd, sizeof k_rnd, mu, VLDAA_MLDSA_MU_BYTES);
	for (uint32_t attempt = 0; attempt < MAX_ATTEMPTS && !kept; attempt++) {
		vldaa_mldsa_expand_mask(set, ws->y, rho_pp, attempt * set->l);
		for (uint32_t j = 0; j < set->l; j++) {
			ws->z[j] = ws->y[j];
			vldaa_mldsa_ntt(&ws->z[j]);
		}
		for (uint32_t i = 0; i < set->k; i++) {
			vldaa_mldsa_dot(&ws->tmp, key->a + i * set->l, ws->z, set->l);
			vldaa_mldsa_intt(&ws->tmp);
			vldaa_mldsa_freeze(&ws->tmp);
			vldaa_mldsa_decompose(set, &ws->w1[i], &ws->w[i], &ws->tmp);
		}
		challenge_hash(set, ctilde, mu, ws->w1, ws->packed);
		vldaa_secret_declassify(
		    ctilde, sizeof ctilde,
		    "a challenge is a hash of a masked value: uniform for every secret");
		vldaa_mldsa_sample_in_ball(set, &ws->c, ctilde);
		vldaa_mldsa_ntt(&ws->c);
		kept = respond(key, ws);
	}
	if (kept) {
		vldaa_secret_declassify(ws->z, sizeof ws->z, "an accepted response is published");
		vldaa_secret_declassify(ws->h, sizeof ws->h, "the hint is published");
		memcpy(signature, ctilde, set->ctilde_bytes);
		signature += set->ctilde_bytes;
		for (uint32_t j = 0; j < set->l; j++, signature += z_bytes) {
			vldaa_mldsa_pack(signature, &ws->z[j], set->gamma1_bits + 1,
					 1 << set->gamma1_bits, 1);
		}
		vldaa_mldsa_pack_hint(set, signature, ws->h);
	}
	vldaa_wipe(k_rnd, sizeof k_rnd);
	vldaa_wipe(rho_pp, sizeof rho_pp);
	vldaa_wipe(ws, sizeof *ws);
	return kept ? VLDAA_OK : VLDAA_ERR_ATTEMPTS;
}

int vldaa_mldsa_sign(const vldaa_mldsa_private *key, const uint8_t mu[VLDAA_MLDSA_MU_BYTES],
		     const uint8_t rnd[32], uint8_t *signature, vldaa_mldsa_workspace *ws)
{
	expand_product(&ws->key, key);
	expand_rest(&ws->key, key);
	return vldaa_mldsa_sign_expanded(&ws->key, mu, rnd, signature, ws);
}

void vldaa_mldsa_expand_public(const vldaa_mldsa_verifying *key, const uint8_t *public_key)
{
	vldaa_mldsa_expand_a(key->set, key->a, public_key);
	for (uint32_t i = 0; i < key->set->k; i++) {
		vldaa_mldsa_unpack(&key->t1[i], public_key + VLDAA_MLDSA_SEED_BYTES + i * T1_BYTES,
				   T1_BITS, 0, 0);
		for (size_t j = 0; j < VLDAA_MLDSA_N; j++)
			key->t1[i].c[j] *= 1 << VLDAA_MLDSA_D;
		vldaa_mldsa_ntt(&key->t1[i]);
	}
}

int vldaa_mldsa_verify_expanded(const vldaa_mldsa_verifying *key,
				const uint8_t mu[VLDAA_MLDSA_MU_BYTES], const uint8_t *signature,
				vldaa_mldsa_workspace *ws)
{
	const vldaa_mldsa_set *set = key->set;
	const size_t z_bytes = VLDAA_MLDSA_N * (set->gamma1_bits + 1) / 8;
	const int32_t gamma1 = 1 << set->gamma1_bits;
	const uint8_t *ctilde = signature;
	uint8_t expected[VLDAA_MLDSA_MAX_CTILDE];

	signature += set->ctilde_bytes;
	for (uint32_t j = 0; j < set->l; j++, signature += z_bytes) {
		vldaa_mldsa_unpack(&ws->z[j], signature, set->gamma1_bits + 1, gamma1, 1);
		if (vldaa_mldsa_exceeds(&ws->z[j], gamma1 - set->beta))
			return VLDAA_ERR_NORM;
		vldaa_mldsa_ntt(&ws->z[j]);
	}
	if (vldaa_mldsa_unpack_hint(set, ws->h, signature))
		return VLDAA_ERR_ENCODING;
	vldaa_mldsa_sample_in_ball(set, &ws->c, ctilde);
	vldaa_mldsa_ntt(&ws->c);
	for (uint32_t i = 0; i < set->k; i++) {
		/* w' = A z - c t1 2^d */
		vldaa_mldsa_mul(&ws->tmp, &ws->c, &key->t1[i]);
		vldaa_mldsa_dot(&ws->w1[i], key->a + i * set->l, ws->z, set->l);
		vldaa_mldsa_sub(&ws->w1[i], &ws->w1[i], &ws->tmp);
		vldaa_mldsa_reduce(&ws->w1[i]);
		vldaa_mldsa_intt(&ws->w1[i]);
		vldaa_mldsa_freeze(&ws->w1[i]);
		vldaa_mldsa_use_hint(set, &ws->w1[i], &ws->h[i]);
	}
	challenge_hash(set, expected, mu, ws->w1, ws->packed);
	return vldaa_equal(expected, ctilde, set->ctilde_bytes) ? VLDAA_OK : VLDAA_ERR_PROOF;
}

int vldaa_mldsa_verify(const vldaa_mldsa_set *set, const uint8_t *public_key,
		       const uint8_t mu[VLDAA_MLDSA_MU_BYTES], const uint8_t *signature,
		       vldaa_mldsa_workspace *ws)
{
	const vldaa_mldsa_verifying key = {set, ws->key.a, ws->key.t0};

	vldaa_mldsa_expand_public(&key, public_key);
	return vldaa_mldsa_verify_expanded(&key, mu, signature, ws);
}
