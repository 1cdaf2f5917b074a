/* Little-endian words in byte strings, on machines of either byte order and any alignment. */
#ifndef VLDAA_BYTES_H
#define VLDAA_BYTES_H

#include <stdint.h>

static inline uint64_t vldaa_load64(const uint8_t p[8])
{
	return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24 |
	       (uint64_t)p[4] << 32 | (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 |
	       (uint64_t)p[7] << 56;
}

static inline void vldaa_store64(uint8_t p[8], uint64_t x)
{
	for (int i = 0; i < 8; i++)
		p[i] = (uint8_t)(x >> (8 * i));
}

#endif
