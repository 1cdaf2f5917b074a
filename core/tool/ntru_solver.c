#include "ntru_solver.h"

#include <dlfcn.h>
#include <string.h>

#include "report.h"

int vldaa_ntru_solver_for(const vldaa_set *set, vldaa_ntru_solver **solve)
{
	void *library, *symbol;

	*solve = NULL;
	/* Pseudonyms that are ML-DSA keys go with credentials that are NTRU preimages. */
	if (vldaa_set_bare_size(set) == 0)
		return VLDAA_OK;
	/* Found where it was installed or built, or as the system finds libraries; never unloaded, as it is linked so. */
	library = dlopen(VLDAA_ISSUER_LIBRARY, RTLD_NOW | RTLD_LOCAL);
	symbol = library ? dlsym(library, "vldaa_ntru_solve") : NULL;
	if (!symbol) {
		const char *reason = dlerror();

		vldaa_say("keys of %s are made with " VLDAA_ISSUER_LIBRARY
			  ", which cannot be loaded; install it beside this command's other "
			  "libraries (%s)",
			  vldaa_set_name(set), reason ? reason : "no reason given");
		return VLDAA_SAID;
	}
	/* POSIX has it that a pointer to a function fits a pointer to void; C does not. */
	memcpy(solve, &symbol, sizeof *solve);
	return VLDAA_OK;
}
