#include "mldsa_common.h"

#include <stdlib.h>
#include <string.h>

const vldaa_mldsa_set *const mldsa_sets[MLDSA_SETS] = {&vldaa_mldsa_44, &vldaa_mldsa_87};

vldaa_mldsa_workspace mldsa_workspace;

const vldaa_mldsa_set *mldsa_set_named(const char *name)
{
	if (strcmp(name, "ML-DSA-44") == 0)
		return &vldaa_mldsa_44;
	ck_assert_str_eq(name, "ML-DSA-87");
	return &vldaa_mldsa_87;
}

void mldsa_key_init(mldsa_key *key, const vldaa_mldsa_set *set, uint8_t seed)
{
	uint8_t xi[VLDAA_MLDSA_SEED_BYTES];

	memset(xi, seed, sizeof xi);
	vldaa_mldsa_keygen(set, key->public, &key->secret, xi, &mldsa_workspace);
}

void mldsa_mu(uint8_t mu[VLDAA_MLDSA_MU_BYTES], const uint8_t *tr, const void *context,
	      size_t context_len, const void *message, size_t len)
{
	vldaa_shake s;

	vldaa_mldsa_mu_begin(&s, tr, context, context_len);
	vldaa_shake_absorb(&s, message, len);
	vldaa_mldsa_mu_end(&s, mu);
}

void mldsa_sign(const mldsa_key *key, const uint8_t *mu, uint8_t *signature)
{
	const uint8_t rnd[32] = {0};

	ck_assert_int_eq(vldaa_mldsa_sign(&key->secret, mu, rnd, signature, &mldsa_workspace), 0);
}

int mldsa_verify(const mldsa_key *key, const uint8_t *mu, const uint8_t *signature)
{
	return vldaa_mldsa_verify(key->secret.set, key->public, mu, signature, &mldsa_workspace);
}

int mldsa_is_zero(const void *p, size_t len)
{
	const uint8_t *bytes = p;
	uint8_t all = 0;

	for (size_t i = 0; i < len; i++)
		all |= bytes[i];
	return all == 0;
}

void mldsa_bytes(uint64_t label, void *out, size_t len)
{
	uint8_t bytes[8];
	vldaa_shake s;

	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (uint8_t)(label >> (8 * i));
	vldaa_shake_init(&s, VLDAA_SHAKE256_RATE);
	vldaa_shake_absorb(&s, bytes, sizeof bytes);
	vldaa_shake_squeeze(&s, out, len);
}

int mldsa_run(const char *name, TCase *tc)
{
	Suite *s = suite_create(name);
	SRunner *sr = srunner_create(s);
	int failed;

	tcase_set_timeout(tc, 60);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
