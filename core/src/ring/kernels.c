/* The portable kernels (kernels.h): plain loops over words that a compiler can vectorise. */
#include "ring/kernels.h"

#include <string.h>

#include "random/secret.h"

/*
 * Shoup's multiplication by R mod p with 64-bit words (the companion is floor((R mod p) 2^64 / p)):
 * a + 2^63 is an unsigned u, its product in [0, 2p), and t->load_offset in [0, p] takes 2^63 R
 * away. out[i] = a[i] R mod p, in [0, 3p).
 */
static void load(uint32_t *out, const int64_t *a, size_t n, const vldaa_ntt_prime *t)
{
	for (size_t i = 0; i < n; i++) {
		uint64_t u = (uint64_t)a[i] ^ ((uint64_t)1 << 63);
		uint64_t k = (uint64_t)(((vldaa_u128)u * t->load_shoup) >> 64);

		out[i] = (uint32_t)u * t->load - (uint32_t)k * t->p + t->load_offset;
	}
}

/*
 * The transforms' levels keep one geometry (Pease, J. ACM 15 (1968)): every forward level reads the
 * pairs (x[j], x[j+d/2]) and writes them side by side, every inverse level does the reverse.  So
 * all levels are the same long loop, whose butterflies a compiler can vectorise, and the order of
 * the evaluations is the usual bit-reversed one.  After the levels for 1, 2, ... m/2 blocks, the
 * block that x[j] belongs to is j mod m, hence the root index m + (j mod m).
 *
 * A level runs in strips of STRIP butterflies: gcc 12 and clang 14 vectorise a loop of a fixed
 * length that is not unrolled away (8 is) better than one of unknown length.
 */
enum { STRIP = 16 };

/* The roots of one level with m blocks, ready for strips: repeated when m is below STRIP. */
typedef struct {
	const uint32_t *w;
	const uint32_t *w_shoup;
	size_t mask; /* place of the strip from butterfly j on: j & mask */
	uint32_t w_short[STRIP];
	uint32_t w_short_shoup[STRIP];
} roots;

static void roots_init(roots *s, const vldaa_ntt_prime *t, size_t m)
{
	s->w = t->zetas + m;
	s->w_shoup = t->zetas_shoup + m;
	s->mask = m - 1;
	if (m < STRIP) {
		for (size_t i = 0; i < STRIP; i++) {
			s->w_short[i] = s->w[i & s->mask];
			s->w_short_shoup[i] = s->w_shoup[i & s->mask];
		}
		s->w = s->w_short;
		s->w_shoup = s->w_short_shoup;
		s->mask = 0;
	}
}

/* Harvey's lazy butterflies (arXiv:1205.2926): [0, 4p) to [0, 4p). */
static inline void forward_strip(uint32_t *restrict y, const uint32_t *restrict low,
				 const uint32_t *restrict high, const uint32_t *restrict w,
				 const uint32_t *restrict w_shoup, size_t n, uint32_t p)
{
	for (size_t i = 0; i < n; i++) {
		uint32_t u = vldaa_cond_sub(low[i], 2 * p);
		uint32_t v = vldaa_shoup_mul(high[i], w[i], w_shoup[i], p);

		y[2 * i] = u + v;
		y[2 * i + 1] = u - v + 2 * p;
	}
}

/* The same, [0, 4p) to [0, p). */
static inline void forward_last_strip(uint32_t *restrict y, const uint32_t *restrict low,
				      const uint32_t *restrict high, const uint32_t *restrict w,
				      const uint32_t *restrict w_shoup, size_t n, uint32_t p)
{
	for (size_t i = 0; i < n; i++) {
		uint32_t u = vldaa_cond_sub(vldaa_cond_sub(low[i], 2 * p), p);
		uint32_t v = vldaa_cond_sub(vldaa_shoup_mul(high[i], w[i], w_shoup[i], p), p);

		y[2 * i] = vldaa_cond_sub(u + v, p);
		y[2 * i + 1] = vldaa_cond_add(u - v, p);
	}
}

static void forward_level(uint32_t *restrict y, const uint32_t *restrict x, size_t half, size_t m,
			  const vldaa_ntt_prime *t)
{
	roots s;

	roots_init(&s, t, m);
	if (half < STRIP)
		forward_strip(y, x, x + half, s.w, s.w_shoup, half, t->p);
	else
		for (size_t j = 0; j < half; j += STRIP)
			forward_strip(y + 2 * j, x + j, x + half + j, s.w + (j & s.mask),
				      s.w_shoup + (j & s.mask), STRIP, t->p);
}

static void forward_last_level(uint32_t *restrict y, const uint32_t *restrict x, size_t half,
			       const vldaa_ntt_prime *t)
{
	roots s;

	roots_init(&s, t, half);
	if (half < STRIP)
		forward_last_strip(y, x, x + half, s.w, s.w_shoup, half, t->p);
	else
		for (size_t j = 0; j < half; j += STRIP)
			forward_last_strip(y + 2 * j, x + j, x + half + j, s.w + j, s.w_shoup + j,
					   STRIP, t->p);
}

static void forward(uint32_t *hat, const int64_t *a, uint32_t *scratch, uint32_t log_d,
		    const vldaa_ntt_prime *t)
{
	const size_t half = (size_t)1 << (log_d - 1);
	/* Levels go from x to y, which then change places: begin so that the last one ends in hat.
	 */
	uint32_t *x = log_d % 2 == 0 ? hat : scratch;
	uint32_t *y = log_d % 2 == 0 ? scratch : hat;

	load(x, a, 2 * half, t);
	for (size_t m = 1; m < half; m *= 2) {
		uint32_t *next = x;

		forward_level(y, x, half, m, t);
		x = y;
		y = next;
	}
	forward_last_level(y, x, half, t);
}

/*
 * [0, 2p) to [0, 2p).  The inverse of zetas[m+i] is -zetas[2m-1-i]: the exponents brv10(m+i) and
 * brv10(2m-1-i) add up to 1024, and psi^1024 = -1.  The minus turns the difference round, and the
 * strip's roots are read backwards.
 */
static inline void inverse_strip(uint32_t *restrict low, uint32_t *restrict high,
				 const uint32_t *restrict x, const uint32_t *restrict w,
				 const uint32_t *restrict w_shoup, size_t n, uint32_t p)
{
	for (size_t i = 0; i < n; i++) {
		uint32_t u = x[2 * i];
		uint32_t v = x[2 * i + 1];

		low[i] = vldaa_cond_sub(u + v, 2 * p);
		high[i] = vldaa_shoup_mul(v - u + 2 * p, w[n - 1 - i], w_shoup[n - 1 - i], p);
	}
}

static void inverse_level(uint32_t *restrict y, const uint32_t *restrict x, size_t half, size_t m,
			  const vldaa_ntt_prime *t)
{
	roots s;

	roots_init(&s, t, m);
	if (half < STRIP)
		inverse_strip(y, y + half, x, s.w, s.w_shoup, half, t->p);
	else
		for (size_t j = 0; j < half; j += STRIP) {
			size_t at = s.mask == 0 ? 0 : (m - STRIP - j) & s.mask;

			inverse_strip(y + j, y + half + j, x + 2 * j, s.w + at, s.w_shoup + at,
				      STRIP, t->p);
		}
}

/* m = 1, with the division by d R: [0, 2p) to [0, p). */
static void inverse_last_level(uint32_t *restrict y, const uint32_t *restrict x, size_t half,
			       uint32_t log_d, const vldaa_ntt_prime *t)
{
	const uint32_t p = t->p;
	const uint32_t s = t->scale[log_d];
	const uint32_t s_shoup = t->scale_shoup[log_d];
	const uint32_t z = t->scale_zeta[log_d];
	const uint32_t z_shoup = t->scale_zeta_shoup[log_d];

	for (size_t j = 0; j < half; j++) {
		uint32_t u = x[2 * j];
		uint32_t v = x[2 * j + 1];

		y[j] = vldaa_cond_sub(vldaa_shoup_mul(u + v, s, s_shoup, p), p);
		y[j + half] = vldaa_cond_sub(vldaa_shoup_mul(v - u + 2 * p, z, z_shoup, p), p);
	}
}

static void inverse(uint32_t *a, uint32_t *scratch, uint32_t log_d, const vldaa_ntt_prime *t)
{
	const size_t half = (size_t)1 << (log_d - 1);
	uint32_t *x = a;
	uint32_t *y = scratch;

	for (size_t m = half; m > 1; m /= 2) {
		uint32_t *next = x;

		inverse_level(y, x, half, m, t);
		x = y;
		y = next;
	}
	inverse_last_level(y, x, half, log_d, t);
	if (y != a)
		memcpy(a, y, 2 * half * sizeof(*a));
}

static void mul(uint32_t *out, const uint32_t *a, const uint32_t *b, size_t n,
		const vldaa_ntt_prime *t)
{
	for (size_t i = 0; i < n; i++)
		out[i] = vldaa_mont_mul(a[i], b[i], t);
}

static void mul_add(uint32_t *out, const uint32_t *a, const uint32_t *b, size_t n,
		    const vldaa_ntt_prime *t)
{
	for (size_t i = 0; i < n; i++)
		out[i] = vldaa_cond_sub(out[i] + vldaa_mont_mul(a[i], b[i], t), t->p);
}

static void mul_sub(uint32_t *out, const uint32_t *a, const uint32_t *b, size_t n,
		    const vldaa_ntt_prime *t)
{
	for (size_t i = 0; i < n; i++)
		out[i] = vldaa_cond_add(out[i] - vldaa_mont_mul(a[i], b[i], t), t->p);
}

/*
 * Dot products reduce once for DOT_TERMS products, whose sum stays below 2^64: 16 (2^30)^2.  Strips as above, but
 * long enough that a strip's part of a and b fills whole cache lines.
 */
enum { DOT_TERMS = 16, DOT_STRIP = 64 };

static inline void dot_strip(uint64_t *restrict sum, const uint32_t *restrict a,
			     const uint32_t *restrict b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		sum[i] += (uint64_t)a[i] * b[i];
}

/* x / R mod p in [0, p), any x: high half minus the Montgomery quotient is in (-p, 2^32), 2^32 < 4 p + p. */
static inline uint32_t dot_reduce(uint64_t x, const vldaa_ntt_prime *t)
{
	const uint32_t m = (uint32_t)x * t->p_inv;
	uint64_t y = (x >> 32) + t->p - (((uint64_t)m * t->p) >> 32);

	/* y < 6 p: a difference's top bit says that it was below */
	for (int k = 2; k >= 0; k--) {
		const uint64_t bound = (uint64_t)t->p << k;

		y -= bound;
		y += bound & (0 - (y >> 63));
	}
	return (uint32_t)y;
}

static void dot(uint32_t *out, const uint32_t *a, const uint32_t *b, size_t count, size_t stride,
		size_t n, const vldaa_ntt_prime *t)
{
	uint64_t sum[DOT_STRIP];

	memset(out, 0, n * sizeof *out);
	for (size_t first = 0; first < n; first += DOT_STRIP) {
		const size_t strip = n - first < DOT_STRIP ? n - first : DOT_STRIP;
		size_t j = 0;

		while (j < count) {
			const size_t end = count - j < DOT_TERMS ? count : j + DOT_TERMS;

			memset(sum, 0, sizeof sum);
			for (; j < end; j++) {
				const size_t at = j * stride + first;

				if (strip == DOT_STRIP)
					dot_strip(sum, a + at, b + at, DOT_STRIP);
				else
					dot_strip(sum, a + at, b + at, strip);
			}
			for (size_t i = 0; i < strip; i++)
				out[first + i] =
				    vldaa_cond_sub(out[first + i] + dot_reduce(sum[i], t), t->p);
		}
	}
	vldaa_wipe(sum, sizeof sum);
}

static void add(uint32_t *out, const uint32_t *a, const uint32_t *b, size_t n,
		const vldaa_ntt_prime *t)
{
	for (size_t i = 0; i < n; i++)
		out[i] = vldaa_cond_sub(a[i] + b[i], t->p);
}

static void sub(uint32_t *out, const uint32_t *a, const uint32_t *b, size_t n,
		const vldaa_ntt_prime *t)
{
	for (size_t i = 0; i < n; i++)
		out[i] = vldaa_cond_add(a[i] - b[i], t->p);
}

static const vldaa_kernels portable = {
    .name = "portable",
    .forward = forward,
    .inverse = inverse,
    .mul = mul,
    .mul_add = mul_add,
    .mul_sub = mul_sub,
    .dot = dot,
    .add = add,
    .sub = sub,
};

const vldaa_kernels *vldaa_kernels_get(void)
{
	return &portable;
}
