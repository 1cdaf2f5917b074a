/*
 * Promises of the transforms and kernels (ring/ntt.h, ring/kernels.h):
 * - every number of the tables is what its formula says;
 * - a transform is the evaluation at the odd powers of psi_d in bit-reversed order, at every degree
 *   from 2 to 1024, for every prime and any int64_t; the inverse undoes it;
 * - the pointwise kernels are exact in Montgomery form at the ends of the range, aliased or not.
 */
#include <check.h>
#include <flint/nmod_vec.h>
#include <flint/ulong_extras.h>
#include <stdlib.h>
#include <string.h>

#include "ring/kernels.h"

static uint64_t state;

/* Marsaglia's xorshift64, good enough to choose inputs. */
static uint64_t draw(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static void setup(void)
{
	state = 88172645463325252u;
}

static uint32_t reverse(uint32_t k, uint32_t bits)
{
	uint32_t out = 0;

	for (uint32_t i = 0; i < bits; i++)
		out |= ((k >> i) & 1) << (bits - 1 - i);
	return out;
}

static ulong power2(ulong e, ulong p)
{
	return n_powmod2(2, (slong)e, p);
}

static ulong shoup(ulong x, ulong p)
{
	return (x << 32) / p;
}

/* a mod p of a signed a. */
static ulong residue(int64_t a, ulong p)
{
	int64_t x = a % (int64_t)p;

	return (ulong)(x < 0 ? x + (int64_t)p : x);
}

START_TEST(the_primes_are_the_four_largest_below_2_to_the_30)
{
	ulong n = ((ulong)1 << 30) + 1;

	for (size_t i = 0; i < VLDAA_MAX_PRIMES; i++) {
		do
			n -= 2048;
		while (!n_is_prime(n));
		ck_assert_uint_eq(vldaa_ntt_primes[i].p, n);
	}
}
END_TEST

START_TEST(psi_comes_from_the_least_primitive_root)
{
	const vldaa_ntt_prime *t = &vldaa_ntt_primes[_i];

	ck_assert_uint_eq(t->psi, n_powmod2(n_primitive_root_prime(t->p), (t->p - 1) / 2048, t->p));
	/* FLINT's primitive root is the least one: check that nothing smaller would do. */
	for (ulong g = 2; n_powmod2(g, (t->p - 1) / 2048, t->p) != t->psi; g++) {
		n_factor_t f;
		int primitive = 1;

		n_factor_init(&f);
		n_factor(&f, t->p - 1, 1);
		for (int j = 0; j < f.num; j++)
			primitive &= n_powmod2(g, (slong)((t->p - 1) / f.p[j]), t->p) != 1;
		ck_assert(!primitive);
	}
	ck_assert_uint_eq(n_powmod2(t->psi, 1024, t->p), t->p - 1);
}
END_TEST

START_TEST(every_table_entry_follows_its_formula)
{
	const vldaa_ntt_prime *t = &vldaa_ntt_primes[_i];
	const ulong p = t->p;

	ck_assert_uint_eq((uint32_t)(t->p * t->p_inv), 1);
	ck_assert_uint_eq(t->load, power2(32, p));
	ck_assert_uint_eq(t->load_shoup, (uint64_t)(((vldaa_u128)t->load << 64) / p));
	ck_assert_uint_eq(t->load_offset, p - power2(95, p));
	for (size_t j = 0; j < VLDAA_MAX_PRIMES; j++) {
		ulong inverse = (int)j < _i ? n_invmod(vldaa_ntt_primes[j].p % p, p) : 0;

		ck_assert_uint_eq(t->garner[j], inverse);
		ck_assert_uint_eq(t->garner_shoup[j], shoup(inverse, p));
	}
	for (uint32_t l = 0; l <= 10; l++) {
		ulong scale = n_invmod(power2(l + 32, p), p);
		ulong scale_zeta = n_mulmod2(scale, n_powmod2(t->psi, 512, p), p);

		ck_assert_uint_eq(t->scale[l], scale);
		ck_assert_uint_eq(t->scale_shoup[l], shoup(scale, p));
		ck_assert_uint_eq(t->scale_zeta[l], scale_zeta);
		ck_assert_uint_eq(t->scale_zeta_shoup[l], shoup(scale_zeta, p));
	}
	for (uint32_t k = 0; k < VLDAA_MAX_DEGREE; k++) {
		ulong zeta = n_powmod2(t->psi, reverse(k, 10), p);

		ck_assert_uint_eq(t->zetas[k], zeta);
		ck_assert_uint_eq(t->zetas_shoup[k], shoup(zeta, p));
	}
}
END_TEST

/* By linearity (the next test) these determine the whole transform. */
START_TEST(monomials_go_to_powers_of_the_roots_at_every_degree)
{
	const vldaa_ntt_prime *t = &vldaa_ntt_primes[_i];
	const vldaa_kernels *kernels = vldaa_kernels_get();
	uint32_t hat[VLDAA_MAX_DEGREE], scratch[VLDAA_MAX_DEGREE];
	int64_t a[VLDAA_MAX_DEGREE] = {0};
	ulong powers[2048]; /* psi^j R mod p */

	powers[0] = power2(32, t->p);
	for (size_t j = 1; j < 2048; j++)
		powers[j] = n_mulmod2(powers[j - 1], t->psi, t->p);
	for (uint32_t log_d = 1; log_d <= 10; log_d++)
		for (uint32_t i = 0; i < (uint32_t)1 << log_d; i++) {
			uint32_t wrong = 0;

			a[i] = 1;
			kernels->forward(hat, a, scratch, log_d, t);
			for (uint32_t k = 0; k < (uint32_t)1 << log_d; k++) {
				uint32_t e = (1024u >> log_d) * (2 * reverse(k, log_d) + 1) * i;

				wrong += hat[k] != powers[e % 2048];
			}
			ck_assert_uint_eq(wrong, 0);
			kernels->inverse(hat, scratch, log_d, t);
			for (uint32_t k = 0; k < (uint32_t)1 << log_d; k++)
				wrong += hat[k] != (k == i);
			ck_assert_uint_eq(wrong, 0);
			a[i] = 0;
		}
}
END_TEST

/* Coefficients that stress every range: all at one end, alternating, random. */
static void fill(int64_t *a, size_t d, int pattern)
{
	for (size_t i = 0; i < d; i++) {
		switch (pattern) {
		case 0:
			a[i] = INT64_MIN;
			break;
		case 1:
			a[i] = INT64_MAX;
			break;
		case 2:
			a[i] = i % 2 == 0 ? INT64_MIN : INT64_MAX;
			break;
		case 3:
			a[i] = -1;
			break;
		default:
			a[i] = (int64_t)(draw() >> (draw() % 64));
			a[i] = draw() % 2 == 0 ? a[i] : -a[i];
		}
	}
}

enum { PATTERNS = 12 };

START_TEST(any_int64_polynomial_is_evaluated_and_comes_back)
{
	const vldaa_ntt_prime *t = &vldaa_ntt_primes[_i];
	const vldaa_kernels *kernels = vldaa_kernels_get();
	uint32_t hat[VLDAA_MAX_DEGREE], scratch[VLDAA_MAX_DEGREE];
	int64_t a[VLDAA_MAX_DEGREE];
	const ulong r = power2(32, t->p);

	for (uint32_t log_d = 1; log_d <= 10; log_d++)
		for (int pattern = 0; pattern < PATTERNS; pattern++) {
			const uint32_t d = (uint32_t)1 << log_d;

			fill(a, d, pattern);
			kernels->forward(hat, a, scratch, log_d, t);
			/* Horner at all points of small degrees, at a few of large ones. */
			for (uint32_t k = 0; k < d; k += d <= 64 ? 1 : 97) {
				ulong e = (1024u >> log_d) * (2 * reverse(k, log_d) + 1);
				ulong x = n_powmod2(t->psi, (slong)e, t->p);
				ulong y = 0;

				for (size_t i = d; i-- > 0;)
					y = n_addmod(n_mulmod2(y, x, t->p), residue(a[i], t->p),
						     t->p);
				ck_assert_uint_eq(hat[k], n_mulmod2(y, r, t->p));
			}
			kernels->inverse(hat, scratch, log_d, t);
			for (uint32_t i = 0; i < d; i++)
				ck_assert_uint_eq(hat[i], residue(a[i], t->p));
		}
}
END_TEST

/* The inverse's own extremes: hat words that no small polynomial has. */
START_TEST(the_inverse_accepts_every_residue)
{
	const vldaa_ntt_prime *t = &vldaa_ntt_primes[_i];
	const vldaa_kernels *kernels = vldaa_kernels_get();
	uint32_t hat[VLDAA_MAX_DEGREE], back[VLDAA_MAX_DEGREE], scratch[VLDAA_MAX_DEGREE];
	int64_t a[VLDAA_MAX_DEGREE];

	for (uint32_t log_d = 1; log_d <= 10; log_d++)
		for (int pattern = 0; pattern < 6; pattern++) {
			const uint32_t d = (uint32_t)1 << log_d;

			for (uint32_t k = 0; k < d; k++)
				hat[k] = pattern == 0   ? t->p - 1
					 : pattern == 1 ? (k % 2) * (t->p - 1)
					 : pattern == 2 ? (1 - k % 2) * (t->p - 1)
					 : pattern == 3 ? t->p / 2 + k % 2
							: (uint32_t)(draw() % t->p);
			memcpy(back, hat, sizeof(hat[0]) * d);
			kernels->inverse(back, scratch, log_d, t);
			for (uint32_t i = 0; i < d; i++) {
				ck_assert_uint_lt(back[i], t->p);
				a[i] = back[i];
			}
			kernels->forward(back, a, scratch, log_d, t);
			for (uint32_t k = 0; k < d; k++)
				ck_assert_uint_eq(back[k], hat[k]);
		}
}
END_TEST

enum { EDGES = 16 };

static void edges(uint32_t e[EDGES], uint32_t p)
{
	const uint32_t fixed[EDGES] = {
	    0,         1,     2,     3,     p - 1,     p - 2,    p - 3,          p / 2,
	    p / 2 + 1, 65535, 65536, 65537, p - 65536, 1u << 29, (1u << 29) - 1, p / 3,
	};

	memcpy(e, fixed, sizeof(fixed));
}

/* All pairs of edge values, as one long vector, against FLINT. */
START_TEST(pointwise_kernels_are_exact_at_the_edges)
{
	const vldaa_ntt_prime *t = &vldaa_ntt_primes[_i];
	const vldaa_kernels *kernels = vldaa_kernels_get();
	enum { N = EDGES * EDGES * EDGES };
	static uint32_t a[N], b[N], c[N], out[N];
	uint32_t e[EDGES];
	const ulong p = t->p, r_inverse = n_invmod(power2(32, p), p);

	edges(e, t->p);
	for (size_t i = 0; i < N; i++) {
		a[i] = e[i % EDGES];
		b[i] = e[i / EDGES % EDGES];
		c[i] = e[i / EDGES / EDGES];
	}
	kernels->mul(out, a, b, N, t);
	for (size_t i = 0; i < N; i++)
		ck_assert_uint_eq(out[i], n_mulmod2(n_mulmod2(a[i], b[i], p), r_inverse, p));
	memcpy(out, c, sizeof(c));
	kernels->mul_add(out, a, b, N, t);
	for (size_t i = 0; i < N; i++)
		ck_assert_uint_eq(
		    out[i], n_addmod(c[i], n_mulmod2(n_mulmod2(a[i], b[i], p), r_inverse, p), p));
	memcpy(out, c, sizeof(c));
	kernels->mul_sub(out, a, b, N, t);
	for (size_t i = 0; i < N; i++)
		ck_assert_uint_eq(
		    out[i], n_submod(c[i], n_mulmod2(n_mulmod2(a[i], b[i], p), r_inverse, p), p));
	kernels->add(out, a, b, N, t);
	for (size_t i = 0; i < N; i++)
		ck_assert_uint_eq(out[i], n_addmod(a[i], b[i], p));
	kernels->sub(out, a, b, N, t);
	for (size_t i = 0; i < N; i++)
		ck_assert_uint_eq(out[i], n_submod(a[i], b[i], p));
}
END_TEST

START_TEST(pointwise_kernels_may_write_over_an_input_and_take_any_length)
{
	const vldaa_ntt_prime *t = &vldaa_ntt_primes[_i];
	const vldaa_kernels *k = vldaa_kernels_get();
	void (*const two[])(uint32_t *, const uint32_t *, const uint32_t *, size_t,
			    const vldaa_ntt_prime *) = {k->mul, k->add, k->sub};
	void (*const three[])(uint32_t *, const uint32_t *, const uint32_t *, size_t,
			      const vldaa_ntt_prime *) = {k->mul_add, k->mul_sub};
	enum { N = 69 };
	uint32_t a[N], b[N], expect[N + 1], out[N + 1];

	for (size_t i = 0; i < N; i++) {
		a[i] = (uint32_t)(draw() % t->p);
		b[i] = (uint32_t)(draw() % t->p);
	}
	for (size_t n = 1; n <= N; n++) {
		for (size_t f = 0; f < 3; f++) {
			memset(expect, 0x5a, sizeof(expect));
			two[f](expect, a, b, n, t);
			ck_assert_uint_eq(expect[n], 0x5a5a5a5a);
			memcpy(out, a, sizeof(a));
			two[f](out, out, b, n, t);
			ck_assert_mem_eq(out, expect, n * sizeof(out[0]));
			memcpy(out, b, sizeof(b));
			two[f](out, a, out, n, t);
			ck_assert_mem_eq(out, expect, n * sizeof(out[0]));
		}
		for (size_t f = 0; f < 2; f++) {
			memcpy(expect, a, sizeof(a));
			expect[N] = 7;
			three[f](expect, a, b, n, t); /* a + a b, a - a b */
			memcpy(out, a, sizeof(a));
			out[N] = 7;
			three[f](out, out, b, n, t);
			ck_assert_mem_eq(out, expect, sizeof(out));
		}
	}
}
END_TEST

/* Sums of products are exact at the edges, whatever their number, the vector's length and what lies
 * between its parts. */
START_TEST(dot_products_are_sums_of_products)
{
	const vldaa_ntt_prime *t = &vldaa_ntt_primes[_i];
	const vldaa_kernels *k = vldaa_kernels_get();
	enum { MOST = 50, STRIDE = 140, N = 131 };
	static const size_t lengths[] = {1, 2, 63, 64, 65, 128, N};
	static uint32_t a[MOST * STRIDE], b[MOST * STRIDE];
	uint32_t expect[N], out[N + 1];

	for (int random = 0; random < 2; random++) {
		for (size_t i = 0; i < MOST * STRIDE; i++) {
			a[i] = random ? (uint32_t)(draw() % t->p) : t->p - 1;
			b[i] = random ? (uint32_t)(draw() % t->p) : t->p - 1 - (uint32_t)(i % 3);
		}
		for (size_t f = 0; f < sizeof(lengths) / sizeof(lengths[0]); f++) {
			const size_t n = lengths[f];

			memset(expect, 0, sizeof(expect));
			for (size_t count = 0; count <= MOST; count++) {
				memset(out, 0x5a, sizeof(out));
				k->dot(out, a, b, count, STRIDE, n, t);
				ck_assert_mem_eq(out, expect, n * sizeof(out[0]));
				ck_assert_uint_eq(out[n], 0x5a5a5a5a);
				if (count < MOST)
					k->mul_add(expect, a + count * STRIDE, b + count * STRIDE,
						   n, t);
			}
		}
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("transforms");
	TCase *tc = tcase_create("transforms");
	SRunner *sr = srunner_create(s);

	tcase_set_timeout(tc, 120);
	tcase_add_checked_fixture(tc, setup, NULL);
	tcase_add_test(tc, the_primes_are_the_four_largest_below_2_to_the_30);
	tcase_add_loop_test(tc, psi_comes_from_the_least_primitive_root, 0, VLDAA_MAX_PRIMES);
	tcase_add_loop_test(tc, every_table_entry_follows_its_formula, 0, VLDAA_MAX_PRIMES);
	tcase_add_loop_test(tc, monomials_go_to_powers_of_the_roots_at_every_degree, 0,
			    VLDAA_MAX_PRIMES);
	tcase_add_loop_test(tc, any_int64_polynomial_is_evaluated_and_comes_back, 0,
			    VLDAA_MAX_PRIMES);
	tcase_add_loop_test(tc, the_inverse_accepts_every_residue, 0, VLDAA_MAX_PRIMES);
	tcase_add_loop_test(tc, pointwise_kernels_are_exact_at_the_edges, 0, VLDAA_MAX_PRIMES);
	tcase_add_loop_test(tc, pointwise_kernels_may_write_over_an_input_and_take_any_length, 0,
			    VLDAA_MAX_PRIMES);
	tcase_add_loop_test(tc, dot_products_are_sums_of_products, 0, VLDAA_MAX_PRIMES);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
