/* list, show and check: what a user asks about sets that exist. */
#include "command/command.h"
#include "family.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static int write_failed(void)
{
	fprintf(stderr, "vldaa-params: cannot write: %s\n", strerror(errno));
	return VLDAA_EXIT_FAILED;
}

/* --- list ----------------------------------------------------------------------------------------
 */

/* The names and summaries are ours: none has a character that JSON writes differently. */
static void print_list_json(void)
{
	const char *between = "";
	printf("[");
	for (uint32_t f = 0; f < vldaa_family_count; f++) {
		const vldaa_family *family = vldaa_families[f];
		for (uint32_t i = 0; i < family->count(); i++) {
			const void *set = family->set(i);
			printf("%s\n  {\"family\": \"%s\", \"name\": \"%s\", \"summary\": \"%s\"}",
			       between, family->name, family->set_name(set),
			       family->set_summary(set));
			between = ",";
		}
	}
	printf("\n]\n");
}

static void print_list(void)
{
	for (uint32_t f = 0; f < vldaa_family_count; f++) {
		const vldaa_family *family = vldaa_families[f];
		printf("%s: %s\n", family->name, family->summary);
		for (uint32_t i = 0; i < family->count(); i++) {
			const void *set = family->set(i);
			printf("  %-14s%s\n", family->set_name(set), family->set_summary(set));
		}
	}
}

static int run_list(int argc, char **argv)
{
	const char *json = NULL;
	const vldaa_option options[] = {{"json", NULL, "for programs", &json},
					{NULL, NULL, NULL, NULL}};
	int status = vldaa_options_parse(&vldaa_command_list, options, &argc, argv);
	if (status >= 0)
		return status;
	if (argc > 1)
		return vldaa_usage_error(&vldaa_command_list, "takes no arguments");
	if (json != NULL)
		print_list_json();
	else
		print_list();
	return fflush(stdout) == 0 ? VLDAA_EXIT_OK : write_failed();
}

const vldaa_subcommand vldaa_command_list = {
    .name = "list",
    .arguments = "",
    .summary = "List the parameter sets, family by family.",
    .run = run_list,
};

/* --- show and check ------------------------------------------------------------------------------
 */

typedef struct {
	const vldaa_subcommand *command;
	vldaa_report report;
	int conditions_only;
} request;

static void handle_show(request *r, const vldaa_family *family, const void *set)
{
	family->show(&r->report, set);
}

static void handle_check(request *r, const vldaa_family *family, const void *set)
{
	family->check(&r->report, set, !r->conditions_only);
}

typedef void (*handler)(request *r, const vldaa_family *family, const void *set);

static int handle_named(request *r, handler handle, int argc, char **argv)
{
	const vldaa_family *family;
	/* All names first: no half report. */
	for (int i = 1; i < argc; i++)
		if (vldaa_family_find(&family, argv[i]) == NULL)
			return vldaa_usage_error(
			    r->command, "there is no set %s; `vldaa-params list` lists them",
			    argv[i]);
	vldaa_report_init(&r->report, stdout, r->report.json);
	for (int i = 1; i < argc; i++) {
		const void *set = vldaa_family_find(&family, argv[i]);
		handle(r, family, set);
	}
	return VLDAA_EXIT_OK;
}

static void handle_all(request *r, handler handle)
{
	vldaa_report_init(&r->report, stdout, r->report.json);
	for (uint32_t f = 0; f < vldaa_family_count; f++)
		for (uint32_t i = 0; i < vldaa_families[f]->count(); i++)
			handle(r, vldaa_families[f], vldaa_families[f]->set(i));
}

static int run_show(int argc, char **argv)
{
	const char *json = NULL;
	const vldaa_option options[] = {
	    {"json", NULL, "for programs", &json},
	    {NULL, NULL, NULL, NULL},
	};
	int status = vldaa_options_parse(&vldaa_command_show, options, &argc, argv);
	if (status >= 0)
		return status;
	if (argc < 2)
		return vldaa_usage_error(&vldaa_command_show, "which set?");
	request r = {.command = &vldaa_command_show, .report.json = json != NULL};
	status = handle_named(&r, handle_show, argc, argv);
	if (status != VLDAA_EXIT_OK)
		return status;
	return vldaa_report_finish(&r.report) == 0 ? VLDAA_EXIT_OK : write_failed();
}

const vldaa_subcommand vldaa_command_show = {
    .name = "show",
    .arguments = "SET...",
    .summary = "Print every number of a set and the formula behind it.",
    .run = run_show,
};

static int run_check(int argc, char **argv)
{
	const char *json = NULL;
	const char *conditions = NULL;
	const vldaa_option options[] = {
	    {"json", NULL, "for programs", &json},
	    {"conditions", NULL, "only the conditions of the set's own source", &conditions},
	    {NULL, NULL, NULL, NULL},
	};
	int status = vldaa_options_parse(&vldaa_command_check, options, &argc, argv);
	if (status >= 0)
		return status;
	request r = {.command = &vldaa_command_check,
		     .report.json = json != NULL,
		     .conditions_only = conditions != NULL};
	if (argc < 2) {
		handle_all(&r, handle_check);
	} else {
		status = handle_named(&r, handle_check, argc, argv);
		if (status != VLDAA_EXIT_OK)
			return status;
	}
	if (vldaa_report_finish(&r.report) != 0)
		return write_failed();
	return r.report.failed == 0 ? VLDAA_EXIT_OK : VLDAA_EXIT_NO;
}

const vldaa_subcommand vldaa_command_check = {
    .name = "check",
    .arguments = "[SET...]",
    .summary = "Check sets, all without arguments; status 1 when anything FAILED.",
    .details =
	"Two tables a set: the conditions of its own source, and what the set gives against known\n"
	"attacks.  The published sets meet the first and are not unforgeable, so without --conditions\n"
	"their check says no.\n",
    .run = run_check,
};
