/* See source.h.  The TPM uses this too: no libcrypto here, see system_source.c. */
#include "role/source.h"

#include "random/secret.h"
#include "scheme/scheme.h"

int vldaa_source_start(const vldaa_source *source, vldaa_rng *rng, const vldaa_set *set,
		       enum vldaa_operation operation, vldaa_bytes secret, vldaa_bytes input)
{
	const uint8_t op = (uint8_t)operation;
	uint8_t seed[VLDAA_SEED_BYTES] = {0};

	if (source->random(source->ctx, seed, sizeof seed)) {
		vldaa_wipe(seed, sizeof seed);
		return VLDAA_ERR_RANDOM;
	}
	vldaa_secret_mark(seed, sizeof seed);
	vldaa_rng_init(rng, seed, vldaa_set_id(set));
	vldaa_rng_bind(rng, &op, 1);
	vldaa_rng_bind(rng, secret.bytes, secret.len);
	vldaa_rng_bind(rng, input.bytes, input.len);
	vldaa_wipe(seed, sizeof seed);
	return VLDAA_OK;
}
