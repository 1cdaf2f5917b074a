/*
 * Promises: v_1 + h v_2 = c modulo p always, by FLINT; preimages are short enough to be given out;
 * on its coset, (v_1, v_2) is spherical of deviation sigma about zero: its squared norm, every
 * coordinate, the frame of directions that the secret key determines, and the shape of the
 * distribution; on a tiny coset every point has exactly its weight; how much of the stream is read
 * depends on the ring alone; a key outside the range is refused; preimages are known answers.
 *
 * Seeds are fixed.  Bounds are six deviations of the statistic.  VLDAA_LONG_STATISTICS=1: 40 times
 * as many draws, for errors six times as small.
 */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/sampling.h"
#include "ntru_common.h"
#include "vldaa/ntru.h"
#include "sampler/fft.h"
#include "sampler/ntru_preimage.h"
#include "vldaa/error.h"

enum { MAX_N = VLDAA_MAX_DEGREE, P = 12289, DRAWS = 150, LONG_FACTOR = 40, SIGMAS = 6 };

static vldaa_ntru_key key;
static int64_t h[MAX_N], c[MAX_N], v1[MAX_N], v2[MAX_N];

static size_t draws(size_t n)
{
	const char *long_run = getenv("VLDAA_LONG_STATISTICS");

	return long_run != NULL && strcmp(long_run, "1") == 0 ? n * LONG_FACTOR : n;
}

/* --- A sampler --- */

typedef struct {
	const vldaa_ntru_set *set;
	vldaa_ntru_preimage *tree;
	void *scratch;
	vldaa_rng rng;
} sampler;

static void sampler_init(sampler *s, const vldaa_ntru_set *set)
{
	s->set = set;
	s->tree = malloc(vldaa_ntru_preimage_size());
	s->scratch = malloc(vldaa_ntru_preimage_scratch());
	ck_assert_ptr_nonnull(s->tree);
	ck_assert_ptr_nonnull(s->scratch);
	ck_assert_int_eq(vldaa_ntru_preimage_init(s->tree, set, &key, h), VLDAA_OK);
}

static void sampler_of(sampler *s, const vldaa_ntru_set *set, uint8_t seed)
{
	ntru_key_of(set, seed, &key, h);
	sampler_init(s, set);
	s->rng = ntru_rng((uint8_t)(seed + 100));
}

static void sampler_clear(sampler *s)
{
	free(s->tree);
	free(s->scratch);
}

static void draw(sampler *s)
{
	vldaa_ntru_preimage_draw(s->tree, v1, v2, c, s->scratch, &s->rng);
}

static void uniform_target(sampler *s)
{
	for (size_t j = 0; j < s->set->ring.d; j++)
		c[j] = (int64_t)(vldaa_rng_u64(&s->rng) % P) - P / 2;
}

static double norm2(const vldaa_ntru_set *set)
{
	return (double)(vldaa_poly_norm2(&set->ring, v1) + vldaa_poly_norm2(&set->ring, v2));
}

/* --- The equation --- */

static int on_the_coset(size_t n)
{
	fmpz_poly_t a, b;
	fmpz_t x;
	int wrong = 0;

	fmpz_poly_init(a);
	fmpz_poly_init(b);
	fmpz_init(x);
	ntru_poly_set(a, h, n);
	ntru_poly_set(b, v2, n);
	ntru_poly_mul(a, a, b, n);
	for (size_t j = 0; j < n; j++) {
		fmpz_poly_get_coeff_fmpz(x, a, (slong)j);
		fmpz_add_si(x, x, v1[j] - c[j]);
		wrong += !fmpz_divisible_si(x, P);
	}
	fmpz_poly_clear(a);
	fmpz_poly_clear(b);
	fmpz_clear(x);
	return wrong == 0;
}

START_TEST(every_preimage_is_on_its_coset_and_short)
{
	const vldaa_ntru_set *set = ntru_sets[_i];
	const size_t n = set->ring.d;

	for (uint8_t seed = 0; seed < 4; seed++) {
		sampler s;

		sampler_of(&s, set, seed);
		for (int i = 0; i < 8; i++) {
			/* 0, the extremes, one coefficient, uniform. */
			uniform_target(&s);
			for (size_t j = 0; i < 4 && j < n; j++)
				c[j] = i == 0   ? 0
				       : i == 1 ? P / 2
				       : i == 2 ? -(P / 2)
						: (j == n - 1);
			draw(&s);
			ck_assert(on_the_coset(n));
			ck_assert_double_le(norm2(set), (double)set->accepted2);
			for (size_t j = 0; j < n; j++) {
				ck_assert_int_le(llabs(v1[j]), P / 2);
				ck_assert_int_le(llabs(v2[j]), P / 2);
			}
		}
		sampler_clear(&s);
	}
}
END_TEST

/* --- Spherical --- */

START_TEST(squared_norms_are_those_of_a_spherical_gaussian)
{
	const vldaa_ntru_set *set = ntru_sets[_i];
	const size_t count = draws(DRAWS);
	const double dimension = 2.0 * set->ring.d;
	const double unit = set->sigma * set->sigma * dimension;
	double sum = 0.0, squares = 0.0;
	sampler s;

	sampler_of(&s, set, 5);
	for (size_t i = 0; i < count; i++) {
		uniform_target(&s);
		draw(&s);
		const double x = norm2(set) / unit - 1.0;

		/* beta - 37 is 4.2 deviations of the norm away, beta - 51 six. */
		ck_assert_double_le(norm2(set), (double)set->accepted2);
		sum += x;
		squares += x * x;
	}
	/* ||v||^2 / sigma^2 is chi-square: of variance twice the dimension. */
	ck_assert_double_le(fabs(sum / (double)count),
			    SIGMAS * sqrt(2.0 / dimension / (double)count));
	ck_assert_double_le(fabs(squares / (double)count * dimension / 2.0 - 1.0),
			    SIGMAS * sqrt(2.0 / (double)count));
	sampler_clear(&s);
}
END_TEST

/* The sum of n squares of standard normal deviates, as one such deviate. */
static double chi_deviate(double sum, double n)
{
	return (cbrt(sum / n) - (1.0 - 2.0 / (9.0 * n))) / sqrt(2.0 / (9.0 * n));
}

START_TEST(coordinates_have_mean_zero_and_deviation_sigma_on_one_coset)
{
	/* One target again and again, which an issuer never does. */
	static double sum[2 * MAX_N], squares[2 * MAX_N];
	const vldaa_ntru_set *set = ntru_sets[_i];
	const size_t n = set->ring.d, count = draws(DRAWS);
	double means = 0.0, variances = 0.0;
	sampler s;

	sampler_of(&s, set, 6);
	uniform_target(&s);
	memset(sum, 0, sizeof sum);
	memset(squares, 0, sizeof squares);
	for (size_t i = 0; i < count; i++) {
		draw(&s);
		for (size_t j = 0; j < 2 * n; j++) {
			const double x = (double)(j < n ? v1[j] : v2[j - n]) / set->sigma;

			sum[j] += x;
			squares[j] += x * x;
		}
	}
	for (size_t j = 0; j < 2 * n; j++) {
		const double mean = sum[j] / sqrt((double)count);
		const double variance =
		    (squares[j] / (double)count - 1.0) * sqrt((double)count / 2.0);

		ck_assert_double_le(fabs(mean), SIGMAS);
		/* A sum of squares has a longer tail to the right. */
		ck_assert_double_le(fabs(variance), SIGMAS + 1);
		means += mean * mean;
		variances += variance;
	}
	ck_assert_double_le(fabs(chi_deviate(means, 2.0 * (double)n)), SIGMAS);
	ck_assert_double_le(fabs(variances / sqrt(2.0 * (double)n)), SIGMAS);
	sampler_clear(&s);
}
END_TEST

START_TEST(coordinates_have_the_normal_shape)
{
	/* Cells of sigma / 4 between half-integers. */
	enum { CELLS = 40 };
	const vldaa_ntru_set *set = ntru_sets[_i];
	const size_t n = set->ring.d, count = draws(DRAWS);
	double observed[CELLS + 2] = {0}, expected[CELLS + 2], edge[CELLS + 1], before = 0.0;
	sampler s;

	for (int i = 0; i <= CELLS; i++)
		edge[i] = floor(set->sigma * (i - CELLS / 2) / 4.0) + 0.5;
	sampler_of(&s, set, 7);
	for (size_t i = 0; i < count; i++) {
		uniform_target(&s);
		draw(&s);
		for (size_t j = 0; j < 2 * n; j++) {
			const double x = (double)(j < n ? v1[j] : v2[j - n]);
			int cell = 0;

			while (cell <= CELLS && x > edge[cell])
				cell++;
			observed[cell] += 1.0;
		}
	}
	for (int i = 0; i < CELLS + 2; i++) {
		const double upto =
		    i <= CELLS ? 0.5 * erfc(-edge[i] / (set->sigma * sqrt(2.0))) : 1.0;

		expected[i] = (upto - before) * (double)(count * 2 * n);
		before = upto;
	}
	ck_assert_double_le(fabs(chi_square_deviate(observed, expected, CELLS + 2)), SIGMAS);
	sampler_clear(&s);
}
END_TEST

/*
 * The frame: at every root of X^N+1, the unit vectors (g, -f)^* / sqrt(D) and (f, g) / sqrt(D),
 * D = |f|^2 + |g|^2, are orthonormal; the first is the direction of b_0 there, the second of what
 * is left of b_1.  A spherical (v_1, v_2) has independent complex coordinates in them, of mean
 * square N sigma^2.  The roots are sorted by D, since a sampler with wrong leaves is as long as it
 * should be only in the mean over them, and summed up in groups.
 */
enum { GROUPS = 8 };

typedef struct {
	double d;
	size_t root;
} place;

static int by_d(const void *a, const void *b)
{
	const double x = ((const place *)a)->d, y = ((const place *)b)->d;

	return (x > y) - (x < y);
}

typedef struct {
	double f[MAX_N], g[MAX_N];
	place order[MAX_N / 2];
	double first[GROUPS], second[GROUPS]; /* mean squares, over N sigma^2 */
	double re[GROUPS], im[GROUPS];        /* of first conj(second) */
	double lag[2][2];                     /* neighbouring roots of one direction, re and im */
} frame;

static void transform(double *out, const int64_t *a, unsigned log_n)
{
	for (size_t j = 0; j < (size_t)1 << log_n; j++)
		out[j] = (double)a[j];
	vldaa_fft_forward(out, log_n);
}

static void frame_init(frame *w, unsigned log_n)
{
	const size_t half = ((size_t)1 << log_n) / 2;

	memset(w, 0, sizeof *w);
	transform(w->f, key.f, log_n);
	transform(w->g, key.g, log_n);
	for (size_t k = 0, i = half; k < half; k++, i++) {
		w->order[k].d =
		    w->f[k] * w->f[k] + w->f[i] * w->f[i] + w->g[k] * w->g[k] + w->g[i] * w->g[i];
		w->order[k].root = k;
	}
	qsort(w->order, half, sizeof *w->order, by_d);
}

static void frame_add(frame *w, const vldaa_ntru_set *set, double weight)
{
	static double a[MAX_N], b[MAX_N];
	const size_t half = set->ring.d / 2;
	const double unit = set->sigma * set->sigma * set->ring.d;
	double last[4] = {0};

	transform(a, v1, set->ring.log_d);
	transform(b, v2, set->ring.log_d);
	for (size_t rank = 0; rank < half; rank++) {
		const size_t k = w->order[rank].root, i = k + half, group = rank * GROUPS / half;
		const double *f = w->f, *g = w->g;
		const double scale = 1.0 / sqrt(w->order[rank].d * unit);
		/* v_1 g^* - v_2 f^*, and v_1 f + v_2 g. */
		const double x = scale * (a[k] * g[k] + a[i] * g[i] - b[k] * f[k] - b[i] * f[i]);
		const double y = scale * (a[i] * g[k] - a[k] * g[i] - b[i] * f[k] + b[k] * f[i]);
		const double u = scale * (a[k] * f[k] - a[i] * f[i] + b[k] * g[k] - b[i] * g[i]);
		const double v = scale * (a[k] * f[i] + a[i] * f[k] + b[k] * g[i] + b[i] * g[k]);

		w->first[group] += weight * (x * x + y * y);
		w->second[group] += weight * (u * u + v * v);
		w->re[group] += weight * (x * u + y * v);
		w->im[group] += weight * (y * u - x * v);
		w->lag[0][0] += weight * (x * last[0] + y * last[1]);
		w->lag[0][1] += weight * (y * last[0] - x * last[1]);
		w->lag[1][0] += weight * (u * last[2] + v * last[3]);
		w->lag[1][1] += weight * (v * last[2] - u * last[3]);
		last[0] = x;
		last[1] = y;
		last[2] = u;
		last[3] = v;
	}
}

START_TEST(the_secret_directions_are_not_to_be_seen)
{
	const vldaa_ntru_set *set = ntru_sets[_i];
	const size_t count = draws(DRAWS), half = set->ring.d / 2;
	const double terms = (double)(count * half / GROUPS);
	static frame w;
	sampler s;

	sampler_of(&s, set, 8);
	frame_init(&w, set->ring.log_d);
	/* Otherwise nothing would be tested: D differs by far more than what is found below. */
	ck_assert_double_ge(w.order[half - 1].d / w.order[0].d, 10.0);
	for (size_t i = 0; i < count; i++) {
		uniform_target(&s);
		draw(&s);
		frame_add(&w, set, 1.0 / terms);
	}
	/* |x|^2 is exponential: mean and deviation 1.  A product of two has deviation 1/sqrt(2)
	 * in either part. */
	for (int group = 0; group < GROUPS; group++) {
		ck_assert_double_le(fabs(w.first[group] - 1.0), SIGMAS / sqrt(terms));
		ck_assert_double_le(fabs(w.second[group] - 1.0), SIGMAS / sqrt(terms));
		ck_assert_double_le(fabs(w.re[group]), SIGMAS / sqrt(2.0 * terms));
		ck_assert_double_le(fabs(w.im[group]), SIGMAS / sqrt(2.0 * terms));
	}
	for (int i = 0; i < 4; i++)
		ck_assert_double_le(fabs(w.lag[i / 2][i % 2]), SIGMAS * sqrt(GROUPS / 2.0 / terms));
	sampler_clear(&s);
}
END_TEST

/*
 * Along the Gram-Schmidt vectors themselves, from the basis X^i b_0, X^i b_1 in bit-reversed order
 * (the even halves before the odd ones, all the way down): every step of the recursion shows in a
 * direction of its own, with its own variance and its own centre.
 */
static size_t bit_reversed(size_t i, unsigned log_n)
{
	size_t out = 0;

	for (unsigned bit = 0; bit < log_n; bit++)
		out |= (i >> bit & 1) << (log_n - 1 - bit);
	return out;
}

/* rows[i] = X^brv(i) (left, right), in doubles. */
static void rotations(double *rows, const int64_t *left, const int64_t *right, unsigned log_n)
{
	const size_t n = (size_t)1 << log_n;

	for (size_t i = 0; i < n; i++) {
		const size_t shift = bit_reversed(i, log_n);

		for (size_t j = 0; j < n; j++) {
			const int wraps = j + shift >= n;
			const size_t at = (j + shift) % n;

			rows[i * 2 * n + at] = (double)(wraps ? -left[j] : left[j]);
			rows[i * 2 * n + n + at] = (double)(wraps ? right[j] : -right[j]);
		}
	}
}

/* N = 64, since Gram and Schmidt are slow.  The modulus is the same, and so is the quality. */
enum { SMALL = 64, SMALL_LOG = 6 };

/* A key for it: f, g are sums of eight samples of deviation 4.05, for 11.46 = 1.17 sqrt(p / 2N). */
static void small_key(vldaa_ntru_set *set, uint8_t number)
{
	vldaa_rng rng = ntru_rng(number);
	int64_t parts[2][8 * SMALL];

	*set = vldaa_ntru_512;
	set->ring.d = SMALL;
	set->ring.log_d = SMALL_LOG;
	set->fg_max = 100;
	set->FG_max = 400;
	for (;;) {
		vldaa_cdt_sample(parts[0], 8 * SMALL, &set->fg, &rng);
		vldaa_cdt_sample(parts[1], 8 * SMALL, &set->fg, &rng);
		memset(&key, 0, sizeof key);
		for (size_t j = 0; j < 8 * SMALL; j++) {
			key.f[j % SMALL] += parts[0][j];
			key.g[j % SMALL] += parts[1][j];
		}
		if (vldaa_ntru_quality(set, key.f, key.g) &&
		    vldaa_ntru_solve(key.F, key.G, key.f, key.g, SMALL_LOG, P) == VLDAA_OK &&
		    vldaa_ntru_complete(set, &key, h) == VLDAA_OK)
			return;
	}
}

static double inner(const double *a, const double *b, size_t n)
{
	double sum = 0.0;

	for (size_t j = 0; j < n; j++)
		sum += a[j] * b[j];
	return sum;
}

/* The basis of key, orthonormal. */
static void small_directions(double basis[2 * SMALL][2 * SMALL], const vldaa_ntru_set *set)
{
	rotations(basis[0], key.g, key.f, SMALL_LOG);
	rotations(basis[SMALL], key.G, key.F, SMALL_LOG);
	for (size_t i = 0; i < 2 * SMALL; i++) {
		for (size_t k = 0; k < i; k++) {
			const double part = inner(basis[i], basis[k], 2 * SMALL);

			for (size_t j = 0; j < 2 * SMALL; j++)
				basis[i][j] -= part * basis[k][j];
		}
		const double length = sqrt(inner(basis[i], basis[i], 2 * SMALL));

		/* That all leaves are in their range. */
		ck_assert_double_ge(set->sigma / length, set->leaf_min);
		ck_assert_double_le(set->sigma / length, set->leaf_max);
		for (size_t j = 0; j < 2 * SMALL; j++)
			basis[i][j] /= length;
	}
}

START_TEST(gram_schmidt_directions_have_variance_sigma2_and_no_correlation)
{
	static double basis[2 * SMALL][2 * SMALL], covariance[2 * SMALL][2 * SMALL];
	const size_t count = draws(2000), pairs = SMALL * (2 * SMALL - 1);
	double correlated = 0.0;
	vldaa_ntru_set set;
	sampler s;

	small_key(&set, (uint8_t)(60 + _i));
	small_directions(basis, &set);
	sampler_init(&s, &set);
	s.rng = ntru_rng((uint8_t)(70 + _i));
	memset(covariance, 0, sizeof covariance);
	for (size_t i = 0; i < count; i++) {
		double v[2 * SMALL], x[2 * SMALL];

		uniform_target(&s);
		draw(&s);
		for (size_t j = 0; j < 2 * SMALL; j++)
			v[j] = (double)(j < SMALL ? v1[j] : v2[j - SMALL]) / set.sigma;
		for (size_t k = 0; k < 2 * SMALL; k++)
			x[k] = inner(basis[k], v, 2 * SMALL);
		for (size_t k = 0; k < 2 * SMALL; k++)
			for (size_t j = 0; j <= k; j++)
				covariance[k][j] += x[k] * x[j];
	}
	for (size_t k = 0; k < 2 * SMALL; k++) {
		ck_assert_double_le(fabs(chi_deviate(covariance[k][k], (double)count)), SIGMAS);
		for (size_t j = 0; j < k; j++) {
			const double x = covariance[k][j] / sqrt((double)count);

			ck_assert_double_le(fabs(x), SIGMAS);
			correlated += x * x;
		}
	}
	ck_assert_double_le(fabs(chi_deviate(correlated, (double)pairs)), SIGMAS);
	sampler_clear(&s);
}
END_TEST

/* --- A tiny coset --- */

/*
 * N = 2, p = 401, f = 13 + 8 X, g = 10 - 8 X: D = 397, so the Gram-Schmidt norms are sqrt(397) and
 * 401 / sqrt(397).  sigma = 1.25 sqrt(397) is an eighth of p / 2, so v_2 determines v_1.
 */
enum { TINY_P = 401 };

static void tiny_set(vldaa_ntru_set *set)
{
	memset(set, 0, sizeof *set);
	set->ring = (vldaa_ring){.d = 2, .log_d = 1, .q = TINY_P, .q_bits = 9, .primes = 2};
	set->fg_max = 13;
	set->FG_max = 100;
	set->quality2 = 410;
	set->sigma = 1.25 * sqrt(397.0);
	set->leaf_min = 1.2;
	set->leaf_max = 1.3;
}

static double tiny_square(int64_t a)
{
	const int64_t r = ((a % TINY_P) + TINY_P) % TINY_P;
	const int64_t centred = r > TINY_P / 2 ? r - TINY_P : r;

	return (double)(centred * centred);
}

START_TEST(on_a_tiny_coset_every_point_has_its_weight)
{
	static const int64_t targets[3][2] = {{0, 0}, {57, -200}, {-1, 113}};
	static double observed[TINY_P][TINY_P], expected[TINY_P][TINY_P];
	const size_t count = draws(60000);
	double total = 0.0, rare_seen = 0.0, rare_due = 0.0, chi = 0.0, cells = 0.0;
	vldaa_ntru_set set;
	sampler s;

	tiny_set(&set);
	memset(&key, 0, sizeof key);
	key.f[0] = 13;
	key.f[1] = 8;
	key.g[0] = 10;
	key.g[1] = -8;
	ck_assert_int_eq(vldaa_ntru_solve(key.F, key.G, key.f, key.g, 1, TINY_P), VLDAA_OK);
	ck_assert_int_eq(vldaa_ntru_complete(&set, &key, h), VLDAA_OK);
	sampler_init(&s, &set);
	s.rng = ntru_rng((uint8_t)(90 + _i));
	memcpy(c, targets[_i], sizeof targets[_i]);

	memset(observed, 0, sizeof observed);
	for (int64_t x = -(TINY_P / 2); x <= TINY_P / 2; x++) {
		for (int64_t y = -(TINY_P / 2); y <= TINY_P / 2; y++) {
			/* v_1 = c - h (x + y X), X^2 = -1. */
			const double square = tiny_square(c[0] - h[0] * x + h[1] * y) +
					      tiny_square(c[1] - h[0] * y - h[1] * x) +
					      (double)(x * x + y * y);
			const double weight = exp(-square / (2.0 * set.sigma * set.sigma));

			expected[x + TINY_P / 2][y + TINY_P / 2] = weight;
			total += weight;
		}
	}
	for (size_t i = 0; i < count; i++) {
		draw(&s);
		observed[v2[0] + TINY_P / 2][v2[1] + TINY_P / 2] += 1.0;
	}
	for (size_t i = 0; i < TINY_P; i++) {
		for (size_t j = 0; j < TINY_P; j++) {
			const double due = expected[i][j] / total * (double)count;

			if (due < 20.0) {
				rare_seen += observed[i][j];
				rare_due += due;
			} else {
				chi += (observed[i][j] - due) * (observed[i][j] - due) / due;
				cells += 1.0;
			}
		}
	}
	ck_assert_double_ge(cells, 100.0);
	chi += (rare_seen - rare_due) * (rare_seen - rare_due) / rare_due;
	ck_assert_double_le(fabs(chi_deviate(chi, cells)), SIGMAS);
	sampler_clear(&s);
}
END_TEST

/* --- The rest --- */

START_TEST(how_much_of_the_stream_is_read_depends_on_the_ring_alone)
{
	/* Attempts of 32 bytes; each succeeds with probability sqrt(2 pi) leaf_min / (2 S),
	 * S = sum exp(-x^2 / 32), x >= 0 (sample_z.c). */
	const vldaa_ntru_set *set = ntru_sets[_i];
	const size_t count = draws(10);
	double base = 0.0;

	for (int x = 0; x < 60; x++)
		base += exp(-x * x / 32.0);
	const double success = sqrt(2.0 * acos(-1.0)) * set->leaf_min / (2.0 * base);
	const double samples = 2.0 * set->ring.d * (double)count;

	for (uint8_t seed = 0; seed < 4; seed++) {
		vldaa_rng reference;
		double words = 0.0;
		sampler s;

		sampler_of(&s, set, seed);
		memset(c, 0, sizeof c);
		if (seed % 2)
			uniform_target(&s);
		reference = s.rng;
		for (size_t i = 0; i < count; i++)
			draw(&s);
		const uint64_t next = vldaa_rng_u64(&s.rng);
		while (vldaa_rng_u64(&reference) != next)
			words += 1.0;
		/* Attempts of one sample are geometric. */
		ck_assert_double_le(fabs(words / 4.0 / samples * success - 1.0),
				    SIGMAS * sqrt((1.0 - success) / samples));
		sampler_clear(&s);
	}
}
END_TEST

static void expect_no_tree(const vldaa_ntru_set *set)
{
	const size_t size = vldaa_ntru_preimage_size();
	unsigned char *tree = malloc(size), all = 0;

	ck_assert_ptr_nonnull(tree);
	memset(tree, 0x55, size);
	ck_assert_int_eq(
	    vldaa_ntru_preimage_init((vldaa_ntru_preimage *)(void *)tree, set, &key, h),
	    VLDAA_ERR_KEY);
	for (size_t i = 0; i < size; i++)
		all |= tree[i];
	ck_assert_uint_eq(all, 0);
	free(tree);
}

START_TEST(deviations_out_of_range_are_refused)
{
	vldaa_ntru_set set = *ntru_sets[_i];

	/* Leaves come within 5 percent of both ends of the range. */
	ntru_key_of(&set, 9, &key, h);
	set.leaf_min *= 1.05;
	expect_no_tree(&set);
	set = *ntru_sets[_i];
	set.leaf_max /= 1.05;
	expect_no_tree(&set);
	set = *ntru_sets[_i];
	/* (f, g) longer than the bound allows. */
	for (size_t j = 0; j < set.ring.d; j++)
		key.f[j] *= 2;
	expect_no_tree(&set);
	memset(key.f, 0, sizeof key.f);
	memset(key.g, 0, sizeof key.g);
	expect_no_tree(&set);
}
END_TEST

/* Frozen: made by this program, the same with gcc 12 and clang 14, -O0 and -O3. */
START_TEST(preimages_are_known_answers)
{
	static const char *const expected[2] = {"d0a56ff5956fe9e0da37fcd0bbe54256",
						"e90e122fb40f61be3aa0d499e3d76802"};
	const vldaa_ntru_set *set = ntru_sets[_i];
	const size_t n = set->ring.d;
	static int64_t all[10 * 2 * MAX_N];
	char hex[33];
	sampler s;

	sampler_of(&s, set, 10);
	for (size_t i = 0; i < 10; i++) {
		uniform_target(&s);
		draw(&s);
		memcpy(all + 2 * i * n, v1, n * sizeof *v1);
		memcpy(all + (2 * i + 1) * n, v2, n * sizeof *v2);
	}
	digest_values(hex, all, 20 * n);
	ck_assert_str_eq(hex, expected[_i]);
	sampler_clear(&s);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("NTRU preimages");
	TCase *tc = tcase_create("NTRU preimages");
	SRunner *sr = srunner_create(s);

	tcase_set_timeout(tc, 600);
	tcase_add_loop_test(tc, every_preimage_is_on_its_coset_and_short, 0, 2);
	tcase_add_loop_test(tc, squared_norms_are_those_of_a_spherical_gaussian, 0, 2);
	tcase_add_loop_test(tc, coordinates_have_mean_zero_and_deviation_sigma_on_one_coset, 0, 2);
	tcase_add_loop_test(tc, coordinates_have_the_normal_shape, 0, 2);
	tcase_add_loop_test(tc, the_secret_directions_are_not_to_be_seen, 0, 2);
	tcase_add_loop_test(tc, gram_schmidt_directions_have_variance_sigma2_and_no_correlation, 0,
			    2);
	tcase_add_loop_test(tc, on_a_tiny_coset_every_point_has_its_weight, 0, 3);
	tcase_add_loop_test(tc, how_much_of_the_stream_is_read_depends_on_the_ring_alone, 0, 2);
	tcase_add_loop_test(tc, deviations_out_of_range_are_refused, 0, 2);
	tcase_add_loop_test(tc, preimages_are_known_answers, 0, 2);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
