/* The vldaa-params command: subcommands, options, exit status. */
#ifndef VLDAA_PARAMS_COMMAND_H
#define VLDAA_PARAMS_COMMAND_H

enum {
	VLDAA_EXIT_OK = 0,
	VLDAA_EXIT_NO = 1,     /* a check says no, a search finds nothing */
	VLDAA_EXIT_USAGE = 2,  /* wrong arguments */
	VLDAA_EXIT_FAILED = 3, /* something could not be done, such as writing a file */
};

enum { VLDAA_MAX_OPTIONS = 8 };

/* An option of a subcommand, "--name" or "--name VALUE". */
typedef struct {
	const char *name;  /* without the dashes; NULL ends the list */
	const char *value; /* what the value is called in help; NULL: takes none */
	const char *help;
	const char **out; /* gets the value, or the option's name when it takes none */
} vldaa_option;

typedef struct {
	const char *name;
	const char *arguments; /* "SET", "[SET...]" */
	const char *summary;   /* one line */
	const char *details;   /* for --help, ends with a newline; NULL: nothing */
	/* argv[0] is the subcommand's name. */
	int (*run)(int argc, char **argv);
} vldaa_subcommand;

extern const vldaa_subcommand vldaa_command_list;
extern const vldaa_subcommand vldaa_command_show;
extern const vldaa_subcommand vldaa_command_check;
extern const vldaa_subcommand vldaa_command_search;
extern const vldaa_subcommand vldaa_command_generate;

/*
 * Moves options out of argv; what stays in argv[1..*argc-1] are the other arguments.  -1: go on;
 * otherwise the exit status (help was asked for, or the arguments are wrong, which it has said).
 */
int vldaa_options_parse(const vldaa_subcommand *command, const vldaa_option *options, int *argc,
			char **argv);

/* Says what is wrong and how to get help; returns VLDAA_EXIT_USAGE. */
int vldaa_usage_error(const vldaa_subcommand *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
