#include "issuer_library.h"

#include <dlfcn.h>
#include <string.h>

#include "errors.h"

int vldaa_prov_ntru_solver(const vldaa_prov *prov, vldaa_ntru_solver **solve)
{
	/* Found beside this module as it was installed, or as the system finds libraries.  It stays
	 * loaded: it is linked so. */
	void *library = dlopen(VLDAA_ISSUER_LIBRARY, RTLD_NOW | RTLD_LOCAL);
	void *symbol = library != NULL ? dlsym(library, "vldaa_ntru_solve") : NULL;

	if (symbol == NULL) {
		const char *reason = dlerror();

		VLDAA_PROV_RAISE_TEXT(prov, VLDAA_PROV_ERR_ISSUER_LIBRARY, "%s",
				      reason != NULL ? reason : VLDAA_ISSUER_LIBRARY);
		if (library != NULL)
			(void)dlclose(library);
		return VLDAA_PROV_ERR_ISSUER_LIBRARY;
	}
	/* POSIX has it that a pointer to a function fits a pointer to void; C does not. */
	memcpy(solve, &symbol, sizeof *solve);
	return 0;
}
