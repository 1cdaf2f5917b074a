#include "command/command.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int vldaa_usage_error(const vldaa_subcommand *command, const char *format, ...)
{
	va_list arguments;
	fprintf(stderr, "vldaa-params %s: ", command->name);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fprintf(stderr, "\nTry `vldaa-params %s --help`.\n", command->name);
	return VLDAA_EXIT_USAGE;
}

static void print_help(const vldaa_subcommand *command, const vldaa_option *options)
{
	printf("usage: vldaa-params %s", command->name);
	for (const vldaa_option *option = options; option->name != NULL; option++)
		printf(" [--%s%s%s]", option->name, option->value != NULL ? " " : "",
		       option->value != NULL ? option->value : "");
	printf("%s%s\n\n%s\n", command->arguments[0] != '\0' ? " " : "", command->arguments,
	       command->summary);
	if (command->details != NULL)
		printf("%s", command->details);
	printf("\n");
	for (const vldaa_option *option = options; option->name != NULL; option++) {
		char text[64];
		snprintf(text, sizeof(text), "--%s%s%s", option->name,
			 option->value != NULL ? " " : "",
			 option->value != NULL ? option->value : "");
		printf("  %-28s%s\n", text, option->help);
	}
	printf("  %-28s%s\n", "--help", "this text");
}

static const vldaa_option *find(const vldaa_option *options, const char *name, size_t len)
{
	for (; options->name != NULL; options++)
		if (strlen(options->name) == len && strncmp(options->name, name, len) == 0)
			return options;
	return NULL;
}

int vldaa_options_parse(const vldaa_subcommand *command, const vldaa_option *options, int *argc,
			char **argv)
{
	int kept = 1;
	int only_arguments = 0;
	for (int i = 1; i < *argc; i++) {
		char *argument = argv[i];
		if (only_arguments || argument[0] != '-' || argument[1] == '\0') {
			argv[kept++] = argument;
			continue;
		}
		if (strcmp(argument, "--") == 0) {
			only_arguments = 1;
			continue;
		}
		if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0) {
			print_help(command, options);
			return VLDAA_EXIT_OK;
		}
		if (strncmp(argument, "--", 2) != 0)
			return vldaa_usage_error(command, "there is no option %s", argument);
		const char *equals = strchr(argument, '=');
		size_t len =
		    equals != NULL ? (size_t)(equals - argument) - 2 : strlen(argument) - 2;
		const vldaa_option *option = find(options, argument + 2, len);
		if (option == NULL)
			return vldaa_usage_error(command, "there is no option %s", argument);
		if (option->value == NULL) {
			if (equals != NULL)
				return vldaa_usage_error(command, "--%s takes no value",
							 option->name);
			*option->out = option->name;
		} else if (equals != NULL) {
			*option->out = equals + 1;
		} else if (i + 1 < *argc) {
			*option->out = argv[++i];
		} else {
			return vldaa_usage_error(command, "--%s needs a value", option->name);
		}
	}
	*argc = kept;
	return -1;
}
