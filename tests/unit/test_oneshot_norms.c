/*
 * Promises, for the one-shot sets: what is exactly as long as its bound is let through, what is one
 * longer is not: a member's key and a rogue list's entry, a credential's (v', v_2) and carry, the
 * distances of two pseudonyms (Link), of a pseudonym or a member's public key and a rogue key, and
 * of two members' public keys.  Distances are between residues: they wrap.
 *
 * Responses of the proof: test_oneshot_bytes.c; of message signatures: test_mldsa_strict.c.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../support/oneshot_member.h"
#include "../support/oneshot_oracle.h"
#include "../support/oneshot_slow.h"
#include "../support/oracle.h"
#include "../support/sets.h"
#include "role/memory.h"
#include "scheme/oneshot_verifier.h"

enum {
	P = 12289,
	Q1 = VLDAA_MLDSA_Q,
	N = VLDAA_MLDSA_N,
	S_BYTES = MEMBER_S * 7 / 8,
	KEY_MAX = 2,
	ENTRY_MAX = 63
};

/* The squared bounds of the documentation. */
static const struct {
	uint64_t s, e_t, link, rogue, near, credential, carry;
} bounds[2] = {{2400, 1300, 2400, 600, 5200, 33604384, UINT64_C(29500) * 29500},
	       {4050, 2500, 4800, 1200, 10000, 69412834, UINT64_C(59000) * 59000}};

static const uint8_t key_id[VLDAA_KEY_ID_BYTES] = {7};
static const vldaa_bytes basename = {(const uint8_t *)"here", 4};

/* A group whose h is random: nobody has its key.  Each test runs in its own process. */
static struct {
	const vldaa_set *set;
	const vldaa_oneshot_set *n;
	uint8_t payload[4096];
	vldaa_os_group *group;
	vldaa_os_workspace *workspace;
	uint8_t entry[S_BYTES]; /* a rogue key, and the same as integers */
	int64_t s[MEMBER_S];
} t;

/* Eight bytes of a hash of i. */
static uint64_t number(size_t i)
{
	const uint8_t text[2] = {(uint8_t)(i >> 8), (uint8_t)i};
	uint8_t bytes[8];
	uint64_t x = 0;

	oracle_shake(256, text, sizeof text, bytes, sizeof bytes);
	for (size_t k = 0; k < sizeof bytes; k++)
		x = x << 8 | bytes[k];
	return x;
}

/* Fields from -max to max of this squared norm, as members' keys (3 bits) and entries (7) have it. */
static void put_short(uint8_t *bytes, int64_t max, int64_t *s, size_t count, uint64_t norm2)
{
	for (size_t i = 0; i < count; i++)
		s[i] = (int64_t)(number(i) % 5) - 2;
	planted_fit(s, count, 2, norm2);
	ck_assert_uint_eq(planted_norm2(s, count), norm2);
	for (size_t i = 0; i < count; i++)
		packed_field_set(bytes, max == KEY_MAX ? 3 : 7, i, (uint64_t)(s[i] + max));
}

static void setup_set(int i)
{
	t.set = oneshot_set(i);
	t.n = vldaa_oneshot_numbers(t.set);
	t.group = vldaa_memory_new(t.set->scheme->size(t.set, VLDAA_PART_GROUP_CONTEXT));
	t.workspace = vldaa_memory_new(t.set->scheme->size(t.set, VLDAA_PART_VERIFY_WORKSPACE));
	for (size_t j = 0; j < t.n->N; j++)
		packed_field_set(t.payload + 32, 14, j, number(j) % P);
	ck_assert_int_eq(t.set->scheme->group_init(t.group, t.set, t.payload, key_id), VLDAA_OK);
	put_short(t.entry, ENTRY_MAX, t.s, (size_t)t.n->mldsa->l * N, bounds[i].s);
}

static void finish_set(void)
{
	vldaa_memory_free(t.group, t.set->scheme->size(t.set, VLDAA_PART_GROUP_CONTEXT));
	vldaa_memory_free(t.workspace, t.set->scheme->size(t.set, VLDAA_PART_VERIFY_WORKSPACE));
}

/* --- keys --------------------------------------------------------------------------------------
 */

START_TEST(a_rogue_entry_is_a_key_of_at_most_its_norm)
{
	setup_set(_i);
	const size_t count = (size_t)t.n->mldsa->l * N;

	ck_assert_int_eq(t.set->scheme->rogue_check(t.set, t.entry), VLDAA_OK);
	put_short(t.entry, ENTRY_MAX, t.s, count, bounds[_i].s + 1);
	ck_assert_int_eq(t.set->scheme->rogue_check(t.set, t.entry), VLDAA_ERR_NORM);
	/* 7 bits can say 64 */
	put_short(t.entry, ENTRY_MAX, t.s, count, bounds[_i].s);
	for (size_t place = 0; place < count; place += count - 1) {
		const uint64_t before = packed_field(t.entry, 7, place);

		packed_field_set(t.entry, 7, place, 127);
		ck_assert_int_eq(t.set->scheme->rogue_check(t.set, t.entry), VLDAA_ERR_RANGE);
		packed_field_set(t.entry, 7, place, before);
	}
	ck_assert_int_eq(t.set->scheme->rogue_check(t.set, t.entry), VLDAA_OK);
	finish_set();
}
END_TEST

START_TEST(a_members_key_is_held_to_both_of_its_norms)
{
	static uint8_t secret[8192];
	static int64_t e[PLANTED_N];

	setup_set(_i);
	const size_t count = (size_t)t.n->mldsa->l * N;
	const vldaa_tpm_key key = {t.set, key_id, t.payload, secret, {NULL, 0}};
	const size_t size = vldaa_os_place_tpm(t.n, NULL);
	vldaa_os_tpm *tpm = vldaa_memory_new(size);
	const uint8_t *prf_key;

	for (uint64_t over = 0; over < 4; over++) {
		put_short(secret, KEY_MAX, t.s, count, bounds[_i].s + over % 2);
		put_short(secret + count * 3 / 8, KEY_MAX, e, t.n->N, bounds[_i].e_t + over / 2);
		ck_assert_int_eq(vldaa_os_load_tpm(&key, tpm, &prf_key),
				 over ? VLDAA_ERR_NORM : VLDAA_OK);
	}
	vldaa_memory_free(tpm, size);
	finish_set();
}
END_TEST

/* --- distances ---------------------------------------------------------------------------------
 */

/* n residues modulo m, `count` of them `bits` wide, moved by d. */
static void move(uint8_t *bytes, uint32_t bits, size_t count, int64_t m, const int64_t *d)
{
	for (size_t i = 0; i < count; i++) {
		const int64_t x = (int64_t)packed_field(bytes, bits, i) + d[i];

		packed_field_set(bytes, bits, i, (uint64_t)(x < 0 ? x + m : x % m));
	}
}

/* Short integers with this squared norm, both signs, up to 5: in the first, the last and between. */
static void distance(int64_t *d, size_t count, uint64_t norm2)
{
	for (size_t i = 0; i < count; i++)
		d[i] = (int64_t)(number(1000 + i) % 3) - 1;
	planted_fit(d, count, 5, norm2);
	ck_assert_uint_eq(planted_norm2(d, count), norm2);
}

START_TEST(two_pseudonyms_are_linked_up_to_their_distance)
{
	uint8_t a[4096] = {0}, b[4096];
	int64_t d[2 * N];

	setup_set(_i);
	const size_t count = (size_t)t.n->rows * N;

	/* zeroes, ones and q1 - 1 beside each other: half of the moves wrap */
	for (size_t i = 0; i < count; i++)
		packed_field_set(a, 23, i, i % 3 == 2 ? Q1 - 1 : i % 3);
	for (uint64_t over = 0; over < 2; over++) {
		memcpy(b, a, sizeof b);
		distance(d, count, bounds[_i].link + over);
		move(b, 23, count, Q1, d);
		ck_assert_int_eq(t.set->scheme->linked(t.set, a, b), !over);
		ck_assert_int_eq(t.set->scheme->linked(t.set, b, a), !over);
		/* the other rows do not count */
		memset(b + count * 23 / 8, 0xff, vldaa_os_nym_size(t.n) - count * 23 / 8);
		ck_assert_int_eq(t.set->scheme->linked(t.set, a, b), !over);
	}
	/* half of q1 away */
	packed_field_set(b, 23, 0, Q1 / 2);
	ck_assert_int_eq(t.set->scheme->linked(t.set, a, b), 0);
	for (size_t i = 0; i < count; i += count - 1) {
		memcpy(b, a, sizeof b);
		packed_field_set(b, 23, i, Q1);
		ck_assert_int_eq(t.set->scheme->linked(t.set, a, b), VLDAA_ERR_RANGE);
		ck_assert_int_eq(t.set->scheme->linked(t.set, b, a), VLDAA_ERR_RANGE);
	}
	finish_set();
}
END_TEST

/* The nym of the rogue key's A s + d. */
static void nym_at(uint8_t *nym, const int64_t *d)
{
	const slow_nym y = {t.n, NULL, key_id, basename};
	const vldaa_ring r = slow_mldsa_ring();
	int64_t a[N], row[N];
	uint8_t rho[32];

	slow_rho(&y, rho);
	for (uint32_t i = 0; i < t.n->rows; i++) {
		memcpy(row, d + i * N, sizeof row);
		for (uint32_t j = 0; j < t.n->mldsa->l; j++) {
			slow_matrix_entry(rho, i, j, a);
			oracle_mul_add(&r, row, 1, a, t.s + j * N);
		}
		for (size_t c = 0; c < N; c++)
			packed_field_set(nym + i * N * 23 / 8, 23, c,
					 (uint64_t)(row[c] < 0 ? row[c] + Q1 : row[c]));
	}
}

START_TEST(a_pseudonym_is_a_rogues_up_to_its_distance)
{
	uint8_t nym[4096] = {0};
	int64_t d[2 * N];

	setup_set(_i);
	const size_t size = vldaa_os_place_pseudonym(t.n, NULL);
	void *pseudonym = vldaa_memory_new(size);

	for (uint64_t over = 0; over < 2; over++) {
		distance(d, (size_t)t.n->rows * N, bounds[_i].rogue + over);
		nym_at(nym, d);
		ck_assert_int_eq(
		    t.set->scheme->nym_init(t.group, t.workspace, basename, nym, pseudonym),
		    VLDAA_OK);
		ck_assert_int_eq(t.set->scheme->rogue_nym(t.group, t.workspace, pseudonym, t.entry),
				 !over);
	}
	vldaa_memory_free(pseudonym, size);
	finish_set();
}
END_TEST

START_TEST(a_members_public_key_is_a_rogues_up_to_its_distance)
{
	static int64_t ds[PLANTED_N], d[PLANTED_N];
	uint8_t u_t[4096] = {0};

	setup_set(_i);
	slow_times_d(t.n, ds, t.group->d0, t.group->d1, t.s);
	for (uint64_t over = 0; over < 2; over++) {
		distance(d, t.n->N, bounds[_i].e_t + over);
		for (size_t i = 0; i < t.n->N; i++) {
			const int64_t x = planted_centred(ds[i] + d[i], P);

			packed_field_set(u_t, 14, i, (uint64_t)(x < 0 ? x + P : x));
		}
		ck_assert_int_eq(t.set->scheme->rogue_member(t.group, t.workspace, u_t, t.entry),
				 !over);
	}
	packed_field_set(u_t, 14, t.n->N - 1, P);
	ck_assert_int_eq(t.set->scheme->rogue_member(t.group, t.workspace, u_t, t.entry),
			 VLDAA_ERR_RANGE);
	finish_set();
}
END_TEST

START_TEST(two_members_are_near_up_to_their_distance)
{
	static int64_t d[PLANTED_N];
	uint8_t a[4096] = {0}, b[4096];

	setup_set(_i);
	for (size_t i = 0; i < t.n->N; i++)
		packed_field_set(a, 14, i, i % 3 == 2 ? P - 1 : i % 3);
	for (uint64_t over = 0; over < 2; over++) {
		memcpy(b, a, sizeof b);
		distance(d, t.n->N, bounds[_i].near + over);
		move(b, 14, t.n->N, P, d);
		ck_assert_int_eq(t.set->scheme->member_near(t.set, a, b), !over);
		ck_assert_int_eq(t.set->scheme->member_near(t.set, b, a), !over);
	}
	packed_field_set(b, 14, 0, P);
	ck_assert_int_eq(t.set->scheme->member_near(t.set, a, b), VLDAA_ERR_RANGE);
	ck_assert_int_eq(t.set->scheme->member_near(t.set, b, a), VLDAA_ERR_RANGE);
	finish_set();
}
END_TEST

/* --- the credential ----------------------------------------------------------------------------
 */

static vldaa_os_credential credential;
static int64_t v[PLANTED_N], carry[PLANTED_N];

/* The library's decision about (x, v_2), for the u_T that makes v' = v; the carry is computed. */
static int check_credential(void)
{
	static int64_t target[PLANTED_N], hv[PLANTED_N], u_t[PLANTED_N], scratch[3 * PLANTED_N];
	static uint32_t hat[VLDAA_MAX_PRIMES * PLANTED_N];

	planted_times(t.n->N, hv, t.group->h, credential.v2);
	slow_times_bx(t.n, target, t.group->bx, credential.x);
	for (size_t i = 0; i < t.n->N; i++) {
		target[i] += t.group->u[i];
		u_t[i] = planted_centred(v[i] + hv[i] - target[i], P);
		carry[i] = (v[i] + hv[i] - target[i] - u_t[i]) / P;
	}
	return vldaa_os_credential_check(t.group, u_t, &credential, hat, scratch);
}

/* (v', v_2) with this squared norm in all; v_2 has about `share` of 100 of it. */
static void draw_credential(uint64_t norm2, uint64_t share)
{
	const int64_t width =
	    t.n->N == 512 ? 400 : 420; /* uniform: norm2 in all, and a little more */
	uint64_t part;

	for (size_t i = 0; i < t.n->N; i++) {
		v[i] = (int64_t)(number(2000 + i) % (2 * (uint64_t)width + 1)) - width;
		credential.v2[i] = (int64_t)(number(9000 + i) % (2 * (uint64_t)width + 1)) - width;
	}
	planted_fit(credential.v2, t.n->N, width, norm2 * share / 100);
	part = planted_norm2(credential.v2, t.n->N);
	planted_fit(v, t.n->N, width, norm2 - part);
	ck_assert_uint_eq(part + planted_norm2(v, t.n->N), norm2);
}

START_TEST(a_credential_is_accepted_up_to_its_norm)
{
	setup_set(_i);
	oracle_shake(256, key_id, 1, credential.x, sizeof credential.x);
	for (uint64_t over = 0; over < 2; over++) {
		for (uint64_t share = 30; share <= 50; share += 10) {
			draw_credential(bounds[_i].credential + over, share);
			ck_assert_int_eq(check_credential(),
					 over ? VLDAA_ERR_CREDENTIAL : VLDAA_OK);
			ck_assert_uint_le(planted_norm2(carry, t.n->N), bounds[_i].carry);
		}
	}
	finish_set();
}
END_TEST

/*
 * The carry grows with v_2: one of nearly the whole norm has too long a carry.  From there v_2 is
 * shortened entry by entry, until the carry is within its bound.
 */
START_TEST(a_credential_is_accepted_up_to_its_carry)
{
	int accepted = 0, refused = 0;
	uint64_t refused2 = UINT64_MAX, accepted2 = 0;

	setup_set(_i);
	oracle_shake(256, key_id, 1, credential.x, sizeof credential.x);
	draw_credential(bounds[_i].credential - 1000, 99);
	for (size_t i = 0; i < t.n->N && accepted < 5; i++) {
		const int result = check_credential();
		const uint64_t carry2 = planted_norm2(carry, t.n->N);

		ck_assert_int_eq(result,
				 carry2 <= bounds[_i].carry ? VLDAA_OK : VLDAA_ERR_CREDENTIAL);
		if (result == VLDAA_OK) {
			accepted++;
			accepted2 = carry2 > accepted2 ? carry2 : accepted2;
		} else {
			refused++;
			refused2 = carry2 < refused2 ? carry2 : refused2;
		}
		credential.v2[i] = 0;
	}
	ck_assert_int_gt(accepted, 0);
	ck_assert_int_gt(refused, 0);
	ck_assert_uint_le(accepted2, bounds[_i].carry);
	ck_assert_uint_gt(refused2, bounds[_i].carry);
	finish_set();
}
END_TEST

int main(void)
{
	Suite *s = suite_create("norms and distances, one-shot sets");
	TCase *tc = tcase_create("bounds");
	SRunner *sr = srunner_create(s);
	const int sets = oneshot_sets();

	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, a_rogue_entry_is_a_key_of_at_most_its_norm, 0, sets);
	tcase_add_loop_test(tc, a_members_key_is_held_to_both_of_its_norms, 0, sets);
	tcase_add_loop_test(tc, two_pseudonyms_are_linked_up_to_their_distance, 0, sets);
	tcase_add_loop_test(tc, a_pseudonym_is_a_rogues_up_to_its_distance, 0, sets);
	tcase_add_loop_test(tc, a_members_public_key_is_a_rogues_up_to_its_distance, 0, sets);
	tcase_add_loop_test(tc, two_members_are_near_up_to_their_distance, 0, sets);
	tcase_add_loop_test(tc, a_credential_is_accepted_up_to_its_norm, 0, sets);
	tcase_add_loop_test(tc, a_credential_is_accepted_up_to_its_carry, 0, sets);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
