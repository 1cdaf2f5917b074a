/* Arithmetic and rounding; see poly.h.  Straight loops over 256 coefficients, for the vectoriser.
 */
#include "mldsa/poly.h"

#include "debug.h"

enum { Q = VLDAA_MLDSA_Q, N = VLDAA_MLDSA_N };

/* q^-1 mod 2^32; 2^64 / 256 mod q, which undoes both the Montgomery factor of the products and the
 * 256 of the inverse transform. */
enum { QINV = 58728449, INTT_FACTOR = 41978 };

/* Debugging build: low <= coefficients <= high. */
static inline void range(const vldaa_mldsa_poly *a, int32_t low, int32_t high, const char *what)
{
	for (size_t j = 0; j < N; j++)
		vldaa_debug_assert(a->c[j] >= low && a->c[j] <= high, what);
}

/* a 2^-32 mod q; |a| < 2^31 q; |result| < q. */
static inline int32_t montgomery(int64_t a)
{
	int32_t t = (int32_t)((uint32_t)a * (uint32_t)QINV);

	return (int32_t)((a - (int64_t)t * Q) >> 32);
}

void vldaa_mldsa_ntt(vldaa_mldsa_poly *a)
{
	size_t k = 1;

	range(a, -Q, Q, "transform's input");
	for (size_t len = N / 2; len > 0; len /= 2) {
		for (size_t start = 0; start < N; start += 2 * len) {
			const int32_t zeta = vldaa_mldsa_zetas[k++];
			int32_t *lo = a->c + start;
			int32_t *hi = lo + len;

			for (size_t j = 0; j < len; j++) {
				const int32_t t = montgomery((int64_t)zeta * hi[j]);

				hi[j] = lo[j] - t;
				lo[j] = lo[j] + t;
			}
		}
	}
}

void vldaa_mldsa_intt(vldaa_mldsa_poly *a)
{
	size_t k = N;

	range(a, 1 - Q, Q - 1, "inverse transform's input");
	for (size_t len = 1; len < N; len *= 2) {
		for (size_t start = 0; start < N; start += 2 * len) {
			const int32_t zeta = -vldaa_mldsa_zetas[--k];
			int32_t *lo = a->c + start;
			int32_t *hi = lo + len;

			for (size_t j = 0; j < len; j++) {
				const int32_t t = lo[j];

				/* |lo| doubles at each of 8 levels: below 256 q < 2^31 */
				lo[j] = t + hi[j];
				hi[j] = montgomery((int64_t)zeta * (t - hi[j]));
			}
		}
	}
	for (size_t j = 0; j < N; j++)
		a->c[j] = montgomery((int64_t)INTT_FACTOR * a->c[j]);
}

void vldaa_mldsa_mul(vldaa_mldsa_poly *out, const vldaa_mldsa_poly *a, const vldaa_mldsa_poly *b)
{
	/* 81 q^2 < 2^31 q */
	range(a, -9 * Q, 9 * Q, "factor");
	range(b, -9 * Q, 9 * Q, "factor");
	for (size_t j = 0; j < N; j++)
		out->c[j] = montgomery((int64_t)a->c[j] * b->c[j]);
}

void vldaa_mldsa_dot(vldaa_mldsa_poly *out, const vldaa_mldsa_poly *a, const vldaa_mldsa_poly *b,
		     size_t n)
{
	for (size_t i = 0; i < n; i++) {
		range(&a[i], 0, Q - 1, "element of A");
		range(&b[i], -9 * Q, 9 * Q, "factor of A");
	}
	for (size_t j = 0; j < N; j++) {
		int64_t sum = 0;

		/* 8 * 9q * q < 2^31 q: one reduction for the whole sum */
		for (size_t i = 0; i < n; i++)
			sum += (int64_t)a[i].c[j] * b[i].c[j];
		out->c[j] = montgomery(sum);
	}
}

void vldaa_mldsa_reduce(vldaa_mldsa_poly *a)
{
	for (size_t j = 0; j < N; j++) {
		const int32_t t = (a->c[j] + (1 << 22)) >> 23;

		a->c[j] -= t * Q;
	}
}

void vldaa_mldsa_freeze(vldaa_mldsa_poly *a)
{
	range(a, 1 - Q, Q - 1, "to be frozen");
	for (size_t j = 0; j < N; j++)
		a->c[j] += (a->c[j] >> 31) & Q;
}

void vldaa_mldsa_add(vldaa_mldsa_poly *out, const vldaa_mldsa_poly *a, const vldaa_mldsa_poly *b)
{
	for (size_t j = 0; j < N; j++)
		out->c[j] = a->c[j] + b->c[j];
}

void vldaa_mldsa_sub(vldaa_mldsa_poly *out, const vldaa_mldsa_poly *a, const vldaa_mldsa_poly *b)
{
	for (size_t j = 0; j < N; j++)
		out->c[j] = a->c[j] - b->c[j];
}

int vldaa_mldsa_exceeds(const vldaa_mldsa_poly *a, int32_t bound)
{
	uint32_t exceeds = 0;

	for (size_t j = 0; j < N; j++) {
		const int32_t sign = a->c[j] >> 31;
		const int32_t abs = (a->c[j] ^ sign) - sign;

		exceeds |= (uint32_t)(bound - 1 - abs) >> 31;
	}
	return (int)exceeds;
}

void vldaa_mldsa_power2round(vldaa_mldsa_poly *a1, vldaa_mldsa_poly *a0, const vldaa_mldsa_poly *a)
{
	range(a, 0, Q - 1, "to be rounded");
	for (size_t j = 0; j < N; j++) {
		const int32_t x = a->c[j];
		const int32_t high = (x + (1 << (VLDAA_MLDSA_D - 1)) - 1) >> VLDAA_MLDSA_D;

		a0->c[j] = x - high * (1 << VLDAA_MLDSA_D);
		a1->c[j] = high;
	}
}

/*
 * high = a / 2 gamma2 rounded to the nearest, half down, without division.  2 gamma2 is 128 * 1488
 * or 128 * 4092: with a / 128 rounded up, 11275 / 2^24 stands for 1 / 1488 and 1025 / 2^22 for
 * 1 / 4092, which is exact for every a in [0, q) (test_mldsa_poly tries them all).  The last
 * interval, around q - 1, has high 0 instead of m, and so a0 = a - q there.
 */
static inline int32_t decompose(const vldaa_mldsa_set *set, int32_t *a0, int32_t a)
{
	int32_t high = (a + 127) >> 7;

	if (set->gamma2 == (Q - 1) / 32) {
		high = (high * 1025 + (1 << 21)) >> 22;
		high &= 15;
	} else {
		high = (high * 11275 + (1 << 23)) >> 24;
		high ^= ((43 - high) >> 31) & high;
	}
	*a0 = a - high * 2 * set->gamma2;
	*a0 -= (((Q - 1) / 2 - *a0) >> 31) & Q;
	return high;
}

void vldaa_mldsa_decompose(const vldaa_mldsa_set *set, vldaa_mldsa_poly *a1, vldaa_mldsa_poly *a0,
			   const vldaa_mldsa_poly *a)
{
	range(a, 0, Q - 1, "to be decomposed");
	for (size_t j = 0; j < N; j++)
		a1->c[j] = decompose(set, &a0->c[j], a->c[j]);
}

/*
 * The high part stays a1 for a0 in (-gamma2, gamma2], and for a0 = -gamma2 too when a1 is 0, where
 * r wraps to q - gamma2 and the interval around q - 1 begins.
 */
uint32_t vldaa_mldsa_make_hint(const vldaa_mldsa_set *set, vldaa_mldsa_poly *h,
			       const vldaa_mldsa_poly *a1, const vldaa_mldsa_poly *a0)
{
	uint32_t count = 0;

	range(a0, 1 - 2 * set->gamma2, 2 * set->gamma2 - 1, "low part with c t0");
	for (size_t j = 0; j < N; j++) {
		const int32_t low = a0->c[j];
		const uint32_t above = (uint32_t)(set->gamma2 - low) >> 31;
		const uint32_t not_zero = (uint32_t)-a1->c[j] >> 31;
		const uint32_t below = (uint32_t)(low + set->gamma2 - (int32_t)not_zero) >> 31;

		h->c[j] = (int32_t)(above | below);
		count += above | below;
	}
	return count;
}

void vldaa_mldsa_use_hint(const vldaa_mldsa_set *set, vldaa_mldsa_poly *a,
			  const vldaa_mldsa_poly *h)
{
	const int32_t m = (Q - 1) / (2 * set->gamma2);

	range(a, 0, Q - 1, "to be corrected by a hint");
	for (size_t j = 0; j < N; j++) {
		int32_t low;
		int32_t high = decompose(set, &low, a->c[j]);

		if (h->c[j])
			high = low > 0 ? (high + 1) % m : (high + m - 1) % m;
		a->c[j] = high;
	}
}
