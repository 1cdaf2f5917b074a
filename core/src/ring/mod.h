/*
 * Centred reduction modulo q of 64-bit and wider integers, without division and in constant time:
 * secrets pass through here.  Only the set-up divides, by the public q, once a call of poly.c or
 * crt.c.
 *
 * ">>" of a negative number is the compiler's choice in C11; gcc and clang shift arithmetically,
 * and unsigned to signed conversion wraps: both are relied upon here (test_ring.c checks them by
 * results).
 */
#ifndef VLDAA_MOD_H
#define VLDAA_MOD_H

#include "debug.h"
#include "wide.h"

/* Invariant: q odd, 5 <= q < 2^47, 2^(bits-1) < q < 2^bits, half = (q-1)/2, mu =
 * floor(2^(62+bits)/q), so 2^62 < mu < 2^63. */
typedef struct {
	int64_t q;
	int64_t half;
	int64_t mu;
	uint32_t bits;
} vldaa_mod;

static inline vldaa_mod vldaa_mod_init(int64_t q, uint32_t bits)
{
	vldaa_mod m = {.q = q, .half = q / 2, .bits = bits};

	vldaa_debug_assert(q >= 5 && q % 2 == 1 && bits <= 47, "modulus in range");
	vldaa_debug_assert(q >> (bits - 1) == 1, "q_bits = ceil(log2 q)");
	m.mu = (int64_t)(((vldaa_u128)1 << (62 + bits)) / (uint64_t)q);
	return m;
}

/* x mod q, centred, for |x| <= q + (q-1)/2. */
static inline int64_t vldaa_mod_centre(const vldaa_mod *m, int64_t x)
{
	int64_t above = (m->half - x) >> 63; /* -1 when x > half */
	int64_t below = (x + m->half) >> 63; /* -1 when x < -half */

	vldaa_debug_assert(x <= m->q + m->half && x >= -m->q - m->half, "mod_centre: range");
	return x - (m->q & above) + (m->q & below);
}

/*
 * a mod q, centred, for any a.
 * k = floor(a mu / 2^(62+bits)): mu's rounding moves the quotient by less than 2^63 / 2^(62+bits) =
 * 2^(1-bits), so -2 < a - k q < q + 2.  k q may leave int64_t while the difference does not:
 * unsigned.
 */
static inline int64_t vldaa_mod_i64(const vldaa_mod *m, int64_t a)
{
	int64_t k = (int64_t)(((vldaa_i128)a * m->mu) >> 64) >> (m->bits - 2);

	return vldaa_mod_centre(m, (int64_t)((uint64_t)a - (uint64_t)k * (uint64_t)m->q));
}

/*
 * s mod q, centred, for |s| < 2^(58+bits).
 * t = floor(s / 2^(bits-1)) loses less than one, so t mu / 2^63 is at most one below s/q, and
 * within 2^-4 of that by mu's rounding (|t| < 2^59).  With one added, k = floor of it is within 1 +
 * 2^-4 of s/q: |s - k q| < q + q/16 + 1.
 */
static inline int64_t vldaa_mod_i128(const vldaa_mod *m, vldaa_i128 s)
{
	int64_t t = (int64_t)(s >> (m->bits - 1));
	int64_t k = (int64_t)(((vldaa_i128)t * m->mu) >> 63) + 1;

	vldaa_debug_assert(s >> (58 + m->bits) == 0 || s >> (58 + m->bits) == -1,
			   "mod_i128: range");
	return vldaa_mod_centre(m, (int64_t)((uint64_t)s - (uint64_t)k * (uint64_t)m->q));
}

#endif
