/* The credential of the one-shot sets: its bytes, and the check that issuer and member share. */
#include "scheme/oneshot_group.h"

#include <string.h>

#include "random/hash.h"
#include "wire/pack.h"

void vldaa_os_receipt(const vldaa_oneshot_set *n, const uint8_t *u_t,
		      uint8_t receipt[VLDAA_DIGEST_BYTES])
{
	vldaa_shake s;

	vldaa_hash_init(&s, VLDAA_SHAKE256_RATE, VLDAA_DOMAIN_OS_RECEIPT, n->id);
	vldaa_hash_part(&s, u_t, vldaa_os_ut_size(n));
	vldaa_shake_squeeze(&s, receipt, VLDAA_DIGEST_BYTES);
}

int vldaa_os_credential_put(const vldaa_oneshot_set *n, vldaa_writer *w,
			    const vldaa_os_credential *c)
{
	size_t before;

	for (uint32_t i = 0; i < n->N; i++) {
		if (c->v2[i] > (int64_t)n->v2_max || c->v2[i] < -(int64_t)n->v2_max)
			return VLDAA_ERR_NORM;
	}
	vldaa_put_bytes(w, c->x, sizeof c->x);
	before = w->len;
	vldaa_rice_encode_vartime(w, c->v2, n->N, n->v2_rice);
	return w->len - before <= n->v2_max_bytes ? VLDAA_OK : VLDAA_ERR_NORM;
}

int vldaa_os_credential_get(const vldaa_oneshot_set *n, vldaa_os_credential *c, vldaa_bytes in)
{
	vldaa_reader rd;

	if (in.len > sizeof c->x + n->v2_max_bytes)
		return VLDAA_ERR_TRAILING;
	vldaa_get_init(&rd, in.bytes, in.len);
	vldaa_get_bytes(&rd, c->x, sizeof c->x);
	vldaa_rice_decode_vartime(&rd, c->v2, n->N, n->v2_rice, n->v2_max);
	return vldaa_get_end(&rd);
}

int vldaa_os_credential_check(const vldaa_os_group *g, const int64_t *u_t,
			      const vldaa_os_credential *c, uint32_t *hat_scratch, int64_t *scratch)
{
	const vldaa_ring *r = &g->n->big;
	int64_t *bx = scratch, *hv = scratch + r->d, *work = scratch + 2 * r->d;
	int64_t *v = work;
	vldaa_u128 norm2, carry2 = 0;

	vldaa_os_times_bx(g, bx, c->x, hat_scratch, work);
	vldaa_os_times_h(g, hv, c->v2, hat_scratch);
	for (uint32_t i = 0; i < r->d; i++) {
		bx[i] += g->u[i] + u_t[i]; /* the target, over the integers */
		v[i] = bx[i] - hv[i];
	}
	vldaa_poly_reduce(r, v, v);
	norm2 = vldaa_poly_norm2(r, v) + vldaa_poly_norm2(r, c->v2);
	for (uint32_t i = 0; i < r->d; i++) {
		const int64_t k = (v[i] + hv[i] - bx[i]) / VLDAA_OS_P; /* exact; public values */

		carry2 += (vldaa_u128)((vldaa_i128)k * k);
	}
	return norm2 <= g->n->accept2 && carry2 <= g->n->kc_accept2 ? VLDAA_OK
								    : VLDAA_ERR_CREDENTIAL;
}
