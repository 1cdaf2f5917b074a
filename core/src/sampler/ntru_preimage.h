/*
 * The issuer's preimages: short (v_1, v_2) with v_1 + h v_2 = c modulo p, from the discrete
 * Gaussian of deviation sigma on that coset.  Floating point on secrets, for the issuer only;
 * method, errors, timing: ntru_preimage.c.
 */
#ifndef VLDAA_NTRU_PREIMAGE_H
#define VLDAA_NTRU_PREIMAGE_H

#include <stddef.h>

#include "random/rng.h"
#include "sampler/ntru_key.h"

/*
 * The precomputation for one key, as secret as the key.  Allocated by the caller:
 * vldaa_ntru_preimage_size() bytes, aligned as malloc's; wiped by the caller.  No pointers, so it
 * may be copied; draws only read it, so threads may share it.
 */
typedef struct vldaa_ntru_preimage vldaa_ntru_preimage;
size_t vldaa_ntru_preimage_size(void);
/* A complete key and its h.  VLDAA_ERR_KEY, with *s zeroed, when some deviation is out of the set's
 * range: not for a key that vldaa_ntru_generate or _complete accepted. */
int vldaa_ntru_preimage_init(vldaa_ntru_preimage *s, const vldaa_ntru_set *set,
			     const vldaa_ntru_key *key, const int64_t *h);

/*
 * (v_1, v_2) for the target c, centred; v_1, v_2 centred modulo p.  v_1 = c - h v_2 by
 * construction, so the equation holds whatever happens, and a fault anywhere shows as a norm that
 * no credential has.  The caller compares the norm with its bound, draws again with another c when
 * that is not met, and never asks twice for one c: two preimages of one target differ by a short
 * vector of the secret lattice.
 *
 * scratch: vldaa_ntru_preimage_scratch() bytes, aligned as malloc's; wiped before return.
 */
size_t vldaa_ntru_preimage_scratch(void);
void vldaa_ntru_preimage_draw(const vldaa_ntru_preimage *s, int64_t *v1, int64_t *v2,
			      const int64_t *c, void *scratch, vldaa_rng *rng);

#endif
