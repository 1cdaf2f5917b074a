/* The portable kernels (kernels.h): plain loops over words that a compiler can vectorise. */
#include "ring/kernels.h"

/*
 * a = high 2^32 + low - 2^63 with high and low unsigned (the sign bit turned over), so
 * a R = (low R^2 + high R^3) / R - 2^63 R.  The sum T is below 2^33 p, hence T / R below 2p; the
 * Montgomery step takes less than p away and t->load, in (p, 2p], adds the last term: (0, 4p).
 */
static void load(uint32_t *out, const int64_t *a, size_t n, const vldaa_ntt_prime *t)
{
	for (size_t i = 0; i < n; i++) {
		uint64_t u = (uint64_t)a[i] ^ ((uint64_t)1 << 63);
		uint64_t sum = (u & 0xffffffff) * t->r2 + (u >> 32) * t->r3;
		uint32_t m = (uint32_t)sum * t->p_inv;

		out[i] = (uint32_t)(sum >> 32) - (uint32_t)(((uint64_t)m * t->p) >> 32) + t->load;
	}
}

/* Harvey's lazy butterflies (arXiv:1205.2926): values in [0, 4p) between the levels. */
static void forward(uint32_t *a, uint32_t log_d, const vldaa_ntt_prime *t)
{
	const uint32_t p = t->p;
	const size_t d = (size_t)1 << log_d;

	for (size_t m = 1, len = d / 2; m < d; m *= 2, len /= 2)
		for (size_t i = 0; i < m; i++) {
			uint32_t *x = a + 2 * i * len;

			for (size_t j = 0; j < len; j++) {
				uint32_t u = vldaa_cond_sub(x[j], 2 * p);
				uint32_t v = vldaa_shoup_mul(x[j + len], t->zetas[m + i],
							     t->zetas_shoup[m + i], p);

				x[j] = u + v;
				x[j + len] = u - v + 2 * p;
			}
		}
	for (size_t j = 0; j < d; j++)
		a[j] = vldaa_cond_sub(vldaa_cond_sub(a[j], 2 * p), p);
}

/*
 * Values in [0, 2p) between the levels.  The inverse of zetas[m+i] is -zetas[2m-1-i]: the exponents
 * brv10(m+i) and brv10(2m-1-i) add up to 1024, and psi^1024 = -1.  The minus turns the difference
 * round.
 */
static void inverse(uint32_t *a, uint32_t log_d, const vldaa_ntt_prime *t)
{
	const uint32_t p = t->p;
	const size_t d = (size_t)1 << log_d;

	for (size_t m = d / 2, len = 1; m > 0; m /= 2, len *= 2)
		for (size_t i = 0; i < m; i++) {
			uint32_t *x = a + 2 * i * len;

			for (size_t j = 0; j < len; j++) {
				uint32_t u = x[j];
				uint32_t v = x[j + len];

				x[j] = vldaa_cond_sub(u + v, 2 * p);
				x[j + len] = vldaa_shoup_mul(v - u + 2 * p, t->zetas[2 * m - 1 - i],
							     t->zetas_shoup[2 * m - 1 - i], p);
			}
		}
	for (size_t j = 0; j < d; j++)
		a[j] = vldaa_cond_sub(
		    vldaa_shoup_mul(a[j], t->scale[log_d], t->scale_shoup[log_d], p), p);
}

static void mul(uint32_t *out, const uint32_t *a, const uint32_t *b, size_t n,
		const vldaa_ntt_prime *t)
{
	for (size_t i = 0; i < n; i++)
		out[i] = vldaa_mont_mul(a[i], b[i], t);
}

static void mul_add(uint32_t *out, const uint32_t *a, const uint32_t *b, size_t n,
		    const vldaa_ntt_prime *t)
{
	for (size_t i = 0; i < n; i++)
		out[i] = vldaa_cond_sub(out[i] + vldaa_mont_mul(a[i], b[i], t), t->p);
}

static void mul_sub(uint32_t *out, const uint32_t *a, const uint32_t *b, size_t n,
		    const vldaa_ntt_prime *t)
{
	for (size_t i = 0; i < n; i++)
		out[i] = vldaa_cond_sub(out[i] + t->p - vldaa_mont_mul(a[i], b[i], t), t->p);
}

static void add(uint32_t *out, const uint32_t *a, const uint32_t *b, size_t n,
		const vldaa_ntt_prime *t)
{
	for (size_t i = 0; i < n; i++)
		out[i] = vldaa_cond_sub(a[i] + b[i], t->p);
}

static void sub(uint32_t *out, const uint32_t *a, const uint32_t *b, size_t n,
		const vldaa_ntt_prime *t)
{
	for (size_t i = 0; i < n; i++)
		out[i] = vldaa_cond_sub(a[i] + t->p - b[i], t->p);
}

static const vldaa_kernels portable = {
    .name = "portable",
    .load = load,
    .forward = forward,
    .inverse = inverse,
    .mul = mul,
    .mul_add = mul_add,
    .mul_sub = mul_sub,
    .add = add,
    .sub = sub,
};

const vldaa_kernels *vldaa_kernels_get(void)
{
	return &portable;
}
