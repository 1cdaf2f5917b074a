/*
 * Promises: SHAKE-128 and SHAKE-256 are FIPS 202's, for every length and however input and output
 * are cut into pieces; the round constants are the standard's; loads and stores are little-endian;
 * four streams side by side are four streams.
 */
#include <check.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

#include "random/keccak.h"
#include "random/shake.h"
#include "random/shake_x4.h"

enum { MAX_LEN = 1000 };

static const uint32_t rates[2] = {VLDAA_SHAKE128_RATE, VLDAA_SHAKE256_RATE};

/* The oracle: libcrypto's one-shot SHAKE. */
static void libcrypto_shake(uint32_t rate, uint8_t *out, size_t out_len, const uint8_t *in,
			    size_t len)
{
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	const EVP_MD *md = rate == VLDAA_SHAKE128_RATE ? EVP_shake128() : EVP_shake256();

	ck_assert_ptr_nonnull(ctx);
	ck_assert_int_eq(EVP_DigestInit_ex(ctx, md, NULL), 1);
	ck_assert_int_eq(EVP_DigestUpdate(ctx, in, len), 1);
	ck_assert_int_eq(EVP_DigestFinalXOF(ctx, out, out_len), 1);
	EVP_MD_CTX_free(ctx);
}

static void our_shake(uint32_t rate, uint8_t *out, size_t out_len, const uint8_t *in, size_t len)
{
	vldaa_shake s;

	vldaa_shake_init(&s, rate);
	vldaa_shake_absorb(&s, in, len);
	vldaa_shake_squeeze(&s, out, out_len);
}

static void from_hex(uint8_t *out, const char *hex)
{
	for (size_t i = 0; hex[2 * i] != '\0'; i++) {
		const char digits[3] = {hex[2 * i], hex[2 * i + 1], '\0'};
		out[i] = (uint8_t)strtoul(digits, NULL, 16);
	}
}

/*
 * The first 64 bytes of NIST's "Examples with Intermediate Values", SHAKE128 and SHAKE256, Msg0 and
 * Msg1600 (the byte a3 200 times), csrc.nist.gov/projects/cryptographic-standards-and-guidelines/
 * example-values.
 */
START_TEST(the_examples_of_nist_come_out)
{
	static const struct {
		uint32_t rate;
		size_t len;
		const char *hex;
	} examples[] = {
	    {VLDAA_SHAKE128_RATE, 0,
	     "7f9c2ba4e88f827d616045507605853ed73b8093f6efbc88eb1a6eacfa66ef26"
	     "3cb1eea988004b93103cfb0aeefd2a686e01fa4a58e8a3639ca8a1e3f9ae57e2"},
	    {VLDAA_SHAKE128_RATE, 200,
	     "131ab8d2b594946b9c81333f9bb6e0ce75c3b93104fa3469d3917457385da037"
	     "cf232ef7164a6d1eb448c8908186ad852d3f85a5cf28da1ab6fe343817197846"},
	    {VLDAA_SHAKE256_RATE, 0,
	     "46b9dd2b0ba88d13233b3feb743eeb243fcd52ea62b81b82b50c27646ed5762f"
	     "d75dc4ddd8c0f200cb05019d67b592f6fc821c49479ab48640292eacb3b7c4be"},
	    {VLDAA_SHAKE256_RATE, 200,
	     "cd8a920ed141aa0407a22d59288652e9d9f1a7ee0c1e7c1ca699424da84a904d"
	     "2d700caae7396ece96604440577da4f3aa22aeb8857f961c4cd8e06f0ae6610b"},
	};
	uint8_t message[200];
	uint8_t expected[64];
	uint8_t got[64];

	memset(message, 0xa3, sizeof message);
	for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
		from_hex(expected, examples[i].hex);
		our_shake(examples[i].rate, got, sizeof got, message, examples[i].len);
		ck_assert_mem_eq(got, expected, sizeof expected);
	}
}
END_TEST

START_TEST(every_input_length_agrees_with_libcrypto)
{
	uint8_t in[MAX_LEN];
	uint8_t expected[64];
	uint8_t got[64];

	for (size_t i = 0; i < sizeof in; i++)
		in[i] = (uint8_t)(i * i + 7 * i);
	for (int k = 0; k < 2; k++) {
		for (size_t len = 0; len <= MAX_LEN; len++) {
			libcrypto_shake(rates[k], expected, sizeof expected, in, len);
			our_shake(rates[k], got, sizeof got, in, len);
			ck_assert_mem_eq(got, expected, sizeof expected);
		}
	}
}
END_TEST

START_TEST(every_output_length_agrees_with_libcrypto)
{
	const uint8_t in[3] = {'a', 'b', 'c'};
	uint8_t expected[MAX_LEN];
	uint8_t got[MAX_LEN + 1];

	for (int k = 0; k < 2; k++) {
		libcrypto_shake(rates[k], expected, sizeof expected, in, sizeof in);
		for (size_t len = 0; len <= MAX_LEN; len++) {
			got[len] = 0x5c;
			our_shake(rates[k], got, len, in, sizeof in);
			ck_assert_mem_eq(got, expected, len);
			ck_assert_uint_eq(got[len], 0x5c);
		}
	}
}
END_TEST

START_TEST(pieces_of_any_size_give_the_same_stream)
{
	uint8_t in[MAX_LEN];
	uint8_t expected[MAX_LEN];
	uint8_t got[MAX_LEN];
	vldaa_shake s;

	for (size_t i = 0; i < sizeof in; i++)
		in[i] = (uint8_t)(i * 31 + 1);
	for (int k = 0; k < 2; k++) {
		libcrypto_shake(rates[k], expected, sizeof expected, in, sizeof in);
		for (size_t piece = 1; piece <= 350; piece++) {
			vldaa_shake_init(&s, rates[k]);
			/* Sizes piece, piece + 1, ... so that every alignment within a block comes
			 * up. */
			for (size_t at = 0, len = piece; at < sizeof in; at += len, len++) {
				if (len > sizeof in - at)
					len = sizeof in - at;
				vldaa_shake_absorb(&s, in + at, len);
			}
			for (size_t at = 0, len = piece; at < sizeof got; at += len, len += 2) {
				if (len > sizeof got - at)
					len = sizeof got - at;
				vldaa_shake_squeeze(&s, got + at, len);
			}
			ck_assert_mem_eq(got, expected, sizeof got);
		}
	}
}
END_TEST

/*
 * In the manner of the Monte Carlo tests of NIST's SHA3VS: each input is the output before, each
 * output's length depends on the output's last two bytes.
 */
START_TEST(a_chain_of_dependent_hashes_agrees_with_libcrypto)
{
	for (int k = 0; k < 2; k++) {
		uint8_t ours[MAX_LEN] = {0};
		uint8_t theirs[MAX_LEN] = {0};
		size_t len = 16;

		for (int i = 0; i < 2000; i++) {
			uint8_t in[MAX_LEN];
			const size_t in_len = len;

			memcpy(in, ours, in_len);
			len =
			    2 + (size_t)(ours[in_len - 2] * 256 + ours[in_len - 1]) % (MAX_LEN - 2);
			our_shake(rates[k], ours, len, in, in_len);
			libcrypto_shake(rates[k], theirs, len, theirs, in_len);
			ck_assert_mem_eq(ours, theirs, len);
		}
	}
}
END_TEST

/* FIPS 202, algorithm 5: bit t of the LFSR x^8 + x^6 + x^5 + x^4 + 1. */
static uint64_t lfsr_bit(unsigned t)
{
	uint32_t r = 1;

	for (unsigned i = 0; i < t % 255; i++) {
		r <<= 1;
		if (r & 0x100)
			r ^= 0x171;
	}
	return r & 1;
}

static uint64_t rotate_left(uint64_t x, unsigned n)
{
	n %= 64;
	return n == 0 ? x : x << n | x >> (64 - n);
}

/* The permutation straight from FIPS 202, sections 3.2 and 3.3, with computed offsets and
 * constants. */
static void slow_keccak(uint64_t lane[25])
{
	for (unsigned round = 0; round < 24; round++) {
		uint64_t column[5];
		uint64_t b[25];
		unsigned x = 1;
		unsigned y = 0;

		for (x = 0; x < 5; x++)
			column[x] =
			    lane[x] ^ lane[x + 5] ^ lane[x + 10] ^ lane[x + 15] ^ lane[x + 20];
		for (unsigned i = 0; i < 25; i++)
			lane[i] ^= column[(i + 4) % 5] ^ rotate_left(column[(i + 1) % 5], 1);
		b[0] = lane[0];
		x = 1;
		y = 0;
		for (unsigned t = 0; t < 24; t++) {
			const unsigned next = (2 * x + 3 * y) % 5;
			b[y + 5 * next] = rotate_left(lane[x + 5 * y], (t + 1) * (t + 2) / 2);
			x = y;
			y = next;
		}
		for (unsigned i = 0; i < 25; i++) {
			const unsigned row = i - i % 5;
			lane[i] = b[i] ^ (~b[row + (i + 1) % 5] & b[row + (i + 2) % 5]);
		}
		for (unsigned j = 0; j <= 6; j++)
			lane[0] ^= lfsr_bit(j + 7 * round) << ((1u << j) - 1);
	}
}

START_TEST(the_permutation_is_the_one_that_the_standard_describes)
{
	uint64_t ours[25] = {0};
	uint64_t slow[25] = {0};

	for (int i = 0; i < 100; i++) {
		vldaa_keccak_f1600(ours);
		slow_keccak(slow);
		ck_assert_mem_eq(ours, slow, sizeof ours);
	}
}
END_TEST

START_TEST(four_states_at_once_are_four_permutations)
{
	uint64_t four[25][4] = {{0}};
	uint64_t slow[4][25];

	for (uint64_t k = 0; k < 4; k++) {
		memset(slow[k], 0, sizeof slow[k]);
		slow[k][7] = four[7][k] = k;
	}
	for (int i = 0; i < 20; i++) {
		vldaa_keccak_f1600_x4(four);
		for (size_t k = 0; k < 4; k++) {
			slow_keccak(slow[k]);
			for (size_t lane = 0; lane < 25; lane++)
				ck_assert_uint_eq(four[lane][k], slow[k][lane]);
		}
	}
}
END_TEST

START_TEST(four_streams_at_once_agree_with_libcrypto)
{
	enum { BLOCKS = 3 };
	static uint8_t in[4][VLDAA_SHAKE128_RATE];
	static uint8_t out[4][VLDAA_SHAKE128_RATE], expected[BLOCKS * VLDAA_SHAKE128_RATE];
	const uint8_t *const inputs[4] = {in[0], in[1], in[2], in[3]};
	uint8_t *const outputs[4] = {out[0], out[1], out[2], out[3]};
	const uint32_t rate = rates[_i];

	for (size_t k = 0; k < 4; k++) {
		for (size_t i = 0; i < rate; i++)
			in[k][i] = (uint8_t)(i * 7 + k * 50);
	}
	for (size_t len = 0; len < rate; len++) {
		vldaa_shake_x4 s;

		vldaa_shake_x4_init(&s, rate, inputs, len);
		for (size_t block = 0; block < BLOCKS; block++) {
			vldaa_shake_x4_block(&s, outputs);
			for (size_t k = 0; k < 4; k++) {
				libcrypto_shake(rate, expected, BLOCKS * rate, in[k], len);
				ck_assert_mem_eq(out[k], expected + block * rate, rate);
			}
		}
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("SHAKE");
	TCase *tc = tcase_create("SHAKE");
	SRunner *sr = srunner_create(s);

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, the_examples_of_nist_come_out);
	tcase_add_test(tc, every_input_length_agrees_with_libcrypto);
	tcase_add_test(tc, every_output_length_agrees_with_libcrypto);
	tcase_add_test(tc, pieces_of_any_size_give_the_same_stream);
	tcase_add_test(tc, a_chain_of_dependent_hashes_agrees_with_libcrypto);
	tcase_add_test(tc, the_permutation_is_the_one_that_the_standard_describes);
	tcase_add_test(tc, four_states_at_once_are_four_permutations);
	tcase_add_loop_test(tc, four_streams_at_once_agree_with_libcrypto, 0, 2);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
