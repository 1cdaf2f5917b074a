/*
 * Sums of products in the hat domain are exact while they are below half the auxiliary primes' product (ring.h).
 * Here every sum that prover and verifier accumulate is counted, with the largest coefficients that its factors
 * have: "half" for residues (centred), "long" for masks and responses.
 */
#include "proof/oneshot.h"

/* Of masks and of responses. */
static uint64_t longest(const vldaa_os_block *b)
{
	const uint64_t mask = VLDAA_OS_MASK_BOUND * b->width;

	return mask > b->max ? mask : b->max;
}

static int fits(const vldaa_ring *r, uint64_t products, uint64_t a, uint64_t b)
{
	return products <= vldaa_ring_terms(r, a, b);
}

int vldaa_os_ranges_hold(const vldaa_os_set *set, const vldaa_os_statement_set *s)
{
	const vldaa_ring *r = &set->ring;
	const uint64_t half = (uint64_t)r->q / 2;
	const uint64_t kappa = VLDAA_OS_KAPPA;
	const uint64_t kappa2 = kappa * kappa * VLDAA_OS_D; /* of c^2 */
	const uint64_t na = set->m2 - set->n;
	uint64_t z = longest(&s->z2);
	int hold;

	for (uint32_t i = 0; i < s->blocks; i++)
		z = longest(&s->block[i]) > z ? longest(&s->block[i]) : z;
	/* A1 z1 + A2 z2 - c 2^D t_A1; B z2 and c t_B; the forms, each of at most m1 terms */
	hold = z >= kappa && z <= half;
	hold &= fits(r, s->m1 + na + 2, half, z);
	hold &= fits(r, na + 2, half, z);
	hold &= fits(r, s->m1, half, z);
	/* L z + M f + sigma(gy) m: L is a sum of one residue and one for each relation */
	hold &=
	    fits(r, (1 + (uint64_t)s->relations) * s->m1 + s->derived + VLDAA_OS_MASK, half, half);
	/* K's part of the forms' constants; mu times what the pairs give */
	hold &= fits(r, s->derived, half, half);
	hold &= fits(r, VLDAA_OS_PAIRS, half, half);
	/* sigma(w) y + sigma(y) w; sigma(z) z */
	hold &= fits(r, 2 * (uint64_t)s->m1, z, z);
	/* c times the linear part, c^2 K; c zm, c^2 h */
	hold &= fits(r, 2, kappa2, half);
	/* c times a witness: back to integers that fit 63 bits */
	hold &= kappa * VLDAA_OS_D * z < (uint64_t)INT64_MAX;
	return hold;
}
