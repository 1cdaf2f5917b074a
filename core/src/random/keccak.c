/*
 * Keccak-f[1600] in portable C: the round is written out once, from one set of 25 local lanes into
 * another, and applied twice per loop pass so that no lane is ever copied.  No table lookups and no
 * branches on the state.
 */
#include "random/keccak.h"

/* test_shake recomputes them from the LFSR. */
const uint64_t vldaa_keccak_round_constant[VLDAA_KECCAK_ROUNDS] = {
    0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000,
    0x000000000000808b, 0x0000000080000001, 0x8000000080008081, 0x8000000000008009,
    0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
    0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003,
    0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
    0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008};

/* 0 < n < 64. */
static inline uint64_t rotl(uint64_t x, unsigned n)
{
	return x << n | x >> (64 - n);
}

/* Chi on one row (FIPS 202, section 3.2.4). */
static inline void chi(uint64_t row[5], uint64_t b0, uint64_t b1, uint64_t b2, uint64_t b3,
		       uint64_t b4)
{
	row[0] = b0 ^ (~b1 & b2);
	row[1] = b1 ^ (~b2 & b3);
	row[2] = b2 ^ (~b3 & b4);
	row[3] = b3 ^ (~b4 & b0);
	row[4] = b4 ^ (~b0 & b1);
}

/*
 * One round: theta is the xor of d[x], rho the rotations (FIPS 202, table 2, modulo 64), pi the
 * choice of lanes: row y of the result takes lane (x', y') with y' = x and 2 x' + 3 y' = y
 * modulo 5.
 */
static inline void keccak_round(uint64_t out[25], const uint64_t in[25], uint64_t constant)
{
	const uint64_t c0 = in[0] ^ in[5] ^ in[10] ^ in[15] ^ in[20];
	const uint64_t c1 = in[1] ^ in[6] ^ in[11] ^ in[16] ^ in[21];
	const uint64_t c2 = in[2] ^ in[7] ^ in[12] ^ in[17] ^ in[22];
	const uint64_t c3 = in[3] ^ in[8] ^ in[13] ^ in[18] ^ in[23];
	const uint64_t c4 = in[4] ^ in[9] ^ in[14] ^ in[19] ^ in[24];
	const uint64_t d0 = c4 ^ rotl(c1, 1);
	const uint64_t d1 = c0 ^ rotl(c2, 1);
	const uint64_t d2 = c1 ^ rotl(c3, 1);
	const uint64_t d3 = c2 ^ rotl(c4, 1);
	const uint64_t d4 = c3 ^ rotl(c0, 1);

	chi(out, in[0] ^ d0, rotl(in[6] ^ d1, 44), rotl(in[12] ^ d2, 43), rotl(in[18] ^ d3, 21),
	    rotl(in[24] ^ d4, 14));
	chi(out + 5, rotl(in[3] ^ d3, 28), rotl(in[9] ^ d4, 20), rotl(in[10] ^ d0, 3),
	    rotl(in[16] ^ d1, 45), rotl(in[22] ^ d2, 61));
	chi(out + 10, rotl(in[1] ^ d1, 1), rotl(in[7] ^ d2, 6), rotl(in[13] ^ d3, 25),
	    rotl(in[19] ^ d4, 8), rotl(in[20] ^ d0, 18));
	chi(out + 15, rotl(in[4] ^ d4, 27), rotl(in[5] ^ d0, 36), rotl(in[11] ^ d1, 10),
	    rotl(in[17] ^ d2, 15), rotl(in[23] ^ d3, 56));
	chi(out + 20, rotl(in[2] ^ d2, 62), rotl(in[8] ^ d3, 55), rotl(in[14] ^ d4, 39),
	    rotl(in[15] ^ d0, 41), rotl(in[21] ^ d1, 2));
	out[0] ^= constant;
}

void vldaa_keccak_f1600(uint64_t lane[25])
{
	uint64_t a[25];
	uint64_t b[25];

	for (int i = 0; i < 25; i++)
		a[i] = lane[i];
	for (int i = 0; i < VLDAA_KECCAK_ROUNDS; i += 2) {
		keccak_round(b, a, vldaa_keccak_round_constant[i]);
		keccak_round(a, b, vldaa_keccak_round_constant[i + 1]);
	}
	for (int i = 0; i < 25; i++)
		lane[i] = a[i];
}
