#include "vldaa/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <openssl/crypto.h>
#include <openssl/rand.h>

#include "vldaa/keyfile.h"

void vldaa_file_free(uint8_t *p, size_t len)
{
	OPENSSL_clear_free(p, len);
}

/* Closes without touching errno. */
static void close_quietly(int fd)
{
	int saved = errno;

	close(fd);
	errno = saved;
}

/* --- reading --- */

/* Reads up to cap bytes; fewer only at the end of the file. */
static int read_up_to(int fd, uint8_t *buffer, size_t cap, size_t *len)
{
	*len = 0;
	while (*len < cap) {
		ssize_t n = read(fd, buffer + *len, cap - *len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return VLDAA_FILE_ERR_IO;
		if (n == 0)
			break;
		*len += (size_t)n;
	}
	return VLDAA_OK;
}

/* One byte more than max, to see whether there is one. */
static int read_all(uint8_t **out, size_t *len, int fd, size_t max)
{
	size_t cap = max < 4096 ? max + 1 : 4096, have = 0, n = 0;
	uint8_t *buffer = OPENSSL_malloc(cap), *larger;
	int result;

	if (buffer == NULL)
		return VLDAA_ERR_MEMORY;
	for (;;) {
		result = read_up_to(fd, buffer + have, cap - have, &n);
		have += n;
		if (result != VLDAA_OK || have < cap)
			break;
		if (have > max) {
			errno = EFBIG;
			result = VLDAA_FILE_ERR_TOO_LARGE;
			break;
		}
		larger = OPENSSL_clear_realloc(buffer, cap, cap > max / 2 ? max + 1 : 2 * cap);
		if (larger == NULL) {
			result = VLDAA_ERR_MEMORY;
			break;
		}
		buffer = larger;
		cap = cap > max / 2 ? max + 1 : 2 * cap;
	}
	if (result != VLDAA_OK) {
		int saved = errno;

		OPENSSL_clear_free(buffer, have);
		errno = saved;
		return result;
	}
	*out = buffer;
	*len = have;
	return VLDAA_OK;
}

int vldaa_file_read(uint8_t **out, size_t *len, const char *path, size_t max)
{
	int fd, result;

	if (out == NULL || len == NULL)
		return VLDAA_ERR_ARGUMENT;
	*out = NULL;
	*len = 0;
	if (path == NULL || max == SIZE_MAX)
		return VLDAA_ERR_ARGUMENT;
	do
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	while (fd < 0 && errno == EINTR);
	if (fd < 0)
		return VLDAA_FILE_ERR_IO;
	result = read_all(out, len, fd, max);
	close_quietly(fd);
	return result;
}

/* --- writing --- */

static int write_all(int fd, const uint8_t *data, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, data, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return VLDAA_FILE_ERR_IO;
		data += n;
		len -= (size_t)n;
	}
	return VLDAA_OK;
}

/* Some file systems and all devices cannot be synchronised: EINVAL says so, and is no loss. */
static int sync_to_disk(int fd)
{
	int n;

	do
		n = fsync(fd);
	while (n != 0 && errno == EINTR);
	return n == 0 || errno == EINVAL ? VLDAA_OK : VLDAA_FILE_ERR_IO;
}

/* Writes, synchronises and closes: each of the three may be where a full disk shows. */
static int fill(int fd, const uint8_t *data, size_t len)
{
	int result = write_all(fd, data, len);

	if (result == VLDAA_OK)
		result = sync_to_disk(fd);
	if (result != VLDAA_OK) {
		close_quietly(fd);
		return result;
	}
	/* After EINTR the descriptor is closed all the same (Linux). */
	return close(fd) == 0 || errno == EINTR ? VLDAA_OK : VLDAA_FILE_ERR_IO;
}

static int write_directly(const char *path, const uint8_t *data, size_t len)
{
	int fd;

	do
		fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	while (fd < 0 && errno == EINTR);
	return fd < 0 ? VLDAA_FILE_ERR_IO : fill(fd, data, len);
}

enum { TEMPORARY_NAME = 32 };

/* A new file of its own in the directory, which nobody else has opened. */
static int open_temporary(int dir, char name[TEMPORARY_NAME], mode_t mode, int *fd)
{
	uint8_t random[8];

	for (int tries = 0; tries < 10; tries++) {
		size_t at = 0;

		if (RAND_bytes(random, sizeof(random)) != 1)
			return VLDAA_ERR_RANDOM;
		at = (size_t)snprintf(name, TEMPORARY_NAME, ".vldaa-");
		for (size_t i = 0; i < sizeof(random); i++)
			at += (size_t)snprintf(name + at, TEMPORARY_NAME - at, "%02x", random[i]);
		*fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
		if (*fd >= 0)
			return VLDAA_OK;
		if (errno != EEXIST && errno != EINTR)
			break;
	}
	return VLDAA_FILE_ERR_IO;
}

/* Gives the finished temporary file its name. */
static int put_in_place(int dir, const char *temporary, const char *name, unsigned flags)
{
	struct stat info;

	if ((flags & VLDAA_FILE_NEW) != 0) {
		/* A link, unlike a rename, fails when there is such a name. */
		if (linkat(dir, temporary, dir, name, 0) == 0) {
			unlinkat(dir, temporary, 0);
			return VLDAA_OK;
		}
		/* Where there are no hard links (FAT), looking first is the best there is. */
		if (errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS)
			return VLDAA_FILE_ERR_IO;
		if (fstatat(dir, name, &info, AT_SYMLINK_NOFOLLOW) == 0) {
			errno = EEXIST;
			return VLDAA_FILE_ERR_IO;
		}
	}
	return renameat(dir, temporary, dir, name) == 0 ? VLDAA_OK : VLDAA_FILE_ERR_IO;
}

static int write_atomically(int dir, const char *name, const uint8_t *data, size_t len,
			    unsigned flags)
{
	char temporary[TEMPORARY_NAME];
	int fd, result;

	result =
	    open_temporary(dir, temporary, (flags & VLDAA_FILE_PRIVATE) != 0 ? 0600 : 0666, &fd);
	if (result != VLDAA_OK)
		return result;
	result = fill(fd, data, len);
	if (result == VLDAA_OK)
		result = put_in_place(dir, temporary, name, flags);
	if (result != VLDAA_OK) {
		int saved = errno;

		unlinkat(dir, temporary, 0);
		errno = saved;
		return result;
	}
	return sync_to_disk(dir);
}

/* The directory that path names a file in, and the name in it. */
static int open_directory(const char *path, const char **name)
{
	const char *slash = strrchr(path, '/');
	char *copy;
	int dir;

	if (slash == NULL) {
		*name = path;
		return open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	}
	*name = slash + 1;
	/* With its slash, so that it is right for "/file" too. */
	copy = OPENSSL_strndup(path, (size_t)(slash - path) + 1);
	if (copy == NULL) {
		errno = ENOMEM;
		return -1;
	}
	dir = open(copy, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	OPENSSL_free(copy);
	return dir;
}

int vldaa_file_write(const char *path, const uint8_t *data, size_t len, unsigned flags)
{
	struct stat info;
	const char *name;
	int dir, result;

	if (path == NULL || (data == NULL && len > 0))
		return VLDAA_ERR_ARGUMENT;
	if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) {
		/* Renaming over /dev/null or a directory would be a disaster. */
		if ((flags & VLDAA_FILE_NEW) != 0 || S_ISDIR(info.st_mode)) {
			errno = S_ISDIR(info.st_mode) ? EISDIR : EEXIST;
			return VLDAA_FILE_ERR_IO;
		}
		return write_directly(path, data, len);
	}
	dir = open_directory(path, &name);
	if (dir < 0)
		return VLDAA_FILE_ERR_IO;
	result = write_atomically(dir, name, data, len, flags);
	close_quietly(dir);
	return result;
}
