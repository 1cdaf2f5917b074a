/*
 * Promises: an issuer's NTRU key has one encoding, of Falcon's length, and reads back as itself
 * with its public key; truncated, padded or altered bytes are refused, by their right names, and
 * leave nothing behind; the encoding is a known answer.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/sampling.h"
#include "ntru_common.h"
#include "scheme/ntru_secret.h"
#include "vldaa/error.h"

enum { MAX_BYTES = 2304 };

static vldaa_ntru_key key, read;
static int64_t h[VLDAA_MAX_DEGREE], read_h[VLDAA_MAX_DEGREE];
static uint8_t bytes[MAX_BYTES + 1];

/* The bytes of the seed's key. */
static size_t packed(const vldaa_ntru_set *set, uint8_t seed)
{
	vldaa_writer w;
	size_t len;

	ntru_key_of(set, seed, &key, h);
	memset(bytes, 0, sizeof bytes);
	vldaa_put_init(&w, bytes, MAX_BYTES);
	vldaa_ntru_secret_pack(set, &w, &key);
	ck_assert_int_eq(vldaa_put_end(&w, &len), VLDAA_OK);
	ck_assert_uint_eq(len, vldaa_ntru_secret_size(set));
	return len;
}

static int unpack(const vldaa_ntru_set *set, size_t len)
{
	vldaa_reader r;

	memset(&read, 0x55, sizeof read);
	memset(read_h, 0x55, sizeof read_h);
	vldaa_get_init(&r, bytes, len);
	vldaa_ntru_secret_unpack(set, &r, &read, read_h);
	return vldaa_get_end(&r);
}

static void expect_refused(const vldaa_ntru_set *set, size_t len, int err)
{
	static const vldaa_ntru_key zero;
	static const int64_t zero_h[VLDAA_MAX_DEGREE];

	ck_assert_int_eq(unpack(set, len), err);
	ck_assert_mem_eq(&read, &zero, sizeof zero);
	ck_assert_mem_eq(read_h, zero_h, set->ring.d * sizeof *h);
}

START_TEST(a_key_reads_back_as_itself)
{
	const vldaa_ntru_set *set = ntru_sets[_i];

	for (uint8_t seed = 0; seed < 5; seed++) {
		const size_t len = packed(set, seed);

		/* Falcon's private keys (specification v1.2, encoding) without their header. */
		ck_assert_uint_eq(len, _i == 0 ? 1280 : 2304);
		ck_assert_int_eq(unpack(set, len), VLDAA_OK);
		ck_assert_mem_eq(&read, &key, sizeof key);
		ck_assert_mem_eq(read_h, h, set->ring.d * sizeof *h);
		ck_assert_int_eq(unpack(set, len + 1), VLDAA_ERR_TRAILING);
	}
}
END_TEST

START_TEST(truncated_bytes_are_refused)
{
	const vldaa_ntru_set *set = ntru_sets[_i];
	const size_t len = packed(set, 1);

	for (size_t cut = 0; cut < len; cut += 101)
		expect_refused(set, cut, VLDAA_ERR_TRUNCATED);
	expect_refused(set, len - 1, VLDAA_ERR_TRUNCATED);
}
END_TEST

START_TEST(no_changed_bit_is_accepted)
{
	const vldaa_ntru_set *set = ntru_sets[_i];
	const size_t len = packed(set, 2);

	for (size_t bit = 0; bit < 8 * len; bit += 61) {
		bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
		const int err = unpack(set, len);
		ck_assert(err == VLDAA_ERR_KEY || err == VLDAA_ERR_RANGE);
		expect_refused(set, len, err);
		bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
	}
	ck_assert_int_eq(unpack(set, len), VLDAA_OK);
}
END_TEST

START_TEST(values_out_of_range_are_refused_as_such)
{
	const vldaa_ntru_set *set = ntru_sets[_i];
	const size_t len = packed(set, 3);
	const size_t small = (_i == 0 ? 6 : 5) * (size_t)set->ring.d / 8;
	/* f's first field, g's, and F's last, all ones: one more than twice the maximum. */
	const size_t places[3] = {0, small, len - 1};

	for (int i = 0; i < 3; i++) {
		const uint8_t before = bytes[places[i]];

		bytes[places[i]] = 0xff;
		expect_refused(set, len, VLDAA_ERR_RANGE);
		bytes[places[i]] = before;
	}
}
END_TEST

START_TEST(another_issuers_F_is_no_key)
{
	const vldaa_ntru_set *set = ntru_sets[_i];
	static uint8_t other[MAX_BYTES];
	const size_t len = packed(set, 4);
	const size_t pair = len - set->ring.d;

	memcpy(other, bytes, len);
	packed(set, 5);
	memcpy(bytes + pair, other + pair, len - pair);
	expect_refused(set, len, VLDAA_ERR_KEY);
	memset(bytes, 0, len);
	expect_refused(set, len, VLDAA_ERR_KEY);
}
END_TEST

START_TEST(encodings_are_known_answers)
{
	static const char *const expected[2] = {"e927862edba6c4ccbeeedae4ea04e107",
						"43982f5930bee8dc1b185bd3d2dbf171"};
	const size_t len = packed(ntru_sets[_i], 1);
	int64_t values[MAX_BYTES];
	char hex[33];

	for (size_t i = 0; i < len; i++)
		values[i] = bytes[i];
	digest_values(hex, values, len);
	ck_assert_str_eq(hex, expected[_i]);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("NTRU keys in bytes");
	TCase *tc = tcase_create("NTRU keys in bytes");
	SRunner *sr = srunner_create(s);

	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, a_key_reads_back_as_itself, 0, 2);
	tcase_add_loop_test(tc, truncated_bytes_are_refused, 0, 2);
	tcase_add_loop_test(tc, no_changed_bit_is_accepted, 0, 2);
	tcase_add_loop_test(tc, values_out_of_range_are_refused_as_such, 0, 2);
	tcase_add_loop_test(tc, another_issuers_F_is_no_key, 0, 2);
	tcase_add_loop_test(tc, encodings_are_known_answers, 0, 2);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
