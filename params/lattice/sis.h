/*
 * SIS in the Euclidean norm, by the root Hermite factor: BKZ with block size b finds, in a lattice
 * of dimension D and determinant q^n, a vector of norm delta(b)^D q^(n/D); the attacker chooses how
 * many of the columns to use (Micciancio and Regev, "Lattice-based cryptography", 2009, section 3).
 */
#ifndef VLDAA_PARAMS_SIS_H
#define VLDAA_PARAMS_SIS_H

#include <stdint.h>

typedef struct {
	uint32_t n;       /* equations modulo q */
	uint32_t columns; /* unknowns */
	double q;
	double bound; /* Euclidean norm that a solution may have */
} vldaa_sis;

typedef struct {
	int trivial;    /* bound >= q: q times a unit vector is a solution, no reduction needed */
	uint32_t block; /* else the least block size, 0: none up to the largest tried */
	uint32_t dimension; /* columns that the attack uses */
} vldaa_sis_estimate;

void vldaa_sis_solve(vldaa_sis_estimate *out, const vldaa_sis *instance);

/*
 * The same with two kinds of columns, each with its own budget: a solution may have norm long_bound
 * on long_columns unknowns and short_bound on short_columns others.  The attacker chooses how many
 * of each to use and scales the short kind so that both budgets are met at once.
 */
typedef struct {
	uint32_t n;
	double q;
	uint32_t long_columns;
	double long_bound;
	uint32_t short_columns;
	double short_bound;
} vldaa_sis_mixed;

typedef struct {
	uint32_t block; /* least block size, 0: none */
	uint32_t long_used, short_used;
} vldaa_sis_mixed_estimate;

void vldaa_sis_mixed_solve(vldaa_sis_mixed_estimate *out, const vldaa_sis_mixed *instance);

/*
 * Falcon's own formulas (Falcon specification v1.2, section 2.5.1), in the ring of degree n over
 * two columns: delta(b)^(2 n) taken as (b / 2 pi e)^(n / b), so estimates match its tables.
 * Forgery: least b with (b / 2 pi e)^(n / b) sqrt(q) <= bound.
 * Key recovery: least b with sqrt(3 b / 4) deviation <= (b / 2 pi e)^(1 - n / b) sqrt(q), where
 * deviation is that of f's and g's coefficients.
 */
uint32_t vldaa_falcon_forgery_block(uint32_t n, double q, double bound);
uint32_t vldaa_falcon_key_block(uint32_t n, double q, double deviation);

#endif
