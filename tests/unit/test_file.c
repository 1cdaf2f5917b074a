/*
 * Promises: reading is bounded and names what went wrong; writing replaces a file as a whole or
 * leaves it as it was, with nothing left over; private files are the owner's only; a full disk,
 * seen by write, is an error with its errno, and devices are written to, not replaced.
 */
#include <check.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "vldaa/file.h"
#include "vldaa/keyfile.h"

/* A directory for each test; tests work in it. */
static char directory[] = "/tmp/vldaa-test-XXXXXX";

static void enter(void)
{
	strcpy(directory + sizeof(directory) - 7, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(directory));
	ck_assert_int_eq(chdir(directory), 0);
	umask(022);
}

/* How many names there are. */
static int entries(void)
{
	DIR *d = opendir(directory);
	int n = 0;

	ck_assert_ptr_nonnull(d);
	while (readdir(d) != NULL)
		n++;
	closedir(d);
	return n - 2;
}

static void leave(void)
{
	DIR *d = opendir(directory);
	const struct dirent *e;

	while (d != NULL && (e = readdir(d)) != NULL) {
		if (unlink(e->d_name) != 0)
			rmdir(e->d_name);
	}
	if (d != NULL)
		closedir(d);
	ck_assert_int_eq(chdir("/"), 0);
	rmdir(directory);
}

static const uint8_t *text(const char *s)
{
	return (const uint8_t *)s;
}

static int put(const char *path, const char *s, unsigned flags)
{
	errno = 0;
	return vldaa_file_write(path, text(s), strlen(s), flags);
}

static void check_content(const char *path, const char *expect)
{
	uint8_t *p;
	size_t len;

	ck_assert_int_eq(vldaa_file_read(&p, &len, path, 1000), VLDAA_OK);
	ck_assert_uint_eq(len, strlen(expect));
	ck_assert_mem_eq(p, expect, len);
	vldaa_file_free(p, len);
}

static unsigned mode_of(const char *path)
{
	struct stat info;

	ck_assert_int_eq(stat(path, &info), 0);
	return info.st_mode & 0777;
}

START_TEST(what_is_written_is_read)
{
	static uint8_t data[100000];
	const size_t lens[] = {0, 1, 4095, 4096, 4097, 8192, 8193, sizeof(data)};

	for (size_t i = 0; i < sizeof(data); i++)
		data[i] = (uint8_t)(i * 7 + i / 256);
	for (size_t i = 0; i < sizeof(lens) / sizeof(lens[0]); i++) {
		uint8_t *p;
		size_t len;

		ck_assert_int_eq(vldaa_file_write("f", data, lens[i], 0), VLDAA_OK);
		/* With a bound far away, and one that the file just fits. */
		for (int tight = 0; tight < 2; tight++) {
			ck_assert_int_eq(vldaa_file_read(&p, &len, "f", tight ? lens[i] : 1 << 20),
					 VLDAA_OK);
			ck_assert_uint_eq(len, lens[i]);
			if (len > 0)
				ck_assert_mem_eq(p, data, len);
			vldaa_file_free(p, len);
		}
		if (lens[i] == 0)
			continue;
		ck_assert_int_eq(vldaa_file_read(&p, &len, "f", lens[i] - 1),
				 VLDAA_FILE_ERR_TOO_LARGE);
		ck_assert_int_eq(errno, EFBIG);
		ck_assert_ptr_null(p);
		ck_assert_uint_eq(len, 0);
	}
	ck_assert_int_eq(entries(), 1);
}
END_TEST

START_TEST(a_pipe_is_read_to_its_end)
{
	int ends[2];
	char path[40];
	uint8_t *p;
	size_t len;

	ck_assert_int_eq(pipe(ends), 0);
	ck_assert_int_eq(write(ends[1], "abc", 3), 3);
	close(ends[1]);
	snprintf(path, sizeof(path), "/dev/fd/%d", ends[0]);
	ck_assert_int_eq(vldaa_file_read(&p, &len, path, 10), VLDAA_OK);
	ck_assert_uint_eq(len, 3);
	vldaa_file_free(p, len);
	close(ends[0]);
}
END_TEST

START_TEST(reading_names_what_went_wrong)
{
	const struct {
		const char *path;
		int error;
	} cases[] = {
	    {"nothing", ENOENT},
	    {".", EISDIR},
	    {"nothing/f", ENOENT},
	    {"/proc/self/mem", EIO}, /* opens, and the first read fails */
	};
	uint8_t *p = NULL;
	size_t len;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		errno = 0;
		ck_assert_int_eq(vldaa_file_read(&p, &len, cases[i].path, 100), VLDAA_FILE_ERR_IO);
		ck_assert_int_eq(errno, cases[i].error);
		ck_assert_ptr_null(p);
	}
	ck_assert_int_eq(vldaa_file_read(&p, &len, "/dev/zero", 100000), VLDAA_FILE_ERR_TOO_LARGE);
	ck_assert_int_eq(vldaa_file_read(&p, &len, NULL, 100), VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_file_read(&p, &len, "f", SIZE_MAX), VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_file_read(NULL, &len, "f", 100), VLDAA_ERR_ARGUMENT);
}
END_TEST

START_TEST(private_files_are_the_owners_only)
{
	ck_assert_int_eq(put("public", "p", 0), VLDAA_OK);
	ck_assert_int_eq(put("private", "s", VLDAA_FILE_PRIVATE), VLDAA_OK);
	ck_assert_uint_eq(mode_of("public"), 0644);
	ck_assert_uint_eq(mode_of("private"), 0600);
	/* Also where a file that everyone may read was before. */
	ck_assert_int_eq(put("public", "s", VLDAA_FILE_PRIVATE), VLDAA_OK);
	ck_assert_uint_eq(mode_of("public"), 0600);
	umask(0);
	ck_assert_int_eq(put("private", "s", VLDAA_FILE_PRIVATE), VLDAA_OK);
	ck_assert_uint_eq(mode_of("private"), 0600);
}
END_TEST

START_TEST(a_file_is_replaced_unless_it_must_be_new)
{
	char path[100];

	ck_assert_int_eq(put("f", "old", VLDAA_FILE_NEW), VLDAA_OK);
	ck_assert_int_eq(put("f", "new", VLDAA_FILE_NEW), VLDAA_FILE_ERR_IO);
	ck_assert_int_eq(errno, EEXIST);
	check_content("f", "old");
	ck_assert_int_eq(put("f", "new", 0), VLDAA_OK);
	check_content("f", "new");
	/* By its whole path, too. */
	snprintf(path, sizeof(path), "%s/f", directory);
	ck_assert_int_eq(put(path, "newer", 0), VLDAA_OK);
	check_content("f", "newer");
	ck_assert_int_eq(entries(), 1);
}
END_TEST

START_TEST(a_reader_of_the_old_file_keeps_it)
{
	char old[4] = "";

	ck_assert_int_eq(put("f", "old", 0), VLDAA_OK);
	int fd = open("f", O_RDONLY);
	ck_assert_int_eq(put("f", "new", 0), VLDAA_OK);
	ck_assert_int_eq(read(fd, old, 3), 3);
	ck_assert_str_eq(old, "old");
	close(fd);
}
END_TEST

START_TEST(a_symbolic_link_is_replaced_and_its_target_untouched)
{
	ck_assert_int_eq(put("target", "t", 0), VLDAA_OK);
	ck_assert_int_eq(symlink("target", "link"), 0);
	ck_assert_int_eq(symlink("nowhere", "dangling"), 0);
	ck_assert_int_eq(put("link", "new", 0), VLDAA_OK);
	ck_assert_int_eq(put("dangling", "new", VLDAA_FILE_NEW), VLDAA_FILE_ERR_IO);
	ck_assert_int_eq(errno, EEXIST);
	check_content("target", "t");
	check_content("link", "new");
	ck_assert_int_eq(entries(), 3);
}
END_TEST

START_TEST(writing_names_what_went_wrong_and_leaves_nothing)
{
	const struct {
		const char *path;
		int error;
	} cases[] = {
	    {"nothing/f", ENOENT}, {".", EISDIR},    {"sub", EISDIR}, {"sub/", EISDIR},
	    {"f/g", ENOTDIR},      {"new/", ENOENT}, {"", ENOENT},
	};

	ck_assert_int_eq(mkdir("sub", 0700), 0);
	ck_assert_int_eq(put("f", "f", 0), VLDAA_OK);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		ck_assert_int_eq(put(cases[i].path, "x", 0), VLDAA_FILE_ERR_IO);
		ck_assert_int_eq(errno, cases[i].error);
	}
	ck_assert_int_eq(vldaa_file_write(NULL, text("x"), 1, 0), VLDAA_ERR_ARGUMENT);
	ck_assert_int_eq(vldaa_file_write("f", NULL, 1, 0), VLDAA_ERR_ARGUMENT);
	check_content("f", "f");
	ck_assert_int_eq(entries(), 2);
}
END_TEST

START_TEST(a_disk_that_fills_up_leaves_the_old_file)
{
	/* A limit on file sizes stands for the end of the disk: write fails in the same place. */
	const struct rlimit limit = {1000, 1000};
	static uint8_t data[5000];

	ck_assert_int_eq(put("f", "old", 0), VLDAA_OK);
	signal(SIGXFSZ, SIG_IGN);
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	ck_assert_int_eq(vldaa_file_write("f", data, sizeof(data), VLDAA_FILE_PRIVATE),
			 VLDAA_FILE_ERR_IO);
	ck_assert_int_eq(errno, EFBIG);
	ck_assert_int_eq(vldaa_file_write("g", data, sizeof(data), VLDAA_FILE_NEW),
			 VLDAA_FILE_ERR_IO);
	check_content("f", "old");
	ck_assert_int_eq(entries(), 1);
	ck_assert_int_eq(vldaa_file_write("f", data, 1000, 0), VLDAA_OK);
}
END_TEST

START_TEST(devices_are_written_to_and_not_replaced)
{
	struct stat info;

	ck_assert_int_eq(symlink("/dev/full", "full"), 0);
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(put(i == 0 ? "/dev/full" : "full", "x", VLDAA_FILE_PRIVATE),
				 VLDAA_FILE_ERR_IO);
		ck_assert_int_eq(errno, ENOSPC);
	}
	ck_assert_int_eq(put("/dev/null", "x", 0), VLDAA_OK);
	ck_assert_int_eq(put("/dev/null", "x", VLDAA_FILE_NEW), VLDAA_FILE_ERR_IO);
	ck_assert_int_eq(errno, EEXIST);
	ck_assert_int_eq(stat("/dev/null", &info), 0);
	ck_assert(S_ISCHR(info.st_mode));
	ck_assert_int_eq(stat("/dev/full", &info), 0);
	ck_assert(S_ISCHR(info.st_mode));
}
END_TEST

int main(void)
{
	Suite *s = suite_create("files");
	TCase *tc = tcase_create("files");
	SRunner *sr = srunner_create(s);

	tcase_add_checked_fixture(tc, enter, leave);
	tcase_add_test(tc, what_is_written_is_read);
	tcase_add_test(tc, a_pipe_is_read_to_its_end);
	tcase_add_test(tc, reading_names_what_went_wrong);
	tcase_add_test(tc, private_files_are_the_owners_only);
	tcase_add_test(tc, a_file_is_replaced_unless_it_must_be_new);
	tcase_add_test(tc, a_reader_of_the_old_file_keeps_it);
	tcase_add_test(tc, a_symbolic_link_is_replaced_and_its_target_untouched);
	tcase_add_test(tc, writing_names_what_went_wrong_and_leaves_nothing);
	tcase_add_test(tc, a_disk_that_fills_up_leaves_the_old_file);
	tcase_add_test(tc, devices_are_written_to_and_not_replaced);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
