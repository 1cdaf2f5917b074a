/*
 * Promises: encodings of polynomials round-trip at the ends of their ranges; a value has exactly
 * one byte string (whatever decodes re-encodes to the same bytes); short, padded or out-of-range
 * input is refused with the right name and leaves zeroes; writers count but never write past their
 * buffer, and readers never read past theirs.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "vldaa/error.h"
#include "wire/bits.h"
#include "wire/pack.h"

enum { MAX_COEFFS = 1024, MAX_BYTES = 16384 };

static const vldaa_ring rings[] = {
    {.d = 128, .log_d = 7, .q = 114356107, .q_bits = 27, .primes = 2},
    {.d = 512, .log_d = 9, .q = 7583, .q_bits = 13, .primes = 1},
    {.d = 1024, .log_d = 10, .q = 14867, .q_bits = 14, .primes = 1},
    /* No set: the widest field that the ring allows, and bits left over at the end. */
    {.d = 5, .log_d = 0, .q = 140737488355213, .q_bits = 47, .primes = 4},
};
enum { RINGS = sizeof(rings) / sizeof(rings[0]) };

/* SplitMix64 (Steele, Lea, Flood 2014): a fixed sequence, not randomness. */
static uint64_t next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

/* One encoding under test: which it is, and its parameters. */
typedef struct {
	enum { UNIFORM, TERNARY, SMALL, RICE } kind;
	const vldaa_ring *ring;
	size_t n;
	uint32_t k;
	uint64_t max;
} codec;

static size_t encode(const codec *c, const int64_t *a, uint8_t *out, size_t cap, int expect)
{
	vldaa_writer w;
	size_t len;

	vldaa_put_init(&w, out, cap);
	if (c->kind == UNIFORM)
		vldaa_pack_uniform(c->ring, &w, a);
	else if (c->kind == TERNARY)
		vldaa_pack_ternary(&w, a, c->n);
	else if (c->kind == SMALL)
		vldaa_pack_small(&w, a, c->n, (uint32_t)c->max);
	else
		vldaa_rice_encode_vartime(&w, a, c->n, c->k);
	ck_assert_int_eq(vldaa_put_end(&w, &len), expect);
	return len;
}

/* Decodes a copy of exactly len bytes on the heap, so that a sanitizer sees a read past the end. */
static int decode(const codec *c, const uint8_t *in, size_t len, int64_t *a)
{
	uint8_t *copy = malloc(len + 1);
	vldaa_reader r;
	int result;

	ck_assert_ptr_nonnull(copy);
	memcpy(copy + 1, in, len);
	vldaa_get_init(&r, copy + 1, len);
	memset(a, 0x55, c->n * sizeof(*a));
	if (c->kind == UNIFORM)
		vldaa_unpack_uniform(c->ring, &r, a);
	else if (c->kind == TERNARY)
		vldaa_unpack_ternary(&r, a, c->n);
	else if (c->kind == SMALL)
		vldaa_unpack_small(&r, a, c->n, (uint32_t)c->max);
	else
		vldaa_rice_decode_vartime(&r, a, c->n, c->k, c->max);
	if (r.error != VLDAA_OK) {
		/* One assertion for all: each successful one writes to Check's file. */
		int64_t any = 0;

		for (size_t i = 0; i < c->n; i++)
			any |= a[i];
		ck_assert_int_eq(any, 0);
	}
	result = vldaa_get_end(&r);
	free(copy);
	return result;
}

/* A value of the codec's range; every fourth one at an end of it or next to zero. */
static int64_t draw(const codec *c, uint64_t *state)
{
	uint64_t x = next(state);
	int64_t low = -(int64_t)c->max, high = (int64_t)c->max;

	if (c->kind == UNIFORM) {
		high = (c->ring->q - 1) / 2;
		low = -high;
	}
	switch (x % 16) {
	case 0:
		return low;
	case 1:
		return high;
	case 2:
		return 0;
	case 3:
		return high > 0 ? -1 : 0;
	}
	/* Mostly near 2^k, as responses are, sometimes the whole range. */
	if (c->kind == RICE && x % 16 != 4)
		high = high < (int64_t)4 << c->k ? high : (int64_t)4 << c->k;
	x = next(state) % (2 * (uint64_t)high + 1);
	return (int64_t)x - high;
}

static int same(const int64_t *a, const int64_t *b, size_t n)
{
	return memcmp(a, b, n * sizeof(*a)) == 0;
}

/* All that is promised of one encoding of one array. */
static void check_array(const codec *c, const int64_t *a)
{
	static uint8_t bytes[MAX_BYTES], again[MAX_BYTES];
	static int64_t back[MAX_COEFFS];
	size_t len = encode(c, a, NULL, 0, VLDAA_OK);

	ck_assert_uint_le(len, MAX_BYTES - 8);
	ck_assert_uint_eq(encode(c, a, bytes, len, VLDAA_OK), len);
	ck_assert_int_eq(decode(c, bytes, len, back), VLDAA_OK);
	ck_assert(same(a, back, c->n));

	for (size_t cut = 0; cut < len; cut++)
		ck_assert_int_eq(decode(c, bytes, cut, back), VLDAA_ERR_TRUNCATED);
	bytes[len] = 0;
	ck_assert_int_eq(decode(c, bytes, len + 1, back), VLDAA_ERR_TRAILING);

	for (size_t cap = 0; cap < len; cap += 1 + len / 50) {
		memset(again, 0xee, sizeof(again));
		ck_assert_uint_eq(encode(c, a, again, cap, VLDAA_ERR_BUFFER), len);
		size_t untouched = cap;

		while (untouched < len + 8 && again[untouched] == 0xee)
			untouched++;
		ck_assert_uint_eq(untouched, len + 8);
	}

	for (size_t bit = 0; bit < 8 * len; bit++) {
		bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
		if (decode(c, bytes, len, back) == VLDAA_OK) {
			ck_assert(!same(a, back, c->n));
			ck_assert_uint_eq(encode(c, back, again, sizeof(again), VLDAA_OK), len);
			ck_assert_mem_eq(again, bytes, len);
		}
		bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
	}
}

static void check_codec(const codec *c, int arrays)
{
	static int64_t a[MAX_COEFFS];
	uint64_t state = c->max + c->k;

	for (int t = 0; t < arrays; t++) {
		for (size_t i = 0; i < c->n; i++)
			a[i] = draw(c, &state);
		check_array(c, a);
	}
}

START_TEST(uniform_elements_have_one_encoding)
{
	for (size_t i = 0; i < RINGS; i++) {
		codec c = {.kind = UNIFORM, .ring = &rings[i], .n = rings[i].d};

		check_codec(&c, c.n < 100 ? 40 : 1);
	}
	/* d = 128 at 27 bits, 512 at 13, 1024 at 14. */
	ck_assert_uint_eq(vldaa_pack_uniform_size(&rings[0]), 432);
	ck_assert_uint_eq(vldaa_pack_uniform_size(&rings[1]), 832);
	ck_assert_uint_eq(vldaa_pack_uniform_size(&rings[2]), 1792);
	ck_assert_uint_eq(vldaa_pack_uniform_size(&rings[3]), 30);
}
END_TEST

START_TEST(uniform_residues_are_least_significant_bit_first)
{
	const vldaa_ring r = {.d = 3, .q = 7583, .q_bits = 13, .primes = 1};
	const codec c = {.kind = UNIFORM, .ring = &r, .n = 3};
	/* 1, q - 1 = 0x1d9e, 3791 = 0xecf: 0x01 | 0x1d9e << 13 | 0xecf << 26. */
	const int64_t a[3] = {1, -1, 3791};
	const uint8_t expect[5] = {0x01, 0xc0, 0xb3, 0x3f, 0x3b};
	uint8_t out[5];

	ck_assert_uint_eq(encode(&c, a, out, sizeof(out), VLDAA_OK), 5);
	ck_assert_mem_eq(out, expect, 5);
}
END_TEST

START_TEST(uniform_field_of_q_or_more_is_out_of_range)
{
	static int64_t a[MAX_COEFFS];

	for (size_t i = 0; i < RINGS; i++) {
		const vldaa_ring *r = &rings[i];
		codec c = {.kind = UNIFORM, .ring = r, .n = r->d};
		uint8_t bytes[2000];
		vldaa_ring wide = *r;
		codec all = c;

		/* The same fields for a larger modulus, so that the encoder writes q itself. */
		wide.q = ((int64_t)1 << r->q_bits) - 1;
		all.ring = &wide;
		for (uint32_t at = 0; at < r->d; at += r->d - 1) {
			memset(a, 0, sizeof(a));
			a[at] = r->q - 1 - (r->q - 1 > (wide.q - 1) / 2 ? wide.q : 0);
			size_t len = encode(&all, a, bytes, sizeof(bytes), VLDAA_OK);
			ck_assert_int_eq(decode(&c, bytes, len, a), VLDAA_OK);
			ck_assert_int_eq(a[at], -1);
			for (int over = 0; over < 2; over++) {
				int64_t x = over == 0 ? r->q : wide.q - 1;

				memset(a, 0, sizeof(a));
				a[at] = x - wide.q;
				len = encode(&all, a, bytes, sizeof(bytes), VLDAA_OK);
				ck_assert_int_eq(decode(&c, bytes, len, a), VLDAA_ERR_RANGE);
			}
		}
	}
}
END_TEST

START_TEST(padding_bits_must_be_zero)
{
	const codec codecs[] = {
	    {.kind = UNIFORM, .ring = &rings[3], .n = 5},     /* 235 bits */
	    {.kind = SMALL, .n = 3, .max = 100},              /* 24 bits: none */
	    {.kind = SMALL, .n = 3, .max = 60},               /* 21 bits */
	    {.kind = RICE, .n = 3, .k = 3, .max = 1000},      /* zeroes: 12 bits */
	    {.kind = RICE, .n = 1, .k = 50, .max = 1u << 31}, /* 51 bits */
	};
	const unsigned used[] = {3, 8, 5, 4, 3};
	static int64_t zero[8], a[8];

	for (size_t i = 0; i < sizeof(codecs) / sizeof(codecs[0]); i++) {
		uint8_t bytes[64];
		size_t len = encode(&codecs[i], zero, bytes, sizeof(bytes), VLDAA_OK);

		for (unsigned bit = used[i]; bit < 8; bit++) {
			bytes[len - 1] ^= (uint8_t)(1 << bit);
			ck_assert_int_eq(decode(&codecs[i], bytes, len, a), VLDAA_ERR_ENCODING);
			bytes[len - 1] ^= (uint8_t)(1 << bit);
		}
		ck_assert_int_eq(decode(&codecs[i], bytes, len, a), VLDAA_OK);
	}
}
END_TEST

START_TEST(ternary_elements_have_one_encoding)
{
	for (size_t n = 0; n <= 11; n++) {
		codec c = {.kind = TERNARY, .n = n, .max = 1};

		check_codec(&c, 20);
		ck_assert_uint_eq(vldaa_pack_ternary_size(n), (n + 4) / 5);
	}
	codec c = {.kind = TERNARY, .n = 1024, .max = 1};

	check_codec(&c, 1);
}
END_TEST

START_TEST(ternary_bytes_mean_their_digits_or_nothing)
{
	for (size_t n = 1; n <= 5; n++) {
		codec c = {.kind = TERNARY, .n = n, .max = 1};
		int limit = 1;

		for (size_t i = 0; i < n; i++)
			limit *= 3;
		for (int byte = 0; byte < 256; byte++) {
			uint8_t in = (uint8_t)byte;
			int64_t a[5];
			int value = 0;
			int result = decode(&c, &in, 1, a);

			ck_assert_int_eq(result, byte < limit ? VLDAA_OK : VLDAA_ERR_ENCODING);
			for (size_t i = n; i > 0; i--)
				value = 3 * value + (int)a[i - 1] + 1;
			if (result == VLDAA_OK)
				ck_assert_int_eq(value, byte);
		}
	}
}
END_TEST

START_TEST(small_integers_have_one_encoding)
{
	const uint64_t max[] = {0, 1, 2, 3, 4, 31, 32, 127, 128, 1000, 16383, 16384, 32767};

	for (size_t i = 0; i < sizeof(max) / sizeof(max[0]); i++) {
		codec c = {.kind = SMALL, .n = 1 + 13 * i, .max = max[i]};

		check_codec(&c, 2);
	}
	/* 5 values in 3 bits, 65535 in 16. */
	ck_assert_uint_eq(vldaa_pack_small_size(8, 2), 3);
	ck_assert_uint_eq(vldaa_pack_small_size(3, 32767), 6);
	ck_assert_uint_eq(vldaa_pack_small_size(3, 0), 0);
}
END_TEST

START_TEST(small_integer_over_max_is_out_of_range)
{
	const codec c = {.kind = SMALL, .n = 2, .max = 5};
	int64_t a[2];

	/* 4 bits a value, 10 the largest. */
	for (uint8_t x = 0; x < 16; x++) {
		uint8_t in = (uint8_t)(x | 10 << 4);

		ck_assert_int_eq(decode(&c, &in, 1, a), x <= 10 ? VLDAA_OK : VLDAA_ERR_RANGE);
		in = (uint8_t)(x << 4);
		ck_assert_int_eq(decode(&c, &in, 1, a), x <= 10 ? VLDAA_OK : VLDAA_ERR_RANGE);
		if (x <= 10)
			ck_assert_int_eq(a[1], x - 5);
	}
}
END_TEST

START_TEST(rice_codes_have_one_encoding)
{
	const codec codecs[] = {
	    {.kind = RICE, .n = 200, .k = 0, .max = 3},
	    {.kind = RICE, .n = 20, .k = 0, .max = 500},
	    {.kind = RICE, .n = 0, .k = 7, .max = 500},
	    {.kind = RICE, .n = 1, .k = 7, .max = 500},
	    {.kind = RICE, .n = 60, .k = 15, .max = (1u << 18) + 7},
	    {.kind = RICE, .n = 60, .k = 22, .max = 94906265},
	    /* Words of 57 bits and of 64 and a few more, around the width of the buffers. */
	    {.kind = RICE, .n = 60, .k = 49, .max = (uint64_t)1 << 52},
	    {.kind = RICE, .n = 60, .k = 50, .max = (uint64_t)1 << 52},
	    {.kind = RICE, .n = 40, .k = 46, .max = (uint64_t)1 << 52},
	    {.kind = RICE, .n = 12, .k = 44, .max = ((uint64_t)1 << 52) - 1},
	};

	for (size_t i = 0; i < sizeof(codecs) / sizeof(codecs[0]); i++)
		check_codec(&codecs[i], 2);
	for (uint32_t k = 0; k <= 50; k++) {
		codec c = {.kind = RICE, .n = 10, .k = k, .max = (uint64_t)75 << k};

		if (c.max > (uint64_t)1 << 52)
			c.max = (uint64_t)1 << 52;
		check_codec(&c, 1);
	}
}
END_TEST

START_TEST(rice_words_are_low_bits_then_unary_then_sign)
{
	const codec c = {.kind = RICE, .n = 4, .k = 2, .max = 20};
	/* From the least significant bit: 0 = 00 0, -1 = 10 0 1, 9 = 10 110 0, -6 = 01 10 1;
	 * together 000 1001 101100 01101 and padding. */
	const int64_t a[4] = {0, -1, 9, -6};
	const uint8_t expect[3] = {0xc8, 0xc6, 0x02};
	uint8_t out[3];
	int64_t back[4];

	ck_assert_uint_eq(encode(&c, a, out, sizeof(out), VLDAA_OK), 3);
	ck_assert_mem_eq(out, expect, 3);
	ck_assert_int_eq(decode(&c, expect, 3, back), VLDAA_OK);
	ck_assert(same(a, back, 4));
}
END_TEST

START_TEST(rice_value_over_max_is_out_of_range)
{
	const uint32_t ks[] = {0, 1, 5, 22, 44, 50};

	for (size_t i = 0; i < sizeof(ks) / sizeof(ks[0]); i++) {
		uint32_t k = ks[i];

		/* Over the low part alone, over the unary part, far over it. */
		for (uint64_t high = 0; high < 4; high++) {
			codec c = {.kind = RICE, .n = 3, .k = k, .max = (high << k) + 1};
			uint8_t bytes[MAX_BYTES];

			for (int sign = -1; sign <= 1; sign += 2) {
				const int64_t top = sign * (int64_t)c.max;
				int64_t a[3] = {1, top, -1}, back[3];
				size_t len = encode(&c, a, bytes, sizeof(bytes), VLDAA_OK);

				ck_assert_int_eq(decode(&c, bytes, len, back), VLDAA_OK);
				a[1] += sign;
				len = encode(&c, a, bytes, sizeof(bytes), VLDAA_OK);
				ck_assert_int_eq(decode(&c, bytes, len, back), VLDAA_ERR_RANGE);
				a[1] = top + sign * ((int64_t)60 << k);
				if (k < 44) {
					len = encode(&c, a, bytes, sizeof(bytes), VLDAA_OK);
					ck_assert_int_eq(decode(&c, bytes, len, back),
							 VLDAA_ERR_RANGE);
				}
			}
		}
	}
}
END_TEST

START_TEST(rice_unary_without_end_is_given_up)
{
	static uint8_t ones[MAX_BYTES];
	const uint64_t max[] = {0, 1, 55, 56, 57, 112, 1000, 8 * MAX_BYTES - 1};
	int64_t a[2];

	memset(ones, 0xff, sizeof(ones));
	for (size_t i = 0; i < sizeof(max) / sizeof(max[0]); i++) {
		codec c = {.kind = RICE, .n = 2, .k = 0, .max = max[i]};

		ck_assert_int_eq(decode(&c, ones, sizeof(ones), a), VLDAA_ERR_RANGE);
	}
	/* More 1 bits than there is input, fewer than max allows: the input is short. */
	codec c = {.kind = RICE, .n = 1, .k = 0, .max = (uint64_t)1 << 52};

	ck_assert_int_eq(decode(&c, ones, sizeof(ones), a), VLDAA_ERR_TRUNCATED);
}
END_TEST

/* Garbage either fails or is the encoding of what it decodes to. */
START_TEST(garbage_decodes_canonically_or_not_at_all)
{
	static int64_t a[MAX_COEFFS];
	static uint8_t in[256], again[MAX_BYTES];
	const codec codecs[] = {
	    {.kind = UNIFORM, .ring = &rings[3], .n = 5},
	    {.kind = TERNARY, .n = 9, .max = 1},
	    {.kind = SMALL, .n = 5, .max = 13},
	    {.kind = RICE, .n = 4, .k = 0, .max = 90},
	    {.kind = RICE, .n = 9, .k = 3, .max = 90},
	    {.kind = RICE, .n = 5, .k = 46, .max = (uint64_t)1 << 52},
	};
	uint64_t state = 7;

	for (size_t i = 0; i < sizeof(codecs) / sizeof(codecs[0]); i++) {
		const codec *c = &codecs[i];
		int decoded = 0;

		for (int t = 0; t < 20000; t++) {
			size_t len = next(&state) % 40;
			/* Runs of ones and zeroes as well as noise. */
			uint64_t and = next(&state) % 4 ? UINT64_MAX : next(&state);
			uint64_t or = next(&state) % 4 ? 0 : next(&state);

			for (size_t j = 0; j < len; j++)
				in[j] = (uint8_t)((next(&state) & and) | or);
			int result = decode(c, in, len, a);
			if (result != VLDAA_OK && result != VLDAA_ERR_TRAILING)
				continue;
			decoded++;
			size_t used = encode(c, a, again, sizeof(again), VLDAA_OK);
			ck_assert_uint_le(used, len);
			ck_assert_mem_eq(again, in, used);
		}
		ck_assert_int_gt(decoded, 20);
	}
}
END_TEST

START_TEST(numbers_are_big_endian_and_blocks_carry_their_length)
{
	const uint8_t expect[] = {1,  2,  3,  4, 5, 6, 7, 8,   9,   10,  11, 12,
				  13, 14, 15, 0, 0, 0, 3, 'a', 'b', 'c', 'z'};
	uint8_t out[sizeof(expect)], z;
	const uint8_t *p;
	vldaa_writer w;
	vldaa_reader r;
	size_t len;

	vldaa_put_init(&w, out, sizeof(out));
	vldaa_put_u8(&w, 1);
	vldaa_put_u16(&w, 0x0203);
	vldaa_put_u32(&w, 0x04050607);
	vldaa_put_u64(&w, 0x08090a0b0c0d0e0f);
	vldaa_put_block(&w, "abc", 3);
	vldaa_put_bytes(&w, "z", 1);
	ck_assert_int_eq(vldaa_put_end(&w, &len), VLDAA_OK);
	ck_assert_uint_eq(len, sizeof(expect));
	ck_assert_mem_eq(out, expect, len);

	vldaa_get_init(&r, out, len);
	ck_assert_uint_eq(vldaa_get_u8(&r), 1);
	ck_assert_uint_eq(vldaa_get_u16(&r), 0x0203);
	ck_assert_uint_eq(vldaa_get_u32(&r), 0x04050607);
	ck_assert_uint_eq(vldaa_get_u64(&r), 0x08090a0b0c0d0e0f);
	p = vldaa_get_block(&r, 3, &len);
	ck_assert_uint_eq(len, 3);
	ck_assert_mem_eq(p, "abc", 3);
	ck_assert_int_eq(vldaa_get_end(&r), VLDAA_ERR_TRAILING);
	vldaa_get_bytes(&r, &z, 1);
	ck_assert_int_eq(z, 'z');
	ck_assert_int_eq(vldaa_get_end(&r), VLDAA_OK);
}
END_TEST

START_TEST(a_reader_keeps_its_first_failure_and_gives_zeroes)
{
	const uint8_t in[] = {0, 0, 0, 2, 'a', 'b', 0xff, 0xff};
	uint8_t three[3] = {9, 9, 9};
	int64_t a[1] = {9};
	vldaa_reader r;
	size_t len = 9;

	vldaa_get_init(&r, in, sizeof(in));
	ck_assert_ptr_null(vldaa_get_block(&r, 1, &len));
	ck_assert_uint_eq(len, 0);
	ck_assert_int_eq(r.error, VLDAA_ERR_ENCODING);

	vldaa_get_init(&r, in, sizeof(in));
	ck_assert_ptr_nonnull(vldaa_get_view(&r, 6));
	vldaa_get_bytes(&r, three, 3);
	ck_assert_mem_eq(three, "\0\0\0", 3);
	ck_assert_int_eq(r.error, VLDAA_ERR_TRUNCATED);
	vldaa_get_fail(&r, VLDAA_ERR_RANGE);
	/* Two bytes are left, but nothing is read any more. */
	ck_assert_uint_eq(vldaa_get_u16(&r), 0);
	ck_assert_uint_eq(vldaa_get_u8(&r), 0);
	ck_assert_ptr_null(vldaa_get_view(&r, 0));
	vldaa_unpack_ternary(&r, a, 1);
	ck_assert_int_eq(a[0], 0);
	a[0] = 9;
	vldaa_rice_decode_vartime(&r, a, 1, 0, 9);
	ck_assert_int_eq(a[0], 0);
	ck_assert_int_eq(vldaa_get_end(&r), VLDAA_ERR_TRUNCATED);

	/* A length of 2^32 - 1 with nothing behind it. */
	memset(three, 0xff, sizeof(three));
	vldaa_get_init(&r, (const uint8_t *)"\xff\xff\xff\xff", 4);
	ck_assert_ptr_null(vldaa_get_block(&r, SIZE_MAX, &len));
	ck_assert_int_eq(r.error, VLDAA_ERR_TRUNCATED);

	vldaa_get_init(&r, NULL, 0);
	ck_assert_ptr_nonnull(vldaa_get_view(&r, 0));
	ck_assert_int_eq(vldaa_get_end(&r), VLDAA_OK);
}
END_TEST

START_TEST(a_writer_that_was_too_small_once_writes_nothing_more)
{
	uint8_t out[4] = {9, 9, 9, 9};
	vldaa_writer w;
	size_t len;

	vldaa_put_init(&w, out, 3);
	vldaa_put_u16(&w, 0x0102);
	vldaa_put_u32(&w, 0);
	vldaa_put_u8(&w, 7);
	ck_assert_int_eq(vldaa_put_end(&w, &len), VLDAA_ERR_BUFFER);
	ck_assert_uint_eq(len, 7);
	ck_assert_mem_eq(out, "\1\2\11\11", 4);

	/* Lengths whose sum has no size_t stay too large. */
	vldaa_put_init(&w, NULL, 0);
	vldaa_put_bytes(&w, out, SIZE_MAX - 1);
	ck_assert_int_eq(vldaa_put_end(&w, &len), VLDAA_OK);
	vldaa_put_u32(&w, 0);
	ck_assert_int_eq(vldaa_put_end(&w, &len), VLDAA_ERR_BUFFER);
	vldaa_put_u32(&w, 0);
	ck_assert_int_eq(vldaa_put_end(&w, &len), VLDAA_ERR_BUFFER);
	ck_assert_uint_eq(len, SIZE_MAX);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("wire");
	TCase *tc = tcase_create("wire");
	SRunner *sr = srunner_create(s);

	tcase_set_timeout(tc, 120); /* sanitizers and slow machines */
	tcase_add_test(tc, uniform_elements_have_one_encoding);
	tcase_add_test(tc, uniform_residues_are_least_significant_bit_first);
	tcase_add_test(tc, uniform_field_of_q_or_more_is_out_of_range);
	tcase_add_test(tc, padding_bits_must_be_zero);
	tcase_add_test(tc, ternary_elements_have_one_encoding);
	tcase_add_test(tc, ternary_bytes_mean_their_digits_or_nothing);
	tcase_add_test(tc, small_integers_have_one_encoding);
	tcase_add_test(tc, small_integer_over_max_is_out_of_range);
	tcase_add_test(tc, rice_codes_have_one_encoding);
	tcase_add_test(tc, rice_words_are_low_bits_then_unary_then_sign);
	tcase_add_test(tc, rice_value_over_max_is_out_of_range);
	tcase_add_test(tc, rice_unary_without_end_is_given_up);
	tcase_add_test(tc, garbage_decodes_canonically_or_not_at_all);
	tcase_add_test(tc, numbers_are_big_endian_and_blocks_carry_their_length);
	tcase_add_test(tc, a_reader_keeps_its_first_failure_and_gives_zeroes);
	tcase_add_test(tc, a_writer_that_was_too_small_once_writes_nothing_more);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
