/*
 * The issuer's NTRU key, as Falcon has it (specification v1.2, section 3.8).
 *
 * Convention, here and everywhere: h = g/f modulo p, f G - g F = p over Z[X]/(X^N+1), and the rows
 *
 *   b_0 = (g, -f),  b_1 = (G, -F)
 *
 * are the short basis of the lattice {(v_1, v_2) : v_1 + h v_2 = 0 mod p}.
 *
 * Making a key takes variable time, once.  Reading one back has no branch and no address that
 * depends on it but for the outcome; it divides doubles.
 */
#ifndef VLDAA_NTRU_KEY_H
#define VLDAA_NTRU_KEY_H

#include "random/rng.h"
#include "sampler/ntru_set.h"

/* All secret.  Invariant of a complete key: the equation; |f|, |g| <= fg_max, |F|, |G| <= FG_max;
 * f invertible modulo p; vldaa_ntru_quality accepts f, g. */
typedef struct {
	int64_t f[VLDAA_MAX_DEGREE];
	int64_t g[VLDAA_MAX_DEGREE];
	int64_t F[VLDAA_MAX_DEGREE];
	int64_t G[VLDAA_MAX_DEGREE];
} vldaa_ntru_key;

/*
 * Solves f G - g F = p over Z[X]/(X^N+1) with F, G reduced against f, g.  |f|, |g| < 2^30, N =
 * 2^log_n.  VLDAA_ERR_KEY when there is no solution, or none whose coefficients fit; F and G are
 * zeroed then. The issuer's library has one on FLINT (vldaa/ntru.h); nobody else needs one.
 */
typedef int vldaa_ntru_solver(int64_t *F, int64_t *G, const int64_t *f, const int64_t *g,
			      unsigned log_n, uint32_t p);

/*
 * A new key and its h (centred): f, g from the set's Gaussian, redrawn until the key's invariant
 * holds.  A function of the stream alone.  VLDAA_ERR_ATTEMPTS, with the key zeroed, when that does
 * not happen: a broken solver.
 */
int vldaa_ntru_generate(const vldaa_ntru_set *set, vldaa_ntru_key *key, int64_t *h,
			vldaa_ntru_solver *solve, vldaa_rng *rng);

/*
 * The rest of a stored key: G and h (centred) from f, g, F, within their ranges.  Trusts nothing:
 * VLDAA_ERR_KEY, with key and h zeroed, unless the key's invariant holds.
 */
int vldaa_ntru_complete(const vldaa_ntru_set *set, vldaa_ntru_key *key, int64_t *h);

/*
 * Whether the basis is good enough: the larger of ||(g, -f)||^2 and ||p (f^*, g^*) / (f f^* + g
 * g^*)||^2, its greatest squared Gram-Schmidt norm, is at most quality2.  |f|, |g| < 2^20.
 */
int vldaa_ntru_quality(const vldaa_ntru_set *set, const int64_t *f, const int64_t *g);

#endif
