/*
 * Promises about a token's files: nobody but the owner reads them; what is private is not in them in
 * clear, nor is what was deleted, and what is in clear does not pass for private; what is no token, or a newer release's, is not recognized and left
 * as it is; what cannot be written is read; what is taken away is gone; what version 1 wrote is read.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sqlite3.h>

#include "module.h"

static const char *file_of(int place)
{
	static char path[160];

	(void)snprintf(path, sizeof path, "%s/token.db", world_directory(place));
	return path;
}

static bytes read_file(const char *path)
{
	FILE *f = fopen(path, "rb");
	bytes b = {malloc(1 << 20), 0};

	ck_assert(f != NULL && b.data != NULL);
	b.len = fread(b.data, 1, 1 << 20, f);
	ck_assert_uint_lt(b.len, 1 << 20);
	ck_assert_int_eq(fclose(f), 0);
	return b;
}

static void write_file(const char *path, const void *data, size_t len)
{
	FILE *f = fopen(path, "wb");

	ck_assert_ptr_nonnull(f);
	ck_assert_uint_eq(fwrite(data, 1, len, f), len);
	ck_assert_int_eq(fclose(f), 0);
}

static int contains(const bytes *b, const void *what, size_t len)
{
	for (size_t i = 0; i + len <= b->len; i++) {
		if (memcmp(b->data + i, what, len) == 0)
			return 1;
	}
	return 0;
}

static CK_OBJECT_HANDLE make_data(CK_SESSION_HANDLE s, const char *text, int is_private)
{
	CK_OBJECT_CLASS class = CKO_DATA;
	CK_BBOOL yes = CK_TRUE, private = is_private ? CK_TRUE : CK_FALSE;
	char value[64];
	CK_ATTRIBUTE templ[] = {{CKA_CLASS, &class, sizeof class},
				{CKA_TOKEN, &yes, 1},
				{CKA_PRIVATE, &private, 1},
				{CKA_VALUE, value, strlen(text)}};
	CK_OBJECT_HANDLE o;

	memcpy(value, text, strlen(text));
	assert_ok(p11->C_CreateObject(s, templ, 4, &o));
	return o;
}

/* --- secrets -----------------------------------------------------------------------------------
 */

START_TEST(files_are_their_owners)
{
	struct stat st;
	uint8_t pin[] = SO_PIN, label[32];

	memset(label, ' ', sizeof label);
	assert_ok(p11->C_InitToken(EMPTY, pin, sizeof pin - 1, label));
	ck_assert_int_eq(stat(world_directory(EMPTY), &st), 0);
	ck_assert_uint_eq(st.st_mode & 0777, 0700);
	ck_assert_int_eq(stat(file_of(EMPTY), &st), 0);
	ck_assert_uint_eq(st.st_mode & 0777, 0600);
}
END_TEST

START_TEST(a_file_that_was_there_empty_becomes_its_owners)
{
	uint8_t pin[] = SO_PIN, label[32];
	struct stat st;

	memset(label, ' ', sizeof label);
	ck_assert_int_eq(mkdir(world_directory(EMPTY), 0755), 0);
	write_file(file_of(EMPTY), (const uint8_t *)"", 0);
	ck_assert_int_eq(chmod(file_of(EMPTY), 0666), 0);
	assert_ok(p11->C_InitToken(EMPTY, pin, sizeof pin - 1, label));
	ck_assert_int_eq(stat(file_of(EMPTY), &st), 0);
	ck_assert_uint_eq(st.st_mode & 0777, 0600);
}
END_TEST

START_TEST(what_is_private_is_not_in_the_file_in_clear)
{
	static const char hidden[] = "a private note in clear", shown[] = "a public note in clear";
	CK_SESSION_HANDLE s = user_session(CAR);
	CK_OBJECT_HANDLE o = make_data(s, shown, 0);
	bytes file;

	(void)make_data(s, hidden, 1);
	file = read_file(file_of(CAR));
	/* The search would find it. */
	ck_assert_int_eq(contains(&file, shown, sizeof shown - 1), 1);
	ck_assert_int_eq(contains(&file, hidden, sizeof hidden - 1), 0);
	ck_assert_int_eq(contains(&file, USER_PIN, sizeof USER_PIN - 1), 0);
	/* Objects of the library begin with "VLDA" and their kind: public ones are there, the secret
	 * ones (TPM key 3, host key 4, credential 9, pseudonym 22) are not. */
	ck_assert_int_eq(contains(&file, "VLDA\014", 5), 1);
	ck_assert_int_eq(contains(&file, "VLDA\003", 5), 0);
	ck_assert_int_eq(contains(&file, "VLDA\004", 5), 0);
	ck_assert_int_eq(contains(&file, "VLDA\011", 5), 0);
	ck_assert_int_eq(contains(&file, "VLDA\026", 5), 0);
	bytes_free(&file);
	/* What is deleted is overwritten. */
	assert_ok(p11->C_DestroyObject(s, o));
	file = read_file(file_of(CAR));
	ck_assert_int_eq(contains(&file, shown, sizeof shown - 1), 0);
	bytes_free(&file);
}
END_TEST

/* One row's ciphertext in another's place. */
START_TEST(sealed_values_do_not_change_places)
{
	CK_SESSION_HANDLE s = user_session(CAR);
	sqlite3 *db;

	(void)make_data(s, "one", 1);
	(void)make_data(s, "two", 1);
	assert_ok(p11->C_CloseAllSessions(CAR));
	ck_assert_int_eq(sqlite3_open(file_of(CAR), &db), SQLITE_OK);
	ck_assert_int_eq(
	    sqlite3_exec(db,
			 "UPDATE objects SET attributes = (SELECT attributes FROM objects"
			 " ORDER BY id DESC LIMIT 1) WHERE id = (SELECT id FROM objects"
			 " ORDER BY id DESC LIMIT 1 OFFSET 1)",
			 NULL, NULL, NULL),
	    SQLITE_OK);
	ck_assert_int_eq(sqlite3_changes(db), 1);
	ck_assert_int_eq(sqlite3_close(db), SQLITE_OK);
	s = open_session(CAR, 0);
	assert_rv(login(s, CKU_USER, USER_PIN), CKR_TOKEN_NOT_RECOGNIZED);
	assert_rv(p11->C_Logout(s), CKR_USER_NOT_LOGGED_IN);
}
END_TEST

/* Of a row in clear: CKA_PRIVATE as it lies in the file, type and length in front. */
static void call_it_private(sqlite3 *db, sqlite3_int64 id)
{
	static const uint8_t shown[13] = {[7] = CKA_PRIVATE, [11] = 1};
	sqlite3_blob *blob;
	uint8_t row[1024];
	int len, at = 0;

	ck_assert_int_eq(sqlite3_blob_open(db, "main", "objects", "attributes", id, 1, &blob),
			 SQLITE_OK);
	len = sqlite3_blob_bytes(blob);
	ck_assert(len >= (int)sizeof shown && len <= (int)sizeof row);
	ck_assert_int_eq(sqlite3_blob_read(blob, row, len, 0), SQLITE_OK);
	while (at + (int)sizeof shown < len && memcmp(row + at, shown, sizeof shown) != 0)
		at++;
	ck_assert_mem_eq(row + at, shown, sizeof shown);
	ck_assert_int_eq(sqlite3_blob_write(blob, "\1", 1, at + (int)sizeof shown - 1), SQLITE_OK);
	ck_assert_int_eq(sqlite3_blob_close(blob), SQLITE_OK);
}

/* Who can write to the file, and has no PIN, would put an object among what only its owner can have made. */
START_TEST(what_is_in_clear_does_not_pass_for_private)
{
	static const char note[] = "a note of somebody else";
	CK_SESSION_HANDLE s = user_session(CAR);
	sqlite3 *db;
	sqlite3_int64 id;

	id = (sqlite3_int64)(make_data(s, note, 0) / 2);
	assert_ok(p11->C_CloseAllSessions(CAR));
	ck_assert_int_eq(sqlite3_open(file_of(CAR), &db), SQLITE_OK);
	call_it_private(db, id);
	ck_assert_int_eq(sqlite3_close(db), SQLITE_OK);
	assert_rv(p11->C_OpenSession(CAR, CKF_SERIAL_SESSION, NULL, NULL, &s),
		  CKR_TOKEN_NOT_RECOGNIZED);
}
END_TEST

/* --- what is no token --------------------------------------------------------------------------
 */

static void not_recognized(int place)
{
	CK_SESSION_HANDLE s;
	CK_TOKEN_INFO info;
	uint8_t pin[] = SO_PIN, label[32];
	bytes before = read_file(file_of(place)), after;

	memset(label, ' ', sizeof label);
	assert_rv(p11->C_OpenSession((CK_SLOT_ID)place, CKF_SERIAL_SESSION, NULL, NULL, &s),
		  CKR_TOKEN_NOT_RECOGNIZED);
	assert_rv(p11->C_GetTokenInfo((CK_SLOT_ID)place, &info), CKR_TOKEN_NOT_RECOGNIZED);
	assert_rv(p11->C_InitToken((CK_SLOT_ID)place, pin, sizeof pin - 1, label),
		  CKR_TOKEN_NOT_RECOGNIZED);
	after = read_file(file_of(place));
	ck_assert(before.len == after.len && memcmp(before.data, after.data, after.len) == 0);
	bytes_free(&before);
	bytes_free(&after);
	/* The others do not mind. */
	s = user_session(BLANK);
	assert_ok(p11->C_CloseSession(s));
}

static void make_database(int place, const char *sql)
{
	sqlite3 *db;

	(void)mkdir(world_directory(place), 0700);
	(void)unlink(file_of(place));
	ck_assert_int_eq(sqlite3_open(file_of(place), &db), SQLITE_OK);
	ck_assert_msg(sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK, "%s",
		      sqlite3_errmsg(db));
	ck_assert_int_eq(sqlite3_close(db), SQLITE_OK);
}

START_TEST(a_file_that_is_no_database_is_left_alone)
{
	write_file(file_of(CAR), "this is no database, and never was", 34);
	not_recognized(CAR);
}
END_TEST

START_TEST(somebody_elses_database_is_left_alone)
{
	make_database(CAR, "CREATE TABLE token (id INTEGER); PRAGMA user_version = 1");
	not_recognized(CAR);
}
END_TEST

START_TEST(a_newer_releases_token_is_left_alone)
{
	sqlite3 *db;

	ck_assert_int_eq(sqlite3_open(file_of(CAR), &db), SQLITE_OK);
	ck_assert_int_eq(sqlite3_exec(db, "PRAGMA user_version = 2", NULL, NULL, NULL), SQLITE_OK);
	ck_assert_int_eq(sqlite3_close(db), SQLITE_OK);
	not_recognized(CAR);
}
END_TEST

START_TEST(a_damaged_file_is_an_error_and_no_crash)
{
	bytes file = read_file(file_of(CAR));

	/* Somewhere in each page, and cut off. */
	for (size_t at = 200; at < file.len; at += 4096) {
		CK_SESSION_HANDLE s;
		CK_RV rv;

		file.data[at] ^= 0xff;
		write_file(file_of(CAR), file.data, at % 8192 < 4096 ? file.len : file.len / 2);
		rv = p11->C_OpenSession(CAR, CKF_SERIAL_SESSION, NULL, NULL, &s);
		if (rv == CKR_OK)
			rv = p11->C_FindObjectsInit(s, NULL, 0);
		ck_assert(rv == CKR_OK || rv == CKR_TOKEN_NOT_RECOGNIZED || rv == CKR_DEVICE_ERROR);
		file.data[at] ^= 0xff;
		assert_ok(p11->C_Finalize(NULL));
		write_file(file_of(CAR), file.data, file.len);
		assert_ok(p11->C_Initialize(NULL));
	}
	ck_assert_uint_ne(find_key(user_session(CAR), CKO_PRIVATE_KEY, CK_VLDAA_ROLE_MEMBER), 0);
	bytes_free(&file);
}
END_TEST

/* --- what cannot be written --------------------------------------------------------------------
 */

enum { NOBODY = 65534 };

static void hand_over(const char *path, mode_t mode)
{
	if (geteuid() == 0)
		ck_assert_int_eq(chown(path, NOBODY, NOBODY), 0);
	ck_assert_int_eq(chmod(path, mode), 0);
}

/* In a process for which modes count; the exit status is the line that did not hold. */
static int use_read_only(void)
{
	uint8_t pin[] = SO_PIN, label[32];
	CK_SESSION_HANDLE s;
	CK_TOKEN_INFO info;

	memset(label, ' ', sizeof label);
	if (geteuid() == 0 && setuid(NOBODY) != 0)
		return __LINE__;
	if (p11->C_Initialize(NULL) != CKR_OK || p11->C_GetTokenInfo(CAR, &info) != CKR_OK ||
	    (info.flags & CKF_WRITE_PROTECTED) == 0)
		return __LINE__;
	if (p11->C_OpenSession(CAR, CKF_SERIAL_SESSION | CKF_RW_SESSION, NULL, NULL, &s) !=
		CKR_TOKEN_WRITE_PROTECTED ||
	    p11->C_OpenSession(CAR, CKF_SERIAL_SESSION, NULL, NULL, &s) != CKR_OK)
		return __LINE__;
	/* A try could not be written down. */
	if (login(s, CKU_USER, USER_PIN) != CKR_TOKEN_WRITE_PROTECTED)
		return __LINE__;
	if (find_key(s, CKO_PUBLIC_KEY, CK_VLDAA_ROLE_GROUP) == 0)
		return __LINE__;
	if (p11->C_InitToken(EMPTY, pin, sizeof pin - 1, label) != CKR_TOKEN_WRITE_PROTECTED)
		return __LINE__;
	return 0;
}

/* The file alone, or what it lies in alone, is enough: a journal goes beside it. */
START_TEST(a_token_that_cannot_be_written_is_read)
{
	int status;
	pid_t child;

	hand_over(file_of(CAR), _i == 0 ? 0400 : 0600);
	char lock[160];
	(void)snprintf(lock, sizeof lock, "%s/token.lock", world_directory(CAR));
	hand_over(lock, 0600);
	hand_over(world_directory(CAR), _i == 0 ? 0700 : 0500);
	(void)mkdir(world_directory(EMPTY), 0700);
	hand_over(world_directory(EMPTY), 0500);
	child = fork();
	ck_assert_int_ge(child, 0);
	if (child == 0) {
		char above[160];

		/* The way to it. */
		(void)snprintf(above, sizeof above, "%s/..", world_directory(CAR));
		if (chmod(above, 0755) != 0)
			_exit(1);
		_exit(use_read_only() % 256);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
	ck_assert_int_eq(chmod(world_directory(CAR), 0700), 0);
	ck_assert_int_eq(chmod(world_directory(EMPTY), 0700), 0);
}
END_TEST

/* --- files that go away ------------------------------------------------------------------------
 */

START_TEST(a_token_whose_file_is_taken_away_is_gone_and_another_in_its_place_is_another)
{
	CK_SESSION_HANDLE s = user_session(CAR);
	const CK_OBJECT_HANDLE key = find_key(s, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_PSEUDONYM);
	CK_MECHANISM m = {CKM_VLDAA_SIGN_COMPACT, NULL, 0};
	CK_TOKEN_INFO info;
	bytes file = read_file(file_of(CAR));

	ck_assert_int_eq(unlink(file_of(CAR)), 0);
	assert_rv(p11->C_SignInit(s, &m, key), CKR_TOKEN_NOT_RECOGNIZED);
	assert_ok(p11->C_GetTokenInfo(CAR, &info));
	ck_assert_uint_eq(info.flags & CKF_TOKEN_INITIALIZED, 0);
	/* A copy that is put back is not what the session was on. */
	write_file(file_of(CAR), file.data, file.len);
	assert_rv(p11->C_SignInit(s, &m, key), CKR_DEVICE_REMOVED);
	assert_ok(p11->C_CloseSession(s));
	ck_assert_uint_ne(find_key(user_session(CAR), CKO_PRIVATE_KEY, CK_VLDAA_ROLE_MEMBER), 0);
	bytes_free(&file);
}
END_TEST

START_TEST(a_directory_is_the_same_wherever_the_process_goes)
{
	char *list = strdup(getenv("VLDAA_TOKEN_DIR"));

	assert_ok(p11->C_Finalize(NULL));
	ck_assert_int_eq(chdir(world_directory(CAR)), 0);
	ck_assert_int_eq(setenv("VLDAA_TOKEN_DIR", "../issuer:.", 1), 0);
	assert_ok(p11->C_Initialize(NULL));
	ck_assert_int_eq(chdir("/"), 0);
	ck_assert_uint_ne(find_key(user_session(1), CKO_PRIVATE_KEY, CK_VLDAA_ROLE_MEMBER), 0);
	CK_SESSION_HANDLE issuer = user_session(0);
	bytes nonce = sign(issuer, CKM_VLDAA_JOIN_NONCE, NULL,
			   find_key(issuer, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_ISSUER), "", 0);
	bytes_free(&nonce);
	ck_assert_int_eq(setenv("VLDAA_TOKEN_DIR", list, 1), 0);
	free(list);
}
END_TEST

/* --- versions ----------------------------------------------------------------------------------
 */

START_TEST(a_token_of_version_1_is_read)
{
	bytes sql = read_file(VLDAA_FIXTURES "/token-v1.sql"), value;
	char diary[] = "diary", label[] = "member";
	CK_ATTRIBUTE by_diary = {CKA_LABEL, diary, 5}, by_label = {CKA_LABEL, label, 6};
	CK_SESSION_HANDLE s;
	CK_TOKEN_INFO info;
	bytes none;

	sql.data[sql.len] = '\0';
	make_database(EMPTY, (const char *)sql.data);
	assert_ok(p11->C_GetTokenInfo(EMPTY, &info));
	ck_assert_int_eq(memcmp(info.label, "fixture v1 ", 11), 0);
	s = open_session(EMPTY, CKF_RW_SESSION);
	assert_ok(login(s, CKU_SO, SO_PIN));
	assert_ok(p11->C_Logout(s));
	assert_ok(login(s, CKU_USER, USER_PIN));
	ck_assert_uint_eq(count_all(s), 5);
	value = get_attribute(s, find_one(s, &by_diary, 1), CKA_VALUE);
	ck_assert_uint_eq(value.len, 20);
	ck_assert_int_eq(memcmp(value.data, "written by version 1", 20), 0);
	/* The member key works, as far as it goes without a certificate. */
	assert_rv(try_sign(s, CKM_VLDAA_SIGN, "x", find_one(s, &by_label, 1), "x", 1, &none),
		  CKR_VLDAA_NOT_JOINED);
	bytes_free(&value);
	bytes_free(&sql);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("pkcs11_files");
	TCase *c = tcase_create("files");
	SRunner *runner;
	int failed;

	tcase_add_unchecked_fixture(c, world_make, world_remove);
	tcase_add_checked_fixture(c, world_enter, world_leave);
	tcase_add_test(c, files_are_their_owners);
	tcase_add_test(c, a_file_that_was_there_empty_becomes_its_owners);
	tcase_add_test(c, what_is_private_is_not_in_the_file_in_clear);
	tcase_add_test(c, sealed_values_do_not_change_places);
	tcase_add_test(c, what_is_in_clear_does_not_pass_for_private);
	tcase_add_test(c, a_file_that_is_no_database_is_left_alone);
	tcase_add_test(c, somebody_elses_database_is_left_alone);
	tcase_add_test(c, a_newer_releases_token_is_left_alone);
	tcase_add_test(c, a_damaged_file_is_an_error_and_no_crash);
	tcase_add_loop_test(c, a_token_that_cannot_be_written_is_read, 0, 2);
	tcase_add_test(
	    c, a_token_whose_file_is_taken_away_is_gone_and_another_in_its_place_is_another);
	tcase_add_test(c, a_directory_is_the_same_wherever_the_process_goes);
	tcase_add_test(c, a_token_of_version_1_is_read);
	suite_add_tcase(suite, c);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
