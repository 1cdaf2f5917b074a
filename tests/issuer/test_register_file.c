/*
 * Promises of vldaa/register.h on the file: only the issuer's own register opens, whole and of a
 * known version, and what does not open says why; nothing is overwritten; it is readable by its
 * owner only; a backup is whole; version 1 stays readable.
 */
#include <check.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "register_helper.h"

/* Result of opening path; when it fails, with a reason. */
static int try_open(const char *path)
{
	vldaa_register *reg;
	vldaa_register_counts counts;
	int ret = vldaa_register_open(&reg, path, TEST_SET, test_key_id);

	ck_assert_ptr_nonnull(reg);
	if (ret != VLDAA_OK) {
		ck_assert_str_ne(vldaa_register_reason(reg), "");
		ck_assert_int_eq(vldaa_register_count(reg, &counts), VLDAA_ERR_STATE);
	}
	vldaa_register_close(reg);
	return ret;
}

static void run_sql(const char *path, const char *sql)
{
	sqlite3 *db;
	char *why = NULL;

	ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
	int rc = sqlite3_exec(db, sql, NULL, NULL, &why);
	ck_assert_msg(rc == SQLITE_OK, "%s", why);
	ck_assert_int_eq(sqlite3_close(db), SQLITE_OK);
}

static void make_two_members(void)
{
	int64_t id;
	vldaa_register *reg = test_create();

	ck_assert_int_eq(test_join(reg, 1, 1, 0, &id), VLDAA_OK);
	ck_assert_int_eq(test_join(reg, 2, 2, 0, &id), VLDAA_OK);
	vldaa_register_close(reg);
}

START_TEST(another_set_and_another_key_do_not_open_it)
{
	vldaa_register *reg;
	uint8_t other[32];

	vldaa_register_close(test_create());
	memcpy(other, test_key_id, 32);
	other[31] ^= 1;
	ck_assert_int_eq(vldaa_register_open(&reg, test_path, TEST_SET, other),
			 VLDAA_ERR_WRONG_ISSUER);
	vldaa_register_close(reg);
	ck_assert_int_eq(vldaa_register_open(&reg, test_path, TEST_SET + 1, test_key_id),
			 VLDAA_ERR_WRONG_SET);
	vldaa_register_close(reg);
	ck_assert_int_eq(vldaa_register_open(&reg, test_path, TEST_SET, test_key_id), VLDAA_OK);
	vldaa_register_close(reg);
	ck_assert_int_eq(vldaa_register_open(&reg, NULL, TEST_SET, test_key_id),
			 VLDAA_ERR_ARGUMENT);
	ck_assert_ptr_null(reg);
	ck_assert_int_eq(vldaa_register_open(&reg, "", TEST_SET, test_key_id), VLDAA_ERR_ARGUMENT);
}
END_TEST

START_TEST(the_file_is_its_owners_only_whatever_the_umask)
{
	struct stat st;

	(void)umask(0);
	vldaa_register *reg = test_create();
	ck_assert_int_eq(stat(test_path, &st), 0);
	ck_assert_uint_eq(st.st_mode & 07777, 0600);
	ck_assert_int_eq(vldaa_register_backup(reg, test_file("copy.db")), VLDAA_OK);
	ck_assert_int_eq(stat(test_file("copy.db"), &st), 0);
	ck_assert_uint_eq(st.st_mode & 07777, 0600);
	vldaa_register_close(reg);
	/* An empty file of somebody else's making is taken, and closed to others. */
	test_write(test_file("empty.db"), "", 0);
	ck_assert_int_eq(chmod(test_file("empty.db"), 0666), 0);
	ck_assert_int_eq(vldaa_register_create(&reg, test_file("empty.db"), TEST_SET, test_key_id),
			 VLDAA_OK);
	vldaa_register_close(reg);
	ck_assert_int_eq(stat(test_file("empty.db"), &st), 0);
	ck_assert_uint_eq(st.st_mode & 07777, 0600);
}
END_TEST

START_TEST(nothing_is_ever_overwritten)
{
	vldaa_register *reg;
	size_t before_len;
	size_t after_len;

	make_two_members();
	test_write(test_file("text"), "precious", 8);
	const char *paths[2] = {test_path, test_file("text")};
	for (int i = 0; i < 2; i++) {
		uint8_t *before = test_read(paths[i], &before_len);
		ck_assert_int_eq(vldaa_register_create(&reg, paths[i], TEST_SET, test_key_id),
				 VLDAA_ERR_STORE);
		ck_assert_ptr_nonnull(strstr(vldaa_register_reason(reg), "already"));
		vldaa_register_close(reg);
		reg = test_open();
		ck_assert_int_eq(vldaa_register_backup(reg, paths[i]), VLDAA_ERR_STORE);
		vldaa_register_close(reg);
		uint8_t *after = test_read(paths[i], &after_len);
		ck_assert_uint_eq(before_len, after_len);
		ck_assert_mem_eq(before, after, before_len);
		free(before);
		free(after);
	}
}
END_TEST

START_TEST(foreign_files_do_not_open_and_stay_as_they_are)
{
	static uint8_t noise[8192];
	size_t before_len;
	size_t after_len;

	memset(noise, 0x5A, sizeof noise);
	test_write(test_file("empty"), "", 0);
	test_write(test_file("noise"), noise, sizeof noise);
	run_sql(test_file("foreign"), "PRAGMA journal_mode = WAL; PRAGMA application_id = 7; "
				      "CREATE TABLE members (id INTEGER PRIMARY KEY)");
	const char *names[3] = {"empty", "noise", "foreign"};
	for (int i = 0; i < 3; i++) {
		uint8_t *before = test_read(test_file(names[i]), &before_len);
		ck_assert_int_eq(try_open(test_file(names[i])), VLDAA_ERR_STORE);
		uint8_t *after = test_read(test_file(names[i]), &after_len);
		ck_assert_uint_eq(before_len, after_len);
		ck_assert_mem_eq(before, after, before_len);
		free(before);
		free(after);
	}
	ck_assert_int_eq(try_open(test_file("missing")), VLDAA_ERR_STORE);
	ck_assert_int_ne(access(test_file("missing"), F_OK), 0);
	ck_assert_int_eq(try_open(test_dir), VLDAA_ERR_STORE);
}
END_TEST

START_TEST(a_register_whose_rules_were_changed_does_not_open)
{
	static const char *const changes[] = {
	    "DROP INDEX members_live",
	    "DROP TRIGGER members_kept",
	    "DROP TABLE rogue",
	    "DELETE FROM register",
	    "CREATE TABLE more (id)",
	    "CREATE VIEW another AS SELECT * FROM members",
	    "DROP INDEX rogue_key; CREATE INDEX rogue_key ON rogue (created)",
	    "PRAGMA application_id = 1",
	    "PRAGMA user_version = 0",
	};

	make_two_members();
	test_copy(test_path, test_file("good"));
	for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
		test_copy(test_file("good"), test_path);
		run_sql(test_path, changes[i]);
		ck_assert_int_eq(try_open(test_path), VLDAA_ERR_STORE);
	}
	/* What changes no rule does no harm. */
	test_copy(test_file("good"), test_path);
	run_sql(test_path, "ANALYZE; VACUUM");
	ck_assert_int_eq(try_open(test_path), VLDAA_OK);
}
END_TEST

START_TEST(a_newer_version_is_told_from_damage)
{
	vldaa_register_close(test_create());
	run_sql(test_path, "PRAGMA user_version = 2");
	ck_assert_int_eq(try_open(test_path), VLDAA_ERR_VERSION);
}
END_TEST

static int64_t journal_is_wal(const char *path)
{
	size_t len;
	uint8_t *bytes = test_read(path, &len);
	/* File format: bytes 18 and 19 are 2 for WAL (https://sqlite.org/fileformat2.html,
	 * section 1.3). */
	int wal = len > 20 && bytes[18] == 2;

	free(bytes);
	return wal;
}

START_TEST(a_register_that_was_switched_to_wal_is_switched_back)
{
	make_two_members();
	run_sql(test_path, "PRAGMA journal_mode = WAL");
	ck_assert_int_eq(journal_is_wal(test_path), 1);
	vldaa_register *reg = test_open();
	ck_assert_int_eq(journal_is_wal(test_path), 0);
	ck_assert_int_eq(test_find(reg, 2), VLDAA_OK);
	vldaa_register_close(reg);
}
END_TEST

START_TEST(special_names_of_sqlite_are_names_of_files)
{
	static const char *const names[] = {":memory:", "file:a?mode=memory"};
	char old[512];

	ck_assert_ptr_nonnull(getcwd(old, sizeof old));
	ck_assert_int_eq(chdir(test_dir), 0);
	for (int i = 0; i < 2; i++) {
		vldaa_register *reg;
		ck_assert_int_eq(vldaa_register_create(&reg, names[i], TEST_SET, test_key_id),
				 VLDAA_OK);
		vldaa_register_close(reg);
		ck_assert_int_eq(try_open(names[i]), VLDAA_OK);
		ck_assert_int_eq(access(test_file(names[i]), F_OK), 0);
	}
	ck_assert_int_eq(chdir(old), 0);
}
END_TEST

static int visit_all(void *arg, const vldaa_register_member *m)
{
	(void)arg;
	return m->answer_len > 0 ? VLDAA_OK : -1;
}

/* Everything that reads and writes, with damage somewhere: no crash, and the check says no when
 * opening did not. */
static int use_damaged(void)
{
	vldaa_register *reg;
	int64_t id;
	vldaa_register_counts counts;
	int ret = vldaa_register_open(&reg, test_path, TEST_SET, test_key_id);

	if (ret == VLDAA_OK) {
		struct test_member t;
		uint8_t out[600];
		size_t len;
		ret = vldaa_register_check(reg);
		test_member_init(&t, 1, 1);
		int found =
		    vldaa_register_find_answer(reg, out, sizeof out, &len, t.m.request_digest);
		int listed = vldaa_register_list(reg, NULL, visit_all, NULL);
		int counted = vldaa_register_count(reg, &counts);
		int joined = test_join(reg, 9, 9, 0, &id);
		(void)(found + listed + counted + joined);
	}
	vldaa_register_close(reg);
	(void)unlink(test_file("issuer.db-journal"));
	return ret;
}

START_TEST(damage_never_crashes_and_damaged_pages_are_noticed)
{
	size_t len;

	make_two_members();
	uint8_t *good = test_read(test_path, &len);
	enum {
		PAGE = 4096,
	};
	ck_assert_uint_eq(len % PAGE, 0);
	ck_assert_uint_gt(len / PAGE, 8);
	for (size_t page = 0; page < len / PAGE; page++) {
		/* A page's kind is its first byte; page 1 has the file's header before it. */
		size_t at = page * PAGE + (page == 0 ? 100 : 0);
		good[at] ^= 0x10;
		test_write(test_path, good, len);
		ck_assert_int_eq(use_damaged(), VLDAA_ERR_STORE);
		good[at] ^= 0x10;
	}
	/* The name of the format. */
	good[3] ^= 0x20;
	test_write(test_path, good, len);
	ck_assert_int_eq(use_damaged(), VLDAA_ERR_STORE);
	good[3] ^= 0x20;
	/* Anywhere: a prime stride that goes through all offsets of a page. */
	for (size_t at = 0; at < len; at += 509) {
		good[at] ^= 0xFF;
		test_write(test_path, good, len);
		(void)use_damaged();
		good[at] ^= 0xFF;
	}
	/* Cut within a page, the last one may lose nothing but zeros; so by whole pages. */
	for (size_t cut = 0; cut < len; cut += PAGE) {
		test_write(test_path, good, cut);
		ck_assert_int_eq(use_damaged(), VLDAA_ERR_STORE);
	}
	test_write(test_path, good, len);
	ck_assert_int_eq(use_damaged(), VLDAA_OK);
	free(good);
}
END_TEST

/* The backup's temporary file is made when the backup's name was found to be free: the moment for
 * another process to take it. */
static const char *taken_meanwhile;

int __real_mkstemp(char *name);
int __wrap_mkstemp(char *name);
int __wrap_mkstemp(char *name)
{
	if (taken_meanwhile)
		test_write(taken_meanwhile, "precious", 8);
	return __real_mkstemp(name);
}

START_TEST(a_file_that_takes_the_backups_name_meanwhile_stays)
{
	vldaa_register *reg;
	size_t len = 0;

	make_two_members();
	reg = test_open();
	taken_meanwhile = test_file("copy.db");
	ck_assert_int_eq(vldaa_register_backup(reg, test_file("copy.db")), VLDAA_ERR_STORE);
	ck_assert_ptr_nonnull(strstr(vldaa_register_reason(reg), "already"));
	taken_meanwhile = NULL;
	uint8_t *after = test_read(test_file("copy.db"), &len);
	ck_assert_uint_eq(len, 8);
	ck_assert_mem_eq(after, "precious", 8);
	free(after);
	vldaa_register_close(reg);
	/* No temporary files stay. */
	ck_assert_int_eq(unlink(test_file("copy.db")), 0);
	ck_assert_int_eq(unlink(test_path), 0);
	ck_assert_int_eq(rmdir(test_dir), 0);
	ck_assert_int_eq(mkdir(test_dir, 0700), 0);
}
END_TEST

START_TEST(a_backup_has_everything_and_goes_on_by_itself)
{
	vldaa_register *reg;
	vldaa_register *copy;
	int64_t id;

	make_two_members();
	reg = test_open();
	ck_assert_int_eq(vldaa_register_backup(reg, test_file("copy.db")), VLDAA_OK);
	ck_assert_int_eq(test_join(reg, 3, 3, 0, &id), VLDAA_OK);
	ck_assert_int_eq(vldaa_register_open(&copy, test_file("copy.db"), TEST_SET, test_key_id),
			 VLDAA_OK);
	ck_assert_int_eq(vldaa_register_check(copy), VLDAA_OK);
	ck_assert_int_eq(test_find(copy, 1), VLDAA_OK);
	ck_assert_int_eq(test_find(copy, 2), VLDAA_OK);
	ck_assert_int_eq(test_find(copy, 3), VLDAA_ERR_NO_CREDENTIAL);
	vldaa_register_close(copy);
	/* No temporary files stay. */
	ck_assert_int_eq(unlink(test_file("copy.db")), 0);
	ck_assert_int_eq(vldaa_register_backup(reg, test_file("nowhere/copy.db")), VLDAA_ERR_STORE);
	ck_assert_str_ne(vldaa_register_reason(reg), "");
	vldaa_register_close(reg);
	ck_assert_int_eq(unlink(test_path), 0);
	ck_assert_int_eq(rmdir(test_dir), 0);
	ck_assert_int_eq(mkdir(test_dir, 0700), 0);
}
END_TEST

/* As a user who may not write the directory; 0 when everything was refused as it should be. */
static int use_read_only(void)
{
	vldaa_register *reg;
	int64_t id;
	uint8_t nonce[32];

	if (vldaa_register_open(&reg, test_path, TEST_SET, test_key_id) != VLDAA_OK)
		return 1;
	if (test_find(reg, 1) != VLDAA_OK)
		return 2;
	if (vldaa_register_nonce_new(reg, nonce, TEST_NOW, 1) != VLDAA_ERR_STORE ||
	    vldaa_register_reason(reg)[0] == '\0')
		return 3;
	if (test_join(reg, 3, 3, 0, &id) != VLDAA_ERR_STORE ||
	    vldaa_register_ban_member(reg, 1, "", TEST_NOW) != VLDAA_ERR_STORE)
		return 4;
	if (test_state(reg, 1) != VLDAA_MEMBER_LIVE)
		return 5;
	vldaa_register_close(reg);
	int ret = vldaa_register_create(&reg, test_file("new.db"), TEST_SET, test_key_id);
	if (ret != VLDAA_ERR_STORE || vldaa_register_reason(reg)[0] == '\0')
		return 6;
	vldaa_register_close(reg);
	return 0;
}

START_TEST(a_directory_that_cannot_be_written_refuses_changes_and_says_so)
{
	int status;

	make_two_members();
	ck_assert_int_eq(chmod(test_dir, 0555), 0);
	pid_t child = fork();
	ck_assert_int_ge(child, 0);
	if (child == 0) {
		enum {
			NOBODY = 65534,
		};
		/* Permissions do not hold root back. */
		if (geteuid() == 0 && (chown(test_path, NOBODY, NOBODY) != 0 ||
				       setgid(NOBODY) != 0 || setuid(NOBODY) != 0))
			_exit(9);
		_exit(use_read_only());
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(chmod(test_dir, 0700), 0);
	ck_assert(WIFEXITED(status));
	ck_assert_int_eq(WEXITSTATUS(status), 0);
}
END_TEST

START_TEST(a_register_of_schema_version_1_opens)
{
	size_t len;
	vldaa_register_counts c;
	struct test_member t;
	int used = 0;
	uint8_t *sql = test_read(VLDAA_FIXTURES "/register-v1.sql", &len);

	sql[len] = '\0';
	run_sql(test_path, (const char *)sql);
	free(sql);
	vldaa_register *reg = test_open();
	ck_assert_msg(vldaa_register_check(reg) == VLDAA_OK, "%s", vldaa_register_reason(reg));
	ck_assert_int_eq(vldaa_register_count(reg, &c), VLDAA_OK);
	ck_assert_int_eq(c.live, 1);
	ck_assert_int_eq(c.replaced, 1);
	ck_assert_int_eq(c.banned, 1);
	ck_assert_int_eq(c.bans, 2);
	ck_assert_int_eq(c.rogue, 1);
	ck_assert_int_eq(c.nonces, 1);
	ck_assert_int_eq(test_state(reg, 1), VLDAA_MEMBER_REPLACED);
	ck_assert_int_eq(test_state(reg, 2), VLDAA_MEMBER_LIVE);
	ck_assert_int_eq(test_state(reg, 3), VLDAA_MEMBER_BANNED);
	uint8_t out[16];
	memset(t.m.request_digest, 0xb2, 32);
	ck_assert_int_eq(vldaa_register_find_answer(reg, out, sizeof out, &len, t.m.request_digest),
			 VLDAA_OK);
	ck_assert_uint_eq(len, 4);
	ck_assert_mem_eq(out, "\x0a\x0b\x0c\x02", 4);
	static const uint8_t tag[2] = {0x01, 0x02};
	ck_assert_int_eq(vldaa_register_tag_used(reg, &used, tag, sizeof tag), VLDAA_OK);
	ck_assert_int_eq(used, 1);
	/* And it is used on: the open nonce admits a new member. */
	int64_t id;
	uint8_t nonce[32];
	memset(nonce, 0xe1, sizeof nonce);
	test_member_init(&t, 7, 7);
	const vldaa_register_seen seen = {1, 3};
	ck_assert_int_eq(vldaa_register_add(reg, &id, &t.m, nonce, 0, &seen), VLDAA_OK);
	ck_assert_int_eq(id, 4);
	vldaa_register_close(reg);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("register: file");
	TCase *tc = tcase_create("file");
	SRunner *sr = srunner_create(s);

	tcase_add_checked_fixture(tc, test_setup, test_teardown);
	tcase_set_timeout(tc, 300);
	tcase_add_test(tc, another_set_and_another_key_do_not_open_it);
	tcase_add_test(tc, the_file_is_its_owners_only_whatever_the_umask);
	tcase_add_test(tc, nothing_is_ever_overwritten);
	tcase_add_test(tc, foreign_files_do_not_open_and_stay_as_they_are);
	tcase_add_test(tc, a_register_whose_rules_were_changed_does_not_open);
	tcase_add_test(tc, a_newer_version_is_told_from_damage);
	tcase_add_test(tc, a_register_that_was_switched_to_wal_is_switched_back);
	tcase_add_test(tc, special_names_of_sqlite_are_names_of_files);
	tcase_add_test(tc, damage_never_crashes_and_damaged_pages_are_noticed);
	tcase_add_test(tc, a_file_that_takes_the_backups_name_meanwhile_stays);
	tcase_add_test(tc, a_backup_has_everything_and_goes_on_by_itself);
	tcase_add_test(tc, a_directory_that_cannot_be_written_refuses_changes_and_says_so);
	tcase_add_test(tc, a_register_of_schema_version_1_opens);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
