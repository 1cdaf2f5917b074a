/* See oneshot_refused.h. */
#include "oneshot_refused.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "vldaa/error.h"

enum { D = VLDAA_OS_D, VALUES = VLDAA_OS_ROWS + VLDAA_OS_MAX_RELATIONS };

static unsigned broken_relations(const int64_t *f, size_t relations)
{
	unsigned broken = 0;

	for (size_t j = 0; j < VLDAA_OS_ROWS; j++)
		broken |= f[j] != 0 ? REFUSED_RANGE : 0;
	for (size_t k = 0; k < relations; k++)
		broken |= f[VLDAA_OS_ROWS + k] != 0 ? 1U << k : 0;
	return broken;
}

/* h_i at Y^0 and Y^32 is what the scalars make of the relations. */
static void check_constants(const planted *p, const oracle_challenges *x, const cheat_run *run,
			    const int64_t *f)
{
	const size_t each = VLDAA_OS_ROWS + (size_t)p->statement.numbers->relations;
	const int64_t q = p->statement.set->ring.q;

	for (size_t nu = 0; nu < VLDAA_OS_SCALARS; nu++) {
		vldaa_i128 sum = 0;

		for (size_t j = 0; j < each; j++)
			sum += (vldaa_i128)x->gamma[nu * each + j] * f[j] % q;
		ck_assert_int_eq(run->proof.h[nu / 2 * D + nu % 2 * (D / 2)],
				 planted_centred((int64_t)(sum % q), q));
	}
}

unsigned refused_relations(const planted *p, const cheat_run *run)
{
	const vldaa_os_statement *st = &p->statement;
	oracle_challenges *x = oracle_challenge_new(st);
	int64_t f[VALUES];

	oracle_range_matrix(x, st, run->d1);
	oracle_gamma(x, st, run->d2);
	oracle_relations(p, x, p->w1, run->y3, run->proof.z3, f);
	check_constants(p, x, run, f);
	oracle_challenge_free(x);
	return broken_relations(f, st->numbers->relations);
}

cheat_run *refused_for(const planted *p, const cheat_plan *plan, unsigned broken)
{
	const vldaa_os_statement *st = &p->statement;
	cheat_run *run = cheat_prove(st, p->w1, plan, 1);
	verifier_view *view = planted_memory(sizeof *view);
	vldaa_os_proof *sent;

	ck_assert_uint_gt(run->len, 0);
	ck_assert_uint_eq(refused_relations(p, run), broken);
	/* as it is sent */
	ck_assert_int_eq(planted_verify(st, (vldaa_bytes){run->bytes, run->len}), VLDAA_ERR_PROOF);
	sent = inside_decode(st, (vldaa_bytes){run->bytes, run->len});
	ck_assert_int_eq(inside_verify(st, sent, NULL, view), 0);
	ck_assert_mem_eq(view->w, run->w, sizeof view->w);
	ck_assert_mem_ne(view->v, run->v, sizeof view->v);
	/* with the constant coefficients */
	memcpy(sent->h, run->proof.h, VLDAA_OS_PAIRS * D * sizeof *sent->h);
	ck_assert_int_eq(inside_verify(st, sent, NULL, view), 1);
	inside_proof_free(sent);
	free(view);
	return run;
}

cheat_run *refused_by_length(const planted *p, const cheat_plan *ahead)
{
	const vldaa_os_statement *st = &p->statement;
	cheat_plan plan = *ahead;
	verifier_view *view = planted_memory(sizeof *view);
	cheat_run *run;

	plan.unsent = 1;
	run = cheat_prove(st, p->w1, &plan, 1);
	/* the encoding refuses it already: it ends at the norm's root */
	ck_assert_uint_eq(run->len, 0);
	ck_assert_uint_eq(refused_relations(p, run), 0);
	ck_assert_uint_gt(planted_norm2(run->proof.z3, VLDAA_OS_ROWS), st->numbers->z3.bound2_low);
	ck_assert_uint_eq(st->numbers->z3.bound2_high, 0);
	ck_assert_int_eq(inside_verify(st, &run->proof, NULL, view), 1);
	free(view);
	return run;
}

void refused_by_prover(const planted *p)
{
	enum { CAP = 1 << 16 };
	const uint8_t seed[VLDAA_SEED_BYTES] = {1};
	const vldaa_os_statement *st = &p->statement;
	void *workspace = planted_memory(vldaa_os_prover_size(st->set, st->numbers));
	uint8_t *out = planted_memory(CAP);
	vldaa_writer w;
	vldaa_rng rng;

	vldaa_put_init(&w, out, CAP);
	vldaa_rng_init(&rng, seed, st->set->id);
	ck_assert_int_eq(vldaa_os_prove(workspace, planted_crs(st->set), st, p->w1, &rng, &w),
			 VLDAA_ERR_INTERNAL);
	ck_assert_uint_eq(w.len, 0);
	free(workspace);
	free(out);
}
