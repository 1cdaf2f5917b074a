/*
 * What a published set gives and does not give, in words.  None of this is in SC24: its level of
 * security counts the recovery of keys only.
 */
#include "lattice/cost.h"
#include "lattice/sis.h"
#include "published/conditions.h"
#include "published/estimate.h"

#include <inttypes.h>
#include <math.h>

const char *vldaa_published_warning(const vldaa_published_choice *choice)
{
	(void)choice;
	return "not unforgeable: anyone can compute a credential by linear algebra modulo q, and "
	       "pseudonyms can be made unlinkable; only for reproducing published figures";
}

/* "BKZ block size 428", or that the formulas' least one is enough already. */
static void describe_block(char *out, size_t size, uint32_t block)
{
	if (block == VLDAA_COST_BLOCK_MIN)
		snprintf(out, size, "BKZ with block size %" PRIu32 " or less", block);
	else
		snprintf(out, size, "BKZ with block size %" PRIu32, block);
}

/* "; SC24 reports 42 to 44", or nothing for a set that SC24 does not have. */
static void describe_claim(char *out, size_t size, const vldaa_published_choice *choice)
{
	if (choice->claimed_bits_low < choice->claimed_bits_high)
		snprintf(out, size, "; SC24 reports %.0f to %.0f", choice->claimed_bits_low,
			 choice->claimed_bits_high);
	else if (choice->claimed_bits_low > 0.0)
		snprintf(out, size, "; SC24 reports %.0f", choice->claimed_bits_low);
	else
		out[0] = '\0';
}

static void keys_are_safe(vldaa_verdict *out, const vldaa_published_all *all)
{
	const vldaa_published_choice *choice = all->choice;
	vldaa_published_estimate ours;
	vldaa_published_estimate theirs;
	char attack[64];
	char claim[64];
	vldaa_published_estimate_keys(&ours, choice, (double)choice->q, VLDAA_COST_CORE_SVP);
	vldaa_published_estimate_keys(&theirs, choice, (double)choice->q, VLDAA_COST_SC24);
	describe_block(attack, sizeof(attack), ours.attack.block);
	describe_claim(claim, sizeof(claim), choice);
	vldaa_verdict_set(
	    out, "keys", ours.bits >= choice->lambda,
	    "finding a member's key (Ring-LWE) takes %s: core-SVP 2^%.0f classical, 2^%.0f quantum, for a set "
	    "named after %" PRIu32 " bits. Counted as SC24 did, it is 2^%.1f%s.",
	    attack, floor(ours.bits), floor(ours.quantum_bits), choice->lambda, theirs.bits, claim);
}

static void tag_is_hidden(vldaa_verdict *out, const vldaa_published_all *all)
{
	vldaa_published_estimate estimate;
	char attack[64];
	vldaa_published_estimate_tag(&estimate, all->choice);
	describe_block(attack, sizeof(attack), estimate.attack.block);
	vldaa_verdict_set(
	    out, "anonymity", estimate.bits >= all->choice->lambda,
	    "finding the tag inside an attestation's commitments (Ring-LWE, ternary secret and error) takes %s: "
	    "core-SVP 2^%.0f classical, for a set named after %" PRIu32 " bits.",
	    attack, floor(estimate.bits), all->choice->lambda);
}

/*
 * An element that is not invertible modulo q lies in an ideal of norm at least q^(d/f), f the
 * number of factors, and a non-zero element of Euclidean norm l has algebraic norm at most l^d.  So
 * everything non-zero and shorter than q^(1/f) inverts.  A difference of two challenges may have
 * norm 2 sqrt(kappa).
 */
static void challenge_differences_invert(vldaa_verdict *out, const vldaa_published_all *all)
{
	uint32_t factors;
	uint32_t factor_degree;
	vldaa_published_split(&factors, &factor_degree, all->choice->degree, all->choice->q);
	double short_enough = pow((double)all->choice->q, 1.0 / factors);
	double longest = 2.0 * sqrt((double)all->choice->kappa);
	int ok = longest < short_enough;
	vldaa_verdict_set(out, "challenges-invert", ok,
			  "elements shorter than q^(1/%" PRIu32
			  ") = %.2f invert, and a difference of challenges has norm up to "
			  "%.2f: extraction from the proofs %s.",
			  factors, short_enough, longest,
			  ok ? "can divide by it" : "is not guaranteed to work");
}

/*
 * Equation (1) modulo q: choose all but one polynomial at random, solve for the last one.  Residues
 * have norm at most (q/2) sqrt(2 d), about q sqrt(d/6), and s_1, s_2 may have 1.1 gamma sqrt(2 d).
 */
static void credential_is_unforgeable(vldaa_verdict *out, const vldaa_published_all *all)
{
	double gamma = mpfr_get_d(all->derived.gamma, MPFR_RNDN);
	double q = (double)all->choice->q;
	int linear = 1.1 * gamma >= q / 2.0;
	vldaa_verdict_set(
	    out, "credential", !linear, "gamma / q = %.4g: %s", gamma / q,
	    linear
		? "any solution of the issuer's equation modulo q is short enough, so linear algebra gives "
		  "anyone a credential for any tag, and honest code makes attestations and messages from it."
		: "a solution modulo q is too long to pass.");
}

/* Whether any vector of centred residues passes the block: (q/2)^2 d m' <= beta'^2. */
static int any_residue_passes(const vldaa_published_all *all, const vldaa_published_block *block)
{
	fmpz_t longest;
	fmpz_init(longest);
	fmpz_set_ui(longest, all->choice->q / 2);
	fmpz_mul(longest, longest, longest);
	fmpz_mul_ui(longest, longest, (ulong)block->polys * all->choice->degree);
	int passes = fmpz_cmp(longest, block->bound2) <= 0;
	fmpz_clear(longest);
	return passes;
}

static int block_belongs(const vldaa_published_block *block, int attestation)
{
	if (attestation)
		return block->role == VLDAA_PROOF_HOST || block->role == VLDAA_PROOF_TPM;
	return block->role == VLDAA_PROOF_SIGN;
}

static uint32_t open_blocks(uint32_t *total, const vldaa_published_all *all, int attestation)
{
	uint32_t open = 0;
	*total = 0;
	for (uint32_t i = 0; i < VLDAA_PUBLISHED_BLOCKS; i++) {
		const vldaa_published_block *block = &all->blocks[i];
		if (!block_belongs(block, attestation))
			continue;
		*total += 1;
		open += any_residue_passes(all, block) != 0;
	}
	return open;
}

static void attestation_is_unforgeable(vldaa_verdict *out, const vldaa_published_all *all)
{
	vldaa_verdict credential;
	uint32_t total;
	uint32_t open = open_blocks(&total, all, 1);
	credential_is_unforgeable(&credential, all);
	if (open == total)
		vldaa_verdict_set(
		    out, "attestation", 0,
		    "all %" PRIu32
		    " blocks accept any residues modulo q: whoever solves the verifier's equations by "
		    "linear algebra has an attestation, even for a pseudonym whose secret nobody knows.",
		    total);
	else
		vldaa_verdict_set(
		    out, "attestation", credential.ok,
		    "%" PRIu32 " of %" PRIu32 " blocks accept any residues modulo q; %s", open,
		    total,
		    credential.ok
			? "the credential decides."
			: "an attestation under a pseudonym of one's own follows from a forged credential.");
}

/*
 * b z_1 + z_N = w + c nym: d equations in 2 d unknowns.  When residues are too long, a short
 * solution is a close vector problem, as hard as a short vector of that norm (Falcon specification,
 * section 2.5.1).
 */
static void message_is_unforgeable(vldaa_verdict *out, const vldaa_published_all *all)
{
	uint32_t total;
	uint32_t open = open_blocks(&total, all, 0);
	if (open == total) {
		vldaa_verdict_set(
		    out, "message", 0,
		    "both responses accept any residues modulo q: a message signature under anybody's pseudonym "
		    "follows by linear algebra.");
		return;
	}
	double bound2 = 0.0;
	for (uint32_t i = 0; i < VLDAA_PUBLISHED_BLOCKS; i++)
		if (all->blocks[i].role == VLDAA_PROOF_SIGN)
			bound2 += vldaa_exact_double(all->blocks[i].bound2);
	vldaa_sis instance = {.n = all->choice->degree,
			      .columns = 2 * all->choice->degree,
			      .q = (double)all->choice->q,
			      .bound = sqrt(bound2)};
	vldaa_sis_estimate estimate;
	char attack[64];
	vldaa_sis_solve(&estimate, &instance);
	describe_block(attack, sizeof(attack), estimate.block);
	double bits = vldaa_cost_classical(estimate.block);
	vldaa_verdict_set(
	    out, "message", !estimate.trivial && bits >= all->choice->lambda,
	    "a message signature under somebody else's pseudonym is a vector of norm %.3g in dimension %" PRIu32
	    ": %s, core-SVP 2^%.0f.",
	    instance.bound, estimate.dimension, attack, floor(bits));
}

/*
 * z + q e_j passes the same equations.  An honest response has norm near xi sqrt(d m') and may have
 * sqrt 2 times that, so the step fits when q is below xi sqrt(d m').
 */
static uint32_t malleable_blocks(uint32_t *total, const vldaa_published_all *all, int attestation)
{
	uint32_t malleable = 0;
	*total = 0;
	for (uint32_t i = 0; i < VLDAA_PUBLISHED_BLOCKS; i++) {
		const vldaa_published_block *block = &all->blocks[i];
		if (!block_belongs(block, attestation))
			continue;
		double xi = 4.0 * vldaa_exact_double(block->width);
		*total += 1;
		malleable +=
		    (double)all->choice->q < xi * sqrt((double)block->polys * all->choice->degree);
	}
	return malleable;
}

static void signatures_are_unique(vldaa_verdict *out, const vldaa_published_all *all)
{
	uint32_t attestation_blocks;
	uint32_t message_blocks;
	uint32_t attestation = malleable_blocks(&attestation_blocks, all, 1);
	uint32_t message = malleable_blocks(&message_blocks, all, 0);
	vldaa_verdict_set(
	    out, "strong", attestation + message == 0,
	    "adding q to a coefficient of an honest response gives another valid one in %" PRIu32
	    " of %" PRIu32 " blocks of an attestation and %" PRIu32 " of %" PRIu32
	    " of a message signature.",
	    attestation, attestation_blocks, message, message_blocks);
}

/*
 * c (1 + X + ... + X^(d-1)) has coefficients of kappa's parity, so with an even kappa (q + 1) / 2
 * times it is short modulo q, for every challenge.
 */
static void pseudonyms_link(vldaa_verdict *out, const vldaa_published_all *all)
{
	vldaa_verdict credential;
	int even = all->choice->kappa % 2 == 0;
	credential_is_unforgeable(&credential, all);
	if (even)
		vldaa_verdict_set(
		    out, "linkability", 0,
		    "not guaranteed: kappa is even, so nym + ((q + 1) / 2) (1 + X + ... + X^(d-1)) passes the proof "
		    "of the pseudonym for every challenge, and does not link to nym.");
	else
		vldaa_verdict_set(
		    out, "linkability", credential.ok,
		    "kappa is odd, which prevents the shift by (q + 1) / 2 that even ones allow; %s",
		    credential.ok
			? "pseudonyms link."
			: "but not guaranteed: whoever forges credentials takes a new key for each pseudonym.");
}

static void honest_pseudonyms_link(vldaa_verdict *out, const vldaa_published_all *all)
{
	/* Two errors of norm 1.1 sigma sqrt(d) each, against q sqrt(d) / 8. */
	double sigma = mpfr_get_d(all->derived.sigma, MPFR_RNDN);
	double q = (double)all->choice->q;
	vldaa_verdict_set(
	    out, "link-threshold", 2.2 * sigma <= q / 8.0,
	    "honest pseudonyms of one member and basename differ by at most %.4g sqrt(d), Link accepts up to "
	    "q sqrt(d) / 8 = %.4g sqrt(d), and a random element is near %.4g sqrt(d).",
	    2.2 * sigma, q / 8.0, q / sqrt(12.0));
}

const vldaa_published_condition vldaa_published_security[] = {
    keys_are_safe,
    tag_is_hidden,
    credential_is_unforgeable,
    attestation_is_unforgeable,
    message_is_unforgeable,
    signatures_are_unique,
    challenge_differences_invert,
    pseudonyms_link,
    honest_pseudonyms_link,
};
const uint32_t vldaa_published_security_count =
    sizeof(vldaa_published_security) / sizeof(vldaa_published_security[0]);
