/*
 * SampleZ: an integer from D_{Z, s, c}, weight exp(-(x - c)^2 / (2 s^2)), for any centre |c| <
 * 2^52.  s is the standard deviation, 1 <= s <= 2^32.
 *
 * Floating point on secrets: for the issuer's trapdoor only.  Sources, timing and error:
 * sample_z.c.
 */
#ifndef VLDAA_SAMPLE_Z_H
#define VLDAA_SAMPLE_Z_H

#include <stdint.h>

#include "random/rng.h"

/* Prepared once per deviation.  Invariant: 1 <= s <= 4 width, keep <= 2^63. */
typedef struct {
	double s;
	double inv_2s2; /* 1 / (2 s^2) */
	uint64_t width; /* K: proposals are K x + y, x from the base half-Gaussian of deviation 4 */
	uint64_t keep;  /* 2^63 times the part of the accepted proposals that is kept */
} vldaa_sample_z;

/* A deviation that may be known: the number of attempts depends on it. */
void vldaa_sample_z_init(vldaa_sample_z *z, double s);
/* A secret deviation in a known range, 1 <= min <= s <= max <= 2 min: the number of attempts
 * depends on min and max alone. */
void vldaa_sample_z_init_within(vldaa_sample_z *z, double s, double min, double max);

int64_t vldaa_sample_z_draw(const vldaa_sample_z *z, double c, vldaa_rng *rng);

#endif
