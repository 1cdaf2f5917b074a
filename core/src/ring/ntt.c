/* The hat domain of ring.h: every prime in turn, through the kernels. */
#include "ring/ntt.h"

#include <string.h>

#include "debug.h"
#include "random/secret.h"
#include "ring/kernels.h"

/* All residues below their prime. */
static void check_hat(const vldaa_ring *r, const uint32_t *hat)
{
	for (size_t i = 0; i < r->primes; i++)
		vldaa_debug_below(hat + i * r->d, r->d, vldaa_ntt_primes[i].p, "hat: below p");
}

void vldaa_hat_from_poly(const vldaa_ring *r, uint32_t *hat, const int64_t *a)
{
	const vldaa_kernels *k = vldaa_kernels_get();
	uint32_t scratch[VLDAA_MAX_DEGREE];

	for (size_t i = 0; i < r->primes; i++)
		k->forward(hat + i * r->d, a, scratch, r->log_d, &vldaa_ntt_primes[i]);
	vldaa_wipe(scratch, r->d * sizeof(*scratch));
	check_hat(r, hat);
}

void vldaa_hat_zero(const vldaa_ring *r, uint32_t *hat)
{
	memset(hat, 0, vldaa_hat_len(r) * sizeof(*hat));
}

void vldaa_hat_mul(const vldaa_ring *r, uint32_t *out, const uint32_t *a, const uint32_t *b)
{
	const vldaa_kernels *k = vldaa_kernels_get();

	check_hat(r, a);
	check_hat(r, b);
	for (size_t i = 0, at = 0; i < r->primes; i++, at += r->d)
		k->mul(out + at, a + at, b + at, r->d, &vldaa_ntt_primes[i]);
}

void vldaa_hat_mul_add(const vldaa_ring *r, uint32_t *out, const uint32_t *a, const uint32_t *b)
{
	const vldaa_kernels *k = vldaa_kernels_get();

	check_hat(r, out);
	check_hat(r, a);
	check_hat(r, b);
	for (size_t i = 0, at = 0; i < r->primes; i++, at += r->d)
		k->mul_add(out + at, a + at, b + at, r->d, &vldaa_ntt_primes[i]);
}

void vldaa_hat_dot(const vldaa_ring *r, uint32_t *out, const uint32_t *a, const uint32_t *b,
		   size_t count)
{
	const vldaa_kernels *k = vldaa_kernels_get();
	const size_t len = vldaa_hat_len(r);

	for (size_t j = 0; j < count; j++) {
		check_hat(r, a + j * len);
		check_hat(r, b + j * len);
	}
	for (size_t i = 0, at = 0; i < r->primes; i++, at += r->d)
		k->dot(out + at, a + at, b + at, count, len, r->d, &vldaa_ntt_primes[i]);
}

void vldaa_hat_mul_sub(const vldaa_ring *r, uint32_t *out, const uint32_t *a, const uint32_t *b)
{
	const vldaa_kernels *k = vldaa_kernels_get();

	check_hat(r, out);
	check_hat(r, a);
	check_hat(r, b);
	for (size_t i = 0, at = 0; i < r->primes; i++, at += r->d)
		k->mul_sub(out + at, a + at, b + at, r->d, &vldaa_ntt_primes[i]);
}

void vldaa_hat_add(const vldaa_ring *r, uint32_t *out, const uint32_t *a, const uint32_t *b)
{
	const vldaa_kernels *k = vldaa_kernels_get();

	check_hat(r, a);
	check_hat(r, b);
	for (size_t i = 0, at = 0; i < r->primes; i++, at += r->d)
		k->add(out + at, a + at, b + at, r->d, &vldaa_ntt_primes[i]);
}

void vldaa_hat_sub(const vldaa_ring *r, uint32_t *out, const uint32_t *a, const uint32_t *b)
{
	const vldaa_kernels *k = vldaa_kernels_get();

	check_hat(r, a);
	check_hat(r, b);
	for (size_t i = 0, at = 0; i < r->primes; i++, at += r->d)
		k->sub(out + at, a + at, b + at, r->d, &vldaa_ntt_primes[i]);
}
