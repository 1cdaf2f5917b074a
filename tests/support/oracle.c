/* See oracle.h. */
#include "oracle.h"

#include <check.h>
#include <flint/nmod_poly.h>
#include <string.h>

#include "wire/pack.h"

static void set_poly(const vldaa_ring *r, nmod_poly_t f, const int64_t *a)
{
	nmod_poly_init2(f, (mp_limb_t)r->q, (slong)r->d);
	for (size_t i = r->d; i-- > 0;) {
		int64_t x = a[i] % r->q;

		nmod_poly_set_coeff_ui(f, (slong)i, (mp_limb_t)(x < 0 ? x + r->q : x));
	}
}

static void set_modulus(const vldaa_ring *r, nmod_poly_t f)
{
	nmod_poly_init2(f, (mp_limb_t)r->q, (slong)r->d + 1);
	nmod_poly_set_coeff_ui(f, (slong)r->d, 1);
	nmod_poly_set_coeff_ui(f, 0, 1);
}

static void get_poly(const vldaa_ring *r, int64_t *out, const nmod_poly_t f)
{
	for (size_t i = 0; i < r->d; i++) {
		int64_t x = (int64_t)nmod_poly_get_coeff_ui(f, (slong)i);

		out[i] = x > r->q / 2 ? x - r->q : x;
	}
}

void oracle_mul(const vldaa_ring *r, int64_t *out, const int64_t *a, const int64_t *b)
{
	nmod_poly_t f, g, modulus;

	set_poly(r, f, a);
	set_poly(r, g, b);
	set_modulus(r, modulus);
	nmod_poly_mulmod(f, f, g, modulus);
	get_poly(r, out, f);
	nmod_poly_clear(f);
	nmod_poly_clear(g);
	nmod_poly_clear(modulus);
}

void oracle_add(const vldaa_ring *r, int64_t *acc, int64_t k, const int64_t *a)
{
	for (size_t i = 0; i < r->d; i++) {
		int64_t x = (acc[i] + k % r->q * (a[i] % r->q)) % r->q;

		x = x < 0 ? x + r->q : x;
		acc[i] = x > r->q / 2 ? x - r->q : x;
	}
}

void oracle_mul_add(const vldaa_ring *r, int64_t *acc, int64_t k, const int64_t *a,
		    const int64_t *b)
{
	int64_t product[VLDAA_MAX_DEGREE];

	oracle_mul(r, product, a, b);
	oracle_add(r, acc, k, product);
}

void oracle_invert(const vldaa_ring *r, int64_t *out, const int64_t *a)
{
	nmod_poly_t f, modulus;

	set_poly(r, f, a);
	set_modulus(r, modulus);
	ck_assert_int_eq(nmod_poly_invmod(f, f, modulus), 1);
	get_poly(r, out, f);
	nmod_poly_clear(f);
	nmod_poly_clear(modulus);
}

void oracle_sigma(const vldaa_ring *r, int64_t *out, const int64_t *a)
{
	for (size_t i = 0; i < r->d; i++) {
		const size_t power = 5 * i % (2 * (size_t)r->d);

		out[power % r->d] = power < r->d ? a[i] : -a[i];
	}
}

void oracle_challenge_times(const vldaa_ring *r, int64_t *out, const int64_t *c, const int64_t *a)
{
	for (size_t i = 0; i < r->d; i++) {
		if (c[i] == 0)
			continue;
		for (size_t j = 0; j < r->d - i; j++)
			out[i + j] += c[i] * a[j];
		for (size_t j = r->d - i; j < r->d; j++)
			out[i + j - r->d] -= c[i] * a[j];
	}
}

int oracle_equal(const vldaa_ring *r, const int64_t *a, const int64_t *b)
{
	return memcmp(a, b, r->d * sizeof *a) == 0;
}

void oracle_public_init(oracle_public *p, const vldaa_published_set *set, const uint8_t *payload)
{
	vldaa_reader rd;

	p->set = set;
	for (int i = 0; i < VLDAA_ELEMENTS; i++)
		vldaa_public_expand(set, p->element[i], payload, (enum vldaa_public_element)i);
	vldaa_get_init(&rd, payload + VLDAA_RHO_BYTES, 2 * vldaa_pack_uniform_size(&set->ring));
	vldaa_unpack_uniform(&set->ring, &rd, p->B[0]);
	vldaa_unpack_uniform(&set->ring, &rd, p->B[1]);
	ck_assert_int_eq(vldaa_get_end(&rd), VLDAA_OK);
}

/* acc -= c v */
static void sub_public(const vldaa_ring *r, int64_t *acc, const int64_t *c, const int64_t *v)
{
	if (c)
		oracle_mul_add(r, acc, -1, c, v);
}

void oracle_pair(const vldaa_ring *r, int64_t *out, const int64_t *x0, const int64_t *a,
		 const int64_t *x1, const int64_t *c, const int64_t *v)
{
	int64_t acc[VLDAA_MAX_DEGREE] = {0};

	oracle_add(r, acc, 1, x0);
	oracle_mul_add(r, acc, 1, a, x1);
	sub_public(r, acc, c, v);
	memcpy(out, acc, r->d * sizeof *out);
}

/* acc += A_1 x, for the commitment key or its image under sigma_5. */
static void add_row1(const vldaa_ring *r, int64_t *acc, const int64_t *a11, const int64_t *a12,
		     const int64_t *x)
{
	oracle_add(r, acc, 1, x);
	oracle_mul_add(r, acc, 1, a11, x + r->d);
	oracle_mul_add(r, acc, 1, a12, x + 2 * r->d);
}

static void add_row2(const vldaa_ring *r, int64_t *acc, int64_t k, const int64_t *a2,
		     const int64_t *x)
{
	oracle_add(r, acc, k, x + r->d);
	oracle_mul_add(r, acc, k, a2, x + 2 * r->d);
}

/* P1 and P2. */
static void commitment_messages(const oracle_public *p, const int64_t *t, const int64_t *host,
				const int64_t *c, int64_t *w)
{
	const vldaa_ring *r = &p->set->ring;
	const size_t d = r->d;
	const int64_t delta = p->set->delta;
	const int64_t *a11 = p->element[VLDAA_EL_A11];
	const int64_t *a12 = p->element[VLDAA_EL_A12];
	const int64_t *a2 = p->element[VLDAA_EL_A2];
	const int64_t *x_r = host, *x_r2 = host + 3 * d, *x_rs = host + 6 * d;
	const int64_t *t1 = t + VLDAA_T_1 * d, *t2 = t + VLDAA_T_2 * d;
	const int64_t *t1p = t + VLDAA_T_1P * d, *t2p = t + VLDAA_T_2P * d;
	int64_t s11[VLDAA_MAX_DEGREE], s12[VLDAA_MAX_DEGREE], s2[VLDAA_MAX_DEGREE];
	int64_t poly[VLDAA_MAX_DEGREE];

	oracle_sigma(r, s11, a11);
	oracle_sigma(r, s12, a12);
	oracle_sigma(r, s2, a2);

	add_row1(r, w + VLDAA_W_1 * d, a11, a12, x_r);
	sub_public(r, w + VLDAA_W_1 * d, c, t1);
	add_row1(r, w + VLDAA_W_1P * d, a11, a12, x_r2);
	sub_public(r, w + VLDAA_W_1P * d, c, t1p);
	add_row1(r, w + VLDAA_W_1S * d, s11, s12, x_rs);
	oracle_sigma(r, poly, t1);
	sub_public(r, w + VLDAA_W_1S * d, c, poly);

	add_row2(r, w + VLDAA_W_2 * d, 1, a2, x_r);
	add_row2(r, w + VLDAA_W_2 * d, -1, s2, x_rs);
	oracle_sigma(r, poly, t2);
	oracle_add(r, poly, -1, t2);
	for (size_t i = 0; i < d; i++)
		poly[i] = -poly[i];
	sub_public(r, w + VLDAA_W_2 * d, c, poly);

	add_row2(r, w + VLDAA_W_D * d, 1, a2, x_r2);
	add_row2(r, w + VLDAA_W_D * d, -delta, a2, x_r);
	memcpy(poly, t2p, d * sizeof *poly);
	oracle_add(r, poly, -delta, t2);
	sub_public(r, w + VLDAA_W_D * d, c, poly);
}

void oracle_first_messages(const oracle_public *p, const int64_t *b, const int64_t *t,
			   const int64_t *nym, const int64_t *host, const int64_t *tpm,
			   const int64_t *c, int64_t *w)
{
	const vldaa_ring *r = &p->set->ring;
	const size_t d = r->d;
	const int64_t *x_s1 = host + 9 * d, *x_s2 = host + 11 * d;
	const int64_t *x_s3 = host + 13 * d, *x_h = host + 15 * d;
	int64_t *w3 = w + VLDAA_W_3 * d;
	int64_t column[VLDAA_MAX_DEGREE];

	memset(w, 0, VLDAA_FIRST_MESSAGES * d * sizeof *w);
	commitment_messages(p, t, host, c, w);

	/* P3: A' x_s1 + (B + [t_2 t'_2]) x_s2 - a_T x_T - a_H x_H - A_2 x_s3 - c u */
	oracle_mul_add(r, w3, 1, p->element[VLDAA_EL_A0], x_s1);
	oracle_mul_add(r, w3, 1, p->element[VLDAA_EL_A1], x_s1 + d);
	for (size_t j = 0; j < 2; j++) {
		memcpy(column, p->B[j], d * sizeof *column);
		oracle_add(r, column, 1, t + (j ? VLDAA_T_2P : VLDAA_T_2) * d);
		oracle_mul_add(r, w3, 1, column, x_s2 + j * d);
	}
	oracle_add(r, w3, -1, tpm);
	oracle_mul_add(r, w3, -1, p->element[VLDAA_EL_AT1], tpm + d);
	oracle_add(r, w3, -1, x_h);
	oracle_mul_add(r, w3, -1, p->element[VLDAA_EL_AH1], x_h + d);
	oracle_add(r, w3, -1, x_s3);
	oracle_mul_add(r, w3, -1, p->element[VLDAA_EL_A2], x_s3 + d);
	sub_public(r, w3, c, p->element[VLDAA_EL_U]);

	/* P4: b x_T1 + x_N - c nym */
	oracle_pair(r, w + VLDAA_W_N * d, tpm + 2 * d, b, tpm + d, c, nym);
}
