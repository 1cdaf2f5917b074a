/* Writes core/src/sampler/gen_base.c; what the tables are is in gen_base.h beside it. */
#include "output.h"
#include "tables/gauss.h"
#include "tables/tables.h"

#include <inttypes.h>

enum { BASE_DEVIATION = 4, CAPACITY = 64, EXP_DEGREE = 10 };

/* The half-Gaussian on {0, 1, ...} of deviation 4. */
static void write_base(FILE *file)
{
	uint64_t cdt[CAPACITY];
	mpfr_t deviation;
	mpfr_init2(deviation, VLDAA_REAL_PRECISION);
	mpfr_set_ui(deviation, BASE_DEVIATION, MPFR_RNDN);
	uint32_t len = vldaa_table_cdt(cdt, CAPACITY, deviation, VLDAA_TABLE_HALF);
	mpfr_clear(deviation);
	fprintf(file,
		"\n_Static_assert(VLDAA_BASE_LEN == %" PRIu32 ", \"length of the table below\");\n"
		"/* round(2^63 P(X > i)), X >= 0 with weight exp(-X^2 / 32). */\n"
		"const uint64_t vldaa_base_cdt[VLDAA_BASE_LEN] = {\n",
		len);
	vldaa_output_u64_elements(file, cdt, len);
	fprintf(file, "};\n");
}

/* round(2^63 / i!): floor((2^64 / i! + 1) / 2). */
static void write_coefficients(FILE *file)
{
	uint64_t coefficients[EXP_DEGREE + 1];
	fmpz_t factorial;
	fmpz_t numerator;
	fmpz_init(factorial);
	fmpz_init(numerator);
	for (ulong i = 0; i <= EXP_DEGREE; i++) {
		fmpz_fac_ui(factorial, i);
		fmpz_one(numerator);
		fmpz_mul_2exp(numerator, numerator, 64);
		fmpz_add(numerator, numerator, factorial);
		fmpz_mul_2exp(factorial, factorial, 1);
		fmpz_fdiv_q(numerator, numerator, factorial);
		coefficients[i] = vldaa_exact_low64(numerator);
	}
	fmpz_clear(factorial);
	fmpz_clear(numerator);
	fprintf(file,
		"\n_Static_assert(VLDAA_EXP_DEGREE == %d, \"degree of the series below\");\n"
		"/* round(2^63 / i!). */\n"
		"const uint64_t vldaa_exp_coefficient[VLDAA_EXP_DEGREE + 1] = {\n",
		EXP_DEGREE);
	vldaa_output_u64_elements(file, coefficients, EXP_DEGREE + 1);
	fprintf(file, "};\n");
}

/* floor(2^63 x). */
static uint64_t scaled_floor(const mpfr_t x)
{
	mpfr_t scaled;
	mpfr_init2(scaled, VLDAA_REAL_PRECISION);
	mpfr_mul_2ui(scaled, x, 63, MPFR_RNDN);
	uint64_t out = mpfr_get_ui(scaled, MPFR_RNDD);
	mpfr_clear(scaled);
	return out;
}

static void write_logarithms(FILE *file)
{
	mpfr_t ln2;
	mpfr_init2(ln2, VLDAA_REAL_PRECISION);
	mpfr_const_log2(ln2, MPFR_RNDN);
	fprintf(file, "\n/* floor(2^63 ln 2), floor(2^63 / ln 2). */\n");
	fprintf(file, "const uint64_t vldaa_exp_ln2 = UINT64_C(0x%016" PRIx64 ");\n",
		scaled_floor(ln2));
	mpfr_ui_div(ln2, 1, ln2, MPFR_RNDN);
	fprintf(file, "const uint64_t vldaa_exp_log2e = UINT64_C(0x%016" PRIx64 ");\n",
		scaled_floor(ln2));
	mpfr_clear(ln2);
}

int vldaa_table_base_generate(const char *directory)
{
	FILE *file = vldaa_output_open(directory, "core/src/sampler/gen_base.c",
				       "Base half-Gaussian and fixed-point exponential.");
	if (file == NULL)
		return -1;
	fprintf(file, "#include \"sampler/gen_base.h\"\n\n/* clang-format off */\n");
	write_base(file);
	write_coefficients(file);
	write_logarithms(file);
	return vldaa_output_close(file);
}
