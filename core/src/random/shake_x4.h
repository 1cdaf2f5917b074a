/*
 * Four SHAKE-128 or SHAKE-256 streams side by side, for public data that is expanded by the row.
 */
#ifndef VLDAA_SHAKE_X4_H
#define VLDAA_SHAKE_X4_H

#include <stddef.h>
#include <stdint.h>

#include "random/shake.h"

typedef struct {
	uint64_t lane[25][4]; /* lane[i][k]: lane i of stream k */
	uint32_t rate;
} vldaa_shake_x4;

/* Inputs of one length, below the rate. */
void vldaa_shake_x4_init(vldaa_shake_x4 *s, uint32_t rate, const uint8_t *const in[4], size_t len);
/* The next `rate` bytes of each stream. */
void vldaa_shake_x4_block(vldaa_shake_x4 *s, uint8_t *const out[4]);

#endif
