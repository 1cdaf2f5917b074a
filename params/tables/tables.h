/* The core's tables that belong to no parameter set. */
#ifndef VLDAA_PARAMS_TABLES_H
#define VLDAA_PARAMS_TABLES_H

#include <stdint.h>

/* Each writes one file below the root of a source tree.  0, or -1 with errno. */
int vldaa_table_ntt_generate(const char *directory);    /* core/src/ring/gen_ntt.c */
int vldaa_table_base_generate(const char *directory);   /* core/src/sampler/gen_base.c */
int vldaa_table_fft_generate(const char *directory);    /* core/src/sampler/gen_fft.c */
int vldaa_table_mldsa_generate(const char *directory);  /* core/src/mldsa/gen_zetas.c */
int vldaa_table_ntru_generate(const char *directory);   /* core/src/sampler/gen_ntru.c */
int vldaa_table_cosine_generate(const char *directory); /* core/src/proof/gen_cosine.c */

/* round(2^30 cos(pi k / 64)), k = 0..32. */
enum { VLDAA_TABLE_COSINES = 33 };
void vldaa_table_cosines(int32_t out[VLDAA_TABLE_COSINES]);

/* All of them. */
int vldaa_tables_generate(const char *directory);

#endif
