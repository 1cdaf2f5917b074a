/* Writes core/src/sampler/gen_ntru.c; what the fields are is in ntru_set.h beside it. */
#include "output.h"
#include "tables/gauss.h"
#include "tables/tables.h"

#include <inttypes.h>

/* The Falcon specification, v1.2: section 2.6 and table 3.3. */
enum { MODULUS = 12289, LOG_QUERIES = 64, CAPACITY = 64 };

typedef struct {
	uint32_t degree;
	uint32_t log_degree;
	uint32_t lambda; /* epsilon = 1 / sqrt(queries lambda) */
	uint32_t fg_max; /* encoding of private keys: five or six bits, and no coefficient is
			    -2^(bits-1) */
	uint32_t slack;  /* what the issuer keeps below beta */
} choice;

static const choice choices[] = {{512, 9, 128, 31, 37}, {1024, 10, 256, 15, 51}};

/* out = x numerator / denominator. */
static void scale(mpfr_t out, const mpfr_t x, unsigned long numerator, unsigned long denominator)
{
	mpfr_mul_ui(out, x, numerator, MPFR_RNDN);
	mpfr_div_ui(out, out, denominator, MPFR_RNDN);
}

/* sqrt(ln(4 N (1 + 1/epsilon)) / 2) / pi. */
static void smoothing(mpfr_t out, const choice *set)
{
	mpfr_t pi;
	mpfr_init2(pi, VLDAA_REAL_PRECISION);
	mpfr_const_pi(pi, MPFR_RNDN);
	mpfr_set_ui_2exp(out, set->lambda, LOG_QUERIES, MPFR_RNDN);
	mpfr_sqrt(out, out, MPFR_RNDN);
	mpfr_add_ui(out, out, 1, MPFR_RNDN);
	mpfr_mul_ui(out, out, 4UL * set->degree, MPFR_RNDN);
	mpfr_log(out, out, MPFR_RNDN);
	mpfr_div_2ui(out, out, 1, MPFR_RNDN);
	mpfr_sqrt(out, out, MPFR_RNDN);
	mpfr_div(out, out, pi, MPFR_RNDN);
	mpfr_clear(pi);
}

/* 1.17 sqrt(p / (2 N)). */
static void write_fg(FILE *file, const choice *set)
{
	uint64_t cdt[CAPACITY];
	mpfr_t deviation;
	mpfr_init2(deviation, VLDAA_REAL_PRECISION);
	mpfr_set_ui(deviation, MODULUS, MPFR_RNDN);
	mpfr_div_ui(deviation, deviation, 2UL * set->degree, MPFR_RNDN);
	mpfr_sqrt(deviation, deviation, MPFR_RNDN);
	scale(deviation, deviation, 117, 100);
	uint32_t len = vldaa_table_cdt(cdt, CAPACITY, deviation, VLDAA_TABLE_BOTH_SIGNS);
	fprintf(file,
		"\n/* round(2^63 P(|x| > i)), x <- D_s, s = 1.17 sqrt(%d / %" PRIu32
		") = %.17g. */\n"
		"static const uint64_t fg_%" PRIu32 "[%" PRIu32 "] = {\n",
		MODULUS, 2 * set->degree, mpfr_get_d(deviation, MPFR_RNDN), set->degree, len);
	vldaa_output_u64_elements(file, cdt, len);
	fprintf(file, "};\n");
	mpfr_clear(deviation);
}

static void write_real(FILE *file, const char *field, const mpfr_t value)
{
	double nearest = mpfr_get_d(value, MPFR_RNDN);
	fprintf(file, "\t.%s = ", field);
	vldaa_output_double(file, nearest);
	fprintf(file, ", /* %.17g */\n", nearest);
}

static void write_norms(FILE *file, const choice *set, const mpfr_t sigma)
{
	mpfr_t x;
	mpfr_init2(x, VLDAA_REAL_PRECISION);
	mpfr_sqr(x, sigma, MPFR_RNDN);
	scale(x, x, 121 * 2UL * set->degree, 100);
	unsigned long norm2 = mpfr_get_ui(x, MPFR_RNDD);
	mpfr_sqrt_ui(x, norm2, MPFR_RNDN);
	mpfr_sub_ui(x, x, set->slack, MPFR_RNDN);
	mpfr_sqr(x, x, MPFR_RNDN);
	fprintf(file, "\t.norm2 = %lu,\n\t.accepted2 = %lu, /* slack %" PRIu32 " */\n", norm2,
		mpfr_get_ui(x, MPFR_RNDD), set->slack);
	mpfr_clear(x);
}

static void write_set(FILE *file, const choice *set)
{
	mpfr_t sigma;
	mpfr_t leaf;
	mpfr_inits2(VLDAA_REAL_PRECISION, sigma, leaf, (mpfr_ptr)0);
	smoothing(leaf, set);
	mpfr_sqrt_ui(sigma, MODULUS, MPFR_RNDN);
	mpfr_mul(sigma, sigma, leaf, MPFR_RNDN);
	scale(sigma, sigma, 117, 100);

	write_fg(file, set);
	fprintf(file, "\nconst vldaa_ntru_set vldaa_ntru_%" PRIu32 " = {\n", set->degree);
	fprintf(file,
		"\t.ring = {.d = %" PRIu32 ", .log_d = %" PRIu32 ", .q = %d, .q_bits = 14, "
		".primes = 2},\n",
		set->degree, set->log_degree, MODULUS);
	fprintf(file, "\t.fg = {.cdt = fg_%" PRIu32 ", .len = sizeof fg_%" PRIu32 " / 8},\n",
		set->degree, set->degree);
	fprintf(file, "\t.fg_max = %" PRIu32 ",\n\t.FG_max = 127,\n", set->fg_max);
	fprintf(file, "\t.quality2 = %u,\n", (unsigned)(117 * 117 * (uint64_t)MODULUS / 10000));
	write_real(file, "sigma", sigma);
	write_real(file, "leaf_min", leaf);
	scale(leaf, leaf, 117UL * 117, 10000);
	write_real(file, "leaf_max", leaf);
	write_norms(file, set, sigma);
	fprintf(file, "};\n");
	mpfr_clears(sigma, leaf, (mpfr_ptr)0);
}

int vldaa_table_ntru_generate(const char *directory)
{
	FILE *file =
	    vldaa_output_open(directory, "core/src/sampler/gen_ntru.c", "The rings of Falcon.");
	if (file == NULL)
		return -1;
	fprintf(file, "#include \"sampler/ntru_set.h\"\n\n/* clang-format off */\n");
	for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++)
		write_set(file, &choices[i]);
	return vldaa_output_close(file);
}
