/* Randomness from libcrypto, for everybody but the TPM. */
#include "role/evp.h"
#include "role/source.h"

static int from_libcrypto(void *ctx, uint8_t *out, size_t len)
{
	(void)ctx;
	return vldaa_evp_random(out, len);
}

vldaa_source vldaa_system_source(void)
{
	return (vldaa_source){from_libcrypto, NULL};
}
