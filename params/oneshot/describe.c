/* How a one-shot set is shown and checked, and the family's entry in families.c. */
#include "family.h"
#include "oneshot/check.h"
#include "oneshot/oneshot.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static const char family_name[] = "one-shot";

/* --- show ----------------------------------------------------------------------------------------
 */

static void show_choice(vldaa_report *report, const vldaa_oneshot_choice *c)
{
	vldaa_report_open_values(report, "choice", "Chosen");
	vldaa_report_unsigned(report, "id", c->id, "set identifier in encodings and hashes");
	vldaa_report_unsigned(report, "k", c->k, "rows of A in ML-DSA");
	vldaa_report_unsigned(report, "l", c->l, "columns of A: polynomials of a member's key s");
	vldaa_report_unsigned(report, "rows", c->rows, "rows of t that an attestation proves");
	vldaa_report_unsigned(report, "s2", c->s2, "||s||^2 at most");
	vldaa_report_unsigned(report, "E2", c->e2, "||E||^2 at most, over the proven rows of s2");
	vldaa_report_unsigned(report, "all2", c->all2, "||s2||^2 at most, over all rows");
	vldaa_report_unsigned(report, "N", c->degree, "degree of the credential's ring");
	vldaa_report_real(report, "sigma", strtod(c->sigma, NULL), "Falcon's preimage sampler");
	vldaa_report_unsigned(report, "beta2", c->beta2, "||(v_1, v_2)||^2 at most");
	vldaa_report_unsigned(report, "eT2", c->et2, "||e_T||^2 at most");
	vldaa_report_unsigned(report, "k_c", c->kc, "||k_c|| at most in an attestation");
	vldaa_report_unsigned(report, "k", c->k_carry, "||k|| at most");
	vldaa_report_unsigned(report, "k_J", c->kj, "||k_J|| at most in a Join");
	vldaa_report_unsigned(report, "n", c->n, "rows of t_A");
	vldaa_report_unsigned(report, "mlwe_rank", c->mlwe_rank, "m2 - n - 7");
	vldaa_report_unsigned(report, "D", c->cut, "bits of t_A that are not sent");
	vldaa_report_unsigned(report, "b", c->keep, "bits of Compress(w)");
	vldaa_report_unsigned(report, "creates", UINT64_C(1) << c->creates_log2,
			      "most Creates with one key");
	vldaa_report_close_values(report);
}

static void show_derived(vldaa_report *report, const vldaa_oneshot_derived *d)
{
	const vldaa_oneshot_choice *c = d->choice;
	vldaa_report_open_values(report, "derived", "Derived");
	vldaa_report_integer(report, "q", d->q, "modulus of the proof");
	vldaa_report_unsigned(report, "m2", d->m2, "n + 7 + mlwe_rank: elements of w2");
	vldaa_report_unsigned(report, "w2_2", d->randomness2,
			      "||w2||^2 at most: floor(0.7 * 64 m2)");
	vldaa_report_unsigned(report, "accept2", d->accept2,
			      "||(v', v_2)||^2 at most, by issuer and member");
	vldaa_report_unsigned(report, "accept_k", c->kc_accept, "||k'|| at most, by both");
	vldaa_report_unsigned(report, "link2", 4 * c->e2, "Link: (2 ||E||)^2");
	vldaa_report_unsigned(report, "rogue2", c->e2, "rogue list: ||E||^2");
	vldaa_report_unsigned(report, "duplicate2", 4 * c->et2, "register: (2 ||e_T||)^2");
	vldaa_report_real(report, "M1", d->m[0], "exp(13.37/13.4 + 1/(2 13.4^2))");
	vldaa_report_real(report, "M2", 2.0 * d->m[1], "2 exp(1/(2 1.3^2))");
	vldaa_report_real(report, "M3", d->m[2], "exp(13.37/6.7 + 1/(2 6.7^2))");
	vldaa_report_unsigned(report, "ring_primes", d->proof_primes,
			      "auxiliary primes of the proof's ring");
	vldaa_report_unsigned(report, "credential_bytes", d->v2_bytes + VLDAA_ONESHOT_TAG / 8,
			      "x and v_2, at most");
	/* r rows in full, the others' high parts */
	uint32_t rows = 256 * (23 * c->rows + 10 * (c->k - c->rows)) / 8;
	vldaa_report_unsigned(report, "pseudonym_bytes", rows, "t_1..t_r, and t1 of the others");
	vldaa_report_unsigned(report, "attestation_bytes", rows + d->attestation.max_bytes,
			      "pseudonym and proof, at most");
	vldaa_report_unsigned(report, "join_bytes", c->degree * 14 / 8 + d->join.max_bytes,
			      "u_T and proof, at most");
	vldaa_report_close_values(report);
}

enum { COLUMNS = 7, CELL = 48 };
static const char *const columns[COLUMNS] = {"block", "elements", "log2_secret", "log2_xi",
					     "width", "rice",     "bound2"};

static void show_block(vldaa_report *report, const char *statement,
		       const vldaa_oneshot_block *block, double secret2)
{
	char text[COLUMNS][CELL];
	const char *cells[COLUMNS];
	char *bound = fmpz_get_str(NULL, 10, block->bound2);
	snprintf(text[0], CELL, "%s: %s", statement, block->meaning);
	snprintf(text[1], CELL, "%" PRIu32, block->elements);
	snprintf(text[2], CELL, "%.4f", 0.5 * log2(secret2));
	snprintf(text[3], CELL, "%.4f", 2.0 + log2(vldaa_exact_double(block->width)));
	snprintf(text[4], CELL, "%" PRIu64, vldaa_exact_low64(block->width));
	snprintf(text[5], CELL, "%" PRIu32, block->rice);
	snprintf(text[6], CELL, "%s", bound);
	for (uint32_t i = 0; i < COLUMNS; i++)
		cells[i] = text[i];
	vldaa_report_row(report, columns, cells, COLUMNS);
	flint_free(bound);
}

static void show_blocks(vldaa_report *report, const vldaa_oneshot_statement *s)
{
	for (uint32_t i = 0; i < s->blocks; i++)
		show_block(report, s->name, &s->block[i], (double)s->block[i].secret2);
	show_block(report, s->name, &s->z2, (double)s->z2.secret2);
	show_block(report, s->name, &s->z3, 337.0 * vldaa_exact_double(s->ws2));
}

static void show_statement(vldaa_report *report, const vldaa_oneshot_statement *s)
{
	char title[64];
	snprintf(title, sizeof(title), "Proof: %s", s->name);
	vldaa_report_open_values(report, s->name, title);
	vldaa_report_unsigned(report, "m1", s->m1, "elements of the witness");
	vldaa_report_unsigned(report, "dim", s->dim, "entries of W S");
	vldaa_report_integer(report, "WS2", s->ws2, "||W S||^2 of an honest prover, at most");
	vldaa_report_real(report, "log2_proven", 0.5 * log2(fmpq_get_d(s->proven2)),
			  "B', what the range proof shows");
	vldaa_report_integer(report, "identity2", s->identity2, "largest ||Decompress(w) - w'||^2");
	vldaa_report_real(report, "log2_sis", 0.5 * fmpz_dlog(s->sis2) / log(2.0),
			  "8 * 72 times the norm of all that is accepted");
	vldaa_report_real(report, "bytes", floor(s->bytes + 0.5), "expected");
	vldaa_report_unsigned(report, "max_bytes", s->max_bytes, "eight deviations more");
	vldaa_report_close_values(report);
}

static void open_set(vldaa_report *report, const vldaa_oneshot_choice *choice)
{
	vldaa_report_open_set(report, family_name, choice->name, choice->origin);
}

static void family_show(vldaa_report *report, const void *set)
{
	vldaa_oneshot_all all;
	vldaa_oneshot_all_init(&all, set);
	open_set(report, set);
	show_choice(report, set);
	show_derived(report, &all.derived);
	show_statement(report, &all.derived.attestation);
	show_statement(report, &all.derived.join);
	vldaa_report_open_table(
	    report, "blocks",
	    "Responses: deviation xi = 4 width; bound2 is the largest squared norm accepted",
	    columns, COLUMNS);
	show_blocks(report, &all.derived.attestation);
	show_blocks(report, &all.derived.join);
	vldaa_report_close_table(report);
	vldaa_report_close_set(report);
	vldaa_oneshot_all_clear(&all);
}

/* --- check ---------------------------------------------------------------------------------------
 */

static void check_conditions(vldaa_report *report, const vldaa_oneshot_all *all)
{
	vldaa_verdict verdict;
	vldaa_report_open_verdicts(report, "conditions", "Conditions");
	for (uint32_t i = 0; i < vldaa_oneshot_condition_count; i++) {
		vldaa_oneshot_conditions[i](&verdict, all);
		vldaa_report_verdict(report, &verdict);
	}
	const vldaa_oneshot_statement *statements[] = {&all->derived.attestation,
						       &all->derived.join};
	for (uint32_t s = 0; s < 2; s++)
		for (uint32_t i = 0; i < vldaa_oneshot_statement_condition_count; i++) {
			vldaa_oneshot_statement_conditions[i](&verdict, all, statements[s]);
			if (verdict.name != NULL)
				vldaa_report_verdict(report, &verdict);
		}
	vldaa_report_close_verdicts(report);
}

static void check_security(vldaa_report *report, const vldaa_oneshot_all *all)
{
	vldaa_oneshot_estimates estimates;
	vldaa_oneshot_estimate(&estimates, &all->derived);
	vldaa_report_open_verdicts(report, "security", "What the set gives");
	for (uint32_t i = 0; i < VLDAA_ONESHOT_PROBLEMS; i++) {
		vldaa_verdict verdict;
		vldaa_oneshot_judge(&verdict, &estimates.problem[i], all->choice);
		vldaa_report_verdict(report, &verdict);
	}
	vldaa_report_close_verdicts(report);

	static const struct {
		const char *key;
		unsigned breaks;
		const char *how;
	} lines[] = {
	    {"signature_bits", VLDAA_BREAKS_FORGERY,
	     "forging a credential, attestation or message"},
	    {"key_bits", VLDAA_BREAKS_KEY, "finding a member's key"},
	    {"anonymity_bits", VLDAA_BREAKS_ANONYMITY, "telling who made an attestation"},
	};
	const char *warning = vldaa_oneshot_warning(all->choice);
	vldaa_report_open_values(report, "summary", "In short: least classical cost, as log2");
	for (uint32_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		int bits = vldaa_oneshot_bits(&estimates, lines[i].breaks);
		vldaa_report_unsigned(report, lines[i].key, (uint64_t)bits, lines[i].how);
	}
	vldaa_report_text(report, "assumes", vldaa_oneshot_assumptions(), NULL);
	if (warning != NULL)
		vldaa_report_text(report, "warning", warning, NULL);
	vldaa_report_close_values(report);
}

static void family_check(vldaa_report *report, const void *set, int security)
{
	vldaa_oneshot_all all;
	vldaa_oneshot_all_init(&all, set);
	open_set(report, set);
	check_conditions(report, &all);
	if (security)
		check_security(report, &all);
	vldaa_report_close_set(report);
	vldaa_oneshot_all_clear(&all);
}

/* --- the family's table --------------------------------------------------------------------------
 */

static uint32_t family_count(void)
{
	return vldaa_oneshot_count;
}

static const void *family_set(uint32_t index)
{
	return &vldaa_oneshot_choices[index];
}

static const char *family_set_name(const void *set)
{
	const vldaa_oneshot_choice *choice = set;
	return choice->name;
}

static const char *family_set_summary(const void *set)
{
	const vldaa_oneshot_choice *choice = set;
	return choice->origin;
}

const vldaa_family vldaa_family_oneshot = {
    .name = family_name,
    .summary = "sound sets: ML-DSA pseudonyms, NTRU credentials, a one-shot attestation",
    .count = family_count,
    .set = family_set,
    .set_name = family_set_name,
    .set_summary = family_set_summary,
    .show = family_show,
    .check = family_check,
    .generate = vldaa_oneshot_generate,
};
