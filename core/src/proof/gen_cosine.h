/* The cosines of the one-shot challenge set's operator norm: see gen_cosine.c. */
#ifndef VLDAA_GEN_COSINE_H
#define VLDAA_GEN_COSINE_H

#include <stdint.h>

extern const int32_t vldaa_os_cosine[33];

#endif
