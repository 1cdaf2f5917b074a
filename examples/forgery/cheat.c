/*
 * Two pseudonyms for one basename.
 *
 * A pseudonym is nym = b e_T1 + e_N with a short e_N, so that two of one member are close together.
 * But P4 shows only that c nym is b (short) + (short), for challenges c, and that is less.  Let
 *
 *     nym' = nym + ((q+1)/2) J,  J = 1 + X + ... + X^(d-1).
 *
 * A coefficient of c J is a sum of all coefficients of c with signs, so it has the parity of c's
 * weight kappa.  When kappa is even, c J = 2 h for an h with coefficients of at most kappa / 2, and
 *
 *     c ((q+1)/2) J = (q + 1) h = h  (mod q).
 *
 * So z_N + h answers for nym' wherever z_N answers for nym, for every challenge: no equation breaks
 * and h is shorter than the mask.  nym' is as far from nym as can be, so the two are not linked.
 *
 * This needs no forged credential: any member whose e_T is in software of its own can do it.  The
 * member here has a forged one, since nothing in this example asks the issuer.
 */
#include <stdlib.h>
#include <string.h>

#include "forgery.h"

struct cheat {
	const group *g;
	uint8_t basename[VLDAA_MAX_BASENAME];
	size_t basename_len;
	poly b;      /* H(basename) */
	poly e_T[2]; /* as an honest TPM's, shorter */
	poly e_N;
	poly nym[2];
	vldaa_host *host;
};

/* Masks would hide the secret; this member has nothing to hide, they must be short only. */
enum { MASK = 1000 };

static poly shift_of_nym(const ring *R)
{
	poly shift = forgery_poly_zero();

	for (uint32_t i = 0; i < R->d; i++)
		shift.c[i] = forgery_centred(R, (R->q + 1) / 2);
	return shift;
}

int forgery_half_of_ones_times(const ring *R, const poly *challenge, poly *half)
{
	poly ones = forgery_poly_zero();

	for (uint32_t i = 0; i < R->d; i++)
		ones.c[i] = 1;
	*half = forgery_poly_mul_integers(R, *challenge, ones);
	for (uint32_t i = 0; i < R->d; i++) {
		if (half->c[i] % 2 != 0)
			return 0;
		half->c[i] /= 2;
	}
	return 1;
}

int forgery_cheat_new(cheat **out, const group *g, basename_bytes basename)
{
	const ring *R = g->R;
	cheat *c = calloc(1, sizeof *c);
	credential cred;
	int err;

	*out = c;
	if (!c)
		return VLDAA_ERR_MEMORY;
	c->g = g;
	memcpy(c->basename, basename.at, basename.len);
	c->basename_len = basename.len;
	c->b = forgery_basename_poly(g, basename);
	for (size_t i = 0; i < 2; i++)
		c->e_T[i] = forgery_poly_small(R, 1);
	c->e_N = forgery_poly_small(R, 1);
	c->nym[HONEST] = forgery_poly_add(R, forgery_poly_mul(R, c->b, c->e_T[1]), c->e_N);
	c->nym[SHIFTED] = forgery_poly_add(R, c->nym[HONEST], shift_of_nym(R));
	err = forgery_host(&c->host, &cred, g,
			   forgery_poly_add(R, c->e_T[0], forgery_poly_mul(R, g->aT1, c->e_T[1])));
	forgery_bytes_free(&cred.object);
	return err;
}

void forgery_cheat_free(cheat *c)
{
	if (!c)
		return;
	vldaa_host_free(c->host);
	free(c);
}

/* z = y + c secret, over the integers. */
static poly respond(const ring *R, poly y, poly c, poly secret)
{
	poly z = forgery_poly_mul_integers(R, c, secret);

	for (uint32_t i = 0; i < R->d; i++)
		z.c[i] += y.c[i];
	return z;
}

/* The pseudonym's response: z_N = y_N + c e_N, and h for the shifted one. */
static poly respond_for_nym(const cheat *ch, enum pseudonym which, poly y, poly c)
{
	poly z = respond(ch->g->R, y, c, ch->e_N), h;

	if (which == SHIFTED && forgery_half_of_ones_times(ch->g->R, &c, &h)) {
		for (uint32_t i = 0; i < ch->g->R->d; i++)
			z.c[i] += h.c[i];
	}
	return z;
}

/* What a TPM answers to the host's CREATE_CALL. */
static bytes create_reply(const cheat *ch, enum pseudonym which, const bytes *call)
{
	const group *g = ch->g;
	const numbers *n = g->n;
	const ring *R = g->R;
	const poly y_T[2] = {forgery_poly_small(R, MASK), forgery_poly_small(R, MASK)};
	const poly y_N = forgery_poly_small(R, MASK);
	reader r = forgery_reader_of(call->at, call->len);
	bytes reply = forgery_bytes_new(call->len);
	uint8_t nonce[CREATE_NONCE_BYTES] = {0}, c_tilde[MAX_CHALLENGE_BYTES];
	const uint8_t *host_digest;
	poly w_3, w_N, c, z_T[2], z_N;
	EVP_MD_CTX *h;

	forgery_get_head(&r, VLDAA_KIND_CREATE_CALL, n, g->key_id);
	(void)forgery_get(&r, 1 + ch->basename_len);
	host_digest = forgery_get(&r, HOST_DIGEST_BYTES);
	w_3 = forgery_get_uniform(&r, n); /* the host's part of it */
	if (r.bad)
		return reply;
	w_3 = forgery_poly_sub(R, w_3,
			       forgery_poly_add(R, y_T[0], forgery_poly_mul(R, g->aT1, y_T[1])));
	w_N = forgery_poly_add(R, forgery_poly_mul(R, ch->b, y_T[1]), y_N);

	h = forgery_hash_begin(n->oracle, "VLDAA create", n);
	forgery_hash_part(h, g->key_id, sizeof g->key_id);
	forgery_hash_part(h, ch->basename, ch->basename_len);
	forgery_hash_poly(h, n, &ch->nym[which]);
	forgery_hash_part(h, host_digest, HOST_DIGEST_BYTES);
	forgery_hash_poly(h, n, &w_3);
	forgery_hash_poly(h, n, &w_N);
	forgery_hash_part(h, nonce, sizeof nonce);
	forgery_hash_end(h, c_tilde, n->challenge_bytes);

	c = forgery_challenge_poly(n, c_tilde);
	for (size_t i = 0; i < 2; i++)
		z_T[i] = respond(R, y_T[i], c, ch->e_T[i]);
	z_N = respond_for_nym(ch, which, y_N, c);
	forgery_put_header(&reply, VLDAA_KIND_CREATE_REPLY, n);
	forgery_put(&reply, g->key_id, sizeof g->key_id);
	forgery_put(&reply, c_tilde, n->challenge_bytes);
	forgery_put(&reply, nonce, sizeof nonce);
	forgery_put_uniform(&reply, n, &ch->nym[which]);
	forgery_put_rice(&reply, n, n->rice_eT, z_T, 2);
	forgery_put_rice(&reply, n, n->rice_eN, &z_N, 1);
	return reply;
}

/* The library's host does its part, which ends with verifying the attestation. */
int forgery_cheat_attest(cheat *ch, enum pseudonym which, bytes *out)
{
	const vldaa_set *set = vldaa_set_by_id(ch->g->n->id);
	int done = 0, err;

	*out = forgery_bytes_new(vldaa_object_max_size(set, VLDAA_KIND_ATTESTATION));
	err = vldaa_host_create_begin(ch->host, ch->basename, ch->basename_len, out->at, out->cap,
				      &out->len);
	while (!err && !done) {
		bytes reply = create_reply(ch, which, out);

		err = vldaa_host_create_step(ch->host, reply.at, reply.len, out->at, out->cap,
					     &out->len, &done);
		forgery_bytes_free(&reply);
	}
	return err;
}

int forgery_cheat_sign(const cheat *ch, enum pseudonym which, const bytes *att, const void *message,
		       size_t len, bytes *out)
{
	const group *g = ch->g;
	const ring *R = g->R;
	const poly y_1 = forgery_poly_small(R, MASK), y_N = forgery_poly_small(R, MASK);
	const poly w = forgery_poly_add(R, forgery_poly_mul(R, ch->b, y_1), y_N);
	uint8_t digest[VLDAA_DIGEST_BYTES], c_tilde[MAX_CHALLENGE_BYTES];
	const subject about = {
	    {ch->basename, ch->basename_len}, &ch->nym[which], digest, message, len};
	poly c, z_1, z_N;

	forgery_attestation_digest(g->n, att, digest);
	forgery_sign_challenge(g, &about, &w, c_tilde);
	c = forgery_challenge_poly(g->n, c_tilde);
	z_1 = respond(R, y_1, c, ch->e_T[1]);
	z_N = respond_for_nym(ch, which, y_N, c);
	*out = forgery_compact_write(g, digest, c_tilde, &z_1, &z_N);
	return VLDAA_OK;
}
