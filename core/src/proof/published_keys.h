/*
 * The public elements of a published set, expanded: what every proof multiplies by.
 *
 *   A' = [a_0 a_1], u, A_1 = [1 a_11 a_12], A_2 = [0 1 a_2], a_T = [1 a_T1], a_H = [1 a_H1] from
 * rho; B = [b_0 b_1] = -A' R from the group key.
 */
#ifndef VLDAA_PUBLISHED_KEYS_H
#define VLDAA_PUBLISHED_KEYS_H

#include "arena.h"
#include "random/hash.h"
#include "random/rng.h"
#include "scheme/published_set.h"
#include "scheme/scheme.h"

/* Places of the elements in the stream of rho. */
enum vldaa_public_element {
	VLDAA_EL_A0,
	VLDAA_EL_A1,
	VLDAA_EL_U,
	VLDAA_EL_A11,
	VLDAA_EL_A12,
	VLDAA_EL_A2,
	VLDAA_EL_AT1,
	VLDAA_EL_AH1,
	VLDAA_ELEMENTS
};

/* The j of the automorphism sigma_j that fixes exactly Z_q + Z_q X^(d/2). */
enum { VLDAA_SIGMA = 5 };
enum { VLDAA_RHO_BYTES = 32, VLDAA_COMMIT_DIGEST_BYTES = 64, VLDAA_CREATE_NONCE_BYTES = 32 };

/* The element of this place, centred coefficients. */
void vldaa_public_expand(const vldaa_published_set *set, int64_t *out, const uint8_t *rho,
			 enum vldaa_public_element which);
/* b = H(bsn), in the hat domain and, in poly, as coefficients. */
void vldaa_basename_hat(const vldaa_published_set *set, uint32_t *b_hat, const uint8_t *key_id,
			vldaa_bytes basename, int64_t *poly);

/* All of them, for everybody but the TPM.  Invariant: hat-domain arrays of one element each. */
typedef struct {
	const vldaa_published_set *set;
	uint8_t key_id[VLDAA_KEY_ID_BYTES];
	uint32_t *a0, *a1, *b0, *b1;
	uint32_t *a11, *a12, *a2;
	uint32_t *sigma_a11, *sigma_a12, *sigma_a2; /* sigma_5 of the commitment key */
	uint32_t *at1, *ah1;
	uint32_t *u;
	int64_t *u_poly; /* centred coefficients */
} vldaa_public_keys;

void vldaa_public_keys_layout(vldaa_public_keys *k, const vldaa_ring *r, vldaa_arena *a);
/* payload: rho || B packed. */
int vldaa_public_keys_init(vldaa_public_keys *k, const vldaa_published_set *set,
			   const uint8_t *payload, const uint8_t *key_id);

/* The challenge polynomial of c~ in the hat domain; poly is scratch. */
void vldaa_challenge_hat(const vldaa_published_set *set, uint32_t *c_hat, const uint8_t *c_tilde,
			 int64_t *poly);
/* A polynomial's canonical bytes as one hash part. */
void vldaa_hash_poly(const vldaa_ring *r, vldaa_shake *s, const int64_t *a);

/* out = a_0 + b a_1 for the member key relations: u_T = e_0 + a_T1 e_1 and alike, centred.
 * e: 2 polynomials, |e| reduced modulo q first; hats are scratch (2 elements). */
void vldaa_member_public(const vldaa_ring *r, int64_t *out, const uint32_t *a1_hat,
			 const int64_t *e, uint32_t *hat);

/* The member's error sampler: (e_0, e_1) with e_0 <- D_sigma until ||e_0||^2 <= 1.21 sigma^2 d, e_1
 * ternary. */
int vldaa_member_sample(const vldaa_published_set *set, int64_t *e, vldaa_rng *rng);

/* Secret keys' fixed-length encoding: e_0 (small), e_1 (ternary). */
size_t vldaa_member_pack_size(const vldaa_published_set *set);
void vldaa_member_pack(const vldaa_published_set *set, vldaa_writer *w, const int64_t *e);
void vldaa_member_unpack(const vldaa_published_set *set, vldaa_reader *rd, int64_t *e);

#endif
