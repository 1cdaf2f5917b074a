/*
 * Commands and their options, declared as tables: parsing and --help come from the same table.
 */
#ifndef VLDAA_TOOL_OPTIONS_H
#define VLDAA_TOOL_OPTIONS_H

#include <stddef.h>

#include "report.h"

enum { VLDAA_MAX_OPTIONS = 16 };

enum vldaa_option_flags {
	VLDAA_OPTION_REQUIRED = 1,
	VLDAA_OPTION_MANY = 2,   /* may be given several times: see vldaa_call_each */
	VLDAA_OPTION_INPUT = 4,  /* its value is a file that is read */
	VLDAA_OPTION_OUTPUT = 8, /* its value is a file that is written, or a directory of such */
};

/* What an argument is: the letters of vldaa_command's argument_kinds. */
enum vldaa_argument_kind {
	VLDAA_ARGUMENT_DIRECTORY = 'D', /* a role's directory */
	VLDAA_ARGUMENT_MEMBER = 'M',    /* a member's directory, with which its TPM's belongs */
	VLDAA_ARGUMENT_INPUT = 'I',     /* a file that is read */
	VLDAA_ARGUMENT_OUTPUT = 'O'     /* a file that is written */
};

/* "--name VALUE" (or "--name=VALUE", or "-o VALUE"), or a switch "--name". */
typedef struct {
	const char *name;  /* without the dashes; NULL ends the table */
	char letter;       /* short form, or 0 */
	const char *value; /* what help calls the value; NULL: a switch, which takes none */
	const char *help;  /* one line, or several with \n */
	unsigned flags;
} vldaa_option;

typedef struct vldaa_command vldaa_command;

/* One call of a command, parsed. */
typedef struct {
	const vldaa_command *command;
	const char *path; /* how it was called: "vldaa issuer init" */
	int argc;         /* arguments that are no options */
	char **argv;
	/* By position in the table of options: the value that was given last, the option's name for
	 * a switch, NULL when it was not given. */
	const char *values[VLDAA_MAX_OPTIONS];
	/* The command line, for options that are given several times. */
	const int *given_option;
	const char *const *given_value;
	size_t given;
} vldaa_call;

/* Either a group (children) or something to run. */
struct vldaa_command {
	const char *name;
	const char *summary;                  /* one line */
	const vldaa_command *const *children; /* ends with NULL; NULL: not a group */
	const char *arguments;                /* "DIR REQUEST..." */
	const char *argument_kinds;           /* a letter each, the last for all further ones */
	int min_arguments;
	int max_arguments;   /* negative: any number */
	const char *details; /* text of --help below the summary, with an example; or NULL */
	const vldaa_option *options; /* or NULL */
	const char *exit_status;     /* what --help says of it; NULL: as for most */
	/* Returns the exit status, having said why it is not 0. */
	int (*run)(const vldaa_call *call);
	int hidden; /* not in the lists of commands */
};

/* Finds the command that argv names below this group and runs it.  Returns the exit status. */
int vldaa_command_run(const vldaa_command *group, const char *path, int argc, char **argv);

/* The next value of an option that is given several times; *position starts at 0; NULL: no more. */
const char *vldaa_call_each(const vldaa_call *call, int option, size_t *position);

/* That there is no set of this name, and which there are; returns VLDAA_EXIT_USAGE. */
int vldaa_usage_set(const vldaa_call *call, const char *name);
/* "vldaa issuer init: text", and how to get help; returns VLDAA_EXIT_USAGE. */
int vldaa_usage(const vldaa_call *call, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
