/* See planted.h. */
#include "planted.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sampler/gauss.h"

/* Not Check's: benchmarks use this file too. */
static void must(int holds, const char *what)
{
	if (!holds) {
		fprintf(stderr, "planted: %s\n", what);
		abort();
	}
}

int64_t planted_centred(int64_t x, int64_t m)
{
	x %= m;
	if (x < 0)
		x += m;
	return x > m / 2 ? x - m : x;
}

void planted_times(size_t n, int64_t *out, const int64_t *a, const int64_t *b)
{
	memset(out, 0, n * sizeof *out);
	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j < n - i; j++)
			out[i + j] += a[i] * b[j];
		for (size_t j = n - i; j < n; j++)
			out[i + j - n] -= a[i] * b[j];
	}
}

uint64_t planted_norm2(const int64_t *a, size_t n)
{
	vldaa_u128 sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (vldaa_u128)((vldaa_i128)a[i] * a[i]);
	return sum > UINT64_MAX ? UINT64_MAX : (uint64_t)sum;
}

/* The last entries make up for what the others lack: greedily, so that a few are enough. */
void planted_fit(int64_t *a, size_t n, int64_t max, uint64_t norm2)
{
	enum { LAST = 24 };
	const size_t rest = n - LAST;
	uint64_t sum = planted_norm2(a, rest);

	for (size_t i = rest; i-- > 0 && sum > norm2;) {
		sum -= (uint64_t)(a[i] * a[i]);
		a[i] = 0;
	}
	for (size_t i = rest; i-- > 0 && norm2 - sum > LAST / 2 * (uint64_t)(max * max);) {
		sum += (uint64_t)(max * max - a[i] * a[i]);
		a[i] = max;
	}
	for (size_t i = rest; i < n; i++) {
		/* a step down, should the root be rounded up; what is left goes to the next entries
		 */
		a[i] = (int64_t)sqrt((double)(norm2 - sum));
		a[i] = a[i] > max ? max : a[i];
		a[i] -= (uint64_t)(a[i] * a[i]) > norm2 - sum;
		sum += (uint64_t)(a[i] * a[i]);
	}
	must(sum == norm2 && planted_norm2(a, n) == norm2, "the norm is what was asked for");
}

void *planted_memory(size_t size)
{
	const size_t rounded =
	    (size + VLDAA_ARENA_ALIGN - 1) / VLDAA_ARENA_ALIGN * VLDAA_ARENA_ALIGN;
	void *p = aligned_alloc(VLDAA_ARENA_ALIGN, rounded);

	must(p != NULL, "memory");
	memset(p, 0, rounded);
	return p;
}

const vldaa_os_crs *planted_crs(const vldaa_os_set *set)
{
	static vldaa_os_crs made;
	const vldaa_os_crs *offered = vldaa_os_crs_of(set);
	vldaa_arena a;

	if (offered)
		return offered;
	if (!made.set) {
		vldaa_arena_init(&a, NULL, SIZE_MAX);
		vldaa_os_crs_layout(&made, set, &a);
		vldaa_arena_init(&a, planted_memory(a.used), a.used);
		vldaa_os_crs_layout(&made, set, &a);
		vldaa_os_crs_expand(&made, set);
	}
	must(made.set == set, "one proof system of a test's own at most");
	return &made;
}

int planted_verify(const vldaa_os_statement *st, vldaa_bytes proof)
{
	static void *workspace;
	static size_t size;
	const size_t needed = vldaa_os_verifier_size(st->set, st->numbers);

	if (needed > size) {
		free(workspace);
		workspace = planted_memory(needed);
		size = needed;
	}
	return vldaa_os_verify(workspace, planted_crs(st->set), st, proof);
}

/* --- choosing ----------------------------------------------------------------------------------
 */

static void uniform(vldaa_rng *rng, int64_t *out, size_t n, int64_t modulus)
{
	for (size_t i = 0; i < n; i++)
		out[i] = planted_centred((int64_t)(vldaa_rng_u64(rng) >> 1), modulus);
}

/* Entries of [-2, 2], redrawn until the squared norm is within the bound. */
static void small(vldaa_rng *rng, int64_t *out, size_t n, uint64_t bound2)
{
	do {
		uniform(rng, out, n, 5);
	} while (planted_norm2(out, n) > bound2);
}

/* Deviation 164 where the sets have 165.7 and 168.4. */
static void credential(const vldaa_oneshot_set *n, planted_secret *s, vldaa_rng *rng)
{
	enum { WIDTH = 41 };

	do {
		vldaa_mask_sample(s->v1_doubled, n->N, WIDTH, rng);
		vldaa_mask_sample(s->v2, n->N, WIDTH, rng);
	} while (planted_norm2(s->v1_doubled, n->N) + planted_norm2(s->v2, n->N) > n->beta2);
	for (size_t i = 0; i < n->N; i++)
		s->v1_doubled[i] *= 2;
	for (size_t i = 0; i < VLDAA_OS_TAG_BITS; i++)
		s->x_doubled[i] = 2 * (int64_t)(vldaa_rng_u64(rng) & 1);
}

planted *planted_new(const vldaa_oneshot_set *n, enum statement_kind kind, uint8_t number)
{
	const uint8_t seed[VLDAA_SEED_BYTES] = {number, 'p', 'l', 'a', 'n', 't'};
	const size_t l = (size_t)n->mldsa->l * VLDAA_MLDSA_N;
	planted *p = planted_memory(sizeof *p);
	vldaa_rng rng;

	p->set = n;
	p->kind = kind;
	vldaa_rng_init(&rng, seed, n->id);
	uniform(&rng, p->h, n->N, VLDAA_OS_P);
	uniform(&rng, p->bx, n->N, VLDAA_OS_P);
	uniform(&rng, p->d0, n->N, VLDAA_OS_P);
	uniform(&rng, p->d1, n->N, VLDAA_OS_P);
	uniform(&rng, p->a, n->rows * l, VLDAA_MLDSA_Q);
	credential(n, &p->secret, &rng);
	small(&rng, p->secret.s, l, n->s_bound2);
	small(&rng, p->secret.E, n->rows * (size_t)VLDAA_MLDSA_N, n->e_bound2);
	small(&rng, p->secret.e_t, n->N, n->et_bound2);
	p->group.n = n;
	p->group.h = p->h;
	p->group.u = p->u;
	p->group.bx = p->bx;
	p->group.d0 = p->d0;
	p->group.d1 = p->d1;
	vldaa_arena_init(&p->arena, NULL, SIZE_MAX);
	vldaa_os_tables_layout(&p->tables, n, &p->arena);
	vldaa_arena_init(&p->arena, planted_memory(p->arena.used), p->arena.used);
	vldaa_os_tables_layout(&p->tables, n, &p->arena);
	p->statement.bind[0] = number;
	return p;
}

void planted_free(planted *p)
{
	free(p->arena.base);
	free(p);
}

/* --- publishing --------------------------------------------------------------------------------
 */

/* pack(a_0, ..) = sum X^i a_i(X^per): `count` polynomials of 256. */
static void pack(const vldaa_oneshot_set *n, int64_t *out, const int64_t *a, size_t count)
{
	const size_t per = n->N / VLDAA_MLDSA_N;

	memset(out, 0, n->N * sizeof *out);
	for (size_t i = 0; i < count; i++) {
		for (size_t j = 0; j < VLDAA_MLDSA_N; j++)
			out[i + j * per] = a[i * VLDAA_MLDSA_N + j];
	}
}

/* D s over the integers. */
static void times_d(const planted *p, int64_t *out)
{
	const size_t n = p->set->N;
	const size_t per = n / VLDAA_MLDSA_N;
	int64_t packed[PLANTED_N], second[PLANTED_N];

	pack(p->set, packed, p->secret.s, per);
	planted_times(n, out, p->d0, packed);
	pack(p->set, packed, p->secret.s + per * VLDAA_MLDSA_N, p->set->mldsa->l - per);
	planted_times(n, second, p->d1, packed);
	for (size_t i = 0; i < n; i++)
		out[i] += second[i];
}

/* value = public + modulus * carry. */
static void split_off(size_t n, int64_t *public, int64_t *carry, const int64_t *value,
		      int64_t modulus)
{
	for (size_t i = 0; i < n; i++) {
		public[i] = planted_centred(value[i], modulus);
		carry[i] = (value[i] - public[i]) / modulus;
	}
}

/* u and k_c: v_1 + h v_2 - b_x X - D s = u + p k_c. */
static void publish_u(planted *p)
{
	const size_t n = p->set->N;
	int64_t sum[PLANTED_N], part[PLANTED_N], packed[PLANTED_N];

	planted_times(n, sum, p->h, p->secret.v2);
	times_d(p, part);
	for (size_t i = 0; i < n; i++)
		sum[i] -= part[i];
	/* one polynomial of 256: X = x(X^per) */
	pack(p->set, packed, p->secret.x_doubled, 1);
	planted_times(n, part, p->bx, packed);
	for (size_t i = 0; i < n; i++) {
		const int64_t twice = p->secret.v1_doubled[i] - part[i];

		must(twice % 2 == 0, "halves of v_1 answer those of b_x X");
		sum[i] += twice / 2;
	}
	split_off(n, p->u, p->k_c, sum, VLDAA_OS_P);
}

/* t and k: A s + E = t + q1 k, row by row. */
static void publish_t(planted *p)
{
	enum { N = VLDAA_MLDSA_N };

	for (size_t a = 0; a < p->set->rows; a++) {
		int64_t sum[N], part[N];

		memcpy(sum, p->secret.E + a * N, sizeof sum);
		for (size_t j = 0; j < p->set->mldsa->l; j++) {
			planted_times(N, part, p->a + (a * p->set->mldsa->l + j) * N,
				      p->secret.s + j * N);
			for (size_t i = 0; i < N; i++)
				sum[i] += part[i];
		}
		split_off(N, p->t + a * N, p->k + a * N, sum, VLDAA_MLDSA_Q);
	}
}

/* u_T and k_J: D s + e_T = u_T + p k_J. */
static void publish_ut(planted *p)
{
	int64_t sum[PLANTED_N];

	times_d(p, sum);
	for (size_t i = 0; i < p->set->N; i++)
		sum[i] += p->secret.e_t[i];
	split_off(p->set->N, p->u_t, p->k_c, sum, VLDAA_OS_P);
}

void planted_restate(planted *p)
{
	if (p->kind == PLANTED_JOIN)
		vldaa_os_join_statement(&p->statement, &p->tables, &p->group, p->u_t);
	else
		vldaa_os_attestation_statement(&p->statement, &p->tables, &p->group, p->a, p->t);
}

void planted_publish(planted *p)
{
	if (p->kind == PLANTED_JOIN) {
		publish_ut(p);
	} else {
		publish_u(p);
		publish_t(p);
	}
	planted_restate(p);
}

/* --- the witness -------------------------------------------------------------------------------
 */

/* Elements of R of a polynomial of degree 64 t: element i has the coefficients i, i + t, ...; the
 * values are doubled, so half of them modulo q, centred. */
static int64_t *put_halves(int64_t *out, const int64_t *doubled, size_t t, int64_t q)
{
	for (size_t i = 0; i < t; i++) {
		for (size_t j = 0; j < VLDAA_OS_D; j++) {
			const int64_t x = doubled[i + j * t];

			/* an odd number's half: (x + q) / 2 */
			*out++ = planted_centred(x % 2 ? (x + q) / 2 : x / 2, q);
		}
	}
	return out;
}

static int64_t *put(int64_t *out, const int64_t *values, size_t t)
{
	for (size_t i = 0; i < t; i++) {
		for (size_t j = 0; j < VLDAA_OS_D; j++)
			*out++ = values[i + j * t];
	}
	return out;
}

void planted_digits(planted *p)
{
	const vldaa_os_statement_set *s = p->statement.numbers;

	for (size_t k = 0; k < s->relations; k++) {
		const vldaa_os_relation *r = &s->relation[k];
		const uint64_t norm2 =
		    planted_norm2(p->w1 + r->first * VLDAA_OS_D, (size_t)r->count * VLDAA_OS_D);
		uint64_t rest = (uint64_t)r->bound > norm2 ? (uint64_t)r->bound - norm2 : 0;

		for (size_t i = 0; i < r->bits; i++, rest /= 2)
			p->w1[r->digits * VLDAA_OS_D + r->digit + i] = (int64_t)(rest % 2);
	}
}

void planted_witness(planted *p)
{
	const vldaa_oneshot_set *n = p->set;
	const int64_t q = n->proof->ring.q;
	const size_t t = n->N / VLDAA_OS_D;
	int64_t *w = p->w1;

	memset(p->w1, 0, sizeof p->w1);
	if (p->kind == PLANTED_CREATE) {
		w = put_halves(w, p->secret.v1_doubled, t, q);
		w = put(w, p->secret.v2, t);
		w = put_halves(w, p->secret.x_doubled, VLDAA_OS_QUARTERS, q);
		w += VLDAA_OS_D;
	}
	for (size_t j = 0; j < n->mldsa->l; j++)
		w = put(w, p->secret.s + j * VLDAA_MLDSA_N, VLDAA_OS_QUARTERS);
	if (p->kind == PLANTED_CREATE) {
		for (size_t a = 0; a < n->rows; a++)
			w = put(w, p->secret.E + a * VLDAA_MLDSA_N, VLDAA_OS_QUARTERS);
	} else {
		w = put(w, p->secret.e_t, t);
		w += VLDAA_OS_D;
	}
	must(w == p->w1 + p->statement.numbers->m1 * VLDAA_OS_D, "m1 elements");
	planted_digits(p);
}

planted *planted_honest(const vldaa_oneshot_set *set, enum statement_kind kind, uint8_t number)
{
	planted *p = planted_new(set, kind, number);

	planted_publish(p);
	planted_witness(p);
	return p;
}
