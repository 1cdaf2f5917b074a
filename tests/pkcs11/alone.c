/* A module as it is where libvldaa-issuer is not installed; the linker wraps the function. */
#include "ntru_loader.h"

const char *__real_vldaa_ntru_load(vldaa_ntru_solver **solve, const char *library);
const char *__wrap_vldaa_ntru_load(vldaa_ntru_solver **solve, const char *library);

const char *__wrap_vldaa_ntru_load(vldaa_ntru_solver **solve, const char *library)
{
	(void)library;
	return __real_vldaa_ntru_load(solve, "libvldaa-absent.so.0");
}
