/* Pseudonyms of the one-shot sets: rho, rows of A, the nym's bytes; what proofs are bound to. */
#include "scheme/oneshot.h"

#include <string.h>

#include "mldsa/poly.h"
#include "random/hash.h"

enum {
	T_BITS = 23,
	T1_BITS = 10,
	T_BYTES = VLDAA_MLDSA_N * T_BITS / 8,
	T1_BYTES = VLDAA_MLDSA_N * T1_BITS / 8
};

void vldaa_os_nym_layout(vldaa_os_nym *y, const vldaa_oneshot_set *n, vldaa_arena *a)
{
	const size_t poly = VLDAA_MLDSA_N * sizeof(int64_t);

	y->a_rows = vldaa_arena_take(a, (size_t)n->rows * n->mldsa->l * poly);
	y->t_rows = vldaa_arena_take(a, n->rows * poly);
	y->public_key = vldaa_arena_take(a, n->mldsa->public_bytes);
}

void vldaa_os_rho(const vldaa_set *set, const uint8_t *key_id, vldaa_bytes basename,
		  uint8_t rho[32])
{
	vldaa_shake s;

	vldaa_hash_init(&s, VLDAA_SHAKE256_RATE, VLDAA_DOMAIN_OS_NYM,
			vldaa_oneshot_numbers(set)->id);
	vldaa_hash_part(&s, key_id, VLDAA_KEY_ID_BYTES);
	vldaa_hash_part(&s, basename.bytes, basename.len);
	vldaa_shake_squeeze(&s, rho, 32);
}

static int64_t centred(int32_t x)
{
	return x > VLDAA_MLDSA_Q / 2 ? x - VLDAA_MLDSA_Q : x;
}

void vldaa_os_rows_of_a(const vldaa_oneshot_set *n, int64_t *a_rows, const vldaa_mldsa_poly *a)
{
	vldaa_mldsa_poly entry, one;

	/* the inverse transform expects products, which carry a factor 2^-32: so does a product with 1 */
	for (size_t i = 0; i < VLDAA_MLDSA_N; i++)
		one.c[i] = 1;
	for (uint32_t k = 0; k < n->rows * n->mldsa->l; k++, a_rows += VLDAA_MLDSA_N) {
		vldaa_mldsa_mul(&entry, &a[k], &one);
		vldaa_mldsa_intt(&entry);
		vldaa_mldsa_reduce(&entry);
		vldaa_mldsa_freeze(&entry);
		for (size_t i = 0; i < VLDAA_MLDSA_N; i++)
			a_rows[i] = centred(entry.c[i]);
	}
}

size_t vldaa_os_nym_size(const vldaa_oneshot_set *n)
{
	return n->rows * (size_t)T_BYTES + (n->mldsa->k - n->rows) * (size_t)T1_BYTES;
}

void vldaa_os_nym_encode(const vldaa_oneshot_set *n, uint8_t *bytes, const vldaa_mldsa_poly *t)
{
	vldaa_mldsa_poly t1, t0;

	for (uint32_t i = 0; i < n->mldsa->k; i++) {
		if (i < n->rows) {
			vldaa_mldsa_pack(bytes, &t[i], T_BITS, 0, 0);
			bytes += T_BYTES;
			continue;
		}
		vldaa_mldsa_power2round(&t1, &t0, &t[i]);
		vldaa_mldsa_pack(bytes, &t1, T1_BITS, 0, 0);
		bytes += T1_BYTES;
	}
}

/* A proven row, coefficients in [0, q). */
static int unpack_row(vldaa_mldsa_poly *t, const uint8_t *bytes)
{
	vldaa_mldsa_unpack(t, bytes, T_BITS, 0, 0);
	for (size_t j = 0; j < VLDAA_MLDSA_N; j++) {
		if (t->c[j] >= VLDAA_MLDSA_Q)
			return VLDAA_ERR_RANGE;
	}
	return VLDAA_OK;
}

/* pkEncode (FIPS 204, Algorithm 22): rho, t1. */
static int write_public_key(const vldaa_oneshot_set *n, uint8_t *out, const uint8_t rho[32],
			    const uint8_t *nym)
{
	vldaa_mldsa_poly t, t1, t0;

	memcpy(out, rho, 32);
	out += 32;
	for (uint32_t i = 0; i < n->rows; i++, nym += T_BYTES, out += T1_BYTES) {
		const int err = unpack_row(&t, nym);

		if (err)
			return err;
		vldaa_mldsa_power2round(&t1, &t0, &t);
		vldaa_mldsa_pack(out, &t1, T1_BITS, 0, 0);
	}
	/* t1 below 2^10 always: (q - 1) / 2^13 = 1023 */
	memcpy(out, nym, (n->mldsa->k - n->rows) * (size_t)T1_BYTES);
	return VLDAA_OK;
}

int vldaa_os_nym_decode(const vldaa_oneshot_set *n, vldaa_os_nym *y, const uint8_t *bytes)
{
	vldaa_mldsa_poly t;

	for (uint32_t i = 0; i < n->rows; i++) {
		const int err = unpack_row(&t, bytes + i * (size_t)T_BYTES);

		if (err)
			return err;
		for (size_t j = 0; j < VLDAA_MLDSA_N; j++)
			y->t_rows[i * VLDAA_MLDSA_N + j] = centred(t.c[j]);
	}
	return write_public_key(n, y->public_key, y->rho, bytes);
}

/* rho is computed, never read: a key belongs to one basename. */
int vldaa_oneshot_public_key(const vldaa_set *set, const uint8_t *key_id, vldaa_bytes basename,
			     const uint8_t *nym, uint8_t *out)
{
	uint8_t rho[32];

	vldaa_os_rho(set, key_id, basename, rho);
	return write_public_key(vldaa_oneshot_numbers(set), out, rho, nym);
}

void vldaa_os_create_bind(const vldaa_os_group *g, vldaa_bytes basename, const uint8_t *nym,
			  uint8_t bind[VLDAA_OS_DIGEST])
{
	uint8_t rho[32];
	vldaa_shake s;

	vldaa_os_rho(g->set, g->key_id, basename, rho);
	vldaa_hash_init(&s, VLDAA_SHAKE256_RATE, VLDAA_DOMAIN_OS_CREATE, g->n->id);
	vldaa_hash_part(&s, g->crs_digest, sizeof g->crs_digest);
	vldaa_hash_part(&s, g->key_id, VLDAA_KEY_ID_BYTES);
	vldaa_hash_part(&s, basename.bytes, basename.len);
	vldaa_hash_part(&s, rho, sizeof rho);
	vldaa_hash_part(&s, nym, vldaa_os_nym_size(g->n));
	vldaa_shake_squeeze(&s, bind, VLDAA_OS_DIGEST);
}

void vldaa_os_join_bind(const vldaa_os_group *g, vldaa_bytes bind, const uint8_t *u_t,
			uint8_t digest[VLDAA_OS_DIGEST])
{
	vldaa_shake s;

	vldaa_hash_init(&s, VLDAA_SHAKE256_RATE, VLDAA_DOMAIN_OS_JOIN, g->n->id);
	vldaa_hash_part(&s, g->crs_digest, sizeof g->crs_digest);
	vldaa_hash_part(&s, g->key_id, VLDAA_KEY_ID_BYTES);
	vldaa_hash_part(&s, bind.bytes, bind.len);
	vldaa_hash_part(&s, u_t, vldaa_os_ut_size(g->n));
	vldaa_shake_squeeze(&s, digest, VLDAA_OS_DIGEST);
}
