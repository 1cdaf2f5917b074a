/* 128-bit integers: squared norms and inner products of responses (up to 2^110) need them. */
#ifndef VLDAA_WIDE_H
#define VLDAA_WIDE_H

#include <stdint.h>

__extension__ typedef __int128 vldaa_i128;
__extension__ typedef unsigned __int128 vldaa_u128;

#endif
