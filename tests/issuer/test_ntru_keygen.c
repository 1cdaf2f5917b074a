/*
 * Promises: keys solve f G - g F = p exactly and h = g/f modulo p, by FLINT alone; the basis is
 * within Falcon's bound and room; f and g have the stated deviation; a key is a function of the
 * seed, the same everywhere (known answers); the solver answers in every degree and says so when
 * there is nothing to answer; generation refuses f that do not invert, bad bases and wrong
 * solutions; what is read back is checked in full.
 */
#include <check.h>
#include <complex.h>
#include <flint/nmod_poly.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../unit/sampling.h"
#include "ntru_common.h"
#include "vldaa/ntru.h"
#include "vldaa/error.h"

enum { P = 12289, SEEDS = 8, MAX_N = VLDAA_MAX_DEGREE };

static vldaa_ntru_key key, other;
static int64_t h[MAX_N], other_h[MAX_N];

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Whether f h = g modulo p, and whether f is invertible, by FLINT. */
static void modulo_p(const int64_t *f, const int64_t *hh, const int64_t *g, size_t n, int *inverts,
		     int *divides)
{
	nmod_poly_t a, b, modulus;

	nmod_poly_init(a, P);
	nmod_poly_init(b, P);
	nmod_poly_init(modulus, P);
	nmod_poly_set_coeff_ui(modulus, 0, 1);
	nmod_poly_set_coeff_ui(modulus, (slong)n, 1);
	for (size_t i = 0; i < n; i++) {
		nmod_poly_set_coeff_ui(a, (slong)i, (ulong)((f[i] + P) % P));
		if (hh != NULL)
			nmod_poly_set_coeff_ui(b, (slong)i, (ulong)((hh[i] + P) % P));
	}
	if (divides != NULL) {
		nmod_poly_mulmod(b, a, b, modulus);
		for (size_t i = 0; i < n; i++)
			nmod_poly_set_coeff_ui(
			    b, (slong)i,
			    (nmod_poly_get_coeff_ui(b, (slong)i) + P - (ulong)((g[i] + P) % P)) %
				P);
		*divides = nmod_poly_is_zero(b);
	}
	nmod_poly_gcd(b, a, modulus);
	*inverts = nmod_poly_degree(b) == 0;
	nmod_poly_clear(a);
	nmod_poly_clear(b);
	nmod_poly_clear(modulus);
}

/* ||p (f^*, g^*) / (f f^* + g g^*)||^2 from the definition: values at the 2N-th roots of 1, each a
 * Horner's rule away. */
static double second_norm(const int64_t *f, const int64_t *g, size_t n)
{
	double sum = 0.0;

	for (size_t k = 0; k < n / 2; k++) {
		const double angle = acos(-1.0) * (double)(2 * k + 1) / (double)n;
		const double complex x = cos(angle) + I * sin(angle);
		double complex u = 0.0, v = 0.0;

		for (size_t i = n; i-- > 0;) {
			u = u * x + (double)f[i];
			v = v * x + (double)g[i];
		}
		sum += (double)P * P /
		       (creal(u) * creal(u) + cimag(u) * cimag(u) + creal(v) * creal(v) +
			cimag(v) * cimag(v));
	}
	return sum / (double)(n / 2);
}

static double square_sum(const int64_t *a, size_t n)
{
	double sum = 0.0;

	for (size_t i = 0; i < n; i++)
		sum += (double)(a[i] * a[i]);
	return sum;
}

static int64_t largest(const int64_t *a, size_t n)
{
	int64_t max = 0;

	for (size_t i = 0; i < n; i++)
		max = llabs(a[i]) > max ? llabs(a[i]) : max;
	return max;
}

START_TEST(every_key_satisfies_all_its_conditions)
{
	const vldaa_ntru_set *set = ntru_sets[_i];
	const size_t n = set->ring.d;
	const double bound = 1.17 * 1.17 * P;
	double squares = 0.0, start = seconds();

	for (uint8_t seed = 0; seed < SEEDS; seed++)
		ntru_key_of(set, seed, &key, h);
	printf("N = %zu: %.3f s a key\n", n, (seconds() - start) / SEEDS);

	for (uint8_t seed = 0; seed < SEEDS; seed++) {
		int inverts, divides;

		ntru_key_of(set, seed, &key, h);
		ck_assert(ntru_equation_holds(key.f, key.g, key.F, key.G, n, P));
		modulo_p(key.f, h, key.g, n, &inverts, &divides);
		ck_assert(inverts);
		ck_assert(divides);
		ck_assert_int_le(largest(h, n), P / 2);
		ck_assert_double_le(square_sum(key.f, n) + square_sum(key.g, n), bound);
		ck_assert_double_le(second_norm(key.f, key.g, n), bound);
		ck_assert_int_le(largest(key.f, n), set->fg_max);
		ck_assert_int_le(largest(key.g, n), set->fg_max);
		ck_assert_int_le(largest(key.F, n), 127);
		ck_assert_int_le(largest(key.G, n), 127);
		squares += square_sum(key.f, n) + square_sum(key.g, n);
	}
	/* Half of all pairs are longer than the bound and not taken: a little below it in the mean,
	 * whose deviation is sqrt(2 / 2N / 2) of it. */
	ck_assert_double_le(squares / SEEDS, bound);
	ck_assert_double_ge(squares / SEEDS, 0.92 * bound);
}
END_TEST

START_TEST(reduced_coefficients_have_the_size_of_babais_remainder)
{
	const vldaa_ntru_set *set = ntru_sets[_i];
	const size_t n = set->ring.d;

	/*
	 * (F, G) is p (g^*, -f^*)/(f f^* + g g^*)'s multiple that is orthogonal to (f, g), of
	 * squared norm at most 1.17^2 p, plus a multiple of (f, g) by coefficients uniform in
	 * [-1/2, 1/2]: n/12 ||(f, g)||^2.  Without the reduction's last round it would be twice
	 * as long.
	 */
	for (uint8_t seed = 0; seed < SEEDS; seed++) {
		ntru_key_of(set, seed, &key, h);
		const double small = square_sum(key.f, n) + square_sum(key.g, n);
		const double large = square_sum(key.F, n) + square_sum(key.G, n);
		const double expected = second_norm(key.f, key.g, n) + (double)n / 12.0 * small;

		ck_assert_double_le(fabs(large / expected - 1.0), 0.25);
	}
}
END_TEST

/* Frozen: made by this program, the same with gcc 12 and clang 14, -O0 and -O3. */
START_TEST(keys_are_known_answers)
{
	static const char *const expected[2] = {"723579b19f831198506564c8c5c17663",
						"009d875164894a5a7b5c1b3ae57db1ae"};
	const vldaa_ntru_set *set = ntru_sets[_i];
	const size_t n = set->ring.d;
	static int64_t all[5 * MAX_N];
	const int64_t *const parts[5] = {key.f, key.g, key.F, key.G, h};
	char hex[33];

	ntru_key_of(set, 1, &key, h);
	for (size_t i = 0; i < 5; i++)
		memcpy(all + i * n, parts[i], n * sizeof *all);
	digest_values(hex, all, 5 * n);
	ck_assert_str_eq(hex, expected[_i]);
}
END_TEST

START_TEST(a_key_is_a_function_of_the_seed)
{
	const vldaa_ntru_set *set = ntru_sets[_i];

	ntru_key_of(set, 2, &key, h);
	ntru_key_of(set, 2, &other, other_h);
	ck_assert_mem_eq(&key, &other, sizeof key);
	ck_assert_mem_eq(h, other_h, set->ring.d * sizeof *h);
	ntru_key_of(set, 3, &other, other_h);
	ck_assert_mem_ne(key.f, other.f, set->ring.d * sizeof *h);
	ck_assert_mem_ne(key.g, other.g, set->ring.d * sizeof *h);
}
END_TEST

START_TEST(the_solver_answers_in_every_degree)
{
	static int64_t f[MAX_N], g[MAX_N], F[MAX_N], G[MAX_N];
	vldaa_rng rng = ntru_rng(30);

	for (unsigned log_n = 0; log_n <= 7; log_n++) {
		for (unsigned bits = 3; bits <= 25; bits += 11) {
			const size_t n = (size_t)1 << log_n;
			int solved = 0;

			for (int attempt = 0; attempt < 30; attempt++) {
				for (size_t i = 0; i < n; i++) {
					f[i] = (int64_t)vldaa_rng_u64(&rng) >> (63 - bits);
					g[i] = (int64_t)vldaa_rng_u64(&rng) >> (63 - bits);
				}
				if (vldaa_ntru_solve(F, G, f, g, log_n, 17) != VLDAA_OK)
					continue;
				solved++;
				ck_assert(ntru_equation_holds(f, g, F, G, n, 17));
			}
			ck_assert_int_ge(solved, 8);
		}
	}
}
END_TEST

START_TEST(the_solver_says_when_there_is_no_solution)
{
	/* Both even at 1; a common factor 3; a multiple of each other; nothing. */
	static const int64_t f[][4] = {{1, 1, 0, 0}, {3, 0, 0, 0}, {1, 2, 0, 0}, {0, 0, 0, 0}};
	static const int64_t g[][4] = {{2, 3, 1, 0}, {0, 6, 3, 0}, {2, 4, 0, 0}, {5, 1, 1, 0}};

	for (size_t i = 0; i < sizeof f / sizeof f[0]; i++) {
		int64_t F[4] = {1, 1, 1, 1}, G[4] = {1, 1, 1, 1};
		static const int64_t zero[4];

		ck_assert_int_eq(vldaa_ntru_solve(F, G, f[i], g[i], 2, P), VLDAA_ERR_KEY);
		ck_assert_mem_eq(F, zero, sizeof zero);
		ck_assert_mem_eq(G, zero, sizeof zero);
	}
}
END_TEST

/* --- Broken solvers --- */

static int solver_calls;

/* Never answers; checks what it is asked, with FLINT's help as long as that is cheap. */
static int silent(int64_t *F, int64_t *G, const int64_t *f, const int64_t *g, unsigned log_n,
		  uint32_t p)
{
	const size_t n = (size_t)1 << log_n;
	int inverts;

	ck_assert_uint_eq(p, P);
	memset(F, 0, n * sizeof *F);
	memset(G, 0, n * sizeof *G);
	if (solver_calls++ < 150) {
		modulo_p(f, NULL, g, n, &inverts, NULL);
		ck_assert(inverts);
	}
	if (solver_calls < 30)
		ck_assert_double_le(second_norm(f, g, n), 1.17 * 1.17 * P);
	ck_assert_double_le(square_sum(f, n) + square_sum(g, n), 1.17 * 1.17 * P);
	return VLDAA_ERR_KEY;
}

/* Claims an answer that is one off in one place. */
static int wrong(int64_t *F, int64_t *G, const int64_t *f, const int64_t *g, unsigned log_n,
		 uint32_t p)
{
	const int err = solver_calls++ < 20 ? vldaa_ntru_solve(F, G, f, g, log_n, p) : VLDAA_OK;

	F[(size_t)solver_calls % ((size_t)1 << log_n)] += 1;
	return err;
}

START_TEST(generation_asks_for_good_pairs_only_and_believes_no_answer)
{
	static const vldaa_ntru_key zero;
	static const int64_t zero_h[MAX_N];
	vldaa_ntru_solver *const solvers[2] = {silent, wrong};
	vldaa_rng rng = ntru_rng(40);

	solver_calls = 0;
	ck_assert_int_eq(vldaa_ntru_generate(&vldaa_ntru_512, &key, h, solvers[_i], &rng),
			 VLDAA_ERR_ATTEMPTS);
	ck_assert_int_ge(solver_calls, 200);
	ck_assert_mem_eq(&key, &zero, sizeof key);
	ck_assert_mem_eq(h, zero_h, 512 * sizeof *h);
}
END_TEST

/* --- Reading back --- */

START_TEST(a_stored_key_is_completed)
{
	const vldaa_ntru_set *set = ntru_sets[_i];

	ntru_key_of(set, 4, &key, h);
	other = key;
	memset(other.G, 0x55, sizeof other.G);
	memset(other_h, 0x55, sizeof other_h);
	/* G has places that the set does not use. */
	memset(other.G + set->ring.d, 0, sizeof other.G - set->ring.d * sizeof *other.G);
	ck_assert_int_eq(vldaa_ntru_complete(set, &other, other_h), VLDAA_OK);
	ck_assert_mem_eq(&other, &key, sizeof key);
	ck_assert_mem_eq(other_h, h, set->ring.d * sizeof *h);
}
END_TEST

static void expect_refused(const vldaa_ntru_set *set)
{
	static const vldaa_ntru_key zero;
	static const int64_t zero_h[MAX_N];

	memset(other.G, 0, sizeof other.G);
	ck_assert_int_eq(vldaa_ntru_complete(set, &other, other_h), VLDAA_ERR_KEY);
	ck_assert_mem_eq(&other, &zero, sizeof other);
	ck_assert_mem_eq(other_h, zero_h, set->ring.d * sizeof *zero_h);
}

START_TEST(a_damaged_stored_key_is_refused)
{
	const vldaa_ntru_set *set = ntru_sets[_i];
	const size_t n = set->ring.d;

	ntru_key_of(set, 4, &key, h);
	for (size_t place = 0; place < n; place += n / 8 - 1) {
		int64_t *const parts[3] = {other.f, other.g, other.F};

		for (size_t part = 0; part < 3; part++) {
			other = key;
			parts[part][place] += parts[part][place] > 0 ? -1 : 1;
			expect_refused(set);
		}
	}
	other = key;
	other.f[7] = (int64_t)set->fg_max + 1;
	expect_refused(set);
	/* Another solution of the same equation, too large for its room. */
	other = key;
	for (size_t i = 0; i < n; i++)
		other.F[i] += 50 * key.f[i];
	expect_refused(set);
}
END_TEST

/* out = a (low + X^shift), |shift| < n. */
static void times_binomial(int64_t *out, const int64_t *a, int64_t low, size_t shift, size_t n)
{
	for (size_t i = 0; i < n; i++)
		out[i] = low * a[i] + (i >= shift ? a[i - shift] : -a[n + i - shift]);
}

START_TEST(a_solution_for_another_right_hand_side_is_refused)
{
	/* p X, and p (1 + X^(n-1)), which is right in all places but the last: with the second, F
	 * and G fit for about every other seed. */
	const vldaa_ntru_set *set = ntru_sets[_i];
	const size_t n = set->ring.d;
	int fitting = 0;

	for (uint8_t seed = 0; seed < 20; seed++) {
		int64_t G[MAX_N];

		ntru_key_of(set, seed, &key, h);
		other = key;
		times_binomial(other.F, key.F, 0, 1, n);
		expect_refused(set);
		other = key;
		times_binomial(other.F, key.F, 1, n - 1, n);
		times_binomial(G, key.G, 1, n - 1, n);
		fitting += largest(other.F, n) <= 127 && largest(G, n) <= 127;
		expect_refused(set);
	}
	ck_assert_int_ge(fitting, 2);
}
END_TEST

START_TEST(neither_F_nor_G_may_leave_its_room)
{
	vldaa_ntru_set set = *ntru_sets[_i];
	const size_t n = set.ring.d;
	int which[2] = {0};

	for (uint8_t seed = 0; seed < 12; seed++) {
		ntru_key_of(ntru_sets[_i], seed, &key, h);
		const int64_t F = largest(key.F, n), G = largest(key.G, n);

		set.FG_max = (uint32_t)(F < G ? F : G);
		other = key;
		if (F != G)
			expect_refused(&set);
		which[F < G] += F != G;
		set.FG_max = (uint32_t)(F < G ? G : F);
		other = key;
		ck_assert_int_eq(vldaa_ntru_complete(&set, &other, other_h), VLDAA_OK);
	}
	ck_assert_int_ge(which[0], 1);
	ck_assert_int_ge(which[1], 1);
}
END_TEST

START_TEST(a_poor_basis_is_refused_though_it_solves_the_equation)
{
	/* (f, g) too long by itself, or too short, so that the other norm is too long. */
	const vldaa_ntru_set *set = ntru_sets[_i];
	const size_t n = set->ring.d;
	vldaa_rng rng = ntru_rng(50);
	int tried[2] = {0};

	while (tried[0] < 3 || tried[1] < 3) {
		const int kind = tried[0] >= 3;

		vldaa_cdt_sample(other.f, n, &set->fg, &rng);
		vldaa_cdt_sample(other.g, n, &set->fg, &rng);
		const double first = square_sum(other.f, n) + square_sum(other.g, n);

		if (kind == 0 ? first <= 16823
			      : first > 16822 || second_norm(other.f, other.g, n) <= 16823)
			continue;
		ck_assert(!vldaa_ntru_quality(set, other.f, other.g));
		if (vldaa_ntru_solve(other.F, other.G, other.f, other.g, set->ring.log_d, P) !=
			VLDAA_OK ||
		    largest(other.F, n) > 127 || largest(other.G, n) > 127)
			continue;
		tried[kind]++;
		expect_refused(set);
	}
}
END_TEST

START_TEST(the_constants_are_falcons)
{
	/* Falcon specification v1.2, table 3.3. */
	static const double sigma[2] = {165.7366171829776, 168.38857144654395};
	static const double sigma_min[2] = {1.2778336969128337, 1.298280334344292};
	static const uint64_t beta2[2] = {34034726, 70265242};
	static const double slack[2] = {37, 51};
	const vldaa_ntru_set *set = ntru_sets[_i];

	ck_assert_uint_eq(set->ring.d, _i == 0 ? 512 : 1024);
	ck_assert_int_eq(set->ring.q, P);
	ck_assert_double_eq_tol(set->sigma, sigma[_i], 1e-13);
	ck_assert_double_eq_tol(set->leaf_min, sigma_min[_i], 1e-15);
	ck_assert_double_lt(set->leaf_max, 1.8205);
	ck_assert_uint_eq(set->norm2, beta2[_i]);
	ck_assert_uint_eq(set->accepted2,
			  (uint64_t)floor(pow(sqrt((double)beta2[_i]) - slack[_i], 2)));
	ck_assert_uint_eq(set->quality2, 16822);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("NTRU keys");
	TCase *tc = tcase_create("NTRU keys");
	SRunner *sr = srunner_create(s);

	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, the_constants_are_falcons, 0, 2);
	tcase_add_loop_test(tc, every_key_satisfies_all_its_conditions, 0, 2);
	tcase_add_loop_test(tc, reduced_coefficients_have_the_size_of_babais_remainder, 0, 2);
	tcase_add_loop_test(tc, keys_are_known_answers, 0, 2);
	tcase_add_loop_test(tc, a_key_is_a_function_of_the_seed, 0, 2);
	tcase_add_test(tc, the_solver_answers_in_every_degree);
	tcase_add_test(tc, the_solver_says_when_there_is_no_solution);
	tcase_add_loop_test(tc, generation_asks_for_good_pairs_only_and_believes_no_answer, 0, 2);
	tcase_add_loop_test(tc, a_stored_key_is_completed, 0, 2);
	tcase_add_loop_test(tc, a_damaged_stored_key_is_refused, 0, 2);
	tcase_add_loop_test(tc, a_solution_for_another_right_hand_side_is_refused, 0, 2);
	tcase_add_loop_test(tc, neither_F_nor_G_may_leave_its_room, 0, 2);
	tcase_add_loop_test(tc, a_poor_basis_is_refused_though_it_solves_the_equation, 0, 2);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
