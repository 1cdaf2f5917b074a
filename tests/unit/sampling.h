/* What the samplers' tests share: chi-square, and digests for known answers. */
#ifndef VLDAA_TEST_SAMPLING_H
#define VLDAA_TEST_SAMPLING_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "random/bytes.h"
#include "random/rng.h"

/*
 * Pearson's statistic as a standard normal deviate (Wilson and Hilferty's cube root), so that the
 * same bounds serve any number of bins.  Neighbouring bins are merged until 10 are expected; the
 * expected numbers add up to the observed ones.
 */
static inline double chi_square_deviate(const double *observed, const double *expected, size_t bins)
{
	double sum = 0;
	double freedom = -1;
	double seen = 0;
	double due = 0;
	double rest = 0;

	for (size_t i = 0; i < bins; i++)
		rest += expected[i];
	for (size_t i = 0; i < bins; i++) {
		seen += observed[i];
		due += expected[i];
		rest -= expected[i];
		if ((due >= 10 && rest >= 10) || i == bins - 1) {
			sum += (seen - due) * (seen - due) / due;
			freedom += 1;
			seen = 0;
			due = 0;
		}
	}
	const double spread = 2 / (9 * freedom);
	return (cbrt(sum / freedom) - (1 - spread)) / sqrt(spread);
}

/*
 * No deviate beyond this is believed: 3e-7 for a normal one.  Seeds are fixed, so a test that
 * passes passes always; the bound only keeps a correct sampler with a new seed from failing.
 */
static const double suspicious = 5;

/* Hexadecimal of 16 bytes of SHAKE-256 over the values, eight bytes little-endian each. */
static inline void digest_values(char hex[33], const int64_t *values, size_t n)
{
	vldaa_shake s;
	uint8_t bytes[16];

	vldaa_shake_init(&s, VLDAA_SHAKE256_RATE);
	for (size_t i = 0; i < n; i++) {
		uint8_t word[8];
		vldaa_store64(word, (uint64_t)values[i]);
		vldaa_shake_absorb(&s, word, sizeof word);
	}
	vldaa_shake_squeeze(&s, bytes, sizeof bytes);
	for (size_t i = 0; i < sizeof bytes; i++)
		snprintf(hex + 2 * i, 3, "%02x", bytes[i]);
}

/* The stream of the seed (number, 0, 0, ...) for set 1. */
static inline vldaa_rng numbered_rng(uint8_t number)
{
	const uint8_t seed[VLDAA_SEED_BYTES] = {number};
	vldaa_rng rng;

	vldaa_rng_init(&rng, seed, 1);
	return rng;
}

#endif
