/*
 * The one-shot proof's prover: five rounds, named as in scheme documentation "The one-shot proof".  Branches
 * depend on public values and on rejections only.
 */
#include "proof/oneshot.h"

#include <string.h>

#include "random/secret.h"
#include "sampler/gauss.h"
#include "sampler/reject.h"
#include "sampler/uniform.h"

enum { MAX_ATTEMPTS = 1000, LIMB_BITS = 15 };

typedef struct {
	vldaa_os_proof proof;
	vldaa_os_aggregate aggregate;
	vldaa_os_product product; /* z1_hat, z2_hat: of the masks first, of the responses then */
	const int64_t *w1;        /* m1: the witness, the caller's */
	int64_t *weighted;        /* dim: W S */
	int16_t *low, *high;      /* dim: W S = low + 2^15 high, 0 <= low < 2^15 */
	int64_t *w2;              /* m2 */
	int64_t *bw2;             /* 7: B w2a */
	int64_t *y3;              /* 4 */
	int64_t *range;           /* 256: Rm W S */
	int64_t *g;               /* 2 */
	int64_t *y2;              /* m2: mask, then response */
	int64_t *by2;             /* 7: B y2a */
	int64_t *w;               /* n: first message, then Compress(w) */
	int64_t *approximate;     /* n */
	int64_t *square;          /* relations */
	int64_t *cross;           /* relations */
	int64_t *t;               /* 4 */
	int64_t *c;               /* 1 */
	int64_t *poly;            /* 2, scratch */
	uint32_t *w1_hat;         /* m1 */
	uint32_t *sigma_w1;       /* m1 */
	uint32_t *w1_forms;       /* derived: the forms' linear parts at w1 */
	uint32_t *y1_forms;       /* derived: the same at y1 */
	uint32_t *w2_hat;         /* m2 */
	uint32_t *hat;            /* 3, scratch */
} prover;

static size_t place(const vldaa_os_set *set, const vldaa_os_statement_set *s, void *at,
		    prover **out)
{
	const vldaa_ring *r = &set->ring;
	vldaa_arena a;
	prover local;
	prover *p;

	vldaa_arena_init(&a, at, SIZE_MAX);
	p = vldaa_arena_take(&a, sizeof *p);
	if (!p)
		p = &local;
	vldaa_os_proof_layout(&p->proof, set, s, &a);
	vldaa_os_aggregate_layout(&p->aggregate, set, s, &a);
	vldaa_os_product_layout(&p->product, set, s, &a);
	p->weighted = vldaa_arena_take(&a, vldaa_os_dim(s) * sizeof *p->weighted);
	p->low = vldaa_arena_take(&a, vldaa_os_dim(s) * sizeof *p->low);
	p->high = vldaa_arena_take(&a, vldaa_os_dim(s) * sizeof *p->high);
	p->w2 = vldaa_arena_polys(&a, r, set->m2);
	p->bw2 = vldaa_arena_polys(&a, r, VLDAA_OS_B_ROWS);
	p->y3 = vldaa_arena_polys(&a, r, VLDAA_OS_MASK);
	p->range = vldaa_arena_polys(&a, r, VLDAA_OS_MASK);
	p->g = vldaa_arena_polys(&a, r, VLDAA_OS_PAIRS);
	p->y2 = vldaa_arena_polys(&a, r, set->m2);
	p->by2 = vldaa_arena_polys(&a, r, VLDAA_OS_B_ROWS);
	p->w = vldaa_arena_polys(&a, r, set->n);
	p->approximate = vldaa_arena_polys(&a, r, set->n);
	p->square = vldaa_arena_polys(&a, r, VLDAA_OS_MAX_RELATIONS);
	p->cross = vldaa_arena_polys(&a, r, VLDAA_OS_MAX_RELATIONS);
	p->t = vldaa_arena_polys(&a, r, VLDAA_OS_SCALARS);
	p->c = vldaa_arena_polys(&a, r, 1);
	p->poly = vldaa_arena_polys(&a, r, 2);
	p->w1_hat = vldaa_arena_hats(&a, r, s->m1);
	p->sigma_w1 = vldaa_arena_hats(&a, r, s->m1);
	p->w1_forms = vldaa_arena_hats(&a, r, s->derived);
	p->y1_forms = vldaa_arena_hats(&a, r, s->derived);
	p->w2_hat = vldaa_arena_hats(&a, r, set->m2);
	p->hat = vldaa_arena_hats(&a, r, 3);
	if (out)
		*out = p;
	return a.used;
}

size_t vldaa_os_prover_size(const vldaa_os_set *set, const vldaa_os_statement_set *s)
{
	return place(set, s, NULL, NULL);
}

/* The witness in the forms that all rounds use: NTTs of w and sigma(w), and W S. */
static void prepare(prover *p, const vldaa_os_statement *st)
{
	const vldaa_os_statement_set *s = st->numbers;
	const vldaa_ring *r = &st->set->ring;
	const size_t len = vldaa_hat_len(r);

	for (uint32_t j = 0; j < s->m1; j++) {
		const int64_t *w = p->w1 + (size_t)j * VLDAA_OS_D;

		vldaa_hat_from_poly(r, p->w1_hat + j * len, w);
		vldaa_poly_automorphism(r, p->poly, w, 2 * VLDAA_OS_D - 1);
		vldaa_hat_from_poly(r, p->sigma_w1 + j * len, p->poly);
		for (size_t i = 0; i < VLDAA_OS_D; i++)
			p->weighted[j * VLDAA_OS_D + i] = VLDAA_OS_WEIGHT * w[i];
	}
	vldaa_os_linear_forms(st, p->w1_forms, p->w1_hat);
	for (uint32_t f = 0; f < s->derived; f++) {
		memcpy(p->hat, p->w1_forms + f * len, len * sizeof *p->hat);
		vldaa_hat_to_poly(r, p->poly, p->hat);
		vldaa_poly_add(r, p->poly, p->poly, st->constants + (size_t)f * VLDAA_OS_D);
		for (uint32_t k = 0; k < s->weighted; k++) {
			int64_t *out = p->weighted + ((size_t)s->m1 + k) * VLDAA_OS_D;

			for (size_t i = 0; s->form[k] == f && i < VLDAA_OS_D; i++)
				out[i] = s->weight[k] * p->poly[i];
		}
	}
	/* a witness has ||W S|| below 2^18; another one is noticed in round 3 */
	for (size_t i = 0; i < vldaa_os_dim(s); i++) {
		p->low[i] = (int16_t)(p->weighted[i] & ((1 << LIMB_BITS) - 1));
		p->high[i] = (int16_t)(p->weighted[i] >> LIMB_BITS);
	}
}

/* rows x columns products: out_i = sum_j matrix_ij x_j modulo q. */
static void multiply(prover *p, const vldaa_ring *r, int64_t *out, const uint32_t *matrix,
		     uint32_t rows, uint32_t columns, const uint32_t *x_hat)
{
	const size_t len = vldaa_hat_len(r);

	for (uint32_t i = 0; i < rows; i++) {
		vldaa_hat_dot(r, p->hat, matrix + (size_t)i * columns * len, x_hat, columns);
		vldaa_hat_to_poly(r, out + (size_t)i * VLDAA_OS_D, p->hat);
	}
}

/* A uniform element with coefficients 0 and 32 zero. */
static void garbage_mask(const vldaa_ring *r, int64_t *out, vldaa_rng *rng)
{
	const uint64_t mask = (UINT64_C(1) << r->q_bits) - 1;

	for (size_t i = 0; i < VLDAA_OS_D; i++) {
		int again;
		int64_t x;

		do {
			x = (int64_t)(vldaa_rng_u64(rng) & mask);
			again = x >= r->q;
			vldaa_secret_declassify(
			    &again, sizeof again,
			    "a field that is redrawn says nothing about the one that is kept");
		} while (again);
		out[i] = x - (r->q & ((r->q / 2 - x) >> 63));
	}
	out[0] = 0;
	out[VLDAA_OS_D / 2] = 0;
}

/* Round 1: w2 ternary, t_A = A1 w1 + A2 w2a + w2b, B w2a, g. */
static int commit(prover *p, const vldaa_os_crs *crs, const vldaa_os_statement *st, vldaa_rng *rng)
{
	const vldaa_os_set *set = st->set;
	const vldaa_os_statement_set *s = st->numbers;
	const vldaa_ring *r = &set->ring;
	const size_t len = vldaa_hat_len(r);
	const uint32_t na = set->m2 - set->n;
	int within = 0;

	for (int attempt = 0; attempt < MAX_ATTEMPTS && !within; attempt++) {
		uint64_t norm2 = 0;

		vldaa_ternary(p->w2, (size_t)set->m2 * VLDAA_OS_D, rng);
		for (size_t i = 0; i < (size_t)set->m2 * VLDAA_OS_D; i++)
			norm2 += (uint64_t)(p->w2[i] * p->w2[i]);
		within = norm2 <= set->randomness_bound2;
		vldaa_secret_declassify(&within, sizeof within,
					"a redraw says nothing about the randomness that is kept");
	}
	if (!within)
		return VLDAA_ERR_ATTEMPTS;
	for (uint32_t j = 0; j < set->m2; j++)
		vldaa_hat_from_poly(r, p->w2_hat + j * len, p->w2 + (size_t)j * VLDAA_OS_D);
	memcpy(p->product.z1_hat, p->w1_hat, s->m1 * len * sizeof *p->w1_hat);
	memcpy(p->product.z2_hat, p->w2_hat, na * len * sizeof *p->w2_hat);
	vldaa_os_approximate(crs, s, &p->product, NULL, p->w);
	for (uint32_t i = 0; i < set->n; i++) {
		int64_t *t = p->w + (size_t)i * VLDAA_OS_D;

		for (size_t j = 0; j < VLDAA_OS_D; j++)
			t[j] += p->w2[(size_t)(na + i) * VLDAA_OS_D + j];
		vldaa_poly_reduce(r, t, t);
		for (size_t j = 0; j < VLDAA_OS_D; j++)
			p->proof.ta1[i * VLDAA_OS_D + j] = vldaa_os_high(set, t[j]);
	}
	vldaa_secret_declassify(p->proof.ta1, (size_t)set->n * VLDAA_OS_D * sizeof *p->proof.ta1,
				"the commitment is sent; it hides the witness (MLWE)");
	multiply(p, r, p->bw2, crs->b, VLDAA_OS_B_ROWS, na, p->w2_hat);
	for (size_t i = 0; i < VLDAA_OS_PAIRS; i++) {
		garbage_mask(r, p->g + i * VLDAA_OS_D, rng);
		vldaa_poly_add(r, p->proof.tb + (VLDAA_OS_MASK + i) * VLDAA_OS_D,
			       p->bw2 + (VLDAA_OS_MASK + i) * VLDAA_OS_D, p->g + i * VLDAA_OS_D);
	}
	return VLDAA_OK;
}

/* range = Rm W S in two limbs of W S, so that 16-bit products do: at most 2^13 of them, below 2^28. */
static void range_product(prover *p, const vldaa_os_statement *st, const uint8_t *d1)
{
	const size_t dim = vldaa_os_dim(st->numbers);

	for (uint32_t j = 0; j < VLDAA_OS_ROWS; j++) {
		const int8_t *row = p->aggregate.rm + j % VLDAA_OS_GROUP * dim;
		int32_t low = 0, high = 0;

		if (j % VLDAA_OS_GROUP == 0)
			vldaa_os_range_rows(&p->aggregate, st, d1, j);

		for (size_t k = 0; k < dim; k++) {
			low += row[k] * p->low[k];
			high += row[k] * p->high[k];
		}
		p->range[j] = low + high * (INT64_C(1) << LIMB_BITS);
	}
}

/* ||v||^2 - 2 <z, v> of `elements` elements. */
static vldaa_i128 rejection_sum(const vldaa_ring *r, const int64_t *z, const int64_t *v,
				size_t elements)
{
	vldaa_i128 n = 0;

	for (size_t i = 0; i < elements; i++) {
		n += (vldaa_i128)vldaa_poly_norm2(r, v + i * VLDAA_OS_D);
		n -= 2 * vldaa_poly_inner(r, z + i * VLDAA_OS_D, v + i * VLDAA_OS_D);
	}
	return n;
}

static void sample_mask(int64_t *out, size_t n, uint64_t width, vldaa_rng *rng)
{
	const int64_t bound = (int64_t)(VLDAA_OS_MASK_BOUND * width);

	vldaa_mask_sample(out, n, width, rng);
	vldaa_debug_bound(out, n, -bound, bound, "oneshot: mask");
}

/* Rounds 1 (its y3) and 2: z3 = y3 + Rm W S; on rejection only y3 is redrawn.  d1 is the digest then. */
static int range_proof(prover *p, const vldaa_os_statement *st, vldaa_rng *rng,
		       uint8_t d1[VLDAA_OS_DIGEST])
{
	const vldaa_os_set *set = st->set;
	const vldaa_ring *r = &set->ring;
	const vldaa_os_block *b = &st->numbers->z3;

	for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
		sample_mask(p->y3, VLDAA_OS_ROWS, b->width, rng);
		for (size_t i = 0; i < VLDAA_OS_MASK; i++) {
			int64_t *tb = p->proof.tb + i * VLDAA_OS_D;

			vldaa_poly_reduce(r, tb, p->y3 + i * VLDAA_OS_D);
			vldaa_poly_add(r, tb, tb, p->bw2 + i * VLDAA_OS_D);
		}
		vldaa_secret_declassify(
		    p->proof.tb, (VLDAA_OS_B_ROWS - 1) * VLDAA_OS_D * sizeof *p->proof.tb,
		    "the commitments are hashed into a challenge; they hide their masks (MLWE)");
		vldaa_os_digest_1(set, st->bind, p->proof.ta1, p->proof.tb, d1);
		range_product(p, st, d1);
		for (size_t j = 0; j < VLDAA_OS_ROWS; j++)
			p->proof.z3[j] = p->y3[j] + p->range[j];
		int keep = vldaa_reject_keep_m(
		    vldaa_reject_term(rejection_sum(r, p->proof.z3, p->range, VLDAA_OS_MASK),
				      b->width),
		    set->log_m3, rng);
		if (!keep)
			continue;
		vldaa_secret_declassify(
		    p->proof.z3, VLDAA_OS_ROWS * sizeof *p->proof.z3,
		    "an accepted response is distributed independently of the secret");
		if (vldaa_os_within(r, b, p->proof.z3, VLDAA_OS_MASK))
			return VLDAA_OK;
	}
	return VLDAA_ERR_ATTEMPTS;
}

/* quadratic[k] = sum over the relation's elements of a_j b_j (hat domain in, coefficients out). */
static void relation_products(prover *p, const vldaa_os_statement *st, int64_t *out,
			      const uint32_t *a, const uint32_t *b)
{
	const vldaa_ring *r = &st->set->ring;
	const size_t len = vldaa_hat_len(r);

	for (uint32_t k = 0; k < st->numbers->relations; k++) {
		const vldaa_os_relation *rel = &st->numbers->relation[k];

		vldaa_hat_zero(r, p->hat);
		for (uint32_t j = rel->first; j < rel->first + rel->count; j++) {
			vldaa_hat_mul_add(r, p->hat, a + j * len, b + j * len);
		}
		vldaa_hat_to_poly(r, out + (size_t)k * VLDAA_OS_D, p->hat);
	}
}

/* t_nu += sum_k G[nu][k] x_k. */
static void add_squares(prover *p, const vldaa_os_statement *st, int64_t *t, uint32_t nu,
			const int64_t *x)
{
	const vldaa_ring *r = &st->set->ring;

	for (uint32_t k = 0; k < st->numbers->relations; k++) {
		vldaa_poly_scale(r, p->poly, p->aggregate.square[nu][k],
				 x + (size_t)k * VLDAA_OS_D);
		vldaa_poly_add(r, t, t, p->poly);
	}
}

/* Round 3: h_i = g_i + pair(H_(2i-1), H_2i), whose coefficients 0 and 32 are 0 exactly when the relations hold. */
static int scalar_relations(prover *p, const vldaa_os_statement *st)
{
	const vldaa_os_set *set = st->set;
	const vldaa_ring *r = &set->ring;
	const size_t len = vldaa_hat_len(r);
	uint32_t *y3_hat = p->w2_hat; /* free until the last round: 4 elements */
	int64_t bad = 0;

	for (uint32_t i = 0; i < VLDAA_OS_MASK; i++)
		vldaa_hat_from_poly(r, y3_hat + i * len, p->y3 + i * VLDAA_OS_D);
	relation_products(p, st, p->square, p->sigma_w1, p->w1_hat);
	for (uint32_t nu = 0; nu < VLDAA_OS_SCALARS; nu++) {
		int64_t *t = p->t + (size_t)nu * VLDAA_OS_D;

		vldaa_os_linear_part(&p->aggregate, st, nu, t, p->w1_hat, p->w1_forms, y3_hat);
		add_squares(p, st, t, nu, p->square);
		vldaa_poly_add(r, t, t, p->aggregate.constant + (size_t)nu * VLDAA_OS_D);
	}
	for (uint32_t i = 0; i < VLDAA_OS_PAIRS; i++) {
		int64_t *h = p->proof.h + (size_t)i * VLDAA_OS_D;

		vldaa_os_pair(set, h, p->t + (size_t)(2 * i) * VLDAA_OS_D,
			      p->t + (size_t)(2 * i + 1) * VLDAA_OS_D);
		vldaa_poly_add(r, h, h, p->g + (size_t)i * VLDAA_OS_D);
		bad |= h[0] | h[VLDAA_OS_D / 2];
	}
	vldaa_secret_declassify(p->proof.h, VLDAA_OS_PAIRS * VLDAA_OS_D * sizeof *p->proof.h,
				"h is sent: masked by g but where it is 0");
	vldaa_secret_declassify(&bad, sizeof bad,
				"0 for every witness that satisfies the statement");
	for (uint32_t j = 0; j < set->m2; j++)
		vldaa_hat_from_poly(r, p->w2_hat + j * len, p->w2 + (size_t)j * VLDAA_OS_D);
	return bad ? VLDAA_ERR_INTERNAL : VLDAA_OK;
}

/* Round 4: masks y1, y2; w; the cross term g1 into t_B's last; v (into p->poly). */
static void first_messages(prover *p, const vldaa_os_crs *crs, const vldaa_os_statement *st,
			   vldaa_rng *rng)
{
	const vldaa_os_set *set = st->set;
	const vldaa_os_statement_set *s = st->numbers;
	const vldaa_ring *r = &set->ring;
	const size_t len = vldaa_hat_len(r);
	const uint32_t na = set->m2 - set->n;
	int64_t *y1 = p->proof.z1;
	uint32_t *y1_hat = p->product.z1_hat;
	uint32_t *ym_hat = p->product.z2_hat; /* the masks of t_B, once w is computed */
	uint32_t *sigma_y = p->aggregate.hat; /* free until T1 */
	int64_t *g1 = p->proof.tb + (size_t)(VLDAA_OS_B_ROWS - 1) * VLDAA_OS_D;

	for (uint32_t i = 0, first = 0; i < s->blocks; i++) {
		sample_mask(y1 + (size_t)first * VLDAA_OS_D,
			    (size_t)s->block[i].elements * VLDAA_OS_D, s->block[i].width, rng);
		first += s->block[i].elements;
	}
	sample_mask(p->y2, (size_t)set->m2 * VLDAA_OS_D, s->z2.width, rng);
	for (uint32_t j = 0; j < s->m1; j++)
		vldaa_hat_from_poly(r, y1_hat + j * len, y1 + (size_t)j * VLDAA_OS_D);
	for (uint32_t j = 0; j < na; j++)
		vldaa_hat_from_poly(r, p->product.z2_hat + j * len, p->y2 + (size_t)j * VLDAA_OS_D);
	vldaa_os_approximate(crs, s, &p->product, NULL, p->w);
	for (size_t i = 0; i < (size_t)set->n * VLDAA_OS_D; i++)
		p->w[i] += p->y2[(size_t)na * VLDAA_OS_D + i];
	for (uint32_t i = 0; i < set->n; i++)
		vldaa_poly_reduce(r, p->w + (size_t)i * VLDAA_OS_D, p->w + (size_t)i * VLDAA_OS_D);
	for (size_t i = 0; i < (size_t)set->n * VLDAA_OS_D; i++)
		p->w[i] = vldaa_os_compress(set, p->w[i]);
	multiply(p, r, p->by2, crs->b, VLDAA_OS_B_ROWS, na, p->product.z2_hat);
	for (uint32_t i = 0; i < VLDAA_OS_B_ROWS; i++) {
		vldaa_poly_neg(r, p->poly, p->by2 + (size_t)i * VLDAA_OS_D);
		vldaa_hat_from_poly(r, ym_hat + i * len, p->poly);
	}
	/* cross = sum sigma(w) y + sigma(y) w; square = sum sigma(y) y, element by element of the relations */
	for (uint32_t k = 0; k < s->relations; k++) {
		const vldaa_os_relation *rel = &s->relation[k];

		vldaa_hat_zero(r, p->hat);
		vldaa_hat_zero(r, p->hat + len);
		for (uint32_t j = rel->first; j < rel->first + rel->count; j++) {
			vldaa_poly_automorphism(r, p->poly, y1 + (size_t)j * VLDAA_OS_D,
						2 * VLDAA_OS_D - 1);
			vldaa_hat_from_poly(r, sigma_y, p->poly);
			vldaa_hat_mul_add(r, p->hat, p->sigma_w1 + j * len, y1_hat + j * len);
			vldaa_hat_mul_add(r, p->hat, sigma_y, p->w1_hat + j * len);
			vldaa_hat_mul_add(r, p->hat + len, sigma_y, y1_hat + j * len);
		}
		vldaa_hat_to_poly(r, p->cross + (size_t)k * VLDAA_OS_D, p->hat);
		vldaa_hat_to_poly(r, p->square + (size_t)k * VLDAA_OS_D, p->hat + len);
	}
	/* T1: linear in the masks; T0: quadratic */
	vldaa_os_linear_forms(st, p->y1_forms, y1_hat);
	for (uint32_t nu = 0; nu < VLDAA_OS_SCALARS; nu++) {
		int64_t *t = p->t + (size_t)nu * VLDAA_OS_D;

		vldaa_os_linear_part(&p->aggregate, st, nu, t, y1_hat, p->y1_forms, ym_hat);
		add_squares(p, st, t, nu, p->cross);
	}
	vldaa_hat_zero(r, p->hat + len);
	vldaa_hat_zero(r, p->hat + 2 * len);
	for (uint32_t i = 0; i < VLDAA_OS_PAIRS; i++) {
		const uint32_t *mu = p->aggregate.mu + i * len;
		int64_t zero[2][VLDAA_OS_D];

		vldaa_os_pair(set, p->poly + VLDAA_OS_D, p->t + (size_t)(2 * i) * VLDAA_OS_D,
			      p->t + (size_t)(2 * i + 1) * VLDAA_OS_D);
		vldaa_poly_sub(r, p->poly + VLDAA_OS_D, p->poly + VLDAA_OS_D,
			       p->by2 + (size_t)(VLDAA_OS_MASK + i) * VLDAA_OS_D);
		vldaa_hat_from_poly(r, p->hat, p->poly + VLDAA_OS_D);
		vldaa_hat_mul_add(r, p->hat + len, p->hat, mu);
		memset(zero, 0, sizeof zero);
		add_squares(p, st, zero[0], 2 * i, p->square);
		add_squares(p, st, zero[1], 2 * i + 1, p->square);
		vldaa_os_pair(set, zero[0], zero[0], zero[1]);
		vldaa_hat_from_poly(r, p->hat, zero[0]);
		vldaa_hat_mul_add(r, p->hat + 2 * len, p->hat, mu);
	}
	vldaa_hat_to_poly(r, g1, p->hat + len);
	vldaa_poly_add(r, g1, g1, p->bw2 + (size_t)(VLDAA_OS_B_ROWS - 1) * VLDAA_OS_D);
	vldaa_hat_to_poly(r, p->poly, p->hat + 2 * len);
	vldaa_poly_add(r, p->poly, p->poly, p->by2 + (size_t)(VLDAA_OS_B_ROWS - 1) * VLDAA_OS_D);
}

/* z += c s for `elements` elements, and their part of the rejection's sum. */
static vldaa_i128 respond(prover *p, const vldaa_ring *r, int64_t *z, const uint32_t *s_hat,
			  uint32_t elements)
{
	const size_t len = vldaa_hat_len(r);
	vldaa_i128 n = 0;

	for (uint32_t i = 0; i < elements; i++) {
		int64_t *zi = z + (size_t)i * VLDAA_OS_D;

		vldaa_hat_mul(r, p->hat, p->product.c_hat, s_hat + i * len);
		vldaa_hat_to_integers(r, p->poly, p->hat);
		for (size_t j = 0; j < VLDAA_OS_D; j++)
			zi[j] += p->poly[j];
		n += rejection_sum(r, zi, p->poly, 1);
	}
	return n;
}

/* Round 5: the responses; 1 when kept. */
static int responses(prover *p, const vldaa_os_statement *st, vldaa_rng *rng)
{
	const vldaa_os_set *set = st->set;
	const vldaa_os_statement_set *s = st->numbers;
	const vldaa_ring *r = &set->ring;
	const size_t len = vldaa_hat_len(r);
	int64_t t = 0;
	vldaa_i128 n;

	vldaa_hat_from_poly(r, p->product.c_hat, p->c);
	for (uint32_t i = 0, first = 0; i < s->blocks; i++) {
		n = respond(p, r, p->proof.z1 + (size_t)first * VLDAA_OS_D, p->w1_hat + first * len,
			    s->block[i].elements);
		t += vldaa_reject_term(n, s->block[i].width);
		first += s->block[i].elements;
	}
	if (!vldaa_reject_keep_m(t, set->log_m1, rng))
		return 0;
	/* One-time randomness: the sign of <z2, c w2> may leak (Lyubashevsky, Nguyen, Seiler 2021), so that M is small. */
	n = respond(p, r, p->y2, p->w2_hat, set->m2);
	vldaa_i128 inner = 0;
	for (uint32_t i = 0; i < set->m2; i++) {
		vldaa_hat_mul(r, p->hat, p->product.c_hat, p->w2_hat + i * len);
		vldaa_hat_to_integers(r, p->poly, p->hat);
		inner += vldaa_poly_inner(r, p->y2 + (size_t)i * VLDAA_OS_D, p->poly);
	}
	int positive = 1 - (int)((vldaa_u128)inner >> 127);
	int keep = vldaa_reject_keep_m(vldaa_reject_term(n, s->z2.width), set->log_m2, rng);
	vldaa_secret_declassify(&positive, sizeof positive,
				"one sign of one-time randomness (extended MLWE)");
	return positive && keep;
}

/* Norms, the hint, and the bytes; VLDAA_ERR_NORM when a bound is passed by a little and masks are redrawn. */
static int finish(prover *p, const vldaa_os_crs *crs, const vldaa_os_statement *st,
		  vldaa_writer *out)
{
	const vldaa_os_set *set = st->set;
	const vldaa_os_statement_set *s = st->numbers;
	const vldaa_ring *r = &set->ring;
	const size_t len = vldaa_hat_len(r);
	const uint32_t na = set->m2 - set->n;
	const vldaa_u128 bound = (vldaa_u128)s->identity_high << 64 | s->identity_low;
	const int64_t half = INT64_C(1) << (set->keep - 1);

	vldaa_secret_declassify(p->proof.z1, (size_t)s->m1 * VLDAA_OS_D * sizeof *p->proof.z1,
				"an accepted response is distributed independently of the secret");
	memcpy(p->proof.z2, p->y2, (size_t)na * VLDAA_OS_D * sizeof *p->y2);
	vldaa_secret_declassify(
	    p->proof.z2, (size_t)na * VLDAA_OS_D * sizeof *p->proof.z2,
	    "an accepted response is distributed independently of the secret but for one sign");
	vldaa_secret_declassify(p->w, (size_t)set->n * VLDAA_OS_D * sizeof *p->w,
				"the verifier recomputes w from an accepted proof");
	for (uint32_t j = 0; j < s->m1; j++)
		vldaa_hat_from_poly(r, p->product.z1_hat + j * len,
				    p->proof.z1 + (size_t)j * VLDAA_OS_D);
	for (uint32_t j = 0; j < na; j++)
		vldaa_hat_from_poly(r, p->product.z2_hat + j * len,
				    p->proof.z2 + (size_t)j * VLDAA_OS_D);
	vldaa_os_approximate(crs, s, &p->product, p->proof.ta1, p->approximate);
	if (vldaa_os_identity_norm2(set, p->w, p->approximate) > bound)
		return VLDAA_ERR_NORM;
	for (size_t i = 0; i < (size_t)set->n * VLDAA_OS_D; i++) {
		/* centred modulo 2^keep */
		const int64_t d = p->w[i] - vldaa_os_compress(set, p->approximate[i]) + 3 * half;

		p->proof.hint[i] = (d & (2 * half - 1)) - half;
	}
	return vldaa_os_proof_put(set, s, out, &p->proof);
}

/* Takes back what was written since `start`: a second response under the commitment of the proof that is sent. */
static void forget(vldaa_writer *out, const vldaa_writer *start)
{
	const size_t end = out->len < out->cap ? out->len : out->cap;

	if (out->out && end > start->len)
		vldaa_wipe(out->out + start->len, end - start->len);
	*out = *start;
}

int vldaa_os_prove(void *workspace, const vldaa_os_crs *crs, const vldaa_os_statement *st,
		   const int64_t *w1, vldaa_rng *rng, vldaa_writer *out)
{
	const vldaa_os_set *set = st->set;
	uint8_t d1[VLDAA_OS_DIGEST], digest[VLDAA_OS_DIGEST];
	prover *p;
	int err;

	(void)place(set, st->numbers, workspace, &p);
	vldaa_os_debug_ranges(set, st->numbers);
	p->w1 = w1;
	prepare(p, st);
	err = commit(p, crs, st, rng);
	if (!err)
		err = range_proof(p, st, rng, d1);
	if (err)
		return err;
	vldaa_os_digest_2(set, d1, p->proof.z3, digest);
	vldaa_os_scalars(&p->aggregate, st, d1, digest, p->proof.z3);
	err = scalar_relations(p, st);
	if (err)
		return err;
	vldaa_os_digest_3(set, digest, p->proof.h, digest);
	vldaa_os_ring_challenge(&p->aggregate, st, digest);
	for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
		const vldaa_writer start = *out;

		first_messages(p, crs, st, rng);
		vldaa_os_digest_4(set, digest,
				  p->proof.tb + (size_t)(VLDAA_OS_B_ROWS - 1) * VLDAA_OS_D, p->w,
				  p->poly, p->proof.seed);
		vldaa_secret_declassify(
		    p->proof.seed, sizeof p->proof.seed,
		    "a challenge is a hash of masked values: uniform for every secret");
		vldaa_os_challenge(p->c, p->proof.seed);
		if (!responses(p, st, rng))
			continue;
		vldaa_secret_declassify(
		    p->proof.tb, VLDAA_OS_B_ROWS * VLDAA_OS_D * sizeof *p->proof.tb,
		    "the commitments are sent; they hide their contents (MLWE)");
		if (finish(p, crs, st, out) == VLDAA_OK)
			return VLDAA_OK;
		forget(out, &start);
	}
	return VLDAA_ERR_ATTEMPTS;
}
