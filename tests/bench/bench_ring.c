/*
 * Nanoseconds of the ring's operations, for each ring: the least of many short runs, so that other
 * load on the machine matters little.  "transform" lines are one prime alone, the others whole ring
 * elements.
 */
#include <stdio.h>
#include <time.h>

#include "ring/kernels.h"

enum { RUNS = 400, CALLS = 10 };

static const struct {
	const char *name;
	vldaa_ring ring;
} rings[] = {
    {"d=128  q=114356107 3 primes", {128, 7, 114356107, 27, 3}},
    {"d=512  q=7583      2 primes", {512, 9, 7583, 13, 2}},
    {"d=1024 q=14867     2 primes", {1024, 10, 14867, 14, 2}},
    {"d=64   q=2^45-139  4 primes", {64, 6, ((int64_t)1 << 45) - 139, 45, 4}},
    {"d=64   q=2^46-635  4 primes", {64, 6, ((int64_t)1 << 46) - 635, 46, 4}},
};

static int64_t a[VLDAA_MAX_DEGREE], b[VLDAA_MAX_DEGREE];
static uint32_t x[VLDAA_MAX_PRIMES * VLDAA_MAX_DEGREE], y[VLDAA_MAX_PRIMES * VLDAA_MAX_DEGREE];
static uint32_t z[VLDAA_MAX_PRIMES * VLDAA_MAX_DEGREE];

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void forward(const vldaa_ring *r)
{
	vldaa_kernels_get()->forward(x, a, y, r->log_d, &vldaa_ntt_primes[0]);
}

static void inverse(const vldaa_ring *r)
{
	vldaa_kernels_get()->inverse(z, y, r->log_d, &vldaa_ntt_primes[0]);
}

static void hat_from_poly(const vldaa_ring *r)
{
	vldaa_hat_from_poly(r, x, a);
}

static void hat_mul(const vldaa_ring *r)
{
	vldaa_hat_mul(r, z, x, y);
}

static void hat_mul_add(const vldaa_ring *r)
{
	vldaa_hat_mul_add(r, z, x, y);
}

static void hat_add(const vldaa_ring *r)
{
	vldaa_hat_add(r, z, x, y);
}

static void hat_to_poly(const vldaa_ring *r)
{
	vldaa_hat_to_poly(r, b, z);
}

static void hat_to_integers(const vldaa_ring *r)
{
	vldaa_hat_to_integers(r, b, z);
}

static void product(const vldaa_ring *r)
{
	vldaa_hat_from_poly(r, x, a);
	vldaa_hat_from_poly(r, y, b);
	vldaa_hat_mul(r, x, x, y);
	vldaa_hat_to_poly(r, b, x);
}

static void poly_reduce(const vldaa_ring *r)
{
	vldaa_poly_reduce(r, b, a);
}

static void poly_add(const vldaa_ring *r)
{
	vldaa_poly_add(r, b, a, b);
}

static void poly_norm2(const vldaa_ring *r)
{
	b[0] = (int64_t)(vldaa_poly_norm2(r, a) & 1);
}

static const struct {
	const char *name;
	void (*run)(const vldaa_ring *r);
} operations[] = {
    {"transform forward", forward},   {"transform inverse", inverse},
    {"hat_from_poly", hat_from_poly}, {"hat_mul", hat_mul},
    {"hat_mul_add", hat_mul_add},     {"hat_add", hat_add},
    {"hat_to_poly", hat_to_poly},     {"hat_to_integers", hat_to_integers},
    {"product modulo q", product},    {"poly_reduce", poly_reduce},
    {"poly_add", poly_add},           {"poly_norm2", poly_norm2},
};

static double least(void (*run)(const vldaa_ring *), const vldaa_ring *r)
{
	double best = 1e18;

	for (int i = 0; i < RUNS; i++) {
		double start = now();

		for (int j = 0; j < CALLS; j++)
			run(r);
		double t = (now() - start) / CALLS;
		if (t < best)
			best = t;
	}
	return best;
}

int main(void)
{
	printf("kernels: %s; nanoseconds\n", vldaa_kernels_get()->name);
	for (size_t i = 0; i < sizeof(rings) / sizeof(rings[0]); i++) {
		const vldaa_ring *r = &rings[i].ring;

		printf("%s\n", rings[i].name);
		for (size_t j = 0; j < r->d; j++)
			a[j] = b[j] = (int64_t)(j * j) % (r->q / 2);
		vldaa_hat_from_poly(r, x, a);
		vldaa_hat_from_poly(r, y, b);
		vldaa_hat_mul(r, z, x, y);
		for (size_t j = 0; j < sizeof(operations) / sizeof(operations[0]); j++)
			printf("  %-18s %9.0f\n", operations[j].name, least(operations[j].run, r));
	}
	return 0;
}
