/*
 * Promises about a token whose random source fails: wherever in an operation it does, the operation
 * fails, nothing of its output is there, and nothing is half stored; no key and no signature is made
 * of what the source did not give; and the same operation works when it gives again.
 *
 * libcrypto's source, which the module draws from, is replaced by one that gives so many times and
 * then leaves the buffer as it is.
 */
#define OPENSSL_SUPPRESS_DEPRECATED
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/rand.h>

#include "operations.h"

/* More draws than any operation makes. */
enum { MAX_DRAWS = 5000 };

/* --- a source that fails -----------------------------------------------------------------------
 */

/* Draws until it fails; below 0: it does not. */
static long until = -1;
static long drawn;
static int failed;

static int draw(unsigned char *out, int len)
{
	drawn++;
	if (until >= 0 && drawn > until) {
		failed = 1;
		return 0;
	}
	return RAND_OpenSSL()->bytes(out, len);
}

static int is_ready(void)
{
	return 1;
}

static const RAND_METHOD source = {.bytes = draw, .pseudorand = draw, .status = is_ready};

/* --- the test ----------------------------------------------------------------------------------
 */

START_TEST(where_the_source_fails_an_operation_fails_and_leaves_nothing)
{
	const operation *o = &operations[_i];
	long failures = 0;

	if ((o->does & DRAWS) == 0)
		return;
	if (o->enter != NULL)
		o->enter();
	ck_assert_int_eq(RAND_set_rand_method(&source), 1);
	for (long n = 0; n < MAX_DRAWS; n++) {
		const stored_state before = stored();
		const CK_ULONG objects = operations_objects();
		stored_state after;
		CK_RV rv;

		operations_clear_output();
		drawn = failed = 0;
		until = n;
		rv = o->run();
		until = -1;
		if (!failed) {
			ck_assert_msg(rv == CKR_OK, "%s: 0x%lx", o->name, rv);
			break;
		}
		failures++;
		ck_assert_msg(rv != CKR_OK, "%s, draw %ld: it works without", o->name, n);
		ck_assert_msg(rv == CKR_FUNCTION_FAILED || rv == CKR_DEVICE_ERROR,
			      "%s, draw %ld: 0x%lx", o->name, n, rv);
		ck_assert_msg(!operations_has_output(), "%s, draw %ld: output", o->name, n);
		after = stored();
		ck_assert_msg(memcmp(&before, &after, sizeof before) == 0,
			      "%s, draw %ld: something is stored", o->name, n);
		ck_assert_msg(operations_objects() == objects || o->run == operations[1].run,
			      "%s, draw %ld: an object is left", o->name, n);
	}
	ck_assert_msg(failures > 0, "%s: draws nothing", o->name);
	ck_assert_int_eq(RAND_set_rand_method(NULL), 1);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("pkcs11_random");
	TCase *c = tcase_create("random");
	SRunner *runner;
	int ended_badly;

	tcase_add_unchecked_fixture(c, world_make, world_remove);
	tcase_add_checked_fixture(c, operations_enter, operations_leave);
	tcase_add_loop_test(c, where_the_source_fails_an_operation_fails_and_leaves_nothing, 0,
			    OPERATIONS);
	suite_add_tcase(suite, c);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	ended_badly = srunner_ntests_failed(runner);
	srunner_free(runner);
	return ended_badly ? EXIT_FAILURE : EXIT_SUCCESS;
}
