/*
 * A small world for tests: a manufacturer, an issuer, a revocation authority, TPMs whose store and
 * services live in memory, and helpers that run a whole step and assert that it works.  Everything
 * is determined by the labels but the sealing of answers and orders.
 */
#ifndef VLDAA_TEST_WORLD_H
#define VLDAA_TEST_WORLD_H

#include <openssl/evp.h>
#include <openssl/x509.h>

#include "role/source.h"
#include "vldaa/host.h"
#include "vldaa/issuer.h"
#include "vldaa/member_key.h"
#include "vldaa/revoke.h"
#include "vldaa/tpm.h"
#include "vldaa/verify.h"

typedef struct {
	uint8_t *data;
	size_t len;
} buffer;

buffer buffer_new(size_t len);
void buffer_free(buffer *b);

enum { STORE_RECORDS = 64 };

/* A durable store in memory; fail_commit makes the next commits fail. */
typedef struct {
	struct {
		enum vldaa_record record;
		uint8_t name[VLDAA_RECORD_NAME];
		uint8_t *value;
		size_t len;
	} rows[STORE_RECORDS];
	size_t count;
	int fail_commit;
	int fail_load;
	unsigned commits;
} memory_store;

/* A deterministic random source: SHAKE of a label and a counter. fail_at counts down to a failure.
 */
typedef struct {
	uint64_t label;
	uint64_t counter;
	int64_t fail_at; /* negative: never */
} test_random;
int test_random_bytes(void *ctx, uint8_t *out, size_t len);

typedef struct {
	EVP_PKEY *key;
	buffer pkcs8;
	buffer spki;
} ordinary_key;
/* Ed25519, whose signatures are deterministic: the same label and purpose, the same key. */
ordinary_key ordinary_key_new(uint64_t label, const char *purpose);
void ordinary_key_free(ordinary_key *k);

typedef struct {
	const vldaa_set *set;
	test_random random;
	ordinary_key root_key;
	X509 *root;
	buffer roots_pem;
	ordinary_key authority;  /* signs answers */
	ordinary_key revocation; /* signs orders */
	uint8_t fleet_key[32];
	buffer issuer_key;
	vldaa_issuer *issuer;
	buffer group_key;
	vldaa_verifier *verifier;
	int64_t now;
} world;

void world_init(world *w, const vldaa_set *set, uint64_t label);
void world_free(world *w);

/* A car: TPM, endorsement key, store, host. */
typedef struct {
	world *world;
	memory_store store;
	test_random random;
	uint64_t answers; /* one-time key pairs made so far */
	ordinary_key endorsement;
	buffer chain;
	vldaa_tpm_services services;
	void *workspace;
	size_t workspace_len;
	vldaa_tpm *tpm;
	vldaa_host *host;
	buffer host_key;
	buffer credential;
} car;

void car_init(car *c, world *w, uint64_t label);
void car_free(car *c);

/* Steps; all buffers are the caller's to free. */
buffer car_request(car *c, const uint8_t nonce[32]);
buffer world_answer(world *w, buffer request);
void car_accept(car *c, buffer answer);
void car_join(car *c); /* all three */
buffer car_create(car *c, const char *basename);
/* Negative error instead of an assertion. */
int car_try_create(car *c, const uint8_t *basename, size_t len, buffer *attestation);
int car_try_sign(car *c, buffer attestation, enum vldaa_form form, const void *message, size_t len,
		 buffer *signature);
/* What a joined car consists of, and the same member in software. */
vldaa_member_parts car_parts(const car *c);
vldaa_member_key *car_member_key(const car *c);
buffer car_sign(car *c, buffer attestation, enum vldaa_form form, const void *message, size_t len);
int world_verify(world *w, buffer signature, const vldaa_attestation *known, const void *message,
		 size_t len);

#endif
