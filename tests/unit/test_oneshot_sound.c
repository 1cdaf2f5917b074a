/*
 * Promise: a prover that cheats in one place is refused by the check that is there for it, and by
 * no other.  Both statements of both sets.
 *
 * For each scalar relation (norms, binary entries, rows of the range proof) the prover has a
 * witness that satisfies all others, and follows the rounds; a second opinion (FLINT) says that
 * exactly this one fails.  Its proof would be accepted with the constant coefficients that h has
 * then, so that nothing else refuses it; but an encoding has no place for them, and without them it
 * is v, and not w, that the verifier finds different.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../support/oneshot_refused.h"
#include "vldaa/error.h"

enum { D = VLDAA_OS_D, SETS = 2 };

static const vldaa_oneshot_set *const sets[SETS] = {&vldaa_oneshot_44, &vldaa_oneshot_87};
static const cheat_plan honestly;

/* Both statements of both sets. */
enum { STATEMENTS = 2 * SETS };

static planted *either(int statement, uint8_t number)
{
	return planted_honest(sets[statement / 2], statement % 2 ? PLANTED_JOIN : PLANTED_CREATE,
			      number);
}

static void check_scalar_cheat(planted *p, unsigned relation)
{
	cheat_free(refused_for(p, &honestly, 1U << relation));
	refused_by_prover(p);
	planted_free(p);
}

/* --- norms and binary entries ------------------------------------------------------------------
 */

/* Relations by name. */
enum { CREATE_V, CREATE_S, CREATE_E, CREATE_BINARY };
enum { JOIN_S, JOIN_E, JOIN_BINARY };

static int64_t *theta(planted *p)
{
	return p->w1 + p->statement.numbers->relation[0].digits * D;
}

/* A witness whose norm `which` has this square; the digits of what is missing are 0 when it passes
 * the bound. */
static planted *with_norm(const vldaa_oneshot_set *set, enum statement_kind kind, unsigned which,
			  uint64_t norm2)
{
	planted *p = planted_new(set, kind, 2);
	planted_secret *s = &p->secret;
	const size_t l = (size_t)set->mldsa->l * VLDAA_MLDSA_N;

	if (kind == PLANTED_JOIN && which == JOIN_E) {
		planted_fit(s->e_t, set->N, 2, norm2);
	} else if (kind == PLANTED_JOIN || which == CREATE_S) {
		planted_fit(s->s, l, 2, norm2);
	} else if (which == CREATE_E) {
		planted_fit(s->E, set->rows * (size_t)VLDAA_MLDSA_N, 2, norm2);
	} else {
		/* doubled: four times the square */
		planted_fit(s->v2, set->N, 900, norm2 - planted_norm2(s->v1_doubled, set->N) / 4);
	}
	planted_publish(p);
	planted_witness(p);
	return p;
}

static planted *over(const vldaa_oneshot_set *set, enum statement_kind kind, unsigned which)
{
	const vldaa_os_statement_set *s = kind == PLANTED_JOIN ? set->join : set->attestation;

	return with_norm(set, kind, which, (uint64_t)s->relation[which].bound + 1);
}

START_TEST(a_norm_one_over_its_bound)
{
	for (unsigned k = CREATE_V; k <= CREATE_E; k++)
		check_scalar_cheat(over(sets[_i], PLANTED_CREATE, k), k);
	for (unsigned k = JOIN_S; k <= JOIN_E; k++)
		check_scalar_cheat(over(sets[_i], PLANTED_JOIN, k), k);
}
END_TEST

/* A digit -1 makes the sum right: then it is that entry that is not binary. */
START_TEST(a_norm_over_its_bound_with_a_digit_that_is_none)
{
	for (unsigned k = CREATE_V; k <= CREATE_E; k++) {
		planted *p = over(sets[_i], PLANTED_CREATE, k);

		theta(p)[p->statement.numbers->relation[k].digit] = -1;
		check_scalar_cheat(p, CREATE_BINARY);
	}
	for (unsigned k = JOIN_S; k <= JOIN_E; k++) {
		planted *p = over(sets[_i], PLANTED_JOIN, k);

		theta(p)[p->statement.numbers->relation[k].digit] = -1;
		check_scalar_cheat(p, JOIN_BINARY);
	}
}
END_TEST

START_TEST(a_wrong_digit)
{
	for (int kind = PLANTED_JOIN; kind <= PLANTED_CREATE; kind++) {
		planted *p = planted_honest(sets[_i], (enum statement_kind)kind, 3);
		const vldaa_os_statement_set *s = p->statement.numbers;

		/* the first and the last of each norm */
		for (unsigned k = 0; k + 1 < s->relations; k++) {
			for (size_t last = 0; last < 2; last++) {
				int64_t *digit = &theta(
				    p)[s->relation[k].digit + last * (s->relation[k].bits - 1)];

				*digit = 1 - *digit;
				cheat_free(refused_for(p, &honestly, 1U << k));
				*digit = 1 - *digit;
			}
		}
		planted_free(p);
	}
}
END_TEST

/* 2 in place i for 1 in place i + 1; and an unused place. */
START_TEST(a_digit_2)
{
	for (int kind = PLANTED_JOIN; kind <= PLANTED_CREATE; kind++) {
		planted *p = planted_honest(sets[_i], (enum statement_kind)kind, 3);
		const unsigned binary = p->statement.numbers->relations - 1;
		int64_t *digits = theta(p);
		size_t i = 0;

		while (digits[i] != 0 || digits[i + 1] != 1)
			i++;
		digits[i] = 2;
		digits[i + 1] = 0;
		cheat_free(refused_for(p, &honestly, 1U << binary));
		digits[i] = 0;
		digits[i + 1] = 1;
		digits[D - 1] = 2;
		check_scalar_cheat(p, binary);
	}
}
END_TEST

START_TEST(an_entry_of_x_that_is_not_binary)
{
	for (int value = -1; value <= 2; value += 3) {
		planted *p = planted_new(sets[_i], PLANTED_CREATE, 4);

		p->secret.x_doubled[VLDAA_OS_TAG_BITS - 1] = 2 * value;
		planted_publish(p);
		planted_witness(p);
		check_scalar_cheat(p, CREATE_BINARY);
	}
}
END_TEST

/* What the statement allows is accepted: bounds themselves, and unused binary entries. */
START_TEST(the_bounds_themselves_are_accepted)
{
	for (int kind = PLANTED_JOIN; kind <= PLANTED_CREATE; kind++) {
		const vldaa_os_statement_set *s =
		    kind == PLANTED_JOIN ? sets[_i]->join : sets[_i]->attestation;

		for (unsigned k = 0; k + 1 < s->relations; k++) {
			planted *p = with_norm(sets[_i], (enum statement_kind)kind, k,
					       (uint64_t)s->relation[k].bound);
			cheat_run *run;

			theta(p)[D - 1] = 1;
			run = cheat_prove(&p->statement, p->w1, &honestly, 1);
			ck_assert_int_eq(
			    planted_verify(&p->statement, (vldaa_bytes){run->bytes, run->len}),
			    VLDAA_OK);
			cheat_free(run);
			planted_free(p);
		}
	}
}
END_TEST

/* --- carries: witnesses that do not satisfy the integer equations ------------------------------
 */

/*
 * One coefficient is one off.  The carry is then a large residue: a truthful z3 is too long, and a
 * prover that goes on with the old carry breaks the rows of the range proof.
 */
static void check_wrong_carry(planted *p, size_t coefficient)
{
	const vldaa_os_statement_set *s = p->statement.numbers;
	const size_t dim = vldaa_os_dim(s);
	int64_t *before = planted_memory(dim * sizeof *before);
	const cheat_plan lying = {.claimed = before};

	oracle_weighted(p, p->w1, before);
	p->w1[coefficient]++;
	before[coefficient] += VLDAA_OS_WEIGHT;
	planted_digits(p);
	for (size_t i = 0; i < D; i++) {
		const size_t at = s->relation[0].digits * D + i;

		before[at] = VLDAA_OS_WEIGHT * p->w1[at];
	}
	cheat_free(refused_for(p, &lying, REFUSED_RANGE));
	cheat_free(refused_by_length(p, &honestly));
	free(before);
	planted_free(p);
}

START_TEST(a_witness_that_does_not_satisfy_its_equations)
{
	const vldaa_oneshot_set *n = sets[_i];
	const size_t E = n->attestation->relation[CREATE_E].first;
	const size_t e_t = n->join->relation[JOIN_E].first;

	/* v_1, v_2: (C); E: the rows of t; e_T: u_T */
	check_wrong_carry(planted_honest(n, PLANTED_CREATE, 5), 3);
	check_wrong_carry(planted_honest(n, PLANTED_CREATE, 5), n->N + 7);
	check_wrong_carry(planted_honest(n, PLANTED_CREATE, 5), E * D);
	check_wrong_carry(planted_honest(n, PLANTED_CREATE, 5), n->attestation->m1 * D - 1);
	check_wrong_carry(planted_honest(n, PLANTED_JOIN, 5), e_t * D + 70);
}
END_TEST

/* --- another statement -------------------------------------------------------------------------
 */

/* An honest proof, refused for what p says now, where it says something else. */
static void check_statement(planted *p, const cheat_run *run, int accepted)
{
	const vldaa_bytes proof = {run->bytes, run->len};
	verifier_view *view = planted_memory(sizeof *view);

	planted_restate(p);
	ck_assert_int_eq(planted_verify(&p->statement, proof),
			 accepted ? VLDAA_OK : VLDAA_ERR_PROOF);
	ck_assert_int_eq(inside_verify(&p->statement, &run->proof, NULL, view), accepted);
	ck_assert_mem_eq(view->w, run->w, sizeof view->w);
	ck_assert_int_eq(memcmp(view->v, run->v, sizeof view->v) == 0, accepted);
	free(view);
}

static void check_public_value(planted *p, const cheat_run *run, int64_t *value)
{
	++*value;
	check_statement(p, run, 0);
	--*value;
}

START_TEST(every_public_value_of_create_counts)
{
	planted *p = planted_honest(sets[_i], PLANTED_CREATE, 6);
	const size_t n = p->set->N;
	const size_t rows = (size_t)p->set->rows * VLDAA_MLDSA_N;
	cheat_run *run = cheat_prove(&p->statement, p->w1, &honestly, 1);
	int64_t *const values[] = {&p->h[0],
				   &p->h[n - 1],
				   &p->bx[5],
				   &p->d0[n / 2],
				   &p->d1[1],
				   &p->u[0],
				   &p->u[n - 1],
				   &p->t[0],
				   &p->t[rows - 1],
				   &p->a[0],
				   &p->a[rows * p->set->mldsa->l - 1],
				   &p->a[(size_t)VLDAA_MLDSA_N * p->set->mldsa->l - 1]};

	check_statement(p, run, 1);
	for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
		check_public_value(p, run, values[i]);
	/* another row of t, with its own row of A or not */
	for (size_t i = 0; i < VLDAA_MLDSA_N; i++)
		p->t[i] = planted_centred(p->t[i] * 3 + 5, VLDAA_MLDSA_Q);
	check_statement(p, run, 0);
	for (size_t i = 0; i < VLDAA_MLDSA_N; i++)
		p->a[i] = planted_centred(p->a[i] * 7 + 1, VLDAA_MLDSA_Q);
	check_statement(p, run, 0);
	cheat_free(run);
	planted_free(p);
}
END_TEST

START_TEST(every_public_value_of_join_counts)
{
	planted *p = planted_honest(sets[_i], PLANTED_JOIN, 6);
	const size_t n = p->set->N;
	cheat_run *run = cheat_prove(&p->statement, p->w1, &honestly, 1);
	int64_t *const values[] = {&p->d0[0], &p->d1[n - 1], &p->u_t[0], &p->u_t[n - 1]};

	check_statement(p, run, 1);
	for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
		check_public_value(p, run, values[i]);
	cheat_free(run);
	planted_free(p);
}
END_TEST

START_TEST(a_proof_is_bound_to_everything_public)
{
	planted *p = either(_i, 7);
	cheat_run *run = cheat_prove(&p->statement, p->w1, &honestly, 1);

	for (size_t i = 0; i < VLDAA_OS_DIGEST; i += 9) {
		p->statement.bind[i] ^= 0x10;
		check_statement(p, run, 0);
		p->statement.bind[i] ^= 0x10;
	}
	check_statement(p, run, 1);
	cheat_free(run);
	planted_free(p);
}
END_TEST

static void about(const vldaa_set *set, vldaa_set_about *about)
{
	about->id = vldaa_oneshot_numbers(set)->id;
}

/* What that digest is made of: the group key's digest, key id, basename, all rows of the pseudonym;
 * Join's nonce and endorsement (bind) and u_T. */
START_TEST(the_digest_covers_group_basename_and_pseudonym)
{
	static const vldaa_scheme scheme = {.about = about};
	const vldaa_set set = {&scheme, sets[_i]};
	vldaa_os_group g = {.set = &set, .n = sets[_i]};
	const size_t nym_size = vldaa_os_nym_size(sets[_i]);
	uint8_t *nym = planted_memory(nym_size);
	uint8_t basename[] = "one";
	uint8_t digests[8][VLDAA_OS_DIGEST];
	size_t n = 0;

	vldaa_os_create_bind(&g, (vldaa_bytes){basename, 3}, nym, digests[n++]);
	/* foreign t1 rows: the last byte; the proven rows: the first */
	nym[nym_size - 1] ^= 1;
	vldaa_os_create_bind(&g, (vldaa_bytes){basename, 3}, nym, digests[n++]);
	nym[nym_size - 1] ^= 1;
	nym[0] ^= 1;
	vldaa_os_create_bind(&g, (vldaa_bytes){basename, 3}, nym, digests[n++]);
	nym[0] ^= 1;
	vldaa_os_create_bind(&g, (vldaa_bytes){basename, 2}, nym, digests[n++]);
	basename[2] = 'f';
	vldaa_os_create_bind(&g, (vldaa_bytes){basename, 3}, nym, digests[n++]);
	basename[2] = 'e';
	g.key_id[VLDAA_KEY_ID_BYTES - 1] ^= 1;
	vldaa_os_create_bind(&g, (vldaa_bytes){basename, 3}, nym, digests[n++]);
	g.key_id[VLDAA_KEY_ID_BYTES - 1] ^= 1;
	g.crs_digest[0] ^= 1;
	vldaa_os_create_bind(&g, (vldaa_bytes){basename, 3}, nym, digests[n++]);
	g.crs_digest[0] ^= 1;
	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j < i; j++)
			ck_assert_mem_ne(digests[i], digests[j], VLDAA_OS_DIGEST);
	}
	n = 0;
	vldaa_os_join_bind(&g, (vldaa_bytes){basename, 3}, nym, digests[n++]);
	nym[vldaa_os_ut_size(sets[_i]) - 1] ^= 1;
	vldaa_os_join_bind(&g, (vldaa_bytes){basename, 3}, nym, digests[n++]);
	nym[vldaa_os_ut_size(sets[_i]) - 1] ^= 1;
	basename[0]++;
	vldaa_os_join_bind(&g, (vldaa_bytes){basename, 3}, nym, digests[n++]);
	g.crs_digest[63] ^= 1;
	vldaa_os_join_bind(&g, (vldaa_bytes){basename, 3}, nym, digests[n++]);
	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j < i; j++)
			ck_assert_mem_ne(digests[i], digests[j], VLDAA_OS_DIGEST);
	}
	free(nym);
}
END_TEST

/* --- challenges of another run, and h ----------------------------------------------------------
 */

START_TEST(stale_challenges)
{
	static const uint8_t other[VLDAA_OS_DIGEST] = {'o', 't', 'h', 'e', 'r'};
	const cheat_plan plans[] = {
	    {.stale = {.rm = other}}, {.stale = {.gamma = other}}, {.stale = {.mu = other}}};
	planted *p = either(_i, 8);
	const vldaa_os_statement *st = &p->statement;
	verifier_view *view = planted_memory(sizeof *view);

	for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++) {
		cheat_run *run = cheat_prove(st, p->w1, &plans[i], 1);

		ck_assert_uint_gt(run->len, 0);
		ck_assert_int_eq(planted_verify(st, (vldaa_bytes){run->bytes, run->len}),
				 VLDAA_ERR_PROOF);
		ck_assert_int_eq(inside_verify(st, &run->proof, NULL, view), 0);
		ck_assert_mem_eq(view->w, run->w, sizeof view->w);
		ck_assert_mem_ne(view->v, run->v, sizeof view->v);
		/* everything else is right */
		ck_assert_int_eq(inside_verify(st, &run->proof, &plans[i].stale, view), 1);
		cheat_free(run);
	}
	free(view);
	planted_free(p);
}
END_TEST

START_TEST(h_with_a_constant_term)
{
	planted *p = either(_i, 9);
	const vldaa_os_statement *st = &p->statement;
	verifier_view *view = planted_memory(sizeof *view);
	cheat_run *run = cheat_prove(st, p->w1, &honestly, 1);
	uint8_t *again = planted_memory(run->len);
	vldaa_os_proof *proof = inside_decode(st, (vldaa_bytes){run->bytes, run->len});

	for (size_t i = 0; i < VLDAA_OS_PAIRS * D; i += D / 2) {
		vldaa_writer w;

		proof->h[i] = 1;
		ck_assert_int_eq(inside_verify(st, proof, NULL, view), 0);
		ck_assert_mem_ne(view->v, run->v, sizeof view->v);
		/* it cannot even be said */
		vldaa_put_init(&w, again, run->len);
		ck_assert_int_eq(vldaa_os_proof_put(st->set, st->numbers, &w, proof), VLDAA_OK);
		ck_assert_uint_eq(w.len, run->len);
		ck_assert_mem_eq(again, run->bytes, run->len);
		proof->h[i] = 0;
	}
	ck_assert_int_eq(inside_verify(st, proof, NULL, view), 1);
	free(again);
	inside_proof_free(proof);
	cheat_free(run);
	free(view);
	planted_free(p);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("one-shot proof, soundness");
	TCase *tc = tcase_create("cheating");
	SRunner *sr = srunner_create(s);

	tcase_set_timeout(tc, 240);
	tcase_add_loop_test(tc, a_norm_one_over_its_bound, 0, SETS);
	tcase_add_loop_test(tc, a_norm_over_its_bound_with_a_digit_that_is_none, 0, SETS);
	tcase_add_loop_test(tc, a_wrong_digit, 0, SETS);
	tcase_add_loop_test(tc, a_digit_2, 0, SETS);
	tcase_add_loop_test(tc, an_entry_of_x_that_is_not_binary, 0, SETS);
	tcase_add_loop_test(tc, the_bounds_themselves_are_accepted, 0, SETS);
	tcase_add_loop_test(tc, a_witness_that_does_not_satisfy_its_equations, 0, SETS);
	tcase_add_loop_test(tc, every_public_value_of_create_counts, 0, SETS);
	tcase_add_loop_test(tc, every_public_value_of_join_counts, 0, SETS);
	tcase_add_loop_test(tc, a_proof_is_bound_to_everything_public, 0, STATEMENTS);
	tcase_add_loop_test(tc, the_digest_covers_group_basename_and_pseudonym, 0, SETS);
	tcase_add_loop_test(tc, stale_challenges, 0, STATEMENTS);
	tcase_add_loop_test(tc, h_with_a_constant_term, 0, STATEMENTS);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
