/*
 * Promises: SampleG hits its coset and is spherical there; SamplePerturb has the covariance
 * gamma^2 I - alpha^2 [R; I][R; I]^T entry by entry; SampleGaussian satisfies A_i s = target
 * always, is within the norm bounds, and its covariance is gamma^2 I also along [R; I]; the tests
 * of that fail for a sampler without the perturbation or with a wrong sign in it; an R that is too
 * large is refused, exactly; TrapGen gives an acceptable ternary R; results are known answers.
 *
 * Products are checked by schoolbook multiplication.  Seeds are fixed; bounds are SIGMAS deviations
 * of the statistic.  VLDAA_LONG_STATISTICS=1: 30 times as many samples, and the published sets with
 * ordinary R.
 */
#include <check.h>
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sampler/trapdoor.h"
#include "sampler/uniform.h"
#include "vldaa/error.h"

enum { SIGMAS = 6, LONG_FACTOR = 30, MAX_D = VLDAA_MAX_DEGREE, TINY_D = 8 };

static const vldaa_published_set *const published[] = {&vldaa_published_42, &vldaa_published_128,
						       &vldaa_published_256};

static int long_run(void)
{
	const char *value = getenv("VLDAA_LONG_STATISTICS");

	return value != NULL && strcmp(value, "1") == 0;
}

static size_t draws(size_t n)
{
	return long_run() ? n * LONG_FACTOR : n;
}

static void seed_rng(vldaa_rng *rng, uint8_t seed)
{
	uint8_t bytes[VLDAA_SEED_BYTES] = {seed};

	vldaa_rng_init(rng, bytes, 0);
}

static void *allocate(size_t n, size_t size)
{
	void *p = calloc(n, size);

	ck_assert_ptr_nonnull(p);
	return p;
}

static int64_t modulo(int64_t a, int64_t q)
{
	int64_t r = a % q;

	return r > q / 2 ? r - q : r < -(q / 2) ? r + q : r;
}

/* out += sign a b modulo X^d+1 and q, by the definition; centred. */
static void add_product(const vldaa_ring *ring, int64_t *out, const int64_t *a, const int64_t *b,
			int sign)
{
	for (size_t i = 0; i < ring->d; i++) {
		int64_t x = sign * modulo(a[i], ring->q);

		for (size_t j = 0; x != 0 && j < ring->d; j++) {
			size_t k = (i + j) % ring->d;
			int64_t term = x * modulo(b[j], ring->q) % ring->q;

			out[k] = modulo(out[k] + (i + j < ring->d ? term : -term), ring->q);
		}
	}
}

static void uniform(const vldaa_ring *ring, int64_t *out, vldaa_rng *rng)
{
	for (size_t j = 0; j < ring->d; j++)
		out[j] = modulo((int64_t)(vldaa_rng_u64(rng) >> 2), ring->q);
}

/* --- A complete trapdoor ------------------------------------------------------------------------
 */

typedef struct {
	vldaa_published_set set;
	int64_t *R, *aprime, *b; /* 4, 2, 2 polynomials */
	uint32_t *R_hat, *aprime_hat;
	vldaa_perturb *perturb;
	void *scratch;
	int64_t tag[2];
	vldaa_rng rng;
} trapdoor;

/* R == NULL: from TrapGen. */
static void trapdoor_setup(trapdoor *t, const vldaa_published_set *set, const int64_t *R,
			   uint8_t seed)
{
	const vldaa_ring *ring = &set->ring;
	const size_t d = ring->d, len = vldaa_hat_len(ring);

	t->set = *set;
	t->R = allocate(4 * d, sizeof *t->R);
	t->aprime = allocate(2 * d, sizeof *t->aprime);
	t->b = allocate(2 * d, sizeof *t->b);
	t->R_hat = allocate(4 * len, sizeof *t->R_hat);
	t->aprime_hat = allocate(2 * len, sizeof *t->aprime_hat);
	t->perturb = allocate(1, vldaa_perturb_size(set));
	t->scratch = allocate(1, vldaa_sample_gaussian_scratch(set));
	seed_rng(&t->rng, seed);
	if (R != NULL)
		memcpy(t->R, R, 4 * d * sizeof *R);
	else
		ck_assert_int_eq(vldaa_trapdoor_generate(set, t->R, &t->rng), VLDAA_OK);
	ck_assert_int_eq(vldaa_perturb_init(t->perturb, set, t->R), VLDAA_OK);
	for (size_t i = 0; i < 4; i++)
		vldaa_hat_from_poly(ring, t->R_hat + i * len, t->R + i * d);
	for (size_t i = 0; i < 2; i++) {
		uniform(ring, t->aprime + i * d, &t->rng);
		vldaa_hat_from_poly(ring, t->aprime_hat + i * len, t->aprime + i * d);
	}
	for (size_t col = 0; col < 2; col++)
		for (size_t row = 0; row < 2; row++)
			add_product(ring, t->b + col * d, t->aprime + row * d,
				    t->R + (2 * row + col) * d, -1);
	for (int i = 0; i < 2; i++)
		t->tag[i] = modulo((int64_t)(vldaa_rng_u64(&t->rng) >> 2), ring->q);
}

static void trapdoor_clear(trapdoor *t)
{
	free(t->R);
	free(t->aprime);
	free(t->b);
	free(t->R_hat);
	free(t->aprime_hat);
	free(t->perturb);
	free(t->scratch);
}

/* out = A_i s modulo q, A_i = [A' | B + i g], slowly. */
static void apply(const trapdoor *t, int64_t *out, const int64_t *s)
{
	const vldaa_ring *ring = &t->set.ring;
	const size_t d = ring->d;
	int64_t tag[MAX_D] = {0}, g_s[MAX_D];

	memset(out, 0, d * sizeof *out);
	for (size_t i = 0; i < 2; i++) {
		add_product(ring, out, t->aprime + i * d, s + i * d, 1);
		add_product(ring, out, t->b + i * d, s + (2 + i) * d, 1);
	}
	tag[0] = t->tag[0];
	tag[d / 2] = t->tag[1];
	for (size_t j = 0; j < d; j++)
		g_s[j] = modulo(s[2 * d + j] + (int64_t)t->set.delta * s[3 * d + j], ring->q);
	add_product(ring, out, tag, g_s, 1);
}

enum variant { HONEST, NO_PERTURBATION, WRONG_SIGN };

/*
 * SampleGaussian, or what a wrong one would give: p spherical of deviation gamma, or p of the
 * covariance with the sign of its blocks -alpha^2 R changed.  The syndrome needs no right value for
 * this purpose: for any p, v is uniform modulo q.
 */
static void draw(trapdoor *t, enum variant variant, int64_t *s)
{
	const vldaa_ring *ring = &t->set.ring;
	const size_t d = ring->d, len = vldaa_hat_len(ring);
	int64_t v[MAX_D];

	if (variant == HONEST) {
		uniform(ring, v, &t->rng);
		vldaa_sample_gaussian(&t->set, t->perturb, t->R_hat, t->aprime_hat, t->tag, v, s,
				      t->scratch, &t->rng);
		return;
	}

	int64_t *z = allocate(2 * d, sizeof *z);
	uint32_t *hat = allocate(2 * len, sizeof *hat);
	vldaa_sample_z spherical;

	vldaa_sample_z_init(&spherical, t->set.gamma);
	if (variant == NO_PERTURBATION)
		for (size_t j = 0; j < 4 * d; j++)
			s[j] = vldaa_sample_z_draw(&spherical, 0.0, &t->rng);
	else
		vldaa_perturb_draw(t->perturb, s, &t->rng);
	if (variant == WRONG_SIGN)
		for (size_t j = 0; j < 2 * d; j++)
			s[j] = -s[j];
	uniform(ring, v, &t->rng);
	vldaa_sample_g(&t->set, z, z + d, v, &t->rng);
	for (size_t row = 0; row < 2; row++) {
		vldaa_hat_zero(ring, hat);
		for (size_t col = 0; col < 2; col++) {
			vldaa_hat_from_poly(ring, hat + len, z + col * d);
			vldaa_hat_mul_add(ring, hat, t->R_hat + (2 * row + col) * len, hat + len);
		}
		vldaa_hat_to_integers(ring, v, hat);
		for (size_t j = 0; j < d; j++) {
			s[row * d + j] += v[j];
			s[(2 + row) * d + j] += z[row * d + j];
		}
	}
	free(z);
	free(hat);
}

/* --- Embeddings ---------------------------------------------------------------------------------
 */

typedef double _Complex number;

/* exp(i pi j / MAX_D). */
static number circle[2 * MAX_D];

static void make_circle(void)
{
	for (int j = 0; j < 2 * MAX_D; j++)
		circle[j] = cexp((number)_Complex_I * acos(-1.0) * j / MAX_D);
}

/* a at exp(i pi (2 k + 1) / d). */
static number embed(const int64_t *a, size_t d, size_t k)
{
	number sum = 0.0;

	for (size_t j = 0; j < d; j++)
		sum += (double)a[j] * circle[(2 * k + 1) * j * (MAX_D / d) % (2 * MAX_D)];
	return sum;
}

/*
 * The singular values of [R; I] at one embedding, squared, and the left singular vectors: for the
 * eigenvalue w of R^* R and its unit eigenvector y, w + 1 and (R y; y) / sqrt(w + 1).
 */
static void singular(double value2[2], number vector[2][4], const int64_t *R, size_t d, size_t k)
{
	number r[2][2];

	for (size_t i = 0; i < 4; i++)
		r[i / 2][i % 2] = embed(R + i * d, d, k);
	double a = pow(cabs(r[0][0]), 2) + pow(cabs(r[1][0]), 2);
	double e = pow(cabs(r[0][1]), 2) + pow(cabs(r[1][1]), 2);
	number b = conj(r[0][0]) * r[0][1] + conj(r[1][0]) * r[1][1];
	double root = sqrt(pow((a - e) / 2, 2) + pow(cabs(b), 2));

	for (int i = 0; i < 2; i++) {
		double w = (a + e) / 2 + (i == 0 ? root : -root);
		number y[2] = {b, w - a};

		if (cabs(b) < 1e-9 * (a + e)) { /* diagonal */
			int first = (i == 0) == (a >= e);
			y[0] = first;
			y[1] = !first;
		}
		double norm = sqrt(pow(cabs(y[0]), 2) + pow(cabs(y[1]), 2));
		norm *= sqrt(w + 1.0);
		value2[i] = w + 1.0;
		for (int row = 0; row < 2; row++) {
			vector[i][row] = (r[row][0] * y[0] + r[row][1] * y[1]) / norm;
			vector[i][2 + row] = y[row] / norm;
		}
	}
}

/* The square of s1([R; I]). */
static double largest(const int64_t *R, size_t d)
{
	double max = 0.0;

	for (size_t k = 0; k < d / 2; k++) {
		double value2[2];
		number vector[2][4];

		singular(value2, vector, R, d, k);
		max = fmax(max, value2[0]);
	}
	return max;
}

/* --- Tests --------------------------------------------------------------------------------------
 */

START_TEST(sample_g_is_a_spherical_gaussian_on_its_coset)
{
	vldaa_published_set narrow = *published[_i / 2];
	const vldaa_published_set *set = &narrow;
	const size_t d = set->ring.d, n = draws(100000 / d);
	/* Also with an alpha so small that a centre's error of one half shows. */
	narrow.alpha = _i % 2 == 0 ? narrow.alpha : 2.0 * sqrt((double)set->ring.q);
	const double total = (double)(n * d), scale = set->alpha * set->alpha;
	int64_t v[MAX_D], z0[MAX_D], z1[MAX_D];
	double moment[5] = {0};
	vldaa_rng rng;

	seed_rng(&rng, (uint8_t)_i);
	for (size_t i = 0; i < n; i++) {
		/* Uniform, or one coset all over: both must look alike. */
		uniform(&set->ring, v, &rng);
		for (size_t j = 0; i % 2 == 1 && j < d; j++)
			v[j] = set->ring.q / 3;
		vldaa_sample_g(set, z0, z1, v, &rng);
		for (size_t j = 0; j < d; j++) {
			double x = (double)z0[j], y = (double)z1[j];

			ck_assert_int_eq(
			    modulo(z0[j] + (int64_t)set->delta * z1[j] - v[j], set->ring.q), 0);
			moment[0] += x * x / scale;
			moment[1] += y * y / scale;
			moment[2] += x * y / scale;
			moment[3] += x / set->alpha;
			moment[4] += y / set->alpha;
		}
	}
	ck_assert_double_le(fabs(moment[0] / total - 1.0), SIGMAS * sqrt(2.0 / total));
	ck_assert_double_le(fabs(moment[1] / total - 1.0), SIGMAS * sqrt(2.0 / total));
	for (int i = 2; i < 5; i++)
		ck_assert_double_le(fabs(moment[i] / total), SIGMAS / sqrt(total));
}
END_TEST

START_TEST(preimages_satisfy_the_equation_and_the_bounds)
{
	const vldaa_published_set *set = published[_i];
	const size_t d = set->ring.d;
	/* The issuer redraws the few beyond it: 1 in 100 for VLDAA-42, none for the others. */
	const double bound2 = 1.21 * set->gamma * set->gamma * 2.0 * (double)d;
	int64_t *s = allocate(4 * d, sizeof *s);
	int64_t target[MAX_D], image[MAX_D];
	trapdoor t;

	trapdoor_setup(&t, set, NULL, 3);
	for (int i = 0; i < 6; i++) {
		uniform(&set->ring, target, &t.rng);
		if (i == 1)
			memset(target, 0, sizeof target);
		if (i >= 2) /* tags of every shape */
			t.tag[i % 2] = i < 4 ? 0 : -(set->ring.q / 2);
		if (t.tag[0] == 0 && t.tag[1] == 0)
			t.tag[0] = 1;
		vldaa_sample_gaussian(set, t.perturb, t.R_hat, t.aprime_hat, t.tag, target, s,
				      t.scratch, &t.rng);
		apply(&t, image, s);
		ck_assert_mem_eq(image, target, d * sizeof *target);
		for (size_t half = 0; half < 2; half++) {
			double norm2 = 0.0;

			for (size_t j = 0; j < 2 * d; j++)
				norm2 += pow((double)s[2 * d * half + j], 2);
			ck_assert_double_le(norm2, bound2);
			ck_assert_double_ge(norm2, bound2 / 2.0);
		}
	}
	trapdoor_clear(&t);
	free(s);
}
END_TEST

/* A small ring where gamma is as small as it may be: there the perturbation is far from spherical,
 * and the whole covariance matrix can be estimated. */
static void tiny_setup(trapdoor *t, int sparse)
{
	vldaa_published_set set = vldaa_published_128;
	int64_t R[4 * TINY_D] = {0};
	vldaa_rng rng;

	seed_rng(&rng, 50);
	if (sparse) {
		/* [1, X^2; 0, -X^5]: then alpha^2 is not small beside gamma^2 either. */
		R[0] = R[TINY_D + 2] = 1;
		R[3 * TINY_D + 5] = -1;
	} else {
		vldaa_ternary(R, 4 * TINY_D, &rng);
	}
	set.ring.d = TINY_D;
	set.ring.log_d = 3;
	set.gamma = set.alpha * sqrt(2.0001 * largest(R, TINY_D));
	trapdoor_setup(t, &set, R, 51);
}

/* The largest deviation, in standard errors, of an entry of the estimated covariance of n draws
 * from the expected one. */
static double covariance_excess(trapdoor *t, int perturbation_only, enum variant variant, size_t n,
				double expected[4 * TINY_D][4 * TINY_D])
{
	enum { N = 4 * TINY_D };
	static double sum[N][N];
	int64_t s[N];
	double worst = 0.0;

	memset(sum, 0, sizeof sum);
	for (size_t i = 0; i < n; i++) {
		if (perturbation_only)
			vldaa_perturb_draw(t->perturb, s, &t->rng);
		else
			draw(t, variant, s);
		for (int a = 0; a < N; a++)
			for (int b = 0; b <= a; b++)
				sum[a][b] += (double)s[a] * (double)s[b];
	}
	for (int a = 0; a < N; a++) {
		for (int b = 0; b <= a; b++) {
			/* Variance of x y for a Gaussian pair. */
			double error = sqrt(
			    (expected[a][a] * expected[b][b] + expected[a][b] * expected[a][b]) /
			    (double)n);

			worst = fmax(worst, fabs(sum[a][b] / (double)n - expected[a][b]) / error);
		}
	}
	return worst;
}

/* gamma^2 I, minus alpha^2 [R; I][R; I]^T if so wanted. */
static void expected_covariance(const trapdoor *t, int perturbation_only,
				double expected[4 * TINY_D][4 * TINY_D])
{
	enum { N = 4 * TINY_D, HALF = 2 * TINY_D };
	static double ri[N][HALF];

	memset(ri, 0, sizeof ri);
	for (int i = 0; i < HALF; i++) {
		ri[HALF + i][i] = 1.0;
		for (int j = 0; j < HALF; j++) {
			/* Entry (i, j) of R's blocks of multiplication matrices. */
			const int64_t *r =
			    t->R + (2 * (i / TINY_D) + j / TINY_D) * (ptrdiff_t)TINY_D;
			int k = i % TINY_D - j % TINY_D;

			ri[i][j] = (double)(k >= 0 ? r[k] : -r[k + TINY_D]);
		}
	}
	for (int a = 0; a < N; a++) {
		for (int b = 0; b < N; b++) {
			double product = 0.0;

			for (int j = 0; j < HALF; j++)
				product += ri[a][j] * ri[b][j];
			expected[a][b] = a == b ? t->set.gamma * t->set.gamma : 0.0;
			if (perturbation_only)
				expected[a][b] -= t->set.alpha * t->set.alpha * product;
		}
	}
}

START_TEST(perturbations_have_the_covariance)
{
	static double expected[4 * TINY_D][4 * TINY_D];
	trapdoor t;

	tiny_setup(&t, _i);
	expected_covariance(&t, 1, expected);
	ck_assert_double_le(covariance_excess(&t, 1, HONEST, draws(40000), expected), SIGMAS);
	trapdoor_clear(&t);
}
END_TEST

START_TEST(preimages_are_spherical_and_wrong_samplers_are_noticed)
{
	static double expected[4 * TINY_D][4 * TINY_D];
	trapdoor t;

	tiny_setup(&t, _i);
	expected_covariance(&t, 0, expected);
	ck_assert_double_le(covariance_excess(&t, 0, HONEST, draws(40000), expected), SIGMAS);
	ck_assert_double_ge(covariance_excess(&t, 0, NO_PERTURBATION, 40000, expected), 3 * SIGMAS);
	ck_assert_double_ge(covariance_excess(&t, 0, WRONG_SIGN, 80000, expected), 1.5 * SIGMAS);
	trapdoor_clear(&t);
}
END_TEST

/*
 * Projections of preimages on the singular vectors of [R; I].  At one embedding, x = <vector, s>
 * has E |x|^2 = d gamma^2 for spherical s, and |x|^2 / (d gamma^2) - 1 has mean 0 and variance 1
 * (exponential distribution). Without the perturbation the mean is (alpha / gamma)^2 value^2.
 * Returned: the sum over directions and draws, weighted with that mean, in its own standard
 * deviations.
 */
static double projection_excess(trapdoor *t, enum variant variant, size_t n)
{
	const size_t d = t->set.ring.d;
	int64_t *s = allocate(4 * d, sizeof *s);
	double(*value2)[2] = allocate(d / 2, sizeof *value2);
	number(*vector)[2][4] = allocate(d / 2, sizeof *vector);
	double sum = 0.0, squares = 0.0;

	for (size_t k = 0; k < d / 2; k++)
		singular(value2[k], vector[k], t->R, d, k);
	/* Only embeddings that matter: the direct evaluation is slow. */
	const double enough = largest(t->R, d) / 4.0;
	for (size_t i = 0; i < n; i++) {
		draw(t, variant, s);
		for (size_t k = 0; k < d / 2; k++) {
			number x[4];

			if (value2[k][0] < enough)
				continue;
			for (size_t row = 0; row < 4; row++)
				x[row] = embed(s + row * d, d, k);
			for (int v = 0; v < 2; v++) {
				number projection = 0.0;

				for (int row = 0; row < 4; row++)
					projection += conj(vector[k][v][row]) * x[row];
				double square = pow(cabs(projection) / t->set.gamma, 2);

				sum += value2[k][v] * (square / (double)d - 1.0);
				squares += value2[k][v] * value2[k][v];
			}
		}
	}
	free(s);
	free(value2);
	free(vector);
	return sum / sqrt(squares);
}

/* A ternary R that is nearly as large as init allows, along one embedding of R's first entry. */
static void large_R(const vldaa_published_set *set, int64_t *R, uint8_t seed)
{
	const size_t d = set->ring.d;
	const double limit = pow(set->gamma / set->alpha, 2) / 2.0;
	vldaa_rng rng;

	seed_rng(&rng, seed);
	vldaa_ternary(R, 4 * d, &rng);
	for (size_t j = 0; j < d && largest(R, d) < 0.8 * limit; j += d / 32)
		for (size_t i = j; i < j + d / 32; i++)
			R[i] = cos(acos(-1.0) * 11.0 * (double)i / (double)d) > 0.0 ? 1 : -1;
}

START_TEST(preimages_do_not_show_the_singular_vectors_of_a_large_R)
{
	const vldaa_published_set *set = published[_i];
	const size_t n = 200 + 4000 * 128 / set->ring.d;
	int64_t *R = allocate(4 * (size_t)set->ring.d, sizeof *R);
	trapdoor t;

	large_R(set, R, 60);
	trapdoor_setup(&t, set, R, 61);
	ck_assert_double_le(fabs(projection_excess(&t, HONEST, draws(n))), SIGMAS);
	ck_assert_double_ge(projection_excess(&t, NO_PERTURBATION, n), SIGMAS);
	trapdoor_clear(&t);
	free(R);
}
END_TEST

/* The same for an R as TrapGen makes it: more draws are needed, since gamma is wide. */
START_TEST(preimages_do_not_show_the_singular_vectors_of_an_ordinary_R)
{
	const vldaa_published_set *set = published[_i];
	trapdoor t;

	if (!long_run())
		return;
	trapdoor_setup(&t, set, NULL, 62);
	ck_assert_double_le(fabs(projection_excess(&t, HONEST, 20000)), SIGMAS);
	ck_assert_double_ge(projection_excess(&t, NO_PERTURBATION, 20000), SIGMAS);
	trapdoor_clear(&t);
}
END_TEST

START_TEST(an_R_beyond_the_margin_is_refused_exactly)
{
	vldaa_published_set set = *published[_i];
	const size_t d = set.ring.d, size = vldaa_perturb_size(&set);
	int64_t *R = allocate(4 * d, sizeof *R);
	uint8_t *perturb = allocate(1, size), *zero = allocate(1, size);
	vldaa_rng rng;

	seed_rng(&rng, 70);
	vldaa_ternary(R, 4 * d, &rng);
	const double threshold = set.alpha * sqrt(2.0 * largest(R, d));

	set.gamma = threshold * (1.0 + 1e-9);
	ck_assert_int_eq(vldaa_trapdoor_check(&set, R), VLDAA_OK);
	ck_assert_int_eq(vldaa_perturb_init((vldaa_perturb *)(void *)perturb, &set, R), VLDAA_OK);
	ck_assert_mem_ne(perturb, zero, size);
	set.gamma = threshold * (1.0 - 1e-9);
	ck_assert_int_eq(vldaa_trapdoor_check(&set, R), VLDAA_ERR_KEY);
	ck_assert_int_eq(vldaa_perturb_init((vldaa_perturb *)(void *)perturb, &set, R),
			 VLDAA_ERR_KEY);
	ck_assert_mem_eq(perturb, zero, size);
	/* The very largest R, by all its entries. */
	for (size_t j = 0; j < 4 * d; j++)
		R[j] = 1;
	ck_assert_int_eq(vldaa_trapdoor_check(published[_i], R), VLDAA_ERR_KEY);
	/* Smoothing: deviations below 8 are refused whatever R is. */
	memset(R, 0, 4 * d * sizeof *R);
	set.alpha = 1.0;
	set.gamma = 11.4;
	ck_assert_int_eq(vldaa_trapdoor_check(&set, R), VLDAA_OK);
	set.gamma = 11.3;
	ck_assert_int_eq(vldaa_trapdoor_check(&set, R), VLDAA_ERR_KEY);
	free(R);
	free(perturb);
	free(zero);
}
END_TEST

START_TEST(generated_trapdoors_are_ternary_and_acceptable)
{
	vldaa_published_set set = *published[_i];
	const size_t len = 4 * (size_t)set.ring.d;
	int64_t *R = allocate(len, sizeof *R), *zero = allocate(len, sizeof *zero);
	size_t count[3] = {0};
	vldaa_rng rng;

	seed_rng(&rng, 80);
	for (int i = 0; i < 20; i++) {
		ck_assert_int_eq(vldaa_trapdoor_generate(&set, R, &rng), VLDAA_OK);
		for (size_t j = 0; j < len; j++) {
			ck_assert(R[j] >= -1 && R[j] <= 1);
			count[R[j] + 1]++;
		}
	}
	for (int i = 0; i < 3; i++) {
		double n = 20.0 * (double)len;

		ck_assert_double_le(fabs((double)count[i] - n / 3.0), SIGMAS * sqrt(n * 2.0 / 9.0));
	}
	/* Most R are too large for this gamma, and those that come back are not; then all are. */
	seed_rng(&rng, 81);
	vldaa_ternary(R, len, &rng);
	set.gamma = set.alpha * sqrt(2.0 * largest(R, set.ring.d)) * 0.98;
	ck_assert_int_eq(vldaa_trapdoor_check(&set, R), VLDAA_ERR_KEY);
	seed_rng(&rng, 81);
	ck_assert_int_eq(vldaa_trapdoor_generate(&set, R, &rng), VLDAA_OK);
	ck_assert_int_eq(vldaa_trapdoor_check(&set, R), VLDAA_OK);
	set.gamma = 2.0 * set.alpha;
	ck_assert_int_eq(vldaa_trapdoor_generate(&set, R, &rng), VLDAA_ERR_ATTEMPTS);
	ck_assert_mem_eq(R, zero, len * sizeof *R);
	free(R);
	free(zero);
}
END_TEST

/* Frozen: SHAKE-256 of the preimages, little-endian; the same with gcc 12 and clang 14, -O0 and
 * -O3. */
START_TEST(preimages_are_known_answers)
{
	static const uint8_t expected[3][8] = {{0xcb, 0x0c, 0x2a, 0x3f, 0x68, 0x27, 0xf2, 0x01},
					       {0x9e, 0x15, 0x9e, 0x98, 0xb8, 0x5e, 0x85, 0xcb},
					       {0xe6, 0xdf, 0xba, 0xd2, 0xda, 0x79, 0x41, 0xd5}};
	const vldaa_published_set *set = published[_i];
	const size_t d = set->ring.d;
	int64_t *s = allocate(4 * d, sizeof *s);
	uint8_t digest[8];
	vldaa_shake shake;
	trapdoor t;

	trapdoor_setup(&t, set, NULL, 90);
	vldaa_shake_init(&shake, VLDAA_SHAKE256_RATE);
	for (int i = 0; i < 2; i++) {
		draw(&t, HONEST, s);
		for (size_t j = 0; j < 4 * d; j++) {
			uint8_t bytes[8];

			for (int k = 0; k < 8; k++)
				bytes[k] = (uint8_t)((uint64_t)s[j] >> (8 * k));
			vldaa_shake_absorb(&shake, bytes, sizeof bytes);
		}
	}
	vldaa_shake_squeeze(&shake, digest, sizeof digest);
	ck_assert_mem_eq(digest, expected[_i], sizeof digest);
	trapdoor_clear(&t);
	free(s);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("trapdoor");
	TCase *tc = tcase_create("trapdoor");
	SRunner *sr = srunner_create(s);

	make_circle();
	tcase_set_timeout(tc, 1800);
	tcase_add_loop_test(tc, sample_g_is_a_spherical_gaussian_on_its_coset, 0, 6);
	tcase_add_loop_test(tc, preimages_satisfy_the_equation_and_the_bounds, 0, 3);
	tcase_add_loop_test(tc, perturbations_have_the_covariance, 0, 2);
	tcase_add_loop_test(tc, preimages_are_spherical_and_wrong_samplers_are_noticed, 0, 2);
	tcase_add_loop_test(tc, preimages_do_not_show_the_singular_vectors_of_a_large_R, 0, 3);
	tcase_add_loop_test(tc, preimages_do_not_show_the_singular_vectors_of_an_ordinary_R, 0, 3);
	tcase_add_loop_test(tc, an_R_beyond_the_margin_is_refused_exactly, 0, 3);
	tcase_add_loop_test(tc, generated_trapdoors_are_ternary_and_acceptable, 0, 3);
	tcase_add_loop_test(tc, preimages_are_known_answers, 0, 3);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
