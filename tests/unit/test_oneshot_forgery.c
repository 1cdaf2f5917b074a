/*
 * Promise: what forges in the published sets (examples/forgery: equations modulo q are solved, and the
 * solution need not be short) forges nothing in the one-shot sets.  The forger has a group's public
 * key, a member's attestation and provers of its own making; each attempt is refused by the check that
 * is there for it:
 *
 *  - a credential that solves (C) is no credential, and its attestation fails in the norm of v;
 *  - one whose norm is right modulo q only fails in the range proof;
 *  - under another member's pseudonym, the E that solves the rows of t fails in its norm, and its
 *    responses are too long; a short E, with the carry that it needs, fails in the range proof; also
 *    for a member who has joined;
 *  - another member's attestation is bound to its group, its basename, all rows of its pseudonym;
 *  - responses that solve a proof's equations are longer than allowed, and so is q added to one.
 *
 * The prover is the one that makes valid attestations of a member's own secrets here.  That two
 * pseudonyms of one member for one basename are refused: test_oneshot_fractions.c.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../support/oneshot_member.h"
#include "../support/oneshot_refused.h"
#include "../support/sets.h"
#include "mldsa/poly.h"
#include "scheme/oneshot_group.h"
#include "vldaa/error.h"
#include "wire/object.h"

enum { CREATE_V, CREATE_S, CREATE_E, NYM = 8192, N = VLDAA_MLDSA_N };

static const cheat_plan honestly;
static const vldaa_bytes basename = {(const uint8_t *)"platoon-7", 9};

/* Each test runs in its own process. */
static struct {
	world w;
	const vldaa_oneshot_set *n;
	const vldaa_os_group *group;
	uint32_t *hat;
	int64_t *scratch;
} t;

static void set_up(int i)
{
	world_init(&t.w, oneshot_set(i), 1);
	t.n = vldaa_oneshot_numbers(t.w.set);
	t.group = oneshot_group_of(&t.w);
	t.hat = planted_memory(2 * vldaa_hat_len(&t.n->big) * sizeof *t.hat);
	t.scratch = planted_memory(3 * (size_t)t.n->N * sizeof *t.scratch);
}

static void tear_down(void)
{
	free(t.hat);
	free(t.scratch);
	world_free(&t.w);
}

static int attestation_result(const uint8_t *object, size_t len)
{
	vldaa_attestation *a = NULL;
	int err = vldaa_attestation_new(&a, t.w.verifier, object, len);

	ck_assert_int_eq(a != NULL, err == VLDAA_OK);
	vldaa_attestation_free(a);
	return err;
}

/* --- a forger of this group ---------------------------------------------------------------------
 */

/* Secrets of its own choice, for the group's public values and the basename. */
static planted *forger(uint8_t number)
{
	static vldaa_mldsa_poly a[VLDAA_MLDSA_MAX_K * VLDAA_MLDSA_MAX_L];
	planted *p = planted_new(t.n, PLANTED_CREATE, number);
	const size_t bytes = t.n->N * sizeof *p->h;
	uint8_t rho[32];

	memcpy(p->h, t.group->h, bytes);
	memcpy(p->bx, t.group->bx, bytes);
	memcpy(p->d0, t.group->d0, bytes);
	memcpy(p->d1, t.group->d1, bytes);
	p->group.set = t.w.set;
	memcpy(p->group.key_id, t.group->key_id, sizeof p->group.key_id);
	memcpy(p->group.crs_digest, t.group->crs_digest, sizeof p->group.crs_digest);
	vldaa_os_rho(t.w.set, t.group->key_id, basename, rho);
	vldaa_mldsa_expand_a(t.n->mldsa, a, rho);
	vldaa_os_rows_of_a(t.n, p->a, a);
	return p;
}

/* v_1 by linear algebra: centred(u + b_x X + D s - h v_2), whatever v_2, x and s are. */
static void solve_v1(planted *p)
{
	int64_t v1[PLANTED_N], part[PLANTED_N];
	uint8_t x[VLDAA_OS_X_BYTES] = {0};

	for (size_t i = 0; i < VLDAA_OS_TAG_BITS; i++)
		x[i / 8] |= (uint8_t)(p->secret.x_doubled[i] / 2 << i % 8);
	vldaa_os_times_d(t.group, v1, p->secret.s, t.hat, t.scratch);
	vldaa_os_times_bx(t.group, part, x, t.hat, t.scratch);
	for (size_t i = 0; i < t.n->N; i++)
		v1[i] += part[i] + t.group->u[i];
	vldaa_os_times_h(t.group, part, p->secret.v2, t.hat);
	for (size_t i = 0; i < t.n->N; i++)
		p->secret.v1_doubled[i] = 2 * planted_centred(v1[i] - part[i], VLDAA_OS_P);
}

/* E by linear algebra: centred(t - A s), whatever s is. */
static void solve_e(planted *p, const int64_t *rows)
{
	for (size_t a = 0; a < t.n->rows; a++) {
		int64_t sum[N], part[N];

		memcpy(sum, rows + a * N, sizeof sum);
		for (size_t j = 0; j < t.n->mldsa->l; j++) {
			planted_times(N, part, p->a + (a * t.n->mldsa->l + j) * N,
				      p->secret.s + j * N);
			for (size_t i = 0; i < N; i++)
				sum[i] -= part[i];
		}
		for (size_t i = 0; i < N; i++)
			p->secret.E[a * N + i] = planted_centred(sum[i], VLDAA_MLDSA_Q);
	}
}

static uint64_t norm2_of_v(const planted *p)
{
	return planted_norm2(p->secret.v1_doubled, t.n->N) / 4 +
	       planted_norm2(p->secret.v2, t.n->N);
}

/* The statement about the group's own u, and the witness. */
static void publish(planted *p)
{
	planted_publish(p);
	ck_assert_mem_eq(p->u, t.group->u, t.n->N * sizeof *p->u);
	planted_witness(p);
}

/* A pseudonym with these proven rows, which are centred; the others are 0. */
static void nym_of(uint8_t nym[NYM], const int64_t *rows)
{
	vldaa_mldsa_poly out[VLDAA_MLDSA_MAX_K] = {{{0}}};

	ck_assert_uint_le(vldaa_os_nym_size(t.n), NYM);
	for (size_t i = 0; i < t.n->rows * (size_t)N; i++)
		out[i / N].c[i % N] = (int32_t)(rows[i] < 0 ? rows[i] + VLDAA_MLDSA_Q : rows[i]);
	vldaa_os_nym_encode(t.n, nym, out);
}

static void bind(planted *p, const uint8_t *nym)
{
	vldaa_os_create_bind(&p->group, basename, nym, p->statement.bind);
}

/* What anybody's verifier says of this proof for this pseudonym. */
static int result_of(const uint8_t *nym, const cheat_run *run)
{
	buffer object = buffer_new(vldaa_object_max_size(t.w.set, VLDAA_KIND_ATTESTATION));
	vldaa_writer w;
	int err;

	vldaa_put_init(&w, object.data, object.len);
	vldaa_put_header(&w, VLDAA_KIND_ATTESTATION, t.w.set);
	vldaa_put_bytes(&w, t.group->key_id, VLDAA_KEY_ID_BYTES);
	vldaa_put_basename(&w, basename);
	vldaa_put_bytes(&w, nym, vldaa_os_nym_size(t.n));
	vldaa_put_bytes(&w, run->bytes, run->len);
	ck_assert_uint_le(w.len, object.len);
	err = attestation_result(object.data, w.len);
	buffer_free(&object);
	return err;
}

/* --- members that joined -----------------------------------------------------------------------
 */

/* A member and its attestation; the nym in it, decoded too. */
typedef struct {
	car c;
	buffer attestation;
	size_t payload; /* its place in the attestation */
	const uint8_t *nym;
	int64_t rows[PLANTED_E];
} member;

static void member_init(member *m, uint64_t label)
{
	vldaa_attestation_parts parts;

	car_init(&m->c, &t.w, label);
	car_join(&m->c);
	m->attestation = car_create(&m->c, (const char *)basename.bytes);
	ck_assert_int_eq(vldaa_read_attestation(&parts, m->attestation.data, m->attestation.len),
			 VLDAA_OK);
	m->nym = parts.payload.bytes;
	m->payload = (size_t)(m->nym - m->attestation.data);
	for (size_t i = 0; i < t.n->rows * (size_t)N; i++)
		m->rows[i] = planted_centred((int64_t)packed_field(m->nym, 23, i), VLDAA_MLDSA_Q);
}

static void member_free(member *m)
{
	buffer_free(&m->attestation);
	car_free(&m->c);
}

/* What a member knows whose TPM is software of its own. */
static planted *opened(member *m)
{
	planted *p = forger(7);
	oneshot_member *known = planted_memory(sizeof *known);

	oneshot_member_read(known, &m->c);
	ck_assert_int_eq(known->joined, 1);
	memcpy(p->secret.s, known->s, sizeof known->s);
	memcpy(p->secret.v2, known->credential.v2, t.n->N * sizeof *p->secret.v2);
	for (size_t i = 0; i < VLDAA_OS_TAG_BITS; i++)
		p->secret.x_doubled[i] = 2 * (known->credential.x[i / 8] >> i % 8 & 1);
	solve_v1(p);
	ck_assert_uint_le(norm2_of_v(p), t.n->beta2);
	free(known);
	return p;
}

/* --- credentials -------------------------------------------------------------------------------
 */

/* The same prover, with what a member really has. */
START_TEST(a_members_own_secrets_make_a_valid_attestation)
{
	uint8_t nym[NYM];
	member m;
	planted *p;
	cheat_run *run;

	set_up(_i);
	member_init(&m, 2);
	p = opened(&m);
	publish(p);
	nym_of(nym, p->t);
	bind(p, nym);
	run = cheat_prove(&p->statement, p->w1, &honestly, 1);
	ck_assert_int_eq(result_of(nym, run), VLDAA_OK);
	cheat_free(run);
	planted_free(p);
	member_free(&m);
	tear_down();
}
END_TEST

START_TEST(a_solution_of_the_credentials_equation_is_no_credential)
{
	vldaa_os_credential *credential = planted_memory(sizeof *credential);
	int64_t ds[PLANTED_N];
	uint8_t nym[NYM];
	planted *p;
	cheat_run *run;

	set_up(_i);
	p = forger(3);
	solve_v1(p);
	/* it is no longer than p lets it be, which is far too long */
	ck_assert_uint_gt(norm2_of_v(p), 100 * t.n->beta2);
	for (size_t i = 0; i < VLDAA_OS_TAG_BITS; i++)
		credential->x[i / 8] |= (uint8_t)(p->secret.x_doubled[i] / 2 << i % 8);
	memcpy(credential->v2, p->secret.v2, t.n->N * sizeof *credential->v2);
	vldaa_os_times_d(t.group, ds, p->secret.s, t.hat, t.scratch);
	vldaa_poly_reduce(&t.n->big, ds, ds);
	ck_assert_int_eq(vldaa_os_credential_check(t.group, ds, credential, t.hat, t.scratch),
			 VLDAA_ERR_CREDENTIAL);

	publish(p);
	nym_of(nym, p->t);
	bind(p, nym);
	run = refused_for(p, &honestly, 1U << CREATE_V);
	ck_assert_int_eq(result_of(nym, run), VLDAA_ERR_PROOF);
	refused_by_prover(p);
	cheat_free(run);
	planted_free(p);
	free(credential);
	tear_down();
}
END_TEST

/*
 * Multiples of p make v_1 longer, as long as one wants: (C) still holds, also over the integers, and
 * the carry is short.  ||v||^2 = beta^2 + q - (what digits can say).
 */
static void lengthen(planted *p)
{
	const vldaa_os_relation *r = &p->set->attestation->relation[CREATE_V];
	const uint64_t target = (uint64_t)r->bound + (uint64_t)p->set->proof->ring.q;
	uint64_t norm2 = norm2_of_v(p);

	for (size_t i = 0; i < p->set->N && (target - norm2) >> r->bits != 0; i++) {
		const int64_t v = p->secret.v1_doubled[i] / 2;
		int64_t best = v;

		ck_assert_uint_le(norm2, target);
		for (int64_t sign = -1; sign <= 1; sign += 2) {
			int64_t next = v + sign * VLDAA_OS_P;

			while ((uint64_t)(next * next - v * v) <= target - norm2) {
				best = llabs(next) > llabs(best) ? next : best;
				next += sign * VLDAA_OS_P;
			}
		}
		norm2 += (uint64_t)(best * best - v * v);
		p->secret.v1_doubled[i] = 2 * best;
	}
	ck_assert_uint_eq((target - norm2) >> r->bits, 0);
}

START_TEST(a_credential_whose_norm_is_right_modulo_q_is_refused)
{
	int64_t *claimed;
	cheat_plan lying = {0};
	vldaa_os_statement_set short_masks;
	const vldaa_os_relation *r;
	uint8_t nym[NYM];
	uint64_t rest;
	planted *p;
	cheat_run *run;

	set_up(_i);
	p = forger(4);
	solve_v1(p);
	lengthen(p);
	publish(p);
	ck_assert_uint_le(planted_norm2(p->k_c, t.n->N), t.n->kc_bound2);
	r = &p->statement.numbers->relation[CREATE_V];
	rest = (uint64_t)r->bound + (uint64_t)t.n->proof->ring.q - norm2_of_v(p);
	for (size_t i = 0; i < r->bits; i++)
		p->w1[r->digits * VLDAA_OS_D + r->digit + i] = (int64_t)(rest >> i & 1);
	nym_of(nym, p->t);
	bind(p, nym);
	/* whoever has nothing to hide may take shorter masks */
	short_masks = *p->statement.numbers;
	short_masks.block[0].width /= 8;
	p->statement.numbers = &short_masks;
	run = refused_by_length(p, &honestly);
	cheat_free(run);
	/* z3 for a v_1 that is no longer than p lets it be */
	claimed = planted_memory(vldaa_os_dim(p->statement.numbers) * sizeof *claimed);
	lying.claimed = claimed;
	oracle_weighted(p, p->w1, claimed);
	for (size_t i = 0; i < t.n->N; i++)
		claimed[i] =
		    VLDAA_OS_WEIGHT * planted_centred(claimed[i] / VLDAA_OS_WEIGHT, VLDAA_OS_P);
	run = refused_for(p, &lying, REFUSED_RANGE);
	ck_assert_int_eq(result_of(nym, run), VLDAA_ERR_PROOF);
	cheat_free(run);
	planted_free(p);
	free(claimed);
	tear_down();
}
END_TEST

/* --- another member's pseudonym ----------------------------------------------------------------
 */

/* Blocks of z1 that are longer than allowed, 1 << block. */
static unsigned long_blocks(const planted *p, const cheat_run *run)
{
	const vldaa_os_statement_set *s = p->statement.numbers;
	const int64_t *z = run->proof.z1;
	unsigned too_long = 0;

	for (size_t b = 0; b < s->blocks; b++) {
		if (!vldaa_os_within(&p->statement.set->ring, &s->block[b], z,
				     s->block[b].elements))
			too_long |= 1U << b;
		z += s->block[b].elements * (size_t)VLDAA_OS_D;
	}
	return too_long;
}

START_TEST(another_members_pseudonym_is_refused_also_to_a_member)
{
	/* v, (x, theta), s, E */
	enum { BLOCK_E = 3 };
	const cheat_plan unsent = {.unsent = 1};
	cheat_plan lying = {0};
	member victim, thief;
	int64_t *claimed;
	planted *p;
	cheat_run *run;

	set_up(_i);
	member_init(&victim, 2);
	member_init(&thief, 3);
	/* its own s, and an E that makes the victim's rows of it */
	p = opened(&thief);
	solve_e(p, victim.rows);
	publish(p);
	ck_assert_mem_eq(p->t, victim.rows, t.n->rows * (size_t)N * sizeof *p->t);
	bind(p, victim.nym);
	run = cheat_prove(&p->statement, p->w1, &unsent, 1);
	ck_assert_uint_eq(run->len, 0);
	ck_assert_uint_eq(refused_relations(p, run), 1U << CREATE_E);
	ck_assert_uint_eq(long_blocks(p, run), 1U << BLOCK_E);
	ck_assert_uint_gt(planted_norm2(run->proof.z3, VLDAA_OS_ROWS),
			  p->statement.numbers->z3.bound2_low);
	cheat_free(run);
	planted_free(p);
	/* a short E, and the carry that it takes */
	p = opened(&thief);
	publish(p);
	claimed = planted_memory(vldaa_os_dim(p->statement.numbers) * sizeof *claimed);
	oracle_weighted(p, p->w1, claimed); /* for its own rows */
	lying.claimed = claimed;
	memcpy(p->t, victim.rows, sizeof victim.rows);
	planted_restate(p);
	bind(p, victim.nym);
	cheat_free(refused_by_length(p, &honestly));
	run = refused_for(p, &lying, REFUSED_RANGE);
	ck_assert_int_eq(result_of(victim.nym, run), VLDAA_ERR_PROOF);
	cheat_free(run);
	planted_free(p);
	free(claimed);
	member_free(&victim);
	member_free(&thief);
	tear_down();
}
END_TEST

START_TEST(an_attestation_is_of_one_group_basename_and_pseudonym)
{
	const size_t row = N * 23 / 8;
	member victim, thief;
	buffer spliced;
	size_t nym_size, at;

	set_up(_i);
	nym_size = vldaa_os_nym_size(t.n);
	member_init(&victim, 2);
	member_init(&thief, 3);
	spliced = buffer_new(victim.attestation.len);
	memcpy(spliced.data, victim.attestation.data, spliced.len);
	at = victim.payload;
	ck_assert_int_eq(attestation_result(spliced.data, spliced.len), VLDAA_OK);
	/* the basename's last letter */
	spliced.data[at - 1] = '8';
	ck_assert_int_eq(attestation_result(spliced.data, spliced.len), VLDAA_ERR_PROOF);
	spliced.data[at - 1] = '7';
	/* the thief's pseudonym, its proven rows alone, its other rows alone: those are t1 */
	memcpy(spliced.data + at, thief.nym, nym_size);
	ck_assert_int_eq(attestation_result(spliced.data, spliced.len), VLDAA_ERR_PROOF);
	memcpy(spliced.data + at, victim.nym, t.n->rows * row);
	ck_assert_int_eq(attestation_result(spliced.data, spliced.len), VLDAA_ERR_PROOF);
	memcpy(spliced.data + at, victim.nym, nym_size);
	memcpy(spliced.data + at, thief.nym, t.n->rows * row);
	ck_assert_int_eq(attestation_result(spliced.data, spliced.len), VLDAA_ERR_PROOF);
	memcpy(spliced.data + at, victim.nym, nym_size);
	ck_assert_int_eq(attestation_result(spliced.data, spliced.len), VLDAA_OK);
	buffer_free(&spliced);
	/* the thief's proof for the victim's pseudonym */
	spliced = buffer_new(thief.attestation.len);
	memcpy(spliced.data, thief.attestation.data, spliced.len);
	memcpy(spliced.data + thief.payload, victim.nym, nym_size);
	ck_assert_int_eq(attestation_result(spliced.data, spliced.len), VLDAA_ERR_PROOF);
	memcpy(spliced.data + thief.payload, thief.nym, nym_size);
	ck_assert_int_eq(attestation_result(spliced.data, spliced.len), VLDAA_OK);
	spliced.data[VLDAA_OBJECT_HEADER] ^= 1;
	ck_assert_int_eq(attestation_result(spliced.data, spliced.len), VLDAA_ERR_WRONG_ISSUER);
	buffer_free(&spliced);
	member_free(&victim);
	member_free(&thief);
	tear_down();
}
END_TEST

/* --- responses ---------------------------------------------------------------------------------
 */

/*
 * What forges message signatures in VLDAA-128: choose w, hash it to c, solve for the responses.  Here
 * z1 and z2 may be chosen, and the identity part of z2, which is not sent, is w - w': the hints would
 * have to be as long as q, and its norm is bounded.
 */
START_TEST(responses_that_solve_the_equations_are_too_long)
{
	planted *p;
	const vldaa_os_statement *st;
	verifier_view *view = planted_memory(sizeof *view);
	vldaa_os_proof *proof;
	uint8_t out[1 << 16];
	vldaa_u128 norm2;
	vldaa_writer w;
	cheat_run *run;
	size_t within = 0, all;
	int64_t top;

	set_up(_i);
	p = planted_honest(t.n, PLANTED_CREATE, 5);
	st = &p->statement;
	all = (size_t)st->set->n * VLDAA_OS_D;
	top = INT64_C(1) << st->set->keep;
	run = cheat_prove(st, p->w1, &honestly, 1);
	proof = inside_decode(st, (vldaa_bytes){run->bytes, run->len});
	ck_assert_int_eq(inside_verify(st, proof, NULL, view), 1);
	norm2 = vldaa_os_identity_norm2(st->set, view->w, view->approximate);
	ck_assert_uint_eq(st->numbers->identity_high, 0);
	ck_assert(norm2 <= st->numbers->identity_low);
	/* the challenge of a w that was there first, the same short z1 and z2 */
	proof->seed[0] ^= 1;
	ck_assert_int_eq(inside_verify(st, proof, NULL, view), 0);
	ck_assert_mem_ne(view->w, run->w, sizeof view->w);
	norm2 = vldaa_os_identity_norm2(st->set, run->w, view->approximate);
	ck_assert(norm2 / 1000000 > st->numbers->identity_low);
	for (size_t i = 0; i < all; i++) {
		/* Compress(w') = Compress(w') + hint - hint */
		const int64_t here = view->w[i] - proof->hint[i];

		proof->hint[i] = planted_centred(run->w[i] - here, 2 * top + 1);
		within += llabs(proof->hint[i]) <= VLDAA_OS_MAX_HINT;
	}
	ck_assert_uint_lt(within, all / 100);
	vldaa_put_init(&w, out, sizeof out);
	ck_assert_int_eq(vldaa_os_proof_put(st->set, st->numbers, &w, proof), VLDAA_ERR_NORM);
	inside_proof_free(proof);
	cheat_free(run);
	planted_free(p);
	free(view);
	tear_down();
}
END_TEST

/* What makes another valid object beside a valid one in the published sets. */
START_TEST(q_added_to_a_response_is_too_long)
{
	verifier_view *view = planted_memory(sizeof *view);

	set_up(_i);
	for (int kind = PLANTED_JOIN; kind <= PLANTED_CREATE; kind++) {
		planted *p = planted_honest(t.n, (enum statement_kind)kind, 6);
		const vldaa_os_statement *st = &p->statement;
		const vldaa_os_statement_set *s = st->numbers;
		const int64_t q = st->set->ring.q;
		cheat_run *run = cheat_prove(st, p->w1, &honestly, 1);
		vldaa_os_proof *proof = inside_decode(st, (vldaa_bytes){run->bytes, run->len});
		uint8_t *out = planted_memory(run->len + 64);
		size_t first = 0;

		for (size_t b = 0; b <= s->blocks; b++) {
			const vldaa_os_block *block = b < s->blocks ? &s->block[b] : &s->z2;
			int64_t *z = b < s->blocks ? &proof->z1[first * VLDAA_OS_D] : proof->z2;
			vldaa_writer w;

			ck_assert_uint_lt(block->max, (uint64_t)q / 1000);
			*z += q;
			/* no equation sees it */
			ck_assert_int_eq(inside_verify(st, proof, NULL, view), 1);
			vldaa_put_init(&w, out, run->len + 64);
			ck_assert_int_eq(vldaa_os_proof_put(st->set, s, &w, proof), VLDAA_ERR_NORM);
			*z -= q;
			first += block->elements;
		}
		ck_assert_uint_lt(s->z3.max, (uint64_t)q / 1000);
		free(out);
		inside_proof_free(proof);
		cheat_free(run);
		planted_free(p);
	}
	free(view);
	tear_down();
}
END_TEST

int main(void)
{
	Suite *s = suite_create("one-shot sets: what forges in the published ones");
	TCase *tc = tcase_create("forgery");
	SRunner *sr = srunner_create(s);
	const int sets = oneshot_sets();

	tcase_set_timeout(tc, 240);
	tcase_add_loop_test(tc, a_members_own_secrets_make_a_valid_attestation, 0, sets);
	tcase_add_loop_test(tc, a_solution_of_the_credentials_equation_is_no_credential, 0, sets);
	tcase_add_loop_test(tc, a_credential_whose_norm_is_right_modulo_q_is_refused, 0, sets);
	tcase_add_loop_test(tc, another_members_pseudonym_is_refused_also_to_a_member, 0, sets);
	tcase_add_loop_test(tc, an_attestation_is_of_one_group_basename_and_pseudonym, 0, sets);
	tcase_add_loop_test(tc, responses_that_solve_the_equations_are_too_long, 0, sets);
	tcase_add_loop_test(tc, q_added_to_a_response_is_too_long, 0, sets);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
