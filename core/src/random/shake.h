/*
 * SHAKE-128 and SHAKE-256 (FIPS 202), incremental in both directions.  Our own, since libcrypto 3.0
 * cannot squeeze incrementally and the TPM role has no libcrypto.
 */
#ifndef VLDAA_SHAKE_H
#define VLDAA_SHAKE_H

#include <stddef.h>
#include <stdint.h>

enum { VLDAA_SHAKE128_RATE = 168, VLDAA_SHAKE256_RATE = 136 };

/*
 * Invariant: pos < rate while absorbing (bytes of the current block already xored in), pos <= rate
 * while squeezing (bytes of the current block already given out).  No function fails.
 */
typedef struct {
	uint64_t lane[25];
	uint32_t rate;
	uint32_t pos;
	uint32_t squeezing;
} vldaa_shake;

/* rate is VLDAA_SHAKE128_RATE or VLDAA_SHAKE256_RATE. */
void vldaa_shake_init(vldaa_shake *s, uint32_t rate);
void vldaa_shake_absorb(vldaa_shake *s, const void *in, size_t len);
/* Ends absorbing at the first call; any number of calls gives one stream. */
void vldaa_shake_squeeze(vldaa_shake *s, void *out, size_t len);

#endif
