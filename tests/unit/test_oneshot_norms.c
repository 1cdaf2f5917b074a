/*
 * Promises, for the one-shot sets: what is exactly as long as its bound is let through, what is one
 * longer is not: a member's key, a credential's (v', v_2) and its carry.
 *
 * Distances of pseudonyms and keys: test_oneshot_link.c; responses of the proof:
 * test_oneshot_bytes.c; of message signatures: test_mldsa_strict.c.
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

enum { P = 12289, N = VLDAA_MLDSA_N };

/* The squared bounds of the documentation. */
static const struct {
	uint64_t s, e_t, credential, carry;
} bounds[2] = {{2400, 1300, 33604384, UINT64_C(29500) * 29500},
	       {4050, 2500, 69412834, UINT64_C(59000) * 59000}};

static const uint8_t key_id[VLDAA_KEY_ID_BYTES] = {7};

/* A group whose h is random: nobody has its key.  Each test runs in its own process. */
static struct {
	const vldaa_set *set;
	const vldaa_oneshot_set *n;
	uint8_t payload[4096];
	vldaa_os_group *group;
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

/* As a member's key has it: fields of 3 bits, from -2 to 2, of this squared norm. */
static void put_short(uint8_t *bytes, size_t count, uint64_t norm2)
{
	int64_t s[MEMBER_S];

	for (size_t i = 0; i < count; i++)
		s[i] = (int64_t)(number(i) % 5) - 2;
	planted_fit(s, count, 2, norm2);
	ck_assert_uint_eq(planted_norm2(s, count), norm2);
	for (size_t i = 0; i < count; i++)
		packed_field_set(bytes, 3, i, (uint64_t)(s[i] + 2));
}

static void setup_set(int i)
{
	t.set = oneshot_set(i);
	t.n = vldaa_oneshot_numbers(t.set);
	t.group = vldaa_memory_new(t.set->scheme->size(t.set, VLDAA_PART_GROUP_CONTEXT));
	for (size_t j = 0; j < t.n->N; j++)
		packed_field_set(t.payload + 32, 14, j, number(j) % P);
	ck_assert_int_eq(t.set->scheme->group_init(t.group, t.set, t.payload, key_id), VLDAA_OK);
}

static void finish_set(void)
{
	vldaa_memory_free(t.group, t.set->scheme->size(t.set, VLDAA_PART_GROUP_CONTEXT));
}

/* --- keys --------------------------------------------------------------------------------------
 */

START_TEST(a_members_key_is_held_to_both_of_its_norms)
{
	static uint8_t secret[8192];

	setup_set(_i);
	const size_t count = (size_t)t.n->mldsa->l * N;
	const vldaa_tpm_key key = {t.set, key_id, t.payload, secret, {NULL, 0}};
	const size_t size = vldaa_os_place_tpm(t.n, NULL);
	vldaa_os_tpm *tpm = vldaa_memory_new(size);
	const uint8_t *prf_key;

	for (uint64_t over = 0; over < 4; over++) {
		put_short(secret, count, bounds[_i].s + over % 2);
		put_short(secret + count * 3 / 8, t.n->N, bounds[_i].e_t + over / 2);
		ck_assert_int_eq(vldaa_os_load_tpm(&key, tpm, &prf_key),
				 over ? VLDAA_ERR_STORE : VLDAA_OK);
	}
	vldaa_memory_free(tpm, size);
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
	Suite *s = suite_create("norms, one-shot sets");
	TCase *tc = tcase_create("bounds");
	SRunner *sr = srunner_create(s);
	const int sets = oneshot_sets();

	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, a_members_key_is_held_to_both_of_its_norms, 0, sets);
	tcase_add_loop_test(tc, a_credential_is_accepted_up_to_its_norm, 0, sets);
	tcase_add_loop_test(tc, a_credential_is_accepted_up_to_its_carry, 0, sets);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
