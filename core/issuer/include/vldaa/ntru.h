/*
 * The NTRU equation, which the issuer key of a one-shot set needs: a solver for vldaa_issuer_keygen
 * on FLINT's integers.  Only issuers load FLINT.
 */
#ifndef VLDAA_NTRU_H
#define VLDAA_NTRU_H

#include <stdint.h>

#include "vldaa/error.h"

/*
 * F, G with f G - g F = p over Z[X]/(X^N+1), N = 2^log_n, log_n <= 10, reduced against f, g; |f|, |g| < 2^30.
 * A function of its arguments alone.  VLDAA_ERR_KEY, with F and G zeroed, when there is no solution or it does
 * not fit 32 bits.
 *
 * From the first call on, all memory that FLINT and GMP release in this process is zeroed; as both libraries
 * ask, no other thread should be inside them during that first call.
 */
VLDAA_API int vldaa_ntru_solve(int64_t *F, int64_t *G, const int64_t *f, const int64_t *g,
			       unsigned log_n, uint32_t p);

#endif
