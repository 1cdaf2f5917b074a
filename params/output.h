/* Generated files: a banner, then C that clang-format leaves alone. */
#ifndef VLDAA_PARAMS_OUTPUT_H
#define VLDAA_PARAMS_OUTPUT_H

#include <flint/flint.h>
#include <flint/fmpz.h>
#include <stdint.h>
#include <stdio.h>

/* Opens directory/name (parents are made) and writes the banner.  NULL with errno. */
FILE *vldaa_output_open(const char *directory, const char *name, const char *contents);
/* 0, or -1 with errno when anything was not written. */
int vldaa_output_close(FILE *file);

/* "UINT64_C(0x...)", so many a line. */
void vldaa_output_u64_table(FILE *file, const char *name, const uint64_t *values, uint32_t count);
/* A hexadecimal floating constant, exactly the double. */
void vldaa_output_double(FILE *file, double value);

#endif
