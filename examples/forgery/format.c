/* See format.h: numbers, bytes, hashes. */
#include "format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const numbers sets[] = {
    {.name = "VLDAA-42",
     .id = 0x00010001,
     .R = {128, 114356107},
     .q_bits = 27,
     .delta = 10694,
     .kappa = 31,
     .oracle = "SHAKE128",
     .challenge_bytes = 32,
     .rice_credential = 30,
     .rice_r = 13,
     .rice_s12 = 44,
     .rice_s3 = 48,
     .rice_eH = 15,
     .rice_eT = 14,
     .rice_eN = 14,
     .rice_sign1 = 12,
     .rice_signN = 14,
     .gamma = 2081984374.1},
    {.name = "VLDAA-128",
     .id = 0x00010002,
     .R = {512, 7583},
     .q_bits = 13,
     .delta = 88,
     .kappa = 120,
     .oracle = "SHAKE128",
     .challenge_bytes = 32,
     .rice_credential = 22,
     .rice_r = 16,
     .rice_s12 = 39,
     .rice_s3 = 43,
     .rice_eH = 18,
     .rice_eT = 17,
     .rice_eN = 17,
     .rice_sign1 = 15,
     .rice_signN = 17,
     .gamma = 5702164.5,
     .responses_exceed_q = 1},
    {.name = "VLDAA-256",
     .id = 0x00010003,
     .R = {1024, 14867},
     .q_bits = 14,
     .delta = 122,
     .kappa = 300,
     .oracle = "SHAKE256",
     .challenge_bytes = 64,
     .rice_credential = 23,
     .rice_r = 18,
     .rice_s12 = 42,
     .rice_s3 = 48,
     .rice_eH = 20,
     .rice_eT = 19,
     .rice_eN = 19,
     .rice_sign1 = 16,
     .rice_signN = 19,
     .gamma = 19125481.4,
     .responses_exceed_q = 1},
};

const numbers *forgery_numbers_of(uint32_t set_id)
{
	for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
		if (sets[i].id == set_id)
			return &sets[i];
	}
	return NULL;
}

static void stop(const char *why)
{
	fprintf(stderr, "%s\n", why);
	abort();
}

/* --- bytes -------------------------------------------------------------------------------------
 */

bytes forgery_bytes_new(size_t cap)
{
	bytes b = {malloc(cap ? cap : 1), 0, cap};

	if (!b.at)
		stop("out of memory");
	return b;
}

bytes forgery_bytes_copy(const void *p, size_t len)
{
	bytes b = forgery_bytes_new(len);

	forgery_put(&b, p, len);
	return b;
}

void forgery_bytes_free(bytes *b)
{
	free(b->at);
	*b = (bytes){NULL, 0, 0};
}

void forgery_put(bytes *b, const void *p, size_t len)
{
	if (b->cap - b->len < len) {
		const size_t cap = 2 * (b->len + len);
		uint8_t *more = realloc(b->at, cap);

		if (!more)
			stop("out of memory");
		b->at = more;
		b->cap = cap;
	}
	if (len)
		memcpy(b->at + b->len, p, len);
	b->len += len;
}

static void big_endian(uint8_t out[8], uint64_t value, size_t len)
{
	for (size_t i = 0; i < len; i++)
		out[i] = (uint8_t)(value >> (8 * (len - 1 - i)));
}

void forgery_put_number(bytes *b, uint64_t value, size_t len)
{
	uint8_t out[8];

	big_endian(out, value, len);
	forgery_put(b, out, len);
}

void forgery_put_header(bytes *b, enum vldaa_kind kind, const numbers *n)
{
	forgery_put(b, "VLDA", 4);
	forgery_put_number(b, kind, 1);
	forgery_put_number(b, 1, 1); /* version */
	forgery_put_number(b, n->id, 4);
}

/* Bits fill bytes from the least significant; a byte that was begun is padded with zeroes. */
typedef struct {
	bytes *b;
	uint8_t byte;
	unsigned used;
} bit_writer;

static void put_bit(bit_writer *w, uint64_t bit)
{
	w->byte = (uint8_t)(w->byte | (bit & 1) << w->used);
	if (++w->used == 8) {
		forgery_put(w->b, &w->byte, 1);
		w->byte = 0;
		w->used = 0;
	}
}

static void put_bits(bit_writer *w, uint64_t value, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		put_bit(w, value >> i);
}

static void pad(bit_writer *w)
{
	while (w->used != 0)
		put_bit(w, 0);
}

void forgery_put_uniform(bytes *b, const numbers *n, const poly *a)
{
	bit_writer w = {b, 0, 0};

	for (uint32_t i = 0; i < n->R.d; i++) {
		const int64_t x = forgery_centred(&n->R, a->c[i]);

		put_bits(&w, (uint64_t)(x < 0 ? x + n->R.q : x), n->q_bits);
	}
	pad(&w);
}

void forgery_put_rice(bytes *b, const numbers *n, uint32_t k, const poly *a, size_t count)
{
	bit_writer w = {b, 0, 0};

	for (size_t j = 0; j < count; j++) {
		for (uint32_t i = 0; i < n->R.d; i++) {
			const int64_t x = a[j].c[i];
			const uint64_t magnitude = (uint64_t)(x < 0 ? -x : x);

			put_bits(&w, magnitude, k);
			for (uint64_t high = magnitude >> k; high > 0; high--)
				put_bit(&w, 1);
			put_bit(&w, 0);
			if (x != 0)
				put_bit(&w, x < 0);
		}
	}
	pad(&w);
}

reader forgery_reader_of(const void *in, size_t len)
{
	return (reader){in, len, 0, 0};
}

const uint8_t *forgery_get(reader *r, size_t len)
{
	const uint8_t *p = r->in + r->pos;

	if (r->bad || len > r->len - r->pos) {
		r->bad = 1;
		return NULL;
	}
	r->pos += len;
	return p;
}

uint64_t forgery_get_number(reader *r, size_t len)
{
	const uint8_t *p = forgery_get(r, len);
	uint64_t value = 0;

	for (size_t i = 0; p && i < len; i++)
		value = value << 8 | p[i];
	return value;
}

/* Reads bits from the reader's place on; *bit counts them. */
static uint64_t get_bits(reader *r, size_t *bit, uint32_t count)
{
	uint64_t value = 0;

	for (uint32_t i = 0; i < count; i++, (*bit)++) {
		const size_t at = r->pos + *bit / 8;

		if (at >= r->len) {
			r->bad = 1;
			return 0;
		}
		value |= (uint64_t)(r->in[at] >> (*bit % 8) & 1) << i;
	}
	return value;
}

poly forgery_get_uniform(reader *r, const numbers *n)
{
	poly a = forgery_poly_zero();
	size_t bit = 0;

	for (uint32_t i = 0; i < n->R.d && !r->bad; i++)
		a.c[i] = forgery_centred(&n->R, (int64_t)get_bits(r, &bit, n->q_bits));
	(void)forgery_get(r, (bit + 7) / 8);
	return a;
}

void forgery_get_rice(reader *r, const numbers *n, uint32_t k, poly *a, size_t count)
{
	size_t bit = 0;

	for (size_t j = 0; j < count; j++) {
		a[j] = forgery_poly_zero();
		for (uint32_t i = 0; i < n->R.d && !r->bad; i++) {
			const uint64_t low = get_bits(r, &bit, k);
			uint64_t high = 0;
			int64_t x;

			while (get_bits(r, &bit, 1) == 1)
				high++;
			x = (int64_t)(high << k | low);
			a[j].c[i] = x != 0 && get_bits(r, &bit, 1) ? -x : x;
		}
	}
	(void)forgery_get(r, (bit + 7) / 8);
}

void forgery_get_head(reader *r, enum vldaa_kind kind, const numbers *n, const uint8_t *key_id)
{
	bytes expected = forgery_bytes_new(VLDAA_OBJECT_HEADER + VLDAA_KEY_ID_BYTES);
	const uint8_t *head;

	forgery_put_header(&expected, kind, n);
	forgery_put(&expected, key_id, VLDAA_KEY_ID_BYTES);
	head = forgery_get(r, expected.len);
	if (head && memcmp(head, expected.at, expected.len) != 0)
		r->bad = 1;
	forgery_bytes_free(&expected);
}

/* --- hashes ------------------------------------------------------------------------------------
 */

EVP_MD_CTX *forgery_hash_begin(const char *shake, const char *separator, const numbers *n)
{
	EVP_MD *md = EVP_MD_fetch(NULL, shake, NULL);
	EVP_MD_CTX *h = EVP_MD_CTX_new();
	uint8_t frame[8];

	if (!md || !h || EVP_DigestInit_ex(h, md, NULL) != 1)
		stop("libcrypto has no SHAKE");
	EVP_MD_free(md);
	frame[0] = (uint8_t)strlen(separator);
	EVP_DigestUpdate(h, frame, 1);
	EVP_DigestUpdate(h, separator, frame[0]);
	big_endian(frame, n->id, 4);
	EVP_DigestUpdate(h, frame, 4);
	return h;
}

void forgery_hash_part(EVP_MD_CTX *h, const void *p, size_t len)
{
	uint8_t length[8];

	big_endian(length, len, 8);
	EVP_DigestUpdate(h, length, 8);
	EVP_DigestUpdate(h, p, len);
}

void forgery_hash_number(EVP_MD_CTX *h, uint32_t value)
{
	uint8_t out[8];

	big_endian(out, value, 4);
	forgery_hash_part(h, out, 4);
}

void forgery_hash_poly(EVP_MD_CTX *h, const numbers *n, const poly *a)
{
	bytes packed = forgery_bytes_new(2 * MAX_DEGREE);

	forgery_put_uniform(&packed, n, a);
	forgery_hash_part(h, packed.at, packed.len);
	forgery_bytes_free(&packed);
}

void forgery_hash_end(EVP_MD_CTX *h, uint8_t *out, size_t len)
{
	if (EVP_DigestFinalXOF(h, out, len) != 1)
		stop("libcrypto's SHAKE failed");
	EVP_MD_CTX_free(h);
}

void forgery_message_digest(const numbers *n, const void *message, size_t len, uint8_t digest[64])
{
	EVP_MD_CTX *h = forgery_hash_begin("SHAKE256", "VLDAA message", n);

	EVP_DigestUpdate(h, message, len); /* to the end, without its length: it may be streamed */
	forgery_hash_end(h, digest, 64);
}

void forgery_attestation_digest(const numbers *n, const bytes *object,
				uint8_t digest[VLDAA_DIGEST_BYTES])
{
	EVP_MD_CTX *h = forgery_hash_begin("SHAKE256", "VLDAA attestation", n);

	forgery_hash_part(h, object->at, object->len);
	forgery_hash_end(h, digest, VLDAA_DIGEST_BYTES);
}

/* Fields of q_bits bits from the stream; those of q and above are skipped. */
static poly uniform_from(EVP_MD_CTX *h, const numbers *n)
{
	/* Each field is below q with probability at least 1/2: four times what is needed at least.
	 */
	uint8_t stream[4 * MAX_DEGREE * 14 / 8];
	reader r = forgery_reader_of(stream, sizeof stream);
	poly a = forgery_poly_zero();
	size_t bit = 0;

	forgery_hash_end(h, stream, sizeof stream);
	for (uint32_t i = 0; i < n->R.d;) {
		const uint64_t x = get_bits(&r, &bit, n->q_bits);

		if (r.bad)
			stop("a stream without residues");
		if (x < (uint64_t)n->R.q)
			a.c[i++] = forgery_centred(&n->R, (int64_t)x);
	}
	return a;
}

poly forgery_basename_poly(const group *g, basename_bytes basename)
{
	EVP_MD_CTX *h = forgery_hash_begin(g->n->oracle, "VLDAA basename", g->n);

	forgery_hash_part(h, g->key_id, sizeof g->key_id);
	forgery_hash_part(h, basename.at, basename.len);
	return uniform_from(h, g->n);
}

poly forgery_challenge_poly(const numbers *n, const uint8_t *c_tilde)
{
	/* Signs, then pairs of bytes, of which less than every second is refused on average: about
	 * ten times what is needed. */
	uint8_t stream[8 * MAX_DEGREE];
	EVP_MD_CTX *h = forgery_hash_begin(n->oracle, "VLDAA challenge", n);
	size_t at = (n->kappa + 7) / 8;
	poly c = forgery_poly_zero();

	forgery_hash_part(h, c_tilde, n->challenge_bytes);
	forgery_hash_end(h, stream, sizeof stream);
	for (uint32_t i = 0; i < n->kappa; i++) {
		const uint32_t position = n->R.d - n->kappa + i;
		uint32_t index;

		do {
			if (at + 2 > sizeof stream)
				stop("a stream without indices");
			index = (stream[at] | (uint32_t)stream[at + 1] << 8) & (n->R.d - 1);
			at += 2;
		} while (index > position);
		c.c[position] = c.c[index];
		c.c[index] = stream[i / 8] >> (i % 8) & 1 ? -1 : 1;
	}
	return c;
}

/* --- the group key -----------------------------------------------------------------------------
 */

static poly public_element(const numbers *n, const uint8_t *rho, uint32_t which)
{
	EVP_MD_CTX *h = forgery_hash_begin(n->oracle, "VLDAA expand", n);

	forgery_hash_part(h, rho, 32);
	forgery_hash_number(h, which);
	return uniform_from(h, n);
}

int forgery_group_read(group *g, const uint8_t *object, size_t len)
{
	reader r = forgery_reader_of(object, len);
	const uint8_t *magic = forgery_get(&r, 4), *rho;
	const uint64_t kind = forgery_get_number(&r, 1), version = forgery_get_number(&r, 1);
	const numbers *n = forgery_numbers_of((uint32_t)forgery_get_number(&r, 4));
	EVP_MD_CTX *h;

	if (r.bad || memcmp(magic, "VLDA", 4) != 0 || kind != VLDAA_KIND_GROUP_KEY ||
	    version != 1 || !n)
		return -1;
	(void)forgery_get(&r, VLDAA_DIGEST_BYTES); /* of the authority key: no matter here */
	rho = forgery_get(&r, 32);
	g->b0 = forgery_get_uniform(&r, n);
	g->b1 = forgery_get_uniform(&r, n);
	if (r.bad || r.pos != len)
		return -1;
	g->n = n;
	g->R = &n->R;
	g->object = forgery_bytes_copy(object, len);
	h = forgery_hash_begin("SHAKE256", "VLDAA key id", n);
	forgery_hash_part(h, object, len);
	forgery_hash_end(h, g->key_id, sizeof g->key_id);
	g->a0 = public_element(n, rho, 0);
	g->a1 = public_element(n, rho, 1);
	g->u = public_element(n, rho, 2);
	g->a11 = public_element(n, rho, 3);
	g->a12 = public_element(n, rho, 4);
	g->a2 = public_element(n, rho, 5);
	g->aT1 = public_element(n, rho, 6);
	g->aH1 = public_element(n, rho, 7);
	return 0;
}

void forgery_group_free(group *g)
{
	forgery_bytes_free(&g->object);
}
