/*
 * Microseconds of processor time of the one-shot proof, whole and by part: planted witnesses, one
 * thread.  Proving is rejection sampling, so its mean over many proofs and its 99th percentile are
 * printed; parts that rejection repeats are marked with how often it does on average.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/planted.h"
#include "times.h"

enum { RUNS = 200, PARTS = 60, CAP = 1 << 16 };

static void print_whole(const char *name, double times[RUNS])
{
	const times_summary whole = times_of(times, RUNS);

	printf("  %-34s mean %8.1f  least %8.1f  p99 %8.1f\n", name, whole.mean, whole.least,
	       whole.p99);
}

/* What the parts work on; one statement at a time. */
static struct {
	planted *p;
	const vldaa_os_statement *st;
	const vldaa_os_crs *crs;
	uint8_t bytes[CAP];
	size_t len;
	vldaa_os_proof proof;
	vldaa_os_aggregate aggregate;
	vldaa_os_product product;
	uint32_t *forms;
	int64_t *out;
	uint8_t digest[VLDAA_OS_DIGEST];
	vldaa_rng rng;
} t;

static void place(vldaa_arena *a)
{
	const vldaa_os_set *set = t.st->set;

	vldaa_os_proof_layout(&t.proof, set, t.st->numbers, a);
	vldaa_os_aggregate_layout(&t.aggregate, set, t.st->numbers, a);
	vldaa_os_product_layout(&t.product, set, t.st->numbers, a);
	t.forms = vldaa_arena_hats(a, &set->ring, t.st->numbers->derived);
	t.out = vldaa_arena_polys(a, &set->ring, set->m2);
}

static void statement(void)
{
	planted_restate(t.p);
}

static void transform(void)
{
	const size_t len = vldaa_hat_len(&t.st->set->ring);

	for (size_t j = 0; j < t.st->numbers->m1; j++)
		vldaa_hat_from_poly(&t.st->set->ring, t.product.z1_hat + j * len,
				    t.proof.z1 + j * VLDAA_OS_D);
	for (size_t j = 0; j < t.st->set->m2 - t.st->set->n; j++)
		vldaa_hat_from_poly(&t.st->set->ring, t.product.z2_hat + j * len,
				    t.proof.z2 + j * VLDAA_OS_D);
}

static void first_message(void)
{
	vldaa_os_approximate(t.crs, t.st->numbers, &t.product, t.proof.ta1, t.out);
}

static void compress(void)
{
	for (size_t i = 0; i < t.st->set->n * (size_t)VLDAA_OS_D; i++)
		t.out[i] = vldaa_os_compress(t.st->set, t.out[i]);
}

static void linear_forms(void)
{
	vldaa_os_linear_forms(t.st, t.forms, t.product.z1_hat);
}

static void range_matrix(void)
{
	for (uint32_t i = 0; i < VLDAA_OS_ROWS; i += VLDAA_OS_GROUP)
		vldaa_os_range_rows(&t.aggregate, t.st, t.digest, i);
}

static void scalars(void)
{
	vldaa_os_scalars(&t.aggregate, t.st, t.digest, t.digest, t.proof.z3);
}

static void first_digest(void)
{
	vldaa_os_digest_1(t.st->set, t.st->bind, t.proof.ta1, t.proof.tb, t.digest);
}

static void challenge(void)
{
	int64_t c[VLDAA_OS_D];

	t.digest[0]++;
	vldaa_os_challenge(c, t.digest);
}

static void put(void)
{
	vldaa_writer w;

	vldaa_put_init(&w, t.bytes, CAP);
	if (vldaa_os_proof_put(t.st->set, t.st->numbers, &w, &t.proof))
		abort();
}

static void get(void)
{
	vldaa_reader rd;

	vldaa_get_init(&rd, t.bytes, t.len);
	vldaa_os_proof_get(t.st->set, t.st->numbers, &rd, &t.proof);
	if (rd.error)
		abort();
}

/* The median of PARTS runs. */
static void part(const char *name, const char *repeated, void (*run)(void))
{
	double times[PARTS];

	for (int i = 0; i < PARTS; i++) {
		const double start = microseconds();

		run();
		times[i] = microseconds() - start;
	}
	printf("    %-32s %8.1f%s\n", name, times_of(times, PARTS).median, repeated);
}

/* How often the loops run: M3; 2 M1 M2. */
static void parts(void)
{
	const vldaa_os_set *set = t.st->set;
	char range[40], response[40];

	snprintf(range, sizeof range, "  x %.1f when proving",
		 exp(ldexp((double)set->log_m3, -52)));
	snprintf(response, sizeof response, "  x %.1f when proving",
		 2 * exp(ldexp((double)(set->log_m1 + set->log_m2), -52)));
	part("statement", "", statement);
	part("decode", "", get);
	part("encode", "", put);
	part("transforms of z", response, transform);
	part("A1 z1 + A2 z2", response, first_message);
	part("Compress", response, compress);
	part("derived forms", response, linear_forms);
	part("c", response, challenge);
	part("first digest", range, first_digest);
	part("Rm", range, range_matrix);
	part("gamma, L, M, K, Rm once more", "", scalars);
}

static void measure(const char *name, const vldaa_oneshot_set *set, enum statement_kind kind)
{
	static double prove[RUNS], verify[RUNS];
	void *prover, *verifier;
	vldaa_arena a;

	t.p = planted_honest(set, kind, 1);
	t.st = &t.p->statement;
	t.crs = planted_crs(t.st->set);
	vldaa_arena_init(&a, NULL, SIZE_MAX);
	place(&a);
	vldaa_arena_init(&a, planted_memory(a.used), a.used);
	place(&a);
	prover = planted_memory(vldaa_os_prover_size(t.st->set, t.st->numbers));
	verifier = planted_memory(vldaa_os_verifier_size(t.st->set, t.st->numbers));
	for (int i = 0; i < RUNS; i++) {
		const uint8_t seed[VLDAA_SEED_BYTES] = {(uint8_t)i, (uint8_t)(i >> 8)};
		vldaa_writer w;

		vldaa_put_init(&w, t.bytes, CAP);
		vldaa_rng_init(&t.rng, seed, t.st->set->id);
		const double start = microseconds();
		const int failed = vldaa_os_prove(prover, t.crs, t.st, t.p->w1, &t.rng, &w);
		const double made = microseconds();
		if (failed || vldaa_os_verify(verifier, t.crs, t.st, (vldaa_bytes){t.bytes, w.len}))
			abort();
		verify[i] = microseconds() - made;
		prove[i] = made - start;
		t.len = w.len;
	}
	printf("%s: %zu bytes\n", name, t.len);
	print_whole("prove", prove);
	print_whole("verify", verify);
	parts();
	free(prover);
	free(verifier);
	free(a.base);
	planted_free(t.p);
}

int main(void)
{
	printf("microseconds\n");
	measure("VLDAA2-44, Join", &vldaa_oneshot_44, PLANTED_JOIN);
	measure("VLDAA2-44, Create", &vldaa_oneshot_44, PLANTED_CREATE);
	measure("VLDAA2-87, Join", &vldaa_oneshot_87, PLANTED_JOIN);
	measure("VLDAA2-87, Create", &vldaa_oneshot_87, PLANTED_CREATE);
	return EXIT_SUCCESS;
}
