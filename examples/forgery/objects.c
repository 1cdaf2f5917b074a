/* See format.h: attestations and message signatures as objects. */
#include <string.h>

#include "format.h"

int forgery_attestation_read(attestation *a, const group *g, const bytes *object)
{
	const numbers *n = g->n;
	reader r = forgery_reader_of(object->at, object->len);
	const uint8_t *p;

	forgery_get_head(&r, VLDAA_KIND_ATTESTATION, n, g->key_id);
	a->basename_len = (size_t)forgery_get_number(&r, 1);
	p = forgery_get(&r, a->basename_len);
	if (p)
		memcpy(a->basename, p, a->basename_len);
	a->nym = forgery_get_uniform(&r, n);
	for (size_t i = 0; i < COMMITMENTS; i++)
		a->t[i] = forgery_get_uniform(&r, n);
	p = forgery_get(&r, n->challenge_bytes);
	if (p)
		memcpy(a->c_tilde, p, n->challenge_bytes);
	p = forgery_get(&r, sizeof a->nonce);
	if (p)
		memcpy(a->nonce, p, sizeof a->nonce);
	forgery_get_rice(&r, n, n->rice_r, a->z_r, 3);
	forgery_get_rice(&r, n, n->rice_r, a->z_rp, 3);
	forgery_get_rice(&r, n, n->rice_r, a->z_rs, 3);
	forgery_get_rice(&r, n, n->rice_s12, a->z_s1, 2);
	forgery_get_rice(&r, n, n->rice_s12, a->z_s2, 2);
	forgery_get_rice(&r, n, n->rice_s3, a->z_s3, 2);
	forgery_get_rice(&r, n, n->rice_eH, a->z_H, 2);
	forgery_get_rice(&r, n, n->rice_eT, a->z_T, 2);
	forgery_get_rice(&r, n, n->rice_eN, &a->z_N, 1);
	return r.bad || r.pos != r.len ? -1 : 0;
}

bytes forgery_attestation_write(const attestation *a, const group *g)
{
	const numbers *n = g->n;
	bytes b = forgery_bytes_new(
	    vldaa_object_max_size(vldaa_set_by_id(n->id), VLDAA_KIND_ATTESTATION));

	forgery_put_header(&b, VLDAA_KIND_ATTESTATION, n);
	forgery_put(&b, g->key_id, sizeof g->key_id);
	forgery_put_number(&b, a->basename_len, 1);
	forgery_put(&b, a->basename, a->basename_len);
	forgery_put_uniform(&b, n, &a->nym);
	for (size_t i = 0; i < COMMITMENTS; i++)
		forgery_put_uniform(&b, n, &a->t[i]);
	forgery_put(&b, a->c_tilde, n->challenge_bytes);
	forgery_put(&b, a->nonce, sizeof a->nonce);
	forgery_put_rice(&b, n, n->rice_r, a->z_r, 3);
	forgery_put_rice(&b, n, n->rice_r, a->z_rp, 3);
	forgery_put_rice(&b, n, n->rice_r, a->z_rs, 3);
	forgery_put_rice(&b, n, n->rice_s12, a->z_s1, 2);
	forgery_put_rice(&b, n, n->rice_s12, a->z_s2, 2);
	forgery_put_rice(&b, n, n->rice_s3, a->z_s3, 2);
	forgery_put_rice(&b, n, n->rice_eH, a->z_H, 2);
	forgery_put_rice(&b, n, n->rice_eT, a->z_T, 2);
	forgery_put_rice(&b, n, n->rice_eN, &a->z_N, 1);
	return b;
}

void forgery_sign_challenge(const group *g, const subject *about, const poly *w, uint8_t *c_tilde)
{
	EVP_MD_CTX *h = forgery_hash_begin(g->n->oracle, "VLDAA sign", g->n);
	uint8_t digest[64];

	forgery_message_digest(g->n, about->message, about->message_len, digest);
	forgery_hash_number(h, 0); /* type: a message */
	forgery_hash_part(h, g->key_id, sizeof g->key_id);
	forgery_hash_part(h, about->basename.at, about->basename.len);
	forgery_hash_poly(h, g->n, about->nym);
	forgery_hash_part(h, about->attestation_digest, VLDAA_DIGEST_BYTES);
	forgery_hash_poly(h, g->n, w);
	forgery_hash_part(h, digest, sizeof digest);
	forgery_hash_end(h, c_tilde, g->n->challenge_bytes);
}

bytes forgery_compact_write(const group *g, const uint8_t *digest, const uint8_t *c_tilde,
			    const poly *z_1, const poly *z_N)
{
	bytes b = forgery_bytes_new(8192);

	forgery_put_header(&b, VLDAA_KIND_COMPACT, g->n);
	forgery_put(&b, g->key_id, sizeof g->key_id);
	forgery_put(&b, digest, VLDAA_DIGEST_BYTES);
	forgery_put(&b, c_tilde, g->n->challenge_bytes);
	forgery_put_rice(&b, g->n, g->n->rice_sign1, z_1, 1);
	forgery_put_rice(&b, g->n, g->n->rice_signN, z_N, 1);
	return b;
}

int forgery_compact_read(const group *g, const bytes *object, uint8_t *digest, uint8_t *c_tilde,
			 poly *z_1, poly *z_N)
{
	reader r = forgery_reader_of(object->at, object->len);
	const uint8_t *p;

	forgery_get_head(&r, VLDAA_KIND_COMPACT, g->n, g->key_id);
	p = forgery_get(&r, VLDAA_DIGEST_BYTES);
	if (p)
		memcpy(digest, p, VLDAA_DIGEST_BYTES);
	p = forgery_get(&r, g->n->challenge_bytes);
	if (p)
		memcpy(c_tilde, p, g->n->challenge_bytes);
	forgery_get_rice(&r, g->n, g->n->rice_sign1, z_1, 1);
	forgery_get_rice(&r, g->n, g->n->rice_signN, z_N, 1);
	return r.bad || r.pos != r.len ? -1 : 0;
}

bytes forgery_self_contained(const group *g, const bytes *attestation_object, const bytes *compact)
{
	const size_t head = VLDAA_OBJECT_HEADER + VLDAA_KEY_ID_BYTES + VLDAA_DIGEST_BYTES;
	bytes b = forgery_bytes_new(attestation_object->len + compact->len);

	forgery_put_header(&b, VLDAA_KIND_SIGNATURE, g->n);
	forgery_put(&b, g->key_id, sizeof g->key_id);
	forgery_put_number(&b, attestation_object->len, 4);
	forgery_put(&b, attestation_object->at, attestation_object->len);
	forgery_put(&b, compact->at + head, compact->len - head);
	return b;
}
