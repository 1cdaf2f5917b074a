/* Writes the proof's numbers (core/src/proof/gen_oneshot_sets.c) and the scheme's
 * (core/src/scheme/gen_oneshot.c). */
#include "oneshot/estimate.h"
#include "oneshot/oneshot.h"
#include "output.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static void write_u64(FILE *file, const char *field, uint64_t value, const char *meaning)
{
	fprintf(file, "\t.%s = UINT64_C(%" PRIu64 "),%s%s%s\n", field, value,
		meaning != NULL ? " /* " : "", meaning != NULL ? meaning : "",
		meaning != NULL ? " */" : "");
}

static void write_u32(FILE *file, const char *field, uint64_t value)
{
	fprintf(file, "\t.%s = %" PRIu64 ",\n", field, value);
}

static void write_ring(FILE *file, const char *field, uint32_t degree, const fmpz_t q,
		       uint32_t primes)
{
	char *text = fmpz_get_str(NULL, 10, q);
	uint32_t log_degree = 0;
	while ((UINT32_C(1) << log_degree) < degree)
		log_degree++;
	fprintf(file,
		"\t.%s = {.d = %" PRIu32 ", .log_d = %" PRIu32
		", .q = INT64_C(%s), .q_bits = %u, .primes = %" PRIu32 "},\n",
		field, degree, log_degree, text, (unsigned)fmpz_bits(q), primes);
	flint_free(text);
}

/* --- the proof -----------------------------------------------------------------------------------
 */

static void write_block(FILE *file, const char *indent, const vldaa_oneshot_block *block)
{
	fprintf(file, "%s.elements = %" PRIu32 ",\n", indent, block->elements);
	fprintf(file, "%s.rice = %" PRIu32 ",\n", indent, block->rice);
	fprintf(file, "%s.width = UINT64_C(%" PRIu64 "), /* deviation 2^%.2f */\n", indent,
		vldaa_exact_low64(block->width), log2(4.0 * vldaa_exact_double(block->width)));
	fprintf(file, "%s.bound2_low = UINT64_C(%" PRIu64 "),\n", indent,
		vldaa_exact_low64(block->bound2));
	fprintf(file, "%s.bound2_high = UINT64_C(%" PRIu64 "),\n", indent,
		vldaa_exact_high64(block->bound2));
	fprintf(file, "%s.max = UINT64_C(%" PRIu64 "),\n", indent, vldaa_exact_low64(block->max));
}

static void write_single(FILE *file, const char *field, const vldaa_oneshot_block *block)
{
	fprintf(file, "\t.%s = {\n", field);
	write_block(file, "\t\t", block);
	fprintf(file, "\t},\n");
}

static void write_relation(FILE *file, const vldaa_oneshot_statement *s, uint32_t i)
{
	const vldaa_oneshot_relation *relation = &s->relation[i];
	fprintf(file, "\t\t[%" PRIu32 "] = {.first = %" PRIu32 ", .count = %" PRIu32, i,
		relation->first, relation->count);
	if (relation->binary)
		fprintf(file, ", .binary = 1},");
	else
		fprintf(file,
			", .digits = %" PRIu32 ", .digit = %" PRIu32 ", .bits = %" PRIu32
			", .bound = %" PRIu64 "},",
			s->theta, relation->digit, relation->bits, relation->bound);
	fprintf(file, " /* %s */\n", relation->meaning);
}

static void write_statement(FILE *file, const vldaa_oneshot_statement *s, const char *symbol)
{
	fprintf(file, "\nconst vldaa_os_statement_set vldaa_os_%s_%s = {\n", s->name, symbol);
	write_u32(file, "m1", s->m1);
	write_u32(file, "blocks", s->blocks);
	fprintf(file, "\t.block = {\n");
	for (uint32_t i = 0; i < s->blocks; i++) {
		fprintf(file, "\t\t[%" PRIu32 "] = { /* %s */\n", i, s->block[i].meaning);
		write_block(file, "\t\t\t", &s->block[i]);
		fprintf(file, "\t\t},\n");
	}
	fprintf(file, "\t},\n");
	write_u32(file, "relations", s->relations);
	fprintf(file, "\t.relation = {\n");
	for (uint32_t i = 0; i < s->relations; i++)
		write_relation(file, s, i);
	fprintf(file, "\t},\n");
	write_u32(file, "derived", s->derived);
	write_u32(file, "weighted", s->weighted);
	fprintf(file, "\t.form = {\n");
	vldaa_output_u32_elements(file, "\t\t", s->form, s->weighted);
	fprintf(file, "\t},\n\t.weight = {\n");
	vldaa_output_u32_elements(file, "\t\t", s->weight, s->weighted);
	fprintf(file, "\t},\n");
	write_single(file, "z2", &s->z2);
	write_single(file, "z3", &s->z3);
	write_u32(file, "max_bytes", s->max_bytes);
	write_u64(file, "identity_low", vldaa_exact_low64(s->identity2), NULL);
	write_u64(file, "identity_high", vldaa_exact_high64(s->identity2), NULL);
	fprintf(file, "};\n");
}

static void write_proof(FILE *file, const vldaa_oneshot_derived *derived)
{
	const vldaa_oneshot_choice *choice = derived->choice;
	static const char *const logs[] = {"log_m1", "log_m2", "log_m3"};
	fprintf(file, "\n/* %s */\nconst vldaa_os_set vldaa_os_%s = {\n", choice->name,
		choice->symbol);
	fprintf(file, "\t.id = 0x%08" PRIx32 ",\n", choice->id);
	write_ring(file, "ring", VLDAA_ONESHOT_DEGREE, derived->q, derived->proof_primes);
	write_u32(file, "n", choice->n);
	write_u32(file, "m2", derived->m2);
	write_u32(file, "cut", choice->cut);
	write_u32(file, "keep", choice->keep);
	write_u64(file, "randomness_bound2", derived->randomness2, NULL);
	for (uint32_t i = 0; i < 3; i++)
		fprintf(file, "\t.%s = INT64_C(%" PRId64 "), /* M = %.4f */\n", logs[i],
			derived->log_m[i], derived->m[i]);
	uint32_t attestation = derived->attestation.m1;
	uint32_t join = derived->join.m1;
	write_u32(file, "max_m1", attestation > join ? attestation : join);
	fprintf(file, "};\n");
	write_statement(file, &derived->attestation, choice->symbol);
	write_statement(file, &derived->join, choice->symbol);
}

/* --- the scheme ----------------------------------------------------------------------------------
 */

static void write_big_ring(FILE *file, const vldaa_oneshot_derived *derived)
{
	fmpz_t p;
	fmpz_init_set_ui(p, VLDAA_ONESHOT_P);
	write_ring(file, "big", derived->choice->degree, p, derived->big_primes);
	fmpz_clear(p);
}

static void write_norms(FILE *file, const vldaa_oneshot_derived *derived)
{
	const vldaa_oneshot_choice *c = derived->choice;
	write_u64(file, "beta2", c->beta2, "||(v_1, v_2)||^2");
	write_u64(file, "accept2", derived->accept2, "||(v', v_2)||^2: floor((beta - margin)^2)");
	write_u64(file, "kc_bound2", c->kc * c->kc, "||k_c||^2");
	write_u64(file, "kc_accept2", c->kc_accept * c->kc_accept, "||k'||^2");
	write_u64(file, "k_bound2", c->k_carry * c->k_carry, "||k||^2");
	write_u64(file, "kj_bound2", c->kj * c->kj, "||k_J||^2");
	write_u64(file, "s_bound2", c->s2, "||s||^2");
	write_u64(file, "e_bound2", c->e2, "||E||^2: the proven rows of s2");
	write_u64(file, "s2_bound2", c->all2, "||s2||^2");
	write_u64(file, "et_bound2", c->et2, "||e_T||^2");
	write_u64(file, "link_bound2", 4 * c->e2, "two errors of one key: (2 ||E||)^2");
	write_u64(file, "rogue_bound2", c->e2, "||t - A s||^2 of a key that is known");
	write_u64(file, "duplicate2", 4 * c->et2, "two errors of one key: (2 ||e_T||)^2");
}

static void write_estimates(FILE *file, const vldaa_oneshot_derived *derived)
{
	vldaa_oneshot_estimates estimates;
	const char *warning = vldaa_oneshot_warning(derived->choice);
	vldaa_oneshot_estimate(&estimates, derived);
	fprintf(file, "\t.signature_bits = %d,\n",
		vldaa_oneshot_bits(&estimates, VLDAA_BREAKS_FORGERY));
	fprintf(file, "\t.key_bits = %d,\n", vldaa_oneshot_bits(&estimates, VLDAA_BREAKS_KEY));
	fprintf(file, "\t.anonymity_bits = %d,\n",
		vldaa_oneshot_bits(&estimates, VLDAA_BREAKS_ANONYMITY));
	fprintf(file, "\t.assumptions = \"%s\",\n", vldaa_oneshot_assumptions());
	if (warning != NULL)
		fprintf(file, "\t.warning = \"%s\",\n", warning);
	else
		fprintf(file, "\t.warning = NULL,\n");
}

static void write_scheme(FILE *file, const vldaa_oneshot_derived *derived)
{
	const vldaa_oneshot_choice *choice = derived->choice;
	double sigma = strtod(choice->sigma, NULL);
	fprintf(file, "\nconst vldaa_oneshot_set vldaa_oneshot_%s = {\n", choice->symbol);
	fprintf(file, "\t.name = \"%s\",\n\t.id = 0x%08" PRIx32 ",\n", choice->name, choice->id);
	write_u32(file, "N", choice->degree);
	write_big_ring(file, derived);
	write_u32(file, "rows", choice->rows);
	fprintf(file, "\t.sigma = ");
	vldaa_output_double(file, sigma);
	fprintf(file, ", /* %s */\n", choice->sigma);
	write_norms(file, derived);
	write_u32(file, "v2_rice", derived->v2_rice);
	write_u32(file, "v2_max", (uint64_t)floor(sqrt((double)derived->accept2)));
	write_u32(file, "v2_max_bytes", derived->v2_bytes);
	fprintf(file, "\t.creates = UINT32_C(1) << %" PRIu32 ",\n", choice->creates_log2);
	fprintf(file, "\t.mldsa = &vldaa_mldsa_%s,\n", choice->symbol);
	fprintf(file, "\t.proof = &vldaa_os_%s,\n", choice->symbol);
	fprintf(file, "\t.attestation = &vldaa_os_attestation_%s,\n", choice->symbol);
	fprintf(file, "\t.join = &vldaa_os_join_%s,\n", choice->symbol);
	write_estimates(file, derived);
	fprintf(file, "};\n");
}

/* --- files ---------------------------------------------------------------------------------------
 */

static int write_file(const char *directory, const char *name, const char *contents,
		      const char *header,
		      void (*write)(FILE *file, const vldaa_oneshot_derived *derived))
{
	FILE *file = vldaa_output_open(directory, name, contents);
	if (file == NULL)
		return -1;
	fprintf(file, "#include \"%s\"\n\n/* clang-format off */\n", header);
	for (uint32_t i = 0; i < vldaa_oneshot_count; i++) {
		vldaa_oneshot_derived derived;
		vldaa_oneshot_derive(&derived, &vldaa_oneshot_choices[i]);
		write(file, &derived);
		vldaa_oneshot_derived_clear(&derived);
	}
	return vldaa_output_close(file);
}

int vldaa_oneshot_generate(const char *directory)
{
	if (write_file(directory, "core/src/proof/gen_oneshot_sets.c", "The one-shot proofs.",
		       "proof/oneshot_sets.h", write_proof) != 0)
		return -1;
	return write_file(directory, "core/src/scheme/gen_oneshot.c", "The one-shot sets.",
			  "scheme/oneshot_set.h", write_scheme);
}
