/* The prover's side: see oneshot_inside.h. */
#include "proof/oneshot_prove.c"

#include "oneshot_inside.h"

#include <check.h>
#include <stdlib.h>

/* Round 2 without rejection: z3 answers for what is claimed. */
static void cheat_range(prover *p, const vldaa_os_statement *st, const cheat_plan *plan,
			vldaa_rng *rng, cheat_run *run)
{
	const vldaa_ring *r = &st->set->ring;
	const size_t dim = vldaa_os_dim(st->numbers);

	vldaa_mask_sample(p->y3, VLDAA_OS_ROWS, st->numbers->z3.width, rng);
	for (size_t i = 0; i < VLDAA_OS_MASK; i++) {
		int64_t *tb = p->proof.tb + i * VLDAA_OS_D;

		vldaa_poly_reduce(r, tb, p->y3 + i * VLDAA_OS_D);
		vldaa_poly_add(r, tb, tb, p->bw2 + i * VLDAA_OS_D);
	}
	vldaa_os_digest_1(st->set, st->bind, p->proof.ta1, p->proof.tb, run->d1);
	/* W S may be long: not the library's product */
	for (uint32_t j = 0; j < VLDAA_OS_ROWS; j++) {
		const int8_t *row = p->aggregate.rm + j % VLDAA_OS_GROUP * dim;

		if (j % VLDAA_OS_GROUP == 0)
			vldaa_os_range_rows(&p->aggregate, st,
					    plan->stale.rm ? plan->stale.rm : run->d1, j);
		p->proof.z3[j] = p->y3[j];
		for (size_t k = 0; k < dim; k++)
			p->proof.z3[j] += row[k] * p->weighted[k];
	}
	memcpy(run->y3, p->y3, sizeof run->y3);
}

/* z += c s modulo q. */
static void cheat_respond(prover *p, const vldaa_ring *r, int64_t *z, const uint32_t *s_hat,
			  uint32_t elements)
{
	const size_t len = vldaa_hat_len(r);

	for (uint32_t i = 0; i < elements; i++) {
		int64_t *zi = z + (size_t)i * VLDAA_OS_D;

		vldaa_hat_mul(r, p->hat, p->product.c_hat, s_hat + i * len);
		vldaa_hat_to_poly(r, p->poly, p->hat);
		for (size_t j = 0; j < VLDAA_OS_D; j++)
			zi[j] += p->poly[j];
	}
}

static int even_enough(const int64_t *c, int even)
{
	int64_t sum = 0;

	for (size_t i = 1; i < VLDAA_OS_D; i += 4)
		sum += c[i];
	return (even < CHEAT_EVEN || c[0] % 2 == 0) && (even < CHEAT_EVEN_TWICE || sum % 2 == 0);
}

cheat_run *cheat_prove(const vldaa_os_statement *st, const int64_t *w1, const cheat_plan *plan,
		       uint8_t number)
{
	enum { ATTEMPTS = 40, BYTES = 1 << 17 };
	const uint8_t rng_seed[VLDAA_SEED_BYTES] = {number, 'c', 'h', 'e', 'a', 't'};
	const vldaa_os_crs *crs = planted_crs(st->set);
	const vldaa_os_set *set = st->set;
	const vldaa_os_statement_set *s = st->numbers;
	const vldaa_ring *r = &set->ring;
	cheat_run *run = planted_memory(sizeof *run);
	int64_t *last;
	vldaa_rng rng;
	prover *p;
	int done = 0;

	run->workspace = planted_memory(vldaa_os_prover_size(set, s));
	run->bytes = planted_memory(BYTES);
	vldaa_rng_init(&rng, rng_seed, set->id);
	(void)place(set, s, run->workspace, &p);
	p->w1 = w1;
	prepare(p, st);
	for (size_t i = 0; i < vldaa_os_dim(s); i++)
		p->weighted[i] =
		    plan->claimed ? plan->claimed[i] : planted_centred(p->weighted[i], r->q);
	ck_assert_int_eq(commit(p, crs, st, &rng), VLDAA_OK);
	cheat_range(p, st, plan, &rng, run);
	vldaa_os_digest_2(set, run->d1, p->proof.z3, run->d2);
	vldaa_os_scalars(&p->aggregate, st, plan->stale.rm ? plan->stale.rm : run->d1,
			 plan->stale.gamma ? plan->stale.gamma : run->d2, p->proof.z3);
	(void)scalar_relations(p, st);
	vldaa_os_digest_3(set, run->d2, p->proof.h, run->d3);
	vldaa_os_ring_challenge(&p->aggregate, st, plan->stale.mu ? plan->stale.mu : run->d3);
	last = p->proof.tb + (size_t)(VLDAA_OS_B_ROWS - 1) * VLDAA_OS_D;
	for (int attempt = 0; attempt < ATTEMPTS && !done; attempt++) {
		vldaa_writer w;

		first_messages(p, crs, st, &rng);
		vldaa_os_digest_4(set, run->d3, last, p->w, p->poly, p->proof.seed);
		memcpy(run->v, p->poly, sizeof run->v);
		memcpy(run->w, p->w, (size_t)set->n * VLDAA_OS_D * sizeof *p->w);
		vldaa_os_challenge(p->c, p->proof.seed);
		if (!even_enough(p->c, plan->even))
			continue;
		vldaa_hat_from_poly(r, p->product.c_hat, p->c);
		cheat_respond(p, r, p->proof.z1, p->w1_hat, s->m1);
		cheat_respond(p, r, p->y2, p->w2_hat, set->m2);
		vldaa_put_init(&w, run->bytes, BYTES);
		done = finish(p, crs, st, &w) == VLDAA_OK;
		run->len = done ? w.len : 0;
		done |= plan->unsent;
	}
	run->proof = p->proof;
	return run;
}

void cheat_free(cheat_run *run)
{
	free(run->workspace);
	free(run->bytes);
	free(run);
}

prover_responses inside_responses(const vldaa_os_statement *st, void *workspace)
{
	prover_responses out;
	prover *p;

	/* the same places as before */
	(void)place(st->set, st->numbers, workspace, &p);
	out = (prover_responses){
	    .z3 = p->proof.z3, .z1 = p->proof.z1, .z2 = p->y2, .w2 = p->w2, .c = p->c};
	vldaa_os_digest_1(st->set, st->bind, p->proof.ta1, p->proof.tb, out.d1);
	return out;
}
