/*
 * Falcon's preimage sampler (specification v1.2, sections 3.8.3 and 3.9; Ducas and Prest, ISSAC
 * 2016; Klein, SODA 2000; Gentry, Peikert and Vaikuntanathan, STOC 2008).
 *
 * With the rows b_0 = (g, -f), b_1 = (G, -F) of determinant f G - g F = p, the coset of c is
 * {(t - z) B : z in Z[X]^2}, where
 *
 *   t = (c, 0) B^-1 = (-c F / p, c f / p),
 *
 * and (t - z) B is spherical of deviation sigma when z is drawn about t with weight
 * exp(-||(t - z) B||^2 / (2 sigma^2)): covariance sigma^2 (B B^*)^-1.  With D = f f^* + g g^* and
 * B B^* = [D  (G g^* + F f^*)^*; G g^* + F f^*  G G^* + F F^*], whose determinant is p^2, that is
 *
 *   z_1 of covariance sigma^2 D / p^2 about t_1, then
 *   z_0 of covariance sigma^2 / D about t_0 - (G g^* + F f^*) / D (z_1 - t_1):
 *
 * gauss_pair.c, whose tree is Falcon's, for the inverse matrix.  Its leaves' deviations are sigma
 * over the Gram-Schmidt norms of the basis in bit-reversed order: the greatest norm is the one that
 * vldaa_ntru_quality bounds by 1.17 sqrt(p), and norms multiply to p in pairs (Ducas, Lyubashevsky
 * and Prest, ASIACRYPT 2014, section 3; Gama, Howgrave-Graham and Nguyen, EUROCRYPT 2006), so the
 * least is sqrt(p) / 1.17: between leaf_min and leaf_max.
 *
 * Integers shift t and z together, so only t modulo 1 matters, which is computed exactly:
 * p t = tau modulo p, |tau| < p / 2.  With w = p z - tau, p v_2 = w_0 f + w_1 F exactly, and
 * v_1 = c - h v_2.
 *
 * Errors, as in sample_z.c: what counts is the sum over z of (p'(z) - p(z))^2 / p(z), additive in
 * samples.
 * - SampleZ itself, in this range of deviations: below 2^-70 a sample, by summation over all z, for
 *   64 centres and six deviations.
 * - Centres.  t is right within 2^-54, its transform within 2^-47 of its norm, at most 16:
 *   2^-43 for all coefficients together.  What p_1's deviation adds is multiplied by the cross term
 *   (G g^* + F f^*)/D, which is of size 1 for a reduced basis, and carries D's relative error: |f|
 *   and |g| at a root are right within 2^-47 sqrt(N) 92 < 2^-35, D is at least 17 (ntru_key.c), so
 *   2^-36 at the one worst root, 2^-44 in the mean.  The same for deviations.  Even 2^-36
 *   everywhere would be 2^-72.
 * So a credential of 2 N = 2048 samples is within 2^-59, and 2^37 credentials within 2^-22.
 * - The Gaussian on Z about any centre, of deviation leaf_min and more, has the mass of the one
 *   about 0 within a factor 1 +- epsilon, by leaf_min's definition: Klein's sampler is that close
 * to the discrete Gaussian of the coset, for 2^64 queries (Prest, ASIACRYPT 2017, section 4.4).
 *
 * Timing.  A draw has no branch and no address that depends on the key, the target or the result
 * but the number of SampleZ's attempts, which is independent of all of them (sample_z.c): at every
 * leaf 0.29 is the probability of success.  There is no division.  init divides, takes square roots
 * and compares, once for a key: its time is not protected.
 */
#include "sampler/ntru_preimage.h"

#include <string.h>

#include "random/secret.h"
#include "sampler/fft.h"
#include "sampler/gauss_pair.h"
#include "vldaa/error.h"

enum { DEGREE = VLDAA_MAX_DEGREE, HAT = 2 * DEGREE };

/* Invariant: ring.primes <= 2, so that the hats fit. */
struct vldaa_ntru_preimage {
	vldaa_ring ring;
	double inverse_p;   /* 1 / p */
	uint64_t p_inverse; /* p^-1 modulo 2^64 */
	uint32_t f_hat[HAT];
	uint32_t F_hat[HAT];
	uint32_t h_hat[HAT];
	vldaa_gauss_pair pair; /* z */
};

typedef struct {
	double centre[2][DEGREE];
	double work[3 * DEGREE];
	int64_t tau[2][DEGREE];
	int64_t z[2][DEGREE];
	uint32_t hat[2][HAT];
	uint32_t c_hat[HAT];
} draw_scratch;

size_t vldaa_ntru_preimage_size(void)
{
	return sizeof(vldaa_ntru_preimage);
}

size_t vldaa_ntru_preimage_scratch(void)
{
	return sizeof(draw_scratch);
}

/* p^-1 modulo 2^64 for odd p: Newton's iteration; p is its own inverse modulo 8, and every step
 * doubles the bits. */
static uint64_t inverse_modulo_word(uint64_t p)
{
	uint64_t inverse = p;

	for (int bits = 3; bits < 64; bits *= 2)
		inverse *= 2 - p * inverse;
	return inverse;
}

static void transform(double *out, const int64_t *a, unsigned log_n)
{
	for (size_t j = 0; j < (size_t)1 << log_n; j++)
		out[j] = (double)a[j];
	vldaa_fft_forward(out, log_n);
}

/* What init computes in; secret. */
typedef struct {
	double f[DEGREE], g[DEGREE], F[DEGREE], G[DEGREE];
	double cross[DEGREE];
	double first[DEGREE / 2], second[DEGREE / 2];
} init_scratch;

/* The covariances of the header of this file; half: N/2. */
static void covariances(init_scratch *t, const vldaa_ntru_set *set, size_t half)
{
	const double p = (double)set->ring.q, variance = set->sigma * set->sigma;

	for (size_t k = 0, i = half; k < half; k++, i++) {
		const double d =
		    t->f[k] * t->f[k] + t->f[i] * t->f[i] + t->g[k] * t->g[k] + t->g[i] * t->g[i];

		/* -(G g^* + F f^*) / D */
		t->cross[k] = -(t->G[k] * t->g[k] + t->G[i] * t->g[i] + t->F[k] * t->f[k] +
				t->F[i] * t->f[i]) /
			      d;
		t->cross[i] = -(t->G[i] * t->g[k] - t->G[k] * t->g[i] + t->F[i] * t->f[k] -
				t->F[k] * t->f[i]) /
			      d;
		t->first[k] = variance / d;
		t->second[k] = variance * d / (p * p);
	}
}

int vldaa_ntru_preimage_init(vldaa_ntru_preimage *s, const vldaa_ntru_set *set,
			     const vldaa_ntru_key *key, const int64_t *h)
{
	const vldaa_ring *r = &set->ring;
	init_scratch t;

	memset(s, 0, sizeof *s);
	s->ring = *r;
	s->inverse_p = 1.0 / (double)r->q;
	s->p_inverse = inverse_modulo_word((uint64_t)r->q);
	vldaa_hat_from_poly(r, s->f_hat, key->f);
	vldaa_hat_from_poly(r, s->F_hat, key->F);
	vldaa_hat_from_poly(r, s->h_hat, h);

	transform(t.f, key->f, r->log_d);
	transform(t.g, key->g, r->log_d);
	transform(t.F, key->F, r->log_d);
	transform(t.G, key->G, r->log_d);
	covariances(&t, set, r->d / 2);
	const int err = vldaa_gauss_pair_init(&s->pair, r->log_d, t.first, t.second, t.cross,
					      set->leaf_min, set->leaf_max);
	vldaa_wipe(&t, sizeof t);
	if (err) {
		vldaa_wipe(s, sizeof *s);
		return err;
	}
	vldaa_secret_mark(s->f_hat, sizeof s->f_hat);
	vldaa_secret_mark(s->F_hat, sizeof s->F_hat);
	vldaa_secret_mark(s->pair.cross, sizeof s->pair.cross);
	vldaa_secret_mark(s->pair.tree, sizeof s->pair.tree);
	vldaa_secret_mark(s->pair.leaf, sizeof s->pair.leaf);
	return VLDAA_OK;
}

/* tau_0 = -c F, tau_1 = c f modulo p, centred, and the centres tau / p, transformed. */
static void place_centres(const vldaa_ntru_preimage *s, draw_scratch *t, const int64_t *c)
{
	const vldaa_ring *r = &s->ring;

	vldaa_hat_from_poly(r, t->c_hat, c);
	vldaa_hat_mul(r, t->hat[0], t->c_hat, s->F_hat);
	vldaa_hat_mul(r, t->hat[1], t->c_hat, s->f_hat);
	for (int i = 0; i < 2; i++)
		vldaa_hat_to_poly(r, t->tau[i], t->hat[i]);
	vldaa_poly_neg(r, t->tau[0], t->tau[0]);
	for (int i = 0; i < 2; i++) {
		for (size_t j = 0; j < r->d; j++)
			t->centre[i][j] = (double)t->tau[i][j] * s->inverse_p;
		vldaa_fft_forward(t->centre[i], r->log_d);
	}
}

/*
 * v_2 = (w_0 f + w_1 F) / p, w = p z - tau; v_1 = c - h v_2.
 *
 * |z_1| <= 38 and, for a reduced (F, G), |z_0| < 2^15 (SampleZ goes 37 from the centre, and the
 * cross term's N coefficients are at most 1/2): |w| < 2^29, and the sum below N 2^29 (2^5 + 2^7) <
 * 2^47; two primes hold 2^59.  The division is exact.
 */
static void back_to_the_coset(const vldaa_ntru_preimage *s, draw_scratch *t, int64_t *v1,
			      int64_t *v2, const int64_t *c)
{
	const vldaa_ring *r = &s->ring;

	for (int i = 0; i < 2; i++) {
		for (size_t j = 0; j < r->d; j++)
			t->z[i][j] = r->q * t->z[i][j] - t->tau[i][j];
		vldaa_hat_from_poly(r, t->hat[i], t->z[i]);
	}
	vldaa_hat_mul(r, t->hat[0], t->hat[0], s->f_hat);
	vldaa_hat_mul_add(r, t->hat[0], t->hat[1], s->F_hat);
	vldaa_hat_to_integers(r, v2, t->hat[0]);
	for (size_t j = 0; j < r->d; j++)
		v2[j] = (int64_t)((uint64_t)v2[j] * s->p_inverse);
	vldaa_poly_reduce(r, v2, v2);

	vldaa_hat_from_poly(r, t->hat[0], v2);
	vldaa_hat_mul(r, t->hat[0], t->hat[0], s->h_hat);
	vldaa_hat_to_poly(r, v1, t->hat[0]);
	vldaa_poly_sub(r, v1, c, v1);
}

void vldaa_ntru_preimage_draw(const vldaa_ntru_preimage *s, int64_t *v1, int64_t *v2,
			      const int64_t *c, void *scratch, vldaa_rng *rng)
{
	draw_scratch *t = scratch;
	int64_t *const z[2] = {t->z[0], t->z[1]};
	double *const centre[2] = {t->centre[0], t->centre[1]};

	place_centres(s, t, c);
	vldaa_gauss_pair_draw(&s->pair, z, centre, t->work, rng);
	back_to_the_coset(s, t, v1, v2, c);
	vldaa_wipe(t, sizeof *t);
}
