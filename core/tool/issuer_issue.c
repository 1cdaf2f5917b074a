/* vldaa issuer nonce, issue: members join. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "issuer_directory.h"
#include "mismatch.h"
#include "output.h"
#include "places.h"

/* --- nonce -------------------------------------------------------------------------------------
 */

enum { NONCE_OUTPUT, NONCE_LIFETIME, NONCE_PASSPHRASE_FILE, NONCE_PASSPHRASE_ENV };
static const vldaa_option nonce_options[] = {
    [NONCE_OUTPUT] = {"output", 'o', "FILE", "where the nonce goes (default: standard output)",
		      VLDAA_OPTION_OUTPUT},
    [NONCE_LIFETIME] = {"lifetime", 0, "SECONDS", "how long it is good for (default: 86400)", 0},
    [NONCE_PASSPHRASE_FILE] = {"passphrase-file", 0, "FILE", "opens the issuer's key",
			       VLDAA_OPTION_INPUT},
    [NONCE_PASSPHRASE_ENV] = {"passphrase-env", 0, "NAME", "the same", 0},
    {NULL, 0, NULL, NULL, 0},
};

static int parse_lifetime(const vldaa_call *call, int64_t *seconds)
{
	const char *text = call->values[NONCE_LIFETIME];
	char *end = NULL;

	*seconds = 86400;
	if (!text)
		return VLDAA_EXIT_OK;
	errno = 0;
	*seconds = text[0] >= '0' && text[0] <= '9' ? strtoll(text, &end, 10) : 0;
	/* A century is for ever. */
	if (errno != 0 || !end || *end != '\0' || *seconds < 1 || *seconds > 3155760000)
		return vldaa_usage(call, "--lifetime is 1 to 3155760000 seconds, not %s", text);
	return VLDAA_EXIT_OK;
}

static int run_nonce(const vldaa_call *call)
{
	const char *output = call->values[NONCE_OUTPUT] ? call->values[NONCE_OUTPUT] : "-";
	const vldaa_passphrase passphrase = vldaa_issuer_passphrase(call, NONCE_PASSPHRASE_FILE);
	uint8_t nonce[VLDAA_NONCE_BYTES], object[VLDAA_OBJECT_HEADER + VLDAA_KEY_ID_BYTES + 32];
	vldaa_issuer_directory d = {0};
	int64_t lifetime;
	size_t len = 0;
	int status = parse_lifetime(call, &lifetime), err;

	if (status == VLDAA_EXIT_OK && strcmp(output, "-") == 0 && isatty(STDOUT_FILENO))
		status = vldaa_usage(call, "a nonce is binary: give -o FILE");
	if (status == VLDAA_EXIT_OK)
		status = vldaa_issuer_open_with_key(&d, call->argv[0], &passphrase);
	if (status == VLDAA_EXIT_OK) {
		err = vldaa_register_nonce_new(d.reg, nonce, (int64_t)time(NULL), lifetime);
		status = err ? vldaa_issuer_report(&d, err) : VLDAA_EXIT_OK;
	}
	if (status == VLDAA_EXIT_OK) {
		err = vldaa_issuer_nonce(d.issuer, nonce, object, sizeof object, &len);
		status = err ? vldaa_report(output, err) : vldaa_write(output, object, len, 0);
	}
	vldaa_issuer_close(&d);
	return status;
}

const vldaa_command vldaa_command_issuer_nonce = {
    .name = "nonce",
    .summary = "Make a nonce, which one member needs to ask to join",
    .arguments = "DIR",
    .argument_kinds = "D",
    .min_arguments = 1,
    .max_arguments = 1,
    .options = nonce_options,
    .run = run_nonce,
    .details = "Example:\n  vldaa issuer nonce issuer -o nonce",
};

/* --- issue -------------------------------------------------------------------------------------
 */

enum { ISSUE_OUTPUT, ISSUE_REPLACE, ISSUE_JSON, ISSUE_PASSPHRASE_FILE, ISSUE_PASSPHRASE_ENV };
static const vldaa_option issue_options[] = {
    [ISSUE_OUTPUT] = {"output", 'o', "FILE|DIR",
		      "where the answer goes; for several requests a directory, in\n"
		      "which each gets the name of its request and .answer",
		      VLDAA_OPTION_REQUIRED | VLDAA_OPTION_OUTPUT},
    [ISSUE_REPLACE] = {"replace", 0, NULL,
		       "replace the credential that an endorsement certificate has: the\n"
		       "member lost it, and its TPM made a new key",
		       0},
    [ISSUE_JSON] = {"json", 0, NULL, "answer as JSON", 0},
    [ISSUE_PASSPHRASE_FILE] = {"passphrase-file", 0, "FILE", "opens the issuer's key",
			       VLDAA_OPTION_INPUT},
    [ISSUE_PASSPHRASE_ENV] = {"passphrase-env", 0, "NAME", "the same", 0},
    {NULL, 0, NULL, NULL, 0},
};

static const char *file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Where this request's answer goes, to free. */
static char *answer_path(const char *output, int in_directory, const char *request)
{
	static const char suffix[] = ".answer";
	const char *name = file_name(request);
	size_t size = strlen(name) + sizeof suffix;
	char *answer, *path;

	if (!in_directory) {
		path = strdup(output);
		if (!path)
			(void)vldaa_report(NULL, VLDAA_ERR_MEMORY);
		return path;
	}
	answer = malloc(size);
	if (!answer) {
		(void)vldaa_report(NULL, VLDAA_ERR_MEMORY);
		return NULL;
	}
	(void)snprintf(answer, size, "%s%s", name, suffix);
	path = vldaa_path(output, answer);
	free(answer);
	return path;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Two requests of one name would have one answer file. */
static int check_names(const vldaa_call *call)
{
	size_t count = (size_t)call->argc - 1;
	const char **names = calloc(count, sizeof *names);
	int status = VLDAA_EXIT_OK;

	if (!names)
		return vldaa_report(NULL, VLDAA_ERR_MEMORY);
	for (size_t i = 0; i < count; i++)
		names[i] = file_name(call->argv[i + 1]);
	qsort(names, count, sizeof *names, compare_names);
	for (size_t i = 1; i < count && status == VLDAA_EXIT_OK; i++) {
		if (strcmp(names[i - 1], names[i]) == 0)
			status = vldaa_usage(call,
					     "two requests have the name %s: their answers "
					     "would too",
					     names[i]);
	}
	free(names);
	return status;
}

/* The directory of answers may hold requests too: none is written over. */
static int check_answers(const vldaa_call *call, const char *output)
{
	vldaa_places *places = NULL;
	int status = vldaa_places_new(&places, call);

	for (int i = 1; i < call->argc && status == VLDAA_EXIT_OK; i++) {
		char *path = answer_path(output, 1, call->argv[i]);

		status = path ? vldaa_places_may_write(places, path) : VLDAA_EXIT_FAILED;
		free(path);
	}
	vldaa_places_free(places);
	return status;
}

/* One directory, one batch. */
typedef struct {
	vldaa_issuer_directory d;
	const char *output;
	int in_directory;
	int replace;
	vldaa_buffer answer; /* room for one */
	vldaa_json *json;    /* NULL: text */
	vldaa_progress progress;
	int stop; /* the disk, or something like it: the rest would fail too */
} batch;

/* What became of a request, for JSON; code: why there is no answer. */
static const char *outcome(int code, int status, const vldaa_issue_result *result)
{
	if (code)
		return status == VLDAA_EXIT_INVALID ? "refused" : "failed";
	return result->repeated ? "repeated" : "issued";
}

static void tell(batch *b, const char *request, const char *path, int code, int status,
		 const vldaa_issue_result *result)
{
	if (b->json) {
		vldaa_json_object(b->json, NULL);
		vldaa_json_string(b->json, "request", request);
		vldaa_json_string(b->json, "result", outcome(code, status, result));
		if (code) {
			vldaa_json_string(b->json, "error", vldaa_code_name(code));
			vldaa_json_string(b->json, "text", vldaa_code_text(code));
			vldaa_json_string(b->json, "reason", result->reason);
		} else {
			vldaa_json_string(b->json, "answer", path);
		}
		if (result->member)
			vldaa_json_int(b->json, "member", result->member);
		if (result->near)
			vldaa_json_int(b->json, "near", result->near);
		vldaa_json_object_end(b->json);
	} else if (!code && strcmp(path, "-") != 0) {
		vldaa_progress_end(&b->progress);
		if (result->repeated)
			printf("%s: answered before; the same answer again in %s\n", request, path);
		else
			printf("%s: member %lld, answer in %s\n", request,
			       (long long)result->member, path);
	}
}

/* In JSON every request that was given has its entry. */
static void tell_skipped(batch *b, const char *request)
{
	if (!b->json)
		return;
	vldaa_json_object(b->json, NULL);
	vldaa_json_string(b->json, "request", request);
	vldaa_json_string(b->json, "result", "skipped");
	vldaa_json_object_end(b->json);
}

/* What is longer than any request is refused as one, whatever it is. */
static int read_request(const batch *b, vldaa_buffer *request, const char *path,
			vldaa_issue_result *result, int *status)
{
	const int err = vldaa_read_code(request, path,
					vldaa_object_max_size(b->d.set, VLDAA_KIND_JOIN_REQUEST));

	if (err == VLDAA_FILE_ERR_IO)
		result->reason = strerror(errno);
	*status = err ? vldaa_report(path, err) : VLDAA_EXIT_OK;
	if (err == VLDAA_FILE_ERR_TOO_LARGE)
		*status = VLDAA_EXIT_INVALID;
	return err;
}

static int report_refused(const char *path, int code, const vldaa_buffer *request,
			  vldaa_issue_result *result, char mismatch[VLDAA_MISMATCH_TEXT])
{
	if (code == VLDAA_ERR_KEY_NEAR) {
		(void)snprintf(mismatch, VLDAA_MISMATCH_TEXT, "it is near to that of member %lld",
			       (long long)result->near);
		result->reason = mismatch;
	}
	if (code != VLDAA_ERR_KIND)
		return vldaa_report_reason(path, code, result->reason);
	vldaa_mismatch(mismatch, request->data, request->len,
		       vldaa_kind_name(VLDAA_KIND_JOIN_REQUEST));
	result->reason = mismatch;
	vldaa_say("%s: %s", path, mismatch);
	return vldaa_exit_status(code);
}

/* A code, and *status: the answer is written, or why not was said. */
static int answer_request(batch *b, const char *request_path, const char *path,
			  const vldaa_buffer *request, vldaa_issue_result *result,
			  char mismatch[VLDAA_MISMATCH_TEXT], int *status)
{
	size_t len = 0;
	int err = vldaa_issue(&b->d.desk, request->data, request->len, (int64_t)time(NULL),
			      b->replace, b->answer.data, b->answer.len, &len, result);

	if (err) {
		vldaa_progress_end(&b->progress);
		*status = report_refused(request_path, err, request, result, mismatch);
		b->stop = *status == VLDAA_EXIT_FAILED;
		return err;
	}
	*status = vldaa_write(path, b->answer.data, len, 0);
	b->stop = *status != VLDAA_EXIT_OK;
	if (!b->stop)
		return VLDAA_OK;
	result->reason = "the register has the answer, its file could not be written";
	return VLDAA_FILE_ERR_IO;
}

static int issue_one(batch *b, const char *request_path)
{
	vldaa_buffer request = {NULL, 0};
	vldaa_issue_result result = {0};
	char mismatch[VLDAA_MISMATCH_TEXT];
	char *path = answer_path(b->output, b->in_directory, request_path);
	int status = VLDAA_EXIT_FAILED, err = VLDAA_ERR_MEMORY;

	if (path)
		err = read_request(b, &request, request_path, &result, &status);
	if (!err)
		err = answer_request(b, request_path, path, &request, &result, mismatch, &status);
	tell(b, request_path, path, err, status, &result);
	vldaa_buffer_free(&request);
	free(path);
	return status;
}

/* The worst of two exit statuses: failed, then invalid. */
static int worse(int a, int b)
{
	return a > b ? a : b;
}

static int issue_all(batch *b, const vldaa_call *call)
{
	size_t count = (size_t)call->argc - 1;
	int status = VLDAA_EXIT_OK;

	vldaa_progress_begin(&b->progress, "issuing", count);
	for (size_t i = 0; i < count; i++) {
		if (b->stop) {
			tell_skipped(b, call->argv[i + 1]);
			continue;
		}
		status = worse(status, issue_one(b, call->argv[i + 1]));
		vldaa_progress_step(&b->progress, i + 1);
		if (b->stop && i + 1 < count) {
			vldaa_progress_end(&b->progress);
			vldaa_say("stopped: %zu %s not looked at", count - i - 1,
				  count - i - 1 == 1 ? "request was" : "requests were");
		}
	}
	vldaa_progress_end(&b->progress);
	return status;
}

static int is_directory(const char *path)
{
	struct stat info;

	return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static int run_issue(const vldaa_call *call)
{
	const vldaa_passphrase passphrase = vldaa_issuer_passphrase(call, ISSUE_PASSPHRASE_FILE);
	batch b = {.output = call->values[ISSUE_OUTPUT],
		   .replace = call->values[ISSUE_REPLACE] != NULL};
	vldaa_json json;
	int status = VLDAA_EXIT_OK;

	b.in_directory = call->argc > 2 || is_directory(b.output);
	if (call->values[ISSUE_JSON] && strcmp(b.output, "-") == 0)
		status = vldaa_usage(call, "JSON and the answer cannot both go to standard output");
	if (status == VLDAA_EXIT_OK && b.in_directory)
		status = check_names(call);
	if (status == VLDAA_EXIT_OK && b.in_directory)
		status = check_answers(call, b.output);
	if (status == VLDAA_EXIT_OK && b.in_directory)
		status = vldaa_make_directory(b.output);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_issuer_open_with_key(&b.d, call->argv[0], &passphrase);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_buffer_for(&b.answer, b.d.set, VLDAA_KIND_JOIN_ANSWER);
	if (status == VLDAA_EXIT_OK) {
		if (!call->values[ISSUE_JSON])
			vldaa_remind_set(b.d.set);
		if (call->values[ISSUE_JSON]) {
			vldaa_json_init(&json, stdout);
			b.json = &json;
			vldaa_json_array(&json, NULL);
		}
		status = issue_all(&b, call);
		if (b.json)
			vldaa_json_array_end(b.json);
	}
	vldaa_buffer_free(&b.answer);
	vldaa_issuer_close(&b.d);
	return status;
}

const vldaa_command vldaa_command_issuer_issue = {
    .name = "issue",
    .summary = "Answer requests to join, and put the new members into the register",
    .arguments = "DIR REQUEST...",
    .argument_kinds = "DI",
    .min_arguments = 2,
    .max_arguments = -1,
    .options = issue_options,
    .run = run_issue,
    .details =
	"Checks each request: its proofs, its TPM's endorsement certificate, its nonce.  The\n"
	"answer is written when the register has it on the disk.  The same request gets the\n"
	"same answer again, so that this may be repeated whenever it was interrupted.  With\n"
	"several requests the status is that of the worst.\n"
	"\n"
	"Example:\n"
	"  vldaa issuer issue issuer request -o answer",
};
