/*
 * Promises, against a second opinion that computes with FLINT and libcrypto from the formulas
 * (support/oneshot_oracle.h), for both statements of both sets:
 * - the derived forms at a witness are the carries of its equations over the integers, and at any
 *   elements what R_N and R_256 give;
 * - the four functionals of the scalar relations, at any elements, are the sums that they stand
 * for;
 * - all that the verifier computes from a proof is the same: digests, c, w', w, T, v;
 * - what the prover hashed is what the verifier finds.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../support/oneshot_inside.h"
#include "../support/oracle.h"
#include "random/rng.h"

enum { D = VLDAA_OS_D };

static const struct {
	const vldaa_oneshot_set *set;
	enum statement_kind kind;
} statements[] = {{&vldaa_oneshot_44, PLANTED_JOIN},
		  {&vldaa_oneshot_44, PLANTED_CREATE},
		  {&vldaa_oneshot_87, PLANTED_JOIN},
		  {&vldaa_oneshot_87, PLANTED_CREATE}};
enum { STATEMENTS = 4 };

static planted *honest(int i)
{
	return planted_honest(statements[i].set, statements[i].kind, 1);
}

static void random_elements(vldaa_rng *rng, int64_t *out, size_t n, int64_t modulus)
{
	for (size_t i = 0; i < n * D; i++)
		out[i] = planted_centred((int64_t)(vldaa_rng_u64(rng) >> 1), modulus);
}

static vldaa_rng numbered(uint8_t number)
{
	const uint8_t seed[VLDAA_SEED_BYTES] = {number};
	vldaa_rng rng;

	vldaa_rng_init(&rng, seed, 1);
	return rng;
}

static void transform(const vldaa_ring *r, uint32_t *hat, const int64_t *a, size_t n)
{
	for (size_t i = 0; i < n; i++)
		vldaa_hat_from_poly(r, hat + i * vldaa_hat_len(r), a + i * D);
}

/* Elements i, i + t, ... of the carries, which planted_publish computed over the integers. */
static void check_carry(const int64_t *form, const int64_t *carry, size_t t)
{
	for (size_t i = 0; i < t; i++) {
		for (size_t j = 0; j < D; j++)
			ck_assert_int_eq(form[i * D + j], carry[i + j * t]);
	}
}

START_TEST(derived_forms_are_the_equations_carries)
{
	static const int64_t one[D] = {1}, none[D] = {0};
	planted *p = honest(_i);
	const vldaa_os_statement *st = &p->statement;
	const vldaa_ring *r = &st->set->ring;
	const size_t len = vldaa_hat_len(r);
	const size_t t = p->set->N / D;
	uint32_t *x_hat = planted_memory(st->numbers->m1 * len * sizeof *x_hat);
	uint32_t *forms_hat = planted_memory(st->numbers->derived * len * sizeof *forms_hat);
	int64_t *x = planted_memory((size_t)st->numbers->m1 * D * sizeof *x);
	int64_t expected[VLDAA_OS_MAX_DERIVED * D], poly[D];
	vldaa_rng rng = numbered(3);

	oracle_derived(p, p->w1, one, expected);
	check_carry(expected, p->k_c, t);
	for (size_t a = 0; p->kind == PLANTED_CREATE && a < p->set->rows; a++)
		check_carry(expected + p->set->N + a * VLDAA_MLDSA_N, p->k + a * VLDAA_MLDSA_N,
			    VLDAA_OS_QUARTERS);
	ck_assert_uint_eq(
	    st->numbers->derived,
	    t + (p->kind == PLANTED_CREATE ? (size_t)p->set->rows * VLDAA_OS_QUARTERS : 0));
	/* the witness and constants; any elements, without constants */
	for (int any = 0; any < 2; any++) {
		memcpy(x, p->w1, (size_t)st->numbers->m1 * D * sizeof *x);
		if (any)
			random_elements(&rng, x, st->numbers->m1, r->q);
		transform(r, x_hat, x, st->numbers->m1);
		vldaa_os_linear_forms(st, forms_hat, x_hat);
		oracle_derived(p, x, any ? none : one, expected);
		for (size_t f = 0; f < st->numbers->derived; f++) {
			vldaa_hat_to_poly(r, poly, forms_hat + f * len);
			if (!any)
				vldaa_poly_add(r, poly, poly, st->constants + f * D);
			ck_assert(oracle_equal(r, poly, expected + f * D));
		}
	}
	free(x_hat);
	free(forms_hat);
	free(x);
	planted_free(p);
}
END_TEST

/* The library's aggregate, from digests. */
static vldaa_os_aggregate *aggregate(const vldaa_os_statement *st, const uint8_t *d1,
				     const uint8_t *d2, const int64_t *z3)
{
	vldaa_os_aggregate *g = planted_memory(sizeof *g);
	vldaa_arena a;

	vldaa_arena_init(&a, NULL, SIZE_MAX);
	vldaa_os_aggregate_layout(g, st->set, st->numbers, &a);
	vldaa_arena_init(&a, planted_memory(a.used), a.used);
	vldaa_os_aggregate_layout(g, st->set, st->numbers, &a);
	vldaa_os_scalars(g, st, d1, d2, z3);
	return g;
}

static void aggregate_free(vldaa_os_aggregate *g)
{
	/* its first array is where its memory begins */
	free(g->linear);
	free(g);
}

/* H_nu = sum_r gamma_r sum sigma(w) w + linear part + K. */
static void library_functional(const vldaa_os_statement *st, vldaa_os_aggregate *g, uint32_t nu,
			       const int64_t *w, const int64_t *y3, int64_t *out)
{
	const vldaa_ring *r = &st->set->ring;
	const size_t len = vldaa_hat_len(r);
	const size_t m1 = st->numbers->m1;
	uint32_t *hats =
	    planted_memory((m1 + st->numbers->derived + VLDAA_OS_MASK) * len * sizeof *hats);
	uint32_t *forms = hats + m1 * len;
	uint32_t *masks = forms + st->numbers->derived * len;

	transform(r, hats, w, m1);
	transform(r, masks, y3, VLDAA_OS_MASK);
	vldaa_os_linear_forms(st, forms, hats);
	vldaa_os_linear_part(g, st, nu, out, hats, forms, masks);
	vldaa_poly_add(r, out, out, g->constant + (size_t)nu * D);
	for (size_t k = 0; k < st->numbers->relations; k++) {
		const vldaa_os_relation *rel = &st->numbers->relation[k];

		for (size_t j = rel->first; j < rel->first + rel->count; j++) {
			int64_t turned[D], product[D];

			vldaa_poly_automorphism(r, turned, w + j * D, 2 * D - 1);
			oracle_mul(r, product, turned, w + j * D);
			vldaa_poly_scale(r, product, g->square[nu][k], product);
			vldaa_poly_add(r, out, out, product);
		}
	}
	free(hats);
}

START_TEST(functionals_are_the_sums_of_the_scalar_relations)
{
	static const int64_t one[D] = {1};
	planted *p = honest(_i);
	const vldaa_os_statement *st = &p->statement;
	const vldaa_ring *r = &st->set->ring;
	const size_t rows = VLDAA_OS_ROWS + (size_t)st->numbers->relations;
	const uint8_t d1[VLDAA_OS_DIGEST] = {1}, d2[VLDAA_OS_DIGEST] = {2};
	oracle_challenges *x = oracle_challenge_new(st);
	int64_t *w = planted_memory((size_t)st->numbers->m1 * D * sizeof *w);
	int64_t y3[VLDAA_OS_ROWS], z3[VLDAA_OS_ROWS], f[VLDAA_OS_ROWS + VLDAA_OS_MAX_RELATIONS];
	vldaa_os_aggregate *g;
	vldaa_rng rng = numbered(4);

	random_elements(&rng, y3, VLDAA_OS_MASK, INT64_C(1) << 30 | 1);
	random_elements(&rng, z3, VLDAA_OS_MASK, INT64_C(1) << 30 | 1);
	random_elements(&rng, w, st->numbers->m1, r->q);
	g = aggregate(st, d1, d2, z3);
	oracle_range_matrix(x, st, d1);
	oracle_gamma(x, st, d2);
	for (uint32_t i = 0; i < VLDAA_OS_ROWS; i += VLDAA_OS_GROUP) {
		const size_t dim = vldaa_os_dim(st->numbers);

		vldaa_os_range_rows(g, st, d1, i);
		ck_assert_mem_eq(g->rm, x->rm + i * dim, VLDAA_OS_GROUP * dim);
	}
	oracle_relations(p, x, w, y3, z3, f);
	for (uint32_t nu = 0; nu < VLDAA_OS_SCALARS; nu++) {
		int64_t got[D], expected[D];
		vldaa_i128 sum = 0;

		library_functional(st, g, nu, w, y3, got);
		oracle_functional(p, x, nu, one, w, y3, z3, expected);
		ck_assert(oracle_equal(r, got, expected));
		/* and its constant coefficient is what it is made for */
		for (size_t j = 0; j < rows; j++)
			sum += (vldaa_i128)x->gamma[nu * rows + j] * f[j] % r->q;
		ck_assert_int_eq(got[0], planted_centred((int64_t)(sum % r->q), r->q));
	}
	oracle_challenge_free(x);
	aggregate_free(g);
	free(w);
	planted_free(p);
}
END_TEST

START_TEST(a_verifier_computes_what_the_formulas_say)
{
	enum { CAP = 1 << 16 };
	planted *p = honest(_i);
	const vldaa_os_statement *st = &p->statement;
	void *workspace = planted_memory(vldaa_os_prover_size(st->set, st->numbers));
	verifier_view *expected = planted_memory(sizeof *expected);
	verifier_view *got = planted_memory(sizeof *got);
	uint8_t *bytes = planted_memory(CAP);
	vldaa_rng rng = numbered(5);
	vldaa_os_proof *proof;
	vldaa_writer w;

	vldaa_put_init(&w, bytes, CAP);
	ck_assert_int_eq(vldaa_os_prove(workspace, planted_crs(st->set), st, p->w1, &rng, &w),
			 VLDAA_OK);
	proof = inside_decode(st, (vldaa_bytes){bytes, w.len});
	ck_assert_int_eq(oracle_verify(p, proof, expected), 1);
	ck_assert_int_eq(inside_verify(st, proof, NULL, got), 1);
	ck_assert_mem_eq(got->d1, expected->d1, sizeof got->d1);
	ck_assert_mem_eq(got->d2, expected->d2, sizeof got->d2);
	ck_assert_mem_eq(got->d3, expected->d3, sizeof got->d3);
	ck_assert_mem_eq(got->c, expected->c, sizeof got->c);
	ck_assert_mem_eq(got->approximate, expected->approximate, sizeof got->approximate);
	ck_assert_mem_eq(got->w, expected->w, sizeof got->w);
	ck_assert_mem_eq(got->t, expected->t, sizeof got->t);
	ck_assert_mem_eq(got->v, expected->v, sizeof got->v);
	/* no equal zeroes: another response gives others */
	proof->z1[0]++;
	ck_assert_int_eq(oracle_verify(p, proof, expected), 0);
	ck_assert_int_eq(inside_verify(st, proof, NULL, got), 0);
	ck_assert_mem_eq(got->v, expected->v, sizeof got->v);
	ck_assert_mem_eq(got->seed, expected->seed, sizeof got->seed);
	ck_assert_mem_ne(got->seed, proof->seed, sizeof got->seed);
	inside_proof_free(proof);
	free(workspace);
	free(expected);
	free(got);
	free(bytes);
	planted_free(p);
}
END_TEST

START_TEST(a_verifier_finds_what_the_prover_hashed)
{
	static const cheat_plan honestly;
	planted *p = honest(_i);
	cheat_run *run = cheat_prove(&p->statement, p->w1, &honestly, 1);
	verifier_view *view = planted_memory(sizeof *view);
	vldaa_os_proof *proof = inside_decode(&p->statement, (vldaa_bytes){run->bytes, run->len});

	ck_assert_int_eq(inside_verify(&p->statement, proof, NULL, view), 1);
	ck_assert_mem_eq(run->d1, view->d1, sizeof run->d1);
	ck_assert_mem_eq(run->d2, view->d2, sizeof run->d2);
	ck_assert_mem_eq(run->d3, view->d3, sizeof run->d3);
	ck_assert_mem_eq(run->w, view->w, sizeof run->w);
	ck_assert_mem_eq(run->v, view->v, sizeof run->v);
	inside_proof_free(proof);
	free(view);
	cheat_free(run);
	planted_free(p);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("one-shot proof, second opinion");
	TCase *tc = tcase_create("oracle");
	SRunner *sr = srunner_create(s);

	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, derived_forms_are_the_equations_carries, 0, STATEMENTS);
	tcase_add_loop_test(tc, functionals_are_the_sums_of_the_scalar_relations, 0, STATEMENTS);
	tcase_add_loop_test(tc, a_verifier_computes_what_the_formulas_say, 0, STATEMENTS);
	tcase_add_loop_test(tc, a_verifier_finds_what_the_prover_hashed, 0, STATEMENTS);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
