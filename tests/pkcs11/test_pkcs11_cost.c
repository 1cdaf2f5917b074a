/* Promise: whoever has a token's file and guesses PINs pays 64 MiB for each guess, in the module that is installed. */
#include <check.h>
#include <stdlib.h>

#include "store/cipher.h"

START_TEST(a_guess_takes_64_mib)
{
	const vldaa_p11_cost *cost = &vldaa_p11_default_cost;

	/* RFC 7914, section 2: the large block has 128 N r bytes */
	ck_assert_uint_eq(128 * cost->n * cost->r, UINT64_C(64) << 20);
	ck_assert_uint_ge(cost->p, 1);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("PKCS#11, the cost of a PIN");
	TCase *tc = tcase_create("cost");
	SRunner *sr = srunner_create(s);

	tcase_add_test(tc, a_guess_takes_64_mib);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
