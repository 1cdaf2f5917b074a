/*
 * SQLite behind the register: one query at a time, errors translated once, transactions.
 *
 * Journal: SQLite's rollback journal (journal_mode DELETE) with synchronous=EXTRA, not WAL.
 * - Durability: a commit is the journal's unlinking, and EXTRA, unlike FULL, syncs the directory
 * after it.  Without that, power loss may bring the journal back, and with it undo a row whose
 * answer has left (https://sqlite.org/pragma.html#pragma_synchronous).
 * - At rest the register is one file.  An operator's copy of a WAL database without its -wal file
 * forgets tags.
 * - WAL has an error in SQLite 3.7.0 to 3.51.2 that can corrupt a database which two processes
 * write and checkpoint at once (https://sqlite.org/wal.html#walresetbug); Debian 12 has 3.40.
 * - What WAL is good at, readers beside a writer, hardly matters: a row costs the issuer
 * milliseconds of sampling, and no reader holds its lock while it works (register_list.c).
 */
#ifndef VLDAA_REGISTER_DB_H
#define VLDAA_REGISTER_DB_H

#include <sqlite3.h>

#include "vldaa/register.h"

/* Invariant: db is NULL, or a connection to a register that passed all checks and is in no
 * transaction between calls of the public functions. */
struct vldaa_register {
	sqlite3 *db;
	char reason[VLDAA_REGISTER_MAX_REASON + 1];
};

/* "VLDr"; in the file's header, so that file(1) and we know what it is. */
#define VLDAA_REGISTER_APPLICATION_ID 0x564c4472
#define VLDAA_REGISTER_SCHEMA_VERSION 1

/* What every public function does first: forgets the last reason; VLDAA_ERR_ARGUMENT or
 * VLDAA_ERR_STATE for unusable handles. */
int vldaa_db_ready(vldaa_register *reg);

/* Times are from 0 to 2^53, so that sums cannot overflow and JSON can carry them. */
int vldaa_db_time_ok(int64_t t);

/* The code for what db reported last, its message becomes the reason. */
int vldaa_db_failed(vldaa_register *reg, sqlite3 *db);
/* VLDAA_ERR_STORE with this reason; detail may be NULL. */
int vldaa_db_refuse(vldaa_register *reg, const char *text, const char *detail);

/* Statements without parameters and results. */
int vldaa_db_exec(vldaa_register *reg, const char *sql);

/* Write transactions take the lock at once (so that what is checked inside still holds at the
 * commit), read transactions see one state.  end commits when ret is VLDAA_OK, else rolls back; it
 * returns ret or the commit's own error. */
int vldaa_db_begin_write(vldaa_register *reg);
int vldaa_db_begin_read(vldaa_register *reg);
int vldaa_db_end(vldaa_register *reg, int ret);

/*
 * One statement.  Errors are kept: after the first, everything is without effect until close
 * returns it.
 *
 *   open, blob/int/text for each parameter (from 1), row until it returns 0, close.
 *
 * Bound bytes must stay until close; they are never empty.
 */
typedef struct {
	vldaa_register *reg;
	sqlite3_stmt *stmt;
	int ret;
} vldaa_query;

void vldaa_query_open(vldaa_query *q, vldaa_register *reg, const char *sql);
void vldaa_query_blob(vldaa_query *q, int parameter, const void *bytes, size_t len);
void vldaa_query_int(vldaa_query *q, int parameter, int64_t value);
void vldaa_query_text(vldaa_query *q, int parameter, const char *text);
/* 1: there is a row; 0: there is none, or an error. */
int vldaa_query_row(vldaa_query *q);
int vldaa_query_close(vldaa_query *q);
/* For statements without rows: row and close. */
int vldaa_query_run(vldaa_query *q);

/* The schema (register_schema.c). */
int vldaa_schema_create(vldaa_register *reg, uint32_t set_id, const uint8_t *key_id);
/* The file's objects are exactly those of the schema, word for word. */
int vldaa_schema_check(vldaa_register *reg);

#endif
