/*
 * libvldaa-issuer's vldaa_ntru_solve, loaded when an issuer's key is made and not before: with it
 * come FLINT and GMP, which who signs and who verifies shall not have in their processes.
 */
#ifndef VLDAA_NTRU_LOADER_H
#define VLDAA_NTRU_LOADER_H

#include "vldaa/issuer.h"

/*
 * What vldaa_issuer_keygen wants for a set whose pseudonyms are ML-DSA keys (vldaa_set_bare_size is
 * not 0): they go with credentials that are NTRU preimages.
 *
 * library is found where the caller's own RUNPATH leads, or as the system finds libraries; it stays
 * loaded, as it is linked so.  Returns NULL; or why there is no solver, in words that are good until
 * this thread loads something else.  *solve is NULL then.
 */
const char *vldaa_ntru_load(vldaa_ntru_solver **solve, const char *library);

#endif
