/*
 * From the hat domain back to integers or residues modulo q: inverse transforms, then Garner's
 * mixed radix with balanced digits.  x = v_0 + v_1 p_0 + v_2 p_0 p_1 + v_3 p_0 p_1 p_2 with |v_i|
 * <= (p_i - 1)/2 reaches each integer of [-(P-1)/2, (P-1)/2] exactly once, so the result is centred
 * without a comparison of long integers.
 */
#include "debug.h"
#include "random/secret.h"
#include "ring/kernels.h"
#include "ring/mod.h"

/* x becomes (x - v) / p_i mod p, in [0, 2p), for x in [0, 2p), a digit v and w = p_i^-1:
 * |v| < 2^29 < p, so x - v + p is in (0, 4p). */
static void digit_step(uint32_t *restrict x, const uint32_t *restrict v, size_t n, uint32_t w,
		       uint32_t w_shoup, uint32_t p)
{
	for (size_t j = 0; j < n; j++)
		x[j] = vldaa_shoup_mul(x[j] - v[j] + p, w, w_shoup, p);
}

/* [0, 2p) to centred digits (int32_t in a word). */
static void digit_centre(uint32_t *x, size_t n, uint32_t p)
{
	for (size_t j = 0; j < n; j++) {
		uint32_t y = vldaa_cond_sub(x[j], p);

		x[j] = y - (p & (0u - ((p / 2 - y) >> 31)));
	}
}

/* Inverse transforms; then the digits v_i of coefficient j replace its residues: hat[i d + j]. */
static void mixed_radix(const vldaa_ring *r, uint32_t *hat)
{
	const vldaa_kernels *kernels = vldaa_kernels_get();
	const size_t d = r->d;
	uint32_t scratch[VLDAA_MAX_DEGREE];

	for (size_t k = 0; k < r->primes; k++) {
		const vldaa_ntt_prime *t = &vldaa_ntt_primes[k];
		uint32_t *x = hat + k * d;

		vldaa_debug_below(x, d, t->p, "hat: below p");
		kernels->inverse(x, scratch, r->log_d, t);
		for (size_t i = 0; i < k; i++)
			digit_step(x, hat + i * d, d, t->garner[i], t->garner_shoup[i], t->p);
		digit_centre(x, d, t->p);
	}
	vldaa_wipe(scratch, d * sizeof(*scratch));
}

/* The digit as a signed number. */
static inline int64_t digit(const vldaa_ring *r, const uint32_t *hat, size_t prime, size_t j)
{
	return (int32_t)hat[prime * r->d + j];
}

void vldaa_hat_to_integers(const vldaa_ring *r, int64_t *out, uint32_t *hat)
{
	mixed_radix(r, hat);
	for (size_t j = 0; j < r->d; j++) {
		/* Horner modulo 2^64: the result fits, the way there need not. */
		uint64_t x = (uint64_t)digit(r, hat, r->primes - 1, j);

		for (size_t i = r->primes - 1; i-- > 0;)
			x = x * vldaa_ntt_primes[i].p + (uint64_t)digit(r, hat, i, j);
		out[j] = (int64_t)x;
	}
}

/* Up to two primes: P/2 < 2^59, every result is an int64_t first. */
static void to_poly_short(const vldaa_ring *r, int64_t *out, uint32_t *hat)
{
	vldaa_hat_to_integers(r, out, hat);
	vldaa_poly_reduce(r, out, out);
}

/* Three or four primes: |x| < 2^29 + 3 * 2^29 * 2^(q_bits-1), within vldaa_mod_i128's
 * 2^(58+q_bits). */
static void to_poly_long(const vldaa_ring *r, int64_t *out, uint32_t *hat)
{
	const vldaa_mod m = vldaa_mod_init(r->q, r->q_bits);
	int64_t radix[VLDAA_MAX_PRIMES] = {1}; /* p_0 ... p_(i-1) modulo q */

	for (size_t i = 1; i < r->primes; i++)
		radix[i] = vldaa_mod_i128(&m, (vldaa_i128)radix[i - 1] * vldaa_ntt_primes[i - 1].p);
	mixed_radix(r, hat);
	for (size_t j = 0; j < r->d; j++) {
		vldaa_i128 x = digit(r, hat, 0, j);

		for (size_t i = 1; i < r->primes; i++)
			x += (vldaa_i128)digit(r, hat, i, j) * radix[i];
		out[j] = vldaa_mod_i128(&m, x);
	}
}

void vldaa_hat_to_poly(const vldaa_ring *r, int64_t *out, uint32_t *hat)
{
	if (r->primes <= 2)
		to_poly_short(r, out, hat);
	else
		to_poly_long(r, out, hat);
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
