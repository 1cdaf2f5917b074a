/* One operation's randomness: SHAKE-256 over separator, set and seed (rng.h). */
#include "random/rng.h"

#include "random/bytes.h"
#include "random/hash.h"
#include "random/secret.h"

void vldaa_rng_init(vldaa_rng *rng, const uint8_t seed[VLDAA_SEED_BYTES], uint32_t set_id)
{
	vldaa_hash_init(&rng->shake, VLDAA_SHAKE256_RATE, VLDAA_DOMAIN_RNG, set_id);
	vldaa_hash_part(&rng->shake, seed, VLDAA_SEED_BYTES);
}

void vldaa_rng_bind(vldaa_rng *rng, const void *part, size_t len)
{
	vldaa_hash_part(&rng->shake, part, len);
}

void vldaa_rng_bytes(vldaa_rng *rng, void *out, size_t len)
{
	vldaa_shake_squeeze(&rng->shake, out, len);
}

uint64_t vldaa_rng_u64(vldaa_rng *rng)
{
	uint8_t bytes[8];

	vldaa_shake_squeeze(&rng->shake, bytes, sizeof bytes);
	const uint64_t word = vldaa_load64(bytes);
	vldaa_wipe(bytes, sizeof bytes);
	return word;
}

void vldaa_rng_clear(vldaa_rng *rng)
{
	vldaa_wipe(rng, sizeof *rng);
}
