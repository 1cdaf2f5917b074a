/* Uniform, ternary and challenge polynomials. */
#ifndef VLDAA_UNIFORM_H
#define VLDAA_UNIFORM_H

#include "random/rng.h"
#include "ring/ring.h"

/* Uniform in R_q from a SHAKE stream: little-endian fields of q_bits bits, a field >= q is skipped;
 * bits left over at the end of the polynomial are dropped.  Centred.  Public: variable time. */
void vldaa_uniform_vartime(const vldaa_ring *r, int64_t *out, vldaa_shake *stream);
/* n uniform coefficients of {-1, 0, 1}; which bytes are rejected does not depend on kept ones. */
void vldaa_ternary(int64_t *out, size_t n, vldaa_rng *rng);
/* The challenge (SampleInBall, scheme documentation "Challenge"): kappa coefficients of +-1, the
 * rest 0, from SHAKE(seed).  rate chooses SHAKE-128 or -256.  Public: variable time. */
void vldaa_challenge_vartime(const vldaa_ring *r, int64_t *c, uint32_t kappa, uint32_t rate,
			     uint32_t set_id, const uint8_t *seed, size_t seed_len);

#endif
