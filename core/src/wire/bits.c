#include "wire/bits.h"

#include <string.h>

#include "vldaa/error.h"

void vldaa_put_init(vldaa_writer *w, uint8_t *out, size_t cap)
{
	w->out = out;
	w->cap = cap;
	w->len = 0;
}

void vldaa_put_bytes(vldaa_writer *w, const void *p, size_t len)
{
	if (w->out != NULL && w->len <= w->cap && len <= w->cap - w->len && len > 0)
		memcpy(w->out + w->len, p, len);
	/* A length that does not fit size_t stays at its largest value, which no buffer has. */
	w->len = len <= SIZE_MAX - w->len ? w->len + len : SIZE_MAX;
}

static void put_big_endian(vldaa_writer *w, uint64_t v, size_t len)
{
	uint8_t bytes[8];

	for (size_t i = 0; i < len; i++)
		bytes[i] = (uint8_t)(v >> (8 * (len - 1 - i)));
	vldaa_put_bytes(w, bytes, len);
}

void vldaa_put_u8(vldaa_writer *w, uint8_t v)
{
	put_big_endian(w, v, 1);
}

void vldaa_put_u16(vldaa_writer *w, uint16_t v)
{
	put_big_endian(w, v, 2);
}

void vldaa_put_u32(vldaa_writer *w, uint32_t v)
{
	put_big_endian(w, v, 4);
}

void vldaa_put_u64(vldaa_writer *w, uint64_t v)
{
	put_big_endian(w, v, 8);
}

void vldaa_put_block(vldaa_writer *w, const void *p, size_t len)
{
#if SIZE_MAX > UINT32_MAX
	/* No length field holds it: the same as a buffer that is too small. */
	if (len > UINT32_MAX) {
		w->len = SIZE_MAX;
		return;
	}
#endif
	vldaa_put_u32(w, (uint32_t)len);
	vldaa_put_bytes(w, p, len);
}

int vldaa_put_end(const vldaa_writer *w, size_t *len)
{
	*len = w->len;
	if (w->len == SIZE_MAX || (w->out != NULL && w->len > w->cap))
		return VLDAA_ERR_BUFFER;
	return VLDAA_OK;
}

void vldaa_get_init(vldaa_reader *r, const uint8_t *in, size_t len)
{
	/* What a view of no bytes points to when there is no input at all: not NULL, not read. */
	static const uint8_t nothing[1];

	r->in = in != NULL ? in : nothing;
	r->len = in != NULL ? len : 0;
	r->pos = 0;
	r->error = VLDAA_OK;
}

void vldaa_get_fail(vldaa_reader *r, int error)
{
	if (r->error == VLDAA_OK)
		r->error = error;
}

const uint8_t *vldaa_get_view(vldaa_reader *r, size_t len)
{
	const uint8_t *p;

	if (r->error != VLDAA_OK)
		return NULL;
	if (len > r->len - r->pos) {
		vldaa_get_fail(r, VLDAA_ERR_TRUNCATED);
		return NULL;
	}
	p = r->in + r->pos;
	r->pos += len;
	return p;
}

void vldaa_get_bytes(vldaa_reader *r, void *out, size_t len)
{
	const uint8_t *p = vldaa_get_view(r, len);

	if (len == 0)
		return;
	if (p != NULL)
		memcpy(out, p, len);
	else
		memset(out, 0, len);
}

static uint64_t get_big_endian(vldaa_reader *r, size_t len)
{
	const uint8_t *p = vldaa_get_view(r, len);
	uint64_t v = 0;

	if (p == NULL)
		return 0;
	for (size_t i = 0; i < len; i++)
		v = v << 8 | p[i];
	return v;
}

uint8_t vldaa_get_u8(vldaa_reader *r)
{
	return (uint8_t)get_big_endian(r, 1);
}

uint16_t vldaa_get_u16(vldaa_reader *r)
{
	return (uint16_t)get_big_endian(r, 2);
}

uint32_t vldaa_get_u32(vldaa_reader *r)
{
	return (uint32_t)get_big_endian(r, 4);
}

uint64_t vldaa_get_u64(vldaa_reader *r)
{
	return get_big_endian(r, 8);
}

const uint8_t *vldaa_get_block(vldaa_reader *r, size_t max, size_t *len)
{
	uint32_t n = vldaa_get_u32(r);
	const uint8_t *p;

	*len = 0;
	if (n > max) {
		vldaa_get_fail(r, VLDAA_ERR_ENCODING);
		return NULL;
	}
	p = vldaa_get_view(r, n);
	if (p != NULL)
		*len = n;
	return p;
}

int vldaa_get_end(const vldaa_reader *r)
{
	if (r->error != VLDAA_OK)
		return r->error;
	return r->pos == r->len ? VLDAA_OK : VLDAA_ERR_TRAILING;
}
