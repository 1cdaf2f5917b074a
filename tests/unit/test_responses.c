/*
 * Promises: responses that are put out, block by block in Join, Create and Sign, have the masks'
 * distribution whatever the secret: two members' cannot be told apart by who knows one's secret.
 * An attempt that is kept but takes too many bytes is replaced by another.
 *
 * What shows a secret s most is the response's component along c s, p = <z, c s> / (||c s|| xi):
 * standard normal when z is independent of s, of mean ||c s|| / xi when nothing is rejected.  In
 * VLDAA-42 that mean is about 0.01, as xi allows for the longest c s; this test narrows the masks
 * of the same code to where the mean would be above 0.1, so that a few thousand responses show it.
 * (Rejection needs no more than ||c s|| far below xi.)  The first test's copy without rejection, at
 * the end, shows that it would notice.  It also noticed, when tried by hand in the code: one block
 * left out of the decision, its sign turned round, a mask wider than the decision takes it to be.
 *
 * VLDAA_LONG_STATISTICS=1 takes twenty times as many, and Sign's in the set's own widths.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../support/oracle.h"
#include "proof/nym_sign.h"
#include "role/memory.h"
#include "sampler/reject.h"
#include "sampler/uniform.h"
#include "sampling.h"
#include "wire/pack.h"

enum operation { JOIN, CREATE_TPM, CREATE_HOST, SIGN };
enum { D = 128, BLOCKS = VLDAA_HOST_BLOCKS, BINS = 40 };

static int keep_all;

int __real_vldaa_reject_keep(int64_t t, vldaa_rng *rng);
int __wrap_vldaa_reject_keep(int64_t t, vldaa_rng *rng);
int __wrap_vldaa_reject_keep(int64_t t, vldaa_rng *rng)
{
	return __real_vldaa_reject_keep(t, rng) | keep_all;
}

/* A member: secrets as polynomials, in the order of each operation's responses, and its contexts.
 */
typedef struct {
	int64_t host[VLDAA_HOST_POLYS * D];
	int64_t tpm[VLDAA_TPM_POLYS * D];
	vldaa_blind_host blind_host;
	vldaa_blind_tpm blind_tpm;
	vldaa_knowledge knowledge;
} member;

/* Each test runs in its own process. */
static struct {
	vldaa_published_set set; /* VLDAA-42 with narrower masks */
	vldaa_public_keys keys;
	uint8_t rho[VLDAA_RHO_BYTES];
	uint8_t counter[VLDAA_SEED_BYTES];
	member members[2];
} t;

static const uint8_t key_id[VLDAA_KEY_ID_BYTES] = {3};
static const vldaa_bytes basename = {(const uint8_t *)"bay", 3};

static int many(void)
{
	const char *value = getenv("VLDAA_LONG_STATISTICS");

	return value && strcmp(value, "1") == 0;
}

static vldaa_rng next_rng(void)
{
	vldaa_rng rng;

	for (size_t i = 0; i < sizeof t.counter && ++t.counter[i] == 0; i++)
		;
	vldaa_rng_init(&rng, t.counter, t.set.id);
	return rng;
}

/* Memory for the layout functions, all of it zero. */
static vldaa_arena arena(void)
{
	vldaa_arena a;
	const size_t size = (size_t)4 << 20;

	vldaa_arena_init(&a, vldaa_memory_new(size), size);
	ck_assert_ptr_nonnull(a.base);
	return a;
}

static void make_group(void)
{
	uint8_t payload[VLDAA_RHO_BYTES + 2 * VLDAA_MAX_POLY_BYTES] = {0};
	vldaa_rng rng = next_rng();
	vldaa_arena a = arena();

	vldaa_rng_bytes(&rng, t.rho, sizeof t.rho);
	memcpy(payload, t.rho, sizeof t.rho);
	vldaa_public_keys_layout(&t.keys, &t.set.ring, &a);
	ck_assert_int_eq(vldaa_public_keys_init(&t.keys, &t.set, payload, key_id), VLDAA_OK);
}

static void make_member(member *m)
{
	const vldaa_ring *r = &t.set.ring;
	const size_t n = vldaa_hat_len(r);
	const int64_t tag[2] = {5, -6};
	uint8_t prf_key[32];
	vldaa_rng rng = next_rng();
	vldaa_arena a = arena();
	uint32_t s_hat[4 * VLDAA_MAX_PRIMES * D], e_hat[2 * VLDAA_MAX_PRIMES * D];
	int64_t *s = m->host + 9 * D, *e = m->host + 15 * D;

	vldaa_blind_host_layout(&m->blind_host, r, &a);
	vldaa_blind_tpm_layout(&m->blind_tpm, r, &a);
	vldaa_knowledge_layout(&m->knowledge, r, &a);
	/* A credential's lengths; that it satisfies no equation does not matter here. */
	vldaa_mask_sample(s, 4 * D, (uint64_t)(t.set.gamma / VLDAA_GAUSS_BASE), &rng);
	ck_assert_int_eq(vldaa_member_sample(&t.set, e, &rng), VLDAA_OK);
	for (size_t i = 0; i < 4; i++)
		vldaa_hat_from_poly(r, s_hat + i * n, s + i * D);
	for (size_t i = 0; i < 2; i++)
		vldaa_hat_from_poly(r, e_hat + i * n, e + i * D);
	ck_assert_int_eq(vldaa_blind_host_commit(&t.keys, &m->blind_host, tag, s_hat, e_hat, &rng),
			 VLDAA_OK);
	memcpy(m->host, m->blind_host.r, 9 * D * sizeof *m->host);
	memcpy(m->host + 13 * D, m->blind_host.s3, 2 * D * sizeof *m->host);

	vldaa_rng_bytes(&rng, prf_key, sizeof prf_key);
	ck_assert_int_eq(vldaa_member_sample(&t.set, m->blind_tpm.e, &rng), VLDAA_OK);
	ck_assert_int_eq(vldaa_blind_tpm_nym(&t.set, &m->blind_tpm, key_id, prf_key, basename),
			 VLDAA_OK);
	memcpy(m->tpm, m->blind_tpm.e, sizeof m->tpm);
}

static void narrow(vldaa_block *blocks, size_t count, uint64_t factor)
{
	for (size_t i = 0; i < count; i++)
		blocks[i].width /= factor;
}

static void setup_narrowed(uint64_t narrower)
{
	memset(&t, 0, sizeof t);
	t.set = vldaa_published_42;
	ck_assert_uint_eq(t.set.ring.d, D);
	narrow(t.set.host, VLDAA_HOST_BLOCKS, 2 * narrower);
	narrow(t.set.tpm, VLDAA_TPM_BLOCKS, narrower);
	narrow(t.set.sign, VLDAA_SIGN_BLOCKS, narrower);
	narrow(&t.set.join, 1, narrower);
	make_group();
	make_member(&t.members[0]);
	make_member(&t.members[1]);
}

/* --- one response of each operation: z and c~ --------------------------------------------------
 */

static const uint8_t zeroes[4096];

static const int64_t *respond_join(member *m, uint8_t *c_tilde)
{
	static uint8_t out[4096];
	vldaa_rng rng = next_rng();
	vldaa_writer w;

	vldaa_put_init(&w, out, sizeof out);
	ck_assert_int_eq(vldaa_knowledge_prove(&t.set, &m->knowledge, VLDAA_JOIN_TPM, key_id,
					       (vldaa_bytes){t.counter, sizeof t.counter},
					       t.keys.at1, m->tpm, &rng, &w),
			 VLDAA_OK);
	memcpy(c_tilde, out + vldaa_pack_uniform_size(&t.set.ring), t.set.challenge_bytes);
	return m->knowledge.z;
}

static const int64_t *respond_create_tpm(member *m, uint8_t *c_tilde)
{
	static uint8_t out[4096];
	const size_t call_len = VLDAA_COMMIT_DIGEST_BYTES + vldaa_pack_uniform_size(&t.set.ring);
	vldaa_rng rng = next_rng();
	vldaa_writer w;

	vldaa_put_init(&w, out, sizeof out);
	ck_assert_int_eq(vldaa_blind_tpm_reply(&t.set, &m->blind_tpm, key_id, t.rho, basename,
					       (vldaa_bytes){zeroes, call_len}, &rng, &w),
			 VLDAA_OK);
	memcpy(c_tilde, out, t.set.challenge_bytes);
	return m->blind_tpm.y;
}

/* Answers as a TPM whose challenges are random. */
static const int64_t *respond_create_host(member *m, uint8_t *c_tilde)
{
	static uint8_t reply[4096], out[1 << 15];
	vldaa_rng rng = next_rng();
	int kept = 0;

	for (int i = 0; i < VLDAA_MAX_ATTEMPTS && !kept; i++) {
		vldaa_writer w;
		vldaa_writer payload;

		vldaa_put_init(&w, NULL, 0);
		vldaa_blind_host_first(&t.keys, &m->blind_host, &rng, &w);
		vldaa_put_init(&w, reply, sizeof reply);
		vldaa_rng_bytes(&rng, c_tilde, t.set.challenge_bytes);
		vldaa_put_bytes(&w, c_tilde, t.set.challenge_bytes);
		vldaa_put_bytes(&w, zeroes,
				VLDAA_CREATE_NONCE_BYTES + vldaa_pack_uniform_size(&t.set.ring));
		for (size_t j = 0; j < VLDAA_TPM_BLOCKS; j++)
			ck_assert_int_eq(vldaa_fswa_put(&t.set.ring, &t.set.tpm[j], &w,
							(const int64_t *)(const void *)zeroes),
					 VLDAA_OK);
		vldaa_put_init(&payload, out, sizeof out);
		kept = vldaa_blind_host_respond(&t.keys, &m->blind_host,
						(vldaa_bytes){reply, w.len}, &rng, &payload);
		ck_assert_int_ge(kept, 0);
	}
	ck_assert_int_eq(kept, 1);
	return m->blind_host.y;
}

static const int64_t *respond_sign(member *m, uint8_t *c_tilde)
{
	static uint8_t out[4096];
	const vldaa_sign_subject about = {VLDAA_SIGN_MESSAGE, key_id, basename, zeroes};
	vldaa_rng rng = next_rng();
	vldaa_writer w;

	vldaa_put_init(&w, out, sizeof out);
	ck_assert_int_eq(vldaa_nym_sign(&t.set, &m->blind_tpm, &about, zeroes, &rng, &w), VLDAA_OK);
	memcpy(c_tilde, out, t.set.challenge_bytes);
	return m->blind_tpm.y;
}

/* --- statistics --------------------------------------------------------------------------------
 */

/* What an operation answers for. */
typedef struct {
	const int64_t *(*respond)(member *m, uint8_t *c_tilde);
	const vldaa_block *blocks;
	size_t count;
	const int64_t *secret; /* of the first member */
} subject;

static subject subject_of(enum operation operation)
{
	switch (operation) {
	case JOIN:
		return (subject){respond_join, &t.set.join, 1, t.members[0].tpm};
	case CREATE_TPM:
		return (subject){respond_create_tpm, t.set.tpm, VLDAA_TPM_BLOCKS, t.members[0].tpm};
	case CREATE_HOST:
		return (subject){respond_create_host, t.set.host, VLDAA_HOST_BLOCKS,
				 t.members[0].host};
	case SIGN:
		break;
	}
	return (subject){respond_sign, t.set.sign, VLDAA_SIGN_BLOCKS, t.members[0].tpm + D};
}

/* Of one member's responses; the last row is all blocks together. */
typedef struct {
	double n;
	double mean[BLOCKS + 1];        /* of p, along c times the first member's secret */
	double along[BLOCKS + 1][BINS]; /* histogram of p */
	double each[BLOCKS][BINS];      /* of all coefficients / xi */
	double square[BLOCKS];          /* mean square of the coefficients / xi */
} sample;

/* In fifths, from -4 to 4. */
static size_t bin_of(double x)
{
	return (size_t)fmin(fmax(floor(5 * x) + BINS / 2, 0), BINS - 1);
}

static void add_response(sample *out, const subject *s, const int64_t *z, const uint8_t *c_tilde)
{
	int64_t c[D];
	const int64_t *secret = s->secret;
	double all = 0;
	double all_length = 0;

	vldaa_challenge_vartime(&t.set.ring, c, t.set.kappa, t.set.rate, t.set.id, c_tilde,
				t.set.challenge_bytes);
	for (size_t b = 0; b < s->count; b++) {
		const double xi = 4 * (double)s->blocks[b].width;
		double inner = 0;
		double length = 0;

		for (size_t i = 0; i < s->blocks[b].polys; i++, z += D, secret += D) {
			int64_t v[D] = {0};

			oracle_challenge_times(&t.set.ring, v, c, secret);
			for (size_t j = 0; j < D; j++) {
				const double x = (double)z[j] / xi;
				const double y = (double)v[j] / xi;

				inner += x * y;
				length += y * y;
				out->each[b][bin_of(x)]++;
				out->square[b] += x * x;
			}
		}
		out->mean[b] += inner / sqrt(length);
		out->along[b][bin_of(inner / sqrt(length))]++;
		all += inner;
		all_length += length;
	}
	out->mean[s->count] += all / sqrt(all_length);
	out->along[s->count][bin_of(all / sqrt(all_length))]++;
}

static void take(sample *out, const subject *s, member *m, int n)
{
	memset(out, 0, sizeof *out);
	out->n = n;
	for (int i = 0; i < n; i++) {
		uint8_t c_tilde[VLDAA_MAX_CHALLENGE_BYTES];
		const int64_t *z = s->respond(m, c_tilde);

		add_response(out, s, z, c_tilde);
	}
	for (size_t b = 0; b <= s->count; b++)
		out->mean[b] /= n;
	for (size_t b = 0; b < s->count; b++)
		out->square[b] /= n * (double)D * s->blocks[b].polys;
}

/* Two samples of one distribution? Chi-square as a normal deviate (sampling.h); bins expected to
 * have less than 10 of either are left out. */
static double two_samples(const double *a, const double *b)
{
	double of_a = 0;
	double of_b = 0;
	double sum = 0;
	double freedom = -1;

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

/* Enough for 5 deviations in each block without rejection. */
static int responses(enum operation operation)
{
	static const int numbers[] = {
	    [JOIN] = 2000, [CREATE_TPM] = 3600, [CREATE_HOST] = 2800, [SIGN] = 4500};

	return numbers[operation] * (many() ? 20 : 1);
}

static void two_members(enum operation operation, int n, sample both[2])
{
	const subject s = subject_of(operation);

	for (int i = 0; i < 2; i++)
		take(&both[i], &s, &t.members[i], n);
}

static void check_alike(enum operation operation, int n)
{
	static sample both[2];
	const subject s = subject_of(operation);

	two_members(operation, n, both);
	for (size_t b = 0; b <= s.count; b++) {
		if (many())
			printf("operation %d, row %zu: means %+.4f %+.4f, deviates %+.2f %+.2f\n",
			       (int)operation, b, both[0].mean[b], both[1].mean[b],
			       difference(&both[0], &both[1], b),
			       two_samples(both[0].along[b], both[1].along[b]));
		ck_assert_double_lt(fabs(difference(&both[0], &both[1], b)), suspicious);
		ck_assert_double_lt(two_samples(both[0].along[b], both[1].along[b]), suspicious);
	}
	for (size_t b = 0; b < s.count; b++) {
		const double values = n * (double)D * s.blocks[b].polys;

		ck_assert_double_lt(two_samples(both[0].each[b], both[1].each[b]), suspicious);
		/* and it is the masks' own distribution, of variance xi^2 */
		for (int i = 0; i < 2; i++)
			ck_assert_double_lt(fabs(both[i].square[b] - 1) / sqrt(2 / values),
					    suspicious);
	}
}

START_TEST(responses_of_two_members_are_alike)
{
	setup_narrowed(16);
	check_alike((enum operation)_i, responses((enum operation)_i));
}
END_TEST

START_TEST(signatures_of_two_members_are_alike_in_the_sets_own_widths)
{
	setup_narrowed(1);
	check_alike(SIGN, many() ? 300000 : 1000);
}
END_TEST

START_TEST(without_rejection_they_would_not_be)
{
	static sample both[2];
	const enum operation operation = (enum operation)_i;

	setup_narrowed(16);
	keep_all = 1;
	two_members(operation, responses(operation), both);
	const size_t blocks = subject_of(operation).count;
	/* in every block alone, and all of them together */
	for (size_t b = 0; b <= blocks; b++)
		ck_assert_double_gt(difference(&both[0], &both[1], b), 0.8 * suspicious);
	ck_assert_double_gt(difference(&both[0], &both[1], blocks), 1.3 * suspicious);
}
END_TEST

static int compare_lengths(const void *a, const void *b)
{
	const size_t x = *(const size_t *)a;
	const size_t y = *(const size_t *)b;

	return (x > y) - (x < y);
}

/* The limit is set to the median, then every signature keeps to it. */
START_TEST(an_attempt_that_takes_too_many_bytes_is_replaced)
{
	enum { COUNT = 101 };
	size_t lengths[COUNT];
	uint8_t c_tilde[VLDAA_MAX_CHALLENGE_BYTES];
	vldaa_block *b;

	setup_narrowed(1);
	b = &t.set.sign[VLDAA_SIGN_E1];
	for (int limited = 0; limited < 2; limited++) {
		for (size_t i = 0; i < COUNT; i++) {
			const int64_t *z = respond_sign(&t.members[0], c_tilde);
			vldaa_writer w;

			vldaa_put_init(&w, NULL, 0);
			vldaa_rice_encode_vartime(&w, z, D, b->rice);
			lengths[i] = w.len;
		}
		qsort(lengths, COUNT, sizeof lengths[0], compare_lengths);
		if (!limited) {
			ck_assert_uint_gt(lengths[COUNT - 1], lengths[COUNT / 2]);
			b->max_bytes = (uint32_t)lengths[COUNT / 2];
		}
		ck_assert(!limited || lengths[COUNT - 1] <= b->max_bytes);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("responses");
	TCase *tc = tcase_create("distribution");
	SRunner *sr = srunner_create(s);

	tcase_set_timeout(tc, many() ? 3600 : 120);
	tcase_add_loop_test(tc, responses_of_two_members_are_alike, JOIN, SIGN + 1);
	tcase_add_test(tc, signatures_of_two_members_are_alike_in_the_sets_own_widths);
	tcase_add_loop_test(tc, without_rejection_they_would_not_be, JOIN, SIGN + 1);
	tcase_add_test(tc, an_attempt_that_takes_too_many_bytes_is_replaced);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
