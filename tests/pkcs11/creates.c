#include "creates.h"

#include <check.h>
#include <stdio.h>

#include <sqlite3.h>

#include "module.h"

/* VLDAA_RECORD_CREATES is record 7. */
unsigned creates_counted(int place)
{
	char path[160];
	unsigned sum = 0;
	sqlite3 *db;
	sqlite3_stmt *stmt;
	int code;

	(void)snprintf(path, sizeof path, "%s/token.db", world_directory(place));
	ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
	ck_assert_int_eq(
	    sqlite3_prepare_v2(db, "SELECT value FROM records WHERE record = 7", -1, &stmt, NULL),
	    SQLITE_OK);
	while ((code = sqlite3_step(stmt)) == SQLITE_ROW) {
		unsigned count = 0;

		ck_assert_int_eq(sqlite3_column_bytes(stmt, 0), 4);
		for (int i = 0; i < 4; i++)
			count = count << 8 | ((const uint8_t *)sqlite3_column_blob(stmt, 0))[i];
		sum += count;
	}
	ck_assert_int_eq(code, SQLITE_DONE);
	ck_assert_int_eq(sqlite3_finalize(stmt), SQLITE_OK);
	ck_assert_int_eq(sqlite3_close(db), SQLITE_OK);
	return sum;
}
