/*
 * SQLite behind a token: connections, transactions, one query at a time, errors translated once.
 *
 * The journal is SQLite's rollback journal with synchronous=EXTRA, not WAL, for the reasons that
 * core/issuer/register_db.h gives: a commit is durable through power loss, the token at rest is one
 * file, and WAL's fault with two writers that checkpoint at once (https://sqlite.org/wal.html,
 * "WAL-reset bug", SQLite 3.7.0 to 3.51.2) is in Debian's 3.40.
 *
 * A connection belongs to whoever holds the slot's lock, and never crosses a fork.
 */
#ifndef VLDAA_P11_DATABASE_H
#define VLDAA_P11_DATABASE_H

#include <stddef.h>
#include <stdint.h>

#include <sqlite3.h>

#include "error.h"

/* Invariant: db is open and configured, or NULL; depth is the number of transactions begun and not
 * ended, of which only the outermost is SQLite's. */
typedef struct {
	sqlite3 *db;
	sqlite3_stmt *version; /* PRAGMA data_version, which is asked all the time */
	char *path;
	int depth;
} vldaa_p11_db;

/* Opens an existing file. */
int vldaa_p11_db_open(vldaa_p11_db *d, const char *path);
void vldaa_p11_db_close(vldaa_p11_db *d);
/* 1 when the file that was opened is not where it was: deleted, or another one in its place. */
int vldaa_p11_db_has_moved(const vldaa_p11_db *d);
int vldaa_p11_db_is_read_only(const vldaa_p11_db *d);

/* A number that changes when another connection has changed the file.  What is left of a failed
 * transaction is undone first: asked before everything else, this is where it ends. */
int vldaa_p11_db_version(vldaa_p11_db *d, int64_t *version);
/* What an errno means when a file could not be made or written; traces it. */
int vldaa_p11_system_failed(const char *path, int number);
/* What the last failure means; traces the reason. */
int vldaa_p11_db_failed(const vldaa_p11_db *d);
int vldaa_p11_db_exec(const vldaa_p11_db *d, const char *sql);
int vldaa_p11_db_pragma(const vldaa_p11_db *d, const char *sql, int64_t *value);

/* A write transaction takes the lock at once; one within another is part of it.  end commits when
 * err is VLDAA_OK, else undoes everything; it returns err or its own failure.  Whoever's inner
 * transaction failed must fail the outer one. */
int vldaa_p11_db_begin(vldaa_p11_db *d);
/* One state of the file for what is read until end. */
int vldaa_p11_db_begin_read(vldaa_p11_db *d);
int vldaa_p11_db_end(vldaa_p11_db *d, int err);

/* One statement: open, bind from 1, row until 0, close.  Errors stay until close, which returns the
 * first.  Bound bytes must stay until then. */
typedef struct {
	const vldaa_p11_db *d;
	sqlite3_stmt *stmt;
	int err;
} vldaa_p11_query;

void vldaa_p11_query_open(vldaa_p11_query *q, const vldaa_p11_db *d, const char *sql);
void vldaa_p11_query_int(vldaa_p11_query *q, int parameter, int64_t value);
/* NULL bytes: SQL's NULL. */
void vldaa_p11_query_blob(vldaa_p11_query *q, int parameter, const void *bytes, size_t len);
int vldaa_p11_query_row(vldaa_p11_query *q);
/* Column of the row; NULL and 0 when it is empty. */
const uint8_t *vldaa_p11_query_bytes(const vldaa_p11_query *q, int column, size_t *len);
int vldaa_p11_query_close(vldaa_p11_query *q);
/* For statements without rows: row and close. */
int vldaa_p11_query_run(vldaa_p11_query *q);

#endif
