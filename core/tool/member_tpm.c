/* vldaa member tpm, and where every member finds its TPM. */
#include "member_tpm.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "member_commands.h"
#include "tpm_directory.h"

enum { MAX_PATH_FILE = 8192, PATH_BYTES = 4096 };

/* --- names of directories ----------------------------------------------------------------------
 */

static int is_same(const char *a, const char *b)
{
	struct stat x, y;

	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* Where the last part of a path begins, and its length without the slashes behind it; ".", "..", "/"
 * and nothing are no parts: length 0. */
static size_t last_part(const char *path, size_t *len)
{
	size_t end = strlen(path), begin;

	while (end > 0 && path[end - 1] == '/')
		end--;
	begin = end;
	while (begin > 0 && path[begin - 1] != '/')
		begin--;
	*len = end - begin;
	if (strncmp(path + begin, "..", *len) == 0)
		*len = 0;
	return begin;
}

/* "../NAME" when both directories lie in one and the second has this name there, to free; else
 * NULL. */
static char *name_beside(const char *directory, const char *tpm_directory)
{
	size_t len, begin = last_part(tpm_directory, &len);
	char *name = len ? strndup(tpm_directory + begin, len) : NULL;
	char *relative = name ? vldaa_path("..", name) : NULL;
	char *path = relative ? vldaa_path(directory, relative) : NULL;

	if (!path || !is_same(path, tpm_directory)) {
		free(relative);
		relative = NULL;
	}
	free(path);
	free(name);
	return relative;
}

/* To free; NULL, having said why. */
static char *absolute_path(const char *path)
{
	char here[PATH_BYTES];

	if (path[0] == '/')
		return vldaa_path("", path + 1);
	if (!getcwd(here, sizeof here)) {
		(void)vldaa_report_errno("the current directory");
		return NULL;
	}
	return vldaa_path(here, path);
}

/* The directory's parent by name: without its last part.  To free; NULL when there is no memory, or
 * when that is another directory (there are links in the name). */
static char *parent_of(const char *directory)
{
	size_t len, begin = last_part(directory, &len);
	char *parent = len ? strndup(directory, begin) : NULL;
	char *up = parent ? vldaa_path(directory, "..") : NULL;

	if (!up || !is_same(up, begin ? parent : ".")) {
		free(parent);
		parent = NULL;
	}
	free(up);
	return parent;
}

/* A name that is relative to a directory, as a path: "../NAME" as a person would write it.  To
 * free; NULL, having said why. */
static char *path_from(const char *directory, const char *name)
{
	char *parent = NULL, *path;
	size_t size;

	if (name[0] == '/')
		return vldaa_path("", name + 1);
	if (strncmp(name, "../", 3) == 0)
		parent = parent_of(directory);
	if (!parent)
		return vldaa_path(directory, name);
	size = strlen(parent) + strlen(name);
	path = malloc(size);
	if (path)
		(void)snprintf(path, size, "%s%s", parent, name + 3);
	else
		(void)vldaa_report(NULL, VLDAA_ERR_MEMORY);
	free(parent);
	return path;
}

/* --- the file ----------------------------------------------------------------------------------
 */

static char *path_in(const char *directory, const vldaa_buffer *text)
{
	char *name = strndup((const char *)text->data, text->len), *path = NULL;

	if (name) {
		name[strcspn(name, "\n")] = '\0';
		path = path_from(directory, name);
	}
	free(name);
	return path;
}

char *vldaa_member_tpm_directory(const char *directory)
{
	char *file = vldaa_path(directory, VLDAA_MEMBER_TPM_FILE), *tpm = NULL;
	vldaa_buffer text = {NULL, 0};

	if (file && vldaa_read_code(&text, file, MAX_PATH_FILE) == VLDAA_OK)
		tpm = path_in(directory, &text);
	vldaa_buffer_free(&text);
	free(file);
	return tpm;
}

/* 1 when there is certainly no TPM in this directory. */
static int is_no_tpm(const char *tpm_directory)
{
	char *key = vldaa_path(tpm_directory, VLDAA_TPM_KEY_FILE);
	const int no = key && vldaa_is_missing(key);

	free(key);
	return no;
}

int vldaa_member_find_tpm(char **tpm_directory, const char *directory)
{
	char *file = vldaa_path(directory, VLDAA_MEMBER_TPM_FILE);
	vldaa_buffer text = {NULL, 0};
	int status = file ? vldaa_read(&text, file, MAX_PATH_FILE) : VLDAA_EXIT_FAILED;

	*tpm_directory = status == VLDAA_EXIT_OK ? path_in(directory, &text) : NULL;
	if (status == VLDAA_EXIT_OK && !*tpm_directory)
		status = vldaa_report(directory, VLDAA_ERR_MEMORY);
	if (status == VLDAA_EXIT_OK && is_no_tpm(*tpm_directory)) {
		vldaa_say("%s: its TPM is not in %s; `vldaa member tpm %s TPMDIR` tells where it "
			  "has gone",
			  directory, *tpm_directory, directory);
		status = VLDAA_EXIT_FAILED;
	}
	vldaa_buffer_free(&text);
	free(file);
	return status;
}

int vldaa_member_set_tpm(const char *directory, const char *tpm_directory)
{
	char *file = vldaa_path(directory, VLDAA_MEMBER_TPM_FILE);
	char *name = name_beside(directory, tpm_directory);
	int status = VLDAA_EXIT_FAILED;

	if (!name)
		name = absolute_path(tpm_directory);
	if (file && name)
		status = vldaa_write(file, (const uint8_t *)name, strlen(name), 0);
	free(name);
	free(file);
	return status;
}

int vldaa_check_tpm_directory(const char *tpm_directory)
{
	return vldaa_check_directory(tpm_directory, VLDAA_TPM_KEY_FILE, "a TPM's",
				     "vldaa tpm init");
}

int vldaa_check_tpm_is_separate(const char *directory, const char *tpm_directory)
{
	if (!is_same(directory, tpm_directory))
		return VLDAA_EXIT_OK;
	vldaa_say("%s: the member and its TPM need a directory each", directory);
	return VLDAA_EXIT_USAGE;
}

/* --- vldaa member tpm --------------------------------------------------------------------------
 */

enum { PASSPHRASE_FILE, PASSPHRASE_ENV };
static const vldaa_option options[] = {
    [PASSPHRASE_FILE] = {"passphrase-file", 0, "FILE", "opens the host's key", VLDAA_OPTION_INPUT},
    [PASSPHRASE_ENV] = {"passphrase-env", 0, "NAME", "the same", 0},
    {NULL, 0, NULL, NULL, 0},
};

static int check_credential(vldaa_member_directory *m)
{
	int err = vldaa_member_check_tpm(m);

	if (err == VLDAA_ERR_CREDENTIAL) {
		vldaa_say("%s: this is another member's TPM", m->tpm_directory);
		return VLDAA_EXIT_INVALID;
	}
	return err ? vldaa_member_report(m, m->tpm_directory, err) : VLDAA_EXIT_OK;
}

/* Is it the TPM that this member's key was made with? */
static int check_tpm(vldaa_member_directory *m)
{
	vldaa_tpm_status st;
	int err = vldaa_tpm_client_status(m->tpm, vldaa_host_key_id(m->host), &st);

	if (err)
		return vldaa_member_report(m, m->tpm_directory, err);
	if (st.dead)
		return VLDAA_EXIT_OK;
	if (!st.has_key) {
		vldaa_say("%s: this TPM has no key in the member's group: it is another one",
			  m->tpm_directory);
		return VLDAA_EXIT_INVALID;
	}
	return m->joined ? check_credential(m) : VLDAA_EXIT_OK;
}

static int run_tpm(const vldaa_call *call)
{
	const vldaa_passphrase passphrase = vldaa_member_passphrase(call, PASSPHRASE_FILE);
	vldaa_member_directory m = {0};
	int status = vldaa_check_tpm_is_separate(call->argv[0], call->argv[1]);

	if (status == VLDAA_EXIT_OK)
		status = vldaa_member_open_host(&m, call->argv[0], &passphrase);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_check_tpm_directory(call->argv[1]);
	if (status == VLDAA_EXIT_OK) {
		m.tpm_directory = strdup(call->argv[1]);
		status = m.tpm_directory ? vldaa_tpm_client_start(&m.tpm, m.tpm_directory)
					 : vldaa_report(NULL, VLDAA_ERR_MEMORY);
	}
	if (status == VLDAA_EXIT_OK)
		status = check_tpm(&m);
	if (status == VLDAA_EXIT_OK)
		status = vldaa_member_set_tpm(m.directory, m.tpm_directory);
	vldaa_member_close(&m);
	return status;
}

const vldaa_command vldaa_command_member_tpm = {
    .name = "tpm",
    .summary = "Tell a member where its TPM's directory has gone",
    .arguments = "DIR TPMDIR",
    .argument_kinds = "DD",
    .min_arguments = 2,
    .max_arguments = 2,
    .options = options,
    .run = run_tpm,
    .details =
	"For a TPM's directory that was moved; another TPM does not do: the member's key is of\n"
	"both.  Directories side by side may be moved together without this.\n"
	"\n"
	"Example:\n"
	"  vldaa member tpm car1 /srv/car1.tpm",
};
