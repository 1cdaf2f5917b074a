/*
 * SampleGaussian (Micciancio and Peikert, EUROCRYPT 2012, section 5.4, Algorithm 3; MP12 calls it
 * SampleD).
 *
 * A_i = [A' | B + i g] with B = -A' R, so A_i [R; I] = i g.  With p = (p_1, p_2) of covariance
 * gamma^2 I - alpha^2 [R; I][R; I]^T and z from SampleG for
 *
 *   v = i^-1 (target - A_i p) = i^-1 (target - A' (p_1 - R p_2)) - g p_2,
 *
 * s = p + [R; I] z satisfies A_i s = A_i p + i g z = target, and its covariance is gamma^2 I: s
 * tells nothing about R.  The second form of v needs neither B nor products with i:
 * A_i p = A' p_1 - A' R p_2 + i g p_2.
 *
 * Ranges: |p| < 10 gamma and |z| < 10 alpha + q (SampleZ stays within 9.5 deviations and the
 * centre), so the integers p_1 - R p_2 are below (2 d + 1) 10 gamma, 2^43 for VLDAA-42; all far
 * below P/2 >= 2^59.
 *
 * Timing: integers in constant time, but for tag (known to the member anyway); see sample_z.c and
 * perturb.c.
 */
#include "sampler/trapdoor.h"

#include "debug.h"
#include "random/secret.h"

/* What the caller's scratch holds, in this order: three polynomials, three hat elements. */
enum { SCRATCH_POLYS = 3, SCRATCH_HATS = 3 };

size_t vldaa_sample_gaussian_scratch(const vldaa_published_set *set)
{
	return SCRATCH_POLYS * set->ring.d * sizeof(int64_t) +
	       SCRATCH_HATS * vldaa_hat_len(&set->ring) * sizeof(uint32_t);
}

/* a mod q in [0, q). */
static int64_t residue(int64_t a, int64_t q)
{
	int64_t r = a % q;

	return r < 0 ? r + q : r;
}

static int64_t multiply(int64_t a, int64_t b, int64_t q)
{
	return (int64_t)((vldaa_i128)a * b % q);
}

/* a^-1 = a^(q-2) modulo the prime q; 0 for 0. */
static int64_t inverse(int64_t a, int64_t q)
{
	int64_t result = 1;

	for (int64_t e = q - 2; e > 0; e /= 2) {
		if (e % 2 == 1)
			result = multiply(result, a, q);
		a = multiply(a, a, q);
	}
	return result;
}

/*
 * out = i^-1 a for i = tag[0] + tag[1] Y, Y = X^(d/2), Y^2 = -1:
 * i^-1 = (tag[0] - tag[1] Y) / (tag[0]^2 + tag[1]^2); q = 3 mod 4, so the denominator is not 0 for
 * i != 0. a centred; out centred, not a.  work: d integers, neither.
 */
static void divide_by_tag(const vldaa_ring *ring, int64_t *out, const int64_t tag[2],
			  const int64_t *a, int64_t *work)
{
	const int64_t q = ring->q;
	const uint32_t half = ring->d / 2;
	const int64_t i0 = residue(tag[0], q), i1 = residue(tag[1], q);
	const int64_t norm = (multiply(i0, i0, q) + multiply(i1, i1, q)) % q;
	const int64_t inv = inverse(norm, q);

	vldaa_debug_assert(norm != 0, "sample_gaussian: invertible tag");
	for (uint32_t j = 0; j < half; j++) {
		work[j] = -a[half + j];
		work[half + j] = a[j];
	}
	vldaa_poly_scale(ring, work, multiply(i1, inv, q), work);
	vldaa_poly_scale(ring, out, multiply(i0, inv, q), a);
	vldaa_poly_sub(ring, out, out, work);
}

/* v = i^-1 (target - A' (p_1 - R p_2)) - g p_2.  v, work and the hats may be anything before. */
static void syndrome(const vldaa_published_set *set, int64_t *v, const int64_t *p,
		     const uint32_t *R_hat, const uint32_t *aprime_hat, const int64_t tag[2],
		     const int64_t *target, int64_t *work[2], uint32_t *hat[3])
{
	const vldaa_ring *ring = &set->ring;
	const size_t d = ring->d, len = vldaa_hat_len(ring);
	const int64_t *p2 = p + 2 * d;
	uint32_t *sum = hat[0], *factor = hat[1], *top = hat[2];

	vldaa_hat_zero(ring, sum);
	for (size_t row = 0; row < 2; row++) {
		vldaa_hat_from_poly(ring, top, p + row * d);
		for (size_t col = 0; col < 2; col++) {
			vldaa_hat_from_poly(ring, factor, p2 + col * d);
			vldaa_hat_mul_sub(ring, top, R_hat + (2 * row + col) * len, factor);
		}
		vldaa_hat_to_poly(ring, v, top);
		vldaa_hat_from_poly(ring, factor, v);
		vldaa_hat_mul_add(ring, sum, aprime_hat + row * len, factor);
	}
	vldaa_hat_to_poly(ring, work[0], sum);
	vldaa_poly_sub(ring, work[0], target, work[0]);
	divide_by_tag(ring, v, tag, work[0], work[1]);

	for (size_t j = 0; j < d; j++)
		work[0][j] = p2[j] + (int64_t)set->delta * p2[d + j];
	vldaa_poly_reduce(ring, work[0], work[0]);
	vldaa_poly_sub(ring, v, v, work[0]);
}

void vldaa_sample_gaussian(const vldaa_published_set *set, const vldaa_perturb *perturb,
			   const uint32_t *R_hat, const uint32_t *aprime_hat, const int64_t tag[2],
			   const int64_t *target, int64_t *s, void *scratch, vldaa_rng *rng)
{
	const vldaa_ring *ring = &set->ring;
	const size_t d = ring->d, len = vldaa_hat_len(ring);
	int64_t *v = scratch;
	int64_t *z[2] = {v + d, v + 2 * d};
	uint32_t *first_hat = (uint32_t *)(v + SCRATCH_POLYS * d);
	uint32_t *hat[SCRATCH_HATS] = {first_hat, first_hat + len, first_hat + 2 * len};

	vldaa_perturb_draw(perturb, s, rng);
	syndrome(set, v, s, R_hat, aprime_hat, tag, target, z, hat);
	vldaa_sample_g(set, z[0], z[1], v, rng);

	for (size_t row = 0; row < 2; row++) {
		vldaa_hat_zero(ring, hat[0]);
		for (size_t col = 0; col < 2; col++) {
			vldaa_hat_from_poly(ring, hat[1], z[col]);
			vldaa_hat_mul_add(ring, hat[0], R_hat + (2 * row + col) * len, hat[1]);
		}
		vldaa_hat_to_integers(ring, v, hat[0]);
		for (size_t j = 0; j < d; j++) {
			s[row * d + j] += v[j];
			s[(2 + row) * d + j] += z[row][j];
		}
	}
	vldaa_wipe(scratch, vldaa_sample_gaussian_scratch(set));
}
