#include "report.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "output.h"
#include "vldaa/keyfile.h"

const char *vldaa_code_text(int code)
{
	const char *text = vldaa_keyfile_error_text(code);

	return text ? text : vldaa_error_text(code);
}

const char *vldaa_code_name(int code)
{
	const char *name = vldaa_keyfile_error_name(code);

	return name ? name : vldaa_error_name(code);
}

int vldaa_exit_status(int code)
{
	switch (code) {
	case VLDAA_KEYFILE_ERR_NOT_OURS:
	case VLDAA_KEYFILE_ERR_DAMAGED:
	case VLDAA_KEYFILE_ERR_SET:
		return VLDAA_EXIT_INVALID;
	case VLDAA_KEYFILE_ERR_NO_PASSPHRASE:
		return VLDAA_EXIT_USAGE;
	default:
		break;
	}
	switch (vldaa_error_class(code)) {
	case VLDAA_CLASS_OK:
		return VLDAA_EXIT_OK;
	case VLDAA_CLASS_INVALID:
		return VLDAA_EXIT_INVALID;
	case VLDAA_CLASS_USAGE:
		return VLDAA_EXIT_USAGE;
	case VLDAA_CLASS_FAILED:
		break;
	}
	return VLDAA_EXIT_FAILED;
}

int vldaa_report_reason(const char *subject, int code, const char *reason)
{
	if (code == VLDAA_SAID)
		return VLDAA_EXIT_FAILED;
	fprintf(stderr, "vldaa: %s%s%s", subject ? subject : "", subject ? ": " : "",
		vldaa_code_text(code));
	if (reason && reason[0]) {
		/* It may quote what a stranger wrote. */
		fprintf(stderr, " (");
		vldaa_print_text(stderr, (const uint8_t *)reason, strlen(reason));
		fprintf(stderr, ")");
	}
	fprintf(stderr, "\n");
	return vldaa_exit_status(code);
}

int vldaa_report(const char *subject, int code)
{
	/* What went wrong with a file is in errno. */
	if (code == VLDAA_FILE_ERR_IO)
		return vldaa_report_errno(subject);
	return vldaa_report_reason(subject, code, NULL);
}

int vldaa_report_errno(const char *subject)
{
	int why = errno;

	fprintf(stderr, "vldaa: %s%s%s%s\n", subject ? subject : "", subject ? ": " : "",
		strerror(why), why == EISDIR ? ": a file is needed" : "");
	return VLDAA_EXIT_FAILED;
}

void vldaa_say(const char *format, ...)
{
	va_list arguments;

	fprintf(stderr, "vldaa: ");
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fprintf(stderr, "\n");
}

void vldaa_warn_set(const vldaa_set *set)
{
	const char *warning = vldaa_set_warning(set);

	if (warning)
		fprintf(stderr, "vldaa: warning: %s: %s\n", vldaa_set_name(set), warning);
}

void vldaa_remind_set(const vldaa_set *set)
{
	const char *name = vldaa_set_name(set);

	if (vldaa_set_signature_bits(set) == 0)
		fprintf(stderr,
			"vldaa: %s signatures are forgeable by anybody (vldaa-params check %s)\n",
			name, name);
}

void vldaa_print_security(const vldaa_set *set)
{
	printf(
	    "%-13s%d bits against forgery, %d against finding a member's key, %d for anonymity\n",
	    "security", vldaa_set_signature_bits(set), vldaa_set_key_bits(set),
	    vldaa_set_anonymity_bits(set));
	printf("%-13s%s\n", "assumes", vldaa_set_assumptions(set));
}
