#include "published/published.h"
#include "tables/fft.h"

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], "generate") == 0)
		return vldaa_published_generate(argv[2]) == 0 &&
			       vldaa_table_fft_generate(argv[2]) == 0
			   ? 0
			   : 3;
	fprintf(stderr, "usage: vldaa-params generate DIR\n");
	return 2;
}
