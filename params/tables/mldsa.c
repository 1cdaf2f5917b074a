/* Writes core/src/mldsa/gen_zetas.c; what the table is is in core/src/mldsa/poly.h. */
#include "output.h"
#include "tables/tables.h"

#include <flint/ulong_extras.h>
#include <inttypes.h>

/* FIPS 204, Table 1: the modulus and a 512th root of unity. */
enum { Q = 8380417, ROOT = 1753, LOG_DEGREE = 8, DEGREE = 1 << LOG_DEGREE, A_LINE = 8 };

static uint32_t reverse_bits(uint32_t x)
{
	uint32_t out = 0;
	for (uint32_t i = 0; i < LOG_DEGREE; i++)
		out |= (x >> i & 1) << (LOG_DEGREE - 1 - i);
	return out;
}

/* ROOT^reverse(i) 2^32 modulo Q, the representative of least absolute value. */
static int32_t zeta(uint32_t i)
{
	ulong x = n_powmod2(ROOT, reverse_bits(i), Q);
	x = n_mulmod2(x, (UINT64_C(1) << 32) % Q, Q);
	return x > Q / 2 ? (int32_t)x - Q : (int32_t)x;
}

int vldaa_table_mldsa_generate(const char *directory)
{
	FILE *file = vldaa_output_open(directory, "core/src/mldsa/gen_zetas.c",
				       "ML-DSA: roots of unity of its transform.");
	if (file == NULL)
		return -1;
	fprintf(
	    file,
	    "#include \"mldsa/poly.h\"\n\n/* clang-format off */\n\n"
	    "_Static_assert(VLDAA_MLDSA_N == %d && VLDAA_MLDSA_Q == %d, \"ring of the table below\");\n"
	    "/* %d^reverse(i) 2^32 modulo q, centred; the reverse is of %d bits. */\n"
	    "const int32_t vldaa_mldsa_zetas[VLDAA_MLDSA_N] = {\n",
	    DEGREE, Q, ROOT, LOG_DEGREE);
	for (uint32_t i = 0; i < DEGREE; i++)
		fprintf(file, "%s%" PRId32 ",%s", i % A_LINE == 0 ? "\t" : " ", zeta(i),
			i % A_LINE == A_LINE - 1 ? "\n" : "");
	fprintf(file, "};\n");
	return vldaa_output_close(file);
}
