/*
 * The issuer of the one-shot sets.  Key: an NTRU key (f, g, F, G), h = g/f modulo p; its bytes are ntru_secret.h's.  A credential is (x, v_2) with v_1 + h v_2 = u + b_x X + u_T: x fresh at every attempt, so that no
 * target is ever answered twice.
 */
#include "scheme/oneshot_issuer.h"

#include <string.h>

#include "random/secret.h"
#include "sampler/ntru_preimage.h"
#include "scheme/ntru_secret.h"
#include "wire/pack.h"

enum { MAX_ATTEMPTS = 1000 };

typedef struct {
	const vldaa_os_group *group;
	vldaa_ntru_key *key;
	vldaa_ntru_preimage *preimage;
	int64_t *ut, *target, *v1, *poly; /* poly: 3, scratch */
	uint32_t *hat;                    /* 1 */
	void *scratch;                    /* of the preimage sampler */
	vldaa_os_credential *credential;
} issuer_context;

static const vldaa_ntru_set *ntru_set(const vldaa_oneshot_set *n)
{
	return n->N == 512 ? &vldaa_ntru_512 : &vldaa_ntru_1024;
}

size_t vldaa_os_issuer_payload(const vldaa_oneshot_set *n)
{
	return vldaa_ntru_secret_size(ntru_set(n));
}

size_t vldaa_os_place_issuer(const vldaa_oneshot_set *n, void *at)
{
	vldaa_arena a;
	issuer_context local;
	issuer_context *is;

	vldaa_arena_init(&a, at, SIZE_MAX);
	is = vldaa_arena_take(&a, sizeof *is);
	if (!is)
		is = &local;
	is->key = vldaa_arena_take(&a, sizeof *is->key);
	is->preimage = vldaa_arena_take(&a, vldaa_ntru_preimage_size());
	is->scratch = vldaa_arena_take(&a, vldaa_ntru_preimage_scratch());
	is->ut = vldaa_arena_polys(&a, &n->big, 1);
	is->target = vldaa_arena_polys(&a, &n->big, 1);
	is->v1 = vldaa_arena_polys(&a, &n->big, 1);
	is->poly = vldaa_arena_polys(&a, &n->big, 3);
	is->hat = vldaa_arena_hats(&a, &n->big, 1);
	is->credential = vldaa_arena_take(&a, sizeof *is->credential);
	return a.used;
}

int vldaa_oneshot_issuer_keygen(const vldaa_set *set, vldaa_ntru_solver *solve, vldaa_rng *rng,
				uint8_t *issuer, uint8_t *group)
{
	const vldaa_oneshot_set *n = vldaa_oneshot_numbers(set);
	const vldaa_ntru_set *s = ntru_set(n);
	vldaa_ntru_key key;
	int64_t h[VLDAA_OS_MAX_N];
	vldaa_writer w;
	int err;

	if (!solve)
		return VLDAA_ERR_ARGUMENT;
	vldaa_rng_bytes(rng, group, VLDAA_OS_SEED_BYTES);
	err = vldaa_ntru_generate(s, &key, h, solve, rng);
	if (!err) {
		vldaa_put_init(&w, issuer, vldaa_os_issuer_payload(n));
		vldaa_ntru_secret_pack(s, &w, &key);
		vldaa_put_init(&w, group + VLDAA_OS_SEED_BYTES, vldaa_pack_uniform_size(&n->big));
		vldaa_pack_uniform(&n->big, &w, h);
	}
	vldaa_wipe(&key, sizeof key);
	return err;
}

/* Checks the NTRU equation and that h belongs to it, and prepares the sampler. */
int vldaa_oneshot_issuer_init(void *issuer, const void *group, const uint8_t *payload)
{
	const vldaa_os_group *g = group;
	const vldaa_oneshot_set *n = g->n;
	const vldaa_ntru_set *s = ntru_set(n);
	issuer_context *is = issuer;
	vldaa_reader rd;
	int err;

	(void)vldaa_os_place_issuer(n, issuer);
	is->group = g;
	vldaa_get_init(&rd, payload, vldaa_os_issuer_payload(n));
	vldaa_ntru_secret_unpack(s, &rd, is->key, is->target);
	err = vldaa_get_end(&rd);
	if (err)
		return err;
	if (!vldaa_equal(is->target, g->h, n->N * sizeof *g->h))
		return VLDAA_ERR_KEY;
	return vldaa_ntru_preimage_init(is->preimage, s, is->key, g->h);
}

int vldaa_oneshot_issue(void *issuer, const uint8_t *member_tpm, const uint8_t *member_host,
			vldaa_rng *rng, uint8_t *tag, vldaa_writer *credential)
{
	issuer_context *is = issuer;
	const vldaa_os_group *g = is->group;
	const vldaa_ring *r = &g->n->big;
	const vldaa_writer start = *credential;
	vldaa_reader rd;
	int err;

	(void)member_host;
	vldaa_get_init(&rd, member_tpm, vldaa_os_ut_size(g->n));
	vldaa_unpack_uniform(r, &rd, is->ut);
	err = vldaa_get_end(&rd);
	if (err)
		return err;
	err = VLDAA_ERR_ATTEMPTS;
	for (int attempt = 0; attempt < MAX_ATTEMPTS && err; attempt++) {
		*credential = start;
		vldaa_rng_bytes(rng, is->credential->x, sizeof is->credential->x);
		vldaa_os_times_bx(g, is->target, is->credential->x, is->hat, is->poly);
		for (uint32_t i = 0; i < r->d; i++)
			is->target[i] += g->u[i] + is->ut[i];
		vldaa_poly_reduce(r, is->target, is->target);
		vldaa_ntru_preimage_draw(is->preimage, is->v1, is->credential->v2, is->target,
					 is->scratch, rng);
		/* The member decides by the same two conditions, on the same public values. */
		err = vldaa_os_credential_check(g, is->ut, is->credential, is->hat, is->poly);
		if (!err)
			err = vldaa_os_credential_put(g->n, credential, is->credential);
	}
	if (!err && tag)
		memcpy(tag, is->credential->x, sizeof is->credential->x);
	vldaa_wipe(is->v1, r->d * sizeof *is->v1);
	vldaa_wipe(is->credential, sizeof *is->credential);
	return err;
}
