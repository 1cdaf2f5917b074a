/*
 * SampleZ by rejection from a scaled half-Gaussian.
 *
 * Technique: the isochronous sampler of Howe, Prest, Ricosset and Rossi (PQCrypto 2020: base table
 * read whole, sign and reflection around the centre's floor, one Bernoulli trial, acceptance scaled
 * by s_min / s), with a base sample stretched by K for large deviations, as in BLISS (Ducas,
 * Durmus, Lepoint and Lyubashevsky, CRYPTO 2013, Algorithm 11).
 *
 *   c = floor(c) + f, f in [0, 1];  z0 = K x + y,  x >= 0 with weight exp(-x^2 / 32), y uniform in
 *   [0, K), K = ceil(s_max / 4);  b a fair bit;  z = b + (2 b - 1) z0, so b = 1 gives 1, 2, ... and
 *   b = 0 gives 0, -1, -2, ...: every integer in one way.
 *   Accepted with probability (s_min / s) exp(-t),  t = (z - f)^2 / (2 s^2) - x^2 / 32.
 *
 * t >= 0, since |z - f| >= z0 >= K x >= s x / 4.  So z + floor(c) has weight
 * exp(-x^2/32) exp(-t) = exp(-(z - f)^2 / (2 s^2)), whatever f.  And t < 37^2 / 2, since x <= 36
 * and K <= s for s_max <= 2 s.
 *
 * Attempts.  An attempt succeeds with probability
 * (s_min / s) sum_z exp(-(z - f)^2 / (2 s^2)) / (2 K S),  S = sum_{x>=0} exp(-x^2/32) = 5.513.
 * The sum is sqrt(2 pi) s (1 + e), |e| <= 2 exp(-2 pi^2 s^2) by Poisson summation, so the
 * probability is sqrt(2 pi) s_min / (2 K S) within 2^-27.4 for s >= 1, 2^-255 for s >= 3: it tells
 * nothing about s, c or the result.  It is 0.909 s_min / s_max for large s, 0.23 for s = 1.
 *
 * Timing.  No branch and no address depends on a secret but the loop's end, that is on how many
 * attempts were made.  Arithmetic on doubles is add, subtract, multiply, compare and conversion to
 * and from integers, whose time on current x86-64 and AArch64 cores does not depend on normal
 * operands; there is no division, no square root and no call of libm.  What remains: subnormal
 * operands are slow on some cores, and occur only for a centre within 2^-511 of an integer; whether
 * the compiler keeps the comparison of doubles free of branches is up to it.
 *
 * Error.  Let D = |z - f|, A = D^2 / (2 s^2).
 * - D: f, 1 - 2 f and their sum are each right within 2^-54, the sum with z0 within 2^-53 D.
 *   A: twice that relatively, the square, 1 / (2 s^2) (two roundings) and the product 2^-53 each.
 *   The difference: 2^-53 |t|.  The truncation to multiples of 2^-52.  In all, for s >= 1,
 *   |dt| <= 9 * 2^-53 A + 2^-51: 2^-47.5 at three deviations from c, 2^-44.4 at 9.3 deviations,
 *   beyond which lies less than 2^-65 of the distribution.
 * - exp(-t): 2^-58; scale and trial: 2^-62; y: 2^-128; x: 2^-63, and x > 36 (2^-64) never occurs.
 * One sample's statistical distance from D_{Z, s, c} is below 2^-49 (the mean of A is 1/2).
 * The security of many samples depends on the sum over z of (p'(z) - p(z))^2 / p(z), p' being this
 * program's probabilities, which is additive in samples (Prest, ASIACRYPT 2017, section 3).  There
 * relative errors count squared: t gives 2^-99, exp 2^-109 as long as 4 K <= sqrt(2) s, as for all
 * the trapdoor's samples, and the base table's tail, where few bits are left, 2^-63.  So 2^50
 * samples, the credentials of 2^37 members, are together 2^-13 away.
 */
#include "sampler/sample_z.h"

#include "debug.h"
#include "random/bytes.h"
#include "random/secret.h"
#include "sampler/base.h"
#include "sampler/gauss.h"
#include "wide.h"

/* Eight for x and b, sixteen for y, eight for the trial (the top bit is not used). */
enum { ATTEMPT_BYTES = 32 };

void vldaa_sample_z_init_within(vldaa_sample_z *z, double s, double min, double max)
{
	double width = max / VLDAA_GAUSS_BASE;

	vldaa_debug_assert(min >= 1.0 && max <= 2.0 * min && max <= 0x1p46, "sample_z: range");
	z->s = s;
	z->inv_2s2 = 1.0 / (2.0 * s * s);
	z->width = (uint64_t)width;
	z->width += (double)z->width < width;
	z->keep = (uint64_t)(0x1p63 * (min / s));
}

void vldaa_sample_z_init(vldaa_sample_z *z, double s)
{
	vldaa_sample_z_init_within(z, s, s, s);
}

/* floor(u n / 2^128) for u = 2^64 high + low uniform in [0, 2^128): each of 0, ... n - 1 with
 * probability 1/n within 2^-128. */
static uint64_t below(uint64_t n, uint64_t low, uint64_t high)
{
	uint64_t carry = (uint64_t)((vldaa_u128)low * n >> 64);

	return (uint64_t)(((vldaa_u128)high * n + carry) >> 64);
}

int64_t vldaa_sample_z_draw(const vldaa_sample_z *z, double c, vldaa_rng *rng)
{
	/* Conversion truncates towards zero; |c| < 2^52. */
	int64_t floor_c = (int64_t)c;
	floor_c -= c < (double)floor_c;
	const double f = c - (double)floor_c;
	uint8_t bytes[ATTEMPT_BYTES];
	uint64_t b, z0, kept;

	do {
		vldaa_rng_bytes(rng, bytes, sizeof bytes);
		const uint64_t first = vldaa_load64(bytes);
		const uint64_t x = vldaa_base_from_word(first);
		const uint64_t y =
		    below(z->width, vldaa_load64(bytes + 8), vldaa_load64(bytes + 16));
		const uint64_t trial = vldaa_load64(bytes + 24) & (UINT64_MAX >> 1);

		b = first >> 63;
		z0 = z->width * x + y;
		/* |z - f| is z0 + f for b = 0, z0 + 1 - f for b = 1. */
		const double distance =
		    (double)(int64_t)z0 + (f + (double)(int64_t)b * (1.0 - 2.0 * f));
		const double t =
		    distance * distance * z->inv_2s2 - (double)(int64_t)(x * x) * (1.0 / 32.0);
		const int64_t fixed = (int64_t)(t * 0x1p52);
		/* Rounding may have made a t of 0 negative. */
		const uint64_t exponent = (uint64_t)fixed & (((uint64_t)fixed >> 63) - 1);
		const uint64_t accept =
		    (uint64_t)((vldaa_u128)vldaa_exp_neg(exponent) * z->keep >> 63);

		kept = trial < accept;
		vldaa_secret_declassify(&kept, sizeof kept,
					"attempts are independent of the value and of s, c");
	} while (!kept);
	vldaa_wipe(bytes, sizeof bytes);

	const uint64_t sign = b - 1; /* b = 0: all ones, so that (v ^ sign) - sign is -v */
	return floor_c + (int64_t)(b + ((z0 ^ sign) - sign));
}
