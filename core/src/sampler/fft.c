#include "sampler/fft.h"

#include <stddef.h>

/*
 * Forward: X^n+1 = (X^(n/2) - i)(X^(n/2) + i), and a real polynomial modulo the first factor is
 * low + i high, which is how the coefficients already lie.  Then X^(2t) - w^2 = (X^t - w)(X^t + w)
 * until the factors are linear: the pairs (u, v) of low and high halves become u + w v and u - w v.
 */
void vldaa_fft_forward(double *a, unsigned log_n)
{
	size_t half = ((size_t)1 << log_n) / 2;
	double *re = a, *im = a + half;

	for (size_t blocks = 1, t = half / 2; t > 0; blocks *= 2, t /= 2) {
		for (size_t block = 0; block < blocks; block++) {
			const double *w = vldaa_fft_roots[blocks + block];
			size_t start = 2 * t * block;

			for (size_t j = start; j < start + t; j++) {
				double v_re = w[0] * re[j + t] - w[1] * im[j + t];
				double v_im = w[0] * im[j + t] + w[1] * re[j + t];

				re[j + t] = re[j] - v_re;
				im[j + t] = im[j] - v_im;
				re[j] += v_re;
				im[j] += v_im;
			}
		}
	}
}

void vldaa_fft_inverse(double *a, unsigned log_n)
{
	size_t half = ((size_t)1 << log_n) / 2;
	double *re = a, *im = a + half;

	/* Sums of two at each level, so that one division by n/2 (a power of two: exact) remains.
	 */
	for (size_t blocks = half / 2, t = 1; blocks > 0; blocks /= 2, t *= 2) {
		for (size_t block = 0; block < blocks; block++) {
			const double *w = vldaa_fft_roots[blocks + block];
			size_t start = 2 * t * block;

			for (size_t j = start; j < start + t; j++) {
				double v_re = re[j] - re[j + t];
				double v_im = im[j] - im[j + t];

				re[j] += re[j + t];
				im[j] += im[j + t];
				re[j + t] = w[0] * v_re + w[1] * v_im;
				im[j + t] = w[0] * v_im - w[1] * v_re;
			}
		}
	}
	for (size_t j = 0; j < 2 * half; j++)
		a[j] /= (double)half;
}

void vldaa_fft_mul_add(double *out, const double *a, const double *b, unsigned log_n)
{
	size_t half = ((size_t)1 << log_n) / 2;

	if (log_n == 0) {
		out[0] += a[0] * b[0];
		return;
	}
	for (size_t j = 0; j < half; j++) {
		out[j] += a[j] * b[j] - a[j + half] * b[j + half];
		out[j + half] += a[j] * b[j + half] + a[j + half] * b[j];
	}
}

/* At the roots +w and -w: a = even(w^2) +- w odd(w^2), so even = (a(w) + a(-w)) / 2 and
 * odd = (a(w) - a(-w)) conj(w) / 2. */
void vldaa_fft_split(double *even, double *odd, const double *a, unsigned log_n)
{
	size_t half = ((size_t)1 << log_n) / 2, quarter = half / 2;

	if (log_n == 1) { /* the value at i is even + i odd */
		even[0] = a[0];
		odd[0] = a[1];
		return;
	}
	for (size_t k = 0; k < quarter; k++) {
		const double *w = vldaa_fft_roots[quarter + k];
		double d_re = 0.5 * (a[2 * k] - a[2 * k + 1]);
		double d_im = 0.5 * (a[half + 2 * k] - a[half + 2 * k + 1]);

		even[k] = 0.5 * (a[2 * k] + a[2 * k + 1]);
		even[quarter + k] = 0.5 * (a[half + 2 * k] + a[half + 2 * k + 1]);
		odd[k] = w[0] * d_re + w[1] * d_im;
		odd[quarter + k] = w[0] * d_im - w[1] * d_re;
	}
}

void vldaa_fft_merge(double *a, const double *even, const double *odd, unsigned log_n)
{
	size_t half = ((size_t)1 << log_n) / 2, quarter = half / 2;

	if (log_n == 1) {
		a[0] = even[0];
		a[1] = odd[0];
		return;
	}
	for (size_t k = 0; k < quarter; k++) {
		const double *w = vldaa_fft_roots[quarter + k];
		double v_re = w[0] * odd[k] - w[1] * odd[quarter + k];
		double v_im = w[0] * odd[quarter + k] + w[1] * odd[k];

		a[2 * k] = even[k] + v_re;
		a[2 * k + 1] = even[k] - v_re;
		a[half + 2 * k] = even[quarter + k] + v_im;
		a[half + 2 * k + 1] = even[quarter + k] - v_im;
	}
}
