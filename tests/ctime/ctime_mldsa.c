/*
 * Promises, about the library's own object files under valgrind's memcheck: no branch and no
 * address of ML-DSA's key generation, completion of a key, its encoding and decoding, and signing
 * depends on the seed, K, s1, s2, t0 or rnd; those are secrets all the time, while public keys and
 * signatures are declassified on purpose.
 *
 * How: see ctime_member.c.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <valgrind/memcheck.h>

#include "mldsa/mldsa.h"
#include "random/secret.h"

enum { MESSAGES = 6 };

static void require(int holds, const char *what)
{
	if (!holds) {
		fprintf(stderr, "%s\n", what);
		exit(EXIT_FAILURE);
	}
}

/* How many of these bytes are (partly) marked secret. */
static size_t secret_bytes(const void *p, size_t len)
{
	const char *bytes = p;
	size_t count = 0;

	for (size_t i = 0; i < len; i++) {
		char bits = 0;

		require(VALGRIND_GET_VBITS(bytes + i, &bits, 1) == 1, "no mark of a byte");
		count += bits != 0;
	}
	return count;
}

static void require_secret(const vldaa_mldsa_private *key)
{
	const vldaa_mldsa_set *set = key->set;
	const size_t poly = sizeof(vldaa_mldsa_poly);

	require(secret_bytes(key->rho, sizeof key->rho) == 0, "rho is public");
	require(secret_bytes(key->tr, sizeof key->tr) == 0, "tr is public");
	require(secret_bytes(key->K, sizeof key->K) == sizeof key->K, "K is secret");
	require(secret_bytes(key->s1, set->l * poly) == set->l * poly, "s1 is secret");
	require(secret_bytes(key->s2, set->k * poly) == set->k * poly, "s2 is secret");
	require(secret_bytes(key->t0, set->k * poly) == set->k * poly, "t0 is secret");
}

static void sign(const vldaa_mldsa_private *key, const uint8_t *public_key,
		 vldaa_mldsa_workspace *ws)
{
	static uint8_t signature[VLDAA_MLDSA_MAX_SIGNATURE];
	const vldaa_mldsa_set *set = key->set;

	for (unsigned i = 0; i < MESSAGES; i++) {
		uint8_t mu[VLDAA_MLDSA_MU_BYTES];
		uint8_t rnd[32] = {(uint8_t)i};
		vldaa_shake s;

		vldaa_secret_mark(rnd, sizeof rnd);
		vldaa_mldsa_mu_begin(&s, key->tr, NULL, 0);
		vldaa_shake_absorb(&s, &i, sizeof i);
		vldaa_mldsa_mu_end(&s, mu);
		require(vldaa_mldsa_sign(key, mu, rnd, signature, ws) == 0, "signing failed");
		require(secret_bytes(signature, set->signature_bytes) == 0,
			"a signature is public");
		require(vldaa_mldsa_verify(set, public_key, mu, signature, ws) == 0,
			"a signature does not verify");
	}
}

static void check(const vldaa_mldsa_set *set)
{
	static vldaa_mldsa_workspace ws;
	static vldaa_mldsa_private key;
	static uint8_t public_key[VLDAA_MLDSA_MAX_PUBLIC];
	static uint8_t encoded[VLDAA_MLDSA_MAX_PRIVATE];
	static vldaa_mldsa_poly t[VLDAA_MLDSA_MAX_K];
	const size_t secret = set->private_bytes - 128;
	uint8_t seed[32] = {9};

	vldaa_secret_mark(seed, sizeof seed);
	vldaa_mldsa_keygen(set, public_key, &key, seed, &ws);
	require(secret_bytes(public_key, set->public_bytes) == 0, "a public key is public");
	require_secret(&key);
	sign(&key, public_key, &ws);

	vldaa_mldsa_encode_private(encoded, &key);
	require(secret_bytes(encoded + 128, secret) == secret, "an encoded key is secret");
	require(vldaa_mldsa_decode_private(&key, set, encoded) == 0, "decoding failed");
	require_secret(&key);
	vldaa_mldsa_complete(public_key, &key, t, &ws);
	require(secret_bytes(public_key, set->public_bytes) == 0, "a public key is public");
	require_secret(&key);
	sign(&key, public_key, &ws);
}

int main(void)
{
	if (!RUNNING_ON_VALGRIND) {
		fprintf(stderr, "this program says something under valgrind only\n");
		return EXIT_FAILURE;
	}
	check(&vldaa_mldsa_44);
	check(&vldaa_mldsa_87);
	return EXIT_SUCCESS;
}
