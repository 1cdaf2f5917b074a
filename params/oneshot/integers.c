/*
 * Conditions of a statement.  B' bounds ||W S|| modulo q once the range proof was accepted; from
 * there on each relation modulo q has to be one over the integers.
 */
#include "oneshot/check.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ceil(B' num / den). */
static void proven_times(fmpz_t out, const vldaa_oneshot_statement *s, uint64_t num, uint64_t den)
{
	fmpq_t x;
	fmpz_t factor;
	fmpq_init(x);
	fmpz_init_set_ui(factor, num);
	fmpz_mul_ui(factor, factor, num);
	fmpq_mul_fmpz(x, s->proven2, factor);
	fmpz_set_ui(factor, den);
	fmpz_mul_ui(factor, factor, den);
	fmpq_div_fmpz(x, x, factor);
	vldaa_exact_ceil_sqrt(out, x);
	fmpq_clear(x);
	fmpz_clear(factor);
}

/* out += ceil(sqrt(a b)). */
static void add_root(fmpz_t out, uint64_t a, uint64_t b)
{
	fmpq_t x;
	fmpz_t root;
	fmpq_init(x);
	fmpz_init(root);
	fmpz_set_ui(fmpq_numref(x), a);
	fmpz_mul_ui(fmpq_numref(x), fmpq_numref(x), b);
	vldaa_exact_ceil_sqrt(root, x);
	fmpz_add(out, out, root);
	fmpq_clear(x);
	fmpz_clear(root);
}

static double log2_fmpz(const fmpz_t x)
{
	return fmpz_dlog(x) / log(2.0);
}

static int is_attestation(const vldaa_oneshot_statement *s)
{
	return strcmp(s->name, "attestation") == 0;
}

static const char *pick(const vldaa_oneshot_statement *s, const char *attestation, const char *join)
{
	return is_attestation(s) ? attestation : join;
}

/* --- masks
 * ---------------------------------------------------------------------------------------- */

/* x + (num / den)^2 secret2 / (16 K^2) */
static void add_ratio(fmpq_t x, uint64_t num, uint64_t den, const fmpz_t secret2,
		      const vldaa_oneshot_block *block)
{
	fmpq_t term;
	fmpq_init(term);
	fmpz_mul_ui(fmpq_numref(term), secret2, num * num);
	fmpz_mul(fmpq_denref(term), block->width, block->width);
	fmpz_mul_ui(fmpq_denref(term), fmpq_denref(term), 16 * den * den);
	fmpq_canonicalise(term);
	fmpq_add(x, x, term);
	fmpq_clear(term);
}

/* Is x <= (den / num)^2? */
static int within(const fmpq_t x, uint64_t num, uint64_t den)
{
	fmpq_t most;
	fmpq_init(most);
	fmpq_set_ui(most, den * den, num * num);
	int ok = fmpq_cmp(x, most) <= 0;
	fmpq_clear(most);
	return ok;
}

static void masks(vldaa_verdict *out, const vldaa_oneshot_all *all,
		  const vldaa_oneshot_statement *s)
{
	fmpq_t z1;
	fmpq_t z2;
	fmpq_t z3;
	fmpz_t secret2;
	fmpq_init(z1);
	fmpq_init(z2);
	fmpq_init(z3);
	fmpz_init(secret2);
	for (uint32_t i = 0; i < s->blocks; i++) {
		fmpz_set_ui(secret2, s->block[i].secret2);
		add_ratio(z1, VLDAA_ONESHOT_ETA, 1, secret2, &s->block[i]);
	}
	fmpz_set_ui(secret2, all->derived.randomness2);
	add_ratio(z2, VLDAA_ONESHOT_ETA, 1, secret2, &s->z2);
	fmpz_mul_ui(secret2, s->ws2, 337);
	add_ratio(z3, 1, 1, secret2, &s->z3);
	int ok = within(z1, 134, 10) && within(z2, 13, 10) && within(z3, 67, 10);
	vldaa_verdict_set(
	    out, pick(s, "attestation-masks", "join-masks"), ok,
	    "the rounded deviations are at least 13.4, 1.3 and 6.7 times what they hide "
	    "(||c w1|| over all blocks, ||c w2||, ||Rm W S||), with ||W S||^2 <= 2^%.2f.",
	    log2_fmpz(s->ws2));
	fmpq_clear(z1);
	fmpq_clear(z2);
	fmpq_clear(z3);
	fmpz_clear(secret2);
}

/* The sampler takes K up to 2^47; z3 is hashed as int32. */
static void sizes(vldaa_verdict *out, const vldaa_oneshot_all *all,
		  const vldaa_oneshot_statement *s)
{
	uint64_t widest = 0;
	uint64_t largest = vldaa_exact_low64(s->z3.max);
	(void)all;
	for (uint32_t i = 0; i < s->blocks; i++) {
		uint64_t width = vldaa_exact_low64(s->block[i].width);
		widest = width > widest ? width : widest;
	}
	vldaa_verdict_set(out, pick(s, "attestation-sizes", "join-sizes"),
			  widest < UINT64_C(1) << 47 && largest < UINT64_C(1) << 31,
			  "the widest mask has deviation 2^%.2f; z3 stays below 2^%.2f.",
			  2.0 + log2((double)widest), log2((double)largest));
}

/* --- from modulo q to the integers ---------------------------------------------------------------
 */

/* LNP22, section 2: needs 41 dim B' <= q. */
static void range(vldaa_verdict *out, const vldaa_oneshot_all *all,
		  const vldaa_oneshot_statement *s)
{
	fmpz_t x;
	fmpz_t b;
	fmpz_init(x);
	fmpz_init(b);
	proven_times(b, s, 1, 1);
	proven_times(x, s, 41UL * s->dim, 1);
	vldaa_verdict_set(out, pick(s, "attestation-range", "join-range"),
			  fmpz_cmp(x, all->derived.q) <= 0,
			  "||W S|| modulo q is at most B' = 2^%.2f but for 2^-128, as 41 * %" PRIu32
			  " B' = 2^%.2f is below q.",
			  log2_fmpz(b), s->dim, log2_fmpz(x));
	fmpz_clear(x);
	fmpz_clear(b);
}

/* cbar a = 29 zbar over the integers: 2 * 72 B' + 29 * 2 max z1 < q, so that 29 divides a. */
static void whole(vldaa_verdict *out, const vldaa_oneshot_all *all,
		  const vldaa_oneshot_statement *s)
{
	fmpz_t x;
	fmpz_t largest;
	fmpz_init(x);
	fmpz_init(largest);
	for (uint32_t i = 0; i < s->blocks; i++)
		if (fmpz_cmp(s->block[i].max, largest) > 0)
			fmpz_set(largest, s->block[i].max);
	proven_times(x, s, 2 * VLDAA_ONESHOT_ETA, 1);
	fmpz_addmul_ui(x, largest, 2 * VLDAA_ONESHOT_WEIGHT);
	vldaa_verdict_set(
	    out, pick(s, "attestation-whole", "join-whole"), fmpz_cmp(x, all->derived.q) < 0,
	    "cbar a = %d zbar holds over the integers (2^%.2f is below q), so the witness "
	    "is whole and its entries are at most B'/%d.",
	    VLDAA_ONESHOT_WEIGHT, log2_fmpz(x), VLDAA_ONESHOT_WEIGHT);
	fmpz_clear(x);
	fmpz_clear(largest);
}

/* out = ceil((B'/29)^2). */
static void whole_norm2(fmpz_t out, const vldaa_oneshot_statement *s)
{
	fmpq_t x;
	fmpz_t weight2;
	fmpq_init(x);
	fmpz_init_set_ui(weight2, VLDAA_ONESHOT_WEIGHT * VLDAA_ONESHOT_WEIGHT);
	fmpq_div_fmpz(x, s->proven2, weight2);
	fmpz_cdiv_q(out, fmpq_numref(x), fmpq_denref(x));
	fmpq_clear(x);
	fmpz_clear(weight2);
}

/* <a, a - 1> = 0 over n entries: at most ||a||^2 + sqrt(n) ||a||. */
static void binary(vldaa_verdict *out, const vldaa_oneshot_all *all,
		   const vldaa_oneshot_statement *s)
{
	fmpz_t x;
	fmpz_t linear;
	fmpz_init(x);
	fmpz_init(linear);
	whole_norm2(x, s);
	add_root(linear, s->binaries, 1);
	uint64_t root = vldaa_exact_low64(linear);
	proven_times(linear, s, root, VLDAA_ONESHOT_WEIGHT);
	fmpz_add(x, x, linear);
	vldaa_verdict_set(
	    out, pick(s, "attestation-binary", "join-binary"), fmpz_cmp(x, all->derived.q) < 0,
	    "<a, a - 1> over %" PRIu32
	    " entries is below 2^%.2f, below q, so it is 0 over the integers and every "
	    "entry is 0 or 1.",
	    s->binaries, log2_fmpz(x));
	fmpz_clear(x);
	fmpz_clear(linear);
}

/* Digits are binary by then: ||a||^2 + 2^bits - 1 - bound, between -q and q. */
static void norms(vldaa_verdict *out, const vldaa_oneshot_all *all,
		  const vldaa_oneshot_statement *s)
{
	fmpz_t x;
	uint32_t digits = 0;
	uint32_t most = 0;
	int ok = 1;
	fmpz_init(x);
	for (uint32_t i = 0; i < s->relations; i++) {
		const vldaa_oneshot_relation *relation = &s->relation[i];
		if (relation->binary)
			continue;
		/* every honest norm has its digits, and no two relations share one */
		ok &= relation->bound < UINT64_C(1) << relation->bits;
		ok &= relation->digit == digits;
		digits += relation->bits;
		most = relation->bits > most ? relation->bits : most;
	}
	whole_norm2(x, s);
	fmpz_add_ui(x, x, UINT64_C(1) << most);
	ok &= fmpz_cmp(x, all->derived.q) < 0 && digits <= VLDAA_ONESHOT_DEGREE;
	vldaa_verdict_set(out, pick(s, "attestation-norms", "join-norms"), ok,
			  "norms and their digits (%" PRIu32
			  " of %d in theta) are below 2^%.2f, below "
			  "q, so each squared norm is at most its bound, exactly.",
			  digits, VLDAA_ONESHOT_DEGREE, log2_fmpz(x));
	fmpz_clear(x);
}

/* D s: rows of centred residues modulo `modulus`, ||s||^2 <= s2; coefficient by Cauchy-Schwarz. */
static void add_key_product(fmpz_t out, const vldaa_oneshot_choice *choice, uint64_t modulus)
{
	uint64_t half = (modulus - 1) / 2;
	add_root(out, half * half, 256UL * choice->l * choice->s2);
}

/* p k = ...: every term at its proven bound. */
static void credential_carry(vldaa_verdict *out, const vldaa_oneshot_all *all,
			     const vldaa_oneshot_statement *s)
{
	const vldaa_oneshot_choice *choice = all->choice;
	uint64_t half = (VLDAA_ONESHOT_P - 1) / 2;
	int attestation = is_attestation(s);
	fmpz_t x;
	fmpz_init(x);
	proven_times(x, s, VLDAA_ONESHOT_P, 1);
	add_key_product(x, choice, VLDAA_ONESHOT_P);
	fmpz_add_ui(x, x, half); /* u, or u_T */
	if (attestation) {
		add_root(x, choice->beta2, 1);
		add_root(x, half * half, choice->degree * choice->beta2);
		fmpz_add_ui(x, x, half * VLDAA_ONESHOT_TAG);
	} else {
		add_root(x, choice->et2, 1);
	}
	vldaa_verdict_set(
	    out, pick(s, "attestation-carry", "join-carry"), fmpz_cmp(x, all->derived.q) < 0,
	    "%s: all terms together are below 2^%.2f, below q, so it holds over the "
	    "integers.",
	    attestation ? "p k_c = v_1 + h v_2 - u - b_x X - D s" : "p k_J = e_T - u_T + D s",
	    log2_fmpz(x));
	fmpz_clear(x);
}

/* 128 k is short modulo q and so is k, hence |k| <= B'/128; then q1 k = E - t + A s. */
static void pseudonym_carry(vldaa_verdict *out, const vldaa_oneshot_all *all,
			    const vldaa_oneshot_statement *s)
{
	const vldaa_oneshot_choice *choice = all->choice;
	fmpz_t x;
	fmpz_t twice;
	if (!is_attestation(s)) {
		/* Join's derived form has no weight. */
		out->name = NULL;
		return;
	}
	fmpz_init(x);
	fmpz_init(twice);
	proven_times(twice, s, 2 * VLDAA_ONESHOT_CARRY_WEIGHT, 1);
	proven_times(x, s, VLDAA_ONESHOT_Q1, VLDAA_ONESHOT_CARRY_WEIGHT);
	add_key_product(x, choice, VLDAA_ONESHOT_Q1);
	add_root(x, choice->e2, 1);
	fmpz_add_ui(x, x, (VLDAA_ONESHOT_Q1 - 1) / 2);
	vldaa_verdict_set(
	    out, "attestation-weights",
	    fmpz_cmp(twice, all->derived.q) < 0 && fmpz_cmp(x, all->derived.q) < 0,
	    "2 * %d B' = 2^%.2f is below q, so |k| <= B'/%d, and q1 k = E - t + A s, below 2^%.2f, "
	    "holds over the integers.",
	    VLDAA_ONESHOT_CARRY_WEIGHT, log2_fmpz(twice), VLDAA_ONESHOT_CARRY_WEIGHT, log2_fmpz(x));
	fmpz_clear(x);
	fmpz_clear(twice);
}

const vldaa_oneshot_statement_condition vldaa_oneshot_statement_conditions[] = {
    masks, sizes, range, whole, binary, norms, credential_carry, pseudonym_carry,
};
const uint32_t vldaa_oneshot_statement_condition_count =
    sizeof(vldaa_oneshot_statement_conditions) / sizeof(vldaa_oneshot_statement_conditions[0]);
