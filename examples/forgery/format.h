/*
 * The documented byte formats (core/README.md), written once more: bytes in and out, the hashes,
 * the group key, the attestation.  Nothing of the library is used for it but the names of its kinds
 * and its result codes, so a forgery that verifies also shows that the document says what the code
 * does.
 */
#ifndef FORGERY_FORMAT_H
#define FORGERY_FORMAT_H

#include <stddef.h>

#include <openssl/evp.h>

#include "ring.h"
#include "vldaa/object.h"

/* What `vldaa-params show` says of a set, as far as a forger needs it. */
typedef struct {
	const char *name;
	uint32_t id;
	ring R;
	uint32_t q_bits;
	int64_t delta; /* the gadget is (1, delta) */
	uint32_t kappa;
	const char *oracle; /* the random oracle's name in libcrypto */
	size_t challenge_bytes;
	/* k of the rice codes: credential; the attestation's blocks; the signature's */
	uint32_t rice_credential;
	uint32_t rice_r, rice_s12, rice_s3, rice_eH, rice_eT, rice_eN;
	uint32_t rice_sign1, rice_signN;
	double gamma;
	int responses_exceed_q; /* every response may be larger than q / 2 */
} numbers;

const numbers *forgery_numbers_of(uint32_t set_id);

/* A byte string that grows.  Memory that cannot be had ends the program. */
typedef struct {
	uint8_t *at;
	size_t len;
	size_t cap;
} bytes;

/* Room for cap bytes, len 0. */
bytes forgery_bytes_new(size_t cap);
bytes forgery_bytes_copy(const void *p, size_t len);
void forgery_bytes_free(bytes *b);

void forgery_put(bytes *b, const void *p, size_t len);
void forgery_put_number(bytes *b, uint64_t value, size_t len); /* big-endian */
void forgery_put_header(bytes *b, enum vldaa_kind kind, const numbers *n);
void forgery_put_uniform(bytes *b, const numbers *n, const poly *a);
void forgery_put_rice(bytes *b, const numbers *n, uint32_t k, const poly *a, size_t count);

/* Reading: past the end, or anything else wrong, sets bad and gives zeroes. */
typedef struct {
	const uint8_t *in;
	size_t len;
	size_t pos;
	int bad;
} reader;

reader forgery_reader_of(const void *in, size_t len);
/* len bytes, or NULL. */
const uint8_t *forgery_get(reader *r, size_t len);
uint64_t forgery_get_number(reader *r, size_t len);
poly forgery_get_uniform(reader *r, const numbers *n);
void forgery_get_rice(reader *r, const numbers *n, uint32_t k, poly *a, size_t count);
/* The header of an object of this kind and set, then the group's key id. */
void forgery_get_head(reader *r, enum vldaa_kind kind, const numbers *n, const uint8_t *key_id);

/* SHAKE over the separator, the set and parts; hash_end gives any number of bytes, once. */
EVP_MD_CTX *forgery_hash_begin(const char *shake, const char *separator, const numbers *n);
void forgery_hash_part(EVP_MD_CTX *h, const void *p, size_t len);
void forgery_hash_number(EVP_MD_CTX *h, uint32_t value);
void forgery_hash_poly(EVP_MD_CTX *h, const numbers *n, const poly *a);
void forgery_hash_end(EVP_MD_CTX *h, uint8_t *out, size_t len);

/* What a group key stands for. */
typedef struct {
	const numbers *n;
	const ring *R;
	bytes object; /* the GROUP_KEY object */
	uint8_t key_id[VLDAA_KEY_ID_BYTES];
	poly a0, a1, b0, b1, u;
	poly a11, a12, a2;
	poly aT1, aH1;
} group;

/* 0, or -1 when these bytes are no group key of a published set. */
int forgery_group_read(group *g, const uint8_t *object, size_t len);
void forgery_group_free(group *g);

typedef struct {
	const void *at;
	size_t len;
} basename_bytes;

/* b = H(bsn); the challenge polynomial of c~; digests. */
poly forgery_basename_poly(const group *g, basename_bytes basename);
poly forgery_challenge_poly(const numbers *n, const uint8_t *c_tilde);
void forgery_message_digest(const numbers *n, const void *message, size_t len, uint8_t digest[64]);
void forgery_attestation_digest(const numbers *n, const bytes *attestation,
				uint8_t digest[VLDAA_DIGEST_BYTES]);

enum { T_1, T_2, T_1P, T_2P, COMMITMENTS };
enum { MAX_CHALLENGE_BYTES = 64, CREATE_NONCE_BYTES = 32, HOST_DIGEST_BYTES = 64 };

typedef struct {
	uint8_t basename[VLDAA_MAX_BASENAME];
	size_t basename_len;
	poly nym;
	poly t[COMMITMENTS];
	uint8_t c_tilde[MAX_CHALLENGE_BYTES];
	uint8_t nonce[CREATE_NONCE_BYTES];
	poly z_r[3], z_rp[3], z_rs[3]; /* r, r', r~ */
	poly z_s1[2], z_s2[2], z_s3[2];
	poly z_H[2], z_T[2], z_N;
} attestation;

/* 0, or -1 when these bytes are no attestation of the group. */
int forgery_attestation_read(attestation *a, const group *g, const bytes *object);
bytes forgery_attestation_write(const attestation *a, const group *g);

/* What a message signature's challenge is made of. */
typedef struct {
	basename_bytes basename;
	const poly *nym;
	const uint8_t *attestation_digest;
	const void *message;
	size_t message_len;
} subject;

void forgery_sign_challenge(const group *g, const subject *about, const poly *w, uint8_t *c_tilde);
/* A COMPACT object. */
bytes forgery_compact_write(const group *g, const uint8_t *attestation_digest,
			    const uint8_t *c_tilde, const poly *z_1, const poly *z_N);
int forgery_compact_read(const group *g, const bytes *object, uint8_t *attestation_digest,
			 uint8_t *c_tilde, poly *z_1, poly *z_N);
/* The same signature as a SIGNATURE object, with the attestation in it. */
bytes forgery_self_contained(const group *g, const bytes *attestation_object, const bytes *compact);

#endif
