#include "member_claim.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <openssl/rand.h>

/* --- the directory -----------------------------------------------------------------------------
 */

static int is_complete(const char *directory)
{
	char *path = vldaa_path(directory, VLDAA_MEMBER_HOST_FILE);
	const int complete = path && vldaa_exists(path);

	free(path);
	return complete;
}

static int lock_file(int *lock, const char *path)
{
	struct flock l;
	int n;

	*lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (*lock < 0)
		return vldaa_report_errno(path);
	memset(&l, 0, sizeof l);
	l.l_type = F_WRLCK;
	l.l_whence = SEEK_SET;
	do
		n = fcntl(*lock, F_SETLKW, &l);
	while (n != 0 && errno == EINTR);
	return n == 0 ? VLDAA_EXIT_OK : vldaa_report_errno(path);
}

int vldaa_member_lock(int *lock, const char *directory, int begin)
{
	char *path;
	int status;

	*lock = -1;
	/* What is wrong with one that is not complete is for whoever opens it to say. */
	if (!begin && !is_complete(directory))
		return VLDAA_EXIT_OK;
	path = vldaa_path(directory, VLDAA_MEMBER_LOCK_FILE);
	status = path ? lock_file(lock, path) : VLDAA_EXIT_FAILED;
	free(path);
	return status;
}

void vldaa_member_unlock(int lock)
{
	if (lock >= 0)
		(void)close(lock);
}

/* --- the TPM -----------------------------------------------------------------------------------
 */

static int make_id(const char *path, uint8_t id[VLDAA_TPM_HOST_ID])
{
	if (RAND_bytes(id, VLDAA_TPM_HOST_ID) != 1)
		return vldaa_report(path, VLDAA_ERR_RANDOM);
	return vldaa_write(path, id, VLDAA_TPM_HOST_ID, VLDAA_FILE_PRIVATE | VLDAA_FILE_NEW);
}

static int read_id(const char *path, uint8_t id[VLDAA_TPM_HOST_ID])
{
	vldaa_buffer file = {NULL, 0};
	int status = vldaa_read(&file, path, VLDAA_TPM_HOST_ID);

	if (status == VLDAA_EXIT_OK && file.len != VLDAA_TPM_HOST_ID) {
		vldaa_say("%s: not an id of %d bytes", path, VLDAA_TPM_HOST_ID);
		status = VLDAA_EXIT_FAILED;
	}
	if (status == VLDAA_EXIT_OK)
		memcpy(id, file.data, VLDAA_TPM_HOST_ID);
	vldaa_buffer_free(&file);
	return status;
}

static int host_id(const char *directory, uint8_t id[VLDAA_TPM_HOST_ID])
{
	char *path = vldaa_path(directory, VLDAA_MEMBER_ID_FILE);
	int status = VLDAA_EXIT_FAILED;

	if (path)
		status = vldaa_exists(path) ? read_id(path, id) : make_id(path, id);
	free(path);
	return status;
}

int vldaa_member_claim(vldaa_member_directory *m, int give_up)
{
	uint8_t claim[VLDAA_KEY_ID_BYTES + VLDAA_TPM_HOST_ID + 1];
	int status = host_id(m->directory, claim + VLDAA_KEY_ID_BYTES), err;

	if (status != VLDAA_EXIT_OK)
		return status;
	memcpy(claim, vldaa_host_key_id(m->host), VLDAA_KEY_ID_BYTES);
	claim[sizeof claim - 1] = give_up != 0;
	err = vldaa_tpm_client_call(m->tpm, VLDAA_TPM_HOST, claim, sizeof claim, NULL, 0, NULL);
	if (err == VLDAA_ERR_HAVE_KEY) {
		vldaa_say("%s: this TPM serves a member of this group already, which is not %s",
			  m->tpm_directory, m->directory);
		if (!give_up)
			vldaa_say("member keygen --anew gives that member up, if it has not "
				  "joined yet");
		return VLDAA_EXIT_USAGE;
	}
	return err ? vldaa_member_report(m, m->tpm_directory, err) : VLDAA_EXIT_OK;
}
