/*
 * Bytes in and out.  A writer never writes past its buffer: it goes on counting, and `len > cap`
 * afterwards means that the buffer was too small (and how large it must be).  A reader never reads
 * past its end: the first failure sticks in `error`, everything after it gives zeroes.
 */
#ifndef VLDAA_BITS_H
#define VLDAA_BITS_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
	uint8_t *out; /* NULL: count only */
	size_t cap;
	size_t len;
} vldaa_writer;

typedef struct {
	const uint8_t *in;
	size_t len;
	size_t pos;
	int error; /* VLDAA_OK, or the first failure: VLDAA_ERR_TRUNCATED, _ENCODING, _RANGE */
} vldaa_reader;

void vldaa_put_init(vldaa_writer *w, uint8_t *out, size_t cap);
void vldaa_put_u8(vldaa_writer *w, uint8_t v);
void vldaa_put_u16(vldaa_writer *w, uint16_t v); /* big-endian, like all lengths */
void vldaa_put_u32(vldaa_writer *w, uint32_t v);
void vldaa_put_u64(vldaa_writer *w, uint64_t v);
void vldaa_put_bytes(vldaa_writer *w, const void *p, size_t len);
/* Four bytes of length, then the bytes. */
void vldaa_put_block(vldaa_writer *w, const void *p, size_t len);
/* VLDAA_OK, or VLDAA_ERR_BUFFER when something did not fit (counting alone always fits).  *len is
 * what was or would be written. */
int vldaa_put_end(const vldaa_writer *w, size_t *len);

void vldaa_get_init(vldaa_reader *r, const uint8_t *in, size_t len);
uint8_t vldaa_get_u8(vldaa_reader *r);
uint16_t vldaa_get_u16(vldaa_reader *r);
uint32_t vldaa_get_u32(vldaa_reader *r);
uint64_t vldaa_get_u64(vldaa_reader *r);
void vldaa_get_bytes(vldaa_reader *r, void *out, size_t len);
/* A pointer into the input (not NULL, also for len 0), or NULL after a failure. */
const uint8_t *vldaa_get_view(vldaa_reader *r, size_t len);
/* Four bytes of length, at most max (else VLDAA_ERR_ENCODING), then the bytes. */
const uint8_t *vldaa_get_block(vldaa_reader *r, size_t max, size_t *len);
void vldaa_get_fail(vldaa_reader *r, int error); /* keeps an earlier failure */
/* The reader's error, or VLDAA_ERR_TRAILING when bytes are left. */
int vldaa_get_end(const vldaa_reader *r);

#endif
