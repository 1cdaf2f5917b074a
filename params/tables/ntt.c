/* Writes core/src/ring/gen_ntt.c; what the tables are is in core/src/ring/ntt.h. */
#include "output.h"
#include "tables/primes.h"
#include "tables/tables.h"

#include <flint/ulong_extras.h>
#include <inttypes.h>

enum { PRIMES = 4, LOG_DEGREE = 10, DEGREE = VLDAA_TABLE_NTT_DEGREE };

/* floor(x 2^bits / p): the companion of x for Shoup's multiplication. */
static uint64_t companion(uint64_t x, uint32_t bits, uint64_t p)
{
	fmpz_t quotient;
	fmpz_init_set_ui(quotient, x);
	fmpz_mul_2exp(quotient, quotient, bits);
	fmpz_fdiv_q_ui(quotient, quotient, p);
	uint64_t out = fmpz_get_ui(quotient);
	fmpz_clear(quotient);
	return out;
}

static void companions(uint32_t *out, const uint32_t *values, uint32_t count, uint32_t p)
{
	for (uint32_t i = 0; i < count; i++)
		out[i] = (uint32_t)companion(values[i], 32, p);
}

static uint64_t power(uint64_t base, uint64_t exponent, uint64_t p)
{
	return n_powmod2_ui_preinv(base, exponent, p, n_preinvert_limb(p));
}

static uint64_t product(uint64_t a, uint64_t b, uint64_t p)
{
	return a * b % p; /* p < 2^30 */
}

static uint32_t least_primitive_root(uint32_t p)
{
	n_factor_t factors;
	n_factor_init(&factors);
	n_factor(&factors, p - 1, 1);
	for (uint32_t g = 2;; g++) {
		int primitive = 1;
		for (int i = 0; i < factors.num; i++)
			primitive &= power(g, (p - 1) / factors.p[i], p) != 1;
		if (primitive)
			return g;
	}
}

static uint32_t reverse_bits(uint32_t x, uint32_t bits)
{
	uint32_t out = 0;
	for (uint32_t i = 0; i < bits; i++)
		out |= (x >> i & 1) << (bits - 1 - i);
	return out;
}

static void write_scalar(FILE *file, const char *field, uint64_t value)
{
	fprintf(file, "\t\t.%s = %" PRIu64 ",\n", field, value);
}

static void write_array(FILE *file, const char *field, const uint32_t *values, uint32_t count)
{
	fprintf(file, "\t\t.%s = {\n", field);
	vldaa_output_u32_elements(file, "\t\t\t", values, count);
	fprintf(file, "\t\t},\n");
}

/* An array and its companions. */
static void write_pair(FILE *file, const char *field, const uint32_t *values, uint32_t count,
		       uint32_t p)
{
	uint32_t shoup[DEGREE];
	char name[32];
	companions(shoup, values, count, p);
	snprintf(name, sizeof(name), "%s_shoup", field);
	write_array(file, field, values, count);
	write_array(file, name, shoup, count);
}

static void write_prime(FILE *file, uint32_t index)
{
	uint32_t p = vldaa_table_prime(index);
	uint64_t radix = UINT64_C(1) << 32;
	uint64_t psi = power(least_primitive_root(p), (p - 1) / (2 * DEGREE), p);
	uint64_t load = radix % p;

	uint32_t garner[PRIMES] = {0};
	for (uint32_t i = 0; i < index; i++)
		garner[i] = (uint32_t)n_invmod(vldaa_table_prime(i) % p, p);
	uint32_t zetas[DEGREE];
	for (uint32_t k = 0; k < DEGREE; k++)
		zetas[k] = (uint32_t)power(psi, reverse_bits(k, LOG_DEGREE), p);
	uint32_t scale[LOG_DEGREE + 1];
	uint32_t scale_zeta[LOG_DEGREE + 1];
	for (uint32_t l = 0; l <= LOG_DEGREE; l++) {
		scale[l] = (uint32_t)n_invmod(product(load, UINT64_C(1) << l, p), p);
		scale_zeta[l] = (uint32_t)product(scale[l], zetas[1], p);
	}

	fprintf(file, "\t[%" PRIu32 "] = {\n", index);
	write_scalar(file, "p", p);
	write_scalar(file, "p_inv", n_invmod(p, radix));
	write_scalar(file, "psi", psi);
	write_scalar(file, "load", load);
	write_scalar(file, "load_offset", p - product(power(2, 63, p), load, p));
	write_scalar(file, "load_shoup", companion(load, 64, p));
	write_pair(file, "garner", garner, PRIMES, p);
	write_pair(file, "scale", scale, LOG_DEGREE + 1, p);
	write_pair(file, "scale_zeta", scale_zeta, LOG_DEGREE + 1, p);
	write_pair(file, "zetas", zetas, DEGREE, p);
	fprintf(file, "\t},\n");
}

int vldaa_table_ntt_generate(const char *directory)
{
	FILE *file = vldaa_output_open(directory, "core/src/ring/gen_ntt.c",
				       "Tables of the auxiliary primes' transforms.");
	if (file == NULL)
		return -1;
	fprintf(file, "#include \"ring/ntt.h\"\n\n/* clang-format off */\n\n");
	fprintf(
	    file,
	    "_Static_assert(VLDAA_MAX_PRIMES == %d && VLDAA_MAX_DEGREE == %d, \"sizes of the tables below\");\n",
	    PRIMES, DEGREE);
	fprintf(file, "const vldaa_ntt_prime vldaa_ntt_primes[VLDAA_MAX_PRIMES] = {\n");
	for (uint32_t index = 0; index < PRIMES; index++)
		write_prime(file, index);
	fprintf(file, "};\n");
	return vldaa_output_close(file);
}
