/*
 * Promises, for the one-shot sets: whatever key Join admits, the rogue list can name, and then finds its
 * member key and its pseudonyms, nobody else's.  Proofs are about ||s|| alone, so a broken TPM may have joined
 * with coefficients that no honest key has.  Entries that no admitted key could have are refused.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../support/planted.h"
#include "../support/sets.h"
#include "../support/world.h"
#include "role/verifier_state.h"
#include "scheme/oneshot_verifier.h"
#include "wire/pack.h"

enum { LEN = PLANTED_S, LARGEST = 63 };

static world w;
static const vldaa_oneshot_set *n;
static const vldaa_os_group *group;
static size_t len; /* of s */
static void *workspace;
static vldaa_rng rng;

static void setup_set(int i)
{
	const uint8_t seed[VLDAA_SEED_BYTES] = {57};

	world_init(&w, oneshot_set(i), 57);
	n = vldaa_oneshot_numbers(w.set);
	group = w.verifier->group.context;
	len = (size_t)n->mldsa->l * VLDAA_MLDSA_N;
	workspace = planted_memory(w.set->scheme->size(w.set, VLDAA_PART_VERIFY_WORKSPACE));
	vldaa_rng_init(&rng, seed, n->id);
}

/* Entries of [-1, 1]: within every bound. */
static void small(int64_t *out, size_t count)
{
	for (size_t i = 0; i < count; i++)
		out[i] = (int64_t)(vldaa_rng_u64(&rng) % 3) - 1;
}

/* Keys that proofs allow: few large coefficients, or one that is as large as it can be. */
static void broken_key(int64_t *s, int which)
{
	const int64_t largest = n->s_bound2 < 49 * 49 ? 48 : LARGEST;

	memset(s, 0, LEN * sizeof *s);
	if (which == 0)
		s[len - 1] = -largest;
	for (size_t i = 0; i < 24 && which == 1; i++)
		s[37 * i] = i % 3 ? 10 : -10;
	if (which == 2) {
		small(s, len);
		s[5] = 3;
	}
	ck_assert_uint_le(planted_norm2(s, len), n->s_bound2);
}

static void entry_of(uint8_t *entry, const int64_t *s)
{
	vldaa_writer out;

	ck_assert_uint_eq(w.set->scheme->size(w.set, VLDAA_PART_ROGUE), 7 * len / 8);
	vldaa_put_init(&out, entry, 7 * len / 8);
	vldaa_pack_small(&out, s, len, LARGEST);
}

/* u_T of s, with its proof; returns what the issuer says, and the member key that it keeps. */
static int join(const int64_t *s, uint8_t *member_tpm)
{
	static uint8_t payload[1 << 16];
	static int64_t w1[PLANTED_M1 * VLDAA_OS_D], scratch[3 * PLANTED_N];
	int64_t e_t[PLANTED_N], u_t[PLANTED_N];
	uint32_t *hat = planted_memory(2 * vldaa_hat_len(&n->big) * sizeof *hat);
	void *prover = planted_memory(vldaa_os_prover_size(n->proof, n->join));
	const vldaa_bytes bind = {(const uint8_t *)"bind", 4};
	vldaa_os_workspace *tables = planted_memory(vldaa_os_place_workspace(n, NULL));
	vldaa_os_statement st;
	vldaa_writer out;
	int64_t *at = w1;
	int err;

	(void)vldaa_os_place_workspace(n, tables);
	small(e_t, n->N);
	vldaa_os_times_d(group, u_t, s, hat, scratch);
	for (size_t i = 0; i < n->N; i++)
		u_t[i] = planted_centred(u_t[i] + e_t[i], VLDAA_OS_P);
	memset(w1, 0, sizeof w1);
	for (size_t i = 0; i < len; i += VLDAA_MLDSA_N, at += VLDAA_MLDSA_N)
		vldaa_os_split(at, s + i, VLDAA_OS_QUARTERS);
	vldaa_os_split(at, e_t, n->N / VLDAA_OS_D);
	ck_assert_int_eq(vldaa_os_fill_theta(n->join, w1), VLDAA_OK);
	vldaa_put_init(&out, payload, sizeof payload);
	vldaa_pack_uniform(&n->big, &out, u_t);
	vldaa_os_join_statement(&st, &tables->tables, group, u_t);
	vldaa_os_join_bind(group, bind, payload, st.bind);
	ck_assert_int_eq(vldaa_os_prove(prover, planted_crs(n->proof), &st, w1, &rng, &out),
			 VLDAA_OK);
	err = w.set->scheme->join_verify(group, workspace, bind, bind,
					 (vldaa_bytes){payload, out.len}, (vldaa_bytes){NULL, 0},
					 member_tpm, NULL);
	free(hat);
	free(prover);
	free(tables);
	return err;
}

/* The pseudonym of s under a basename. */
static void *pseudonym(const int64_t *s, vldaa_bytes basename)
{
	static vldaa_mldsa_private key;
	static vldaa_mldsa_workspace scratch;
	static vldaa_mldsa_poly t[VLDAA_MLDSA_MAX_K];
	static uint8_t public_key[VLDAA_MLDSA_MAX_PUBLIC], nym[1 << 13];
	void *p = planted_memory(w.set->scheme->size(w.set, VLDAA_PART_PSEUDONYM_CONTEXT));

	key.set = n->mldsa;
	vldaa_os_rho(w.set, group->key_id, basename, key.rho);
	for (size_t i = 0; i < len; i++)
		key.s1[i / VLDAA_MLDSA_N].c[i % VLDAA_MLDSA_N] = (int32_t)s[i];
	for (size_t i = 0; i < n->mldsa->k; i++) {
		int64_t error[VLDAA_MLDSA_N];

		small(error, VLDAA_MLDSA_N);
		for (size_t j = 0; j < VLDAA_MLDSA_N; j++)
			key.s2[i].c[j] = (int32_t)error[j];
	}
	vldaa_mldsa_complete(public_key, &key, t, &scratch);
	vldaa_os_nym_encode(n, nym, t);
	ck_assert_int_eq(w.set->scheme->nym_init(group, workspace, basename, nym, p), VLDAA_OK);
	return p;
}

START_TEST(every_key_that_join_admits_can_be_listed_and_is_found)
{
	static const char names[2][5] = {"one", "two"};
	int64_t s[LEN], other[LEN];
	uint8_t member[2][2048], entry[LEN];

	setup_set(_i / 3);
	broken_key(s, _i % 3);
	broken_key(other, (_i + 1) % 3);
	ck_assert_int_eq(join(s, member[0]), VLDAA_OK);
	ck_assert_int_eq(join(other, member[1]), VLDAA_OK);
	entry_of(entry, s);
	ck_assert_int_eq(w.set->scheme->rogue_check(w.set, entry), VLDAA_OK);
	ck_assert_int_eq(w.set->scheme->rogue_member(group, workspace, member[0], entry), 1);
	ck_assert_int_eq(w.set->scheme->rogue_member(group, workspace, member[1], entry), 0);
	for (size_t i = 0; i < 2; i++) {
		const vldaa_bytes basename = {(const uint8_t *)names[i], strlen(names[i])};
		void *mine = pseudonym(s, basename), *theirs = pseudonym(other, basename);

		ck_assert_int_eq(w.set->scheme->rogue_nym(group, workspace, mine, entry), 1);
		ck_assert_int_eq(w.set->scheme->rogue_nym(group, workspace, theirs, entry), 0);
		free(mine);
		free(theirs);
	}
	free(workspace);
	world_free(&w);
}
END_TEST

START_TEST(an_entry_that_no_admitted_key_has_is_refused)
{
	int64_t s[LEN] = {0};
	uint8_t entry[LEN];

	setup_set(_i);
	/* every coefficient within the bound on ||s|| has a spelling */
	ck_assert_uint_lt(n->s_bound2, (LARGEST + 1) * (LARGEST + 1));
	/* ||s||^2 is the bound */
	for (size_t i = 0; i < n->s_bound2 / 4; i++)
		s[i] = i % 2 ? 2 : -2;
	for (size_t i = 0; i < n->s_bound2 % 4; i++)
		s[len - 1 - i] = 1;
	entry_of(entry, s);
	ck_assert_int_eq(w.set->scheme->rogue_check(w.set, entry), VLDAA_OK);
	s[len - 10] = 1;
	entry_of(entry, s);
	ck_assert_int_eq(w.set->scheme->rogue_check(w.set, entry), VLDAA_ERR_NORM);
	s[len - 10] = 0;
	entry_of(entry, s);
	entry[0] |= 0x7f; /* 127 stands for 64 */
	ck_assert_int_eq(w.set->scheme->rogue_check(w.set, entry), VLDAA_ERR_RANGE);
	free(workspace);
	world_free(&w);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("rogue list, one-shot sets");
	TCase *tc = tcase_create("entries");
	SRunner *sr = srunner_create(s);
	const int sets = oneshot_sets();

	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, every_key_that_join_admits_can_be_listed_and_is_found, 0, 3 * sets);
	tcase_add_loop_test(tc, an_entry_that_no_admitted_key_has_is_refused, 0, sets);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
