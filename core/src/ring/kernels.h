/*
 * The loops of the hat domain, one prime at a time, behind one table: portable C now, SIMD variants
 * beside it.  All variants give the same bits.  n, log_d and the prime are public.
 */
#ifndef VLDAA_KERNELS_H
#define VLDAA_KERNELS_H

#include "ring/ntt.h"

typedef struct {
	const char *name;
	/* Coefficients (any int64_t) to evaluations.  scratch: d words, whose contents are as
	 * secret as the coefficients. */
	void (*forward)(uint32_t *hat, const int64_t *a, uint32_t *scratch, uint32_t log_d,
			const vldaa_ntt_prime *t);
	/* In place: evaluations to coefficients, plain residues in [0, p). */
	void (*inverse)(uint32_t *a, uint32_t *scratch, uint32_t log_d, const vldaa_ntt_prime *t);
	/* Everything in [0, p), Montgomery form; out may be a or b. */
	void (*mul)(uint32_t *out, const uint32_t *a, const uint32_t *b, size_t n,
		    const vldaa_ntt_prime *t);
	void (*mul_add)(uint32_t *out, const uint32_t *a, const uint32_t *b, size_t n,
			const vldaa_ntt_prime *t);
	void (*mul_sub)(uint32_t *out, const uint32_t *a, const uint32_t *b, size_t n,
			const vldaa_ntt_prime *t);
	/* out[i] = sum_(j < count) a[j stride + i] b[j stride + i], i < n; out is neither a nor b. */
	void (*dot)(uint32_t *out, const uint32_t *a, const uint32_t *b, size_t count,
		    size_t stride, size_t n, const vldaa_ntt_prime *t);
	void (*add)(uint32_t *out, const uint32_t *a, const uint32_t *b, size_t n,
		    const vldaa_ntt_prime *t);
	void (*sub)(uint32_t *out, const uint32_t *a, const uint32_t *b, size_t n,
		    const vldaa_ntt_prime *t);
} vldaa_kernels;

/* The table for this machine. */
const vldaa_kernels *vldaa_kernels_get(void);

#endif
