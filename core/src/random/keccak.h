/* The permutation Keccak-f[1600] (FIPS 202, section 3.3) on 25 lanes, lane[x + 5 y]. */
#ifndef VLDAA_KECCAK_H
#define VLDAA_KECCAK_H

#include <stdint.h>

void vldaa_keccak_f1600(uint64_t lane[25]);

/* Of four states at once: lane[i][k] is lane i of state k.  With AVX2 where the machine has it; the
 * same bits. */
void vldaa_keccak_f1600_x4(uint64_t lane[25][4]);

/* FIPS 202, algorithm 5 (rc) and algorithm 6 (iota). */
enum { VLDAA_KECCAK_ROUNDS = 24 };
extern const uint64_t vldaa_keccak_round_constant[VLDAA_KECCAK_ROUNDS];

#endif
