/*
 * Promises about what both sides of the one-shot proof compute from public values alone, for both
 * sets: Compress, Decompress and t_A's high part are the divisions that define them, at every edge;
 * pair() shows its arguments' constant coefficients and is the formula's; the CRS is SHAKE's
 * stream entry by entry; challenges have the coefficients, the symmetry and the operator norm that
 * the soundness argument counts on, and there are about 2^129.6 of them; no sum of products is too
 * long for the auxiliary primes.
 */
#include <check.h>
#include <math.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

#include "../support/oneshot_oracle.h"
#include "../support/oracle.h"
#include "proof/gen_cosine.h"
#include "random/rng.h"

enum { D = VLDAA_OS_D, SETS = 2 };

static const vldaa_os_set *const sets[SETS] = {&vldaa_os_44, &vldaa_os_87};

static vldaa_rng numbered(uint8_t number)
{
	const uint8_t seed[VLDAA_SEED_BYTES] = {number};
	vldaa_rng rng;

	vldaa_rng_init(&rng, seed, 1);
	return rng;
}

static int64_t residue(vldaa_rng *rng, int64_t q)
{
	return (int64_t)(vldaa_rng_u64(rng) >> 1) % q;
}

/* In [0, q) and, the same residue, centred. */
static void check_rounding(const vldaa_os_set *set, int64_t x)
{
	const int64_t q = set->ring.q;

	ck_assert_int_eq(vldaa_os_compress(set, x), oracle_compress(set, x));
	ck_assert_int_eq(vldaa_os_high(set, x), oracle_high(set, x));
	if (x > q / 2) {
		ck_assert_int_eq(vldaa_os_compress(set, x - q), oracle_compress(set, x));
		ck_assert_int_eq(vldaa_os_high(set, x - q), oracle_high(set, x));
	}
}

START_TEST(rounding_is_the_divisions_of_its_definition)
{
	const vldaa_os_set *set = sets[_i];
	const int64_t q = set->ring.q;
	const int64_t all = INT64_C(1) << set->keep;
	vldaa_rng rng = numbered(1);

	for (int64_t x = 0; x < 1000; x++) {
		check_rounding(set, x);
		check_rounding(set, q - 1 - x);
		check_rounding(set, q / 2 - 500 + x);
	}
	for (int i = 0; i < 200000; i++)
		check_rounding(set, residue(&rng, q));
	/* where Compress goes from k - 1 to k: q is odd, so there is no tie, but the last residue
	 * below (2k - 1) q / 2^(b+1) and the next */
	for (int64_t k = 1; k <= all; k += k < 3000 || k > all - 3000 ? 1 : 61) {
		const vldaa_u128 place =
		    (vldaa_u128)(uint64_t)(2 * k - 1) * (uint64_t)q >> (set->keep + 1);
		const int64_t below = (int64_t)(uint64_t)place;

		ck_assert_int_eq(oracle_compress(set, below), k - 1);
		ck_assert_int_eq(oracle_compress(set, below + 1), k % all);
		check_rounding(set, below);
		check_rounding(set, below + 1);
	}
}
END_TEST

START_TEST(high_parts_round_ties_up_and_wrap_to_0)
{
	const vldaa_os_set *set = sets[_i];
	const int64_t q = set->ring.q;
	const int64_t unit = INT64_C(1) << set->cut;
	const int64_t tops = INT64_C(1) << (set->ring.q_bits - set->cut);
	vldaa_rng rng = numbered(2);

	for (int i = 0; i < 1000; i++) {
		const int64_t k = residue(&rng, tops - 1);

		ck_assert_int_eq(vldaa_os_high(set, k * unit + unit / 2 - 1), k);
		ck_assert_int_eq(vldaa_os_high(set, k * unit + unit / 2), k + 1);
	}
	ck_assert_int_eq(vldaa_os_high(set, (tops - 1) * unit + unit / 2 - 1), tops - 1);
	/* 2^(bits - D) is written as 0 */
	ck_assert_int_eq(vldaa_os_high(set, (tops - 1) * unit + unit / 2), 0);
	ck_assert_int_eq(vldaa_os_high(set, q - 1), 0);
	ck_assert_int_eq(vldaa_os_high(set, -1), 0);
	ck_assert_int_eq(vldaa_os_high(set, 0), 0);
}
END_TEST

START_TEST(every_compressed_value_survives_decompressing)
{
	const vldaa_os_set *set = sets[_i];

	for (int64_t y = 0; y < INT64_C(1) << set->keep; y++) {
		const int64_t x = vldaa_os_decompress(set, y);

		if (x != oracle_decompress(set, y) || vldaa_os_compress(set, x) != y)
			ck_abort_msg("%lld", (long long)y);
	}
}
END_TEST

START_TEST(the_identity_part_is_the_rounding_error)
{
	const vldaa_os_set *set = sets[_i];
	const int64_t q = set->ring.q;
	const size_t n = (size_t)set->n * D;
	int64_t *w = planted_memory(n * sizeof *w);
	int64_t *x = planted_memory(n * sizeof *x);
	vldaa_u128 expected = 0;
	vldaa_rng rng = numbered(3);

	for (size_t i = 0; i < n; i++) {
		const int64_t far = residue(&rng, 2000000001) - 1000000000;
		const int64_t y = residue(&rng, INT64_C(1) << set->keep);
		const int64_t value = oracle_decompress(set, y) + far;

		/* around the wrap at q too */
		w[i] = y;
		x[i] = planted_centred(value, q);
		expected += (uint64_t)(far * far);
	}
	ck_assert(vldaa_os_identity_norm2(set, w, x) == expected);
	free(w);
	free(x);
}
END_TEST

START_TEST(pair_shows_two_constant_coefficients)
{
	const vldaa_os_set *set = sets[_i];
	const vldaa_ring *r = &set->ring;
	vldaa_rng rng = numbered(4);

	for (int run = 0; run < 20; run++) {
		int64_t a[D], b[D], got[D], expected[D], sigma[D];

		for (size_t i = 0; i < D; i++) {
			a[i] = planted_centred(residue(&rng, r->q), r->q);
			b[i] = planted_centred(residue(&rng, r->q), r->q);
		}
		vldaa_os_pair(set, got, a, b);
		oracle_pairing(set, expected, a, b);
		ck_assert(oracle_equal(r, got, expected));
		ck_assert_int_eq(got[0], a[0]);
		ck_assert_int_eq(got[D / 2], b[0]);
		/* sigma(c) = c passes through: sym is linear over such c, which homogenising needs
		 */
		vldaa_poly_automorphism(r, sigma, a, 2 * D - 1);
		vldaa_os_pair(set, got, sigma, b);
		ck_assert(oracle_equal(r, got, expected));
		vldaa_os_pair(set, a, a, b);
		ck_assert(oracle_equal(r, a, expected));
	}
}
END_TEST

static void check_matrix(const vldaa_ring *r, const uint32_t *hats, const int64_t *coefficients,
			 size_t n)
{
	const size_t len = vldaa_hat_len(r);
	uint32_t hat[VLDAA_MAX_PRIMES * D];

	for (size_t i = 0; i < n; i++) {
		vldaa_hat_from_poly(r, hat, coefficients + i * D);
		ck_assert_mem_eq(hat, hats + i * len, len * sizeof *hat);
	}
}

/* Every sum of products is below what the auxiliary primes hold: with four of them, not with three. */
START_TEST(sums_of_products_are_exact)
{
	const vldaa_os_statement_set *const statements[SETS][2] = {
	    {&vldaa_os_attestation_44, &vldaa_os_join_44},
	    {&vldaa_os_attestation_87, &vldaa_os_join_87}};

	for (size_t i = 0; i < 2; i++) {
		vldaa_os_set set = *sets[_i];

		ck_assert_int_eq(vldaa_os_ranges_hold(&set, statements[_i][i]), 1);
		set.ring.primes = 3;
		ck_assert_int_eq(vldaa_os_ranges_hold(&set, statements[_i][i]), 0);
	}
}
END_TEST

START_TEST(the_crs_is_one_stream_an_entry)
{
	const vldaa_os_set *set = sets[_i];
	const vldaa_os_crs *crs = planted_crs(set);
	const oracle_matrices *m = oracle_crs(set);
	const size_t na = set->m2 - set->n;

	check_matrix(&set->ring, crs->a1, m->a1, (size_t)set->n * set->max_m1);
	check_matrix(&set->ring, crs->a2, m->a2, set->n * na);
	check_matrix(&set->ring, crs->b, m->b, VLDAA_OS_B_ROWS * na);
	/* the streams differ */
	ck_assert_mem_ne(m->a1, m->a2, D * sizeof *m->a1);
	ck_assert_mem_ne(m->a1, m->b, D * sizeof *m->a1);
	ck_assert_mem_ne(m->a1, m->a1 + D, D * sizeof *m->a1);
	ck_assert_mem_ne(m->a1 + D, m->a1 + (size_t)set->max_m1 * D, D * sizeof *m->a1);
}
END_TEST

/* Scheme documentation, "Bytes": SHA-256 of T[0..32] as int32 little-endian. */
START_TEST(the_cosines_are_the_published_table)
{
	static const char digits[] =
	    "38c3e28dc04b34b27ef656d322aaf1253a9dd28059316f3d4239aa6797a3104c";
	uint8_t bytes[4 * 33], digest[32];
	char hex[65];

	for (size_t k = 0; k < 33; k++) {
		const long double exact = ldexpl(cosl(acosl(-1) * (long double)k / D), 30);

		ck_assert(fabsl(exact - (long double)vldaa_os_cosine[k]) < 0.5L + 1e-6L);
		for (size_t i = 0; i < 4; i++)
			bytes[4 * k + i] = (uint8_t)((uint32_t)vldaa_os_cosine[k] >> (8 * i));
	}
	ck_assert(EVP_Digest(bytes, sizeof bytes, digest, NULL, EVP_sha256(), NULL));
	for (size_t i = 0; i < sizeof digest; i++)
		snprintf(hex + 2 * i, 3, "%02x", digest[i]);
	ck_assert_str_eq(hex, digits);
}
END_TEST

START_TEST(challenges_are_symmetric_and_short_under_every_embedding)
{
	double square = 0;
	int seen[19] = {0};

	for (int run = 0; run < 300; run++) {
		const uint8_t seed[VLDAA_OS_SEED] = {(uint8_t)run, (uint8_t)(run >> 8)};
		int64_t c[D], expected[D];

		vldaa_os_challenge(c, seed);
		if (run < 20) {
			oracle_challenge(expected, seed);
			ck_assert_mem_eq(c, expected, sizeof c);
		}
		ck_assert_double_le(oracle_operator_norm(c), 72);
		ck_assert_int_eq(c[D / 2], 0);
		for (size_t i = 0; i < D; i++) {
			ck_assert_int_le(c[i], 9);
			ck_assert_int_ge(c[i], -9);
			if (i > 0)
				ck_assert_int_eq(c[D - i], -c[i]);
			square += (double)(c[i] * c[i]);
		}
		for (size_t i = 0; i < D / 2; i++)
			seen[c[i] + 9]++;
	}
	for (size_t i = 0; i < 19; i++)
		ck_assert_int_gt(seen[i], 0);
	/* of unbiased coefficients 63 * 30 = 1890; the norm's bound makes them smaller */
	ck_assert_double_lt(square / 300, 1890);
	ck_assert_double_gt(square / 300, 1000);
}
END_TEST

/* max |c(zeta)| in double precision: c(zeta^(2j+1)) is real, as challenges_are_symmetric... shows.
 */
static double norm(const int64_t *c)
{
	static double cosine[D / 2][D / 2];
	double max = 0;

	if (cosine[0][0] == 0) {
		for (int j = 0; j < D / 2; j++) {
			for (int i = 0; i < D / 2; i++)
				cosine[j][i] = cos(acos(-1) * (2 * j + 1) * i / D);
		}
	}
	for (int j = 0; j < D / 2; j++) {
		double sum = (double)c[0];

		for (int i = 1; i < D / 2; i++)
			sum += 2 * (double)c[i] * cosine[j][i];
		max = fmax(max, fabs(sum));
	}
	return max;
}

START_TEST(one_draw_in_83_is_a_challenge)
{
	enum { DRAWS = 200000 };
	vldaa_rng rng = numbered(6);
	int kept = 0;
	int close = 0;

	for (int i = 0; i < DRAWS; i++) {
		int64_t c[D] = {0};
		double size;
		int ok;

		for (size_t k = 0; k < D / 2; k++) {
			c[k] = (int64_t)(vldaa_rng_u64(&rng) % 19) - 9;
			if (k > 0)
				c[D - k] = -c[k];
		}
		size = norm(c);
		ok = vldaa_os_operator_norm_ok(c);
		/* fixed point is within 63 * 9 * 2^-30 */
		if (fabs(size - 72) > 1e-6)
			ck_assert_int_eq(ok, size < 72);
		close += fabs(size - 72) < 0.1;
		kept += ok;
	}
	ck_assert_int_gt(close, 100);
	ck_assert_double_lt(fabs((double)DRAWS / kept - 83), 5);
	/* |C| = 19^32 / 83 */
	ck_assert_double_lt(fabs(32 * log2(19) - log2((double)DRAWS / kept) - 129.6), 0.1);
}
END_TEST

START_TEST(the_operator_norm_is_compared_at_every_embedding)
{
	/* 72 itself is allowed, as a constant; the next is not */
	const int64_t at[D] = {72}, over[D] = {73}, below[D] = {-73};

	ck_assert_int_eq(vldaa_os_operator_norm_ok(at), 1);
	ck_assert_int_eq(vldaa_os_operator_norm_ok(over), 0);
	ck_assert_int_eq(vldaa_os_operator_norm_ok(below), 0);
	/* large at one embedding alone: sum of c_i cos(pi (2j+1) i / 64) is a peak at that j */
	for (int j = 0; j < D / 2; j++) {
		int64_t c[D] = {0};

		for (int i = 0; i < D / 2; i++) {
			c[i] = (int64_t)lround(1.5 * cos(acos(-1) * (2 * j + 1) * i / D));
			if (i > 0)
				c[D - i] = -c[i];
		}
		ck_assert_int_eq(vldaa_os_operator_norm_ok(c), norm(c) <= 72);
		for (int i = 0; i < D; i++)
			c[i] *= 2;
		ck_assert_double_gt(norm(c), 72);
		ck_assert_int_eq(vldaa_os_operator_norm_ok(c), 0);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("one-shot proof, public computations");
	TCase *tc = tcase_create("public");
	SRunner *sr = srunner_create(s);

	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, rounding_is_the_divisions_of_its_definition, 0, SETS);
	tcase_add_loop_test(tc, high_parts_round_ties_up_and_wrap_to_0, 0, SETS);
	tcase_add_loop_test(tc, every_compressed_value_survives_decompressing, 0, SETS);
	tcase_add_loop_test(tc, the_identity_part_is_the_rounding_error, 0, SETS);
	tcase_add_loop_test(tc, pair_shows_two_constant_coefficients, 0, SETS);
	tcase_add_loop_test(tc, sums_of_products_are_exact, 0, SETS);
	tcase_add_loop_test(tc, the_crs_is_one_stream_an_entry, 0, SETS);
	tcase_add_test(tc, the_cosines_are_the_published_table);
	tcase_add_test(tc, challenges_are_symmetric_and_short_under_every_embedding);
	tcase_add_test(tc, one_draw_in_83_is_a_challenge);
	tcase_add_test(tc, the_operator_norm_is_compared_at_every_embedding);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
