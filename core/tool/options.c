#include "options.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "places.h"

enum { MAX_PATH_TEXT = 128, HELP_COLUMN = 30, LINE = 96, MAX_WORD = 128 };

/* --- help --------------------------------------------------------------------------------------
 */

/* Appends a word to the usage line, which is continued below when it gets too long. */
static void print_word(FILE *file, const char *word, size_t *column)
{
	size_t len = strlen(word) + 1;

	if (*column + len > LINE) {
		fprintf(file, "\n          ");
		*column = 10;
	}
	fprintf(file, " %s", word);
	*column += len;
}

static void print_usage_line(FILE *file, const vldaa_command *command, const char *path)
{
	size_t column = strlen("usage: ") + strlen(path);
	char word[MAX_WORD];

	fprintf(file, "usage: %s", path);
	for (const vldaa_option *o = command->options; o && o->name; o++) {
		int required = (o->flags & VLDAA_OPTION_REQUIRED) != 0;

		(void)snprintf(word, sizeof word, "%s--%s%s%s%s%s", required ? "" : "[", o->name,
			       o->value ? " " : "", o->value ? o->value : "", required ? "" : "]",
			       (o->flags & VLDAA_OPTION_MANY) != 0 ? "..." : "");
		print_word(file, word, &column);
	}
	if (command->arguments && command->arguments[0])
		print_word(file, command->arguments, &column);
	fprintf(file, "\n");
}

/* Text whose further lines stand below its first one. */
static void print_help_text(const char *text)
{
	for (const char *p = text; *p; p++) {
		putchar(*p);
		if (*p == '\n')
			printf("  %*s", HELP_COLUMN, "");
	}
	putchar('\n');
}

static void print_option(const char *name, char letter, const char *value, const char *help)
{
	char text[128];

	(void)snprintf(text, sizeof text, "%c%c%s--%s%s%s", letter ? '-' : ' ',
		       letter ? letter : ' ', letter ? ", " : "  ", name, value ? " " : "",
		       value ? value : "");
	printf("  %-*s", HELP_COLUMN, text);
	if (strlen(text) >= HELP_COLUMN)
		printf("\n  %*s", HELP_COLUMN, "");
	print_help_text(help);
}

static void print_help(const vldaa_command *command, const char *path)
{
	print_usage_line(stdout, command, path);
	printf("\n%s.\n", command->summary);
	if (command->details)
		printf("\n%s\n", command->details);
	printf("\nOptions:\n");
	for (const vldaa_option *o = command->options; o && o->name; o++)
		print_option(o->name, o->letter, o->value, o->help);
	print_option("help", 'h', NULL, "this text");
	printf("\nExit status: %s.\n",
	       command->exit_status ? command->exit_status
				    : "0 done, 1 refused or invalid, 2 wrong usage, 3 failed");
}

static void print_group(FILE *file, const vldaa_command *group, const char *path)
{
	fprintf(file, "usage: %s COMMAND [--help] [argument...]\n\n%s.\n", path, group->summary);
	if (group->details)
		fprintf(file, "\n%s\n", group->details);
	fprintf(file, "\nCommands:\n");
	for (const vldaa_command *const *c = group->children; *c; c++) {
		if (!(*c)->hidden)
			fprintf(file, "  %-12s%s\n", (*c)->name, (*c)->summary);
	}
	fprintf(file, "\n`%s COMMAND --help` explains a command.\n", path);
}

/* --- parsing -----------------------------------------------------------------------------------
 */

int vldaa_usage(const vldaa_call *call, const char *format, ...)
{
	va_list arguments;

	fprintf(stderr, "%s: ", call->path);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fprintf(stderr, "\nTry `%s --help`.\n", call->path);
	return VLDAA_EXIT_USAGE;
}

const char *vldaa_call_each(const vldaa_call *call, int option, size_t *position)
{
	while (*position < call->given) {
		size_t i = (*position)++;

		if (call->given_option[i] == option)
			return call->given_value[i];
	}
	return NULL;
}

/* What parsing fills; all three arrays have argc entries. */
typedef struct {
	vldaa_call call;
	char **arguments;
	int *given_option;
	const char **given_value;
} parse;

int vldaa_usage_set(const vldaa_call *call, const char *name)
{
	const vldaa_set *set;

	fprintf(stderr, "%s: there is no parameter set %s, but", call->path, name);
	for (size_t i = 0; (set = vldaa_set_at(i)) != NULL; i++)
		fprintf(stderr, "%s %s", i ? "," : "", vldaa_set_name(set));
	fprintf(stderr, "\nTry `%s --help`.\n", call->path);
	return VLDAA_EXIT_USAGE;
}

/* The position of an option of this name (or letter) in the table; -1: there is none. */
static int find_option(const vldaa_command *command, const char *name, size_t len, char letter)
{
	int i = 0;

	for (const vldaa_option *o = command->options; o && o->name; o++, i++) {
		if (letter ? o->letter == letter
			   : strlen(o->name) == len && strncmp(o->name, name, len) == 0)
			return i;
	}
	return -1;
}

static int set_option(parse *p, int option, const char *value)
{
	const vldaa_option *o = &p->call.command->options[option];

	if (p->call.values[option] && o->value && (o->flags & VLDAA_OPTION_MANY) == 0)
		return vldaa_usage(&p->call, "--%s is given twice", o->name);
	p->call.values[option] = o->value ? value : o->name;
	p->given_option[p->call.given] = option;
	p->given_value[p->call.given++] = p->call.values[option];
	return VLDAA_EXIT_OK;
}

/* One option at argv[*i], with its value, which may be in the next argument. */
static int parse_option(parse *p, int argc, char **argv, int *i)
{
	const char *text = argv[*i];
	const char *value = NULL;
	const vldaa_option *o;
	int option;

	if (text[1] == '-') {
		const char *equals = strchr(text, '=');
		size_t len = equals ? (size_t)(equals - text) - 2 : strlen(text) - 2;

		option = find_option(p->call.command, text + 2, len, 0);
		value = equals ? equals + 1 : NULL;
	} else {
		option = find_option(p->call.command, NULL, 0, text[1]);
		value = text[2] ? text + 2 : NULL;
	}
	if (option < 0)
		return vldaa_usage(&p->call, "there is no option %s", text);
	o = &p->call.command->options[option];
	if (!o->value)
		return value ? vldaa_usage(&p->call, "--%s takes no value", o->name)
			     : set_option(p, option, NULL);
	if (!value) {
		if (*i + 1 >= argc)
			return vldaa_usage(&p->call, "--%s needs a value: %s", o->name, o->value);
		value = argv[++*i];
	}
	return set_option(p, option, value);
}

static int parse_all(parse *p, int argc, char **argv)
{
	const vldaa_command *command = p->call.command;
	int only_arguments = 0, i = 0;

	for (i = 1; i < argc; i++) {
		int status = VLDAA_EXIT_OK;

		/* "-" alone is standard input or output. */
		if (only_arguments || argv[i][0] != '-' || argv[i][1] == '\0')
			p->arguments[p->call.argc++] = argv[i];
		else if (strcmp(argv[i], "--") == 0)
			only_arguments = 1;
		else
			status = parse_option(p, argc, argv, &i);
		if (status != VLDAA_EXIT_OK)
			return status;
	}
	i = 0;
	for (const vldaa_option *o = command->options; o && o->name; o++, i++) {
		if ((o->flags & VLDAA_OPTION_REQUIRED) != 0 && !p->call.values[i])
			return vldaa_usage(&p->call, "--%s %s is missing", o->name, o->value);
	}
	if (p->call.argc < command->min_arguments)
		return vldaa_usage(&p->call, "an argument is missing: %s", command->arguments);
	if (command->max_arguments >= 0 && p->call.argc > command->max_arguments)
		return vldaa_usage(&p->call, "one argument too many: %s",
				   p->arguments[command->max_arguments]);
	return VLDAA_EXIT_OK;
}

/* --help anywhere before "--" wins over everything that may be wrong. */
static int wants_help(int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
			return 1;
	}
	return 0;
}

static int run_command(const vldaa_command *command, const char *path, int argc, char **argv)
{
	parse p;
	int status = VLDAA_EXIT_FAILED;

	if (wants_help(argc, argv)) {
		print_help(command, path);
		return VLDAA_EXIT_OK;
	}
	memset(&p, 0, sizeof p);
	p.call.command = command;
	p.call.path = path;
	p.arguments = calloc((size_t)argc, sizeof *p.arguments);
	p.given_option = calloc((size_t)argc, sizeof *p.given_option);
	p.given_value = calloc((size_t)argc, sizeof *p.given_value);
	if (!p.arguments || !p.given_option || !p.given_value) {
		vldaa_report(NULL, VLDAA_ERR_MEMORY);
	} else {
		status = parse_all(&p, argc, argv);
		if (status == VLDAA_EXIT_OK) {
			p.call.argv = p.arguments;
			p.call.given_option = p.given_option;
			p.call.given_value = p.given_value;
			status = vldaa_places_check(&p.call);
			if (status == VLDAA_EXIT_OK)
				status = command->run(&p.call);
		}
	}
	free(p.arguments);
	free(p.given_option);
	free(p.given_value);
	return status;
}

int vldaa_command_run(const vldaa_command *group, const char *path, int argc, char **argv)
{
	char longer[MAX_PATH_TEXT];

	if (argc < 2) {
		print_group(stderr, group, path);
		return VLDAA_EXIT_USAGE;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
	    strcmp(argv[1], "help") == 0) {
		print_group(stdout, group, path);
		return VLDAA_EXIT_OK;
	}
	for (const vldaa_command *const *c = group->children; *c; c++) {
		if (strcmp(argv[1], (*c)->name) != 0)
			continue;
		(void)snprintf(longer, sizeof longer, "%s %s", path, (*c)->name);
		return (*c)->children ? vldaa_command_run(*c, longer, argc - 1, argv + 1)
				      : run_command(*c, longer, argc - 1, argv + 1);
	}
	fprintf(stderr, "%s: there is no command %s\nTry `%s --help`.\n", path, argv[1], path);
	return VLDAA_EXIT_USAGE;
}
