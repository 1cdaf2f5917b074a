/* What BKZ with block size b reaches and costs. */
#ifndef VLDAA_PARAMS_COST_H
#define VLDAA_PARAMS_COST_H

/*
 * Natural logarithm of the root Hermite factor delta(b) = ((pi b)^(1/b) b / (2 pi e))^(1/(2(b-1))):
 * Chen's thesis (2013), as an asymptotic of Gama and Nguyen's measurements (EUROCRYPT 2008); meant
 * for b >= 50.
 */
double vldaa_cost_log_delta(double block);

/* Core-SVP, log2 of one call to a sieve in dimension b (ADPS16, section 6.2): classical (Becker,
 * Ducas, Gama, Laarhoven, SODA 2016) and quantum (Laarhoven's thesis, 2015). */
double vldaa_cost_classical(double block); /* 0.292 b */
double vldaa_cost_quantum(double block);   /* 0.265 b */

/* What lwe-estimator (Albrecht, Player, Scott, J. Math. Cryptol. 2015) calls BKZ.sieve: 8 D calls
 * in a lattice of dimension D, each 2^(0.292 b + 16.4). */
double vldaa_cost_bkz_sieve(double block, double dimension);

/* The smallest and largest block size that estimates try. */
enum { VLDAA_COST_BLOCK_MIN = 50, VLDAA_COST_BLOCK_MAX = 4000 };

#endif
