/* The NTRU equation, on FLINT's integers: issuers only. */
#ifndef VLDAA_NTRU_SOLVE_H
#define VLDAA_NTRU_SOLVE_H

#include <stdint.h>

/*
 * F, G with f G - g F = p over Z[X]/(X^N+1), N = 2^log_n, log_n <= 10, reduced against f, g: a
 * vldaa_ntru_solver, see sampler/ntru_key.h.  |f|, |g| < 2^30.  A function of its arguments alone,
 * whatever the machine and the versions of the libraries.  Variable time.  VLDAA_ERR_KEY, with F
 * and G zeroed, when the equation has no solution or F, G do not fit 32 bits.
 *
 * All that FLINT and GMP release, from here on, is zeroed (ntru_memory.h), and FLINT's cache of
 * this thread is emptied at the end.
 */
int vldaa_ntru_solve(int64_t *F, int64_t *G, const int64_t *f, const int64_t *g, unsigned log_n,
		     uint32_t p);

#endif
