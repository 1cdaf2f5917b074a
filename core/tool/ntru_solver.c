#include "ntru_solver.h"

#include "ntru_loader.h"
#include "report.h"

int vldaa_ntru_solver_for(const vldaa_set *set, vldaa_ntru_solver **solve)
{
	const char *reason;

	*solve = NULL;
	if (vldaa_set_bare_size(set) == 0)
		return VLDAA_OK;
	reason = vldaa_ntru_load(solve, VLDAA_ISSUER_LIBRARY);
	if (!reason)
		return VLDAA_OK;
	vldaa_say("keys of %s are made with " VLDAA_ISSUER_LIBRARY
		  ", which cannot be loaded; install it beside this command's other "
		  "libraries (%s)",
		  vldaa_set_name(set), reason);
	return VLDAA_SAID;
}
