/*
 * Promises: responses of the one-shot proof say nothing about the witness.  Two members' responses,
 * block by block, cannot be told apart by who knows one of the two witnesses, and all of them have
 * the masks' distribution; those of the one-time randomness, too, but for the sign that may leak.
 *
 * What shows a secret v most is a response's component along it, p = <z, v> / (||v|| xi), with
 * v = c w1 (a block), Rm W S (z3) or c w2 (z2): standard normal when z is independent of v, of mean
 * ||v|| / xi when nothing is rejected.  (z2, whose sign may leak: the same given p >= 0.)
 *
 * The statement is small, so that proofs are quick, and its masks are narrower than a set's against
 * what they hide, so that rejecting nothing shows after a few hundred proofs; the last test makes
 * sure of that.  Rejection itself needs no more than exp(t) <= M nearly always.
 *
 * VLDAA_LONG_STATISTICS=1: 10,000 proofs of each member.
 */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../support/oneshot_inside.h"
#include "sampler/reject.h"
#include "sampler/uniform.h"
#include "sampling.h"
#include "vldaa/error.h"

/* s, e and theta of a Join in R itself: e = u - d s + p k, ||s||^2 <= 200, ||e||^2 <= 180. */
enum {
	D = VLDAA_OS_D,
	M1 = 3,
	N = 2,
	M2 = 12,
	P = 12289,
	BLOCKS = 3,
	ROWS = BLOCKS + 1,
	BINS = 40
};
enum { S_BOUND = 200, E_BOUND = 180 };

static int keep_all;

int __real_vldaa_reject_keep_m(int64_t t, int64_t log_m, vldaa_rng *rng);
int __wrap_vldaa_reject_keep_m(int64_t t, int64_t log_m, vldaa_rng *rng);
int __wrap_vldaa_reject_keep_m(int64_t t, int64_t log_m, vldaa_rng *rng)
{
	return __real_vldaa_reject_keep_m(t, log_m, rng) | keep_all;
}

static int many(void)
{
	const char *value = getenv("VLDAA_LONG_STATISTICS");

	return value && strcmp(value, "1") == 0;
}

/* --- a small statement -------------------------------------------------------------------------
 */

typedef struct {
	int64_t w1[M1 * D];
	int64_t weighted[(M1 + 1) * D];
	vldaa_os_statement st;
	vldaa_os_term terms[2];
	int64_t constant[D];
} member;

static struct {
	vldaa_os_set set;
	vldaa_os_statement_set numbers;
	uint32_t d_hat[VLDAA_MAX_PRIMES * D], inverse_hat[VLDAA_MAX_PRIMES * D];
	int64_t d[D];
	member members[2];
	void *workspace;
	vldaa_rng rng;
} t;

/* Deviation 4 width; squared norms of n coefficients up to (1 + 4/sqrt(n))^2 n xi^2, as in the
 * sets. */
static vldaa_os_block block(uint32_t elements, double xi, uint32_t rice)
{
	const double n = elements * (double)D;
	vldaa_os_block b = {.elements = elements, .rice = rice, .width = (uint64_t)(xi / 4)};

	b.bound2_low = (uint64_t)(pow(1 + 4 / sqrt(n), 2) * n * xi * xi);
	b.max = (uint64_t)sqrt((double)b.bound2_low);
	return b;
}

/* The sets' formulas (scheme documentation, "Conditions"), masks narrower by these factors. */
static void small_numbers(double narrower_1, double narrower_3)
{
	const double eta = VLDAA_OS_ETA;
	const double bounds[BLOCKS] = {sqrt(S_BOUND), sqrt(E_BOUND), 2};
	const double ws = sqrt(29 * 29 * (S_BOUND + E_BOUND + 16.0) + 200 * 200);
	const double s2 = 1.3 * eta * sqrt(D * M2 * 0.7);
	vldaa_os_statement_set *s = &t.numbers;

	t.set = vldaa_os_44;
	t.set.n = N;
	t.set.m2 = M2;
	t.set.max_m1 = M1;
	t.set.randomness_bound2 = (uint64_t)(D * M2 * 0.7);
	/* e, as M1: the longest v is much shorter than what M3 provides for */
	t.set.log_m3 = INT64_C(1) << 52;
	*s = (vldaa_os_statement_set){
	    .m1 = M1, .blocks = BLOCKS, .relations = 3, .derived = 1, .weighted = 1};
	for (size_t i = 0; i < BLOCKS; i++)
		s->block[i] = block(1, 13.4 * eta * bounds[i] * sqrt(M1) / narrower_1, 12);
	s->relation[0] =
	    (vldaa_os_relation){.first = 0, .count = 1, .digits = 2, .bits = 8, .bound = S_BOUND};
	s->relation[1] = (vldaa_os_relation){
	    .first = 1, .count = 1, .digits = 2, .digit = 8, .bits = 8, .bound = E_BOUND};
	s->relation[2] = (vldaa_os_relation){.first = 2, .count = 1, .binary = 1};
	s->form[0] = 0;
	s->weight[0] = 1;
	s->z2 = block(M2 - N, s2, 11);
	s->z3 = block(4, 6.7 * sqrt(337) * ws / narrower_3, 15);
	s->max_bytes = 1 << 16;
	s->identity_high = 1;
}

static void constant_hat(uint32_t *hat, int64_t k)
{
	const int64_t poly[D] = {k};

	vldaa_hat_from_poly(&t.set.ring, hat, poly);
}

/* p^-1 modulo q. */
static int64_t inverse_p(void)
{
	const int64_t q = t.set.ring.q;

	/* (1 + j q) / p for the j that makes it whole */
	for (int64_t j = 1; j < P; j++) {
		if ((1 + (vldaa_i128)j * q) % P == 0)
			return planted_centred((int64_t)((1 + (vldaa_i128)j * q) / P), q);
	}
	ck_abort_msg("q is a multiple of p");
	return 0;
}

static void make_member(member *m)
{
	const vldaa_ring *r = &t.set.ring;
	const int64_t ip = inverse_p();
	int64_t *s = m->w1, *e = m->w1 + D, *theta = m->w1 + 2 * D;
	int64_t product[D], k[D];
	uint64_t rest;

	do {
		for (size_t i = 0; i < 2 * D; i++)
			m->w1[i] = (int64_t)(vldaa_rng_u64(&t.rng) % 5) - 2;
	} while (planted_norm2(s, D) > S_BOUND || planted_norm2(e, D) > E_BOUND);
	rest = (S_BOUND - planted_norm2(s, D)) | (E_BOUND - planted_norm2(e, D)) << 8;
	for (size_t i = 0; i < 16; i++)
		theta[i] = (int64_t)(rest >> i & 1);
	planted_times(D, product, t.d, s);
	for (size_t i = 0; i < D; i++) {
		const int64_t u = planted_centred(product[i] + e[i], P);

		k[i] = (product[i] + e[i] - u) / P;
		m->constant[i] = planted_centred((int64_t)(-(vldaa_i128)u * ip % r->q), r->q);
	}
	m->terms[0] = (vldaa_os_term){0, 0, t.d_hat};
	m->terms[1] = (vldaa_os_term){0, 1, t.inverse_hat};
	m->st = (vldaa_os_statement){.set = &t.set,
				     .numbers = &t.numbers,
				     .terms = m->terms,
				     .terms_len = 2,
				     .constants = m->constant};
	for (size_t i = 0; i < M1 * D; i++)
		m->weighted[i] = 29 * m->w1[i];
	memcpy(m->weighted + M1 * D, k, sizeof k);
}

static void set_up(double narrower_1, double narrower_3)
{
	const vldaa_ring *r = &t.set.ring;
	int64_t scaled[D];

	small_numbers(narrower_1, narrower_3);
	t.rng = numbered_rng(1);
	for (size_t i = 0; i < D; i++)
		t.d[i] = planted_centred((int64_t)(vldaa_rng_u64(&t.rng) >> 1), P);
	vldaa_poly_scale(r, scaled, inverse_p(), t.d);
	vldaa_hat_from_poly(r, t.d_hat, scaled);
	constant_hat(t.inverse_hat, inverse_p());
	make_member(&t.members[0]);
	make_member(&t.members[1]);
	t.workspace = planted_memory(vldaa_os_prover_size(&t.set, &t.numbers));
}

/* --- samples -----------------------------------------------------------------------------------
 */

/* Of one member's proofs, along the first member's secrets; the last row is z3, the others z1's. */
typedef struct {
	double n;
	double mean[ROWS];
	double along[ROWS][BINS];
	double each[ROWS][BINS]; /* of all coefficients / xi */
	double square[ROWS];     /* mean square of the coefficients / xi */
	double values[ROWS];
	double randomness[BINS]; /* of p for z2 along this proof's own c w2 */
	double randomness_mean;
} sample;

/* In fifths, from -4 to 4. */
static size_t bin_of(double x)
{
	return (size_t)fmin(fmax(floor(5 * x) + BINS / 2, 0), BINS - 1);
}

static double component(const int64_t *z, const int64_t *v, size_t n, double xi)
{
	double inner = 0;
	double length = 0;

	for (size_t i = 0; i < n; i++) {
		inner += (double)z[i] * (double)v[i];
		length += (double)v[i] * (double)v[i];
	}
	return inner / (sqrt(length) * xi);
}

static void add_row(sample *out, size_t row, const int64_t *z, const int64_t *v, size_t n,
		    uint64_t width)
{
	const double xi = 4 * (double)width;
	const double p = component(z, v, n, xi);

	out->mean[row] += p;
	out->along[row][bin_of(p)]++;
	for (size_t i = 0; i < n; i++) {
		const double x = (double)z[i] / xi;

		out->each[row][bin_of(x)]++;
		out->square[row] += x * x;
		out->values[row]++;
	}
}

static void add_proof(sample *out, const member *m)
{
	const vldaa_os_statement_set *s = &t.numbers;
	const prover_responses r = inside_responses(&m->st, t.workspace);
	const member *known = &t.members[0];
	oracle_challenges *x = oracle_challenge_new(&m->st);
	int64_t v[M2 * D], range[VLDAA_OS_ROWS] = {0};
	double p;

	for (size_t b = 0; b < BLOCKS; b++) {
		planted_times(D, v, r.c, known->w1 + b * D);
		add_row(out, b, r.z1 + b * D, v, D, s->block[b].width);
	}
	oracle_range_matrix(x, &m->st, r.d1);
	for (size_t i = 0; i < VLDAA_OS_ROWS; i++) {
		for (size_t k = 0; k < (M1 + 1) * D; k++)
			range[i] += x->rm[i * (M1 + 1) * D + k] * known->weighted[k];
	}
	oracle_challenge_free(x);
	add_row(out, BLOCKS, r.z3, range, VLDAA_OS_ROWS, s->z3.width);
	for (size_t i = 0; i < M2; i++)
		planted_times(D, v + i * D, r.c, r.w2 + i * D);
	p = component(r.z2, v, M2 * D, 4 * (double)s->z2.width);
	ck_assert_double_ge(p, 0);
	out->randomness[bin_of(p)]++;
	out->randomness_mean += p;
}

static void take(sample *out, member *m, int n)
{
	const vldaa_os_crs *crs = planted_crs(&t.set);
	uint8_t *bytes = planted_memory(t.numbers.max_bytes);

	memset(out, 0, sizeof *out);
	out->n = n;
	for (int i = 0; i < n; i++) {
		vldaa_writer w;

		vldaa_put_init(&w, bytes, t.numbers.max_bytes);
		ck_assert_int_eq(vldaa_os_prove(t.workspace, crs, &m->st, m->w1, &t.rng, &w),
				 VLDAA_OK);
		if (i % 64 == 0)
			ck_assert_int_eq(planted_verify(&m->st, (vldaa_bytes){bytes, w.len}),
					 VLDAA_OK);
		add_proof(out, m);
	}
	for (size_t row = 0; row < ROWS; row++) {
		out->mean[row] /= n;
		out->square[row] /= out->values[row];
	}
	out->randomness_mean /= n;
	free(bytes);
}

/* Two samples of one distribution? Chi-square as a normal deviate (sampling.h); bins expected to
 * have less than 10 of either are left out. */
static double two_samples(const double *a, const double *b)
{
	double of_a = 0, of_b = 0, sum = 0, freedom = -1;

	for (size_t i = 0; i < BINS; i++) {
		of_a += a[i];
		of_b += b[i];
	}
	for (size_t i = 0; i < BINS; i++) {
		const double due_a = (a[i] + b[i]) * of_a / (of_a + of_b);
		const double due_b = (a[i] + b[i]) * of_b / (of_a + of_b);

		if (due_a < 10 || due_b < 10)
			continue;
		freedom++;
		sum += (a[i] - due_a) * (a[i] - due_a) / due_a;
		sum += (b[i] - due_b) * (b[i] - due_b) / due_b;
	}
	const double spread = 2 / (9 * freedom);
	return (cbrt(sum / freedom) - (1 - spread)) / sqrt(spread);
}

static double difference(const sample *a, const sample *b, size_t row)
{
	return (a->mean[row] - b->mean[row]) / sqrt(1 / a->n + 1 / b->n);
}

/* Standard normal given p >= 0, in the bins of bin_of. */
static double half_normal(const sample *a)
{
	double due[BINS] = {0};

	for (size_t i = BINS / 2; i < BINS; i++) {
		const double low = ((double)i - BINS / 2) / 5;
		const double above = i == BINS - 1 ? 0 : erfc((low + 0.2) / sqrt(2));

		due[i] = a->n * (erfc(low / sqrt(2)) - above);
	}
	return chi_square_deviate(a->randomness + BINS / 2, due + BINS / 2, BINS / 2);
}

/* Mean and deviation of |x|, x standard normal. */
static double half_normal_mean(const sample *a)
{
	const double pi = acos(-1);

	return (a->randomness_mean - sqrt(2 / pi)) / sqrt((1 - 2 / pi) / a->n);
}

static sample both[2];

static void two_members(int n)
{
	for (size_t i = 0; i < 2; i++)
		take(&both[i], &t.members[i], n);
}

/* Enough for what the last test asserts. */
enum { FEW = 500, MANY = 10000 };

static void check_alike(int n)
{
	two_members(n);
	for (size_t row = 0; row < ROWS; row++) {
		if (many())
			printf("row %zu: means %+.4f %+.4f, deviates %+.2f %+.2f %+.2f\n", row,
			       both[0].mean[row], both[1].mean[row],
			       difference(&both[0], &both[1], row),
			       two_samples(both[0].along[row], both[1].along[row]),
			       two_samples(both[0].each[row], both[1].each[row]));
		ck_assert_double_lt(fabs(difference(&both[0], &both[1], row)), suspicious);
		ck_assert_double_lt(two_samples(both[0].along[row], both[1].along[row]),
				    suspicious);
		ck_assert_double_lt(two_samples(both[0].each[row], both[1].each[row]), suspicious);
		/* and it is the masks' own distribution, of variance xi^2, around 0 */
		for (size_t i = 0; i < 2; i++) {
			const double relative =
			    fabs(both[i].square[row] - 1) / sqrt(2 / both[i].values[row]);

			ck_assert_double_lt(fabs(both[i].mean[row]) * sqrt(both[i].n), suspicious);
			ck_assert_double_lt(relative, suspicious);
		}
	}
	for (size_t i = 0; i < 2; i++) {
		if (many())
			printf("z2: deviates %+.2f %+.2f\n", half_normal(&both[i]),
			       half_normal_mean(&both[i]));
		ck_assert_double_lt(half_normal(&both[i]), suspicious);
		ck_assert_double_lt(fabs(half_normal_mean(&both[i])), suspicious);
	}
}

/* How much narrower masks are than a set's: ||v|| / xi is about 0.2 in each row. */
static const double narrower_1 = 10, narrower_3 = 3;

START_TEST(responses_of_two_members_are_alike)
{
	set_up(narrower_1, narrower_3);
	check_alike(many() ? MANY : FEW);
}
END_TEST

START_TEST(responses_in_the_sets_own_widths_are_alike)
{
	set_up(1, 1);
	check_alike(many() ? MANY : FEW / 3);
}
END_TEST

START_TEST(without_rejection_they_would_not_be)
{
	double all = 0;

	set_up(narrower_1, narrower_3);
	keep_all = 1;
	two_members(FEW);
	/* Each row of who is known; and the two members apart in all rows together (two thetas have
	 * much in common). */
	for (size_t row = 0; row < ROWS; row++) {
		ck_assert_double_gt(both[0].mean[row] * sqrt(both[0].n), 0.6 * suspicious);
		all += difference(&both[0], &both[1], row) / sqrt(ROWS);
	}
	ck_assert_double_gt(all, 0.8 * suspicious);
	for (size_t i = 0; i < 2; i++)
		ck_assert_double_gt(half_normal_mean(&both[i]), suspicious);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("one-shot proof, simulator");
	TCase *tc = tcase_create("distribution");
	SRunner *sr = srunner_create(s);

	tcase_set_timeout(tc, many() ? 3600 : 120);
	tcase_add_test(tc, responses_of_two_members_are_alike);
	tcase_add_test(tc, responses_in_the_sets_own_widths_are_alike);
	tcase_add_test(tc, without_rejection_they_would_not_be);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
