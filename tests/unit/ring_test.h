/* What the ring's tests share: the rings, inputs, and FLINT on the other side. */
#ifndef VLDAA_RING_TEST_H
#define VLDAA_RING_TEST_H

#include <check.h>
#include <flint/fmpz.h>
#include <flint/fmpz_poly.h>
#include <flint/ulong_extras.h>
#include <stdlib.h>
#include <string.h>

#include "ring/ring.h"

/* Published sets, the two rings of the sound sets, and small or extreme ones that reach the
 * invariants' ends (q = 5 with 3 bits, the largest q below 2^47, one prime, degree 4). */
static const vldaa_ring rings[] = {
    {128, 7, 114356107, 27, 3},
    {512, 9, 7583, 13, 2},
    {1024, 10, 14867, 14, 2},
    {64, 6, ((int64_t)1 << 45) - 139, 45, 3},
    {64, 6, ((int64_t)1 << 45) - 139, 45, 4},
    {64, 6, ((int64_t)1 << 46) - 635, 46, 3},
    {64, 6, ((int64_t)1 << 46) - 635, 46, 4},
    {4, 2, 5, 3, 1},
    {8, 3, 8380417, 23, 3},
    {32, 5, ((int64_t)1 << 31) - 1, 31, 4},
    {64, 6, ((int64_t)1 << 47) - 115, 47, 4},
    {1024, 10, ((int64_t)1 << 47) - 115, 47, 4},
};

enum { RINGS = sizeof(rings) / sizeof(rings[0]), MAX_HAT = VLDAA_MAX_PRIMES * VLDAA_MAX_DEGREE };

static uint64_t state;

static void setup(void)
{
	state = 88172645463325252u;
}

/* Marsaglia's xorshift64, good enough to choose inputs. */
static inline uint64_t draw(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

/* Uniform enough in [-bound, bound]. */
static inline int64_t draw_up_to(int64_t bound)
{
	return (int64_t)(draw() % (2 * (uint64_t)bound + 1)) - bound;
}

/* Polynomials with coefficients up to bound: extremes first, then random ones. */
enum { PATTERNS = 8 };
static inline void fill(const vldaa_ring *r, int64_t *a, int64_t bound, int pattern)
{
	for (size_t i = 0; i < r->d; i++) {
		switch (pattern) {
		case 0:
			a[i] = bound;
			break;
		case 1:
			a[i] = -bound;
			break;
		case 2:
			a[i] = i % 2 == 0 ? bound : -bound;
			break;
		case 3: /* every product of X^(d-1) with pattern 0 wraps round */
			a[i] = i == r->d - 1 ? bound : 0;
			break;
		case 4: /* times pattern 0: no cancellation in the constant coefficient */
			a[i] = i == 0 ? bound : -bound;
			break;
		case 5:
			a[i] = 0;
			break;
		default:
			a[i] = draw_up_to(bound);
		}
	}
}

static inline void fmpz_set_i128(fmpz_t f, vldaa_i128 x)
{
	fmpz_set_signed_uiui(f, (ulong)((vldaa_u128)x >> 64), (ulong)(vldaa_u128)x);
}

/* f mod q, centred. */
static inline int64_t fmpz_centred(const fmpz_t f, int64_t q)
{
	int64_t x = (int64_t)fmpz_fdiv_ui(f, (ulong)q);

	return x > q / 2 ? x - q : x;
}

static inline void fmpz_poly_set_i64(fmpz_poly_t f, const int64_t *a, size_t d)
{
	fmpz_poly_zero(f);
	for (size_t i = d; i-- > 0;)
		fmpz_poly_set_coeff_si(f, (slong)i, a[i]);
}

/* f mod X^d + 1. */
static inline void fmpz_poly_wrap(const vldaa_ring *r, fmpz_poly_t f)
{
	for (slong i = fmpz_poly_degree(f); i >= (slong)r->d; i--) {
		fmpz *high = fmpz_poly_get_coeff_ptr(f, i);

		if (high != NULL) {
			fmpz *low = fmpz_poly_get_coeff_ptr(f, i - (slong)r->d);

			fmpz_sub(low, low, high);
			fmpz_poly_set_coeff_si(f, i, 0);
		}
	}
}

static inline void ck_poly_mod(const vldaa_ring *r, const int64_t *a, const fmpz_poly_t expect)
{
	fmpz_t c;

	fmpz_init(c);
	for (size_t i = 0; i < r->d; i++) {
		fmpz_poly_get_coeff_fmpz(c, expect, (slong)i);
		ck_assert_int_eq(a[i], fmpz_centred(c, r->q));
	}
	fmpz_clear(c);
}

static inline void ck_poly_integers(const vldaa_ring *r, const int64_t *a, const fmpz_poly_t expect)
{
	for (size_t i = 0; i < r->d; i++)
		ck_assert(fmpz_poly_get_coeff_si(expect, (slong)i) == a[i]);
}

#endif
