/* Uniform polynomials of R_q (public) and ternary ones (secret). */
#include "sampler/uniform.h"

#include "random/secret.h"

enum { CHUNK = 128 };

/*
 * The stream is read byte by byte as far as its effect goes: a chunk is never longer than what the
 * missing coefficients need at least.
 */
void vldaa_uniform_vartime(const vldaa_ring *r, int64_t *out, vldaa_shake *stream)
{
	const uint64_t q = (uint64_t)r->q;
	const uint64_t mask = (UINT64_C(1) << r->q_bits) - 1;
	uint8_t bytes[CHUNK];
	uint64_t pool = 0; /* bits read and not used yet, fewer than q_bits between chunks */
	uint32_t bits = 0;
	uint32_t done = 0;

	while (done < r->d) {
		const uint64_t missing = (uint64_t)(r->d - done) * r->q_bits - bits;
		const size_t len = missing < 8 * CHUNK ? (size_t)(missing + 7) / 8 : CHUNK;

		vldaa_shake_squeeze(stream, bytes, len);
		for (size_t i = 0; i < len; i++) {
			pool |= (uint64_t)bytes[i] << bits;
			bits += 8;
			while (bits >= r->q_bits && done < r->d) {
				const uint64_t x = pool & mask;

				pool >>= r->q_bits;
				bits -= r->q_bits;
				if (x < q)
					out[done++] = (int64_t)x - (x > q / 2 ? r->q : 0);
			}
		}
	}
}

/* byte / 3 for byte < 256, by multiplication: a division may take variable time. */
static uint32_t third(uint32_t byte)
{
	return byte * 171 >> 9;
}

/*
 * The stream: a byte below 243 = 3^5 gives five digits, the least significant first, digit 0, 1, 2
 * for -1, 0, 1; other bytes are skipped; digits left over at the end are dropped.
 */
void vldaa_ternary(int64_t *out, size_t n, vldaa_rng *rng)
{
	uint8_t bytes[CHUNK];
	uint8_t keep[CHUNK];

	while (n > 0) {
		const size_t len = n < 5 * CHUNK ? (n + 4) / 5 : CHUNK;

		vldaa_rng_bytes(rng, bytes, len);
		for (size_t i = 0; i < len; i++)
			keep[i] = (uint8_t)((bytes[i] - 243u) >> 31);
		vldaa_secret_declassify(keep, len,
					"which bytes are skipped says nothing about the others");
		for (size_t i = 0; i < len; i++) {
			uint32_t byte = bytes[i];

			if (!keep[i])
				continue;
			for (int digit = 0; digit < 5 && n > 0; digit++, n--) {
				*out++ = (int64_t)(byte - 3 * third(byte)) - 1;
				byte = third(byte);
			}
		}
	}
	vldaa_wipe(bytes, sizeof bytes);
}
