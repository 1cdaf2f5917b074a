/*
 * Promises: ML-DSA's arithmetic is that of FIPS 204, over its whole domain where that is finite:
 * rounding and hints for every number modulo q, against the standard's own formulas with divisions;
 * transforms against their definition and against schoolbook products, also at the ends of their
 * ranges; roots of unity from nothing but 1753; samplers against the standard's algorithms.
 */
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

#include "mldsa_common.h"

enum { N = VLDAA_MLDSA_N, Q = VLDAA_MLDSA_Q, D = VLDAA_MLDSA_D };

static int64_t modulo(int64_t a, int64_t m)
{
	const int64_t r = a % m;

	return r < 0 ? r + m : r;
}

/* mod+-: in (-m/2, m/2] */
static int64_t centred(int64_t a, int64_t m)
{
	const int64_t r = modulo(a, m);

	return r > m / 2 ? r - m : r;
}

static int64_t power(int64_t base, uint32_t exponent)
{
	int64_t out = 1;

	for (; exponent; exponent >>= 1, base = base * base % Q) {
		if (exponent & 1)
			out = out * base % Q;
	}
	return out;
}

static uint32_t reversed(uint32_t x)
{
	uint32_t out = 0;

	for (int i = 0; i < 8; i++, x >>= 1)
		out = 2 * out + (x & 1);
	return out;
}

/* Coefficients in [0, q), by 8 bytes each. */
static vldaa_mldsa_poly random_poly(uint64_t label)
{
	static uint8_t bytes[8 * N];
	vldaa_mldsa_poly a;

	mldsa_bytes(label, bytes, sizeof bytes);
	for (size_t j = 0; j < N; j++) {
		uint64_t x = 0;

		for (size_t i = 0; i < 8; i++)
			x = x << 8 | bytes[8 * j + i];
		a.c[j] = (int32_t)(x % Q);
	}
	return a;
}

static vldaa_mldsa_poly constant_poly(int32_t value)
{
	vldaa_mldsa_poly a;

	for (size_t j = 0; j < N; j++)
		a.c[j] = value;
	return a;
}

static void assert_same(const vldaa_mldsa_poly *a, const vldaa_mldsa_poly *b)
{
	for (size_t j = 0; j < N; j++) {
		if (modulo((int64_t)a->c[j] - b->c[j], Q) != 0)
			ck_abort_msg("coefficient %zu: %d and %d", j, a->c[j], b->c[j]);
	}
}

static void assert_range(const vldaa_mldsa_poly *a, int32_t low, int32_t high)
{
	for (size_t j = 0; j < N; j++) {
		if (a->c[j] < low || a->c[j] > high)
			ck_abort_msg("coefficient %zu: %d", j, a->c[j]);
	}
}

/* acc += a b in Z_q[X]/(X^256 + 1). */
static void schoolbook(vldaa_mldsa_poly *acc, const vldaa_mldsa_poly *a, const vldaa_mldsa_poly *b)
{
	for (size_t i = 0; i < N; i++) {
		for (size_t j = 0; j < N; j++) {
			int32_t *const at = &acc->c[(i + j) % N];
			const int64_t x = (int64_t)a->c[i] * b->c[j] % Q;

			*at = (int32_t)modulo(i + j < N ? *at + x : *at - x, Q);
		}
	}
}

START_TEST(roots_are_powers_of_1753)
{
	for (uint32_t i = 0; i < N; i++) {
		const int64_t root = power(1753, reversed(i));

		ck_assert_int_eq(vldaa_mldsa_zetas[i], centred(root * (INT64_C(1) << 32) % Q, Q));
	}
	/* a primitive 512th root of unity */
	ck_assert_int_eq(power(1753, 256), Q - 1);
}
END_TEST

START_TEST(the_transform_evaluates_at_the_odd_powers)
{
	for (uint64_t label = 0; label < 3; label++) {
		const vldaa_mldsa_poly a = random_poly(label);
		vldaa_mldsa_poly hat = a;
		vldaa_mldsa_poly expected;

		vldaa_mldsa_ntt(&hat);
		for (uint32_t i = 0; i < N; i++) {
			const int64_t x = power(1753, 2 * reversed(i) + 1);
			int64_t value = 0;

			for (size_t j = N; j-- > 0;)
				value = (value * x + a.c[j]) % Q;
			expected.c[i] = (int32_t)value;
		}
		assert_same(&hat, &expected);
	}
}
END_TEST

START_TEST(products_are_those_of_the_ring)
{
	/* the ends of the range, and between */
	vldaa_mldsa_poly factors[7] = {random_poly(10),     random_poly(11),  constant_poly(Q),
				       constant_poly(-Q),   constant_poly(1), constant_poly(0),
				       constant_poly(Q - 1)};

	for (size_t j = 0; j < N; j += 2)
		factors[2].c[j] = -Q;
	for (size_t x = 0; x < 7; x++) {
		for (size_t y = 0; y < 7; y++) {
			vldaa_mldsa_poly a = factors[x];
			vldaa_mldsa_poly b = factors[y];
			vldaa_mldsa_poly expected = {{0}};

			schoolbook(&expected, &a, &b);
			vldaa_mldsa_ntt(&a);
			vldaa_mldsa_ntt(&b);
			assert_range(&a, -9 * Q, 9 * Q);
			vldaa_mldsa_mul(&a, &a, &b);
			assert_range(&a, 1 - Q, Q - 1);
			vldaa_mldsa_intt(&a);
			assert_range(&a, 1 - Q, Q - 1);
			assert_same(&a, &expected);
		}
	}
}
END_TEST

START_TEST(sums_of_products_are_right_at_the_ends_of_their_range)
{
	vldaa_mldsa_poly a[8], b[8], out;

	for (int32_t sign = -1; sign <= 1; sign += 2) {
		for (size_t n = 1; n <= 8; n++) {
			a[n - 1] = constant_poly(Q - 1);
			b[n - 1] = constant_poly(sign * 9 * Q);
			b[n - 1].c[n] = sign * (9 * Q - (int32_t)n);
			vldaa_mldsa_dot(&out, a, b, n);
			assert_range(&out, 1 - Q, Q - 1);
			for (size_t j = 0; j < N; j++) {
				int64_t sum = 0;

				for (size_t i = 0; i < n; i++)
					sum += (int64_t)a[i].c[j] * b[i].c[j];
				ck_assert_int_eq(modulo((int64_t)out.c[j] * (INT64_C(1) << 32), Q),
						 modulo(sum, Q));
			}
		}
	}
}
END_TEST

START_TEST(reductions_keep_their_ranges)
{
	static const int32_t edges[] = {0,
					1,
					-1,
					Q,
					-Q,
					Q - 1,
					1 - Q,
					2 * Q,
					-2 * Q,
					1 << 22,
					-(1 << 22),
					(1 << 22) - 1,
					1 << 23,
					-(1 << 23),
					9 * Q,
					-9 * Q,
					INT32_MAX - (1 << 22),
					-INT32_MAX + (1 << 22)};
	const size_t count = sizeof edges / sizeof edges[0];
	vldaa_mldsa_poly a = {{0}};
	vldaa_mldsa_poly b;

	for (size_t j = 0; j < N; j++)
		a.c[j] = edges[j % count] - (j >= count && edges[j % count] > 0);
	b = a;
	vldaa_mldsa_reduce(&b);
	assert_range(&b, -(1 << 22) - (1 << 21), (1 << 22) + (1 << 21));
	assert_same(&b, &a);
	vldaa_mldsa_freeze(&b);
	assert_range(&b, 0, Q - 1);
	assert_same(&b, &a);
	/* small numbers come out as themselves, whichever representative went in */
	for (int32_t turn = -2; turn <= 2; turn++) {
		const int32_t most = (1 << 22) - (1 << 14) - 1;

		for (size_t j = 0; j < N; j++)
			a.c[j] = j % 2 ? most - (int32_t)j : (int32_t)j - most;
		for (size_t j = 0; j < N; j++)
			b.c[j] = a.c[j] + turn * Q;
		vldaa_mldsa_reduce(&b);
		ck_assert_mem_eq(&a, &b, sizeof a);
	}
}
END_TEST

START_TEST(exceeds_is_true_from_the_bound_on)
{
	static const int32_t bounds[] = {
	    1, 3, 95232 - 78, (1 << 17) - 78, 261888 - 120, (1 << 19) - 120};

	for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; i++) {
		for (size_t j = 0; j < N; j += 51) {
			vldaa_mldsa_poly a = constant_poly(j % 2 ? bounds[i] - 1 : 1 - bounds[i]);

			ck_assert_int_eq(vldaa_mldsa_exceeds(&a, bounds[i]), 0);
			a.c[j] = bounds[i];
			ck_assert_int_eq(vldaa_mldsa_exceeds(&a, bounds[i]), 1);
			a.c[j] = -bounds[i];
			ck_assert_int_eq(vldaa_mldsa_exceeds(&a, bounds[i]), 1);
			a.c[j] = Q - 1;
			ck_assert_int_eq(vldaa_mldsa_exceeds(&a, bounds[i]), 1);
			a.c[j] = 1 - Q;
			ck_assert_int_eq(vldaa_mldsa_exceeds(&a, bounds[i]), 1);
		}
	}
}
END_TEST

/* The next N numbers from first on; past the last one, the last again. */
static vldaa_mldsa_poly numbers(int32_t first, int32_t last)
{
	vldaa_mldsa_poly a;

	for (int32_t j = 0; j < N; j++)
		a.c[j] = first + j < last ? first + j : last;
	return a;
}

START_TEST(power2round_is_algorithm_35_for_every_number)
{
	for (int32_t first = 0; first < Q; first += N) {
		const vldaa_mldsa_poly a = numbers(first, Q - 1);
		vldaa_mldsa_poly a1, a0;

		vldaa_mldsa_power2round(&a1, &a0, &a);
		for (size_t j = 0; j < N; j++) {
			const int64_t low = centred(a.c[j], 1 << D);

			if (a0.c[j] != low || a1.c[j] != (a.c[j] - low) / (1 << D))
				ck_abort_msg("%d: %d, %d", a.c[j], a1.c[j], a0.c[j]);
		}
	}
}
END_TEST

/* Algorithm 36: the high part; *low gets the low one. */
static int32_t decomposed(const vldaa_mldsa_set *set, int32_t a, int32_t *low)
{
	*low = (int32_t)centred(a, 2 * set->gamma2);
	if (a - *low == Q - 1) {
		--*low;
		return 0;
	}
	return (a - *low) / (2 * set->gamma2);
}

START_TEST(decompose_and_use_hint_are_algorithms_36_and_40_for_every_number)
{
	const vldaa_mldsa_set *set = mldsa_sets[_i];
	const int32_t m = (Q - 1) / (2 * set->gamma2);

	for (int32_t first = 0; first < Q; first += N) {
		const vldaa_mldsa_poly a = numbers(first, Q - 1);
		const vldaa_mldsa_poly one = constant_poly(1);
		const vldaa_mldsa_poly zero = constant_poly(0);
		vldaa_mldsa_poly a1, a0, with = a, without = a;

		vldaa_mldsa_decompose(set, &a1, &a0, &a);
		vldaa_mldsa_use_hint(set, &with, &one);
		vldaa_mldsa_use_hint(set, &without, &zero);
		for (size_t j = 0; j < N; j++) {
			int32_t low;
			const int32_t high = decomposed(set, a.c[j], &low);
			const int32_t other = (int32_t)modulo(low > 0 ? high + 1 : high - 1, m);

			if (a1.c[j] != high || a0.c[j] != low || without.c[j] != high ||
			    with.c[j] != other)
				ck_abort_msg("%d: %d, %d, %d, %d", a.c[j], a1.c[j], a0.c[j],
					     without.c[j], with.c[j]);
		}
	}
}
END_TEST

START_TEST(make_hint_is_algorithm_39_for_every_high_and_low_part)
{
	const vldaa_mldsa_set *set = mldsa_sets[_i];
	const int32_t m = (Q - 1) / (2 * set->gamma2);
	const int32_t last = 2 * set->gamma2 - 1;

	for (int32_t high = 0; high < m; high++) {
		const vldaa_mldsa_poly a1 = constant_poly(high);

		for (int32_t first = -last; first <= last; first += N) {
			const vldaa_mldsa_poly a0 = numbers(first, last);
			vldaa_mldsa_poly h;
			uint32_t expected = 0;
			const uint32_t count = vldaa_mldsa_make_hint(set, &h, &a1, &a0);

			for (size_t j = 0; j < N; j++) {
				int32_t low, r = high * 2 * set->gamma2 + a0.c[j];

				r += r < 0 ? Q : r >= Q ? -Q : 0;
				const int hint = decomposed(set, r, &low) != high;
				if (h.c[j] != hint)
					ck_abort_msg("%d, %d: %d", high, a0.c[j], h.c[j]);
				expected += (uint32_t)hint;
			}
			ck_assert_uint_eq(count, expected);
		}
	}
}
END_TEST

/* SHAKE of libcrypto: len bytes of a || b. */
static void shake(const EVP_MD *md, uint8_t *out, size_t len, const void *a, size_t a_len,
		  const void *b, size_t b_len)
{
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();

	ck_assert_int_eq(EVP_DigestInit_ex(ctx, md, NULL), 1);
	ck_assert_int_eq(EVP_DigestUpdate(ctx, a, a_len), 1);
	ck_assert_int_eq(EVP_DigestUpdate(ctx, b, b_len), 1);
	ck_assert_int_eq(EVP_DigestFinalXOF(ctx, out, len), 1);
	EVP_MD_CTX_free(ctx);
}

/* Seeds whose first element draws q - 1, the last number that is kept, and q, the first that is
 * not; each is one in 2^23 draws.  Found by trying seeds from 0 on. */
static const struct {
	uint32_t seed;
	int32_t drawn;
} rare[] = {{16089, Q - 1}, {24802, Q - 1}, {156971, Q}, {159768, Q}};

START_TEST(elements_of_the_matrix_are_algorithm_30s_at_q_too)
{
	const vldaa_mldsa_set *set = &vldaa_mldsa_87;
	const uint32_t seed = rare[_i].seed;
	const uint8_t rho[32] = {(uint8_t)seed, (uint8_t)(seed >> 8), (uint8_t)(seed >> 16)};
	static vldaa_mldsa_poly a[VLDAA_MLDSA_MAX_K * VLDAA_MLDSA_MAX_L];
	size_t drawn = 0;

	vldaa_mldsa_expand_a(set, a, rho);
	for (uint32_t e = 0; e < set->k * set->l; e++) {
		const uint8_t place[2] = {(uint8_t)(e % set->l), (uint8_t)(e / set->l)};
		uint8_t bytes[1200];
		size_t n = 0;

		shake(EVP_shake128(), bytes, sizeof bytes, rho, sizeof rho, place, sizeof place);
		for (size_t at = 0; n < N; at += 3) {
			const int32_t x =
			    bytes[at] + 256 * bytes[at + 1] + 65536 * (bytes[at + 2] % 128);

			drawn += x == rare[_i].drawn;
			if (x < Q && a[e].c[n++] != x)
				ck_abort_msg("element %u, coefficient %zu", e, n - 1);
		}
	}
	ck_assert_uint_ge(drawn, 1);
}
END_TEST

START_TEST(challenges_are_algorithm_29s_and_have_weight_tau)
{
	const vldaa_mldsa_set *set = mldsa_sets[_i];

	for (uint64_t label = 0; label < 200; label++) {
		uint8_t ctilde[VLDAA_MLDSA_MAX_CTILDE];
		uint8_t bytes[1000];
		vldaa_mldsa_poly c, expected = {{0}};
		size_t at = 8;
		uint32_t weight = 0;

		mldsa_bytes(label, ctilde, sizeof ctilde);
		shake(EVP_shake256(), bytes, sizeof bytes, ctilde, set->ctilde_bytes, NULL, 0);
		for (uint32_t i = N - set->tau, bit = 0; i < N; i++, bit++) {
			while (bytes[at] > i)
				at++;
			expected.c[i] = expected.c[bytes[at]];
			expected.c[bytes[at]] = bytes[bit / 8] >> (bit % 8) & 1 ? -1 : 1;
			at++;
		}
		vldaa_mldsa_sample_in_ball(set, &c, ctilde);
		ck_assert_mem_eq(&c, &expected, sizeof c);
		for (size_t j = 0; j < N; j++)
			weight += c.c[j] != 0;
		ck_assert_uint_eq(weight, set->tau);
	}
}
END_TEST

START_TEST(masks_are_algorithm_34s)
{
	const vldaa_mldsa_set *set = mldsa_sets[_i];
	const uint32_t bits = set->gamma1_bits + 1;
	vldaa_mldsa_poly y[VLDAA_MLDSA_MAX_L];
	uint8_t seed[64];

	mldsa_bytes(7, seed, sizeof seed);
	for (uint32_t kappa = 0; kappa < 7000; kappa += 693) {
		vldaa_mldsa_expand_mask(set, y, seed, kappa);
		for (uint32_t i = 0; i < set->l; i++) {
			const uint8_t place[2] = {(uint8_t)((kappa + i) % 256),
						  (uint8_t)((kappa + i) / 256)};
			uint8_t bytes[20 * N / 8];

			shake(EVP_shake256(), bytes, bits * N / 8, seed, sizeof seed, place,
			      sizeof place);
			for (uint32_t j = 0; j < N; j++) {
				int32_t x = 0;

				for (uint32_t b = 0; b < bits; b++) {
					const uint32_t at = j * bits + b;

					x |= (bytes[at / 8] >> (at % 8) & 1) << b;
				}
				ck_assert_int_eq(y[i].c[j], (1 << set->gamma1_bits) - x);
			}
		}
	}
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("poly");

	tcase_add_test(tc, roots_are_powers_of_1753);
	tcase_add_test(tc, the_transform_evaluates_at_the_odd_powers);
	tcase_add_test(tc, products_are_those_of_the_ring);
	tcase_add_test(tc, sums_of_products_are_right_at_the_ends_of_their_range);
	tcase_add_test(tc, reductions_keep_their_ranges);
	tcase_add_test(tc, exceeds_is_true_from_the_bound_on);
	tcase_add_test(tc, power2round_is_algorithm_35_for_every_number);
	tcase_add_loop_test(tc, decompose_and_use_hint_are_algorithms_36_and_40_for_every_number, 0,
			    MLDSA_SETS);
	tcase_add_loop_test(tc, make_hint_is_algorithm_39_for_every_high_and_low_part, 0,
			    MLDSA_SETS);
	tcase_add_loop_test(tc, elements_of_the_matrix_are_algorithm_30s_at_q_too, 0,
			    (int)(sizeof rare / sizeof rare[0]));
	tcase_add_loop_test(tc, challenges_are_algorithm_29s_and_have_weight_tau, 0, MLDSA_SETS);
	tcase_add_loop_test(tc, masks_are_algorithm_34s, 0, MLDSA_SETS);
	return mldsa_run("mldsa_poly", tc);
}
