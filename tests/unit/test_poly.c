/*
 * Promises of the coefficient domain (ring/poly.c) and of the reductions modulo q (ring/mod.h):
 * - any int64_t, and wider integers up to 2^(58+q_bits), reduce to the one centred residue;
 * - sums, differences, negatives and multiples are centred and right, at both ends, in place or
 * not;
 * - sigma_j is a(X^j) modulo X^d+1 for every odd j, and multiplicative;
 * - squared norms and inner products are exact up to 2^58.
 */
#include "ring_test.h"

#include "ring/mod.h"

static int64_t reference(vldaa_i128 x, int64_t q)
{
	fmpz_t f;
	int64_t out;

	fmpz_init(f);
	fmpz_set_i128(f, x);
	out = fmpz_centred(f, q);
	fmpz_clear(f);
	return out;
}

/* Every q up to 2000, powers of two +-odd, and those of the rings: for test loops. */
static int64_t modulus(size_t i)
{
	if (i < 1000)
		return 2 * (int64_t)i + 5;
	if (i < 1000 + RINGS)
		return rings[i - 1000].q;
	i -= 1000 + RINGS;
	return ((int64_t)1 << (3 + i / 2)) + (i % 2 == 0 ? 1 : -1);
}

enum { MODULI = 1000 + RINGS + 2 * 43 + 2 };

static uint32_t bits_of(int64_t q)
{
	uint32_t bits = 0;

	while (q >> bits != 0)
		bits++;
	return bits;
}

START_TEST(every_int64_reduces_to_its_centred_residue)
{
	for (size_t i = 0; i < MODULI; i++) {
		const int64_t q = modulus(i);
		const vldaa_mod m = vldaa_mod_init(q, bits_of(q));

		ck_assert(q >= 5 && q % 2 == 1 && q < (int64_t)1 << 47);
		for (int64_t j = 0; j < 40; j++) {
			/* Both ends, the middle, and just around k q + {0, q/2}, k as large as it
			 * gets. */
			int64_t k = (INT64_MAX / q - 1) >> (j * 3 / 2);
			int64_t near[] = {
			    INT64_MIN + j,
			    INT64_MAX - j,
			    j,
			    -j,
			    k * q + 1 - j % 3,
			    -k * q + 1 - j % 3,
			    k * q + q / 2 + j % 2,
			    -k * q - q / 2 - j % 2,
			    (int64_t)draw(),
			};

			for (size_t n = 0; n < sizeof(near) / sizeof(near[0]); n++)
				ck_assert_int_eq(vldaa_mod_i64(&m, near[n]), reference(near[n], q));
		}
	}
}
END_TEST

START_TEST(wide_integers_reduce_up_to_the_stated_bound)
{
	for (size_t i = 0; i < MODULI; i++) {
		const int64_t q = modulus(i);
		const uint32_t bits = bits_of(q);
		const vldaa_mod m = vldaa_mod_init(q, bits);
		const vldaa_i128 end = ((vldaa_i128)1 << (58 + bits)) - 1;

		for (int64_t j = 0; j < 40; j++) {
			vldaa_i128 k = (end / q - 1) >> (j * 3 / 2);
			vldaa_i128 near[] = {
			    end - j,
			    -end + j,
			    j,
			    -j,
			    k * q + 1 - j % 3,
			    -k * q + 1 - j % 3,
			    k * q + q / 2 + j % 2,
			    -k * q - q / 2 - j % 2,
			    (vldaa_i128)((((vldaa_u128)draw() << 64) + draw()) % (vldaa_u128)end),
			    -((vldaa_i128)((((vldaa_u128)draw() << 64) + draw()) %
					   (vldaa_u128)end)),
			};

			for (size_t n = 0; n < sizeof(near) / sizeof(near[0]); n++)
				ck_assert_int_eq(vldaa_mod_i128(&m, near[n]),
						 reference(near[n], q));
		}
	}
}
END_TEST

START_TEST(small_moduli_reduce_right_everywhere_around_zero)
{
	for (int64_t q = 5; q < 64; q += 2) {
		const vldaa_mod m = vldaa_mod_init(q, bits_of(q));

		for (int64_t x = -5 * q; x <= 5 * q; x++) {
			ck_assert_int_eq(vldaa_mod_i64(&m, x), reference(x, q));
			ck_assert_int_eq(vldaa_mod_i128(&m, x), reference(x, q));
			if (x <= q + q / 2 && x >= -q - q / 2)
				ck_assert_int_eq(vldaa_mod_centre(&m, x), reference(x, q));
		}
	}
}
END_TEST

START_TEST(polynomials_reduce_in_place_or_not)
{
	const vldaa_ring *r = &rings[_i];
	int64_t a[VLDAA_MAX_DEGREE] = {0}, out[VLDAA_MAX_DEGREE];

	for (size_t i = 0; i < r->d; i++)
		a[i] = i == 0 ? INT64_MIN : i == 1 ? INT64_MAX : (int64_t)draw();
	vldaa_poly_reduce(r, out, a);
	for (size_t i = 0; i < r->d; i++)
		ck_assert_int_eq(out[i], reference(a[i], r->q));
	vldaa_poly_reduce(r, a, a);
	ck_assert_mem_eq(a, out, r->d * sizeof(a[0]));
}
END_TEST

static void ck_linear(const vldaa_ring *r, const int64_t *a, const int64_t *b)
{
	int64_t out[VLDAA_MAX_DEGREE], alias[VLDAA_MAX_DEGREE];
	const size_t bytes = r->d * sizeof(int64_t);

	vldaa_poly_add(r, out, a, b);
	for (size_t i = 0; i < r->d; i++)
		ck_assert_int_eq(out[i], reference((vldaa_i128)a[i] + b[i], r->q));
	memcpy(alias, a, bytes);
	vldaa_poly_add(r, alias, alias, b);
	ck_assert_mem_eq(alias, out, bytes);
	memcpy(alias, b, bytes);
	vldaa_poly_add(r, alias, a, alias);
	ck_assert_mem_eq(alias, out, bytes);

	vldaa_poly_sub(r, out, a, b);
	for (size_t i = 0; i < r->d; i++)
		ck_assert_int_eq(out[i], reference((vldaa_i128)a[i] - b[i], r->q));
	memcpy(alias, a, bytes);
	vldaa_poly_sub(r, alias, alias, b);
	ck_assert_mem_eq(alias, out, bytes);
	memcpy(alias, b, bytes);
	vldaa_poly_sub(r, alias, a, alias);
	ck_assert_mem_eq(alias, out, bytes);

	vldaa_poly_neg(r, out, a);
	for (size_t i = 0; i < r->d; i++)
		ck_assert_int_eq(out[i], -a[i]);
	memcpy(alias, a, bytes);
	vldaa_poly_neg(r, alias, alias);
	ck_assert_mem_eq(alias, out, bytes);
}

START_TEST(sums_and_differences_are_centred_in_every_ring)
{
	const vldaa_ring *r = &rings[_i];
	int64_t a[VLDAA_MAX_DEGREE], b[VLDAA_MAX_DEGREE];

	for (int i = 0; i < PATTERNS; i++)
		for (int j = 0; j < PATTERNS; j++) {
			fill(r, a, r->q / 2, i);
			fill(r, b, r->q / 2, j);
			ck_linear(r, a, b);
		}
}
END_TEST

START_TEST(sums_and_differences_of_all_pairs_modulo_small_q)
{
	for (int64_t q = 5; q < 20; q += 2) {
		const vldaa_ring r = {4, 2, q, bits_of(q), 1};

		for (int64_t x = -q / 2; x <= q / 2; x++)
			for (int64_t y = -q / 2; y <= q / 2; y++) {
				const int64_t a[4] = {x, y, -x, x};
				const int64_t b[4] = {y, x, y, -y};

				ck_linear(&r, a, b);
			}
	}
}
END_TEST

START_TEST(multiples_are_right_for_every_factor_below_q)
{
	const vldaa_ring *r = &rings[_i];
	const int64_t q = r->q;
	const int64_t factors[] = {0,     1,        -1,        2,     q - 1, 1 - q,
				   q / 2, -(q / 2), q / 2 + 1, q / 3, 3 - q};
	int64_t a[VLDAA_MAX_DEGREE], out[VLDAA_MAX_DEGREE];

	for (size_t f = 0; f < sizeof(factors) / sizeof(factors[0]); f++)
		for (int pattern = 0; pattern < PATTERNS; pattern++) {
			fill(r, a, q / 2, pattern);
			vldaa_poly_scale(r, out, factors[f], a);
			for (size_t i = 0; i < r->d; i++)
				ck_assert_int_eq(out[i],
						 reference((vldaa_i128)factors[f] * a[i], q));
			vldaa_poly_scale(r, a, factors[f], a);
			ck_assert_mem_eq(a, out, r->d * sizeof(a[0]));
		}
}
END_TEST

/* a(X^j) by moving coefficients in FLINT, then the remainder by X^d+1. */
static void ck_automorphism(const vldaa_ring *r, const int64_t *a, uint32_t j)
{
	int64_t out[VLDAA_MAX_DEGREE];
	fmpz_poly_t f;

	fmpz_poly_init2(f, (slong)((r->d - 1) * j + 1));
	for (size_t i = r->d; i-- > 0;)
		fmpz_poly_set_coeff_si(f, (slong)(i * j), a[i]);
	fmpz_poly_wrap(r, f);
	vldaa_poly_automorphism(r, out, a, j);
	ck_poly_integers(r, out, f);
	fmpz_poly_clear(f);
}

START_TEST(automorphisms_substitute_powers_of_x_for_every_odd_j)
{
	const int64_t bound = ((int64_t)1 << 62) - 1;
	int64_t a[VLDAA_MAX_DEGREE];

	for (uint32_t log_d = 2; log_d <= 6; log_d++) {
		const vldaa_ring r = {(uint32_t)1 << log_d, log_d, 7583, 13, 2};

		for (uint32_t j = 1; j < 2 * r.d; j += 2)
			for (int pattern = 0; pattern < PATTERNS; pattern++) {
				fill(&r, a, bound, pattern);
				ck_automorphism(&r, a, j);
			}
	}
}
END_TEST

START_TEST(sigma_5_is_right_in_every_ring_and_fixes_the_tags)
{
	const vldaa_ring *r = &rings[_i];
	int64_t a[VLDAA_MAX_DEGREE], out[VLDAA_MAX_DEGREE];

	fill(r, a, r->q / 2, PATTERNS - 1);
	ck_automorphism(r, a, 5);
	/* Exactly Z + Z X^(d/2) is fixed: a monomial comes back only at 0 and d/2. */
	for (size_t i = 0; i < r->d; i++) {
		memset(a, 0, sizeof(a));
		a[i] = 3;
		vldaa_poly_automorphism(r, out, a, 5);
		ck_assert_int_eq(memcmp(out, a, r->d * sizeof(a[0])) == 0, i == 0 || i == r->d / 2);
	}
}
END_TEST

START_TEST(norms_and_inner_products_are_exact_up_to_2_to_the_58)
{
	const vldaa_ring *r = &rings[_i];
	const int64_t bounds[] = {((int64_t)1 << 58) - 1, (int64_t)1 << 31, 1};
	int64_t a[VLDAA_MAX_DEGREE], b[VLDAA_MAX_DEGREE];
	fmpz_t sum, f, g;

	fmpz_init(sum);
	fmpz_init(f);
	fmpz_init(g);
	for (size_t n = 0; n < sizeof(bounds) / sizeof(bounds[0]); n++)
		for (int i = 0; i < PATTERNS; i++)
			for (int j = 0; j < PATTERNS; j++) {
				fill(r, a, bounds[n], i);
				fill(r, b, bounds[n], j);
				fmpz_zero(sum);
				for (size_t k = 0; k < r->d; k++) {
					fmpz_set_si(f, a[k]);
					fmpz_set_si(g, b[k]);
					fmpz_addmul(sum, f, g);
				}
				fmpz_set_i128(f, vldaa_poly_inner(r, a, b));
				ck_assert(fmpz_equal(f, sum));
				fmpz_zero(sum);
				for (size_t k = 0; k < r->d; k++) {
					fmpz_set_si(f, a[k]);
					fmpz_addmul(sum, f, f);
				}
				vldaa_u128 norm2 = vldaa_poly_norm2(r, a);
				fmpz_set_uiui(f, (ulong)(norm2 >> 64), (ulong)norm2);
				ck_assert(fmpz_equal(f, sum));
			}
	fmpz_clear(sum);
	fmpz_clear(f);
	fmpz_clear(g);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("coefficient domain");
	TCase *tc = tcase_create("coefficient domain");
	SRunner *sr = srunner_create(s);

	tcase_set_timeout(tc, 120);
	tcase_add_checked_fixture(tc, setup, NULL);
	tcase_add_test(tc, every_int64_reduces_to_its_centred_residue);
	tcase_add_test(tc, wide_integers_reduce_up_to_the_stated_bound);
	tcase_add_test(tc, small_moduli_reduce_right_everywhere_around_zero);
	tcase_add_loop_test(tc, polynomials_reduce_in_place_or_not, 0, RINGS);
	tcase_add_loop_test(tc, sums_and_differences_are_centred_in_every_ring, 0, RINGS);
	tcase_add_test(tc, sums_and_differences_of_all_pairs_modulo_small_q);
	tcase_add_loop_test(tc, multiples_are_right_for_every_factor_below_q, 0, RINGS);
	tcase_add_test(tc, automorphisms_substitute_powers_of_x_for_every_odd_j);
	tcase_add_loop_test(tc, sigma_5_is_right_in_every_ring_and_fixes_the_tags, 0, RINGS);
	tcase_add_loop_test(tc, norms_and_inner_products_are_exact_up_to_2_to_the_58, 0, RINGS);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
