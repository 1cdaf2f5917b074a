/*
 * Promises, for the one-shot sets: a group's public elements are the documented streams of its key;
 * a member's key is short, its public key is u_T = D s + e_T, with a short carry; a credential makes
 *
 *   v_1 + h v_2 = u + b_x X + D s   (mod p)                                                  (C)
 *
 * true for a (v_1, v_2) and a carry within the bounds of what attestations prove, and so does every
 * further one that the member gets for the same key.
 *
 * Everything is computed a second time from the formulas: over the integers, and by FLINT modulo p.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../support/oneshot_member.h"
#include "../support/oneshot_slow.h"
#include "../support/oracle.h"
#include "../support/planted.h"
#include "../support/sets.h"

enum { P = 12289 };

/* The numbers of the documentation. */
static const struct {
	uint64_t s2, e2, carry_join2;    /* ||s||^2, ||e_T||^2, ||k_J||^2 */
	uint64_t beta2, carry2;          /* ||(v_1, v_2)||^2, ||k_c||^2 */
	uint64_t accept2, carry_accept2; /* the same of v' = v_1 + e_T and k' */
} bounds[2] = {{2400, 1300, UINT64_C(480) * 480, 34034726, UINT64_C(30000) * 30000, 33604384,
		UINT64_C(29500) * 29500},
	       {4050, 2500, UINT64_C(900) * 900, 70265242, UINT64_C(60000) * 60000, 69412834,
		UINT64_C(59000) * 59000}};

/* One world; each test runs in its own process. */
static struct {
	world w;
	const vldaa_oneshot_set *n;
	int64_t h[PLANTED_N], u[PLANTED_N], bx[PLANTED_N], d0[PLANTED_N], d1[PLANTED_N];
} t;

/* The public elements from the group key's bytes: header | authority's digest | seed | h. */
static void setup_set(int i)
{
	const uint8_t *payload;
	int64_t *const streams[4] = {t.u, t.bx, t.d0, t.d1};

	world_init(&t.w, oneshot_set(i), 51);
	t.n = vldaa_oneshot_numbers(t.w.set);
	payload = t.w.group_key.data + VLDAA_OBJECT_HEADER + VLDAA_DIGEST_BYTES;
	ck_assert_uint_eq(t.w.group_key.len,
			  VLDAA_OBJECT_HEADER + VLDAA_DIGEST_BYTES + 32 + 14 * t.n->N / 8);
	for (size_t j = 0; j < t.n->N; j++)
		t.h[j] = planted_centred((int64_t)packed_field(payload + 32, 14, j), P);
	for (uint32_t which = 1; which <= 4; which++)
		slow_public(t.n, which, payload, streams[which - 1]);
}

START_TEST(public_elements_are_the_documented_streams)
{
	const vldaa_os_group *g;

	setup_set(_i);
	g = oneshot_group_of(&t.w);
	ck_assert_mem_eq(g->h, t.h, t.n->N * sizeof *t.h);
	ck_assert_mem_eq(g->u, t.u, t.n->N * sizeof *t.u);
	ck_assert_mem_eq(g->bx, t.bx, t.n->N * sizeof *t.bx);
	ck_assert_mem_eq(g->d0, t.d0, t.n->N * sizeof *t.d0);
	ck_assert_mem_eq(g->d1, t.d1, t.n->N * sizeof *t.d1);
	world_free(&t.w);
}
END_TEST

/* out = a / p, exactly. */
static void divide(int64_t *out, const int64_t *a)
{
	for (size_t i = 0; i < t.n->N; i++) {
		ck_assert_int_eq(a[i] % P, 0);
		out[i] = a[i] / P;
	}
}

/* u_T of the member, as the TPM says it. */
static void public_key(car *c, int64_t *u_t)
{
	uint8_t bytes[4096];
	size_t len;

	ck_assert_int_eq(
	    vldaa_tpm_public_key(c->tpm, vldaa_host_key_id(c->host), bytes, sizeof bytes, &len),
	    VLDAA_OK);
	ck_assert_uint_eq(len, 14 * t.n->N / 8);
	for (size_t i = 0; i < t.n->N; i++)
		u_t[i] = planted_centred((int64_t)packed_field(bytes, 14, i), P);
}

START_TEST(a_members_key_is_short_and_its_public_key_is_ds_plus_e)
{
	static oneshot_member m, last;
	static int64_t ds[PLANTED_N], u_t[PLANTED_N], carry[PLANTED_N];

	setup_set(_i);
	for (uint64_t label = 0; label < 5; label++) {
		car c;

		car_init(&c, &t.w, 60 + label);
		oneshot_member_read(&m, &c);
		public_key(&c, u_t);
		for (size_t i = 0; i < (size_t)t.n->mldsa->l * VLDAA_MLDSA_N; i++)
			ck_assert(m.s[i] >= -2 && m.s[i] <= 2);
		for (size_t i = 0; i < t.n->N; i++)
			ck_assert(m.e_t[i] >= -2 && m.e_t[i] <= 2);
		ck_assert_uint_le(planted_norm2(m.s, MEMBER_S), bounds[_i].s2);
		ck_assert_uint_le(planted_norm2(m.e_t, t.n->N), bounds[_i].e2);
		slow_times_d(t.n, ds, t.d0, t.d1, m.s);
		for (size_t i = 0; i < t.n->N; i++) {
			ds[i] += m.e_t[i];
			ck_assert_int_eq(u_t[i], planted_centred(ds[i], P));
			ds[i] -= u_t[i];
		}
		divide(carry, ds);
		ck_assert_uint_le(planted_norm2(carry, t.n->N), bounds[_i].carry_join2);
		/* a key is neither nothing nor another member's */
		ck_assert_uint_gt(planted_norm2(m.s, MEMBER_S), bounds[_i].s2 * 3 / 4);
		ck_assert_uint_gt(planted_norm2(m.e_t, t.n->N), bounds[_i].e2 * 2 / 3);
		ck_assert_mem_ne(m.s, last.s, sizeof m.s);
		ck_assert_mem_ne(m.prf_key, last.prf_key, sizeof m.prf_key);
		last = m;
		car_free(&c);
	}
	world_free(&t.w);
}
END_TEST

/* v = centred(target - h v_2); the carry (v + h v_2 - target) / p: both norms within these. */
static void check_equation(const int64_t *target, const int64_t *v2, int64_t *v, uint64_t norm2,
			   uint64_t carry2)
{
	static int64_t hv[PLANTED_N], carry[PLANTED_N], residue[PLANTED_N];
	const vldaa_ring r = {.d = t.n->N, .q = P};

	planted_times(t.n->N, hv, t.h, v2);
	oracle_mul(&r, residue, t.h, v2);
	for (size_t i = 0; i < t.n->N; i++) {
		v[i] = planted_centred(target[i] - hv[i], P);
		ck_assert_int_eq(v[i], planted_centred(target[i] - residue[i], P));
		carry[i] = v[i] + hv[i] - target[i];
	}
	divide(carry, carry);
	ck_assert_uint_le(planted_norm2(v, t.n->N) + planted_norm2(v2, t.n->N), norm2);
	ck_assert_uint_le(planted_norm2(carry, t.n->N), carry2);
}

static void join(car *c, uint8_t number)
{
	buffer request = car_request(c, (const uint8_t[32]){number});
	buffer answer = world_answer(&t.w, request);

	buffer_free(&c->credential);
	car_accept(c, answer);
	buffer_free(&request);
	buffer_free(&answer);
}

START_TEST(every_credential_satisfies_its_equation_within_the_bounds)
{
	static oneshot_member m, last;
	static int64_t target[PLANTED_N], ds[PLANTED_N], bx[PLANTED_N], u_t[PLANTED_N];
	static int64_t v[PLANTED_N], issued[PLANTED_N];
	car c;

	setup_set(_i);
	car_init(&c, &t.w, 60);
	public_key(&c, u_t);
	for (uint8_t i = 0; i < 4; i++) {
		join(&c, i);
		oneshot_member_read(&m, &c);
		ck_assert_int_eq(m.joined, 1);
		slow_times_bx(t.n, bx, t.bx, m.credential.x);
		/* what issuer and member accept: for u_T */
		for (size_t j = 0; j < t.n->N; j++)
			target[j] = t.u[j] + bx[j] + u_t[j];
		check_equation(target, m.credential.v2, issued, bounds[_i].accept2,
			       bounds[_i].carry_accept2);
		/* (C): for D s */
		slow_times_d(t.n, ds, t.d0, t.d1, m.s);
		for (size_t j = 0; j < t.n->N; j++)
			target[j] = t.u[j] + bx[j] + ds[j];
		check_equation(target, m.credential.v2, v, bounds[_i].beta2, bounds[_i].carry2);
		/* which differ by e_T */
		for (size_t j = 0; j < t.n->N; j++)
			ck_assert_int_eq(planted_centred(issued[j] - v[j] - m.e_t[j], P), 0);
		/* both halves are about as long as the sampler makes them */
		for (int half = 0; half < 2; half++) {
			const double norm2 =
			    (double)planted_norm2(half ? m.credential.v2 : v, t.n->N);
			const double due = t.n->N * t.n->sigma * t.n->sigma;

			ck_assert_double_gt(norm2, 0.7 * due);
			ck_assert_double_lt(norm2, 1.3 * due);
		}
		/* another x, another preimage; the same key */
		ck_assert_mem_ne(m.credential.x, last.credential.x, sizeof m.credential.x);
		ck_assert_mem_ne(m.credential.v2, last.credential.v2, sizeof m.credential.v2);
		if (i > 0)
			ck_assert_mem_eq(m.s, last.s, sizeof m.s);
		last = m;
	}
	car_free(&c);
	world_free(&t.w);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("credentials, one-shot sets");
	TCase *tc = tcase_create("equations");
	SRunner *sr = srunner_create(s);
	const int sets = oneshot_sets();

	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, public_elements_are_the_documented_streams, 0, sets);
	tcase_add_loop_test(tc, a_members_key_is_short_and_its_public_key_is_ds_plus_e, 0, sets);
	tcase_add_loop_test(tc, every_credential_satisfies_its_equation_within_the_bounds, 0, sets);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
