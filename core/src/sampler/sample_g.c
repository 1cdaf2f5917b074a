/*
 * SampleG for the gadget g = (1, delta), k = 2.
 *
 * For one coefficient v, z = (z0, z1) comes from D over the coset {z : z0 + delta z1 = v mod q} of
 * L = {z : z0 + delta z1 = 0 mod q}, with deviation alpha.
 *
 * Choice: Genise and Micciancio (EUROCRYPT 2018, section 3) sample any k in time O(k) by perturbing
 * the structured basis of L.  Two dimensions need no such thing: the randomised nearest plane
 * algorithm (Klein, SODA 2000; Gentry, Peikert and Vaikuntanathan, STOC 2008, section 4.2) costs
 * two integers a coefficient, needs no perturbation, and its output is within the smoothing error
 * of D for alpha / ||b~_i|| above eta_epsilon(Z); those ratios are 911 (VLDAA-42), 143, 237, so
 * that epsilon is below 2^-(2^19) and only the error of SampleZ counts.
 *
 * Basis: with q = h delta + l, 0 <= l < delta,
 *   b_1 = (-delta, 1), b_2 = (l, h):  l + delta h = q,  determinant -(delta h + l) = -q.
 * Gram-Schmidt: b~_1 = b_1, ||b_1||^2 = delta^2 + 1, ||b~_2|| = q / ||b_1||, both about sqrt(q).
 * Nearest plane from t = (v, 0) = x_1 b_1 + x_2 b_2, x_2 = v / q, in the coset:
 *   k_2 <- D_{Z, alpha / ||b~_2||, -v / q},  t' = t + k_2 b_2 = (v + k_2 l, k_2 h);
 *   k_1 <- D_{Z, alpha / ||b_1||, -<t', b_1> / ||b_1||^2},  z = t' + k_1 b_1.
 * All integers stay below 2^44 for q < 2^31 (|k_2|, |k_1| <= 10 alpha / ||b~||, l, h <= delta).
 *
 * Timing: as SampleZ; the centres are products with reciprocals of public numbers.
 */
#include "sampler/trapdoor.h"

#include <math.h>

void vldaa_sample_g(const vldaa_published_set *set, int64_t *z0, int64_t *z1, const int64_t *v,
		    vldaa_rng *rng)
{
	const int64_t q = set->ring.q;
	const int64_t delta = set->delta;
	const int64_t h = q / delta;
	const int64_t l = q % delta;
	const double inv_q = 1.0 / (double)q;
	const double inv_b1 = 1.0 / (double)(delta * delta + 1);
	vldaa_sample_z first, second;

	vldaa_sample_z_init(&first, set->alpha * sqrt(inv_b1));
	vldaa_sample_z_init(&second, set->alpha / sqrt(inv_b1) / (double)q);
	for (uint32_t j = 0; j < set->ring.d; j++) {
		int64_t k2 = vldaa_sample_z_draw(&second, -(double)v[j] * inv_q, rng);
		int64_t t0 = v[j] + k2 * l;
		int64_t t1 = k2 * h;
		int64_t k1 = vldaa_sample_z_draw(&first, (double)(delta * t0 - t1) * inv_b1, rng);

		z0[j] = t0 - k1 * delta;
		z1[j] = t1 + k1;
	}
}
