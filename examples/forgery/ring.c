/* See ring.h. */
#include "ring.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/rand.h>

int64_t forgery_centred(const ring *R, int64_t x)
{
	x %= R->q;
	if (x > R->q / 2)
		x -= R->q;
	if (x < -(R->q / 2))
		x += R->q;
	return x;
}

static poly centre(const ring *R, poly a)
{
	for (uint32_t i = 0; i < R->d; i++)
		a.c[i] = forgery_centred(R, a.c[i]);
	return a;
}

poly forgery_poly_zero(void)
{
	poly z;

	memset(&z, 0, sizeof z);
	return z;
}

poly forgery_poly_add(const ring *R, poly a, poly b)
{
	for (uint32_t i = 0; i < R->d; i++)
		a.c[i] += b.c[i];
	return centre(R, a);
}

poly forgery_poly_sub(const ring *R, poly a, poly b)
{
	for (uint32_t i = 0; i < R->d; i++)
		a.c[i] -= b.c[i];
	return centre(R, a);
}

poly forgery_poly_scale(const ring *R, int64_t k, poly a)
{
	for (uint32_t i = 0; i < R->d; i++)
		a.c[i] *= k;
	return centre(R, a);
}

poly forgery_poly_mul_integers(const ring *R, poly a, poly b)
{
	poly out = forgery_poly_zero();

	for (uint32_t i = 0; i < R->d; i++) {
		for (uint32_t j = 0; j < R->d - i; j++)
			out.c[i + j] += a.c[i] * b.c[j];
		for (uint32_t j = R->d - i; j < R->d; j++)
			out.c[i + j - R->d] -= a.c[i] * b.c[j]; /* X^d = -1 */
	}
	return out;
}

poly forgery_poly_mul(const ring *R, poly a, poly b)
{
	return centre(R, forgery_poly_mul_integers(R, a, b));
}

poly forgery_poly_sigma5(const ring *R, poly a)
{
	poly out = forgery_poly_zero();

	for (uint32_t i = 0; i < R->d; i++) {
		const uint32_t power = 5 * i % (2 * R->d);

		if (power < R->d)
			out.c[power] = a.c[i];
		else
			out.c[power - R->d] = -a.c[i];
	}
	return out;
}

/* x^-1 modulo q, x not 0: Euclid's algorithm for the integers. */
static int64_t inverse_of_number(const ring *R, int64_t x)
{
	int64_t r0 = R->q, r1 = x, t0 = 0, t1 = 1;

	while (r1 != 0) {
		const int64_t quotient = r0 / r1;
		const int64_t r2 = r0 - quotient * r1, t2 = t0 - quotient * t1;

		r0 = r1;
		r1 = r2;
		t0 = t1;
		t1 = t2;
	}
	return forgery_centred(R, r0 * t0); /* r0 is 1 or -1 */
}

/* A polynomial of degree at most d; degree -1: zero. */
typedef struct {
	int64_t c[MAX_DEGREE + 1];
	int degree;
} wide_poly;

/* a -= k X^shift b */
static void subtract_multiple(const ring *R, wide_poly *a, int64_t k, int shift, const wide_poly *b)
{
	for (int i = 0; i <= b->degree; i++)
		a->c[i + shift] = forgery_centred(R, a->c[i + shift] - k * b->c[i]);
	if (a->degree < b->degree + shift)
		a->degree = b->degree + shift;
	while (a->degree >= 0 && a->c[a->degree] == 0)
		a->degree--;
}

/*
 * Euclid's algorithm for polynomials: r0 and r1 go from X^d + 1 and a to their greatest common
 * divisor, and t1 a = r1 modulo X^d + 1 all the way.  When the divisor is a number, a is
 * invertible.
 */
int forgery_poly_inverse(const ring *R, poly *inverse, poly a)
{
	static const wide_poly nothing = {{0}, -1};
	wide_poly pair[2] = {nothing, nothing}, factor[2] = {nothing, nothing};
	wide_poly *r0 = &pair[0], *r1 = &pair[1], *t0 = &factor[0], *t1 = &factor[1];

	r0->degree = (int)R->d;
	r0->c[R->d] = 1;
	r0->c[0] = 1;
	for (uint32_t i = 0; i < R->d; i++) {
		r1->c[i] = a.c[i];
		if (a.c[i] != 0)
			r1->degree = (int)i;
	}
	t1->degree = 0;
	t1->c[0] = 1;
	while (r1->degree > 0) {
		const int64_t lead = inverse_of_number(R, r1->c[r1->degree]);
		wide_poly *swap;

		while (r0->degree >= r1->degree) {
			const int shift = r0->degree - r1->degree;
			const int64_t k = forgery_centred(R, r0->c[r0->degree] * lead);

			subtract_multiple(R, r0, k, shift, r1);
			subtract_multiple(R, t0, k, shift, t1);
		}
		swap = r0;
		r0 = r1;
		r1 = swap;
		swap = t0;
		t0 = t1;
		t1 = swap;
	}
	if (r1->degree < 0)
		return 0;
	*inverse = forgery_poly_zero();
	for (uint32_t i = 0; i < R->d; i++)
		inverse->c[i] = t1->c[i];
	*inverse = forgery_poly_scale(R, inverse_of_number(R, r1->c[0]), *inverse);
	return 1;
}

/* Uniform in [0, bound). */
static int64_t random_below(uint64_t bound)
{
	const uint64_t most = UINT64_MAX - UINT64_MAX % bound;
	uint64_t x;

	do {
		if (RAND_bytes((unsigned char *)&x, sizeof x) != 1) {
			fputs("no random bytes\n", stderr);
			abort();
		}
	} while (x >= most);
	return (int64_t)(x % bound);
}

poly forgery_poly_uniform(const ring *R)
{
	return forgery_poly_small(R, R->q / 2); /* q is odd: 2 (q - 1) / 2 + 1 = q values */
}

poly forgery_poly_small(const ring *R, int64_t bound)
{
	poly a = forgery_poly_zero();

	for (uint32_t i = 0; i < R->d; i++)
		a.c[i] = random_below((uint64_t)(2 * bound + 1)) - bound;
	return a;
}
