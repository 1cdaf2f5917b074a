/*
 * Arithmetic of Z_q[X]/(X^256+1), q = 8380417, for ML-DSA.
 *
 * Products are Montgomery's with 2^32: a 2^-32 modulo q, between -q and q for |a| < 2^31 q; the
 * inverse transform takes the factor out again.  2^31 is 256.25 q.  Ranges are of coefficients; the
 * debugging build checks them.
 */
#ifndef VLDAA_MLDSA_POLY_H
#define VLDAA_MLDSA_POLY_H

#include "mldsa/mldsa.h"

/* NTT (Algorithm 41) in place: |in| <= q, |out| <= 9q. */
void vldaa_mldsa_ntt(vldaa_mldsa_poly *a);
/* Inverse NTT (Algorithm 42) in place, of what mul and dot give: |in| < q, |out| < q. */
void vldaa_mldsa_intt(vldaa_mldsa_poly *a);
/* out = a b 2^-32 (NTT domain): |a|, |b| <= 9q, |out| < q.  out may be a or b. */
void vldaa_mldsa_mul(vldaa_mldsa_poly *out, const vldaa_mldsa_poly *a, const vldaa_mldsa_poly *b);
/* out = sum of n <= 8 products a[i] b[i] 2^-32 (NTT domain): 0 <= a < q, |b| <= 9q, |out| < q. */
void vldaa_mldsa_dot(vldaa_mldsa_poly *out, const vldaa_mldsa_poly *a, const vldaa_mldsa_poly *b,
		     size_t n);
/* |in| < 2^31 - 2^22, |out| <= 2^22 + 2^21.  A number below 2^22 - 2^14 comes out as itself, also
 * when q or 2q was added or subtracted. */
void vldaa_mldsa_reduce(vldaa_mldsa_poly *a);
/* Into [0, q) from (-q, q). */
void vldaa_mldsa_freeze(vldaa_mldsa_poly *a);
/* Sums and differences, not reduced; out may be a or b. */
void vldaa_mldsa_add(vldaa_mldsa_poly *out, const vldaa_mldsa_poly *a, const vldaa_mldsa_poly *b);
void vldaa_mldsa_sub(vldaa_mldsa_poly *out, const vldaa_mldsa_poly *a, const vldaa_mldsa_poly *b);
/* 1 when some |coefficient| >= bound > 0; constant time but for the answer. */
int vldaa_mldsa_exceeds(const vldaa_mldsa_poly *a, int32_t bound);

/* Power2Round (Algorithm 35): a in [0, q) = a1 2^13 + a0, a0 in (-2^12, 2^12]. */
void vldaa_mldsa_power2round(vldaa_mldsa_poly *a1, vldaa_mldsa_poly *a0, const vldaa_mldsa_poly *a);
/* Decompose (Algorithm 36): a in [0, q) = a1 2 gamma2 + a0. */
void vldaa_mldsa_decompose(const vldaa_mldsa_set *set, vldaa_mldsa_poly *a1, vldaa_mldsa_poly *a0,
			   const vldaa_mldsa_poly *a);
/* MakeHint (Algorithm 39) for r = a1 2 gamma2 + a0, |a0| < 2 gamma2: h is 1 where r's high part is
 * not a1.  Returns how many.  h may be a0. */
uint32_t vldaa_mldsa_make_hint(const vldaa_mldsa_set *set, vldaa_mldsa_poly *h,
			       const vldaa_mldsa_poly *a1, const vldaa_mldsa_poly *a0);
/* UseHint (Algorithm 40) in place: a in [0, q) becomes its corrected high part. */
void vldaa_mldsa_use_hint(const vldaa_mldsa_set *set, vldaa_mldsa_poly *a,
			  const vldaa_mldsa_poly *h);

/* --- sampling (Algorithms 29 to 34) --- */

/* A, k x l elements row-major, NTT domain, [0, q). */
void vldaa_mldsa_expand_a(const vldaa_mldsa_set *set, vldaa_mldsa_poly *a, const uint8_t rho[32]);
/* s1 (l), s2 (k) from rho' (64 bytes), coefficients in [-eta, eta]. */
void vldaa_mldsa_expand_s(const vldaa_mldsa_set *set, vldaa_mldsa_poly *s1, vldaa_mldsa_poly *s2,
			  const uint8_t rho_prime[64]);
/* y (l), coefficients in (-gamma1, gamma1]. */
void vldaa_mldsa_expand_mask(const vldaa_mldsa_set *set, vldaa_mldsa_poly *y,
			     const uint8_t rho_pp[64], uint32_t kappa);
void vldaa_mldsa_sample_in_ball(const vldaa_mldsa_set *set, vldaa_mldsa_poly *c,
				const uint8_t *ctilde);

/* --- bits (Algorithms 16 to 21, 28): `bits` of (base - a) or of a, least significant first --- */

void vldaa_mldsa_pack(uint8_t *out, const vldaa_mldsa_poly *a, uint32_t bits, int32_t base,
		      int negate);
void vldaa_mldsa_unpack(vldaa_mldsa_poly *a, const uint8_t *in, uint32_t bits, int32_t base,
			int negate);
/* HintBitPack and HintBitUnpack: omega + k bytes. */
void vldaa_mldsa_pack_hint(const vldaa_mldsa_set *set, uint8_t *out, const vldaa_mldsa_poly *h);
int vldaa_mldsa_unpack_hint(const vldaa_mldsa_set *set, vldaa_mldsa_poly *h, const uint8_t *in);

extern const int32_t vldaa_mldsa_zetas[VLDAA_MLDSA_N]; /* zeta^brv8(i) 2^32 mod q, centred */

#endif
