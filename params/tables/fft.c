#include "tables/tables.h"
#include "output.h"

#include <inttypes.h>
#include <mpfr.h>

/* VLDAA_FFT_ROOTS of core/src/sampler/fft.h: a power of two. */
enum { ROOTS = 512 };

/* Far beyond a double's 53 bits: rounding twice differs from rounding once only for a value that is
 * 0 or 1 two hundred times in a row after the 53rd bit, and the test repeats this at another
 * precision. */
enum { PRECISION = 256 };

/*
 * The angle of index h in units of pi / (2 ROOTS).  Index 1 is pi/4; the children of angle a are
 * a/2 (index 2 h) and a/2 + pi/2 (index 2 h + 1).  All are whole: the last level's are 4 j + 1.
 */
static uint32_t angle(uint32_t h)
{
	if (h == 1)
		return ROOTS / 2;
	return angle(h / 2) / 2 + (h % 2) * ROOTS;
}

int vldaa_table_fft_generate(const char *directory)
{
	FILE *file = vldaa_output_open(directory, "core/src/sampler/gen_fft.c",
				       "Roots of unity, correctly rounded.");
	if (file == NULL)
		return -1;
	fprintf(file, "#include \"sampler/fft.h\"\n\n/* clang-format off */\n\n"
		      "const double vldaa_fft_roots[VLDAA_FFT_ROOTS][2] = {\n");

	mpfr_t phi;
	mpfr_t sine;
	mpfr_t cosine;
	mpfr_inits2(PRECISION, phi, sine, cosine, (mpfr_ptr)NULL);
	for (uint32_t h = 1; h < ROOTS; h++) {
		mpfr_const_pi(phi, MPFR_RNDN);
		mpfr_mul_ui(phi, phi, angle(h), MPFR_RNDN);
		mpfr_div_ui(phi, phi, 2 * ROOTS, MPFR_RNDN);
		mpfr_sin_cos(sine, cosine, phi, MPFR_RNDN);
		fprintf(file, "\t[%" PRIu32 "] = {", h);
		vldaa_output_double(file, mpfr_get_d(cosine, MPFR_RNDN));
		fprintf(file, ", ");
		vldaa_output_double(file, mpfr_get_d(sine, MPFR_RNDN));
		fprintf(file, "},\n");
	}
	mpfr_clears(phi, sine, cosine, (mpfr_ptr)NULL);
	fprintf(file, "};\n");
	return vldaa_output_close(file);
}
