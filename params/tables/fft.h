/* The roots of unity of core's Fourier transform (core/src/sampler/fft.h). */
#ifndef VLDAA_PARAMS_FFT_TABLE_H
#define VLDAA_PARAMS_FFT_TABLE_H

/* Writes core/src/sampler/gen_fft.c below a directory.  0, or -1 with errno. */
int vldaa_table_fft_generate(const char *directory);

#endif
