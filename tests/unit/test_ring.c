/*
 * Promises of the hat domain (ring/ring.h): whatever is computed there comes back exactly, over the
 * integers or modulo q, as long as the true integers stay within +-(P-1)/2:
 * - products, sums and differences, in all rings of the project, against FLINT;
 * - up to the last term that vldaa_ring_terms() allows, and not one further;
 * - results next to 0, to +-P/2 and to multiples of q, everywhere in windows around them;
 * - every product of small polynomials of degree 4.
 */
#include "ring_test.h"

#include "ring/ntt.h"

/* (P-1)/2 of the ring. */
static void half_range(fmpz_t out, const vldaa_ring *r)
{
	fmpz_one(out);
	for (size_t i = 0; i < r->primes; i++)
		fmpz_mul_ui(out, out, vldaa_ntt_primes[i].p);
	fmpz_sub_ui(out, out, 1);
	fmpz_tdiv_q_2exp(out, out, 1);
}

/* The largest bound B of a second factor such that n products with a centred factor fit. */
static int64_t second_bound(const vldaa_ring *r, uint64_t n)
{
	int64_t bound = r->q / 2;

	while (vldaa_ring_terms(r, (uint64_t)(r->q / 2), (uint64_t)bound) < n)
		bound /= 2;
	return bound;
}

/* a b for centred a and |b| <= bound; also exact, when the integers fit. */
static void ck_product(const vldaa_ring *r, const int64_t *a, const int64_t *b)
{
	static uint32_t x[MAX_HAT], y[MAX_HAT], z[MAX_HAT];
	int64_t out[VLDAA_MAX_DEGREE];
	fmpz_poly_t f, g;

	fmpz_poly_init(f);
	fmpz_poly_init(g);
	fmpz_poly_set_i64(f, a, r->d);
	fmpz_poly_set_i64(g, b, r->d);
	fmpz_poly_mul(f, f, g);
	fmpz_poly_wrap(r, f);
	vldaa_hat_from_poly(r, x, a);
	vldaa_hat_from_poly(r, y, b);
	vldaa_hat_mul(r, z, x, y);
	vldaa_hat_to_poly(r, out, z);
	ck_poly_mod(r, out, f);
	if (FLINT_ABS(fmpz_poly_max_bits(f)) <= 63) {
		vldaa_hat_mul(r, x, x, y);
		vldaa_hat_to_integers(r, out, x);
		ck_poly_integers(r, out, f);
	}
	fmpz_poly_clear(f);
	fmpz_poly_clear(g);
}

START_TEST(products_agree_with_flint_at_the_bounds_and_at_random)
{
	const vldaa_ring *r = &rings[_i];
	const int64_t bound = second_bound(r, 1);
	int64_t a[VLDAA_MAX_DEGREE], b[VLDAA_MAX_DEGREE];

	for (int i = 0; i < PATTERNS; i++)
		for (int j = 0; j < PATTERNS; j++) {
			fill(r, a, r->q / 2, i);
			fill(r, b, bound, j);
			ck_product(r, a, b);
			fill(r, b, 1, j);
			ck_product(r, a, b);
		}
}
END_TEST

/* sum of n products, minus a product, plus and minus elements, as the proofs combine them. */
START_TEST(sums_of_110_products_at_the_bounds_agree_with_flint)
{
	const vldaa_ring *r = &rings[_i];
	static uint32_t x[MAX_HAT], y[MAX_HAT], one[MAX_HAT], sum[MAX_HAT];
	const int64_t bound = second_bound(r, 113);
	int64_t a[VLDAA_MAX_DEGREE], b[VLDAA_MAX_DEGREE], out[VLDAA_MAX_DEGREE];
	fmpz_poly_t f, g, total;

	ck_assert_int_gt(bound, 0);
	fmpz_poly_init(f);
	fmpz_poly_init(g);
	fmpz_poly_init(total);
	/* Pattern 0 times pattern 4: the constant coefficient gets the full d A B every time. */
	for (int random = 0; random <= 1; random++) {
		vldaa_hat_zero(r, sum);
		fmpz_poly_zero(total);
		for (int n = 0; n < 110; n++) {
			fill(r, a, r->q / 2, random ? PATTERNS - 1 : 0);
			fill(r, b, bound, random ? PATTERNS - 1 : 4);
			vldaa_hat_from_poly(r, x, a);
			vldaa_hat_from_poly(r, y, b);
			/* every other one as a dot product of one term */
			vldaa_hat_dot(r, one, x, y, 1);
			if (n % 2)
				vldaa_hat_mul_add(r, sum, x, y);
			else
				vldaa_hat_add(r, sum, sum, one);
			fmpz_poly_set_i64(f, a, r->d);
			fmpz_poly_set_i64(g, b, r->d);
			fmpz_poly_mul(f, f, g);
			fmpz_poly_add(total, total, f);
		}
		fill(r, a, r->q / 2, 1);
		vldaa_hat_from_poly(r, x, a);
		vldaa_hat_mul_sub(r, sum, x, y);
		fmpz_poly_set_i64(f, a, r->d);
		fmpz_poly_mul(f, f, g);
		fmpz_poly_sub(total, total, f);
		vldaa_hat_add(r, sum, sum, x);
		fmpz_poly_set_i64(f, a, r->d);
		fmpz_poly_add(total, total, f);
		vldaa_hat_sub(r, sum, sum, y);
		fmpz_poly_sub(total, total, g);
		fmpz_poly_wrap(r, total);
		vldaa_hat_to_poly(r, out, sum);
		ck_poly_mod(r, out, total);
	}
	fmpz_poly_clear(f);
	fmpz_poly_clear(g);
	fmpz_poly_clear(total);
}
END_TEST

/* hat = the constant n. */
static void hat_constant(const vldaa_ring *r, uint32_t *hat, int64_t n)
{
	int64_t a[VLDAA_MAX_DEGREE] = {n};

	vldaa_hat_from_poly(r, hat, a);
}

/* n equal products at the bound are n times one; n is too large to add them up one by one. */
START_TEST(as_many_terms_fit_as_promised_and_not_one_more)
{
	const vldaa_ring *r = &rings[_i];
	static uint32_t x[MAX_HAT], y[MAX_HAT], z[MAX_HAT];
	const int64_t bound_a = r->q / 2;
	const int64_t bound_b = second_bound(r, 1);
	const uint64_t n = vldaa_ring_terms(r, (uint64_t)bound_a, (uint64_t)bound_b);
	int64_t a[VLDAA_MAX_DEGREE], b[VLDAA_MAX_DEGREE], out[VLDAA_MAX_DEGREE];
	fmpz_t expect, half;

	fmpz_init(expect);
	fmpz_init(half);
	half_range(half, r);
	ck_assert(n >= 1 && n < (uint64_t)1 << 62);
	/* a(X) b(X), a = A (1 + X + ...), b = B (1 - X - X^2 - ...): constant coefficient d A B. */
	fill(r, a, bound_a, 0);
	fill(r, b, bound_b, 4);
	for (uint64_t terms = n; terms <= n + 1; terms++) {
		vldaa_hat_from_poly(r, x, a);
		vldaa_hat_from_poly(r, y, b);
		vldaa_hat_mul(r, z, x, y);
		hat_constant(r, x, (int64_t)terms);
		vldaa_hat_mul(r, z, z, x);
		vldaa_hat_to_poly(r, out, z);
		fmpz_set_ui(expect, terms);
		fmpz_mul_ui(expect, expect, r->d);
		fmpz_mul_si(expect, expect, bound_a);
		fmpz_mul_si(expect, expect, bound_b);
		ck_assert_int_eq(fmpz_cmp(expect, half) <= 0, terms == n);
		ck_assert_int_eq(out[0] == fmpz_centred(expect, r->q), terms == n);
	}
	fmpz_clear(expect);
	fmpz_clear(half);
}
END_TEST

START_TEST(numbers_of_terms_are_quotients)
{
	const vldaa_ring *r = &rings[_i];
	const uint64_t bounds[] = {1, 2, 3, 7583, (uint64_t)1 << 31, UINT64_MAX};
	fmpz_t n, limit;

	fmpz_init(n);
	fmpz_init(limit);
	for (size_t i = 0; i < 6; i++)
		for (size_t j = 0; j < 6; j++) {
			half_range(n, r);
			fmpz_tdiv_q_ui(n, n, r->d);
			fmpz_tdiv_q_ui(n, n, bounds[i]);
			fmpz_tdiv_q_ui(n, n, bounds[j]);
			fmpz_set_ui(limit, UINT64_MAX);
			if (fmpz_cmp(n, limit) > 0)
				fmpz_set(n, limit);
			ck_assert_uint_eq(vldaa_ring_terms(r, bounds[i], bounds[j]),
					  fmpz_get_ui(n));
		}
	ck_assert_uint_eq(vldaa_ring_terms(r, 0, 5), UINT64_MAX);
	ck_assert_uint_eq(vldaa_ring_terms(r, 5, 0), UINT64_MAX);
	fmpz_clear(n);
	fmpz_clear(limit);
}
END_TEST

/* The hat element whose coefficients are d integers of any size: Horner in base 2^60. */
static void hat_from_integers(const vldaa_ring *r, uint32_t *hat, const fmpz *values)
{
	static uint32_t base[MAX_HAT], part[MAX_HAT];
	int64_t a[VLDAA_MAX_DEGREE];
	fmpz_t f;

	fmpz_init(f);
	hat_constant(r, base, (int64_t)1 << 60);
	vldaa_hat_zero(r, hat);
	for (ulong digit = 3; digit-- > 0;) {
		for (size_t i = 0; i < r->d; i++) {
			fmpz_abs(f, values + i);
			fmpz_fdiv_q_2exp(f, f, 60 * digit);
			fmpz_fdiv_r_2exp(f, f, 60);
			a[i] = fmpz_get_si(f) * fmpz_sgn(values + i);
		}
		vldaa_hat_from_poly(r, part, a);
		vldaa_hat_mul(r, hat, hat, base);
		vldaa_hat_add(r, hat, hat, part);
	}
	fmpz_clear(f);
}

/* All integers of [start, start + count) come back, where count is a multiple of d. */
static void ck_window(const vldaa_ring *r, const fmpz_t start, size_t count)
{
	static uint32_t hat[MAX_HAT], copy[MAX_HAT];
	int64_t out[VLDAA_MAX_DEGREE];
	fmpz *values = _fmpz_vec_init(VLDAA_MAX_DEGREE);

	for (size_t done = 0; done < count; done += r->d) {
		for (size_t i = 0; i < r->d; i++)
			fmpz_add_ui(values + i, start, done + i);
		hat_from_integers(r, hat, values);
		memcpy(copy, hat, sizeof(copy));
		vldaa_hat_to_poly(r, out, hat);
		for (size_t i = 0; i < r->d; i++)
			ck_assert_int_eq(out[i], fmpz_centred(values + i, r->q));
		if (fmpz_fits_si(values) && fmpz_fits_si(values + r->d - 1)) {
			vldaa_hat_to_integers(r, out, copy);
			for (size_t i = 0; i < r->d; i++)
				ck_assert_int_eq(out[i], fmpz_get_si(values + i));
		}
	}
	_fmpz_vec_clear(values, VLDAA_MAX_DEGREE);
}

START_TEST(integers_next_to_zero_and_to_the_ends_come_back)
{
	const vldaa_ring *r = &rings[_i];
	const size_t count = 2048;
	fmpz_t start, half;

	fmpz_init(start);
	fmpz_init(half);
	half_range(half, r);
	fmpz_set_si(start, -(slong)count / 2);
	ck_window(r, start, count);
	fmpz_neg(start, half);
	ck_window(r, start, count);
	fmpz_sub_ui(start, half, count - 1);
	ck_window(r, start, count);
	fmpz_clear(start);
	fmpz_clear(half);
}
END_TEST

START_TEST(integers_next_to_multiples_of_q_and_of_the_primes_come_back)
{
	const vldaa_ring *r = &rings[_i];
	fmpz_t start, unit, half;

	fmpz_init(start);
	fmpz_init(unit);
	fmpz_init(half);
	half_range(half, r);
	/* unit: q, then p_0, p_0 p_1, ...: where a digit of the mixed radix carries. */
	fmpz_set_si(unit, r->q);
	for (size_t i = 0; i < r->primes; i++) {
		for (ulong k = 1; k <= 30; k++) {
			/* k/31 of the range, to a multiple of unit, or to half of one; both signs.
			 */
			fmpz_mul_ui(start, half, k);
			fmpz_tdiv_q_ui(start, start, 31);
			fmpz_tdiv_q(start, start, unit);
			fmpz_mul(start, start, unit);
			if (k % 2 == 0) {
				fmpz_tdiv_q_2exp(start, unit, 1);
				fmpz_mul_ui(start, start, 2 * (k % 3) + 1);
			}
			fmpz_sub_ui(start, start, r->d / 2);
			ck_window(r, start, r->d);
			fmpz_neg(start, start);
			fmpz_sub_ui(start, start, r->d);
			ck_window(r, start, r->d);
		}
		if (i == 0)
			fmpz_one(unit);
		fmpz_mul_ui(unit, unit, vldaa_ntt_primes[i].p);
	}
	fmpz_clear(start);
	fmpz_clear(unit);
	fmpz_clear(half);
}
END_TEST

START_TEST(integers_of_the_whole_range_come_back)
{
	const vldaa_ring *r = &rings[_i];
	flint_rand_t random;
	fmpz_t start, half;

	fmpz_init(start);
	fmpz_init(half);
	flint_randinit(random);
	half_range(half, r);
	for (int i = 0; i < 300; i++) {
		fmpz_randm(start, random, half);
		if (i % 2 == 0)
			fmpz_neg(start, start);
		fmpz_tdiv_q_2exp(start, start, (ulong)i / 3);
		fmpz_sub_ui(start, start, r->d);
		ck_window(r, start, r->d);
	}
	flint_randclear(random);
	fmpz_clear(start);
	fmpz_clear(half);
}
END_TEST

START_TEST(every_int64_comes_back_through_three_or_four_primes)
{
	const vldaa_ring *r = &rings[_i];
	static uint32_t hat[MAX_HAT];
	int64_t a[VLDAA_MAX_DEGREE] = {0}, out[VLDAA_MAX_DEGREE];

	if (r->primes < 3)
		return;
	for (size_t i = 0; i < r->d; i++)
		a[i] = i % 3 == 0   ? INT64_MIN + (int64_t)i
		       : i % 3 == 1 ? INT64_MAX - (int64_t)i
				    : (int64_t)(draw() >> (i % 64));
	vldaa_hat_from_poly(r, hat, a);
	vldaa_hat_to_integers(r, out, hat);
	ck_assert_mem_eq(out, a, r->d * sizeof(a[0]));
}
END_TEST

/* All 5^4 polynomials of degree below 4 with coefficients -2 ... 2, all pairs, all numbers of
 * primes. */
START_TEST(every_product_of_small_polynomials_of_degree_4_is_right)
{
	enum { N = 625 };
	const vldaa_ring r = {4, 2, 7583, 13, (uint32_t)_i};
	static uint32_t hats[N][4 * VLDAA_MAX_PRIMES];
	static int64_t polys[N][4];
	uint32_t product[4 * VLDAA_MAX_PRIMES];
	size_t wrong = 0;

	for (int n = 0; n < N; n++) {
		polys[n][0] = n % 5 - 2;
		polys[n][1] = n / 5 % 5 - 2;
		polys[n][2] = n / 25 % 5 - 2;
		polys[n][3] = n / 125 - 2;
		vldaa_hat_from_poly(&r, hats[n], polys[n]);
	}
	for (size_t i = 0; i < N; i++)
		for (size_t j = 0; j < N; j++) {
			const int64_t *a = polys[i], *b = polys[j];
			int64_t out[4];

			vldaa_hat_mul(&r, product, hats[i], hats[j]);
			vldaa_hat_to_integers(&r, out, product);
			wrong += out[0] != a[0] * b[0] - a[1] * b[3] - a[2] * b[2] - a[3] * b[1];
			wrong += out[1] != a[0] * b[1] + a[1] * b[0] - a[2] * b[3] - a[3] * b[2];
			wrong += out[2] != a[0] * b[2] + a[1] * b[1] + a[2] * b[0] - a[3] * b[3];
			wrong += out[3] != a[0] * b[3] + a[1] * b[2] + a[2] * b[1] + a[3] * b[0];
		}
	ck_assert_uint_eq(wrong, 0);
}
END_TEST

START_TEST(hat_operations_may_write_over_an_input)
{
	const vldaa_ring *r = &rings[_i];
	static uint32_t x[MAX_HAT], y[MAX_HAT], expect[MAX_HAT], out[MAX_HAT];
	void (*const operations[])(const vldaa_ring *, uint32_t *, const uint32_t *,
				   const uint32_t *) = {vldaa_hat_mul, vldaa_hat_add, vldaa_hat_sub,
							vldaa_hat_mul_add, vldaa_hat_mul_sub};
	int64_t a[VLDAA_MAX_DEGREE] = {0};
	const size_t bytes = vldaa_hat_len(r) * sizeof(uint32_t);

	fill(r, a, r->q / 2, PATTERNS - 1);
	vldaa_hat_from_poly(r, x, a);
	fill(r, a, r->q / 2, PATTERNS - 1);
	vldaa_hat_from_poly(r, y, a);
	for (size_t i = 0; i < 5; i++) {
		memcpy(expect, x, bytes);
		operations[i](r, expect, x, y);
		memcpy(out, x, bytes);
		operations[i](r, out, out, y);
		ck_assert_mem_eq(out, expect, bytes);
		memcpy(expect, y, bytes);
		operations[i](r, expect, x, y);
		memcpy(out, y, bytes);
		operations[i](r, out, x, out);
		ck_assert_mem_eq(out, expect, bytes);
	}
}
END_TEST

START_TEST(automorphisms_are_multiplicative)
{
	const vldaa_ring *r = &rings[_i];
	static uint32_t x[MAX_HAT], y[MAX_HAT];
	const int64_t bound = second_bound(r, 1);
	int64_t a[VLDAA_MAX_DEGREE], b[VLDAA_MAX_DEGREE], c[VLDAA_MAX_DEGREE], d[VLDAA_MAX_DEGREE];

	for (uint32_t j = 1; j < 2 * r->d; j += r->d <= 64 ? 2 : 254) {
		fill(r, a, r->q / 2, PATTERNS - 1);
		fill(r, b, bound, PATTERNS - 1);
		vldaa_hat_from_poly(r, x, a);
		vldaa_hat_from_poly(r, y, b);
		vldaa_hat_mul(r, x, x, y);
		vldaa_hat_to_poly(r, c, x);
		vldaa_poly_automorphism(r, d, c, j);
		vldaa_poly_automorphism(r, c, a, j);
		vldaa_hat_from_poly(r, x, c);
		vldaa_poly_automorphism(r, c, b, j);
		vldaa_hat_from_poly(r, y, c);
		vldaa_hat_mul(r, x, x, y);
		vldaa_hat_to_poly(r, c, x);
		ck_assert_mem_eq(c, d, r->d * sizeof(c[0]));
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("ring");
	TCase *tc = tcase_create("ring");
	SRunner *sr = srunner_create(s);

	tcase_set_timeout(tc, 120);
	tcase_add_checked_fixture(tc, setup, NULL);
	tcase_add_loop_test(tc, products_agree_with_flint_at_the_bounds_and_at_random, 0, RINGS);
	tcase_add_loop_test(tc, sums_of_110_products_at_the_bounds_agree_with_flint, 0, RINGS);
	tcase_add_loop_test(tc, as_many_terms_fit_as_promised_and_not_one_more, 0, RINGS);
	tcase_add_loop_test(tc, numbers_of_terms_are_quotients, 0, RINGS);
	tcase_add_loop_test(tc, integers_next_to_zero_and_to_the_ends_come_back, 0, RINGS);
	tcase_add_loop_test(tc, integers_next_to_multiples_of_q_and_of_the_primes_come_back, 0,
			    RINGS);
	tcase_add_loop_test(tc, integers_of_the_whole_range_come_back, 0, RINGS);
	tcase_add_loop_test(tc, every_int64_comes_back_through_three_or_four_primes, 0, RINGS);
	tcase_add_loop_test(tc, every_product_of_small_polynomials_of_degree_4_is_right, 1,
			    VLDAA_MAX_PRIMES + 1);
	tcase_add_loop_test(tc, hat_operations_may_write_over_an_input, 0, RINGS);
	tcase_add_loop_test(tc, automorphisms_are_multiplicative, 0, RINGS);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
