/*
 * The approximate range proof and the four scalar challenges (LNP22 section 5; scheme documentation, "The
 * one-shot proof"): the matrix Rm, and the linear functionals L, K that everything scalar adds up to.
 *
 * For nu = 1..4 with scalars gamma_(nu,j):
 *   sum_(j < 256) gamma_j (y3_j + (Rm W S)_j - z3_j) + sum_r gamma_(256 + r) F_r = 0,
 * whose left side is the constant coefficient of
 *   H_nu = sum_r gamma_(256+r) sum_(cols of r) sigma(w) w + sum_col L_col w_col + sum_j M_j f_j(w) + K
 *          + sum_i sigma(gy_i) y3_i,
 * f_j the linear part of derived form j.  The forms' values are reduced modulo q before M multiplies them: a form's
 * coefficients, M and a response are each as long as q, a response or so, and their product would be longer than
 * what the auxiliary primes hold.
 */
#include "proof/oneshot.h"

#include <string.h>

#include "random/secret.h"
#include "random/shake_x4.h"
#include "ring/mod.h"

void vldaa_os_aggregate_layout(vldaa_os_aggregate *g, const vldaa_os_set *set,
			       const vldaa_os_statement_set *s, vldaa_arena *a)
{
	const vldaa_ring *r = &set->ring;

	g->linear = vldaa_arena_hats(a, r, VLDAA_OS_SCALARS * (size_t)s->m1);
	g->forms = vldaa_arena_hats(a, r, VLDAA_OS_SCALARS * (size_t)s->derived);
	g->constant = vldaa_arena_polys(a, r, VLDAA_OS_SCALARS);
	g->gy = vldaa_arena_hats(a, r, VLDAA_OS_SCALARS * VLDAA_OS_MASK);
	g->mu = vldaa_arena_hats(a, r, VLDAA_OS_PAIRS);
	g->rm = vldaa_arena_take(a, VLDAA_OS_GROUP * (size_t)vldaa_os_dim(s));
	g->gamma = vldaa_arena_take(a, VLDAA_OS_SCALARS * (VLDAA_OS_ROWS + VLDAA_OS_MAX_RELATIONS) *
					   sizeof *g->gamma);
	g->column = vldaa_arena_take(a, vldaa_os_dim(s) * sizeof *g->column);
	g->poly = vldaa_arena_polys(a, r, 2);
	g->hat = vldaa_arena_hats(a, r, 2);
}

/* n entries from n / 4 bytes: 2-bit fields from the least significant, value = bit 0 - bit 1. */
static void unpack_entries(int8_t *out, const uint8_t *in, size_t n)
{
	for (size_t i = 0; i < n; i += 4, in++) {
		for (size_t k = 0; k < 4; k++)
			out[i + k] = (int8_t)((*in >> (2 * k) & 1) - (*in >> (2 * k + 1) & 1));
	}
}

/* Row i from SHAKE128("Rm", d1, i); dim is a multiple of 64, so rows are whole bytes. */
void vldaa_os_range_rows(vldaa_os_aggregate *g, const vldaa_os_statement *st, const uint8_t *d1,
			 uint32_t first)
{
	enum { TAG = 2, INPUT = TAG + VLDAA_OS_DIGEST + 2, LANES = VLDAA_OS_GROUP };
	const size_t dim = vldaa_os_dim(st->numbers);
	uint8_t input[LANES][INPUT], block[LANES][VLDAA_SHAKE128_RATE];
	const uint8_t *const in[LANES] = {input[0], input[1], input[2], input[3]};
	uint8_t *const out[LANES] = {block[0], block[1], block[2], block[3]};
	vldaa_shake_x4 s;

	for (uint32_t k = 0; k < LANES; k++) {
		memcpy(input[k], "Rm", TAG);
		memcpy(input[k] + TAG, d1, VLDAA_OS_DIGEST);
		input[k][INPUT - 2] = (uint8_t)(first + k);
		input[k][INPUT - 1] = 0;
	}
	vldaa_shake_x4_init(&s, VLDAA_SHAKE128_RATE, in, INPUT);
	for (size_t done = 0; done < dim; done += 4 * VLDAA_SHAKE128_RATE) {
		const size_t rest = dim - done;
		const size_t n = rest < 4 * VLDAA_SHAKE128_RATE ? rest : 4 * VLDAA_SHAKE128_RATE;

		vldaa_shake_x4_block(&s, out);
		for (uint32_t k = 0; k < LANES; k++)
			unpack_entries(g->rm + k * dim + done, block[k], n);
	}
}

/*
 * Rows are added up in groups of four (the method of the four Russians): a group's part of a column is one of
 * 3^4 sums, which are computed once and looked up for each column.  All of it is public: Rm and gamma are hashes
 * of what is sent.
 */
enum { SUMS = 81 };
typedef int64_t sums[SUMS][VLDAA_OS_SCALARS];

/* table[sum_i 3^i (e_i + 1)] = sum_i e_i gamma_i, e_i in {-1, 0, 1}, gamma_i = gammas[i] of each scalar. */
static void group_sums(sums table, const int64_t *gammas, size_t each)
{
	size_t n = 1;

	memset(table[0], 0, sizeof table[0]);
	for (size_t i = 0; i < VLDAA_OS_GROUP; i++, n *= 3) {
		for (size_t k = 0; k < n; k++) {
			for (size_t nu = 0; nu < VLDAA_OS_SCALARS; nu++) {
				const int64_t gamma = gammas[nu * each + i];
				const int64_t sum = table[k][nu];

				table[k][nu] = sum - gamma;
				table[n + k][nu] = sum;
				table[2 * n + k][nu] = sum + gamma;
			}
		}
	}
}

/* Column k of scalar nu, column[k][nu] = sum_j gamma_j Rm_jk: |gamma| < 2^46, 256 rows: below 2^54. */
static void aggregate_columns(vldaa_os_aggregate *g, const vldaa_os_statement *st,
			      const uint8_t *d1, size_t each)
{
	const size_t dim = vldaa_os_dim(st->numbers);
	uint8_t index[VLDAA_OS_D];
	sums table;

	memset(g->column, 0, dim * sizeof *g->column);
	for (uint32_t j = 0; j < VLDAA_OS_ROWS; j += VLDAA_OS_GROUP) {
		vldaa_os_range_rows(g, st, d1, j);
		group_sums(table, g->gamma + j, each);
		for (size_t first = 0; first < dim; first += VLDAA_OS_D) {
			const int8_t *row = g->rm + first;
			int64_t(*column)[VLDAA_OS_SCALARS] = g->column + first;

			for (size_t k = 0; k < VLDAA_OS_D; k++)
				index[k] = (uint8_t)(SUMS / 2 + row[k] + 3 * row[dim + k] +
						     9 * row[2 * dim + k] + 27 * row[3 * dim + k]);
			for (size_t k = 0; k < VLDAA_OS_D; k++) {
				for (size_t nu = 0; nu < VLDAA_OS_SCALARS; nu++)
					column[k][nu] += table[index[k]][nu];
			}
		}
	}
}

/* Element j of the columns of scalar nu, modulo q. */
static void column_element(const vldaa_os_aggregate *g, const vldaa_ring *r, int64_t *out, size_t j,
			   uint32_t nu)
{
	for (size_t i = 0; i < VLDAA_OS_D; i++)
		out[i] = g->column[j * VLDAA_OS_D + i][nu];
	vldaa_poly_reduce(r, out, out);
}

/* hat = NTT(sigma(k poly)), poly centred. */
static void sigma_hat(vldaa_os_aggregate *g, const vldaa_ring *r, uint32_t *hat,
		      const int64_t *poly, int64_t k)
{
	int64_t scaled[VLDAA_OS_D];

	if (k != 1) {
		vldaa_poly_scale(r, scaled, k, poly);
		poly = scaled;
	}
	vldaa_poly_automorphism(r, g->poly, poly, 2 * VLDAA_OS_D - 1);
	vldaa_hat_from_poly(r, hat, g->poly);
}

/* The relations' linear parts and constants, for scalar nu. */
static void add_relations(vldaa_os_aggregate *g, const vldaa_os_statement *st,
			  const int64_t *gammas, uint32_t nu, uint32_t *linear, int64_t *constant)
{
	const vldaa_os_statement_set *s = st->numbers;
	const vldaa_ring *r = &st->set->ring;
	const size_t len = vldaa_hat_len(r);
	const vldaa_mod m = vldaa_mod_init(r->q, r->q_bits);

	for (uint32_t k = 0; k < s->relations; k++) {
		const vldaa_os_relation *rel = &s->relation[k];
		const int64_t gamma = gammas[VLDAA_OS_ROWS + k];
		int64_t poly[VLDAA_OS_D] = {0};

		g->square[nu][k] = gamma;
		if (rel->binary) {
			for (size_t i = 0; i < VLDAA_OS_D; i++)
				poly[i] = -1;
			sigma_hat(g, r, g->hat, poly, gamma);
			for (uint32_t j = rel->first; j < rel->first + rel->count; j++)
				vldaa_hat_add(r, linear + j * len, linear + j * len, g->hat);
			continue;
		}
		for (uint32_t i = 0; i < rel->bits; i++)
			poly[rel->digit + i] = INT64_C(1) << i;
		sigma_hat(g, r, g->hat, poly, gamma);
		vldaa_hat_add(r, linear + rel->digits * len, linear + rel->digits * len, g->hat);
		constant[0] = vldaa_mod_i64(
		    &m, constant[0] - vldaa_mod_i128(&m, (vldaa_i128)gamma * rel->bound));
	}
}

/* The range proof's part of L, M, K and gy, for scalar nu. */
static void add_range(vldaa_os_aggregate *g, const vldaa_os_statement *st, const int64_t *gammas,
		      const int64_t *z3, uint32_t nu, uint32_t *linear, int64_t *constant)
{
	const vldaa_os_statement_set *s = st->numbers;
	const vldaa_ring *r = &st->set->ring;
	const size_t len = vldaa_hat_len(r);
	const vldaa_mod m = vldaa_mod_init(r->q, r->q_bits);
	uint32_t *forms = g->forms + (size_t)nu * s->derived * len;
	int64_t column[VLDAA_OS_D], sum[VLDAA_OS_D];
	vldaa_i128 inner = 0;

	for (uint32_t j = 0; j < s->m1; j++) {
		column_element(g, r, column, j, nu);
		sigma_hat(g, r, linear + j * len, column, VLDAA_OS_WEIGHT);
	}
	vldaa_hat_zero(r, g->hat + len);
	for (uint32_t f = 0; f < s->derived; f++) {
		/* a form may stand in the range proof with several weights: one functional each form */
		memset(sum, 0, sizeof sum);
		for (uint32_t k = 0; k < s->weighted; k++) {
			if (s->form[k] != f)
				continue;
			column_element(g, r, column, s->m1 + k, nu);
			vldaa_poly_scale(r, column, s->weight[k], column);
			vldaa_poly_add(r, sum, sum, column);
		}
		sigma_hat(g, r, forms + f * len, sum, 1);
		vldaa_hat_from_poly(r, g->hat, st->constants + (size_t)f * VLDAA_OS_D);
		vldaa_hat_mul_add(r, g->hat + len, forms + f * len, g->hat);
	}
	vldaa_hat_to_poly(r, constant, g->hat + len);
	for (uint32_t i = 0; i < VLDAA_OS_MASK; i++)
		sigma_hat(g, r, g->gy + ((size_t)nu * VLDAA_OS_MASK + i) * len,
			  gammas + i * VLDAA_OS_D, 1);
	for (uint32_t j = 0; j < VLDAA_OS_ROWS; j++)
		inner += (vldaa_i128)gammas[j] * z3[j];
	constant[0] = vldaa_mod_i64(&m, constant[0] - vldaa_mod_i128(&m, inner));
}

void vldaa_os_scalars(vldaa_os_aggregate *g, const vldaa_os_statement *st, const uint8_t *d1,
		      const uint8_t *d2, const int64_t *z3)
{
	const vldaa_os_statement_set *s = st->numbers;
	const size_t len = vldaa_hat_len(&st->set->ring);
	const uint32_t each = VLDAA_OS_ROWS + s->relations;
	vldaa_shake shake;

	vldaa_shake_init(&shake, VLDAA_SHAKE128_RATE);
	vldaa_shake_absorb(&shake, "gamma", 5);
	vldaa_shake_absorb(&shake, d2, VLDAA_OS_DIGEST);
	/* nu-major; each: 256 for the range proof, then the relations */
	vldaa_os_uniform(&st->set->ring, &shake, g->gamma, VLDAA_OS_SCALARS * (size_t)each);
	aggregate_columns(g, st, d1, each);
	for (uint32_t nu = 0; nu < VLDAA_OS_SCALARS; nu++) {
		const int64_t *gammas = g->gamma + (size_t)nu * each;
		uint32_t *linear = g->linear + (size_t)nu * s->m1 * len;
		int64_t *constant = g->constant + (size_t)nu * VLDAA_OS_D;

		add_range(g, st, gammas, z3, nu, linear, constant);
		add_relations(g, st, gammas, nu, linear, constant);
	}
}

void vldaa_os_linear_forms(const vldaa_os_statement *st, uint32_t *forms_hat, const uint32_t *x_hat)
{
	const vldaa_ring *r = &st->set->ring;
	const size_t len = vldaa_hat_len(r);
	int64_t poly[VLDAA_OS_D];

	for (uint32_t f = 0; f < st->numbers->derived; f++)
		vldaa_hat_zero(r, forms_hat + f * len);
	for (size_t t = 0; t < st->terms_len; t++) {
		const vldaa_os_term *term = &st->terms[t];

		vldaa_hat_mul_add(r, forms_hat + term->form * len, term->coefficient,
				  x_hat + term->column * len);
	}
	for (uint32_t f = 0; f < st->numbers->derived; f++) {
		vldaa_hat_to_poly(r, poly, forms_hat + f * len);
		vldaa_hat_from_poly(r, forms_hat + f * len, poly);
	}
	vldaa_wipe(poly, sizeof poly);
}

void vldaa_os_linear_part(vldaa_os_aggregate *g, const vldaa_os_statement *st, uint32_t nu,
			  int64_t *out, const uint32_t *x_hat, const uint32_t *forms_hat,
			  const uint32_t *m_hat)
{
	const vldaa_os_statement_set *s = st->numbers;
	const vldaa_ring *r = &st->set->ring;
	const size_t len = vldaa_hat_len(r);
	const uint32_t *linear = g->linear + (size_t)nu * s->m1 * len;
	const uint32_t *forms = g->forms + (size_t)nu * s->derived * len;
	const uint32_t *gy = g->gy + (size_t)nu * VLDAA_OS_MASK * len;

	vldaa_hat_dot(r, g->hat, linear, x_hat, s->m1);
	vldaa_hat_dot(r, g->hat + len, forms, forms_hat, s->derived);
	vldaa_hat_add(r, g->hat, g->hat, g->hat + len);
	vldaa_hat_dot(r, g->hat + len, gy, m_hat, VLDAA_OS_MASK);
	vldaa_hat_add(r, g->hat, g->hat, g->hat + len);
	vldaa_hat_to_poly(r, out, g->hat);
}
