#include "tpm_client.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report.h"

/* What a process needs of its environment to run as this one does.  Not the rest: there may be a
 * passphrase of the host's among it (--passphrase-env). */
static const char *const passed_on[] = {
    "LANG",        "LC_ALL",          "LC_MESSAGES",     "TZ",           "TMPDIR",
    "LD_PRELOAD",  "OPENSSL_CONF",    "LD_LIBRARY_PATH", "ASAN_OPTIONS", "LSAN_OPTIONS",
    "GCOV_PREFIX", "OPENSSL_MODULES", "UBSAN_OPTIONS"};
enum { PASSED_ON = sizeof passed_on / sizeof passed_on[0] };

extern char **environ;

struct vldaa_tpm_client {
	char *directory;
	pid_t process;
	int to;   /* its standard input */
	int from; /* its standard output */
};

static void close_both(int fds[2])
{
	(void)close(fds[0]);
	(void)close(fds[1]);
}

/* A pipe whose ends the child does not inherit but through dup2. */
static int private_pipe(int fds[2])
{
	if (pipe(fds) != 0)
		return -1;
	if (fcntl(fds[0], F_SETFD, FD_CLOEXEC) != 0 || fcntl(fds[1], F_SETFD, FD_CLOEXEC) != 0) {
		close_both(fds);
		return -1;
	}
	return 0;
}

static int is_passed_on(const char *variable)
{
	size_t len = strcspn(variable, "=");

	for (size_t i = 0; i < PASSED_ON; i++) {
		if (strlen(passed_on[i]) == len && memcmp(passed_on[i], variable, len) == 0)
			return 1;
	}
	return 0;
}

/* The child's environment: pointers into ours. */
static void choose_environment(char *chosen[PASSED_ON + 1])
{
	size_t count = 0;

	for (size_t i = 0; environ && environ[i] && count < PASSED_ON; i++) {
		if (is_passed_on(environ[i]))
			chosen[count++] = environ[i];
	}
	chosen[count] = NULL;
}

/* Returns 0 or an errno value. */
static int spawn(pid_t *process, char *directory, int in, int out)
{
	static char name[] = "vldaa", group[] = "tpm", command[] = "serve", end[] = "--";
	char *argv[] = {name, group, command, end, directory, NULL};
	char *environment[PASSED_ON + 1];
	posix_spawn_file_actions_t actions;
	int err = posix_spawn_file_actions_init(&actions);

	if (err)
		return err;
	err = posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
	if (!err)
		err = posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	choose_environment(environment);
	if (!err)
		err = posix_spawn(process, "/proc/self/exe", &actions, NULL, argv, environment);
	(void)posix_spawn_file_actions_destroy(&actions);
	return err;
}

int vldaa_tpm_client_start(vldaa_tpm_client **client, const char *directory)
{
	vldaa_tpm_client *c = calloc(1, sizeof *c);
	int to[2], from[2], err;

	*client = NULL;
	if (c)
		c->directory = strdup(directory);
	if (!c || !c->directory) {
		free(c);
		return vldaa_report(directory, VLDAA_ERR_MEMORY);
	}
	err = private_pipe(to) == 0 ? 0 : errno;
	if (!err && private_pipe(from) != 0) {
		err = errno;
		close_both(to);
	} else if (!err) {
		err = spawn(&c->process, c->directory, to[0], from[1]);
		if (err) {
			close_both(to);
			close_both(from);
		}
	}
	if (err) {
		vldaa_say("%s: the TPM's process cannot be started: %s", directory, strerror(err));
		free(c->directory);
		free(c);
		return VLDAA_EXIT_FAILED;
	}
	(void)close(to[0]);
	(void)close(from[1]);
	c->to = to[1];
	c->from = from[0];
	*client = c;
	return VLDAA_EXIT_OK;
}

/* The process's wait status, once; -1: it is gone already. */
static int wait_for(vldaa_tpm_client *c)
{
	int status = -1;

	while (c->process > 0 && waitpid(c->process, &status, 0) < 0 && errno == EINTR)
		;
	c->process = 0;
	return status;
}

/* Says that there is no TPM any more, unless it has said on its own why it ended. */
static void say_ended(vldaa_tpm_client *c)
{
	const int status = wait_for(c);

	if (status == -1 || !WIFEXITED(status) || WEXITSTATUS(status) == VLDAA_EXIT_OK)
		vldaa_say("%s: the TPM's process has ended", c->directory);
}

void vldaa_tpm_client_stop(vldaa_tpm_client *c)
{
	if (!c)
		return;
	(void)close(c->to);
	(void)close(c->from);
	(void)wait_for(c);
	free(c->directory);
	free(c);
}

int vldaa_tpm_client_call(vldaa_tpm_client *c, enum vldaa_tpm_call call, const uint8_t *in,
			  size_t in_len, uint8_t *out, size_t cap, size_t *len)
{
	size_t got_len = 0;
	uint32_t code = 0;
	int got = -1;

	if (vldaa_frame_write(c->to, (uint32_t)call, in, in_len) == 0)
		got = vldaa_frame_read(c->from, &code, out, cap, &got_len);
	if (got <= 0) {
		if (got == 0 || errno == EPIPE)
			say_ended(c);
		else
			(void)vldaa_report_errno(c->directory);
		return VLDAA_SAID;
	}
	if (len)
		*len = got_len;
	/* None of the library's codes is positive. */
	return (int32_t)code > 0 ? VLDAA_ERR_SERVICE : (int)(int32_t)code;
}

int vldaa_tpm_client_call_for(vldaa_tpm_client *c, enum vldaa_tpm_call call,
			      const uint8_t key_id[VLDAA_KEY_ID_BYTES],
			      const uint8_t digest[VLDAA_DIGEST_BYTES], const uint8_t *basename,
			      size_t basename_len, uint8_t *out, size_t cap, size_t *len)
{
	uint8_t in[VLDAA_KEY_ID_BYTES + VLDAA_DIGEST_BYTES + VLDAA_MAX_BASENAME];

	if (basename_len > VLDAA_MAX_BASENAME)
		return VLDAA_ERR_BASENAME;
	memcpy(in, key_id, VLDAA_KEY_ID_BYTES);
	memcpy(in + VLDAA_KEY_ID_BYTES, digest, VLDAA_DIGEST_BYTES);
	memcpy(in + VLDAA_KEY_ID_BYTES + VLDAA_DIGEST_BYTES, basename, basename_len);
	return vldaa_tpm_client_call(
	    c, call, in, VLDAA_KEY_ID_BYTES + VLDAA_DIGEST_BYTES + basename_len, out, cap, len);
}

int vldaa_tpm_client_status(vldaa_tpm_client *c, const uint8_t key_id[VLDAA_KEY_ID_BYTES],
			    vldaa_tpm_status *status)
{
	uint8_t out[4] = {0};
	size_t len = 0;
	int err = vldaa_tpm_client_call(c, VLDAA_TPM_STATUS, key_id, VLDAA_KEY_ID_BYTES, out,
					sizeof out, &len);

	if (!err && len != sizeof out)
		err = VLDAA_ERR_SERVICE;
	*status = (vldaa_tpm_status){
	    .has_key = out[0], .joined = out[1], .pending = out[2], .dead = out[3]};
	return err;
}
