/*
 * Promises: hash inputs are framed as hash.h says, so different inputs never have the same bytes;
 * every use has its own separator; an operation's stream depends on all of seed and set; wiping
 * wipes and comparing compares.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "random/hash.h"
#include "random/rng.h"
#include "random/secret.h"

enum { DIGEST = 32 };

static void digest_of(uint8_t out[DIGEST], enum vldaa_domain domain, uint32_t set_id,
		      const char *part1, const char *part2)
{
	vldaa_shake s;

	vldaa_hash_init(&s, VLDAA_SHAKE256_RATE, domain, set_id);
	if (part1)
		vldaa_hash_part(&s, part1, strlen(part1));
	if (part2)
		vldaa_hash_part(&s, part2, strlen(part2));
	vldaa_shake_squeeze(&s, out, DIGEST);
}

START_TEST(the_framing_is_the_documented_one)
{
	static const uint8_t framed[] = "\012VLDAA sign\1\2\3\4"
					"\0\0\0\0\0\0\0\3abc"
					"\0\0\0\0\0\0\0\0"
					"\0\0\0\0\0\0\0\4\x89\xab\xcd\xef";
	uint8_t expected[DIGEST];
	uint8_t got[DIGEST];
	vldaa_shake s;

	vldaa_shake_init(&s, VLDAA_SHAKE128_RATE);
	vldaa_shake_absorb(&s, framed, sizeof framed - 1);
	vldaa_shake_squeeze(&s, expected, sizeof expected);

	vldaa_hash_init(&s, VLDAA_SHAKE128_RATE, VLDAA_DOMAIN_SIGN, 0x01020304);
	vldaa_hash_part(&s, "abc", 3);
	vldaa_hash_part(&s, "", 0);
	vldaa_hash_u32(&s, 0x89abcdef);
	vldaa_shake_squeeze(&s, got, sizeof got);
	ck_assert_mem_eq(got, expected, sizeof expected);
}
END_TEST

START_TEST(inputs_that_join_to_the_same_text_have_different_hashes)
{
	static const char *const inputs[][2] = {{"ab", "c"}, {"a", "bc"},   {"abc", ""},
						{"", "abc"}, {"abc", NULL}, {"", NULL},
						{"", ""},    {NULL, NULL}};
	enum { INPUTS = sizeof inputs / sizeof inputs[0] };
	uint8_t digest[INPUTS][DIGEST];

	for (int i = 0; i < INPUTS; i++) {
		digest_of(digest[i], VLDAA_DOMAIN_MESSAGE, 1, inputs[i][0], inputs[i][1]);
		for (int j = 0; j < i; j++)
			ck_assert_mem_ne(digest[i], digest[j], DIGEST);
	}
}
END_TEST

START_TEST(a_part_in_pieces_is_the_part)
{
	uint8_t expected[DIGEST];
	uint8_t got[DIGEST];
	vldaa_shake s;

	digest_of(expected, VLDAA_DOMAIN_MESSAGE, 1, "a long message", NULL);
	vldaa_hash_init(&s, VLDAA_SHAKE256_RATE, VLDAA_DOMAIN_MESSAGE, 1);
	vldaa_hash_part_begin(&s, 14);
	vldaa_shake_absorb(&s, "a long", 6);
	vldaa_shake_absorb(&s, " message", 8);
	vldaa_shake_squeeze(&s, got, sizeof got);
	ck_assert_mem_eq(got, expected, DIGEST);
}
END_TEST

START_TEST(every_domain_and_every_set_has_its_own_hashes)
{
	uint8_t digest[2 * VLDAA_DOMAINS][DIGEST];

	for (int i = 0; i < 2 * VLDAA_DOMAINS; i++) {
		digest_of(digest[i], (enum vldaa_domain)(i / 2), 1 + (uint32_t)(i % 2), "same",
			  "parts");
		for (int j = 0; j < i; j++)
			ck_assert_mem_ne(digest[i], digest[j], DIGEST);
	}
}
END_TEST

START_TEST(a_stream_depends_on_every_byte_of_seed_and_set)
{
	uint8_t seed[VLDAA_SEED_BYTES] = {0};
	uint8_t first[DIGEST];
	uint8_t other[DIGEST];
	vldaa_rng rng;

	vldaa_rng_init(&rng, seed, 1);
	vldaa_rng_bytes(&rng, first, sizeof first);
	for (int i = 0; i < VLDAA_SEED_BYTES; i++) {
		seed[i] = 1;
		vldaa_rng_init(&rng, seed, 1);
		vldaa_rng_bytes(&rng, other, sizeof other);
		ck_assert_mem_ne(other, first, sizeof first);
		seed[i] = 0;
	}
	for (uint32_t bit = 0; bit < 32; bit++) {
		vldaa_rng_init(&rng, seed, 1 ^ (UINT32_C(1) << bit));
		vldaa_rng_bytes(&rng, other, sizeof other);
		ck_assert_mem_ne(other, first, sizeof first);
	}
}
END_TEST

START_TEST(words_are_the_streams_bytes_little_endian)
{
	const uint8_t seed[VLDAA_SEED_BYTES] = {1, 2, 3};
	uint8_t bytes[600];
	vldaa_rng rng;

	vldaa_rng_init(&rng, seed, 7);
	vldaa_rng_bytes(&rng, bytes, sizeof bytes);
	/* Three bytes first, so that words lie across lanes and blocks. */
	uint8_t head[3];
	vldaa_rng_init(&rng, seed, 7);
	vldaa_rng_bytes(&rng, head, sizeof head);
	ck_assert_mem_eq(head, bytes, sizeof head);
	for (size_t at = 3; at + 8 <= sizeof bytes; at += 8) {
		uint64_t expected = 0;
		for (size_t i = 8; i-- > 0;)
			expected = expected << 8 | bytes[at + i];
		ck_assert_uint_eq(vldaa_rng_u64(&rng), expected);
	}
}
END_TEST

START_TEST(clearing_leaves_nothing)
{
	const uint8_t seed[VLDAA_SEED_BYTES] = {9};
	vldaa_rng rng;
	vldaa_rng zero;

	memset(&zero, 0, sizeof zero);
	vldaa_rng_init(&rng, seed, 7);
	ck_assert_mem_ne(&rng, &zero, sizeof rng);
	vldaa_rng_clear(&rng);
	ck_assert_mem_eq(&rng, &zero, sizeof rng);
}
END_TEST

START_TEST(comparing_sees_every_bit)
{
	uint8_t a[19] = {0};
	uint8_t b[19] = {0};

	ck_assert_int_eq(vldaa_equal(a, b, sizeof a), 1);
	ck_assert_int_eq(vldaa_equal(a, b, 0), 1);
	for (size_t i = 0; i < 8 * sizeof a; i++) {
		b[i / 8] = (uint8_t)(1u << (i % 8));
		ck_assert_int_eq(vldaa_equal(a, b, sizeof a), 0);
		ck_assert_int_eq(vldaa_equal(a, b, i / 8), 1);
		b[i / 8] = 0;
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("hashes and streams");
	TCase *tc = tcase_create("hashes and streams");
	SRunner *sr = srunner_create(s);

	tcase_add_test(tc, the_framing_is_the_documented_one);
	tcase_add_test(tc, inputs_that_join_to_the_same_text_have_different_hashes);
	tcase_add_test(tc, a_part_in_pieces_is_the_part);
	tcase_add_test(tc, every_domain_and_every_set_has_its_own_hashes);
	tcase_add_test(tc, a_stream_depends_on_every_byte_of_seed_and_set);
	tcase_add_test(tc, words_are_the_streams_bytes_little_endian);
	tcase_add_test(tc, clearing_leaves_nothing);
	tcase_add_test(tc, comparing_sees_every_bit);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
