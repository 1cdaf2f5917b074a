/*
 * The NTRU equation by the tower of fields: Pornin and Prest, PKC 2019 (Falcon's NTRUSolve,
 * specification v1.2, algorithm 6), whose arithmetic is FLINT's.
 *
 * With N(a)(X^2) = a(X) a(-X), a solution for N(f), N(g) in half the degree gives one for f, g:
 *
 *   N(f) G' - N(g) F' = p   =>   G = f(-X) G'(X^2),  F = g(-X) F'(X^2),   f G - g F = p.
 *
 * Down to integers, where one extended gcd answers; then up, and at every level (F, G) is reduced
 * against (f, g) (Babai): (F, G) -= k (f, g), k = round((F f^* + G g^*) / (f f^* + g g^*)).
 *
 * The quotient is computed in doubles, from the leading 60 bits of either pair, rounded at a place
 * that leaves k some 30 bits, and subtracted exactly; again until nothing is left to subtract.
 * Rounding errors therefore cost rounds, never correctness; the results are still the same
 * everywhere, since every step is a single correctly rounded operation of IEEE 754.
 */
#include "vldaa/ntru.h"

#include <flint/flint.h>
#include <flint/fmpz.h>
#include <flint/fmpz_poly.h>
#include <flint/fmpz_vec.h>
#include <string.h>

#include "ntru_memory.h"
#include "sampler/fft.h"
#include "vldaa/error.h"

enum {
	LEADING_BITS = 60,  /* of a coefficient that become a double */
	QUOTIENT_BITS = 30, /* of k that one round subtracts, at most */
	RESULT_BITS = 31    /* of F and G at the top */
};

/* Both polynomials of a pair, one after the other: an array of 2 n integers. */
typedef struct {
	fmpz *a;
	fmpz *b;
} pair;

static pair pair_new(slong n)
{
	fmpz *both = _fmpz_vec_init(2 * n);

	return (pair){both, both + n};
}

static void pair_free(pair p, slong n)
{
	_fmpz_vec_clear(p.a, 2 * n);
}

/* out = a b in Z[X]/(X^n+1); work: 2 n integers; out may be a or b. */
static void multiply(fmpz *out, const fmpz *a, const fmpz *b, slong n, fmpz *work)
{
	_fmpz_poly_mul(work, a, n, b, n);
	for (slong i = 0; i < n - 1; i++)
		fmpz_sub(out + i, work + i, work + n + i);
	fmpz_set(out + n - 1, work + n - 1);
}

/* a = even(X^2) + X odd(X^2); even, odd: n/2 integers. */
static void split(fmpz *even, fmpz *odd, const fmpz *a, slong n)
{
	for (slong i = 0; i < n / 2; i++) {
		fmpz_set(even + i, a + 2 * i);
		fmpz_set(odd + i, a + 2 * i + 1);
	}
}

/* out(Y) = N(a) = even^2 - Y odd^2, Y = X^2, modulo Y^(n/2)+1; work: 2 n integers. */
static void field_norm(fmpz *out, const fmpz *a, slong n, fmpz *work)
{
	const slong half = n / 2;
	fmpz *even = work + n, *odd = even + half;

	split(even, odd, a, n);
	multiply(even, even, even, half, work);
	multiply(odd, odd, odd, half, work);
	for (slong i = 1; i < half; i++)
		fmpz_sub(out + i, even + i, odd + i - 1);
	fmpz_add(out, even, odd + half - 1);
}

/* out(X) = a(-X) b(X^2), b of n/2 integers; work: 2 n integers. */
static void lift(fmpz *out, const fmpz *a, const fmpz *b, slong n, fmpz *work)
{
	const slong half = n / 2;
	fmpz *even = work + n, *odd = even + half;

	split(even, odd, a, n);
	multiply(even, even, b, half, work);
	multiply(odd, odd, b, half, work);
	for (slong i = 0; i < half; i++) {
		fmpz_set(out + 2 * i, even + i);
		fmpz_neg(out + 2 * i + 1, odd + i);
	}
}

/* Bits of the largest coefficient. */
static slong pair_bits(pair p, slong n)
{
	const slong bits = _fmpz_vec_max_bits(p.a, 2 * n);

	return bits < 0 ? -bits : bits;
}

/* floor(a 2^-shift) as doubles, transformed. */
static void transform(double *out, const fmpz *a, unsigned log_n, slong shift)
{
	fmpz_t top;

	fmpz_init(top);
	for (slong i = 0; i < (slong)1 << log_n; i++) {
		fmpz_fdiv_q_2exp(top, a + i, (ulong)shift);
		out[i] = (double)fmpz_get_si(top);
	}
	fmpz_clear(top);
	vldaa_fft_forward(out, log_n);
}

static void conjugate(double *a, unsigned log_n)
{
	const size_t half = ((size_t)1 << log_n) / 2;

	for (size_t i = half; i < 2 * half; i++)
		a[i] = -a[i];
}

/* 2^e, -1022 <= e <= 1023. */
static double power_of_two(slong e)
{
	const uint64_t bits = (uint64_t)(e + 1023) << 52;
	double x;

	memcpy(&x, &bits, sizeof x);
	return x;
}

/* The least e with |x| < 2^e for all n of a; -1022 when all are (nearly) zero. */
static slong exponent(const double *a, size_t n)
{
	slong largest = -1022;

	for (size_t i = 0; i < n; i++) {
		uint64_t bits;

		memcpy(&bits, a + i, sizeof bits);
		const slong e = (slong)(bits << 1 >> 53) - 1022;
		largest = e > largest ? e : largest;
	}
	return largest;
}

/* floor(x + 1/2), |x| < 2^50: two halves are rounded to the same side, so that subtracting ends. */
static slong rounded(double x)
{
	const double up = x + 0.5;
	const slong truncated = (slong)up;

	return truncated - (up < (double)truncated);
}

/* What stays the same while one (F, G) is reduced.  The doubles are FLINT's memory, so wiped. */
typedef struct {
	pair small; /* f, g */
	unsigned log_n;
	slong shift;    /* f^*, g^*, weight are of f 2^-shift, g 2^-shift */
	double *f_star; /* transformed, like everything below */
	double *g_star;
	double *weight; /* 1 / (f f^* + g g^*), n/2 real values */
	double *quotient;
	double *other;
	fmpz *k;
	fmpz *product;
	fmpz *work; /* 2 n */
} reduction;

static slong shift_for(slong bits)
{
	return bits > LEADING_BITS ? bits - LEADING_BITS : 0;
}

static void reduction_init(reduction *r, pair small, unsigned log_n)
{
	const size_t n = (size_t)1 << log_n, half = n / 2;

	r->small = small;
	r->log_n = log_n;
	r->shift = shift_for(pair_bits(small, (slong)n));
	r->f_star = flint_malloc(5 * n * sizeof(double));
	r->g_star = r->f_star + n;
	r->weight = r->g_star + n;
	r->quotient = r->weight + n;
	r->other = r->quotient + n;
	r->k = _fmpz_vec_init((slong)(4 * n));
	r->product = r->k + n;
	r->work = r->product + n;
	transform(r->f_star, small.a, log_n, r->shift);
	transform(r->g_star, small.b, log_n, r->shift);
	for (size_t i = 0; i < half; i++)
		r->weight[i] =
		    1.0 / (r->f_star[i] * r->f_star[i] + r->f_star[i + half] * r->f_star[i + half] +
			   r->g_star[i] * r->g_star[i] + r->g_star[i + half] * r->g_star[i + half]);
	conjugate(r->f_star, log_n);
	conjugate(r->g_star, log_n);
}

static void reduction_clear(reduction *r)
{
	_fmpz_vec_clear(r->k, (slong)4 << r->log_n);
	flint_free(r->f_star);
}

/* quotient = (F f^* + G g^*) / (f f^* + g g^*) 2^e, in coefficients.  Returns e. */
static slong divide(reduction *r, pair large)
{
	const size_t n = (size_t)1 << r->log_n, half = n / 2;
	const slong shift = shift_for(pair_bits(large, (slong)n));

	memset(r->quotient, 0, n * sizeof(double));
	transform(r->other, large.a, r->log_n, shift);
	vldaa_fft_mul_add(r->quotient, r->other, r->f_star, r->log_n);
	transform(r->other, large.b, r->log_n, shift);
	vldaa_fft_mul_add(r->quotient, r->other, r->g_star, r->log_n);
	for (size_t i = 0; i < half; i++) {
		r->quotient[i] *= r->weight[i];
		r->quotient[i + half] *= r->weight[i];
	}
	vldaa_fft_inverse(r->quotient, r->log_n);
	return r->shift - shift;
}

/* a -= 2^place k b. */
static void subtract(reduction *r, fmpz *a, const fmpz *b, ulong place)
{
	const slong n = (slong)1 << r->log_n;

	multiply(r->product, b, r->k, n, r->work);
	_fmpz_vec_scalar_mul_2exp(r->product, r->product, n, place);
	_fmpz_vec_sub(a, a, r->product, n);
}

/* One round.  Returns whether anything was subtracted. */
static int reduce_once(reduction *r, pair large)
{
	const size_t n = (size_t)1 << r->log_n;
	const slong e = divide(r, large);                /* at least 0 when large is zero */
	const slong bits = exponent(r->quotient, n) - e; /* of the true quotient */
	const slong place = bits > QUOTIENT_BITS ? bits - QUOTIENT_BITS : 0;
	int any = 0;

	if (bits < -1)
		return 0;
	/* k = round(quotient 2^-e 2^-place): at most 2^QUOTIENT_BITS, so the factor is a double. */
	const double factor = power_of_two(-e - place);
	for (size_t i = 0; i < n; i++) {
		const slong k = rounded(r->quotient[i] * factor);

		fmpz_set_si(r->k + i, k);
		any |= k != 0;
	}
	if (any) {
		subtract(r, large.a, r->small.a, (ulong)place);
		subtract(r, large.b, r->small.b, (ulong)place);
	}
	return any;
}

/*
 * Reduces (F, G) against (f, g).  A round gains about QUOTIENT_BITS, less where f f^* + g g^* is
 * tiny at some root; should it gain nothing, the limit ends it, and the caller refuses what is too
 * large.
 */
static void reduce(pair large, pair small, unsigned log_n)
{
	slong rounds = pair_bits(large, (slong)1 << log_n) + LEADING_BITS;
	reduction r;

	reduction_init(&r, small, log_n);
	while (rounds-- > 0 && reduce_once(&r, large))
		;
	reduction_clear(&r);
}

/*
 * Integers: G = p / f modulo |g|, in [0, |g|), and F = (f G - p) / g.  One answer, unlike the
 * extended gcd's, which FLINT's versions choose differently.
 */
static int solve_integers(fmpz *F, fmpz *G, const fmpz *f, const fmpz *g, uint32_t p)
{
	fmpz_t modulus, t;
	int solved = 0;

	fmpz_init(modulus);
	fmpz_init(t);
	fmpz_abs(modulus, g);
	if (fmpz_cmp_ui(modulus, 1) > 0) {
		fmpz_mod(t, f, modulus);
		solved = fmpz_invmod(G, t, modulus);
	}
	if (solved) {
		fmpz_mul_ui(G, G, p);
		fmpz_mod(G, G, modulus);
		fmpz_mul(F, f, G);
		fmpz_sub_ui(F, F, p);
		fmpz_divexact(F, F, g);
	}
	fmpz_clear(modulus);
	fmpz_clear(t);
	return solved;
}

static int solve(pair FG, pair fg, unsigned log_n, uint32_t p)
{
	const slong n = (slong)1 << log_n, half = n / 2;

	if (log_n == 0)
		return solve_integers(FG.a, FG.b, fg.a, fg.b, p);

	pair norms = pair_new(half), below = pair_new(half);
	fmpz *work = _fmpz_vec_init(2 * n);

	field_norm(norms.a, fg.a, n, work);
	field_norm(norms.b, fg.b, n, work);
	const int solved = solve(below, norms, log_n - 1, p);
	if (solved) {
		lift(FG.a, fg.b, below.a, n, work);
		lift(FG.b, fg.a, below.b, n, work);
	}
	pair_free(norms, half);
	pair_free(below, half);
	_fmpz_vec_clear(work, 2 * n);
	if (solved)
		reduce(FG, fg, log_n);
	return solved;
}

/* A sum of coefficients is the value at 1, and its parity the norm's: no use in going down to two
 * even integers. */
static int odd_at_one(const int64_t *a, slong n)
{
	uint64_t sum = 0;

	for (slong i = 0; i < n; i++)
		sum += (uint64_t)a[i];
	return (int)(sum & 1);
}

int vldaa_ntru_solve(int64_t *F, int64_t *G, const int64_t *f, const int64_t *g, unsigned log_n,
		     uint32_t p)
{
	const slong n = (slong)1 << log_n;

	memset(F, 0, (size_t)n * sizeof *F);
	memset(G, 0, (size_t)n * sizeof *G);
	if (!odd_at_one(f, n) && !odd_at_one(g, n))
		return VLDAA_ERR_KEY;

	vldaa_ntru_memory_install();
	pair fg = pair_new(n), FG = pair_new(n);

	for (slong i = 0; i < n; i++) {
		fmpz_set_si(fg.a + i, f[i]);
		fmpz_set_si(fg.b + i, g[i]);
	}
	const int solved = solve(FG, fg, log_n, p) && pair_bits(FG, n) <= RESULT_BITS;
	for (slong i = 0; solved && i < n; i++) {
		F[i] = fmpz_get_si(FG.a + i);
		G[i] = fmpz_get_si(FG.b + i);
	}
	pair_free(fg, n);
	pair_free(FG, n);
	vldaa_ntru_memory_flush();
	return solved ? VLDAA_OK : VLDAA_ERR_KEY;
}
