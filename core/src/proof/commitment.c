/* See commitment.h. */
#include "proof/commitment.h"

#include <string.h>

void vldaa_commit_row1(const vldaa_ring *r, uint32_t *out_hat, const uint32_t *a11,
		       const uint32_t *a12, const uint32_t *x_hat)
{
	size_t n = vldaa_hat_len(r);

	memcpy(out_hat, x_hat, n * sizeof *out_hat);
	vldaa_hat_mul_add(r, out_hat, a11, x_hat + n);
	vldaa_hat_mul_add(r, out_hat, a12, x_hat + 2 * n);
}

void vldaa_commit_row2(const vldaa_ring *r, uint32_t *out_hat, const uint32_t *a2,
		       const uint32_t *x_hat)
{
	size_t n = vldaa_hat_len(r);

	memcpy(out_hat, x_hat + n, n * sizeof *out_hat);
	vldaa_hat_mul_add(r, out_hat, a2, x_hat + 2 * n);
}

void vldaa_commit_tag(const vldaa_public_keys *keys, int64_t *t1, int64_t *t2,
		      const uint32_t *r_hat, const int64_t tag[2], int64_t k, uint32_t *hat)
{
	const vldaa_ring *r = &keys->set->ring;

	vldaa_commit_row1(r, hat, keys->a11, keys->a12, r_hat);
	vldaa_hat_to_poly(r, t1, hat);
	vldaa_commit_row2(r, hat, keys->a2, r_hat);
	vldaa_hat_to_poly(r, t2, hat);
	t2[0] += k * tag[0];
	t2[r->d / 2] += k * tag[1];
	vldaa_poly_reduce(r, t2, t2);
}
