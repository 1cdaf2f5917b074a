/* The NTRU solver (ntru_loader.h), for an issuer's key that wants one. */
#ifndef VLDAA_TOOL_NTRU_SOLVER_H
#define VLDAA_TOOL_NTRU_SOLVER_H

#include "vldaa/issuer.h"

/* What vldaa_issuer_keygen wants for the set: NULL for one that needs none.  VLDAA_OK, or VLDAA_SAID when there is no such
 * library. */
int vldaa_ntru_solver_for(const vldaa_set *set, vldaa_ntru_solver **solve);

#endif
