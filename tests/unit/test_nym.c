/*
 * Promises, for every set: a member has one pseudonym under a basename, always: whatever the random
 * source gives, after a restart, in attestations and tokens alike; another basename, member or
 * issuer gives another.  For the published sets: no two basenames, issuers or keys share an error
 * e_N, and one basename never has two: either would give e_T1 away.
 *
 * What each pseudonym of a published set is, bit by bit, is frozen in tests/vectors; the keys of
 * the one-shot sets: test_oneshot_nym.c.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../support/sets.h"
#include "../support/world.h"
#include "proof/blindsign.h"
#include "role/memory.h"
#include "wire/object.h"
#include "wire/pack.h"

enum { D = VLDAA_MAX_DEGREE };

static buffer nym_of(buffer attestation)
{
	vldaa_attestation_parts parts;
	buffer nym;

	ck_assert_int_eq(vldaa_read_attestation(&parts, attestation.data, attestation.len),
			 VLDAA_OK);
	nym = buffer_new(parts.set->scheme->size(parts.set, VLDAA_PART_NYM));
	memcpy(nym.data, parts.payload.bytes, nym.len);
	return nym;
}

/* Through the host and the TPM, with whatever the source gives next. */
static buffer create_nym(car *c, const char *basename)
{
	buffer attestation = car_create(c, basename);
	buffer nym = nym_of(attestation);

	buffer_free(&attestation);
	return nym;
}

static int same(buffer a, buffer b)
{
	return a.len == b.len && memcmp(a.data, b.data, a.len) == 0;
}

/* The TPM is switched off and on: nothing but its store is left. */
static void restart(car *c)
{
	vldaa_tpm_close(c->tpm);
	free(c->workspace);
	c->workspace = malloc(c->workspace_len);
	memset(c->workspace, 0xa5, c->workspace_len);
	ck_assert_int_eq(vldaa_tpm_open(&c->tpm, c->workspace, c->workspace_len, &c->services),
			 VLDAA_OK);
}

START_TEST(one_basename_gives_one_pseudonym_over_sources_and_restarts)
{
	world w;
	car c;
	buffer first, again, token;
	const size_t nym_at = VLDAA_OBJECT_HEADER + VLDAA_KEY_ID_BYTES + 1 + 4;

	world_init(&w, vldaa_set_at((size_t)_i), 11);
	car_init(&c, &w, 12);
	car_join(&c);
	first = create_nym(&c, "here");
	for (uint64_t i = 0; i < 4; i++) {
		if (i == 1)
			c.random = (test_random){999, 5, -1};
		if (i == 2)
			restart(&c);
		if (i == 3) { /* another pseudonym in between */
			again = create_nym(&c, "there");
			ck_assert(!same(first, again));
			buffer_free(&again);
		}
		again = create_nym(&c, "here");
		ck_assert(same(first, again));
		buffer_free(&again);
	}
	token = buffer_new(vldaa_object_max_size(w.set, VLDAA_KIND_TOKEN));
	ck_assert_int_eq(vldaa_tpm_token(c.tpm, vldaa_host_key_id(c.host), (const uint8_t *)"here",
					 4, w.fleet_key, token.data, token.len, &token.len),
			 VLDAA_OK);
	ck_assert_mem_eq(token.data + nym_at, first.data, first.len);
	buffer_free(&token);
	buffer_free(&first);
	car_free(&c);
	world_free(&w);
}
END_TEST

START_TEST(other_members_and_other_issuers_have_other_pseudonyms)
{
	world w[2];
	car c[4];
	buffer nym[4];

	for (size_t i = 0; i < 2; i++)
		world_init(&w[i], vldaa_set_at((size_t)_i), 11 + i);
	for (size_t i = 0; i < 4; i++) {
		/* the same two sources under both issuers */
		car_init(&c[i], &w[i / 2], 20 + i % 2);
		car_join(&c[i]);
		nym[i] = create_nym(&c[i], "here");
		for (size_t j = 0; j < i; j++) {
			ck_assert(!same(nym[i], nym[j]));
			ck_assert_int_eq(
			    w[0].set->scheme->linked(w[0].set, nym[i].data, nym[j].data), 0);
		}
	}
	for (size_t i = 0; i < 4; i++) {
		buffer_free(&nym[i]);
		car_free(&c[i]);
	}
	world_free(&w[0]);
	world_free(&w[1]);
}
END_TEST

/* --- the error ---------------------------------------------------------------------------------
 */

static struct {
	const vldaa_published_set *n;
	vldaa_blind_tpm tpm;
} t;

static void setup_set(int i)
{
	const uint8_t seed[VLDAA_SEED_BYTES] = {(uint8_t)i};
	const size_t size = (size_t)4 << 20;
	vldaa_arena a;
	vldaa_rng rng;

	t.n = published_set(i)->numbers;
	vldaa_arena_init(&a, vldaa_memory_new(size), size);
	vldaa_blind_tpm_layout(&t.tpm, &t.n->ring, &a);
	vldaa_rng_init(&rng, seed, t.n->id);
	ck_assert_int_eq(vldaa_member_sample(t.n, t.tpm.e, &rng), VLDAA_OK);
}

/* Of one (key id, K_T, basename): e_N, as a digest, and whose it is. */
typedef struct {
	uint8_t error[32];
	uint32_t number;
} entry;

static void compute(entry *e, uint32_t number, const uint8_t *key_id, const uint8_t *prf_key,
		    vldaa_bytes basename)
{
	const size_t d = t.n->ring.d;
	vldaa_shake s;

	ck_assert_int_eq(vldaa_blind_tpm_nym(t.n, &t.tpm, key_id, prf_key, basename), VLDAA_OK);
	ck_assert(vldaa_poly_norm2(&t.n->ring, t.tpm.e + 2 * d) <= t.n->error_bound2);
	vldaa_shake_init(&s, VLDAA_SHAKE256_RATE);
	vldaa_shake_absorb(&s, t.tpm.e + 2 * d, d * sizeof(int64_t));
	vldaa_shake_squeeze(&s, e->error, sizeof e->error);
	e->number = number;
}

static int compare(const void *a, const void *b)
{
	return memcmp(a, b, sizeof((const entry *)a)->error);
}

/*
 * Basenames that a careless encoding would confuse: all lengths of zeroes and of 0xff, prefixes,
 * numbers; then other key ids and other K_T under one basename.
 */
START_TEST(no_error_is_used_twice)
{
	static entry entries[6000];
	const uint32_t numbers = published_set(_i)->numbers == &vldaa_published_42 ? 3000 : 300;
	uint8_t key_id[VLDAA_KEY_ID_BYTES] = {0};
	uint8_t prf_key[32] = {0};
	uint32_t count = 0;

	setup_set(_i);
	for (int fill = 0; fill <= 0xff; fill += 0xff) {
		uint8_t basename[VLDAA_MAX_BASENAME];

		memset(basename, fill, sizeof basename);
		for (size_t len = 1; len <= sizeof basename; len++, count++)
			compute(&entries[count], count, key_id, prf_key,
				(vldaa_bytes){basename, len});
	}
	for (uint32_t i = 0; i < numbers; i++, count++) {
		const uint8_t basename[4] = {'#', (uint8_t)(i >> 8), (uint8_t)i, (uint8_t)(i % 3)};

		compute(&entries[count], count, key_id, prf_key, (vldaa_bytes){basename, 4});
	}
	for (size_t bit = 0; bit < 256; bit++) {
		const vldaa_bytes basename = {(const uint8_t *)"#", 1};

		key_id[bit / 8] ^= (uint8_t)(1u << (bit % 8));
		compute(&entries[count], count, key_id, prf_key, basename);
		count++;
		key_id[bit / 8] ^= (uint8_t)(1u << (bit % 8));
		prf_key[bit / 8] ^= (uint8_t)(1u << (bit % 8));
		compute(&entries[count], count, key_id, prf_key, basename);
		count++;
		prf_key[bit / 8] ^= (uint8_t)(1u << (bit % 8));
	}
	qsort(entries, count, sizeof entries[0], compare);
	for (uint32_t i = 1; i < count; i++)
		ck_assert_msg(compare(&entries[i - 1], &entries[i]) != 0,
			      "numbers %u and %u share an error", entries[i - 1].number,
			      entries[i].number);
}
END_TEST

/* A second error for one basename is as bad: nothing but these inputs changes it. */
START_TEST(one_basename_has_one_error_whatever_the_workspace_holds)
{
	const uint8_t key_id[VLDAA_KEY_ID_BYTES] = {1};
	const uint8_t prf_key[32] = {2};
	const vldaa_bytes basename = {(const uint8_t *)"here", 4};
	int64_t e_t[2 * D], nym[D];
	entry first, again;

	setup_set(_i);
	const size_t d = t.n->ring.d;
	compute(&first, 0, key_id, prf_key, basename);
	memcpy(nym, t.tpm.nym, d * sizeof *nym);
	memcpy(e_t, t.tpm.e, 2 * d * sizeof *e_t);
	for (int i = 0; i < 20; i++) {
		const uint8_t other[2] = {(uint8_t)i, 0};

		compute(&again, 0, key_id, prf_key, (vldaa_bytes){other, 1 + (size_t)i % 2});
		ck_assert_int_ne(compare(&first, &again), 0);
		memset(t.tpm.poly, 0x11 * i, d * sizeof *t.tpm.poly);
		memset(t.tpm.nym, 0x11 * i, d * sizeof *t.tpm.nym);
		memset(t.tpm.hat, i, d * sizeof *t.tpm.hat);
		compute(&again, 0, key_id, prf_key, basename);
		ck_assert_int_eq(compare(&first, &again), 0);
		ck_assert_mem_eq(nym, t.tpm.nym, d * sizeof *nym);
		ck_assert_mem_eq(e_t, t.tpm.e, 2 * d * sizeof *e_t);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("pseudonyms");
	TCase *tc = tcase_create("determinism");
	SRunner *sr = srunner_create(s);
	const int published = published_sets();
	int sets = 0;

	while (vldaa_set_at((size_t)sets))
		sets++;
	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, one_basename_gives_one_pseudonym_over_sources_and_restarts, 0,
			    sets);
	tcase_add_loop_test(tc, other_members_and_other_issuers_have_other_pseudonyms, 0, sets);
	tcase_add_loop_test(tc, no_error_is_used_twice, 0, published);
	tcase_add_loop_test(tc, one_basename_has_one_error_whatever_the_workspace_holds, 0,
			    published);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
