/*
 * Promises: a signature has one spelling, and whatever is changed in it, in the message or in the
 * key is refused by the check that should refuse it; bounds are exact on both sides; signing and
 * key generation leave no secret in their workspace, and what fails writes nothing.
 *
 * For exact bounds the tests forge: under a public key whose t1 is 0 the challenge drops out of
 * w' = A z - c t1 2^d, so that any short z and any hints make a signature of any message.
 */
#include <stdlib.h>
#include <string.h>

#include "mldsa_common.h"
#include "vldaa/error.h"

enum { N = VLDAA_MLDSA_N };

static vldaa_mldsa_workspace *const ws = &mldsa_workspace;

static size_t z_bytes(const vldaa_mldsa_set *set)
{
	return N * (set->gamma1_bits + 1) / 8;
}

/* Where the hints begin. */
static size_t hints_at(const vldaa_mldsa_set *set)
{
	return set->signature_bytes - set->omega - set->k;
}

typedef struct {
	mldsa_key key;
	uint8_t mu[VLDAA_MLDSA_MU_BYTES];
	uint8_t signature[VLDAA_MLDSA_MAX_SIGNATURE];
} example;

static example *example_new(const vldaa_mldsa_set *set)
{
	example *e = malloc(sizeof *e);

	ck_assert_ptr_nonnull(e);
	mldsa_key_init(&e->key, set, 1);
	mldsa_mu(e->mu, e->key.secret.tr, "context", 7, "message", 7);
	mldsa_sign(&e->key, e->mu, e->signature);
	ck_assert_int_eq(mldsa_verify(&e->key, e->mu, e->signature), 0);
	return e;
}

/* --- encodings --- */

START_TEST(packing_is_bit_by_bit_and_comes_back)
{
	static const struct {
		uint32_t bits;
		int32_t base;
		int negate;
	} kinds[] = {{10, 0, 0},       {3, 2, 1}, {13, 1 << 12, 1}, {18, 1 << 17, 1},
		     {20, 1 << 19, 1}, {6, 0, 0}, {4, 0, 0}};

	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		const uint32_t bits = kinds[i].bits;
		uint8_t bytes[20 * N / 8], again[20 * N / 8];
		vldaa_mldsa_poly a;

		mldsa_bytes(i, bytes, sizeof bytes);
		vldaa_mldsa_unpack(&a, bytes, bits, kinds[i].base, kinds[i].negate);
		for (uint32_t j = 0; j < N; j++) {
			int32_t x = 0;

			for (uint32_t b = 0; b < bits; b++) {
				const uint32_t at = j * bits + b;

				x |= (bytes[at / 8] >> (at % 8) & 1) << b;
			}
			ck_assert_int_eq(a.c[j],
					 kinds[i].negate ? kinds[i].base - x : kinds[i].base + x);
		}
		vldaa_mldsa_pack(again, &a, bits, kinds[i].base, kinds[i].negate);
		ck_assert_mem_eq(again, bytes, bits * N / 8);
	}
}
END_TEST

/* Bytes that unpack_hint takes are those that pack_hint makes of what it took them for. */
static int taken_and_canonical(const vldaa_mldsa_set *set, const uint8_t *bytes)
{
	uint8_t again[256];
	vldaa_mldsa_poly h[VLDAA_MLDSA_MAX_K];
	const int err = vldaa_mldsa_unpack_hint(set, h, bytes);

	if (err) {
		ck_assert_int_eq(err, VLDAA_ERR_ENCODING);
		return 0;
	}
	vldaa_mldsa_pack_hint(set, again, h);
	ck_assert_mem_eq(again, bytes, set->omega + set->k);
	return 1;
}

/* This many hints, spread over the elements. */
static void spread_hints(const vldaa_mldsa_set *set, vldaa_mldsa_poly *h, uint32_t count)
{
	memset(h, 0, VLDAA_MLDSA_MAX_K * sizeof *h);
	for (uint32_t i = 0; i < count; i++)
		h[i * i % set->k].c[(i * 37 + 255) % N] = 1;
}

START_TEST(hints_have_one_spelling)
{
	const vldaa_mldsa_set *set = mldsa_sets[_i];
	const size_t len = set->omega + set->k;
	vldaa_mldsa_poly h[VLDAA_MLDSA_MAX_K], back[VLDAA_MLDSA_MAX_K];
	uint8_t bytes[256];
	size_t taken = 0;

	for (uint32_t count = 0; count <= set->omega; count++) {
		spread_hints(set, h, count);
		vldaa_mldsa_pack_hint(set, bytes, h);
		ck_assert_int_eq(vldaa_mldsa_unpack_hint(set, back, bytes), 0);
		ck_assert_mem_eq(back, h, set->k * sizeof *h);
		if (count % 13 > 2 && count != set->omega)
			continue;
		for (size_t at = 0; at < len; at++) {
			const uint8_t before = bytes[at];

			for (unsigned bit = 0; bit < 8; bit++) {
				bytes[at] = (uint8_t)(before ^ 1 << bit);
				taken += (size_t)taken_and_canonical(set, bytes);
			}
			bytes[at] = before;
		}
	}
	/* some changes give other hints, so that the comparison above happens */
	ck_assert_uint_gt(taken, 1000);
}
END_TEST

START_TEST(each_misspelling_of_hints_is_refused)
{
	const vldaa_mldsa_set *set = mldsa_sets[_i];
	vldaa_mldsa_poly h[VLDAA_MLDSA_MAX_K];
	uint8_t bytes[256] = {0};
	uint8_t *const ends = bytes + set->omega;

	memset(ends, 2, set->k);
	bytes[0] = 3;
	bytes[1] = 4;
	ck_assert_int_eq(vldaa_mldsa_unpack_hint(set, h, bytes), 0);
	bytes[0] = 4; /* twice */
	ck_assert_int_eq(vldaa_mldsa_unpack_hint(set, h, bytes), VLDAA_ERR_ENCODING);
	bytes[0] = 5; /* downwards */
	ck_assert_int_eq(vldaa_mldsa_unpack_hint(set, h, bytes), VLDAA_ERR_ENCODING);
	ends[0] = 1; /* downwards, but in two elements */
	ck_assert_int_eq(vldaa_mldsa_unpack_hint(set, h, bytes), 0);
	ends[1] = 0; /* an end before the beginning */
	ck_assert_int_eq(vldaa_mldsa_unpack_hint(set, h, bytes), VLDAA_ERR_ENCODING);
	ends[1] = 2;
	ends[set->k - 1] = 1;
	ck_assert_int_eq(vldaa_mldsa_unpack_hint(set, h, bytes), VLDAA_ERR_ENCODING);
	ends[set->k - 1] = 2;
	bytes[2] = 1; /* behind the last */
	ck_assert_int_eq(vldaa_mldsa_unpack_hint(set, h, bytes), VLDAA_ERR_ENCODING);
	bytes[2] = 0;
	bytes[set->omega - 1] = 9;
	ck_assert_int_eq(vldaa_mldsa_unpack_hint(set, h, bytes), VLDAA_ERR_ENCODING);
	bytes[set->omega - 1] = 0;
	ck_assert_int_eq(vldaa_mldsa_unpack_hint(set, h, bytes), 0);
	/* more than omega, though they rise */
	for (uint32_t i = 0; i < set->omega; i++)
		bytes[i] = (uint8_t)i;
	memset(ends, (int)set->omega, set->k);
	ck_assert_int_eq(vldaa_mldsa_unpack_hint(set, h, bytes), 0);
	for (uint32_t i = 0; i < set->k; i++) {
		memset(ends, (int)set->omega, set->k);
		memset(ends + i, (int)set->omega + 1, set->k - i);
		ck_assert_int_eq(vldaa_mldsa_unpack_hint(set, h, bytes), VLDAA_ERR_ENCODING);
		ends[i] = 255;
		ck_assert_int_eq(vldaa_mldsa_unpack_hint(set, h, bytes), VLDAA_ERR_ENCODING);
	}
}
END_TEST

START_TEST(private_keys_with_a_coefficient_out_of_range_are_refused)
{
	const vldaa_mldsa_set *set = mldsa_sets[_i];
	static mldsa_key key, back;
	static uint8_t bytes[VLDAA_MLDSA_MAX_PRIVATE];

	mldsa_key_init(&key, set, 2);
	vldaa_mldsa_encode_private(bytes, &key.secret);
	ck_assert_int_eq(vldaa_mldsa_decode_private(&back.secret, set, bytes), 0);
	ck_assert_mem_eq(back.secret.s1, key.secret.s1, set->l * sizeof key.secret.s1[0]);
	ck_assert_mem_eq(back.secret.s2, key.secret.s2, set->k * sizeof key.secret.s2[0]);
	ck_assert_mem_eq(back.secret.t0, key.secret.t0, set->k * sizeof key.secret.t0[0]);
	for (uint32_t e = 0; e < set->k + set->l; e++) {
		/* codes of 3 bits; the 4 that count are in two bytes at most */
		const uint32_t bit = 128 * 8 + 3 * (N * e + 101 * e % N);
		uint8_t *const at = bytes + bit / 8;
		const uint8_t before[2] = {at[0], at[1]};

		for (unsigned code = 0; code < 8; code++) {
			unsigned both = before[0] | (unsigned)before[1] << 8;

			both = (both & ~(7u << bit % 8)) | code << bit % 8;
			at[0] = (uint8_t)both;
			at[1] = (uint8_t)(both >> 8);
			ck_assert_int_eq(vldaa_mldsa_decode_private(&back.secret, set, bytes),
					 code <= 4 ? 0 : VLDAA_ERR_RANGE);
			ck_assert_int_eq(mldsa_is_zero(&back, sizeof back), code > 4);
		}
		memcpy(at, before, sizeof before);
	}
}
END_TEST

/* --- changes --- */

/* In z it is every 7th bit, or 37th: each bit of a coefficient sooner or later. */
START_TEST(no_flipped_bit_of_a_signature_is_accepted)
{
	const vldaa_mldsa_set *set = mldsa_sets[_i];
	example *e = example_new(set);
	const size_t z_begin = set->ctilde_bytes, z_end = hints_at(set);
	size_t step;

	for (size_t bit = 0; bit < 8 * (size_t)set->signature_bytes; bit += step) {
		const size_t at = bit / 8;
		const int in_z = at >= z_begin && at < z_end;

		e->signature[at] ^= (uint8_t)(1 << bit % 8);
		const int code = mldsa_verify(&e->key, e->mu, e->signature);
		if (at < z_begin)
			ck_assert_int_eq(code, VLDAA_ERR_PROOF);
		else if (in_z)
			ck_assert(code == VLDAA_ERR_PROOF || code == VLDAA_ERR_NORM);
		else
			ck_assert(code == VLDAA_ERR_PROOF || code == VLDAA_ERR_ENCODING);
		e->signature[at] ^= (uint8_t)(1 << bit % 8);
		step = !in_z ? 1 : set == &vldaa_mldsa_44 ? 7 : 37;
	}
	ck_assert_int_eq(mldsa_verify(&e->key, e->mu, e->signature), 0);
	free(e);
}
END_TEST

START_TEST(no_flipped_bit_of_a_message_or_key_is_accepted)
{
	const vldaa_mldsa_set *set = mldsa_sets[_i];
	example *e = example_new(set);

	for (size_t bit = 0; bit < 8 * sizeof e->mu; bit++) {
		e->mu[bit / 8] ^= (uint8_t)(1 << bit % 8);
		ck_assert_int_eq(mldsa_verify(&e->key, e->mu, e->signature), VLDAA_ERR_PROOF);
		e->mu[bit / 8] ^= (uint8_t)(1 << bit % 8);
	}
	/* rho without the message; t1 by the message's H(public key), since its low bits alone may
	 * be too small a change for any high part of w' */
	for (size_t bit = 0; bit < 8 * (size_t)set->public_bytes; bit += bit < 256 ? 5 : 53) {
		uint8_t tr[VLDAA_MLDSA_TR_BYTES];

		e->key.public[bit / 8] ^= (uint8_t)(1 << bit % 8);
		if (bit < 256)
			ck_assert_int_eq(mldsa_verify(&e->key, e->mu, e->signature),
					 VLDAA_ERR_PROOF);
		vldaa_mldsa_tr(set, e->key.public, tr);
		mldsa_mu(e->mu, tr, "context", 7, "message", 7);
		ck_assert_int_eq(mldsa_verify(&e->key, e->mu, e->signature), VLDAA_ERR_PROOF);
		e->key.public[bit / 8] ^= (uint8_t)(1 << bit % 8);
		mldsa_mu(e->mu, e->key.secret.tr, "context", 7, "message", 7);
	}
	ck_assert_int_eq(mldsa_verify(&e->key, e->mu, e->signature), 0);
	free(e);
}
END_TEST

START_TEST(the_message_representative_binds_all_that_it_is_made_of)
{
	uint8_t tr[VLDAA_MLDSA_TR_BYTES] = {1};
	uint8_t seen[7][VLDAA_MLDSA_MU_BYTES];
	uint8_t context[255] = {0};

	mldsa_mu(seen[0], tr, NULL, 0, "abc", 3);
	mldsa_mu(seen[1], tr, "a", 1, "bc", 2);
	mldsa_mu(seen[2], tr, "abc", 3, NULL, 0);
	mldsa_mu(seen[3], tr, NULL, 0, "abd", 3);
	mldsa_mu(seen[4], tr, context, 255, "abc", 3);
	mldsa_mu(seen[5], tr, context, 254, "\0abc", 4);
	tr[63] = 1;
	mldsa_mu(seen[6], tr, NULL, 0, "abc", 3);
	for (size_t i = 0; i < 7; i++) {
		for (size_t j = 0; j < i; j++)
			ck_assert_mem_ne(seen[i], seen[j], VLDAA_MLDSA_MU_BYTES);
	}
}
END_TEST

/* --- bounds --- */

/* The signature of z and h under the key of rho and t1 = 0. */
static void forge(const vldaa_mldsa_set *set, const uint8_t *public, const uint8_t *mu,
		  const vldaa_mldsa_poly *z, const vldaa_mldsa_poly *h, uint8_t *signature)
{
	static vldaa_mldsa_poly a[VLDAA_MLDSA_MAX_K * VLDAA_MLDSA_MAX_L];
	static vldaa_mldsa_poly z_hat[VLDAA_MLDSA_MAX_L];
	uint8_t w1_bytes[N * 6 / 8];
	uint8_t *out = signature + set->ctilde_bytes;
	vldaa_shake s;

	for (uint32_t j = 0; j < set->l; j++, out += z_bytes(set)) {
		vldaa_mldsa_pack(out, &z[j], set->gamma1_bits + 1, 1 << set->gamma1_bits, 1);
		z_hat[j] = z[j];
		vldaa_mldsa_ntt(&z_hat[j]);
	}
	vldaa_mldsa_pack_hint(set, out, h);
	vldaa_shake_init(&s, VLDAA_SHAKE256_RATE);
	vldaa_shake_absorb(&s, mu, VLDAA_MLDSA_MU_BYTES);
	vldaa_mldsa_expand_a(set, a, public);
	for (uint32_t i = 0; i < set->k; i++) {
		vldaa_mldsa_poly w;

		vldaa_mldsa_dot(&w, a + i * set->l, z_hat, set->l);
		vldaa_mldsa_intt(&w);
		vldaa_mldsa_freeze(&w);
		vldaa_mldsa_use_hint(set, &w, &h[i]);
		vldaa_mldsa_pack(w1_bytes, &w, set->w1_bits, 0, 0);
		vldaa_shake_absorb(&s, w1_bytes, N * set->w1_bits / 8);
	}
	vldaa_shake_squeeze(&s, signature, set->ctilde_bytes);
}

START_TEST(responses_are_accepted_up_to_the_bound_and_not_at_it)
{
	const vldaa_mldsa_set *set = mldsa_sets[_i];
	const int32_t bound = (1 << set->gamma1_bits) - set->beta;
	static mldsa_key key;
	static uint8_t signature[VLDAA_MLDSA_MAX_SIGNATURE];
	static vldaa_mldsa_poly z[VLDAA_MLDSA_MAX_L], h[VLDAA_MLDSA_MAX_K];
	const uint8_t mu[VLDAA_MLDSA_MU_BYTES] = {3};

	key.secret.set = set;
	for (uint32_t j = 0; j < set->l; j++) {
		for (size_t i = 0; i < N; i++)
			z[j].c[i] = i % 3 ? bound - 1 : 1 - bound;
	}
	forge(set, key.public, mu, z, h, signature);
	ck_assert_int_eq(mldsa_verify(&key, mu, signature), 0);
	for (uint32_t j = 0; j < set->l; j++) {
		for (int32_t sign = -1; sign <= 1; sign += 2) {
			int32_t *const at = &z[j].c[(j * 83 + 255) % N];
			const int32_t before = *at;

			*at = sign * bound;
			forge(set, key.public, mu, z, h, signature);
			ck_assert_int_eq(mldsa_verify(&key, mu, signature), VLDAA_ERR_NORM);
			*at = before;
		}
	}
	/* what the encoding can hold beyond */
	z[0].c[0] = 1 << set->gamma1_bits;
	forge(set, key.public, mu, z, h, signature);
	ck_assert_int_eq(mldsa_verify(&key, mu, signature), VLDAA_ERR_NORM);
}
END_TEST

/* Elsewhere another challenge changes w' too, which hides a comparison that is too short. */
START_TEST(every_bit_of_the_challenge_is_compared)
{
	const vldaa_mldsa_set *set = mldsa_sets[_i];
	static mldsa_key key;
	static uint8_t signature[VLDAA_MLDSA_MAX_SIGNATURE];
	static vldaa_mldsa_poly z[VLDAA_MLDSA_MAX_L], h[VLDAA_MLDSA_MAX_K];
	const uint8_t mu[VLDAA_MLDSA_MU_BYTES] = {5};

	key.secret.set = set;
	z[0].c[0] = 1;
	forge(set, key.public, mu, z, h, signature);
	ck_assert_int_eq(mldsa_verify(&key, mu, signature), 0);
	for (uint32_t bit = 0; bit < 8 * set->ctilde_bytes; bit++) {
		signature[bit / 8] ^= (uint8_t)(1 << bit % 8);
		ck_assert_int_eq(mldsa_verify(&key, mu, signature), VLDAA_ERR_PROOF);
		signature[bit / 8] ^= (uint8_t)(1 << bit % 8);
	}
}
END_TEST

START_TEST(omega_hints_are_accepted_and_each_of_them_counts)
{
	const vldaa_mldsa_set *set = mldsa_sets[_i];
	static mldsa_key key;
	static uint8_t signature[VLDAA_MLDSA_MAX_SIGNATURE];
	static vldaa_mldsa_poly z[VLDAA_MLDSA_MAX_L], h[VLDAA_MLDSA_MAX_K];
	const uint8_t mu[VLDAA_MLDSA_MU_BYTES] = {4};
	uint8_t *const hints = signature + hints_at(set);

	key.secret.set = set;
	memset(key.public, 5, 32);
	for (uint32_t j = 0; j < set->l; j++)
		z[j].c[j] = 60000;
	spread_hints(set, h, set->omega);
	forge(set, key.public, mu, z, h, signature);
	ck_assert_uint_eq(hints[set->omega + set->k - 1], set->omega);
	ck_assert_int_eq(mldsa_verify(&key, mu, signature), 0);
	for (uint32_t i = 0; i < set->k; i++) {
		for (uint32_t j = 0; j < N; j++) {
			if (!h[i].c[j])
				continue;
			h[i].c[j] = 0;
			vldaa_mldsa_pack_hint(set, hints, h);
			ck_assert_int_eq(mldsa_verify(&key, mu, signature), VLDAA_ERR_PROOF);
			h[i].c[j] = 1;
		}
	}
	vldaa_mldsa_pack_hint(set, hints, h);
	ck_assert_int_eq(mldsa_verify(&key, mu, signature), 0);
}
END_TEST

/* --- keys and secrets --- */

START_TEST(completing_a_key_gives_t_in_both_its_parts)
{
	const vldaa_mldsa_set *set = mldsa_sets[_i];
	static mldsa_key key, again;
	static vldaa_mldsa_poly t[VLDAA_MLDSA_MAX_K];

	mldsa_key_init(&key, set, 6);
	again.secret = key.secret;
	memset(again.secret.t0, 0, sizeof again.secret.t0);
	memset(again.secret.tr, 0, sizeof again.secret.tr);
	vldaa_mldsa_complete(again.public, &again.secret, t, ws);
	ck_assert_mem_eq(again.public, key.public, set->public_bytes);
	ck_assert_mem_eq(again.secret.tr, key.secret.tr, sizeof key.secret.tr);
	ck_assert_mem_eq(again.secret.t0, key.secret.t0, set->k * sizeof key.secret.t0[0]);
	for (uint32_t i = 0; i < set->k; i++) {
		vldaa_mldsa_poly t1;

		vldaa_mldsa_unpack(&t1, key.public + 32 + 320 * i, 10, 0, 0);
		for (size_t j = 0; j < N; j++) {
			ck_assert_int_eq(t[i].c[j], t1.c[j] * 8192 + key.secret.t0[i].c[j]);
			ck_assert(t[i].c[j] >= 0 && t[i].c[j] < VLDAA_MLDSA_Q);
		}
	}
}
END_TEST

START_TEST(signatures_depend_on_rnd_and_on_the_key_and_verify)
{
	const vldaa_mldsa_set *set = mldsa_sets[_i];
	static uint8_t other[VLDAA_MLDSA_MAX_SIGNATURE];
	example *e = example_new(set);
	uint8_t rnd[32] = {0};

	for (unsigned i = 0; i < 32; i++) {
		rnd[i] = (uint8_t)(1 << i % 8);
		ck_assert_int_eq(vldaa_mldsa_sign(&e->key.secret, e->mu, rnd, other, ws), 0);
		ck_assert_mem_ne(other, e->signature, set->signature_bytes);
		ck_assert_int_eq(mldsa_verify(&e->key, e->mu, other), 0);
		rnd[i] = 0;
	}
	e->key.secret.K[31] ^= 0x80; /* K makes the masks and nothing else */
	mldsa_sign(&e->key, e->mu, other);
	ck_assert_mem_ne(other, e->signature, set->signature_bytes);
	ck_assert_int_eq(mldsa_verify(&e->key, e->mu, other), 0);
	e->key.secret.s1[0].c[0] += 1; /* not the key of t any more */
	mldsa_sign(&e->key, e->mu, other);
	ck_assert_int_eq(mldsa_verify(&e->key, e->mu, other), VLDAA_ERR_PROOF);
	free(e);
}
END_TEST

START_TEST(no_secret_stays_in_the_workspace)
{
	const vldaa_mldsa_set *set = mldsa_sets[_i];
	static mldsa_key key;
	static uint8_t signature[VLDAA_MLDSA_MAX_SIGNATURE];
	const uint8_t mu[VLDAA_MLDSA_MU_BYTES] = {1};

	memset(ws, 0xa5, sizeof *ws);
	mldsa_key_init(&key, set, 7);
	ck_assert(mldsa_is_zero(ws, sizeof *ws));
	memset(ws, 0xa5, sizeof *ws);
	mldsa_sign(&key, mu, signature);
	ck_assert(mldsa_is_zero(ws, sizeof *ws));
}
END_TEST

START_TEST(an_expanded_key_signs_as_the_key_does_any_number_of_times)
{
	const vldaa_mldsa_set *set = mldsa_sets[_i];
	static vldaa_mldsa_expanded expanded, before;
	static vldaa_mldsa_poly t[VLDAA_MLDSA_MAX_K];
	static mldsa_key key, again;
	static uint8_t expected[VLDAA_MLDSA_MAX_SIGNATURE], signature[VLDAA_MLDSA_MAX_SIGNATURE];
	uint8_t mu[VLDAA_MLDSA_MU_BYTES] = {1};
	const uint8_t rnd[32] = {0};

	mldsa_key_init(&key, set, 9);
	again.secret = key.secret;
	memset(ws, 0, sizeof *ws);
	vldaa_mldsa_complete_expanded(again.public, &again.secret, t, &expanded, ws);
	ck_assert_mem_eq(again.public, key.public, set->public_bytes);
	ck_assert_mem_eq(again.secret.t0, key.secret.t0, set->k * sizeof key.secret.t0[0]);
	ck_assert(mldsa_is_zero(ws, sizeof *ws));
	before = expanded;
	for (mu[1] = 0; mu[1] < 4; mu[1]++) {
		ck_assert_int_eq(vldaa_mldsa_sign(&key.secret, mu, rnd, expected, ws), 0);
		memset(ws, 0xa5, sizeof *ws);
		ck_assert_int_eq(vldaa_mldsa_sign_expanded(&expanded, mu, rnd, signature, ws), 0);
		ck_assert_mem_eq(signature, expected, set->signature_bytes);
		ck_assert(mldsa_is_zero(ws, sizeof *ws));
		ck_assert_mem_eq(&expanded, &before, sizeof expanded);
	}
	/* in the workspace itself */
	ck_assert_int_eq(vldaa_mldsa_sign(&key.secret, mu, rnd, expected, ws), 0);
	vldaa_mldsa_complete_expanded(again.public, &again.secret, t, &ws->key, ws);
	ck_assert_int_eq(vldaa_mldsa_sign_expanded(&ws->key, mu, rnd, signature, ws), 0);
	ck_assert_mem_eq(signature, expected, set->signature_bytes);
	ck_assert(mldsa_is_zero(ws, sizeof *ws));
}
END_TEST

/* s1 beyond every bound: no response is ever short enough. */
START_TEST(signing_gives_up_after_a_thousand_attempts_and_writes_nothing)
{
	static mldsa_key key;
	static uint8_t signature[VLDAA_MLDSA_MAX_SIGNATURE];
	const uint8_t mu[VLDAA_MLDSA_MU_BYTES] = {1};
	const uint8_t rnd[32] = {0};

	mldsa_key_init(&key, &vldaa_mldsa_44, 8);
	for (size_t j = 0; j < N; j++)
		key.secret.s1[0].c[j] = 1 << 20;
	ck_assert_int_eq(vldaa_mldsa_sign(&key.secret, mu, rnd, signature, ws), VLDAA_ERR_ATTEMPTS);
	ck_assert(mldsa_is_zero(signature, sizeof signature));
	ck_assert(mldsa_is_zero(ws, sizeof *ws));
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("strict");

	tcase_add_test(tc, packing_is_bit_by_bit_and_comes_back);
	tcase_add_test(tc, the_message_representative_binds_all_that_it_is_made_of);
	tcase_add_test(tc, signing_gives_up_after_a_thousand_attempts_and_writes_nothing);
	tcase_add_loop_test(tc, hints_have_one_spelling, 0, MLDSA_SETS);
	tcase_add_loop_test(tc, each_misspelling_of_hints_is_refused, 0, MLDSA_SETS);
	tcase_add_loop_test(tc, private_keys_with_a_coefficient_out_of_range_are_refused, 0,
			    MLDSA_SETS);
	tcase_add_loop_test(tc, no_flipped_bit_of_a_signature_is_accepted, 0, MLDSA_SETS);
	tcase_add_loop_test(tc, no_flipped_bit_of_a_message_or_key_is_accepted, 0, MLDSA_SETS);
	tcase_add_loop_test(tc, responses_are_accepted_up_to_the_bound_and_not_at_it, 0,
			    MLDSA_SETS);
	tcase_add_loop_test(tc, every_bit_of_the_challenge_is_compared, 0, MLDSA_SETS);
	tcase_add_loop_test(tc, omega_hints_are_accepted_and_each_of_them_counts, 0, MLDSA_SETS);
	tcase_add_loop_test(tc, completing_a_key_gives_t_in_both_its_parts, 0, MLDSA_SETS);
	tcase_add_loop_test(tc, signatures_depend_on_rnd_and_on_the_key_and_verify, 0, MLDSA_SETS);
	tcase_add_loop_test(tc, no_secret_stays_in_the_workspace, 0, MLDSA_SETS);
	tcase_add_loop_test(tc, an_expanded_key_signs_as_the_key_does_any_number_of_times, 0,
			    MLDSA_SETS);
	return mldsa_run("mldsa_strict", tc);
}
