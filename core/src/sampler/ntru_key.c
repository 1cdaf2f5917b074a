/*
 * NTRU keys: Falcon's NTRUGen (specification v1.2, algorithms 5 and 6) but for the equation itself,
 * which a solver of the caller's answers.  Nothing of the answer is trusted.
 */
#include "sampler/ntru_key.h"

#include <string.h>

#include "random/secret.h"
#include "ring/mod.h"
#include "sampler/fft.h"
#include "vldaa/error.h"

enum { DEGREE = VLDAA_MAX_DEGREE, HAT = VLDAA_MAX_PRIMES * DEGREE };

/*
 * How many (f, g) are drawn at most.  One in four to eight is good enough, and three in four of
 * those have a solution (not when both f and g are 0 at 1 modulo 2), nearly always within range.
 */
enum { ATTEMPTS = 10000 };

/* Whether a key is accepted is no secret; why not, and all else about it, is. */
static int outcome(int accepted)
{
	vldaa_secret_declassify(&accepted, sizeof accepted, "whether a key is accepted");
	return accepted;
}

/* out = a b modulo p, centred; out may be a or b. */
static void multiply(const vldaa_ring *r, int64_t *out, const int64_t *a, const int64_t *b)
{
	uint32_t a_hat[HAT], b_hat[HAT];

	vldaa_hat_from_poly(r, a_hat, a);
	vldaa_hat_from_poly(r, b_hat, b);
	vldaa_hat_mul(r, a_hat, a_hat, b_hat);
	vldaa_hat_to_poly(r, out, a_hat);
	vldaa_wipe(a_hat, sizeof a_hat);
	vldaa_wipe(b_hat, sizeof b_hat);
}

/* a^(p-2) modulo the prime p = q < 2^31, centred in and out; 0 for 0. */
static int64_t inverse_modulo(const vldaa_ring *r, int64_t a)
{
	const vldaa_mod m = vldaa_mod_init(r->q, r->q_bits);
	int64_t power = a, result = 1;

	for (int64_t e = r->q - 2; e > 0; e >>= 1) {
		if (e & 1)
			result = vldaa_mod_i64(&m, result * power);
		power = vldaa_mod_i64(&m, power * power);
	}
	return result;
}

/*
 * a modulo p to its inverse, centred; 0 when there is none.
 *
 * a(X) a(-X) = N(X^2), so a(X)^-1 = a(-X) N(X^2)^-1: down the tower of fields to an integer, and
 * back.  Level i has degree n_i = d / 2^i and lies at place 2 d - 2 n_i.
 */
static void invert(const vldaa_ring *ring, int64_t *a)
{
	int64_t levels[2 * DEGREE], minus[DEGREE], spread[DEGREE];
	const size_t end = 2 * (size_t)ring->d;
	vldaa_ring r = *ring;

	memcpy(levels, a, r.d * sizeof *a);
	for (; r.log_d > 0; r.d /= 2, r.log_d--) {
		int64_t *at = levels + end - 2 * r.d;

		for (size_t j = 0; j < r.d; j++)
			minus[j] = j % 2 ? -at[j] : at[j];
		multiply(&r, spread, at, minus);
		for (size_t j = 0; j < r.d / 2; j++)
			at[r.d + j] = spread[2 * j];
	}
	levels[end - 2] = inverse_modulo(&r, levels[end - 2]);
	while (r.log_d < ring->log_d) {
		r.d *= 2;
		r.log_d++;
		int64_t *at = levels + end - 2 * r.d;

		for (size_t j = 0; j < r.d; j++) {
			minus[j] = j % 2 ? -at[j] : at[j];
			spread[j] = j % 2 ? 0 : at[r.d + j / 2];
		}
		multiply(&r, at, minus, spread);
	}
	memcpy(a, levels, ring->d * sizeof *a);
	vldaa_wipe(levels, sizeof levels);
	vldaa_wipe(minus, sizeof minus);
	vldaa_wipe(spread, sizeof spread);
}

/* h = g/f modulo p, centred.  VLDAA_ERR_KEY when f is not invertible. */
static int public_key(const vldaa_ring *r, int64_t *h, const int64_t *f, const int64_t *g)
{
	int64_t inverse[DEGREE], all = 0;

	memcpy(inverse, f, r->d * sizeof *f);
	invert(r, inverse);
	for (size_t j = 0; j < r->d; j++)
		all |= inverse[j];
	multiply(r, h, inverse, g);
	vldaa_wipe(inverse, sizeof inverse);
	vldaa_secret_declassify(h, r->d * sizeof *h, "the public key");
	return outcome(all != 0) ? VLDAA_OK : VLDAA_ERR_KEY;
}

static int within(const int64_t *a, size_t n, int64_t max)
{
	int64_t outside = 0;

	for (size_t j = 0; j < n; j++)
		outside |= (max - a[j]) | (max + a[j]);
	return outcome(outside >= 0);
}

/*
 * Doubles: the transforms are right within 2^-47 of their norm (fft.h), so the second norm, which
 * is near its bound only where |f|^2 + |g|^2 is at least p^2 2 / (N quality2) > 17 everywhere, is
 * right within 2^-30 relatively.  quality2 is 2^-15 below the bound of the leaves' deviations.
 */
int vldaa_ntru_quality(const vldaa_ntru_set *set, const int64_t *f, const int64_t *g)
{
	const vldaa_ring *r = &set->ring;
	const size_t half = r->d / 2;
	const double p = (double)r->q;
	double u[DEGREE], v[DEGREE], sum = 0.0;

	for (size_t j = 0; j < r->d; j++) {
		u[j] = (double)f[j];
		v[j] = (double)g[j];
	}
	vldaa_fft_forward(u, r->log_d);
	vldaa_fft_forward(v, r->log_d);
	/* ||p (f^*, g^*) / D||^2, D = f f^* + g g^*: the mean of p^2 / D over the roots. */
	for (size_t k = 0; k < half; k++)
		sum += p * p /
		       (u[k] * u[k] + u[k + half] * u[k + half] + v[k] * v[k] +
			v[k + half] * v[k + half]);
	vldaa_wipe(u, sizeof u);
	vldaa_wipe(v, sizeof v);
	return outcome(vldaa_poly_norm2(r, f) + vldaa_poly_norm2(r, g) <= set->quality2) &&
	       outcome(sum <= (double)set->quality2 * (double)half);
}

/* f G - g F = p, exactly: |f|, |g| < 2^15 and |F|, |G| < 2^15 keep the left side below 2^41, and
 * two primes hold 2^59. */
static int equation_holds(const vldaa_ring *r, const vldaa_ntru_key *key)
{
	uint32_t a_hat[HAT], b_hat[HAT], sum_hat[HAT];
	int64_t sum[DEGREE], wrong;

	vldaa_hat_from_poly(r, a_hat, key->f);
	vldaa_hat_from_poly(r, b_hat, key->G);
	vldaa_hat_mul(r, sum_hat, a_hat, b_hat);
	vldaa_hat_from_poly(r, a_hat, key->g);
	vldaa_hat_from_poly(r, b_hat, key->F);
	vldaa_hat_mul_sub(r, sum_hat, a_hat, b_hat);
	vldaa_hat_to_integers(r, sum, sum_hat);
	wrong = sum[0] ^ r->q;
	for (size_t j = 1; j < r->d; j++)
		wrong |= sum[j];
	vldaa_wipe(a_hat, sizeof a_hat);
	vldaa_wipe(b_hat, sizeof b_hat);
	vldaa_wipe(sum_hat, sizeof sum_hat);
	vldaa_wipe(sum, sizeof sum);
	return outcome(wrong == 0);
}

static int solved(const vldaa_ntru_set *set, const vldaa_ntru_key *key)
{
	const size_t n = set->ring.d;

	return within(key->F, n, set->FG_max) && within(key->G, n, set->FG_max) &&
	       equation_holds(&set->ring, key);
}

int vldaa_ntru_complete(const vldaa_ntru_set *set, vldaa_ntru_key *key, int64_t *h)
{
	const vldaa_ring *r = &set->ring;

	if (within(key->f, r->d, set->fg_max) && within(key->g, r->d, set->fg_max) &&
	    vldaa_ntru_quality(set, key->f, key->g) &&
	    public_key(r, h, key->f, key->g) == VLDAA_OK) {
		/* f G = g F + p = g F modulo p, and |G| < p / 2. */
		multiply(r, key->G, h, key->F);
		if (solved(set, key))
			return VLDAA_OK;
	}
	vldaa_wipe(key, sizeof *key);
	vldaa_wipe(h, r->d * sizeof *h);
	return VLDAA_ERR_KEY;
}

int vldaa_ntru_generate(const vldaa_ntru_set *set, vldaa_ntru_key *key, int64_t *h,
			vldaa_ntru_solver *solve, vldaa_rng *rng)
{
	const vldaa_ring *r = &set->ring;

	memset(key, 0, sizeof *key);
	for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
		vldaa_cdt_sample(key->f, r->d, &set->fg, rng);
		vldaa_cdt_sample(key->g, r->d, &set->fg, rng);
		/* The cheap tests first: one solution takes as long as a thousand of them. */
		if (within(key->f, r->d, set->fg_max) && within(key->g, r->d, set->fg_max) &&
		    vldaa_ntru_quality(set, key->f, key->g) &&
		    public_key(r, h, key->f, key->g) == VLDAA_OK &&
		    solve(key->F, key->G, key->f, key->g, r->log_d, (uint32_t)r->q) == VLDAA_OK &&
		    solved(set, key))
			return VLDAA_OK;
	}
	vldaa_wipe(key, sizeof *key);
	vldaa_wipe(h, r->d * sizeof *h);
	return VLDAA_ERR_ATTEMPTS;
}
