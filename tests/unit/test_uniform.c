/*
 * Promises: uniform polynomials are uniform, centred, and read their stream bit by bit; ternary
 * coefficients are uniform and independent; a challenge has weight kappa, uniform places and signs;
 * all are frozen by known answers.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "random/hash.h"
#include "sampler/uniform.h"
#include "sampling.h"
#include "scheme/published_set.h"

static const vldaa_published_set *const sets[3] = {&vldaa_published_42, &vldaa_published_128,
						   &vldaa_published_256};

static vldaa_shake stream_named(uint32_t rate, const char *name)
{
	vldaa_shake s;

	vldaa_shake_init(&s, rate);
	vldaa_shake_absorb(&s, name, strlen(name));
	return s;
}

/* Degree 64 and any modulus: what the samplers use of a ring. */
static vldaa_ring small_ring(int64_t q)
{
	vldaa_ring r = {.d = 64, .log_d = 6, .q = q, .primes = 1};

	while (INT64_C(1) << r.q_bits < q)
		r.q_bits++;
	return r;
}

/* A field, bit by bit. */
static uint64_t plain_field(vldaa_shake *stream, uint32_t q_bits, uint8_t *byte, uint32_t *used)
{
	uint64_t x = 0;

	for (uint32_t i = 0; i < q_bits; i++) {
		if (*used == 8) {
			vldaa_shake_squeeze(stream, byte, 1);
			*used = 0;
		}
		x |= (uint64_t)(*byte >> *used & 1) << i;
		++*used;
	}
	return x;
}

START_TEST(uniform_reads_fields_bit_by_bit)
{
	static const int64_t moduli[] = {3,    5,     17,    131,       257,
					 7583, 14867, 65537, 114356107, (INT64_C(1) << 47) - 115};

	for (size_t i = 0; i < sizeof moduli / sizeof moduli[0]; i++) {
		const vldaa_ring r = small_ring(moduli[i]);
		vldaa_shake stream = stream_named(VLDAA_SHAKE128_RATE, "fields");
		vldaa_shake plain = stream_named(VLDAA_SHAKE128_RATE, "fields");

		/* Three polynomials: each starts with a fresh byte. */
		for (int k = 0; k < 3; k++) {
			int64_t got[64];
			uint8_t byte = 0;
			uint32_t used = 8;

			vldaa_uniform_vartime(&r, got, &stream);
			for (uint32_t j = 0; j < r.d; j++) {
				uint64_t x;
				do {
					x = plain_field(&plain, r.q_bits, &byte, &used);
				} while (x >= (uint64_t)r.q);
				const int64_t centred =
				    x > (uint64_t)r.q / 2 ? (int64_t)x - r.q : (int64_t)x;
				ck_assert_int_eq(got[j], centred);
			}
		}
	}
}
END_TEST

START_TEST(uniform_is_uniform_for_each_set)
{
	enum { BINS = 1000, COEFFICIENTS = 1 << 18 };

	for (int i = 0; i < 3; i++) {
		const vldaa_ring *r = &sets[i]->ring;
		vldaa_shake stream = stream_named(sets[i]->rate, "uniform chi-square");
		int64_t a[VLDAA_MAX_DEGREE];
		double observed[BINS] = {0};
		double expected[BINS];

		for (uint32_t n = 0; n < COEFFICIENTS; n += r->d) {
			vldaa_uniform_vartime(r, a, &stream);
			for (uint32_t j = 0; j < r->d; j++) {
				if (a[j] < -(r->q / 2) || a[j] > r->q / 2)
					ck_abort_msg("not centred: %lld", (long long)a[j]);
				observed[(a[j] + r->q / 2) * BINS / r->q]++;
			}
		}
		/* Bin b has the numbers from ceil(b q / BINS) to below ceil((b + 1) q / BINS). */
		for (int b = 0; b < BINS; b++) {
			const int64_t size =
			    ((b + 1) * r->q + BINS - 1) / BINS - (b * r->q + BINS - 1) / BINS;
			expected[b] = COEFFICIENTS * (double)size / (double)r->q;
		}
		const double deviate = chi_square_deviate(observed, expected, BINS);
		ck_assert_double_lt(deviate, suspicious);
		ck_assert_double_gt(deviate, -suspicious);
	}
}
END_TEST

START_TEST(ternary_reads_five_digits_a_byte)
{
	/* Lengths around multiples of five and of the sampler's own chunks. */
	static const size_t lengths[] = {0, 1, 4, 5, 6, 128, 639, 640, 641, 1024, 3072};
	vldaa_rng rng = numbered_rng(80);
	vldaa_rng plain = numbered_rng(80);
	static int64_t got[3072];

	for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
		size_t n = 0;

		vldaa_ternary(got, lengths[i], &rng);
		while (n < lengths[i]) {
			uint8_t byte;
			vldaa_rng_bytes(&plain, &byte, 1);
			for (int digit = 0; byte < 243 && digit < 5 && n < lengths[i]; digit++) {
				static const int power[5] = {1, 3, 9, 27, 81};
				if (got[n++] != byte / power[digit] % 3 - 1)
					ck_abort_msg("length %zu differs at %zu", lengths[i],
						     n - 1);
			}
		}
	}
	ck_assert_uint_eq(vldaa_rng_u64(&rng), vldaa_rng_u64(&plain));
}
END_TEST

START_TEST(ternary_is_uniform_also_in_groups_of_five)
{
	enum { GROUPS = 200000 };
	static int64_t got[5 * GROUPS];
	double observed[243] = {0};
	double expected[243];
	vldaa_rng rng = numbered_rng(81);

	vldaa_ternary(got, 5 * GROUPS, &rng);
	for (size_t i = 0; i < GROUPS; i++) {
		size_t group = 0;
		for (size_t j = 0; j < 5; j++)
			group = 3 * group + (size_t)(got[5 * i + j] + 1);
		ck_assert_uint_lt(group, 243);
		observed[group]++;
	}
	for (int i = 0; i < 243; i++)
		expected[i] = GROUPS / 243.0;
	const double deviate = chi_square_deviate(observed, expected, 243);
	ck_assert_double_lt(deviate, suspicious);
	ck_assert_double_gt(deviate, -suspicious);
}
END_TEST

static void challenge_of(const vldaa_published_set *set, int64_t *c, const uint8_t *seed,
			 size_t len)
{
	vldaa_challenge_vartime(&set->ring, c, set->kappa, set->rate, set->id, seed, len);
}

START_TEST(challenges_have_uniform_places_and_signs)
{
	enum { CHALLENGES = 20000 };
	int64_t c[VLDAA_MAX_DEGREE];

	for (int i = 0; i < 3; i++) {
		const uint32_t d = sets[i]->ring.d;
		const uint32_t kappa = sets[i]->kappa;
		const double rate = (double)kappa / d;
		double places[VLDAA_MAX_DEGREE] = {0};
		double signs[VLDAA_MAX_DEGREE] = {0};
		double place_sum = 0;
		double sign_sum = 0;

		for (uint64_t n = 0; n < CHALLENGES; n++) {
			uint8_t seed[8];
			uint32_t weight = 0;

			vldaa_store64(seed, n);
			challenge_of(sets[i], c, seed, sizeof seed);
			for (uint32_t j = 0; j < d; j++) {
				if (c[j] < -1 || c[j] > 1)
					ck_abort_msg("coefficient %lld", (long long)c[j]);
				weight += c[j] != 0;
				places[j] += c[j] != 0;
				signs[j] += (double)c[j];
			}
			if (weight != kappa)
				ck_abort_msg("weight %u", weight);
		}
		/* Places: binomial each, with one linear relation, so variance and freedom shrink
		 * together: the sum over d of squared deviates is chi-square with d - 1, times d /
		 * (d - 1). */
		for (uint32_t j = 0; j < d; j++) {
			const double off = places[j] - CHALLENGES * rate;
			place_sum += off * off / (CHALLENGES * rate * (1 - rate));
			sign_sum += signs[j] * signs[j] / (CHALLENGES * rate);
		}
		ck_assert_double_lt(fabs(place_sum / d - 1), suspicious * sqrt(2.0 / d));
		ck_assert_double_lt(fabs(sign_sum / d - 1), suspicious * sqrt(2.0 / d));
	}
}
END_TEST

START_TEST(a_challenge_depends_on_seed_set_and_rate)
{
	const vldaa_ring *r = &vldaa_published_128.ring;
	const uint8_t seed[3] = {1, 2, 3};
	int64_t c[4][VLDAA_MAX_DEGREE] = {{0}};

	vldaa_challenge_vartime(r, c[0], 120, VLDAA_SHAKE128_RATE, 1, seed, 3);
	vldaa_challenge_vartime(r, c[1], 120, VLDAA_SHAKE128_RATE, 1, seed, 2);
	vldaa_challenge_vartime(r, c[2], 120, VLDAA_SHAKE128_RATE, 2, seed, 3);
	vldaa_challenge_vartime(r, c[3], 120, VLDAA_SHAKE256_RATE, 1, seed, 3);
	for (int i = 0; i < 4; i++) {
		for (int j = 0; j < i; j++)
			ck_assert_mem_ne(c[i], c[j], sizeof c[i]);
	}
}
END_TEST

START_TEST(a_challenge_may_fill_the_whole_polynomial)
{
	const vldaa_ring r = vldaa_published_256.ring;
	const uint8_t seed[1] = {9};
	int64_t c[VLDAA_MAX_DEGREE];

	vldaa_challenge_vartime(&r, c, r.d, VLDAA_SHAKE256_RATE, 1, seed, sizeof seed);
	for (uint32_t i = 0; i < r.d; i++)
		ck_assert(c[i] == 1 || c[i] == -1);
}
END_TEST

/* Known answers: computed by a separate Python program from the documentation. */
START_TEST(nothing_here_ever_changes)
{
	static const char *const uniform[3] = {"92a796641835cb1f1cf39bf682bec25d",
					       "c5ffab9fef130ab5ca317d23671f4953",
					       "96021ac9b1942b95f0952e97dd1d876a"};
	static const char *const challenge[3] = {"050c76a536828c5e1cc529eadf1618f1",
						 "3014c1165ba93ce87b9b2134a4eada69",
						 "aacef57fabcaf02e4a98832fad7ba536"};
	static const char text[] = "a challenge's seed";
	int64_t values[2 * VLDAA_MAX_DEGREE];
	char digest[33];

	for (int i = 0; i < 3; i++) {
		const vldaa_ring *r = &sets[i]->ring;
		vldaa_shake stream = stream_named(VLDAA_SHAKE128_RATE, "uniform");

		vldaa_uniform_vartime(r, values, &stream);
		vldaa_uniform_vartime(r, values + r->d, &stream);
		digest_values(digest, values, 2 * (size_t)r->d);
		ck_assert_str_eq(digest, uniform[i]);

		challenge_of(sets[i], values, (const uint8_t *)text, sizeof text - 1);
		digest_values(digest, values, r->d);
		ck_assert_str_eq(digest, challenge[i]);
	}
	vldaa_rng rng = numbered_rng(9);
	vldaa_ternary(values, 1003, &rng);
	digest_values(digest, values, 1003);
	ck_assert_str_eq(digest, "751f7206accbea02ed3ad7f53cadbf76");
	ck_assert_uint_eq(vldaa_rng_u64(&rng), UINT64_C(0x499797dfad8e99b8));
}
END_TEST

int main(void)
{
	Suite *s = suite_create("uniform, ternary, challenge");
	TCase *tc = tcase_create("uniform, ternary, challenge");
	SRunner *sr = srunner_create(s);

	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, uniform_reads_fields_bit_by_bit);
	tcase_add_test(tc, uniform_is_uniform_for_each_set);
	tcase_add_test(tc, ternary_reads_five_digits_a_byte);
	tcase_add_test(tc, ternary_is_uniform_also_in_groups_of_five);
	tcase_add_test(tc, challenges_have_uniform_places_and_signs);
	tcase_add_test(tc, a_challenge_depends_on_seed_set_and_rate);
	tcase_add_test(tc, a_challenge_may_fill_the_whole_polynomial);
	tcase_add_test(tc, nothing_here_ever_changes);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
