/*
 * Promises, for the one-shot sets: a pseudonym's key is a function of member, group and basename
 * alone, the documented one: rho, K and s2 are hashes, t = A s + s2, and rho || t1 is the ML-DSA
 * public key that FIPS 204 makes of rho, K, s, s2; messages verify under it and nothing else.  No
 * two basenames, groups or members share s2 or K.  s2 is never longer than its bounds: a draw that
 * is longer is drawn again.
 *
 * Everything is computed a second time from the formulas, by libcrypto's SHAKE and FLINT.  That
 * attestations and tokens show this pseudonym, also after a restart: test_nym.c.
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

enum { N = VLDAA_MLDSA_N };

/* A TPM key of the test's own; each test runs in its own process. */
static struct {
	const vldaa_set *set;
	const vldaa_oneshot_set *n;
	uint8_t secret[8192];
	uint8_t key_id[VLDAA_KEY_ID_BYTES];
	int64_t s[MEMBER_S];
	vldaa_tpm_key key;
	vldaa_os_tpm *tpm; /* the workspace */
} t;

static uint8_t *prf_key(void)
{
	return t.secret + vldaa_os_secret_size(t.n) - VLDAA_OS_PRF_BYTES;
}

static void setup_set(int i)
{
	t.set = oneshot_set(i);
	t.n = vldaa_oneshot_numbers(t.set);
	t.key = (vldaa_tpm_key){t.set, t.key_id, NULL, t.secret, {NULL, 0}};
	t.tpm = vldaa_memory_new(vldaa_os_place_tpm(t.n, NULL));
	ck_assert_uint_le(vldaa_os_secret_size(t.n), sizeof t.secret);
	for (size_t j = 0; j < (size_t)t.n->mldsa->l * N; j++) {
		t.s[j] = (int64_t)(j * j % 7 % 5) - 2;
		packed_field_set(t.secret, 3, j, (uint64_t)(t.s[j] + 2));
	}
	for (size_t j = 0; j < t.n->N; j++) /* e_T = 0 */
		packed_field_set(t.secret + t.n->mldsa->l * N * 3 / 8, 3, j, 2);
	memset(prf_key(), 7, VLDAA_OS_PRF_BYTES);
	memset(t.key_id, 8, sizeof t.key_id);
}

static void finish_set(void)
{
	vldaa_memory_free(t.tpm, vldaa_os_place_tpm(t.n, NULL));
}

static slow_nym slow(vldaa_bytes basename)
{
	return (slow_nym){t.n, prf_key(), t.key_id, basename};
}

/* As an operation of the TPM begins: the key from its record, the pseudonym from the basename. */
static void load(vldaa_bytes basename)
{
	const uint8_t *k;

	ck_assert_int_eq(vldaa_os_load_tpm(&t.key, t.tpm, &k), VLDAA_OK);
	ck_assert_int_eq(vldaa_os_load_nym(&t.key, t.tpm, k, basename), VLDAA_OK);
}

static vldaa_bytes text(const char *basename)
{
	return (vldaa_bytes){(const uint8_t *)basename, strlen(basename)};
}

static vldaa_bytes numbered(uint8_t basename[5], uint32_t i)
{
	basename[0] = '#';
	for (int k = 0; k < 4; k++)
		basename[1 + k] = (uint8_t)(i >> 8 * k);
	return (vldaa_bytes){basename, 5};
}

/* --- one key -----------------------------------------------------------------------------------
 */

/* In [0, q1). */
static int64_t positive(int64_t x)
{
	return x < 0 ? x + VLDAA_MLDSA_Q : x;
}

/* t, from everything's formulas: k polynomials in [0, q1). */
static void slow_t(const slow_nym *y, int64_t *out)
{
	static int64_t s2[VLDAA_MLDSA_MAX_K * N];
	const vldaa_ring r = slow_mldsa_ring();
	int64_t a[N];
	uint8_t rho[32];

	slow_rho(y, rho);
	(void)slow_s2(y, s2);
	for (uint32_t i = 0; i < t.n->mldsa->k; i++, out += N) {
		memcpy(out, s2 + i * N, N * sizeof *out);
		for (uint32_t j = 0; j < t.n->mldsa->l; j++) {
			slow_matrix_entry(rho, i, j, a);
			if (i < t.n->rows)
				ck_assert_mem_eq(a, t.tpm->nym.a_rows + (i * t.n->mldsa->l + j) * N,
						 sizeof a);
			oracle_mul_add(&r, out, 1, a, t.s + j * N);
		}
		for (size_t c = 0; c < N; c++)
			out[c] = positive(out[c]);
	}
}

START_TEST(t_is_a_s_plus_s2_and_the_public_key_is_rho_and_its_high_part)
{
	static int64_t expected[VLDAA_MLDSA_MAX_K * N];
	static vldaa_mldsa_private again;
	uint8_t public_key[VLDAA_MLDSA_MAX_PUBLIC], tr[VLDAA_MLDSA_TR_BYTES];
	const vldaa_bytes basename = text("platoon 7");
	const uint8_t *t1;
	size_t at = 0;

	setup_set(_i);
	load(basename);
	const slow_nym y = slow(basename);
	vldaa_os_rows_of_a(t.n, t.tpm->nym.a_rows, t.tpm->mldsa->key.a);
	slow_t(&y, expected);
	for (uint32_t i = 0; i < t.n->mldsa->k; i++) {
		for (size_t c = 0; c < N; c++)
			ck_assert_int_eq(t.tpm->t[i].c[c], expected[i * N + c]);
	}
	/* the nym's bytes: proven rows in full, 23 bits, then (t + 2^12 - 1) / 2^13 of the others */
	for (uint32_t i = 0; i < t.n->mldsa->k; i++) {
		const uint32_t bits = i < t.n->rows ? 23 : 10;

		for (size_t c = 0; c < N; c++) {
			const int64_t x = expected[i * N + c];

			ck_assert_int_eq((int64_t)packed_field(t.tpm->nym_bytes + at, bits, c),
					 i < t.n->rows ? x : (x + 4095) >> 13);
		}
		at += N / 8 * bits;
	}
	ck_assert_uint_eq(at, vldaa_os_nym_size(t.n));
	/* what a verifier makes of them: rho || t1 of all rows */
	ck_assert_int_eq(vldaa_os_nym_decode(t.n, &t.tpm->nym, t.tpm->nym_bytes), VLDAA_OK);
	slow_rho(&y, public_key);
	ck_assert_mem_eq(t.tpm->nym.public_key, public_key, 32);
	t1 = t.tpm->nym.public_key + 32;
	for (size_t c = 0; c < (size_t)t.n->mldsa->k * N; c++)
		ck_assert_int_eq((int64_t)packed_field(t1, 10, c), (expected[c] + 4095) >> 13);
	/* FIPS 204's key of the same rho, K, s1, s2 */
	again.set = t.n->mldsa;
	memcpy(again.rho, public_key, 32);
	slow_key(&y, again.K);
	ck_assert_mem_eq(again.K, t.tpm->key->K, sizeof again.K);
	memcpy(again.s1, t.tpm->key->s1, sizeof again.s1);
	memcpy(again.s2, t.tpm->key->s2, sizeof again.s2);
	for (size_t c = 0; c < (size_t)t.n->mldsa->l * N; c++)
		ck_assert_int_eq(again.s1[c / N].c[c % N], t.s[c]);
	vldaa_mldsa_complete(public_key, &again, NULL, t.tpm->mldsa);
	ck_assert_mem_eq(public_key, t.tpm->nym.public_key, t.n->mldsa->public_bytes);
	vldaa_mldsa_tr(t.n->mldsa, public_key, tr);
	ck_assert_mem_eq(tr, t.tpm->key->tr, sizeof tr);
	finish_set();
}
END_TEST

START_TEST(a_key_does_not_depend_on_what_the_workspace_held)
{
	static vldaa_mldsa_private first;
	uint8_t nym[4096], again[4096];

	setup_set(_i);
	load(text("here"));
	first = *t.tpm->key;
	memcpy(nym, t.tpm->nym_bytes, vldaa_os_nym_size(t.n));
	for (int fill = 0; fill < 256; fill += 51) {
		memset(t.tpm, fill, vldaa_os_place_tpm(t.n, NULL));
		ck_assert_int_eq(vldaa_oneshot_tpm_nym(&t.key, t.tpm, text("here"), again),
				 VLDAA_OK);
		ck_assert_mem_eq(again, nym, vldaa_os_nym_size(t.n));
		/* after another basename */
		load(text("her"));
		ck_assert_mem_ne(t.tpm->nym_bytes, nym, vldaa_os_nym_size(t.n));
		load(text("here"));
		ck_assert_mem_eq(t.tpm->nym_bytes, nym, vldaa_os_nym_size(t.n));
		ck_assert_mem_eq(t.tpm->key->K, first.K, sizeof first.K);
		ck_assert_mem_eq(t.tpm->key->tr, first.tr, sizeof first.tr);
		for (uint32_t i = 0; i < t.n->mldsa->k; i++) {
			ck_assert_mem_eq(&t.tpm->key->s2[i], &first.s2[i], sizeof first.s2[i]);
			ck_assert_mem_eq(&t.tpm->key->t0[i], &first.t0[i], sizeof first.t0[i]);
		}
	}
	finish_set();
}
END_TEST

/* --- many keys ---------------------------------------------------------------------------------
 */

/* s2 and K of one (key id, K_T, basename), as digests. */
typedef struct {
	uint8_t digest[32];
	uint32_t number;
} entry;

static struct {
	entry s2[4000], key[4000];
	uint32_t count;
	uint32_t redrawn;
} seen;

/* The key of the library is the documented one and within the bounds. */
static void check_key(vldaa_bytes basename)
{
	static int64_t s2[VLDAA_MLDSA_MAX_K * N];
	const slow_nym y = slow(basename);
	entry *e = &seen.s2[seen.count], *k = &seen.key[seen.count];

	ck_assert_uint_lt(seen.count, sizeof seen.s2 / sizeof seen.s2[0]);
	load(basename);
	seen.redrawn += slow_s2(&y, s2);
	for (size_t i = 0; i < (size_t)t.n->mldsa->k * N; i++)
		ck_assert_int_eq(t.tpm->key->s2[i / N].c[i % N], s2[i]);
	slow_key(&y, k->digest);
	ck_assert_mem_eq(t.tpm->key->K, k->digest, sizeof k->digest);
	oracle_shake(256, (const uint8_t *)t.tpm->key->s2, t.n->mldsa->k * sizeof t.tpm->key->s2[0],
		     e->digest, sizeof e->digest);
	e->number = k->number = seen.count++;
}

static int compare(const void *a, const void *b)
{
	return memcmp(((const entry *)a)->digest, ((const entry *)b)->digest, 32);
}

static void check_distinct(entry *e)
{
	qsort(e, seen.count, sizeof *e, compare);
	for (uint32_t i = 1; i < seen.count; i++)
		ck_assert_msg(compare(&e[i - 1], &e[i]) != 0, "numbers %u and %u share a secret",
			      e[i - 1].number, e[i].number);
}

/*
 * Basenames that a careless encoding would confuse: all lengths of zeroes and of 0xff, numbers; then
 * other key ids and other K_T under one basename.
 */
START_TEST(no_two_pseudonyms_share_their_secrets)
{
	const size_t step = _i ? 9 : 1; /* the larger set takes twice as long, for the same code */
	uint8_t basename[VLDAA_MAX_BASENAME];

	setup_set(_i);
	for (int fill = 0; fill <= 0xff; fill += 0xff) {
		memset(basename, fill, sizeof basename);
		for (size_t len = 1; len <= sizeof basename; len += step)
			check_key((vldaa_bytes){basename, len});
	}
	for (uint32_t i = 0; i < 100; i++)
		check_key(numbered(basename, i));
	for (size_t bit = 0; bit < 256; bit += step) {
		uint8_t *const flipped[2] = {&t.key_id[bit / 8], &prf_key()[bit / 8]};

		for (size_t i = 0; i < 2; i++) {
			*flipped[i] ^= (uint8_t)(1u << bit % 8);
			check_key(text("#"));
			*flipped[i] ^= (uint8_t)(1u << bit % 8);
		}
	}
	check_distinct(seen.s2);
	check_distinct(seen.key);
	finish_set();
}
END_TEST

/* The first two basenames whose first draw is longer than 600 (1200) in the proven rows: there is one
 * in some 4,000 (700,000). */
static const uint32_t long_draws[2][2] = {{7656, 9390}, {1794057, 2138321}};

START_TEST(an_error_that_is_too_long_is_drawn_again)
{
	static int64_t s2[VLDAA_MLDSA_MAX_K * N];
	const uint64_t bound[2] = {600, 1200};
	uint8_t basename[5];

	setup_set(_i);
	ck_assert_uint_eq(t.n->e_bound2, bound[_i]);
	for (size_t i = 0; i < 2; i++) {
		const vldaa_bytes long_one = numbered(basename, long_draws[_i][i]);
		const slow_nym y = slow(long_one);

		slow_draw(&y, 0, s2);
		ck_assert_uint_gt(planted_norm2(s2, (size_t)t.n->rows * N), bound[_i]);
		check_key(long_one);
	}
	ck_assert_uint_ge(seen.redrawn, 2);
	finish_set();
}
END_TEST

/* --- messages ----------------------------------------------------------------------------------
 */

/* Whatever another FIPS 204 verifier needs: the public key, the message, the signature. */
static int verify_alone(const vldaa_mldsa_set *set, const uint8_t *public_key, const char *context,
			const void *message, size_t len, const uint8_t *signature)
{
	static vldaa_mldsa_workspace ws;
	uint8_t tr[VLDAA_MLDSA_TR_BYTES], input[512], mu[VLDAA_MLDSA_MU_BYTES];
	const size_t context_len = strlen(context);

	/* FIPS 204, Algorithms 2 and 7: mu = H(H(pk) || 0 || |ctx| || ctx || M) */
	oracle_shake(256, public_key, set->public_bytes, tr, sizeof tr);
	memcpy(input, tr, sizeof tr);
	input[64] = 0;
	input[65] = (uint8_t)context_len;
	memcpy(input + 66, context, context_len);
	memcpy(input + 66 + context_len, message, len);
	oracle_shake(256, input, 66 + context_len + len, mu, sizeof mu);
	return vldaa_mldsa_verify(set, public_key, mu, signature, &ws);
}

START_TEST(a_message_verifies_under_the_public_key_alone)
{
	static const char message[] = "brake ahead";
	uint8_t bare[VLDAA_MLDSA_MAX_SIGNATURE], public_key[VLDAA_MLDSA_MAX_PUBLIC];
	const vldaa_oneshot_set *n = vldaa_oneshot_numbers(oneshot_set(_i));
	static oneshot_member m;
	vldaa_attestation *a = NULL;
	world w;
	car c;
	buffer att;
	size_t len;

	world_init(&w, oneshot_set(_i), 11);
	car_init(&c, &w, 12);
	car_join(&c);
	att = car_create(&c, "here");
	ck_assert_int_eq(vldaa_attestation_new(&a, w.verifier, att.data, att.len), VLDAA_OK);
	for (int i = 0; i < 5; i++) {
		ck_assert_int_eq(vldaa_tpm_sign_begin(c.tpm, vldaa_verifier_key_id(w.verifier),
						      (const uint8_t *)"here", 4, bare),
				 VLDAA_OK);
		ck_assert_int_eq(vldaa_tpm_sign_update(c.tpm, message, sizeof message), VLDAA_OK);
		ck_assert_int_eq(vldaa_tpm_sign_end(c.tpm, bare, sizeof bare, &len), VLDAA_OK);
		ck_assert_uint_eq(len, n->mldsa->signature_bytes);
	}
	/* the public key from the attestation's bytes: rho is a hash, t1 as computed */
	oneshot_member_read(&m, &c);
	{
		const slow_nym y = {n, m.prf_key, vldaa_verifier_key_id(w.verifier), text("here")};
		const uint8_t *nym = att.data + MEMBER_HEAD + 1 + 4;
		size_t out = 0;

		slow_rho(&y, public_key);
		memset(public_key + 32, 0, sizeof public_key - 32);
		for (uint32_t i = 0; i < n->mldsa->k; i++) {
			const uint32_t bits = i < n->rows ? 23 : 10;

			for (size_t j = 0; j < N; j++, out++) {
				const uint64_t x = packed_field(nym, bits, j);

				packed_field_set(public_key + 32, 10, out,
						 i < n->rows ? (x + 4095) >> 13 : x);
			}
			nym += N / 8 * bits;
		}
	}
	ck_assert_int_eq(verify_alone(n->mldsa, public_key, "", message, sizeof message, bare),
			 VLDAA_OK);
	ck_assert_int_eq(verify_alone(n->mldsa, public_key, "x", message, sizeof message, bare),
			 VLDAA_ERR_PROOF);
	ck_assert_int_eq(
	    verify_alone(n->mldsa, public_key, "", "brake later", sizeof message, bare),
	    VLDAA_ERR_PROOF);
	public_key[0] ^= 1;
	ck_assert_int_eq(verify_alone(n->mldsa, public_key, "", message, sizeof message, bare),
			 VLDAA_ERR_PROOF);
	vldaa_attestation_free(a);
	buffer_free(&att);
	car_free(&c);
	world_free(&w);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("pseudonyms, one-shot sets");
	TCase *tc = tcase_create("keys");
	SRunner *sr = srunner_create(s);
	const int sets = oneshot_sets();

	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, t_is_a_s_plus_s2_and_the_public_key_is_rho_and_its_high_part, 0,
			    sets);
	tcase_add_loop_test(tc, a_key_does_not_depend_on_what_the_workspace_held, 0, sets);
	tcase_add_loop_test(tc, no_two_pseudonyms_share_their_secrets, 0, sets);
	tcase_add_loop_test(tc, an_error_that_is_too_long_is_drawn_again, 0, sets);
	tcase_add_loop_test(tc, a_message_verifies_under_the_public_key_alone, 0, sets);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
