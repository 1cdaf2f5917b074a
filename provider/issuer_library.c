#include "issuer_library.h"

#include "errors.h"
#include "ntru_loader.h"

int vldaa_prov_ntru_solver(const vldaa_prov *prov, vldaa_ntru_solver **solve)
{
	const char *reason = vldaa_ntru_load(solve, VLDAA_ISSUER_LIBRARY);

	if (reason == NULL)
		return 0;
	VLDAA_PROV_RAISE_TEXT(prov, VLDAA_PROV_ERR_ISSUER_LIBRARY, "%s", reason);
	return VLDAA_PROV_ERR_ISSUER_LIBRARY;
}
