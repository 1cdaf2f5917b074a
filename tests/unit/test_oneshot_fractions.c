/*
 * Promise: a prover whose theta, x or E has halves in it is refused, by the range proof and nothing
 * else; for theta and x it is refused because the weights are odd.
 *
 * Halves modulo q stand where their numerators are a multiple of (1 + Y)^62 modulo 2 (every other
 * coefficient, in theta of VLDAA2-44), of (1 + Y)^60 (every fourth, in theta of VLDAA2-87, whose
 * digits leave no room for every other) or of (1 + Y)^63 (all, in x and E).  A challenge c = sigma(c)
 * is c_0 modulo (1 + Y)^2 and 2, so with an even c_0 (and for every fourth coefficient an even sum of
 * c_1, c_5, ...) its product with them has integer coefficients, and the responses are short.
 *
 * Halves in theta or x leave room in the relation of the binary entries, one large negative digit
 * takes it, and a credential of up to 4 beta^2 satisfies every scalar relation modulo q.  Twice a half
 * is a short integer, so a range proof with even weights would accept; 29 times a half is not.
 *
 * Halves in E move a row of t by (q1 + 1)/2 everywhere: the same member would have a second pseudonym
 * for the basename, as far from the first as can be (examples/forgery shows it for published sets).
 * E's carry k gets halves as well; it stands in the range proof also without a weight, so that no
 * choice of weights would help.
 *
 * Two programs are made of this file: with the library's weight of the witness, 29, and with 28 (a
 * macro of support/even_weight.h), where provers with halves in theta and x are accepted.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../support/oneshot_refused.h"
#include "vldaa/error.h"

enum { D = VLDAA_OS_D, SETS = 2 };

#ifdef VLDAA_OS_WEIGHT
enum { EVEN_WEIGHT = 1 };
#else
enum { EVEN_WEIGHT = 0 };
#endif

/* Relations of Create by name. */
enum { CREATE_V, CREATE_S, CREATE_E };

static const vldaa_oneshot_set *const sets[SETS] = {&vldaa_oneshot_44, &vldaa_oneshot_87};
/* Every how manieth entry of theta is a half, and which challenges that needs. */
static const size_t steps[SETS] = {2, 4};
static const int challenges[SETS] = {CHEAT_EVEN, CHEAT_EVEN_TWICE};

static int64_t *theta(planted *p)
{
	return p->w1 + p->statement.numbers->relation[0].digits * D;
}

/* Half of this modulo q, centred. */
static int64_t half_of(const planted *p, int64_t twice)
{
	const int64_t q = p->set->proof->ring.q;

	return planted_centred(twice % 2 ? (twice + q) / 2 : twice / 2, q);
}

/* What is left of a bound beside these digits, which are doubled. */
static uint64_t left(const vldaa_os_relation *r, const int64_t *twice)
{
	int64_t sum = 2 * r->bound;

	for (size_t i = 0; i < r->bits; i++)
		sum -= twice[r->digit + i] * (INT64_C(1) << i);
	ck_assert_int_ge(sum, 0);
	ck_assert_int_eq(sum % 2, 0);
	return (uint64_t)sum / 2;
}

/*
 * theta = 1/2 at places 1, 1 + step, ...: each makes theta (theta - 1) = -1/4.  There theta_25 = -3/2
 * takes 4 of it and each 3/2 or -1/2 one: of 8 in VLDAA2-44, of 4 in VLDAA2-87.
 */
static planted *halves_in_theta(int set)
{
	const vldaa_oneshot_set *n = sets[set];
	const vldaa_os_relation *r = n->attestation->relation;
	planted *p = planted_new(n, PLANTED_CREATE, 1);
	planted_secret *s = &p->secret;
	int64_t twice[D] = {0};

	for (size_t i = 1; i < D; i += steps[set])
		twice[i] = 1;
	twice[25] = -3;
	if (n == &vldaa_oneshot_44) {
		/* E's highest digit would be more than its bound: -1/2, and 2^10 besides */
		twice[38 + 11] = -1;
		twice[38 + 10] = 2;
		twice[51] = twice[53] = twice[55] = 3;
	}
	planted_fit(s->v2, n->N, 1500,
		    left(&r[CREATE_V], twice) - planted_norm2(s->v1_doubled, n->N) / 4);
	planted_fit(s->s, (size_t)n->mldsa->l * VLDAA_MLDSA_N, 2, left(&r[CREATE_S], twice));
	planted_fit(s->E, n->rows * (size_t)VLDAA_MLDSA_N, 2, left(&r[CREATE_E], twice));
	planted_publish(p);
	planted_witness(p);
	for (size_t i = 0; i < D; i++)
		theta(p)[i] = half_of(p, twice[i]);
	return p;
}

/*
 * Element 0 of x is 1/2 everywhere: sum of x (x - 1) = -16; v's highest digit -3 takes 12, two
 * entries 2 take 2 each.  v_1 takes the halves of b_x X.
 */
static planted *halves_in_x(int set)
{
	const vldaa_oneshot_set *n = sets[set];
	const vldaa_os_relation *r = &n->attestation->relation[CREATE_V];
	planted *p = planted_new(n, PLANTED_CREATE, 2);
	planted_secret *s = &p->secret;
	int64_t doubled[PLANTED_N] = {0}, product[PLANTED_N];
	uint64_t v1;

	for (size_t i = 0; i < VLDAA_OS_TAG_BITS; i += VLDAA_OS_QUARTERS)
		s->x_doubled[i] = 1;
	for (size_t i = 0; i < VLDAA_OS_TAG_BITS; i++)
		doubled[n->N / VLDAA_OS_TAG_BITS * i] = s->x_doubled[i];
	planted_times(n->N, product, p->bx, doubled);
	for (size_t i = 0; i < n->N; i++)
		s->v1_doubled[i] += product[i] & 1;
	v1 = planted_norm2(s->v1_doubled, n->N);
	ck_assert_uint_eq(v1 % 4, 0);
	planted_fit(s->v2, n->N, 2000, n->beta2 + (UINT64_C(3) << (r->bits - 1)) - v1 / 4);
	planted_publish(p);
	planted_witness(p);
	/* digits of v's norm; the others are honest */
	memset(theta(p), 0, r->bits * sizeof(int64_t));
	theta(p)[r->bits - 1] = -3;
	theta(p)[62] = 2;
	theta(p)[63] = 2;
	return p;
}

/* The first row of E is 1/2 more everywhere, and t by (q1 + 1)/2: sum of (e + 1/2)^2 - e^2 = sum of e
 * and 64. */
static planted *halves_in_E(int set)
{
	const vldaa_oneshot_set *n = sets[set];
	const vldaa_os_relation *r = &n->attestation->relation[CREATE_E];
	planted *p = planted_new(n, PLANTED_CREATE, 3);
	uint64_t distance2 = 0;
	int64_t rest;

	planted_fit(p->secret.E, n->rows * (size_t)VLDAA_MLDSA_N, 2, 300);
	planted_publish(p);
	planted_witness(p);
	rest = r->bound - 300 - VLDAA_MLDSA_N / 4;
	for (size_t i = 0; i < VLDAA_MLDSA_N; i++) {
		int64_t *e = p->w1 + r->first * D + i;
		const int64_t before = p->t[i];

		rest -= *e;
		*e = half_of(p, 2 * *e + 1);
		p->t[i] = planted_centred(p->t[i] + (VLDAA_MLDSA_Q + 1) / 2, VLDAA_MLDSA_Q);
		distance2 += (uint64_t)((p->t[i] - before) * (p->t[i] - before));
	}
	ck_assert_uint_gt(distance2 / n->link_bound2, UINT64_C(1) << 32);
	ck_assert_int_ge(rest, 0);
	for (size_t i = 0; i < r->bits; i++)
		theta(p)[r->digit + i] = rest >> i & 1;
	planted_restate(p);
	return p;
}

/* 1 when all norms but z3's are within their bounds. */
static int responses_are_short(const planted *p, const cheat_run *run)
{
	const vldaa_os_statement_set *s = p->statement.numbers;
	const int64_t *z = run->proof.z1;
	int within = 1;

	for (size_t i = 0; i < s->blocks; i++) {
		within &=
		    planted_norm2(z, s->block[i].elements * (size_t)D) <= s->block[i].bound2_low;
		z += s->block[i].elements * (size_t)D;
	}
	return within;
}

static void check_truthful(const planted *p, int challenge)
{
	const vldaa_os_statement *st = &p->statement;
	const cheat_plan plan = {.even = challenge};
	cheat_run *run;

	if (EVEN_WEIGHT) {
		run = cheat_prove(st, p->w1, &plan, 1);
		ck_assert_int_eq(planted_verify(st, (vldaa_bytes){run->bytes, run->len}), VLDAA_OK);
	} else {
		run = refused_by_length(p, &plan);
		ck_assert(responses_are_short(p, run));
	}
	cheat_free(run);
}

/* 14 stands for 29/2 in what z3 answers for. */
static void check_lying(const planted *p, int challenge)
{
	const size_t dim = vldaa_os_dim(p->statement.numbers);
	const int64_t q = p->set->proof->ring.q;
	int64_t *claimed = planted_memory(dim * sizeof *claimed);
	const cheat_plan plan = {.claimed = claimed, .even = challenge};
	cheat_run *run;

	oracle_weighted(p, p->w1, claimed);
	for (size_t i = 0; i < dim; i++) {
		if (llabs(claimed[i]) > q / 4)
			claimed[i] = planted_centred(2 * claimed[i], q) / 2;
	}
	run = refused_for(p, &plan, REFUSED_RANGE);
	ck_assert(responses_are_short(p, run));
	cheat_free(run);
	free(claimed);
}

START_TEST(halves_in_theta_pass_even_weights_only)
{
	planted *p = halves_in_theta(_i);

	check_truthful(p, challenges[_i]);
	if (!EVEN_WEIGHT)
		check_lying(p, challenges[_i]);
	planted_free(p);
}
END_TEST

START_TEST(halves_in_x_pass_even_weights_only)
{
	planted *p = halves_in_x(_i);

	check_truthful(p, CHEAT_EVEN);
	if (!EVEN_WEIGHT)
		check_lying(p, CHEAT_EVEN);
	planted_free(p);
}
END_TEST

START_TEST(a_pseudonym_moved_by_half_of_q1_passes_no_weights)
{
	planted *p = halves_in_E(_i);
	const cheat_plan plan = {.even = CHEAT_EVEN, .unsent = EVEN_WEIGHT};
	cheat_run *run;

	if (EVEN_WEIGHT) {
		run = cheat_prove(&p->statement, p->w1, &plan, 1);
		ck_assert_uint_eq(run->len, 0);
		ck_assert_uint_gt(planted_norm2(run->proof.z3, VLDAA_OS_ROWS),
				  p->statement.numbers->z3.bound2_low);
	} else {
		run = refused_by_length(p, &plan);
		check_lying(p, CHEAT_EVEN);
	}
	ck_assert(responses_are_short(p, run));
	cheat_free(run);
	planted_free(p);
}
END_TEST

/* An odd c_0 makes long responses of halves, whatever the weights: half of all challenges. */
START_TEST(halves_need_an_even_challenge)
{
	planted *p = halves_in_theta(0);
	const vldaa_os_statement *st = &p->statement;
	int odd = 0;

	for (uint8_t number = 1; number < 10; number++) {
		const cheat_plan plan = {.unsent = 1};
		cheat_run *run = cheat_prove(st, p->w1, &plan, number);
		int64_t c[D];

		vldaa_os_challenge(c, run->proof.seed);
		ck_assert_int_eq(responses_are_short(p, run), c[0] % 2 == 0);
		odd += c[0] % 2 != 0;
		cheat_free(run);
	}
	ck_assert_int_gt(odd, 0);
	ck_assert_int_lt(odd, 9);
	planted_free(p);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("one-shot proof, fractions");
	TCase *tc = tcase_create("halves");
	SRunner *sr = srunner_create(s);

	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, halves_in_theta_pass_even_weights_only, 0, SETS);
	tcase_add_loop_test(tc, halves_in_x_pass_even_weights_only, 0, SETS);
	tcase_add_loop_test(tc, a_pseudonym_moved_by_half_of_q1_passes_no_weights, 0, SETS);
	tcase_add_test(tc, halves_need_an_even_challenge);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
