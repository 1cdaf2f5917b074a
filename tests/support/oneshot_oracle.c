/* See oneshot_oracle.h. */
#include "oneshot_oracle.h"

#include <check.h>
#include <math.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

#include "oracle.h"

enum { D = VLDAA_OS_D };

static const int64_t one[D] = {1};

/* --- hashing -----------------------------------------------------------------------------------
 */

void oracle_shake(unsigned bits, const uint8_t *in, size_t len, uint8_t *out, size_t out_len)
{
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();

	ck_assert_ptr_nonnull(ctx);
	ck_assert(EVP_DigestInit_ex(ctx, bits == 128 ? EVP_shake128() : EVP_shake256(), NULL));
	ck_assert(EVP_DigestUpdate(ctx, in, len));
	ck_assert(EVP_DigestFinalXOF(ctx, out, out_len));
	EVP_MD_CTX_free(ctx);
}

void oracle_uniform(const vldaa_os_set *set, const uint8_t *in, size_t len, int64_t *out, size_t n)
{
	const int64_t q = set->ring.q;
	const size_t bytes = 6 * (n + 64); /* a residue is rejected once in 2^36 or so */
	uint8_t *stream = planted_memory(bytes);
	size_t done = 0;

	oracle_shake(128, in, len, stream, bytes);
	for (size_t i = 0; done < n; i += 6) {
		uint64_t x = 0;

		ck_assert_uint_le(i + 6, bytes);
		for (size_t k = 6; k-- > 0;)
			x = x << 8 | stream[i + k];
		x %= UINT64_C(1) << set->ring.q_bits;
		if (x < (uint64_t)q)
			out[done++] = planted_centred((int64_t)x, q);
	}
	free(stream);
}

/* What is hashed: a byte string that grows. */
typedef struct {
	uint8_t bytes[1 << 16];
	size_t len;
} text;

static void append(text *t, const void *bytes, size_t len)
{
	ck_assert_uint_le(t->len + len, sizeof t->bytes);
	memcpy(t->bytes + t->len, bytes, len);
	t->len += len;
}

static void append_integer(text *t, uint64_t x, size_t bytes)
{
	for (; bytes > 0; bytes--, x >>= 8)
		append(t, (uint8_t[]){(uint8_t)x}, 1);
}

static text *round_text(const char *tag, const uint8_t *digest)
{
	text *t = planted_memory(sizeof *t);

	append_integer(t, strlen(tag), 8);
	append(t, tag, strlen(tag));
	append_integer(t, VLDAA_OS_DIGEST, 8);
	append(t, digest, VLDAA_OS_DIGEST);
	return t;
}

/* One part: n integers of `bytes` bytes, each modulo `modulus` first where that is not 0. */
static void append_part(text *t, const int64_t *v, size_t n, size_t bytes, int64_t modulus)
{
	append_integer(t, n * bytes, 8);
	for (size_t i = 0; i < n; i++)
		append_integer(t, (uint64_t)(modulus && v[i] < 0 ? v[i] + modulus : v[i]), bytes);
}

static void end_round(text *t, uint8_t *digest, size_t len)
{
	oracle_shake(256, t->bytes, t->len, digest, len);
	free(t);
}

/* --- the CRS -----------------------------------------------------------------------------------
 */

static int64_t *expand(const vldaa_os_set *set, uint8_t matrix, uint32_t rows, uint32_t columns)
{
	int64_t *out = planted_memory((size_t)rows * columns * D * sizeof *out);

	for (uint32_t i = 0; i < rows; i++) {
		for (uint32_t j = 0; j < columns; j++) {
			text t = {.len = 0};

			append(&t, "crs", 3);
			for (int k = 24; k >= 0; k -= 8)
				append_integer(&t, set->id >> k & 255, 1);
			append_integer(&t, matrix, 1);
			append_integer(&t, i, 2);
			append_integer(&t, j, 2);
			oracle_uniform(set, t.bytes, t.len, out + ((size_t)i * columns + j) * D, D);
		}
	}
	return out;
}

const oracle_matrices *oracle_crs(const vldaa_os_set *set)
{
	static oracle_matrices made;

	if (made.set == set)
		return &made;
	free(made.a1);
	free(made.a2);
	free(made.b);
	made.set = set;
	made.a1 = expand(set, 1, set->n, set->max_m1);
	made.a2 = expand(set, 2, set->n, set->m2 - set->n);
	made.b = expand(set, 3, VLDAA_OS_B_ROWS, set->m2 - set->n);
	return &made;
}

/* --- challenges --------------------------------------------------------------------------------
 */

oracle_challenges *oracle_challenge_new(const vldaa_os_statement *st)
{
	oracle_challenges *x = planted_memory(sizeof *x);

	x->rm = planted_memory((size_t)VLDAA_OS_ROWS * vldaa_os_dim(st->numbers));
	x->gamma = planted_memory(VLDAA_OS_SCALARS * (VLDAA_OS_ROWS + VLDAA_OS_MAX_RELATIONS) *
				  sizeof *x->gamma);
	return x;
}

void oracle_challenge_free(oracle_challenges *x)
{
	free(x->rm);
	free(x->gamma);
	free(x);
}

/* A tag, a digest and whatever stands behind them, without lengths. */
static size_t labelled(uint8_t out[VLDAA_OS_DIGEST + 16], const char *tag, const uint8_t *digest)
{
	memcpy(out, tag, strlen(tag));
	memcpy(out + strlen(tag), digest, VLDAA_OS_DIGEST);
	return strlen(tag) + VLDAA_OS_DIGEST;
}

void oracle_range_matrix(oracle_challenges *x, const vldaa_os_statement *st, const uint8_t *d1)
{
	const size_t dim = vldaa_os_dim(st->numbers);
	uint8_t *stream = planted_memory(dim / 4);

	for (size_t i = 0; i < VLDAA_OS_ROWS; i++) {
		uint8_t in[VLDAA_OS_DIGEST + 16];
		size_t len = labelled(in, "Rm", d1);

		in[len++] = (uint8_t)i;
		in[len++] = 0;
		oracle_shake(128, in, len, stream, dim / 4);
		for (size_t k = 0; k < dim; k++) {
			static const int8_t values[4] = {0, 1, -1, 0};

			x->rm[i * dim + k] = values[stream[k / 4] >> (2 * (k % 4)) & 3];
		}
	}
	free(stream);
}

void oracle_gamma(oracle_challenges *x, const vldaa_os_statement *st, const uint8_t *d2)
{
	uint8_t in[VLDAA_OS_DIGEST + 16];
	const size_t len = labelled(in, "gamma", d2);

	oracle_uniform(st->set, in, len, x->gamma,
		       VLDAA_OS_SCALARS * (VLDAA_OS_ROWS + (size_t)st->numbers->relations));
}

void oracle_mu(oracle_challenges *x, const vldaa_os_statement *st, const uint8_t *d3)
{
	uint8_t in[VLDAA_OS_DIGEST + 16];
	const size_t len = labelled(in, "mu", d3);

	oracle_uniform(st->set, in, len, x->mu, VLDAA_OS_PAIRS * (size_t)D);
}

double oracle_operator_norm(const int64_t c[D])
{
	double max = 0;

	/* every root of Y^64 + 1, without using that c(zeta) is real */
	for (int j = 0; j < D; j++) {
		double real = 0, imaginary = 0;

		for (int i = 0; i < D; i++) {
			const double angle = acos(-1) * (2 * j + 1) * i / D;

			real += (double)c[i] * cos(angle);
			imaginary += (double)c[i] * sin(angle);
		}
		max = fmax(max, hypot(real, imaginary));
	}
	return max;
}

void oracle_challenge(int64_t c[D], const uint8_t seed[VLDAA_OS_SEED])
{
	for (uint32_t counter = 0;; counter++) {
		uint8_t in[1 + VLDAA_OS_SEED + 2] = {'c'};
		uint8_t bytes[128];
		size_t n = 0;

		memcpy(in + 1, seed, VLDAA_OS_SEED);
		in[1 + VLDAA_OS_SEED] = (uint8_t)(counter % 256);
		in[2 + VLDAA_OS_SEED] = (uint8_t)(counter / 256);
		oracle_shake(256, in, sizeof in, bytes, sizeof bytes);
		memset(c, 0, D * sizeof *c);
		for (size_t i = 0; i < sizeof bytes && n < D / 2; i++) {
			if (bytes[i] < 13 * 19)
				c[n++] = bytes[i] % 19 - 9;
		}
		for (size_t i = 1; i < D / 2; i++)
			c[D - i] = -c[i];
		if (n == D / 2 && oracle_operator_norm(c) <= 72)
			return;
	}
}

/* --- arithmetic --------------------------------------------------------------------------------
 */

/* acc += k a modulo q, k any residue. */
static void add_scaled(const vldaa_ring *r, int64_t *acc, int64_t k, const int64_t *a)
{
	const int64_t poly[VLDAA_MAX_DEGREE] = {k};

	oracle_mul_add(r, acc, 1, poly, a);
}

static void sigma(int64_t *out, const int64_t *a)
{
	out[0] = a[0];
	for (size_t i = 1; i < D; i++)
		out[i] = -a[D - i];
}

/* acc += sigma(a) b. */
static void add_inner(const vldaa_ring *r, int64_t *acc, const int64_t *a, const int64_t *b)
{
	int64_t turned[D];

	sigma(turned, a);
	oracle_mul_add(r, acc, 1, turned, b);
}

void oracle_pairing(const vldaa_os_set *set, int64_t *out, const int64_t *a, const int64_t *b)
{
	const vldaa_ring *r = &set->ring;
	const int64_t half = (r->q + 1) / 2;
	int64_t shift[D] = {0}, acc[D] = {0}, turned[D], sum[D] = {0};

	add_scaled(r, acc, half, a);
	sigma(turned, a);
	add_scaled(r, acc, half, turned);
	add_scaled(r, sum, half, b);
	sigma(turned, b);
	add_scaled(r, sum, half, turned);
	shift[D / 2] = 1;
	oracle_mul_add(r, acc, 1, shift, sum);
	memcpy(out, acc, sizeof acc);
}

int64_t oracle_compress(const vldaa_os_set *set, int64_t x)
{
	const vldaa_u128 q = (vldaa_u128)set->ring.q;
	const vldaa_u128 y = ((vldaa_u128)(uint64_t)x << (set->keep + 1)) + q;

	return (int64_t)(uint64_t)(y / (2 * q) % ((vldaa_u128)1 << set->keep));
}

int64_t oracle_decompress(const vldaa_os_set *set, int64_t x)
{
	const vldaa_u128 y =
	    2 * (vldaa_u128)set->ring.q * (uint64_t)x + ((vldaa_u128)1 << set->keep);

	return (int64_t)(uint64_t)(y / ((vldaa_u128)1 << (set->keep + 1)));
}

int64_t oracle_high(const vldaa_os_set *set, int64_t x)
{
	const int64_t unit = INT64_C(1) << set->cut;
	const int64_t high = (x + unit / 2) / unit;

	return high == (INT64_C(1) << (set->ring.q_bits - set->cut)) ? 0 : high;
}

static int64_t inverse(int64_t base, int64_t q)
{
	int64_t result = 1;

	for (int64_t e = q - 2; e > 0; e /= 2) {
		if (e % 2)
			result = (int64_t)((vldaa_i128)result * base % q);
		base = (int64_t)((vldaa_i128)base * base % q);
	}
	return result;
}

/* R_n modulo q, for support/oracle.h, which looks at d and q only. */
static vldaa_ring bigger(const planted *p, uint32_t d)
{
	return (vldaa_ring){
	    .d = d, .q = p->set->proof->ring.q, .q_bits = p->set->proof->ring.q_bits};
}

/* A polynomial of degree 64 t from its elements, with places `step` apart. */
static void join(int64_t *out, const int64_t *elements, size_t t, size_t step)
{
	for (size_t i = 0; i < t; i++) {
		for (size_t j = 0; j < D; j++)
			out[(i + j * t) * step] = elements[i * D + j];
	}
}

/* c(X^t) in R_(64 t). */
static void lift(int64_t *out, const int64_t *c, size_t t)
{
	memset(out, 0, D * t * sizeof *out);
	for (size_t j = 0; j < D; j++)
		out[j * t] = c[j];
}

/* acc += k D s, s in elements. */
static void add_ds(const planted *p, int64_t *acc, int64_t k, const int64_t *s)
{
	const vldaa_oneshot_set *n = p->set;
	const vldaa_ring r = bigger(p, n->N);
	const size_t per = n->N / VLDAA_MLDSA_N;

	for (size_t j = 0; j < n->mldsa->l; j++) {
		int64_t packed[PLANTED_N + VLDAA_OS_MAX_T] = {0};

		/* X^(j mod per) s_j(X^per) */
		join(packed + j % per, s + j * VLDAA_MLDSA_N, VLDAA_OS_QUARTERS, per);
		oracle_mul_add(&r, acc, k, j < per ? p->d0 : p->d1, packed);
	}
}

static void split(int64_t *out, const int64_t *a, size_t t)
{
	for (size_t i = 0; i < t; i++) {
		for (size_t j = 0; j < D; j++)
			out[i * D + j] = a[i + j * t];
	}
}

/* k_c = 1/p (v_1 + h v_2 - b_x X - D s - c u). */
static void derived_kc(const planted *p, const int64_t *w, const int64_t *c, int64_t *out)
{
	const vldaa_oneshot_set *n = p->set;
	const vldaa_ring r = bigger(p, n->N);
	const size_t t = n->N / D;
	int64_t acc[PLANTED_N], poly[PLANTED_N], result[PLANTED_N] = {0};

	join(acc, w, t, 1);
	join(poly, w + n->N, t, 1);
	oracle_mul_add(&r, acc, 1, p->h, poly);
	memset(poly, 0, sizeof poly);
	join(poly, w + 2 * (size_t)n->N, VLDAA_OS_QUARTERS, n->N / VLDAA_OS_TAG_BITS);
	oracle_mul_add(&r, acc, -1, p->bx, poly);
	add_ds(p, acc, -1, w + (2 * t + VLDAA_OS_QUARTERS + 1) * D);
	lift(poly, c, t);
	oracle_mul_add(&r, acc, -1, poly, p->u);
	add_scaled(&r, result, inverse(VLDAA_OS_P, r.q), acc);
	split(out, result, t);
}

/* k_a = 1/q1 (E_a + sum_j A_aj s_j - c t_a). */
static void derived_k(const planted *p, size_t a, const int64_t *w, const int64_t *c, int64_t *out)
{
	enum { N = VLDAA_MLDSA_N, T = VLDAA_OS_QUARTERS };
	const vldaa_oneshot_set *n = p->set;
	const vldaa_ring r = bigger(p, N);
	const int64_t *s = w + (2 * (size_t)n->N / D + T + 1) * D;
	int64_t acc[N], poly[N], result[N] = {0};

	join(acc, s + (n->mldsa->l + a) * N, T, 1);
	for (size_t j = 0; j < n->mldsa->l; j++) {
		join(poly, s + j * N, T, 1);
		oracle_mul_add(&r, acc, 1, p->a + (a * n->mldsa->l + j) * N, poly);
	}
	lift(poly, c, T);
	oracle_mul_add(&r, acc, -1, poly, p->t + a * N);
	add_scaled(&r, result, inverse(VLDAA_MLDSA_Q, r.q), acc);
	split(out, result, T);
}

/* k_J = 1/p (e_T + D s - c u_T). */
static void derived_kj(const planted *p, const int64_t *w, const int64_t *c, int64_t *out)
{
	const vldaa_oneshot_set *n = p->set;
	const vldaa_ring r = bigger(p, n->N);
	int64_t acc[PLANTED_N], poly[PLANTED_N], result[PLANTED_N] = {0};

	join(acc, w + (size_t)n->mldsa->l * VLDAA_MLDSA_N, n->N / D, 1);
	add_ds(p, acc, 1, w);
	lift(poly, c, n->N / D);
	oracle_mul_add(&r, acc, -1, poly, p->u_t);
	add_scaled(&r, result, inverse(VLDAA_OS_P, r.q), acc);
	split(out, result, n->N / D);
}

void oracle_derived(const planted *p, const int64_t *w, const int64_t *c, int64_t *out)
{
	if (p->kind == PLANTED_JOIN) {
		derived_kj(p, w, c, out);
		return;
	}
	derived_kc(p, w, c, out);
	for (size_t a = 0; a < p->set->rows; a++)
		derived_k(p, a, w, c, out + p->set->N + a * VLDAA_MLDSA_N);
}

/* The range proof's elements without weights: committed ones, then derived ones. */
static int64_t *range_elements(const planted *p, const int64_t *w, const int64_t *c)
{
	const vldaa_os_statement_set *s = p->statement.numbers;
	int64_t *all = planted_memory(vldaa_os_dim(s) * sizeof *all);
	int64_t derived[VLDAA_OS_MAX_DERIVED * D];

	memcpy(all, w, (size_t)s->m1 * D * sizeof *all);
	oracle_derived(p, w, c, derived);
	for (size_t k = 0; k < s->weighted; k++)
		memcpy(all + (s->m1 + k) * D, derived + s->form[k] * D, D * sizeof *all);
	return all;
}

static int64_t weight_of(const vldaa_os_statement_set *s, size_t element)
{
	return element < s->m1 ? 29 : (int64_t)s->weight[element - s->m1];
}

void oracle_weighted(const planted *p, const int64_t *w, int64_t *out)
{
	const vldaa_os_statement_set *s = p->statement.numbers;
	int64_t *all = range_elements(p, w, one);

	for (size_t i = 0; i < vldaa_os_dim(s); i++)
		out[i] = planted_centred(weight_of(s, i / D) * all[i], p->set->proof->ring.q);
	free(all);
}

void oracle_relations(const planted *p, const oracle_challenges *x, const int64_t *w,
		      const int64_t *y3, const int64_t *z3, int64_t *f)
{
	const vldaa_os_statement_set *s = p->statement.numbers;
	const int64_t q = p->set->proof->ring.q;
	const size_t dim = vldaa_os_dim(s);
	int64_t *weighted = planted_memory(dim * sizeof *weighted);

	oracle_weighted(p, w, weighted);
	for (size_t j = 0; j < VLDAA_OS_ROWS; j++) {
		vldaa_i128 sum = (vldaa_i128)y3[j] - z3[j];

		for (size_t k = 0; k < dim; k++)
			sum += x->rm[j * dim + k] * weighted[k];
		f[j] = planted_centred((int64_t)(sum % q), q);
	}
	for (size_t k = 0; k < s->relations; k++) {
		const vldaa_os_relation *r = &s->relation[k];
		vldaa_i128 sum = -(vldaa_i128)r->bound;

		for (size_t i = r->first * D; i < (r->first + r->count) * D; i++)
			sum += (vldaa_i128)w[i] * (w[i] - (r->binary ? 1 : 0));
		for (size_t i = 0; i < r->bits; i++)
			sum += (vldaa_i128)w[r->digits * D + r->digit + i] * (INT64_C(1) << i);
		f[VLDAA_OS_ROWS + k] = planted_centred((int64_t)(sum % q), q);
	}
	free(weighted);
}

/* gamma_r times the relation's square, linear and constant parts. */
static void add_relation(const planted *p, const vldaa_os_relation *rel, int64_t gamma,
			 const int64_t *z, int64_t *square, int64_t *linear, int64_t *constant)
{
	const vldaa_ring *r = &p->set->proof->ring;
	int64_t part[D] = {0}, bound[D] = {0};
	int64_t factor[D];

	for (size_t j = rel->first; j < rel->first + rel->count; j++)
		add_inner(r, part, z + j * D, z + j * D);
	add_scaled(r, square, gamma, part);
	memset(part, 0, sizeof part);
	memset(factor, 0, sizeof factor);
	if (rel->binary) {
		for (size_t i = 0; i < D; i++)
			factor[i] = -1;
		for (size_t j = rel->first; j < rel->first + rel->count; j++)
			add_inner(r, part, factor, z + j * D);
	} else {
		for (size_t i = 0; i < rel->bits; i++)
			factor[rel->digit + i] = INT64_C(1) << i;
		add_inner(r, part, factor, z + rel->digits * D);
	}
	add_scaled(r, linear, gamma, part);
	bound[0] = -rel->bound;
	add_scaled(r, constant, gamma, bound);
}

void oracle_functional(const planted *p, const oracle_challenges *x, uint32_t nu, const int64_t *c,
		       const int64_t *z, const int64_t *zm, const int64_t *z3, int64_t *out)
{
	const vldaa_os_statement_set *s = p->statement.numbers;
	const vldaa_ring *r = &p->set->proof->ring;
	const size_t dim = vldaa_os_dim(s);
	const int64_t *gamma = x->gamma + nu * (size_t)(VLDAA_OS_ROWS + s->relations);
	int64_t *all = range_elements(p, z, c);
	int64_t square[D] = {0}, linear[D] = {0}, constant[D] = {0};

	for (size_t e = 0; e < dim / D; e++) {
		int64_t column[D], part[D] = {0};

		for (size_t i = 0; i < D; i++) {
			vldaa_i128 sum = 0;

			for (size_t j = 0; j < VLDAA_OS_ROWS; j++)
				sum += (vldaa_i128)gamma[j] * x->rm[j * dim + e * D + i];
			column[i] = planted_centred((int64_t)(sum % r->q), r->q);
		}
		add_inner(r, part, column, all + e * D);
		add_scaled(r, linear, weight_of(s, e), part);
	}
	for (size_t i = 0; i < VLDAA_OS_MASK; i++)
		add_inner(r, linear, gamma + i * D, zm + i * D);
	for (size_t j = 0; j < VLDAA_OS_ROWS; j++) {
		const int64_t product = (int64_t)((vldaa_i128)gamma[j] * z3[j] % r->q);

		constant[0] = planted_centred(constant[0] - product, r->q);
	}
	for (size_t k = 0; k < s->relations; k++)
		add_relation(p, &s->relation[k], gamma[VLDAA_OS_ROWS + k], z, square, linear,
			     constant);
	oracle_mul_add(r, square, 1, c, linear);
	oracle_mul(r, constant, constant, c);
	oracle_mul_add(r, square, 1, c, constant);
	memcpy(out, square, sizeof square);
	free(all);
}

/* --- the verifier ------------------------------------------------------------------------------
 */

static void rows(const vldaa_ring *r, int64_t *out, const int64_t *matrix, size_t columns,
		 size_t stride, size_t n, int64_t k, const int64_t *x)
{
	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j < columns; j++)
			oracle_mul_add(r, out + i * D, k, matrix + (i * stride + j) * D, x + j * D);
	}
}

static void first_message(const planted *p, const vldaa_os_proof *proof, verifier_view *view)
{
	const vldaa_os_set *set = p->set->proof;
	const vldaa_ring *r = &set->ring;
	const oracle_matrices *crs = oracle_crs(set);
	const size_t na = set->m2 - set->n;
	const int64_t mask = (INT64_C(1) << set->keep) - 1;

	memset(view->approximate, 0, sizeof view->approximate);
	rows(r, view->approximate, crs->a1, p->statement.numbers->m1, set->max_m1, set->n, 1,
	     proof->z1);
	rows(r, view->approximate, crs->a2, na, na, set->n, 1, proof->z2);
	for (size_t i = 0; i < set->n; i++) {
		int64_t high[D];

		for (size_t j = 0; j < D; j++)
			high[j] = (int64_t)proof->ta1[i * D + j] << set->cut;
		oracle_mul_add(r, view->approximate + i * D, -1, view->c, high);
	}
	for (size_t i = 0; i < set->n * (size_t)D; i++) {
		const int64_t x = view->approximate[i];

		view->w[i] =
		    (oracle_compress(set, x < 0 ? x + r->q : x) + proof->hint[i] + mask + 1) & mask;
	}
}

/* v = sum_i mu_i (c zm_(4+i) + pair(T_(2i-1), T_2i) - c^2 h_i) - zm_6. */
static void quadratic_relation(const planted *p, const oracle_challenges *x,
			       const vldaa_os_proof *proof, verifier_view *view)
{
	const vldaa_os_set *set = p->set->proof;
	const vldaa_ring *r = &set->ring;
	const oracle_matrices *crs = oracle_crs(set);
	const size_t na = set->m2 - set->n;
	int64_t zm[VLDAA_OS_B_ROWS * D] = {0};

	rows(r, zm, crs->b, na, na, VLDAA_OS_B_ROWS, -1, proof->z2);
	for (size_t i = 0; i < VLDAA_OS_B_ROWS; i++)
		oracle_mul_add(r, zm + i * D, 1, view->c, proof->tb + i * D);
	memset(view->v, 0, sizeof view->v);
	for (uint32_t nu = 0; nu < VLDAA_OS_SCALARS; nu++)
		oracle_functional(p, x, nu, view->c, proof->z1, zm, proof->z3, view->t + nu * D);
	for (size_t i = 0; i < VLDAA_OS_PAIRS; i++) {
		int64_t sum[D], part[D];

		oracle_pairing(set, sum, view->t + 2 * i * D, view->t + (2 * i + 1) * D);
		oracle_mul_add(r, sum, 1, view->c, zm + (VLDAA_OS_MASK + i) * D);
		oracle_mul(r, part, view->c, proof->h + i * D);
		oracle_mul_add(r, sum, -1, view->c, part);
		oracle_mul_add(r, view->v, 1, x->mu + i * D, sum);
	}
	oracle_add(r, view->v, -1, zm + (VLDAA_OS_B_ROWS - 1) * D);
}

int oracle_verify(const planted *p, const vldaa_os_proof *proof, verifier_view *view)
{
	const vldaa_os_statement *st = &p->statement;
	const vldaa_os_set *set = st->set;
	const int64_t q = set->ring.q;
	const int64_t *last = proof->tb + (VLDAA_OS_B_ROWS - 1) * D;
	oracle_challenges *x = oracle_challenge_new(st);
	int64_t sent[VLDAA_OS_PAIRS * (D - 2)];
	text *t;

	oracle_challenge(view->c, proof->seed);
	first_message(p, proof, view);
	t = round_text("oneshot 1", st->bind);
	append_integer(t, (uint64_t)set->n * D * 4, 8);
	for (size_t i = 0; i < set->n * (size_t)D; i++)
		append_integer(t, proof->ta1[i], 4);
	append_part(t, proof->tb, (VLDAA_OS_B_ROWS - 1) * D, 6, q);
	end_round(t, view->d1, sizeof view->d1);
	oracle_range_matrix(x, st, view->d1);
	t = round_text("oneshot 2", view->d1);
	append_part(t, proof->z3, VLDAA_OS_ROWS, 4, 0);
	end_round(t, view->d2, sizeof view->d2);
	oracle_gamma(x, st, view->d2);
	t = round_text("oneshot 3", view->d2);
	for (size_t i = 0, n = 0; i < VLDAA_OS_PAIRS * D; i++) {
		if (i % (D / 2) != 0)
			sent[n++] = proof->h[i];
	}
	append_part(t, sent, VLDAA_OS_PAIRS * (D - 2), 6, q);
	end_round(t, view->d3, sizeof view->d3);
	oracle_mu(x, st, view->d3);
	quadratic_relation(p, x, proof, view);
	t = round_text("oneshot 4", view->d3);
	append_part(t, last, D, 6, q);
	append_part(t, view->w, set->n * (size_t)D, 3, 0);
	append_part(t, view->v, D, 6, q);
	end_round(t, view->seed, sizeof view->seed);
	oracle_challenge_free(x);
	return memcmp(view->seed, proof->seed, sizeof view->seed) == 0;
}
