#include "files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <openssl/crypto.h>

#include "mismatch.h"
#include "output.h"
#include "report.h"
#include "vldaa/keyfile.h"

enum { PIECE = 65536, MAX_ANY_OBJECT = 1 << 20, MEGABYTE = 1 << 20, LARGE = 64 };

/* --- buffers -----------------------------------------------------------------------------------
 */

int vldaa_buffer_new(vldaa_buffer *b, size_t len)
{
	b->data = OPENSSL_zalloc(len ? len : 1);
	b->len = b->data ? len : 0;
	return b->data ? VLDAA_EXIT_OK : vldaa_report(NULL, VLDAA_ERR_MEMORY);
}

int vldaa_buffer_for(vldaa_buffer *b, const vldaa_set *set, enum vldaa_kind kind)
{
	return vldaa_buffer_new(b, vldaa_object_max_size(set, kind));
}

void vldaa_buffer_free(vldaa_buffer *b)
{
	OPENSSL_clear_free(b->data, b->len);
	*b = (vldaa_buffer){NULL, 0};
}

/* --- whole files -------------------------------------------------------------------------------
 */

static int is_standard(const char *path)
{
	return strcmp(path, "-") == 0;
}

int vldaa_read_code(vldaa_buffer *out, const char *path, size_t max)
{
	return vldaa_file_read(&out->data, &out->len, is_standard(path) ? "/dev/stdin" : path, max);
}

int vldaa_read(vldaa_buffer *out, const char *path, size_t max)
{
	int err = vldaa_read_code(out, path, max);

	return err ? vldaa_report(is_standard(path) ? "standard input" : path, err) : VLDAA_EXIT_OK;
}

/* The largest object of this kind of all sets, and room for others, so that they can be named. */
static size_t max_size(enum vldaa_kind kind)
{
	const vldaa_set *set;
	size_t max = MAX_ANY_OBJECT;

	for (size_t i = 0; (set = vldaa_set_at(i)) != NULL; i++) {
		size_t n = vldaa_object_max_size(set, kind);

		max = n > max ? n : max;
	}
	return max;
}

void vldaa_say_mismatch(const char *path, const vldaa_buffer *is, const char *wanted)
{
	char text[VLDAA_MISMATCH_TEXT];

	vldaa_mismatch(text, is->data, is->len, wanted);
	vldaa_say("%s: %s", path, text);
}

int vldaa_read_object(vldaa_buffer *out, vldaa_object_info *info, const char *path,
		      enum vldaa_kind kind)
{
	vldaa_object_info unused;
	int status = VLDAA_EXIT_OK, err;

	if (!info)
		info = &unused;
	err = vldaa_read_code(out, path, max_size(kind));
	if (err) {
		status = vldaa_report(path, err);
		return err == VLDAA_FILE_ERR_TOO_LARGE ? VLDAA_EXIT_INVALID : status;
	}
	err = vldaa_object_inspect(info, out->data, out->len);
	if (err == VLDAA_ERR_KIND || (!err && info->kind != kind)) {
		vldaa_say_mismatch(path, out, vldaa_kind_name(kind));
		status = VLDAA_EXIT_INVALID;
	} else if (err) {
		status = vldaa_report(path, err);
	}
	if (status != VLDAA_EXIT_OK)
		vldaa_buffer_free(out);
	return status;
}

int vldaa_write(const char *path, const uint8_t *data, size_t len, unsigned flags)
{
	int err;

	if (is_standard(path)) {
		if (fwrite(data, 1, len, stdout) != len || fflush(stdout) != 0)
			return vldaa_report_errno("standard output");
		return VLDAA_EXIT_OK;
	}
	err = vldaa_file_write(path, data, len, flags);
	return err ? vldaa_report(path, err) : VLDAA_EXIT_OK;
}

/* --- pieces ------------------------------------------------------------------------------------
 */

/* A bar for files that take seconds. */
static void begin_progress(vldaa_progress *progress, int fd, const char *what)
{
	struct stat info;
	int64_t megabytes = 0;

	if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode))
		megabytes = (int64_t)info.st_size / MEGABYTE;
	vldaa_progress_begin(progress, what, megabytes > LARGE ? (size_t)megabytes : 0);
	progress->unit = " MB";
}

static int stream_from(int fd, const char *name, const char *what, vldaa_consume *consume,
		       void *arg)
{
	uint8_t *piece = OPENSSL_malloc(PIECE);
	vldaa_progress progress;
	uint64_t done = 0;
	int status = VLDAA_EXIT_OK;

	if (!piece)
		return vldaa_report(NULL, VLDAA_ERR_MEMORY);
	begin_progress(&progress, fd, what);
	for (;;) {
		ssize_t n = read(fd, piece, PIECE);
		int err;

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			const int why = errno;

			vldaa_progress_end(&progress);
			errno = why;
			status = vldaa_report_errno(name);
		}
		if (n <= 0)
			break;
		err = consume(arg, piece, (size_t)n);
		done += (uint64_t)n;
		vldaa_progress_step(&progress, (size_t)(done / MEGABYTE));
		if (err) {
			vldaa_progress_end(&progress);
			status = vldaa_report(name, err);
			break;
		}
	}
	vldaa_progress_end(&progress);
	OPENSSL_clear_free(piece, PIECE);
	return status;
}

int vldaa_stream(const char *path, const char *what, vldaa_consume *consume, void *arg)
{
	int fd, status;

	if (is_standard(path))
		return stream_from(STDIN_FILENO, "standard input", what, consume, arg);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return vldaa_report_errno(path);
	status = stream_from(fd, path, what, consume, arg);
	(void)close(fd);
	return status;
}

/* --- names -------------------------------------------------------------------------------------
 */

char *vldaa_path(const char *directory, const char *name)
{
	size_t size = strlen(directory) + strlen(name) + 2;
	char *path = malloc(size);

	if (path)
		(void)snprintf(path, size, "%s/%s", directory, name);
	else
		(void)vldaa_report(NULL, VLDAA_ERR_MEMORY);
	return path;
}

int vldaa_exists(const char *path)
{
	struct stat info;

	return lstat(path, &info) == 0;
}

int vldaa_make_directory(const char *path)
{
	struct stat info;

	if (mkdir(path, 0700) == 0)
		return VLDAA_EXIT_OK;
	if (errno != EEXIST)
		return vldaa_report_errno(path);
	if (stat(path, &info) != 0)
		return vldaa_report_errno(path);
	if (!S_ISDIR(info.st_mode)) {
		errno = ENOTDIR;
		return vldaa_report_errno(path);
	}
	return VLDAA_EXIT_OK;
}

static int is_empty(const char *path)
{
	DIR *directory = opendir(path);
	const struct dirent *entry;
	int empty = directory != NULL;

	while (empty && (entry = readdir(directory)) != NULL)
		empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
	if (directory)
		(void)closedir(directory);
	return empty;
}

int vldaa_make_private_directory(const char *path)
{
	struct stat info;
	int status = vldaa_make_directory(path);

	if (status != VLDAA_EXIT_OK)
		return status;
	if (stat(path, &info) != 0)
		return vldaa_report_errno(path);
	if (info.st_uid != geteuid()) {
		vldaa_say("%s: this directory is another user's", path);
		return VLDAA_EXIT_USAGE;
	}
	if ((info.st_mode & (S_IRWXG | S_IRWXO)) == 0)
		return VLDAA_EXIT_OK;
	if (is_empty(path))
		return chmod(path, S_IRWXU) == 0 ? VLDAA_EXIT_OK : vldaa_report_errno(path);
	vldaa_say("%s: others may enter this directory, which is to hold secrets: chmod 700 %s",
		  path, path);
	return VLDAA_EXIT_USAGE;
}

int vldaa_is_missing(const char *path)
{
	struct stat info;

	return lstat(path, &info) != 0 && (errno == ENOENT || errno == ENOTDIR);
}

int vldaa_check_directory(const char *directory, const char *file, const char *kind,
			  const char *command)
{
	char *path = vldaa_path(directory, file);
	int status = path ? VLDAA_EXIT_OK : VLDAA_EXIT_FAILED;

	if (path && vldaa_is_missing(path)) {
		vldaa_say("%s is not %s directory (%s makes one)", directory, kind, command);
		status = VLDAA_EXIT_FAILED;
	}
	free(path);
	return status;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

int vldaa_parse_hex(uint8_t *out, size_t max, size_t *len, const char *text)
{
	size_t digits = strlen(text);

	*len = 0;
	if (digits == 0 || digits % 2 != 0 || digits / 2 > max) {
		vldaa_say("%s: not 1 to %zu bytes in hexadecimal", text, max);
		return VLDAA_EXIT_USAGE;
	}
	for (size_t i = 0; i < digits / 2; i++) {
		int high = hex_digit(text[2 * i]), low = hex_digit(text[2 * i + 1]);

		if (high < 0 || low < 0) {
			vldaa_say("%s: not hexadecimal", text);
			return VLDAA_EXIT_USAGE;
		}
		out[i] = (uint8_t)(high * 16 + low);
	}
	*len = digits / 2;
	return VLDAA_EXIT_OK;
}
