/*
 * The one-shot proof's verifier.  The single quadratic relation, homogenised in c with z = y + c w and
 * zm = c t_B - B z2 = -(By2) + c (y3, g, g1):
 *
 *   T_nu = sum_r G (sum sigma(z) z) + c (sum L z + sum M f(z) + sum sigma(gy) zm_i) + c^2 K,
 *   v = sum_i mu_i (c zm_(4+i) + pair(T_(2i-1), T_2i) - c^2 h_i) - zm_6.
 */
#include "proof/oneshot.h"

#include "random/secret.h"

typedef struct {
	vldaa_os_proof proof;
	vldaa_os_aggregate aggregate;
	vldaa_os_product product;
	int64_t *approximate; /* n: w' */
	int64_t *w;           /* n: Compress(w) */
	int64_t *zm;          /* 7 */
	int64_t *square;      /* relations: sum sigma(z) z */
	int64_t *t;           /* 4: T_nu */
	int64_t *c;           /* 1 */
	int64_t *poly;        /* 2, scratch */
	uint32_t *zm_hat;     /* 7 */
	uint32_t *forms_hat;  /* derived: the forms' linear parts at z1 */
	uint32_t *c2_hat;     /* 1: c^2 */
	uint32_t *hat;        /* 3, scratch */
} verifier;

static size_t place(const vldaa_os_set *set, const vldaa_os_statement_set *s, void *at,
		    verifier **out)
{
	const vldaa_ring *r = &set->ring;
	vldaa_arena a;
	verifier local;
	verifier *v;

	vldaa_arena_init(&a, at, SIZE_MAX);
	v = vldaa_arena_take(&a, sizeof *v);
	if (!v)
		v = &local;
	vldaa_os_proof_layout(&v->proof, set, s, &a);
	vldaa_os_aggregate_layout(&v->aggregate, set, s, &a);
	vldaa_os_product_layout(&v->product, set, s, &a);
	v->approximate = vldaa_arena_polys(&a, r, set->n);
	v->w = vldaa_arena_polys(&a, r, set->n);
	v->zm = vldaa_arena_polys(&a, r, VLDAA_OS_B_ROWS);
	v->square = vldaa_arena_polys(&a, r, VLDAA_OS_MAX_RELATIONS);
	v->t = vldaa_arena_polys(&a, r, VLDAA_OS_SCALARS);
	v->c = vldaa_arena_polys(&a, r, 1);
	v->poly = vldaa_arena_polys(&a, r, 2);
	v->zm_hat = vldaa_arena_hats(&a, r, VLDAA_OS_B_ROWS);
	v->forms_hat = vldaa_arena_hats(&a, r, s->derived);
	v->c2_hat = vldaa_arena_hats(&a, r, 1);
	v->hat = vldaa_arena_hats(&a, r, 3);
	if (out)
		*out = v;
	return a.used;
}

size_t vldaa_os_verifier_size(const vldaa_os_set *set, const vldaa_os_statement_set *s)
{
	return place(set, s, NULL, NULL);
}

/* zm_i = c t_B,i - (B z2)_i. */
static void commitment_rows(verifier *v, const vldaa_os_crs *crs)
{
	const vldaa_ring *r = &crs->set->ring;
	const size_t len = vldaa_hat_len(r);
	const uint32_t na = crs->set->m2 - crs->set->n;

	for (uint32_t i = 0; i < VLDAA_OS_B_ROWS; i++) {
		vldaa_hat_from_poly(r, v->hat, v->proof.tb + (size_t)i * VLDAA_OS_D);
		vldaa_hat_mul(r, v->hat, v->hat, v->product.c_hat);
		for (uint32_t j = 0; j < na; j++) {
			vldaa_hat_mul_sub(r, v->hat, crs->b + ((size_t)i * na + j) * len,
					  v->product.z2_hat + j * len);
		}
		vldaa_hat_to_poly(r, v->zm + (size_t)i * VLDAA_OS_D, v->hat);
		vldaa_hat_from_poly(r, v->zm_hat + i * len, v->zm + (size_t)i * VLDAA_OS_D);
	}
}

/* square[k] = sum over the relation's elements of sigma(z) z. */
static void squares(verifier *v, const vldaa_os_statement *st)
{
	const vldaa_ring *r = &st->set->ring;
	const size_t len = vldaa_hat_len(r);

	for (uint32_t k = 0; k < st->numbers->relations; k++) {
		const vldaa_os_relation *rel = &st->numbers->relation[k];

		vldaa_hat_zero(r, v->hat);
		for (uint32_t j = rel->first; j < rel->first + rel->count; j++) {
			vldaa_poly_automorphism(r, v->poly, v->proof.z1 + (size_t)j * VLDAA_OS_D,
						2 * VLDAA_OS_D - 1);
			vldaa_hat_from_poly(r, v->hat + len, v->poly);
			vldaa_hat_mul_add(r, v->hat, v->hat + len, v->product.z1_hat + j * len);
		}
		vldaa_hat_to_poly(r, v->square + (size_t)k * VLDAA_OS_D, v->hat);
	}
}

static void scalar_relation(verifier *v, const vldaa_os_statement *st, uint32_t nu)
{
	const vldaa_ring *r = &st->set->ring;
	const size_t len = vldaa_hat_len(r);
	vldaa_os_aggregate *g = &v->aggregate;
	int64_t *t = v->t + (size_t)nu * VLDAA_OS_D;

	vldaa_os_linear_part(g, st, nu, v->poly, v->product.z1_hat, v->forms_hat, v->zm_hat);
	vldaa_hat_from_poly(r, v->hat, v->poly);
	vldaa_hat_mul(r, v->hat, v->hat, v->product.c_hat);
	vldaa_hat_from_poly(r, v->hat + len, g->constant + (size_t)nu * VLDAA_OS_D);
	vldaa_hat_mul_add(r, v->hat, v->hat + len, v->c2_hat);
	vldaa_hat_to_poly(r, t, v->hat);
	for (uint32_t k = 0; k < st->numbers->relations; k++) {
		vldaa_poly_scale(r, v->poly, g->square[nu][k], v->square + (size_t)k * VLDAA_OS_D);
		vldaa_poly_add(r, t, t, v->poly);
	}
}

/* v of the last round, into v->poly. */
static void garbage(verifier *v, const vldaa_os_statement *st)
{
	const vldaa_os_set *set = st->set;
	const vldaa_ring *r = &set->ring;
	const size_t len = vldaa_hat_len(r);

	vldaa_hat_zero(r, v->hat);
	for (uint32_t i = 0; i < VLDAA_OS_PAIRS; i++) {
		const uint32_t *mu = v->aggregate.mu + i * len;

		vldaa_os_pair(set, v->poly, v->t + (size_t)(2 * i) * VLDAA_OS_D,
			      v->t + (size_t)(2 * i + 1) * VLDAA_OS_D);
		/* pair + c zm_(4+i) - c^2 h_i */
		vldaa_hat_mul(r, v->hat + len, v->product.c_hat,
			      v->zm_hat + (VLDAA_OS_MASK + i) * len);
		vldaa_hat_from_poly(r, v->hat + 2 * len, v->proof.h + (size_t)i * VLDAA_OS_D);
		vldaa_hat_mul_sub(r, v->hat + len, v->hat + 2 * len, v->c2_hat);
		vldaa_hat_to_poly(r, v->poly + VLDAA_OS_D, v->hat + len);
		vldaa_poly_add(r, v->poly, v->poly, v->poly + VLDAA_OS_D);
		vldaa_hat_from_poly(r, v->hat + len, v->poly);
		vldaa_hat_mul_add(r, v->hat, v->hat + len, mu);
	}
	vldaa_hat_to_poly(r, v->poly, v->hat);
	vldaa_poly_sub(r, v->poly, v->poly, v->zm + (size_t)(VLDAA_OS_B_ROWS - 1) * VLDAA_OS_D);
}

/* w = Compress(w') + hint, and its norm. */
static int commitment_high_part(verifier *v, const vldaa_os_crs *crs, const vldaa_os_statement *st)
{
	const vldaa_os_set *set = st->set;
	const int64_t mask = (INT64_C(1) << set->keep) - 1;
	const vldaa_u128 bound =
	    (vldaa_u128)st->numbers->identity_high << 64 | st->numbers->identity_low;

	vldaa_os_approximate(crs, st->numbers, &v->product, v->proof.ta1, v->approximate);
	for (size_t i = 0; i < (size_t)set->n * VLDAA_OS_D; i++)
		v->w[i] = (vldaa_os_compress(set, v->approximate[i]) + v->proof.hint[i]) & mask;
	return vldaa_os_identity_norm2(set, v->w, v->approximate) <= bound ? VLDAA_OK
									   : VLDAA_ERR_NORM;
}

int vldaa_os_verify(void *workspace, const vldaa_os_crs *crs, const vldaa_os_statement *st,
		    vldaa_bytes in)
{
	const vldaa_os_set *set = st->set;
	const vldaa_ring *r = &set->ring;
	const size_t len = vldaa_hat_len(r);
	uint8_t d1[VLDAA_OS_DIGEST], digest[VLDAA_OS_DIGEST];
	uint8_t seed[VLDAA_OS_SEED];
	vldaa_reader rd;
	verifier *v;
	int err;

	if (in.len > st->numbers->max_bytes)
		return VLDAA_ERR_TRAILING;
	(void)place(set, st->numbers, workspace, &v);
	vldaa_os_debug_ranges(set, st->numbers);
	vldaa_get_init(&rd, in.bytes, in.len);
	vldaa_os_proof_get(set, st->numbers, &rd, &v->proof);
	err = vldaa_get_end(&rd);
	if (err)
		return err;
	vldaa_os_challenge(v->c, v->proof.seed);
	vldaa_hat_from_poly(r, v->product.c_hat, v->c);
	vldaa_hat_mul(r, v->c2_hat, v->product.c_hat, v->product.c_hat);
	for (uint32_t j = 0; j < st->numbers->m1; j++)
		vldaa_hat_from_poly(r, v->product.z1_hat + j * len,
				    v->proof.z1 + (size_t)j * VLDAA_OS_D);
	for (uint32_t j = 0; j < set->m2 - set->n; j++)
		vldaa_hat_from_poly(r, v->product.z2_hat + j * len,
				    v->proof.z2 + (size_t)j * VLDAA_OS_D);
	err = commitment_high_part(v, crs, st);
	if (err)
		return err;
	/* the rounds */
	vldaa_os_digest_1(set, st->bind, v->proof.ta1, v->proof.tb, d1);
	vldaa_os_digest_2(set, d1, v->proof.z3, digest);
	vldaa_os_scalars(&v->aggregate, st, d1, digest, v->proof.z3);
	vldaa_os_digest_3(set, digest, v->proof.h, digest);
	vldaa_os_ring_challenge(&v->aggregate, st, digest);

	commitment_rows(v, crs);
	squares(v, st);
	vldaa_os_linear_forms(st, v->forms_hat, v->product.z1_hat);
	for (uint32_t nu = 0; nu < VLDAA_OS_SCALARS; nu++)
		scalar_relation(v, st, nu);
	garbage(v, st);
	vldaa_os_digest_4(set, digest, v->proof.tb + (size_t)(VLDAA_OS_B_ROWS - 1) * VLDAA_OS_D,
			  v->w, v->poly, seed);
	return vldaa_equal(seed, v->proof.seed, sizeof seed) ? VLDAA_OK : VLDAA_ERR_PROOF;
}
