/* The coefficient domain of ring.h. */
#include "ring/ring.h"

#include "debug.h"
#include "ring/mod.h"

static void check_centred(const vldaa_ring *r, const int64_t *a)
{
	vldaa_debug_bound(a, r->d, -(r->q / 2), r->q / 2, "poly: centred");
}

void vldaa_poly_reduce(const vldaa_ring *r, int64_t *out, const int64_t *a)
{
	const vldaa_mod m = vldaa_mod_init(r->q, r->q_bits);

	for (size_t i = 0; i < r->d; i++)
		out[i] = vldaa_mod_i64(&m, a[i]);
}

/* Sums and differences of centred numbers are at most q - 1 in absolute value. */
void vldaa_poly_add(const vldaa_ring *r, int64_t *out, const int64_t *a, const int64_t *b)
{
	const vldaa_mod m = {.q = r->q, .half = r->q / 2};

	check_centred(r, a);
	check_centred(r, b);
	for (size_t i = 0; i < r->d; i++)
		out[i] = vldaa_mod_centre(&m, a[i] + b[i]);
}

void vldaa_poly_sub(const vldaa_ring *r, int64_t *out, const int64_t *a, const int64_t *b)
{
	const vldaa_mod m = {.q = r->q, .half = r->q / 2};

	check_centred(r, a);
	check_centred(r, b);
	for (size_t i = 0; i < r->d; i++)
		out[i] = vldaa_mod_centre(&m, a[i] - b[i]);
}

/* q is odd, so the centred range is symmetric. */
void vldaa_poly_neg(const vldaa_ring *r, int64_t *out, const int64_t *a)
{
	check_centred(r, a);
	for (size_t i = 0; i < r->d; i++)
		out[i] = -a[i];
}

/* |k a| < 2^(2 q_bits - 1) <= 2^(46 + q_bits), within vldaa_mod_i128's range. */
void vldaa_poly_scale(const vldaa_ring *r, int64_t *out, int64_t k, const int64_t *a)
{
	const vldaa_mod m = vldaa_mod_init(r->q, r->q_bits);

	check_centred(r, a);
	vldaa_debug_assert(k < r->q && -k < r->q, "poly_scale: |k| < q");
	for (size_t i = 0; i < r->d; i++)
		out[i] = vldaa_mod_i128(&m, (vldaa_i128)k * a[i]);
}

/* X^i -> X^(ij), and X^d = -1: the place is ij mod d, the sign ij's bit log_d. */
void vldaa_poly_automorphism(const vldaa_ring *r, int64_t *out, const int64_t *a, uint32_t j)
{
	uint32_t at = 0;

	vldaa_debug_assert(j % 2 == 1, "poly_automorphism: j odd");
	for (size_t i = 0; i < r->d; i++) {
		uint32_t place = at & (r->d - 1);

		out[place] = (at & r->d) != 0 ? -a[i] : a[i];
		at += j; /* 2d divides 2^32: wrapping is harmless */
	}
}

vldaa_u128 vldaa_poly_norm2(const vldaa_ring *r, const int64_t *a)
{
	vldaa_u128 sum = 0;

	vldaa_debug_bound(a, r->d, -((int64_t)1 << 58) + 1, ((int64_t)1 << 58) - 1, "norm2: 2^58");
	for (size_t i = 0; i < r->d; i++)
		sum += (vldaa_u128)((vldaa_i128)a[i] * a[i]);
	return sum;
}

vldaa_i128 vldaa_poly_inner(const vldaa_ring *r, const int64_t *a, const int64_t *b)
{
	vldaa_i128 sum = 0;

	vldaa_debug_bound(a, r->d, -((int64_t)1 << 58) + 1, ((int64_t)1 << 58) - 1, "inner: 2^58");
	vldaa_debug_bound(b, r->d, -((int64_t)1 << 58) + 1, ((int64_t)1 << 58) - 1, "inner: 2^58");
	for (size_t i = 0; i < r->d; i++)
		sum += (vldaa_i128)a[i] * b[i];
	return sum;
}
