#include "ntru_common.h"

#include <check.h>

#include "vldaa/ntru.h"
#include "vldaa/error.h"

const vldaa_ntru_set *const ntru_sets[2] = {&vldaa_ntru_512, &vldaa_ntru_1024};

vldaa_rng ntru_rng(uint8_t number)
{
	const uint8_t seed[VLDAA_SEED_BYTES] = {number};
	vldaa_rng rng;

	vldaa_rng_init(&rng, seed, 0);
	return rng;
}

void ntru_key_of(const vldaa_ntru_set *set, uint8_t number, vldaa_ntru_key *key, int64_t *h)
{
	vldaa_rng rng = ntru_rng(number);

	ck_assert_int_eq(vldaa_ntru_generate(set, key, h, vldaa_ntru_solve, &rng), VLDAA_OK);
}

void ntru_poly_set(fmpz_poly_t out, const int64_t *a, size_t n)
{
	fmpz_poly_zero(out);
	for (size_t i = 0; i < n; i++)
		fmpz_poly_set_coeff_si(out, (slong)i, a[i]);
}

void ntru_poly_mul(fmpz_poly_t out, const fmpz_poly_t a, const fmpz_poly_t b, size_t n)
{
	fmpz_poly_t modulus;

	fmpz_poly_init(modulus);
	fmpz_poly_set_coeff_ui(modulus, 0, 1);
	fmpz_poly_set_coeff_ui(modulus, (slong)n, 1);
	fmpz_poly_mul(out, a, b);
	fmpz_poly_rem(out, out, modulus);
	fmpz_poly_clear(modulus);
}

int ntru_equation_holds(const int64_t *f, const int64_t *g, const int64_t *F, const int64_t *G,
			size_t n, uint32_t p)
{
	fmpz_poly_t a, b, left;

	fmpz_poly_init(a);
	fmpz_poly_init(b);
	fmpz_poly_init(left);
	ntru_poly_set(a, f, n);
	ntru_poly_set(b, G, n);
	ntru_poly_mul(left, a, b, n);
	ntru_poly_set(a, g, n);
	ntru_poly_set(b, F, n);
	ntru_poly_mul(a, a, b, n);
	fmpz_poly_sub(left, left, a);
	fmpz_poly_zero(b);
	fmpz_poly_set_coeff_ui(b, 0, p);
	const int holds = fmpz_poly_equal(left, b);
	fmpz_poly_clear(a);
	fmpz_poly_clear(b);
	fmpz_poly_clear(left);
	return holds;
}
