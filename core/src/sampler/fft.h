/*
 * The fast Fourier transform of R[X]/(X^n+1) over doubles, n = 2^log_n, 1 <= n <= 1024, and the
 * splitting into even and odd halves that the perturbation's recursion needs (Genise and
 * Micciancio, EUROCRYPT 2018, section 4; Ducas and Prest, ISSAC 2016).
 *
 * A real polynomial of degree below n is given by its values at n/2 roots of X^n+1, one of each
 * pair of conjugates.  Transformed form: n doubles, the n/2 real parts, then the n/2 imaginary
 * parts; for n = 1 the polynomial is its own transform.
 *
 * The order of the roots is the one in which halving is local: rho_2 = (i), and the roots of X^n+1
 * at places 2k and 2k+1 are +w and -w, w^2 being the root of X^(n/2)+1 at place k.  The table holds
 * w at index n/4 + k, a binary heap: the angle of index 1 is pi/4, and index h with angle a has
 * the children 2h with angle a/2 and 2h + 1 with angle a/2 + pi/2.
 *
 * Errors, relative, in the Euclidean norm: at most 2^-50.3 a level, ten levels for n = 1024 (a
 * butterfly has a product, 2^-51.2 with the root's own rounding, and a sum, 2^-53).
 */
#ifndef VLDAA_FFT_H
#define VLDAA_FFT_H

enum { VLDAA_FFT_MAX_LOG = 10, VLDAA_FFT_ROOTS = 512 };

/* Real and imaginary part, each correctly rounded; index 0 is unused.  Generated: gen_fft.c. */
extern const double vldaa_fft_roots[VLDAA_FFT_ROOTS][2];

/* n coefficients, X^0 first, to the transformed form, and back; in place. */
void vldaa_fft_forward(double *a, unsigned log_n);
void vldaa_fft_inverse(double *a, unsigned log_n);

/* out = out + a b, transformed; out may be neither a nor b. */
void vldaa_fft_mul_add(double *out, const double *a, const double *b, unsigned log_n);

/* a(X) = even(X^2) + X odd(X^2): a has n = 2^log_n >= 2 doubles, even and odd n/2 each, all three
 * transformed and distinct. */
void vldaa_fft_split(double *even, double *odd, const double *a, unsigned log_n);
void vldaa_fft_merge(double *a, const double *even, const double *odd, unsigned log_n);

#endif
