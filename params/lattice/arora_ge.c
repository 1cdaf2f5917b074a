#include "lattice/arora_ge.h"

#include <flint/flint.h>
#include <flint/fmpz.h>

#include <math.h>

enum { MAX_DEGREE = 64 };

static double log2_of(const fmpz_t x)
{
	return fmpz_dlog(x) / log(2.0);
}

/* Coefficient of z^degree: sum over i of (-1)^i C(m, i) C(n + degree - e i, n), m equations of
 * degree e. */
static void coefficient(fmpz_t out, uint32_t n, uint32_t e, const fmpz_t m, uint32_t degree)
{
	fmpz_t choose;
	fmpz_t monomials;
	fmpz_t factor;
	fmpz_init_set_ui(choose, 1); /* C(m, i) */
	fmpz_init(monomials);
	fmpz_init(factor);
	fmpz_zero(out);
	for (uint32_t i = 0; e * i <= degree; i++) {
		fmpz_bin_uiui(monomials, n + degree - e * i, n);
		fmpz_mul(monomials, monomials, choose);
		if (i % 2 == 0)
			fmpz_add(out, out, monomials);
		else
			fmpz_sub(out, out, monomials);
		fmpz_sub_ui(factor, m, i);
		fmpz_mul(choose, choose, factor);
		fmpz_divexact_ui(choose, choose, i + 1);
	}
	fmpz_clear(choose);
	fmpz_clear(monomials);
	fmpz_clear(factor);
}

void vldaa_arora_ge_solve(vldaa_arora_ge_estimate *out, const vldaa_arora_ge *instance)
{
	uint32_t e = 2 * instance->eta + 1;
	fmpz_t m;
	fmpz_t x;
	fmpz_init_set_ui(m, instance->samples);
	/* The unknowns are as small as the errors. */
	fmpz_add_ui(m, m, instance->n);
	fmpz_init(x);
	*out = (vldaa_arora_ge_estimate){0};
	fmpz_bin_uiui(x, instance->n + e, e);
	out->linearise_bits = log2_of(x);
	out->bits = INFINITY;
	for (uint32_t degree = e; degree <= MAX_DEGREE; degree++) {
		coefficient(x, instance->n, e, m, degree);
		if (fmpz_sgn(x) > 0)
			continue;
		fmpz_bin_uiui(x, instance->n + degree, degree);
		out->degree = degree;
		out->monomial_bits = log2_of(x);
		out->bits = 2.0 * out->monomial_bits;
		break;
	}
	fmpz_clear(m);
	fmpz_clear(x);
}
