#include "command/command.h"

#include <stdio.h>
#include <string.h>

static const vldaa_subcommand *const commands[] = {
    &vldaa_command_list,   &vldaa_command_show,     &vldaa_command_check,
    &vldaa_command_search, &vldaa_command_generate,
};
enum { COMMANDS = sizeof(commands) / sizeof(commands[0]) };

static void print_help(FILE *file)
{
	fprintf(
	    file,
	    "usage: vldaa-params COMMAND [--help] [argument...]\n\n"
	    "Parameter sets of V-LDAA: what they are, what follows from them, what they give.\n\n");
	for (int i = 0; i < COMMANDS; i++) {
		char text[64];
		snprintf(text, sizeof(text), "%s %s", commands[i]->name, commands[i]->arguments);
		fprintf(file, "  %-20s%s\n", text, commands[i]->summary);
	}
	fprintf(
	    file,
	    "\nExit status: 0 done, 1 a check says no, 2 wrong arguments, 3 something failed.\n");
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		print_help(stderr);
		return VLDAA_EXIT_USAGE;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
	    strcmp(argv[1], "help") == 0) {
		print_help(stdout);
		return VLDAA_EXIT_OK;
	}
	if (strcmp(argv[1], "--version") == 0) {
		printf("vldaa-params %s\n", VLDAA_VERSION);
		return VLDAA_EXIT_OK;
	}
	for (int i = 0; i < COMMANDS; i++)
		if (strcmp(argv[1], commands[i]->name) == 0)
			return commands[i]->run(argc - 1, argv + 1);
	fprintf(stderr, "vldaa-params: there is no command %s\nTry `vldaa-params --help`.\n",
		argv[1]);
	return VLDAA_EXIT_USAGE;
}
