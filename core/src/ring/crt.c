/*
 * From the hat domain back to integers or residues modulo q: inverse transforms, then Garner's
 * mixed radix with balanced digits.  x = v_0 + v_1 p_0 + v_2 p_0 p_1 + v_3 p_0 p_1 p_2 with |v_i|
 * <= (p_i - 1)/2 reaches each integer of [-(P-1)/2, (P-1)/2] exactly once, so the result is centred
 * without a comparison of long integers.
 */
#include "debug.h"
#include "ring/kernels.h"
#include "ring/mod.h"

/* The digits v_i of coefficient j replace its residues: hat[i d + j] holds v_i as int32_t. */
static void digits(const vldaa_ring *r, uint32_t *hat)
{
	const size_t d = r->d;

	for (size_t k = 0; k < r->primes; k++) {
		const vldaa_ntt_prime *t = &vldaa_ntt_primes[k];
		const uint32_t p = t->p;

		for (size_t j = 0; j < d; j++) {
			/* x in [0, 2p) before each step; |v| < p since the primes are less than
			 * 2^16 apart and |v| < 2^29: x - v + p in (0, 4p). */
			uint32_t x = hat[k * d + j];

			for (size_t i = 0; i < k; i++)
				x = vldaa_shoup_mul(x - hat[i * d + j] + p, t->garner[i],
						    t->garner_shoup[i], p);
			x = vldaa_cond_sub(x, p);
			/* Above (p-1)/2: minus p. */
			hat[k * d + j] = x - (p & (0u - (((p - 1) / 2 - x) >> 31)));
		}
	}
}

static void inverse(const vldaa_ring *r, uint32_t *hat)
{
	const vldaa_kernels *k = vldaa_kernels_get();

	for (size_t i = 0; i < r->primes; i++)
		k->inverse(hat + i * r->d, r->log_d, &vldaa_ntt_primes[i]);
	digits(r, hat);
}

void vldaa_hat_to_integers(const vldaa_ring *r, int64_t *out, uint32_t *hat)
{
	inverse(r, hat);
	for (size_t j = 0; j < r->d; j++) {
		/* Horner modulo 2^64: the result fits, the way there need not. */
		uint64_t x = 0;

		for (size_t i = r->primes; i-- > 0;)
			x = x * vldaa_ntt_primes[i].p +
			    (uint64_t)(int64_t)(int32_t)hat[i * r->d + j];
		out[j] = (int64_t)x;
	}
}

void vldaa_hat_to_poly(const vldaa_ring *r, int64_t *out, uint32_t *hat)
{
	const vldaa_mod m = vldaa_mod_init(r->q, r->q_bits);
	int64_t radix[VLDAA_MAX_PRIMES] = {1}; /* p_0 ... p_(i-1) modulo q */

	for (size_t i = 1; i < r->primes; i++)
		radix[i] = vldaa_mod_i128(&m, (vldaa_i128)radix[i - 1] * vldaa_ntt_primes[i - 1].p);
	inverse(r, hat);
	for (size_t j = 0; j < r->d; j++) {
		/* |x| < 2^29 + 3 * 2^29 * 2^(q_bits-1), within vldaa_mod_i128's 2^(58+q_bits). */
		vldaa_i128 x = (int32_t)hat[j];

		for (size_t i = 1; i < r->primes; i++)
			x += (vldaa_i128)(int32_t)hat[i * r->d + j] * radix[i];
		out[j] = vldaa_mod_i128(&m, x);
	}
}

uint64_t vldaa_ring_terms(const vldaa_ring *r, uint64_t max_a, uint64_t max_b)
{
	vldaa_u128 product = 1;
	vldaa_u128 half;

	for (size_t i = 0; i < r->primes; i++)
		product *= vldaa_ntt_primes[i].p;
	half = (product - 1) / 2;
	if (max_a == 0 || max_b == 0)
		return UINT64_MAX;
	/* floor(floor(floor(half / d) / a) / b) = floor(half / (d a b)). */
	half = half / r->d / max_a / max_b;
	return half > UINT64_MAX ? UINT64_MAX : (uint64_t)half;
}
