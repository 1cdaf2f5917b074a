#include "oneshot/derive.h"

#include "oneshot/statement.h"
#include "rice.h"
#include "tables/primes.h"

#include <math.h>
#include <stdlib.h>

/*
 * Constants of the proof, as fractions.  With masks of deviation g times the secret's norm and the
 * tail t of <z, v>, a response is kept with probability 1/M, M = exp(t/g + 1/(2 g^2))
 * (Lyubashevsky, EUROCRYPT 2012, Theorem 4.6, with t = 13.37: exp(-t^2/2) < 2^-128).
 */
static const uint64_t tail_num = 1337, tail_den = 100; /* t */
static const uint64_t mask1_num = 134, mask1_den = 10; /* g of z1 */
static const uint64_t mask2_num = 13, mask2_den = 10;  /* g of z2: the sign may leak, no tail */
static const uint64_t mask3_num = 67, mask3_den = 10;  /* g of z3 */
static const uint64_t expansion = 337;                 /* ||Rm x||^2 <= 337 ||x||^2 */
static const uint64_t contraction = 26;                /* ||Rm x mod q||^2 >= 26/4 ||x||^2 */
static const uint64_t random_num = 7, random_den = 10; /* ||w2||^2 <= 0.7 coefficients */
static const uint64_t slack3_num = 13225, slack3_den = 10000; /* z3: 1.15^2 of its expectation */
static const uint64_t slack2_num = 121, slack2_den = 100;     /* z2, identity: 1.21 */
/* ||c||^2 is near 37.5^2 = 1406.25. */
static const uint64_t challenge2_num = 5625, challenge2_den = 4;
enum { RANGE_ROWS = 256, RANGE_ELEMENTS = 4 };

static void block_init(vldaa_oneshot_block *block)
{
	fmpz_init(block->width);
	fmpz_init(block->bound2);
	fmpz_init(block->max);
}

static void block_clear(vldaa_oneshot_block *block)
{
	fmpz_clear(block->width);
	fmpz_clear(block->bound2);
	fmpz_clear(block->max);
}

static void statement_init(vldaa_oneshot_statement *s)
{
	*s = (vldaa_oneshot_statement){0};
	for (uint32_t i = 0; i < VLDAA_ONESHOT_BLOCKS; i++)
		block_init(&s->block[i]);
	block_init(&s->z2);
	block_init(&s->z3);
	fmpz_init(s->ws2);
	fmpz_init(s->identity2);
	fmpq_init(s->proven2);
	fmpz_init(s->sis2);
}

static void statement_clear(vldaa_oneshot_statement *s)
{
	for (uint32_t i = 0; i < VLDAA_ONESHOT_BLOCKS; i++)
		block_clear(&s->block[i]);
	block_clear(&s->z2);
	block_clear(&s->z3);
	fmpz_clear(s->ws2);
	fmpz_clear(s->identity2);
	fmpq_clear(s->proven2);
	fmpz_clear(s->sis2);
}

/* K = ceil(xi / 4), xi = (num / den) sqrt(square). */
static void set_width(vldaa_oneshot_block *block, uint64_t num, uint64_t den, const fmpq_t square)
{
	fmpq_t x;
	fmpz_t factor;
	fmpq_init(x);
	fmpz_init_set_ui(factor, num);
	fmpz_mul_ui(factor, factor, num);
	fmpq_mul_fmpz(x, square, factor);
	fmpz_set_ui(factor, 4 * den);
	fmpz_mul_ui(factor, factor, 4 * den);
	fmpq_div_fmpz(x, x, factor);
	vldaa_exact_ceil_sqrt(block->width, x);
	fmpq_clear(x);
	fmpz_clear(factor);
}

/* out = xi^2 = 16 K^2. */
static void deviation2(fmpz_t out, const vldaa_oneshot_block *block)
{
	fmpz_mul(out, block->width, block->width);
	fmpz_mul_ui(out, out, 16);
}

static void finish_block(vldaa_oneshot_block *block)
{
	uint32_t bytes;
	fmpz_sqrt(block->max, block->bound2);
	vldaa_rice_choose(&block->rice, &bytes, block->elements * VLDAA_ONESHOT_DEGREE,
			  4.0 * vldaa_exact_double(block->width));
}

/* z1's block: xi = 13.4 * 72 ||secret|| sqrt(m1 / elements), so that ||c w1||^2 / xi^2 over all
 * blocks is at most 13.4^-2; bound floor((sqrt N + 4)^2 xi^2) for N coefficients. */
static void mask_block(vldaa_oneshot_block *block, uint32_t m1)
{
	uint64_t coefficients = (uint64_t)block->elements * VLDAA_ONESHOT_DEGREE;
	fmpq_t square;
	fmpz_t xi2;
	fmpz_t part;
	fmpq_init(square);
	fmpz_init(xi2);
	fmpz_init(part);
	fmpq_set_ui(square, block->secret2 * m1, block->elements);
	set_width(block, mask1_num * VLDAA_ONESHOT_ETA, mask1_den, square);

	/* (N + 16) xi^2 + floor(sqrt(N (8 xi^2)^2)) */
	deviation2(xi2, block);
	fmpz_mul_ui(block->bound2, xi2, coefficients + 16);
	fmpz_mul(part, xi2, xi2);
	fmpz_mul_ui(part, part, 64 * coefficients);
	fmpz_sqrt(part, part);
	fmpz_add(block->bound2, block->bound2, part);
	finish_block(block);
	fmpq_clear(square);
	fmpz_clear(xi2);
	fmpz_clear(part);
}

static void mask_randomness(vldaa_oneshot_block *block, const vldaa_oneshot_derived *derived)
{
	fmpq_t square;
	fmpq_init(square);
	block->meaning = "z2";
	block->elements = derived->m2 - derived->choice->n;
	block->secret2 = derived->randomness2;
	fmpq_set_ui(square, derived->randomness2, 1);
	set_width(block, mask2_num * VLDAA_ONESHOT_ETA, mask2_den, square);
	deviation2(block->bound2, block);
	fmpz_mul_ui(block->bound2, block->bound2,
		    slack2_num * block->elements * VLDAA_ONESHOT_DEGREE);
	fmpz_fdiv_q_ui(block->bound2, block->bound2, slack2_den);
	finish_block(block);
	fmpq_clear(square);
}

static void mask_range(vldaa_oneshot_block *block, const fmpz_t ws2)
{
	fmpq_t square;
	fmpz_t factor;
	fmpq_init(square);
	fmpz_init_set_ui(factor, expansion);
	fmpz_mul(factor, factor, ws2);
	fmpq_set_fmpz(square, factor);
	block->meaning = "z3";
	block->elements = RANGE_ELEMENTS;
	set_width(block, mask3_num, mask3_den, square);
	deviation2(block->bound2, block);
	fmpz_mul_ui(block->bound2, block->bound2, slack3_num * RANGE_ROWS);
	fmpz_fdiv_q_ui(block->bound2, block->bound2, slack3_den);
	finish_block(block);
	fmpq_clear(square);
	fmpz_clear(factor);
}

/*
 * w - w' = z2b - c t_A0 + rounding: per coefficient xi^2 + ||c||^2 2^(2 D) / 12 + (q / 2^b)^2 / 12,
 * and 1.21 of the expectation is accepted.
 */
static void set_identity(vldaa_oneshot_statement *s, const vldaa_oneshot_derived *derived)
{
	const vldaa_oneshot_choice *choice = derived->choice;
	fmpq_t sum;
	fmpq_t part;
	fmpz_t x;
	fmpq_init(sum);
	fmpq_init(part);
	fmpz_init(x);
	deviation2(x, &s->z2);
	fmpq_set_fmpz(sum, x);
	fmpq_set_ui(part, challenge2_num, 12 * challenge2_den);
	fmpq_mul_2exp(part, part, 2 * choice->cut);
	fmpq_add(sum, sum, part);
	fmpz_mul(x, derived->q, derived->q);
	fmpq_set_fmpz(part, x);
	fmpq_div_2exp(part, part, 2 * choice->keep);
	fmpz_set_ui(x, 12);
	fmpq_div_fmpz(part, part, x);
	fmpq_add(sum, sum, part);
	fmpz_set_ui(x, slack2_num * choice->n * VLDAA_ONESHOT_DEGREE);
	fmpq_mul_fmpz(sum, sum, x);
	fmpz_set_ui(x, slack2_den);
	fmpq_div_fmpz(sum, sum, x);
	vldaa_exact_floor(s->identity2, sum);
	fmpq_clear(sum);
	fmpq_clear(part);
	fmpz_clear(x);
}

/*
 * B' = 2 ||z3|| / sqrt(26): a longer W S would have given a longer z3 modulo q but for 2^-128
 * (LNP22, section 2). Two openings (z, c), (z', c') of one t_A differ by cbar' z - cbar z', where
 * cbar, cbar' have operator norm at most 2 * 72 and z is itself a difference: 8 * 72 times the norm
 * that is accepted.
 */
static void set_proven(vldaa_oneshot_statement *s)
{
	fmpz_t x;
	fmpz_init_set_ui(x, contraction);
	fmpq_set_fmpz(s->proven2, s->z3.bound2);
	fmpq_mul_2exp(s->proven2, s->proven2, 2);
	fmpq_div_fmpz(s->proven2, s->proven2, x);
	fmpz_add(s->sis2, s->z2.bound2, s->identity2);
	for (uint32_t i = 0; i < s->blocks; i++)
		fmpz_add(s->sis2, s->sis2, s->block[i].bound2);
	fmpz_mul_ui(s->sis2, s->sis2, 64UL * VLDAA_ONESHOT_ETA * VLDAA_ONESHOT_ETA);
	fmpz_clear(x);
}

/*
 * Bytes of an encoded proof, part by part: each part fills whole bytes.  Only the coded blocks and
 * the hint vary.  Eight deviations above the expectation (2^-50 for a normal tail) a prover draws
 * another response: what is refused says nothing, since it depends on the response only.
 */
static const double size_deviations = 8.0;
typedef struct {
	double fixed; /* bytes */
	double mean;  /* bits of the coded parts */
	double variance;
	uint32_t parts;
} size_sum;

static void add_coded(size_sum *sum, const vldaa_oneshot_block *block)
{
	double mean;
	double variance;
	double coefficients = block->elements * (double)VLDAA_ONESHOT_DEGREE;
	vldaa_rice_bits(&mean, &variance, block->rice, 4.0 * vldaa_exact_double(block->width));
	sum->mean += coefficients * mean;
	sum->variance += coefficients * variance;
	sum->parts++;
}

double vldaa_oneshot_hint_deviation(const vldaa_oneshot_derived *derived,
				    const vldaa_oneshot_statement *s)
{
	const vldaa_oneshot_choice *choice = derived->choice;
	double coefficients = (double)(choice->n * VLDAA_ONESHOT_DEGREE);
	double e2 = vldaa_exact_double(s->identity2) * (double)slack2_den /
		    ((double)slack2_num * coefficients);
	return ldexp(sqrt(e2), (int)choice->keep) / vldaa_exact_double(derived->q);
}

/*
 * 0 is one bit, 1 and -1 are three; more is rare.  How many there are goes with ||c||, which has mean
 * 37.1 and deviation 2.9 (100,000 challenges): that moves all coefficients of a proof together.
 */
static void add_hint(size_sum *sum, const vldaa_oneshot_derived *derived,
		     const vldaa_oneshot_statement *s)
{
	double coefficients = (double)(derived->choice->n * VLDAA_ONESHOT_DEGREE);
	double other = erfc(0.5 / (vldaa_oneshot_hint_deviation(derived, s) * sqrt(2.0)));
	double together = coefficients * 2.0 * other * (2.9 / 37.1);
	sum->mean += coefficients * (1.0 + 2.0 * other);
	sum->variance += coefficients * 4.0 * other * (1.0 - other) + together * together;
	sum->parts++;
}

static void set_bytes(vldaa_oneshot_statement *s, const vldaa_oneshot_derived *derived)
{
	const vldaa_oneshot_choice *choice = derived->choice;
	uint32_t q_bits = choice->q_bits;
	uint32_t per_element = VLDAA_ONESHOT_DEGREE / 8;
	size_sum sum = {0};
	sum.fixed = choice->n * per_element * (q_bits - choice->cut);   /* t_A */
	sum.fixed += VLDAA_ONESHOT_GARBAGE * per_element * q_bits;      /* t_B */
	sum.fixed += (2 * (VLDAA_ONESHOT_DEGREE - 2) * q_bits + 7) / 8; /* h */
	sum.fixed += 32;                                                /* seed of c */
	for (uint32_t i = 0; i < s->blocks; i++)
		add_coded(&sum, &s->block[i]);
	add_coded(&sum, &s->z2);
	add_coded(&sum, &s->z3);
	add_hint(&sum, derived, s);
	s->bytes = sum.fixed + sum.mean / 8.0 + 0.5 * sum.parts;
	s->max_bytes = (uint32_t)ceil(s->bytes + size_deviations * sqrt(sum.variance) / 8.0);
}

static void derive_statement(vldaa_oneshot_statement *s, const vldaa_oneshot_derived *derived,
			     void (*describe)(vldaa_oneshot_statement *,
					      const vldaa_oneshot_choice *))
{
	statement_init(s);
	describe(s, derived->choice);
	s->dim = (s->m1 + s->weighted) * VLDAA_ONESHOT_DEGREE;
	for (uint32_t i = 0; i < s->blocks; i++)
		mask_block(&s->block[i], s->m1);
	mask_randomness(&s->z2, derived);
	mask_range(&s->z3, s->ws2);
	set_identity(s, derived);
	set_proven(s);
	set_bytes(s, derived);
}

/* ceil(2^52 (tail + 1 / (2 g^2))), g = num / den; with_tail 0: without t / g. */
static int64_t log_of_m(uint64_t num, uint64_t den, int with_tail)
{
	fmpq_t x;
	fmpq_t part;
	fmpz_t out;
	fmpq_init(x);
	fmpq_init(part);
	fmpz_init(out);
	fmpq_set_ui(x, den * den, 2 * num * num);
	if (with_tail) {
		fmpq_set_ui(part, tail_num * den, tail_den * num);
		fmpq_add(x, x, part);
	}
	fmpq_mul_2exp(x, x, 52);
	fmpz_cdiv_q(out, fmpq_numref(x), fmpq_denref(x));
	int64_t units = fmpz_get_si(out);
	fmpq_clear(x);
	fmpq_clear(part);
	fmpz_clear(out);
	return units;
}

/* Auxiliary primes whose product exceeds twice the largest sum of products. */
static uint32_t primes_above(const fmpz_t largest)
{
	fmpz_t twice;
	fmpz_t product;
	uint32_t count = 0;
	fmpz_init(twice);
	fmpz_init_set_ui(product, 1);
	fmpz_mul_2exp(twice, largest, 1);
	while (fmpz_cmp(product, twice) <= 0)
		fmpz_mul_ui(product, product, vldaa_table_prime(count++));
	fmpz_clear(twice);
	fmpz_clear(product);
	return count;
}

static void count_primes(vldaa_oneshot_derived *out)
{
	const vldaa_oneshot_choice *choice = out->choice;
	fmpz_t largest;
	fmpz_init(largest);
	/* A row of A1 or A2 times centred residues. */
	fmpz_mul(largest, out->q, out->q);
	fmpz_fdiv_q_2exp(largest, largest, 2);
	fmpz_mul_ui(largest, largest,
		    VLDAA_ONESHOT_DEGREE * (uint64_t)(out->attestation.m1 + out->m2));
	out->proof_primes = primes_above(largest);
	/* Four products modulo p in R_N: h v_2, b_x X, D_0 S_0, D_1 S_1. */
	fmpz_set_ui(largest, 4UL * choice->degree * (VLDAA_ONESHOT_P / 2) * (VLDAA_ONESHOT_P / 2));
	out->big_primes = primes_above(largest);
	fmpz_clear(largest);
}

/* floor((beta - margin)^2) = beta^2 + margin^2 - ceil(sqrt(4 margin^2 beta^2)). */
static uint64_t accepted(const vldaa_oneshot_choice *choice)
{
	fmpq_t square;
	fmpz_t root;
	fmpq_init(square);
	fmpz_init(root);
	fmpq_set_ui(square, 4UL * choice->margin * choice->margin * choice->beta2, 1);
	vldaa_exact_ceil_sqrt(root, square);
	uint64_t out =
	    choice->beta2 + (uint64_t)choice->margin * choice->margin - vldaa_exact_low64(root);
	fmpq_clear(square);
	fmpz_clear(root);
	return out;
}

void vldaa_oneshot_derive(vldaa_oneshot_derived *out, const vldaa_oneshot_choice *choice)
{
	*out = (vldaa_oneshot_derived){.choice = choice};
	fmpz_init(out->q);
	fmpz_one_2exp(out->q, choice->q_bits);
	fmpz_sub_ui(out->q, out->q, choice->q_below);
	out->m2 = choice->n + VLDAA_ONESHOT_GARBAGE + choice->mlwe_rank;
	out->randomness2 = out->m2 * VLDAA_ONESHOT_DEGREE * random_num / random_den;
	out->accept2 = accepted(choice);
	out->log_m[0] = log_of_m(mask1_num, mask1_den, 1);
	out->log_m[1] = log_of_m(mask2_num, mask2_den, 0);
	out->log_m[2] = log_of_m(mask3_num, mask3_den, 1);
	for (uint32_t i = 0; i < 3; i++)
		out->m[i] = exp(ldexp((double)out->log_m[i], -52));
	derive_statement(&out->attestation, out, vldaa_oneshot_describe_attestation);
	derive_statement(&out->join, out, vldaa_oneshot_describe_join);
	count_primes(out);
	vldaa_rice_choose(&out->v2_rice, &out->v2_bytes, choice->degree,
			  strtod(choice->sigma, NULL));
}

void vldaa_oneshot_derived_clear(vldaa_oneshot_derived *derived)
{
	statement_clear(&derived->attestation);
	statement_clear(&derived->join);
	fmpz_clear(derived->q);
}
