/*
 * Promises: a key of a one-shot set shows at most 2^24 pseudonyms, by Creates and tokens together.
 * Each is counted by one, durably and before it leaves; what is refused or fails is not counted,
 * and neither is anything else.  At the limit both are refused as EXHAUSTED, for ever, and whatever
 * needs no new pseudonym goes on.  A count that is none is the store's failure.  Processes that
 * share a store count together.  The published sets have no limit and keep no count.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../support/stage.h"

enum { LIMIT = 1 << 24 };
static const uint8_t one[] = "one";

/* The count as the specification has it: 4 bytes, big-endian. */
static size_t count_row(void)
{
	size_t i = 0;

	while (i < t.c.store.count && t.c.store.rows[i].record != VLDAA_RECORD_CREATES)
		i++;
	return i;
}

static uint32_t count_now(void)
{
	const size_t i = count_row();
	const uint8_t *v = t.c.store.rows[i].value;

	if (i == t.c.store.count)
		return 0;
	ck_assert_mem_eq(t.c.store.rows[i].name, t.key_id, VLDAA_RECORD_NAME);
	ck_assert_uint_eq(t.c.store.rows[i].len, 4);
	return (uint32_t)v[0] << 24 | (uint32_t)v[1] << 16 | (uint32_t)v[2] << 8 | v[3];
}

static void forge_record(const uint8_t *value, size_t len)
{
	const size_t i = count_row();

	ck_assert_uint_lt(i, t.c.store.count);
	free(t.c.store.rows[i].value);
	t.c.store.rows[i].value = buffer_new(len).data;
	memcpy(t.c.store.rows[i].value, value, len);
	t.c.store.rows[i].len = len;
}

static void forge_count(uint32_t count)
{
	const uint8_t value[] = {(uint8_t)(count >> 24), (uint8_t)(count >> 16),
				 (uint8_t)(count >> 8), (uint8_t)count};

	forge_record(value, sizeof value);
}

static int has_limit(void)
{
	return strncmp(vldaa_set_name(t.w.set), "VLDAA2-", 7) == 0;
}

static int create(void)
{
	stage_spoil();
	return vldaa_tpm_create(t.c.tpm, t.create_call.data, t.create_call.len, t.out, STAGE_BUFFER,
				&t.len);
}

static int token(void)
{
	stage_spoil();
	return vldaa_tpm_token(t.c.tpm, t.key_id, one, 3, vldaa_attestation_digest(t.a), t.out,
			       STAGE_BUFFER, &t.len);
}

static int (*const shows[])(void) = {create, token};
enum { SHOWS = sizeof shows / sizeof shows[0] };

/* Refused with this error; no output, nothing stored. */
static void refused(int (*show)(void), int expected)
{
	const store_state before = store_now(&t.c.store);
	int err = show();

	ck_assert_msg(err == expected, "%s instead of %s", vldaa_error_name(err),
		      vldaa_error_name(expected));
	ck_assert(all_zero(t.out, STAGE_BUFFER) && t.len == 0);
	ck_assert(store_same(&t.c.store, before));
}

static void sign_and_verify(void)
{
	buffer sig = car_sign(&t.c, t.att, VLDAA_FORM_SELF_CONTAINED, one, 3);

	ck_assert_int_eq(world_verify(&t.w, sig, NULL, one, 3), VLDAA_OK);
	buffer_free(&sig);
}

START_TEST(each_create_and_each_token_counts_one_and_nothing_else_counts)
{
	uint8_t key[4096];
	vldaa_tpm_status status;
	uint32_t step;
	size_t len;

	stage_set_up(vldaa_set_at((size_t)_i));
	step = has_limit() ? 1 : 0;
	/* the stage has made an attestation, and asked for another */
	ck_assert_uint_eq(count_now(), 2 * step);
	for (uint32_t i = 0; i < 2 * SHOWS; i++) {
		ck_assert_int_eq(shows[i % SHOWS](), VLDAA_OK);
		ck_assert_uint_eq(count_now(), (3 + i) * step);
	}
	sign_and_verify();
	ck_assert_int_eq(vldaa_tpm_public_key(t.c.tpm, t.key_id, key, sizeof key, &len), VLDAA_OK);
	ck_assert_int_eq(vldaa_tpm_get_status(t.c.tpm, t.key_id, &status), VLDAA_OK);
	buffer_free(&t.c.credential);
	car_accept(&t.c, t.answer);
	ck_assert_int_eq(
	    vldaa_tpm_request(t.c.tpm, t.call.data, t.call.len, t.out, STAGE_BUFFER, &t.len),
	    VLDAA_OK);
	ck_assert_int_eq(
	    vldaa_tpm_obey(t.c.tpm, t.sealed.data, t.sealed.len, t.out, STAGE_BUFFER, &t.len),
	    VLDAA_OK);
	ck_assert_uint_eq(count_now(), (2 + 2 * SHOWS) * step);
	ck_assert(step || count_row() == t.c.store.count);
	stage_tear_down();
}
END_TEST

static int create_with_a_byte_more(void)
{
	buffer longer = buffer_new(t.create_call.len + 1);
	int err;

	memcpy(longer.data, t.create_call.data, t.create_call.len);
	longer.data[t.create_call.len] = 0;
	stage_spoil();
	err = vldaa_tpm_create(t.c.tpm, longer.data, longer.len, t.out, STAGE_BUFFER, &t.len);
	buffer_free(&longer);
	return err;
}

static int create_of_no_basename(void)
{
	stage_spoil();
	return vldaa_tpm_create(t.c.tpm, t.create_call.data,
				VLDAA_OBJECT_HEADER + VLDAA_KEY_ID_BYTES, t.out, STAGE_BUFFER,
				&t.len);
}

static int token_of_no_basename(void)
{
	stage_spoil();
	return vldaa_tpm_token(t.c.tpm, t.key_id, one, 0, vldaa_attestation_digest(t.a), t.out,
			       STAGE_BUFFER, &t.len);
}

START_TEST(what_is_refused_or_fails_is_not_counted)
{
	stage_set_up(vldaa_set_at((size_t)_i));
	refused(create_with_a_byte_more, VLDAA_ERR_TRAILING);
	refused(create_of_no_basename, VLDAA_ERR_TRUNCATED);
	refused(token_of_no_basename, VLDAA_ERR_BASENAME);
	for (size_t i = 0; i < SHOWS; i++) {
		const int counts = has_limit();

		t.c.random.fail_at = 0;
		refused(shows[i], VLDAA_ERR_RANDOM);
		t.c.random.fail_at = -1;
		/* What the store did not take has not been shown. */
		t.c.store.fail_commit = 1;
		if (counts)
			refused(shows[i], VLDAA_ERR_STORE);
		else
			ck_assert_int_eq(shows[i](), VLDAA_OK);
		t.c.store.fail_commit = 0;
		ck_assert_int_eq(shows[i](), VLDAA_OK);
	}
	stage_tear_down();
}
END_TEST

START_TEST(a_key_at_its_limit_shows_no_more_and_does_everything_else)
{
	static const uint32_t over[] = {LIMIT, LIMIT + 1, UINT32_MAX};
	buffer att;

	stage_set_up(vldaa_set_at((size_t)_i));
	if (!has_limit()) {
		stage_tear_down();
		return;
	}
	for (size_t last = 0; last < SHOWS; last++) {
		forge_count(LIMIT - 1);
		ck_assert_int_eq(shows[last](), VLDAA_OK);
		ck_assert_uint_eq(count_now(), LIMIT);
		for (size_t i = 0; i < SHOWS; i++)
			refused(shows[i], VLDAA_ERR_EXHAUSTED);
	}
	for (size_t k = 0; k < sizeof over / sizeof over[0]; k++) {
		forge_count(over[k]);
		for (size_t i = 0; i < SHOWS; i++)
			refused(shows[i], VLDAA_ERR_EXHAUSTED);
	}
	ck_assert_int_eq(vldaa_error_class(VLDAA_ERR_EXHAUSTED), VLDAA_CLASS_USAGE);
	/* Another TPM on the same store, as after a restart. */
	vldaa_tpm_close(t.c.tpm);
	ck_assert_int_eq(vldaa_tpm_open(&t.c.tpm, t.c.workspace, t.c.workspace_len, &t.c.services),
			 VLDAA_OK);
	ck_assert_int_eq(car_try_create(&t.c, one, 3, &att), VLDAA_ERR_EXHAUSTED);
	/* Joining again is no way around. */
	buffer_free(&t.c.credential);
	car_accept(&t.c, t.answer);
	refused(create, VLDAA_ERR_EXHAUSTED);
	sign_and_verify();
	ck_assert_int_eq(
	    vldaa_tpm_obey(t.c.tpm, t.sealed.data, t.sealed.len, t.out, STAGE_BUFFER, &t.len),
	    VLDAA_OK);
	stage_tear_down();
}
END_TEST

START_TEST(a_count_that_is_none_is_the_stores_failure)
{
	const uint8_t zeroes[5] = {0};

	stage_set_up(vldaa_set_at((size_t)_i));
	if (has_limit()) {
		for (size_t len = 0; len <= sizeof zeroes; len++) {
			forge_record(zeroes, len);
			for (size_t i = 0; i < SHOWS; i++) {
				if (len == 4)
					ck_assert_int_eq(shows[i](), VLDAA_OK);
				else
					refused(shows[i], VLDAA_ERR_STORE);
			}
		}
	}
	stage_tear_down();
}
END_TEST

/* --- processes that share a store ---------------------------------------------------------------
 */

static uint32_t meanwhile;

/* While this TPM works, another one counts. */
static int random_and_another_tpm(void *ctx, uint8_t *out, size_t len)
{
	forge_count(meanwhile);
	return test_random_bytes(&((car *)ctx)->random, out, len);
}

START_TEST(what_another_process_counts_meanwhile_is_counted)
{
	stage_set_up(vldaa_set_at((size_t)_i));
	if (has_limit()) {
		t.c.services.random = random_and_another_tpm;
		for (size_t i = 0; i < SHOWS; i++) {
			meanwhile = 1000;
			ck_assert_int_eq(shows[i](), VLDAA_OK);
			ck_assert_uint_eq(count_now(), 1001);
			meanwhile = LIMIT;
			ck_assert_int_eq(shows[i](), VLDAA_ERR_EXHAUSTED);
			ck_assert(all_zero(t.out, STAGE_BUFFER) && t.len == 0);
			ck_assert_uint_eq(count_now(), LIMIT);
			forge_count(3);
		}
	}
	stage_tear_down();
}
END_TEST

int main(void)
{
	Suite *s = suite_create("counted pseudonyms");
	TCase *tc = tcase_create("creates");
	SRunner *sr = srunner_create(s);
	int sets = 0;

	while (vldaa_set_at((size_t)sets))
		sets++;
	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, each_create_and_each_token_counts_one_and_nothing_else_counts, 0,
			    sets);
	tcase_add_loop_test(tc, what_is_refused_or_fails_is_not_counted, 0, sets);
	tcase_add_loop_test(tc, a_key_at_its_limit_shows_no_more_and_does_everything_else, 0, sets);
	tcase_add_loop_test(tc, a_count_that_is_none_is_the_stores_failure, 0, sets);
	tcase_add_loop_test(tc, what_another_process_counts_meanwhile_is_counted, 0, sets);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
