/*
 * A credential without the issuer.
 *
 * A credential is a tag i and a short s = (s_1, s_2), two polynomials each, with
 *
 *     a_0 s_10 + a_1 s_11 + (b_0 + i) s_20 + (b_1 + delta i) s_21 = u + u_T + u_H  (mod q)   (1)
 *
 * "Short" is ||s_1||, ||s_2|| <= 1.1 gamma sqrt(2d).  But gamma is far larger than q: a polynomial
 * whose coefficients are anything modulo q has a norm below q sqrt(d) / 2.  So every solution of
 * (1) is short, and a linear equation in four unknowns is solved by choosing three of them.
 */
#include <math.h>
#include <string.h>

#include "forgery.h"

/* i = i_0 + i_1 X^(d/2). */
static poly random_tag(const ring *R)
{
	const poly two = forgery_poly_uniform(R);
	poly i = forgery_poly_zero();

	i.c[0] = two.c[0];
	i.c[R->d / 2] = two.c[1];
	if (i.c[0] == 0 && i.c[R->d / 2] == 0)
		i.c[0] = 1;
	return i;
}

static double norm_of_two(const ring *R, const poly *a)
{
	double sum = 0;

	for (uint32_t i = 0; i < R->d; i++)
		sum += (double)(a[0].c[i] * a[0].c[i]) + (double)(a[1].c[i] * a[1].c[i]);
	return sqrt(sum);
}

static uint64_t residue(const ring *R, int64_t x)
{
	return (uint64_t)(x < 0 ? x + R->q : x);
}

void forgery_credential(credential *out, const group *g, poly u_T, poly u_H)
{
	const ring *R = g->R;
	const poly target = forgery_poly_add(R, g->u, forgery_poly_add(R, u_T, u_H));
	poly tag, column[4], s[4], inverse;
	size_t solved = 4;

	/* Almost every polynomial is invertible; should none of four be, another tag makes two new
	 * ones. */
	while (solved == 4) {
		tag = random_tag(R);
		column[0] = g->a0;
		column[1] = g->a1;
		column[2] = forgery_poly_add(R, g->b0, tag);
		column[3] = forgery_poly_add(R, g->b1, forgery_poly_scale(R, g->n->delta, tag));
		for (solved = 0; solved < 4; solved++) {
			if (forgery_poly_inverse(R, &inverse, column[solved]))
				break;
		}
	}
	s[solved] = target;
	for (size_t j = 0; j < 4; j++) {
		if (j == solved)
			continue;
		s[j] = forgery_poly_uniform(R);
		s[solved] = forgery_poly_sub(R, s[solved], forgery_poly_mul(R, column[j], s[j]));
	}
	s[solved] = forgery_poly_mul(R, inverse, s[solved]);

	out->object = forgery_bytes_new(8192);
	forgery_put_header(&out->object, VLDAA_KIND_CREDENTIAL, g->n);
	forgery_put(&out->object, g->key_id, sizeof g->key_id);
	forgery_put_number(&out->object, residue(R, tag.c[0]), 4);
	forgery_put_number(&out->object, residue(R, tag.c[R->d / 2]), 4);
	forgery_put_rice(&out->object, g->n, g->n->rice_credential, s, 2);
	forgery_put_rice(&out->object, g->n, g->n->rice_credential, s + 2, 2);
	out->norm[0] = norm_of_two(R, s);
	out->norm[1] = norm_of_two(R, s + 2);
	out->bound = 1.1 * g->n->gamma * sqrt(2 * (double)R->d);
}

/* u_H: the host writes it into what it asks the TPM for in Join.  The nonce is made up. */
static int host_public_key(vldaa_host *host, const group *g, poly *u_H)
{
	const vldaa_set *set = vldaa_set_by_id(g->n->id);
	bytes nonce = forgery_bytes_new(256);
	bytes call = forgery_bytes_new(vldaa_object_max_size(set, VLDAA_KIND_JOIN_CALL));
	uint8_t made_up[VLDAA_NONCE_BYTES] = {0};
	reader r;
	int err;

	forgery_put_header(&nonce, VLDAA_KIND_NONCE, g->n);
	forgery_put(&nonce, g->key_id, sizeof g->key_id);
	forgery_put(&nonce, made_up, sizeof made_up);
	err = vldaa_host_join(host, nonce.at, nonce.len, call.at, call.cap, &call.len);
	if (!err) {
		r = forgery_reader_of(call.at, call.len);
		forgery_get_head(&r, VLDAA_KIND_JOIN_CALL, g->n, g->key_id);
		(void)forgery_get(&r, VLDAA_NONCE_BYTES + 4);
		*u_H = forgery_get_uniform(&r, g->n);
		err = r.bad ? VLDAA_ERR_ENCODING : VLDAA_OK;
	}
	forgery_bytes_free(&nonce);
	forgery_bytes_free(&call);
	return err;
}

int forgery_host(vldaa_host **host, credential *out, const group *g, poly u_T)
{
	const vldaa_set *set = vldaa_set_by_id(g->n->id);
	bytes key = forgery_bytes_new(vldaa_object_max_size(set, VLDAA_KIND_HOST_KEY));
	bytes tpm_public = forgery_bytes_new(2 * MAX_DEGREE);
	poly u_H;
	int err;

	memset(out, 0, sizeof *out);
	*host = NULL;
	forgery_put_uniform(&tpm_public, g->n, &u_T);
	err = vldaa_host_new(host, g->object.at, g->object.len);
	if (!err)
		err = vldaa_host_keygen(*host, key.at, key.cap, &key.len);
	if (!err)
		err = host_public_key(*host, g, &u_H);
	if (!err) {
		forgery_credential(out, g, u_T, u_H);
		err = vldaa_host_accept(*host, out->object.at, out->object.len, tpm_public.at,
					tpm_public.len);
	}
	forgery_bytes_free(&key);
	forgery_bytes_free(&tpm_public);
	return err;
}
