#include "tables/tables.h"
#include "output.h"

#include <inttypes.h>
#include <mpfr.h>

enum { DEGREE = 64, SCALE_BITS = 30, PRECISION = 256 };

void vldaa_table_cosines(int32_t out[VLDAA_TABLE_COSINES])
{
	mpfr_t angle;
	mpfr_init2(angle, PRECISION);
	for (uint32_t k = 0; k < VLDAA_TABLE_COSINES; k++) {
		mpfr_const_pi(angle, MPFR_RNDN);
		mpfr_mul_ui(angle, angle, k, MPFR_RNDN);
		mpfr_div_ui(angle, angle, DEGREE, MPFR_RNDN);
		mpfr_cos(angle, angle, MPFR_RNDN);
		mpfr_mul_2ui(angle, angle, SCALE_BITS, MPFR_RNDN);
		out[k] = (int32_t)mpfr_get_si(angle, MPFR_RNDN);
	}
	/* pi/2 is not exact: the true value is 0 */
	out[VLDAA_TABLE_COSINES - 1] = 0;
	mpfr_clear(angle);
}

int vldaa_table_cosine_generate(const char *directory)
{
	int32_t table[VLDAA_TABLE_COSINES];
	FILE *file = vldaa_output_open(directory, "core/src/proof/gen_cosine.c",
				       "The one-shot challenge set's operator norm.");
	if (file == NULL)
		return -1;
	vldaa_table_cosines(table);
	fprintf(file, "#include \"proof/gen_cosine.h\"\n\n/* clang-format off */\n\n"
		      "/* round(2^30 cos(pi k / 64)), k = 0..32. */\n"
		      "const int32_t vldaa_os_cosine[33] = {\n");
	for (uint32_t k = 0; k < VLDAA_TABLE_COSINES; k++)
		fprintf(file, "%s%" PRId32 ",%s", k % 8 == 0 ? "\t" : " ", table[k],
			k % 8 == 7 || k + 1 == VLDAA_TABLE_COSINES ? "\n" : "");
	fprintf(file, "};\n");
	return vldaa_output_close(file);
}
