#include "exact.h"

void vldaa_exact_enclose(fmpq_t low, fmpq_t high, const mpfr_t x)
{
	/* x = mantissa * 2^exponent exactly, so it is a rational. */
	mpz_t mantissa;
	mpz_init(mantissa);
	mpfr_exp_t exponent = mpfr_get_z_2exp(mantissa, x);
	fmpq_t value;
	fmpq_t error;
	fmpq_init(value);
	fmpq_init(error);
	fmpz_set_mpz(fmpq_numref(value), mantissa);
	fmpz_one(fmpq_denref(value));
	if (exponent >= 0)
		fmpq_mul_2exp(value, value, (flint_bitcnt_t)exponent);
	else
		fmpq_div_2exp(value, value, (flint_bitcnt_t)(-exponent));
	fmpq_div_2exp(error, value, VLDAA_REAL_TRUST);
	fmpq_sub(low, value, error);
	fmpq_add(high, value, error);
	fmpq_clear(value);
	fmpq_clear(error);
	mpz_clear(mantissa);
}

void vldaa_exact_floor(fmpz_t out, const fmpq_t x)
{
	fmpz_fdiv_q(out, fmpq_numref(x), fmpq_denref(x));
}

void vldaa_exact_ceil_sqrt(fmpz_t out, const fmpq_t x)
{
	/* w^2 >= x exactly when w^2 >= ceil(x), as w^2 is an integer. */
	fmpz_t ceiling;
	fmpz_t square;
	fmpz_init(ceiling);
	fmpz_init(square);
	fmpz_cdiv_q(ceiling, fmpq_numref(x), fmpq_denref(x));
	fmpz_sqrt(out, ceiling);
	fmpz_mul(square, out, out);
	if (fmpz_cmp(square, ceiling) < 0)
		fmpz_add_ui(out, out, 1);
	fmpz_clear(ceiling);
	fmpz_clear(square);
}

uint64_t vldaa_exact_low64(const fmpz_t x)
{
	fmpz_t part;
	fmpz_init(part);
	fmpz_fdiv_r_2exp(part, x, 64);
	uint64_t out = fmpz_get_ui(part);
	fmpz_clear(part);
	return out;
}

uint64_t vldaa_exact_high64(const fmpz_t x)
{
	fmpz_t part;
	fmpz_init(part);
	fmpz_fdiv_q_2exp(part, x, 64);
	uint64_t out = vldaa_exact_low64(part);
	fmpz_clear(part);
	return out;
}

double vldaa_exact_double(const fmpz_t x)
{
	mpfr_t value;
	mpz_t integer;
	mpfr_init2(value, VLDAA_REAL_PRECISION);
	mpz_init(integer);
	fmpz_get_mpz(integer, x);
	mpfr_set_z(value, integer, MPFR_RNDN);
	double out = mpfr_get_d(value, MPFR_RNDN);
	mpz_clear(integer);
	mpfr_clear(value);
	return out;
}
