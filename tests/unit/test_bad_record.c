/*
 * Promises, for every set: a TPM whose store gives back another member key than it was given, one
 * that no TPM writes, says that the store failed, in every operation that needs the key; nothing
 * comes out, nothing is stored, and with the right record everything goes on.  For the one-shot
 * sets the same of a credential that is none, or not this key's.
 *
 * Records whose frame is damaged: test_bad_objects.c.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../support/oneshot_member.h"
#include "../support/sets.h"
#include "../support/stage.h"
#include "role/tpm_state.h"

static const uint8_t one[] = "one";

static int do_request(void)
{
	return vldaa_tpm_request(t.c.tpm, t.call.data, t.call.len, t.out, sizeof t.out, &t.len);
}

static int do_public_key(void)
{
	return vldaa_tpm_public_key(t.c.tpm, t.key_id, t.out, sizeof t.out, &t.len);
}

static int do_create(void)
{
	return vldaa_tpm_create(t.c.tpm, t.create_call.data, t.create_call.len, t.out, sizeof t.out,
				&t.len);
}

/* A failed begin has no output of its own. */
static int do_sign(void)
{
	int err = vldaa_tpm_sign_begin(t.c.tpm, t.key_id, one, 3, vldaa_attestation_digest(t.a));

	if (!err)
		return vldaa_tpm_sign_end(t.c.tpm, t.out, sizeof t.out, &t.len);
	ck_assert_int_eq(vldaa_tpm_sign_end(t.c.tpm, t.out, sizeof t.out, &t.len), VLDAA_ERR_STATE);
	return err;
}

static int do_token(void)
{
	return vldaa_tpm_token(t.c.tpm, t.key_id, one, 3, vldaa_attestation_digest(t.a), t.out,
			       sizeof t.out, &t.len);
}

static int do_obey(void)
{
	return vldaa_tpm_obey(t.c.tpm, t.sealed.data, t.sealed.len, t.out, sizeof t.out, &t.len);
}

static int do_accept(void)
{
	return vldaa_tpm_accept(t.c.tpm, t.answer.data, t.answer.len, t.out, sizeof t.out, &t.len);
}

/* Each leaves what the later ones need when it succeeds.  The TPM of a published set hands its
 * answer's credential over without a look at its own key. */
static int (*const operations[])(void) = {do_public_key, do_create,  do_sign, do_token,
					  do_accept,     do_request, do_obey};
enum { OPERATIONS = sizeof operations / sizeof operations[0] };

static int is_oneshot(void)
{
	return t.w.set->scheme == &vldaa_scheme_oneshot;
}

static void check_store_failure(int (*run)(void))
{
	const store_state before = store_now(&t.c.store);

	stage_spoil();
	ck_assert_int_eq(run(), VLDAA_ERR_STORE);
	ck_assert_uint_eq(t.len, 0);
	ck_assert(all_zero(t.out, sizeof t.out));
	ck_assert(store_same(&t.c.store, before));
}

static void check_all_fail(void)
{
	for (size_t i = 0; i < OPERATIONS; i++) {
		if (operations[i] != do_accept || is_oneshot())
			check_store_failure(operations[i]);
	}
}

static void check_all_work(void)
{
	for (size_t i = 0; i < OPERATIONS; i++) {
		stage_spoil();
		ck_assert_int_eq(operations[i](), VLDAA_OK);
		ck_assert_uint_gt(t.len, 0);
	}
}

START_TEST(a_key_that_no_tpm_writes_is_the_stores_failure)
{
	uint8_t *record, kept[2];
	size_t len, at;

	stage_set_up(vldaa_set_at((size_t)_i));
	record = oneshot_member_record(&t.c, &len, &at);
	memcpy(kept, record + at, sizeof kept);
	/* the first coefficient is too large for every scheme */
	memset(record + at, 0xff, sizeof kept);
	check_all_fail();
	memcpy(record + at, kept, sizeof kept);
	/* between begin and end */
	ck_assert_int_eq(
	    vldaa_tpm_sign_begin(t.c.tpm, t.key_id, one, 3, vldaa_attestation_digest(t.a)),
	    VLDAA_OK);
	memset(record + at, 0xff, sizeof kept);
	stage_spoil();
	ck_assert_int_eq(vldaa_tpm_sign_end(t.c.tpm, t.out, sizeof t.out, &t.len), VLDAA_ERR_STORE);
	ck_assert_uint_eq(t.len, 0);
	ck_assert(all_zero(t.out, sizeof t.out));
	memcpy(record + at, kept, sizeof kept);
	check_all_work();
	stage_tear_down();
}
END_TEST

/* s, and e_T behind it: a coefficient that 3 bits can say but no key has, and a key that is too long. */
START_TEST(both_parts_of_a_one_shot_key_are_checked)
{
	const vldaa_oneshot_set *n;
	uint8_t *record, *kept;
	size_t len, at, part[3];

	stage_set_up(oneshot_set(_i));
	n = vldaa_oneshot_numbers(t.w.set);
	record = oneshot_member_record(&t.c, &len, &at);
	part[0] = 0;
	part[1] = (size_t)n->mldsa->l * VLDAA_MLDSA_N;
	part[2] = part[1] + n->N;
	kept = buffer_new(len).data;
	memcpy(kept, record, len);
	for (size_t i = 0; i < 2; i++) {
		for (uint64_t field = 5; field < 8; field++) {
			packed_field_set(record + at, 3, part[i + 1] - 1, field);
			check_store_failure(do_public_key);
		}
		memcpy(record, kept, len);
		for (size_t j = part[i]; j < part[i + 1]; j++)
			packed_field_set(record + at, 3, j, j % 2 ? 0 : 4);
		check_all_fail();
		memcpy(record, kept, len);
	}
	check_all_work();
	free(kept);
	stage_tear_down();
}
END_TEST

/* The record's end: block: x (32) | v_2. */
START_TEST(a_credential_that_is_not_this_keys_is_the_stores_failure)
{
	const vldaa_oneshot_set *n;
	uint8_t *record, *x;
	size_t len, at, v2_len = 0;

	stage_set_up(oneshot_set(_i));
	n = vldaa_oneshot_numbers(t.w.set);
	record = oneshot_member_record(&t.c, &len, &at);
	/* where the block begins: its length is what is left behind it */
	for (size_t i = 40; i <= 32 + n->v2_max_bytes && !v2_len; i++) {
		const uint8_t *length = record + len - i - 4;

		if (length[0] == 0 && length[1] == 0 && (size_t)(length[2] << 8 | length[3]) == i)
			v2_len = i - 32;
	}
	ck_assert_uint_gt(v2_len, 0);
	x = record + len - v2_len - 32;
	for (size_t i = 0; i < 3; i++) {
		/* another tag; another v_2: signs and low bits; not a code at all */
		uint8_t *const place = i == 0 ? x : i == 1 ? x + 40 : x + 32;
		uint8_t kept[16];

		memcpy(kept, place, sizeof kept);
		if (i == 2)
			memset(place, 0xff, sizeof kept);
		else
			*place ^= 1;
		check_store_failure(do_create);
		/* what needs no credential goes on */
		ck_assert_int_eq(do_sign(), VLDAA_OK);
		ck_assert_int_eq(do_request(), VLDAA_OK);
		memcpy(place, kept, sizeof kept);
		ck_assert_int_eq(do_create(), VLDAA_OK);
	}
	stage_tear_down();
}
END_TEST

int main(void)
{
	Suite *s = suite_create("member records");
	TCase *tc = tcase_create("damaged");
	SRunner *sr = srunner_create(s);
	int sets = 0;

	while (vldaa_set_at((size_t)sets))
		sets++;
	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, a_key_that_no_tpm_writes_is_the_stores_failure, 0, sets);
	tcase_add_loop_test(tc, both_parts_of_a_one_shot_key_are_checked, 0, oneshot_sets());
	tcase_add_loop_test(tc, a_credential_that_is_not_this_keys_is_the_stores_failure, 0,
			    oneshot_sets());
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
