/* Conditions of the scheme and the proof system (params/README.md, "Conditions of the one-shot
 * sets"). */
#include "oneshot/carry.h"
#include "oneshot/challenges.h"
#include "oneshot/check.h"
#include "oneshot/points.h"

#include <flint/ulong_extras.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void vldaa_oneshot_all_init(vldaa_oneshot_all *out, const vldaa_oneshot_choice *choice)
{
	out->choice = choice;
	vldaa_oneshot_derive(&out->derived, choice);
}

void vldaa_oneshot_all_clear(vldaa_oneshot_all *all)
{
	vldaa_oneshot_derived_clear(&all->derived);
}

/* --- the proof system ---------------------------------------------------------------------------
 */

static void modulus(vldaa_verdict *out, const vldaa_oneshot_all *all)
{
	int prime = fmpz_is_prime(all->derived.q) == 1;
	uint64_t residue = fmpz_fdiv_ui(all->derived.q, 8);
	vldaa_verdict_set(out, "modulus", prime && residue == 5,
			  "q = 2^%" PRIu32 " - %" PRIu32 " %s and %" PRIu64
			  " modulo 8, so Y^64 + 1 has two factors of degree 32 modulo q.",
			  all->choice->q_bits, all->choice->q_below,
			  prime ? "is prime" : "is NOT prime", residue);
}

/* Differences of challenges have Euclidean norm at most their operator norm, 2 * 72; Lyubashevsky
 * and Seiler (EUROCRYPT 2018): what is shorter than q^(1/2) inverts when there are two factors. */
static void differences(vldaa_verdict *out, const vldaa_oneshot_all *all)
{
	uint64_t longest = 2 * VLDAA_ONESHOT_ETA;
	int ok = fmpz_cmp_ui(all->derived.q, longest * longest) > 0;
	vldaa_verdict_set(out, "challenges-invert", ok,
			  "differences of challenges have norm at most %" PRIu64
			  ", and every element shorter than sqrt(q) = 2^%.1f inverts.",
			  longest, 0.5 * all->choice->q_bits);
}

/*
 * A real element of Z[zeta_128] with |coefficients| <= 18 that is not 0 is a unit modulo 29: 29 is
 * inert in the field fixed by sigma, because 29 = 5 modulo 8 generates a group of order 32 modulo
 * 128 that does not contain -1.
 */
static void weight(vldaa_verdict *out, const vldaa_oneshot_all *all)
{
	uint64_t w = VLDAA_ONESHOT_WEIGHT;
	uint64_t largest = 2 * VLDAA_ONESHOT_KAPPA;
	int ok = n_is_prime(w) && w % 8 == 5 && w > largest;
	(void)all;
	vldaa_verdict_set(out, "weight", ok,
			  "%" PRIu64 " is prime, %" PRIu64 " modulo 8 and above 2 kappa = %" PRIu64
			  ": differences of challenges are units modulo it, so what is extracted "
			  "from entries of that weight is whole.",
			  w, w % 8, largest);
}

static void challenges(vldaa_verdict *out, const vldaa_oneshot_all *all)
{
	vldaa_challenge_count count;
	(void)all;
	vldaa_oneshot_count_challenges(&count);
	vldaa_verdict_set(out, "challenges", count.bits >= 128.0 && count.doubt < -128.0,
			  "%" PRIu32 " of %" PRIu32
			  " drawn are kept: 19^32 = 2^%.2f challenges become 2^%.2f. If there were "
			  "2^128 or fewer, so many would be kept with probability 2^%.0f.",
			  count.kept, count.drawn, count.all_bits, count.bits, count.doubt);
}

static void soundness(vldaa_verdict *out, const vldaa_oneshot_all *all)
{
	double error = vldaa_oneshot_soundness(all->choice);
	vldaa_verdict_set(
	    out, "soundness", error <= -127.0,
	    "a proof of something false passes with probability 2/|C| + q^-4 + 2^-128 "
	    "= 2^%.2f, in every set.",
	    error);
}

/* exp(-t^2 / 2) < 2^-128, t = 13.37: <z, v> passes t times its deviation with no more. */
static void tails(vldaa_verdict *out, const vldaa_oneshot_all *all)
{
	const double *m = all->derived.m;
	double tail = -13.37 * 13.37 / 2.0 / log(2.0);
	vldaa_verdict_set(
	    out, "rejection", tail <= -128.0,
	    "masks hide up to 2^%.1f; a proof takes %.1f draws of the large masks (M = "
	    "%.3f times 2 * %.3f) and %.1f of the range proof's.",
	    tail, m[0] * 2.0 * m[1], m[0], m[1], m[2]);
}

/* ||c||^2 near 37.5^2 is what the bound on the identity part was made for. */
static void identity(vldaa_verdict *out, const vldaa_oneshot_all *all)
{
	vldaa_challenge_count count;
	double hint = vldaa_oneshot_hint_deviation(&all->derived, &all->derived.attestation);
	double tail = erfc((VLDAA_ONESHOT_HINT + 0.5) / (hint * sqrt(2.0)));
	vldaa_oneshot_count_challenges(&count);
	vldaa_verdict_set(out, "hints", count.norm2 <= 1406.25 && tail < exp2(-64.0),
			  "||c||^2 is %.0f on average (1406.25 is allowed for); an honest hint has "
			  "deviation %.3f and stays within %d.",
			  count.norm2, hint, VLDAA_ONESHOT_HINT);
}

/* --- the credential -----------------------------------------------------------------------------
 */

/* The decimal digits as an exact fraction. */
static void parse_decimal(fmpq_t out, const char *digits)
{
	char text[64];
	size_t length = 0;
	uint32_t places = 0;
	const char *point = strchr(digits, '.');
	for (const char *p = digits; *p != '\0' && length + 1 < sizeof(text); p++)
		if (p != point)
			text[length++] = *p;
	text[length] = '\0';
	if (point != NULL)
		places = (uint32_t)strlen(point + 1);
	fmpz_set_str(fmpq_numref(out), text, 10);
	fmpz_set_ui(fmpq_denref(out), 10);
	fmpz_pow_ui(fmpq_denref(out), fmpq_denref(out), places);
	fmpq_canonicalise(out);
}

/* beta = 1.1 sigma sqrt(2 N) (Falcon specification, section 2.6). */
static void falcon(vldaa_verdict *out, const vldaa_oneshot_all *all)
{
	fmpq_t sigma;
	fmpz_t factor;
	fmpq_init(sigma);
	fmpz_init_set_ui(factor, 121UL * 2 * all->choice->degree);
	parse_decimal(sigma, all->choice->sigma);
	fmpq_mul(sigma, sigma, sigma);
	fmpq_mul_fmpz(sigma, sigma, factor);
	fmpz_set_ui(factor, 100);
	fmpq_div_fmpz(sigma, sigma, factor);
	vldaa_exact_floor(factor, sigma);
	int ok = fmpz_equal_ui(factor, all->choice->beta2);
	vldaa_verdict_set(out, "falcon", ok,
			  "beta^2 = %" PRIu64 " %s floor(1.21 sigma^2 2 N), sigma = %s.",
			  all->choice->beta2, ok ? "is" : "is NOT", all->choice->sigma);
	fmpq_clear(sigma);
	fmpz_clear(factor);
}

/* v_1 = v' - e_T, so ||v|| <= ||v'|| + ||e_T||: 2 sqrt(a e) <= beta^2 - a - e. */
static void acceptance(vldaa_verdict *out, const vldaa_oneshot_all *all)
{
	const vldaa_oneshot_choice *choice = all->choice;
	uint64_t accept = all->derived.accept2;
	uint64_t sum = accept + choice->et2;
	int norms = sum <= choice->beta2 &&
		    4 * accept * choice->et2 <= (choice->beta2 - sum) * (choice->beta2 - sum);
	/* k_c = k' - k_J, and one coefficient of v_1 may go round p. */
	int carries = choice->kc_accept + choice->kj + 1 <= choice->kc;
	vldaa_verdict_set(out, "credential", norms && carries,
			  "issuer and member accept ||(v', v_2)||^2 <= %" PRIu64
			  ", which with ||e_T||^2 <= %" PRIu64 " stays within beta^2 = %" PRIu64
			  "; and ||k'|| <= %" PRIu64 ", which with ||k_J|| <= %" PRIu64
			  " stays within %" PRIu64 ".",
			  accept, choice->et2, choice->beta2, choice->kc_accept, choice->kj,
			  choice->kc);
}

/* --- the pseudonym ------------------------------------------------------------------------------
 */

static double collision(const vldaa_oneshot_choice *choice, uint32_t rows, int linked, int fixed)
{
	double key = sqrt((double)choice->s2);
	/* the bound on E grows with the rows that it covers */
	double error = sqrt((double)choice->e2 * rows / choice->rows);
	/* two keys, or one against a key that is fixed */
	vldaa_row_question question = {.l = choice->l,
				       .rows = rows,
				       .key = fixed ? key : 2.0 * key,
				       .error = (fixed ? 1.0 : 2.0) * error};
	/* Link allows for 2 ||E|| more between the two pseudonyms */
	question.error += linked ? 2.0 * error : 0.0;
	return vldaa_row_collision(&question);
}

static void rows(vldaa_verdict *out, const vldaa_oneshot_all *all)
{
	const vldaa_oneshot_choice *choice = all->choice;
	/* Over 2^128 basenames, and 2^-64 to spare. */
	double most = -192.0;
	double linked = collision(choice, choice->rows, 1, 0);
	int least = choice->rows == 1 || collision(choice, choice->rows - 1, 1, 0) > most;
	vldaa_verdict_set(
	    out, "rows", linked <= most && least,
	    "two keys share a pseudonym's proven rows (%" PRIu32
	    ") with probability 2^%.0f, within "
	    "Link's tolerance 2^%.0f (2^%.0f over 2^128 basenames), within it of one fixed key "
	    "2^%.0f%s.",
	    choice->rows, collision(choice, choice->rows, 0, 0), linked, linked + 128.0,
	    collision(choice, choice->rows, 1, 1),
	    choice->rows == 1 ? ""
	    : least           ? "; one row less is not enough"
			      : "; FEWER ROWS ARE ENOUGH");
}

static void carries(vldaa_verdict *out, const vldaa_oneshot_all *all)
{
	double tail = vldaa_oneshot_carry_tail(all->choice);
	vldaa_verdict_set(out, "carry", tail <= -100.0,
			  "an honest ||k|| passes %" PRIu64
			  " with probability below 2^%.0f over the basename.",
			  all->choice->k_carry, tail);
}

const vldaa_oneshot_condition vldaa_oneshot_conditions[] = {
    modulus,  differences, weight,     challenges, soundness, tails,
    identity, falcon,      acceptance, rows,       carries,
};
const uint32_t vldaa_oneshot_condition_count =
    sizeof(vldaa_oneshot_conditions) / sizeof(vldaa_oneshot_conditions[0]);
