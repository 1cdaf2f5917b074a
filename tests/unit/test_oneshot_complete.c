/*
 * Promises, for both statements of both sets with honest members: every proof verifies and is
 * within its largest size, which lies eight deviations above the mean; attempts are kept as often as the M of their rejection says (round 2:
 * 1/M3; responses: 1/M1, then 1/(2 M2), where a half is the sign that may leak); the same
 * randomness gives the same bytes as ever; a response that is given up leaves nothing in the output.
 *
 * VLDAA_LONG_STATISTICS=1 makes 1,000 proofs of each statement of VLDAA2-44 instead of 15, and 200
 * of VLDAA2-87 instead of 3.
 */
#include <check.h>
#include <math.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

#include "../support/planted.h"
#include "sampler/reject.h"
#include "sampling.h"
#include "vldaa/error.h"

enum { CAP = 1 << 16, STATEMENTS = 4 };

static const struct {
	const vldaa_oneshot_set *set;
	enum statement_kind kind;
	int runs, long_runs;
	const char *sha256; /* of the first proof */
} statements[STATEMENTS] = {{&vldaa_oneshot_44, PLANTED_JOIN, 15, 1000,
			     "aaf7d1fe7e0e863e809c6c4b1767705e5e040c1023bd44fdbc9b5412e15dde7a"},
			    {&vldaa_oneshot_44, PLANTED_CREATE, 15, 1000,
			     "c708369993fa6048e67b8307596f60af9ade29b320f65ed1124f9b84af88f59a"},
			    {&vldaa_oneshot_87, PLANTED_JOIN, 3, 200,
			     "db1f9121fa370550a294f1c9177cc545edf7a3d543f45a6efa7c8eb95317323d"},
			    {&vldaa_oneshot_87, PLANTED_CREATE, 3, 200,
			     "27942d5dfff8453acbf275103f799efdc0be2b383ee40dee14cbd4d9a17713ee"}};

static int many(void)
{
	const char *value = getenv("VLDAA_LONG_STATISTICS");

	return value && strcmp(value, "1") == 0;
}

/* Decisions by their M: how many, and how many kept. */
static struct {
	const vldaa_os_set *set;
	int asked[3], kept[3];
	int other;
} seen;

int __real_vldaa_reject_keep_m(int64_t t, int64_t log_m, vldaa_rng *rng);
int __wrap_vldaa_reject_keep_m(int64_t t, int64_t log_m, vldaa_rng *rng);
int __wrap_vldaa_reject_keep_m(int64_t t, int64_t log_m, vldaa_rng *rng)
{
	const int64_t logs[3] = {seen.set->log_m1, seen.set->log_m2, seen.set->log_m3};
	const int kept = __real_vldaa_reject_keep_m(t, log_m, rng);
	int known = 0;

	for (size_t i = 0; i < 3; i++) {
		if (log_m == logs[i]) {
			seen.asked[i]++;
			seen.kept[i] += kept;
			known = 1;
		}
	}
	seen.other += !known;
	return kept;
}

/* `kept` of `asked` is what a probability gives: as a normal deviate. */
static double deviate(int kept, int asked, double probability)
{
	return (kept - asked * probability) / sqrt(asked * probability * (1 - probability));
}

/* M from its logarithm in units of 2^-52. */
static double factor(int64_t log_m)
{
	return exp(ldexp((double)log_m, -52));
}

START_TEST(every_honest_proof_verifies)
{
	const int runs = many() ? statements[_i].long_runs : statements[_i].runs;
	planted *p = NULL;
	void *workspace = NULL;
	uint8_t *out = planted_memory(CAP);
	const vldaa_os_set *set = statements[_i].set->proof;
	double sum = 0, sum2 = 0, room;

	seen.set = set;
	for (int run = 0; run < runs; run++) {
		const uint8_t seed[VLDAA_SEED_BYTES] = {(uint8_t)run, (uint8_t)(run >> 8), 'c'};
		vldaa_writer w;
		vldaa_rng rng;

		/* another member now and then */
		if (run % 5 == 0) {
			if (p)
				planted_free(p);
			p = planted_honest(statements[_i].set, statements[_i].kind,
					   (uint8_t)(run / 5));
		}
		if (!workspace)
			workspace = planted_memory(vldaa_os_prover_size(set, p->statement.numbers));
		vldaa_rng_init(&rng, seed, set->id);
		vldaa_put_init(&w, out, CAP);
		ck_assert_int_eq(
		    vldaa_os_prove(workspace, planted_crs(set), &p->statement, p->w1, &rng, &w),
		    VLDAA_OK);
		ck_assert_uint_le(w.len, p->statement.numbers->max_bytes);
		ck_assert_int_eq(planted_verify(&p->statement, (vldaa_bytes){out, w.len}),
				 VLDAA_OK);
		sum += (double)w.len;
		sum2 += (double)w.len * (double)w.len;
	}
	if (many()) {
		printf("statement %d: %.1f bytes, deviation %.1f, at most %u; kept", _i, sum / runs,
		       sqrt(sum2 / runs - sum / runs * sum / runs),
		       p->statement.numbers->max_bytes);
		for (size_t i = 0; i < 3; i++)
			printf(" %d of %d", seen.kept[i], seen.asked[i]);
		printf("\n");
	}
	ck_assert_int_eq(seen.other, 0);
	/* a deviation is 12 to 15 bytes in all four (1,000 and 600 proofs of each) */
	room = p->statement.numbers->max_bytes - sum / runs;
	ck_assert_double_gt(room, 8 * 12.0 - 5 * 15 / sqrt(runs));
	ck_assert_double_lt(room, 8 * 15.5 + 5 * 15 / sqrt(runs));
	/* a norm just over its bound, or a size, is one attempt in a hundred at most */
	ck_assert_int_ge(seen.kept[2], runs);
	ck_assert_int_le(seen.kept[2], runs + runs / 50 + 1);
	ck_assert_double_lt(fabs(deviate(seen.kept[2], seen.asked[2], 1 / factor(set->log_m3))),
			    suspicious);
	ck_assert_double_lt(fabs(deviate(seen.kept[0], seen.asked[0], 1 / factor(set->log_m1))),
			    suspicious);
	/* every response that the first rejection keeps comes to the second */
	ck_assert_int_eq(seen.asked[1], seen.kept[0]);
	ck_assert_double_lt(fabs(deviate(runs, seen.asked[1], 1 / (2 * factor(set->log_m2)))),
			    suspicious);
	planted_free(p);
	free(workspace);
	free(out);
}
END_TEST

START_TEST(the_same_randomness_gives_the_same_bytes)
{
	const uint8_t seed[VLDAA_SEED_BYTES] = {'k', 'a', 't'};
	planted *p = planted_honest(statements[_i].set, statements[_i].kind, 200);
	const vldaa_os_set *set = p->statement.set;
	void *workspace = planted_memory(vldaa_os_prover_size(set, p->statement.numbers));
	uint8_t *out = planted_memory(CAP);
	uint8_t digest[32];
	char hex[65];
	vldaa_writer w;
	vldaa_rng rng;

	seen.set = set;
	for (int again = 0; again < 2; again++) {
		vldaa_rng_init(&rng, seed, set->id);
		vldaa_put_init(&w, out, CAP);
		ck_assert_int_eq(
		    vldaa_os_prove(workspace, planted_crs(set), &p->statement, p->w1, &rng, &w),
		    VLDAA_OK);
		ck_assert(EVP_Digest(out, w.len, digest, NULL, EVP_sha256(), NULL));
		for (size_t i = 0; i < sizeof digest; i++)
			snprintf(hex + 2 * i, 3, "%02x", digest[i]);
		ck_assert_str_eq(hex, statements[_i].sha256);
	}
	free(workspace);
	free(out);
	planted_free(p);
}
END_TEST

START_TEST(a_response_that_is_given_up_leaves_nothing_behind)
{
	enum { RUNS = 10 };
	planted *p = planted_honest(&vldaa_oneshot_44, PLANTED_CREATE, 201);
	const vldaa_os_set *set = p->statement.set;
	void *workspace = planted_memory(vldaa_os_prover_size(set, p->statement.numbers));
	uint8_t *out = planted_memory(CAP);
	vldaa_os_statement_set tight = *p->statement.numbers;
	size_t longest = 0;

	seen.set = set;
	/* about the mean: every second response is too long, and longer than the one that is sent */
	tight.max_bytes -= 8 * 14;
	p->statement.numbers = &tight;
	for (uint8_t run = 0; run < RUNS; run++) {
		const uint8_t seed[VLDAA_SEED_BYTES] = {run, 'g'};
		vldaa_writer w;
		vldaa_rng rng;

		memset(out, 0, CAP);
		vldaa_rng_init(&rng, seed, set->id);
		vldaa_put_init(&w, out, CAP);
		ck_assert_int_eq(
		    vldaa_os_prove(workspace, planted_crs(set), &p->statement, p->w1, &rng, &w),
		    VLDAA_OK);
		longest = w.len > longest ? w.len : longest;
		for (size_t i = w.len; i < CAP; i++)
			ck_assert_uint_eq(out[i], 0);
	}
	ck_assert_uint_le(longest, tight.max_bytes);
	free(workspace);
	free(out);
	planted_free(p);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("one-shot proof, completeness");
	TCase *tc = tcase_create("honest");
	SRunner *sr = srunner_create(s);

	tcase_set_timeout(tc, many() ? 3600 : 120);
	tcase_add_loop_test(tc, every_honest_proof_verifies, 0, STATEMENTS);
	tcase_add_test(tc, a_response_that_is_given_up_leaves_nothing_behind);
	tcase_add_loop_test(tc, the_same_randomness_gives_the_same_bytes, 0, STATEMENTS);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
