#include "tables/tables.h"

int vldaa_tables_generate(const char *directory)
{
	if (vldaa_table_ntt_generate(directory) != 0)
		return -1;
	if (vldaa_table_base_generate(directory) != 0)
		return -1;
	if (vldaa_table_fft_generate(directory) != 0)
		return -1;
	if (vldaa_table_mldsa_generate(directory) != 0)
		return -1;
	if (vldaa_table_ntru_generate(directory) != 0)
		return -1;
	return vldaa_table_cosine_generate(directory);
}
