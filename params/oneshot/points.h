/*
 * How many rows of a pseudonym's t determine the key (params/README.md, "One row determines the
 * key"): counts of integer points, as log2.
 */
#ifndef VLDAA_PARAMS_ONESHOT_POINTS_H
#define VLDAA_PARAMS_ONESHOT_POINTS_H

#include <stdint.h>

/* log2 |Z^n in a ball of radius r| is at most this. */
double vldaa_points_at_most(uint32_t n, double radius);

/* log2 |Z^n in a ball of radius sqrt(k)|, k = 0 .. last, into out[0 .. last]; right within 2^-40.
 */
void vldaa_points_counts(double *out, uint32_t n, uint32_t last);

/* What two keys under the same rows may differ by. */
typedef struct {
	uint32_t l;    /* polynomials of the key */
	uint32_t rows; /* rows of t that are known */
	double key;    /* norm of the keys' difference */
	double error;  /* norm of the difference of the errors, all rows together */
} vldaa_row_question;

/* log2 of the probability that random rows allow two such keys, over all sets of slots; at most 0.
 */
double vldaa_row_collision(const vldaa_row_question *question);

#endif
