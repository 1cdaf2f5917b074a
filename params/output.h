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

/* The elements of an array, one level of indentation in, some a line: "UINT64_C(0x...)", or
 * decimal. */
void vldaa_output_u64_elements(FILE *file, const uint64_t *values, uint32_t count);
void vldaa_output_u32_elements(FILE *file, const char *indent, const uint32_t *values,
			       uint32_t count);
/* A hexadecimal floating constant, exactly the double. */
void vldaa_output_double(FILE *file, double value);

#endif
