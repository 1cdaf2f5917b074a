/*
 * Promise: between two calls, the TPM's process has nothing of its member key in memory.
 * usage: tpm_memory VLDAA TPMDIR GROUP-KEY RECORD
 * RECORD is the member key's record in the TPM's store (see leak.c).  The process is started here,
 * so that it may be looked into also where only a parent may.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "keys.h"
#include "report.h"
#include "tpm_protocol.h"

enum { PIECE = 32, STEP = 16, DIFFERENT = 8, LEAST_PIECES = 20 };

static pid_t start(const char *vldaa, const char *directory, int *to, int *from)
{
	int in[2], out[2];
	pid_t process;

	if (pipe(in) != 0 || pipe(out) != 0)
		return -1;
	process = fork();
	if (process == 0) {
		if (dup2(in[0], STDIN_FILENO) >= 0 && dup2(out[1], STDOUT_FILENO) >= 0) {
			(void)close(in[1]);
			(void)close(out[0]);
			(void)execl(vldaa, vldaa, "tpm", "serve", directory, (char *)NULL);
		}
		_exit(127);
	}
	(void)close(in[0]);
	(void)close(out[1]);
	*to = in[1];
	*from = out[0];
	return process;
}

static int call(int to, int from, enum vldaa_tpm_call number, const uint8_t *key_id)
{
	static uint8_t reply[VLDAA_FRAME_MAX];
	uint32_t code = 1;
	size_t len;

	return vldaa_frame_write(to, (uint32_t)number, key_id, VLDAA_KEY_ID_BYTES) == 0 &&
	       vldaa_frame_read(from, &code, reply, sizeof reply, &len) == 1 && code == 0;
}

/* Bytes that are there by chance, as zeros are, tell nothing. */
static int is_telling(const uint8_t *piece)
{
	uint8_t seen[256] = {0};
	int different = 0;

	for (size_t i = 0; i < PIECE; i++) {
		different += !seen[piece[i]];
		seen[piece[i]] = 1;
	}
	return different >= DIFFERENT;
}

/* How many pieces of the record are in these bytes. */
static size_t find(const uint8_t *bytes, size_t len, const vldaa_buffer *record)
{
	size_t found = 0;

	for (size_t at = 0; at + PIECE <= record->len; at += STEP) {
		const uint8_t *piece = record->data + at, *p = bytes;

		if (!is_telling(piece))
			continue;
		while ((p = memchr(p, piece[0], len - (size_t)(p - bytes))) != NULL) {
			if (len - (size_t)(p - bytes) < PIECE)
				break;
			if (memcmp(p, piece, PIECE) == 0) {
				found++;
				break;
			}
			p++;
		}
	}
	return found;
}

static size_t find_in_process(pid_t process, const vldaa_buffer *record, size_t *looked_at)
{
	char path[64], line[512];
	size_t found = 0;
	FILE *maps;
	int memory;

	(void)snprintf(path, sizeof path, "/proc/%ld/maps", (long)process);
	maps = fopen(path, "r");
	(void)snprintf(path, sizeof path, "/proc/%ld/mem", (long)process);
	memory = open(path, O_RDONLY | O_CLOEXEC);
	while (maps && memory >= 0 && fgets(line, sizeof line, maps)) {
		uint64_t begin, end;
		char rights[5];
		uint8_t *bytes;
		ssize_t n;

		/* What the process can write to. */
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s", &begin, &end, rights) != 3 ||
		    rights[1] != 'w' || end - begin > 1 << 28)
			continue;
		bytes = malloc((size_t)(end - begin));
		n = bytes ? pread(memory, bytes, (size_t)(end - begin), (off_t)begin) : 0;
		if (n > 0) {
			size_t here = find(bytes, (size_t)n, record);

			if (here)
				printf("%zu pieces in %s", here, line);
			found += here;
			*looked_at += (size_t)n;
		}
		free(bytes);
	}
	if (maps)
		(void)fclose(maps);
	if (memory >= 0)
		(void)close(memory);
	return found;
}

int main(int argc, char **argv)
{
	vldaa_buffer group = {NULL, 0}, record = {NULL, 0};
	const vldaa_set *set = NULL;
	size_t looked_at = 0, found = 0, telling = 0;
	vldaa_object_info info;
	int to = -1, from = -1, ok = argc == 5;
	pid_t process = -1;

	ok = ok && vldaa_load_group_key(&group, &set, argv[3]) == VLDAA_EXIT_OK &&
	     vldaa_object_inspect(&info, group.data, group.len) == VLDAA_OK &&
	     vldaa_read(&record, argv[4], 1 << 20) == VLDAA_EXIT_OK;
	for (size_t at = 0; ok && at + PIECE <= record.len; at += STEP)
		telling += (size_t)is_telling(record.data + at);
	ok = ok && telling >= LEAST_PIECES;
	if (ok)
		process = start(argv[1], argv[2], &to, &from);
	/* The second loads the key, and computes with it. */
	ok = ok && process > 0 && call(to, from, VLDAA_TPM_STATUS, info.key_id) &&
	     call(to, from, VLDAA_TPM_PUBLIC_KEY, info.key_id);
	if (ok)
		found = find_in_process(process, &record, &looked_at);
	(void)close(to);
	(void)close(from);
	if (process > 0)
		(void)waitpid(process, NULL, 0);
	printf("%zu of %zu pieces found in %zu bytes\n", found, telling, looked_at);
	vldaa_buffer_free(&group);
	vldaa_buffer_free(&record);
	return !ok || looked_at == 0 || found > 0;
}
