/* SC24 section 2.4: sigma, eta, alpha, s1(R), gamma, in this order. */
#include "published/published.h"

#include <flint/ulong_extras.h>
#include <math.h>
#include <stdlib.h>

static uint32_t log2_exact(uint32_t x)
{
	uint32_t log = 0;
	while ((UINT32_C(1) << log) < x)
		log++;
	return log;
}

/* sigma = 2 sqrt(log2 d), from Lyubashevsky, Peikert and Regev (EUROCRYPT 2010, Theorem 4.1). */
static void derive_sigma(vldaa_published_derived *out)
{
	out->sigma2 = UINT64_C(4) * out->log_degree;
	mpfr_init2(out->sigma, VLDAA_REAL_PRECISION);
	mpfr_sqrt_ui(out->sigma, (unsigned long)out->sigma2, MPFR_RNDN);
}

/*
 * eta = sqrt(ln(2 k (1 + 2^lambda)) / pi): the smoothing parameter of Z^k for error 2^-lambda
 * (Micciancio and Regev, SIAM J. Comput. 2007, Lemma 3.3), a Gaussian parameter, not a deviation.
 */
static void derive_eta(vldaa_published_derived *out, uint32_t lambda)
{
	mpfr_t pi;
	mpfr_init2(pi, VLDAA_REAL_PRECISION);
	mpfr_init2(out->eta, VLDAA_REAL_PRECISION);
	mpfr_const_pi(pi, MPFR_RNDN);
	mpfr_set_ui_2exp(out->eta, 1, (mpfr_exp_t)lambda, MPFR_RNDN);
	mpfr_add_ui(out->eta, out->eta, 1, MPFR_RNDN);
	mpfr_mul_ui(out->eta, out->eta, 2 * VLDAA_PUBLISHED_K, MPFR_RNDN);
	mpfr_log(out->eta, out->eta, MPFR_RNDN);
	mpfr_div(out->eta, out->eta, pi, MPFR_RNDN);
	mpfr_sqrt(out->eta, out->eta, MPFR_RNDN);
	mpfr_clear(pi);
}

/* alpha = sqrt(2 delta) (2 delta + 1) eta. */
static void derive_alpha(vldaa_published_derived *out)
{
	mpfr_init2(out->alpha, VLDAA_REAL_PRECISION);
	mpfr_sqrt_ui(out->alpha, (unsigned long)(2 * out->delta), MPFR_RNDN);
	mpfr_mul_ui(out->alpha, out->alpha, (unsigned long)(2 * out->delta + 1), MPFR_RNDN);
	mpfr_mul(out->alpha, out->alpha, out->eta, MPFR_RNDN);
}

/* s1(R) <= 1.1 sigma (sqrt(2 d) + sqrt(d k) + 4.7). */
static void derive_s1(vldaa_published_derived *out, uint32_t degree)
{
	mpfr_t term;
	mpfr_init2(term, VLDAA_REAL_PRECISION);
	mpfr_init2(out->s1, VLDAA_REAL_PRECISION);
	mpfr_set_ui(out->s1, 47, MPFR_RNDN);
	mpfr_div_ui(out->s1, out->s1, 10, MPFR_RNDN);
	mpfr_sqrt_ui(term, 2UL * degree, MPFR_RNDN);
	mpfr_add(out->s1, out->s1, term, MPFR_RNDN);
	mpfr_sqrt_ui(term, (unsigned long)VLDAA_PUBLISHED_K * degree, MPFR_RNDN);
	mpfr_add(out->s1, out->s1, term, MPFR_RNDN);
	mpfr_mul(out->s1, out->s1, out->sigma, MPFR_RNDN);
	mpfr_mul_ui(out->s1, out->s1, 11, MPFR_RNDN);
	mpfr_div_ui(out->s1, out->s1, 10, MPFR_RNDN);
	mpfr_clear(term);
}

/* gamma^2 = (alpha^2 + 1) s1(R)^2 + eta^2. */
static void derive_gamma(vldaa_published_derived *out)
{
	mpfr_t gamma2;
	mpfr_t term;
	mpfr_init2(gamma2, VLDAA_REAL_PRECISION);
	mpfr_init2(term, VLDAA_REAL_PRECISION);
	mpfr_init2(out->gamma, VLDAA_REAL_PRECISION);
	mpfr_sqr(gamma2, out->alpha, MPFR_RNDN);
	mpfr_add_ui(gamma2, gamma2, 1, MPFR_RNDN);
	mpfr_sqr(term, out->s1, MPFR_RNDN);
	mpfr_mul(gamma2, gamma2, term, MPFR_RNDN);
	mpfr_sqr(term, out->eta, MPFR_RNDN);
	mpfr_add(gamma2, gamma2, term, MPFR_RNDN);
	mpfr_sqrt(out->gamma, gamma2, MPFR_RNDN);
	fmpq_init(out->gamma2_low);
	fmpq_init(out->gamma2_high);
	vldaa_exact_enclose(out->gamma2_low, out->gamma2_high, gamma2);
	mpfr_clear(gamma2);
	mpfr_clear(term);
}

void vldaa_published_derive(vldaa_published_derived *out, const vldaa_published_choice *choice)
{
	out->log_degree = log2_exact(choice->degree);
	out->q_bits = 0;
	while ((UINT64_C(1) << out->q_bits) < choice->q)
		out->q_bits++;
	out->delta = n_sqrt(choice->q - 1) + 1;
	derive_sigma(out);
	derive_eta(out, choice->lambda);
	derive_alpha(out);
	derive_s1(out, choice->degree);
	derive_gamma(out);
}

void vldaa_published_derived_clear(vldaa_published_derived *derived)
{
	mpfr_clears(derived->sigma, derived->eta, derived->alpha, derived->s1, derived->gamma,
		    (mpfr_ptr)0);
	fmpq_clear(derived->gamma2_low);
	fmpq_clear(derived->gamma2_high);
}

/* 2^kappa C(d, kappa): kappa places, each with a sign. */
static void challenge_count(fmpz_t out, uint32_t degree, uint32_t kappa)
{
	fmpz_bin_uiui(out, degree, kappa);
	fmpz_mul_2exp(out, out, kappa);
}

uint32_t vldaa_published_least_kappa(uint32_t degree, uint32_t goal)
{
	fmpz_t count;
	fmpz_t least;
	fmpz_init(count);
	fmpz_init(least);
	fmpz_one(least);
	fmpz_mul_2exp(least, least, goal);
	uint32_t kappa = 1;
	for (; kappa <= degree; kappa++) {
		challenge_count(count, degree, kappa);
		if (fmpz_cmp(count, least) >= 0)
			break;
	}
	fmpz_clear(count);
	fmpz_clear(least);
	return kappa <= degree ? kappa : 0;
}

double vldaa_published_challenge_bits(uint32_t degree, uint32_t kappa)
{
	fmpz_t count;
	fmpz_init(count);
	challenge_count(count, degree, kappa);
	double bits = fmpz_dlog(count) / log(2.0);
	fmpz_clear(count);
	return bits;
}
