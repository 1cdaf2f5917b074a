/*
 * Promises, for every published set: whatever an honest member makes is accepted; every role keeps
 * an attempt with probability 1/M, M = e^(1 + 1/288), in every operation, so that
 * VLDAA_ERR_ATTEMPTS does not happen; and when it does, nothing is put out.
 *
 * By default this is some thousands of runs over all sets, each a Create and its signatures;
 * VLDAA_LONG_STATISTICS=1 makes thousands of every set.
 *
 * Decisions are counted, and forced, where the linker lets the test in (--wrap).
 */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../support/sets.h"
#include "../support/world.h"
#include "proof/nym_sign.h"
#include "sampler/reject.h"
#include "scheme/published_set.h"

enum operation { JOIN, CREATE_TPM, CREATE_HOST, SIGN, OPERATIONS };
static const char *const names[OPERATIONS] = {"Join", "Create, TPM", "Create, host", "Sign"};

static struct {
	double decisions;
	double kept;
	double outputs;
	double longest; /* decisions within one operation */
	double here;
} count[OPERATIONS];
static enum operation running;
static int never_keep; /* bit i: operation i keeps nothing */

int __real_vldaa_reject_keep(int64_t t, vldaa_rng *rng);
int __wrap_vldaa_reject_keep(int64_t t, vldaa_rng *rng);
int __wrap_vldaa_reject_keep(int64_t t, vldaa_rng *rng)
{
	int keep = __real_vldaa_reject_keep(t, rng);

	if (never_keep >> running & 1)
		keep = 0;
	count[running].decisions++;
	count[running].kept += keep;
	count[running].here++;
	if (count[running].here > count[running].longest)
		count[running].longest = count[running].here;
	return keep;
}

static void begin(enum operation operation)
{
	running = operation;
	if (operation != CREATE_HOST) /* whose rounds are calls of their own */
		count[operation].here = 0;
}

static int end(int result, int output)
{
	if (result == output) {
		count[running].outputs++;
		count[running].here = 0;
	}
	return result;
}

int __real_vldaa_knowledge_prove(const vldaa_published_set *set, vldaa_knowledge *k,
				 enum vldaa_join_role role, const uint8_t *key_id, vldaa_bytes bind,
				 const uint32_t *a1_hat, const int64_t *x, vldaa_rng *rng,
				 vldaa_writer *out);
int __wrap_vldaa_knowledge_prove(const vldaa_published_set *set, vldaa_knowledge *k,
				 enum vldaa_join_role role, const uint8_t *key_id, vldaa_bytes bind,
				 const uint32_t *a1_hat, const int64_t *x, vldaa_rng *rng,
				 vldaa_writer *out);
int __wrap_vldaa_knowledge_prove(const vldaa_published_set *set, vldaa_knowledge *k,
				 enum vldaa_join_role role, const uint8_t *key_id, vldaa_bytes bind,
				 const uint32_t *a1_hat, const int64_t *x, vldaa_rng *rng,
				 vldaa_writer *out)
{
	begin(JOIN);
	return end(__real_vldaa_knowledge_prove(set, k, role, key_id, bind, a1_hat, x, rng, out),
		   VLDAA_OK);
}

int __real_vldaa_blind_tpm_reply(const vldaa_published_set *set, vldaa_blind_tpm *t,
				 const uint8_t *key_id, const uint8_t *rho, vldaa_bytes basename,
				 vldaa_bytes call, vldaa_rng *rng, vldaa_writer *reply);
int __wrap_vldaa_blind_tpm_reply(const vldaa_published_set *set, vldaa_blind_tpm *t,
				 const uint8_t *key_id, const uint8_t *rho, vldaa_bytes basename,
				 vldaa_bytes call, vldaa_rng *rng, vldaa_writer *reply);
int __wrap_vldaa_blind_tpm_reply(const vldaa_published_set *set, vldaa_blind_tpm *t,
				 const uint8_t *key_id, const uint8_t *rho, vldaa_bytes basename,
				 vldaa_bytes call, vldaa_rng *rng, vldaa_writer *reply)
{
	begin(CREATE_TPM);
	return end(__real_vldaa_blind_tpm_reply(set, t, key_id, rho, basename, call, rng, reply),
		   VLDAA_OK);
}

int __real_vldaa_blind_host_respond(const vldaa_public_keys *keys, vldaa_blind_host *h,
				    vldaa_bytes reply, vldaa_rng *rng, vldaa_writer *payload);
int __wrap_vldaa_blind_host_respond(const vldaa_public_keys *keys, vldaa_blind_host *h,
				    vldaa_bytes reply, vldaa_rng *rng, vldaa_writer *payload);
int __wrap_vldaa_blind_host_respond(const vldaa_public_keys *keys, vldaa_blind_host *h,
				    vldaa_bytes reply, vldaa_rng *rng, vldaa_writer *payload)
{
	begin(CREATE_HOST);
	return end(__real_vldaa_blind_host_respond(keys, h, reply, rng, payload), 1);
}

int __real_vldaa_nym_sign(const vldaa_published_set *set, vldaa_blind_tpm *t,
			  const vldaa_sign_subject *about, const uint8_t *message_digest,
			  vldaa_rng *rng, vldaa_writer *out);
int __wrap_vldaa_nym_sign(const vldaa_published_set *set, vldaa_blind_tpm *t,
			  const vldaa_sign_subject *about, const uint8_t *message_digest,
			  vldaa_rng *rng, vldaa_writer *out);
int __wrap_vldaa_nym_sign(const vldaa_published_set *set, vldaa_blind_tpm *t,
			  const vldaa_sign_subject *about, const uint8_t *message_digest,
			  vldaa_rng *rng, vldaa_writer *out)
{
	begin(SIGN);
	return end(__real_vldaa_nym_sign(set, t, about, message_digest, rng, out), VLDAA_OK);
}

/* --- honest members ----------------------------------------------------------------------------
 */

static int many(void)
{
	const char *value = getenv("VLDAA_LONG_STATISTICS");

	return value && strcmp(value, "1") == 0;
}

enum { SIGNATURES = 6 };

/* One Create under a new basename and a few signatures, all verified. */
static void use(world *w, car *c, unsigned number)
{
	uint8_t basename[VLDAA_MAX_BASENAME];
	const size_t len = 4 + number % (VLDAA_MAX_BASENAME - 3);
	vldaa_attestation *known = NULL;
	buffer att;

	memset(basename, (int)number, sizeof basename);
	memcpy(basename, &number, sizeof number);
	ck_assert_int_eq(car_try_create(c, basename, len, &att), VLDAA_OK);
	ck_assert_int_eq(vldaa_attestation_new(&known, w->verifier, att.data, att.len), VLDAA_OK);
	for (int i = 0; i < SIGNATURES; i++) {
		const enum vldaa_form form = i ? VLDAA_FORM_COMPACT : VLDAA_FORM_SELF_CONTAINED;
		buffer signature;

		ck_assert_int_eq(
		    car_try_sign(c, att, form, basename, (number + (unsigned)i) % 255, &signature),
		    VLDAA_OK);
		ck_assert_int_eq(world_verify(w, signature, i ? known : NULL, basename,
					      (number + (unsigned)i) % 255),
				 VLDAA_OK);
		buffer_free(&signature);
	}
	vldaa_attestation_free(known);
	buffer_free(&att);
}

static void check_rates(const vldaa_set *set)
{
	const double due = exp(-1 - 1.0 / 288);

	for (int i = 0; i < OPERATIONS; i++) {
		const double n = count[i].decisions;
		const double deviates = (count[i].kept / n - due) / sqrt(due * (1 - due) / n);

		if (many())
			printf("%s, %s: %.0f of %.0f attempts kept, %+.2f deviations from 1/M, "
			       "%.0f put out, at most %.0f attempts\n",
			       vldaa_set_name(set), names[i], count[i].kept, n, deviates,
			       count[i].outputs, count[i].longest);
		ck_assert_msg(fabs(deviates) < 4, "%s: %f deviations", names[i], deviates);
		/* What is kept but longer than its bound or its bytes is rare. */
		ck_assert_double_le(count[i].outputs, count[i].kept);
		ck_assert_double_ge(count[i].outputs, 0.98 * count[i].kept);
		/* A hundred in a row would be one chance in 2^66. */
		ck_assert_double_lt(count[i].longest, 100);
	}
}

START_TEST(honest_members_are_always_accepted_and_one_attempt_in_m_is_kept)
{
	const vldaa_set *set = published_set(_i);
	const int small = ((const vldaa_published_set *)set->numbers)->ring.d < 256;
	const unsigned cars = many() ? 60 : small ? 50 : 20;
	const unsigned creates = many() ? 50 : small ? 24 : 20;
	world w;

	world_init(&w, set, 1);
	for (unsigned i = 0; i < cars; i++) {
		car c;

		car_init(&c, &w, 100 + i);
		car_join(&c);
		for (unsigned j = 0; j < creates; j++)
			use(&w, &c, i * creates + j);
		car_free(&c);
	}
	world_free(&w);
	check_rates(set);
}
END_TEST

/* --- when nothing is kept ----------------------------------------------------------------------
 */

static int all_zero(const uint8_t *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (bytes[i] != 0)
			return 0;
	}
	return 1;
}

START_TEST(a_tpm_that_keeps_nothing_gives_up_and_puts_out_nothing)
{
	const vldaa_set *set = vldaa_set_by_name("VLDAA-42");
	uint8_t call[8192], out[16384];
	size_t call_len, len;
	vldaa_object_info info;
	buffer att;
	world w;
	car c;

	world_init(&w, set, 1);
	car_init(&c, &w, 2);
	car_join(&c);
	att = car_create(&c, "before");
	ck_assert_int_eq(vldaa_object_inspect(&info, att.data, att.len), VLDAA_OK);
	ck_assert_int_eq(vldaa_host_create_begin(c.host, (const uint8_t *)"after", 5, call,
						 sizeof call, &call_len),
			 VLDAA_OK);
	never_keep = 1 << CREATE_TPM | 1 << SIGN;

	count[CREATE_TPM].longest = 0;
	memset(out, 1, sizeof out);
	ck_assert_int_eq(vldaa_tpm_create(c.tpm, call, call_len, out, sizeof out, &len),
			 VLDAA_ERR_ATTEMPTS);
	ck_assert_uint_eq(len, 0);
	ck_assert(all_zero(out, sizeof out));
	ck_assert_double_eq(count[CREATE_TPM].longest, VLDAA_MAX_ATTEMPTS);

	count[SIGN].longest = 0;
	memset(out, 1, sizeof out);
	ck_assert_int_eq(
	    vldaa_tpm_sign_begin(c.tpm, info.key_id, info.basename, info.basename_len, info.digest),
	    VLDAA_OK);
	ck_assert_int_eq(vldaa_tpm_sign_end(c.tpm, out, sizeof out, &len), VLDAA_ERR_ATTEMPTS);
	ck_assert_uint_eq(len, 0);
	ck_assert(all_zero(out, sizeof out));
	ck_assert_double_eq(count[SIGN].longest, VLDAA_MAX_ATTEMPTS);

	/* and nothing is broken afterwards */
	never_keep = 0;
	use(&w, &c, 1);
	buffer_free(&att);
	car_free(&c);
	world_free(&w);
}
END_TEST

START_TEST(a_host_that_keeps_nothing_gives_up_after_as_many_calls)
{
	buffer att;
	world w;
	car c;

	world_init(&w, vldaa_set_by_name("VLDAA-42"), 1);
	car_init(&c, &w, 2);
	car_join(&c);
	never_keep = 1 << CREATE_HOST;
	ck_assert_int_eq(car_try_create(&c, (const uint8_t *)"x", 1, &att), VLDAA_ERR_ATTEMPTS);
	ck_assert_double_eq(count[CREATE_HOST].decisions, VLDAA_MAX_ATTEMPTS);
	never_keep = 0;
	use(&w, &c, 1);
	car_free(&c);
	world_free(&w);
}
END_TEST

START_TEST(a_join_that_keeps_nothing_gives_up)
{
	const uint8_t nonce[VLDAA_NONCE_BYTES] = {1};
	uint8_t object[256], out[16384];
	size_t object_len, len;
	world w;
	car c;

	world_init(&w, vldaa_set_by_name("VLDAA-42"), 1);
	car_init(&c, &w, 2);
	ck_assert_int_eq(vldaa_issuer_nonce(w.issuer, nonce, object, sizeof object, &object_len),
			 VLDAA_OK);
	never_keep = 1 << JOIN;
	memset(out, 1, sizeof out);
	ck_assert_int_eq(vldaa_host_join(c.host, object, object_len, out, sizeof out, &len),
			 VLDAA_ERR_ATTEMPTS);
	ck_assert(all_zero(out, sizeof out));
	ck_assert_double_eq(count[JOIN].longest, VLDAA_MAX_ATTEMPTS);
	never_keep = 0;
	car_join(&c);
	car_free(&c);
	world_free(&w);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("completeness");
	TCase *tc = tcase_create("honest members");
	TCase *never = tcase_create("nothing kept");
	SRunner *sr = srunner_create(s);
	const int sets = published_sets();

	tcase_set_timeout(tc, many() ? 3600 : 600);
	tcase_add_loop_test(tc, honest_members_are_always_accepted_and_one_attempt_in_m_is_kept, 0,
			    sets);
	suite_add_tcase(s, tc);
	tcase_set_timeout(never, 120);
	tcase_add_test(never, a_tpm_that_keeps_nothing_gives_up_and_puts_out_nothing);
	tcase_add_test(never, a_host_that_keeps_nothing_gives_up_after_as_many_calls);
	tcase_add_test(never, a_join_that_keeps_nothing_gives_up);
	suite_add_tcase(s, never);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
