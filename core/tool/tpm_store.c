#include "tpm_store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sqlite3.h>

#include "report.h"

enum { BUSY_MILLISECONDS = 30000, APPLICATION_ID = 0x564c4474 /* "VLDt" */, SCHEMA_VERSION = 1 };

struct vldaa_tpm_store {
	sqlite3 *db;
	char *path;
};

static int failed(const vldaa_tpm_store *s, const char *why)
{
	vldaa_say("%s: %s", s->path, why);
	return VLDAA_ERR_STORE;
}

static int db_failed(const vldaa_tpm_store *s)
{
	return failed(s, s->db ? sqlite3_errmsg(s->db) : "out of memory");
}

static int execute(const vldaa_tpm_store *s, const char *sql)
{
	return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK ? VLDAA_OK : db_failed(s);
}

static int pragma_int(const vldaa_tpm_store *s, const char *sql, int *value)
{
	sqlite3_stmt *stmt = NULL;
	int rc = sqlite3_prepare_v2(s->db, sql, -1, &stmt, NULL);

	if (rc == SQLITE_OK)
		rc = sqlite3_step(stmt);
	*value = rc == SQLITE_ROW ? sqlite3_column_int(stmt, 0) : -1;
	(void)sqlite3_finalize(stmt);
	return rc == SQLITE_ROW || rc == SQLITE_DONE ? VLDAA_OK : db_failed(s);
}

/* The connection's own settings, and whether SQLite took them. */
static int configure(const vldaa_tpm_store *s)
{
	int synchronous = 0;
	int err;

	if (sqlite3_busy_timeout(s->db, BUSY_MILLISECONDS) != SQLITE_OK ||
	    sqlite3_db_config(s->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL) != SQLITE_OK ||
	    sqlite3_db_config(s->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL) != SQLITE_OK)
		return db_failed(s);
	err = execute(s, "PRAGMA synchronous = EXTRA; PRAGMA secure_delete = ON;"
			 "PRAGMA temp_store = MEMORY; PRAGMA cell_size_check = ON;"
			 "PRAGMA journal_mode = DELETE");
	if (!err)
		err = pragma_int(s, "PRAGMA synchronous", &synchronous);
	if (!err && synchronous != 3)
		err = failed(s, "this SQLite was built without durability");
	return err;
}

static int wake(vldaa_tpm_store *s)
{
	int err;

	if (s->db)
		return VLDAA_OK;
	/* No SQLITE_OPEN_CREATE: the file is made with its mode, by create. */
	if (sqlite3_open_v2(s->path, &s->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_EXRESCODE, NULL) !=
	    SQLITE_OK)
		err = db_failed(s);
	else
		err = configure(s);
	if (err)
		vldaa_tpm_store_rest(s);
	return err;
}

void vldaa_tpm_store_rest(vldaa_tpm_store *s)
{
	(void)sqlite3_close(s->db);
	s->db = NULL;
}

static int connect_store(vldaa_tpm_store **store, const char *path)
{
	vldaa_tpm_store *s = calloc(1, sizeof *s);

	*store = s;
	if (!s)
		return vldaa_report(path, VLDAA_ERR_MEMORY);
	s->path = strdup(path);
	if (!s->path)
		return vldaa_report(path, VLDAA_ERR_MEMORY);
	return wake(s) ? VLDAA_EXIT_FAILED : VLDAA_EXIT_OK;
}

int vldaa_tpm_store_create(const char *path)
{
	vldaa_tpm_store *s = NULL;
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	int status, err, version = 0;

	if (fd < 0)
		return vldaa_report_errno(path);
	(void)close(fd);
	status = connect_store(&s, path);
	if (status == VLDAA_EXIT_OK) {
		err = execute(s, "BEGIN IMMEDIATE");
		if (!err)
			err = pragma_int(s, "PRAGMA user_version", &version);
		if (!err && version == 0)
			err = execute(s, "CREATE TABLE records (record INTEGER NOT NULL, "
					 "name BLOB NOT NULL, value BLOB NOT NULL, "
					 "PRIMARY KEY (record, name)) STRICT, WITHOUT ROWID;"
					 "PRAGMA application_id = 1447838836;"
					 "PRAGMA user_version = 1");
		if (!err)
			err = execute(s, "COMMIT");
		status = err ? VLDAA_EXIT_FAILED : VLDAA_EXIT_OK;
	}
	vldaa_tpm_store_close(s);
	return status;
}

int vldaa_tpm_store_open(vldaa_tpm_store **store, const char *path)
{
	int version = 0, application = 0, status, err;

	*store = NULL;
	if (access(path, R_OK | W_OK) != 0)
		return vldaa_report_errno(path);
	status = connect_store(store, path);
	if (status == VLDAA_EXIT_OK) {
		err = pragma_int(*store, "PRAGMA application_id", &application);
		if (!err)
			err = pragma_int(*store, "PRAGMA user_version", &version);
		if (!err && application != APPLICATION_ID)
			err = failed(*store, "this is not a TPM's store");
		else if (!err && version != SCHEMA_VERSION)
			err = failed(*store, "a newer release made this store");
		status = err ? VLDAA_EXIT_FAILED : VLDAA_EXIT_OK;
	}
	if (status != VLDAA_EXIT_OK) {
		vldaa_tpm_store_close(*store);
		*store = NULL;
	}
	return status;
}

void vldaa_tpm_store_close(vldaa_tpm_store *s)
{
	if (!s)
		return;
	(void)sqlite3_close(s->db);
	free(s->path);
	free(s);
}

/* Prepares a statement and binds record and name. */
static int prepare(const vldaa_tpm_store *s, sqlite3_stmt **stmt, const char *sql,
		   enum vldaa_record record, const uint8_t *name)
{
	*stmt = NULL;
	if (sqlite3_prepare_v2(s->db, sql, -1, stmt, NULL) != SQLITE_OK ||
	    sqlite3_bind_int(*stmt, 1, (int)record) != SQLITE_OK ||
	    sqlite3_bind_blob(*stmt, 2, name, VLDAA_RECORD_NAME, SQLITE_STATIC) != SQLITE_OK)
		return db_failed(s);
	return VLDAA_OK;
}

int vldaa_tpm_store_load(void *store, enum vldaa_record record, const uint8_t *name, uint8_t *out,
			 size_t cap, size_t *len)
{
	vldaa_tpm_store *s = store;
	sqlite3_stmt *stmt = NULL;
	int err = wake(s);

	*len = 0;
	if (!err)
		err = prepare(s, &stmt, "SELECT value FROM records WHERE record = ?1 AND name = ?2",
			      record, name);
	if (!err) {
		switch (sqlite3_step(stmt)) {
		case SQLITE_ROW: {
			const void *value = sqlite3_column_blob(stmt, 0);

			*len = (size_t)sqlite3_column_bytes(stmt, 0);
			if (cap < *len)
				err = VLDAA_ERR_BUFFER;
			else if (*len > 0)
				memcpy(out, value, *len);
			break;
		}
		case SQLITE_DONE:
			err = VLDAA_ERR_NO_KEY;
			break;
		default:
			err = db_failed(s);
			break;
		}
	}
	(void)sqlite3_finalize(stmt);
	return err;
}

int vldaa_tpm_store_names(vldaa_tpm_store *s, enum vldaa_record record, uint8_t *names, size_t max,
			  size_t *count)
{
	sqlite3_stmt *stmt = NULL;
	int err = wake(s), rc = SQLITE_DONE;

	*count = 0;
	if (!err &&
	    (sqlite3_prepare_v2(s->db, "SELECT name FROM records WHERE record = ?1 ORDER BY name",
				-1, &stmt, NULL) != SQLITE_OK ||
	     sqlite3_bind_int(stmt, 1, (int)record) != SQLITE_OK))
		err = db_failed(s);
	while (!err && (rc = sqlite3_step(stmt)) == SQLITE_ROW) {
		if (*count == max)
			err = failed(s, "it has too many revoked pseudonyms");
		else if (sqlite3_column_bytes(stmt, 0) != VLDAA_RECORD_NAME)
			err = failed(s, "a record's name is damaged");
		else
			memcpy(names + VLDAA_RECORD_NAME * (*count)++, sqlite3_column_blob(stmt, 0),
			       VLDAA_RECORD_NAME);
	}
	if (!err && rc != SQLITE_DONE)
		err = db_failed(s);
	(void)sqlite3_finalize(stmt);
	return err;
}

static int change_one(const vldaa_tpm_store *s, const vldaa_change *c)
{
	sqlite3_stmt *stmt;
	int err = prepare(s, &stmt,
			  c->value ? "INSERT INTO records (record, name, value) VALUES (?1, ?2, ?3)"
				     " ON CONFLICT DO UPDATE SET value = excluded.value"
				   : "DELETE FROM records WHERE record = ?1 AND name = ?2",
			  c->record, c->name);

	if (!err && c->value &&
	    sqlite3_bind_blob(stmt, 3, c->value, (int)c->len, SQLITE_STATIC) != SQLITE_OK)
		err = db_failed(s);
	if (!err && sqlite3_step(stmt) != SQLITE_DONE)
		err = db_failed(s);
	(void)sqlite3_finalize(stmt);
	return err;
}

int vldaa_tpm_store_commit(void *store, const vldaa_change *changes, size_t count)
{
	vldaa_tpm_store *s = store;
	int err = wake(s);

	if (!err)
		err = execute(s, "BEGIN IMMEDIATE");
	if (err)
		return err;
	for (size_t i = 0; i < count && !err; i++)
		err = change_one(s, &changes[i]);
	if (!err)
		err = execute(s, "COMMIT");
	if (err && sqlite3_get_autocommit(s->db) == 0)
		(void)sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
	return err;
}
