/*
 * The randomness of one operation: SHAKE-256 over a fresh 32-byte seed.
 *
 * The seed comes from the operating system (through the caller); the same seed gives the same
 * stream everywhere, which is what known answers are made from.  Nothing here fails: only drawing
 * the seed can, and that is done before.
 */
#ifndef VLDAA_RNG_H
#define VLDAA_RNG_H

#include "random/shake.h"

enum { VLDAA_SEED_BYTES = 32 };

typedef struct {
	vldaa_shake shake;
} vldaa_rng;

/* set_id separates the streams of parameter sets. */
void vldaa_rng_init(vldaa_rng *rng, const uint8_t seed[VLDAA_SEED_BYTES], uint32_t set_id);
/* Binds the stream to what the operation is about (a long-term secret, its inputs), so that a seed
 * that repeats, after a snapshot was restored or because the source is stuck, does not mask two
 * different things alike.  Only before the first byte is drawn. */
void vldaa_rng_bind(vldaa_rng *rng, const void *part, size_t len);
void vldaa_rng_bytes(vldaa_rng *rng, void *out, size_t len);
/* Eight bytes of the stream, little-endian. */
uint64_t vldaa_rng_u64(vldaa_rng *rng);
void vldaa_rng_clear(vldaa_rng *rng);

#endif
