/*
 * Promises, for both one-shot sets: two attestations under one basename by one member always link,
 * whatever errors the member chooses within what the proof accepts, and two members' do not; Link,
 * the rogue list and the register compare distances, modulo q1 or p, exactly at their bounds; a key
 * of the rogue list finds its pseudonyms and registered keys (which entries there are:
 * test_oneshot_rogue.c); what is no pseudonym is refused.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../support/planted.h"
#include "mldsa/poly.h"
#include "scheme/oneshot_verifier.h"
#include "vldaa/error.h"
#include "wire/pack.h"

enum { SETS = 2, N = VLDAA_MLDSA_N, CAP = 1 << 16, NYM = 4096 };

static const char *const names[SETS] = {"VLDAA2-44", "VLDAA2-87"};
static const vldaa_oneshot_set *const numbers[SETS] = {&vldaa_oneshot_44, &vldaa_oneshot_87};
static const vldaa_bytes basename = {(const uint8_t *)"bay", 3};

/* A group whose issuer has no key, which none of this needs. */
static struct {
	vldaa_set set;
	void *group, *workspace, *pseudonym;
	vldaa_os_nym nym;
} t;

static void set_up(int i)
{
	const uint8_t key_id[VLDAA_KEY_ID_BYTES] = {3};
	uint8_t *payload;

	t.set = (vldaa_set){&vldaa_scheme_oneshot, numbers[i]};
	payload = planted_memory(t.set.scheme->size(&t.set, VLDAA_PART_GROUP));
	t.group = planted_memory(t.set.scheme->size(&t.set, VLDAA_PART_GROUP_CONTEXT));
	t.workspace = planted_memory(t.set.scheme->size(&t.set, VLDAA_PART_VERIFY_WORKSPACE));
	t.pseudonym = planted_memory(t.set.scheme->size(&t.set, VLDAA_PART_PSEUDONYM_CONTEXT));
	ck_assert_int_eq(t.set.scheme->group_init(t.group, &t.set, payload, key_id), VLDAA_OK);
	vldaa_os_rho(&t.set, key_id, basename, t.nym.rho);
	ck_assert_str_eq(numbers[i]->name, names[i]);
	free(payload);
}

/* Under t's basename. */
static planted *member(uint8_t number)
{
	static vldaa_mldsa_poly a[VLDAA_MLDSA_MAX_K * VLDAA_MLDSA_MAX_L];
	planted *p = planted_new(t.set.numbers, PLANTED_CREATE, number);

	vldaa_mldsa_expand_a(p->set->mldsa, a, t.nym.rho);
	vldaa_os_rows_of_a(p->set, p->a, a);
	return p;
}

static size_t errors(const planted *p)
{
	return p->set->rows * (size_t)N;
}

/* The pseudonym's bytes; rows that are not proven are 0. */
static void nym_of(const planted *p, uint8_t nym[NYM])
{
	vldaa_mldsa_poly rows[VLDAA_MLDSA_MAX_K] = {{{0}}};

	ck_assert_uint_le(vldaa_os_nym_size(p->set), NYM);
	for (size_t i = 0; i < errors(p); i++)
		rows[i / N].c[i % N] = (int32_t)(p->t[i] < 0 ? p->t[i] + VLDAA_MLDSA_Q : p->t[i]);
	vldaa_os_nym_encode(p->set, nym, rows);
}

static void check_attestation(planted *p)
{
	const uint8_t seed[VLDAA_SEED_BYTES] = {7};
	const vldaa_os_statement *st = &p->statement;
	uint8_t *out = planted_memory(CAP);
	void *prover;
	vldaa_writer w;
	vldaa_rng rng;

	planted_publish(p);
	planted_witness(p);
	prover = planted_memory(vldaa_os_prover_size(st->set, st->numbers));
	vldaa_rng_init(&rng, seed, 1);
	vldaa_put_init(&w, out, CAP);
	ck_assert_int_eq(vldaa_os_prove(prover, planted_crs(st->set), st, p->w1, &rng, &w),
			 VLDAA_OK);
	ck_assert_int_eq(planted_verify(st, (vldaa_bytes){out, w.len}), VLDAA_OK);
	free(prover);
	free(out);
}

static int linked(const uint8_t *one, const uint8_t *other)
{
	const int forth = t.set.scheme->linked(&t.set, one, other);

	ck_assert_int_eq(t.set.scheme->linked(&t.set, other, one), forth);
	return forth;
}

START_TEST(a_members_attestations_link_whatever_its_errors)
{
	uint8_t one[NYM], other[NYM];
	planted *p;

	set_up(_i);
	p = member(1);
	/* as far apart as the proof lets errors be: E and -E at the bound */
	planted_fit(p->secret.E, errors(p), 2, p->set->e_bound2);
	check_attestation(p);
	nym_of(p, one);
	for (size_t i = 0; i < errors(p); i++)
		p->secret.E[i] = -p->secret.E[i];
	check_attestation(p);
	nym_of(p, other);
	ck_assert_mem_ne(one, other, vldaa_os_nym_size(p->set));
	ck_assert_int_eq(linked(one, other), 1);
	ck_assert_int_eq(linked(one, one), 1);
	/* and no errors at all */
	memset(p->secret.E, 0, sizeof p->secret.E);
	check_attestation(p);
	nym_of(p, other);
	ck_assert_int_eq(linked(one, other), 1);
	planted_free(p);
}
END_TEST

/* A TPM of the member's own making that draws its error anew every time. */
START_TEST(a_member_that_redraws_its_errors_links_to_itself)
{
	enum { DRAWS = 20 };
	static uint8_t nyms[DRAWS][NYM];
	planted *p, *draw;

	set_up(_i);
	p = member(1);
	for (uint8_t k = 0; k < DRAWS; k++) {
		draw = planted_new(p->set, PLANTED_CREATE, (uint8_t)(100 + k));
		memcpy(p->secret.E, draw->secret.E, sizeof p->secret.E);
		planted_free(draw);
		planted_publish(p);
		nym_of(p, nyms[k]);
		for (uint8_t i = 0; i < k; i++) {
			ck_assert_mem_ne(nyms[k], nyms[i], vldaa_os_nym_size(p->set));
			ck_assert_int_eq(linked(nyms[k], nyms[i]), 1);
		}
	}
	planted_free(p);
}
END_TEST

START_TEST(two_members_attestations_do_not_link)
{
	uint8_t nyms[4][NYM];

	set_up(_i);
	for (uint8_t i = 0; i < 4; i++) {
		planted *p = member(i);

		planted_publish(p);
		nym_of(p, nyms[i]);
		for (uint8_t k = 0; k < i; k++)
			ck_assert_int_eq(linked(nyms[i], nyms[k]), 0);
		planted_free(p);
	}
}
END_TEST

/* Adds to the last coefficients of t, all rows counting, modulo q1. */
static void move(planted *p, uint64_t distance2)
{
	int64_t difference[VLDAA_OS_MAX_ROWS * N] = {0};
	const size_t n = errors(p);

	planted_fit(difference, n, 50, distance2);
	for (size_t i = 0; i < n; i++)
		p->t[i] = planted_centred(p->t[i] + difference[i], VLDAA_MLDSA_Q);
}

START_TEST(link_ends_exactly_at_its_bound)
{
	uint8_t one[NYM], other[NYM];
	planted *p, *q;

	set_up(_i);
	for (uint64_t over = 0; over < 2; over++) {
		p = member(1);
		q = member(1);
		planted_publish(p);
		planted_publish(q);
		/* 0 and q1 - 1 are neighbours */
		for (size_t i = errors(p) - 24; i < errors(p); i++)
			p->t[i] = q->t[i] = i % 2 ? -1 : VLDAA_MLDSA_Q / 2;
		move(q, p->set->link_bound2 + over);
		nym_of(p, one);
		nym_of(q, other);
		ck_assert_int_eq(linked(one, other), over == 0);
		ck_assert_uint_eq(p->set->link_bound2, 4 * p->set->e_bound2);
		planted_free(p);
		planted_free(q);
	}
}
END_TEST

START_TEST(rows_that_are_no_residues_are_refused)
{
	uint8_t one[NYM], other[NYM];
	planted *p;

	set_up(_i);
	p = member(1);
	planted_publish(p);
	nym_of(p, one);
	memcpy(other, one, sizeof other);
	/* the first coefficient, 23 bits: q1 */
	other[0] = VLDAA_MLDSA_Q & 255;
	other[1] = VLDAA_MLDSA_Q >> 8 & 255;
	other[2] = (uint8_t)((other[2] & 0x80) | VLDAA_MLDSA_Q >> 16);
	ck_assert_int_eq(linked(one, other), VLDAA_ERR_RANGE);
	ck_assert_int_eq(t.set.scheme->nym_init(t.group, t.workspace, basename, other, t.pseudonym),
			 VLDAA_ERR_RANGE);
	ck_assert_int_eq(t.set.scheme->nym_init(t.group, t.workspace, basename, one, t.pseudonym),
			 VLDAA_OK);
	planted_free(p);
}
END_TEST

/* s as the rogue list has it. */
static uint8_t *entry_of(const planted *p)
{
	const size_t size = t.set.scheme->size(&t.set, VLDAA_PART_ROGUE);
	uint8_t *entry = planted_memory(size);
	vldaa_writer w;

	vldaa_put_init(&w, entry, size);
	vldaa_pack_small(&w, p->secret.s, (size_t)p->set->mldsa->l * N, VLDAA_OS_ROGUE_MAX);
	ck_assert_uint_eq(w.len, size);
	return entry;
}

static int rogue(const planted *p, const uint8_t *entry)
{
	uint8_t nym[NYM];

	nym_of(p, nym);
	ck_assert_int_eq(t.set.scheme->nym_init(t.group, t.workspace, basename, nym, t.pseudonym),
			 VLDAA_OK);
	return t.set.scheme->rogue_nym(t.group, t.workspace, t.pseudonym, entry);
}

START_TEST(a_key_of_the_rogue_list_finds_its_pseudonyms)
{
	planted *p, *other;
	uint8_t *entry;

	set_up(_i);
	p = member(1);
	other = member(2);
	planted_fit(p->secret.E, errors(p), 2, p->set->e_bound2);
	planted_publish(p);
	planted_publish(other);
	entry = entry_of(p);
	ck_assert_int_eq(t.set.scheme->rogue_check(&t.set, entry), VLDAA_OK);
	ck_assert_int_eq(rogue(p, entry), 1);
	ck_assert_int_eq(rogue(other, entry), 0);
	/* an error that no proof accepts */
	planted_fit(p->secret.E, errors(p), 2, p->set->e_bound2 + 1);
	planted_publish(p);
	ck_assert_int_eq(rogue(p, entry), 0);
	free(entry);
	planted_free(p);
	planted_free(other);
}
END_TEST

/* u_T = D s + e_T for the group's own D. */
static void registered(const planted *p, uint8_t *out, uint64_t e2)
{
	const vldaa_os_group *g = t.group;
	const vldaa_ring *r = &p->set->big;
	uint32_t *hat = planted_memory(2 * vldaa_hat_len(r) * sizeof *hat);
	int64_t *scratch = planted_memory(2 * (size_t)r->d * sizeof *scratch);
	int64_t u[PLANTED_N], e[PLANTED_N];
	vldaa_writer w;

	memcpy(e, p->secret.e_t, sizeof e);
	planted_fit(e, r->d, 2, e2);
	vldaa_os_times_d(g, u, p->secret.s, hat, scratch);
	for (size_t i = 0; i < r->d; i++)
		u[i] = planted_centred(u[i] + e[i], VLDAA_OS_P);
	vldaa_put_init(&w, out, vldaa_os_ut_size(p->set));
	vldaa_pack_uniform(r, &w, u);
	free(hat);
	free(scratch);
}

/* Two keys that differ in their last coefficients alone, or in their first. */
static int near_at(const vldaa_ring *r, size_t first, uint64_t distance2)
{
	uint8_t one[NYM], other[NYM];
	int64_t a[PLANTED_N], d[PLANTED_N] = {0};
	vldaa_writer w;

	for (size_t i = 0; i < r->d; i++)
		a[i] = i % 2 ? -1 : VLDAA_OS_P / 2;
	vldaa_put_init(&w, one, sizeof one);
	vldaa_pack_uniform(r, &w, a);
	planted_fit(d + first, 64, 40, distance2);
	for (size_t i = 0; i < r->d; i++)
		a[i] = planted_centred(a[i] + d[i], VLDAA_OS_P);
	vldaa_put_init(&w, other, sizeof other);
	vldaa_pack_uniform(r, &w, a);
	ck_assert_uint_eq(w.len, t.set.scheme->size(&t.set, VLDAA_PART_MEMBER_TPM));
	ck_assert_int_eq(t.set.scheme->member_near(&t.set, one, one), 1);
	ck_assert_int_eq(t.set.scheme->member_near(&t.set, one, other),
			 t.set.scheme->member_near(&t.set, other, one));
	return t.set.scheme->member_near(&t.set, one, other);
}

START_TEST(the_register_ends_exactly_at_its_bound)
{
	const vldaa_ring *r = &numbers[_i]->big;
	const uint64_t bound = numbers[_i]->duplicate2;
	uint8_t key[NYM] = {0}, none[NYM] = {0};

	set_up(_i);
	for (size_t first = 0; first < r->d; first += r->d - 64) {
		ck_assert_int_eq(near_at(r, first, bound), 1);
		ck_assert_int_eq(near_at(r, first, bound + 1), 0);
	}
	ck_assert_uint_eq(bound, 4 * numbers[_i]->et_bound2);
	/* 12289 in the first place, 14 bits, is no residue */
	none[0] = VLDAA_OS_P & 255;
	none[1] = VLDAA_OS_P >> 8;
	ck_assert_int_eq(t.set.scheme->member_near(&t.set, key, none), VLDAA_ERR_RANGE);
	ck_assert_int_eq(t.set.scheme->member_near(&t.set, none, key), VLDAA_ERR_RANGE);
}
END_TEST

START_TEST(a_key_of_the_rogue_list_finds_its_registered_key)
{
	const uint64_t bound = numbers[_i]->et_bound2;
	uint8_t ut[NYM], second[NYM];
	planted *p, *other;
	uint8_t *entry;

	set_up(_i);
	p = member(1);
	other = member(2);
	entry = entry_of(p);
	registered(p, ut, bound);
	ck_assert_int_eq(t.set.scheme->rogue_member(t.group, t.workspace, ut, entry), 1);
	registered(p, second, bound + 1);
	ck_assert_int_eq(t.set.scheme->rogue_member(t.group, t.workspace, second, entry), 0);
	/* the register refuses a second error of one key, not another key */
	ck_assert_int_eq(t.set.scheme->member_near(&t.set, ut, second), 1);
	registered(other, second, bound);
	ck_assert_int_eq(t.set.scheme->rogue_member(t.group, t.workspace, second, entry), 0);
	ck_assert_int_eq(t.set.scheme->member_near(&t.set, ut, second), 0);
	free(entry);
	planted_free(p);
	planted_free(other);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("one-shot sets, linking");
	TCase *tc = tcase_create("distances");
	SRunner *sr = srunner_create(s);

	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, a_members_attestations_link_whatever_its_errors, 0, SETS);
	tcase_add_loop_test(tc, a_member_that_redraws_its_errors_links_to_itself, 0, SETS);
	tcase_add_loop_test(tc, two_members_attestations_do_not_link, 0, SETS);
	tcase_add_loop_test(tc, link_ends_exactly_at_its_bound, 0, SETS);
	tcase_add_loop_test(tc, rows_that_are_no_residues_are_refused, 0, SETS);
	tcase_add_loop_test(tc, a_key_of_the_rogue_list_finds_its_pseudonyms, 0, SETS);
	tcase_add_loop_test(tc, the_register_ends_exactly_at_its_bound, 0, SETS);
	tcase_add_loop_test(tc, a_key_of_the_rogue_list_finds_its_registered_key, 0, SETS);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
