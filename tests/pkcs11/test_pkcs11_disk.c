/*
 * Promises about a token on a disk that is really full, or in a read-only directory: however little space is
 * left, whatever a client does is done or says what is the matter, and then changes nothing; what
 * was acknowledged is there; what needs no space goes on; and when space is made it all works.
 *
 * The disk is a small file system in memory, in a mount namespace of this program's own.  Where the
 * system does not allow that the test is skipped, and says so.
 */
#define _GNU_SOURCE /* unshare */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <linux/capability.h>

#include "operations.h"

/* Exit status of what was skipped, for ctest. */
enum { SKIPPED = 77, MAX_PAGES = 400 };

static char disk[] = "/tmp/vldaa-disk.XXXXXX";
static char filler[sizeof disk + 16];

/* --- the disk ----------------------------------------------------------------------------------
 */

static int write_text(const char *path, const char *text)
{
	const int fd = open(path, O_WRONLY);
	const ssize_t n = fd >= 0 ? write(fd, text, strlen(text)) : -1;

	(void)close(fd);
	return n < 0 ? -1 : 0;
}

/* 0, or -1 with errno. */
static int make_disk(void)
{
	const unsigned uid = getuid(), gid = getgid();
	char map[64];

	if (mkdtemp(disk) == NULL || unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0)
		return -1;
	(void)snprintf(map, sizeof map, "%u %u 1", uid, uid);
	if (write_text("/proc/self/uid_map", map) != 0 ||
	    write_text("/proc/self/setgroups", "deny") != 0)
		return -1;
	(void)snprintf(map, sizeof map, "%u %u 1", gid, gid);
	if (write_text("/proc/self/gid_map", map) != 0)
		return -1;
	(void)snprintf(filler, sizeof filler, "%s/filler", disk);
	return mount("vldaa", disk, "tmpfs", MS_NOSUID | MS_NODEV, "size=8m");
}

static unsigned long free_pages(void)
{
	struct statfs st;

	ck_assert_int_eq(statfs(disk, &st), 0);
	return st.f_bavail;
}

/* Leaves so many pages. */
static void fill(unsigned long pages)
{
	static const char page[4096] = {1};
	const int fd = open(filler, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	ck_assert_int_ge(fd, 0);
	while (free_pages() > pages)
		ck_assert_int_eq(write(fd, page, sizeof page), sizeof page);
	(void)close(fd);
	ck_assert_uint_eq(free_pages(), pages);
}

static void make_space(void)
{
	ck_assert_int_eq(unlink(filler), 0);
}

/* Root writes wherever it likes, unless it gives that up. */
static void obey_modes(int obeys)
{
	struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
	struct __user_cap_data_struct data[2];
	const uint32_t override = 1U << CAP_DAC_OVERRIDE;

	ck_assert_int_eq((int)syscall(SYS_capget, &head, data), 0);
	data[0].effective = obeys ? data[0].effective & ~override
				  : data[0].effective | (data[0].permitted & override);
	ck_assert_int_eq((int)syscall(SYS_capset, &head, data), 0);
}

/* The tokens' directories, and the one that they are in; files that are there may be written. */
static void set_read_only(int is_read_only)
{
	const mode_t mode = is_read_only ? 0500 : 0700;
	char above[160];

	for (int place = 0; place < EMPTY; place++)
		ck_assert_int_eq(chmod(world_directory(place), mode), 0);
	(void)snprintf(above, sizeof above, "%s", world_directory(EMPTY));
	*strrchr(above, '/') = '\0';
	ck_assert_int_eq(chmod(above, mode), 0);
	obey_modes(is_read_only);
}

/* --- tests -------------------------------------------------------------------------------------
 */

static void enter(void)
{
	/* A test that failed has left it. */
	(void)unlink(filler);
	ck_assert_int_eq(setenv("TMPDIR", disk, 1), 0);
	operations_enter();
}

/* A signature under what is there, without a word to the disk. */
static void check_signs(void)
{
	const CK_SESSION_HANDLE s = open_session(CAR, 0);
	const CK_OBJECT_HANDLE key = find_key(s, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_PSEUDONYM);

	/* Not when the test has just logged out. */
	if (key != 0) {
		bytes sig = sign(s, CKM_VLDAA_SIGN_COMPACT, NULL, key, "x", 1);
		bytes_free(&sig);
	}
	assert_ok(p11->C_CloseSession(s));
}

/* The register tells that it could not be written, and its reason to who debugs. */
static int is_full(const operation *o, CK_RV rv)
{
	return rv == CKR_DEVICE_MEMORY || ((o->does & REGISTERS) != 0 && rv == CKR_DEVICE_ERROR);
}

START_TEST(a_full_disk_is_told_and_nothing_is_lost)
{
	const operation *o = &operations[_i];
	unsigned long pages = 0, failures = 0;
	CK_RV rv = CKR_OK;

	if ((o->does & WRITES) == 0)
		return;
	if (o->enter != NULL)
		o->enter();
	for (; pages < MAX_PAGES; pages++) {
		const stored_state before = stored();
		const CK_ULONG objects = operations_objects();
		stored_state after;

		fill(pages);
		operations_clear_output();
		rv = o->run();
		if (rv == CKR_OK) {
			make_space();
			after = stored();
			ck_assert_msg((o->does & STORES) == 0 ||
					  memcmp(&before, &after, sizeof before) != 0,
				      "%s, %lu pages left: it is lost", o->name, pages);
			break;
		}
		failures++;
		ck_assert_msg(is_full(o, rv), "%s, %lu pages left: 0x%lx", o->name, pages, rv);
		ck_assert_msg(!operations_has_output(), "%s, %lu pages left: output", o->name,
			      pages);
		check_signs();
		make_space();
		after = stored();
		ck_assert_msg(memcmp(&before, &after, sizeof before) == 0,
			      "%s, %lu pages left: something is stored", o->name, pages);
		ck_assert_msg(operations_objects() == objects || o->run == operations[1].run,
			      "%s, %lu pages left: an object", o->name, pages);
	}
	ck_assert_msg(rv == CKR_OK, "%s, %lu pages left: 0x%lx", o->name, pages, rv);
	ck_assert_msg(failures > 0, "%s: needs no space", o->name);
}
END_TEST

START_TEST(a_read_only_directory_is_told_and_nothing_is_lost)
{
	const operation *o = &operations[_i];
	stored_state before, after;
	CK_ULONG objects;
	CK_RV rv;

	if ((o->does & WRITES) == 0)
		return;
	if (o->enter != NULL)
		o->enter();
	before = stored();
	objects = operations_objects();
	set_read_only(1);
	operations_clear_output();
	rv = o->run();
	ck_assert_msg(rv == CKR_TOKEN_WRITE_PROTECTED ||
			  ((o->does & REGISTERS) != 0 && rv == CKR_DEVICE_ERROR),
		      "%s: 0x%lx", o->name, rv);
	ck_assert_msg(!operations_has_output(), "%s: output", o->name);
	check_signs();
	set_read_only(0);
	after = stored();
	ck_assert_msg(memcmp(&before, &after, sizeof before) == 0, "%s: something is stored",
		      o->name);
	ck_assert_msg(operations_objects() == objects || o->run == operations[1].run,
		      "%s: an object", o->name);
	assert_ok(o->run());
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("pkcs11_disk");
	TCase *c = tcase_create("disk");
	SRunner *runner;
	int failed;

	if (make_disk() != 0) {
		printf("skipped: no file system of its own: %s\n", strerror(errno));
		(void)rmdir(disk);
		return SKIPPED;
	}
	tcase_add_unchecked_fixture(c, world_make, world_remove);
	tcase_add_checked_fixture(c, enter, operations_leave);
	tcase_add_loop_test(c, a_full_disk_is_told_and_nothing_is_lost, 0, OPERATIONS);
	tcase_add_loop_test(c, a_read_only_directory_is_told_and_nothing_is_lost, 0, OPERATIONS);
	suite_add_tcase(suite, c);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	(void)umount(disk);
	(void)rmdir(disk);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
