#include "command/command.h"
#include "family.h"
#include "tables/tables.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static int run_generate(int argc, char **argv)
{
	static const vldaa_option options[] = {{NULL, NULL, NULL, NULL}};
	int status = vldaa_options_parse(&vldaa_command_generate, options, &argc, argv);
	if (status >= 0)
		return status;
	if (argc != 2)
		return vldaa_usage_error(&vldaa_command_generate, "names one directory");
	int failed = vldaa_tables_generate(argv[1]);
	for (uint32_t f = 0; f < vldaa_family_count && !failed; f++)
		failed = vldaa_families[f]->generate(argv[1]);
	if (!failed)
		return VLDAA_EXIT_OK;
	fprintf(stderr, "vldaa-params: cannot write below %s: %s\n", argv[1], strerror(errno));
	return VLDAA_EXIT_FAILED;
}

const vldaa_subcommand vldaa_command_generate = {
    .name = "generate",
    .arguments = "DIR",
    .summary = "Write the core's generated tables below DIR, the root of a source tree.",
    .run = run_generate,
};
