/*
 * Streams of bits inside bytes, the least significant bit first, through a 64-bit buffer.
 * Private to wire/.
 */
#ifndef VLDAA_BITBUF_H
#define VLDAA_BITBUF_H

#include <stddef.h>
#include <stdint.h>

#include "wire/bits.h"

/* Both compilers make one load or store of these on little-endian machines. */
static inline uint64_t vldaa_load64(const uint8_t *p)
{
	return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24 |
	       (uint64_t)p[4] << 32 | (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 |
	       (uint64_t)p[7] << 56;
}

static inline void vldaa_store64(uint8_t *p, uint64_t v)
{
	p[0] = (uint8_t)v;
	p[1] = (uint8_t)(v >> 8);
	p[2] = (uint8_t)(v >> 16);
	p[3] = (uint8_t)(v >> 24);
	p[4] = (uint8_t)(v >> 32);
	p[5] = (uint8_t)(v >> 40);
	p[6] = (uint8_t)(v >> 48);
	p[7] = (uint8_t)(v >> 56);
}

/* Bits that did not fill eight bytes yet.  Invariant: fill < 64, acc < 2^fill. */
typedef struct {
	vldaa_writer *w;
	uint64_t acc;
	uint32_t fill;
} vldaa_bit_sink;

static inline void vldaa_bit_begin(vldaa_bit_sink *s, vldaa_writer *w)
{
	s->w = w;
	s->acc = 0;
	s->fill = 0;
}

/* The n low bits of v; n <= 64, v < 2^n. */
static inline void vldaa_bit_put(vldaa_bit_sink *s, uint64_t v, uint32_t n)
{
	vldaa_writer *w = s->w;

	s->acc |= v << s->fill;
	s->fill += n;
	if (s->fill < 64)
		return;
	if (w->out != NULL && w->len <= w->cap && w->cap - w->len >= 8) {
		vldaa_store64(w->out + w->len, s->acc);
		w->len += 8;
	} else {
		uint8_t bytes[8];

		vldaa_store64(bytes, s->acc);
		vldaa_put_bytes(w, bytes, sizeof(bytes));
	}
	s->fill -= 64;
	/* 1 to 64 bits of v went out: two shifts, since one by 64 is undefined. */
	s->acc = v >> 1 >> (n - s->fill - 1);
}

/* Fills the last byte with zeroes. */
static inline void vldaa_bit_end(vldaa_bit_sink *s)
{
	uint8_t bytes[8];

	vldaa_store64(bytes, s->acc);
	vldaa_put_bytes(s->w, bytes, (s->fill + 7) / 8);
}

/*
 * The bits from place `bit` on of len bytes: at least the next 57 of them, with zeroes after the
 * end of the input.  Whoever calls compares places with 8 len.
 */
static inline uint64_t vldaa_bit_peek(const uint8_t *in, size_t len, uint64_t bit)
{
	uint64_t at = bit >> 3;
	uint64_t v = 0;

	if (at + 8 <= len)
		return vldaa_load64(in + at) >> (bit & 7);
	for (uint64_t i = at; i < len; i++)
		v |= (uint64_t)in[i] << (8 * (i - at));
	return v >> (bit & 7);
}

#endif
