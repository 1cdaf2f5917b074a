/*
 * What goes wrong, said on stderr, and the exit status that it makes.
 *
 * All messages have the form "vldaa: SUBJECT: text".  No message contains a secret.
 */
#ifndef VLDAA_TOOL_REPORT_H
#define VLDAA_TOOL_REPORT_H

#include "vldaa/params.h"

enum vldaa_exit {
	VLDAA_EXIT_OK = 0,
	VLDAA_EXIT_INVALID = 1, /* something was examined and refused */
	VLDAA_EXIT_USAGE = 2,   /* the command was called wrongly */
	VLDAA_EXIT_FAILED = 3   /* there is no answer: a file, the disk, a service */
};

/* A code that is none of the library's: something failed, and what was said already.  Reporting it
 * says nothing more and is VLDAA_EXIT_FAILED. */
enum { VLDAA_SAID = 1 };

/* The exit status for a code of vldaa/error.h or vldaa/keyfile.h; says nothing. */
int vldaa_exit_status(int code);
/* The code's text, of whichever of the two headers it is. */
const char *vldaa_code_text(int code);
/* The code's name for JSON, for example "WRONG_ISSUER". */
const char *vldaa_code_name(int code);

/* "vldaa: SUBJECT: text of the code"; returns vldaa_exit_status(code).  subject, usually a file's
 * name, may be NULL. */
int vldaa_report(const char *subject, int code);
/* The same with a reason after it in brackets; NULL or "": none. */
int vldaa_report_reason(const char *subject, int code, const char *reason);
/* "vldaa: SUBJECT: strerror(errno)"; returns VLDAA_EXIT_FAILED. */
int vldaa_report_errno(const char *subject);
/* "vldaa: ..." in own words. */
void vldaa_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* What the set does not give, on stderr, when there is something to warn of: for commands that
 * choose a set.  There is no option that keeps it quiet. */
void vldaa_warn_set(const vldaa_set *set);
/* The same in one short line, when signatures of the set can be forged: for commands that use it,
 * but for answers in JSON, which have signature_bits. */
void vldaa_remind_set(const vldaa_set *set);

/* What a set gives that is not forgeable, and what that stands on: two lines on standard output. */
void vldaa_print_security(const vldaa_set *set);

#endif
