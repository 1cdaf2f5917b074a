#include "tables/gauss.h"

/* out = exp(-x^2 / (2 sigma^2)). */
static void weight(mpfr_t out, unsigned long x, const mpfr_t sigma)
{
	mpfr_ui_div(out, x, sigma, MPFR_RNDN);
	mpfr_sqr(out, out, MPFR_RNDN);
	mpfr_div_2ui(out, out, 1, MPFR_RNDN);
	mpfr_neg(out, out, MPFR_RNDN);
	mpfr_exp(out, out, MPFR_RNDN);
}

uint32_t vldaa_table_cdt(uint64_t *cdt, uint32_t capacity, const mpfr_t sigma,
			 vldaa_table_support support)
{
	/* Weights beyond 30 sigma sum to less than 2^-640. */
	unsigned long last = 30UL * (mpfr_get_ui(sigma, MPFR_RNDU) + 1);
	mpfr_t total;
	mpfr_t tail;
	mpfr_t term;
	mpfr_inits2(VLDAA_REAL_PRECISION, total, tail, term, (mpfr_ptr)0);
	mpfr_set_ui(total, 0, MPFR_RNDN);
	for (unsigned long x = last; x > 0; x--) {
		weight(term, x, sigma);
		mpfr_add(total, total, term, MPFR_RNDN);
	}
	/* Every |x| > 0 as often as it has signs, and 0 once; the tail starts with all but 0. */
	unsigned long doublings = support == VLDAA_TABLE_BOTH_SIGNS ? 1 : 0;
	mpfr_mul_2ui(tail, total, doublings, MPFR_RNDN);
	mpfr_add_ui(total, tail, 1, MPFR_RNDN);

	uint32_t count = 0;
	for (unsigned long i = 0; i < last; i++) {
		mpfr_div(term, tail, total, MPFR_RNDN);
		mpfr_mul_2ui(term, term, 63, MPFR_RNDN);
		mpfr_round(term, term);
		uint64_t entry = mpfr_get_ui(term, MPFR_RNDN);
		if (entry == 0)
			break;
		if (count < capacity)
			cdt[count] = entry;
		count++;
		weight(term, i + 1, sigma);
		mpfr_mul_2ui(term, term, doublings, MPFR_RNDN);
		mpfr_sub(tail, tail, term, MPFR_RNDN);
	}
	mpfr_clears(total, tail, term, (mpfr_ptr)0);
	return count;
}
