/*
 * The auxiliary primes and their negacyclic number-theoretic transforms (for core/src/ring only).
 *
 * Tables, generated into gen_ntt.c (R = 2^32; everything is determined by these lines):
 *   p       the four largest primes below 2^30 that are 1 modulo 2048, largest first;
 *   psi     g^((p-1)/2048), g > 1 the least primitive root of p: a primitive 2048th root of 1;
 *   zetas   zetas[k] = psi^brv10(k), k < 1024, brv10 reversing ten bits.  For d = 2^l <= 1024
 *           the root psi^(1024/d) and l-bit reversal give the same first d entries, so this one
 *           table serves every degree;
 *   x_shoup floor(x 2^32 / p), the companion of a constant x (vldaa_shoup_mul);
 *   p_inv   p^-1 mod R;
 *   load    R mod p;   load_shoup = floor(load 2^64 / p);   load_offset = p - (2^63 R mod p);
 *   garner  garner[i] = p_i^-1 mod p for the primes i before this one, 0 for the others;
 *   scale   scale[l] = (2^l R)^-1 mod p, l = 0 ... 10;   scale_zeta[l] = scale[l] zetas[1] mod p.
 *
 * Hat domain: evaluation number k of a(X) modulo p is a(psi_d^(2 brv_l(k) + 1)), psi_d =
 * psi^(1024/d), l = log2 d, kept as a R mod p (Montgomery form) in [0, p).
 */
#ifndef VLDAA_NTT_H
#define VLDAA_NTT_H

#include "ring/ring.h"

typedef struct {
	uint32_t p;
	uint32_t p_inv;
	uint32_t psi;
	uint32_t load;
	uint32_t load_offset;
	uint64_t load_shoup;
	uint32_t garner[VLDAA_MAX_PRIMES];
	uint32_t garner_shoup[VLDAA_MAX_PRIMES];
	uint32_t scale[11];
	uint32_t scale_shoup[11];
	uint32_t scale_zeta[11];
	uint32_t scale_zeta_shoup[11];
	uint32_t zetas[VLDAA_MAX_DEGREE];
	uint32_t zetas_shoup[VLDAA_MAX_DEGREE];
} vldaa_ntt_prime;

extern const vldaa_ntt_prime vldaa_ntt_primes[VLDAA_MAX_PRIMES];

/* x w mod p in [0, 2p), for any x, a constant w < p and its companion floor(w 2^32 / p):
 * the quotient's error is below 1 + x / 2^32 < 2. */
static inline uint32_t vldaa_shoup_mul(uint32_t x, uint32_t w, uint32_t w_shoup, uint32_t p)
{
	uint32_t k = (uint32_t)(((uint64_t)x * w_shoup) >> 32);

	return x * w - k * p;
}

/* x + bound when x is negative as int32_t, else x. */
static inline uint32_t vldaa_cond_add(uint32_t x, uint32_t bound)
{
	return x + (bound & (0u - (x >> 31)));
}

/* x - bound when x >= bound, else x; for x < bound + 2^31, bound <= 2^31. */
static inline uint32_t vldaa_cond_sub(uint32_t x, uint32_t bound)
{
	return vldaa_cond_add(x - bound, bound);
}

/* a b / R mod p in [0, p), for a b < p 2^32. */
static inline uint32_t vldaa_mont_mul(uint32_t a, uint32_t b, const vldaa_ntt_prime *t)
{
	uint64_t ab = (uint64_t)a * b;
	uint32_t m = (uint32_t)ab * t->p_inv;

	/* The low halves of a b and m p are equal: the quotient is exact, in (-p, p). */
	return vldaa_cond_add((uint32_t)((ab - (uint64_t)m * t->p) >> 32), t->p);
}

#endif
