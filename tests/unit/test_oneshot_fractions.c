/*
 * Promise: a prover whose theta or x has halves in it is refused, by the range proof and nothing
 * else; and it is refused because the weights are odd.
 *
 * Halves modulo q stand where their numerators are a multiple of (1 + Y)^62 modulo 2 (theta: every
 * other coefficient) or (1 + Y)^63 (x: every coefficient).  A challenge c = sigma(c) is c_0 modulo
 * (1 + Y)^2 and 2, so with an even c_0 its product with them has integer coefficients, and the
 * responses are short.  Halves leave room in the relation of the binary entries, one large negative
 * digit takes it, and a credential of 2.3 beta^2 (theta) or 4 beta^2 (x) satisfies every scalar
 * relation modulo q.  Twice a half is a short integer, so a range proof with even weights would
 * accept; 29 times a half is not.
 *
 * Two programs are made of this file: with the library's weight of the witness, 29, and with 28 (a
 * macro of support/even_weight.h), where the same provers are accepted.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../support/oneshot_inside.h"
#include "vldaa/error.h"

enum { D = VLDAA_OS_D };

#ifdef VLDAA_OS_WEIGHT
enum { EVEN_WEIGHT = 1 };
#else
enum { EVEN_WEIGHT = 0 };
#endif

static int64_t *theta(planted *p)
{
	return p->w1 + p->statement.numbers->relation[0].digits * D;
}

/* k + 1/2 modulo q, centred. */
static int64_t half_more(const planted *p, int64_t k)
{
	const int64_t q = p->set->proof->ring.q;

	return planted_centred(k + (q + 1) / 2, q);
}

/*
 * theta = 1/2 at odd places: sum of theta (theta - 1) = -8.  There theta_25 = -3/2 and four of 3/2
 * or -1/2 each take 4 and 1 of it.  Sums of halves: 26 digits 2^26/3, 12 digits 1365.
 */
static planted *halves_in_theta(void)
{
	const vldaa_oneshot_set *n = &vldaa_oneshot_44;
	planted *p = planted_new(n, PLANTED_CREATE, 1);
	planted_secret *s = &p->secret;
	int64_t *digits;

	/* beta^2 + 3/2 2^25 - (the other halves: (2^26 - 1)/3 - 2^24) */
	planted_fit(s->v2, n->N, 1500,
		    n->beta2 + UINT64_C(44739243) - planted_norm2(s->v1_doubled, n->N) / 4);
	planted_fit(s->s, 4 * VLDAA_MLDSA_N, 2, 2400 - 1365);
	/* its highest digit is -1/2, and 2^10 another digit */
	planted_fit(s->E, VLDAA_MLDSA_N, 2, 600 - 1365 + 2048 - 1024);
	planted_publish(p);
	planted_witness(p);
	digits = theta(p);
	for (size_t i = 0; i < D; i++)
		digits[i] = i % 2 ? half_more(p, 0) : 0;
	digits[25] = half_more(p, -2);
	digits[38 + 11] = half_more(p, -1);
	digits[38 + 10] = 1;
	digits[51] = half_more(p, 1);
	digits[53] = half_more(p, 1);
	digits[55] = half_more(p, 1);
	return p;
}

/*
 * Element 0 of x is 1/2 everywhere: sum of x (x - 1) = -16; theta_25 = -3 takes 12, two entries 2
 * take 2 each.  v_1 takes the halves of b_x X.
 */
static planted *halves_in_x(void)
{
	const vldaa_oneshot_set *n = &vldaa_oneshot_44;
	planted *p = planted_new(n, PLANTED_CREATE, 2);
	planted_secret *s = &p->secret;
	int64_t doubled[PLANTED_N] = {0}, product[PLANTED_N];
	uint64_t v1;

	for (size_t i = 0; i < VLDAA_OS_TAG_BITS; i += VLDAA_OS_QUARTERS)
		s->x_doubled[i] = 1;
	for (size_t i = 0; i < VLDAA_OS_TAG_BITS; i++)
		doubled[2 * i] = s->x_doubled[i];
	planted_times(n->N, product, p->bx, doubled);
	for (size_t i = 0; i < n->N; i++)
		s->v1_doubled[i] += product[i] & 1;
	v1 = planted_norm2(s->v1_doubled, n->N);
	ck_assert_uint_eq(v1 % 4, 0);
	planted_fit(s->v2, n->N, 2000, n->beta2 + (UINT64_C(3) << 25) - v1 / 4);
	planted_publish(p);
	planted_witness(p);
	/* digits of v's norm; the others are honest */
	memset(theta(p), 0, 26 * sizeof(int64_t));
	theta(p)[25] = -3;
	theta(p)[62] = 2;
	theta(p)[63] = 2;
	return p;
}

/* Every scalar relation but the range proof's rows holds. */
static void check_relations(const planted *p, const cheat_run *run, int rows_hold)
{
	const vldaa_os_statement *st = &p->statement;
	oracle_challenges *x = oracle_challenge_new(st);
	int64_t f[VLDAA_OS_ROWS + VLDAA_OS_MAX_RELATIONS];
	int broken = 0;

	oracle_range_matrix(x, st, run->d1);
	oracle_relations(p, x, p->w1, run->y3, run->proof.z3, f);
	for (size_t j = 0; j < VLDAA_OS_ROWS; j++)
		broken += f[j] != 0;
	if (!EVEN_WEIGHT)
		ck_assert_int_eq(broken == 0, rows_hold);
	for (size_t k = 0; k < st->numbers->relations; k++)
		ck_assert_int_eq(f[VLDAA_OS_ROWS + k], 0);
	oracle_challenge_free(x);
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

static void check_truthful(planted *p)
{
	const vldaa_os_statement *st = &p->statement;
	const cheat_plan plan = {.even = 1, .unsent = !EVEN_WEIGHT};
	static verifier_view view;
	cheat_run *run = cheat_prove(st, p->w1, &plan, 1);

	check_relations(p, run, 1);
	ck_assert(responses_are_short(p, run));
	ck_assert_int_eq(inside_verify(st, &run->proof, NULL, &view), 1);
	if (EVEN_WEIGHT) {
		ck_assert_int_eq(planted_verify(st, (vldaa_bytes){run->bytes, run->len}), VLDAA_OK);
	} else {
		/* all that refuses it is z3's norm */
		ck_assert_uint_eq(run->len, 0);
		ck_assert_uint_eq(st->numbers->z3.bound2_high, 0);
		ck_assert_uint_gt(planted_norm2(run->proof.z3, VLDAA_OS_ROWS),
				  st->numbers->z3.bound2_low);
	}
	cheat_free(run);
}

/* 14 stands for 29/2 in what z3 answers for. */
static void check_lying(planted *p)
{
	const vldaa_os_statement *st = &p->statement;
	const size_t dim = vldaa_os_dim(st->numbers);
	const int64_t q = st->set->ring.q;
	int64_t *claimed = planted_memory(dim * sizeof *claimed);
	const cheat_plan plan = {.claimed = claimed, .even = 1};
	static verifier_view view;
	cheat_run *run;

	oracle_weighted(p, p->w1, claimed);
	for (size_t i = 0; i < dim; i++) {
		if (llabs(claimed[i]) > q / 4)
			claimed[i] = planted_centred(2 * claimed[i], q) / 2;
	}
	run = cheat_prove(st, p->w1, &plan, 1);
	check_relations(p, run, 0);
	ck_assert(responses_are_short(p, run));
	ck_assert_int_eq(planted_verify(st, (vldaa_bytes){run->bytes, run->len}), VLDAA_ERR_PROOF);
	/* v, for h's constant coefficients */
	ck_assert_int_eq(inside_verify(st, &run->proof, NULL, &view), 1);
	cheat_free(run);
	free(claimed);
}

START_TEST(halves_in_theta_pass_even_weights_only)
{
	planted *p = halves_in_theta();

	check_truthful(p);
	if (!EVEN_WEIGHT)
		check_lying(p);
	planted_free(p);
}
END_TEST

START_TEST(halves_in_x_pass_even_weights_only)
{
	planted *p = halves_in_x();

	check_truthful(p);
	if (!EVEN_WEIGHT)
		check_lying(p);
	planted_free(p);
}
END_TEST

/* An odd c_0 makes long responses of halves, whatever the weights: half of all challenges. */
START_TEST(halves_need_an_even_challenge)
{
	planted *p = halves_in_theta();
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
	tcase_add_test(tc, halves_in_theta_pass_even_weights_only);
	tcase_add_test(tc, halves_in_x_pass_even_weights_only);
	tcase_add_test(tc, halves_need_an_even_challenge);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
