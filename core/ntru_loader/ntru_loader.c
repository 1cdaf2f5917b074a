#include "ntru_loader.h"

#include <dlfcn.h>
#include <string.h>

const char *vldaa_ntru_load(vldaa_ntru_solver **solve, const char *library)
{
	void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
	void *symbol = handle != NULL ? dlsym(handle, "vldaa_ntru_solve") : NULL;

	*solve = NULL;
	if (symbol == NULL) {
		/* Another library by that name stays: closing it might take the reason away. */
		const char *reason = dlerror();

		return reason != NULL ? reason : library;
	}
	/* POSIX has it that a pointer to a function fits a pointer to void; C does not. */
	memcpy(solve, &symbol, sizeof *solve);
	return NULL;
}
