/* The permutation Keccak-f[1600] (FIPS 202, section 3.3) on 25 lanes, lane[x + 5 y]. */
#ifndef VLDAA_KECCAK_H
#define VLDAA_KECCAK_H

#include <stdint.h>

void vldaa_keccak_f1600(uint64_t lane[25]);

#endif
