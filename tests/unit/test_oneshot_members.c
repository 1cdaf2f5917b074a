/*
 * Promises, for the one-shot sets, through the roles: every honest request is answered and every
 * answer accepted; every Create under any basename gives an attestation that verifies, in the host
 * before it is put out and in a verifier after; every message signature under it verifies, in every
 * form; one member's attestations of one basename link, two members' do not.  A TPM whose rejections
 * keep nothing gives up, puts out nothing and changes nothing, and works afterwards.
 *
 * How often attempts are kept: test_oneshot_complete.c.  VLDAA_LONG_STATISTICS=1 makes 1,000 Creates
 * by 50 members of VLDAA2-44 and 200 by 20 of VLDAA2-87, instead of 24 by 4 and 4 by 2.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../support/damage.h"
#include "../support/sets.h"
#include "sampler/reject.h"
#include "scheme/oneshot_set.h"

/* While it is set, rejections of the range proof keep nothing. */
static int never_keep;
static int refused;

int __real_vldaa_reject_keep_m(int64_t t, int64_t log_m, vldaa_rng *rng);
int __wrap_vldaa_reject_keep_m(int64_t t, int64_t log_m, vldaa_rng *rng);
int __wrap_vldaa_reject_keep_m(int64_t t, int64_t log_m, vldaa_rng *rng)
{
	const int keep = __real_vldaa_reject_keep_m(t, log_m, rng);

	refused += never_keep;
	return keep && !never_keep;
}

static int many(void)
{
	const char *value = getenv("VLDAA_LONG_STATISTICS");

	return value && strcmp(value, "1") == 0;
}

/* --- honest members ----------------------------------------------------------------------------
 */

static const enum vldaa_form forms[] = {VLDAA_FORM_SELF_CONTAINED, VLDAA_FORM_COMPACT,
					VLDAA_FORM_BARE};
enum { FORMS = sizeof forms / sizeof forms[0] };

/* A basename of any length and a message that is sometimes empty, both of this number. */
static vldaa_attestation *use(world *w, car *c, uint32_t number, uint32_t basename_number)
{
	uint8_t basename[VLDAA_MAX_BASENAME];
	const size_t len = 4 + basename_number % (VLDAA_MAX_BASENAME - 3);
	vldaa_attestation *known;
	buffer att;

	for (size_t i = 0; i < sizeof basename; i++)
		basename[i] = (uint8_t)(basename_number >> 8 * (i % 4));
	ck_assert_int_eq(car_try_create(c, basename, len, &att), VLDAA_OK);
	known = world_attestation(w, att);
	for (size_t i = 0; i < FORMS; i++) {
		const size_t message_len = (number + i) % sizeof basename;
		buffer signature;

		ck_assert_int_eq(car_try_sign(c, att, forms[i], basename, message_len, &signature),
				 VLDAA_OK);
		ck_assert_int_eq(
		    world_verify(w, signature, i ? known : NULL, basename, message_len), VLDAA_OK);
		buffer_free(&signature);
	}
	buffer_free(&att);
	return known;
}

START_TEST(honest_members_are_always_accepted)
{
	const vldaa_set *set = oneshot_set(_i);
	const uint32_t cars = many() ? (_i ? 20 : 50) : (_i ? 2 : 4);
	const uint32_t creates = many() ? (_i ? 10 : 20) : (_i ? 2 : 6);
	vldaa_attestation *first[50];
	world w;

	world_init(&w, set, 1);
	for (uint32_t i = 0; i < cars; i++) {
		vldaa_attestation *again;
		int linked;
		car c;

		car_init(&c, &w, 100 + i);
		car_join(&c);
		for (uint32_t j = 0; j + 2 < creates; j++)
			vldaa_attestation_free(use(&w, &c, i * creates + j, 7 * (i * creates + j)));
		/* under a basename that all members use, twice */
		first[i] = use(&w, &c, i, 1000003);
		again = use(&w, &c, i + 1, 1000003);
		ck_assert_int_eq(vldaa_link(first[i], again, &linked), VLDAA_OK);
		ck_assert_int_eq(linked, 1);
		for (uint32_t j = 0; j < i; j++) {
			ck_assert_int_eq(vldaa_link(first[j], again, &linked), VLDAA_OK);
			ck_assert_int_eq(linked, 0);
		}
		vldaa_attestation_free(again);
		car_free(&c);
	}
	for (uint32_t i = 0; i < cars; i++)
		vldaa_attestation_free(first[i]);
	world_free(&w);
}
END_TEST

/* --- when nothing is kept ----------------------------------------------------------------------
 */

START_TEST(a_tpm_that_keeps_nothing_gives_up_and_changes_nothing)
{
	enum { OUT = 131072, ATTEMPTS = 1000 };
	static uint8_t call[1024], join[1024], out[OUT];
	const uint8_t nonce[VLDAA_NONCE_BYTES] = {1};
	size_t call_len, join_len, len;
	store_state before;
	world w;
	car c;

	world_init(&w, oneshot_set(0), 1);
	car_init(&c, &w, 2);
	car_join(&c);
	ck_assert_int_eq(vldaa_host_create_begin(c.host, (const uint8_t *)"after", 5, call,
						 sizeof call, &call_len),
			 VLDAA_OK);
	ck_assert_int_eq(vldaa_issuer_nonce(w.issuer, nonce, out, sizeof out, &len), VLDAA_OK);
	ck_assert_int_eq(vldaa_host_join(c.host, out, len, join, sizeof join, &join_len), VLDAA_OK);
	before = store_now(&c.store);
	for (int i = 0; i < 2; i++) {
		int err;

		memset(out, 1, sizeof out);
		refused = 0;
		never_keep = 1;
		err = i ? vldaa_tpm_request(c.tpm, join, join_len, out, sizeof out, &len)
			: vldaa_tpm_create(c.tpm, call, call_len, out, sizeof out, &len);
		never_keep = 0;
		ck_assert_int_eq(err, VLDAA_ERR_ATTEMPTS);
		ck_assert_int_eq(refused, ATTEMPTS);
		ck_assert_uint_eq(len, 0);
		ck_assert(all_zero(out, sizeof out));
		ck_assert(store_same(&c.store, before));
	}
	/* and nothing is broken afterwards */
	vldaa_attestation_free(use(&w, &c, 1, 1));
	buffer_free(&c.credential);
	car_join(&c);
	car_free(&c);
	world_free(&w);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("honest members, one-shot sets");
	TCase *tc = tcase_create("completeness");
	SRunner *sr = srunner_create(s);

	tcase_set_timeout(tc, many() ? 3600 : 300);
	tcase_add_loop_test(tc, honest_members_are_always_accepted, 0, oneshot_sets());
	tcase_add_test(tc, a_tpm_that_keeps_nothing_gives_up_and_changes_nothing);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
