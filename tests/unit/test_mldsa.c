/*
 * Promises: ML-DSA-44 and ML-DSA-87 are FIPS 204's.  Keys, signatures (deterministic and hedged,
 * pure with a context and from an external mu) and verdicts are those of NIST's ACVP vectors, of
 * Wycheproof's corner cases, and of an independent implementation; a key that is completed from
 * given short vectors is the key that FIPS 204 makes of them.
 *
 * Vectors and their sources: tests/vectors/ml-dsa/README.md.
 */
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

#include "../support/json.h"
#include "mldsa_common.h"
#include "vldaa/error.h"

enum { PRIVATE_HEAD = 128 }; /* rho, K, tr */

static vldaa_mldsa_workspace *const ws = &mldsa_workspace;
static json *vectors;

static const vldaa_mldsa_set *set_of(const json *vector)
{
	return mldsa_set_named(json_string(json_get(vector, "set")));
}

static void assert_digest(const json *vector, const char *name, const uint8_t *data, size_t len)
{
	uint8_t expected[32];
	uint8_t digest[32];

	json_exact_bytes(json_get(vector, name), expected, sizeof expected);
	ck_assert_int_eq(EVP_Digest(data, len, digest, NULL, EVP_sha256(), NULL), 1);
	ck_assert_mem_eq(digest, expected, sizeof digest);
}

/* mu as given, or of the message and the context that are given. */
static void read_mu(const json *vector, const uint8_t *tr, uint8_t mu[VLDAA_MLDSA_MU_BYTES])
{
	size_t context_len;
	size_t len;
	uint8_t *context;
	uint8_t *message;

	if (json_has(vector, "mu")) {
		json_exact_bytes(json_get(vector, "mu"), mu, VLDAA_MLDSA_MU_BYTES);
		return;
	}
	context = json_bytes(json_get(vector, "context"), &context_len);
	message = json_bytes(json_get(vector, "message"), &len);
	ck_assert_uint_le(context_len, 255);
	mldsa_mu(mu, tr, context, context_len, message, len);
	free(context);
	free(message);
}

/* The private key of these bytes.  Completing it from rho, K, s1 and s2 alone must give the very
 * same bytes; that also gives the public key. */
static void read_private(mldsa_key *key, const vldaa_mldsa_set *set, const json *bytes)
{
	static uint8_t expected[VLDAA_MLDSA_MAX_PRIVATE];
	static uint8_t again[VLDAA_MLDSA_MAX_PRIVATE];

	json_exact_bytes(bytes, expected, set->private_bytes);
	memset(key, 0xa5, sizeof *key);
	ck_assert_int_eq(vldaa_mldsa_decode_private(&key->secret, set, expected), 0);
	vldaa_mldsa_encode_private(again, &key->secret);
	ck_assert_mem_eq(again, expected, set->private_bytes);
	memset(key->secret.t0, 0, sizeof key->secret.t0);
	memset(key->secret.tr, 0, sizeof key->secret.tr);
	vldaa_mldsa_complete(key->public, &key->secret, NULL, ws);
	vldaa_mldsa_encode_private(again, &key->secret);
	ck_assert_mem_eq(again, expected, set->private_bytes);
}

/* Signs what the vector says, compares and verifies. */
static void check_signature(const mldsa_key *key, const json *vector, uint8_t *signature)
{
	const vldaa_mldsa_set *set = key->secret.set;
	uint8_t mu[VLDAA_MLDSA_MU_BYTES];
	uint8_t rnd[32] = {0};

	if (json_has(vector, "rnd"))
		json_exact_bytes(json_get(vector, "rnd"), rnd, sizeof rnd);
	read_mu(vector, key->secret.tr, mu);
	ck_assert_int_eq(vldaa_mldsa_sign(&key->secret, mu, rnd, signature, ws), 0);
	if (json_has(vector, "signature_sha256"))
		assert_digest(vector, "signature_sha256", signature, set->signature_bytes);
	ck_assert_int_eq(mldsa_verify(key, mu, signature), 0);
	mu[0] ^= 1;
	ck_assert_int_eq(mldsa_verify(key, mu, signature), VLDAA_ERR_PROOF);
}

static void load(const char *name)
{
	vectors = json_vectors(name);
}

static void unload(void)
{
	json_free(vectors);
}

/* The vectors of this name; there are as many as the file was made with. */
static const json *list(const char *name, size_t count)
{
	const json *j = json_get(vectors, name);

	ck_assert_uint_eq(json_count(j), count);
	return j;
}

START_TEST(keys_are_those_of_acvp)
{
	static mldsa_key key;
	static uint8_t bytes[VLDAA_MLDSA_MAX_PRIVATE];
	const json *all;

	load("ml-dsa/acvp.json");
	all = list("keygen", 50);
	for (size_t i = 0; i < json_count(all); i++) {
		const json *v = json_at(all, i);
		const vldaa_mldsa_set *set = set_of(v);
		uint8_t seed[VLDAA_MLDSA_SEED_BYTES];

		json_exact_bytes(json_get(v, "seed"), seed, sizeof seed);
		vldaa_mldsa_keygen(set, key.public, &key.secret, seed, ws);
		assert_digest(v, "public_sha256", key.public, set->public_bytes);
		vldaa_mldsa_encode_private(bytes, &key.secret);
		assert_digest(v, "private_sha256", bytes, set->private_bytes);
	}
	unload();
}
END_TEST

START_TEST(signatures_are_those_of_acvp)
{
	static mldsa_key key;
	static uint8_t signature[VLDAA_MLDSA_MAX_SIGNATURE];
	const json *all;
	size_t hedged = 0;
	size_t external = 0;

	load("ml-dsa/acvp.json");
	all = list("siggen", 20);
	for (size_t i = 0; i < json_count(all); i++) {
		const json *v = json_at(all, i);

		read_private(&key, set_of(v), json_get(v, "private"));
		check_signature(&key, v, signature);
		hedged += (size_t)json_has(v, "rnd");
		external += (size_t)json_has(v, "mu");
	}
	ck_assert_uint_eq(hedged, 10);
	ck_assert_uint_eq(external, 10);
	unload();
}
END_TEST

START_TEST(verdicts_are_those_of_acvp)
{
	/* What a changed z or hint breaks first is up to the change. */
	static const struct {
		const char *reason;
		int codes[3];
	} verdicts[] = {
	    {"valid", {0, 0, 0}},
	    {"modified message", {VLDAA_ERR_PROOF, VLDAA_ERR_PROOF, VLDAA_ERR_PROOF}},
	    {"modified signature - commitment",
	     {VLDAA_ERR_PROOF, VLDAA_ERR_PROOF, VLDAA_ERR_PROOF}},
	    {"modified signature - z", {VLDAA_ERR_PROOF, VLDAA_ERR_NORM, VLDAA_ERR_NORM}},
	    {"modified signature - hint", {VLDAA_ERR_PROOF, VLDAA_ERR_ENCODING, VLDAA_ERR_NORM}},
	};
	static mldsa_key key;
	static uint8_t signature[VLDAA_MLDSA_MAX_SIGNATURE];
	const json *all;

	load("ml-dsa/acvp.json");
	all = list("sigver", 20);
	for (size_t i = 0; i < json_count(all); i++) {
		const json *v = json_at(all, i);
		const vldaa_mldsa_set *set = set_of(v);
		const char *reason = json_string(json_get(v, "reason"));
		uint8_t mu[VLDAA_MLDSA_MU_BYTES];
		size_t r = 0;

		json_exact_bytes(json_get(v, "public"), key.public, set->public_bytes);
		json_exact_bytes(json_get(v, "signature"), signature, set->signature_bytes);
		vldaa_mldsa_tr(set, key.public, key.secret.tr);
		key.secret.set = set;
		read_mu(v, key.secret.tr, mu);
		while (strcmp(verdicts[r].reason, reason) != 0)
			ck_assert_uint_lt(++r, sizeof verdicts / sizeof verdicts[0]);
		const int code = mldsa_verify(&key, mu, signature);
		ck_assert_msg(code == verdicts[r].codes[0] || code == verdicts[r].codes[1] ||
				  code == verdicts[r].codes[2],
			      "%s, %s: %d", json_string(json_get(v, "id")), reason, code);
	}
	unload();
}
END_TEST

START_TEST(signatures_of_wycheproofs_corner_cases_are_right)
{
	static mldsa_key key;
	static uint8_t signature[VLDAA_MLDSA_MAX_SIGNATURE];
	static uint8_t bytes[VLDAA_MLDSA_MAX_PRIVATE];
	const json *all, *keys;
	size_t bad = 0;

	load("ml-dsa/wycheproof.json");
	all = list("sign", 117);
	keys = json_get(vectors, "keys");
	for (size_t i = 0; i < json_count(all); i++) {
		const json *v = json_at(all, i);

		if (json_has(v, "bad_private")) {
			json_exact_bytes(json_get(v, "bad_private"), bytes,
					 set_of(v)->private_bytes);
			ck_assert_int_eq(vldaa_mldsa_decode_private(&key.secret, set_of(v), bytes),
					 VLDAA_ERR_RANGE);
			bad++;
			continue;
		}
		read_private(&key, set_of(v), json_get(keys, json_string(json_get(v, "private"))));
		check_signature(&key, v, signature);
	}
	ck_assert_uint_eq(bad, 4);
	unload();
}
END_TEST

START_TEST(verdicts_on_wycheproofs_corner_cases_are_right)
{
	static mldsa_key key;
	static uint8_t signature[VLDAA_MLDSA_MAX_SIGNATURE];
	const json *all, *keys;

	load("ml-dsa/wycheproof.json");
	all = list("verify", 18);
	keys = json_get(vectors, "keys");
	for (size_t i = 0; i < json_count(all); i++) {
		const json *v = json_at(all, i);
		const vldaa_mldsa_set *set = set_of(v);
		const char *what = json_string(json_get(v, "what"));
		uint8_t mu[VLDAA_MLDSA_MU_BYTES];

		json_exact_bytes(json_get(keys, json_string(json_get(v, "public"))), key.public,
				 set->public_bytes);
		json_exact_bytes(json_get(v, "signature"), signature, set->signature_bytes);
		vldaa_mldsa_tr(set, key.public, key.secret.tr);
		key.secret.set = set;
		read_mu(v, key.secret.tr, mu);
		const int code = mldsa_verify(&key, mu, signature);
		if (json_boolean(json_get(v, "valid")))
			ck_assert_msg(code == 0, "%s: %d", what, code);
		else if (strstr(what, "c_tilde") || strstr(what, "flip in hints") ||
			 strstr(what, "omega+1")) /* of which omega are encoded */
			ck_assert_msg(code == VLDAA_ERR_PROOF, "%s: %d", what, code);
		else
			ck_assert_msg(code == VLDAA_ERR_ENCODING, "%s: %d", what, code);
	}
	unload();
}
END_TEST

START_TEST(keys_and_signatures_are_those_of_another_implementation)
{
	static mldsa_key key;
	static uint8_t bytes[VLDAA_MLDSA_MAX_PRIVATE];
	static uint8_t signature[VLDAA_MLDSA_MAX_SIGNATURE];
	const json *all;

	load("ml-dsa/noble.json");
	all = list("seeded", 16);
	for (size_t i = 0; i < json_count(all); i++) {
		const json *v = json_at(all, i);
		const vldaa_mldsa_set *set = set_of(v);
		uint8_t seed[VLDAA_MLDSA_SEED_BYTES];

		json_exact_bytes(json_get(v, "seed"), seed, sizeof seed);
		vldaa_mldsa_keygen(set, key.public, &key.secret, seed, ws);
		assert_digest(v, "public_sha256", key.public, set->public_bytes);
		vldaa_mldsa_encode_private(bytes, &key.secret);
		assert_digest(v, "private_sha256", bytes, set->private_bytes);
		check_signature(&key, v, signature);
	}
	unload();
}
END_TEST

START_TEST(keys_of_given_short_vectors_work_with_another_implementation)
{
	static mldsa_key key;
	static uint8_t bytes[VLDAA_MLDSA_MAX_PRIVATE];
	static uint8_t signature[VLDAA_MLDSA_MAX_SIGNATURE];
	static uint8_t expected[VLDAA_MLDSA_MAX_SIGNATURE];
	const json *all;

	load("ml-dsa/noble.json");
	all = list("given", 6);
	for (size_t i = 0; i < json_count(all); i++) {
		const json *v = json_at(all, i);
		const vldaa_mldsa_set *set = set_of(v);
		const size_t short_bytes = (set->k + set->l) * 96;
		uint8_t mu[VLDAA_MLDSA_MU_BYTES];

		memset(bytes, 0, sizeof bytes);
		json_exact_bytes(json_get(v, "rho"), bytes, 32);
		json_exact_bytes(json_get(v, "K"), bytes + 32, 32);
		json_exact_bytes(json_get(v, "s1_s2"), bytes + PRIVATE_HEAD, short_bytes);
		ck_assert_int_eq(vldaa_mldsa_decode_private(&key.secret, set, bytes), 0);
		vldaa_mldsa_complete(key.public, &key.secret, NULL, ws);
		json_exact_bytes(json_get(v, "public"), bytes, set->public_bytes);
		ck_assert_mem_eq(key.public, bytes, set->public_bytes);
		vldaa_mldsa_encode_private(bytes, &key.secret);
		assert_digest(v, "private_sha256", bytes, set->private_bytes);
		check_signature(&key, v, signature);
		json_exact_bytes(json_get(v, "signature"), expected, set->signature_bytes);
		ck_assert_mem_eq(signature, expected, set->signature_bytes);
		read_mu(v, key.secret.tr, mu);
		ck_assert_int_eq(mldsa_verify(&key, mu, expected), 0);
	}
	unload();
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("vectors");

	tcase_add_test(tc, keys_are_those_of_acvp);
	tcase_add_test(tc, signatures_are_those_of_acvp);
	tcase_add_test(tc, verdicts_are_those_of_acvp);
	tcase_add_test(tc, signatures_of_wycheproofs_corner_cases_are_right);
	tcase_add_test(tc, verdicts_on_wycheproofs_corner_cases_are_right);
	tcase_add_test(tc, keys_and_signatures_are_those_of_another_implementation);
	tcase_add_test(tc, keys_of_given_short_vectors_work_with_another_implementation);
	return mldsa_run("mldsa", tc);
}
