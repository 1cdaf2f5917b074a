/*
 * Attestations and message signatures under any pseudonym, without its secret.
 *
 * A proof is a hash c~ of first messages w, and responses z that must be short and satisfy linear
 * equations: A z = w + c t, where c is the challenge of c~ and t the public values.  An honest
 * prover makes w = A y from short masks y and answers z = y + c secret.  A forger without the
 * secret takes any w, hashes, and solves A z = w + c t modulo q.  What should stop him is that a
 * solution modulo q is too long; here the bounds on z are larger than anything modulo q.
 *
 * The equations are in core/src/proof/blindsign.h.  They are solved from a triangle: each has an
 * unknown with the coefficient 1 that no earlier one uses.
 */
#include <stdlib.h>
#include <string.h>

#include "forgery.h"

/* a + b c */
static poly add_mul(const ring *R, poly a, poly b, poly c)
{
	return forgery_poly_add(R, a, forgery_poly_mul(R, b, c));
}

static poly sub_mul(const ring *R, poly a, poly b, poly c)
{
	return forgery_poly_sub(R, a, forgery_poly_mul(R, b, c));
}

/* The first messages: five that the host commits to, then w_3 and w_N. */
enum { W_1, W_1P, W_1S, W_2, W_D, W_3, W_N, FIRST_MESSAGES, OF_THE_HOST = W_3 };

static void create_challenge(const group *g, attestation *a, const poly w[FIRST_MESSAGES])
{
	EVP_MD_CTX *h = forgery_hash_begin(g->n->oracle, "VLDAA create-host", g->n);
	uint8_t host_digest[HOST_DIGEST_BYTES];

	forgery_hash_part(h, g->key_id, sizeof g->key_id);
	for (size_t i = 0; i < COMMITMENTS; i++)
		forgery_hash_poly(h, g->n, &a->t[i]);
	for (size_t i = 0; i < OF_THE_HOST; i++)
		forgery_hash_poly(h, g->n, &w[i]);
	forgery_hash_end(h, host_digest, sizeof host_digest);

	h = forgery_hash_begin(g->n->oracle, "VLDAA create", g->n);
	forgery_hash_part(h, g->key_id, sizeof g->key_id);
	forgery_hash_part(h, a->basename, a->basename_len);
	forgery_hash_poly(h, g->n, &a->nym);
	forgery_hash_part(h, host_digest, sizeof host_digest);
	forgery_hash_poly(h, g->n, &w[W_3]);
	forgery_hash_poly(h, g->n, &w[W_N]);
	forgery_hash_part(h, a->nonce, sizeof a->nonce);
	forgery_hash_end(h, a->c_tilde, g->n->challenge_bytes);
}

/*
 * The tag's commitments (P1, P2):
 *   w_1  + c t_1               = z_r0  + a_11 z_r1  + a_12 z_r2
 *   w'_1 + c t'_1              = z_r'0 + a_11 z_r'1 + a_12 z_r'2
 *   w~_1 + c sigma(t_1)        = z_r~0 + sigma(a_11) z_r~1 + sigma(a_12) z_r~2
 *   w_2  + c (t_2 - sigma(t_2)) = z_r1 + a_2 z_r2 - (z_r~1 + sigma(a_2) z_r~2)
 *   w_d  + c (t'_2 - delta t_2) = z_r'1 + a_2 z_r'2 - delta (z_r1 + a_2 z_r2)
 */
static void solve_commitments(const group *g, attestation *a, poly c, const poly *w)
{
	const ring *R = g->R;
	const poly s_a11 = forgery_poly_sigma5(R, g->a11), s_a12 = forgery_poly_sigma5(R, g->a12);
	const poly s_a2 = forgery_poly_sigma5(R, g->a2);
	poly right, row2, row2_s;

	a->z_r[2] = forgery_poly_uniform(R);
	a->z_rp[2] = forgery_poly_uniform(R);
	a->z_rs[2] = forgery_poly_uniform(R);
	a->z_rs[1] = forgery_poly_uniform(R);

	/* the fourth equation gives z_r1 */
	row2_s = add_mul(R, a->z_rs[1], s_a2, a->z_rs[2]);
	right = add_mul(R, w[W_2], c,
			forgery_poly_sub(R, a->t[T_2], forgery_poly_sigma5(R, a->t[T_2])));
	row2 = forgery_poly_add(R, right, row2_s); /* z_r1 + a_2 z_r2 */
	a->z_r[1] = sub_mul(R, row2, g->a2, a->z_r[2]);
	/* the fifth gives z_r'1 */
	right =
	    add_mul(R, w[W_D], c,
		    forgery_poly_sub(R, a->t[T_2P], forgery_poly_scale(R, g->n->delta, a->t[T_2])));
	right = forgery_poly_add(R, right, forgery_poly_scale(R, g->n->delta, row2));
	a->z_rp[1] = sub_mul(R, right, g->a2, a->z_rp[2]);
	/* the first three give z_r0, z_r'0, z_r~0 */
	right = add_mul(R, w[W_1], c, a->t[T_1]);
	right = sub_mul(R, right, g->a11, a->z_r[1]);
	a->z_r[0] = sub_mul(R, right, g->a12, a->z_r[2]);
	right = add_mul(R, w[W_1P], c, a->t[T_1P]);
	right = sub_mul(R, right, g->a11, a->z_rp[1]);
	a->z_rp[0] = sub_mul(R, right, g->a12, a->z_rp[2]);
	right = add_mul(R, w[W_1S], c, forgery_poly_sigma5(R, a->t[T_1]));
	right = sub_mul(R, right, s_a11, a->z_rs[1]);
	a->z_rs[0] = sub_mul(R, right, s_a12, a->z_rs[2]);
}

/*
 * The credential (P3) and the pseudonym (P4):
 *   w_3 + c u   = a_0 z_s10 + a_1 z_s11 + (b_0 + t_2) z_s20 + (b_1 + t'_2) z_s21
 *                 - (z_T0 + a_T1 z_T1) - (z_H0 + a_H1 z_H1) - (z_s31 + a_2 z_s32)
 *   w_N + c nym = b z_T1 + z_N
 */
static void solve_credential(const group *g, attestation *a, poly c, const poly *w, poly b)
{
	const ring *R = g->R;
	poly rest;

	for (size_t j = 0; j < 2; j++) {
		a->z_s1[j] = forgery_poly_uniform(R);
		a->z_s2[j] = forgery_poly_uniform(R);
		a->z_T[j] = forgery_poly_uniform(R);
		a->z_H[j] = forgery_poly_uniform(R);
	}
	a->z_s3[1] = forgery_poly_uniform(R);
	/* the first gives z_s31 */
	rest = forgery_poly_mul(R, g->a0, a->z_s1[0]);
	rest = add_mul(R, rest, g->a1, a->z_s1[1]);
	rest = add_mul(R, rest, forgery_poly_add(R, g->b0, a->t[T_2]), a->z_s2[0]);
	rest = add_mul(R, rest, forgery_poly_add(R, g->b1, a->t[T_2P]), a->z_s2[1]);
	rest = forgery_poly_sub(R, rest, add_mul(R, a->z_T[0], g->aT1, a->z_T[1]));
	rest = forgery_poly_sub(R, rest, add_mul(R, a->z_H[0], g->aH1, a->z_H[1]));
	rest = sub_mul(R, rest, g->a2, a->z_s3[1]);
	a->z_s3[0] = forgery_poly_sub(R, rest, add_mul(R, w[W_3], c, g->u));
	/* the second gives z_N */
	a->z_N = sub_mul(R, add_mul(R, w[W_N], c, a->nym), b, a->z_T[1]);
}

bytes forgery_attestation(const group *g, basename_bytes basename, const poly *nym)
{
	attestation a;
	poly w[FIRST_MESSAGES], c;

	memset(&a, 0, sizeof a);
	memcpy(a.basename, basename.at, basename.len);
	a.basename_len = basename.len;
	a.nym = *nym;
	/* "commitments" to nothing, first messages out of nowhere */
	for (size_t i = 0; i < COMMITMENTS; i++)
		a.t[i] = forgery_poly_uniform(g->R);
	for (size_t i = 0; i < FIRST_MESSAGES; i++)
		w[i] = forgery_poly_uniform(g->R);
	create_challenge(g, &a, w);
	c = forgery_challenge_poly(g->n, a.c_tilde);
	solve_commitments(g, &a, c, w);
	solve_credential(g, &a, c, w, forgery_basename_poly(g, basename));
	return forgery_attestation_write(&a, g);
}

/* w + c nym = b z_1 + z_N */
bytes forgery_signature(const group *g, const subject *about)
{
	const ring *R = g->R;
	const poly b = forgery_basename_poly(g, about->basename);
	const poly w = forgery_poly_uniform(R);
	uint8_t c_tilde[MAX_CHALLENGE_BYTES];
	poly z_1, z_N, c;

	forgery_sign_challenge(g, about, &w, c_tilde);
	c = forgery_challenge_poly(g->n, c_tilde);
	z_1 = forgery_poly_uniform(R);
	z_N = sub_mul(R, add_mul(R, w, c, *about->nym), b, z_1);
	return forgery_compact_write(g, about->attestation_digest, c_tilde, &z_1, &z_N);
}

/*
 * The verifier's equations are modulo q, the responses are integers: z and z + q e are the same to
 * the equations.  The largest coefficient, moved towards zero, stays within its bound where that
 * bound is above q.
 */
static void move_by_q(const ring *R, poly *z)
{
	uint32_t largest = 0;

	for (uint32_t i = 1; i < R->d; i++) {
		if (llabs(z->c[i]) > llabs(z->c[largest]))
			largest = i;
	}
	z->c[largest] += z->c[largest] > 0 ? -R->q : R->q;
}

int forgery_maul_attestation(const group *g, const bytes *in, bytes *out)
{
	attestation a;

	*out = (bytes){NULL, 0, 0};
	if (forgery_attestation_read(&a, g, in))
		return -1;
	move_by_q(g->R, &a.z_s3[0]);
	*out = forgery_attestation_write(&a, g);
	return 0;
}

int forgery_maul_signature(const group *g, const bytes *in, bytes *out)
{
	uint8_t digest[VLDAA_DIGEST_BYTES], c_tilde[MAX_CHALLENGE_BYTES];
	poly z_1, z_N;

	*out = (bytes){NULL, 0, 0};
	if (forgery_compact_read(g, in, digest, c_tilde, &z_1, &z_N))
		return -1;
	move_by_q(g->R, &z_N);
	*out = forgery_compact_write(g, digest, c_tilde, &z_1, &z_N);
	return 0;
}
