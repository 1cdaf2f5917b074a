#include "published/describe.h"

#include "family.h"
#include "published/conditions.h"

#include <inttypes.h>
#include <math.h>

static const char family_name[] = "published";

static void show_choice(vldaa_report *report, const vldaa_published_choice *choice)
{
	vldaa_report_open_values(report, "choice", "Chosen");
	vldaa_report_unsigned(report, "id", choice->id, "set identifier in encodings and hashes");
	vldaa_report_unsigned(report, "d", choice->degree, "degree of X^d + 1");
	vldaa_report_unsigned(report, "q", choice->q, "modulus");
	vldaa_report_unsigned(report, "kappa", choice->kappa, "weight of a challenge");
	vldaa_report_unsigned(report, "lambda", choice->lambda, "in eta");
	vldaa_report_unsigned(report, "challenge_bytes", choice->challenge_bytes, "length of c~");
	vldaa_report_unsigned(report, "rate", choice->rate,
			      "SHAKE rate: 168 is SHAKE-128, 136 SHAKE-256");
	vldaa_report_close_values(report);
}

static void show_derived(vldaa_report *report, const vldaa_published_all *all)
{
	const vldaa_published_derived *derived = &all->derived;
	vldaa_report_open_values(report, "derived", "Derived (SC24 section 2.4)");
	vldaa_report_unsigned(report, "q_bits", derived->q_bits, "ceil(log2 q)");
	vldaa_report_unsigned(report, "ring_primes",
			      vldaa_published_ring_primes(all->choice, &all->bounds),
			      "auxiliary primes below 2^30 that exact products need");
	vldaa_report_unsigned(report, "delta", derived->delta, "ceil(sqrt q)");
	vldaa_report_real(report, "challenge_bits",
			  vldaa_published_challenge_bits(all->choice->degree, all->choice->kappa),
			  "log2(2^kappa C(d, kappa))");
	vldaa_report_real(report, "sigma", mpfr_get_d(derived->sigma, MPFR_RNDN), "2 sqrt(log2 d)");
	vldaa_report_real(report, "eta", mpfr_get_d(derived->eta, MPFR_RNDN),
			  "sqrt(ln(2k (1 + 2^lambda)) / pi)");
	vldaa_report_real(report, "alpha", mpfr_get_d(derived->alpha, MPFR_RNDN),
			  "sqrt(2 delta) (2 delta + 1) eta");
	vldaa_report_real(report, "s1_bound", mpfr_get_d(derived->s1, MPFR_RNDN),
			  "1.1 sigma (sqrt(2d) + sqrt(dk) + 4.7)");
	vldaa_report_real(report, "gamma", mpfr_get_d(derived->gamma, MPFR_RNDN),
			  "sqrt((alpha^2 + 1) s1^2 + eta^2)");
	vldaa_report_close_values(report);
}

static void show_bounds(vldaa_report *report, const vldaa_published_all *all)
{
	const vldaa_published_bounds *bounds = &all->bounds;
	vldaa_report_open_values(report, "bounds", "Bounds on squared norms, and sizes");
	vldaa_report_integer(report, "error2", bounds->error2, "e_T0, e_N: floor(1.21 sigma^2 d)");
	vldaa_report_integer(report, "credential2", bounds->credential2,
			     "s_1, s_2: floor(1.21 gamma^2 2d)");
	vldaa_report_integer(report, "s3_2", bounds->s3_2, "s_3: floor((2 d gamma)^2)");
	vldaa_report_integer(report, "link2", bounds->link2, "Link: floor(q^2 d / 64)");
	vldaa_report_unsigned(report, "credential_rice", bounds->credential_rice,
			      "low bits of a coefficient of s");
	vldaa_report_unsigned(report, "credential_bytes", bounds->credential_bytes,
			      "of each of s_1, s_2, at most");
	uint32_t uniform = (all->choice->degree * all->derived.q_bits + 7) / 8;
	uint32_t attestation = 5 * uniform + all->choice->challenge_bytes + 32;
	uint32_t message = all->choice->challenge_bytes;
	for (uint32_t i = 0; i < VLDAA_PUBLISHED_BLOCKS; i++) {
		const vldaa_published_block *block = &all->blocks[i];
		if (block->role == VLDAA_PROOF_HOST || block->role == VLDAA_PROOF_TPM)
			attestation += block->bytes;
		else if (block->role == VLDAA_PROOF_SIGN)
			message += block->bytes;
	}
	vldaa_report_unsigned(
	    report, "attestation_bytes", attestation,
	    "nym, t_1, t_2, t'_1, t'_2, c~, nonce, responses: at most, without the framing");
	vldaa_report_unsigned(report, "message_bytes", message, "c~, z_1, z_N: at most");
	vldaa_report_close_values(report);
}

static void show_blocks(vldaa_report *report, const vldaa_published_all *all)
{
	static const char *const columns[] = {"block",     "polys", "log2_xi",  "xi_over_q",
					      "log2_beta", "rice",  "max_bytes"};
	static const char *const roles[] = {
	    [VLDAA_PROOF_HOST] = "host in Create",
	    [VLDAA_PROOF_TPM] = "TPM in Create",
	    [VLDAA_PROOF_SIGN] = "Sign",
	    [VLDAA_PROOF_JOIN] = "Join",
	};
	enum { COLUMNS = sizeof(columns) / sizeof(columns[0]), CELL = 40 };
	vldaa_report_open_table(
	    report, "blocks",
	    "Responses: xi = 12 sqrt(B) kappa T rounded up to a multiple of 4, beta'^2 = xi^2 2 d m'",
	    columns, COLUMNS);
	for (uint32_t i = 0; i < VLDAA_PUBLISHED_BLOCKS; i++) {
		const vldaa_published_block *block = &all->blocks[i];
		char text[COLUMNS][CELL];
		double xi = 4.0 * vldaa_exact_double(block->width);
		snprintf(text[0], CELL, "%s: %s", roles[block->role], block->meaning);
		snprintf(text[1], CELL, "%" PRIu32, block->polys);
		snprintf(text[2], CELL, "%.4f", log2(xi));
		snprintf(text[3], CELL, "%.4g", xi / (double)all->choice->q);
		snprintf(text[4], CELL, "%.4f", 0.5 * log2(vldaa_exact_double(block->bound2)));
		snprintf(text[5], CELL, "%" PRIu32, block->rice);
		snprintf(text[6], CELL, "%" PRIu32, block->bytes);
		const char *cells[COLUMNS];
		for (uint32_t cell = 0; cell < COLUMNS; cell++)
			cells[cell] = text[cell];
		vldaa_report_row(report, columns, cells, COLUMNS);
	}
	vldaa_report_close_table(report);
}

static void run(vldaa_report *report, const vldaa_published_all *all,
		const vldaa_published_condition *conditions, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		vldaa_verdict verdict;
		conditions[i](&verdict, all);
		vldaa_report_verdict(report, &verdict);
	}
}

void vldaa_published_report(vldaa_report *report, const vldaa_published_choice *choice,
			    unsigned parts)
{
	vldaa_published_all all;
	vldaa_published_all_init(&all, choice);
	vldaa_report_open_set(report, family_name, choice->name, choice->origin);
	if (parts & VLDAA_PART_NUMBERS) {
		show_choice(report, choice);
		show_derived(report, &all);
		show_bounds(report, &all);
		show_blocks(report, &all);
	}
	if (parts & VLDAA_PART_CONDITIONS) {
		vldaa_report_open_verdicts(report, "conditions", "Conditions of SC24 section 2.4");
		run(report, &all, vldaa_published_conditions, vldaa_published_condition_count);
		vldaa_report_close_verdicts(report);
	}
	if (parts & VLDAA_PART_SECURITY) {
		vldaa_report_open_verdicts(report, "security", "What the set gives");
		run(report, &all, vldaa_published_security, vldaa_published_security_count);
		vldaa_report_close_verdicts(report);
		vldaa_report_open_values(report, "summary", "In short");
		vldaa_report_text(report, "warning", vldaa_published_warning(choice), NULL);
		vldaa_report_close_values(report);
	}
	vldaa_report_close_set(report);
	vldaa_published_all_clear(&all);
}

/* --- the family's table --------------------------------------------------------------------------
 */

static uint32_t family_count(void)
{
	return vldaa_published_count;
}

static const void *family_set(uint32_t index)
{
	return &vldaa_published_choices[index];
}

static const char *family_set_name(const void *set)
{
	const vldaa_published_choice *choice = set;
	return choice->name;
}

static const char *family_set_summary(const void *set)
{
	const vldaa_published_choice *choice = set;
	return choice->origin;
}

static void family_show(vldaa_report *report, const void *set)
{
	vldaa_published_report(report, set, VLDAA_PART_NUMBERS);
}

static void family_check(vldaa_report *report, const void *set, int security)
{
	vldaa_published_report(report, set,
			       VLDAA_PART_CONDITIONS | (security ? VLDAA_PART_SECURITY : 0U));
}

const vldaa_family vldaa_family_published = {
    .name = family_name,
    .summary = "the sets of SECRYPT 2024; for reproducing its figures, not unforgeable",
    .count = family_count,
    .set = family_set,
    .set_name = family_set_name,
    .set_summary = family_set_summary,
    .show = family_show,
    .check = family_check,
    .generate = vldaa_published_generate,
};
