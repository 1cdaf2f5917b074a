/* The TPM's own process: bytes in, bytes out, over the TPM role and a durable store. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <openssl/crypto.h>

#include "files.h"
#include "keys.h"
#include "report.h"
#include "tpm_directory.h"
#include "tpm_memory.h"
#include "tpm_protocol.h"
#include "tpm_store.h"
#include "vldaa/tpm_services.h"

typedef struct {
	vldaa_buffer endorsement_key;
	vldaa_buffer chain;
	vldaa_tpm_store *store;
	vldaa_tpm_surroundings surroundings;
	vldaa_tpm_services services;
	vldaa_buffer workspace;
	vldaa_buffer in;
	vldaa_buffer out;
	vldaa_tpm *tpm;
	int lock; /* a file that one process at a time locks */
} server;

enum { SIGN_HEAD = VLDAA_KEY_ID_BYTES + VLDAA_DIGEST_BYTES };

/*
 * The TPM looks, decides and commits; two processes on one directory must not do that at the same
 * time (both would find no member key, and make one).  So a call holds the lock from begin to end.
 */
static int lock(const server *s, short type)
{
	struct flock l;
	int n;

	memset(&l, 0, sizeof l);
	l.l_type = type;
	l.l_whence = SEEK_SET;
	do
		n = fcntl(s->lock, F_SETLKW, &l);
	while (n != 0 && errno == EINTR);
	return n == 0 ? VLDAA_OK : VLDAA_ERR_SERVICE;
}

static int status(const server *s, const uint8_t *in, size_t len, size_t *out_len)
{
	vldaa_tpm_status st;
	int err;

	if (len != VLDAA_KEY_ID_BYTES)
		return VLDAA_ERR_ARGUMENT;
	err = vldaa_tpm_get_status(s->tpm, in, &st);
	if (err)
		return err;
	s->out.data[0] = (uint8_t)st.has_key;
	s->out.data[1] = (uint8_t)st.joined;
	s->out.data[2] = (uint8_t)st.pending;
	s->out.data[3] = (uint8_t)st.dead;
	*out_len = 4;
	return VLDAA_OK;
}

/* One host a group: see member_claim.h. */
static int serve_host(const server *s, const uint8_t *in, size_t len)
{
	const enum vldaa_record record = (enum vldaa_record)VLDAA_TPM_STORE_HOST;
	const uint8_t *id = in + VLDAA_KEY_ID_BYTES;
	const vldaa_change change = {record, in, id, VLDAA_TPM_HOST_ID};
	uint8_t have[VLDAA_TPM_HOST_ID];
	vldaa_tpm_status st;
	size_t have_len = 0;
	int err;

	if (len != VLDAA_KEY_ID_BYTES + VLDAA_TPM_HOST_ID + 1)
		return VLDAA_ERR_ARGUMENT;
	err = vldaa_tpm_store_load(s->store, record, in, have, sizeof have, &have_len);
	if (!err) {
		if (have_len == sizeof have && memcmp(have, id, sizeof have) == 0)
			return VLDAA_OK;
		err = vldaa_tpm_get_status(s->tpm, in, &st);
		if (!err && (st.joined || !in[len - 1]))
			err = VLDAA_ERR_HAVE_KEY;
	} else if (err == VLDAA_ERR_NO_KEY) {
		err = VLDAA_OK;
	}
	return err ? err : vldaa_tpm_store_commit(s->store, &change, 1);
}

static int run_call(const server *s, uint32_t call, size_t len, size_t *out_len)
{
	const uint8_t *in = s->in.data;
	uint8_t *out = s->out.data;
	const size_t cap = s->out.len;

	switch (call) {
	case VLDAA_TPM_KEYGEN:
		return vldaa_tpm_keygen(s->tpm, in, len);
	case VLDAA_TPM_REQUEST:
		return vldaa_tpm_request(s->tpm, in, len, out, cap, out_len);
	case VLDAA_TPM_ACCEPT:
		return vldaa_tpm_accept(s->tpm, in, len, out, cap, out_len);
	case VLDAA_TPM_PUBLIC_KEY:
		return len == VLDAA_KEY_ID_BYTES
			   ? vldaa_tpm_public_key(s->tpm, in, out, cap, out_len)
			   : VLDAA_ERR_ARGUMENT;
	case VLDAA_TPM_CREATE:
		return vldaa_tpm_create(s->tpm, in, len, out, cap, out_len);
	case VLDAA_TPM_SIGN_BEGIN:
		return len >= SIGN_HEAD
			   ? vldaa_tpm_sign_begin(s->tpm, in, in + SIGN_HEAD, len - SIGN_HEAD,
						  in + VLDAA_KEY_ID_BYTES)
			   : VLDAA_ERR_ARGUMENT;
	case VLDAA_TPM_SIGN_UPDATE:
		return vldaa_tpm_sign_update(s->tpm, in, len);
	case VLDAA_TPM_SIGN_END:
		return vldaa_tpm_sign_end(s->tpm, out, cap, out_len);
	case VLDAA_TPM_TOKEN:
		return len >= SIGN_HEAD
			   ? vldaa_tpm_token(s->tpm, in, in + SIGN_HEAD, len - SIGN_HEAD,
					     in + VLDAA_KEY_ID_BYTES, out, cap, out_len)
			   : VLDAA_ERR_ARGUMENT;
	case VLDAA_TPM_OBEY:
		return vldaa_tpm_obey(s->tpm, in, len, out, cap, out_len);
	case VLDAA_TPM_STATUS:
		return status(s, in, len, out_len);
	case VLDAA_TPM_HOST:
		return serve_host(s, in, len);
	default:
		return VLDAA_ERR_ARGUMENT;
	}
}

/* -1: go on; else the exit status. */
static int serve_one(const server *s, int in, int out)
{
	uint32_t call = 0;
	size_t len = 0, out_len = 0;
	int err, got = vldaa_frame_read(in, &call, s->in.data, s->in.len, &len);

	if (got == 0)
		return VLDAA_EXIT_OK;
	if (got < 0)
		return vldaa_report_errno("the TPM's input");
	err = lock(s, F_WRLCK);
	if (!err) {
		err = run_call(s, call, len, &out_len);
		/* Between calls there is no secret in this process but the endorsement key. */
		vldaa_tpm_store_rest(s->store);
		(void)lock(s, F_UNLCK);
	}
	if (err)
		out_len = 0;
	got = vldaa_frame_write(out, (uint32_t)err, s->out.data, out_len);
	OPENSSL_cleanse(s->out.data, out_len);
	return got == 0 ? -1 : vldaa_report_errno("the TPM's output");
}

static int open_server(server *s, const char *directory)
{
	char *lock_path = vldaa_path(directory, VLDAA_TPM_LOCK_FILE);
	char *store_path = vldaa_path(directory, VLDAA_TPM_STORE_FILE);
	int result = VLDAA_EXIT_FAILED;

	if (lock_path && store_path)
		result = vldaa_tpm_directory_load(directory, &s->endorsement_key, &s->chain);
	if (result == VLDAA_EXIT_OK) {
		s->lock = open(lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
		if (s->lock < 0)
			result = vldaa_report_errno(lock_path);
	}
	if (result == VLDAA_EXIT_OK)
		result = vldaa_tpm_memory_wiped() ? vldaa_report(store_path, VLDAA_ERR_STORE)
						  : vldaa_tpm_store_open(&s->store, store_path);
	if (result == VLDAA_EXIT_OK)
		result = vldaa_buffer_new(&s->workspace, vldaa_tpm_workspace_size(NULL));
	if (result == VLDAA_EXIT_OK)
		result = vldaa_buffer_new(&s->in, VLDAA_FRAME_MAX);
	if (result == VLDAA_EXIT_OK)
		result = vldaa_buffer_new(&s->out, VLDAA_FRAME_MAX);
	free(lock_path);
	free(store_path);
	return result;
}

int vldaa_tpm_serve(const char *directory, int in, int out)
{
	const struct rlimit no_core = {0, 0};
	server s;
	int result, err;

	memset(&s, 0, sizeof s);
	s.lock = -1;
	/* No image of this process's memory gets to the disk. */
	(void)setrlimit(RLIMIT_CORE, &no_core);
	result = open_server(&s, directory);
	if (result == VLDAA_EXIT_OK) {
		s.surroundings = (vldaa_tpm_surroundings){
		    .endorsement_key = s.endorsement_key.data,
		    .endorsement_key_len = s.endorsement_key.len,
		    .chain = s.chain.data,
		    .chain_len = s.chain.len,
		    .store = s.store,
		    .load = vldaa_tpm_store_load,
		    .commit = vldaa_tpm_store_commit,
		};
		vldaa_tpm_services_libcrypto(&s.services, &s.surroundings);
		err = vldaa_tpm_open(&s.tpm, s.workspace.data, s.workspace.len, &s.services);
		result = err ? vldaa_report(directory, err) : -1;
	}
	while (result < 0)
		result = serve_one(&s, in, out);
	vldaa_tpm_close(s.tpm);
	vldaa_tpm_store_close(s.store);
	if (s.lock >= 0)
		(void)close(s.lock);
	vldaa_buffer_free(&s.endorsement_key);
	vldaa_buffer_free(&s.chain);
	vldaa_buffer_free(&s.workspace);
	vldaa_buffer_free(&s.in);
	vldaa_buffer_free(&s.out);
	return result;
}
