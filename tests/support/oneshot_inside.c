/* The verifier's side: see oneshot_inside.h. */
#include "proof/oneshot_verify.c"

#include "oneshot_inside.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

int inside_verify(const vldaa_os_statement *st, const vldaa_os_proof *proof,
		  const stale_digests *stale, verifier_view *view)
{
	static const stale_digests none = {NULL, NULL, NULL};
	const vldaa_os_crs *crs = planted_crs(st->set);
	const vldaa_os_set *set = st->set;
	const vldaa_ring *r = &set->ring;
	const size_t len = vldaa_hat_len(r);
	void *workspace = planted_memory(vldaa_os_verifier_size(set, st->numbers));
	verifier *v;

	if (!stale)
		stale = &none;
	(void)place(set, st->numbers, workspace, &v);
	v->proof = *proof;
	vldaa_os_challenge(v->c, v->proof.seed);
	vldaa_hat_from_poly(r, v->product.c_hat, v->c);
	vldaa_hat_mul(r, v->c2_hat, v->product.c_hat, v->product.c_hat);
	for (uint32_t j = 0; j < st->numbers->m1; j++)
		vldaa_hat_from_poly(r, v->product.z1_hat + j * len,
				    v->proof.z1 + (size_t)j * VLDAA_OS_D);
	for (uint32_t j = 0; j < set->m2 - set->n; j++)
		vldaa_hat_from_poly(r, v->product.z2_hat + j * len,
				    v->proof.z2 + (size_t)j * VLDAA_OS_D);
	(void)commitment_high_part(v, crs, st);
	vldaa_os_digest_1(set, st->bind, v->proof.ta1, v->proof.tb, view->d1);
	vldaa_os_digest_2(set, view->d1, v->proof.z3, view->d2);
	vldaa_os_scalars(&v->aggregate, st, stale->rm ? stale->rm : view->d1,
			 stale->gamma ? stale->gamma : view->d2, v->proof.z3);
	vldaa_os_digest_3(set, view->d2, v->proof.h, view->d3);
	vldaa_os_ring_challenge(&v->aggregate, st, stale->mu ? stale->mu : view->d3);
	commitment_rows(v, crs);
	squares(v, st);
	vldaa_os_linear_forms(st, v->forms_hat, v->product.z1_hat);
	for (uint32_t nu = 0; nu < VLDAA_OS_SCALARS; nu++)
		scalar_relation(v, st, nu);
	garbage(v, st);
	vldaa_os_digest_4(set, view->d3, v->proof.tb + (size_t)(VLDAA_OS_B_ROWS - 1) * VLDAA_OS_D,
			  v->w, v->poly, view->seed);
	memcpy(view->c, v->c, sizeof view->c);
	memcpy(view->t, v->t, sizeof view->t);
	memcpy(view->v, v->poly, sizeof view->v);
	memset(view->approximate, 0, sizeof view->approximate);
	memset(view->w, 0, sizeof view->w);
	memcpy(view->approximate, v->approximate, (size_t)set->n * VLDAA_OS_D * sizeof *v->w);
	memcpy(view->w, v->w, (size_t)set->n * VLDAA_OS_D * sizeof *v->w);
	free(workspace);
	return memcmp(view->seed, proof->seed, sizeof view->seed) == 0;
}

int inside_decode_into(const vldaa_os_statement *st, vldaa_bytes bytes, vldaa_os_proof *proof)
{
	vldaa_reader rd;

	vldaa_get_init(&rd, bytes.bytes, bytes.len);
	vldaa_os_proof_get(st->set, st->numbers, &rd, proof);
	return vldaa_get_end(&rd);
}

vldaa_os_proof *inside_decode(const vldaa_os_statement *st, vldaa_bytes bytes)
{
	vldaa_arena a;
	vldaa_os_proof local, *p;

	vldaa_arena_init(&a, NULL, SIZE_MAX);
	(void)vldaa_arena_take(&a, sizeof *p);
	vldaa_os_proof_layout(&local, st->set, st->numbers, &a);
	vldaa_arena_init(&a, planted_memory(a.used), a.used);
	p = vldaa_arena_take(&a, sizeof *p);
	vldaa_os_proof_layout(p, st->set, st->numbers, &a);
	ck_assert_int_eq(inside_decode_into(st, bytes, p), VLDAA_OK);
	return p;
}

void inside_proof_free(vldaa_os_proof *proof)
{
	free(proof);
}
