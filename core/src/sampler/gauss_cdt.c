/* Small Gaussians from a cumulative table (gauss.h): e_T0, e_H0 and the pseudonyms' errors. */
#include "sampler/gauss.h"

#include "random/bytes.h"
#include "random/secret.h"

enum { BATCH = 32 };

/* Constant time: the whole table is read; both sides are below 2^63, so bit 63 of the difference is
 * the comparison. */
static int64_t sample(const vldaa_cdt *table, uint64_t word)
{
	const uint64_t r = word & (UINT64_MAX >> 1);
	const uint64_t negative = (uint64_t)0 - (word >> 63);
	uint64_t x = 0;

	for (uint32_t i = 0; i < table->len; i++)
		x += (r - table->cdt[i]) >> 63;
	return (int64_t)((x ^ negative) - negative);
}

/* Reads 8 n bytes of the stream, in the samples' order. */
void vldaa_cdt_sample(int64_t *out, size_t n, const vldaa_cdt *table, vldaa_rng *rng)
{
	uint8_t bytes[8 * BATCH];

	while (n > 0) {
		const size_t m = n < BATCH ? n : BATCH;

		vldaa_rng_bytes(rng, bytes, 8 * m);
		for (size_t i = 0; i < m; i++)
			out[i] = sample(table, vldaa_load64(bytes + 8 * i));
		out += m;
		n -= m;
	}
	vldaa_wipe(bytes, sizeof bytes);
}
