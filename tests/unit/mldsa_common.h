/* What the tests of ML-DSA share. */
#ifndef VLDAA_TEST_MLDSA_COMMON_H
#define VLDAA_TEST_MLDSA_COMMON_H

#include <check.h>

#include "mldsa/poly.h"

/* ML-DSA-44 and ML-DSA-87, and their names. */
enum { MLDSA_SETS = 2 };
extern const vldaa_mldsa_set *const mldsa_sets[MLDSA_SETS];
const vldaa_mldsa_set *mldsa_set_named(const char *name);

/* One for all tests of a program; too big for a stack. */
extern vldaa_mldsa_workspace mldsa_workspace;

typedef struct {
	vldaa_mldsa_private secret;
	uint8_t public[VLDAA_MLDSA_MAX_PUBLIC];
} mldsa_key;

/* The key of a seed whose bytes are all this. */
void mldsa_key_init(mldsa_key *key, const vldaa_mldsa_set *set, uint8_t seed);

void mldsa_mu(uint8_t mu[VLDAA_MLDSA_MU_BYTES], const uint8_t *tr, const void *context,
	      size_t context_len, const void *message, size_t len);

/* Signs with rnd 0 and asserts that it works. */
void mldsa_sign(const mldsa_key *key, const uint8_t *mu, uint8_t *signature);
int mldsa_verify(const mldsa_key *key, const uint8_t *mu, const uint8_t *signature);

/* 1 when all len bytes are 0. */
int mldsa_is_zero(const void *p, size_t len);

/* Bytes that look random, the same for the same label. */
void mldsa_bytes(uint64_t label, void *out, size_t len);

int mldsa_run(const char *name, TCase *tc);

#endif
