/* See oneshot_group.h. */
#include "scheme/oneshot_group.h"

#include <string.h>

#include "random/hash.h"
#include "wire/pack.h"

size_t vldaa_os_group_payload(const vldaa_oneshot_set *n)
{
	return VLDAA_OS_SEED_BYTES + vldaa_pack_uniform_size(&n->big);
}

size_t vldaa_os_ut_size(const vldaa_oneshot_set *n)
{
	return vldaa_pack_uniform_size(&n->big);
}

void vldaa_os_group_layout(vldaa_os_group *g, const vldaa_oneshot_set *n, vldaa_arena *a)
{
	int64_t **const polys[] = {&g->h, &g->u, &g->bx, &g->d0, &g->d1};
	uint32_t **const hats[] = {&g->h_hat, &g->bx_hat, &g->d0_hat, &g->d1_hat};

	for (size_t i = 0; i < sizeof polys / sizeof polys[0]; i++)
		*polys[i] = vldaa_arena_polys(a, &n->big, 1);
	for (size_t i = 0; i < sizeof hats / sizeof hats[0]; i++)
		*hats[i] = vldaa_arena_hats(a, &n->big, 1);
}

/* Uniform modulo p: 2-byte little-endian fields below 5 p = 61445, modulo p, centred. */
static void expand(const vldaa_oneshot_set *n, int64_t *out, const uint8_t *payload, uint32_t which)
{
	uint8_t block[VLDAA_SHAKE128_RATE];
	vldaa_shake s;
	size_t i = 0;

	vldaa_hash_init(&s, VLDAA_SHAKE128_RATE, VLDAA_DOMAIN_OS_PUBLIC, n->id);
	vldaa_hash_part(&s, payload, vldaa_os_group_payload(n));
	vldaa_hash_u32(&s, which);
	while (i < n->N) {
		vldaa_shake_squeeze(&s, block, sizeof block);
		for (size_t j = 0; j < sizeof block && i < n->N; j += 2) {
			const uint32_t x = block[j] | (uint32_t)block[j + 1] << 8;

			if (x >= 5 * VLDAA_OS_P)
				continue;
			out[i] = x % VLDAA_OS_P;
			out[i] -= out[i] > VLDAA_OS_P / 2 ? VLDAA_OS_P : 0;
			i++;
		}
	}
}

int vldaa_os_group_load(vldaa_os_group *g, const vldaa_set *set, const uint8_t *payload,
			const uint8_t *key_id)
{
	const vldaa_oneshot_set *n = vldaa_oneshot_numbers(set);
	vldaa_reader rd;
	vldaa_shake s;
	int err;

	g->set = set;
	g->n = n;
	memcpy(g->key_id, key_id, sizeof g->key_id);
	if (!payload)
		return VLDAA_OK;
	vldaa_get_init(&rd, payload, vldaa_os_group_payload(n));
	(void)vldaa_get_view(&rd, VLDAA_OS_SEED_BYTES);
	vldaa_unpack_uniform(&n->big, &rd, g->h);
	err = vldaa_get_end(&rd);
	if (err)
		return err;
	vldaa_hash_init(&s, VLDAA_SHAKE256_RATE, VLDAA_DOMAIN_OS_PUBLIC, n->id);
	vldaa_hash_part(&s, payload, vldaa_os_group_payload(n));
	vldaa_shake_squeeze(&s, g->crs_digest, sizeof g->crs_digest);
	expand(n, g->u, payload, 1);
	expand(n, g->bx, payload, 2);
	expand(n, g->d0, payload, 3);
	expand(n, g->d1, payload, 4);
	vldaa_hat_from_poly(&n->big, g->h_hat, g->h);
	vldaa_hat_from_poly(&n->big, g->bx_hat, g->bx);
	vldaa_hat_from_poly(&n->big, g->d0_hat, g->d0);
	vldaa_hat_from_poly(&n->big, g->d1_hat, g->d1);
	return VLDAA_OK;
}

void vldaa_os_times_d(const vldaa_os_group *g, int64_t *out, const int64_t *s,
		      uint32_t *hat_scratch, int64_t *scratch)
{
	const vldaa_ring *r = &g->n->big;
	const size_t len = vldaa_hat_len(r);

	vldaa_os_pack_s(g->n, scratch, scratch + r->d, s);
	vldaa_hat_from_poly(r, hat_scratch, scratch);
	vldaa_hat_from_poly(r, hat_scratch + len, scratch + r->d);
	vldaa_hat_mul(r, hat_scratch, hat_scratch, g->d0_hat);
	vldaa_hat_mul_add(r, hat_scratch, hat_scratch + len, g->d1_hat);
	vldaa_hat_to_integers(r, out, hat_scratch);
}

void vldaa_os_times_h(const vldaa_os_group *g, int64_t *out, const int64_t *v2,
		      uint32_t *hat_scratch)
{
	const vldaa_ring *r = &g->n->big;

	vldaa_hat_from_poly(r, hat_scratch, v2);
	vldaa_hat_mul(r, hat_scratch, hat_scratch, g->h_hat);
	vldaa_hat_to_integers(r, out, hat_scratch);
}

void vldaa_os_times_bx(const vldaa_os_group *g, int64_t *out, const uint8_t *x,
		       uint32_t *hat_scratch, int64_t *scratch)
{
	const vldaa_ring *r = &g->n->big;
	const uint32_t per = g->n->N / VLDAA_OS_TAG_BITS;

	memset(scratch, 0, r->d * sizeof *scratch);
	for (uint32_t i = 0; i < VLDAA_OS_TAG_BITS; i++)
		scratch[i * per] = x[i / 8] >> (i % 8) & 1;
	vldaa_hat_from_poly(r, hat_scratch, scratch);
	vldaa_hat_mul(r, hat_scratch, hat_scratch, g->bx_hat);
	vldaa_hat_to_integers(r, out, hat_scratch);
}
