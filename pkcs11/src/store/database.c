#include "database.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "trace.h"

enum { BUSY_TRIES = 30000 };

/* SQLite's own waits grow to 100 ms, and who sleeps as long never meets the moment between two
 * writes of a busy process: short ones do, half a minute of them. */
static int wait_for_others(void *unused, int tries)
{
	const struct timespec t = {0, 1000000};

	(void)unused;
	(void)nanosleep(&t, NULL);
	return tries < BUSY_TRIES;
}

static int meaning_of(int number)
{
	switch (number) {
	case EACCES:
	case EPERM:
	case EROFS:
		return VLDAA_P11_ERR_READ_ONLY;
	case ENOSPC:
	case EDQUOT:
		return VLDAA_P11_ERR_FULL;
	case ENOMEM:
		return VLDAA_ERR_MEMORY;
	default:
		return VLDAA_ERR_STORE;
	}
}

int vldaa_p11_system_failed(const char *path, int number)
{
	vldaa_p11_trace("%s: %s", path, strerror(number));
	return meaning_of(number);
}

int vldaa_p11_db_failed(const vldaa_p11_db *d)
{
	const int code = d->db != NULL ? sqlite3_extended_errcode(d->db) : SQLITE_NOMEM;

	vldaa_p11_trace("%s: %s (SQLite %d)", d->path,
			d->db != NULL ? sqlite3_errmsg(d->db) : "out of memory", code);
	switch (code & 0xff) {
	case SQLITE_NOMEM:
		return VLDAA_ERR_MEMORY;
	case SQLITE_FULL:
		return VLDAA_P11_ERR_FULL;
	case SQLITE_READONLY:
	case SQLITE_PERM:
		return VLDAA_P11_ERR_READ_ONLY;
	case SQLITE_CORRUPT:
	case SQLITE_NOTADB:
		return VLDAA_P11_ERR_FOREIGN;
	/* The journal, in a directory that is less than its file. */
	case SQLITE_CANTOPEN:
		return meaning_of(sqlite3_system_errno(d->db));
	case SQLITE_MISUSE:
	case SQLITE_RANGE:
		return VLDAA_ERR_INTERNAL;
	default:
		return VLDAA_ERR_STORE;
	}
}

int vldaa_p11_db_exec(const vldaa_p11_db *d, const char *sql)
{
	return sqlite3_exec(d->db, sql, NULL, NULL, NULL) == SQLITE_OK ? VLDAA_OK
								       : vldaa_p11_db_failed(d);
}

int vldaa_p11_db_pragma(const vldaa_p11_db *d, const char *sql, int64_t *value)
{
	vldaa_p11_query q;

	*value = -1;
	vldaa_p11_query_open(&q, d, sql);
	if (vldaa_p11_query_row(&q))
		*value = sqlite3_column_int64(q.stmt, 0);
	return vldaa_p11_query_close(&q);
}

/* The connection's own settings, and whether SQLite took them. */
static int configure(const vldaa_p11_db *d)
{
	int64_t synchronous = 0;
	int err;

	if (sqlite3_busy_handler(d->db, wait_for_others, NULL) != SQLITE_OK ||
	    sqlite3_db_config(d->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL) != SQLITE_OK ||
	    sqlite3_db_config(d->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL) != SQLITE_OK)
		return vldaa_p11_db_failed(d);
	err = vldaa_p11_db_exec(d, "PRAGMA synchronous = EXTRA; PRAGMA secure_delete = ON;"
				   "PRAGMA temp_store = MEMORY; PRAGMA cell_size_check = ON;"
				   "PRAGMA foreign_keys = ON");
	if (!err)
		err = vldaa_p11_db_pragma(d, "PRAGMA synchronous", &synchronous);
	if (!err && synchronous != 3) {
		vldaa_p11_trace("%s: this SQLite was built without durability", d->path);
		err = VLDAA_ERR_STORE;
	}
	return err;
}

int vldaa_p11_db_open(vldaa_p11_db *d, const char *path)
{
	int err;

	memset(d, 0, sizeof *d);
	d->path = strdup(path);
	if (d->path == NULL)
		return VLDAA_ERR_MEMORY;
	/* No SQLITE_OPEN_CREATE: the file is made with its mode by who initialises the token. */
	if (sqlite3_open_v2(path, &d->db,
			    SQLITE_OPEN_READWRITE | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_NOMUTEX,
			    NULL) != SQLITE_OK) {
		err = vldaa_p11_db_failed(d);
		/* It is not even read. */
		err = err == VLDAA_P11_ERR_READ_ONLY ? VLDAA_ERR_STORE : err;
	} else {
		err = configure(d);
	}
	if (!err && sqlite3_prepare_v3(d->db, "PRAGMA data_version", -1, SQLITE_PREPARE_PERSISTENT,
				       &d->version, NULL) != SQLITE_OK)
		err = vldaa_p11_db_failed(d);
	if (err)
		vldaa_p11_db_close(d);
	return err;
}

void vldaa_p11_db_close(vldaa_p11_db *d)
{
	(void)sqlite3_finalize(d->version);
	(void)sqlite3_close(d->db);
	free(d->path);
	memset(d, 0, sizeof *d);
}

int vldaa_p11_db_has_moved(const vldaa_p11_db *d)
{
	int moved = 0;

	return sqlite3_file_control(d->db, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK &&
	       moved;
}

int vldaa_p11_db_is_read_only(const vldaa_p11_db *d)
{
	return sqlite3_db_readonly(d->db, "main") != 0;
}

/* A transaction whose end failed, and whose undoing failed too, for want of memory say. */
static int settle(const vldaa_p11_db *d)
{
	return d->depth == 0 && sqlite3_get_autocommit(d->db) == 0
		   ? vldaa_p11_db_exec(d, "ROLLBACK")
		   : VLDAA_OK;
}

int vldaa_p11_db_version(vldaa_p11_db *d, int64_t *version)
{
	int err = settle(d);

	if (err)
		return err;
	if (sqlite3_step(d->version) == SQLITE_ROW)
		*version = sqlite3_column_int64(d->version, 0);
	else
		err = vldaa_p11_db_failed(d);
	(void)sqlite3_reset(d->version);
	return err;
}

int vldaa_p11_db_begin(vldaa_p11_db *d)
{
	int err = settle(d);

	if (!err && d->depth == 0)
		err = vldaa_p11_db_exec(d, "BEGIN IMMEDIATE");
	if (!err)
		d->depth++;
	return err;
}

int vldaa_p11_db_begin_read(vldaa_p11_db *d)
{
	int err = settle(d);

	if (!err && d->depth == 0)
		err = vldaa_p11_db_exec(d, "BEGIN");
	if (!err)
		d->depth++;
	return err;
}

int vldaa_p11_db_end(vldaa_p11_db *d, int err)
{
	if (--d->depth > 0)
		return err;
	if (!err)
		err = vldaa_p11_db_exec(d, "COMMIT");
	/* Some errors have rolled back already; if this fails, it is tried again before anything else
	 * happens. */
	if (sqlite3_get_autocommit(d->db) == 0)
		(void)sqlite3_exec(d->db, "ROLLBACK", NULL, NULL, NULL);
	return err;
}

static void keep(vldaa_p11_query *q, int rc)
{
	if (rc != SQLITE_OK && !q->err)
		q->err = vldaa_p11_db_failed(q->d);
}

void vldaa_p11_query_open(vldaa_p11_query *q, const vldaa_p11_db *d, const char *sql)
{
	q->d = d;
	q->stmt = NULL;
	q->err = VLDAA_OK;
	keep(q, sqlite3_prepare_v2(d->db, sql, -1, &q->stmt, NULL));
}

void vldaa_p11_query_int(vldaa_p11_query *q, int parameter, int64_t value)
{
	if (!q->err)
		keep(q, sqlite3_bind_int64(q->stmt, parameter, value));
}

void vldaa_p11_query_blob(vldaa_p11_query *q, int parameter, const void *bytes, size_t len)
{
	if (q->err)
		return;
	if (bytes == NULL)
		keep(q, sqlite3_bind_null(q->stmt, parameter));
	else
		keep(q, sqlite3_bind_blob64(q->stmt, parameter, bytes, len, SQLITE_STATIC));
}

int vldaa_p11_query_row(vldaa_p11_query *q)
{
	int rc;

	if (q->err)
		return 0;
	rc = sqlite3_step(q->stmt);
	if (rc == SQLITE_ROW)
		return 1;
	keep(q, rc == SQLITE_DONE ? SQLITE_OK : rc);
	return 0;
}

const uint8_t *vldaa_p11_query_bytes(const vldaa_p11_query *q, int column, size_t *len)
{
	const uint8_t *bytes = sqlite3_column_blob(q->stmt, column);

	*len = (size_t)sqlite3_column_bytes(q->stmt, column);
	return bytes;
}

int vldaa_p11_query_close(vldaa_p11_query *q)
{
	(void)sqlite3_finalize(q->stmt); /* repeats the last step's error */
	q->stmt = NULL;
	return q->err;
}

int vldaa_p11_query_run(vldaa_p11_query *q)
{
	(void)vldaa_p11_query_row(q);
	return vldaa_p11_query_close(q);
}
