/*
 * libvldaa-issuer, loaded when an issuer's key is generated and not before: it brings FLINT, which
 * who signs and who verifies never loads.
 */
#ifndef VLDAA_PROVIDER_ISSUER_LIBRARY_H
#define VLDAA_PROVIDER_ISSUER_LIBRARY_H

#include "provider.h"
#include "vldaa/issuer.h"

/* The solver of the NTRU equation.  0, or VLDAA_PROV_ERR_ISSUER_LIBRARY, which has been raised with
 * the reason. */
int vldaa_prov_ntru_solver(const vldaa_prov *prov, vldaa_ntru_solver **solve);

#endif
