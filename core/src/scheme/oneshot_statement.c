/*
 * The two statements of the one-shot sets, as data for the proof.
 *
 * Create: witness v_1 (t elements), v_2 (t), x (4), theta (1), s (4 l), E (4 r); derived
 *   k_c = 1/p (v_1 + h v_2 - u - b_x X - D s),   t elements
 *   k_a = 1/q1 (E_a - t_a + sum_j A_aj s_j),     4 elements for each proven row a.
 * Join: witness s (4 l), e_T (t), theta (1); derived k_J = 1/p (e_T - u_T + D s), t elements.
 */
#include "scheme/oneshot.h"

#include <string.h>

#include "ring/mod.h"

void vldaa_os_split(int64_t *out, const int64_t *a, uint32_t t)
{
	for (uint32_t i = 0; i < t; i++) {
		for (uint32_t j = 0; j < VLDAA_OS_D; j++)
			out[i * VLDAA_OS_D + j] = a[i + j * t];
	}
}

void vldaa_os_pack_s(const vldaa_oneshot_set *n, int64_t *s0, int64_t *s1, const int64_t *s)
{
	const uint32_t per = n->N / VLDAA_MLDSA_N;

	memset(s0, 0, n->N * sizeof *s0);
	memset(s1, 0, n->N * sizeof *s1);
	for (uint32_t j = 0; j < n->mldsa->l; j++) {
		int64_t *out = j < per ? s0 + j : s1 + (j - per);

		for (uint32_t i = 0; i < VLDAA_MLDSA_N; i++)
			out[i * per] = s[j * VLDAA_MLDSA_N + i];
	}
}

size_t vldaa_os_terms_max(const vldaa_oneshot_set *n)
{
	const size_t t = n->N / VLDAA_OS_D;
	const size_t s = VLDAA_OS_QUARTERS * n->mldsa->l;

	return t * (1 + t + VLDAA_OS_QUARTERS + s) + n->rows * VLDAA_OS_QUARTERS * (1 + s);
}

static void matrix_layout(vldaa_os_matrix *m, const vldaa_ring *r, uint32_t t, vldaa_arena *a)
{
	m->t = t;
	m->hats = vldaa_arena_hats(a, r, 2 * (size_t)t);
}

void vldaa_os_tables_layout(vldaa_os_tables *t, const vldaa_oneshot_set *n, vldaa_arena *a)
{
	const vldaa_ring *r = &n->proof->ring;
	const uint32_t big = n->N / VLDAA_OS_D;

	matrix_layout(&t->h, r, big, a);
	matrix_layout(&t->bx, r, big, a);
	matrix_layout(&t->d0, r, big, a);
	matrix_layout(&t->d1, r, big, a);
	for (uint32_t i = 0; i < n->rows * n->mldsa->l; i++)
		matrix_layout(&t->a[i], r, VLDAA_OS_QUARTERS, a);
	t->inverse_p = vldaa_arena_hats(a, r, 1);
	t->inverse_q1 = vldaa_arena_hats(a, r, 1);
	t->terms = vldaa_arena_take(a, vldaa_os_terms_max(n) * sizeof *t->terms);
	t->constants = vldaa_arena_polys(a, r, big + (size_t)n->rows * VLDAA_OS_QUARTERS);
}

/* base^-1 modulo the prime q, by Fermat: public, once a statement. */
static int64_t inverse(const vldaa_mod *m, int64_t base)
{
	int64_t result = 1;

	for (int64_t e = m->q - 2; e > 0; e >>= 1) {
		if (e & 1)
			result = vldaa_mod_i128(m, (vldaa_i128)result * base);
		base = vldaa_mod_i128(m, (vldaa_i128)base * base);
	}
	return result;
}

static void matrix_init(vldaa_os_matrix *m, const vldaa_ring *r, const int64_t *h, int64_t scale)
{
	const size_t len = vldaa_hat_len(r);
	int64_t e[VLDAA_OS_D], y[VLDAA_OS_D];

	for (uint32_t i = 0; i < m->t; i++) {
		for (uint32_t j = 0; j < VLDAA_OS_D; j++)
			e[j] = h[i + j * m->t];
		vldaa_poly_scale(r, e, scale, e);
		vldaa_hat_from_poly(r, m->hats + i * len, e);
		y[0] = -e[VLDAA_OS_D - 1];
		memcpy(y + 1, e, (VLDAA_OS_D - 1) * sizeof *y);
		vldaa_hat_from_poly(r, m->hats + (m->t + i) * len, y);
	}
}

static const uint32_t *entry(const vldaa_os_matrix *m, size_t len, uint32_t i, uint32_t j)
{
	return i >= j ? m->hats + (i - j) * len : m->hats + (m->t + m->t + i - j) * len;
}

static void constant_hat(const vldaa_ring *r, uint32_t *hat, int64_t k)
{
	int64_t poly[VLDAA_OS_D] = {k};

	vldaa_hat_from_poly(r, hat, poly);
}

/* constants[form] = scale * (element i of a). */
static void constant_element(const vldaa_ring *r, int64_t *out, const int64_t *a, uint32_t t,
			     uint32_t i, int64_t scale)
{
	for (uint32_t j = 0; j < VLDAA_OS_D; j++)
		out[j] = a[i + j * t];
	vldaa_poly_scale(r, out, scale, out);
}

static void add(vldaa_os_statement *st, vldaa_os_tables *t, uint32_t form, uint32_t column,
		const uint32_t *coefficient)
{
	t->terms[st->terms_len++] = (vldaa_os_term){form, column, coefficient};
}

/* D s in element i: polynomial j of s stands in S_(j / per) at places j mod per + per l. */
static void add_key_terms(vldaa_os_statement *st, vldaa_os_tables *t, const vldaa_oneshot_set *n,
			  uint32_t form, uint32_t i, uint32_t s_column)
{
	const size_t len = vldaa_hat_len(&n->proof->ring);
	const uint32_t per = n->N / VLDAA_MLDSA_N;

	for (uint32_t j = 0; j < n->mldsa->l; j++) {
		const vldaa_os_matrix *d = j < per ? &t->d0 : &t->d1;
		const uint32_t place = j < per ? j : j - per;

		for (uint32_t l = 0; l < VLDAA_OS_QUARTERS; l++) {
			add(st, t, form, s_column + VLDAA_OS_QUARTERS * j + l,
			    entry(d, len, i, place + per * l));
		}
	}
}

static void begin(vldaa_os_statement *st, vldaa_os_tables *t, const vldaa_os_group *g,
		  const vldaa_os_statement_set *numbers)
{
	st->set = g->n->proof;
	st->numbers = numbers;
	st->terms = t->terms;
	st->terms_len = 0;
	st->constants = t->constants;
}

void vldaa_os_attestation_statement(vldaa_os_statement *st, vldaa_os_tables *t,
				    const vldaa_os_group *g, const int64_t *a_rows,
				    const int64_t *t_rows)
{
	const vldaa_oneshot_set *n = g->n;
	const vldaa_ring *r = &n->proof->ring;
	const vldaa_mod m = vldaa_mod_init(r->q, r->q_bits);
	const size_t len = vldaa_hat_len(r);
	const uint32_t big = n->N / VLDAA_OS_D;
	const uint32_t per = n->N / VLDAA_MLDSA_N;
	const uint32_t v1 = 0, v2 = big, x = 2 * big, s = x + VLDAA_OS_QUARTERS + 1;
	const uint32_t E = s + VLDAA_OS_QUARTERS * n->mldsa->l;
	const int64_t ip = inverse(&m, VLDAA_OS_P);
	const int64_t iq = inverse(&m, VLDAA_MLDSA_Q);

	begin(st, t, g, n->attestation);
	matrix_init(&t->h, r, g->h, ip);
	matrix_init(&t->bx, r, g->bx, -ip);
	matrix_init(&t->d0, r, g->d0, -ip);
	matrix_init(&t->d1, r, g->d1, -ip);
	constant_hat(r, t->inverse_p, ip);
	constant_hat(r, t->inverse_q1, iq);
	for (uint32_t i = 0; i < big; i++) {
		add(st, t, i, v1 + i, t->inverse_p);
		for (uint32_t j = 0; j < big; j++)
			add(st, t, i, v2 + j, entry(&t->h, len, i, j));
		for (uint32_t j = 0; j < VLDAA_OS_QUARTERS; j++)
			add(st, t, i, x + j, entry(&t->bx, len, i, per * j));
		add_key_terms(st, t, n, i, i, s);
		constant_element(r, t->constants + (size_t)i * VLDAA_OS_D, g->u, big, i, -ip);
	}
	for (uint32_t a = 0; a < n->rows; a++) {
		for (uint32_t j = 0; j < n->mldsa->l; j++) {
			matrix_init(&t->a[a * n->mldsa->l + j], r,
				    a_rows + (size_t)(a * n->mldsa->l + j) * VLDAA_MLDSA_N, iq);
		}
		for (uint32_t i = 0; i < VLDAA_OS_QUARTERS; i++) {
			const uint32_t form = big + VLDAA_OS_QUARTERS * a + i;

			add(st, t, form, E + VLDAA_OS_QUARTERS * a + i, t->inverse_q1);
			for (uint32_t j = 0; j < n->mldsa->l; j++) {
				for (uint32_t l = 0; l < VLDAA_OS_QUARTERS; l++) {
					add(st, t, form, s + VLDAA_OS_QUARTERS * j + l,
					    entry(&t->a[a * n->mldsa->l + j], len, i, l));
				}
			}
			constant_element(r, t->constants + (size_t)form * VLDAA_OS_D,
					 t_rows + (size_t)a * VLDAA_MLDSA_N, VLDAA_OS_QUARTERS, i,
					 -iq);
		}
	}
}

void vldaa_os_join_statement(vldaa_os_statement *st, vldaa_os_tables *t, const vldaa_os_group *g,
			     const int64_t *u_t)
{
	const vldaa_oneshot_set *n = g->n;
	const vldaa_ring *r = &n->proof->ring;
	const vldaa_mod m = vldaa_mod_init(r->q, r->q_bits);
	const uint32_t big = n->N / VLDAA_OS_D;
	const uint32_t e = VLDAA_OS_QUARTERS * n->mldsa->l;
	const int64_t ip = inverse(&m, VLDAA_OS_P);

	begin(st, t, g, n->join);
	matrix_init(&t->d0, r, g->d0, ip);
	matrix_init(&t->d1, r, g->d1, ip);
	constant_hat(r, t->inverse_p, ip);
	for (uint32_t i = 0; i < big; i++) {
		add(st, t, i, e + i, t->inverse_p);
		add_key_terms(st, t, n, i, i, 0);
		constant_element(r, t->constants + (size_t)i * VLDAA_OS_D, u_t, big, i, -ip);
	}
}
