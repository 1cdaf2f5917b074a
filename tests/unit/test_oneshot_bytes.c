/*
 * Promises about a one-shot proof's bytes, for both statements of both sets: one string a proof
 * (whatever decodes is encoded as the same bytes again); each norm is accepted at its bound and
 * refused one above it; residues are below q, padding is zero, hints are within 7; a string that is
 * cut, extended or longer than max_bytes is refused, and so is a proof with any value changed, by
 * the hash that the value belongs to.
 *
 * VLDAA_LONG_STATISTICS=1 takes Join of VLDAA2-87 too, and flips every bit; otherwise it is one of
 * every byte, or of every 13th.
 */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../support/oneshot_inside.h"
#include "vldaa/error.h"
#include "wire/pack.h"

enum { D = VLDAA_OS_D, STATEMENTS = 4, CAP = 1 << 16 };

static const struct {
	const vldaa_oneshot_set *set;
	enum statement_kind kind;
} statements[STATEMENTS] = {{&vldaa_oneshot_44, PLANTED_JOIN},
			    {&vldaa_oneshot_44, PLANTED_CREATE},
			    {&vldaa_oneshot_87, PLANTED_CREATE},
			    {&vldaa_oneshot_87, PLANTED_JOIN}};

static int many(void)
{
	const char *value = getenv("VLDAA_LONG_STATISTICS");

	return value && strcmp(value, "1") == 0;
}

/* One proof, its statement with numbers that a test may change; one in a process, never freed. */
static struct {
	planted *p;
	vldaa_os_statement_set numbers;
	vldaa_os_statement st;
	uint8_t bytes[CAP];
	size_t len;
	vldaa_os_proof *proof;
	vldaa_os_proof *scratch;
	uint8_t out[CAP];
	vldaa_writer w;
} t;

static void set_up(int i)
{
	const uint8_t seed[VLDAA_SEED_BYTES] = {(uint8_t)i, 'b'};
	void *workspace;
	vldaa_rng rng;

	t.p = planted_honest(statements[i].set, statements[i].kind, 1);
	t.st = t.p->statement;
	t.numbers = *t.st.numbers;
	t.st.numbers = &t.numbers;
	workspace = planted_memory(vldaa_os_prover_size(t.st.set, t.st.numbers));
	vldaa_rng_init(&rng, seed, 1);
	vldaa_put_init(&t.w, t.bytes, sizeof t.bytes);
	ck_assert_int_eq(
	    vldaa_os_prove(workspace, planted_crs(t.st.set), &t.st, t.p->w1, &rng, &t.w), VLDAA_OK);
	t.len = t.w.len;
	t.proof = inside_decode(&t.st, (vldaa_bytes){t.bytes, t.len});
	t.scratch = inside_decode(&t.st, (vldaa_bytes){t.bytes, t.len});
	free(workspace);
}

static int verify(void)
{
	return planted_verify(&t.st, (vldaa_bytes){t.bytes, t.len});
}

/* t.proof encoded into t.out. */
static int encode(void)
{
	vldaa_put_init(&t.w, t.out, sizeof t.out);
	return vldaa_os_proof_put(t.st.set, &t.numbers, &t.w, t.proof);
}

static int decode(const uint8_t *bytes, size_t len)
{
	return inside_decode_into(&t.st, (vldaa_bytes){bytes, len}, t.scratch);
}

/* --- norms -------------------------------------------------------------------------------------
 */

/* A part of the proof with a norm of its own: its numbers and its coefficients. */
typedef struct {
	vldaa_os_block *block;
	int64_t *z;
	size_t n;
} part;

enum { MAX_PARTS = VLDAA_OS_MAX_BLOCKS + 2 };

static size_t parts(part out[MAX_PARTS])
{
	int64_t *z = t.proof->z1;
	size_t n = 0;

	for (size_t i = 0; i < t.numbers.blocks; i++) {
		out[n++] = (part){&t.numbers.block[i], z, t.numbers.block[i].elements * (size_t)D};
		z += out[n - 1].n;
	}
	out[n++] = (part){&t.numbers.z2, t.proof->z2, (t.st.set->m2 - t.st.set->n) * (size_t)D};
	out[n++] = (part){&t.numbers.z3, t.proof->z3, VLDAA_OS_ROWS};
	return n;
}

/* Whatever the bound is, it decides: it is moved to the proof's own norm, and one below. */
START_TEST(the_verifier_compares_each_norm_with_its_bound)
{
	part p[MAX_PARTS];
	static verifier_view view;
	vldaa_u128 identity;

	set_up(_i);
	ck_assert_int_eq(verify(), VLDAA_OK);
	for (size_t i = 0, n = parts(p); i < n; i++) {
		const vldaa_os_block before = *p[i].block;
		int64_t max = 0;

		ck_assert_uint_lt(planted_norm2(p[i].z, p[i].n), before.bound2_low);
		p[i].block->bound2_low = planted_norm2(p[i].z, p[i].n);
		ck_assert_int_eq(verify(), VLDAA_OK);
		p[i].block->bound2_low--;
		ck_assert_int_eq(verify(), VLDAA_ERR_NORM);
		*p[i].block = before;
		p[i].block->bound2_low = 0;
		p[i].block->bound2_high = 1;
		ck_assert_int_eq(verify(), VLDAA_OK);
		*p[i].block = before;
		for (size_t k = 0; k < p[i].n; k++)
			max = llabs(p[i].z[k]) > max ? llabs(p[i].z[k]) : max;
		p[i].block->max = (uint64_t)max;
		ck_assert_int_eq(verify(), VLDAA_OK);
		p[i].block->max--;
		ck_assert_int_eq(verify(), VLDAA_ERR_RANGE);
		*p[i].block = before;
	}
	ck_assert_int_eq(inside_verify(&t.st, t.proof, NULL, &view), 1);
	identity = vldaa_os_identity_norm2(t.st.set, view.w, view.approximate);
	ck_assert(identity < t.numbers.identity_low);
	t.numbers.identity_low = (uint64_t)identity;
	ck_assert_int_eq(verify(), VLDAA_OK);
	t.numbers.identity_low--;
	ck_assert_int_eq(verify(), VLDAA_ERR_NORM);
	t.numbers.identity_low = 0;
	t.numbers.identity_high = 1;
	ck_assert_int_eq(verify(), VLDAA_OK);
}
END_TEST

/* The set's own bounds: both ways of the encoding take them, and nothing longer. */
START_TEST(the_encoding_ends_at_each_bound)
{
	part p[MAX_PARTS];

	set_up(_i);
	t.numbers.max_bytes = CAP;
	for (size_t i = 0, n = parts(p); i < n; i++) {
		const uint64_t bound2 = p[i].block->bound2_low;
		const int64_t max = (int64_t)p[i].block->max;
		int64_t *const before = planted_memory(p[i].n * sizeof *before);

		ck_assert_uint_eq(p[i].block->bound2_high, 0);
		/* the largest coefficient is the root of the bound */
		ck_assert_uint_le((uint64_t)(max * max), bound2);
		ck_assert_uint_gt((uint64_t)((max + 1) * (max + 1)), bound2);
		memcpy(before, p[i].z, p[i].n * sizeof *before);
		planted_fit(p[i].z, p[i].n, max, bound2);
		ck_assert_int_eq(encode(), VLDAA_OK);
		ck_assert_int_eq(decode(t.out, t.w.len), VLDAA_OK);
		planted_fit(p[i].z, p[i].n, max, bound2 + 1);
		ck_assert_int_eq(encode(), VLDAA_ERR_NORM);
		/* as it would be encoded */
		p[i].block->bound2_low++;
		ck_assert_int_eq(encode(), VLDAA_OK);
		p[i].block->bound2_low--;
		ck_assert_int_eq(decode(t.out, t.w.len), VLDAA_ERR_NORM);
		memcpy(p[i].z, before, p[i].n * sizeof *before);
		free(before);
	}
	ck_assert_int_eq(encode(), VLDAA_OK);
	ck_assert_uint_eq(t.w.len, t.len);
	ck_assert_mem_eq(t.out, t.bytes, t.len);
}
END_TEST

/* A prover with masks twice as long, for each part: all that refuses it is that norm. */
START_TEST(longer_masks_are_refused_by_their_norm)
{
	const size_t blocks = statements[_i].kind == PLANTED_JOIN ? 3 : 4;

	for (size_t i = 0; i < blocks + 2; i++) {
		static const cheat_plan honestly;
		const vldaa_os_statement_set *strict;
		vldaa_os_block *b;
		cheat_run *run;

		if (i == 0)
			set_up(_i);
		strict = t.p->statement.numbers;
		t.numbers = *strict;
		t.numbers.max_bytes = CAP;
		b = i < blocks ? &t.numbers.block[i] : i == blocks ? &t.numbers.z2 : &t.numbers.z3;
		b->width *= 2;
		b->bound2_low *= 4;
		b->max *= 2;
		run = cheat_prove(&t.st, t.p->w1, &honestly, 3);
		ck_assert_int_eq(planted_verify(&t.st, (vldaa_bytes){run->bytes, run->len}),
				 VLDAA_OK);
		t.numbers = *strict;
		t.numbers.max_bytes = CAP;
		ck_assert_int_eq(planted_verify(&t.st, (vldaa_bytes){run->bytes, run->len}),
				 VLDAA_ERR_NORM);
		cheat_free(run);
	}
}
END_TEST

/* --- spellings ---------------------------------------------------------------------------------
 */

/* Where each part ends: t_A1, t_B, z3, h, seed, z1's blocks, z2, hint. */
enum { END_TA1, END_TB, END_Z3, END_H, END_SEED, END_Z1 };

static size_t rice_size(const vldaa_os_block *b, const int64_t *z, size_t n)
{
	vldaa_writer w;

	vldaa_put_init(&w, NULL, 0);
	vldaa_rice_encode_vartime(&w, z, n, b->rice);
	return w.len;
}

static size_t ends(size_t end[16])
{
	const vldaa_os_set *set = t.st.set;
	const uint32_t bits = set->ring.q_bits;
	part p[MAX_PARTS];
	const size_t n = parts(p);
	size_t k = END_Z1;

	end[END_TA1] = (size_t)set->n * D * (bits - set->cut) / 8;
	end[END_TB] = end[END_TA1] + VLDAA_OS_B_ROWS * (size_t)D * bits / 8;
	end[END_Z3] = end[END_TB] + rice_size(p[n - 1].block, p[n - 1].z, p[n - 1].n);
	end[END_H] = end[END_Z3] + (VLDAA_OS_PAIRS * (D - 2) * bits + 7) / 8;
	end[END_SEED] = end[END_H] + VLDAA_OS_SEED;
	for (size_t i = 0; i + 1 < n; i++, k++)
		end[k] = end[k - 1] + rice_size(p[i].block, p[i].z, p[i].n);
	end[k++] = t.len;
	return k;
}

/* A damaged string is another proof's or nobody's. */
static int check_one_spelling(size_t at, uint8_t change)
{
	int err;

	t.bytes[at] ^= change;
	err = decode(t.bytes, t.len);
	if (!err) {
		vldaa_put_init(&t.w, t.out, sizeof t.out);
		ck_assert_int_eq(vldaa_os_proof_put(t.st.set, &t.numbers, &t.w, t.scratch),
				 VLDAA_OK);
		ck_assert_uint_eq(t.w.len, t.len);
		ck_assert_mem_eq(t.out, t.bytes, t.len);
	}
	t.bytes[at] ^= change;
	return err;
}

START_TEST(what_decodes_has_one_spelling)
{
	const size_t step = many() || _i == 0 ? 1 : 13;
	int refused = 0;

	set_up(_i);
	for (size_t at = 0; at < t.len; at += step) {
		for (unsigned bit = 0; bit < 8; bit++) {
			if (many() || bit == (at * 5 + at / 8) % 8)
				refused += check_one_spelling(at, (uint8_t)(1U << bit)) != 0;
		}
	}
	ck_assert_int_gt(refused, 0);
}
END_TEST

START_TEST(padding_is_zero)
{
	size_t end[16];
	size_t n, padded = 0;

	set_up(_i);
	n = ends(end);
	ck_assert_uint_eq(end[n - 1],
			  end[n - 2] + rice_size(&(vldaa_os_block){.rice = 0}, t.proof->hint,
						 (size_t)t.st.set->n * D));
	for (size_t i = 0; i < n; i++) {
		/* the top bit of a part's last byte: padding unless the part is whole bytes */
		const int err = check_one_spelling(end[i] - 1, 0x80);
		const int whole =
		    i == END_TA1 || i == END_TB || i == END_SEED ||
		    (i == END_H && VLDAA_OS_PAIRS * (D - 2) * t.st.set->ring.q_bits % 8 == 0);

		if (whole)
			continue;
		/* a code word's last bit may be there */
		padded += err == VLDAA_ERR_ENCODING;
		ck_assert(err == VLDAA_ERR_ENCODING || err == 0 || i > END_SEED || i == END_Z3);
		if (i == END_H)
			ck_assert_int_eq(err, VLDAA_ERR_ENCODING);
	}
	ck_assert_uint_ge(padded, 3);
}
END_TEST

/* Overwrites `bits` bits from bit `at` on, least significant first. */
static void put_bits(uint8_t *bytes, size_t at, uint32_t bits, uint64_t x)
{
	for (uint32_t i = 0; i < bits; i++, at++) {
		bytes[at / 8] = (uint8_t)(bytes[at / 8] & ~(1U << (at % 8)));
		bytes[at / 8] = (uint8_t)(bytes[at / 8] | (x >> i & 1) << (at % 8));
	}
}

START_TEST(residues_are_below_q)
{
	const uint32_t bits = statements[_i].set->proof->ring.q_bits;
	const uint64_t q = (uint64_t)statements[_i].set->proof->ring.q;
	const uint64_t top = (UINT64_C(1) << bits) - 1;
	size_t end[16];

	set_up(_i);
	(void)ends(end);
	for (int of_h = 0; of_h < 2; of_h++) {
		const size_t begin = of_h ? end[END_Z3] : end[END_TA1];
		const size_t count = of_h ? VLDAA_OS_PAIRS * (D - 2) : VLDAA_OS_B_ROWS * D;

		for (size_t i = 0; i < count; i += 1 + count / 60) {
			uint8_t copy[CAP];

			memcpy(copy, t.bytes, t.len);
			put_bits(copy, 8 * begin + i * bits, bits, q - 1);
			ck_assert_int_eq(decode(copy, t.len), VLDAA_OK);
			put_bits(copy, 8 * begin + i * bits, bits, q);
			ck_assert_int_eq(decode(copy, t.len), VLDAA_ERR_RANGE);
			put_bits(copy, 8 * begin + i * bits, bits, top);
			ck_assert_int_eq(decode(copy, t.len), VLDAA_ERR_RANGE);
		}
	}
}
END_TEST

START_TEST(hints_are_within_7)
{
	const size_t n = (size_t)statements[_i].set->proof->n * D;
	size_t end[16];
	size_t before;

	set_up(_i);
	before = end[ends(end) - 2];
	for (int64_t hint = -8; hint <= 8; hint += hint < -6 || hint > 6 ? 1 : 13) {
		const int within = hint >= -7 && hint <= 7;

		t.numbers.max_bytes = CAP;
		t.proof->hint[n - 1] = hint;
		ck_assert_int_eq(encode(), within ? VLDAA_OK : VLDAA_ERR_NORM);
		/* as it would be encoded */
		vldaa_put_init(&t.w, t.out, sizeof t.out);
		vldaa_put_bytes(&t.w, t.bytes, before);
		vldaa_rice_encode_vartime(&t.w, t.proof->hint, n, 0);
		ck_assert_int_eq(decode(t.out, t.w.len), within ? VLDAA_OK : VLDAA_ERR_RANGE);
	}
}
END_TEST

START_TEST(a_proof_has_one_length)
{
	set_up(_i);
	ck_assert_uint_le(t.len, t.numbers.max_bytes);
	for (size_t len = 0; len<t.len; len += len + 70> t.len ? 1 : 61) {
		/* a block of its own: reading past it is an error that sanitizers see */
		uint8_t *copy = planted_memory(len + 1);

		memcpy(copy, t.bytes, len);
		ck_assert_int_eq(planted_verify(&t.st, (vldaa_bytes){copy, len}),
				 VLDAA_ERR_TRUNCATED);
		free(copy);
	}
	for (unsigned byte = 0; byte < 256; byte += 51) {
		t.bytes[t.len] = (uint8_t)byte;
		ck_assert_int_eq(planted_verify(&t.st, (vldaa_bytes){t.bytes, t.len + 1}),
				 VLDAA_ERR_TRAILING);
	}
	t.numbers.max_bytes = (uint32_t)t.len;
	ck_assert_int_eq(verify(), VLDAA_OK);
	t.numbers.max_bytes--;
	ck_assert_int_eq(verify(), VLDAA_ERR_TRAILING);
}
END_TEST

/* A prover tries again until its proof fits. */
START_TEST(a_prover_keeps_to_the_largest_size)
{
	const uint8_t seed[VLDAA_SEED_BYTES] = {(uint8_t)_i, 'b'};
	void *workspace;
	vldaa_rng rng;

	set_up(_i);
	workspace = planted_memory(vldaa_os_prover_size(t.st.set, t.st.numbers));
	t.numbers.max_bytes = (uint32_t)t.len - 1;
	/* the same randomness, which made a longer one */
	vldaa_rng_init(&rng, seed, 1);
	vldaa_put_init(&t.w, t.out, sizeof t.out);
	ck_assert_int_eq(
	    vldaa_os_prove(workspace, planted_crs(t.st.set), &t.st, t.p->w1, &rng, &t.w), VLDAA_OK);
	ck_assert_uint_lt(t.w.len, t.len);
	ck_assert_int_eq(planted_verify(&t.st, (vldaa_bytes){t.out, t.w.len}), VLDAA_OK);
	free(workspace);
}
END_TEST

/* --- values ------------------------------------------------------------------------------------
 */

/* The value is replaced; what the verifier then finds. */
static void check_value(const verifier_view *honest, int64_t *value, int64_t change, int w_differs,
			int v_differs)
{
	static verifier_view view;
	int err;

	*value += change;
	ck_assert_int_eq(inside_verify(&t.st, t.proof, NULL, &view), 0);
	ck_assert_int_eq(memcmp(view.w, honest->w, sizeof view.w) != 0, w_differs);
	ck_assert_int_eq(memcmp(view.v, honest->v, sizeof view.v) != 0, v_differs);
	ck_assert_int_eq(encode(), VLDAA_OK);
	/* where another w' is far from w, that is seen before anything is hashed */
	err = planted_verify(&t.st, (vldaa_bytes){t.out, t.w.len});
	ck_assert(err == VLDAA_ERR_PROOF || (err == VLDAA_ERR_NORM && w_differs));
	*value -= change;
}

/* One unit away from zero less: no bound is passed. */
static int64_t inwards(int64_t value)
{
	return value > 0 ? -1 : 1;
}

START_TEST(every_value_counts)
{
	static verifier_view honest;
	part p[MAX_PARTS];

	set_up(_i);
	t.numbers.max_bytes = CAP;
	ck_assert_int_eq(inside_verify(&t.st, t.proof, NULL, &honest), 1);
	for (size_t i = 0, n = parts(p); i < n; i++) {
		int64_t *const first = &p[i].z[0], *const last = &p[i].z[p[i].n - 1];
		const int is_z3 = i == n - 1;

		check_value(&honest, first, inwards(*first), !is_z3, 1);
		check_value(&honest, last, inwards(*last), !is_z3, 1);
	}
	for (size_t i = 0; i < VLDAA_OS_B_ROWS; i++)
		check_value(&honest, &t.proof->tb[i * D + 5], inwards(t.proof->tb[i * D + 5]), 0,
			    1);
	for (size_t i = 1; i < VLDAA_OS_PAIRS * D; i += 31) {
		int64_t *const value = &t.proof->h[i + (i % (D / 2) == 0)];

		check_value(&honest, value, inwards(*value), 0, 1);
	}
	/* the hint: v is as it was */
	check_value(&honest, &t.proof->hint[3], inwards(t.proof->hint[3]), 1, 0);
}
END_TEST

START_TEST(the_commitment_and_the_challenge_count)
{
	static verifier_view view;

	set_up(_i);
	t.numbers.max_bytes = CAP;
	for (size_t i = 0; i < (size_t)t.st.set->n * D; i += 200) {
		int err;

		t.proof->ta1[i] ^= 1;
		ck_assert_int_eq(inside_verify(&t.st, t.proof, NULL, &view), 0);
		ck_assert_int_eq(encode(), VLDAA_OK);
		/* 2^D times a challenge more in w': the identity part grows, or the hash differs */
		err = planted_verify(&t.st, (vldaa_bytes){t.out, t.w.len});
		ck_assert(err == VLDAA_ERR_NORM || err == VLDAA_ERR_PROOF);
		t.proof->ta1[i] ^= 1;
	}
	for (size_t i = 0; i < VLDAA_OS_SEED; i += 7) {
		t.proof->seed[i] ^= 1;
		ck_assert_int_eq(encode(), VLDAA_OK);
		ck_assert_int_ne(planted_verify(&t.st, (vldaa_bytes){t.out, t.w.len}), VLDAA_OK);
		t.proof->seed[i] ^= 1;
	}
	ck_assert_int_eq(inside_verify(&t.st, t.proof, NULL, &view), 1);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("one-shot proof, bytes");
	TCase *tc = tcase_create("bytes");
	const int count = many() ? STATEMENTS : STATEMENTS - 1;
	SRunner *sr = srunner_create(s);

	tcase_set_timeout(tc, many() ? 600 : 120);
	tcase_add_loop_test(tc, the_verifier_compares_each_norm_with_its_bound, 0, count);
	tcase_add_loop_test(tc, the_encoding_ends_at_each_bound, 0, count);
	tcase_add_loop_test(tc, longer_masks_are_refused_by_their_norm, 0, count);
	tcase_add_loop_test(tc, what_decodes_has_one_spelling, 0, count);
	tcase_add_loop_test(tc, padding_is_zero, 0, count);
	tcase_add_loop_test(tc, residues_are_below_q, 0, count);
	tcase_add_loop_test(tc, hints_are_within_7, 0, count);
	tcase_add_loop_test(tc, a_proof_has_one_length, 0, count);
	tcase_add_loop_test(tc, a_prover_keeps_to_the_largest_size, 0, count);
	tcase_add_loop_test(tc, every_value_counts, 0, count);
	tcase_add_loop_test(tc, the_commitment_and_the_challenge_count, 0, count);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
