/* MB/s of SHAKE, and nanoseconds per sample of every sampler that uses no floating point. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "random/rng.h"
#include "sampler/gauss.h"
#include "sampler/reject.h"
#include "sampler/uniform.h"

enum { DEGREE = 512, MIN_MILLISECONDS = 200 };

static const uint8_t seed[VLDAA_SEED_BYTES] = {1};

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct {
	vldaa_rng rng;
	vldaa_shake shake;
	vldaa_ring ring;
	uint64_t width;
	vldaa_cdt table;
	int64_t out[DEGREE];
	uint8_t bytes[8192];
	uint64_t sum; /* keeps results alive */
} state;

static void run_squeeze(state *s)
{
	vldaa_shake_squeeze(&s->shake, s->bytes, sizeof s->bytes);
}

static void run_mask(state *s)
{
	vldaa_mask_sample(s->out, DEGREE, s->width, &s->rng);
}

static void run_cdt(state *s)
{
	vldaa_cdt_sample(s->out, DEGREE, &s->table, &s->rng);
}

static void run_ternary(state *s)
{
	vldaa_ternary(s->out, DEGREE, &s->rng);
}

static void run_uniform(state *s)
{
	vldaa_uniform_vartime(&s->ring, s->out, &s->shake);
}

static void run_challenge(state *s)
{
	vldaa_challenge_vartime(&s->ring, s->out, 120, VLDAA_SHAKE128_RATE, 1, seed, sizeof seed);
}

static void run_exp(state *s)
{
	for (uint64_t i = 0; i < DEGREE; i++)
		s->sum += vldaa_exp_neg(i << 45);
}

static void run_reject(state *s)
{
	for (int i = 0; i < DEGREE; i++) {
		const int64_t t = vldaa_reject_term((vldaa_i128)i << 80, s->width);
		s->sum += (uint64_t)vldaa_reject_keep(t, &s->rng);
	}
}

/* Seconds of one call: calls are repeated, in growing numbers, until they take long enough. */
static double time_of(void (*run)(state *), state *s)
{
	for (unsigned calls = 1;; calls *= 2) {
		const double start = seconds();

		for (unsigned i = 0; i < calls; i++)
			run(s);
		const double elapsed = seconds() - start;
		if (elapsed > MIN_MILLISECONDS * 1e-3)
			return elapsed / calls;
	}
}

static void print_each(const char *name, void (*run)(state *), state *s)
{
	printf("%-32s %8.1f ns each\n", name, time_of(run, s) / DEGREE * 1e9);
}

int main(void)
{
	static state s;
	static uint64_t
	    cdt[58]; /* as long as the table of deviation 6.3; the values change nothing */

	vldaa_rng_init(&s.rng, seed, 1);
	s.table = (vldaa_cdt){cdt, sizeof cdt / sizeof cdt[0]};
	s.ring = (vldaa_ring){.d = DEGREE, .log_d = 9, .q = 7583, .q_bits = 13, .primes = 1};

	vldaa_shake_init(&s.shake, VLDAA_SHAKE256_RATE);
	printf("%-32s %8.0f MB/s\n", "SHAKE-256",
	       (double)sizeof s.bytes / time_of(run_squeeze, &s) * 1e-6);
	vldaa_shake_init(&s.shake, VLDAA_SHAKE128_RATE);
	printf("%-32s %8.0f MB/s\n", "SHAKE-128",
	       (double)sizeof s.bytes / time_of(run_squeeze, &s) * 1e-6);
	print_each("uniform modulo 7583", run_uniform, &s);
	print_each("ternary", run_ternary, &s);
	print_each("table, 58 entries", run_cdt, &s);
	s.width = 11500;
	print_each("mask, deviation 4 * 11500", run_mask, &s);
	s.width = UINT64_C(1) << 38;
	print_each("mask, deviation 4 * 2^38", run_mask, &s);
	s.width = (UINT64_C(1) << 47) - 5;
	print_each("mask, deviation 4 * (2^47 - 5)", run_mask, &s);
	print_each("exp(-x)", run_exp, &s);
	print_each("rejection: a term and a decision", run_reject, &s);
	printf("%-32s %8.1f us\n", "challenge, 120 of 512", time_of(run_challenge, &s) * 1e6);
	return s.sum == 1 ? EXIT_FAILURE : EXIT_SUCCESS;
}
