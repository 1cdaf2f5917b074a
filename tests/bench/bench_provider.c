/*
 * What a signature costs more through the provider than by the library: microseconds of processor time, each way in turn, of
 * a whole signature (context, key, message of 1 KB, compact form) with a pseudonym that is there.  The least times are
 * compared as well: signing is rejection sampling, whose luck the means share only roughly.
 *
 * The provider may cost 10% at most: exit status 1 when its mean is more.
 */
#include <check.h>
#include <openssl/params.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../provider/evp.h"
#include "times.h"
#include "vldaa/member_key.h"

enum { RUNS = 4000, MESSAGE = 1024 };

static evp_world e;
static uint8_t message[MESSAGE];
static uint8_t signature[8192];

static vldaa_pseudonym_key *pseudonym(void)
{
	buffer out = buffer_new(vldaa_object_max_size(e.w.set, VLDAA_KIND_PSEUDONYM));
	vldaa_member_key *member = NULL;
	vldaa_pseudonym_key *key = NULL;

	if (vldaa_member_key_new(&member, e.member.data, e.member.len) != VLDAA_OK ||
	    vldaa_member_key_create(member, (const uint8_t *)"here", 4, out.data, out.len,
				    &out.len) != VLDAA_OK ||
	    vldaa_pseudonym_key_new(&key, out.data, out.len) != VLDAA_OK)
		abort();
	vldaa_member_key_free(member);
	buffer_free(&out);
	return key;
}

static void by_library(const vldaa_pseudonym_key *key)
{
	vldaa_signing *s = NULL;
	size_t len = 0;

	if (vldaa_signing_new(&s, key, VLDAA_FORM_COMPACT) != VLDAA_OK ||
	    vldaa_signing_update(s, message, sizeof message) != VLDAA_OK ||
	    vldaa_signing_end(s, signature, sizeof signature, &len) != VLDAA_OK)
		abort();
	vldaa_signing_free(s);
}

static void by_provider(EVP_PKEY *key)
{
	char form[] = "compact", basename[] = "here";
	const OSSL_PARAM params[] = {
	    OSSL_PARAM_construct_octet_string("basename", basename, 4),
	    OSSL_PARAM_construct_utf8_string("form", form, 0),
	    OSSL_PARAM_construct_end(),
	};
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	size_t len = sizeof signature;

	if (EVP_DigestSignInit_ex(ctx, NULL, NULL, e.libctx, NULL, key, params) != 1 ||
	    EVP_DigestSign(ctx, signature, &len, message, sizeof message) != 1)
		abort();
	EVP_MD_CTX_free(ctx);
}

static int measure(const vldaa_set *set)
{
	static double library[RUNS], provider[RUNS];
	vldaa_pseudonym_key *pseudonym_key;
	EVP_PKEY *key;
	double ratio;

	evp_init(&e, set);
	key = evp_member(&e);
	pseudonym_key = pseudonym();
	by_provider(key); /* makes the pseudonym */
	for (int i = 0; i < RUNS; i++) {
		const double start = microseconds();

		by_library(pseudonym_key);
		const double between = microseconds();
		by_provider(key);
		provider[i] = microseconds() - between;
		library[i] = between - start;
	}
	printf("%s, a compact signature\n", vldaa_set_name(set));
	ratio = times_print("library", library, RUNS).mean;
	ratio = times_print("provider", provider, RUNS).mean / ratio;
	printf("  %+.1f%%\n", 100 * (ratio - 1));
	EVP_PKEY_free(key);
	vldaa_pseudonym_key_free(pseudonym_key);
	evp_free(&e);
	return ratio > 1.1;
}

/* The world asserts with Check, which wants a test around it. */
START_TEST(a_signature_costs_at_most_a_tenth_more)
{
	ck_assert_int_eq(measure(evp_set(_i)), 0);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("signing through the provider");
	TCase *tc = tcase_create("sets");
	SRunner *sr = srunner_create(s);

	tcase_set_timeout(tc, 0);
	tcase_add_loop_test(tc, a_signature_costs_at_most_a_tenth_more, 0, EVP_SETS);
	suite_add_tcase(s, tc);
	srunner_set_fork_status(sr, CK_NOFORK);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
