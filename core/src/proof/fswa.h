/*
 * Fiat-Shamir with aborts (Lyubashevsky, EUROCRYPT 2012), block by block: the parts that every
 * proof of the published sets is made of, and the plain proof of knowledge that Join uses.
 *
 * A block is a few polynomials of secret s with ||s|| <= T, masked by y <- D_xi; its response is
 * z = y + c s over the integers (never reduced modulo q).  A role keeps an attempt by one joint
 * decision over its blocks (sampler/reject.h).
 */
#ifndef VLDAA_FSWA_H
#define VLDAA_FSWA_H

#include "proof/published_keys.h"
#include "wire/bits.h"

/* y <- D_xi: polys * d coefficients. */
void vldaa_fswa_mask(const vldaa_ring *r, const vldaa_block *b, int64_t *y, vldaa_rng *rng);

/* Scratch of vldaa_fswa_respond: one hat-domain element and one polynomial. */
typedef struct {
	uint32_t *hat;
	int64_t *poly;
} vldaa_fswa_scratch;

/*
 * yz := y + c s, and returns the block's term (||c s||^2 - 2 <z, c s>) / (2 xi^2) in units of
 * 2^-52. s_hat: the secret's polynomials in the hat domain; |c s| < 2^52.
 */
int64_t vldaa_fswa_respond(const vldaa_ring *r, const vldaa_block *b, const uint32_t *c_hat,
			   const uint32_t *s_hat, int64_t *yz, const vldaa_fswa_scratch *scratch);

/* ||z||^2 <= beta'^2, exactly. */
int vldaa_fswa_within(const vldaa_ring *r, const vldaa_block *b, const int64_t *z);

/* The response's encoding.  put returns VLDAA_ERR_NORM, and get fails the reader, when the response
 * is longer than beta' or its encoding longer than the block's maximum. */
int vldaa_fswa_put(const vldaa_ring *r, const vldaa_block *b, vldaa_writer *w, const int64_t *z);
void vldaa_fswa_get(const vldaa_ring *r, const vldaa_block *b, vldaa_reader *rd, int64_t *z);

/* out[i] = NTT(z_i mod q) for the polynomials of a response: what verification multiplies. */
void vldaa_fswa_hat(const vldaa_ring *r, size_t polys, uint32_t *out, const int64_t *z,
		    int64_t *scratch);

/*
 * Join's proof: knowledge of short x = (x_0, x_1) with v = x_0 + a_1 x_1 modulo q.
 *   y <- D_xi^2, w = y_0 + a_1 y_1, c~ = H("join", role, key id, bind, v, w), z = y + c x;
 *   proof (c~, z).  Verify: ||z|| <= beta' and c~ = H(..., z_0 + a_1 z_1 - c v).
 */
typedef struct {
	int64_t *v;      /* 1 polynomial: the public key */
	int64_t *w;      /* 1 */
	int64_t *z;      /* 2 */
	int64_t *poly;   /* 1, scratch */
	uint32_t *x_hat; /* 2 */
	uint32_t *y_hat; /* 2 */
	uint32_t *c_hat; /* 1 */
	uint32_t *hat;   /* 1, scratch */
} vldaa_knowledge;

enum vldaa_join_role { VLDAA_JOIN_TPM = 1, VLDAA_JOIN_HOST = 2 };

void vldaa_knowledge_layout(vldaa_knowledge *k, const vldaa_ring *r, vldaa_arena *a);
/* x: 2 polynomials of coefficients; a1_hat: a_1.  Writes v and the proof. */
int vldaa_knowledge_prove(const vldaa_published_set *set, vldaa_knowledge *k,
			  enum vldaa_join_role role, const uint8_t *key_id, vldaa_bytes bind,
			  const uint32_t *a1_hat, const int64_t *x, vldaa_rng *rng,
			  vldaa_writer *out);
/* Reads v and the proof; k->v holds v afterwards. */
int vldaa_knowledge_verify(const vldaa_published_set *set, vldaa_knowledge *k,
			   enum vldaa_join_role role, const uint8_t *key_id, vldaa_bytes bind,
			   const uint32_t *a1_hat, vldaa_bytes in);

#endif
