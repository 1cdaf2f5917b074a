/*
 * A token's database that somebody has written in: bytes of the file; or a column of a row, to
 * another value, one that is edited, or another row's.  Everything that a client does then with it
 * is answered, with a code that is not of a broken module.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sqlite3.h>

#include "fuzz.h"
#include "fuzz_pkcs11.h"

enum { MAX_OBJECTS = 64, ROOM = 1 << 17 };

/* Of CAR: as it was, and where it lies. */
static char path[256];
static bytes kept;

static void enter(void)
{
	long len;
	FILE *f;

	if (kept.data != NULL)
		return;
	fuzz_token_enter("VLDAA-42");
	/* Members' sessions end here: each input opens its own. */
	require(p11->C_Finalize(NULL) == CKR_OK);
	(void)snprintf(path, sizeof path, "%s/token.db", fuzz_token_directory(CAR));
	f = fopen(path, "rb");
	require(f != NULL && fseek(f, 0, SEEK_END) == 0);
	len = ftell(f);
	require(len > 0);
	kept.len = (CK_ULONG)len;
	kept.data = malloc(kept.len);
	rewind(f);
	require(kept.data != NULL && fread(kept.data, 1, kept.len, f) == kept.len);
	fclose(f);
}

static void restore(const bytes *contents)
{
	char other[300];
	const int fd = open(path, O_WRONLY | O_TRUNC);

	require(fd >= 0 && write(fd, contents->data, contents->len) == (ssize_t)contents->len);
	(void)close(fd);
	(void)snprintf(other, sizeof other, "%s-journal", path);
	(void)unlink(other);
}

/* --- damage ------------------------------------------------------------------------------------
 */

static void damage_file(tape *t)
{
	bytes b = {malloc(kept.len), kept.len};
	unsigned edits = tape_byte(t);

	require(b.data != NULL);
	memcpy(b.data, kept.data, kept.len);
	if (edits >= 0xe0)
		b.len = (size_t)tape_u16(t) * 16 % (kept.len + 1);
	for (edits %= 32; edits > 0 && b.len > 0; edits--) {
		const size_t page = tape_byte(t), at = tape_u16(t) % 4096;

		b.data[(page * 4096 + at) % b.len] ^= tape_byte(t);
	}
	restore(&b);
	bytes_free(&b);
}

/* ?1: the value, ?2: the row, from 0.  The last column of each is the value that there is. */
static const struct {
	const char *read, *write;
} columns[] = {
#define OBJECT(column)                                                              \
	{                                                                           \
		"SELECT " column " FROM objects ORDER BY id LIMIT 1 OFFSET ?2 % 8", \
		    "UPDATE objects SET " column " = ?1 WHERE id ="                 \
		    " (SELECT id FROM objects ORDER BY id LIMIT 1 OFFSET ?2 % 8)"   \
	}
#define RECORD(column)                                                                    \
	{                                                                                 \
		"SELECT " column " FROM records ORDER BY record LIMIT 1 OFFSET ?2 % 8",   \
		    "UPDATE records SET " column " = ?1 WHERE record ="                   \
		    " (SELECT record FROM records ORDER BY record LIMIT 1 OFFSET ?2 % 8)" \
	}
#define PIN(column)                                                       \
	{                                                                 \
		"SELECT " column " FROM pins WHERE role = ?2 % 2",        \
		    "UPDATE pins SET " column " = ?1 WHERE role = ?2 % 2" \
	}
#define TOKEN(column)                                                              \
	{                                                                          \
		"SELECT " column " FROM token", "UPDATE token SET " column " = ?1" \
	}
    OBJECT("attributes"),
    OBJECT("attributes"),
    OBJECT("attributes"),
    OBJECT("secret"),
    OBJECT("secret"),
    OBJECT("uid"),
    OBJECT("private"),
    OBJECT("kept"),
    OBJECT("parent"),
    OBJECT("stamp"),
    OBJECT("id"),
    RECORD("value"),
    RECORD("name"),
    RECORD("record"),
    PIN("salt"),
    PIN("wrapped"),
    PIN("n"),
    PIN("r"),
    PIN("p"),
    PIN("tries"),
    PIN("allowed"),
    PIN("role"),
    TOKEN("label"),
    TOKEN("serial"),
    TOKEN("instance"),
    TOKEN("stamp"),
    TOKEN("endorsement"),
};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

/* What there is, edited. */
static bytes read_column(sqlite3 *db, const char *sql, unsigned row, tape *t)
{
	bytes b = {NULL, 0};
	sqlite3_stmt *stmt;

	require(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) == SQLITE_OK);
	(void)sqlite3_bind_int(stmt, 2, (int)row);
	if (sqlite3_step(stmt) == SQLITE_ROW && sqlite3_column_bytes(stmt, 0) > 0) {
		b.len = (size_t)sqlite3_column_bytes(stmt, 0);
		b.data = malloc(b.len);
		require(b.data != NULL);
		memcpy(b.data, sqlite3_column_blob(stmt, 0), b.len);
		tape_edit(t, &b);
	}
	(void)sqlite3_finalize(stmt);
	return b;
}

static int64_t any_integer(tape *t)
{
	const unsigned how = tape_byte(t);
	uint64_t value = 0;

	if (how < 0x80)
		return (int64_t)how - 2;
	for (unsigned i = 0; i < how % 9; i++)
		value = value << 8 | tape_byte(t);
	return (int64_t)value;
}

/* What the schema refuses is not written. */
static void damage_column(sqlite3 *db, tape *t)
{
	const unsigned which = tape_byte(t) % COLUMNS, row = tape_byte(t), how = tape_byte(t);
	bytes b = {NULL, 0};
	sqlite3_stmt *stmt;

	require(sqlite3_prepare_v2(db, columns[which].write, -1, &stmt, NULL) == SQLITE_OK);
	(void)sqlite3_bind_int(stmt, 2, (int)row);
	if (how < 0x40) {
		(void)sqlite3_bind_int64(stmt, 1, any_integer(t));
	} else if (how < 0xf0) {
		/* Its own, another row's, or raw bytes. */
		b = how < 0x80   ? read_column(db, columns[which].read, row, t)
		    : how < 0xc0 ? read_column(db, columns[which].read, tape_byte(t), t)
				 : tape_raw(t);
		(void)sqlite3_bind_blob(stmt, 1, b.len > 0 ? b.data : (const void *)"", (int)b.len,
					SQLITE_STATIC);
	}
	(void)sqlite3_step(stmt);
	(void)sqlite3_finalize(stmt);
	bytes_free(&b);
}

static void damage_rows(tape *t)
{
	unsigned count = 1 + tape_byte(t) % 4;
	sqlite3 *db;

	restore(&kept);
	require(sqlite3_open(path, &db) == SQLITE_OK);
	require(sqlite3_exec(db,
			     "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF;"
			     "PRAGMA ignore_check_constraints = ON",
			     NULL, NULL, NULL) == SQLITE_OK);
	while (count-- > 0)
		damage_column(db, t);
	require(sqlite3_close(db) == SQLITE_OK);
}

/* --- use ---------------------------------------------------------------------------------------
 */

static void answer(CK_RV rv)
{
	require(rv < 0x300 || (rv >= CKR_VLDAA && rv < CKR_VLDAA + 100));
	require(rv != CKR_GENERAL_ERROR && rv != CKR_ARGUMENTS_BAD);
	fuzz_accepted += rv == CKR_OK;
}

static void read_object(CK_SESSION_HANDLE s, CK_OBJECT_HANDLE o)
{
	static const CK_ATTRIBUTE_TYPE types[] = {CKA_CLASS,
						  CKA_TOKEN,
						  CKA_PRIVATE,
						  CKA_LABEL,
						  CKA_VALUE,
						  CKA_ID,
						  CKA_KEY_TYPE,
						  CKA_ALLOWED_MECHANISMS,
						  CKA_VLDAA_ROLE,
						  CKA_VLDAA_BASENAME,
						  CKA_VLDAA_ATTESTATION,
						  CKA_VLDAA_NYM};
	enum { TYPES = sizeof types / sizeof types[0] };
	static uint8_t out[TYPES][ROOM];
	CK_ATTRIBUTE templ[TYPES];
	CK_ULONG size;

	for (size_t i = 0; i < TYPES; i++)
		templ[i] = (CK_ATTRIBUTE){types[i], out[i], ROOM};
	answer(p11->C_GetAttributeValue(s, o, templ, TYPES));
	answer(p11->C_GetObjectSize(s, o, &size));
}

static void attempt_verify(CK_SESSION_HANDLE s, CK_OBJECT_HANDLE key, CK_MECHANISM_TYPE type,
			   const bytes *signature)
{
	CK_MECHANISM m = {type, NULL, 0};
	const CK_RV rv = p11->C_VerifyInit(s, &m, key);
	uint8_t x = 'x';

	answer(rv);
	if (rv == CKR_OK)
		answer(p11->C_Verify(s, &x, 1, signature->data, signature->len));
}

static void attempt_sign(CK_SESSION_HANDLE s, CK_OBJECT_HANDLE key, CK_MECHANISM_TYPE type)
{
	static uint8_t out[ROOM];
	CK_MECHANISM m = {type, NULL, 0};
	CK_RV rv = p11->C_SignInit(s, &m, key);
	CK_ULONG len = sizeof out;
	uint8_t x = 'x';

	answer(rv);
	if (rv == CKR_OK)
		answer(p11->C_Sign(s, &x, 1, out, &len));
}

static void change_object(CK_SESSION_HANDLE s, CK_OBJECT_HANDLE o, unsigned how)
{
	uint8_t text[] = "label";
	CK_ATTRIBUTE a = {CKA_LABEL, text, 5};
	CK_MECHANISM m = {CKM_VLDAA_CREATE, NULL, 0};
	CK_OBJECT_HANDLE out;

	if (how % 4 == 0)
		answer(p11->C_SetAttributeValue(s, o, &a, 1));
	if (how % 4 == 1)
		answer(p11->C_DeriveKey(s, &m, o, NULL, 0, &out));
	if (how % 4 == 2)
		answer(p11->C_CopyObject(s, o, NULL, 0, &out));
	m.mechanism = CKM_VLDAA_JOIN_FINISH;
	if (how % 4 == 3)
		answer(p11->C_UnwrapKey(s, &m, o, text, 5, NULL, 0, &out));
}

static CK_ULONG find_all(CK_SESSION_HANDLE s, CK_OBJECT_HANDLE found[MAX_OBJECTS])
{
	CK_ULONG n = 0;
	const CK_RV rv = p11->C_FindObjectsInit(s, NULL, 0);

	answer(rv);
	if (rv == CKR_OK) {
		answer(p11->C_FindObjects(s, found, MAX_OBJECTS, &n));
		answer(p11->C_FindObjectsFinal(s));
	}
	return n;
}

/* One object is used in one way. */
static void use_one(CK_SESSION_HANDLE s, CK_OBJECT_HANDLE o, unsigned how)
{
	static const unsigned honests[] = {HONEST_SIGNATURE, HONEST_COMPACT, HONEST_BARE,
					   HONEST_NONCE};
	static const CK_MECHANISM_TYPE types[] = {CKM_VLDAA_SIGN, CKM_VLDAA_SIGN_COMPACT, 0x1d};
	const unsigned ways = how % 32;

	if (ways < 12)
		attempt_verify(s, o, types[ways % 3], &honest[honests[ways / 3]]);
	else if (ways < 25)
		attempt_sign(s, o, ways < 24 ? CKM_VLDAA_SETUP + ways - 12 : 0x1d);
	else if (ways < 30)
		change_object(s, o, ways);
	else
		answer(p11->C_DestroyObject(s, o));
}

static void use_objects(CK_SESSION_HANDLE s, tape *t)
{
	CK_OBJECT_HANDLE found[MAX_OBJECTS];
	const CK_ULONG n = find_all(s, found);

	for (CK_ULONG i = 0; i < n; i++)
		read_object(s, found[i]);
	if (n > 0 && t->left > 0) {
		const unsigned which = tape_byte(t);

		use_one(s, found[which % n], tape_byte(t));
		(void)find_all(s, found);
	}
}

static void use_token(tape *t, int logs_in)
{
	CK_SESSION_HANDLE s;
	CK_TOKEN_INFO info;
	CK_RV rv;

	require(p11->C_Initialize(NULL) == CKR_OK);
	answer(p11->C_GetTokenInfo(CAR, &info));
	rv = p11->C_OpenSession(CAR, CKF_SERIAL_SESSION | CKF_RW_SESSION, NULL, NULL, &s);
	answer(rv);
	if (rv == CKR_OK && logs_in)
		answer(login(s, CKU_USER, USER_PIN));
	if (rv == CKR_OK)
		use_objects(s, t);
	require(p11->C_Finalize(NULL) == CKR_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	tape t = {data, size};
	unsigned how;

	enter();
	how = tape_byte(&t);
	if (how & 1)
		damage_rows(&t);
	else
		damage_file(&t);
	use_token(&t, how & 2);
	return 0;
}
