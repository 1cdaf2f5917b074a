/* Writes core/src/scheme/gen_published.c. */
#include "published/published.h"
#include "published/estimate.h"
#include "output.h"
#include "tables/gauss.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>

enum { CDT_CAPACITY = 128 };

static const char *const role_fields[] = {
    [VLDAA_PROOF_HOST] = ".host[",
    [VLDAA_PROOF_TPM] = ".tpm[",
    [VLDAA_PROOF_SIGN] = ".sign[",
    [VLDAA_PROOF_JOIN] = ".join",
};

static void write_u64(FILE *file, const char *field, uint64_t value)
{
	fprintf(file, "\t.%s = UINT64_C(%" PRIu64 "),\n", field, value);
}

static void write_u32(FILE *file, const char *field, uint64_t value)
{
	fprintf(file, "\t.%s = %" PRIu64 ",\n", field, value);
}

static void write_i128(FILE *file, const char *field, const fmpz_t value)
{
	fprintf(file, "\t.%s_low = UINT64_C(%" PRIu64 "),\n", field, vldaa_exact_low64(value));
	fprintf(file, "\t.%s_high = UINT64_C(%" PRIu64 "),\n", field, vldaa_exact_high64(value));
}

static void write_real(FILE *file, const char *field, const mpfr_t value)
{
	double nearest = mpfr_get_d(value, MPFR_RNDN);
	fprintf(file, "\t.%s = ", field);
	vldaa_output_double(file, nearest);
	fprintf(file, ", /* %.17g */\n", nearest);
}

static void write_block(FILE *file, const vldaa_published_block *block)
{
	fprintf(file, "\t%s%s%s = { /* %s, deviation 2^%.2f */\n", role_fields[block->role],
		block->index != NULL ? block->index : "", block->index != NULL ? "]" : "",
		block->meaning, log2(4.0 * vldaa_exact_double(block->width)));
	fprintf(file, "\t\t.width = UINT64_C(%" PRIu64 "),\n", vldaa_exact_low64(block->width));
	fprintf(file, "\t\t.bound2_low = UINT64_C(%" PRIu64 "),\n",
		vldaa_exact_low64(block->bound2));
	fprintf(file, "\t\t.bound2_high = UINT64_C(%" PRIu64 "),\n",
		vldaa_exact_high64(block->bound2));
	fprintf(file, "\t\t.max = UINT64_C(%" PRIu64 "),\n", vldaa_exact_low64(block->max));
	fprintf(file, "\t\t.polys = %" PRIu32 ",\n", block->polys);
	fprintf(file, "\t\t.rice = %" PRIu32 ",\n", block->rice);
	fprintf(file, "\t\t.max_bytes = %" PRIu32 ",\n", block->bytes);
	fprintf(file, "\t},\n");
}

static void write_ring(FILE *file, const vldaa_published_choice *choice,
		       const vldaa_published_derived *derived, const vldaa_published_bounds *bounds)
{
	fprintf(file, "\t.ring = {\n");
	fprintf(file, "\t\t.d = %" PRIu32 ",\n", choice->degree);
	fprintf(file, "\t\t.log_d = %" PRIu32 ",\n", derived->log_degree);
	fprintf(file, "\t\t.q = %" PRIu64 ",\n", choice->q);
	fprintf(file, "\t\t.q_bits = %" PRIu32 ",\n", derived->q_bits);
	fprintf(file, "\t\t.primes = %" PRIu32 ",\n", vldaa_published_ring_primes(choice, bounds));
	fprintf(file, "\t},\n");
}

static void write_estimate(FILE *file, const vldaa_published_choice *choice)
{
	vldaa_published_estimate keys, tag;
	vldaa_published_estimate_keys(&keys, choice, (double)choice->q, VLDAA_COST_CORE_SVP);
	vldaa_published_estimate_tag(&tag, choice);
	fprintf(file, "\t.key_recovery_bits = %d, /* BKZ block size %" PRIu32 " */\n",
		(int)floor(keys.bits), keys.attack.block);
	fprintf(file, "\t.anonymity_bits = %d, /* BKZ block size %" PRIu32 " for the tag */\n",
		(int)floor(fmin(keys.bits, tag.bits)), tag.attack.block);
	fprintf(file, "\t.signature_bits = 0,\n");
	fprintf(file, "\t.warning = \"%s\",\n", vldaa_published_warning(choice));
}

static void write_set(FILE *file, const vldaa_published_choice *choice)
{
	vldaa_published_derived derived;
	vldaa_published_bounds bounds;
	vldaa_published_block blocks[VLDAA_PUBLISHED_BLOCKS];
	vldaa_published_derive(&derived, choice);
	vldaa_published_bounds_init(&bounds, choice, &derived);
	vldaa_published_blocks_init(blocks, choice, &derived);

	uint64_t cdt[CDT_CAPACITY];
	char name[32];
	uint32_t len = vldaa_table_cdt(cdt, CDT_CAPACITY, derived.sigma, VLDAA_TABLE_BOTH_SIGNS);
	snprintf(name, sizeof(name), "error_%s", choice->symbol);
	fprintf(file, "\n/* round(2^63 P(|x| > i)), x <- D_sigma, sigma^2 = %" PRIu64 ". */\n",
		derived.sigma2);
	fprintf(file, "static const uint64_t %s[%" PRIu32 "] = {\n", name, len);
	vldaa_output_u64_elements(file, cdt, len);
	fprintf(file, "};\n");

	fprintf(file, "\nconst vldaa_published_set vldaa_published_%s = {\n", choice->symbol);
	fprintf(file, "\t.name = \"%s\",\n", choice->name);
	fprintf(file, "\t.id = 0x%08" PRIx32 ",\n", choice->id);
	write_ring(file, choice, &derived, &bounds);
	write_u32(file, "delta", derived.delta);
	write_u32(file, "kappa", choice->kappa);
	write_u32(file, "rate", choice->rate);
	write_u32(file, "challenge_bytes", choice->challenge_bytes);
	write_real(file, "sigma", derived.sigma);
	write_real(file, "alpha", derived.alpha);
	write_real(file, "gamma", derived.gamma);
	fprintf(file, "\t.error = {.cdt = %s, .len = %" PRIu32 "},\n", name, len);
	write_u64(file, "error_bound2", vldaa_exact_low64(bounds.error2));
	write_i128(file, "credential_bound2", bounds.credential2);
	write_u64(file, "credential_max", vldaa_exact_low64(bounds.credential));
	write_u32(file, "credential_rice", bounds.credential_rice);
	write_u32(file, "credential_max_bytes", bounds.credential_bytes);
	write_i128(file, "s3_bound2", bounds.s3_2);
	write_u64(file, "link_bound2", vldaa_exact_low64(bounds.link2));
	for (uint32_t i = 0; i < VLDAA_PUBLISHED_BLOCKS; i++)
		write_block(file, &blocks[i]);
	write_estimate(file, choice);
	fprintf(file, "};\n");

	vldaa_published_blocks_clear(blocks);
	vldaa_published_bounds_clear(&bounds);
	vldaa_published_derived_clear(&derived);
}

int vldaa_published_generate(const char *directory)
{
	FILE *file =
	    vldaa_output_open(directory, "core/src/scheme/gen_published.c", "The published sets.");
	if (file == NULL)
		return -1;
	fprintf(file, "#include \"scheme/published_set.h\"\n\n/* clang-format off */\n");
	for (uint32_t i = 0; i < vldaa_published_count; i++)
		write_set(file, &vldaa_published_choices[i]);
	return vldaa_output_close(file);
}
