/* The core's tables that belong to no parameter set. */
#ifndef VLDAA_PARAMS_TABLES_H
#define VLDAA_PARAMS_TABLES_H

/* Each writes one file below the root of a source tree.  0, or -1 with errno. */
int vldaa_table_ntt_generate(const char *directory);   /* core/src/ring/gen_ntt.c */
int vldaa_table_base_generate(const char *directory);  /* core/src/sampler/gen_base.c */
int vldaa_table_fft_generate(const char *directory);   /* core/src/sampler/gen_fft.c */
int vldaa_table_mldsa_generate(const char *directory); /* core/src/mldsa/gen_zetas.c */
int vldaa_table_ntru_generate(const char *directory);  /* core/src/sampler/gen_ntru.c */

/* All of them. */
int vldaa_tables_generate(const char *directory);

#endif
