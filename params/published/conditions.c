#include "published/conditions.h"

#include <flint/ulong_extras.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

void vldaa_published_all_init(vldaa_published_all *out, const vldaa_published_choice *choice)
{
	out->choice = choice;
	vldaa_published_derive(&out->derived, choice);
	vldaa_published_bounds_init(&out->bounds, choice, &out->derived);
	vldaa_published_blocks_init(out->blocks, choice, &out->derived);
}

void vldaa_published_all_clear(vldaa_published_all *all)
{
	vldaa_published_blocks_clear(all->blocks);
	vldaa_published_bounds_clear(&all->bounds);
	vldaa_published_derived_clear(&all->derived);
}

static void modulus_is_prime(vldaa_verdict *out, const vldaa_published_all *all)
{
	uint64_t q = all->choice->q;
	int ok = n_is_prime(q) != 0;
	vldaa_verdict_set(out, "q-prime", ok, "q = %" PRIu64 " %s.", q,
			  ok ? "is prime" : "is not prime");
}

static void modulus_is_3_mod_4(vldaa_verdict *out, const vldaa_published_all *all)
{
	uint64_t q = all->choice->q;
	vldaa_verdict_set(out, "q-mod-4", q % 4 == 3, "q = %" PRIu64 " is %" PRIu64 " modulo 4%s.",
			  q, q % 4, q % 4 == 3 ? "" : ", not 3");
}

static void degree_is_power_of_two(vldaa_verdict *out, const vldaa_published_all *all)
{
	uint32_t d = all->choice->degree;
	int ok = d >= 2 && (d & (d - 1)) == 0;
	vldaa_verdict_set(out, "degree", ok,
			  "d = %" PRIu32 " %s a power of two, so X^d + 1 is %s over the rationals.",
			  d, ok ? "is" : "is not", ok ? "irreducible" : "reducible");
}

/*
 * X^d + 1 is the 2d-th cyclotomic polynomial, so modulo an odd prime q it has d / e factors of
 * degree e, e the order of q modulo 2 d.
 */
void vldaa_published_split(uint32_t *factors, uint32_t *factor_degree, uint32_t degree, uint64_t q)
{
	uint64_t modulus = 2 * (uint64_t)degree;
	uint64_t power = q % modulus;
	uint32_t order = 1;
	while (power != 1 && order < degree) {
		power = power * (q % modulus) % modulus;
		order++;
	}
	*factor_degree = order;
	*factors = degree / order;
}

/* No factor of degree 1: X^d + 1 has no root, so tags and differences of tags have a chance to
 * invert. */
static void ring_has_no_root(vldaa_verdict *out, const vldaa_published_all *all)
{
	uint32_t factors;
	uint32_t factor_degree;
	if (all->choice->q % 2 == 0) {
		vldaa_verdict_set(out, "splitting", 0, "q is even.");
		return;
	}
	vldaa_published_split(&factors, &factor_degree, all->choice->degree, all->choice->q);
	vldaa_verdict_set(
	    out, "splitting", factor_degree > 1,
	    "X^%" PRIu32 " + 1 has %" PRIu32 " factors of degree %" PRIu32 " modulo q: %s.",
	    all->choice->degree, factors, factor_degree,
	    factor_degree > 1 ? "no root, so no NTT modulo q either" : "it splits completely");
}

/*
 * Tags i_0 + i_1 X^(d/2): the inverse is (i_0 - i_1 X^(d/2)) / (i_0^2 + i_1^2), and the sum of
 * squares vanishes only for the zero tag exactly when -1 is not a square.
 */
static void tags_are_invertible(vldaa_verdict *out, const vldaa_published_all *all)
{
	uint64_t q = all->choice->q;
	int ok = n_is_prime(q) != 0 && q > 2 && n_jacobi_unsigned(q - 1, q) == -1;
	vldaa_verdict_set(
	    out, "tags-invert", ok,
	    "-1 %s a square modulo q, so i_0^2 + i_1^2 %s zero only for i = 0: %s non-zero tag, and every "
	    "non-zero difference of two, inverts.",
	    ok ? "is not" : "is", ok ? "is" : "is not", ok ? "every" : "not every");
}

static void gadget_covers_modulus(vldaa_verdict *out, const vldaa_published_all *all)
{
	uint64_t delta = all->derived.delta;
	int ok = delta * delta >= all->choice->q && (delta - 1) * (delta - 1) < all->choice->q;
	vldaa_verdict_set(out, "gadget", ok,
			  "delta = %" PRIu64
			  " %s ceil(sqrt q), so the gadget (1, delta) of k = 2 digits covers q.",
			  delta, ok ? "is" : "is not");
}

static void challenges_are_many(vldaa_verdict *out, const vldaa_published_all *all)
{
	const vldaa_published_choice *choice = all->choice;
	uint32_t least = vldaa_published_least_kappa(choice->degree, choice->challenge_goal);
	int ok = least != 0 && choice->kappa >= least && choice->kappa <= choice->degree;
	vldaa_verdict_set(
	    out, "challenges", ok,
	    "kappa = %" PRIu32 " gives 2^kappa C(d, kappa) = 2^%.1f challenges, %s 2^%" PRIu32
	    "; the least weight that reaches it is %" PRIu32 ".",
	    choice->kappa, vldaa_published_challenge_bits(choice->degree, choice->kappa),
	    ok ? "at least" : "fewer than", choice->challenge_goal, least);
}

/* sigma >= 2 sqrt(log2 d), squared and compared from the decimals that the core gets. */
static void sigma_is_large(vldaa_verdict *out, const vldaa_published_all *all)
{
	double sigma = mpfr_get_d(all->derived.sigma, MPFR_RNDN);
	double least = 2.0 * sqrt(log2((double)all->choice->degree));
	vldaa_verdict_set(out, "sigma", sigma >= least * (1.0 - 1e-15),
			  "sigma = %.16g; Ring-LWE wants at least 2 sqrt(log2 d) = %.16g.", sigma,
			  least);
}

/* eta(Z^k) and the least alpha, sqrt(2 delta) (2 delta + 1) eta, once more and in plain doubles. */
static double smoothing(const vldaa_published_all *all)
{
	double lambda = all->choice->lambda;
	double logarithm = lambda * log(2.0) + log1p(exp2(-lambda)) + log(2.0 * VLDAA_PUBLISHED_K);
	return sqrt(logarithm / 3.14159265358979323846);
}

static double least_alpha(const vldaa_published_all *all)
{
	double delta = (double)all->derived.delta;
	return sqrt(2.0 * delta) * (2.0 * delta + 1.0) * smoothing(all);
}

static void alpha_smooths(vldaa_verdict *out, const vldaa_published_all *all)
{
	double alpha = mpfr_get_d(all->derived.alpha, MPFR_RNDN);
	double least = least_alpha(all);
	vldaa_verdict_set(
	    out, "alpha", alpha >= least * (1.0 - 1e-12),
	    "alpha = %.16g; SampleG wants at least sqrt(2 delta) (2 delta + 1) eta = %.10g, eta for error "
	    "2^-%" PRIu32 ".",
	    alpha, least, all->choice->lambda);
}

static void gamma_covers_trapdoor(vldaa_verdict *out, const vldaa_published_all *all)
{
	double d = all->choice->degree;
	double sigma = 2.0 * sqrt(log2(d));
	double s1 = 1.1 * sigma * (sqrt(2.0 * d) + sqrt(d * VLDAA_PUBLISHED_K) + 4.7);
	double alpha = least_alpha(all);
	double eta = smoothing(all);
	double least = sqrt((alpha * alpha + 1.0) * s1 * s1 + eta * eta);
	double gamma = mpfr_get_d(all->derived.gamma, MPFR_RNDN);
	vldaa_verdict_set(
	    out, "gamma", gamma > least * (1.0 - 1e-12),
	    "gamma = %.16g; the perturbation's covariance is positive when it exceeds sqrt((alpha^2 + 1) s1(R)^2 "
	    "+ eta^2), about %.10g, for s1(R) up to %.6g (a uniform ternary R has about %.4g).",
	    gamma, least, s1, sqrt(2.0 / 3.0) * (sqrt(2.0 * d) + sqrt(d * VLDAA_PUBLISHED_K)));
}

/* The bound T of every block's secret, once more, in doubles and from the protocol's text. */
static double secret_bound(const vldaa_published_all *all, uint32_t block)
{
	double d = all->choice->degree;
	double sigma2 = 4.0 * log2(d);
	double gamma = mpfr_get_d(all->derived.gamma, MPFR_RNDN);
	double randomness = sqrt(3.0 * d);
	double credential = 1.1 * gamma * sqrt(2.0 * d);
	double key = sqrt(1.21 * sigma2 * d + d);
	double error = 1.1 * sqrt(sigma2 * d);
	const double bounds[VLDAA_PUBLISHED_BLOCKS] = {
	    randomness, randomness, randomness, credential, credential, 2.0 * d * gamma,
	    key,        key,        error,      sqrt(d),    error,      key};
	return bounds[block];
}

static uint32_t blocks_beside(const vldaa_published_all *all, uint32_t block)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < VLDAA_PUBLISHED_BLOCKS; i++)
		count += all->blocks[i].role == all->blocks[block].role;
	return count;
}

static void masks_hide(vldaa_verdict *out, const vldaa_published_all *all)
{
	double worst = INFINITY;
	const char *where = "";
	for (uint32_t i = 0; i < VLDAA_PUBLISHED_BLOCKS; i++) {
		/* Least xi for a joint decision over B blocks: 12 sqrt(B) kappa T. */
		double least = 12.0 * sqrt((double)blocks_beside(all, i)) * all->choice->kappa *
			       secret_bound(all, i);
		double ratio = 4.0 * vldaa_exact_double(all->blocks[i].width) / least;
		if (ratio < worst) {
			worst = ratio;
			where = all->blocks[i].meaning;
		}
	}
	vldaa_verdict_set(
	    out, "xi", worst >= 1.0 - 1e-12,
	    "every mask's deviation is at least 12 sqrt(B) kappa ||secret|| (tightest: %s, %.6f times that), so "
	    "a role keeps an attempt with probability e^-(1 + 1/288) = 0.367 and nothing leaks.",
	    where, worst);
}

static void bounds_accept_honest(vldaa_verdict *out, const vldaa_published_all *all)
{
	int ok = 1;
	double least = INFINITY;
	for (uint32_t i = 0; i < VLDAA_PUBLISHED_BLOCKS; i++) {
		const vldaa_published_block *block = &all->blocks[i];
		double coefficients = (double)block->polys * all->choice->degree;
		double xi = 4.0 * vldaa_exact_double(block->width);
		double expected = xi * xi * coefficients;
		double ratio = vldaa_exact_double(block->bound2) / expected;
		ok &= fabs(ratio - 2.0) < 1e-9;
		/* ||z||^2 / xi^2 is chi-squared: its deviation is sqrt(2 / coefficients) of its
		 * mean. */
		double deviations = (ratio - 1.0) / sqrt(2.0 / coefficients);
		least = fmin(least, deviations);
	}
	vldaa_verdict_set(
	    out, "beta", ok,
	    "beta'^2 %s xi^2 2 d m' for every block; an honest response stays below it with at least %.1f "
	    "deviations to spare.",
	    ok ? "is" : "is not", least);
}

static int digits_agree(const char *printed, const mpfr_t derived)
{
	if (printed == NULL)
		return 1;
	double reference = strtod(printed, NULL);
	return fabs(mpfr_get_d(derived, MPFR_RNDN) / reference - 1.0) < 1e-9;
}

static void printed_values_agree(vldaa_verdict *out, const vldaa_published_all *all)
{
	const vldaa_published_choice *choice = all->choice;
	int sigma = digits_agree(choice->printed_sigma, all->derived.sigma);
	int alpha = digits_agree(choice->printed_alpha, all->derived.alpha);
	int gamma = digits_agree(choice->printed_gamma, all->derived.gamma);
	if (choice->printed_alpha == NULL)
		vldaa_verdict_set(out, "printed", 1,
				  "No paper prints sigma, alpha and gamma of this set.");
	else
		vldaa_verdict_set(
		    out, "printed", sigma && alpha && gamma,
		    "The digits printed in the paper agree within 1e-9: sigma %s, alpha %s, gamma %s.",
		    sigma ? "yes" : "NO", alpha ? "yes" : "NO", gamma ? "yes" : "NO");
}

const vldaa_published_condition vldaa_published_conditions[] = {
    modulus_is_prime,      modulus_is_3_mod_4,  degree_is_power_of_two,
    ring_has_no_root,      tags_are_invertible, gadget_covers_modulus,
    challenges_are_many,   sigma_is_large,      alpha_smooths,
    gamma_covers_trapdoor, masks_hide,          bounds_accept_honest,
    printed_values_agree,
};
const uint32_t vldaa_published_condition_count =
    sizeof(vldaa_published_conditions) / sizeof(vldaa_published_conditions[0]);
